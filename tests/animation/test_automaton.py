"""`--transition automaton` and `la.automaton`: press every light that is lit, and again."""

import math
from itertools import combinations_with_replacement, pairwise

import numpy as np
import pytest
from PIL import Image
from tools.fades import frames_of
from tools.textbook import matrix_of, rank_of

import lightsanim as la
from lightsanim.errors import OptionError
from lightsanim.pipeline import make_with_report

FILM = {"transition": "automaton", "seed": 1}
PLAYED = "Each step pressed exactly the lit cells"


def stepped(lights, q):
    """A step by a plain convolution: less the four neighbours, with dark around."""
    around = np.pad(lights.astype(int), 1)
    four = around[:-2, 1:-1] + around[2:, 1:-1] + around[1:-1, :-2] + around[1:-1, 2:]
    return -four % q


def shifted(lights, steps, q):
    """Copies of lights that were moved, one after the other, by each of these in all four ways."""
    for by in steps:
        lights = sum(np.roll(lights, way, (0, 1)) for way in [(by, 0), (-by, 0), (0, by), (0, -by)])
    return (-1) ** len(steps) * lights % q


def random_lights(shape, q, seed=0):
    lights = np.random.default_rng(seed).integers(0, q, shape)
    return lights.astype(bool if q == 2 else np.uint8)


def after(board, lights, steps):
    *_, last = la.automaton(board, lights, steps)
    return last


@pytest.mark.parametrize("shape", [(9, 12), (67, 140)])
@pytest.mark.parametrize("q", [2, 3, 5, 7])
def test_a_step_is_the_sum_of_the_neighbours(q, shape):
    expected = lights = random_lights(shape, q)
    for shown in la.automaton(la.Board(*shape, levels=q), lights, 30):
        expected = stepped(expected, q)
        assert np.array_equal(shown, expected)


def is_invertible(board):
    """Whether a step, which takes from lights what their presses raise, loses nothing."""
    raised = matrix_of(board.rule, board.shape, board.levels, wrap=board.wrap)
    return rank_of((np.eye(board.cells) - raised) % board.levels, board.levels) == board.cells


def can_be_undone(board):
    try:
        return bool([*la.automaton(board, np.zeros(board.shape), -1)])
    except OptionError:
        return False


@pytest.mark.parametrize("q", [2, 3, 5, 7])
@pytest.mark.parametrize("largest", [6, pytest.param(16, marks=pytest.mark.long)])
def test_steps_can_be_undone_where_the_sides_say_so(q, largest):
    for rows, columns in combinations_with_replacement(range(1, largest + 1), 2):
        undone = is_invertible(la.Board(rows, columns, levels=q))
        assert undone == (math.gcd(rows + 1, columns + 1) == 1), (rows, columns)
        for shape in [(rows, columns), (columns, rows)]:
            assert can_be_undone(la.Board(*shape, levels=q)) == undone, shape


@pytest.mark.parametrize(
    "options",
    [
        {"rule": "ring"},
        {"rule": "x"},
        {"rule": "x", "levels": 3},
        {"rule": "king", "levels": 3},
        {"rule": "110/011/000"},
        {"wrap": True},
        {"wrap": True, "levels": 3},
        {"wrap": True, "rule": "x", "levels": 5},
    ],
    ids=str,
)
def test_steps_of_other_rules_are_undone_where_they_can_be(options):
    undone = 0
    for rows, columns in [(4, 4), (4, 5), (5, 6), (5, 7)]:
        board = la.Board(rows, columns, **options)
        lights = random_lights(board.shape, board.levels)
        if is_invertible(board):
            undone += 1
            assert np.array_equal(after(board, after(board, lights, -9), 9), lights)
        else:
            assert not can_be_undone(board)
    assert undone or options in ({"wrap": True}, {"rule": "110/011/000"})


def lit_pressed(film):
    """Which frames are made by pressing exactly the lit cells, by the plain convolution."""
    q = film.board.levels
    return [
        all(np.array_equal(stepped(one, q), other) for one, other in zip(*pair, strict=True))
        for pair in pairwise(frames_of(film))
    ]


@pytest.mark.parametrize(
    ("options", "suffix", "steps"),
    [
        ({}, ".gif", 31),
        ({}, ".html", 31),
        ({"levels": 3}, ".gif", 26),
        ({"rgb": True, "size": "12x13"}, ".gif", 7),
        pytest.param({}, ".mp4", 31, marks=pytest.mark.long),
        *(pytest.param({"levels": 3}, s, 26, marks=pytest.mark.long) for s in (".mp4", ".html")),
    ],
)
def test_automaton_film_has_one_free_step(photographs, tmp_path, options, suffix, steps):
    film = la.make(photographs, **{"size": "60x61", "ease": "linear", **options, **FILM})
    assert lit_pressed(film) == [*[True] * steps, False, *[True] * steps]
    path = tmp_path / f"film{suffix}"
    film.save(path, cell=6, gap=0)
    found = la.verify(path, targets=photographs)
    assert (found.legal, found.wrong, found.clicks) == (True, [0, 0], film.count)
    # A video shows the frame that is held first for a second, 12 frames.
    frame = steps + 1 if suffix != ".mp4" else steps + 1 + 11
    assert f"{PLAYED}, but for frame {frame}." in found.notes


