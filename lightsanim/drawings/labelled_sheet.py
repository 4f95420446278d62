"""A sheet of images in groups, each image with its label."""

from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw, ImageFont

ACROSS = 6
MARGIN, GUTTER = 48, 28
COLUMN = 240

PAPER, INK, FADED, ACCENT = "#dcd8cf", "#1f1d1a", "#5c5850", "#c8371a"
TITLE, HEADING, LABEL, NOTE = 46, 28, 20, 13

# Heights of lines, in shares of the size of their letters.
LEADING = 1.45
# Of the dot before a label, and between what belongs together.
DOT, SPACE = 10, 8


@dataclass(frozen=True, kw_only=True, eq=False)
class Tile:
    """An image with its label."""

    image: Image.Image  # of any size
    label: str  # under it
    note: str = ""  # in small letters under the label
    marked: bool = False  # whether a dot marks the label


def labelled_sheet(
    first: Image.Image,
    title: str,
    lines: Sequence[str],
    groups: Sequence[tuple[str, Sequence[Tile]]],
) -> Image.Image:
    """Draw a sheet."""
    tiles = [tile for _, group in groups for tile in group]
    column = max(COLUMN, first.width, *(tile.image.width for tile in tiles))
    width = 2 * MARGIN + ACROSS * column + (ACROSS - 1) * GUTTER

    def drawn(height: int) -> tuple[Image.Image, int]:
        # On a sheet of a height, and the height that it takes.
        pen = _Pen(Image.new("RGB", (width, height), PAPER))
        bottom = _draw_head(pen, first, title, lines)
        for heading, group in groups:
            for start in range(0, len(group), ACROSS):
                row = group[start : start + ACROSS]
                bottom = _draw_row(pen, bottom, "" if start else heading, row, column)
        return pen.sheet, bottom + MARGIN

    _, height = drawn(1)
    return drawn(height)[0]


class _Pen:
    """Writes on a sheet."""

    def __init__(self, sheet: Image.Image) -> None:
        self.sheet = sheet
        self._draw = ImageDraw.Draw(sheet)

    def write(self, x: int, y: int, text: str, size: int, colour: str, width: int) -> None:
        """A line of text that ends in dots where it is too long."""
        font, shown = ImageFont.load_default(size), _printable(text)
        while shown and font.getlength(shown) > width:
            shown = shown.removesuffix("...")[:-1] + "..." if len(shown) > 3 else ""
        self._draw.text((x, y), shown, colour, font)

    def dot(self, x: int, y: int) -> None:
        """A dot."""
        self._draw.ellipse((x, y, x + DOT, y + DOT), ACCENT)

    def rule(self, y: int) -> None:
        """A line from margin to margin."""
        self._draw.line((MARGIN, y, self.sheet.width - MARGIN, y), FADED)


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def _height(size: int) -> int:
    return round(size * LEADING)


def _draw_head(pen: _Pen, first: Image.Image, title: str, lines: Sequence[str]) -> int:
    # Returns where it ends.
    pen.sheet.paste(first, (MARGIN, MARGIN))
    left, y = MARGIN + first.width + GUTTER, MARGIN - SPACE
    width = pen.sheet.width - MARGIN - left
    pen.write(left, y, title, TITLE, INK, width)
    y += _height(TITLE)
    for line in lines:
        pen.write(left, y, line, LABEL, FADED, width)
        y += _height(LABEL)
    return max(MARGIN + first.height, y + SPACE)


def _draw_row(pen: _Pen, top: int, heading: str, row: Sequence[Tile], column: int) -> int:
    # Returns where it ends.
    if heading:
        pen.rule(top + GUTTER // 2)
        pen.write(MARGIN, top + GUTTER, heading, HEADING, INK, ACROSS * column)
        top += GUTTER + _height(HEADING) + SPACE
    bottom = top + max(tile.image.height for tile in row)
    for place, tile in enumerate(row):
        left = MARGIN + place * (column + GUTTER)
        pen.sheet.paste(tile.image, (left, bottom - tile.image.height))
        indent = DOT + SPACE if tile.marked else 0
        if tile.marked:
            pen.dot(left, bottom + SPACE + (_height(LABEL) - DOT) // 2)
        colour = INK if tile.marked else FADED
        pen.write(left + indent, bottom + SPACE, tile.label, LABEL, colour, column - indent)
        pen.write(left, bottom + SPACE + _height(LABEL), tile.note, NOTE, FADED, column)
    notes = _height(NOTE) if any(tile.note for tile in row) else 0
    return bottom + SPACE + _height(LABEL) + notes + GUTTER
