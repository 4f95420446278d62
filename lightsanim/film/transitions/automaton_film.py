"""The automaton transition: each step presses every lit cell, q - v times if its level is v.

Steps that start from a picture scramble it; if it has enough dark cells around it (a room), some
steps show copies of it.  Steps that end in a picture start from noise, which is found by running
the automaton backwards.  Between two pictures, one step with other clicks joins both noises.

With path through, there is no such step: after q^k steps the level of each cell is a sum of four
levels of the start, and a search chooses a start that looks like the first picture and becomes a
likeness of the second; with three pictures, of the third after q^(k+1) steps.
"""

import math
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise

import numpy as np

from lightsanim.errors import OptionError
from lightsanim.film.clicks import PackedSteps, packed_click_set_size
from lightsanim.game.board.automaton import automaton, require_reversing_board
from lightsanim.game.board.board import Board
from lightsanim.game.levels import Lights
from lightsanim.game.solve.fewest import FRAME_SEARCH_SECONDS
from lightsanim.game.solve.nearest import nearest_accessible
from lightsanim.options.checks import pluralize
from lightsanim.options.choices import ARRIVE, BOTH, LEAVE, THROUGH
from lightsanim.options.settings import Settings
from lightsanim.system.deadline import Deadline
from lightsanim.system.progress import StageTimer
from .automaton_powers import build_power_effects, find_return
from .dissolve import find_frame_clicks
from .searched_ends import report_errors, search_pictures
from .transition import (
    Move,
    Targets,
    Transition,
    build_exact_nearest,
    check_frames_fit_in_memory,
    find_nearest_configurations,
)

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
# With path through: range of the default number of steps to the last picture, and the largest share
# of the shorter side for those to the second, unless even the smallest power is larger.
MIN_THROUGH_STEPS, MAX_THROUGH_STEPS, MAX_STEP_SHARE = 8, 64, 0.28
# Maximum number of steps of a cycle with path through, and for each number of levels a board that
# returns within: after 254, 242, 124 or 342 steps.
MAX_CYCLE_STEPS = 1023
RETURNING_SIZES = {2: "126x128", 3: "120x121", 5: "61x62", 7: "85x56"}
# Weights of the pictures' errors, for two and for three.  Each cell of the start changes four of
# each other picture, so that equal weights would leave the start worse.
WEIGHTS = {2: (1.45, 1.0), 3: (1.35, 1.0, 1.0)}
# Numbers of sweeps of the search for two pictures and for three.
ORBIT_SWEEPS = {2: 600, 3: 300}
# Maximum number of pictures with path through: a fourth would leave too little freedom.
MAX_THROUGH_PICTURES = 3
# Work, in seconds, to make the start accessible; more would hardly reduce the few wrong cells.
NEAREST_SECONDS = 0.5
# Bytes of memory that the search needs for each cell with two and with three pictures.
BYTES_PER_CELL = {2: 6000, 3: 18000}

MoveEnds = tuple[Lights | None, Lights | None]
"""First picture of a move, and noise that becomes its last picture; either may be None."""


