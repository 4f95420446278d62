"""Dithering, against the plain double loop and against the tones it must keep."""

import io
from itertools import cycle, pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageFont
from scipy.ndimage import maximum_filter, minimum_filter
from tools.photographs import photograph
from tools.void_and_cluster import MASK_SEED, void_and_cluster

from lightsanim import Board, Settings, dither, load_picture, targets_for
from lightsanim.options.choices import BLUE_NOISE, DITHERS, STROKES
from lightsanim.pictures import dither_diffusion
from lightsanim.pictures.dither import MASK_FILE, MASK_SIDE
from lightsanim.pictures.dither_diffusion import (
    FIXED_OFFSET,
    KERNELS,
    diffuse_errors,
    diffuse_serpentine,
)
from lightsanim.pictures.font import FONT_FILE

SAMPLES = Path(__file__).parents[2] / "samples"

# As drawn by L. D. Crocker, P. Boulay and M. Morra in DHALF.TXT (1991), but for Bill Atkinson's,
# which is as in T. Helland, "Image dithering: eleven algorithms and source code" (2012).  The star
# is the cell.
DRAWINGS = {
    "floyd-steinberg": """
        . * 7
        3 5 1   / 16""",
    "atkinson": """
        . . * 1 1
        . 1 1 1 .
        . . 1 . .   / 8""",
    "jarvis": """
        . . * 7 5
        3 5 7 5 3
        1 3 5 3 1   / 48""",
    "stucki": """
        . . * 8 4
        2 4 8 4 2
        1 2 4 2 1   / 42""",
    "burkes": """
        . . * 8 4
        2 4 8 4 2   / 32""",
    "sierra": """
        . . * 5 3
        2 4 5 4 2
        . 2 3 2 .   / 32""",
    # Made up here: it has no row below.
    "right": """
        . * 1   / 1""",
}
# Strokes keep structures, at the expense of tones.
TONED = [name for name in DITHERS if name != STROKES]
TESTED = {**KERNELS, "right": dither_diffusion.DiffusionKernel(shares=((0, 1, 1),), divisor=1)}
# Even steps from black to white, as the words of `--levels` promise.
TONES = {levels: [level / (levels - 1) for level in range(levels)] for levels in (2, 3, 5, 7)}


def read_drawing(drawing):
    """The shares [(down, right, weight)] and the divisor."""
    table, divisor = drawing.split("/")
    cells = np.array([line.split() for line in table.strip().splitlines()])
    [[_, centre]] = np.argwhere(cells == "*")
    shares = [(row, column - centre, int(cells[row, column]))
              for row, column in np.argwhere(np.char.isdigit(cells)).tolist()]  # fmt: skip
    return shares, int(divisor)


def strays(values, levels):
    """How many cells in a 5 x 5 neighbourhood of pure black, or of pure white, are something else.

    At the edges the neighbourhood is what is on the board; "nearest" repeats no other cells.
    """
    equal = minimum_filter(values, 5, mode="nearest") == maximum_filter(values, 5, mode="nearest")
    pure = equal & np.isin(values, (0, 1))
    return np.count_nonzero(pure & (levels != values * levels.max()))


def plain_double_loop(values, drawing, serpentine=False, tones=(0, 1)):
    """The oracle: cell by cell, the error handed on to the cells that are on the board.

    A level is reached half way up from the one below.  From 8 rows on, what falls off the bottom is
    lost, and so is what reaches a cell that is pure black or white among cells that are, too.
    """
    half_ways = [low + (high - low) / 2 for low, high in pairwise(tones)]
    shares, divisor = read_drawing(drawing)
    rows, columns = values.shape
    work = np.vstack([values, np.zeros((3, columns))])
    below = rows + 3 if rows >= 8 else rows
    for row in range(rows):
        direction = -1 if serpentine and row % 2 else 1
        for column in range(columns)[::direction]:
            value = values[row, column]
            around = values[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2]
            if value in (0, 1) and (around == value).all():
                work[row, column] = 1 + FIXED_OFFSET if value else -FIXED_OFFSET
                continue
            receivers = [
                (row + down, column + direction * right, weight)
                for down, right, weight in shares
                if row + down < below and 0 <= column + direction * right < columns
            ]
            if receivers:
                level = sum(work[row, column] >= half_way for half_way in half_ways)
                error = work[row, column] - tones[level]
                error *= sum(weight for *_, weight in shares) / sum(w for *_, w in receivers)
            for to_row, to_column, weight in receivers:
                work[to_row, to_column] += error * (weight / divisor)
    return work[:rows]


def ramps(rows, columns):
    """From left to right, from top to bottom, and both; each also backwards with pure ends."""
    across, down = np.linspace(0, 1, columns), np.linspace(0, 1, rows)[:, None]
    for values in (across + 0 * down, 0 * across + down, (across + down) / 2):
        yield from (values, 1 - np.clip(1.5 * values - 0.25, 0, 1))


