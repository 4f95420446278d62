"""How options are declared: fields that say what the command line, forms and the docs need.

To add an option, add a field to the class of its group, and use it where it takes effect.  What the
classes hold is canonical: however a value was spelt, equal options are equal.
"""

from collections.abc import Callable
from typing import Any, Literal, TypeAlias, get_args, get_origin

import attrs
from attrs import Converter, field

from lightsanim.options.checks import check_choice, check_flag, check_number, check_whole
from lightsanim.options.colours import Colour, to_colour

Field: TypeAlias = "attrs.Attribute[Any]"


def told(text: str, metavar: str = "", **more: Any) -> dict[str, Any]:
    """What the command line, and forms, say of an option.

    Args:
        text: the help.
        metavar: what stands for a value.
        more: ``unset`` (what stands for the default), ``flags``, ``kind`` (of a form's field),
            ``choices`` (some values among others), ``limits`` (the smallest and the largest
            number), ``slider`` (likewise for forms, and the step),
            and what its class says if it does not: its ``group``, and ``marks``, by which
            `names_of` finds options: "advanced" (forms show it last), "per_picture" (pictures of
            one animation may have their own), "of_clips" (says nothing of a still), "of_stills"
            (nothing where there are clips), "of_ways" (nothing of one clip alone: it is about the
            way to the next picture), "of_settling" (about the wipes from and to the exact pictures
            of a sketch), "of_exhibits" (says nothing of a page that is a game), "of_moves"
            (nothing of a drawing in which no cell is clicked), "of_files" (about what is in a
            file, not its name and place), and transitions, if not all can be told the option.
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
        **more,
    }


def colour(text: str, **more: Any) -> dict[str, Any]:
    """`told` of a colour."""
    return told(text, "COLOUR", kind="colour", **more)


# Kinds of options: the default, what a value must be, and what `told` takes.


def flag(default: bool | None, text: str, **more: Any) -> Any:
    """An option that is on or off."""
    return checked(check_flag, default, told(text, kind="flag", **more))


def choice(default: object, text: str, metavar: str = "NAME", **more: Any) -> Any:
    """One of the names or numbers of the option's type."""
    return checked(check_choice, default, told(text, metavar, kind="choice", **more))


def number(
    default: float | None, limits: tuple[float, float], text: str, metavar: str, **more: Any
) -> Any:
    """A number within limits."""
    metadata = told(text, metavar, kind="number", limits=limits, **more)
    return checked(check_number, default, metadata, *limits)


def whole(
    default: int | None, limits: tuple[int, float], text: str, metavar: str, **more: Any
) -> Any:
    """A whole number within limits."""
    metadata = told(text, metavar, kind="whole", limits=limits, **more)
    return checked(check_whole, default, metadata, *limits)


def checked(
    check: Callable[..., Any], default: object, metadata: dict[str, Any], *known: Any
) -> Any:
    """An option whose values are checked, and brought into their one form, by their name."""

    def convert(value: Any, field: Field) -> Any:
        # None is what an option may be whose default it is.
        if value is None and field.default is None:
            return None
        return check(field.name, value, *(known or filter(None, [_choices_of(field.type)])))

    convert.__annotations__["value"] = check.__annotations__["return"] | None  # for `help`
    return field(default=default, converter=Converter(convert, takes_field=True), metadata=metadata)


def _choices_of(kind: Any) -> tuple[str | int, ...]:
    # All values of a literal type, or of the first one in a union.
    if get_origin(kind) is Literal:
        return get_args(kind)
    return next(filter(None, map(_choices_of, get_args(kind))), ())


def _to_colour(value: str | tuple[int, ...] | None, field: Field) -> Colour | None:
    return None if value is None else to_colour(value, field.name)


def in_group(name: str, marks: str = "") -> Callable[[type, list[Field]], list[Field]]:
    """Complete a class's options: their group and marks, and the choices that their types name.

    Colours say their names, and the class's docstring tells what each option is, for `help`.
    """

    def complete(field: Field) -> Field:
        told = {"group": name, "marks": marks, **field.metadata}
        if told["kind"] == "colour":
            field = field.evolve(converter=Converter(_to_colour, takes_field=True))
        if told["kind"] == "choice" and told["free"] and (known := _choices_of(field.type)):
            told |= {"choices": known, "free": False}
            told["help"] += f": {', '.join(map(str, known))}."
        return field.evolve(metadata=told)

    def transform(kind: type, fields: list[Field]) -> list[Field]:
        fields = list(map(complete, fields))
        lines = (f"    {field.name}: {field.metadata['help']}" for field in fields)
        kind.__doc__ = "\n".join([(kind.__doc__ or "").rstrip(), "", "Attributes:", *lines])
        return fields

    return transform
