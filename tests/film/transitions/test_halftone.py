"""Pictures whose cells are sums of common unknowns, against all configurations of small boards."""

from itertools import product

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter
from tools.deadlines import of_work

from lightsanim import Board
from lightsanim.film.transitions.halftone import Effects, search_halftones

WEIGHTS = (1.0, 1.0, 1.2)
EVERY = np.array(list(product([False, True], repeat=9))).reshape(-1, 3, 3)


def three_pictures(board):
    """The unknowns of two configurations and the clicks between them, which are three pictures."""
    cell = Effects.from_offsets(board.shape, [(0, 0, 0), (1, 0, 0)], wrap=board.wrap)
    flips = [(1, *offset) for offset in board.offsets()]
    return [cell, Effects.from_offsets(board.shape, [*flips, (2, 0, 0)], wrap=board.wrap)]


def search(board, greys, work=600, seed=0):
    rng = np.random.default_rng(seed)
    options = {"weights": WEIGHTS, "rng": rng, "deadline": of_work(work)}
    return search_halftones(greys, three_pictures(board), board.levels, **options)


def errors(shown, greys):
    """Sum of squares of the blurred error, also beyond the edges: (..., pictures)."""
    around = np.pad(shown - greys, [(0, 0)] * (greys.ndim - 2) + [(4, 4)] * 2)
    axes = {"axes": (-2, -1), "mode": "constant", "radius": 3}
    return (gaussian_filter(around, 1.2, **axes) ** 2).sum(axis=(-2, -1))


def least_errors(board, greys):
    """The least weighted error of each search, over all first configurations and click sets."""
    first, second, clicks = (
        errors(EVERY[:, None], greys[None, :, picture]) * weight
        for picture, weight in enumerate(WEIGHTS)
    )
    numbers, bits = np.arange(512), 2 ** np.arange(9)[::-1]
    toggled = np.array([board.toggles(each) for each in EVERY]).reshape(512, 9) @ bits
    sums = first[:, None] + second[numbers[:, None] ^ toggled] + clicks
    return sums.min(axis=(0, 1))


@pytest.mark.parametrize("count", [1, pytest.param(10, marks=pytest.mark.long)])
def test_search_finds_the_least_error_of_small_boards(count):
    board, greys = Board(3, 3), np.random.default_rng(4).uniform(0.1, 0.9, (count, 3, 3, 3))
    least = least_errors(board, greys)
    found = np.concatenate([search(board, each[None]) for each in greys])
    sums = errors(found, greys) @ WEIGHTS
    assert (sums >= least * (1 - 1e-9)).all()
    assert np.count_nonzero(sums <= 1.01 * least) >= 0.9 * count


def test_pictures_are_sums_of_the_unknowns_on_any_board():
    for options in ({"wrap": True, "rule": "king"}, {"levels": 5}, {"rule": "110/011/000"}):
        board = Board(2, 5, **options)
        greys = np.random.default_rng(4).random((3, 3, *board.shape))
        found = search(board, greys, work=0.02)
        for first, second, clicks in found:
            assert np.array_equal(board.add(first, board.toggles(clicks)), second)
        assert np.array_equal(search(board, greys, work=0.02), found)
        assert not np.array_equal(
            search(board, greys, work=0, seed=1), search(board, greys, work=0)
        )
