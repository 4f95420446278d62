import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lightsanim.algebra import linear, polynomial

polynomials = st.integers(0, 2**80 - 1)
nonzero = st.integers(1, 2**80 - 1)
fewer = settings(max_examples=40)


def product(a: int, b: int) -> int:
    coefficients = np.zeros(400, int)
    for i in linear.ones(a):
        for j in linear.ones(b):
            coefficients[i + j] += 1
    return sum(int(c & 1) << i for i, c in enumerate(coefficients))


@fewer
@given(polynomials, nonzero)
def test_division_leaves_a_remainder_of_lower_degree(a, b):
    quotient, remainder = polynomial.divide(a, b)
    assert product(quotient, b) ^ remainder == a
    assert polynomial.degree(remainder) < polynomial.degree(b)


def test_division_by_zero_is_refused():
    with pytest.raises(ZeroDivisionError, match=r"^division by the zero polynomial$"):
        polynomial.divide(5, 0)


@fewer
@given(polynomials, polynomials, nonzero)
def test_a_product_modulo_is_the_remainder_of_the_product(a, b, modulus):
    expected = polynomial.divide(product(a, b), modulus)[1]
    assert polynomial.multiply_modulo(a, b, modulus) == expected


@fewer
@given(polynomials, polynomials, nonzero)
def test_the_gcd_divides_both_and_holds_every_common_factor(a, b, common):
    a, b = product(a, common), product(b | 1, common)
    g, cofactor = polynomial.gcd_and_cofactor(a, b)
    assert polynomial.divide(a, g)[1] == polynomial.divide(b, g)[1] == 0
    assert polynomial.divide(g, common)[1] == 0
    assert polynomial.divide(product(cofactor, a) ^ g, b)[1] == 0


matrices = st.integers(1, 9).flatmap(
    lambda n: st.tuples(st.just(n), st.lists(st.integers(0, 2**n - 1), min_size=1, max_size=9))
)


def times(matrix, x):
    return sum(((row & x).bit_count() & 1) << i for i, row in enumerate(matrix))


@fewer
@given(matrices)
def test_solving_reaches_exactly_the_images_of_the_matrix(case):
    n, matrix = case
    system = linear.echelon(matrix, n)
    images = {times(matrix, x) for x in range(2**n)}
    assert len(images) == 2**system.rank
    for right in images:
        assert times(matrix, system.solve(right)) == right
    assert all(system.solve(right) is None for right in set(range(2 ** len(matrix))) - images)


@fewer
@given(matrices)
def test_a_square_matrix_is_invertible_exactly_when_it_has_full_rank(case):
    n, matrix = case
    square = (matrix * n)[:n]
    assert linear.is_invertible(square, n) == (linear.rank(square, n) == n)
    identity = [1 << i for i in range(n)]
    assert linear.is_invertible(identity[::-1], n)


@fewer
@given(matrices)
def test_the_null_space_is_all_that_the_matrix_sends_to_zero(case):
    n, matrix = case
    basis = linear.echelon(matrix, n).null_space()
    spanned = {0}
    for x in basis:
        spanned |= {x ^ y for y in spanned}
    assert spanned == {x for x in range(2**n) if times(matrix, x) == 0}
    assert len(spanned) == 2 ** len(basis)


@fewer
@given(st.integers(1, 20), st.integers(1, 20), st.integers(0, 2**32))
def test_packing_gives_back_what_was_packed(rows, columns, seed):
    array = np.random.default_rng(seed).random((rows, columns)) < 0.5
    assert np.array_equal(linear.unpack(linear.pack(array), array.shape), array)
    assert np.array_equal(linear.unpack_rows(linear.pack_rows(array), columns), array)
    assert linear.pack_rows(array)[0] == sum(1 << j for j in range(columns) if array[0, j])
