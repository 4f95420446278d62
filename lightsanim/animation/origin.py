"""Where an animation comes from: what is needed to make it again, with its pictures at hand."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from lightsanim.animation.label import UNSAID, Label
from lightsanim.errors import AnimationError
from lightsanim.options.records import Plain

SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, kw_only=True)
class Origin:
    """How an animation was made."""

    program: str  # the version of lightsanim that made it
    # Every option of `make`, with the seed that was used.  An order "custom" was an array or a
    # function, which is not kept: the clicks alone tell what it was.
    settings: Mapping[str, Plain]
    # Of each picture's file, in the order shown; None for one that was given as an image or an
    # array, which has no file to compare.
    sha256: tuple[str | None, ...]
    # Whether the time limit ended a search, so that another run may find other clicks; None where
    # that is not known.
    cut_short: bool | None = None
    # Of each picture, the options of its own; empty where no picture has any.
    own: tuple[Mapping[str, Plain], ...] = ()
    label: Label = UNSAID  # what is said of the work

    def __post_init__(self) -> None:
        if not isinstance(self.program, str) or not all(map(_is_plain, (self.settings, *self.own))):
            raise AnimationError("an origin's settings must be texts, numbers, true, false or null")
        for digest in self.sha256:
            if digest is not None and not (isinstance(digest, str) and SHA256.fullmatch(digest)):
                raise AnimationError(f"a sha256 must be 64 hexadecimal digits, not {digest!r}")
        if self.own and len(self.own) != len(self.sha256):
            raise AnimationError("an origin must have own options for each picture, or none")
        if not isinstance(self.cut_short, bool | None):
            raise AnimationError(f"cut_short must be true, false or null, not {self.cut_short!r}")

    @property
    def as_dict(self) -> dict[str, Any]:
        """The origin as a JSON object; the inverse of `from_dict`."""
        members = {**asdict(self), "label": self.label.as_dict}
        return {n: v for n, v in members.items() if v or n not in ("own", "label")}

    @classmethod
    def from_dict(cls, value: Any) -> Self | None:
        """The origin that a JSON object says, or None for null."""
        match value:
            case None:
                return None
            case {"program": program, "settings": settings, "sha256": list(digests)}:
                return cls(
                    program=program,
                    settings=settings,
                    sha256=tuple(digests),
                    cut_short=value.get("cut_short"),
                    own=tuple(value.get("own", ())),
                    label=Label.of(value.get("label", {})),
                )
        raise AnimationError("an origin must be null or have a program, settings and sha256")


def _is_plain(options: Any) -> bool:
    return isinstance(options, Mapping) and all(
        isinstance(name, str) and isinstance(value, Plain) for name, value in options.items()
    )
