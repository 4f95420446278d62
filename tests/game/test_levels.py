"""Boards of two to seven levels: against plain elimination and trying everything."""

import itertools

import numpy as np
import pytest
from tools.deadlines import EndsAfter, of_work
from tools.textbook import RULES as NAMED_RULES
from tools.textbook import all_click_sets, rank_of

from lightsanim import Board, Status, fewest_clicks, nearest_accessible
from lightsanim.errors import OptionError

RULES = [*NAMED_RULES, "110/011/000", "10001/01100/00000", "101/000/101", "11011", "100/010/001"]
RULES += ["000/110/000", "1/1/0"]


def random_levels(shape, q, seed=0):
    return np.random.default_rng(seed).integers(0, q, shape, np.uint8)


@pytest.mark.parametrize("q", [3, 5, 7])
@pytest.mark.parametrize("rule", ["plus", "ring"])
def test_nullities_of_square_boards_are_those_of_elimination(rule, q):
    # The rows of a quiet pattern follow from the first one, and what is below the board must be 0.
    for n in (*range(1, 21), 40):
        own = np.eye(n, dtype=int) * (rule == "plus") + np.eye(n, k=1, dtype=int)
        own += np.eye(n, k=-1, dtype=int)
        above, row = np.zeros_like(own), np.eye(n, dtype=int)
        for _ in range(n):
            above, row = row, (-own @ row - above) % q
        assert Board(n, n, rule=rule, levels=q).nullity == n - rank_of(row, q)


SMALL = [
    *((2, shape) for shape in [(1, 1), (1, 4), (2, 3), (3, 3), (4, 3), (4, 4)]),
    *((3, shape) for shape in itertools.product(range(1, 4), repeat=2)),
    *((5, shape) for shape in [(1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (3, 2)]),
    *((7, shape) for shape in [(1, 1), (1, 3), (2, 2)]),
]


def numbers_of(lights, q):
    """Configurations (..., cells) as numbers, the first cell's digit last."""
    return lights.astype(int) @ q ** np.arange(lights.shape[-1])


@pytest.mark.parametrize(
    ("cases", "count"),
    [
        ([*SMALL[:4], (3, (3, 2)), (5, (2, 2)), (7, (1, 3))], 3),
        pytest.param(SMALL, 40, marks=pytest.mark.long),
    ],
    ids=["few", "many"],
)
@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("rule", RULES)
def test_nearest_and_fewest_match_brute_force(rule, wrap, cases, count):
    for q, shape in cases:
        board, rng = Board(*shape, rule=rule, wrap=wrap, levels=q), np.random.default_rng(0)
        clicks, raised = all_click_sets(board)
        images = numbers_of(raised, q)
        fewest = np.full(len(clicks), 999)
        np.minimum.at(fewest, images, clicks.sum(axis=1))
        first = np.unique(images, return_index=True)[1]
        reachable = np.unique((raised + board.reference.ravel()) % q, axis=0).astype(np.int8)
        for number in rng.permutation(len(clicks))[:count]:
            target = clicks[number].reshape(shape)
            distance = abs(reachable - clicks[number].astype(np.int8)).sum(axis=1).min()
            assert board.is_accessible(target) == (distance == 0)
            nearest = nearest_accessible(board, target)
            apart = np.abs(nearest.configuration.astype(int) - target)
            assert nearest.distance == nearest.bound == distance == apart.sum()
            assert nearest.wrong == np.count_nonzero(apart)
            end = board.add(board.reference, board.toggles(nearest.clicks))
            assert np.array_equal(end, nearest.configuration)
        for number in rng.permutation(first)[:count]:
            result = fewest_clicks(board, clicks[number].reshape(shape))
            assert result.count == result.bound == result.clicks.sum() == fewest[images[number]]
            assert result.status is Status.OPTIMAL
            assert numbers_of(board.toggles(result.clicks).ravel(), q) == images[number]


@pytest.mark.parametrize(
    ("q", "n"),
    # Nullities from 12 to 20, for which a table of all sums would be too large, and 39.
    [(3, 17), (7, 24), *(pytest.param(3, n, marks=pytest.mark.long) for n in (40, 53))],
)
def test_nearest_of_target_few_levels_off_has_that_distance(q, n):
    board = Board(n, n, levels=q)
    for count in (0, 1, 2, 3, 4):
        rng = np.random.default_rng(count)
        target = board.toggles(random_levels((n, n), q, count)).astype(int)
        for cell in rng.choice(board.cells, count, replace=False):
            target.flat[cell] += 1 if target.flat[cell] < q - 1 else -1
        nearest = nearest_accessible(board, target, time_limit=of_work(30))
        apart = np.abs(nearest.configuration.astype(int) - target)
        assert apart.sum() == nearest.distance == nearest.bound <= count


@pytest.mark.long
@pytest.mark.parametrize(("n", "rule"), [(53, "plus"), (59, "ring")])
def test_decoding_without_proof_finds_cheap_changes(n, rule):
    # Nullities of 39, and of 59 in two components.  The search starts from independent cells.
    board, target, pairs = Board(n, n, rule=rule, levels=3), random_levels((n, n), 3), []
    options = {"time_limit": EndsAfter(1000), "on_progress": lambda *pair: pairs.append(pair)}
    nearest = nearest_accessible(board, target, **options)
    apart = np.abs(nearest.configuration.astype(int) - target)
    assert 3 <= nearest.bound <= nearest.distance == apart.sum() <= 0.8 * pairs[0][0]
    assert nearest.status is Status.FEASIBLE
    assert pairs[-1] == (nearest.distance, nearest.bound)
    assert all(bound <= nearest.distance <= best for best, bound in pairs)


def test_nearest_too_many_checks_wrong_cells_are_at_one_end():
    board = Board(1092, 1092, levels=3)
    assert not board.can_list_patterns
    target = random_levels(board.shape, 3)
    nearest = nearest_accessible(board, target)
    assert 1 == nearest.bound <= nearest.distance
    wrong = np.flatnonzero(nearest.configuration != target)
    assert (wrong >= 1091 * 1092).all()
    assert nearest.wrong == len(wrong) <= board.nullity
    fewest = fewest_clicks(board, nearest.clicks)
    assert 1 <= fewest.bound <= fewest.count == nearest.clicks.sum()
    assert np.array_equal(nearest_accessible(board, nearest.configuration).clicks, nearest.clicks)
    # Other rules have no such way.
    with pytest.raises(OptionError, match=r"^a 800x800 board of rule 'king' has \d+ parity checks"):
        nearest_accessible(Board(800, 800, rule="king", levels=3), np.eye(800))


def test_nearest_ties_are_broken_by_tones():
    # Both cells must be alike: 1 and 2 are equally far from the target in all.
    board, target = Board(1, 2, levels=3), np.array([[1, 2]])
    for tones, level in ([[1.0, 1.6]], 1), ([[1.4, 2.0]], 2):
        nearest = nearest_accessible(board, target, in_levels=np.array(tones))
        assert nearest.configuration.tolist() == [[level, level]]
