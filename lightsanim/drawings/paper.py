"""Where stills stand that are drawn as one picture, and how large it is on paper."""

from dataclasses import dataclass
from pathlib import Path

from lightsanim.errors import OptionError
from lightsanim.look.theme import MAX_FRAME_PIXELS, Geometry, Theme, gutter_of
from lightsanim.options.table import VECTOR_SUFFIXES

# Millimetres of an inch, and pixels where no width on paper is asked for: CSS has as many.
INCH = 25.4
SCREEN = 96

# Millimetres of the largest page that readers of PDFs must show: 14,400 points (ISO 32000, C.2).
LARGEST_PAGE = 5080

# Under its still a label has so much room, in heights; so far apart are stills with labels, at
# least in pixels and as a share of their width.
LINE = 1.9
APART, LEAST_APART = 1 / 8, 12


@dataclass(frozen=True, kw_only=True)
class Captions:
    """Words on a sheet."""

    labels: tuple[str, ...]  # under each still
    heading: str  # above all of them
    height: int  # of the labels, in pixels
    width: int  # of the widest of them
    heading_size: tuple[int, int]  # the heading's height and width


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """Stills side by side, in pixels: two cells apart, or twice as far as their panels are.

    With words they stand farther apart where cells are small, and there is a margin around them.
    """

    geometry: Geometry  # of each of them
    count: int = 1  # how many
    # How many stand side by side before the next row begins; None for all.
    across: int | None = None
    captions: Captions | None = None  # the words; None for none

    def __post_init__(self) -> None:
        height, width = self.size
        if height * width > MAX_FRAME_PIXELS:
            raise OptionError(
                f"{self.count} stills make a picture of {width}x{height}, more than "
                f"{MAX_FRAME_PIXELS} pixels; take fewer, or smaller cells"
            )

    @property
    def places(self) -> list[tuple[int, int]]:
        """The top and the left edge of each still."""
        down, right = self._steps
        indent = (self._width - self._natural_width + self._slot - self.geometry.width) // 2
        return [
            (self.margin + self._head + row * down, self.margin + indent + column * right)
            for row, column in (divmod(n, self.across or self.count) for n in range(self.count))
        ]

    @property
    def captioned(self) -> list[tuple[float, float]]:
        """Where the middle of each label is: x and y."""
        geometry = self.geometry
        return [
            (left + geometry.width / 2, top + geometry.height + self._line / 2)
            for top, left in self.places
        ]

    @property
    def margin(self) -> int:
        """Around a sheet with words."""
        return 0 if self.captions is None else self._gutter

    @property
    def _gutter(self) -> int:
        geometry = self.geometry
        if self.captions is not None:
            return max(round(geometry.width * APART), LEAST_APART)
        cells = gutter_of(geometry.rows, geometry.columns)
        return 2 * geometry.pitch * (1 if geometry.panel is None else cells)

    @property
    def _line(self) -> int:
        return 0 if self.captions is None else round(LINE * self.captions.height)

    @property
    def _head(self) -> int:
        return 0 if self.captions is None else round(LINE * self.captions.heading_size[0])

    @property
    def _slot(self) -> int:
        # As wide as a still, or as its label.
        return max(self.geometry.width, 0 if self.captions is None else self.captions.width)

    @property
    def _steps(self) -> tuple[int, int]:
        return self.geometry.height + self._line + self._gutter, self._slot + self._gutter

    @property
    def boards(self) -> list[tuple[int, int]]:
        """The same of each board, and after it of the panel of its clicks, if there is one."""
        parts = [(0, 0), *filter(None, [self.geometry.panel])]
        pitch = self.geometry.pitch
        return [
            (top + down * pitch, left + right * pitch)
            for top, left in self.places
            for down, right in parts
        ]

    @property
    def size(self) -> tuple[int, int]:
        """Height and width."""
        bottom = max(top for top, _ in self.places) + self.geometry.height
        return bottom + self._line + self.margin, self._width

    @property
    def _natural_width(self) -> int:
        # Of all that stand side by side.
        across = min(self.across or self.count, self.count)
        return across * self._steps[1] - self._gutter + 2 * self.margin

    @property
    def _width(self) -> int:
        # Also of the heading.
        heading = 0 if self.captions is None else self.captions.heading_size[1]
        return max(self._natural_width, heading + 2 * self.margin)


def pixel_of(theme: Theme, width: int) -> float:
    """Millimetres on paper of a pixel of a picture.

    >>> pixel_of(Theme(print_width=200), 400), pixel_of(Theme(), 400) * 96
    (0.5, 25.4)
    """
    return INCH / SCREEN if theme.print_width is None else theme.print_width / width


def dots_per_inch(theme: Theme, width: int) -> tuple[float, float]:
    """The pixels of an inch on paper, across and down, as Pillow writes them to a PNG."""
    dots = INCH / pixel_of(theme, width)
    return dots, dots


def check_print(path: Path, theme: Theme, sheet: Sheet, boards: int = 1, levels: int = 2) -> None:
    """Check that stills can be drawn as they are asked for on paper."""
    suffix, pixel = path.suffix.lower(), pixel_of(theme, sheet.size[1])
    height, width = (side * pixel for side in sheet.size)
    if suffix == ".pdf" and max(height, width) > LARGEST_PAGE:
        raise OptionError(
            f"a page of a PDF has at most {LARGEST_PAGE} mm a side, not {width:.0f}x{height:.0f}; "
            f"take a smaller print_width",
            "print_width",
        )
    if theme.hatch is None:
        return
    if suffix not in VECTOR_SUFFIXES:
        raise OptionError(f"hatch is for stills as .svg or .pdf, not {str(path)!r}", "hatch")
    tones = levels - 1 if boards == 1 else 1
    widest = sheet.geometry.cell * pixel / tones
    if theme.hatch > widest:
        what = f"cells of {widest * tones:.3g} mm" + (f" in {tones} tones" if tones > 1 else "")
        raise OptionError(
            f"hatch must be at most {widest:.3g} for {what}, not {theme.hatch:g}; "
            f"take a finer one, or a larger print_width",
            "hatch",
        )
