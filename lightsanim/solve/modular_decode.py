"""Information-set decoding over GF(q): cheap solutions where there are too many to search by cost.

As `lightsanim.solve.decode`: choose as many independent columns as there are checks, at random, and
recombine the checks so that those columns become unit vectors.  Any few others then make a solution
with the multiples of the chosen ones that put right what they leave.

Source: Prange 1962; Stern 1988; Peters, "Information-set decoding for linear codes over F_q",
PQCrypto 2010.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress

import numpy as np

from lightsanim.algebra.modular import Indices, Residues, reduce, reduced_rows
from lightsanim.solve.modular_classes import product
from lightsanim.solve.modular_moves import Costs
from lightsanim.system.deadline import Deadline, TimeUpError

# Others, and approximate number of pairs of them, that are tried for one choice of columns.
MAX_OTHERS = 20_000
TRIED = 1 << 17


def explain(columns: Residues, syndrome: Residues, q: int) -> Residues:
    """Multiples of some independent columns that add up to a syndrome: uint8 (classes,).

    ``columns``: uint8 (classes, checks), ``syndrome``: uint8 (checks,).
    """
    chosen, recombination = _choose_columns(columns, q, np.random.default_rng(0))
    multiples = np.zeros(len(columns), np.uint8)
    multiples[chosen] = product(syndrome[None], recombination, q)[0]
    return multiples


def decode(
    columns: Residues,
    costs: Costs,
    syndrome: Residues,
    q: int,
    known: Residues,
    bound: int,
    deadline: Deadline,
    on_better: Callable[[int], None] = lambda cost: None,
) -> Residues:
    """The cheapest solution found until the time is up or ``bound`` is reached.

    ``columns``: uint8 (classes, checks), ``costs``: (classes, q), ``syndrome``: uint8 (checks,),
    ``known``: uint8 (classes,), returns uint8 (classes,).
    """
    rng, best, least = np.random.default_rng(0), known, cost_of(costs, known)
    with suppress(TimeUpError):
        while round(least) > bound and not deadline.expired:
            chosen, recombination = _choose_columns(columns, q, rng)
            others = np.setdiff1d(np.arange(len(columns)), chosen)
            others = rng.permutation(others)[:MAX_OTHERS]
            made = rng.integers(1, q, len(others), np.uint8)
            vectors = product(columns[others], recombination, q) * made[:, None]
            reduce(vectors, q)
            wrong = product(syndrome[None], recombination, q)[0]
            for rows, sums in _candidates(vectors, wrong, q):
                left = np.uint8(q) - sums + wrong
                reduce(left, q)
                cost = costs[others[rows], made[rows]].sum(axis=1)
                for place, column in enumerate(chosen):
                    deadline.look()
                    cost += costs[column][left[:, place]]
                cheapest = int(cost.argmin())
                if cost[cheapest] < least:
                    best = np.zeros(len(columns), np.uint8)
                    best[chosen] = left[cheapest]
                    best[others[rows[cheapest]]] = made[rows[cheapest]]
                    least = cost_of(costs, best)
                    on_better(round(least))
                if deadline.expired:
                    break
    return best


def cost_of(costs: Costs, multiples: Residues) -> float:
    """What the multiples of all classes, uint8 (classes,), cost together."""
    return float(costs[np.arange(len(costs)), multiples].sum())


def _choose_columns(
    columns: Residues, q: int, rng: np.random.Generator
) -> tuple[Indices, Residues]:
    """Random independent columns, and what makes unit vectors of them.

    Returns int (checks,).
    """
    checks = columns.shape[1]
    order, tried = rng.permutation(len(columns)), checks + 64
    while True:
        beside = np.hstack([columns[order[:tried]].T, np.eye(checks, dtype=np.uint8)])
        rows, leading = reduced_rows(beside, q)
        width = beside.shape[1] - checks
        if leading[-1] < width:
            return order[leading], np.ascontiguousarray(rows[:, width:].T)
        tried *= 2


def _candidates(vectors: Residues, wrong: Residues, q: int) -> Iterator[tuple[Indices, Residues]]:
    """Rows of 0, 1 and 2 others (candidates, count), and their sums (candidates, checks)."""
    yield np.zeros((1, 0), np.int64), np.zeros((1, len(wrong)), np.uint8)
    if not len(vectors):
        return
    yield np.arange(len(vectors))[:, None], vectors
    # Pairs that leave nothing wrong in the first digits.
    digits = 0
    while len(vectors) ** 2 / 2 > TRIED * q**digits and digits < len(wrong):
        digits += 1
    powers = q ** np.arange(digits)
    keys = vectors[:, :digits] @ powers
    missing = (q + wrong[:digits].astype(np.int64) - vectors[:, :digits]) % q @ powers
    order = np.argsort(keys, kind="stable")
    start, end = (np.searchsorted(keys, missing, side, sorter=order) for side in ("left", "right"))
    counts = np.where(np.cumsum(end - start) > 4 * TRIED, 0, end - start)
    first = np.repeat(np.arange(len(keys)), counts)
    within = np.arange(len(first)) - np.repeat(np.cumsum(counts) - counts, counts)
    second = order[np.repeat(start, counts) + within]
    pairs = np.column_stack([first, second])[first < second]
    if len(pairs):
        sums = vectors[pairs[:, 0]] + vectors[pairs[:, 1]]
        reduce(sums, q)
        yield pairs, sums
