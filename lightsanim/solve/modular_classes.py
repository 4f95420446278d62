"""Quiet patterns and parity checks with more than two levels, by component and by class of cells.

The column of a cell says how much of each pattern it holds.  Cells whose columns are multiples of
each other are one class: what one of them does, each of the others does as well, a number of times.
"""

from dataclasses import dataclass

import numpy as np

from lightsanim.algebra.modular import Indices, Residues, inverse, reduce, reduced_rows

# Larger spaces (patterns * patterns * cells) take more than a second to reduce and are left whole.
MAX_REDUCED = 500_000_000

# Numbers in floating point at a time, which bounds the memory on large boards.
MAX_FLOATS = 10_000_000


@dataclass(frozen=True, kw_only=True, eq=False)
class ModularComponent:
    """Patterns that share no cell with those of other components."""

    patterns: Residues  # uint8 (patterns, cells), over ``cells`` only
    cells: Indices  # int (cells,), the cells that the component is about, ascending


def modular_components_of(patterns: Residues, q: int) -> list[ModularComponent]:
    """The components of a space, as `lightsanim.solve.components.components_of` has them.

    ``patterns``: uint8 (patterns, cells).

    >>> both = np.array([[1, 2, 0, 0, 0], [1, 2, 1, 1, 0]], np.uint8)
    >>> [(part.patterns.tolist(), part.cells.tolist()) for part in modular_components_of(both, 3)]
    [([[1, 2]], [0, 1]), ([[1, 1]], [2, 3])]
    """
    count, cells = patterns.shape
    if not count:
        return []
    if count**2 * cells > MAX_REDUCED:
        return [ModularComponent(patterns=patterns, cells=np.arange(cells))]
    rows, _ = reduced_rows(patterns, q)
    touched = (rows > 0).astype(np.float32)
    together = touched @ touched.T > 0
    components, left = list[ModularComponent](), np.ones(len(rows), bool)
    while left.any():
        members = np.zeros(len(rows), bool)
        grown = np.arange(len(rows)) == left.argmax()
        while not np.array_equal(grown, members):
            members, grown = grown, together[grown].any(axis=0)
        inside = np.flatnonzero(rows[members].any(axis=0))
        components.append(ModularComponent(patterns=rows[members][:, inside], cells=inside))
        left &= ~members
    return components


@dataclass(frozen=True, kw_only=True, eq=False)
class ModularClasses:
    """The cells of some patterns, taken together whose columns are multiples of each other."""

    # uint8 (classes, patterns), the column of each class; its first entry but 0 is 1.
    columns: Residues
    class_of: Indices  # int (cells,), -1 for cells on no pattern
    factors: Residues  # uint8 (cells,), how many times the class's column a cell's column is


def modular_classes_of(patterns: Residues, q: int) -> ModularClasses:
    """The classes of the cells of some patterns, uint8 (patterns, cells).

    >>> classes = modular_classes_of(np.array([[1, 2, 0, 0], [2, 1, 0, 2]], np.uint8), 3)
    >>> classes.columns.tolist(), classes.class_of.tolist(), classes.factors.tolist()
    ([[0, 1], [1, 2]], [1, 1, -1, 0], [1, 2, 0, 2])
    """
    factors = np.zeros(patterns.shape[1], np.uint8)
    for row in patterns:
        np.copyto(factors, row, where=factors == 0)
    scale = np.array([0, *(inverse(value, q) for value in range(1, q))], np.uint8)[factors]
    # One word for each column.  Equal words are equal columns, as good as always; results are
    # pressed again in any case.
    weights = np.random.default_rng(0).integers(1 << 64, size=len(patterns), dtype=np.uint64)
    words = np.zeros(len(factors), np.uint64)
    for row, weight in zip(patterns, weights, strict=True):
        column = row * scale
        reduce(column, q)
        words += column * weight
    _, first, class_of = np.unique(words, return_index=True, return_inverse=True)
    columns = patterns[:, first] * scale[first]
    reduce(columns, q)
    columns = np.ascontiguousarray(columns.T)
    order = np.lexsort(columns.T[::-1])  # the column of all zeros, if there is one, comes first
    place = np.empty(len(order), np.intp)
    skip = int(not columns[order[0]].any())
    place[order] = np.arange(len(order)) - skip
    return ModularClasses(columns=columns[order[skip:]], class_of=place[class_of], factors=factors)


def digits_of(number: int, count: int, q: int) -> Residues:
    """A number's digits in base ``q``, the last one first."""
    digits = np.zeros(count, np.uint8)
    for place in range(count):
        number, digits[place] = divmod(number, q)
    return digits


def product(one: Residues, other: Residues, q: int) -> Residues:
    """The product of two matrices modulo ``q``.

    >>> product(np.array([[1, 2]], np.uint8), np.array([[2], [2]], np.uint8), 5).tolist()
    [[1]]
    """
    # In floating point, which is fast, and exact: with 450,000 terms sums are below 2**24.
    factor, rows = other.astype(np.float32), -(-MAX_FLOATS // max(1, one.shape[1]))
    result = np.empty((len(one), other.shape[1]), np.uint8)
    for first in range(0, len(one), rows):
        part = slice(first, first + rows)
        result[part] = one[part].astype(np.float32) @ factor % q
    return result
