"""Which wrapped boards are perfect, without elimination.

On a torus of m x n cells a stencil is a polynomial s in GF(2)[x, y] modulo x**m - 1 and y**n - 1,
and the board is perfect exactly when s has an inverse.  With m = 2**a m' and m' odd, x**m - 1 is
(x**m' - 1)**(2**a); so x**m' - 1, and the same of y, are nilpotent, and s has an inverse exactly
when it has one modulo these, on the torus of m' x n' cells.  There, squaring moves the coefficient
of x**i y**j to x**2i y**2j, and squaring e times is the identity, where 2**e = 1 modulo m' and n':
s**(2**e) = s.  So s has an inverse exactly when s**(2**e - 1) = 1.
"""

import math
from collections.abc import Iterable

import numpy as np

from lightsanim.algebra.linear import Bits


def is_perfect_torus(offsets: Iterable[tuple[int, int]], rows: int, columns: int) -> bool:
    """Whether every configuration of a wrapped board is accessible.

    Args:
        offsets: (down, right) of the cells that a click flips; those that come twice cancel.
        rows: of the board.
        columns: of the board.

    >>> plus = (0, 0), (0, 1), (1, 0), (0, -1), (-1, 0)
    >>> [n for n in range(1, 13) if is_perfect_torus(plus, n, n)]  # OEIS A165738 is 0
    [1, 2, 4, 7, 8, 11]
    """
    m, n = rows // (rows & -rows), columns // (columns & -columns)
    stencil = np.zeros((m, n), bool)
    for down, right in offsets:
        stencil[down % m, right % n] ^= True
    both, e = math.lcm(m, n), 1
    while pow(2, e, both) != 1 % both:
        e += 1
    # s**(2**k - 1), for the leading bits of e as k.
    power, k = stencil, 1
    for bit in f"{e:b}"[1:]:
        power, k = _product(power, _squared(power, k)), 2 * k
        if bit == "1":
            power, k = _product(stencil, _squared(power, 1)), k + 1
    return bool(power[0, 0]) and np.count_nonzero(power) == 1


def _squared(polynomial: Bits, times: int) -> Bits:
    m, n = polynomial.shape
    rows, columns = (np.arange(side) * pow(2, times, side) % side for side in (m, n))
    result = np.empty_like(polynomial)
    result[np.ix_(rows, columns)] = polynomial
    return result


def _product(one: Bits, other: Bits) -> Bits:
    counts = np.fft.irfft2(np.fft.rfft2(one) * np.fft.rfft2(other), one.shape)
    product: Bits = np.rint(counts).astype(np.int64) & 1 == 1
    return product
