"""The configurations that a file shows, frame by frame, and what it says of them."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lightsanim.animation.animation import Animation
from lightsanim.animation.origin import Origin
from lightsanim.board.board import Board
from lightsanim.errors import AnimationError, OptionError
from lightsanim.formats.frames import (
    CELL_WORK,
    SAVED_WORK,
    FrameFile,
    ReadFrame,
    bytes_of,
    check_work,
)
from lightsanim.formats.metadata import Metadata, read_metadata
from lightsanim.formats.registry import Format, SavedFile, check_look, format_to_read, open_frames
from lightsanim.look.levels import Shades
from lightsanim.look.theme import Geometry, Theme, weighted
from lightsanim.options.values import Size
from lightsanim.proof.cell_readers import (
    CellReader,
    ExactReader,
    FrameError,
    LossyReader,
    PlainReader,
    least_step,
    light_in_cells,
    same_colour,
)

# A cell's side at least, as a share of the way from one cell to the next.
LEAST_CELL = 0.1


class SeenFrame(NamedTuple):
    """What a frame shows."""

    shades: Shades  # uint8 (rows, columns); the same array for all frames
    seconds: float | None  # how long it is shown, where the file says so
    # Likewise, what the panel of its clicks shows, where it has one: how often each cell is
    # pressed.
    presses: Shades | None = None


@dataclass(frozen=True, kw_only=True)
class AskedBoard:
    """What the user says of a file's board, where the file itself does not, or to be sure."""

    size: Size | None = None
    rule: str | None = None
    wrap: bool | None = None
    levels: int | None = None

    def board(self, height: int, width: int) -> Board:
        """The board of a file without metadata."""
        if self.size is None:
            raise OptionError("it says nothing of its board; give --size, and --rule if not plus")
        columns = self.size.columns
        rows = self.size.rows or max(1, round(columns * height / width))
        if rows > height or columns > width:
            raise OptionError(f"{width}x{height} pixels are too few for {columns}x{rows} cells")
        rule, wrap, levels = self.rule or "plus", bool(self.wrap), self.levels or 2
        return Board(rows, columns, rule=rule, wrap=wrap, levels=levels)

    def check(self, board: Board) -> None:
        """Is it what the file says?"""
        size = self.size
        if size is not None and (size.rows or board.rows, size.columns) != board.shape:
            raise OptionError(f"its board is {board.columns}x{board.rows}, not {size}")
        if self.rule is not None and replace(board, rule=self.rule) != board:
            raise OptionError(f"its rule is {board.rule}, not {self.rule}")
        if self.wrap not in (None, board.wrap):
            raise OptionError(f"its board is {'' if board.wrap else 'not '}wrapped")
        if self.levels not in (None, board.levels):
            raise OptionError(f"its board has {board.levels} levels, not {self.levels}")


@dataclass(frozen=True, kw_only=True, eq=False)
class AnimationFile:
    """A file that is being read."""

    board: Board  # the board
    boards: int = 1  # or in colour 3
    frames: Iterator[SeenFrame]  # one after the other
    metadata: Metadata | None = None  # what it says of itself, where that is known
    # The one whose clicks were applied to get the frames; None where they were seen.
    animation: Animation | None = None
    series: tuple[Animation, ...] = ()  # further puzzles of a page, each with its solution
    transparent: bool = False  # whether parts of it are, as the file says
    flaw: str | None = None  # why players may show other frames than those; None if they cannot
    origin: Origin | None = None  # where it comes from, as the file says
    expected: int = 0  # about how many frames it has, as the file says


@contextmanager
def open_animation_file(path: Path, asked: AskedBoard) -> Iterator[AnimationFile]:
    """Open any file that an animation can be saved as."""
    format = format_to_read(path)
    if format.load is not None:
        yield _saved(format.load(path), asked, bytes_of(path))
        return
    with ExitStack() as stack:
        file = stack.enter_context(open_frames(path))
        metadata = next(filter(None, map(read_metadata, file.texts)), None)
        if metadata is None:
            board, reader = _without_metadata(file, asked)
            stack.close()
            file = stack.enter_context(open_frames(path))
            frames = _seen(reader, _opaque(file.frames), bytes_of(path))
            yield AnimationFile(board=board, frames=frames)
            return
        asked.check(metadata.board)
        reader = _with_metadata(file, format, metadata)
        transparent = bool(metadata.look.transparent_parts)
        read = file.frames if transparent else _opaque(file.frames)
        yield AnimationFile(
            board=metadata.board,
            boards=metadata.boards,
            frames=_seen(reader, read, bytes_of(path)),
            metadata=metadata,
            transparent=transparent,
            origin=metadata.origin,
            expected=metadata.frames,
        )


