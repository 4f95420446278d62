"""The options for the files that a run writes and the messages that it prints."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from attrs import field, frozen
from attrs.converters import optional

from .checks import check_list, check_path
from .choices import KNOWN_STILLS, KNOWN_SUFFIXES
from .declare import flag_option, group_transformer, integer_option, option_info
from .records import option_names
from .values import Bytes, to_byte_count

MAX_STILLS = 1000
# Options of the look that `max_bytes` overrides.  A film made smaller records `max_bytes` and these
# options as they were set, so that `make` finds the same sizes again.
LIMITED_SIZES = "width", "cell", "gap"


def _to_output_paths(value: str | Path | Iterable[str | Path]) -> tuple[Path, ...]:
    paths = [value] if isinstance(value, str | os.PathLike) else check_list("output", value)
    return tuple(check_path("output", path) for path in paths)


def _to_sheet_path(value: str | Path) -> Path:
    return check_path("sheet", value)


@frozen(kw_only=True, slots=False, field_transformer=group_transformer("Output"))
class Outputs:
    """The files that a run writes."""

    output: tuple[Path, ...] = field(
        default=(),
        converter=_to_output_paths,
        metadata=option_info(
            f"File to write, repeatable: {KNOWN_SUFFIXES}. An .svg is animated.",
            "FILE",
            flags="-o --output",
        ),
    )
    sheet: Path | None = field(
        default=None,
        converter=optional(_to_sheet_path),
        metadata=option_info(f"File for a contact sheet of still frames: {KNOWN_STILLS}.", "FILE"),
    )
    sheet_frames: int = integer_option(
        4, (1, MAX_STILLS), "Stills per sheet.", "N", slider=(1, 12, 1), marks="advanced of_files"
    )
    sheet_columns: int | None = integer_option(
        None,
        (1, MAX_STILLS),
        "Stills per row of the sheet; with --paper, the sheet becomes a flip-book to cut out.",
        "N",
        unset="all in one row",
        marks="advanced of_files",
    )
    max_bytes: Bytes | None = field(
        default=None,
        converter=optional(to_byte_count),
        metadata=option_info(
            "Maximum size of a GIF, APNG, WebP or video, such as 8MB; coarser frames (of videos), "
            "smaller cells and fewer frames make it fit.",
            "BYTES",
            marks="advanced of_files",
        ),
    )
    overwrite: bool = flag_option(True, "Overwrite existing files.")


OF_FILES = option_names(Outputs, "of_files")


def _text_option(text: str) -> Any:
    return field(default=None, metadata=option_info(text, "TEXT"))


@frozen(kw_only=True, slots=False, field_transformer=group_transformer("Label"))
class LabelOptions:
    """The texts that describe a film, which its files carry; `film/origin.py` checks them."""

    title: str | None = _text_option("Title of the film in pages and metadata.")
    caption: str | None = _text_option("Text about the film; pages of galleries show it.")
    credit: str | None = _text_option("Who made the film, or whose pictures it shows.")
    licence: str | None = _text_option("Licence of the film.")
    date: str | None = _text_option("Date of the film: a day, a year or any text.")
    alt: str | None = _text_option("Description of the film for people who cannot see it.")


@frozen(kw_only=True, slots=False, field_transformer=group_transformer("Output"))
class MessageOptions:
    """The messages that a run prints."""

    json: bool = flag_option(False, "Print a report as JSON on standard output.")
    quiet: bool = flag_option(False, "Print errors only.", flags="--quiet -q")
