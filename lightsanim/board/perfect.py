"""Sizes on which every configuration is accessible, and the one nearest to a wish."""

import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace

from lightsanim.algebra.dense import Check
from lightsanim.board.board import Board
from lightsanim.board.elimination import has_no_quiet_patterns
from lightsanim.board.factors import algebra_of
from lightsanim.board.rule import rule_of
from lightsanim.board.torus import is_perfect_torus
from lightsanim.errors import OptionError, SolverError
from lightsanim.options.stencils import abbreviated
from lightsanim.system.deadline import Deadline

Fit = Callable[[Board, Check], object]


def nearest_perfect(board: Board, *fits: Fit, time_limit: float | Deadline = 30.0) -> Board:
    """The board nearest in size, of the same shape, on which every configuration is accessible.

    Of two sizes that are equally near, the larger.  Where no size of the same shape is perfect, as
    with squares of the ring, one side is longer or shorter by a cell.  ``fits``: what else it is.

    >>> nearest_perfect(Board(64, 64)).shape, nearest_perfect(Board(60, 60)).shape
    ((63, 63), (60, 60))
    """
    deadline = Deadline.of(time_limit)
    size, rule = f"{board.columns}x{board.rows}", abbreviated(board.rule)
    what = f"{size} is perfect for rule {rule}{' wrapped' if board.wrap else ''}"
    advice = "leave perfect out, or choose another rule"

    def check() -> None:
        if deadline.expired:
            raise SolverError(
                f"{deadline.seconds_used():.1f} s were not enough to see which size near {what}; "
                f"allow more, {advice}"
            )

    for other in _boards_near(board):
        check()
        if all(fit(other, check) for fit in (*fits, is_perfect)):
            return other
    raise OptionError(f"no size near {what}; {advice}", "perfect")


def _boards_near(board: Board) -> Iterator[Board]:
    longer, shorter = max(board.shape), min(board.shape)
    for stray in (0, 1, -1):
        for change in range(max(10, longer // 4) + 1):
            for side in (longer + change, longer - change):
                sides = side, max(1, round(side * shorter / longer)) + stray
                rows, columns = sides if board.rows == longer else sides[::-1]
                # Sides below 1, and boards too large for elimination, are left out.
                with suppress(OptionError):
                    yield replace(board, rows=rows, columns=columns)


def is_perfect(board: Board, check: Check) -> bool:
    """Whether every configuration of a board is accessible."""
    rule, shape, levels = rule_of(board.rule), board.shape, board.levels
    algebra = algebra_of(rule, levels, wrap=board.wrap, check=check)
    if algebra.max_cells == math.inf:
        return board.nullity == 0
    if board.wrap:
        return is_perfect_torus(board.offsets(), *shape, levels)
    if levels > 2:
        return algebra.factor(*shape).nullity == 0
    return has_no_quiet_patterns(rule, *shape, check)
