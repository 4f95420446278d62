"""Which wrapped boards are perfect, without elimination.

On a torus of m x n cells a stencil is a polynomial s in GF(q)[x, y] modulo x**m - 1 and y**n - 1,
and the board is perfect exactly when s has an inverse.  With m = q**a m' and m' no multiple of q,
x**m - 1 is (x**m' - 1)**(q**a); so x**m' - 1, and the same of y, are nilpotent, and s has an
inverse exactly when it has one modulo these, on the torus of m' x n' cells.  There, the q-th power
moves the coefficient of x**i y**j to x**qi y**qj, and taking it e times is the identity, where
q**e = 1 modulo m' and n': s**(q**e) = s.  So s has an inverse exactly when s**(q**e - 1) = 1.
"""

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Coefficients = NDArray[np.uint8]  # (m', n'), modulo q


def is_perfect_torus(
    offsets: Iterable[tuple[int, int]], rows: int, columns: int, levels: int = 2
) -> bool:
    """Whether every configuration of a wrapped board is accessible.

    ``offsets``: (down, right).

    >>> plus = (0, 0), (0, 1), (1, 0), (0, -1), (-1, 0)
    >>> [n for n in range(1, 13) if is_perfect_torus(plus, n, n)]  # OEIS A165738 is 0
    [1, 2, 4, 7, 8, 11]
    """
    m, n = (_without_factor(side, levels) for side in (rows, columns))
    stencil = np.zeros((m, n), np.uint8)
    for down, right in offsets:
        stencil[down % m, right % n] = (stencil[down % m, right % n] + 1) % levels
    both, e = math.lcm(m, n), 1
    while pow(levels, e, both) != 1 % both:
        e += 1
    first = stencil  # s**(q - 1)
    for _ in range(levels - 2):
        first = _product(first, stencil, levels)
    # s**(q**k - 1), for the leading bits of e as k.
    power, k = first, 1
    for bit in f"{e:b}"[1:]:
        power, k = _product(power, _raised(power, levels, k), levels), 2 * k
        if bit == "1":
            power, k = _product(first, _raised(power, levels, 1), levels), k + 1
    return bool(power[0, 0] == 1) and np.count_nonzero(power) == 1


def _without_factor(number: int, factor: int) -> int:
    while number % factor == 0:
        number //= factor
    return number


def _raised(polynomial: Coefficients, q: int, times: int) -> Coefficients:
    # The q-th power, taken some times.
    m, n = polynomial.shape
    rows, columns = (np.arange(side) * pow(q, times, side) % side for side in (m, n))
    result = np.empty_like(polynomial)
    result[np.ix_(rows, columns)] = polynomial
    return result


def _product(one: Coefficients, other: Coefficients, q: int) -> Coefficients:
    counts = np.fft.irfft2(np.fft.rfft2(one) * np.fft.rfft2(other), one.shape)
    return (np.rint(counts).astype(np.int64) % q).astype(np.uint8)
