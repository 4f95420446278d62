"""Click orders: where each goes, how far clicks stray, which click unlit cells alone, seams."""

import hashlib
import heapq
import struct
import tracemalloc
from functools import partial
from itertools import product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tools.refusals import assert_refused

import lightsanim as la
from lightsanim.errors import SolverError
from lightsanim.film.cell_times import (
    ORDERS,
    geodesic_distances,
    hilbert_positions,
    noise_times,
    radial_times,
    spiral_times,
)
from lightsanim.film.order import order_clicks_with_front
from lightsanim.film.seam import find_independent_classes
from lightsanim.game.solve.legal_order import find_legal_order, is_legal_order

seeds = st.integers(0, 2**32)
shapes = st.tuples(st.integers(1, 25), st.integers(1, 25))

# Orders whose times are fixed.
FIXED = ("radial", "sweep", "diagonal", "spiral", "hilbert")


def ordered(order="tone", shape=(30, 40), seed=0, clicks=None, **options):
    """An order of all cells, or of `clicks`; tones are a ramp from left to right."""
    clicks = np.ones(shape, bool) if clicks is None else clicks
    tone = np.broadcast_to(np.linspace(0, 1, clicks.shape[1]), clicks.shape)
    tones = {"tone": tone, "next_tone": tone[:, ::-1] ** 2}
    return la.order_clicks(clicks, order, np.random.default_rng(seed), **{**tones, **options})


@pytest.mark.parametrize("order", ORDERS)
@settings(max_examples=6)
@example((1, 1), 1, 0.1)
@example((30, 40), 1, 0)
@example((30, 40), 1, 0.02)
@given(shapes, seeds, st.floats(0, 1))
def test_every_order_clicks_each_cell_once_and_repeats(order, shape, seed, spread):
    clicks = np.random.default_rng(seed).random(shape) < 0.5
    cells, again, backwards, others = (
        ordered(order, seed=own, clicks=clicks, reverse=reverse, spread=spread)
        for own, reverse in [(seed, False), (seed, False), (seed, True), (seed + 1, False)]
    )
    assert cells.dtype == np.int32
    assert sorted(cells.tolist()) == np.flatnonzero(clicks).tolist()
    assert np.array_equal(cells, again)
    assert np.array_equal(cells, backwards[::-1])
    assert clicks.sum() < 100 or spread < 0.02 or not np.array_equal(cells, others)


@pytest.mark.parametrize("order", FIXED)
def test_no_click_strays_further_than_spread(order):
    exact, spread = ordered(order, spread=0), 0.2
    assert (np.diff(ORDERS[order]((30, 40), None, None).ravel()[exact]) >= 0).all()
    # Of two clicks whose ranks are spread / (1 - spread) apart, the draw cannot change which is
    # first; so no click is overtaken by more clicks than lie in between.
    ranks = np.argsort(exact)[ordered(order, spread=spread)]
    distance = np.abs(ranks - np.arange(len(ranks))).max() / len(ranks)
    assert 0 < distance <= spread / (1 - spread)


@pytest.mark.parametrize("order", [order for order in ORDERS if order != "random"])
def test_the_default_spread_keeps_the_edge_narrow(order):
    # Seen at half time: all but a few cells are done exactly if their rank is before.
    exact, strayed = ordered(order, (60, 60), spread=0)[:1800], ordered(order, (60, 60))[:1800]
    assert np.intersect1d(exact, strayed).size > 0.97 * 1800


def test_the_flood_takes_the_shortest_paths_across_edges():
    cost = 1 + 30 * np.random.default_rng(0).random((15, 20)) ** 4
    found, queue = np.full(cost.shape, np.inf), [(0.0, 3, 4)]  # Dijkstra's algorithm
    while queue:
        length, row, column = heapq.heappop(queue)
        if length < found[row, column]:
            found[row, column] = length
            for r, c in product(range(row - 1, row + 2), range(column - 1, column + 2)):
                if 0 <= r < 15 and 0 <= c < 20:
                    step = (cost[r, c] + cost[row, column]) / 2 * np.hypot(r - row, c - column)
                    heapq.heappush(queue, (length + step, r, c))
    np.testing.assert_allclose(geodesic_distances(cost, (3, 4)), found)


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
    angles = np.unwrap(np.arctan2(down, right)[distance > 0])
    # Three turns to the edges' middles and one more into the corners, always the same way round.
    assert 3 < (angles[-1] - angles[0]) / (2 * np.pi) < 4
    assert np.diff(angles).min() > -1e-9
    turns = np.floor(spiral_times((61, 91))).ravel()[cells]
    assert np.diff([distance[turns == turn].mean() for turn in np.unique(turns)]).min() > 0


