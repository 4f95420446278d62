"""Assembly of an animation: dividing clicks or steps into frames, and holding pictures."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lightsanim.game.board.board import Board
from lightsanim.game.levels import Lights as Lights
from lightsanim.options.stages import Timing
from .animation import Animation
from .clicks import Clicks, PackedSteps, concatenate_clicks, concatenate_steps
from .origin import Origin
from .timing import count_clicks_by_frame


def animate(
    board: Board,
    first: Lights,
    moves: Sequence[Clicks | PackedSteps | tuple[NDArray[np.integer], NDArray[np.uint8] | None]],
    timing: Timing,
    *,
    fronts: Sequence[NDArray[np.float64] | None] | None = None,
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
        moves: moves from each picture to the next.  A move is `Clicks`; a pair of cells and
            primaries as in `Animation`; or `PackedSteps`, in which each step makes a frame.
        timing: frame rate, duration and holds; see `Timing`.
        fronts: progress of each move (0 to 1, rising) at which each of its clicks is made; None for
            evenly spaced clicks.
        returns: whether the last move leads back to the first picture, which is then held only at
            the beginning.
        pictures: names of the pictures.
        targets: targets of the pictures; see `Animation`.
        seed: seed to record.
        origin: origin to record.

    >>> board, off = Board(1, 3), np.zeros((1, 3), bool)
    >>> animation = animate(board, off, [(np.array([0, 2], np.int32), None)], Timing(fps=10))
    >>> [c.astype(int).tolist()[0] for c in animation.configurations()]
    [[0, 0, 0], [1, 1, 0], [1, 0, 1]]
    >>> animation.durations().round(3).tolist()
    [1.0, 0.1, 3.1]
    """
    # The hold of the first frame includes its own 1 / fps seconds, so the first click comes after
    # exactly `hold_first` seconds.
    frames, holds = [0], [(0, max(0.0, timing.hold_first - 1 / timing.fps))]
    all_moves = [
        move if isinstance(move, Clicks | PackedSteps) else Clicks(*move, front)
        for move, front in zip(moves, fronts or [None] * len(moves), strict=True)
    ]
    for move in all_moves:
        frames += (frames[-1] + count_clicks_by_frame(move, timing)).tolist()
        frame_holds = move.frame_holds if isinstance(move, PackedSteps) else None
        seconds = [timing.hold_last] if frame_holds is None else frame_holds[1:].tolist()
        holds += enumerate(seconds, len(frames) - len(seconds))
    if returns:
        holds.pop()
    step_moves = [move for move in all_moves if isinstance(move, PackedSteps)]
    click_moves = [move for move in all_moves if isinstance(move, Clicks)]
    clicks = concatenate_clicks(click_moves, in_colour=np.ndim(first) == 3)
    return Animation(
        board=board,
        first=first,
        clicks=clicks.cells,
        primaries=clicks.primaries,
        steps=concatenate_steps(step_moves) if step_moves else None,
        clicks_done=np.array(frames, np.int64),
        fps=timing.fps,
        holds=tuple((frame, seconds) for frame, seconds in holds if seconds > 0),
        loop=timing.loop,
        pictures=pictures,
        targets=targets,
        seed=seed,
        origin=origin,
    )
