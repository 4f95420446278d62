"""New puzzles, and more levels: against every click set and other people's numbers."""

import itertools
import json
import math
import re
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image
from scipy import ndimage
from tools.deadlines import EndsAfter, of_work
from tools.refusals import assert_refused
from tools.textbook import all_click_sets, solutions_of

import lightsanim as la
from lightsanim import Board
from lightsanim.errors import OptionError, SolverError
from lightsanim.game.solve import scip

SMALL = [
    Board(4, 4),
    Board(3, 4, wrap=True),
    Board(3, 4, rule="cross"),
    Board(3, 4, rule="ring", wrap=True),
    Board(3, 4, rule="000/110/000", wrap=True),
    Board(2, 2, levels=3),
    Board(2, 3, rule="king", levels=3),
    Board(2, 3, rule="110/011/000", wrap=True, levels=3),
    Board(2, 2, rule="ring", levels=5),
    Board(1, 3, wrap=True, levels=7),
    # Here clicks change nothing: they flip cells beyond the edge, or raise a cell three times.
    Board(1, 3, rule="111/000/000"),
    Board(5, 1, rule="king", wrap=True, levels=3),
]


@pytest.mark.parametrize("board", SMALL, ids=str)
def test_the_worst_case_and_a_puzzle_of_every_number_of_clicks(board):
    sets, raised = all_click_sets(board)
    weights = board.levels ** np.arange(board.cells)
    fewest = np.full(board.levels**board.cells, 99)
    np.minimum.at(fewest, -raised % board.levels @ weights, sets.sum(axis=1))
    worst, of_two = int(fewest[fewest < 99].max()), board.levels == 2
    if of_two:
        hardest = la.most_clicks(board)
        assert (hardest.count, hardest.bound, hardest.status) == (worst, worst, la.Status.OPTIMAL)
        assert la.fewest_clicks(board, hardest.clicks).count == hardest.clicks.sum() == worst
    for clicks in range(1, worst + 1):
        posed = la.pose(board, clicks, np.random.default_rng(clicks))
        assert fewest[posed.start.ravel() @ weights] == clicks == posed.count == posed.clicks.sum()
        assert not board.add(posed.start, board.toggles(posed.clicks)).any()
    refusal = f"needs? {worst + 1} clicks" + (f"; .* {worst}$" if of_two else "")
    limit = 30 if of_two else EndsAfter(300)
    with pytest.raises(OptionError if of_two else (OptionError, SolverError), match=refusal):
        la.pose(board, worst + 1, np.random.default_rng(0), time_limit=limit)


# 5x5: Jaap Scherphuis, https://www.jaapsch.net/puzzles/lights.htm.  6x6 has no quiet pattern.  On
# 11x11 half of every class can be clicked: 9 cells on no pattern and half of the 112 others.
# 9x9: by the program with other classes folded.
@pytest.mark.parametrize(
    ("side", "worst"), [(5, 15), (11, 65), pytest.param(9, 37, marks=pytest.mark.long)]
)
def test_the_worst_case_of_larger_boards(side, worst):
    hardest = la.most_clicks(Board(side, side), time_limit=60)
    assert (hardest.count, hardest.bound) == (worst, worst)


@pytest.mark.parametrize("side", [19, 128])
def test_worst_case_unproven_lies_between_bounds(side):
    hardest = la.most_clicks(Board(side, side), time_limit=EndsAfter(50))
    assert 0.43 * side**2 < hardest.count < hardest.bound <= side**2 / 2 + 1
    assert hardest.status is la.Status.FEASIBLE


def test_worst_case_high_nullity_is_bounded_by_counting():
    board = Board(2048, 2048)
    hardest = la.most_clicks(board)
    # The sphere-covering bound, with entropy for the logarithm of the number of small click sets:
    # the share of clicks at which they are as many as the configurations within reach.
    low, high = 0.0, 0.5
    while high - low > 1e-9:
        share = (low + high) / 2
        entropy = -share * math.log2(share) - (1 - share) * math.log2(1 - share)
        low, high = (share, high) if entropy < board.rank / board.cells else (low, share)
    assert 0.99 * low * board.cells < hardest.count <= low * board.cells
    assert (hardest.bound, hardest.clicks.sum()) == (board.rank, 0)
    assert hardest.status is la.Status.FEASIBLE


def test_worst_case_search_stops_at_the_wanted_count():
    for count in (10, 36):
        hardest = la.most_clicks(Board(9, 9), wanted=count, rng=np.random.default_rng(0))
        assert count <= hardest.clicks.sum() <= hardest.count <= 37
        assert la.fewest_clicks(Board(9, 9), hardest.clicks).count == hardest.clicks.sum()


