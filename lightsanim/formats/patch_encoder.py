"""Patches: what one frame changes, as an image of its own."""

from collections.abc import Callable

from lightsanim.look.tiles import Pixels

# A patch of up to this many pixels is remembered once it is encoded: one click changes at most
# 3 x 3 cells, which have only 512 looks.
MAX_REMEMBERED_PIXELS = 128 * 128
MAX_REMEMBERED_PATCHES = 4096


class PatchEncoder:
    """Encodes rectangles of palette indices, and remembers the small ones.

    Args:
        encode: what it is done with.

    >>> import numpy as np
    >>> encode = PatchEncoder(lambda patch: print("encoding") or bytes(patch))
    >>> [encode(np.zeros((1, 2), np.uint8)) for _ in range(3)]
    encoding
    [b'\\x00\\x00', b'\\x00\\x00', b'\\x00\\x00']
    """

    def __init__(self, encode: Callable[[Pixels], bytes]) -> None:
        self._encode = encode
        self._remembered: dict[tuple[tuple[int, ...], bytes], bytes] = {}

    def __call__(self, patch: Pixels) -> bytes:
        """A patch, encoded."""
        if patch.size > MAX_REMEMBERED_PIXELS:
            return self._encode(patch)
        key = patch.shape, patch.tobytes()
        if key not in self._remembered:
            if len(self._remembered) >= MAX_REMEMBERED_PATCHES:
                self._remembered.clear()
            self._remembered[key] = self._encode(patch)
        return self._remembered[key]
