"""Sketches: fades of few clicks, against the exact wipe between the same pictures."""

import numpy as np
import skimage.data

from benchmarks.measure import ROOT, seconds_of
from benchmarks.tables import Bar, Findings, Row, Table
from lightsanim import Board, Sketch, dither, load_picture, sketch
from lightsanim.pictures.grey import grey_for_board

PAIRS = (
    ("astronaut", "cat"),
    ("face", "skull"),
    ("camera", "coffee"),
    ("eye", "moon"),
    ("rocket", "astronaut"),
)
DRAWINGS = ("face", "skull", "eye", "moon")
FRAMES = 13


def run(quick: bool) -> Findings:
    """Clicks, errors and seconds of five pairs, and the seconds of a larger board."""
    side, pairs = (20, PAIRS[:2]) if quick else (60, PAIRS)
    found = {levels: [row_of(pair, side, levels) for pair in pairs] for levels in (2, 3, 5)}
    large = row_of(PAIRS[0], 2 * side, 2)
    note = (
        f"{FRAMES} frames; clicks of the fade, on several levels counted as presses; error: root "
        "mean square of what a frame shows less the fade of the greys, blurred by one cell."
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
        Bar.below("clicks of a sketch against the exact wipe", mean(2, "ratio"), 0.25, "times"),
        Bar.below("the same, 5 levels", mean(5, "ratio"), 0.25, "times"),
        Bar.below("error of a sketch, 2 levels", mean(2, "mean error"), 0.07, ""),
        Bar.below("error of a sketch, 5 levels", mean(5, "mean error"), 0.045, ""),
        Bar.below("sketch, 60 x 60, 2 levels", most(2), 3, "s"),
        Bar.below("sketch, 60 x 60, 5 levels", most(5), 8, "s"),
        Bar.below("sketch, 120 x 120", large["seconds"], 15, "s"),
    ]
    return Findings(tables=tables, bars=[] if quick else bars)


def row_of(pair: tuple[str, str], side: int, levels: int) -> Row:
    """A row for the fade between two pictures."""
    board, (start, end) = Board(side, side, levels=levels), (grey_of(name, side) for name in pair)
    share = np.linspace(0, 1, FRAMES)[:, None, None]
    found: list[Sketch] = []
    fade = (1 - share) * start + share * end
    seconds = seconds_of(lambda: found.append(sketch(board, fade, time_limit=600)))
    wipe = board.count(
        board.clicks_between(*(dither(g, levels=levels).configuration for g in (start, end)))
    )
    clicks, errors = int(found[0].counts.sum()), found[0].errors
    return {
        "pictures": " -> ".join(pair),
        "clicks": clicks,
        "of the wipe": wipe,
        "ratio": clicks / wipe,
        "mean error": float(errors.mean()),
        "worst error": float(errors.max()),
        "seconds": seconds,
    }


def grey_of(name: str, side: int) -> np.ndarray:
    """A picture as grey values: float (side, side)."""
    drawn = name in DRAWINGS
    source = ROOT / "samples" / f"{name}.png" if drawn else getattr(skimage.data, name)()
    return grey_for_board(load_picture(source), side, side)
