"""Whole numbers as text: few bits each, in base64."""

import base64
import binascii
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightsanim.errors import AnimationError

# Of a number that is read; no file of ours holds larger ones.
MAX_BITS = 32


def pack_numbers(numbers: NDArray[np.generic]) -> tuple[int, int, str]:
    """How many whole numbers, how many bits each takes, and the bits in base64, highest first.

    >>> pack_numbers(np.array([1, 2, 3]))  # 01 10 11
    (3, 2, 'bA==')
    """
    values = numbers.ravel().astype(np.int64)
    width = int(values.max(initial=1)).bit_length()
    bits = values[:, None] >> np.arange(width)[::-1] & 1
    octets = np.packbits(bits.astype(np.uint8)).tobytes()
    return len(values), width, base64.b64encode(octets).decode()


def unpack_numbers(value: Any) -> NDArray[np.int64]:
    """The inverse of `pack_numbers`, of something that anybody may have written: int64 (numbers,).

    Raises:
        AnimationError: if it is nothing that `pack_numbers` makes.

    >>> unpack_numbers([3, 2, "bA=="]).tolist()
    [1, 2, 3]
    """
    match value:
        case [int(count), int(width), str(text)] if (
            type(count) is type(width) is int and count >= 0 and 1 <= width <= MAX_BITS
        ):
            octets = _octets(text)
        case _:
            raise AnimationError("packed numbers must be [how many, bits of each, base64]")
    if len(octets) != -(-count * width // 8):
        raise AnimationError(f"{count} numbers of {width} bits are not {len(octets)} octets")
    bits = np.unpackbits(np.frombuffer(octets, np.uint8))
    numbers = np.zeros(count, np.int64)
    for column in bits[: count * width].reshape(count, width).T:
        numbers <<= 1
        numbers |= column
    # Bits after the last number, or of the last letter, or before all numbers.
    narrow = int(numbers.max(initial=1)).bit_length()
    more = bits[count * width :].any() or base64.b64encode(octets).decode() != text
    if more or (count and width != narrow):
        raise AnimationError("packed numbers must not hold more than the numbers")
    return numbers


def _octets(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise AnimationError(f"packed numbers must be base64: {error}") from error
