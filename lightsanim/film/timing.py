"""Timing of films: their total length, and changes of the frame rate."""

import math
from dataclasses import replace
from itertools import pairwise

import attrs
import numpy as np
from numpy.typing import NDArray

from lightsanim.errors import OptionError
from lightsanim.options.settings import Settings
from lightsanim.options.stages import MAX_FPS, MIN_FPS
from .animation import Animation
from .clicks import PackedSteps


def divide_total(settings: Settings, pictures: int) -> Settings:
    """Replace ``total`` by the duration that it leaves for each move, in whole frames."""
    if settings.total is None or settings.transition == "automaton":
        return attrs.evolve(settings, total=None)
    fps, first, last = settings.frame_rate, settings.hold_first or 0, settings.hold_last or 0
    moves = max(1, (pictures - 1) * (1 + settings.is_boomerang) + settings.is_cycle)
    hold_seconds = max(first, 1 / fps) + (moves - settings.returns) * last
    check_total(settings.total, hold_seconds + moves / fps)
    frames = math.floor((settings.total - hold_seconds) * fps / moves + 1e-6)
    return attrs.evolve(settings, total=None, duration=frames / fps)


def check_total(total: float, min_total: float) -> None:
    """Raise an `OptionError` if ``total`` is too short; it names the minimum, rounded up."""
    if total < min_total - 1e-6:
        min_seconds = math.ceil(min_total * 100 - 1e-6) / 100
        message = f"total must be at least {min_seconds:g} with these holds, not {total:g}"
        raise OptionError(message, "total")


def fit_total(animation: Animation, total: float) -> Animation:
    """Return the animation with its holds, and with frames that fill ``total`` seconds evenly."""
    seconds, frame_time = animation.durations(), 1 / animation.fps
    moving = np.arange(len(seconds)) >= min(1, len(seconds) - 1)  # the first frame is held
    hold_seconds = float(seconds.sum()) - moving.sum() * frame_time
    check_total(total, hold_seconds + moving.sum() / MAX_FPS)
    share = float((total - hold_seconds) / moving.sum())
    fps = animation.fps if share > frame_time - 1e-9 else 1 / share
    extra = seconds + moving * (share - frame_time) - 1 / fps
    holds = tuple((n, hold) for n, hold in enumerate(extra.tolist()) if hold > 1e-6)
    return replace(animation, fps=fps, holds=holds)


def durations_to_ticks(durations: NDArray[np.float64], rate: float) -> NDArray[np.int64]:
    """Round durations to whole clock ticks so that every partial sum is rounded, halves up."""
    frame_ends = np.floor(np.cumsum(durations) * rate + 0.5 + 1e-6).astype(np.int64)
    return np.diff(frame_ends, prepend=0)


def limit_fps(animation: Animation, fps: float) -> Animation:
    """Return the animation with at most ``fps`` frames per second, by merging frames.

    Frames keep their times on a clock of ``fps`` ticks per second, and frames that get no tick are
    dropped.  The first, the last and all held frames are kept.
    """
    if animation.fps <= fps:
        return animation
    counts = durations_to_ticks(animation.durations(), fps)
    counts[[0, -1]] = np.maximum(counts[[0, -1]], 1)
    is_kept = counts > 0
    return replace(
        animation,
        clicks_done=animation.clicks_done[is_kept],
        fps=fps,
        holds=tuple((n, (t - 1) / fps) for n, t in enumerate(counts[is_kept].tolist()) if t > 1),
    )


def holds_as_frames(animation: Animation) -> Animation:
    """Return the animation with each hold after clicks in an additional frame without clicks."""
    frame_time = 1 / animation.fps
    extra = animation.durations() - frame_time
    adds_frame = (np.diff(animation.clicks_done, prepend=0) > 0) & (extra >= frame_time)
    extra[adds_frame] -= frame_time
    last = np.cumsum(1 + adds_frame) - 1
    return replace(
        animation,
        clicks_done=np.repeat(animation.clicks_done, 1 + adds_frame),
        holds=tuple((int(last[n]), float(extra[n])) for n in np.flatnonzero(extra > 0)),
    )


def merge_frames(animation: Animation, max_bytes: int) -> Animation:
    """Return the animation with steps merged so that they take about ``max_bytes``.

    The frames that `limit_fps` keeps are unchanged, and the duration is about the same.
    """
    steps, board = animation.steps, animation.board
    if steps is None or steps.packed.nbytes <= max_bytes:
        return animation
    slow = limit_fps(animation, max(MIN_FPS, animation.fps * max_bytes / steps.packed.nbytes))
    spans = pairwise(slow.clicks_done.tolist())
    sets = (steps.count_presses(board, *span) for span in spans)
    fewer = PackedSteps.pack(steps.shape, steps.levels, sets)
    return replace(slow, history=fewer, clicks_done=np.arange(len(slow), dtype=np.int64))
