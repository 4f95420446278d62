"""Targets that are searched, against every change that there is and against what eyes see."""

import numpy as np
import pytest
import skimage.data
from scipy.ndimage import gaussian_filter
from skimage.metrics import structural_similarity

import lightsanim as la
from lightsanim.options.choices import BLUE_NOISE, SEARCHED_DITHERS

PHOTOGRAPHS = ("astronaut", "cat", "camera", "coffee", "rocket")


def photograph(name):
    return la.load_picture(getattr(skimage.data, name)())


def error_of(shown, grey):
    # The eye: a Gaussian of 0.7 cells, which reaches 3 cells, on nothing but black.
    apart = np.pad(np.asarray(shown, float) - grey, 6)
    blurred = gaussian_filter(apart, 0.7, mode="constant", radius=3)
    return (blurred**2).sum(axis=(-2, -1))


def changed(shown, steps):
    """What is shown after each single change by a step, and each swap of near cells by one."""
    rows, columns = shown.shape
    for cell in np.ndindex(rows, columns):
        near = [(cell[0] + down, cell[1] + right) for down in (-1, 0, 1) for right in (-1, 0, 1)]
        for step in steps:
            for other in near:
                after = shown.copy()
                after[cell] += step
                if other != cell and 0 <= other[0] < rows and 0 <= other[1] < columns:
                    after[other] -= step
                elif other != cell:
                    continue
                if after.min() >= -1e-9 and after.max() <= 1 + 1e-9:
                    yield after


@pytest.mark.parametrize("levels", [2, 3, 5])
def test_no_single_change_or_swap_comes_closer(levels):
    grey = np.random.default_rng(levels).random((9, 11)).cumsum(axis=1) / 11
    before, after = (
        la.dither(grey, name, levels=levels).configuration / (levels - 1)
        for name in ("floyd-steinberg", "search")
    )
    least = error_of(after, grey)
    assert least < error_of(before, grey)
    step = 1 / (levels - 1)
    others = [error_of(other, grey) for other in changed(after, (step, -step))]
    assert len(others) > 99
    assert min(others) > least - 2e-5


def test_the_margin_of_a_cell_is_what_turning_it_costs():
    grey = np.random.default_rng(0).random((7, 9))
    for name in ("floyd-steinberg", BLUE_NOISE, "search"):
        target = la.dither(grey, name)
        shown = target.configuration.astype(float)
        for cell in np.ndindex(grey.shape):
            turned = shown.copy()
            turned[cell] = 1 - turned[cell]
            cost = error_of(turned, grey) - error_of(shown, grey)
            assert target.margin[cell] == pytest.approx(cost, abs=1e-5)


# Of a photograph on a board, how it is dithered: the root mean square error of what is seen through
# a blur of one cell, against the picture without detail, and the likeness of the two.
def seen(name, size, dithers, levels):
    picture, board = photograph(name), la.Board(size, size, levels=levels)
    (plain,) = la.targets_for(picture, board, la.Settings(levels=levels, detail=0))
    grey = gaussian_filter(plain.grey.astype(float), 1, mode="reflect")
    for each in dithers:
        (target,) = la.targets_for(picture, board, la.Settings(levels=levels, dither=each))
        shown = gaussian_filter(target.configuration / (levels - 1), 1, mode="reflect")
        likeness = structural_similarity(shown, grey, data_range=1)
        yield np.sqrt(((shown - grey) ** 2).mean()), likeness


@pytest.mark.parametrize(
    "size", [60, *(pytest.param(n, marks=pytest.mark.long) for n in (90, 120))]
)
@pytest.mark.parametrize(("levels", "closer", "liker"), [(2, 0.05, 0.03), (3, 0.02, 0)])
def test_photographs_are_closer_than_floyd_steinberg_s(size, levels, closer, liker):
    dithers = ("floyd-steinberg", "search")
    found = np.array([[*seen(name, size, dithers, levels)] for name in PHOTOGRAPHS])
    (error, likeness), (searched, liked) = found.mean(axis=0)
    assert searched < (1 - closer) * error
    assert liked > likeness + liker


def test_strokes_keep_structures():
    # Against the grey itself, cell by cell, as W.-M. Pang and others measure it.
    for name in ("astronaut", "camera"):
        board = la.Board(60, 60)
        likeness = []
        for each in ("floyd-steinberg", "search", "strokes"):
            (target,) = la.targets_for(photograph(name), board, la.Settings(dither=each))
            shown, grey = target.configuration.astype(float), target.grey.astype(float)
            likeness.append(
                structural_similarity(shown, grey, data_range=1, sigma=1.5, gaussian_weights=True)
            )
        assert likeness[2] > max(likeness[:2]) + 0.05


def test_clips_and_dissolves_replace_searched_dithers(tmp_path):
    frames = np.random.default_rng(0).random((3, 6, 8))
    for each in SEARCHED_DITHERS:
        film, report = la.make_with_report([list(frames)], size="8x6", dither=each)
        assert film.origin.settings["dither"] == BLUE_NOISE
        assert report.notes[0] == f"Dither {each} is for stills alone: {BLUE_NOISE} was taken."
        source = la.Source(list(frames), dither=each)
        assert la.make_with_report([source], size="8x6")[1].notes == report.notes
        assert (
            la.Settings(transition="dissolve", dither=each).with_defaults_for().dither == BLUE_NOISE
        )
