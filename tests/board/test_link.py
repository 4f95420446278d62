"""Links to puzzles: what `pose` writes, pages open, and `solve` reads."""

import base64
import re
import zlib

import numpy as np
import pytest
from tools.players import ASK, LAPTOP, PHONE, assert_everyone_can_use, click, said, shades, until

import lightsanim as la
from lightsanim.board.link import make_link, parse_link
from lightsanim.games.solve_and_pose import pose_files, pose_series_files

RANDOM = la.Board(20, 20, levels=5)
POSED = la.pose(la.Board(5, 5), 9, seed=0)
LINK = POSED.link
FIVE = "5 \N{MULTIPLICATION SIGN} 5"

GAMES = [
    {},
    {"levels": 3},
    {"rule": "king", "wrap": True},
    {"rule": "cross", "levels": 5},
    {"rule": "cross", "wrap": True},
    {"rule": "110/011/000", "wrap": True, "levels": 3},
]


def fragment(size, version, cells):
    """A link, by what the head of lightsanim/board/link.py says."""
    content = bytes([version]) + bytes(cells)
    content += zlib.crc32(f"{size}-".encode() + content).to_bytes(4, "big")
    return f"#{size}-{base64.urlsafe_b64encode(content).decode().rstrip('=')}"


LATER = fragment("5x5", 2, [0, 0, 0, 9])

# A whole link, but no puzzle.
NONE = [
    fragment("5x5", 1, [255, 255, 255, 255]),  # more than 25 cells hold
    fragment("05x5", 1, [0, 0, 0, 9]),
    fragment("5x5", 1, [0, 0, 0, 0, 9]),
    fragment("21x5", 1, [9] * 14),
    fragment("99999x99999", 1, [9]),
    fragment("5x5", 1, [0] * 200),
    fragment("5x0", 1, []),
]


def puzzles(count, game):
    """Puzzles of some game on boards of all sizes that links hold, of some number of clicks."""
    rng = np.random.default_rng(0)
    while count:
        board = la.Board(*map(int, rng.integers(2, 21, 2)), **game)
        if board.levels**board.nullity > 2**16:
            continue
        presses = rng.integers(0, board.levels, board.shape).astype(board.reference.dtype)
        most = la.fewest_clicks(board, presses).count
        if most:
            yield la.pose(board, int(rng.integers(1, most + 1)), rng)
            count -= 1


def a_page(path, **game):
    board = la.Board(**({"rows": 5, "columns": 5} | game))
    pose_files(board, 5, la.Settings(seed=1), outputs=la.Outputs(output=[path / "play.html"]))
    return (path / "play.html").read_text()


def follow(page, link):
    """Open a link in the page that is open."""
    page.evaluate("link => (location.hash = link)", link)
    page.evaluate("() => new Promise((done) => setTimeout(done))")  # the page hears of it later


def number(page, name):
    return int(page.locator(f"#{name}").text_content())


def test_a_link_is_what_its_description_says_and_short():
    for posed in puzzles(30, {}):
        rows, columns = posed.board.shape
        bits = np.concatenate([np.zeros(-posed.board.cells % 8, bool), posed.start.ravel()])
        link = fragment(f"{columns}x{rows}", 1, np.packbits(bits))
        assert posed.link == link
        assert np.array_equal(parse_link(f"https://example.org/play.html{link}"), posed.start)
    lit = np.full((20, 20), True)
    assert len("play.html" + make_link(la.Board(20, 20), lit)) < 100
    assert len("play.html" + make_link(RANDOM, 4 * lit.astype(np.uint8))) < 200
    assert make_link(la.Board(21, 2), lit[:2]) is None
    assert make_link(la.Board(20, 20, levels=7), 6 * lit.astype(np.uint8)) is None


@pytest.mark.parametrize("count", [6, pytest.param(80, marks=pytest.mark.long)])
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_link_page_and_pose_agree_on_puzzle_and_clicks(show, tmp_path, game, count):
    page = show(a_page(tmp_path, **game))
    for posed in puzzles(count, game):
        board, start = posed.board, posed.start
        assert np.array_equal(parse_link(posed.link, **game), start)
        assert len(f"play.html{posed.link}") < 200
        follow(page, posed.link)
        assert np.array_equal(shades(page), posed.start.ravel()), posed
        assert number(page, "fewest") == posed.count, posed
        pressed = np.zeros(board.cells, np.uint8)
        for cell, _ in page.evaluate(f"{ASK}.remaining()"):
            pressed[cell] += 1
        assert pressed.sum() == posed.count
        raised = board.toggles(pressed.reshape(board.shape).astype(start.dtype))
        assert not board.add(start, raised).any()


