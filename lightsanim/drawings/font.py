"""The letters of drawings: how wide they are, and a font that PDFs embed.

The font's file is beside this one, as are its licence and how it was made.  It has Latin, Greek and
Cyrillic; for other letters in an SVG, programs that show it have fonts of their own.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

FONT = "DejaVu Sans Condensed"
FONT_FILE = Path(__file__).with_name(f"{FONT.replace(' ', '')}.ttf")

# The width of the pen that goes round bold letters, in heights.
BOLD_PEN = 0.03


def text_width(words: str, height: float) -> float:
    """How wide words are; letters that the font lacks are taken to be as wide as high.

    >>> [text_width(text, 1000) for text in ("A", "\\u0141\\u00f3d\\u017a", "\\u4e00")]
    [615.0, 2098.0, 1000.0]
    """
    widths = (_letter_widths().get(letter, 1000 * letter.isprintable()) for letter in words)
    return sum(widths) / 1000 * height


def missing_letters(words: str) -> str:
    """The letters of a text that the font lacks, each once."""
    return "".join(dict.fromkeys(letter for letter in words if letter not in _letter_widths()))


@cache
def _letter_widths() -> Mapping[str, float]:
    # Of each letter, in thousandths of the height.
    from fpdf import FPDF  # takes a fifth of a second
    from fpdf.fonts import TTFFont

    font = TTFFont(FPDF(), FONT_FILE, FONT, "")
    widths = {chr(code): font.cw[code] for code in font.cmap}
    font.close()
    return widths
