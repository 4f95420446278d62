"""The solvers' results: against brute force, the OEIS, and the paper's own programs."""

import base64
import io
import itertools
import math
import re
import threading
import tracemalloc
from dataclasses import replace
from functools import partial
from unittest.mock import Mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from tools.deadlines import of_work
from tools.refusals import assert_refused
from tools.textbook import all_click_sets, images_of, matrix_of, random_bits

import lightsanim as la
from lightsanim import Board
from lightsanim.errors import OptionError, SolverError
from lightsanim.game.solve import scip
from lightsanim.game.solve.chase import EDGES, chase_to_best_edge
from lightsanim.game.solve.solution import click_sets
from lightsanim.system.cores import core_limit, limit_cores
from lightsanim.system.threads import search_in_parallel

# https://oeis.org/A075464: the fewest clicks that turn the all-on n x n board off, n = 1..24.
A075464 = [1, 4, 5, 4, 15, 28, 33, 40, 25, 44, 55, 72]
A075464 += [105, 56, 117, 104, 147, 188, 141, 224, 245, 276, 231, 270]

sides = st.integers(1, 14)
seeds = st.integers(0, 2**32)


def bits_of(number, shape):
    cells = shape[0] * shape[1]
    return np.array([number >> p & 1 for p in range(cells)], bool).reshape(shape)


def all_on_to_off(n):
    on = np.ones((n, n), bool)
    return Board(n, n), Board(n, n).clicks_between(on, ~on)


@pytest.mark.parametrize(
    "board",
    [Board(1, 2), Board(2, 3), Board(3, 5), Board(3, 3, rule="110")]
    + [pytest.param(Board(4, n), marks=pytest.mark.long) for n in (4, 5)],
    ids=str,
)
def test_nearest_every_program_on_small_boards_finds_the_minimum(board):
    toggled, rng = images_of(board.rule, board.shape), np.random.default_rng(0)
    reachable, tried = toggled ^ (1 << board.cells) - 1, np.zeros(1 << board.cells, bool)
    while not tried.all():
        number = rng.choice(np.flatnonzero(~tried))
        tried[number ^ toggled] = True  # clicks lead from one to the other: they are as far off
        minimum = np.bitwise_count(reachable ^ number).min()
        target = bits_of(int(number), board.shape)
        for ip in ("auto", "parity", "paper"):
            nearest = la.nearest_accessible(board, target, ip=ip)
            assert (nearest.wrong, nearest.bound) == (minimum, minimum)
            assert nearest.status is la.Status.OPTIMAL
            assert (nearest.chased_wrong is None) == (board.rule != "plus")
            assert (nearest.configuration ^ target).sum() == minimum
            assert np.array_equal(board.toggles(nearest.clicks), ~nearest.configuration)


@pytest.mark.parametrize(
    "n", [24, 30] + [pytest.param(n, marks=pytest.mark.long) for n in (39, 47, 59, 61, 62, 64, 65)]
)
def test_nearest_on_hard_boards_is_proven_minimal(n):
    # The hardest square boards up to 65, where the paper's program proves nothing.
    nearest = la.nearest_accessible(Board(n, n), random_bits((n, n), n), time_limit=of_work(30))
    assert nearest.status is la.Status.OPTIMAL
    assert nearest.wrong == nearest.bound <= nearest.chased_wrong


def test_paper_program_cancelled_returns_best_and_valid_bound():
    board, target = Board(24, 24), random_bits((24, 24), 24)
    minimum, pairs, deadline = la.nearest_accessible(board, target).wrong, [], la.Deadline(60)

    def on_progress(*pair):
        pairs.append(pair)
        deadline.cancel()

    watch = {"time_limit": deadline, "on_progress": on_progress}
    paper = la.nearest_accessible(board, target, ip="paper", **watch)
    assert deadline.seconds_used() < 30  # SCIP does not go on to its limit
    assert deadline.cut_short
    assert paper.bound <= minimum <= paper.wrong <= paper.chased_wrong
    assert all(bound <= minimum <= best for best, bound in pairs)


