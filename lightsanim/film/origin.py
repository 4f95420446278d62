"""Records of how animations were made, and labels that describe them."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from datetime import date
from typing import Any, Self

from lightsanim.errors import AnimationError, OptionError
from lightsanim.options.checks import quote_value
from lightsanim.options.records import JsonValue
from lightsanim.options.values import WEB_ADDRESS

SHA256 = re.compile(r"[0-9a-f]{64}")
# Characters that are unsafe in terminals or invalid in XML.
CONTROL_CHARACTERS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def _limited_text_field(max_length: int) -> Any:
    return field(default=None, metadata={"max_length": max_length})


@dataclass(frozen=True, kw_only=True)
class Label:
    """Texts that describe a work to its viewers; each may be None.

    >>> Label(title=" The Sun,\\n risen ", date=date(2026, 3, 1)).as_dict
    {'title': 'The Sun, risen', 'date': '2026-03-01'}
    """

    title: str | None = _limited_text_field(200)
    caption: str | None = _limited_text_field(2000)  # Paragraphs separated by empty lines.
    credit: str | None = _limited_text_field(300)
    licence: str | None = _limited_text_field(300)
    date: str | None = _limited_text_field(100)  # Date of the work: a day, a year or any text.
    alt: str | None = _limited_text_field(1000)  # Description of the work for blind people.
    series: str | None = _limited_text_field(200)
    link: str | None = _limited_text_field(1000)  # URL of a page about the work.

    def __post_init__(self) -> None:
        for name in MAX_LENGTH:
            object.__setattr__(self, name, _clean_text(name, getattr(self, name)))
        if self.link and not WEB_ADDRESS.fullmatch(self.link):
            requirement = "link must be an address such as https://example.org/work"
            raise OptionError(f"{requirement}, not {quote_value(self.link)}")

    @property
    def as_dict(self) -> dict[str, str]:
        """Texts of the label that are not None, by name."""
        return {name: value for name, value in asdict(self).items() if value is not None}

    @classmethod
    def from_dict(cls, members: Any) -> Self:
        """Read a label from a JSON object or a TOML table; unknown members are ignored."""
        if not isinstance(members, Mapping):
            raise OptionError(f"a label must be an object of texts, not {quote_value(members)}")
        return cls(**{name: members[name] for name in MAX_LENGTH if name in members})


def _clean_text(name: str, value: Any) -> str | None:
    if name == "date" and isinstance(value, date | int) and not isinstance(value, bool):
        value = str(value)
    if value is None:
        return None
    if not isinstance(value, str):
        kind = "a day, a year or a text" if name == "date" else "a text"
        raise OptionError(f"{name} must be {kind}, not {quote_value(value)}")
    paragraphs = [" ".join(part.split()) for part in re.split(r"\n\s*\n", value.strip())]
    text = ("\n\n" if name == "caption" else " ").join(paragraphs)
    if CONTROL_CHARACTERS.search(text):
        raise OptionError(
            f"{name} must be a text without control characters, not {quote_value(value)}"
        )
    if len(text) > (limit := MAX_LENGTH[name]):
        raise OptionError(f"{name} must have at most {limit:,} characters, not {len(text):,}")
    return text or None


# Maximum length of each text of a label, in characters, by the name of the text.
MAX_LENGTH: dict[str, int] = {text.name: text.metadata["max_length"] for text in fields(Label)}
NO_LABEL = Label()
OMITTED_IF_EMPTY = ("own", "words", "label", "order_sha256")  # members of an `Origin` in JSON


@dataclass(frozen=True, kw_only=True)
class Origin:
    """Record of how an animation was made."""

    program: str  # Version of lightsanim that made the animation.
    # Values of all options of `make`, including the seed.  An order that is an array or a function
    # is recorded as "custom".
    settings: Mapping[str, JsonValue]
    # SHA-256 of each picture's file, in the order shown, and last those of
    # `Settings.more_pictures`; None for an array or image in memory.
    sha256: tuple[str | None, ...]
    # Whether the time limit ended a search, so another run may find other clicks; None if unknown.
    cut_short: bool | None = None
    # Options set for single pictures, one mapping for each digest; empty if there are none.
    own: tuple[Mapping[str, JsonValue], ...] = ()
    # Word that stands for each picture in `make`; empty if all pictures are files.
    words: tuple[str, ...] = ()
    label: Label = NO_LABEL
    # SHA-256 of the times of a custom order, as little-endian float64 in row-major order.
    order_sha256: str | None = None

    def __post_init__(self) -> None:
        all_options = self.settings, *self.own
        if not isinstance(self.program, str) or not all(map(_is_plain_json, all_options)):
            raise AnimationError("an origin's settings must be texts, numbers, true, false or null")
        for digest in (*self.sha256, self.order_sha256):
            if digest is not None and not (isinstance(digest, str) and SHA256.fullmatch(digest)):
                raise AnimationError(f"a sha256 must be 64 hexadecimal digits, not {digest!r}")
        if self.own and len(self.own) != len(self.sha256):
            raise AnimationError("own must have an object of options for each picture, or be empty")
        if not isinstance(self.cut_short, bool | None):
            raise AnimationError(f"cut_short must be true, false or null, not {self.cut_short!r}")

    @property
    def as_dict(self) -> dict[str, Any]:
        """The origin as a JSON object, which `from_dict` reads."""
        members, omitted = {**asdict(self), "label": self.label.as_dict}, OMITTED_IF_EMPTY
        return {name: value for name, value in members.items() if value or name not in omitted}

    @classmethod
    def from_dict(cls, value: Any) -> Self | None:
        """Read an origin from a JSON object; return None for null."""
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
                    words=tuple(map(str, value.get("words", ()))),
                    label=Label.from_dict(value.get("label", {})),
                    order_sha256=value.get("order_sha256"),
                )
        raise AnimationError("an origin must be null, or have members program, settings and sha256")


def _is_plain_json(options: Any) -> bool:
    return isinstance(options, Mapping) and all(
        isinstance(name, str) and isinstance(value, JsonValue) for name, value in options.items()
    )
