"""A folder that grew: what is new in it joins its manifest, and what was moved is followed."""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

from lightsanim.batch.from_folder import (
    path_from,
    pictures_below,
    place_of,
    places_of,
    readable,
    series_of,
    tables_for,
    to_toml,
)
from lightsanim.batch.job import Job, sha256_of_picture
from lightsanim.batch.manifest import jobs_of, load_manifest
from lightsanim.batch.results import Result, read_results, standing
from lightsanim.errors import ManifestError, OptionError
from lightsanim.options.choices import WORD_PREFIXES

# In a manifest's text: a string or a comment, where a work begins, its series.
TOKEN = re.compile(r"""\"(?:\\.|[^"\\\n])*"|'[^'\n]*'|#.*""")
WORK = re.compile(r"^(?=[ \t]*\[\[[ \t]*animation[ \t]*\]\])", re.MULTILINE)
SERIES = re.compile(r"""^[ \t]*series[ \t]*=[ \t]*(?:"[^"\n]*"|'[^'\n]*')""", re.MULTILINE)


def updated_manifest(
    folder: Path,
    manifest: Path,
    chain: bool | None,
    output: Path | None,
    *,
    on_left_out: Callable[[str], None] = lambda reason: None,
    progress: Callable[[int, int], None] = lambda done, all: None,
) -> tuple[str, str]:
    """A manifest's text, and with what moved or is new in its folder; all else stays as it is."""
    jobs = load_manifest(manifest).jobs
    before = manifest.read_bytes().decode()
    results = [] if output is None else standing(read_results(output))
    pictures = list(pictures_below(folder, on_left_out, places_of(jobs, manifest)))
    moves = _moves(jobs, manifest, pictures, results)
    text = _followed(before, jobs, moves, folder, manifest)
    for path, picture in moves.items():
        on_left_out(f"moved: {path} is now {path_from(manifest, picture)}")
    jobs = jobs_of(_parsed(text), manifest.parent)
    for job, path in _vanished(jobs, manifest.parent):
        on_left_out(f"not there any more: {path}, of {job.files[0]}; its table stays")
    known, named = places_of(jobs, manifest), {job.files[0] for job in jobs}
    gone = [result for result in results if result.files[0] not in named]
    down = {each["sha256"] for result in gone for each in result.pictures}

    def is_fresh(picture: Path) -> bool:
        # One that the text names anywhere, also in a comment, is not.
        if place_of(picture) in known or to_toml(path_from(manifest, picture)) in text:
            return False
        if is_down := bool(down) and sha256_of_picture(picture) in down:
            on_left_out(f"left out: {picture}: its work was taken down; name it to show it again")
        return not is_down

    new = readable(list(filter(is_fresh, pictures)), on_left_out, progress)
    if chain is None and new:
        chain = _is_chain([places_of([job], manifest) for job in jobs])
    lines = list(tables_for(new, folder, manifest, bool(chain), on_left_out, jobs))
    return before, _joined(text, lines, manifest) if lines else text


def _parsed(text: str) -> dict[str, Any]:
    return tomllib.loads(text.removeprefix("\ufeff"))


def _vanished(jobs: Iterable[Job], folder: Path) -> Iterator[tuple[Job, str]]:
    for job in jobs:
        for path in (picture.path for picture in job.pictures):
            if not path.startswith(WORD_PREFIXES) and not (folder / path).exists():
                yield job, path


def _moves(
    jobs: Sequence[Job], manifest: Path, pictures: Iterable[Path], results: Iterable[Result]
) -> dict[str, Path]:
    # By the path of a picture that vanished, the one of its name and content that is elsewhere.
    known = places_of(jobs, manifest)
    digests = {
        (result.files[0], Path(each["path"]).name): each["sha256"]
        for result in results
        for each in result.pictures
    }
    return {
        path: picture
        for job, path in _vanished(jobs, manifest.parent)
        for picture in pictures
        if picture.name == Path(path).name and place_of(picture) not in known
        if sha256_of_picture(picture) == digests.get((job.files[0], picture.name), "")
    }


def _followed(
    text: str, jobs: Sequence[Job], moves: Mapping[str, Path], folder: Path, manifest: Path
) -> str:
    # With the new paths, and a new series where a work moved as a whole.  As text: libraries that
    # keep comments reorder tables, or lose what stands between them.
    paths = {path: path_from(manifest, picture) for path, picture in moves.items()}

    def renamed(token: re.Match[str]) -> str:
        with suppress(ValueError, LookupError):  # a comment, or another text
            return to_toml(paths[_parsed(f"path = {token[0]}")["path"]])
        return token[0]

    def moved(each: Any) -> Any:
        if isinstance(each, dict):
            return {**each, "path": moved(each["path"])}
        return paths.get(each, each)

    wanted, parts = _parsed(text), WORK.split(TOKEN.sub(renamed, text))
    for number, (job, table) in enumerate(zip(jobs, wanted["animation"], strict=True), start=1):
        table["pictures"] = list(map(moved, table["pictures"]))
        places = {each.path: manifest.parent / each.path for each in job.pictures}
        old = {series_of(place, folder) for place in places.values()}
        new = {series_of(moves.get(path, place), folder) for path, place in places.items()}
        if old == {job.label.series or ""} != new and len(new) == 1 and number < len(parts):
            [table["series"]] = new
            line = f"series = {to_toml(table['series'])}"
            parts[number], had = SERIES.subn(line.replace("\\", r"\\"), parts[number], count=1)
            if not had:
                head, end, own = re.split(r"(\r?\n)", parts[number], maxsplit=1)
                parts[number] = head + end + line + end + own
    after = "".join(parts)
    if _parsed(after) != wanted:
        told = ", ".join(f"{old} is now {new}" for old, new in paths.items())
        raise ManifestError([f"{manifest}: name what moved in its tables by yourself: {told}"])
    return after


def _joined(text: str, lines: Sequence[str], manifest: Path) -> str:
    end = "\r\n" if "\r\n" in text else "\n"
    after = text + "".join(line + end for line in ["", *lines][text.endswith("\n") :])
    try:
        _parsed(after)
    except ValueError as error:
        wanted = "write its animations as tables, [[animation]] each, so that others can join"
        raise ManifestError([f"{manifest}: {wanted}"]) from error
    return after


def _is_chain(works: Sequence[Sequence[Path]]) -> bool:
    several = [work for work in works if len(work) > 1]
    if len(several) < 2:
        raise OptionError("the manifest does not tell: --update needs either --chain or --pairs")
    return any(one[-1] == other[0] for one, other in pairwise(several))
