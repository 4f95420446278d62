"""Boards drawn with letters, in colours where standard output shows them."""

import numpy as np
from rich.console import Console
from rich.text import Text

from lightsanim.look.levels import Lights
from lightsanim.look.theme import Theme
from lightsanim.look.tiles import with_mark_colour

# Letters that a cell is wide, plain and in colours (where two letters make about a square).
LETTERS_PER_CELL, LETTERS_PER_DIGIT_CELL, COLOURED_WIDTH = 3, 4, 2

# In colours: two quarters that make a square between them, and the share of the gaps' colour
# in every other cell.
MARK = "▗▖"
TINT = 0.12

# What the letters say: of two levels and of more, plain and in colours.
LEGENDS = {
    False: ("# lit   . unlit   [#] [.] to be clicked", "2+1  at level 2, to be clicked once"),
    True: (f"{MARK} to be clicked", "1, 2, ...  how often to click"),
}

# What fits where standard output is no terminal, whose width is unknown: cells a side.
MAX_SIDE = 60


def draw_board(
    configuration: Lights,
    clicks: Lights,
    theme: Theme,
    forced: bool | None = None,
    *,
    levels: int = 2,
) -> None:
    """Print a board to standard output, with the cells to click marked, and a legend.

    ``configuration``: bool (rows, columns).
    """
    console = Console(highlight=False)
    rows, columns = configuration.shape
    if not (drawing_fits_console(console, rows, columns, levels) if forced is None else forced):
        return
    if can_show_colours(console):
        text = format_board_in_colours(
            configuration, clicks, with_mark_colour(theme, levels=levels), levels
        )
    else:
        text = Text(format_board_in_letters(configuration, clicks, levels))
    console.print(text, soft_wrap=True)
    console.print(LEGENDS[can_show_colours(console)][levels > 2], markup=False)


def can_show_colours(console: Console) -> bool:
    """Does it show colours, and the mark?  NO_COLOR, a dumb terminal and a file say no."""
    can_mark = console.encoding.startswith("utf")
    return console.color_system is not None and not console.no_color and can_mark


def drawing_fits_console(console: Console, rows: int, columns: int, levels: int = 2) -> bool:
    """Is a drawing small enough to be read?"""
    if not console.is_terminal:
        return max(rows, columns) <= MAX_SIDE
    letters = LETTERS_PER_CELL if levels == 2 else LETTERS_PER_DIGIT_CELL
    width = COLOURED_WIDTH if can_show_colours(console) else letters
    return columns * width <= console.width and rows <= MAX_SIDE


def format_board_in_letters(configuration: Lights, clicks: Lights, levels: int = 2) -> str:
    """A board in letters: # is lit, . unlit, and brackets hold the cells to click.

    With more than two levels a digit is a cell's level, and +2 after it says: to be clicked twice.

    >>> print(format_board_in_letters(np.array([[True, False]]), np.array([[False, True]])))
     # [.]
    <BLANKLINE>
    >>> print(format_board_in_letters(np.array([[2, 0, 1]]), np.array([[0, 2, 1]]), levels=3))
    2   0+2 1+1
    <BLANKLINE>
    """
    words = [[" . ", "[.]"], [" # ", "[#]"]]
    if levels > 2:
        suffixes = ["  ", *(f"+{times}" for times in range(1, levels))]
        words = [[f"{level}{suffix} " for suffix in suffixes] for level in range(levels)]
    letters = np.array(words)[configuration.astype(np.uint8), clicks.astype(np.uint8)]
    return "".join("".join(row).rstrip() + "\n" for row in letters.tolist())


def format_board_in_colours(
    configuration: Lights, clicks: Lights, theme: Theme, levels: int = 2
) -> Text:
    """A board in a theme's colours, which has one for marks, and the cells to click marked.

    With more than two levels the marks are digits: how often to click.  There is no room for gaps
    between cells; every other one has a little of the gaps' colour.
    """
    marks = ["  ", MARK] if levels == 2 else ["  ", *(f" {times}" for times in range(1, levels))]
    shades = theme.shades(levels=levels) * (1 - TINT * np.arange(2)[:, None, None])
    shades += np.array(theme.colour_of("background").rgb) * TINT * np.arange(2)[:, None, None]
    mark, text = str(theme.colour_of("mark")), Text()
    for (row, column), level in np.ndenumerate(configuration):
        red, green, blue = np.rint(shades[(row + column) % 2, int(level)]).astype(int)
        letters = marks[int(clicks[row, column])]
        text.append(letters, f"{mark} on rgb({red},{green},{blue})")
        if column == configuration.shape[1] - 1:
            text.append("\n")
    return text
