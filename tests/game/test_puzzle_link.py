"""Links to puzzles: what `pose` writes, pages open, and `solve` reads."""

import base64
import re
import zlib
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from tools.players import ASK, PHONE, assert_everyone_can_use, click, said, shades, until

import lightsanim as la
from lightsanim.game.puzzle_link import make_link, parse_link

POSED = la.pose(la.Board(5, 5), 9, seed=0)
LINK = POSED.link

GAMES = [
    {},
    {"rule": "110/011/000", "wrap": True, "levels": 3},
    {"levels": 3},
    {"rule": "king", "wrap": True},
    {"rule": "cross", "levels": 5},
    {"rule": "cross", "wrap": True},
]


def fragment(size, version, cells):
    """A link, by what the head of lightsanim/game/puzzle_link.py says."""
    content = bytes([version]) + bytes(cells)
    content += zlib.crc32(f"{size}-".encode() + content).to_bytes(4, "big")
    return f"#{size}-{base64.urlsafe_b64encode(content).decode().rstrip('=')}"


LATER = fragment("5x5", 2, [0, 0, 0, 9])

# A whole link, but no puzzle.
INVALID = [
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
        fewest = la.fewest_clicks(board, presses).count
        if fewest:
            yield la.pose(board, int(rng.integers(1, fewest + 1)), rng)
            count -= 1


@cache
def page_of(rows=5, columns=5, **game):
    """The page of a puzzle of 5 clicks."""
    board = la.Board(rows, columns, **game)
    with TemporaryDirectory() as folder:
        path = Path(folder, "play.html")
        la.pose_files(board, 5, la.GameOptions(seed=1), outputs=la.Outputs(output=[path]))
        return path.read_text()


# Status, lights, clicks to do and their number after each link; pages hear of links a task later.
FOLLOW = """async (links) => {
  const answers = [], text = (id) => document.getElementById(id).textContent;
  for (const link of links) {
    const { configuration, remaining } = window.lightsanim;
    await new Promise((done) => {
      addEventListener("hashchange", done, { once: true });
      location.hash = link;
    });
    answers.push([text("status"), configuration(), remaining(), text("fewest")]);
  }
  return answers;
}"""


SET_DATE = """(date) => {
  window.SystemDate ??= Date;
  Date = class extends SystemDate { constructor() { super(date); } };
}"""


def follow(page, *links):
    return page.evaluate(FOLLOW, links)


def fewest_in(page):
    return int(page.locator("#fewest").text_content())


def test_a_link_is_what_its_description_says_and_short():
    for posed in puzzles(30, {}):
        rows, columns = posed.board.shape
        bits = np.concatenate([np.zeros(-posed.board.cells % 8, bool), posed.start.ravel()])
        link = fragment(f"{columns}x{rows}", 1, np.packbits(bits))
        assert posed.link == link
        assert np.array_equal(parse_link(f"https://example.org/play.html{link}"), posed.start)
    lit = np.full((20, 20), True)
    assert len("play.html" + make_link(la.Board(20, 20), lit)) < 100
    assert len("play.html" + make_link(la.Board(20, 20, levels=5), 4 * lit.astype(np.uint8))) < 200
    assert make_link(la.Board(21, 2), lit[:2]) is None
    assert make_link(la.Board(20, 20, levels=7), 6 * lit.astype(np.uint8)) is None


@pytest.mark.parametrize(
    ("game", "count"),
    [
        *((game, 6) for game in GAMES[:2]),
        *(pytest.param(game, 25, marks=pytest.mark.long) for game in GAMES),
    ],
    ids=str,
)
def test_link_page_and_pose_agree_on_puzzle_and_clicks(show, game, count):
    page, posed = show(page_of(**game)), list(puzzles(count, game))
    for puzzle, answer in zip(posed, follow(page, *(p.link for p in posed)), strict=True):
        board, start, (_, lights, clicks, fewest) = puzzle.board, puzzle.start, answer
        assert np.array_equal(parse_link(puzzle.link, **game), start)
        assert len(f"play.html{puzzle.link}") < 200
        assert lights == start.ravel().tolist(), puzzle
        assert int(fewest) == puzzle.count == len(clicks), puzzle
        presses = np.bincount([cell for cell, _ in clicks], minlength=board.cells)
        raised = board.toggles(presses.reshape(board.shape).astype(start.dtype))
        assert not board.add(start, raised).any()


def test_bad_link_is_refused_and_the_page_stays_playable(show, refused):
    page = show(page_of())
    own = shades(page)
    edited = [LINK[:index] + "Q" + LINK[index + 1 :] for index in range(1, len(LINK) - 1)]
    cut = [LINK[:index] for index in range(2, len(LINK))]
    messages = dict.fromkeys([*cut, *edited, *INVALID, "#5x5-%41Q", "#x"], "cut")
    messages[LATER] = "later version"
    for link in set(messages) - {LINK, "#x"}:
        with pytest.raises(la.LightsAnimError):
            la.load_game(f"play.html{link}")
    king = la.Board(5, 5, rule="king", wrap=True)
    messages[la.pose(king, 3, seed=0).link] = "king, wrap"
    corner, dark = np.arange(25).reshape(5, 5) == 0, np.zeros((5, 5), bool)
    messages[make_link(la.Board(5, 5), corner)] = "No clicks"
    messages[make_link(la.Board(5, 5), dark)] = "solved"
    links = sorted(messages.keys() - {LINK})
    for link, (message, lights, *_) in zip(links, follow(page, *links), strict=True):
        assert messages[link] in message, link
        assert lights == own.tolist()
    page.keyboard.press("Enter")  # it can be played
    assert (shades(page) != own).any()
    # Also when it is the address that opens the page.
    follow(page, LINK[:-1])
    page.reload()
    assert "cut" in said(page)
    assert np.array_equal(shades(page), own)
    follow(page, LINK)
    page.reload()
    assert np.array_equal(shades(page), POSED.start.ravel())
    assert page.locator("#which").text_content() == "Puzzle 2 of 2"
    for link, path, fact in (
        (LINK[:-2], "", "cut"),
        (INVALID[1], "", "cut"),
        (LATER, "a.html", "later"),
    ):
        refused(["solve", f"{path}{link}"], 2, f"{link} {fact}")


def test_link_to_a_board_of_high_nullity_is_refused(show):
    page = show(page_of(rule="ring", rows=4, columns=5))
    board = la.Board(18, 18, rule="ring")  # with 18 quiet patterns
    [answer] = follow(page, make_link(board, board.toggles(np.eye(18, dtype=bool))))
    assert "too many" in answer[0]
    sizes = page.locator("#size option").evaluate_all("all => all.map((o) => o.value)")
    assert "18x18" not in sizes


@pytest.mark.parametrize(
    "game", [{}, *(pytest.param(game, marks=pytest.mark.long) for game in GAMES[2:4])], ids=str
)
def test_new_puzzle_needs_requested_clicks_and_is_in_the_url(show, game):
    page, addresses = show(page_of(**game)), set()
    for size, clicks in [("4x4", 3), ("5x5", 8), ("13x13", 21), ("5x5", 8)]:
        page.get_by_label("Size").select_option(size)
        page.get_by_label("Difficulty in clicks").fill(str(clicks))
        page.get_by_role("button", name="New puzzle").click()
        start, board = parse_link(page.url, **game), la.Board(*map(int, size.split("x")), **game)
        assert np.array_equal(shades(page), start.ravel())
        fewest = la.fewest_clicks(board, board.clicks_between(start, np.zeros_like(start)))
        assert (fewest.count, fewest.status) == (clicks, la.Status.OPTIMAL)
        assert fewest_in(page) == clicks
        addresses.add(page.url)
    assert len(addresses) == 4
    assert page.locator("#which").text_content() == "Puzzle 5 of 5"
    assert page.locator("#sheet figure").count() == 5  # on paper, too
    # 5x5: Jaap Scherphuis, https://www.jaapsch.net/puzzles/lights.htm
    for clicks in ("0", "2.5", "") if game else ("16", "0", "2.5", ""):
        page.get_by_label("Difficulty in clicks").fill(clicks)
        page.keyboard.press("Enter")
        assert re.search("16.* 15" if clicks == "16" else "at least 1", said(page))
        assert np.array_equal(shades(page), start.ravel())


def test_daily_puzzle_depends_on_the_date_alone(show):
    page, addresses = show(page_of()), []
    for day, clicks in (23, 5), (24, 6), (29, 11), (23, 5):
        page.evaluate(SET_DATE, f"2026-11-{day}T12:00:00")
        page.get_by_label("Size").select_option("9x9")  # that is for new ones
        page.get_by_role("button", name="Today").click()
        assert re.search(f"2026-11-{day}.* {clicks} ", said(page))
        assert fewest_in(page) == clicks
        addresses.append(page.url)
    assert len(set(addresses)) == 3
    assert addresses[0] == addresses[3]


def test_linked_puzzle_of_other_size_is_solved_and_undone(show):
    page = show(page_of(rows=4, columns=9))
    page.evaluate("localStorage.clear()")
    follow(page, LINK)
    undo, redo = (page.get_by_role("button", name=name) for name in ("Undo", "Redo"))
    cells = np.flatnonzero(POSED.clicks)
    states = [shades(page)]
    for cell in cells[:2]:
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
    for cell in cells:
        click(page, POSED, cell)
    assert " 9 clicks" in said(page)
    assert page.locator("#levels .stars").nth(1).get_attribute("aria-label") == "3 stars"


def test_url_follows_the_current_puzzle_and_can_be_copied(show, tmp_path):
    outputs = la.Outputs(output=[tmp_path / "series.html"])
    board, settings = la.Board(5, 6), la.GameOptions(seed=3)
    series, _ = la.pose_series_files(board, [2, 4, 6], settings, outputs=outputs)
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
    link = re.search(r"(?m)^link .* 9 clicks: (my%20page\.html#5x5-[\w-]+)$", err)[1]
    assert (status, np.array_equal(parse_link(link), la.read_board(board))) == (0, True)
    assert f" 9 clicks: {LINK}\n" in run(*words)[2]
    assert f'"link": "{LINK}"' in run(*words, "--json")[1]
    by_link, by_text = run("solve", f"https://example.org/{link}"), run("solve", "start.txt")
    assert by_link[0] == 0
    assert by_link[1].partition("\n")[2] == by_text[1].partition("\n")[2] != ""
    status, _, err = run("pose", "3x3", "--clicks", "2..4", "--count", "2", "-o", "two.html")
    assert re.findall(r"(?m)^link .* (\d) clicks: two\.html#3x3-[\w-]+$", err) == ["2", "4"]
    assert "link" not in run("pose", "21x5", "--clicks", "3")[2]
    assert "link" not in run(*words, "-o", "start.txt")[2]  # no page to open it on


def test_the_link_to_another_game_says_which_options_it_takes(refused, run):
    link = la.pose(la.Board(4, 4, rule="king", levels=3), 4, seed=0).link
    refused(["solve", link], 2, f"{link} --rule --levels")
    assert run("solve", link, "--rule", "king", "--levels", "3")[0] == 0


@pytest.mark.long
def test_everyone_can_use_it(show):
    page = show(page_of(), viewport=PHONE)
    assert_everyone_can_use(page)
    page.get_by_label("Size").select_option("20x20")
    page.get_by_role("button", name="New puzzle").click()
    assert_everyone_can_use(page)
    follow(page, LATER)
    assert_everyone_can_use(page)
