"""Two pictures at video size: from grey values to the clicks between them."""

import numpy as np

from benchmarks.measure import ROOT, seconds_of
from benchmarks.tables import Bar, Findings, Table
from lightsanim import (
    Board,
    Nearest,
    Target,
    dither,
    fewest_clicks,
    load_picture,
    nearest_accessible,
)
from lightsanim.board.board import _factors_of
from lightsanim.pictures.grey import grey_for_board

Greys = np.ndarray
STAGES = ("dither x 2", "nearest x 2", "fewest", "together")


def run(quick: bool) -> Findings:
    """Seconds of each stage, one after the other on one core."""
    columns, rows, repeats = (480, 270, 1) if quick else (1920, 1080, 5)
    board, greys = Board(rows, columns), [grey(name, rows, columns) for name in ("face", "skull")]
    found = dict(zip(STAGES, median_stages(board, greys, repeats), strict=True))
    table = Table(
        title=f"From grey values to the clicks, {columns} x {rows} cells",
        note=f"Seconds, medians of {repeats} runs; the board is factored anew in each.",
        rows=[{"stage": stage, "seconds": seconds} for stage, seconds in found.items()],
    )
    bar = Bar.below("picture, 1920 x 1080 from grey values to clicks", found["together"], 1.5, "s")
    return Findings(tables=[table], bars=[] if quick else [bar])


def grey(name: str, rows: int, columns: int) -> Greys:
    """A sample picture as grey values, ready to be dithered: float64 (rows, columns)."""
    return grey_for_board(load_picture(ROOT / "samples" / f"{name}.png"), rows, columns)


def median_stages(board: Board, greys: list[Greys], repeats: int) -> list[float]:
    """The median over runs of each stage's seconds, and of their sum."""
    runs = np.array([stages(board, greys) for _ in range(repeats)])
    return [*np.median(runs, axis=0).tolist(), float(np.median(runs.sum(axis=1)))]


def stages(board: Board, greys: list[Greys]) -> list[float]:
    """Seconds for dithering, nearest accessible configurations and fewest clicks."""
    _factors_of.cache_clear()
    targets: list[Target] = []
    reached: list[Nearest] = []

    def dither_both() -> None:
        targets.extend(dither(values) for values in greys)

    def approach_both() -> None:
        for target in targets:
            found = nearest_accessible(board, target.configuration, margin=target.margin)
            reached.append(found)

    def click() -> None:
        fewest_clicks(board, reached[0].clicks ^ reached[1].clicks)

    return [seconds_of(stage) for stage in (dither_both, approach_both, click)]
