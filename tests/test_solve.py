import inspect
import itertools
import re
import threading
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lightsanim.board.board import Board
from lightsanim.errors import InaccessibleError, OptionError, SolverError
from lightsanim.options import Settings
from lightsanim.solve import combinations, scip
from lightsanim.solve.answer import click_sets, solve_board
from lightsanim.solve.chase import EDGES, chase, chase_to_nearest_edge
from lightsanim.solve.checks import pack_words
from lightsanim.solve.decode import decode, explain
from lightsanim.solve.fewest import _weigh_all, add_patterns, fewest_clicks
from lightsanim.solve.nearest import nearest_accessible
from lightsanim.solve.outcome import Deadline, Status
from lightsanim.solve.pose import pose
from lightsanim.solve.search import Found, search_by_weight
from lightsanim.solve.side_by_side import search_side_by_side
from lightsanim.solve.worst import most_clicks

# https://oeis.org/A075464: the fewest clicks that turn the all-on n x n board off, n = 1..24.
A075464 = [1, 4, 5, 4, 15, 28, 33, 40, 25, 44, 55, 72]
A075464 += [105, 56, 117, 104, 147, 188, 141, 224, 245, 276, 231, 270]

SMALL = [(m, n) for m in range(1, 6) for n in range(m, 6)]

sides = st.integers(1, 14)
seeds = st.integers(0, 2**32)


def random_bits(shape, seed=0):
    return np.random.default_rng(seed).random(shape) < 0.5


def bits_of(number, shape):
    cells = shape[0] * shape[1]
    return np.array([number >> p & 1 for p in range(cells)], bool).reshape(shape)


def neighbourhoods(board):
    """Each cell's C(i, j) as a number, bit p for cell p."""
    clicks = (bits_of(1 << p, board.shape) for p in range(board.cells))
    return [sum(1 << int(q) for q in np.flatnonzero(board.toggles(click))) for click in clicks]


def steps_by_brute_force(size, starts, flips):
    """Breadth first over all 2**size configurations: the flips needed from the nearest start."""
    everything = np.arange(1 << size)
    steps = np.full(1 << size, 127, np.int8)
    steps[starts] = 0
    step = 0
    while (before := steps == step).any():
        step += 1
        for flip in flips:
            reached = everything[before] ^ flip
            steps[reached] = np.minimum(steps[reached], step)
    return steps


def wrong_by_brute_force(board):
    """For every target, the wrong cells of the nearest accessible configuration."""
    accessible = np.array([(1 << board.cells) - 1], np.int32)
    for neighbourhood in neighbourhoods(board):
        accessible = np.concatenate([accessible, accessible ^ np.int32(neighbourhood)])
    wrong = np.full(1 << board.cells, 127, np.int8)
    wrong[accessible] = 0
    for p in range(board.cells):  # changing cell p once, or not
        pairs = wrong.reshape(-1, 2, 1 << p)
        pairs[:] = np.minimum(pairs, np.minimum(pairs[:, ::-1], 100) + np.int8(1))
    return wrong


def syndromes_of_all(board):
    """For every target, its syndrome as a number."""
    everything, numbers = np.arange(1 << board.cells), np.zeros(1 << board.cells, np.int64)
    for t, pattern in enumerate(board.quiet_patterns()):
        mask = sum(1 << int(p) for p in np.flatnonzero(pattern))
        numbers |= (np.bitwise_count(~everything & mask).astype(np.int64) & 1) << t
    return numbers


