import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lightsanim.game.algebra import linear
from lightsanim.game.algebra.digits import DigitPacking, reduced_echelon_form
from lightsanim.game.algebra.modular import BandedSystem
from lightsanim.game.algebra.packed_elimination import lu_decompose

fewer = settings(max_examples=40)
matrices = st.integers(1, 9).flatmap(
    lambda n: st.tuples(st.just(n), st.lists(st.integers(0, 2**n - 1), min_size=1, max_size=9))
)


def rank_of(matrix, n):
    return len(reduced_echelon_form(linear.unpack_rows(matrix, n), 2)[0])


def times(matrix, x):
    return sum(((row & x).bit_count() & 1) << i for i, row in enumerate(matrix))


def packed(matrix, n):
    return np.packbits(linear.unpack_rows(matrix, n), axis=1, bitorder="little")


@fewer
@given(matrices)
def test_elimination_small_matrices_match_brute_force(case):
    n, matrix = case
    system = lu_decompose(packed(matrix, n), n)
    images = [times(matrix, x) for x in range(2**n)]
    assert len({*images}) == 2**system.rank == 2 ** rank_of(matrix, n)
    for right in {*images}:
        assert times(matrix, system.solve(right)) == right
    assert all(system.solve(right) is None for right in {*range(2 ** len(matrix))} - {*images})
    spanned = {0}
    for x in system.null_space():
        assert x not in spanned
        spanned |= {x ^ y for y in spanned}
    assert spanned == {x for x, image in enumerate(images) if image == 0}


@pytest.mark.parametrize("dependent", [0, 1, 150])
def test_packed_elimination_on_matrices_of_several_bytes(dependent):
    # Rows that depend on others show in the rank, the null space, and in what has no solution.
    rng = np.random.default_rng(dependent)
    for n, density in [(157, 0.5), (160, 0.02), (300, 0.3)]:
        array = rng.random((n, n)) < density
        for row in rng.choice(n, dependent, replace=False):
            array[row] = np.logical_xor.reduce(array[rng.choice(n, 3)])
        matrix = linear.pack_rows(array)
        system, rank = lu_decompose(packed(matrix, n), n), rank_of(matrix, n)
        assert system.rank == rank
        basis = list(system.null_space())
        assert rank_of(basis, n) == len(basis) == n - rank
        assert not any(times(matrix, x) for x in basis)
        for _ in range(5):
            right = times(matrix, linear.pack_bits(rng.random(n) < 0.5))
            assert times(matrix, system.solve(right)) == right
            target = linear.pack_bits(rng.random(n) < 0.5)
            beside = [row | (target >> i & 1) << n for i, row in enumerate(matrix)]
            solvable = rank_of(beside, n + 1) == rank
            assert (system.solve(target) is not None) == solvable


@pytest.mark.parametrize("q", [3, 7])
def test_a_wide_band_is_eliminated_as_a_matrix_is_multiplied(q):
    # Each row of the matrix has 79 entries: sums of products of residues beyond a byte.
    rng, n, low = np.random.default_rng(q), 60, 39
    band = np.zeros((n, 2 * low + 1), np.uint8)
    matrix = rng.integers(0, q, (n, n))
    matrix[rng.random(n) < 0.1] = 0  # so that it is singular
    for row, column in np.ndindex(matrix.shape):
        if abs(row - column) > low:
            matrix[row, column] = 0
        else:
            band[row, column % len(band[row])] = matrix[row, column]
    system = BandedSystem(band, low, q)
    x = rng.integers(0, q, (n, 3), np.uint8)
    right = (matrix @ x % q).astype(np.uint8)
    assert np.array_equal(matrix @ system.solve(right) % q, right)
    patterns = system.null_space().astype(np.int64)
    assert len(patterns) == n - system.rank > 0
    assert not (matrix @ patterns.T % q).any()


@pytest.mark.parametrize("q", [2, 3])
def test_basis_is_found_behind_many_equal_columns(q):
    digits, rng = DigitPacking(q), np.random.default_rng(q)
    equal = np.tile(np.array([1, 0, 1, 1], np.uint8), (300, 1))
    columns = np.vstack([equal, rng.integers(0, q, (40, 4), np.uint8)])
    chosen, inverse = digits.find_basis(digits.pack(columns), np.arange(len(columns)), 4)
    assert np.array_equal(inverse @ columns[chosen].T % q, np.eye(4))
