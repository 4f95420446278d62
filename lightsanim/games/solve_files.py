"""The game to files: a board solved, a puzzle posed, a board's quiet patterns drawn."""

from dataclasses import dataclass

import numpy as np

from lightsanim.animation.click_sequence import (
    ClickSequence,
    check_ends,
    check_press,
    order_solution,
)
from lightsanim.formats.output_files import check_no_source_is_replaced
from lightsanim.formats.outputs import write_files
from lightsanim.games.files import animate_solution, checked_files, timing_for
from lightsanim.games.start_and_goal import Game, load_game
from lightsanim.look.theme import Theme
from lightsanim.look.tiles import with_mark
from lightsanim.options.seeds import seed_of
from lightsanim.options.table import STILL_SUFFIXES, SUFFIXES, Outputs, Settings
from lightsanim.options.values import SizeLike
from lightsanim.solve.solution import Solution, solve_board
from lightsanim.system.progress import Clock, Progress, untold


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
    progress: Progress = untold,
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
    check_press(press, settings.levels)
    clock, timing = Clock(progress), timing_for(0, fps, clicks_per_frame)
    seed = None if press == "any" else seed_of(settings)
    with clock.stage("read"):
        game = load_game(start, goal, size, settings=settings)
        check_no_source_is_replaced([start, goal], outputs.output, "START or GOAL")
        files = checked_files(
            outputs, (*STILL_SUFFIXES, *SUFFIXES), game.board, theme, timing.longest
        )
    with clock.stage("fewest") as note:
        board, (first, last) = game.board, game.configurations
        board.factor(settings.time_limit)
        if board.is_accessible(board.add(board.reference, board.subtract(last, first))):
            check_ends(board, first, last, press)  # before what may be a long search
        solution = solve_board(
            game.board,
            *game.configurations,
            nearest=nearest,
            margin=game.margin,
            in_levels=game.in_levels,
            time_limit=settings.time_limit,
            say=note,
        )
    with clock.stage("order"):
        rng = np.random.default_rng(seed)
        sequence = order_solution(solution, press, rng, time_limit=settings.time_limit)
    if sequence is not None:
        timing = timing_for(sequence.count, fps, clicks_per_frame)
        animation = animate_solution(solution.start, sequence, timing, game.names, seed)
        look = with_mark(theme, levels=game.board.levels)
        write_files(animation, files, look, clock, marks=sequence.clicks)
    return SolvedGame(game=game, solution=solution, sequence=sequence, seed=seed)
