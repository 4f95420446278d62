"""The parity checks of a board, with its cells sorted into classes that serve equally well."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lightsanim.algebra.linear import Bits
from lightsanim.solve.components import Component, PackedColumns, columns_of

Indices = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class ParityChecks:
    """Cells with the same check bits are one class; cells in no parity check are in none."""

    words: PackedColumns  # uint64 (classes, words), the column of check bits of each class
    # int (classes,), the cell that stands for each class; the number is its place among the cells
    # of the component.
    cells: Indices
    class_of: Indices  # int (cells,), each cell's class, -1 for none

    def classes_of(self, wrong: Bits) -> Indices:
        """The classes of which a set of wrong cells holds an odd number: int, ascending."""
        classes = self.class_of[np.flatnonzero(wrong)]
        return np.flatnonzero(np.bincount(classes[classes >= 0]) % 2)


def parity_checks_of(component: Component, margin: NDArray[np.floating]) -> ParityChecks:
    """The checks of a component; of each class the cell with the smallest margin stands for it.

    ``margin``: (cells,).

    >>> from lightsanim.board.board import Board
    >>> from lightsanim.solve.components import components_of
    >>> (component,) = components_of(Board(5, 5).packed_parity_checks(), 25)
    >>> len(parity_checks_of(component, np.zeros(25)).words)  # 3 different columns of 2 check bits
    3
    """
    shows_least_first = np.argsort(margin, kind="stable")
    words = columns_of(component.packed, len(component.cells))[shows_least_first]
    columns = words.view(f"V{8 * words.shape[1]}").ravel()
    _, first, inverse = np.unique(columns, return_index=True, return_inverse=True)
    # The column of all zeros, of cells that can never help, sorts first if there is one.
    skip = int(not words[first[0]].any())
    class_of = np.empty(len(component.cells), np.intp)
    class_of[shows_least_first] = inverse - skip
    return ParityChecks(
        words=words[first[skip:]],
        cells=shows_least_first[first[skip:]],
        class_of=class_of,
    )


def pack_words(bits: Bits) -> PackedColumns:
    """Rows of bits (n, k) as rows of words (n, words).

    >>> pack_words(np.array([[True, False, True]])).tolist()
    [[5]]
    """
    packed = np.packbits(bits, axis=1, bitorder="little")
    words = np.zeros((len(bits), -(-packed.shape[1] // 8) * 8), np.uint8)
    words[:, : packed.shape[1]] = packed
    return words.view(np.uint64)


def unpack_words(words: PackedColumns, k: int) -> Bits:
    """The inverse of `pack_words`.

    ``words``: uint64 (n, words), returns bool (n, k).
    """
    return np.unpackbits(words.view(np.uint8), axis=1, count=k, bitorder="little").view(bool)


def recombine(
    words: PackedColumns, recombination: PackedColumns, look: Callable[[], None] = lambda: None
) -> PackedColumns:
    """Columns in recombined checks, by a table for each byte.

    ``words``: (n, words), ``recombination``: (k, new words), returns (n, new words).

    >>> both = np.array([[0b01], [0b01]], np.uint64)  # the sum of two checks as the only one
    >>> recombine(np.array([[0b01], [0b11]], np.uint64), both).tolist()
    [[1], [0]]
    """
    columns = words.view(np.uint8)
    sums = np.zeros((len(words), recombination.shape[1]), np.uint64)
    for byte in range(-(-len(recombination) // 8)):
        look()
        table = np.zeros((256, recombination.shape[1]), np.uint64)
        for bit, check in enumerate(recombination[8 * byte : 8 * byte + 8]):
            table[np.arange(256) >> bit & 1 == 1] ^= check
        sums ^= table[columns[:, byte]]
    return sums
