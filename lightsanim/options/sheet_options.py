"""The options of a worksheet, and the words on it, for sheets in other languages than English."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from unicodedata import normalize

from attrs import field, frozen
from attrs.converters import optional

from lightsanim.errors import OptionError
from lightsanim.options.checks import (
    check_path,
    find_hidden_character,
    quote_value,
    read_toml,
    unknown_names_error,
)
from lightsanim.options.choices import Answers, Difficulty, Paper, PuzzleName, puzzle_title
from lightsanim.options.declare import (
    Field,
    choice_option,
    flag_option,
    group_transformer,
    integer_option,
    option_info,
)
from lightsanim.options.records import non_default_values
from lightsanim.options.values import Size, Span, to_size, to_span

MAX_PUZZLES = 1000
MAX_TITLE = 100

# What can be said otherwise: two texts, and words that stand in a line.
LONG_TEXTS = ("task", "solution")
WORDS = (*LONG_TEXTS, "off", "on", "name", "answers", "fewest", "given", "mine", "clicks", "seed")

# Characters, at most.
MAX_TEXT_LENGTH, MAX_WORD_LENGTH = 600, 40


def to_sheet_words(value: str | Path | Mapping[str, str]) -> dict[str, str]:
    """Words by their names, given so or as the path of a TOML file.

    >>> to_sheet_words({"name": "Imi\\u0119"})
    {'name': 'Imi\u0119'}
    >>> to_sheet_words({"nmae": "Imi\\u0119"})
    Traceback (most recent call last):
    ...
    lightsanim.errors.OptionError: words: unknown word 'nmae'; did you mean name? known: task, ...
    """
    words = value if isinstance(value, Mapping) else read_toml(check_path("words", value))
    source = "words" if isinstance(value, Mapping) else str(value)
    for problem in unknown_names_error("word", words, WORDS):
        mark = "" if problem.endswith("?") else ";"
        raise OptionError(f"{source}: {problem}{mark} known: {', '.join(WORDS)}", "words")
    return {name: _check_sheet_word(source, name, words[name]) for name in words}


def normalize_nfc(text: str) -> str:
    """A text with letters and their accents in one, as fonts have them.

    >>> len("z\u0301"), len(normalize_nfc("z\u0301"))
    (2, 1)
    """
    return normalize("NFC", text) if isinstance(text, str) else text


def _check_sheet_word(source: str, name: str, value: object) -> str:
    line = normalize_nfc(" ".join(value.split())) if isinstance(value, str) else ""
    max_length = MAX_TEXT_LENGTH if name in LONG_TEXTS else MAX_WORD_LENGTH
    if hidden := find_hidden_character(line):
        raise OptionError(f"{source}: {name} must be printed; leave out {hidden}", "words")
    if not isinstance(value, str) or len(line) > max_length:
        expected = f"{name} must be a text of at most {max_length} characters"
        raise OptionError(f"{source}: {expected}, not {quote_value(value)}", "words")
    return line


def _check_title(options: object, field: Field, value: Any) -> None:
    if isinstance(value, str) and (hidden := find_hidden_character(value)):
        raise OptionError(f"{field.name} must be printed; leave out {hidden}", field.name)
    if not isinstance(value, str) or len(value) > MAX_TITLE:
        actual = f"one of {len(value)}" if isinstance(value, str) else quote_value(value)
        expected = f"be a line of at most {MAX_TITLE} characters"
        raise OptionError(f"{field.name} must {expected}, not {actual}", field.name)


@frozen(kw_only=True, slots=False, field_transformer=group_transformer("Paper"))
class SheetOptions:
    """The puzzles of a worksheet, and the paper that they stand on."""

    puzzle: PuzzleName | None = choice_option(
        None, "A relative, with some cells given", group="Board", unset="Lights Out"
    )
    size: Size = field(
        default=Size(columns=5, rows=5),
        converter=to_size,
        metadata=option_info("COLUMNSxROWS; COLUMNS alone is a square.", "SIZE", group="Board"),
    )
    count: int = integer_option(6, (1, MAX_PUZZLES), "How many puzzles.", "N", group="Clicks")
    clicks: Span | None = field(
        default=None,
        converter=optional(to_span),
        metadata=option_info(
            "How many the puzzles need at least: FIRST..LAST, in even steps, or N for all.",
            "SPAN",
            group="Clicks",
            unset="3..12, or less where the board is small",
        ),
    )
    difficulty: Difficulty | None = choice_option(
        None, "Of a relative", group="Clicks", unset="from easy to hard"
    )
    title: str = field(
        default="Lights Out",
        converter=normalize_nfc,
        validator=_check_title,
        metadata=option_info("At the top of each page; without it, a relative's name.", "TEXT"),
    )
    paper: Paper = choice_option("a4", "Size of the pages")
    per_page: int | None = integer_option(
        None,
        (1, MAX_PUZZLES),
        "Puzzles on a page.",
        "N",
        unset="as many as leave room to write in the cells",
    )
    answers: Answers = choice_option(
        "after", "Where they stand, on pages at the end or in a file of their own"
    )
    fewest: bool = flag_option(True, "Tell of each puzzle how many clicks it needs.")
    words: Mapping[str, str] | None = field(
        default=None,
        converter=optional(to_sheet_words),
        metadata=option_info(
            f"A .toml file of words on the sheet: {', '.join(WORDS)}.", "FILE", unset="English"
        ),
    )

    def __attrs_post_init__(self) -> None:
        puzzle = self.puzzle
        if puzzle and self.clicks is not None:
            raise OptionError(f"clicks is for Lights Out; for {puzzle} take difficulty", "clicks")
        if not puzzle and self.difficulty is not None:
            message = "difficulty is for a puzzle; for Lights Out take clicks"
            raise OptionError(message, "difficulty")
        if puzzle and "title" not in non_default_values(self):
            object.__setattr__(self, "title", puzzle_title(puzzle))
