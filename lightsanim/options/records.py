"""Options by their names, and as JSON holds them."""

from collections.abc import Mapping
from math import isfinite
from typing import Any, TypeAlias, TypeVar

import attrs

from lightsanim.options.values import CUSTOM

Options = TypeVar("Options", bound=attrs.AttrsInstance)
JsonValue: TypeAlias = bool | int | float | str | None


def option_names(kind: type[attrs.AttrsInstance], mark: str = "") -> tuple[str, ...]:
    """The names of a class's options, or of those with a mark."""
    fields = attrs.fields(kind)
    return tuple(f.name for f in fields if not mark or mark in f.metadata["marks"].split())


def non_default_values(options: attrs.AttrsInstance) -> dict[str, Any]:
    """The options that differ from their defaults, by name."""
    values = ((field, getattr(options, field.name)) for field in attrs.fields(type(options)))
    return {field.name: value for field, value in values if value != field.default}


def options_from_record(kind: type[Options], record: Mapping[str, Any]) -> Options:
    """Options as a file tells of them; those of later versions are ignored.

    A custom order is not in the file; there is the default in its place.
    """
    values = {name: record[name] for name in option_names(kind) if name in record}
    if values.get("order") == CUSTOM:
        del values["order"]
    return kind(**values)


def options_to_json_object(options: attrs.AttrsInstance) -> dict[str, JsonValue]:
    """Options as JSON holds them; the classes take these values back."""
    return to_json_values(attrs.asdict(options, recurse=False))


def to_json_values(values: Mapping[str, Any]) -> dict[str, JsonValue]:
    """Values of options by their names, as JSON holds them."""
    return {name: to_json_value(value) for name, value in values.items()}


def to_json_value(value: Any) -> JsonValue:
    """A value of an option as JSON holds it: as it is, or in the words of the command line."""
    if isinstance(value, float) and not isfinite(value):
        return str(value)  # there is no infinity in JSON
    return value if isinstance(value, JsonValue) else str(value)
