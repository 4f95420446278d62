"""The relatives, against brute force, other people's numbers, and elimination as in a textbook."""

import itertools
import json
import re
from collections import Counter
from functools import partial
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from tools.deadlines import of_work
from tools.program import ask
from tools.refusals import assert_refused
from tools.textbook import PRIME, clue_matrix, clues_of, even_windows, odd_lines_of, rank_of

import lightsanim as la
from lightsanim.apps.puzzles.puzzle_files import load_best_windows
from lightsanim.errors import InputError, OptionError, SolverError
from lightsanim.game.relatives import abbott
from lightsanim.game.relatives.abbott import build_even_window, solve_abbott
from lightsanim.game.relatives.answer import PuzzleAnswer
from lightsanim.game.relatives.ashes import (
    CLUE_KINDS,
    MAX_NUMBER,
    load_clues,
    parse_clues,
    solve_ashes,
)
from lightsanim.game.relatives.by_name import PUZZLES
from lightsanim.game.relatives.queens import solve_queens
from lightsanim.game.relatives.submarines import solve_submarines
from lightsanim.game.solve import scip
from lightsanim.pictures.load import load_source_picture
from lightsanim.pictures.words.puzzle import PuzzleWord

# The most lit panes for each N, as found and proven by OR-Tools' CP-SAT 9.15; of 8 x 8, Dudeney's.
MAX_LIT = {4: 12, 5: 16, 6: 28, 7: 40, 8: 52, 9: 70, 10: 84, 11: 106, 12: 124}


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_small_windows_are_the_best_of_all(n):
    answer = solve_abbott(n)
    assert answer.value == even_windows(n).sum(axis=(1, 2)).max()
    assert answer.status == "optimal"


@pytest.mark.parametrize("form", ["xor", "integer"])
@pytest.mark.parametrize("n", [5, pytest.param(9, marks=pytest.mark.long)])
def test_the_best_window_is_found_and_proven(n, form):
    progress = []  # in lit panes
    answer = solve_abbott(n, form=form, on_progress=lambda *pair: progress.append(pair))
    assert (answer.value, answer.bound, answer.status) == (MAX_LIT[n], MAX_LIT[n], "optimal")
    assert answer.grid.sum() == MAX_LIT[n]
    assert not odd_lines_of(answer.grid)
    assert progress
    assert all(best <= MAX_LIT[n] <= bound for best, bound in progress)


def test_the_first_window_is_even():
    for n in range(1, 41):
        window = build_even_window(n)
        assert not odd_lines_of(window)
        assert abbott.count_odd_lines(window) == 0
        dark = n * n - window.sum()
        assert dark == abbott.min_dark_panes(n) if n % 2 == 0 else dark <= 3 * n
        if n in MAX_LIT:
            assert abbott.min_dark_panes(n) <= n * n - MAX_LIT[n] <= dark


def test_a_window_that_is_not_proven_says_so():
    deadline = la.Deadline(60)
    answer = solve_abbott(11, time_limit=deadline, on_progress=lambda *_: deadline.cancel())
    assert deadline.seconds_used() < 30  # a safety net: it does not go on to its limit
    assert not odd_lines_of(answer.grid)
    assert answer.status == "feasible"
    assert 121 - 3 * 11 <= answer.value < answer.bound <= 121 - 11
    assert answer.bound % 2 == 0
    assert str(answer.bound) in answer.message


def test_window_without_time_left_is_the_initial_one():
    answer = solve_abbott(9, time_limit=of_work(0))
    assert np.array_equal(answer.grid, build_even_window(9))
    # 81 panes, of which by counting 9 are dark.
    assert (answer.value < 72, answer.bound, answer.status) == (True, 72, "feasible")
    # One of an even side is the best without a search.
    answer = solve_abbott(40, time_limit=of_work(0))
    assert (answer.value, answer.status) == (40 * 40 - 76, "optimal")


@pytest.mark.parametrize(
    ("puzzle", "n", "set_places", "facts"),  # a window's odd lines are of 7, 5 and 3 panes
    [(solve_abbott, 7, [], "24"), (solve_queens, 5, range(0, 25, 6), "attack")],
)
def test_a_wrong_result_is_not_passed_on(monkeypatch, puzzle, n, set_places, facts):
    def solve(program, *_):
        values = np.isin(np.arange(len(program.outputs)), set_places)
        return scip.ProgramSolution(values=values, bound=0)

    monkeypatch.setattr(scip, "solve_program", solve)
    assert_refused(lambda: puzzle(n), facts, SolverError)


