import math
from dataclasses import replace

import numpy as np
import pytest

from lightsanim import Board, Status, fewest_clicks
from lightsanim.algebra.linear import rank
from lightsanim.errors import OptionError, SolverError
from lightsanim.solve import scip
from lightsanim.solve.classes import classes_of
from lightsanim.solve.outcome import Deadline
from lightsanim.solve.parts import Part
from lightsanim.solve.pose import _spread, pose
from lightsanim.solve.worst import _folded, _Heaviest, _least_by_counting, most_clicks


def fewest_by_brute_force(board):
    """The fewest clicks for each set of cells, its bits a number; 99 for what cannot be toggled."""
    toggled, sizes = np.zeros(1, np.int64), np.zeros(1, np.int64)
    weights = 1 << np.arange(board.cells)
    for cell in range(board.cells):
        flips = int(weights[board.neighbourhood(*divmod(cell, board.columns)).ravel()].sum())
        toggled = np.concatenate([toggled, toggled ^ flips])
        sizes = np.concatenate([sizes, sizes + 1])
    fewest = np.full(1 << board.cells, 99)
    np.minimum.at(fewest, toggled, sizes)
    return fewest


SMALL = [
    Board(1, 1),
    Board(3, 2),
    Board(4, 4),
    Board(3, 5),
    Board(2, 7),
    Board(1, 8),
    Board(3, 4, wrap=True),
    Board(4, 4, wrap=True),
    Board(3, 3, wrap=True),
    Board(3, 5, rule="cross"),
    Board(4, 4, rule="king"),
    Board(2, 5, rule="king"),
    Board(4, 4, rule="ring"),
    Board(3, 5, rule="ring"),
    Board(3, 5, rule="x"),
    Board(4, 3, rule="x", wrap=True),
    Board(3, 5, rule="000/110/000", wrap=True),
    Board(4, 4, rule="101/000/000"),
]


@pytest.mark.parametrize("board", SMALL, ids=str)
def test_the_worst_case_is_that_of_all_configurations(board):
    fewest = fewest_by_brute_force(board)
    worst = fewest[fewest < 99].max()
    most = most_clicks(board)
    assert (most.count, most.bound, most.status) == (worst, worst, Status.OPTIMAL)
    assert fewest_clicks(board, most.clicks).count == most.clicks.sum() == worst


# 5x5: Jaap Scherphuis, https://www.jaapsch.net/puzzles/lights.htm.  6x6 has no quiet pattern.  On
# 11x11 half of every class can be clicked: 9 cells on no pattern and half of the 112 others.  The
# torus: by the program without folding; 9x9: by the program with other classes folded.
@pytest.mark.parametrize(
    ("board", "worst"),
    [
        (Board(5, 5), 15),
        (Board(6, 6), 36),
        (Board(9, 9), 37),
        (Board(11, 11), 65),
        (Board(6, 6, wrap=True), 14),
    ],
    ids=str,
)
def test_the_worst_case_of_larger_boards(board, worst):
    most = most_clicks(board, time_limit=60)
    assert (most.count, most.bound) == (worst, worst)


@pytest.mark.parametrize("board", [Board(19, 19), Board(64, 64), Board(128, 128)], ids=str)
def test_where_nothing_is_proven_the_worst_case_lies_between_two_bounds(board):
    most = most_clicks(board, time_limit=2)
    assert 0.43 * board.cells < most.count < most.bound <= board.cells / 2 + 1
    assert most.status is Status.FEASIBLE


@pytest.mark.parametrize("seed", range(12))
def test_the_climb_and_the_program_agree_with_brute_force_on_random_patterns(seed):
    rng, cells = np.random.default_rng(seed), 14
    patterns = rng.random((rng.integers(1, 6), cells)) < 0.5
    sums = [np.zeros(cells, bool)]
    for pattern in patterns:
        sums += [combination ^ pattern for combination in sums]
    assert all(combination.any() for combination in sums[1:]), "not independent: another seed"
    sets = np.arange(1 << cells)[:, None] >> np.arange(cells) & 1 == 1
    radius = np.min([(sets ^ pattern).sum(axis=1) for pattern in sums], axis=0).max()
    packed = np.packbits(patterns, axis=1, bitorder="little")
    heaviest = _Heaviest(Part(packed=packed, cells=np.arange(cells)))
    assert heaviest.count <= radius <= heaviest.bound
    heaviest.climb(rng, Deadline(10))
    heaviest.certify(rng, Deadline(10))
    assert (heaviest.found, heaviest.bound) == (radius, radius)


