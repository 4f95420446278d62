"""What the searches are made of, each piece against brute force."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tools.deadlines import EndsAfter, of_work
from tools.refusals import assert_refused

from lightsanim import Board, Deadline, fewest_clicks
from lightsanim.game.algebra.digits import DigitPacking
from lightsanim.game.algebra.modular import mod_inverse
from lightsanim.game.solve import scip
from lightsanim.game.solve.cell_classes import (
    ColumnClasses,
    find_board_classes,
    find_cell_classes,
    find_column_classes,
)
from lightsanim.game.solve.class_costs import find_class_costs, total_cost
from lightsanim.game.solve.components import Component, find_components, quiet_patterns_of_board
from lightsanim.game.solve.decode import decode_syndrome, particular_solution
from lightsanim.game.solve.four_tables import find_smallest_sum
from lightsanim.game.solve.min_weights import digits_per_block, min_weights
from lightsanim.game.solve.parity_split import split_by_parity
from lightsanim.game.solve.search import cheapest_by_table, search_by_cost

seeds = st.integers(0, 2**32)
levels = st.sampled_from([2, 3, 5, 7])


def component(patterns, q):
    packed, cells = DigitPacking(q).pack(patterns), np.arange(patterns.shape[1])
    return Component(patterns=packed, cells=cells, q=q)


def columns_as_classes(matrix, q):
    """Each column, uint8 (checks, classes), as a class of one cell."""
    classes = matrix.shape[1]
    return ColumnClasses(
        component=component(matrix, q),
        columns=DigitPacking(q).pack(matrix.T),
        class_of=np.arange(classes),
        factors=np.ones(classes, np.uint8),
    )


def search(matrix, syndrome, costs, q, seconds=60):
    classes = columns_as_classes(matrix, q)
    *_, (bound, solution) = search_by_cost(classes, costs, syndrome, of_work(seconds))
    return solution, bound


def explains(matrix, multiples, syndrome, q):
    return np.array_equal(matrix.astype(int) @ multiples % q, syndrome)


@st.composite
def checked_classes(draw):
    """Columns of full rank, none a multiple of another, a syndrome, costs, and the levels.

    With two levels each column costs 1 and a little more, otherwise each multiple up to 3.
    """
    q = draw(levels)
    k = draw(st.integers(2, {2: 7, 3: 4}.get(q, 2)))
    rng = np.random.default_rng(draw(seeds))
    candidates = rng.integers(0, q, (rng.integers(2 * k + 1), k))
    columns = set(map(tuple, np.eye(k, dtype=int).tolist()))
    for column in candidates[candidates.any(axis=1)]:
        leading = column[np.flatnonzero(column)[0]]
        columns.add(tuple((column * mod_inverse(leading, q) % q).tolist()))
    matrix = np.array(sorted(columns), np.uint8).T
    syndrome = rng.integers(0, q, k, np.uint8)
    syndrome[rng.integers(k)] = rng.integers(1, q)
    costs = rng.random((matrix.shape[1], q)) / 1000
    costs += 1 if q == 2 else rng.integers(1, 4, costs.shape)
    costs[:, 0], costs[0, 1] = 0, 1  # on a board some cell changes by one level
    return matrix, syndrome, costs, q


def cost_of(multiples, costs):
    return costs[np.arange(len(costs)), multiples].sum()


def minimum_by_brute_force(matrix, syndrome, costs, q):
    """The cost of the syndrome, by the minimum cost of every sum, class by class."""
    minimum = {(0,) * len(matrix): 0.0}
    for column, cost in zip(matrix.T, costs, strict=True):
        for start, spent in list(minimum.items()):
            for multiple in range(1, q):
                end = tuple((np.array(start) + multiple * column) % q)
                minimum[end] = min(minimum.get(end, np.inf), spent + cost[multiple])
    return minimum[tuple(syndrome)]


def hidden_columns(q, checks, classes, weight):
    """Columns, multiples of a few of them, what these add up to, and costs of 1."""
    rng = np.random.default_rng(5)
    matrix, hidden = rng.integers(0, q, (checks, classes), np.uint8), np.zeros(classes, np.uint8)
    hidden[rng.choice(classes, weight, replace=False)] = rng.integers(1, q, weight)
    syndrome = (matrix.astype(int) @ hidden % q).astype(np.uint8)
    return matrix, hidden, syndrome, np.tile((np.arange(q) > 0) * 1.0, (classes, 1))


@settings(max_examples=60, deadline=None)
@given(checked_classes())
def test_search_by_cost_finds_and_proves_the_minimum(case):
    matrix, syndrome, costs, q = case
    minimum = minimum_by_brute_force(*case)
    solution, bound = search(matrix, syndrome, costs, q)
    if round(minimum) <= (5 if q == 2 else 4):
        assert bound == round(minimum)
        assert explains(matrix, solution, syndrome, q)
        cost = cost_of(solution, costs)
        # Of solutions of one cost all are compared where they are of one or two columns.
        assert cost == pytest.approx(minimum) if bound <= 2 else round(cost) == bound
    else:
        assert (solution, bound) == (None, 6 if q == 2 else 5)
    table = cheapest_by_table(columns_as_classes(matrix, q), costs, syndrome)
    assert explains(matrix, table, syndrome, q)
    assert cost_of(table, costs) == pytest.approx(minimum)


def counts_reported():
    counts = []
    return counts, lambda count, bound: counts.append(count)


@pytest.mark.parametrize(
    ("q", "checks", "classes", "weights"),
    [
        (2, 70, 60, range(1, 6)),  # columns longer than a word
        (3, 24, 200, range(1, 5)),
        *((q, 70, 300, [weight]) for q, weight in [(2, 4), (3, 4), (7, 3)]),
        pytest.param(2, 60, 5000, [4], marks=pytest.mark.long),  # sums of pairs in several chunks
    ],
)
def test_hidden_columns_among_many_are_found(q, checks, classes, weights):
    for weight in weights:
        matrix, hidden, syndrome, costs = hidden_columns(q, checks, classes, weight)
        solution, bound = search(matrix, syndrome, costs, q)
        assert (solution.tolist(), bound) == (hidden.tolist(), weight)
        if classes == 300:  # as many are independent as there are checks
            (counts, report), columns = counts_reported(), columns_as_classes(matrix, q)
            start = particular_solution(columns, syndrome)
            words = columns, costs, syndrome, start, weight, of_work(20), report
            assert decode_syndrome(*words).tolist() == hidden.tolist()
            assert counts[-1] == weight


def test_search_by_cost_without_time_proves_small_bound():
    # All pairs of 12,000 classes take seconds.
    matrix = np.random.default_rng(1).integers(0, 2, (60, 12_000), np.uint8)
    costs = np.tile([0.0, 1.0], (12_000, 1))
    assert search(matrix, np.ones(60, np.uint8), costs, 2, seconds=1e-9) == (None, 3)


@settings(max_examples=40, deadline=None)
@given(checked_classes())
def test_decoding_result_costs_no_more_than_the_start(case):
    matrix, syndrome, costs, q = case
    classes, minimum = columns_as_classes(matrix, q), minimum_by_brute_force(*case)
    counts, report = counts_reported()
    start = particular_solution(classes, syndrome)
    limits = round(minimum), of_work(0.2)
    best = decode_syndrome(classes, costs, syndrome, start, *limits, report)
    assert explains(matrix, start, syndrome, q)
    assert explains(matrix, best, syndrome, q)
    assert round(minimum) <= round(cost_of(best, costs)) <= round(cost_of(start, costs))
    assert np.count_nonzero(start) <= len(matrix)
    assert counts == sorted(counts, reverse=True)


def test_decoding_by_triples_finds_hidden_columns():
    # By chance some 11 of 300 columns would explain 60 checks.
    matrix, hidden, syndrome, costs = hidden_columns(2, 60, 300, 6)
    classes, (counts, report) = columns_as_classes(matrix, 2), counts_reported()
    start = particular_solution(classes, syndrome)
    best = decode_syndrome(classes, costs, syndrome, start, 1, of_work(1), report)
    assert best.tolist() == hidden.tolist()
    assert counts == sorted(counts, reverse=True)


@pytest.mark.long
def test_decoding_by_sums_of_six_beats_pairs_of_pairs():
    rng, costs = np.random.default_rng(3), np.tile([0.0, 1.0], (4000, 1))
    matrix, syndrome = rng.integers(0, 2, (120, 4000), np.uint8), rng.integers(0, 2, 120, np.uint8)
    classes = columns_as_classes(matrix, 2)
    start = particular_solution(classes, syndrome)
    best = decode_syndrome(classes, costs, syndrome, start, 1, of_work(30))
    assert explains(matrix, best, syndrome, 2)
    assert best.sum() < 27  # pairs of pairs, as many as this work allows


@pytest.mark.long
def test_decoding_leaves_a_long_step_when_the_clock_ends():
    rng, count = np.random.default_rng(3), 1500
    matrix, costs = rng.integers(0, 2, (70, count), np.uint8), np.tile([0.0, 1.0], (count, 1))
    classes, syndrome = columns_as_classes(matrix, 2), rng.integers(0, 2, 70, np.uint8)
    start = particular_solution(classes, syndrome)
    clock = EndsAfter(looks=26)
    best = decode_syndrome(classes, costs, syndrome, start, 1, clock)
    assert np.count_nonzero(best) < np.count_nonzero(start)
    assert clock.looks_left in (0, -1)  # it returned at once
    # Lists of half a million sums, several seconds of counted work, were on the way.
    assert 0 < 1e6 - clock.work_left < 0.5
    assert clock.cut_short


@settings(max_examples=30)
@given(levels, st.integers(1, 80), st.integers(1, 60), seeds)
def test_cells_whose_columns_are_multiples_are_one_class(q, checks, cells, seed):
    rng = np.random.default_rng(seed)
    distinct = rng.integers(0, q, (rng.integers(1, 9), checks), np.uint8)
    distinct[rng.random(distinct.shape) < 0.8] = 0
    factors = rng.integers(0, q, cells).astype(np.uint8)
    patterns = (distinct[rng.integers(0, len(distinct), cells)] * factors[:, None] % q).T.copy()
    patterns[0, 0] = 1
    classes = find_column_classes(component(patterns, q))
    columns = DigitPacking(q).unpack(classes.columns, checks)
    assert len({row.tobytes() for row in columns}) == len(columns)
    inside = classes.class_of >= 0
    assert np.array_equal(inside, patterns.any(axis=0))
    multiples = columns[classes.class_of[inside]] * classes.factors[inside, None] % q
    assert np.array_equal(multiples.T, patterns[:, inside])
    assert all(column[np.flatnonzero(column)[0]] == 1 for column in columns)
    # What changes of cells add up to, by cells and by classes; the cheapest way to the same.
    changes, tones = rng.integers(0, q, cells).astype(np.uint8), rng.random((cells, q))
    multiples = classes.sum_class_multiples(changes)
    total = patterns.astype(int) @ changes % q
    assert np.array_equal(columns.T.astype(int) @ multiples % q, total)
    prices, each = rng.integers(1, 9, (cells, q)).astype(np.uint8), np.arange(cells)
    prices[:, 0] = 0
    costs = find_class_costs(classes, prices, tones)
    cheap = costs.cell_changes(multiples)
    assert np.array_equal(patterns.astype(int) @ cheap % q, total)
    price = prices[each, cheap].sum()
    assert price == round(total_cost(costs.costs, multiples))
    changes[classes.class_of < 0] = 0
    assert price <= prices[each, changes].sum()


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
    components = find_components(board.mirrored)
    assert sorted(map(len, components)) == sizes
    clicks = np.random.default_rng(0).random(board.shape) < 0.5
    if board.nullity < 20:
        # Weighed as a whole, by adding every combination of all quiet patterns.
        classes = find_cell_classes(quiet_patterns_of_board(board))
        lightest = classes.compute_sum_sizes(classes.count_clicks(clicks.ravel())).min()
        assert fewest_clicks(board, clicks).count == lightest


def test_threads_that_ask_at_once_share_the_tables():
    board, barrier = Board(191, 191), Barrier(8)

    def ask(_):
        barrier.wait()
        patterns, (classes,) = board.packed_quiet_patterns(), find_board_classes(board)
        tables = find_components(board), split_by_parity(classes.component, 191)
        return [*map(id, (patterns, classes, *tables))]

    with ThreadPoolExecutor(8) as threads:
        assert len({*map(tuple, threads.map(ask, range(8)))}) == 1


def minima(patterns, clicks, q, blocks=(0,)):
    """The minimum weights of a click set's sums with combinations, and these, block by block."""
    classes = find_column_classes(component(patterns, q))
    inside = classes.class_of >= 0
    table = np.zeros((len(classes), q), np.int64)
    for multiple in range(q):
        presses = (clicks[inside] + multiple * classes.factors[inside].astype(int)) % q
        np.add.at(table[:, multiple], classes.class_of[inside], presses)
    fixed = int(clicks[~inside].sum())
    weights = min_weights(classes.columns, len(patterns), table, blocks)
    return [(count + fixed, combination) for count, combination in weights]


