"""The metadata in an image or video file, from which the file can be checked and made again.

    {
      "format": "lightsanim frames",     always this value
      "version": 2,                      version of the metadata
      "program": "1.0.0",                version of lightsanim that wrote the file
      "board": {"rows": 60, "columns": 60, "rule": "plus", "wrap": false, "levels": 2,
        "boards": 1},                    number of colour planes: 1, or 3 in colour
      "look": {"cell": 11, "gap": 1, "shape": "square", "lit": "#f2f2f2", "unlit": "#191919",
        "background": "#333333", "mark": null},
      "frames": 251,                     number of frames of the animation
      "clicks": 1803,                    number of clicks on all colour planes together
      "steps": [250, 4, "d3d4..."],      number of clicks to each frame that differs from the last,
                                         packed as in `lightsanim.output.formats.bit_packing`
      "sha256": "...",                   digest of these frames, see `FrameHash`
      "pictures": ["sun", "moon"],       names, in order of appearance
      "origin": {...}                    as in `lightsanim.output.formats.json_animation`, or null
    }

The look has three optional members: "canvas", such as "1080x1080", the size of frames that are
larger than their board, with the board in the middle; "show_clicks", "right" or "below", the place
of a panel whose cells show how often each cell was pressed for this frame, or "right-total" or
"below-total" if they show the presses of all frames so far; and "colours", such as
"#001122,#445566", which replaces "lit" and "unlit".  Colours that are not opaque are written as
"#rrggbbaa" or "none".  "cell" and "gap" are in pixels.  With two levels, "levels" is omitted.

The metadata is ASCII JSON in the comment of a GIF, MP4 or WebM, a PNG's text chunk "Comment", the
description of a WebP's XMP, or the metadata element of an SVG film.  PNG, MP4 and WebM also have
the texts of the label in their own fields for title, author and so on.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from lightsanim.errors import AnimationError
from lightsanim.film.animation import Animation
from lightsanim.film.origin import NO_LABEL, Origin
from lightsanim.game.board.board import Board
from lightsanim.game.levels import unpack_levels
from lightsanim.options.checks import check_whole_number, quote_value
from lightsanim.options.legacy import modernize_record
from lightsanim.options.records import options_to_json_object
from lightsanim.output.look.paint_film import geometry_of
from lightsanim.output.look.theme import FrameGeometry, Theme
from lightsanim.version import __version__
from .bit_packing import pack_numbers, unpack_numbers
from .json_text import COMPACT, DAMAGE, json_error_reason, parse_json
from .saved_file import build_untrusted_board

FORMAT = "lightsanim frames"
VERSION = 2

LOOK_KEYS = (
    *("cell", "gap", "canvas", "shape", "lit", "unlit", "background", "mark"),
    *("show_clicks", "colours"),
)
OPTIONAL_KEYS = ("canvas", "show_clicks", "colours")


class OtherVersionError(AnimationError):
    """Error in a file of another version, which may show its film nevertheless."""


def mismatch_error(program: object) -> AnimationError:
    """Return the error for a file that this version would write differently than ``program``."""
    if program == __version__:
        return AnimationError("the file differs from what this version writes for its film")
    wrote = "another version" if program is None else f"version {quote_value(program)}"
    return OtherVersionError(f"{wrote} wrote the file, and {__version__} would write another")


@dataclass(frozen=True, kw_only=True, eq=False)
class Metadata:
    """Metadata as in the head of this module; cell, gap and colours of ``look`` are never None."""

    program: str
    board: Board
    planes: int
    look: Theme
    frames: int
    clicks: int
    steps: NDArray[np.integer[Any]]
    sha256: str
    pictures: tuple[str, ...]
    origin: Origin | None

    @property
    def geometry(self) -> FrameGeometry:
        """The layout of the cells in a frame."""
        return self.look.geometry(*self.board.shape, self.planes, self.board.levels)

    def label_texts(self, names: Mapping[str, str]) -> dict[str, str]:
        """Return the texts of the label, keyed by the names that a file format has for them."""
        label = (self.origin.label if self.origin else NO_LABEL).as_dict
        return {names[name]: text for name, text in label.items() if name in names}

    @property
    def json_text(self) -> str:
        """The metadata as the JSON text that is written to files."""
        omitted = {name for name in OPTIONAL_KEYS if getattr(self.look, name) is None}
        omitted |= set() if self.look.colours is None else {"lit", "unlit"}
        look = options_to_json_object(self.look)
        return COMPACT.encode(
            {
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
        )


def build_metadata(animation: Animation, theme: Theme) -> Metadata:
    """Build the metadata of an animation for a file that shows it in a theme.

    >>> from lightsanim.film.animate import animate
    >>> from lightsanim.film.clicks import Clicks
    >>> from lightsanim.options.stages import Timing
    >>> off, clicks = np.zeros((1, 3), bool), np.array([0, 2])
    >>> animation = animate(Board(1, 3), off, [Clicks(clicks)], Timing())
    >>> metadata = parse_metadata(build_metadata(animation, Theme()).json_text)
    >>> metadata.board.shape, metadata.steps.tolist(), str(metadata.look.lit)
    ((1, 3), [1, 1], '#f2f2f2')
    """
    geometry = geometry_of(animation, theme)
    lit, unlit = theme.colour_of("lit"), theme.colour_of("unlit")
    parts: dict[str, Any] = {"lit": lit, "unlit": unlit}
    if theme.middle_colour and animation.board.levels > 2 and animation.boards == 1:
        parts = {"colours": [unlit, theme.middle_colour, lit], "palette": Theme().palette}
    steps, sha256 = frame_digest(animation)
    return Metadata(
        program=__version__,
        board=animation.board,
        planes=animation.boards,
        look=attrs.evolve(
            theme,
            cell=geometry.cell,
            gap=geometry.gap,
            canvas=geometry.canvas,
            background=theme.colour_of("background"),
            **(parts if theme.colours is None else {}),
        ),
        frames=len(animation),
        clicks=animation.count,
        steps=steps,
        sha256=sha256,
        pictures=animation.pictures,
        origin=animation.origin,
    )


def parse_metadata(text: str) -> Metadata | None:
    """Parse a text as metadata; return None if it is another kind of text."""
    if FORMAT not in text:  # checked first, because a file may have millions of other lines
        return None
    try:
        document = parse_json(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        return None
    if document.get("version") != VERSION:
        raise AnimationError(
            f"unknown version {document.get('version')!r} of its metadata: must be {VERSION}; a "
            "newer lightsanim may read this"
        )
    try:
        return _metadata_from_json(document)
    except (AnimationError, *DAMAGE) as error:
        raise AnimationError(f"its metadata is damaged: {json_error_reason(error)}") from error


def _metadata_from_json(document: dict[str, Any]) -> Metadata:
    board, planes = dict(document["board"]), document["board"]["boards"]
    if planes not in (1, 3):
        raise AnimationError(f"boards (colour planes) must be 1 or 3, not {planes!r}")
    del board["boards"]
    for name in ("frames", "clicks"):
        check_whole_number(name, document[name], 0)
    record = modernize_record(document["look"])
    look: dict[str, Any] = {name: record.get(name) for name in LOOK_KEYS}
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
        raise AnimationError("the look in the metadata must have a cell, a gap and colours")
    _ = metadata.geometry  # raises if a frame would be too large
    return metadata


def replace_metadata(
    encode: Callable[[Metadata], bytes],
    path: Path,
    target: Path,
    *,
    old: Metadata,
    new: Metadata,
    finish: Callable[[bytes], bytes] = bytes,
) -> None:
    """Copy a film with new metadata and unchanged frames.

    The old metadata must occur once, as ``encode`` writes it.  ``finish`` brings up to date what
    depends on the whole content of the copy.
    """
    content = path.read_bytes()
    if content.count(encode(old)) != 1:
        raise AnimationError("the metadata of the file differs from what this version writes")
    target.write_bytes(finish(content.replace(encode(old), encode(new))))


class FrameHash:
    """SHA-256 over all frames that differ from the previous frame.

    With two levels, a frame is hashed as the bits of its cells (1 = lit), row by row and colour
    plane by colour plane, highest bit first, padded with zero bits to whole bytes.  With more
    levels, each cell is a byte.

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
        """Add a frame, and return whether it differs from the previous one."""
        lit = shades if self._planes == 1 else unpack_levels(shades, self._planes, self._levels)
        content = (np.packbits(lit, axis=None) if self._levels == 2 else lit).tobytes()
        if content == self._previous:
            return False
        self._hash.update(content)
        self._previous = content
        return True

    @property
    def hex_digest(self) -> str:
        """The hexadecimal digest of the frames so far."""
        return self._hash.hexdigest()


def frame_digest(animation: Animation) -> tuple[NDArray[np.int64], str]:
    """Return the number of clicks to each frame that differs, and the digest of all frames."""
    # The clicks on all colour planes are added up, and are an upper bound of the fewest possible.
    frames = FrameHash(animation.boards, animation.board.levels)
    differs = np.array([frames.add_frame(shades) for shades, _ in animation.changes()])
    return animation.clicks_by_frame[differs[1:]], frames.hex_digest
