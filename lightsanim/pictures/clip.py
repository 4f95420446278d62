"""A clip as the rest of the package sees it: times, frames of light and a name, no files.

Contrast that is stretched frame by frame pumps: a bright thing that comes into view darkens all
the rest.  So a clip has one tone curve, found in frames from all over its length, and one part
that is shown, found in its first frame.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, groupby, repeat, starmap
from typing import Any, TypeAlias

from lightsanim.board.board import Board
from lightsanim.options.choices import BLUE_NOISE, SEARCHED_DITHERS
from lightsanim.options.settings import Settings
from lightsanim.pictures.crop import find_picture_part, resolve_focus
from lightsanim.pictures.dither import Target
from lightsanim.pictures.grey import (
    averaging_factor,
    find_tone_range,
    grey_from_light,
    resize_picture_part,
)
from lightsanim.pictures.picture import File, Picture
from lightsanim.pictures.reel import Light, MakeLight
from lightsanim.pictures.targets import dither_planes, merge_picture_options
from lightsanim.system.cores import max_cores
from lightsanim.system.threads import map_in_order

FrameLights: TypeAlias = Callable[[float], Iterator[MakeLight]]
"""From frames a second to what makes the light of each, in any thread; repeated ones are equal."""


@dataclass(frozen=True, kw_only=True)
class SoundSource:
    """The sound of a clip."""

    file: File  # where it is, among the tracks of a file
    # When the first frame of the clip is shown, in seconds on the clock of that file, on which its
    # sound starts and ends as well.
    start: float
    end: float | None  # when the last frame is over; None for the end of the file


@dataclass(frozen=True, kw_only=True, eq=False)
class Clip:
    """A moving picture."""

    path: str  # what the user calls it
    name: str  # the path without folder and suffix
    fps: float  # its own frames a second; where they vary, enough to show about all of them
    # Its length, between the start and the end that were asked for; None where it is known only
    # when all is decoded.
    seconds: float | None
    size: tuple[int, int]  # width and height as it is shown, turned, and with square pixels
    frame_lights: FrameLights  # the frames at so many a second, see `frames`
    # Some frames from all over its length, the first one first.
    sample_lights: Callable[[], Iterator[MakeLight]]
    sound: SoundSource | None = None  # its sound, if it has any
    sha256: str | None = None  # of the file's bytes; None for what does not come from a file
    own: Mapping[str, Any] = field(default_factory=dict)  # options of its own, as of a picture

    def frames(self, fps: float) -> Iterator[Picture]:
        """The frames at even times: the k-th is shown k / fps seconds after the clip's start.

        They are decoded one by one, anew with each call; those of a generator can be asked for
        only once.
        """
        for light in self.frame_lights(fps):
            yield self.build_frame_picture(light(1))

    def __post_init__(self) -> None:
        # Searched dithers are for stills: from frame to frame they flicker.
        if self.own.get("dither") in SEARCHED_DITHERS:
            object.__setattr__(self, "own", {**self.own, "dither": BLUE_NOISE})

    @cached_property
    def first_frame(self) -> Picture:
        """The first frame, with the clip's own options: for the board's shape and what is found."""
        return self.build_frame_picture(next(self.sample_lights())(1))

    def build_frame_picture(self, light: Light) -> Picture:
        """The picture of a frame's light, with the clip's name and its own options."""
        return Picture(name=self.name, light=light, sha256=self.sha256, own=self.own)


def resolve_clip_focus(clip: Clip, options: Settings, aspect: float) -> tuple[Clip, str | None]:
    """The clip with a crop of its own in place of a focus for which it had to be searched.

    As `lightsanim.pictures.crop.resolve_focus`, from the first frame.
    """
    picture, note = resolve_focus(
        clip.first_frame, merge_picture_options(options, clip.first_frame), aspect
    )
    # Where there is nothing to find, its first frame need not be decoded again.
    return clip if picture is clip.first_frame else replace(clip, own=picture.own), note


def dither_clip(clip: Clip, board: Board, settings: Settings, fps: float) -> Iterator[list[Target]]:
    """Each frame, dithered to the board; in colour, to three boards, one for each primary."""
    settings = merge_picture_options(settings, clip.first_frame)
    scale = build_cell_scaler(clip.first_frame, board, settings)

    def dither_frame_run(run: tuple[MakeLight, int]) -> tuple[list[Target], int]:
        light, count = run
        grey = grey_from_light(scale(light), *board.shape, settings, tones)
        return dither_planes(grey, clip.name, settings), count

    tones = None
    if settings.autocontrast:
        tones = find_tone_range(map_in_order(scale, clip.sample_lights(), workers=max_cores()))
    # A frame that is shown for longer is dithered once.
    runs = ((light, sum(1 for _ in same)) for light, same in groupby(clip.frame_lights(fps)))
    return chain.from_iterable(
        starmap(repeat, map_in_order(dither_frame_run, runs, workers=max_cores()))
    )


def build_cell_scaler(
    first: Picture, board: Board, settings: Settings
) -> Callable[[MakeLight], Light]:
    """What makes the light of a board's cells from that of a clip's frames."""
    box = find_picture_part(first, settings, board.columns / board.rows).box
    factor = averaging_factor(box, *board.shape, settings.fit)

    def scale_light(light: MakeLight) -> Light:
        return resize_picture_part(light(factor), box, *board.shape, settings.fit, factor)

    return scale_light


@dataclass(frozen=True, kw_only=True)
class FilmSound:
    """The sound of a clip in a film."""

    source: SoundSource  # where it is, and which part of it
    at: float  # seconds from the start of the film to that of the clip in it
    seconds: float  # that the clip takes there
