"""Write films within a size limit: reduce quality, cell size and frame rate until they fit."""

import math
from bisect import bisect_left
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import attrs

from lightsanim.errors import OptionError
from lightsanim.film.animation import Animation
from lightsanim.film.timing import holds_as_frames, limit_fps
from lightsanim.options.outputs import LIMITED_SIZES
from lightsanim.output.formats.registry import Format
from lightsanim.output.look.paint_film import OnFrame, geometry_of
from lightsanim.output.look.theme import Theme

# Each quality step multiplies cell size and frame rate by SHRINK_FACTOR, and the file's size by
# about 0.85.  A binary search then finds the best file that fits in five or six attempts.
SHRINK_FACTOR, MAX_STEPS = 0.9, 80
# Share of a file's size; coarser frames that save less, as those of flat cells, are not used.
MIN_SAVING = 0.9
MIN_FPS = 1  # Frames per second at the lowest quality step.


class QualityStep(NamedTuple):
    """A combination of frame rate and cell size to be tried."""

    fps: float
    cell: int  # Side of a cell, in pixels.
    loss: int = 0  # One of the format's ``quality_steps``.


def write_within_limit(
    animation: Animation,
    path: Path,
    theme: Theme,
    on_frame: OnFrame,
    max_bytes: int,
    format: Format,
) -> str | None:
    """Write the best file of at most ``max_bytes``; return a note on what was reduced, or None."""
    geometry = geometry_of(animation, theme)
    sizes_of_look = {name: getattr(theme, name) for name in LIMITED_SIZES}
    top, sizes = QualityStep(animation.fps, geometry.cell), dict[QualityStep, int]()

    def write_quality_step(step: QualityStep, on_frame: OnFrame = lambda: None) -> None:
        is_exact = step.cell == top.cell or theme.canvas is not None
        film, quality = limit_fps(animation, step.fps), {"coarser": step.loss} if step.loss else {}
        look = theme if is_exact else attrs.evolve(theme, cell=step.cell)
        film = film if step == top else film.with_settings(max_bytes=max_bytes, **sizes_of_look)
        film = film if look.panel_side is None else holds_as_frames(film)
        format.write(film, path, look, on_frame, **quality)
        sizes[step] = path.stat().st_size

    def is_step_within_limit(step: QualityStep) -> bool:
        if step not in sizes:
            write_quality_step(step)
        return sizes[step] <= max_bytes

    write_quality_step(top, on_frame)
    if is_step_within_limit(top):
        return None
    coarsest = top._replace(loss=format.quality_steps[-1])
    is_step_within_limit(coarsest)
    losses = format.quality_steps if sizes[coarsest] <= MIN_SAVING * sizes[top] else (0,)
    steps = _list_quality_steps(top, theme, losses, geometry.gap, format.cell_multiple)
    best = bisect_left(steps, True, 1, key=is_step_within_limit)
    if best == len(steps):
        smallest = _format_quality_step(steps[-1], theme)
        smallest += "" if theme.canvas is None else f" on a canvas of {theme.canvas}"
        floor = f"{format_bytes(sizes[steps[-1]], up=True)}, with {smallest}"
        reason = f"this {format.name} needs at least {floor}, not {format_bytes(max_bytes)}"
        raise OptionError(reason, "max_bytes")
    step = steps[best]
    # Use the remaining bytes for more frames: the size grows more slowly than the frame rate.
    fps = min(top.fps, math.floor(step.fps * (max_bytes / sizes[step])))
    more_frames = step._replace(fps=max(step.fps, fps))
    step = more_frames if is_step_within_limit(more_frames) else step
    if step != next(reversed(sizes)):  # the last one that was written
        write_quality_step(step)
    size_note = f"{format_bytes(max_bytes)}: {format_bytes(sizes[step])}"
    return f"{_format_quality_step(step, theme)}, to stay within {size_note}"


def format_bytes(size: int, *, up: bool = False) -> str:
    """Format a number of bytes in B, kB or MB, rounded to tenths, upwards if ``up``.

    >>> sizes = [(7_640_000, False), (8_000_000, False), (14_203, True), (120, False)]
    >>> tuple(format_bytes(size, up=up) for size, up in sizes)
    ('7.6 MB', '8 MB', '14.3 kB', '120 B')
    """
    for unit, name in ((1_000_000, "MB"), (1000, "kB")):
        if size >= unit:
            tenths = math.ceil(10 * size / unit) if up else round(10 * size / unit)
            return f"{tenths / 10:g} {name}"
    return f"{size} B"


def _list_quality_steps(
    top: QualityStep, theme: Theme, losses: Sequence[int], gap: int, multiple: int
) -> list[QualityStep]:
    # List the distinct quality steps, best first.  The quality is reduced first, if the format has
    # any to choose; then cell size and frame rate together, but only the rate if a canvas fixes the
    # size.
    def build_quality_step(number: int) -> QualityStep:
        share = SHRINK_FACTOR**number
        fps = min(top.fps, max(MIN_FPS, round(top.fps * share))) if number else top.fps
        cell = top.cell if theme.canvas is not None else max(1, round(top.cell * share))
        if number > 0 and multiple < cell + gap and theme.canvas is None:
            cell = max(1, cell - (cell + gap) % multiple)
        return QualityStep(fps, cell, losses[-1])

    best = [top._replace(loss=loss) for loss in losses]
    return list(dict.fromkeys([*best, *map(build_quality_step, range(MAX_STEPS))]))


def _format_quality_step(step: QualityStep, theme: Theme) -> str:
    rate = f"{step.fps:g} fps"
    rate = f"coarser frames, {rate}" if step.loss else rate
    return rate if theme.canvas is not None else f"{rate} and cells of {step.cell} px"
