"""Group the cells of a board into classes, so that a solver has fewer unknowns.

The quiet patterns are the rows of a matrix that has a column for each cell.  Cells whose columns
are multiples of each other form a class.

The click sets that toggle the same cells are the sums of one click set with all combinations of
quiet patterns.  With two levels, their sizes depend only on the number of clicks in each class.
"""

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from lightsanim.game.algebra.digits import DigitPacking, Words
from lightsanim.game.algebra.linear import Bits
from lightsanim.game.algebra.modular import Indices, Residues, mod_inplace, mod_inverse
from lightsanim.game.board.board import Board
from lightsanim.game.levels import Lights
from lightsanim.system.threads import cache_for_threads
from .components import Component, find_components

# Maximum cells to be grouped for the hardest start, or with more than two levels for the nearest
# configuration: it takes seconds.
MAX_SORTED_CELLS = 5_000_000

Counts = NDArray[np.int64]  # Number of clicked cells in each class, (classes,).
# Number of presses in each class, (classes, q), after adding a pattern 0 to q - 1 times.
Table = NDArray[np.int32]
Sums = TypeVar("Sums", bound=NDArray[np.integer])


@dataclass(frozen=True, kw_only=True, eq=False)
class ColumnClasses:
    """Classes of cells whose columns of the pattern matrix are multiples of each other."""

    component: Component  # Independent quiet patterns, and the cells to be grouped.
    columns: Words  # Column of each class, (classes, words); its first nonzero digit is 1.
    class_of: Indices  # Class number of each cell, int (cells,); -1 if it lies on no pattern.
    factors: Residues  # Cell's column divided by its class's column, uint8 (cells,).

    def __len__(self) -> int:
        return len(self.columns)

    @property
    def levels(self) -> int:
        """The number of levels of a cell."""
        return self.component.q

    @property
    def pattern_count(self) -> int:
        """The number of quiet patterns."""
        return len(self.component)

    def sum_class_multiples(self, changes: Residues) -> Residues:
        """Convert changes of cells, (cells,), to a multiple of each class's column, (classes,)."""
        cells = np.flatnonzero(self.class_of >= 0)
        products = changes[cells] * self.factors[cells]
        total = np.bincount(self.class_of[cells], weights=products, minlength=len(self))
        return (total % self.levels).astype(np.uint8)

    def build_press_table(self, clicks: Lights) -> Table:
        """Build the `Table` of presses in each class for a click set, (cells,)."""
        inside, q = self.class_of >= 0, self.levels
        class_of, factors, clicks = self.class_of[inside], self.factors[inside], clicks[inside]
        presses = (mod_inplace(clicks + factors * np.uint8(added), q) for added in range(q))
        counts = [np.bincount(class_of, weights=row, minlength=len(self)) for row in presses]
        return np.stack(counts, axis=1).astype(np.int32)

    def add_pattern_combination(self, clicks: Lights, combination: Residues) -> Lights:
        """Add the patterns, times the coefficients ``combination``, to a click set, (cells,)."""
        shifts = DigitPacking(self.levels).multiply(self.columns, combination[:, None])[:, 0]
        added = np.append(shifts.astype(np.uint8), np.uint8(0))  # entry -1: cells in no class
        total: Lights = clicks + added[self.class_of] * self.factors
        return mod_inplace(total, self.levels).astype(clicks.dtype)


def build_inverse_table(q: int) -> Residues:
    """Return an array of the inverses of 0 to q - 1 modulo q; entry 0 is 0."""
    return np.array([0, *(mod_inverse(factor, q) for factor in range(1, q))], np.uint8)


@cache_for_threads
def find_board_classes(board: Board) -> list[ColumnClasses]:
    """Group the cells of each component of a board's quiet patterns; the searches share them."""
    return [find_column_classes(component) for component in find_components(board)]


