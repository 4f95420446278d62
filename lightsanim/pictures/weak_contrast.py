"""Recognise pictures of weak contrast, such as the surface of the moon, and strengthen it.

Most of their tones are a narrow part of the range, and neighbours hardly differ.  On two levels,
error diffusion turns them into even noise, in which a crater or a vein is lost.
"""

from typing import Any

import attrs
import numpy as np

from lightsanim.board.board import Board
from lightsanim.look.blur import blur_by_gaussian
from lightsanim.options.choices import ATKINSON
from lightsanim.options.settings import Settings
from lightsanim.pictures.grey import MIN_TONE_SPAN, SHARPEN_RADIUS, find_quantiles, grey_for_board
from lightsanim.pictures.picture import Picture

# Maximum difference of the first and third quartile of the grey values, 0 to 1, and of a cell from
# its surroundings, on average.  Chosen by eye, as the rest, from 40 pictures, 150 parts of
# photographs, and 100 faces, at 100 cells a side.
MAX_TONE_SPREAD, MAX_LOCAL_CONTRAST = 0.3, 0.048
# Maximum number of cells: on larger boards, noise is finer, and neighbours differ less.
MAX_CELLS = 20_000
# Local contrast of such pictures.
STRONG_DETAIL = 5.0
# Maximum median of dark pictures, and minimum median of light ones; between, faces turn harsh.
MAX_DARK_MEDIAN, MIN_LIGHT_MEDIAN = 0.29, 0.6
# Gamma that clears the ground of light pictures; dark ones are not darkened.
LIGHT_GAMMA = 1.5


def options_for_weak_contrast(picture: Picture, options: Settings, board: Board) -> dict[str, Any]:
    """Return options that strengthen the contrast of a picture if it is weak, else none."""
    is_free = options.detail is None and options.autocontrast and options.gamma == 1
    if not is_free or options.levels > 2 or board.rows * board.columns > MAX_CELLS:
        return {}
    plain = attrs.evolve(options, detail=0.0, invert=False, tone="srgb")
    grey = grey_for_board(picture, board.rows, board.columns, plain)
    low, median, high = find_quantiles(grey, np.array([0.25, 0.5, 0.75]))
    # Only cells between black and white become noise, most of all those in the middle.
    noise, contrast = grey * (1 - grey), np.abs(grey - blur_by_gaussian(grey, SHARPEN_RADIUS))
    is_weak = (noise * contrast).sum() < MAX_LOCAL_CONTRAST * noise.sum()
    is_narrow = MIN_TONE_SPAN < high - low < MAX_TONE_SPREAD
    if not (is_weak and is_narrow) or MAX_DARK_MEDIAN < median < MIN_LIGHT_MEDIAN:
        return {}
    own = {"dither": ATKINSON, "detail": STRONG_DETAIL}
    return own if median <= MAX_DARK_MEDIAN else {**own, "gamma": LIGHT_GAMMA}
