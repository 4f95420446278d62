"""Dithering, against the plain double loop and against the tones it must keep."""

import time

import numpy as np
import pytest
import skimage.data
from hypothesis import given
from hypothesis import strategies as st

from lightsanim.errors import OptionError
from lightsanim.pictures.dither import KERNELS, Kernel, Target, diffuse, dither

# J. F. Jarvis, C. N. Judice and W. H. Ninke, Computer Graphics and Image Processing 5 (1976)
# 13-40: reaches two columns back and two rows down.
JARVIS = Kernel(
    shares=(
        *((0, 1, 7), (0, 2, 5)),
        *((1, -2, 3), (1, -1, 5), (1, 0, 7), (1, 1, 5), (1, 2, 3)),
        *((2, -2, 1), (2, -1, 3), (2, 0, 5), (2, 1, 3), (2, 2, 1)),
    ),
    divisor=48,
)
# Bill Atkinson's kernel hands on six eighths of the error only.
ATKINSON = Kernel(
    shares=((0, 1, 1), (0, 2, 1), (1, -1, 1), (1, 0, 1), (1, 1, 1), (2, 0, 1)), divisor=8
)
RIGHT = Kernel(shares=((0, 1, 1),), divisor=1)
KERNELS_TO_TRY = [KERNELS["floyd-steinberg"], JARVIS, ATKINSON, RIGHT]
SHAPES = [(40, 40), (60, 60), (1080, 1920)]


def plain_double_loop(values, kernel):
    """The oracle: cell by cell, the error handed on to whoever is on the board."""
    rows, columns = values.shape
    work = values.copy()
    for row in range(rows):
        for column in range(columns):
            receivers = [
                (row + down, column + right, weight)
                for down, right, weight in kernel.shares
                if row + down < rows and 0 <= column + right < columns
            ]
            if receivers:
                error = work[row, column] - (work[row, column] >= 0.5)
                error *= kernel.total / sum(weight for *_, weight in receivers)
            for to_row, to_column, weight in receivers:
                work[to_row, to_column] += error * (weight / kernel.divisor)
    return work


def ramp(rows, columns, direction):
    across, down = np.linspace(0, 1, columns), np.linspace(0, 1, rows)[:, None]
    both = {"horizontal": across + 0 * down, "vertical": 0 * across + down}
    return both.get(direction, (across + down) / 2)


@given(
    kernel=st.sampled_from(KERNELS_TO_TRY),
    rows=st.integers(1, 9),
    columns=st.integers(1, 9),
    seed=st.integers(0, 2**32 - 1),
    levels=st.sampled_from([1, 2, 4, 16, 2**40]),
)
def test_wavefronts_give_exactly_what_the_plain_loop_gives(kernel, rows, columns, seed, levels):
    # Few levels make for many exact ties with the threshold.
    values = np.random.default_rng(seed).integers(0, levels + 1, (rows, columns)) / levels
    assert np.array_equal(diffuse(values, kernel), plain_double_loop(values, kernel))


@pytest.mark.parametrize("shape", [(1, 1), (1, 50), (50, 1), (2, 50), (50, 2), (50, 3), (37, 41)])
@pytest.mark.parametrize("kernel", KERNELS_TO_TRY)
def test_narrow_boards_give_exactly_what_the_plain_loop_gives(kernel, shape):
    values = np.random.default_rng(5).random(shape)
    assert np.array_equal(diffuse(values, kernel), plain_double_loop(values, kernel))


def test_the_oracle_notices_another_kernel():
    values = np.random.default_rng(5).random((9, 9))
    assert not np.array_equal(diffuse(values, JARVIS), plain_double_loop(values, ATKINSON))


def test_wavefronts_are_as_steep_as_the_kernel_needs():
    assert [kernel.skew for kernel in KERNELS_TO_TRY] == [2, 3, 2, 1]


def test_a_photograph_is_dithered_as_the_plain_loop_does():
    values = skimage.data.camera()[100:180, 200:300] / 255
    expected = plain_double_loop(values, KERNELS["floyd-steinberg"])
    target = dither(values, name="cameraman")
    assert target.name == "cameraman"
    assert np.array_equal(target.configuration, expected >= 0.5)
    assert np.array_equal(target.margin, np.abs(expected - 0.5).astype(np.float32))


