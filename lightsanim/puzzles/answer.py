"""Answers to puzzles, as sentences, text and JSON."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Grid = NDArray[np.generic]
"""A bool or int array of shape (rows, columns)."""

INFEASIBLE = "infeasible"
"""Status of a puzzle that is proven to have no solution; `Status` holds the others."""


@dataclass(frozen=True, kw_only=True, eq=False)
class PuzzleAnswer:
    """The answer to a puzzle, or the proof that it has no solution."""

    puzzle: str  # name of the puzzle
    message: str  # the answer in a sentence or two
    status: str  # "optimal" or "feasible" as in `Status`, or "infeasible"
    grid: Grid | None = None  # the solution; None if there is none
    value: int | None = None  # value of the objective, if the puzzle has one
    bound: int | None = None  # proven bound of the value
    unique: bool | None = None  # whether the solution is the only one; None if unknown
    second: Grid | None = None  # another solution, if one is known
    # A grid whose clues are all 0: its sum with a solution is another solution.
    pattern: Grid | None = None
    kind: str = "sum"  # kind of the clues of ashes
    marks: str = ".#"  # characters for False and for True cells

    def as_json(self) -> dict[str, Any]:
        """Return the members of the JSON report; unknown facts are left out."""
        report: dict[str, Any] = {
            "puzzle": self.puzzle,
            "value": self.value,
            "bound": self.bound,
            "status": str(self.status),
            "grid": grid_to_json(self.grid),
        }
        if self.grid is None:
            report["reason"] = self.message
        if self.unique is not None:
            report |= {"unique": self.unique, "second": grid_to_json(self.second)}
        if self.pattern is not None:
            report["pattern"] = grid_to_json(self.pattern)
        return report

    def solution_text(self) -> str:
        """Return the solution as text, a line for each row; without one, the pattern, if any."""
        grid = self.pattern if self.grid is None else self.grid
        return "" if grid is None else format_grid(grid, self.marks)


def format_grid(grid: Grid, marks: str) -> str:
    """Return a grid as text, a line for each row.

    >>> print(format_grid(np.array([[1, -10], [0, 2]]), ""))
    1 -10
    0   2
    """
    if grid.dtype == bool:
        return "\n".join(" ".join(marks[cell] for cell in row) for row in grid.astype(int))
    words = [[str(number) for number in row] for row in grid.tolist()]
    widths = [max(map(len, column)) for column in zip(*words, strict=True)]
    return "\n".join(
        " ".join(word.rjust(width) for word, width in zip(row, widths, strict=True))
        for row in words
    )


def grid_to_json(grid: Grid | None) -> list[Any] | None:
    """Return a grid as JSON: strings of 0 and 1, or lists of numbers."""
    if grid is None or grid.dtype != bool:
        return None if grid is None else grid.tolist()
    return ["".join("01"[cell] for cell in row) for row in grid.astype(int)]
