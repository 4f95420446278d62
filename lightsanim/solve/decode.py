"""Information-set decoding: find cheap solutions of problems too large for an exact search.

Choose random independent columns, as many as there are checks, and recombine the checks so that
these columns become unit vectors.  Any few multiples of other columns can then be completed to a
solution: the unit vectors correct the digits that remain wrong.  So look for one, two or four other
columns that leave few digits wrong.  Pairs and 4-tuples are chosen to match in some digits, as in
the generalised birthday problem; the other digits are left to chance.  Then choose other columns.

Source: Prange 1962; Stern 1988; Wagner, "A generalized birthday problem", CRYPTO 2002; Peters,
"Information-set decoding for linear codes over F_q", PQCrypto 2010.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from lightsanim.algebra.digits import DigitPacking, Words
from lightsanim.algebra.modular import Indices, Residues
from lightsanim.solve.cell_classes import ColumnClasses
from lightsanim.solve.class_costs import Costs, total_cost
from lightsanim.system.deadline import Deadline, TimeUpError

# Approximate number of pairs, and also of 4-tuples, that are tried for each choice of columns.
CANDIDATES = 1 << 20
# Try 4-tuples only if they match in at least this many bits more than pairs do; otherwise a new
# choice of columns finds as much in less time.
MIN_EXTRA_BITS = 14
# Compute the exact cost of at most this many candidates: those with the lowest estimates.
MAX_COSTED = 4096
# Number of keys that are looked up between two checks of the clock.
CHUNK_KEYS = 1 << 15
# Estimated seconds to choose columns on a slow computer: fixed part, and part per class * check.
CHOICE_SECONDS, COLUMN_SECONDS = 0.01, 5e-9
# Seconds per candidate of 0, 1, 2 or 4 one-word columns; each further word adds a third.
CANDIDATE_SECONDS = {0: 0.0, 1: 1e-7, 2: 1e-7, 4: 6e-7}


def particular_solution(classes: ColumnClasses, syndrome: Residues) -> Residues:
    """Find any multiples of the columns, uint8 (classes,), that add up to ``syndrome``."""
    digits = DigitPacking(classes.levels)
    chosen, recombination = choose_columns(classes, np.random.default_rng(0))
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
    on_better: Callable[[int], None] = lambda cost: None,
) -> Residues:
    """Search for cheaper solutions than ``start`` until the time is up or the cost is ``bound``.

    ``costs`` is (classes, q), ``syndrome`` uint8 (checks,); ``start`` and the result are uint8
    (classes,).
    """
    rng, best, best_cost = np.random.default_rng(0), start, total_cost(costs, start)
    with suppress(TimeUpError):
        while round(best_cost) > bound and not deadline.expired:
            deadline.spend(CHOICE_SECONDS + COLUMN_SECONDS * len(classes) * classes.pattern_count)
            choice = _make_column_choice(classes, costs, syndrome, rng, deadline)
            for rows, sums in choice.make_candidates(rng, round(best_cost)):
                words = (2 + sums.shape[1]) / 3
                deadline.spend(CANDIDATE_SECONDS[rows.shape[1]] * len(rows) * words)
                candidate = choice.cheapest_candidate(rows, sums, round(best_cost))
                if candidate is not None and total_cost(costs, candidate) < best_cost:
                    best, best_cost = candidate, total_cost(costs, candidate)
                    on_better(round(best_cost))
                if round(best_cost) == bound or deadline.expired:
                    break
    return best


@dataclass(frozen=True, kw_only=True, eq=False)
class _ColumnChoice:
    """Independent columns, and the checks recombined so that these columns are unit vectors."""

    costs: Costs
    chosen: Indices  # Class numbers of the independent columns, int (checks,).
    other_classes: Indices  # Class numbers of all other columns, int (others,).
    multiples: Residues  # A random nonzero multiple for each other column, uint8 (others,).
    vectors: Words  # These multiples of the other columns in recombined checks, (others, words).
    syndrome: Words  # The syndrome in recombined checks, (words,).
    digits: DigitPacking
    deadline: Deadline

    def cheapest_candidate(self, rows: Indices, sums: Words, limit: int) -> Residues | None:
        """Complete candidates to solutions; return the cheapest, if any may beat ``limit``."""
        # Estimate costs: each wrong digit costs at least 1 to correct, with two levels exactly 1.
        left = self.digits.subtract(self.syndrome, sums)
        other_costs = self.costs[self.other_classes[rows], self.multiples[rows]].sum(axis=1)
        costs = self.digits.count_nonzero(left) + np.rint(other_costs).astype(np.int64)
        near = np.flatnonzero(costs < limit)
        if not len(near):
            return None
        if len(near) > MAX_COSTED:
            near = near[np.argpartition(costs[near], MAX_COSTED)[:MAX_COSTED]]
        values = self.digits.unpack(left[near], len(self.chosen))
        cheapest = int((other_costs[near] + self.costs[self.chosen, values].sum(axis=1)).argmin())
        multiples = np.zeros(len(self.costs), np.uint8)
        multiples[self.chosen] = values[cheapest]
        summands = rows[near[cheapest]]  # may repeat a column, so use np.add.at
        np.add.at(multiples, self.other_classes[summands], self.multiples[summands])
        return multiples % np.uint8(self.digits.q)

    def make_candidates(
        self, rng: np.random.Generator, cost: int
    ) -> Iterator[tuple[Indices, Words]]:
        """Yield candidates: groups of 0, 1, 2 or 4 columns, (groups, size), and their sums."""
        yield np.zeros((1, 0), np.int64), np.zeros((1, len(self.syndrome)), np.uint64)
        count = len(self.vectors)
        if not count:
            return
        yield np.arange(count)[:, None], self.vectors
        pair_digits, four_digits = self._choose_matching_digits()
        mask = self.digits.first_digits_mask(pair_digits)
        yield self._sum_pairs(mask, self.syndrome[0] & mask)
        if cost > 4 and (four_digits - pair_digits) * math.log2(self.digits.q) >= MIN_EXTRA_BITS:
            yield self._sum_quadruples(mask, self.digits.first_digits_mask(four_digits), rng)

    def _choose_matching_digits(self) -> tuple[int, int]:
        # Return in how many digits pairs and 4-tuples must match so that `CANDIDATES` are left.
        pairs, base = len(self.vectors) ** 2 / 2, math.log(self.digits.q)
        pair_digits = max(0, round(math.log(max(1, pairs) / CANDIDATES) / base))
        expected = pairs / self.digits.q**pair_digits
        four_digits = pair_digits + max(0, round(math.log(max(1, expected**2 / CANDIDATES)) / base))
        return pair_digits, min(four_digits, self.digits.digits_per_word)

    def _sum_quadruples(
        self, mask: np.uint64, all_digits: np.uint64, rng: np.random.Generator
    ) -> tuple[Indices, Words]:
        # Combine two lists of pairs to 4-tuples.  The keys of the lists add up to the syndrome's
        # key; the sums of two combined pairs must match the syndrome in further digits, too.
        digits, aim = self.digits, self.syndrome[0]
        half = self.vectors[rng.integers(len(self.vectors)), 0] & mask
        rest = digits.subtract(aim, half) & mask
        (ours, sums), (theirs, their_sums) = (self._sum_pairs(mask, key) for key in (half, rest))
        needed = digits.subtract(aim, their_sums[:, 0]) & all_digits
        return _concatenate_candidates(
            (np.hstack([ours[first], theirs[second]]), digits.add(sums[first], their_sums[second]))
            for first, second in _find_equal_words(sums[:, 0] & all_digits, needed, self.deadline)
        )

    def _sum_pairs(self, mask: np.uint64, total: Words | np.uint64) -> tuple[Indices, Words]:
        # Return the pairs, (pairs, 2), of columns whose keys add up to ``total``, and their sums.
        keys = self.vectors[:, 0] & mask
        matching = _find_equal_words(keys, self.digits.subtract(total, keys) & mask, self.deadline)
        rising = ((first[first < second], second[first < second]) for first, second in matching)
        add, vectors = self.digits.add, self.vectors
        return _concatenate_candidates(
            (np.column_stack([first, second]), add(vectors[first], vectors[second]))
            for first, second in rising
        )


def _make_column_choice(
    classes: ColumnClasses,
    costs: Costs,
    syndrome: Residues,
    rng: np.random.Generator,
    deadline: Deadline,
) -> _ColumnChoice:
    digits = DigitPacking(classes.levels)
    chosen, recombination = choose_columns(classes, rng)
    other_classes = np.delete(np.arange(len(classes)), chosen)
    columns = digits.multiply(classes.columns[other_classes], recombination, deadline.look)
    multiples, vectors = rng.integers(1, digits.q, len(other_classes), np.uint8), columns
    for multiple in range(2, digits.q):
        unfinished = multiples >= multiple
        vectors = np.where(unfinished[:, None], digits.add(vectors, columns), vectors)
    return _ColumnChoice(
        costs=costs,
        chosen=chosen,
        other_classes=other_classes,
        multiples=multiples,
        vectors=vectors,
        syndrome=digits.multiply(digits.pack(syndrome[None]), recombination)[0],
        digits=digits,
        deadline=deadline,
    )


def choose_columns(classes: ColumnClasses, rng: np.random.Generator) -> tuple[Indices, Residues]:
    """Draw independent columns; also return the matrix that turns them into unit vectors."""
    order = rng.permutation(len(classes))
    chosen, inverted = DigitPacking(classes.levels).find_basis(
        classes.columns, order, classes.pattern_count
    )
    return chosen, np.ascontiguousarray(inverted.T)


def _concatenate_candidates(parts: Iterable[tuple[Indices, Words]]) -> tuple[Indices, Words]:
    rows, sums = zip(*parts, strict=True)
    return np.concatenate(rows), np.concatenate(sums)


def _find_equal_words(
    ours: Words, theirs: Words, deadline: Deadline
) -> Iterator[tuple[Indices, Indices]]:
    # Yield in parts the pairs with ours[first] == theirs[second], at most 4 * `CANDIDATES`.
    # Look up ascending keys: this is faster, as it reads memory in order.
    order = _stable_argsort(theirs, deadline)
    sorted_keys, pair_count = theirs[order], 0
    for first_key in range(0, max(1, len(ours)), CHUNK_KEYS):
        deadline.look()
        positions = np.arange(first_key, min(first_key + CHUNK_KEYS, len(ours)))
        keys = ours[positions]
        by_key = np.argsort(keys)
        start, end = np.empty((2, len(keys)), np.intp)
        start[by_key] = np.searchsorted(sorted_keys, keys[by_key], "left")
        end[by_key] = np.searchsorted(sorted_keys, keys[by_key], "right")
        counts = end - start
        running_count = pair_count + np.cumsum(counts)
        pair_count += int(counts.sum())
        counts[running_count > 4 * CANDIDATES] = 0
        first = np.repeat(positions, counts)
        offsets = np.arange(len(first)) - np.repeat(np.cumsum(counts) - counts, counts)
        yield first, order[np.repeat(start, counts) + offsets]


def _stable_argsort(keys: Words, deadline: Deadline) -> Indices:
    # Radix sort by 16 bits at a time: numpy sorts 16-bit keys much faster than 64-bit keys.
    order = np.arange(len(keys))
    for shift in range(0, int(keys.max(initial=0)).bit_length(), 16):
        deadline.look()
        digits = (keys[order] >> np.uint64(shift)).astype(np.uint16)
        order = order[np.argsort(digits, kind="stable")]
    return order
