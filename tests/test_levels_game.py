"""The puzzle with three, five and seven levels: against every click set, and other people's."""

import itertools
import json

import numpy as np
import pytest
from deadlines import of_work
from PIL import Image
from scipy import ndimage
from textbook import all_click_sets, solutions_of

from lightsanim import Board, Settings, load_animation, load_game, solve_board
from lightsanim.board.text import board_text, read_board
from lightsanim.look.theme import Theme
from lightsanim.solve.pose import pose

SMALL = [
    Board(2, 2, levels=3),
    Board(2, 3, rule="king", levels=3),
    Board(2, 3, rule="110/011/000", wrap=True, levels=3),
    Board(2, 2, rule="ring", levels=5),
    Board(1, 3, wrap=True, levels=7),
]


@pytest.mark.parametrize("board", SMALL, ids=str)
def test_solutions_are_those_of_trying_everything(board):
    sets, raised = all_click_sets(board)
    rng = np.random.default_rng(0)
    for start, goal in rng.integers(board.levels, size=(12, 2, *board.shape), dtype=np.uint8):
        ends = (start.ravel() + raised) % board.levels
        apart = abs(ends - goal.ravel()).sum(axis=1)
        solution = solve_board(board, start, goal, nearest=True)
        assert solution.accessible == (apart.min() == 0)
        if solution.nearest is not None:
            near = solution.nearest
            assert (near.distance, near.bound) == (apart.min(), apart.min())
            assert near.wrong == np.count_nonzero(solution.end != goal)
        assert abs(solution.end.astype(int) - goal).sum() == apart.min()
        there = (ends == solution.end.ravel()).all(axis=1)
        fewest = solution.fewest
        assert fewest.count == fewest.bound == sets[there].sum(axis=1).min()
        assert (sets[there] == fewest.clicks.ravel()).all(axis=1).any()


@pytest.mark.parametrize("board", [Board(12, 12, levels=3), Board(80, 80, levels=5)], ids=str)
def test_many_presses_are_posed_where_the_combinations_cannot_all_be_weighed(board):
    posed = pose(board, 40, np.random.default_rng(0), time_limit=of_work(2))
    assert posed.clicks.sum() == 40
    assert not board.add(posed.start, board.toggles(posed.clicks)).any()


# Lights Out 2000 (Tiger Electronics): 5 x 5, three states.


# Boards column by column, and cells to press from 1, a solution each: MATLAB Central, Cody,
# problem 44767.
CODY = [
    ("1102210002000000220021120", [1, 1, 10, 15, 21]),
    ("2202200200222220020022022", [6, 8, 10, 12, 14, 16, 18, 20]),
]


@pytest.mark.parametrize(("columns", "known"), CODY)
def test_lights_out_2000(run, columns, known):
    quiet = np.array(solutions_of(np.zeros((5, 5), int), 3))
    assert len(quiet) == 27
    start = np.array(list(columns), np.uint8).reshape(5, 5).T
    presses = np.bincount(np.array(known) - 1, minlength=25).reshape(5, 5).T
    fewest = ((presses + quiet) % 3).sum(axis=(1, 2)).min()
    words, given = ["solve", "-", "--levels", "3"], board_text(start, 3).encode()
    status, out, err = run(*words, "--json", given=given)
    assert (status, err) == (0, "")
    turned = f"{fewest} clicks turn the start all off: the fewest possible"
    assert run(*words, given=given)[1].startswith(f"{turned}. 27 click sets do.\n")
    answer = json.loads(out)
    assert (answer["count"], answer["bound"], answer["status"]) == (fewest, fewest, "optimal")
    assert answer["solutions_log2"] == pytest.approx(np.log2(27))
    assert answer["clicks"] == sorted(answer["clicks"])  # presses of a cell follow one another
    assert len(answer["clicks"]) == fewest
    for row, column in answer["clicks"]:
        start += Board(5, 5).neighbourhood(row, column).astype(np.uint8)
    assert not (start % 3).any()


def test_what_can_be_reached_of_lights_out_2000(run):
    _, out, _ = run("board", "5x5", "--levels", "3")
    assert out.startswith(
        "5x5 cells of 3 levels: a click raises a cell and its neighbours\nrank 22"
    )
    assert out.endswith("only 1 in 27 can be reached, each by 27 click sets\n")
    facts = json.loads(run("board", "5x5", "--levels", "3", "--json")[1])
    assert (facts["levels"], facts["rank"], facts["nullity"]) == (3, 22, 3)
    many = f"only 1 in 3^{Board(80, 80, levels=3).nullity} can"
    assert many in run("board", "80x80", "--levels", "3")[1]


