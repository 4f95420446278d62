"""Parse a request: pictures with their own options, settings, theme, and output formats."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, TypeAlias

from lightsanim.errors import OptionError
from lightsanim.options.checks import check_known_names, check_whole_number, quote_value
from lightsanim.options.choices import SUFFIXES
from lightsanim.options.outputs import (
    FILM_OPTIONS,
    SHEET_OPTIONS,
    Kinds,
    Outputs,
    list_options,
    to_output_file,
)
from lightsanim.options.picture_options import per_picture_options
from lightsanim.options.records import options_to_json_object, to_json_values
from lightsanim.options.settings import PER_PICTURE, Settings, settings_from_values
from lightsanim.options.values import to_file_stem
from lightsanim.output.look.theme import Theme, parse_theme
from lightsanim.pictures.words.table import find_word
from .album import UploadedFile
from .option_form import FILE_KINDS, SHEET_SUFFIXES
from .requests import RefusedError

MAX_PER_FILM = 100  # Maximum number of pictures in one film.
INVALID_STATUSES = (400, 422)  # HTTP statuses of responses that report an invalid option.

# Suffixes of the files that a worker writes of a film: the pickled pair (animation, report), and
# the player page.
SOLUTION, PLAYER = ".solved", ".html"

# Each picture's file, and the options set for this picture alone.
Pictures: TypeAlias = tuple[tuple[UploadedFile, Mapping[str, Any]], ...]

# What a worker returns of a film: its report and summary text, and whether it is a draft, for which
# the seam between the pictures has not been searched.
FilmFacts: TypeAlias = dict[str, Any]

FILE_OPTIONS = list_options(FILE_KINDS)
REQUEST_MEMBERS = (
    *("pictures", "options", "look", "outputs"),
    *("slot", "index", "wrong", "draft"),  # Members of requests for films and targets only.
    "formats",  # Member of requests for saves and snippets only.
)


@dataclass(frozen=True, kw_only=True)
class FilmRequest:
    """The film that a request describes, its options checked."""

    pictures: Pictures
    settings: Settings
    theme: Theme
    own: Mapping[str, Any]  # Options of outputs that are not about the look.

    @property
    def solve_key(self) -> str:
        """The cache key of the film's solution: all but outputs and looks that keep the board."""
        own = [(file.id, to_json_values(own)) for file, own in self.pictures]
        shape = self.theme.canvas, self.theme.board_aspect
        return repr((own, options_to_json_object(self.settings), shape))

    def add_picture_id(self, error: RefusedError) -> RefusedError:
        """Return a copy of a worker's error, with the id of the picture that the error names."""
        # Errors name stills without suffix, so several may match: prefer one with the wrong option.
        candidates = [
            (file.id, own)
            for file, own in self.pictures
            if error.picture in (file.name, PurePath(file.name).stem)
        ]
        picture, _ = max(candidates, key=lambda pair: error.about in pair[1], default=(None, {}))
        return RefusedError(str(error), error.status, error.about, picture)


def parse_film_request(
    body: Any, files: Mapping[str, UploadedFile], seed: int, *, minimum: int = 2
) -> FilmRequest:
    """Check a request's JSON, and return the film of at least ``minimum`` stills, or of a clip."""
    if not isinstance(body, dict):
        raise RefusedError("the request must be a JSON object")
    check_known_names("member", body, REQUEST_MEMBERS)
    options, look = _parse_values(body, "options"), _parse_values(body, "look")
    pictures = _parse_pictures(body, files, minimum)
    settings = settings_from_values({"seed": seed, **options})
    theme, output_options = parse_theme(look), _parse_values(body, "outputs")
    check_known_names("output", output_options, FILE_OPTIONS)
    for name, value in output_options.items():
        to_output_file("output", {"path": "check", name: value})
    option = "beside" if settings.beside else "clicks_picture"
    for name in settings.more_pictures:
        pictures = _move_to_end(pictures, name, option)
    return FilmRequest(pictures=pictures, settings=settings, theme=theme, own=output_options)


def _parse_values(body: Mapping[str, Any], name: str) -> dict[str, Any]:
    # Returns the options in the member ``name`` of a request, without null values.
    values = body.get(name) or {}
    if not isinstance(values, dict):
        raise RefusedError(f"{name} must be a JSON object with option names as keys")
    for option, value in values.items():
        if isinstance(value, list | dict):
            raise RefusedError(f"{option} must be a single value, not a list", about=option)
    return {option: value for option, value in values.items() if value is not None}


