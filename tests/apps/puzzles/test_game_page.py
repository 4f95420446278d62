"""Pages of puzzles in a real browser: a series is played, stars are kept, the solution steps."""

import io
import re

import numpy as np
import pytest
from fuzz.mutation import film_in, with_film
from PIL import Image
from tools import players
from tools.players import ASK, LAPTOP, click, remaining, said, shades

import lightsanim as la
from lightsanim.game.levels import pack_levels

NO_BEST = "\N{EN DASH}"


def a_series(path, counts=(1, 2, 3), **board):
    """Puzzles, and the page of them."""
    board = la.Board(**({"rows": 3, "columns": 3} | board))
    outputs = la.Outputs(output=[path / "play.html"])
    puzzles, _ = la.pose_series_files(board, counts, la.GameOptions(seed=4), outputs=outputs)
    return puzzles, (path / "play.html").read_text()


def an_opened(show, path, *args, scale=1, **board):
    puzzles, text = a_series(path, *args, **board)
    page = show(text, viewport=LAPTOP, scale=scale)
    page.evaluate("localStorage.clear()")
    page.reload()
    return puzzles, page


def number(page, name):
    return page.locator(f"#{name}").text_content()


def stars(page):
    levels = page.locator("#levels .stars")
    return [levels.nth(n).get_attribute("aria-label") for n in range(levels.count())]


def solve(page, posed, *extra_cells):
    for cell in [*extra_cells, *np.flatnonzero(posed.clicks)]:
        click(page, posed, cell)


@pytest.mark.long
def test_a_series_is_played_to_its_end_and_its_stars_are_kept(show, tmp_path):
    puzzles, page = an_opened(show, tmp_path)
    assert page.locator("h1").text_content() == "Turn everything off"
    assert page.get_by_text("Turn everything off").count() == 1
    assert not page.locator("#goal").is_visible()
    for at, (posed, extra_cells) in enumerate(
        zip(puzzles, [[], [4, 4, 4, 4], [0, 0]], strict=True)
    ):
        assert np.array_equal(shades(page), posed.start.ravel())
        assert (number(page, "fewest"), number(page, "best")) == (str(posed.count), NO_BEST)
        assert number(page, "differing") == str(posed.start.sum())
        assert number(page, "which") == f"Puzzle {at + 1} of 3"
        assert page.get_by_role("button", name="Next puzzle").is_hidden()
        solve(page, posed, *extra_cells)
        assert not shades(page).any()
        praise = f"; {posed.count} would do" if extra_cells else ", the fewest possible"
        assert said(page).startswith(f"Solved in {len(extra_cells) + posed.count} click")
        assert f"{praise}. Well done." in said(page)
        if at < 2:
            page.get_by_role("button", name="Next puzzle").click()
    assert said(page).endswith("All 3 puzzles are solved.")
    page.reload()
    assert stars(page) == ["3 stars", "1 star", "2 stars"]  # 6 for 2 are many, 5 for 3 are not
    assert (number(page, "total"), number(page, "best")) == ("6 of 9 stars", "5")
    for keys, extra_cells, won in (
        ("ph", [], "2 stars"),
        ("r", [], "3 stars"),
        ("r", [4, 4], "3 stars"),
    ):
        for key in keys:  # the first with a hint; at last, what was better stays
            page.keyboard.press(key)
        solve(page, puzzles[1], *extra_cells)
        assert (stars(page)[1], number(page, "best")) == (won, "2")
    page.keyboard.press("p")
    assert number(page, "which") == "Puzzle 1 of 3"
    page.locator("#levels button").nth(2).click()
    assert np.array_equal(shades(page), puzzles[2].start.ravel())