def test_bad_link_is_refused_and_the_page_stays_playable(show, tmp_path, refused):
    page = show(a_page(tmp_path))
    own = shades(page)
    edited = [LINK[:place] + "Q" + LINK[place + 1 :] for place in range(1, len(LINK) - 1)]
    cut = [LINK[:place] for place in range(2, len(LINK))]
    told = dict.fromkeys([*cut, *edited, *NONE, "#5x5-%41Q", "#x"], "was cut or edited")
    told[LATER] = "is of a later version than this page"
    for link in set(told) - {LINK, "#x"}:
        with pytest.raises(la.LightsAnimError):
            la.load_game(f"play.html{link}")
    king = la.Board(5, 5, rule="king", wrap=True)
    told[la.pose(king, 3, seed=0).link] = "another game (king, wrap)"
    corner, dark = np.arange(25).reshape(5, 5) == 0, np.zeros((5, 5), bool)
    told[make_link(la.Board(5, 5), corner)] = "No clicks turn the puzzle of this link off"
    told[make_link(la.Board(5, 5), dark)] = "is solved already"
    for link in told.keys() - {LINK}:
        follow(page, link)
        assert told[link] in said(page), link
    assert np.array_equal(shades(page), own)
    page.keyboard.press("Enter")  # it can be played
    assert (shades(page) != own).any()
    follow(page, LINK)
    assert np.array_equal(shades(page), POSED.start.ravel())
    refused(["solve", LINK[:-2]], 2, f"the link {LINK[:-2]} was cut or edited; ask for the whole")
    refused(["solve", f"play.html{LATER}"], 2, f"the link {LATER} is of a later version; update")
    refused(["solve", NONE[1]], 2, f"the link {NONE[1]} was cut or edited; ask for")


def test_link_to_a_board_of_high_nullity_is_refused(show, tmp_path):
    page = show(a_page(tmp_path, rule="ring", rows=4, columns=5))
    board = la.Board(18, 18, rule="ring")  # with 18 quiet patterns
    follow(page, make_link(board, board.toggles(np.eye(18, dtype=bool))))
    assert said(page).endswith(" have too many quiet patterns to count clicks here.")
    assert "18x18" not in page.locator("#size option").evaluate_all(
        "all => all.map((o) => o.value)"
    )


def test_page_opened_with_a_bad_link_shows_its_own_puzzle(show, tmp_path):
    page = show(a_page(tmp_path))
    own = shades(page)
    follow(page, f"{LINK[:-1]}")
    page.reload()
    assert said(page) == "The link to a puzzle was cut or edited. Ask for the whole link."
    assert np.array_equal(shades(page), own)
    follow(page, LINK)
    page.reload()
    assert np.array_equal(shades(page), POSED.start.ravel())
    assert page.locator("#which").text_content() == "Puzzle 2 of 2"


@pytest.mark.parametrize("game", GAMES[:3], ids=str)
def test_new_puzzle_needs_requested_clicks_and_is_in_the_url(show, tmp_path, game):
    page = show(a_page(tmp_path, **game), viewport=LAPTOP)
    made = set()
    for size, clicks in [("4x4", 3), ("5x5", 8), ("13x13", 21), ("5x5", 8)]:
        page.get_by_label("Size").select_option(size)
        page.get_by_label("Clicks", exact=True).fill(str(clicks))
        page.get_by_role("button", name="New puzzle").click()
        start, board = parse_link(page.url, **game), la.Board(*map(int, size.split("x")), **game)
        assert np.array_equal(shades(page), start.ravel())
        fewest = la.fewest_clicks(board, board.clicks_between(start, np.zeros_like(start)))
        assert (fewest.count, fewest.status) == (clicks, la.Status.OPTIMAL)
        assert number(page, "fewest") == clicks
        made.add(page.url)
    assert len(made) == 4
    assert page.locator("#which").text_content() == "Puzzle 5 of 5"
    assert page.locator("#sheet figure").count() == 5  # on paper, too


def test_impossible_new_puzzle_is_refused_and_the_old_one_stays(show, tmp_path):
    page = show(a_page(tmp_path))
    before = shades(page)
    # 5x5: Jaap Scherphuis, https://www.jaapsch.net/puzzles/lights.htm
    for clicks, line in [
        ("16", f"No start of {FIVE} cells that needs 16 clicks was found; the most found is 15."),
        *((clicks, "Clicks must be a whole number, at least 1.") for clicks in ("0", "2.5", "")),
    ]:
        page.get_by_label("Clicks", exact=True).fill(clicks)
        page.keyboard.press("Enter")
        assert said(page) == line
        assert np.array_equal(shades(page), before)


