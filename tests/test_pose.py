import numpy as np
import pytest

from lightsanim import Board, Status, fewest_clicks
from lightsanim.errors import OptionError, SolverError
from lightsanim.solve import scip
from lightsanim.solve.classes import classes_of
from lightsanim.solve.outcome import Deadline
from lightsanim.solve.parts import Part
from lightsanim.solve.pose import pose
from lightsanim.solve.worst import _folded, _Heaviest, most_clicks


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
