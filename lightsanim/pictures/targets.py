"""Make the targets of a picture: crop and scale it to a board's cells, then dither it.

Before that, some options of a still are chosen for it alone: a dither, the part that is shown, and
an inversion.  A board that is flatter than a portrait would show its middle, which beheads it.
"""

from collections.abc import Callable, MutableMapping
from dataclasses import dataclass, replace
from typing import Any, Self, TypeAlias

import attrs
import numpy as np

from lightsanim.errors import OptionError
from lightsanim.game.board.board import Board
from lightsanim.options.choices import AUTO, BLUE_NOISE, DITHER, SEARCH, THRESHOLD
from lightsanim.options.colours import Colours
from lightsanim.options.settings import Settings
from lightsanim.options.stages import PictureOptions, TargetOptions, Transition
from lightsanim.options.values import Crop, Position
from .crop import find_picture_part, grey_for_search, resolve_focus
from .dither import Target, dither
from .dither_search import refine_colours
from .faces import can_find_faces, find_largest_face
from .flat_art import (
    MAX_LOST_EDGES,
    THRESHOLD_DETAILS,
    find_edges,
    has_few_colours,
    is_flat_art,
    lost_edge_share,
)
from .grey import (
    Grey,
    centred_box,
    centring_margins,
    grey_from_light,
    light_for_board,
)
from .interest import find_subject_top
from .lab import Rgb
from .light import Light
from .picture import Picture
from .plain_ground import find_extendable_ground, invert_on_light_ground
from .spot import SpotTarget, find_spot_colours

LightKey: TypeAlias = tuple[Any, ...]
"""What the scaled light of a picture or a clip depends on."""

Lights: TypeAlias = MutableMapping[LightKey, Light]
"""A cache of scaled light, which belongs to the caller."""

# Options that change the scaled light of a picture or a clip.
LIGHT_OPTIONS = (
    *("backdrop", "reads_colour", "crop", "focus", "fit", "has_flat_colours"),
    *("start", "end", "at"),
)
# Minimum height of a picture, as a multiple of the height that the board shows, for another crop
# than the middle: below this, the middle cuts off at most a twentieth at the top.
MIN_EXCESS = 1.1
# Distance from the upper edge of the crop to the subject, as a share of the crop's height.
HEADROOM = 0.08
# What a board's shape may cut off without a note, as a share of a picture's shorter side: if there
# is a face at the edge, and otherwise.
MAX_CUT_AT_FACE, MAX_CUT = 0.05, 0.2


@dataclass(frozen=True, kw_only=True, eq=False)
class Destination:
    """What pictures are prepared for: a board, and the options by which they are shown on it."""

    request: TargetOptions  # Options for all pictures, as the user gave them.
    options: TargetOptions  # The same, with the defaults for these pictures.
    board: Board
    transition: Transition
    room: int = 1  # Sides of the board, divided by those of the pictures that it pads.
    has_clips: bool = False
    lights: Lights | None = None

    @classmethod
    def of(
        cls,
        settings: Settings,
        board: Board,
        *,
        request: TargetOptions | None = None,
        has_clips: bool = False,
        lights: Lights | None = None,
    ) -> Self:
        """Return what pictures of a film are prepared for."""
        return cls(
            request=request or settings,
            options=settings,
            board=board,
            transition=settings.transition,
            room=settings.room or 1,
            has_clips=has_clips,
            lights=lights,
        )

    @property
    def aspect(self) -> float:
        """Width of the board, divided by its height."""
        return self.board.columns / self.board.rows

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns that pictures fill; the others pad them."""
        return max(1, self.board.rows // self.room), max(1, self.board.columns // self.room)

    def options_for(self, picture: Picture) -> TargetOptions:
        """Return the options of a picture: its own in place of those for all pictures."""
        return override_options(self.options, picture, self.transition)

    def request_for(self, picture: Picture) -> TargetOptions:
        """Return the options that the user gave for a picture."""
        return override_options(self.request, picture, self.transition)


@dataclass(frozen=True, kw_only=True, eq=False)
class PictureCells:
    """The values of a picture's cells before dithering."""

    name: str  # The picture's name.
    grey: Grey  # Values from 0 to 1, (rows, columns), or in colour (3, rows, columns).
    options: TargetOptions  # The picture's options.

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
    to = Destination.of(settings, board)
    return dither_cells(cells_for(resolve_auto_dither(picture, to), to), board.shape)


