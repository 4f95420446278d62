"""What q^k steps of the automaton with the plus rule do to a single cell.

A step turns b into -N b, where N = V + H sums the vertical and the horizontal neighbours.  Over
GF(q), N^(q^k) = V^(q^k) + H^(q^k), and each of these is the sum of two shifts by q^k cells, in
opposite directions.  If the board is not wrapped, b continues beyond a dark cell at each edge as
its mirror image with negated levels, and so on with period 2 (n + 1) along a side of n cells.
"""

from collections.abc import Sequence

import numpy as np

from lightsanim.board.automaton import automaton
from lightsanim.board.board import Board
from lightsanim.solve.halftone import Effects, Int64s


def build_power_effects(board: Board, powers: Sequence[int]) -> Effects:
    """Return the cells that each cell raises in picture 0, the start, and after numbers of steps.

    Picture n shows the cells after ``powers[n - 1]`` steps, a power of the number of levels.
    """
    (row, column), zeros = np.indices(board.shape), np.zeros((2, *board.shape), np.int64)
    downs, rights, raises = [row[None]], [column[None]], [zeros[:1] + 1]
    for steps in powers:
        down, down_signs = shift_both_ways(board.rows, steps, wrap=board.wrap)
        right, right_signs = shift_both_ways(board.columns, steps, wrap=board.wrap)
        downs += [zeros + down[..., None], zeros + row]
        rights += [zeros + column, zeros + right[:, None]]
        raises += [zeros - down_signs[..., None], zeros - right_signs[:, None]]
    pictures = np.repeat(np.arange(len(powers) + 1), [1] + [4] * len(powers))
    changes = np.stack([np.concatenate(arrays) for arrays in (downs, rights, raises)])
    return Effects(pictures=pictures, changes=changes).merge()


def shift_both_ways(side: int, steps: int, *, wrap: bool) -> tuple[Int64s, Int64s]:
    """Return the place that each place along a side is shifted to, and its sign, (2, side) each."""
    places = np.arange(1, side + 1) + np.array([[-steps], [steps]])
    if wrap:
        return (places - 1) % side, np.ones_like(places)
    period = 2 * (side + 1)
    places %= period
    signs = np.sign(side + 1 - places) * (places > 0)
    return np.minimum(places, period - places) - 1, signs


def find_return(board: Board, min_steps: int, max_steps: int) -> int | None:
    """Return the first number of steps, in a range, after which every configuration returns."""
    # Polynomials in V and H, or for wrapped boards shifts, make everything from a cell in a corner,
    # and commute with steps.
    corner = np.arange(board.cells).reshape(board.shape) == 0
    start = corner.astype(board.reference.dtype)
    for number, lights in enumerate(automaton(board, start, max_steps), start=1):
        if number >= min_steps and np.array_equal(lights, start):
            return number
    return None
