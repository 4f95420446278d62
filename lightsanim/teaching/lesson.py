"""A page that teaches how to turn every light off: one file, no network.

Its boards are films of `lightsanim.formats.page` without clicks, painted by the player's script.
What the page says of a board is worked out here, when it is written.  For what the bottom row
tells, all sets of clicks in the top row are tried: at most 4,096, or with three levels 531,441.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lightsanim.animation.animate import animate
from lightsanim.animation.board_choice import build_board
from lightsanim.board.board import Board
from lightsanim.errors import OptionError
from lightsanim.formats.page import build_page_film, neighbourhood_diagram
from lightsanim.look.levels import Lights
from lightsanim.look.theme import Theme
from lightsanim.options.checks import check_choice
from lightsanim.options.choices import Levels
from lightsanim.options.outputs import Outputs
from lightsanim.options.page_words import PageWords, WordsLike, to_page_words
from lightsanim.options.settings import Settings
from lightsanim.options.stages import Timing
from lightsanim.options.stencils import STENCILS
from lightsanim.options.values import SizeLike
from lightsanim.saving.atomic import write_files_together
from lightsanim.saving.output_files import PAGE, check_outputs, output_files_by_suffix
from lightsanim.web.templating import load_templates

# Cells a side: with fewer there is nothing to chase, with more the tables fill no page.
MIN_SIDE, MAX_SIDE = 3, 12

# Quiet patterns up to this nullity are all shown; of more, a basis.
MAX_LISTED_NULLITY = 2

# Bottom rows that are shown each; of more only those that all others are sums of.
MAX_LISTED_ROWS = 15

# Solutions of one start that are drawn, and quiet patterns that these are looked for with.
MAX_SOLUTIONS, MAX_COMBINED = 4, 8

# Clicks that the first start needs at most, and the levels that cells can have.
START_CLICKS, LEVELS = 3, (2, 3)

SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def write_lesson(
    output: str | Path | Iterable[str | Path],
    size: SizeLike = "5x5",
    *,
    levels: Levels = 2,
    rule: str = "plus",
    words: WordsLike = None,
    overwrite: bool = True,
) -> None:
    """Write a page that teaches the game on boards that one can click.

    It shows what a click does, light chasing step by step, what the bottom row tells, quiet
    patterns and how they add up, why a start has so many solutions or none, and other rules.

    Args:
        output: the file, ``.html``, or several.
        size: COLUMNSxROWS of its boards, 3 to 12 a side.
        levels: how many states a cell has, 2 or 3.
        rule: what a click flips, by its name; lights are chased with plus and ring alone.
        words: the language of the page: ``"de"``, ``"es"``, ``"fr"``, ``"pl"``, the path of a TOML
            file, or texts by section and name; None for English.
        overwrite: whether files that exist may be replaced.

    Raises:
        OptionError: for another size, level, rule or suffix.
        OutputError: if a file cannot be written.
    """
    files = output_files_by_suffix(Outputs(output=output).output, [PAGE], overwrite=overwrite)
    check_outputs(files)
    page = lesson_page(size, levels=levels, rule=rule, words=words).encode()
    write_files_together(dict.fromkeys(files.all_paths, page), overwrite=overwrite)


def lesson_page(
    size: SizeLike = "5x5", *, levels: Levels = 2, rule: str = "plus", words: WordsLike = None
) -> str:
    """Return the page as text."""
    board, words = _make_board(size, levels, rule), to_page_words(words)
    rng = np.random.default_rng(board.cells)
    # Rows are chased where a click changes one cell of the row above it and of none further up.
    is_chased = [offset for offset in board.offsets() if offset[0] < 0] == [(-1, 0)]
    rows = bottom_rows(board) if is_chased else None
    patterns, off = _quiet_patterns(board), np.zeros(board.shape, board.reference.dtype)
    clicks, lights = off.copy(), _draw_lights(board, rng)
    clicks.flat[rng.choice(board.cells, START_CLICKS, replace=False)] = 1
    start = board.subtract(off, board.toggles(clicks))
    # One that chasing alone does not turn off, and one that nothing does, if there are such.
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
    template = load_templates("lightsanim.teaching", "lightsanim.web").get_template(
        "lesson.html.j2"
    )
    return template.render(
        lesson=lesson,
        film=films[LEVELS.index(board.levels)],
        board=board,
        rows=rows,
        patterns=patterns,
        start=start,
        solutions=_smallest_solutions(board, start),
        diagrams={
            rule: neighbourhood_diagram(Board(3, 3, rule=rule).offsets()) for rule in STENCILS
        },
        cells=words.text(f"rules.{board.rule}"),
        power=f"{board.levels}{str(board.cells).translate(SUPERSCRIPTS)}",
        solvability=_describe_solvability(board, words),
        t=words.text,
        texts=words.script_texts("lesson"),
    )


def _make_board(size: SizeLike, levels: Levels, rule: str) -> Board:
    board = build_board(size, Settings(levels=levels, rule=rule))
    check_choice("levels of a lesson", board.levels, LEVELS)
    check_choice("rule of a lesson", board.rule, STENCILS)
    if not all(MIN_SIDE <= side <= MAX_SIDE for side in board.shape):
        raise OptionError(
            f"a lesson has boards of {MIN_SIDE} to {MAX_SIDE} cells a side, "
            f"not {board.columns}x{board.rows}"
        )
    return board


class BottomRowCorrection(NamedTuple):
    """What mends a bottom row: after these clicks in the top row, chasing ends with no light."""

    bottom: tuple[int, ...]  # the levels of the bottom row when all other rows are dark
    top: tuple[int, ...]  # how often to click each cell of the top row


@dataclass(frozen=True)
class BottomRows:
    """The bottom rows that can be mended."""

    # Where they are not all, the first light of each bottom row is dim and in no other, and what
    # can be mended is just the sums of these bottom rows.
    corrections: list[BottomRowCorrection]
    count: int  # how many there are in all, without the dark one
    all_listed: bool  # whether `corrections` has each of them


def bottom_rows(board: Board) -> BottomRows:
    """The bottom rows that can be mended on a plain board that can be chased.

    Of several sets of clicks that mend a bottom row the smallest is taken.

    >>> bottom_rows(Board(5, 5)).corrections[0]
    BottomRowCorrection(bottom=(1, 1, 1, 0, 0), top=(0, 1, 0, 0, 0))
    """
    tops, bottoms = _find_bottom_row_corrections(board)
    count = len(tops) - 1
    if count > MAX_LISTED_ROWS:
        # For each column in which one begins, the one that has 1 there and 0 in other such columns.
        starts = np.unique((bottoms[1:] > 0).argmax(axis=1))
        selected = bottoms[:, starts].sum(axis=1) == 1
    else:
        selected = bottoms.any(axis=1)
    pairs = zip(bottoms[selected].tolist(), tops[selected].tolist(), strict=True)
    cards = sorted(
        (BottomRowCorrection(tuple(bottom), tuple(top)) for bottom, top in pairs), reverse=True
    )
    return BottomRows(cards, count, len(cards) == count)


def _find_bottom_row_corrections(board: Board) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    # Top rows, and the bottom rows that they mend, each once; the first is dark.
    columns, levels = board.columns, board.levels
    tops = np.indices((levels,) * columns, np.uint8).reshape(columns, -1).T
    tops = tops[np.argsort(tops.sum(axis=1), kind="stable")]
    left = [_chase_lights(board, board.neighbourhood(0, column))[-1] for column in range(columns)]
    bottoms = (tops @ np.array(left, np.uint8) * np.uint8(levels - 1)) % np.uint8(levels)
    _, first = np.unique(bottoms @ levels ** np.arange(columns), return_index=True)
    return tops[first], bottoms[first]


def _chase_lights(board: Board, lights: Lights) -> Lights:
    # What light chasing leaves: (rows, columns), dark but for the bottom row.
    for row in range(board.rows - 1):
        clicks = np.zeros_like(lights)
        clicks[row + 1] = lights[row]
        lights = board.subtract(lights, board.toggles(clicks))
    return lights


def _quiet_patterns(board: Board) -> list[Lights]:
    # With two levels all up to a nullity of 2, else a basis.
    basis = list(board.quiet_patterns())
    if len(basis) == MAX_LISTED_NULLITY and board.levels == 2:
        basis = sorted([*basis, basis[0] ^ basis[1]], key=lambda pattern: int(pattern.sum()))
    return basis


def _draw_lights(board: Board, rng: np.random.Generator) -> Iterator[Lights]:
    while True:
        lights = np.floor(board.levels * rng.random(board.shape))
        yield (board.levels - 1 - lights).astype(board.reference.dtype)


def _smallest_solutions(board: Board, start: Lights) -> list[Lights]:
    # Of some the smallest, at most four.
    solutions = [board.clicks_between(start, np.zeros_like(start))]
    for pattern in islice(board.quiet_patterns(), MAX_COMBINED):
        shifted = solutions
        for _ in range(board.levels - 1):
            shifted = [board.add(clicks, pattern) for clicks in shifted]
            solutions = solutions + shifted
    return sorted(solutions, key=board.count)[:MAX_SOLUTIONS]


def _build_lesson_film(board: Board, levels: int, first: Lights) -> Mapping[str, Any]:
    # A board of some levels to click on, as players show it.
    board = replace(board, levels=levels)
    lights = np.minimum(first, levels - 1).astype(board.reference.dtype)
    return build_page_film(
        animate(board, lights, [(np.zeros(0, np.int32), None)], Timing()), Theme()
    )


def _describe_game(board: Board, rule: str, words: PageWords) -> Mapping[str, Any]:
    # What a click flips, and what is known of that with two states and with three.
    boards = [replace(board, rule=rule, levels=levels) for levels in LEVELS]
    return {
        "offsets": boards[0].offsets(),
        "ways": [_describe_solvability(board, words) for board in boards],
    }


def _describe_solvability(board: Board, words: PageWords) -> str:
    # How many starts can be turned off, and in how many ways.
    if not board.nullity:
        return words.text("lesson.one_way")
    total = board.levels**board.nullity
    return words.text("lesson.many_ways", k=board.nullity, patterns=total - 1, n=total)


def _lights_to_digits(lights: Lights) -> str:
    # Of each cell its level, or how often it is clicked.
    return "".join(map(str, lights.astype(int).ravel().tolist()))
