"""Values that options hold in one spelling: sizes, canvases, spans, bytes, parts of a picture."""

import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, NamedTuple, NewType, Protocol, Self

from attrs import field, frozen

from lightsanim.errors import OptionError
from lightsanim.options.checks import invalid_value_error, parse_number, quote_value

# More cells than any picture needs; dithering that many still fits the memory of a laptop.
MAX_CELLS = 50_000_000

# Cells in a row or a column, of an option or of a file: longer ones have no use and take minutes.
MAX_SIDE = 50_000

# Pixels along a picture's side, and how many times closer one may look.
MAX_PLACE = 10**9
MAX_ZOOM = 1000

# Pixels of a canvas a side.
MAX_CANVAS = 50_000

# Those that have a name.
CANVASES = {
    "square": "1080x1080",
    "portrait": "1080x1350",
    "story": "1080x1920",
    "wide": "1920x1080",
}

Bytes = NewType("Bytes", int)
"""The size of a file."""

BYTE_UNITS = {"": 1, "k": 1000, "m": 1000**2, "g": 1000**3}


@frozen(kw_only=True)
class Size:
    """A board's columns, and its rows where they are given."""

    columns: int  # cells in a row
    rows: int | None = None  # cells in a column; None to take the first picture's shape

    def __attrs_post_init__(self) -> None:
        rows = 1 if self.rows is None else self.rows
        if self.columns < 1 or rows < 1:
            raise OptionError(f"size must be at least 1x1, not {self}", "size")
        if self.columns * rows > MAX_CELLS or max(self.columns, rows) > MAX_SIDE:
            raise OptionError(
                f"size {self} is too large: at most {MAX_CELLS} cells, such as 7000x7000, "
                f"and {MAX_SIDE} a side",
                "size",
            )

    def __str__(self) -> str:
        return str(self.columns) if self.rows is None else f"{self.columns}x{self.rows}"


SizeLike = Size | str | int | tuple[int, int]
"""A size as users spell it; see `to_size`."""


def to_size(value: SizeLike) -> Size:
    """``60x40`` or ``(60, 40)`` is 60 columns and 40 rows; ``60`` leaves the rows open."""
    if isinstance(value, Size):
        return value
    columns, rows = _parse_sides("size", "be COLUMNS or COLUMNSxROWS, such as 60x40", value)
    return Size(columns=columns, rows=rows)


def _parse_sides(
    name: str, expected: str, value: Any, names: Iterable[str] = ()
) -> tuple[int, int | None]:
    # The numbers in 60x40, (60, 40) or 60.
    text = "x".join(map(str, value)) if isinstance(value, tuple) else str(value)
    match = re.fullmatch(r"([+-]?\d{1,15})(?:[xX]([+-]?\d{1,15}))?", text.strip(), re.ASCII)
    if not match:
        raise invalid_value_error(name, expected, value, names)
    first, second = match.groups()
    return int(first), None if second is None else int(second)


@frozen(kw_only=True)
class Canvas:
    """The pixels of a frame, exactly."""

    width: int  # of a frame
    height: int | None = None  # of a frame; None to take the board's shape

    def __attrs_post_init__(self) -> None:
        for side in (self.width, self.width if self.height is None else self.height):
            if not 1 <= side <= MAX_CANVAS:
                raise OptionError(
                    f"canvas must have 1 to {MAX_CANVAS} pixels a side, not {self}", "canvas"
                )

    def __str__(self) -> str:
        return str(self.width) if self.height is None else f"{self.width}x{self.height}"


def to_canvas(value: Canvas | str | int | tuple[int, int]) -> Canvas:
    """``1080x1350`` or ``(1080, 1350)`` is that many pixels; ``1080`` leaves the height open."""
    if isinstance(value, Canvas):
        return value
    if isinstance(value, str):
        value = CANVASES.get(value, value)
    forms = ", ".join(["WIDTHxHEIGHT such as 1080x1080, WIDTH", *CANVASES])
    width, height = _parse_sides("canvas", f"be one of {forms}", value, CANVASES)
    return Canvas(width=width, height=height)


def to_angles(value: str | float | Iterable[float]) -> str:
    """Degrees from -180 to 180, for all pens or one for each, with commas between."""
    parts = value.split(",") if isinstance(value, str) else value
    with suppress(ValueError, TypeError):
        parts = parts if isinstance(parts, Iterable) else [parts]
        angles = [parse_number(float, str(angle)) for angle in parts]
        if angles and all(-180 <= angle <= 180 for angle in angles):
            return ",".join(str(angle + 0.0).removesuffix(".0") for angle in angles)
    raise invalid_value_error(
        "hatch_angle", "be degrees from -180 to 180, such as 45 or 15,75,0", value
    )


class Span(NamedTuple):
    """Whole numbers from a first to a last one."""

    first: int
    last: int

    def __str__(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first}..{self.last}"


