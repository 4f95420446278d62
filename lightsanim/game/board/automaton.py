"""The automaton: each step presses every lit cell, q - v times if its level is v (of q levels).

A step turns the configuration b into b - A b.  With the plus rule this is -N b, where N sums the
four neighbours of each cell; with two levels it is Fredkin's replicator.  Over GF(q), N^(q^k) is
the sum of four shifts by q^k cells, reflected at the edges.  A picture surrounded by enough dark
cells therefore becomes four copies after q^k steps, and sixteen after q^j + q^k steps.

On a board with the matrix A - 1, the clicks that turn b off are the configuration before the step;
for the plus rule this is a board of the ring rule.  The quiet patterns of the ring belong to the
roots that p_rows and p_columns of `game.board.plus_factors` share, which are those of p_(g-1)
with g = gcd(rows + 1, columns + 1).  So steps can be undone exactly if g = 1, whatever the levels.

Source: Amoroso and Cooper, Journal of Computer and System Sciences 5 (1971) 455-464.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from lightsanim.errors import OptionError, SolverError
from lightsanim.game.algebra.packed_elimination import Check
from lightsanim.game.levels import Lights
from lightsanim.options.checks import check_whole_number
from lightsanim.options.stencils import abbreviate_name, format_stencil
from .board import Board
from .perfect import is_perfect, nearest_perfect_board
from .rule import parse_rule


def automaton(board: Board, configuration: Lights, steps: int) -> Iterator[Lights]:
    """Return an iterator that yields the configuration after each step of the automaton.

    A step presses every lit cell, q - v times if its level is v, and takes time linear in the
    number of cells.  A step backwards solves a linear system; for the plus rule, in linear time.

    Args:
        board: board whose clicks are pressed.
        configuration: bool array of shape (rows, columns), uint8 with more than two levels.
        steps: number of steps; negative numbers run backwards in time.

    Raises:
        OptionError: if the configuration does not fit the board, or steps cannot be undone.

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
    """Return the configuration after one step of the automaton."""
    return board.subtract(lights, board.toggles(lights))


def reversing_board(board: Board, check: Check = lambda: None) -> Board | None:
    """Return the board whose solutions undo steps of the automaton; None if there is none."""
    offsets = parse_rule(board.rule).offsets or ()
    undo_offsets = {*offsets} ^ {(0, 0)}
    if not offsets or not undo_offsets or (board.levels > 2 and (0, 0) in undo_offsets):
        return None
    candidate = replace(board, rule=format_stencil(undo_offsets))
    return candidate if is_perfect(candidate, check) else None


def require_reversing_board(board: Board) -> Board:
    """Return the `reversing_board`; if there is none, raise an error that suggests a size."""
    if (undo := reversing_board(board)) is not None:
        return undo
    rule = f"{abbreviate_name(board.rule)}{' wrapped' * board.wrap}"
    message = f"with {board.columns}x{board.rows} cells and rule {rule}, the automaton cannot "
    message += "run backwards; choose another rule or size"
    with suppress(OptionError, SolverError):
        near = nearest_perfect_board(board, reversing_board, time_limit=0.5)
        message += f", such as {near.columns}x{near.rows}"
    raise OptionError(message, "size")
