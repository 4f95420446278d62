"""The types of arguments, checked at the border of the package by what functions say of them.

Inside the house types are mypy's business.  A user's wrong one is named here, before it becomes a
TypeError in the depths.
"""

import inspect
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from numbers import Integral, Real
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from lightsanim.errors import OptionError
from lightsanim.options.checks import shown

Result = TypeVar("Result")

# What passes for a type, and what messages call it, where it is not the type itself and its name.
WIDER: Mapping[Any, type] = {
    float: Real,
    int: Integral,
    Path: os.PathLike,
    Sequence: Iterable,
    tuple: Iterable,
}
NAMES: Mapping[Any, str] = {
    Callable: "a function",
    Integral: "a whole number",
    Iterable: "a list",
    NoneType: "None",
    Real: "a number",
    bool: "true or false",
    os.PathLike: "a path",
    str: "text",
}


def with_checked_types(function: Callable[..., Result]) -> Callable[..., Result]:
    """The function, which refuses arguments that are not of the types that it is annotated with.

    Arrays are left to the function, which knows their shapes.  What can be gone through only once
    becomes the list that was asked for.

    >>> def longest(words: Sequence[str], least: int = 0) -> str:
    ...     return max([word for word in words if len(word) >= least], key=len)
    >>> with_checked_types(longest)(iter(["plus", "cross"]))
    'cross'
    >>> with_checked_types(longest)(["plus"], "4")
    Traceback (most recent call last):
    ...
    lightsanim.errors.OptionError: least must be a whole number, not '4'
    """
    names, hints = list(inspect.signature(function).parameters), get_type_hints(function)

    def as_hinted(name: str, value: Any) -> Any:
        return check_type(name, value, hints[name]) if name in hints else value

    @wraps(function)
    def checked(*given: Any, **named: Any) -> Result:
        values = [as_hinted(name, value) for name, value in zip(names, given, strict=False)]
        more = {name: as_hinted(name, value) for name, value in named.items()}
        return function(*values, *given[len(values) :], **more)

    return checked


def check_type(name: str, value: Any, hint: Any) -> Any:
    """``value``, if it is of a type; a list for what gives the items of one."""
    members = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    kinds = [WIDER.get(kind, kind) for kind in (get_origin(each) or each for each in members)]
    if not all(map(_is_checked, kinds)):
        return value
    fitting = [each for each, kind in zip(members, kinds, strict=True) if _is_of(value, kind)]
    if not fitting:
        raise OptionError(f"{name} must be {' or '.join(map(_said, kinds))}, not {shown(value)}")
    if len(members) > 1:  # what gives items may be a class of its own
        return check_type(name, value, min(fitting, key=lambda each: get_origin(each) is not None))
    of = get_args(hint)
    if get_origin(hint) is Sequence:
        return [check_type(f"an item of {name}", item, *of) for item in value]
    if get_origin(hint) is tuple:
        value = tuple(value)
        if Ellipsis not in of and len(value) != len(of):
            raise OptionError(f"{name} must have {len(of)} items, not {len(value)}")
    return value


def _is_checked(kind: Any) -> bool:
    array_or_protocol = getattr(kind, "_is_protocol", False) or hasattr(kind, "__array__")
    return isinstance(kind, type) and kind is not Any and not array_or_protocol


def _is_of(value: Any, kind: type) -> bool:
    is_truth = type(value).__name__ == "bool"  # Python's or numpy's
    if kind is bool:
        return is_truth
    if kind is Iterable and isinstance(value, str | bytes):
        return False
    return isinstance(value, kind) and not (kind in (Integral, Real) and is_truth)


def _said(kind: type) -> str:
    article = "an" if kind.__name__[0] in "AEIOU" else "a"
    return NAMES.get(kind, f"{article} {kind.__name__}")
