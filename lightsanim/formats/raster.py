"""A frame's pixels, as they are read back from a file."""

from abc import ABC, abstractmethod
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from lightsanim.pictures.light import LUMINANCE

Colours = NDArray[np.uint32]
"""Red, green, blue and alpha, 8 bits each; red lowest."""

Floats = NDArray[np.float32]

OPAQUE = 0xFF000000

# Pixels compared at a time, as their numbers take eight times their memory.
BLOCK = 1 << 20


class Raster(ABC):
    """A frame's pixels.  Where they are numbered, it is row by row."""

    @property
    @abstractmethod
    def shape(self) -> tuple[int, int]:
        """(height, width)."""

    @property
    @abstractmethod
    def channels(self) -> NDArray[np.uint8]:
        """Red, green and blue: uint8 (height, width, 3)."""

    @property
    def light(self) -> Floats:
        """0 to 255, as Rec. 709 weighs what is encoded: float32 (height, width)."""
        return light_of(self.channels)

    @abstractmethod
    def colours_at(self, places: NDArray[np.int64]) -> Colours:
        """The colours of some pixels."""

    def changed_since(self, before: "Raster | None") -> Iterator[NDArray[np.int64]]:
        """The numbers of the pixels that changed, in blocks; all if there is no frame before."""
        height, width = self.shape
        for start in range(0, height * width, BLOCK):
            places = np.arange(start, min(start + BLOCK, height * width))
            if before is None:
                yield places
            else:
                yield places[self.colours_at(places) != before.colours_at(places)]


class TableRaster(Raster):
    """The pixels of a picture, as places in a table of colours where it has one.

    Args:
        values: (height, width), uint8 places in the table, or where there is none uint32 colours.
        table: uint32 (256,), or None.
    """

    def __init__(self, values: NDArray[np.uint8] | Colours, table: Colours | None = None) -> None:
        self.values, self.table = values, table

    @property
    def shape(self) -> tuple[int, int]:
        """(height, width)."""
        height, width = self.values.shape
        return height, width

    @property
    def channels(self) -> NDArray[np.uint8]:
        """Red, green and blue: uint8 (height, width, 3)."""
        colours = self.values.astype("<u4") if self.table is None else self.table[self.values]
        return colours.view(np.uint8).reshape(*self.shape, 4)[..., :3]

    def colours_at(self, places: NDArray[np.int64]) -> Colours:
        """The colours of some pixels."""
        values = self.values.ravel()[places]
        return values.astype(np.uint32) if self.table is None else self.table[values]

    def changed_since(self, before: Raster | None) -> Iterator[NDArray[np.int64]]:
        """The numbers of the pixels that changed, in blocks; all if there is no frame before."""
        if not isinstance(before, TableRaster) or before.table is not self.table:
            yield from super().changed_since(before)
            return
        now, then = self.values.ravel(), before.values.ravel()
        for start in range(0, len(now), BLOCK):
            part = slice(start, start + BLOCK)
            yield start + differing(now[part], then[part])


def light_of(colours: NDArray[np.uint8]) -> Floats:
    """The light of some colours, uint8 (..., 3): float32 (...), 0 to 255.

    >>> light_of(np.array([[0, 0, 0], [0, 255, 0]], np.uint8)).astype(int).tolist()
    [0, 182]
    """
    light: Floats = colours.astype(np.float32) @ np.array(LUMINANCE, np.float32)
    return light


def differing(one: NDArray[np.integer], other: NDArray[np.integer]) -> NDArray[np.int64]:
    """The places where two flat arrays of one type differ.

    They are compared eight bytes at a time, as few differ from frame to frame.

    >>> differing(np.arange(30), np.arange(30) // 29 * 29).tolist()[-2:]
    [27, 28]
    """
    per_word = 8 // one.itemsize
    whole = len(one) // per_word * per_word
    words = np.flatnonzero(one[:whole].view(np.uint64) != other[:whole].view(np.uint64))
    inside = (words[:, None] * per_word + np.arange(per_word)).ravel()
    places = np.concatenate([inside, np.arange(whole, len(one))])
    different: NDArray[np.int64] = places[one[places] != other[places]]
    return different


def colour_codes(table: NDArray[np.uint8]) -> Colours:
    """Colours, uint8 (colours, 3), as a raster has them: uint32 (colours,).

    >>> [hex(code) for code in colour_codes(np.array([[255, 0, 1]], np.uint8))]
    ['0xff0100ff']
    """
    red, green, blue = table.astype(np.uint32).T
    codes: Colours = red | green << 8 | blue << 16 | OPAQUE
    return codes
