"""The answer to a puzzle, and its formats: a sentence, text and JSON."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightsanim.game.solve.status import status_from_bound

Grid = NDArray[np.generic]
"""A bool or int array of shape (rows, columns)."""


@dataclass(frozen=True, kw_only=True, eq=False)
class PuzzleAnswer:
    """The answer to a puzzle, or the proof that it has no solution."""

    puzzle: str
    message: str  # The answer in one or two sentences.
    grid: Grid | None = None  # The solution, or None if there is none.
    value: int | None = None  # Number of lit panes, queens or submarines, if the puzzle has them.
    bound: int | None = None  # Proven upper bound on `value`.
    unique: bool | None = None  # Whether no other solution exists; None if unknown.
    second: Grid | None = None  # Another solution, if one is known.
    # For ashes, a grid whose clues are all 0; adding it to a solution makes another solution.
    pattern: Grid | None = None
    kind: str = "sum"  # Kind of clues, for ashes only: "sum" or "slope".
    marks: str = ".#"  # characters that print False and True cells

    @property
    def status(self) -> str:
        """Either "optimal" or "feasible", as in `Status`; "infeasible" if there is no solution."""
        if self.grid is None:
            return "infeasible"
        return status_from_bound(self.value, self.bound)

    def as_json(self) -> dict[str, Any]:
        """Return the JSON report as a dictionary; members that do not apply are null or omitted."""
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
        """Return the solution, or else the pattern, as text with one line per row."""
        grid = self.pattern if self.grid is None else self.grid
        return "" if grid is None else format_grid(grid, self.marks)


def format_grid(grid: Grid, marks: str) -> str:
    """Return a grid as text with one line per row."""
    if grid.dtype == bool:
        return "\n".join(" ".join(marks[cell] for cell in row) for row in grid.astype(int))
    words = [[str(number) for number in row] for row in grid.tolist()]
    widths = [max(map(len, column)) for column in zip(*words, strict=True)]
    return "\n".join(
        " ".join(word.rjust(width) for word, width in zip(row, widths, strict=True))
        for row in words
    )


def grid_to_json(grid: Grid | None) -> list[Any] | None:
    """Return a grid as JSON: a list of numbers per row, or a string of 0 and 1 for bool rows."""
    if grid is None or grid.dtype != bool:
        return None if grid is None else grid.tolist()
    return ["".join("01"[cell] for cell in row) for row in grid.astype(int)]