def to_span(value: Span | str | int | tuple[int, int], name: str = "clicks") -> Span:
    """``3..12`` or ``(3, 12)`` is the numbers from 3 to 12; ``7`` is 7 alone."""
    text = "..".join(map(str, value)) if isinstance(value, tuple) else str(value)
    match = re.fullmatch(r"(\d{1,15})(?:\.\.(\d{1,15}))?", text.strip(), re.ASCII)
    span = Span(int(match[1]), int(match[2] or match[1])) if match else Span(0, 0)
    if not 1 <= span.first <= span.last:
        expected = "be a number from 1, such as 7, or two that rise, such as 3..12"
        raise invalid_value_error(name, expected, value)
    return span


def spread_evenly(span: Span, count: int) -> tuple[int, ...]:
    """A number of numbers from the first to the last of a span, evenly spaced.

    >>> spread_evenly(Span(3, 12), 6), spread_evenly(Span(3, 12), 1), spread_evenly(Span(3, 4), 4)
    ((3, 5, 7, 8, 10, 12), (8,), (3, 3, 4, 4))
    """
    if count == 1:
        return ((span.first + span.last + 1) // 2,)
    length, steps = span.last - span.first, count - 1
    return tuple(span.first + (2 * length * step + steps) // (2 * steps) for step in range(count))


def to_byte_count(value: str | int, name: str = "max_bytes") -> Bytes:
    """``8MB``, ``500 kB`` or ``8000000``: a number of bytes, of which 1000 are a kB.

    >>> to_byte_count("1.5 MB"), to_byte_count(200_000)
    (1500000, 200000)
    """
    text = str(value).strip().lower()
    match = re.fullmatch(r"(\d{1,15}(?:\.\d{1,9})?) *([kmg]?)b?", text, re.ASCII)
    number = int(float(match[1]) * BYTE_UNITS[match[2]]) if match else 0
    if number < 1 or isinstance(value, bool):
        raise invalid_value_error(name, "be a size such as 8MB, 500kB or 8000000", value)
    return Bytes(number)


STRAIGHT, ZIGZAG = "straight", "zigzag"

# Words that exclude each other, with their bits in Adafruit_NeoMatrix's ``matrixType``.
WORD_GROUPS = (
    {"top-left": 0, "bottom-left": 1, "top-right": 2, "bottom-right": 3},
    {"rows": 0, "columns": 4},
    {STRAIGHT: 0, ZIGZAG: 8},
)
BITS = {word: bits for kind in WORD_GROUPS for word, bits in kind.items()}
SYNONYMS = {"progressive": STRAIGHT, "serpentine": ZIGZAG}


def to_wiring(name: str, value: str) -> str:
    """The words of a wiring that say more than top-left, rows, straight, in their order.

    >>> to_wiring("wiring", "zigzag,bottom-right"), to_wiring("wiring", "serpentine")
    ('bottom-right,zigzag', 'zigzag')
    """
    words = [SYNONYMS.get(word, word) for word in str(value).replace(" ", "").split(",")]
    if not set(words) <= set(BITS):
        raise invalid_value_error(
            name, f"have words of {', '.join(BITS)}, joined by commas", value, BITS
        )
    for kind in WORD_GROUPS:
        if len(contradicting := [word for word in words if word in kind]) > 1:
            raise OptionError(
                f"{name} says {contradicting[0]} and {contradicting[1]}; leave one out", name
            )
    return ",".join(word for word in BITS if word in words and BITS[word]) or STRAIGHT


def neomatrix_flags(wiring: str) -> int:
    """NeoMatrix's ``matrixType``: 1 from the bottom, 2 from the right, 4 by columns, 8 zigzag."""
    return sum(BITS[word] for word in wiring.split(","))


class Panels(NamedTuple):
    """How many panels stand side by side and below each other, and how they follow each other."""

    across: int = 1
    down: int = 1
    wiring: str = STRAIGHT

    def __str__(self) -> str:
        return f"{self.across}x{self.down},{self.wiring}"


def to_panels(value: Panels | str) -> Panels:
    """``4x1`` is four panels side by side; then perhaps a comma and their wiring.

    >>> str(to_panels("4x2,columns,bottom-right"))
    '4x2,bottom-right,columns'
    """
    counts, _, order = str(value).partition(",")
    match = re.fullmatch(r"([1-9]\d{0,3})x([1-9]\d{0,3})", counts, re.ASCII)
    if not match:
        raise invalid_value_error(
            "panels", "be ACROSSxDOWN such as 4x1, or 4x2,zigzag with a wiring", value
        )
    return Panels(int(match[1]), int(match[2]), to_wiring("panels", order or STRAIGHT))


class Position(NamedTuple):
    """How far along a side of a picture: in pixels, or as a share of the side.

    >>> share = Position.parse("45%")
    >>> str(share), share.to_pixels(200), Position.parse("9").to_pixels(9)
    ('45%', 90.0, 9.0)
    """

    number: float
    is_percent: bool

    @classmethod
    def parse(cls, text: str) -> Self:
        """What a number says, with or without a percent sign; ValueError for anything else."""
        percent = text.endswith("%")
        number = parse_number(float, text[:-1] if percent else text) + 0.0
        if not 0 <= number <= (100 if percent else MAX_PLACE):
            raise ValueError
        return cls(number, percent)

    def to_pixels(self, side: int) -> float:
        """The place in pixels on a side of so many."""
        return self.number * side / 100 if self.is_percent else self.number

    def __str__(self) -> str:
        return f"{self.number:.9g}{'%' if self.is_percent else ''}"


class Crop(NamedTuple):
    """A rectangle of a picture, as in Pillow's ``Image.crop``."""

    left: Position
    top: Position
    right: Position
    bottom: Position

    def __str__(self) -> str:
        return ",".join(map(str, self))


def to_crop(value: Crop | str | tuple[float, ...]) -> Crop:
    """LEFT,TOP,RIGHT,BOTTOM, each in pixels or as a share such as 10%.

    >>> to_crop((0, 10, 100, 200)) == to_crop("0,10,100,200")
    True
    """
    if isinstance(value, Crop):
        return value
    try:
        crop = Crop(*map(Position.parse, _split_at_commas(value)))
    except (ValueError, TypeError):
        within = "be LEFT,TOP,RIGHT,BOTTOM within the picture, in pixels or %"
        raise invalid_value_error("crop", f"{within}, such as 10%,0,90%,60%", value) from None
    _check_not_fractions("crop", value, crop)
    for low, high in ((crop.left, crop.right), (crop.top, crop.bottom)):
        if low.is_percent == high.is_percent and low.number >= high.number:
            raise invalid_value_error("crop", "have left before right and top above bottom", value)
    return crop


# What a focus may be on, other than a point.
FACE, AUTO = "face", "auto"


class Focus(NamedTuple):
    """What a picture is cut out around."""

    # A point, or what is looked for: `FACE`, or `AUTO`, a face if there is one.
    on: str | tuple[Position, Position]
    # How many times smaller than the picture the part is; None for what suits it.
    zoom: float | None = None

    def __str__(self) -> str:
        on = [self.on] if isinstance(self.on, str) else list(map(str, self.on))
        return ",".join([*on, *([] if self.zoom is None else [f"{self.zoom:.9g}"])])


def to_focus(value: Focus | str | tuple[float, ...]) -> Focus:
    """X,Y or ``face`` or ``auto``, and perhaps a comma and a zoom after it.

    >>> to_focus((120, 80, 2)) == to_focus("120,80,2.0")
    True
    """
    if isinstance(value, Focus):
        return value
    focus = None
    with suppress(ValueError, TypeError, IndexError):
        first, *zoom = _split_at_commas(value)
        on = (
            first if first in (FACE, AUTO) else (Position.parse(first), Position.parse(zoom.pop(0)))
        )
        if len(zoom) <= 1:
            focus = Focus(on, *map(float, zoom))
    if focus is None:
        forms = "X,Y or X,Y,ZOOM, with X and Y in pixels or %"
        raise invalid_value_error(
            "focus", f"be {forms}, or {FACE} or {AUTO}, such as 45%,30%,2", value
        )
    if focus.zoom is not None and not 1 <= focus.zoom <= MAX_ZOOM:
        raise OptionError(
            f"the zoom of focus must be a number from 1 to {MAX_ZOOM}, not {focus.zoom}", "focus"
        )
    if not isinstance(focus.on, str):
        _check_not_fractions("focus", value, focus.on)
    return focus


def _check_not_fractions(name: str, value: object, positions: Iterable[Position]) -> None:
    # Shares of a side are often written as 0.5: as pixels they would show the corner alone.
    numbers = [position.number for position in positions if not position.is_percent]
    if any(0 < number < 1 for number in numbers) and max(numbers) <= 1:
        raise OptionError(
            f"{name} is in pixels or %: write 50% for a half, not {quote_value(value)}", name
        )


def _split_at_commas(value: str | tuple[float, ...]) -> list[str]:
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
    """A click order that a Python user gives; in records it is called "custom"."""

    # A time for each cell, (rows, columns), smaller first; or a function that makes these of the
    # row and the column of each cell, as float arrays.
    source: ArrayLike | Callable[[Any, Any], Any] = field(eq=id)

    def __str__(self) -> str:
        return CUSTOM


# Bytes of a file's name: some file systems take 143, and a number and a suffix follow.
MAX_NAME_BYTES = 128

# Names that Windows takes for devices, whatever follows their first dot.
RESERVED_NAMES = re.compile(r"^(con|prn|aux|nul|(com|lpt)[\d¹²³])(?= *(\.|$))", re.IGNORECASE)


def to_file_stem(text: str) -> str:
    r"""A name that every file system takes, without a folder and a leading dot.

    >>> to_file_stem("../<b>sun\n: moon"), to_file_stem("..."), to_file_stem("con.x")
    ('-b-sun- moon', 'animation', 'con-1.x')
    """
    name = re.split(r"[/\\]", text)[-1]
    name = re.sub(r"[^\w .,+@()=-]+", "-", name).strip(". ")
    name = name.encode()[:MAX_NAME_BYTES].decode(errors="ignore").rstrip(". ")
    return RESERVED_NAMES.sub(r"\g<0>-1", name) or "animation"
