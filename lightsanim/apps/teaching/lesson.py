"""Build a web page that teaches how to turn every light off; it is one file and works offline.

The player's script paints the boards of the page, which are films without clicks, as in
`formats/page.py`.  This module computes what the page says about the board.  For the table of
bottom rows it tries all click sets in the top row: at most 4,096, or 531,441 with three levels.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lightsanim.board_choice import build_board
from lightsanim.errors import OptionError
from lightsanim.film.animate import animate
from lightsanim.film.clicks import Clicks
from lightsanim.game.board.board import Board
from lightsanim.game.levels import Lights
from lightsanim.options.checks import check_choice
from lightsanim.options.choices import Levels
from lightsanim.options.outputs import PAGE_OPTIONS, OutputLike, Outputs
from lightsanim.options.page_words import PageWords, WordsLike, to_page_words
from lightsanim.options.stages import BoardOptions, Timing
from lightsanim.options.stencils import STENCILS
from lightsanim.options.values import SizeLike
from lightsanim.output.formats.page import build_page_film, neighbourhood_diagram
from lightsanim.output.look.theme import Theme
from lightsanim.output.saving.atomic import write_files_together
from lightsanim.output.saving.output_files import OutputFiles, check_outputs
from lightsanim.web.templating import load_templates

# Cells a side: smaller boards leave nothing to chase, larger ones make the tables too long.
MIN_SIDE, MAX_SIDE = 3, 12
# Up to this nullity, the page shows all quiet patterns, and above it only a basis.
MAX_LISTED_NULLITY = 2
# Up to this many bottom rows, the page shows each of them, and above it only a basis.
MAX_LISTED_ROWS = 15
# Maximum number of solutions that the page draws for a start.
MAX_SOLUTIONS = 4
# Maximum number of quiet patterns that are combined to find small solutions.
MAX_COMBINED = 8
# Number of random clicks that make the first start, which needs no more clicks to be turned off.
START_CLICKS = 3
# Supported numbers of levels.
LEVELS = (2, 3)
SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def write_lesson(
    output: OutputLike | Iterable[OutputLike],
    size: SizeLike = "5x5",
    *,
    levels: Levels = 2,
    rule: str = "plus",
    language: WordsLike = None,
    overwrite: bool = True,
) -> None:
    """Write a page that teaches the game with boards that readers can click.

    It explains clicks, light chasing step by step, how the top row corrects the bottom row, quiet
    patterns and their sums, the number of solutions of a start, and other rules.

    Args:
        output: the path of an ``.html`` file, or several paths.
        size: COLUMNSxROWS of its boards, 3 to 12 cells a side.
        levels: the number of states of a cell, 2 or 3.
        rule: the name of a rule; the part on light chasing needs plus or ring.
        language: the language of the page: ``"de"``, ``"es"``, ``"fr"``, ``"pl"``, the path of a
            TOML file, or texts by section and name; None for English.
        overwrite: whether existing files may be replaced.

    Raises:
        OptionError: for a size, number of levels, rule or suffix that a lesson cannot have.
        OutputError: if a file cannot be written.
    """
    files = OutputFiles.by_suffix(Outputs(output=output, overwrite=overwrite), PAGE_OPTIONS)
    check_outputs(files)
    make_page = partial(lesson_page, size, levels=levels, rule=rule)
    languages = {path: own.get("language", language) for path, own in files.own.items()}
    pages = {path: make_page(language=chosen).encode() for path, chosen in languages.items()}
    write_files_together(pages, overwrite=overwrite)


def lesson_page(
    size: SizeLike = "5x5", *, levels: Levels = 2, rule: str = "plus", language: WordsLike = None
) -> str:
    """Return the HTML of a lesson page."""
    board, words = _make_board(size, levels, rule), to_page_words(language)
    rng = np.random.default_rng(board.cells)
    # Chasing works if a click changes one cell of the row above it and none further up.
    is_chased = [offset for offset in board.offsets() if offset[0] < 0] == [(-1, 0)]
    rows = bottom_rows(board) if is_chased else None
    patterns, off = _quiet_patterns(board), np.zeros(board.shape, board.reference.dtype)
    clicks, lights = off.copy(), _draw_lights(board, rng)
    clicks.flat[rng.choice(board.cells, START_CLICKS, replace=False)] = 1
    start = board.subtract(off, board.toggles(clicks))
    # Choose a start that chasing alone does not solve, and one without a solution, if they exist.
    starts, is_fixable = map(board.toggles, lights), bool(rows and rows.count)
    to_chase = next(grid for grid in starts if not is_fixable or _chase_lights(board, grid).any())
    unsolvable = next(grid for grid in lights if not (board.nullity and board.is_accessible(grid)))
    films = [_build_lesson_film(board, levels, start) for levels in LEVELS]
    lesson = {
        "films": films,
        "states": LEVELS.index(board.levels),
        "games": [_describe_game(board, rule, words) for rule in STENCILS],
        "few": START_CLICKS,
        "chased": _lights_to_digits(to_chase),
        "counted": _lights_to_digits(unsolvable),
        "listed": rows and rows.all_listed,
        "cards": rows.corrections if rows else [],
        "patterns": [_lights_to_digits(pattern) for pattern in patterns],
    }
    templates = load_templates("lightsanim.apps.teaching", "lightsanim.web")
    return templates.get_template("lesson.html.j2").render(
        lesson=lesson,
        film=films[LEVELS.index(board.levels)],
        board=board,
        rows=rows,
        patterns=patterns,
        start=start,
        solutions=_smallest_solutions(board, start),
        diagrams={r: neighbourhood_diagram(Board(3, 3, rule=r).offsets()) for r in STENCILS},
        cells=words.text(f"rules.{board.rule}"),
        power=f"{board.levels}{str(board.cells).translate(SUPERSCRIPTS)}",
        solvability=_describe_solvability(board, words),
        t=words.text,
        texts=words.script_texts("lesson"),
    )


def _make_board(size: SizeLike, levels: Levels, rule: str) -> Board:
    board = build_board(size, BoardOptions(levels=levels, rule=rule))
    check_choice("levels of a lesson", board.levels, LEVELS)
    check_choice("rule of a lesson", board.rule, STENCILS)
    if not all(MIN_SIDE <= side <= MAX_SIDE for side in board.shape):
        raise OptionError(
            f"the size of a lesson must be {MIN_SIDE} to {MAX_SIDE} cells a side, "
            f"not {board.columns}x{board.rows}"
        )
    return board


class BottomRowCorrection(NamedTuple):
    """Clicks in the top row after which chasing turns off the lights of a given bottom row."""

    bottom: tuple[int, ...]  # Levels of the bottom row while all other rows are dark.
    top: tuple[int, ...]  # Number of clicks on each cell of the top row.


@dataclass(frozen=True)
class BottomRows:
    """The bottom rows that clicks in the top row can correct."""

    # All corrections, or a basis in reduced echelon form, whose sums are the correctable rows.
    corrections: list[BottomRowCorrection]
    count: int  # Number of correctable bottom rows, without the dark one.
    all_listed: bool  # Whether `corrections` holds all of them.


def bottom_rows(board: Board) -> BottomRows:
    """Return the bottom rows that clicks in the top row can correct, each with the fewest clicks.

    The board must not wrap, and its rule must allow light chasing.
    """
    tops, bottoms = _find_bottom_row_corrections(board)
    count = len(tops) - 1
    if count > MAX_LISTED_ROWS:
        # Keep the basis rows: 1 in their own pivot column, 0 in the pivot columns of the others.
        starts = np.unique((bottoms[1:] > 0).argmax(axis=1))
        selected = bottoms[:, starts].sum(axis=1) == 1
    else:
        selected = bottoms.any(axis=1)
    pairs = zip(bottoms[selected].tolist(), tops[selected].tolist(), strict=True)
    cards = [BottomRowCorrection(tuple(bottom), tuple(top)) for bottom, top in pairs]
    return BottomRows(sorted(cards, reverse=True), count, len(cards) == count)


def _find_bottom_row_corrections(board: Board) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    # Return click sets of the top row, and the bottom rows that they correct; the first are all 0.
    columns, levels = board.columns, board.levels
    tops = np.indices((levels,) * columns, np.uint8).reshape(columns, -1).T
    tops = tops[np.argsort(tops.sum(axis=1), kind="stable")]
    left = [_chase_lights(board, board.neighbourhood(0, column))[-1] for column in range(columns)]
    bottoms = (tops @ np.array(left, np.uint8) * np.uint8(levels - 1)) % np.uint8(levels)
    _, first = np.unique(bottoms @ levels ** np.arange(columns), return_index=True)
    return tops[first], bottoms[first]


def _chase_lights(board: Board, lights: Lights) -> Lights:
    # Chase the lights, and return what remains; only cells of the bottom row can still be lit.
    for row in range(board.rows - 1):
        clicks = np.zeros_like(lights)
        clicks[row + 1] = lights[row]
        lights = board.subtract(lights, board.toggles(clicks))
    return lights


def _quiet_patterns(board: Board) -> list[Lights]:
    # Return all quiet patterns for two levels and nullity 2, else a basis.
    basis = list(board.quiet_patterns())
    if len(basis) == MAX_LISTED_NULLITY and board.levels == 2:
        basis = sorted([*basis, basis[0] ^ basis[1]], key=lambda pattern: int(pattern.sum()))
    return basis


def _draw_lights(board: Board, rng: np.random.Generator) -> Iterator[Lights]:
    while True:
        lights = np.floor(board.levels * rng.random(board.shape))
        yield (board.levels - 1 - lights).astype(board.reference.dtype)


def _smallest_solutions(board: Board, start: Lights) -> list[Lights]:
    # Return up to four solutions with few clicks.
    solutions = [board.clicks_between(start, np.zeros_like(start))]
    for pattern in islice(board.quiet_patterns(), MAX_COMBINED):
        shifted = solutions
        for _ in range(board.levels - 1):
            shifted = [board.add(clicks, pattern) for clicks in shifted]
            solutions = solutions + shifted
    return sorted(solutions, key=board.count)[:MAX_SOLUTIONS]


def _build_lesson_film(board: Board, levels: int, first: Lights) -> Mapping[str, Any]:
    # Return a board with this number of levels, as film data for the player's script.
    board = replace(board, levels=levels)
    lights = np.minimum(first, levels - 1).astype(board.reference.dtype)
    still = animate(board, lights, [Clicks(np.zeros(0, np.int32))], Timing())
    film = build_page_film(still, Theme())
    return {name: film[name] for name in film if name != "sha256"}  # Nothing checks the page.


def _describe_game(board: Board, rule: str, words: PageWords) -> Mapping[str, Any]:
    # Return the offsets of a rule, and a sentence about solvability for two and for three levels.
    boards = [replace(board, rule=rule, levels=levels) for levels in LEVELS]
    return {
        "offsets": boards[0].offsets(),
        "ways": [_describe_solvability(board, words) for board in boards],
    }


def _describe_solvability(board: Board, words: PageWords) -> str:
    # Return a sentence that says how many starts are solvable, and how many solutions they have.
    name = "lesson.many_ways" if board.nullity else "lesson.one_way"
    return words.text(name, k=board.nullity, n=board.levels**board.nullity)


def _lights_to_digits(lights: Lights) -> str:
    # Return one digit per cell: its level, or the number of clicks on it.
    return "".join(map(str, lights.astype(int).ravel().tolist()))
