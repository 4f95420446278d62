"""How an animation looks: the size of a cell, the gap between cells, the colours."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from attrs import frozen

from lightsanim.checks import keyed
from lightsanim.errors import OptionError
from lightsanim.options import MAX_CELL, MOST_IN_COLOUR, PALETTES, LookOptions, explain
from lightsanim.values import Colour, to_colour

if TYPE_CHECKING:  # the command line needs the options, not arrays
    import numpy as np
    from numpy.typing import NDArray

# A frame is at most this many times as high as it is meant to be wide.
TALLEST = 2

# Cells narrower than this, in pixels, are drawn without gaps unless one is asked for.
NARROWEST_WITH_GAP = 6

# So are boards in colour or of more than two levels with more cells a side than this: a grid as
# dark as the background turns colours to mud, and tones to others, where a lighter one turns black
# to grey.  On smaller boards the cells themselves are what one looks at.
LARGEST_WITH_GAP = 30

# Far above any screen or print; a frame of this many pixels fits the memory of a laptop.
MAX_FRAME_PIXELS = 400_000_000

# The colours of lit cells, of unlit cells, of the background, and of the middle level where the
# mean of lit and unlit is dull: a stronger colour that is just as light.
COLOURS: dict[str, tuple[str, str, str, str | None]] = keyed(
    PALETTES,
    {
        "ink": ("#f2f2f2", "#191919", "#333333", None),
        "paper": ("#fbf6ea", "#2e2a25", "#d8cfbd", None),
        "amber": ("#ffb638", "#241703", "#140d02", "#b85f00"),
        "phosphor": ("#8dff7a", "#07200d", "#04140a", "#18a038"),
        "blueprint": ("#eef6ff", "#12467f", "#1d5796", "#5aa5e0"),
        "sunset": ("#ffd27a", "#57217a", "#3a1559", "#f4665c"),
        "rose": ("#ffe4ea", "#9c2450", "#6f1739", "#f07a98"),
        "pocket": ("#c4cfa1", "#1f2a1a", "#8b956d", None),
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
        lit, unlit, background, _ = COLOURS[self.palette]
        return to_colour({"lit": lit, "unlit": unlit, "background": background}[part])

    @property
    def middle_colour(self) -> Colour | None:
        """The colour half way from unlit to lit: given, or the palette's, to whose own colours it
        belongs; None for their mean.

        >>> str(Theme(palette="sunset").middle_colour), Theme(lit="gold").middle_colour
        ('#f4665c', None)
        """
        middle = COLOURS[self.palette][-1]
        if self.middle is not None or middle is None or self.lit or self.unlit:
            return self.middle
        return to_colour(middle)

    def shades(self, boards: int = 1, levels: int = 2) -> "NDArray[np.uint8]":
        """The colour of each shade: uint8 (levels**boards, 3).

        Shades are numbered as `lightsanim.animation.animation.shades_of` says.  Those of one board
        lead in even steps from unlit to lit, by way of the middle colour if there is one.  Of three
        boards each gives one primary: red, green or blue is as far from that of the unlit colour to
        that of the lit colour as the board's level.

        Raises:
            OptionError: for three boards of more levels than a table of colours can hold.

        >>> Theme(lit="white", unlit="black").shades(3)[0b101].tolist()  # red and blue
        [255, 0, 255]
        >>> Theme(lit="white", unlit="black", middle="red").shades(levels=5)[:, 1].tolist()
        [0, 0, 0, 128, 255]
        """
        import numpy as np

        if boards == 3 and levels > MOST_IN_COLOUR:
            raise OptionError(f"{levels} levels are for grey alone: at most {MOST_IN_COLOUR}")
        middle = self.middle_colour if boards == 1 else None
        colours = [self.colour_of("unlit"), middle, self.colour_of("lit")]
        stops = np.array([colour.rgb for colour in colours if colour is not None])
        places = np.linspace(0, len(stops) - 1, levels)
        steps = [np.rint(np.interp(places, range(len(stops)), channel)) for channel in stops.T]
        numbers = np.arange(levels**boards)
        parts = [numbers // levels**place % levels for place in range(boards)]
        return np.column_stack(
            [step[parts[channel % boards]] for channel, step in enumerate(steps)]
        ).astype(np.uint8)

    def geometry(self, rows: int, columns: int, boards: int = 1, levels: int = 2) -> "Geometry":
        """The pixels of a rows x columns board in this look.

        Args:
            rows: of the board.
            columns: of the board.
            boards: 1, or in colour 3.
            levels: how many states a cell has.

        Raises:
            OptionError: if a frame would be larger than any format can hold, or a cell than any
                screen.
        """
        tallest = TALLEST * self.width // rows
        pitch = self.cell or max(1, min(round(self.width / columns), tallest))
        gap = self.gap
        if gap is None:
            gapped = pitch >= NARROWEST_WITH_GAP and has_gaps(rows, columns, boards, levels)
            gap = max(1, round(pitch / 14)) if gapped else 0
        if self.cell is None and gap >= max(pitch, 2):
            raise OptionError(
                f"gaps of {gap} px leave no room for cells in a frame {self.width} px wide; "
                f"take smaller gaps, or give the size of a cell too"
            )
        return Geometry(rows=rows, columns=columns, cell=self.cell or max(1, pitch - gap), gap=gap)


explain(Theme)


def has_gaps(rows: int, columns: int, boards: int = 1, levels: int = 2) -> bool:
    """Are such boards drawn with gaps where none are asked for and the cells are not narrow?

    >>> has_gaps(60, 60), has_gaps(60, 60, boards=3), has_gaps(5, 5, levels=3)
    (True, False, True)
    """
    return (boards, levels) == (1, 2) or max(rows, columns) <= LARGEST_WITH_GAP


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
