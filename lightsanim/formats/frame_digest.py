"""What a file says of its frames, so that a change of any of them is noticed.

Only frames that differ from the frame before are counted: some formats repeat the others, some
leave them out.
"""

import hashlib
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lightsanim.animation.animation import Animation
from lightsanim.animation.boards import lights_of


class FrameDigest(NamedTuple):
    """What a file says of its frames."""

    # int64, how many clicks make each frame that differs from the one before, on all boards
    # together; at least as many as are needed.
    steps: NDArray[np.int64]
    sha256: str  # see `FrameHash`


class FrameHash:
    """The sha256 of all frames, one after the other, that differ from the frame before.

    A frame's bytes are the bits of its cells, 1 = lit, row by row, board after board, the first
    bit of a byte highest; the last byte is filled up with zeros.  With more than two levels each
    cell is a byte.

    >>> digest = FrameHash(1)
    >>> [digest.add(np.array([shades], np.uint8)) for shades in ([0, 1], [0, 1], [1, 1])]
    [True, False, True]
    >>> digest.sha256 == hashlib.sha256(bytes([0b01_000000, 0b11_000000])).hexdigest()
    True
    """

    def __init__(self, boards: int, levels: int = 2) -> None:
        self._boards, self._levels = boards, levels
        self._hash = hashlib.sha256()
        self._last: bytes | None = None

    def add(self, shades: NDArray[np.uint8]) -> bool:
        """Add the next frame, uint8 (rows, columns); does it differ from the one before?"""
        lit = shades if self._boards == 1 else lights_of(shades, self._boards, self._levels)
        content = (np.packbits(lit, axis=None) if self._levels == 2 else lit).tobytes()
        if content == self._last:
            return False
        self._hash.update(content)
        self._last = content
        return True

    @property
    def sha256(self) -> str:
        """Of the frames so far, in hexadecimal."""
        return self._hash.hexdigest()


def frame_digest(animation: Animation) -> FrameDigest:
    """The digest of an animation's frames."""
    frames = FrameHash(animation.boards, animation.board.levels)
    differs = np.array([frames.add(shades) for shades, _ in animation.changes()])
    return FrameDigest(animation.clicks_by_frame[differs[1:]], frames.sha256)
