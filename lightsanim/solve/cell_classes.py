"""Click sets by classes of cells: how many clicks their sums with quiet patterns have.

The click sets that toggle the same cells are a click set's sums with all combinations of quiet
patterns.  Cells that lie on the same patterns are interchangeable in this, so that only the number
of clicks in each class of such cells counts.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lightsanim.algebra.linear import Bits
from lightsanim.solve.components import Component

Counts = NDArray[np.int64]  # (classes,), how many cells of each class are clicked


@dataclass(frozen=True, kw_only=True, eq=False)
class Classes:
    """The cells of some quiet patterns, taken together that lie on the same ones."""

    patterns: int  # how many quiet patterns there are
    columns: NDArray[np.int64]  # int64 (classes,), bit t says whether the cells lie on pattern t
    sizes: Counts  # int64 (classes,), how many cells each class has
    class_of: NDArray[np.int64]  # int64 (cells,)

    def signs(self, combinations: NDArray[np.int64]) -> NDArray[np.int64]:
        """What one click more adds to the sizes of the sums with some combinations.

        -1 where a class lies on an odd number of a combination's patterns, otherwise 1: int64
        (classes, combinations).  Bit t of a combination says whether pattern t is added.
        """
        odd = np.bitwise_count(self.columns[:, None] & combinations) & 1
        signs: NDArray[np.int64] = 1 - 2 * odd.astype(np.int64)
        return signs

    def sums(self, counts: Counts) -> NDArray[np.int32]:
        """The sizes of a click set's sums with all combinations: int32 (2**patterns,).

        A sum's size is (cells - sum over the classes of (size - 2 count) sign) / 2: one
        Walsh-Hadamard transform gives all of them.

        >>> from lightsanim.board.board import Board
        >>> from lightsanim.solve.components import patterns_of
        >>> classes = classes_of(patterns_of(Board(5, 5)))
        >>> classes.sums(classes.counts_of(np.eye(5, dtype=bool).ravel())).tolist()
        [5, 21, 13, 13]
        """
        table = np.zeros(1 << self.patterns, np.int32)
        table[self.columns] = self.sizes - 2 * counts
        for bit in range(self.patterns):
            pairs = table.reshape(-1, 2, 1 << bit)
            pairs[:] = np.stack([pairs[:, 0] + pairs[:, 1], pairs[:, 0] - pairs[:, 1]], axis=1)
        return (len(self.class_of) - table) // 2

    def counts_of(self, clicks: Bits) -> Counts:
        """How many cells of each class a click set, bool (cells,), clicks."""
        return np.bincount(self.class_of[clicks], minlength=len(self.sizes)).astype(np.int64)

    def lightest(self, counts: Counts) -> Counts:
        """The counts of the lightest sum."""
        on = self.signs(np.array([self.sums(counts).argmin()]))[:, 0] < 0
        return np.where(on, self.sizes - counts, counts)

    def drawn(self, counts: Counts, rng: np.random.Generator) -> Bits:
        """A click set with these counts, on cells that are drawn.

        Returns bool (cells,).
        """
        cells = rng.permutation(len(self.class_of))
        cells = cells[np.argsort(self.class_of[cells], kind="stable")]
        places = np.arange(len(cells)) - np.repeat(self.sizes.cumsum() - self.sizes, self.sizes)
        clicks = np.zeros(len(cells), bool)
        clicks[cells] = places < np.repeat(counts, self.sizes)
        return clicks


def classes_of(component: Component) -> Classes:
    """The classes of a component's cells; it has 64 quiet patterns at most.

    >>> from lightsanim.board.board import Board
    >>> from lightsanim.solve.components import patterns_of
    >>> classes_of(patterns_of(Board(5, 5))).sizes.tolist()  # on none, either of two, or both
    [5, 8, 4, 8]
    """
    columns = component.columns()[:, 0].view(np.int64)
    distinct, class_of, sizes = np.unique(columns, return_inverse=True, return_counts=True)
    return Classes(patterns=len(component), columns=distinct, sizes=sizes, class_of=class_of)
