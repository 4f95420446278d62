"""`--transition automaton` and `la.automaton`: press every light that is lit, and again."""

import math
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from tools.clips import animated
from tools.fades import frames_of, stated_errors
from tools.refusals import assert_refused
from tools.textbook import matrix_of, rank_of

import lightsanim as la
from lightsanim.errors import OptionError

FILM = {"transition": "automaton", "seed": 1}
SHAPES = [(4, 4), (4, 5), (5, 6), (5, 7)]
PLAYED = "Each step pressed exactly the lit cells"


def stepped(lights, q):
    """A step by a plain convolution: less the four neighbours, with dark around."""
    around = np.pad(lights.astype(int), 1)
    four = around[:-2, 1:-1] + around[2:, 1:-1] + around[1:-1, :-2] + around[1:-1, 2:]
    return -four % q


def shifted(lights, steps):
    """Copies of lights, moved one after the other by each of these in all four directions."""
    for by in steps:
        moves = [(by, 0), (-by, 0), (0, by), (0, -by)]
        lights = sum(np.roll(lights, move, (0, 1)) for move in moves) % 2
    return lights


def random_lights(shape, q):
    lights = np.random.default_rng(0).integers(0, q, shape)
    return lights.astype(bool if q == 2 else np.uint8)


@pytest.mark.parametrize("shape", [(9, 12), (67, 140)])
@pytest.mark.parametrize("q", [2, 3, 5, 7])
def test_a_step_is_the_sum_of_the_neighbours(q, shape):
    expected = start = random_lights(shape, q)
    for lights in la.automaton(la.Board(*shape, levels=q), start, 30):
        expected = stepped(expected, q)
        assert np.array_equal(lights, expected)


def is_invertible(board):
    """Whether a step, which takes from lights what their presses raise, loses nothing."""
    raised = matrix_of(board.rule, board.shape, board.levels, wrap=board.wrap)
    return rank_of((np.eye(board.cells) - raised) % board.levels, board.levels) == board.cells


def is_undone(board):
    """Whether steps can be undone as the program says, which then does so."""
    lights = random_lights(board.shape, board.levels)
    try:
        *_, start = la.automaton(board, lights, -9)
    except OptionError:
        return False
    *_, end = la.automaton(board, start, 9)
    assert np.array_equal(end, lights)
    return True


@pytest.mark.parametrize("q", [2, 3, 5, 7])
@pytest.mark.parametrize("largest", [6, pytest.param(16, marks=pytest.mark.long)])
def test_steps_can_be_undone_where_the_sides_say_so(q, largest):
    for shape in product(range(1, largest + 1), repeat=2):
        board = la.Board(*shape, levels=q)
        coprime = math.gcd(shape[0] + 1, shape[1] + 1) == 1
        assert is_undone(board) == is_invertible(board) == coprime, shape


def test_steps_of_other_rules_are_undone_where_they_can_be():
    undone = {}
    for rule, q, wrap in [
        *(("ring", 2, False), ("x", 2, False), ("x", 3, False), ("x", 5, True), ("king", 3, False)),
        *(("plus", 2, True), ("plus", 3, True), ("110/011/000", 2, False)),
    ]:
        boards = [la.Board(*shape, rule=rule, wrap=wrap, levels=q) for shape in SHAPES]
        undone[rule, q] = [is_undone(board) for board in boards]
        assert undone[rule, q] == [is_invertible(board) for board in boards]
    never = {case for case, found in undone.items() if not any(found)}
    assert never <= {("plus", 2), ("110/011/000", 2)}


def lit_pressed(film):
    """Whether each frame is made by pressing exactly the lit cells, by the plain convolution."""
    q = film.board.levels
    return [
        np.array_equal([stepped(plane, q) for plane in planes], frame)
        for planes, frame in pairwise(frames_of(film))
    ]


@pytest.mark.parametrize(
    ("options", "suffix", "steps"),
    [
        ({"size": "30x31"}, ".gif", 12),
        ({"size": "30x31"}, ".html", 12),
        ({"levels": 3, "size": "30x31", "steps": 26}, ".gif", 26),
        ({"rgb": True, "size": "12x13"}, ".gif", 7),
        pytest.param({}, ".mp4", 12, marks=pytest.mark.long),
        *(pytest.param({"levels": 3}, s, 12, marks=pytest.mark.long) for s in (".mp4", ".html")),
    ],
)
def test_automaton_film_has_one_free_step(photographs, tmp_path, options, suffix, steps):
    film = la.make(photographs, **{"size": "60x61", "ease": "linear", **options, **FILM})
    assert lit_pressed(film) == [*[True] * steps, False, *[True] * steps]
    path = tmp_path / f"film{suffix}"
    film.save(path, cell=6, gap=0)
    proof = la.verify(path, targets=photographs)
    assert (proof.legal, proof.wrong, proof.clicks) == (True, [0, 0], film.count)
    # A video shows the frame that is held first for a second, 12 frames.
    frame = steps + 1 if suffix != ".mp4" else steps + 1 + 11
    assert f"{PLAYED}, except frame {frame}." in proof.notes


