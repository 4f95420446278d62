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

Moves are drawn together, and their costs found, as `halftone.py` describes.  The
price of a click starts high, as a search with cheap clicks gets stuck with many of them.  It falls
with the temperature; at the end the price stays and the temperature falls to nearly 0.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lightsanim.errors import OptionError
from lightsanim.game.board.board import Board
from lightsanim.game.levels import Lights
from lightsanim.game.solve.nearest import nearest_accessible
from lightsanim.options.checks import check_float_array, check_number, check_whole_number
from lightsanim.options.stages import CLICK_PRICE_RANGE, MIN_BLUR
from lightsanim.system.deadline import Deadline
from .halftone import (
    Effects,
    Float64s,
    Halftones,
    Int8s,
    Int64s,
    MoveGroup,
    anneal,
    blurred_errors,
    boltzmann_weights,
    sample_indices,
)

SketchProgress = Callable[[float, int, float], None]
"""A function that is called with the mean error, the number of clicks, and the share done, 0..1."""

# Price of a click for ``price=1``, and the minimum price at the start of the search.  The unit is
# the blurred squared error of a cell that is lit instead of dark, divided by levels - 1.
UNIT_PRICE, START_PRICE = 3.75, 20.0
# Number of sweeps while the price falls, and of the following sweeps at the final price.
PRICE_SWEEPS, COOLING_SWEEPS = 100, 25
# Temperature divided by the price of a click: while the price falls, and in the last sweep.
START_TEMPERATURE, END_TEMPERATURE = 0.2, 0.0067
# Weight of the first and the last frame, which viewers see longest; other frames have weight 1.
END_WEIGHT = 3.0
# Standard deviation, in cells, of the blur applied to reported errors.
ERROR_BLUR = 1.0


