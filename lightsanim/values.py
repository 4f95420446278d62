"""Values that options hold in one spelling: sizes, colours, and parts of a picture."""

import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple, Protocol, Self

from attrs import field, frozen

from lightsanim.checks import check_number, check_whole, guess, shown
from lightsanim.errors import OptionError

# More cells than any picture needs; dithering that many still fits the memory of a laptop.
MAX_CELLS = 50_000_000

# Cells in a row or a column; longer ones have no use and take minutes.
MAX_SIDE = 50_000

# Pixels along a picture's side, and how many times closer one may look.
MAX_PIXELS = 10**9
MAX_ZOOM = 1000


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


class Place(NamedTuple):
    """How far along a side of a picture: in pixels, or as a share of the side.

    >>> str(Place.of_text("45%")), Place.of_text("45%").on(200), Place.of_text("30").on(200)
    ('45%', 90.0, 30.0)
    """

    number: float
    is_percent: bool

    @classmethod
    def of_text(cls, text: str) -> Self:
        """What a number says, with or without a percent sign; ValueError for anything else."""
        percent = text.endswith("%")
        number = float(text[:-1] if percent else text) + 0.0
        if not 0 <= number <= (100 if percent else MAX_PIXELS):
            raise ValueError
        return cls(number, percent)

    def on(self, side: int) -> float:
        """The place in pixels on a side of so many."""
        return self.number * side / 100 if self.is_percent else self.number

    def __str__(self) -> str:
        return f"{self.number:.9g}{'%' if self.is_percent else ''}"


class Crop(NamedTuple):
    """A rectangle of a picture, as in Pillow's ``Image.crop``.

    >>> str(to_crop("10%,0,90%,300"))
    '10%,0,90%,300'
    """

    left: Place
    top: Place
    right: Place
    bottom: Place

    def __str__(self) -> str:
        return ",".join(map(str, self))


def to_crop(value: Crop | str | tuple[float, ...]) -> Crop:
    """LEFT,TOP,RIGHT,BOTTOM, each in pixels or as a share such as 10%.

    Raises:
        OptionError: if it is anything else, empty, or reversed.

    >>> to_crop((0, 10, 100, 200)) == to_crop("0,10,100,200")
    True
    """
    if isinstance(value, Crop):
        return value
    try:
        crop = Crop(*map(Place.of_text, _words(value)))
    except (ValueError, TypeError):
        raise OptionError(
            f"crop must be LEFT,TOP,RIGHT,BOTTOM within the picture, in pixels or %, such as "
            f"10%,0,90%,60%, not {shown(value)}"
        ) from None
    for low, high in ((crop.left, crop.right), (crop.top, crop.bottom)):
        if low.is_percent == high.is_percent and low.number >= high.number:
            raise OptionError(
                f"crop must have left before right and top above bottom, not {shown(value)}"
            )
    return crop


# What a focus may be on, other than a point.
FACE, AUTO = "face", "auto"


class Focus(NamedTuple):
    """What a picture is cut out around.

    Attributes:
        on: a point, or what is looked for: `FACE`, or `AUTO`, a face or else the busiest part.
        zoom: how many times smaller than the picture the part is; None for what suits it.

    >>> str(to_focus("45%,30%,2")), str(to_focus("face"))
    ('45%,30%,2', 'face')
    """

    on: str | tuple[Place, Place]
    zoom: float | None = None

    def __str__(self) -> str:
        on = [self.on] if isinstance(self.on, str) else list(map(str, self.on))
        return ",".join([*on, *([] if self.zoom is None else [f"{self.zoom:.9g}"])])


def to_focus(value: Focus | str | tuple[float, ...]) -> Focus:
    """X,Y or ``face`` or ``auto``, and perhaps a comma and a zoom after it.

    Raises:
        OptionError: if it is anything else.

    >>> to_focus((120, 80, 2)) == to_focus("120,80,2.0")
    True
    """
    if isinstance(value, Focus):
        return value
    with suppress(ValueError, TypeError, IndexError):
        words = _words(value)
        on: str | tuple[Place, Place]
        if words[0] in (FACE, AUTO):
            on, zoom = words[0], words[1:]
        else:
            on, zoom = (Place.of_text(words[0]), Place.of_text(words[1])), words[2:]
        if len(zoom) <= 1:
            zooms = [check_number("the zoom of focus", float(word), 1, MAX_ZOOM) for word in zoom]
            return Focus(on, *zooms)
    raise OptionError(
        f"focus must be X,Y or X,Y,ZOOM, with X and Y in pixels or %, or {FACE} or {AUTO}, such as "
        f"45%,30%,2, not {shown(value)}"
    )


def _words(value: str | tuple[float, ...]) -> list[str]:
    # The parts of a text between its commas, or numbers as texts.
    words = value.split(",") if isinstance(value, str) else map(str, value)
    return [word.strip() for word in words]


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
