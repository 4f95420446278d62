"""Update a manifest: append new pictures of its folder, and correct paths of moved pictures."""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

from lightsanim.errors import ManifestError, OptionError
from lightsanim.options.checks import dump_toml
from lightsanim.pictures.words.table import find_word
from .from_folder import (
    filter_readable_pictures,
    find_pictures,
    manifest_path,
    manifest_table_lines,
    picture_paths,
    resolved_picture_path,
    series_of_picture,
)
from .job import Job, sha256_of_picture
from .manifest import load_manifest, parse_jobs
from .results import Result, current_results, read_results

# Patterns in a manifest: a string or a comment; the start of an [[animation]]; a series line.
TOKEN = re.compile(r"""\"(?:\\.|[^"\\\n])*"|'[^'\n]*'|#.*""")
TABLE_START = re.compile(r"^(?=[ \t]*\[\[[ \t]*animation[ \t]*\]\])", re.MULTILINE)
SERIES = re.compile(r"""^[ \t]*series[ \t]*=[ \t]*(?:"[^"\n]*"|'[^'\n]*')""", re.MULTILINE)


def update_manifest(
    folder: Path,
    manifest: Path,
    chain: bool | None,
    output: Path | None,
    *,
    on_left_out: Callable[[str], None] = lambda reason: None,
    progress: Callable[[int, int], None] = lambda done, all: None,
) -> tuple[str, str]:
    """Return a manifest's text, and the same text updated for new and moved pictures."""
    jobs = load_manifest(manifest).jobs
    original = manifest.read_bytes().decode()
    results = [] if output is None else current_results(read_results(output))
    pictures = list(find_pictures(folder, on_left_out, picture_paths(jobs, manifest)))
    moves = _find_moved_pictures(jobs, manifest, pictures, results)
    text = _update_moved_paths(original, jobs, moves, folder, manifest)
    for path, picture in moves.items():
        on_left_out(f"moved: {path} is now {manifest_path(manifest, picture)}")
    jobs = parse_jobs(_parse_toml(text), manifest.parent)
    for job, path in _missing_pictures(jobs, manifest.parent):
        on_left_out(f"missing: {path}, a picture of {job.files[0]}, which stays in the manifest")
    used_paths, named_outputs = picture_paths(jobs, manifest), {job.files[0] for job in jobs}
    dropped = [result for result in results if result.files[0] not in named_outputs]
    removed_digests = {source["sha256"] for result in dropped for source in result.pictures}

    def is_new_picture(picture: Path) -> bool:
        if resolved_picture_path(picture) in used_paths:
            return False
        if dump_toml(manifest_path(manifest, picture)) in text:  # also true in a comment
            return False
        if is_removed := bool(removed_digests) and sha256_of_picture(picture) in removed_digests:
            reason = "its animation was removed from the manifest; add it there to show it again"
            on_left_out(f"left out: {picture}: {reason}")
        return not is_removed

    new_pictures = list(filter(is_new_picture, pictures))
    new_pictures = filter_readable_pictures(new_pictures, on_left_out, progress)
    if chain is None and new_pictures:
        chain = _pictures_form_chain([picture_paths([job], manifest) for job in jobs])
    lines = [*manifest_table_lines(new_pictures, folder, manifest, bool(chain), on_left_out, jobs)]
    return original, _append_lines(text, lines, manifest) if lines else text


def first_outputs(text: str) -> list[str]:
    """Return the first output of each animation in a manifest's text."""
    outputs = (table["output"] for table in _parse_toml(text).get("animation", ()))
    first = (output[0] if isinstance(output, list) else output for output in outputs)
    return [output["path"] if isinstance(output, dict) else output for output in first]


def _parse_toml(text: str) -> dict[str, Any]:
    return tomllib.loads(text.removeprefix("\ufeff"))


def _missing_pictures(jobs: Iterable[Job], folder: Path) -> Iterator[tuple[Job, str]]:
    for job in jobs:
        for path in (picture.path for picture in job.pictures):
            if find_word(path).is_file and not (folder / path).exists():
                yield job, path


def _find_moved_pictures(
    jobs: Sequence[Job], manifest: Path, pictures: Iterable[Path], results: Iterable[Result]
) -> dict[str, Path]:
    # Returns for each missing picture's path an unused picture of the same name and content.
    used_paths = picture_paths(jobs, manifest)
    digests = {
        (result.files[0], Path(source["path"]).name): source["sha256"]
        for result in results
        for source in result.pictures
    }
    return {
        path: picture
        for job, path in _missing_pictures(jobs, manifest.parent)
        for picture in pictures
        if picture.name == Path(path).name and resolved_picture_path(picture) not in used_paths
        if sha256_of_picture(picture) == digests.get((job.files[0], picture.name), "")
    }


def _update_moved_paths(
    text: str, jobs: Sequence[Job], moves: Mapping[str, Path], folder: Path, manifest: Path
) -> str:
    # Replaces the paths of moved pictures, and the series if all pictures of an animation moved to
    # the same folder.  Edits the text: TOML libraries reorder tables, or lose text between them.
    paths = {path: manifest_path(manifest, picture) for path, picture in moves.items()}

    def replace_path_token(token: re.Match[str]) -> str:
        with suppress(ValueError, LookupError):  # not the path of a moved picture
            return dump_toml(paths[_parse_toml(f"path = {token[0]}")["path"]])
        return token[0]

    def update_entry(entry: Any) -> Any:
        if isinstance(entry, dict):
            return {**entry, "path": update_entry(entry["path"])}
        return paths.get(entry, entry)

    expected, parts = _parse_toml(text), TABLE_START.split(TOKEN.sub(replace_path_token, text))
    for number, (job, table) in enumerate(zip(jobs, expected["animation"], strict=True), start=1):
        table["pictures"] = list(map(update_entry, table["pictures"]))
        locations = {source.path: manifest.parent / source.path for source in job.pictures}
        old = {series_of_picture(old_path, folder) for old_path in locations.values()}
        new = {series_of_picture(moves.get(name, path), folder) for name, path in locations.items()}
        if old == {job.label.series or ""} != new and len(new) == 1 and number < len(parts):
            [table["series"]] = new
            line = f"series = {dump_toml(table['series'])}"
            parts[number], hits = SERIES.subn(line.replace("\\", r"\\"), parts[number], count=1)
            if not hits:
                head, newline, table_text = re.split(r"(\r?\n)", parts[number], maxsplit=1)
                parts[number] = head + newline + line + newline + table_text
    new_text = "".join(parts)
    if _parse_toml(new_text) != expected:
        listing = ", ".join(f"{old} is now {new}" for old, new in paths.items())
        message = "cannot update the paths of moved pictures; please edit them"
        raise ManifestError([f"{manifest}: {message}: {listing}"])
    return new_text


def _append_lines(text: str, lines: Sequence[str], manifest: Path) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    new_text = text + "".join(line + newline for line in ["", *lines][text.endswith("\n") :])
    try:
        _parse_toml(new_text)
    except ValueError as error:
        advice = "cannot add animations, since the existing ones are not [[animation]] tables"
        raise ManifestError([f"{manifest}: {advice}"]) from error
    return new_text


def _pictures_form_chain(works: Sequence[Sequence[Path]]) -> bool:
    longer_works = [work for work in works if len(work) > 1]
    if len(longer_works) < 2:
        raise OptionError(
            "the manifest does not show whether to chain pictures; add --chain or --pairs to "
            "--update"
        )
    return any(first[-1] == second[0] for first, second in pairwise(longer_works))