def test_pose_seed_decides_the_puzzle():
    board, rng = Board(5, 5), np.random.default_rng(1)
    assert np.array_equal(la.pose(board, 9, seed=1).start, la.pose(board, 9, rng).start)
    assert la.pose(board, 4).count == 4  # it draws by itself
    assert len({la.pose(board, 15, seed=n).start.tobytes() for n in range(5)}) > 2


def test_hard_puzzles_need_what_they_say():
    board = Board(8, 8, rule="king")
    fewest = la.fewest_clicks(board, la.pose(board, 27, seed=1).clicks)
    assert (fewest.count, fewest.status) == (27, la.Status.OPTIMAL)


@pytest.mark.long
def test_pose_large_boards_give_proven_puzzles():
    board = Board(30, 30)
    fewest = la.fewest_clicks(board, la.pose(board, 380, seed=1).clicks)
    assert (fewest.count, fewest.status) == (380, la.Status.OPTIMAL)
    # Of high nullity no click flips more cells, and no two flip the same: no fewer can do it.
    for board, clicks in {
        Board(90, 90, rule="ring"): 500,
        Board(102, 102, rule="king", wrap=True): 300,
    }.items():
        assert la.pose(board, clicks, seed=0).start.sum() == board.most_flips * clicks


def test_worst_case_wrong_bound_is_an_error(monkeypatch):
    honest = scip.solve_program
    monkeypatch.setattr(scip, "solve_program", lambda *args: replace(honest(*args), bound=2))
    assert_refused(lambda: la.most_clicks(Board(6, 8)), "22 21", SolverError)  # of 23


@pytest.mark.parametrize("board", [Board(4, 4), Board(3, 3), Board(3, 4, levels=3)], ids=str)
def test_a_series_holds_a_puzzle_of_each_number_and_none_twice(board):
    counts = [1, 2, 2, 2, 5]
    series = la.pose_series(board, counts, np.random.default_rng(0))
    assert [la.fewest_clicks(board, posed.clicks).count for posed in series] == counts
    images = set()
    for start in [posed.start for posed in series]:
        assert str(start) not in images
        images |= {str(np.rot90(side, turn)) for side in (start, start[::-1]) for turn in range(4)}


def test_series_repeats_mirror_images_only_when_exhausted():
    # Each cell of 2x3 is one click: six starts, of which two are no mirror images or turns.
    board = Board(2, 3, rule="1")
    series = la.pose_series(board, [1] * 6, np.random.default_rng(0))
    assert len({posed.start.tobytes() for posed in series}) == 6
    assert_refused(lambda: la.pose_series(board, [1] * 7), "6 3x2 1 click", OptionError)
    options = {"rng": np.random.default_rng(0), "time_limit": of_work(0)}
    assert_refused(lambda: la.pose_series(board, [1] * 6, **options), "time", SolverError)


@pytest.mark.parametrize("board", SMALL[5:], ids=str)
def test_solutions_are_those_of_trying_everything(board):
    sets, raised = all_click_sets(board)
    rng = np.random.default_rng(0)
    for start, goal in rng.integers(board.levels, size=(12, 2, *board.shape), dtype=np.uint8):
        results = (start.ravel() + raised) % board.levels
        apart = abs(results - goal.ravel()).sum(axis=1)
        solution = la.solve_board(board, start, goal, nearest=True)
        assert solution.accessible == (apart.min() == 0)
        if (nearest := solution.nearest) is not None:
            assert nearest.distance == nearest.bound == apart.min()
            assert nearest.wrong == np.count_nonzero(solution.end != goal)
        assert abs(solution.end.astype(int) - goal).sum() == apart.min()
        leading = sets[(results == solution.end.ravel()).all(axis=1)]
        fewest = solution.fewest
        assert fewest.count == fewest.bound == leading.sum(axis=1).min()
        assert (leading == fewest.clicks.ravel()).all(axis=1).any()


@pytest.mark.parametrize("board", [Board(12, 12, levels=3), Board(80, 80, levels=5)], ids=str)
def test_pose_many_presses_on_large_boards(board):
    posed = la.pose(board, 40, np.random.default_rng(0), time_limit=of_work(2))
    assert posed.clicks.sum() == 40
    assert not board.add(posed.start, board.toggles(posed.clicks)).any()


# Lights Out 2000 (Tiger Electronics): 5 x 5, three states.  Boards column by column, and cells to
# press from 1, a solution each: MATLAB Central, Cody, problem 44767.
CODY = [
    ("1102210002000000220021120", [1, 1, 10, 15, 21]),
    ("2202200200222220020022022", [6, 8, 10, 12, 14, 16, 18, 20]),
]


