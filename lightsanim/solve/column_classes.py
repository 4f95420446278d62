"""Cells in classes: those whose columns of some patterns are multiples of each other.

The column of a cell says how much of each pattern it holds.  What a cell does, each other cell of
its class does as well, a number of times; so only the classes matter.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lightsanim.algebra.digits import Digits, Words
from lightsanim.algebra.modular import Indices, Residues, inverse, reduce
from lightsanim.look.levels import Lights
from lightsanim.solve.components import Component

Table = NDArray[np.int32]
"""(classes, q), how many presses each class has when 0 to q - 1 is added."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ColumnClasses:
    """The cells of some patterns, taken together whose columns are multiples of each other."""

    component: Component  # the patterns
    # (classes, words), the column of each class, a digit for each pattern; its first digit but 0
    # is 1.
    columns: Words
    class_of: Indices  # int (cells,), -1 for cells on no pattern
    factors: Residues  # uint8 (cells,), how many times the class's column a cell's column is

    def __len__(self) -> int:
        return len(self.columns)

    @property
    def q(self) -> int:
        """How many levels there are."""
        return self.component.q

    @property
    def checks(self) -> int:
        """How many patterns there are."""
        return len(self.component)

    def multiples_of(self, changes: Residues) -> Residues:
        """The multiples of the columns that changes of cells add up to.

        ``changes``: uint8 (cells,), returns uint8 (classes,).
        """
        cells = np.flatnonzero(self.class_of >= 0)
        made = changes[cells] * self.factors[cells]
        total = np.bincount(self.class_of[cells], weights=made, minlength=len(self))
        return (total % self.q).astype(np.uint8)

    def table(self, clicks: Lights) -> Table:
        """How many presses each class has when 0 to q - 1 is added to ``clicks``, (cells,)."""
        inside = self.class_of >= 0
        table = np.empty((len(self), self.q), np.int32)
        for added in range(self.q):
            pressed = reduce(clicks[inside] + self.factors[inside] * np.uint8(added), self.q)
            table[:, added] = np.bincount(
                self.class_of[inside], weights=pressed, minlength=len(table)
            )
        return table

    def plus(self, clicks: Lights, combination: Residues) -> Lights:
        """A click set, (cells,), plus a combination of the patterns, uint8 (patterns,)."""
        shifts = Digits(self.q).combined(self.columns, combination[:, None])[:, 0]
        added = np.append(shifts.astype(np.uint8), np.uint8(0))  # to cells on no pattern
        total: Lights = clicks + added[self.class_of] * self.factors
        return reduce(total, self.q).astype(clicks.dtype)


def inverses(q: int) -> Residues:
    """What each factor of a cell is made 1 by, 0 to q - 1; 0 of 0."""
    return np.array([0, *(inverse(factor, q) for factor in range(1, q))], np.uint8)


def column_classes_of(component: Component) -> ColumnClasses:
    """The classes of a component's cells.

    >>> from lightsanim.board.board import Board
    >>> from lightsanim.solve.components import components_of
    >>> (component,) = components_of(Board(5, 5))
    >>> len(column_classes_of(component))  # 3 different columns of 2 bits
    3
    """
    q = component.q
    factors = np.zeros(len(component.cells), np.uint8)
    for row in component.rows():
        np.copyto(factors, row, where=factors == 0)
    scale = inverses(q)[factors]
    # A random word for each column.  Equal words are equal columns, as good as always; results are
    # pressed again in any case.
    weights = np.random.default_rng(0).integers(1 << 64, size=len(component), dtype=np.uint64)
    words = np.zeros(len(factors), np.uint64)
    for row, weight in zip(component.rows(), weights, strict=True):
        words += reduce(row * scale, q) * weight
    _, first, class_of = np.unique(words, return_index=True, return_inverse=True)
    skip = int(not factors[first[0]])  # the word of no pattern is 0, the lowest
    first = first[skip:]
    rows = (reduce(row[first] * scale[first], q) for row in component.rows())
    columns = Digits(q).columns_of(rows, len(component))
    # In the order of the columns, in which SCIP proves in a fifth of the time.
    order = np.argsort(columns.view(f"V{columns.shape[1] * 8}").ravel())
    place = np.append(np.argsort(order), -1)
    return ColumnClasses(
        component=component,
        columns=columns[order],
        class_of=place[class_of - skip],
        factors=factors,
    )
