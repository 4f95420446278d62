"""Drawings of boards with letters, in colour if standard output supports it."""

import numpy as np
from rich.console import Console
from rich.text import Text

from lightsanim.game.levels import Lights
from lightsanim.output.look.theme import Theme
from lightsanim.output.look.tiles import with_mark_colour

LETTERS_PER_CELL = 3  # Width of a cell without colour, in characters.
LETTERS_PER_DIGIT_CELL = 4  # Width of a cell with more than two levels, in characters.
COLOURED_WIDTH = 2  # Width of a cell in colour; two characters are about square.
MARK = "▗▖"  # Two characters that form a square in the middle of a coloured cell.
TINT = 0.12  # Share of the background mixed into every other cell, to tell cells apart.

# Legends without colour and with colour, each for two levels and for more than two.
LEGENDS = {
    False: ("# lit   . unlit   [#] [.] click", "2+1  level 2, click once"),
    True: (f"{MARK} click", "1, 2, ...  number of clicks"),
}

MAX_SIDE = 60  # Maximum rows of a board drawn by default; without a terminal, also its columns.


def draw_board(
    configuration: Lights,
    clicks: Lights,
    theme: Theme,
    forced: bool | None = None,
    *,
    levels: int = 2,
) -> None:
    """Print a board with marks on the cells to click, if it fits or if ``forced`` is true."""
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
    """Return whether a console shows colours and `MARK`."""
    can_mark = console.encoding.startswith("utf")
    return console.color_system is not None and not console.no_color and can_mark


def drawing_fits_console(console: Console, rows: int, columns: int, levels: int = 2) -> bool:
    """Return whether the drawing of a board is small enough for a console."""
    if not console.is_terminal:
        return max(rows, columns) <= MAX_SIDE
    letters = LETTERS_PER_CELL if levels == 2 else LETTERS_PER_DIGIT_CELL
    width = COLOURED_WIDTH if can_show_colours(console) else letters
    return columns * width <= console.width and rows <= MAX_SIDE


def format_board_in_letters(configuration: Lights, clicks: Lights, levels: int = 2) -> str:
    """Draw a board in letters: # is lit, . unlit, and brackets mark the cells to click.

    With more than two levels, 1+2 is a cell of level 1 to be clicked twice.

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
    """Draw a board in the colours of a theme, which must have a colour for marks."""
    marks = ["  ", MARK] if levels == 2 else ["  ", *(f" {times}" for times in range(1, levels))]
    shades = theme.shades(levels=levels) * (1 - TINT * np.arange(2)[:, None, None])
    shades += np.array(theme.colour_of("background").rgb) * TINT * np.arange(2)[:, None, None]
    mark, text = str(theme.colour_of("mark")), Text()
    for (row, column), level in np.ndenumerate(configuration):
        red, green, blue = np.rint(shades[(row + column) % 2, int(level)]).astype(int)
        text.append(marks[int(clicks[row, column])], f"{mark} on rgb({red},{green},{blue})")
        if column == configuration.shape[1] - 1:
            text.append("\n")
    return text
