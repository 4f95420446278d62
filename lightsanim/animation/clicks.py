"""Single clicks one after the other: the moves of a wipe and of a sketch."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from lightsanim.animation.steps import Presses
from lightsanim.animation.timing import clicks_by_frame
from lightsanim.board.board import Board
from lightsanim.look.levels import lights_of
from lightsanim.options.stages import Timing

# Clicks whose flips are found at a time, which is faster than for each frame.
BLOCK = 256


@dataclass(frozen=True, eq=False)
class Clicks:
    """Single clicks in order, with the methods of `Steps`."""

    cells: NDArray[np.integer]  # int (clicks,), ``row * columns + column``
    # In colour uint8 (clicks,), the boards that each is made on, see `Animation`.
    primaries: NDArray[np.uint8] | None

    name = "clicks"

    def __len__(self) -> int:
        return len(self.cells)

    @property
    def boards(self) -> int:
        """1, or in colour 3."""
        return 1 if self.primaries is None else 3

    @property
    def counts(self) -> NDArray[np.integer]:
        """On how many boards each click is made: int (clicks,)."""
        if self.primaries is None:
            return np.ones(len(self), np.int64)
        return np.bitwise_count(self.primaries)

    def by_frame(self, timing: Timing, front: NDArray[np.float64] | None) -> NDArray[np.int64]:
        """How many are done at the end of each frame, see `clicks_by_frame`."""
        return clicks_by_frame(len(self), timing, front)

    def pressed(self, board: Board, start: int, end: int) -> Presses:
        """How often each cell is pressed from click ``start`` to below ``end``, modulo the levels.

        >>> Clicks(np.array([0, 2, 0]), None).pressed(Board(1, 3), 0, 3).tolist()
        [[[0, 0, 1]]]
        """
        pressed = np.zeros((self.boards, board.cells), np.uint8)
        for number, presses in enumerate(pressed):
            cells, times = np.unique(self._on(number, start, end), return_counts=True)
            presses[cells] = times % board.levels
        return pressed.reshape(-1, *board.shape)

    def cells_pressed(self, board: Board, start: int, end: int) -> NDArray[np.int64]:
        """The cells that these are made on."""
        return self.cells[start:end].astype(np.int64)

    def apply(
        self, board: Board, shades: NDArray[np.uint8], frames: NDArray[np.int64]
    ) -> Iterator[NDArray[np.int64]]:
        """Change shades in place, frame after frame, and tell what is touched.

        The cost grows with the clicks.  ``shades``: uint8 (rows, columns), ``frames``: int64
        (frames,).
        """
        if board.levels == 2:
            yield from self._flip(board, shades, frames)
            return
        boards = lights_of(shades, self.boards, board.levels)
        places = board.levels ** np.arange(self.boards, dtype=np.uint8)
        for start, end in pairwise(frames.tolist()):
            cells = [self._on(number, start, end) for number in range(self.boards)]
            touched = np.concatenate([*map(board.flip, boards, cells)])
            shades.flat[touched] = places @ boards.reshape(self.boards, -1)[:, touched]
            yield touched

    def _flip(
        self, board: Board, shades: NDArray[np.uint8], frames: NDArray[np.int64]
    ) -> Iterator[NDArray[np.int64]]:
        # `apply` with two levels.
        first = 0
        while first < len(frames) - 1:
            last = int(np.searchsorted(frames, frames[first] + BLOCK, "right")) - 1
            last = max(last, first + 1)
            part = slice(frames[first], frames[last])
            layers = None if self.primaries is None else self.primaries[part]
            if frames[last] - frames[first] > BLOCK:
                yield board.flip(shades, self.cells[part], layers)
            else:
                source, flipped = board.flips(self.cells[part])
                bits = np.ones(len(flipped), np.uint8) if layers is None else layers[source]
                ends = np.searchsorted(source, frames[first : last + 1] - frames[first])
                for place in map(slice, ends[:-1], ends[1:]):
                    np.bitwise_xor.at(shades.reshape(-1), flipped[place], bits[place])
                    yield flipped[place]
            first = last

    def _on(self, number: int, start: int, end: int) -> NDArray[np.integer]:
        # The cells clicked on one of the boards.
        cells = self.cells[start:end]
        if self.primaries is None:
            return cells
        here: NDArray[np.bool_] = self.primaries[start:end] >> number & 1 == 1
        return cells[here]


def joined_clicks(moves: Sequence[Clicks], *, in_colour: bool) -> Clicks:
    """The clicks of one move after the other, or of none."""
    cells = np.concatenate([np.zeros(0, np.int32), *(move.cells for move in moves if len(move))])
    primaries = [move.primaries for move in moves if move.primaries is not None]
    joined = np.concatenate([np.zeros(0, np.uint8), *primaries])
    return Clicks(cells, joined if in_colour else None)