def _parse_pictures(
    body: Mapping[str, Any], files: Mapping[str, UploadedFile], minimum: int
) -> Pictures:
    members = body.get("pictures")
    if not isinstance(members, list) or not all(isinstance(picture, dict) for picture in members):
        raise RefusedError("pictures must be a list of JSON objects, each with an id")
    pictures = tuple(_parse_picture(picture, files) for picture in members[: MAX_PER_FILM + 1])
    has_clips = any(picture.is_clip for picture, _ in pictures)
    one_is_enough = has_clips or _parse_values(body, "options").get("transition") == "automaton"
    if not (1 if one_is_enough else minimum) <= len(pictures) <= MAX_PER_FILM:
        rule = f"a film needs a clip, or 2 to {MAX_PER_FILM} pictures"
        raise RefusedError(f"{rule}; this request has {len(members)}")
    return pictures


def _move_to_end(pictures: Pictures, name: str, option: str) -> Pictures:
    # Move the picture that an option names to the end; a request can name no file of the computer.
    named = [place for place, (file, _) in enumerate(pictures) if file.name == name]
    if not named:
        flaw = f"{option} must be the name of one of the pictures here, not {quote_value(name)}"
        raise RefusedError(flaw, about=option)
    return (*pictures[: named[-1]], *pictures[named[-1] + 1 :], pictures[named[-1]])


def _parse_picture(
    member: Mapping[str, Any], files: Mapping[str, UploadedFile]
) -> tuple[UploadedFile, dict[str, Any]]:
    id = member.get("id")
    if not isinstance(id, str) or id not in files:
        message = "the studio no longer has this picture; add it again"
        raise RefusedError(message, 404, picture=id if isinstance(id, str) else None)
    own = _parse_values(member, "own")
    try:
        checked = per_picture_options(own)
    except OptionError as error:
        raise RefusedError(str(error), about=error.option, picture=id) from error
    return files[id], {name: checked[name] for name in PER_PICTURE if name in checked}


def parse_outputs(body: Mapping[str, Any], request: FilmRequest) -> Outputs:
    """Return the outputs of a request, with a file name for each format it chooses."""
    stem = to_file_stem("-".join(find_word(file.name).name for file, _ in request.pictures))
    formats, suffixes = body.get("formats"), [*filter(None, SUFFIXES), *SHEET_SUFFIXES]
    if not isinstance(formats, list) or not formats:
        raise RefusedError(f"formats must be a list of one or more of {', '.join(suffixes)}")
    for suffix in formats:
        if suffix not in suffixes:
            raise RefusedError(f"unknown format {suffix!r:.40}; formats: {', '.join(suffixes)}")
    sheet_suffixes = [suffix for suffix in SHEET_SUFFIXES if suffix in formats]
    if len(sheet_suffixes) > 1:
        raise RefusedError(f"choose only one contact sheet, not {' and '.join(sheet_suffixes)}")

    def own_options(table: Mapping[str, Kinds], suffix: str) -> dict[str, Any]:
        return {n: v for n, v in request.own.items() if n in list_options(table[suffix])}

    output = [
        {"path": stem + suffix, **own_options(FILM_OPTIONS, suffix)}
        for suffix in SUFFIXES
        if suffix in formats
    ]
    sheet = None
    for suffix in sheet_suffixes:
        own = own_options(SHEET_OPTIONS, PurePath(stem + suffix).suffix)
        sheet = {"path": stem + suffix, **own}
    return Outputs(output=output, sheet=sheet)


def parse_whole_number(body: Mapping[str, Any], name: str, count: int) -> int:
    """Return a request's member as a whole number below ``count``; 0 if it is missing."""
    return check_whole_number(name, body.get(name, 0), 0, count - 1)


def parse_seconds(text: str | None) -> float:
    """Parse a time in seconds; return 0.0, the clip's beginning, if the text is not a time.

    >>> parse_seconds("2.5"), parse_seconds(None), parse_seconds("nan")
    (2.5, 0.0, 0.0)
    """
    try:
        return Settings(at=float(text or 0)).at or 0.0
    except (OptionError, ValueError):
        return 0.0
