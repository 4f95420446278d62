"""The files that a run writes, and what it says."""

import os
from collections.abc import Iterable
from pathlib import Path

from attrs import field, frozen
from attrs.converters import optional

from lightsanim.options.checks import check_list, check_path
from lightsanim.options.choices import KNOWN_STILLS, KNOWN_SUFFIXES
from lightsanim.options.declare import flag_option, group_transformer, integer_option, option_info
from lightsanim.options.records import option_names
from lightsanim.options.values import Bytes, to_byte_count

MAX_STILLS = 1000


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
            f"File to write, once or more: {KNOWN_SUFFIXES}. An .svg plays as a film.",
            "FILE",
            flags="-o --output",
        ),
    )
    sheet: Path | None = field(
        default=None,
        converter=optional(_to_sheet_path),
        metadata=option_info(f"Stills side by side, as {KNOWN_STILLS}, which do not move.", "FILE"),
    )
    sheet_frames: int = integer_option(
        4, (1, MAX_STILLS), "How many stills.", "N", slider=(1, 12, 1), marks="advanced of_files"
    )
    sheet_columns: int | None = integer_option(
        None,
        (1, MAX_STILLS),
        "How many in a row; with --paper a flip-book.",
        "N",
        unset="all",
        marks="advanced of_files",
    )
    max_bytes: Bytes | None = field(
        default=None,
        converter=optional(to_byte_count),
        metadata=option_info(
            "The most a GIF may have, by smaller cells and fewer frames: 8MB.",
            "BYTES",
            marks="advanced of_files",
        ),
    )
    overwrite: bool = flag_option(True, "Replace files that exist.")


OF_FILES = option_names(Outputs, "of_files")


@frozen(kw_only=True, slots=False, field_transformer=group_transformer("Output"))
class MessageOptions:
    """What a run says, and where."""

    json: bool = flag_option(False, "Print the report as JSON.")
    quiet: bool = flag_option(False, "Say nothing but errors.", flags="--quiet -q")
    verbose: bool = flag_option(False, "Say more.", flags="--verbose -v")
