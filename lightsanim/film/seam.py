"""The seam between two pictures: an order of clicks that leaves few cells in neither picture.

While a front of clicks moves over the board, cells beside it show what belongs to neither picture.
Which of the clicks near the front come first is free.  So the clicks are made in steps, and at each
step those near the front are chosen that leave the least visible error: each cell's squared
difference from the picture that it is nearer to.  Clicks that change no common cell are chosen
independently of each other, class by class.
"""

from collections import Counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lightsanim.game.algebra.modular import mod_inplace
from lightsanim.game.board.board import Board

# Maximum number of cells of a board whose seam is searched, which then takes some 3 seconds.
MAX_SEAM_CELLS = 250_000
# Maximum number of classes of clicks that change no common cell; rules that need more, such as the
# cross, have no seam: their clicks change cells far from the front.
MAX_CLASSES = 100
# Number of steps, and maximum number of passes through a class in all of them.
STEPS, MAX_PASSES = 300, 60_000
# Clicks are free if their place in the order, as a share, is at most this far from the front.
FREE_SHARE = 0.05
# For each pass through all classes in a step, the mean rise of the error accepted by chance, as in
# simulated annealing; the last passes lead to a local minimum.
HEATS = (0.5, 0.2, 0, 0, 0)
# How much a click may raise the error if it is late by `FREE_SHARE`; 1 is a white cell for a black.
PULL = 0.02


class PictureChange(NamedTuple):
    """The configurations between which clicks lead, and what their levels show."""

    first: NDArray[Any]  # bool or uint8 (planes, rows, columns).
    last: NDArray[Any]  # Like ``first``.
    # Squared difference of what two levels show, (planes, levels, levels); 1 is black from white.
    differences: NDArray[np.float64]

    def find_visible_change(self) -> NDArray[np.float64]:
        """Return the squared difference of what each cell shows, summed over planes, as a board."""
        planes = np.arange(len(self.differences))[:, None, None]
        change = self.differences[planes, self.first.astype(np.intp), self.last.astype(np.intp)]
        return np.asarray(change.sum(axis=0))


