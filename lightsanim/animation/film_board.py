"""The board of a film: of the size that its options ask for, in its first picture's shape."""

import numpy as np

from lightsanim.animation.order import times_of
from lightsanim.board.board import Board
from lightsanim.board.perfect import nearest_perfect
from lightsanim.options.table import Settings
from lightsanim.options.values import CustomOrder, Size
from lightsanim.pictures.crop import cropped
from lightsanim.pictures.picture import Picture, rows_for
from lightsanim.pictures.targets import with_own


def board_for(first: Picture, settings: Settings) -> Board:
    """The board of the settings, with rows from the first picture's shape where none are given.

    With ``perfect``, the nearest size at which every configuration is accessible.
    """
    columns, rows = settings.size.columns, settings.size.rows
    if rows is None:
        rows = rows_for(cropped(first, with_own(settings, first).crop), columns)
        Size(columns=columns, rows=rows)  # is it too large?
    board = Board(rows, columns, rule=settings.rule, wrap=settings.wrap, levels=settings.levels)
    if settings.perfect:
        board = nearest_perfect(board, time_limit=settings.time_limit)
    if isinstance(settings.order, CustomOrder):
        times_of(settings.order, board.shape, np.random.default_rng(0))  # is it one for this board?
    return board
