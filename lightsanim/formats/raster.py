"""A frame's pixels, as they are read back from a file."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from lightsanim.pictures.light import LUMINANCE

Colours = NDArray[np.uint32]
"""Alpha, red, green and blue, 8 bits each; blue lowest, as FFmpeg has them in memory."""

Floats = NDArray[np.float32]

Box = tuple[slice, slice]
"""Rows and columns of pixels."""

Rows = Callable[[slice], Colours]
"""Some rows of a frame, or of a part of one: uint32 (rows, width)."""

OPAQUE, LEAST_ALPHA = 0xFF000000, 0x01000000

# Pixels looked at at a time, as their numbers take eight times their memory.
BLOCK = 1 << 20


class Raster(ABC):
    """A frame's pixels.  Where they are numbered, it is row by row."""

    shape: tuple[int, int]  # (height, width)
    extent = 0  # pixels that have to be compared with those of the frame before

    @property
    def is_opaque(self) -> bool:
        """Are all its pixels, where those of the frame before were?"""
        return True

    @property
    @abstractmethod
    def channels(self) -> NDArray[np.uint8]:
        """Red, green and blue: uint8 (height, width, 3)."""

    @property
    def weighed(self) -> NDArray[np.uint8]:
        """What `light` is told by, plane by plane: uint8 (planes, height, width)."""
        return np.moveaxis(self.channels, -1, 0)

    def light(self, weighed: NDArray[np.uint8]) -> Floats:
        """0 to 255, as Rec. 709 weighs what is encoded: float32 (...), from uint8 (planes, ...)."""
        return light_of(np.moveaxis(weighed, 0, -1))

    @abstractmethod
    def colours_at(self, places: NDArray[np.int64]) -> Colours:
        """The colours of some pixels."""

    def changed(self) -> Iterator[tuple[Box, NDArray[np.bool_]]]:
        """Boxes, and which of their pixels may have changed since the frame before."""
        for rows in row_blocks(self.shape):
            columns = slice(0, self.shape[1])
            yield (rows, columns), np.ones((rows.stop - rows.start, columns.stop), bool)


class PixelRaster(Raster):
    """Pixels without loss."""

    def __init__(
        self,
        pixels: Colours,
        box: Box,
        before: Colours | None,
        *,
        covered: bool = False,
        also: tuple[Box, Colours] | None = None,
    ) -> None:
        self.pixels, self._covered = pixels, covered
        self._parts = [(box, before), *([also] if also else [])]  # that may have changed
        self.shape = len(pixels), pixels.shape[1]
        self.extent = sum(pixels[box].size for box, _ in self._parts)

    def forget(self) -> None:
        """Free the pixels before, when nobody will ask any more what changed."""
        self._parts.clear()

    @property
    def is_opaque(self) -> bool:
        """Are all its pixels, where those of the frame before were?"""
        boxes = [self.pixels[box] for box, _ in self._parts[self._covered :]]
        return all((box[part] >= OPAQUE).all() for box in boxes for part in row_blocks(box.shape))

    @property
    def channels(self) -> NDArray[np.uint8]:
        """Red, green and blue: uint8 (height, width, 3)."""
        return channels_of(self.pixels)

    def colours_at(self, places: NDArray[np.int64]) -> Colours:
        """The colours of some pixels."""
        return self.pixels.ravel()[places]

    def changed(self) -> Iterator[tuple[Box, NDArray[np.bool_]]]:
        """Boxes, and which of their pixels changed since the frame before."""
        for box, before in self._parts:
            if before is None:
                yield from super().changed()
                return
            now, (rows, columns) = self.pixels[box], box
            for part in row_blocks(now.shape):
                place = slice(rows.start + part.start, rows.start + part.stop)
                yield (place, columns), now[part] != before[part]


def row_blocks(shape: tuple[int, ...]) -> Iterator[slice]:
    """Rows of an array, about `BLOCK` pixels at a time.

    >>> list(row_blocks((3, 1 << 19)))
    [slice(0, 2, None), slice(2, 3, None)]
    """
    height, width = shape
    step = max(1, BLOCK // max(1, width))
    for start in range(0, height, step):
        yield slice(start, min(start + step, height))


def channels_of(colours: Colours) -> NDArray[np.uint8]:
    """Red, green and blue of colours: uint8 (..., 3), from uint32 (...)."""
    parts = colours.astype("<u4")[..., None].view(np.uint8)
    return parts[..., 2::-1]


def without_hidden_colours(colours: Colours) -> Colours:
    """Colours of which those that are transparent are all alike, 0.

    >>> without_hidden_colours(np.array([0xFFFFFF, 0x01FFFFFF], np.uint32)).tolist()
    [0, 33554431]
    """
    return np.where(colours >= LEAST_ALPHA, colours, np.uint32(0))


def light_of(colours: NDArray[np.uint8]) -> Floats:
    """The light of some colours, uint8 (..., 3): float32 (...), 0 to 255.

    >>> light_of(np.array([[0, 0, 0], [0, 255, 0]], np.uint8)).astype(int).tolist()
    [0, 182]
    """
    light: Floats = colours.astype(np.float32) @ np.array(LUMINANCE, np.float32)
    return light


def colour_codes(
    table: NDArray[np.uint8], alpha: NDArray[np.uint8] | int = OPAQUE >> 24
) -> Colours:
    """Colours, uint8 (..., 3), as a raster has them: uint32 (...).

    >>> [hex(code) for code in colour_codes(np.array([[255, 0, 1]], np.uint8))]
    ['0xffff0001']
    """
    parts = np.empty((*table.shape[:-1], 4), np.uint8)
    parts[..., 2::-1], parts[..., 3] = table, alpha
    codes: Colours = parts.view("<u4")[..., 0]
    return codes
