"""The manifest of a batch: a TOML file with pictures, outputs and options.

    [site]                          title, caption, credit and licence of the gallery
    title = "Sun and moon"

    [defaults]                      any option of `make`, with underscores in its name
    size = 80
    credit = "Ada"                  also licence, date and series, for all animations

    [[animation]]                   one table for each animation
    pictures = ["sun.png", "moon.png"]      paths relative to the manifest's folder
    output = "sun-moon.gif"                 or ["a.gif", "a.mp4"], in the batch's folder
    order = "sweep"                         any option, for this animation only
    title = "Sunset"                        also caption, credit, licence, date, alt, series, link

A preset sets the options that its own table does not set.  The preset of an animation replaces that
of the defaults, and overrides the defaults' options.

A picture with its own options is a table: {path = "face.jpg", crop = "10%,0,90%,60%"}.  A clip,
which may be a folder of numbered pictures, needs no second picture.

The whole manifest is checked before any animation is made.
"""

import reprlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from lightsanim.animation.origin import MAX_LENGTH, NO_LABEL, Label
from lightsanim.animation.timing import divide_total
from lightsanim.batch.job import Job, is_safe_output
from lightsanim.batch.labels import Labels
from lightsanim.errors import LightsAnimError, ManifestError, OptionError
from lightsanim.look.theme import Theme
from lightsanim.options.checks import read_toml, unknown_names_error
from lightsanim.options.outputs import OF_FILES, Outputs
from lightsanim.options.records import option_names, resolve_file_options
from lightsanim.options.settings import MakeRequest, Settings, apply_preset, settings_from_values
from lightsanim.pictures.source import Source, append_clicks_picture
from lightsanim.saving.output_files import OutputFiles, check_frame_times, check_max_bytes

SETTING_NAMES, THEME_NAMES = frozenset(option_names(MakeRequest)), frozenset(option_names(Theme))
OPTION_NAMES = SETTING_NAMES.union(THEME_NAMES, OF_FILES)
ANIMATION_KEYS = OPTION_NAMES | {"pictures", "output", "sheet"} | set(MAX_LENGTH)
SITE_KEYS = ("title", "caption", "credit", "licence")  # Label keys allowed in [site].
SHARED_KEYS = ("credit", "licence", "date", "series")  # Label keys allowed in [defaults].

Table = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """The content of a manifest: its jobs in order, and the label of the gallery."""

    path: Path
    jobs: tuple[Job, ...]
    site: Label = NO_LABEL

    @property
    def folder(self) -> Path:
        """The folder to which paths of pictures are relative."""
        return self.path.parent

    @property
    def labels(self) -> Labels:
        """The labels of the gallery and of all animations."""
        return Labels(site=self.site, works={job.files[0]: job.label for job in self.jobs})


def load_manifest(path: str | Path) -> Manifest:
    """Read and check a manifest; raise a `ManifestError` that lists all its problems."""
    path = Path(path)
    try:
        document = read_toml(path)
    except OptionError as error:
        raise ManifestError([str(error)]) from error
    try:
        jobs, site = _parse_document(document, path.parent)
        return Manifest(path=path, jobs=jobs, site=site)
    except ManifestError as error:
        first, *rest = error.problems
        raise ManifestError([f"{path}: {first}", *rest]) from error


def parse_jobs(document: Table, folder: Path = Path()) -> tuple[Job, ...]:
    """Return the jobs of a parsed manifest whose file is in ``folder``; see `load_manifest`.

    >>> [job] = parse_jobs({"defaults": {"size": 8}, "animation": [
    ...     {"pictures": ["a.png", "b.png"], "output": "ab.gif", "order": "sweep"}]})
    >>> job.files, str(job.settings.size), job.settings.order
    (('ab.gif',), '8', 'sweep')
    """
    return _parse_document(document, folder)[0]


def _parse_document(document: Table, folder: Path) -> tuple[tuple[Job, ...], Label]:
    unknown = unknown_names_error("table or key", document, ("site", "defaults", "animation"))
    advice = "a manifest can have [site], [defaults] and [[animation]]"
    problems = [f"{problem}; {advice}" for problem in unknown]
    defaults, tables = document.get("defaults", {}), document.get("animation", [])
    if not isinstance(defaults, dict):
        problems += ["defaults must be a table: write [defaults]"]
        defaults = {}
    site = _parse_site(document.get("site", {}), problems)
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        problems += ["animation must be a list of tables: begin each with [[animation]]"]
        tables = []
    elif not tables:
        problems += ["there is no animation; add a table [[animation]] with pictures and output"]
    bad_defaults = list(_check_defaults(defaults, folder))
    problems += [f"[defaults]: {problem}" for problem in bad_defaults]
    jobs, good_defaults = [], {} if bad_defaults else defaults
    for number, table in enumerate(tables, start=1):
        try:
            jobs.append(_parse_job(_apply_defaults(good_defaults, table), folder))
        except LightsAnimError as error:
            problems += [f"[[animation]] {number}: {error}"]
    problems += _find_output_clashes(jobs)
    if problems:
        raise ManifestError(problems)
    return tuple(jobs), site


