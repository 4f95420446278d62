"""The command line, the Python and the manifest entry that make a film again."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import attrs

from lightsanim.batch.from_folder import to_toml
from lightsanim.options.outputs import Outputs
from lightsanim.options.own import word_of
from lightsanim.options.records import given, plain_values
from lightsanim.reports.make_again import make_command
from lightsanim.studio.request_options import Asked

Pictures: TypeAlias = Sequence[tuple[str, Mapping[str, Any]]]

# Characters of a line of Python, about.
LINE = 88


def words_for(asked: Asked, outputs: Outputs) -> dict[str, str]:
    """How the program makes just the files that the page saves, in each of its languages."""
    pictures = [(held.name, own) for held, own in asked.pictures]
    sources = [word_of(name, own) for name, own in pictures]
    return {
        "command": make_command(sources, asked.settings, asked.theme, outputs),
        "python": _python(pictures, asked, outputs),
        "manifest": _manifest(pictures, asked, outputs),
    }


def _said(options: attrs.AttrsInstance) -> dict[str, Any]:
    # Those that differ from their defaults, as JSON holds them.
    said = given(options).items()
    return plain_values({name: value for name, value in said if name not in ("output", "sheet")})


def _python(pictures: Pictures, asked: Asked, outputs: Outputs) -> str:
    sources = [
        _call("la.Source", [repr(name)], plain_values(own)) if own else repr(name)
        for name, own in pictures
    ]
    made = _call("la.make", [f"[{', '.join(sources)}]"], _said(asked.settings))
    lines = ["import lightsanim as la", "", f"animation = {made}"]
    for path in outputs.output:
        most = outputs.max_bytes if path.suffix == ".gif" else None
        look = {**_said(asked.theme), **({} if most is None else {"max_bytes": most})}
        lines.append(_call("animation.save", [repr(str(path))], look))
    if outputs.sheet is not None:
        lines.append(f"# {outputs.sheet} is made by the command line alone.")
    return "\n".join(lines)


def _call(name: str, unnamed: list[str], named: Mapping[str, Any]) -> str:
    arguments = [*unnamed, *(f"{option}={value!r}" for option, value in named.items())]
    line = f"{name}({', '.join(arguments)})"
    if len(line) <= LINE:
        return line
    return f"{name}(\n" + "".join(f"    {argument},\n" for argument in arguments) + ")"


def _manifest(pictures: Pictures, asked: Asked, outputs: Outputs) -> str:
    sources = [_picture(name, own) for name, own in pictures]
    names = [str(path) for path in outputs.output]
    values: dict[str, Any] = {"output": names[0] if len(names) == 1 else names}
    if outputs.sheet is not None:
        values["sheet"] = str(outputs.sheet)
    for options in (asked.settings, asked.theme, outputs):
        values |= _said(options)
    lines = [f"{name} = {to_toml(value)}" for name, value in values.items()]
    return "\n".join(["[[animation]]", f"pictures = [{', '.join(sources)}]", *lines])


def _picture(name: str, own: Mapping[str, Any]) -> str:
    if not own:
        return to_toml(name)
    values = {"path": name, **plain_values(own)}
    said = (f"{option} = {to_toml(value)}" for option, value in values.items() if value is not None)
    return f"{{{', '.join(said)}}}"
