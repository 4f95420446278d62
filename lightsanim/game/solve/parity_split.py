"""Splitting a space of patterns by parity: four boards in one.

Colour the cells by (row modulo 2, column modulo 2).  On most boards with two levels the columns of
the cells of one colour span only half of the space of columns, and the spans of two colours share
only 0 and together fill it, or nearly so.  A problem on sums of columns then falls into independent
problems of half the size.  For the plus rule this is a theorem; here the ranks of each board tell.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from lightsanim.game.algebra.digits import DigitPacking, Words
from lightsanim.game.algebra.modular import Indices, Residues, mod_product
from lightsanim.system.threads import cache_for_threads
from .cell_classes import CellClasses, find_cell_classes
from .components import Component

# The first attempt to span a colour's columns takes this many of them for each pattern.
SAMPLED_COLUMNS = 2
# Maximum number of dimensions that the spans of two colours may leave unfilled.
MAX_DEFECT = 6


@dataclass(frozen=True, kw_only=True, eq=False)
class ParityColour:
    """The cells of one colour, and the span of their columns.

    The span has a basis in reduced row echelon form.  A column's coordinates in it are therefore
    its digits at the leading positions: the values of these patterns on the cell.
    """

    component: Component
    cells: Indices  # Indices of the component's cells.
    basis: Residues  # uint8 (rank, patterns).
    leading: list[int]

    @cached_property
    def patterns(self) -> Component:
        """The leading patterns, on the cells of the colour."""
        return self.component.restrict([*self.component.patterns[self.leading]], self.cells)

    @cached_property
    def classes(self) -> CellClasses:
        """The cells, grouped by the leading patterns."""
        return find_cell_classes(self.patterns)


@dataclass(frozen=True, kw_only=True, eq=False)
class IndependentPair:
    """Two colours whose spans share only 0.

    Together with ``defect`` unit vectors their bases form a basis of the whole space.  A column v
    has the coordinates v times ``inverse``, uint8 (patterns, patterns), in it.
    """

    first: int
    second: int
    defect: int
    inverse: Residues
    rank: int  # Number of basis vectors of the first colour.

    def split(self, columns: Words) -> list[Words]:
        """Return the coordinates of columns, (..., words), in either basis, packed."""
        digits = DigitPacking(2)
        coordinates = mod_product(digits.unpack(columns, len(self.inverse)), self.inverse, 2)
        return [digits.pack(part) for part in np.split(coordinates, [self.rank], axis=-1)]


@cache_for_threads
def split_by_parity(
    component: Component, width: int
) -> tuple[list[ParityColour], list[IndependentPair]]:
    """Return the colours of a component of a board of this width, and the independent pairs.

    Colours without a cell on a pattern are left out.

    >>> from lightsanim.game.board.board import Board
    >>> from lightsanim.game.solve.components import find_components
    >>> colours, pairs = split_by_parity(*find_components(Board(11, 11)), 11)
    >>> [len(colour.basis) for colour in colours]
    [4, 3, 3, 2]
    >>> [(pair.first, pair.second, pair.defect) for pair in pairs]
    [(0, 3, 0), (1, 2, 0), (1, 3, 1), (2, 3, 1)]
    """
    columns = component.pattern_columns()
    colour_of = component.cells // width % 2 * 2 + component.cells % width % 2
    colours = []
    for number in range(4):
        cells = np.flatnonzero(colour_of == number)
        basis, leading = _span(columns[cells], len(component))
        if leading:
            colour = ParityColour(component=component, cells=cells, basis=basis, leading=leading)
            colours.append(colour)
    digits, unit, pairs = DigitPacking(2), np.eye(len(component), dtype=np.uint8), []
    for first, second in combinations(range(len(colours)), 2):
        rank, both = len(colours[first].basis), [colours[first].basis, colours[second].basis]
        vectors = digits.pack(np.concatenate([*both, unit]))
        chosen, inverse = digits.find_basis(vectors, np.arange(len(vectors)), len(unit))
        # The bases are independent if the first vectors chosen are all of theirs.
        count = len(vectors) - len(unit)
        defect = len(unit) - count
        if 0 <= defect <= MAX_DEFECT and chosen[count - 1] == count - 1:
            pair = IndependentPair(
                first=first, second=second, defect=defect, inverse=inverse.T, rank=rank
            )
            pairs.append(pair)
    return colours, pairs


def _span(columns: Words, patterns: int) -> tuple[Residues, list[int]]:
    # Reduce a sample of the columns, and larger ones until the sample spans all columns: until they
    # are orthogonal to 64 random vectors that are orthogonal to the sample.
    digits, rng, count = DigitPacking(2), np.random.default_rng(0), SAMPLED_COLUMNS * patterns
    order = rng.permutation(len(columns))
    while True:
        rows, leading = digits.reduced_echelon_form(columns[order[:count]])
        basis, probes = digits.unpack(rows, patterns), rng.integers(0, 2, (patterns, 64), np.uint8)
        probes[leading] = 0
        probes[leading] = mod_product(basis, probes, 2)
        if count >= len(columns) or not digits.multiply(columns, probes).any():
            return basis, leading
        count *= 2
