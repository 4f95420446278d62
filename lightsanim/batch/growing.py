"""A folder that grew: what is new in it joins its manifest, and what was moved is followed."""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

from lightsanim.batch.from_folder import (
    albums_in,
    left_over_line,
    path_from,
    place_of,
    quoted,
    readable,
    series_of,
    tables_for,
    works_of,
)
from lightsanim.batch.job import Job, sha256_of_picture
from lightsanim.batch.manifest import jobs_of, load_manifest
from lightsanim.batch.results import Result, read_results
from lightsanim.errors import ManifestError, OptionError
from lightsanim.options.table import WORD_PREFIXES

# In a manifest's text: a string or a comment, the head of a work, its series.
TOKEN = re.compile(r"""\"(?:\\.|[^"\\\n])*"|'[^'\n]*'|#.*""")
WORK = re.compile(r"^[ \t]*\[\[[ \t]*animation[ \t]*\]\].*?(\r?\n)", re.MULTILINE)
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
    results = [] if output is None else read_results(output)
    albums = albums_in(folder, on_left_out, _places(jobs, manifest))
    moves = _moves(jobs, manifest, [each for album in albums.values() for each in album], results)
    text = _followed(before, jobs, moves, folder, manifest) if moves else before
    for path, picture in moves.items():
        on_left_out(f"moved: {path} is now {path_from(manifest, picture)}")
    if moves:
        jobs = jobs_of(_parsed(text))
    for job in jobs:
        for path in _vanished(job, manifest.parent):
            on_left_out(f"not there any more: {path}, of {job.files[0]}; its table stays")
    known, down = _places(jobs, manifest), _taken_down(results, {job.files[0] for job in jobs})

    def is_fresh(picture: Path) -> bool:
        # One that the text names anywhere, also in a comment, is not.
        if place_of(picture) in known or quoted(path_from(manifest, picture)) in text:
            return False
        if not down or sha256_of_picture(picture) not in down:
            return True
        on_left_out(f"left out: {picture}: its work was taken down; name it to show it again")
        return False

    fresh = {series: list(filter(is_fresh, pictures)) for series, pictures in albums.items()}
    new = readable(fresh, on_left_out, progress)
    if not any(new.values()):
        return before, text
    if chain is None:
        chain = _is_chain([_places([job], manifest) for job in jobs])
    taken = {file for job in jobs for file in job.files}
    lines: list[str] = []
    joined: list[Path] = []
    for series, pictures in new.items():
        homes = {place_of(picture).parent for picture in pictures}
        if chain and (there := [at for at in known if at.parent in homes and at.is_file()]):
            pictures = [there[-1], *pictures]
        added, left_over = works_of(pictures, chain)
        for picture in left_over:
            on_left_out(f"left over: {picture}: there is no partner for it")
        lines += tables_for(added, manifest, series, taken)
        joined += [picture for work in added for picture in work]
    return before, _joined(text, lines, set(map(left_over_line, joined)), manifest)


def _places(jobs: Iterable[Job], manifest: Path) -> list[Path]:
    return [place_of(manifest.parent / each.path) for job in jobs for each in job.pictures]


def _parsed(text: str) -> dict[str, Any]:
    return tomllib.loads(text.removeprefix("\ufeff"))


def _vanished(job: Job, folder: Path) -> Iterator[str]:
    for path in (picture.path for picture in job.pictures):
        if not path.startswith(WORD_PREFIXES) and not (folder / path).exists():
            yield path


def _moves(
    jobs: Sequence[Job], manifest: Path, pictures: Iterable[Path], results: Iterable[Result]
) -> dict[str, Path]:
    # By the path of a picture that vanished, the one of its name and content that is elsewhere.
    known = _places(jobs, manifest)
    others = [picture for picture in pictures if place_of(picture) not in known]
    digests = {
        (result.files[0], Path(each["path"]).name): each["sha256"]
        for result in results
        for each in result.pictures
    }
    return {
        path: picture
        for job in jobs
        for path in _vanished(job, manifest.parent)
        for picture in others
        if picture.name == Path(path).name
        if (digest := digests.get((job.files[0], picture.name)))
        if sha256_of_picture(picture) == digest
    }


def _followed(
    before: str, jobs: Sequence[Job], moves: Mapping[str, Path], folder: Path, manifest: Path
) -> str:
    # With the new paths, and a new series where a work moved as a whole.  As text, see `_joined`.
    paths = {path: path_from(manifest, picture) for path, picture in moves.items()}

    def renamed(token: re.Match[str]) -> str:
        with suppress(ValueError):  # a comment
            path = tomllib.loads(f"path = {token[0]}")["path"]
            return quoted(paths[path]) if path in paths else token[0]
        return token[0]

    after, wanted = TOKEN.sub(renamed, before), _parsed(before)
    series: dict[int, str] = {}
    for number, (job, table) in enumerate(zip(jobs, wanted["animation"], strict=True)):
        table["pictures"] = [
            {**each, "path": paths.get(each["path"], each["path"])}
            if isinstance(each, dict)
            else paths.get(each, each)
            for each in table["pictures"]
        ]
        places = {each.path: manifest.parent / each.path for each in job.pictures}
        old = {series_of(place, folder) for place in places.values()}
        new = {series_of(moves.get(path, place), folder) for path, place in places.items()}
        if old == {job.label.series or ""} != new and len(new) == 1:
            [series[number]] = [table["series"]] = new
    works = list(WORK.finditer(after))
    for number in sorted(series.keys() & range(len(works)), reverse=True):
        line, start = f"series = {quoted(series[number])}", works[number].end()
        own, *rest = re.split(r"(?m)(?=^[ \t]*\[)", after[start:], maxsplit=1)
        said = SERIES.sub(line.replace("\\", r"\\"), own)
        own = said if SERIES.search(own) else line + works[number][1] + own
        after = "".join([after[:start], own, *rest])
    if _parsed(after) != wanted:
        moved = ", ".join(f"{old} is now {new}" for old, new in paths.items())
        raise ManifestError([f"{manifest}: name what moved in its tables by yourself: {moved}"])
    return after


def _joined(before: str, lines: Sequence[str], stale: Set[str], manifest: Path) -> str:
    # As text: libraries that keep comments reorder tables, or lose what stands between them.
    end = "\r\n" if "\r\n" in before else "\n"
    kept = "".join(line for line in before.splitlines(True) if line.rstrip("\r\n") not in stale)
    if lines and not kept.endswith("\n"):
        kept += end
    after = kept + "".join(line + end for line in lines)
    try:
        _parsed(after)
    except ValueError as error:
        wanted = "write its animations as tables, [[animation]] each, so that others can join"
        raise ManifestError([f"{manifest}: {wanted}"]) from error
    return after


def _taken_down(results: Iterable[Result], named: Set[str]) -> Set[str]:
    # The digests of pictures of works that were made, and that the manifest names no more.
    gone = [result for result in results if result.files[0] not in named]
    return {digest for one in gone for each in one.pictures if (digest := each["sha256"])}


def _is_chain(works: Sequence[Sequence[Path]]) -> bool:
    several = [work for work in works if len(work) > 1]
    if len(several) < 2:
        raise OptionError("the manifest does not tell: --update needs either --chain or --pairs")
    return any(one[-1] == other[0] for one, other in pairwise(several))
