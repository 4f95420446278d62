"""Drawings made of layers of boxes, lines and words, for the writers of SVG and PDF."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from lightsanim.game.algebra.linear import Bits
from lightsanim.options.colours import Colour
from lightsanim.output.look.theme import FrameGeometry

Numbers: TypeAlias = NDArray[np.float64]
Corner: TypeAlias = tuple[int, int]
"""Top and left edge of a still, in pixels."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Boxes:
    """Boxes of one colour, usually cells."""

    colour: Colour
    boxes: Numbers  # Left, top, width and height of each box: float (boxes, 4).
    radius: float = 0.0  # Corner radius; half the width for circles.
    pen: float | None = None  # Pen width if outlines are drawn; None for filled boxes.
    label: str = ""  # Name of the layer.
    touch: bool = False  # Whether some boxes touch each other.
    # Boxes of whole boards.  A format may fill these with cells instead of drawing ``boxes``, which
    # is shorter: later layers cover the additional cells.
    boards: tuple[list[float], ...] = ()
    pitch: float = 0.0  # Distance between the left edges of neighbouring cells of ``boards``.


@dataclass(frozen=True, kw_only=True, eq=False)
class Lines:
    """Straight lines of one colour and width."""

    colour: Colour
    lines: Numbers  # X and y of the start and of the end of each line: float (lines, 4).
    pen: float  # Pen width.
    # Name of a plotter's pen.  If there is one, consecutive lines that meet are joined, and the ink
    # mixes with that of the layers below.
    label: str = ""

    @property
    def stroke_paths(self) -> list[list[list[float]]]:
        """The points of each polyline that is drawn without lifting the pen."""
        lifted = (self.lines[1:, :2] != self.lines[:-1, 2:]).any(axis=1) | (not self.label)
        parts = np.split(self.lines, np.flatnonzero(lifted) + 1) if len(self.lines) else []
        return [np.vstack([part[:1, :2], part[:, 2:]]).tolist() for part in parts]


@dataclass(frozen=True, kw_only=True, eq=False)
class Words:
    """Lines of text of one colour and font size."""

    colour: Colour
    words: tuple[str, ...]  # Texts to draw.
    points: Numbers  # X of each text and y of its vertical middle: float (words, 2).
    height: float  # Font size of the texts.
    from_left: bool = False  # Whether texts begin at x; otherwise they are centred.
    bold: bool = False
    label: str = ""  # Name of the layer.


Layer: TypeAlias = Boxes | Lines | Words


@dataclass(frozen=True, kw_only=True, eq=False)
class Drawing:
    """A drawing for SVG or PDF, in pixels; x points to the right, y down."""

    width: float
    height: float
    pixel: float  # Side of a pixel on paper, in millimetres.
    layers: tuple[Layer, ...]  # Layers from the lowest to the highest.
    title: str  # Title in the properties of the document.


def cell_boxes(cells: Bits, geometry: FrameGeometry, corner: Corner = (0, 0)) -> Numbers:
    """Return a box for each True cell, as in `Boxes`: float (cells, 4)."""
    rows, columns = np.nonzero(cells)
    return _place_run_boxes(rows, columns, np.ones_like(rows), geometry, corner)


def cell_run_boxes(cells: Bits, geometry: FrameGeometry, corner: Corner = (0, 0)) -> Numbers:
    """Return one box for each run of True cells in a row, in the form of `cell_boxes`."""
    edges = np.diff(np.pad(cells, ((0, 0), (1, 1))).astype(np.int8))
    rows, starts = np.nonzero(edges == 1)
    _, stops = np.nonzero(edges == -1)
    return _place_run_boxes(rows, starts, stops - starts, geometry, corner)


def board_box(geometry: FrameGeometry, corner: Corner) -> list[float]:
    """Return the box of a board, including the gaps after its last cells."""
    left, top, *_ = cell_boxes(np.ones((1, 1), bool), geometry, corner)[0].tolist()
    return [left, top, geometry.columns * geometry.cell_pitch, geometry.rows * geometry.cell_pitch]


def _place_run_boxes(
    rows: NDArray[np.intp],
    columns: NDArray[np.intp],
    lengths: NDArray[np.intp],
    geometry: FrameGeometry,
    corner: Corner,
) -> Numbers:
    (top, left), (down, right) = corner, geometry.top_left_corner
    boxes = np.full((len(rows), 4), geometry.cell, float)
    boxes[:, 0] = left + right + columns * geometry.cell_pitch
    boxes[:, 1] = top + down + rows * geometry.cell_pitch
    boxes[:, 2] += (lengths - 1) * geometry.cell_pitch
    return boxes