def _parse_site(table: Any, problems: list[str]) -> Label:
    # Appends error messages to ``problems``.
    if not isinstance(table, dict):
        problems.append("site must be a table: write [site]")
        return NO_LABEL
    unknown = unknown_names_error("key", table, SITE_KEYS)
    problems += [f"[site]: {problem}; keys: {', '.join(SITE_KEYS)}" for problem in unknown]
    try:
        return Label.from_dict({} if unknown else table)
    except OptionError as error:
        problems.append(f"[site]: {error}")
        return NO_LABEL


def _check_defaults(defaults: Table, folder: Path) -> Iterator[str]:
    # Defaults are checked here, so that a problem is reported once and not for each animation.
    own_names = [name for name in MAX_LENGTH if name in defaults and name not in SHARED_KEYS]
    yield from (f"{name} cannot be a default; set it in each [[animation]]" for name in own_names)
    allowed_names = OPTION_NAMES.union(SHARED_KEYS)
    yield from unknown_names_error("key", defaults.keys() - own_names, allowed_names)
    try:
        Label.from_dict(defaults)
        _parse_options(_select_keys(defaults, OPTION_NAMES), folder)
    except LightsAnimError as error:
        yield str(error)


def _apply_defaults(defaults: Table, table: Table) -> Table:
    if "preset" not in table:
        return {**defaults, **table}
    kept_defaults = {key: value for key, value in defaults.items() if key != "preset"}
    return {**kept_defaults, **apply_preset(table)}


def _parse_job(table: Table, folder: Path) -> Job:
    output = table.get("output")
    outputs: Any = [output] if isinstance(output, str) else output
    problems = unknown_names_error("key", table, ANIMATION_KEYS)
    sources = tuple(_parse_sources(table.get("pictures"), problems))
    are_texts = isinstance(outputs, list) and all(isinstance(text, str) for text in outputs)
    if not are_texts or not outputs:
        problems.append('output must be a file name, such as "a.gif", or a list of file names')
    try:
        label = Label.from_dict(table)
        settings, theme = _parse_options(_select_keys(table, OPTION_NAMES), folder)
        if not problems:
            divide_total(settings.with_defaults_for(), len(sources))
            return Job(
                pictures=tuple(append_clicks_picture(sources, settings.clicks_picture)),
                outputs=_parse_outputs(outputs, table, settings.longest),
                settings=settings,
                theme=theme,
                label=label,
            )
    except LightsAnimError as error:
        problems.append(str(error))
    raise ManifestError(problems)


def _parse_sources(pictures: Any, problems: list[str]) -> Iterator[Source]:
    # Appends error messages to ``problems``.
    if not isinstance(pictures, list) or not pictures:
        rule = "pictures must be a list of 2 or more paths, or of the path of one clip"
        problems.append(f"{rule}, not {reprlib.repr(pictures)}")
        return
    for picture in pictures:
        path, own_options = picture, {}
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


def _parse_options(options: Table, folder: Path) -> tuple[Settings, Theme]:
    for key, value in sorted(options.items()):
        if isinstance(value, list | dict):
            raise OptionError(f"{key} must be a single value, not {reprlib.repr(value)}")
    Outputs(**_select_keys(options, OF_FILES))  # raises OptionError for values out of range
    settings = settings_from_values(_select_keys(options, SETTING_NAMES))
    return settings, Theme(**resolve_file_options(_select_keys(options, THEME_NAMES), folder))


def _parse_outputs(paths: list[str], table: Table, longest: float) -> Outputs:
    # Checks the outputs as far as possible before the pictures are read.
    for entry in [*paths, *([table["sheet"]] if "sheet" in table else [])]:
        file = str(PurePosixPath(entry)) if isinstance(entry, str) and entry else entry
        if not isinstance(file, str) or not is_safe_output(file):
            rule = "must be a file in the batch's folder, with no leading / or ., no .. and no \\"
            raise OptionError(f"output {file!r} {rule}")
    outputs = Outputs(output=paths, sheet=table.get("sheet"), **_select_keys(table, OF_FILES))
    check_frame_times(outputs.output, longest)
    OutputFiles.from_options(outputs)  # raises OptionError for an unsuitable suffix
    check_max_bytes(outputs.output, outputs.max_bytes)
    return outputs


def _find_output_clashes(jobs: Sequence[Job]) -> Iterator[str]:
    # Yields a message on each output that is written twice, or lies in another output.
    files = [PurePosixPath(file) for job in jobs for file in job.files]
    for file, count in Counter(files).items():
        if count > 1:
            yield f"output {str(file)!r} is used {count} times; give each output its own name"
    for file in sorted(set(files)):
        for parent in sorted(set(files).intersection(file.parents)):
            yield f"output {str(file)!r} lies in {str(parent)!r}, which is another output"


def _select_keys(table: Table, names: Iterable[str]) -> dict[str, Any]:
    return {name: table[name] for name in table.keys() & names}
