"""Drawings as PDF: one page of their size on paper, the same bytes every time."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from lightsanim.formats.drawing import Boxes, Drawing, Strokes, Words
from lightsanim.formats.paper import INCH

if TYPE_CHECKING:  # loading it takes a fifth of a second, and pages some more
    from fpdf import FPDF

# Points of an inch; how far below its middle the line stands that a word is written on, in heights.
POINTS = 72
BASELINE = 0.36

# A document tells of a date; this is none on which a picture was made.
DATE = datetime(2000, 1, 1, tzinfo=UTC)


def write_pdf(drawing: Drawing, path: Path) -> None:
    """Write a drawing as a PDF.

    Args:
        drawing: what to write.
        path: of the file.
    """
    from fpdf import FPDF

    from lightsanim.formats.page import sayable

    size = drawing.width, drawing.height
    pdf = FPDF(unit=drawing.pixel * POINTS / INCH, format=size)
    pdf.set_creation_date(DATE)
    pdf.set_title(sayable(drawing.title))
    pdf.set_creator("lightsanim")
    pdf.add_page()
    for layer in drawing.layers:
        if isinstance(layer, Words):
            _write(pdf, layer)
        elif isinstance(layer, Strokes):
            _stroke(pdf, layer)
        else:
            _draw(pdf, layer)
    pdf.output(str(path))


def _stroke(pdf: "FPDF", layer: Strokes) -> None:
    _take_pen(pdf, layer, layer.pen)
    for x, y, to_x in layer.strokes.tolist():
        pdf.line(x, y, to_x, y)


def _take_pen(pdf: "FPDF", layer: Boxes | Strokes, pen: float) -> None:
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
    pdf.set_font("Helvetica", size=layer.height * pdf.k)
    pdf.set_text_color(*layer.colour.rgb)
    for word, (x, y) in zip(layer.words, layer.places.tolist(), strict=True):
        pdf.text(x - pdf.get_string_width(word) / 2, y + BASELINE * layer.height, word)
