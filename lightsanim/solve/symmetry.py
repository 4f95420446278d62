"""Symmetric boards: blocks of combinations of quiet patterns of which one in eight is enough.

Where a flip or a turn of the board carries the click sets in question into one another, it carries
each into one of the same size.  In a basis whose first patterns span a space that every symmetry
keeps, it carries whole blocks into blocks, those combinations that differ in the first patterns
alone; then the first block of each orbit stands for all of it.  There is such a space of any
dimension, as the symmetries of a board are a group of 2, 4 or 8 elements: acting on a space over
GF(2), such a group keeps some vector fixed, and another one of what is left when it is divided out.
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

# Numbers of blocks that are looked at together.
CHUNK_BLOCKS = 1 << 16


@dataclass(frozen=True, kw_only=True)
class Orbits:
    """Blocks of combinations, and how the symmetries of a board carry them into one another."""

    # (patterns, words), the patterns in a basis in which that holds, a bit for each cell; bit t of
    # the number of a block says whether pattern ``bits + t`` is added.
    patterns: Words
    bits: int  # a block is all combinations of so many first patterns
    order: int  # how many symmetries there are, standing still included
    # int64 (order, patterns - bits + 1), what each makes of a block's number: bit t adds number t,
    # and the last one is always added.
    _block_maps: NDArray[np.int64]

    def orbit_representatives(self) -> Iterator[int]:
        """The lowest number of each orbit of blocks, ascending."""
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
    """The orbits of blocks of a click set's sums with all combinations of more patterns than bits.

    ``clicks``: bool (cells,), on the component's cells of a board of this shape.
    """
    digits = DigitPacking(2)
    rows, pivots = digits.reduced_echelon_form(component.patterns)
    maps = np.array(
        [*_row_maps(rows, pivots, clicks, _symmetries_of_cells(component.cells, shape))]
    )
    basis = _invariant_basis(maps[:, :-1], bits)
    # A combination in the new basis is its product with it in that of the rows.
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
    """An array flipped and turned in all ways that keep its shape, first as it is.

    >>> [image.tolist() for image in symmetric_images(np.array([[1, 2]]))][:3]
    [[[1, 2]], [[1, 2]], [[2, 1]]]
    """
    for orientation in (array, array.T) if array.shape[0] == array.shape[1] else (array,):
        yield from (orientation, orientation[::-1], orientation[:, ::-1], orientation[::-1, ::-1])


def _symmetries_of_cells(cells: Indices, shape: tuple[int, int]) -> Iterator[Indices]:
    # The flips and turns of the board that keep these cells: where each comes from.
    board, numbers = np.arange(shape[0] * shape[1]).reshape(shape), np.full(shape[0] * shape[1], -1)
    numbers[cells] = np.arange(len(cells))
    for image in symmetric_images(board):
        sources = numbers[image.ravel()[cells]]
        if sources.min(initial=0) >= 0:
            yield sources


def _row_maps(
    rows: Words, pivots: list[int], clicks: Bits, symmetries: Iterable[Indices]
) -> Iterator[Residues]:
    # What the turns make of combinations of the reduced rows, if they carry the click set's sums
    # with them into one another: uint8 (rows + 1, rows), what row t becomes, and last what is
    # always added.
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
    # A basis of all combinations, uint8 (rows, rows), of which the first span a space that all maps
    # keep: the largest orbits of single ones, so that the blocks are moved as much as can be, and
    # what it takes more.  ``maps``: uint8 (maps, rows, rows).
    orbits, unit_vectors = maps.swapaxes(0, 1), np.eye(maps.shape[1], dtype=np.uint8)
    largest = max(len(_independent_vectors(orbit)) for orbit in orbits)
    basis = unit_vectors[:0]
    for orbit in orbits:
        longer = _independent_vectors(basis, orbit)
        if len(basis) + largest == len(longer) <= bits:
            basis = longer
    while len(basis) < bits:
        # Combinations that the maps change by what is spanned already, if at all.
        spanned, leading = reduced_echelon_form(basis, 2)
        changes = orbits ^ unit_vectors[:, None]
        changes ^= mod_product(changes[..., leading], spanned, 2)
        basis = _independent_vectors(basis, _null_space(changes.reshape(len(unit_vectors), -1).T))[
            :bits
        ]
    return _independent_vectors(basis, unit_vectors)


def _independent_vectors(*vectors: Residues) -> Residues:
    # Those that the ones before them do not span.
    stacked = np.concatenate(vectors)
    return stacked[reduced_echelon_form(stacked.T, 2)[1]]


def _null_space(matrix: Residues) -> Residues:
    # A basis of all x with matrix x = 0, one for each column that leads no row.
    rows, leading = reduced_echelon_form(matrix, 2)
    free = np.delete(np.arange(matrix.shape[1]), leading)
    basis = np.zeros((len(free), matrix.shape[1]), np.uint8)
    basis[:, free] = np.eye(len(free))
    basis[:, leading] = rows[:, free].T
    return basis


def _sum_selected_rows(rows: Words, combination: Residues) -> Words:
    total: Words = np.bitwise_xor.reduce(rows[combination > 0], axis=0)
    return total
