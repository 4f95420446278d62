"""`--clicks-picture` and `--beside`: clicks draw a picture, or make two films at once."""

import numpy as np
import pytest
from tools.fades import blurred_errors, greys_of, stated_errors

import lightsanim as la

# Searched for one sweep, and in an order that takes no time.
SMALL = {"size": "11x7", "seed": 1, "time_limit": 1e-9, "order": "random"}
THIRD = SMALL | {"size": "10x8"}


def test_each_click_is_a_cell_of_the_third_picture(photographs):
    film, report = la.make_with_report(photographs, clicks_picture=str(photographs[0]), **THIRD)
    clicks = film.presses_between(0, len(film) - 1) > 0
    assert np.array_equal(np.sort(film.clicks), np.flatnonzero(clicks))
    assert np.array_equal(film.board.add(film.first, film.board.toggles(clicks)), film.last)
    assert np.array_equal(film.targets, [film.first, film.last])
    assert [picture.wrong for picture in report.pictures] == [0, 0]
    # The report states the blurred errors of both pictures and of the clicks.
    greys = greys_of([*photographs, photographs[0]], film.board)[:, 0]
    shown = [film.first, film.last, clicks] - (0.12 + 0.76 * greys)
    shown[2] = clicks - (0.18 + 0.62 * greys[2])
    assert stated_errors(report) == pytest.approx(blurred_errors(shown), abs=6e-4)


@pytest.mark.parametrize(
    "options", [{"rgb": True, "ending": "cycle"}, {"levels": 3, "ending": "boomerang"}], ids=str
)
def test_films_that_return_undo_or_repeat_the_clicks(photographs, options):
    film = la.make(photographs, clicks_picture=str(photographs[0]), **THIRD, **options)
    assert np.array_equal(film.first, film.last)
    assert any(np.array_equal(frame, film.targets[1]) for frame in film.configurations())
    assert not film.presses_between(0, len(film) - 1).any()


def test_the_third_picture_takes_none_of_the_total_time(photographs):
    film = la.make(photographs, clicks_picture=str(photographs[0]), total=9, **THIRD)
    assert film.durations().sum() == pytest.approx(9)
    assert len(film) == 1 + len(film.clicks)  # five seconds show more than 100 frames


@pytest.mark.long
@pytest.mark.parametrize("levels", [2, 5])
def test_all_three_pictures_look_right(levels):
    # Floyd-Steinberg dithering of a single picture has an error of 0.023.
    options = {"size": 60, "levels": levels, "seed": 1, "time_limit": 600}
    names = ["sample:face", "sample:skull"]
    _, report = la.make_with_report(names, clicks_picture="sample:cat", **options)
    assert len(stated_errors(report)) == 3
    assert max(stated_errors(report)) <= 0.04


def make_twins(pictures, **options):
    return la.make(pictures, beside=list(map(str, pictures[::-1])), **{**SMALL, **options})


@pytest.mark.parametrize(
    ("pictures", "options"),
    [
        (2, {}),
        (2, {"rgb": True, "ending": "cycle"}),
        (2, {"levels": 3, "ending": "boomerang"}),
        (3, {"wrap": True}),
    ],
    ids=str,
)
def test_every_frame_clicks_both_halves_alike(photographs, tmp_path, pictures, options):
    film = make_twins([*photographs, "sample:eye"][:pictures], **options)
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
    assert stated_errors(report) == pytest.approx(blurred_errors(shown - greys), abs=6e-4)


def test_a_film_with_other_clicks_on_a_half_is_told(photographs, tmp_path):
    film = make_twins(photographs)
    other = la.Animation(
        board=film.board, first=film.first, history=la.Clicks(film.clicks[:3]), fps=10,
        clicks_done=np.arange(4), pictures=film.pictures, origin=film.origin,
    )  # fmt: skip
    other.save(tmp_path / "out.gif", cell=4)
    [note] = [note for note in la.verify(tmp_path / "out.gif").notes if "halves" in note]
    assert note == "Frame 1 clicked the two halves of the board differently."
