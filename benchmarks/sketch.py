"""Benchmark of sketches, fades of few clicks, against the exact wipe between the same pictures."""

import numpy as np
import skimage.data

from benchmarks.measure import ROOT, seconds_of
from benchmarks.tables import Bar, Findings, Row, Table
from lightsanim import Board, Sketch, dither, load_picture, nearest_accessible, sketch
from lightsanim.pictures.grey import grey_for_board

PAIRS = (
    ("astronaut", "cat"),
    ("face", "skull"),
    ("camera", "coffee"),
    ("eye", "moon"),
    ("rocket", "astronaut"),
)
DRAWINGS = ("face", "skull", "eye", "moon", "sun", "duck", "knight", "balloon", "butterfly")
FRAMES = 13


def run(quick: bool) -> Findings:
    """Measure clicks, errors and seconds of five pairs of pictures, and of a larger board."""
    side, pairs = (20, PAIRS[:2]) if quick else (60, PAIRS)
    found = {levels: [row_of(pair, side, levels) for pair in pairs] for levels in (2, 3, 5)}
    large = row_of(PAIRS[0], 2 * side, 2)
    note = (
        f"{FRAMES} frames. Clicks: presses of the fade. Error: root mean square of the difference "
        "between a frame and the fade of the grey values, blurred by one cell."
    )
    title = "Sketches of {} x {} cells, {} levels"
    tables = [
        Table(title=title.format(side, side, levels), note=note, rows=rows)
        for levels, rows in found.items()
    ]
    tables.append(Table(title=title.format(2 * side, 2 * side, 2), note=note, rows=[large]))

    def mean(levels: int, column: str) -> float:
        return float(np.mean([row[column] for row in found[levels]]))

    def most(levels: int) -> float:
        return max(row["seconds"] for row in found[levels])

    bars = [
        Bar.below("sketch: clicks relative to a wipe, 2 levels", mean(2, "ratio"), 0.25, "times"),
        Bar.below("sketch: clicks relative to a wipe, 5 levels", mean(5, "ratio"), 0.25, "times"),
        Bar.below("sketch: mean error, 2 levels", mean(2, "mean error"), 0.07, ""),
        Bar.below("sketch: mean error, 5 levels", mean(5, "mean error"), 0.045, ""),
        Bar.below("sketch: slowest pair, 60 x 60, 2 levels", most(2), 3, "s"),
        Bar.below("sketch: slowest pair, 60 x 60, 5 levels", most(5), 8, "s"),
        Bar.below("sketch: time at 120 x 120, 2 levels", large["seconds"], 15, "s"),
    ]
    return Findings(tables=tables, bars=[] if quick else bars)


def row_of(pair: tuple[str, str], side: int, levels: int) -> Row:
    """Return a row for the fade between two pictures."""
    board, (start, end) = Board(side, side, levels=levels), (grey_of(name, side) for name in pair)
    share = np.linspace(0, 1, FRAMES)[:, None, None]
    found: list[Sketch] = []
    fade = (1 - share) * start + share * end
    seconds = seconds_of(lambda: found.append(sketch(board, fade, time_limit=600)))
    targets = [dither(grey, levels=levels).configuration for grey in (start, end)]
    nearest = [nearest_accessible(board, target, time_limit=5).configuration for target in targets]
    wipe = board.count(board.clicks_between(*nearest))
    clicks, errors = int(found[0].counts.sum()), found[0].errors
    return {
        "pictures": " -> ".join(pair),
        "clicks": clicks,
        "clicks of the wipe": wipe,
        "ratio": clicks / wipe,
        "mean error": float(errors.mean()),
        "worst error": float(errors.max()),
        "seconds": seconds,
    }


def grey_of(name: str, side: int) -> np.ndarray:
    """Return a picture as grey values: float (side, side)."""
    drawn = name in DRAWINGS
    source = ROOT / "samples" / f"{name}.png" if drawn else getattr(skimage.data, name)()
    return grey_for_board(load_picture(source), side, side)