def test_solution_is_stepped_through_and_wins_no_stars(show, tmp_path):
    (posed,), page = an_opened(show, tmp_path, [3], rows=4, columns=5)
    page.get_by_role("button", name="Solution").click()
    cells = [cell for cell, _ in remaining(page)]
    assert cells == np.flatnonzero(posed.clicks).tolist()
    for done, cell in enumerate(cells):
        before = shades(page)
        page.get_by_role("button", name="Next step").click()
        row, column = divmod(cell, 5)
        flipped = posed.board.neighbourhood(row, column).ravel()
        assert np.array_equal(shades(page) != before, flipped)
        if done < 2:
            to_go = f"{2 - done} click{'s' if done < 1 else ''} to go."
            assert said(page) == f"Clicked row {row + 1}, column {column + 1}; {to_go}"
            assert page.evaluate(f"{ASK}.look()")["hint"] == cell
        if done == 1:
            page.get_by_role("button", name="Step back").click()
            assert np.array_equal(shades(page), before)
            page.keyboard.press("s")
    assert not shades(page).any()
    assert (said(page), number(page, "best")) == ("All off, after 3 clicks.", NO_BEST)
    page.get_by_role("button", name="Done").click()
    page.get_by_role("button", name="Restart").click()
    solve(page, posed)
    assert number(page, "best") == "3"


@pytest.mark.long
def test_the_solution_plays_slowly_and_can_be_paused(show, tmp_path):
    _, page = an_opened(show, tmp_path, [5], rows=5, columns=5, scale=1.5)  # a page of its own
    players.stop_clock(page)
    page.get_by_role("button", name="Solution").click()
    page.get_by_role("button", name="Play", exact=True).click()
    page.clock.run_for(1000)
    clicks_made = page.evaluate(f"{ASK}.made()")
    assert 1 <= clicks_made <= 3
    page.get_by_role("button", name="Pause").click()
    page.clock.run_for(5000)
    assert page.evaluate(f"{ASK}.made()") == clicks_made
    page.get_by_role("button", name="Play", exact=True).click()
    page.clock.run_for(5000)
    assert page.evaluate(f"{ASK}.made()") == 5
    assert not shades(page).any()


@pytest.mark.long
def test_page_without_local_storage_is_playable(show, tmp_path):
    puzzles, text = a_series(tmp_path)
    page = show(
        '<iframe sandbox="allow-scripts" width="900" height="700"></iframe>'
        "<script>onmessage = (e) => (document.querySelector('iframe').srcdoc = e.data)</script>"
    )
    page.evaluate("html => postMessage(html, '*')", text)
    page.frame_locator("iframe").locator("#levels button").first.wait_for()
    frame = page.frames[1]
    for key in ["h", "Enter", "n"]:
        frame.locator("#board").press(key)
    assert number(frame, "total") == "2 of 9 stars"
    assert np.array_equal(shades(frame), puzzles[1].start.ravel())


def test_hints_lead_from_wherever_one_is_by_the_fewest_clicks(show, tmp_path):
    (posed,), page = an_opened(show, tmp_path, [9], rows=5, columns=5)
    pressed, rng = np.zeros((5, 5), bool), np.random.default_rng(0)
    for cell in rng.integers(0, 25, 3):
        click(page, posed, cell)
        pressed.flat[cell] ^= True
        left = la.fewest_clicks(posed.board, pressed ^ posed.clicks).count
        assert len(remaining(page)) == left
    for _ in range(left):
        page.keyboard.press("h")
        page.keyboard.press("Enter")
    assert not shades(page).any()


def test_hints_chase_lights_when_fewest_clicks_are_unknown(show):
    board = la.Board(9, 9, rule="ring")  # with 9 quiet patterns
    clicks = np.random.default_rng(0).permutation(81)[:6]
    animation = la.animate(board, np.zeros((9, 9), bool), [la.Clicks(clicks)], la.Timing())
    page, goal = show(animation, viewport=LAPTOP), pack_levels(animation.last).ravel()
    page.keyboard.press("g")
    lowest = 0
    while (shades(page) != goal).any():
        page.keyboard.press("h")
        row, column = map(int, re.findall(r"\d+", said(page)))
        assert row >= lowest
        if row > 1:  # the cell above is wrong, and the first that is
            assert said(page).endswith("The cell above it is wrong.")
            assert np.flatnonzero(shades(page) != goal)[0] == (row - 2) * 9 + column - 1
        lowest = row
        page.keyboard.press("Enter")
    assert said(page).startswith("Solved in 6 clicks.")


