"""Count the presses of a click set plus each combination of quiet patterns, block by block.

A press count is a sum over classes of cells.  After adding the combination c, a class with column U
has f(<c, U>) presses, where f(s) counts its cells' presses when s times their factor is added to
each, modulo q.  In characters, ``f(s) = sum over w of f^(w) exp(2 pi i w s / q)``; so one Fourier
transform over GF(q)**k, of the table with f^(w) at position w U, gives the counts of all c.  For
large k, each transform is over the first digits of c only; a block fixes the other digits.

With two levels this is a Walsh-Hadamard transform of integers: a count is half of
``sum over U of (f(0) + f(1)) + sum over U of (f(0) - f(1)) (-1)**<c, U>``.  That takes k 2**k
additions instead of 2**k popcounts of the board.  Its own kernel, whose blocks fit the processor's
cache, is several times as fast as the general one.
"""

import math
from collections.abc import Iterable, Iterator
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from lightsanim.game.algebra.digits import DigitPacking, Words
from lightsanim.game.algebra.modular import Residues, mod_product
from .cell_classes import Table, walsh_hadamard

Minima = Iterator[tuple[int, Residues]]  # Fewest presses, and the combination of patterns.

# Maximum combinations per Fourier transform (more than two levels); the table fits the CPU's cache.
BLOCK_SIZE = 120_000
# With two levels, a block is a table of 2**LOW_BITS rows, one for each value of the lowest bits of
# a combination, and 2**MIDDLE_BITS columns for its next bits.  It takes 1 MB as int16.
LOW_BITS = 12
MIDDLE_BITS = 7
# Number of table rows filled at a time, which bounds the memory on large boards.
CHUNK_ROWS = 256
# Estimated seconds for the transform of a block with more than two levels, on a slow computer.
FOURIER_SECONDS = 0.01
# Estimated seconds with two levels on a slow computer: per class, per block, per class * block.
SORT_SECONDS, HADAMARD_SECONDS, FILL_SECONDS = 4e-7, 1.3e-3, 1.5e-7

CountTable = NDArray[np.integer]  # int16, or int32 for large press counts.


def digits_per_block(q: int) -> int:
    """Return how many of a combination's coefficients vary within a block."""
    if q == 2:
        return LOW_BITS + MIDDLE_BITS
    return int(math.log(BLOCK_SIZE, q))


def weighing_seconds(q: int, classes: int, blocks: int) -> float:
    """Estimate the duration of `min_weights` on a slow computer, in seconds."""
    if q > 2:
        return blocks * FOURIER_SECONDS
    return SORT_SECONDS * classes + blocks * (HADAMARD_SECONDS + FILL_SECONDS * classes)


def min_weights(columns: Words, count: int, table: Table, numbers: Iterable[int] = (0,)) -> Minima:
    """Yield each block's lowest press count, and the combination of patterns that reaches it.

    ``columns`` is (classes, words), with ``count`` digits, which for two levels fit one word.  The
    coefficients that a block fixes are the digits of its number in base q, lowest first.
    """
    kernel = _weigh_by_hadamard if table.shape[1] == 2 else _weigh_by_fourier
    return kernel(columns, count, table, numbers)


