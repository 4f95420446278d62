"""Click sets by classes of cells: how many clicks they need, and a climb to those that need many.

The click sets that toggle the same cells are a click set's sums with all combinations of quiet
patterns, and the clicks it needs are the size of the lightest.  Cells that lie on the same patterns
are interchangeable in this, so that only the number of clicks in each class of such cells counts.
"""

from dataclasses import dataclass
from itertools import count

import numpy as np
from numpy.typing import NDArray

from lightsanim.algebra.linear import Bits
from lightsanim.solve.outcome import Deadline

# The sizes of 2**22 sums take 16 MB, and one click more changes them in 20 ms.
MAX_PATTERNS = 22

# The climb ends after so many steps that led no higher.
PATIENCE = 200

# A class is left alone for fewer steps than this when its clicks have just changed.
REST = 8

# Of the lightest sums, how many are looked at to choose a step.
MAX_LIGHTEST = 4000

Counts = NDArray[np.int64]  # (classes,), how many cells of each class are clicked


@dataclass(frozen=True, kw_only=True, eq=False)
class Classes:
    """The cells of a part of the quiet patterns, taken together that lie on the same ones.

    Attributes:
        patterns: how many quiet patterns there are.
        columns: int64 (classes,), bit t says whether the cells lie on pattern t.
        sizes: int64 (classes,), how many cells each class has.
        class_of: int64 (cells,).
    """

    patterns: int
    columns: NDArray[np.int64]
    sizes: Counts
    class_of: NDArray[np.int64]

    def signs(self, combinations: NDArray[np.int64]) -> NDArray[np.int64]:
        """-1 where a class lies on an odd number of a combination's patterns, otherwise 1.

        Args:
            combinations: int64 (n,), bit t says whether pattern t is added.

        Returns:
            int64 (classes, n): what one click more adds to the sizes of the sums.
        """
        odd = np.bitwise_count(self.columns[:, None] & combinations) & 1
        signs: NDArray[np.int64] = 1 - 2 * odd.astype(np.int64)
        return signs

    def sums(self, counts: Counts) -> NDArray[np.int32]:
        """The sizes of a click set's sums with all combinations: int32 (2**patterns,).

        A sum's size is (cells - sum over the classes of (size - 2 count) sign) / 2: one
        Walsh-Hadamard transform gives all of them.

        >>> classes = classes_of(np.array([[True, True, False], [False, True, True]]))
        >>> classes.sums(classes.counts_of(np.array([True, False, False]))).tolist()
        [1, 1, 3, 1]
        """
        table = np.zeros(1 << self.patterns, np.int32)
        table[self.columns] = self.sizes - 2 * counts
        for bit in range(self.patterns):
            pairs = table.reshape(-1, 2, 1 << bit)
            pairs[:] = np.stack([pairs[:, 0] + pairs[:, 1], pairs[:, 0] - pairs[:, 1]], axis=1)
        return (len(self.class_of) - table) // 2

    def counts_of(self, clicks: Bits) -> Counts:
        """How many cells of each class are clicked.

        Args:
            clicks: bool (cells,).
        """
        return np.bincount(self.class_of[clicks], minlength=len(self.sizes)).astype(np.int64)

    def lightest(self, counts: Counts) -> Counts:
        """The counts of the lightest sum."""
        on = self.signs(np.array([self.sums(counts).argmin()]))[:, 0] < 0
        return np.where(on, self.sizes - counts, counts)

    def drawn(self, counts: Counts, rng: np.random.Generator) -> Bits:
        """A click set with so many clicks in each class, on cells that are drawn: bool (cells,)."""
        cells = rng.permutation(len(self.class_of))
        cells = cells[np.argsort(self.class_of[cells], kind="stable")]
        places = np.arange(len(cells)) - np.repeat(self.sizes.cumsum() - self.sizes, self.sizes)
        clicks = np.zeros(len(cells), bool)
        clicks[cells] = places < np.repeat(counts, self.sizes)
        return clicks


def classes_of(patterns: Bits) -> Classes:
    """The classes of the cells of some quiet patterns: bool (patterns, cells).

    >>> classes_of(np.array([[True, True, False, False], [False, True, True, True]])).sizes.tolist()
    [1, 2, 1]
    """
    columns = np.zeros(patterns.shape[1], np.int64)
    for bit, pattern in enumerate(patterns):
        columns |= pattern.astype(np.int64) << bit
    distinct, class_of, sizes = np.unique(columns, return_inverse=True, return_counts=True)
    return Classes(patterns=len(patterns), columns=distinct, sizes=sizes, class_of=class_of)


def balanced(classes: Classes, rng: np.random.Generator) -> Counts:
    """Half of each class, so that no combination gains by much; of odd ones one more if drawn.

    Clicks on cells that lie on no pattern can never be saved: these are clicked all.
    """
    halves = classes.sizes // 2 + classes.sizes % 2 * rng.integers(0, 2, len(classes.sizes))
    return np.where(classes.columns == 0, classes.sizes, halves)


def climb(
    classes: Classes, start: Counts, wanted: int, rng: np.random.Generator, deadline: Deadline
) -> Counts:
    """Counts whose lightest sum has ``wanted`` clicks, or the most that were met.

    A click is added or taken away, so that the lightest sum becomes as heavy as it can, and as few
    others as can be are as light.  A tabu search (Glover, 1986): steps down are taken too, and what
    was just changed rests.
    """
    counts, sums = start.copy(), classes.sums(start)
    best, highest, vain = start, int(sums.min()), 0
    resting = np.zeros(len(start), np.int64)
    everything = np.arange(len(sums))
    for step in count():
        if highest >= wanted or vain == PATIENCE or deadline.expired:
            break
        prospects = _prospects(classes, counts, sums) + rng.random((2, len(start))) / 2
        prospects[:, resting > step] -= np.iinfo(np.int64).max
        way, chosen = divmod(int(prospects.argmax()), len(start))
        change = 1 - 2 * way
        counts[chosen] += change
        odd = np.bitwise_count(everything & classes.columns[chosen]) & 1
        sums += np.where(odd, -change, change).astype(np.int32)
        resting[chosen] = step + rng.integers(2, REST)
        vain += 1
        if sums.min() > highest:
            best, highest, vain = counts.copy(), int(sums.min()), 0
    return best


def _prospects(classes: Classes, counts: Counts, sums: NDArray[np.int32]) -> NDArray[np.float64]:
    # How good it is to click one cell more, and one less, in each class: float64 (2, classes).
    lightest = sums.min()
    # No others can be the lightest after one step.
    near = np.flatnonzero(sums <= lightest + 1)
    near = near[np.argsort(sums[near], kind="stable")][:MAX_LIGHTEST]
    signs = classes.signs(near)
    prospects = np.full((2, len(counts)), -np.inf)
    for way, (change, possible) in enumerate([(1, counts < classes.sizes), (-1, counts > 0)]):
        after = sums[near] + change * signs[possible]
        lowest = after.min(axis=1)
        as_light = np.count_nonzero(after == lowest[:, None], axis=1)
        prospects[way, possible] = lowest * float(len(sums)) - as_light
    return prospects