def test_the_windows_that_are_kept_are_even_and_best():
    assert list(load_best_windows()) == list(MAX_LIT)
    for n, rows in load_best_windows().items():
        window = np.array([[pane == "1" for pane in row] for row in rows])
        assert window.shape == (n, n)
        assert not odd_lines_of(window)
        assert window.sum() == MAX_LIT[n]


# SCIP itself: with its own way of presolving pairs of XOR it fails both of these tests.


def test_scip_solves_systems_of_xor_right():
    rng = np.random.default_rng(0)
    for _ in range(30):
        columns = int(rng.integers(3, 12))
        checks = rng.random((rng.integers(1, 9), columns)) < rng.choice([0.2, 0.35, 0.5])
        checks = checks[checks.any(axis=1)]
        start = rng.random(columns) < 0.5
        syndrome = (checks & start).sum(axis=1) % 2
        explanations = np.arange(1 << columns)[:, None] >> np.arange(columns) & 1
        solutions = explanations[(explanations @ checks.T % 2 == syndrome).all(axis=1)]
        program = scip.nearest_by_parity_program(checks, syndrome, start)
        answer = scip.solve_program(program, la.Deadline(10))
        assert ((checks & answer.values).sum(axis=1) % 2 == syndrome).all()
        assert answer.values.sum() == answer.bound == solutions.sum(axis=1).min()


def test_scip_proves_no_more_than_is_true():
    window = abbott.build_abbott_program(5, start=build_even_window(5), turns=2)
    answer = scip.solve_program(window, la.Deadline(10))
    _, classes = np.unique(np.minimum(np.arange(25), np.arange(25)[::-1]), return_inverse=True)
    dark = answer.values[classes].reshape(5, 5) == 1
    assert not odd_lines_of(~dark)
    assert dark.sum() == 9 == 25 - MAX_LIT[5]


@pytest.mark.parametrize("n", [1, 4, 6, pytest.param(24, marks=pytest.mark.long)])
def test_queens_do_not_attack_each_other(n):
    answer = solve_queens(n)
    assert answer.grid.shape == (n, n)
    assert answer.grid.sum() == n == answer.value == answer.bound
    assert answer.status == "optimal"
    for queen, second_queen in itertools.combinations(np.argwhere(answer.grid), 2):
        down, right = abs(queen - second_queen)
        assert 0 < down != right > 0


def test_queens_without_solution_are_infeasible():
    assert solve_queens(2).status == "infeasible"
    answer = solve_queens(3)
    assert (answer.grid, answer.value, answer.status) == (None, None, "infeasible")
    assert answer.as_json()["reason"].startswith("3 queens cannot")
    assert answer.solution_text() == ""


def test_queens_need_time():
    deadline = la.Deadline(60)
    deadline.cancel()
    assert_refused(lambda: solve_queens(20, time_limit=deadline), "20 queens time", SolverError)


@pytest.mark.parametrize(
    ("rows", "columns"), [(1, 1), (1, 4), (3, 3), pytest.param(4, 4, marks=pytest.mark.long)]
)
def test_submarines_against_all_grids(rows, columns):
    cells = np.arange(1 << (rows * columns))[:, None] >> np.arange(rows * columns) & 1
    grids = cells.reshape(-1, rows, columns)
    sums = np.column_stack([grids.sum(axis=2), grids.sum(axis=1)])
    counts = Counter(map(tuple, sums.tolist()))
    for down in itertools.product(range(columns + 1), repeat=rows):
        for along in itertools.product(range(rows + 1), repeat=columns):
            if sum(down) != sum(along):
                continue
            count = counts[(*down, *along)]
            answer = solve_submarines(down, along)
            assert (answer.grid is not None) == (count > 0)
            assert answer.unique == (None if count == 0 else count == 1)
            for grid in [answer.grid, answer.second][:count]:
                assert (*grid.sum(axis=1), *grid.sum(axis=0)) == (*down, *along)
            assert count < 2 or (answer.grid != answer.second).any()


@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1), st.integers(1, 30), st.integers(1, 30))
def test_sums_of_a_grid_have_a_grid(seed, rows, columns):
    rng = np.random.default_rng(seed)
    grid = rng.random((rows, columns)) < rng.random()
    answer = solve_submarines(grid.sum(axis=1).tolist(), grid.sum(axis=0).tolist())
    assert np.array_equal(answer.grid.sum(axis=0), grid.sum(axis=0))
    assert np.array_equal(answer.grid.sum(axis=1), grid.sum(axis=1))
    if answer.unique:
        assert np.array_equal(answer.grid, grid)