@given(
    name=st.sampled_from(sorted(TESTED)),
    rows=st.integers(1, 9) | st.just(50),
    columns=st.integers(1, 9) | st.integers(20, 50),
    seed=st.integers(0, 2**32 - 1),
    steps=st.sampled_from([1, 2, 4, 16, 2**40]),
    tones=st.sampled_from([*TONES.values(), [0, 0.2, 1]]),
)
def test_both_routines_give_what_the_plain_loop_gives(name, rows, columns, seed, steps, tones):
    # Few steps make for many exact ties with the thresholds.
    values = np.random.default_rng(seed).integers(0, steps + 1, (rows, columns)) / steps
    values.flags.writeable = False
    for run, serpentine in ((diffuse_errors, False), (diffuse_serpentine, True)):
        expected = plain_double_loop(values, DRAWINGS[name], serpentine, tones)
        assert np.array_equal(run(values, TESTED[name], np.array(tones)), expected)


@pytest.mark.parametrize(("name", "levels"), [*zip(KERNELS, cycle([2, 3, 7]))])
def test_a_photograph_gets_the_levels_of_the_plain_loop(name, levels):
    values, tones = photograph("camera")[100:130, 200:230] / 255, np.array(TONES[levels])
    for serpentine in (False, True):
        decided = plain_double_loop(values, DRAWINGS[name], serpentine, tones)
        nearest = np.abs(decided[..., None] - tones).argmin(axis=2)
        target = dither(values, name, "cameraman", serpentine=serpentine, levels=levels)
        assert target.name == "cameraman"
        assert target.configuration.dtype == (bool if levels == 2 else np.uint8)
        assert np.array_equal(target.configuration, nearest)
        assert np.allclose(target.in_levels, values * (levels - 1), atol=1e-6)


def bayer_rank(row, column, bits):
    """Bayer's matrix by its bits: those of row ^ column and row, interleaved and reversed."""
    return sum(
        (2 * ((row ^ column) >> bit & 1) + (row >> bit & 1)) << 2 * (bits - 1 - bit)
        for bit in range(bits)
    )


@given(
    bits=st.sampled_from([0, 1, 2, 3]),
    rows=st.integers(1, 19),
    columns=st.integers(1, 19),
    seed=st.integers(0, 2**32 - 1),
    steps=st.sampled_from([1, 2, 8, 32, 128, 2**40]),
)
def test_ordered_dither_compares_cells_with_thresholds(bits, rows, columns, seed, steps):
    values = np.random.default_rng(seed).integers(0, steps + 1, (rows, columns)) / steps
    side = 2**bits
    ranks = [[bayer_rank(i % side, j % side, bits) for j in range(columns)] for i in range(rows)]
    thresholds = (np.array(ranks) + 0.5) / side**2
    name = ("threshold", "bayer2", "bayer", "bayer8")[bits]
    for levels in (3, 5):  # in which these values and thresholds are exact
        in_levels = values * (levels - 1)
        lower = np.minimum(np.floor(in_levels), levels - 2)
        expected = lower + (in_levels - lower >= thresholds)
        assert np.array_equal(dither(values, name, levels=levels).configuration, expected)
    target = dither(values, name)
    assert np.array_equal(target.configuration, values >= thresholds)


def test_blue_noise_has_a_grey_for_each_of_its_thresholds():
    greys = np.arange(0, MASK_SIDE**2 + 1, 32) / MASK_SIDE**2
    squares = (np.full((MASK_SIDE, MASK_SIDE), grey) for grey in greys)
    shares = [dither(square, BLUE_NOISE).configuration.mean() for square in squares]
    assert shares == greys.tolist()


def test_the_mask_of_blue_noise_is_what_its_generator_makes():
    with Image.open(MASK_FILE) as image:
        assert np.array_equal(image, void_and_cluster(MASK_SIDE, MASK_SEED))


def test_blue_noise_is_shifted_for_each_primary():
    picture = load_picture(np.full((64, 64, 3), 150, np.uint8), rgb=True)
    settings = Settings(rgb=True, dither=BLUE_NOISE, detail=0, autocontrast=False)
    red, green, blue = targets_for(picture, Board(64, 64), settings)
    assert np.array_equal(np.roll(red.configuration, 32, 0), green.configuration)
    assert np.array_equal(np.roll(red.configuration, 32, 1), blue.configuration)


@pytest.mark.parametrize("levels", [2, 3, 5, 7])
@pytest.mark.parametrize("name", TONED)
def test_flat_greys_keep_their_mean_in_two_levels(name, levels):
    # Atkinson's kernel loses a quarter of the errors, a plain threshold all of them; a square of
    # four thresholds has five greys from a level to the next.
    within = {"threshold": 1 / 2, "atkinson": 0.15, "bayer2": 1 / 8}.get(name, 0.05)
    # Greys that equal a level, and greys between two levels.
    for tone in np.unique(np.add.outer(np.arange(levels), [-0.7, -0.4, -0.2, 0]).clip(0)):
        lights = dither(np.full((24, 32), tone / (levels - 1)), name, levels=levels).configuration
        assert lights.mean() == pytest.approx(tone, abs=within + 1e-6)
        assert set(np.unique(lights)) <= {int(tone), int(np.ceil(tone))}


