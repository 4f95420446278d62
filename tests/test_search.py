"""What the searches are made of, each piece against brute force."""

import itertools

import numpy as np
import pytest
from deadlines import EndsAfter, of_work
from hypothesis import given, settings
from hypothesis import strategies as st

from lightsanim.algebra.linear import pack, pack_rows, reduced_rows
from lightsanim.board.board import Board
from lightsanim.solve import modular_decode, scip
from lightsanim.solve.cell_classes import classes_of
from lightsanim.solve.components import Component, columns_of, components_of
from lightsanim.solve.decode import decode, explain
from lightsanim.solve.fewest import add_patterns, fewest_clicks, lightest_of_blocks
from lightsanim.solve.parity_checks import pack_words, parity_checks_of, recombine, unpack_words
from lightsanim.solve.search import search_by_weight
from lightsanim.solve.symmetry import orbits_of
from lightsanim.system.deadline import Deadline

seeds = st.integers(0, 2**32)


def packed(bits):
    return np.packbits(bits, axis=1, bitorder="little")


def numbers(bits):
    return [sum(1 << int(cell) for cell in np.flatnonzero(row)) for row in bits]


def search(matrix, syndrome, cost, known=99, seconds=60):
    words, wanted = pack_words(matrix.T), pack_words(syndrome[None])[0]
    return search_by_weight(words, wanted, cost, known, of_work(seconds))


def explains(matrix, classes, syndrome):
    return np.array_equal(np.bitwise_xor.reduce(matrix[:, classes], axis=1), syndrome)


@st.composite
def checked_classes(draw):
    """Different columns of full rank, and a syndrome."""
    k = draw(st.integers(2, 9))
    columns = draw(st.sets(st.integers(1, 2**k - 1), max_size=2 * k)) | {1 << t for t in range(k)}
    matrix = np.array([[column >> t & 1 for column in sorted(columns)] for t in range(k)], bool)
    syndrome = draw(st.integers(1, 2**k - 1))
    return matrix, np.array([syndrome >> t & 1 for t in range(k)], bool)


def lightest_by_brute_force(matrix, syndrome):
    """The fewest columns that sum to the syndrome: all sums of none, one, two, ..."""
    (wanted,), columns = numbers(syndrome[None]), numbers(matrix.T)
    reached, weight = {0}, 0
    while wanted not in reached:
        reached |= {one ^ column for one in reached for column in columns}
        weight += 1
    return weight


# The search by weight.


@settings(max_examples=60)
@given(checked_classes(), seeds)
def test_the_search_finds_and_proves_the_lightest_and_the_cheapest_of_them(case, seed):
    matrix, syndrome = case
    cost = np.random.default_rng(seed).random(matrix.shape[1])
    lightest = lightest_by_brute_force(matrix, syndrome)
    found = search(matrix, syndrome, cost)
    if lightest <= 5:
        assert len(found.classes) == found.bound == lightest
        assert explains(matrix, found.classes, syndrome)
    else:
        assert (found.classes, found.bound) == (None, 6)
    if lightest <= 2:
        every = itertools.combinations(range(matrix.shape[1]), lightest)
        costs = [cost[list(c)].sum() for c in every if explains(matrix, list(c), syndrome)]
        assert cost[found.classes].sum() == pytest.approx(min(costs))
    # It says nothing of what is no better than what is known.
    for known in (1, 3, 6):
        found = search(matrix, syndrome, cost, known)
        assert (found.classes is None) == (lightest >= min(known, 6))
        assert found.bound == min(known, lightest, 6)


@pytest.mark.parametrize(
    ("checks", "classes", "weights"),
    [
        (70, 60, range(1, 6)),  # columns longer than a word
        pytest.param(60, 5000, [4], marks=pytest.mark.long),  # sums of pairs in several chunks
    ],
)
def test_a_few_hidden_columns_are_found_among_many(checks, classes, weights):
    rng = np.random.default_rng(5)
    matrix = rng.random((checks, classes)) < 0.5
    for weight in weights:
        hidden = rng.choice(classes, weight, replace=False)
        syndrome = np.bitwise_xor.reduce(matrix[:, hidden], axis=1)
        found = search(matrix, syndrome, np.ones(classes))
        assert (sorted(found.classes), found.bound) == (sorted(hidden), weight)