def test_all_on_is_the_brightest_and_perhaps_out_of_reach(run):
    game = load_game("on", size="2x3", settings=Settings(levels=5))
    assert [set(lights.ravel()) for lights in game.configurations] == [{4}, {0}]
    words = ["solve", "on", "--size", "2x2", "--levels", "3"]
    assert run(*words)[1] == (
        "No clicks turn the lit board all off: only 1 configuration in 3 can be reached from "
        "another. Add --nearest to go to the nearest board that can be reached.\n"
    )
    _, out, _ = run("solve", "off", "on", *words[2:], "--nearest", "--no-draw")
    assert "where 1 cell differs by 2 levels in all (the fewest possible)" in out
    nearest = json.loads(run("solve", "off", "on", *words[2:], "--nearest", "--json")[1])["nearest"]
    assert [nearest[name] for name in ("wrong", "distance", "bound")] == [1, 2, 2]
    assert len(nearest["cells"]) == 1


def test_the_presses_are_drawn_with_dots_and_made_in_films(run, tmp_path):
    outputs = [word for name in ("a.png", "a.svg", "a.json", "a.gif") for word in ("-o", name)]
    words = ["pose", "4x3", "--levels", "7", "--clicks", "35", "--seed", "2"]
    (tmp_path / "start.txt").write_text(run(*words, "-q")[1])
    status, _, _ = run("solve", "start.txt", "--levels", "7", *outputs, "--cell", "40", "-q")
    assert status == 0
    animation = load_animation("a.json")
    assert not animation.last.any()
    presses = np.bincount(animation.clicks, minlength=12)
    assert presses.sum() == 35
    assert set(presses) >= {1, 2, 3, 4, 5, 6}
    assert (np.diff(animation.clicks) >= 0).all()
    geometry = Theme(cell=40).geometry(3, 4, levels=7)
    with Image.open("a.png") as image:
        marked = (np.asarray(image.convert("RGB")) == [0xFF, 0xA4, 0x00]).all(axis=2)
    _, dots = ndimage.label(marked)
    assert dots == 35
    for cell, (row, column) in enumerate(itertools.product(range(3), range(4))):
        top, left = (geometry.gap + place * geometry.pitch for place in (row, column))
        assert ndimage.label(marked[top : top + 40, left : left + 40])[1] == presses[cell]
    drawn = (tmp_path / "a.svg").read_text().split('fill="#ffa400"')[1:]
    assert sum(dots.split("</g>")[0].count("<circle") for dots in drawn) == 35


def test_a_puzzle_of_five_levels_goes_into_solve(run):
    words = ["pose", "5x5", "--levels", "5", "--clicks", "30", "--seed", "7"]
    status, out, err = run(*words)
    said = "5x5 cells of 5 levels; 30 clicks turn it off, and no fewer: proven; seed 7"
    assert (status, err.splitlines()[0]) == (0, said)
    assert read_board(out, 5).max() == 4
    answer = json.loads(run("solve", "-", "--levels", "5", "--json", given=out.encode())[1])
    assert (answer["count"], answer["status"]) == (30, "optimal")
    posed = json.loads(run(*words, "--json")[1])
    assert (posed["levels"], posed["start"], len(posed["clicks"])) == (5, out.split(), 30)


def test_pictures_of_more_levels_are_solved(run, ramps):
    words = ["--size", "8x4", "--levels", "3"]
    answer = json.loads(run("solve", *ramps, *words, "--nearest", "--json")[1])
    game = load_game(*map(str, ramps), "8x4", settings=Settings(levels=3))
    start, goal = game.configurations
    assert set(start.ravel()) == {0, 1, 2}
    clicks = np.zeros(start.shape, np.uint8)
    for row, column in answer["clicks"]:
        clicks[row, column] += 1
    assert clicks.max() == 2
    end = game.board.add(start, game.board.toggles(clicks))
    distance = answer["nearest"]["distance"] if "nearest" in answer else 0
    assert abs(end.astype(int) - goal).sum() == distance
