"""Plans as files: all that a film is made from, in TOML, with every default filled in.

    plan = 1                        the version of this format
    program = "2.0.0"

    [options]                       any option of `make`, with underscores in its name
    size = "100x100"

    [look]                          any option of the look
    [label]                         title, caption, credit, licence, date, alt, series, link

    [[pictures]]                    one table for each picture, with its own options
    path = "face.jpg"               a name without folders, or a word such as sample:face
    sha256 = "0123..."
    unset = ["focus"]               options for all pictures that do not hold for this one

    [[beside]]  [[clicks_picture]]  the pictures of these options, likewise

The pictures stand beside the plan.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import attrs

from lightsanim.errors import LightsAnimError, OptionError, PictureError
from lightsanim.film.origin import MAX_LENGTH, NO_LABEL, SHA256, Label
from lightsanim.options.checks import (
    check_known_names,
    dump_toml,
    quote_value,
    read_toml,
)
from lightsanim.options.look import LookOptions
from lightsanim.options.outputs import Outputs
from lightsanim.options.records import JsonValue, option_names, options_to_json_object
from lightsanim.options.settings import (
    PER_PICTURE,
    Settings,
    join_transition_word,
    split_transition_word,
    transitions_with_option,
)
from lightsanim.options.values import CUSTOM, PictureWords
from lightsanim.output.look.theme import Theme
from lightsanim.pictures.load import sha256_of_file_or_folder
from lightsanim.pictures.source import PictureSource, Source, append_more_pictures, to_source
from lightsanim.pictures.words.table import find_word, path_of_file
from lightsanim.system.progress import Progress, StageTimer, no_progress
from lightsanim.version import __version__
from .pipeline import plan_files, plan_film
from .plan import Plan

PLAN_VERSION = 1
# Options whose pictures have tables of their own, and the members of all these tables.
MORE_PICTURES = ("beside", "clicks_picture")
PICTURE_MEMBERS = ("path", "sha256", "unset", *PER_PICTURE)
# Options that a picture can unset, and those that stand in [options].
UNSETTABLE = tuple(name for name in PER_PICTURE if getattr(Settings(), name) is None)
PLAN_OPTIONS = tuple(
    field.name
    for field in attrs.fields(Settings)
    if not field.metadata["hidden"] and not field.metadata["at"] and field.name not in MORE_PICTURES
)
MEMBERS = ("plan", "program", "options", "look", "label", "pictures", *MORE_PICTURES)


@dataclass(frozen=True, kw_only=True, eq=False)
class SavedPlan:
    """A plan that was read from a file: what `make_files` takes."""

    pictures: Sequence[Source]  # The pictures, and last those of `Settings.more_pictures`.
    settings: Settings
    theme: Theme
    label: Label


def make_plan(
    pictures: Sequence[PictureSource],
    settings: Settings = Settings(),
    theme: Theme = Theme(),
    outputs: Outputs = Outputs(),
    progress: Progress = no_progress,
    *,
    label: Label = NO_LABEL,
) -> str:
    """Decide all that a film is made from, and return it as TOML; `load_plan` reads it.

    Args:
        pictures: pictures as for `make`, and last those of ``settings.more_pictures``.
        settings: options of `make`.
        theme: look of the frames.
        outputs: files that will be written; their canvas shapes the board.
        progress: callback for the progress of each stage.
        label: title and credits to store in the files.

    Raises:
        OptionError: if options contradict each other, or for an order that is an array or a
            function, which no plan can state.
        PictureError: for a picture that cannot be read or has no file, or for two different files
            of the same name.

    >>> plan = make_plan(["sample:sun", "sample:moon"], Settings(seed=1))
    >>> [line for line in plan.splitlines() if line.startswith(("size", "order", "path"))]
    ['size = "100x100"', 'order = "radial"', 'path = "sample:sun"', 'path = "sample:moon"']
    """
    clock = StageTimer(progress)
    if outputs.files:
        plan, _, _ = plan_files(pictures, settings, theme, outputs, clock)
    else:
        shape = theme if outputs.canvas is None else attrs.evolve(theme, canvas=outputs.canvas)
        plan = plan_film(list(map(to_source, pictures)), settings, clock, shape)
    return _format_plan(plan, theme, label)


def load_plan(path: str | Path) -> SavedPlan:
    """Read a plan, and check that its pictures stand beside it.

    Raises:
        OptionError: for a file that is no plan, a plan of another version, or a member that is
            unknown or has an invalid value.
        PictureError: if a picture is missing, or is not that of the plan.
    """
    path = Path(path)
    document = read_toml(path)
    try:
        return _parse_plan(document, path.parent)
    except LightsAnimError as error:
        raise type(error)(f"cannot use {path}: {error}") from error


def _format_plan(plan: Plan, theme: Theme, label: Label) -> str:
    record = options_to_json_object(plan.options)
    if record["order"] == CUSTOM:
        raise OptionError("an order that is an array or a function stands in no plan", "order")
    options = {
        name: value
        for name, value in record.items()
        if name not in MORE_PICTURES
        and plan.options.transition in transitions_with_option(name)
        and value is not None
    }
    tables = list(map(_picture_members, plan.sources, plan.digests, plan.own_options))
    _check_file_names(tables)
    more = "beside" if plan.options.beside else "clicks_picture"
    values = options_to_json_object(theme)
    look = {name: values[name] for name in option_names(LookOptions)}
    lines = [
        "# lightsanim make PLAN.toml -o FILE makes this film from pictures beside the plan.",
        *_format_members({"plan": PLAN_VERSION, "program": __version__}),
        *("", "[options]", *_format_members(join_transition_word(options))),
        *("", "[look]", *_format_members(look)),
        *(["", "[label]", *_format_members(label.as_dict)] if label.as_dict else []),
    ]
    for number, table in enumerate(tables):
        lines += [
            "",
            f"[[{'pictures' if number < plan.shown_count else more}]]",
            *_format_members(table),
        ]
    return "\n".join(lines) + "\n"


def _picture_members(
    source: Source, sha256: str | None, own: Mapping[str, JsonValue]
) -> dict[str, Any]:
    path = source.path
    if source.meaning.is_file:
        if sha256 is None or not isinstance(source.picture, str | os.PathLike):
            raise PictureError(f"{path} has no file, so no plan can name it")
        path = path_of_file(os.path.basename(os.path.abspath(path)))
        if not path.isprintable():  # also for bytes that are no text
            raise PictureError(f"{quote_value(path)} cannot stand in a plan; rename the picture")
    set_options = {name: value for name, value in own.items() if value is not None}
    unset = [name for name, value in own.items() if value is None]
    return {"path": path, "sha256": sha256, "unset": unset or None, **set_options}


def _check_file_names(tables: Sequence[Mapping[str, Any]]) -> None:
    digests = dict[str, str | None]()
    for table in tables:
        if digests.setdefault(table["path"], table["sha256"]) != table["sha256"]:
            raise PictureError(
                f"two different pictures are named {table['path']}, and a plan finds pictures by "
                "their names; rename one"
            )


def _format_members(members: Mapping[str, Any]) -> Iterator[str]:
    for name, value in members.items():
        if value is not None:
            yield f"{name} = {dump_toml(value)}"


def _parse_plan(document: Mapping[str, Any], folder: Path) -> SavedPlan:
    if "plan" not in document:
        advice = "; lightsanim batch makes the films of a manifest" * ("animation" in document)
        raise OptionError(f"it is no plan, which lightsanim make --plan prints{advice}")
    if type(version := document["plan"]) is not int or version != PLAN_VERSION:
        raise OptionError(
            f"plan must be {PLAN_VERSION}, the version that this program reads, not "
            f"{quote_value(version)}"
        )
    check_known_names("member of a plan", document, MEMBERS)
    options = _check_table(document, "options", PLAN_OPTIONS)
    look = _check_table(document, "look", option_names(LookOptions))
    label = _check_table(document, "label", MAX_LENGTH)
    beside, drawn = (_parse_pictures(document, name, folder) for name in MORE_PICTURES)
    if len(drawn) > 1:
        raise OptionError("clicks_picture must be one picture: write [[clicks_picture]] once")
    settings = Settings(
        **split_transition_word(options),
        beside=PictureWords(map(str, beside)),
        clicks_picture=str(drawn[0]) if drawn else None,
    )
    pictures = _parse_pictures(document, "pictures", folder)
    return SavedPlan(
        pictures=append_more_pictures(pictures, settings.more_pictures),
        settings=settings,
        theme=Theme(**look),
        label=Label(**label),
    )


def _check_table(document: Mapping[str, Any], name: str, known: Iterable[str]) -> dict[str, Any]:
    table = document.get(name, {})
    if not isinstance(table, dict):
        raise OptionError(f"{name} must be a table: write [{name}]")
    check_known_names(f"member of {name}", table, known)
    return table


def _parse_pictures(document: Mapping[str, Any], name: str, folder: Path) -> list[Source]:
    tables = document.get(name, [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise OptionError(f"{name} must be tables: begin each with [[{name}]]")
    return [_parse_picture(table, folder) for table in tables]


def _parse_picture(table: Mapping[str, Any], folder: Path) -> Source:
    check_known_names("member of a picture", table, PICTURE_MEMBERS)
    path, expected = table.get("path"), table.get("sha256")
    own: dict[str, Any] = {name: table[name] for name in PER_PICTURE if name in table}
    unset = table.get("unset", [])
    if not isinstance(unset, list) or not own.keys().isdisjoint(map(str, unset)):
        raise OptionError(f"unset must be a list of options that are not set, not {unset!r:.99}")
    check_known_names("option without a default", unset, UNSETTABLE)
    if not isinstance(path, str) or path in ("", "."):
        raise OptionError(f"path must be the name of a picture, not {quote_value(path)}")
    if find_word(path).is_file:
        name = path.removeprefix("./")
        if Path(name).name != name or name == ".." or not name.isprintable():
            raise OptionError(
                f"path must be a printable name without folders, not {quote_value(path)}"
            )
        path = path_of_file(str(folder / name))
    if expected is not None and not (isinstance(expected, str) and SHA256.fullmatch(expected)):
        raise OptionError(f"sha256 must be 64 hexadecimal digits, not {quote_value(expected)}")
    source = Source(path, **{**own, **dict.fromkeys(unset)})
    if expected is not None and _digest_of(source) != expected:
        raise PictureError(f"{source.path} is another picture: its SHA-256 is not {expected}")
    return source


def _digest_of(source: Source) -> str | None:
    try:
        return sha256_of_file_or_folder(source.picture)
    except OSError as error:
        advice = "a plan needs its pictures beside it"
        raise PictureError(f"cannot read {source.path}: {error.strerror}; {advice}") from error
