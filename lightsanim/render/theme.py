"""How an animation looks: the size of a cell, the gap between cells, the colours."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lightsanim.errors import OptionError
from lightsanim.pictures.light import colour
from lightsanim.values import check_whole

# A frame is about this wide, in pixels, where the size of a cell is not given.
FRAME_WIDTH = 720
TALLEST_FRAME = 1440

# Cells narrower than this, in pixels, are drawn without gaps unless one is asked for.
NARROWEST_WITH_GAP = 6

# Far above any screen or print; a frame of so many pixels fits the memory of a laptop.
MAX_FRAME_PIXELS = 400_000_000
MAX_CELL = 10_000


@dataclass(frozen=True, kw_only=True)
class Theme:
    """The look of a board.

    Attributes:
        cell: the side of a cell in pixels; None for a frame that is about 720 pixels wide.
        gap: pixels between two cells and around the board; None for one that suits the cell.
        lit, unlit, background: colours, a name or ``#rrggbb``; the background shows in the gaps.

    Raises:
        OptionError: for a size out of range or an unknown colour.
    """

    cell: int | None = None
    gap: int | None = None
    lit: str = "#f2f2f2"
    unlit: str = "#191919"
    background: str = "#333333"

    def __post_init__(self) -> None:
        if self.cell is not None:
            check_whole("cell", self.cell, 1, MAX_CELL)
        if self.gap is not None:
            check_whole("gap", self.gap, 0, MAX_CELL)
        for name in ("lit", "unlit", "background"):
            colour(getattr(self, name), name)

    def palette(self, boards: int = 1) -> NDArray[np.uint8]:
        """The background's colour, then that of each shade: uint8 (1 + 2**boards, 3).

        Of three boards each gives one primary: red, green or blue are as in the lit colour where
        the board is lit, as in the unlit colour where it is not.

        >>> Theme(lit="white", unlit="black").palette(3)[1 + 0b101].tolist()  # red and blue
        [255, 0, 255]
        """
        ends = np.array([colour(self.unlit), colour(self.lit)], np.uint8)
        shades = np.arange(2**boards)
        lit = [shades >> (channel if boards == 3 else 0) & 1 for channel in range(3)]
        cells = np.column_stack([ends[lit[channel], channel] for channel in range(3)])
        return np.vstack([np.array(colour(self.background), np.uint8), cells])

    def geometry(self, rows: int, columns: int) -> "Geometry":
        """The pixels of a rows x columns board in this look.

        Raises:
            OptionError: if a frame would be larger than any format can hold.
        """
        pitch = self.cell or max(1, min(round(FRAME_WIDTH / columns), TALLEST_FRAME // rows))
        gap = self.gap
        if gap is None:
            gap = max(1, round(pitch / 14)) if pitch >= NARROWEST_WITH_GAP else 0
        if self.cell is None and gap >= max(pitch, 2):
            raise OptionError(
                f"gaps of {gap} px leave no room for cells in a frame {FRAME_WIDTH} px wide; "
                f"take smaller gaps, or give the size of a cell too"
            )
        return Geometry(rows=rows, columns=columns, cell=self.cell or max(1, pitch - gap), gap=gap)


@dataclass(frozen=True, kw_only=True)
class Geometry:
    """Where the cells lie in a frame, in pixels."""

    rows: int
    columns: int
    cell: int
    gap: int

    def __post_init__(self) -> None:
        if self.height * self.width > MAX_FRAME_PIXELS:
            raise OptionError(
                f"cells of {self.cell} px and gaps of {self.gap} px make frames of "
                f"{self.width}x{self.height}, more than {MAX_FRAME_PIXELS} pixels; "
                f"take smaller cells"
            )

    @property
    def pitch(self) -> int:
        """From one cell to the next."""
        return self.cell + self.gap

    @property
    def height(self) -> int:
        """The frame's height: a gap, and a cell and a gap for each row."""
        return self.rows * self.pitch + self.gap

    @property
    def width(self) -> int:
        """The frame's width."""
        return self.columns * self.pitch + self.gap

    def centres(self, frame: NDArray[np.generic]) -> NDArray[np.generic]:
        """The pixels in the middle of the cells of a frame (height, width, ...)."""
        middle = self.gap + self.cell // 2
        return frame[middle : self.height : self.pitch, middle : self.width : self.pitch]
