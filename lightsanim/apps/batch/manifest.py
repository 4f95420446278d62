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

An output with its own options is a table, {path = "a.gif", cell = 4}, and so is a transition:
{name = "sketch", frames = 20}.  A picture with its own options is a table, too:
{path = "face.jpg", crop = "10%,0,90%,60%"}.  A clip, which may be a folder of numbered pictures,
needs no second picture.

The whole manifest is checked before any animation is made.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from lightsanim.errors import LightsAnimError, ManifestError, OptionError
from lightsanim.film.origin import MAX_LENGTH, NO_LABEL, Label
from lightsanim.options.checks import check_list, quote_value, read_toml, unknown_names_error
from lightsanim.options.settings import apply_preset, transition_options
from .job import Job
from .job_table import (
    OPTION_NAMES,
    Table,
    flatten_transition,
    list_wrong_keys,
    parse_options,
    select_keys,
)
from .labels import Labels

SITE_KEYS = ("title", "caption", "credit", "licence")  # Label keys allowed in [site].
SHARED_KEYS = ("credit", "licence", "date", "series")  # Label keys allowed in [defaults].


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """The jobs of a batch in order, and the label of the gallery.

    Attributes:
        jobs: the animations; see `Job`.
        site: title, caption, credit and licence of the gallery.
        path: the manifest's file, if there is one.  Paths of pictures are relative to its folder,
            by default to the current one.

    Raises:
        ManifestError: if there are no jobs, or two of them write the same file.
    """

    jobs: Sequence[Job]
    site: Label = NO_LABEL
    path: Path = Path()

    def __post_init__(self) -> None:
        jobs = tuple(check_list("jobs", self.jobs))
        if flaws := [quote_value(job) for job in jobs if not isinstance(job, Job)]:
            raise OptionError(f"jobs must be of the class Job, not {flaws[0]}")
        problems = [] if jobs else ["there is no animation; add a Job"]
        if problems := [*problems, *_find_output_clashes(jobs)]:
            raise ManifestError(problems)
        object.__setattr__(self, "jobs", jobs)

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
    """Return the jobs of a parsed manifest whose file is in ``folder``; see `load_manifest`."""
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
            jobs.append(Job.from_table(_apply_defaults(good_defaults, table), folder))
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
    yield from list_wrong_keys(defaults.keys() - own_names, OPTION_NAMES.union(SHARED_KEYS))
    try:
        Label.from_dict(defaults)
        parse_options(select_keys(defaults, OPTION_NAMES), folder)
    except LightsAnimError as error:
        yield str(error)


def _apply_defaults(defaults: Table, table: Table) -> Table:
    own, table = flatten_transition(defaults), apply_preset(flatten_transition(table))
    left_out = {"preset"} if "preset" in table else set[str]()
    if table.get("transition", way := own.get("transition")) != way:
        left_out |= {*transition_options(str(way)).values()}
    return {**{key: value for key, value in own.items() if key not in left_out}, **table}


def _find_output_clashes(jobs: Sequence[Job]) -> Iterator[str]:
    # Yields a message on each output that is written twice, or lies in another output.
    files = [PurePosixPath(file) for job in jobs for file in job.files]
    for file, count in Counter(files).items():
        if count > 1:
            yield f"output {str(file)!r} is used {count} times; give each output its own name"
    names = set(files)
    for file in sorted(names):
        for parent in sorted(names.intersection(file.parents)):
            yield f"output {str(file)!r} lies in {str(parent)!r}, which is another output"
