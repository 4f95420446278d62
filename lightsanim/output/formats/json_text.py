"""JSON encoders with a fixed layout, and a strict decoder for untrusted JSON files."""

import hashlib
import json
import math
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lightsanim.errors import AnimationError, LightsAnimError
from lightsanim.options.checks import quote_value

# Maximum bytes of a file: the largest colour board, three pictures and all possible clicks fit.
MAX_BYTES = 1_000_000_000
# Exceptions that a damaged file causes while it is read.
DAMAGE = (KeyError, TypeError, ValueError, OverflowError, RecursionError)
# The encoders refuse NaN and infinity: they are not JSON, and only a bug here can produce them.
PLAIN = json.JSONEncoder(allow_nan=False)
COMPACT = json.JSONEncoder(allow_nan=False, separators=(",", ":"))
CANONICAL = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
)


def _refuse_duplicate_keys(members: list[tuple[str, Any]]) -> dict[str, Any]:
    # If a key occurs twice, JSON readers disagree on which value to use.
    unique = dict(members)
    if len(unique) < len(members):
        ((key, _),) = Counter(key for key, _ in members).most_common(1)
        raise AnimationError(f"a JSON object has the key {quote_value(key)} more than once")
    return unique


def _parse_finite_number(text: str) -> float:
    if not math.isfinite(number := float(text)):
        raise AnimationError(f"{quote_value(text)} is not a finite JSON number")
    return number


parse_json = json.JSONDecoder(
    object_pairs_hook=_refuse_duplicate_keys,
    parse_constant=_parse_finite_number,
    parse_float=_parse_finite_number,
).decode


def digest_of_json(members: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a JSON object, independent of key order and white space.

    >>> digest_of_json({"b": 1, "a": [2]}) == digest_of_json({"a": [2], "b": 1})
    True
    """
    return hashlib.sha256(CANONICAL.encode(members).encode()).hexdigest()


@contextmanager
def convert_file_errors(path: str | Path) -> Iterator[None]:
    """Convert all errors caused by an untrusted file to an AnimationError that names the file."""
    try:
        yield
    except (LightsAnimError, OSError, MemoryError, *DAMAGE) as error:
        raise AnimationError(f"cannot read {path}: {json_error_reason(error)}") from error


def json_error_reason(error: Exception) -> str:
    """Describe what is wrong with a file whose reading raised ``error``."""
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
    """Read a UTF-8 text; stop after `MAX_BYTES`, as the path may be an endless device."""
    content = bytearray()
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        while size <= MAX_BYTES and (block := file.read(1 << 20)):
            content += block
            size = max(size, len(content))
    if size > MAX_BYTES:
        raise AnimationError(f"a saved animation must have at most {MAX_BYTES} bytes to be read")
    return content.decode("utf-8")
