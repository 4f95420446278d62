"""Hysteresis between the frames of a clip, so that still areas do not flicker.

A codec changes grey values slightly even where nothing moves.  A cell keeps its level while its
grey is near a threshold, as such changes would flip it again and again.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightsanim.options.choices import ORDERED_DITHERS
from lightsanim.options.settings import Settings
from lightsanim.pictures.dither import Target, quantize, tile_thresholds

Thresholds = list[NDArray[np.float64]]
"""Thresholds of the cells: one table (rows, columns) for each level above 0."""

# Distance from a threshold, in grey values from 0 to 1, within which a cell keeps its level.
HYSTERESIS = 0.02


def with_hysteresis(
    frames: Iterable[list[Target]], dither: str, settings: Settings
) -> Iterator[list[Target]]:
    """Yield the targets of frames; cells with greys near a threshold keep their previous level.

    Only ordered dithers of greys have fixed thresholds; other frames are left unchanged.

    >>> from lightsanim.pictures.dither import dither
    >>> frames = ([dither([[grey]], "threshold")] for grey in (0.4, 0.51, 0.6, 0.49, 0.4))
    >>> [bool(t.configuration[0, 0]) for t, in with_hysteresis(frames, "threshold", Settings())]
    [False, False, True, True, False]
    """
    if dither not in ORDERED_DITHERS or settings.spot:
        yield from frames
        return
    previous: list[Target] = []
    bands: list[tuple[Thresholds, Thresholds]] = []
    for targets in frames:
        if previous:
            targets = [
                replace(now, configuration=_clamp_levels(last.configuration, now.grey, *band))
                for band, now, last in zip(bands, targets, previous, strict=True)
            ]
        else:
            bands = [_threshold_bands(t, dither, settings, n) for n, t in enumerate(targets)]
        yield targets
        previous = targets


def _threshold_bands(
    target: Target, dither: str, settings: Settings, plane: int
) -> tuple[Thresholds, Thresholds]:
    # A threshold moves by at most half the distance to the next level's value.  Otherwise an area
    # of exactly that value could keep stray cells for ever.
    thresholds = tile_thresholds(
        target.grey.shape, dither, levels=settings.levels, tone=settings.tone, plane=plane
    )
    between = list(zip(thresholds, target.shown, target.shown[1:], strict=False))
    higher = [np.minimum(t + HYSTERESIS, (t + high) / 2) for t, _, high in between]
    return higher, [np.maximum(t - HYSTERESIS, (t + low) / 2) for t, low, _ in between]


def _clamp_levels(
    previous: NDArray[Any], grey: NDArray[np.float32], higher: Thresholds, lower: Thresholds
) -> NDArray[Any]:
    levels = np.minimum(previous, quantize(grey, lower))
    return np.asarray(np.maximum(levels, quantize(grey, higher)))
