"""All rules: each against what its words say, dense elimination, and trying everything."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lightsanim.board.board import Board
from lightsanim.board.elimination import EliminationFactors
from lightsanim.board.factors import MAX_ELIMINATION_CELLS
from lightsanim.board.perfect import nearest_perfect
from lightsanim.board.rule import RULES, rule_of
from lightsanim.board.torus import is_perfect_torus
from lightsanim.errors import InaccessibleError, OptionError
from lightsanim.solve.fewest import fewest_clicks
from lightsanim.solve.nearest import nearest_accessible
from lightsanim.solve.status import Status

# What the rules' words say, of two cells that lie ``down`` rows and ``right`` columns apart.
SAID = {
    "plus": lambda down, right: abs(down) + abs(right) <= 1,
    "cross": lambda down, right: down == 0 or right == 0,
    "king": lambda down, right: max(abs(down), abs(right)) <= 1,
    "ring": lambda down, right: abs(down) + abs(right) == 1,
    "x": lambda down, right: abs(down) == abs(right) <= 1,
}

SYMMETRIC = ["1", "101", "111/101/111", "100/010/001", "1/0/1", "01010/10101/01010"]
ASYMMETRIC = ["000/110/000", "000/100/000", "110/011/000", "1/1/0", "10001/01100/00000"]
PRODUCTS = ["111/111/000", "101/000/101", "000/110/000", "11011", "1/0/1"]

named = st.sampled_from([*RULES, *SYMMETRIC, *ASYMMETRIC, *PRODUCTS])
drawn = st.integers(1, 2**15 - 1).map(
    lambda bits: "/".join(f"{bits:015b}"[5 * row : 5 * row + 5] for row in range(3))
)
rules = named | drawn
sides = st.integers(1, 8)
fewer = settings(max_examples=40)
seeds = st.integers(0, 2**32)


def random_bits(shape, seed=0):
    return np.random.default_rng(seed).random(shape) < 0.5


def flipped_by(rule, shape, row, column, *, wrap):
    """The cells that one click flips, by the rule's words or cell by cell of its stencil."""
    lights = np.zeros(shape, bool)
    if rule == "cross":
        lights[row], lights[:, column] = True, True
        return lights
    lines = rule.split("/")
    height, width = (3, 3) if rule in SAID else (len(lines), len(lines[0]))
    for r, c in itertools.product(range(height), range(width)):
        down, right = r - height // 2, c - width // 2
        if SAID[rule](down, right) if rule in SAID else lines[r][c] == "1":
            place = row + down, column + right
            if wrap:
                lights[place[0] % shape[0], place[1] % shape[1]] ^= True
            elif 0 <= place[0] < shape[0] and 0 <= place[1] < shape[1]:
                lights[place] = True
    return lights


def matrix_of(rule, shape, *, wrap):
    """A: a column for each click, a row for each cell."""
    cells = itertools.product(range(shape[0]), range(shape[1]))
    return np.array([flipped_by(rule, shape, *cell, wrap=wrap).ravel() for cell in cells]).T


def rank_of(matrix):
    """The rank over GF(2), as in a textbook."""
    matrix, rank = matrix.copy(), 0
    for column in range(matrix.shape[1]):
        below = rank + np.flatnonzero(matrix[rank:, column])
        if len(below):
            matrix[[rank, below[0]]] = matrix[[below[0], rank]]
            others = np.flatnonzero(matrix[:, column])
            matrix[others[others != rank]] ^= matrix[rank]
            rank += 1
    return rank


# Names.


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
    assert rule_of(name).name == name


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("pluss", "cross, king, ring, x or a stencil .*, not 'pluss'; did you mean plus?"),
        (5, "a stencil such as 010/111/010, not 5"),
        ("11/11", "rule '11/11': a stencil has an odd number of rows and of columns, so that one "),
        ("010/111/010/", "has rows of one length, not of 0 and 3 cells"),
        ("0a0/111/010", "rule '0a0/111/010': a stencil has rows of 0 and 1, joined by /, such as"),
        ("000/000/000", "a stencil has a 1 for each cell that a click flips, one at least"),
        ("1" * 101, "rule '1{40}...': a stencil has at most 99 rows and columns, not 1 and 101"),
    ],
)
def test_what_is_no_rule_is_refused_in_one_clear_line(name, message):
    with pytest.raises(OptionError, match=message.replace("?", r"\?")) as error:
        Board(3, 3, rule=name)
    assert len(str(error.value)) < 200
    assert "\n" not in str(error.value)


def test_the_largest_stencil_is_played():
    board = Board(3, 4, rule="/".join(["1" * 99] * 99))
    assert board.toggles(np.eye(3, 4, dtype=bool)).all()  # three clicks, each of which flips all
    assert board.nullity == 11


# What a click flips.