def build_automaton_transition(
    board: Board, targets: Sequence[Targets], settings: Settings, clock: StageTimer
) -> Transition:
    """Build the transition; all steps are the automaton's, except one between two pictures."""
    if settings.path == THROUGH:
        return build_through_transition(board, targets, settings, clock)
    if (len(targets) > 1 or settings.is_cycle) and settings.path != BOTH:
        raise OptionError("path needs a single picture without ending cycle; leave it out", "path")
    if settings.path != LEAVE:
        require_reversing_board(board)
    max_steps = settings.steps or (MAX_STEPS if settings.room == 1 else max(board.shape) // 2)
    frames = max_steps * (len(targets) + settings.is_cycle) * (1 + (settings.path == BOTH))
    packed_shape = packed_click_set_size((len(targets[0]), *board.shape), board.levels)
    size = frames * math.prod(packed_shape) * (2 + 2 * settings.is_boomerang)
    check_frames_fit_in_memory(size, frames, board, "an automaton", "fewer steps")
    with clock.time_stage("nearest") as say:
        nearest = find_nearest_configurations(board, targets, settings, say)
    pictures = [np.stack([plane.configuration for plane in planes]) for planes in nearest]
    with clock.time_stage("fewest"):
        copies = {} if settings.room == 1 else count_copies_by_step(board, pictures[0], max_steps)
        power = int(math.log(min(MAX_STEPS, *board.shape), board.levels) + 1e-9)
        pairs = range(len(pictures) - 1 + settings.is_cycle)
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


def build_through_transition(
    board: Board, targets: Sequence[Targets], settings: Settings, clock: StageTimer
) -> Transition:
    """Build the transition from one picture to the others by the automaton's steps alone."""
    powers = choose_through_steps(board, targets, settings)
    stops = [0, *powers]
    if settings.is_cycle:
        total = find_return(board, stops[-1] + 1, MAX_CYCLE_STEPS)
        if total is None:
            wrapped = " wrapped" * board.wrap
            raise OptionError(
                f"on a board of {board.columns}x{board.rows} cells{wrapped}, the automaton does "
                f"not return to the first picture within {MAX_CYCLE_STEPS} steps; leave out "
                f"ending cycle, or choose size {RETURNING_SIZES[board.levels]}"
                f"{' unwrapped' * board.wrap}",
                "ending",
            )
        stops.append(total)
    size = board.cells * len(targets[0]) * BYTES_PER_CELL[len(targets)]
    check_frames_fit_in_memory(size, powers[-1], board, "an automaton", "a smaller size")
    kinds, weights = [build_power_effects(board, powers)], WEIGHTS[len(targets)]
    search = search_pictures(
        board, targets, kinds, weights, settings, clock, sweeps=ORBIT_SWEEPS[len(targets)]
    )
    with clock.time_stage("fewest"):
        deadline = Deadline(settings.time_limit * len(search.cells))
        start = [
            nearest_accessible(board, b, time_limit=deadline.of_work(NEAREST_SECONDS))
            for b in search.cells[:, 0]
        ]
        first = np.stack([plane.configuration for plane in start])
        frames = [first, *run_automaton_steps(board, first, powers[-1])]
        lights = [frames[stop] for stop in [0, *powers]]
        nearest = build_exact_nearest(board, lights)
        counts = (end - begin for begin, end in pairwise(stops))
        parts = zip(lights, counts, strict=False)
        moves = [find_automaton_move(board, (b, None), n, [n], settings) for b, n in parts]
    notes = report_errors(np.stack(lights, axis=1), search.greys, board.levels)
    return Transition(
        nearest=nearest,
        moves=moves,
        notes=notes,
        has_searched_ends=True,
        cut_short=search.cut_short or deadline.cut_short,
    )


def choose_through_steps(board: Board, targets: Sequence[Targets], settings: Settings) -> list[int]:
    """Return the numbers of steps from the first picture to each other one: powers in a row."""
    if not 2 <= len(targets) <= MAX_THROUGH_PICTURES:
        raise OptionError(
            f"path through needs 2 to {MAX_THROUGH_PICTURES} pictures, not {len(targets)}", "path"
        )
    if board.rule != "plus":
        raise OptionError(f"path through needs rule plus, not {board.rule}", "rule")
    q, side, factor = board.levels, min(board.shape), board.levels ** (len(targets) - 2)
    longest = ((side - 1) // 2 if board.wrap else side) // factor
    powers = [q**k for k in range(1, 7)]
    powers = [n for n in powers if MIN_THROUGH_STEPS <= n * factor <= MAX_THROUGH_STEPS]
    usual = [power for power in powers if power <= MAX_STEP_SHARE * side] or powers[:1]
    steps = settings.steps or usual[-1]
    if steps > longest or steps != q ** round(math.log(steps, q)):
        raise OptionError(
            f"with path through, steps must be a power of {q}, and at most {longest} on "
            f"{board.columns}x{board.rows} cells, not {steps}",
            "steps" if settings.steps else "size",
        )
    return [steps * q**number for number in range(len(targets) - 1)]


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
        for number, (before, after) in enumerate(pairwise(frames)):
            presses = board.subtract(before ^ before, before)
            if number == count:  # the joining step
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
