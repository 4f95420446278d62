"""Where an animation comes from, to make it again; and what is said of it on its label."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from datetime import date
from typing import Any, Self

from lightsanim.errors import AnimationError, OptionError
from lightsanim.options.checks import quote_value
from lightsanim.options.records import JsonValue

SHA256 = re.compile(r"[0-9a-f]{64}")

# What neither a terminal nor XML takes.
CONTROL_CHARACTERS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")

# Of a page on the web.
WEB_ADDRESS = re.compile(r"https?://[^\s/?#\"<>]+(?:[/?#][^\s\"<>]*)?")


def _limited_text_field(max_length: int) -> Any:
    return field(default=None, metadata={"max_length": max_length})  # characters


@dataclass(frozen=True, kw_only=True)
class Label:
    """What is said of a work; None, or an empty text, where nothing is said.

    >>> Label(title=" The Sun,\\n risen ", date=date(2026, 3, 1)).as_dict
    {'title': 'The Sun, risen', 'date': '2026-03-01'}
    """

    title: str | None = _limited_text_field(200)  # its name
    caption: str | None = _limited_text_field(
        2000
    )  # a few sentences; empty lines separate paragraphs
    credit: str | None = _limited_text_field(300)  # whose it is
    licence: str | None = _limited_text_field(300)  # what others may do with it
    date: str | None = _limited_text_field(100)  # a day of the calendar, a year, or any text
    alt: str | None = _limited_text_field(1000)  # what it looks like, for who cannot see it
    series: str | None = _limited_text_field(200)  # what it belongs to
    link: str | None = _limited_text_field(1000)  # an address on the web where more is said of it

    def __post_init__(self) -> None:
        for name in MAX_LENGTH:
            object.__setattr__(self, name, _clean_text(name, getattr(self, name)))
        if self.link and not WEB_ADDRESS.fullmatch(self.link):
            requirement = "link must be an address such as https://example.org/work"
            raise OptionError(f"{requirement}, not {quote_value(self.link)}")

    @property
    def as_dict(self) -> dict[str, str]:
        """What is said, by name."""
        return {name: value for name, value in asdict(self).items() if value is not None}

    @classmethod
    def from_dict(cls, members: Any) -> Self:
        """The label that a JSON object or a table says; what it says beside that is ignored."""
        if not isinstance(members, Mapping):
            raise OptionError(f"a label must be an object, not {quote_value(members)}")
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
    if len(text) > MAX_LENGTH[name]:
        raise OptionError(f"{name} has {len(text):,} characters; take at most {MAX_LENGTH[name]:,}")
    return text or None


# The most characters of each.
MAX_LENGTH: dict[str, int] = {text.name: text.metadata["max_length"] for text in fields(Label)}

NO_LABEL = Label()


@dataclass(frozen=True, kw_only=True)
class Origin:
    """How an animation was made."""

    program: str  # the version of lightsanim that made it
    # Every option of `make`, with the seed that was used.  An order "custom" was an array or a
    # function, which is not kept: the clicks alone tell what it was.
    settings: Mapping[str, JsonValue]
    # Of each picture's file, in the order shown; None for one that was given as an image or an
    # array, which has no file to compare.
    sha256: tuple[str | None, ...]
    # Whether the time limit ended a search, so that another run may find other clicks; None where
    # that is not known.
    cut_short: bool | None = None
    # Of each picture, the options of its own; empty where no picture has any.
    own: tuple[Mapping[str, JsonValue], ...] = ()
    label: Label = NO_LABEL  # what is said of the work

    def __post_init__(self) -> None:
        if not isinstance(self.program, str) or not all(
            map(_is_plain_json, (self.settings, *self.own))
        ):
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
                    label=Label.from_dict(value.get("label", {})),
                )
        raise AnimationError("an origin must be null or have a program, settings and sha256")


def _is_plain_json(options: Any) -> bool:
    return isinstance(options, Mapping) and all(
        isinstance(name, str) and isinstance(value, JsonValue) for name, value in options.items()
    )
