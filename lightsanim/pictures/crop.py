"""Find the part of a picture that is shown: a crop, or the surroundings of a point or face."""

from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from PIL import Image

from lightsanim.errors import OptionError
from lightsanim.options.choices import AUTO
from lightsanim.options.stages import PictureOptions
from lightsanim.options.values import FACE, Crop, Focus, Position
from .faces import INSTALL_OPENCV, can_find_faces, find_largest_face
from .light import LUMINANCE_WEIGHTS, encode_srgb
from .picture import Picture

Box: TypeAlias = tuple[int, int, int, int]
"""Left, top, right and bottom edge of a rectangle, in pixels."""

# Zoom factor for a focus on a point if the option ``focus`` states no zoom.
DEFAULT_ZOOM = 2.0
# Height of the shown part as a multiple of the detected face's; includes hair, chin and neck.
HEAD_PER_FACE = 2.0
# Longer side, in pixels, to which a picture is reduced for the search for faces and subjects.
SEARCH_SIDE = 640


@dataclass(frozen=True, kw_only=True)
class PicturePart:
    """A part of a picture, given by its box in pixels of the whole picture."""

    box: Box
    has_face: bool | None = None  # True if a face was found; None if none was searched for.

    def cut_from_picture(self, picture: Picture) -> Picture:
        """Cut this part out of a picture."""
        if self.box == _whole_picture_box(picture):
            return picture
        left, top, right, bottom = self.box
        return replace(picture, light=picture.light[top:bottom, left:right])


def crop_picture(picture: Picture, crop: Crop | None) -> Picture:
    """Return the part of a picture that a crop selects; the whole picture without a crop."""
    return PicturePart(box=_crop_box(picture, crop)).cut_from_picture(picture)


def find_picture_part(picture: Picture, options: PictureOptions, aspect: float) -> PicturePart:
    """Find the part of a picture that ``crop`` and then, inside it, ``focus`` select."""
    box = _crop_box(picture, options.crop)
    if options.focus is None:
        return PicturePart(box=box)
    inside, (x, y, *_) = PicturePart(box=box).cut_from_picture(picture), box
    part_aspect = aspect if options.fit in (AUTO, "cover") else None
    part = _box_around_focus(inside, options.focus, part_aspect)
    left, top, right, bottom = part.box
    return replace(part, box=(left + x, top + y, right + x, bottom + y))


def resolve_focus(
    picture: Picture, options: PictureOptions, aspect: float
) -> tuple[Picture, str | None]:
    """Replace the option ``focus`` on a face by a crop; return the picture and a note or None."""
    if options.focus is None or not isinstance(options.focus.on, str):
        return picture, None
    part = find_picture_part(picture, options, aspect)
    sides = (Position(side * picture.reduction, False) for side in part.box)
    crop = Crop(*sides) if part.has_face else options.crop
    note = f"contains a face; the part shown is crop {crop}" if part.has_face else None
    if options.focus.on == FACE and not part.has_face:
        note = "has no detectable face"
    return replace(picture, own={**picture.own, "crop": crop, "focus": None}), note


def _whole_picture_box(picture: Picture) -> Box:
    height, width = picture.light.shape[:2]
    return 0, 0, width, height


def _crop_box(picture: Picture, crop: Crop | None) -> Box:
    if crop is None:
        return _whole_picture_box(picture)
    _, _, width, height = _whole_picture_box(picture)
    positions = zip(crop, (width, height) * 2, strict=True)
    left, top, right, bottom = (round(_to_pixels(c, side, picture)) for c, side in positions)
    if left < right <= width and top < bottom <= height:
        return left, top, right, bottom
    flaw = "extends beyond" if right > width or bottom > height else "is empty in"
    line = f"crop {crop} {flaw} {picture.name!r}, which has {width}x{height} pixels"
    raise OptionError(line, "crop", picture.name)


def _to_pixels(position: Position, side: int, picture: Picture) -> float:
    """Return a position in pixels of the picture's light, whose side has so many of them."""
    return position.to_pixels(side * picture.reduction) / picture.reduction


def _box_around_focus(picture: Picture, focus: Focus, aspect: float | None) -> PicturePart:
    """Return the part of a picture around the point or the face that ``focus`` selects."""
    height, width = picture.light.shape[:2]
    aspect = width / height if aspect is None else aspect
    largest = min(width, height * aspect)  # width of the largest part with this aspect ratio
    if not isinstance(focus.on, str):
        sides = zip(focus.on, (width, height), strict=True)
        x, y = (_to_pixels(position, side, picture) for position, side in sides)
        if x > width or y > height:
            outside = f"lies outside the {width}x{height} pixels of {picture.name!r}"
            raise OptionError(f"focus {focus} {outside}", "focus", picture.name)
        wide = largest / (focus.zoom or DEFAULT_ZOOM)
        return PicturePart(box=_centred_box(picture, x, y, wide, aspect))
    if face := _find_face(picture, focus):
        left, top, right, bottom = face
        wide = HEAD_PER_FACE * max((bottom - top) * aspect, right - left) / (focus.zoom or 1)
        middle = (left + right) / 2, (top + bottom) / 2
        return PicturePart(box=_centred_box(picture, *middle, wide, aspect), has_face=True)
    return PicturePart(box=_whole_picture_box(picture), has_face=False)


def _centred_box(picture: Picture, x: float, y: float, wide: float, aspect: float) -> Box:
    """Return the box of a width and aspect ratio, inside the picture, centred nearest to (x, y)."""
    height, width = picture.light.shape[:2]
    wide = min(wide, width, height * aspect)
    across, down = max(1, round(wide)), max(1, min(height, round(wide / aspect)))
    left = min(max(0, round(x - across / 2)), width - across)
    top = min(max(0, round(y - down / 2)), height - down)
    return left, top, left + across, top + down


def _find_face(picture: Picture, focus: Focus) -> Box | None:
    """Return the box of the largest face in a picture, or None."""
    if not can_find_faces():
        if focus.on != FACE:
            return None
        raise OptionError(
            f"focus {FACE} needs OpenCV 4: {INSTALL_OPENCV}; or set focus to a point such as "
            f"45%,30%, or to {AUTO}",
            "focus",
            picture.name,
        )
    grey, scale = grey_for_search(picture)
    face = find_largest_face(grey)
    if face is None:
        return None
    left, top, right, bottom = (round(side * scale) for side in face)
    return left, top, right, bottom


def grey_for_search(picture: Picture) -> tuple[npt.NDArray[np.float64], float]:
    """Return a picture in grey, sRGB-encoded and reduced in size, and the reduction factor."""
    light = picture.light
    light = light if light.ndim == 2 else light @ np.array(LUMINANCE_WEIGHTS, np.float32)
    scale = max(1.0, max(light.shape) / SEARCH_SIDE)
    size = [max(1, round(length / scale)) for length in light.shape[::-1]]
    small = Image.fromarray(light).resize(size, Image.Resampling.BOX)
    return encode_srgb(np.clip(np.asarray(small), 0, 1)), scale
