"""Compute the cheapest changes by which each class of cells can correct the syndrome.

Changing a cell by d, modulo q, changes the syndrome by d times the cell's column.  All cells of a
class can thus produce the same multiples of its column, but at different costs, and changing
several cells can be cheaper than changing one.  Among any q changes in a class, some add up to 0
and can be left out.  So at most q - 1 cells of a class change, each one of the q - 1 cheapest for
its multiple.  With two levels, only the cell whose change is least visible is left.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lightsanim.game.algebra.modular import Indices, Residues
from .cell_classes import ColumnClasses, build_inverse_table

Costs = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class ClassCosts:
    """The cheapest changes of cells that produce each multiple of each class's column."""

    classes: ColumnClasses
    # Cost of each multiple, float64 (classes, q); multiple 0 costs 0.  The rounded cost is that
    # of the changes; the remainder breaks ties.
    costs: Costs
    # Steps of a dynamic program over the cells that may change.  Entry i is for the ith such cell
    # of each class: class numbers, cell numbers, and the multiple that the cell contributes to each
    # total of cells 0 to i, uint8 (classes, q).
    candidates: list[tuple[Indices, Indices, Residues]]

    def cell_changes(self, multiples: Residues) -> Residues:
        """Return the cheapest changes, uint8 (cells,), that produce ``multiples`` of columns."""
        q, factors, left = self.classes.levels, self.classes.factors, multiples.astype(np.int64)
        changes = np.zeros(len(factors), np.uint8)
        for classes, cells, choices in reversed(self.candidates):
            multiples_here = choices[np.arange(len(classes)), left[classes]].astype(np.int64)
            left[classes] = (left[classes] - multiples_here) % q
            changes[cells] = multiples_here * build_inverse_table(q)[factors[cells]] % q
        return changes


def total_cost(costs: Costs, multiples: Residues) -> float:
    """Return the total cost of ``multiples``, one for each class; ``costs`` is (classes, q)."""
    return float(costs[np.arange(len(costs)), multiples].sum())


def find_class_costs(classes: ColumnClasses, changes: Costs, tie_break: Costs) -> ClassCosts:
    """Find the cheapest cells to change, for each class and for each multiple of its column.

    ``changes``, (cells, q), is the cost of changing each cell by 0 to q - 1.  ``tie_break``,
    (cells, q), decides between equal costs; its absolute values are below q.
    """
    q = classes.levels
    inside = np.flatnonzero(classes.class_of >= 0)
    class_of, costs = classes.class_of[inside], _cell_costs(classes, inside, changes, tie_break)
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
        # Sum needed from the earlier cells: the total minus this cell's multiple, modulo q.
        rest = (np.arange(q)[:, None] - np.arange(q)) % q
        alternatives = total[at][:, rest] + costs[cells][:, None, :]
        choices = alternatives.argmin(axis=2)
        total[at] = np.take_along_axis(alternatives, choices[:, :, None], axis=2)[:, :, 0]
        steps.append((at, inside[cells], choices.astype(np.uint8)))
    return ClassCosts(classes=classes, costs=total, candidates=steps)


def _cell_costs(classes: ColumnClasses, inside: Indices, changes: Costs, tie_break: Costs) -> Costs:
    # Return the cost, (cells, q), for each cell to contribute each multiple of its class's column.
    q = classes.levels
    factors = classes.factors[inside].astype(np.int64)
    # Keep the sum of a solution's tie-breaks, at most (q - 1) * pattern_count of them, below 1/4.
    tiny = 1 / (4 * q * q * (classes.pattern_count + 1))
    costs = np.zeros((len(inside), q))
    for change in range(1, q):
        cost = changes[inside, change] + tiny * tie_break[inside, change]
        costs[np.arange(len(inside)), change * factors % q] = cost
    return costs


def _number_equal_entries(ascending: Indices) -> Indices:
    # Number the entries within each run of equal values, starting at 0.
    starts = np.flatnonzero(np.append(True, ascending[1:] != ascending[:-1]))
    lengths = np.diff(np.append(starts, len(ascending)))
    return np.arange(len(ascending)) - np.repeat(starts, lengths)
