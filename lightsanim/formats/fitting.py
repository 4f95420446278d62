"""GIFs of at most so many bytes: with smaller cells and fewer frames a second, where they must."""

import math
from bisect import bisect_left
from functools import cache
from pathlib import Path
from typing import NamedTuple

import attrs

from lightsanim.animation.animation import Animation, thinned
from lightsanim.errors import OptionError
from lightsanim.formats.gif import write_gif
from lightsanim.look.paint import OnFrame, geometry_of
from lightsanim.look.theme import Theme

# From one rung to the next the sides of cells and the rate shrink to this share, and the file to
# about 85 % of its size: the largest film that fits is found in five or six tries.
STEP, RUNGS = 0.9, 40

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

    Args:
        animation: what to write.
        path: the file, written over until it fits.
        theme: the look; its cells, or those that follow from its width, are the largest tried.
        on_frame: called for each frame of the first try.
        max_bytes: the most that it may have.

    Returns:
        What was changed, in words; None if nothing had to be.

    Raises:
        OptionError: if the smallest film is still too large; names its size.
    """
    rungs = _ladder(Rung(animation.fps, geometry_of(animation, theme).cell), theme)
    written: list[int] = []

    def write(number: int, on_frame: OnFrame = lambda: None) -> int:
        film, look = (animation, theme) if not number else _at(rungs[number], animation, theme)
        write_gif(film, path, look, on_frame)
        written.append(number)
        return path.stat().st_size

    size_of = cache(write)
    if write(0, on_frame) <= max_bytes:
        return None
    best = bisect_left(range(len(rungs)), True, 1, key=lambda n: size_of(n) <= max_bytes)
    if best == len(rungs):
        least = in_bytes(size_of(best - 1), up=True)
        raise OptionError(
            f"this GIF has at least {least}, with {_in_words(rungs[-1], theme)}, and not "
            f"{in_bytes(max_bytes)}"
        )
    size = size_of(best)
    if written[-1] != best:
        write(best)
    return (
        f"{_in_words(rungs[best], theme)}, to stay within {in_bytes(max_bytes)}: {in_bytes(size)}"
    )


def in_bytes(size: int, *, up: bool = False) -> str:
    """A number of bytes in words, rounded.

    Args:
        size: the number.
        up: whether to round it up, so that it is enough.

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
        cell = top.cell if theme.canvas is not None else max(1, round(top.cell * share))
        return Rung(min(top.fps, max(SLOWEST, round(top.fps * share))), cell)

    return list(dict.fromkeys([top, *map(rung, range(1, RUNGS))]))


def _at(rung: Rung, animation: Animation, theme: Theme) -> tuple[Animation, Theme]:
    look = theme if theme.canvas is not None else attrs.evolve(theme, cell=rung.cell)
    return thinned(animation, rung.fps), look


def _in_words(rung: Rung, theme: Theme) -> str:
    rate = f"{rung.fps:g} fps"
    return rate if theme.canvas is not None else f"{rate} and cells of {rung.cell} px"
