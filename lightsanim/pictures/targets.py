"""Make the targets of a picture: crop and scale it to a board's cells, then dither it."""

from dataclasses import replace

import attrs
import numpy as np

from lightsanim.board.board import Board
from lightsanim.errors import OptionError
from lightsanim.options.choices import AUTO_DITHER, BLUE_NOISE, DITHER, SEARCH
from lightsanim.options.settings import Settings
from lightsanim.pictures.crop import find_picture_part
from lightsanim.pictures.dither import Target, dither
from lightsanim.pictures.dither_search import refine_colours
from lightsanim.pictures.flat_art import is_flat_art
from lightsanim.pictures.grey import Grey, centring_margins, grey_for_board
from lightsanim.pictures.picture import Picture


def targets_for(picture: Picture, board: Board, settings: Settings) -> list[Target]:
    """Dither a picture to a board; return one target, or in colour one for each colour plane.

    The picture's own options override ``settings``, the options of `make`.

    Raises:
        OptionError: for a crop or focus outside the picture, or for conflicting options.
    """
    inner = board_without_padding(board, settings)
    picture = resolve_auto_dither(picture, settings, inner.columns / inner.rows)
    settings = merge_picture_options(settings, picture)
    grey = grey_for_board(picture, inner.rows, inner.columns, settings)
    return dither_planes(grey, picture.name, settings, board.shape)


def board_without_padding(board: Board, settings: Settings) -> Board:
    """Return the smaller board that a picture fills if the option ``room`` pads it."""
    rows, columns = (max(1, side // (settings.room or 1)) for side in board.shape)
    return replace(board, rows=rows, columns=columns)


def dither_planes(
    grey: Grey, name: str, settings: Settings, shape: tuple[int, int] | None = None
) -> list[Target]:
    """Dither each plane of grey values; pad the targets with dark cells to ``shape`` if given."""
    targets = [
        dither(
            values,
            DITHER if settings.dither in (None, AUTO_DITHER) else settings.dither,
            name,
            serpentine=settings.serpentine,
            levels=settings.levels,
            tone=settings.tone,
            plane=plane,
        )
        for plane, values in enumerate(grey.reshape(-1, *grey.shape[-2:]))
    ]
    if settings.dither == SEARCH and len(targets) > 1:
        planes = refine_colours([t.configuration for t in targets], grey, targets[0].shown)
        targets = [replace(t, configuration=c) for t, c in zip(targets, planes, strict=True)]
    if shape is None or shape == grey.shape[-2:]:
        return targets
    paddings = centring_margins(shape, grey.shape[-2:])
    return [
        replace(t, configuration=np.pad(t.configuration, paddings), grey=np.pad(t.grey, paddings))
        for t in targets
    ]


def resolve_auto_dither(
    picture: Picture, settings: Settings, aspect: float, *, has_clips: bool = False
) -> Picture:
    """Record in a still's own options what the dither "auto" chooses for it alone.

    In a wipe without clips, flat art gets a threshold, and no local contrast if ``detail`` is None.
    ``settings`` are those before `Settings.with_defaults_for`; ``aspect`` is the board's.
    """
    options, own = merge_picture_options(settings, picture), dict(picture.own)
    if options.dither != AUTO_DITHER:
        return picture
    if "dither" in own:
        own["dither"] = BLUE_NOISE if has_clips else DITHER
    # Serpentine order needs error diffusion, and a threshold on each plane would change hues.
    is_plain = not (has_clips or options.serpentine or options.rgb)
    if options.transition == "wipe" and is_plain:
        part = find_picture_part(picture, options, aspect).cut_from_picture(picture)
        if is_flat_art(part.light, options.levels):
            own |= {"dither": "threshold", "detail": options.detail or 0.0}
    return replace(picture, own=own)


def merge_picture_options(settings: Settings, picture: Picture) -> Settings:
    """Return the settings with the picture's own options in place of the common ones."""
    own_dither = picture.own.get("dither", settings.dither)
    if settings.transition == "dissolve" and own_dither != settings.dither:
        raise OptionError(
            f"a dissolve needs the same dither for all pictures, here {settings.dither}; leave out "
            f"dither {own_dither} of {picture.name}, or set it for all pictures",
            "dither",
            picture.name,
        )
    try:
        return attrs.evolve(settings, **picture.own)
    except OptionError as error:
        error.picture = picture.name
        raise
