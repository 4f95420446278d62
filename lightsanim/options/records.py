"""Conversion of options to and from dictionaries and JSON values."""

from collections.abc import Mapping
from math import isfinite
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import attrs

from .legacy import modernize_record
from .values import CUSTOM

Options = TypeVar("Options", bound=attrs.AttrsInstance)
JsonValue: TypeAlias = bool | int | float | str | None

# Options that may be the path of a file, with its suffixes; .hex is Lospec's, .gpl that of GIMP.
FILE_SUFFIXES = {"colours": (".hex", ".gpl"), "language": (".toml",)}


def option_names(kind: type[attrs.AttrsInstance], mark: str = "") -> tuple[str, ...]:
    """Return the names of a class's options that users may set, and that have a mark if given."""
    fields = [field for field in attrs.fields(kind) if not field.metadata["hidden"]]
    return tuple(f.name for f in fields if not mark or mark in f.metadata["marks"].split())


def non_default_values(options: attrs.AttrsInstance) -> dict[str, Any]:
    """Return the options that differ from their defaults, by name."""
    values = ((field, getattr(options, field.name)) for field in attrs.fields(type(options)))
    return {field.name: value for field, value in values if value != field.default}


def resolve_file_options(values: Mapping[str, Any], folder: Path = Path()) -> dict[str, Any]:
    """Replace texts that name files by paths in ``folder``; never call this on untrusted input."""
    texts = {n: text for n in FILE_SUFFIXES if isinstance(text := values.get(n), str)}
    files = {n: folder / t for n, t in texts.items() if t.lower().endswith(FILE_SUFFIXES[n])}
    return {**values, **files}


def options_from_record(kind: type[Options], record: Mapping[str, Any]) -> Options:
    """Restore options from a file; ignore custom orders and options of later versions."""
    record = modernize_record(record)
    values = {f.name: record[f.name] for f in attrs.fields(kind) if f.name in record}
    if values.get("order") == CUSTOM:
        del values["order"]
    return kind(**values)


def options_to_json_object(options: attrs.AttrsInstance) -> dict[str, JsonValue]:
    """Convert options to JSON values, from which `options_from_record` restores them."""
    hidden = {f.name for f in attrs.fields(type(options)) if f.metadata["hidden"]}
    values = attrs.asdict(options, recurse=False).items()
    return to_json_values({n: v for n, v in values if v is not None or n not in hidden})


def to_json_values(values: Mapping[str, Any]) -> dict[str, JsonValue]:
    """Convert values of options to JSON values."""
    return {name: to_json_value(value) for name, value in values.items()}


def to_json_value(value: Any) -> JsonValue:
    """Convert an option's value to a JSON value, which is text for types that JSON lacks."""
    if isinstance(value, float) and not isfinite(value):
        return str(value)  # JSON has no infinity
    return value if isinstance(value, JsonValue) else str(value)
