"""The automaton: films that play themselves, each step a press of every light that is lit.

A picture is left until it is scrambled, or stands there several times, and arrived at out of what
becomes it by as many steps: noise.  Between two pictures one free click set joins noise to noise.
"""

import math
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise

import numpy as np

from lightsanim.animation.clicks import Steps, packed_size
from lightsanim.animation.dissolve import find_step
from lightsanim.animation.transition import (
    Move,
    Targets,
    Transition,
    check_memory,
    find_nearest,
)
from lightsanim.board.automaton import automaton, next_lights, require_undo_board
from lightsanim.board.board import Board
from lightsanim.errors import OptionError
from lightsanim.look.levels import Lights
from lightsanim.options.checks import plural
from lightsanim.options.choices import ARRIVE, BOTH, LEAVE
from lightsanim.options.settings import Settings
from lightsanim.solve.fewest import FRAME_SEARCH_SECONDS
from lightsanim.system.deadline import Deadline
from lightsanim.system.progress import Timer

# A power of the levels less one scrambles most: 31, 26, 24 or 48 steps, on small boards fewer.
MOST_STEPS = 50

# Copies are whole where so many of their cells are lit: drawings may touch at their corners.
WHOLE = 0.8

# Seconds that whole copies rest; steps' times that frames do so many steps away, or more.
REST, NEAR = 1.0, np.array([0, 3, 1.5, 0.75, 0])

Way = tuple[Lights | None, Lights | None]  # what a move leaves, and the noise it arrives from


def automaton_film(
    board: Board, targets: Sequence[Targets], settings: Settings, clock: Timer
) -> Transition:
    """The transition in which every step but a free one presses exactly the lit cells."""
    if (len(targets) > 1 or settings.cycle) and settings.path != BOTH:
        raise OptionError("path is for one picture without cycle; leave it out", "path")
    if settings.path != LEAVE:
        require_undo_board(board)
    most = settings.steps or (MOST_STEPS if settings.room == 1 else max(board.shape) // 2)
    frames = most * (len(targets) + settings.cycle) * (1 + (settings.path == BOTH))
    bits = packed_size((len(targets[0]), *board.shape), board.levels)
    size = frames * math.prod(bits) * (2 + 2 * settings.boomerang)
    check_memory(size, frames, board, "an automaton", "fewer steps")
    with clock.stage("nearest") as say:
        reached = find_nearest(board, targets, settings, say)
    shown = [np.stack([nearest.configuration for nearest in boards]) for boards in reached]
    with clock.stage("fewest"):
        copies = {} if settings.room == 1 else whole_copies(board, shown[0], most)
        power = int(math.log(min(MOST_STEPS, *board.shape), board.levels) + 1e-9)
        count = settings.steps or max(copies, default=board.levels ** max(1, power) - 1)
        back = (played(board, one, -count) for one in shown if settings.path != LEAVE)
        noise = [*(deque(films, maxlen=1).pop() for films in back), None]
        pairs = range(len(shown) - 1 + settings.cycle)
        ways: list[Way] = [(shown[n], noise[(n + 1) % len(shown)]) for n in pairs]
        if not ways:
            ways = [(None, noise[0])] * (settings.path != LEAVE)
            ways += [(shown[0], None)] * (settings.path != ARRIVE)
        moves = [find_move(board, way, count, [*copies], settings) for way in ways]
    seen = [f"{number} after {plural(step, 'step')}" for step, number in copies.items()]
    notes = [f"Whole copies: {', '.join(seen)}."] if seen and settings.path != ARRIVE else []
    if settings.path != LEAVE:
        notes += [f"At {board.columns}x{board.rows} cells every step can be undone."]
    first = next(part for part in ways[0] if part is not None)
    return Transition(reached=reached, moves=moves, notes=notes, first=[*first])


def played(board: Board, lights: Lights, steps: int) -> Iterator[Lights]:
    """The configurations of all boards, (boards, rows, columns), after each step."""
    return map(np.stack, zip(*(automaton(board, one, steps) for one in lights), strict=True))


def whole_copies(board: Board, lights: Lights, most: int) -> dict[int, int]:
    """After which steps, q^j or q^j + q^(j-1), whole copies stand in the room, and how many."""
    lit, copies = max(1, np.count_nonzero(lights)), dict[int, int]()
    each = len({*board.offsets()} ^ {(0, 0)})
    for step, after in enumerate(played(board, lights, most), start=1):
        digits = np.base_repr(step, board.levels)
        number = each ** digits.count("1")
        if digits.rstrip("0") in ("1", "11") and np.count_nonzero(after) >= WHOLE * number * lit:
            copies[step] = number
    return copies


def find_move(
    board: Board, way: Way, count: int, copies: Sequence[int], settings: Settings
) -> Move:
    """So many steps from a picture, a free one, and so many from noise to the next picture."""
    (start, noise), parts = way, [part for part in way if part is not None]
    frames = chain.from_iterable(chain([part], played(board, part, count)) for part in parts)
    deadline = Deadline(settings.time_limit)

    def presses() -> Iterator[Lights]:
        for before, after in pairwise(frames):
            lit = board.subtract(before ^ before, before)
            if not all(map(np.array_equal, (next_lights(board, one) for one in before), after)):
                lit, _ = find_step(board, [*before], [*after], deadline, FRAME_SEARCH_SECONDS)
            yield lit

    last, hold = len(parts) * (count + 1) - 1, settings.hold_last or 0
    stands = {} if start is None else {0: hold, **dict.fromkeys(copies, REST)}
    if noise is not None or count in copies:
        stands[last] = hold
    away = np.abs(np.subtract.outer(np.arange(last + 1), [*stands])).min(axis=1)
    rests = NEAR[np.minimum(away, 4)] / settings.frame_rate * (settings.ease != "linear")
    rests[[*stands]] = [*stands.values()]
    steps = Steps.of(parts[0].shape, board.levels, presses(), rests)
    return Move(
        clicks=steps,
        bound=int(steps.counts.sum()) if board.nullity == 0 else 0,
        seconds=deadline.seconds_used(),
        cut_short=deadline.cut_short,
    )
