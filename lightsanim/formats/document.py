"""The file format of animations: JSON that a reader can check with nothing but the rules.

    {
      "format": "lightsanim",            always
      "version": 1,                      of the format
      "program": "0.1.0",                what wrote it
      "board": {"rows": 2, "columns": 3, "rule": "plus", "wrap": false},
      "pictures": ["sun", "moon"],       names, in the order shown
      "seed": 12345,                     of the click order, or null
      "origin": {"program": "0.1.0",     null, or how the animation was made: by which version,
        "settings": {"size": "60", ...}, all options of make, with the seed that was used, and the
        "sha256": ["...", null]},        sha256 of each picture's file, null where there was none
      "fps": 25.0,                       frames a second
      "holds": [[0, 0.96], [2, 2.0]],    [frame, seconds that it is shown longer]
      "loop": 0,                         how often it is played, 0 = for ever
      "first": ["010", "111"],           frame 0, row by row, 1 = lit
      "targets": [["110", "111"], ...],  what each picture's frame should show, or an empty list
      "clicks": [4, 0, 5],               cells clicked in order, row * columns + column
      "primaries": [7, 1, 2],            null, or in colour the boards that each click is made on
      "frames": [0, 1, 3],               clicks done when each frame is shown
      "sha256": "..."                    of the UTF-8 text of all the other members, written
    }                                    as JSON with sorted keys and no spaces

Frame f is frame 0 after the first frames[f] clicks.  In colour, where "primaries" is a list, there
are three boards: 1 stands for red, 2 for green and 4 for blue, and the digits in "first" and
"targets" are the sums of those that are lit.
"""

import hashlib
import json
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightsanim.algebra.linear import Bits
from lightsanim.animation.animation import Animation, shades_of
from lightsanim.animation.origin import Origin
from lightsanim.board.board import Board, board_of_file
from lightsanim.checks import check_number, check_whole
from lightsanim.errors import AnimationError, OptionError
from lightsanim.version import __version__

# The places of red, green and blue in a cell's digit.
BITS = np.arange(3, dtype=np.uint8)[:, None, None]

FORMAT = "lightsanim"
VERSION = 1

# The largest file, in octets: more than the largest board takes in colour, with a click for each
# cell and three pictures.
BLOCK, MAX_BLOCKS = 1_000_000, 1000


def animation_to_document(animation: Animation) -> dict[str, Any]:
    """The JSON object of an animation."""
    board = animation.board
    document = {
        "format": FORMAT,
        "version": VERSION,
        "program": __version__,
        "board": {
            "rows": board.rows,
            "columns": board.columns,
            "rule": board.rule,
            "wrap": board.wrap,
        },
        "pictures": list(animation.pictures),
        "seed": animation.seed,
        "origin": None if animation.origin is None else animation.origin.as_dict(),
        "fps": float(animation.fps),
        "holds": [[int(frame), float(seconds)] for frame, seconds in animation.holds],
        "loop": int(animation.loop),
        "first": _digits(animation.first),
        "targets": [_digits(target) for target in animation.targets],
        "clicks": animation.clicks.tolist(),
        "primaries": None if animation.primaries is None else animation.primaries.tolist(),
        "frames": animation.frames.tolist(),
    }
    return {**document, "sha256": document_digest(document)}


def animation_from_document(document: Any) -> Animation:
    """The animation of a JSON object.

    Raises:
        AnimationError: if it is of another format or version, damaged, or contradicts itself.
    """
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise AnimationError('not a lightsanim animation: "format" must be "lightsanim"')
    if document.get("version") != VERSION:
        raise AnimationError(
            f"version {document.get('version')!r} of the format is not known, only {VERSION}; "
            "a newer lightsanim may read it"
        )
    content = {key: value for key, value in document.items() if key != "sha256"}
    try:
        if document.get("sha256") != document_digest(content):
            raise AnimationError("damaged: its content does not have the sha256 that it names")
        return _animation(content)
    except (KeyError, TypeError, ValueError, OverflowError, OptionError) as error:
        raise AnimationError(f"malformed: {type(error).__name__} {error}") from error


