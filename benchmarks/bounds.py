"""Bounds on the 79th term of OEIS A075464, the first that is unknown: all-on 79 x 79.

Its nullity is 64, too many for all click sets.  But 80 is even, and a pattern of such a board, on
every other cell of every other row, is one of only 2**32: there the fewest clicks can be found, and
what they are on the four parts of the board is a lower bound together.  For an upper bound the
click sets with a symmetry are weighed, of which there are 2**32 at most as well: fewer sets, but
their sizes spread more.  From the best of these the search goes on, over the sums with all patterns
that are empty on one of the parts, as long as one of them gains.
"""

import json
import sys
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from benchmarks.sequences import FOLDER
from benchmarks.tables import Findings, Row, Table
from lightsanim import Board
from lightsanim.algebra.digits import Digits
from lightsanim.solve.column_classes import column_classes_of
from lightsanim.solve.components import Component
from lightsanim.solve.weighing import digits_of_block, weigh

SIDE, QUICK_SIDE = 79, 19
PARTS = ((0, 0), (0, 1), (1, 0), (1, 1))

Cells = NDArray[np.bool_]

SYMMETRIES: dict[str, Callable[[Cells], Cells]] = {
    "a turn by 180 degrees": lambda cells: cells[::-1, ::-1],
    "a mirror": lambda cells: cells[:, ::-1],
    "the diagonal": lambda cells: cells.T,
}


def run(quick: bool) -> Findings:
    """Both bounds; if quick, on 19 x 19, where the term is known."""
    side = QUICK_SIDE if quick else SIDE
    board, on = Board(side, side), np.ones((side, side), bool)
    clicks, patterns = board.clicks_between(on, ~on), board.quiet_patterns()
    rows: list[Row] = []

    def tell(what: str, count: int) -> None:
        rows.append({"what": what, "clicks": count})
        print(f"\n  {what}: {count}", end="", file=sys.stderr, flush=True)

    low = 0
    for down, right in PARTS:
        part = np.zeros_like(on)
        part[down::2, right::2] = True
        low += (fewest := int(lightest(clicks[part], patterns[:, part]).sum()))
        tell(f"at least, on rows {down + 1} and columns {right + 1} modulo 2", fewest)
    tell("at least, together", low)
    best = clicks
    for name, turn in SYMMETRIES.items():
        found = symmetric(clicks, patterns, turn)
        tell(f"at most, with {name}", int(found.sum()))
        best = min(best, found, key=np.sum)
    best = improved(best, patterns)
    assert (board.toggles(best) == on).all()
    tell("at most", int(best.sum()))
    if not quick:
        sets = json.loads((FOLDER / "all-on.json").read_text())
        sets[str(side)] = ["".join("01"[int(cell)] for cell in row) for row in best]
        (FOLDER / "all-on.json").write_text(json.dumps(sets, indent=0) + "\n")
    return Findings(tables=[Table(title=f"Bounds on A075464({side})", rows=rows)], bars=[])


def lightest(clicks: Cells, patterns: Cells) -> Cells:
    """The smallest sum of clicks with any of the patterns, bool (patterns, ...)."""
    cells, digits = clicks.ravel(), Digits(2)
    rows, pivots = digits.reduced_rows(digits.pack(patterns.reshape(len(patterns), -1)))
    rows = rows[: len(pivots)]
    classes = column_classes_of(Component(patterns=rows, cells=np.arange(len(cells)), q=2))
    blocks = 2 ** max(0, len(rows) - digits_of_block(2))
    _, combination = min(
        weigh(classes.columns, len(rows), classes.table(cells), range(blocks)),
        key=lambda weighed: weighed[0],
    )
    return classes.plus(cells, combination).reshape(clicks.shape)


def combinations(changes: Cells) -> tuple[list[int], dict[int, tuple[int, int]]]:
    """Which sums of changes, bool (patterns, cells), are nothing; and pivots for all others."""
    nothing, pivots = list[int](), dict[int, tuple[int, int]]()
    for number, change in enumerate(changes):
        left, chosen = reduced(change, 1 << number, pivots)
        if left:
            pivots[left.bit_length()] = left, chosen
        else:
            nothing.append(chosen)
    return nothing, pivots


def reduced(change: Cells, chosen: int, pivots: dict[int, tuple[int, int]]) -> tuple[int, int]:
    """What pivots leave of a change, and which patterns that took."""
    left = int.from_bytes(np.packbits(change).tobytes(), "big")
    while found := pivots.get(left.bit_length()):
        left, chosen = left ^ found[0], chosen ^ found[1]
    return left, chosen


def total(chosen: int, patterns: Cells) -> Cells:
    """The sum of the patterns that the bits of a number choose."""
    picked = [place for place in range(len(patterns)) if chosen >> place & 1]
    return np.logical_xor.reduce(patterns[picked], axis=0)


def symmetric(clicks: Cells, patterns: Cells, turn: Callable[[Cells], Cells]) -> Cells:
    """The smallest of the sums of clicks and patterns that a turn leaves as they are."""
    changes = np.array([(pattern ^ turn(pattern)).ravel() for pattern in patterns])
    nothing, pivots = combinations(changes)
    left, chosen = reduced((clicks ^ turn(clicks)).ravel(), 0, pivots)
    assert not left  # some are
    start = clicks ^ total(chosen, patterns)
    return lightest(start, np.array([total(chosen, patterns) for chosen in nothing]))


def improved(clicks: Cells, patterns: Cells) -> Cells:
    """The click set that no sum with patterns that are empty on a part makes smaller."""
    spaces = []
    for down, right in PARTS:
        nothing, _ = combinations(patterns[:, down::2, right::2].reshape(len(patterns), -1))
        spaces.append(np.array([total(chosen, patterns) for chosen in nothing]))
    best, vain = clicks, 0
    while vain < len(spaces):
        found = lightest(best, spaces[0])
        best, vain = (found, 0) if found.sum() < best.sum() else (best, vain + 1)
        spaces = [*spaces[1:], spaces[0]]
    return best
