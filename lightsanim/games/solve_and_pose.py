"""The game to files: a board solved, puzzles posed, by clicks slow enough to be followed."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from lightsanim.animation.animate import animate
from lightsanim.animation.animation import Animation
from lightsanim.animation.click_sequence import (
    ClickSequence,
    check_first_and_last_click,
    check_press_option,
    order_clicks_by_row,
    order_solution,
)
from lightsanim.board.board import Board
from lightsanim.errors import OptionError
from lightsanim.formats.page import player_html
from lightsanim.games.start_and_goal import Game, load_game
from lightsanim.look.levels import Lights
from lightsanim.look.theme import Theme
from lightsanim.look.tiles import with_mark_colour
from lightsanim.options.choices import STILL_SUFFIXES, SUFFIXES
from lightsanim.options.outputs import Outputs
from lightsanim.options.settings import Settings, choose_seed
from lightsanim.options.stages import Timing
from lightsanim.options.values import SizeLike
from lightsanim.saving.atomic import write_files_together
from lightsanim.saving.output_files import (
    PAGE,
    TEXT,
    OutputFiles,
    check_formats_hold_board,
    check_no_source_is_replaced,
    check_outputs,
    output_files_by_suffix,
)
from lightsanim.saving.save import write_files
from lightsanim.solve.pose import PosedPuzzle, pose, pose_series
from lightsanim.solve.solution import Solution, solve_board
from lightsanim.system.progress import Progress, StageTimer, no_progress

# The clicks of a solution are slow enough to be followed, but it is over in ten seconds or so.
SOLUTION_SECONDS = 10

MIN_FPS, MAX_FPS = 2.0, 25.0


def timing_for_clicks(clicks: int, fps: float | None, clicks_per_frame: int = 1) -> Timing:
    """How fast clicks are shown.

    >>> timing_for_clicks(15, None).fps, timing_for_clicks(280, None).fps
    (2.0, 25.0)
    """
    if fps is None:
        fps = float(np.clip(clicks / max(1, clicks_per_frame) / SOLUTION_SECONDS, MIN_FPS, MAX_FPS))
    return Timing(fps=fps, clicks_per_frame=clicks_per_frame)


def animate_solution(
    start: Lights,
    sequence: ClickSequence,
    timing: Timing,
    names: tuple[str, str],
    seed: int | None = None,
) -> Animation:
    """The animation of clicks from a start.

    Args:
        start: bool (rows, columns), or with more than two levels uint8.
        sequence: the clicks in order.
        timing: how fast they are shown.
        names: of the start and of its end.
        seed: what the order was drawn with.
    """
    moves = [(sequence.cells, None)]
    return animate(sequence.board, start, moves, timing, pictures=names, seed=seed)


def _animate_posed_puzzle(posed: PosedPuzzle, fps: float | None, seed: int) -> Animation:
    sequence = order_clicks_by_row(posed.board, posed.clicks, posed.count)
    timing = timing_for_clicks(posed.count, fps)
    return animate_solution(posed.start, sequence, timing, ("start", "off"), seed)


def check_output_files(
    outputs: Outputs, suffixes: Sequence[str], board: Board, theme: Theme, longest: float = 0
) -> OutputFiles:
    """The files to write, checked before the work starts; perhaps none."""
    files = output_files_by_suffix(outputs.output, suffixes, overwrite=outputs.overwrite)
    if files.all_paths:
        check_outputs(files, longest)
        check_formats_hold_board(files, theme, board)
    return files


@dataclass(frozen=True, kw_only=True, eq=False)
class SolvedGame:
    """A game and its solution."""

    game: Game  # where it starts and what it was to become
    solution: Solution  # what was found
    sequence: ClickSequence | None  # the clicks in order; None if there are none
    seed: int | None  # what the order was drawn with, if it was


def solve_files(
    start: str,
    goal: str = "off",
    settings: Settings = Settings(),
    theme: Theme = Theme(),
    outputs: Outputs = Outputs(),
    *,
    size: SizeLike | None = None,
    nearest: bool = False,
    press: str = "any",
    fps: float | None = None,
    clicks_per_frame: int = 1,
    progress: Progress = no_progress,
) -> SolvedGame:
    """Solve a game that files describe, and write its solution to files.

    Args:
        start: see `lightsanim.load_game`.
        goal: the same.
        settings: the board's levels, rule and wrap, the time limit, the seed.
        theme: the look.
        outputs: the files; pictures show the start with the cells to click marked.
        size: COLUMNSxROWS; None for that of a text board.
        nearest: where no clicks lead to the goal, go as near as they can.
        press: what a cell must be when it is clicked: any, unlit or lit.
        fps: frames a second; None for as many as show the clicks in about ten seconds.
        clicks_per_frame: clicks that a frame adds.
        progress: see `lightsanim.system.progress.Progress`.

    Raises:
        OptionError: for options that contradict each other, the board or the formats.
        PictureError: for a file that is neither a text board nor a picture.
        SolverError: if no order was found in which each cell may be clicked.
        OutputError: if a file cannot be written.
    """
    check_press_option(press, settings.levels)
    clock, timing = StageTimer(progress), timing_for_clicks(0, fps, clicks_per_frame)
    seed = None if press == "any" else choose_seed(settings)
    with clock.time_stage("read"):
        game = load_game(start, goal, size, settings=settings)
        check_no_source_is_replaced([start, goal], outputs.output, "START or GOAL")
        suffixes = (*STILL_SUFFIXES, *SUFFIXES)
        files = check_output_files(outputs, suffixes, game.board, theme, timing.longest)
    with clock.time_stage("fewest") as note:
        board, (first, last) = game.board, game.configurations
        board.factor(settings.time_limit)
        if board.is_accessible(board.add(board.reference, board.subtract(last, first))):
            check_first_and_last_click(
                board, first, last, press
            )  # before what may be a long search
        solution = solve_board(
            board,
            first,
            last,
            nearest=nearest,
            margin=game.margin,
            in_levels=game.in_levels,
            time_limit=settings.time_limit,
            say=note,
        )
    with clock.time_stage("order"):
        rng = np.random.default_rng(seed)
        sequence = order_solution(solution, press, rng, time_limit=settings.time_limit)
    if sequence is not None:
        timing = timing_for_clicks(sequence.count, fps, clicks_per_frame)
        animation = animate_solution(solution.start, sequence, timing, game.names, seed)
        look = with_mark_colour(theme, levels=game.board.levels)
        write_files(animation, files, look, clock, marks=sequence.clicks)
    return SolvedGame(game=game, solution=solution, sequence=sequence, seed=seed)


def pose_files(
    board: Board,
    clicks: int | None,
    settings: Settings = Settings(),
    theme: Theme = Theme(),
    outputs: Outputs = Outputs(),
    *,
    fps: float | None = None,
    progress: Progress = no_progress,
) -> tuple[PosedPuzzle, int]:
    """Pose a puzzle, and write it to files.

    Args:
        board: the board.
        clicks: how many the start must need; None for as many as are found.
        settings: the time limit and the seed.
        theme: the look.
        outputs: the files; pictures and texts show the start, animations the solution, and a page
            lets one play.
        fps: frames a second; None for as many as show the clicks in about ten seconds.
        progress: see `lightsanim.system.progress.Progress`.

    Returns:
        The puzzle, and the seed that it was drawn with.

    Raises:
        OptionError: if no start needs as many clicks, or for files that cannot be.
        SolverError: if none is found in time.
        OutputError: if a file cannot be written.
    """
    seed, clock = choose_seed(settings), StageTimer(progress)
    suffixes = (*STILL_SUFFIXES, TEXT, *SUFFIXES)
    files = check_output_files(
        outputs, suffixes, board, theme, timing_for_clicks(clicks or 0, fps).longest
    )
    with clock.time_stage("fewest"):
        posed = pose(board, clicks, np.random.default_rng(seed), time_limit=settings.time_limit)
    animation, look = (
        _animate_posed_puzzle(posed, fps, seed),
        with_mark_colour(theme, levels=board.levels),
    )
    write_files(animation, files, look, clock, puzzle=True)
    return posed, seed


def pose_series_files(
    board: Board,
    counts: Sequence[int],
    settings: Settings = Settings(),
    theme: Theme = Theme(),
    outputs: Outputs = Outputs(),
    *,
    fps: float | None = None,
    progress: Progress = no_progress,
) -> tuple[list[PosedPuzzle], int]:
    """As `pose_files`, several puzzles, and pages on which they are played one after the other.

    Args:
        board: the board.
        counts: how many clicks each start must need, see `lightsanim.options.values.spread_evenly`.
        settings: the time limit and the seed.
        theme: the look.
        outputs: the files, ``.html``.
        fps: frames a second.
        progress: see `lightsanim.system.progress.Progress`.
    """
    for path in outputs.output:
        if Path(path).suffix.lower() != PAGE:
            raise OptionError(
                f"{path} shows one puzzle, and not {len(counts)}; several are for {PAGE}"
            )
    files = check_output_files(outputs, (PAGE,), board, theme, timing_for_clicks(0, fps).longest)
    seed, clock = choose_seed(settings), StageTimer(progress)
    with clock.time_stage("fewest"):
        rng = np.random.default_rng(seed)
        series = pose_series(board, counts, rng, time_limit=settings.time_limit)
    first, *later = (_animate_posed_puzzle(posed, fps, seed) for posed in series)
    with clock.time_stage("write"):
        page = player_html(first, theme, puzzle=True, series=later).encode()
        write_files_together(dict.fromkeys(files.all_paths, page), overwrite=files.overwrite)
    return list(series), seed
