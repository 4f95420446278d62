"""The options of outputs: the files that a run writes, texts about them, and messages.

Each option of a file stands in the class of what has it.  On the command line it follows the name
of the file, as in ``-o panel.ino@wiring=zigzag@panels=2x1``.
"""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import attrs
from attrs import field, frozen
from attrs.converters import optional

from lightsanim.errors import OptionError
from .at_options import AT, format_at_options, parse_at_options
from .checks import check_known_names, check_list, check_path, require_keys
from .choices import (
    KNOWN_STILLS,
    KNOWN_SUFFIXES,
    STILL_SUFFIXES,
    SUFFIXES,
    VECTOR_SUFFIXES,
    FilmFormat,
)
from .declare import (
    Field,
    choice_option,
    custom_option,
    flag_option,
    group_transformer,
    integer_option,
    option_info,
)
from .look import (
    CodeOptions,
    FrameOptions,
    LampOptions,
    LanguageOptions,
    PlotOptions,
    PrintOptions,
    VisitorOptions,
)
from .records import non_default_values, resolve_file_options
from .values import Bytes, Canvas, to_byte_count, to_canvas, to_frame

MAX_STILLS = 1000
STANDARD_OUTPUT = "-"
# Options of the look that `max_bytes` overrides.  A film made smaller records `max_bytes` and these
# options as they were set, so that `make` finds the same sizes again.
LIMITED_SIZES = "width", "cell", "gap"


@frozen(kw_only=True, slots=False, field_transformer=group_transformer("Output"))
class LimitOptions:
    """The limit of a file's size."""

    max_bytes: Bytes | None = field(
        default=None,
        converter=optional(to_byte_count),
        metadata=option_info(
            "Maximum size of a GIF, APNG, WebP or video, such as 8MB; coarser frames (of videos), "
            "smaller cells and fewer frames make it fit.",
            "BYTES",
            marks="advanced",
        ),
    )


@frozen(kw_only=True, slots=False, field_transformer=group_transformer("Output"))
class SoundOptions:
    """The sound of clips."""

    mute: bool = flag_option(False, "Leave out the sound of clips.", marks="of_clips")


@frozen(kw_only=True, slots=False, field_transformer=group_transformer("Output"))
class StillOptions:
    """The frame that a still shows."""

    frame: str = custom_option(
        to_frame, "-1", "Frame: 0 is the first, -1 the last, 50% the one in the middle.", "N"
    )


@frozen(kw_only=True, slots=False, field_transformer=group_transformer("Output"))
class ContactOptions:
    """The frames that a contact sheet shows."""

    frames: int = integer_option(4, (1, MAX_STILLS), "Stills per sheet.", "N", slider=(1, 12, 1))
    columns: int | None = integer_option(
        None,
        (1, MAX_STILLS),
        "Stills per row of the sheet; with paper, the sheet becomes a flip-book to cut out.",
        "N",
        unset="all in one row",
    )
    numbers: bool = flag_option(False, "Print the number of its frame under each still.")


@frozen(kw_only=True, slots=False, field_transformer=group_transformer("Output"))
class StreamOptions:
    """The format of what is written to standard output."""

    format: FilmFormat | None = choice_option(None, "Format of -o -")


Kinds: TypeAlias = tuple[type[attrs.AttrsInstance], ...]
ALL_KINDS: Kinds = (
    FrameOptions,
    LimitOptions,
    SoundOptions,
    LanguageOptions,
    VisitorOptions,
    LampOptions,
    CodeOptions,
    PrintOptions,
    PlotOptions,
    StillOptions,
    ContactOptions,
    StreamOptions,
)
OUTPUT_OPTIONS: Mapping[str, Field] = {f.name: f for k in ALL_KINDS for f in attrs.fields(k)}

