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
    DecodedFrame,
    FrameFile,
    check_decoding_work,
    file_size,
)
from lightsanim.formats.metadata import Metadata, parse_metadata
from lightsanim.formats.registry import (
    Format,
    SavedFile,
    check_look,
    find_input_format,
    open_frames,
)
from lightsanim.look.levels import Shades
from lightsanim.look.theme import FrameGeometry, Theme, premultiply
from lightsanim.options.values import Size
from lightsanim.proof.cell_readers import (
    CellReader,
    ExactReader,
    FrameError,
    LossyReader,
    TwoColourReader,
    indistinct_levels_message,
    min_level_step,
    sample_cell_light,
)

# A cell's side at least, as a share of the way from one cell to the next.
MIN_CELL_SHARE = 0.1


class FrameShades(NamedTuple):
    """What a frame shows."""

    shades: Shades  # uint8 (rows, columns); the same array for all frames
    seconds: float | None  # how long it is shown, where the file says so
    # Likewise, what the panel of its clicks shows, where it has one: how often each cell is
    # pressed.
    presses: Shades | None = None


@dataclass(frozen=True, kw_only=True)
class ExpectedBoard:
    """What the user says of a file's board, where the file itself does not, or to be sure."""

    size: Size | None = None
    rule: str | None = None
    wrap: bool | None = None
    levels: int | None = None

    def board_for_frame_size(self, height: int, width: int) -> Board:
        """The board of a file without metadata."""
        if self.size is None:
            raise OptionError("it says nothing of its board; give --size, and --rule if not plus")
        columns = self.size.columns
        rows = self.size.rows or max(1, round(columns * height / width))
        if rows > height or columns > width:
            raise OptionError(f"{width}x{height} pixels are too few for {columns}x{rows} cells")
        rule, wrap, levels = self.rule or "plus", bool(self.wrap), self.levels or 2
        return Board(rows, columns, rule=rule, wrap=wrap, levels=levels)

    def check_board(self, board: Board) -> None:
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
    planes: int = 1  # or in colour 3
    frames: Iterator[FrameShades]  # one after the other
    metadata: Metadata | None = None  # what it says of itself, where that is known
    # The one whose clicks were applied to get the frames; None where they were seen.
    animation: Animation | None = None
    series: tuple[Animation, ...] = ()  # further puzzles of a page, each with its solution
    transparent: bool = False  # whether parts of it are, as the file says
    flaw: str | None = None  # why players may show other frames than those; None if they cannot
    origin: Origin | None = None  # where it comes from, as the file says
    frame_count: int = 0  # about how many frames it has, as the file says


@contextmanager
def open_animation_file(path: Path, expected: ExpectedBoard) -> Iterator[AnimationFile]:
    """Open any file that an animation can be saved as."""
    format = find_input_format(path)
    if format.load is not None:
        yield _wrap_saved_file(format.load(path), expected, file_size(path))
        return
    with ExitStack() as stack:
        file = stack.enter_context(open_frames(path))
        metadata = next(filter(None, map(parse_metadata, file.comments)), None)
        if metadata is None:
            board, reader = _reader_without_metadata(file, expected)
            stack.close()
            file = stack.enter_context(open_frames(path))
            frames = _read_frames(reader, _check_frames_opaque(file.frames), file_size(path))
            yield AnimationFile(board=board, frames=frames)
            return
        expected.check_board(metadata.board)
        reader = _reader_from_metadata(file, format, metadata)
        transparent = bool(metadata.look.transparent_parts)
        file_frames = file.frames if transparent else _check_frames_opaque(file.frames)
        yield AnimationFile(
            board=metadata.board,
            planes=metadata.planes,
            frames=_read_frames(reader, file_frames, file_size(path)),
            metadata=metadata,
            transparent=transparent,
            origin=metadata.origin,
            frame_count=metadata.frames,
        )