# 3 x 4 is singular in Burkardt's document; by elimination it is not.
SIZES = [(1, 1), (2, 2), (3, 3), (3, 4), (2, 5), (5, 5), (5, 1)]


@pytest.mark.parametrize("kind", CLUE_KINDS)
@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_clues_against_elimination(rows, columns, kind):
    matrix = clue_matrix((rows, columns), kind)
    cells, full = rows * columns, rank_of(matrix, PRIME)
    rng = np.random.default_rng(rows * 10 + columns)
    patterns = CLUE_KINDS[kind][0](rows, columns)
    assert len(patterns) == cells - full
    assert not (matrix @ patterns.reshape(-1, cells).T).any()
    if len(patterns):
        assert rank_of(patterns.reshape(-1, cells), PRIME) == len(patterns)
    for _ in range(3):
        grid = rng.integers(-9, 10, (rows, columns))
        clues = (matrix @ grid.ravel()).reshape(rows, columns)
        answer = solve_ashes(clues, kind)
        assert answer.unique == (full == cells)
        assert np.array_equal(matrix @ answer.grid.ravel(), clues.ravel())
        if answer.unique:
            assert np.array_equal(answer.grid, grid)
        else:
            assert np.array_equal(matrix @ answer.second.ravel(), clues.ravel())
            assert not np.array_equal(answer.grid, answer.second)
        changed_clues = clues + rng.integers(0, 2, (rows, columns))
        solvable = rank_of(np.column_stack([matrix, changed_clues.ravel()]), PRIME) == full
        assert (solve_ashes(changed_clues, kind).grid is not None) == solvable


