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
from lightsanim.pictures.crop import part_of, with_found_part
from lightsanim.pictures.dither import Target
from lightsanim.pictures.grey import factor_for, grey_of_light, light_of_part, tones_of
from lightsanim.pictures.picture import File, Picture
from lightsanim.pictures.reel import Light, MakeLight
from lightsanim.pictures.targets import dithered, with_own
from lightsanim.system.cores import max_cores
from lightsanim.system.threads import map_in_order

Shots: TypeAlias = Callable[[float], Iterator[MakeLight]]
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
    shots: Shots  # the frames at so many a second, see `frames`
    # Some frames from all over its length, the first one first.
    samples: Callable[[], Iterator[MakeLight]]
    sound: SoundSource | None = None  # its sound, if it has any
    sha256: str | None = None  # of the file's bytes; None for what does not come from a file
    own: Mapping[str, Any] = field(default_factory=dict)  # options of its own, as of a picture

    def frames(self, fps: float) -> Iterator[Picture]:
        """The frames at even times: the k-th is shown k / fps seconds after the clip's start.

        They are decoded one by one, anew with each call; those of a generator can be asked for
        only once.
        """
        for light in self.shots(fps):
            yield self.picture(light(1))

    def __post_init__(self) -> None:
        # Searched dithers are for stills: from frame to frame they flicker.
        if self.own.get("dither") in SEARCHED_DITHERS:
            object.__setattr__(self, "own", {**self.own, "dither": BLUE_NOISE})

    @cached_property
    def first(self) -> Picture:
        """The first frame, with the clip's own options: for the board's shape and what is found."""
        return self.picture(next(self.samples())(1))

    def picture(self, light: Light) -> Picture:
        """The picture of a frame's light, with the clip's name and its own options."""
        return Picture(name=self.name, light=light, sha256=self.sha256, own=self.own)


def with_part_found_once(clip: Clip, options: Settings, shape: float) -> tuple[Clip, str | None]:
    """The clip with a crop of its own in place of a focus for which it had to be searched.

    As `lightsanim.pictures.crop.with_found_part`, from the first frame.
    """
    picture, found = with_found_part(clip.first, with_own(options, clip.first), shape)
    # Where there is nothing to find, its first frame need not be decoded again.
    return clip if picture is clip.first else replace(clip, own=picture.own), found


def clip_targets(
    clip: Clip, board: Board, settings: Settings, fps: float
) -> Iterator[list[Target]]:
    """Each frame, dithered to the board; in colour, to three boards, one for each primary."""
    settings = with_own(settings, clip.first)
    cells_of = cells_from(clip.first, board, settings)

    def targets(run: tuple[MakeLight, int]) -> tuple[list[Target], int]:
        light, count = run
        grey = grey_of_light(cells_of(light), *board.shape, settings, tones)
        return dithered(grey, clip.name, settings), count

    tones = None
    if settings.autocontrast:
        tones = tones_of(map_in_order(cells_of, clip.samples(), workers=max_cores()))
    # A frame that is shown for longer is dithered once.
    runs = ((light, sum(1 for _ in same)) for light, same in groupby(clip.shots(fps)))
    return chain.from_iterable(starmap(repeat, map_in_order(targets, runs, workers=max_cores())))


def cells_from(first: Picture, board: Board, settings: Settings) -> Callable[[MakeLight], Light]:
    """What makes the light of a board's cells from that of a clip's frames."""
    box = part_of(first, settings, board.columns / board.rows).box
    factor = factor_for(box, *board.shape, settings.fit)

    def cells_of(light: MakeLight) -> Light:
        return light_of_part(light(factor), box, *board.shape, settings.fit, factor)

    return cells_of


@dataclass(frozen=True, kw_only=True)
class Sound:
    """The sound of a clip in a film."""

    source: SoundSource  # where it is, and which part of it
    at: float  # seconds from the start of the film to that of the clip in it
    seconds: float  # that the clip takes there
