"""What shows a board's solution: an animation of its clicks, a sheet of its quiet patterns."""

import math
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import attrs
import numpy as np

from lightsanim.algebra.linear import Bits
from lightsanim.animation.animation import Animation, animate
from lightsanim.animation.click_sequence import ClickSequence
from lightsanim.board.board import Board
from lightsanim.errors import OutputError
from lightsanim.formats.replacing import replacing
from lightsanim.formats.stills import write_stills
from lightsanim.look.theme import MAX_FRAME_PIXELS, Theme
from lightsanim.options import Timing

# The clicks of a solution are slow enough to be followed, but it is over in ten seconds or so.
SECONDS = 10
SLOWEST, FASTEST = 2.0, 25.0

# How many quiet patterns a sheet can show.
MAX_PATTERNS = 400


def timing_for(clicks: int, fps: float | None, clicks_per_frame: int) -> Timing:
    """How fast clicks are shown.

    Args:
        clicks: how many there are.
        fps: frames a second; None for as many as show them in about ten seconds.
        clicks_per_frame: clicks that a frame adds.

    >>> timing_for(15, None, 1).fps, timing_for(280, None, 1).fps
    (2.0, 25.0)
    """
    if fps is None:
        frames = clicks / max(1, clicks_per_frame)
        fps = float(np.clip(frames / SECONDS, SLOWEST, FASTEST))
    return Timing(fps=fps, clicks_per_frame=clicks_per_frame)


def animate_solution(
    start: Bits,
    sequence: ClickSequence,
    timing: Timing,
    names: tuple[str, str],
    seed: int | None = None,
) -> Animation:
    """The animation of clicks from a start.

    Args:
        start: bool (rows, columns).
        sequence: the clicks in order.
        timing: how fast they are shown.
        names: of the start and of its end.
        seed: what the order was drawn with.
    """
    moves = [(sequence.cells, None)]
    return animate(sequence.board, start, moves, timing, pictures=names, seed=seed)


def write_patterns(paths: Sequence[Path], board: Board, theme: Theme) -> None:
    """Write sheets of a basis of a board's quiet patterns, to paths that `check_outputs` passed.

    Args:
        paths: ``.png`` or ``.svg``.
        board: whose patterns.
        theme: the look; its width is that of the sheet.

    Raises:
        OutputError: if there are none, or too many.
        OptionError: if the sheet is too large.
    """
    if not paths:
        return
    path, count = paths[0], board.nullity
    if not count:
        raise OutputError(
            f"cannot write {path}: a {board.columns}x{board.rows} board of this rule has no quiet "
            "patterns"
        )
    if count > MAX_PATTERNS or count * board.cells > MAX_FRAME_PIXELS:
        raise OutputError(
            f"cannot write {path}: {count} quiet patterns of {board.columns}x{board.rows} are more "
            f"than a sheet holds, {MAX_PATTERNS} or {MAX_FRAME_PIXELS} cells"
        )
    # About as wide as high.
    across = math.ceil(math.sqrt(count * board.rows / board.columns))
    narrow = attrs.evolve(theme, width=max(theme.width // across, board.columns))
    with ExitStack() as whole:
        for path in paths:
            temporary = whole.enter_context(replacing(path))
            write_stills(list(board.quiet_patterns()), temporary, narrow, across=across)
