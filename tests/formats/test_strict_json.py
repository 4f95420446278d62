"""All JSON that is written is JSON: no Infinity and no NaN, which browsers and most readers refuse.

RFC 8259, section 6: "Numeric values that cannot be represented in the grammar [...] (such as
Infinity and NaN) are not permitted."
"""

import re

import numpy as np
import pytest
from tools.written import strictly

import lightsanim as la
from lightsanim.formats.registry import open_frames
from lightsanim.options.records import options_from_record


def origin_in(path):
    """The origin that a file says, its JSON read by the letter."""
    if path.suffix == ".html":
        (film,) = re.findall(r'id="film">(.*?)</script>', path.read_text(), re.DOTALL)
        return strictly(film)["origin"]
    with open_frames(path) as file:
        (text,) = file.comments
        return strictly(text)["origin"]


@pytest.mark.parametrize("name", ["a.html", "a.gif"])
def test_infinite_time_limit_is_written_as_inf(run, ramps, name):
    words = ["-o", name, "--size", "4x3", "--time-limit", "inf", "--json", "-q"]
    status, out, _ = run("make", *ramps, *words)
    assert status == 0
    assert strictly(out)["outputs"] == [name]
    settings = origin_in(ramps[0].parent / name)["settings"]
    assert settings["time_limit"] == "inf"
    assert options_from_record(la.Settings, settings).time_limit == float("inf")


@pytest.mark.parametrize("suffix", [".html", ".gif"])
def test_numpy_numbers_are_written_as_json_numbers(tmp_path, suffix):
    board, two = la.Board(np.int64(4), np.int8(4)), np.float32(2)
    moves = [(np.array([0, 5]), None)]
    timing = la.Timing(fps=np.float32(25), loop=np.int64(2), hold_last=two, hold_first=np.int64(1))
    animation = la.animate(board, np.zeros((4, 4), bool), moves, timing, seed=np.int64(3))
    holds = ((np.int64(0), two), [np.int64(1), np.float16(0.5)])
    plain = {**vars(animation), "loop": np.int8(2), "seed": np.uint8(3)}
    by_hand = la.Animation(**{**plain, "fps": np.float32(25), "holds": holds})
    for film in (animation, by_hand):
        file = tmp_path / f"a{suffix}"
        film.save(file, cell=np.int64(4), gap=np.int8(1), lit=(np.uint8(99),) * 3)
        assert la.verify(file).legal