@pytest.mark.parametrize("ip", ["parity", "paper"])
def test_nearest_without_time_left_starts_no_program(ip):
    board, target, on_progress = Board(30, 30), random_bits((30, 30), 3), Mock()
    limit = of_work(0)
    nearest = la.nearest_accessible(board, target, ip=ip, time_limit=limit, on_progress=on_progress)
    on_progress.assert_not_called()
    # The program has the clicks of light chasing to begin with, and soon proves 2 wrong cells.
    assert 2 < nearest.wrong <= min(la.chase(board, target, edge).wrong.sum() for edge in EDGES)
    assert nearest.status == la.Status.FEASIBLE


@pytest.mark.parametrize("board", [Board(9, 9), Board(11, 11, rule="ring")], ids=str)
def test_search_progress_converges_to_the_result(board):
    # Ring boards fall into two components, whose counts and bounds add up.
    target, pairs = random_bits(board.shape, 1), []
    nearest = la.nearest_accessible(board, target, on_progress=lambda *pair: pairs.append(pair))
    assert pairs[-1][1] <= nearest.bound <= nearest.wrong <= pairs[-1][0]
    assert all(bound <= nearest.wrong <= best for best, bound in pairs)
    clicks, pairs = random_bits(board.shape, 9), []
    fewest = la.fewest_clicks(board, clicks, on_progress=lambda *pair: pairs.append(pair))
    counts = [best for best, _ in pairs]
    assert counts == sorted(set(counts), reverse=True)
    assert counts[-1] == fewest.count < clicks.sum()
    flips = board.toggles(clicks).sum()
    assert {bound for _, bound in pairs} == {math.ceil(flips / board.most_flips)}


@pytest.mark.long
def test_nearest_too_many_patterns_returns_chased_result():
    board = Board(2048, 2048)  # 1056 patterns of half a megabyte each
    assert not board.can_list_patterns
    nearest = la.nearest_accessible(board, random_bits(board.shape, 1))
    assert 1 == nearest.bound <= nearest.wrong == nearest.chased_wrong
    fewest = la.fewest_clicks(board, nearest.clicks)
    assert 1 <= fewest.bound <= fewest.count == nearest.clicks.sum()
    # Where nothing can be chased there is no such result.
    king = Board(1500, 1500, rule="king", wrap=True)
    assert_refused(lambda: la.nearest_accessible(king, np.eye(1500)), "5996", OptionError)


@settings(max_examples=40)
@given(sides, sides, seeds, st.sampled_from(list(EDGES)))
def test_light_chasing_leaves_wrong_cells_only_at_its_edge(rows, columns, seed, edge):
    board, target = Board(rows, columns), random_bits((rows, columns), seed)
    chased, nearest = la.chase(board, target, edge), la.nearest_accessible(board, target)
    assert nearest.bound <= nearest.wrong <= min(board.nullity, chased.wrong.sum())
    where = {"bottom": np.s_[:-1], "top": np.s_[1:], "left": np.s_[:, 1:], "right": np.s_[:, :-1]}
    assert chased.edge == edge
    assert np.array_equal(chased.wrong, chased.configuration ^ target)
    assert not chased.wrong[where[edge]].any()
    assert np.array_equal(board.toggles(chased.clicks), ~chased.configuration)
    assert chase_to_best_edge(board, target).wrong.sum() <= chased.wrong.sum()


def test_light_chasing_row_by_row():
    # Towards the bottom, by hand: what is lit in a row is clicked in the row below.
    start, plus = random_bits((6, 5), 3), matrix_of("plus", (6, 5))
    lights, chased = start.astype(int), la.chase(Board(6, 5), start & False, start=start)
    for row, step in enumerate(chased.steps):
        lit = [c for c in range(5) if lights[row, c]]
        assert np.argwhere(step.clicks).tolist() == [[row + 1, c] for c in lit]
        lights ^= (plus @ step.clicks.ravel() % 2).reshape(6, 5)
        assert np.array_equal(step.configuration, lights)
    assert row == 4
    assert np.array_equal(chased.wrong, lights)