@pytest.mark.parametrize("direction", ["horizontal", "vertical", "diagonal"])
@pytest.mark.parametrize("shape", SHAPES)
def test_a_ramp_keeps_its_mean(shape, direction):
    values = ramp(*shape, direction)
    for picture in (values, 1 - values):
        assert dither(picture).configuration.mean() == pytest.approx(picture.mean(), abs=0.001)


@pytest.mark.parametrize("shape", [(40, 40), (1, 60), (60, 1), (25, 3)])
@pytest.mark.parametrize("tone", [0.02, 0.1, 0.25, 0.4, 0.5, 0.6, 0.9, 0.98])
def test_no_error_is_lost_at_the_edges(shape, tone):
    # One error at most is left over: that of the last cell.
    lit = dither(np.full(shape, tone)).configuration.sum()
    assert abs(lit - tone * np.prod(shape)) < 1


@pytest.mark.parametrize("shape", SHAPES)
def test_black_stays_unlit_and_white_stays_lit(shape):
    assert not dither(np.zeros(shape)).configuration.any()
    assert dither(np.ones(shape)).configuration.all()
    halves = np.zeros(shape)
    halves[:, shape[1] // 3 :] = 1
    assert np.array_equal(dither(halves).configuration, halves == 1)


def test_a_cell_at_the_threshold_is_lit():
    assert dither([[0.5]]).configuration.item() is True
    assert dither([[np.nextafter(0.5, 0)]]).configuration.item() is False


def test_margins_say_how_clear_each_decision_was():
    # By hand: 0.7 is lit and hands on -0.3, which leaves 0.4 - 0.3 = 0.1 in the only receiver.
    target = dither([[0.7, 0.4]])
    assert target.margin.dtype == np.float32
    assert target.margin.tolist()[0] == pytest.approx([0.2, 0.4])


def test_a_full_hd_board_takes_no_time_to_speak_of():
    values = skimage.data.camera()[:270, :480].repeat(4, 0).repeat(4, 1) / 255
    start = time.perf_counter()
    assert dither(values).configuration.shape == (1080, 1920)
    assert time.perf_counter() - start < 1.5


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ([[0.5, np.nan]], "nan"),
        ([[0.5, np.inf]], "inf"),
        ([[0.5, 1.5]], "1.5"),
        ([[-0.25]], "-0.25"),
        ([0.5], "(1,)"),
        (np.zeros((0, 3)), "(0, 3)"),
        (np.zeros((2, 2, 3)), "(2, 2, 3)"),
        ([["grey"]], "grey"),
        ([[0.5], [0.5, 0.5]], "real numbers"),
    ],
)
def test_values_that_are_no_greys_are_refused(values, said):
    with pytest.raises(OptionError) as caught:
        dither(values)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_unknown_dither_is_refused_with_those_that_are_known():
    with pytest.raises(OptionError, match=r"one of floyd-steinberg.*, not 'floyd'"):
        dither([[0.5]], kernel="floyd")


@pytest.mark.parametrize(
    ("shares", "divisor"),
    [
        (((0, 0, 1),), 1),
        (((0, -1, 1),), 1),
        (((-1, 2, 1),), 1),
        (((0, 1, 0),), 1),
        (((0, 1, 2),), 1),
        ((), 1),
        (((0, 1, 1),), float("nan")),
    ],
)
def test_a_kernel_that_cannot_be_diffused_is_refused(shares, divisor):
    with pytest.raises(OptionError):
        Kernel(shares=shares, divisor=divisor)


def test_a_target_holds_arrays_of_one_shape_and_the_right_types():
    lit, margin = np.ones((2, 3), dtype=np.bool_), np.zeros((2, 3), dtype=np.float32)
    assert Target(name="a", configuration=lit, margin=margin).configuration is lit
    for wrong in (
        {"configuration": lit.T, "margin": margin},
        {"configuration": lit, "margin": margin.astype(float)},
        {"configuration": lit.astype(int), "margin": margin},
        {"configuration": lit[:0], "margin": margin[:0]},
    ):
        with pytest.raises(OptionError):
            Target(name="a", **wrong)
