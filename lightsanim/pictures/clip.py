"""Clips (moving pictures) and their dithering to a board.

A clip has one tone curve, measured in frames spread over its length.  With a curve for each frame,
a bright object that comes into view would darken everything else.  The crop is chosen in the first
frame and applies to all.

With hysteresis, still areas do not flicker.  A codec changes grey values slightly even where
nothing moves, which would flip cells whose grey is near a threshold; these keep their level.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, groupby, repeat, starmap
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightsanim.options.choices import AUTO, BLUE_NOISE, ORDERED_DITHERS, SEARCHED_DITHERS
from lightsanim.options.stages import TargetOptions
from lightsanim.system.threads import map_in_order
from .crop import find_picture_part, resolve_focus
from .dither import Target, quantize, tile_thresholds
from .grey import averaging_factor, find_tone_range, grey_from_light, resize_picture_part
from .light import Light
from .picture import File, Picture
from .pillow import prefix_errors
from .reel import MakeLight, Reel, TimeSpan, resample_frames
from .targets import Destination, PictureCells, dither_cells, keep_light, light_key

Thresholds = list[NDArray[np.float64]]
"""Thresholds of the cells: one table (rows, columns) for each level above 0."""

# Distance from a threshold, in grey values from 0 to 1, within which a cell keeps its level.
HYSTERESIS = 0.02


@dataclass(frozen=True, kw_only=True)
class SoundSource:
    """The part of a file's sound that belongs to a clip; times are the file's, in seconds."""

    file: File
    start: float  # Start of the clip's first frame.
    end: float | None  # End of the clip's last frame; None for the end of the file.


@dataclass(frozen=True, kw_only=True, eq=False)
class Clip:
    """A moving picture, cut to the options ``start`` and ``end``."""

    path: str  # Path as the user gave it.
    name: str  # Name of the file without folder and suffix.
    fps: float  # Frames per second; if they vary, enough to show nearly all frames of the file.
    seconds: float | None  # Duration in seconds; None if it is known only after decoding.
    size: tuple[int, int]  # Displayed width and height, after rotation, in square pixels.
    reel: Reel
    span: TimeSpan
    sound: SoundSource | None = None
    sha256: str | None = None  # Hexadecimal digest of the file's bytes; None without a file.
    own: Mapping[str, Any] = field(default_factory=dict)  # Options set for this clip alone.
    remark: str | None = None  # What the user should know about the file; follows its path.

    def __post_init__(self) -> None:
        # Blue noise is the default; it also replaces searched dithers, which would flicker.
        if self.own.get("dither") in (AUTO, *SEARCHED_DITHERS):
            object.__setattr__(self, "own", {**self.own, "dither": BLUE_NOISE})

    def frame_lights(self, fps: float) -> Iterator[MakeLight]:
        """Yield a function for each frame at a rate; repeated frames share one.

        Each call decodes the clip anew; the frames of a generator can be read only once.
        """
        with prefix_errors(self.path):
            yield from resample_frames(self.reel.timed_frames(self.span.start), self.span, fps)

    def sample_lights(self) -> Iterator[MakeLight]:
        """Yield the first frame, and then some frames spread over the whole duration."""
        with prefix_errors(self.path):
            yield from self.reel.sample_lights(self.reel, self.span.start, self.span.end)

    @cached_property
    def first_frame(self) -> Picture:
        """The first frame, from which the board's shape and the crop are chosen."""
        light = next(self.sample_lights())(1)
        return Picture(name=self.name, light=light, sha256=self.sha256, own=self.own)

    def with_own(self, own: Mapping[str, Any]) -> "Clip":
        """Return the clip with other options of its own; its first frame is not decoded again."""
        first, clip = self.first_frame, replace(self, own=own)
        vars(clip)["first_frame"] = replace(first, own=clip.own)
        return clip


def resolve_clip_focus(clip: Clip, to: Destination) -> tuple[Clip, str | None]:
    """Replace a clip's focus on a face by a crop, found in the first frame by `resolve_focus`."""
    first = clip.first_frame
    picture, note = resolve_focus(first, to.options_for(first), to.aspect)
    # An unchanged clip is returned as it is, so that its first frame is not decoded again.
    return clip if picture is first else clip.with_own(picture.own), note


