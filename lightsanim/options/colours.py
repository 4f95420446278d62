"""Colours, whatever way they are written, as red, green, blue and alpha."""

from contextlib import suppress
from typing import NamedTuple

from lightsanim.errors import OptionError
from lightsanim.options.checks import check_whole, refused

# Where a pixel is opaque or not there, it is there from this alpha on.
HALF = 128


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
WHITE = Colour(255, 255, 255)
NOTHING = Colour(0, 0, 0, 0)

NOTHINGS = ("none", "transparent")


def to_colour(value: str | tuple[int, ...], name: str = "colour") -> Colour:
    """A colour by its name, as hex or in another form that Pillow knows, or by its numbers.

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
    wanted = "be a colour name or hex such as white or #ff8000"
    raise refused(name, wanted, value, ImageColor.colormap)


def to_opaque_colour(value: str | tuple[int, ...], name: str = "colour") -> Colour:
    """As `to_colour`, for what lies behind everything else."""
    colour = to_colour(value, name)
    if not colour.is_opaque:
        raise OptionError(f"{name} must be opaque, as nothing lies behind it, not {colour}", name)
    return colour
