"""The sketch transition: a fade of few clicks, found by search, between exact pictures.

A move has three parts: a wipe from the exact picture to the first frame of the sketch, which looks
like it but is grainy; the steps of the fade; and a wipe to the exact next picture.  All parts are
single clicks with times.  Most clicks are in the two wipes.  Without the wipes, one search covers
all pictures.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import chain, pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from lightsanim.errors import OptionError, SolverError
from lightsanim.film.clicks import Clicks, Presses, join_clicks
from lightsanim.film.film_reports import SketchReport
from lightsanim.game.board.board import Board
from lightsanim.game.levels import Lights
from lightsanim.game.solve.fewest import Fewest
from lightsanim.game.solve.nearest import Nearest, build_nearest
from lightsanim.game.solve.status import Status
from lightsanim.options.settings import Settings
from lightsanim.pictures.dither import Target
from lightsanim.system.progress import ProgressReporter, StageTimer
from .sketch import Sketch, sketch_films
from .transition import (
    Move,
    Targets,
    Transition,
    build_exact_nearest,
    check_frames_fit_in_memory,
    find_nearest_configurations,
    pair_successive_pictures,
)
from .wipe import find_fewest_clicks, order_move_clicks

# Share of a move's time that each of its two wipes takes.
WIPE_SHARE = 0.2
# Bytes of memory that the search needs: for each cell of a frame, for each cell that a click may
# flip, and for each of these flips, fade and level of a cell.
BYTES_PER_CELL, BYTES_PER_FLIP, BYTES_PER_CHANGE = 65, 125, 8
# Minimum length of the shorter side, in cells; smaller boards are too coarse for faces.
MIN_FACE_SIDE = 48
# Side, in cells, of the square patches in which a step's clicks follow each other.  Frames look
# better and flicker less than with other sides up to 8, or with orders along curves and fronts.
PATCH_SIDE = 4


def build_sketch(
    board: Board, targets: Sequence[Targets], settings: Settings, clock: StageTimer
) -> Transition:
    """Build the transition of few clicks, in which every frame shows a mix of both pictures."""
    stops = [*targets, targets[0]] if settings.is_cycle else targets
    if board.cells == 1:
        raise OptionError("a sketch needs a board larger than 1x1", "size")
    if settings.sketch_blur > max(board.shape):
        raise OptionError(
            f"sketch_blur must be at most the longer side of the {board.columns}x{board.rows} "
            f"board, not {settings.sketch_blur:g}",
            "sketch_blur",
        )
    frames = (len(stops) - 1) * settings.sketch_frames
    searches, flips = (len(stops) - 1) * len(targets[0]), board.cells * len(board.offsets())
    size = searches * settings.sketch_frames * board.cells * BYTES_PER_CELL
    size += flips * (BYTES_PER_FLIP + BYTES_PER_CHANGE * searches * (board.levels + 1))
    remedy = "a smaller size, or fewer sketch_frames"
    check_frames_fit_in_memory(size, frames, board, "a sketch", remedy)
    if settings.settle:
        with clock.time_stage("nearest") as say:
            nearest = find_nearest_configurations(board, targets, settings, say)
    before = clock.seconds.get("sketch", 0.0)  # seconds already spent on sketches
    with clock.time_stage("sketch") as say:
        fades = find_fades(board, stops, settings, say)
    wipes = list[list[Fewest]]()
    if settings.settle:
        with clock.time_stage("fewest") as say:
            wipes = find_wipes(board, fades, nearest, settings, say)
    else:
        nearest = build_nearest_from_fades(board, fades, targets)
    with clock.time_stage("order"):
        # Fades are searched in parallel, so each reports an equal share of the time.
        seconds = round((clock.seconds["sketch"] - before) / len(fades), 4)
        moves = order_sketch_clicks(board, fades, wipes, stops, settings, seconds, clock)
    notes = list(advise_on_sketch(board, moves, nearest, settings))
    return Transition(nearest=nearest, moves=moves, notes=notes)


@dataclass(frozen=True, kw_only=True, eq=False)
class Fade:
    """Steps from one picture to the next, on all colour planes."""

    first: list[Lights]
    last: list[Lights]
    steps: list[Presses]
    errors: NDArray[np.float64]  # errors, (planes, frames); see `sketch.Sketch`
    cut_short: bool


def find_fades(
    board: Board, stops: Sequence[Targets], settings: Settings, say: ProgressReporter
) -> list[Fade]:
    """Find the fade from each picture to the next; without wipes, one search finds all fades."""
    board.factor(settings.time_limit)
    parts = list(pairwise(stops)) if settings.settle else [stops]
    closed = settings.is_cycle and not settings.settle
    planes_of_parts = chain(*(zip(*part, strict=True) for part in parts))
    greys = [interpolate_fade_greys(planes, settings) for planes in planes_of_parts]
    results = sketch_films(
        board,
        np.array(greys)[:, : -1 if closed else None],
        price=settings.click_price,
        blur=settings.sketch_blur,
        seed=settings.seed or 0,
        closed=closed,
        time_limit=settings.time_limit * len(greys),  # the option limits the time of each fade
        on_progress=lambda error, clicks, share: say(f"{clicks} clicks, error {error:.3f}", share),
    )
    planes = len(stops[0])
    films = [results[number : number + planes] for number in range(0, len(results), planes)]
    fades = [fade for film in films for fade in split_moves_at_pictures(board, film, settings)]
    if closed and not all(map(np.array_equal, fades[-1].last, fades[0].first)):
        raise SolverError("the sketch does not return to its start; please report this")
    return fades


def interpolate_fade_greys(stops: Sequence[Target], settings: Settings) -> NDArray[np.float64]:
    """Return the greys of all frames, 0 (dark) to 1 (highest level): (frames, rows, columns)."""
    shares = np.linspace(0, 1, settings.sketch_frames)[:, None, None]
    fades = [(1 - shares) * start.grey + shares * end.grey for start, end in pairwise(stops)]
    greys = np.concatenate([*(fade[:-1] for fade in fades), fades[-1][-1:]])
    level_values = stops[0].shown
    return np.asarray(np.interp(greys, level_values, np.linspace(0, 1, len(level_values))))


def split_moves_at_pictures(
    board: Board, film: Sequence[Sketch], settings: Settings
) -> Iterator[Fade]:
    """Split a sketched film at its pictures, and yield the fades between them."""
    first, steps_per_fade = [sketch.first for sketch in film], settings.sketch_frames - 1
    for start in range(0, len(film[0].clicks), steps_per_fade):
        end = start + steps_per_fade
        clicks = np.array([sketch.clicks[start:end] for sketch in film])
        last = [
            reduce(board.add, map(board.toggles, steps), lights)
            for lights, steps in zip(first, clicks, strict=True)
        ]
        yield Fade(
            first=first,
            last=last,
            steps=list(clicks.swapaxes(0, 1).astype(np.uint8)),
            errors=np.array([s.errors.take(range(start, end + 1), mode="wrap") for s in film]),
            cut_short=any(sketch.cut_short for sketch in film),
        )
        first = last


def build_nearest_from_fades(
    board: Board, fades: Sequence[Fade], targets: Sequence[Targets]
) -> list[list[Nearest]]:
    """Return each picture's `Nearest`: the configuration at which its fade begins or ends."""
    configurations = [*(fade.first for fade in fades), fades[-1].last]
    return [
        [build_nearest(board, target.configuration, b) for target, b in zip(*pair, strict=True)]
        for pair in zip(targets, configurations, strict=False)
    ]