@pytest.mark.parametrize("shape", SMALL)
def test_both_programs_find_the_minimum_of_every_target_on_small_boards(shape):
    # All targets with one syndrome have the same minimum, which brute force shows here for every
    # one of them; so one target of each syndrome stands for all.
    board = Board(*shape)
    wrong, syndromes = wrong_by_brute_force(board), syndromes_of_all(board)
    for syndrome in range(2**board.nullity):
        targets = np.flatnonzero(syndromes == syndrome)
        (minimum,) = np.unique(wrong[targets])
        target = bits_of(int(targets[len(targets) // 3]), shape)
        for ip in ("auto", "parity", "paper"):
            nearest = nearest_accessible(board, target, ip=ip)
            assert (nearest.wrong, nearest.bound) == (minimum, minimum)
            assert nearest.status is Status.OPTIMAL
            assert (nearest.configuration ^ target).sum() == minimum


@pytest.mark.parametrize("shape", [(1, 5), (2, 3), (3, 3), (4, 4), (3, 5)])
def test_fewest_clicks_are_those_of_brute_force(shape):
    board = Board(*shape)
    presses = steps_by_brute_force(board.cells, [0], neighbourhoods(board))
    differences = np.flatnonzero(presses < 127)
    for difference in differences[:: max(1, len(differences) // 200)]:
        goal = bits_of(int(difference), shape)
        fewest = fewest_clicks(board, board.clicks_between(np.zeros(shape, bool), goal))
        assert fewest.count == fewest.bound == presses[difference]
        assert np.array_equal(board.toggles(fewest.clicks), goal)


def all_on_to_off(n):
    on = np.ones((n, n), bool)
    return Board(n, n), Board(n, n).clicks_between(on, ~on)


@pytest.mark.parametrize("n", range(1, 25))
def test_turning_the_board_off_takes_the_clicks_of_the_oeis(n):
    fewest = fewest_clicks(*all_on_to_off(n))
    assert (fewest.count, fewest.status) == (A075464[n - 1], Status.OPTIMAL)


@pytest.mark.parametrize("n", [4, 5, 9])
def test_the_papers_basic_program_takes_the_clicks_of_the_oeis(n):
    board, clicks = all_on_to_off(n)
    program = scip.fewest_clicks_program(board, np.ones((n, n), bool), clicks)
    answer = scip.solve(program, Deadline(30))
    assert answer.values.sum() == answer.bound == A075464[n - 1]
    assert board.toggles(answer.values.reshape(n, n)).all()


@given(sides, sides, seeds, st.sampled_from(list(EDGES)))
def test_light_chasing_leaves_wrong_cells_only_at_its_edge(rows, columns, seed, edge):
    board, target = Board(rows, columns), random_bits((rows, columns), seed)
    chased = chase(board, target, edge)
    where = {"bottom": np.s_[:-1], "top": np.s_[1:], "left": np.s_[:, 1:], "right": np.s_[:, :-1]}
    assert np.array_equal(chased.wrong, chased.configuration ^ target)
    assert not chased.wrong[where[edge]].any()
    assert np.array_equal(board.toggles(chased.clicks), ~chased.configuration)
    assert chase_to_nearest_edge(board, target).wrong.sum() <= chased.wrong.sum()


@settings(max_examples=40)
@given(sides, sides, seeds, st.booleans())
def test_nearest_is_accessible_and_no_random_clicks_come_nearer(rows, columns, seed, wrap):
    board, target = Board(rows, columns, wrap=wrap), random_bits((rows, columns), seed)
    nearest = nearest_accessible(board, target)
    assert np.array_equal(board.toggles(nearest.clicks), ~nearest.configuration)
    assert nearest.wrong == (nearest.configuration ^ target).sum() <= board.nullity
    assert nearest.bound <= nearest.wrong
    for other in range(20):
        reached = ~board.toggles(random_bits(board.shape, seed + other + 1))
        assert (reached ^ target).sum() >= nearest.bound


@pytest.mark.parametrize(("n", "nullity"), [(24, 4), (30, 20)])
def test_the_minimum_of_hard_boards_is_proven_and_not_above_the_heuristics(n, nullity):
    board = Board(n, n)
    assert board.nullity == nullity
    nearest = nearest_accessible(board, random_bits((n, n), n))
    assert nearest.status is Status.OPTIMAL
    assert nearest.wrong == nearest.bound <= nearest.chased_wrong


def test_the_papers_program_returns_its_best_and_a_true_bound_when_the_time_is_up():
    board, target = Board(24, 24), random_bits((24, 24), 24)
    minimum = nearest_accessible(board, target).wrong
    seen = []
    paper = nearest_accessible(
        board, target, ip="paper", time_limit=2, on_progress=lambda *pair: seen.append(pair)
    )
    assert paper.bound <= minimum <= paper.wrong <= paper.chased_wrong
    assert (paper.status is Status.OPTIMAL) == (paper.bound == paper.wrong)
    assert seen
    assert all(bound <= minimum <= best for best, bound in seen)


def test_of_cells_that_serve_equally_the_one_that_shows_least_is_changed():
    board, target = Board(5, 5), np.ones((5, 5), bool)
    target[0, 0] = False
    serving = [c for c in range(25) if board.is_accessible(target ^ bits_of(1 << c, (5, 5)))]
    assert len(serving) > 3
    for cell in serving:
        margin = np.ones(25)
        margin[cell] = 0.5
        nearest = nearest_accessible(board, target, margin=margin.reshape(5, 5))
        assert np.flatnonzero(nearest.configuration ^ target).tolist() == [cell]


@given(st.integers(1, 9), st.integers(1, 40), seeds)
def test_blocks_hold_the_lightest_of_all_combinations(k, cells, seed):
    rng = np.random.default_rng(seed)
    patterns, clicks = rng.random((k, cells)) < 0.5, rng.random(cells) < 0.5
    sums = [add_patterns(patterns, clicks, combination) for combination in range(2**k)]
    sizes = [int(sum_.sum()) for sum_ in sums]
    with pytest.MonkeyPatch.context() as patch:  # small blocks, so that there are several
        patch.setattr(combinations, "LOW_BITS", 3)
        patch.setattr(combinations, "MIDDLE_BITS", 2)
        blocks = list(combinations.lightest_of_blocks(patterns, clicks))
    assert len(blocks) == 2 ** max(0, k - 5)
    for block, (size, combination) in enumerate(blocks):
        assert size == sizes[combination] == min(sizes[32 * block : 32 * block + 32])


@pytest.mark.parametrize("cells", [32_767, 32_768, 40_000, 70_000])
def test_boards_of_more_cells_than_a_short_number_counts_are_weighed(cells):
    patterns = np.zeros((2, cells), bool)
    patterns[0], patterns[1, :9] = True, True
    clicks = np.zeros(cells, bool)
    clicks[:9] = True
    for start, combination in [(clicks, 0b10), (~clicks, 0b11), (clicks & False, 0)]:
        found = list(combinations.lightest_of_blocks(patterns, start))
        assert found == [(0, combination)]
        assert not add_patterns(patterns, start, combination).any()


# The search by weight.


@st.composite
def checked_classes(draw):
    """Different columns of full rank, and a syndrome."""
    k = draw(st.integers(2, 9))
    numbers = draw(st.sets(st.integers(1, 2**k - 1), max_size=2 * k)) | {1 << t for t in range(k)}
    matrix = np.array([[number >> t & 1 for number in sorted(numbers)] for t in range(k)], bool)
    syndrome = draw(st.integers(1, 2**k - 1))
    return matrix, np.array([syndrome >> t & 1 for t in range(k)], bool)


def lightest_by_brute_force(matrix, syndrome):
    """The fewest columns that sum to the syndrome: breadth first over all syndromes."""
    k = len(matrix)
    columns = [int(sum(1 << t for t in np.flatnonzero(column))) for column in matrix.T]
    return steps_by_brute_force(k, [0], columns)[sum(1 << t for t in np.flatnonzero(syndrome))]


def search(matrix, syndrome, cost, known=99, seconds=60):
    words, wanted = pack_words(matrix.T), pack_words(syndrome[None])[0]
    return search_by_weight(words, wanted, cost, known, Deadline(seconds))


def explains(matrix, classes, syndrome):
    return np.array_equal(np.bitwise_xor.reduce(matrix[:, classes], axis=1), syndrome)


@settings(max_examples=300)
@given(checked_classes())
def test_the_search_finds_and_proves_the_lightest_answer(case):
    matrix, syndrome = case
    lightest = lightest_by_brute_force(matrix, syndrome)
    found = search(matrix, syndrome, np.ones(matrix.shape[1]))
    if lightest <= 5:
        assert len(found.classes) == found.bound == lightest
        assert explains(matrix, found.classes, syndrome)
    else:
        assert (found.classes, found.bound) == (None, 6)


@given(checked_classes(), st.integers(1, 6))
def test_the_search_says_nothing_of_answers_that_are_no_better_than_known(case, known):
    matrix, syndrome = case
    lightest = lightest_by_brute_force(matrix, syndrome)
    found = search(matrix, syndrome, np.ones(matrix.shape[1]), known)
    assert (found.classes is None) == (lightest >= min(known, 6))
    assert found.bound == min(known, lightest, 6)


def test_the_search_is_the_same_in_small_chunks_and_with_long_columns(monkeypatch):
    rng = np.random.default_rng(5)
    for k, classes in [(40, 300), (90, 200)]:
        matrix = rng.random((k, classes)) < 0.5
        for weight in (1, 2, 3, 4, 5):
            hidden = rng.choice(classes, weight, replace=False)
            syndrome = np.bitwise_xor.reduce(matrix[:, hidden], axis=1)
            for chunk in (1 << 23, 1 << 8):
                monkeypatch.setattr("lightsanim.solve.search.CHUNK", chunk)
                found = search(matrix, syndrome, np.ones(classes))
                assert sorted(found.classes) == sorted(hidden)
                assert found.bound == weight


@given(checked_classes(), seeds)
def test_of_lightest_answers_the_cheapest_is_found(case, seed):
    matrix, syndrome = case
    cost = np.random.default_rng(seed).random(matrix.shape[1])
    found = search(matrix, syndrome, cost)
    if found.bound in (1, 2):
        every = itertools.combinations(range(matrix.shape[1]), found.bound)
        costs = [cost[list(c)].sum() for c in every if explains(matrix, list(c), syndrome)]
        assert cost[found.classes].sum() == pytest.approx(min(costs))


def test_a_search_without_time_proves_what_little_it_can():
    matrix = np.random.default_rng(1).random((60, 3000)) < 0.5
    syndrome = np.ones(60, bool)
    found = search(matrix, syndrome, np.ones(3000), seconds=1e-9)
    assert (found.classes, found.bound) == (None, 3)


@given(checked_classes(), seeds)
def test_decoding_returns_an_answer_no_heavier_than_the_known_one(case, seed):
    matrix, syndrome = case
    words, wanted, k = pack_words(matrix.T), pack_words(syndrome[None])[0], len(matrix)
    known = explain(words, k, wanted)
    lightest, told = int(lightest_by_brute_force(matrix, syndrome)), []
    best = decode(words, k, wanted, known, lightest, Deadline(5), told.append)
    assert explains(matrix, known, syndrome)
    assert explains(matrix, best, syndrome)
    assert lightest <= len(best) <= len(known) <= k
    assert told == sorted(told, reverse=True)


def test_a_board_with_too_many_quiet_patterns_keeps_the_heuristics_answer(monkeypatch):
    monkeypatch.setattr("lightsanim.solve.nearest.MAX_PATTERN_BITS", 1000)
    monkeypatch.setattr("lightsanim.solve.fewest.MAX_PATTERN_BITS", 1000)
    board, target = Board(30, 30), random_bits((30, 30), 1)
    nearest = nearest_accessible(board, target)
    assert 1 == nearest.bound <= nearest.wrong == nearest.chased_wrong
    fewest = fewest_clicks(board, nearest.clicks)
    assert 1 <= fewest.bound <= fewest.count == nearest.clicks.sum()
    # Where nothing can be chased there is no such answer.
    with pytest.raises(
        OptionError,
        match=r"^a 30x24 board of rule 'king' has \d+ parity checks, too many to find the nearest "
        r"configuration; choose another size, or perfect$",
    ):
        nearest_accessible(Board(24, 30, rule="king", wrap=True), random_bits((24, 30), 1))


def test_decoding_finds_light_answers_on_a_large_board():
    # 128 x 128 has nullity 56.  The heuristic leaves about 60 wrong cells here.
    board = Board(128, 128)
    nearest = nearest_accessible(board, random_bits(board.shape, 1), time_limit=4)
    assert nearest.wrong <= 8
    assert 3 <= nearest.bound <= nearest.wrong


@pytest.mark.parametrize("n", [39, 47, 59, 61, 62, 64, 65])
def test_the_minimum_of_the_hardest_boards_up_to_65_is_proven(n):
    nearest = nearest_accessible(Board(n, n), random_bits((n, n), n))
    assert nearest.status is Status.OPTIMAL
    assert nearest.wrong == nearest.bound <= nearest.chased_wrong


@pytest.mark.parametrize(
    ("limits", "seconds"),
    [
        ({"QUICK_CLASSES": 0}, 3),  # decoding before the search by weight
        ({"search_by_weight": lambda *_: Found(classes=None, bound=1)}, 3),  # SCIP proves it
        (
            {"search_by_weight": lambda *_: Found(classes=None, bound=1), "MAX_CERTIFIED_SIZE": 0},
            0.3,
        ),
    ],
    ids=["decode first", "certify", "decode only"],
)
@pytest.mark.parametrize("board", [Board(11, 11), Board(16, 16)], ids=str)
def test_every_way_to_search_finds_the_same_minimum(monkeypatch, board, limits, seconds):
    # Of nullity 6 and 8, so that every way tries all that there is in no time.
    target, told = random_bits(board.shape, 1), []
    expected = nearest_accessible(board, target)
    for name, value in limits.items():
        monkeypatch.setattr(f"lightsanim.solve.nearest.{name}", value)
    nearest = nearest_accessible(
        board, target, time_limit=seconds, on_progress=lambda *pair: told.append(pair)
    )
    assert nearest.wrong == expected.wrong == expected.bound
    assert 1 <= nearest.bound <= nearest.wrong
    assert nearest.status is Status.OPTIMAL or "MAX_CERTIFIED_SIZE" in limits
    assert all(bound <= expected.wrong <= best for best, bound in told)


def test_the_papers_program_starts_from_nothing_where_nothing_can_be_chased():
    board = Board(3, 3, rule="110")
    target = random_bits((3, 3), 2)
    paper = nearest_accessible(board, target, ip="paper")
    assert paper.chased_wrong is None
    assert paper.wrong == nearest_accessible(board, target).wrong == paper.bound


def test_the_papers_basic_program_goes_on_where_not_all_can_be_weighed(monkeypatch):
    told, (board, clicks) = [], all_on_to_off(5)
    monkeypatch.setattr("lightsanim.solve.fewest.MAX_WEIGHED_NULLITY", 1)
    fewest = fewest_clicks(board, clicks, on_progress=lambda *pair: told.append(pair))
    assert (fewest.count, fewest.status) == (15, Status.OPTIMAL)
    assert told
    # Without it, what was found stands, with the bound of what a click flips at most: 25 / 5.
    monkeypatch.setattr("lightsanim.solve.fewest.MAX_PROGRAM_FLIPS", 25 * 5 - 1)
    for more in (0, 1):
        start = add_patterns(board.quiet_patterns().reshape(2, 25), clicks.ravel(), more)
        fewest = fewest_clicks(board, start.reshape(5, 5))
        assert (fewest.bound, fewest.count) == (5, start.sum())
        assert board.toggles(fewest.clicks).all()


def test_weighing_that_takes_too_long_is_given_up(monkeypatch):
    # 9 x 9 in 2**8 blocks of one combination each, and a clock that stands still until the second.
    monkeypatch.setattr(combinations, "LOW_BITS", 0)
    monkeypatch.setattr(combinations, "MIDDLE_BITS", 0)
    monkeypatch.setattr("lightsanim.solve.fewest.BLOCK_BITS", 0)
    board, clicks = all_on_to_off(9)
    patterns = board.quiet_patterns().reshape(8, 81)

    class Slow:
        looks = 0

        @property
        def remaining(self):
            self.looks += 1
            return 100.0 - self.looks * self.pace

    for pace, complete in [(0.1, True), (1.0, False)]:
        slow, told = Slow(), []
        slow.pace = pace
        best, whole = _weigh_all(patterns, clicks.ravel(), slow, told.append)
        assert whole is complete
        assert told == sorted(set(told), reverse=True)
        assert board.toggles(best.reshape(9, 9)).all()
        assert best.sum() == (told[-1] if told else clicks.sum())
        if complete:
            assert best.sum() == 25
            assert slow.looks > 256
    # No time at all is too little, too.
    gone = Deadline(9)
    gone.cancel()
    best, whole = _weigh_all(patterns, clicks.ravel(), gone, [].append)
    assert not whole
    assert board.toggles(best.reshape(9, 9)).all()


# A solver that lies.


def inaccessible():
    target = np.ones((5, 5), bool)
    target[0, 0] = False  # The corner lies on both quiet patterns of the 5 x 5 board.
    return Board(5, 5), target


@pytest.mark.parametrize("ip", ["auto", "parity", "paper"])
def test_a_wrong_nearest_configuration_does_not_leave_the_solve_package(monkeypatch, ip):
    board, target = inaccessible()
    assert not board.is_accessible(target)
    nothing = np.zeros(0, np.int64)
    monkeypatch.setattr(
        "lightsanim.solve.nearest.search_by_weight", lambda *_: Found(classes=nothing, bound=0)
    )
    monkeypatch.setattr(
        scip,
        "solve",
        lambda program, *_: scip.Answer(values=np.zeros(program.answers, bool), bound=9),
    )
    with pytest.raises(SolverError, match=r"not accessible|bound 9"):
        nearest_accessible(board, target, ip=ip)


@pytest.mark.parametrize("ip", ["parity", "paper"])
def test_a_bound_above_the_answer_does_not_leave_the_solve_package(monkeypatch, ip):
    board, target = inaccessible()
    honest = scip.solve
    monkeypatch.setattr(
        scip, "solve", lambda *args: scip.Answer(values=honest(*args).values, bound=9)
    )
    with pytest.raises(SolverError, match="bound 9"):
        nearest_accessible(board, target, ip=ip)


def test_a_wrong_click_set_does_not_leave_the_solve_package(monkeypatch):
    monkeypatch.setattr("lightsanim.solve.fewest.MAX_WEIGHED_NULLITY", 0)
    monkeypatch.setattr(
        scip,
        "solve",
        lambda program, *_: scip.Answer(values=np.zeros(program.answers, bool), bound=0),
    )
    with pytest.raises(SolverError, match="does not hold"):
        fewest_clicks(*all_on_to_off(5))


def test_a_wrong_sum_of_patterns_does_not_leave_the_solve_package(monkeypatch):
    monkeypatch.setattr(
        "lightsanim.solve.fewest.add_patterns", lambda patterns, clicks, _: clicks & False
    )
    with pytest.raises(SolverError, match="does not hold"):
        fewest_clicks(*all_on_to_off(5))


class Broken:
    """Stands for a SCIP that fails, or that ends with nothing."""

    def __init__(self, failure):
        self.failure = failure

    def __getattr__(self, name):
        return lambda *_: None

    def optimizeNogil(self):  # noqa: N802
        if self.failure:
            raise self.failure

    def getNSols(self):  # noqa: N802
        return 0

    def getStatus(self):  # noqa: N802
        return "infeasible"


@pytest.mark.parametrize(
    ("failure", "message"),
    [
        (ValueError("no memory"), "^SCIP failed: no memory$"),
        (None, r"^SCIP ended without a solution \(infeasible\)$"),
    ],
)
def test_a_scip_that_fails_is_an_error_of_ours(failure, message):
    program = scip.Program(model=Broken(failure), variables=[], start=[], answers=0)
    with pytest.raises(SolverError, match=message) as error:
        scip.solve(program, Deadline(5))
    assert error.value.__cause__ is failure


def test_a_start_that_is_no_solution_is_refused():
    program = scip.nearest_by_parity_program(
        np.ones((1, 3), bool), np.array([True]), np.zeros(3, bool)
    )
    with pytest.raises(
        SolverError, match=r"^the start handed to SCIP does not satisfy the program$"
    ):
        scip.solve(program, Deadline(5))


# Limits and interrupts.


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), 10**400, True, "9"])
def test_a_time_limit_must_be_positive(seconds):
    with pytest.raises(OptionError, match="more than 0 seconds"):
        nearest_accessible(Board(3, 3), np.zeros((3, 3), bool), time_limit=seconds)


def test_a_deadline_tells_the_time_and_whether_it_was_cancelled():
    deadline = Deadline(60)
    part = deadline.part(0.5)
    assert deadline.cancelled is part.cancelled is False
    time.sleep(0.002)
    used = deadline.seconds_used()
    assert isinstance(used, float)
    assert used == round(used, 4) > 0
    part.cancel()
    assert (deadline.cancelled, part.cancelled) == (False, True)
    deadline.cancel()
    assert deadline.cancelled is True
    assert deadline.remaining == 0


@pytest.mark.parametrize("search", [nearest_accessible, fewest_clicks, most_clicks, pose])
def test_every_search_has_the_time_of_the_command_line(search):
    usual = inspect.signature(search).parameters["time_limit"].default
    assert usual == Settings(size="9").time_limit


def test_an_unknown_program_is_refused():
    with pytest.raises(OptionError, match="'simplex'; known: auto, parity, paper"):
        nearest_accessible(Board(3, 3), np.zeros((3, 3), bool), ip="simplex")


def test_cancelling_a_deadline_ends_scip_within_a_second():
    board = Board(24, 24)
    deadline = Deadline(60)
    threading.Timer(0.5, deadline.cancel).start()
    start = time.monotonic()
    nearest_accessible(board, random_bits((24, 24), 3), ip="paper", time_limit=deadline)
    assert time.monotonic() - start < 20  # far from the limit; no bar on a noisy machine


@pytest.mark.parametrize("items", [["bad", "good"], ["good", "bad"]])
def test_when_one_search_fails_the_others_are_told_to_stop(items):
    waiting, stopped = threading.Event(), threading.Event()

    def search(item, deadline):
        if item == "bad":
            waiting.wait(5)
            raise SolverError("no")
        waiting.set()
        while not deadline.cancelled:
            time.sleep(0.01)
        stopped.set()
        return item

    with pytest.raises(SolverError, match="no"):
        search_side_by_side(search, items, 30)
    assert stopped.wait(5)


@pytest.mark.parametrize(
    ("name", "ask"),
    [
        ("target", lambda board, wrong: nearest_accessible(board, wrong)),
        ("margin", lambda board, wrong: nearest_accessible(board, np.eye(5) > 0, margin=wrong)),
        ("clicks", lambda board, wrong: fewest_clicks(board, wrong)),
        ("target", lambda board, wrong: chase(board, wrong)),
        ("start", lambda board, wrong: solve_board(board, wrong, np.eye(5) > 0)),
        ("goal", lambda board, wrong: solve_board(board, np.eye(5) > 0, wrong)),
    ],
)
def test_wrong_shapes_are_refused(name, ask):
    with pytest.raises(OptionError, match=rf"^{name} must have shape \(5, 5\), not \(3, 3\)"):
        ask(Board(5, 5), np.zeros((3, 3), bool))


def test_numbers_are_taken_for_lights():
    target = np.random.default_rng(0).integers(0, 2, (9, 9))
    assert nearest_accessible(Board(9, 9), target).wrong == (
        nearest_accessible(Board(9, 9), target > 0).wrong
    )


def test_a_board_too_large_for_the_papers_program_is_refused():
    with pytest.raises(OptionError, match="300x300 board is too large for the paper's program"):
        nearest_accessible(Board(300, 300), np.zeros((300, 300), bool), ip="paper")


def test_searches_side_by_side_keep_their_order():
    assert search_side_by_side(lambda item, deadline: item * 2, range(5), 30) == [0, 2, 4, 6, 8]


# Whole answers.


def test_a_goal_out_of_reach_is_said_to_be():
    start, goal = np.zeros((5, 5), bool), np.zeros((5, 5), bool)
    goal[0, 0] = True  # on both quiet patterns
    solution = solve_board(Board(5, 5), start, goal)
    assert solution.board == Board(5, 5)
    assert solution.accessible is False
    assert solution.nearest is solution.fewest is None
    assert np.array_equal(solution.start, start)
    assert np.array_equal(solution.goal, goal)
    assert np.array_equal(solution.end, start)


def test_near_a_goal_out_of_reach_the_cell_that_shows_least_is_wrong():
    board, rng = Board(5, 5), np.random.default_rng(0)
    start, goal, said = rng.random((5, 5)) < 0.5, rng.random((5, 5)) < 0.5, []
    margin = rng.random((5, 5))
    solution = solve_board(
        board, start, goal, nearest=True, margin=margin, time_limit=9, say=said.append
    )
    assert not solution.accessible
    assert (solution.nearest.wrong, solution.nearest.bound) == (1, 1)
    wrong = solution.end ^ goal
    toggled = board.toggles(solution.fewest.clicks)
    assert np.array_equal(start ^ toggled, solution.end)
    assert np.array_equal(solution.goal, goal)
    # Of all single cells that would do, by brute force.
    serving = [
        cell for cell in range(25)
        if board.is_accessible(~(start ^ goal ^ bits_of(1 << cell, (5, 5))))
    ]  # fmt: skip
    assert np.flatnonzero(wrong).tolist() == [min(serving, key=margin.ravel().__getitem__)]
    assert "1 wrong cells, at least 1" in said


def test_where_the_start_is_as_near_as_any_nobody_clicks():
    board, start = Board(4, 4), np.random.default_rng(1).random((4, 4)) < 0.5
    goal = start.copy()
    goal[0, 0] ^= True  # a single cell of a 4 x 4 board cannot be changed alone
    solution = solve_board(board, start, goal, nearest=True)
    assert not solution.fewest.clicks.any()
    assert solution.nearest.configuration.all()
    assert not solution.nearest.clicks.any()
    assert np.array_equal(solution.end, start)


def test_the_time_limit_of_an_answer_is_that_of_both_searches():
    # Neither a 65 x 65 board's nearest configuration nor its fewest clicks come in no time.
    board, start, goal = Board(65, 65), random_bits((65, 65), 1), random_bits((65, 65), 2)
    hurried = solve_board(board, start, goal, nearest=True, time_limit=1e-9)
    assert hurried.nearest.status is hurried.fewest.status is Status.FEASIBLE
    assert hurried.nearest.bound < hurried.nearest.wrong


def test_what_an_answer_is_made_of():
    board, said = Board(9, 9), []
    start, goal = random_bits((9, 9), 1), random_bits((9, 9), 2)
    solution = solve_board(board, start, goal, nearest=True, say=said.append)
    kinds = {"wrong cells, at least": 0, "clicks, at least": 0}
    for words in said:
        count, kind, bound = re.fullmatch(r"(\d+) (\D+) (\d+)", words).groups()
        assert int(bound) <= int(count)
        kinds[kind] += 1
    assert all(kinds.values())
    nearest, fewest = solution.nearest, solution.fewest
    for bits in (nearest.configuration, nearest.clicks, fewest.clicks, solution.end):
        assert (bits.dtype, bits.shape) == (bool, (9, 9))
    assert nearest.seconds >= 0
    assert fewest.seconds >= 0
    stay = solve_board(Board(4, 4), np.zeros((4, 4), bool), np.eye(1, 16).reshape(4, 4) > 0,
                       nearest=True)  # fmt: skip
    assert stay.nearest.clicks.dtype == stay.nearest.configuration.dtype == bool


def test_wrong_clicks_are_no_answer(monkeypatch):
    board, start, goal = Board(5, 5), np.ones((5, 5), bool), np.zeros((5, 5), bool)
    honest = fewest_clicks
    monkeypatch.setattr(
        "lightsanim.solve.answer.fewest_clicks",
        lambda board, clicks, **options: honest(board, clicks ^ np.eye(5, dtype=bool), **options),
    )
    with pytest.raises(
        SolverError, match=r"^the clicks found do not lead where they should; please report this$"
    ):
        solve_board(board, start, goal)


@pytest.mark.parametrize(
    ("board", "start"),
    [
        (Board(5, 5), np.ones((5, 5), bool)),
        # A click flips two of three cells in a ring, and the all-on board cannot be turned off.
        (Board(1, 3, rule="000/110/000", wrap=True), np.array([[True, True, False]])),
    ],
)
def test_a_goal_that_can_be_reached_is_not_said_to_be_out_of_reach(monkeypatch, board, start):
    goal = np.zeros(board.shape, bool)
    assert board.toggles(board.clicks_between(start, goal)).any()

    def none(*_):
        raise InaccessibleError("no clicks lead there")

    monkeypatch.setattr(Board, "clicks_between", none)
    with pytest.raises(
        SolverError,
        match=r"^no clicks were found, but no parity check speaks against them; "
        r"please report this$",
    ):
        solve_board(board, start, goal)


def test_all_click_sets_are_listed_the_smallest_first():
    board, clicks = Board(4, 4), random_bits((4, 4), 3)
    listed = list(click_sets(board, clicks))
    assert len({x.tobytes() for x in listed}) == 16
    assert all(np.array_equal(board.toggles(x), board.toggles(clicks)) for x in listed)
    sizes = [x.sum() for x in listed]
    assert sizes == sorted(sizes)
    assert [x.shape for x in listed] == [(4, 4)] * 16
    two = list(click_sets(Board(1, 2), np.array([[True, False]])))  # either cell flips both
    assert np.array_equal(two, [[[True, False]], [[False, True]]])
    assert Board(19, 19).nullity == 16
    assert len(list(itertools.islice(click_sets(Board(19, 19), np.eye(19) > 0), 3))) == 3
    one = list(click_sets(Board(3, 3), random_bits((3, 3), 1)))
    assert np.array_equal(one, [random_bits((3, 3), 1)])


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("board", [Board(9, 9), Board(11, 11, rule="ring"), Board(19, 19)], ids=str)
def test_what_a_search_tells_leads_to_its_answer(board, seed):
    # Ring boards fall into two parts, whose counts and bounds add up.
    target, told, clicked = random_bits(board.shape, seed), [], []
    nearest = nearest_accessible(board, target, on_progress=lambda *pair: told.append(pair))
    assert told
    assert told[-1][1] <= nearest.bound <= nearest.wrong <= told[-1][0]
    assert all(bound <= nearest.wrong <= best for best, bound in told)
    clicks = random_bits(board.shape, seed + 9)
    fewest = fewest_clicks(board, clicks, on_progress=lambda *pair: clicked.append(pair))
    counts = [best for best, _ in clicked]
    assert counts == sorted(set(counts), reverse=True)
    assert counts[-1] == fewest.count < clicks.sum()
    least = -(-board.toggles(clicks).sum() // board.most_flips)
    assert {bound for _, bound in clicked} == {least}


def test_the_edge_that_was_chased_to_is_told():
    board = Board(3, 5)
    for edge in EDGES:
        assert chase(board, random_bits((3, 5)), edge).edge == edge
    with pytest.raises(OptionError, match=r"^target must have shape"):
        chase(board, random_bits((5, 3)))
    with pytest.raises(
        OptionError, match=r"^unknown edge 'middle'; known: bottom, top, right, left"
    ):
        chase(board, random_bits((3, 5)), "middle")
    with pytest.raises(
        OptionError, match=r"^light chasing needs a plain board of rule plus or ring"
    ):
        chase(Board(3, 5, wrap=True), random_bits((3, 5)))