@pytest.mark.parametrize(("columns", "solution"), CODY)
def test_lights_out_2000(run, columns, solution):
    quiet = np.array(solutions_of(np.zeros((5, 5), int), 3))
    assert len(quiet) == 27
    start = np.array(list(columns), np.uint8).reshape(5, 5).T
    presses = np.bincount(np.array(solution) - 1, minlength=25).reshape(5, 5).T
    fewest = ((presses + quiet) % 3).sum(axis=(1, 2)).min()
    words, board = ["solve", "-", "--levels", "3"], la.board_text(start, 3).encode()
    status, out, err = run(*words, "--json", given=board)
    assert (status, err) == (0, "")
    assert re.match(rf"{fewest} clicks .* 27 click sets", run(*words, given=board)[1])
    answer = json.loads(out)
    assert (answer["count"], answer["bound"], answer["status"]) == (fewest, fewest, "optimal")
    assert answer["solutions_log2"] == pytest.approx(np.log2(27))
    assert answer["clicks"] == sorted(answer["clicks"])  # presses of a cell follow one another
    assert len(answer["clicks"]) == fewest
    for row, column in answer["clicks"]:
        start += Board(5, 5).neighbourhood(row, column).astype(np.uint8)
    assert not (start % 3).any()


def test_all_on_is_the_highest_level_and_may_be_inaccessible(run):
    game = la.load_game("on", size="2x3", settings=la.Settings(levels=5))
    assert [set(lights.ravel()) for lights in game.configurations] == [{4}, {0}]
    words = ["solve", "on", "--size", "2x2", "--levels", "3"]
    assert "1 in 3 " in run(*words)[1]
    _, out, _ = run("solve", "off", "on", *words[2:], "--nearest", "--no-draw")
    assert re.search("1 cell .* 2 levels", out)
    nearest = json.loads(run("solve", "off", "on", *words[2:], "--nearest", "--json")[1])["nearest"]
    assert [nearest[name] for name in ("wrong", "distance", "bound")] == [1, 2, 2]
    assert len(nearest["cells"]) == 1


def test_the_presses_are_drawn_with_dots_and_made_in_films(run, tmp_path):
    words = ["pose", "4x3", "--levels", "7", "--clicks", "35", "--seed", "2"]
    status, start, err = run(*words)
    assert status == 0
    assert re.match(r"4x3 .* 7 levels.* 35 .*; seed 2\n", err)
    posed = json.loads(run(*words, "--json")[1])
    assert (posed["levels"], posed["start"], len(posed["clicks"])) == (7, start.split(), 35)
    (tmp_path / "start.txt").write_text(start)
    words = "solve start.txt --levels 7 -o a.png@cell=40 -o a.svg -o a.json -o a.gif -q"
    assert run(*words.split())[0] == 0
    animation = la.load_animation("a.json")
    assert not animation.last.any()
    presses = np.bincount(animation.clicks, minlength=12)
    assert presses.sum() == 35
    assert set(presses) >= {1, 2, 3, 4, 5, 6}
    assert (np.diff(animation.clicks) >= 0).all()
    geometry = la.Theme(cell=40).geometry(3, 4, levels=7)
    with Image.open("a.png") as image:
        marked = (np.asarray(image.convert("RGB")) == [0xFF, 0xA4, 0x00]).all(axis=2)
    _, dots = ndimage.label(marked)
    assert dots == 35
    for cell, (row, column) in enumerate(itertools.product(range(3), range(4))):
        top, left = (geometry.gap + index * geometry.cell_pitch for index in (row, column))
        assert ndimage.label(marked[top : top + 40, left : left + 40])[1] == presses[cell]
    svg = (tmp_path / "a.svg").read_text().split('fill="#ffa400"')[1:]
    assert sum(dots.split("</g>")[0].count("<circle") for dots in svg) == 35


def test_pictures_of_more_levels_are_solved(run, ramps):
    words = ["--size", "8x4", "--levels", "3"]
    answer = json.loads(run("solve", *ramps, *words, "--nearest", "--json")[1])
    game = la.load_game(*map(str, ramps), "8x4", settings=la.Settings(levels=3))
    start, goal = game.configurations
    assert set(start.ravel()) == {0, 1, 2}
    clicks = np.zeros(start.shape, np.uint8)
    for row, column in answer["clicks"]:
        clicks[row, column] += 1
    assert clicks.max() == 2
    end = game.board.add(start, game.board.toggles(clicks))
    distance = answer["nearest"]["distance"] if "nearest" in answer else 0
    assert abs(end.astype(int) - goal).sum() == distance