def _saved(file: SavedFile, asked: AskedBoard, length: int) -> AnimationFile:
    animation = file.animation
    check_work(len(animation) * animation.first.size * SAVED_WORK, length)
    asked.check(animation.board)
    if file.theme is not None:
        _check_visible(file.theme, animation.boards, animation.board.levels)
    shades = (shades for shades, _ in animation.changes())
    return AnimationFile(
        board=animation.board,
        boards=animation.boards,
        frames=map(SeenFrame, shades, animation.durations().tolist()),
        animation=animation,
        series=file.series,
        transparent=file.theme is not None and bool(file.theme.transparent_parts),
        flaw=file.flaw,
        origin=animation.origin,
        expected=len(animation),
    )


def _check_visible(look: Theme, boards: int, levels: int) -> None:
    # Can someone who looks at the cells tell their levels, on black or on white where they are
    # transparent?  Of three boards each has a primary.
    colours = weighted(look.shades_with_alpha(boards, levels))
    on_black = colours[:, :3]
    on_white = on_black + 255 * (1 - colours[:, 3:])
    seen = max(_least_difference(shades, boards, levels) for shades in (on_black, on_white))
    if seen < least_step(levels):
        raise AnimationError(same_colour(levels))
    if look.cell and look.gap and look.cell < LEAST_CELL * (look.cell + look.gap):
        raise AnimationError("its cells are too small to be seen between their gaps")


def _least_difference(shades: NDArray[np.float64], boards: int, levels: int) -> float:
    # Between two levels, of the colours (shades, 3) that are seen.
    if boards == 3:  # all boards at one level: even steps of each primary
        return float(np.abs(np.diff(shades[:: (len(shades) - 1) // (levels - 1)], axis=0)).min())
    one, other = np.triu_indices(levels, 1)
    return float(np.abs(shades[one] - shades[other]).max(axis=1).min())


def _with_metadata(file: FrameFile, format: Format, metadata: Metadata) -> CellReader:
    _check_visible(metadata.look, metadata.boards, metadata.board.levels)
    try:
        check_look(format, metadata.look, metadata.board, metadata.boards)
    except OptionError as error:
        raise AnimationError(f"its look is one that is never written: {error}") from error
    if file.lossy:
        return LossyReader(metadata)
    return ExactReader(metadata, one_bit=file.one_bit)


def _without_metadata(file: FrameFile, asked: AskedBoard) -> tuple[Board, CellReader]:
    # Read once to see how light and dark its cells are.
    board, darkest, lightest = asked.board(*file.size), np.inf, -np.inf
    for frame in _opaque(file.frames):
        light = light_in_cells(frame.raster, *board.shape)
        darkest, lightest = min(darkest, light.min()), max(lightest, light.max())
    if darkest > lightest:
        raise AnimationError("it has no frames")
    geometry = Geometry(rows=board.rows, columns=board.columns, cell=1, gap=0)
    return board, PlainReader(geometry, (float(darkest), float(lightest)), board.levels)


def _opaque(frames: Iterator[ReadFrame]) -> Iterator[ReadFrame]:
    for frame in frames:
        if not frame.raster.is_opaque:
            where = f"frame {frame.number} is transparent somewhere"
            raise AnimationError(f"{where}, where players may show something else")
        yield frame


def _seen(reader: CellReader, frames: Iterator[ReadFrame], length: int) -> Iterator[SeenFrame]:
    shape, work = None, 0.0
    for number, frame in enumerate(frames):
        if frame.number != number:
            raise FrameError(number, f"frame {number} is missing, or there twice")
        if shape not in (None, frame.raster.shape):
            raise FrameError(number, f"frame {number} is of another size than those before it")
        shape = frame.raster.shape
        work += frame.raster.extent + reader.shades.size * CELL_WORK
        check_work(work, length)
        reader.see(number, frame.raster)
        yield SeenFrame(reader.shades, frame.seconds, reader.presses)
