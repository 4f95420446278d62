"""Nearest accessible by weight: does one class explain the syndrome, do two, three, four, five?

The fewest classes that explain a syndrome are few: about the smallest w with
``binomial(classes, w) >= 2**nullity``.  So they are looked for one at a time, in pairs, and then
among all sums of two classes: a class and a pair make 3, two pairs make 4, and with one class
after the other fixed, two pairs make 5.  What such a search does not find is not there: the bound.

The checks are first recombined so that the syndrome is 1: only the lowest bit is set.  Two sums
then make a solution exactly when they differ in the lowest bit only, and stand side by side when
sorted.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from lightsanim.solve.components import PackedColumns
from lightsanim.solve.parity_checks import Indices, recombine
from lightsanim.system.deadline import Deadline

Lines = NDArray[np.uint64]  # (classes,): columns of at most 64 check bits
Solutions = NDArray[np.int64]  # (solutions, weight): classes

# Sums of pairs that are held at a time: 64 MB, and about as much again to sort them.
CHUNK = 1 << 23

# What the sum of a pair takes on a slow computer.
PAIR_SECONDS = 1e-7

# Solutions of one weight that are compared to find the one that shows least.
MAX_COMPARED = 2000

SYNDROME = np.uint64(1)


@dataclass(frozen=True, kw_only=True)
class Found:
    """What the search knows when it stops."""

    # int (weight,), the lightest solution found; None for none below ``known``.
    classes: Indices | None
    bound: int  # fewer classes than this do not explain the syndrome


def search_by_weight(
    words: PackedColumns,
    syndrome: PackedColumns,
    cost: NDArray[np.floating],
    known: int,
    deadline: Deadline,
) -> Found:
    """The fewest classes that explain a syndrome, where they are fewer than ``known``.

    ``words``: uint64 (classes, words), ``syndrome``: uint64 (words,), ``cost``: (classes,).

    >>> words, syndrome = np.array([[1], [2], [3]], np.uint64), np.array([3], np.uint64)
    >>> found = search_by_weight(words, syndrome, np.ones(3), 3, Deadline(1))
    >>> found.classes.tolist(), found.bound
    ([2], 1)
    """
    proven = 1
    for bound, solutions in _solutions_by_weight(words, syndrome, cost, deadline):
        proven = min(bound, known)
        true = solutions[(np.bitwise_xor.reduce(words[solutions], axis=1) == syndrome).all(axis=1)]
        if len(true) and true.shape[1] < known:
            return Found(classes=true[cost[true].sum(axis=1).argmin()], bound=proven)
        if proven == known:
            break
    return Found(classes=None, bound=proven)


def _solutions_by_weight(
    words: PackedColumns, syndrome: PackedColumns, cost: NDArray[np.floating], deadline: Deadline
) -> Iterator[tuple[int, Solutions]]:
    # Yields, weight by weight, a proven bound and candidates.  Where the columns are longer than a
    # word, candidates may be false.
    order, lines = _sorted_lines(words, syndrome)
    yield 1, order[np.flatnonzero(lines == SYNDROME)[:, None]]
    yield 2, order[_pairs_with_sum(lines, SYNDROME)]
    yield 3, np.zeros((0, 3), np.int64)
    triples, quads, complete = _triples_and_quads(lines, deadline)
    yield 3, order[triples]
    yield 4 if complete else 3, order[quads]
    if not complete:
        return
    yield 5, np.zeros((0, 5), np.int64)
    for one in np.argsort(cost, kind="stable"):
        if deadline.expired:
            return
        rest = np.delete(np.arange(len(words)), one)
        order, lines = _sorted_lines(words[rest], syndrome ^ words[one])
        _, quads, complete = _triples_and_quads(lines, deadline)
        if len(quads):
            fives = rest[order[quads]]
            yield 5, np.column_stack([fives, np.full(len(fives), one)])
        if not complete:
            return
    yield 6, np.zeros((0, 6), np.int64)


def _sorted_lines(words: PackedColumns, syndrome: PackedColumns) -> tuple[Indices, Lines]:
    """Each column as one word, in checks that are recombined so that the syndrome is 1, sorted.

    Columns of more than 64 bits are hashed linearly: what holds for all checks also holds for
    sums of random checks, and different columns get different words.
    """
    rng = np.random.default_rng(0)
    both = np.vstack([words, syndrome])
    while True:
        lines = both[:, 0]
        if words.shape[1] > 1:
            mix = rng.integers(0, 1 << 64, (64 * words.shape[1], 1), np.uint64, endpoint=False)
            lines = recombine(both, mix)[:, 0]
        if lines[-1] and (words.shape[1] == 1 or len(np.unique(lines[:-1])) == len(words)):
            lines = _aligned(lines[:-1], int(lines[-1]))
            order = np.argsort(lines)
            return order, lines[order]


def _aligned(lines: Lines, syndrome: int) -> Lines:
    # Add the syndrome's lowest check to its others, then exchange it for the lowest of all.
    lowest = (syndrome & -syndrome).bit_length() - 1
    place, others = np.uint64(lowest), np.uint64(syndrome ^ (1 << lowest))
    lines = lines ^ (lines >> place & SYNDROME) * others
    differ = (lines >> place ^ lines) & SYNDROME
    return lines ^ (differ | differ << place) if lowest else lines


def _triples_and_quads(lines: Lines, deadline: Deadline) -> tuple[Solutions, Solutions, bool]:
    """All solutions of 3 and 4 classes, by one pass through the sums of all pairs."""
    singles: list[int] = []  # each the one class of a triple whose others sum to it and 1
    sums: list[Lines] = []  # each even, with its odd neighbour also a sum
    done, pairs, limit = 0, len(lines) * (len(lines) - 1) // 2, deadline.part(1)
    allowed = deadline.allows(PAIR_SECONDS * pairs)
    for chunk in _chunks_of_sums(lines) if allowed else ():
        place = np.minimum(np.searchsorted(chunk, lines ^ SYNDROME), len(chunk) - 1)
        singles += np.flatnonzero(chunk[place] == lines ^ SYNDROME).tolist()
        beside = np.flatnonzero((chunk[1:] ^ chunk[:-1]) == SYNDROME)
        if sum(map(len, sums)) < MAX_COMPARED:
            sums.append(np.unique(chunk[beside]))
        done += len(chunk)
        if not limit.allows_rest(done / pairs):
            break  # a pass that cannot be completed in time proves nothing
    return _triples(lines, singles), _quads(lines, sums), done == pairs


def _triples(lines: Lines, singles: list[int]) -> Solutions:
    found = [
        np.column_stack([np.full(len(pairs), one), pairs])
        for one in singles[:MAX_COMPARED]
        if len(pairs := _pairs_with_sum(lines, lines[one] ^ SYNDROME))
    ]
    return np.concatenate(found) if found else np.zeros((0, 3), np.int64)


def _quads(lines: Lines, sums: list[Lines]) -> Solutions:
    found = []
    for even in np.concatenate([*sums, np.zeros(0, np.uint64)])[:MAX_COMPARED]:
        low, high = _pairs_with_sum(lines, even), _pairs_with_sum(lines, even ^ SYNDROME)
        found.append(np.hstack([low.repeat(len(high), axis=0), np.tile(high, (len(low), 1))]))
    return np.concatenate(found) if found else np.zeros((0, 4), np.int64)


def _pairs_with_sum(lines: Lines, total: np.uint64) -> Solutions:
    # All pairs of places, first < second, of sorted words whose sum is ``total``.
    partner = np.minimum(np.searchsorted(lines, lines ^ total), len(lines) - 1)
    first = np.flatnonzero(lines[partner] == lines ^ total)
    pairs = np.column_stack([first, partner[first]])
    return pairs[pairs[:, 0] < pairs[:, 1]]


def _chunks_of_sums(lines: Lines) -> Iterator[Lines]:
    """The sums of all pairs of sorted words, in sorted chunks.

    A chunk holds the sums with the same leading bits: of words in buckets by their own leading
    bits, each bucket meets the one bucket that gives those.
    """
    width = int(lines[-1]).bit_length()
    pairs = len(lines) * (len(lines) - 1) // 2
    bits = min(max(0, math.ceil(math.log2(max(pairs, 1) / CHUNK))), width - 1)
    edges = np.searchsorted(lines >> np.uint64(width - bits), np.arange((1 << bits) + 1))
    buckets = [lines[start:end] for start, end in pairwise(edges)]
    for lead in range(1 << bits):
        if lead:
            parts = [
                np.bitwise_xor.outer(bucket, buckets[b ^ lead]).ravel()
                for b, bucket in enumerate(buckets)
                if b < b ^ lead
            ]
        else:
            parts = [sums for bucket in buckets for sums in _sums_within(bucket)]
        chunk = np.concatenate([lines[:0], *parts])  # no parts where no bucket has two
        chunk.sort()
        if len(chunk):
            yield chunk


def _sums_within(words: Lines) -> Iterator[Lines]:
    # The sums of all pairs of one bucket: of its halves with each other, then within each.
    if len(words) < 2:
        return
    half = len(words) // 2
    yield np.bitwise_xor.outer(words[:half], words[half:]).ravel()
    yield from _sums_within(words[:half])
    yield from _sums_within(words[half:])
