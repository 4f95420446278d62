"""The fewest clicks: of all click sets that toggle the same cells, the smallest.

Given one, all others are its sums with the 2**nullity combinations of quiet patterns.  Where the
patterns fall into components that share no cell, each is searched on its own.

Where the time allows, all combinations are weighed, 2**19 at a time.  A cell whose column of
pattern bits is v is clicked under combination c when x + <v, c> is odd.  So the size of a sum is
(cells - sum over v of h[v] (-1)**<v, c>) / 2, where h[v] is the sum of (-1)**x over the cells with
column v, and all sizes come from one Walsh-Hadamard transform of h: k 2**k additions instead of
2**k popcounts of the whole board.  The transform is cut into blocks that fit the cache; a block is
the transform over the low bits, for fixed high bits of c.  Of blocks that a symmetry of the board
carries into one another one is weighed.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from lightsanim.algebra.linear import Bits
from lightsanim.board.board import Board
from lightsanim.board.levels import Lights
from lightsanim.errors import SolverError
from lightsanim.solve.components import Component, Packed, columns_of, components_of
from lightsanim.solve.modular_fewest import fewest_presses
from lightsanim.solve.status import OnProgress, Status, status_of
from lightsanim.solve.symmetry import Orbits, orbits_of
from lightsanim.system.deadline import Deadline

# Searching random subspaces ends after this many in a row without a smaller click set.
MAX_VAIN_SUBSPACES = 60

# Beyond this nullity no time limit is long enough to weigh all combinations.
MAX_WEIGHED_NULLITY = 50

# The largest model that the paper's basic program makes progress on: cells times flips of a click.
MAX_PROGRAM_FLIPS = 25_000

# A block is a table of 2**LOW_BITS rows, transformed by additions of whole rows, and 2**MIDDLE_BITS
# columns, one for each value of the next bits of c: 1 MB of int16.
LOW_BITS = 12
MIDDLE_BITS = 7
BLOCK_BITS = LOW_BITS + MIDDLE_BITS

# Rows of the table that are filled at a time, which bounds the memory on large boards.
FILLED_ROWS = 256

# What weighing takes on a slow computer: to sort a cell, and of each block the transform, and to
# fill in a cell.
SORT_SECONDS = 4e-7
BLOCK_SECONDS, FILL_SECONDS = 1.3e-3, 1.5e-7

# Work that the search for fewer clicks takes at each frame of a board where all frames are made of
# many, in seconds on a slow computer: it finds nine tenths of what a hundred times as much does.
SEARCH_SECONDS = 0.01

Counts = NDArray[np.integer]  # int16, or int32 on boards of more cells than that can count


@dataclass(frozen=True, kw_only=True)
class Fewest:
    """The smallest click set found, and what it is worth.

    Attributes:
        clicks: bool (rows, columns); with more than two levels uint8, how often each cell is
            pressed.
        count: how many clicks; each press of a cell counts.
        bound: no click set that toggles the same cells is smaller than this.
        status: OPTIMAL when ``bound`` equals ``count``.
        seconds: how long the search took.
        cut_short: whether the clock ended the search, so that another run may find other clicks.
    """

    clicks: Lights
    count: int
    bound: int
    status: Status
    seconds: float
    cut_short: bool


def fewest_clicks(
    board: Board,
    clicks: Lights,
    *,
    time_limit: float | Deadline = 30.0,
    program: bool = True,
    on_progress: OnProgress = lambda best, bound: None,
) -> Fewest:
    """The smallest click set that toggles the same cells as ``clicks``.

    Where the time allows, all combinations of quiet patterns are weighed, which proves the result.
    Where it does not, random subspaces of them are, and the paper's basic program takes over.

    Args:
        board: any board.
        clicks: bool (rows, columns), or with more than two levels uint8: any click set, the start
            of the search.
        time_limit: seconds, or a `Deadline` to share.
        program: whether the paper's program may take over; only the clock ends it.
        on_progress: told the clicks of the best found and the proven bound.

    Returns:
        The smallest click set found, with its proven bound.

    Raises:
        OptionError: for a wrong shape or a time limit that is not positive.
        SolverError: if the elimination is not done in time (see `Board.factor`), or a solver's
            result does not hold when its clicks are carried out.

    >>> on, off = np.ones((5, 5), bool), np.zeros((5, 5), bool)
    >>> fewest_clicks(Board(5, 5), Board(5, 5).clicks_between(on, off)).count  # OEIS A075464
    15
    >>> fewest_clicks(Board(1, 2, levels=3), np.array([[2, 2]])).clicks.tolist()
    [[0, 1]]
    """
    deadline = Deadline.of(time_limit)
    clicks = board.checked(clicks, "clicks")
    difference = board.toggles(clicks)
    board.factor(deadline)
    if board.nullity == 0:
        found, bound = clicks, board.count(clicks)
    else:
        search = partial(_search, program) if board.levels == 2 else fewest_presses
        found, bound = search(board, difference, clicks, deadline, on_progress)
    count = board.count(found)
    if not np.array_equal(board.toggles(found), difference) or bound > count:
        raise SolverError(f"the solver's result does not hold: {count} clicks, bound {bound}")
    return Fewest(
        clicks=found,
        count=count,
        bound=bound,
        status=status_of(count, bound),
        seconds=deadline.seconds_used(),
        cut_short=deadline.cut_short,
    )


def _search(
    program: bool,
    board: Board,
    difference: Bits,
    clicks: Bits,
    deadline: Deadline,
    on_progress: OnProgress,
) -> tuple[Bits, int]:
    # The clicks found and the proven bound.  The first bound: no click flips more than most_flips.
    bound = -(-int(np.count_nonzero(difference)) // max(1, board.most_flips))
    if not board.can_list_patterns:
        return clicks, bound
    best, proven = clicks.ravel().copy(), np.ones(board.cells, bool)
    components = components_of(board.packed_quiet_patterns(), board.cells)
    for component, until in deadline.shared(components):
        elsewhere = int(np.count_nonzero(best)) - int(np.count_nonzero(best[component.cells]))

        def say(count: int, elsewhere: int = elsewhere) -> None:
            on_progress(elsewhere + count, bound)

        best[component.cells], complete = _lightest(
            component, best[component.cells], board.shape, until, say
        )
        proven[component.cells] = complete
    bound = max(bound, int(np.count_nonzero(best & proven)))
    if proven.all():
        return best.reshape(board.shape), bound
    small = board.cells * board.most_flips <= MAX_PROGRAM_FLIPS
    if program and small and not deadline.expired:
        from lightsanim.solve import scip

        model = scip.fewest_clicks_program(board, difference, best.reshape(board.shape))
        solution = scip.solve(model, deadline, on_progress)
        best, bound = solution.values, max(bound, solution.bound)
    return best.reshape(board.shape), bound


def _lightest(
    component: Component,
    clicks: Bits,
    shape: tuple[int, int],
    deadline: Deadline,
    say: Callable[[int], None],
) -> tuple[Bits, bool]:
    # The lightest click set found on the component's cells, and whether it is proven the lightest.
    if len(component) > BLOCK_BITS:
        clicks = _search_subspaces(component.packed, clicks, deadline, say)
    if len(component) > MAX_WEIGHED_NULLITY:
        return clicks, False
    orbits = orbits_of(
        component.packed, clicks, component.cells, shape, min(BLOCK_BITS, len(component))
    )
    return _weigh_all(orbits, clicks, deadline.part(1), say)


def _search_subspaces(
    packed: Packed, clicks: Bits, deadline: Deadline, say: Callable[[int], None]
) -> Bits:
    # One block of combinations of random patterns after the other.
    rng, vain = np.random.default_rng(0), 0
    while vain < MAX_VAIN_SUBSPACES and not deadline.expired:
        deadline.spend(_seconds(len(clicks), blocks=1))
        mix = rng.random((BLOCK_BITS, len(packed))) < 0.5
        mixed = np.array([np.bitwise_xor.reduce(packed[chosen], axis=0) for chosen in mix])
        count, combination = next(lightest_of_blocks(mixed, clicks))
        vain += 1
        if count < np.count_nonzero(clicks):
            clicks, vain = add_patterns(mixed, clicks, combination), 0
            say(count)
    return clicks


def _weigh_all(
    orbits: Orbits, clicks: Bits, deadline: Deadline, say: Callable[[int], None]
) -> tuple[Bits, bool]:
    # The lightest of all combinations, and whether all were weighed.  Gives up as soon as the rest
    # cannot be weighed in time.
    fewest, chosen, packed = int(np.count_nonzero(clicks)), 0, orbits.packed
    blocks = -(-(1 << len(packed) - orbits.bits) // orbits.order)
    if blocks > 1 and not deadline.allows(_seconds(len(clicks), blocks)):
        return clicks, False
    weighed = lightest_of_blocks(packed, clicks, orbits.representatives())
    for done, (count, combination) in enumerate(weighed, start=1):
        if np.count_nonzero(add_patterns(packed, clicks, combination)) != count:
            raise SolverError(f"the solver's result does not hold: a sum has not {count} clicks")
        if count < fewest:
            fewest, chosen = count, combination
            say(fewest)
        if not deadline.allows_rest(done / blocks):
            return add_patterns(packed, clicks, chosen), False
    return add_patterns(packed, clicks, chosen), True


def _seconds(cells: int, blocks: int) -> float:
    return SORT_SECONDS * cells + blocks * (BLOCK_SECONDS + FILL_SECONDS * cells)


def add_patterns(packed: Packed, clicks: Bits, combination: int) -> Bits:
    """A click set plus the patterns whose bits are set in ``combination``.

    ``packed``: uint8 (k, bytes), ``clicks``: bool (cells,), returns bool (cells,).

    >>> patterns = np.array([[0b001], [0b010], [0b100]], np.uint8)
    >>> add_patterns(patterns, np.ones(3, bool), 0b101).tolist()
    [False, True, False]
    """
    chosen = [t for t in range(len(packed)) if combination >> t & 1]
    added = np.bitwise_xor.reduce(packed[chosen], axis=0)
    total: Bits = clicks ^ np.unpackbits(added, count=len(clicks), bitorder="little").view(bool)
    return total


def lightest_of_blocks(
    packed: Packed, clicks: Bits, numbers: Iterable[int] = (0,)
) -> Iterator[tuple[int, int]]:
    """Block by block, the smallest size in the block and its combination.

    ``packed``: uint8 (k, bytes), ``clicks``: bool (cells,).

    >>> patterns = np.array([[0b011], [0b101]], np.uint8)
    >>> list(lightest_of_blocks(patterns, np.array([True, False, False])))
    [(1, 0)]
    """
    k, cells = len(packed), len(clicks)
    low_bits = min(k, LOW_BITS)
    middle_bits = min(k - low_bits, MIDDLE_BITS)
    low, rest, sums = _sums_by_column(columns_of(packed, cells), clicks, k, low_bits)
    middle, high = rest & (1 << middle_bits) - 1, rest >> middle_bits
    starts = _starts_of_runs(low)
    hadamard = _hadamard(middle_bits)
    table, spare = np.empty((2, 1 << low_bits, 1 << middle_bits), sums.dtype)
    for block in numbers:
        signs = 1 - 2 * (np.bitwise_count(high & block) & 1).astype(np.int8)
        table.fill(0)
        for first in range(0, len(starts), FILLED_ROWS):
            places = starts[first : first + FILLED_ROWS]
            last = starts[first + FILLED_ROWS] if first + FILLED_ROWS < len(starts) else len(low)
            part = slice(places[0], last)
            terms = hadamard[middle[part]] * (sums[part] * signs[part])[:, None]
            table[low[places]] = np.add.reduceat(terms, places - places[0], dtype=sums.dtype)
        transformed = _transform(table, spare)
        lightest = int(transformed.argmax())
        row, column = divmod(lightest, 1 << middle_bits)
        combination = row | column << low_bits | block << (low_bits + middle_bits)
        yield (cells - int(transformed.flat[lightest])) // 2, combination


def _sums_by_column(
    columns: NDArray[np.uint64], clicks: Bits, k: int, low_bits: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], Counts]:
    # For each distinct column its low bits (ascending), its other bits, and its sum h.  Each cell's
    # click is sorted together with its column, which takes less memory than an argsort.
    numbers, other_bits = columns.ravel().view(np.int64), k - low_bits
    keys = (numbers & (1 << low_bits) - 1) << other_bits + 1 | numbers >> low_bits << 1 | clicks
    keys.sort()
    signs = 1 - 2 * (keys & 1).astype(np.int16 if len(clicks) < 1 << 15 else np.int32)
    keys >>= 1
    starts = _starts_of_runs(keys)
    keys = keys[starts]
    sums = np.add.reduceat(signs, starts, dtype=signs.dtype)
    return keys >> other_bits, keys & (1 << other_bits) - 1, sums


def _starts_of_runs(ascending: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.flatnonzero(np.append(True, ascending[1:] != ascending[:-1]))


def _transform(table: Counts, spare: Counts) -> Counts:
    # The Walsh-Hadamard transform over the rows, to and fro between two tables.
    rows, columns = table.shape
    step = 1
    while step < rows:
        source = table.reshape(-1, 2, step * columns)
        target = spare.reshape(-1, 2, step * columns)
        np.add(source[:, 0], source[:, 1], out=target[:, 0])
        np.subtract(source[:, 0], source[:, 1], out=target[:, 1])
        table, spare, step = spare, table, 2 * step
    return table


@lru_cache(maxsize=MIDDLE_BITS + 1)
def _hadamard(bits: int) -> NDArray[np.int8]:
    matrix = np.ones((1, 1), np.int8)
    for _ in range(bits):
        matrix = np.block([[matrix, matrix], [matrix, -matrix]])
    return matrix
