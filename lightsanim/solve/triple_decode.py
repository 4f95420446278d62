"""Cheap solutions of large problems over GF(2), as sums of triples of columns.

As in `decode`, independent columns become unit vectors, so that unit vectors complete any sum of
other columns to a solution, one for each bit that is wrong.  Here this choice stays; what varies is
an aim, which the first bits of the sum of three columns must equal.  A sorted table of pairs of
columns yields many triples for an aim, and as many for what the aim leaves of the syndrome.  With
many checks, triples that agree in further bits are paired to sums of six.  Of two such lists, sums
that agree in a window of bits are tried; the other bits are left to chance.

Source: Wagner, "A generalized birthday problem", CRYPTO 2002.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lightsanim.algebra.digits import DigitPacking, Words
from lightsanim.algebra.modular import Indices, Residues
from lightsanim.solve.cell_classes import ColumnClasses
from lightsanim.solve.class_costs import Costs, total_cost
from lightsanim.solve.decode import choose_columns
from lightsanim.system.deadline import Deadline, TimeUpError

# Maximum number of pairs in the table, which then takes 128 MB.
MAX_PAIRS = 1 << 24
# With more checks than this, the lists consist of sums of six columns.
MAX_TRIPLE_CHECKS = 80
# With less time than this, in seconds on a slow computer, the lists are of triples in any case.
MIN_SIXES_SECONDS = 8
# Base 2 logarithms of the number of triples in a list, for lists of triples and of sums of six.
LIST_BITS = 19, 22
# Bits in which triples of a sum of six agree; a window has more than the lists' logarithm.
PAIR_BITS, EXTRA_BITS = 21, 4
# Number of windows for each two lists, of triples and of sums of six.
WINDOWS = 4, 48
# Number of candidates of a window, those with the fewest wrong bits, whose exact cost is computed.
MAX_COSTED = 8
# Base 2 logarithm of the size of the table in which equal numbers are looked up.
TABLE_BITS = 23
# Estimated seconds on a slow computer: for each pair in the table of pairs; for each number that is
# looked up, and for each triple and each word of its sum, in lists of triples and for sums of six.
PAIR_SECONDS, ITEM_SECONDS = 8e-8, (2.5e-8, 1.5e-8)


@dataclass(frozen=True, eq=False)
class _Sums:
    """Sums of three or six columns."""

    vectors: Words  # The sums, (words, sums).
    # Returns the numbers of the classes whose columns add up to a sum.
    classes_of: Callable[[int], NDArray[np.integer]]


def _read_bits(vectors: Words, first: int, count: int) -> Words:
    # Return some consecutive bits of each vector as a number; ``vectors`` is (words, vectors).
    word, shift = divmod(first, 64)
    bits: Words = vectors[word] >> np.uint64(shift)
    if shift + count > 64:
        bits |= vectors[word + 1] << np.uint64(64 - shift)
    bits &= np.uint64((1 << count) - 1)
    return bits


class _TripleSearch:
    """The lists of triples and sums of six, for one choice of columns that are unit vectors."""

    def __init__(self, classes: ColumnClasses, syndrome: Residues, deadline: Deadline) -> None:
        digits = DigitPacking(2)
        self.rng, self.deadline = np.random.default_rng(0), deadline
        self.count, self.checks = len(classes), classes.pattern_count
        self.chosen, recombination = choose_columns(classes, self.rng)
        columns = digits.multiply(classes.columns, recombination, deadline.look)
        self.columns = np.ascontiguousarray(columns.T)  # (words, classes), in recombined checks.
        self.syndrome = digits.multiply(digits.pack(syndrome[None]), recombination).T
        pairs_in_time = int(deadline.work_left / PAIR_SECONDS / 4)
        distances = min(self.count // 2, MAX_PAIRS // self.count, pairs_in_time // self.count)
        distances = max(1, distances)
        self.sixes = self.checks > MAX_TRIPLE_CHECKS and deadline.work_left > MIN_SIXES_SECONDS
        self.list_bits = LIST_BITS[self.sixes]
        self.aim_bits = max(1, round(np.log2(self.count**2 * distances)) - self.list_bits)
        self.low = self.columns[0] & np.uint64((1 << self.aim_bits) - 1)
        # A pair is packed as the sum of the first bits, and the numbers of both columns.
        deadline.spend(PAIR_SECONDS * self.count * distances)
        self.shift = np.uint64((self.count - 1).bit_length())
        numbers, pairs = np.arange(self.count, dtype=np.uint64), []
        for distance in range(1, distances + 1):
            sums = self.low ^ np.roll(self.low, distance)
            pairs.append((sums << self.shift | numbers) << self.shift | np.roll(numbers, distance))
        self.pairs = np.concatenate(pairs)
        self.pairs.sort()
        sums = np.arange((1 << self.aim_bits) + 1, dtype=np.uint64)
        self.starts = np.searchsorted(self.pairs, sums << self.shift << self.shift)

    def list_triples(self, aim: int) -> _Sums:
        """List triples of columns whose first bits add up to ``aim``."""
        self.deadline.look()
        keys = (self.low ^ np.uint64(aim)).astype(np.int64)
        end = self.starts[keys + 1]
        counts = end - self.starts[keys]
        total = int(counts.sum())
        self.deadline.spend(ITEM_SECONDS[self.sixes] * total * (1 + len(self.columns)))
        positions = np.arange(total)
        positions += np.repeat(end - np.cumsum(counts), counts)
        pairs = self.pairs[positions]
        items = np.empty((3, total), np.int32)
        items[0] = pairs >> self.shift & (np.uint64(1) << self.shift) - np.uint64(1)
        items[1] = pairs & (np.uint64(1) << self.shift) - np.uint64(1)
        items[2] = np.repeat(np.arange(self.count), counts)
        vectors = np.empty((len(self.columns), total), np.uint64)
        for vector, column in zip(vectors, self.columns, strict=True):
            np.bitwise_xor(column[items[0]], column[items[1]], out=vector)
            vector ^= column[items[2]]
        return _Sums(vectors, lambda number: items[:, number])

    def list_sixes(self, aim: int, further: int) -> _Sums:
        """List sums of six columns by their first bits and by ``PAIR_BITS`` further ones."""
        half = int(self.rng.integers(1 << self.aim_bits))
        ours, theirs = self.list_triples(half), self.list_triples(half ^ aim)
        i, j = self.match(
            _read_bits(ours.vectors, self.aim_bits, PAIR_BITS),
            _read_bits(theirs.vectors, self.aim_bits, PAIR_BITS) ^ np.uint64(further),
        )
        vectors = np.stack([a[i] ^ b[j] for a, b in zip(ours.vectors, theirs.vectors, strict=True)])
        return _Sums(
            vectors, lambda n: np.append(ours.classes_of(int(i[n])), theirs.classes_of(int(j[n])))
        )

    def match(self, ours: Words, theirs: Words) -> tuple[Indices, Indices]:
        """Return many pairs of equal numbers, by a table of our numbers by their last bits."""
        self.deadline.look()
        self.deadline.spend(ITEM_SECONDS[self.sixes] * (len(ours) + len(theirs)))
        numbers = np.zeros(1 << TABLE_BITS, np.int64)
        mask = np.uint64((1 << TABLE_BITS) - 1)
        numbers[(ours & mask).view(np.int64)] = np.arange(len(ours))
        i = numbers[(theirs & mask).view(np.int64)]
        j = np.flatnonzero(ours[i] == theirs)
        return i[j], j

    def find_candidates(self, cost: float) -> Iterator[Residues]:
        """Yield solutions, uint8 (classes,), of at most this cost, for one aim."""
        aim = int(self.rng.integers(1 << self.aim_bits))
        rest, first = aim ^ int(_read_bits(self.syndrome, 0, self.aim_bits)[0]), self.aim_bits
        if not self.sixes:
            ours, theirs = self.list_triples(aim), self.list_triples(rest)
        else:
            further = int(self.rng.integers(1 << PAIR_BITS))
            ours = self.list_sixes(aim, further)
            further ^= int(_read_bits(self.syndrome, first, PAIR_BITS)[0])
            theirs, first = self.list_sixes(rest, further), first + PAIR_BITS
        np.bitwise_xor(theirs.vectors, self.syndrome, out=theirs.vectors)
        column_count = 12 if self.sixes else 6
        bits = min(self.list_bits + EXTRA_BITS, self.checks - first)
        last = self.checks - bits
        for start in self.rng.integers(first, last + 1, size=WINDOWS[self.sixes]).tolist():
            our_bits, their_bits = (_read_bits(s.vectors, start, bits) for s in (ours, theirs))
            i, j = self.match(our_bits, their_bits)
            left = ours.vectors[:, i] ^ theirs.vectors[:, j]
            weights = np.bitwise_count(left).sum(axis=0, dtype=np.int64) + column_count
            near = np.flatnonzero(weights <= cost)
            for n in near[np.argsort(weights[near], kind="stable")[:MAX_COSTED]]:
                multiples = np.zeros(self.count, np.uint8)
                np.add.at(multiples, ours.classes_of(int(i[n])), 1)
                np.add.at(multiples, theirs.classes_of(int(j[n])), 1)
                multiples[self.chosen] += DigitPacking(2).unpack(left[:, n].copy(), self.checks)
                multiples &= 1
                yield multiples


def decode_by_triples(
    classes: ColumnClasses,
    costs: Costs,
    syndrome: Residues,
    start: Residues,
    deadline: Deadline,
    on_better: Callable[[int], None] = lambda cost: None,
) -> Residues:
    """Improve the solution ``start`` until the time is up; see `decode_syndrome`."""
    best, best_cost = start, total_cost(costs, start)
    with suppress(TimeUpError):
        search = _TripleSearch(classes, syndrome, deadline)
        while not deadline.expired:
            for candidate in search.find_candidates(best_cost):
                if total_cost(costs, candidate) < best_cost:
                    best, best_cost = candidate, total_cost(costs, candidate)
                    on_better(round(best_cost))
    return best