@pytest.mark.parametrize(("name", "levels"), [("floyd-steinberg", 3), ("bayer", 7)])
def test_linear_tone_keeps_the_light_of_the_picture(name, levels):
    light = (np.array(TONES[levels]) + 0.055) / 1.055
    light = np.where(np.array(TONES[levels]) <= 0.04045, 0, light**2.4)  # IEC 61966-2-1
    for values in ramps(75, 100):
        target = dither(values, name, levels=levels, tone="linear")
        assert light[target.configuration].mean() == pytest.approx(values.mean(), abs=0.015)
        assert target.in_levels[values > light[1]].min() >= 1


@pytest.mark.parametrize(("name", "levels"), [*zip(TONED, [2, 5] * 7, strict=False)])
def test_pure_areas_stay_pure(name, levels):
    # Pure squares, in the middle and at the sides, that all errors run into.
    for grey, pure in ((0.3, 0), (0.01, 0), (0.7, 1), (0.99, 1)):
        values = np.full((30, 40), grey)
        values[5:12, 33:] = values[10:20, 8:30] = values[25:, :20] = pure
        for serpentine in (False, True) if name in KERNELS else (None,):
            for tone in ("srgb", "linear"):
                target = dither(values, name, serpentine=serpentine, levels=levels, tone=tone)
                assert not strays(values, target.configuration)


def test_small_pictures_are_diffused_serpentine():
    small = photograph("camera")[:120, :150] / 255
    for values, serpentine in ((small, True), (small.repeat(4, 0).repeat(4, 1), False)):
        expected = dither(values, serpentine=serpentine).configuration
        assert np.array_equal(dither(values).configuration, expected)


def letters(tone=0, quality=None):
    """Draw smooth letters on white; with a quality, as JPEG does."""
    font = ImageFont.truetype(FONT_FILE, 70)
    drawing = Image.new("L", (200, 100), 255)
    ImageDraw.Draw(drawing).text((100, 50), "ABC", tone, font, "mm")
    if quality is not None:
        drawing.save(buffer := io.BytesIO(), "JPEG", quality=quality)
        drawing = Image.open(buffer)
    return np.asarray(drawing)


def rings():
    # Two rings of different greys, four times as large, then reduced for smooth edges.
    drawing = Image.new("L", (600, 400), 255)
    for left, grey in ((40, 90), (240, 20)):
        ImageDraw.Draw(drawing).ellipse((left, 60, left + 300, 360), None, grey, 50)
    return np.asarray(drawing.reduce(2))


FLAT = {
    "letters": letters(),
    "pale letters": letters(180),
    "letters as jpeg": letters(quality=75),
    "rings": rings(),
    "flag": np.repeat([[0, 38, 84], [255, 255, 255], [237, 41, 57]], 60, 0)[None].repeat(99, 0),
}
TONAL = {
    **{name: photograph(name) for name in ("astronaut", "camera", "chelsea", "page", "rocket")},
    "dark": photograph("rocket")[:200] // 4,
    "cut out": np.where(photograph("astronaut").mean(2) < 170, photograph("camera"), 255),
    "drawing with shades": np.asarray(Image.open(SAMPLES / "face.png").convert("L")),
    "already dithered": np.asarray(Image.fromarray(photograph("camera")).convert("1")),
}


@pytest.mark.parametrize("name", [*FLAT, *TONAL])
def test_auto_dither_draws_flat_art_alone_by_threshold(name):
    picture, board = load_picture((FLAT | TONAL)[name].astype(np.uint8)), Board(50, 60)
    given = [{"dither": "floyd-steinberg"}, {"dither": "threshold", "detail": 0}][name in FLAT]
    auto, expected = (targets_for(picture, board, Settings(**own))[0] for own in ({}, given))
    assert np.array_equal(auto.configuration, expected.configuration)


def test_auto_dither_keeps_lines_that_a_threshold_would_lose():
    # Letters beside a ring whose line is less than a pixel wide.
    drawing = Image.fromarray(np.hstack([letters(), np.full((100, 110), 255, np.uint8)]))
    drawing = drawing.resize((1240, 400))
    ImageDraw.Draw(drawing).ellipse((820, 40, 1140, 360), None, 0, 3)
    picture = load_picture(np.asarray(drawing.reduce(4)))
    plain, contrasty = ({"dither": "threshold", "detail": amount} for amount in (0, 2))
    given = {(100, 310): plain, (40, 124): contrasty, (32, 100): {"dither": "floyd-steinberg"}}
    for (rows, columns), own in given.items():
        board = Board(rows, columns)
        auto, expected = (targets_for(picture, board, Settings(**o))[0] for o in ({}, own))
        assert np.array_equal(auto.configuration, expected.configuration)
        ring = auto.configuration[:, -columns // 3 :]
        assert not ring.all()
