"""Films of version 1.0.0 with each option that later went.

They were made from samples by commands such as ``make sun.png moon.png --size 12x12 --seed 1``.
"""

import json
import shlex
from pathlib import Path

import numpy as np
import pytest
from tools.refusals import assert_refused

import lightsanim as la

FILMS = Path(__file__).parents[1] / "goldens" / "version_1"
SAMPLES = Path(__file__).parents[2] / "samples"
# What `verify --targets` of 1.0.0 printed: the wrong cells of each picture, and its frame.
VERDICTS = {
    "boomerang.json": ([0, 0], [0, 10]),
    "cycle.json": ([0, 0, 0], [0, 10, 20]),
    "dissolve.json": ([0, 0], [0, 10]),
    "middle.gif": ([1, 2], [0, 10]),
    "own.json": ([0, 0], [0, 10]),
    "serpentine.json": ([0, 0], [0, 10]),
    "sketch.json": ([17, 13], [0, 4]),
    "straight.json": ([0, 0], [0, 10]),
}
# Options that `verify --command` must print, beside the pictures.
COMMANDS = {
    "boomerang.json": "--dither bayer --ending boomerang",
    "cycle.json": "--order sweep --ending cycle --focus 50%,50%,1",
    "dissolve.json": "--transition dissolve",
    "middle.gif": "--levels 3 --colours #000000,#ff0000,#ffffff",
    "serpentine.json": "--dither atkinson",
    "sketch.json": "--transition sketch@frames=4@no-settle",
}


def pictures_of(name):
    names = ["sun", "moon", "cat"][: len(VERDICTS[name][0])]
    return [SAMPLES / f"{sample}.png" for sample in names]


@pytest.mark.parametrize("name", VERDICTS)
def test_film_of_version_1_agrees_with_its_targets(name):
    proof = la.verify(FILMS / name, targets=pictures_of(name))
    assert (proof.legal, proof.wrong, proof.shown) == (True, *VERDICTS[name])


@pytest.mark.parametrize("name", COMMANDS)
def test_command_of_version_1_makes_the_same_targets(run, tmp_path, name):
    status, out, _ = run("verify", FILMS / name, "--command")
    assert status == 0
    _, _, *words = shlex.split(out.splitlines()[-1])
    assert set(shlex.split(COMMANDS[name], comments=False)) <= set(words)
    start = words.index("-o")
    again = tmp_path / "again.json"
    rest = words[start + 2 :]
    assert run("make", *pictures_of(name), "-o", again, *rest)[0] == 0
    film = la.load_animation(again)
    if name.endswith(".json"):
        before = la.load_animation(FILMS / name)
        assert film.board == before.board
        # Pictures of another shape than the board are cut before they are made smaller now.
        limit = 10 if film.board.rows != film.board.columns else 0
        assert np.count_nonzero(np.array(film.targets) != before.targets) <= limit


@pytest.mark.parametrize("name", ["straight.json", "own.json"])
def test_command_of_an_option_that_went_is_refused(run, name):
    status, out, err = run("verify", FILMS / name, "--command")
    assert (status, "lightsanim make" in out, name in err) == (2, False, True)


def test_film_of_version_1_is_drawn_again(run, tmp_path):
    run("render", FILMS / "boomerang.json", "-o", tmp_path / "a.gif@cell=4")
    assert la.verify(tmp_path / "a.gif").legal


def test_names_of_version_1_are_refused_together():
    options = {"boomerang": True, "sheet_frames": 3, "reader": "c"}
    facts = "boomerang ending sheet_frames reader library"
    assert_refused(lambda: la.make(["a.png", "b.png"], **options), facts)
    film = la.load_animation(FILMS / "cycle.json")
    assert_refused(
        lambda: film.to_bytes("gif", middle="red", exhibit=True), "middle colours exhibit"
    )
    assert_refused(lambda: la.Job(["a.png", "b.png"], "x.gif", cycle=True), "cycle ending")
    settings = json.loads((FILMS / "cycle.json").read_text())["origin"]["settings"]
    assert "serpentine" in settings