def test_a_search_without_enough_time_proves_what_little_it_can():
    # All pairs of 12,000 classes take seconds.
    matrix, syndrome = np.random.default_rng(1).random((60, 12_000)) < 0.5, np.ones(60, bool)
    found = search(matrix, syndrome, np.ones(12_000), seconds=1e-9)
    assert (found.classes, found.bound) == (None, 3)


# Decoding.


@settings(max_examples=40)
@given(checked_classes())
def test_decoding_returns_a_solution_no_heavier_than_the_known_one(case):
    matrix, syndrome = case
    words, wanted, k = pack_words(matrix.T), pack_words(syndrome[None])[0], len(matrix)
    known = explain(words, k, wanted)
    lightest, told = lightest_by_brute_force(matrix, syndrome), []
    best = decode(words, k, wanted, known, lightest, of_work(5), told.append)
    assert explains(matrix, known, syndrome)
    assert explains(matrix, best, syndrome)
    assert lightest <= len(best) <= len(known) <= k
    assert told == sorted(set(told), reverse=True)


def test_decoding_finds_a_few_columns_hidden_among_many():
    rng, k, classes, weight, told = np.random.default_rng(3), 70, 300, 5, []
    matrix = rng.random((k, classes)) < 0.5
    hidden = np.sort(rng.choice(classes, weight, replace=False))
    syndrome = np.bitwise_xor.reduce(matrix[:, hidden], axis=1)
    words, wanted = pack_words(matrix.T), pack_words(syndrome[None])[0]
    known = explain(words, k, wanted)
    best = decode(words, k, wanted, known, weight, of_work(20), told.append)
    assert (best.tolist(), told[-1]) == (hidden.tolist(), weight)


def test_decoding_leaves_a_long_step_when_the_clock_ends():
    rng, k = np.random.default_rng(3), 70
    words, wanted = (pack_words(rng.random((n, k)) < 0.5) for n in (300, 1))
    known = explain(words, k, wanted[0])
    clock = EndsAfter(looks=100)
    best = decode(words, k, wanted[0], known, 1, clock)
    assert len(best) < len(known)
    assert clock.looks_left == 0  # it returned at once
    # A million sums of four classes, about a second of counted work, were on the way.
    assert 0 < 1e6 - clock.work_left < 0.1
    assert clock.cut_short


def test_decoding_of_levels_leaves_a_step_when_the_clock_ends():
    rng, checks, told = np.random.default_rng(5), 60, []
    columns, syndrome = (rng.integers(0, 3, (n, checks), np.uint8) for n in (800, 1))
    known, costs = modular_decode.explain(columns, syndrome[0], 3), np.full((800, 3), [0, 1, 1.0])
    clock = EndsAfter(looks=30)  # a step adds up the costs of 60 columns
    best = modular_decode.decode(columns, costs, syndrome[0], 3, known, 1, clock, told.append)
    assert np.array_equal(best, known)
    assert (told, clock.looks_left) == ([], 0)


# Columns, parity checks, components.


@settings(max_examples=30)
@given(st.integers(1, 70), st.integers(1, 100), st.integers(1, 130), seeds)
def test_recombining_is_a_product_of_matrices(n, k, new, seed):
    rng = np.random.default_rng(seed)
    columns, mix = rng.random((n, k)) < 0.5, rng.random((k, new)) < 0.5
    product = columns.astype(int) @ mix.astype(int) % 2 == 1
    words = pack_words(columns)
    assert np.array_equal(unpack_words(recombine(words, pack_words(mix)), new), product)
    assert np.array_equal(unpack_words(words, k), columns)
    assert np.array_equal(columns_of(packed(columns.T), n), words)


@settings(max_examples=30)
@given(st.integers(1, 150), st.integers(1, 60), seeds)
def test_cells_with_the_same_check_bits_are_one_class(checks, cells, seed):
    rng = np.random.default_rng(seed)
    columns = rng.random((rng.integers(1, 9), checks)) < 0.1
    patterns = columns[rng.integers(0, len(columns), cells)].T
    patterns[0] |= not patterns.any()
    margin = rng.random(cells)
    found = parity_checks_of(Component(packed=packed(patterns), cells=np.arange(cells)), margin)
    bits = unpack_words(found.words, checks)
    assert len({row.tobytes() for row in bits}) == len(bits)
    for cell in range(cells):
        number = found.class_of[cell]
        if patterns[:, cell].any():
            assert np.array_equal(bits[number], patterns[:, cell])
            assert margin[found.cells[number]] <= margin[cell]
        else:
            assert number == -1
    assert all(found.class_of[cell] == number for number, cell in enumerate(found.cells))
    wrong = rng.random(cells) < 0.5
    odd = [n for n in range(len(bits)) if (found.class_of[wrong] == n).sum() % 2]
    assert found.classes_of(wrong).tolist() == odd


