"""Draw texts, as large as fits, with letters of lit cells."""

import math
from bisect import bisect_left
from functools import lru_cache
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from lightsanim.game.algebra.linear import Bits
from .font import FONT_FILE

MIN_FONT_SIZE = 8  # Cells; the letters of smaller fonts are not legible.


def draw_text(text: str, rows: int, columns: int, margin: int) -> Bits:
    """Draw the box around the letters: bool (height, width), True = lit.

    Where there is room, the box leaves a margin of some cells at each side.
    """

    def is_too_large(size: int) -> bool:
        left, top, right, bottom = text_box(text, size)
        return max(bottom - top - rows, right - left - columns) > -2 * margin

    sizes = range(MIN_FONT_SIZE, 2 * max(rows, columns))
    size = sizes[max(bisect_left(sizes, True, key=is_too_large), 1) - 1]
    left, top, right, bottom = text_box(text, size)
    image = Image.new("1", (right - left, bottom - top))
    ImageDraw.Draw(image).multiline_text((-left, -top), text, 1, **_text_options(size))
    return np.array(image.crop(image.getbbox()))


@lru_cache
def text_box(text: str, size: int = MIN_FONT_SIZE) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom of the ink, in cells, with a font of some size."""
    drawing = ImageDraw.Draw(Image.new("1", (1, 1)))
    left, top, right, bottom = drawing.multiline_textbbox((0, 0), text, **_text_options(size))
    return math.floor(left), math.floor(top), math.ceil(right), math.ceil(bottom)


def _text_options(size: int) -> dict[str, Any]:
    font = ImageFont.truetype(FONT_FILE, size, layout_engine=ImageFont.Layout.BASIC)
    return {"font": font, "spacing": size // 4, "align": "center"}
