"""The fewest presses with more than two levels.

All click sets that make the same difference are one of them plus the q**k combinations of quiet
patterns, which fall into components.  A press count is a sum over classes of cells: under the
combination c a class with column U has f(<c, U>) presses, where f(s) counts its cells' presses
when s times their factor is added to each, modulo q.  As a sum of characters,
``f(s) = sum over w of f^(w) exp(2 pi i w s / q)``, so that the counts under all combinations are
one Fourier transform over GF(q)**k, of the table that holds f^(w) in the place w U.  Where k is
large, the transform is over the first digits of c, block by block for fixed others.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from lightsanim.algebra.modular import Indices, Residues, reduce
from lightsanim.board.board import Board
from lightsanim.board.levels import Lights
from lightsanim.errors import SolverError
from lightsanim.solve.modular_classes import (
    ModularClasses,
    digits_of,
    modular_classes_of,
    modular_components_of,
    product,
)
from lightsanim.solve.status import OnProgress
from lightsanim.system.deadline import Deadline

# Combinations that are weighed by one transform, whose table then fits the cache.
BLOCK = 120_000

# What the transform of such a table takes on a slow computer.
BLOCK_SECONDS = 0.01

# Searching random subspaces ends after this many in a row without fewer presses.
MAX_VAIN_SUBSPACES = 60

Table = NDArray[np.int64]  # (classes, q), presses of each class when s is added


def fewest_presses(
    board: Board, difference: Lights, clicks: Lights, deadline: Deadline, on_progress: OnProgress
) -> tuple[Lights, int]:
    """The fewest presses found that make the same difference as ``clicks``, and a proven bound."""
    bound = -(-board.count(difference) // max(1, board.most_flips))
    if not board.can_list_patterns:
        return clicks, bound
    best, proven = clicks.ravel().copy(), np.ones(board.cells, bool)
    for (cells, classes), until in deadline.shared(_parts_of(board)):
        elsewhere = board.count(best) - board.count(best[cells])

        def say(count: int, elsewhere: int = elsewhere) -> None:
            on_progress(elsewhere + count, bound)

        lightest, complete = _lightest(classes, best[cells], board.levels, until, say)
        best[cells], proven[cells] = lightest, complete
    return best.reshape(board.shape), max(bound, board.count(best[proven]))


@lru_cache(maxsize=4)
def _parts_of(board: Board) -> list[tuple[Indices, ModularClasses]]:
    # The components of the quiet patterns, their cells and classes: the same for all searches.
    patterns = board.quiet_patterns().reshape(board.nullity, board.cells)
    return [
        (part.cells, modular_classes_of(part.patterns, board.levels))
        for part in modular_components_of(patterns, board.levels)
    ]


def _lightest(
    classes: ModularClasses,
    presses: Residues,
    q: int,
    deadline: Deadline,
    say: Callable[[int], None],
) -> tuple[Residues, bool]:
    # The fewest presses found on a component's cells, and whether they are proven the fewest.
    table, count = _table_of(classes, presses, q), classes.columns.shape[1]
    fixed = int(presses[classes.class_of < 0].sum(dtype=np.int64))
    fewest = int(presses.sum(dtype=np.int64))
    chosen, complete = np.zeros(count, np.uint8), True
    if q**count > BLOCK:
        chosen = _search_subspaces(classes.columns, table, q, deadline, lambda n: say(fixed + n))
        fewest = fixed + _count_under(classes.columns, table, chosen, q)
    blocks, deadline = q ** max(0, count - _digits(BLOCK, q)), deadline.part(1)
    if blocks > 1 and not deadline.allows(blocks * BLOCK_SECONDS):
        blocks, complete = 0, False
    combinations = weigh(classes.columns, table, q) if blocks else iter(())
    for done, (weight, combination) in enumerate(combinations, start=1):
        if weight + fixed < fewest:
            fewest, chosen = weight + fixed, combination
            say(fewest)
        if not deadline.allows_rest(done / blocks):
            complete = False
            break
    shifts = np.append(_shifts(classes.columns, chosen, q), 0).astype(np.uint8)
    total = presses + shifts[classes.class_of] * classes.factors
    reduce(total, q)
    if total.sum(dtype=np.int64) != fewest:
        raise SolverError(f"the solver's result does not hold: there are not {fewest} presses")
    return total, complete


def _table_of(classes: ModularClasses, presses: Residues, q: int) -> Table:
    inside = classes.class_of >= 0
    class_of, factors = classes.class_of[inside], classes.factors[inside]
    table = np.empty((len(classes.columns), q), np.int64)
    for s in range(q):
        pressed = presses[inside] + factors * np.uint8(s)
        reduce(pressed, q)
        table[:, s] = np.bincount(class_of, weights=pressed, minlength=len(table))
    return table


def weigh(columns: Residues, table: Table, q: int) -> Iterator[tuple[int, Residues]]:
    """Block by block of combinations, the fewest presses and their combination.

    ``columns``: uint8 (classes, patterns), ``table``: int64 (classes, q).

    >>> columns, table = np.array([[1, 0], [1, 1]], np.uint8), np.array([[3, 1, 2], [1, 4, 5]])
    >>> [(presses, combination.tolist()) for presses, combination in weigh(columns, table, 3)]
    [(2, [1, 2])]
    """
    count = columns.shape[1]
    low = min(count, _digits(BLOCK, q))
    waves, half = np.arange(q), q // 2 + 1
    # Where w U stands in the table of a block, the first digit last.  The counts are real, so that
    # the table is symmetric and half of it is enough.
    places, weight = np.zeros((len(columns), q), np.intp), 1
    for digit, size in zip(columns.T[:low], [half] + [q] * low, strict=False):
        places += np.multiply.outer(digit, waves) % q * weight
        weight *= size
    kept = np.multiply.outer(columns[:, 0], waves) % q < half
    places = places[kept]
    spectrum = np.fft.fft(table, axis=1) / q
    roots = np.exp(2j * np.pi * waves / q)
    for block in range(q ** (count - low)):
        rest = digits_of(block, count - low, q)
        turns = np.multiply.outer(_shifts(columns[:, low:], rest, q).astype(np.int64), waves)
        terms = (spectrum * roots[turns % q])[kept]
        real, imaginary = (
            np.bincount(places, weights=part, minlength=half * q ** (low - 1))
            for part in (terms.real, terms.imag)
        )
        counts = np.fft.irfftn(
            (real + 1j * imaginary).reshape(*(q,) * (low - 1), half),
            s=(q,) * low,
            axes=range(low),
            norm="forward",
        )
        lightest = int(counts.argmin())
        combination = np.concatenate([digits_of(lightest, low, q), rest])
        yield round(float(counts.flat[lightest])), combination


def _search_subspaces(
    columns: Residues, table: Table, q: int, deadline: Deadline, say: Callable[[int], None]
) -> Residues:
    # The best combination found in random subspaces, each around the best so far.
    rng, vain, count = np.random.default_rng(0), 0, columns.shape[1]
    best, here = np.zeros(count, np.uint8), table
    fewest = int(table[:, 0].sum())
    while vain < MAX_VAIN_SUBSPACES and not deadline.expired:
        deadline.spend(BLOCK_SECONDS)
        mix = rng.integers(q, size=(_digits(BLOCK, q), count), dtype=np.uint8)
        mixed = product(columns, mix.T, q)
        weight, combination = next(weigh(mixed, here, q))
        vain += 1
        if weight < fewest:
            best = product(combination[None], mix, q)[0] + best
            reduce(best, q)
            here = np.take_along_axis(
                table, (np.arange(q) + _shifts(columns, best, q)[:, None]) % q, axis=1
            )
            fewest, vain = weight, 0
            say(fewest)
    return best


def _count_under(columns: Residues, table: Table, combination: Residues, q: int) -> int:
    shifts = _shifts(columns, combination, q)
    return int(table[np.arange(len(table)), shifts].sum())


def _shifts(columns: Residues, combination: Residues, q: int) -> Residues:
    # <c, U> for the column U of each class.
    return product(columns, combination[:, None], q)[:, 0]


def _digits(most: int, q: int) -> int:
    # The most digits that make no more than ``most`` numbers.
    digits = 0
    while q ** (digits + 1) <= most:
        digits += 1
    return digits
