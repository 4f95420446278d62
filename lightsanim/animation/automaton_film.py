"""The automaton transition: each step presses every lit cell, q - v times if its level is v.

Steps that start from a picture scramble it; if it has enough dark cells around it (a room), some
steps show copies of it.  Steps that end in a picture start from noise, which is found by running
the automaton backwards.  Between two pictures, one step with other clicks joins both noises.
"""

import math
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise

import numpy as np

from lightsanim.animation.clicks import PackedSteps, packed_click_set_size
from lightsanim.animation.dissolve import find_frame_clicks
from lightsanim.animation.transition import (
    Move,
    Targets,
    Transition,
    check_frames_fit_in_memory,
    find_nearest_configurations,
)
from lightsanim.board.automaton import automaton, next_configuration, require_reversing_board
from lightsanim.board.board import Board
from lightsanim.errors import OptionError
from lightsanim.look.levels import Lights
from lightsanim.options.checks import pluralize
from lightsanim.options.choices import ARRIVE, BOTH, LEAVE
from lightsanim.options.settings import Settings
from lightsanim.solve.fewest import FRAME_SEARCH_SECONDS
from lightsanim.system.deadline import Deadline
from lightsanim.system.progress import StageTimer

# Maximum default number of steps for pictures without dark cells around them.  With q levels,
# q**k - 1 steps scramble a picture most: 31, 26, 24 or 48 steps for q = 2, 3, 5 or 7.
MAX_STEPS = 50
# Maximum default number of steps from, and to, each picture of films that join their noises.
# Pictures are hardly recognisable after the eighth step, and not after the twelfth.
MAX_PAIR_STEPS = 12
# Minimum share of lit cells with which copies count as whole; their corners may overlap.
MIN_COPY_SHARE = 0.8
# Seconds for which a frame that shows whole copies is held.
COPY_HOLD = 1.0
# Additional time, in frame durations, for which frames 0, 1, 2, ... steps from a held frame are
# shown; the last value applies to all frames farther away.
NEAR_HOLDS = np.array([0, 3, 1.5, 0.75, 0])
# The same for the first frames of a film of two pictures: the first eight steps leave traces of the
# first picture, but frames that lead to the second are noise up to the last step.
TRACE_HOLDS = np.array([0, 3, 2.5, 2, 1.75, 1.5, 1.25, 1, 0.75])

MoveEnds = tuple[Lights | None, Lights | None]
"""First picture of a move, and noise that becomes its last picture; either may be None."""


