"""The font of drawings, which PDFs embed, and the widths of its letters.

The font's file, licence and origin are in this folder.  The font has Latin, Greek and Cyrillic
letters; programs that display an SVG take other letters from fonts of their own.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

FONT = "DejaVu Sans Condensed"
FONT_FILE = Path(__file__).with_name(f"{FONT.replace(' ', '')}.ttf")
# Width of the outline that makes letters bold, as a share of the font size.
BOLD_PEN = 0.03


def text_width(words: str, height: float) -> float:
    """Return the width of a text; a letter that the font lacks counts as wide as it is high."""
    widths = (_letter_widths().get(letter, 1000 * letter.isprintable()) for letter in words)
    return sum(widths) / 1000 * height


def missing_letters(words: str) -> str:
    """Return the letters of a text that are missing in the font, without repetition."""
    return "".join(dict.fromkeys(letter for letter in words if letter not in _letter_widths()))


@cache
def _letter_widths() -> Mapping[str, float]:
    # Return the width of each letter, in thousandths of the font size.
    from fpdf import FPDF  # fpdf is imported late, because this takes 0.2 s
    from fpdf.fonts import TTFFont

    font = TTFFont(FPDF(), FONT_FILE, FONT, "")
    widths = {chr(code): font.cw[code] for code in font.cmap}
    font.close()
    return widths
