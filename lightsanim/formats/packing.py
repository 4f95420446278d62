"""Whole numbers and click sets as text: few bits each, in base64."""

import base64
import binascii
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from lightsanim.animation.clicks import Steps, packed_size
from lightsanim.errors import AnimationError, OptionError
from lightsanim.look.levels import BLOCK, packed_bytes

# Of a number that is read; no file of ours holds larger ones.
MAX_BITS = 32

# Bytes of steps that are written as text, which browsers and other readers hold as a whole.
MAX_STEPS = 50_000_000


def pack_numbers(numbers: NDArray[np.generic]) -> tuple[int, int, str]:
    """How many whole numbers, how many bits each takes, and the bits in base64, highest first.

    >>> pack_numbers(np.array([1, 2, 3]))  # 01 10 11
    (3, 2, 'bA==')
    """
    packed, width = packed_bytes(numbers)
    return numbers.size, width, base64.b64encode(packed).decode()


def unpack_numbers(value: Any, dtype: DTypeLike = np.int64) -> NDArray[Any]:
    """The inverse of `pack_numbers`, of a value that may be hostile.

    >>> unpack_numbers([3, 2, "bA=="]).tolist()
    [1, 2, 3]
    """
    match value:
        case [int(count), int(width), str(text)] if (
            type(count) is type(width) is int and count >= 0 and 1 <= width <= MAX_BITS
        ):
            packed = _decoded(text)
        case _:
            raise AnimationError("packed numbers must be [how many, bits of each, base64]")
    if len(packed) != -(-count * width // 8):
        raise AnimationError(f"{count} numbers of {width} bits are not {len(packed)} bytes")
    if 1 << width > np.iinfo(dtype).max + 1:
        raise AnimationError(f"numbers of {width} bits are too large here")
    numbers = np.zeros(count, dtype)
    for start in range(0, count, BLOCK):
        block = numbers[start : start + BLOCK]
        first, last = start * width // 8, -(-(start + len(block)) * width // 8)
        bits = np.unpackbits(np.frombuffer(packed[first:last], np.uint8))
        for column in bits[: len(block) * width].reshape(len(block), width).T:
            block <<= 1
            block |= column
    # Bits after the last number, or before all numbers.
    narrow = int(numbers.max(initial=1)).bit_length()
    unused = -count * width % 8
    more = unused and packed[-1] & (1 << unused) - 1
    if more or (count and width != narrow):
        raise AnimationError("packed numbers must not hold more than the numbers")
    return numbers


def pack_steps(steps: Steps | None) -> list[str] | None:
    """The bits of each step in base64, as `lightsanim.animation.clicks.Steps` packs them.

    >>> pack_steps(Steps.of((1, 1, 3), 2, [np.array([[True, False, True]])]))
    ['oA==']
    """
    if steps is None:
        return None
    check_steps(len(steps), steps.packed.nbytes)
    packed = map(steps.packed.__getitem__, range(len(steps)))
    return [base64.b64encode(step.tobytes()).decode() for step in packed]


def check_steps(count: int, bytes: int) -> None:
    """Does a text hold so many steps?"""
    if bytes > MAX_STEPS:
        what = f"the clicks of {count} frames take {bytes / 1e6:.0f} MB"
        most = f"a JSON file or a page holds at most {MAX_STEPS / 1e6:.0f}"
        raise OptionError(f"{what}, and {most}; take fewer frames, or an MP4 or WebM")


def unpack_steps(value: Any, shape: tuple[int, int, int], levels: int) -> Steps | None:
    """The inverse of `pack_steps`, of a value that may be hostile."""
    if value is None:
        return None
    packed = np.zeros((len(list(value)), *packed_size(shape, levels)), np.uint8)
    for place, text in zip(packed, value, strict=True):
        bits = _decoded(str(text))
        if len(bits) != place.size:
            raise AnimationError(f"a step must have {place.size} bytes, not {len(bits)}")
        place[:] = np.frombuffer(bits, np.uint8).reshape(place.shape)
    return Steps(shape=shape, levels=levels, packed=packed)


def _decoded(text: str) -> bytes:
    try:
        decoded = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise AnimationError(f"packed numbers must be base64: {error}") from error
    whole = (len(decoded) - 1) // 3  # only the last four letters can be written in several ways
    if base64.b64encode(decoded[3 * whole :]).decode() != text[4 * whole :]:
        raise AnimationError("packed numbers must not hold more than the numbers")
    return decoded
