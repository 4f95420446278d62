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

from lightsanim.errors import OptionError
from lightsanim.film.clicks import Clicks, Presses, join_clicks
from lightsanim.film.film_reports import SketchReport
from lightsanim.game.board.board import Board
from lightsanim.game.levels import Lights
from lightsanim.game.solve.fewest import Fewest
from lightsanim.game.solve.nearest import build_nearest
from lightsanim.game.solve.status import Status
from lightsanim.pictures.dither import Target
from .sketch import Sketch, sketch_films
from .transition import End, Move, Pair, Targets, check_frames_fit_in_memory
from .wipe import Wipe

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


@dataclass(frozen=True, kw_only=True, eq=False)
class Fade:
    """Steps from one picture to the next, on all colour planes."""

    first: list[Lights]
    last: list[Lights]
    steps: list[Presses]
    errors: NDArray[np.float64]  # errors, (planes, frames); see `sketch.Sketch`
    cut_short: bool
    seconds: float = 0.0  # equal share of the time of all fades, which are searched in parallel

    @property
    def ends(self) -> tuple[list[Lights], list[Lights]]:
        """Configurations of the first and of the last frame, one for each colour plane."""
        return self.first, self.last


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
            steps,
            wipes,
            start=self.end,
            end=self.start,
            errors=self.errors,
            seconds=self.seconds,
            cut_short=self.cut_short,
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


@dataclass(frozen=True, kw_only=True, eq=False)
class FadeEnd(End):
    """An end of a sketch without wipes, with the fade that begins there, if one does."""

    fade: Fade | None


class SketchFade(Wipe):
    """Fades of few clicks; every frame shows a mix of both pictures."""

    def ends(self, targets: Sequence[Targets]) -> Sequence[End]:
        """Return the exact pictures; without wipes, the configurations that the search chooses."""
        self._check_size(len(targets) - 1 + self.is_cycle, len(targets[0]))
        if self.options.settle:
            return super().ends(targets)
        stops = [*targets, *targets[: self.is_cycle]]
        fades = self._find_fades([stops])
        lights = [*(fade.first for fade in fades), fades[-1].last]
        return [
            FadeEnd(
                targets=planes,
                nearest=[
                    build_nearest(self.board, target.configuration, b)
                    for target, b in zip(planes, configuration, strict=True)
                ],
                fade=fade,
            )
            for planes, configuration, fade in zip(targets, lights, [*fades, None], strict=False)
        ]

    def _check_size(self, moves: int, planes: int) -> None:
        board, options = self.board, self.options
        if board.cells == 1:
            raise OptionError("a sketch needs a board larger than 1x1", "size")
        if options.sketch_blur > max(board.shape):
            raise OptionError(
                f"sketch_blur must be at most the longer side of the {board.columns}x{board.rows} "
                f"board, not {options.sketch_blur:g}",
                "sketch_blur",
            )
        searches, flips = moves * planes, board.cells * len(board.offsets())
        size = searches * options.sketch_frames * board.cells * BYTES_PER_CELL
        size += flips * (BYTES_PER_FLIP + BYTES_PER_CHANGE * searches * (board.levels + 1))
        remedy = "a smaller size, or fewer sketch_frames"
        frames = moves * options.sketch_frames
        check_frames_fit_in_memory(size, frames, board, "a sketch", remedy)

    def moves(self, pairs: Sequence[Pair]) -> Sequence[SketchMove]:
        """Return the fades, with wipes from and to the exact pictures, as single clicks."""
        fades = [start.fade for start, _ in pairs if isinstance(start, FadeEnd) and start.fade]
        wipes = list[list[Fewest]]()
        if self.options.settle:
            fades = self._find_fades([[start.targets, end.targets] for start, end in pairs])
            wipes = self._find_wipes(fades, pairs)
        with self.clock.time_stage("order"):
            moves = self._order_fades(fades, wipes, pairs)
        self.facts.add_notes(self._advise(moves, pairs))
        return moves

    def _find_fades(self, films: Sequence[Sequence[Targets]]) -> list[Fade]:
        """Find the fades between the pictures of each film; one search finds all of a film."""
        board, options = self.board, self.options
        board.factor(self.search.time_limit)
        closed = self.is_cycle and not options.settle
        all_planes = chain(*(zip(*film, strict=True) for film in films))
        greys = [interpolate_fade_greys(planes, options.sketch_frames) for planes in all_planes]
        before = self.clock.seconds.get("sketch", 0.0)  # seconds already spent on sketches
        with self.clock.time_stage("sketch") as say:
            results = sketch_films(
                board,
                np.array(greys)[:, : -1 if closed else None],
                price=options.click_price,
                blur=options.sketch_blur,
                seed=options.seed or 0,
                closed=closed,
                time_limit=self.search.time_limit * len(greys),  # the limit is for each fade
                on_progress=lambda error, clicks, share: say(
                    f"{clicks} clicks, error {error:.3f}", share
                ),
            )
            planes = len(films[0][0])
            parts = (results[n : n + planes] for n in range(0, len(results), planes))
            steps = options.sketch_frames - 1
            fades = [fade for part in parts for fade in split_at_pictures(board, part, steps)]
        seconds = round((self.clock.seconds["sketch"] - before) / len(fades), 4)
        return [replace(fade, seconds=seconds) for fade in fades]

    def _find_wipes(self, fades: Sequence[Fade], pairs: Sequence[Pair]) -> list[list[Fewest]]:
        """Find the fewest clicks of each wipe: into the first fade, out of it, into the next..."""
        moves = []
        for fade, (start, end) in zip(fades, pairs, strict=True):
            first, last = ([build_nearest(self.board, b, b) for b in at] for at in fade.ends)
            moves += [(start.nearest, first), (last, end.nearest)]
        return self.find_fewest_clicks(moves)

    def _order_fades(
        self, fades: Sequence[Fade], wipes: Sequence[list[Fewest]], pairs: Sequence[Pair]
    ) -> list[SketchMove]:
        """Put the clicks of all moves in order."""
        rng, moves = np.random.default_rng(self.options.seed), []
        for number, (fade, pair) in enumerate(zip(fades, pairs, strict=True)):
            steps = [order_step_clicks(presses, rng) for presses in fade.steps]
            # If the order follows tones, they are those of the picture before the fade in the first
            # wipe, and those of the picture after it in the second.
            fade_wipes = wipes[2 * number : 2 * number + 2]
            ordered = [
                self.put_in_order(wipe, (end.targets, end.targets), rng)
                for wipe, end in zip(fade_wipes, pair, strict=False)
            ]
            start, end = pair
            moves.append(
                SketchMove.from_steps_and_wipes(
                    steps,
                    ordered,
                    start=start.lights,
                    end=end.lights,
                    errors=fade.errors,
                    seconds=fade.seconds,
                    cut_short=fade.cut_short or any(f.cut_short for f in chain(*fade_wipes)),
                )
            )
        return moves

    def _advise(self, moves: Sequence[SketchMove], pairs: Sequence[Pair]) -> Iterator[str]:
        """Yield sentences of advice for the user."""
        board = self.board
        if min(board.shape) < MIN_FACE_SIDE:
            yield f"Sketches look coarse with fewer than {MIN_FACE_SIDE} cells a side."
        reports = [move.report for move in moves]
        clicks, wipe_clicks = sum(r.clicks for r in reports), sum(r.ends or 0 for r in reports)
        # Upper bound on the clicks of a film of plain wipes; quiet patterns may save some.
        plain = sum(
            board.count(board.subtract(last.clicks, first.clicks))
            for start, end in pairs
            for first, last in zip(start.nearest, end.nearest, strict=True)
        )
        if wipe_clicks > clicks / 2:
            is_long = clicks > 2 * plain
            remark = " (the transition wipe needs under half the clicks)" if is_long else ""
            yield (
                f"Most clicks are in the wipes at the ends{remark}; sketch@no-settle omits them."
            )


