"""Writer of drawings as SVG, with sizes on paper in millimetres.

Each layer is a group, which plotter programs draw with one pen.  A layer with a name becomes an
Inkscape layer; the number before its name is that of the pen.  Circles are circle elements; other
cells of one colour are one path, and a full board is one rectangle with a pattern.
"""

import zlib
from collections.abc import Iterator, Sequence
from html import escape
from itertools import count, pairwise
from pathlib import Path

from lightsanim.pictures.font import BOLD_PEN, FONT, missing_letters, text_width
from .drawing import Boxes, Drawing, Layer, Lines, Words


def write_svg(pages: Sequence[Drawing], path: Path) -> None:
    """Write a drawing, the only page of its file, as an SVG."""
    [drawing] = pages
    path.write_text("\n".join([*_svg_lines(drawing), ""]), encoding="utf-8")


def _svg_lines(drawing: Drawing) -> Iterator[str]:
    sides = drawing.width, drawing.height
    width, height = (_format_decimal(side * drawing.pixel, 5) for side in sides)
    numbers, is_named = count(1), any(layer.label for layer in drawing.layers)
    space = ' xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"' if is_named else ""
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
        f'viewBox="0 0 {_format_decimal(drawing.width)} {_format_decimal(drawing.height)}"{space}>'
    )
    for layer in drawing.layers:
        yield from _layer_elements(layer, next(numbers) if layer.label else 0)
    yield "</svg>"


def _layer_elements(layer: Layer, number: int) -> Iterator[str]:
    if isinstance(layer, Boxes) and layer.boards:
        for board in layer.boards:
            yield from _board_elements(board, layer)
        return
    ink = ' stroke-linejoin="round" style="mix-blend-mode:multiply"' * isinstance(layer, Lines)
    name = f'id="layer{number}" inkscape:groupmode="layer" inkscape:label="{number} {layer.label}"'
    yield f"<g {_format_paint_attributes(layer)}{f' {name}{ink}' if number else ''}>"
    if isinstance(layer, Words):
        yield from _format_text_elements(layer)
    elif isinstance(layer, Lines):
        yield f'<path d="{"".join(map(_path_commands, layer.stroke_paths))}"/>'
    else:
        yield from _outlines_path(layer)
    yield "</g>"


def _format_paint_attributes(layer: Layer) -> str:
    if isinstance(layer, Words):
        pen = f' stroke="{layer.colour}" stroke-width="{_format_decimal(BOLD_PEN * layer.height)}"'
        bold = pen if layer.bold else ""
        return (
            f'fill="{layer.colour}" font-family="{FONT}, Helvetica, Arial, sans-serif" '
            f'font-size="{_format_decimal(layer.height)}"{bold} '
            f'text-anchor="{"start" if layer.from_left else "middle"}"'
        )
    if layer.pen is None:
        return f'fill="{layer.colour}"'
    return (
        f'fill="none" stroke="{layer.colour}" stroke-width="{_format_decimal(layer.pen)}" '
        f'stroke-linecap="round"'
    )


def _outlines_path(layer: Boxes) -> Iterator[str]:
    radius, boxes = layer.radius, layer.boxes.tolist()
    if boxes and 2 * radius == boxes[0][2]:
        for left, top, *_ in boxes:
            x, y = _format_decimal(left + radius), _format_decimal(top + radius)
            yield f'<circle cx="{x}" cy="{y}" r="{_format_decimal(radius)}"/>'
    else:
        yield f'<path d="{"".join(_box_outline(box, radius) for box in boxes)}"/>'


def _box_outline(box: Sequence[float], radius: float) -> str:
    left, top, width, height = box
    across, down = _format_decimal(width - 2 * radius), _format_decimal(height - 2 * radius)
    start = f"M{_format_decimal(left + radius)} {_format_decimal(top)}"
    if not radius:
        return f"{start}h{across}v{down}h-{across}z"
    r = _format_decimal(radius)
    arc = f"a{r} {r} 0 0 1"
    clockwise = f"h{across}{arc} {r} {r}v{down}{arc}-{r} {r}h-{across}{arc}-{r}-{r}v-{down}{arc}"
    return f"{start}{clockwise} {r}-{r}z"


def _path_commands(corners: Sequence[Sequence[float]]) -> str:
    points = [(_format_decimal(x), _format_decimal(y)) for x, y in corners]
    commands = (f"H{x}" if y == last else f"L{x} {y}" for (_, last), (x, y) in pairwise(points))
    return f"M{points[0][0]} {points[0][1]}{''.join(commands)}"


def _format_text_elements(layer: Words) -> Iterator[str]:
    for word, (x, y) in zip(layer.words, layer.points.tolist(), strict=True):
        fitted = _format_text_length(word, layer) if layer.from_left else ""
        place = f'x="{_format_decimal(x)}" y="{_format_decimal(y)}"'
        yield f'<text {place} dy=".36em"{fitted}>{escape(word)}</text>'


def _format_text_length(word: str, layer: Words) -> str:
    # Set the width that the layout assumes, in case the viewer uses another font.
    if not word or missing_letters(word):
        return ""
    width = _format_decimal(text_width(word, layer.height))
    return f' textLength="{width}" lengthAdjust="spacingAndGlyphs"'


def _board_elements(board: Sequence[float], layer: Boxes) -> Iterator[str]:
    # Draw a board as a rectangle; if cells do not touch, a pattern fills it with cells.  The id of
    # the pattern is a hash of its content, because SVGs in the same page share their ids.
    (left, top, *_), cell, fill = board, layer.boxes[0, 3], str(layer.colour)
    if cell < layer.pitch or layer.radius:
        tile = (
            f'{_box_attributes(left, top, layer.pitch, layer.pitch)} patternUnits="userSpaceOnUse">'
            f'<rect {_box_attributes(0, 0, cell, cell)} rx="{_format_decimal(layer.radius)}" '
            f'fill="{layer.colour}"/>'
        )
        name = f"cells-{zlib.crc32(tile.encode()):08x}"
        yield f'<defs><pattern id="{name}" {tile}</pattern></defs>'
        fill = f"url(#{name})"
    yield f'<rect {_box_attributes(*board)} fill="{fill}"/>'


def _box_attributes(left: float, top: float, width: float, height: float) -> str:
    sides = {"x": left, "y": top, "width": width, "height": height}
    return " ".join(f'{name}="{_format_decimal(value)}"' for name, value in sides.items())


def _format_decimal(number: float, digits: int = 3) -> str:
    """Format a number without trailing zeros."""
    rounded = round(number, digits) + 0.0
    return f"{rounded:.0f}" if rounded == int(rounded) else f"{rounded:.{digits}f}".rstrip("0")
