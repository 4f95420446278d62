"""Links to puzzles: what `pose` writes, pages open, and `solve` reads."""

import base64
import re
import zlib

import numpy as np
import pytest
from players import ASK, LAPTOP, PHONE, assert_everyone_can_use, click, said, shades, until

import lightsanim as la
from lightsanim.board.link import link_of, read_link
from lightsanim.games.files import pose_files, pose_series_files

RANDOM = la.Board(20, 20, levels=5)
POSED = la.pose(la.Board(5, 5), 9, seed=0)
LINK = POSED.link

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
    fragment("5x0", 1, []),
]


def puzzles(count, game, seed=0):
    """Puzzles of some game on boards of all sizes that links hold, each of as many clicks as it can
    be, or of fewer."""
    rng = np.random.default_rng(seed)
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
        assert read_link(f"https://example.org/play.html{link}")[0] == posed.board
    lit = np.full((20, 20), True)
    assert len("play.html" + link_of(la.Board(20, 20), lit)) < 100
    assert len("play.html" + link_of(RANDOM, 4 * lit.astype(np.uint8))) < 200
    assert link_of(la.Board(21, 2), lit[:2]) is None
    assert link_of(la.Board(20, 20, levels=7), 6 * lit.astype(np.uint8)) is None


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_page_link_and_pose_show_the_same_puzzle_and_the_same_fewest_clicks(show, tmp_path, game):
    compare(show(a_page(tmp_path, **game)), puzzles(6, game))


@pytest.mark.long
def test_five_hundred_links_are_the_puzzles_that_they_were_made_of(show, tmp_path):
    for share, game in zip([300, 40, 40, 40, 40, 40], GAMES, strict=True):
        compare(show(a_page(tmp_path, **game)), puzzles(share, game, seed=1))


def compare(page, posed_ones):
    for posed in posed_ones:
        board, start = read_link(posed.link)
        assert board == posed.board
        assert np.array_equal(start, posed.start)
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
