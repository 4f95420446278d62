"""JSON with lists of millions of whole numbers, which are arrays in memory and never Python lists.

The numbers are written and read in blocks, so that memory holds them once.
"""

import hashlib
import json
import os
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightsanim.errors import AnimationError, LightsAnimError
from lightsanim.options.checks import shown

# Numbers, or characters of numbers, that are converted at a time.
BLOCK = 1 << 14

# The largest file: more than the largest board takes in colour, with a click for each cell and
# three pictures.
MAX_BYTES = 1_000_000_000

# What reading a damaged file raises.
DAMAGE = (KeyError, TypeError, ValueError, OverflowError, RecursionError)

# What is written is JSON by the letter: a NaN or an infinity is a mistake of ours.  The digest is
# also that of files which earlier versions wrote with an Infinity.
PLAIN = json.JSONEncoder(allow_nan=False)
COMPACT = json.JSONEncoder(allow_nan=False, separators=(",", ":"))
CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)
WHITE_SPACE = re.compile(r"[ \t\n\r]*")


def _object_of(members: list[tuple[str, Any]]) -> dict[str, Any]:
    # Of a key that is there twice, some readers take the first value and others the last.
    found = dict(members)
    if len(found) < len(members):
        ((key, _),) = Counter(key for key, _ in members).most_common(1)
        raise AnimationError(f"a JSON object has the key {shown(key)} more than once")
    return found


STRICT = json.JSONDecoder(object_pairs_hook=_object_of)


def parse(text: str) -> Any:
    """What a JSON text says, which may be hostile."""
    return STRICT.decode(text)


def json_pieces(value: Any, encoder: json.JSONEncoder = PLAIN) -> Iterator[str]:
    """The JSON text of a value or of an array of whole numbers, piece by piece.

    >>> "".join(json_pieces(np.array([4, 0, 5])))
    '[4, 0, 5]'
    """
    if not isinstance(value, np.ndarray):
        yield encoder.encode(value)
        return
    yield "["
    for start in range(0, len(value), BLOCK):
        yield encoder.item_separator if start else ""
        yield encoder.item_separator.join(map(str, value[start : start + BLOCK].tolist()))
    yield "]"


def digest_of_json(members: Mapping[str, Any]) -> str:
    """The sha256 of a JSON object, however it is written down: so that any change is noticed.

    >>> digest_of_json({"b": 1, "a": [2]}) == digest_of_json({"a": np.array([2]), "b": 1})
    True
    """
    digest = hashlib.sha256(b"{")
    for number, key in enumerate(sorted(members)):
        digest.update(f"{',' if number else ''}{CANONICAL.encode(key)}:".encode())
        for piece in json_pieces(members[key], CANONICAL):
            digest.update(piece.encode())
    digest.update(b"}")
    return digest.hexdigest()


def parse_object(text: str, long: Collection[str] = ()) -> Any:
    """What a JSON text says; of an object, long members that list whole numbers are arrays.

    >>> parse_object('{"clicks": [4, 0], "seed": 1}', ["clicks"])
    {'clicks': array([4, 0]), 'seed': 1}
    >>> parse_object(" { } ")
    {}
    """
    place = _after_space(text, 0)
    if not text.startswith("{", place):
        return parse(text)
    decode, members = STRICT.raw_decode, list[tuple[str, Any]]()
    place, end = _after_space(text, place + 1), ","
    if text.startswith("}", place):
        end, place = "}", _after_space(text, place + 1)
    while end == ",":
        if not text.startswith('"', place):
            raise json.JSONDecodeError("Expecting a name in double quotes", text, place)
        key, place = decode(text, place)
        place = _after_space(text, place)
        if not text.startswith(":", place):
            raise json.JSONDecodeError("Expecting ':' delimiter", text, place)
        place = _after_space(text, place + 1)
        value, past = _numbers_at(text, place) if key in long else (None, 0)
        value, place = decode(text, place) if value is None else (value, past)
        members.append((key, value))
        place = _after_space(text, place)
        end = text[place : place + 1]
        if end not in (",", "}"):
            raise json.JSONDecodeError("Expecting ',' delimiter", text, place)
        place = _after_space(text, place + 1)
    if place < len(text):
        raise json.JSONDecodeError("Extra data", text, place)
    return _object_of(members)


def _after_space(text: str, place: int) -> int:
    match = WHITE_SPACE.match(text, place)
    return match.end() if match else place


def _numbers_at(text: str, place: int) -> tuple[NDArray[np.int64] | None, int]:
    # The list of whole numbers that begins here, and where it ends; None if there is no such list.
    end = text.find("]", place)
    if not text.startswith("[", place) or end < 0:
        return None, place
    blocks, start = [np.zeros(0, np.int64)], place + 1
    while True:
        comma = text.find(",", min(start + BLOCK, end), end)
        stop = end if comma < 0 else comma
        try:
            numbers = json.loads(f"[{text[start:stop]}]")
            blocks.append(np.array(numbers, np.int64))
        except (ValueError, OverflowError, TypeError, RecursionError):
            return None, place
        if set(map(type, numbers)) - {int} or (not numbers and start > place + 1):
            return None, place
        if stop == end:
            return np.concatenate(blocks), end + 1
        start = stop + 1


@contextmanager
def reading(path: str | Path) -> Iterator[None]:
    """For reading animations: whatever a hostile file runs into becomes one error that names it."""
    try:
        yield
    except (LightsAnimError, OSError, MemoryError, *DAMAGE) as error:
        raise AnimationError(f"cannot read {path}: {reason_of(error)}") from error


def reason_of(error: Exception) -> str:
    """What is wrong with a file whose reading raised this."""
    match error:
        case LightsAnimError():
            return str(error)
        case OSError():
            return error.strerror or str(error)
        case MemoryError():
            return "there is not enough memory"
        case json.JSONDecodeError() | UnicodeDecodeError() | RecursionError():
            return f"not JSON: {error}"
    return f"malformed: {type(error).__name__} {error}"


def text_of_file(path: Path) -> str:
    """The text, UTF-8, of a file that may be anything, also without end."""
    content = bytearray()
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        while size <= MAX_BYTES and (block := file.read(1 << 20)):
            content += block
            size = max(size, len(content))
    if size > MAX_BYTES:
        raise AnimationError(f"it has more than {MAX_BYTES} bytes, more than any animation of ours")
    return content.decode("utf-8")
