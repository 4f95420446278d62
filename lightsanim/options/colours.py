"""Colours, whatever way they are written, as red, green, blue and alpha."""

import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from lightsanim.errors import OptionError
from lightsanim.options.checks import check_list, check_whole_number, invalid_value_error

# How many colours a scale has at most, and bytes of a file of them.
MAX_COLOURS, MAX_FILE_BYTES = 256, 100_000

# Suffixes of files of colours: Lospec's, a colour a line, and GIMP's.
PALETTE_SUFFIXES = (".hex", ".gpl")

# Where a pixel is opaque or not there, it is there from this alpha on.
OPAQUE_FROM = 128


class Colour(NamedTuple):
    """Red, green, blue and alpha, 0 to 255 each, as in sRGB.

    >>> str(Colour(255, 128, 0)), str(Colour(255, 128, 0, 128)), str(TRANSPARENT)
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

    def with_one_bit_alpha(self) -> "Colour":
        """The same opaque, or not there at all."""
        return self._replace(alpha=255) if self.alpha >= OPAQUE_FROM else TRANSPARENT

    def __str__(self) -> str:
        if not self.alpha:
            return "none"
        return f"#{bytes(self.rgb if self.is_opaque else self).hex()}"


# What is not there has no colour, however it is spelt.
WHITE = Colour(255, 255, 255)
TRANSPARENT = Colour(0, 0, 0, 0)


def to_colour(value: str | tuple[int, ...], name: str = "colour") -> Colour:
    """A colour by its name, as hex or in another form that Pillow knows, or by its numbers.

    >>> to_colour("white") == to_colour("#ffffff") == to_colour((255, 255, 255))
    True
    >>> to_colour("none") == to_colour("transparent") == to_colour("#ff800000")
    True
    """
    if isinstance(value, str) and value.strip().lower() in ("none", "transparent"):
        return TRANSPARENT
    from PIL import ImageColor  # most runs that only print help need no colours

    with suppress(ValueError):  # of Pillow, and of a number that is none or too large
        numbers = ImageColor.getrgb(value) if isinstance(value, str) else value
        if isinstance(numbers, tuple) and len(numbers) in (3, 4):
            colour = Colour(*(check_whole_number(name, number, 0, 255) for number in numbers))
            return colour if colour.alpha else TRANSPARENT
    expected = "be a colour name or hex such as white or #ff8000"
    raise invalid_value_error(name, expected, value, ImageColor.colormap)


def to_opaque_colour(value: str | tuple[int, ...], name: str = "colour") -> Colour:
    """As `to_colour`, for what lies behind everything else."""
    colour = to_colour(value, name)
    if not colour.is_opaque:
        raise OptionError(f"{name} must be opaque, as nothing lies behind it, not {colour}", name)
    return colour


class Colours(tuple[Colour, ...]):
    """Colours from dark to bright, two or more."""

    def __str__(self) -> str:
        return ",".join(map(str, self))


def to_colours(value: str | Path | Iterable[str | tuple[int, ...]]) -> Colours:
    """Colours by their words between commas, one by one, or those of a palette's file by its path.

    A file's colours are put in the order of their luminance.
    """
    name = "colours"
    if isinstance(value, Path):
        colours = sorted(_read_palette(value), key=_luminance_of)
    else:
        words = value.split(",") if isinstance(value, str) else check_list(name, value)
        colours = [to_colour(w.strip() if isinstance(w, str) else w, name) for w in words]
    if not 2 <= len(colours) <= MAX_COLOURS:
        expected = f"colours must be 2 to {MAX_COLOURS} from dark to bright, not {len(colours)}"
        raise OptionError(f"{value}: {expected}" if isinstance(value, Path) else expected, name)
    return Colours(colours)


def resolve_palette_path(text: str, folder: Path = Path()) -> str | Path:
    """The path of a palette's file, where the words for `to_colours` are one.

    Whoever reads words of others does not ask: they name no file of this machine.
    """
    return folder / text if text.lower().endswith(PALETTE_SUFFIXES) else text


def _read_palette(path: Path) -> list[Colour]:
    try:
        text = path.read_bytes()[:MAX_FILE_BYTES].decode("utf-8-sig", "replace")
    except OSError as error:
        raise OptionError(f"cannot read {path}: {error.strerror}", "colours") from error
    if path.suffix.lower() == ".hex":
        return [to_colour(f"#{word.lstrip('#')}", f"{path}: colours") for word in text.split()]
    rows = re.findall(r"(?ma)^\s*(\d+)\s+(\d+)\s+(\d+)\b", text)
    return [to_colour(tuple(map(int, row)), f"{path}: colours") for row in rows]


def _luminance_of(colour: Colour) -> float:
    # Rec. 709, of the encoded values: it is the order alone that counts.
    return 0.2126 * colour.red + 0.7152 * colour.green + 0.0722 * colour.blue
