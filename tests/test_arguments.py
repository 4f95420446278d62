"""Wrong arguments of the Python interface: a line that names them, and what would be right."""

import pickle

import numpy as np
import pytest

import lightsanim as la

BOARD, ON, RNG = la.Board(4, 4), np.ones((4, 4), bool), np.random.default_rng(0)
FADE = np.linspace(0, 1, 12).reshape(3, 4)


def a_film():
    return la.animate(BOARD, ON, [(np.array([5]), None)], la.Timing())


# Arrays, files and whatever has its own check.
@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: la.make("sun.png"), r"pictures must be a list, not 'sun\.png'"),
        (lambda: la.make([FADE] * 2, None), "options are given by name, .* size=None"),
        (lambda: la.make([FADE] * 2, palette="amber"), r"palette is a look: give it to save\("),
        (lambda: a_film().save(None), "file must be the path of a file, not None"),
        (lambda: la.Outputs(output=[None]), "output must be the path of a file, not None"),
        (lambda: la.Outputs(output=3), "output must be a list, not 3"),
        (lambda: la.Settings(dither=ON), "dither must be one of .*, not an array of bool"),
        (lambda: la.Theme(lit=ON), "lit must be a colour name or hex .*, not an array of bool"),
        (lambda: BOARD.toggles(ON * 2), "clicks must hold True and False, or 1 and 0, not 2"),
        (lambda: BOARD.neighbourhood(4, 0), "row must be a whole number from 0 to 3, not 4"),
        (lambda: BOARD.neighbourhood(0, 4), "column must be a whole number from 0 to 3, not 4"),
        (lambda: BOARD.is_accessible(ON * np.nan), "configuration must hold True and .* not nan"),
        (lambda: la.nearest_accessible(BOARD, ON * np.nan), "target must hold .*, not nan"),
        (lambda: la.nearest_accessible(BOARD, ON, margin=ON * np.nan), "margin must hold finite"),
        (lambda: la.fewest_clicks(BOARD, None), r"clicks must have shape \(4, 4\), not None"),
        (lambda: la.solve_board(BOARD, ON[1:], ON), r"start must have shape .* not \(3, 4\)"),
        (lambda: la.chase(BOARD, ON * 3), "target must hold True and False, or 1 and 0, not 3"),
        (lambda: la.order_clicks(ON[0], "radial", RNG), r"clicks must have shape \(any, any\)"),
        (lambda: la.order_clicks(ON, "tone", RNG, tone="grey"), r"tone .* of shape \(4, 4\), not"),
        (lambda: la.save_still(FADE, "x.png"), "configuration must hold True and .*, not 0.0909"),
        (lambda: la.save_still(ON, "x.png", marks=ON[1:]), r"marks must have shape \(4, 4\)"),
        (lambda: la.board_text(ON, 4), "levels must be one of 2, 3, 5, 7, not 4"),
        (lambda: la.board_text([0, 1]), r"configuration must have shape \(any, any\), not \(2,\)"),
        (lambda: la.dither(FADE * np.nan), "values to dither must lie in 0..1, not nan"),
        (lambda: la.Picture(name="a", light=None), "a picture's light must be an array, not None"),
        (lambda: la.animate(BOARD, None, [], la.Timing()), "first must be an array, not None"),
    ],
)
def test_a_wrong_argument_is_refused_in_one_line(call, message):
    with pytest.raises(la.LightsAnimError, match=message) as error:
        call()
    assert len(str(error.value).splitlines()) == 1
    assert len(str(error.value)) < 300


def test_iterables_of_pictures_are_accepted_as_lists(tmp_path):
    def pictures():
        yield FADE
        yield FADE[:, ::-1]

    animation = la.make(pictures(), size="4x3", seed=1)
    assert np.array_equal(animation.last, la.make(list(pictures()), size="4x3", seed=1).last)
    la.make(np.array([FADE, FADE[:, ::-1]]), size="4x3")
    outputs = la.Outputs(output=(tmp_path / name for name in ["a.gif", "b.gif"]))
    la.make_files(pictures(), la.Settings(size="4x3"), la.Theme(), outputs)
    assert (tmp_path / "a.gif").exists()
    assert la.verify(tmp_path / "b.gif", targets=pictures()).wrong == [0, 0]


def test_lists_of_numbers_are_configurations():
    cells = [[1, 0], [0, 1]]
    assert la.Board(2, 2).toggles(cells).tolist() == la.Board(2, 2).toggles(np.eye(2) > 0).tolist()
    assert la.board_text(np.eye(2)) == "10\n01\n"


def test_public_functions_go_to_other_processes():
    assert pickle.loads(pickle.dumps(la.verify)) is la.verify
