"""Films with clips, with a transition from the end of each picture to the beginning of the next.

All clicks are steps, one for each frame.  They are written to disk one by
one, so the memory does not grow with the length.  Every sequence of accessible configurations is a
legal film, so each frame of a clip only has to be accessible.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count, pairwise

import attrs
import numpy as np

from lightsanim.game.levels import stack_planes
from lightsanim.game.solve.check_cells import CheckCells
from lightsanim.game.solve.fewest import FRAME_SEARCH_SECONDS
from lightsanim.game.solve.nearest import Nearest
from lightsanim.options.settings import Settings
from lightsanim.options.stages import Timing
from lightsanim.pictures.clip import Clip, FilmSound
from lightsanim.pictures.dither import Target
from lightsanim.pictures.shots import Shot
from lightsanim.system.deadline import Deadline
from .animate import animate
from .animation import Animation
from .clicks import PackedSteps, Presses
from .film_reports import ClipReport, MoveReport, PictureReport
from .transitions.dissolve import check_nullity, find_frame_clicks
from .transitions.transition import (
    Targets,
    Transition,
    check_moves,
    connect,
    describe_targets,
    find_nearest_configurations,
    list_configurations,
    replace_configurations,
)


@dataclass(kw_only=True, eq=False)
class ClipFilm:
    """A film with clips, which is built frame by frame, and what is noted on the way."""

    transition: Transition
    settings: Settings
    targets: list[Targets] = field(default_factory=list)  # of each picture
    holds: list[tuple[int, float]] = field(default_factory=list)
    sounds: list[FilmSound] = field(default_factory=list)
    count: int = 1  # Number of frames built so far.
    first: list[Target] = field(default_factory=list)  # The first frame, which is accessible.
    last: list[Target] = field(default_factory=list)  # The last frame built so far.

    def build(self, shots: Sequence[Shot]) -> Animation:
        """Build the film."""
        transition, settings = self.transition, self.settings
        board, rate = transition.board, settings.frame_rate
        with transition.clock.time_stage("clip") as say:
            check_nullity(board, settings.time_limit, "a clip")
            stills = [next(shot.targets(rate)) for shot in shots if not shot.is_clip]
            nearest = iter(find_nearest_configurations(board, stills, settings, say))
            shape = settings.plane_count, *board.shape
            frames = self._count(self._follow_shots(shots, nearest))
            steps = PackedSteps.pack(shape, board.levels, frames, on_disk=True)
        timing = Timing(fps=rate, hold_first=0, hold_last=0, loop=settings.loop)
        first, texts = list_configurations(self.first), describe_targets(self.targets)
        film = animate(board, stack_planes(first), [steps], timing, **texts)
        return replace(film, holds=tuple(self.holds), sounds=tuple(self.sounds))

    def _count(self, frames: Iterator[Presses]) -> Iterator[Presses]:
        for presses in frames:
            self.count += 1
            yield presses

    def _follow_shots(
        self, shots: Sequence[Shot], nearest: Iterator[list[Nearest]]
    ) -> Iterator[Presses]:
        """Yield the presses before each frame but the first: to each shot, and along the clips."""
        clips = [shot for shot in shots if shot.is_clip]
        done, expected = count(1), estimate_clip_frames(clips, self.settings.frame_rate)
        for number, shot in enumerate(shots):
            with closing(shot.targets(self.settings.frame_rate)) as frames:
                targets = next(frames)
                self.targets.append(targets)
                if shot.is_clip:
                    yield from self._lead_to(self._correct(targets), is_clip=True)
                    yield from self._follow_clip(shot, targets, frames, done, expected)
                else:
                    yield from self._lead_to(self._report_still(shot, targets, next(nearest)))
            if number or len(shots) == 1:
                self._add_hold("hold_last", is_clip=shot.is_clip)
        if self.settings.is_cycle:
            yield from self._lead_to(self.first)

    def _report_still(self, shot: Shot, targets: Targets, nearest: list[Nearest]) -> list[Target]:
        """Report the search for a still, and return what it found."""
        facts = self.transition.facts
        facts.pictures.append(PictureReport.from_searches(shot.path, nearest))
        facts.cut_short |= any(plane.cut_short for plane in nearest)
        return replace_configurations([plane.configuration for plane in nearest], targets)

    def _lead_to(self, targets: list[Target], *, is_clip: bool = False) -> Iterator[Presses]:
        """Yield the transition from the last frame; the first picture needs none."""
        transition, before = self.transition, self.last
        self.last = targets
        if not before:
            self.first = targets
            self._add_hold("hold_first", is_clip, 1 / self.settings.frame_rate)
            return
        moves = connect(transition, transition.ends([before, targets]))
        check_moves(transition.board, moves)
        begun = self.count
        for move in moves:
            for span in pairwise([0, *move.clicks.counts_by_frame(self.settings).tolist()]):
                yield move.clicks.count_presses(transition.board, *span)
        if is_clip and self.count == begun:  # the first frame of a clip needs no clicks
            yield np.zeros((len(targets), *transition.board.shape), np.uint8)

    def _follow_clip(
        self,
        shot: Shot,
        targets: Targets,
        frames: Iterator[Targets],
        done: Iterator[int],
        expected: int,
    ) -> Iterator[Presses]:
        """Yield the presses between the frames of a clip, which begins with ``targets``."""
        transition, rate = self.transition, self.settings.frame_rate
        start = (self.count - 1) / rate + sum(seconds for _, seconds in self.holds)
        wrong = [count_wrong_cells(targets, self.last)]
        deadline, clicks, bound = Deadline(math.inf), 0, 0
        for targets in frames:
            before, self.last = self.last, self._correct(targets)
            pair = list_configurations(before), list_configurations(self.last)
            # Limit the work, not the time, so that every computer finds the same clicks.
            work = FRAME_SEARCH_SECONDS
            step, step_bound = find_frame_clicks(transition.board, *pair, deadline, work)
            yield step
            wrong.append(count_wrong_cells(targets, self.last))
            clicks += int(step.sum())
            bound += step_bound
            number = next(done)
            share, of = (min(1.0, number / expected), f" of {expected}") if expected else (0.0, "")
            transition.clock.progress("clip", share, f"frame {number}{of}")
        seconds, facts = deadline.seconds_used(), transition.facts
        facts.pictures.append(ClipReport.from_frames(shot.path, wrong, seconds))
        facts.moves.append(MoveReport.from_counts(clicks, bound, seconds))
        if shot.sound is not None:
            sound = FilmSound(source=shot.sound, at=start, seconds=len(wrong) / rate)
            self.sounds.append(sound)

    @cached_property
    def check_cells(self) -> CheckCells:
        """The cells that are changed to make frames accessible."""
        return CheckCells.from_order(self.transition.board)

    def _correct(self, targets: Targets) -> list[Target]:
        # Change check cells only: wrong cells then stay in the same places and do not flicker.
        lights = [self.check_cells.correct_configuration(t.configuration) for t in targets]
        return replace_configurations(lights, targets)

    def _add_hold(self, option: str, is_clip: bool, shown_seconds: float = 0.0) -> None:
        # Stills are held by default, clips only if the user sets the option.  The hold includes the
        # seconds for which the frame is shown anyway.
        chosen = getattr(self.settings, option)
        default = 0.0 if is_clip else getattr(attrs.fields(Timing), option).default
        seconds = (default if chosen is None else chosen) - shown_seconds
        if seconds > 0:
            self.holds.append((self.count - 1, float(seconds)))


def estimate_clip_frames(clips: Iterable[Shot | Clip], fps: float) -> int:
    """Estimate the number of frames of all clips; return 0 if the length of a clip is unknown."""
    seconds = [clip.seconds for clip in clips]
    return 0 if None in seconds else round(sum(filter(None, seconds)) * fps)


def count_wrong_cells(targets: Targets, frame: Targets) -> tuple[int, int]:
    """Return the number of wrong cells, and the sum of their differences in levels."""
    pair = list_configurations(targets), list_configurations(frame)
    distances = np.abs(np.subtract(*pair, dtype=np.int8))
    return int(np.count_nonzero(distances)), int(distances.sum(dtype=np.int64))
