"""Make the targets of a picture: crop and scale it to a board's cells, then dither it."""

from dataclasses import dataclass, replace

import attrs
import numpy as np

from lightsanim.board.board import Board
from lightsanim.errors import OptionError
from lightsanim.options.choices import AUTO_DITHER, BLUE_NOISE, DITHER, SEARCH, THRESHOLD
from lightsanim.options.colours import Colours
from lightsanim.options.settings import Settings
from lightsanim.pictures.crop import find_picture_part
from lightsanim.pictures.dither import Target, dither
from lightsanim.pictures.dither_search import refine_colours
from lightsanim.pictures.drawn_words import drawn_options
from lightsanim.pictures.flat_art import has_few_colours, is_flat_art
from lightsanim.pictures.grey import Grey, centring_margins, grey_for_board
from lightsanim.pictures.lab import Rgb
from lightsanim.pictures.picture import Picture
from lightsanim.pictures.spot_dither import SpotTarget
from lightsanim.pictures.spot_palette import find_spot_colours


@dataclass(frozen=True, kw_only=True, eq=False)
class PictureCells:
    """The values of a picture's cells before dithering."""

    name: str  # The picture's name.
    grey: Grey  # Values from 0 to 1, (rows, columns), or in colour (3, rows, columns).
    settings: Settings  # The options of `make`, overridden by the picture's own.

    @property
    def rgb(self) -> Rgb:
        """The cells' colours as bytes, uint8 (rows, columns, 3)."""
        planes = np.broadcast_to(self.grey, (3, *self.grey.shape[-2:]))
        return np.rint(np.moveaxis(planes, 0, -1) * 255).astype(np.uint8)


def targets_for(picture: Picture, board: Board, settings: Settings) -> list[Target]:
    """Dither a picture to a board; return one target, or in colour one for each colour plane.

    The picture's own options override ``settings``, the options of `make`.

    Raises:
        OptionError: for a crop or focus outside the picture, or for conflicting options.
    """
    return dither_cells(cells_for(picture, board, settings), board.shape)


def cells_for(picture: Picture, board: Board, settings: Settings) -> PictureCells:
    """Crop and scale a picture to the cells of a board, or to those that ``room`` leaves."""
    inner = board_without_padding(board, settings)
    picture = resolve_auto_dither(picture, settings, inner.columns / inner.rows)
    settings = merge_picture_options(settings, picture)
    grey = grey_for_board(picture, inner.rows, inner.columns, settings)
    return PictureCells(name=picture.name, grey=grey, settings=settings)


def board_without_padding(board: Board, settings: Settings) -> Board:
    """Return the smaller board that a picture fills if the option ``room`` pads it."""
    rows, columns = (max(1, side // (settings.room or 1)) for side in board.shape)
    return replace(board, rows=rows, columns=columns)


def dither_cells(
    cells: PictureCells, shape: tuple[int, int], spot: bool | Colours = False
) -> list[Target]:
    """Dither each plane of a picture's cells, and pad the targets with dark cells to a shape.

    ``spot`` are the film's spot colours; if they are not chosen yet, they are this picture's own.
    """
    grey, spot = cells.grey, spot or cells.settings.spot
    targets = _dither_to_spot_colours(cells, spot) if spot else _dither_planes(cells)
    if shape == grey.shape[-2:]:
        return targets
    paddings = centring_margins(shape, grey.shape[-2:])
    return [
        replace(t, configuration=np.pad(t.configuration, paddings), grey=np.pad(t.grey, paddings))
        for t in targets
    ]


def _dither_to_spot_colours(cells: PictureCells, spot: bool | Colours) -> list[Target]:
    rgb, settings = cells.rgb, cells.settings
    dither = SEARCH if settings.dither in (None, AUTO_DITHER) else settings.dither
    colours = spot if isinstance(spot, Colours) else find_spot_colours([rgb], settings.levels)
    return [SpotTarget.from_rgb(rgb, colours, dither, cells.name)]


def _dither_planes(cells: PictureCells) -> list[Target]:
    grey, settings = cells.grey, cells.settings
    targets = [
        dither(
            values,
            DITHER if settings.dither in (None, AUTO_DITHER) else settings.dither,
            cells.name,
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
    return targets


def resolve_auto_dither(
    picture: Picture, settings: Settings, aspect: float, *, has_clips: bool = False
) -> Picture:
    """Record in a still's own options what the dither "auto" chooses for it alone.

    In a wipe without clips, flat art gets a threshold, and no local contrast if ``detail`` is None;
    with spot colours also in an automaton, and its contrast is not stretched either.
    ``settings`` are those before `Settings.with_defaults_for`; ``aspect`` is the board's.
    """
    options, own = merge_picture_options(settings, picture), dict(picture.own)
    if options.dither != AUTO_DITHER:
        return picture
    if "dither" in own:
        own["dither"] = BLUE_NOISE if has_clips else SEARCH if options.spot else DITHER
    # Serpentine order needs error diffusion, and a threshold on each plane would change hues.
    is_plain = not (has_clips or options.serpentine or options.rgb)
    transitions = ("wipe", "automaton") if options.spot else ("wipe",)
    if is_plain and options.transition in transitions:
        light = find_picture_part(picture, options, aspect).cut_from_picture(picture).light
        if has_few_colours(light) if options.spot else is_flat_art(light, options.levels):
            own |= {"dither": THRESHOLD, "detail": options.detail or 0.0}
            own |= {"autocontrast": False} if options.spot else {}
    return replace(picture, own=own)


def merge_picture_options(settings: Settings, picture: Picture) -> Settings:
    """Return the settings with the picture's own options in place of the common ones."""
    own = {**picture.own, **drawn_options(picture.word, settings.transition)}
    own_dither = own.get("dither", settings.dither)
    if settings.transition == "dissolve" and own_dither != settings.dither:
        raise OptionError(
            f"a dissolve needs the same dither for all pictures, here {settings.dither}; leave out "
            f"dither {own_dither} of {picture.name}, or set it for all pictures",
            "dither",
            picture.name,
        )
    try:
        return attrs.evolve(settings, **own)
    except OptionError as error:
        error.picture = picture.name
        raise
