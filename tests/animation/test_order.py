"""Click orders: where each goes, how far clicks stray, and orders that only click unlit cells."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import lightsanim as la
from lightsanim.animation.hilbert import hilbert_positions
from lightsanim.animation.legal_order import is_legal, order_legally
from lightsanim.animation.order import (
    ORDERS,
    noise_times,
    order_clicks,
    radial_times,
    spiral_times,
)
from lightsanim.board.board import Board
from lightsanim.errors import OptionError, SolverError
from lightsanim.solve.fewest import fewest_clicks
from lightsanim.solve.status import Status

DATA = Path(__file__).parents[1] / "data"

seeds = st.integers(0, 2**32)
shapes = st.tuples(st.integers(1, 25), st.integers(1, 25))

# Orders whose times are fixed.
FIXED = ("radial", "sweep", "diagonal", "spiral", "hilbert")


def ordered(order, shape=(30, 40), seed=0, clicks=None, **options):
    """An order of all cells, or of `clicks`; tones are a ramp from left to right."""
    clicks = np.ones(shape, bool) if clicks is None else clicks
    tone = np.broadcast_to(np.linspace(0, 1, clicks.shape[1]), clicks.shape)
    options = {"tone": tone} | options
    return order_clicks(clicks, order, np.random.default_rng(seed), **options)


@pytest.mark.parametrize("order", ORDERS)
@settings(max_examples=6)
@example((1, 1), 1, False, 0.1)
@given(shapes, seeds, st.booleans(), st.floats(0, 1))
def test_every_order_clicks_each_cell_of_the_set_once(order, shape, seed, reverse, spread):
    clicks = np.random.default_rng(seed).random(shape) < 0.5
    cells = ordered(order, seed=seed, clicks=clicks, reverse=reverse, spread=spread)
    assert cells.dtype == np.int32
    assert sorted(cells.tolist()) == np.flatnonzero(clicks).tolist()


@pytest.mark.parametrize("order", ORDERS)
def test_a_seed_gives_an_order_and_reverse_the_same_backwards(order):
    for spread in (0, 0.02, 1):
        once, again, other = (ordered(order, spread=spread, seed=seed) for seed in (1, 1, 2))
        assert np.array_equal(once, again)
        assert spread == 0 or not np.array_equal(once, other)
        assert np.array_equal(ordered(order, spread=spread, seed=1, reverse=True), once[::-1])


@pytest.mark.parametrize("order", FIXED)
def test_no_click_strays_further_than_spread(order):
    exact, spread = ordered(order, spread=0), 0.2
    assert (np.diff(ORDERS[order]((30, 40), None, None).ravel()[exact]) >= 0).all()
    # Of two clicks whose places are spread / (1 - spread) apart, the draw cannot change which is
    # first; so no click is overtaken by more clicks than lie in between.
    place = np.argsort(exact)[ordered(order, spread=spread)]
    far = np.abs(place - np.arange(len(place))).max() / len(place)
    assert 0 < far <= spread / (1 - spread)


@pytest.mark.parametrize("order", [order for order in ORDERS if order != "random"])
def test_the_default_spread_keeps_the_edge_narrow(order):
    # Seen at half time: all but a few cells are done exactly if their place is before.
    exact, strayed = ordered(order, (60, 60), spread=0), ordered(order, (60, 60))
    half = len(exact) // 2
    kept = np.intersect1d(exact[:half], strayed[:half]).size
    assert 0.97 * half < kept


def test_radial_is_the_distance_from_the_middle():
    squares = [[5, 2, 1, 2, 5], [4, 1, 0, 1, 4], [5, 2, 1, 2, 5]]
    assert radial_times((3, 5)) ** 2 == pytest.approx(np.array(squares))


def test_spiral_is_stretched_and_turns_outwards():
    # The middle of three cells that lie where one did is where that one was.
    np.testing.assert_allclose(spiral_times((8, 24))[:, 1::3], spiral_times((8, 8)))
    np.testing.assert_allclose(spiral_times((24, 8))[1::3], spiral_times((8, 8)))
    cells = ordered("spiral", (61, 91), spread=0)
    down, right = np.divmod(cells, 91) - np.array([[30], [45]])
    distance = np.maximum(abs(down) / 61, abs(right) / 91)
    turned = np.unwrap(np.arctan2(down, right)[distance > 0])
    # Three turns to the edges' middles and one more into the corners, always the same way round.
    assert 3 < (turned[-1] - turned[0]) / (2 * np.pi) < 4
    assert np.diff(turned).min() > -1e-9
    a_turn = np.floor(spiral_times((61, 91))).ravel()[cells]
    means = [distance[a_turn == turn].mean() for turn in np.unique(a_turn)]
    assert all(one < two for one, two in pairwise(means))


@given(st.integers(1, 60), st.integers(1, 60))
def test_hilbert_curve_visits_neighbouring_cells_once(rows, columns):
    places = hilbert_positions((rows, columns))
    assert places[0, 0] == 0
    row, column = np.divmod(np.argsort(places, axis=None), columns)
    assert np.array_equal(np.sort(places, axis=None), np.arange(rows * columns))
    assert (abs(np.diff(row)) + abs(np.diff(column)) == 1).all()


def test_hilbert_curve_on_powers_of_two_is_hilberts_own():
    # Hilbert's: each quarter of the board is passed in one go, and each quarter of that.
    places = hilbert_positions((64, 64))
    for size in (32, 16, 8, 4, 2):
        blocks = places.reshape(64 // size, size, 64 // size, size).swapaxes(1, 2)
        assert (np.ptp(blocks, axis=(2, 3)) == size**2 - 1).all()


@settings(max_examples=10)
@given(st.integers(30, 60), st.integers(30, 60), seeds)
def test_noise_is_smooth(rows, columns, seed):
    field = noise_times((rows, columns), np.random.default_rng(seed))
    for one, two in [(field[1:], field[:-1]), (field[:, 1:], field[:, :-1])]:
        assert np.corrcoef(one.ravel(), two.ravel())[0, 1] > 0.9


def test_noise_has_blobs_all_over_the_board():
    # Each quarter of the board begins early and ends late, on average.
    early = []
    for seed in range(20):
        done = np.zeros(1600, bool)
        done[ordered("noise", (40, 40), seed)[:400]] = True
        early.append(done.reshape(2, 20, 2, 20).mean(axis=(1, 3)))
    assert np.mean(early, axis=0) == pytest.approx(np.full((2, 2), 0.25), abs=0.08)
    assert np.mean(np.array(early) > 0) > 0.85


def test_tone_goes_from_dark_to_light():
    # A face of two tones: all of the dark cells, but for those that the blur rounds off.
    light = np.zeros((40, 40), bool)
    light[10:30, 15:25] = True
    cells = ordered("tone", (40, 40), tone=light.astype(float), spread=0)
    assert light.ravel()[cells[:1400]].mean() < 0.02
    assert light.ravel()[cells[-150:]].all()


def test_an_array_or_a_function_is_an_order():
    times = np.random.default_rng(1).permutation(1200).reshape(30, 40)
    for order in (times, lambda row, column: times[row.astype(int), column.astype(int)]):
        assert np.array_equal(ordered(order, spread=0), np.argsort(times, axis=None))


@pytest.mark.parametrize("order", [np.eye(30, 40) * np.nan, np.eye(30, 40) * 1j, np.eye(40, 30)])
def test_invalid_custom_order_is_refused_before_the_search(order):
    with pytest.raises(OptionError, match=r"^order must"):
        ordered(order)
    with pytest.raises(OptionError, match=r"^order must"):
        la.make([np.eye(30), np.eye(30)], size="40x30", time_limit=1e-9, order=order)


def test_custom_order_is_recorded_as_custom(tmp_path):
    times = np.add.outer(np.arange(6), -np.arange(8))
    film = la.make([np.eye(20), 1 - np.eye(20)], size="8x6", order=times, spread=0, seed=1)
    film.save(tmp_path / "a.json")
    assert la.load_animation(tmp_path / "a.json") == film
    assert film.origin.settings["order"] == "custom"
    with pytest.raises(OptionError, match="order custom stands for an array or a function"):
        la.Settings(**film.origin.settings)
    film.save(tmp_path / "a.gif")
    assert la.verify(tmp_path / "a.gif", targets=[np.eye(20), 1 - np.eye(20)]).legal


def legal_orders_exist(board, first, clicks, press):
    """Whether a set of clicks has a legal order, by trying all: breadth first over subsets."""
    cells = np.flatnonzero(clicks).tolist()
    flips = {c: np.flatnonzero(board.neighbourhood(*divmod(c, board.columns))) for c in cells}
    flipped_by = {c: {o for o in cells if c in flips[o]} for c in cells}
    wrong = {c: bool(first.flat[c]) != (press == "lit") for c in cells}
    reached = {frozenset()}
    for _ in cells:
        reached = {
            done | {c}
            for done in reached
            for c in cells
            if c not in done and len(flipped_by[c] & done) % 2 == wrong[c]
        }
    return bool(reached)


def pressed_legally(board, first, clicks, order, press):
    """Is it the click set, each cell as `press` says when clicked?  Without `is_legal`."""
    lights, state = first.copy(), press == "lit"
    for cell in order.tolist():
        if lights.flat[cell] != state:
            return False
        lights ^= board.neighbourhood(*divmod(cell, board.columns))
    return sorted(order.tolist()) == np.flatnonzero(clicks).tolist()


@given(st.integers(1, 5), st.integers(1, 5), seeds, st.sampled_from(["unlit", "lit"]))
def test_a_legal_order_is_legal(rows, columns, seed, press):
    board, rng = Board(rows, columns), np.random.default_rng(seed)
    first, clicks = rng.random((2, *board.shape)) < 0.5
    given = {"press": press, "attempts": 20}
    try:
        order, again = (
            order_legally(board, first, clicks, np.random.default_rng(seed), **given) for _ in "12"
        )
    except SolverError:
        return
    assert np.array_equal(order, again)
    assert pressed_legally(board, first, clicks, order, press)
    for some in (order, rng.permutation(order)):
        legal = pressed_legally(board, first, clicks, some, press)
        assert is_legal(board, first, some, press=press) == legal


@pytest.mark.parametrize(
    ("rule", "press"),
    [("plus", "unlit"), ("cross", "lit"), ("ring", "unlit"), ("110/010/000", "lit")],
)
def test_legal_order_on_3x3_is_found_if_one_exists(rule, press):
    # (Measured once for plus and all 19,683 pairs of a click set and the states of its cells: 7504
    # have an order, all were found.)
    board, rng, exist = Board(3, 3, rule=rule), np.random.default_rng(0), 0
    for number in range(0, 512, 9):
        clicks = (number >> np.arange(9) & 1).astype(bool).reshape(3, 3)
        first = rng.random((3, 3)) < 0.5
        if legal_orders_exist(board, first, clicks, press):
            order = order_legally(board, first, clicks, rng, press=press, attempts=50)
            assert pressed_legally(board, first, clicks, order, press)
            exist += 1
        else:
            with pytest.raises(SolverError):
                order_legally(board, first, clicks, rng, press=press, attempts=50)
    assert exist >= 5


def test_the_challenge_of_ponder_this_is_solved():
    # https://research.ibm.com/haifa/ponderthis/challenges/April2023.html: turn all bulbs on; a
    # click flips a row and a column, and only a bulb that is off may be chosen.
    rows = (DATA / "ponder_24.txt").read_text().split()
    first = np.array([[bulb == "1" for bulb in row] for row in rows])
    board, on = Board(24, 24, rule="cross"), np.ones((24, 24), bool)
    fewest = fewest_clicks(board, board.clicks_between(first, on))
    assert (fewest.count, fewest.status) == (280, Status.OPTIMAL)
    order = order_legally(board, first, fewest.clicks, np.random.default_rng(0))
    assert len(order) == 280
    lights = first.copy()
    for row, column in (divmod(int(cell), 24) for cell in order):
        assert not lights[row, column]
        corner = lights[row, column]
        lights[row] ^= True
        lights[:, column] ^= True
        lights[row, column] = not corner  # flipped by both, but once
    assert lights.all()


def test_one_way_touches_skip_the_parity_check():
    # A click flips itself and its left cell.  The left of two must be clicked after the right one
    # where it is lit, and before it where it is not; the right one must be unlit.
    board, rng = Board(1, 2, rule="110"), np.random.default_rng(0)
    both = np.ones((1, 2), bool)
    for first, order in [([True, False], [1, 0]), ([False, False], [0, 1])]:
        assert order_legally(board, np.array([first]), both, rng).tolist() == order
    with pytest.raises(SolverError, match="the group of 2 clicks at row 0, column 0 is the last,"):
        order_legally(board, np.array([[False, True]]), both, rng)


def test_impossible_legal_order_is_explained():
    board, rng = Board(4, 5), np.random.default_rng(0)
    lit, clicks = np.ones((4, 5), bool), np.zeros((4, 5), bool)
    clicks[2, 3] = True
    with pytest.raises(SolverError, match="the group of 1 click at row 2, column 3 has 1 lit and "):
        order_legally(board, lit, clicks, rng)
    with pytest.raises(SolverError, match="has 1 unlit and 0 touches; both numbers must be odd"):
        order_legally(board, ~lit, clicks, rng, press="lit")
    # A ring of four: all of them lit and touched evenly, so that none can be the first.
    clicks[1:3, 2:4] = True
    refusal = "legal: whichever of the group of 4 clicks at row 1, column 2 is the first, its cell "
    with pytest.raises(SolverError, match=refusal):
        order_legally(board, lit, clicks, rng)
    # A click flips its cell and the left one: of three the right one is lit, and stays so.
    board, first = Board(1, 3, rule="110"), np.array([[True, False, True]])
    refusal = "^no legal order found in 7 attempts for the group of 3 clicks at row 0, column 0; "
    with pytest.raises(SolverError, match=refusal):
        order_legally(board, first, first | True, rng, attempts=7)


def in_tones(**options):
    return ordered("tone", **options)


def legally(**options):
    off = np.zeros((3, 3), bool)
    return order_legally(Board(3, 3), **{"first": off, "clicks": off, "rng": None, **options})


@pytest.mark.parametrize(
    ("order", "options", "message"),
    [
        (in_tones, {"tone": None}, "order 'tone' needs tone, the grey values of the first picture"),
        (in_tones, {"spread": float("nan")}, "spread must be a number from 0 to 1, not nan"),
        (legally, {"press": "red"}, "press must be one of unlit, lit, not 'red'"),
        (legally, {"clicks": np.ones((2, 2), bool)}, r"clicks must have shape \(3, 3\)"),
        (legally, {"first": np.ones((2, 2), bool)}, r"first must have shape \(3, 3\)"),
    ],
)
def test_options_of_orders_are_checked(order, options, message):
    with pytest.raises(OptionError, match=message):
        order(**options)


def test_legal_order_of_too_many_clicks_is_refused():
    board, on = Board(300, 300, rule="cross"), np.ones((300, 300), bool)
    with pytest.raises(OptionError, match="90000 clicks that flip 599 cells each are too many"):
        order_legally(board, ~on, on, np.random.default_rng(0))
