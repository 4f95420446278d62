"""How many clicks the hardest start takes, with certificates that check_hardest.py reads.

Of the clicks on each class of cells that lie on the same quiet patterns, let e be cells - 2 clicks.
The gain of a combination is the sum of e over the classes, each with the sign of the combination; a
start takes all cells less half of those on patterns and half of its largest gain.  So the question
is the least largest gain.  docs/how-it-works/hardest.md proves what is used here.

Where a gain of 2 is not all, a tree of cases proves it.  In each case e lies between two numbers in
each class, and a weighted mean of the gains, the weights being the dual values of a linear program,
is larger than was supposed.  Where there are too many patterns for that, moments.py has a bound.
"""

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from math import floor
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pyscipopt import LP

from benchmarks import moments
from benchmarks.tables import Bar, Findings, Row, Table
from lightsanim import Board, most_clicks

FILE = Path(__file__).parent.parent / "docs" / "how-it-works" / "data" / "hardest.json"

MAX_NULLITY, MAX_SIDE, MAX_RECTANGLE = 10, 60, 20
SECONDS = 1800.0

# Beyond: bounds, by a gain that is not the least one.
OPEN, OPEN_SECONDS = {(19, 19): 12, (23, 23): 8}, 120.0

# Boards whose least gain is above 2, and what it is; the larger ones repeat their patterns.
BASES = {(6, 8): 4, (9, 9): 8, (14, 16): 8, (16, 16): 8}

# Classes that are tried before one is chosen to branch on.
CANDIDATES = 8

Case = list[Any] | dict[str, int]
"""[class, number, at most that, more than that], or the weights of combinations of patterns."""


def run(quick: bool) -> Findings:
    """The table and the certificates; if quick, of boards to 9 x 9."""
    side, rectangle = (9, 9) if quick else (MAX_SIDE, MAX_RECTANGLE)
    bases = {shape: gain for shape, gain in BASES.items() if max(shape) <= side}
    proofs = {}
    for shape, gain in bases.items():
        proofs["x".join(map(str, shape))] = proof(Board(*shape), gain)
        print(f"\n  proof for {shape}: gain {gain}", end="", file=sys.stderr, flush=True)
    for shape, gain in {} if quick else OPEN.items():
        proofs["x".join(map(str, shape))] = moments.proof(Board(*shape), gain - 2)
    known = known_starts()
    boards = [
        found(shape, bases, known)
        for shape in (*shapes(side, rectangle), *({} if quick else OPEN))
        if Board(*shape).nullity
    ]
    text = json.dumps({"boards": boards, "proofs": proofs}, separators=(",", ":"))
    if not quick:
        FILE.write_text(
            text.replace('{"rows"', '\n{"rows"').replace('"proofs"', '\n"proofs"') + "\n"
        )
    rows: list[Row] = [
        {name: one[name] for name in ("rows", "columns", "nullity", "clicks", "bound")}
        for one in boards
    ]
    closed = sum(row["clicks"] == row["bound"] for row in rows)
    asked = sum(row["nullity"] <= MAX_NULLITY for row in rows)
    bar = Bar(
        what=f"hardest starts of nullity to {MAX_NULLITY}: proven",
        limit="all",
        measured=f"{closed} of {asked}",
        met=closed == asked,
    )
    note = (
        "`make records`. Squares to 60 and rectangles to 20 x 20, of nullity 1 to 10; 19 and 23 "
        "have nullity 16 and 14. The certificates stand in docs/how-it-works/data/hardest.json."
    )
    return Findings(
        tables=[Table(title="Clicks that the hardest start takes", rows=rows, note=note)],
        bars=[] if quick else [bar],
    )


def shapes(side: int, rectangle: int) -> Iterator[tuple[int, int]]:
    """Squares, and rectangles of more columns than rows, of small nullity."""
    for rows in range(1, side + 1):
        for columns in range(rows, max(rows, rectangle) + 1):
            if Board(rows, columns).nullity <= MAX_NULLITY:
                yield rows, columns


def known_starts() -> dict[tuple[int, int], list[str]]:
    """The click sets that were found before: a later search may be less lucky."""
    boards = json.loads(FILE.read_text())["boards"] if FILE.exists() else []
    return {(one["rows"], one["columns"]): one["click set"] for one in boards}


def found(
    shape: tuple[int, int],
    bases: dict[tuple[int, int], int],
    known: dict[tuple[int, int], list[str]],
) -> dict[str, Any]:
    """What one board's hardest start takes, and such a click set; the board may lie on its side."""
    proofs = {either: repeated(either, bases) for either in (shape, shape[::-1])}
    shape = max(proofs, key=lambda either: proofs[either] > "")
    board = Board(*shape)
    seconds = OPEN_SECONDS if shape in OPEN else SECONDS
    most = most_clicks(board, time_limit=seconds)
    clicks = ["".join("01"[int(cell)] for cell in row) for row in most.clicks]
    clicks = max(clicks, known.get(shape, clicks), key=_count)
    bound = most.bound
    if shape in OPEN:
        covered = int(board.quiet_patterns().any(axis=0).sum())
        bound = board.cells - (covered + OPEN[shape]) // 2
    said = f"\n  {shape}: {_count(clicks)} to {bound}"
    print(said, end="", file=sys.stderr, flush=True)
    return {
        "rows": board.rows,
        "columns": board.columns,
        "nullity": board.nullity,
        "clicks": _count(clicks),
        "bound": bound,
        "proof": proofs[shape],
        "click set": clicks,
    }


