"""Targets that are searched, against every change that there is and against what eyes see."""

from itertools import product

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter
from skimage.color import rgb2lab
from skimage.metrics import structural_similarity
from tools.photographs import photograph

import lightsanim as la
from lightsanim.options.choices import BLUE_NOISE, SEARCHED_DITHERS
from lightsanim.options.settings import settings_from_values

PHOTOGRAPHS = ("astronaut", "chelsea", "camera", "coffee", "rocket")


def error_of(tones, grey):
    # The eye: a Gaussian of 0.7 cells, which reaches 3 cells, on nothing but black.
    apart = np.pad(np.asarray(tones, float) - grey, 6)
    blurred = gaussian_filter(apart, 0.7, mode="constant", radius=3)
    return (blurred**2).sum(axis=(-2, -1))


def neighbours(tones, steps):
    """The tones after each single change by a step, and each swap of near cells by one."""
    for cell, partner in product(np.ndindex(tones.shape), repeat=2):
        if max(abs(cell[0] - partner[0]), abs(cell[1] - partner[1])) <= 1:
            for step in steps:
                changed = tones.copy()
                changed[cell] += step
                if partner != cell:
                    changed[partner] -= step
                if changed.min() >= -1e-9 and changed.max() <= 1 + 1e-9:
                    yield changed


@pytest.mark.parametrize("levels", [2, 3, 5])
def test_no_single_change_or_swap_comes_closer(levels):
    grey = np.random.default_rng(levels).random((9, 11)).cumsum(axis=1) / 11
    targets = (la.dither(grey, name, levels=levels) for name in ("floyd-steinberg", "search"))
    diffused, optimized = (target.configuration / (levels - 1) for target in targets)
    error, step = error_of(optimized, grey), 1 / (levels - 1)
    assert error < error_of(diffused, grey)
    errors = [error_of(tones, grey) for tones in neighbours(optimized, (step, -step))]
    assert len(errors) > 99
    assert min(errors) > error - 2e-5


def test_the_margin_of_a_cell_is_what_turning_it_costs():
    grey = np.random.default_rng(0).random((7, 9))
    for name in ("floyd-steinberg", BLUE_NOISE, "search"):
        target = la.dither(grey, name)
        tones = target.configuration.astype(float)
        changed = np.abs(tones - np.eye(grey.size).reshape(-1, *grey.shape))
        costs = [error_of(flipped, grey) - error_of(tones, grey) for flipped in changed]
        assert target.margin.ravel() == pytest.approx(costs, abs=1e-5)


# Of a photograph on a board, how it is dithered: the root mean square error of what is seen through
# a blur of one cell, against the picture without detail, and the likeness of the two.
def errors_and_likeness(name, size, dithers, levels):
    picture, board = la.load_picture(photograph(name)), la.Board(size, size, levels=levels)
    (plain,) = la.targets_for(picture, board, la.Settings(levels=levels, detail=0))
    grey = gaussian_filter(plain.grey.astype(float), 1, mode="reflect")
    for name in dithers:
        (target,) = la.targets_for(picture, board, la.Settings(levels=levels, dither=name))
        tones = gaussian_filter(target.configuration / (levels - 1), 1, mode="reflect")
        likeness = structural_similarity(tones, grey, data_range=1)
        yield np.sqrt(((tones - grey) ** 2).mean()), likeness


@pytest.mark.parametrize(
    "size", [60, *(pytest.param(n, marks=pytest.mark.long) for n in (90, 120))]
)
@pytest.mark.parametrize(("levels", "closer", "liker"), [(2, 0.05, 0.03), (3, 0.02, 0)])
def test_photographs_are_closer_than_floyd_steinberg_s(size, levels, closer, liker):
    dithers = ("floyd-steinberg", "search")
    rows = [[*errors_and_likeness(name, size, dithers, levels)] for name in PHOTOGRAPHS]
    errors, likenesses = np.mean(rows, axis=0).T
    assert errors[1] < (1 - closer) * errors[0]
    assert likenesses[1] > likenesses[0] + liker


def test_colour_search_keeps_neutral_wall_neutral():
    # By eye: a light grey wall beside the head, and the face.
    pixels = photograph("astronaut")[:256, 100:356]
    wall, face = np.s_[3:16, 45:58], np.s_[20:35, 23:38]
    settings = settings_from_values({"preset": "colour"})
    picture, board = la.load_picture(pixels, rgb=True), la.Board(60, 60, levels=3)
    together = la.targets_for(picture, board, settings)
    alone = [la.dither(plane.grey, "search", levels=3) for plane in together]
    chroma, error = zip(
        *(chroma_and_error(planes, wall, face) for planes in (alone, together)), strict=True
    )
    assert chroma[0] > 25
    assert chroma[1] < 10
    assert error[1] <= error[0]


def chroma_and_error(planes, wall, face):
    """The mean chroma of a wall's cells in CIELAB, and the squared error of a face, blurred."""
    tones = np.stack([target.configuration / 2 for target in planes])
    lab = rgb2lab(np.moveaxis(tones, 0, 2))[wall]
    grey = np.stack([target.grey for target in planes])
    blurred = gaussian_filter(tones - grey, (0, 0.7, 0.7))[:, *face]
    return np.hypot(lab[..., 1], lab[..., 2]).mean(), (blurred**2).mean()


def test_strokes_keep_structures():
    # Against the grey itself, cell by cell, as W.-M. Pang and others measure it.
    options = {"data_range": 1, "sigma": 1.5, "gaussian_weights": True}
    photo, likeness = la.load_picture(photograph("camera")), {}
    for name in ("floyd-steinberg", "search", "strokes"):
        (target,) = la.targets_for(photo, la.Board(60, 60), la.Settings(dither=name))
        tones, grey = target.configuration.astype(float), target.grey.astype(float)
        likeness[name] = structural_similarity(tones, grey, **options)
    assert likeness.pop("strokes") > max(likeness.values()) + 0.05


def test_clips_and_dissolves_replace_searched_dithers(tmp_path):
    frames = np.random.default_rng(0).random((3, 6, 8))
    for name in SEARCHED_DITHERS:
        film, report = la.make_with_report([list(frames)], size="8x6", dither=name)
        assert film.origin.settings["dither"] == BLUE_NOISE
        assert all(word in report.notes[0] for word in (name, BLUE_NOISE))
        source = la.Source(list(frames), dither=name)
        assert la.make_with_report([source], size="8x6")[1].notes == report.notes
        dissolve = la.Settings(transition="dissolve", dither=name).with_defaults_for()
        assert dissolve.dither == BLUE_NOISE
