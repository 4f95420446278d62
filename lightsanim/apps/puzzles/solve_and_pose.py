"""Write solved games and posed puzzles to files, with clicks slow enough to follow."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from lightsanim.errors import OptionError
from lightsanim.film.animate import animate
from lightsanim.film.animation import Animation
from lightsanim.film.clicks import Clicks
from lightsanim.game.board.board import Board
from lightsanim.game.levels import Lights
from lightsanim.game.solve.click_sequence import (
    ClickSequence,
    check_first_and_last_click,
    check_press_option,
    order_clicks_by_row,
    order_solution,
)
from lightsanim.game.solve.pose import PosedPuzzle, pose, pose_series
from lightsanim.game.solve.solution import Solution, solve_board
from lightsanim.options.outputs import PAGE_OPTIONS, POSE_OPTIONS, SOLVE_OPTIONS, Kinds, Outputs
from lightsanim.options.settings import Settings, choose_seed
from lightsanim.options.stages import GameOptions, Timing
from lightsanim.options.values import SizeLike
from lightsanim.output.look.theme import Theme
from lightsanim.output.look.tiles import with_mark_colour
from lightsanim.output.saving.output_files import (
    PAGE,
    OutputFiles,
    check_formats_hold_board,
    check_no_source_is_replaced,
    check_outputs,
)
from lightsanim.output.saving.save import write_files
from lightsanim.system.progress import Progress, StageTimer, no_progress
from .start_and_goal import Game, load_game

# Seconds that the animation of a solution should take.
SOLUTION_SECONDS = 10
# Slowest and fastest default frame rate, in frames a second, so that viewers can follow the clicks.
MIN_FPS, MAX_FPS = 2.0, 25.0


def timing_for_clicks(clicks: int, fps: float | None, clicks_per_frame: int = 1) -> Timing:
    """Return the timing of an animation with this number of clicks."""
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
    """Return an animation that makes clicks one after the other on a start configuration.

    Args:
        start: bool (rows, columns), or with more than two levels uint8.
        sequence: the clicks in order.
        timing: the timing.
        names: names of the start and of the goal.
        seed: the random seed of the click order.
    """
    moves = [Clicks(sequence.cells)]
    return animate(sequence.board, start, moves, timing, pictures=names, seed=seed)


def _animate_posed_puzzle(posed: PosedPuzzle, fps: float | None, seed: int) -> Animation:
    sequence = order_clicks_by_row(posed.board, posed.clicks, posed.count)
    return animate_solution(
        posed.start, sequence, timing_for_clicks(posed.count, fps), ("start", "off"), seed
    )


def check_output_files(
    outputs: Outputs, table: Mapping[str, Kinds], board: Board, theme: Theme, longest: float = 0
) -> OutputFiles:
    """Check the output files before the work starts, and return them sorted by kind."""
    files = OutputFiles.by_suffix(outputs, table)
    if files.all_paths:
        check_outputs(files, longest)
        check_formats_hold_board(files, theme, board)
    return files


@dataclass(frozen=True, kw_only=True, eq=False)
class SolvedGame:
    """A game and its solution."""

    game: Game
    solution: Solution
    sequence: ClickSequence | None  # Clicks in order, or None if there is no solution.
    seed: int | None  # Random seed of the click order, or None if the order is not random.


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
    """Solve a game with a given start and goal, and write the solution to files.

    Args:
        start: the start, as in `lightsanim.load_game`.
        goal: the goal, as in `lightsanim.load_game`.
        settings: levels, rule and wrap of the board, time limit, seed.
        theme: the look.
        outputs: the files to write; pictures show the start, with marks on the cells to click.
        size: COLUMNSxROWS; None to use the size of a text board.
        nearest: whether to replace an inaccessible goal by the nearest accessible configuration.
        press: required state of a cell before it is clicked: any, unlit or lit.
        fps: frames a second; None for a solution of about ten seconds.
        clicks_per_frame: number of clicks from one frame to the next.
        progress: see `lightsanim.system.progress.Progress`.

    Raises:
        OptionError: for options that contradict each other, the board or the formats.
        PictureError: for a file that is neither a text board nor a picture.
        SolverError: if no order was found that keeps to ``press``.
        OutputError: if a file cannot be written.
    """
    check_press_option(press, settings.levels)
    clock, timing = StageTimer(progress), timing_for_clicks(0, fps, clicks_per_frame)
    seed = None if press == "any" else choose_seed(settings.seed)
    with clock.time_stage("read"):
        game = load_game(start, goal, size, settings=settings)
        check_no_source_is_replaced([start, goal], outputs.paths, "START or GOAL")
        files = check_output_files(outputs, SOLVE_OPTIONS, game.board, theme, timing.longest)
    with clock.time_stage("fewest") as note:
        solution = _solve_game(game, settings.time_limit, press, nearest=nearest, say=note)
    with clock.time_stage("order"):
        rng, limit = np.random.default_rng(seed), settings.time_limit
        sequence = order_solution(solution, press, rng, time_limit=limit)
    if sequence is not None:
        timing = timing_for_clicks(sequence.count, fps, clicks_per_frame)
        animation = animate_solution(solution.start, sequence, timing, game.names, seed)
        look = with_mark_colour(theme, levels=game.board.levels)
        write_files(animation, files, look, clock, marks=sequence.clicks)
    return SolvedGame(game=game, solution=solution, sequence=sequence, seed=seed)


def _solve_game(
    game: Game, time_limit: float, press: str, *, nearest: bool, say: Callable[[str], None]
) -> Solution:
    board, (first, last) = game.board, game.configurations
    board.factor(time_limit)
    if board.is_accessible(board.add(board.reference, board.subtract(last, first))):
        check_first_and_last_click(board, first, last, press)  # fail before a long search
    return solve_board(
        board,
        first,
        last,
        nearest=nearest,
        margin=game.margin,
        in_levels=game.in_levels,
        time_limit=time_limit,
        say=say,
    )


def pose_files(
    board: Board,
    clicks: int | None,
    game: GameOptions = GameOptions(),
    theme: Theme = Theme(),
    outputs: Outputs = Outputs(),
    *,
    fps: float | None = None,
    progress: Progress = no_progress,
) -> tuple[PosedPuzzle, int]:
    """Pose a puzzle and write it to files.

    Args:
        board: the board.
        clicks: the fewest clicks that solve the puzzle; None for the largest number that is found.
        game: the time limit and the seed.
        theme: the look.
        outputs: the files to write.  Pictures and texts show the start, animations the solution; a
            page plays the puzzle.
        fps: frames a second; None for a solution of about ten seconds.
        progress: see `lightsanim.system.progress.Progress`.

    Returns:
        The puzzle and the random seed that generated it.

    Raises:
        OptionError: if no start needs that many clicks, or if a file cannot hold the puzzle.
        SolverError: if no start is found within the time limit.
        OutputError: if a file cannot be written.
    """
    seed, clock = choose_seed(game.seed), StageTimer(progress)
    longest = timing_for_clicks(clicks or 0, fps).longest
    files = check_output_files(outputs, POSE_OPTIONS, board, theme, longest)
    with clock.time_stage("fewest"):
        posed = pose(board, clicks, np.random.default_rng(seed), time_limit=game.time_limit)
    look = with_mark_colour(theme, levels=board.levels)
    write_files(_animate_posed_puzzle(posed, fps, seed), files, look, clock, puzzle=True)
    return posed, seed


def pose_series_files(
    board: Board,
    counts: Sequence[int],
    game: GameOptions = GameOptions(),
    theme: Theme = Theme(),
    outputs: Outputs = Outputs(),
    *,
    fps: float | None = None,
    progress: Progress = no_progress,
) -> tuple[list[PosedPuzzle], int]:
    """Pose several puzzles, and write pages that play them one after the other.

    Args:
        board: the board.
        counts: for each puzzle, the fewest clicks that solve it.
        game: the time limit and the seed.
        theme: the look.
        outputs: the ``.html`` files to write.
        fps: frames a second.
        progress: see `lightsanim.system.progress.Progress`.
    """
    for path in outputs.paths:
        if path.suffix.lower() != PAGE:
            raise OptionError(
                f"{path} can hold only one puzzle, not {len(counts)}; write them to an {PAGE} file"
            )
    longest = timing_for_clicks(0, fps).longest
    files = check_output_files(outputs, PAGE_OPTIONS, board, theme, longest)
    seed, clock = choose_seed(game.seed), StageTimer(progress)
    with clock.time_stage("fewest"):
        series = pose_series(board, counts, np.random.default_rng(seed), time_limit=game.time_limit)
    first, *later = (_animate_posed_puzzle(posed, fps, seed) for posed in series)
    write_files(first, files, theme, clock, puzzle=True, series=later)
    return list(series), seed
