"""Outlines and strokes in colours, which the vector formats write."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from lightsanim.algebra.linear import Bits
from lightsanim.look.theme import FrameGeometry
from lightsanim.options.colours import Colour

Numbers: TypeAlias = NDArray[np.float64]
Corner: TypeAlias = tuple[int, int]
"""The top and the left edge of a still, in pixels."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Boxes:
    """Boxes of one colour, mostly cells."""

    colour: Colour  # of all of them
    boxes: Numbers  # float (boxes, 4): left, top, width and height of each
    radius: float = 0.0  # of their corners; half the width for circles
    pen: float | None = None  # the width of the pen that draws their outline; None to fill them
    label: str = ""  # what the layer is called
    touch: bool = False  # whether some of them touch
    # Boards, as boxes, whose cells may all be drawn instead, as others are drawn over them, and how
    # far these are apart; a format may have a short way to say that.
    boards: tuple[list[float], ...] = ()
    pitch: float = 0.0


@dataclass(frozen=True, kw_only=True, eq=False)
class Lines:
    """Straight lines of a pen: float (lines, 4), from x, y to x, y."""

    colour: Colour
    lines: Numbers
    pen: float
    # The name of a plotter's pen, which is not lifted between lines that meet, and whose ink mixes
    # with what is below.
    label: str = ""

    @property
    def stroke_paths(self) -> list[list[list[float]]]:
        """The corners of what is drawn without lifting the pen."""
        lifted = (self.lines[1:, :2] != self.lines[:-1, 2:]).any(axis=1) | (not self.label)
        parts = np.split(self.lines, np.flatnonzero(lifted) + 1) if len(self.lines) else []
        return [np.vstack([part[:1, :2], part[:, 2:]]).tolist() for part in parts]


@dataclass(frozen=True, kw_only=True, eq=False)
class Words:
    """Words of one colour and height, each at its place: float (words, 2), x and y."""

    colour: Colour  # of all of them
    words: tuple[str, ...]  # what is written, a line each
    points: Numbers  # of the middle of each line's height
    height: float  # of the letters' bodies
    # Whether the words begin at their places; else they are centred on them.
    from_left: bool = False
    bold: bool = False  # whether the letters are
    label: str = ""  # what the layer is called


Layer: TypeAlias = Boxes | Lines | Words


@dataclass(frozen=True, kw_only=True, eq=False)
class Drawing:
    """What a vector format draws; x is to the right, y down."""

    width: float  # in pixels, the unit of all layers
    height: float  # likewise
    pixel: float  # millimetres on paper of a pixel
    layers: tuple[Layer, ...]  # from the lowest
    title: str  # for the document's properties


def cell_boxes(cells: Bits, geometry: FrameGeometry, corner: Corner = (0, 0)) -> Numbers:
    """The boxes of cells: float (cells, 4), as in `Boxes`.

    ``cells``: bool (rows, columns).

    >>> geometry = FrameGeometry(rows=1, columns=3, cell=9, gap=1)
    >>> cell_boxes(np.array([[False, True, True]]), geometry).tolist()
    [[11.0, 1.0, 9.0, 9.0], [21.0, 1.0, 9.0, 9.0]]
    """
    rows, columns = np.nonzero(cells)
    return _place_run_boxes(rows, columns, np.ones_like(rows), geometry, corner)


def cell_run_boxes(cells: Bits, geometry: FrameGeometry, corner: Corner = (0, 0)) -> Numbers:
    """As `cell_boxes`, with one box for all cells side by side in a row."""
    edges = np.diff(np.pad(cells, ((0, 0), (1, 1))).astype(np.int8))
    rows, starts = np.nonzero(edges == 1)
    _, stops = np.nonzero(edges == -1)
    return _place_run_boxes(rows, starts, stops - starts, geometry, corner)


def board_box(geometry: FrameGeometry, corner: Corner) -> list[float]:
    """The box of a board, with the gaps after its cells."""
    left, top, *_ = cell_boxes(np.ones((1, 1), bool), geometry, corner)[0].tolist()
    return [left, top, geometry.columns * geometry.cell_pitch, geometry.rows * geometry.cell_pitch]


def _place_run_boxes(
    rows: NDArray[np.intp],
    columns: NDArray[np.intp],
    lengths: NDArray[np.intp],
    geometry: FrameGeometry,
    corner: Corner,
) -> Numbers:
    # Where cells side by side lie: the one function that knows.
    (top, left), (down, right) = corner, geometry.top_left_corner
    boxes = np.empty((len(rows), 4))
    boxes[:, 0] = left + right + columns * geometry.cell_pitch
    boxes[:, 1] = top + down + rows * geometry.cell_pitch
    boxes[:, 2] = (lengths - 1) * geometry.cell_pitch + geometry.cell
    boxes[:, 3] = geometry.cell
    return boxes
