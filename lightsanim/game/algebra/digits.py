"""Vectors over GF(q) packed into 64-bit words, so that one operation adds many digits.

A digit takes 1 bit over GF(2), 3 over GF(3) and 4 over GF(5) and GF(7).  Digit t of a vector is in
word t // per_word and starts at bit t % per_word * bits; the unused bits of a word are 0.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .modular import Indices, Residues, mod_inverse

Words = NDArray[np.uint64]

# Factor for multiplicative hashing: 2**64 divided by the golden ratio.
HASH_FACTOR = np.uint64(0x9E3779B97F4A7C15)
# The first attempt to find a basis examines this many more columns than the dimension.
EXTRA_COLUMNS = 64


@dataclass(frozen=True)
class DigitPacking:
    """Arithmetic on packed vectors over GF(q); q is 2, 3, 5 or 7."""

    q: int

    @cached_property
    def bits_per_digit(self) -> int:
        """The number of bits that a digit takes."""
        return {2: 1, 3: 3}.get(self.q, 4)

    @cached_property
    def digits_per_word(self) -> int:
        """The number of digits in a word."""
        return 64 // self.bits_per_digit

    @cached_property
    def all_ones_word(self) -> np.uint64:
        """The word whose digits are all 1."""
        width = self.bits_per_digit
        return np.uint64(sum(1 << width * slot for slot in range(self.digits_per_word)))

    def first_digits_mask(self, digits: int) -> np.uint64:
        """Return a mask of the first ``digits`` digits of a word, or of all if there are fewer."""
        return np.uint64((1 << self.bits_per_digit * min(digits, self.digits_per_word)) - 1)

    def pack(self, residues: NDArray[Any]) -> Words:
        """Pack vectors, bool or uint8 (..., digits), into words, (..., words)."""
        size = -(-residues.shape[-1] // self.digits_per_word)
        words = np.zeros((*residues.shape[:-1], size), np.uint64)
        if self.q == 2:
            packed = np.packbits(residues, axis=-1, bitorder="little")
            words.view(np.uint8)[..., : packed.shape[-1]] = packed
            return words
        for slot in range(min(self.digits_per_word, residues.shape[-1])):
            digit = residues[..., slot :: self.digits_per_word].astype(np.uint64)
            words[..., : digit.shape[-1]] |= digit << np.uint64(self.bits_per_digit * slot)
        return words

    def unpack(self, words: Words, digits: int) -> Residues:
        """Unpack words, (..., words), to uint8 (..., digits): the inverse of `pack`."""
        if self.q == 2:
            return np.unpackbits(words.view(np.uint8), -1, digits, bitorder="little")
        residues = np.empty((*words.shape[:-1], digits), np.uint8)
        for slot in range(min(self.digits_per_word, digits)):
            part = residues[..., slot :: self.digits_per_word]
            digit = words[..., : part.shape[-1]] >> np.uint64(self.bits_per_digit * slot)
            part[:] = digit & self.first_digits_mask(1)
        return residues

    def pack_columns(self, rows: Iterable[Residues], digits: int) -> Words:
        """Pack the columns of a matrix that is given row by row into words, (columns, words)."""
        words = [np.zeros((), np.uint64)] * -(-digits // self.digits_per_word)
        for number, row in enumerate(rows):
            word, slot = divmod(number, self.digits_per_word)
            digit = row.astype(np.uint64)
            digit <<= np.uint64(self.bits_per_digit * slot)
            words[word] = words[word] | digit
        return np.stack(words, axis=-1)

    def add(self, left: Words | np.uint64, right: Words | np.uint64) -> Words:
        """Add vectors digit by digit."""
        total: Words
        if self.q == 2:
            total = np.bitwise_xor(left, right)
            return total
        # Adding 2**(bits - 1) - q to a digit sets its highest bit exactly if the digit is >= q.
        total = np.add(left, right)
        over = total + np.uint64((1 << self.bits_per_digit - 1) - self.q) * self.all_ones_word
        over >>= np.uint64(self.bits_per_digit - 1)
        over &= self.all_ones_word
        over *= np.uint64(self.q)
        total -= over
        return total

    def subtract(self, left: Words | np.uint64, right: Words | np.uint64) -> Words:
        """Subtract vectors digit by digit."""
        negative = right if self.q == 2 else np.uint64(self.q) * self.all_ones_word - right
        return self.add(left, negative)

    def nonzero_mask(self, words: Words) -> Words:
        """Replace every nonzero digit by 1."""
        support: Words = words & self.all_ones_word
        for bit in range(1, (self.q - 1).bit_length()):
            support |= words >> np.uint64(bit) & self.all_ones_word
        return support

    def count_nonzero(self, words: Words) -> NDArray[np.int64]:
        """Count the nonzero digits of each vector, (..., words)."""
        return np.asarray(np.bitwise_count(self.nonzero_mask(words)).sum(-1, np.int64))

    def multiply(
        self, words: Words, matrix: Residues, check: Callable[[], None] = lambda: None
    ) -> Words:
        """Multiply vectors, (n, words), by a matrix, uint8 (digits, m), calling ``check`` often."""
        # Groups of rows: a table of all sums of their multiples, indexed by the vectors' digits.
        rows, group = self.pack(matrix), {1: 8, 3: 3}.get(self.bits_per_digit, 2)
        result = np.zeros((len(words), rows.shape[1]), np.uint64)
        for first in range(0, len(rows), group):
            check()
            sums = np.zeros((1, rows.shape[1]), np.uint64)
            for row in rows[first : first + group]:
                multiples = np.zeros((1 << self.bits_per_digit, 1, len(row)), np.uint64)
                multiples[: self.q, 0] = self.list_multiples(row)
                sums = self.add(multiples, sums).reshape(-1, len(row))
            word, slot = divmod(first, self.digits_per_word)
            index = words[:, word] >> np.uint64(self.bits_per_digit * slot)
            index &= self.first_digits_mask(group)
            result = self.add(result, sums.take(index.view(np.int64), axis=0))
        return result

    def reduced_echelon_form(self, matrix: Words) -> tuple[Words, list[int]]:
        """Return the reduced row echelon form, without zero rows, and the columns of leading 1s."""
        rows, leading, digit_mask = matrix.copy(), list[int](), self.first_digits_mask(1)
        first = 0  # index of the first word that is not yet 0 in all remaining rows
        for row in range(len(rows)):
            nonzero = rows[row:, first:].any(axis=0)
            if not nonzero.any():
                return rows[:row], leading
            first += int(nonzero.argmax())
            digit = int(np.bitwise_or.reduce(rows[row:, first]))
            slot = ((digit & -digit).bit_length() - 1) // self.bits_per_digit
            values = rows[:, first] >> np.uint64(self.bits_per_digit * slot) & digit_mask
            swap = [row, row + int(values[row:].argmax())]
            rows[swap], values[swap] = rows[swap[::-1]], values[swap[::-1]]
            multiples = self.list_multiples(rows[row])
            rows[row] = multiples[mod_inverse(int(values[row]), self.q)]
            multiples, values[row] = self.list_multiples(rows[row]), 0
            for value in range(1, self.q):
                to_clear = np.flatnonzero(values == value)
                rows[to_clear] = self.subtract(rows[to_clear], multiples[value])
            leading.append(first * self.digits_per_word + slot)
        return rows, leading

    def find_basis(self, columns: Words, order: Indices, digits: int) -> tuple[Indices, Residues]:
        """Choose the first independent columns in ``order`` as a basis, and invert their matrix.

        ``columns``, (n, words), have ``digits`` digits each and span the space.  The result is the
        chosen columns, int (digits,), and the inverse, uint8 (digits, digits).
        """
        column_count = digits + EXTRA_COLUMNS
        while True:
            # Gauss-Jordan elimination of the columns, augmented by the identity matrix.
            matrix = self.unpack(columns[order[:column_count]], digits).T
            width = matrix.shape[1]
            beside = np.hstack([matrix, np.eye(digits, dtype=np.uint8)])
            rows, leading = self.reduced_echelon_form(self.pack(beside))
            if not leading or leading[-1] < width:
                return order[leading], self.unpack(rows, width + digits)[:, width:]
            column_count *= 2

    def list_multiples(self, vectors: Words) -> list[Words]:
        """Return the multiples of vectors by 0 to q - 1."""
        multiples = [np.zeros(vectors.shape, np.uint64), vectors]
        for _ in range(2, self.q):
            multiples.append(self.add(multiples[-1], vectors))
        return multiples


def reduced_echelon_form(matrix: Residues, q: int) -> tuple[Residues, list[int]]:
    """Return the reduced row echelon form of a uint8 matrix, and the columns of the leading 1s."""
    digits = DigitPacking(q)
    rows, leading = digits.reduced_echelon_form(digits.pack(matrix))
    return digits.unpack(rows, matrix.shape[1]), leading
