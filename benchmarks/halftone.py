"""Benchmark of halftones that share unknowns, against Floyd-Steinberg dithering of each picture."""

import math
import time
from collections.abc import Sequence
from itertools import chain
from statistics import median
from typing import Any

import numpy as np

from benchmarks.sketch import grey_of
from benchmarks.tables import Bar, Findings, Row, Table
from lightsanim import Board, dither
from lightsanim.film.transitions import automaton_film, searched_wipe
from lightsanim.film.transitions.automaton_powers import build_power_effects
from lightsanim.film.transitions.halftone import blurred_errors, search_halftones
from lightsanim.film.transitions.searched_ends import CLICK_TONES, ORBIT_TONES, PICTURE_TONES
from lightsanim.system.deadline import Deadline

TRIPLES = (
    ("face", "skull", "eye"),
    ("astronaut", "cat", "camera"),
    ("face", "astronaut", "skull"),
    ("camera", "coffee", "moon"),
    ("eye", "rocket", "astronaut"),
    ("sun", "moon", "duck"),
    ("duck", "knight", "face"),
    ("skull", "balloon", "butterfly"),
    ("rocket", "camera", "cat"),
    ("cat", "face", "sun"),
)
TWINS = (
    ("astronaut", "camera", "cat", "coffee"),
    ("coffee", "rocket", "sun", "moon"),
    ("face", "skull", "cat", "astronaut"),
    ("astronaut", "skull", "camera", "face"),
    ("cat", "eye", "face", "duck"),
)
CLICKS, PAIR, ORBIT, BESIDE = (
    "two pictures and their clicks",
    "two pictures in one orbit",
    "three pictures in one orbit",
    "two films side by side",
)
FILMS = {CLICKS: TRIPLES, PAIR: TRIPLES, ORBIT: TRIPLES[:5], BESIDE: TWINS}
# For each film, the brightness of black and of white in each picture.
TONES = {
    CLICKS: (PICTURE_TONES, PICTURE_TONES, CLICK_TONES),
    PAIR: (PICTURE_TONES,) * 2,
    ORBIT: (ORBIT_TONES,) * 3,
    BESIDE: (PICTURE_TONES,) * 4,
}
PLACES = ("first", "second", "third", "fourth")
STEPS = 16  # From the first picture in an orbit to the second; twice as many to the third.


def run(quick: bool) -> Findings:
    """Measure blurred errors of all films, and CPU seconds of some on other boards."""
    side, small, large, count = (20, 20, 40, 1) if quick else (128, 100, 300, 10)
    found = {film: [row_of(film, n, side) for n in FILMS[film][:count]] for film in FILMS}
    if not quick:  # two pictures suit 16 or 32 steps
        more = [row_of(PAIR, n, side, 2 * STEPS) for n in FILMS[PAIR]]
        found[PAIR] = [min(rows, key=worst_error) for rows in zip(found[PAIR], more, strict=True)]
    medians = [median_row(rows) for rows in found.values()]
    timed = [row_of(film, FILMS[film][-1], small) for film in FILMS]
    larger = [row_of(film, FILMS[film][-1], large) for film in (CLICKS, PAIR)]
    note = (
        "Blurred error of each picture: root mean square of shown minus grey, blurred by 1.3 "
        "cells. The third picture with clicks is drawn by them. Floyd-Steinberg: mean error of "
        "the same greys, dithered one at a time. Two pictures in one orbit: the better of 16 and "
        "32 steps for each pair of 128 x 128 cells."
    )
    title = f"Halftones of {side} x {side} cells"
    tables = [
        Table(title=f"{title}, medians", note=note, rows=medians),
        Table(title=f"{title}, each film", note=note, rows=[*chain(*found.values())]),
        Table(title="Halftones of other sizes", note=note, rows=timed + larger),
    ]
    bars = [
        Bar.below(f"halftone: {what}", error, limit, "")
        for what, error, limit in (
            ("median error, two pictures", max(medians[0][n] for n in PLACES[:2]), 0.03),
            ("median error, their clicks", medians[0]["third"], 0.042),
            ("worst error, two in one orbit", max(map(worst_error, found[PAIR])), 0.052),
            ("worst error, three in one orbit", max(map(worst_error, found[ORBIT])), 0.06),
            ("median error, side by side", worst_error(medians[3]), 0.043),
        )
    ]
    seconds = [row["CPU seconds"] for row in timed]
    growth = sum(row["CPU seconds"] for row in larger) / sum(seconds[:2]) / (large / small) ** 2
    what = f"halftone: CPU time per cell, {large} x {large} to {small} x {small}"
    bars.append(Bar.below(f"halftone: CPU time, {small} x {small}", max(seconds), 12, "s"))
    bars.append(Bar.below(what, growth, 1.5, "times"))
    return Findings(tables=tables, bars=[] if quick else bars)


def row_of(film: str, names: tuple[str, ...], side: int, steps: int = STEPS) -> Row:
    """Return a row for a film of pictures."""
    board, tones = Board(side, side), TONES[film]
    weights: Sequence[float] = (1,) * len(tones)
    options: dict[str, Any] = {}
    if film == CLICKS:
        kinds, weights = searched_wipe.list_click_effects(board), searched_wipe.CLICKS_WEIGHTS
    elif film == BESIDE:
        kinds = searched_wipe.list_half_effects(searched_wipe.join_boards(board), 2)
        options = {"sweeps": searched_wipe.HALVES_SWEEPS}
    else:
        kinds = [build_power_effects(board, [steps, 2 * steps][: len(tones) - 1])]
        weights = automaton_film.WEIGHTS[len(tones)]
        options = {"sweeps": automaton_film.ORBIT_SWEEPS[len(tones)]}
    pairs = zip(names, tones, strict=False)
    greys = np.stack([dark + (white - dark) * grey_of(n, side) for n, (dark, white) in pairs])
    options |= {"rng": np.random.default_rng(1), "deadline": Deadline(math.inf)}
    began = time.process_time()
    [cells] = search_halftones(greys[None], kinds, board.levels, weights=weights, **options)
    seconds = time.process_time() - began
    errors = [*map(float, blurred_errors(cells, greys)), None, None]
    dithered = np.stack([dither(grey).configuration for grey in greys])
    return {
        "film": film,
        "cells": f"{side} x {side}",
        "pictures": ", ".join(names[: len(tones)]),
        **dict(zip(PLACES, errors, strict=False)),
        "Floyd-Steinberg": float(blurred_errors(dithered, greys).mean()),
        "CPU seconds": seconds,
    }


def median_row(rows: list[Row]) -> Row:
    """Return the median of each column of numbers, and the number of films."""
    row = {
        name: median(row[name] for row in rows) if isinstance(value, float) else value
        for name, value in rows[0].items()
    }
    return row | {"pictures": f"{len(rows)} films"}


def worst_error(row: Row) -> float:
    """Return the largest blurred error of a film's pictures."""
    return float(max(row[place] for place in PLACES if row[place] is not None))
