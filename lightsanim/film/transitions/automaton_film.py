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
from dataclasses import dataclass
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from lightsanim.errors import OptionError
from lightsanim.film.clicks import PackedSteps, packed_click_set_size
from lightsanim.game.board.automaton import automaton, require_reversing_board
from lightsanim.game.board.board import Board
from lightsanim.game.levels import Lights
from lightsanim.game.solve.fewest import FRAME_SEARCH_SECONDS
from lightsanim.game.solve.nearest import nearest_accessible
from lightsanim.options.checks import pluralize
from lightsanim.options.choices import ARRIVE, BOOMERANG, BOTH, LEAVE
from lightsanim.system.deadline import Deadline
from .automaton_powers import build_power_effects, find_return
from .dissolve import find_frame_clicks
from .searched_ends import report_errors, search_pictures
from .transition import (
    End,
    Move,
    Pair,
    Targets,
    Transition,
    check_frames_fit_in_memory,
    exact_ends,
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

NOISE = End(targets=(), nearest=())  # What follows the steps from a picture, or leads to one.


class Automaton(Transition):
    """Automata: from a picture to noise, from noise to a picture, or both."""

    makes_steps = True

    def ends(self, targets: Sequence[Targets]) -> Sequence[End]:
        """Return the nearest configurations, on a board on which steps can be undone if needed."""
        board, path = self.board, self.options.path
        if (len(targets) > 1 or self.is_cycle) and path != BOTH:
            flaw = "path needs a single picture without ending cycle; leave it out"
            raise OptionError(flaw, "path")
        if path != LEAVE:
            require_reversing_board(board)
        frames = self._max_steps * (len(targets) + self.is_cycle) * (1 + (path == BOTH))
        packed_shape = packed_click_set_size((len(targets[0]), *board.shape), board.levels)
        size = frames * math.prod(packed_shape) * (2 + 2 * (self.ending == BOOMERANG))
        check_frames_fit_in_memory(size, frames, board, "an automaton", "fewer steps")
        ends = super().ends(targets)
        if len(ends) > 1 or self.is_cycle:
            return ends
        return [*[NOISE] * (path != LEAVE), *ends, *[NOISE] * (path != ARRIVE)]

    @property
    def _max_steps(self) -> int:
        default = MAX_STEPS if self.options.room == 1 else max(self.board.shape) // 2
        return self.options.steps or default

    def moves(self, pairs: Sequence[Pair]) -> Sequence[Move]:
        """Return the steps of each move; both noises of two pictures are joined by a step."""
        board, path = self.board, self.options.path
        first = next(end for end in chain(*pairs) if end is not NOISE)
        is_joined = not any(end is NOISE for end in chain(*pairs))
        with self.clock.time_stage("fewest"):
            has_room = self.options.room != 1
            copies = count_copies_by_step(board, first.lights, self._max_steps) if has_room else {}
            power = max(1, int(math.log(min(MAX_STEPS, *board.shape), board.levels) + 1e-9))
            default = min(MAX_PAIR_STEPS if is_joined else MAX_STEPS, board.levels**power - 1)
            count = self.options.steps or max(copies, default=default)
            moves = [self.find_move(start, end, count, [*copies]) for start, end in pairs]
        counts = [f"{number} after {pluralize(step, 'step')}" for step, number in copies.items()]
        if counts and path != ARRIVE:
            self.facts.add_notes([f"Copies appear: {', '.join(counts)}."])
        if path != LEAVE:
            size = f"{board.columns}x{board.rows}"
            self.facts.add_notes([f"On a {size} board every step can be undone."])
        return moves

    def find_move(self, start: End, end: End, count: int, copies: Sequence[int]) -> Move:
        """Return ``count`` steps from a picture, a joining step, and ``count`` to the next."""
        board, parts = self.board, list[Lights]()
        if start is not NOISE:
            parts.append(start.lights)
        if end is not NOISE:  # from noise, found by running backwards, to the picture
            parts.append(deque(run_automaton_steps(board, end.lights, -count), maxlen=1).pop())
        frames = chain(*(chain([part], run_automaton_steps(board, part, count)) for part in parts))
        deadline, last = Deadline(self.search.time_limit), parts[0]

        def find_step_presses() -> Iterator[Lights]:
            nonlocal last
            for number, (before, last) in enumerate(pairwise(frames)):
                presses = board.subtract(before ^ before, before)
                if number == count:  # the joining step
                    pair = [*before], [*last]
                    presses, _ = find_frame_clicks(board, *pair, deadline, FRAME_SEARCH_SECONDS)
                yield presses

        holds = self._hold_frames(len(parts), count, copies, begins=start is not NOISE)
        steps = PackedSteps.pack(parts[0].shape, board.levels, find_step_presses(), holds)
        return Move(
            start=parts[0],
            clicks=steps,
            end=last,
            bound=int(steps.press_counts.sum()) if board.nullity == 0 else 0,
            seconds=deadline.seconds_used(),
            cut_short=deadline.cut_short,
        )

    def _hold_frames(
        self, parts: int, count: int, copies: Sequence[int], *, begins: bool
    ) -> NDArray[np.float64]:
        """Return the additional seconds for which each frame is shown: longer near pictures."""
        last, hold = parts * (count + 1) - 1, self.timing.hold_last or 0
        fixed = {0: hold, **dict.fromkeys(copies, COPY_HOLD)} if begins else {}
        if not begins or parts > 1 or count in copies:
            fixed[last] = hold
        away = np.abs(np.subtract.outer(np.arange(last + 1), [*fixed])).min(axis=1)
        frame_times = NEAR_HOLDS[np.minimum(away, 4)]
        if parts > 1:
            frame_times[: len(TRACE_HOLDS)] = TRACE_HOLDS[: last + 1]
        rate, slows = self.timing.fps, self.timing.ease != "linear"
        holds: NDArray[np.float64] = frame_times / rate * slows
        holds[[*fixed]] = [*fixed.values()]
        return holds


@dataclass(frozen=True, kw_only=True, eq=False)
class Stop(End):
    """An end of an automaton that goes through all pictures, and the steps to the next one."""

    steps: int


class Through(Automaton):
    """An automaton from one picture to the others by its steps alone."""

    def ends(self, targets: Sequence[Targets]) -> Sequence[Stop]:
        """Search a start that looks like the first picture and becomes the others."""
        board, pictures = self.board, len(targets)
        powers = choose_through_steps(board, pictures, self.options.steps)
        stops = [0, *powers, *self._find_return(powers[-1])]
        size = board.cells * len(targets[0]) * BYTES_PER_CELL[pictures]
        check_frames_fit_in_memory(size, powers[-1], board, "an automaton", "a smaller size")
        kinds, sweeps = [build_power_effects(board, powers)], ORBIT_SWEEPS[pictures]
        search = search_pictures(self, targets, kinds, WEIGHTS[pictures], sweeps=sweeps)
        with self.clock.time_stage("fewest"):
            deadline = Deadline(self.search.time_limit * len(search.cells))
            start = [
                nearest_accessible(board, b, time_limit=deadline.part(work=NEAREST_SECONDS))
                for b in search.cells[:, 0]
            ]
            first = np.stack([plane.configuration for plane in start])
            frames = [first, *run_automaton_steps(board, first, powers[-1])]
            lights = [frames[stop] for stop in [0, *powers]]
        self.facts.add_notes(report_errors(np.stack(lights, axis=1), search.greys, board.levels))
        self.facts.cut_short |= deadline.cut_short
        counts = [*(b - a for a, b in pairwise(stops)), 0]
        ends = exact_ends(board, targets, lights)
        return [
            Stop(targets=end.targets, nearest=end.nearest, steps=count)
            for end, count in zip(ends, counts, strict=False)
        ]

    def _find_return(self, last: int) -> list[int]:
        """Return the number of steps after which a cycle shows the first picture again."""
        if not self.is_cycle:
            return []
        board = self.board
        total = find_return(board, last + 1, MAX_CYCLE_STEPS)
        if total is None:
            wrapped = " wrapped" * board.wrap
            raise OptionError(
                f"on a board of {board.columns}x{board.rows} cells{wrapped}, the automaton does "
                f"not return to the first picture within {MAX_CYCLE_STEPS} steps; leave out "
                f"ending cycle, or choose size {RETURNING_SIZES[board.levels]}"
                f"{' unwrapped' * board.wrap}",
                "ending",
            )
        return [total]

    def moves(self, pairs: Sequence[Pair]) -> Sequence[Move]:
        """Return the automaton's steps from each picture to the next."""
        with self.clock.time_stage("fewest"):
            starts = [start for start, _ in pairs if isinstance(start, Stop)]
            return [self.find_move(start, NOISE, start.steps, [start.steps]) for start in starts]


def choose_through_steps(board: Board, pictures: int, steps: int | None) -> list[int]:
    """Return the numbers of steps from the first picture to each other one: powers in a row."""
    if not 2 <= pictures <= MAX_THROUGH_PICTURES:
        raise OptionError(
            f"path through needs 2 to {MAX_THROUGH_PICTURES} pictures, not {pictures}", "path"
        )
    if board.rule != "plus":
        raise OptionError(f"path through needs rule plus, not {board.rule}", "rule")
    q, side, factor = board.levels, min(board.shape), board.levels ** (pictures - 2)
    longest = ((side - 1) // 2 if board.wrap else side) // factor
    powers = [q**k for k in range(1, 7)]
    powers = [n for n in powers if MIN_THROUGH_STEPS <= n * factor <= MAX_THROUGH_STEPS]
    usual = [power for power in powers if power <= MAX_STEP_SHARE * side] or powers[:1]
    chosen = steps or usual[-1]
    if chosen > longest or chosen != q ** round(math.log(chosen, q)):
        raise OptionError(
            f"with path through, steps must be a power of {q}, and at most {longest} on "
            f"{board.columns}x{board.rows} cells, not {chosen}",
            "steps" if steps else "size",
        )
    return [chosen * q**number for number in range(pictures - 1)]


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