def test_turning_the_board_off_takes_the_clicks_of_the_oeis():
    for n, count in enumerate(A075464, start=1):
        fewest = la.fewest_clicks(*all_on_to_off(n))
        assert (n, fewest.count, fewest.status) == (n, count, la.Status.OPTIMAL)


@pytest.mark.parametrize("n", [4, pytest.param(9, marks=pytest.mark.long)])
def test_the_papers_basic_program_takes_the_clicks_of_the_oeis(n):
    board, clicks = all_on_to_off(n)
    program = scip.clicks_program(board, np.ones((n, n), bool), clicks)
    result = scip.solve_program(program, la.Deadline(120))
    assert result.values.sum() == result.bound == A075464[n - 1]
    assert board.toggles(result.values.reshape(n, n)).all()


@pytest.mark.long
def test_the_program_proves_what_cannot_be_weighed():
    board, reports = Board(29, 29, rule="king"), []  # 2**57 click sets
    clicks = random_bits(board.shape)
    searched = la.fewest_clicks(board, clicks, time_limit=of_work(5), program=False)
    proven = la.fewest_clicks(board, clicks, on_progress=lambda *pair: reports.append(pair))
    for result in (searched, proven):
        assert np.array_equal(board.toggles(result.clicks), board.toggles(clicks))
    assert searched.bound < searched.count
    assert proven.bound == proven.count <= searched.count < clicks.sum()
    assert all(bound <= proven.count <= best for best, bound in reports)


def test_fewest_clicks_of_an_ended_count_are_not_proven(monkeypatch):
    # 5 ** 9 click sets in 25 blocks, of which time allows one.
    board, rng = Board(5, 5, levels=5, wrap=True), np.random.default_rng(0)
    clicks = rng.integers(0, 5, board.shape, np.uint8)
    monkeypatch.setattr(la.Deadline, "allows_rest", lambda deadline, done: False)
    fewest = la.fewest_clicks(board, clicks)
    assert fewest.bound < fewest.count


def test_fewest_clicks_large_board_memory_is_bounded():
    board = Board(256, 256)  # nullity 144
    clicks = random_bits(board.shape)
    board.packed_quiet_patterns()
    tracemalloc.start()
    try:
        fewest = la.fewest_clicks(board, clicks, time_limit=of_work(0.02))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert fewest.count < clicks.sum()
    assert peak < 240 * board.cells  # bytes a cell; it was 840


@pytest.mark.parametrize(
    ("ip", "is_right", "bound", "fact"),
    [("parity", False, 0, "accessible"), ("parity", True, 9, "9"), ("paper", True, 9, "9")],
)
def test_solver_wrong_result_raises_solver_error(monkeypatch, ip, is_right, bound, fact):
    target = ~bits_of(1, (5, 5))  # the corner lies on both quiet patterns of the 5 x 5 board
    honest = scip.solve_program

    def lie(*args):
        return scip.ProgramSolution(values=honest(*args).values & is_right, bound=bound)

    monkeypatch.setattr(scip, "solve_program", lie)
    assert_refused(lambda: la.nearest_accessible(Board(5, 5), target, ip=ip), fact, SolverError)


def test_scip_failure_raises_solver_error():
    for failure, fact in {ValueError("no memory"): "no memory", None: "infeasible"}.items():
        broken = Mock(**{"getNSols.return_value": 0, "getStatus.return_value": "infeasible"})
        broken.optimizeNogil.side_effect = failure
        program = scip.IntegerProgram(model=broken, outputs=[])
        with pytest.raises(SolverError, match=fact) as error:
            scip.solve_program(program, la.Deadline(5))
        assert error.value.__cause__ is failure


def test_deadline_part_is_a_share_and_cancelled_with_whole():
    total = la.Deadline(1000)
    half, quarter = total.part(0.5), total.part(0.25)
    assert 998 < total.remaining <= 1000
    assert 498 < half.remaining <= 500
    assert la.Deadline(9999, within=half).remaining <= 500
    assert 998 < la.Deadline.of(total).remaining <= 1000
    half.cancel()
    assert (half.expired, quarter.expired, total.expired) == (True, False, False)
    total.cancel()
    assert (quarter.cancelled, quarter.remaining, total.part(1).remaining) == (True, 0, 0)


