"""Puzzles to fill in, with just so many cells given that one answer is left.

After Burkardt, "The Well-Posed Puzzle": how does who poses a puzzle know how much can be left out?
An answer is drawn and all of it given; then, in random order, each cell is left blank if the others
are still proven to leave no other answer.  An easier puzzle gives some of these blank cells again.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from itertools import islice
from operator import xor
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lightsanim.algebra.dense import decompose
from lightsanim.algebra.linear import Bits, unpack
from lightsanim.board.board import Board
from lightsanim.errors import OptionError
from lightsanim.options.checks import counted, keyed
from lightsanim.options.table import DIFFICULTIES, PUZZLES
from lightsanim.puzzles.abbott import window_lines
from lightsanim.puzzles.ashes import clues_of
from lightsanim.puzzles.queens import NO_PLACE, placings
from lightsanim.puzzles.sums import sum_patterns

Shape: TypeAlias = tuple[int, int]
Grid: TypeAlias = NDArray[Any]

# Cells a side: with fewer there is nothing to find, with more nobody fills them in.
SMALLEST, LARGEST = 2, 12

# Of the cells that can be blank, the share that is given all the same.
EASIER = keyed(DIFFICULTIES, {"easy": 0.4, "medium": 0.2, "hard": 0.0})

# The share of cells with a submarine; the largest number of ashes.
SUBMARINES, MOST = 0.4, 5

# Draws of a puzzle that no other of a series is like.
DRAWS = 100


@dataclass(frozen=True, kw_only=True, eq=False)
class WellPosed:
    """A puzzle with some cells given; `pose_well` gives those that have one answer."""

    puzzle: str  # its name
    answer: Grid  # bool or int (rows, columns)
    given: Bits  # bool (rows, columns), those cells
    kind: str = "sum"  # of the clues of ashes

    @property
    def board(self) -> Board:
        """A board of its size."""
        return Board(*self.answer.shape)

    @property
    def clues(self) -> dict[str, Any]:
        """The numbers that are given beside the cells, as JSON holds them.

        >>> WellPosed(puzzle="submarines", answer=np.eye(2) > 0, given=np.eye(2) > 0).clues
        {'rows': [1, 1], 'columns': [1, 1]}
        """
        if self.puzzle == "submarines":
            rows, columns = (self.answer.sum(axis=axis).tolist() for axis in (1, 0))
            return {"rows": rows, "columns": columns}
        if self.puzzle == "ashes":
            return {"cells": clues_of(self.answer, self.kind).tolist()}
        return {}


@dataclass(frozen=True, kw_only=True)
class Kind:
    """How puzzles of a name are drawn."""

    draw: Callable[[Shape, np.random.Generator], Grid]  # an answer
    is_only: Callable[[Grid, Bits], bool]  # do the cells that are given leave no other answer?
    givable: Callable[[Grid], Bits] = lambda answer: np.ones(
        answer.shape, bool
    )  # what can be given
    square: bool = False  # whether all of them are


def pose_well(
    puzzle: str, shape: Shape, difficulties: Sequence[float], rng: np.random.Generator
) -> tuple[WellPosed, ...]:
    """Puzzles that have one answer, and none of which is like another.

    Args:
        puzzle: its name.
        shape: rows and columns.
        difficulties: for each puzzle, which share of the cells that could be blank is given.
        rng: decides between all such puzzles.

    Raises:
        OptionError: if there are no puzzles of this shape, or not as many.

    >>> hard, = pose_well("queens", (8, 8), [0.0], np.random.default_rng(1))
    >>> hard.answer.sum(), hard.given.sum() < 5
    (np.int64(8), np.True_)
    """
    check_shape(puzzle, shape)
    series = dict[bytes, WellPosed]()
    for share in difficulties:
        for _ in range(DRAWS):
            posed = _pose(puzzle, shape, share, rng)
            if (look := posed.answer.tobytes() + posed.given.tobytes()) not in series:
                series[look] = posed
                break
        else:
            raise OptionError(
                f"only {counted(len(series), 'puzzle')} of {puzzle} on {_sides(shape)} cells could "
                "be found; ask for fewer"
            )
    return tuple(sorted(series.values(), key=lambda posed: -int(posed.given.sum())))


def shares_of(difficulty: str | None, count: int) -> list[float]:
    """For each of so many puzzles the share that `pose_well` takes; None for easy to hard.

    >>> shares_of("medium", 2), shares_of(None, 3)
    ([0.2, 0.2], [0.4, 0.2, 0.0])
    """
    if difficulty is not None:
        return [EASIER[difficulty]] * count
    return list(map(float, np.linspace(EASIER["easy"], EASIER["hard"], count)))


def check_shape(puzzle: str, shape: Shape) -> None:
    """Refuse boards on which a puzzle is not posed."""
    if not all(SMALLEST <= side <= LARGEST for side in shape):
        raise OptionError(
            f"a puzzle of {puzzle} has {SMALLEST} to {LARGEST} cells a side, not {_sides(shape)}",
            "size",
        )
    if KINDS[puzzle].square and len(set(shape)) > 1:
        raise OptionError(f"a puzzle of {puzzle} is a square, not {_sides(shape)}", "size")
    if puzzle == "queens" and shape[0] in NO_PLACE:
        raise OptionError(
            f"no clues leave one answer: {shape[0]} queens cannot stand on {_sides(shape)} cells "
            "without attacking each other; take 4x4 or more",
            "size",
        )


def _sides(shape: Shape) -> str:
    return f"{shape[1]}x{shape[0]}"


def _pose(puzzle: str, shape: Shape, share: float, rng: np.random.Generator) -> WellPosed:
    kind = KINDS[puzzle]
    answer = kind.draw(shape, rng)
    given, blank = kind.givable(answer), list[int]()
    for cell in rng.permutation(np.flatnonzero(given)).tolist():
        given.flat[cell] = False
        if kind.is_only(answer, given):
            blank.append(cell)
        else:
            given.flat[cell] = True
    given.flat[blank[: round(share * len(blank))]] = True
    return WellPosed(puzzle=puzzle, answer=answer, given=given)


# Where lines tell cells


def _is_filled(lines: Bits, answer: Grid, given: Bits, tells: Callable[[Bits, Bits], Bits]) -> bool:
    """Whether lines, bool (lines, cells), tell all cells, one line after the other.

    ``tells``: which lines do, from how many cells in each are yet to be found, True and False.
    """
    blank, lit = ~given.ravel(), answer.ravel()
    while blank.any():
        telling = tells(lines @ (blank & lit).astype(int), lines @ (blank & ~lit).astype(int))
        left = blank & ~lines[telling].any(axis=0)
        if np.array_equal(left, blank):
            return False
        blank = left
    return True


@cache
def _rows_and_columns(rows: int, columns: int) -> Bits:
    row, column = np.indices((rows, columns)).reshape(2, -1)
    return np.vstack([np.arange(rows)[:, None] == row, np.arange(columns)[:, None] == column])


def _only_submarines(answer: Grid, given: Bits) -> bool:
    """Whether no other grid has these sums and these cells.

    A line whose blank cells are alike is told by its sum.  Where none is left, each line has blank
    cells of both kinds: so one can go from a submarine along its row to one that is none, from
    there along its column to a submarine, and so on, until one comes round, and all on the way can
    be changed.

    >>> _only_submarines(np.eye(2) > 0, np.array([[False, True], [False, False]]))
    True
    >>> _only_submarines(np.eye(2) > 0, np.zeros((2, 2), bool))
    False
    """
    lines = _rows_and_columns(*answer.shape)
    return _is_filled(lines, answer, given, lambda ones, zeros: (ones == 0) | (zeros == 0))


@cache
def _panes(n: int) -> Bits:
    lines = window_lines(n)
    return np.array([np.isin(np.arange(n * n), line) for line in lines])


def _draw_window(shape: Shape, rng: np.random.Generator) -> Grid:
    # Any window whose lines are even.
    lines = _panes(shape[0])
    even = decompose(np.packbits(lines, axis=1, bitorder="little"), lines.shape[1]).null_space()
    return unpack(reduce(xor, (window for window in even if rng.random() < 0.5), 0), shape)


def _only_window(answer: Grid, given: Bits) -> bool:
    # A line with one blank pane tells it: puzzles that need no more than that.
    lines = _panes(len(answer))
    return _is_filled(lines, answer, given, lambda ones, zeros: ones + zeros == 1)


# Sums, and queens


@cache
def _parities(rows: int, columns: int) -> Bits:
    return sum_patterns(rows, columns) % 2 > 0


def _only_sums(answer: Grid, given: Bits) -> bool:
    """Whether no other whole numbers have these sums and these cells: no zero pattern is 0 there.

    It is enough to look at numbers modulo 2.  But for signs, each cell is in one pattern along its
    row, in one down its column, or in both, like an edge between them: a matrix whose
    determinants are all 0, 1 or -1.
    """
    patterns = _parities(*answer.shape)[:, given]
    if patterns.shape[1] < len(patterns):
        return False
    packed = np.packbits(patterns, axis=1, bitorder="little")
    return decompose(packed, patterns.shape[1]).rank == len(patterns)


def _draw_queens(shape: Shape, rng: np.random.Generator) -> Grid:
    columns = [rng.permutation(shape[1]).tolist() for _ in range(shape[0])]
    return next(placings(columns))


def _only_queens(answer: Grid, given: Bits) -> bool:
    every = range(len(answer))
    columns = [np.flatnonzero(row).tolist() or every for row in given]
    return len(list(islice(placings(columns), 2))) == 1


KINDS: Mapping[str, Kind] = keyed(
    PUZZLES,
    {
        "abbott": Kind(draw=_draw_window, is_only=_only_window, square=True),
        "queens": Kind(
            draw=_draw_queens,
            is_only=_only_queens,
            givable=lambda answer: answer.copy(),
            square=True,
        ),
        "submarines": Kind(
            draw=lambda shape, rng: rng.random(shape) < SUBMARINES, is_only=_only_submarines
        ),
        "ashes": Kind(draw=lambda shape, rng: rng.integers(0, MOST + 1, shape), is_only=_only_sums),
    },
)
