"""A folder that grew: what is new in it joins its manifest."""

import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

from lightsanim.batch.from_folder import (
    albums_in,
    left_over_line,
    path_from,
    place_of,
    quoted,
    readable,
    tables_for,
    works_of,
)
from lightsanim.batch.job import Job, sha256_of_picture
from lightsanim.batch.manifest import load_manifest
from lightsanim.batch.results import read_results
from lightsanim.errors import ManifestError, OptionError, OutputError
from lightsanim.formats.replacing import write_all
from lightsanim.options.table import WORD_PREFIXES


def updated_manifest(
    folder: str | Path,
    manifest: str | Path,
    *,
    chain: bool | None = None,
    output: str | Path | None = None,
    on_left_out: Callable[[str], None] = lambda reason: None,
    progress: Callable[[int, int], None] = lambda done, all: None,
) -> tuple[str, str]:
    """A manifest's text as it stands, and with tables for what is new in its folder at the end.

    What stands there stays byte for byte, but for our own remark that a picture is left over.  A
    picture that the text names anywhere, also in a comment, is not new.

    Args:
        folder: of the pictures.
        manifest: the one that stands.
        chain: as for `manifest_of_folder`, from the last picture on; None for as it stands.
        output: the batch's folder: pictures of works that were taken down there are not new.
        on_left_out: told of each picture that does not join or is not there any more, and why.
        progress: told how many new files are looked at, out of how many.

    Returns:
        The text as it stands, and with what is new.

    Raises:
        ManifestError: if the manifest cannot be read, or cannot take tables.
        OptionError: if it does not tell whether it is a chain.
    """
    folder, manifest = Path(folder), Path(manifest)
    jobs = load_manifest(manifest).jobs
    before = manifest.read_bytes().decode()
    works = [[place_of(manifest.parent / each.path) for each in job.pictures] for job in jobs]
    known = [place for work in works for place in work]
    for reason in _vanished(jobs, manifest.parent):
        on_left_out(reason)
    down = _taken_down(output, {job.files[0] for job in jobs})

    def is_fresh(picture: Path) -> bool:
        if place_of(picture) in known or quoted(path_from(manifest, picture)) in before:
            return False
        if not down or sha256_of_picture(picture) not in down:
            return True
        on_left_out(f"left out: {picture}: its work was taken down; name it to show it again")
        return False

    albums = albums_in(folder, on_left_out, known)
    fresh = {series: list(filter(is_fresh, pictures)) for series, pictures in albums.items()}
    new = readable(fresh, on_left_out, progress)
    if not any(new.values()):
        return before, before
    if chain is None:
        chain = _is_chain(works)
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
    return before, _joined(before, lines, set(map(left_over_line, joined)), manifest)


def replace_manifest(path: str | Path, before: str, after: str) -> bool:
    """Write a manifest in place of the one that was read, whole or not at all.

    Args:
        path: of the manifest.
        before: its content when it was read.
        after: its content from now on.

    Returns:
        Whether there was something to write.

    Raises:
        OutputError: if it was changed meanwhile, or cannot be written.
    """
    path = Path(path)
    if after == before:
        return False
    with suppress(OSError):
        if path.read_bytes() == before.encode():
            write_all({path: after.encode()})
            return True
    raise OutputError(f"{path} was changed while the pictures were read; run the update again")


def _joined(before: str, lines: Sequence[str], stale: Set[str], manifest: Path) -> str:
    # As text: libraries that keep comments reorder tables, or lose what stands between them.
    end = "\r\n" if "\r\n" in before else "\n"
    kept = "".join(line for line in before.splitlines(True) if line.rstrip("\r\n") not in stale)
    if lines and not kept.endswith("\n"):
        kept += end
    after = kept + "".join(line + end for line in lines)
    try:
        tomllib.loads(after.removeprefix("\ufeff"))
    except ValueError as error:
        wanted = "write its animations as tables, [[animation]] each, so that others can join"
        raise ManifestError([f"{manifest}: {wanted}"]) from error
    return after


def _vanished(jobs: Iterable[Job], folder: Path) -> Iterator[str]:
    for job in jobs:
        for path in (picture.path for picture in job.pictures):
            if not path.startswith(WORD_PREFIXES) and not (folder / path).exists():
                yield f"not there any more: {path}, of {job.files[0]}; its table stays"


def _taken_down(output: str | Path | None, named: Set[str]) -> Set[str]:
    # The digests of pictures of works that were made, and that the manifest names no more.
    if output is None:
        return set()
    gone = [result for result in read_results(Path(output)) if result.files[0] not in named]
    return {digest for one in gone for each in one.pictures if (digest := each["sha256"])}


def _is_chain(works: Sequence[Sequence[Path]]) -> bool:
    several = [work for work in works if len(work) > 1]
    if len(several) < 2:
        raise OptionError("the manifest does not tell: --update needs either --chain or --pairs")
    return any(one[-1] == other[0] for one, other in pairwise(several))
