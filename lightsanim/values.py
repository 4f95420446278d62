"""Values that options hold in one spelling: sizes, canvases, bytes and colours."""

import re
from collections.abc import Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Any, NamedTuple, NewType

from attrs import frozen

from lightsanim.checks import check_whole, guess, shown
from lightsanim.errors import OptionError

# More cells than any picture needs; dithering that many still fits the memory of a laptop.
MAX_CELLS = 50_000_000

# Cells in a row or a column; longer ones have no use and take minutes.
MAX_SIDE = 50_000

# Pixels of a canvas a side.
MAX_CANVAS = 50_000

# Where a pixel is opaque or not there, it is there from this alpha on.
HALF = 128

Bytes = NewType("Bytes", int)
"""The size of a file."""

UNITS = {"": 1, "k": 1000, "m": 1000**2, "g": 1000**3}


@frozen(kw_only=True)
class Size:
    """A board's columns, and its rows where they are given.

    Attributes:
        columns: cells in a row.
        rows: cells in a column; None to take the first picture's shape.

    Raises:
        OptionError: if a side is not positive, or the board is too large.
    """

    columns: int
    rows: int | None = None

    def __attrs_post_init__(self) -> None:
        rows = 1 if self.rows is None else self.rows
        if self.columns < 1 or rows < 1:
            raise OptionError(f"size must be at least 1x1, not {self}")
        if self.columns * rows > MAX_CELLS or max(self.columns, rows) > MAX_SIDE:
            raise OptionError(
                f"size {self} is too large: at most {MAX_CELLS} cells, such as 7000x7000, "
                f"and {MAX_SIDE} a side"
            )

    def __str__(self) -> str:
        return str(self.columns) if self.rows is None else f"{self.columns}x{self.rows}"


SizeLike = Size | str | int | tuple[int, int]
"""A size as users spell it; see `to_size`."""


def to_size(value: SizeLike) -> Size:
    """``60x40`` or ``(60, 40)`` is 60 columns and 40 rows; ``60`` leaves the rows open.

    Raises:
        OptionError: if it is neither, smaller than 1x1, or too large.

    >>> to_size("60x40") == to_size((60, 40)), to_size(60)
    (True, Size(columns=60, rows=None))
    """
    if isinstance(value, Size):
        return value
    sides = _sides(value)
    if sides is None:
        raise OptionError(
            f"size must be COLUMNS or COLUMNSxROWS, such as 60x40, not {shown(value)}"
        )
    columns, rows = sides
    return Size(columns=columns, rows=rows)


def _sides(value: Any) -> tuple[int, int | None] | None:
    # The numbers in 60x40, (60, 40) or 60; None if it is none of these.
    text = "x".join(map(str, value)) if isinstance(value, tuple) else str(value)
    match = re.fullmatch(r"([+-]?\d{1,15})(?:[xX]([+-]?\d{1,15}))?", text.strip())
    if not match:
        return None
    first, second = match.groups()
    return int(first), None if second is None else int(second)


@frozen(kw_only=True)
class Canvas:
    """The pixels of a frame, exactly.

    Attributes:
        width: of a frame.
        height: of a frame; None to take the board's shape.

    Raises:
        OptionError: if a side is not positive, or too large.
    """

    width: int
    height: int | None = None

    def __attrs_post_init__(self) -> None:
        for side in (self.width, self.width if self.height is None else self.height):
            if not 1 <= side <= MAX_CANVAS:
                raise OptionError(f"canvas must have 1 to {MAX_CANVAS} pixels a side, not {self}")

    def __str__(self) -> str:
        return str(self.width) if self.height is None else f"{self.width}x{self.height}"


CanvasLike = Canvas | str | int | tuple[int, int]
"""A canvas as users spell it; see `to_canvas`."""


def to_canvas(value: CanvasLike, named: Mapping[str, str] = MappingProxyType({})) -> Canvas:
    """``1080x1350`` or ``(1080, 1350)`` is that many pixels; ``1080`` leaves the height open.

    Args:
        value: one of these, or a name.
        named: canvases by their names.

    Raises:
        OptionError: if it is none of these, or a side is not positive or too large.

    >>> to_canvas("tall", {"tall": "9x16"}) == to_canvas((9, 16)), to_canvas(1080).height
    (True, None)
    """
    if isinstance(value, Canvas):
        return value
    sides = _sides(named.get(value, value) if isinstance(value, str) else value)
    if sides is None:
        known = ", ".join(["WIDTHxHEIGHT such as 1080x1080, WIDTH", *named])
        raise OptionError(f"canvas must be one of {known}, not {shown(value)}{guess(value, named)}")
    width, height = sides
    return Canvas(width=width, height=height)


