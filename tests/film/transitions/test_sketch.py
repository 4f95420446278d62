"""The search for sketches, against all films of small boards."""

import tracemalloc
from itertools import accumulate, product

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter
from tools.deadlines import of_work

from lightsanim import Board, Deadline, load_picture, sketch
from lightsanim.pictures.grey import grey_for_board

FADE = np.linspace(0, 1, 3)[:, None, None]


def frames_of(board, film):
    return [*accumulate(map(board.toggles, film.clicks), board.add, initial=film.first)]


def first_film(board, greys, **options):
    """The film of the search's first report, at which it is cancelled."""
    deadline = Deadline(60)
    stop = {"time_limit": deadline, "on_progress": lambda *_: deadline.cancel()}
    return sketch(board, greys, **stop, **options)


def best(grey):
    # Of all configurations the one whose error, blurred, has the least sum of squares.
    every = np.array(list(product([False, True], repeat=grey.size))).reshape(-1, *grey.shape)
    around = np.pad(every - grey, [(0, 0), (4, 4), (4, 4)])
    blurred = gaussian_filter(around, (0, 0.7, 0.7), mode="constant", radius=(0, 2, 2))
    return every[(blurred**2).sum(axis=(1, 2)).argmin()]


def test_sketch_of_a_constant_picture_is_its_optimum():
    grey = np.random.default_rng(5).random((3, 4))
    film = sketch(Board(3, 4), np.stack([grey] * 2), time_limit=of_work(0.08))
    assert film.counts.tolist() == [0]
    assert np.array_equal(film.first, best(grey))


@pytest.mark.long
def test_sketch_finds_a_film_made_by_few_clicks():
    board, rng = Board(6, 6), np.random.default_rng(2)
    clicks = np.zeros((3, 6, 6), bool)
    clicks[[0, 0, 1, 2], [1, 4, 2, 1], [1, 3, 5, 1]] = True
    frames = [*accumulate(map(board.toggles, clicks), board.add, initial=rng.random((6, 6)) < 0.5)]
    # A search by chance finds them with every second seed.
    films = (sketch(board, np.array(frames, float), seed=seed) for seed in range(8))
    film = next(film for film in films if np.array_equal(film.clicks, clicks))
    assert np.array_equal(frames_of(board, film), frames)


@pytest.mark.long
@pytest.mark.parametrize(
    ("options", "closed"),
    [
        ({}, True),
        ({"wrap": True}, False),
        ({"levels": 3, "rule": "ring"}, True),
        ({"levels": 7, "wrap": True, "rule": "110/011/000"}, True),
        ({"rule": "cross"}, False),
    ],
)
def test_films_are_legal_on_any_board(options, closed):
    board = Board(3, 4, **options)
    film = sketch(board, FADE * np.ones(board.shape), blur=0.3, price=0.05, closed=closed)
    frames = frames_of(board, film)
    assert len(film.clicks) == len(frames) - 1 == 2 + closed
    assert film.counts.sum() > 0
    assert board.is_accessible(film.first)
    assert np.array_equal(frames[-1], film.first) == closed
    assert film.errors.shape == (3,)


def test_sketch_depends_on_the_seed():
    greys = np.full((2, 3, 4), 0.5)  # either chequerboard will do
    films = [first_film(Board(3, 4), greys, blur=0.5, seed=seed) for seed in (1, 1, 2, 3)]
    equal = [np.array_equal(film.first, films[0].first) for film in films]
    assert equal[:2] == [True, True]
    assert not all(equal)


def test_a_budget_of_work_ends_a_search_alike_each_time():
    board, limits = Board(3, 4), [of_work(seconds) for seconds in (0, 0.04, 0.04)]
    greys = np.random.default_rng(5).random((3, 3, 4))
    films = [sketch(board, greys, price=0.02, time_limit=limit) for limit in limits]
    assert np.array_equal(films[1].clicks, films[2].clicks)
    assert not np.array_equal(films[1].first, films[0].first)
    assert not any(film.cut_short for film in films)
    assert all(0 <= limit.work_left < 0.01 for limit in limits)


@pytest.mark.parametrize(("rule", "side", "flips"), [("plus", 60, 5), ("cross", 16, 61)])
def test_sketch_memory_is_that_which_make_checks(rule, side, flips):
    board, greys = Board(side, side, rule=rule), np.zeros((2, side, side))
    tracemalloc.start()
    first_film(board, greys)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # Bytes for each cell of two frames, and for each cell that a click may flip.
    assert 0.5 < peak / (board.cells * (2 * 65 + 149 * flips)) < 1


def test_interrupted_sketch_is_legal_with_blurred_errors():
    board = Board(9, 9)
    greys = np.random.default_rng(5).random((3, 9, 9))
    film = first_film(board, greys)
    assert film.cut_short
    assert board.is_accessible(film.first)
    blurred = gaussian_filter(np.array(frames_of(board, film)) - greys, (0, 1, 1), radius=4)
    assert film.errors == pytest.approx(np.sqrt((blurred**2).mean(axis=(1, 2))))


@pytest.mark.long
@pytest.mark.parametrize(
    ("levels", "price", "clicks", "error"), [(2, 1, 570, 0.072), (5, 1.3, 1104, 0.049)]
)
def test_sketch_face_to_skull_matches_the_prototype(levels, price, clicks, error):
    # By direct binary search over single clicks, in the prototype.
    samples = map(load_picture, ("sample:face", "sample:skull"))
    start, end = (grey_for_board(sample, 60, 60) for sample in samples)
    share = np.linspace(0, 1, 13)[:, None, None]
    film = sketch(Board(60, 60, levels=levels), (1 - share) * start + share * end, price=price)
    assert film.counts.sum() <= clicks
    assert film.errors.mean() <= error