@dataclass(frozen=True, kw_only=True, eq=False)
class Sketch:
    """A film of few clicks whose frames approximate pictures.

    Attributes:
        first: the first configuration, bool (rows, columns), or with more than two levels uint8;
            accessible from `Board.reference`.
        clicks: bool or uint8 (steps, rows, columns), the clicks from each frame to the next; the
            last step of a closed film leads back to the first frame.
        errors: float64 (frames,), root mean square of each frame's blurred error.
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

    def sweep(step: tuple[float, float]) -> None:
        search.sweep_sites(*step)

    def report(done: float) -> None:
        error = blurred_errors(search.frame_brightness, greys, ERROR_BLUR).mean()
        on_progress(float(error), int(search.click_steps().sum()), done)  # type: ignore[misc]

    schedule = [*annealing_schedule(price)]
    work = anneal(sweep, schedule, search.sweep_seconds, deadline, on_progress and report)
    films = zip(search.first_levels, search.click_steps(), greys, strict=True)
    results = [_build_sketch(board, *film, deadline) for film in films]
    # Charge the work of the sweeps only now: the searches in _build_sketch needed a budget, too.
    deadline.spend(work)
    return results


def annealing_schedule(price: float) -> Iterator[tuple[float, float]]:
    """Yield the price of a click and the temperature for each sweep."""
    start = max(START_PRICE / UNIT_PRICE, 2 * price)
    for cost in np.geomspace(start, price, PRICE_SWEEPS).tolist():
        yield cost, cost * START_TEMPERATURE
    for temperature in np.geomspace(START_TEMPERATURE, END_TEMPERATURE, COOLING_SWEEPS).tolist():
        yield price, price * temperature


class _SketchSearch:
    # The state of a search for several films: a copy of the pictures for each frame.

    def __init__(
        self, board: Board, greys: Float64s, blur: float, rng: np.random.Generator, *, closed: bool
    ) -> None:
        self.rng, self.closed = rng, closed
        films, frames, *shape = greys.shape
        weights = np.ones((frames, 1))
        if not closed:
            weights[[0, -1]] = END_WEIGHT
        start = greys.mean(axis=1) * (board.levels - 1) + rng.random((films, *shape))
        by_frame = greys.swapaxes(0, 1)[:, :, None]
        levels = np.broadcast_to(start[None, :, None], by_frame.shape)
        self.cells = Halftones(by_frame, levels, weights, blur, board.levels)
        self.press_history = np.zeros_like(self.cells.levels)
        states = self.cells.states
        self.press_counts = -np.subtract.outer(states, states) % board.levels
        click = Effects.from_offsets(
            board.shape, [(0, *offset) for offset in board.offsets()], wrap=board.wrap
        )
        cell = Effects.from_offsets(board.shape, [(0, 0, 0)], wrap=board.wrap)
        self.click_groups = [*self.cells.group_moves(click)]
        self.cell_groups = [
            group
            for effects in (cell, cell.swap(0, 1), cell.swap(1, 0))
            for group in self.cells.group_moves(effects)
        ]
        peak = self.cells.kernel[self.cells.pad_width]
        self.unit_cost = UNIT_PRICE * peak**2 / (board.levels - 1)
        self.sweep_seconds = self.cells.sweep_seconds(self.cell_groups + self.click_groups)

    def sweep_sites(self, price: float, temperature: float) -> None:
        # Sample the cells of the first configuration, then the press histories, in random order.
        scale = self.unit_cost * temperature
        self.cells.sweep(self.cell_groups, scale, self.rng)
        steps = self.press_counts * price / temperature
        for number in self.rng.permutation(len(self.click_groups)):
            self._sample_press_history(self.click_groups[number], steps, scale)

    def _sample_press_history(self, moves: MoveGroup, steps: Float64s, temperature: float) -> None:
        # Sample by forward filtering and backward sampling.  In a closed film, one random frame
        # keeps its presses, and the sequence begins and ends at that frame.
        history, states = self.press_history.take(moves.centres, axis=1), self.cells.states[:, None]
        raised_by = (states[:, None] - history) % len(states)  # for each new number of presses
        energy = np.take_along_axis(self.cells.energies(moves), raised_by, axis=0)
        frame_weights = boltzmann_weights(energy, temperature).swapaxes(0, 1)
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
        # Sample each frame's presses for every value in the next frame: (next, frames, moves).
        weights = np.stack(forward[:-1], axis=1)[:, None] * step_weights[..., None, None]
        by_next = sample_indices(weights, self.rng)
        sampled, move_numbers = np.empty_like(history), np.arange(len(moves.centres))
        sampled[frames[-1]] = sample_indices(forward[-1], self.rng)
        for index in range(len(frames) - 2, -1, -1):
            sampled[frames[index]] = by_next[sampled[frames[index + 1]], index, move_numbers]
        self.press_history[:, moves.centres] = sampled
        self.cells.apply(moves, (sampled - history) % len(states))

    @property
    def first_levels(self) -> Int8s:
        # Levels of each film's first frame, (films, rows, columns).
        return self.cells.remove_padding(self.cells.levels)[0, :, 0]

    @property
    def frame_brightness(self) -> Float64s:
        # Brightness of all frames, (films, frames, rows, columns), 0..1.
        return self.cells.brightness[:, :, 0].swapaxes(0, 1)

    def click_steps(self) -> NDArray[np.uint8]:
        # Return the presses from each frame to the next, (films, steps, rows, columns).
        history = self.cells.remove_padding(self.press_history)[:, :, 0].swapaxes(0, 1)
        steps = (np.roll(history, -1, axis=1) - history) % len(self.cells.states)
        return (steps if self.closed else steps[:, :-1]).astype(np.uint8)


def _build_sketch(
    board: Board, start: Int8s, clicks: NDArray[np.uint8], greys: Float64s, deadline: Deadline
) -> Sketch:
    # Apply the clicks to the accessible configuration nearest to the start that was found.
    dtype = board.reference.dtype
    first = nearest_accessible(board, start.astype(dtype), time_limit=deadline).configuration
    clicks, frames = clicks.astype(dtype), [first]
    for step in clicks:
        frames.append(board.add(frames[-1], board.toggles(step)))
    shown = np.array(frames[: len(greys)]) / (board.levels - 1)
    errors = blurred_errors(shown, greys, ERROR_BLUR)
    return Sketch(first=first, clicks=clicks, errors=errors, cut_short=deadline.cut_short)
