"""The wipe transition: the fewest clicks from each picture to the next, made one by one."""

from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from lightsanim.film.cell_times import Times
from lightsanim.film.clicks import Clicks
from lightsanim.film.order import order_clicks_with_front
from lightsanim.film.seam import MAX_SEAM_CELLS, PictureChange, reorder_seam
from lightsanim.game.algebra.linear import Bits
from lightsanim.game.solve.fewest import Fewest, fewest_clicks
from lightsanim.game.solve.legal_order import find_legal_order
from lightsanim.game.solve.nearest import Nearest
from lightsanim.options.choices import EVEN_EASES, SEAM_EASES
from lightsanim.system.deadline import Deadline
from lightsanim.system.threads import search_in_parallel
from .transition import End, Move, Pair, Targets, Transition


class Wipe(Transition):
    """Wipes, in which one click follows the other."""

    def moves(self, pairs: Sequence[Pair]) -> Sequence[Move]:
        """Return the fewest clicks of each move, in order."""
        fewest = self.find_fewest_clicks([(start.nearest, end.nearest) for start, end in pairs])
        with self.clock.time_stage("order"):
            rng = np.random.default_rng(self.options.seed)
            return [
                Move(
                    start=start.lights,
                    clicks=self.order_clicks(planes, start, end, rng),
                    end=end.lights,
                    bound=sum(plane.bound for plane in planes),
                    seconds=max(plane.seconds for plane in planes),
                    cut_short=any(plane.cut_short for plane in planes),
                )
                for planes, (start, end) in zip(fewest, pairs, strict=True)
            ]

    def order_clicks(
        self, fewest: Sequence[Fewest], start: End, end: End, rng: np.random.Generator
    ) -> Clicks:
        """Put the clicks of a move in order."""
        differences = np.array([target.differences for target in start.targets])
        change = PictureChange(start.lights, end.lights, differences)
        return self.put_in_order(fewest, (start.targets, end.targets), rng, change)

    def find_fewest_clicks(
        self, moves: Sequence[tuple[Sequence[Nearest], Sequence[Nearest]]]
    ) -> list[list[Fewest]]:
        """Find the fewest clicks of each move on each colour plane, in parallel."""
        board, limit = self.board, self.search.time_limit
        plane_moves = [list(zip(*move, strict=True)) for move in moves]
        with self.clock.time_stage("fewest") as say:

            def find_move_clicks(move: tuple[Nearest, Nearest], deadline: Deadline) -> Fewest:
                # As in the paper, the search starts with the difference of the click sets.
                start, end = move
                return fewest_clicks(
                    board,
                    board.subtract(end.clicks, start.clicks),
                    time_limit=deadline,
                    on_progress=lambda count, bound: say(f"{count} clicks, lower bound {bound}"),
                )

            results = iter(search_in_parallel(find_move_clicks, chain(*plane_moves), limit))
            return [[next(results) for _ in planes] for planes in plane_moves]

    def put_in_order(
        self,
        fewest: Sequence[Fewest],
        targets: tuple[Targets, Targets],
        rng: np.random.Generator,
        change: PictureChange | None = None,
    ) -> Clicks:
        """Order clicks by the targets before and after them, and by what they change if given."""
        presses = np.array([plane.clicks.ravel() for plane in fewest], np.uint8)
        is_clicked: Bits = presses.any(axis=0).reshape(self.board.shape)
        ease = self.timing.ease
        cells, front = self._order_cells(is_clicked, targets, change, rng)
        has_seam = front is not None and ease in SEAM_EASES and self.board.cells <= MAX_SEAM_CELLS
        if change is not None and has_seam and not self.clock.leave_out_refinement():
            cells = cells[reorder_seam(self.board, change, presses[:, cells], cells, rng)]
        keeps_pace = ease in (*EVEN_EASES, "front")
        return Clicks.from_presses(cells, presses[:, cells], front if keeps_pace else None)

    def _order_cells(
        self,
        is_clicked: Bits,
        targets: tuple[Targets, Targets],
        change: PictureChange | None,
        rng: np.random.Generator,
    ) -> tuple[NDArray[np.int32], Times | None]:
        """Return the clicked cells in order, and the progress of the front at each, if any."""
        options, is_even = self.options, self.timing.ease in EVEN_EASES
        if options.order == "legal":
            assert change is not None  # sketches exclude this order
            first = change.first[0]
            return find_legal_order(self.board, first, is_clicked, rng, press=options.press), None
        toned = targets if options.order in ("tone", "contour") else ()  # saves memory
        return order_clicks_with_front(
            is_clicked,
            options.order,
            rng,
            reverse=options.reverse,
            spread=options.spread,
            tones=tuple(np.mean([target.grey for target in planes], axis=0) for planes in toned),
            visible_change=None if change is None or not is_even else change.find_visible_change,
        )
