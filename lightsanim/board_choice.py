"""Choice of the board from the options and the first picture."""

import math
from contextlib import suppress
from dataclasses import replace

import numpy as np

from lightsanim.errors import OptionError, SolverError
from lightsanim.film.cell_times import cell_times
from lightsanim.film.transitions.searched_wipe import is_perfect_if_joined
from lightsanim.game.board.automaton import reversing_board
from lightsanim.game.board.board import Board
from lightsanim.game.board.factors import choose_factor_method
from lightsanim.game.board.perfect import Filter, nearest_perfect_board
from lightsanim.game.board.rule import parse_rule
from lightsanim.options.choices import LEAVE, THROUGH
from lightsanim.options.look import MAX_CELL
from lightsanim.options.settings import Settings
from lightsanim.options.stages import (
    CLIP_CELLS,
    DEFAULT_CELLS,
    SLOW_RULE_COLUMNS,
    BoardOptions,
    ClickOptions,
)
from lightsanim.options.values import Crop, CustomOrder, Size, SizeLike, to_size
from lightsanim.output.look.theme import Theme
from lightsanim.pictures.crop import crop_picture
from lightsanim.pictures.picture import Picture
from lightsanim.pictures.targets import override_options

# Maximum length of a side, in cells, if the user sets no size.
MAX_AUTO_SIDE = 400
# Maximum rows of a default board; only pictures that are hardly wider than a line need as many.
MAX_LINE_ROWS = 2000
# Maximum change of a default side, as a share of it, to make all configurations accessible.
MAX_SIDE_CHANGE = 0.05
# Maximum ratio of cells between a default board and one that fills a canvas: 108 x 135 cells fill
# 1080 x 1350 pixels.
MAX_FILLING_RATIO = 1.5
# Paths of an automaton, or of other films, on which no step is undone.
FORWARD_PATHS = (None, LEAVE, THROUGH)


def fill_in_row_count(size: Size, picture: Picture, crop: Crop | None) -> Size:
    """Return the size; if it has no rows, they follow from the cropped picture's aspect ratio."""
    height, width = crop_picture(picture, crop).light.shape[:2]
    rows = size.rows or max(1, round(size.columns * height / width))
    try:
        return Size(columns=size.columns, rows=rows)
    except OptionError as error:
        shape = f"{picture.name!r} has {width}x{height} pixels"
        raise OptionError(f"{shape}, so {error}", "size", picture.name) from error


def build_board(size: SizeLike, options: BoardOptions) -> Board:
    """Return a board of this size and the options' rule; without rows, it is square."""
    sides = to_size(size)
    columns, rows = sides.columns, sides.columns if sides.rows is None else sides.rows
    Size(columns=columns, rows=rows)  # raises an error if a square board is too large
    return Board(rows, columns, rule=options.rule, wrap=options.wrap, levels=options.levels)


def choose_board(
    first: Picture, settings: Settings, theme: Theme | None = None, *, has_clips: bool = False
) -> Board:
    """Choose the board by the settings, the first picture's aspect ratio, and the theme's canvas.

    Without a size the board has the default number of cells; it is perfect, or fills the canvas, if
    such a board is near.
    """
    aspect = None if theme is None else theme.board_aspect
    if aspect and settings.beside:
        aspect /= 2
    crop = override_options(settings, first, settings.transition).crop
    if settings.size is None:
        height, width = crop_picture(first, crop).light.shape[:2]
        cells = CLIP_CELLS if has_clips else DEFAULT_CELLS
        board = _default_board(settings, settings, aspect or width / height, cells)
        if not settings.perfect:
            board = _find_near_perfect_board(board, settings, settings.time_limit) or board
        if settings.transition != "automaton":  # whose board is chosen by its number of steps
            board = _find_filling_board(board, theme) or board
    elif aspect and settings.size.rows is None:
        columns = settings.size.columns
        board = build_board((columns, max(1, round(columns / aspect))), settings)
    else:
        board = build_board(fill_in_row_count(settings.size, first, crop), settings)
    if settings.perfect:
        board = _find_perfect_board(board, settings, settings.time_limit)
    if isinstance(settings.order, CustomOrder):
        # Raise an error now if the custom order does not fit the board.
        cell_times(settings.order, board.shape, np.random.default_rng(0))
    return board


def _default_board(options: BoardOptions, clicks: ClickOptions, aspect: float, cells: int) -> Board:
    columns = max(1, round(min(math.sqrt(cells * aspect), MAX_AUTO_SIDE, MAX_AUTO_SIDE * aspect)))
    is_slow = is_slow_rule(options.rule, options.levels, wrap=options.wrap)
    if clicks.transition == "sketch" or is_slow:
        columns = SLOW_RULE_COLUMNS
    elif clicks.room is not None and clicks.room > 1:
        # Copies of a picture after q^k steps do not overlap if its shorter side has q^k cells.
        k = round(math.log(min(columns, columns / aspect) / clicks.room, options.levels))
        columns = round(clicks.room * options.levels ** max(k, 2) * max(1, aspect))
    rows = min(max(1, round(columns / aspect)), MAX_LINE_ROWS)
    return build_board((columns, rows), options)


def is_slow_rule(rule: str, levels: int, *, wrap: bool) -> bool:
    """Return whether the elimination of boards with this rule is slow."""
    return choose_factor_method(parse_rule(rule), levels, wrap=wrap).max_cells < math.inf


def _find_near_perfect_board(board: Board, clicks: ClickOptions, time_limit: float) -> Board | None:
    # Finding perfect wrapped boards is fast, because it needs no elimination.
    is_fast = board.wrap or clicks.path not in FORWARD_PATHS
    is_slow = is_slow_rule(board.rule, board.levels, wrap=board.wrap) and not is_fast
    if clicks.transition == "sketch" or is_slow:
        return None
    with suppress(OptionError, SolverError):
        perfect = _find_perfect_board(board, clicks, time_limit)
        sides = zip(perfect.shape, board.shape, strict=True)
        if all(abs(side - old) <= max(1, MAX_SIDE_CHANGE * old) for side, old in sides):
            return perfect
    return None


def _find_filling_board(board: Board, theme: Theme | None) -> Board | None:
    # Returns the board nearest in cells whose square cells leave no margin on the canvas, or None
    # if none is near.
    canvas = None if theme is None or theme.panel_side or theme.cell else theme.canvas
    if canvas is None or canvas.height is None:
        return None
    divisor, cells = math.gcd(canvas.width, canvas.height), canvas.width * canvas.height
    pitches = [n for n in range(1, min(divisor, MAX_CELL) + 1) if divisor % n == 0]
    pitch = min(pitches, key=lambda n: abs(math.log(cells / n**2 / board.cells)))
    if not 1 / MAX_FILLING_RATIO <= cells / pitch**2 / board.cells <= MAX_FILLING_RATIO:
        return None
    return replace(board, columns=canvas.width // pitch, rows=canvas.height // pitch)


def _find_perfect_board(board: Board, clicks: ClickOptions, time_limit: float) -> Board:
    # An automaton film that ends with a picture also needs steps that can be undone.
    conditions: list[Filter] = [] if clicks.path in FORWARD_PATHS else [reversing_board]
    conditions += [is_perfect_if_joined] * bool(clicks.beside)
    return nearest_perfect_board(board, *conditions, time_limit=time_limit)