def _digits_in_base(number: int, count: int, q: int) -> Residues:
    # Write a number in base q, lowest digit first.
    return (number // q ** np.arange(count) % q).astype(np.uint8)


def _weigh_by_fourier(words: Words, count: int, table: Table, numbers: Iterable[int]) -> Minima:
    q = table.shape[1]
    columns = DigitPacking(q).unpack(words, count)
    low = min(count, digits_per_block(q))
    waves, half = np.arange(q), q // 2 + 1
    # Compute the index of each multiple w U of a column U in a block's table.  The last axis is the
    # first digit; half of it is enough, as the table of real press counts is symmetric.
    positions, stride = np.zeros((len(columns), q), np.intp), 1
    for digit, size in zip(columns.T[:low], [half] + [q] * low, strict=False):
        positions += np.multiply.outer(digit, waves) % q * stride
        stride *= size
    needed = np.multiply.outer(columns[:, 0], waves) % q < half
    positions = positions[needed]
    spectrum = np.fft.fft(table, axis=1) / q
    roots = np.exp(2j * np.pi * waves / q)
    for block in numbers:
        rest = _digits_in_base(block, count - low, q)
        added = mod_product(columns[:, low:], rest[:, None], q)[:, 0]
        phases = np.multiply.outer(added.astype(np.int64), waves)
        terms = (spectrum * roots[phases % q])[needed]
        real, imaginary = (
            np.bincount(positions, weights=part, minlength=half * q ** (low - 1))
            for part in (terms.real, terms.imag)
        )
        counts = np.fft.irfftn(
            (real + 1j * imaginary).reshape(*(q,) * (low - 1), half),
            s=(q,) * low,
            axes=range(low),
            norm="forward",
        )
        lightest = int(counts.argmin())
        combination = np.concatenate([_digits_in_base(lightest, low, q), rest])
        yield round(float(counts.flat[lightest])), combination


def _weigh_by_hadamard(words: Words, k: int, table: Table, numbers: Iterable[int]) -> Minima:
    low_bits = min(k, LOW_BITS)
    middle_bits = min(k - low_bits, MIDDLE_BITS)
    total = int(table.sum())
    low, rest, sums = _merge_equal_columns(words[:, 0].view(np.int64), k, table, low_bits)
    middle, high = (rest & (1 << middle_bits) - 1).astype(np.int16), rest >> middle_bits
    low = low.astype(np.int16)
    starts = np.flatnonzero(np.append(True, low[1:] != low[:-1]))
    hadamard = _hadamard_matrix(middle_bits)
    filled, spare = np.empty((2, 1 << low_bits, 1 << middle_bits), sums.dtype)
    for block in numbers:
        signs = 1 - 2 * (np.bitwise_count(high & block) & 1).astype(np.int8)
        filled.fill(0)
        for first in range(0, len(starts), CHUNK_ROWS):
            heads = starts[first : first + CHUNK_ROWS]
            last = starts[first + CHUNK_ROWS] if first + CHUNK_ROWS < len(starts) else len(low)
            part = slice(heads[0], last)
            terms = hadamard[middle[part]] * (sums[part] * signs[part])[:, None]
            filled[low[heads]] = np.add.reduceat(terms, heads - heads[0], dtype=sums.dtype)
        transformed = walsh_hadamard(filled, spare)
        lightest = int(transformed.argmax())
        row, column = divmod(lightest, 1 << middle_bits)
        combination = row | column << low_bits | block << (low_bits + middle_bits)
        yield (total - int(transformed.flat[lightest])) // 2, _digits_in_base(combination, k, 2)


def _merge_equal_columns(
    columns: NDArray[np.int64], k: int, table: Table, low_bits: int
) -> tuple[NDArray[np.integer], NDArray[np.int64], CountTable]:
    # Merge equal columns; return their low bits (ascending), other bits, and changes of presses.
    other_bits = k - low_bits
    keys = (columns & (1 << low_bits) - 1) << other_bits | columns >> low_bits
    distinct, class_of = np.unique(keys, return_inverse=True)
    sums = np.bincount(class_of, weights=table[:, 1] - table[:, 0], minlength=len(distinct))
    counts = sums.astype(np.int16) if table.sum() < 1 << 15 else sums.astype(np.int32)
    return distinct >> other_bits, distinct & (1 << other_bits) - 1, counts


@lru_cache(maxsize=MIDDLE_BITS + 1)
def _hadamard_matrix(bits: int) -> NDArray[np.int8]:
    numbers = np.arange(1 << bits)
    odd = np.bitwise_count(numbers[:, None] & numbers) & 1
    return np.asarray(1 - 2 * odd.astype(np.int8))
