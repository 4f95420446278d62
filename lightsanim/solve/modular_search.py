"""The cheapest multiples of columns that add up to a syndrome, over GF(q).

A solution takes a multiple of some classes' columns, each at its cost, which are whole numbers but
for what decides between equals.  So solutions are looked for cost by cost: one multiple (found by
its column), two (by what the one leaves for the other), three (by what all pairs leave), and four
(pairs whose sums add up).  What was looked for in vain is proven.

Columns are words here, a few bits for each digit, with room for the sum of two.  Where columns are
longer than a word, random sums of their digits take their place: they show all solutions, and some
that are none, which are told apart afterwards.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from lightsanim.algebra.modular import Indices, Residues, reduce
from lightsanim.solve.modular_classes import product
from lightsanim.solve.modular_moves import Costs
from lightsanim.system.deadline import Deadline

PackedColumns = NDArray[np.uint64]
Found = NDArray[np.int64]  # (solutions, items), an item is class * (q - 1) + multiple - 1

# The largest table of the cheapest way to every sum of columns: sums times classes times levels.
MAX_TABLE = 30_000_000

# The largest columns that are searched, in bytes of all their multiples.
MAX_SEARCHED = 1_000_000_000

# Spreads the bits of a word over the highest ones of a product.
ODD = np.uint64(0x9E3779B97F4A7C15)

# Pairs that are summed at a time.
CHUNK = 1 << 20

# Sums of digits that are drawn to make all words different.
MAX_MIXES = 4

# Solutions that are compared at most where there are more.
MAX_COMPARED = 4000


def cheapest_by_table(columns: Residues, costs: Costs, syndrome: Residues, q: int) -> Residues:
    """The cheapest solution, by a table of the cheapest way to every sum, class by class.

    ``columns``: uint8 (classes, checks), ``costs``: (classes, q), ``syndrome``: uint8 (checks,),
    returns uint8 (classes,).

    >>> columns, costs = np.array([[0, 1], [1, 0], [1, 1]], np.uint8), np.full((3, 3), [0, 1, 2])
    >>> cheapest_by_table(columns, costs, np.array([1, 1], np.uint8), 3).tolist()
    [0, 0, 1]
    """
    checks = columns.shape[1]
    powers = q ** np.arange(checks)
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
    columns: Residues, costs: Costs, syndrome: Residues, q: int, deadline: Deadline
) -> Iterator[tuple[int, Residues | None]]:
    """Proven bounds on the cost of a solution, and in the end perhaps a solution that reaches it.

    ``columns``: uint8 (classes, checks), ``costs``: (classes, q), ``syndrome``: uint8 (checks,).
    """
    items = _Items(columns, costs, syndrome, q)
    for cost in range(1, 5):
        yield cost, None
        best, complete = np.zeros((0, 1), np.int64), items.complete
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
    yield 5, None


class _Items:
    # The multiples of the columns, each with its cost and as a word.

    def __init__(self, columns: Residues, costs: Costs, syndrome: Residues, q: int) -> None:
        self._q, self._syndrome, self._classes = q, syndrome, len(columns)
        vectors = np.multiply.outer(columns, np.arange(1, q, dtype=np.uint8)).swapaxes(1, 2)
        self._vectors = vectors.reshape(-1, columns.shape[1])
        reduce(self._vectors, q)
        self._costs = costs[:, 1:].ravel()
        # A digit has bits for sums of two, up to 2 q - 1, and what _plus adds.
        self._bits = 3 if q == 3 else 4
        digits = 64 // self._bits
        self._ones = np.uint64(sum(1 << self._bits * place for place in range(digits)))
        words = self._mixed(syndrome)
        # Items whose words are those of others are left out, and nothing is proven; but this is of
        # large boards only, where a few items do.
        self._numbers = np.sort(np.unique(words[:-1], return_index=True)[1])
        self.complete = len(self._numbers) == len(words) - 1
        self._vectors, self._costs = self._vectors[self._numbers], self._costs[self._numbers]
        self._whole = np.rint(self._costs).astype(np.int64)
        self._words, self._goal = words[self._numbers], words[-1]

    def _mixed(self, syndrome: Residues) -> PackedColumns:
        # The items' words and the syndrome's.
        both, rng = np.vstack([self._vectors, syndrome]), np.random.default_rng(0)
        digits = 64 // self._bits
        if both.shape[1] <= digits:
            return self._words_of(both)
        for _ in range(MAX_MIXES):
            mix = rng.integers(self._q, size=(both.shape[1], digits), dtype=np.uint8)
            words = self._words_of(product(both, mix, self._q))
            if len(np.unique(words[:-1])) == len(words) - 1:
                break
        return words

    def _words_of(self, vectors: Residues) -> PackedColumns:
        words = np.zeros(len(vectors), np.uint64)
        for place, column in enumerate(vectors.T):
            words |= column.astype(np.uint64) << np.uint64(self._bits * place)
        return words

    def _plus(
        self, one: PackedColumns | np.uint64, other: PackedColumns | np.uint64
    ) -> PackedColumns:
        # Digit by digit, modulo q: where 2**(bits - 1) - q is added, digits of q or more reach the
        # highest bit.
        total = one + other
        over = total + np.uint64((1 << self._bits - 1) - self._q) * self._ones
        over >>= np.uint64(self._bits - 1)
        over &= self._ones
        over *= np.uint64(self._q)
        total -= over
        return total

    def _minus(
        self, one: PackedColumns | np.uint64, other: PackedColumns | np.uint64
    ) -> PackedColumns:
        return self._plus(one, np.uint64(self._q) * self._ones - other)

    def least(self, found: Found) -> float:
        """The cost of the cheapest of some solutions."""
        return float(self._costs[found].sum(axis=1).min())

    def cheapest(self, found: Found) -> Residues:
        """The multiples of the cheapest of some solutions: uint8 (classes,)."""
        best = self._numbers[found[self._costs[found].sum(axis=1).argmin()]]
        multiples = np.zeros(self._classes, np.int64)
        np.add.at(multiples, best // (self._q - 1), best % (self._q - 1) + 1)
        return (multiples % self._q).astype(np.uint8)

    def solutions(self, cost: int, deadline: Deadline) -> Iterator[Found | None]:
        """Solutions of one to four items, of a cost of 1 to 4; None where the time was short."""
        costing = [np.flatnonzero(self._whole == c) for c in range(cost + 1)]
        yield self._true(costing[cost][self._words[costing[cost]] == self._goal][:, None])
        for one in range(1, cost // 2 + 1):
            yield self._true(self._pairs(costing[one], costing[cost - one], self._goal))
        if cost > 2:
            yield self._triples(costing[1], costing[cost - 2], deadline)
        if cost > 3:
            yield self._quads(costing[1], deadline)

    def _true(self, found: Found) -> Found:
        # Those that add up to the syndrome in all digits.
        total = np.zeros((len(found), len(self._syndrome)), np.uint8)
        for item in found.T:
            total += self._vectors[item]
            reduce(total, self._q)
        true: Found = found[(total == self._syndrome).all(axis=1)]
        return true

    def _pairs(self, one: Indices, other: Indices, total: PackedColumns | np.uint64) -> Found:
        # All pairs of one and the other whose words add up to a word.
        place = _places(self._words[one], self._minus(total, self._words[other]))
        return np.column_stack([one[place[place >= 0]], other[place >= 0]])

    def _triples(self, ones: Indices, others: Indices, deadline: Deadline) -> Found | None:
        # Two of ``ones`` and one of the others.  A table of 20 bits of a product with an odd number
        # tells nearly all sums of pairs apart from what the others can make of them.
        if not len(ones) or not len(others):
            return np.zeros((0, 3), np.int64)
        known = np.zeros(1 << 20, bool)
        known[self._words[others] * ODD >> np.uint64(44)] = True
        found, limit, rows = [np.zeros((0, 3), np.int64)], deadline.part(1), -(-CHUNK // len(ones))
        for first in range(0, len(ones), rows):
            firsts, seconds = ones[first : first + rows], ones[first:]
            left = self._minus(self._goal, self._words[firsts])[:, None]
            left = self._minus(left, self._words[seconds])
            near = np.argwhere(known[left * ODD >> np.uint64(44)])
            place = _places(self._words[others], left[near[:, 0], near[:, 1]])
            near, place = near[place >= 0], place[place >= 0]
            triples = np.column_stack([firsts[near[:, 0]], seconds[near[:, 1]], others[place]])
            found.append(self._true(triples))
            if sum(map(len, found)) > MAX_COMPARED:
                break
            if not limit.allows_rest(1 - max(0, 1 - (first + rows) / len(ones)) ** 2):
                return np.concatenate(found) if any(map(len, found)) else None
        return np.concatenate(found)

    def _quads(self, ones: Indices, deadline: Deadline) -> Found | None:
        # Four of ``ones``: a sum of two that is also what two others leave.  The sums of all pairs
        # come in chunks with the same first digits, whose halves are in buckets by theirs.
        digits = 3 if self._q == 3 else 2
        mask = np.uint64((1 << self._bits * digits) - 1)
        words = self._words[ones]
        keys, bucket = np.unique(words & mask, return_inverse=True)
        buckets = {int(key): words[bucket == place] for place, key in enumerate(keys)}

        def sums_with(first: PackedColumns | np.uint64) -> PackedColumns:
            sums = [np.zeros(0, np.uint64)]
            for key, one in buckets.items():
                partner = int(self._minus(first, np.uint64(key)) & mask)
                if key == partner:
                    sums += [self._plus(one[n], one[n + 1 :]) for n in range(len(one))]
                elif key < partner and partner in buckets:
                    sums.append(self._plus(one[:, None], buckets[partner]).ravel())
            return np.concatenate(sums)

        found, limit = [np.zeros((0, 4), np.int64)], deadline.part(1)
        totals = np.unique(self._plus(keys[:, None], keys) & mask)
        for done, total in enumerate(totals, start=1):
            rest = self._minus(self._goal, total) & mask
            if total <= rest:  # the other way round, it is the same four
                sums, left = sums_with(total), self._minus(self._goal, sums_with(rest))
                sums.sort()
                left.sort()
                place = np.searchsorted(sums, left)
                inside = place < len(sums)
                common = left[inside][sums[place[inside]] == left[inside]]
                for half in np.unique(common)[:MAX_COMPARED]:
                    two = self._pairs(ones, ones, half)
                    others = self._pairs(ones, ones, self._minus(self._goal, half))
                    both = two.repeat(len(others), axis=0), np.tile(others, (len(two), 1))
                    found.append(self._true(np.hstack(both)))
            if any(map(len, found)):
                break
            if not limit.allows_rest(done / len(totals)):
                return None
        return np.concatenate(found)


def _places(words: PackedColumns, wanted: PackedColumns) -> Indices:
    # Where each of the wanted words is among different ones, -1 for nowhere.
    if not len(words):
        return np.full(len(wanted), -1)
    order = np.argsort(words)
    place = order[np.minimum(np.searchsorted(words, wanted, sorter=order), len(words) - 1)]
    return np.where(words[place] == wanted, place, -1)
