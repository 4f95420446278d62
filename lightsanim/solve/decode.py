"""Information-set decoding: light answers where the nullity is too large to search by weight.

Choose as many independent columns as there are checks, at random, and recombine the checks so that
those columns become single bits.  Any few other classes then make an answer: the bits that they
leave wrong are put right by one of the chosen classes each.  So look for one, two or four others
that leave few bits wrong; pairs and fours are made to agree in some bits, as in the generalised
birthday problem, so that the rest is left to chance.  Then choose other columns.

Source: Prange 1962; Stern 1988; Wagner, "A generalized birthday problem", CRYPTO 2002.
"""

import math
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from lightsanim.algebra.linear import Bits
from lightsanim.solve.outcome import Deadline

Words = NDArray[np.uint64]  # (classes, words): columns of recombined checks
Indices = NDArray[np.int64]

# How many pairs, and how many fours, are looked at for one choice of columns.
MANY = 1 << 20


def decode(
    matrix: Bits,
    syndrome: Bits,
    known: Indices,
    bound: int,
    deadline: Deadline,
    on_better: Callable[[int], None] = lambda weight: None,
) -> Indices:
    """The lightest answer found until the time is up or ``bound`` is reached.

    Args:
        matrix: bool (nullity, classes), of full rank.
        syndrome: bool (nullity,).
        known: int (weight,), classes that explain the syndrome.
        bound: no answer is lighter than this.
        deadline: when to stop.
        on_better: told the weight of every lighter answer.

    Returns:
        int (weight,), classes that explain the syndrome.
    """
    rng, best, columns = np.random.default_rng(0), known, np.packbits(matrix.T, axis=1)
    while len(best) > bound and not deadline.expired:
        chosen, recombination = _choose_columns(matrix, rng)
        free = np.delete(np.arange(matrix.shape[1]), chosen)
        words = _recombine(columns[free], recombination)
        wrong = _recombine(np.packbits(syndrome)[None], recombination)[0]
        for others, sums in _candidates(words, wrong, rng):
            left = sums ^ wrong
            weights = np.bitwise_count(left).sum(axis=1, dtype=np.int64) + others.shape[1]
            lightest = int(weights.argmin())
            if weights[lightest] < len(best):
                bits = np.unpackbits(left[lightest].view(np.uint8), bitorder="little")
                both = np.concatenate([free[others[lightest]], chosen[np.flatnonzero(bits)]])
                best = np.flatnonzero(np.bincount(both) % 2)  # a class taken twice is not taken
                on_better(len(best))
            if deadline.expired:
                break
    return best


def _choose_columns(matrix: Bits, rng: np.random.Generator) -> tuple[Indices, Words]:
    """Random independent columns, and the recombination of checks that makes them single bits.

    Returns:
        int (nullity,), where column t becomes bit t; and (nullity, words), what each old check
        adds to the recombined ones.
    """
    k, order = len(matrix), rng.permutation(matrix.shape[1])
    tried = min(len(order), k + 64)
    while True:
        # Gauss and Jordan on the tried columns with the identity beside them.
        rows = np.packbits(np.hstack([matrix[:, order[:tried]], np.eye(k, dtype=bool)]), axis=1)
        pivots: list[int] = []
        for column in range(tried):
            bits = rows[:, column >> 3] >> (7 - (column & 7)) & 1 == 1
            below = np.flatnonzero(bits[len(pivots) :])
            if len(below):
                top = len(pivots)
                rows[[top, top + below[0]]] = rows[[top + below[0], top]]
                bits[[top, top + below[0]]] = bits[[top + below[0], top]]
                bits[top] = False
                rows[bits] ^= rows[top]
                pivots.append(column)
                if len(pivots) == k:
                    recombined = np.unpackbits(rows, axis=1, count=tried + k)[:, tried:]
                    return order[pivots], _packed_words(recombined.T)
        tried = min(len(order), 2 * tried)


def _packed_words(bits: NDArray[np.uint8]) -> Words:
    # Rows of bits as rows of words, bit t of a row in word t // 64.
    octets = np.packbits(bits, axis=1, bitorder="little")
    words = np.zeros((len(bits), -(-octets.shape[1] // 8) * 8), np.uint8)
    words[:, : octets.shape[1]] = octets
    return words.view(np.uint64)


def _recombine(columns: NDArray[np.uint8], recombination: Words) -> Words:
    """Columns (n, packed checks) in recombined checks, (n, words); a table for each byte."""
    words = np.zeros((len(columns), recombination.shape[1]), np.uint64)
    for byte in range(columns.shape[1]):
        table = np.zeros((256, recombination.shape[1]), np.uint64)
        for bit, check in enumerate(recombination[8 * byte : 8 * byte + 8]):
            values = np.arange(256) >> (7 - bit) & 1 == 1
            table[values] ^= check
        words ^= table[columns[:, byte]]
    return words


def _candidates(
    words: Words, wrong: NDArray[np.uint64], rng: np.random.Generator
) -> Iterator[tuple[Indices, Words]]:
    """Rows of 0, 1, 2 and 4 classes (candidates, count), and their sums (candidates, words)."""
    yield np.zeros((1, 0), np.int64), np.zeros((1, words.shape[1]), np.uint64)
    if not len(words):
        return
    yield np.arange(len(words))[:, None], words
    agree = max(0, round(math.log2(len(words) ** 2 / 2 / MANY)))
    mask = np.uint64((1 << agree) - 1)
    keys, want = words[:, 0] & mask, wrong[0] & mask
    pairs = _pairs_with_key(keys, want)
    if len(pairs):
        yield pairs, words[pairs[:, 0]] ^ words[pairs[:, 1]]
    # Fours: two lists of pairs whose keys sum to what is wanted, then agreement in further bits.
    half = rng.integers(0, int(mask) + 1, dtype=np.uint64)
    lists = [_pairs_with_key(keys, key) for key in (half, half ^ want)]
    sums = [words[pairs[:, 0]] ^ words[pairs[:, 1]] for pairs in lists]
    further = max(0, round(math.log2(max(1, len(lists[0]) * len(lists[1])) / MANY)))
    mask = np.uint64((1 << min(agree + further, 63)) - 1)
    first, second = _matching(sums[0][:, 0] & mask, (sums[1][:, 0] ^ wrong[0]) & mask)
    if len(first):
        yield np.hstack([lists[0][first], lists[1][second]]), sums[0][first] ^ sums[1][second]


def _pairs_with_key(keys: NDArray[np.uint64], total: np.uint64) -> Indices:
    # Pairs first < second (pairs, 2) whose keys sum to ``total``.
    first, second = _matching(keys, keys ^ total)
    return np.column_stack([first, second])[first < second]


def _matching(ours: NDArray[np.uint64], theirs: NDArray[np.uint64]) -> tuple[Indices, Indices]:
    # All places with ours[first] == theirs[second], but not many more than `MANY`.
    order = np.argsort(theirs, kind="stable")
    lines = theirs[order]
    start, end = np.searchsorted(lines, ours, "left"), np.searchsorted(lines, ours, "right")
    counts = end - start
    counts[np.cumsum(counts) > 4 * MANY] = 0
    first = np.repeat(np.arange(len(ours)), counts)
    offsets = np.arange(len(first)) - np.repeat(np.cumsum(counts) - counts, counts)
    return first, order[np.repeat(start, counts) + offsets]
