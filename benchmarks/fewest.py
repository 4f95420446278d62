"""The fewest clicks that turn the all-on board off, and the proof."""

import time
from collections.abc import Callable

import numpy as np

from benchmarks import rivals
from benchmarks.tables import Bar, Findings, Row, Table
from lightsanim import Board, Deadline, fewest_clicks
from lightsanim.algebra.linear import Bits
from lightsanim.solve import scip

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

# Sides left out: weighing their 2**40 and 2**42 click sets takes ten minutes and more.
SLOW_SIDES = (61, 65)

# Nullity 32.
HARDEST = (39, 67)
HARDEST_SECONDS = 60.0

COMPARED = (9, 16, 19, 23, 30)
SECONDS = 10.0

Method = Callable[[Board, Bits], tuple[int, int]]


def run(quick: bool) -> Findings:
    """Ours against OEIS; ours against the paper's basic program at equal time."""
    sides = range(1, 21 if quick else len(A075464) + 1)
    rows = [against_oeis(side) for side in sides if side not in SLOW_SIDES]
    seconds, compared = (2.0, COMPARED[:2]) if quick else (SECONDS, COMPARED)
    tables = [
        Table(
            title="Fewest clicks that turn the all-on board off",
            note=(
                "OEIS is A075464, https://oeis.org/A075464. Boards of nullity 0 have one click "
                "set only and are left out here; they agree with OEIS too."
            ),
            rows=[row for row in rows if row["nullity"]],
        ),
        Table(
            title="The same, against the paper's basic program from the same start",
            note=(
                f"Clicks (proven bound), seconds; {seconds:g} s for each search, building the "
                "model included. SCIP works on one core, CP-SAT on all."
            ),
            rows=[row for side in compared for row in compare(side, seconds)],
            key="fewest",
        ),
    ]
    return Findings(tables=tables, bars=[] if quick else bars(rows))


def against_oeis(side: int, seconds: float = HARDEST_SECONDS) -> Row:
    """Our answer for one board, next to the known one."""
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
    """A row for each method, all from one click set of the linear-time method."""
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
    """What is compared, by name."""

    def search(board: Board, start: Bits) -> tuple[int, int]:
        found = fewest_clicks(board, start, time_limit=seconds)
        return found.count, found.bound

    def paper_in_scip(board: Board, start: Bits) -> tuple[int, int]:
        deadline = Deadline(seconds)
        program = scip.fewest_clicks_program(board, board.toggles(start), start)
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
    """All as in OEIS, all proven, and how fast."""
    right = sum(row["clicks"] == row["bound"] == row["OEIS"] for row in rows)
    others = max(row["seconds"] for row in rows if row["side"] not in HARDEST)
    hardest = max(row["seconds"] for row in rows)
    return [
        Bar(
            what="fewest, all-on boards to n = 78 without {} and {}: ".format(*SLOW_SIDES)
            + "proven and as in OEIS",
            limit="all",
            measured=f"{right} of {len(rows)}",
            met=right == len(rows),
        ),
        Bar.below("fewest, slowest of these but n = 39 and 67", others, 10.0, "s"),
        Bar.below("fewest, slowest of all", hardest, HARDEST_SECONDS, "s"),
    ]
