"""Write answers to puzzles as pictures, and puzzles as web pages that play them."""

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from lightsanim.errors import OptionError, OutputError
from lightsanim.game.relatives.answer import Grid, PuzzleAnswer, grid_to_json
from lightsanim.game.relatives.well_posed import MAX_SIDE
from lightsanim.options.keywords import LookKeywords
from lightsanim.options.outputs import ANSWER_OPTIONS, OutputLike, Outputs
from lightsanim.options.page_words import PageWords, english_words
from lightsanim.output.drawings.numbers import write_number_picture
from lightsanim.output.drawings.stills import StillContent, Stills, write_stills
from lightsanim.output.look.theme import parse_theme
from lightsanim.output.saving.atomic import Content, write_files_together
from lightsanim.output.saving.output_files import PAGE, OutputFiles, check_outputs
from lightsanim.web.templating import load_templates

# Puzzles that can be played on a page: first those with clues, then all of them.
CLUE_PUZZLES = ("submarines", "ashes")
PLAYABLE = ("abbott", *CLUE_PUZZLES)
# Largest number that fits in a cell of a page.
MAX_WRITTEN = 999


def save_answer(
    answer: PuzzleAnswer,
    path: OutputLike | Iterable[OutputLike],
    *,
    overwrite: bool = True,
    **look: Unpack[LookKeywords],
) -> None:
    """Write the grid of an answer as a picture, or as a page that plays the puzzle.

    Pictures show True cells as lit.  They show numbers as tones from unlit (the smallest) to lit
    (the largest), and print each number on its cell if it fits.

    Args:
        answer: an answer of `solve_puzzle`.
        path: ``.png``, ``.svg`` or ``.pdf``, or ``.html`` except for queens; or several paths.
        overwrite: whether existing files may be replaced.
        look: options of `lightsanim.Theme`, such as ``cell``, ``palette`` or ``shape``.

    Raises:
        OptionError: for another suffix or an unknown look option.
        OutputError: if there is no solution to draw, or a file cannot be written.
    """
    grid, outputs = answer.grid, Outputs(output=path)
    check_answer_files(answer.puzzle, outputs.paths, overwrite=overwrite)
    files = OutputFiles.by_suffix(outputs, ANSWER_OPTIONS)
    if grid is None:
        raise OutputError(f"cannot write {outputs.paths[0]}: no solution to draw: {answer.message}")
    contents: dict[Path, Content] = {
        file: partial(_write_answer, answer, grid, {**look, **files.own[file]})
        for file in outputs.paths
    }
    write_files_together(contents, overwrite=overwrite)


def check_answer_files(puzzle: str, paths: Sequence[Path], *, overwrite: bool = True) -> None:
    """Raise an error if the answer to a puzzle cannot be written to one of these files."""
    pages = [path for path in paths if puzzle in PLAYABLE and path.suffix.lower() == PAGE]
    check_outputs(
        OutputFiles(
            animations=tuple(pages),
            stills=tuple(Stills(path=path) for path in paths if path not in pages),
            overwrite=overwrite,
        )
    )


def _write_answer(answer: PuzzleAnswer, grid: Grid, look: Mapping[str, Any], path: Path) -> None:
    look = {**look, "show_clicks": None}  # answers have no clicks to show
    if path.suffix.lower() == PAGE:
        path.write_bytes(_render_answer_page(answer, grid, parse_theme(look).page_words).encode())
    elif grid.dtype == bool:
        write_stills(StillContent(configurations=[grid]), path, parse_theme(look))
    else:
        darker = {} if "palette" in look else {"background": "#0d0d0d"}
        theme = parse_theme({"shape": "rounded", **darker, **look})
        if theme.hatch is not None:
            raise OptionError("hatch applies only to lit and unlit cells, not to numbers; omit it")
        write_number_picture(grid, path, theme)


def _render_answer_page(answer: PuzzleAnswer, grid: Grid, words: PageWords) -> str:
    if answer.puzzle == "abbott":
        return render_abbott_page(len(grid), words)
    posed, unique = [{"given": [], "answer": grid_to_json(grid)}], bool(answer.unique)
    return render_clues_page(answer.puzzle, "", posed, kind=answer.kind, unique=unique, words=words)


def render_abbott_page(n: int = 8, words: PageWords | None = None) -> str:
    """Return a page that plays Abbott's Window, first with ``n`` x ``n`` panes."""
    windows = load_best_windows()
    if n not in windows:
        raise OptionError(
            f"the page can show windows of {min(windows)} x {min(windows)} to "
            f"{max(windows)} x {max(windows)} panes, not {n} x {n}"
        )
    sizes = [(side, f"{side} \u00d7 {side}") for side in windows]
    return _render_relative(
        "abbott",
        words or english_words(),
        {"puzzles": windows, "choices": sizes, "first": n, "rows": 1, "columns": 1},
    )


def _render_relative(name: str, words: PageWords, page: Mapping[str, Any]) -> str:
    templates = load_templates("lightsanim.apps.puzzles", "lightsanim.web")
    return templates.get_template(f"{name}.html.j2").render(
        t=words.text, texts=words.script_texts(name), **page
    )


def render_clues_page(
    puzzle: str,
    title: str,
    puzzles: Sequence[Mapping[str, Any]],
    *,
    kind: str = "sum",
    unique: bool = True,
    words: PageWords | None = None,
) -> str:
    """Return a page that plays puzzles of submarines or ashes, all of the same size."""
    rows, columns = len(puzzles[0]["answer"]), len(puzzles[0]["answer"][0])
    if max(rows, columns) > MAX_SIDE:
        raise OptionError(f"a page can have at most {MAX_SIDE} cells a side, not {columns}x{rows}")
    if puzzle == "ashes" and max(np.abs(entry["answer"]).max() for entry in puzzles) > MAX_WRITTEN:
        raise OptionError(f"a page can show numbers up to {MAX_WRITTEN}; this grid has larger ones")
    words = words or english_words()
    page = {
        "puzzles": {"puzzle": puzzle, "kind": kind, "unique": unique, "puzzles": puzzles},
        "choices": [(n, words.text("relative.choice", n=n)) for n in range(1, len(puzzles) + 1)],
        "rule": words.text(f"clues.{'slope' if kind == 'slope' else puzzle}_task"),
        "title": title or words.text(f"clues.{puzzle}_title"),
        "first": 1,
        "rows": rows,
        "columns": columns,
    }
    return _render_relative("clues", words, page)


def load_best_windows() -> dict[int, list[str]]:
    """Return, for each N, an N x N window with the most lit panes: rows of 0 and 1 (1 = lit)."""
    windows = json.loads((files("lightsanim.apps.puzzles") / "windows.json").read_text("utf-8"))
    return {int(n): rows for n, rows in windows.items()}
