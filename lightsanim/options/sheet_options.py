"""The options of a worksheet."""

from collections.abc import Mapping
from typing import get_args

from attrs import field, frozen
from attrs.converters import optional

from lightsanim.errors import OptionError
from .checks import find_hidden_character, quote_value, require_keys
from .choices import Answers, Difficulty, Paper, PuzzleName
from .declare import (
    choice_option,
    custom_option,
    flag_option,
    group_transformer,
    integer_option,
    option_info,
)
from .page_words import LANGUAGES, PageWords, english_words, normalize_nfc, to_page_words
from .records import non_default_values
from .values import Size, Span, to_size, to_span

MAX_PUZZLES = 1000
MAX_TITLE = 100
# Texts of all sheets, and of those of related puzzles.
OF_ALL_SHEETS = ("sheet.name", "sheet.answers", "sheet.seed")
OF_PUZZLES = ("sheet.given", "sheet.only_answer", "sheet.queens_title")
TITLES: Mapping[str, str] = require_keys(
    get_args(PuzzleName),
    {
        "abbott": "abbott.title",
        "queens": "sheet.queens_title",
        "submarines": "clues.submarines_title",
        "ashes": "clues.ashes_title",
    },
)


def _check_title(name: str, value: str) -> str:
    title = normalize_nfc(value)
    if not isinstance(title, str) or len(title) > MAX_TITLE:
        actual = len(title) if isinstance(title, str) else quote_value(title)
        raise OptionError(
            f"{name} must be a text of at most {MAX_TITLE} characters, not {actual}", name
        )
    if hidden := find_hidden_character(title):
        raise OptionError(f"{name} must be printable; leave out {hidden}", name)
    return title


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
    language: PageWords | None = field(
        default=None,
        converter=optional(to_page_words),
        metadata=option_info(
            f"Language of the texts: {', '.join(LANGUAGES)}, or a .toml file with your own.",
            "NAME",
            unset="English",
        ),
    )

    def __attrs_post_init__(self) -> None:
        puzzle = self.puzzle
        if puzzle and self.clicks is not None:
            raise OptionError(f"clicks does not apply to {puzzle}; use difficulty", "clicks")
        if not puzzle and self.difficulty is not None:
            raise OptionError("difficulty needs puzzle; for Lights Out, use clicks", "difficulty")
        if puzzle and "title" not in non_default_values(self):
            words = self.language or english_words()
            object.__setattr__(self, "title", words.text(TITLES[puzzle]))

    def missing_texts(self) -> list[str]:
        """Return the names of the texts that stay English; none if nothing is translated."""
        missing = [] if self.language is None else self.language.missing_on("sheet")
        if self.puzzle is not None:
            used = (*OF_ALL_SHEETS, *OF_PUZZLES, f"sheet.{self.puzzle}_task")
            return [name for name in missing if name in used]
        unused = (*OF_PUZZLES, *(f"sheet.{kind}_task" for kind in get_args(PuzzleName)))
        return [name for name in missing if name not in unused]