def find_wipes(
    board: Board,
    fades: Sequence[Fade],
    nearest: Sequence[Sequence[Nearest]],
    settings: Settings,
    say: ProgressReporter,
) -> list[list[Fewest]]:
    """Find the fewest clicks of each wipe: into the first fade, out of it, into the next, ..."""
    moves = []
    for fade, (start, end) in zip(fades, pair_successive_pictures(nearest, settings), strict=True):
        first, last = build_exact_nearest(board, [fade.first, fade.last])
        moves += [(start, first), (last, end)]
    return find_fewest_clicks(board, moves, settings, say)


@dataclass(frozen=True, kw_only=True, eq=False)
class SketchMove(Move):
    """Clicks from one picture to the next through a fade, in order."""

    clicks: Clicks
    steps: Sequence[Clicks]
    wipes: Sequence[Clicks]  # a wipe into the fade and one out of it, or none
    errors: NDArray[np.float64]

    @classmethod
    def from_steps_and_wipes(
        cls, steps: Sequence[Clicks], wipes: Sequence[Clicks], **facts: Any
    ) -> Self:
        """Build the move from its parts; the time of a step is proportional to its clicks."""
        parts, wipes_share = [*wipes[:1], *steps, *wipes[1:]], WIPE_SHARE * len(wipes)
        done = np.cumsum([0, *(part.press_counts.sum() for part in steps)])
        done = done / max(done[-1], 1)
        boundaries = wipes_share / 2 + (1 - wipes_share) * done
        spans = pairwise(np.concatenate([[0], boundaries, [1]]) if wipes else boundaries)
        fronts = [
            a + (b - a) * click_times(part) for part, (a, b) in zip(parts, spans, strict=True)
        ]
        clicks = join_clicks(parts, in_colour=steps[0].plane_count > 1)
        timed = replace(clicks, front=np.concatenate(fronts))
        return cls(clicks=timed, steps=steps, wipes=wipes, **facts)

    def inverse(self, board: Board) -> Self:
        """Return the move in the opposite direction."""
        steps, wipes = (
            [part.inverse(board) for part in reversed(parts)] for parts in (self.steps, self.wipes)
        )
        return self.from_steps_and_wipes(
            steps, wipes, errors=self.errors, seconds=self.seconds, cut_short=self.cut_short
        )

    @property
    def report(self) -> SketchReport:
        """Report on the clicks and errors of the move."""
        fade = int(sum(step.press_counts.sum() for step in self.steps))
        return SketchReport(
            clicks=self.click_count,
            bound=0,
            status=Status.FEASIBLE,
            seconds=self.seconds,
            fade=fade,
            ends=self.click_count - fade if self.wipes else None,
            mean_error=round(float(self.errors.mean()), 4),
            worst_error=round(float(self.errors.max()), 4),
        )


