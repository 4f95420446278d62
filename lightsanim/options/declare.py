"""How options are declared: fields that say what the command line, forms and the docs need.

To add an option, add a field to the class of its group, and use it where it takes effect.  What the
classes hold is canonical: however a value was spelt, equal options are equal.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias, get_args

import attrs
from attrs import Converter, field

from lightsanim.options.checks import check_choice, check_flag, check_number, check_whole
from lightsanim.options.colours import Colour, to_colour

Field: TypeAlias = "attrs.Attribute[Any]"


def told(
    text: str,
    metavar: str = "",
    *,
    choices: Iterable[str | int] = (),
    offered: Iterable[str] = (),
    limits: Sequence[float] = (),
    slider: Sequence[float] = (),
    marks: str = "",
    **more: Any,
) -> dict[str, Any]:
    """What the command line, and forms, say of an option; its class has the usual group.

    Args:
        text: the help, which the choices follow.
        metavar: what stands for a value.
        choices: all values.
        offered: some values among others.
        limits: the smallest and the largest number.
        slider: likewise for forms, and the step.
        marks: words that `names_of` finds options by: "advanced" (forms show it last),
            "per_picture" (pictures of one animation may have their own), "of_clips" (says nothing
            of a still), "of_stills" (nothing where there are clips), "of_ways" (nothing of one
            clip alone: it is about the way to the next picture), "of_settling" (about the wipes
            from and to the exact pictures of a sketch), "of_exhibits" (says nothing of a page
            that is a game), "of_files" (about what is in a file, not its name and place).
        more: ``group``, ``unset`` (what stands for the default), ``flags``, ``kind`` (of a form's
            field), and ``transitions``, if not all can be told the option.
    """
    known = tuple(choices)
    names = ", ".join(map(str, known))
    return {
        "help": f"{text}: {names}." if names else text,
        "metavar": metavar,
        "unset": "",
        "flags": "",
        "marks": tuple(marks.split()),
        "kind": "text",
        "choices": known or tuple(offered),
        "free": not known,
        "limits": tuple(limits),
        "slider": tuple(slider),
        **more,
    }


def colour(text: str, **more: Any) -> dict[str, Any]:
    """`told` of a colour."""
    return told(text, "COLOUR", kind="colour", **more)


# Kinds of options: the default, what a value must be, and what `told` takes.


def flag(default: bool | None, text: str, **more: Any) -> Any:
    """An option that is on or off."""
    return checked(check_flag, default, told(text, kind="flag", **more))


def choice(default: object, choices: Any, text: str, metavar: str = "NAME", **more: Any) -> Any:
    """One of the names or numbers of a literal type."""
    known = get_args(choices)
    return checked(
        check_choice, default, told(text, metavar, choices=known, kind="choice", **more), known
    )


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
    return field(default=default, converter=_by_name(check, *known), metadata=metadata)


def _by_name(check: Callable[..., Any], *known: Any) -> Any:
    def convert(value: Any, field: Field) -> Any:
        # None is what an option may be whose default it is.
        is_unset = value is None and field.default is None
        return None if is_unset else check(field.name, value, *known)

    convert.__annotations__["value"] = check.__annotations__["return"] | None  # for `help`
    return Converter(convert, takes_field=True)


def _to_colour(value: str | tuple[int, ...] | None, field: Field) -> Colour | None:
    return None if value is None else to_colour(value, field.name)


def in_group(name: str) -> Callable[[type, list[Field]], list[Field]]:
    """The group of a class's options, but of those that say another; colours say their names.

    The class's docstring tells what each option is, for `help`.
    """
    named = {"converter": Converter(_to_colour, takes_field=True)}

    def complete(kind: type, fields: list[Field]) -> list[Field]:
        lines = (f"    {field.name}: {field.metadata['help']}" for field in fields)
        kind.__doc__ = "\n".join([(kind.__doc__ or "").rstrip(), "", "Attributes:", *lines])
        return [
            field.evolve(
                metadata={"group": name, **field.metadata},
                **(named if field.metadata["kind"] == "colour" else {}),
            )
            for field in fields
        ]

    return complete