@settings(max_examples=30)
@given(st.lists(st.integers(1, 4), min_size=1, max_size=4), seeds)
def test_hidden_summands_are_found_and_span_the_same(sizes, seed):
    # Summands on cells of their own, mixed with each other.
    rng, cells = np.random.default_rng(seed), 20
    owner = rng.integers(0, len(sizes), cells)
    patterns = np.vstack(
        [(rng.random((size, cells)) < 0.5) & (owner == nth) for nth, size in enumerate(sizes)]
    )
    ranks = [len(reduced_rows(numbers(patterns[:t]), cells)) for t in range(len(patterns) + 1)]
    kept = [t for t in range(len(patterns)) if ranks[t + 1] > ranks[t]]
    basis = patterns[kept]
    for _ in range(20 if len(basis) > 1 else 0):
        one, other = rng.choice(len(basis), 2, replace=False)
        basis[one] ^= basis[other]
    components = components_of(packed(basis), cells)
    found = [basis]
    for component in components:
        own = columns_of(component.packed, len(component.cells))
        found.append(np.zeros((len(component), cells), bool))
        found[-1][:, component.cells] = unpack_words(own, len(component)).T
    rank = len(reduced_rows(numbers(np.vstack(found)), cells))
    assert rank == len(basis) == sum(map(len, components))
    together = np.concatenate([component.cells for component in components])
    assert len(set(together.tolist())) == len(together)
    assert len(components) >= len({int(owner[np.flatnonzero(patterns[t])[0]]) for t in kept})


@pytest.mark.parametrize(
    ("board", "sizes"),
    # The clicks of ring and x keep to the colours of a chessboard.  Of the king's two matrices,
    # that of 8 rows has a null vector, which each of 9 columns may hold on its own.  The patterns
    # of the last board are too many to take apart in a second or so.
    [
        (Board(11, 11, rule="ring"), [5, 6]),
        (Board(12, 12, rule="x", wrap=True), [8, 8]),
        (Board(8, 9, rule="king"), [1] * 9),
        (Board(9, 9), [8]),
        (Board(511, 511, rule="ring"), [511]),
    ],
    ids=str,
)
def test_boards_fall_into_their_components(board, sizes):
    components = components_of(board.packed_parity_checks(), board.cells)
    assert sorted(map(len, components)) == sizes
    clicks = np.random.default_rng(0).random(board.shape) < 0.5
    if board.nullity < 20:
        # Weighed as a whole, by adding every combination of all quiet patterns.
        patterns = board.packed_quiet_patterns()
        classes = classes_of(patterns, board.cells)
        lightest = classes.sums(classes.counts_of(clicks.ravel())).min()
        assert fewest_clicks(board, clicks).count == lightest


# Sums with all combinations of quiet patterns.


@settings(max_examples=30)
@given(st.integers(1, 6), st.integers(1, 30), seeds)
def test_sizes_of_sums_are_those_of_adding_patterns(k, cells, seed):
    rng = np.random.default_rng(seed)
    bits, clicks = rng.random((k, cells)) < 0.5, rng.random(cells) < 0.5
    patterns = packed(bits)
    sizes = []
    for combination in range(2**k):
        chosen = [t for t in range(k) if combination >> t & 1]
        added = clicks ^ np.bitwise_xor.reduce(bits[chosen], axis=0)
        assert np.array_equal(add_patterns(patterns, clicks, combination), added)
        sizes.append(int(added.sum()))
    ((size, combination),) = lightest_of_blocks(patterns, clicks)
    assert size == sizes[combination] == min(sizes)
    # The same by classes of cells.
    classes = classes_of(patterns, cells)
    counts = classes.counts_of(clicks)
    assert classes.sums(counts).tolist() == sizes
    assert classes.lightest(counts).sum() == min(sizes)
    assert np.array_equal(classes.counts_of(classes.drawn(counts, rng)), counts)


