"""JSON as it is written, by the letter, and read from files that may be hostile."""

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lightsanim.errors import AnimationError, LightsAnimError
from lightsanim.options.checks import quote_value

# The largest file: more than the largest board takes in colour, with a click for each cell and
# three pictures.
MAX_BYTES = 1_000_000_000

# What reading a damaged file raises.
DAMAGE = (KeyError, TypeError, ValueError, OverflowError, RecursionError)

# A NaN or an infinity is a mistake of ours.
PLAIN = json.JSONEncoder(allow_nan=False)
COMPACT = json.JSONEncoder(allow_nan=False, separators=(",", ":"))
CANONICAL = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
)


def _refuse_duplicate_keys(members: list[tuple[str, Any]]) -> dict[str, Any]:
    # Of a key that is there twice, some readers take the first value and others the last.
    unique = dict(members)
    if len(unique) < len(members):
        ((key, _),) = Counter(key for key, _ in members).most_common(1)
        raise AnimationError(f"a JSON object has the key {quote_value(key)} more than once")
    return unique


def _refuse_json_constant(name: str) -> None:
    raise AnimationError(f"{name} is no number of JSON")


# What a JSON text says, which may be hostile.
parse_json = json.JSONDecoder(
    object_pairs_hook=_refuse_duplicate_keys, parse_constant=_refuse_json_constant
).decode


def digest_of_json(members: Mapping[str, Any]) -> str:
    """The sha256 of a JSON object, however it is written down: so that any change is noticed.

    >>> digest_of_json({"b": 1, "a": [2]}) == digest_of_json({"a": [2], "b": 1})
    True
    """
    return hashlib.sha256(CANONICAL.encode(members).encode()).hexdigest()


@contextmanager
def convert_file_errors(path: str | Path) -> Iterator[None]:
    """For reading animations: whatever a hostile file runs into becomes one error that names it."""
    try:
        yield
    except (LightsAnimError, OSError, MemoryError, *DAMAGE) as error:
        raise AnimationError(f"cannot read {path}: {json_error_reason(error)}") from error


def json_error_reason(error: Exception) -> str:
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


def read_text(path: Path) -> str:
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