# The options that each format of films has.
FILM_OPTIONS: Mapping[str, Kinds] = require_keys(
    SUFFIXES,
    {
        **dict.fromkeys((".gif", ".webp", ".apng"), (FrameOptions, LimitOptions)),
        **dict.fromkeys((".mp4", ".webm"), (FrameOptions, LimitOptions, SoundOptions)),
        **dict.fromkeys((".svg", ""), (FrameOptions,)),
        ".html": (FrameOptions, LanguageOptions, VisitorOptions),
        ".json": (),
        **dict.fromkeys((".h", ".ino"), (LampOptions, CodeOptions)),
        ".wled": (LampOptions,),
    },
)
# The options that each format of stills has.
DRAWING_OPTIONS: Mapping[str, Kinds] = require_keys(
    STILL_SUFFIXES,
    {
        ".png": (FrameOptions, PrintOptions),
        **dict.fromkeys(VECTOR_SUFFIXES, (FrameOptions, PrintOptions, PlotOptions)),
    },
)
# The options of the files of games: of solutions, puzzles, answers to puzzles, and lessons.
PAGE_OPTIONS: Mapping[str, Kinds] = {".html": (LanguageOptions,)}
SOLVE_OPTIONS: Mapping[str, Kinds] = {**FILM_OPTIONS, **DRAWING_OPTIONS}
POSE_OPTIONS: Mapping[str, Kinds] = {**SOLVE_OPTIONS, ".txt": (), **PAGE_OPTIONS}
ANSWER_OPTIONS: Mapping[str, Kinds] = {**DRAWING_OPTIONS, **PAGE_OPTIONS}
STILL_OPTIONS = {suffix: (*kinds, StillOptions) for suffix, kinds in DRAWING_OPTIONS.items()}
SHEET_OPTIONS = {suffix: (*kinds, ContactOptions) for suffix, kinds in DRAWING_OPTIONS.items()}


def list_options(kinds: Kinds) -> tuple[str, ...]:
    """Return the names of the options of some classes."""
    return tuple(option.name for kind in kinds for option in attrs.fields(kind))


@frozen(kw_only=True)
class OutputFile:
    """A file or a folder to write, with the options that it has itself."""

    path: Path
    own: Mapping[str, Any] = field(factory=dict)

    def __str__(self) -> str:
        is_folder = self.own and not self.path.suffix and str(self.path) != STANDARD_OUTPUT
        return f"{self.path}{'/' * bool(is_folder)}{format_at_options(self.own)}"

    def check_options(self, table: Mapping[str, Kinds]) -> None:
        """Raise an OptionError if a file of this suffix does not have one of the options."""
        for name in self.own:
            if name not in self.known_options(table):
                flaw = f"{self.path.name or self.path} has no {name}"
                takers = (
                    f", which is for {describe_takers(name, table)}" if any(table.values()) else ""
                )
                raise OptionError(f"{flaw}{takers}; leave it out", name)

    def known_options(self, table: Mapping[str, Kinds]) -> tuple[str, ...]:
        """Return the names of the options that a file of this suffix has by a table."""
        return list_options(table.get(self.path.suffix.lower(), ALL_KINDS))


def suffixes_with(name: str, table: Mapping[str, Kinds]) -> list[str]:
    """Return the suffixes in a table whose files have an option, and "folders" for none."""
    return [suffix or "folders" for suffix, kinds in table.items() if name in list_options(kinds)]


def describe_takers(name: str, table: Mapping[str, Kinds] = FILM_OPTIONS) -> str:
    """Name the outputs that have an option: those in a table of formats, or else of films, or any.

    >>> describe_takers("wiring"), describe_takers("hatch"), describe_takers("columns")
    ('.h, .ino and .wled', 'stills (--still) and sheets (--sheet)', 'sheets (--sheet)')
    """
    others = {"stills (--still)": STILL_OPTIONS, "sheets (--sheet)": SHEET_OPTIONS}
    takers = suffixes_with(name, table) or suffixes_with(name, FILM_OPTIONS)
    takers = takers or [noun for noun, known in others.items() if suffixes_with(name, known)]
    *first, last = takers or ["-o -"]
    return f"{', '.join(first)} and {last}" if first else last


OutputLike: TypeAlias = str | Path | Mapping[str, Any] | OutputFile
"""An output as users spell it: a path, a word such as "a.gif@cell=4", or a table with a path."""


def to_output_file(name: str, value: OutputLike) -> OutputFile:
    """Convert a path, a word of the command line, or a table with a path to an output file."""
    if isinstance(value, OutputFile):
        return value
    own: dict[str, Any] = {}
    if isinstance(value, Mapping):
        own = {option: setting for option, setting in value.items() if option != "path"}
        value = value.get("path", "")
    elif isinstance(value, str):
        value, own = _parse_output_word(value)
        own = resolve_file_options(own)
    check_known_names("option of an output", own, OUTPUT_OPTIONS)
    checked = {option: _convert(option, setting) for option, setting in own.items()}
    return OutputFile(path=check_path(name, value), own=checked)


def _convert(name: str, value: Any) -> Any:
    # Checks and converts the value of an option as its class does.
    convert: Any = OUTPUT_OPTIONS[name].converter
    return convert(value)


_SUFFIX = "|".join(re.escape(suffix) for suffix in {*SUFFIXES, *STILL_SUFFIXES} if suffix)
# Matches an option, and a file with a known suffix, a folder or standard output before options.
_OPTION = re.compile(rf"{AT}([a-z][a-z_-]*)(?:=((?:[^{AT}]|{AT}{AT})*))?")
_WORD = re.compile(rf"((?i:.*?(?:{_SUFFIX}|/))|-)((?:{_OPTION.pattern})+)")


