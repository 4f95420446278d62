"""Reading of an animation file: its board, its metadata, and each frame's shades of cells."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lightsanim.errors import AnimationError, OptionError
from lightsanim.film.animation import Animation
from lightsanim.film.origin import Origin
from lightsanim.game.board.board import Board
from lightsanim.game.levels import Lights, Shades, unpack_levels
from lightsanim.options.values import Size
from lightsanim.output.formats.frames import (
    SAVED_WORK,
    DecodedFrame,
    FrameFile,
    check_decoding_work,
    file_size,
)
from lightsanim.output.formats.metadata import Metadata, parse_metadata
from lightsanim.output.formats.registry import Format, find_input_format, open_frames
from lightsanim.output.formats.saved_file import SavedFile
from lightsanim.output.look.theme import Theme, premultiply
from .cell_readers import (
    CellReader,
    ExactReader,
    FrameError,
    LearntReader,
    LossyReader,
    indistinct_levels_message,
    min_level_step,
    sample_cell_light,
)

MIN_CELL_SHARE = 0.1  # Smallest allowed side of a cell, as a share of cell and gap together.


class FrameShades(NamedTuple):
    """The shades of the cells in a frame, in arrays that are reused for the next frame."""

    shades: Shades  # Shades of the board's cells, (rows, columns).
    seconds: float | None  # Duration in seconds; None if the file does not state it.
    presses: Shades | None = None  # Shades of the panel of clicks; None without a panel.
    marks: NDArray[np.bool_] | None = None  # Whether each cell has a mark; None if unknown.


@dataclass(frozen=True, kw_only=True)
class ExpectedBoard:
    """Options that set the board of a file without metadata; other files must agree with them."""

    size: Size | None = None
    rule: str | None = None
    wrap: bool | None = None
    levels: int | None = None

    def board_for_frame_size(self, height: int, width: int) -> Board:
        """Return the board of a file without metadata, given its frames' size in pixels."""
        if self.size is None:
            raise OptionError("it does not state its board; set --size, and --rule if not plus")
        columns = self.size.columns
        rows = self.size.rows or max(1, round(columns * height / width))
        if rows > height or columns > width:
            raise OptionError(f"{width}x{height} pixels are too few for {columns}x{rows} cells")
        rule, wrap, levels = self.rule or "plus", bool(self.wrap), self.levels or 2
        return Board(rows, columns, rule=rule, wrap=wrap, levels=levels)

    def check_board(self, board: Board) -> None:
        """Raise OptionError if the board of the file contradicts the options."""
        size = self.size
        if size is not None and (size.rows or board.rows, size.columns) != board.shape:
            raise OptionError(f"its board is {board.columns}x{board.rows}, not {size}")
        if self.rule is not None and replace(board, rule=self.rule) != board:
            raise OptionError(f"its rule is {board.rule}, not {self.rule}")
        if self.wrap not in (None, board.wrap):
            raise OptionError(f"its board is {'' if board.wrap else 'not '}wrapped; leave wrap out")
        if self.levels not in (None, board.levels):
            raise OptionError(f"its board has {board.levels} levels, not {self.levels}")


@dataclass(frozen=True, kw_only=True, eq=False)
class AnimationFile:
    """An open animation file."""

    board: Board
    planes: int = 1  # Number of colour planes: 1, or 3 in colour.
    frames: Iterator[FrameShades]
    metadata: Metadata | None = None  # Metadata of a file of frames; None without.
    animation: Animation | None = None  # Animation in a page or JSON file; None in other files.
    puzzles: tuple[Animation, ...] = ()  # Puzzles of a page, each with its solution.
    shows_total: bool = False  # Whether panels of clicks show all clicks since frame 0.
    # Reason why players may show other frames; None if there is none.
    flaw: AnimationError | None = None
    origin: Origin | None = None
    frame_count: int = 0  # Number of frames according to the file, for progress reports.
    loop: int = 0  # Number of plays of an SVG film; 0 = for ever.
    theme: Theme = Theme()  # The look, where the file states it.

    def unpack_shades(self, shades: Shades) -> Lights:
        """Return the levels of shades in each colour plane: (planes, rows, columns)."""
        return unpack_levels(shades, self.planes, self.board.levels)


