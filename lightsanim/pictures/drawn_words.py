"""Draw pictures from words: ``text:HELLO`` and ``qr:URL``, cell by cell for each board.

The cells are lit or unlit, so dithers and tones leave them as they are.
"""

import math
from bisect import bisect_left
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from lightsanim.errors import OptionError
from lightsanim.options.checks import quote_value
from lightsanim.options.choices import DRAWN_PREFIXES, QR_PREFIX, THRESHOLD
from .font import FONT_FILE, missing_letters

Bits = npt.NDArray[np.bool_]

MIN_FONT_SIZE = 8  # Cells; the letters of smaller fonts are not legible.
TEXT_MARGIN = 1  # Distance from a text to the board's edges, in cells; 0 where there is no room.
QUIET_ZONE = 4  # Width of the light border of a QR code, in modules (ISO/IEC 18004).
NOMINAL_SCALE = 8  # A drawn picture without a board is this many times as large as its least board.


def drawn_word(path: str) -> str:
    """Return the path if it is a word such as ``text:HELLO`` or ``qr:URL``; else ""."""
    return path if path.startswith(DRAWN_PREFIXES) else ""


def check_drawn_word(word: str, own: Iterable[str] = ()) -> None:
    """Raise OptionError if a word cannot be drawn, or for an option that does not apply to it."""
    kind = "a QR code" if word.startswith(QR_PREFIX) else "a text"
    for name in own:
        if name != "invert" or word.startswith(QR_PREFIX):
            raise OptionError(f"{name} does not apply to {kind}; leave it out", name)
    prefix, _, content = word.partition(":")
    if not content.replace("\\n", "").strip():
        raise OptionError(f"{kind} needs letters, as in {prefix}:HELLO, not {quote_value(word)}")
    if kind == "a text" and (missing := missing_letters(_text_of(word).replace("\n", ""))):
        raise OptionError(f"the font has no letter for {quote_value(missing[:9])}; leave it out")
    least_shape(word)


def drawn_options(word: str, transition: str) -> dict[str, Any]:
    """Return the options of a picture that replace those for all; none unless it is drawn."""
    if not word:
        return {}
    options = {"crop": None, "focus": None, "fit": "contain", "autocontrast": False, "detail": 0.0}
    options |= {"gamma": 1.0}
    options |= {"dither": THRESHOLD} if transition != "dissolve" else {}  # whose pictures share one
    return {**options, **({"invert": False} if word.startswith(QR_PREFIX) else {})}


def draw_cells(word: str, rows: int, columns: int) -> Bits:
    """Draw a word, as large as fits, on a board: bool (rows, columns), True = lit."""
    height, width = least_shape(word)
    if rows < height or columns < width:
        raise OptionError(
            f"{quote_value(word)} needs at least {width}x{height} cells, not {columns}x{rows}; "
            f"choose size {max(columns, width)}x{max(rows, height)} or more",
            "size",
        )
    if is_code := word.startswith(QR_PREFIX):
        side = min(rows, columns) // height
        cells = _qr_modules(word.removeprefix(QR_PREFIX)).repeat(side, axis=0).repeat(side, axis=1)
    else:
        cells = _draw_text(_text_of(word), rows, columns)
    margins = [(n // 2, n - n // 2) for n in np.subtract((rows, columns), cells.shape).tolist()]
    return np.pad(cells, margins, constant_values=is_code)


def draw_picture(word: str) -> Bits:
    """Draw a word without a board: bool (height, width), True = lit; check the word before."""
    check_drawn_word(word)
    margin = 0 if word.startswith(QR_PREFIX) else 2 * TEXT_MARGIN
    return draw_cells(word, *(NOMINAL_SCALE * (side + margin) for side in least_shape(word)))


@lru_cache
def least_shape(word: str) -> tuple[int, int]:
    """Return the least rows and columns of a board for a word; raise OptionError for a bad word.

    >>> least_shape("qr:HELLO"), least_shape("text:I")
    ((29, 29), (7, 3))
    """
    if word.startswith(QR_PREFIX):
        side = len(_qr_modules(word.removeprefix(QR_PREFIX))) + 2 * QUIET_ZONE
        return side, side
    left, top, right, bottom = _text_box(_text_of(word), MIN_FONT_SIZE)
    return bottom - top, right - left


@lru_cache
def _qr_modules(content: str) -> Bits:
    # Return the code's modules, True = light.
    import segno

    try:
        return np.array(segno.make(content, error="l", micro=False).matrix, bool) ^ True
    except ValueError as error:  # too long, or bytes that are not text
        limit = "a QR code must be a text of at most 2,953 bytes"
        raise OptionError(f"{limit}, not {quote_value(content)}") from error


def _text_of(word: str) -> str:
    return word.partition(":")[2].replace("\\n", "\n")


def _draw_text(text: str, rows: int, columns: int) -> Bits:
    # Returns the box around the letters.
    def is_too_large(size: int) -> bool:
        left, top, right, bottom = _text_box(text, size)
        return max(bottom - top - rows, right - left - columns) > -2 * TEXT_MARGIN

    sizes = range(MIN_FONT_SIZE, 2 * max(rows, columns))
    size = sizes[max(bisect_left(sizes, True, key=is_too_large), 1) - 1]
    left, top, right, bottom = _text_box(text, size)
    image = Image.new("1", (right - left, bottom - top))
    ImageDraw.Draw(image).multiline_text((-left, -top), text, 1, **_text_options(size))
    return np.array(image.crop(image.getbbox()))


def _text_box(text: str, size: int) -> tuple[int, int, int, int]:
    # Return left, top, right and bottom of the ink, in cells.
    drawing = ImageDraw.Draw(Image.new("1", (1, 1)))
    left, top, right, bottom = drawing.multiline_textbbox((0, 0), text, **_text_options(size))
    return math.floor(left), math.floor(top), math.ceil(right), math.ceil(bottom)


def _text_options(size: int) -> dict[str, Any]:
    font = ImageFont.truetype(FONT_FILE, size, layout_engine=ImageFont.Layout.BASIC)
    return {"font": font, "spacing": size // 4, "align": "center"}