def test_automaton_of_two_pictures_lingers_where_the_first_is_seen(photographs):
    film = la.make(photographs, size="60x61", hold_first=0, hold_last=0, **FILM)
    seconds = film.durations() * 12
    assert len(film) == 1 + 12 + 1 + 12
    assert (seconds[1:9] > 1.7).all()
    assert seconds[9:-4].round(6).tolist() == [1] * 13


def test_automaton_copies_a_picture_4_and_16_times():
    film, report = la.make_with_report(["sample:cat"], **FILM)
    assert film.board.shape == (127, 127)
    assert lit_pressed(film) == [True] * 48
    frames = frames_of(film)[:, 0]
    assert frames[0].sum() == frames[0][48:79, 48:79].sum()  # a quarter of each side
    assert frames[0].sum() < 31 * 31 / 2  # a white cat on black, and not the sheet that it is on
    assert np.array_equal(frames[32], shifted(frames[0], [32]))
    assert np.array_equal(frames[48], shifted(frames[0], [32, 16]))
    # It rests where copies are whole, and on the last.
    assert np.flatnonzero(film.durations() >= 1).tolist() == [0, 16, 32, 48]
    assert any("4 after 16 steps, 4 after 32 steps, 16 after 48 steps" in n for n in report.notes)
    assert "sample:cat has a light background and is inverted." in report.notes
    _, on_dark = la.make_with_report(["sample:moon"], size="16x16", **FILM)
    assert not any("invert" in note for note in on_dark.notes)


@pytest.mark.parametrize(
    ("options", "steps", "copies"),
    [
        *(({"rule": "king"}, 16, 8), ({"rule": "x"}, 16, 4), ({"rule": "ring"}, 16, 5)),
        ({"levels": 5}, 25, 4),
    ],
)
def test_automaton_makes_one_copy_per_neighbour(options, steps, copies):
    options = {"size": 4 * steps, "steps": steps, **options, **FILM}
    _, report = la.make_with_report(["sample:skull"], **options)
    assert any(f"{copies} after {steps} steps." in note for note in report.notes)


@pytest.mark.parametrize(
    ("options", "ends"),
    [
        ({"path": "leave"}, [True, False]),
        ({"path": "arrive"}, [False, True]),
        ({}, [False, False]),
        ({"path": "leave", "ending": "boomerang"}, [True, True]),
        ({"ending": "cycle", "room": 1}, [True, True]),
    ],
    ids=str,
)
def test_automaton_path_shows_the_picture_where_asked(photographs, options, ends):
    film = la.make(photographs[:1], size="30x31", steps=9, **{"room": 1, **FILM, **options})
    matches = [bool((lights == film.targets[0]).all()) for lights in film.configurations()]
    assert [matches[0], matches[-1]] == ends
    assert any(matches)


@pytest.mark.parametrize(
    ("options", "shape"),
    [
        ({"size": "60x60", "perfect": True}, (60, 61)),
        ({"size": "10x10", "levels": 3, "perfect": True}, None),
        ({}, None),
        ({"levels": 5}, None),
    ],
    ids=str,
)
def test_automaton_size_is_moved_to_an_undoable_one(photographs, options, shape):
    film, report = la.make_with_report(photographs, steps=1, **options, **FILM)
    board = film.board
    assert math.gcd(board.rows + 1, board.columns + 1) == 1
    assert board.nullity == 0
    assert shape in (None, board.shape, board.shape[::-1])
    assert any(f"{board.columns}x{board.rows}" in note for note in report.notes)


