"""How an animation looks: the size of a cell, the gap between cells, the colours."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lightsanim.errors import OptionError
from lightsanim.pictures.light import colour
from lightsanim.values import check_choice, check_whole

# Width of a frame, about, in pixels, where the size of a cell is not given.
FRAME_WIDTH = 720
MAX_WIDTH = 50_000

# Largest height of such a frame, in widths.
TALLEST = 2

# Cells narrower than this, in pixels, are drawn without gaps unless one is asked for.
NARROWEST_WITH_GAP = 6

# Far above any screen or print; a frame this large fits the memory of a laptop.
MAX_FRAME_PIXELS = 400_000_000
MAX_CELL = 2000


SHAPES = ("square", "rounded", "circle")

# Lit, unlit and background.
PALETTES: dict[str, tuple[str, str, str]] = {
    "ink": ("#f2f2f2", "#191919", "#333333"),
    "paper": ("#fbf6ea", "#2e2a25", "#d8cfbd"),
    "amber": ("#ffb638", "#241703", "#140d02"),
    "phosphor": ("#8dff7a", "#07200d", "#04140a"),
    "blueprint": ("#eef6ff", "#12467f", "#1d5796"),
    "sunset": ("#ffd27a", "#57217a", "#3a1559"),
    "rose": ("#ffe4ea", "#9c2450", "#6f1739"),
    "pocket": ("#c4cfa1", "#1f2a1a", "#8b956d"),
}


@dataclass(frozen=True, kw_only=True)
class Theme:
    """The look of a board.

    Attributes:
        cell: the side of a cell in pixels; None for one that makes frames ``width`` wide.
        width: about how wide a frame is, in pixels, where ``cell`` is not given.
        gap: pixels between two cells and around the board; None for one that suits the cell.
        shape: of a cell: square, rounded or circle.
        palette: a name out of `PALETTES`, for the three colours that are not given.
        lit, unlit, background: colours, a name or ``#rrggbb``; the background shows in the gaps.
        mark: the colour of a dot on the cells that are being clicked; None for none.

    Raises:
        OptionError: for a size out of range, or an unknown colour, shape or palette.
    """

    cell: int | None = None
    width: int = FRAME_WIDTH
    gap: int | None = None
    shape: str = "square"
    palette: str = "ink"
    lit: str | None = None
    unlit: str | None = None
    background: str | None = None
    mark: str | None = None

    def __post_init__(self) -> None:
        if self.cell is not None:
            check_whole("cell", self.cell, 1, MAX_CELL)
        if self.gap is not None:
            check_whole("gap", self.gap, 0, MAX_CELL)
        check_whole("width", self.width, 1, MAX_WIDTH)
        check_choice("shape", self.shape, SHAPES)
        check_choice("palette", self.palette, PALETTES)
        for name in ("lit", "unlit", "background", "mark"):
            if getattr(self, name) is not None:
                colour(getattr(self, name), name)

    def colour_of(self, part: str) -> str:
        """The colour of ``lit``, ``unlit`` or ``background``, given or of the palette."""
        given: str | None = getattr(self, part)
        return given or PALETTES[self.palette][("lit", "unlit", "background").index(part)]

    def hex_of(self, part: str) -> str:
        """The same as ``#rrggbb``.

        >>> Theme(lit="gold").hex_of("lit")
        '#ffd700'
        """
        return f"#{bytes(colour(self.colour_of(part))).hex()}"

    def shades(self, boards: int = 1) -> NDArray[np.uint8]:
        """The colour of each shade: uint8 (2**boards, 3).

        Of three boards each gives one primary: red, green or blue are as in the lit colour where
        the board is lit, as in the unlit colour where it is not.

        >>> Theme(lit="white", unlit="black").shades(3)[0b101].tolist()  # red and blue
        [255, 0, 255]
        """
        ends = np.array([colour(self.colour_of(part)) for part in ("unlit", "lit")], np.uint8)
        shades = np.arange(2**boards)
        lit = [shades >> (channel if boards == 3 else 0) & 1 for channel in range(3)]
        return np.column_stack([ends[lit[channel], channel] for channel in range(3)])

    def geometry(self, rows: int, columns: int) -> "Geometry":
        """The pixels of a rows x columns board in this look.

        Raises:
            OptionError: if a frame would be larger than any format can hold, or a cell than any
                screen.
        """
        tallest = TALLEST * self.width // rows
        pitch = self.cell or max(1, min(round(self.width / columns), tallest))
        gap = self.gap
        if gap is None:
            gap = max(1, round(pitch / 14)) if pitch >= NARROWEST_WITH_GAP else 0
        if self.cell is None and gap >= max(pitch, 2):
            raise OptionError(
                f"gaps of {gap} px leave no room for cells in a frame {self.width} px wide; "
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
        if self.cell > MAX_CELL:
            raise OptionError(
                f"cells would be {self.cell} px wide, more than {MAX_CELL}; take a smaller width"
            )
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
