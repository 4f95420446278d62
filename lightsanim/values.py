"""Values that options hold in one spelling: sizes and colours."""

import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple, Protocol

from attrs import field, frozen

from lightsanim.checks import check_whole, guess, shown
from lightsanim.errors import OptionError

# More cells than any picture needs; dithering that many still fits the memory of a laptop.
MAX_CELLS = 50_000_000

# Cells in a row or a column; longer ones have no use and take minutes.
MAX_SIDE = 50_000


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
    text = "x".join(map(str, value)) if isinstance(value, tuple) else str(value)
    match = re.fullmatch(r"([+-]?\d{1,15})(?:[xX]([+-]?\d{1,15}))?", text.strip())
    if not match:
        raise OptionError(
            f"size must be COLUMNS or COLUMNSxROWS, such as 60x40, not {shown(value)}"
        )
    columns, rows = match.groups()
    return Size(columns=int(columns), rows=None if rows is None else int(rows))


class Colour(NamedTuple):
    """Red, green, blue and alpha, 0 to 255 each, as in sRGB.

    >>> str(Colour(255, 128, 0))
    '#ff8000'
    """

    red: int
    green: int
    blue: int
    alpha: int = 255

    @property
    def rgb(self) -> tuple[int, int, int]:
        """The colour without its alpha."""
        return self[:3]

    def __str__(self) -> str:
        return f"#{bytes(self if self.alpha < 255 else self.rgb).hex()}"


def to_colour(value: str | tuple[int, ...], name: str = "colour") -> Colour:
    """A colour by its name, as hex or in another form that Pillow knows, or by its numbers.

    Args:
        value: such as ``white``, ``#ff8000``, ``hsl(30, 100%, 50%)`` or ``(255, 128, 0)``.
        name: of the option, for the message.

    Raises:
        OptionError: if it is none of these; names the nearest colour name.

    >>> to_colour("white") == to_colour("#ffffff") == to_colour((255, 255, 255))
    True
    """
    from PIL import ImageColor  # most runs that only print help need no colours

    with suppress(ValueError):  # of Pillow, and of a number that is none or too large
        numbers = ImageColor.getrgb(value) if isinstance(value, str) else value
        if isinstance(numbers, tuple) and len(numbers) in (3, 4):
            return Colour(*(check_whole(name, number, 0, 255) for number in numbers))
    raise OptionError(
        f"{name} must be a colour name or hex such as white or #ff8000, not {shown(value)}"
        f"{guess(value, ImageColor.colormap)}"
    )


CUSTOM = "custom"


class ArrayLike(Protocol):
    """What numpy makes an array of at once."""

    def __array__(self) -> Any:
        """The array."""


@frozen
class CustomOrder:
    """A click order that a Python user gives; in records it is called "custom".

    Attributes:
        given: a time for each cell, (rows, columns), smaller first; or a function that makes these
            of the row and the column of each cell, as float arrays.
    """

    given: ArrayLike | Callable[[Any, Any], Any] = field(eq=id)

    def __str__(self) -> str:
        return CUSTOM
