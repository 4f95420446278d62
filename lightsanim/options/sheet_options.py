"""The options of a worksheet, and its words, which can be translated."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import get_args
from unicodedata import normalize

from attrs import field, frozen
from attrs.converters import optional

from lightsanim.errors import OptionError
from .checks import check_path, find_hidden_character, quote_value, read_toml, unknown_names_error
from .choices import Answers, Difficulty, Paper, PuzzleName
from .declare import (
    choice_option,
    custom_option,
    flag_option,
    group_transformer,
    integer_option,
    option_info,
)
from .records import non_default_values
from .values import Size, Span, to_size, to_span

MAX_PUZZLES = 1000
MAX_TITLE = 100
# Names of the words that can be translated: on all sheets, on those of Lights Out, and on others.
SHARED_WORDS = ("name", "answers", "seed")
LIGHTS_OUT_WORDS = ("task", "solution", "off", "on", "fewest", "mine", "clicks")
TASKS: Mapping[str, str] = {puzzle: f"{puzzle}_task" for puzzle in get_args(PuzzleName)}
PUZZLE_WORDS = ("puzzle_solution", "given")
WORDS = (*LIGHTS_OUT_WORDS, *TASKS.values(), *PUZZLE_WORDS, *SHARED_WORDS)
LONG_TEXTS = ("task", "solution", *TASKS.values(), "puzzle_solution")
COUNTS = ("solution", "fewest", "given", "clicks", "seed")  # The words that contain {count}.
# Maximum lengths of each long text and of each other word, in characters.
MAX_TEXT_LENGTH, MAX_WORD_LENGTH = 600, 40
PLACEHOLDER = re.compile(r"\{(\w+)\}")


def to_sheet_words(value: str | Path | Mapping[str, str]) -> dict[str, str]:
    """Read translated words by name from a mapping or a TOML file, and check them."""
    if not isinstance(value, Mapping) and not check_path("language", value).suffix:
        flaw = f"language of a worksheet must be a .toml file, not '{value}'"
        raise OptionError(flaw, "language")
    words = value if isinstance(value, Mapping) else read_toml(check_path("language", value))
    source = "language" if isinstance(value, Mapping) else str(value)
    for problem in unknown_names_error("word", words, WORDS):
        mark = "" if problem.endswith("?") else ";"
        raise OptionError(f"{source}: {problem}{mark} known: {', '.join(WORDS)}", "language")
    lines = {}
    for name, word in words.items():
        line = normalize_nfc(" ".join(word.split())) if isinstance(word, str) else word
        max_length = MAX_TEXT_LENGTH if name in LONG_TEXTS else MAX_WORD_LENGTH
        lines[name] = _check_text(f"{source}: {name}", line, max_length, "language")
        allowed = ["count"] if name in COUNTS else []
        for unknown in sorted(set(PLACEHOLDER.findall(lines[name])).difference(allowed)):
            problem = f"{source}: {name} has an unknown placeholder {{{unknown}}}"
            remedy = "use {count}" if allowed else "this text has no placeholders"
            raise OptionError(f"{problem}; {remedy}", "language")
    return lines


def normalize_nfc(text: str) -> str:
    """Combine letters and their accents into single characters, as fonts expect."""
    return normalize("NFC", text) if isinstance(text, str) else text


def _check_text(name: str, text: object, max_length: int, option: str) -> str:
    if not isinstance(text, str) or len(text) > max_length:
        actual = len(text) if isinstance(text, str) else quote_value(text)
        expected = f"be a text of at most {max_length} characters"
        raise OptionError(f"{name} must {expected}, not {actual}", option)
    if hidden := find_hidden_character(text):
        raise OptionError(f"{name} must be printable; leave out {hidden}", option)
    return text


def _check_title(name: str, value: str) -> str:
    return _check_text(name, normalize_nfc(value), MAX_TITLE, name)


@frozen(kw_only=True, slots=False, field_transformer=group_transformer("Paper"))
class SheetOptions:
    """The puzzles and the paper of a worksheet."""

    puzzle: PuzzleName | None = choice_option(
        None, "Kind of puzzle", group="Board", unset="Lights Out"
    )
    size: Size = field(
        default=Size(columns=5, rows=5),
        converter=to_size,
        metadata=option_info("Size in cells: COLUMNSxROWS, or 5 for 5x5.", "SIZE", group="Board"),
    )
    count: int = integer_option(6, (1, MAX_PUZZLES), "Number of puzzles.", "N", group="Clicks")
    clicks: Span | None = field(
        default=None,
        converter=optional(to_span),
        metadata=option_info(
            "Clicks that puzzles need: FIRST..LAST, rising from puzzle to puzzle, or N for all.",
            "SPAN",
            group="Clicks",
            unset="3..12, or fewer on small boards",
        ),
    )
    difficulty: Difficulty | None = choice_option(
        None, "Difficulty, only with --puzzle", group="Clicks", unset="from easy to hard"
    )
    title: str = custom_option(
        _check_title,
        "Lights Out",
        "Title of each page; with --puzzle, the default is the puzzle's name.",
        "TEXT",
    )
    paper: Paper = choice_option("a4", "Paper size")
    per_page: int | None = integer_option(
        None, (1, MAX_PUZZLES), "Puzzles per page.", "N", unset="as many as leave room to write"
    )
    answers: Answers = choice_option(
        "after", "Place of the answers (after: on the last pages; apart: in a second file)"
    )
    fewest: bool = flag_option(True, "Print the number of clicks that each puzzle needs.")
    language: Mapping[str, str] | None = field(
        default=None,
        converter=optional(to_sheet_words),
        metadata=option_info(
            f"TOML file that translates the words {', '.join(WORDS)}.", "FILE", unset="English"
        ),
    )

    def __attrs_post_init__(self) -> None:
        puzzle = self.puzzle
        if puzzle and self.clicks is not None:
            raise OptionError(f"clicks does not apply to {puzzle}; use difficulty", "clicks")
        if not puzzle and self.difficulty is not None:
            raise OptionError("difficulty needs puzzle; for Lights Out, use clicks", "difficulty")
        if puzzle and "title" not in non_default_values(self):
            title = "The Abbott\u2019s Window" if puzzle == "abbott" else puzzle.capitalize()
            object.__setattr__(self, "title", title)

    def missing_words(self) -> list[str]:
        """Return the names of the words that stay English; none if nothing is translated."""
        own = (TASKS[self.puzzle], *PUZZLE_WORDS) if self.puzzle else LIGHTS_OUT_WORDS
        used = (*own, *SHARED_WORDS) if self.language is not None else ()
        return [name for name in used if name not in (self.language or {})]