@given(st.integers(1, 60), st.integers(1, 60))
def test_hilbert_curve_visits_neighbouring_cells_once(rows, columns):
    positions = hilbert_positions((rows, columns))
    assert positions[0, 0] == 0
    assert np.array_equal(np.sort(positions, axis=None), np.arange(rows * columns))
    row, column = np.divmod(np.argsort(positions, axis=None), columns)
    assert (abs(np.diff(row)) + abs(np.diff(column)) == 1).all()


def test_hilbert_curve_on_powers_of_two_is_hilberts_own():
    # Hilbert's: each quarter of the board is passed in one go, and each quarter of that.
    positions = hilbert_positions((64, 64))
    for size in (32, 16, 8, 4, 2):
        blocks = positions.reshape(64 // size, size, 64 // size, size).swapaxes(1, 2)
        assert (np.ptp(blocks, axis=(2, 3)) == size**2 - 1).all()


@settings(max_examples=10)
@given(st.integers(30, 60), st.integers(30, 60), seeds)
def test_noise_is_smooth(rows, columns, seed):
    field = noise_times((rows, columns), np.random.default_rng(seed))
    for times in (field, field.T):
        assert np.corrcoef(times[1:].ravel(), times[:-1].ravel())[0, 1] > 0.9


def test_noise_has_blobs_all_over_the_board():
    # Each quarter of the board begins early and ends late, on average.
    early = np.zeros((20, 1600))
    for seed, done in enumerate(early):
        done[ordered("noise", (40, 40), seed)[:400]] = 1
    shares = early.reshape(20, 2, 20, 2, 20).mean(axis=(2, 4))
    assert shares.mean(axis=0) == pytest.approx(np.full((2, 2), 0.25), abs=0.08)
    assert np.mean(shares > 0) > 0.85


def test_tone_goes_from_dark_to_light():
    # A face of two tones: all of the dark cells, but for those that the blur rounds off.
    light = np.zeros((40, 40), bool)
    light[10:30, 15:25] = True
    cells = ordered("tone", (40, 40), tone=light.astype(float), spread=0)
    assert light.ravel()[cells[:1400]].mean() < 0.02
    assert light.ravel()[cells[-150:]].all()


def test_an_array_or_a_function_is_an_order():
    times = np.random.default_rng(1).permutation(1200).reshape(30, 40)
    function = lambda rows, columns: times[rows.astype(int), columns.astype(int)]  # noqa: E731
    for order in (times, times.tolist(), function):
        assert np.array_equal(ordered(order, spread=0), np.argsort(times, axis=None))


def test_custom_order_is_recorded_as_custom(tmp_path):
    times, pictures = np.add.outer(np.arange(6), -np.arange(8)), [np.eye(20), 1 - np.eye(20)]
    film = la.make(pictures, size="8x6", order=times, spread=0, seed=1)
    for name in ("a.json", "a.gif"):
        film.save(tmp_path / name)
    assert la.load_animation(tmp_path / "a.json") == film
    assert film.origin.settings["order"] == "custom"
    digest = hashlib.sha256(struct.pack("<48d", *times.ravel().tolist())).hexdigest()
    assert film.origin.order_sha256 == digest
    assert_refused(lambda: la.Settings(**film.origin.settings), "order custom array function")
    assert la.verify(tmp_path / "a.gif", targets=pictures).legal


def legal_orders_exist(board, first, clicks, press):
    """Whether a set of clicks has a legal order, by trying all: breadth first over subsets."""
    cells = np.flatnonzero(clicks).tolist()
    flips = {c: np.flatnonzero(board.neighbourhood(*divmod(c, board.columns))) for c in cells}
    flipped_by = {c: {o for o in cells if c in flips[o]} for c in cells}
    wrong = {c: bool(first.flat[c]) != (press == "lit") for c in cells}
    subsets = {frozenset()}
    for _ in cells:
        subsets = {
            done | {c}
            for done in subsets
            for c in set(cells) - done
            if len(flipped_by[c] & done) % 2 == wrong[c]
        }
    return bool(subsets)


def pressed_legally(board, first, clicks, order, press):
    """Is it the click set, each cell as `press` says when clicked?  Without `is_legal_order`."""
    lights, state = first.copy(), press == "lit"
    for cell in order.tolist():
        if lights.flat[cell] != state:
            return False
        lights ^= board.neighbourhood(*divmod(cell, board.columns))
    return sorted(order.tolist()) == np.flatnonzero(clicks).tolist()


@pytest.mark.parametrize(
    ("rule", "press"),
    [("plus", "unlit"), ("cross", "lit"), ("ring", "unlit"), ("110/010/000", "lit")],
)
@pytest.mark.parametrize("shape", [(3, 3), (2, 4)])
def test_legal_order_is_found_if_one_exists(shape, rule, press):
    # (Measured once for plus on 3 x 3 and all 19,683 pairs of a click set and the states of its
    # cells: 7504 have an order, all were found.)
    board, rng, count = la.Board(*shape, rule=rule), np.random.default_rng(0), 0
    for number in range(0, 2**board.cells, 5):
        clicks = (number >> np.arange(board.cells) & 1).astype(bool).reshape(shape)
        task = board, rng.random(shape) < 0.5, clicks
        rngs = (np.random.default_rng(number) for _ in "12")
        try:
            order, again = (find_legal_order(*task, r, press=press, attempts=50) for r in rngs)
        except SolverError:
            assert not legal_orders_exist(*task, press)
            continue
        assert np.array_equal(order, again)
        assert pressed_legally(*task, order, press)
        for cells in (order, rng.permutation(order)):
            expected = pressed_legally(*task, cells, press)
            assert is_legal_order(board, task[1], cells, press=press) == expected
        count += 1
    assert count >= 5


def test_one_way_touches_skip_the_parity_check():
    # A click flips itself and its left cell.  The left of two must be clicked after the right one
    # where it is lit, and before it where it is not; the right one must be unlit.
    board, rng = la.Board(1, 2, rule="110"), np.random.default_rng(0)
    both = np.ones((1, 2), bool)
    for first, order in [([True, False], [1, 0]), ([False, False], [0, 1])]:
        assert find_legal_order(board, np.array([first]), both, rng).tolist() == order
    dark_first = np.array([[False, True]])
    assert_refused(lambda: find_legal_order(board, dark_first, both, rng), "2 row 0, column last")


def test_impossible_legal_order_is_explained():
    lit, clicks, rng = np.ones((4, 5), bool), np.zeros((4, 5), bool), np.random.default_rng(0)
    clicks[2, 3] = True
    ring = np.zeros((4, 5), bool)
    ring[1:3, 2:4] = True  # all of them lit and touched evenly, so that none can be the first
    # A click flips its cell and the left one: of three the right one is lit, and stays so.
    three, ends = la.Board(1, 3, rule="110"), np.array([[True, False, True]])
    for board, first, some, press, facts in (
        (la.Board(4, 5), lit, clicks, "unlit", "1 click row 2, column 3 1 lit"),
        (la.Board(4, 5), ~lit, clicks, "lit", "1 unlit (1) (0) odd"),
        (la.Board(4, 5), lit, ring, "unlit", "4 clicks row 1, column 2 first"),
        (three, ends, ends | True, "unlit", "7 attempts 3 clicks row 0, column 0"),
    ):
        task = partial(find_legal_order, board, first, some, rng, press=press, attempts=7)
        assert_refused(task, facts, SolverError)


def test_even_change_takes_few_bytes_a_cell():
    change, rng = np.ones((500, 500)), np.random.default_rng(0)
    options = {"reverse": False, "spread": 0, "tones": (None, None)}
    tracemalloc.start()
    order_clicks_with_front(change > 0, "radial", rng, visible_change=change.copy, **options)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # Changes, times, ranks, sums and cells, with 4 or 8 bytes each.
    assert peak < 48 * change.size


ONE_SIDED = "0000000/0000000/0000000/0001101/0000000/0000010/0000000"


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("rule", ["plus", "king", "ring", "x", ONE_SIDED, "1"])
@pytest.mark.parametrize("shape", [(12, 14), (15, 20)])
def test_clicks_of_a_class_change_no_common_cell(shape, rule, wrap):
    board = la.Board(*shape, rule=rule, wrap=wrap)
    clicks = np.eye(board.cells, dtype=bool).reshape(-1, *shape)  # one click in each set
    flips = np.array([board.toggles(click) for click in clicks])
    classes = find_independent_classes(board)
    assert all(flips[classes == number].sum(axis=0).max() == 1 for number in classes)


def test_order_of_clicks_that_flip_whole_rows_has_no_seam():
    # The search would take minutes, since any two clicks change a common cell.
    pictures, options = ["sample:sun", "sample:moon"], {"size": 32, "rule": "cross", "seed": 1}
    with_seam, without = (la.make(pictures, ease=ease, **options) for ease in ("auto", "front"))
    assert np.array_equal(with_seam.clicks, without.clicks)
