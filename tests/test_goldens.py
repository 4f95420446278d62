"""A few tiny files, byte by byte: what nobody meant to change has not changed.

`pytest tests/test_goldens.py --rewrite-goldens` writes them again; look at the difference.
"""

from pathlib import Path

import numpy as np
import pytest

import lightsanim as la

GOLDENS = Path(__file__).parent / "goldens"


def tiny_animation():
    """Three clicks on 3 x 2 cells."""
    first = np.array([[True, False], [False, False], [True, True]])
    return la.Animation(
        board=la.Board(3, 2),
        first=first,
        clicks=np.array([0, 3, 4]),
        frames=np.arange(4),
        fps=10,
    )


@pytest.fixture
def check(tmp_path, request):
    """Compare what a function writes with the golden file of that name."""

    def check(name, write):
        write(tmp_path / name)
        if request.config.getoption("--rewrite-goldens"):
            GOLDENS.mkdir(exist_ok=True)
            (GOLDENS / name).write_bytes((tmp_path / name).read_bytes())
        assert (tmp_path / name).read_bytes() == (GOLDENS / name).read_bytes()

    return check


@pytest.mark.parametrize("name", ["film.gif", "page.html"])
def test_an_animation_is_written_as_it_was(check, name):
    check(name, lambda path: tiny_animation().save(path, cell=3, gap=1))


def test_a_still_is_drawn_as_it_was(check):
    first = tiny_animation().first
    check("still.svg", lambda path: la.save_still(first, path, cell=3, shape="circle"))


def test_a_difference_is_noticed(check, request):
    if request.config.getoption("--rewrite-goldens"):
        pytest.skip("it would be written")
    other = ~tiny_animation().first
    with pytest.raises(AssertionError):
        check("still.svg", lambda path: la.save_still(other, path, cell=3, shape="circle"))
