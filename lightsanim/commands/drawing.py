"""Boards drawn with letters, in colours where standard output shows them."""

import numpy as np
from rich.console import Console
from rich.text import Text

from lightsanim.algebra.linear import Bits
from lightsanim.look.theme import Theme
from lightsanim.look.tiles import with_mark

# Letters that a cell is wide, plain and in colours (where two letters make about a square).
PLAIN, COLOURED = 3, 2

# In colours: two quarters that make a square between them, and the share of the gaps' colour
# in every other cell.
MARK = "▗▖"
TINT = 0.12

# What fits where standard output is no terminal, whose width is unknown: cells a side.
MAX_SIDE = 60


def draw_if_it_fits(
    configuration: Bits, clicks: Bits, theme: Theme, wanted: bool | None = None
) -> None:
    """Print a board to standard output, with the cells to click marked.

    Args:
        configuration: bool (rows, columns).
        clicks: bool (rows, columns).
        theme: its colours, used where they show.
        wanted: whether to draw; None for if it is small enough to be read.
    """
    console = Console(highlight=False)
    if not (fits(console, *configuration.shape) if wanted is None else wanted):
        return
    if is_coloured(console):
        text = coloured(configuration, clicks, with_mark(theme))
    else:
        text = Text(plain(configuration, clicks))
    console.print(text, soft_wrap=True, end="")


def is_coloured(console: Console) -> bool:
    """Does it show colours, and the mark?  NO_COLOR, a dumb terminal and a file say no."""
    can_mark = console.encoding.startswith("utf")
    return console.color_system is not None and not console.no_color and can_mark


def fits(console: Console, rows: int, columns: int) -> bool:
    """Is a drawing small enough to be read?"""
    if not console.is_terminal:
        return max(rows, columns) <= MAX_SIDE
    width = COLOURED if is_coloured(console) else PLAIN
    return columns * width <= console.width and rows <= MAX_SIDE


def plain(configuration: Bits, clicks: Bits) -> str:
    """A board in letters: # is lit, . unlit, and brackets hold the cells to click.

    >>> print(plain(np.array([[True, False]]), np.array([[False, True]])))
     # [.]
    <BLANKLINE>
    """
    letters = np.where(
        clicks,
        np.where(configuration, "[#]", "[.]"),
        np.where(configuration, " # ", " . "),
    )
    return "".join("".join(row).rstrip() + "\n" for row in letters.tolist())


def coloured(configuration: Bits, clicks: Bits, theme: Theme) -> Text:
    """A board in a theme's colours, which has one for marks, and the cells to click marked.

    There is no room for gaps between cells; every other one has a little of the gaps' colour.
    """
    shades = theme.shades() * (1 - TINT * np.arange(2)[:, None, None])
    shades += np.array(theme.colour_of("background").rgb) * TINT * np.arange(2)[:, None, None]
    mark, text = str(theme.colour_of("mark")), Text()
    for (row, column), is_lit in np.ndenumerate(configuration):
        red, green, blue = np.rint(shades[(row + column) % 2, int(is_lit)]).astype(int)
        letters = MARK if clicks[row, column] else "  "
        text.append(letters, f"{mark} on rgb({red},{green},{blue})")
        if column == configuration.shape[1] - 1:
            text.append("\n")
    return text
