"""What docs/stability.md promises: nothing public goes away, and what was written can be read."""

import inspect
from pathlib import Path

import attrs
import typer

import lightsanim as la
from lightsanim.cli.app import app
from lightsanim.options.settings import MakeRequest

# Written anew by `pytest --rewrite-goldens`: at a release, for what it adds.
PUBLIC = Path(__file__).parent / "goldens" / "public.txt"


def public():
    """A line each: parameters of commands and functions, and the names that options choose from."""
    for command, definition in typer.main.get_command(app).commands.items():
        for parameter in definition.params:
            for word in (*parameter.opts, *parameter.secondary_opts):
                yield f"lightsanim {command} {word}"
    for table in (MakeRequest, la.Outputs, la.Theme, la.SheetOptions):
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
    assert promised <= names, f"gone: {promised - names}"
