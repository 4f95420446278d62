"""Colours as red, green, blue and alpha, parsed from every spelling that users may give."""

import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from lightsanim.errors import OptionError
from .checks import check_list, check_number, check_whole_number, invalid_value_error

MAX_COLOURS = 256
MAX_FILE_BYTES = 100_000  # Maximum bytes read from a palette file; the rest is ignored.
OPAQUE_FROM = 128  # Smallest alpha that formats with 1-bit alpha show as opaque.


class Colour(NamedTuple):
    """An sRGB colour with red, green, blue and alpha from 0 to 255."""

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
        """True if the colour is fully opaque."""
        return self.alpha == 255

    def with_one_bit_alpha(self) -> "Colour":
        """Round the alpha of the colour to fully opaque or fully transparent."""
        return self._replace(alpha=255) if self.alpha >= OPAQUE_FROM else TRANSPARENT

    def __str__(self) -> str:
        if not self.alpha:
            return "none"
        return f"#{bytes(self.rgb if self.is_opaque else self).hex()}"


WHITE = Colour(255, 255, 255)
# All fully transparent colours are converted to this one, so that they are equal.
TRANSPARENT = Colour(0, 0, 0, 0)


def to_colour(value: str | tuple[float, ...], name: str = "colour") -> Colour:
    """Convert a text that Pillow parses, or 3 or 4 ints (0 to 255) or floats (0 to 1), to a colour.

    >>> to_colour((1.0, 0.5, 0.0)) == to_colour("#ff8000")
    True
    >>> to_colour("white") == to_colour("#ffffff") == to_colour((255, 255, 255))
    True
    >>> to_colour("none") == to_colour("transparent") == to_colour("#ff800000")
    True
    """
    if isinstance(value, str) and value.strip().lower() in ("none", "transparent"):
        return TRANSPARENT
    from PIL import ImageColor  # imported late, so that --help starts faster

    with suppress(ValueError):  # Pillow's errors and OptionErrors are ValueErrors
        numbers = ImageColor.getrgb(value) if isinstance(value, str) else value
        if to_list := getattr(numbers, "tolist", None):  # an array
            numbers = tuple(to_list())
        if isinstance(numbers, tuple) and any(isinstance(number, float) for number in numbers):
            numbers = tuple(round(255 * check_number(name, part, 0, 1)) for part in numbers)
        if isinstance(numbers, tuple) and len(numbers) in (3, 4):
            colour = Colour(*(check_whole_number(name, number, 0, 255) for number in numbers))
            return colour if colour.alpha else TRANSPARENT
    expected = "be a colour name such as white, hex such as #ff8000, or numbers as (255, 128, 0)"
    raise invalid_value_error(name, expected, value, ImageColor.colormap)


def to_opaque_colour(value: str | tuple[float, ...], name: str = "colour") -> Colour:
    """Convert to a colour as `to_colour` does, and raise an OptionError if it is not opaque."""
    colour = to_colour(value, name)
    if not colour.is_opaque:
        raise OptionError(f"{name} must be opaque, not {colour}", name)
    return colour


class Colours(tuple[Colour, ...]):
    """Two or more colours from dark to bright."""

    def __str__(self) -> str:
        return ",".join(map(str, self))


def to_colours(
    value: str | Path | Iterable[str | tuple[float, ...]], name: str = "colours"
) -> Colours:
    """Read colours from comma-separated text, a list, or a palette file (sorted by luminance)."""
    words: list[Any]
    if isinstance(value, Path):
        words, source = _read_palette(value), f"{value}: {name}"
    else:
        words = value.split(",") if isinstance(value, str) else check_list(name, value)
        source = name
    some = words[: MAX_COLOURS + 1]  # a file may hold millions
    colours = [to_colour(w.strip() if isinstance(w, str) else w, source) for w in some]
    if not 2 <= len(words) <= MAX_COLOURS:
        raise OptionError(f"{source} must be 2 to {MAX_COLOURS} colours, not {len(words)}", name)
    if isinstance(value, Path):
        # For sorting, Rec. 709 weights of encoded values are good enough.
        colours.sort(key=lambda c: 0.2126 * c.red + 0.7152 * c.green + 0.0722 * c.blue)
    return Colours(colours)


def to_spot(value: bool | str | Iterable[str | tuple[float, ...]]) -> bool | Colours:
    """Convert the option spot: whether to show pictures in their own colours, or these colours."""
    if isinstance(value, bool):
        return value
    colours = to_colours(value, "spot")
    for colour in colours:
        to_opaque_colour(colour, "spot")
    return colours


def _read_palette(path: Path) -> list[Any]:
    try:
        with path.open("rb") as file:
            text = file.read(MAX_FILE_BYTES).decode("utf-8-sig", "replace")
    except OSError as error:
        raise OptionError(f"cannot read {path}: {error.strerror}", "colours") from error
    if path.suffix.lower() == ".hex":
        return [f"#{word.lstrip('#')}" for word in text.split()]
    rows = re.findall(r"(?ma)^[ \t]*(\d{1,99})\s+(\d{1,99})\s+(\d{1,99})\b", text)
    return [tuple(map(int, row)) for row in rows]
