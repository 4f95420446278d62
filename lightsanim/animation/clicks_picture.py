"""The wipe whose clicks draw a third picture: a search chooses both configurations and the clicks.

A dither leaves much of its freedom unused: many configurations look like the same picture.  Two
configurations that look like the first and the second picture therefore exist whose click set, the
solution of their difference, looks like a third.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from lightsanim.animation.transition import Targets, Transition
from lightsanim.animation.wipe import order_fewest_clicks
from lightsanim.board.board import Board
from lightsanim.errors import OptionError, SolverError
from lightsanim.options.settings import Settings
from lightsanim.solve.halftone import Effects, blurred_errors, search_halftones
from lightsanim.solve.nearest import build_nearest
from lightsanim.system.deadline import Deadline
from lightsanim.system.progress import StageTimer

# Brightness of black and of white in the two pictures and in the clicks.  The smaller the range,
# the more freedom there is; few clicks would leave the second picture like the first.
TONES = np.array([(0.1, 0.9), (0.1, 0.9), (0.18, 0.8)])
# Weights of the errors of the two pictures and of the clicks.
WEIGHTS = (1.0, 1.0, 1.2)
# Blurred error from which one of the pictures is hard to recognise.
MAX_ERROR = 0.05


def build_clicks_picture(
    board: Board, targets: Sequence[Targets], settings: Settings, clock: StageTimer
) -> Transition:
    """Build the wipe between the first two targets whose clicks look like the third."""
    if board.nullity:
        raise OptionError(
            f"clicks_picture needs a board without quiet patterns, and {board.columns}x"
            f"{board.rows} has {board.nullity}; choose a size near it, or leave out its rows",
            "size",
        )
    dark, white = TONES.T[:, :, None, None]
    greys = np.array(
        [
            [np.interp(t.grey, t.shown, np.linspace(0, 1, len(t.shown))) for t in planes]
            for planes in zip(*targets, strict=True)
        ]
    )
    greys = dark + (white - dark) * greys
    offsets = [(1, *offset) for offset in board.offsets()]
    cell = Effects.from_offsets(board.shape, [(0, 0, 0), (1, 0, 0)], wrap=board.wrap)
    click = Effects.from_offsets(board.shape, [*offsets, (2, 0, 0)], wrap=board.wrap)
    deadline = Deadline(settings.time_limit)
    with clock.time_stage("halftone") as say:
        cells = search_halftones(
            greys,
            [cell, click],
            board.levels,
            weights=WEIGHTS,
            rng=np.random.default_rng(settings.seed),
            deadline=deadline,
            on_progress=lambda error, share: say(f"blurred error {error:.3f}", share),
        )
    ends = [
        [replace(t, configuration=b) for t, b in zip(planes, cells[:, picture], strict=True)]
        for picture, planes in enumerate(targets[:2])
    ]
    nearest = [[build_nearest(board, t.configuration, t.configuration) for t in e] for e in ends]
    transition = order_fewest_clicks(board, ends, nearest, settings, clock)
    presses = transition.moves[0].clicks.count_presses(board, 0, len(transition.moves[0].clicks))
    if not np.array_equal(presses, cells[:, 2]):
        raise SolverError("the clicks found do not draw their picture; please report this")
    errors = blurred_errors(cells / (board.levels - 1), greys).mean(axis=0)
    notes = [
        f"Blurred errors: {errors[0]:.3f} and {errors[1]:.3f}; of the clicks {errors[2]:.3f}.",
        *(
            ["The pictures do not suit each other: try drawings, close portraits, or more cells."]
            if errors.max() > MAX_ERROR
            else []
        ),
    ]
    return replace(transition, targets=ends, notes=notes, cut_short=deadline.cut_short)
