"""Patches: what one frame changes, as an image of its own."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from lightsanim.look.tiles import Pixels

# A patch of up to this many pixels is remembered once it is encoded: one click changes at most
# 3 x 3 cells, which have only 512 looks.
MAX_REMEMBERED_PIXELS = 128 * 128
MAX_REMEMBERED_PATCHES = 4096

Encode = Callable[[Pixels], bytes]


def remembering(encode: Encode) -> Encode:
    """The same encoder of palette indices, which remembers small patches.

    >>> encode = remembering(lambda patch: print("encoding") or bytes(patch))
    >>> [encode(np.zeros((1, 2), np.uint8)) for _ in range(3)]
    encoding
    [b'\\x00\\x00', b'\\x00\\x00', b'\\x00\\x00']
    """

    @lru_cache(MAX_REMEMBERED_PATCHES)
    def remembered(shape: tuple[int, ...], content: bytes) -> bytes:
        return encode(np.frombuffer(content, np.uint8).reshape(shape))

    def encoded(patch: Pixels) -> bytes:
        small = patch.size <= MAX_REMEMBERED_PIXELS
        return remembered(patch.shape, patch.tobytes()) if small else encode(patch)

    return encoded
