"""Information-set decoding: light solutions where the nullity is too large to search by weight.

Choose as many independent columns as there are checks, at random, and recombine the checks so that
those columns become single bits.  Any few other classes then make a solution: the bits that they
leave wrong are put right by one of the chosen classes each.  So look for one, two or four others
that leave few bits wrong; pairs and fours are made to agree in some bits, as in the generalised
birthday problem, so that the rest is left to chance.  Then choose other columns.

Source: Prange 1962; Stern 1988; Wagner, "A generalized birthday problem", CRYPTO 2002.
"""

import math
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from lightsanim.deadline import Deadline
from lightsanim.solve.components import Words
from lightsanim.solve.parity_checks import Indices, pack_words, recombine, unpack_words

# Approximate number of pairs, and of fours, that are tried for one choice of columns.
TRIED = 1 << 20

# What steps take on a slow computer: a choice of columns for each class and check, and a candidate
# of 0, 1, 2 or 4 classes for columns of a word, and a third more for each further word.
CHOICE_SECONDS = 5e-9
CANDIDATE_SECONDS = {0: 0.0, 1: 1e-7, 2: 1e-7, 4: 1.1e-6}


def explain(words: Words, nullity: int, syndrome: Words) -> Indices:
    """Some classes, at most ``nullity``, that explain a syndrome: int (weight,).

    Args:
        words: uint64 (classes, words), columns of check bits that span all checks.
        nullity: how many checks there are.
        syndrome: uint64 (words,).
    """
    chosen, recombination = _choose_columns(words, nullity, np.random.default_rng(0))
    wrong = recombine(syndrome[None], recombination)
    return np.sort(chosen[unpack_words(wrong, nullity)[0]])


def decode(
    words: Words,
    nullity: int,
    syndrome: Words,
    known: Indices,
    bound: int,
    deadline: Deadline,
    on_better: Callable[[int], None] = lambda weight: None,
) -> Indices:
    """The lightest solution found until the time is up or ``bound`` is reached.

    Args:
        words: uint64 (classes, words), columns of check bits that span all checks.
        nullity: how many checks there are.
        syndrome: uint64 (words,).
        known: int (weight,), classes that explain the syndrome.
        bound: no solution is lighter than this.
        deadline: when to stop.
        on_better: told the weight of every lighter solution.

    Returns:
        int (weight,), classes that explain the syndrome.
    """
    rng, best = np.random.default_rng(0), known
    while len(best) > bound and not deadline.expired:
        deadline.spend(CHOICE_SECONDS * len(words) * nullity)
        chosen, recombination = _choose_columns(words, nullity, rng)
        free = np.delete(np.arange(len(words)), chosen)
        columns = recombine(words[free], recombination)
        wrong = recombine(syndrome[None], recombination)[0]
        for others, sums in _candidates(columns, wrong, rng):
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


def _choose_columns(words: Words, nullity: int, rng: np.random.Generator) -> tuple[Indices, Words]:
    """Random independent columns, and the recombination of checks that makes them single bits.

    Returns:
        int (nullity,), the column that becomes bit t; and (nullity, words), what each old check
        adds to the recombined ones.
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
    words: Words, wrong: NDArray[np.uint64], rng: np.random.Generator
) -> Iterator[tuple[Indices, Words]]:
    """Rows of 0, 1, 2 and 4 classes (candidates, count), and their sums (candidates, words)."""
    yield np.zeros((1, 0), np.int64), np.zeros((1, words.shape[1]), np.uint64)
    if not len(words):
        return
    yield np.arange(len(words))[:, None], words
    agree = max(0, round(math.log2(len(words) ** 2 / 2 / TRIED)))
    mask = np.uint64((1 << agree) - 1)
    keys, want = words[:, 0] & mask, wrong[0] & mask
    pairs = _pairs_with_key(keys, want)
    if len(pairs):
        yield pairs, words[pairs[:, 0]] ^ words[pairs[:, 1]]
    # Fours: two lists of pairs whose keys sum to what is wanted, then agreement in further bits.
    half = rng.integers(0, int(mask) + 1, dtype=np.uint64)
    lists = [_pairs_with_key(keys, key) for key in (half, half ^ want)]
    sums = [words[pairs[:, 0]] ^ words[pairs[:, 1]] for pairs in lists]
    further = max(0, round(math.log2(max(1, len(lists[0]) * len(lists[1])) / TRIED)))
    mask = np.uint64((1 << min(agree + further, 63)) - 1)
    first, second = _matching(sums[0][:, 0] & mask, (sums[1][:, 0] ^ wrong[0]) & mask)
    if len(first):
        yield np.hstack([lists[0][first], lists[1][second]]), sums[0][first] ^ sums[1][second]


def _pairs_with_key(keys: NDArray[np.uint64], total: np.uint64) -> Indices:
    # Pairs first < second (pairs, 2) whose keys sum to ``total``.
    first, second = _matching(keys, keys ^ total)
    return np.column_stack([first, second])[first < second]


def _matching(ours: NDArray[np.uint64], theirs: NDArray[np.uint64]) -> tuple[Indices, Indices]:
    # All places with ours[first] == theirs[second], but at most four times `TRIED`.
    order = np.argsort(theirs, kind="stable")
    lines = theirs[order]
    start, end = np.searchsorted(lines, ours, "left"), np.searchsorted(lines, ours, "right")
    counts = end - start
    counts[np.cumsum(counts) > 4 * TRIED] = 0
    first = np.repeat(np.arange(len(ours)), counts)
    offsets = np.arange(len(first)) - np.repeat(np.cumsum(counts) - counts, counts)
    return first, order[np.repeat(start, counts) + offsets]
