"""How options are declared: fields that say what the command line, forms and the docs need.

To add an option, add a field to the class of its group, and use it where it takes effect.  What the
classes hold is canonical: however a value was spelt, equal options are equal.
"""

from collections.abc import Callable
from typing import Any, Literal, TypeAlias, get_args, get_origin

import attrs
from attrs import Converter, field

from lightsanim.options.checks import check_bool, check_choice, check_number, check_whole_number
from lightsanim.options.colours import Colour, to_colour

Field: TypeAlias = "attrs.Attribute[Any]"


def option_info(text: str, metavar: str = "", **details: Any) -> dict[str, Any]:
    """What the command line, and forms, say of an option.

    Args:
        text: the help.
        metavar: what stands for a value.
        details: ``unset`` (what stands for the default), ``flags``, ``kind`` (of a form's field),
            ``choices`` (some values among others), ``limits`` (the smallest and the largest
            number), ``slider`` (likewise for forms, and the step),
            and what its class says if it does not: its ``group``, and ``marks``, by which
            `option_names` finds options: "advanced" (forms show it last), "per_picture" (pictures
            of one animation may have their own), "of_clips" (says nothing of a still), "of_stills"
            (nothing where there are clips), "of_ways" (nothing of one clip alone: it is about the
            way to the next picture), "of_settling" (about the wipes from and to the exact pictures
            of a sketch), "of_exhibits" (says nothing of a page that is a game), "of_moves"
            (nothing of a drawing in which no cell is clicked), "of_pages" (about .html alone),
            "of_files" (about what is in a file, not its name and place), and transitions, if not
            all can be told the option.
    """
    return {
        "help": text,
        "metavar": metavar,
        "unset": "",
        "flags": "",
        "kind": "text",
        "choices": (),
        "free": True,
        "limits": (),
        "slider": (),
        **details,
    }


def colour_option(text: str, **details: Any) -> dict[str, Any]:
    """`option_info` of a colour."""
    return option_info(text, "COLOUR", kind="colour", **details)


# Kinds of options: the default, what a value must be, and what `option_info` takes.


def flag_option(default: bool | None, text: str, **details: Any) -> Any:
    """An option that is on or off."""
    return custom_option(check_bool, default, option_info(text, kind="flag", **details))


def choice_option(default: object, text: str, metavar: str = "NAME", **details: Any) -> Any:
    """One of the names or numbers of the option's type."""
    return custom_option(
        check_choice, default, option_info(text, metavar, kind="choice", **details)
    )


def number_option(
    default: float | None, limits: tuple[float, float], text: str, metavar: str, **details: Any
) -> Any:
    """A number within limits."""
    metadata = option_info(text, metavar, kind="number", limits=limits, **details)
    return custom_option(check_number, default, metadata, *limits)


def integer_option(
    default: int | None, limits: tuple[int, float], text: str, metavar: str, **details: Any
) -> Any:
    """A whole number within limits."""
    metadata = option_info(text, metavar, kind="whole", limits=limits, **details)
    return custom_option(check_whole_number, default, metadata, *limits)


def custom_option(
    check: Callable[..., Any], default: object, metadata: dict[str, Any], *limits: Any
) -> Any:
    """An option whose values are checked, and brought into their one form, by their name."""

    def convert_value(value: Any, field: Field) -> Any:
        # None is what an option may be whose default it is.
        if value is None and field.default is None:
            return None
        return check(field.name, value, *(limits or filter(None, [_choices_of_type(field.type)])))

    convert_value.__annotations__["value"] = check.__annotations__["return"] | None  # for `help`
    return field(
        default=default, converter=Converter(convert_value, takes_field=True), metadata=metadata
    )


def _choices_of_type(kind: Any) -> tuple[str | int, ...]:
    # All values of a literal type, or of the first one in a union.
    if get_origin(kind) is Literal:
        return get_args(kind)
    return next(filter(None, map(_choices_of_type, get_args(kind))), ())


def _to_colour(value: str | tuple[int, ...] | None, field: Field) -> Colour | None:
    return None if value is None else to_colour(value, field.name)


def group_transformer(name: str, marks: str = "") -> Callable[[type, list[Field]], list[Field]]:
    """Complete a class's options: their group and marks, and the choices that their types name.

    Colours say their names, and the class's docstring tells what each option is, for `help`.
    """

    def complete_option_field(field: Field) -> Field:
        meta = {"group": name, "marks": marks, **field.metadata}
        if meta["kind"] == "colour":
            field = field.evolve(converter=Converter(_to_colour, takes_field=True))
        if meta["kind"] == "choice" and meta["free"] and (names := _choices_of_type(field.type)):
            meta |= {"choices": names, "free": False}
            meta["help"] += f": {', '.join(map(str, names))}."
        return field.evolve(metadata=meta)

    def complete_option_fields(kind: type, fields: list[Field]) -> list[Field]:
        fields = list(map(complete_option_field, fields))
        lines = (f"    {field.name}: {field.metadata['help']}" for field in fields)
        kind.__doc__ = "\n".join([(kind.__doc__ or "").rstrip(), "", "Attributes:", *lines])
        return fields

    return complete_option_fields
