"""Benchmark of the fewest clicks that turn the all-on board off, with proof."""

import time
from collections.abc import Callable

import numpy as np

from benchmarks import rivals
from benchmarks.tables import Bar, Findings, Row, Table
from lightsanim import Board, Deadline, fewest_clicks
from lightsanim.game.algebra.linear import Bits
from lightsanim.game.solve import scip

# OEIS A075464, n = 1..78: https://oeis.org/A075464/b075464.txt, terms 1..60 by Max Alekseyev, the
# others by Zhao Hui Du.
A075464 = (
    *(1, 4, 5, 4, 15, 28, 33, 40, 25, 44, 55, 72, 105, 56, 117, 104),
    *(147, 188, 141, 224, 245, 276, 231, 270, 353, 356, 405, 416, 345, 376, 553, 428),
    *(469, 520, 563, 600, 761, 772, 561, 696, 891, 940, 953, 772, 1069, 1188, 971, 1096),
    *(
        1165,
        1220,
        1317,
        1256,
        1487,
        1400,
        1697,
        1616,
        1709,
        1852,
        1485,
        1832,
        1629,
        1742,
        2061,
        1838,
    ),
    *(1867, 2244, 2015, 2448, 2233, 2484, 2311, 2592, 2705, 2758, 2965, 2992, 3055, 2980),
)

# Sides with the largest nullity, 40 and 42, and their time limit in seconds.
HARDEST = (61, 65)
HARDEST_SECONDS = 60.0

COMPARED = (9, 16, 19, 23, 30)
SECONDS = 10.0

Method = Callable[[Board, Bits], tuple[int, int]]


def run(quick: bool) -> Findings:
    """Compare lightsanim with OEIS, and with the paper's basic program at equal time."""
    sides = range(1, 21 if quick else len(A075464) + 1)
    rows = [against_oeis(side) for side in sides]
    seconds, compared = (2.0, COMPARED[:2]) if quick else (SECONDS, COMPARED)
    tables = [
        Table(
            title="Fewest clicks that turn the all-on board off",
            note=(
                "OEIS: the known values, A075464, https://oeis.org/A075464. Boards of nullity 0 "
                "have only one solution and are not listed; they agree with OEIS, too."
            ),
            rows=[row for row in rows if row["nullity"]],
        ),
        Table(
            title="Fewest clicks: lightsanim and the paper's basic program from the same start",
            note=(
                f"Clicks (proven bound), seconds; {seconds:g} s for each search, including "
                "building the model. SCIP uses one core, CP-SAT all cores."
            ),
            rows=[row for side in compared for row in compare(side, seconds)],
            key="fewest",
        ),
    ]
    return Findings(tables=tables, bars=[] if quick else bars(rows))


def against_oeis(side: int, seconds: float = HARDEST_SECONDS) -> Row:
    """Solve one board, and return the result beside the known one."""
    board, on = Board(side, side), np.ones((side, side), bool)
    began = time.perf_counter()
    found = fewest_clicks(board, board.clicks_between(on, ~on), time_limit=seconds)
    return {
        "side": side,
        "nullity": board.nullity,
        "clicks": found.count,
        "OEIS": A075464[side - 1],
        "bound": found.bound,
        "seconds": time.perf_counter() - began,
    }


def compare(side: int, seconds: float) -> list[Row]:
    """Return a row for each method; all start from the same click set."""
    board, on = Board(side, side), np.ones((side, side), bool)
    start = board.clicks_between(on, ~on)
    return [
        {
            "side": side,
            "nullity": board.nullity,
            "start": int(start.sum()),
            "method": name,
            **_timed(method, board, start),
        }
        for name, method in methods(seconds).items()
    ]


def methods(seconds: float) -> dict[str, Method]:
    """Return the methods to compare, by name."""

    def search(board: Board, start: Bits) -> tuple[int, int]:
        found = fewest_clicks(board, start, time_limit=seconds)
        return found.count, found.bound

    def paper_in_scip(board: Board, start: Bits) -> tuple[int, int]:
        deadline = Deadline(seconds)
        program = scip.clicks_program(board, board.toggles(start), start)
        answer = scip.solve_program(program, deadline)
        return int(answer.values.sum()), answer.bound

    def paper_in_cp_sat(board: Board, start: Bits) -> tuple[int, int]:
        return rivals.fewest_clicks(board, board.toggles(start), start, seconds)

    return {
        "lightsanim": search,
        "paper's program, SCIP": paper_in_scip,
        "paper's program, CP-SAT": paper_in_cp_sat,
    }


def _timed(method: Method, board: Board, start: Bits) -> Row:
    began = time.perf_counter()
    count, bound = method(board, start)
    return {"clicks": count, "bound": bound, "seconds": time.perf_counter() - began}


def bars(rows: list[Row]) -> list[Bar]:
    """Return the limits: all results equal to OEIS and proven, and the time."""
    right = sum(row["clicks"] == row["bound"] == row["OEIS"] for row in rows)
    others = max(row["seconds"] for row in rows if row["side"] not in HARDEST)
    hardest = max(row["seconds"] for row in rows)
    return [
        Bar(
            what="fewest: all-on boards up to n = 78, proven and equal to OEIS",
            limit="all",
            measured=f"{right} of {len(rows)}",
            met=right == len(rows),
        ),
        Bar.below("fewest: slowest of these boards except n = 61 and 65", others, 10.0, "s"),
        Bar.below("fewest: slowest of these boards", hardest, HARDEST_SECONDS, "s"),
    ]
