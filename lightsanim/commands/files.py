"""What the games' commands write: a still or a text of a board, or an animation of its solution."""

import math
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from dataclasses import replace as replaced
from pathlib import Path

import numpy as np

from lightsanim.algebra.linear import Bits
from lightsanim.animation.animation import Animation, animate
from lightsanim.animation.timing import Timing
from lightsanim.board.board import Board
from lightsanim.board.text import board_text
from lightsanim.commands.presses import Presses
from lightsanim.errors import OptionError, OutputError
from lightsanim.formats.outputs import check_frames, check_outputs
from lightsanim.formats.replacing import replacing
from lightsanim.formats.stills import SUFFIXES, Stills, write_stills
from lightsanim.formats.table import FORMATS
from lightsanim.look.theme import MAX_FRAME_PIXELS, Theme
from lightsanim.look.tiles import with_mark
from lightsanim.pipeline import write_files
from lightsanim.stages import Clock
from lightsanim.values import guess

TEXT, PAGE = ".txt", ".html"

# The suffixes of what each command writes.
SOLUTION_KINDS = (*SUFFIXES, *FORMATS)
PUZZLE_KINDS = (*SUFFIXES, TEXT, *FORMATS)
PATTERN_KINDS = SUFFIXES

# The clicks of a solution are slow enough to be followed, but it is over in ten seconds or so.
SECONDS = 10
SLOWEST, FASTEST = 2.0, 25.0

# About how wide a sheet of quiet patterns is, in pixels, and how many it can show.
SHEET_WIDTH = 1440
MAX_PATTERNS = 400


@dataclass(frozen=True, kw_only=True)
class Outputs:
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
    kinds: Sequence[str],
    *,
    overwrite: bool,
) -> Outputs:
    """The files to write, checked before the work starts.

    Args:
        paths: as given.
        board: that they show.
        theme: its look.
        timing: of the animations.
        kinds: the suffixes that will do.
        overwrite: whether files that exist may be replaced.

    Raises:
        OptionError: for another suffix, frames that a format cannot hold, or a file named twice.
        OutputError: if a file cannot be written.
    """
    for path in paths:
        _check_kind(path, kinds)
    by_suffix = [(path, path.suffix.lower()) for path in paths]
    outputs = Outputs(
        stills=[Stills(path=path) for path, suffix in by_suffix if suffix in SUFFIXES],
        texts=[path for path, suffix in by_suffix if suffix == TEXT],
        animations=[path for path, suffix in by_suffix if suffix not in (*SUFFIXES, TEXT)],
    )
    if paths:
        longest = max(timing.hold_first, timing.hold_last + 1 / timing.fps)
        check_outputs(
            outputs.animations, longest, outputs.stills, texts=outputs.texts, overwrite=overwrite
        )
        check_frames(outputs.animations, theme, board, outputs.stills)
    return outputs


def timing_for(clicks: int, fps: float | None, clicks_per_frame: int) -> Timing:
    """How fast clicks are shown.

    >>> timing_for(15, None, 1).fps, timing_for(280, None, 1).fps
    (2.0, 25.0)
    """
    if fps is None:
        frames = clicks / max(1, clicks_per_frame)
        fps = float(np.clip(frames / SECONDS, SLOWEST, FASTEST))
    return Timing(fps=fps, clicks_per_frame=clicks_per_frame)


def film_of(
    start: Bits,
    presses: Presses,
    timing: Timing,
    names: tuple[str, str],
    seed: int | None,
) -> Animation:
    """The animation of clicks from a start; ``names`` are those of the start and of its end."""
    moves = [(presses.cells, None)]
    return animate(presses.board, start, moves, timing, pictures=names, seed=seed)


def write_all(
    outputs: Outputs,
    film: Animation,
    theme: Theme,
    clock: Clock,
    *,
    marks: Bits | None = None,
    puzzle: str | None = None,
) -> None:
    """Write files that `checked_outputs` passed, all or none.

    Stills and texts show the film's first frame.

    Args:
        outputs: the files.
        film: what to show; animations mark the cells that are clicked.
        theme: the look.
        clock: told of the progress.
        marks: bool (rows, columns), cells to mark on stills; None for none.
        puzzle: the title of a web page that begins as a game; None for one that shows the film.
    """
    with ExitStack() as whole:  # files take their places when all are written
        for still in outputs.stills:
            temporary = whole.enter_context(replacing(still.path))
            write_stills([film.first], temporary, theme, marks=marks)
        for path in outputs.texts:
            temporary = whole.enter_context(replacing(path))
            temporary.write_text(board_text(film.first), encoding="ascii")
        films = outputs.animations
        if puzzle is not None:
            from lightsanim.formats.page import player_html

            films = [path for path in films if path.suffix.lower() != PAGE]
            for path in set(outputs.animations) - set(films):
                temporary = whole.enter_context(replacing(path))
                page = player_html(film, with_mark(theme), title=puzzle, puzzle=True)
                temporary.write_bytes(page.encode())
        if films:
            write_files(film, films, [], with_mark(theme), clock)


def write_patterns(outputs: Outputs, board: Board, theme: Theme) -> None:
    """Write sheets of a basis of a board's quiet patterns, to paths that `checked_outputs` passed.

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
    narrow = replaced(theme, width=max(theme.width // across, board.columns))
    with ExitStack() as whole:
        for still in outputs.stills:
            temporary = whole.enter_context(replacing(still.path))
            write_stills(list(board.quiet_patterns()), temporary, narrow, across=across)


def _check_kind(path: Path, kinds: Sequence[str]) -> None:
    if path.suffix.lower() not in kinds or path.name.startswith("."):
        suffixes = [*filter(None, kinds)]
        known = ", ".join(suffixes) + (", or a folder for PNGs" if "" in kinds else "")
        raise OptionError(
            f"cannot write {path}: unknown suffix {path.suffix!r}; known: {known}"
            f"{guess(path.suffix, suffixes)}"
        )