def test_page_prints_all_starts_without_buttons(show, tmp_path):
    puzzles, page = an_opened(show, tmp_path, [2, 5], levels=3, rows=4, columns=3)
    page.emulate_media(media="print")
    assert (
        not page.get_by_role("button").or_(page.locator("canvas")).locator("visible=true").count()
    )
    assert page.locator("h1").is_visible()
    assert page.get_by_text("The darkest cells are off.").is_visible()
    assert page.locator("#sheet figcaption").all_text_contents() == ["1. 2 clicks", "2. 5 clicks"]
    with Image.open(io.BytesIO(page.locator("#sheet").screenshot())) as image:
        pixels = np.asarray(image.convert("L"))
    greys, sheet = [], page.locator("#sheet").bounding_box()
    for drawing in page.locator("#sheet svg").all():
        labels = drawing.locator("text")
        assert labels.all_text_contents() == [*"123", *"1234"]
        # The pixel below the number of its column, and beside that of its row.
        boxes = [label.bounding_box() for label in labels.all()]
        x = [int(box["x"] + box["width"] / 2 - sheet["x"]) for box in boxes[:3]]
        y = [int(box["y"] + box["height"] / 2 - sheet["y"]) for box in boxes[3:]]
        greys.append(pixels[np.ix_(y, x)])
    levels = np.unique(greys, return_inverse=True)[1].reshape(2, 4, 3)
    assert np.array_equal(levels, [posed.start for posed in puzzles])
    page.emulate_media(media="screen")


@pytest.mark.long
def test_everyone_can_use_it(show, tmp_path):
    _, page = an_opened(show, tmp_path, [1, 7, 12], rows=5, columns=5)
    for keys in ("h", ["n", "s", "ArrowRight"], "?"):
        for key in keys:
            page.keyboard.press(key)
        players.assert_everyone_can_use(page)


def test_each_puzzle_of_a_page_is_proven_to_be_turned_off(tmp_path):
    a_series(tmp_path, levels=3)
    path = tmp_path / "play.html"
    verdict = la.verify(path)
    assert verdict.legal
    assert " 3 puzzles" in verdict.notes[0]
    page = path.read_bytes()
    film = film_in(page)
    first, second = film["series"]
    true_series = [[first], [second, first]]  # that are puzzles, too
    lies = [[first, {**second, "clicks": first["clicks"]}], [first, film], [], {}, 1, None, [None]]
    lies += [[first, "x"], [first, {}], [first, {**second, "rows": 4}]]
    for series in (*true_series, *lies):
        path.write_bytes(with_film(page, film | {"series": series}))
        try:
            verdict = la.verify(path)
        except la.LightsAnimError:
            assert series not in true_series
            continue
        assert verdict.legal == (series in true_series), series
        if series == lies[0]:
            assert "puzzle 3" in verdict.reason
    path.write_bytes(with_film(page, film | {"first": first["first"]}))
    assert "puzzle 1" in la.verify(path).reason
    path.write_bytes(page.replace(b"Turn everything off</h1>", b"Turn it off</h1>"))
    assert not la.verify(path).legal


def test_pose_series_prints_boards_separated_by_empty_lines(run, tmp_path):
    words = ["pose", "4x3", "--clicks", "2..4", "--seed", "1"]
    status, out, err = run(*words, "--count", "3", "-o", "play.html")
    boards = [la.read_board(text) for text in out.split("\n\n")]
    counts = [la.fewest_clicks(la.Board(3, 4), la.Board(3, 4).clicks_between(b, b & False)).count
              for b in boards]  # fmt: skip
    assert (status, counts) == (0, [2, 3, 4])
    assert "3 puzzles" in err.splitlines()[0]
    assert "2 to 4 clicks" in err.splitlines()[0]
    assert (tmp_path / "play.html").exists()
    status, out, err = run(*words, "--count", "1", "-o", "middle.gif")
    assert (status, out.count("\n")) == (0, 3)
    assert "; 3 clicks turn all lights off (proven" in err
    assert (tmp_path / "middle.gif").exists()
