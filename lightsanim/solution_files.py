"""Files of a solved board: a still or a text of its start, an animation of its clicks."""

import math
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import attrs
import numpy as np

from lightsanim.algebra.linear import Bits
from lightsanim.animation.animation import Animation, animate
from lightsanim.animation.click_sequence import ClickSequence
from lightsanim.board.board import Board
from lightsanim.board.text import board_text
from lightsanim.checks import guess
from lightsanim.errors import OptionError, OutputError
from lightsanim.formats.outputs import check_frames, check_outputs
from lightsanim.formats.replacing import replacing
from lightsanim.formats.stills import Stills, write_stills
from lightsanim.look.theme import MAX_FRAME_PIXELS, Theme
from lightsanim.look.tiles import with_mark
from lightsanim.options import STILL_SUFFIXES, SUFFIXES, Timing
from lightsanim.pipeline import write_files
from lightsanim.stages import Clock

TEXT, PAGE = ".txt", ".html"

# The suffixes of what each command writes.
SOLUTION_SUFFIXES = (*STILL_SUFFIXES, *SUFFIXES)
PUZZLE_SUFFIXES = (*STILL_SUFFIXES, TEXT, *SUFFIXES)

# The clicks of a solution are slow enough to be followed, but it is over in ten seconds or so.
SECONDS = 10
SLOWEST, FASTEST = 2.0, 25.0

# How many quiet patterns a sheet can show.
MAX_PATTERNS = 400


@dataclass(frozen=True, kw_only=True)
class SolutionFiles:
    """Files to write, by what they show.

    Attributes:
        stills: one configuration each.
        texts: text boards.
        animations: of the solution.
    """

    stills: list[Stills]
    texts: list[Path]
    animations: list[Path]

    @property
    def paths(self) -> list[Path]:
        """All of them."""
        return [*(still.path for still in self.stills), *self.texts, *self.animations]


def checked_outputs(
    paths: Sequence[Path],
    board: Board,
    theme: Theme,
    timing: Timing,
    suffixes: Sequence[str],
    *,
    overwrite: bool,
) -> SolutionFiles:
    """The files to write, checked before the work starts.

    Args:
        paths: as given.
        board: that they show.
        theme: its look.
        timing: of the animations.
        suffixes: those that will do.
        overwrite: whether files that exist may be replaced.

    Raises:
        OptionError: for another suffix, frames that a format cannot hold, or a file named twice.
        OutputError: if a file cannot be written.
    """
    for path in paths:
        _check_suffix(path, suffixes)
    by_suffix = [(path, path.suffix.lower()) for path in paths]
    outputs = SolutionFiles(
        stills=[Stills(path=path) for path, suffix in by_suffix if suffix in STILL_SUFFIXES],
        texts=[path for path, suffix in by_suffix if suffix == TEXT],
        animations=[path for path, suffix in by_suffix if suffix not in (*STILL_SUFFIXES, TEXT)],
    )
    if paths:
        check_outputs(
            outputs.animations,
            timing.longest,
            outputs.stills,
            texts=outputs.texts,
            overwrite=overwrite,
        )
        check_frames(outputs.animations, theme, board, outputs.stills)
    return outputs


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
    presses: ClickSequence,
    timing: Timing,
    names: tuple[str, str],
    seed: int | None = None,
) -> Animation:
    """The animation of clicks from a start.

    Args:
        start: bool (rows, columns).
        presses: the clicks in order.
        timing: how fast they are shown.
        names: of the start and of its end.
        seed: what the order was drawn with.
    """
    moves = [(presses.cells, None)]
    return animate(presses.board, start, moves, timing, pictures=names, seed=seed)


def write_solution(
    outputs: SolutionFiles,
    animation: Animation,
    theme: Theme,
    clock: Clock,
    *,
    marks: Bits | None = None,
    puzzle: str | None = None,
) -> None:
    """Write files that `checked_outputs` passed, all or none.

    Stills and texts show the first frame.

    Args:
        outputs: the files.
        animation: what to show; files of it mark the cells that are clicked.
        theme: the look.
        clock: told of the progress.
        marks: bool (rows, columns), cells to mark on stills; None for none.
        puzzle: the title of a web page that begins as a game; None for one that plays.
    """
    with ExitStack() as whole:  # files take their places when all are written
        for still in outputs.stills:
            temporary = whole.enter_context(replacing(still.path))
            write_stills([animation.first], temporary, theme, marks=marks)
        for path in outputs.texts:
            temporary = whole.enter_context(replacing(path))
            temporary.write_text(board_text(animation.first), encoding="ascii")
        paths = outputs.animations
        if puzzle is not None:
            from lightsanim.formats.page import player_html

            paths = [path for path in paths if path.suffix.lower() != PAGE]
            for path in set(outputs.animations) - set(paths):
                temporary = whole.enter_context(replacing(path))
                page = player_html(animation, with_mark(theme), title=puzzle, puzzle=True)
                temporary.write_bytes(page.encode())
        if paths:
            write_files(animation, paths, [], with_mark(theme), clock)


def write_patterns(outputs: SolutionFiles, board: Board, theme: Theme) -> None:
    """Write sheets of a basis of a board's quiet patterns, to paths that `checked_outputs` passed.

    Args:
        outputs: the files.
        board: whose patterns.
        theme: the look; its width is that of the sheet.

    Raises:
        OutputError: if there are none, or too many.
        OptionError: if the sheet is too large.
    """
    if not outputs.stills:
        return
    path, count = outputs.stills[0].path, board.nullity
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
        for still in outputs.stills:
            temporary = whole.enter_context(replacing(still.path))
            write_stills(list(board.quiet_patterns()), temporary, narrow, across=across)


def _check_suffix(path: Path, suffixes: Sequence[str]) -> None:
    if path.suffix.lower() not in suffixes or path.name.startswith("."):
        named = [*filter(None, suffixes)]
        known = ", ".join(named) + (", or a folder for PNGs" if "" in suffixes else "")
        raise OptionError(
            f"cannot write {path}: unknown suffix {path.suffix!r}; known: {known}"
            f"{guess(path.suffix, named)}"
        )
