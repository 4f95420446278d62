"""Films of clips: each frame of a clip is reached by clicks from the one before, many at once.

Every sequence of accessible configurations is a legal film, so that a clip needs nothing but its
frames' configurations.  Stills and clips follow each other in any mix; a transition leads from the
end of each to the beginning of the next.  All clicks are steps here, one for each frame, and go to
disk as they come: a film of any length takes the same memory.
"""

import math
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import attrs
import numpy as np
from numpy.typing import NDArray

from lightsanim.animation.animation import Animation
from lightsanim.animation.apply_clicks import sets_by_frame
from lightsanim.animation.boards import stacked
from lightsanim.animation.dissolve import check_parity_checks, find_step
from lightsanim.animation.facts import ClipReport, MoveReport, PictureReport
from lightsanim.animation.film import Film, Targets, Way
from lightsanim.animation.sound import Sound
from lightsanim.animation.steps import Steps
from lightsanim.animation.timing import clicks_by_frame
from lightsanim.animation.transition import find_nearest
from lightsanim.board.board import Board
from lightsanim.board.levels import Lights
from lightsanim.errors import OptionError, SolverError
from lightsanim.options.table import NOT_OF_CLIPS, NOT_OF_ONE_CLIP, Settings, Timing, given
from lightsanim.pictures.clip import Clip, clip_targets
from lightsanim.pictures.dither import Target
from lightsanim.pictures.flicker import steadied
from lightsanim.solve.check_positions import CheckCells
from lightsanim.solve.fewest import SEARCH_SECONDS
from lightsanim.solve.nearest import Nearest
from lightsanim.solve.status import status_of
from lightsanim.system.deadline import Deadline
from lightsanim.system.progress import Clock
from lightsanim.system.threads import taken_ahead

Sets: TypeAlias = Iterator[NDArray[np.generic]]
"""The clicks to one frame after the other: (boards, rows, columns) each."""

# Frames that are decoded and dithered while others are solved.
AHEAD = 4


@dataclass(kw_only=True, eq=False)
class FilmSoFar:
    """A film that is being made, and the facts of its making."""

    steps: Steps | None = None  # all of them, once it is made
    frames: int = 1  # how many there are so far
    # (frame, seconds) that it is shown for longer.
    holds: list[tuple[int, float]] = field(default_factory=list)
    sounds: list[Sound] = field(default_factory=list)  # of the clips
    # What each picture asks for, a clip in its first frame.
    targets: list[Targets] = field(default_factory=list)
    first: list[Lights] = field(default_factory=list)  # the first picture as it is shown
    pictures: list[PictureReport] = field(default_factory=list)  # a report for each
    # A report for each transition and each clip.
    moves: list[MoveReport] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # on the transitions, each once
    cut_short: bool = False  # whether the time limit ended a search

    def hold(self, seconds: float) -> None:
        """Show the last frame so far for longer."""
        if seconds > 0:
            self.holds.append((self.frames - 1, seconds))

    @property
    def seconds_held(self) -> float:
        """How much longer frames are shown so far, in all."""
        return sum(seconds for _, seconds in self.holds)

    def finished(self, board: Board, settings: Settings) -> Film:
        """The film on its board, whose steps are there."""
        animation = Animation(
            board=board,
            first=stacked(self.first),
            clicks=np.zeros(0, np.int32),
            primaries=np.zeros(0, np.uint8) if len(self.first) > 1 else None,
            steps=self.steps,
            clicks_done=np.arange(self.frames, dtype=np.int64),
            fps=settings.frame_rate,
            holds=tuple(self.holds),
            loop=settings.loop,
            pictures=tuple(target.name for target, *_ in self.targets),
            targets=tuple(stacked([t.configuration for t in each]) for each in self.targets),
            seed=settings.seed,
            sounds=() if settings.mute else tuple(self.sounds),
        )
        facts = {name: getattr(self, name) for name in ("pictures", "moves", "notes", "cut_short")}
        return Film(animation=animation, **facts)


