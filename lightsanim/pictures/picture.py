"""A picture as the rest of the package sees it: a name and its light."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from lightsanim.errors import PictureError
from lightsanim.options.checks import quote_value


@dataclass(frozen=True, kw_only=True, eq=False)
class Picture:
    """A grey or coloured picture.

    Attributes:
        name: the file's, without folder and suffix.
        light: linear light, 0 = none, 1 = all; float32 (height, width), or in colour (height,
            width, 3) for red, green and blue.
        sha256: of the file's bytes; None for a picture that does not come from a file.
        own: options of its own, which come before those of all pictures.

    Raises:
        PictureError: when ``light`` is anything else.
    """

    name: str
    light: npt.NDArray[np.float32]
    sha256: str | None = None
    own: Mapping[str, Any] = field(default_factory=dict)

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
        if not (low >= 0 and high <= 1):  # fails for NaN too
            raise PictureError(f"a picture's light must lie in 0..1, not {low:g}..{high:g}")


@dataclass(frozen=True, kw_only=True)
class PictureFile:
    """A picture file that is held in memory, wherever it came from.

    Attributes:
        path: what the user calls it.
        content: its bytes.
    """

    path: str
    content: bytes = field(repr=False)


File: TypeAlias = str | os.PathLike[str] | PictureFile
"""A picture or clip by its path, or its bytes."""


def rows_matching_aspect(picture: Picture, columns: int) -> int:
    """The rows that give a board the picture's shape."""
    height, width = picture.light.shape[:2]
    return max(1, round(columns * int(height) / int(width)))