def test_the_program_finds_what_the_climb_missed():
    # It is told to start from nothing clicked.
    classes = classes_of(Board(4, 4).quiet_patterns().reshape(4, 16))
    start, most = _folded(classes, np.zeros(len(classes.sizes), int))
    program = scip.worst_case_program(classes, start, most, 8)
    answer = scip.solve(program, Deadline(30))
    counts = scip.whole_values(program)[1:]
    assert 8 - answer.bound == classes.sums(counts).min() == 7


@pytest.mark.parametrize("board", SMALL, ids=str)
def test_a_puzzle_of_every_number_of_clicks(board):
    fewest = fewest_by_brute_force(board)
    worst = fewest[fewest < 99].max()
    weights = (1 << np.arange(board.cells)).reshape(board.shape)
    for clicks in range(1, worst + 1):
        posed = pose(board, clicks, np.random.default_rng(clicks))
        assert fewest[weights[posed.start].sum()] == clicks == posed.count
        assert np.array_equal(board.toggles(posed.clicks), posed.start)
        assert posed.clicks.sum() == clicks
    with pytest.raises(OptionError, match=f"needs {worst + 1} clicks; the most .* is {worst}$"):
        pose(board, int(worst) + 1, np.random.default_rng(0))


def test_what_is_posed_is_of_bits_and_the_worst_case_too():
    for board in (Board(5, 5), Board(2, 3), Board(4, 4, rule="king")):
        posed, most = pose(board, 2, np.random.default_rng(0)), most_clicks(board)
        for bits in (posed.start, posed.clicks, most.clicks):
            assert (bits.dtype, bits.shape) == (bool, board.shape)
        assert posed.seconds >= 0
        assert most.seconds >= 0


def test_seeds_pose_different_puzzles_and_the_same_seed_the_same():
    board = Board(5, 5)
    posed = [pose(board, 15, np.random.default_rng(seed)).start.tobytes() for seed in range(30)]
    assert len(set(posed)) > 20
    again = [pose(board, 15, np.random.default_rng(seed)).start.tobytes() for seed in range(30)]
    assert again == posed


@pytest.mark.parametrize(
    ("board", "clicks"),
    [
        (Board(5, 5), 15),
        (Board(9, 9), 37),
        (Board(16, 16), 124),
        (Board(30, 30), 380),
        (Board(8, 8, rule="king"), 27),
        (Board(20, 30), 600),
    ],
    ids=str,
)
def test_hard_puzzles_need_what_they_say(board, clicks):
    posed = pose(board, clicks, np.random.default_rng(1))
    fewest = fewest_clicks(board, posed.clicks)
    assert (fewest.count, fewest.status) == (clicks, Status.OPTIMAL)


def test_boards_with_hundreds_of_quiet_patterns_get_puzzles_whose_clicks_do_not_meet():
    board = Board(256, 256)
    posed = pose(board, 1000, np.random.default_rng(0))
    assert posed.start.sum() == 5 * 1000  # and no click flips more than 5


def test_what_was_reached_is_told():
    with pytest.raises(SolverError, match=r"^no start that needs 12000 clicks was found; "):
        pose(Board(256, 256), 12_000, np.random.default_rng(0))
    with pytest.raises(SolverError, match=r"in 1 s; the most reached is 1[56]\d, .* than 181$"):
        pose(Board(19, 19), 175, np.random.default_rng(0), time_limit=1)


@pytest.mark.parametrize("clicks", [0, -1, 1.5, True])
def test_a_puzzle_has_at_least_one_click(clicks):
    with pytest.raises(OptionError, match="clicks must be a whole number of at least 1"):
        pose(Board(5, 5), clicks, np.random.default_rng(0))


def test_what_is_refused_is_named_with_its_rule():
    board = Board(3, 4, rule="ring", wrap=True)
    fewest = fewest_by_brute_force(board)
    worst = fewest[fewest < 99].max()
    message = "^no 4x3 board of rule 'ring' wrapped needs 12 clicks; the most that any needs is "
    with pytest.raises(OptionError, match=f"{message}{worst}$"):
        pose(board, 12, np.random.default_rng(0))


def test_what_is_refused_is_refused_with_what_is_known():
    with pytest.raises(
        OptionError, match=r"^no 5x5 board needs 16 clicks; the most that any needs is 15$"
    ):
        pose(Board(5, 5), 16, np.random.default_rng(0))
    # Half of the 360 cells that lie on a quiet pattern, and the one that lies on none.
    with pytest.raises(OptionError, match=r"^no 19x19 board needs 300 clicks; at most 181$"):
        pose(Board(19, 19), 300, np.random.default_rng(0), time_limit=1)


