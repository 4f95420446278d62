"""The film of a web page: what its script plays, read without running it."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from lightsanim.animate.animation import Animation
from lightsanim.animate.document import document_digest, text_of_file
from lightsanim.animate.origin import Origin
from lightsanim.animate.packed import unpacked
from lightsanim.board.board import board_of_file
from lightsanim.errors import AnimationError, OptionError

FILM = '<script type="application/json" id="film">'


class Page(NamedTuple):
    """What a page carries: its animation, and where it comes from."""

    animation: Animation
    origin: Origin | None


def load_page(path: Path) -> Page:
    """Read a page that was saved as ``.html``.

    Raises:
        AnimationError: if it cannot be read, holds no film, or contradicts itself.
    """
    try:
        _, found, rest = text_of_file(path).partition(FILM)
        if not found:
            raise AnimationError("it is no page of lightsanim: it has no film")
        return _page(json.loads(rest.partition("</script>")[0]))
    except OSError as error:
        raise AnimationError(error.strerror or str(error)) from error
    except MemoryError as error:
        raise AnimationError("there is not enough memory") from error
    except AnimationError:
        raise
    except (KeyError, TypeError, ValueError, OverflowError, RecursionError, OptionError) as error:
        raise AnimationError(f"its film is damaged: {type(error).__name__} {error}") from error


def _page(film: Any) -> Page:
    if not isinstance(film, dict):
        raise AnimationError("its film is damaged: it must be a JSON object")
    if film.pop("sha256") != document_digest(film):
        raise AnimationError("its film is damaged: it does not have the sha256 that it names")
    members = {name: film[name] for name in ("rows", "columns", "rule", "wrap")}
    board = board_of_file(**members)
    if sorted(map(tuple, film["offsets"])) != sorted(board.offsets()):
        raise AnimationError(f"its film does not follow the rule {board.rule} that it names")
    primaries = None if film["primaries"] is None else unpacked(film["primaries"])
    shape = board.shape if primaries is None else (3, *board.shape)
    animation = Animation(
        board=board,
        first=unpacked(film["first"]).reshape(shape) == 1,
        clicks=unpacked(film["clicks"]),
        primaries=None if primaries is None else primaries.clip(0, 255).astype(np.uint8),
        frames=np.concatenate([[0], unpacked(film["frames"]).cumsum()]),
        fps=film["fps"],
        holds=tuple((int(frame), float(seconds)) for frame, seconds in film["holds"]),
        loop=film["loop"],
    )
    return Page(animation, Origin.from_dict(film.get("origin")))
