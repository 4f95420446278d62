"""What a request asks for: pictures with options of their own, settings, a look, files."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

import attrs

from lightsanim.errors import OptionError
from lightsanim.look.theme import Theme
from lightsanim.options.checks import check_names, check_whole
from lightsanim.options.choices import SUFFIXES
from lightsanim.options.outputs import OF_FILES, Outputs
from lightsanim.options.own import own_options
from lightsanim.options.records import names_of, plain, plain_values
from lightsanim.options.settings import OWN, Settings, settings_from
from lightsanim.options.values import file_stem
from lightsanim.pictures.sample_pictures import name_of
from lightsanim.studio.album import Held
from lightsanim.studio.form import SHEETS
from lightsanim.studio.requests import RefusedError

# Pictures of one film.
MOST_PICTURES = 100

# Statuses of what is wrong with a value.
WRONG = (400, 422)

KEYS = (
    *("pictures", "options", "look", "outputs"),
    *("slot", "index", "wrong"),  # of films and targets
    "formats",  # of files
)


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A film, as the page asks for it."""

    # With the options of their own, in canonical form and order.
    pictures: tuple[tuple[Held, Mapping[str, Any]], ...]
    settings: Settings  # the options of `make`, with a seed
    theme: Theme  # the look
    outputs: Outputs  # how many stills and bytes; no files

    @property
    def solving(self) -> str:
        """Films of which this is equal differ in their looks at most."""
        own = [(held.id, plain_values(own)) for held, own in self.pictures]
        return repr((own, plain(self.settings)))

    def refused(self, error: RefusedError) -> RefusedError:
        """What a worker refused, with the id of the picture that it is about."""
        # A still's name has no suffix, so two may share it: rather that with the option of its own.
        named = [
            (held.id, own)
            for held, own in self.pictures
            if error.picture in (held.name, PurePath(held.name).stem)
        ]
        picture, _ = max(named, key=lambda each: error.about in each[1], default=(None, {}))
        return RefusedError(str(error), error.status, error.about, picture)


def asked_of(body: Any, held: Mapping[str, Held], seed: int, *, least: int = 2) -> Asked:
    """What a request's JSON asks for."""
    if not isinstance(body, dict):
        raise RefusedError("a request must be a JSON object")
    with _refusing():
        check_names("member", body, KEYS)
        options, look = _values(body, "options"), _values(body, "look")
        pictures = _pictures(body, held, least)
        settings = settings_from({"seed": seed, **options})
        check_names("look", look, names_of(Theme))
        theme, outputs = Theme(**look), _values(body, "outputs")
        check_names("output", outputs, OF_FILES)
        return Asked(pictures=pictures, settings=settings, theme=theme, outputs=Outputs(**outputs))


def _values(body: Mapping[str, Any], name: str) -> dict[str, Any]:
    # Options by name; null stands for what is not given.
    given = body.get(name) or {}
    if not isinstance(given, dict):
        raise RefusedError(f"{name} must be an object of options by name")
    for option, value in given.items():
        if isinstance(value, list | dict):
            raise RefusedError(f"{option} must be a single value", about=option)
    return {option: value for option, value in given.items() if value is not None}


def _pictures(
    body: Mapping[str, Any], held: Mapping[str, Held], least: int
) -> tuple[tuple[Held, Mapping[str, Any]], ...]:
    given = body.get("pictures")
    if not isinstance(given, list) or not all(isinstance(picture, dict) for picture in given):
        raise RefusedError("pictures must be a list of objects with an id")
    pictures = tuple(_picture(picture, held) for picture in given[: MOST_PICTURES + 1])
    moving = any(picture.moves for picture, _ in pictures)
    alone = moving or _values(body, "options").get("transition") == "automaton"
    if not (1 if alone else least) <= len(pictures) <= MOST_PICTURES:
        raise RefusedError(
            f"an animation needs a clip, or at least 2 pictures, and at most {MOST_PICTURES}, not "
            f"{len(given)}"
        )
    return pictures


def _picture(given: Mapping[str, Any], held: Mapping[str, Held]) -> tuple[Held, dict[str, Any]]:
    id = given.get("id")
    if not isinstance(id, str) or id not in held:
        wrong = "this picture is not here any more; drop it again"
        raise RefusedError(wrong, 404, picture=id if isinstance(id, str) else None)
    own = _values(given, "own")
    try:
        with _refusing():
            known = own_options(own)
    except RefusedError as refused:
        refused.picture = id
        raise
    return held[id], {name: known[name] for name in OWN if name in known}


@contextmanager
def _refusing() -> Iterator[None]:
    try:
        yield
    except OptionError as error:
        raise RefusedError(str(error), about=error.option) from error


def outputs_of(body: Mapping[str, Any], asked: Asked) -> Outputs:
    """The files of the formats that a request names, called as the pictures; without a folder."""
    stem = file_stem("-".join(name_of(held.name) for held, _ in asked.pictures))
    formats, known = body.get("formats"), [*filter(None, SUFFIXES), *SHEETS]
    if not isinstance(formats, list) or not formats:
        raise RefusedError(f"formats must be a list of some of {', '.join(known)}")
    for suffix in formats:
        if suffix not in known:
            raise RefusedError(f"there is no format {suffix!r:.40}; known: {', '.join(known)}")
    stills = [suffix for suffix in SHEETS if suffix in formats]
    if len(stills) > 1:
        raise RefusedError(f"one sheet of stills at a time, not {' and '.join(stills)}")
    usual = {"sheet_frames": Outputs().sheet_frames, "sheet_columns": None}
    sheet = {"sheet": stem + stills[0]} if stills else usual
    max_bytes = asked.outputs.max_bytes if ".gif" in formats else None
    output = [stem + suffix for suffix in SUFFIXES if suffix in formats]
    return attrs.evolve(asked.outputs, output=output, max_bytes=max_bytes, **sheet)


def whole_of(body: Mapping[str, Any], name: str, most: int) -> int:
    """A whole number from 0 to ``most`` - 1, 0 where none is given."""
    with _refusing():
        return check_whole(name, body.get(name, 0), 0, most - 1)


def seconds_of(text: str | None) -> float:
    """The second at which a clip is looked at; what is none of a clip counts as its beginning.

    >>> seconds_of("2.5"), seconds_of(None), seconds_of("nan")
    (2.5, 0.0, 0.0)
    """
    try:
        return Settings(at=float(text or 0)).at or 0.0
    except (OptionError, ValueError):
        return 0.0
