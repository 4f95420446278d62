"""Puzzles with one answer: counted out, read back from paper, and played in headless Chromium."""

import json
import re
from dataclasses import replace
from functools import cache
from itertools import combinations, permutations

import numpy as np
import pytest
from PIL import Image
from tools.players import ASK, PHONE, WINDOW, assert_everyone_can_use, said
from tools.printed import boards_in_svg
from tools.program import ask
from tools.textbook import PRIME, clue_matrix, clues_of, even_windows, odd_lines_of, rank_of

import lightsanim as la
from lightsanim import Board
from lightsanim.apps.puzzles.puzzle_files import (
    load_best_windows,
    render_abbott_page,
    render_clues_page,
)
from lightsanim.game.relatives.ashes import solve_ashes
from lightsanim.game.relatives.well_posed import pose_unique_puzzles


def posed(puzzle, size, count=1, difficulty=None, seed=1):
    columns, rows = map(int, size.split("x"))
    rng = np.random.default_rng(seed)
    return pose_unique_puzzles(puzzle, Board(rows, columns), count, difficulty, rng)


def page_of(puzzles, title=""):
    return render_clues_page(puzzles[0].puzzle, title, [puzzle.as_json() for puzzle in puzzles])


# Counting answers, by what a player is told alone


def given_of(puzzle):
    """The given cells' values, by row and column."""
    positions = map(tuple, np.argwhere(puzzle.is_given).tolist())
    return {position: int(puzzle.answer[position]) for position in positions}


def count_submarines(rows, columns, hints):
    """All grids with these sums and cells, row by row."""

    @cache
    def below(row, left):
        if row == len(rows):
            return int(not any(left))
        return sum(
            below(row + 1, tuple(n - (column in chosen_columns) for column, n in enumerate(left)))
            for chosen_columns in combinations(range(len(columns)), rows[row])
            if all(left[column] for column in chosen_columns)
            if all((c in chosen_columns) == hint for (r, c), hint in hints.items() if r == row)
        )

    return below(0, tuple(columns))


def has_one_answer(puzzle, hints):
    """Do the sums and these cells leave one answer?"""
    shape, clues = puzzle.answer.shape, puzzle.clues
    if puzzle.puzzle == "submarines":
        return count_submarines(clues["rows"], clues["columns"], hints) == 1
    # By elimination: there is no other, not of negative numbers or of fractions, either.
    cells = np.eye(puzzle.answer.size)[[row * shape[1] + column for row, column in hints]]
    return rank_of(np.vstack([clue_matrix(shape), cells]), PRIME) == puzzle.answer.size


KINDS = [("submarines", size) for size in ("2x3", "4x4", "5x5", "7x6")]
KINDS += [("ashes", size) for size in ("3x3", "4x4", "5x4")]


