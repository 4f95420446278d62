"""Build the command, the Python code and the manifest entry that make a film again."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import attrs

from lightsanim.apps.batch.from_folder import dump_toml
from lightsanim.options.outputs import Outputs
from lightsanim.options.picture_options import format_source
from lightsanim.options.records import non_default_values, to_json_values
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
    values = non_default_values(options)
    return to_json_values({n: v for n, v in values.items() if n not in ("output", "sheet")})


def _python_snippet(pictures: Pictures, film: FilmRequest, outputs: Outputs) -> str:
    from lightsanim.output.formats.registry import SIZED_SUFFIXES  # imports numpy

    sources = [
        _format_call("la.Source", [repr(name)], to_json_values(own)) if own else repr(name)
        for name, own in pictures
    ]
    call = _format_call("la.make", [f"[{', '.join(sources)}]"], _changed_options(film.settings))
    lines = ["import lightsanim as la", "", f"animation = {call}"]
    for path in outputs.output:
        keywords = _changed_options(film.theme)
        if outputs.max_bytes is not None and path.suffix in SIZED_SUFFIXES:
            keywords["max_bytes"] = outputs.max_bytes
        lines.append(_format_call("animation.save", [repr(str(path))], keywords))
    if outputs.sheet is not None:
        lines.append(f"# Only the command line can write {outputs.sheet}.")
    return "\n".join(lines)


def _format_call(name: str, positional: list[str], keywords: Mapping[str, Any]) -> str:
    arguments = [*positional, *(f"{option}={value!r}" for option, value in keywords.items())]
    line = f"{name}({', '.join(arguments)})"
    if len(line) <= LINE_LENGTH:
        return line
    return f"{name}(\n" + "".join(f"    {argument},\n" for argument in arguments) + ")"


def _manifest_entry(pictures: Pictures, film: FilmRequest, outputs: Outputs) -> str:
    sources = [_manifest_picture(name, own) for name, own in pictures]
    names = [str(path) for path in outputs.output]
    values: dict[str, Any] = {"output": names[0] if len(names) == 1 else names}
    if outputs.sheet is not None:
        values["sheet"] = str(outputs.sheet)
    for options in (film.settings, film.theme, outputs):
        values |= _changed_options(options)
    lines = [f"{name} = {dump_toml(value)}" for name, value in values.items()]
    return "\n".join(["[[animation]]", f"pictures = [{', '.join(sources)}]", *lines])


def _manifest_picture(name: str, own: Mapping[str, Any]) -> str:
    if not own:
        return dump_toml(name)
    values = {"path": name, **to_json_values(own)}.items()
    pairs = (f"{option} = {dump_toml(value)}" for option, value in values if value is not None)
    return f"{{{', '.join(pairs)}}}"
