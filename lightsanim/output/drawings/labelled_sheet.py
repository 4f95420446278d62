"""A contact sheet of labelled images in groups."""

from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw, ImageFont

TILES_PER_ROW = 6
# Margin of the sheet, space between images, and minimum width of a column of images, in pixels.
MARGIN, GUTTER = 48, 28
MIN_COLUMN_WIDTH = 240
PAPER, INK, FADED, ACCENT = "#dcd8cf", "#1f1d1a", "#5c5850", "#c8371a"
# Font sizes of the title, of headings, labels and notes, in pixels.
TITLE, HEADING, LABEL, NOTE = 46, 28, 20, 13
# Line height divided by font size.
LEADING = 1.45
# Diameter of the dot before a label, and space between an image and its label, in pixels.
DOT, SPACE = 10, 8


@dataclass(frozen=True, kw_only=True, eq=False)
class SheetTile:
    """An image of any size with its label."""

    image: Image.Image
    label: str  # Text under the image.
    note: str = ""  # Small text under the label.
    marked: bool = False  # Whether the label has a dot.


def draw_labelled_sheet(
    first: Image.Image,
    title: str,
    lines: Sequence[str],
    groups: Sequence[tuple[str, Sequence[SheetTile]]],
) -> Image.Image:
    """Draw a sheet with a heading (an image, a title and lines of text) and groups of images."""
    tiles = [tile for _, group in groups for tile in group]
    column = max(MIN_COLUMN_WIDTH, first.width, *(tile.image.width for tile in tiles))
    width = 2 * MARGIN + TILES_PER_ROW * column + (TILES_PER_ROW - 1) * GUTTER

    def draw_sheet_at_height(height: int) -> tuple[Image.Image, int]:
        # Return the sheet and the height that its contents need.
        sheet = Image.new("RGB", (width, height), PAPER)
        bottom = _draw_heading(sheet, first, title, lines)
        for heading, group in groups:
            for start in range(0, len(group), TILES_PER_ROW):
                row = group[start : start + TILES_PER_ROW]
                bottom = _draw_row(sheet, bottom, "" if start else heading, row, column)
        return sheet, bottom + MARGIN

    _, height = draw_sheet_at_height(1)
    return draw_sheet_at_height(height)[0]


def _draw_text(
    sheet: Image.Image, x: int, y: int, text: str, size: int, colour: str, width: int
) -> None:
    # Draw a line of text; text that is too long is cut and ends in an ellipsis.
    font = ImageFont.load_default(size)
    line = "".join(letter if letter.isprintable() else "?" for letter in text)
    while line and font.getlength(line) > width:
        line = line.removesuffix("...")[:-1] + "..." if len(line) > 3 else ""
    ImageDraw.Draw(sheet).text((x, y), line, colour, font)


def _line_height(size: int) -> int:
    return round(size * LEADING)


def _draw_heading(sheet: Image.Image, first: Image.Image, title: str, lines: Sequence[str]) -> int:
    # Draw the heading of the sheet, and return the y coordinate of its lower edge.
    sheet.paste(first, (MARGIN, MARGIN))
    left, y = MARGIN + first.width + GUTTER, MARGIN - SPACE
    width = sheet.width - MARGIN - left
    _draw_text(sheet, left, y, title, TITLE, INK, width)
    y += _line_height(TITLE)
    for line in lines:
        _draw_text(sheet, left, y, line, LABEL, FADED, width)
        y += _line_height(LABEL)
    return max(MARGIN + first.height, y + SPACE)


def _draw_row(
    sheet: Image.Image, top: int, heading: str, row: Sequence[SheetTile], column: int
) -> int:
    # Draw a row of images, and return the y coordinate of its lower edge.
    pen = ImageDraw.Draw(sheet)
    if heading:
        rule = top + GUTTER // 2
        pen.line((MARGIN, rule, sheet.width - MARGIN, rule), FADED)
        _draw_text(sheet, MARGIN, top + GUTTER, heading, HEADING, INK, TILES_PER_ROW * column)
        top += GUTTER + _line_height(HEADING) + SPACE
    bottom = top + max(tile.image.height for tile in row)
    for index, tile in enumerate(row):
        left = MARGIN + index * (column + GUTTER)
        sheet.paste(tile.image, (left, bottom - tile.image.height))
        indent, colour, label = 0, FADED, bottom + SPACE
        if tile.marked:
            indent, colour, dot = DOT + SPACE, INK, label + (_line_height(LABEL) - DOT) // 2
            pen.ellipse((left, dot, left + DOT, dot + DOT), ACCENT)
        _draw_text(sheet, left + indent, label, tile.label, LABEL, colour, column - indent)
        _draw_text(sheet, left, label + _line_height(LABEL), tile.note, NOTE, FADED, column)
    notes = _line_height(NOTE) if any(tile.note for tile in row) else 0
    return bottom + SPACE + _line_height(LABEL) + notes + GUTTER
