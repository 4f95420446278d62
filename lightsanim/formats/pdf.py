"""Drawings as PDF: a page of its size on paper for each, the same bytes every time."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from lightsanim.formats.drawing import Boxes, Drawing, Layer, Lines, Numbers, Strokes, Words
from lightsanim.formats.paper import INCH

if TYPE_CHECKING:  # loading it takes a fifth of a second, and pages some more
    from fpdf import FPDF

# Points of an inch; how far below its middle the line stands that a word is written on, in heights.
POINTS = 72
BASELINE = 0.36

# Of the fonts that every reader has: Western European, with dashes and quotation marks.
ENCODING = "cp1252"

# A document tells of a date; this is none on which a picture was made.
DATE = datetime(2000, 1, 1, tzinfo=UTC)


def write_pdf(drawing: Drawing, path: Path) -> None:
    """Write a drawing as a PDF.

    Args:
        drawing: what to write.
        path: of the file.
    """
    write_pages([drawing], path)


def write_pages(drawings: Sequence[Drawing], path: Path) -> None:
    """Write drawings as a PDF, each on a page of its own.

    Args:
        drawings: what to write, all of the same size and title.
        path: of the file.
    """
    from fpdf import FPDF

    from lightsanim.formats.page import sayable

    first = drawings[0]
    pdf = FPDF(unit=first.pixel * POINTS / INCH, format=(first.width, first.height))
    pdf.core_fonts_encoding = ENCODING
    pdf.set_creation_date(DATE)
    pdf.set_title(sayable(first.title))
    pdf.set_creator("lightsanim")
    for drawing in drawings:
        pdf.add_page()
        for layer in drawing.layers:
            _put(pdf, layer)
    pdf.output(str(path))


def width_of(words: str, height: float, *, bold: bool = False) -> float:
    """How wide words are; letters that the fonts lack are taken to be as wide as high.

    Args:
        words: a line.
        height: of the letters' bodies, in any unit.
        bold: whether the letters are.

    >>> width_of("A", 1000), width_of("A", 1000, bold=True), width_of("\u4e00", 1000)
    (667.0, 722.0, 1000.0)
    """
    from fpdf.fonts import CORE_FONTS_CHARWIDTHS

    widths = CORE_FONTS_CHARWIDTHS["helveticaB" if bold else "helvetica"]
    letters = words.encode(ENCODING, "replace").decode("latin-1")  # the table's keys
    known = zip(words, letters, strict=True)
    ems = (1000 if seen == "?" != word else widths.get(seen, 1000) for word, seen in known)
    return sum(ems) * height / 1000


def missing_letters(words: str) -> str:
    """The letters of a text that the fonts lack, each once.

    >>> missing_letters("Caf\u00e9 \u2013 \u4e2d\u6587")
    '\u4e2d\u6587'
    """
    missing = (letter for letter in words if not letter.encode(ENCODING, "ignore"))
    return "".join(dict.fromkeys(missing))


def _put(pdf: "FPDF", layer: Layer) -> None:
    if isinstance(layer, Words):
        _write(pdf, layer)
    elif isinstance(layer, Strokes):
        _draw_lines(pdf, layer, layer.strokes[:, [0, 1, 2, 1]])
    elif isinstance(layer, Lines):
        _draw_lines(pdf, layer, layer.lines)
    else:
        _draw(pdf, layer)


def _draw_lines(pdf: "FPDF", layer: Lines | Strokes, lines: Numbers) -> None:
    _take_pen(pdf, layer, layer.pen)
    for line in lines.tolist():
        pdf.line(*line)


def _take_pen(pdf: "FPDF", layer: Boxes | Lines | Strokes, pen: float) -> None:
    pdf.set_draw_color(*layer.colour.rgb)
    pdf.set_line_width(pen)


def _draw(pdf: "FPDF", layer: Boxes) -> None:
    if layer.joined:
        _fill_together(pdf, layer)
        return
    if layer.pen is not None:
        _take_pen(pdf, layer, layer.pen)
    pdf.set_fill_color(*layer.colour.rgb)
    radius, style = layer.radius, "F" if layer.pen is None else "D"
    for left, top, width, height in layer.boxes.tolist():
        if radius and 2 * radius == width:
            pdf.circle(left + radius, top + radius, radius, style)
        else:
            pdf.rect(left, top, width, height, style, bool(radius), radius)


def _fill_together(pdf: "FPDF", layer: Boxes) -> None:
    # As one path, so that no seams show between boxes that touch.
    with pdf.new_path() as path:
        path.style.fill_color = str(layer.colour)
        path.style.stroke_color = None
        for box in layer.boxes.tolist():
            path.rectangle(*box)


def _write(pdf: "FPDF", layer: Words) -> None:
    pdf.set_font("Helvetica", "B" if layer.bold else "", layer.height * pdf.k)
    pdf.set_text_color(*layer.colour.rgb)
    for word, (x, y) in zip(layer.words, layer.places.tolist(), strict=True):
        left = x if layer.from_left else x - pdf.get_string_width(word) / 2
        pdf.text(left, y + BASELINE * layer.height, word)