def check_clips(pictures: int, settings: Settings) -> None:
    """Do the options go together with clips among the pictures?"""
    alone, said = pictures == 1, given(settings)
    for name in (*NOT_OF_CLIPS, *(NOT_OF_ONE_CLIP if alone else ())):
        if name in said:
            what = "one clip alone" if alone and name in NOT_OF_ONE_CLIP else "clips"
            raise OptionError(f"{name} is not for {what}; leave it out", name)
    if settings.order == "legal":
        raise OptionError("order legal is for stills alone; take another order", "order")


def film_of_clips(
    board: Board,
    pictures: Sequence[tuple[str, Targets | Clip]],
    settings: Settings,
    way: Way,
    clock: Clock,
) -> Film:
    """The film of stills and clips, one after the other."""
    with clock.stage("clip") as say:
        check_parity_checks(board, settings, "a clip")
        stills = [picture for _, picture in pictures if not isinstance(picture, Clip)]
        nearest = iter(find_nearest(board, stills, settings, say))
        expected = expected_frames([picture for _, picture in pictures], settings.frame_rate)
        filming = _Filming(board, settings, way, clock, expected)
        shape = 3 if settings.rgb else 1, *board.shape
        sets = filming.sets(pictures, nearest)
        filming.film.steps = Steps.on_disk(shape, board.levels, sets)
    return filming.film.finished(board, settings)


def expected_frames(pictures: Sequence[Targets | Clip], fps: float) -> int:
    """How many frames all clips have, about; 0 where nobody knows before they are decoded."""
    seconds = [picture.seconds for picture in pictures if isinstance(picture, Clip)]
    return 0 if None in seconds else round(sum(filter(None, seconds)) * fps)


