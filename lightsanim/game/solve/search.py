"""Find the cheapest multiples of columns that add up to a syndrome, over GF(q).

A solution takes multiples of some classes' columns.  Each multiple has a cost: an integer, plus a
small tie-break; with two levels the integer is 1.  The cheapest solution takes few multiples: with
two levels about the smallest w with ``binomial(classes, w) >= 2**nullity``.  So the search tries
one cost after another.  A table of the columns yields single multiples, the second of a pair from
what the first leaves of the syndrome, and the third of a triple from what each pair leaves.
4-tuples are found as two pairs, and with two levels 5-tuples as one column and a 4-tuple.  A
complete search for one cost without a solution proves that the lowest cost is higher.

If columns are longer than a word, random sums of their digits replace them.  The search then finds
all solutions and some false ones, which are filtered out.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from lightsanim.game.algebra.digits import HASH_FACTOR, DigitPacking, Words
from lightsanim.game.algebra.modular import Indices, Residues
from lightsanim.system.deadline import Deadline
from .cell_classes import ColumnClasses
from .class_costs import Costs

Solutions = NDArray[np.int64]  # Item indices of each solution, (solutions, items).

# Maximum size of problems solved by the table of all sums: sums * classes * levels.
MAX_TABLE = 30_000_000
# Maximum number of pairs added up at a time, in searches for triples and for 4-tuples.
CHUNK, SORTED_CHUNK = 1 << 20, 1 << 22
# Estimated seconds for adding up one pair on a slow computer.
PAIR_SECONDS = 1e-7
# Estimated seconds for hashing a column, for each of its digits.
HASH_SECONDS = 3e-9
# Maximum attempts to find random sums of digits that differ for all items.
MAX_MIXES = 4
# Approximate maximum number of equally expensive solutions whose tie-breaks are compared.
MAX_COMPARED = 4000


def cheapest_by_table(classes: ColumnClasses, costs: Costs, syndrome: Residues) -> Residues:
    """Find the cheapest solution by dynamic programming over all sums of multiples.

    ``costs`` is (classes, q), ``syndrome`` uint8 (checks,), the solution uint8 (classes,).
    """
    q, checks = classes.levels, classes.pattern_count
    columns, powers = DigitPacking(q).unpack(classes.columns, checks), q ** np.arange(checks)
    best_costs = np.full(q**checks, np.inf)
    best_costs[0] = 0
    steps = []
    for column, cost in zip(columns, costs, strict=True):
        # For each sum, the table index of that sum minus the column.
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
    """Yield rising lower bounds on the cost, (bound, None); the last pair has an optimal solution.

    ``costs`` is (classes, q), ``syndrome`` uint8 (checks,); a solution is uint8 (classes,).  It
    is missing if time runs out, or if its cost is above 5 (above 4 with more than two levels).

    Raises:
        TimeUpError: if time runs out while the columns are hashed.
    """
    items = _pack_multiples(classes, costs, syndrome, deadline)
    for cost in range(1, 6 if classes.levels == 2 else 5):
        yield cost, None
        best, complete = np.zeros((0, 1), np.int64), items.distinct
        for solutions in items.find_solutions(cost, deadline):
            complete &= solutions is not None
            if solutions is not None and len(solutions):
                best = min((rows for rows in (best, solutions) if len(rows)), key=items.lowest_cost)
                if cost > 2:  # finding all solutions would take long
                    break
        if len(best):
            yield cost, items.cheapest_solution(best)
            return
        if not complete:
            return
    yield cost + 1, None


@dataclass(frozen=True, kw_only=True, eq=False)
class _ColumnMultiples:
    """The items that a search combines: all nonzero multiples of columns, hashed to words."""

    classes: ColumnClasses
    syndrome: Words  # The sum that a solution's items must have, (words,).
    numbers: Indices  # Each item's number: class * (q - 1) + multiple - 1.
    costs: NDArray[np.float64]  # Each item's cost, (items,).
    vectors: Words  # Each item's multiple of a column, (items, words).
    words: Words  # Each item's hash, (items,), strictly ascending.
    goal: np.uint64  # Hash of the syndrome.
    # False if items with equal hashes were dropped; a search then proves nothing.
    distinct: bool

    @cached_property
    def _digit_packing(self) -> DigitPacking:
        return DigitPacking(self.classes.levels)

    def lowest_cost(self, solutions: Solutions) -> float:
        """Return the cost of the cheapest of the given solutions."""
        return float(self.costs[solutions].sum(axis=1).min())

    def cheapest_solution(self, solutions: Solutions) -> Residues:
        """Return the cheapest of the given solutions as multiples of columns, uint8 (classes,)."""
        q, best = self.classes.levels, solutions[self.costs[solutions].sum(axis=1).argmin()]
        multiples = np.zeros(len(self.classes), np.uint8)
        multiples[self.numbers[best] // (q - 1)] = self.numbers[best] % (q - 1) + 1
        return multiples

    def find_solutions(self, cost: int, deadline: Deadline) -> Iterator[Solutions | None]:
        """Yield groups of solutions of one cost, 1 to 5; None replaces a group if time runs out."""
        rounded = np.rint(self.costs)
        costing = [np.flatnonzero(rounded == c) for c in range(cost + 1)]
        singles = costing[cost][self.words[costing[cost]] == self.goal]
        yield self._verified_solutions(singles[:, None])
        for index in range(1, cost // 2 + 1):
            pairs = self._find_pairs(costing[index], costing[cost - index], self.goal)
            yield self._verified_solutions(pairs)
        if cost > 2:
            yield self._find_triples(costing[1], costing[cost - 2], deadline)
        if cost == 4:
            yield self._find_quadruples(costing[1], costing[0], deadline)
        if cost == 5:
            for index in np.lexsort((self.numbers, self.costs)):
                pool = costing[1][costing[1] != index]
                yield self._find_quadruples(pool, np.array([index]), deadline)

    def _verified_solutions(self, solutions: Solutions) -> Solutions:
        # Keep solutions that add up to the whole syndrome and use no class twice.
        classes = np.sort(self.numbers[solutions] // (self.classes.levels - 1), axis=1)
        solutions = solutions[(classes[:, 1:] != classes[:, :-1]).all(axis=1)]
        total = np.zeros((len(solutions), self.vectors.shape[1]), np.uint64)
        for item in solutions.T:
            total = self._digit_packing.add(total, self.vectors[item])
        return np.asarray(solutions[(total == self.syndrome).all(axis=1)])

    def _find_pairs(self, firsts: Indices, seconds: Indices, total: Words | np.uint64) -> Solutions:
        # Find all pairs, one item from each list, whose words add up to ``total``.
        index = _positions_in_sorted(
            self.words[firsts], self._digit_packing.subtract(total, self.words[seconds])
        )
        return np.column_stack([firsts[index[index >= 0]], seconds[index >= 0]])

    def _find_triples(self, pool: Indices, thirds: Indices, deadline: Deadline) -> Solutions | None:
        # Find solutions of two items of ``pool`` and one of ``thirds``.  A table of 2**20 hashes
        # excludes nearly all pairs without a matching third item.
        if not len(pool) or not len(thirds):
            return np.zeros((0, 3), np.int64)
        if not deadline.allows(PAIR_SECONDS * len(pool) ** 2 / 2):
            return None
        possible = np.zeros(1 << 20, bool)
        possible[self.words[thirds] * HASH_FACTOR >> np.uint64(44)] = True
        parts, limit, rows = [np.zeros((0, 3), np.int64)], deadline.part(), -(-CHUNK // len(pool))
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
        # Find solutions of four items of ``pool`` and all ``fixed`` items (none or one).  The sum
        # of a pair must equal what another pair leaves of the goal.  To bound the memory, sums are
        # formed in chunks with equal first digits, from buckets of items with equal first digits.
        digits, pairs = self._digit_packing, len(pool) ** 2 / 2
        goal: Words | np.uint64 = self.goal
        for item in fixed:
            goal = digits.subtract(goal, self.words[item])
        if not len(pool):
            return np.zeros((0, 4 + len(fixed)), np.int64)
        if not deadline.allows(PAIR_SECONDS * pairs):
            return None
        digit_count = max(0, math.ceil(math.log(max(pairs, 1) / SORTED_CHUNK, self.classes.levels)))
        mask, words = digits.first_digits_mask(digit_count), self.words[pool]
        order = np.argsort(words & mask, kind="stable")
        keys, starts = np.unique(words[order] & mask, return_index=True)
        buckets = dict(zip(keys.tolist(), np.split(words[order], starts[1:]), strict=True))
        parts, limit = [np.zeros((0, 4 + len(fixed)), np.int64)], deadline.part()
        totals = np.unique(digits.add(keys[:, None], keys) & mask)
        for done, total in enumerate(totals, start=1):
            rest = digits.subtract(goal, total) & mask
            if total <= rest:  # swapped pairs form the same 4-tuples
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
        # Return the sorted sums of all pairs of items whose first digits add up to ``total``.
        digits, sums = self._digit_packing, [np.zeros(0, np.uint64)]
        for key, bucket in buckets.items():
            partner = int(digits.subtract(total, np.uint64(key)) & mask)
            if key == partner:
                sums += [digits.add(bucket[n], bucket[n + 1 :]) for n in range(len(bucket))]
            elif key < partner and partner in buckets:
                sums.append(digits.add(bucket[:, None], buckets[partner]).ravel())
        return np.sort(np.concatenate(sums))


def _pack_multiples(
    classes: ColumnClasses, costs: Costs, syndrome: Residues, deadline: Deadline
) -> _ColumnMultiples:
    q, digits, checks = classes.levels, DigitPacking(classes.levels), classes.pattern_count
    multiples = digits.list_multiples(classes.columns)[1:]
    vectors = np.stack(multiples, axis=1).reshape(-1, classes.columns.shape[1])
    goal = digits.pack(syndrome)
    words, goal_word = vectors[:, 0], goal[0]
    if vectors.shape[1] > 1:
        rng, both = np.random.default_rng(0), np.vstack([vectors, goal])
        deadline.spend(HASH_SECONDS * len(vectors) * checks)
        for _ in range(MAX_MIXES):
            mix = rng.integers(q, size=(checks, digits.digits_per_word), dtype=np.uint8)
            mixed = digits.multiply(both, mix, deadline.look)[:, 0]
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


def find_sums_of_two(columns: Words, aims: Words) -> NDArray[np.bool]:
    """Return which words of ``aims`` are sums over GF(2) of at most two words of ``columns``.

    >>> find_sums_of_two(np.array([1, 2, 4], np.uint64), np.array([0, 5, 7, 4], np.uint64)).tolist()
    [True, True, False, True]
    """
    ascending, columns = np.sort(aims), np.append(columns, np.uint64(0))
    is_sum, rows = np.zeros(len(aims), bool), -(-CHUNK // len(columns))
    for first in range(0, len(columns), rows):
        sums = (columns[first : first + rows, None] ^ columns[first:]).ravel()
        positions = _positions_in_sorted(ascending, sums)
        is_sum[positions[positions >= 0]] = True
    return is_sum[np.searchsorted(ascending, aims)]


def _positions_in_sorted(ascending: Words, values: Words) -> Indices:
    # Return the index of each value in the ascending words, or -1 for a missing value.
    if not len(ascending):
        return np.full(len(values), -1)
    position = np.minimum(np.searchsorted(ascending, values), len(ascending) - 1)
    return np.where(ascending[position] == values, position, -1)
