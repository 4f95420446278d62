"""From a picture to what an animation should show of it."""

from dataclasses import replace

import attrs
import numpy as np

from lightsanim.board.board import Board
from lightsanim.errors import OptionError
from lightsanim.options.choices import DITHER
from lightsanim.options.settings import Settings
from lightsanim.pictures.dither import Target, dither
from lightsanim.pictures.grey import Grey, centring_margins, grey_for_board
from lightsanim.pictures.picture import Picture


def targets_for(picture: Picture, board: Board, settings: Settings) -> list[Target]:
    """The picture, dithered to the board; in colour, to three boards, one for each primary.

    Args:
        picture: its light.
        board: whose cells are to show it.
        settings: the options of `make`; the picture's own come before them.

    Raises:
        OptionError: for a part that does not lie within the picture, or options that exclude each
            other.
    """
    settings = merge_picture_options(settings, picture)
    inner = board_without_padding(board, settings)
    grey = grey_for_board(picture, inner.rows, inner.columns, settings)
    return dither_planes(grey, picture.name, settings, board.shape)


def board_without_padding(board: Board, settings: Settings) -> Board:
    """The cells of a board that a picture takes, with room around."""
    rows, columns = (max(1, side // (settings.room or 1)) for side in board.shape)
    return replace(board, rows=rows, columns=columns)


def dither_planes(
    grey: Grey, name: str, settings: Settings, shape: tuple[int, int] | None = None
) -> list[Target]:
    """Grey values that were made for a board, dithered; in the middle of a dark one of a shape."""
    targets = [
        dither(
            values,
            settings.dither or DITHER,
            name,
            serpentine=settings.serpentine,
            levels=settings.levels,
            tone=settings.tone,
            plane=plane,
        )
        for plane, values in enumerate(grey.reshape(-1, *grey.shape[-2:]))
    ]
    if shape is None or shape == grey.shape[-2:]:
        return targets
    paddings = centring_margins(shape, grey.shape[-2:])
    return [
        replace(t, configuration=np.pad(t.configuration, paddings), grey=np.pad(t.grey, paddings))
        for t in targets
    ]


def merge_picture_options(settings: Settings, picture: Picture) -> Settings:
    """The options that the targets of a picture are made with."""
    own_dither = picture.own.get("dither", settings.dither)
    if settings.transition == "dissolve" and own_dither != settings.dither:
        raise OptionError(
            f"a dissolve dithers all pictures alike, here by {settings.dither}; leave out dither "
            f"{own_dither} of {picture.name}, or give it for all",
            "dither",
            picture.name,
        )
    try:
        return attrs.evolve(settings, **picture.own)
    except OptionError as error:
        error.picture = picture.name
        raise
