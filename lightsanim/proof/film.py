"""A film: the configurations that a file shows, frame by frame, and what it says of them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lightsanim.animate.animation import Animation, Shades
from lightsanim.animate.document import load_animation
from lightsanim.animate.origin import Origin
from lightsanim.board.board import Board
from lightsanim.checks import guess
from lightsanim.errors import AnimationError, OptionError
from lightsanim.proof.cells import ExactLook, Look, NearLook, PlainLook, light_in_cells
from lightsanim.proof.page import load_page
from lightsanim.proof.tape import OPENERS, Shot, open_tape
from lightsanim.render.label import Label, read_label
from lightsanim.render.theme import Geometry
from lightsanim.values import to_size

KNOWN = (*filter(None, OPENERS), ".html", ".json")


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What the user says of a file's board, where the file itself does not, or to be sure.

    Attributes:
        size: as for `make`, or None.
        rule, wrap: or None.
    """

    size: str | int | None = None
    rule: str | None = None
    wrap: bool | None = None

    def board(self, height: int, width: int) -> Board:
        """The board of a file that says nothing, whose frames have so many pixels.

        Raises:
            OptionError: if the size is not given, or there are fewer pixels than cells.
        """
        if self.size is None:
            raise OptionError("it says nothing of its board; give --size, and --rule if not plus")
        size = to_size(self.size)
        rows = size.rows or max(1, round(size.columns * height / width))
        if rows > height or size.columns > width:
            raise OptionError(
                f"{width}x{height} pixels are too few for {size.columns}x{rows} cells"
            )
        return Board(rows, size.columns, rule=self.rule or "plus", wrap=bool(self.wrap))

    def check(self, board: Board) -> None:
        """Is it what the file says?

        Raises:
            OptionError: if it is not.
        """
        if self.size is not None:
            size = to_size(self.size)
            if (size.columns, size.rows or board.rows) != (board.columns, board.rows):
                raise OptionError(f"its board is {board.columns}x{board.rows}, not {size}")
        if self.rule is not None and replace(board, rule=self.rule) != board:
            raise OptionError(f"its rule is {board.rule}, not {self.rule}")
        if self.wrap not in (None, board.wrap):
            raise OptionError(f"its board is {'' if board.wrap else 'not '}wrapped")


@dataclass(frozen=True, kw_only=True, eq=False)
class Film:
    """A film that is being read.

    Attributes:
        board: the board.
        boards: 1, or in colour 3.
        frames: each frame's shades, uint8 (rows, columns), the same array for all of them, and how
            long it is shown, where the file says so.
        steps: how many clicks make each frame that differs from the one before, as the file says;
            None where it does not.
        sha256: of these frames, as the file says.
        origin: where it comes from, as the file says.
        pressed: the animation whose clicks were pressed to get the frames; None where they were
            seen.
        expected: about how many frames it has, as the file says.
    """

    board: Board
    boards: int
    frames: Iterator[tuple[Shades, float | None]]
    steps: NDArray[np.int64] | None = None
    sha256: str | None = None
    origin: Origin | None = None
    pressed: Animation | None = None
    expected: int = 0


@contextmanager
def open_film(path: Path, asked: Asked) -> Iterator[Film]:
    """Open any file that an animation can be saved as.

    Raises:
        AnimationError: if it cannot be read; also from ``frames``.
        OptionError: for another suffix, or if what is asked is not what the file says.
        FrameError: from ``frames``, for one that shows no configuration.
    """
    suffix = path.suffix.lower()
    if not path.is_dir() and suffix not in KNOWN:
        raise OptionError(
            f"unknown suffix {suffix!r}; known: {', '.join(KNOWN)}{guess(suffix, KNOWN)}"
        )
    if not path.is_dir() and suffix in (".json", ".html"):
        yield _saved(path, asked)
        return
    with open_tape(path) as tape:
        labels = filter(None, map(read_label, tape.texts))
        label, lossy = next(labels, None), tape.lossy
    if label is None:
        board, look = _unlabelled(path, asked)
    else:
        asked.check(label.board)
        board, look = label.board, NearLook(label) if lossy else ExactLook(label)
    with open_tape(path) as tape:
        frames = _seen(look, tape.shots)
        if label is None:
            yield Film(board=board, boards=1, frames=frames)
        else:
            yield _labelled(label, frames)


def _saved(path: Path, asked: Asked) -> Film:
    if path.suffix.lower() == ".html":
        animation, origin = load_page(path)
    else:
        animation = load_animation(path)
        origin = animation.origin
    asked.check(animation.board)
    shades = (shades for shades, _ in animation.changes())
    return Film(
        board=animation.board,
        boards=animation.boards,
        frames=zip(shades, animation.durations().tolist(), strict=True),
        steps=animation.seal.steps,
        origin=origin,
        pressed=animation,
        expected=len(animation.frames),
    )


def _labelled(label: Label, frames: Iterator[tuple[Shades, float | None]]) -> Film:
    return Film(
        board=label.board,
        boards=label.boards,
        frames=frames,
        steps=label.steps,
        sha256=label.sha256,
        origin=label.origin,
        expected=label.frames,
    )


def _unlabelled(path: Path, asked: Asked) -> tuple[Board, Look]:
    # Read once to see how light and dark its cells are.
    board, darkest, lightest = None, np.inf, -np.inf
    with open_tape(path) as tape:
        for shot in tape.shots:
            board = board or asked.board(*shot.raster.shape)
            light = light_in_cells(shot.raster, *board.shape)
            darkest, lightest = min(darkest, light.min()), max(lightest, light.max())
    if board is None:
        raise AnimationError("it has no frames")
    geometry = Geometry(rows=board.rows, columns=board.columns, cell=1, gap=0)
    return board, PlainLook(geometry, (float(darkest), float(lightest)))


def _seen(look: Look, shots: Iterator[Shot]) -> Iterator[tuple[Shades, float | None]]:
    for number, shot in enumerate(shots):
        look.see(number, shot.raster)
        yield look.shades, shot.seconds
