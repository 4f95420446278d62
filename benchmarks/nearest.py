"""Benchmark of the nearest accessible configuration: wrong cells, proven bound and time."""

import time
from collections.abc import Callable

import numpy as np

from benchmarks import rivals
from benchmarks.tables import Bar, Findings, Row, Table
from lightsanim import Board, Deadline, chase, nearest_accessible
from lightsanim.game.algebra.linear import Bits
from lightsanim.game.solve import scip
from lightsanim.game.solve.chase import Chase

# Number of targets for each side: three where most programs finish early, else one.
SIDES = {9: 3, 16: 3, 19: 3, 24: 1, 30: 1, 32: 1, 39: 1, 47: 1, 59: 1, 61: 1, 62: 1, 64: 1, 65: 1}
SECONDS = 10.0
LARGE_SECONDS = 55.0
LARGE_BARS = {128: 5, 256: 17, 512: 48}

# Number of wrong cells, and the proven lower bound on it.
Answer = tuple[int, int]
Method = Callable[[Board, Bits], Answer]


def run(quick: bool) -> Findings:
    """Compare lightsanim with four programs at equal time, and run it alone on more boards."""
    sides = {9: 1, 16: 1} if quick else SIDES
    seconds = 2.0 if quick else SECONDS
    compared = Table(
        title="Nearest accessible configuration, programs from the same start",
        note=(
            f"Random targets; {seconds:g} s for each search, including building the model. Means "
            "over the targets: wrong cells (proven bound), seconds. SCIP uses one core, CP-SAT all "
            "cores. Start: wrong cells after the paper's light chasing from the best of four "
            "edges, from which the four programs start."
        ),
        rows=[row for side, targets in sides.items() for row in compare(side, targets, seconds)],
        key="nearest",
    )
    every = sweep(range(1, 25) if quick else range(1, 66))
    large = [] if quick else [search_large(side) for side in LARGE_BARS]
    tables = [
        compared,
        Table(
            title="lightsanim on every square board up to 65 x 65 that has quiet patterns",
            note="One random target for each board; time limit 30 s.",
            rows=every,
        ),
        Table(
            title="lightsanim on large boards with many quiet patterns",
            note=f"One random target for each board; time limit {LARGE_SECONDS:g} s.",
            rows=large,
        ),
    ]
    return Findings(tables=tables, bars=[*sweep_bars(every), *large_bars(large)])


def random_target(side: int, seed: int) -> Bits:
    """Return a random target: bool (side, side)."""
    return np.random.default_rng([side, seed]).random((side, side)) < 0.5


def compare(side: int, targets: int, seconds: float) -> list[Row]:
    """Return a row for each method, with means over random targets."""
    board = Board(side, side)
    return [
        {
            "side": side,
            "nullity": board.nullity,
            "targets": targets,
            "start": float(np.mean([_start(board, seed) for seed in range(targets)])),
            "method": name,
            **_means([_timed(method, board, seed) for seed in range(targets)]),
        }
        for name, method in methods(seconds).items()
    ]


def methods(seconds: float) -> dict[str, Method]:
    """Return the methods to compare, by name."""

    def search(board: Board, target: Bits) -> Answer:
        found = nearest_accessible(board, target, time_limit=seconds)
        return found.wrong, found.bound

    def paper_in_scip(board: Board, target: Bits) -> Answer:
        found = nearest_accessible(board, target, ip="paper", time_limit=seconds)
        return found.wrong, found.bound

    def paper_in_cp_sat(board: Board, target: Bits) -> Answer:
        began, start = time.perf_counter(), chased(board, target).clicks
        left = seconds - (time.perf_counter() - began)
        return rivals.nearest_by_clicks(board, target, start, left)

    return {
        "lightsanim": search,
        "parity checks, SCIP": on_parity_checks(parity_in_scip, seconds),
        "parity checks, CP-SAT": on_parity_checks(rivals.nearest_by_parity, seconds),
        "paper's program, SCIP": paper_in_scip,
        "paper's program, CP-SAT": paper_in_cp_sat,
    }


