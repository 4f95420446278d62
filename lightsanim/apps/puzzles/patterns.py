"""Draw contact sheets of a board's quiet patterns."""

import math
from functools import partial
from itertools import count as count_from
from pathlib import Path

import attrs

from lightsanim.errors import OptionError, OutputError
from lightsanim.game.board.board import Board
from lightsanim.game.levels import Lights
from lightsanim.options.outputs import DRAWING_OPTIONS, Outputs
from lightsanim.output.drawings.sheet import APART
from lightsanim.output.drawings.stills import StillContent, write_stills
from lightsanim.output.look.theme import MAX_FRAME_PIXELS, Theme
from lightsanim.output.saving.atomic import Content, write_files_together
from .solve_and_pose import check_output_files

# Maximum number of quiet patterns on a sheet.
MAX_PATTERNS = 400
SHEET_WIDTH = 1440  # Default width of a sheet of quiet patterns, in pixels.


def write_patterns(board: Board, theme: Theme, outputs: Outputs) -> None:
    """Write contact sheets that show a basis of a board's quiet patterns.

    Args:
        board: the board.
        theme: the look; if an output has a ``width``, it is that of the whole sheet.
        outputs: the files to write, ``.png``, ``.svg`` or ``.pdf``.

    Raises:
        OutputError: if there are no patterns or too many, or a file cannot be written.
        OptionError: for another suffix, or a sheet that is too large.
    """
    files = check_output_files(outputs, DRAWING_OPTIONS, board, theme)
    paths = files.all_paths
    if not paths:
        return
    for path, own in files.own.items():
        if "canvas" in own:
            raise OptionError(f"{path.name} has no canvas; the patterns set its size", "canvas")
    _check_pattern_count(paths[0], board)
    # Choose the number of patterns side by side so that the sheet is about square.
    count = board.nullity
    across = min(count, math.ceil(math.sqrt(count * board.rows / board.columns)))
    patterns = list(board.quiet_patterns())

    def pattern_look(path: Path) -> Theme:
        sheet_width = files.own[path].get("width", SHEET_WIDTH)
        width = max(round(sheet_width / across / (1 + APART)), board.columns)
        return attrs.evolve(files.theme_of(path, theme), canvas=None, width=width, show_clicks=None)

    write = partial(
        write_stills,
        StillContent(configurations=patterns, levels=board.levels),
        across=across,
        title=_format_sheet_title(board),
        labels=list(zip(*map(_format_pattern_labels, count_from(1), patterns), strict=True)),
    )
    contents: dict[Path, Content] = {
        path: partial(write, theme=pattern_look(path)) for path in paths
    }
    write_files_together(contents, overwrite=outputs.overwrite)


def _check_pattern_count(path: Path, board: Board) -> None:
    count, size = board.nullity, f"{board.columns}x{board.rows}"
    if not count:
        raise OutputError(
            f"cannot write {path}: a {size} board with this rule has no quiet patterns"
        )
    if count > MAX_PATTERNS or count * board.cells > MAX_FRAME_PIXELS:
        raise OutputError(
            f"cannot write {path}: {count} quiet patterns of {size} cells do not fit; the limit is "
            f"{MAX_PATTERNS} patterns and {MAX_FRAME_PIXELS} cells in total"
        )


def _format_sheet_title(board: Board) -> str:
    several = f"{board.nullity} independent quiet patterns"
    patterns = several if board.nullity > 1 else "1 quiet pattern"
    cells, action = f"{board.columns}x{board.rows} cells", "each lit cell of a pattern"
    if board.levels > 2:
        cells += f" of {board.levels} levels"
        action = f"each cell of a pattern as often as its level, 0 to {board.levels - 1} times"
    return f"{patterns} of {cells}: click {action}, and nothing changes"


def _format_pattern_labels(number: int, pattern: Lights) -> tuple[str, str, str]:
    # Return a label in three lengths, the longest first.
    clicks = f"{pattern.sum():,}"
    return f"pattern {number}: {clicks} clicks", f"{number}: {clicks} clicks", f"{number}: {clicks}"
