"""Find the part of a picture that is shown: a crop, or the surroundings of a point or face.

Faces are found with OpenCV's Haar cascade, if OpenCV is installed.

P. Viola and M. Jones, "Rapid object detection using a boosted cascade of simple features", CVPR
(2001) I-511 .. I-518.
"""

import threading
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from PIL import Image

from lightsanim.errors import OptionError
from lightsanim.options.choices import AUTO
from lightsanim.options.stages import PictureOptions
from lightsanim.options.values import FACE, Crop, Focus, Position
from lightsanim.pictures.light import LUMINANCE_WEIGHTS, encode_srgb
from lightsanim.pictures.picture import Picture

Box: TypeAlias = tuple[int, int, int, int]
"""Left, top, right and bottom edge of a rectangle, in pixels."""

# Zoom factor for a focus on a point if the option ``focus`` states no zoom.
DEFAULT_ZOOM = 2.0
# Height of the shown part as a multiple of the detected face's; includes hair, chin and neck.
HEAD_PER_FACE = 2.0
# Longer side, in pixels, to which a picture is reduced for the search for faces and subjects.
SEARCH_SIDE = 640
# The only frontal-face cascade of OpenCV that does not mistake coins and moons for faces.
CASCADE_FILE = "haarcascade_frontalface_alt2.xml"
# Ratio between successive face sizes that are searched for; overlapping detections that confirm a
# face; side of the smallest detectable face, as a share of the picture's shorter side.
SCALE_STEP, MIN_AGREEING, MIN_FACE_SHARE = 1.1, 5, 1 / 20
# Only one thread at a time may import OpenCV or use its cascade.
_OPENCV_LOCK = threading.Lock()


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
    crop = Crop(*(Position(side, False) for side in part.box)) if part.has_face else options.crop
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
    left, top, right, bottom = (round(c.to_pixels(side)) for c, side in positions)
    if left < right <= width and top < bottom <= height:
        return left, top, right, bottom
    flaw = "extends beyond" if right > width or bottom > height else "is empty in"
    line = f"crop {crop} {flaw} {picture.name!r}, which has {width}x{height} pixels"
    raise OptionError(line, "crop", picture.name)


def _box_around_focus(picture: Picture, focus: Focus, aspect: float | None) -> PicturePart:
    """Return the part of a picture around the point or the face that ``focus`` selects."""
    height, width = picture.light.shape[:2]
    aspect = width / height if aspect is None else aspect
    largest = min(width, height * aspect)  # width of the largest part with this aspect ratio
    if not isinstance(focus.on, str):
        x, y = focus.on[0].to_pixels(width), focus.on[1].to_pixels(height)
        if x > width or y > height:
            outside = f"lies outside the {width}x{height} pixels of {picture.name!r}"
            raise OptionError(f"focus {focus} {outside}", "focus", picture.name)
        wide = largest / (focus.zoom or DEFAULT_ZOOM)
        return PicturePart(box=_centred_box(picture, x, y, wide, aspect))
    if face := _find_face(picture, focus):
        left, top, right, bottom = face
        wide = HEAD_PER_FACE * max((bottom - top) * aspect, right - left)
        wide = largest / focus.zoom if focus.zoom else wide
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
    """Return the box of the widest face in a picture, brows to mouth, or None."""
    if not can_find_faces():
        if focus.on != FACE:
            return None
        raise OptionError(
            f"focus {FACE} needs OpenCV; install it with pip install lightsanim[faces], or set "
            f"focus to a point such as 45%,30%, or to {AUTO}",
            "focus",
            picture.name,
        )
    grey, scale = grey_for_search(picture)
    pixels = np.rint(grey * 255).astype(np.uint8)
    side = max(1, round(min(pixels.shape) * MIN_FACE_SHARE))
    with _OPENCV_LOCK:
        find = _load_cascade().detectMultiScale
        faces = find(pixels, SCALE_STEP, MIN_AGREEING, minSize=(side, side))
    if not len(faces):
        return None
    x, y, width, height = max(faces, key=lambda face: face[2]).tolist()
    left, top, right, bottom = (round(n * scale) for n in (x, y, x + width, y + height))
    return left, top, right, bottom


def can_find_faces() -> bool:
    """Return whether a version of OpenCV with cascades is installed."""
    with _OPENCV_LOCK:
        return _load_cascade() is not None


@cache
def _load_cascade() -> Any:
    # Returns None without OpenCV, and with OpenCV 5, which has no cascades.
    try:
        from cv2 import CascadeClassifier, data
    except ImportError:
        return None
    return CascadeClassifier(data.haarcascades + CASCADE_FILE)


def grey_for_search(picture: Picture) -> tuple[npt.NDArray[np.float64], float]:
    """Return a picture in grey, sRGB-encoded and reduced in size, and the reduction factor."""
    light = picture.light
    light = light if light.ndim == 2 else light @ np.array(LUMINANCE_WEIGHTS, np.float32)
    scale = max(1.0, max(light.shape) / SEARCH_SIDE)
    size = [max(1, round(length / scale)) for length in light.shape[::-1]]
    small = Image.fromarray(light).resize(size, Image.Resampling.BOX)
    return encode_srgb(np.clip(np.asarray(small), 0, 1)), scale
