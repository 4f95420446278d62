"""Packing of whole numbers and click sets as base64 text, with as few bits as possible."""

import base64
import binascii
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from lightsanim.errors import AnimationError, OptionError
from lightsanim.film.clicks import Clicks, History, PackedSteps, StepShape, packed_click_set_size
from lightsanim.game.board.board import Board

MAX_BITS = 32  # Maximum bits per number; the writer never needs more.
MAX_STEP_BYTES = 50_000_000  # Maximum bytes of all packed steps: readers hold them in memory.
# Numbers packed at a time, to save memory; a multiple of 8, so that each block fills whole bytes.
BLOCK = 1 << 13


def pack_into_bytes(numbers: NDArray[np.generic]) -> tuple[bytes, int]:
    """Pack whole numbers into few bits each, highest first; return bytes and bits per number."""
    values = numbers.ravel()
    width = int(values.max(initial=1)).bit_length()
    packed = bytearray()
    for start in range(0, len(values), BLOCK):
        block = values[start : start + BLOCK].astype(">u8")  # big-endian
        bits = np.unpackbits(block.view(np.uint8).reshape(-1, 8), axis=1)
        packed += np.packbits(bits[:, 64 - width :]).tobytes()
    return bytes(packed), width


def pack_numbers(numbers: NDArray[np.generic]) -> tuple[int, int, str]:
    """Pack numbers: return their count, the bits per number, and the bits in base64, highest first.

    >>> pack_numbers(np.array([1, 2, 3]))  # 01 10 11
    (3, 2, 'bA==')
    """
    packed, width = pack_into_bytes(numbers)
    return numbers.size, width, base64.b64encode(packed).decode()


def unpack_numbers(value: Any, dtype: DTypeLike | None = None) -> NDArray[Any]:
    """Undo `pack_numbers`, into the smallest type by default; raise AnimationError if malformed.

    >>> unpack_numbers([3, 2, "bA=="]).tolist()
    [1, 2, 3]
    """
    match value:
        case [int(count), int(width), str(text)] if (
            type(count) is type(width) is int and count >= 0 and 1 <= width <= MAX_BITS
        ):
            packed = _decode_base64(text)
        case _:
            raise AnimationError("packed numbers must be a list [count, bits per number, base64]")
    if len(packed) != -(-count * width // 8):
        raise AnimationError(f"{count} numbers of {width} bits cannot have {len(packed)} bytes")
    dtype = dtype or np.min_scalar_type((1 << width) - 1)
    if 1 << width > np.iinfo(dtype).max + 1:
        raise AnimationError(f"numbers of {width} bits do not fit in {np.dtype(dtype)}")
    numbers = np.zeros(count, dtype)
    for start in range(0, count, BLOCK):
        block = numbers[start : start + BLOCK]
        first, last = start * width // 8, -(-(start + len(block)) * width // 8)
        bits = np.unpackbits(np.frombuffer(packed[first:last], np.uint8))
        for column in bits[: len(block) * width].reshape(len(block), width).T:
            block <<= 1
            block |= column
    # Refuse padding bits that are not 0, and more bits per number than the largest number needs.
    min_width = int(numbers.max(initial=1)).bit_length()
    padding = -count * width % 8
    has_extra_bits = padding and packed[-1] & (1 << padding) - 1
    if has_extra_bits or (count and width != min_width):
        raise AnimationError("packed numbers must not contain unused bits")
    return numbers


def pack_steps(steps: PackedSteps | None) -> list[str] | None:
    """Encode the packed bits of each step in base64; raise OptionError if there are too many.

    >>> pack_steps(PackedSteps.pack((1, 1, 3), 2, [np.array([[True, False, True]])]))
    ['oA==']
    """
    if steps is None:
        return None
    check_steps(len(steps), steps.packed.nbytes)
    packed = map(steps.packed.__getitem__, range(len(steps)))
    return [base64.b64encode(step.tobytes()).decode() for step in packed]


def check_steps(count: int, size: int) -> None:
    """Raise OptionError if ``count`` steps, together ``size`` bytes, are too large for a file."""
    if size > MAX_STEP_BYTES:
        raise OptionError(
            f"the clicks of {count} frames take {size / 1e6:.0f} MB, but a JSON file or a page "
            f"can hold only {MAX_STEP_BYTES / 1e6:.0f} MB; use fewer frames, or write an MP4 or "
            "WebM"
        )


def unpack_history(clicks: Clicks, value: Any, board: Board) -> History:
    """Decode untrusted output of `pack_steps`; without it, return the single clicks."""
    if value is None:
        return clicks
    steps = unpack_steps(value, (clicks.plane_count, *board.shape), board.levels)
    if len(clicks):
        raise AnimationError("an animation must have either clicks or steps, not both")
    return steps


def unpack_steps(value: Any, shape: StepShape, levels: int) -> PackedSteps:
    """Decode untrusted output of `pack_steps`."""
    packed = np.zeros((len(list(value)), *packed_click_set_size(shape, levels)), np.uint8)
    for step, text in zip(packed, value, strict=True):
        bits = _decode_base64(str(text))
        if len(bits) != step.size:
            raise AnimationError(f"a step must have {step.size} bytes, not {len(bits)}")
        step[:] = np.frombuffer(bits, np.uint8).reshape(step.shape)
    return PackedSteps(shape=shape, levels=levels, packed=packed)


def _decode_base64(text: str) -> bytes:
    try:
        decoded = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise AnimationError(f"packed numbers must be valid base64: {error}") from error
    # Texts that decode to the same bytes differ only in their last 4 characters.
    triples = (len(decoded) - 1) // 3
    if base64.b64encode(decoded[3 * triples :]).decode() != text[4 * triples :]:
        raise AnimationError("packed numbers must not contain unused bits")
    return decoded
