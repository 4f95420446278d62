"""`--clicks-picture`: the clicks from one picture to another draw a third."""

import re

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter
from tools.fades import greys_of

import lightsanim as la
from lightsanim.errors import OptionError

SMALL = {"size": "10x8", "seed": 1, "time_limit": 1e-9}  # searched for one sweep


def test_each_click_is_a_cell_of_the_third_picture(photographs):
    film, report = la.make_with_report(photographs, clicks_picture=str(photographs[0]), **SMALL)
    clicks = film.presses_between(0, len(film) - 1) > 0
    assert np.array_equal(np.sort(film.clicks), np.flatnonzero(clicks))
    assert np.array_equal(film.board.add(film.first, film.board.toggles(clicks)), film.last)
    assert np.array_equal(film.targets, [film.first, film.last])
    assert [picture.wrong for picture in report.pictures] == [0, 0]
    # The report states the blurred errors of both pictures and of the clicks.
    greys = greys_of([*photographs, photographs[0]], film.board)[:, 0]
    shown = [film.first, film.last, clicks] - (0.12 + 0.76 * greys)
    shown[2] = clicks - (0.18 + 0.62 * greys[2])
    blurred = gaussian_filter(shown, (0, 1.3, 1.3), mode="reflect", radius=(0, 6, 6))
    [note] = [note for note in report.notes if "errors" in note]
    stated = re.findall(r"\d\.\d+", note)
    assert np.array(stated, float) == pytest.approx(np.sqrt((blurred**2).mean((1, 2))), abs=6e-4)


@pytest.mark.parametrize(
    "options", [{"rgb": True, "cycle": True}, {"levels": 3, "boomerang": True}], ids=str
)
def test_films_that_return_undo_or_repeat_the_clicks(photographs, options):
    film = la.make(photographs, clicks_picture=str(photographs[0]), **SMALL, **options)
    assert np.array_equal(film.first, film.last)
    assert any(np.array_equal(frame, film.targets[1]) for frame in film.configurations())
    assert not film.presses_between(0, len(film) - 1).any()


def test_the_third_picture_takes_none_of_the_total_time(photographs):
    film = la.make(photographs, clicks_picture=str(photographs[0]), total=9, **SMALL)
    assert film.durations().sum() == pytest.approx(9)
    assert len(film) == 1 + len(film.clicks)  # five seconds show more than 100 frames


@pytest.mark.long
@pytest.mark.parametrize("levels", [2, 5])
def test_all_three_pictures_look_right(levels):
    # Floyd-Steinberg dithering of a single picture has an error of 0.023.
    names = ["sample:face", "sample:skull"]
    _, report = la.make_with_report(
        names, clicks_picture="sample:cat", size=60, levels=levels, seed=1, time_limit=600
    )
    errors = [float(error) for error in re.findall(r"\d\.\d+", " ".join(report.notes))]
    assert len(errors) == 3
    assert max(errors) <= 0.04


@pytest.mark.parametrize(
    ("pictures", "options", "message"),
    [
        (3, {}, "exactly 2 pictures, not 3"),
        (2, {"size": "64x64"}, "64x64 has 28"),
        (2, {"order": "legal"}, "order legal excludes clicks_picture"),
        (2, {"transition": "sketch"}, "needs transition wipe, not sketch"),
        (2, {"spot": True, "levels": 5}, "spot and clicks_picture exclude each other"),
    ],
)
def test_what_cannot_draw_is_refused(photographs, pictures, options, message):
    with pytest.raises(OptionError, match=message):
        la.make([*photographs, photographs[0]][:pictures], clicks_picture="sample:cat", **options)
