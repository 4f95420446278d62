"""Make worksheets: puzzles of rising difficulty to print, with separate pages for the answers."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Unpack

import attrs
import numpy as np

from lightsanim.apps.puzzles.puzzle_files import CLUE_PUZZLES, render_clues_page
from lightsanim.board_choice import build_board
from lightsanim.errors import OptionError
from lightsanim.game.board.board import Board
from lightsanim.game.relatives.well_posed import check_shape, pose_unique_puzzles
from lightsanim.game.solve.pose import default_click_range, pose_series
from lightsanim.options.checks import check_known_names, quote_value
from lightsanim.options.choices import VECTOR_SUFFIXES
from lightsanim.options.colours import WHITE
from lightsanim.options.keywords import WorksheetKeywords
from lightsanim.options.outputs import Kinds, Outputs
from lightsanim.options.records import non_default_values, option_names
from lightsanim.options.settings import choose_seed
from lightsanim.options.sheet_options import SheetOptions
from lightsanim.options.stages import GameOptions
from lightsanim.options.values import spread_evenly
from lightsanim.output.drawings.drawing import Boxes, Drawing
from lightsanim.output.drawings.page_layout import PAPER_SIZES
from lightsanim.output.drawings.pdf import write_pdf
from lightsanim.output.drawings.svg import write_svg
from lightsanim.output.formats.registry import check_suffix
from lightsanim.output.saving.atomic import Content, write_files_together
from lightsanim.output.saving.output_files import PAGE, OutputFiles, check_outputs
from lightsanim.pictures.font import missing_letters
from lightsanim.system.progress import Progress, StageTimer, no_progress
from .worksheet_pages import WorksheetPages

# Options of `Settings` for worksheets: those that apply only to Lights Out, and all.
LIGHTS_OUT_OPTIONS = ("levels", "rule", "wrap")
# Texts that a worksheet prints.
PRINTED_TEXTS = ("sheet.", "rules.", "page.flips")
GAME_OPTIONS = (*LIGHTS_OUT_OPTIONS, "time_limit", "seed")
# Suffixes of output files for puzzles that also have a page to play on.
SUFFIXES = (*VECTOR_SUFFIXES, PAGE)


@dataclass(frozen=True, kw_only=True, eq=False)
class Worksheet:
    """Puzzles to print, the easiest first."""

    # Each is a `PosedPuzzle` (Lights Out; no solution has fewer clicks) or a `WellPosedPuzzle`
    # (related puzzles; the answer is unique).
    puzzles: tuple[Any, ...]
    seed: int  # Random seed; the same options and seed give the same worksheet.
    options: SheetOptions

    def save(self, file: str | Path, *, overwrite: bool = True) -> list[Path]:
        """Write the worksheet to a file, and return the paths of all files written."""
        return _save_worksheet(self, Outputs(output=file, overwrite=overwrite))

    def drawings(self) -> list[Drawing]:
        """Return all pages: first the puzzles, then the answers."""
        return list(chain(*self.files()))

    def files(self) -> Iterator[list[Drawing]]:
        """Yield the pages of each file; the answers may be in a second file."""
        width, height = PAPER_SIZES[self.options.paper]
        sheet = Boxes(colour=WHITE, boxes=np.array([[0.0, 0.0, width, height]]))
        for file in _make_pages(self.puzzles[0].board, self.options):
            pages = [page for part in file for page in part.draw_pages(self.puzzles)]
            yield [
                Drawing(
                    width=width,
                    height=height,
                    pixel=1.0,
                    layers=(sheet, *page, *file[0].draw_foot(self.seed, number, len(pages))),
                    title=self.options.title or "Worksheet",
                )
                for number, page in enumerate(pages, 1)
            ]


def worksheet(**options: Unpack[WorksheetKeywords]) -> Worksheet:
    """Draw distinct puzzles of rising difficulty for a worksheet.

    Args:
        options: ``size``, ``count``, ``clicks``, ``title``, ``paper``, ``per_page``, ``answers``,
            ``fewest``, ``words``; ``rule``, ``levels``, ``wrap``, ``seed`` and ``time_limit`` as
            in `make`; for related puzzles ``puzzle`` and ``difficulty``.

    Raises:
        OptionError: for an unknown option, puzzles that do not exist, or cells too small to print.
        SolverError: if the time limit ends the search for puzzles.

    >>> sheet = worksheet(size="5x5", count=4, clicks="3..12", seed=1)
    >>> [posed.count for posed in sheet.puzzles]
    [3, 6, 9, 12]
    """
    check_known_names("option", options, (*option_names(SheetOptions), *GAME_OPTIONS))
    remaining: dict[str, Any] = {**options}
    game = {name: remaining.pop(name) for name in GAME_OPTIONS if name in remaining}
    return _pose_worksheet(SheetOptions(**remaining), GameOptions(**game))


def worksheet_files(
    options: SheetOptions = SheetOptions(),
    game: GameOptions = GameOptions(),
    outputs: Outputs = Outputs(),
    *,
    progress: Progress = no_progress,
) -> tuple[Worksheet, list[Path]]:
    """Draw puzzles for a worksheet and write it to files.

    Args:
        options: the number and size of puzzles, and the paper.
        game: the board's levels, rule and wrap, the time limit, the seed.
        outputs: the files, ``.pdf`` or ``.svg``; for submarines and ashes also ``.html``.
        progress: see `lightsanim.system.progress.Progress`.

    Returns:
        The worksheet, and the files written.

    Raises:
        OptionError: see `worksheet` and `Worksheet.save`.
        SolverError: if the time limit ends the search for puzzles.
        OutputError: if a file cannot be written.
    """
    clock = StageTimer(progress)
    _check_files(_make_board(options, game), options, outputs)
    with clock.time_stage("fewest"):
        sheet = _pose_worksheet(options, game)
    with clock.time_stage("write"):
        return sheet, _save_worksheet(sheet, outputs)


def _make_board(options: SheetOptions, game: GameOptions) -> Board:
    board = build_board(options.size, game)
    if options.puzzle:
        for name in filter(non_default_values(game).__contains__, LIGHTS_OUT_OPTIONS):
            raise OptionError(f"{name} applies only to Lights Out, not to {options.puzzle}", name)
        check_shape(options.puzzle, *board.shape)
    return board


def _pose_worksheet(options: SheetOptions, game: GameOptions) -> Worksheet:
    board = _make_board(options, game)
    _make_pages(board, options)  # raises an error if the puzzles do not fit on a page
    seed = choose_seed(game.seed)
    rng = np.random.default_rng(seed)
    puzzles: tuple[Any, ...]
    if options.puzzle:
        puzzles = pose_unique_puzzles(options.puzzle, board, options.count, options.difficulty, rng)
    else:
        counts = spread_evenly(options.clicks or default_click_range(board), options.count)
        puzzles = pose_series(board, counts, rng, time_limit=game.time_limit)
    return Worksheet(puzzles=puzzles, seed=seed, options=options)


def _make_pages(board: Board, options: SheetOptions) -> list[list[WorksheetPages]]:
    # Return the pages of each file, with puzzles before answers.
    tasks, keys = (
        WorksheetPages(board=board, options=options, answers=is_key) for is_key in (False, True)
    )
    files = {"after": [[tasks, keys]], "apart": [[tasks], [keys]], "none": [[tasks]]}
    return files[options.answers]


def _check_files(board: Board, options: SheetOptions, outputs: Outputs) -> list[list[list[Path]]]:
    # Return the files of each output: one list for puzzles, and one for answers that are separate.
    counts = [sum(pages.page_count for pages in file) for file in _make_pages(board, options)]
    files = [_output_paths(path, counts, options.puzzle) for path in outputs.paths]
    no_options: dict[str, Kinds] = dict.fromkeys(SUFFIXES, ())
    for file in outputs.output:
        file.check_options(no_options)
    paths = attrs.evolve(outputs, output=list(chain(*chain(*files))))
    check_outputs(OutputFiles.by_suffix(paths, no_options))
    if any(map(_is_pdf, outputs.paths)):
        _check_letters(options)
    return files


def _check_letters(options: SheetOptions) -> None:
    # Raise an error for letters that the font of PDFs lacks.  Viewers of SVGs use other fonts.
    texts = {} if options.language is None else options.language.texts
    printed = {name: text for name, text in texts.items() if name.startswith(PRINTED_TEXTS)}
    for name, text in {"title": options.title, **printed}.items():
        for letter in missing_letters(text):
            glyph = f"{letter!r} ({unicodedata.name(letter, 'a character without a name')})"
            raise OptionError(
                f"PDFs cannot show {glyph}, used in {name} {quote_value(text)}; replace this "
                "character, or write an .svg file",
                "title" if name == "title" else "language",
            )


def _output_paths(path: Path, counts: list[int], puzzle: str | None) -> list[list[Path]]:
    # Return the paths of an output.  PDF and HTML need one file, SVG one file per page.
    if check_suffix(path, SUFFIXES if puzzle in CLUE_PUZZLES else VECTOR_SUFFIXES) == PAGE:
        return [[path]]
    tails = [[f"-{page:0{len(str(pages))}}" for page in range(1, pages + 1)] for pages in counts]
    return [
        [path.with_stem(path.stem + apart + end) for end in ([""] if _is_pdf(path) else numbers)]
        for numbers, apart in zip(tails, ("", "-answers"), strict=False)
    ]


def _save_worksheet(sheet: Worksheet, outputs: Outputs) -> list[Path]:
    files = _check_files(sheet.puzzles[0].board, sheet.options, outputs)
    contents: dict[Path, Content] = {}
    pages = list(sheet.files())
    for paths, drawings in chain(*(zip(group, pages, strict=False) for group in files)):
        if paths[0].suffix.lower() == PAGE:
            posed = [puzzle.as_json() for puzzle in sheet.puzzles]
            page = render_clues_page(str(sheet.options.puzzle), sheet.options.title, posed)
            contents[paths[0]] = page.encode()
        elif _is_pdf(paths[0]):
            contents[paths[0]] = partial(write_pdf, drawings)
        else:
            contents |= zip(paths, (partial(write_svg, [page]) for page in drawings), strict=True)
    write_files_together(contents, overwrite=outputs.overwrite)
    return list(contents)


def _is_pdf(path: Path) -> bool:
    return path.suffix.lower() == ".pdf"
