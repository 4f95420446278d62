"""What solving and posing share: the files, and films of clicks slow enough to be followed."""

from collections.abc import Sequence

import numpy as np

from lightsanim.animation.animate import animate
from lightsanim.animation.animation import Animation
from lightsanim.animation.click_sequence import ClickSequence
from lightsanim.board.board import Board
from lightsanim.board.levels import Lights
from lightsanim.formats.output_files import (
    OutputFiles,
    check_frames,
    check_outputs,
    files_by_suffix,
)
from lightsanim.look.theme import Theme
from lightsanim.options.table import Outputs, Timing

# The clicks of a solution are slow enough to be followed, but it is over in ten seconds or so.
SECONDS = 10

SLOWEST, FASTEST = 2.0, 25.0


def timing_for(clicks: int, fps: float | None, clicks_per_frame: int) -> Timing:
    """How fast clicks are shown.

    >>> timing_for(15, None, 1).fps, timing_for(280, None, 1).fps
    (2.0, 25.0)
    """
    if fps is None:
        frames = clicks / max(1, clicks_per_frame)
        fps = float(np.clip(frames / SECONDS, SLOWEST, FASTEST))
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


def checked_files(
    outputs: Outputs, suffixes: Sequence[str], board: Board, theme: Theme, longest: float = 0
) -> OutputFiles:
    """The files to write, checked before the work starts; perhaps none."""
    files = files_by_suffix(outputs.output, suffixes, overwrite=outputs.overwrite)
    if files.paths:
        check_outputs(files, longest)
        check_frames(files, theme, board)
    return files
