"""What docs/stability.md promises: nothing public goes away, and what was written can be read."""

import inspect
import typing
from pathlib import Path

import attrs

import lightsanim as la
from lightsanim import errors
from lightsanim.cli.app import app
from lightsanim.options.outputs import ALL_KINDS, FILM_OPTIONS, SHEET_OPTIONS, STILL_OPTIONS
from lightsanim.options.settings import MakeRequest, transition_options
from lightsanim.options.stages import TRANSITIONS

# Written anew by `pytest --rewrite-goldens`: at a release, for what it adds.
PUBLIC = Path(__file__).parent / "goldens" / "public.txt"


def public():
    """A line each: parameters of commands and functions, options, and what these choose from."""
    for command, definition in app.commands.items():
        for parameter in definition.params:
            for word in (*parameter.opts, *parameter.secondary_opts):
                yield f"lightsanim {command} {word}"
    outputs = {"-o": FILM_OPTIONS, "--still": STILL_OPTIONS, "--sheet": SHEET_OPTIONS}
    for flag, formats in outputs.items():
        for suffix, tables in formats.items():
            names = (field.name for table in tables for field in attrs.fields(table))
            yield from (f"{flag} {suffix or 'folder'} @{name.replace('_', '-')}" for name in names)
    for transition in TRANSITIONS:
        yield from (f"transition {transition} @{name}" for name in transition_options(transition))
    for table in (MakeRequest, la.Outputs, la.Theme, la.SheetOptions, *ALL_KINDS):
        for field in attrs.fields(table):
            yield from (f"option {field.name} {name}" for name in field.metadata["choices"])
    for name in la.__all__:
        yield f"la.{name}"
        if inspect.isfunction(getattr(la, name)):
            parameters = inspect.signature(getattr(la, name)).parameters
            yield from (f"la.{name} {parameter}" for parameter in parameters)


def test_nothing_public_goes_away(request):
    names = set(public())
    if request.config.getoption("--rewrite-goldens"):
        PUBLIC.write_text("\n".join(sorted(names)) + "\n")
    promised = set(PUBLIC.read_text().splitlines())
    assert {"lightsanim make --size", "option palette amber", "la.make pictures"} <= promised
    assert {"-o .gif @cell", "--sheet .png @frames", "transition sketch @settle"} <= promised
    assert promised <= names, f"gone: {promised - names}"


def classes_in(kind):
    """The classes of lightsanim in an annotation."""
    for part in typing.get_args(kind):
        yield from classes_in(part)
    if isinstance(kind, type) and kind.__module__.startswith("lightsanim."):
        yield kind


def test_types_returned_or_raised_are_public():
    functions = filter(inspect.isfunction, (getattr(la, name) for name in la.__all__))
    returned = {kind for f in functions for kind in classes_in(typing.get_type_hints(f)["return"])}
    raised = {kind for name, kind in vars(errors).items() if name.endswith("Error")}
    assert {"Solution", "OptionError", "Manifest"} <= {kind.__name__ for kind in returned | raised}
    assert [kind for kind in returned | raised if getattr(la, kind.__name__, None) != kind] == []
