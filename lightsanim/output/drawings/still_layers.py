"""Stills as drawings for SVG and PDF.

Every colour is a layer.  Touching cells are drawn as runs.  Each colour extends under neighbouring
cells of later layers: viewers smooth edges, and the background would show between the colours.

For plotters, the strokes of a pen fill the cells.  Cells in the colour of the background stay
blank, because the paper has that colour; if there are none, lit cells stay blank on white paper.
Intermediate levels have fewer strokes of the same pen.  In colour the paper is white, and three or
four pens mix like printing inks.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from lightsanim.game.algebra.linear import Bits
from lightsanim.game.levels import Shades, unpack_levels
from lightsanim.options.colours import Colour
from lightsanim.output.look.tiles import DOTS, Pixels
from .drawing import Boxes, Drawing, Lines, Numbers, board_box, cell_boxes, cell_run_boxes
from .hatching import Hatch, build_hatch_lines
from .sheet import Sheet, build_caption_layers

# Width of a pen stroke, as of a fineliner, in millimetres.
PEN_WIDTH = 0.3
# Printing inks, with the usual screen angles in degrees; these angles avoid moire patterns.
PRINTING_INKS = {
    "cyan": (Colour(0, 255, 255), 15.0),
    "magenta": (Colour(255, 0, 255), 75.0),
    "yellow": (Colour(255, 255, 0), 0.0),
    "black": (Colour(0, 0, 0), 45.0),
}


def draw_stills(stills: Sequence[Shades], sheet: Sheet, marks: Pixels, title: str) -> Drawing:
    """Draw configurations side by side; ``marks`` has the number of dots on each cell."""
    shades = sheet.theme.shades_with_alpha(sheet.boards, sheet.levels)
    colours = [Colour(*colour) for colour in shades.tolist()]
    draw = _build_filled_layers if sheet.theme.hatch is None else _build_hatched_layers
    layers = [
        *draw(stills, sheet, colours),
        *_build_mark_dot_layers(marks, sheet),
        *build_caption_layers(sheet),
    ]
    return sheet.build_drawing(layers, title)


def _build_filled_layers(
    stills: Sequence[Shades], sheet: Sheet, colours: Sequence[Colour]
) -> Iterator[Boxes]:
    geometry, touch = sheet.geometry, sheet.has_joined_cells
    background = sheet.theme.colour_of("background")
    visible = [bool(colour.alpha) and colour != background for colour in colours]
    boxes_of = cell_run_boxes if touch else cell_boxes
    for shade, colour in enumerate(colours):
        cells = [still == shade for still in stills]
        if touch:
            cells = [_add_covered_neighbours(still, shade, visible) for still in stills]
        if visible[shade] and any(map(np.any, cells)):
            placed = zip(cells, sheet.board_corners, strict=True)
            boxes = np.concatenate([boxes_of(some, geometry, corner) for some, corner in placed])
            under = sheet.board_corners if shade == 0 and all(visible) else ()
            yield Boxes(
                colour=colour,
                boxes=boxes,
                radius=sheet.corner_radius,
                touch=touch,
                boards=tuple(board_box(geometry, corner) for corner in under),
                pitch=geometry.cell_pitch,
            )


def _add_covered_neighbours(still: Shades, shade: int, visible: Sequence[bool]) -> Bits:
    # Return the cells of a shade, and those of their neighbours that later layers cover.
    own = still == shade
    wide = np.pad(own, 1)
    wide = wide[:-2] | wide[1:-1] | wide[2:]
    wide = wide[:, :-2] | wide[:, 1:-1] | wide[:, 2:]
    return np.asarray(own | (wide & np.array(visible)[still] & (still > shade)))


def _build_mark_dot_layers(marks: Pixels, sheet: Sheet) -> Iterator[Boxes]:
    # `DOTS` has the radius of dots, and their centres relative to the cell's centre, in cells.
    cell, colour = sheet.geometry.cell, sheet.theme.mark
    pen = None if sheet.theme.hatch is None else PEN_WIDTH / sheet.millimetres_per_pixel
    for count, (share, offsets) in DOTS.items():
        marked = marks == count
        boxes = [cell_boxes(marked, sheet.geometry, corner) for corner in sheet.still_corners]
        middles = np.concatenate(boxes)[:, None, :2] + (0.5 + np.array(offsets)) * cell
        corners, radius = middles.reshape(-1, 2) - share * cell, share * cell
        if len(corners) and colour is not None:
            dots = np.column_stack([corners, np.full_like(corners, 2 * radius)])
            yield Boxes(
                colour=colour, boxes=dots, radius=radius, pen=pen, label="mark" if pen else ""
            )


def _build_hatched_layers(
    stills: Sequence[Shades], sheet: Sheet, colours: Sequence[Colour]
) -> Iterator[Lines]:
    theme, geometry, pen = sheet.theme, sheet.geometry, PEN_WIDTH / sheet.millimetres_per_pixel
    assert theme.hatch is not None
    angles = [float(angle) for angle in (theme.hatch_angle or "").split(",") if angle]
    max_strokes = geometry.cell * sheet.millimetres_per_pixel / theme.hatch
    radius = None if sheet.has_joined_cells else sheet.corner_radius
    for number, (label, colour, angle, ink) in enumerate(_ink_levels(sheet, colours)):
        angle = angles[number % len(angles)] if angles else angle
        lines = [np.empty((0, 4))]
        for share in sorted({*ink[ink > 0].tolist()}):
            hatch = Hatch(max(1, round(max_strokes * share)), angle, pen / geometry.cell)
            for still, corner in zip(stills, sheet.board_corners, strict=True):
                cells = ink[still] == share
                lines.append(build_hatch_lines(cells, geometry, corner, radius, hatch))
        if sum(map(len, lines)):
            yield Lines(colour=colour, lines=np.concatenate(lines), pen=pen, label=label)


def _ink_levels(
    sheet: Sheet, colours: Sequence[Colour]
) -> Iterator[tuple[str, Colour, float, Numbers]]:
    # Yield name, colour and angle of each pen, and its share of ink in each shade, float (shades,).
    shades = np.arange(len(colours), dtype=np.uint8)
    if sheet.boards == 3:
        light = unpack_levels(shades[None], 3, sheet.levels)[:, 0]
        inks = 1 - light / (sheet.levels - 1)
        black = inks.min(axis=0) * (sheet.theme.pens == "cmyk")
        inks = (inks - black) / np.where(black < 1, 1 - black, 1)  # relative to the non-black part
        for (label, pen), ink in zip(PRINTING_INKS.items(), [*inks, black], strict=True):
            yield label, *pen, ink
        return
    background, last = sheet.theme.colour_of("background"), len(colours) - 1
    same = [n for n, colour in enumerate(colours) if not colour.alpha or colour == background]
    blank = (same or [last])[0]
    for end in sorted({0, last} - {blank}):
        ink = np.maximum((shades.astype(int) - blank) / (end - blank), 0)
        ink[same] = 0
        yield "pen", colours[end], 0, ink
