"""What `make` does when nobody says more: a film that one wants to show."""

import numpy as np
import pytest

import lightsanim as la


@pytest.mark.parametrize(
    ("shape", "levels"),
    [((300, 450), 2), ((300, 450), 3), ((100, 80), 3), ((90, 160), 5), ((70, 70), 2), ((9, 40), 3)],
)
def test_the_usual_board_is_perfect_and_has_ten_thousand_cells(shape, levels):
    height, width = shape
    ramp = np.linspace(0, 1, height * width).reshape(shape)
    film, report = la.make_with_report([ramp, ramp[::-1]], levels=levels, clicks_per_frame=999)
    board = film.board
    assert board.nullity == 0
    assert board.cells == pytest.approx(10_000, rel=0.1)
    assert board.columns / board.rows == pytest.approx(width / height, rel=0.06)
    assert film.origin.settings["size"] == f"{board.columns}x{board.rows}"
    assert not any(picture.wrong for picture in report.pictures)


@pytest.mark.parametrize(
    "options",
    [
        {"size": 60},
        {"transition": "sketch", "time_limit": 1e-9},
        {"rule": "110/111/010"},  # takes elimination
    ],
)
def test_other_boards_have_sixty_columns(options):
    ramp = np.linspace(0, 1, 30 * 45).reshape(30, 45)
    assert la.make([ramp, ramp[::-1]], clicks_per_frame=999, **options).board.shape == (40, 60)


def test_a_canvas_gives_the_board_its_shape(run, ramps):
    assert run("make", *ramps, "-o", "story.json", "--canvas", "story")[0] == 0
    board = la.load_animation("story.json").board
    assert 15 * board.columns == 1080
    assert 15 * board.rows == 1920


def test_auto_order_contour_for_photos_radial_for_drawings(photographs):
    drawings = ["sample:cat", "sample:butterfly"]
    for pictures, order in ((photographs, "contour"), (drawings, "radial")):
        film = la.make(pictures, size="40x40", seed=1)
        assert film.origin.settings["order"] == order
        expected = la.make(pictures, size="40x40", seed=1, order=order)
        assert film.clicks.tolist() == expected.clicks.tolist()


def test_a_picture_of_one_colour_is_named():
    flat = np.full((30, 40, 3), [200, 30, 30], np.uint8)
    ramp = np.linspace(0, 1, 1200).reshape(30, 40)
    _, report = la.make_with_report([flat, ramp], size="8x6")
    assert "colour" in report.notes[0]
    assert len(la.make([flat[:1, :1], ramp], size="8x6").clicks)
