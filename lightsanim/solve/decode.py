"""Information-set decoding: light solutions where the nullity is too large to search by weight.

Choose as many independent columns as there are checks, at random, and recombine the checks so that
those columns become single bits.  Any few other classes then make a solution: the bits that they
leave wrong are put right by one of the chosen classes each.  So look for one, two, four or eight
others that leave few bits wrong; pairs, fours and eights are made to agree in some bits, as in the
generalised birthday problem, so that the rest is left to chance.  Two lists of fours make many
lists of eights, each by agreement in other bits.  Then choose other columns.

Source: Prange 1962; Stern 1988; Wagner, "A generalized birthday problem", CRYPTO 2002.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from lightsanim.solve.components import PackedColumns
from lightsanim.solve.parity_checks import Indices, pack_words, recombine, unpack_words
from lightsanim.system.deadline import Deadline, TimeUpError

# Approximate number of pairs, and of fours, that are tried for one choice of columns.
TRIED = 1 << 20

# Eights agree in two windows of so many bits: a table of the fours by what they show there has
# `TRIED` places.
WINDOW = 10

# Of the first so many eights of a table, those as light in one word as the so-manieth are weighed.
SAMPLE, LIGHT = 4096, 10

# Parts of a list of keys; before each the clock is looked at.
PARTS = 32

# What steps take on a slow computer: a choice of columns for each class and check, and a candidate
# of 0, 1, 2 or 4 classes for columns of a word, and a third more for each further word; an eight
# is the lightest of a table.
CHOICE_SECONDS = 5e-9
CANDIDATE_SECONDS = {0: 0.0, 1: 1e-7, 2: 1e-7, 4: 6e-7, 8: 0.012}


def explain(words: PackedColumns, nullity: int, syndrome: PackedColumns) -> Indices:
    """Some classes, at most ``nullity``, that explain a syndrome: int (weight,).

    ``words``: uint64 (classes, words), ``syndrome``: uint64 (words,).
    """
    chosen, recombination = _choose_columns(words, nullity, np.random.default_rng(0))
    wrong = recombine(syndrome[None], recombination)
    return np.sort(chosen[unpack_words(wrong, nullity)[0]])


def decode(
    words: PackedColumns,
    nullity: int,
    syndrome: PackedColumns,
    known: Indices,
    bound: int,
    deadline: Deadline,
    on_better: Callable[[int], None] = lambda weight: None,
) -> Indices:
    """The lightest solution found until the time is up or ``bound`` is reached.

    ``words``: uint64 (classes, words), ``syndrome``: uint64 (words,), ``known``: int (weight,),
    returns int (weight,).
    """
    rng, best = np.random.default_rng(0), known
    with suppress(TimeUpError):
        while len(best) > bound and not deadline.expired:
            deadline.spend(CHOICE_SECONDS * len(words) * nullity)
            chosen, recombination = _choose_columns(words, nullity, rng)
            free = np.delete(np.arange(len(words)), chosen)
            columns = recombine(words[free], recombination, deadline.look)
            wrong = recombine(syndrome[None], recombination)[0]
            for others, sums in _candidates(columns, nullity, wrong, rng, len(best), deadline):
                count, width = others.shape[1], sums.shape[1]
                deadline.spend(CANDIDATE_SECONDS[count] * len(sums) * (2 + width) / 3)
                left = sums ^ wrong
                weights = np.bitwise_count(left).sum(axis=1, dtype=np.int64) + count
                lightest = int(weights.argmin())
                if weights[lightest] < len(best):
                    single = chosen[unpack_words(left[lightest][None], nullity)[0]]
                    both = np.concatenate([free[others[lightest]], single])
                    best = np.flatnonzero(np.bincount(both) % 2)  # a class taken twice is not taken
                    on_better(len(best))
                if len(best) == bound or deadline.expired:
                    break
    return best


def _choose_columns(
    words: PackedColumns, nullity: int, rng: np.random.Generator
) -> tuple[Indices, PackedColumns]:
    """Random independent columns, and the recombination of checks that makes them single bits.

    Returns int (nullity,).
    """
    order, tried = rng.permutation(len(words)), nullity + 64
    while True:
        # Gauss and Jordan on the tried columns, with the identity beside them.
        columns = unpack_words(words[order[:tried]], nullity).T
        rows = np.packbits(np.hstack([columns, np.eye(nullity, dtype=bool)]), axis=1)
        pivots: list[int] = []
        for column in range(columns.shape[1]):
            bits = rows[:, column >> 3] >> (7 - (column & 7)) & 1 == 1
            below = np.flatnonzero(bits[len(pivots) :])
            if len(below):
                swap = [len(pivots), len(pivots) + int(below[0])]
                rows[swap], bits[swap] = rows[swap[::-1]], bits[swap[::-1]]
                bits[len(pivots)] = False
                rows[bits] ^= rows[len(pivots)]
                pivots.append(column)
            if len(pivots) == nullity:
                reduced = np.unpackbits(rows, axis=1, count=columns.shape[1] + nullity)
                return order[pivots], pack_words(reduced[:, columns.shape[1] :].T.view(bool))
        tried *= 2


def _candidates(
    words: PackedColumns,
    nullity: int,
    wrong: NDArray[np.uint64],
    rng: np.random.Generator,
    known: int,
    deadline: Deadline,
) -> Iterator[tuple[Indices, PackedColumns]]:
    """Rows of 0, 1, 2, 4 and 8 classes (candidates, count), and their sums (candidates, words).

    None of more classes than are ``known`` to do.
    """
    yield np.zeros((1, 0), np.int64), np.zeros((1, words.shape[1]), np.uint64)
    if not len(words):
        return
    yield np.arange(len(words))[:, None], words
    few = _agreement(len(words) ** 2 / 2)
    mask = np.uint64((1 << few) - 1)
    pairs, sums = _pairs(words, words[:, 0] & mask, wrong[0] & mask, deadline)
    if len(pairs):
        yield pairs, sums
    if known > 4:
        others, sums = _fours(words, wrong[0], rng, deadline)
        if len(others):
            yield others, sums
    if known > 8:
        yield from _eights(words, nullity, wrong, rng, deadline)


def _agreement(candidates: float) -> int:
    # In how many bits candidates must agree so that about `TRIED` of them are left.
    return max(0, round(math.log2(max(1, candidates) / TRIED)))


def _bits_of_fours(classes: int) -> tuple[int, int]:
    # In how many bits the pairs of fours agree, and the fours.
    few = _agreement(classes**2 / 2)
    return few, min(63, few + _agreement((classes**2 / 2 ** (few + 1)) ** 2))


def _fours(
    words: PackedColumns, aim: np.uint64, rng: np.random.Generator, deadline: Deadline
) -> tuple[Indices, PackedColumns]:
    # Two lists of pairs whose keys sum to what is aimed at, then agreement in further bits.
    mask, all_bits = (np.uint64((1 << bits) - 1) for bits in _bits_of_fours(len(words)))
    keys = words[:, 0] & mask
    half = rng.integers(0, int(mask) + 1, dtype=np.uint64)
    (ours, sums), (theirs, others) = (
        _pairs(words, keys, key, deadline) for key in (half, half ^ (aim & mask))
    )
    matching = _matching(sums[:, 0] & all_bits, (others[:, 0] ^ aim) & all_bits, deadline)
    return _joined(
        (np.hstack([ours[first], theirs[second]]), sums[first] ^ others[second])
        for first, second in matching
    )


def _eights(
    words: PackedColumns,
    nullity: int,
    wrong: NDArray[np.uint64],
    rng: np.random.Generator,
    deadline: Deadline,
) -> Iterator[tuple[Indices, PackedColumns]]:
    """The lightest of each of many tables of about a million eights: rows (1, 8) and (1, words).

    Two lists of fours agree in their low bits; those that agree in two windows of the others are
    found by a table, of which each place holds the last four that belongs there, or any.
    """
    starts = range(_bits_of_fours(len(words))[1], nullity - WINDOW + 1, WINDOW // 2)
    windows = [divmod(bit, 64) for bit in starts if bit % 64 + WINDOW <= 64]
    both = [(a, b) for a, b in combinations(windows, 2) if a[0] < b[0] or a[1] + WINDOW <= b[1]]
    if not both:
        return
    aim = rng.integers(0, 1 << 64, dtype=np.uint64, endpoint=False)
    (first, ours), (second, theirs) = (
        _fours(words, low, rng, deadline) for low in (aim, aim ^ wrong[0])
    )
    if not len(first) or not len(second):
        return
    ours, theirs = np.ascontiguousarray(ours.T), np.ascontiguousarray((theirs ^ wrong).T)
    fullest = 1 if nullity >= 128 else 0
    numbers = np.arange(theirs.shape[1], dtype=np.int32)
    places, shown = np.zeros(1 << 2 * WINDOW, np.int32), np.zeros(1 << 2 * WINDOW, np.uint64)
    for number in rng.permutation(len(both)):
        keys = _keys(theirs, both[number])
        places[keys], shown[keys] = numbers, theirs[fullest]
        keys = _keys(ours, both[number])
        part = np.bitwise_count(ours[fullest] ^ shown[keys])
        light = np.flatnonzero(part <= np.partition(part[:SAMPLE], LIGHT)[LIGHT])
        partner = places[keys[light]]
        sums = ours[:, light] ^ theirs[:, partner]
        best = int(np.bitwise_count(sums).sum(axis=0, dtype=np.int64).argmin())
        others = np.append(first[light[best]], second[partner[best]])
        yield others[None], (sums[:, best] ^ wrong)[None]


def _keys(sums: PackedColumns, windows: tuple[tuple[int, int], tuple[int, int]]) -> Indices:
    # What columns (words, n) show in two windows, each of some bits of a word.
    mask = np.uint64((1 << WINDOW) - 1)
    (word, bit), (other, place) = windows
    low, high = sums[word] >> np.uint64(bit) & mask, sums[other] >> np.uint64(place) & mask
    keys: Indices = (low | high << np.uint64(WINDOW)).view(np.int64)
    return keys


def _pairs(
    words: PackedColumns, keys: NDArray[np.uint64], total: np.uint64, deadline: Deadline
) -> tuple[Indices, PackedColumns]:
    # Pairs first < second (pairs, 2) whose keys sum to ``total``, and their sums.
    matching = _matching(keys, keys ^ total, deadline)
    rising = ((first[first < second], second[first < second]) for first, second in matching)
    return _joined(
        (np.column_stack([first, second]), words[first] ^ words[second]) for first, second in rising
    )


def _joined(parts: Iterable[tuple[Indices, PackedColumns]]) -> tuple[Indices, PackedColumns]:
    rows, sums = zip(*parts, strict=True)
    return np.concatenate(rows), np.concatenate(sums)


def _matching(
    ours: NDArray[np.uint64], theirs: NDArray[np.uint64], deadline: Deadline
) -> Iterator[tuple[Indices, Indices]]:
    # All places with ours[first] == theirs[second], but at most four times `TRIED`, part by part.
    # Keys are looked up in ascending order, which is kind to the cache.
    order = _stable_order(theirs, deadline)
    lines, found = theirs[order], 0
    for places in np.array_split(np.arange(len(ours)), PARTS):
        deadline.look()
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


def _stable_order(keys: NDArray[np.uint64], deadline: Deadline) -> Indices:
    # As `np.argsort` has it, by 16 bits at a time, the lowest first: each pass is a fast one.
    order = np.arange(len(keys))
    for shift in range(0, int(keys.max(initial=0)).bit_length(), 16):
        deadline.look()
        digits = (keys[order] >> np.uint64(shift)).astype(np.uint16)
        order = order[np.argsort(digits, kind="stable")]
    return order