def build_automaton_transition(
    board: Board, targets: Sequence[Targets], settings: Settings, clock: StageTimer
) -> Transition:
    """Build the transition; all steps are the automaton's, except one between two pictures."""
    if (len(targets) > 1 or settings.cycle) and settings.path != BOTH:
        raise OptionError("path needs a single picture without cycle; leave it out", "path")
    if settings.path != LEAVE:
        require_reversing_board(board)
    max_steps = settings.steps or (MAX_STEPS if settings.room == 1 else max(board.shape) // 2)
    frames = max_steps * (len(targets) + settings.cycle) * (1 + (settings.path == BOTH))
    packed_shape = packed_click_set_size((len(targets[0]), *board.shape), board.levels)
    size = frames * math.prod(packed_shape) * (2 + 2 * settings.boomerang)
    check_frames_fit_in_memory(size, frames, board, "an automaton", "fewer steps")
    with clock.time_stage("nearest") as say:
        nearest = find_nearest_configurations(board, targets, settings, say)
    pictures = [np.stack([plane.configuration for plane in planes]) for planes in nearest]
    with clock.time_stage("fewest"):
        copies = {} if settings.room == 1 else count_copies_by_step(board, pictures[0], max_steps)
        power = int(math.log(min(MAX_STEPS, *board.shape), board.levels) + 1e-9)
        pairs = range(len(pictures) - 1 + settings.cycle)
        max_default = MAX_PAIR_STEPS if pairs else MAX_STEPS
        scrambling = min(max_default, board.levels ** max(1, power) - 1)
        count = settings.steps or max(copies, default=scrambling)
        starts = [] if settings.path == LEAVE else pictures
        histories = (run_automaton_steps(board, start, -count) for start in starts)
        noise = [*(deque(history, maxlen=1).pop() for history in histories), None]
        routes: list[MoveEnds] = [(pictures[n], noise[(n + 1) % len(pictures)]) for n in pairs]
        if not routes:
            routes = [(None, noise[0])] * (settings.path != LEAVE)
            routes += [(pictures[0], None)] * (settings.path != ARRIVE)
        moves = [find_automaton_move(board, route, count, [*copies], settings) for route in routes]
    counts = [f"{number} after {pluralize(step, 'step')}" for step, number in copies.items()]
    notes = [f"Copies appear: {', '.join(counts)}."] if counts and settings.path != ARRIVE else []
    if settings.path != LEAVE:
        notes += [f"On a {board.columns}x{board.rows} board every step can be undone."]
    first = next(part for part in routes[0] if part is not None)
    return Transition(nearest=nearest, moves=moves, notes=notes, first=[*first])


def run_automaton_steps(board: Board, lights: Lights, steps: int) -> Iterator[Lights]:
    """Yield the configuration of all colour planes, (planes, rows, columns), after each step."""
    return map(np.stack, zip(*(automaton(board, plane, steps) for plane in lights), strict=True))


def count_copies_by_step(board: Board, lights: Lights, max_steps: int) -> dict[int, int]:
    """Return the number of whole copies after each step q^j or q^j + q^(j-1) that shows them."""
    lit, copies = max(1, np.count_nonzero(lights)), dict[int, int]()
    factor = len({*board.offsets()} ^ {(0, 0)})
    for step, after in enumerate(run_automaton_steps(board, lights, max_steps), start=1):
        digits = np.base_repr(step, board.levels)
        number = factor ** digits.count("1")
        is_whole = np.count_nonzero(after) >= MIN_COPY_SHARE * number * lit
        if is_whole and digits.rstrip("0") in ("1", "11"):
            copies[step] = number
    return copies


def find_automaton_move(
    board: Board, route: MoveEnds, count: int, copies: Sequence[int], settings: Settings
) -> Move:
    """Build a move: ``count`` steps from a picture, a joining step, ``count`` steps to the next."""
    (start, noise), parts = route, [part for part in route if part is not None]
    frames = chain(*(chain([part], run_automaton_steps(board, part, count)) for part in parts))
    deadline = Deadline(settings.time_limit)

    def find_step_presses() -> Iterator[Lights]:
        for before, after in pairwise(frames):
            presses = board.subtract(before ^ before, before)
            own_step = [next_configuration(board, plane) for plane in before]
            if not np.array_equal(own_step, after):
                pair = [*before], [*after]
                presses, _ = find_frame_clicks(board, *pair, deadline, FRAME_SEARCH_SECONDS)
            yield presses

    last, hold = len(parts) * (count + 1) - 1, settings.hold_last or 0
    fixed = {} if start is None else {0: hold, **dict.fromkeys(copies, COPY_HOLD)}
    if noise is not None or count in copies:
        fixed[last] = hold
    away = np.abs(np.subtract.outer(np.arange(last + 1), [*fixed])).min(axis=1)
    frame_times = NEAR_HOLDS[np.minimum(away, 4)]
    if len(parts) > 1:
        frame_times[: len(TRACE_HOLDS)] = TRACE_HOLDS[: last + 1]
    holds = frame_times / settings.frame_rate * (settings.ease != "linear")
    holds[[*fixed]] = [*fixed.values()]
    steps = PackedSteps.pack(parts[0].shape, board.levels, find_step_presses(), holds)
    return Move(
        clicks=steps,
        bound=int(steps.press_counts.sum()) if board.nullity == 0 else 0,
        seconds=deadline.seconds_used(),
        cut_short=deadline.cut_short,
    )