def _wrap_saved_file(file: SavedFile, expected: ExpectedBoard, length: int) -> AnimationFile:
    animation = file.animation
    check_decoding_work(len(animation) * animation.first.size * SAVED_WORK, length)
    expected.check_board(animation.board)
    if file.theme is not None:
        _check_levels_visible(file.theme, animation.boards, animation.board.levels)
    shades = (shades for shades, _ in animation.changes())
    return AnimationFile(
        board=animation.board,
        planes=animation.boards,
        frames=map(FrameShades, shades, animation.durations().tolist()),
        animation=animation,
        series=file.series,
        transparent=file.theme is not None and bool(file.theme.transparent_parts),
        flaw=file.flaw,
        origin=animation.origin,
        frame_count=len(animation),
    )


def _check_levels_visible(look: Theme, planes: int, levels: int) -> None:
    # Can someone who looks at the cells tell their levels, on black or on white where they are
    # transparent?  Of three boards each has a primary.
    colours = premultiply(look.shades_with_alpha(planes, levels))
    on_black = colours[:, :3]
    on_white = on_black + 255 * (1 - colours[:, 3:])
    difference = max(
        _min_level_difference(shades, planes, levels) for shades in (on_black, on_white)
    )
    if difference < min_level_step(levels):
        raise AnimationError(indistinct_levels_message(levels))
    if look.cell and look.gap and look.cell < MIN_CELL_SHARE * (look.cell + look.gap):
        raise AnimationError("its cells are too small to be seen between their gaps")


def _min_level_difference(shades: NDArray[np.float64], planes: int, levels: int) -> float:
    # Between two levels, of the colours (shades, 3) that are seen.
    if planes == 3:  # all boards at one level: even steps of each primary
        return float(np.abs(np.diff(shades[:: (len(shades) - 1) // (levels - 1)], axis=0)).min())
    first, second = np.triu_indices(levels, 1)
    return float(np.abs(shades[first] - shades[second]).max(axis=1).min())


def _reader_from_metadata(file: FrameFile, format: Format, metadata: Metadata) -> CellReader:
    _check_levels_visible(metadata.look, metadata.planes, metadata.board.levels)
    try:
        check_look(format, metadata.look, metadata.board, metadata.planes)
    except OptionError as error:
        raise AnimationError(f"its look is one that is never written: {error}") from error
    if file.lossy:
        return LossyReader(metadata)
    return ExactReader(metadata, one_bit=file.one_bit)


def _reader_without_metadata(file: FrameFile, expected: ExpectedBoard) -> tuple[Board, CellReader]:
    # Read once to see how light and dark its cells are.
    board, darkest, lightest = expected.board_for_frame_size(*file.size), np.inf, -np.inf
    for frame in _check_frames_opaque(file.frames):
        light = sample_cell_light(frame.raster, *board.shape)
        darkest, lightest = min(darkest, light.min()), max(lightest, light.max())
    if darkest > lightest:
        raise AnimationError("it has no frames")
    geometry = FrameGeometry(rows=board.rows, columns=board.columns, cell=1, gap=0)
    return board, TwoColourReader(geometry, (float(darkest), float(lightest)), board.levels)


def _check_frames_opaque(frames: Iterator[DecodedFrame]) -> Iterator[DecodedFrame]:
    for frame in frames:
        if not frame.raster.is_opaque:
            problem = f"frame {frame.number} is transparent somewhere"
            raise AnimationError(f"{problem}, where players may show something else")
        yield frame


def _read_frames(
    reader: CellReader, frames: Iterator[DecodedFrame], length: int
) -> Iterator[FrameShades]:
    shape, work = None, 0.0
    for number, frame in enumerate(frames):
        if frame.number != number:
            raise FrameError(number, f"frame {number} is missing, or there twice")
        if shape not in (None, frame.raster.shape):
            raise FrameError(number, f"frame {number} is of another size than those before it")
        shape = frame.raster.shape
        work += frame.raster.compared_pixels + reader.shades.size * CELL_WORK
        check_decoding_work(work, length)
        reader.read_frame(number, frame.raster)
        yield FrameShades(reader.shades, frame.seconds, reader.presses)
