"""Types for values of options, such as sizes, canvases, spans and crops."""

import re
import shlex
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import count
from typing import Any, NamedTuple, NewType, Protocol, Self

from attrs import field, frozen

from lightsanim.errors import OptionError
from .checks import invalid_value_error, parse_number
from .choices import AUTO

MAX_CELLS = 50_000_000  # Maximum cells of a board; a laptop has the memory to dither them.
MAX_SIDE = 50_000  # Maximum cells in a row or a column, because longer ones take minutes.
MAX_PLACE = 10**9  # Maximum coordinate in a picture, in pixels.
MAX_ZOOM = 1000
MAX_CANVAS = 50_000  # Maximum side of a canvas, in pixels.
BYTE_UNITS = {"": 1, "k": 1000, "m": 1000**2, "g": 1000**3}
CANVASES = {
    "square": "1080x1080",
    "portrait": "1080x1350",
    "story": "1080x1920",
    "wide": "1920x1080",
}

Bytes = NewType("Bytes", int)
"""The size of a file in bytes."""


@frozen(kw_only=True)
class Size:
    """The size of a board in cells."""

    columns: int
    rows: int | None = None  # Chosen by the shape of the first picture if None.

    def __attrs_post_init__(self) -> None:
        rows = 1 if self.rows is None else self.rows
        if self.columns < 1 or rows < 1:
            raise OptionError(f"size must be at least 1x1, not {self}", "size")
        if self.columns * rows > MAX_CELLS or max(self.columns, rows) > MAX_SIDE:
            limits = f"{MAX_CELLS} cells, such as 7000x7000, and {MAX_SIDE} per side"
            raise OptionError(f"size must be at most {limits}, not {self}", "size")

    def __str__(self) -> str:
        return str(self.columns) if self.rows is None else f"{self.columns}x{self.rows}"


class PictureWords(tuple[str, ...]):
    """Paths of pictures, each with options after @; as text they are quoted as for a shell."""

    def __str__(self) -> str:
        return shlex.join(self)


SizeLike = Size | str | int | tuple[int, int]
"""A size as users spell it; see `to_size`."""


def to_size(value: SizeLike) -> Size:
    """Convert "60x40" or (60, 40) to 60 columns and 40 rows, or "60" to 60 columns."""
    columns, rows = _parse_sides("size", "be COLUMNS or COLUMNSxROWS, such as 60x40", value)
    return Size(columns=columns, rows=rows)


def _parse_sides(
    name: str, expected: str, value: Any, names: Iterable[str] = ()
) -> tuple[int, int | None]:
    text = "x".join(map(str, value)) if isinstance(value, tuple) else str(value)
    match = re.fullmatch(r"([+-]?\d{1,15})(?:[xX]([+-]?\d{1,15}))?", text.strip(), re.ASCII)
    if not match:
        raise invalid_value_error(name, expected, value, names)
    first, second = match.groups()
    return int(first), None if second is None else int(second)


class Canvas(NamedTuple):
    """The exact size of a frame in pixels."""

    width: int
    height: int | None  # Chosen by the shape of the board if None.

    def __str__(self) -> str:
        return str(self.width) if self.height is None else f"{self.width}x{self.height}"


def to_canvas(value: Canvas | str | int | tuple[int, int]) -> Canvas:
    """Convert a name, "1080x1350", (1080, 1350), or "1080" (a width) to a canvas."""
    if isinstance(value, Canvas):
        return value
    if isinstance(value, str):
        value = CANVASES.get(value, value)
    forms = ", ".join(["WIDTHxHEIGHT such as 1080x1080, WIDTH", *CANVASES])
    canvas = Canvas(*_parse_sides("canvas", f"be one of {forms}", value, CANVASES))
    if not all(side is None or 1 <= side <= MAX_CANVAS for side in canvas):
        expected = f"have 1 to {MAX_CANVAS} pixels per side"
        raise OptionError(f"canvas must {expected}, not {canvas}", "canvas")
    return canvas


def to_angles(value: str | float | Iterable[float]) -> str:
    """Convert one angle for all pens, or one angle per pen, to comma-separated degrees."""
    parts = value.split(",") if isinstance(value, str) else value
    with suppress(ValueError, TypeError):
        parts = parts if isinstance(parts, Iterable) else [parts]
        angles = [parse_number(float, str(angle)) for angle in parts]
        if angles and all(-180 <= angle <= 180 for angle in angles):
            return ",".join(str(angle + 0.0).removesuffix(".0") for angle in angles)
    expected = "be angles from -180 to 180 degrees, such as 45 or 15,75,0"
    raise invalid_value_error("hatch_angle", expected, value)


class Span(NamedTuple):
    """A range of whole numbers that includes both ends."""

    first: int
    last: int

    def __str__(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first}..{self.last}"


