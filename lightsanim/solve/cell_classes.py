"""Cells in classes: those that have the same part in some patterns are interchangeable.

The column of a cell says how much of each pattern it holds.  What a cell does, each other cell
whose column is a multiple of that does as well, a number of times; so only the classes matter.

The click sets that toggle the same cells are a click set's sums with all combinations of quiet
patterns.  With two levels, only how many clicks it has in each class counts for their sizes.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lightsanim.algebra.digits import DigitPacking, Words
from lightsanim.algebra.linear import Bits
from lightsanim.algebra.modular import Indices, Residues, mod_inplace, mod_inverse
from lightsanim.look.levels import Lights
from lightsanim.solve.components import Component

Counts = NDArray[np.int64]  # (classes,), how many cells of each class are clicked
Table = NDArray[np.int32]  # (classes, q), the presses of each class when 0 to q - 1 is added


@dataclass(frozen=True, kw_only=True, eq=False)
class ColumnClasses:
    """The cells of some patterns, taken together whose columns are multiples of each other."""

    component: Component  # the patterns
    # (classes, words), the column of each class, a digit for each pattern; its first digit but 0
    # is 1.
    columns: Words
    class_of: Indices  # int (cells,), -1 for cells on no pattern
    factors: Residues  # uint8 (cells,), how many times the class's column a cell's column is

    def __len__(self) -> int:
        return len(self.columns)

    @property
    def levels(self) -> int:
        """How many levels there are."""
        return self.component.q

    @property
    def pattern_count(self) -> int:
        """How many patterns there are."""
        return len(self.component)

    def sum_class_multiples(self, changes: Residues) -> Residues:
        """The multiples of columns that changes, uint8 (cells,), add up to: uint8 (classes,)."""
        cells = np.flatnonzero(self.class_of >= 0)
        products = changes[cells] * self.factors[cells]
        total = np.bincount(self.class_of[cells], weights=products, minlength=len(self))
        return (total % self.levels).astype(np.uint8)

    def build_press_table(self, clicks: Lights) -> Table:
        """How many presses each class has when 0 to q - 1 is added to ``clicks``, (cells,)."""
        inside = self.class_of >= 0
        table = np.empty((len(self), self.levels), np.int32)
        for added in range(self.levels):
            pressed = mod_inplace(
                clicks[inside] + self.factors[inside] * np.uint8(added), self.levels
            )
            table[:, added] = np.bincount(
                self.class_of[inside], weights=pressed, minlength=len(table)
            )
        return table

    def add_pattern_combination(self, clicks: Lights, combination: Residues) -> Lights:
        """A click set, (cells,), plus a combination of the patterns, uint8 (patterns,)."""
        shifts = DigitPacking(self.levels).multiply(self.columns, combination[:, None])[:, 0]
        added = np.append(shifts.astype(np.uint8), np.uint8(0))  # to cells on no pattern
        total: Lights = clicks + added[self.class_of] * self.factors
        return mod_inplace(total, self.levels).astype(clicks.dtype)


def build_inverse_table(q: int) -> Residues:
    """What each factor of a cell is made 1 by, 0 to q - 1; 0 of 0."""
    return np.array([0, *(mod_inverse(factor, q) for factor in range(1, q))], np.uint8)


def find_column_classes(component: Component) -> ColumnClasses:
    """The classes of a component's cells."""
    q = component.q
    factors = np.zeros(len(component.cells), np.uint8)
    for row in component.iter_patterns():
        np.copyto(factors, row, where=factors == 0)
    scale = build_inverse_table(q)[factors]
    # A random word for each column.  Equal words are equal columns, as good as always; results are
    # pressed again in any case.
    weights = np.random.default_rng(0).integers(1 << 64, size=len(component), dtype=np.uint64)
    words = np.zeros(len(factors), np.uint64)
    for row, weight in zip(component.iter_patterns(), weights, strict=True):
        words += mod_inplace(row * scale, q) * weight
    _, first, class_of = np.unique(words, return_index=True, return_inverse=True)
    skip = int(not factors[first[0]])  # the word of no pattern is 0, the lowest
    first = first[skip:]
    rows = (mod_inplace(row[first] * scale[first], q) for row in component.iter_patterns())
    columns = DigitPacking(q).pack_columns(rows, len(component))
    # In the order of the columns, in which SCIP proves in a fifth of the time.
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
    """The cells of some quiet patterns, taken together that lie on the same ones."""

    patterns: int  # how many quiet patterns there are
    columns: NDArray[np.int64]  # int64 (classes,), bit t says whether the cells lie on pattern t
    sizes: Counts  # int64 (classes,), how many cells each class has
    class_of: NDArray[np.int64]  # int64 (cells,)

    def size_changes_per_click(self, combinations: NDArray[np.int64]) -> NDArray[np.int64]:
        """What one click more adds to the sizes of the sums with some combinations.

        -1 where a class lies on an odd number of a combination's patterns, otherwise 1: int64
        (classes, combinations).  Bit t of a combination says whether pattern t is added.
        """
        odd = np.bitwise_count(self.columns[:, None] & combinations) & 1
        signs: NDArray[np.int64] = 1 - 2 * odd.astype(np.int64)
        return signs

    def compute_sum_sizes(self, counts: Counts) -> NDArray[np.int32]:
        """The sizes of a click set's sums with all combinations: int32 (2**patterns,).

        A sum's size is (cells - sum over the classes of (size - 2 count) sign) / 2: one
        Walsh-Hadamard transform gives all of them.
        """
        table = np.zeros(1 << self.patterns, np.int32)
        table[self.columns] = self.sizes - 2 * counts
        for bit in range(self.patterns):
            pairs = table.reshape(-1, 2, 1 << bit)
            pairs[:] = np.stack([pairs[:, 0] + pairs[:, 1], pairs[:, 0] - pairs[:, 1]], axis=1)
        return (len(self.class_of) - table) // 2

    def count_clicks(self, clicks: Bits) -> Counts:
        """How many cells of each class a click set, bool (cells,), clicks."""
        return np.bincount(self.class_of[clicks], minlength=len(self.sizes)).astype(np.int64)

    def find_lightest_counts(self, counts: Counts) -> Counts:
        """The counts of the lightest sum."""
        is_flipped = (
            self.size_changes_per_click(np.array([self.compute_sum_sizes(counts).argmin()]))[:, 0]
            < 0
        )
        return np.where(is_flipped, self.sizes - counts, counts)

    def sample_click_set(self, counts: Counts, rng: np.random.Generator) -> Bits:
        """A click set with these counts, on cells that are drawn: bool (cells,)."""
        cells = rng.permutation(len(self.class_of))
        cells = cells[np.argsort(self.class_of[cells], kind="stable")]
        ranks = np.arange(len(cells)) - np.repeat(self.sizes.cumsum() - self.sizes, self.sizes)
        clicks = np.zeros(len(cells), bool)
        clicks[cells] = ranks < np.repeat(counts, self.sizes)
        return clicks


def find_cell_classes(component: Component) -> CellClasses:
    """The classes of a component's cells; it has 64 quiet patterns at most."""
    columns = component.pattern_columns()[:, 0].view(np.int64)
    distinct, class_of, sizes = np.unique(columns, return_inverse=True, return_counts=True)
    return CellClasses(patterns=len(component), columns=distinct, sizes=sizes, class_of=class_of)
