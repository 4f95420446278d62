"""What a puzzle's answer says, whatever the puzzle: in words, as text, as JSON."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Grid = NDArray[np.generic]
"""Bool or int (rows, columns)."""

INFEASIBLE = "infeasible"
"""The status of a puzzle that is proven to have no solution; `Status` has the others."""


@dataclass(frozen=True, kw_only=True, eq=False)
class PuzzleAnswer:
    """The answer to a puzzle, or that it has no solution."""

    puzzle: str  # its name
    message: str  # the answer in a sentence or two
    status: str  # "optimal" or "feasible" as in `Status`, or "infeasible"
    grid: Grid | None = None  # bool or int (rows, columns); None where there is no solution
    value: int | None = None  # the number that was asked for, if it was one
    bound: int | None = None  # no solution has a better value than this
    unique: bool | None = None  # is it the only solution?  None where that was not asked
    second: Grid | None = None  # another solution, where that was asked and there is one
    # A grid whose own clues are all 0: it can be added to any solution, or shows that there is
    # none.
    pattern: Grid | None = None
    kind: str = "sum"  # of the clues of ashes
    marks: str = ".#"  # what stands for a cell that is False, and for one that is True

    def as_json(self) -> dict[str, Any]:
        """The members of the JSON report; what was not asked is left out."""
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
        """The solution as text, a line for each row; where there is none, the pattern, if any."""
        grid = self.pattern if self.grid is None else self.grid
        return "" if grid is None else format_grid(grid, self.marks)


def format_grid(grid: Grid, marks: str) -> str:
    """A grid as text, a line for each row.

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
    """A grid as JSON holds it: rows of 0 and 1, or lists of numbers."""
    if grid is None or grid.dtype != bool:
        return None if grid is None else grid.tolist()
    return ["".join("01"[cell] for cell in row) for row in grid.astype(int)]
