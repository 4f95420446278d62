"""The label of a file: what it says of itself, so that anyone can check it and make it again.

    {
      "format": "lightsanim frames",     always
      "version": 1,                      of the label
      "program": "0.1.0",                what wrote the file
      "board": {"rows": 60, "columns": 60, "rule": "plus", "wrap": false, "boards": 1},
      "look": {"cell": 11, "gap": 1, "shape": "square", "lit": "#f2f2f2", "unlit": "#191919",
        "background": "#333333", "mark": null},
      "frames": 251,                     of the animation
      "clicks": 1803,                    in all, on all boards together
      "steps": [250, 4, "d3d4..."],      the clicks to each frame that differs from the one before
      "sha256": "...",                   of those frames
      "pictures": ["sun", "moon"],       names, in the order shown
      "origin": {...}                    null, or as in a saved animation
    }

It is JSON in ASCII, in a GIF's comment, in a PNG's text of the keyword Comment, in the description
of a WebP's XMP, and in the comment of an MP4 or WebM.  A cell and the gaps are in pixels; "boards"
is 3 in colour.  The packed numbers of "steps" are explained in `lightsanim.animate.packed`, the
frames' sha256 in `lightsanim.animate.seal`, and "origin" in `lightsanim.animate.document`.
"""

import json
from dataclasses import dataclass
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from lightsanim.animate.animation import Animation
from lightsanim.animate.origin import Origin
from lightsanim.animate.packed import packed, unpacked
from lightsanim.board.board import Board, board_of_file
from lightsanim.checks import check_whole
from lightsanim.errors import AnimationError, OptionError
from lightsanim.options import plain
from lightsanim.render.theme import Geometry, Theme
from lightsanim.version import __version__

FORMAT = "lightsanim frames"
VERSION = 1

LOOK = ("cell", "gap", "shape", "lit", "unlit", "background", "mark")


@dataclass(frozen=True, kw_only=True, eq=False)
class Label:
    """What a file says of itself.

    Attributes:
        program: the version of lightsanim that wrote it.
        board: the board.
        boards: 1, or in colour 3.
        look: cell and gap in pixels, shape and colours; all of them given.
        frames: how many frames the animation has.
        clicks: how many clicks, on all boards together.
        steps: see `lightsanim.animate.seal.Seal`.
        sha256: of the frames, see there too.
        pictures: their names.
        origin: how the animation was made, where that is known.
    """

    program: str
    board: Board
    boards: int
    look: Theme
    frames: int
    clicks: int
    steps: NDArray[np.int64]
    sha256: str
    pictures: tuple[str, ...]
    origin: Origin | None

    @property
    def geometry(self) -> Geometry:
        """Where the cells lie in a frame."""
        return self.look.geometry(self.board.rows, self.board.columns)

    @property
    def text(self) -> str:
        """The label as it is written."""
        board = self.board
        document = {
            "format": FORMAT,
            "version": VERSION,
            "program": self.program,
            "board": {
                "rows": board.rows,
                "columns": board.columns,
                "rule": board.rule,
                "wrap": board.wrap,
                "boards": self.boards,
            },
            "look": {name: value for name, value in plain(self.look).items() if name in LOOK},
            "frames": self.frames,
            "clicks": self.clicks,
            "steps": packed(self.steps),
            "sha256": self.sha256,
            "pictures": self.pictures,
            "origin": None if self.origin is None else self.origin.as_dict(),
        }
        return json.dumps(document, separators=(",", ":"))


def label_of(animation: Animation, theme: Theme) -> Label:
    """The label of an animation's file in a look.

    >>> from lightsanim.animate.animation import animate
    >>> from lightsanim.options import Timing
    >>> off, clicks = np.zeros((1, 3), bool), np.array([0, 2])
    >>> animation = animate(Board(1, 3), off, [(clicks, None)], Timing())
    >>> label = read_label(label_of(animation, Theme()).text)
    >>> label.board.shape, label.steps.tolist(), str(label.look.lit)
    ((1, 3), [1, 1], '#f2f2f2')
    """
    seal, geometry = animation.seal, theme.geometry(animation.board.rows, animation.board.columns)
    look = attrs.evolve(
        theme,
        cell=geometry.cell,
        gap=geometry.gap,
        lit=theme.colour_of("lit"),
        unlit=theme.colour_of("unlit"),
        background=theme.colour_of("background"),
    )
    return Label(
        program=__version__,
        board=animation.board,
        boards=animation.boards,
        look=look,
        frames=len(animation.frames),
        clicks=animation.count,
        steps=seal.steps,
        sha256=seal.sha256,
        pictures=animation.pictures,
        origin=animation.origin,
    )


def read_label(text: str) -> Label | None:
    """The label that a text is, or None for a text that is none of ours.

    Raises:
        AnimationError: for a label that contradicts itself, or is of a newer lightsanim.
    """
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        return None
    if document.get("version") != VERSION:
        raise AnimationError(
            f"version {document.get('version')!r} of its metadata is not known, only {VERSION}; "
            "a newer lightsanim may read it"
        )
    try:
        return _label(document)
    except AnimationError as error:
        raise AnimationError(f"its metadata is damaged: {error}") from error
    except (KeyError, TypeError, ValueError, OverflowError, OptionError) as error:
        raise AnimationError(f"its metadata is damaged: {type(error).__name__} {error}") from error


def _label(document: dict[str, Any]) -> Label:
    where, boards = dict(document["board"]), document["board"]["boards"]
    if boards not in (1, 3):
        raise AnimationError(f"boards must be 1 or 3, not {boards!r}")
    del where["boards"]
    for name in ("frames", "clicks"):
        check_whole(name, document[name], 0)
    look = {name: document["look"][name] for name in LOOK}
    label = Label(
        program=str(document["program"]),
        board=board_of_file(**where),
        boards=int(boards),
        look=Theme(**look),
        frames=int(document["frames"]),
        clicks=int(document["clicks"]),
        steps=unpacked(document["steps"]),
        sha256=str(document["sha256"]),
        pictures=tuple(map(str, document["pictures"])),
        origin=Origin.from_dict(document["origin"]),
    )
    if None in (look["cell"], look["gap"], look["lit"], look["unlit"], look["background"]):
        raise AnimationError("a look must have a cell, a gap and colours")
    _ = label.geometry  # raises where a frame would be too large
    return label
