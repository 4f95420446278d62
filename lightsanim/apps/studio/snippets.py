"""Build the command, the Python code and the manifest entry that make a film again."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import attrs

from lightsanim.options.checks import dump_toml
from lightsanim.options.outputs import Outputs, distribute_look
from lightsanim.options.picture_options import format_source
from lightsanim.options.records import non_default_values, to_json_values
from lightsanim.options.settings import transition_options
from lightsanim.output.reports.in_words import format_make_command
from .request_options import FilmRequest

Pictures: TypeAlias = Sequence[tuple[str, Mapping[str, Any]]]

LINE_LENGTH = 88  # longer Python calls have one argument per line


def build_snippets(film: FilmRequest, outputs: Outputs) -> dict[str, str]:
    """Return the command, the Python code and the manifest entry that write the same files."""
    pictures = [(file.name, own) for file, own in film.pictures]
    if count := len(film.settings.more_pictures):
        words = [format_source(*picture) for picture in pictures[-count:]]
        named = {"beside": words} if film.settings.beside else {"clicks_picture": words[0]}
        film = replace(film, settings=attrs.evolve(film.settings, **named))
        pictures = pictures[:-count]
    sources = [format_source(name, own) for name, own in pictures]
    return {
        "command": format_make_command(sources, film.settings, film.theme, outputs),
        "python": _python_snippet(pictures, film, outputs),
        "manifest": _manifest_entry(pictures, film, outputs),
    }


def _changed_options(options: attrs.AttrsInstance) -> dict[str, Any]:
    return to_json_values(non_default_values(options))


def _python_snippet(pictures: Pictures, film: FilmRequest, outputs: Outputs) -> str:
    sources = [
        _format_call("la.Source", [repr(name)], to_json_values(own)) if own else repr(name)
        for name, own in pictures
    ]
    call = _format_call("la.make", [f"[{', '.join(sources)}]"], _changed_options(film.settings))
    lines = ["import lightsanim as la", "", f"animation = {call}"]
    look, outputs = distribute_look(film.theme, outputs)
    for file in outputs.output:
        keywords = to_json_values({**look, **file.own})
        lines.append(_format_call("animation.save", [repr(str(file.path))], keywords))
    if outputs.sheet is not None:
        lines.append(f"# Only the command line can write {outputs.sheet.path}.")
    return "\n".join(lines)


def _format_call(name: str, positional: list[str], keywords: Mapping[str, Any]) -> str:
    arguments = [*positional, *(f"{option}={value!r}" for option, value in keywords.items())]
    line = f"{name}({', '.join(arguments)})"
    if len(line) <= LINE_LENGTH:
        return line
    return f"{name}(\n" + "".join(f"    {argument},\n" for argument in arguments) + ")"


def _manifest_entry(pictures: Pictures, film: FilmRequest, outputs: Outputs) -> str:
    sources = [_manifest_table(name, own) for name, own in pictures]
    look, outputs = distribute_look(film.theme, outputs)
    files = [_manifest_table(str(file.path), file.own) for file in outputs.output]
    entries = {"output": files[0] if len(files) == 1 else f"[{', '.join(files)}]"}
    if outputs.sheet is not None:
        entries["sheet"] = _manifest_table(str(outputs.sheet.path), outputs.sheet.own)
    settings = _changed_options(film.settings)
    known = {name: at for at, name in transition_options(film.settings.transition).items()}
    own = {known[name]: settings.pop(name) for name in settings.keys() & known}
    if own:
        way = settings.pop("transition", film.settings.transition)
        entries["transition"] = _manifest_table(way, own, key="name")
    values = {**settings, **to_json_values(look)}
    entries |= {name: dump_toml(value) for name, value in values.items()}
    lines = [f"{name} = {entry}" for name, entry in entries.items()]
    return "\n".join(["[[animation]]", f"pictures = [{', '.join(sources)}]", *lines])


def _manifest_table(name: str, own: Mapping[str, Any], key: str = "path") -> str:
    # Format what has a name as a text, or with options of its own as a table.
    if not own:
        return dump_toml(name)
    values = {key: name, **to_json_values(own)}.items()
    pairs = (f"{option} = {dump_toml(value)}" for option, value in values if value is not None)
    return f"{{{', '.join(pairs)}}}"
