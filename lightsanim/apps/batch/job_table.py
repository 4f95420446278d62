"""Tables of a manifest: parsing and checks of the table that describes one animation."""

import reprlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from os import PathLike, fspath
from pathlib import Path, PurePosixPath
from typing import Any

from lightsanim.errors import LightsAnimError, ManifestError, OptionError
from lightsanim.film.origin import MAX_LENGTH, Label
from lightsanim.film.timing import divide_total
from lightsanim.options.checks import check_choice, check_known_names, unknown_names_error
from lightsanim.options.legacy import CHANGED_NAMES
from lightsanim.options.look import LookOptions
from lightsanim.options.outputs import OUTPUT_OPTIONS, Outputs
from lightsanim.options.records import option_names, resolve_file_options
from lightsanim.options.settings import (
    MakeRequest,
    Settings,
    settings_from_values,
    transition_options,
)
from lightsanim.options.stages import TRANSITIONS
from lightsanim.options.values import CustomOrder
from lightsanim.output.look.theme import Theme
from lightsanim.output.saving.output_files import OutputFiles, check_frame_times
from lightsanim.pictures.picture import PictureFile
from lightsanim.pictures.source import Source, append_more_pictures

RESULTS = "results.jsonl"  # The results file in a batch's folder: see `results.py`.
SETTING_NAMES, LOOK_NAMES = map(frozenset, map(option_names, (MakeRequest, LookOptions)))
SHARED_NAMES = "canvas", "max_bytes"  # Options of outputs that may hold for all of them.
OPTION_NAMES = SETTING_NAMES.union(LOOK_NAMES, SHARED_NAMES)
ANIMATION_KEYS = OPTION_NAMES | {"pictures", "output", "sheet"} | set(MAX_LENGTH)

Table = Mapping[str, Any]


def is_safe_output(path: str) -> bool:
    """Return whether a path can name an output: in the batch's folder, not hidden, not reserved.

    >>> is_safe_output("faces/sun.gif"), is_safe_output("../a.gif"), is_safe_output("/a.gif")
    (True, False, False)
    """
    parts = PurePosixPath(path).parts
    hidden = any(part.startswith(".") for part in parts)  # also ".." and ".lightsanim"
    odd = path.startswith("/") or "\\" in path or not path.isprintable()
    return bool(parts) and not hidden and not odd and parts[0] != RESULTS


def parse_job_table(table: Table, folder: Path) -> dict[str, Any]:
    """Return the attributes of a `Job` from its table in a manifest in ``folder``."""
    output = table.get("output")
    outputs: Any = [output] if isinstance(output, str | PathLike | Mapping) else output
    problems = list_wrong_keys(table.keys(), ANIMATION_KEYS)
    sources = tuple(_parse_sources(table.get("pictures"), problems))
    is_list = isinstance(outputs, list | tuple) and len(outputs) > 0
    if not is_list or not all(isinstance(path, str | PathLike | Mapping) for path in outputs):
        problems.append('output must be a file name, such as "a.gif", or a list of file names')
    try:
        label = Label.from_dict(table)
        settings, theme = parse_options(select_keys(table, OPTION_NAMES), folder)
        if not problems:
            divide_total(settings.with_defaults_for(), len(sources))
            return {
                "pictures": tuple(append_more_pictures(sources, settings.more_pictures)),
                "outputs": _parse_outputs(outputs, table, folder, settings.longest),
                "settings": settings,
                "theme": theme,
                "label": label,
            }
    except LightsAnimError as error:
        problems.append(str(error))
    raise ManifestError(problems)


def list_wrong_keys(keys: Iterable[str], allowed: Collection[str]) -> list[str]:
    """Return what is wrong with the keys of a table that are not allowed, one message each."""
    wrong = {*map(str, keys)}.difference(allowed)
    misplaced = sorted(wrong & OUTPUT_OPTIONS.keys())
    changed = sorted(wrong.difference(misplaced) & CHANGED_NAMES.keys())
    rule = 'belongs to an output, as in output = {{path = "a.gif", {} = ...}}'
    return [
        *(f"{name} {rule.format(name)}" for name in misplaced),
        *(f"{name} {CHANGED_NAMES[name]}" for name in changed),
        *unknown_names_error("key", wrong.difference(misplaced, changed), allowed),
    ]


