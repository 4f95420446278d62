"""Halftones that share unknowns: cells whose sums, blurred as by the eye, look like pictures.

The level of each cell of each picture is a sum of unknowns modulo q.  The search minimises

    sum over pictures p of  weight_p * |blur(shown_p - grey_p)|**2

by simulated annealing: a move raises an unknown by 0 to q - 1 levels, drawn from the Boltzmann
distribution, and so changes some cells of some pictures.  This is direct binary search for
halftones (Analoui and Allebach, "Model-based halftoning using direct binary search", 1992), with
cells that do not change alone.

Moves whose changes hardly overlap when they are blurred are drawn at the same time; later moves
take the overlap into account.  The cost of changing a cell follows from the error at the cell,
blurred twice.  These values, the field, are updated after every change.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, cycle, product, starmap
from typing import Any, Literal

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from lightsanim.game.levels import Lights, dtype_of
from lightsanim.pictures.blur import gaussian_weights
from lightsanim.system.deadline import Deadline

Float64s = NDArray[np.float64]
Int64s = NDArray[np.int64]
Int8s = NDArray[np.int8]

# Moves are drawn together if the blur kernel at their distance is below this share of its peak.
NEGLIGIBLE = 0.02
# Estimated seconds of a sweep on a slow computer, per group of moves and per evaluated change.
GROUP_SECONDS, CHANGE_SECONDS = 6e-5, 3e-8
# Standard deviation, in cells, of the blur that `search_halftones` applies, and of that for errors.
EYE_BLUR, REPORT_BLUR = 1.2, 1.3
# Number of sweeps of `search_halftones`, and temperatures of the first and the last.
SWEEPS, TEMPERATURES = 300, (0.1, 0.003)
# Small boards are searched several times at once, so that all tries have this many cells.
MIN_CELLS = 800
# Offsets of the neighbours with which an unknown swaps levels; the opposite ones give the same.
# A swap changes twice as many cells as a raise and helps less, so each sweep takes one offset.
SWAP_OFFSETS = (0, 1), (1, 0), (1, 1), (1, -1)
# Number of sweeps from one progress report to the next.
REPORT_INTERVAL = 10
# Number of cell changes by which the blurred error is updated at a time, to bound the memory.
BATCH_SIZE = 1000


@dataclass(frozen=True, kw_only=True, eq=False)
class Effects:
    """The cells that each unknown of one kind changes; an unknown belongs to a cell.

    The unknown of a cell makes a change in each of the ``pictures``, (changes,), when it rises by
    one.  ``changes``, int64 (3, changes, rows, columns), are the row and the column of the changed
    cell, and the levels by which it rises.
    """

    pictures: Int64s
    changes: Int64s
    reach: tuple[int, int] = (0, 0)  # Rows and columns within which the effects of moves overlap.
    wrap: bool = False

    @classmethod
    def from_offsets(
        cls, shape: tuple[int, int], changes: Sequence[tuple[int, int, int]], *, wrap: bool = False
    ) -> "Effects":
        """Build the effects of unknowns that change cells at (picture, down, right) from them."""
        picture, down, right = np.array(changes).T[..., None, None]
        rows, columns = np.add((down, right), np.indices(shape)[:, None])
        inside = (rows >= 0) & (rows < shape[0]) & (columns >= 0) & (columns < shape[1])
        reach = 2 * int(np.abs(down).max()), 2 * int(np.abs(right).max())
        cells = np.stack([rows, columns, inside | wrap])
        return cls(pictures=picture.ravel(), changes=cells, reach=reach, wrap=wrap).merge()

    def swap(self, down: int, right: int) -> "Effects":
        """Return the effects of raising an unknown and lowering its neighbour at an offset."""
        rows, columns = np.add(np.indices(self.changes.shape[2:]).T, (down, right)).T
        inside = (rows < len(rows)) & (columns >= 0) & (columns < len(rows.T))
        there = np.roll(self.changes, (-down, -right), axis=(2, 3))
        there[2] *= -1 * (inside | self.wrap)
        there[:2] = np.where(inside, there[:2], np.add(self.changes[:2].T, (down, right)).T)
        return Effects(
            pictures=np.tile(self.pictures, 2),
            changes=np.concatenate([self.changes, there], axis=1),
            reach=(self.reach[0] + down, self.reach[1] + abs(right)),
            wrap=self.wrap,
        ).merge()

    def merge(self) -> "Effects":
        """Return the effects with one change for each cell that an unknown changes repeatedly."""
        *places, raised = self.changes.copy()
        for first, second in combinations(range(len(raised)), 2):
            if self.pictures[first] == self.pictures[second]:
                same = raised[first] != 0
                for place, side in zip(places, raised.shape[1:], strict=True):
                    same &= (place[first] - place[second]) % side == 0
                raised[first] += raised[second] * same
                raised[second] *= ~same
        kept = raised.any(axis=(1, 2))
        changes = np.stack([*places, raised])[:, kept]
        return replace(self, pictures=self.pictures[kept], changes=changes)


@dataclass(frozen=True, kw_only=True, eq=False)
class MoveGroup:
    """Moves that are drawn together, and the cells that each changes."""

    centres: Int64s  # Cell numbers of the moves' unknowns in picture 0, (moves,).
    weights: Float64s  # Weight of each change's picture, (copies, changes, 1).
    cells: Int64s  # Cell numbers of the changed cells, (changes, moves).
    raised: Int64s  # Levels by which a move raises each cell, (changes, moves); 0 off the board.
    table_rows: Int64s  # Offsets into `Halftones.change_table`, (q - 1, 1, changes, moves).
    meet: bool  # Whether two moves change the same cell.
    coupling: Float64s  # Blur kernel between changed cells, (changes, changes[, moves]).


class Halftones:
    """The levels of several pictures' cells, and their field, in arrays (copies, cells).

    Cells are numbered on padded boards, one for each picture of each search, so that the blur
    kernel stays inside; cell 0 replaces all cells off the board.  A move changes cells of one copy.
    """

    def __init__(
        self, greys: Float64s, levels: NDArray[np.generic], weights: Float64s, blur: float, q: int
    ) -> None:
        """``greys`` and ``levels`` are (copies, searches, pictures, rows, columns)."""
        copies, self.searches, pictures, *shape = greys.shape
        self.shape, self.greys = (shape[0], shape[1]), greys
        blurring = gaussian_weights(blur, math.ceil(2 * blur))
        self.kernel = np.convolve(blurring, blurring)
        self.footprint = np.outer(self.kernel, self.kernel).ravel()
        self.pad_width = len(blurring) - 1
        self.padded = shape[0] + 2 * self.pad_width, shape[1] + 2 * self.pad_width
        self.weights = np.broadcast_to(weights, (copies, pictures))[:, None]
        self.states = np.arange(q)
        # Change in brightness for each raise of each level, flattened from (raise, level).
        raised = np.add.outer(self.states, self.states) % q
        self.change_table = ((raised - self.states) / (q - 1)).ravel()
        self.levels = self.pad_cells(levels).astype(np.int8)
        errors: Any = self.pad_cells((self.brightness - greys) * self.weights[..., None, None])
        field = blur_frames(errors.reshape(-1, *self.padded), self.kernel, "constant")
        self.field = np.ascontiguousarray(field).reshape(self.levels.shape)
        self.first_move = np.zeros(self.levels.shape[1], np.int64)
        self.patch = self._number_cells(*np.indices([2 * self.pad_width + 1] * 2)).ravel()
        self.patch -= self.patch[len(self.patch) // 2]

    @property
    def brightness(self) -> Float64s:
        """Brightness of all cells, (copies, searches, pictures, rows, columns), 0..1."""
        return self.remove_padding(self.levels) / (len(self.states) - 1)

    def pad_cells(self, cells: NDArray[np.generic]) -> NDArray[np.generic]:
        """Convert (copies, searches, pictures, rows, columns) to (copies, cells)."""
        sides = [(0, 0)] * 3 + [(self.pad_width, self.pad_width)] * 2
        return np.pad(cells, sides).reshape(len(cells), -1)

    def remove_padding(self, padded: Int8s) -> Int8s:
        """Convert (copies, cells) back to (copies, searches, pictures, rows, columns)."""
        rows, columns = (slice(self.pad_width, self.pad_width + side) for side in self.shape)
        return padded.reshape(*self.greys.shape[:3], *self.padded)[..., rows, columns]

    @property
    def errors(self) -> Float64s:
        """Weighted squared error, blurred as in the search, of each search: (copies, searches)."""
        errors: Any = self.pad_cells(self.brightness - self.greys)
        return np.asarray((errors * self.field).reshape(*self.greys.shape[:2], -1).sum(axis=-1))

    def group_moves(self, effects: Effects) -> Iterator[MoveGroup]:
        """Yield groups of moves that are far enough from each other to be drawn together."""
        near = int((self.kernel > NEGLIGIBLE * self.kernel.max()).sum()) // 2 + 1
        size, kernel = math.prod(self.padded), np.append(self.kernel[self.pad_width :], 0.0)
        searches = np.arange(self.searches) * size * self.greys.shape[2]
        same = effects.pictures[:, None] == effects.pictures
        by_states, last_coupling = self.states[1:, None, None, None], np.zeros(0)
        row_groups, column_groups = (
            spaced_place_groups(side, near + reach, wrap=effects.wrap)
            for side, reach in zip(self.shape, effects.reach, strict=True)
        )
        for place in starmap(np.ix_, product(row_groups, column_groups)):
            down, right, raised = effects.changes[:, :, *place].reshape(3, len(same), -1)
            coupling = same[..., None].astype(np.float64)
            for places in (down, right):
                distances = np.abs(places[:, None] - places)
                coupling = coupling * kernel[np.minimum(distances, self.pad_width + 1)]
            alike = (coupling == coupling[..., :1]).all()
            coupling = coupling[..., 0] if alike else np.tile(coupling, self.searches)
            if not np.array_equal(coupling, last_coupling):  # Equal ones share their memory.
                last_coupling = coupling.copy()
            cells = self._number_cells(down % self.shape[0], right % self.shape[1])
            cells = (cells + size * effects.pictures[:, None]) * (raised != 0)
            centres = self._number_cells(*np.broadcast_arrays(*place)).ravel()
            raised = np.tile(raised, self.searches)
            yield MoveGroup(
                centres=np.concatenate([centres + search for search in searches]),
                weights=self.weights[:, 0, effects.pictures, None],
                cells=np.concatenate([cells + search for search in searches], axis=1),
                raised=raised,
                table_rows=len(self.states) * (raised * by_states % len(self.states)),
                coupling=last_coupling,
                meet=len(np.unique(cells[cells > 0])) < int(np.count_nonzero(cells)),
            )

    def energies(self, moves: MoveGroup) -> Float64s:
        """Return the rise in cost, (q, copies, moves), if unknowns are raised by 0 to q - 1."""
        changes = self.change_table.take(self.levels.take(moves.cells, axis=1) + moves.table_rows)
        if moves.coupling.ndim == 2:
            terms = moves.coupling @ changes
        else:
            terms = np.einsum("ijm,...jm->...im", moves.coupling, changes)
        terms *= moves.weights
        terms += 2 * self.field.take(moves.cells, axis=1)
        terms *= changes
        energies = terms.sum(axis=-2)
        return np.concatenate([np.zeros_like(energies[:1]), energies])

    def apply(self, moves: MoveGroup, raised: NDArray[Any]) -> None:
        """Raise the unknowns by ``raised`` levels, (copies, moves), and update the field."""
        if moves.meet:
            raised = self._keep_apart(moves, raised)
        copy, move = np.nonzero(raised)
        if not len(move):
            return
        by = moves.raised.take(move, axis=1) * raised[copy, move] % len(self.states)
        cells = (moves.cells.take(move, axis=1) + copy * self.levels.shape[1]).ravel()
        levels, by = self.levels.reshape(-1), by.ravel()
        before = levels.take(cells)
        levels[cells] = (before + by) % len(self.states)
        changes = self.change_table.take(before + by * len(self.states))
        changes *= moves.weights[copy, :, 0].T.ravel()
        for first in range(0, len(cells), BATCH_SIZE):
            affected = np.add.outer(cells[first : first + BATCH_SIZE], self.patch)
            effects = np.outer(changes[first : first + BATCH_SIZE], self.footprint)
            np.add.at(self.field.reshape(-1), affected.ravel(), effects.ravel())

    def sweep(
        self, groups: Sequence[MoveGroup], temperature: float, rng: np.random.Generator
    ) -> None:
        """Make all moves once, in all copies alike, with the groups in random order."""
        for number in rng.permutation(len(groups)):
            energies = self.energies(groups[number]).sum(axis=1)
            raised = sample_indices(boltzmann_weights(energies, temperature), rng)
            self.apply(groups[number], np.tile(raised, (len(self.levels), 1)))

    def sweep_seconds(self, groups: Sequence[MoveGroup]) -> float:
        """Return the estimated seconds of a sweep on a slow computer."""
        changes = sum(group.cells.size for group in groups) * len(self.levels)
        return GROUP_SECONDS * len(groups) + CHANGE_SECONDS * changes * (len(self.states) - 1)

    def _keep_apart(self, moves: MoveGroup, raised: Int64s) -> NDArray[np.integer]:
        # Return what remains of the raises if a move that meets an earlier one is not made.
        move = np.flatnonzero(raised.any(axis=0))
        cells = moves.cells[:, move].ravel()
        number = np.tile(np.arange(len(move)), len(moves.cells))
        self.first_move[cells] = len(move)
        np.minimum.at(self.first_move, cells, number)
        meets = (self.first_move[cells] < number) & (cells > 0)
        return raised * ~np.isin(np.arange(raised.shape[1]), move[number[meets]])

    def _number_cells(self, row: Int64s, column: Int64s) -> Int64s:
        return np.asarray((row + self.pad_width) * self.padded[1] + column + self.pad_width)


def search_halftones(
    greys: Float64s,
    kinds: Sequence[Effects],
    levels: int,
    *,
    weights: Sequence[float],
    rng: np.random.Generator,
    deadline: Deadline,
    sweeps: int = SWEEPS,
    on_progress: Callable[[float, float], None] | None = None,
) -> Lights:
    """Search for cells, of the shape of ``greys``, that look like pictures.

    ``greys`` is brightness, 0..1, of shape (searches, pictures, rows, columns): several searches,
    such as for colour planes, run at once.  Each of the ``kinds`` of unknowns needs a picture that
    shows it; its weight is 0 if nobody sees it.  Each sweep raises all unknowns, and swaps
    neighbours in one of the four directions, in turn.  With little time or work, the temperature
    falls faster.  ``on_progress`` is called with the mean blurred error and the share
    of the search done.
    """
    tries = 1 + MIN_CELLS // greys[:, 0].size
    repeated = np.repeat(greys, tries, axis=0)
    dark, scale = np.zeros((1, *repeated.shape), np.int8), np.array(weights) * (levels - 1)
    cells = Halftones(repeated[None], dark, scale, EYE_BLUR, levels)
    groups = [move for kind in kinds for move in _group_raises_and_swaps(kind, cells)]
    for number, group in groups:
        if number < 0:  # begin with random unknowns
            cells.apply(group, rng.integers(levels, size=(1, group.cells.shape[1])))
    directions = cycle(range(len(SWAP_OFFSETS)))

    def sweep(temperature: float) -> None:
        chosen = {-1, next(directions)}
        cells.sweep([group for number, group in groups if number in chosen], temperature, rng)

    def report(done: float) -> None:
        if on_progress is not None:
            on_progress(float(blurred_errors(cells.brightness[0], repeated).mean()), done)

    temperatures = np.geomspace(*TEMPERATURES, sweeps).tolist()
    seconds = sum(
        cells.sweep_seconds([group]) * (1 if number < 0 else 1 / len(SWAP_OFFSETS))
        for number, group in groups
    )
    deadline.spend(anneal(sweep, temperatures, seconds, deadline, report))
    number = cells.errors[0].reshape(-1, tries).argmin(axis=1)
    found = cells.remove_padding(cells.levels)[0].reshape(-1, tries, *greys.shape[1:])
    found = found[np.arange(len(found)), number]
    return np.asarray(found, dtype_of(levels))


def _group_raises_and_swaps(kind: Effects, cells: Halftones) -> Iterator[tuple[int, MoveGroup]]:
    # Yield groups of moves, each with the number of the direction of swaps, or -1 for raises.
    raises_and_swaps = [kind, *(kind.swap(*offset) for offset in SWAP_OFFSETS)]
    for number, effects in enumerate(raises_and_swaps, start=-1):
        yield from ((number, group) for group in cells.group_moves(effects))


def blurred_errors(shown: NDArray[Any], greys: Float64s, blur: float = REPORT_BLUR) -> Float64s:
    """Return the root mean square, over the cells, of each picture's blurred error.

    ``shown`` and ``greys`` are brightness, 0..1, of shape (..., rows, columns); ``blur`` is the
    standard deviation of the Gaussian, in cells.
    """
    blurred = blur_frames(shown - greys, gaussian_weights(blur, math.ceil(4 * blur)), "symmetric")
    return np.asarray(np.sqrt((blurred**2).mean(axis=(-2, -1))))


def anneal(
    sweep: Callable[[Any], None],
    schedule: Sequence[Any],
    seconds: float,
    deadline: Deadline,
    report: Callable[[float], None] | None,
) -> float:
    """Make a sweep of ``seconds`` of work for each step of a schedule; return the work done.

    With little time or work, some steps are skipped, never the last.  ``report`` is called with the
    share of the schedule that is done, 0..1.
    """
    share, sweeps = min(1.0, deadline.work_left / (len(schedule) * seconds)), 0
    for number, step in enumerate(schedule):
        done = number / len(schedule)
        in_time = deadline.allows_rest(done * (1.25 - 0.25 * done))  # early sweeps take longer
        if not in_time or sweeps + 1 > share * (number + 1):
            continue
        sweep(step)
        sweeps += 1
        if report is not None and number % REPORT_INTERVAL == 0:
            report(done)
    if sweeps < len(schedule):
        sweep(schedule[-1])
    return sweeps * seconds


def spaced_place_groups(length: int, distance: int, *, wrap: bool) -> list[Int64s]:
    """Partition positions 0 to length - 1 into groups of positions at least ``distance`` apart.

    >>> [group.tolist() for group in spaced_place_groups(5, 2, wrap=False)]
    [[0, 2, 4], [1, 3]]
    >>> [group.tolist() for group in spaced_place_groups(5, 2, wrap=True)]  # 4 and 0 are neighbours
    [[0, 2], [1, 3], [4]]
    """
    if not wrap:
        return [np.arange(first, length, distance) for first in range(min(distance, length))]
    starts = np.arange(max(1, length // distance)) * length // max(1, length // distance)
    spaces = np.diff(starts, append=length)
    return [starts[spaces > first] + first for first in range(spaces.max())]


def blur_frames(
    frames: Float64s, kernel: Float64s, edges: Literal["constant", "symmetric"]
) -> Float64s:
    """Blur frames, (..., rows, columns), beyond whose edges values are 0 or mirrored."""
    reach = len(kernel) // 2
    padded = np.pad(frames, [(0, 0)] * (frames.ndim - 2) + [(reach, reach)] * 2, mode=edges)
    for axis in (-2, -1):
        padded = sliding_window_view(padded, len(kernel), axis=axis) @ kernel
    return padded


def boltzmann_weights(energies: Float64s, temperature: float) -> Float64s:
    """Return Boltzmann factors along the first axis, scaled so that the largest is 1."""
    return np.asarray(np.exp((energies.min(axis=0) - energies) / temperature))


def sample_indices(weights: Float64s, rng: np.random.Generator) -> Int64s:
    """Sample an index along the first axis with probabilities proportional to the weights."""
    threshold, index = rng.random(weights.shape[1:]) * weights.sum(axis=0), np.zeros(1, np.int64)
    for weight in weights[:-1]:
        threshold = threshold - weight
        index = index + (threshold > 0)
    return index
