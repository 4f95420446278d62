"""A batch's manifest: TOML that says which pictures become which files, and with which options.

    [defaults]                      any option of `make` by its name, with underscores
    size = 80

    [[animation]]                   one or more of them
    pictures = ["sun.png", "moon.png"]      paths start from the manifest's folder
    output = "sun-moon.gif"                 or ["a.gif", "a.mp4"], in the batch's folder
    order = "sweep"                         and any option for this one alone

A manifest is checked whole before anything runs.
"""

import re
import reprlib
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any

from lightsanim.batch.job import MAX_PATH, Job, stays_inside
from lightsanim.checks import check_whole, guess
from lightsanim.errors import LightsAnimError, ManifestError, OptionError
from lightsanim.formats.outputs import check_times
from lightsanim.formats.stills import MAX_COUNT, SHEET_FRAMES, Stills
from lightsanim.formats.table import format_of
from lightsanim.look.theme import Theme
from lightsanim.options import Settings

SETTINGS = frozenset(field.name for field in fields(Settings))
LOOKS = frozenset(field.name for field in fields(Theme))
OPTIONS = SETTINGS | LOOKS | {"sheet_frames"}
KEYS = OPTIONS | {"pictures", "output", "sheet"}

# Far above any batch; more is a mistake, or hostile.
MAX_OCTETS = 50_000_000

# A key of ours has two parts with a dot between them; the time that tomllib takes for one grows
# with the square of their number.
MAX_PARTS = 100
NO_KEYS = re.compile(
    rb'''"""(?:[^"\\]|\\.|"(?!""))*+(?:""")?'''  # texts, also without an end, and comments
    rb"""|'{3}(?:[^']|'(?!''))*+(?:'{3})?"""
    rb"""|"(?:[^"\\\n]|\\.)*+"?|'[^'\n]*+'?|#[^\n]*+""",
    re.DOTALL,
)

# Of a whole number.
MAX_BITS = 1000

# Whoever makes more mistakes has made one.
MAX_PROBLEMS = 100

Table = Mapping[str, Any]


class _Shown(reprlib.Repr):
    # Python writes no whole numbers of more than some thousand digits.
    def repr_int(self, x: int, level: int) -> str:
        bits = x.bit_length()
        return super().repr_int(x, level) if bits <= MAX_BITS else f"a number of {bits} bits"


# Values in messages: their beginning tells which is meant.
shown = _Shown().repr


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """The jobs of a batch.

    Attributes:
        folder: where the paths of pictures start from.
        jobs: in the order of the manifest.
    """

    folder: Path
    jobs: tuple[Job, ...]


def load_manifest(path: str | Path) -> Manifest:
    """Read a manifest.

    Raises:
        ManifestError: with all that is wrong with it.
    """
    path = Path(path)
    try:
        with path.open("rb") as file:
            content = file.read(MAX_OCTETS + 1)
    except OSError as error:
        raise ManifestError([f"cannot read {path}: {error.strerror}"]) from error
    if len(content) > MAX_OCTETS:
        raise ManifestError([f"{path} is larger than {MAX_OCTETS} octets; that is no manifest"])
    try:
        if _has_a_long_key(content):
            raise ValueError(f"it has a key of more than {MAX_PARTS} parts")
        document = tomllib.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise ManifestError([f"{path}: not TOML: {error}"]) from error
    try:
        return Manifest(folder=path.parent, jobs=jobs_of(document))
    except ManifestError as error:
        raise ManifestError([f"{path}: {problem}" for problem in error.problems]) from error


def _has_a_long_key(content: bytes) -> bool:
    bare = re.split(rb"[=,\[\]{}\n]", NO_KEYS.sub(b"", content))
    return any(key.count(b".") >= MAX_PARTS for key in bare)


def jobs_of(document: Table) -> tuple[Job, ...]:
    """The jobs of a manifest that was read.

    Raises:
        ManifestError: with all that is wrong, each with the table that it is in.

    >>> [job] = jobs_of({"defaults": {"size": 8}, "animation": [
    ...     {"pictures": ["a.png", "b.png"], "output": "ab.gif", "order": "sweep"}]})
    >>> job.outputs, job.settings.size, job.settings.order
    (('ab.gif',), 8, 'sweep')
    """
    problems = [
        f"unknown table or key {shown(key)}{guess(key, ['defaults', 'animation'])}; "
        "a manifest has [defaults] and [[animation]]"
        for key in islice(document.keys() - {"defaults", "animation"}, MAX_PROBLEMS)
    ]
    defaults, tables = document.get("defaults", {}), document.get("animation", [])
    if not isinstance(defaults, dict):
        problems += ["defaults must be a table, [defaults]"]
        defaults = {}
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        problems += ["animation must be tables, [[animation]] each"]
        tables = []
    elif not tables:
        problems += ["there is no animation; add a table [[animation]] with pictures and output"]
    wrong = list(_wrong_defaults(defaults))
    problems += [f"[defaults]: {problem}" for problem in wrong]
    jobs = []
    for number, table in enumerate(tables, start=1):
        if len(problems) > MAX_PROBLEMS:
            raise ManifestError([*problems, "and perhaps more, which was not looked for"])
        try:
            jobs.append(_job_of({**({} if wrong else defaults), **table}))
        except ManifestError as error:
            problems += [f"[[animation]] {number}: {problem}" for problem in error.problems]
    problems += _clashes(jobs)
    if problems:
        raise ManifestError(problems)
    return tuple(jobs)


