"""Shots: pictures dithered for a board, each a sequence of targets; a still has one."""

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import TypeAlias

from lightsanim.system.threads import prefetch
from .clip import Clip, SoundSource, dither_clip, with_hysteresis
from .dither import Target
from .targets import Destination

# Number of frames that are decoded and dithered in advance, while another frame is solved.
PREFETCHED_FRAMES = 4

Frames: TypeAlias = Generator[Sequence[Target], None, None]
"""The targets of frames, one for each colour plane."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Shot:
    """A picture dithered for a board."""

    path: str  # Path as the user gave it.
    targets: Callable[[float], Frames]  # Returns the frames at a rate; each call decodes anew.
    is_clip: bool = False
    seconds: float | None = None  # Duration of a clip; None if it is known only after decoding.
    sound: SoundSource | None = None


def still_shot(path: str, targets: Sequence[Target]) -> Shot:
    """Return the shot of a still."""
    return Shot(path=path, targets=lambda fps: (planes for planes in [targets]))


def clip_shot(clip: Clip, to: Destination) -> Shot:
    """Return the shot of a clip."""

    def dither_frames(fps: float) -> Frames:
        frames = dither_clip(clip, to, fps)
        dither = clip.own.get("dither", to.options.dither)
        with closing(prefetch(frames, PREFETCHED_FRAMES)) as prefetched:
            yield from with_hysteresis(prefetched, dither, to.options)

    return Shot(
        path=clip.path, targets=dither_frames, is_clip=True, seconds=clip.seconds, sound=clip.sound
    )
