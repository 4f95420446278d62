import weakref
from functools import partial

import numpy as np
import pytest
from tools.deadlines import EndsAfter
from tools.refusals import assert_refused
from tools.textbook import random_bits

from lightsanim import Board, Deadline, fewest_clicks, nearest_accessible, pose
from lightsanim.errors import OptionError, SolverError
from lightsanim.game.board.perfect import nearest_perfect_board
from lightsanim.game.solve.check_cells import CheckCells

# https://oeis.org/A159257: nullity of the n x n Lights Out board, n = 1..40.
A159257 = [0, 0, 0, 4, 2, 0, 0, 0, 8, 0, 6, 0, 0, 4, 0, 8, 2, 0, 16, 0]
A159257 += [0, 0, 14, 4, 0, 0, 0, 0, 10, 20, 0, 20, 16, 4, 6, 0, 0, 0, 32, 0]

# https://oeis.org/A165738: nullity of the n x n board on a torus, n = 1..24.
A165738 = [0, 0, 4, 0, 8, 8, 0, 0, 4, 16, 0, 16, 0, 0, 12, 0, 16, 8, 0, 32, 4, 0, 0, 32]


@pytest.mark.long
def test_quiet_patterns_of_boards_that_are_gone_take_at_most_64_mb():
    # Listed in this order, they take 50, 301, 25, 25 and 38 MB.
    in_use, shapes = Board(1023, 767), [(1535, 1535), (511, 767), (767, 511), (767, 767)]
    cells = CheckCells.from_order(in_use)
    entries = [weakref.ref(Board(*shape).packed_quiet_patterns()) for shape in shapes]
    assert [entry() is None for entry in entries] == [True, True, False, False]
    assert in_use.packed_parity_checks() is cells.checks


def test_nullities_of_square_boards_are_those_of_the_oeis():
    assert [Board(n, n).nullity for n in range(1, 41)] == A159257
    assert [Board(n, n, wrap=True).nullity for n in range(1, 25)] == A165738
    # The figures that the literature and video sizes are known by: powers of two are bad.
    for shape, nullity in [((64, 64), 28), ((256, 256), 144), ((512, 512), 252), ((1080, 1920), 0)]:
        assert Board(*shape).nullity == nullity


def test_a_board_holds_plain_values_and_says_what_it_does():
    board = Board(np.int8(3), 3, rule="110/011/000", wrap=np.True_, levels=np.uint8(3))
    assert [*map(type, (board.rows, board.wrap, board.levels))] == [int, bool, int]
    assert board.says == "the cells of one pattern"


def test_cached_quiet_patterns_are_read_only():
    board = Board(5, 5)
    with pytest.raises(ValueError, match="read-only"):
        board.packed_quiet_patterns()[0] = 0
    board.quiet_patterns()[:] = True
    assert board.quiet_patterns().sum() < 50


def test_flipping_works_on_any_view():
    lights = np.zeros((3, 2), bool)
    Board(2, 3).flip(lights.T, np.array([0]))
    assert lights.astype(int).tolist() == [[1, 1], [1, 0], [0, 0]]


def test_a_perfect_size_is_looked_for_until_the_time_is_up():
    for looks in (0, 1, 2):  # that many times there is time left: before each size and within each
        clock = EndsAfter(looks)
        search = partial(nearest_perfect_board, Board(5, 5, rule="x"), time_limit=clock)
        assert_refused(search, "5x5 'x'", SolverError)


def test_elimination_has_minimum_time_and_stops_when_cancelled():
    dense = "/".join(map("".join, np.where(random_bits((29, 29)), "1", "0")))
    board, cancelled = Board(30, 30, rule=dense, wrap=True), Deadline(1e-9)
    cancelled.cancel()
    clicks, target = random_bits(board.shape), random_bits(board.shape, 1)
    for question in (
        partial(board.factor, cancelled),
        partial(pose, board, 3, time_limit=cancelled),
        partial(nearest_accessible, board, target, time_limit=cancelled),
        partial(fewest_clicks, board, clicks, time_limit=cancelled),
    ):
        assert_refused(question, "30x30 elimination", SolverError)
    board.factor(1e-9)
    assert fewest_clicks(board, clicks, time_limit=cancelled).count <= clicks.sum()
    assert_refused(lambda: board.factor(0), "time 0", OptionError)
