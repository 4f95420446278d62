"""Blue noise: an order of cells in which each next one is as far as can be from those before.

R. Ulichney, "The void-and-cluster method for dither array generation", Human Vision, Visual
Processing and Digital Display IV, Proceedings of SPIE 1913 (1993) 332-343.

The library's `blue_noise.png` holds the ranks that `void_and_cluster` makes; a test compares them.
To write it again:

    python tests/tools/void_and_cluster.py
"""

import numpy as np
from PIL import Image

from lightsanim.pictures.dither import MASK_FILE, MASK_SIDE

MASK_SEED = 1

# Standard deviation, in cells, of the Gaussian by which cells crowd each other; Ulichney's.
SIGMA = 1.5

# Share of the cells in the pattern that the order grows from.
START_SHARE = 0.1


def void_and_cluster(side, seed):
    """The ranks 0 .. side^2 - 1 of the cells of a square that repeats, uint16 (side, side).

    However many cells of the lowest ranks are lit, they are spread evenly, and so are the others.
    """
    kernel, lit = _crowding_kernel(side), _even_pattern(side, seed)
    ranks, first = np.zeros((side, side), np.uint16), int(lit.sum())
    # Down from the pattern: the most crowded cell of those left has the highest rank left.  And up
    # from it: the cell in the largest void is next.  As the crowds of lit and unlit cells add up to
    # the same everywhere, it is the most crowded one of the unlit cells, too.
    for cells, numbers in ((lit, range(first)[::-1]), (~lit, range(first, side * side))):
        crowd = _crowding(cells, kernel)
        for rank in numbers:
            cell = _most_crowded(crowd, cells)
            cells[cell], ranks[cell] = False, rank
            crowd -= np.roll(kernel, cell, (0, 1))
    return ranks


def _even_pattern(side, seed):
    """A few lit cells; the most crowded one moves to the largest void until it is one itself."""
    kernel, rng = _crowding_kernel(side), np.random.default_rng(seed)
    lit = np.zeros((side, side), np.bool_)
    lit.flat[rng.permutation(side * side)[: max(1, round(START_SHARE * side * side))]] = True
    crowd = _crowding(lit, kernel)
    while True:
        cluster = _most_crowded(crowd, lit)
        lit[cluster] = False
        crowd -= np.roll(kernel, cluster, (0, 1))
        void = _most_crowded(-crowd, ~lit)
        lit[void] = True
        crowd += np.roll(kernel, void, (0, 1))
        if void == cluster:
            return lit


def _crowding_kernel(side):
    """How much cell (0, 0) crowds each cell of the torus."""
    distances = np.minimum(np.arange(side), side - np.arange(side)) ** 2
    return np.exp(-(distances[:, None] + distances) / (2 * SIGMA**2))


def _crowding(lit, kernel):
    """How much each cell is crowded by all lit cells: a convolution on the torus."""
    spectrum = np.fft.rfft2(lit) * np.fft.rfft2(kernel)
    return np.fft.irfft2(spectrum, s=lit.shape)


def _most_crowded(crowd, among):
    """The most crowded of some cells; sums that differ by rounding alone count as equal."""
    crowded = np.where(among, crowd, -np.inf)
    row, column = np.argwhere(crowded >= crowded.max() - 1e-9)[0]
    return int(row), int(column)


if __name__ == "__main__":
    Image.fromarray(void_and_cluster(MASK_SIDE, MASK_SEED)).save(MASK_FILE, optimize=True)
