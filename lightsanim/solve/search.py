"""The cheapest multiples of columns that add up to a syndrome, over GF(q).

A solution takes a multiple of some classes' columns, each at its cost, which are whole numbers but
for what decides between equals; with two levels each costs 1.  The cheapest solution takes few:
with two levels about the smallest w with ``binomial(classes, w) >= 2**nullity``.  So solutions are
looked for cost by cost: one multiple (found by its column), two (by what the one leaves for the
other), three (by what all pairs leave), and four (pairs whose sums add up); with two levels also
five (one, and four of the others).  What was looked for in vain is proven.

Where columns are longer than a word, random sums of their digits take their place: they show all
solutions, and some that are none, which are told apart afterwards.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from lightsanim.algebra.digits import DigitPacking, Words
from lightsanim.algebra.modular import Indices, Residues
from lightsanim.solve.cell_classes import ColumnClasses
from lightsanim.solve.class_costs import Costs
from lightsanim.system.deadline import Deadline

Solutions = NDArray[np.int64]  # (solutions, items), an item is class * (q - 1) + multiple - 1

# The largest table of the cheapest way to every sum of columns: sums times classes times levels.
MAX_TABLE = 30_000_000

# Spreads the bits of a word over the highest ones of a product.
HASH_FACTOR = np.uint64(0x9E3779B97F4A7C15)

# Pairs that are summed at a time, one by one and in sorted chunks.
CHUNK, SORTED_CHUNK = 1 << 20, 1 << 22

# What the sum of a pair takes on a slow computer.
PAIR_SECONDS = 1e-7

# Sums of digits that are drawn to make all words different.
MAX_MIXES = 4

# Solutions that are compared at most where there are more.
MAX_COMPARED = 4000


def cheapest_by_table(classes: ColumnClasses, costs: Costs, syndrome: Residues) -> Residues:
    """The cheapest solution, by a table of the cheapest way to every sum, class by class.

    ``costs``: (classes, q), ``syndrome``: uint8 (checks,), returns uint8 (classes,).
    """
    q, checks = classes.levels, classes.pattern_count
    columns, powers = DigitPacking(q).unpack(classes.columns, checks), q ** np.arange(checks)
    best_costs = np.full(q**checks, np.inf)
    best_costs[0] = 0
    steps = []
    for column, cost in zip(columns, costs, strict=True):
        # Where the sum stands that is less by the column.
        lower_sums = np.zeros(1, np.int32)
        for digit, power in zip(column, powers, strict=True):
            shifts = (np.arange(q) - int(digit)) % q * power
            lower_sums = (shifts[:, None] + lower_sums).ravel().astype(np.int32)
        before, source, chosen = best_costs, lower_sums, np.zeros(len(best_costs), np.uint8)
        for multiple in range(1, q):
            new_costs = before[source] + cost[multiple]
            better = new_costs < best_costs
            best_costs = np.where(better, new_costs, best_costs)
            chosen[better] = multiple
            source = lower_sums[source]
        steps.append(chosen)
    left, multiples = syndrome.astype(np.int64), np.zeros(len(columns), np.uint8)
    for number in reversed(range(len(columns))):
        multiples[number] = steps[number][left @ powers]
        left = (left - int(multiples[number]) * columns[number].astype(np.int64)) % q
    return multiples


def search_by_cost(
    classes: ColumnClasses, costs: Costs, syndrome: Residues, deadline: Deadline
) -> Iterator[tuple[int, Residues | None]]:
    """Proven bounds on the cost of a solution, and in the end perhaps a solution that reaches it.

    ``costs``: (classes, q), ``syndrome``: uint8 (checks,), the solution uint8 (classes,).
    """
    items = _pack_multiples(classes, costs, syndrome)
    for cost in range(1, 6 if classes.levels == 2 else 5):
        yield cost, None
        best, complete = np.zeros((0, 1), np.int64), items.distinct
        for solutions in items.find_solutions(cost, deadline):
            complete &= solutions is not None
            if solutions is not None and len(solutions):
                best = min((rows for rows in (best, solutions) if len(rows)), key=items.lowest_cost)
                if cost > 2:  # others take long to look for
                    break
        if len(best):
            yield cost, items.cheapest_solution(best)
            return
        if not complete:
            return
    yield cost + 1, None


@dataclass(frozen=True, kw_only=True, eq=False)
class _ColumnMultiples:
    """The multiples of the columns, each as a word."""

    classes: ColumnClasses
    syndrome: Words  # (words,), of all digits
    numbers: Indices  # int (items,), class * (q - 1) + multiple - 1
    costs: NDArray[np.float64]  # (items,)
    vectors: Words  # (items, words)
    words: Words  # (items,), of all digits or of sums of them, all different and ascending
    goal: np.uint64  # what the syndrome is in such words
    # Whether those are all multiples: others whose words are equal are left out, and nothing is
    # proven; but this is of large boards only, where a few do.
    distinct: bool

    @cached_property
    def _digit_packing(self) -> DigitPacking:
        return DigitPacking(self.classes.levels)

    def lowest_cost(self, solutions: Solutions) -> float:
        """The cost of the cheapest of some solutions."""
        return float(self.costs[solutions].sum(axis=1).min())

    def cheapest_solution(self, solutions: Solutions) -> Residues:
        """The multiples of the cheapest of some solutions: uint8 (classes,)."""
        q, best = self.classes.levels, solutions[self.costs[solutions].sum(axis=1).argmin()]
        multiples = np.zeros(len(self.classes), np.uint8)
        multiples[self.numbers[best] // (q - 1)] = self.numbers[best] % (q - 1) + 1
        return multiples

    def find_solutions(self, cost: int, deadline: Deadline) -> Iterator[Solutions | None]:
        """Solutions of one to five items, of a cost of 1 to 5; None where the time was short."""
        rounded = np.rint(self.costs)
        costing = [np.flatnonzero(rounded == c) for c in range(cost + 1)]
        yield self._verified_solutions(
            costing[cost][self.words[costing[cost]] == self.goal][:, None]
        )
        for index in range(1, cost // 2 + 1):
            yield self._verified_solutions(
                self._find_pairs(costing[index], costing[cost - index], self.goal)
            )
        if cost > 2:
            yield self._find_triples(costing[1], costing[cost - 2], deadline)
        if cost == 4:
            yield self._find_quadruples(costing[1], costing[0], deadline)
        if cost == 5:
            for index in np.lexsort((self.numbers, self.costs)):
                yield self._find_quadruples(
                    costing[1][costing[1] != index], np.array([index]), deadline
                )

    def _verified_solutions(self, solutions: Solutions) -> Solutions:
        # Those that add up to the syndrome in all digits, with one multiple of a class at most.
        classes = np.sort(self.numbers[solutions] // (self.classes.levels - 1), axis=1)
        solutions = solutions[(classes[:, 1:] != classes[:, :-1]).all(axis=1)]
        total = np.zeros((len(solutions), self.vectors.shape[1]), np.uint64)
        for item in solutions.T:
            total = self._digit_packing.add(total, self.vectors[item])
        verified: Solutions = solutions[(total == self.syndrome).all(axis=1)]
        return verified

    def _find_pairs(self, firsts: Indices, seconds: Indices, total: Words | np.uint64) -> Solutions:
        # All pairs of one and the other whose words add up to a word.
        index = _positions_in_sorted(
            self.words[firsts], self._digit_packing.subtract(total, self.words[seconds])
        )
        return np.column_stack([firsts[index[index >= 0]], seconds[index >= 0]])

    def _find_triples(self, pool: Indices, thirds: Indices, deadline: Deadline) -> Solutions | None:
        # Two of ``pool`` and one of ``thirds``.  A table of 20 bits of a product with an odd number
        # tells nearly all sums of pairs apart from what the thirds can make of them.
        if not len(pool) or not len(thirds):
            return np.zeros((0, 3), np.int64)
        if not deadline.allows(PAIR_SECONDS * len(pool) ** 2 / 2):
            return None
        possible = np.zeros(1 << 20, bool)
        possible[self.words[thirds] * HASH_FACTOR >> np.uint64(44)] = True
        parts, limit, rows = [np.zeros((0, 3), np.int64)], deadline.part(1), -(-CHUNK // len(pool))
        for first in range(0, len(pool), rows):
            firsts, seconds = pool[first : first + rows], pool[first:]
            left = self._digit_packing.subtract(self.goal, self.words[firsts])[:, None]
            left = self._digit_packing.subtract(left, self.words[seconds])
            near = np.argwhere(possible[left * HASH_FACTOR >> np.uint64(44)])
            position = _positions_in_sorted(self.words[thirds], left[near[:, 0], near[:, 1]])
            near, position = near[position >= 0], position[position >= 0]
            triples = np.column_stack([firsts[near[:, 0]], seconds[near[:, 1]], thirds[position]])
            parts.append(self._verified_solutions(triples))
            if sum(map(len, parts)) > MAX_COMPARED:
                break
            if not limit.allows_rest(1 - max(0, 1 - (first + rows) / len(pool)) ** 2):
                return np.concatenate(parts) if any(map(len, parts)) else None
        return np.concatenate(parts)

    def _find_quadruples(
        self, pool: Indices, fixed: Indices, deadline: Deadline
    ) -> Solutions | None:
        # Four of ``pool``, and one item or none that is fixed: a sum of two that is also what two
        # others leave.  The sums of all pairs come in chunks with the same first digits, whose
        # halves are in buckets by theirs.
        digits, pairs = self._digit_packing, len(pool) ** 2 / 2
        goal: Words | np.uint64 = self.goal
        for item in fixed:
            goal = digits.subtract(goal, self.words[item])
        if not deadline.allows(PAIR_SECONDS * pairs):
            return None
        digit_count = max(0, math.ceil(math.log(max(pairs, 1) / SORTED_CHUNK, self.classes.levels)))
        mask, words = digits.first_digits_mask(digit_count), self.words[pool]
        order = np.argsort(words & mask, kind="stable")
        keys, starts = np.unique(words[order] & mask, return_index=True)
        buckets = dict(zip(keys.tolist(), np.split(words[order], starts[1:]), strict=True))
        parts, limit = [np.zeros((0, 4 + len(fixed)), np.int64)], deadline.part(1)
        totals = np.unique(digits.add(keys[:, None], keys) & mask)
        for done, total in enumerate(totals, start=1):
            rest = digits.subtract(goal, total) & mask
            if total <= rest:  # the other way round, it is the same four
                sums = self._sum_pairs(buckets, total, mask)
                seconds = sums if rest == total else self._sum_pairs(buckets, rest, mask)
                left = np.sort(digits.subtract(goal, seconds))
                common = left[_positions_in_sorted(sums, left) >= 0]
                for half in np.unique(common)[:MAX_COMPARED]:
                    two = self._find_pairs(pool, pool, half)
                    partners = self._find_pairs(pool, pool, digits.subtract(goal, half))
                    both = two.repeat(len(partners), axis=0), np.tile(partners, (len(two), 1))
                    rows = [*both, np.tile(fixed, (len(both[0]), 1))]
                    parts.append(self._verified_solutions(np.hstack(rows)))
            if any(map(len, parts)):
                break
            if not limit.allows_rest(done / len(totals)):
                return None
        return np.concatenate(parts)

    def _sum_pairs(self, buckets: Mapping[int, Words], total: Words, mask: np.uint64) -> Words:
        # The sums of all pairs whose first digits, by which they are in buckets, add up to a total.
        digits, sums = self._digit_packing, [np.zeros(0, np.uint64)]
        for key, bucket in buckets.items():
            partner = int(digits.subtract(total, np.uint64(key)) & mask)
            if key == partner:
                sums += [digits.add(bucket[n], bucket[n + 1 :]) for n in range(len(bucket))]
            elif key < partner and partner in buckets:
                sums.append(digits.add(bucket[:, None], buckets[partner]).ravel())
        return np.sort(np.concatenate(sums))


def _pack_multiples(classes: ColumnClasses, costs: Costs, syndrome: Residues) -> _ColumnMultiples:
    q, digits, checks = classes.levels, DigitPacking(classes.levels), classes.pattern_count
    multiples = [classes.columns]
    for _ in range(2, q):
        multiples.append(digits.add(multiples[-1], classes.columns))
    vectors = np.stack(multiples, axis=1).reshape(-1, classes.columns.shape[1])
    goal = digits.pack(syndrome)
    words, goal_word = vectors[:, 0], goal[0]
    if vectors.shape[1] > 1:
        rng, both = np.random.default_rng(0), np.vstack([vectors, goal])
        for _ in range(MAX_MIXES):
            mix = rng.integers(q, size=(checks, digits.digits_per_word), dtype=np.uint8)
            mixed = digits.multiply(both, mix)[:, 0]
            words, goal_word = mixed[:-1], mixed[-1]
            if len(np.unique(words)) == len(words):
                break
    numbers = np.unique(words, return_index=True)[1]
    return _ColumnMultiples(
        classes=classes,
        syndrome=goal,
        numbers=numbers,
        costs=costs[:, 1:].ravel()[numbers],
        vectors=vectors[numbers],
        words=words[numbers],
        goal=goal_word,
        distinct=len(numbers) == len(words),
    )


def _positions_in_sorted(ascending: Words, values: Words) -> Indices:
    # Where each of the wanted words is among ascending ones, -1 for nowhere.
    if not len(ascending):
        return np.full(len(values), -1)
    position = np.minimum(np.searchsorted(ascending, values), len(ascending) - 1)
    return np.where(ascending[position] == values, position, -1)
