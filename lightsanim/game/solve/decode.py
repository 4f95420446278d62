"""Information-set decoding: find cheap solutions of problems too large for an exact search.

Choose random independent columns, as many as there are checks, and recombine the checks so that
these columns become unit vectors.  Any sum of other columns can then be completed to a solution:
the unit vectors correct the digits that remain wrong.  So look for sums of few other columns that
leave few digits wrong.  Then choose other columns.

On boards whose columns have a structure, sums of two columns and many choices find most.  Else more
columns do: sums of six, or with many checks of twelve.  They are found as two halves in two lists.
The first digits of a list's sums are those of an aim; the aims of both lists add up to the
syndrome.  A sorted table of pairs yields triples for an aim, and two lists of triples that agree in
further digits yield sums of six.  Halves that also match in a window of digits are tried; the other
digits are left to chance.

Source: Prange 1962; Stern 1988; Wagner, "A generalized birthday problem", CRYPTO 2002; Peters,
"Information-set decoding for linear codes over F_q", PQCrypto 2010.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import cycle

import numpy as np
from numpy.typing import NDArray

from lightsanim.game.algebra.digits import HASH_FACTOR, DigitPacking, Words
from lightsanim.game.algebra.modular import Indices, Residues
from lightsanim.system.deadline import Deadline, TimeUpError
from .cell_classes import ColumnClasses
from .class_costs import Costs, total_cost
from .status import OnProgress

Numbers = NDArray[np.integer]  # int32 or int64.

# Maximum number of columns that are combined, and of pairs in the table, which then takes 128 MB.
MAX_COLUMNS, MAX_PAIRS = 1 << 16, 1 << 24
# Bits of a table's entry that number two columns; the others hold the first digits of their sum.
NUMBER_BITS = 25
# For successive choices, the number of columns in the sums of a list, and whether lists are joined.
CHOICES = (2, True), (2, False), (3, True), (2, False)
# A choice makes and joins two lists once, and once more for each so many entries of its table.
PAIRS_PER_JOIN = 1 << 17
# With more bits of checks than this, the lists are of sums of six columns, unless there is less
# time than this, in seconds on a slow computer.
MAX_TRIPLE_BITS, MIN_SIXES_SECONDS = 80, 8
# Base 2 logarithm of the number of sums that a table yields for a list, and number of windows for
# each two lists: without and with sums of six columns.
LIST_BITS, WINDOWS = (19, 22), (8, 48)
# Maximum number of bytes of a list's sums; several lists of each search are in memory.
MAX_LIST_BYTES = 64_000_000
# Bits in which triples of a sum of six agree; a window has more bits than the list's logarithm.
TRIPLE_BITS, EXTRA_BITS = 21, 3
# Compute the exact cost of at most this many sums at a time: those that leave fewest digits wrong.
MAX_COSTED = 1000
# Maximum base 2 logarithm of the size of the table in which equal numbers are looked up.
MAX_TABLE_BITS = 23
# Number of sums that are added up or looked up at a time.
PART = 1 << 16
# Estimated seconds to choose columns on a slow computer: fixed part, and part per class * check.
CHOICE_SECONDS, COLUMN_SECONDS = 0.004, 1e-9
# Estimated seconds for each pair in the table, and for each looked up number or word of a sum.
TABLE_PAIR_SECONDS, ITEM_SECONDS = 4e-8, 1.5e-8


def particular_solution(classes: ColumnClasses, syndrome: Residues) -> Residues:
    """Find any multiples of the columns, uint8 (classes,), that add up to ``syndrome``."""
    digits = DigitPacking(classes.levels)
    chosen, recombination = _choose_columns(classes, np.random.default_rng(0))
    multiples = np.zeros(len(classes), np.uint8)
    combined = digits.multiply(digits.pack(syndrome[None]), recombination)
    multiples[chosen] = digits.unpack(combined, classes.pattern_count)[0]
    return multiples


def decode_syndrome(
    classes: ColumnClasses,
    costs: Costs,
    syndrome: Residues,
    start: Residues,
    bound: int,
    deadline: Deadline,
    on_progress: OnProgress = lambda best, bound: None,
) -> Residues:
    """Search for cheaper solutions than ``start`` until the time is up or the cost is ``bound``.

    ``costs`` is (classes, q), ``syndrome`` uint8 (checks,); ``start`` and the result are uint8
    (classes,).
    """
    rng, best, best_cost = np.random.default_rng(0), start, total_cost(costs, start)
    with suppress(TimeUpError):
        for terms, joined in cycle(CHOICES):
            if round(best_cost) <= bound or deadline.expired:
                break
            choice = _ColumnChoice(classes, costs, syndrome, terms, rng, deadline)
            for sums in choice.list_remainders(joined=joined):
                candidate = choice.cheapest_solution(sums, best_cost)
                if candidate is not None and total_cost(costs, candidate) < best_cost:
                    best, best_cost = candidate, total_cost(costs, candidate)
                    on_progress(round(best_cost), bound)
                if round(best_cost) <= bound or deadline.expired:
                    break
    return best


def _choose_columns(classes: ColumnClasses, rng: np.random.Generator) -> tuple[Indices, Residues]:
    # Draw independent columns; also return the matrix that turns them into unit vectors.
    order = rng.permutation(len(classes))
    chosen, inverted = DigitPacking(classes.levels).find_basis(
        classes.columns, order, classes.pattern_count
    )
    return chosen, np.ascontiguousarray(inverted.T)


@dataclass(frozen=True, eq=False)
class _Sums:
    """Sums of columns, or what they leave of another vector."""

    vectors: Words  # (words, sums)
    summands: Callable[[Numbers], Numbers]  # The columns of some of the sums, (columns, some).


class _ColumnChoice:
    """Independent columns, and the checks recombined so that these columns are unit vectors."""

    def __init__(
        self,
        classes: ColumnClasses,
        costs: Costs,
        syndrome: Residues,
        terms: int,
        rng: np.random.Generator,
        deadline: Deadline,
    ) -> None:
        digits = self.digits = DigitPacking(classes.levels)
        self.costs, self.checks = costs, classes.pattern_count
        self.rng, self.deadline = rng, deadline
        deadline.spend(CHOICE_SECONDS + COLUMN_SECONDS * len(classes) * self.checks)
        self.chosen, recombination = _choose_columns(classes, rng)
        self.syndrome = digits.multiply(digits.pack(syndrome[None]), recombination).T
        # Combine multiples of the other columns that cost 1, and a first column of zeros, so that a
        # sum may also consist of fewer columns.
        others = np.delete(np.arange(len(classes)), self.chosen)
        others = rng.permutation(others)[: MAX_COLUMNS // (digits.q - 1)]
        columns = digits.multiply(classes.columns[others], recombination, deadline.look)
        combined = np.rint(costs[others]) == 1
        combined[:1, 0] = True
        column, self.multiples = np.nonzero(combined)
        self.classes, multiples = others[column], np.array(digits.list_multiples(columns))
        self.columns = np.ascontiguousarray(multiples[self.multiples, column].T)
        # Choose in how many digits a list's sums equal their aim, so that it has the right size.
        size = max(2, len(self.classes))
        self.column_bits = (size - 1).bit_length()
        self.sixes = (
            terms == 3
            and self.checks * math.log2(digits.q) > MAX_TRIPLE_BITS
            and deadline.work_left > MIN_SIXES_SECONDS
        )
        self.distances = range(1, 1 + min(size - 1, MAX_PAIRS // size)) if terms == 3 else range(1)
        list_bits = min(LIST_BITS[self.sixes], 2 * math.log2(size))
        self.aim_digits = self._digits_of(math.log2(size**2 * len(self.distances)) - list_bits, 0)

    def list_remainders(self, *, joined: bool) -> Iterator[_Sums]:
        """Yield what sums of a list, and if ``joined`` of two lists, leave of the syndrome."""
        if not len(self.classes):
            return
        yield self._less(self.syndrome, self._list_sums(self.syndrome))
        if joined:
            for _ in range(1 + len(self._table) // PAIRS_PER_JOIN):
                yield from self._join_lists()

    def cheapest_solution(self, remainders: _Sums, limit: float) -> Residues | None:
        """Complete sums to solutions, uint8 (classes,); return the cheapest, if any is cheap."""
        # Estimate costs: each wrong digit costs at least 1 to correct, with two levels exactly 1.
        wrong = self.digits.count_nonzero(remainders.vectors.T)
        near = np.flatnonzero(wrong <= limit)
        if not len(near):
            return None
        if len(near) > MAX_COSTED:
            near = near[np.argpartition(wrong[near], MAX_COSTED)[:MAX_COSTED]]
        columns = remainders.summands(near)
        left = np.ascontiguousarray(remainders.vectors[:, near].T)
        values = self.digits.unpack(left, self.checks)
        cost = self.costs[self.chosen, values].sum(axis=1)
        cost += self.costs[self.classes[columns], self.multiples[columns]].sum(axis=0)
        cheapest = int(cost.argmin())
        solution, columns = np.zeros(len(self.costs), np.uint8), columns[:, cheapest]
        solution[self.chosen] = values[cheapest]
        # A class may occur several times, so use np.add.at.
        np.add.at(solution, self.classes[columns], self.multiples[columns].astype(np.uint8))
        return solution % np.uint8(self.digits.q)

    def _join_lists(self) -> Iterator[_Sums]:
        # Yield what sums of a sum from each of two lists leave of the syndrome.
        list_sums, first = (self._list_sums, self.aim_digits)
        if self.sixes:
            list_sums, first = self._list_sixes, first + self._digits_of(TRIPLE_BITS, first)
        aim = self._draw_sum()
        ours = list_sums(aim)
        theirs = self._less(self.syndrome, list_sums(self.digits.subtract(self.syndrome, aim)))
        # A window consists of two halves, so that any two windows share few digits.
        half = self._digits_of((math.log2(1 + ours.vectors.shape[1]) + EXTRA_BITS) / 2, first)
        half = min(half, (self.checks - first) // 2)
        starts = self.rng.integers(first, self.checks - 2 * half + 1, (WINDOWS[self.sixes], 2))
        for one, other in np.unique(np.sort(starts), axis=0).tolist():
            yield self._join(ours, theirs, (one, other + half), half)

    def _list_sixes(self, aim: Words) -> _Sums:
        # List sums of six columns by their first digits and by `TRIPLE_BITS` further bits.
        half = self._draw_sum()
        ours = self._list_sums(half)
        theirs = self._less(aim, self._list_sums(self.digits.subtract(aim, half)))
        further = self._digits_of(TRIPLE_BITS, self.aim_digits)
        return self._less(aim, self._join(ours, theirs, (self.aim_digits,), further))

    def _list_sums(self, aim: Words) -> _Sums:
        # List sums of columns whose first digits are those of ``aim``, (words, 1): add to each
        # column the sums in the table whose first digits are what it leaves.
        self.deadline.look()
        needed = self.digits.subtract(aim[0], self.columns[0])
        needed &= self.digits.first_digits_mask(self.aim_digits)
        order = np.argsort(needed)
        edges = np.add.outer(needed[order], np.arange(2, dtype=np.uint64)) << np.uint64(NUMBER_BITS)
        start, end = np.searchsorted(self._table, edges.ravel()).reshape(-1, 2).T
        counts = end - start
        most = min(4 << LIST_BITS[self.sixes], MAX_LIST_BYTES // (8 * len(self.columns)))
        counts[counts.cumsum() > most] = 0
        positions = np.repeat(start - counts.cumsum() + counts, counts)
        positions += np.arange(len(positions))
        numbers = self._table[positions] & np.uint64((1 << NUMBER_BITS) - 1)
        items = np.empty((3, len(numbers)), np.int32)
        distance = (numbers >> np.uint64(self.column_bits)).astype(np.int32)
        items[0] = numbers & np.uint64((1 << self.column_bits) - 1)
        items[1:] = (items[0] + distance) * (distance > 0), np.repeat(order, counts)
        return self._add_columns(items)

    @cached_property
    def _table(self) -> Words:
        # Columns, or pairs of columns, sorted by the first digits of their sums.  An entry consists
        # of these digits, the distance between the columns, and the first column.  Distance 0
        # stands for the first column alone.
        self.deadline.spend(TABLE_PAIR_SECONDS * len(self.classes) * len(self.distances))
        low = self.columns[0] & self.digits.first_digits_mask(self.aim_digits)
        numbers, counts = np.arange(len(low), dtype=np.uint64), len(low) - np.array(self.distances)
        table = np.empty(counts.sum(), np.uint64)
        parts = np.split(table, counts[:-1].cumsum())
        for distance, entries in zip(self.distances, parts, strict=True):
            second = low[distance:] if distance else low[:1]
            entries[:] = self.digits.add(low[: len(entries)], second) << np.uint64(NUMBER_BITS)
            entries |= numbers[: len(entries)] + np.uint64(distance << self.column_bits)
        table.sort()
        return table

    def _add_columns(self, items: Numbers) -> _Sums:
        # Add up columns, given as (columns, sums).
        self.deadline.spend(ITEM_SECONDS * items.shape[1] * (1 + len(self.columns)))
        sums = np.empty((len(self.columns), items.shape[1]), np.uint64)
        for part in _parts(items.shape[1]):
            for word, total in zip(self.columns, sums, strict=True):
                total[part] = reduce(self.digits.add, (word[numbers[part]] for numbers in items))
        return _Sums(sums, lambda some: items[:, some])

    def _less(self, total: Words, sums: _Sums) -> _Sums:
        # Replace sums by what they leave of ``total``, (words, 1), in place to save memory.
        for part in _parts(sums.vectors.shape[1]):
            sums.vectors[:, part] = self.digits.subtract(total, sums.vectors[:, part])
        return sums

    def _draw_sum(self) -> Words:
        # Return the sum of some random columns, (words, 1).
        return self._add_columns(self.rng.integers(len(self.classes), size=(3, 1))).vectors

    def _digits_of(self, bits: float, first: int) -> int:
        # Return how many digits from ``first`` on have about so many bits.
        needed = max(0, round(bits / math.log2(self.digits.q)))
        return min(needed, self.digits.digits_per_word, self.checks - first)

    def _read_digits(self, vectors: Words, first: int, count: int) -> Words:
        # Return some consecutive digits of each vector, (words, vectors), as a number.
        width = self.digits.bits_per_digit
        word, slot = divmod(first, self.digits.digits_per_word)
        read: Words = vectors[word] >> np.uint64(width * slot)
        missing = slot + count - self.digits.digits_per_word
        if missing > 0:
            read |= vectors[word + 1] << np.uint64(width * (count - missing))
        read &= self.digits.first_digits_mask(count)
        return read

    def _join(self, ours: _Sums, rest: _Sums, starts: Iterable[int], count: int) -> _Sums:
        # Return many differences ``rest`` - ``ours`` that are 0 in ``count`` digits from each of
        # ``starts``; a few others are among them.  A table's entry holds a number from ``ours`` in
        # its low bits; its other bits, and its place, are bits of the hash of these digits.
        self.deadline.look()
        sizes = ours.vectors.shape[1], rest.vectors.shape[1]
        table_bits = min(MAX_TABLE_BITS, sizes[0].bit_length() + 1)
        width = self.digits.bits_per_digit * count
        mask = np.uint32((1 << sizes[0].bit_length()) - 1)
        table = np.zeros(1 << table_bits, np.uint32)

        def hash_windows(vectors: Words) -> tuple[Numbers, NDArray[np.uint32]]:
            hashes = np.zeros(vectors.shape[1], np.uint64)
            for start in starts:
                hashes <<= np.uint64(width)
                hashes |= self._read_digits(vectors, start, count)
            hashes *= HASH_FACTOR
            hashes >>= np.uint64(32 - table_bits)
            return (hashes >> np.uint64(32)).view(np.int64), hashes.astype(np.uint32)

        for part in _parts(sizes[0]):
            places, entries = hash_windows(ours.vectors[:, part])
            entries &= ~mask
            entries |= np.arange(part.start, part.stop, dtype=np.uint32)
            table[places] = entries
        pairs = [np.zeros((2, 0), np.int32)]
        for part in _parts(sizes[1] if sizes[0] else 0):
            places, entries = hash_windows(rest.vectors[:, part])
            entries ^= table[places]
            j = np.flatnonzero(entries <= mask)
            pairs.append(np.array([table[places[j]] & mask, part.start + j], np.int32))
        i, j = np.concatenate(pairs, axis=1)
        self.deadline.spend(ITEM_SECONDS * (sum(sizes) + 2 * len(self.columns) * len(i)))
        vectors = np.empty((len(self.columns), len(i)), np.uint64)
        for left, mine, others in zip(vectors, ours.vectors, rest.vectors, strict=True):
            left[:] = self.digits.subtract(others[j], mine[i])
        first_of, second_of = ours.summands, rest.summands  # do not keep all vectors in memory
        return _Sums(vectors, lambda some: np.vstack([first_of(i[some]), second_of(j[some])]))


def _parts(count: int) -> Iterator[slice]:
    # Split a range into parts that fit into a processor's cache.
    return (slice(k, min(count, k + PART)) for k in range(0, count, PART))