def _parse_sources(pictures: Any, problems: list[str]) -> Iterator[Source]:
    # Appends error messages to ``problems``.
    if not isinstance(pictures, list | tuple) or not pictures:
        rule = "pictures must be a list of 2 or more paths, or of the path of one clip"
        problems.append(f"{rule}, not {reprlib.repr(pictures)}")
        return
    for picture in pictures:
        path, own_options = picture, dict[str, Any]()
        if isinstance(picture, Source):
            path, own_options = picture.picture, dict(picture.own)
            path = path.path if isinstance(path, PictureFile) else path
        if isinstance(path, PathLike):
            path = fspath(path)
        if isinstance(picture, dict):
            own_options = {name: value for name, value in picture.items() if name != "path"}
            path = picture.get("path")
        if not isinstance(path, str) or not path or "\0" in path:
            problems.append(
                f"a picture must be a path, or a table with a path, not {reprlib.repr(picture)}"
            )
            continue
        try:
            yield Source(path, **own_options)
        except OptionError as error:
            problems.append(f"{path}: {error}")


def parse_options(options: Table, folder: Path) -> tuple[Settings, Theme]:
    """Return the settings and the look that some options of a manifest set."""
    for key, value in sorted(options.items()):
        if isinstance(value, list | dict) and key not in ("beside", "transition", "preset"):
            raise OptionError(f"{key} must be a single value, not {reprlib.repr(value)}")
    Outputs(**select_keys(options, SHARED_NAMES))  # raises OptionError for values out of range
    settings = settings_from_values(select_keys(flatten_transition(options), SETTING_NAMES))
    if isinstance(settings.order, CustomOrder):
        raise OptionError("order must be a name in a batch, not an array or a function", "order")
    return settings, Theme(**resolve_file_options(select_keys(options, LOOK_NAMES), folder))


def flatten_transition(table: Table) -> dict[str, Any]:
    """Return a table in which the options of a transition stand beside its name."""
    way = table.get("transition")
    if not isinstance(way, Mapping):
        return dict(table)
    own = dict(way)
    name = check_choice("transition", own.pop("name", ""), TRANSITIONS)
    known = transition_options(name)
    if own and not known:
        raise OptionError(f"transition {name} has no options, so no {next(iter(own))}")
    check_known_names(f"option of transition {name}", own, known)
    for at in own:
        if known[at] in table:
            raise OptionError(f"{at} of transition {name} is also set as {known[at]}; set it once")
    return {**table, "transition": name, **{known[at]: value for at, value in own.items()}}


def _parse_outputs(entries: list[Any], table: Table, folder: Path, longest: float) -> Outputs:
    # Checks the outputs as far as possible before the pictures are read.
    def check_output(entry: Any) -> dict[str, Any]:
        own = dict(entry) if isinstance(entry, Mapping) else {"path": entry}
        path = own.get("path")
        file = fspath(path) if isinstance(path, PathLike) else path
        file = str(PurePosixPath(file)) if isinstance(file, str) and file else file
        if not isinstance(file, str) or not is_safe_output(file):
            raise OptionError(
                f"output {file!r} must be a file in the batch's folder, with no leading / or ., "
                "no .. and no \\"
            )
        return {**resolve_file_options(own, folder), "path": file}

    outputs = Outputs(
        output=list(map(check_output, entries)),
        sheet=check_output(table["sheet"]) if "sheet" in table else None,
        **select_keys(table, SHARED_NAMES),
    )
    check_frame_times(outputs.paths, longest)
    OutputFiles.from_options(outputs)  # raises OptionError for an unsuitable suffix or option
    return outputs


def select_keys(table: Table, names: Iterable[str]) -> dict[str, Any]:
    """Return the members of a table whose keys are among some names."""
    return {name: table[name] for name in table.keys() & names}
