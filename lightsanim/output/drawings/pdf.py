"""Writer of drawings as PDF, one per page; equal drawings result in equal files."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from lightsanim.pictures.font import BOLD_PEN, FONT, FONT_FILE
from .drawing import Boxes, Drawing, Layer, Lines, Words
from .sheet import INCH

if TYPE_CHECKING:  # fpdf is imported late, because this takes 0.2 s
    from fpdf import FPDF

# Points per inch.
POINTS = 72
# Distance of the baseline below the middle of a text, as a share of the font size.
BASELINE = 0.36
# fpdf2 always writes a date; spaces overwrite it, so that equal drawings make equal files.
DATE = datetime(2000, 1, 1, tzinfo=UTC)
CREATION_DATE = f"/CreationDate (D:{DATE:%Y%m%d%H%M%S}Z)".encode()


def write_pdf(pages: Sequence[Drawing], path: Path) -> None:
    """Write drawings of the same size as a PDF, each on its own page."""
    from fpdf import FPDF

    from lightsanim.web.templating import valid_utf8

    first = pages[0]
    pdf = FPDF(unit=first.pixel * POINTS / INCH, format=(first.width, first.height))
    pdf.set_creation_date(DATE)
    pdf.set_title(valid_utf8(first.title))
    pdf.set_creator("lightsanim")
    for drawing in pages:
        pdf.add_page()
        for layer in drawing.layers:
            _draw_layer(pdf, layer)
    path.write_bytes(pdf.output().replace(CREATION_DATE, b" " * len(CREATION_DATE)))


def _draw_layer(pdf: "FPDF", layer: Layer) -> None:
    if isinstance(layer, Words):
        _draw_text_layer(pdf, layer)
    elif isinstance(layer, Lines):
        styles = dict.fromkeys(["stroke_cap_style", "stroke_join_style"], "round")
        with pdf.local_context(**(styles | {"blend_mode": "Multiply"} if layer.label else {})):
            _set_pen(pdf, layer, layer.pen)
            for corners in layer.stroke_paths:
                pdf.polyline([(x, y) for x, y in corners])
    else:
        _draw_boxes(pdf, layer)


def _set_pen(pdf: "FPDF", layer: Boxes | Lines, pen: float) -> None:
    pdf.set_draw_color(*layer.colour.rgb)
    pdf.set_line_width(pen)


def _draw_boxes(pdf: "FPDF", layer: Boxes) -> None:
    if layer.touch:  # a single path for all boxes avoids visible seams between them
        with pdf.new_path() as path:
            path.style.fill_color = str(layer.colour)
            path.style.stroke_color = None
            for box in layer.boxes.tolist():
                path.rectangle(*box)
        return
    if layer.pen is not None:
        _set_pen(pdf, layer, layer.pen)
    pdf.set_fill_color(*layer.colour.rgb)
    radius, style = layer.radius, "F" if layer.pen is None else "D"
    for left, top, width, height in layer.boxes.tolist():
        if radius and 2 * radius == width:
            pdf.circle(left + radius, top + radius, radius, style)
        else:
            pdf.rect(left, top, width, height, style, bool(radius), radius)


def _draw_text_layer(pdf: "FPDF", layer: Words) -> None:
    if FONT.lower() not in pdf.fonts:
        pdf.add_font(FONT, fname=FONT_FILE)  # fpdf2 embeds only the letters in use
    pdf.set_font(FONT, size=layer.height * pdf.k)
    pdf.set_text_color(*layer.colour.rgb)
    pdf.set_draw_color(*layer.colour.rgb)
    # fpdf2 expects the line width of text in points, whatever the unit of the document.
    pen = {"text_mode": "FILL_STROKE", "line_width": BOLD_PEN * layer.height * pdf.k}
    with pdf.local_context(**(pen if layer.bold else {})):
        for word, (x, y) in zip(layer.words, layer.points.tolist(), strict=True):
            left = x if layer.from_left else x - pdf.get_string_width(word) / 2
            pdf.text(left, y + BASELINE * layer.height, word)
