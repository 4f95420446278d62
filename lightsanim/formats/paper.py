"""Where stills stand that are drawn as one picture, and how large it is on paper."""

from dataclasses import dataclass
from pathlib import Path

from lightsanim.errors import OptionError
from lightsanim.look.theme import MAX_FRAME_PIXELS, Geometry, Theme, gutter_of
from lightsanim.options import VECTOR_SUFFIXES

# Millimetres of an inch, and pixels where no width on paper is asked for: CSS has as many.
INCH = 25.4
SCREEN = 96

# Millimetres of the largest page that readers of PDFs must show: 14,400 points (ISO 32000, C.2).
LARGEST_PAGE = 5080


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """Stills side by side, in pixels: two cells apart, or twice as far as their panels are.

    Attributes:
        geometry: of each of them.
        count: how many.
        across: how many stand side by side before the next row begins; None for all.

    Raises:
        OptionError: if they are too large to draw.
    """

    geometry: Geometry
    count: int = 1
    across: int | None = None

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
        cells = gutter_of(self.geometry.rows, self.geometry.columns)
        gutter = 2 * self.geometry.pitch * (1 if self.geometry.panel is None else cells)
        return [
            (row * (self.geometry.height + gutter), column * (self.geometry.width + gutter))
            for row, column in (divmod(n, self.across or self.count) for n in range(self.count))
        ]

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
        top, left = map(max, zip(*self.places, strict=True))
        return top + self.geometry.height, left + self.geometry.width


def pixel_of(theme: Theme, width: int) -> float:
    """Millimetres on paper of a pixel of a picture.

    Args:
        theme: the look, whose ``print_width`` the picture has.
        width: of the picture in pixels.

    >>> pixel_of(Theme(print_width=200), 400), pixel_of(Theme(), 400) * 96
    (0.5, 25.4)
    """
    return INCH / SCREEN if theme.print_width is None else theme.print_width / width


def dots_per_inch(theme: Theme, width: int) -> tuple[float, float]:
    """The pixels of an inch on paper, across and down, as Pillow writes them to a PNG."""
    dots = INCH / pixel_of(theme, width)
    return dots, dots


def check_print(path: Path, theme: Theme, sheet: Sheet, boards: int = 1, levels: int = 2) -> None:
    """Check that stills can be drawn as they are asked for on paper.

    Args:
        path: of the picture.
        theme: the look.
        sheet: the stills.
        boards: 1, or in colour 3.
        levels: how many states a cell has.

    Raises:
        OptionError: for a page that no reader shows, or a hatch that cannot be.
    """
    suffix, pixel = path.suffix.lower(), pixel_of(theme, sheet.size[1])
    height, width = (side * pixel for side in sheet.size)
    if suffix == ".pdf" and max(height, width) > LARGEST_PAGE:
        raise OptionError(
            f"a page of a PDF has at most {LARGEST_PAGE} mm a side, not {width:.0f}x{height:.0f}; "
            f"take a smaller print_width"
        )
    if theme.hatch is None:
        return
    if suffix not in VECTOR_SUFFIXES:
        raise OptionError(f"hatch is for stills as .svg or .pdf, not {str(path)!r}")
    tones = levels - 1 if boards == 1 else 1
    widest = sheet.geometry.cell * pixel / tones
    if theme.hatch > widest:
        what = f"cells of {widest * tones:.3g} mm" + (f" in {tones} tones" if tones > 1 else "")
        raise OptionError(
            f"hatch must be at most {widest:.3g} for {what}, not {theme.hatch:g}; "
            f"take a finer one, or a larger print_width"
        )
