"""The metadata of a file: what it says of itself, so that it can be checked and made again.

    {
      "format": "lightsanim frames",     always
      "version": 2,                      of the metadata
      "program": "1.0.0",                what wrote the file
      "board": {"rows": 60, "columns": 60, "rule": "plus", "wrap": false, "levels": 2,
        "boards": 1},
      "look": {"cell": 11, "gap": 1, "shape": "square", "lit": "#f2f2f2", "unlit": "#191919",
        "middle": null, "background": "#333333", "mark": null},
      "frames": 251,                     of the animation
      "clicks": 1803,                    in all, on all boards together
      "steps": [250, 4, "d3d4..."],      the clicks to each frame that differs from the one before
      "sha256": "...",                   of those frames
      "pictures": ["sun", "moon"],       names, in the order shown
      "origin": {...}                    null, or as in a saved animation
    }

Where a frame is larger than its board, the look also has "canvas": "1080x1080", in whose middle the
board lies; where a panel shows the clicks that make each frame, "show_clicks": "right" or "below",
whose cells are at the level, on each board, of how often they are pressed; where colours of the
user's own are spread over the levels, "colours": "#001122,#445566" in place of "lit", "unlit" and
"middle".  Colours that are not opaque are "#rrggbbaa" or "none".

It is JSON in ASCII, in a GIF's comment, in a PNG's text of the keyword Comment, in the description
of a WebP's XMP, in an SVG film's metadata, and in the comment of an MP4 or WebM.  What is said of
the work, in "origin", stands in PNG, MP4 and WebM where other programs look for titles and authors
as well.  A cell and the gaps are in pixels; "boards" is 3 in colour, and with two levels "levels"
and "middle" are left out.
"""

# The packed numbers of "steps" are explained in `lightsanim.formats.bit_packing`, the sha256 of
# frames at `FrameHash`, and "origin" in `lightsanim.formats.json_animation`.

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from lightsanim.animation.animation import Animation
from lightsanim.animation.origin import NO_LABEL, Origin
from lightsanim.animation.painting import geometry_of
from lightsanim.board.board import Board
from lightsanim.errors import AnimationError
from lightsanim.formats.bit_packing import pack_numbers, unpack_numbers
from lightsanim.formats.json_text import COMPACT, DAMAGE, json_error_reason, parse_json
from lightsanim.formats.registry import build_untrusted_board
from lightsanim.look.levels import unpack_levels
from lightsanim.look.theme import FrameGeometry, Theme
from lightsanim.options.checks import check_whole_number
from lightsanim.options.records import options_to_json_object
from lightsanim.version import __version__

FORMAT = "lightsanim frames"
VERSION = 2

LOOK_KEYS = (
    *("cell", "gap", "canvas", "shape", "lit", "unlit", "middle", "background", "mark"),
    *("show_clicks", "colours"),
)
OPTIONAL_KEYS = ("canvas", "show_clicks", "colours")


@dataclass(frozen=True, kw_only=True, eq=False)
class Metadata:
    """What a file says of itself, as told above.

    The look has all values given, with cell and gap in pixels; ``steps`` is int64.
    """

    program: str
    board: Board
    planes: int
    look: Theme
    frames: int
    clicks: int
    steps: NDArray[np.int64]
    sha256: str
    pictures: tuple[str, ...]
    origin: Origin | None

    @property
    def geometry(self) -> FrameGeometry:
        """Where the cells lie in a frame."""
        return self.look.geometry(*self.board.shape, self.planes, self.board.levels)

    def label_texts(self, names: Mapping[str, str]) -> dict[str, str]:
        """What is said of the work, under the names that a format has for it."""
        label = (self.origin.label if self.origin else NO_LABEL).as_dict
        return {names[name]: text for name, text in label.items() if name in names}

    @property
    def json_text(self) -> str:
        """The metadata as it is written."""
        omitted = {"middle"} if self.board.levels == 2 else set()
        omitted |= {name for name in OPTIONAL_KEYS if getattr(self.look, name) is None}
        # Own colours take the place of these.
        omitted |= set() if self.look.colours is None else {"lit", "unlit", "middle"}
        look = options_to_json_object(self.look)
        document = {
            "format": FORMAT,
            "version": VERSION,
            "program": self.program,
            "board": {**self.board.as_dict(), "boards": self.planes},
            "look": {name: look[name] for name in LOOK_KEYS if name not in omitted},
            "frames": self.frames,
            "clicks": self.clicks,
            "steps": pack_numbers(self.steps),
            "sha256": self.sha256,
            "pictures": self.pictures,
            "origin": self.origin and self.origin.as_dict,
        }
        return COMPACT.encode(document)