def test_deadline_ended_by_work_is_not_cut_short():
    total = la.Deadline(60)
    done, hurried = total.part(0.5), total.part(0.5)
    done.spend(30)
    assert (done.expired, done.work_left, total.work_left) == (True, 0, 30)
    assert not done.allows(1)
    assert not total.cut_short
    hurried.cancel()
    assert not hurried.allows(31)  # which it would not have had the work for
    assert not total.cut_short
    assert not hurried.allows(29)
    assert (hurried.cut_short, total.cut_short, done.cut_short) == (True, True, False)


@pytest.mark.parametrize(
    ("search", "side", "seconds"),
    [
        (la.nearest_accessible, 128, 0.035),  # Nullity 56: no search is done.
        (la.fewest_clicks, 128, 0.002),
        (partial(la.nearest_accessible, ip="parity"), 39, 0.02),
    ],
)
def test_searches_out_of_work_are_deterministic_and_good(search, side, seconds):
    board, bits = Board(side, side), random_bits((side, side), 1)
    limits = la.Deadline(math.inf).part(work=seconds), of_work(seconds)
    result, again = (search(board, bits, time_limit=limit) for limit in limits)
    assert (result.status, result.cut_short) == (la.Status.FEASIBLE, False)
    assert np.array_equal(result.clicks, again.clicks)
    if search is la.nearest_accessible:  # the heuristic leaves about 60 wrong cells here
        assert 3 <= result.bound <= result.wrong <= 15 < result.chased_wrong


def test_paper_program_without_clock_ends_and_says_so():
    limit = la.Deadline(math.inf).part(work=0.002)
    target, options = random_bits((24, 24), 24), {"ip": "paper", "time_limit": limit}
    assert la.nearest_accessible(Board(24, 24), target, **options).cut_short


@pytest.mark.long
@pytest.mark.parametrize(("side", "count"), [(61, 1629), (65, 1867)])  # OEIS A075464
def test_fewest_clicks_of_the_largest_nullities_are_proven(side, count):
    board, all_on = la.Board(side, side), np.ones((side, side), bool)
    result = la.fewest_clicks(board, board.clicks_between(all_on, ~all_on), time_limit=of_work(60))
    assert (result.count, result.bound) == (count, count)


@pytest.mark.parametrize(("levels", "shape"), [(3, (2, 2)), (3, (1, 8)), (3, (2, 5)), (5, (1, 5))])
def test_any_costs_of_levels_are_minimised(levels, shape):
    # By brute force: all configurations that click sets lead to.
    board, rng = Board(*shape, levels=levels), np.random.default_rng(0)
    accessible = board.add(board.reference, all_click_sets(board)[1].reshape(-1, *shape))
    for most in [8, 400] * 5:  # Similar spot colours make the cost of others more than 255.
        costs = rng.integers(1, most + 1, (levels, levels))
        np.fill_diagonal(costs, 0)
        target = rng.integers(0, levels, shape).astype(np.uint8)
        least = costs[target, accessible].sum(axis=(1, 2)).min()
        nearest = la.nearest_accessible(board, target, level_costs=costs)
        assert nearest.bound <= nearest.distance == least


@pytest.mark.long
def test_a_cell_of_a_third_colour_leaves_five_wrong_cells_of_128_x_128():
    # Two colours alone leave 6; about 128 of the changes of 5 cells make it accessible.
    board, target = Board(128, 128), random_bits((128, 128), 1)
    assert la.nearest_accessible(board, target, time_limit=of_work(10)).wrong == 5


def test_deadline_allows_rest_judges_the_pace(monkeypatch):
    now = [0.0]
    monkeypatch.setattr("lightsanim.system.deadline.time.monotonic", lambda: now[0])
    deadline = la.Deadline(1)
    now[0] = 0.05
    assert deadline.allows_rest(0.01)  # too early to say
    now[0] = 0.25
    assert deadline.allows_rest(0.26)
    assert not deadline.allows_rest(0.24)  # at this pace more than 1 s


