"""Sketches: films of few clicks that approximate their pictures.

A search chooses the first configuration and the clicks together.  Every frame, blurred as by the
eye, should be close to its grey picture, and each click has a price:

    minimise  sum over frames f of  weight_f * |blur(b_f - grey_f)|**2  +  price * clicks

where b_{f+1} = b_f + A x_f.  This is direct binary search for halftones (Analoui and Allebach,
"Model-based halftoning using direct binary search", 1992), except that a move flips a whole
neighbourhood, often in several frames.

The press history of a cell is the number of its presses before each frame, u_1 ... u_n, modulo q;
the cell's clicks are the steps of this sequence, and a step down costs as many clicks as it needs,
q - 1 for one level.  While all other cells stay the same, the history adds to the sum one term for
each frame and one for each pair of consecutive frames, as in a hidden Markov model.  Forward
filtering and backward sampling therefore sample a new history from the Boltzmann distribution in
time linear in the frames.  The search is simulated annealing; its moves replace the history of a
cell.  Other moves change a cell of the first configuration, and so of all frames, or swap two.

Cells so far apart that their blurred errors hardly overlap are sampled at the same time; later
samples take the overlap into account.  The price of a click starts high, as a search with cheap
clicks gets stuck with many of them.  It falls with the temperature; at the end the price stays and
the temperature falls to nearly 0.

The cost of changing a cell follows from the error at the cell, blurred twice.  These values, the
field, are updated after every change.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import ArrayLike, NDArray

from lightsanim.board.board import Board
from lightsanim.errors import OptionError
from lightsanim.look.blur import gaussian_weights
from lightsanim.look.levels import Lights
from lightsanim.options.checks import check_float_array, check_number, check_whole_number
from lightsanim.options.stages import CLICK_PRICE_RANGE, MIN_BLUR
from lightsanim.solve.nearest import nearest_accessible
from lightsanim.system.deadline import Deadline

Float64s = NDArray[np.float64]
Int64s = NDArray[np.int64]
Int8s = NDArray[np.int8]

SketchProgress = Callable[[float, int, float], None]
"""A function that is called with the mean error, the number of clicks, and the share done, 0..1."""

# Price of a click for ``price=1``, and the minimum price at the start of the search.  The unit is
# the blurred squared error of a cell that is lit instead of dark, divided by levels - 1.
UNIT_PRICE, START_PRICE = 3.75, 20.0
# Number of sweeps while the price falls, and of the following sweeps at the final price.
SWEEPS, COOLING_SWEEPS = 100, 25
# Temperature divided by the price of a click: while the price falls, and in the last sweep.
START_TEMPERATURE, END_TEMPERATURE = 0.2, 0.0067
# Cells are sampled together if the blur kernel at their distance is below this share of its peak.
NEGLIGIBLE = 0.02
# Weight of the first and the last frame, which viewers see longest; other frames have weight 1.
END_WEIGHT = 3.0
# Standard deviation, in cells, of the blur applied to reported errors.
EYE_BLUR = 1.0
# Estimated seconds of a sweep on a slow computer, per group of cells and per evaluated change.
GROUP_SECONDS, CHANGE_SECONDS = 6e-5, 3e-8
# Number of sweeps from one progress report to the next.
REPORT_INTERVAL = 10
# Number of cell changes by which the blurred error is updated at a time, to bound the memory.
BATCH_SIZE = 1000


@dataclass(frozen=True, kw_only=True, eq=False)
class Sketch:
    """A film of few clicks whose frames approximate pictures.

    Attributes:
        first: the first configuration, bool (rows, columns), or with more than two levels uint8;
            accessible from `Board.reference`.
        clicks: bool or uint8 (steps, rows, columns), the clicks from each frame to the next; the
            last step of a closed film leads back to the first frame.
        errors: float64 (frames,), see `rms_errors`.
        cut_short: whether the clock ended the search.
    """

    first: Lights
    clicks: Lights
    errors: Float64s
    cut_short: bool

    @property
    def counts(self) -> Int64s:
        """The number of presses in each step, int64 (steps,)."""
        return np.asarray(self.clicks.sum(axis=(1, 2), dtype=np.int64))


def sketch(
    board: Board,
    greys: NDArray[np.floating],
    *,
    price: float = 1.0,
    blur: float = 0.7,
    seed: int = 0,
    closed: bool = False,
    time_limit: float | Deadline = 60.0,
    on_progress: SketchProgress | None = None,
) -> Sketch:
    """Search for a film of few clicks whose frames look like grey pictures.

    The result is not proven: other films may need fewer clicks, or look better.

    Args:
        board: any board.
        greys: float (frames, rows, columns), the picture for each frame, 0 = dark, 1 = bright.
        price: price of a click; a higher price gives fewer clicks, a lower one better pictures.
        blur: standard deviation, in cells, of the blur for comparing frames with their pictures; a
            smaller blur gives crisper frames.
        seed: random seed; the same seed gives the same film.
        closed: whether another step leads from the last frame back to the first.
        time_limit: seconds, or a `Deadline` to share; with less work than a full search needs, the
            price falls faster, equally on every computer.
        on_progress: see `SketchProgress`.

    Raises:
        OptionError: if ``greys`` has a wrong shape, fewer than 2 frames or values outside 0..1, or
            ``price``, ``blur``, ``seed`` or the time limit is out of range.
        SolverError: if the search for an accessible first configuration fails.

    >>> fade = np.linspace(0, 1, 3)[:, None, None] * np.ones((3, 4))
    >>> film = sketch(Board(3, 4), fade, blur=0.3, price=0.1)
    >>> film.first.shape, film.clicks.shape, film.errors.shape
    ((3, 4), (2, 3, 4), (3,))
    """
    films = check_float_array("greys", greys, (None, *board.shape))[None]
    return sketch_films(board, films, price, blur, seed, closed, time_limit, on_progress)[0]


def sketch_films(
    board: Board,
    greys: NDArray[np.floating],
    price: float,
    blur: float,
    seed: int,
    closed: bool,
    time_limit: float | Deadline,
    on_progress: SketchProgress | None,
) -> list[Sketch]:
    """Search for several sketches at once, which is faster; axis 0 of ``greys`` is the film."""
    greys = check_float_array("greys", greys, (None, None, *board.shape))
    if greys.shape[1] < 2:
        raise OptionError("a sketch needs at least 2 frames, not 1")
    if greys.min() < 0 or greys.max() > 1:
        raise OptionError(f"greys must lie in 0..1, not {greys.min():g}..{greys.max():g}")
    price = check_number("price", price, *CLICK_PRICE_RANGE)
    blur = check_number("blur", blur, MIN_BLUR, max(board.shape))
    rng = np.random.default_rng(check_whole_number("seed", seed, 0))
    deadline = Deadline.of(time_limit)
    search = _SketchSearch(board, greys, blur, rng, closed=closed)
    sweeps, sweeps_done = SWEEPS + COOLING_SWEEPS, 0
    share = min(1.0, deadline.work_left / (sweeps * search.sweep_seconds))
    for number, (cost, temperature) in enumerate(annealing_schedule(price)):
        done = number / sweeps
        in_time = deadline.allows_rest(done * (1.25 - 0.25 * done))  # early sweeps take longer
        if not in_time or sweeps_done + 1 > share * (number + 1):
            continue  # with little time or work, skip sweeps: the price falls faster
        search.sweep_sites(cost, temperature)
        sweeps_done += 1
        if on_progress is not None and number % REPORT_INTERVAL == 0:
            error = rms_errors(search.frame_brightness, greys).mean()
            on_progress(float(error), int(search.click_steps().sum()), done)
    if sweeps_done < sweeps:
        search.sweep_sites(price, price * END_TEMPERATURE)
    films = zip(search.first_levels, search.click_steps(), greys, strict=True)
    results = [_build_sketch(board, *film, deadline) for film in films]
    # Charge the work of the sweeps only now: the searches in _build_sketch needed a budget, too.
    deadline.spend(sweeps_done * search.sweep_seconds)
    return results


def annealing_schedule(price: float) -> Iterator[tuple[float, float]]:
    """Yield the price of a click and the temperature for each sweep.

    >>> costs, temperatures = zip(*annealing_schedule(1))
    >>> round(costs[0], 2), costs[-1], round(temperatures[-1], 4)
    (5.33, 1, 0.0067)
    """
    for cost in np.geomspace(max(START_PRICE / UNIT_PRICE, 2 * price), price, SWEEPS).tolist():
        yield cost, cost * START_TEMPERATURE
    for temperature in np.geomspace(START_TEMPERATURE, END_TEMPERATURE, COOLING_SWEEPS).tolist():
        yield price, price * temperature


@dataclass(frozen=True, kw_only=True, eq=False)
class _SiteGroup:
    # Cells that are sampled together (the sites), and the cells that each site changes.
    centres: Int64s  # Cell numbers of the sites, (sites,).
    cells: Int64s  # Cell numbers of the changed cells, (flips, sites).
    raised: Int64s  # Levels by which a press raises each cell, (flips, sites); 0 off the board.
    table_rows: Int64s  # Offsets into `_SketchSearch.change_table`, (q - 1, 1, flips, sites).
    coupling: Float64s  # Blur kernel between any two changed cells of a site, (flips, flips).


class _SketchSearch:
    # The state of a search for several films, in arrays (frames, cells).  Cells are numbered on
    # padded boards, so that the blur kernel stays inside; cell 0 replaces all cells off the board.

    def __init__(
        self, board: Board, greys: Float64s, blur: float, rng: np.random.Generator, *, closed: bool
    ) -> None:
        self.board, self.greys, self.rng, self.closed = board, greys, rng, closed
        films, frames, rows, columns = greys.shape
        blurring = gaussian_weights(blur, math.ceil(2 * blur))
        self.kernel = np.convolve(blurring, blurring)
        self.footprint = np.outer(self.kernel, self.kernel).ravel()
        self.pad_width = len(blurring) - 1
        self.padded = (rows + 2 * self.pad_width, columns + 2 * self.pad_width)
        self.weights = np.ones((frames, 1, 1))
        if not closed:
            self.weights[[0, -1]] = END_WEIGHT
        self.states = np.arange(board.levels)
        self.press_counts = -np.subtract.outer(self.states, self.states) % board.levels
        # Change in brightness for each raise of each level, flattened from (raise, level).
        raised = np.add.outer(self.states, self.states) % board.levels
        self.change_table = ((raised - self.states) / (board.levels - 1)).ravel()
        start = greys.mean(axis=1) * (board.levels - 1) + rng.random((films, rows, columns))
        self.levels = self._pad_cells(np.tile(start[:, None], (frames, 1, 1))).astype(np.int8)
        self.press_history = np.zeros_like(self.levels)
        errors = self._pad_cells((self.frame_brightness - greys) * self.weights)
        field = _blur_frames(errors.reshape(frames, films, *self.padded), self.kernel, "constant")
        self.field = np.ascontiguousarray(field).reshape(errors.shape)
        self.patch = self._cell_number(*np.indices([2 * self.pad_width + 1] * 2).reshape(2, -1))
        self.patch -= self.patch[len(self.patch) // 2]
        flips = Counter(board.offsets())
        near = int((self.kernel > NEGLIGIBLE * self.kernel.max()).sum()) // 2 + 1
        down, right = np.abs(list(flips)).max(axis=0) * 2 + near
        self.click_groups = list(self._site_groups(list(flips), list(flips.values()), down, right))
        self.cell_groups = list(self._site_groups([(0, 0)], [1], near, near))
        for down, right in ((0, 1), (1, 0)):  # swap a cell with its right or lower neighbour
            swap = [(0, 0), (down, right)]
            self.cell_groups += self._site_groups(swap, [1, -1], near + down, near + right)
        self.unit_cost = UNIT_PRICE * self.kernel[self.pad_width] ** 2 / (board.levels - 1)
        groups = self.cell_groups + self.click_groups
        changes = frames * sum(group.cells.size for group in groups) * (board.levels - 1)
        self.sweep_seconds = GROUP_SECONDS * len(groups) + CHANGE_SECONDS * changes

    def sweep_sites(self, price: float, temperature: float) -> None:
        # Sample the cells of the first configuration, then the press histories, in random order.
        scale = self.unit_cost * temperature
        for number in self.rng.permutation(len(self.cell_groups)):
            sites = self.cell_groups[number]
            # The change applies to all frames, so their energies add up.
            weights = _boltzmann_weights(self._site_energies(sites).sum(axis=1), scale)
            raised = _sample_indices(weights, self.rng)
            self._raise_sites(sites, np.tile(raised, (len(self.weights), 1)))
        steps = self.press_counts * price / temperature
        for number in self.rng.permutation(len(self.click_groups)):
            self._sample_press_history(self.click_groups[number], steps, scale)

    def _sample_press_history(self, sites: _SiteGroup, steps: Float64s, temperature: float) -> None:
        # Sample by forward filtering and backward sampling.  In a closed film, one random frame
        # keeps its presses, and the sequence begins and ends at that frame.
        history, states = self.press_history.take(sites.centres, axis=1), self.states[:, None]
        raised_by = (states[:, None] - history) % len(states)  # for each new number of presses
        energy = np.take_along_axis(self._site_energies(sites), raised_by, axis=0)
        frame_weights = _boltzmann_weights(energy, temperature).swapaxes(0, 1)
        step_weights = np.exp(-np.minimum(steps, 200))
        frames = np.arange(len(frame_weights))
        if self.closed:
            frames = np.roll(frames, self.rng.integers(len(frames)))
            fixed_state = history[frames[0]]
            frame_weights[frames[0]] = states == fixed_state
            frame_weights[frames[-1]] *= step_weights[:, fixed_state]
        forward = [frame_weights[frames[0]]]
        for frame in frames[1:]:
            weights = step_weights.T @ forward[-1] * frame_weights[frame]
            forward.append(weights / weights.max(axis=0))
        # Sample each frame's presses for every value in the next frame: (next, frames, sites).
        weights = np.stack(forward[:-1], axis=1)[:, None] * step_weights[..., None, None]
        by_next = _sample_indices(weights, self.rng)
        sampled, site_numbers = np.empty_like(history), np.arange(len(sites.centres))
        sampled[frames[-1]] = _sample_indices(forward[-1], self.rng)
        for index in range(len(frames) - 2, -1, -1):
            sampled[frames[index]] = by_next[sampled[frames[index + 1]], index, site_numbers]
        self.press_history[:, sites.centres] = sampled
        self._raise_sites(sites, (sampled - history) % len(states))

    def _site_energies(self, sites: _SiteGroup) -> Float64s:
        # Return the rise in cost, (q, frames, sites), if sites are raised by 0 to q - 1 levels.
        changes = self.change_table.take(self.levels.take(sites.cells, axis=1) + sites.table_rows)
        terms = sites.coupling @ changes
        terms *= self.weights
        terms += 2 * self.field.take(sites.cells, axis=1)
        terms *= changes
        energies = terms.sum(axis=-2)
        return np.concatenate([np.zeros_like(energies[:1]), energies])

    def _raise_sites(self, sites: _SiteGroup, raised: NDArray[np.integer]) -> None:
        # Raise the sites by ``raised`` levels, (frames, sites), and update the blurred error.
        frame, site = raised.nonzero()
        by = raised[frame, site] * sites.raised[:, site] % len(self.states)
        flip, change = by.nonzero()
        site, frame, by = site[change], frame[change], by[flip, change]
        cells = sites.cells[flip, site] + frame * self.levels.shape[1]
        levels = self.levels.reshape(-1)
        before = levels[cells]
        levels[cells] = (before + by) % len(self.states)
        changes = self.change_table[before + by * len(self.states)] * self.weights[frame, 0, 0]
        for first in range(0, len(cells), BATCH_SIZE):
            affected = np.add.outer(cells[first : first + BATCH_SIZE], self.patch)
            effects = np.outer(changes[first : first + BATCH_SIZE], self.footprint)
            np.add.at(self.field.reshape(-1), affected.ravel(), effects.ravel())

    def _site_groups(
        self, offsets: Sequence[tuple[int, int]], by: ArrayLike, down: int, right: int
    ) -> Iterator[_SiteGroup]:
        # Yield groups of sites at least ``down`` rows or ``right`` columns apart.  A press of a
        # site raises the cells at ``offsets`` from it by the levels ``by``.
        board, offset_array = self.board, np.array(offsets)
        distances = np.abs(offset_array[:, None] - offset_array).T
        kernel = np.append(self.kernel[self.pad_width :], 0.0)
        coupling = kernel[np.minimum(distances, self.pad_width + 1)].prod(axis=0)
        films = np.arange(len(self.greys)) * math.prod(self.padded)
        by_states = self.states[1:, None, None, None]
        for rows in spaced_place_groups(board.rows, down, wrap=board.wrap):
            for columns in spaced_place_groups(board.columns, right, wrap=board.wrap):
                row, column = np.repeat(rows, len(columns)), np.tile(columns, len(rows))
                below, beside = row + offset_array[:, :1], column + offset_array[:, 1:]
                if board.wrap:
                    below, beside = below % board.rows, beside % board.columns
                inside = (below >= 0) & (below < board.rows)
                inside &= (beside >= 0) & (beside < board.columns)
                centres = self._cell_number(row + self.pad_width, column + self.pad_width)
                cells = self._cell_number(below + self.pad_width, beside + self.pad_width) * inside
                raised = np.tile(np.array(by)[:, None] * inside, len(films))
                yield _SiteGroup(
                    centres=np.concatenate([centres + film for film in films]),
                    cells=np.concatenate([cells + film for film in films], axis=1),
                    raised=raised,
                    table_rows=board.levels * (raised * by_states % board.levels),
                    coupling=coupling,
                )

    def _cell_number(self, row: Int64s, column: Int64s) -> Int64s:
        number: Int64s = row * self.padded[1] + column
        return number

    def _pad_cells(self, cells: Float64s) -> Float64s:
        # Convert (films, frames, rows, columns) to (frames, cells).
        sides = [(0, 0)] * 2 + [(self.pad_width, self.pad_width)] * 2
        return np.pad(cells, sides).swapaxes(0, 1).reshape(cells.shape[1], -1)

    def _remove_padding(self, padded: Int8s) -> Int8s:
        # Convert (frames, cells) back to (films, frames, rows, columns).
        rows, columns = (slice(self.pad_width, self.pad_width + side) for side in self.board.shape)
        return padded.reshape(len(padded), -1, *self.padded).swapaxes(0, 1)[..., rows, columns]

    @property
    def first_levels(self) -> Int8s:
        # Levels of each film's first frame, (films, rows, columns).
        return self._remove_padding(self.levels)[:, 0]

    @property
    def frame_brightness(self) -> Float64s:
        # Brightness of all frames, (films, frames, rows, columns), 0..1.
        return self._remove_padding(self.levels) / (self.board.levels - 1)

    def click_steps(self) -> NDArray[np.uint8]:
        # Return the presses from each frame to the next, (films, steps, rows, columns).
        history = self._remove_padding(self.press_history)
        steps = (np.roll(history, -1, axis=1) - history) % self.board.levels
        return (steps if self.closed else steps[:, :-1]).astype(np.uint8)


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


def _blur_frames(
    frames: Float64s, kernel: Float64s, edge: Literal["constant", "symmetric"]
) -> Float64s:
    reach = len(kernel) // 2
    padded = np.pad(frames, [(0, 0)] * (frames.ndim - 2) + [(reach, reach)] * 2, mode=edge)
    for axis in (-2, -1):
        padded = sliding_window_view(padded, len(kernel), axis=axis) @ kernel
    return padded


def rms_errors(frames: NDArray[Any], greys: Float64s) -> Float64s:
    """Return the root mean square, over the cells, of each frame's blurred error.

    ``frames`` and ``greys`` are brightness, 0..1, of shape (..., rows, columns).

    >>> rms_errors(np.zeros((2, 3, 4)), np.full((2, 3, 4), 0.5)).round(6).tolist()
    [0.5, 0.5]
    """
    kernel = gaussian_weights(EYE_BLUR, math.ceil(4 * EYE_BLUR))
    blurred = _blur_frames(frames - greys, kernel, "symmetric")
    return np.asarray(np.sqrt((blurred**2).mean(axis=(-2, -1))))


def _build_sketch(
    board: Board, start: Int8s, clicks: NDArray[np.uint8], greys: Float64s, deadline: Deadline
) -> Sketch:
    # Apply the clicks to the accessible configuration nearest to the start that was found.
    dtype = board.reference.dtype
    first = nearest_accessible(board, start.astype(dtype), time_limit=deadline).configuration
    clicks, frames = clicks.astype(dtype), [first]
    for step in clicks:
        frames.append(board.add(frames[-1], board.toggles(step)))
    errors = rms_errors(np.array(frames[: len(greys)]) / (board.levels - 1), greys)
    return Sketch(first=first, clicks=clicks, errors=errors, cut_short=deadline.cut_short)


def _boltzmann_weights(energies: Float64s, temperature: float) -> Float64s:
    # Return Boltzmann factors along the first axis, scaled so that the largest is 1.
    return np.asarray(np.exp((energies.min(axis=0) - energies) / temperature))


def _sample_indices(weights: Float64s, rng: np.random.Generator) -> Int64s:
    # Sample an index along the first axis with probabilities proportional to the weights.
    threshold, index = rng.random(weights.shape[1:]) * weights.sum(axis=0), np.zeros(1, np.int64)
    for weight in weights[:-1]:
        threshold = threshold - weight
        index = index + (threshold > 0)
    return index
