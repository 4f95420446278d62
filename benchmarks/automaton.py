"""The automaton: steps forward, which take time linear in the cells, and back in time."""

from collections import deque

import numpy as np

from benchmarks.measure import seconds_of
from benchmarks.tables import Bar, Findings, Row, Table
from lightsanim import Board, automaton

# Rows; there is one column more, so that steps can be undone.
SIDES = (60, 120, 250, 500, 1000, 2000)
BACK, STEPS = 120, 1000


def run(quick: bool) -> Findings:
    """Seconds of steps forward on larger and larger boards, and of steps back."""
    sides, count = (SIDES[:2], 10) if quick else (SIDES, 100)
    forward = {levels: [row_of(side, levels, count) for side in sides] for levels in (2, 3)}
    back = [row_of(BACK, levels, -(10 if quick else STEPS)) for levels in (2, 3, 5, 7)]
    tables = [
        Table(
            title=f"{count} steps of the automaton, {levels} levels",
            note="From noise. A step is some passes over the board: linear in the cells.",
            rows=rows,
        )
        for levels, rows in forward.items()
    ]
    note = "One solve of the rule ring for each; its factors, made once, are among the seconds."
    tables.append(Table(title="Steps of the automaton back in time", note=note, rows=back))
    small, large = (forward[2][place]["ns a cell and step"] for place in (len(sides) // 3, -2))
    bars = [
        Bar.below("1,000 steps of the automaton back, 120 x 121", back[0]["seconds"], 2, "s"),
        Bar.below("a cell's step at 1,000 x 1,001 against 250 x 251", large / small, 2, "times"),
    ]
    return Findings(tables=tables, bars=[] if quick else bars)


def row_of(side: int, levels: int, steps: int) -> Row:
    """A row for some steps of a board, below 0 back in time."""
    board = Board(side, side + 1, levels=levels)
    noise = np.random.default_rng(1).integers(0, levels, board.shape)
    seconds = seconds_of(lambda: deque(automaton(board, noise, steps), maxlen=0))
    return {
        "board": f"{side} x {side + 1}",
        "levels": levels,
        "steps": steps,
        "seconds": seconds,
        "ns a cell and step": seconds / board.cells / abs(steps) * 1e9,
    }
