"""Plain backgrounds ("grounds") of drawings: extended to the board's shape, or inverted."""

from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from lightsanim.options.stages import PictureOptions
from .crop import Box, find_picture_part
from .light import Light, encode_srgb
from .picture import Picture

Encoded: TypeAlias = npt.NDArray[np.floating[Any]]

# A pixel counts as ground if its sRGB values, 0 to 1, differ from the ground by at most this.
GROUND_TOLERANCE = 0.04
# Minimum share of ground pixels on the two edges that would be extended.
MIN_EDGE_GROUND = 0.98
# Minimum share of ground pixels on all four edges for inverting; a drawing may touch an edge.
MIN_BORDER_GROUND = 0.6
# Maximum share of other pixels, such as dust and JPEG artefacts, in parts that may be cut off.
MAX_DUST = 0.002
# Maximum number of pixels examined along a side.
MAX_SAMPLED_SIDE = 1500


def find_extendable_ground(light: Light, box: Box, aspect: float) -> Light | None:
    """Return the light of a drawing's plain ground, (1,) or (3,), if "cover" would cut the drawing.

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
    # Lines are columns of a wide picture, rows of a tall one; "cover" would cut `cut` at each end.
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
    picture: Picture, options: PictureOptions, aspect: float
) -> tuple[Picture, str | None]:
    """Invert a grey picture on a light ground, for a board that pads it with dark cells."""
    if picture.word.is_drawn or options.invert or options.spot:
        return picture, None
    part = find_picture_part(picture, options, aspect)
    light = np.atleast_3d(part.cut_from_picture(picture).light)
    edges = encode_srgb(np.concatenate([light[0], light[-1], light[:, 0], light[:, -1]]))
    ground = np.median(edges, axis=0)
    if ground.mean() < 0.5 or _foreground_share(edges, ground) > 1 - MIN_BORDER_GROUND:
        return picture, None
    inverted = replace(picture, own={**picture.own, "invert": True})
    return inverted, "has a light background and is inverted"


def _foreground_share(encoded: Encoded, ground: Encoded) -> float:
    return float((np.abs(encoded - ground) > GROUND_TOLERANCE).any(axis=-1).mean())
