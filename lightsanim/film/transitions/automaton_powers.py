"""What q^k steps of the automaton with the plus rule do to a single cell.

A step turns b into -N b, where N = V + H sums the vertical and the horizontal neighbours.  Over
GF(q), N^(q^k) = V^(q^k) + H^(q^k), and each of these is the sum of two shifts by q^k cells, in
opposite directions.  If the board is not wrapped, b continues beyond a dark cell at each edge as
its mirror image with negated levels, and so on with period 2 (n + 1) along a side of n cells.
"""

from collections.abc import Sequence

import numpy as np

from lightsanim.game.board.automaton import automaton
from lightsanim.game.board.board import Board
from .halftone import Effects, Int64s


def build_power_effects(board: Board, powers: Sequence[int]) -> Effects:
    """Return the cells that each cell raises in picture 0, the start, and after numbers of steps.

    Picture n shows the cells after ``powers[n - 1]`` steps, a power of the number of levels.
    """
    row, column = np.indices(board.shape)
    changes = [np.stack([row, column, np.ones_like(row)])[:, None]]
    for steps in powers:
        down, down_signs = shift_both_ways(board.rows, steps, wrap=board.wrap)[..., None]
        right, right_signs = shift_both_ways(board.columns, steps, wrap=board.wrap)[..., None, :]
        for arrays in ((down, column, -down_signs), (row, right, -right_signs)):
            changes.append(np.stack(np.broadcast_arrays(*arrays)))
    pictures = np.repeat(np.arange(len(powers) + 1), [1] + [4] * len(powers))
    return Effects(pictures=pictures, changes=np.concatenate(changes, axis=1)).merge()


def shift_both_ways(side: int, steps: int, *, wrap: bool) -> Int64s:
    """Return the places that each place is shifted to, and the signs: (2, 2, side)."""
    places = np.arange(1, side + 1) + np.array([[-steps], [steps]])
    if wrap:
        return np.stack([(places - 1) % side, np.ones_like(places)])
    period = 2 * (side + 1)
    places %= period
    signs = np.sign(side + 1 - places) * (places > 0)
    return np.stack([np.minimum(places, period - places) - 1, signs])


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
