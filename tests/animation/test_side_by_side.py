"""`--beside`: two films side by side whose clicks are the same."""

import re

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter
from tools.fades import greys_of

import lightsanim as la
from lightsanim.errors import OptionError

SMALL = {"size": "11x7", "seed": 1, "time_limit": 1e-9}  # searched for one sweep


def make_twins(photographs, **options):
    return la.make(photographs, beside=list(map(str, photographs[::-1])), **{**SMALL, **options})


@pytest.mark.parametrize(
    "options",
    [{}, {"rgb": True, "cycle": True}, {"levels": 3, "boomerang": True}, {"wrap": True}],
    ids=str,
)
def test_every_frame_clicks_both_halves_alike(photographs, tmp_path, options):
    film = make_twins(photographs, **options)
    assert film.board.shape == (7, 22)
    for number in range(1, len(film)):
        presses = film.presses_between(number - 1, number)
        assert np.array_equal(presses[..., :11], presses[..., 11:])
    assert len(np.unique(film.clicks_done)) > 10
    film.save(tmp_path / "out.gif", cell=4)
    proof = la.verify(tmp_path / "out.gif")
    assert proof.legal
    assert "Each click was made on both halves of the board." in proof.notes


def test_the_report_states_the_errors_of_all_pictures(photographs):
    names = list(map(str, photographs))
    film, report = la.make_with_report(names, beside=names[::-1], **SMALL)
    board = la.Board(7, 11)
    greys = 0.12 + 0.76 * greys_of([*photographs, *photographs[::-1]], board)[:, 0]
    shown = np.concatenate(np.split(np.array([film.first, film.last]), 2, axis=2))
    blurred = gaussian_filter(shown - greys, (0, 1.3, 1.3), mode="reflect", radius=(0, 6, 6))
    [note] = [note for note in report.notes if "errors" in note]
    stated = np.array(re.findall(r"\d\.\d+", note), float)
    assert stated == pytest.approx(np.sqrt((blurred**2).mean((1, 2))), abs=6e-4)


def test_three_pictures_have_three_beside_them(photographs):
    pictures = [*photographs, photographs[0]]
    film = la.make(pictures, beside=["sample:cat", "sample:eye", "sample:sun"], **SMALL)
    for number in range(1, len(film)):
        presses = film.presses_between(number - 1, number)
        assert np.array_equal(presses[..., :11], presses[..., 11:])


def test_a_film_with_other_clicks_on_a_half_is_told(photographs, tmp_path):
    film = make_twins(photographs)
    other = la.Animation(
        board=film.board, first=film.first, clicks=film.clicks[:3], clicks_done=np.arange(4),
        fps=10, pictures=film.pictures, origin=film.origin,
    )  # fmt: skip
    other.save(tmp_path / "out.gif", cell=4)
    [note] = [note for note in la.verify(tmp_path / "out.gif").notes if "halves" in note]
    assert note == "Frame 1 clicked the two halves of the board differently."


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"beside": ["sample:cat"]}, "a picture for each of the 2, not 1"),
        ({"size": "10x8"}, "20x8, the size of both halves, has"),
        ({"order": "legal"}, "order legal excludes beside"),
        ({"transition": "dissolve"}, "needs transition wipe, not dissolve"),
        ({"spot": True, "levels": 5}, "spot and beside exclude each other"),
        ({"clicks_picture": "sample:cat"}, "beside and clicks_picture exclude each other"),
        ({"beside": 7}, "beside must be a list of paths, not 7"),
        ({"beside": "it's.png"}, "beside must be a list of paths"),
    ],
    ids=str,
)
def test_what_cannot_be_beside_is_refused(photographs, options, message):
    with pytest.raises(OptionError, match=message):
        la.make(photographs, **{"beside": ["sample:cat", "sample:eye"], **options})
