"""Benchmark of two pictures at video size: from grey values to the clicks between them."""

import numpy as np

from benchmarks.measure import ROOT, in_child, seconds_of
from benchmarks.tables import Bar, Findings, Row, Table
from lightsanim import (
    Board,
    Nearest,
    Target,
    dither,
    fewest_clicks,
    load_picture,
    nearest_accessible,
)
from lightsanim.game.board import factors
from lightsanim.pictures.grey import grey_for_board

Greys = np.ndarray
STAGES = ("dither x 2", "nearest x 2", "fewest", "together")
LEVELS = (2, 3, 5)


def run(quick: bool) -> Findings:
    """Measure the seconds of each stage on one core, and of clicks on boards of growing size."""
    columns, rows, repeats = (480, 270, 1) if quick else (1920, 1080, 5)
    greys = [grey(name, rows, columns) for name in ("face", "skull")]
    found = {n: median_stages(Board(rows, columns, levels=n), greys, repeats) for n in LEVELS}
    sides = (200, 400) if quick else (2000, 4000, 10_000)
    clicks = [clicks_at(side, levels) for side in sides for levels in LEVELS[1:]]
    tables = [
        Table(
            title=f"From grey values to the clicks, {columns} x {rows} cells",
            note=f"Seconds, medians of {repeats} runs; each run factors the board again.",
            rows=[
                {"stage": stage, **{f"{n} levels": found[n][place] for n in LEVELS}}
                for place, stage in enumerate(STAGES)
            ],
        ),
        Table(
            title="Clicks of a random accessible configuration, more than two levels",
            note="Seconds, including factoring, and peak memory; one run in its own process.",
            rows=clicks,
        ),
    ]
    bars = [
        Bar.below(f"picture: grey to clicks, 1920 x 1080, {n} levels", found[n][-1], limit, "s")
        for n, limit in zip(LEVELS, (1.5, 2.0, 2.0), strict=True)
    ]
    for levels in LEVELS[1:]:
        seconds = [row["seconds"] for row in clicks if row["levels"] == levels]
        what = f"picture: clicks at {levels} levels, time at 4000 x 4000 relative to 2000 x 2000"
        bars.append(Bar.below(what, seconds[1] / seconds[0], 5, "times"))
    bars.append(
        Bar.below("picture: peak memory", max(row["peak, MB"] for row in clicks), 8000, "MB")
    )
    return Findings(tables=tables, bars=[] if quick else bars)


def clicks_at(side: int, levels: int) -> Row:
    """Return a row for the clicks of a square board."""
    child = in_child(clicks_in_child, side, levels)
    return {
        "cells": f"{side} x {side}",
        "levels": levels,
        "seconds": child.result,
        "peak, MB": child.peak / 1e6,
    }


def clicks_in_child(side: int, levels: int) -> float:
    """Return the seconds to find clicks that lead to a random accessible configuration."""
    board, rng = Board(side, side, levels=levels), np.random.default_rng(0)
    end = board.toggles(rng.integers(0, levels, board.shape, np.uint8))
    return seconds_of(lambda: board.clicks_between(board.reference, end))


def grey(name: str, rows: int, columns: int) -> Greys:
    """Return a sample picture as grey values to dither: float64 (rows, columns)."""
    return grey_for_board(load_picture(ROOT / "samples" / f"{name}.png"), rows, columns)


def median_stages(board: Board, greys: list[Greys], repeats: int) -> list[float]:
    """Return the medians, over runs, of each stage's seconds and of their sum."""
    runs = np.array([stages(board, greys) for _ in range(repeats)])
    return [*np.median(runs, axis=0).tolist(), float(np.median(runs.sum(axis=1)))]


def stages(board: Board, greys: list[Greys]) -> list[float]:
    """Return the seconds for dithering, nearest accessible configurations and fewest clicks."""
    factors.factorise.__wrapped__.cache_clear()
    targets: list[Target] = []
    reached: list[Nearest] = []

    def dither_both() -> None:
        targets.extend(dither(values, levels=board.levels) for values in greys)

    def approach_both() -> None:
        for target in targets:
            found = nearest_accessible(
                board,
                target.configuration,
                margin=target.margin,
                in_levels=None if board.levels == 2 else target.in_levels,
            )
            reached.append(found)

    def click() -> None:
        fewest_clicks(board, board.subtract(reached[1].clicks, reached[0].clicks))

    return [seconds_of(stage) for stage in (dither_both, approach_both, click)]
