"""Information-set decoding: cheap solutions where there are too many to search by cost.

Choose as many independent columns as there are checks, at random, and recombine the checks so that
those columns become unit vectors.  Any few multiples of other columns then make a solution with the
multiples of the chosen ones that put right what they leave.  So look for one, two or four others
that leave few digits wrong; pairs and fours are made to agree in some digits, as in the generalised
birthday problem, so that the rest is left to chance.  Then choose other columns.

Source: Prange 1962; Stern 1988; Wagner, "A generalized birthday problem", CRYPTO 2002; Peters,
"Information-set decoding for linear codes over F_q", PQCrypto 2010.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from lightsanim.algebra.digits import Digits, Words
from lightsanim.algebra.modular import Indices, Residues
from lightsanim.solve.cell_classes import ColumnClasses
from lightsanim.solve.class_costs import Costs, cost_of
from lightsanim.system.deadline import Deadline, TimeUpError

# Approximate number of pairs, and of fours, that are tried for one choice of columns.
TRIED = 1 << 20

# Fours are tried where they agree in so many bits more than pairs: with few classes other columns,
# and their pairs, find as much in less time.
MIN_BITS_OF_FOURS = 14

# Candidates whose costs are added up: those that leave the fewest digits wrong.
COSTED = 4096

# Keys that are looked up at a time; before each time the clock is looked at.
LOOKED_UP = 1 << 15

# What steps take on a slow computer: a choice of columns, and for each class and check, and a
# candidate of 0, 1, 2 or 4 others for columns of a word, and a third more for each further word.
CHOICE_SECONDS, COLUMN_SECONDS = 0.01, 5e-9
CANDIDATE_SECONDS = {0: 0.0, 1: 1e-7, 2: 1e-7, 4: 6e-7}


def explain(classes: ColumnClasses, syndrome: Residues) -> Residues:
    """Multiples, uint8 (classes,), of independent columns that add up to one, uint8 (checks,)."""
    digits = Digits(classes.q)
    chosen, recombination = _choose_columns(classes, np.random.default_rng(0))
    multiples = np.zeros(len(classes), np.uint8)
    wrong = digits.combined(digits.pack(syndrome[None]), recombination)
    multiples[chosen] = digits.unpack(wrong, classes.checks)[0]
    return multiples


def decode(
    classes: ColumnClasses,
    costs: Costs,
    syndrome: Residues,
    known: Residues,
    bound: int,
    deadline: Deadline,
    on_better: Callable[[int], None] = lambda cost: None,
) -> Residues:
    """The cheapest solution found until the time is up or ``bound`` is reached.

    ``costs``: (classes, q), ``syndrome``: uint8 (checks,), ``known``: uint8 (classes,), returns
    uint8 (classes,).
    """
    rng, best, least = np.random.default_rng(0), known, cost_of(costs, known)
    with suppress(TimeUpError):
        while round(least) > bound and not deadline.expired:
            deadline.spend(CHOICE_SECONDS + COLUMN_SECONDS * len(classes) * classes.checks)
            choice = _choose(classes, costs, syndrome, rng, deadline)
            for rows, sums in choice.candidates(rng, round(least)):
                words = (2 + sums.shape[1]) / 3
                deadline.spend(CANDIDATE_SECONDS[rows.shape[1]] * len(rows) * words)
                found = choice.cheapest(rows, sums, round(least))
                if found is not None and cost_of(costs, found) < least:
                    best, least = found, cost_of(costs, found)
                    on_better(round(least))
                if round(least) == bound or deadline.expired:
                    break
    return best


@dataclass(frozen=True, kw_only=True, eq=False)
class _Choice:
    """Chosen columns as unit vectors, and multiples of all others, each drawn."""

    costs: Costs
    chosen: Indices  # int (checks,), classes
    others: Indices  # int (others,), classes
    made: Residues  # uint8 (others,), the multiples
    vectors: Words  # (others, words), these multiples of their columns in recombined checks
    wrong: Words  # (words,), the syndrome in these
    digits: Digits
    deadline: Deadline

    def cheapest(self, rows: Indices, sums: Words, below: int) -> Residues | None:
        """The cheapest solution that candidates make, if it can cost less: uint8 (classes,).

        A digit that is left wrong costs at least 1, and with two levels no more.
        """
        left = self.digits.minus(self.wrong, sums)
        others = self.costs[self.others[rows], self.made[rows]].sum(axis=1)
        least = self.digits.weight(left) + np.rint(others).astype(np.int64)
        near = np.flatnonzero(least < below)
        if not len(near):
            return None
        if len(near) > COSTED:
            near = near[np.argpartition(least[near], COSTED)[:COSTED]]
        values = self.digits.unpack(left[near], len(self.chosen))
        cheapest = int((others[near] + self.costs[self.chosen, values].sum(axis=1)).argmin())
        multiples = np.zeros(len(self.costs), np.uint8)
        multiples[self.chosen] = values[cheapest]
        taken = rows[near[cheapest]]  # perhaps twice the same
        np.add.at(multiples, self.others[taken], self.made[taken])
        return multiples % np.uint8(self.digits.q)

    def candidates(self, rng: np.random.Generator, known: int) -> Iterator[tuple[Indices, Words]]:
        """Rows of 0, 1, 2 and 4 others (candidates, count), and their sums (candidates, words)."""
        yield np.zeros((1, 0), np.int64), np.zeros((1, len(self.wrong)), np.uint64)
        count = len(self.vectors)
        if not count:
            return
        yield np.arange(count)[:, None], self.vectors
        few, many = self._agreements()
        mask = self.digits.mask(few)
        yield self._pairs(mask, self.wrong[0] & mask)
        if known > 4 and (many - few) * math.log2(self.digits.q) >= MIN_BITS_OF_FOURS:
            yield self._fours(mask, self.digits.mask(many), rng)

    def _agreements(self) -> tuple[int, int]:
        # In how many digits pairs must agree, and fours, so that about `TRIED` of them are left.
        pairs, base = len(self.vectors) ** 2 / 2, math.log(self.digits.q)
        few = max(0, round(math.log(max(1, pairs) / TRIED) / base))
        listed = pairs / self.digits.q**few
        many = few + max(0, round(math.log(max(1, listed**2 / TRIED)) / base))
        return few, min(many, self.digits.per_word)

    def _fours(
        self, mask: np.uint64, all_digits: np.uint64, rng: np.random.Generator
    ) -> tuple[Indices, Words]:
        # Two lists of pairs whose keys sum to what is aimed at, then agreement in further digits.
        digits, aim = self.digits, self.wrong[0]
        half = self.vectors[rng.integers(len(self.vectors)), 0] & mask
        rest = digits.minus(aim, half) & mask
        (ours, sums), (theirs, others) = (self._pairs(mask, key) for key in (half, rest))
        wanted = digits.minus(aim, others[:, 0]) & all_digits
        return _joined(
            (np.hstack([ours[first], theirs[second]]), digits.plus(sums[first], others[second]))
            for first, second in _matching(sums[:, 0] & all_digits, wanted, self.deadline)
        )

    def _pairs(self, mask: np.uint64, total: Words | np.uint64) -> tuple[Indices, Words]:
        # Pairs first < second (pairs, 2) whose keys sum to ``total``, and their sums.
        keys = self.vectors[:, 0] & mask
        matching = _matching(keys, self.digits.minus(total, keys) & mask, self.deadline)
        rising = ((first[first < second], second[first < second]) for first, second in matching)
        return _joined(
            (
                np.column_stack([first, second]),
                self.digits.plus(self.vectors[first], self.vectors[second]),
            )
            for first, second in rising
        )


def _choose(
    classes: ColumnClasses,
    costs: Costs,
    syndrome: Residues,
    rng: np.random.Generator,
    deadline: Deadline,
) -> _Choice:
    digits = Digits(classes.q)
    chosen, recombination = _choose_columns(classes, rng)
    others = np.delete(np.arange(len(classes)), chosen)
    columns = digits.combined(classes.columns[others], recombination, deadline.look)
    made, vectors = rng.integers(1, digits.q, len(others), np.uint8), columns
    for multiple in range(2, digits.q):
        more = made >= multiple
        vectors = np.where(more[:, None], digits.plus(vectors, columns), vectors)
    return _Choice(
        costs=costs,
        chosen=chosen,
        others=others,
        made=made,
        vectors=vectors,
        wrong=digits.combined(digits.pack(syndrome[None]), recombination)[0],
        digits=digits,
        deadline=deadline,
    )


def _choose_columns(classes: ColumnClasses, rng: np.random.Generator) -> tuple[Indices, Residues]:
    # Random independent columns, int (checks,), and what makes unit vectors of them: the
    # recombination, uint8 (checks, checks).
    order = rng.permutation(len(classes))
    chosen, inverted = Digits(classes.q).basis_among(classes.columns, order, classes.checks)
    return chosen, np.ascontiguousarray(inverted.T)


def _joined(parts: Iterable[tuple[Indices, Words]]) -> tuple[Indices, Words]:
    rows, sums = zip(*parts, strict=True)
    return np.concatenate(rows), np.concatenate(sums)


def _matching(ours: Words, theirs: Words, deadline: Deadline) -> Iterator[tuple[Indices, Indices]]:
    # All places with ours[first] == theirs[second], but at most four times `TRIED`, part by part.
    # Keys are looked up in ascending order, which is kind to the cache.
    order = _stable_order(theirs, deadline)
    lines, found = theirs[order], 0
    for begun in range(0, max(1, len(ours)), LOOKED_UP):
        deadline.look()
        places = np.arange(begun, min(begun + LOOKED_UP, len(ours)))
        keys = ours[places]
        by_key = np.argsort(keys)
        start, end = np.empty((2, len(keys)), np.intp)
        start[by_key] = np.searchsorted(lines, keys[by_key], "left")
        end[by_key] = np.searchsorted(lines, keys[by_key], "right")
        counts = end - start
        reached = found + np.cumsum(counts)
        found += int(counts.sum())
        counts[reached > 4 * TRIED] = 0
        first = np.repeat(places, counts)
        offsets = np.arange(len(first)) - np.repeat(np.cumsum(counts) - counts, counts)
        yield first, order[np.repeat(start, counts) + offsets]


def _stable_order(keys: Words, deadline: Deadline) -> Indices:
    # As `np.argsort` has it, by 16 bits at a time, the lowest first: each pass is a fast one.
    order = np.arange(len(keys))
    for shift in range(0, int(keys.max(initial=0)).bit_length(), 16):
        deadline.look()
        digits = (keys[order] >> np.uint64(shift)).astype(np.uint16)
        order = order[np.argsort(digits, kind="stable")]
    return order
