"""Sketches: films of few clicks, found by searching instead of solving.

The first configuration and the clicks are chosen together, so that every frame, blurred as the eye
blurs it, is close to the grey that it should show, at a price for each click:

    minimise  sum over frames f of  weight_f * |blur(b_f - grey_f)|**2  +  price * clicks

where b_{f+1} = b_f + A x_f.  This is direct binary search for halftones (Analoui and Allebach,
"Model-based halftoning using direct binary search", 1992) in which a move flips a neighbourhood
instead of a cell, and in time as well as in space.

How often a cell has been pressed up to each frame, u_1 ... u_n, is its course.  Its clicks are the
steps of the course, and while all other cells stay as they are, what the course adds to the sum is
a term for each frame and one for each pair of frames that follow each other: a hidden Markov
model.  So the best course can be computed, or a random one drawn from Boltzmann's distribution
(forward filtering, backward sampling), in time linear in the frames, whatever clicks it makes,
shifts in time or takes back: simulated annealing whose move is a cell's whole course.  Moves of a
second kind change a cell of the first configuration, and so of all frames, or swap two neighbours.
A lowering costs as many clicks as it takes: with q levels q - 1.

Neighbourhoods that are so far apart that blurred errors hardly feel both are drawn at once; what
little they feel, the next draw knows.  Clicks are dear at first and become cheaper, while the
temperature falls with the price: a search that starts with cheap clicks is stuck with many.  At
last the price stays and the temperature falls to nothing.

What a change of a cell costs follows from the blurred error there, blurred once more: the field,
which is kept up to date where cells change.
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
from lightsanim.look.blur import gaussian
from lightsanim.look.levels import Lights
from lightsanim.options.checks import check_floats, check_number, check_whole
from lightsanim.options.stages import MIN_BLUR, PRICES
from lightsanim.solve.nearest import nearest_accessible
from lightsanim.system.deadline import Deadline

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]
Levels = NDArray[np.int8]

OnSketch = Callable[[float, int, float], None]
"""Called with the mean error of the frames and the clicks so far, and the share that is done."""

# The price of a click that `price` is a multiple of, and the least that the search begins with;
# both in errors of one cell that is off by one level.
PRICE, DEAR = 3.75, 20.0

# Sweeps in which clicks become cheaper, and after them those in which the price stays.
SWEEPS, COOLING = 100, 25

# Temperature in prices of a click: while that falls, and at last.
HOT, COLD = 0.2, 0.0067

# The share of an error that is felt so far from it that cells there are drawn at once.
FAINT = 0.02

# The first and the last frame count so many times, as they are looked at longest.
ENDS = 3.0

# Standard deviation of the eye's blur by which errors are told, in cells.
EYE = 1.0

# What a sweep takes on a slow computer: each group of cells, and each cell of a frame that one of
# them may change, for each level but one.
GROUP_SECONDS, CHANGE_SECONDS = 6e-5, 3e-8

# Sweeps between two words on the progress, and changes that are spread over the field at once.
SAY_EVERY, LOT = 10, 1000


@dataclass(frozen=True, kw_only=True, eq=False)
class Sketch:
    """A film of few clicks.

    Attributes:
        first: the first configuration, bool (rows, columns), of more than two levels uint8;
            accessible from `Board.reference`.
        clicks: those from each frame to the next, of a closed film at last to the first one:
            (steps, rows, columns), bool, of more than two levels uint8.
        errors: float64 (frames,), root mean square over the cells of a frame, 0..1, of what it
            shows less what it should, blurred by one cell.
        cut_short: whether the time limit ended the search.
    """

    first: Lights
    clicks: Lights
    errors: Floats
    cut_short: bool

    @property
    def counts(self) -> Numbers:
        """The presses of each step: int64 (steps,)."""
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
    on_progress: OnSketch | None = None,
) -> Sketch:
    """A film of few clicks whose frames look like these greys.

    Nothing is proven of it: others may take fewer clicks, or look better.

    Args:
        board: of any rule, plain or wrapped, with two levels or more.
        greys: float (frames, rows, columns), what each frame should show, 0 = dark, 1 = bright.
        price: of a click; more for fewer clicks, less for better pictures.
        blur: standard deviation, in cells, of the blur under which frames are compared with their
            greys; less is crisper.
        seed: with the same, the same film is found.
        closed: whether one step more leads from the last frame back to the first.
        time_limit: seconds, or a `Deadline`; it only cuts the search short: where it has work for
            fewer sweeps, the price falls faster, on every computer alike.
        on_progress: see `OnSketch`.

    Raises:
        OptionError: for greys of another shape or out of range, a price that is not positive, or a
            blur that is not, or is larger than the board.
        SolverError: if a search fails.

    >>> fade = np.linspace(0, 1, 3)[:, None, None] * np.ones((3, 4))
    >>> film = sketch(Board(3, 4), fade, blur=0.3, price=0.1)
    >>> film.first.shape, film.clicks.shape, film.errors.shape
    ((3, 4), (2, 3, 4), (3,))
    """
    films = check_floats("greys", greys, (None, *board.shape))[None]
    return sketches(board, films, price, blur, seed, closed, time_limit, on_progress)[0]


def sketches(
    board: Board,
    greys: NDArray[np.floating],
    price: float,
    blur: float,
    seed: int,
    closed: bool,
    time_limit: float | Deadline,
    on_progress: OnSketch | None,
) -> list[Sketch]:
    """Films of one board, sooner than one by one: ``greys`` is (films, frames, rows, columns)."""
    greys = check_floats("greys", greys, (None, None, *board.shape))
    if greys.shape[1] < 2:
        raise OptionError("a sketch needs at least 2 frames, not 1")
    if greys.min() < 0 or greys.max() > 1:
        raise OptionError(f"greys must lie in 0..1, not {greys.min():g}..{greys.max():g}")
    price = check_number("price", price, *PRICES)
    blur = check_number("blur", blur, MIN_BLUR, max(board.shape))
    rng, deadline = np.random.default_rng(check_whole("seed", seed, 0)), Deadline.of(time_limit)
    search = _Search(board, greys, blur, rng, closed=closed)
    sweeps, swept = SWEEPS + COOLING, 0
    share = min(1.0, deadline.work_left / (sweeps * search.seconds))
    for number, (cost, temperature) in enumerate(schedule(price)):
        done = number / sweeps
        in_time = deadline.allows_rest(done * (1.25 - 0.25 * done))  # hot sweeps take longer
        if not in_time or swept + 1 > share * (number + 1):
            continue  # the price falls faster where time or work is short
        search.sweep(cost, temperature)
        swept += 1
        if on_progress is not None and number % SAY_EVERY == 0:
            error = errors_of(search.shown, greys).mean()
            on_progress(float(error), int(search.clicks().sum()), done)
    if swept < sweeps:
        search.sweep(price, price * COLD)
    films = zip(search.first, search.clicks(), greys, strict=True)
    found = [_film(board, *film, deadline) for film in films]
    # Not before: the way to an accessible start has a budget as large.
    deadline.spend(swept * search.seconds)
    return found


def schedule(price: float) -> Iterator[tuple[float, float]]:
    """The price and the temperature of each sweep.

    >>> costs, temperatures = zip(*schedule(1))
    >>> round(costs[0], 2), costs[-1], round(temperatures[-1], 4)
    (5.33, 1, 0.0067)
    """
    for cost in np.geomspace(max(DEAR / PRICE, 2 * price), price, SWEEPS).tolist():
        yield cost, cost * HOT
    for temperature in np.geomspace(HOT, COLD, COOLING).tolist():
        yield price, price * temperature


@dataclass(frozen=True, kw_only=True, eq=False)
class _Sites:
    # Cells whose changes, or whose clicks' changes, hardly meet: sites.
    centres: Numbers  # (sites,)
    cells: Numbers  # (flips, sites), what changes
    raised: Numbers  # (flips, sites), by how much; 0 off the board
    raises: Numbers  # (raised levels, 1, flips, sites), where these changes stand in a table
    coupling: Floats  # (flips, flips), the kernel between what changes


class _Search:
    # Films of one board side by side, in arrays (frames, cells).  Cells are numbered on boards with
    # margins, so that the kernel never leaves them; those off the board are number 0.

    def __init__(
        self, board: Board, greys: Floats, blur: float, rng: np.random.Generator, *, closed: bool
    ) -> None:
        self.board, self.greys, self.rng, self.closed = board, greys, rng, closed
        films, frames, rows, columns = greys.shape
        blurring = gaussian(blur, math.ceil(2 * blur))
        self.kernel = np.convolve(blurring, blurring)
        self.spread = np.outer(self.kernel, self.kernel).ravel()
        self.margin = len(blurring) - 1
        self.padded = (rows + 2 * self.margin, columns + 2 * self.margin)
        self.weights = np.ones((frames, 1, 1))
        if not closed:
            self.weights[[0, -1]] = ENDS
        self.states = np.arange(board.levels)
        self.presses = -np.subtract.outer(self.states, self.states) % board.levels
        # What raising a level by so much changes of what is shown, (raised by, level) in one row.
        raised = np.add.outer(self.states, self.states) % board.levels
        self.changes = ((raised - self.states) / (board.levels - 1)).ravel()
        start = greys.mean(axis=1) * (board.levels - 1) + rng.random((films, rows, columns))
        self.levels = self._with_margin(np.tile(start[:, None], (frames, 1, 1))).astype(np.int8)
        self.courses = np.zeros_like(self.levels)
        errors = self._with_margin((self.shown - greys) * self.weights)
        field = _convolved(errors.reshape(frames, films, *self.padded), self.kernel, "constant")
        self.field = np.ascontiguousarray(field).reshape(errors.shape)
        self.patch = self._number(*np.indices([2 * self.margin + 1] * 2).reshape(2, -1))
        self.patch -= self.patch[len(self.patch) // 2]
        flips = Counter(board.offsets())
        near = int((self.kernel > FAINT * self.kernel.max()).sum()) // 2 + 1
        down, right = np.abs(list(flips)).max(axis=0) * 2 + near
        self.neighbourhoods = list(self._sites(list(flips), list(flips.values()), down, right))
        self.cells = list(self._sites([(0, 0)], [1], near, near))
        for down, right in ((0, 1), (1, 0)):  # swaps of neighbours
            swap = [(0, 0), (down, right)]
            self.cells += self._sites(swap, [1, -1], near + down, near + right)
        self.unit = PRICE * self.kernel[self.margin] ** 2 / (board.levels - 1)
        groups = self.cells + self.neighbourhoods
        changes = frames * sum(group.cells.size for group in groups) * (board.levels - 1)
        self.seconds = GROUP_SECONDS * len(groups) + CHANGE_SECONDS * changes  # of a sweep

    def sweep(self, price: float, temperature: float) -> None:
        # All cells of the first configuration, and all courses, in random order.
        for number in self.rng.permutation(len(self.cells)):
            self._draw_start(self.cells[number], self.unit * temperature)
        for number in self.rng.permutation(len(self.neighbourhoods)):
            steps = self.presses * price / temperature
            self._draw_courses(self.neighbourhoods[number], steps, self.unit * temperature)

    def _draw_start(self, sites: _Sites, temperature: float) -> None:
        # A change of a cell in all frames is judged by the sum over them.
        likely = _boltzmann_weights(self._energies(sites).sum(axis=1), temperature)
        self._raise(sites, np.tile(_drawn_by(likely, self.rng), (len(self.weights), 1)))

    def _draw_courses(self, sites: _Sites, steps: Floats, temperature: float) -> None:
        # Forward filtering, backward sampling; of a closed film one frame's course stays, and
        # both its ends are tied to that.
        courses, states = self.courses.take(sites.centres, axis=1), self.states[:, None]
        rises = (states[:, None] - courses) % len(states)  # to each number of presses
        energy = np.take_along_axis(self._energies(sites), rises, axis=0)
        fits = _boltzmann_weights(energy, temperature).swapaxes(0, 1)
        goes = np.exp(-np.minimum(steps, 200))
        frames = np.arange(len(fits))
        if self.closed:
            frames = np.roll(frames, self.rng.integers(len(frames)))
            stays = courses[frames[0]]
            fits[frames[0]] = states == stays
            fits[frames[-1]] *= goes[:, stays]
        before = [fits[frames[0]]]
        for frame in frames[1:]:
            likely = goes.T @ before[-1] * fits[frame]
            before.append(likely / likely.max(axis=0))
        # Each frame's presses by those of the next one, (next, frames, sites), whichever they are.
        likely = np.stack(before[:-1], axis=1)[:, None] * goes[..., None, None]
        by_next = _drawn_by(likely, self.rng)
        drawn, each = np.empty_like(courses), np.arange(len(sites.centres))
        drawn[frames[-1]] = _drawn_by(before[-1], self.rng)
        for place in range(len(frames) - 2, -1, -1):
            drawn[frames[place]] = by_next[drawn[frames[place + 1]], place, each]
        self.courses[:, sites.centres] = drawn
        self._raise(sites, (drawn - courses) % len(states))

    def _energies(self, sites: _Sites) -> Floats:
        # (levels, frames, sites): by how much the sum rises with what the sites are raised.
        changes = self.changes.take(self.levels.take(sites.cells, axis=1) + sites.raises)
        felt = sites.coupling @ changes
        felt *= self.weights
        felt += 2 * self.field.take(sites.cells, axis=1)
        felt *= changes
        rises = felt.sum(axis=-2)
        return np.concatenate([np.zeros_like(rises[:1]), rises])

    def _raise(self, sites: _Sites, raised: NDArray[np.integer]) -> None:
        # Raise the sites, (frames, sites), and bring the field up to date.
        frame, site = raised.nonzero()
        by = raised[frame, site] * sites.raised[:, site] % len(self.states)
        flip, change = by.nonzero()
        site, frame, by = site[change], frame[change], by[flip, change]
        cells = sites.cells[flip, site] + frame * self.levels.shape[1]
        levels = self.levels.reshape(-1)
        before = levels[cells]
        levels[cells] = (before + by) % len(self.states)
        changes = self.changes[before + by * len(self.states)] * self.weights[frame, 0, 0]
        for first in range(0, len(cells), LOT):
            reached = np.add.outer(cells[first : first + LOT], self.patch)
            felt = np.outer(changes[first : first + LOT], self.spread)
            np.add.at(self.field.reshape(-1), reached.ravel(), felt.ravel())

    def _sites(
        self, offsets: Sequence[tuple[int, int]], by: ArrayLike, down: int, right: int
    ) -> Iterator[_Sites]:
        # Groups of sites that are so many cells apart; each raises the cells at these offsets.
        board, kinds = self.board, np.array(offsets)
        between = np.abs(kinds[:, None] - kinds).T
        kernel = np.append(self.kernel[self.margin :], 0.0)
        coupling = kernel[np.minimum(between, self.margin + 1)].prod(axis=0)
        films = np.arange(len(self.greys)) * math.prod(self.padded)
        by_states = self.states[1:, None, None, None]
        for rows in spaced(board.rows, down, wrap=board.wrap):
            for columns in spaced(board.columns, right, wrap=board.wrap):
                row, column = np.repeat(rows, len(columns)), np.tile(columns, len(rows))
                below, beside = row + kinds[:, :1], column + kinds[:, 1:]
                if board.wrap:
                    below, beside = below % board.rows, beside % board.columns
                inside = (below >= 0) & (below < board.rows)
                inside &= (beside >= 0) & (beside < board.columns)
                centres = self._number(row + self.margin, column + self.margin)
                cells = self._number(below + self.margin, beside + self.margin) * inside
                raised = np.tile(np.array(by)[:, None] * inside, len(films))
                yield _Sites(
                    centres=np.concatenate([centres + film for film in films]),
                    cells=np.concatenate([cells + film for film in films], axis=1),
                    raised=raised,
                    raises=board.levels * (raised * by_states % board.levels),
                    coupling=coupling,
                )

    def _number(self, row: Numbers, column: Numbers) -> Numbers:
        number: Numbers = row * self.padded[1] + column
        return number

    def _with_margin(self, cells: Floats) -> Floats:
        # (films, frames, rows, columns) -> (frames, cells)
        sides = [(0, 0)] * 2 + [(self.margin, self.margin)] * 2
        return np.pad(cells, sides).swapaxes(0, 1).reshape(cells.shape[1], -1)

    def _inner(self, padded: Levels) -> Levels:
        # (films, frames, rows, columns)
        rows, columns = (slice(self.margin, self.margin + side) for side in self.board.shape)
        return padded.reshape(len(padded), -1, *self.padded).swapaxes(0, 1)[..., rows, columns]

    @property
    def first(self) -> Levels:
        # (films, rows, columns)
        return self._inner(self.levels)[:, 0]

    @property
    def shown(self) -> Floats:
        # (films, frames, rows, columns), 0..1
        return self._inner(self.levels) / (self.board.levels - 1)

    def clicks(self) -> NDArray[np.uint8]:
        # (films, steps, rows, columns): the presses from each frame to the next.
        courses = self._inner(self.courses)
        after = np.roll(courses, -1, axis=1)
        steps = (after - courses) % self.board.levels
        return (steps if self.closed else steps[:, :-1]).astype(np.uint8)


def spaced(length: int, apart: int, *, wrap: bool) -> list[Numbers]:
    """All places of a row, in groups whose places are far apart.

    >>> [group.tolist() for group in spaced(5, 2, wrap=False)]
    [[0, 2, 4], [1, 3]]
    >>> [group.tolist() for group in spaced(5, 2, wrap=True)]  # 4 and 0 are neighbours
    [[0, 2], [1, 3], [4]]
    """
    if not wrap:
        return [np.arange(first, length, apart) for first in range(min(apart, length))]
    starts = np.arange(max(1, length // apart)) * length // max(1, length // apart)
    spaces = np.diff(starts, append=length)
    return [starts[spaces > first] + first for first in range(spaces.max())]


def _convolved(frames: Floats, kernel: Floats, edge: Literal["constant", "symmetric"]) -> Floats:
    # Along rows and columns.
    reach = len(kernel) // 2
    around = np.pad(frames, [(0, 0)] * (frames.ndim - 2) + [(reach, reach)] * 2, mode=edge)
    for axis in (-2, -1):
        around = sliding_window_view(around, len(kernel), axis=axis) @ kernel
    return around


def errors_of(shown: NDArray[Any], greys: Floats) -> Floats:
    """How far frames are from what they should show: root mean square, blurred by one cell.

    ``shown``: (..., rows, columns).

    >>> errors_of(np.zeros((2, 3, 4)), np.full((2, 3, 4), 0.5)).round(6).tolist()
    [0.5, 0.5]
    """
    blurred = _convolved(shown - greys, gaussian(EYE, math.ceil(4 * EYE)), "symmetric")
    return np.asarray(np.sqrt((blurred**2).mean(axis=(-2, -1))))


def _film(
    board: Board,
    start: Levels,
    clicks: NDArray[np.uint8],
    greys: Floats,
    deadline: Deadline,
) -> Sketch:
    # From the accessible configuration that is nearest to the start that was found.
    kind = board.reference.dtype
    first = nearest_accessible(board, start.astype(kind), time_limit=deadline).configuration
    clicks, frames = clicks.astype(kind), [first]
    for step in clicks:
        frames.append(board.add(frames[-1], board.toggles(step)))
    shown = np.array(frames[: len(greys)]) / (board.levels - 1)
    return Sketch(
        first=first,
        clicks=clicks,
        errors=errors_of(shown, greys),
        cut_short=deadline.cut_short,
    )


def _boltzmann_weights(energies: Floats, temperature: float) -> Floats:
    # How likely states of some energies are, the largest of each first axis 1.
    return np.asarray(np.exp((energies.min(axis=0) - energies) / temperature))


def _drawn_by(weights: Floats, rng: np.random.Generator) -> Numbers:
    # One of each first axis, in proportion to the weights.
    passed, drawn = rng.random(weights.shape[1:]) * weights.sum(axis=0), np.zeros(1, np.int64)
    for weight in weights[:-1]:
        passed = passed - weight
        drawn = drawn + (passed > 0)
    return drawn
