"""How the lamps of panels follow each other along a wire, in the words of Adafruit's NeoMatrix."""

from typing import NamedTuple

from lightsanim.errors import OptionError
from lightsanim.options.checks import guess, refused, shown

STRAIGHT, ZIGZAG = "straight", "zigzag"

# Words that exclude each other, with their bits in NeoMatrix's ``matrixType``; others for them.
KINDS = (
    {"top-left": 0, "bottom-left": 1, "top-right": 2, "bottom-right": 3},
    {"rows": 0, "columns": 4},
    {STRAIGHT: 0, ZIGZAG: 8},
)
BITS = {word: bits for kind in KINDS for word, bits in kind.items()}
OTHER_WORDS = {"progressive": STRAIGHT, "serpentine": ZIGZAG}


def to_wiring(value: str, name: str = "wiring") -> str:
    """The words of a wiring that say more than top-left, rows, straight, in their order.

    >>> to_wiring("zigzag,bottom-right"), to_wiring("serpentine"), to_wiring("rows,straight")
    ('bottom-right,zigzag', 'zigzag', 'straight')
    """
    words = [word.strip().lower() for word in str(value).split(",")]
    words = [OTHER_WORDS.get(word, word) for word in words]
    for word in words:
        if word not in BITS:
            wanted = f"have words of {', '.join(BITS)}, joined by commas"
            raise OptionError(f"{name} must {wanted}, not {shown(value)}{guess(word, BITS)}", name)
    for kind in KINDS:
        if len(both := [word for word in words if word in kind]) > 1:
            raise OptionError(f"{name} says {both[0]} and {both[1]}; leave one out", name)
    return ",".join(word for word in BITS if word in words and BITS[word]) or STRAIGHT


def bits_of(wiring: str) -> int:
    """NeoMatrix's ``matrixType``: 1 from the bottom, 2 from the right, 4 by columns, 8 zigzag.

    >>> bits_of("bottom-right,zigzag")
    11
    """
    return sum(BITS[word] for word in wiring.split(","))


class Panels(NamedTuple):
    """How many panels stand side by side and below each other, and how they follow each other."""

    across: int = 1
    down: int = 1
    wiring: str = STRAIGHT

    def __str__(self) -> str:
        order = "" if self.wiring == STRAIGHT else f",{self.wiring}"
        return f"{self.across}x{self.down}{order}"


ONE = Panels()


def to_panels(value: Panels | str) -> Panels:
    """``4x1`` is four panels side by side; then perhaps a comma and their wiring.

    >>> str(to_panels("4x2,columns,bottom-right")), to_panels("4x1").wiring
    ('4x2,bottom-right,columns', 'straight')
    """
    counts, _, order = str(value).partition(",")
    sides = [int(side) if side.isdecimal() else 0 for side in counts.split("x")]
    if len(sides) != 2 or not all(1 <= side <= 1000 for side in sides):
        wanted = "be ACROSSxDOWN such as 4x1, 1 to 1000 each, then perhaps their wiring"
        raise refused("panels", f"{wanted}, as in 4x2,zigzag", value)
    return Panels(sides[0], sides[1], to_wiring(order or STRAIGHT, "panels"))
