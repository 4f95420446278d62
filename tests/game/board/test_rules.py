"""All rules: each against what its words say, dense elimination, and trying everything."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tools.refusals import assert_refused
from tools.textbook import matrix_of, rank_of

from lightsanim import Board, InaccessibleError
from lightsanim.errors import OptionError
from lightsanim.game.board.factors import MAX_ELIMINATION_CELLS
from lightsanim.game.board.perfect import is_perfect_torus, nearest_perfect_board
from lightsanim.game.board.rule import RULES, parse_rule

SYMMETRIC = ["1", "101", "111/101/111", "100/010/001", "1/0/1", "01010/10101/01010"]
ASYMMETRIC = ["000/110/000", "000/100/000", "110/011/000", "1/1/0", "10001/01100/00000"]
PRODUCTS = ["111/111/000", "101/000/101", "000/110/000", "11011", "1/0/1"]

stencils = st.integers(1, 2**15 - 1).map(
    lambda bits: "/".join(f"{bits:015b}"[5 * row : 5 * row + 5] for row in range(3))
)
rules = st.sampled_from([*RULES, *SYMMETRIC, *ASYMMETRIC, *PRODUCTS]) | stencils
levels = st.sampled_from([2, 2, 3, 5, 7])
sides = st.integers(1, 8)
fewer = settings(max_examples=40)
seeds = st.integers(0, 2**32)


def random_lights(board, seed=0):
    dtype = bool if board.levels == 2 else np.uint8
    return np.random.default_rng(seed).integers(0, board.levels, board.shape).astype(dtype)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (" king\n", "king"),
        ("010/111/010", "plus"),
        ("00000/00100/01110/00100/00000", "plus"),
        ("111/111/111", "king"),
        ("010/101/010", "ring"),
        ("101/010/101", "x"),
        ("000/010/000", "1"),
        ("00000/01100/00000", "110"),
        (" 000/110/000 ", "110"),
        ("0/1/1", "0/1/1"),
    ],
)
def test_equal_rules_have_one_name(text, name):
    assert Board(4, 5, rule=text).rule == name
    assert Board(4, 5, rule=text) == Board(4, 5, rule=name)
    assert parse_rule(name).name == name


def test_the_largest_stencil_is_played():
    board = Board(3, 4, rule="/".join(["1" * 99] * 99))
    assert board.toggles(np.eye(3, 4, dtype=bool)).all()  # three clicks, each of which flips all
    assert board.nullity == 11


@settings(max_examples=60)
@given(rules, sides, sides, levels, st.booleans(), st.lists(st.integers(0, 63), max_size=30), seeds)
def test_clicks_flip_what_the_rule_says(rule, rows, columns, q, wrap, clicks, seed):
    board, rng = Board(rows, columns, rule=rule, wrap=wrap, levels=q), np.random.default_rng(seed)
    matrix = matrix_of(rule, board.shape, q, wrap=wrap)
    # A click set at once.
    clicked = random_lights(board, seed)
    toggled = board.toggles(clicked.astype(int))
    assert toggled.dtype == board.neighbourhood(0, 0).dtype == clicked.dtype
    assert np.array_equal(toggled.ravel(), matrix @ clicked.ravel() % q)
    # Clicks one by one, with two levels on three boards that lie on top of each other.
    cells = np.array(clicks, np.int32) % board.cells
    source, flipped = board.flips(cells)
    assert (np.diff(source) >= 0).all()
    for index, cell in enumerate(cells.tolist()):
        times = np.bincount(flipped[source == index], minlength=board.cells)
        assert np.array_equal(times, matrix[:, cell])
    assert matrix.sum(axis=0).max() <= board.most_flips
    start = rng.integers(0, 8 if q == 2 else q, board.shape).astype(np.uint8)
    lights, layers = start.copy(), rng.integers(1, 8, len(cells)).astype(np.uint8)
    touched = board.flip(lights, cells, layers) if q == 2 else board.flip(lights, cells)
    assert set(np.flatnonzero(lights ^ start)) <= set(touched.tolist())
    if q > 2:
        raised = matrix @ np.bincount(cells, minlength=board.cells)
        assert np.array_equal(lights.ravel(), (start.ravel() + raised) % q)
        return
    for bit in range(3):
        counts = np.bincount(cells[layers >> bit & 1 == 1], minlength=board.cells)
        assert np.array_equal((lights ^ start).ravel() >> bit & 1, matrix @ counts % 2)
    # A single click, by its neighbourhood and by its offsets.
    assert board.neighbours() == [np.flatnonzero(row).tolist() for row in matrix]
    assert board.mirrored.neighbours() == [np.flatnonzero(row).tolist() for row in matrix.T]
    assert board.most_flips <= board.cells
    row, column = divmod(seed % board.cells, columns)
    lights = np.zeros(board.shape, bool)
    for down, right in board.offsets():
        y, x = row + down, column + right
        assert wrap or (abs(down) < rows and abs(right) < columns)
        if wrap or (0 <= y < rows and 0 <= x < columns):
            lights[y % rows, x % columns] ^= True
    assert np.array_equal(lights, board.neighbourhood(row, column))


def check_algebra(board, seed):
    """What clicks reach, and which lead there, as dense elimination says."""
    q, matrix = board.levels, matrix_of(board.rule, board.shape, board.levels, wrap=board.wrap)
    rank, difference, start = rank_of(matrix, q), *(random_lights(board, seed + n) for n in (0, 1))
    assert (board.rank, board.nullity) == (rank, board.cells - rank)
    for patterns in (board.quiet_patterns(), board.parity_checks()):
        assert (patterns.dtype, patterns.shape) == (start.dtype, (board.nullity, *board.shape))
        assert rank_of(patterns.reshape(-1, board.cells), q) == board.nullity
    assert not any((matrix @ pattern.ravel() % q).any() for pattern in board.quiet_patterns())
    assert not any((check.ravel() @ matrix % q).any() for check in board.parity_checks())
    reachable = rank_of(np.column_stack([matrix, difference.ravel()]), q) == rank
    configuration = difference if q > 2 else ~difference  # the reference is all on, or off
    assert board.is_accessible(configuration) == reachable
    syndrome = board.syndrome(configuration)
    assert (syndrome.dtype, syndrome.shape) == (start.dtype, (board.nullity,))
    assert (not syndrome.any()) == reachable
    if not reachable:
        with pytest.raises(InaccessibleError, match=rf"1 configuration in {q}\*\*{board.nullity} "):
            board.clicks_between(board.subtract(start, difference), start)
    toggled = board.toggles(difference)
    clicks = board.clicks_between(start.astype(float), board.add(start, toggled))
    assert (clicks.dtype, clicks.shape) == (start.dtype, board.shape)
    assert np.array_equal(matrix @ clicks.ravel() % q, toggled.ravel())


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("rule", [*RULES, "110/011/000", *PRODUCTS])
def test_all_small_boards_match_dense_elimination(rule, wrap):
    largest = 5 if rule in ("cross", "king") else 3
    cases = itertools.product([2], *[range(1, largest + 1)] * 2)
    for q, rows, columns in [*cases, *itertools.product([3], [2, 3, 4], [2, 3])]:
        check_algebra(Board(rows, columns, rule=rule, wrap=wrap, levels=q), rows)


@settings(max_examples=60)
@given(rules, sides, sides, levels, st.booleans(), seeds)
def test_random_boards_match_dense_elimination(rule, rows, columns, q, wrap, seed):
    check_algebra(Board(rows, columns, rule=rule, wrap=wrap, levels=q), seed)


SHAPES, LARGE_RULES = [(100, 101), (1001, 1001)], [*RULES, "111/111/000", "11011"]
LARGE = [
    Board(*shape, rule=rule, levels=q)
    for shape, rule, q in itertools.product(SHAPES, LARGE_RULES, (2, 3, 7))
    if rule != "x"
]
LONG = [
    Board(3, 200, rule="x", wrap=True),
    Board(3, 90, rule="x", levels=5),
    Board(90, 3, rule="x", wrap=True, levels=5),
]


@pytest.mark.parametrize(
    "boards", [LARGE[:18], pytest.param(LARGE[18:], marks=pytest.mark.long), LONG]
)
def test_clicks_between_on_large_and_long_boards(boards):
    for board in boards:
        goal = board.toggles(random_lights(board))
        assert np.array_equal(board.toggles(board.clicks_between(goal * 0, goal)), goal)
        patterns = board.quiet_patterns() if board in LONG else ()
        assert not any(board.toggles(pattern).any() for pattern in patterns)


def test_boards_too_large_for_elimination_are_refused():
    assert Board(100, 200, rule="x").cells == MAX_ELIMINATION_CELLS
    assert_refused(lambda: Board(100, 201, rule="x"), "201x100 'x' 20000", OptionError)
    with pytest.raises(OptionError, match="'ring' wrapped") as caught:
        Board(1000, 1000, rule="ring", wrap=True)
    assert caught.value.option == "size"


@pytest.mark.parametrize(
    ("rule", "side", "levels", "wrap"),
    [
        *(("plus", side, 2, False) for side in (19, 30, 29, 4)),
        *(("cross", 61, 2, False), ("king", 50, 2, False), ("000/110/000", 20, 2, False)),
        *(("x", 5, 2, False), ("plus", 4, 2, True), ("x", 7, 3, False), ("king", 5, 3, False)),
        *(("plus", 5, 3, True), ("110/011/000", 6, 3, True), ("cross", 4, 3, False)),
    ],
)
def test_nearest_perfect_square_is_the_first_with_nullity_0(rule, side, levels, wrap):
    def square(side):
        return Board(side, side, rule=rule, levels=levels, wrap=wrap)

    sides = [side + change for steps in range(11) for change in (steps, -steps)]
    perfect = next(side for side in sides if side > 0 and square(side).nullity == 0)
    assert nearest_perfect_board(square(side)) == square(perfect)


def test_nearest_perfect_board_may_be_one_cell_off_its_shape():
    assert nearest_perfect_board(Board(1, 50)).shape == (1, 51)
    # The nullity of the ring is gcd(rows + 1, columns + 1) - 1: no square is perfect.
    assert nearest_perfect_board(Board(60, 60, rule="ring")).shape == (60, 61)


def test_rules_that_are_perfect_nowhere_say_so():
    with pytest.raises(OptionError, match=r"30x20.* 'ring' wrapped") as caught:
        nearest_perfect_board(Board(20, 30, rule="ring", wrap=True))
    assert caught.value.option == "perfect"


@settings(max_examples=25)
@given(rules, levels, st.integers(1, 14), st.integers(1, 14), st.booleans())
def test_the_nearest_perfect_board_keeps_shape_and_levels(rule, q, rows, columns, wrap):
    board = Board(rows, columns, rule=rule, wrap=wrap, levels=q)
    try:
        perfect = nearest_perfect_board(board)
    except OptionError:
        assert board.nullity > 0
        return
    assert (perfect.nullity, perfect.levels) == (0, q)
    assert (perfect == board) == (board.nullity == 0)
    ratio = min(rows, columns) / max(rows, columns)
    assert abs(min(perfect.shape) - max(1, max(perfect.shape) * ratio)) <= 0.5
    assert (perfect.rows - perfect.columns) * (rows - columns) >= 0


@fewer
@given(rules, st.integers(1, 14), st.integers(1, 14))
def test_wrapped_boards_are_perfect_where_their_nullity_is_zero(rule, rows, columns):
    board = Board(rows, columns, rule=rule, wrap=True)
    assert is_perfect_torus(board.offsets(), rows, columns) == (board.nullity == 0)
