"""Films of stills and clips, with a transition from the end of each to the beginning of the next.

In a film with clips, all clicks are steps, one for each frame.  They are written to disk one by
one, so the memory does not grow with the length.  Every sequence of accessible configurations is a
legal film, so each frame of a clip only has to be accessible.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, TypeAlias

import attrs
import numpy as np
from numpy.typing import NDArray

from lightsanim.errors import OptionError, SolverError
from lightsanim.film.transitions.dissolve import check_nullity, find_frame_clicks
from lightsanim.film.transitions.transition import (
    Move,
    Targets,
    Transition,
    find_nearest_configurations,
)
from lightsanim.game.board.board import Board
from lightsanim.game.levels import Lights, stack_planes
from lightsanim.game.solve.check_cells import CheckCells
from lightsanim.game.solve.fewest import FRAME_SEARCH_SECONDS
from lightsanim.game.solve.nearest import Nearest
from lightsanim.options.choices import BOOMERANG, STAY
from lightsanim.options.records import non_default_values, option_names
from lightsanim.options.settings import Settings
from lightsanim.options.stages import Timing
from lightsanim.pictures.clip import Clip, FilmSound, dither_clip, with_hysteresis
from lightsanim.pictures.dither import Target
from lightsanim.system.deadline import Deadline
from lightsanim.system.progress import StageTimer
from lightsanim.system.threads import prefetch
from .animate import animate
from .animation import Animation
from .clicks import History, PackedSteps
from .film_reports import ClipReport, FilmReports, MoveReport, PictureReport
from .timing import divide_total, fit_total

TransitionFunction = Callable[[Board, Sequence[Targets], Settings, StageTimer], Transition]

ClickSets: TypeAlias = Iterator[NDArray[np.generic]]
"""Iterator over the click sets that make successive frames, each (planes, rows, columns)."""

# Number of frames that are decoded and dithered in advance, while another frame is solved.
PREFETCHED_FRAMES = 4


def check_clips(pictures: int, settings: Settings) -> None:
    """Raise an `OptionError` if an option is set that is not possible with clips."""
    alone, changed = pictures == 1, non_default_values(settings)
    others = option_names(Settings, "of_ways") if alone else ()
    for name in (*option_names(Settings, "of_stills"), *others):
        if name in changed:
            subject = "a single clip" if name in others else "clips"
            raise OptionError(f"{name} does not apply to {subject}; leave it out", name)
    for name, value in (("order", "legal"), ("transition", "automaton"), ("ending", BOOMERANG)):
        if getattr(settings, name) == value:
            raise OptionError(f"{name} {value} works with stills only; choose another {name}", name)


def estimate_clip_frames(pictures: Sequence[Targets | Clip], fps: float) -> int:
    """Estimate the number of frames of all clips; return 0 if the length of a clip is unknown."""
    seconds = [picture.seconds for picture in pictures if isinstance(picture, Clip)]
    return 0 if None in seconds else round(sum(filter(None, seconds)) * fps)


def build_film(
    board: Board,
    pictures: Sequence[tuple[str, Targets | Clip]],
    settings: Settings,
    transition: TransitionFunction,
    clock: StageTimer,
) -> tuple[Animation, FilmReports]:
    """Build the animation of stills and clips, with its reports but without an origin."""
    builder = _FilmBuilder(board=board, settings=settings, transition=transition, clock=clock)
    stills = [(path, still) for path, still in pictures if not isinstance(still, Clip)]
    has_clips = len(stills) < len(pictures)
    animation = builder.build_clips(pictures) if has_clips else builder.build_stills(stills)
    return animation, builder.facts


@dataclass(kw_only=True, eq=False)
class _FilmBuilder:
    """Builder of a film that collects the reports on its searches."""

    board: Board
    settings: Settings
    transition: TransitionFunction
    clock: StageTimer
    facts: FilmReports = field(default_factory=FilmReports)
    targets: list[Targets] = field(default_factory=list)
    # The members below are only for films with clips, which are built frame by frame.
    count: int = 1  # Number of frames built so far.
    holds: list[tuple[int, float]] = field(default_factory=list)
    sounds: list[FilmSound] = field(default_factory=list)
    first_frame: list[Target] = field(default_factory=list)
    last_frame: list[Target] = field(default_factory=list)
    expected: int = 0  # Estimated number of frames of all clips; 0 if unknown.
    done: int = 0  # Number of clip frames built so far.

    @cached_property
    def check_cells(self) -> CheckCells:
        """The cells that are changed to make frames accessible."""
        return CheckCells.from_order(self.board)

    def build_stills(self, pictures: Sequence[tuple[str, Targets]]) -> Animation:
        """Build a film of stills only, with one search for all transitions."""
        settings = divide_total(self.settings, len(pictures))
        self.targets = [targets for _, targets in pictures]
        transition, moves = self._run_transition(self.targets, settings)
        configurations = [[plane.configuration for plane in ends] for ends in transition.nearest]
        if transition.has_searched_ends:
            self.targets = list(map(_replace_configurations, configurations, self.targets))
        paths = [path for path, _ in pictures]
        self.facts.pictures += map(PictureReport.from_searches, paths, transition.nearest)
        first = transition.first or configurations[0]
        clicks = [move.clicks for move in moves]
        animation = self._build_animation(first, clicks, settings, returns=settings.returns)
        total = self.settings.total
        return animation if total is None else fit_total(animation, total)

    def build_clips(self, pictures: Sequence[tuple[str, Targets | Clip]]) -> Animation:
        """Build a film with clips, frame by frame."""
        settings = self.settings
        with self.clock.time_stage("clip") as say:
            check_nullity(self.board, settings, "a clip")
            stills = [picture for _, picture in pictures if not isinstance(picture, Clip)]
            self.expected = estimate_clip_frames([p for _, p in pictures], settings.frame_rate)
            nearest = iter(find_nearest_configurations(self.board, stills, settings, say))
            shape = 3 if settings.rgb else 1, *self.board.shape
            click_sets = self._count_frames(self._iter_click_sets(pictures, nearest))
            steps = PackedSteps.pack(shape, self.board.levels, click_sets, on_disk=True)
        timing = Timing(fps=settings.frame_rate, hold_first=0, hold_last=0, loop=settings.loop)
        animation = self._build_animation(_list_configurations(self.first_frame), [steps], timing)
        return replace(animation, holds=tuple(self.holds), sounds=tuple(self.sounds))

    def _build_animation(
        self,
        first: Sequence[Lights],
        moves: Sequence[History],
        timing: Timing,
        **extra: Any,
    ) -> Animation:
        return animate(
            self.board,
            stack_planes(first),
            moves,
            timing,
            pictures=tuple(target.name for target, *_ in self.targets),
            targets=tuple(stack_planes(_list_configurations(targets)) for targets in self.targets),
            seed=self.settings.seed,
            **extra,
        )

    def _run_transition(
        self, targets: Sequence[Targets], settings: Settings
    ) -> tuple[Transition, Sequence[Move]]:
        # Return the transition and its moves; with a boomerang, the moves back follow.
        transition, facts = self.transition(self.board, targets, settings, self.clock), self.facts
        back = reversed(transition.moves) if settings.is_boomerang else ()
        moves = [*transition.moves, *(move.inverse(self.board) for move in back)]
        # With two levels the moves back have the same clicks, so the reports leave them out.
        facts.moves += [m.report for m in (transition.moves if self.board.levels == 2 else moves)]
        facts.notes += [note for note in transition.notes if note not in facts.notes]
        facts.cut_short |= transition.ended_early
        return transition, moves

    def _iter_click_sets(
        self, pictures: Sequence[tuple[str, Targets | Clip]], nearest: Iterator[list[Nearest]]
    ) -> ClickSets:
        for number, (path, picture) in enumerate(pictures):
            if isinstance(picture, Clip):
                yield from self._clicks_for_clip(path, picture)
            else:
                yield from self._clicks_for_still(path, picture, next(nearest))
            if number or len(pictures) == 1:
                self._add_hold("hold_last", isinstance(picture, Clip))
        if self.settings.is_cycle:
            yield from self._clicks_for_transition(self.first_frame)

    def _count_frames(self, sets: ClickSets) -> ClickSets:
        for clicks in sets:
            self.count += 1
            yield clicks

    def _add_hold(self, option: str, is_clip: bool, shown_seconds: float = 0.0) -> None:
        # Stills are held by default, clips only if the user sets the option.  The hold includes the
        # seconds for which the frame is shown anyway.
        chosen = getattr(self.settings, option)
        default = 0.0 if is_clip else getattr(attrs.fields(Timing), option).default
        seconds = (default if chosen is None else chosen) - shown_seconds
        if seconds > 0:
            self.holds.append((self.count - 1, float(seconds)))

    def _clicks_for_still(self, path: str, targets: Targets, nearest: list[Nearest]) -> ClickSets:
        self.targets.append(targets)
        self.facts.pictures.append(PictureReport.from_searches(path, nearest))
        self.facts.cut_short |= any(plane.cut_short for plane in nearest)
        lights = [plane.configuration for plane in nearest]
        yield from self._clicks_for_transition(_replace_configurations(lights, targets))

    def _clicks_for_clip(self, path: str, clip: Clip) -> ClickSets:
        settings, facts = self.settings, self.facts
        all_targets = dither_clip(clip, self.board, settings, settings.frame_rate)
        dither = clip.own.get("dither", settings.dither)
        with closing(prefetch(all_targets, PREFETCHED_FRAMES)) as prefetched:
            frames = with_hysteresis(prefetched, dither, settings)
            targets = next(frames)
            self.targets.append(targets)
            yield from self._clicks_for_transition(self._correct_targets(targets), is_clip=True)
            total_hold = sum(seconds for _, seconds in self.holds)
            start = (self.count - 1) / settings.frame_rate + total_hold
            wrong = [_count_wrong_cells(targets, self.last_frame)]
            deadline, clicks, bound = Deadline(math.inf), 0, 0
            for targets in frames:
                before, self.last_frame = self.last_frame, self._correct_targets(targets)
                pair = _list_configurations(before), _list_configurations(self.last_frame)
                # Limit the work, not the time, so that every computer finds the same clicks.
                work = FRAME_SEARCH_SECONDS
                step, step_bound = find_frame_clicks(self.board, *pair, deadline, work)
                yield step
                wrong.append(_count_wrong_cells(targets, self.last_frame))
                clicks += int(step.sum())
                bound += step_bound
                self._report_progress()
        seconds = deadline.seconds_used()
        facts.pictures.append(ClipReport.from_frames(path, wrong, seconds))
        facts.moves.append(MoveReport.from_counts(clicks, bound, seconds))
        if clip.sound is not None:
            length = len(wrong) / settings.frame_rate
            self.sounds.append(FilmSound(source=clip.sound, at=start, seconds=length))

    def _correct_targets(self, targets: Targets) -> list[Target]:
        # Change check cells only: wrong cells then stay in the same places and do not flicker.
        lights = [self.check_cells.correct_configuration(t.configuration) for t in targets]
        return _replace_configurations(lights, targets)

    def _clicks_for_transition(self, targets: list[Target], *, is_clip: bool = False) -> ClickSets:
        # The transition starts from the last frame; the first picture needs no transition.
        before, self.last_frame = self.last_frame, targets
        if not before:
            self.first_frame = targets
            self._add_hold("hold_first", is_clip, 1 / self.settings.frame_rate)
            return
        pair_settings = attrs.evolve(self.settings, ending=STAY)
        transition, moves = self._run_transition([before, targets], pair_settings)
        for end, nearest in zip((before, targets), transition.nearest, strict=True):
            configurations = [plane.configuration for plane in nearest]
            if not np.array_equal(_list_configurations(end), configurations):
                raise SolverError("a transition does not connect two frames; please report this")
        count = self.count
        for move in moves:
            for span in pairwise([0, *move.clicks.counts_by_frame(self.settings).tolist()]):
                yield move.clicks.count_presses(self.board, *span)
        # Add an empty step if the first frame of a clip needs no clicks.
        if is_clip and self.count == count:
            yield np.zeros((len(targets), *self.board.shape), np.uint8)

    def _report_progress(self) -> None:
        self.done += 1
        share = min(1.0, self.done / self.expected) if self.expected else 0.0
        of = f" of {self.expected}" if self.expected else ""
        self.clock.progress("clip", share, f"frame {self.done}{of}")


def _list_configurations(targets: Targets) -> list[Lights]:
    return [target.configuration for target in targets]


def _replace_configurations(lights: Sequence[Lights], targets: Targets) -> list[Target]:
    pairs = zip(targets, lights, strict=True)
    return [replace(target, configuration=configuration) for target, configuration in pairs]


def _count_wrong_cells(targets: Targets, frame: Targets) -> tuple[int, int]:
    # Return the number of wrong cells, and the sum of their differences in levels.
    pair = _list_configurations(targets), _list_configurations(frame)
    distances = np.abs(np.subtract(*pair, dtype=np.int8))
    return int(np.count_nonzero(distances)), int(distances.sum(dtype=np.int64))