def to_bytes(value: str | int, name: str = "max_bytes") -> Bytes:
    """``8MB``, ``500 kB`` or ``8000000``: a number of bytes, of which 1000 are a kB.

    Args:
        value: one of these.
        name: of the option, for the message.

    Raises:
        OptionError: if it is none of these, or less than 1.

    >>> to_bytes("1.5 MB"), to_bytes(200_000)
    (1500000, 200000)
    """
    match = re.fullmatch(r"(\d{1,15}(?:\.\d{1,9})?) *([kmg]?)b?", str(value).strip().lower())
    number = int(float(match[1]) * UNITS[match[2]]) if match else 0
    if number < 1 or isinstance(value, bool):
        raise OptionError(
            f"{name} must be a size such as 8MB, 500kB or 8000000, not {shown(value)}"
        )
    return Bytes(number)


class Colour(NamedTuple):
    """Red, green, blue and alpha, 0 to 255 each, as in sRGB.

    >>> str(Colour(255, 128, 0)), str(Colour(255, 128, 0, 128)), str(NOTHING)
    ('#ff8000', '#ff800080', 'none')
    """

    red: int
    green: int
    blue: int
    alpha: int = 255

    @property
    def rgb(self) -> tuple[int, int, int]:
        """The colour without its alpha."""
        return self[:3]

    @property
    def is_opaque(self) -> bool:
        """Does it hide all that lies behind it?"""
        return self.alpha == 255

    def one_bit(self) -> "Colour":
        """The same opaque, or not there at all."""
        return self._replace(alpha=255) if self.alpha >= HALF else NOTHING

    def __str__(self) -> str:
        if not self.alpha:
            return "none"
        return f"#{bytes(self.rgb if self.is_opaque else self).hex()}"


# What is not there has no colour, however it is spelt.
NOTHING = Colour(0, 0, 0, 0)
NOTHINGS = ("none", "transparent")


def to_colour(value: str | tuple[int, ...], name: str = "colour") -> Colour:
    """A colour by its name, as hex or in another form that Pillow knows, or by its numbers.

    Args:
        value: such as ``white``, ``#ff8000``, ``hsl(30, 100%, 50%)`` or ``(255, 128, 0)``; with
            alpha ``#ff800080`` or ``(255, 128, 0, 128)``; ``none`` and ``transparent``.
        name: of the option, for the message.

    Raises:
        OptionError: if it is none of these; names the nearest colour name.

    >>> to_colour("white") == to_colour("#ffffff") == to_colour((255, 255, 255))
    True
    >>> to_colour("none") == to_colour("transparent") == to_colour("#ff800000")
    True
    """
    if isinstance(value, str) and value.strip().lower() in NOTHINGS:
        return NOTHING
    from PIL import ImageColor  # most runs that only print help need no colours

    with suppress(ValueError):  # of Pillow, and of a number that is none or too large
        numbers = ImageColor.getrgb(value) if isinstance(value, str) else value
        if isinstance(numbers, tuple) and len(numbers) in (3, 4):
            colour = Colour(*(check_whole(name, number, 0, 255) for number in numbers))
            return colour if colour.alpha else NOTHING
    raise OptionError(
        f"{name} must be a colour name or hex such as white or #ff8000, not {shown(value)}"
        f"{guess(value, ImageColor.colormap)}"
    )


def to_opaque_colour(value: str | tuple[int, ...], name: str = "colour") -> Colour:
    """As `to_colour`, for what lies behind everything else.

    Args:
        value: see `to_colour`.
        name: of the option, for the message.

    Raises:
        OptionError: also for a colour that is transparent.
    """
    colour = to_colour(value, name)
    if not colour.is_opaque:
        raise OptionError(f"{name} must be opaque, as nothing lies behind it, not {colour}")
    return colour
