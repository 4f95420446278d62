"""Generate puzzles with enough given cells for exactly one answer.

After Burkardt, "The Well-Posed Puzzle": how many cells can be left blank?  First draw a random
answer, with all cells given.  Then, in random order, blank each cell if the given cells that remain
are still proven to allow no other answer.  An easier puzzle gives some of the blank cells again.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import xor
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lightsanim.errors import OptionError
from lightsanim.game.algebra.linear import Bits, unpack_bits
from lightsanim.game.algebra.packed_elimination import LUDecomposition, lu_decompose
from lightsanim.game.board.board import Board
from lightsanim.options.checks import pluralize, require_keys
from lightsanim.options.choices import PUZZLES, Difficulty
from .abbott import build_line_masks
from .answer import grid_to_json
from .ashes import find_zero_sum_basis

Shape: TypeAlias = tuple[int, int]
Grid: TypeAlias = NDArray[Any]

# Share of the blank cells that are given again, in the first and the last puzzle of a series.
GIVEN_SHARES = {None: (0.4, 0.0), "easy": (0.4, 0.4), "medium": (0.2, 0.2), "hard": (0.0, 0.0)}
# Cells a side: smaller boards leave nothing to find, larger ones take too long to fill in.
MIN_SIDE, MAX_SIDE = 2, 12
# Probability that a cell has a submarine.
SUBMARINE_SHARE = 0.4
# Largest number in an answer of ashes.
MAX_ASHES = 5
# Maximum number of attempts to draw a puzzle that differs from the earlier ones of a series.
MAX_DRAWS = 100
# Puzzles that need a square board and whose rules also count its diagonals.
SQUARE_PUZZLES = ("abbott", "queens")


@dataclass(frozen=True, kw_only=True, eq=False)
class WellPosedPuzzle:
    """A puzzle with some given cells, and its answer."""

    puzzle: str
    board: Board  # Board of the puzzle's size.
    answer: Grid  # The answer, bool or int (rows, columns).
    is_given: Bits  # The given cells, bool (rows, columns).

    @property
    def count(self) -> int:
        """The number of given cells."""
        return int(self.is_given.sum())

    @property
    def clues(self) -> dict[str, Any]:
        """The row and column sums of submarines, or the sums of ashes, as JSON values."""
        if self.puzzle == "ashes":
            around = np.lib.stride_tricks.sliding_window_view(np.pad(self.answer, 1), (3, 3))
            return {"sums": around.sum(axis=(2, 3)).tolist()}
        if self.puzzle == "submarines":
            rows, columns = (self.answer.sum(axis=axis).tolist() for axis in (1, 0))
            return {"rows": rows, "columns": columns}
        return {}

    def as_json(self) -> dict[str, Any]:
        """Return the puzzle and its answer as JSON values."""
        cells = np.argwhere(self.is_given).tolist()
        return {**self.clues, "given": cells, "answer": grid_to_json(self.answer)}


def pose_unique_puzzles(
    puzzle: str, board: Board, count: int, difficulty: Difficulty | None, rng: np.random.Generator
) -> tuple[WellPosedPuzzle, ...]:
    """Return distinct puzzles with exactly one answer, the easiest first."""
    series = dict[bytes, WellPosedPuzzle]()
    for share in np.linspace(*GIVEN_SHARES[difficulty], count):
        for _ in range(MAX_DRAWS):
            posed = _pose_puzzle(puzzle, board, share, rng)
            key = posed.answer.tobytes() + posed.is_given.tobytes()
            if key not in series:
                break
        else:
            puzzles = f"{pluralize(len(series), 'puzzle')} of {puzzle}"
            size = f"{board.columns}x{board.rows} cells"
            raise OptionError(f"only {puzzles} on {size} could be found; reduce the count", "count")
        series[key] = posed
    return tuple(sorted(series.values(), key=lambda posed: -posed.count))


def check_shape(puzzle: str, rows: int, columns: int) -> None:
    """Raise OptionError if a puzzle cannot be posed on a board of this size."""
    size, wrong = f"not {columns}x{rows}", ""
    if not MIN_SIDE <= min(rows, columns) <= max(rows, columns) <= MAX_SIDE:
        wrong = f"must have {MIN_SIDE} to {MAX_SIDE} cells a side, {size}"
    elif puzzle in SQUARE_PUZZLES and rows != columns:
        wrong = f"must have as many rows as columns, {size}"
    elif puzzle == "queens" and rows < 4:
        wrong = f"must have 4 or more cells a side, {size}: smaller boards have no solution"
    if wrong:
        raise OptionError(f"a puzzle of {puzzle} {wrong}", "size")


def _pose_puzzle(
    puzzle: str, board: Board, share: float, rng: np.random.Generator
) -> WellPosedPuzzle:
    answer, blank = DRAW_ANSWER[puzzle](board.shape, rng), list[int]()
    is_given = answer.copy() if puzzle == "queens" else np.ones(board.shape, bool)
    posed = WellPosedPuzzle(puzzle=puzzle, board=board, answer=answer, is_given=is_given)
    for cell in rng.permutation(np.flatnonzero(is_given)).tolist():
        is_given.flat[cell] = False
        if _has_unique_sums(posed) if puzzle == "ashes" else _is_line_solvable(posed):
            blank.append(cell)
        else:
            is_given.flat[cell] = True
    is_given.flat[blank[: round(share * len(blank))]] = True
    return posed


def _is_line_solvable(posed: WellPosedPuzzle) -> bool:
    """Return whether all blank cells can be deduced line by line.

    For submarines this test is exact.  If no sum determines a cell, each line with blank cells has
    lit and dark ones.  Then a closed path along rows and columns alternates between the two kinds,
    and inverting all cells on it gives another answer.
    """
    rows, columns = posed.board.shape
    lines = build_line_masks(rows, columns, diagonals=posed.puzzle in SQUARE_PUZZLES)
    blank, lit = ~posed.is_given.ravel(), posed.answer.ravel()
    has_sum = np.arange(len(lines)) < rows + columns
    while blank.any():
        lit_blanks, dark_blanks = (lines @ (blank & cells).astype(int) for cells in (lit, ~lit))
        # A line decides its blank cells if it is a row or column and they are equal, if it is a
        # diagonal with a given queen, or, in a window, if only one cell is blank.
        decisive = (lit_blanks == 0) & (has_sum | lines @ lit) | (dark_blanks == 0) & has_sum
        if posed.puzzle == "abbott":
            decisive = lit_blanks + dark_blanks == 1
        decided = blank & lines[decisive].any(axis=0)
        if not decided.any():
            return False
        blank &= ~decided
    return True


def _has_unique_sums(posed: WellPosedPuzzle) -> bool:
    """Return whether the given cells of a puzzle of ashes allow only one answer.

    They do if every grid whose sums are all 0 has a given cell that is not 0, or is 0 everywhere.
    Arithmetic modulo 2 suffices: up to signs, each cell lies in at most one pattern along its row
    and one along its column, like an edge of a graph; such matrices have determinants 0, 1 or -1.
    """
    patterns = find_zero_sum_basis(*posed.board.shape)[:, posed.is_given] % 2 > 0
    return not len(patterns) or _lu_decompose_bits(patterns).rank == len(patterns)


def _lu_decompose_bits(matrix: Bits) -> LUDecomposition:
    # Append a column of False, so that the matrix has at least one column.
    matrix = np.pad(matrix, ((0, 0), (0, 1)))
    return lu_decompose(np.packbits(matrix, axis=1, bitorder="little"), matrix.shape[1])


def _draw_random_window(shape: Shape, rng: np.random.Generator) -> Grid:
    # Draw a random window with an even number of lit panes in every line.
    windows = _lu_decompose_bits(build_line_masks(*shape)).null_space()
    window = reduce(xor, (even for even in windows if rng.random() < 0.5), 0)
    return unpack_bits(window & ((1 << shape[0] * shape[1]) - 1), shape)


def _draw_random_queens(shape: Shape, rng: np.random.Generator) -> Grid:
    # Place queens at random, row by row; start again if a row has no free cell.
    lines, queens = build_line_masks(*shape), np.zeros(shape, bool)
    while queens.sum() < len(queens):
        queens[:] = False
        for row in range(len(queens)):
            attacked: Bits = lines[lines @ queens.ravel()].any(axis=0).reshape(shape)
            columns = np.flatnonzero(~attacked[row])
            queens[row, rng.permutation(columns)[:1]] = True
    return queens


DRAW_ANSWER: Mapping[str, Callable[[Shape, np.random.Generator], Grid]] = require_keys(
    PUZZLES,
    {
        "abbott": _draw_random_window,
        "queens": _draw_random_queens,
        "submarines": lambda shape, rng: rng.random(shape) < SUBMARINE_SHARE,
        "ashes": lambda shape, rng: rng.integers(0, MAX_ASHES + 1, shape),
    },
)
