"""The wipe transition: the fewest clicks from each picture to the next, made one by one."""

from collections.abc import Sequence
from itertools import chain

import numpy as np

from lightsanim.errors import SolverError
from lightsanim.film.clicks import Clicks
from lightsanim.film.order import order_clicks_with_front
from lightsanim.film.seam import MAX_SEAM_CELLS, PictureChange, reorder_seam
from lightsanim.game.algebra.linear import Bits
from lightsanim.game.board.board import Board
from lightsanim.game.solve.fewest import Fewest, fewest_clicks
from lightsanim.game.solve.legal_order import find_legal_order
from lightsanim.game.solve.nearest import Nearest
from lightsanim.options.choices import EVEN_EASES, SEAM_EASES
from lightsanim.options.settings import Settings
from lightsanim.system.deadline import Deadline
from lightsanim.system.progress import ProgressReporter, StageTimer
from lightsanim.system.threads import search_in_parallel
from .transition import (
    Move,
    Targets,
    Transition,
    find_nearest_configurations,
    pair_successive_pictures,
)


def build_wipe(
    board: Board, targets: Sequence[Targets], settings: Settings, clock: StageTimer
) -> Transition:
    """Build the transition that makes one click after the other."""
    with clock.time_stage("nearest") as say:
        nearest = find_nearest_configurations(board, targets, settings, say)
    return order_fewest_clicks(board, targets, nearest, settings, clock)


def order_fewest_clicks(
    board: Board,
    targets: Sequence[Targets],
    nearest: Sequence[Sequence[Nearest]],
    settings: Settings,
    clock: StageTimer,
) -> Transition:
    """Build the wipe between known configurations of the pictures."""
    with clock.time_stage("fewest") as say:
        pairs = pair_successive_pictures(nearest, settings)
        moves = find_fewest_clicks(board, pairs, settings, say)
    with clock.time_stage("order"):
        rng = np.random.default_rng(settings.seed)
        in_order = [
            Move(
                clicks=order_move_clicks(board, move, pair, pictures, settings, rng, clock),
                bound=sum(fewest.bound for fewest in move),
                seconds=max(fewest.seconds for fewest in move),
                cut_short=any(fewest.cut_short for fewest in move),
            )
            for move, pair, pictures in zip(
                moves, pairs, pair_successive_pictures(targets, settings), strict=True
            )
        ]
    return Transition(nearest=nearest, moves=in_order)


def find_fewest_clicks(
    board: Board,
    moves: Sequence[tuple[Sequence[Nearest], Sequence[Nearest]]],
    settings: Settings,
    say: ProgressReporter,
) -> list[list[Fewest]]:
    """Find the fewest clicks of each move on each colour plane, in parallel."""

    def find_move_clicks(move: tuple[Nearest, Nearest], deadline: Deadline) -> Fewest:
        start, end = move
        # As in the paper, the search starts with the difference between the pictures' click sets.
        fewest = fewest_clicks(
            board,
            board.subtract(end.clicks, start.clicks),
            time_limit=deadline,
            on_progress=lambda count, bound: say(f"{count} clicks, lower bound {bound}"),
        )
        result = board.add(start.configuration, board.toggles(fewest.clicks))
        if not np.array_equal(result, end.configuration):
            raise SolverError("the clicks found do not make the next picture; please report this")
        return fewest

    plane_moves = [list(zip(*move, strict=True)) for move in moves]
    results = iter(search_in_parallel(find_move_clicks, chain(*plane_moves), settings.time_limit))
    return [[next(results) for _ in planes] for planes in plane_moves]


def order_move_clicks(
    board: Board,
    move: Sequence[Fewest],
    pair: tuple[Sequence[Nearest], Sequence[Nearest]] | None,
    targets: tuple[Targets, Targets],
    settings: Settings,
    rng: np.random.Generator,
    clock: StageTimer,
) -> Clicks:
    """Put the clicks of a move in order, with regard to a ``pair`` of configurations if given."""
    presses = np.array([fewest.clicks.ravel() for fewest in move], np.uint8)
    is_clicked: Bits = presses.any(axis=0).reshape(board.shape)
    change = front = None
    if pair is not None:
        first, last = (np.array([plane.configuration for plane in planes]) for planes in pair)
        differences = np.array([target.differences for target in targets[0]])
        change = PictureChange(first, last, differences)
    if settings.order == "legal":
        assert change is not None  # sketches exclude this order
        cells = find_legal_order(board, change.first[0], is_clicked, rng, press=settings.press)
    else:
        is_even = settings.ease in EVEN_EASES
        toned = targets if settings.order in ("tone", "contour") else ()  # saves memory
        cells, front = order_clicks_with_front(
            is_clicked,
            settings.order,
            rng,
            reverse=settings.reverse,
            spread=settings.spread,
            tones=tuple(np.mean([target.grey for target in planes], axis=0) for planes in toned),
            visible_change=None if change is None or not is_even else change.find_visible_change,
        )
    has_front = front is not None and settings.ease in SEAM_EASES
    has_seam = has_front and board.cells <= MAX_SEAM_CELLS
    if change is not None and has_seam and not clock.leave_out_refinement():
        cells = cells[reorder_seam(board, change, presses[:, cells], cells, rng)]
    if not np.array_equal(np.sort(cells), np.flatnonzero(is_clicked)):
        raise SolverError("the order found does not click each cell once; please report this")
    keeps_pace = settings.ease in (*EVEN_EASES, "front")
    return Clicks.from_presses(cells, presses[:, cells], front if keeps_pace else None)
