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

from lightsanim.algebra.digits import Digits, Words
from lightsanim.algebra.modular import Indices, Residues
from lightsanim.solve.cell_classes import ColumnClasses
from lightsanim.solve.class_costs import Costs
from lightsanim.system.deadline import Deadline

Found = NDArray[np.int64]  # (solutions, items), an item is class * (q - 1) + multiple - 1

# The largest table of the cheapest way to every sum of columns: sums times classes times levels.
MAX_TABLE = 30_000_000

# Spreads the bits of a word over the highest ones of a product.
ODD = np.uint64(0x9E3779B97F4A7C15)

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
    q, checks = classes.q, classes.checks
    columns, powers = Digits(q).unpack(classes.columns, checks), q ** np.arange(checks)
    ways = np.full(q**checks, np.inf)
    ways[0] = 0
    steps = []
    for column, cost in zip(columns, costs, strict=True):
        # Where the sum stands that is less by the column.
        less = np.zeros(1, np.int32)
        for digit, power in zip(column, powers, strict=True):
            places = (np.arange(q) - int(digit)) % q * power
            less = (places[:, None] + less).ravel().astype(np.int32)
        before, place, made = ways, less, np.zeros(len(ways), np.uint8)
        for multiple in range(1, q):
            way = before[place] + cost[multiple]
            better = way < ways
            ways = np.where(better, way, ways)
            made[better] = multiple
            place = less[place]
        steps.append(made)
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
    items = _items_of(classes, costs, syndrome)
    for cost in range(1, 6 if classes.q == 2 else 5):
        yield cost, None
        best, complete = np.zeros((0, 1), np.int64), items.distinct
        for found in items.solutions(cost, deadline):
            complete &= found is not None
            if found is not None and len(found):
                best = min((one for one in (best, found) if len(one)), key=items.least)
                if cost > 2:  # others take long to look for
                    break
        if len(best):
            yield cost, items.cheapest(best)
            return
        if not complete:
            return
    yield cost + 1, None


