"""The plain ground of a drawing: more of it beside the drawing is better than a part cut off."""

from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from lightsanim.options.settings import Settings
from lightsanim.pictures.crop import Box, find_picture_part
from lightsanim.pictures.light import Light, encode_srgb
from lightsanim.pictures.picture import Picture

Encoded: TypeAlias = npt.NDArray[np.floating[Any]]

# How far, in encoded values, a pixel may be from the ground; the share of an edge that must not be,
# of all four edges, which drawings may reach, and of what would be cut off that may be, as dust and
# the blocks of JPEGs are.
GROUND_TOLERANCE, MIN_EDGE_GROUND, MIN_BORDER_GROUND, MAX_DUST = 0.04, 0.98, 0.6, 0.002

# Pixels of a side that are looked at.
MAX_SAMPLED_SIDE = 1500


def find_extendable_ground(light: Light, box: Box, aspect: float) -> Light | None:
    """The light of the ground beside a drawing that would be cut to fill a board's shape.

    ``light``: (height, width) or (height, width, 3); ``box``: the part that is shown; ``aspect``:
    width over height.  Returns (1 or 3,); None for what need not be cut, or has no plain ground.

    >>> drawing = np.ones((4, 8), np.float32)
    >>> drawing[1:3, 1:7] = 0
    >>> [find_extendable_ground(drawing, (0, 0, 8, 4), aspect) for aspect in (1, 2)]
    [array([1.], dtype=float32), None]
    """
    left, top, right, bottom = box
    stride = 1 + max(right - left, bottom - top) // MAX_SAMPLED_SIDE
    part = light[top:bottom:stride, left:right:stride]
    part = part.reshape(*part.shape[:2], -1)
    height, width = part.shape[:2]
    # Lines from one of the edges that stay to the other; some would be cut off on both sides.
    is_wide = width > height * aspect
    lines = part.swapaxes(0, 1) if is_wide else part
    cut = (len(lines) - int(height * aspect if is_wide else width / aspect)) // 2
    if cut < 1:
        return None
    edges = encode_srgb(lines[:, [0, -1]])
    ground = np.median(edges, axis=(0, 1))
    if _foreground_share(edges, ground) > 1 - MIN_EDGE_GROUND:
        return None
    if _foreground_share(encode_srgb(lines[[*range(cut), *range(-cut, 0)]]), ground) <= MAX_DUST:
        return None
    return np.asarray(np.median(lines[:, [0, -1]], axis=(0, 1)), np.float32)


def invert_on_light_ground(
    picture: Picture, settings: Settings, aspect: float
) -> tuple[Picture, str | None]:
    """The picture, inverted where it stands on a light ground in dark room; and a line on that."""
    if settings.invert or settings.room in (None, 1):
        return picture, None
    light = np.atleast_3d(
        find_picture_part(picture, settings, aspect).cut_from_picture(picture).light
    )
    edges = encode_srgb(np.concatenate([light[0], light[-1], light[:, 0], light[:, -1]]))
    ground = np.median(edges, axis=0)
    if ground.mean() < 0.5 or _foreground_share(edges, ground) > 1 - MIN_BORDER_GROUND:
        return picture, None
    inverted = replace(picture, own={**picture.own, "invert": True})
    return inverted, "stands on a light ground, and is inverted"


def _foreground_share(encoded: Encoded, ground: Encoded) -> float:
    return float((np.abs(encoded - ground) > GROUND_TOLERANCE).any(axis=-1).mean())