@settings(max_examples=60)
@given(rules, sides, sides, st.booleans(), st.lists(st.integers(0, 63), max_size=30), seeds)
def test_clicks_flip_what_the_rule_says(rule, rows, columns, wrap, clicks, seed):
    board, rng = Board(rows, columns, rule=rule, wrap=wrap), np.random.default_rng(seed)
    matrix = matrix_of(rule, board.shape, wrap=wrap).astype(int)
    # A click set at once.
    clicked = rng.random(board.shape) < 0.5
    toggled = (matrix @ clicked.ravel() % 2 == 1).reshape(board.shape)
    assert np.array_equal(board.toggles(clicked), toggled)
    # Clicks one by one, on three boards that lie on top of each other.
    cells = np.array(clicks, np.int32) % board.cells
    source, flipped = board.flips(cells)
    assert (np.diff(source) >= 0).all()
    for place, cell in enumerate(cells.tolist()):
        assert sorted(flipped[source == place]) == np.flatnonzero(matrix[:, cell]).tolist()
    layers = rng.integers(1, 8, len(cells)).astype(np.uint8)
    before = rng.integers(0, 8, board.shape).astype(np.uint8)
    lights = before.copy()
    touched = board.flip(lights, cells, layers)
    for bit in range(3):
        counts = np.bincount(cells[layers >> bit & 1 == 1], minlength=board.cells)
        assert np.array_equal((lights ^ before).ravel() >> bit & 1, matrix @ counts % 2)
    assert set(np.flatnonzero(lights ^ before)) <= set(touched.tolist())
    # A single click, by its neighbourhood and by its offsets.
    assert board.neighbours() == [np.flatnonzero(row).tolist() for row in matrix]
    assert board.mirrored.neighbours() == [np.flatnonzero(row).tolist() for row in matrix.T]
    assert matrix.sum(axis=0).max() <= board.most_flips <= board.cells
    row, column = divmod(seed % board.cells, columns)
    lights = np.zeros(board.shape, bool)
    for down, right in board.offsets():
        y, x = row + down, column + right
        if wrap:
            lights[y % rows, x % columns] ^= True
        else:
            assert abs(down) < rows
            assert abs(right) < columns
            if 0 <= y < rows and 0 <= x < columns:
                lights[y, x] ^= True
    assert np.array_equal(lights, board.neighbourhood(row, column))


# The algebra.


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("rule", [*RULES, "110/011/000", *PRODUCTS])
def test_nullities_and_solutions_are_those_of_dense_elimination(rule, wrap):
    largest = 7 if rule in ("cross", "king") else 5
    for rows, columns in itertools.product(range(1, largest + 1), repeat=2):
        board = Board(rows, columns, rule=rule, wrap=wrap)
        matrix = matrix_of(rule, board.shape, wrap=wrap)
        rank = rank_of(matrix)
        assert board.rank == rank
        difference, off = random_bits(board.shape, rows), np.zeros(board.shape, bool)
        producible = rank_of(np.column_stack([matrix, difference.ravel()])) == rank
        assert board.is_accessible(~difference) == producible
        if not producible:
            with pytest.raises(InaccessibleError):
                board.clicks_between(off, difference)


@fewer
@given(rules, sides, sides, st.booleans(), seeds)
def test_null_spaces_say_what_can_be_reached_and_clicks_lead_there(rule, rows, columns, wrap, seed):
    board = Board(rows, columns, rule=rule, wrap=wrap)
    matrix = matrix_of(rule, board.shape, wrap=wrap).astype(int)
    quiet, checks = board.quiet_patterns(), board.parity_checks()
    for patterns in (quiet, checks):
        assert patterns.shape == (board.nullity, rows, columns)
        assert rank_of(patterns.reshape(board.nullity, board.cells)) == board.nullity
    assert not any((matrix @ pattern.ravel() % 2).any() for pattern in quiet)
    assert not any((check.ravel() @ matrix % 2).any() for check in checks)
    configuration = random_bits(board.shape, seed)
    assert board.is_accessible(configuration) == (not board.syndrome(configuration).any())
    goal = configuration ^ board.toggles(random_bits(board.shape, seed + 1))
    assert not board.syndrome(~(configuration ^ goal)).any()
    clicks = board.clicks_between(configuration, goal)
    assert np.array_equal(matrix @ clicks.ravel() % 2 == 1, (configuration ^ goal).ravel())


@fewer
@given(st.integers(1, 40), st.integers(1, 40))
def test_nullities_of_the_ring_are_those_of_the_literature(rows, columns):
    # Sutner 2000 (on sigma-automata): gcd(m + 1, n + 1) - 1 on an m x n grid.
    assert Board(rows, columns, rule="ring").nullity == math.gcd(rows + 1, columns + 1) - 1


@fewer
@given(st.sampled_from(["plus", "ring"]), st.integers(1, 24), st.integers(1, 24), seeds)
def test_the_linear_time_method_agrees_with_elimination(rule, rows, columns, seed):
    board = Board(rows, columns, rule=rule)
    other = EliminationFactors(RULES[rule], rows, columns, wrap=False)
    difference, off = random_bits(board.shape, seed), np.zeros(board.shape, bool)
    assert board.nullity == other.nullity
    assert board.is_accessible(~difference) == (other.solve(difference) is not None)
    wanted = board.toggles(difference)
    assert np.array_equal(board.toggles(board.clicks_between(off, wanted)), wanted)
    assert np.array_equal(board.toggles(other.solve(wanted)), wanted)