@contextmanager
def open_animation_file(path: Path, expected: ExpectedBoard) -> Iterator[AnimationFile]:
    """Open a file in any format that can be read back; its frames are read one by one."""
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
            frames = _check_frames_opaque(file.frames)
            yield AnimationFile(board=board, frames=_read_frames(reader, frames, file_size(path)))
            return
        expected.check_board(metadata.board)
        reader = _reader_from_metadata(file, format, metadata)
        is_clear = bool(metadata.look.transparent_parts)
        frames = file.frames if is_clear else _check_frames_opaque(file.frames)
        yield AnimationFile(
            board=metadata.board,
            planes=metadata.planes,
            frames=_read_frames(reader, frames, file_size(path)),
            metadata=metadata,
            shows_total=metadata.geometry.shows_total,
            origin=metadata.origin,
            frame_count=metadata.frames,
            loop=file.loop,
            theme=metadata.look,
        )


def _wrap_saved_file(file: SavedFile, expected: ExpectedBoard, length: int) -> AnimationFile:
    animation = file.animation
    check_decoding_work(len(animation) * animation.first.size * SAVED_WORK, length)
    expected.check_board(animation.board)
    if file.theme is not None:
        _check_levels_visible(file.theme, animation.boards, animation.board.levels)
    shades = (shades for shades, _ in animation.changes())
    theme = file.theme or Theme()
    return AnimationFile(
        board=animation.board,
        planes=animation.boards,
        frames=map(FrameShades, shades, animation.durations().tolist()),
        animation=animation,
        puzzles=file.puzzles,
        shows_total=theme.shows_click_totals and not theme.is_exhibit,
        flaw=file.flaw,
        theme=theme,
        origin=animation.origin,
        frame_count=len(animation),
    )


def _check_levels_visible(look: Theme, planes: int, levels: int) -> None:
    # Raise AnimationError if the levels look alike both on black and on white background.
    colours = premultiply(look.shades_with_alpha(planes, levels))
    visible = colours[:, :3], colours[:, :3] + 255 * (1 - colours[:, 3:])
    difference = max(_min_level_difference(shades, planes, levels) for shades in visible)
    if difference < min_level_step(levels):
        raise AnimationError(indistinct_levels_message(levels))
    if look.cell and look.gap and look.cell < MIN_CELL_SHARE * (look.cell + look.gap):
        raise AnimationError("its cells are too small compared with the gaps between them")


def _min_level_difference(shades: NDArray[np.float64], planes: int, levels: int) -> float:
    # Return the smallest difference between two levels, given the colours of shades, (shades, 3).
    if planes == 3:  # only shades with all planes at the same level
        return float(np.abs(np.diff(shades[:: (len(shades) - 1) // (levels - 1)], axis=0)).min())
    first, second = np.triu_indices(levels, 1)
    return float(np.abs(shades[first] - shades[second]).max(axis=1).min())


def _reader_from_metadata(file: FrameFile, format: Format, metadata: Metadata) -> CellReader:
    _check_levels_visible(metadata.look, metadata.planes, metadata.board.levels)
    try:
        format.check_look(metadata.look, metadata.board, metadata.planes)
    except OptionError as error:
        raise AnimationError(f"its format does not support its look: {error}") from error
    return (
        LossyReader(metadata, file.size)
        if file.lossy
        else ExactReader(metadata, one_bit=file.one_bit)
    )


def _reader_without_metadata(file: FrameFile, expected: ExpectedBoard) -> tuple[Board, CellReader]:
    # Read all frames once to find the darkest and the lightest cell.
    board, darkest, lightest = expected.board_for_frame_size(*file.size), np.inf, -np.inf
    for frame in _check_frames_opaque(file.frames):
        light = sample_cell_light(frame.raster, *board.shape)
        darkest, lightest = min(darkest, light.min()), max(lightest, light.max())
    if darkest > lightest:
        raise AnimationError("it has no frames")
    return board, LearntReader(board, file, (float(darkest), float(lightest)))


def _check_frames_opaque(frames: Iterator[DecodedFrame]) -> Iterator[DecodedFrame]:
    for frame in frames:
        if not frame.raster.is_opaque:
            raise AnimationError(
                f"frame {frame.number} is transparent somewhere, which players show differently"
            )
        yield frame


def _read_frames(
    reader: CellReader, frames: Iterator[DecodedFrame], length: int
) -> Iterator[FrameShades]:
    shape, work = None, 0.0
    for number, frame in enumerate(frames):
        if frame.number != number:
            raise FrameError(number, f"frame {number} is missing or duplicated")
        if shape not in (None, frame.raster.shape):
            raise FrameError(number, f"frame {number} has another size than the frames before it")
        shape = frame.raster.shape
        work += frame.raster.compared_pixels + reader.frame_work
        check_decoding_work(work, length)
        reader.read_frame(number, frame.raster)
        yield FrameShades(reader.shades, frame.seconds, reader.presses, reader.marks)