def _parse_output_word(word: str) -> tuple[str, dict[str, Any]]:
    # Split a word at the options that follow a known suffix; in a value @@ stands for @.
    match = _WORD.fullmatch(word)
    pairs = [] if match is None else [option.groups() for option in _OPTION.finditer(match[2])]
    last = OUTPUT_OPTIONS.get(pairs[-1][0].replace("-", "_")) if pairs else None
    # A word that ends with a known suffix is a name, unless this is the suffix of an address.
    is_address = last is not None and last.metadata["kind"] == "address"
    is_name = Path(word).suffix.lower() in (*SUFFIXES[:-1], *STILL_SUFFIXES) and not is_address
    if match is None or (is_name and match[1] != STANDARD_OUTPUT):
        for name, _ in _OPTION.findall("" if is_name else word.lower()):
            if name.replace("-", "_") in OUTPUT_OPTIONS:
                rule = "after a suffix, or after the / of a folder, as in frames/@cell=4"
                raise OptionError(f"{word}: options follow in small letters {rule}")
        return word, {}
    texts = ((name, text and text.replace(AT * 2, AT)) for name, text in pairs)
    return match[1], parse_at_options(texts, OUTPUT_OPTIONS, "an output", match[1])


def _to_output_files(value: OutputLike | Iterable[OutputLike]) -> tuple[OutputFile, ...]:
    if isinstance(value, str | Path | Mapping | OutputFile):
        return (to_output_file("output", value),)
    return tuple(to_output_file("output", one) for one in check_list("output", value))


def _to_sheet(value: OutputLike) -> OutputFile:
    return to_output_file("sheet", value)


def _to_still(value: OutputLike) -> OutputFile:
    return to_output_file("still", value)


@frozen(kw_only=True, slots=False, field_transformer=group_transformer("Output"))
class Outputs(LimitOptions):
    """The files that a run writes, and what holds for all of them."""

    output: tuple[OutputFile, ...] = field(
        default=(),
        converter=_to_output_files,
        metadata=option_info(
            f"File to write, repeatable: {KNOWN_SUFFIXES}. An .svg is animated.",
            "FILE",
            flags="-o --output",
        ),
    )
    sheet: OutputFile | None = field(
        default=None,
        converter=optional(_to_sheet),
        metadata=option_info(f"File for a contact sheet of still frames: {KNOWN_STILLS}.", "FILE"),
    )
    still: OutputFile | None = field(
        default=None,
        converter=optional(_to_still),
        metadata=option_info(f"File for a single frame, the last: {KNOWN_STILLS}.", "FILE"),
    )
    canvas: Canvas | None = field(
        default=None,
        converter=optional(to_canvas),
        metadata={**attrs.fields(FrameOptions).canvas.metadata},
    )
    overwrite: bool = flag_option(True, "Overwrite existing files.")

    @property
    def files(self) -> tuple[tuple[OutputFile, Mapping[str, Kinds]], ...]:
        """All files with the tables of the options that they can have; films come first."""
        films = ((file, FILM_OPTIONS) for file in self.output)
        others = (self.still, STILL_OPTIONS), (self.sheet, SHEET_OPTIONS)
        return (*films, *((file, table) for file, table in others if file is not None))

    @property
    def paths(self) -> tuple[Path, ...]:
        """The paths of ``output``, without options."""
        return tuple(file.path for file in self.output)


def distribute_look(theme: attrs.AttrsInstance, outputs: Outputs) -> tuple[dict[str, Any], Outputs]:
    """Return the look of a film, and the outputs with those options of ``theme`` that they have.

    Options of outputs that are not the defaults move to each output that can have them.
    """
    changed = non_default_values(theme)
    look = {name: value for name, value in changed.items() if name not in OUTPUT_OPTIONS}

    def add_options(file: OutputFile, table: Mapping[str, Kinds]) -> OutputFile:
        known = {name: changed[name] for name in file.known_options(table) if name in changed}
        return attrs.evolve(file, own={**known, **file.own})

    films = [add_options(file, FILM_OPTIONS) for file in outputs.output]
    still = outputs.still and add_options(outputs.still, STILL_OPTIONS)
    sheet = outputs.sheet and add_options(outputs.sheet, SHEET_OPTIONS)
    outputs = attrs.evolve(outputs, output=films, still=still, sheet=sheet)
    if not any("canvas" in file.own for file, _ in outputs.files):
        # It shapes the board, even if no output shows it.
        outputs = attrs.evolve(outputs, canvas=changed.get("canvas", outputs.canvas))
    return look, outputs


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
