"""Vectors, with which tests/web compares the pages' scripts, are what Python computes now."""

import pytest
from tools.vectors import KINDS, build_case, is_same, read_cases

# Cases of a kind that the quick run computes.
SAMPLE = 10


def assert_current(kind, numbers):
    cases = read_cases(kind)
    for number in numbers:
        assert is_same(build_case(kind, number), cases[number]), (
            f"{kind} {number}: run `python tests/tools/vectors.py {kind}` and `make web-check`"
        )


@pytest.mark.parametrize("kind", KINDS)
def test_a_sample_of_vectors_is_current(kind):
    count, _ = KINDS[kind]
    assert len(read_cases(kind)) == count
    assert_current(kind, [0] if count < SAMPLE else range(0, count, count // SAMPLE))


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_all_vectors_are_current(kind):
    count, _ = KINDS[kind]
    assert_current(kind, range(count))