def to_span(value: Span | str | int | tuple[int, int]) -> Span:
    """Convert "3..12" or (3, 12) to the span from 3 to 12, or "7" to the span from 7 to 7."""
    text = "..".join(map(str, value)) if isinstance(value, tuple) else str(value)
    match = re.fullmatch(r"(\d{1,15})(?:\.\.(\d{1,15}))?", text.strip(), re.ASCII)
    span = Span(int(match[1]), int(match[2] or match[1])) if match else Span(0, 0)
    if not 1 <= span.first <= span.last:
        expected = "be a number from 1, such as 7, or a range, such as 3..12"
        if span.first > span.last:
            expected = f"have its smaller number first, as in {span.last}..{span.first}"
        raise invalid_value_error("clicks", expected, value)
    return span


def to_frame(name: str, value: str | int) -> str:
    """Check the number of a frame, negative if counted from the end, or a share such as "50%"."""
    text = str(value).strip()
    if isinstance(value, bool) or not re.fullmatch(r"-?\d{1,9}|(\d{1,2}|100)%", text, re.ASCII):
        raise invalid_value_error(name, "be a whole number, or a share such as 50%", value)
    return text


def spread_evenly(span: Span, count: int) -> tuple[int, ...]:
    """Return ``count`` evenly spaced numbers from the first to the last of a span."""
    if count == 1:
        return ((span.first + span.last + 1) // 2,)
    length, steps = span.last - span.first, count - 1
    return tuple(span.first + (2 * length * step + steps) // (2 * steps) for step in range(count))


def to_byte_count(value: str | int) -> Bytes:
    """Convert "8MB", "500 kB" or "8000000" to a number of bytes, with 1000 bytes per kB."""
    text = str(value).strip().lower()
    match = re.fullmatch(r"(\d{1,15}(?:\.\d{1,9})?) *([kmg]?)b?", text, re.ASCII)
    number = int(float(match[1]) * BYTE_UNITS[match[2]]) if match else 0
    if number < 1 or isinstance(value, bool):
        expected = "be a size such as 8MB, 500kB or 8000000"
        raise invalid_value_error("max_bytes", expected, value)
    return Bytes(number)


STRAIGHT, ZIGZAG = "straight", "zigzag"

# Words of a wiring, at most one per group, with their bits in Adafruit_NeoMatrix's ``matrixType``.
WORD_GROUPS = (
    {"top-left": 0, "bottom-left": 1, "top-right": 2, "bottom-right": 3},
    {"rows": 0, "columns": 4},
    {STRAIGHT: 0, ZIGZAG: 8},
)
BITS = {word: bits for kind in WORD_GROUPS for word, bits in kind.items()}
SYNONYMS = {"progressive": STRAIGHT, "serpentine": ZIGZAG}


def to_wiring(name: str, value: str) -> str:
    """Return the words of a wiring in canonical order, without words that are the default."""
    words = [SYNONYMS.get(word, word) for word in str(value).replace(" ", "").split(",")]
    if not set(words) <= set(BITS):
        expected = f"be words from {', '.join(BITS)}, joined by commas"
        raise invalid_value_error(name, expected, value, BITS)
    for kind in WORD_GROUPS:
        if len(contradicting := [word for word in words if word in kind]) > 1:
            first, second = contradicting[:2]
            raise OptionError(f"{name} cannot be {first} and {second}; leave one out", name)
    return ",".join(word for word in BITS if word in words and BITS[word]) or STRAIGHT


def neomatrix_flags(wiring: str) -> int:
    """Return the ``matrixType`` that NeoMatrix uses for a wiring."""
    return sum(BITS[word] for word in wiring.split(","))


class Panels(NamedTuple):
    """The number of LED panels in each direction, and the wiring between them."""

    across: int = 1
    down: int = 1
    wiring: str = STRAIGHT

    def __str__(self) -> str:
        return f"{self.across}x{self.down},{self.wiring}"


WEB_ADDRESS = re.compile(r"https?://[^\s/?#\"<>]+(?:[/?#][^\s\"<>]*)?")
# Without a colon there is no scheme, such as that of a script; two slashes begin another host.
RELATIVE_ADDRESS = re.compile(r"(?!//)[^\s\"<>:\\]+")


def to_page_address(name: str, value: str) -> str:
    """Check the address of a page: on the web, or relative to the page that links to it.

    >>> to_page_address("maker", "../maker.html")
    '../maker.html'
    """
    if isinstance(value, str) and any(
        pattern.fullmatch(value) for pattern in (WEB_ADDRESS, RELATIVE_ADDRESS)
    ):
        return value
    raise invalid_value_error(name, "be an address such as https://example.org/maker.html", value)


def to_panels(value: Panels | str) -> Panels:
    """Convert "4x1" (four panels side by side) or "4x1,zigzag" (and the wiring between them)."""
    counts, _, order = str(value).partition(",")
    match = re.fullmatch(r"([1-9]\d{0,3})x([1-9]\d{0,3})", counts, re.ASCII)
    if not match:
        expected = "be ACROSSxDOWN such as 4x1, or ACROSSxDOWN,WIRING such as 4x2,zigzag"
        raise invalid_value_error("panels", expected, value)
    return Panels(int(match[1]), int(match[2]), to_wiring("panels", order or STRAIGHT))


class Position(NamedTuple):
    """A position along a side of a picture, in pixels or as a percentage."""

    number: float
    is_percent: bool

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a number with or without a percent sign, or raise a ValueError."""
        percent = text.endswith("%")
        number = parse_number(float, text[:-1] if percent else text) + 0.0
        if not 0 <= number <= (100 if percent else MAX_PLACE):
            raise ValueError
        return cls(number, percent)

    def to_pixels(self, side: int) -> float:
        """Convert to pixels along a side that is ``side`` pixels long."""
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
    """Convert "LEFT,TOP,RIGHT,BOTTOM" or a tuple, in pixels or with percent signs, to a crop."""
    if isinstance(value, Crop):
        return value
    try:
        crop = Crop(*map(Position.parse, _split_at_commas(value)))
    except (ValueError, TypeError):
        expected = "be LEFT,TOP,RIGHT,BOTTOM in pixels or %, such as 10%,0,90%,60%"
        raise invalid_value_error("crop", expected, value) from None
    _check_not_fractions("crop", value, crop)
    for low, high in ((crop.left, crop.right), (crop.top, crop.bottom)):
        if low.is_percent == high.is_percent and low.number >= high.number:
            raise invalid_value_error("crop", "have left before right and top above bottom", value)
    return crop


FACE = "face"


class Focus(NamedTuple):
    """The point of a picture to centre on, and the zoom."""

    # A point; or `FACE`, the largest face; or `AUTO`, the largest face if there is one.
    on: str | tuple[Position, Position]
    # Size of the picture, or of the usual part around a face, divided by the size of the part in
    # use; None for a suitable zoom.
    zoom: float | None = None

    def __str__(self) -> str:
        on = [self.on] if isinstance(self.on, str) else list(map(str, self.on))
        return ",".join([*on, *([] if self.zoom is None else [f"{self.zoom:.9g}"])])


def to_focus(value: Focus | str | tuple[float, ...]) -> Focus:
    """Convert "X,Y", "face", "auto" or a tuple to a focus; a zoom may be added at the end."""
    if isinstance(value, Focus):
        return value
    focus = None
    with suppress(ValueError, TypeError, IndexError):
        first, *zoom = _split_at_commas(value)
        on = (
            first if first in (FACE, AUTO) else (Position.parse(first), Position.parse(zoom.pop(0)))
        )
        focus = Focus(on, *map(float, zoom))
    if focus is None:
        expected = f"be X,Y in pixels or %, {FACE} or {AUTO}, perhaps with ,ZOOM, such as 45%,30%,2"
        raise invalid_value_error("focus", expected, value)
    if focus.zoom is not None and not 1 <= focus.zoom <= MAX_ZOOM:
        raise OptionError(f"focus must have a zoom from 1 to {MAX_ZOOM}, not {focus.zoom}", "focus")
    if not isinstance(focus.on, str):
        _check_not_fractions("focus", value, focus.on)
    return focus


def _check_not_fractions(name: str, value: object, positions: Iterable[Position]) -> None:
    # Refuse 0.5, by which users may mean one half; in pixels it is the corner of the picture.
    numbers = [position.number for position in positions if not position.is_percent]
    if any(0 < number < 1 for number in numbers) and max(numbers) <= 1:
        raise invalid_value_error(name, "be in pixels or %, such as 50% for one half", value)


def _split_at_commas(value: str | tuple[float, ...]) -> list[str]:
    words = value.split(",") if isinstance(value, str) else map(str, value)
    return [word.strip() for word in words]


CUSTOM = "custom"


class ArrayLike(Protocol):
    """An object that numpy can convert to an array."""

    def __array__(self) -> Any:
        """Return the array."""


@frozen
class CustomOrder:
    """A click order given as an array or a function; records name it "custom"."""

    # Times at which cells are clicked, an array (rows, columns); or a function that computes the
    # times from two float arrays, the rows and the columns of all cells.
    source: ArrayLike | list[list[float]] | Callable[[Any, Any], Any] = field(eq=id)

    def __str__(self) -> str:
        return CUSTOM


# Maximum length of a file's stem, in bytes.  Some file systems allow only 143 bytes for the stem
# together with a number and a suffix.
MAX_NAME_BYTES = 128
# Names that Windows reserves for devices, with or without a suffix.
RESERVED_NAMES = re.compile(r"^(con|prn|aux|nul|(com|lpt)[\d¹²³])(?= *(\.|$))", re.IGNORECASE)


def to_file_stem(text: str) -> str:
    r"""Convert text to a file name that is valid on every file system, without a leading dot."""
    name = re.split(r"[/\\]", text)[-1]
    name = re.sub(r"[^\w .,+@()=-]+", "-", name).strip(". ")
    name = name.encode()[:MAX_NAME_BYTES].decode(errors="ignore").rstrip(". ")
    return RESERVED_NAMES.sub(r"\g<0>-1", name) or "animation"


def numbered_file_names(stem: str, suffix: str = "") -> Iterator[str]:
    """Yield a file name, and then the same name with the numbers 2, 3 and so on."""
    yield f"{stem}{suffix}"
    yield from (f"{stem}-{number}{suffix}" for number in count(2))