def find_column_classes(component: Component) -> ColumnClasses:
    """Group a component's cells into classes whose columns are multiples of each other."""
    q = component.q
    factors = np.zeros(len(component.cells), np.uint8)
    for row in component.iter_patterns():
        np.copyto(factors, row, where=factors == 0)
    scale = build_inverse_table(q)[factors]
    # Hash each column to a 64-bit word with random weights.  Different columns hardly ever get the
    # same word; if they do, a solver's check of its result fails.
    weights = np.random.default_rng(0).integers(1 << 64, size=len(component), dtype=np.uint64)
    words = np.zeros(len(factors), np.uint64)
    for row, weight in zip(component.iter_patterns(), weights, strict=True):
        words += mod_inplace(row * scale, q) * weight
    _, first, class_of = np.unique(words, return_index=True, return_inverse=True)
    skip = int(not factors[first[0]])  # skip the word 0 of cells on no pattern
    first = first[skip:]
    rows = (mod_inplace(row[first] * scale[first], q) for row in component.iter_patterns())
    columns = DigitPacking(q).pack_columns(rows, len(component))
    # Sort the classes by column: SCIP then proves results in a fifth of the time.
    order = np.argsort(columns.view(f"V{columns.shape[1] * 8}").ravel())
    position = np.append(np.argsort(order), -1)
    return ColumnClasses(
        component=component,
        columns=columns[order],
        class_of=position[class_of - skip],
        factors=factors,
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class CellClasses:
    """Classes of cells that lie on the same quiet patterns, for boards with two levels."""

    patterns: int  # Number of quiet patterns.
    columns: NDArray[np.int64]  # Patterns of each class, int64 (classes,): bit t for pattern t.
    sizes: Counts  # Number of cells in each class, int64 (classes,).
    class_of: NDArray[np.int64]  # Class number of each cell, int64 (cells,).

    def size_changes_per_click(self, combinations: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the change in size of a click set plus patterns for one more click in each class.

        The result is int64 (classes, combinations): -1 where a class lies on an odd number of a
        combination's patterns, otherwise 1.  Bit t of a combination adds pattern t.
        """
        odd = np.bitwise_count(self.columns[:, None] & combinations) & 1
        return np.asarray(1 - 2 * odd.astype(np.int64))

    def compute_sum_sizes(self, counts: Counts) -> NDArray[np.int32]:
        """Return the size of a click set plus each combination of patterns, int32 (2**patterns,).

        A sum's size is (cells - sum over the classes of (size - 2 count) sign) / 2, so one
        Walsh-Hadamard transform computes all sizes.
        """
        table, spare = np.zeros((2, 1 << self.patterns, 1), np.int32)
        table[self.columns, 0] = self.sizes - 2 * counts
        return (len(self.class_of) - walsh_hadamard(table, spare)[:, 0]) // 2

    def count_clicks(self, clicks: Bits) -> Counts:
        """Count the clicked cells of each class in a click set, bool (cells,)."""
        return np.bincount(self.class_of[clicks], minlength=len(self.sizes)).astype(np.int64)

    def find_lightest_counts(self, counts: Counts) -> Counts:
        """Count the clicks in each class after adding the patterns that leave fewest clicks."""
        lightest = self.compute_sum_sizes(counts).argmin(axis=0, keepdims=True)
        is_flipped = self.size_changes_per_click(lightest)[:, 0] < 0
        return np.where(is_flipped, self.sizes - counts, counts)

    def sample_click_set(self, counts: Counts, rng: np.random.Generator) -> Bits:
        """Draw a random click set, bool (cells,), with ``counts`` clicks in each class."""
        cells = rng.permutation(len(self.class_of))
        cells = cells[np.argsort(self.class_of[cells], kind="stable")]
        ranks = np.arange(len(cells)) - np.repeat(self.sizes.cumsum() - self.sizes, self.sizes)
        clicks = np.zeros(len(cells), bool)
        clicks[cells] = ranks < np.repeat(counts, self.sizes)
        return clicks


def find_cell_classes(component: Component) -> CellClasses:
    """Group a component's cells by the quiet patterns, at most 64, on which they lie."""
    columns = component.pattern_columns()[:, 0].view(np.int64)
    distinct, class_of, sizes = np.unique(columns, return_inverse=True, return_counts=True)
    return CellClasses(patterns=len(component), columns=distinct, sizes=sizes, class_of=class_of)


def walsh_hadamard(table: Sums, spare: Sums) -> Sums:
    """Compute the Walsh-Hadamard transform over 2**n rows, alternating between two arrays."""
    rows, columns = table.shape
    step = 1
    while step < rows:
        source = table.reshape(-1, 2, step * columns)
        target = spare.reshape(-1, 2, step * columns)
        np.add(source[:, 0], source[:, 1], out=target[:, 0])
        np.subtract(source[:, 0], source[:, 1], out=target[:, 1])
        table, spare, step = spare, table, 2 * step
    return table