def on_parity_checks(solve: Callable[[Bits, Bits, Bits, float], Answer], seconds: float) -> Method:
    """Return a method that calls a solver with parity checks, syndrome, start and remaining time.

    Of cells with the same check bits, only one is passed.  The start is the cells that are wrong
    after light chasing.
    """

    def method(board: Board, target: Bits) -> Answer:
        deadline, syndrome = Deadline(seconds), board.syndrome(target)
        if not syndrome.any():
            return 0, 0
        patterns = board.quiet_patterns().reshape(board.nullity, board.cells)
        checks, class_of = np.unique(patterns, axis=1, return_inverse=True)
        wrong = np.flatnonzero(chased(board, target).wrong)
        start = np.bincount(class_of[wrong], minlength=checks.shape[1]) % 2 == 1
        helpful = checks.any(axis=0)
        return solve(checks[:, helpful], syndrome, start[helpful], deadline.remaining)

    return method


def parity_in_scip(checks: Bits, syndrome: Bits, start: Bits, seconds: float) -> Answer:
    """Solve with SCIP, as `nearest_accessible` does with ``ip="parity"``."""
    deadline = Deadline(seconds)
    answer = scip.solve_program(
        scip.nearest_by_parity_program(checks, syndrome, start, 1), deadline
    )
    return int(answer.values.sum()), answer.bound


def chased(board: Board, target: Bits) -> Chase:
    """Run the paper's light chasing, and return the best of four edges."""
    edges = ("bottom", "top", "right", "left")
    return min((chase(board, target, edge) for edge in edges), key=lambda c: c.wrong.sum())


def _start(board: Board, seed: int) -> int:
    return int(chased(board, random_target(board.rows, seed)).wrong.sum())


def _timed(method: Method, board: Board, seed: int) -> tuple[int, int, float]:
    target = random_target(board.rows, seed)
    began = time.perf_counter()
    wrong, bound = method(board, target)
    return wrong, bound, time.perf_counter() - began


def _means(answers: list[tuple[int, int, float]]) -> Row:
    wrong, bound, seconds = np.mean(answers, axis=0)
    return {"wrong": float(wrong), "bound": float(bound), "seconds": float(seconds)}


def sweep(sides: range) -> list[Row]:
    """Run lightsanim on every board of these sides that has quiet patterns."""
    boards = (Board(side, side) for side in sides)
    return [_search(board, 30.0) for board in boards if board.nullity]


def search_large(side: int) -> Row:
    """Run lightsanim on one large board."""
    return _search(Board(side, side), LARGE_SECONDS)


def _search(board: Board, seconds: float) -> Row:
    target = random_target(board.rows, 0)
    began = time.perf_counter()
    found = nearest_accessible(board, target, time_limit=seconds)
    return {
        "side": board.rows,
        "nullity": board.nullity,
        "wrong, chased down": int(chase(board, target).wrong.sum()),
        "wrong, chased to the best edge": found.chased_wrong,
        "wrong": found.wrong,
        "bound": found.bound,
        "status": str(found.status),
        "seconds": time.perf_counter() - began,
    }


def sweep_bars(rows: list[Row]) -> list[Bar]:
    """Return the limits: all results proven, and the time."""
    proven = sum(row["status"] == "optimal" for row in rows)
    slowest = max(rows, key=lambda row: row["seconds"])
    light = max((row for row in rows if row["nullity"] <= 32), key=lambda row: row["seconds"])
    return [
        Bar(
            what="nearest: square boards up to 65 x 65 that are proven optimal",
            limit="all",
            measured=f"{proven} of {len(rows)}",
            met=proven == len(rows),
        ),
        Bar.below("nearest: slowest board up to 65 x 65", slowest["seconds"], 10.0, "s"),
        Bar.below("nearest: slowest of nullity up to 32", light["seconds"], 2.0, "s"),
    ]


def large_bars(rows: list[Row]) -> list[Bar]:
    """Return the limits on wrong cells of large boards."""
    return [
        Bar(
            what=f"nearest: wrong cells, {row['side']} x {row['side']}, {LARGE_SECONDS:g} s",
            limit=f"at most {LARGE_BARS[row['side']]}, with a proven bound",
            measured=f"{row['wrong']}, proven bound {row['bound']}",
            met=row["wrong"] <= LARGE_BARS[row["side"]] and row["bound"] > 0,
        )
        for row in rows
    ]