class _Filming:
    """Makes a film, a click set after the other."""

    def __init__(
        self, board: Board, settings: Settings, way: Way, clock: Clock, expected: int
    ) -> None:
        self.film, self._shown = FilmSoFar(), list[Target]()
        self._board, self._settings, self._way = board, settings, way
        self._clock, self._expected, self._done = clock, expected, 0
        self._check_cells = CheckCells.of(board)

    def sets(
        self, pictures: Sequence[tuple[str, Targets | Clip]], nearest: Iterator[list[Nearest]]
    ) -> Sets:
        """The clicks to each frame but the first."""
        for number, (path, picture) in enumerate(pictures):
            is_clip = isinstance(picture, Clip)
            made = (
                self._clip(path, picture)
                if isinstance(picture, Clip)
                else self._still(path, picture, next(nearest))
            )
            for clicks in made:
                self.film.frames += 1
                yield clicks
            if number or (is_clip and len(pictures) == 1):
                self.film.hold(self._held("hold_last", is_clip))
        if self._settings.cycle:
            self.film.frames += len(back := [*self._to(self._start)])
            yield from back

    def _held(self, name: str, is_clip: bool) -> float:
        # Stills are held, and clips where that is asked for.
        given = getattr(self._settings, name)
        usual = 0.0 if is_clip else getattr(attrs.fields(Timing), name).default
        return float(usual if given is None else given)

    def _still(self, path: str, asked: Targets, nearest: list[Nearest]) -> Sets:
        self.film.targets.append(asked)
        self.film.pictures.append(PictureReport.of(path, nearest))
        self.film.cut_short |= any(found.cut_short for found in nearest)
        lights = [found.configuration for found in nearest]
        yield from self._to(_with(lights, asked), is_clip=False)

    def _clip(self, path: str, clip: Clip) -> Sets:
        settings, film = self._settings, self.film
        targets = clip_targets(clip, self._board, settings, settings.frame_rate)
        dither = clip.own.get("dither", settings.dither)
        with closing(taken_ahead(targets, AHEAD)) as ahead:
            frames = steadied(ahead, dither, settings)
            asked = next(frames)
            film.targets.append(asked)
            yield from self._to(self._accessible(asked), is_clip=True)
            begins = (film.frames - 1) / settings.frame_rate + film.seconds_held
            wrong = [_wrong(asked, self._shown)]
            deadline, clicks, bound = Deadline(math.inf), 0, 0
            for asked in frames:
                now = self._accessible(asked)
                found = [self._step(*ends, deadline) for ends in zip(self._shown, now, strict=True)]
                yield np.stack([clicked for clicked, _ in found])
                self._shown = now
                wrong.append(_wrong(asked, now))
                clicks += sum(self._board.count(clicked) for clicked, _ in found)
                bound += sum(least for _, least in found)
                self._tell()
        seconds, status = deadline.seconds_used(), status_of(clicks, bound)
        film.pictures.append(ClipReport.of_frames(path, wrong, seconds))
        film.moves.append(MoveReport(clicks=clicks, bound=bound, status=status, seconds=seconds))
        if clip.sound is not None:
            length = len(wrong) / settings.frame_rate
            film.sounds.append(Sound(source=clip.sound, at=begins, seconds=length))

    def _step(self, start: Target, end: Target, deadline: Deadline) -> tuple[Lights, int]:
        # Its search has so much work and no time limit, so that every computer finds the same.
        ends = start.configuration, end.configuration
        return find_step(self._board, *ends, deadline.of_work(SEARCH_SECONDS))

    def _accessible(self, asked: Targets) -> list[Target]:
        # Cells that are wrong are always out of the same few, and stay while they can.
        return _with([self._check_cells.corrected(t.configuration) for t in asked], asked)

    def _to(self, shown: list[Target], *, is_clip: bool = False) -> Sets:
        # From the end of the picture before, if there is one, by the transition.
        before, self._shown = self._shown, shown
        if not before:
            self._start, self.film.first = shown, [target.configuration for target in shown]
            self.film.hold(self._held("hold_first", is_clip) - 1 / self._settings.frame_rate)
            return
        pair = attrs.evolve(self._settings, cycle=False)
        way = self._way(self._board, [before, shown], pair, self._clock)
        for end, reached in zip((before, shown), way.reached, strict=True):
            for target, nearest in zip(end, reached, strict=True):
                if not np.array_equal(target.configuration, nearest.configuration):
                    raise SolverError("a transition leads somewhere else; please report this")
        self.film.moves += way.reports
        self.film.notes += [note for note in way.notes if note not in self.film.notes]
        self.film.cut_short |= way.cut_short
        frames = self.film.frames
        for move, front in zip(way.moves, way.fronts, strict=True):
            if isinstance(move, Steps):
                yield from move
            else:
                done = clicks_by_frame(len(move[0]), self._settings, front)
                yield from sets_by_frame(self._board, *move, done)
        if is_clip and self.film.frames == frames:  # nothing to click, and yet a frame of the clip
            yield np.zeros((len(shown), *self._board.shape), np.uint8)

    def _tell(self) -> None:
        self._done += 1
        share = min(1.0, self._done / self._expected) if self._expected else 0.0
        of = f" of {self._expected}" if self._expected else ""
        self._clock.progress("clip", share, f"frame {self._done}{of}")


def _with(lights: Sequence[Lights], targets: Targets) -> list[Target]:
    # Targets that are shown exactly.
    pairs = zip(targets, lights, strict=True)
    return [replace(target, configuration=shown) for target, shown in pairs]


def _wrong(asked: Targets, shown: Targets) -> tuple[int, int]:
    # How many cells are, and by how many levels.
    apart = [
        np.abs(np.subtract(a.configuration, s.configuration, dtype=np.int8))
        for a, s in zip(asked, shown, strict=True)
    ]
    cells = sum(int(np.count_nonzero(each)) for each in apart)
    return cells, sum(int(each.sum(dtype=np.int64)) for each in apart)
