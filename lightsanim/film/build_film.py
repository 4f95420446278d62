"""Films of stills and clips, with a transition from each picture to the next."""

from collections.abc import Sequence
from dataclasses import replace

from lightsanim.errors import OptionError
from lightsanim.game.board.board import Board
from lightsanim.game.levels import stack_planes
from lightsanim.options.choices import BOOMERANG, STAY
from lightsanim.options.records import non_default_values, option_names
from lightsanim.options.settings import Settings
from lightsanim.pictures.shots import Shot
from lightsanim.system.progress import StageTimer
from .animate import animate
from .animation import Animation
from .clip_film import ClipFilm
from .film_reports import FilmReports, PictureReport
from .timing import divide_total, fit_total
from .transitions.table import find_transition
from .transitions.transition import (
    Transition,
    check_moves,
    connect,
    describe_targets,
)


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


def build_film(
    board: Board, shots: Sequence[Shot], settings: Settings, clock: StageTimer
) -> tuple[Animation, FilmReports]:
    """Build the film of stills and clips, with its reports but without an origin.

    The pictures of `Settings.more_pictures` are the last shots.
    """
    facts, has_clips = FilmReports(), any(shot.is_clip for shot in shots)
    timing = divide_total(settings, len(shots) - len(settings.more_pictures))
    transition = find_transition(settings)(
        board=board,
        options=settings,
        pictures=settings,
        timing=timing,
        search=settings,
        ending=STAY if has_clips else settings.ending,
        facts=facts,
        clock=clock,
    )
    if has_clips:
        film = ClipFilm(transition=transition, settings=settings).build(shots)
    else:
        film = build_still_film(transition, shots)
    film = replace(film, seed=settings.seed)
    return (film if settings.total is None else fit_total(film, settings.total)), facts


def build_still_film(transition: Transition, shots: Sequence[Shot]) -> Animation:
    """Build a film of stills, with one search for all its moves."""
    board, facts, timing = transition.board, transition.facts, transition.timing
    ends = transition.ends([next(shot.targets(timing.fps)) for shot in shots])
    shown = [end for end in ends if end.targets]
    for shot, end in zip(shots, shown, strict=False):
        facts.pictures.append(PictureReport.from_searches(shot.path, end.nearest))
        facts.cut_short |= any(plane.cut_short for plane in end.nearest)
    moves = connect(transition, [*ends, *ends[: transition.is_cycle]])
    if transition.ending == BOOMERANG:
        back = [move.inverse(board) for move in reversed(moves)]
        if board.levels > 2:  # with two levels they have the same clicks
            facts.moves += [move.report for move in back]
        moves += back
    check_moves(board, moves)
    return animate(
        board,
        stack_planes(list(moves[0].start)),
        [move.clicks for move in moves],
        timing,
        returns=transition.ending != STAY,
        **describe_targets([end.targets for end in shown]),
    )