def write_json(animation: Animation, path: Path) -> None:
    """Write an animation as JSON, one member a line."""
    members = animation_to_document(animation).items()
    lines = (f"{json.dumps(key)}: {json.dumps(value)}" for key, value in members)
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def load_animation(path: str | Path) -> Animation:
    """Read an animation that was saved as ``.json``.

    Raises:
        AnimationError: if the file cannot be read, is of another format or version, is damaged,
            or contradicts itself.
    """
    try:
        return animation_from_document(json.loads(text_of_file(Path(path))))
    except OSError as error:
        raise AnimationError(f"cannot read {path}: {error.strerror or error}") from error
    except MemoryError as error:
        raise AnimationError(f"cannot read {path}: there is not enough memory") from error
    except (ValueError, RecursionError) as error:
        raise AnimationError(f"cannot read {path}: not JSON: {error}") from error
    except AnimationError as error:
        raise AnimationError(f"cannot read {path}: {error}") from error


def text_of_file(path: Path) -> str:
    """The text, UTF-8, of a file that may be anything, also without end.

    Raises:
        AnimationError: if it is larger than any of ours.
        UnicodeDecodeError: if it is no text.
        OSError: if it cannot be read.
    """
    with path.open("rb") as file:
        blocks = iter(partial(file.read, BLOCK), b"")
        octets = b"".join(islice(blocks, MAX_BLOCKS))
        if file.read(1):
            raise AnimationError(
                f"it has more than {BLOCK * MAX_BLOCKS} octets; that is none of ours"
            )
    return octets.decode("utf-8")


def _animation(content: dict[str, Any]) -> Animation:
    board = board_of_file(**content["board"])
    primaries = None if content["primaries"] is None else _integers(content["primaries"])
    boards = 1 if primaries is None else 3
    return Animation(
        board=board,
        first=_configuration(content["first"], "first", board, boards),
        clicks=_integers(content["clicks"]),
        primaries=None if primaries is None else np.clip(primaries, 0, 255).astype(np.uint8),
        frames=_integers(content["frames"]),
        fps=_number(content["fps"]),
        holds=tuple((_whole(frame), _number(seconds)) for frame, seconds in content["holds"]),
        loop=content["loop"],
        pictures=tuple(map(str, content["pictures"])),
        targets=tuple(
            _configuration(target, "a target", board, boards) for target in content["targets"]
        ),
        seed=content["seed"],
        origin=Origin.from_dict(content["origin"]),
    )


def _digits(configuration: Bits) -> list[str]:
    return ["".join(row) for row in shades_of(configuration).astype(str)]


def _configuration(rows: Any, name: str, board: Board, boards: int) -> Bits:
    # The inverse of `_digits`.
    rows, digits = [str(row) for row in list(rows)], "01" if boards == 1 else "01234567"
    shaped = len(rows) == board.rows and all(len(row) == board.columns for row in rows)
    if not shaped or set("".join(rows)) - set(digits):
        raise AnimationError(
            f"{name} must be {board.rows} rows of {board.columns} digits out of {digits}"
        )
    shades = np.array([list(row) for row in rows]).astype(np.uint8)
    configuration: Bits = shades == 1 if boards == 1 else (shades >> BITS & 1) == 1
    return configuration


def _whole(value: Any) -> int:
    check_whole("a hold's frame", value, 0)
    return int(value)


def _number(value: Any) -> float:
    check_number("a time", value, 0)
    return float(value)


def _integers(values: list[int]) -> NDArray[np.int64]:
    numbers = np.array(values, np.int64)
    if numbers.ndim != 1 or any(type(value) is not int for value in values):
        raise AnimationError("clicks and frames must be lists of whole numbers")
    return numbers


def document_digest(document: dict[str, Any]) -> str:
    """The sha256 of a JSON object, however it is written down: so that any change is noticed.

    >>> document_digest({"b": 1, "a": [2]}) == document_digest({"a": (2,), "b": 1})
    True
    """
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()
