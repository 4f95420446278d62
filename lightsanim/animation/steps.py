"""Steps of many clicks at once: click sets one after the other, a bit for each cell."""

import math
import tempfile
import weakref
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from lightsanim.algebra.modular import reduce
from lightsanim.board.board import Board
from lightsanim.errors import AnimationError, OutputError
from lightsanim.look.levels import lights_of, shades_of
from lightsanim.options.stages import Timing

# Bytes of steps that are read at a time.
BLOCK = 1 << 20

Shape = tuple[int, int, int]
"""Boards, rows and columns."""

Presses = NDArray[np.uint8]
"""uint8 (boards, rows, columns), how often each cell is pressed: 0 to levels - 1."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Steps:
    """Click sets, each of which is pressed as a whole."""

    shape: Shape
    levels: int  # how many states a cell has
    # uint8 (steps, planes, bytes): the lowest bit of each cell's presses, row by row and board
    # after board, the first one highest in its byte; then the next bit, and so on. Those of a long
    # film lie on disk.
    packed: "NDArray[np.uint8] | StepsFile"

    name = "steps"

    def __post_init__(self) -> None:
        size, cells = packed_size(self.shape, self.levels), int(np.prod(self.shape))
        if self.packed.dtype != np.uint8 or self.packed.shape[1:] != size:
            planes, _ = size
            raise AnimationError(f"steps must be bits of {planes} times {cells} cells")
        spare = (1 << -cells % 8) - 1
        if spare and any((block[..., -1] & spare).any() for block in self._blocks()):
            raise AnimationError("steps must not hold more than the presses of each cell")
        if self.levels > 2 and any(presses.max() >= self.levels for presses in self):
            raise AnimationError(f"steps must press each cell 0 to {self.levels - 1} times")

    @classmethod
    def of(
        cls, shape: Shape, levels: int, sets: Iterable[NDArray[Any]], *, on_disk: bool = False
    ) -> Self:
        """Steps of these click sets, each of the shape, or with one board (rows, columns).

        ``on_disk``: packed in a temporary file as they come, however many they are.

        >>> steps = Steps.of((1, 1, 3), 3, [np.array([[0, 2, 1]])])
        >>> steps[0].tolist(), steps.counts.tolist()
        ([[[0, 2, 1]]], [3])
        """
        steps, size = _packed(sets, levels), packed_size(shape, levels)
        if on_disk:
            return cls(shape=shape, levels=levels, packed=StepsFile(steps, size))
        packed = np.array([*steps], np.uint8).reshape(-1, *size)
        return cls(shape=shape, levels=levels, packed=packed)

    def _blocks(self) -> Iterator[NDArray[np.uint8]]:
        planes, size = packed_size(self.shape, self.levels)
        steps = max(1, BLOCK // (planes * size))
        return (self.packed[start : start + steps] for start in range(0, len(self), steps))

    def __len__(self) -> int:
        return int(self.packed.shape[0])

    def __getitem__(self, number: int) -> Presses:
        bits = np.unpackbits(self.packed[number], axis=1, count=int(np.prod(self.shape)))
        presses: Presses = bits[0]
        for plane, more in enumerate(bits[1:], start=1):
            presses |= more << np.uint8(plane)
        return presses.reshape(self.shape)

    def __iter__(self) -> Iterator[Presses]:
        return map(self.__getitem__, range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Steps):
            return NotImplemented
        kinds = [(each.shape, each.levels, len(each)) for each in (self, other)]
        return kinds[0] == kinds[1] and all(map(np.array_equal, self._blocks(), other._blocks()))

    __hash__ = None  # type: ignore[assignment]

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """How many presses each step has, on all boards together: int64 (steps,)."""
        weights = 1 << np.arange(self.packed.shape[1])
        counts = [np.bitwise_count(block).sum(axis=2, dtype=np.int64) for block in self._blocks()]
        return np.concatenate([np.zeros(0, np.int64), *(count @ weights for count in counts)])

    def by_frame(self, timing: Timing, front: NDArray[np.float64] | None) -> NDArray[np.int64]:
        """How many are done at the end of each frame: each is one."""
        return np.arange(1, len(self) + 1)

    def pressed(self, board: Board, start: int, end: int) -> Presses:
        """How often each cell is pressed from ``start`` to below ``end``, modulo the levels."""
        presses = self[start] if start < end else np.zeros(self.shape, np.uint8)
        for number in range(start + 1, end):
            presses += self[number]
            reduce(presses, self.levels)
        return presses

    def cells_pressed(self, board: Board, start: int, end: int) -> NDArray[np.int64]:
        """The cells that these are made on."""
        return np.flatnonzero(self.pressed(board, start, end).any(axis=0))

    def apply(
        self, board: Board, shades: NDArray[np.uint8], frames: NDArray[np.int64]
    ) -> Iterator[NDArray[np.int64]]:
        """Change shades in place, frame after frame, and tell what is touched.

        ``shades``: uint8 (rows, columns), ``frames``: int64 (frames,).
        """
        lights = lights_of(shades, self.shape[0], self.levels)
        for start, end in pairwise(frames.tolist()):
            pressed = self.pressed(board, start, end).astype(lights.dtype, copy=False)
            raised = np.stack([*map(board.toggles, pressed)])
            lights = board.add(lights, raised)
            shades[:] = shades_of(lights, self.levels)
            yield np.flatnonzero(raised.any(axis=0))

    def backwards(self) -> Self:
        """The steps that undo these, the last one first."""
        if self.levels == 2:
            return replace(self, packed=self.packed[:][::-1])
        undone = ((self.levels - self[n]) % self.levels for n in reversed(range(len(self))))
        return self.of(self.shape, self.levels, undone)


def packed_size(shape: Shape, levels: int) -> tuple[int, int]:
    """Planes and bytes of each plane that a click set is packed in; see `Steps`.

    >>> packed_size((1, 3, 3), 5)
    (3, 2)
    """
    return (levels - 1).bit_length(), -(-int(np.prod(shape)) // 8)


def _packed(sets: Iterable[NDArray[Any]], levels: int) -> Iterator[NDArray[np.uint8]]:
    planes = np.arange((levels - 1).bit_length(), dtype=np.uint8)[:, None]
    for each in sets:
        yield np.packbits(each.astype(np.uint8).reshape(1, -1) >> planes & 1, axis=1)


def joined(steps: Sequence[Steps]) -> Steps:
    """Steps of one board after the other."""
    if len(steps) == 1:
        return steps[0]  # perhaps on disk
    return replace(steps[0], packed=np.concatenate([each.packed[:] for each in steps]))


class StepsFile:
    """Packed steps on disk: as much of an array, uint8 (steps, planes, bytes), as `Steps` needs.

    The file has no name, so that nothing is left of it when this object is gone, or the program,
    however it ends.  What is read is mapped into memory for that moment, so that no more is held.

    >>> kept = StepsFile([np.array([[1, 2]], np.uint8), np.array([[3, 4]], np.uint8)], (1, 2))
    >>> kept.shape, kept[1].tolist(), kept[:1].tolist()
    ((2, 1, 2), [[3, 4]], [[[1, 2]]])
    """

    dtype = np.dtype(np.uint8)

    def __init__(self, steps: Iterable[NDArray[np.uint8]], size: tuple[int, int]) -> None:
        count = 0
        with _room():
            self._file = tempfile.TemporaryFile(prefix="lightsanim-")  # noqa: SIM115
        weakref.finalize(self, self._file.close)
        for count, step in enumerate(steps, start=1):  # noqa: B007
            with _room():
                self._file.write(step.data)
        with _room():
            self._file.flush()
        self.shape, self.nbytes = (count, *size), count * math.prod(size)

    def __getitem__(self, place: int | slice) -> NDArray[np.uint8]:
        if not self.nbytes:  # which cannot be mapped
            return np.zeros(self.shape, np.uint8)[place]
        return np.array(np.memmap(self._file, np.uint8, "r", shape=self.shape)[place])

    def __reduce__(self) -> tuple[Any, ...]:
        return np.array, (self[:],)  # copies, and other processes, have them in memory


@contextmanager
def _room() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputError(
            f"cannot keep the clicks of the film in {tempfile.gettempdir()}: {error.strerror}; "
            "make room there, or name another folder in TMPDIR"
        ) from error
