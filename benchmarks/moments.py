"""A bound on the least largest gain of boards with too many quiet patterns for cases.

Suppose that no gain is above D.  Then D - gain, times anything that is never negative, has a mean
of 0 or more.  We take the square of a + sum of t(v) e(v) (-1)^<v, c>, with weights t and a > 0.
The means are sums over classes and over triples of classes whose columns add up to nothing:

    sum over v of (2 a t(v) - D t(v)^2) e(v)^2  -  D a^2
    + sum over triples of 2 e(u) e(v) e(w) (t(u) t(v) + t(u) t(w) + t(v) t(w))  <=  0.

Here odd classes have one cell, so that e is 1 or -1 there, and other e are even and at most as
large as their classes.  Where the left side is positive whatever e is, some gain is above D.  A
triple is counted against us; of even classes, in equal parts against each.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightsanim import Board

# The weights are whole numbers; a is this.
SCALE = 128

# By how much a weight is changed, as long as that gains.
STEPS = (16, 8, 4, 2, 1, 8, 4, 2, 1, 4, 2, 1)

Numbers = NDArray[np.float64]


@dataclass
class Moments:
    """The left side as a function of the weights."""

    sizes: NDArray[np.int64]
    triples: NDArray[np.int64]  # (triples, 3), places of classes
    most: int  # D

    def __post_init__(self) -> None:
        self.odd = self.sizes % 2 == 1
        even = ~self.odd[self.triples]
        self.all_odd = ~even.any(axis=1)
        self.shares = even / np.maximum(even.sum(axis=1), 1)[:, None]
        self.products = 2.0 * self.sizes[self.triples].prod(axis=1)
        self.steps = np.arange(0, self.sizes.max() + 1, 2)[:, None]

    def left_side(self, weights: Numbers) -> float:
        """The least that it is, whatever e is."""
        t = weights[self.triples]
        against = self.products * (t.sum(axis=1) ** 2 - (t * t).sum(axis=1)) / 2
        own = np.bincount(
            self.triples.ravel(), (against[:, None] * self.shares).ravel(), len(weights)
        )
        square = 2 * SCALE * weights - self.most * weights**2
        even = self.steps**2 * square - self.steps / self.sizes * own
        even[self.steps > self.sizes] = np.inf
        total = square[self.odd].sum() + even.min(axis=0)[~self.odd].sum()
        return float(total - against[self.all_odd].sum() - self.most * SCALE**2)

    def best(self) -> Numbers:
        """Weights that make it large: one after the other is changed where that gains."""
        rng, weights = np.random.default_rng(0), np.zeros(len(self.sizes))
        value = self.left_side(weights)
        for step in STEPS:
            before = -np.inf
            while before < value:
                before = value
                for place in rng.permutation(len(weights)):
                    old = weights[place]
                    for new in (old + step, max(0, old - step), 0):
                        other = weights.copy()
                        other[place] = new
                        if (found := self.left_side(other)) > value:
                            weights, value = other, found
        return weights


def proof(board: Board, most: int) -> dict[str, Any]:
    """Weights that prove that some gain is above a number."""
    patterns = board.quiet_patterns()
    bits = 1 << np.arange(len(patterns))
    columns, sizes = np.unique(np.tensordot(bits, patterns, 1), return_counts=True)
    columns, sizes = columns[columns > 0], sizes[columns > 0]
    place = {column: number for number, column in enumerate(columns.tolist())}
    triples = [
        (one, two, place[first ^ second])
        for first, one in place.items()
        for second, two in place.items()
        if second < first < first ^ second and first ^ second in place
    ]
    moments = Moments(sizes, np.array(triples), most)
    weights = moments.best()
    if moments.left_side(weights) <= 0:
        raise ArithmeticError(f"no weights prove that a gain is above {most}")
    return {
        "gain": most + 2,
        "first rows": ["".join("01"[int(cell)] for cell in one[0]) for one in patterns],
        "classes": columns.tolist(),
        "odd": columns[sizes % 2 == 1].tolist(),
        "scale": SCALE,
        "weights": {str(column): int(weights[place[column]]) for column in place},
    }
