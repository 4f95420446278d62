"""Wipes whose ends a search chooses: their clicks draw a third picture, or show two films at once.

A dither leaves much of its freedom unused: many configurations look like the same picture.  Two
configurations that look like the first and the second picture therefore exist whose click set, the
solution of their difference, looks like a third.

Two films side by side are a wipe on a board that has two halves.  The unknowns of the search are
the first configuration of each half and the clicks of each move, which are made on both halves.
The halves are parts of one board, so clicks at their common border change cells of both.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from lightsanim.errors import OptionError
from lightsanim.film.clicks import Clicks
from lightsanim.game.algebra.packed_elimination import Check
from lightsanim.game.board.board import Board
from lightsanim.game.board.perfect import is_perfect
from lightsanim.game.solve.fewest import Fewest
from lightsanim.pictures.dither import Target
from .halftone import Effects, Int64s
from .searched_ends import report_errors, search_pictures
from .transition import End, Targets, exact_ends
from .wipe import Wipe

# Weights of the errors of two pictures and of the clicks between them.
CLICKS_WEIGHTS = (1.0, 1.0, 1.2)
# Number of sweeps for two films side by side, which have more unknowns than other films.
HALVES_SWEEPS = 200


def require_perfect_board(board: Board, option: str, remark: str = "") -> None:
    """Raise OptionError, with a remark on the size, if a board has quiet patterns."""
    if board.nullity:
        raise OptionError(
            f"{option} needs a board without quiet patterns, and {board.columns}x{board.rows}"
            f"{remark} has {board.nullity}; choose a size near it, or leave out its rows",
            "size",
        )


class ClicksPicture(Wipe):
    """The wipe between two pictures whose clicks look like a third one."""

    def ends(self, targets: Sequence[Targets]) -> list[End]:
        """Search the ends of two pictures; ``targets`` has a third for the clicks."""
        board = self.board
        require_perfect_board(board, "clicks_picture")
        kinds = list_click_effects(board)
        search = search_pictures(self, targets, kinds, CLICKS_WEIGHTS, clicks=1)
        self.facts.add_notes(report_errors(search.cells, search.greys, board.levels, clicks=1))
        first, last, _ = search.cells.swapaxes(0, 1)
        return exact_ends(board, targets[:2], [first, last])


def list_click_effects(board: Board) -> list[Effects]:
    """Return the effects of the cells of the first picture, and of the clicks to the second."""
    flips = [(1, *offset) for offset in board.offsets()]
    changes = [(0, 0, 0), (1, 0, 0)], [*flips, (2, 0, 0)]
    return [Effects.from_offsets(board.shape, cells, wrap=board.wrap) for cells in changes]


def join_boards(board: Board) -> Board:
    """Return the board of two films side by side, twice as wide as that of each."""
    return replace(board, columns=2 * board.columns)


def is_perfect_if_joined(board: Board, check: Check) -> bool:
    """Return whether every configuration of two boards side by side is accessible."""
    return is_perfect(join_boards(board), check)


class SideBySide(Wipe):
    """The wipe that shows one film in the left half of a board, and another in the right."""

    def ends(self, targets: Sequence[Targets]) -> list[End]:
        """Search the ends; the second half of ``targets`` is for the right half of the board."""
        board, count = self.board, len(targets) // 2
        require_perfect_board(board, "beside", ", the size of both halves,")
        kinds, weights = list_half_effects(board, count), [1.0] * len(targets)
        search = search_pictures(self, targets, kinds, weights, sweeps=HALVES_SWEEPS)
        self.facts.add_notes(report_errors(search.cells, search.greys, board.levels))
        lights = np.concatenate(np.split(search.cells, 2, axis=1), axis=-1).swapaxes(0, 1)
        halves = zip(targets[:count], targets[count:], strict=True)
        wide = [list(map(join_targets, *both)) for both in halves]
        return exact_ends(board, wide, [*lights])

    def order_clicks(
        self, fewest: Sequence[Fewest], start: End, end: End, rng: np.random.Generator
    ) -> Clicks:
        """Order the clicks, and follow each by the click on the other half."""
        return pair_clicks(self.board, super().order_clicks(fewest, start, end, rng))


def list_half_effects(board: Board, count: int) -> list[Effects]:
    """Return the effects of the cells of both first pictures, and of the clicks of each move.

    Pictures 0 to ``count - 1`` are those of the left half, the others those of the right.
    """
    half_shape = board.rows, board.columns // 2
    halves = range(count), range(count, 2 * count)
    kinds = [Effects.from_offsets(half_shape, [(n, 0, 0) for n in half]) for half in halves]
    return kinds + [
        click_effects(board, [half[move:] for half in halves]) for move in range(1, count)
    ]


def click_effects(board: Board, pictures: Sequence[Sequence[int]]) -> Effects:
    """Return the effects of clicks on both halves, in the pictures of each half after the move."""
    (rows, columns), width = np.indices((board.rows, board.columns // 2)), board.columns // 2
    changes = list[tuple[int, Int64s, Int64s, Int64s]]()
    for half, (down, right) in product((0, 1), board.offsets()):
        # The cells that the clicks in both halves flip, of which one at most is in this half.
        row, column = rows + down, columns + right + [[[0]], [[width]]]
        if board.wrap:
            row, column = row % board.rows, column % board.columns
        flips = ((row >= 0) & (row < board.rows) & (column // width == half)).sum(axis=0)
        place = rows + down, (columns + right) % width
        changes += [(picture, *place, flips) for picture in pictures[half]]
    numbers, *arrays = map(np.array, zip(*changes, strict=True))
    reach = 2 * np.abs(board.offsets()).max(axis=0)
    return Effects(
        pictures=numbers,
        changes=np.stack(arrays),
        reach=(int(reach[0]), int(reach[1])),
        wrap=True,
    ).merge()


def join_targets(left: Target, right: Target) -> Target:
    """Return the target that shows two pictures side by side, with the name of the left one."""
    return replace(
        left,
        configuration=np.hstack([left.configuration, right.configuration]),
        grey=np.hstack([left.grey, right.grey]),
    )


def pair_clicks(board: Board, clicks: Clicks) -> Clicks:
    """Return clicks in the same order, but each followed by the click on the other half."""
    presses, width = clicks.count_presses(board, 0, len(clicks)), board.columns // 2
    starts = clicks.cell_run_starts
    row, column = np.divmod(clicks.cells[starts], board.columns)
    left = row * board.columns + column % width
    left = left[np.sort(np.unique(left, return_index=True)[1])]
    cells = np.stack([left, left + width], axis=1).ravel()
    front = None if clicks.front is None else clicks.front[starts]
    pairs = Clicks.from_presses(cells, presses.reshape(len(presses), -1)[:, cells], front)
    return replace(pairs, group=2)
