"""The plain ground of a drawing: more of it beside the drawing is better than a part cut off."""

from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from lightsanim.options.settings import Settings
from lightsanim.pictures.crop import Box, part_of
from lightsanim.pictures.light import Floats, encode_srgb
from lightsanim.pictures.picture import Picture

Encoded: TypeAlias = npt.NDArray[np.floating[Any]]

# How far, in encoded values, a pixel may be from the ground; the share of an edge that must not be,
# of all four edges, which drawings may reach, and of what would be cut off that may be, as dust and
# the blocks of JPEGs are.
NEAR, PLAIN, MOSTLY, DUST = 0.04, 0.98, 0.6, 0.002

# Pixels of a side that are looked at.
ENOUGH = 1500


def ground_beside(light: Floats, box: Box, shape: float) -> Floats | None:
    """The light of the ground beside a drawing that would be cut to fill a board's shape.

    ``light``: (height, width) or (height, width, 3); ``box``: the part that is shown; ``shape``:
    width over height.  Returns (1 or 3,); None for what need not be cut, or has no plain ground.

    >>> drawing = np.ones((4, 8), np.float32)
    >>> drawing[1:3, 1:7] = 0
    >>> ground_beside(drawing, (0, 0, 8, 4), 1), ground_beside(drawing, (0, 0, 8, 4), 2)
    (array([1.], dtype=float32), None)
    """
    left, top, right, bottom = box
    every = 1 + max(right - left, bottom - top) // ENOUGH
    part = light[top:bottom:every, left:right:every]
    part = part.reshape(*part.shape[:2], -1)
    height, width = part.shape[:2]
    # Lines from one of the edges that stay to the other; some would be cut off on both sides.
    is_wide = width > height * shape
    lines = part.swapaxes(0, 1) if is_wide else part
    cut = (len(lines) - int(height * shape if is_wide else width / shape)) // 2
    if cut < 1:
        return None
    edges = encode_srgb(lines[:, [0, -1]])
    ground = np.median(edges, axis=(0, 1))
    if _off(edges, ground) > 1 - PLAIN:
        return None
    if _off(encode_srgb(lines[[*range(cut), *range(-cut, 0)]]), ground) <= DUST:
        return None
    return np.asarray(np.median(lines[:, [0, -1]], axis=(0, 1)), np.float32)


def on_dark(picture: Picture, settings: Settings, shape: float) -> tuple[Picture, str | None]:
    """The picture, inverted where it stands on a light ground in dark room; and a line on that."""
    if settings.invert or settings.room in (None, 1):
        return picture, None
    light = np.atleast_3d(part_of(picture, settings, shape).of(picture).light)
    edges = encode_srgb(np.concatenate([light[0], light[-1], light[:, 0], light[:, -1]]))
    ground = np.median(edges, axis=0)
    if ground.mean() < 0.5 or _off(edges, ground) > 1 - MOSTLY:
        return picture, None
    inverted = replace(picture, own={**picture.own, "invert": True})
    return inverted, "stands on a light ground, and is inverted"


def _off(encoded: Encoded, ground: Encoded) -> float:
    # The share of pixels that are not of the ground.
    return float((np.abs(encoded - ground) > NEAR).any(axis=-1).mean())