def cells_for(picture: Picture, to: Destination) -> PictureCells:
    """Crop and scale a picture to the cells of a board that it fills."""
    rows, columns = to.shape
    options = to.options_for(picture)
    key = light_key(picture, (rows, columns), options)
    light = keep_light(to.lights, key, lambda: light_for_board(picture, rows, columns, options))
    grey = grey_from_light(light, rows, columns, options)
    return PictureCells(name=picture.name, grey=grey, options=options)


def light_key(picture: Picture, shape: tuple[int, int], options: PictureOptions) -> LightKey | None:
    """Return what the scaled light of a file depends on; None for a picture without a file."""
    if picture.sha256 is None:
        return None
    return picture.sha256, shape, *(getattr(options, name) for name in LIGHT_OPTIONS)


def keep_light(lights: Lights | None, key: LightKey | None, scale: Callable[[], Light]) -> Light:
    """Return the light that a cache holds for a key, or scale a picture, and keep its light."""
    if lights is None or key is None:
        return scale()
    if key not in lights:
        lights[key] = scale()
    return lights[key]


def dither_cells(
    cells: PictureCells, shape: tuple[int, int], spot: bool | Colours = False
) -> list[Target]:
    """Dither a picture's cells, if asked to the film's ``spot`` colours or its own; pad them."""
    grey, spot = cells.grey, spot or cells.options.spot
    targets = _dither_to_spot_colours(cells, spot) if spot else _dither_planes(cells)
    if shape == grey.shape[-2:]:
        return targets
    paddings = centring_margins(shape, grey.shape[-2:])
    return [
        replace(t, configuration=np.pad(t.configuration, paddings), grey=np.pad(t.grey, paddings))
        for t in targets
    ]


def _dither_to_spot_colours(cells: PictureCells, spot: bool | Colours) -> list[Target]:
    rgb, options = cells.rgb, cells.options
    colours = spot if isinstance(spot, Colours) else find_spot_colours([rgb], options.levels)
    return [SpotTarget.from_rgb(rgb, colours, options.dither_of_stills, cells.name)]


def _dither_planes(cells: PictureCells) -> list[Target]:
    grey, options = cells.grey, cells.options
    targets = [
        dither(
            values,
            options.dither_of_stills,
            cells.name,
            serpentine=options.serpentine,
            levels=options.levels,
            tone=options.tone,
            plane=plane,
        )
        for plane, values in enumerate(grey.reshape(-1, *grey.shape[-2:]))
    ]
    if options.dither == SEARCH and len(targets) > 1:
        planes = refine_colours([t.configuration for t in targets], grey, targets[0].shown)
        targets = [replace(t, configuration=c) for t, c in zip(targets, planes, strict=True)]
    return targets


def resolve_auto_dither(picture: Picture, to: Destination) -> Picture:
    """Record in a still's own options what the dither "auto" chooses: for flat art, a threshold."""
    options, own = to.request_for(picture), dict(picture.own)
    if options.dither != AUTO:
        return picture
    if "dither" in own:
        own["dither"] = BLUE_NOISE if to.has_clips else SEARCH if options.spot else DITHER
    # Serpentine order needs error diffusion, and a threshold on each plane would change hues.
    is_plain = not (to.has_clips or options.serpentine or options.rgb)
    transitions = ("wipe", "automaton") if options.spot else ("wipe",)
    if is_plain and to.transition in transitions:
        light = find_picture_part(picture, options, to.aspect).cut_from_picture(picture).light
        if options.spot and has_few_colours(light):
            own |= {"dither": THRESHOLD, "detail": options.detail or 0.0, "autocontrast": False}
        elif not options.spot and is_flat_art(light, options.levels):
            own |= _find_lossless_threshold(picture, to, options.detail)
    return replace(picture, own=own)


def _find_lossless_threshold(
    picture: Picture, to: Destination, detail: float | None
) -> dict[str, Any]:
    # Returns the options of the first threshold target that keeps lines and pale areas, or none.
    steps, is_edge = THRESHOLD_DETAILS if detail is None else [(detail, MAX_LOST_EDGES)], None
    for amount, max_lost_edges in steps:
        own = {"dither": THRESHOLD, "detail": amount}
        cells = cells_for(replace(picture, own={**picture.own, **own}), to)
        target = dither_cells(cells, to.board.shape)[0]
        if is_edge is None:
            is_edge = find_edges(np.rint(target.grey * 255).astype(np.uint8))
        if lost_edge_share(is_edge, target.configuration.astype(np.uint8)) <= max_lost_edges:
            return own
    return {}