@pytest.mark.parametrize(
    ("options", "steps", "total"),
    [
        ({"size": "20x18", "rgb": True, "ending": "boomerang", "time_limit": 1e-9}, 8, 16),
        # The board has quiet patterns, so that not every start is accessible.
        ({"size": "16x14", "ending": "cycle", "time_limit": 1e-9}, 8, 30),
        *(
            pytest.param(options, steps, total, marks=pytest.mark.long)
            for options, steps, total in [
                ({"size": "30x31", "levels": 5, "wrap": True, "steps": 5}, 5, 5),
                ({"size": "126x128", "ending": "cycle", "time_limit": 1e-9}, 32, 254),
                ({"size": "61x62", "levels": 5, "ending": "cycle"}, 25, 124),
                (
                    {
                        "size": "56x85",
                        "levels": 7,
                        "steps": 7,
                        "ending": "cycle",
                        "time_limit": 1e-9,
                    },
                    7,
                    342,
                ),
            ]
        ),
    ],
    ids=str,
)
def test_path_through_presses_lit_cells_only(photographs, tmp_path, options, steps, total):
    options = {"time_limit": math.inf, "path": "through", **FILM, **options}
    film, report = la.make_with_report(photographs, **options)
    frames = frames_of(film)
    assert len(frames) == total + 1
    assert lit_pressed(film)[:steps] == [True] * steps or "wrap" in options
    assert np.array_equal(frames[0], frames[-1]) == ("ending" in options)
    # It rests at both pictures, and has slow steps beside them.
    seconds = film.durations()
    rests = {0, steps} if np.array_equal(frames[0], frames[-1]) else {0, steps, total}
    assert np.flatnonzero(seconds >= 1).tolist() == sorted(rests)
    assert seconds[1] > seconds[2] >= seconds[3]
    film.save(tmp_path / "film.gif", cell=2, gap=0)
    proof = la.verify(tmp_path / "film.gif", targets=photographs)
    assert (proof.legal, proof.wrong, proof.shown) == (True, None, [0, steps])
    assert proof.errors == pytest.approx(stated_errors(report), abs=6e-4)
    assert (f"{PLAYED}." in proof.notes) == (options.get("ending") != "boomerang")
    assert [picture.wrong for picture in report.pictures] == [0, 0]


@pytest.mark.long
def test_path_through_looks_like_both_pictures(photographs):
    found = []
    for seed in (1, 2):  # from seed to seed, shares of equal cells differ by about 0.01
        options = {**FILM, "seed": seed, "time_limit": math.inf}
        film, report = la.make_with_report(photographs, size=64, path="through", **options)
        assert max(stated_errors(report)) < 0.045  # several times as much with random cells
        dithered = la.make(photographs, size=f"{film.board.columns}x{film.board.rows}").targets
        found.append([[(a == b).mean() for b in dithered] for a in (film.first, film.last)])
    matches = np.mean(found, axis=0)
    assert min(np.diag(matches)) > 0.6 > np.fliplr(matches).diagonal().max()


def test_path_through_shows_three_pictures_in_one_orbit(photographs, tmp_path):
    options = {"path": "through", "time_limit": math.inf, **FILM}
    film = la.make([*photographs, "sample:moon"], size="18x16", **options)
    assert lit_pressed(film) == [True] * 8
    film.save(tmp_path / "film.gif", cell=2, gap=0)
    proof = la.verify(tmp_path / "film.gif", targets=[*photographs, "sample:moon"])
    assert (proof.legal, proof.shown) == (True, [0, 4, 8])
    assert max(proof.errors) < 0.06  # more than twice as much with random cells
    assert f"{PLAYED}." in proof.notes


def test_other_films_are_not_reported_as_automata(photographs, tmp_path):
    for options in ({}, {"ending": "boomerang", **FILM}):
        la.make(photographs, size="12x13", **options).save(tmp_path / "a.json")
        assert not any(PLAYED in note for note in la.verify(tmp_path / "a.json").notes)


def test_automaton_refuses_clips_and_lone_wipes(ramps, refused):
    make = ["make", "-o", "a.json"]
    refused([*make, ramps[0]], 2, "2 pictures 1")
    refused([*make, ramps[0], "--transition", "wipe@steps=3"], 2, "steps wipe")
    animated(Path("clip.gif"), map(Image.open, ramps), 100)
    make += ["clip.gif", "--transition", "automaton"]
    refused(make, 2, "transition single clip")
    refused([*make, ramps[0]], 2, "automaton stills")


def test_automaton_refuses_wrong_arguments():
    for board, facts in ((la.Board(4, 5), "(4, 5) (3, 3)"), (la.Board(3, 3), "3x3 'plus'")):
        assert_refused(lambda: la.automaton(board, np.zeros((3, 3)), -1), facts)  # noqa: B023
