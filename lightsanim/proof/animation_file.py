"""A film: the configurations that a file shows, frame by frame, and what it says of them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lightsanim.animation.animation import Animation, Shades
from lightsanim.animation.origin import Origin
from lightsanim.board.board import Board
from lightsanim.checks import guess
from lightsanim.errors import AnimationError, OptionError
from lightsanim.formats.document import load_animation
from lightsanim.formats.frame_digest import frame_digest
from lightsanim.formats.metadata import Metadata, read_metadata
from lightsanim.formats.page import load_page
from lightsanim.look.theme import Geometry
from lightsanim.proof.cell_readers import (
    CellReader,
    ExactReader,
    LossyReader,
    PlainReader,
    light_in_cells,
)
from lightsanim.proof.tape import OPENERS, Shot, open_tape
from lightsanim.values import to_size

KNOWN = (*filter(None, OPENERS), ".html", ".json")


@dataclass(frozen=True, kw_only=True)
class AskedBoard:
    """What the user says of a file's board, where the file itself does not, or to be sure.

    Attributes:
        size: as for `make`, or None.
        rule, wrap: or None.
    """

    size: str | int | None = None
    rule: str | None = None
    wrap: bool | None = None

    def board(self, height: int, width: int) -> Board:
        """The board of a file that says nothing, whose frames have so many pixels.

        Raises:
            OptionError: if the size is not given, or there are fewer pixels than cells.
        """
        if self.size is None:
            raise OptionError("it says nothing of its board; give --size, and --rule if not plus")
        size = to_size(self.size)
        rows = size.rows or max(1, round(size.columns * height / width))
        if rows > height or size.columns > width:
            raise OptionError(
                f"{width}x{height} pixels are too few for {size.columns}x{rows} cells"
            )
        return Board(rows, size.columns, rule=self.rule or "plus", wrap=bool(self.wrap))

    def check(self, board: Board) -> None:
        """Is it what the file says?

        Raises:
            OptionError: if it is not.
        """
        if self.size is not None:
            size = to_size(self.size)
            if (size.columns, size.rows or board.rows) != (board.columns, board.rows):
                raise OptionError(f"its board is {board.columns}x{board.rows}, not {size}")
        if self.rule is not None and replace(board, rule=self.rule) != board:
            raise OptionError(f"its rule is {board.rule}, not {self.rule}")
        if self.wrap not in (None, board.wrap):
            raise OptionError(f"its board is {'' if board.wrap else 'not '}wrapped")


@dataclass(frozen=True, kw_only=True, eq=False)
class AnimationFile:
    """A film that is being read.

    Attributes:
        board: the board.
        boards: 1, or in colour 3.
        frames: each frame's shades, uint8 (rows, columns), the same array for all of them, and how
            long it is shown, where the file says so.
        steps: how many clicks make each frame that differs from the one before, as the file says;
            None where it does not.
        sha256: of these frames, as the file says.
        origin: where it comes from, as the file says.
        pressed: the animation whose clicks were pressed to get the frames; None where they were
            seen.
        expected: about how many frames it has, as the file says.
    """

    board: Board
    boards: int
    frames: Iterator[tuple[Shades, float | None]]
    steps: NDArray[np.int64] | None = None
    sha256: str | None = None
    origin: Origin | None = None
    pressed: Animation | None = None
    expected: int = 0


@contextmanager
def open_animation_file(path: Path, asked: AskedBoard) -> Iterator[AnimationFile]:
    """Open any file that an animation can be saved as.

    Raises:
        AnimationError: if it cannot be read; also from ``frames``.
        OptionError: for another suffix, or if what is asked is not what the file says.
        FrameError: from ``frames``, for one that shows no configuration.
    """
    suffix = path.suffix.lower()
    if not path.is_dir() and suffix not in KNOWN:
        raise OptionError(
            f"unknown suffix {suffix!r}; known: {', '.join(KNOWN)}{guess(suffix, KNOWN)}"
        )
    if not path.is_dir() and suffix in (".json", ".html"):
        yield _saved(path, asked)
        return
    with open_tape(path) as tape:
        labels = filter(None, map(read_metadata, tape.texts))
        metadata, lossy = next(labels, None), tape.lossy
    if metadata is None:
        board, look = _without_metadata(path, asked)
    else:
        asked.check(metadata.board)
        board, look = metadata.board, LossyReader(metadata) if lossy else ExactReader(metadata)
    with open_tape(path) as tape:
        frames = _seen(look, tape.shots)
        if metadata is None:
            yield AnimationFile(board=board, boards=1, frames=frames)
        else:
            yield _with_metadata(metadata, frames)


def _saved(path: Path, asked: AskedBoard) -> AnimationFile:
    if path.suffix.lower() == ".html":
        animation, origin = load_page(path)
    else:
        animation = load_animation(path)
        origin = animation.origin
    asked.check(animation.board)
    shades = (shades for shades, _ in animation.changes())
    return AnimationFile(
        board=animation.board,
        boards=animation.boards,
        frames=zip(shades, animation.durations().tolist(), strict=True),
        steps=frame_digest(animation).steps,
        origin=origin,
        pressed=animation,
        expected=len(animation.frames),
    )


def _with_metadata(
    metadata: Metadata, frames: Iterator[tuple[Shades, float | None]]
) -> AnimationFile:
    return AnimationFile(
        board=metadata.board,
        boards=metadata.boards,
        frames=frames,
        steps=metadata.steps,
        sha256=metadata.sha256,
        origin=metadata.origin,
        expected=metadata.frames,
    )


def _without_metadata(path: Path, asked: AskedBoard) -> tuple[Board, CellReader]:
    # Read once to see how light and dark its cells are.
    board, darkest, lightest = None, np.inf, -np.inf
    with open_tape(path) as tape:
        for shot in tape.shots:
            board = board or asked.board(*shot.raster.shape)
            light = light_in_cells(shot.raster, *board.shape)
            darkest, lightest = min(darkest, light.min()), max(lightest, light.max())
    if board is None:
        raise AnimationError("it has no frames")
    geometry = Geometry(rows=board.rows, columns=board.columns, cell=1, gap=0)
    return board, PlainReader(geometry, (float(darkest), float(lightest)))


def _seen(look: CellReader, shots: Iterator[Shot]) -> Iterator[tuple[Shades, float | None]]:
    for number, shot in enumerate(shots):
        look.see(number, shot.raster)
        yield look.shades, shot.seconds
