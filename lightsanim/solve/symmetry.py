"""Symmetric boards: blocks of combinations of quiet patterns of which one in eight is enough.

Where a flip or a turn of the board carries the click sets in question into one another, it carries
each into one of the same size.  In a basis whose first patterns span a space that every symmetry
keeps, it carries whole blocks into blocks, those combinations that differ in the first patterns
alone; then the first block of each orbit stands for all of it.  There is such a space of any
dimension, as the symmetries of a board are a group of 2, 4 or 8 elements: acting on a space over
GF(2), such a group keeps some vector fixed, and another one of what is left when it is divided out.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lightsanim.algebra.digits import Words
from lightsanim.algebra.linear import (
    Bits,
    echelon,
    ones,
    pack,
    reduced_rows,
    solve_rows,
    unpack,
    unpack_rows,
)

# Numbers of blocks that are looked at together.
CHUNK = 1 << 16


@dataclass(frozen=True, kw_only=True)
class _Map:
    """An affine map of combinations: bit t of one adds row t of the matrix, all add the offset."""

    matrix: Sequence[int]
    offset: int

    def of(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        image = np.full_like(numbers, self.offset)
        for bit, row in enumerate(self.matrix):
            image ^= np.where(numbers >> bit & 1, row, 0)
        return image


@dataclass(frozen=True, kw_only=True)
class Orbits:
    """Blocks of combinations, and how the symmetries of a board carry them into one another."""

    # (patterns, words), the patterns in a basis in which that holds, a bit for each cell; bit t of
    # the number of a block says whether pattern ``bits + t`` is added.
    patterns: Words
    bits: int  # a block is all combinations of so many first patterns
    order: int  # how many symmetries there are, standing still included
    _maps: Sequence[_Map]

    def representatives(self) -> Iterator[int]:
        """The lowest number of each orbit of blocks, ascending."""
        blocks = 1 << len(self.patterns) - self.bits
        for start in range(0, blocks, CHUNK):
            numbers = np.arange(start, min(start + CHUNK, blocks))
            lowest = np.ones(len(numbers), bool)
            for carried in self._maps:
                lowest &= numbers <= carried.of(numbers)
            yield from numbers[lowest].tolist()


def orbits_of(
    patterns: Words, clicks: Bits, cells: NDArray[np.int64], shape: tuple[int, int], bits: int
) -> Orbits:
    """The orbits of blocks of a click set's sums with all combinations of some patterns.

    ``patterns``: (patterns, words), ``clicks``: bool (cells,), ``cells``: int (cells,).

    >>> from lightsanim.board.board import Board
    >>> from lightsanim.solve.components import components_of
    >>> board = Board(4, 4)
    >>> clicks = board.clicks_between(np.ones((4, 4), bool), np.zeros((4, 4), bool)).ravel()
    >>> (part,) = components_of(board)
    >>> orbits = orbits_of(part.patterns, clicks, np.arange(16), (4, 4), 1)
    >>> orbits.order, len(list(orbits.representatives()))
    (8, 4)
    """
    if bits == len(patterns):
        return Orbits(patterns=patterns, bits=bits, order=1, _maps=())  # one block
    numbers = [int.from_bytes(row.tobytes(), "little") for row in patterns]
    rows = reduced_rows(numbers, len(clicks))
    maps = [*_maps(rows, clicks, _turns(cells, shape))]
    basis = _kept_first(maps, len(rows), bits)
    inverse = solve_rows(basis, len(rows), (1 << bit for bit in range(len(rows)))) or []
    width = patterns[0].nbytes
    new = [_sum(rows, row).to_bytes(width, "little") for row in basis]
    return Orbits(
        patterns=np.frombuffer(b"".join(new), np.uint64).reshape(patterns.shape),
        bits=bits,
        order=len(maps),
        _maps=[
            _Map(
                matrix=[_sum(inverse, _sum(carried.matrix, row)) >> bits for row in basis[bits:]],
                offset=_sum(inverse, carried.offset) >> bits,
            )
            for carried in maps
        ],
    )


def _turns(cells: NDArray[np.int64], shape: tuple[int, int]) -> Iterator[NDArray[np.int64]]:
    # The flips and turns of the board that keep these cells: where each comes from.
    board, own = np.arange(shape[0] * shape[1]).reshape(shape), np.full(shape[0] * shape[1], -1)
    own[cells] = np.arange(len(cells))
    for turned in (board, board.T) if shape[0] == shape[1] else (board,):
        for flipped in (turned, turned[::-1], turned[:, ::-1], turned[::-1, ::-1]):
            sources = own[flipped.ravel()[cells]]
            if sources.min(initial=0) >= 0:
                yield sources


def _maps(rows: Sequence[int], clicks: Bits, turns: Iterable[NDArray[np.int64]]) -> Iterator[_Map]:
    # What the turns make of combinations of the reduced rows, if they carry the click set's sums
    # with them into one another.
    pivots = [(row & -row).bit_length() - 1 for row in rows]

    def combination(pattern: int) -> int | None:
        bits = sum((pattern >> pivot & 1) << bit for bit, pivot in enumerate(pivots))
        return bits if _sum(rows, bits) == pattern else None

    for sources in turns:
        matrix = [combination(pack(unpack(row, clicks.shape)[sources])) for row in rows]
        offset = combination(pack(clicks[sources] ^ clicks))
        known = [row for row in matrix if row is not None]
        if offset is not None and len(known) == len(matrix):
            yield _Map(matrix=known, offset=offset)


def _kept_first(maps: Sequence[_Map], size: int, bits: int) -> list[int]:
    # A basis of all combinations, of which the first span a space that all maps keep: the largest
    # orbits of single ones, so that the blocks are moved as much as can be, and what it takes more.
    together = [[carried.matrix[bit] for carried in maps] for bit in range(size)]
    largest = max(len(reduced_rows(orbit, size)) for orbit in together)
    basis: list[int] = []
    for orbit in together:
        longer = _extended(basis, orbit, size, size)
        if len(basis) + largest == len(longer) <= bits:
            basis = longer
    while len(basis) < bits:
        # Combinations that the maps change by what is spanned already, if at all.
        spanned = reduced_rows(basis, size)
        changes = [
            [_modulo(spanned, row ^ 1 << bit) for row in orbit]
            for bit, orbit in enumerate(together)
        ]
        moved = np.array([unpack_rows(row, size).ravel() for row in changes])
        conditions = (pack(column) for column in moved.T)
        basis = _extended(basis, echelon(conditions, size).null_space(), size, bits)
    return _extended(basis, (1 << bit for bit in range(size)), size, size)


def _extended(basis: Sequence[int], more: Iterable[int], size: int, count: int) -> list[int]:
    # By those that the others do not span, until there are enough.
    new = [*basis]
    for combination in more:
        if len(new) < count and _modulo(reduced_rows(new, size), combination):
            new.append(combination)
    return new


def _modulo(reduced: Iterable[int], row: int) -> int:
    # What is left of a row where the lowest bits of reduced rows are cleared.
    for other in reduced:
        if row & other & -other:
            row ^= other
    return row


def _sum(rows: Sequence[int], combination: int) -> int:
    total = 0
    for bit in ones(combination):
        total ^= rows[bit]
    return total