@pytest.mark.parametrize(("q", "k"), [(2, 20), (3, 11), (7, 7)])
def test_min_weights_of_blocks_cover_all_combinations(q, k):
    cells, rng, low = 300, np.random.default_rng(0), digits_per_block(q)
    patterns, clicks = rng.integers(0, q, (k, cells), np.uint8), rng.integers(0, q, cells)
    blocks = minima(patterns, clicks, q, range(q ** (k - low)))
    # Every block is weighed as a whole: with its fixed patterns added there is one block only.
    for number, (size, combination) in enumerate(blocks):
        fixed = combination[low:]
        assert fixed.tolist() == [number // q**digit % q for digit in range(k - low)]
        start = (clicks + fixed @ patterns[low:].astype(int)) % q
        ((lightest, _),) = minima(patterns[:low], start, q)
        assert size == lightest == ((clicks + combination @ patterns.astype(int)) % q).sum()


@pytest.mark.parametrize(
    ("rows", "columns", "options"),
    [
        (11, 11, {}),  # ranks 4, 3, 3, 2
        (19, 19, {}),
        (17, 13, {}),
        (5, 5, {}),  # one colour lies on no pattern
        (8, 8, {"rule": "king"}),  # the spans of two colours fill the space but for a dimension
        (14, 14, {"rule": "king"}),
        (9, 9, {"rule": "111/101/111"}),
        (6, 12, {"wrap": True}),
    ],
)
def test_smallest_sum_by_four_tables_is_that_of_all_sums(rows, columns, options):
    board, rng = Board(rows, columns, **options), np.random.default_rng(0)
    clicks, split = rng.random(board.cells) < 0.5, 0
    for part in find_components(board):
        here = clicks[part.cells]
        patterns, sums = DigitPacking(2).unpack(part.patterns, len(part.cells)) > 0, here[None]
        for pattern in patterns:
            sums = np.concatenate([sums, sums ^ pattern])
        result = find_smallest_sum(part, here, board.columns, Deadline(100))
        if result is not None:
            smallest, bound = result
            assert smallest.sum() == bound == sums.sum(axis=1).min()
            assert (sums == smallest).all(axis=1).any()
            split += 1
    assert split > 0


@pytest.mark.parametrize("cells", [32_767, 32_768, 70_000])
def test_min_weights_beyond_int16_cell_counts_are_exact(cells):
    nine = np.arange(cells) < 9
    for start, combination in [(nine, [0, 1]), (~nine, [1, 1]), (nine & False, [0, 0])]:
        ((size, best),) = minima(np.array([nine | True, nine]), start.astype(int), 2)
        assert (size, best.tolist()) == (0, combination)


def test_parity_program_has_bound_constraint_and_options():
    checks, start = np.ones((1, 3), bool), np.array([True, False, False])
    for bound, constraints in [(0, 1), (1, 2)]:
        program = scip.nearest_by_parity_program(checks, np.array([True]), start, bound)
        assert program.model.getNConss() == constraints
        result = scip.solve_program(program, Deadline(7))
        assert (result.values.sum(), result.bound) == (1, 1)
    invalid = scip.nearest_by_parity_program(checks, np.array([True]), start & False)
    assert_refused(lambda: scip.solve_program(invalid, Deadline(5)), "start", scip.SolverError)
    # SCIP is told how much time there is, and to leave out what it gets wrong.
    parameter = program.model.getParam
    assert 6 < parameter("limits/time") <= 7
    assert parameter("timing/clocktype") == 2
    assert parameter("misc/usesymmetry") == 0
    assert not parameter("constraints/xor/presolpairwise")
    assert not parameter("misc/catchctrlc")
