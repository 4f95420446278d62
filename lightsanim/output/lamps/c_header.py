"""Write films for microcontrollers: the first configuration and the clicks as C arrays.

The arrays hold numbers packed into a few bits each.  The option ``library`` adds C code that reads
them, ``templates/reader.c``; an Arduino sketch also contains code that shows each frame.
"""

import re
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lightsanim.film.animation import Animation
from lightsanim.options.values import STRAIGHT, ZIGZAG, Panels, neomatrix_flags
from lightsanim.output.formats.bit_packing import pack_into_bytes
from lightsanim.output.look.paint_film import OnFrame
from lightsanim.output.look.theme import Theme
from lightsanim.version import __version__
from lightsanim.web.templating import load_templates
from .wiring import LIBRARIES, lamp_numbers

# Maximum length of names in comments, in characters; longer names are truncated.
MAX_NAME_LENGTH = 60


def write_c_source(
    animation: Animation, path: Path, theme: Theme, on_frame: OnFrame, *, stem: str
) -> None:
    """Write an animation as a C header or as an Arduino sketch."""
    libraries = LIBRARIES[path.suffix.lower()]
    # For the two wirings that readers of version 1.0 support, the arrays list lamps along the wire.
    # For any other wiring they list cells row by row, and the reader applies the wiring.
    is_simple = theme.panels == Panels() and theme.wiring in (STRAIGHT, ZIGZAG)
    panels, wiring = (Panels(0, 0), theme.wiring) if is_simple else (theme.panels, STRAIGHT)
    arrays = _build_data_arrays(animation, lamp_numbers(animation.board.shape, wiring, Panels()))
    template = load_templates("lightsanim.output.lamps").get_template("film.h.j2")
    header = template.render(
        name=to_c_identifier(stem),
        film=animation,
        board=animation.board,
        pictures=list(map(escape_for_comment, animation.pictures)),
        seconds=f"{animation.durations().sum():.3g}",
        reader=theme.library if theme.library in libraries else libraries[0],
        serpentine=wiring == ZIGZAG,
        panels=panels,
        wiring=neomatrix_flags(theme.wiring) + 16 * neomatrix_flags(panels.wiring),
        milliseconds=_to_milliseconds,
        arrays=arrays,
        size=sum(len(content) for content, _ in arrays.values()),
        version=__version__,
    )
    path.write_text(header, encoding="utf-8")
    for _ in range(len(animation)):
        on_frame()


def to_c_identifier(stem: str) -> str:
    """Return a C identifier for a name; it starts with "film", so it cannot be a keyword.

    >>> [to_c_identifier(stem) for stem in ("sun-moon", "film 2", "while", "日本")]
    ['film_sun_moon', 'film_2', 'film_while', 'film']
    """
    word = re.sub(r"[^A-Za-z0-9]+", "_", stem).strip("_")
    return word if word.startswith("film") else f"film_{word}".rstrip("_")


def escape_for_comment(name: str) -> str:
    r"""Return a name that is safe in a C comment: it cannot end the comment or reorder its text.

    >>> escape_for_comment("sun*/ int main;\n\u202e")
    'sun__ int main;__'
    """
    safe = "".join(c if c.isprintable() and c not in "*/\\?" else "_" for c in name)
    return safe if len(safe) <= MAX_NAME_LENGTH else f"{safe[: MAX_NAME_LENGTH - 3]}..."


def _build_data_arrays(
    animation: Animation, lamps: NDArray[np.int64]
) -> dict[str, tuple[bytes, int]]:
    # Returns the packed bytes of each array, and the number of bits per number.
    board = animation.board
    # The permutation from cells to lamps is its own inverse, as it only reverses rows.
    first = animation.first.reshape(-1, board.cells)[:, lamps.ravel()]
    offsets = np.array(board.offsets(), np.int64).reshape(-1, 2)
    holds = [(frame, _to_milliseconds(seconds)) for frame, seconds in animation.holds]
    arrays = {
        "first": first,
        "lamps": lamps.ravel()[animation.clicks],
        "on": np.zeros(0) if animation.boards == 1 else animation.primaries,
        "added": np.diff(animation.clicks_done),
        # Offsets of the cells that a click flips, plus the board's shape, so that none is negative.
        "rule": (offsets % board.shape if board.wrap else offsets) + board.shape,
        "held": np.array(holds),
    }
    packed = {name: pack_into_bytes(numbers) for name, numbers in arrays.items()}
    # C does not allow empty arrays.
    return {name: (content or b"\0", bits) for name, (content, bits) in packed.items()}


def _to_milliseconds(seconds: float) -> int:
    return round(1000 * seconds)