def interpolate_fade_greys(stops: Sequence[Target], frames: int) -> NDArray[np.float64]:
    """Return the greys of all frames, 0 (dark) to 1 (highest level): (frames, rows, columns)."""
    shares = np.linspace(0, 1, frames)[:, None, None]
    fades = [(1 - shares) * start.grey + shares * end.grey for start, end in pairwise(stops)]
    greys = np.concatenate([*(fade[:-1] for fade in fades), fades[-1][-1:]])
    level_values = stops[0].shown
    return np.asarray(np.interp(greys, level_values, np.linspace(0, 1, len(level_values))))


def split_at_pictures(board: Board, film: Sequence[Sketch], steps_per_fade: int) -> Iterator[Fade]:
    """Split a sketched film at its pictures, and yield the fades between them."""
    first = [sketch.first for sketch in film]
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


def click_times(part: Clicks) -> NDArray[np.float64]:
    """Return the time, 0 to 1, of each click of a step or wipe; all clicks on a cell have one."""
    if part.front is not None:
        return part.front
    times = np.diff(part.cell_run_starts, append=len(part))
    middles = (np.cumsum(times) - times / 2) / max(times.sum(), 1)
    return np.repeat(middles, times)


def order_step_clicks(presses: Presses, rng: np.random.Generator) -> Clicks:
    """Order the clicks of a step at random, but patch by patch, which reduces flicker."""
    rows, columns = np.nonzero(presses.any(axis=0))
    turns = rng.random(presses.shape[1:])[rows // PATCH_SIDE, columns // PATCH_SIDE]
    order = np.lexsort((rng.random(len(turns)), turns))
    rows, columns = rows[order], columns[order]
    return Clicks.from_presses(rows * presses.shape[2] + columns, presses[:, rows, columns])
