"""GIFs of at most so many bytes: with smaller cells and fewer frames a second, where they must."""

import math
from bisect import bisect_left
from pathlib import Path
from typing import NamedTuple

import attrs

from lightsanim.animation.animation import Animation
from lightsanim.animation.painting import OnFrame, geometry_of
from lightsanim.animation.timing import rested, thinned
from lightsanim.errors import OptionError
from lightsanim.formats.gif import write_gif
from lightsanim.look.theme import Theme

# From one rung to the next the sides of cells and the rate shrink to this share, and the file to
# about 85 % of its size: the largest film that fits is found in five or six tries.
STEP, RUNGS = 0.9, 80

# Frames a second.
SLOWEST = 1


class Rung(NamedTuple):
    """A rung of the ladder: frames a second, and the side of a cell in pixels."""

    fps: float
    cell: int


def write_gif_within(
    animation: Animation, path: Path, theme: Theme, on_frame: OnFrame, max_bytes: int
) -> str | None:
    """Write the best GIF that is small enough.

    Cells and frame rate shrink together; on a canvas, which is exact, the rate alone.
    """
    top = Rung(animation.fps, geometry_of(animation, theme).cell)
    ladder, sizes, written = _ladder(top, theme), dict[Rung, int](), top

    def write(rung: Rung, on_frame: OnFrame = lambda: None) -> None:
        nonlocal written
        film, is_exact = thinned(animation, rung.fps), rung == top or theme.canvas is not None
        look = theme if is_exact else attrs.evolve(theme, cell=rung.cell)
        write_gif(film if look.show_clicks is None else rested(film), path, look, on_frame)
        written, sizes[rung] = rung, path.stat().st_size

    def fits(rung: Rung) -> bool:
        if rung not in sizes:
            write(rung)
        return sizes[rung] <= max_bytes

    write(top, on_frame)
    if fits(top):
        return None
    best = bisect_left(ladder, True, 1, key=fits)
    if best == len(ladder):
        on_canvas = "" if theme.canvas is None else f" on a canvas of {theme.canvas}"
        least = f"{in_bytes(sizes[ladder[-1]], up=True)}, with {_in_words(ladder[-1], theme)}"
        reason = f"this GIF has at least {least}{on_canvas}, and not {in_bytes(max_bytes)}"
        raise OptionError(reason, "max_bytes")
    rung = ladder[best]
    # As many frames as the bytes left are likely to hold: twice as many have less than twice those.
    fps = min(top.fps, math.floor(rung.fps * (max_bytes / sizes[rung])))
    more = rung._replace(fps=max(rung.fps, fps))
    rung = more if fits(more) else rung
    if written != rung:
        write(rung)
    fitting = f"{in_bytes(max_bytes)}: {in_bytes(sizes[rung])}"
    return f"{_in_words(rung, theme)}, to stay within {fitting}"


def in_bytes(size: int, *, up: bool = False) -> str:
    """A number of bytes in words, rounded.

    >>> in_bytes(7_640_000), in_bytes(8_000_000), in_bytes(14_203, up=True), in_bytes(120)
    ('7.6 MB', '8 MB', '14.3 kB', '120 B')
    """
    for unit, name in ((1_000_000, "MB"), (1000, "kB")):
        if size >= unit:
            tenths = math.ceil(10 * size / unit) if up else round(10 * size / unit)
            return f"{tenths / 10:g} {name}"
    return f"{size} B"


def _ladder(top: Rung, theme: Theme) -> list[Rung]:
    # All rungs, largest first, each once.
    def rung(number: int) -> Rung:
        share = STEP**number
        fps = min(top.fps, max(SLOWEST, round(top.fps * share))) if number else top.fps
        return Rung(fps, top.cell if theme.canvas is not None else max(1, round(top.cell * share)))

    return list(dict.fromkeys(map(rung, range(RUNGS))))


def _in_words(rung: Rung, theme: Theme) -> str:
    rate = f"{rung.fps:g} fps"
    return rate if theme.canvas is not None else f"{rate} and cells of {rung.cell} px"
