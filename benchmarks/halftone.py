"""Benchmark of halftones that share unknowns, against Floyd-Steinberg dithering of each picture."""

import math
import time
from statistics import median

import numpy as np

from benchmarks.sketch import grey_of
from benchmarks.tables import Bar, Findings, Row, Table
from lightsanim import Board, dither
from lightsanim.animation.automaton_film import START_WEIGHT
from lightsanim.animation.clicks_picture import WEIGHTS
from lightsanim.animation.searched_ends import CLICK_TONES, ORBIT_TONES, PICTURE_TONES
from lightsanim.solve.automaton_powers import build_power_effects
from lightsanim.solve.halftone import Effects, blurred_errors, search_halftones
from lightsanim.system.deadline import Deadline

TRIPLES = (
    ("face", "skull", "eye"),
    ("astronaut", "cat", "camera"),
    ("face", "astronaut", "skull"),
    ("camera", "coffee", "moon"),
    ("eye", "rocket", "astronaut"),
)
# For each film, the brightness of black and of white in each picture, and the weight of its error.
FILMS = {
    "two pictures and their clicks": ((PICTURE_TONES, PICTURE_TONES, CLICK_TONES), WEIGHTS),
    "two pictures in one orbit": ((PICTURE_TONES,) * 2, (START_WEIGHT, 1)),
    "three pictures in one orbit": ((ORBIT_TONES,) * 3, (START_WEIGHT, 1, 1)),
}
PLACES = ("first", "second", "third")
STEPS = 16  # From the first picture in an orbit to the second; twice as many to the third.


def run(quick: bool) -> Findings:
    """Measure blurred errors and CPU seconds of five triples of pictures, and of a larger board."""
    side, large, triples = (20, 40, TRIPLES[:1]) if quick else (100, 300, TRIPLES)
    found = {film: [row_of(film, names, side) for names in triples] for film in FILMS}
    medians = [median_row(rows) for rows in found.values()]
    larger = [row_of(film, triples[-1], large) for film in FILMS]
    note = (
        "Blurred error of each picture: root mean square of shown minus grey, blurred by 1.3 "
        "cells. The third picture with clicks is drawn by them. Floyd-Steinberg: mean error of "
        "the same greys, dithered one at a time."
    )
    title = "Halftones of {0} x {0} cells, {1}".format
    each = [row for rows in zip(*found.values(), strict=True) for row in rows]
    tables = [
        Table(title=title(side, f"medians of {len(triples)} triples"), note=note, rows=medians),
        Table(title=title(side, "each triple of pictures"), note=note, rows=each),
        Table(title=title(large, "one triple of pictures"), note=note, rows=larger),
    ]
    limits = zip(medians, (0.035, 0.05, 0.06), strict=True)
    bars = [
        Bar.below(f"halftone: worst error, {row['film']}", worst_error(row), limit, "")
        for row, limit in limits
    ]
    small = [rows[-1]["CPU seconds"] for rows in found.values()]
    growth = sum(row["CPU seconds"] for row in larger) / sum(small) / (large / side) ** 2
    what = f"halftone: CPU time per cell, {large} x {large} to {side} x {side}"
    bars.append(Bar.below(what, growth, 1.5, "times"))
    return Findings(tables=tables, bars=[] if quick else bars)


def row_of(film: str, names: tuple[str, ...], side: int) -> Row:
    """Return a row for a film of pictures."""
    (tones, weights), board = FILMS[film], Board(side, side)
    shown = [grey_of(name, side) for name in names[: len(tones)]]
    pairs = zip(shown, tones, strict=True)
    greys = np.stack([dark + (white - dark) * grey for grey, (dark, white) in pairs])
    if CLICK_TONES in tones:
        clicked = [(1, *offset) for offset in board.offsets()]
        changes = [(0, 0, 0), (1, 0, 0)], [*clicked, (2, 0, 0)]
        kinds = [Effects.from_offsets(board.shape, offsets) for offsets in changes]
    else:
        kinds = [build_power_effects(board, [STEPS, 2 * STEPS][: len(tones) - 1])]
    began, rng = time.process_time(), np.random.default_rng(1)
    cells = search_halftones(
        greys[None], kinds, board.levels, weights=weights, rng=rng, deadline=Deadline(math.inf)
    )
    seconds = time.process_time() - began
    errors = [*map(float, blurred_errors(cells[0], greys)), None]
    dithered = np.stack([dither(grey).configuration for grey in greys])
    return {
        "film": film,
        "pictures": ", ".join(names[: len(tones)]),
        **dict(zip(PLACES, errors, strict=False)),
        "Floyd-Steinberg": float(blurred_errors(dithered, greys).mean()),
        "CPU seconds": seconds,
    }


def median_row(rows: list[Row]) -> Row:
    """Return the median of each column of numbers."""
    first = {name: value for name, value in rows[0].items() if name != "pictures"}
    return {
        name: median(row[name] for row in rows) if isinstance(value, float) else value
        for name, value in first.items()
    }


def worst_error(row: Row) -> float:
    """Return the largest blurred error of a film's pictures."""
    return max(row[place] for place in PLACES if row[place] is not None)
