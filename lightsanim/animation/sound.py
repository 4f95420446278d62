"""The sound of a film: where it comes from, and when it is heard."""

from dataclasses import dataclass

from lightsanim.pictures.clip import SoundSource


@dataclass(frozen=True, kw_only=True)
class Sound:
    """The sound of a clip in a film."""

    source: SoundSource  # where it is, and which part of it
    at: float  # seconds from the start of the film to that of the clip in it
    seconds: float  # that the clip takes there
