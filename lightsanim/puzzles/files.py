"""Files of a puzzle's answer: a picture of its grid, or the page of the Abbott's Window."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from lightsanim.drawings.numbers import write_numbers
from lightsanim.drawings.stills import Stills, write_stills
from lightsanim.errors import OptionError, OutputError
from lightsanim.formats.output_files import PAGE, OutputFiles, check_outputs
from lightsanim.formats.outputs import theme_of
from lightsanim.formats.replacing import write_all
from lightsanim.puzzles.answer import Grid, PuzzleAnswer
from lightsanim.puzzles.page import abbott_page


def save_answer(
    answer: PuzzleAnswer, path: str | Path, *, overwrite: bool = True, **look: Any
) -> None:
    """Write the grid of an answer as a picture; the Abbott's Window also as a page to play on.

    Cells that are True are lit.  Numbers are tones between unlit, the smallest, and lit, the
    largest, with the number on it where there is room.

    Args:
        answer: what `solve_puzzle` returned.
        path: ``.png``, ``.svg`` or ``.pdf``; for the Abbott's Window also ``.html``.
        overwrite: whether a file that exists may be replaced.
        look: see `lightsanim.Theme`: ``cell``, ``palette``, ``shape``, ...

    Raises:
        OptionError: for another suffix or an unknown look.
        OutputError: if there is no solution to draw, or the file cannot be written.
    """
    save_drawings(answer, [Path(path)], overwrite=overwrite, **look)


def save_drawings(
    answer: PuzzleAnswer, paths: Sequence[Path], *, overwrite: bool = True, **look: Any
) -> None:
    """As `save_answer`, to several files: all of them, or none."""
    grid = answer.grid
    check_drawings(answer.puzzle, paths, overwrite=overwrite)
    if grid is None:
        raise OutputError(f"cannot write {paths[0]}, there is nothing to draw: {answer.said}")
    write_all(dict.fromkeys(paths, partial(_draw, grid, look)), overwrite=overwrite)


def check_drawings(puzzle: str, paths: Sequence[Path], *, overwrite: bool = True) -> None:
    """Refuse files that a puzzle's answer cannot be written to; before the puzzle is solved."""
    pages = [path for path in paths if puzzle == "abbott" and path.suffix.lower() == PAGE]
    stills = [Stills(path=path) for path in paths if path not in pages]
    check_outputs(OutputFiles(animations=tuple(pages), stills=tuple(stills), overwrite=overwrite))


def _draw(grid: Grid, look: Mapping[str, Any], path: Path) -> None:
    look = {**look, "show_clicks": None}  # there are none
    if path.suffix.lower() == PAGE:
        path.write_bytes(abbott_page(len(grid)).encode())
    elif grid.dtype == bool:
        write_stills([grid.astype(bool)], path, theme_of(look))
    else:
        darker = {} if "palette" in look else {"background": "#0d0d0d"}
        theme = theme_of({"shape": "rounded", **darker, **look})
        if theme.hatch is not None:
            raise OptionError("hatch is for cells that are lit or not, and these hold numbers")
        write_numbers(grid, path, theme)
