"""Puzzles posed, and written to files."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from lightsanim.animation.animation import Animation
from lightsanim.animation.click_sequence import row_by_row
from lightsanim.board.board import Board
from lightsanim.errors import OptionError
from lightsanim.formats.output_files import PAGE, TEXT
from lightsanim.formats.outputs import write_files
from lightsanim.formats.page import player_html
from lightsanim.formats.replacing import write_all
from lightsanim.games.files import animate_solution, checked_files, timing_for
from lightsanim.look.theme import Theme
from lightsanim.look.tiles import with_mark
from lightsanim.options.seeds import seed_of
from lightsanim.options.table import STILL_SUFFIXES, SUFFIXES, Outputs, Settings, Timing
from lightsanim.solve.pose import Posed, pose, pose_series
from lightsanim.system.progress import Clock, Progress, untold

# The heading of a page of puzzles.
WISH = "Turn everything off"


def pose_files(
    board: Board,
    clicks: int,
    settings: Settings = Settings(),
    theme: Theme = Theme(),
    outputs: Outputs = Outputs(),
    *,
    fps: float | None = None,
    progress: Progress = untold,
) -> tuple[Posed, int]:
    """Pose a puzzle, and write it to files.

    Args:
        board: the board.
        clicks: how many the start must need.
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
    seed, timing = seed_of(settings), timing_for(clicks, fps, 1)
    suffixes = (*STILL_SUFFIXES, TEXT, *SUFFIXES)
    files = checked_files(outputs, suffixes, board, theme, timing.longest)
    clock = Clock(progress)
    with clock.stage("fewest"):
        rng = np.random.default_rng(seed)
        posed = pose(board, clicks, rng, time_limit=settings.time_limit)
    animation = _animate_puzzle(posed, timing, seed)
    look = with_mark(theme, levels=board.levels)
    write_files(animation, files, look, clock, puzzle=WISH)
    return posed, seed


def pose_series_files(
    board: Board,
    counts: Sequence[int],
    settings: Settings = Settings(),
    theme: Theme = Theme(),
    outputs: Outputs = Outputs(),
    *,
    fps: float | None = None,
    progress: Progress = untold,
) -> tuple[list[Posed], int]:
    """Pose several puzzles, and write the pages on which they are played one after the other.

    Args:
        board: the board.
        counts: how many clicks each start must need, see `lightsanim.options.values.spread`.
        settings: the time limit and the seed.
        theme: the look.
        outputs: the files, ``.html``.
        fps: frames a second, as for `pose_files`.
        progress: see `lightsanim.system.progress.Progress`.

    Returns:
        The puzzles, and the seed that they were drawn with.

    Raises:
        OptionError: if no start needs as many clicks, or for files that cannot be.
        SolverError: if none is found in time.
        OutputError: if a file cannot be written.
    """
    for path in outputs.output:
        if Path(path).suffix.lower() != PAGE:
            raise OptionError(
                f"{path} shows one puzzle, and not {len(counts)}; several are for {PAGE}"
            )
    files = checked_files(outputs, (PAGE,), board, theme, timing_for(0, fps, 1).longest)
    seed, clock = seed_of(settings), Clock(progress)
    with clock.stage("fewest"):
        rng = np.random.default_rng(seed)
        series = pose_series(board, counts, rng, time_limit=settings.time_limit)
    first, *others = (
        _animate_puzzle(posed, timing_for(posed.count, fps, 1), seed) for posed in series
    )
    with clock.stage("write"):
        page = player_html(first, theme, title=WISH, puzzle=True, series=others).encode()
        write_all(dict.fromkeys(files.paths, page), overwrite=files.overwrite)
    return list(series), seed


def _animate_puzzle(posed: Posed, timing: Timing, seed: int) -> Animation:
    sequence = row_by_row(posed.board, posed.clicks, posed.count)
    return animate_solution(posed.start, sequence, timing, ("start", "off"), seed)