def test_automaton_copies_a_picture_4_and_16_times():
    film, report = make_with_report(["sample:cat"], **FILM)
    assert film.board.shape == (127, 127)
    assert lit_pressed(film) == [True] * 48
    shown = [frame[0] for frame in frames_of(film)]
    assert shown[0].sum() == shown[0][48:79, 48:79].sum()  # a quarter of each side
    assert shown[0].sum() < 31 * 31 / 2  # a white cat on black, and not the sheet that it is on
    assert np.array_equal(shown[32], shifted(shown[0].astype(int), [32], 2))
    assert np.array_equal(shown[48], shifted(shown[0].astype(int), [32, 16], 2))
    # It rests where copies are whole, and on the last.
    longest = np.flatnonzero(film.durations() >= 1)
    assert longest.tolist() == [0, 16, 32, 48]
    assert "Whole copies: 4 after 16 steps, 4 after 32 steps, 16 after 48 steps." in report.notes
    assert "sample:cat stands on a light ground, and is inverted." in report.notes
    _, on_dark = make_with_report(["sample:moon"], size="64x64", **FILM)
    assert not any("invert" in note for note in on_dark.notes)


@pytest.mark.parametrize(
    ("options", "copies"),
    [({"rule": "king"}, 8), ({"rule": "x"}, 4), ({"rule": "ring"}, 5), ({"levels": 5}, 4)],
)
def test_automaton_makes_one_copy_per_neighbour(options, copies):
    steps = options.get("levels", 2) ** (2 if "levels" in options else 4)
    size = "64x64" if steps == 16 else "100x100"
    _, report = make_with_report(["sample:skull"], size=size, steps=steps, **options, **FILM)
    assert any(f"{copies} after {steps} steps." in note for note in report.notes)


@pytest.mark.parametrize(
    ("options", "first", "last"),
    [
        ({"path": "leave"}, True, False),
        ({"path": "arrive"}, False, True),
        ({}, False, False),
        ({"path": "leave", "boomerang": True}, True, True),
        ({"cycle": True, "room": 1}, True, True),
    ],
    ids=str,
)
def test_automaton_path_shows_the_picture_where_asked(photographs, options, first, last):
    film = la.make(photographs[:1], size="30x31", steps=9, **{"room": 1, **FILM, **options})
    ends = [bool((lights == film.targets[0]).all()) for lights in (film.first, film.last)]
    assert ends == [first, last]
    assert any((lights == film.targets[0]).all() for lights in film.configurations())


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
    film, report = make_with_report(photographs, steps=1, **options, **FILM)
    board = film.board
    assert math.gcd(board.rows + 1, board.columns + 1) == 1
    assert board.nullity == 0
    assert shape in (None, board.shape, board.shape[::-1])
    assert f"At {board.columns}x{board.rows} cells every step can be undone." in report.notes


def test_other_films_are_not_reported_as_automata(photographs, tmp_path):
    la.make(photographs, size="12x13", seed=1).save(tmp_path / "wipe.json")
    la.make(photographs, boomerang=True, size="12x13", **FILM).save(tmp_path / "back.json")
    for name in ("wipe.json", "back.json"):
        assert not any(PLAYED in note for note in la.verify(tmp_path / name).notes)


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("--size 60x60", "steps on a 60x60 board of rule 'plus' cannot be undone; take another"),
        ("--size 60x60", "undone; take another rule or size, such as 61x60"),
        ("--size 12x13 --rule cross", "rule 'cross' cannot be undone; take another rule"),
        ("--size 12x13 --wrap", "rule 'plus' wrapped cannot be undone; take another rule"),
        ("--steps 0", "steps must be a whole number of at least 1, not 0"),
        ("--room 1000", "room must be a whole number from 1 to 100, not 1000"),
        ("--size 60x61 --steps 10000000", "too many for an automaton"),
        ("--path leave", "path is for one picture without cycle; leave it out"),
        ("--duration 3", "duration belongs to transition wipe or dissolve or sketch, not to"),
        ("--order sweep", "order belongs to transition wipe or sketch, not to automaton"),
    ],
)
def test_invalid_options_are_refused_in_one_line(ramps, refused, words, line):
    film = ["make", *map(str, ramps), "-o", "a.json", "--transition", "automaton", *words.split()]
    refused(film, 2, line)


def test_automaton_refuses_clips_and_lone_wipes(ramps, refused):
    refused(["make", str(ramps[0]), "-o", "a.json"], 2, "at least 2 pictures, not 1")
    refused(["make", "-o", "a.json", str(ramps[0]), "--steps", "3"], 2, "steps belongs to")
    first, second = map(Image.open, ramps)
    first.save("clip.gif", save_all=True, append_images=[second])
    film = ["make", "clip.gif", "-o", "a.json", "--transition", "automaton"]
    refused(film, 2, "transition is not for one clip alone; leave it out")
    refused([*film, str(ramps[0])], 2, "transition automaton is for stills alone; take another")


def test_automaton_refuses_wrong_arguments():
    with pytest.raises(OptionError, match="configuration must"):
        la.automaton(la.Board(4, 5), np.zeros((3, 3)), 1)
    with pytest.raises(OptionError, match="cannot be undone"):
        la.automaton(la.Board(4, 4), np.zeros((4, 4)), -1)
