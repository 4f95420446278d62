"""Describe all options as JSON, from which the page builds its form."""

from collections.abc import Iterator
from math import isfinite
from typing import Any

import attrs

from lightsanim.options.choices import STILL_SUFFIXES, SUFFIXES
from lightsanim.options.look import FrameOptions
from lightsanim.options.outputs import (
    FILM_OPTIONS,
    OUTPUT_OPTIONS,
    SHEET_OPTIONS,
    ContactOptions,
    LimitOptions,
    SoundOptions,
    list_options,
    suffixes_with,
)
from lightsanim.options.records import to_json_value
from lightsanim.options.settings import PRESETS, Settings, transitions_with_option
from lightsanim.options.stages import TRANSITIONS
from lightsanim.output.look.theme import PALETTE_COLOURS, Theme
from lightsanim.version import __version__

# Endings of contact sheets' names; "-sheet" distinguishes them from films of the same suffix.
SHEET_SUFFIXES = tuple(
    f"-sheet{suffix}" if suffix in SUFFIXES else suffix for suffix in STILL_SUFFIXES
)

# Options of outputs that are not about the look.
FILE_KINDS = (ContactOptions, LimitOptions, SoundOptions)
# Options whose values the form shows with pictures.
ILLUSTRATED = ("dither", "shape", "order", "rule", "levels", "fit", "tone", "transition")


def build_form(seed: int) -> dict[str, Any]:
    """Return the answer to ``GET /options``: groups of options, presets, palettes, formats."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for group, option in _list_options():
        groups.setdefault(group, []).append(option)
    colour_parts = ("lit", "unlit", "background")
    return {
        "groups": [{"name": name, "options": options} for name, options in groups.items()],
        "presets": PRESETS,
        "palettes": {
            name: dict(zip(colour_parts, colours, strict=False))
            for name, colours in PALETTE_COLOURS.items()
        },
        "formats": [suffix for suffix in SUFFIXES if suffix],
        "stills": SHEET_SUFFIXES,
        "seed": seed,
        "version": __version__,
    }


def _list_options() -> Iterator[tuple[str, dict[str, Any]]]:
    # Lists the options in the order of `lightsanim make --help`.  If `Settings` redefines an option
    # of a base class, the dict keeps the option's position, with the new definition.
    kinds = *filter(attrs.has, reversed(Settings.__mro__)), Theme, *FILE_KINDS
    options = {field.name: (field, kind) for kind in kinds for field in attrs.fields(kind)}
    for field, kind in options.values():
        if not field.metadata["hidden"]:
            yield field.metadata["group"], _describe_option(field, kind)


def is_illustrated(option: str, value: str) -> bool:
    """Return whether the form shows a value of an option with a picture."""
    known = (field for _, field in _list_options() if field["illustrated"])
    choices = {field["name"]: list(map(str, field["choices"])) for field in known}
    return value in choices.get(option, [])


def _list_formats(name: str) -> list[str] | None:
    # Returns the suffixes of the outputs that have an option; None for an option of the film, and
    # for the sizes, which also shape the board.
    if name not in OUTPUT_OPTIONS or name in list_options((FrameOptions,)):
        return None
    shown = dict(zip(STILL_SUFFIXES, SHEET_SUFFIXES, strict=True))
    films = [suffix for suffix in suffixes_with(name, FILM_OPTIONS) if suffix in SUFFIXES]
    return [*films, *map(shown.__getitem__, suffixes_with(name, SHEET_OPTIONS))]


def _describe_option(field: "attrs.Attribute[Any]", kind: type) -> dict[str, Any]:
    metadata, name, marks = field.metadata, field.name, field.metadata["marks"].split()
    low, high = [n if isfinite(n) else None for n in metadata["limits"]] or (None, None)
    start, end, step = metadata["slider"] or (None, None, None)
    return {
        "name": name,
        "kind": metadata["kind"],
        "default": to_json_value(field.default),
        "choices": list(metadata["choices"]),
        "free": metadata["free"],
        "low": low,
        "high": high,
        "from": start,
        "to": end,
        "by": step,
        "unit": metadata["metavar"],
        "help": metadata["help"],
        "unset": metadata["unset"],
        "own": "per_picture" in marks and name != "fps",  # clips have a frame rate in their file
        "look": kind is Theme,
        "output": kind in FILE_KINDS,
        "formats": _list_formats(name),
        "advanced": "advanced" in marks,
        "of_clips": "of_clips" in marks and name != "fps",
        "not_of_clips": "of_stills" in marks,
        "not_of_one_clip": not {"of_stills", "of_ways"}.isdisjoint(marks),
        "illustrated": name in ILLUSTRATED,
        "transitions": chosen if (chosen := transitions_with_option(name)) != TRANSITIONS else None,
    }