@dataclass(frozen=True, kw_only=True, eq=False)
class _Items:
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
    def _digits(self) -> Digits:
        return Digits(self.classes.q)

    def least(self, found: Found) -> float:
        """The cost of the cheapest of some solutions."""
        return float(self.costs[found].sum(axis=1).min())

    def cheapest(self, found: Found) -> Residues:
        """The multiples of the cheapest of some solutions: uint8 (classes,)."""
        q, best = self.classes.q, found[self.costs[found].sum(axis=1).argmin()]
        multiples = np.zeros(len(self.classes), np.uint8)
        multiples[self.numbers[best] // (q - 1)] = self.numbers[best] % (q - 1) + 1
        return multiples

    def solutions(self, cost: int, deadline: Deadline) -> Iterator[Found | None]:
        """Solutions of one to five items, of a cost of 1 to 5; None where the time was short."""
        whole = np.rint(self.costs)
        costing = [np.flatnonzero(whole == c) for c in range(cost + 1)]
        yield self._true(costing[cost][self.words[costing[cost]] == self.goal][:, None])
        for one in range(1, cost // 2 + 1):
            yield self._true(self._pairs(costing[one], costing[cost - one], self.goal))
        if cost > 2:
            yield self._triples(costing[1], costing[cost - 2], deadline)
        if cost == 4:
            yield self._fours(costing[1], costing[0], deadline)
        if cost == 5:
            for one in np.lexsort((self.numbers, self.costs)):
                yield self._fours(costing[1][costing[1] != one], np.array([one]), deadline)

    def _true(self, found: Found) -> Found:
        # Those that add up to the syndrome in all digits, with one multiple of a class at most.
        classes = np.sort(self.numbers[found] // (self.classes.q - 1), axis=1)
        found = found[(classes[:, 1:] != classes[:, :-1]).all(axis=1)]
        total = np.zeros((len(found), self.vectors.shape[1]), np.uint64)
        for item in found.T:
            total = self._digits.plus(total, self.vectors[item])
        true: Found = found[(total == self.syndrome).all(axis=1)]
        return true

    def _pairs(self, one: Indices, other: Indices, total: Words | np.uint64) -> Found:
        # All pairs of one and the other whose words add up to a word.
        place = _places(self.words[one], self._digits.minus(total, self.words[other]))
        return np.column_stack([one[place[place >= 0]], other[place >= 0]])

    def _triples(self, ones: Indices, others: Indices, deadline: Deadline) -> Found | None:
        # Two of ``ones`` and one of the others.  A table of 20 bits of a product with an odd number
        # tells nearly all sums of pairs apart from what the others can make of them.
        if not len(ones) or not len(others):
            return np.zeros((0, 3), np.int64)
        if not deadline.allows(PAIR_SECONDS * len(ones) ** 2 / 2):
            return None
        known = np.zeros(1 << 20, bool)
        known[self.words[others] * ODD >> np.uint64(44)] = True
        found, limit, rows = [np.zeros((0, 3), np.int64)], deadline.part(1), -(-CHUNK // len(ones))
        for first in range(0, len(ones), rows):
            firsts, seconds = ones[first : first + rows], ones[first:]
            left = self._digits.minus(self.goal, self.words[firsts])[:, None]
            left = self._digits.minus(left, self.words[seconds])
            near = np.argwhere(known[left * ODD >> np.uint64(44)])
            place = _places(self.words[others], left[near[:, 0], near[:, 1]])
            near, place = near[place >= 0], place[place >= 0]
            triples = np.column_stack([firsts[near[:, 0]], seconds[near[:, 1]], others[place]])
            found.append(self._true(triples))
            if sum(map(len, found)) > MAX_COMPARED:
                break
            if not limit.allows_rest(1 - max(0, 1 - (first + rows) / len(ones)) ** 2):
                return np.concatenate(found) if any(map(len, found)) else None
        return np.concatenate(found)

    def _fours(self, ones: Indices, fixed: Indices, deadline: Deadline) -> Found | None:
        # Four of ``ones``, and one item or none that is fixed: a sum of two that is also what two
        # others leave.  The sums of all pairs come in chunks with the same first digits, whose
        # halves are in buckets by theirs.
        digits, pairs = self._digits, len(ones) ** 2 / 2
        goal: Words | np.uint64 = self.goal
        for one in fixed:
            goal = digits.minus(goal, self.words[one])
        if not deadline.allows(PAIR_SECONDS * pairs):
            return None
        few = max(0, math.ceil(math.log(max(pairs, 1) / SORTED_CHUNK, self.classes.q)))
        mask, words = digits.mask(few), self.words[ones]
        order = np.argsort(words & mask, kind="stable")
        keys, starts = np.unique(words[order] & mask, return_index=True)
        buckets = dict(zip(keys.tolist(), np.split(words[order], starts[1:]), strict=True))
        found, limit = [np.zeros((0, 4 + len(fixed)), np.int64)], deadline.part(1)
        totals = np.unique(digits.plus(keys[:, None], keys) & mask)
        for done, total in enumerate(totals, start=1):
            rest = digits.minus(goal, total) & mask
            if total <= rest:  # the other way round, it is the same four
                sums = self._sums_of_pairs(buckets, total, mask)
                seconds = sums if rest == total else self._sums_of_pairs(buckets, rest, mask)
                left = np.sort(digits.minus(goal, seconds))
                common = left[_places(sums, left) >= 0]
                for half in np.unique(common)[:MAX_COMPARED]:
                    two = self._pairs(ones, ones, half)
                    others = self._pairs(ones, ones, digits.minus(goal, half))
                    both = two.repeat(len(others), axis=0), np.tile(others, (len(two), 1))
                    rows = [*both, np.tile(fixed, (len(both[0]), 1))]
                    found.append(self._true(np.hstack(rows)))
            if any(map(len, found)):
                break
            if not limit.allows_rest(done / len(totals)):
                return None
        return np.concatenate(found)

    def _sums_of_pairs(self, buckets: Mapping[int, Words], total: Words, mask: np.uint64) -> Words:
        # The sums of all pairs whose first digits, by which they are in buckets, add up to a total.
        digits, sums = self._digits, [np.zeros(0, np.uint64)]
        for key, one in buckets.items():
            partner = int(digits.minus(total, np.uint64(key)) & mask)
            if key == partner:
                sums += [digits.plus(one[n], one[n + 1 :]) for n in range(len(one))]
            elif key < partner and partner in buckets:
                sums.append(digits.plus(one[:, None], buckets[partner]).ravel())
        return np.sort(np.concatenate(sums))


def _items_of(classes: ColumnClasses, costs: Costs, syndrome: Residues) -> _Items:
    q, digits, checks = classes.q, Digits(classes.q), classes.checks
    multiples = [classes.columns]
    for _ in range(2, q):
        multiples.append(digits.plus(multiples[-1], classes.columns))
    vectors = np.stack(multiples, axis=1).reshape(-1, classes.columns.shape[1])
    goal = digits.pack(syndrome)
    words, aim = vectors[:, 0], goal[0]
    if vectors.shape[1] > 1:
        rng, both = np.random.default_rng(0), np.vstack([vectors, goal])
        for _ in range(MAX_MIXES):
            mix = rng.integers(q, size=(checks, digits.per_word), dtype=np.uint8)
            mixed = digits.combined(both, mix)[:, 0]
            words, aim = mixed[:-1], mixed[-1]
            if len(np.unique(words)) == len(words):
                break
    numbers = np.unique(words, return_index=True)[1]
    return _Items(
        classes=classes,
        syndrome=goal,
        numbers=numbers,
        costs=costs[:, 1:].ravel()[numbers],
        vectors=vectors[numbers],
        words=words[numbers],
        goal=aim,
        distinct=len(numbers) == len(words),
    )


def _places(ascending: Words, wanted: Words) -> Indices:
    # Where each of the wanted words is among ascending ones, -1 for nowhere.
    if not len(ascending):
        return np.full(len(wanted), -1)
    place = np.minimum(np.searchsorted(ascending, wanted), len(ascending) - 1)
    return np.where(ascending[place] == wanted, place, -1)
