"""Clicks in order: single clicks, or steps that press many cells at once.

Both kinds have the same methods, so a film, a move or a format need not ask which kind it holds.
"""

import math
import tempfile
import weakref
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lightsanim.errors import AnimationError, OutputError
from lightsanim.game.algebra.modular import mod_inplace
from lightsanim.game.board.board import Board
from lightsanim.game.levels import pack_levels, unpack_levels
from lightsanim.options.checks import quote_value
from lightsanim.options.stages import Timing
from .pace import pace_clicks

# Number of clicks whose flips are computed together, which is faster than frame by frame.
BLOCK_CLICKS = 256
# Number of bytes of packed steps that are read at a time.
BLOCK_BYTES = 1 << 20

StepShape = tuple[int, int, int]
"""Numbers of colour planes, rows and columns."""

Presses = NDArray[np.uint8]
"""Presses of each cell, 0 to levels - 1: uint8 (planes, rows, columns)."""


@dataclass(frozen=True, eq=False)
class Clicks:
    """Single clicks in order, as in the moves of a wipe or a sketch."""

    cells: NDArray[np.integer]  # Clicked cells, ``row * columns + column``, shape (clicks,).
    # Bit mask of the colour planes that each click changes, uint8 (clicks,); None without colour.
    primaries: NDArray[np.uint8] | None = None
    # Progress of the move at each click, rising from 0 to 1; None if clicks are evenly spaced.
    front: NDArray[np.float64] | None = None
    # Number of cells, one after the other, that are clicked in one frame.
    group: int = 1

    name = "clicks"
    steps: ClassVar[None] = None
    frame_holds: ClassVar[None] = None

    def __post_init__(self) -> None:
        for name, numbers in (("clicks", self.cells), ("primaries", self.primaries)):
            if numbers is not None and numbers.size and numbers.dtype.kind not in "iu":
                shown = quote_value(numbers.tolist())
                raise AnimationError(f"{name} must be whole numbers, not {shown}")
        if self.primaries is not None:
            if self.primaries.shape != self.cells.shape:
                raise AnimationError("primaries must have one number for each click")
            if ((self.primaries < 1) | (self.primaries > 7)).any():
                raise AnimationError("primaries must be numbers from 1 to 7")

    @classmethod
    def from_presses(
        cls, cells: NDArray[np.integer], presses: Presses, front: NDArray[np.float64] | None = None
    ) -> Self:
        """Return clicks that press one cell after the other, each as often as it needs.

        ``cells`` are distinct, ``presses`` is uint8 (planes, cells), and ``front`` float64
        (cells,).  One click presses a cell on all colour planes that still need a press.

        >>> presses = np.array([[2, 0], [1, 1], [0, 0]], np.uint8)
        >>> clicks = Clicks.from_presses(np.array([4, 7]), presses)
        >>> clicks.cells.tolist(), clicks.primaries.tolist()
        ([4, 4, 7], [3, 1, 2])
        """
        times = presses.max(axis=0, initial=0)
        indices, primaries = np.repeat(np.arange(len(cells)), times), None
        if len(presses) > 1:
            starts = np.cumsum(times, dtype=np.int64) - times
            # For each click, the number of earlier clicks on the same cell.
            done = np.arange(len(indices)) - np.repeat(starts, times)
            bits = np.uint8(1) << np.arange(len(presses), dtype=np.uint8)[:, None]
            primaries = ((presses[:, indices] > done) * bits).sum(axis=0, dtype=np.uint8)
        return cls(cells[indices], primaries, None if front is None else front[indices])

    def __len__(self) -> int:
        return len(self.cells)

    @property
    def plane_count(self) -> int:
        """Number of colour planes: 1, or 3 in colour."""
        return 1 if self.primaries is None else 3

    def check_on_board(self, board: Board) -> None:
        """Raise an `AnimationError` if the board lacks a clicked cell."""
        outside = (self.cells < 0) | (self.cells >= board.cells)
        if outside.any():
            flaw = f"clicks must be cells 0 to {board.cells - 1}, not {self.cells[outside][0]}"
            raise AnimationError(flaw)

    def counts_by_frame(self, timing: Timing) -> NDArray[np.int64]:
        """Return how many clicks are made by the end of each frame of a move."""
        done = pace_clicks(len(self), timing, self.front)
        if self.group == 1:
            return done
        stops = np.append(self.cell_run_starts[:: self.group], len(self))
        return stops[np.searchsorted(stops, done, side="right") - 1]

    @property
    def press_counts(self) -> NDArray[np.integer]:
        """Number of colour planes that each click changes: int (clicks,)."""
        if self.primaries is None:
            return np.ones(len(self), np.int64)
        return np.bitwise_count(self.primaries)

    @property
    def cell_run_starts(self) -> NDArray[np.intp]:
        """Indices of the clicks whose cell differs from that of the previous click."""
        return np.flatnonzero(np.diff(self.cells, prepend=-1))

    def inverse(self, board: Board) -> Self:
        """Return the clicks that undo these, last cell first; only for clicks of `from_presses`."""
        starts = self.cell_run_starts
        primaries = np.ones(len(self), np.uint8) if self.primaries is None else self.primaries
        bits = primaries >> np.arange(self.plane_count, dtype=np.uint8)[:, None] & 1
        presses = np.add.reduceat(bits, starts, axis=1, dtype=np.uint8)
        back = self.from_presses(
            self.cells[starts[::-1]],
            (board.levels - presses[:, ::-1]) % board.levels,
            None if self.front is None else 1 - self.front[starts[::-1]],
        )
        return replace(back, group=self.group)

    def count_presses(self, board: Board, start: int, end: int) -> Presses:
        """Return how often clicks ``start`` to ``end - 1`` press each cell, modulo the levels."""
        presses = [
            np.bincount(self._clicked_cells_on_plane(plane, start, end), minlength=board.cells)
            for plane in range(self.plane_count)
        ]
        return (np.reshape(presses, (-1, *board.shape)) % board.levels).astype(np.uint8)

    def pressed_cells(self, board: Board, start: int, end: int) -> NDArray[np.int64]:
        """Return the cells of the clicks ``start`` to ``end - 1``."""
        return self.cells[start:end].astype(np.int64)

    def apply_to_shades(
        self, board: Board, shades: NDArray[np.uint8], frames: NDArray[np.int64]
    ) -> Iterator[NDArray[np.int64]]:
        """Apply each frame's clicks to the packed levels in place, and yield the changed cells."""
        if board.levels == 2:
            yield from self._apply_two_level_clicks(board, shades, frames)
            return
        lights = unpack_levels(shades, self.plane_count, board.levels)
        planes = range(self.plane_count)
        weights = board.levels ** np.arange(self.plane_count, dtype=np.uint8)
        for start, end in pairwise(frames.tolist()):
            cells = [self._clicked_cells_on_plane(plane, start, end) for plane in planes]
            touched = np.concatenate([*map(board.flip, lights, cells)])
            shades.flat[touched] = weights @ lights.reshape(self.plane_count, -1)[:, touched]
            yield touched

    def _apply_two_level_clicks(
        self, board: Board, shades: NDArray[np.uint8], frames: NDArray[np.int64]
    ) -> Iterator[NDArray[np.int64]]:
        first = 0
        while first < len(frames) - 1:
            last = int(np.searchsorted(frames, frames[first] + BLOCK_CLICKS, "right")) - 1
            last = max(last, first + 1)
            part = slice(frames[first], frames[last])
            primaries = None if self.primaries is None else self.primaries[part]
            if frames[last] - frames[first] > BLOCK_CLICKS:
                yield board.flip(shades, self.cells[part], primaries)
            else:
                source, flipped = board.flips(self.cells[part])
                bits = np.ones(len(flipped), np.uint8) if primaries is None else primaries[source]
                stops = np.searchsorted(source, frames[first : last + 1] - frames[first])
                for span in map(slice, stops[:-1], stops[1:]):
                    np.bitwise_xor.at(shades.reshape(-1), flipped[span], bits[span])
                    yield flipped[span]
            first = last

    def _clicked_cells_on_plane(self, plane: int, start: int, end: int) -> NDArray[np.integer]:
        cells = self.cells[start:end]
        if self.primaries is None:
            return cells
        on_plane: NDArray[np.bool_] = self.primaries[start:end] >> plane & 1 == 1
        return cells[on_plane]


