"""Searches in parts: of what the patterns are sums, and that nothing is lost by it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lightsanim.algebra.linear import rank
from lightsanim.board.board import Board
from lightsanim.solve.fewest import fewest_clicks
from lightsanim.solve.nearest import nearest_accessible
from lightsanim.solve.outcome import Status
from lightsanim.solve.parts import parts_of

seeds = st.integers(0, 2**32)


def packed(bits):
    return np.packbits(bits, axis=1, bitorder="little")


def numbers(bits):
    return [sum(1 << int(cell) for cell in np.flatnonzero(row)) for row in bits]


@given(st.lists(st.integers(1, 4), min_size=1, max_size=4), seeds)
def test_hidden_summands_are_found_and_span_the_same(sizes, seed):
    # Summands on cells of their own, shuffled and mixed with each other.
    rng = np.random.default_rng(seed)
    cells = 20
    patterns = np.zeros((0, cells), bool)
    owner = rng.integers(0, len(sizes), cells)
    for summand, size in enumerate(sizes):
        patterns = np.vstack([patterns, (rng.random((size, cells)) < 0.5) & (owner == summand)])
    kept = [t for t in range(len(patterns)) if rank(numbers(patterns[: t + 1]), cells)
            > rank(numbers(patterns[:t]), cells)]  # fmt: skip
    basis = patterns[kept]
    for _ in range(20 if len(basis) > 1 else 0):
        one, other = rng.choice(len(basis), 2, replace=False)
        basis[one] ^= basis[other]
    parts = parts_of(packed(basis), cells)
    found = []
    for part in parts:
        whole = np.zeros((len(part), cells), bool)
        whole[:, part.cells] = part.patterns()
        found.append(whole)
    everything = np.vstack([basis, *found])
    assert rank(numbers(everything), cells) == len(basis) == sum(map(len, parts))
    together = np.concatenate([part.cells for part in parts])
    assert len(set(together.tolist())) == len(together)
    summands = len({int(owner[np.flatnonzero(patterns[t])[0]]) for t in kept})
    assert len(parts) >= summands


@pytest.mark.parametrize(
    ("rule", "shape", "wrap", "sizes"),
    # The clicks of ring and x keep to the colours of a chessboard.  Of the king's two matrices,
    # that of 8 rows has a null vector, which each of 9 columns may hold on its own.
    [
        ("ring", (11, 11), False, [5, 6]),
        ("x", (12, 12), True, [8, 8]),
        ("king", (8, 9), False, [1] * 9),
        ("plus", (9, 9), False, [8]),
    ],
)
def test_searches_in_parts_find_what_searches_of_the_whole_do(
    rule, shape, wrap, sizes, monkeypatch
):
    board = Board(*shape, rule=rule, wrap=wrap)
    parts = parts_of(board.packed_parity_checks(), board.cells)
    assert sorted(map(len, parts)) == sizes
    told, answers = [], []
    for largest in (10**10, 0):
        monkeypatch.setattr("lightsanim.solve.parts.MAX_REDUCED", largest)
        for seed in range(3):
            rng = np.random.default_rng(seed)
            target, margin = rng.random(shape) < 0.5, rng.integers(1, 9, shape).astype(float)
            nearest = nearest_accessible(
                board, target, margin=margin, on_progress=lambda *what: told.append(what)
            )
            fewest = fewest_clicks(board, rng.random(shape) < 0.5)
            assert nearest.status is fewest.status is Status.OPTIMAL
            answers.append((nearest.wrong, fewest.count))
    assert answers[:3] == answers[3:]
    assert all(bound <= best for best, bound in told)


def test_spaces_that_are_too_large_to_take_apart_stay_whole(monkeypatch):
    monkeypatch.setattr("lightsanim.solve.parts.MAX_REDUCED", 0)
    board = Board(11, 11, rule="ring")
    (part,) = parts_of(board.packed_quiet_patterns(), board.cells)
    assert np.array_equal(part.patterns(), board.quiet_patterns().reshape(11, 121))
    assert part.cells.tolist() == list(range(121))