def repeated(shape: tuple[int, int], bases: dict[tuple[int, int], int]) -> str:
    """The base whose patterns a board repeats an odd number of times each way, if any."""
    for rows, columns in (*bases, *OPEN):
        if (shape[0] + 1) / (rows + 1) % 2 == 1 == (shape[1] + 1) / (columns + 1) % 2:
            return f"{rows}x{columns}"
    return ""


def _count(clicks: list[str]) -> int:
    return "".join(clicks).count("1")


def proof(board: Board, gain: int) -> dict[str, Any]:
    """A tree of cases: none has only gains that are smaller."""
    patterns = board.quiet_patterns()
    bits = 1 << np.arange(len(patterns))
    columns, sizes = np.unique(np.tensordot(bits, patterns, 1), return_counts=True)
    columns, sizes = columns[columns > 0], sizes[columns > 0]
    positive = independent(columns[sizes % 2 == 1])
    cases = Cases(columns, sizes % 2, np.isin(columns, positive), len(patterns), gain - 2)
    return {
        "gain": gain,
        "first rows": ["".join("01"[int(cell)] for cell in one[0]) for one in patterns],
        "classes": columns.tolist(),
        "odd": columns[sizes % 2 == 1].tolist(),
        "positive": positive,
        "tree": cases.tree(),
    }


def independent(columns: NDArray[np.int64]) -> list[int]:
    """Those that the ones before them do not span."""
    chosen, basis = list[int](), list[int]()
    for column in columns.tolist():
        left = column
        for pivot in basis:
            left = min(left, left ^ pivot)
        if left:
            chosen.append(column)
            basis.append(left)
    return chosen


@dataclass
class Cases:
    """A linear program: the least largest gain over e between two numbers in each class."""

    columns: NDArray[np.int64]
    odd: NDArray[np.int64]
    positive: NDArray[np.bool_]
    patterns: int
    most: int  # supposed: no gain is larger

    def __post_init__(self) -> None:
        # No e is twice as large as the largest gain.
        self.high = 2 * self.most - 2 + self.odd
        self.low = np.where(self.positive, 1, -self.high)
        both = np.bitwise_count(np.arange(1 << self.patterns)[:, None] & self.columns)
        self.signs = 1 - 2 * (both & 1).astype(np.int64)
        self.program = LP(sense="minimize")
        for low, high in zip(self.low.tolist(), self.high.tolist(), strict=True):
            self.program.addCol([], obj=0, lb=low, ub=high)
        self.program.addCol([], obj=1, lb=-1000, ub=1000)
        for row in self.signs.tolist():
            entries = [*enumerate(map(float, row)), (len(row), -1.0)]
            self.program.addRow(entries, lhs=-1e20, rhs=self.most)

    def tree(self) -> Case:
        """The cases below the present one."""
        if (excess := self._excess()) > 1e-7:
            return self._weights()
        values = (np.array(self.program.getPrimal()[:-1]) - self.odd) / 2
        apart = np.abs(values - np.rint(values))
        places = [place for place in np.argsort(-apart)[:CANDIDATES] if apart[place] > 1e-6]
        cuts = {place: 2 * floor(values[place]) + int(self.odd[place]) for place in places}
        place = max(places, key=lambda place: self._promise(place, cuts[place], excess))
        sides = [self._side(place, cuts[place], upper) for upper in (False, True)]
        return [int(self.columns[place]), cuts[place], *sides]

    def _excess(self) -> float:
        return float(self.program.solve(dual=True))

    def _side(self, place: int, cut: int, upper: bool, shallow: bool = False) -> Any:
        # What is below, with e at most the cut in a class, or above it.
        low, high = int(self.low[place]), int(self.high[place])
        self._bound(place, *((cut + 2, high) if upper else (low, cut)))
        result = self._excess() if shallow else self.tree()
        self._bound(place, low, high)
        return result

    def _bound(self, place: int, low: int, high: int) -> None:
        self.low[place], self.high[place] = low, high
        self.program.chgBound(place, low, high)

    def _promise(self, place: int, cut: int, excess: float) -> float:
        sides = [self._side(place, cut, upper, shallow=True) for upper in (False, True)]
        gains = [max(side - excess, 1e-4) for side in sides]
        return gains[0] * gains[1] + 10 * sum(side > 1e-7 for side in sides)

    def _weights(self) -> dict[str, int]:
        # The dual values as small whole numbers that still prove it.
        dual = np.abs(self.program.getDual())
        for scale in (2**power for power in range(2, 30)):
            weights = np.rint(dual * scale).astype(np.int64)
            sums = weights @ self.signs
            if np.minimum(sums * self.low, sums * self.high).sum() > self.most * weights.sum():
                chosen = np.flatnonzero(weights)
                return {str(place): int(weights[place]) for place in chosen}
        raise ArithmeticError("the dual values prove nothing")
