"""Benchmark of the automaton: steps forward, in linear time, and steps back in time."""

from collections import deque

import numpy as np

from benchmarks.measure import seconds_of
from benchmarks.tables import Bar, Findings, Row, Table
from lightsanim import Board, automaton

# Numbers of rows; boards have one more column, so that steps can be undone.
SIDES = (60, 120, 250, 500, 1000, 2000)
BACK, STEPS = 120, 1000


def run(quick: bool) -> Findings:
    """Measure the seconds of steps forward on boards of growing size, and of steps back."""
    sides, count = (SIDES[:2], 10) if quick else (SIDES, 100)
    forward = {levels: [row_of(side, levels, count) for side in sides] for levels in (2, 3)}
    back = [row_of(BACK, levels, -(10 if quick else STEPS)) for levels in (2, 3, 5, 7)]
    tables = [
        Table(
            title=f"{count} steps of the automaton, {levels} levels",
            note="From noise. A step is a few passes over the board: its time is linear in cells.",
            rows=rows,
        )
        for levels, rows in forward.items()
    ]
    note = "Each step solves a board of the rule ring. Seconds include factoring it once."
    tables.append(Table(title="Steps of the automaton back in time", note=note, rows=back))
    small, large = (forward[2][place]["ns a cell and step"] for place in (len(sides) // 3, -2))
    bars = [
        Bar.below("automaton: 1,000 steps back, 120 x 121", back[0]["seconds"], 2, "s"),
        Bar.below("automaton: time per cell, 1000 x 1001 to 250 x 251", large / small, 2, "times"),
    ]
    return Findings(tables=tables, bars=[] if quick else bars)


def row_of(side: int, levels: int, steps: int) -> Row:
    """Measure some steps of a board; negative numbers of steps go back in time."""
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