def dither_clip(clip: Clip, to: Destination, fps: float) -> Iterator[list[Target]]:
    """Dither the frames of a clip; yield for each frame its targets, one for each colour plane."""
    options, shape = to.options_for(clip.first_frame), to.board.shape
    scale = build_cell_scaler(clip.first_frame, to)

    def dither_frame_run(run: tuple[MakeLight, int]) -> tuple[list[Target], int]:
        light, count = run
        grey = grey_from_light(scale(light), *shape, options, tones)
        return dither_cells(PictureCells(name=clip.name, grey=grey, options=options), shape), count

    tones = None
    if options.autocontrast:
        tones = find_tone_range(map_in_order(scale, clip.sample_lights()))
    # Repeated frames are dithered only once.
    runs = ((light, sum(1 for _ in same)) for light, same in groupby(clip.frame_lights(fps)))
    dithered = map_in_order(dither_frame_run, runs)
    return chain.from_iterable(starmap(repeat, dithered))


def sample_clip_cells(clip: Clip, to: Destination) -> list[PictureCells]:
    """Return the cells of frames spread over a clip."""
    first, shape = clip.first_frame, to.board.shape
    options, scale = to.options_for(first), build_cell_scaler(first, to)
    key = light_key(first, shape, options)

    def scale_samples() -> Light:
        return np.stack([*map_in_order(scale, clip.sample_lights())])

    sampled = keep_light(to.lights, key, scale_samples)
    tones = find_tone_range(sampled) if options.autocontrast else None
    greys = (grey_from_light(light, *shape, options, tones) for light in sampled)
    return [PictureCells(name=clip.name, grey=grey, options=options) for grey in greys]


def build_cell_scaler(first: Picture, to: Destination) -> Callable[[MakeLight], Light]:
    """Return a function that scales a frame's light to the cells of a board."""
    options, shape = to.options_for(first), to.board.shape
    box = find_picture_part(first, options, to.aspect).box
    factor = averaging_factor(box, *shape, options.fit)

    def scale_light(light: MakeLight) -> Light:
        return resize_picture_part(light(factor), box, *shape, options.fit, factor)

    return scale_light


@dataclass(frozen=True, kw_only=True)
class FilmSound:
    """The sound of a clip in a film."""

    source: SoundSource
    at: float  # Start of the clip in the film, in seconds.
    seconds: float  # Duration of the clip in the film, in seconds.


def with_hysteresis(
    frames: Iterable[list[Target]], dither: str, options: TargetOptions
) -> Iterator[list[Target]]:
    """Yield the targets of frames; cells with greys near a fixed threshold keep their level.

    >>> from lightsanim.pictures.dither import dither
    >>> frames = ([dither([[grey]], "threshold")] for grey in (0.4, 0.51, 0.6, 0.49, 0.4))
    >>> steady = with_hysteresis(frames, "threshold", TargetOptions())
    >>> [bool(target.configuration[0, 0]) for target, in steady]
    [False, False, True, True, False]
    """
    if dither not in ORDERED_DITHERS or options.spot:
        yield from frames
        return
    previous: list[Target] = []
    bands: list[tuple[Thresholds, Thresholds]] = []
    for targets in frames:
        if previous:
            pairs = zip(bands, targets, previous, strict=True)
            targets = [_keep_levels(last, now, *band) for band, now, last in pairs]
        else:
            bands = [_threshold_bands(t, dither, options, n) for n, t in enumerate(targets)]
        yield targets
        previous = targets


def _threshold_bands(
    target: Target, dither: str, options: TargetOptions, plane: int
) -> tuple[Thresholds, Thresholds]:
    # A threshold moves by at most half the distance to the next level's value.  Otherwise an area
    # of exactly that value could keep stray cells for ever.
    thresholds = tile_thresholds(
        target.grey.shape, dither, levels=options.levels, tone=options.tone, plane=plane
    )
    between = list(zip(thresholds, target.shown, target.shown[1:], strict=False))
    higher = [np.minimum(t + HYSTERESIS, (t + high) / 2) for t, _, high in between]
    return higher, [np.maximum(t - HYSTERESIS, (t + low) / 2) for t, low, _ in between]


def _keep_levels(last: Target, now: Target, higher: Thresholds, lower: Thresholds) -> Target:
    levels = np.minimum(last.configuration, quantize(now.grey, lower))
    return replace(now, configuration=np.maximum(levels, quantize(now.grey, higher)))