@pytest.fixture
def two_cores():
    """Two searches run beside each other."""
    before = core_limit()
    limit_cores(2)
    yield
    limit_cores(before)


@pytest.mark.usefixtures("two_cores")
@pytest.mark.parametrize("error", [SolverError, KeyboardInterrupt])
@pytest.mark.parametrize("items", [["bad", "good"], ["good", "bad"]])
def test_parallel_search_failure_stops_the_others(items, error):
    waiting, stopped, ended = threading.Event(), threading.Event(), threading.Event()

    def search(item, deadline):
        if item == "bad":
            waiting.wait(5)
            raise error("no")
        waiting.set()
        while not deadline.cancelled:
            if ended.wait(0.001):
                return
        stopped.set()

    try:
        with pytest.raises(error, match="no"):
            search_in_parallel(search, items, 30)
        assert stopped.wait(5)
    finally:
        ended.set()


def test_parallel_search_started_during_failure_stops():
    cancelled, stopped = threading.Event(), threading.Event()

    class Late(float):
        """Seconds that hold up the start of a search until another has failed."""

        def __float__(self):
            if threading.current_thread() is not threading.main_thread():
                cancelled.wait(5)
            return super().__float__()

    def search(item, deadline):
        if deadline.expired:
            stopped.set()

    def items():
        yield "late"
        raise SolverError("no")

    with pytest.raises(SolverError, match="no"):
        search_in_parallel(search, items(), Late(30))
    cancelled.set()
    assert stopped.wait(5)


@pytest.mark.parametrize("seed", [0, 2, 3])
def test_solve_unreachable_goal_changes_least_visible_cell(seed):
    board, rng, messages = Board(5, 5), np.random.default_rng(seed), []
    start, goal, margin = rng.random((5, 5)) < 0.5, rng.random((5, 5)) < 0.5, rng.random((5, 5))
    alone = la.solve_board(board, start, goal)
    assert (alone.accessible, alone.nearest, alone.fewest) == (False, None, None)
    assert np.array_equal(alone.end, start)
    solution = la.solve_board(board, start, goal, nearest=True, margin=margin, say=messages.append)
    assert not solution.accessible
    assert (solution.nearest.wrong, solution.nearest.bound) == (1, 1)
    assert np.array_equal(start ^ board.toggles(solution.fewest.clicks), solution.end)
    # Of all single cells that would do, by brute force.
    singles, apart = [bits_of(1 << cell, (5, 5)) for cell in range(25)], start ^ goal
    serving = [n for n, cell in enumerate(singles) if board.is_accessible(~(apart ^ cell))]
    wrong = np.flatnonzero(solution.end ^ goal).tolist()
    assert wrong == [min(serving, key=margin.ravel().__getitem__)]
    values = [re.findall(r"\d+ wrong|\d+ clicks|\d+$", line) for line in messages]
    assert ["1 wrong", "1"] in values
    assert all(len(pair) == 2 for pair in values)
    # Where the start is as near as any, nothing is clicked: a single cell cannot be changed alone.
    near = la.solve_board(board, start, start ^ singles[0], nearest=True)
    assert not (near.fewest.clicks | near.nearest.clicks).any()
    assert np.array_equal(near.nearest.configuration, start)
    assert np.array_equal(near.end, start)


def test_solve_time_limit_applies_to_both_searches():
    # Neither a 65 x 65 board's nearest configuration nor its fewest clicks come in no time.
    board, start, goal = Board(65, 65), random_bits((65, 65), 1), random_bits((65, 65), 2)
    hurried = la.solve_board(board, start, goal, nearest=True, time_limit=1e-9)
    assert hurried.nearest.status is hurried.fewest.status is la.Status.FEASIBLE
    assert hurried.nearest.bound < hurried.nearest.wrong


