"""Comparison of a video's whole frames with the look that they should have.

A codec changes pixels, but only by noise: its mean over a block of pixels is the nearer to 0 the
larger the block is, and it is strong only where the picture has edges.  The limits are up
to twice the most that was measured in 230 films at a CRF of 30 or 35 in H.264, H.265, VP8, VP9 and
AV1.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightsanim.output.look.tiles import Pixels

BlockIndices = NDArray[np.intp]  # Rows or columns of blocks.

SIDE = 8  # Pixels on a side of the smallest blocks.
# Maximum means of the differences over blocks of 8, 16, 32 and 64 pixels, of 256 values: in luma,
# and in the colour differences.
MAX_MEANS = (32, 48), (15, 18), (10, 10), (7, 7)
# Maximum root of the mean square over blocks of 8 pixels of one colour, and the share of the range
# of the values in and around the block that is added to it; likewise, for each plane.
MAX_NOISE, EDGE_NOISE = np.array([29, 40, 40]), np.array([0.5, 0.4, 0.4])
BLOCKS_AT_ONCE = 4096  # Blocks that are in memory together; a large frame has very many.
LARGEST_SIDE = SIDE << len(MAX_MEANS) - 1  # Pixels on a side of the largest blocks.


class LookMatch:
    """Comparison of frames with expected ones, of which only blocks that changed are compared.

    Attributes:
        expected: luma and both colour differences of the frame to expect, as bytes of a video:
            uint8 (3, height, width), with margins of 0 up to a multiple of `LARGEST_SIDE` pixels.
        changed: the blocks to compare, bool (rows, columns): those that changed in the frame, to
            which are added those that change in ``expected``.
    """

    def __init__(self, shape: tuple[int, int]) -> None:
        height, width = (-(-side // LARGEST_SIDE) * LARGEST_SIDE for side in shape)
        self.expected = np.zeros((3, height, width), np.uint8)
        self.changed = np.ones((height // SIDE, width // SIDE), bool)
        self._shape = shape
        # Luma, and both colour differences, of the frame and of the previous one.
        self._planes, self._spare = list[Pixels](), list[Pixels]()
        down, right = (
            (shape[axis] - SIDE * np.arange(count)).clip(0, SIDE).astype(np.float32)
            for axis, count in enumerate(self.changed.shape)
        )
        # Maximum sums of the differences over blocks of each size, and the side of these blocks.
        self._limits = [
            (np.array([luma, colours, colours])[:, None, None] * area, SIDE << step)
            for step, ((luma, colours), area) in enumerate(
                zip(MAX_MEANS, _iter_sums(np.outer(down, right)[None]), strict=True)
            )
        ]
        self._sums = np.zeros((3, *self.changed.shape), np.float32)

    def load_frame(self, luma: Pixels, *colours: Pixels) -> None:
        """Load the planes of the next frame; those of colours may have half of the size."""
        step = 1 if colours[0].shape == luma.shape else 2
        _, height, width = self.expected.shape
        shapes = [(1, height, width), (2, height // step, width // step)]
        if [own.shape for own in self._planes] != shapes:
            self._planes, self._spare = ([np.zeros(s, np.uint8) for s in shapes] for _ in range(2))
            self.changed[:] = True
        self._planes, self._spare = self._spare, self._planes
        for own, planes, old in zip(self._planes, ([luma], colours), self._spare, strict=True):
            for part, plane in zip(own, planes, strict=True):
                part[: len(plane), : plane.shape[1]] = plane
            if own.shape[1:] == (height, width):
                _repeat_odd_edges(own, self._shape)
            differs = np.not_equal(*(_view_lines(part, self.changed.shape) for part in (own, old)))
            self.changed |= np.logical_or.reduce(differs, axis=2).any(axis=0)

    def find_difference(self) -> tuple[int, int] | None:
        """Return the position (y, x) of a difference from ``expected`` that is more than noise."""
        _repeat_odd_edges(self.expected, self._shape)
        rows, columns = np.nonzero(self.changed)
        self.changed[:] = False
        if not len(rows):
            return None
        for start in range(0, len(rows), BLOCKS_AT_ONCE):
            part = np.s_[start : start + BLOCKS_AT_ONCE]
            if (place := self._find_loud_block(rows[part], columns[part])) is not None:
                return place
        for sums, (limits, side) in zip(_iter_sums(self._sums), self._limits, strict=True):
            for _, y, x in np.argwhere(np.abs(sums) > limits):
                return int(y) * side, int(x) * side
        return None

    def _find_loud_block(self, rows: BlockIndices, columns: BlockIndices) -> tuple[int, int] | None:
        # Compare some blocks; return the position of one with more noise than its edges explain.
        noise = self._compare_blocks(rows, columns)
        is_loud = (noise > MAX_NOISE).any(axis=1)
        if is_loud.any():
            noise, rows, columns = noise[is_loud], rows[is_loud], columns[is_loud]
            most_noise = MAX_NOISE + EDGE_NOISE * self._find_ranges(rows, columns)
            for block in np.flatnonzero((noise > most_noise).any(axis=1)):
                return int(rows[block]) * SIDE, int(columns[block]) * SIDE
        return None

    def _compare_blocks(self, rows: BlockIndices, columns: BlockIndices) -> NDArray[np.float32]:
        # Compare some blocks; return the root of the mean square in each plane, (blocks, 3).
        expected, luma, colours = (
            _view_lines(planes, self.changed.shape)[:, rows, :, columns].view(np.uint8)
            for planes in (self.expected, *self._planes)
        )
        look = expected.reshape(-1, 3, SIDE, SIDE).astype(np.float32)
        colour_look: NDArray[Any] = look[:, 1:]
        if self._planes[1].shape[1:] != self.expected.shape[1:]:
            pairs = colour_look[:, :, ::2] + colour_look[:, :, 1::2]
            colour_look = (pairs[..., ::2] + pairs[..., 1::2]) / 4
        means, squares = [], []
        for found, part in ((luma, look[:, :1]), (colours, colour_look)):
            differences = found.reshape(part.shape) - part
            means.append(differences.mean(axis=(2, 3)))
            squares.append(np.square(differences).mean(axis=(2, 3)))
        self._sums[:, rows, columns] = np.concatenate(means, axis=1).T * SIDE**2
        return np.asarray(np.sqrt(np.concatenate(squares, axis=1)))

    def _find_ranges(self, rows: BlockIndices, columns: BlockIndices) -> NDArray[np.uint8]:
        # Return the ranges of the expected values in and around some blocks, (blocks, 3).
        lines = _view_lines(self.expected, self.changed.shape)
        last_row, last_column = (count - 1 for count in self.changed.shape)
        near = [
            lines[:, (rows + down).clip(0, last_row), :, (columns + right).clip(0, last_column)]
            for down in (-1, 0, 1)
            for right in (-1, 0, 1)
        ]
        return np.asarray(np.ptp(np.concatenate(near, axis=2).view(np.uint8), axis=2))


def _repeat_odd_edges(planes: Pixels, shape: tuple[int, int]) -> None:
    # Repeat the last line of a side of odd length, as halved planes do.
    height, width = shape
    if height % 2:
        planes[:, height] = planes[:, height - 1]
    if width % 2:
        planes[:, :, width] = planes[:, :, width - 1]


def find_blocks(starts: NDArray[np.int64], side: int) -> BlockIndices:
    """Return the rows (or columns) of blocks that each square of ``side`` pixels touches."""
    offsets = np.minimum(SIDE * np.arange(-(-side // SIDE) + 1), side - 1)
    return np.asarray(np.add.outer(starts, offsets) // SIDE)


def _view_lines(planes: Pixels, shape: tuple[int, ...]) -> NDArray[np.unsignedinteger[Any]]:
    # View planes as words, each a line of a block: (planes, rows, lines, columns).
    (count, height, width), (rows, columns) = planes.shape, shape
    return planes.view(f"u{width // columns}").reshape(count, rows, height // rows, columns)


def _iter_sums(sums: NDArray[np.float32]) -> Iterator[NDArray[np.float32]]:
    # Yield sums over blocks of growing size, each with twice the side of those before.
    for _ in MAX_MEANS[1:]:
        yield sums
        pairs = sums[:, ::2] + sums[:, 1::2]
        sums = pairs[..., ::2] + pairs[..., 1::2]
    yield sums