def click_times(part: Clicks) -> NDArray[np.float64]:
    """Return the time, 0 to 1, of each click of a step or wipe; all clicks on a cell have one."""
    if part.front is not None:
        return part.front
    times = np.diff(part.cell_run_starts, append=len(part))
    middles = (np.cumsum(times) - times / 2) / max(times.sum(), 1)
    return np.repeat(middles, times)


def order_sketch_clicks(
    board: Board,
    fades: Sequence[Fade],
    wipes: Sequence[Sequence[Fewest]],
    stops: Sequence[Targets],
    settings: Settings,
    seconds: float,
    clock: StageTimer,
) -> list[SketchMove]:
    """Put the clicks of all moves in order, and return the moves."""
    rng = np.random.default_rng(settings.seed)
    moves = []
    for number, fade in enumerate(fades):
        steps = [order_step_clicks(presses, rng) for presses in fade.steps]
        # If the order follows tones, they are those of the picture before the fade in the first
        # wipe, and those of the picture after it in the second.
        fade_wipes = wipes[2 * number : 2 * number + 2]
        ordered_wipes = [
            order_move_clicks(board, wipe, None, (targets, targets), settings, rng, clock)
            for wipe, targets in zip(fade_wipes, stops[number:], strict=False)
        ]
        cut_short = fade.cut_short or any(fewest.cut_short for fewest in chain(*fade_wipes))
        facts = {"errors": fade.errors, "seconds": seconds, "cut_short": cut_short}
        moves.append(SketchMove.from_steps_and_wipes(steps, ordered_wipes, **facts))
    return moves


def order_step_clicks(presses: Presses, rng: np.random.Generator) -> Clicks:
    """Order the clicks of a step at random, but patch by patch, which reduces flicker."""
    rows, columns = np.nonzero(presses.any(axis=0))
    turns = rng.random(presses.shape[1:])[rows // PATCH_SIDE, columns // PATCH_SIDE]
    order = np.lexsort((rng.random(len(turns)), turns))
    rows, columns = rows[order], columns[order]
    return Clicks.from_presses(rows * presses.shape[2] + columns, presses[:, rows, columns])


def advise_on_sketch(
    board: Board,
    moves: Sequence[SketchMove],
    nearest: Sequence[Sequence[Nearest]],
    settings: Settings,
) -> Iterator[str]:
    """Yield sentences of advice for the user."""
    if min(board.shape) < MIN_FACE_SIDE:
        yield f"Sketches look coarse with fewer than {MIN_FACE_SIDE} cells a side."
    reports = [move.report for move in moves]
    clicks, wipe_clicks = sum(r.clicks for r in reports), sum(r.ends or 0 for r in reports)
    # Upper bound on the clicks of a film of plain wipes; quiet patterns may save some.
    plain = sum(
        board.count(board.subtract(end.clicks, start.clicks))
        for pair in pair_successive_pictures(nearest, settings)
        for start, end in zip(*pair, strict=True)
    )
    if wipe_clicks > clicks / 2:
        remark = " (the transition wipe needs under half the clicks)" if clicks > 2 * plain else ""
        yield f"Most clicks are in the wipes at the ends{remark}; sketch@no-settle omits them."