@pytest.mark.parametrize("rule", ["plus", "king", "cross", "ring", "111/111/000", "11011"])
@pytest.mark.parametrize("shape", [(200, 201), pytest.param((1001, 1001), marks=pytest.mark.long)])
def test_large_boards_are_solved(rule, shape):
    board = Board(*shape, rule=rule)
    goal = board.toggles(random_bits(shape))
    clicks = board.clicks_between(np.zeros(shape, bool), goal)
    assert np.array_equal(board.toggles(clicks), goal)


def test_wide_boards_are_eliminated_along_their_shorter_side():
    board = Board(3, 200, rule="x", wrap=True)
    goal = board.toggles(random_bits(board.shape))
    assert np.array_equal(board.toggles(board.clicks_between(goal & False, goal)), goal)
    assert not any(board.toggles(pattern).any() for pattern in board.quiet_patterns())


def test_boards_too_large_for_elimination_are_refused():
    assert Board(100, 200, rule="x").cells == MAX_ELIMINATION_CELLS
    with pytest.raises(OptionError, match="a 201x100 board is too large for rule 'x': at most 20"):
        Board(100, 201, rule="x")
    with pytest.raises(OptionError, match="too large for rule 'ring' wrapped"):
        Board(1000, 1000, rule="ring", wrap=True)


# The searches.

SMALL = [(1, 1), (1, 4), (2, 2), (2, 3), (3, 3), (3, 4), (4, 3)]


def images_of(board):
    """The toggles of all click sets, in the order of their numbers: int64 (2**cells,)."""
    sums = np.zeros(1, np.int64)
    for click in range(board.cells):
        flipped = flipped_by(
            board.rule, board.shape, *divmod(click, board.columns), wrap=board.wrap
        )
        number = sum(1 << int(cell) for cell in np.flatnonzero(flipped))
        sums = np.concatenate([sums, sums ^ number])
    return sums


def number_of(bits):
    return sum(1 << int(cell) for cell in np.flatnonzero(bits))


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("rule", [*RULES, *SYMMETRIC[2:4], *ASYMMETRIC[:3]])
def test_nearest_and_fewest_are_those_of_trying_everything(rule, wrap):
    for shape in SMALL + [(4, 4)] * (rule in ("cross", "110/011/000", "1/1/0")):
        board = Board(*shape, rule=rule, wrap=wrap)
        images = images_of(board)
        reachable = np.unique(images ^ ((1 << board.cells) - 1))  # from all-on
        sizes = np.bitwise_count(np.arange(1 << board.cells))
        for seed in range(4):
            target = random_bits(shape, seed)
            nearest = nearest_accessible(board, target)
            assert nearest.wrong == np.bitwise_count(reachable ^ number_of(target)).min()
            assert nearest.wrong == nearest.bound == (nearest.configuration ^ target).sum()
            assert images[number_of(nearest.clicks)] == number_of(~nearest.configuration)
            fewest = fewest_clicks(board, nearest.clicks)
            assert images[number_of(fewest.clicks)] == number_of(~nearest.configuration)
            assert fewest.status is Status.OPTIMAL
            assert fewest.count == sizes[images == number_of(~nearest.configuration)].min()


# Perfect sizes.


@pytest.mark.parametrize(
    ("rule", "size", "perfect"),
    # Nullities by dense elimination above: of the cross 0 where both sides are even, of the king
    # where neither is 2 modulo 3, and of the ring where gcd(m + 1, n + 1) is 1.
    [
        ("cross", (61, 61), (62, 62)),
        ("king", (50, 50), (51, 51)),
        ("king", (40, 40), (40, 40)),
        ("ring", (60, 60), (60, 61)),
        ("ring", (60, 45), (60, 45)),
        ("000/110/000", (20, 20), (20, 20)),
    ],
)
def test_the_nearest_perfect_board_of_a_rule(rule, size, perfect):
    board = nearest_perfect(Board(*size, rule=rule))
    assert (board.shape, board.nullity) == (perfect, 0)


def test_rules_that_are_perfect_nowhere_say_so():
    with pytest.raises(
        OptionError, match="no size near 30x20 is perfect for rule 'ring' wrapped; leave perfect"
    ):
        nearest_perfect(Board(20, 30, rule="ring", wrap=True))


@fewer
@given(rules, st.integers(1, 14), st.integers(1, 14))
def test_wrapped_boards_are_perfect_where_their_nullity_is_zero(rule, rows, columns):
    board = Board(rows, columns, rule=rule, wrap=True)
    assert is_perfect_torus(board.offsets(), rows, columns) == (board.nullity == 0)
