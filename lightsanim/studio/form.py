"""The options as the page draws them, made from the table of options."""

from collections.abc import Iterator
from math import isfinite
from typing import Any

import attrs

from lightsanim.look.theme import COLOURS, Theme
from lightsanim.options.choices import STILL_SUFFIXES, SUFFIXES
from lightsanim.options.outputs import OF_FILES, Outputs
from lightsanim.options.records import plain_value
from lightsanim.options.settings import OF_TRANSITIONS, PRESETS, Settings
from lightsanim.version import __version__

# How names of sheets end: where films have the same suffix, with a word before it.
SHEETS = tuple(f"-sheet{suffix}" if suffix in SUFFIXES else suffix for suffix in STILL_SUFFIXES)


def form(seed: int) -> dict[str, Any]:
    """The JSON object of ``options``.

    >>> [group["name"] for group in form(1)["groups"]]
    ['Board', 'Picture', 'Clips', 'Solve', 'Clicks', 'Timing', 'Look', 'Output']
    """
    groups: dict[str, list[dict[str, Any]]] = {}
    for group, option in _options():
        groups.setdefault(group, []).append(option)
    parts = ("lit", "unlit", "background", "middle")
    return {
        "groups": [{"name": name, "options": options} for name, options in groups.items()],
        "presets": PRESETS,
        "palettes": {
            name: dict(zip(parts, colours, strict=True)) for name, colours in COLOURS.items()
        },
        "formats": [suffix for suffix in SUFFIXES if suffix],
        "stills": SHEETS,
        "seed": seed,
        "version": __version__,
    }


def _options() -> Iterator[tuple[str, dict[str, Any]]]:
    # In the order of the command line's help: each in the place that its group gives it, as the
    # last class tells it, for `Settings` tells some defaults otherwise.
    kinds = *filter(attrs.has, reversed(Settings.__mro__)), Theme, Outputs
    options = {field.name: (field, kind) for kind in kinds for field in attrs.fields(kind)}
    for name, (field, kind) in options.items():
        if kind is not Outputs or name in OF_FILES:  # names and places are the browser's
            yield field.metadata["group"], _option(field, kind)


def _option(field: "attrs.Attribute[Any]", kind: type) -> dict[str, Any]:
    told, name, marks = field.metadata, field.name, field.metadata["marks"].split()
    low, high = map(_finite, told["limits"] or (None, None))
    start, end, step = told["slider"] or (None, None, None)
    return {
        "name": name,
        "kind": told["kind"],
        "default": plain_value(field.default),
        "choices": list(told["choices"]),
        "free": told["free"],
        "low": low,
        "high": high,
        "from": start,
        "to": end,
        "by": step,
        "unit": told["metavar"],
        "help": told["help"],
        "unset": told["unset"],
        # What is dropped has times of its own.
        "own": "per_picture" in marks and name != "fps",
        "look": kind is Theme,
        "output": kind is Outputs,
        "advanced": "advanced" in marks,
        "of_clips": told["group"] == "Clips",
        "not_of_clips": "of_stills" in marks,
        "not_of_one_clip": not {"of_stills", "of_ways"}.isdisjoint(marks),
        "transitions": list(OF_TRANSITIONS.get(name, ())) or None,
    }


def _finite(number: float | None) -> float | None:
    return number if number is not None and isfinite(number) else None
