"""Moves, each of clicks or steps, cut into the frames of an animation."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lightsanim.animation.animation import Animation
from lightsanim.animation.clicks import Clicks, PackedSteps, concatenate_clicks, concatenate_steps
from lightsanim.animation.origin import Origin
from lightsanim.animation.timing import count_clicks_by_frame
from lightsanim.board.board import Board
from lightsanim.look.levels import Lights as Lights
from lightsanim.options.stages import Timing


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
    """Cut the click orders of one or more moves into frames, with a hold at each picture.

    Args:
        board: the board.
        first: the first configuration, see `Animation`.
        moves: for each move from a picture to the next, its clicks in order and, in colour, their
            primaries; or its steps, each of which is a frame.
        timing: see `Timing`.
        fronts: for each move at which share of its way each click is made, where they are not made
            evenly; see `lightsanim.animation.timing.pace_clicks`.
        returns: whether the last move leads back to the first picture, which then is held at the
            beginning of the next round only.
        pictures: the names of the pictures.
        targets: see `Animation`.
        seed: for the record.
        origin: for the record.

    >>> board, off = Board(1, 3), np.zeros((1, 3), bool)
    >>> animation = animate(board, off, [(np.array([0, 2], np.int32), None)], Timing(fps=10))
    >>> [c.astype(int).tolist()[0] for c in animation.configurations()]
    [[0, 0, 0], [1, 1, 0], [1, 0, 1]]
    >>> animation.durations().round(3).tolist()
    [1.0, 0.1, 3.1]
    """
    # The first frame's own 1 / fps counts towards its hold, so that the first click comes when
    # the hold is over and the total is hold_first + duration + hold_last.
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
