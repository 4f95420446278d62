"""A page that teaches how to turn every light off: one file, no network.

Its boards are films of `lightsanim.formats.page` without clicks, painted by the player's script.
What the page says of a board is worked out here, when it is written.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from lightsanim.algebra.linear import Bits
from lightsanim.animation.animate import animate
from lightsanim.animation.film_board import board_of
from lightsanim.board.board import Board
from lightsanim.board.levels import Lights
from lightsanim.board.rule import rule_of
from lightsanim.errors import OptionError
from lightsanim.formats.output_files import PAGE, check_outputs, files_by_suffix
from lightsanim.formats.page import diagram_of, film_of
from lightsanim.formats.replacing import write_all
from lightsanim.lessons.bottom_rows import BottomRows, bottom_rows
from lightsanim.look.theme import Theme
from lightsanim.options.stencils import STENCILS
from lightsanim.options.table import Outputs, Settings, Timing
from lightsanim.options.values import SizeLike
from lightsanim.solve.chase import chase
from lightsanim.web.pages import pages

# Cells a side: with fewer there is nothing to chase, with more the tables fill no page.
SMALLEST, LARGEST = 3, 12

# Quiet patterns up to this nullity are all shown; of more, a basis.
MOST_LISTED = 2

# Solutions of one start that are drawn.
MOST_SOLUTIONS = 4

# Clicks that the first start needs at most, and states of a cell in the last part.
FEW, STATES = 3, (2, 3)

# As sentences have them; larger numbers are figures.
NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]


def write_lesson(
    output: str | Path | Iterable[str | Path], size: SizeLike = "5x5", *, overwrite: bool = True
) -> None:
    """Write a page that teaches the game on boards that one can click.

    It shows what a click does, light chasing step by step, what the bottom row tells, quiet
    patterns and how they add up, why a start has so many solutions or none, and other rules.

    Args:
        output: the file, ``.html``, or several.
        size: COLUMNSxROWS of its boards, 3 to 12 a side.
        overwrite: whether files that exist may be replaced.

    Raises:
        OptionError: for another size or suffix.
        OutputError: if a file cannot be written.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_lesson(f"{folder}/lesson.html", "6x6")
    ...     "exactly one" in Path(f"{folder}/lesson.html").read_text()
    True
    """
    files = files_by_suffix(Outputs(output=output).output, [PAGE], overwrite=overwrite)
    check_outputs(files)
    page = lesson_page(size).encode()
    write_all(dict.fromkeys(files.paths, page), overwrite=overwrite)


def lesson_page(size: SizeLike = "5x5") -> str:
    """The page as text."""
    board = _checked_board(size)
    rng = np.random.default_rng(board.cells)
    rows, patterns = bottom_rows(board), quiet_patterns(board)
    few = board.toggles(_some_clicks(board, rng))
    chased = _start_to_chase(board, rows, rng)
    films = [_film(board, levels, few) for levels in STATES]
    lesson = {
        "films": films,
        "games": [_game(board, rule) for rule in STENCILS],
        "few": FEW,
        "chased": _cells(chased),
        "counted": _cells(_odd_start(board, rng)),
        "listed": rows.all_listed,
        "cards": [[mending.bottom, mending.top] for mending in rows.mendings],
        "patterns": [_cells(pattern) for pattern in patterns],
    }
    template = pages("lightsanim.lessons", "lightsanim.web").get_template("lesson.html.j2")
    return template.render(
        lesson=lesson,
        film=films[0],
        board=board,
        rows=rows,
        patterns=patterns,
        cells=_cells,
        start=few,
        solutions=_solutions(board, few),
        diagrams={rule: diagram_of(Board(3, 3, rule=rule).offsets()) for rule in STENCILS},
        rules={rule: rule_of(rule).says for rule in STENCILS},
        in_words=in_words,
    )


def _checked_board(size: SizeLike) -> Board:
    board = board_of(size, Settings())
    if not all(SMALLEST <= side <= LARGEST for side in board.shape):
        raise OptionError(
            f"a lesson has boards of {SMALLEST} to {LARGEST} cells a side, "
            f"not {board.columns}x{board.rows}"
        )
    return board


def quiet_patterns(board: Board) -> list[Bits]:
    """Those that the page shows: all up to a nullity of 2, else a basis.

    >>> [int(pattern.sum()) for pattern in quiet_patterns(Board(5, 5))]
    [12, 12, 16]
    """
    basis = [np.asarray(pattern, bool) for pattern in board.quiet_patterns()]
    if len(basis) == MOST_LISTED:
        basis = sorted([*basis, basis[0] ^ basis[1]], key=lambda pattern: int(pattern.sum()))
    return basis


def in_words(number: int) -> str:
    """A number as a sentence has it.

    >>> in_words(4), in_words(0), in_words(4095)
    ('four', 'no', '4,095')
    """
    return NUMBERS[number] if number < len(NUMBERS) else f"{number:,}"


def _some_clicks(board: Board, rng: np.random.Generator) -> Bits:
    clicks = np.zeros(board.cells, bool)
    clicks[rng.choice(board.cells, FEW, replace=False)] = True
    return clicks.reshape(board.shape)


def _start_to_chase(board: Board, rows: BottomRows, rng: np.random.Generator) -> Lights:
    # One that can be turned off; chasing alone does not, if there are such starts.
    off = np.zeros(board.shape, bool)
    while True:
        start = board.toggles(rng.random(board.shape) < 0.5)
        if chase(board, off, start=start).wrong.any() or not rows.count:
            return start


def _odd_start(board: Board, rng: np.random.Generator) -> Bits:
    # One that cannot be turned off, if there are such.
    while True:
        start: Bits = rng.random(board.shape) < 0.5
        if not board.nullity or board.syndrome(~start).any():
            return start


def _solutions(board: Board, start: Lights) -> list[Bits]:
    # The smallest, at most four; with sides up to 12 there are 256 at most.
    solutions = [np.asarray(board.clicks_between(start, np.zeros_like(start)), bool)]
    for pattern in board.quiet_patterns():
        solutions += [clicks ^ pattern for clicks in solutions]
    return sorted(solutions, key=lambda clicks: int(clicks.sum()))[:MOST_SOLUTIONS]


def _film(board: Board, levels: int, first: Lights) -> Mapping[str, Any]:
    # A board of some levels to click on, as players show it.
    board = replace(board, levels=levels)
    lights = np.asarray(first, board.reference.dtype)
    return film_of(animate(board, lights, [(np.zeros(0, np.int32), None)], Timing()), Theme())


def _game(board: Board, rule: str) -> Mapping[str, Any]:
    # What a click flips, and what is known of that with two states and with three.
    boards = [replace(board, rule=rule, levels=levels) for levels in STATES]
    return {"offsets": boards[0].offsets(), "ways": [ways_in_words(board) for board in boards]}


def ways_in_words(board: Board) -> str:
    """How many starts can be turned off, and in how many ways.

    >>> ways_in_words(Board(5, 5))
    'Nullity 2: three quiet patterns. One start in four can be turned off, each in four ways.'
    """
    if not board.nullity:
        return "Nullity 0: no quiet patterns. Every start can be turned off, in exactly one way."
    ways = board.levels**board.nullity
    patterns = f"{in_words(ways - 1)} quiet pattern{'' if ways == 2 else 's'}"
    return (
        f"Nullity {board.nullity}: {patterns}. One start in {in_words(ways)} can be turned off, "
        f"each in {in_words(ways)} ways."
    )


def _cells(lights: Lights) -> list[int]:
    # The numbers of those that are lit, or clicked.
    numbers: list[int] = np.flatnonzero(lights).tolist()
    return numbers
