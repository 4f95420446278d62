"""Benchmark of click sets between two configurations: linear time against elimination."""

from functools import partial

import numpy as np

from benchmarks.elimination import clicks_by_elimination
from benchmarks.measure import in_child, medians, nothing, seconds_of
from benchmarks.tables import Bar, Findings, Row, Table, rounded
from lightsanim import Board
from lightsanim.game.algebra.linear import Bits, pack_rows, unpack_rows
from lightsanim.game.board import factors
from lightsanim.game.board.elimination import EliminationFactors
from lightsanim.game.board.plus import chase_rows
from lightsanim.game.board.rule import parse_rule

OURS, FIRST_ROW, WHOLE = "linear time", "elimination, first row", "elimination, whole board"
COMMON = "chasing and packing alone"

# Boards of other rules: rule, wrap, side, and the limit in seconds.
FIVE = "10110/01101/11000/10011/01110"
RULED = [
    ("ring", False, 2000, 1.0),
    ("cross", False, 1000, 2.0),
    ("king", False, 1000, 2.0),
    ("king", True, 1000, 2.0),
    ("plus", True, 100, 10.0),
    ("x", False, 100, 10.0),
    ("x", True, 100, 10.0),
    (FIVE, False, 100, 10.0),
    (FIVE, True, 100, 10.0),
]

# Number of runs for each side, and the largest side at which each method takes less than a minute.
SIDES = {50: 5, 100: 5, 500: 5, 1000: 5, 2000: 5, 5000: 3, 10_000: 3, 20_000: 2}
LARGEST = {OURS: 20_000, FIRST_ROW: 20_000, WHOLE: 140, COMMON: 20_000}


def run(quick: bool) -> Findings:
    """Measure seconds and peak memory of every method, up to its largest side."""
    sides = {50: 1, 500: 1, 1000: 1} if quick else SIDES
    rows = [compare(side, repeats) for side, repeats in sides.items()]
    memory = [peak_memory(side) for side in sides if side >= 500]
    tables = [
        Table(
            title="Clicks between two random accessible configurations, n x n",
            note=(
                "Seconds, including factoring; medians of interleaved runs, each in its own "
                "process, on one core. Elimination on the first row solves the n x n system that "
                "remains after light chasing, with the Method of the Four Russians. Elimination on "
                "the whole board is what lightsanim uses for other rules. Chasing and packing "
                "alone is the work that the first two methods share, including a check of clicks."
            ),
            rows=rows,
            key="algebra",
        ),
        Table(
            title="Other rules: clicks between two random accessible configurations",
            note="Seconds, including factoring; medians, each run in its own process.",
            rows=(ruled := [under_rule(*board, repeats=1 if quick else 5) for board in RULED]),
        ),
        Table(
            title="Peak memory of the linear-time method",
            note=(
                "Includes the two inputs and the output, 1 byte per cell each, and Python with "
                f"numpy, which alone take {in_child(nothing).peak / 1e6:.0f} MB."
            ),
            rows=memory,
        ),
    ]
    return Findings(tables=tables, bars=[] if quick else bars(rows, memory) + ruled_bars(ruled))


def compare(side: int, repeats: int) -> Row:
    """Return the seconds of each method at one side."""
    able = [method for method, largest in LARGEST.items() if side <= largest]
    calls = {method: partial(seconds_in_child, side, method) for method in able}
    found = medians(calls, repeats)
    ratio = found[FIRST_ROW] / found[OURS] if FIRST_ROW in found else None
    return {
        "side": side,
        **{f"{method}, s": found.get(method) for method in LARGEST},
        "first row / linear": ratio,
    }


def under_rule(rule: str, wrap: bool, side: int, asked: float, *, repeats: int) -> Row:
    """Return the seconds of lightsanim's method for another rule."""
    call = partial(in_child, seconds_under_rule, rule, wrap, side)
    seconds = medians({rule: lambda: float(call().result)}, repeats)[rule]
    return {"rule": rule, "wrapped": wrap, "side": side, "s": seconds, "limit, s": asked}


