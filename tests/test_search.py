"""What the searches are made of, each piece against brute force."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lightsanim.board.board import Board
from lightsanim.errors import OptionError
from lightsanim.solve import decode as decoding
from lightsanim.solve import outcome, scip
from lightsanim.solve import search as searching
from lightsanim.solve.checks import checks_of, pack_words, recombine, unpack_words
from lightsanim.solve.classes import _prospects, balanced, classes_of, climb
from lightsanim.solve.decode import decode, explain
from lightsanim.solve.fewest import add_patterns
from lightsanim.solve.outcome import Deadline
from lightsanim.solve.parts import Part
from lightsanim.solve.search import search_by_weight
from lightsanim.solve.worst import most_clicks

seeds = st.integers(0, 2**32)


def search(matrix, syndrome, cost):
    words, wanted = pack_words(matrix.T), pack_words(syndrome[None])[0]
    return search_by_weight(words, wanted, cost, 99, Deadline(60))


# Decoding.


def test_decoding_finds_a_few_columns_hidden_among_many(monkeypatch):
    monkeypatch.setattr(decoding, "MANY", 1 << 10)
    rng = np.random.default_rng(3)
    for k, classes, weight in [(40, 200, 4), (70, 300, 5)]:
        matrix = rng.random((k, classes)) < 0.5
        hidden = np.sort(rng.choice(classes, weight, replace=False))
        syndrome = np.bitwise_xor.reduce(matrix[:, hidden], axis=1)
        words, wanted = pack_words(matrix.T), pack_words(syndrome[None])[0]
        known, told = explain(words, k, wanted), []
        best = decode(words, k, wanted, known, weight, Deadline(20), told.append)
        assert best.tolist() == hidden.tolist()
        assert told == sorted(set(told), reverse=True)
        assert told[-1] == weight


@given(st.integers(2, 70), st.integers(0, 60), seeds, st.integers(2, 6))
def test_candidates_are_sums_that_agree_with_what_is_wrong(k, classes, seed, many):
    rng = np.random.default_rng(seed)
    words = pack_words(rng.random((classes, k)) < 0.5)
    wrong = pack_words(rng.random((1, k)) < 0.5)[0]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(decoding, "MANY", 1 << many)
        found = list(decoding._candidates(words, wrong, rng))
    for others, sums in found:
        assert sums.shape == (len(others), words.shape[1])
        assert np.array_equal(np.bitwise_xor.reduce(words[others], axis=1), sums)
        # "Not many more": a quarter of the ways to pass over those that come in bulk.
        assert len(others) <= max(4 << many, classes)
    weights = [others.shape[1] for others, _ in found]
    assert weights == sorted(set(weights))
    assert set(weights) <= {0, 1, 2, 4}
    assert weights[: 1 + (classes > 0)] == [0, 1][: 1 + (classes > 0)]
    if classes:
        assert np.array_equal(found[1][0].ravel(), np.arange(classes))


@given(st.integers(1, 50), seeds, st.integers(2, 5))
def test_pairs_and_fours_agree_in_as_many_bits_as_leave_about_many(classes, seed, many):
    rng = np.random.default_rng(seed)
    words = rng.integers(0, 1 << 63, (classes, 1), np.uint64)
    wrong = rng.integers(0, 1 << 63, 1, np.uint64)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(decoding, "MANY", 1 << many)
        found = {c.shape[1]: (c, s) for c, s in decoding._candidates(words, wrong, rng)}
    # Of classes**2 / 2 pairs, about `many` agree in this many bits: brute force over all pairs.
    agree = max(0, round(np.log2(classes**2 / 2) - many))
    low = np.uint64((1 << agree) - 1)
    pairs = [
        [one, other]
        for one, other in itertools.combinations(range(classes), 2)
        if not (words[one, 0] ^ words[other, 0] ^ wrong[0]) & low
    ]
    ordered = found[2][0].tolist() if 2 in found else []
    if 2 * len(pairs) + classes <= 4 << many:
        assert ordered == pairs
    else:  # more than are looked at
        assert set(map(tuple, ordered)) <= set(map(tuple, pairs))
    if 4 in found:
        four, sums = found[4]
        assert not ((sums[:, 0] ^ wrong[0]) & low).any()
        assert (four[:, 0] < four[:, 1]).all()
        assert (four[:, 2] < four[:, 3]).all()


@given(st.lists(st.integers(0, 9), max_size=30), st.lists(st.integers(0, 9), max_size=30))
def test_matching_places_are_all_that_match(ours, theirs):
    first, second = decoding._matching(np.array(ours, np.uint64), np.array(theirs, np.uint64))
    every = {(i, j) for i, a in enumerate(ours) for j, b in enumerate(theirs) if a == b}
    found = list(zip(first.tolist(), second.tolist(), strict=True))
    assert sorted(found) == sorted(every)


def test_of_very_many_matching_places_the_first_are_taken(monkeypatch):
    monkeypatch.setattr(decoding, "MANY", 5)
    same = np.zeros(10, np.uint64)
    first, second = decoding._matching(same, same)
    assert first.tolist() == [0] * 10 + [1] * 10
    assert second.tolist() == [*range(10)] * 2


@given(st.integers(1, 150), st.integers(1, 20), seeds)
def test_chosen_columns_become_single_bits(k, more, seed):
    rng = np.random.default_rng(seed)
    matrix = np.vstack([np.eye(k, dtype=bool), rng.random((more, k)) < 0.5])
    matrix = matrix[rng.permutation(len(matrix))]
    words = pack_words(matrix)
    chosen, recombination = decoding._choose_columns(words, k, rng)
    assert np.array_equal(
        unpack_words(recombine(words[chosen], recombination), k), np.eye(k, dtype=bool)
    )


def test_the_same_question_gets_the_same_answer():
    rng = np.random.default_rng(0)
    matrix, syndrome = rng.random((50, 400)) < 0.5, rng.random((1, 50)) < 0.5
    words, wanted = pack_words(matrix.T), pack_words(syndrome)[0]
    explained = [explain(words, 50, wanted).tolist() for _ in range(2)]
    assert explained[0] == explained[1]
    told = []
    for _ in range(2):
        known, weights = np.array(explained[0]), []
        best = decode(words, 50, wanted, known, 9, Deadline(60), weights.append)
        told.append((best.tolist(), weights))
    assert told[0] == told[1]
    worst = [most_clicks(Board(5, 5)).clicks.tolist() for _ in range(2)]
    assert worst[0] == worst[1]


# What the search is made of.


@given(st.integers(1, 70), st.integers(1, 100), st.integers(1, 130), seeds)
def test_recombining_is_a_product_of_matrices(n, k, new, seed):
    rng = np.random.default_rng(seed)
    columns, mix = rng.random((n, k)) < 0.5, rng.random((k, new)) < 0.5
    product = columns.astype(int) @ mix.astype(int) % 2 == 1
    assert np.array_equal(
        unpack_words(recombine(pack_words(columns), pack_words(mix)), new), product
    )
    assert np.array_equal(unpack_words(pack_words(columns), k), columns)


@given(st.integers(2, 40), st.integers(1, 14), seeds, st.sampled_from([3, 8, 1 << 23]))
def test_chunks_hold_the_sums_of_all_pairs(count, bits, seed, size):
    rng = np.random.default_rng(seed)
    lines = np.sort(rng.integers(1, 1 << bits, count, np.uint64))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(searching, "CHUNK", size)
        chunks = list(searching._chunks_of_sums(lines))
    every = sorted(int(a ^ b) for a, b in itertools.combinations(lines, 2))
    assert sorted(np.concatenate(chunks).tolist()) == every
    assert all((chunk[1:] >= chunk[:-1]).all() for chunk in chunks)
    # Sums that differ in the lowest bit alone are in one chunk.
    homes = [{int(total) >> 1 for total in chunk} for chunk in chunks]
    assert len(set().union(*homes)) == sum(map(len, homes)) or lines[-1] == 1
    assert len(chunks) == 1 or len(every) > size


@given(st.integers(4, 30), st.integers(3, 9), seeds, st.sampled_from([5, 1 << 23]))
def test_all_threes_and_fours_are_found_that_sum_to_the_syndrome(count, bits, seed, size):
    rng = np.random.default_rng(seed)
    # As promised: different, and no one and no two of them sum to 1.
    chosen = []
    for word in rng.permutation(np.arange(2, 1 << bits))[:count].tolist():
        if word ^ 1 not in chosen:
            chosen.append(word)
    lines = np.array(sorted(chosen), np.uint64)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(searching, "CHUNK", size)
        triples, quads, complete = searching._triples_and_quads(lines, Deadline(60))
    assert complete
    for found, weight in [(triples, 3), (quads, 4)]:
        every = {
            places
            for places in itertools.combinations(range(len(lines)), weight)
            if np.bitwise_xor.reduce(lines[list(places)]) == 1
        }
        assert found.shape[1] == weight
        true = [tuple(sorted(places)) for places in found.tolist() if len(set(places)) == weight]
        assert set(true) == every
        assert all(np.bitwise_xor.reduce(lines[places]) == 1 for places in found)


def test_a_pass_without_time_proves_nothing():
    deadline = Deadline(60)
    deadline.cancel()
    triples, quads, complete = searching._triples_and_quads(np.arange(2, 9, 2, np.uint64), deadline)
    assert (triples.shape, quads.shape, complete) == ((0, 3), (0, 4), False)


@pytest.mark.parametrize(("pace", "complete"), [(0.1, True), (10.0, False)])
def test_a_pass_that_would_take_too_long_is_given_up(monkeypatch, pace, complete):
    class Slow:
        looks = 0

        @property
        def remaining(self):
            self.looks += 1
            return 100.0 - self.looks * pace

    monkeypatch.setattr(searching, "CHUNK", 64)
    lines, slow = np.arange(2, 200, 2, np.uint64), Slow()
    triples, quads, whole = searching._triples_and_quads(lines, slow)
    assert whole is complete
    assert (triples.shape[1], quads.shape[1]) == (3, 4)
    # All are even, so that no sum is 1; there are 99 * 98 / 2 sums of pairs.
    assert len(triples) == len(quads) == 0
    assert (slow.looks > 99 * 98 / 2 / 128) is complete


@given(st.lists(st.integers(1, 2**20 - 1), min_size=1, max_size=9), st.integers(1, 2**20 - 1))
def test_recombined_checks_make_the_syndrome_the_lowest_bit_and_keep_all_sums(numbers, syndrome):
    lines = searching._aligned(np.array([*numbers, syndrome], np.uint64), syndrome)
    assert lines[-1] == 1
    # One to one and linear: sums of columns are zero for the same sets of columns as before.
    for places in itertools.chain.from_iterable(
        itertools.combinations(range(len(lines)), size) for size in (1, 2, 3)
    ):
        before = [[*numbers, syndrome][place] for place in places]
        sum_before = np.bitwise_xor.reduce(before)
        assert (sum_before == 0) == (np.bitwise_xor.reduce(lines[list(places)]) == 0)


def test_columns_longer_than_a_word_are_searched_as_well(monkeypatch):
    monkeypatch.setattr(searching, "CHUNK", 1 << 8)
    rng = np.random.default_rng(5)
    for checks, weight in itertools.product((70, 130), (1, 2, 3, 4, 5)):
        matrix = rng.random((checks, 60)) < 0.5
        hidden = rng.choice(60, weight, replace=False)
        syndrome = np.bitwise_xor.reduce(matrix[:, hidden], axis=1)
        found = search(matrix, syndrome, np.ones(60))
        assert (sorted(found.classes), found.bound) == (sorted(hidden), weight)


@given(st.integers(1, 150), st.integers(1, 60), seeds)
def test_cells_with_the_same_check_bits_are_one_class(checks, cells, seed):
    rng = np.random.default_rng(seed)
    columns = rng.random((rng.integers(1, 9), checks)) < 0.1
    patterns = columns[rng.integers(0, len(columns), cells)].T
    patterns[0] |= not patterns.any()
    packed = np.packbits(patterns, axis=1, bitorder="little")
    margin = rng.random(cells)
    found = checks_of(Part(packed=packed, cells=np.arange(cells)), margin)
    assert found.count == checks
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


# Click sets by classes.


@given(st.integers(1, 5), st.integers(1, 30), seeds)
def test_sizes_and_prospects_by_classes_are_those_of_adding_patterns(k, cells, seed):
    rng = np.random.default_rng(seed)
    patterns, clicks = rng.random((k, cells)) < 0.5, rng.random(cells) < 0.5
    classes = classes_of(patterns)
    assert classes.sizes.sum() == cells
    for cell in range(cells):
        column = classes.columns[classes.class_of[cell]]
        assert [bool(column >> t & 1) for t in range(k)] == patterns[:, cell].tolist()
    counts = classes.counts_of(clicks)
    sums = classes.sums(counts)
    assert sums.tolist() == [add_patterns(patterns, clicks, c).sum() for c in range(2**k)]
    lightest = classes.lightest(counts)
    assert lightest.sum() == sums.min() == classes.sums(lightest).min()
    drawn = classes.drawn(counts, rng)
    assert np.array_equal(classes.counts_of(drawn), counts)
    # One click more or less in a class: the lightest sum first, then how few are as light of
    # those that were light.
    prospects = _prospects(classes, counts, sums)
    for way, change in enumerate((1, -1)):
        for place in range(len(counts)):
            after = counts.copy()
            after[place] += change
            if 0 <= after[place] <= classes.sizes[place]:
                new = classes.sums(after)
                as_light = ((new == new.min()) & (sums <= sums.min() + 1)).sum()
                assert prospects[way, place] == new.min() * len(sums) - as_light
            else:
                assert prospects[way, place] == -np.inf


def test_balanced_click_sets_have_half_of_each_class_and_all_that_lie_on_no_pattern():
    patterns = np.zeros((2, 19), bool)
    patterns[0, 3:12] = patterns[1, 8:19] = True
    classes = classes_of(patterns)  # 3 cells on none, 5 and 7 on one, 4 on both
    drawn = [balanced(classes, np.random.default_rng(seed)).tolist() for seed in range(60)]
    assert classes.sizes.tolist() == [3, 5, 7, 4]
    assert {tuple(counts) for counts in drawn} == {
        (3, two, three, 2) for two in (2, 3) for three in (3, 4)
    }


def test_drawn_cells_are_drawn_from_all_of_a_class():
    classes = classes_of(np.array([[False] * 2 + [True] * 6]))
    drawn = {
        tuple(np.flatnonzero(classes.drawn(np.array([1, 2]), np.random.default_rng(seed))))
        for seed in range(400)
    }
    assert len(drawn) == 2 * 15


def test_a_climb_reaches_what_brute_force_says_and_not_more():
    # The covering radius of a code of length 8 with these three words, over all 256 click sets.
    patterns = np.array(
        [[1, 1, 1, 1, 0, 0, 0, 0], [0, 0, 1, 1, 1, 1, 0, 0], [1, 0, 1, 0, 1, 0, 1, 1]]
    )
    patterns = patterns > 0
    classes = classes_of(patterns)
    every = [classes.sums(classes.counts_of(n >> np.arange(8) & 1 == 1)).min() for n in range(256)]
    highest = max(every)
    start = np.zeros(len(classes.sizes), np.int64)
    for seed in range(5):
        counts = climb(classes, start, 9, np.random.default_rng(seed), Deadline(20))
        assert classes.sums(counts).min() == highest
        low = climb(classes, start, 1, np.random.default_rng(seed), Deadline(20))
        assert classes.sums(low).min() == 1


# The integer programs as their docstrings say.


def columns_of(program):
    """Of each variable its type and bounds, in the order of the program."""
    return [(v.vtype(), v.getLbOriginal(), v.getUbOriginal()) for v in program.variables]


def test_the_papers_programs_have_the_variables_of_the_paper():
    # On 5 x 2 a click flips 3 cells in the corners and 4 elsewhere; their halves are 1 and 2.
    board, off = Board(5, 2), np.zeros((5, 2), bool)
    clicks = [("BINARY", 0, 1)] * 10
    program = scip.fewest_clicks_program(board, off, off)
    assert columns_of(program)[:10] == clicks
    assert [half[1:] for half in columns_of(program)[10:]] == [(0, 1)] * 2 + [(0, 2)] * 6 + [
        (0, 1)
    ] * 2
    assert {kind for kind, _, high in columns_of(program) if high == 2} == {"INTEGER"}
    assert (program.answers, len(program.start)) == (10, 20)
    assert program.model.getObjectiveSense() == "minimize"
    program = scip.nearest_by_clicks_program(board, off, off)
    assert columns_of(program)[:10] == columns_of(program)[20:] == clicks
    assert (program.answers, len(program.start)) == (10, 30)


def test_a_known_bound_is_a_constraint_of_the_parity_program():
    checks, start = np.ones((1, 3), bool), np.array([True, False, False])
    for bound, constraints in [(0, 1), (1, 2)]:
        program = scip.nearest_by_parity_program(checks, np.array([True]), start, bound)
        assert program.model.getNConss() == constraints
        assert columns_of(program) == [("BINARY", 0, 1)] * 3
        answer = scip.solve(program, Deadline(5))
        assert (answer.values.sum(), answer.bound) == (1, 1)


def test_scip_is_told_how_much_time_there_is_and_what_it_gets_wrong():
    program = scip.nearest_by_parity_program(
        np.ones((1, 3), bool), np.array([True]), np.array([True, False, False])
    )
    scip.solve(program, Deadline(7))
    parameter = program.model.getParam
    assert 6 < parameter("limits/time") <= 7
    assert parameter("timing/clocktype") == 2
    assert parameter("misc/usesymmetry") == 0
    assert not parameter("constraints/xor/presolpairwise")
    assert not parameter("misc/catchctrlc")


@pytest.mark.parametrize(
    ("bound", "whole"),
    [(-1e20, 0), (-3.0, 0), (0.0, 0), (2.0000001, 2), (2.00001, 3), (2.5, 3), (3.0, 3)],
)
def test_a_bound_means_the_next_whole_number_but_for_noise(bound, whole):
    assert scip._whole(bound) == whole


# Deadlines, by a clock that stands still until it is told.


@pytest.fixture
def clock(monkeypatch):
    class Clock:
        now = 100.0

        def monotonic(self):
            return self.now

    clock = Clock()
    monkeypatch.setattr(outcome, "time", clock)
    return clock


def test_a_part_of_a_deadline_is_a_share_of_what_is_left(clock):
    whole = Deadline(10)
    clock.now += 4
    part = whole.part(0.5)
    assert (whole.remaining, part.remaining) == (6, 3)
    clock.now += 2.00004
    assert (whole.seconds_used(), part.seconds_used()) == (6.0, 2.0)
    assert not part.expired
    clock.now += 1
    assert part.expired
    assert part.remaining == 0
    assert not whole.expired
    clock.now += 10
    assert whole.remaining == 0
    late = whole.part(0.5)
    assert 0 < late.remaining < 1e-6


def test_cancelling_a_deadline_cancels_its_parts_and_not_the_other_way_round(clock):
    whole = Deadline(10)
    one, other = whole.part(0.5), whole.part(0.5)
    one.cancel()
    assert one.cancelled
    assert (one.expired, other.expired, whole.expired) == (True, False, False)
    whole.cancel()
    assert (other.cancelled, other.part(1.0).cancelled) == (True, True)
    assert (other.remaining, whole.remaining) == (0, 0)


@pytest.mark.parametrize("seconds", [True, "5", None])
def test_a_time_limit_is_a_number(seconds):
    with pytest.raises(OptionError, match=r"^the time limit must be more than 0 seconds, not "):
        Deadline(seconds)