def _wrong_defaults(defaults: Table) -> Iterator[str]:
    # Said once here, and not again for every animation.
    yield from _unknown_keys(defaults, OPTIONS)
    try:
        _looks_and_settings({key: value for key, value in defaults.items() if key in OPTIONS})
    except LightsAnimError as error:
        yield str(error)


def _unknown_keys(table: Table, known: frozenset[str]) -> Iterator[str]:
    for key in islice(table.keys() - known, MAX_PROBLEMS):
        yield f"unknown key {shown(key)}{guess(key, known)}"


def _job_of(table: Table) -> Job:
    pictures, outputs = table.get("pictures"), _as_list(table.get("output", []))
    problems = list(_unknown_keys(table, KEYS))
    if not isinstance(pictures, list) or not _are_texts(pictures) or len(pictures) < 2:
        problems.append(f"pictures must be a list of at least 2 paths, not {shown(pictures)}")
    elif "\0" in "".join(pictures):
        problems.append("pictures must be paths, which hold no NUL")
    if not _are_texts(outputs) or not outputs:
        problems.append('output must be a file, or a list of files, such as "a.gif"')
    options = {key: value for key, value in table.items() if key in OPTIONS}
    try:
        settings, theme = _looks_and_settings(options)
        if not problems:
            return _checked(
                Job(
                    pictures=tuple(pictures or ()),
                    outputs=tuple(map(_plain, outputs)),
                    settings=settings,
                    theme=theme,
                    sheet=_plain(table["sheet"]) if "sheet" in table else None,
                    sheet_frames=table.get("sheet_frames", SHEET_FRAMES),
                )
            )
    except LightsAnimError as error:
        problems.append(str(error))
    raise ManifestError(problems)


def _looks_and_settings(options: Table) -> tuple[Settings, Theme]:
    for key, value in options.items():
        if isinstance(value, int) and value.bit_length() > MAX_BITS:
            raise OptionError(f"{key} is {shown(value)}; that is too large")
        if isinstance(value, list | dict):
            raise OptionError(f"{key} must be a single value, not {shown(value)}")
    if "sheet_frames" in options:
        check_whole("sheet_frames", options["sheet_frames"], 1, MAX_COUNT)
    return (
        Settings(**{key: options[key] for key in options.keys() & SETTINGS}),
        Theme(**{key: options[key] for key in options.keys() & LOOKS}),
    )


def _checked(job: Job) -> Job:
    # What can be told of the outputs without the pictures.
    for file in job.files:
        if not isinstance(file, str) or not stays_inside(file):
            name = repr(file) if isinstance(file, str) and len(file) <= MAX_PATH else shown(file)
            raise OptionError(
                f"output {name} must be a file in the batch's folder: "
                f"no leading / or ., no .. and no \\, and at most {MAX_PATH} characters"
            )
    for output in job.outputs:
        format_of(Path(output))
    if job.sheet is not None:
        Stills(path=Path(job.sheet), count=job.sheet_frames)
    longest = max(job.settings.hold_first, job.settings.hold_last) + 1 / job.settings.fps
    check_times(map(Path, job.outputs), longest)
    return job


def _clashes(jobs: Sequence[Job]) -> Iterator[str]:
    # Outputs that two animations, or one of them twice, would write.
    files = [PurePosixPath(file) for job in jobs for file in job.files]
    for file, count in Counter(files).items():
        if count > 1:
            yield f"output {str(file)!r} is written {count} times; each needs a name of its own"
    taken = set(files)
    for file in taken:
        for parent in taken.intersection(file.parents):
            yield f"output {str(file)!r} lies in {str(parent)!r}, which is an output itself"


def _plain(path: Any) -> Any:
    # One spelling for a file, so that two that write it are seen to.
    return str(PurePosixPath(path)) if isinstance(path, str) and path else path


def _as_list(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)