def seconds_under_rule(rule: str, wrap: bool, side: int) -> float:
    """Return the seconds for the clicks between two random configurations."""
    board, rng = Board(side, side, rule=rule, wrap=wrap), np.random.default_rng(side)
    start, goal = rng.random((2, side, side)) < 0.5
    goal = start ^ board.toggles(goal)
    return seconds_of(lambda: board.clicks_between(start, goal))


def peak_memory(side: int) -> Row:
    """Return the peak memory of the linear-time method at one side."""
    peak = in_child(seconds_to_solve, side, OURS).peak
    return {"side": side, "peak, MB": peak / 1e6, "bytes a cell": peak / side**2}


def seconds_in_child(side: int, method: str) -> float:
    """Call `seconds_to_solve` in a new process."""
    return float(in_child(seconds_to_solve, side, method).result)


def seconds_to_solve(side: int, method: str) -> float:
    """Return the seconds of a method for one random board, after a small board as a warm-up."""
    solvers = {
        OURS: clicks_in_linear_time,
        FIRST_ROW: clicks_by_elimination,
        WHOLE: clicks_by_whole_elimination,
        COMMON: clicks_from_empty_row,
    }
    solver = solvers[method]
    solver(*random_pair(20))
    start, goal = random_pair(side)
    return seconds_of(lambda: solver(start, goal))


def random_pair(side: int) -> tuple[Bits, Bits]:
    """Return a random configuration and the result of random clicks on it: bool (side, side)."""
    rng = np.random.default_rng(side)
    start = rng.integers(0, 2, (side, side), dtype=np.uint8).view(bool)
    goal = Board(side, side).toggles(rng.integers(0, 2, (side, side), dtype=np.uint8).view(bool))
    goal ^= start
    return start, goal


def clicks_in_linear_time(start: Bits, goal: Bits) -> Bits:
    """Find clicks with lightsanim's method, and factor the board again."""
    factors.factorise.__wrapped__.cache_clear()
    return Board(*start.shape).clicks_between(start, goal)


def clicks_by_whole_elimination(start: Bits, goal: Bits) -> Bits | None:
    """Find clicks as lightsanim does for other rules, by elimination with one bit row per cell."""
    board = Board(*start.shape)
    return EliminationFactors(parse_rule("plus"), *board.shape, wrap=False).solve(start ^ goal)


def clicks_from_empty_row(start: Bits, goal: Bits) -> Bits:
    """Chase lights from an empty first row; this leaves wrong cells in the last row."""
    n = start.shape[1]
    mask, rows = (1 << n) - 1, pack_rows(start ^ goal)
    clicks, _ = chase_rows(chase_rows(0, rows, mask)[1], rows, mask)
    return unpack_rows(clicks, n)


def ruled_bars(rows: list[Row]) -> list[Bar]:
    """Return the limits on time for boards of other rules."""
    return [
        Bar.below(
            f"algebra: rule {row['rule']}{' wrapped' if row['wrapped'] else ''}, "
            f"{row['side']} x {row['side']}",
            row["s"],
            row["limit, s"],
            "s",
        )
        for row in rows
    ]


def bars(rows: list[Row], memory: list[Row]) -> list[Bar]:
    """Return the limits on time and memory for millions of cells."""
    seconds = {row["side"]: row[f"{OURS}, s"] for row in rows}
    ratio = seconds[20_000] / seconds[10_000]
    worst = max(row["bytes a cell"] for row in memory if row["side"] >= 5000)
    return [
        Bar.below("algebra: time at 10,000 x 10,000", seconds[10_000], 1.0, "s"),
        Bar(
            what="algebra: time at 20,000 x 20,000 relative to 10,000 x 10,000",
            limit="under 5 times",
            measured=f"{rounded(ratio)} times ({rounded(seconds[20_000])} s)",
            met=ratio < 5,
        ),
        Bar.below("algebra: peak memory from 5,000 x 5,000 cells up", worst, 12, "bytes a cell"),
    ]