def build_metadata(animation: Animation, theme: Theme) -> Metadata:
    """The metadata of an animation's file in a look.

    >>> from lightsanim.animation.animate import animate
    >>> from lightsanim.options.stages import Timing
    >>> off, clicks = np.zeros((1, 3), bool), np.array([0, 2])
    >>> animation = animate(Board(1, 3), off, [(clicks, None)], Timing())
    >>> metadata = parse_metadata(build_metadata(animation, Theme()).json_text)
    >>> metadata.board.shape, metadata.steps.tolist(), str(metadata.look.lit)
    ((1, 3), [1, 1], '#f2f2f2')
    """
    geometry = geometry_of(animation, theme)
    parts: dict[str, Any] = {part: theme.colour_of(part) for part in ("lit", "unlit")}
    parts["middle"] = theme.middle_colour
    steps, sha256 = frame_digest(animation)
    look = attrs.evolve(
        theme,
        cell=geometry.cell,
        gap=geometry.gap,
        canvas=geometry.canvas,
        background=theme.colour_of("background"),
        **(parts if theme.colours is None else {}),
    )
    return Metadata(
        program=__version__,
        board=animation.board,
        planes=animation.boards,
        look=look,
        frames=len(animation),
        clicks=animation.count,
        steps=steps,
        sha256=sha256,
        pictures=animation.pictures,
        origin=animation.origin,
    )


def parse_metadata(text: str) -> Metadata | None:
    """The metadata in a text, or None if it holds none."""
    try:
        document = parse_json(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        return None
    if document.get("version") != VERSION:
        supported = f"only {VERSION}; a newer lightsanim may read it"
        version = document.get("version")
        raise AnimationError(f"version {version!r} of its metadata is not known, {supported}")
    try:
        return _metadata_from_json(document)
    except (AnimationError, *DAMAGE) as error:
        raise AnimationError(f"its metadata is damaged: {json_error_reason(error)}") from error


def _metadata_from_json(document: dict[str, Any]) -> Metadata:
    board, planes = dict(document["board"]), document["board"]["boards"]
    if planes not in (1, 3):
        raise AnimationError(f"boards must be 1 or 3, not {planes!r}")
    del board["boards"]
    for name in ("frames", "clicks"):
        check_whole_number(name, document[name], 0)
    look: dict[str, Any] = {name: dict(document["look"]).get(name) for name in LOOK_KEYS}
    metadata = Metadata(
        program=str(document["program"]),
        board=build_untrusted_board(**board),
        planes=int(planes),
        look=Theme(**look),
        frames=int(document["frames"]),
        clicks=int(document["clicks"]),
        steps=unpack_numbers(document["steps"]),
        sha256=str(document["sha256"]),
        pictures=tuple(map(str, document["pictures"])),
        origin=Origin.from_dict(document["origin"]),
    )
    cells = [look["colours"]] if look["colours"] else [look["lit"], look["unlit"]]
    if None in (look["cell"], look["gap"], look["background"], *cells):
        raise AnimationError("a look must have a cell, a gap and colours")
    _ = metadata.geometry  # raises where a frame would be too large
    return metadata


def replace_bytes_once(content: bytes, old: bytes, new: bytes) -> bytes:
    """A file's content with other words in place of those that we have written there."""
    if content.count(old) != 1:
        raise AnimationError("its metadata is not as this version writes it")
    return content.replace(old, new)


class FrameHash:
    """The sha256 of all frames, one after the other, that differ from the frame before.

    A frame's bytes are the bits of its cells, 1 = lit, row by row, board after board, the first
    bit of a byte highest; the last byte is filled up with zeros.  With more than two levels each
    cell is a byte.

    >>> digest = FrameHash(1)
    >>> [digest.add_frame(np.array([shades], np.uint8)) for shades in ([0, 1], [0, 1], [1, 1])]
    [True, False, True]
    >>> digest.hex_digest == hashlib.sha256(bytes([0b01_000000, 0b11_000000])).hexdigest()
    True
    """

    def __init__(self, planes: int, levels: int = 2) -> None:
        self._planes, self._levels = planes, levels
        self._hash = hashlib.sha256()
        self._previous: bytes | None = None

    def add_frame(self, shades: NDArray[np.uint8]) -> bool:
        """Add the next frame, uint8 (rows, columns); does it differ from the one before?"""
        lit = shades if self._planes == 1 else unpack_levels(shades, self._planes, self._levels)
        content = (np.packbits(lit, axis=None) if self._levels == 2 else lit).tobytes()
        if content == self._previous:
            return False
        self._hash.update(content)
        self._previous = content
        return True

    @property
    def hex_digest(self) -> str:
        """Of the frames so far, in hexadecimal."""
        return self._hash.hexdigest()


def frame_digest(animation: Animation) -> tuple[NDArray[np.int64], str]:
    """What a file says of its frames: the clicks to each, and the sha256 of all, see `FrameHash`.

    Only frames that differ from the frame before are counted: some formats repeat the others, some
    leave them out.  The clicks, on all boards together, are at least as many as are needed.
    """
    frames = FrameHash(animation.boards, animation.board.levels)
    differs = np.array([frames.add_frame(shades) for shades, _ in animation.changes()])
    return animation.clicks_by_frame[differs[1:]], frames.hex_digest
