"""How an animation looks: the size of a cell, the gap between cells, the colours."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from attrs import frozen

from lightsanim.checks import keyed
from lightsanim.errors import OptionError
from lightsanim.options import MAX_CELL, PALETTES, LookOptions, explain
from lightsanim.values import Colour, to_colour

if TYPE_CHECKING:  # the command line needs the options, not arrays
    import numpy as np
    from numpy.typing import NDArray

# A frame is at most this many times as high as it is meant to be wide.
TALLEST = 2

# Cells narrower than this, in pixels, are drawn without gaps unless one is asked for.
NARROWEST_WITH_GAP = 6

# Far above any screen or print; a frame of this many pixels fits the memory of a laptop.
MAX_FRAME_PIXELS = 400_000_000

# The colours of lit cells, of unlit cells, and of the background.
COLOURS: dict[str, tuple[str, str, str]] = keyed(
    PALETTES,
    {
        "ink": ("#f2f2f2", "#191919", "#333333"),
        "paper": ("#fbf6ea", "#2e2a25", "#d8cfbd"),
        "amber": ("#ffb638", "#241703", "#140d02"),
        "phosphor": ("#8dff7a", "#07200d", "#04140a"),
        "blueprint": ("#eef6ff", "#12467f", "#1d5796"),
        "sunset": ("#ffd27a", "#57217a", "#3a1559"),
        "rose": ("#ffe4ea", "#9c2450", "#6f1739"),
        "pocket": ("#c4cfa1", "#1f2a1a", "#8b956d"),
    },
)


@frozen(kw_only=True, slots=False)
class Theme(LookOptions):
    """The look of a board, by the options of the group Look.

    Raises:
        OptionError: for a size out of range, or an unknown colour, shape or palette.

    >>> Theme(lit="white") == Theme(lit="#ffffff")
    True
    """

    def colour_of(self, part: str) -> Colour:
        """The colour of ``lit``, ``unlit`` or ``background``, given or of the palette.

        >>> str(Theme(lit="gold").colour_of("lit"))
        '#ffd700'
        """
        given: Colour | None = getattr(self, part)
        if given is not None:
            return given
        return to_colour(COLOURS[self.palette][("lit", "unlit", "background").index(part)])

    def shades(self, boards: int = 1) -> "NDArray[np.uint8]":
        """The colour of each shade: uint8 (2**boards, 3).

        Of three boards each gives one primary: red, green or blue are as in the lit colour where
        the board is lit, as in the unlit colour where it is not.

        >>> Theme(lit="white", unlit="black").shades(3)[0b101].tolist()  # red and blue
        [255, 0, 255]
        """
        import numpy as np

        ends = np.array([self.colour_of(part).rgb for part in ("unlit", "lit")], np.uint8)
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


explain(Theme)


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

    def centres(self, frame: "NDArray[np.generic]") -> "NDArray[np.generic]":
        """The pixels in the middle of the cells of a frame (height, width, ...)."""
        middle = self.gap + self.cell // 2
        return frame[middle : self.height : self.pitch, middle : self.width : self.pitch]
