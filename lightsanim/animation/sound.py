"""The sound of a film: where it comes from, and when it is heard."""

from dataclasses import dataclass

from lightsanim.pictures.clip import SoundSource


@dataclass(frozen=True, kw_only=True)
class Sound:
    """The sound of a clip in a film.

    Attributes:
        source: where it is, and which part of it.
        at: seconds from the start of the film to that of the clip in it.
        seconds: that the clip takes there.
    """

    source: SoundSource
    at: float
    seconds: float
