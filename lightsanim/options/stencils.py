"""Names and stencils of rules; equal rules have the same canonical name."""

from collections.abc import Iterable
from typing import Any

from lightsanim.errors import OptionError
from .checks import invalid_value_error

Offsets = tuple[tuple[int, int], ...]  # (rows down, columns right) from the clicked cell

# Stencils of the named rules; None for a rule that has no stencil.
STENCILS = {
    "plus": "010/111/010",
    "cross": None,
    "king": "111/111/111",
    "ring": "010/101/010",
    "x": "101/010/101",
}
NAMES_BY_STENCIL = {stencil: name for name, stencil in STENCILS.items() if stencil is not None}
KNOWN_RULES = f"{', '.join(STENCILS)} or a stencil such as 010/111/010"
MAX_STENCIL_SIDE = 99  # Maximum number of rows, and of columns, of a stencil.
MAX_SHOWN = 40  # Maximum length of a rule's name in a message, in characters.


def to_rule(name: str) -> str:
    """Return the canonical name of a rule: its name if it has one, or else its smallest stencil."""
    text: Any = name.strip() if isinstance(name, str) else ""
    if text in STENCILS:
        return str(text)
    if text[:1].isdigit() or "/" in text:
        smallest = format_stencil(stencil_offsets(text))
        return NAMES_BY_STENCIL.get(smallest, smallest)
    raise invalid_value_error("rule", f"be one of {KNOWN_RULES}", name, STENCILS)


def format_stencil(offsets: Iterable[tuple[int, int]]) -> str:
    """Format offsets as the smallest stencil with the clicked cell in the middle."""
    flipped = set(offsets)
    height, width = (max(map(abs, side)) for side in zip(*flipped, strict=True))
    return "/".join(
        "".join("01"[(down, right) in flipped] for right in range(-width, width + 1))
        for down in range(-height, height + 1)
    )


def stencil_offsets(text: str) -> Offsets:
    """Parse a stencil, which may have empty rows and columns at its edges, into offsets."""
    lines = text.split("/")
    height, width = len(lines), len(lines[0])
    if set(text) - set("01/"):
        expected = "rows of 0 and 1, joined by /, such as 010/111/010"
    elif any(len(line) != width for line in lines):
        lengths = " and ".join(map(str, sorted({len(line) for line in lines})))
        expected = f"rows of equal length, not of {lengths} cells"
    elif height % 2 == 0 or width % 2 == 0:
        expected = f"odd numbers of rows and columns, not {height} and {width}"
    elif max(height, width) > MAX_STENCIL_SIDE:
        expected = f"at most {MAX_STENCIL_SIDE} rows and columns, not {height} and {width}"
    elif "1" not in text:
        expected = "a 1 for each cell that a click flips"
    else:
        return tuple(
            (r - height // 2, c - width // 2)
            for r, line in enumerate(lines)
            for c, cell in enumerate(line)
            if cell == "1"
        )
    raise OptionError(f"rule {abbreviate_name(text)}: a stencil must have {expected}", "rule")


def abbreviate_name(name: str) -> str:
    """Shorten and quote a rule's name for a message."""
    return repr(name if len(name) <= MAX_SHOWN else f"{name[:MAX_SHOWN]}...")
