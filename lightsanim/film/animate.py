"""Assembly of an animation: dividing clicks or steps into frames, and holding pictures."""

from collections.abc import Sequence

import numpy as np

from lightsanim.game.board.board import Board
from lightsanim.game.levels import Lights as Lights
from lightsanim.options.stages import Timing
from .animation import Animation
from .clicks import Clicks as Clicks
from .clicks import History, join_moves
from .origin import Origin


def animate(
    board: Board,
    first: Lights,
    moves: Sequence[History],
    timing: Timing,
    *,
    returns: bool = False,
    pictures: tuple[str, ...] = (),
    targets: tuple[Lights, ...] = (),
    seed: int | None = None,
    origin: Origin | None = None,
) -> Animation:
    """Build an animation: divide the clicks of moves into frames, and hold each picture.

    Args:
        board: board that is clicked.
        first: first configuration; see `Animation`.
        moves: moves from each picture to the next: `Clicks`, or `PackedSteps`, in which each step
            makes a frame.
        timing: frame rate, duration and holds; see `Timing`.
        returns: whether the last move leads back to the first picture, which is then held only at
            the beginning.
        pictures: names of the pictures.
        targets: targets of the pictures; see `Animation`.
        seed: seed to record.
        origin: origin to record.

    >>> board, off = Board(1, 3), np.zeros((1, 3), bool)
    >>> animation = animate(board, off, [Clicks(np.array([0, 2]))], Timing(fps=10))
    >>> [c.astype(int).tolist()[0] for c in animation.configurations()]
    [[0, 0, 0], [1, 1, 0], [1, 0, 1]]
    >>> animation.durations().round(3).tolist()
    [1.0, 0.1, 3.1]
    """
    # The hold of the first frame includes its own 1 / fps seconds, so the first click comes after
    # exactly `hold_first` seconds.
    frames, holds = [0], [(0, max(0.0, timing.hold_first - 1 / timing.fps))]
    for move in moves:
        frames += (frames[-1] + move.counts_by_frame(timing)).tolist()
        frame_holds = move.frame_holds
        seconds = [timing.hold_last] if frame_holds is None else frame_holds[1:].tolist()
        holds += enumerate(seconds, len(frames) - len(seconds))
    if returns:
        holds.pop()
    return Animation(
        board=board,
        first=first,
        history=join_moves(moves, in_colour=np.ndim(first) == 3),
        clicks_done=np.array(frames, np.int64),
        fps=timing.fps,
        holds=tuple((frame, seconds) for frame, seconds in holds if seconds > 0),
        loop=timing.loop,
        pictures=pictures,
        targets=targets,
        seed=seed,
        origin=origin,
    )