def resolve_still(picture: Picture, to: Destination) -> tuple[Picture, str | None]:
    """Record in a still's own options the part and the inversion chosen for it; add a note or None.

    A film is made again with them even if such a choice has changed.
    """
    picture, note = resolve_focus(picture, to.options_for(picture), to.aspect)
    picture = _crop_above_subject(picture, to.options_for(picture), to.aspect)
    dark_note = None
    if to.room > 1:
        picture, dark_note = invert_on_light_ground(picture, to.options_for(picture), to.aspect)
    return picture, "; it ".join(filter(None, [note, dark_note])) or None


def _crop_above_subject(picture: Picture, options: PictureOptions, aspect: float) -> Picture:
    # The crop begins just above the subject, but not below the middle part.
    height, width = picture.light.shape[:2]
    part_height, is_cut = max(1, round(width / aspect)), options.fit in (AUTO, "cover")
    if options.crop or options.focus or not is_cut or height < MIN_EXCESS * part_height:
        return picture
    box, middle = (0, 0, width, height), (height - part_height) // 2
    if options.fit == AUTO and find_extendable_ground(picture.light, box, aspect) is not None:
        return picture
    subject_top = find_subject_top(grey_for_search(picture)[0]) * height
    top = max(0, round(subject_top - HEADROOM * part_height))
    if top >= middle:
        return picture
    crop = Crop(*(Position(side, False) for side in (0, top, width, top + part_height)))
    return replace(picture, own={**picture.own, "crop": crop})


def describe_cut(
    picture: Picture,
    shown: Picture,
    to: Destination,
    *,
    extends_ground: bool = True,
) -> str | None:
    """Return a note if the board's shape cuts off much of a picture, or a part of a face.

    ``shown`` is the picture with the part that `resolve_still` chose for it.  There is no note on
    parts that the user chose.
    """
    options, aspect = to.options_for(picture), to.aspect
    if options.focus is not None or options.fit not in (AUTO, "cover"):
        return None
    whole, part = (
        find_picture_part(one, to.options_for(one), aspect).box for one in (picture, shown)
    )
    (width, height), (x, y) = (whole[2] - whole[0], whole[3] - whole[1]), part[:2]
    left, top, right, bottom = centred_box(part[2] - x, part[3] - y, aspect)
    lost_width, lost_height = width - (right - left), height - (bottom - top)
    cut = max(lost_width, lost_height) / min(width, height)
    may_extend = extends_ground and options.fit == AUTO and cut > MAX_CUT_AT_FACE
    if may_extend and find_extendable_ground(picture.light, part, aspect) is not None:
        return None
    advice = "--fit contain shows all of it"
    if cut > MAX_CUT and lost_width > lost_height:
        return f"is cut to {1 - lost_width / width:.0%} of its width; {advice}"
    if cut > MAX_CUT:
        return f"is cut to {1 - lost_height / height:.0%} of its height; {advice}"
    if cut > MAX_CUT_AT_FACE and can_find_faces():
        grey, scale = grey_for_search(picture)
        face = np.array(find_largest_face(grey) or (0, 0, 0, 0)) * scale - (x, y, x, y)
        if (
            face[2] > face[0]
            and (face[:2] < (left, top)).any() | (face[2:] > (right, bottom)).any()
        ):
            return f"has a face that is cut; {advice}"
    return None


def override_options(
    options: TargetOptions, picture: Picture, transition: Transition
) -> TargetOptions:
    """Return a picture's options, those for all pictures overridden by its own."""
    own = {**picture.own, **picture.word.options(transition)}
    own_dither = own.get("dither", options.dither)
    if transition == "dissolve" and own_dither != options.dither:
        raise OptionError(
            f"a dissolve needs the same dither for all pictures, here {options.dither}; leave out "
            f"dither {own_dither} of {picture.name}, or set it for all pictures",
            "dither",
            picture.name,
        )
    try:
        return attrs.evolve(options, **own)
    except OptionError as error:
        error.picture = picture.name
        raise
