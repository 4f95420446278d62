"""The part of a picture that is shown: cut out by a crop, or around what one looks at."""

from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from PIL import Image

from lightsanim.errors import OptionError
from lightsanim.options.choices import AUTO_FIT
from lightsanim.options.stages import PictureOptions
from lightsanim.options.values import AUTO, FACE, Crop, Focus, Position
from lightsanim.pictures.faces import can_find_faces, largest_face
from lightsanim.pictures.light import LUMINANCE, encode_srgb
from lightsanim.pictures.picture import Picture

Box: TypeAlias = tuple[int, int, int, int]
"""Left, top, right and bottom, in pixels."""

# How many times closer one looks at a point where no zoom is given.
ZOOM = 2.0

# A face is shown with hair, chin and neck: the part is this many times as high as the square in
# which it was found, which leads from the brows to below the mouth.
HEAD = 2.0

# Pixels of the longer side in which faces are looked for.
FACES_SIDE = 640


@dataclass(frozen=True, kw_only=True)
class Part:
    """A part of a picture."""

    box: Box  # its edges, in pixels of the whole picture
    has_face: bool | None = None  # whether a face was found, where one was looked for

    def of(self, picture: Picture) -> Picture:
        """The part itself."""
        if self.box == _whole(picture):
            return picture
        left, top, right, bottom = self.box
        return replace(picture, light=picture.light[top:bottom, left:right])


def cropped(picture: Picture, crop: Crop | None) -> Picture:
    """The part of a picture that a crop leaves."""
    return Part(box=_box_of_crop(picture, crop)).of(picture)


def part_of(picture: Picture, options: PictureOptions, shape: float) -> Part:
    """The part of a picture that a crop, and then a focus in it, leave."""
    box = _box_of_crop(picture, options.crop)
    if options.focus is None:
        return Part(box=box)
    inside, (x, y, *_) = Part(box=box).of(picture), box
    part = _around(inside, options.focus, shape if options.fit in (AUTO_FIT, "cover") else None)
    left, top, right, bottom = part.box
    return replace(part, box=(left + x, top + y, right + x, bottom + y))


def with_found_part(
    picture: Picture, options: PictureOptions, shape: float
) -> tuple[Picture, str | None]:
    """The picture with a crop of its own in place of a focus for which it had to be searched.

    Whoever makes the picture again then gets the same part, whatever is found there.  And a line on
    what was found.
    """
    if options.focus is None or not isinstance(options.focus.on, str):
        return picture, None
    part = part_of(picture, options, shape)
    crop = Crop(*(Position(side, False) for side in part.box)) if part.has_face else options.crop
    said = f"shows a face: crop {crop}" if part.has_face else None
    if options.focus.on == FACE and not part.has_face:
        said = "has no face that could be found"
    return replace(picture, own={**picture.own, "crop": crop, "focus": None}), said


def _whole(picture: Picture) -> Box:
    height, width = picture.light.shape[:2]
    return 0, 0, width, height


def _box_of_crop(picture: Picture, crop: Crop | None) -> Box:
    if crop is None:
        return _whole(picture)
    _, _, width, height = _whole(picture)
    sides = width, height, width, height
    left, top, right, bottom = (round(c.pixels(side)) for c, side in zip(crop, sides, strict=True))
    if right > width or bottom > height:
        wrong = "leads out of"
    elif left >= right or top >= bottom:
        wrong = "is empty in"
    else:
        return left, top, right, bottom
    line = f"crop {crop} {wrong} {picture.name!r}, which is {width}x{height}"
    raise OptionError(line, "crop", picture.name)


def _around(picture: Picture, focus: Focus, shape: float | None) -> Part:
    """The part around what one looks at."""
    height, width = picture.light.shape[:2]
    shape = width / height if shape is None else shape
    largest = min(width, height * shape)  # as wide as a part of this shape can be
    if not isinstance(focus.on, str):
        x, y = focus.on[0].pixels(width), focus.on[1].pixels(height)
        if x > width or y > height:
            outside = f"lies outside the {width}x{height} pixels of {picture.name!r}"
            raise OptionError(f"focus {focus} {outside}", "focus", picture.name)
        return Part(box=_centred_box(picture, x, y, largest / (focus.zoom or ZOOM), shape))
    if face := _face(picture, focus):
        left, top, right, bottom = face
        wide = HEAD * max((bottom - top) * shape, right - left)
        wide = largest / focus.zoom if focus.zoom else wide
        middle = (left + right) / 2, (top + bottom) / 2
        return Part(box=_centred_box(picture, *middle, wide, shape), has_face=True)
    return Part(box=_whole(picture), has_face=False)


def _centred_box(picture: Picture, x: float, y: float, wide: float, shape: float) -> Box:
    """The box of this width and shape whose middle comes nearest to a point."""
    height, width = picture.light.shape[:2]
    wide = min(wide, width, height * shape)
    across, down = max(1, round(wide)), max(1, min(height, round(wide / shape)))
    left = min(max(0, round(x - across / 2)), width - across)
    top = min(max(0, round(y - down / 2)), height - down)
    return left, top, left + across, top + down


def _face(picture: Picture, focus: Focus) -> Box | None:
    """The largest face, if there is one."""
    if focus.on == FACE and not can_find_faces():
        raise OptionError(
            f"focus {FACE} needs OpenCV, which comes with lightsanim[faces]; without it name a "
            f"point, such as 45%,30%, or take {AUTO}",
            "focus",
            picture.name,
        )
    grey, scale = _small_grey(picture)
    face = largest_face(grey) if can_find_faces() else None
    if face is None:
        return None
    left, top, right, bottom = (round(side * scale) for side in face)
    return left, top, right, bottom


def _small_grey(picture: Picture) -> tuple[npt.NDArray[np.float64], float]:
    """Encoded grey in which faces are looked for, and the pixels of the picture for each."""
    light = picture.light
    light = light if light.ndim == 2 else light @ np.array(LUMINANCE, np.float32)
    scale = max(1.0, max(light.shape) / FACES_SIDE)
    size = [max(1, round(length / scale)) for length in light.shape[::-1]]
    small = Image.fromarray(light).resize(size, Image.Resampling.BOX)
    return encode_srgb(np.clip(np.asarray(small), 0, 1)), scale
