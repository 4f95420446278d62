"""Inputs of a film: opened pictures and clips, which are prepared for a board in the same way.

A still is decoded only when it is needed, a clip frame by frame while the film is built.  What is
chosen for a picture alone, such as its crop, is added to its own options, so that a film is made
again with them even if such a choice has changed.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import inf
from typing import Any, ClassVar, TypeAlias

import numpy as np

from lightsanim.errors import PictureError
from lightsanim.options.stages import PictureOptions
from lightsanim.system.deadline import Deadline
from .clip import Clip, resolve_clip_focus, sample_clip_cells
from .load import load_source_picture, open_source
from .picture import Picture, PictureFile
from .shots import Shot, clip_shot, still_shot
from .source import Source
from .targets import (
    Destination,
    PictureCells,
    cells_for,
    describe_cut,
    dither_cells,
    resolve_auto_dither,
    resolve_still,
)

MAX_KEPT_BYTES = 500_000_000  # Maximum bytes of files kept in memory; others are read again.


@dataclass(frozen=True, kw_only=True, eq=False)
class PreparedPicture:
    """What is known of a prepared still or clip."""

    own: Mapping[str, Any]  # Options for this picture alone.
    sha256: str | None  # Digest of the picture's file.
    remark: str | None  # What the user should know about the picture; follows its path.


@dataclass(frozen=True, kw_only=True, eq=False)
class PreparedStill(PreparedPicture):
    """A still with its cells."""

    cells: PictureCells

    def samples(self, to: Destination) -> Sequence[PictureCells]:
        """Return the cells."""
        return [self.cells]

    def shot(self, path: str, to: Destination) -> Shot:
        """Dither the cells."""
        return still_shot(path, dither_cells(self.cells, to.board.shape, to.options.spot))


@dataclass(frozen=True, kw_only=True, eq=False)
class StillInput:
    """A still."""

    source: Source  # The picture as the user gave it.
    number: int  # Position among all pictures, from 1.
    opened: Source | Picture  # The still, read from its file, or a frame of a clip.
    time_limit: float = inf  # Limit of the search for a puzzle's answer, in seconds.
    fps: ClassVar[None] = None
    remark: ClassVar[None] = None

    def first_frame(self, options: PictureOptions, within: Deadline) -> Picture:
        """Decode the still, or solve the puzzle."""
        with name_errors(self.source, self.number):
            limit = Deadline(self.time_limit, within=within)
            return load_source_picture(self.opened, options, limit)

    def with_source(self, source: Source) -> "StillInput":
        """Return the still with other options of its own."""
        frame = self.opened
        opened = replace(frame, own=source.own) if isinstance(frame, Picture) else source
        return replace(self, source=source, opened=opened)

    def prepare(self, picture: Picture, to: Destination) -> PreparedStill:
        """Choose the part that is shown, the dither and the inversion, and scale it to cells."""
        shown, remark = resolve_still(picture, to)
        cut = describe_cut(picture, shown, to)
        picture = resolve_auto_dither(shown, to)
        if not np.ptp(picture.light):
            remark = "has only one colour, so there is nothing to see"
        return PreparedStill(
            own=picture.own,
            sha256=picture.sha256,
            remark=remark or cut,
            cells=cells_for(picture, to),
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class PreparedClip(PreparedPicture):
    """A clip with the part that is shown."""

    clip: Clip

    def samples(self, to: Destination) -> Sequence[PictureCells]:
        """Return the cells of frames spread over the clip."""
        return sample_clip_cells(self.clip, to)

    def shot(self, path: str, to: Destination) -> Shot:
        """Return the frames, to be dithered one by one."""
        return clip_shot(self.clip, to)


@dataclass(frozen=True, kw_only=True, eq=False)
class ClipInput:
    """A clip."""

    source: Source  # The clip as the user gave it.
    clip: Clip
    fps: float  # Frames per second.
    remark: str | None  # What the user should know about the file; follows its path.

    def first_frame(self, options: PictureOptions, within: Deadline) -> Picture:
        """Return the first frame."""
        return self.clip.first_frame

    def with_source(self, source: Source) -> "ClipInput":
        """Return the clip with other options of its own."""
        return replace(self, source=source, clip=self.clip.with_own(source.own))

    def prepare(self, picture: Picture, to: Destination) -> PreparedClip:
        """Choose the part that is shown, by the first frame."""
        # The plain background of a drawing is extended in stills only.
        cut = describe_cut(picture, picture, to, extends_ground=False)
        clip, remark = resolve_clip_focus(self.clip, to)
        return PreparedClip(own=clip.own, sha256=clip.sha256, remark=remark or cut, clip=clip)


Prepared: TypeAlias = PreparedStill | PreparedClip
"""A picture with all that was chosen for it."""

Input: TypeAlias = StillInput | ClipInput
"""An opened picture or clip."""


def open_inputs(
    sources: Sequence[Source],
    options: PictureOptions,
    *,
    fps: float | None = None,
    time_limit: float = inf,
) -> list[Input]:
    """Open pictures and clips; a still's file is kept in memory until it is decoded.

    Args:
        sources: the pictures.
        options: options for all of them.
        fps: rate of frames without times.
        time_limit: limit of the search for the answer of each puzzle, in seconds.
    """
    inputs, kept_bytes = list[Input](), 0
    for number, source in enumerate(sources, start=1):
        opened: Picture | Clip | Source = source
        if not source.meaning.is_puzzle:
            with name_errors(source, number):
                opened = open_source(source, options, fps)
        if isinstance(opened, Clip):
            clip = ClipInput(source=source, clip=opened, fps=opened.fps, remark=opened.remark)
            inputs.append(clip)
            continue
        if isinstance(opened, Source) and isinstance(opened.picture, PictureFile):
            kept_bytes += len(opened.picture.content)
            if kept_bytes > MAX_KEPT_BYTES and os.path.isfile(source.path):
                opened = source
        still = StillInput(source=source, number=number, opened=opened, time_limit=time_limit)
        inputs.append(still)
    return inputs


@contextmanager
def name_errors(source: Source, number: int) -> Iterator[None]:
    """Name a picture without a file by its position in errors."""
    try:
        yield
    except PictureError as error:
        if source.file is not None or isinstance(source.picture, Picture):
            raise
        reason = str(error).removeprefix(f"cannot read {source.path}: ")
        raise PictureError(f"cannot read picture {number}: {reason}") from error
