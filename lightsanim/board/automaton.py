"""The automaton: press every light that is lit, as often as turns it dark by itself; and again.

A step turns b into b - A b.  With the plus that is -N b, the sum of each cell's four neighbours:
over two levels Fredkin's replicator.  Over GF(q) N^(q^k) is four shifts by q^k, reflected at the
edges: a picture in a dark room is four of itself after q^k steps, and sixteen after q^j + q^k.

A step is undone by the rule of A - 1, of the plus the ring.  Its quiet patterns belong to the roots
that p_rows and p_columns of `lightsanim.board.modular_plus` share, those of p_(g-1): steps can be
undone where g, the greatest common divisor of rows + 1 and columns + 1, is 1, whatever the levels.

Source: Amoroso and Cooper, Journal of Computer and System Sciences 5 (1971) 455-464.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from lightsanim.algebra.packed_elimination import Check
from lightsanim.board.board import Board
from lightsanim.board.perfect import is_perfect, nearest_perfect_board
from lightsanim.board.rule import parse_rule
from lightsanim.errors import OptionError, SolverError
from lightsanim.look.levels import Lights
from lightsanim.options.checks import check_whole_number
from lightsanim.options.stencils import abbreviate_name, format_stencil


def automaton(board: Board, configuration: Lights, steps: int) -> Iterator[Lights]:
    """Press every light that is lit, as often as turns it dark by itself; and again.

    Each step takes time linear in the cells; back in time it is one solve, for the plus linear.

    Args:
        board: whose clicks are pressed.
        configuration: bool (rows, columns), or with more than two levels uint8, as the results.
        steps: how many; below 0 back in time.

    Returns:
        The configuration after each step.

    Raises:
        OptionError: for another shape, or steps back in time where they cannot be undone.

    >>> import numpy as np
    >>> board, dot = Board(7, 8), np.arange(56).reshape(7, 8) == 27
    >>> [int(lights.sum()) for lights in automaton(board, dot, 3)]  # 2 steps are four shifts by 2
    [4, 4, 16]
    >>> *_, start = automaton(board, dot, -100)
    >>> *_, again = automaton(board, start, 100)
    >>> bool((again == dot).all())
    True
    """
    lights = board.checked(configuration, "configuration")
    count = check_whole_number("steps", steps, -(10**18))
    return _run_steps(board, lights, count, require_reversing_board(board) if count < 0 else None)


def _run_steps(board: Board, lights: Lights, count: int, undo: Board | None) -> Iterator[Lights]:
    dark = board.subtract(lights, lights)
    for _ in range(abs(count)):
        lights = (
            next_configuration(board, lights) if undo is None else undo.clicks_between(lights, dark)
        )
        yield lights


def next_configuration(board: Board, lights: Lights) -> Lights:
    """The configuration after a step."""
    return board.subtract(lights, board.toggles(lights))


def reversing_board(board: Board, check: Check = lambda: None) -> Board | None:
    """The board whose clicks undo steps; None where none do, or no stencil has the matrix A - 1."""
    offsets = parse_rule(board.rule).offsets or ()
    undo_offsets = {*offsets} ^ {(0, 0)}
    if not offsets or not undo_offsets or (board.levels > 2 and (0, 0) in undo_offsets):
        return None
    candidate = replace(board, rule=format_stencil(undo_offsets))
    return candidate if is_perfect(candidate, check) else None


def require_reversing_board(board: Board) -> Board:
    """The same, or else an `OptionError` that names a size at which steps can be undone."""
    if (undo := reversing_board(board)) is not None:
        return undo
    rule = f"{abbreviate_name(board.rule)}{' wrapped' * board.wrap}"
    message = f"steps on a {board.columns}x{board.rows} board of rule {rule} cannot be undone; "
    message += "take another rule or size"
    with suppress(OptionError, SolverError):
        near = nearest_perfect_board(board, reversing_board, time_limit=0.5)
        message += f", such as {near.columns}x{near.rows}"
    raise OptionError(message, "size")