def test_all_click_sets_are_listed_the_smallest_first():
    board, clicks = Board(4, 4), random_bits((4, 4), 3)
    sets = list(click_sets(board, clicks))
    assert len({x.tobytes() for x in sets}) == 16
    assert all(np.array_equal(board.toggles(x), board.toggles(clicks)) for x in sets)
    sizes = [x.sum() for x in sets]
    assert sizes == sorted(sizes)
    two = list(click_sets(Board(1, 2), np.array([[True, False]])))  # either cell flips both
    assert np.array_equal(two, [[[True, False]], [[False, True]]])
    assert Board(19, 19).nullity == 16
    assert len(list(itertools.islice(click_sets(Board(19, 19), np.eye(19) > 0), 3))) == 3
    assert np.array_equal(list(click_sets(Board(3, 3), np.eye(3) > 0)), [np.eye(3) > 0])


def test_legal_order_clicks_each_cell_only_once():
    # Two lit cells in a row of 2 x 2: clicks on lit cells alone turn them off (0, 2, 0, 3), but not
    # each cell once.
    solution = la.solve_board(Board(2, 2), np.array([[1, 1], [0, 0]]), np.zeros((2, 2)))
    order = partial(la.order_solution, solution, "lit", np.random.default_rng(0))
    assert_refused(order, "2 clicks row 1", SolverError)


def picture_of(result):
    [png] = re.findall(r'src="data:image/png;base64,([^"]+)"', result._repr_html_())
    with Image.open(io.BytesIO(base64.b64decode(png))) as image:
        return image.convert("RGB")


def shown_cells(result, rows, columns):
    """The middle of each cell of its picture, int (rows, columns, 3)."""
    image = picture_of(result)
    assert abs(image.width / image.height - columns / rows) < 0.1
    return np.asarray(image.resize((columns, rows), Image.Resampling.NEAREST), int)


def test_results_are_compared_by_identity():
    board, on = la.Board(5, 5), np.ones((5, 5), bool)
    results = [la.fewest_clicks(board, on), la.nearest_accessible(board, on), la.most_clicks(board)]
    results += [la.solve_board(board, on, on), la.pose(board, 3), la.solve_puzzle("abbott", ["4"])]
    assert len({*results, *map(replace, results)}) == 12
    assert [*map(results.index, results)] == list(range(6))


def test_the_nearest_frames_the_cells_that_are_wrong():
    lone = np.zeros((4, 4), bool)
    lone[2, 1] = True
    nearest = la.nearest_accessible(la.Board(4, 4), lone)  # of nullity 4: one cell alone is not
    is_framed = (np.asarray(picture_of(nearest)) == [0xE5, 0x26, 0x7E]).all(axis=-1)
    rows, columns = (np.unique(4 * indices // len(is_framed)) for indices in is_framed.nonzero())
    assert np.argwhere(nearest.configuration != lone).tolist() == [[*rows, *columns]]


def test_results_show_themselves():
    hardest = la.most_clicks(la.Board(5, 5))
    assert repr(hardest) == "<HardestStart: 15 clicks, proven the most>"  # Jaap's
    board, off = la.Board(5, 5), np.zeros((5, 5), bool)
    solution = la.solve_board(board, ~off, off)
    assert repr(solution) == "<Solution: 15 clicks, proven the fewest>"  # OEIS A075464
    cells = shown_cells(solution, 5, 5)
    assert np.array_equal((cells[..., 2] == 0), solution.fewest.clicks)  # dots are orange
    shown = solution._repr_mimebundle_(include=None, exclude=None)  # as IPython calls it
    assert shown["text/plain"] == repr(solution)
    assert "proven" in shown["text/html"]
    assert shown["image/png"].startswith(b"\x89PNG")
    # Of three levels a click raises dark cells half way to bright.
    dark, half = shown_cells(la.Board(3, 3, levels=3), 3, 3)[0, :2, 0]
    assert abs(half - (dark + 0xF2) / 2) <= 1


@pytest.mark.long
def test_results_plot_on_the_axes_passed():
    pytest.importorskip("matplotlib").use("agg")
    board = la.Board(5, 5)
    axes = la.solve_board(board, board.reference, ~board.reference).plot()
    assert la.pose(board, 3, seed=1).plot(axes) is axes