@pytest.mark.parametrize("count", [6, pytest.param(200, marks=pytest.mark.long)])
@pytest.mark.parametrize(("kind", "size"), KINDS)
def test_sums_have_one_answer_and_no_spare_hints(kind, size, count):
    for puzzle in posed(kind, size, count):
        rows, columns = (puzzle.answer.sum(axis=axis) for axis in (1, 0))
        sums = {"rows": rows, "columns": columns, "sums": clues_of(puzzle.answer)}
        for name, numbers in puzzle.clues.items():
            assert numbers == sums[name].tolist()
        assert has_one_answer(puzzle, given_of(puzzle))
    spare = [posed(kind, size, 3)[-1]] if kind == "submarines" else []
    for puzzle in [*posed(kind, size, count // 6, "hard"), *spare]:
        hints = given_of(puzzle)
        for position in hints:
            other_hints = {hint: value for hint, value in hints.items() if hint != position}
            assert not has_one_answer(puzzle, other_hints)


def test_queens_have_one_answer():
    boards = [
        {(row, column) for row, column in enumerate(columns)}
        for columns in permutations(range(6))
        if all(abs(columns[i] - columns[j]) != j - i for i, j in combinations(range(6), 2))
    ]
    assert len(boards) == 4  # OEIS A000170
    for puzzle in posed("queens", "6x6", 6, "hard") + posed("queens", "6x6", 6):
        queens, hints = (
            set(map(tuple, np.argwhere(b).tolist())) for b in (puzzle.answer, puzzle.is_given)
        )
        assert [board for board in boards if board >= hints] == [queens]


def test_windows_have_one_answer_and_are_found_line_by_line():
    even, puzzles = even_windows(4), posed("abbott", "4x4", 12)
    assert len({puzzle.answer.tobytes() for puzzle in puzzles}) == len(even)  # any is drawn
    for puzzle in puzzles:
        fitting = (even == puzzle.answer)[:, puzzle.is_given].all(axis=1)
        assert np.array_equal(even[fitting], [puzzle.answer])


# On paper


def test_a_sheet_of_ashes_is_read_back_and_its_key_has_the_sums(run, tmp_path):
    words = "--puzzle ashes --size 4x3 --count 5 --seed 3 --json"
    status, out, _ = run("worksheet", "-o", "a.pdf", *words.split())
    report = json.loads(out)
    assert (status, len(report["puzzles"])) == (0, 5)
    sheet, key = ask("pdftotext", "-raw", tmp_path / "a.pdf", "-").decode().split("\f")[:2]
    # Digits that stand alone, after the words above the boards: numbers of rows and columns, sums,
    # numbers.
    assert "mine" not in sheet
    texts = [
        re.split(r"(?:also at a corner|Some are written already|another answer)\.", page)[-1]
        for page in (sheet, key)
    ]
    numbers = [
        list(map(int, re.findall(r"\d+", re.sub(r"given: .*|seed.*", "", page)))) for page in texts
    ]
    for i, puzzle in enumerate(report["puzzles"]):
        hint_count = len(puzzle["given"])
        printed, key_numbers = numbers[0][: 20 + hint_count], numbers[1][:32]
        numbers = [numbers[0][20 + hint_count :], numbers[1][32:]]
        assert printed[:8] == key_numbers[:8] == [i + 1, 1, 2, 3, 4, 1, 2, 3]
        assert printed[8:20] == key_numbers[8:20] == np.ravel(puzzle["sums"]).tolist()
        answer = np.array(key_numbers[20:]).reshape(3, 4)
        assert printed[20:] == [answer[tuple(position)] for position in puzzle["given"]]
        assert clues_of(answer).ravel().tolist() == key_numbers[8:20]


# As the rules on paper say: hatched panes are closed, hatched cells are water.
@pytest.mark.parametrize(
    ("puzzle", "size"), [("abbott", "6x6"), ("queens", "6x6"), ("submarines", "5x4")]
)
def test_paper_shows_what_is_given_and_the_key_the_answer(tmp_path, puzzle, size):
    persian = "\u0646\u0627\u0645\u200c\u0647\u0627"  # names; its joiner is kept
    options = {"title": "At sea", "language": {"sheet": {"given": "dane: {n}", "name": persian}}}
    sheet = la.worksheet(puzzle=puzzle, size=size, count=1, seed=1, **options)
    answer, is_given = sheet.puzzles[0].answer, sheet.puzzles[0].is_given
    rows, columns = answer.shape
    sums = [*answer.sum(axis=0), *answer.sum(axis=1)]
    labels = [*range(1, columns + 1), *range(1, rows + 1)]
    files = sheet.save(tmp_path / "a.svg")
    words = ("At sea", persian, f">dane: {is_given.sum()}<")
    assert all(word in files[0].read_text() for word in words)
    for file, is_shown in zip(files, (is_given, answer | True), strict=True):
        (board,) = boards_in_svg(file)
        numbers = [number for *_, number in board.labels]
        assert numbers == (sums if puzzle == "submarines" else labels)
        hatched, marked = {
            "abbott": (is_shown & ~answer, is_given & answer),
            "queens": (np.indices((6, 6)).sum(axis=0) % 2 > 0, is_shown & answer),
            "submarines": (is_given & ~answer, is_shown & answer),
        }[puzzle]
        for mark, cells in enumerate((hatched, marked)):
            marks = [(*position, 1) for *position, m in board.marks if m == mark]
            assert np.array_equal(replace(board, marks=marks).cells(rows, columns), cells)


def test_the_easiest_comes_first_and_a_difficulty_is_kept():
    for puzzle in ("abbott", "queens", "submarines", "ashes"):
        series = la.worksheet(puzzle=puzzle, size=6, count=4, seed=2).puzzles
        hint_counts = [int(sheet.is_given.sum()) for sheet in series]
        assert hint_counts == sorted(hint_counts, reverse=True)
        easy, medium, hard = (
            la.worksheet(puzzle=puzzle, size=6, count=1, seed=2, difficulty=name).puzzles[0]
            for name in ("easy", "medium", "hard")
        )
        assert easy.count > medium.count > hard.count
        # One puzzle, of which the same cells can be blank; medium gives half as many of them.
        assert easy.as_json()["answer"] == hard.as_json()["answer"]
        assert abs(easy.count + hard.count - 2 * medium.count) < 2


# Played


def cell(page, row, column):
    return page.locator("#window button").nth((row - 1) * page.evaluate(COLUMNS) + column - 1)


COLUMNS = "Number(getComputedStyle(document.querySelector('#frame')).getPropertyValue('--columns'))"


def values(page):
    return page.evaluate(f"{ASK}.values()")


def test_submarines_are_played_to_the_end(show):
    puzzle, second_puzzle = posed("submarines", "4x3", 2)
    page = show(page_of([puzzle, second_puzzle], "At sea"))
    start = np.where(puzzle.is_given, puzzle.answer.astype(int), None).ravel().tolist()
    assert values(page) == start
    assert page.get_by_role("heading", name="At sea").is_visible()
    free = [position for position in np.ndindex(3, 4) if not puzzle.is_given[position]]
    wrong = next(position for position in free if not puzzle.answer[position])
    hint = tuple(np.argwhere(puzzle.is_given)[0])
    cell(page, *np.add(hint, 1)).click(force=True)
    assert values(page) == start
    assert said(page) == f"The cell in row {hint[0] + 1}, column {hint[1] + 1} is given."
    for row, column in [wrong, *zip(*np.nonzero(puzzle.answer & ~puzzle.is_given), strict=True)]:
        cell(page, row + 1, column + 1).click()
    assert f"row {wrong[0] + 1}" in said(page)
    assert said(page).startswith("Not right: ")
    page.keyboard.press("h")  # what is wrong comes before what is blank
    assert said(page) == "Every sum is right."
    page.keyboard.press("u")
    cell(page, *np.add(wrong, 1)).click()  # water
    assert said(page) == "Every sum is right. Well done."
    page.keyboard.press("u")
    assert said(page).startswith("Not right: ")
    page.keyboard.press("n")
    for _ in range(12):
        page.keyboard.press("h")
    assert values(page) == second_puzzle.answer.astype(int).ravel().tolist()
    assert said(page) == "Every sum is right."
    page.get_by_role("combobox", name="Puzzle").select_option("1")
    assert said(page).startswith("Not right: ")  # it is left as it was
    page.get_by_role("button", name="Show answer").click()
    assert values(page) == puzzle.answer.astype(int).ravel().tolist()
    assert said(page) == "Every sum is right."


def test_a_line_is_wrong_when_it_can_no_longer_be_right(show):
    page = show(render_clues_page("submarines", "", [{"given": [], "answer": ["11", "01"]}]))
    cell(page, 1, 1).click()
    assert page.locator("#status").text_content() == ""
    cell(page, 1, 1).click()  # water
    assert said(page) == "Not right: row 1."
    cell(page, 2, 1).dblclick()
    assert said(page) == "Not right: row 1; column 1."


@pytest.mark.parametrize("kind", ["sum", "slope"])
def test_ashes_are_written_with_keys_and_with_fingers(show, kind, tmp_path):
    # Slopes by hand: of 7 and -3 side by side, of which each sees the other.
    clues = [[-3, -7]] if kind == "slope" else [[4, 4]]
    answer = solve_ashes(np.array(clues), kind)
    expected = {"slope": (True, [[7, -3]]), "sum": (False, [[0, 4]])}
    assert (answer.unique, answer.grid.tolist()) == expected[kind]
    la.save_answer(answer, tmp_path / "a.html")
    page = show((tmp_path / "a.html").read_text(), viewport=PHONE, touch=True)
    claim = "It may have several answers" if kind == "sum" else "It has one answer"
    assert page.get_by_text(claim).is_visible()
    cell(page, 1, 1).tap()
    page.keyboard.press("4")
    assert page.locator("#met").text_content() == "0 of 2"  # as long as a cell is blank
    page.get_by_role("button", name="7", exact=True).tap()
    cell(page, 1, 2).tap()
    for key in ("1", "3", "-"):
        page.keyboard.press(key)
    assert values(page) == [7, -3]
    assert said(page) == "Every sum is right. Well done."
    page.keyboard.press("Backspace")
    assert values(page) == [7, None]
    page.keyboard.press("5")
    odd_cells = "row 1, column 1; row 1, column 2" if kind == "sum" else "row 1, column 1"
    assert said(page) == f"Not right: {odd_cells}."


@pytest.fixture
def window(show):
    """A page with a window of 8 x 8 panes."""
    return show(render_abbott_page(8))


def lit(page):
    panes = np.array(page.evaluate(f"{ASK}.lit()"))
    side = int(len(panes) ** 0.5)
    return panes.reshape(side, side)


def odd(page):
    return {(kind, *panes) for kind, *panes in page.evaluate(f"{ASK}.odd()")}


def numbers(page):
    return {name: int(page.locator(f"#{name}").text_content()) for name in ("lit", "most", "odd")}


def test_window_click_closes_a_pane_and_changes_its_lines(window):
    assert lit(window).all()
    assert numbers(window) == {"lit": 64, "most": 52, "odd": 12}
    assert said(window) == "Odd: 12 diagonals."
    assert window.get_by_role("button", name="Undo").is_disabled()
    before = odd(window)
    assert before == odd_lines_of(lit(window))
    third = window.get_by_role("button", name="light in row 3, column 5", exact=True)
    third.click()
    assert np.argwhere(~lit(window)).tolist() == [[2, 4]]
    assert third.get_attribute("aria-pressed") == "false"
    changed = before ^ odd(window)
    assert len(changed) == 4
    assert all(2 * 8 + 4 in line for line in changed)
    assert odd(window) == odd_lines_of(lit(window))
    assert numbers(window)["odd"] == len(odd(window))
    third.click()
    assert odd(window) == before


@pytest.mark.long
def test_window_every_size_counts_lines_and_shows_the_best(window):
    window.keyboard.press("b")
    for n, best in load_best_windows().items():
        window.get_by_role("combobox", name="Panes").select_option(str(n))
        if n == 8:  # each size is left as it was
            assert not lit(window).all()
            window.get_by_role("button", name="Undo").click()
        assert lit(window).all()
        cell(window, n, 1).click()
        cell(window, 2, n - 1).click()
        assert odd(window) == odd_lines_of(lit(window))
        assert window.evaluate("document.documentElement.scrollWidth") <= WINDOW["width"]
        window.get_by_role("button", name="Show best").click()
        assert lit(window).tolist() == [[pane == "1" for pane in row] for row in best]
        assert odd(window) == set()
        counts = numbers(window)
        assert counts["lit"] == counts["most"]
        assert said(window) == "Every line is even, and no window lets in more light."


def test_window_praises_only_a_best_solution_found_unaided(show):
    page = show(render_abbott_page(4))
    for position in [(2, 2), (2, 3), (3, 2), (3, 3)]:
        cell(page, *position).click()
    assert said(page).endswith("Well done.")
    page.get_by_role("button", name="Restart").click()
    page.keyboard.press("b")
    assert not said(page).endswith("Well done.")
    page.get_by_role("button", name="Restart").click()
    assert lit(page).all()
    page.evaluate("document.querySelectorAll('#window button').forEach((pane) => pane.click())")
    assert numbers(page) == {"lit": 0, "most": 12, "odd": 0}
    assert said(page) == "Every line is even; but 12 panes can be lit."
    assert not page.locator("#window").get_attribute("class")


def test_window_is_played_with_the_keyboard(window):
    window.keyboard.press("Tab")
    assert cell(window, 1, 1).evaluate("pane => pane === document.activeElement")
    for key in ["ArrowDown", "ArrowDown", "ArrowRight", "ArrowLeft", "ArrowLeft", "ArrowRight"]:
        window.keyboard.press(key)
    assert window.evaluate(f"[{ASK}.cursor(), {ASK}.pointed()]") == [17, 17]
    window.keyboard.press("Enter")
    window.keyboard.press("ArrowRight")
    window.keyboard.press("Space")
    assert np.argwhere(~lit(window)).tolist() == [[2, 1], [2, 2]]
    window.keyboard.press("Tab")  # one stop for the whole window
    assert window.evaluate("document.activeElement.id") == "choice"
    window.locator("#restart").focus()
    window.keyboard.press("+")
    assert lit(window).shape == (9, 9)
    window.keyboard.press("-")
    window.keyboard.press("?")
    assert window.get_by_role("dialog", name="Help").is_visible()
    window.keyboard.press("b")
    assert (~lit(window)).sum() == 2
    window.keyboard.press("Escape")
    for key, left in (("Control+z", [[2, 1]]), ("u", [])):
        window.keyboard.press(key)
        assert np.argwhere(~lit(window)).tolist() == left
    assert window.get_by_role("button", name="Undo").is_disabled()


PAGES = {
    "Submarines": lambda: page_of(posed("submarines", "12x12", 2)),
    "Ashes": lambda: page_of(posed("ashes", "12x12", 2)),
    "The Abbott cannot abide": lambda: render_abbott_page(12),
}


@pytest.mark.long
@pytest.mark.parametrize("name", PAGES)
def test_everyone_can_use_the_pages(show, name):
    page = show(PAGES[name](), viewport=PHONE, touch=True)
    if name == "The Abbott cannot abide":
        cell(page, 12, 7).tap()
        assert np.argwhere(~lit(page)).tolist() == [[11, 6]]
        box = cell(page, 12, 7).bounding_box()
        assert min(box["width"], box["height"]) > 20
    assert_everyone_can_use(page)


SHEETS = [{"prefer_css_page_size": True}]
SHEETS += [pytest.param({"format": "Letter", "landscape": True}, marks=pytest.mark.long)]


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("sheet", SHEETS)
def test_pages_are_small_and_print_on_one_sheet_without_buttons(show, tmp_path, name, sheet):
    content = PAGES[name]()
    assert len(content.encode()) < (27_000 if name == "Ashes" else 26_000)
    assert "http" not in content.replace("http-equiv", "")
    page = show(content)
    page.emulate_media(color_scheme="dark")
    page.pdf(path=tmp_path / "a.pdf", **sheet)
    assert "Pages:           1\n" in ask("pdfinfo", tmp_path / "a.pdf").decode()
    text = ask("pdftotext", tmp_path / "a.pdf", "-").decode()
    assert name in text
    assert [word for word in ("Undo", "Restart", "Show best", "Help") if word in text] == []
    ask("pdftoppm", "-r", "25.4", "-gray", "-singlefile", "a.pdf", "a", cwd=tmp_path)
    with Image.open(tmp_path / "a.pgm") as image:
        assert np.array(image)[:, :10].min() > 250  # of a sheet that is white, too