def test_daily_puzzle_depends_on_the_date_alone(show, tmp_path):
    page = show(a_page(tmp_path), scale=1.25)  # a page of its own
    page.clock.install()
    found = []
    for day, clicks in (23, 5), (23, 5), (24, 6), (29, 11):
        page.clock.set_fixed_time(f"2026-11-{day}T12:00:00")
        page.reload()
        page.get_by_label("Size").select_option("9x9")  # that is for new ones
        page.get_by_role("button", name="Today").click()
        assert said(page) == f"Puzzle of 2026-11-{day}: {FIVE} cells, {clicks} clicks."
        assert number(page, "fewest") == clicks
        found.append(page.url)
    assert len(set(found)) == 3
    assert found[0] == found[1]


def test_linked_puzzle_of_other_size_is_solved_and_undone(show, tmp_path):
    page = show(a_page(tmp_path, rows=4, columns=9), viewport=LAPTOP)
    page.evaluate("localStorage.clear()")
    follow(page, LINK)
    undo, redo = (page.get_by_role("button", name=name) for name in ("Undo", "Redo"))
    one, two, *others = np.flatnonzero(POSED.clicks)
    states = [shades(page)]
    for cell in (one, two):
        click(page, POSED, cell)
        states.append(shades(page))
    assert redo.is_disabled()
    undo.click()
    page.keyboard.press("Control+z")
    assert np.array_equal(shades(page), states[0])
    redo.click()
    assert np.array_equal(shades(page), states[1])
    page.keyboard.press("y")
    assert np.array_equal(shades(page), states[2])
    assert redo.is_disabled()
    undo.click()
    click(page, POSED, 24)  # what was taken back is gone
    assert redo.is_disabled()
    undo.click()
    page.keyboard.press("Control+y")
    page.keyboard.press("Control+Shift+Z")
    assert page.evaluate(f"{ASK}.made()") == 2
    page.keyboard.press("r")
    assert redo.is_disabled()
    for cell in (one, two, *others):
        click(page, POSED, cell)
    assert said(page) == "Solved in 9 clicks, the fewest possible. Well done."
    assert page.locator("#levels .stars").nth(1).get_attribute("aria-label") == "3 stars"


def test_url_follows_the_current_puzzle_and_can_be_copied(show, tmp_path):
    outputs = la.Outputs(output=[tmp_path / "series.html"])
    series, _ = pose_series_files(la.Board(5, 6), [2, 4, 6], la.Settings(seed=3), outputs=outputs)
    page = show((tmp_path / "series.html").read_text())
    assert "#" not in page.url
    for posed in (*series[1:], series[0]):
        page.locator("#levels button").nth(series.index(posed)).click()
        assert page.url.endswith(posed.link)
        page.reload()
        assert np.array_equal(shades(page), posed.start.ravel())
    page.evaluate("delete Navigator.prototype.clipboard")  # as where a page may not write there
    page.get_by_role("button", name="Copy link").click()
    until(page, "document.getElementById('status').textContent === location.href")
    page.keyboard.press("n")
    assert page.url.endswith(series[1].link)


def test_pose_prints_the_link_and_solve_takes_it(run):
    words = ["pose", "5x5", "--clicks", "9", "--seed", "0"]
    status, board, err = run(*words, "-o", "start.txt", "-o", "my page.html")
    link = re.search(r"(?m)^link to 9 clicks: (my%20page\.html#5x5-[\w-]+)$", err)[1]
    assert (status, np.array_equal(parse_link(link), la.read_board(board))) == (0, True)
    assert f"link to 9 clicks: {LINK}\n" in run(*words)[2]
    assert f'"link": "{LINK}"' in run(*words, "--json")[1]
    by_link, by_text = run("solve", f"https://example.org/{link}"), run("solve", "start.txt")
    assert by_link[0] == 0
    assert by_link[1].partition("\n")[2] == by_text[1].partition("\n")[2] != ""
    status, _, err = run("pose", "3x3", "--clicks", "2..4", "--count", "2", "-o", "two.html")
    assert re.findall(r"(?m)^link to (\d) clicks: two\.html#3x3-[\w-]+$", err) == ["2", "4"]
    assert "link" not in run("pose", "21x5", "--clicks", "3")[2]


def test_the_link_to_another_game_says_which_options_it_takes(refused, run):
    link = la.pose(la.Board(4, 4, rule="king", levels=3), 4, seed=0).link
    line = f"the link {link} is to another game; give its --rule, --wrap and --levels"
    refused(["solve", link], 2, line)
    assert run("solve", link, "--rule", "king", "--levels", "3")[0] == 0


@pytest.mark.long
def test_everyone_can_use_it(show, tmp_path):
    page = show(a_page(tmp_path), viewport=PHONE)
    assert_everyone_can_use(page)
    page.get_by_label("Size").select_option("20x20")
    page.get_by_role("button", name="New puzzle").click()
    assert_everyone_can_use(page)
    follow(page, LATER)
    assert_everyone_can_use(page)