def test_the_lightest_of_several_blocks_is_that_of_all_classes():
    k, cells, rng = 20, 40_000, np.random.default_rng(0)
    patterns, clicks = packed(rng.random((k, cells)) < 0.5), rng.random(cells) < 0.5
    classes = classes_of(patterns, cells)
    sizes = classes.sums(classes.counts_of(clicks))
    blocks = list(lightest_of_blocks(patterns, clicks, range(2 ** (k - 19))))
    for block, (size, combination) in enumerate(blocks):
        assert size == sizes[combination] == sizes[block << 19 : (block + 1) << 19].min()


@pytest.mark.parametrize(
    ("rows", "columns", "rule", "picture", "order"),
    [
        (9, 9, "plus", "on", 8),
        (14, 9, "plus", "on", 4),
        (16, 16, "plus", "one way", 2),
        (9, 9, "plus", "any", 1),
        (7, 7, "cross", "on", 8),
    ],
)
def test_one_block_of_each_orbit_is_enough(rows, columns, rule, picture, order):
    # Every sum is turned and flipped, by adding its patterns: each has an image of the same size
    # in a block that is weighed.
    board, rng = Board(rows, columns, rule=rule), np.random.default_rng(0)
    clicks = rng.random(board.shape) < 0.5
    if picture == "one way":
        clicks |= clicks[:, ::-1]
    if picture == "on":
        on = np.ones(board.shape, bool)
        clicks = board.clicks_between(on, ~on)
    (part,) = components_of(board.packed_quiet_patterns(), board.cells)
    bits, cells = board.nullity // 2, part.cells
    orbits = orbits_of(part.packed, clicks.ravel()[cells], cells, board.shape, bits)
    assert orbits.order == order
    patterns = np.zeros((board.nullity, board.cells), bool)
    patterns[:, cells] = np.unpackbits(orbits.packed, axis=1, count=len(cells), bitorder="little")
    assert len(reduced_rows(pack_rows(patterns), board.cells)) == board.nullity
    weighed, seen = set(orbits.representatives()), set()
    sums = [clicks.ravel()]
    for pattern in patterns:
        sums += [known ^ pattern for known in sums]
    for block in weighed:
        for total in sums[block << bits : (block + 1) << bits]:
            total = total.reshape(board.shape)
            for one in (total, total.T) if rows == columns else (total,):
                images = (one, one[::-1], one[:, ::-1], one[::-1, ::-1])
                seen |= set(map(pack, images))
    assert seen >= set(map(pack, sums))
    assert len(weighed) < 2 ** (board.nullity - bits) or order == 1


@pytest.mark.parametrize("cells", [32_767, 32_768, 70_000])
def test_boards_of_more_cells_than_a_short_number_counts_are_weighed(cells):
    bits = np.zeros((2, cells), bool)
    bits[0], bits[1, :9] = True, True
    clicks = np.zeros(cells, bool)
    clicks[:9] = True
    for start, combination in [(clicks, 0b10), (~clicks, 0b11), (clicks & False, 0)]:
        assert list(lightest_of_blocks(packed(bits), start)) == [(0, combination)]


# The integer programs as their docstrings say.


def test_the_parity_program_has_a_known_bound_as_a_constraint_and_the_options_it_needs():
    checks, start = np.ones((1, 3), bool), np.array([True, False, False])
    for bound, constraints in [(0, 1), (1, 2)]:
        program = scip.nearest_by_parity_program(checks, np.array([True]), start, bound)
        assert program.model.getNConss() == constraints
        result = scip.solve(program, Deadline(7))
        assert (result.values.sum(), result.bound) == (1, 1)
    wrong = scip.nearest_by_parity_program(checks, np.array([True]), start & False)
    with pytest.raises(scip.SolverError, match=r"^the start handed to SCIP does not satisfy"):
        scip.solve(wrong, Deadline(5))
    # SCIP is told how much time there is, and to leave out what it gets wrong.
    parameter = program.model.getParam
    assert 6 < parameter("limits/time") <= 7
    assert parameter("timing/clocktype") == 2
    assert parameter("misc/usesymmetry") == 0
    assert not parameter("constraints/xor/presolpairwise")
    assert not parameter("misc/catchctrlc")