@pytest.mark.parametrize(
    "board",
    [Board(9, 12), Board(6, 5, wrap=True), Board(12, 12, rule="king"), Board(9, 9, rule="110")],
)
def test_clicks_that_are_spread_never_flip_the_same_cell(board):
    for seed in range(5):
        clicks = _spread(board, 5, np.random.default_rng(seed))
        assert 1 <= clicks.sum() <= 5
        assert clicks.shape == board.shape
        assert board.toggles(clicks).sum() == clicks.sum() * board.most_flips
    # As many as find room, if more are wanted; of no click that hangs over the edge.
    crowd = _spread(board, 1000, np.random.default_rng(0))
    assert board.toggles(crowd).sum() == crowd.sum() * board.most_flips
    flips = [set(others) for others in board.mirrored.neighbours()]
    taken = set().union(*(flips[cell] for cell in np.flatnonzero(crowd)))
    assert all(others & taken for others in flips if len(others) == board.most_flips)


def test_boards_too_large_to_look_for_spread_clicks_get_none(monkeypatch):
    monkeypatch.setattr("lightsanim.solve.pose.MAX_SPREAD_FLIPS", 5 * 9 * 12)
    assert _spread(Board(9, 12), 1, np.random.default_rng(0)).sum() == 1
    assert _spread(Board(9, 13), 1, np.random.default_rng(0)).sum() == 0


@pytest.mark.parametrize("cells", [5, 20, 25, 81, 361])
@pytest.mark.parametrize("patterns", [1, 2, 8, 16])
def test_counting_promises_no_more_than_the_sphere_covering_bound(cells, patterns):
    # The exact count that the inequality of the docstring stands for: the smallest R for which
    # the click sets of at most R clicks are as many as the sets of cells that can be toggled.
    least = _least_by_counting(cells, patterns)
    sets, wanted, radius = 1, 2 ** max(0, cells - patterns), 0
    while sets < wanted:
        radius += 1
        sets += math.comb(cells, radius)
    assert max(0, radius - 0.05 * cells - 3) <= least <= radius


def test_with_too_many_quiet_patterns_the_worst_case_is_only_counted(monkeypatch):
    board = Board(19, 19)
    monkeypatch.setattr("lightsanim.solve.worst.MAX_PATTERN_BITS", 16 * 361)
    assert most_clicks(board, time_limit=0.2).clicks.any()
    monkeypatch.setattr("lightsanim.solve.worst.MAX_PATTERN_BITS", 16 * 361 - 1)
    most = most_clicks(board)
    assert (most.count, most.bound) == (_least_by_counting(361, 16), 361 - 16)
    assert (most.clicks.shape, most.clicks.sum(), most.status) == ((19, 19), 0, Status.FEASIBLE)
    assert 0 <= most.seconds < 5


@pytest.mark.parametrize("seed", range(8))
def test_what_is_folded_is_one_of_the_sums_and_fits(seed):
    rng = np.random.default_rng(seed)
    patterns = np.hstack([np.eye(4, dtype=bool), rng.random((4, 16)) < 0.5])
    classes = classes_of(patterns)
    counts = rng.integers(0, classes.sizes + 1)
    folded, most = _folded(classes, counts)
    assert (folded <= most).all()
    # A sum with a combination needs what the click set needs, and the same sizes come with it.
    assert sorted(classes.sums(folded)) == sorted(classes.sums(counts))
    # As many classes are halved as there are patterns, and no others.
    halved = most < classes.sizes
    assert (most[halved] == classes.sizes[halved] // 2).all()
    assert (most[~halved] == classes.sizes[~halved]).all()
    assert halved.sum() == 4
    assert rank(classes.columns[halved].tolist(), 4) == 4


def test_a_bound_below_what_was_found_does_not_leave_the_solve_package(monkeypatch):
    honest = scip.solve
    monkeypatch.setattr(scip, "solve", lambda *args: replace(honest(*args), bound=2))
    with pytest.raises(SolverError, match=r"^the solver's answer does not hold: 7 are over 6$"):
        most_clicks(Board(4, 4))


def test_a_start_that_needs_fewer_clicks_does_not_leave_the_solve_package(monkeypatch):
    monkeypatch.setattr("lightsanim.solve.pose.click_sets", lambda board, clicks: iter([~clicks]))
    with pytest.raises(
        SolverError, match=r"^the start found does not need 7 clicks; please report this$"
    ):
        pose(Board(5, 5), 7, np.random.default_rng(0), time_limit=Deadline(30))


def test_a_number_that_is_wanted_is_looked_for_and_no_more():
    for wanted in (10, 30, 36, 37):
        most = most_clicks(Board(9, 9), wanted=wanted, rng=np.random.default_rng(0))
        assert wanted <= most.clicks.sum() <= most.count <= 37
        assert fewest_clicks(Board(9, 9), most.clicks).count == most.clicks.sum()
