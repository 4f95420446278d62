"""Films of stills and clips: a transition leads from the end of each to the beginning of the next.

Where there are clips, all clicks are steps, one for each frame, and go to disk as they come: a film
of any length takes the same memory.  A frame of a clip is reached by clicks from the one before,
many at once.  Every sequence of accessible configurations is a legal film, so that a clip needs
nothing but its frames' configurations.
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

from lightsanim.animation.animate import animate
from lightsanim.animation.animation import Animation
from lightsanim.animation.clicks import Clicks, Steps
from lightsanim.animation.dissolve import check_parity_checks, find_step
from lightsanim.animation.film_reports import ClipReport, FilmFacts, MoveReport, PictureReport
from lightsanim.animation.timing import done_by_frame
from lightsanim.animation.transition import Move, Targets, Transition, find_nearest
from lightsanim.board.board import Board
from lightsanim.errors import OptionError, SolverError
from lightsanim.look.levels import Lights, stacked
from lightsanim.options.records import names_of
from lightsanim.options.settings import Settings, explicit_options
from lightsanim.options.stages import Timing
from lightsanim.pictures.clip import Clip, Sound, clip_targets
from lightsanim.pictures.dither import Target
from lightsanim.pictures.hysteresis import steadied
from lightsanim.solve.check_cells import CheckCells
from lightsanim.solve.fewest import FRAME_SEARCH_SECONDS
from lightsanim.solve.nearest import Nearest
from lightsanim.system.deadline import Deadline
from lightsanim.system.progress import Timer
from lightsanim.system.threads import prefetch

Way = Callable[[Board, Sequence[Targets], Settings, Timer], Transition]

Sets: TypeAlias = Iterator[NDArray[np.generic]]
"""The clicks to one frame after the other: (boards, rows, columns) each."""

# Frames that are decoded and dithered while others are solved.
AHEAD = 4


def check_clips(pictures: int, settings: Settings) -> None:
    """Do the options go together with clips among the pictures?"""
    alone, said = pictures == 1, explicit_options(settings)
    others = names_of(Settings, "of_ways") if alone else ()
    for name in (*names_of(Settings, "of_stills"), *others):
        if name in said:
            what = "one clip alone" if name in others else "clips"
            raise OptionError(f"{name} is not for {what}; leave it out", name)
    for name, value in (("order", "legal"), ("transition", "automaton")):
        if getattr(settings, name) == value:
            raise OptionError(f"{name} {value} is for stills alone; take another {name}", name)


def expected_frames(pictures: Sequence[Targets | Clip], fps: float) -> int:
    """How many frames all clips have, about; 0 where nobody knows before they are decoded."""
    seconds = [picture.seconds for picture in pictures if isinstance(picture, Clip)]
    return 0 if None in seconds else round(sum(filter(None, seconds)) * fps)


def film_of(
    board: Board,
    pictures: Sequence[tuple[str, Targets | Clip]],
    settings: Settings,
    way: Way,
    clock: Timer,
) -> tuple[Animation, FilmFacts]:
    """The film of stills and clips, one after the other, without its origin."""
    filming = _Filming(board=board, settings=settings, way=way, clock=clock)
    stills = [(path, still) for path, still in pictures if not isinstance(still, Clip)]
    has_clips = len(stills) < len(pictures)
    animation = filming.with_clips(pictures) if has_clips else filming.of_stills(stills)
    return animation, filming.facts


@dataclass(kw_only=True, eq=False)
class _Filming:
    """Makes a film, and notes the facts of its making."""

    board: Board
    settings: Settings
    way: Way
    clock: Timer
    facts: FilmFacts = field(default_factory=FilmFacts)
    # What each picture asks for, a clip in its first frame.
    targets: list[Targets] = field(default_factory=list)
    # Of a film with clips, which is made frame by frame:
    frames: int = 1  # how many there are so far
    # (frame, seconds) that it is shown for longer.
    holds: list[tuple[int, float]] = field(default_factory=list)
    sounds: list[Sound] = field(default_factory=list)  # of the clips
    start: list[Target] = field(default_factory=list)  # the first picture as it is shown
    shown: list[Target] = field(default_factory=list)  # the last frame so far
    expected: int = 0  # frames of clips, about; 0 where nobody knows
    done: int = 0  # and those that are there

    @cached_property
    def check_cells(self) -> CheckCells:
        """The cells that make a frame accessible: always the same few."""
        return CheckCells.choose(self.board)

    def of_stills(self, pictures: Sequence[tuple[str, Targets]]) -> Animation:
        """The film of stills, whose transitions are found side by side."""
        settings = self.settings
        self.targets = [targets for _, targets in pictures]
        made, moves = self._led(self.targets, settings)
        paths = [path for path, _ in pictures]
        self.facts.pictures += map(PictureReport.of, paths, made.reached)
        first = made.first or [nearest.configuration for nearest in made.reached[0]]
        return self._cut(
            first,
            [move.clicks for move in moves],
            settings,
            returns=settings.cycle or settings.boomerang,
        )

    def with_clips(self, pictures: Sequence[tuple[str, Targets | Clip]]) -> Animation:
        """The film of stills and clips."""
        settings = self.settings
        with self.clock.stage("clip") as say:
            check_parity_checks(self.board, settings, "a clip")
            stills = [picture for _, picture in pictures if not isinstance(picture, Clip)]
            self.expected = expected_frames([p for _, p in pictures], settings.frame_rate)
            nearest = iter(find_nearest(self.board, stills, settings, say))
            shape = 3 if settings.rgb else 1, *self.board.shape
            sets = self._counted(self._sets(pictures, nearest))
            steps = Steps.of(shape, self.board.levels, sets, on_disk=True)
        timing = Timing(fps=settings.frame_rate, hold_first=0, hold_last=0, loop=settings.loop)
        animation = self._cut(_lights(self.start), [steps], timing)
        sounds = () if settings.mute else tuple(self.sounds)
        return replace(animation, holds=tuple(self.holds), sounds=sounds)

    def _cut(
        self, first: Sequence[Lights], moves: Sequence[Clicks | Steps], timing: Timing, **more: Any
    ) -> Animation:
        return animate(
            self.board,
            stacked(first),
            moves,
            timing,
            pictures=tuple(target.name for target, *_ in self.targets),
            targets=tuple(stacked(_lights(each)) for each in self.targets),
            seed=self.settings.seed,
            **more,
        )

    def _led(
        self, targets: Sequence[Targets], settings: Settings
    ) -> tuple[Transition, Sequence[Move]]:
        # What the transition gives, and all of its moves, for a boomerang with those back again.
        made, facts = self.way(self.board, targets, settings, self.clock), self.facts
        back = reversed(made.moves) if settings.boomerang else ()
        moves = [*made.moves, *(move.back(self.board) for move in back)]
        # With two levels the way back has the same clicks.
        facts.moves += [m.report for m in (made.moves if self.board.levels == 2 else moves)]
        facts.notes += [note for note in made.notes if note not in facts.notes]
        facts.cut_short |= made.cut_short
        return made, moves

    def _sets(
        self, pictures: Sequence[tuple[str, Targets | Clip]], nearest: Iterator[list[Nearest]]
    ) -> Sets:
        # The clicks to each frame but the first.
        for number, (path, picture) in enumerate(pictures):
            if isinstance(picture, Clip):
                yield from self._clip(path, picture)
            else:
                yield from self._still(path, picture, next(nearest))
            if number or len(pictures) == 1:
                self._hold("hold_last", isinstance(picture, Clip))
        if self.settings.cycle:
            yield from self._to(self.start)

    def _counted(self, sets: Sets) -> Sets:
        for clicks in sets:
            self.frames += 1
            yield clicks

    def _hold(self, name: str, is_clip: bool, shown: float = 0.0) -> None:
        # Stills are held, and clips where that is asked for; less what they are shown anyway.
        given = getattr(self.settings, name)
        usual = 0.0 if is_clip else getattr(attrs.fields(Timing), name).default
        seconds = (usual if given is None else given) - shown
        if seconds > 0:
            self.holds.append((self.frames - 1, float(seconds)))

    def _still(self, path: str, asked: Targets, nearest: list[Nearest]) -> Sets:
        self.targets.append(asked)
        self.facts.pictures.append(PictureReport.of(path, nearest))
        self.facts.cut_short |= any(found.cut_short for found in nearest)
        lights = [found.configuration for found in nearest]
        yield from self._to(_with(lights, asked), is_clip=False)

    def _clip(self, path: str, clip: Clip) -> Sets:
        settings, facts = self.settings, self.facts
        targets = clip_targets(clip, self.board, settings, settings.frame_rate)
        dither = clip.own.get("dither", settings.dither)
        with closing(prefetch(targets, AHEAD)) as ahead:
            frames = steadied(ahead, dither, settings)
            asked = next(frames)
            self.targets.append(asked)
            yield from self._to(self._accessible(asked), is_clip=True)
            held = sum(seconds for _, seconds in self.holds)
            begins = (self.frames - 1) / settings.frame_rate + held
            wrong = [_wrong(asked, self.shown)]
            deadline, clicks, bound = Deadline(math.inf), 0, 0
            for asked in frames:
                before, self.shown = self.shown, self._accessible(asked)
                ends = _lights(before), _lights(self.shown)
                # So much work for each search and no time limit: every computer finds the same.
                step, least = find_step(self.board, *ends, deadline, FRAME_SEARCH_SECONDS)
                yield step
                wrong.append(_wrong(asked, self.shown))
                clicks += int(step.sum())
                bound += least
                self._tell()
        seconds = deadline.seconds_used()
        facts.pictures.append(ClipReport.of_frames(path, wrong, seconds))
        facts.moves.append(MoveReport.of(clicks, bound, seconds))
        if clip.sound is not None:
            length = len(wrong) / settings.frame_rate
            self.sounds.append(Sound(source=clip.sound, at=begins, seconds=length))

    def _accessible(self, asked: Targets) -> list[Target]:
        # Cells that are wrong are always out of the same few, and stay while they can.
        return _with([self.check_cells.correct(t.configuration) for t in asked], asked)

    def _to(self, shown: list[Target], *, is_clip: bool = False) -> Sets:
        # From the end of the picture before, if there is one, by the transition.
        before, self.shown = self.shown, shown
        if not before:
            self.start = shown
            self._hold("hold_first", is_clip, 1 / self.settings.frame_rate)
            return
        pair = attrs.evolve(self.settings, cycle=False)
        made, moves = self._led([before, shown], pair)
        for end, reached in zip((before, shown), made.reached, strict=True):
            if not all(map(np.array_equal, _lights(end), (n.configuration for n in reached))):
                raise SolverError("a transition leads somewhere else; please report this")
        frames = self.frames
        for move in moves:
            for ends in pairwise([0, *done_by_frame(move.clicks, self.settings).tolist()]):
                yield move.clicks.pressed(self.board, *ends)
        if is_clip and self.frames == frames:  # nothing to click, and yet a frame of the clip
            yield np.zeros((len(shown), *self.board.shape), np.uint8)

    def _tell(self) -> None:
        self.done += 1
        share = min(1.0, self.done / self.expected) if self.expected else 0.0
        of = f" of {self.expected}" if self.expected else ""
        self.clock.progress("clip", share, f"frame {self.done}{of}")


def _lights(targets: Targets) -> list[Lights]:
    return [target.configuration for target in targets]


def _with(lights: Sequence[Lights], targets: Targets) -> list[Target]:
    # Targets that are shown exactly.
    pairs = zip(targets, lights, strict=True)
    return [replace(target, configuration=shown) for target, shown in pairs]


def _wrong(asked: Targets, shown: Targets) -> tuple[int, int]:
    # How many cells are, and by how many levels.
    apart = np.abs(np.subtract(_lights(asked), _lights(shown), dtype=np.int8))
    return int(np.count_nonzero(apart)), int(apart.sum(dtype=np.int64))
