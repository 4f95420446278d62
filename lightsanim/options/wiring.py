"""How the lamps of panels follow each other along a wire, in the words of Adafruit's NeoMatrix."""

from attrs import frozen

from lightsanim.errors import OptionError
from lightsanim.options.checks import guess, shown

# Each word of a wiring: what it says, and its bit in NeoMatrix's ``matrixType``.
CORNERS = {"top-left": 0, "bottom-left": 1, "top-right": 2, "bottom-right": 3}
AXES = {"rows": 0, "columns": 4}
SEQUENCES = {"straight": 0, "zigzag": 8, "progressive": 0, "serpentine": 8}
WORDS = (CORNERS, AXES, SEQUENCES)
KNOWN_WORDS = f"a corner ({', '.join(CORNERS)}), {' or '.join(AXES)}, and straight or zigzag"

# Lines that run all the same way, or to and fro.
STRAIGHT, SERPENTINE = "straight", "serpentine"

# Panels side by side, and below each other, at most.
MAX_PANELS = 1000


@frozen
class Wiring:
    """Where a wire starts, whether it runs along rows or columns, and whether these zigzag."""

    bits: int = 0  # as in NeoMatrix: NEO_MATRIX_BOTTOM + NEO_MATRIX_RIGHT + ...

    @property
    def bottom(self) -> int:
        """1 where it starts at the bottom."""
        return self.bits & 1

    @property
    def right(self) -> int:
        """1 where it starts on the right."""
        return self.bits >> 1 & 1

    @property
    def columns(self) -> int:
        """1 where it runs along columns."""
        return self.bits >> 2 & 1

    @property
    def zigzag(self) -> int:
        """1 where every other line runs backward."""
        return self.bits >> 3

    def __str__(self) -> str:
        masks = zip(WORDS, (3, 4, 8), strict=True)
        said = [
            next(word for word, bits in words.items() if bits == self.bits & mask)
            for words, mask in masks
            if self.bits & mask
        ]
        return ",".join(said) or STRAIGHT


def to_wiring(value: Wiring | str, name: str = "wiring") -> Wiring:
    """``bottom-right,columns,zigzag``; what is not said is top-left, rows, straight.

    >>> str(to_wiring("zigzag,bottom-right")), to_wiring("serpentine") == to_wiring("rows,zigzag")
    ('bottom-right,zigzag', True)
    """
    if isinstance(value, Wiring):
        return value
    words = [word.strip().lower() for word in value.split(",")] if isinstance(value, str) else []
    for kind in WORDS:
        first, *others = [*filter(kind.__contains__, words), ""]
        if others[:-1]:
            raise OptionError(f"{name} says both {first} and {others[0]}; leave one out", name)
    bits = {word: bit for kind in WORDS for word, bit in kind.items()}
    unknown = [word for word in words if word not in bits]
    if unknown or not words:
        near = guess(unknown[0], bits) if unknown else ""
        raise OptionError(
            f"{name} must be {KNOWN_WORDS}, joined by commas, not {shown(value)}{near}", name
        )
    return Wiring(sum(map(bits.__getitem__, words)))


@frozen
class Panels:
    """How many panels stand side by side and below each other, and how they follow each other."""

    across: int = 1
    down: int = 1
    wiring: Wiring = Wiring()

    def __str__(self) -> str:
        order = f",{self.wiring}" if self.wiring.bits else ""
        return f"{self.across}x{self.down}{order}"


PanelsLike = Panels | str | tuple[int, int]
"""Panels as users spell them; see `to_panels`."""


def to_panels(value: PanelsLike) -> Panels:
    """``4x1`` is four panels side by side; then perhaps a comma and their wiring.

    >>> str(to_panels("4x2,bottom-right,columns,zigzag")), to_panels((4, 1)) == to_panels("4x1")
    ('4x2,bottom-right,columns,zigzag', True)
    """
    if isinstance(value, Panels):
        return value
    text = "x".join(map(str, value)) if isinstance(value, tuple) else str(value)
    counts, _, order = text.partition(",")
    sides = [int(side) if side.strip().isdecimal() else 0 for side in counts.lower().split("x")]
    if len(sides) != 2 or not all(1 <= side <= MAX_PANELS for side in sides):
        raise OptionError(
            f"panels must be ACROSSxDOWN such as 4x1, 1 to {MAX_PANELS} each, then perhaps their "
            f"wiring, as in 4x2,zigzag, not {shown(value)}",
            "panels",
        )
    across, down = sides
    return Panels(across, down, to_wiring(order, "panels") if order else Wiring())
