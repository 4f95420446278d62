"""What it costs to change cells, class by class.

Changing a cell by d, modulo q, changes the syndrome by d times the cell's column.  So the cells of
a class can make the same multiples of its column, each at a cost of its own, and several of them
together can be cheaper than one.  Of q changes in a class some add up to nothing, so that no more
than q - 1 of its cells, and of each multiple its q - 1 cheapest ones, need be looked at: with two
levels one cell, that which shows least.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lightsanim.algebra.modular import Indices, Residues
from lightsanim.solve.cell_classes import ColumnClasses, build_inverse_table

Costs = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class ClassCosts:
    """The cheapest changes of cells for each multiple of each class's column."""

    classes: ColumnClasses
    # float64 (classes, q), of making each multiple; 0 of none.  By how many levels cells change is
    # the whole part, rounded; the rest decides between equals.
    costs: Costs
    # The candidates of each class, one from each class at a time: the classes, their cells, and the
    # multiple that the cell makes in the cheapest way to each total so far, uint8 (classes, q).
    candidates: list[tuple[Indices, Indices, Residues]]

    def cell_changes(self, multiples: Residues) -> Residues:
        """Changes of cells, uint8 (cells,), that make a multiple of each class's column."""
        q, factors, left = self.classes.levels, self.classes.factors, multiples.astype(np.int64)
        changes = np.zeros(len(factors), np.uint8)
        for classes, cells, choices in reversed(self.candidates):
            multiples_here = choices[np.arange(len(classes)), left[classes]].astype(np.int64)
            left[classes] = (left[classes] - multiples_here) % q
            changes[cells] = multiples_here * build_inverse_table(q)[factors[cells]] % q
        return changes


def total_cost(costs: Costs, multiples: Residues) -> float:
    """What the multiples of all classes, uint8 (classes,), cost together: by (classes, q)."""
    return float(costs[np.arange(len(costs)), multiples].sum())


def find_class_costs(classes: ColumnClasses, levels: Residues, tie_break: Costs) -> ClassCosts:
    """The cheapest changes of the cells of some classes.

    ``levels``: uint8 (cells,), what cells are to show; ``tie_break``: (cells, q), how much it shows
    where they are changed by 0 to q - 1, of magnitude 1, to decide between equals.
    """
    q = classes.levels
    inside = np.flatnonzero(classes.class_of >= 0)
    class_of, costs = classes.class_of[inside], _cell_costs(classes, inside, levels, tie_break)
    candidates = np.zeros(len(inside), bool)
    for multiple in range(1, q):
        order = np.lexsort((costs[:, multiple], class_of))
        candidates[order[_number_equal_entries(class_of[order]) < q - 1]] = True
    order = np.flatnonzero(candidates)
    order = order[np.argsort(class_of[order], kind="stable")]
    ranks = _number_equal_entries(class_of[order])
    total = np.full((len(classes), q), np.inf)
    total[:, 0] = 0
    steps = []
    for rank in range(int(ranks.max()) + 1):
        cells = order[ranks == rank]
        at = class_of[cells]
        # The total that is left for the others where a cell makes a multiple.
        rest = (np.arange(q)[:, None] - np.arange(q)) % q  # (total, multiple)
        alternatives = total[at][:, rest] + costs[cells][:, None, :]
        choices = alternatives.argmin(axis=2)
        total[at] = np.take_along_axis(alternatives, choices[:, :, None], axis=2)[:, :, 0]
        steps.append((at, inside[cells], choices.astype(np.uint8)))
    return ClassCosts(classes=classes, costs=total, candidates=steps)


def _cell_costs(
    classes: ColumnClasses, inside: Indices, levels: Residues, tie_break: Costs
) -> Costs:
    # (cells, q), of making each multiple of the class's column.
    q = classes.levels
    level, factors = levels[inside].astype(np.int64), classes.factors[inside].astype(np.int64)
    # No more than (q - 1) k cells need change, each of which shows less than q levels.
    tiny = 1 / (4 * q * q * (classes.pattern_count + 1))
    costs = np.zeros((len(inside), q))
    for change in range(1, q):
        off = np.abs((level + change) % q - level)
        costs[np.arange(len(inside)), change * factors % q] = off + tiny * tie_break[inside, change]
    return costs


def _number_equal_entries(ascending: Indices) -> Indices:
    # The place of each entry among those that are equal to it.
    starts = np.flatnonzero(np.append(True, ascending[1:] != ascending[:-1]))
    lengths = np.diff(np.append(starts, len(ascending)))
    return np.arange(len(ascending)) - np.repeat(starts, lengths)
