"""The clues of a puzzle as a text: a line for each row, whole numbers with spaces or commas."""

import re
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lightsanim.errors import InputError, OptionError
from lightsanim.options.checks import counted

MAX_SIDE = 100
LARGEST = 10**9

# The largest grid of the largest numbers takes less.
MAX_BYTES = 1_000_000

Clues = NDArray[np.int64]
"""Int (rows, columns)."""


def load_clues(path: str | Path) -> Clues:
    """The clues in a file."""
    try:
        with Path(path).open("rb") as file:
            written = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
    if len(written) > MAX_BYTES:
        raise OptionError(f"{path} is too long for clues: more than {MAX_BYTES} bytes")
    return parse_clues(written.decode("utf-8-sig", "replace"), str(path))


def parse_clues(text: str, name: str = "the clues") -> Clues:
    """The clues in a text; empty lines are passed over.

    >>> parse_clues("1 -2\\n3, 4").tolist()
    [[1, -2], [3, 4]]
    """
    rows: list[list[int]] = []
    for line, words in enumerate(text.splitlines(), start=1):
        row = _row(words, f"{name}, line {line}")
        if row and rows and len(row) != len(rows[0]):
            numbers = f"{counted(len(row), 'number')}, but {len(rows[0])} in the lines above"
            raise OptionError(f"{name}, line {line}: {numbers}")
        rows += [row] if row else []
    if not rows:
        raise OptionError(f"{name}: no numbers in it")
    if max(len(rows), len(rows[0])) > MAX_SIDE:
        raise OptionError(
            f"{name}: {len(rows)} rows of {len(rows[0])}, more than {MAX_SIDE} x {MAX_SIDE}"
        )
    return np.array(rows, np.int64)


def _row(words: str, where: str) -> list[int]:
    # A comma at the end of a line is what some spreadsheets write.
    if missing := re.search(r"^\s*,|,\s*,", words):
        raise OptionError(f"{where}, column {missing.end()}: there is no number before the comma")
    return [_number(word, where) for word in re.finditer(r"[^\s,]+", words)]


def _number(word: re.Match[str], where: str) -> int:
    # ASCII digits only, and few enough for int() to be quick.
    if not re.fullmatch(r"[+-]?[0-9]{1,20}", word[0]):
        shown = word[0] if len(word[0]) <= 20 else word[0][:20] + "..."
        raise OptionError(f"{where}, column {word.start() + 1}: {shown!r} is no whole number")
    if abs(number := int(word[0])) > LARGEST:
        raise OptionError(f"{where}, column {word.start() + 1}: {number} is beyond {LARGEST}")
    return number
