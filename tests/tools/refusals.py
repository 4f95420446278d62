"""Errors of the library: one line each, of which the words that carry the facts are compared."""

import pytest

import lightsanim as la


def refusal(call, kind=la.LightsAnimError):
    """The line of the error that a call raises."""
    with pytest.raises(kind) as caught:
        call()
    [line] = str(caught.value).splitlines()
    return line


def assert_refused(call, facts, kind=la.LightsAnimError):
    """A call raises an error whose line has all of these words."""
    line = refusal(call, kind)
    assert all(fact in line for fact in facts.split()), line