def reorder_seam(
    board: Board,
    change: PictureChange,
    presses: NDArray[np.uint8],
    cells: NDArray[np.integer],
    rng: np.random.Generator,
) -> NDArray[np.intp]:
    """Order the clicks near the front again, so that few cells show neither picture.

    ``presses``, uint8 (planes, clicks), are those of ``cells``.  Returns new indices of both.
    """
    total = len(cells)
    if (board_classes := find_independent_classes(board)) is None:
        return np.arange(total)
    shown = _ShownBoard(board, change, presses, cells)
    class_count = board_classes.max() + 1
    steps = min(STEPS, total, MAX_PASSES // (len(HEATS) * class_count))
    classes, shares = board_classes[cells], (np.arange(total) + 0.5) / total
    step_of, is_made = np.full(total, steps), np.zeros(total, bool)
    for step in range(1, steps):
        front = step / steps
        start, end = np.searchsorted(shares, (front - FREE_SHARE, front + FREE_SHARE))
        free = start + np.flatnonzero(~is_made[start:end])
        pulls = (front - shares) * (PULL / FREE_SHARE)
        due = np.flatnonzero(~is_made & (shares <= front))
        shown.click_all(due)
        is_made[due] = True
        groups = [free[classes[free] == number] for number in range(class_count)]
        for heat in HEATS:
            for clicks in groups:
                are_made = is_made[clicks]
                limits = np.where(are_made, -pulls[clicks], pulls[clicks])
                limits += heat * rng.exponential(size=len(clicks))
                is_made[clicks] ^= shown.click_if_better(clicks, are_made, limits)
        step_of[is_made & (step_of == steps)] = step
    return np.lexsort((np.arange(total), step_of))


class _ShownBoard:
    """The levels of all cells between two pictures, and each cell's error, as clicks are made."""

    def __init__(
        self,
        board: Board,
        change: PictureChange,
        presses: NDArray[np.uint8],
        cells: NDArray[np.integer],
    ) -> None:
        self._q, self._planes, self._total = board.levels, np.arange(len(presses)), len(cells)
        # One more cell stands for all cells off the board.
        both = np.stack([change.first, change.last]).reshape(2, len(presses), -1).swapaxes(1, 2)
        both = np.pad(both, ((0, 0), (0, 1), (0, 0))).astype(np.uint8)
        differences = change.differences[self._planes, both.astype(np.intp)]
        self._differences = differences.astype(np.float32)
        self._differences[:, -1] = 0
        self._lowest = self._differences[:, :, 0].min(axis=0).ravel()  # errors of a single plane
        self._neighbours, times = _reached_cells(board, cells)
        made = mod_inplace(presses.T[:, None] * times[:, None], self._q)
        # What clicks add to levels, then what undoing them adds: (clicks, offsets, planes).
        self._added = np.concatenate([made, self._q - made]).astype(np.intp)
        self._levels = both[0].astype(np.intp)
        self._errors = np.zeros(board.cells + 1, np.float32)
        self._wrapped = np.arange(2 * self._q) % self._q

    def click_all(self, clicks: NDArray[np.intp]) -> None:
        """Make clicks, whatever error they cause."""
        at = self._neighbours[clicks]
        np.add.at(self._levels, at, self._added[clicks])
        self._levels[at] %= self._q
        self._errors[at] = self._find_errors(at, self._levels[at])

    def click_if_better(
        self, clicks: NDArray[np.intp], is_made: NDArray[np.bool], limits: NDArray[np.float64]
    ) -> NDArray[np.bool]:
        """Make or undo some independent clicks if the error rises by less than their limits."""
        at = self._neighbours.take(clicks, axis=0)
        added = self._added.take(clicks + self._total * is_made, axis=0)
        level = self._wrapped.take(self._levels[at] + added)
        error = self._find_errors(at, level)
        rises = (error - self._errors.take(at)).sum(axis=1)
        is_better: NDArray[np.bool] = rises < limits - 1e-6
        changed = at[is_better]
        self._levels[changed], self._errors[changed] = level[is_better], error[is_better]
        return is_better

    def _find_errors(self, at: NDArray[np.intp], level: NDArray[np.intp]) -> NDArray[np.float32]:
        if len(self._planes) == 1:
            return np.asarray(self._lowest.take(at * self._q + level[..., 0]))
        places = (at[..., None] * len(self._planes) + self._planes) * self._q + level
        first, last = (picture.take(places).sum(axis=-1) for picture in self._differences)
        return np.asarray(np.minimum(first, last))


def _reached_cells(
    board: Board, cells: NDArray[np.integer]
) -> tuple[NDArray[np.intp], NDArray[np.uint8]]:
    # Return the cells that each click changes, (clicks, offsets), and how often, (offsets,).
    offsets = Counter(board.offsets())
    steps = np.array(list(offsets)).reshape(-1, 2).T
    positions = divmod(cells, board.columns)
    down, right = (start[:, None] + by for start, by in zip(positions, steps, strict=True))
    if board.wrap:
        down, right = down % board.rows, right % board.columns
    inside = (down >= 0) & (down < board.rows) & (right >= 0) & (right < board.columns)
    neighbours = np.where(inside, down * board.columns + right, board.cells)
    return neighbours.astype(np.intp), np.array(list(offsets.values()), np.uint8)


def find_independent_classes(board: Board) -> NDArray[np.intp] | None:
    """Number the cells so that clicks on cells with equal numbers change no common cell.

    With the plus, the number is (row + 2 column) modulo 5.  Returns None if no such formula has at
    most `MAX_CLASSES` numbers, or if a torus is smaller than two neighbourhoods.
    """
    rows, columns = np.indices(board.shape)
    offsets = set(board.offsets())
    formulas = (
        (modulus, factor)
        for modulus in range(max(1, len(offsets)), MAX_CLASSES + 1)
        for factor in range(modulus)
        if len({(down + factor * right) % modulus for down, right in offsets}) == len(offsets)
    )
    modulus, factor = next(formulas, (0, 0))
    if not modulus:
        return None
    classes = (rows + factor * columns) % modulus
    if board.wrap and offsets:
        # On a torus, clicks near the last row or column meet those near the first, so they form
        # classes of their own.
        row_span, column_span = np.ptp(list(offsets), axis=0)
        if board.rows < 2 * row_span or board.columns < 2 * column_span:
            return None
        classes += modulus * (rows >= board.rows - row_span)
        classes += 2 * modulus * (columns >= board.columns - column_span)
    return np.asarray(np.unique(classes, return_inverse=True)[1].ravel())
