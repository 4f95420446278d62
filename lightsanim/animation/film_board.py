"""The board that options ask for: of a size, or in a picture's shape."""

import numpy as np

from lightsanim.animation.order import times_of
from lightsanim.board.board import Board
from lightsanim.board.perfect import nearest_perfect
from lightsanim.options.table import Settings
from lightsanim.options.values import Crop, CustomOrder, Size, SizeLike, to_size
from lightsanim.pictures.crop import cropped
from lightsanim.pictures.picture import Picture, rows_for
from lightsanim.pictures.targets import with_own


def size_in_shape(size: Size, picture: Picture, crop: Crop | None) -> Size:
    """The size, with rows from the shape of a picture's part where none are given."""
    rows = size.rows or rows_for(cropped(picture, crop), size.columns)
    return Size(columns=size.columns, rows=rows)


def board_of(size: SizeLike, settings: Settings) -> Board:
    """The board of a size under the settings' rule; square where the rows are not given.

    >>> board_of("6x5", Settings(rule="king"))
    Board(rows=5, columns=6, rule='king', wrap=False, levels=2)
    """
    sides = to_size(size)
    columns, rows = sides.columns, sides.columns if sides.rows is None else sides.rows
    Size(columns=columns, rows=rows)  # is a square too large?
    return Board(rows, columns, rule=settings.rule, wrap=settings.wrap, levels=settings.levels)


def board_for(first: Picture, settings: Settings) -> Board:
    """The board of the settings, with rows from the first picture's shape where none are given.

    With ``perfect``, the nearest size at which every configuration is accessible.
    """
    size = size_in_shape(settings.size, first, with_own(settings, first).crop)
    board = board_of(size, settings)
    if settings.perfect:
        board = nearest_perfect(board, time_limit=settings.time_limit)
    if isinstance(settings.order, CustomOrder):
        times_of(settings.order, board.shape, np.random.default_rng(0))  # is it one for this board?
    return board