@pytest.mark.parametrize("kind", CLUE_KINDS)
@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (3, 3), (1, 7)])
def test_ashes_solvable_in_fractions_are_solvable_in_integers(rows, columns, kind):
    matrix, cells = clue_matrix((rows, columns), kind), rows * columns
    for p in (2, 3):
        clues = np.random.default_rng(p).integers(0, p, (3000, cells)) @ matrix.T
        for line in np.unique(clues[(clues % p == 0).all(axis=1)] // p, axis=0)[:100]:
            assert solve_ashes(line.reshape(rows, columns), kind).grid is not None


@pytest.mark.parametrize("kind", CLUE_KINDS)
@pytest.mark.parametrize(
    ("rows", "columns"), [(1, 100), (44, 44), pytest.param(100, 100, marks=pytest.mark.long)]
)
def test_large_grids_of_large_numbers(rows, columns, kind):
    grid = np.random.default_rng(0).integers(-(10**8), 10**8, (rows, columns))
    clues = clues_of(grid, kind)
    answer = solve_ashes(clues, kind)
    assert np.array_equal(clues_of(answer.grid, kind), clues)
    if answer.unique:
        assert np.array_equal(answer.grid, grid)


def test_the_pattern_that_sums_to_zero_is_told():
    message = solve_ashes(np.zeros((5, 4), int)).message
    assert "4 independent patterns" in message
    assert "1 -1 0 1 -1 down column 1" in message
    assert "1 -1 along row 1" in solve_ashes(np.zeros((3, 2), int)).message
    answer = solve_ashes(np.ones((3, 5), int) * [1, 1, 1, 1, 2])
    assert answer.status == "infeasible"
    assert re.search("1 -1 0 1 -1 along row 1, .* 0, .* -1\\.$", answer.message)
    assert answer.as_json()["pattern"][0] == [1, -1, 0, 1, -1]
    assert answer.solution_text().splitlines() == ["1 -1 0 1 -1", "0  0 0 0  0", "0  0 0 0  0"]


@pytest.mark.parametrize(
    ("text", "clues"),
    [
        ("1 2 3\n4 5 6\n", [[1, 2, 3], [4, 5, 6]]),
        ("1,-2,+3\r\n\r\n 4 , 5,\t6 \r\n", [[1, -2, 3], [4, 5, 6]]),
        ("\ufeff7", [[7]]),
        ("1,2,\n3,4,\n", [[1, 2], [3, 4]]),
    ],
)
def test_clues_are_read(tmp_path, text, clues):
    path = tmp_path / "clues.txt"
    path.write_bytes(text.encode())
    assert load_clues(path).tolist() == clues


def test_every_puzzle_answers_its_example(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "clues.txt").write_text("4 6 4\n5 9 7\n4 6 5\n")
    for name, (example, _) in PUZZLES.items():
        answer = la.solve_puzzle(name, example.split())
        report = json.loads(json.dumps(answer.as_json()))
        assert (report["puzzle"], report["status"]) == (name, "optimal")
        assert len(answer.solution_text().splitlines()) == len(report["grid"]) == len(answer.grid)


def test_the_command_shows_two_answers_where_there_are_several(run, tmp_path):
    status, out, _ = run("puzzle", "submarines", "2,1,1", "1,2,1")
    texts = re.findall("(?:[#.] [#.] [#.]\n){3}", f"{out}\n")
    grids = [np.array([row.split() for row in text.splitlines()]) == "#" for text in texts]
    assert (status, len(grids)) == (0, 2)
    for grid in grids:
        assert [grid.sum(axis=axis).tolist() for axis in (1, 0)] == [[2, 1, 1], [1, 2, 1]]
    assert (grids[0] != grids[1]).any()
    assert run("puzzle", "submarines", "2,1", "2,1")[1].count("#") == 3


def test_puzzle_arguments_choose_form_and_kind(tmp_path):
    (tmp_path / "slopes.txt").write_text("-1 -5 0\n5 -1 1\n")
    assert la.solve_puzzle("ashes", [str(tmp_path / "slopes.txt"), "slope"]).unique
    report = la.solve_puzzle("abbott", ["6", "integer"]).as_json()
    assert [row.count("0") for row in report.pop("grid")] == [0, 2, 2, 2, 2, 0]
    assert report == {"puzzle": "abbott", "value": 28, "bound": 28, "status": "optimal"}
    report = la.solve_puzzle("submarines", ["1,1", "1,1"]).as_json()
    assert not report["unique"]
    assert sorted([report["grid"], report["second"]]) == [["01", "10"], ["10", "01"]]


def solve_puzzle_picture(word):
    return PuzzleWord(word).solve(30)


def solve_line(line):
    name, *words = line.split(" ")
    return la.solve_puzzle(name, words)


@pytest.mark.parametrize(
    ("call", "argument", "facts"),
    [
        (solve_ashes, np.zeros((2, 101), int), "1 100"),
        (solve_ashes, np.zeros(3, int), "(3,)"),
        (solve_ashes, np.zeros((2, 2)), "whole numbers"),
        (solve_ashes, np.array([[MAX_NUMBER + 1]]), "1000000000"),
        (parse_clues, "1 2\n3 x", "line 2, column 3: 'x'"),
        (parse_clues, "1 2\n\n3", "line 3 1 2"),
        (parse_clues, "1,,2", "line 1, column 3: comma"),
        (parse_clues, "²", "line 1, column 1: '²'"),
        (parse_clues, f"{MAX_NUMBER + 1}", "line 1, column 1: 1000000001 1000000000"),
        (parse_clues, "9" * 5000, f"line 1, column 1: '{'9' * 20}...'"),
        (parse_clues, " \n", "no numbers"),
        (parse_clues, "1\n" * 101, "101 100"),
        (load_clues, "none.txt", "none.txt"),
        (load_clues, "/", "directory"),
        (load_clues, "/dev/zero", "/dev/zero 1000000"),
        (solve_line, "abbot 8", "'abbot' abbott?"),
        (solve_line, "abbott 101", "N 1 100 101"),
        *((solve_line, f"abbott {n}", f"100 '{n}'") for n in ("1_0", "\u0668")),
        (solve_line, "abbott 8 xr", "form xor, integer, 'xr'"),
        (solve_line, "submarines 1,2", "ROWS COLUMNS 2,1,1 1,2,1"),
        (solve_line, "submarines 1,2 1,1", "rows 3 columns 2"),
        (solve_line, "submarines 1, 1", "row 0 1000 ''"),
        (solve_line, f"submarines 0{',0' * 1000} 0", "row 1 1000 1001"),
        (solve_puzzle_picture, "puzzle:abot:8", "abot abbott?"),
        (solve_puzzle_picture, "puzzle:ashes:clues.txt", "ashes:clues.txt puzzle:abbott:"),
        (solve_puzzle_picture, "puzzle:queens:3", ":3' 3 queens"),
        (solve_puzzle_picture, "puzzle:submarines:3,0:2,1", "submarines:3,0:2,1 1 row 3"),
    ],
)
@pytest.mark.posix
def test_puzzle_bad_arguments_are_refused_in_one_line(call, argument, facts):
    assert_refused(lambda: call(argument), facts, (OptionError, InputError))


def test_a_puzzle_is_a_picture():
    assert solve_puzzle_picture("puzzle:abbott:24").sum() == 24 * 24 - 44
    assert solve_puzzle_picture("puzzle:queens:6").sum() == 6
    assert solve_puzzle_picture("puzzle:submarines:2,1:1,2").tolist() == [[1, 1], [0, 1]]
    assert solve_puzzle_picture("puzzle:abbott:5").dtype == bool
    picture = load_source_picture("puzzle:submarines:2,1:1,2", la.Settings(), 30)
    assert (picture.name, picture.light.tolist()) == ("submarines 2,1 1,2", [[1, 1], [0, 1]])


def test_a_window_becomes_a_picture(tmp_path):
    answer = solve_abbott(6)
    la.save_answer(answer, tmp_path / "window.png", cell=3, gap=0, lit="white", unlit="black")
    pixels = np.asarray(Image.open(tmp_path / "window.png").convert("L"))
    assert np.array_equal(pixels[1::3, 1::3] > 128, answer.grid)


def test_numbers_become_tones(tmp_path):
    grid = np.array([[0, 1, 2], [3, 4, 8]])
    answer = solve_ashes(clues_of(grid.repeat(2, axis=0)[:3]))
    look = {"cell": 40, "gap": 2, "unlit": "black", "lit": "white"}
    la.save_answer(answer, tmp_path / "ashes.png", **look)
    pixels = np.asarray(Image.open(tmp_path / "ashes.png"))
    assert pixels.shape == (3 * 42 + 2, 3 * 42 + 2, 3)
    tops = pixels[7::42, 22::42, 0]  # above the numbers
    assert np.array_equal(np.argsort(tops.ravel()), np.argsort(answer.grid.ravel()))
    assert {tops.min(), tops.max()} == {0, 255}
    la.save_answer(answer, tmp_path / "ashes.pdf")
    text = ask("pdftotext", tmp_path / "ashes.pdf", "-")
    assert sorted(map(int, text.split())) == sorted(answer.grid.ravel())
    assert_refused(lambda: la.save_answer(answer, tmp_path / "ashes.pdf", hatch=1), "hatch lit")


# In cells of 3 pixels nobody could read a number.
@pytest.mark.parametrize(
    ("numbers", "is_written"),
    [
        ([[0]], True),
        ([[-(10**9)] * 3] * 2, True),
        ([[0, -(10**9)]], True),
        ([[-(10**9)] * 90], False),
    ],
)
def test_numbers_of_any_size_are_drawn(tmp_path, numbers, is_written):
    grid = np.array(numbers)
    answer = PuzzleAnswer(puzzle="ashes", message="", grid=grid)
    files = [tmp_path / f"ashes.{suffix}" for suffix in ("png", "svg", "pdf")]
    la.save_answer(answer, files, shape="circle", width=300)
    pixels = np.asarray(Image.open(files[0]).convert("L"))
    assert (pixels > 150).any() == is_written  # Numbers on unlit cells have the colour of lit ones.
    # Each number in its own cell, as Poppler finds them; and what an XML parser finds.
    text = ask("pdftotext", "-bbox", files[2], "-").decode()
    side = float(re.search(r'page width="(\S+)"', text)[1]) / grid.shape[1]
    words = re.findall(r'xMin="(\S+)" yMin="(\S+)" xMax="(\S+)" yMax="(\S+)">(.*?)<', text)
    written = [(*(int(float(edge) / side) for edge in edges), word) for *edges, word in words]
    cells = [(*(j, i) * 2, str(grid[i, j])) for i, j in np.ndindex(grid.shape) if is_written]
    assert sorted(written) == sorted(cells)
    elements = ElementTree.parse(files[1]).iter()
    texts = [element.text for element in elements if element.tag.endswith("text")]
    assert texts == [word for *_, word in cells]


def test_files_that_cannot_be_written(tmp_path):
    old = tmp_path / "old.html"
    old.write_text("old")
    for answer, name, facts in [
        (solve_abbott(4), "window.gif", ".png .svg .pdf"),
        (solve_queens(4), "queens.html", ".png .svg .pdf"),
        (solve_queens(3), "queens.png", "3 queens"),
        (solve_abbott(2), "window.html", "4 x 12 2 x 2"),
        (solve_submarines([0] * 13, [0]), "a.html", "12 1x13"),
        (solve_ashes(np.array([[-1000]])), "a.html", "999"),
        (solve_abbott(4), "old.html", "old.html exists"),
    ]:
        save = partial(la.save_answer, answer, tmp_path / name, overwrite=False)
        assert_refused(save, facts)
    assert [path.read_text() for path in tmp_path.iterdir()] == ["old"]
