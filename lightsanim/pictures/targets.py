"""From a picture to what an animation should show of it."""

from lightsanim.board.board import Board
from lightsanim.options import Settings
from lightsanim.pictures.dither import Target, dither
from lightsanim.pictures.grey import Grey, grey_for_board
from lightsanim.pictures.picture import Picture


def targets_for(picture: Picture, board: Board, settings: Settings) -> list[Target]:
    """The picture, dithered to the board; in colour, to three boards, one for each primary.

    Args:
        picture: its light.
        board: whose cells are to show it.
        settings: the options of `make`.
    """
    grey = grey_for_board(picture, board.rows, board.columns, settings)
    return dithered(grey, picture.name, settings)


def dithered(grey: Grey, name: str, settings: Settings) -> list[Target]:
    """Grey values that were made for a board, dithered.

    Args:
        grey: as of `grey_for_board`.
        name: of the targets.
        settings: the options of `make`.
    """
    return [
        dither(
            plane,
            settings.dither,
            name,
            serpentine=settings.serpentine,
            levels=settings.levels,
            tone=settings.tone,
        )
        for plane in grey.reshape(-1, *grey.shape[-2:])
    ]
