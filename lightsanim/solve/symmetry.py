"""Use a board's symmetries to count up to eight times fewer combinations of quiet patterns.

A symmetry of the board that permutes the sums of a click set with all combinations keeps their
sizes.  A block contains the combinations that differ in the first patterns only.  In a basis whose
first patterns span a space that is invariant under all symmetries, every symmetry maps blocks to
blocks, so one block of each orbit is enough.  Invariant spaces of every dimension exist: the
symmetries form a group of 1, 2, 4 or 8 elements, and such a group, acting on a space over GF(2),
fixes a nonzero vector; the same holds for the quotient by that vector, and so on.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightsanim.algebra.digits import DigitPacking, Words, reduced_echelon_form
from lightsanim.algebra.linear import Bits
from lightsanim.algebra.modular import Indices, Residues, mod_product
from lightsanim.solve.components import Component

# Number of blocks that are processed at a time.
CHUNK_BLOCKS = 1 << 16


@dataclass(frozen=True, kw_only=True)
class Orbits:
    """Blocks of combinations of patterns that a board's symmetries map to each other."""

    # Basis of the patterns, (patterns, words), with a bit for each cell.  Bit t of a block's number
    # adds pattern ``bits + t``.
    patterns: Words
    bits: int  # Number of patterns, the first ones, that vary within a block.
    order: int  # Number of symmetries, including the identity.
    # Each symmetry's map of block numbers, int64 (order, patterns - bits + 1).  The image of a
    # number is the XOR of the entries t for which its bit t is set, and of the last entry.
    _block_maps: NDArray[np.int64]

    def orbit_representatives(self) -> Iterator[int]:
        """Yield the lowest block number of each orbit, in ascending order."""
        blocks = 1 << len(self.patterns) - self.bits
        for start in range(0, blocks, CHUNK_BLOCKS):
            numbers = np.arange(start, min(start + CHUNK_BLOCKS, blocks))
            lowest = np.ones(len(numbers), bool)
            for *added, offset in self._block_maps.tolist():
                image = np.full_like(numbers, offset)
                for bit, number in enumerate(added):
                    image ^= np.where(numbers >> bit & 1, number, 0)
                lowest &= numbers <= image
            yield from numbers[lowest].tolist()


def find_orbits(component: Component, clicks: Bits, shape: tuple[int, int], bits: int) -> Orbits:
    """Find which blocks of combinations of patterns the board's symmetries map to each other.

    The combinations are added to ``clicks``, bool (cells,), on the component's cells of a board of
    this shape.  ``bits`` is the number of patterns that vary within a block, less than all.
    """
    digits = DigitPacking(2)
    rows, pivots = digits.reduced_echelon_form(component.patterns)
    symmetries = _symmetries_of_cells(component.cells, shape)
    maps = np.array(list(_row_maps(rows, pivots, clicks, symmetries)))
    basis = _invariant_basis(maps[:, :-1], bits)
    # The matrix ``basis`` converts combinations of basis vectors to combinations of rows.
    beside = np.hstack([basis, np.eye(len(rows), dtype=np.uint8)])
    inverse = reduced_echelon_form(beside, 2)[0][:, len(rows) :]
    moved = np.concatenate([mod_product(basis[bits:], maps[:, :-1], 2), maps[:, -1:]], axis=1)
    return Orbits(
        patterns=np.array([_sum_selected_rows(rows, combination) for combination in basis]),
        bits=bits,
        order=len(maps),
        _block_maps=digits.pack(mod_product(moved, inverse, 2)[..., bits:])[..., 0].view(np.int64),
    )


def symmetric_images(array: NDArray[Any]) -> Iterator[NDArray[Any]]:
    """Yield the reflections and rotations of an array that keep its shape, first the array itself.

    >>> [image.tolist() for image in symmetric_images(np.array([[1, 2]]))][:3]
    [[[1, 2]], [[1, 2]], [[2, 1]]]
    """
    for orientation in (array, array.T) if array.shape[0] == array.shape[1] else (array,):
        yield from (orientation, orientation[::-1], orientation[:, ::-1], orientation[::-1, ::-1])


def _symmetries_of_cells(cells: Indices, shape: tuple[int, int]) -> Iterator[Indices]:
    # For each symmetry of the board that keeps the set of cells, yield the source of each cell.
    board, numbers = np.arange(shape[0] * shape[1]).reshape(shape), np.full(shape[0] * shape[1], -1)
    numbers[cells] = np.arange(len(cells))
    for image in symmetric_images(board):
        sources = numbers[image.ravel()[cells]]
        if sources.min(initial=0) >= 0:
            yield sources


def _row_maps(
    rows: Words, pivots: list[int], clicks: Bits, symmetries: Iterable[Indices]
) -> Iterator[Residues]:
    # For each symmetry that permutes the sums of ``clicks`` and patterns, yield the image of each
    # row and the change of ``clicks`` as combinations of rows, uint8 (rows + 1, rows).
    digits = DigitPacking(2)
    for sources in symmetries:
        images = [digits.unpack(row, len(clicks))[sources] for row in rows]
        images.append((clicks[sources] ^ clicks).view(np.uint8))
        combinations = np.array([image[pivots] for image in images])
        if all(
            np.array_equal(_sum_selected_rows(rows, combination), digits.pack(image))
            for combination, image in zip(combinations, images, strict=True)
        ):
            yield combinations


def _invariant_basis(maps: Residues, bits: int) -> Residues:
    # Build a basis, uint8 (rows, rows), whose first ``bits`` vectors span a space that is invariant
    # under ``maps``, uint8 (maps, rows, rows).  The largest orbits of rows come first, so that the
    # symmetries fix few blocks.
    orbits, unit_vectors = maps.swapaxes(0, 1), np.eye(maps.shape[1], dtype=np.uint8)
    largest = max(len(_independent_vectors(orbit)) for orbit in orbits)
    basis = unit_vectors[:0]
    for orbit in orbits:
        longer = _independent_vectors(basis, orbit)
        if len(basis) + largest == len(longer) <= bits:
            basis = longer
    while len(basis) < bits:
        # Add vectors that all maps fix modulo the space spanned so far.
        spanned, leading = reduced_echelon_form(basis, 2)
        changes = orbits ^ unit_vectors[:, None]
        changes ^= mod_product(changes[..., leading], spanned, 2)
        fixed = _null_space(changes.reshape(len(unit_vectors), -1).T)
        basis = _independent_vectors(basis, fixed)[:bits]
    return _independent_vectors(basis, unit_vectors)


def _independent_vectors(*vectors: Residues) -> Residues:
    # Keep the vectors that are not in the span of those before them.
    stacked = np.concatenate(vectors)
    return stacked[reduced_echelon_form(stacked.T, 2)[1]]


def _null_space(matrix: Residues) -> Residues:
    # Return a basis of all x with matrix x = 0: one vector for each column without a leading 1.
    rows, leading = reduced_echelon_form(matrix, 2)
    free = np.delete(np.arange(matrix.shape[1]), leading)
    basis = np.zeros((len(free), matrix.shape[1]), np.uint8)
    basis[:, free] = np.eye(len(free))
    basis[:, leading] = rows[:, free].T
    return basis


def _sum_selected_rows(rows: Words, combination: Residues) -> Words:
    total: Words = np.bitwise_xor.reduce(rows[combination > 0], axis=0)
    return total
