"""The class of a loaded picture: its name, its linear light and its own options."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any, BinaryIO, TypeAlias

import numpy as np
import numpy.typing as npt

from lightsanim.errors import PictureError
from lightsanim.options.checks import quote_value
from .words.word import Word


@dataclass(frozen=True, kw_only=True, eq=False)
class Picture:
    """A grey or coloured picture.

    Attributes:
        name: the file's name without folder and suffix.
        light: linear light from 0 (black) to 1 (white); float32 (height, width), or in colour
            (height, width, 3) for red, green and blue.
        sha256: the hexadecimal digest of the file's bytes; None without a file.
        own: options for this picture alone, which override those for all pictures.
        word: the path or the word, such as ``text:HELLO``, from which the picture was loaded.
        reduction: number of the file's pixels, along a side, for each pixel of ``light``; only
            photographs with too many pixels are reduced.

    Raises:
        PictureError: for ``light`` of another type, shape or range.
    """

    name: str
    light: npt.NDArray[np.float32]
    sha256: str | None = None
    own: Mapping[str, Any] = field(default_factory=dict)
    word: Word = field(default_factory=Word)
    reduction: int = 1

    def __post_init__(self) -> None:
        if not isinstance(self.light, np.ndarray):
            raise PictureError(f"a picture's light must be an array, not {quote_value(self.light)}")
        shape = self.light.shape
        flat = len(shape) == 2 or (len(shape) == 3 and shape[2] == 3)
        if self.light.dtype != np.float32 or not flat or self.light.size == 0:
            raise PictureError(
                f"a picture's light must be float32 (height, width) or (height, width, 3) of at "
                f"least 1x1, not {self.light.dtype} {shape}"
            )
        low, high = self.light.min(), self.light.max()
        if not (low >= 0 and high <= 1):  # also true for NaN
            raise PictureError(f"a picture's light must lie in 0..1, not {low:g}..{high:g}")


@dataclass(frozen=True, kw_only=True)
class PictureFile:
    """A picture file that was read into memory."""

    path: str  # Path or name of the file, as the user gave it.
    content: bytes = field(repr=False)
    is_still: bool = False  # Whether it is known to have no frames.

    def __str__(self) -> str:
        return self.path


File: TypeAlias = str | os.PathLike[str] | PictureFile
"""The file of a picture or clip: its path, or its bytes in memory; `str` returns the path that
the user gave."""


def open_file(file: File) -> BinaryIO:
    """Open a file on disk or in memory to read its bytes."""
    return BytesIO(file.content) if isinstance(file, PictureFile) else open(file, "rb")