@dataclass(frozen=True, kw_only=True, eq=False)
class PackedSteps:
    """Steps that each press a whole click set at once, with the same methods as `Clicks`."""

    shape: StepShape
    levels: int
    # Presses of all steps, uint8 (steps, bit planes, bytes); on disk for long films.  Bit plane k
    # holds bit k of all cells' presses in the order of ``shape``, each byte's highest bit first.
    packed: "NDArray[np.uint8] | StepsFile"
    # Additional seconds for which the frame before the move, and each frame of the move, is shown;
    # None to hold only the last frame.
    frame_holds: NDArray[np.float64] | None = None

    name = "steps"

    def __post_init__(self) -> None:
        size, cells = packed_click_set_size(self.shape, self.levels), int(np.prod(self.shape))
        if self.packed.dtype != np.uint8 or self.packed.shape[1:] != size:
            bit_planes, _ = size
            raise AnimationError(f"each step must have {bit_planes} bit planes of {cells} bits")
        spare = (1 << -cells % 8) - 1
        if spare and any((block[..., -1] & spare).any() for block in self._iter_packed_blocks()):
            raise AnimationError("the unused bits at the end of a step must be 0")
        if self.levels > 2 and any(presses.max() >= self.levels for presses in self):
            raise AnimationError(f"each step must press every cell 0 to {self.levels - 1} times")

    @classmethod
    def pack(
        cls,
        shape: StepShape,
        levels: int,
        sets: Iterable[NDArray[Any]],
        frame_holds: NDArray[np.float64] | None = None,
        *,
        on_disk: bool = False,
    ) -> Self:
        """Pack click sets into bits, in memory or, with ``on_disk``, in a temporary file."""
        size = packed_click_set_size(shape, levels)
        bit_numbers = np.arange(size[0], dtype=np.uint8)[:, None]
        presses = (click_set.astype(np.uint8).reshape(1, -1) for click_set in sets)
        steps = (np.packbits(click_set >> bit_numbers & 1, axis=1) for click_set in presses)
        if on_disk:
            return cls(shape=shape, levels=levels, packed=StepsFile(steps, size))
        packed = np.array([*steps], np.uint8).reshape(-1, *size)
        return cls(shape=shape, levels=levels, packed=packed, frame_holds=frame_holds)

    def _iter_packed_blocks(self) -> Iterator[NDArray[np.uint8]]:
        bit_planes, size = packed_click_set_size(self.shape, self.levels)
        steps = max(1, BLOCK_BYTES // (bit_planes * size))
        return (self.packed[start : start + steps] for start in range(0, len(self), steps))

    def __len__(self) -> int:
        return int(self.packed.shape[0])

    def __getitem__(self, number: int) -> Presses:
        bits = np.unpackbits(self.packed[number], axis=1, count=int(np.prod(self.shape)))
        presses: Presses = bits[0]
        for bit, bit_plane in enumerate(bits[1:], start=1):
            presses |= bit_plane << np.uint8(bit)
        return presses.reshape(self.shape)

    def __iter__(self) -> Iterator[Presses]:
        return map(self.__getitem__, range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PackedSteps):
            return NotImplemented
        kinds = [(steps.shape, steps.levels, len(steps)) for steps in (self, other)]
        return kinds[0] == kinds[1] and all(
            map(np.array_equal, self._iter_packed_blocks(), other._iter_packed_blocks())
        )

    __hash__ = None  # type: ignore[assignment]

    @property
    def plane_count(self) -> int:
        """Number of colour planes: 1, or 3 in colour."""
        return self.shape[0]

    @property
    def cells(self) -> NDArray[np.integer]:
        """The cells of single clicks: none."""
        return np.zeros(0, np.int32)

    @property
    def primaries(self) -> NDArray[np.uint8] | None:
        """The colour planes of single clicks: none, or in grey None."""
        return None if self.plane_count == 1 else np.zeros(0, np.uint8)

    @property
    def steps(self) -> Self:
        """The steps."""
        return self

    def check_on_board(self, board: Board) -> None:
        """Raise an `AnimationError` if the steps are those of another board."""
        if (self.shape[1:], self.levels) != (board.shape, board.levels):
            raise AnimationError("steps must have the animation's shape and number of levels")

    def counts_by_frame(self, timing: Timing) -> NDArray[np.int64]:
        """Return how many steps are made by the end of each frame; each step is a frame."""
        return np.arange(1, len(self) + 1)

    @cached_property
    def press_counts(self) -> NDArray[np.int64]:
        """Number of presses in each step, summed over all colour planes: int64 (steps,)."""
        weights = 1 << np.arange(self.packed.shape[1])
        counts = [
            np.bitwise_count(block).sum(axis=2, dtype=np.int64)
            for block in self._iter_packed_blocks()
        ]
        return np.concatenate([np.zeros(0, np.int64), *(count @ weights for count in counts)])

    def count_presses(self, board: Board, start: int, end: int) -> Presses:
        """Return how often steps ``start`` to ``end - 1`` press each cell, modulo the levels."""
        presses = self[start] if start < end else np.zeros(self.shape, np.uint8)
        for number in range(start + 1, end):
            presses += self[number]
            mod_inplace(presses, self.levels)
        return presses

    def pressed_cells(self, board: Board, start: int, end: int) -> NDArray[np.int64]:
        """Return the cells that the steps ``start`` to ``end - 1`` press."""
        return np.flatnonzero(self.count_presses(board, start, end).any(axis=0))

    def apply_to_shades(
        self, board: Board, shades: NDArray[np.uint8], frames: NDArray[np.int64]
    ) -> Iterator[NDArray[np.int64]]:
        """Apply each frame's steps to the packed levels in place, and yield the changed cells."""
        lights = unpack_levels(shades, self.shape[0], self.levels)
        for start, end in pairwise(frames.tolist()):
            presses = self.count_presses(board, start, end).astype(lights.dtype, copy=False)
            raised = np.stack([*map(board.toggles, presses)])
            lights = board.add(lights, raised)
            shades[:] = pack_levels(lights, self.levels)
            yield np.flatnonzero(raised.any(axis=0))

    def inverse(self, board: Board) -> Self:
        """Return the steps that undo these, in reverse order."""
        frame_holds = None if self.frame_holds is None else self.frame_holds[::-1]
        if self.levels == 2:
            return replace(self, packed=self.packed[:][::-1], frame_holds=frame_holds)
        inverse_sets = ((self.levels - self[n]) % self.levels for n in reversed(range(len(self))))
        return self.pack(self.shape, self.levels, inverse_sets, frame_holds)


def packed_click_set_size(shape: StepShape, levels: int) -> tuple[int, int]:
    """Return the number of bit planes of a packed click set, and the bytes of each plane."""
    return (levels - 1).bit_length(), -(-int(np.prod(shape)) // 8)


History: TypeAlias = Clicks | PackedSteps
"""The clicks of a move or of a whole film."""


def join_moves(moves: Sequence[History], *, in_colour: bool) -> History:
    """Return the clicks or the steps of any number of moves, one after the other."""
    if len({move.name for move in moves}) > 1:
        raise AnimationError("an animation must have either clicks or steps, not both")
    steps = [move for move in moves if move.steps is not None]
    return join_steps(steps) if steps else join_clicks(moves, in_colour=in_colour)


def join_clicks(moves: Iterable[History], *, in_colour: bool) -> Clicks:
    """Return the clicks of any number of moves, one after the other."""
    moves = [move for move in moves if len(move)]
    cells = np.concatenate([np.zeros(0, np.int32), *(move.cells for move in moves)])
    if not in_colour:
        return Clicks(cells)
    primaries = (move.primaries for move in moves if move.primaries is not None)
    return Clicks(cells, np.concatenate([np.zeros(0, np.uint8), *primaries]))


def join_steps(moves: Sequence[PackedSteps]) -> PackedSteps:
    """Return the steps of several moves, one after the other."""
    if len(moves) == 1 and moves[0].frame_holds is None:
        return moves[0]  # returned without a copy, because it may be on disk
    packed = np.concatenate([part.packed[:] for part in moves])
    return replace(moves[0], packed=packed, frame_holds=None)


class StepsFile:
    """Packed steps on disk, with the part of the array interface that `PackedSteps` needs.

    The file has no name, so it disappears with this object, even if the program is killed.  Each
    access maps the file into memory only while it copies the steps asked for.

    >>> file = StepsFile([np.array([[1, 2]], np.uint8), np.array([[3, 4]], np.uint8)], (1, 2))
    >>> file.shape, file[1].tolist(), file[:1].tolist()
    ((2, 1, 2), [[3, 4]], [[[1, 2]]])
    """

    dtype = np.dtype(np.uint8)

    def __init__(self, steps: Iterable[NDArray[np.uint8]], size: tuple[int, int]) -> None:
        count = 0
        with _convert_disk_errors():
            self._file = tempfile.TemporaryFile(prefix="lightsanim-")  # noqa: SIM115
        weakref.finalize(self, self._file.close)
        for count, step in enumerate(steps, start=1):  # noqa: B007
            with _convert_disk_errors():
                self._file.write(step.data)
        with _convert_disk_errors():
            self._file.flush()
        self.shape, self.nbytes = (count, *size), count * math.prod(size)

    def __getitem__(self, key: int | slice) -> NDArray[np.uint8]:
        if not self.nbytes:  # an empty file cannot be mapped
            return np.zeros(self.shape, np.uint8)[key]
        return np.array(np.memmap(self._file, np.uint8, "r", shape=self.shape)[key])

    def __reduce__(self) -> tuple[Any, ...]:
        return np.array, (self[:],)  # copies and pickles become arrays in memory


@contextmanager
def _convert_disk_errors() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputError(
            f"cannot write the clicks of the film to {tempfile.gettempdir()}: {error.strerror}; "
            "free some space there, or set TMPDIR to another folder"
        ) from error
