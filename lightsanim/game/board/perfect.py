"""Perfect boards: sizes on which every configuration is accessible.

Wrapped boards need no elimination.  On a torus of m x n cells a stencil is a polynomial s in
GF(q)[x, y] modulo x**m - 1 and y**n - 1, and the board is perfect exactly when s has an inverse.
Let m = q**a m', where q does not divide m'.  Then x**m - 1 = (x**m' - 1)**(q**a), so x**m' - 1 is
nilpotent, and so is y**n' - 1.  Hence s has an inverse exactly when it has one modulo these, on the
torus of m' x n' cells.  There the q-th power moves the coefficient of x**i y**j to x**qi y**qj.
With q**e = 1 modulo m' and n', e such powers are the identity: s**(q**e) = s.  Hence s has an
inverse exactly when s**(q**e - 1) = 1.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from lightsanim.errors import OptionError, SolverError
from lightsanim.game.algebra.packed_elimination import Check
from lightsanim.options.stencils import abbreviate_name
from lightsanim.system.deadline import Deadline
from .board import Board
from .factors import choose_factor_method
from .rule import parse_rule

Coefficients = NDArray[np.uint8]  # polynomial coefficients modulo q, shape (m', n')
Filter = Callable[[Board, Check], object]


def nearest_perfect_board(
    board: Board, *filters: Filter, time_limit: float | Deadline = 30.0
) -> Board:
    """Return the nearest perfect board of about the same shape that satisfies all ``filters``."""
    deadline = Deadline.of(time_limit)
    size, rule = f"{board.columns}x{board.rows}", abbreviate_name(board.rule)
    claim = f"{size} makes all pictures exact for rule {rule}{' wrapped' if board.wrap else ''}"
    advice = "omit the option perfect, or choose another rule"

    def check_deadline() -> None:
        if deadline.expired:
            raise SolverError(
                f"{deadline.seconds_used():.1f} s were not enough to find out which size near "
                f"{claim}; allow more time, {advice}"
            )

    for candidate in _nearby_boards(board):
        check_deadline()
        if all(accepts(candidate, check_deadline) for accepts in (*filters, is_perfect)):
            return candidate
    raise OptionError(f"no size near {claim}; {advice}", "perfect")


def _nearby_boards(board: Board) -> Iterator[Board]:
    # The larger of two equally near sizes comes first.  A shorter side that is off by a cell comes
    # last: some rules, such as the ring on squares, have no perfect size of that aspect ratio.
    longer, shorter = max(board.shape), min(board.shape)
    for offset in (0, 1, -1):
        for change in range(max(10, longer // 4) + 1):
            for side in (longer + change, longer - change):
                sides = side, max(1, round(side * shorter / longer)) + offset
                rows, columns = sides if board.rows == longer else sides[::-1]
                # Skip sizes that `Board` rejects: below 1x1, or too large for elimination.
                with suppress(OptionError):
                    yield replace(board, rows=rows, columns=columns)


def is_perfect(board: Board, check: Check) -> bool:
    """Return whether every configuration of a board is accessible."""
    rule, shape, levels = parse_rule(board.rule), board.shape, board.levels
    factor_method = choose_factor_method(rule, levels, wrap=board.wrap, check=check)
    if board.wrap and factor_method.max_cells < math.inf:
        return is_perfect_torus(board.offsets(), *shape, levels)
    return factor_method.factor(*shape).nullity == 0


def is_perfect_torus(
    offsets: Iterable[tuple[int, int]], rows: int, columns: int, levels: int = 2
) -> bool:
    """Return whether every configuration of a wrapped board is accessible."""
    # Divide out the prime q; no higher power of it than this divides a side.
    m, n = (side // math.gcd(side, levels ** side.bit_length()) for side in (rows, columns))
    stencil = np.zeros((m, n), np.uint8)
    for down, right in offsets:
        stencil[down % m, right % n] = (stencil[down % m, right % n] + 1) % levels
    period, e = math.lcm(m, n), 1
    while pow(levels, e, period) != 1 % period:
        e += 1
    first = stencil  # after the loop: the stencil to the power q - 1
    for _ in range(levels - 2):
        first = _multiply_polynomials(first, stencil, levels)
    # Invariant: ``power`` is the stencil to the power q**k - 1; k grows bit by bit up to e.
    power, k = first, 1
    for bit in f"{e:b}"[1:]:
        power, k = _multiply_polynomials(power, _frobenius_power(power, levels, k), levels), 2 * k
        if bit == "1":
            power = _multiply_polynomials(first, _frobenius_power(power, levels, 1), levels)
            k += 1
    return bool(power[0, 0] == 1) and np.count_nonzero(power) == 1


def _frobenius_power(polynomial: Coefficients, q: int, times: int) -> Coefficients:
    m, n = polynomial.shape
    rows, columns = (np.arange(side) * pow(q, times, side) % side for side in (m, n))
    result = np.empty_like(polynomial)
    result[np.ix_(rows, columns)] = polynomial
    return result


def _multiply_polynomials(left: Coefficients, right: Coefficients, q: int) -> Coefficients:
    counts = np.fft.irfft2(np.fft.rfft2(left) * np.fft.rfft2(right), left.shape)
    return (np.rint(counts).astype(np.int64) % q).astype(np.uint8)
