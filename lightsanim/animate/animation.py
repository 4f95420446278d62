"""An animation: a first configuration, clicks one after the other, and when to show what.

It carries boards and clicks, never pixels.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightsanim.algebra.linear import Bits
from lightsanim.animate.timing import MAX_FPS, MAX_SECONDS, MIN_FPS, Timing
from lightsanim.board.board import Board
from lightsanim.errors import AnimationError
from lightsanim.values import check_whole


@dataclass(frozen=True, kw_only=True, eq=False)
class Animation:
    """A first configuration and the clicks that follow, cut into frames.

    Attributes:
        board: the board that the clicks are made on.
        first: bool (rows, columns), the configuration of frame 0.
        clicks: int (clicks,), the cells clicked, ``row * columns + column``, in order.
        frames: int64 (frames,), how many clicks are done when each frame is shown; starts with 0,
            never falls, and ends with the number of clicks.
        fps: frames a second; each frame is shown for 1 / fps seconds.
        holds: (frame, seconds): this frame is shown for so many seconds longer.
        pictures: the names of the pictures, one for each configuration that is held.
        seed: what the random parts of the order were drawn with.

    Raises:
        AnimationError: if these contradict each other.
    """

    board: Board
    first: Bits
    clicks: NDArray[np.integer]
    frames: NDArray[np.int64]
    fps: float
    holds: tuple[tuple[int, float], ...] = ()
    pictures: tuple[str, ...] = ()
    seed: int | None = None

    def __post_init__(self) -> None:
        if self.first.shape != self.board.shape or self.first.dtype != bool:
            raise AnimationError(f"the first configuration must be bool {self.board.shape}")
        outside = (self.clicks < 0) | (self.clicks >= self.board.cells)
        if outside.any():
            raise AnimationError(
                f"clicks must be cells 0 to {self.board.cells - 1}, not {self.clicks[outside][0]}"
            )
        if not len(self.frames) or self.frames[0] != 0 or self.frames[-1] != len(self.clicks):
            raise AnimationError(f"frames must lead from 0 to {len(self.clicks)} clicks")
        if (np.diff(self.frames) < 0).any():
            raise AnimationError("frames must not take clicks back")
        if self.seed is not None:
            check_whole("seed", self.seed, 0)
        if not MIN_FPS <= self.fps <= MAX_FPS:
            raise AnimationError(f"fps must be {MIN_FPS} to {MAX_FPS}, not {self.fps}")
        for frame, seconds in self.holds:
            if not 0 <= frame < len(self.frames) or not 0 <= seconds <= MAX_SECONDS:
                raise AnimationError(
                    f"holds must name frames 0 to {len(self.frames) - 1} and at most "
                    f"{MAX_SECONDS} seconds, not frame {frame} and {seconds}"
                )

    @property
    def last(self) -> Bits:
        """The configuration after all clicks: bool (rows, columns)."""
        configuration = self.first.copy()
        self.board.flip(configuration, self.clicks)
        return configuration

    def durations(self) -> NDArray[np.float64]:
        """How long each frame is shown, in seconds: float64 (frames,)."""
        seconds = np.full(len(self.frames), 1 / self.fps)
        for frame, longer in self.holds:
            seconds[frame] += longer
        return seconds

    def changes(self) -> Iterator[tuple[Bits, NDArray[np.int64]]]:
        """Frame by frame, the configuration and the cells that the frame's clicks touched.

        The configuration is one array that is changed in place from frame to frame; its cost grows
        with the clicks, not with frames times cells.
        """
        configuration = self.first.copy()
        yield configuration, np.zeros(0, np.int64)
        for start, end in zip(self.frames[:-1], self.frames[1:], strict=True):
            yield configuration, self.board.flip(configuration, self.clicks[start:end])

    def configurations(self) -> Iterator[Bits]:
        """The configuration of each frame: bool (rows, columns), a new array each."""
        for configuration, _ in self.changes():
            yield configuration.copy()

    def save(self, path: str | Path, **look: Any) -> None:
        """Write the animation; the suffix of ``path`` says in which format.

        Args:
            path: ``.gif``, ``.mp4`` or ``.json``.
            look: what to draw, see `lightsanim.Theme`: ``cell``, ``gap``, ``lit``, ...

        Raises:
            OptionError: for an unknown suffix or look.
            OutputError: if the file cannot be written; an old one is then left as it was.
        """
        # The one import that looks down the house: saving is what everyone does next.
        from lightsanim.render.write import save

        save(self, path, **look)


def animate(
    board: Board,
    first: Bits,
    moves: list[NDArray[np.int32]],
    timing: Timing,
    *,
    pictures: tuple[str, ...] = (),
    seed: int | None = None,
) -> Animation:
    """Cut the click orders of one or more moves into frames, with a hold at each picture.

    Args:
        board: the board.
        first: bool (rows, columns), the first configuration.
        moves: for each move from a picture to the next, its clicks in order (cell numbers).
        timing: see `Timing`.
        pictures: the names of the pictures.
        seed: for the record.

    >>> board, off = Board(1, 3), np.zeros((1, 3), bool)
    >>> animation = animate(board, off, [np.array([0, 2], np.int32)], Timing(fps=10))
    >>> [c.astype(int).tolist()[0] for c in animation.configurations()]
    [[0, 0, 0], [1, 1, 0], [1, 0, 1]]
    >>> animation.durations().round(3).tolist()
    [1.0, 0.1, 2.1]
    """
    # The first frame's own 1 / fps counts towards its hold, so that the first click comes when
    # the hold is over and the total is hold_first + duration + hold_last.
    frames, holds = [0], [(0, max(0.0, timing.hold_first - 1 / timing.fps))]
    for clicks in moves:
        frames += (frames[-1] + timing.frames_of(len(clicks))).tolist()
        holds.append((len(frames) - 1, timing.hold_last))
    return Animation(
        board=board,
        first=first,
        clicks=np.concatenate([np.zeros(0, np.int32), *moves]),
        frames=np.array(frames, np.int64),
        fps=timing.fps,
        holds=tuple((frame, seconds) for frame, seconds in holds if seconds > 0),
        pictures=pictures,
        seed=seed,
    )
