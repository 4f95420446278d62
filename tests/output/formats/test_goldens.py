"""A few small files are written as they were, byte by byte.

`pytest --rewrite-goldens` writes them anew: a change of a format shows in their difference.
"""

import re
from pathlib import Path

import numpy as np
import pytest

import lightsanim as la

GOLDENS = Path(__file__).parents[2] / "goldens"


def an_animation():
    """Eight clicks on a board of 8 x 6, of one and two clicks a frame; nothing is drawn by lot."""
    board = la.Board(6, 8)
    first = np.add.outer(np.arange(6), np.arange(8)) % 3 == 0
    cells = np.array([0, 9, 18, 27, 36, 45, 7, 40], np.int32)
    timing = la.Timing(fps=10, clicks_per_frame=2, hold_first=0.3, hold_last=0.5, loop=2)
    return la.animate(board, first, [la.Clicks(cells)], timing, pictures=("steps", "rain"))


LOOK = {"gap": 1, "palette": "paper", "mark": "tomato"}


@pytest.mark.parametrize(("name", "own"), [("small.gif", {"cell": 5}), ("small.json", {})])
def test_an_animation_is_written_as_before(tmp_path, golden, name, own):
    an_animation().save(tmp_path / name, **LOOK, **own)
    golden(tmp_path / name)


def test_data_of_a_page_are_written_as_before(tmp_path, golden):
    # Pages have the same scripts, styles and controls; what these do is tested in Chromium.
    board, moves = la.Board(5, 7, rule="king"), [la.Clicks(np.array([3]))] * 2
    other = la.animate(board, board.reference, moves, la.Timing(), pictures=["a", "b", "c"])
    films = other, an_animation()
    foreign, lines = (film.to_bytes("html", cell=5, **LOOK).decode().split("\n") for film in films)
    data = "\n".join(line for line in lines if line not in set(foreign))
    # Each member of the film is on a line of its own.
    (tmp_path / "page.txt").write_text(re.sub(r',(?="\w+":)', ",\n", data) + "\n")
    golden(tmp_path / "page.txt")


def test_a_still_is_written_as_before(tmp_path, golden):
    animation = an_animation()
    marks = animation.first ^ animation.last
    la.save_still(animation.first, tmp_path / "small.svg", marks=marks, cell=10, shape="rounded")
    golden(tmp_path / "small.svg")


@pytest.mark.parametrize("suffix", ["json", "gif", "webp", "apng", "mp4"])
def test_files_of_1_0_0_are_read_and_verified(suffix):
    # `make sun.png moon.png --size 8x8 --levels 3 --rgb --duration 0.4 --seed 1 --width 80` of it.
    film = la.load_animation(GOLDENS / "1.0.0.json")
    verdict = la.verify(GOLDENS / f"1.0.0.{suffix}")
    assert (verdict.legal, verdict.clicks) == (True, film.count)
    assert (verdict.levels, verdict.boards, film.origin.settings["seed"]) == (3, 3, 1)
