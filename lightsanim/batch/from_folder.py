"""A manifest for a folder of pictures."""

import json
import os
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from itertools import chain as chained
from itertools import count, pairwise
from pathlib import Path, PurePosixPath
from typing import Any

from PIL import Image

from lightsanim.animation.label import LIMITS
from lightsanim.batch.folder import placed_files
from lightsanim.batch.job import Job, sha256_of_picture
from lightsanim.batch.manifest import load_manifest
from lightsanim.batch.originals import small_image
from lightsanim.batch.results import read_results
from lightsanim.errors import LightsAnimError, ManifestError, OptionError, OutputError
from lightsanim.formats.picture_clips import natural_key
from lightsanim.formats.replacing import write_all
from lightsanim.options.table import WORD_PREFIXES
from lightsanim.pictures.source import Source

# Characters of an output's name; every file system takes that many, in any script.
LONGEST_NAME = 60

# Formats that Pillow knows by their suffix but cannot read alone, or that we do not let it read.
UNREADABLE = {"BUFR", "EPS", "GRIB", "HDF5", "MPEG", "WMF"}

# Suffixes of films, the most usual ones of what FFmpeg reads.
FILMS = (
    *(".mp4", ".m4v", ".mov", ".webm", ".mkv", ".avi", ".mpg", ".mpeg", ".ts", ".mts", ".m2ts"),
    *(".ogv", ".flv", ".wmv", ".3gp"),
)

HEAD = """\
# A batch for lightsanim.  Paths of pictures start from this file's folder, outputs go to the
# folder that the batch is told.  Here and in each table any option of `lightsanim make` may stand,
# by its name with underscores.
[defaults]
# preset = 'colour'"""


def manifest_of_folder(
    folder: str | Path,
    manifest: str | Path,
    *,
    chain: bool,
    on_left_out: Callable[[str], None] = lambda reason: None,
    progress: Callable[[int, int], None] = lambda done, all: None,
) -> str:
    """A manifest for the pictures and clips in a folder, in the natural order of their names.

    Those in folders below it follow, each folder a series.

    Args:
        folder: of the pictures.
        manifest: where it will be written; its paths start from there.
        chain: each picture turns into the next; otherwise they are taken two by two, and a film
            that is left over alone.
        on_left_out: told of each picture that cannot be read, and why.
        progress: told how many files are looked at, out of how many.

    Returns:
        The manifest's text.

    Raises:
        OptionError: if there are fewer than two pictures, and no film.
    """
    folder, manifest = Path(folder), Path(manifest)
    albums = _readable(_albums(folder, on_left_out), on_left_out, progress)
    works = {series: _works(pictures, chain) for series, pictures in albums.items()}
    if not any(made for made, _ in works.values()):
        held = sum(map(len, albums.values()))
        raise OptionError(f"at least 2 pictures are needed, and {folder} holds {held}")
    taken: set[str] = set()
    lines = [HEAD]
    for series, (made, _) in works.items():
        lines += _tables(made, manifest, series, taken)
    for _, left_over in works.values():
        lines += [line for picture in left_over for line in ("", _left_over(picture))]
    return "\n".join(lines) + "\n"


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
    works = [[_place(manifest.parent / each.path) for each in job.pictures] for job in jobs]
    known = [place for work in works for place in work]
    for reason in _vanished(jobs, manifest.parent):
        on_left_out(reason)
    down = _taken_down(output, {job.files[0] for job in jobs})

    def is_fresh(picture: Path) -> bool:
        if _place(picture) in known or _toml(_path_from(manifest, picture)) in before:
            return False
        if not down or sha256_of_picture(picture) not in down:
            return True
        on_left_out(f"left out: {picture}: its work was taken down; name it to show it again")
        return False

    albums = _albums(folder, on_left_out, known)
    fresh = {series: list(filter(is_fresh, pictures)) for series, pictures in albums.items()}
    new = _readable(fresh, on_left_out, progress)
    if not any(new.values()):
        return before, before
    if chain is None:
        chain = _is_chain(works)
    taken = {file for job in jobs for file in job.files}
    lines: list[str] = []
    joined: list[Path] = []
    for series, pictures in new.items():
        homes = {_place(picture).parent for picture in pictures}
        if chain and (there := [at for at in known if at.parent in homes and at.is_file()]):
            pictures = [there[-1], *pictures]
        added, left_over = _works(pictures, chain)
        for picture in left_over:
            on_left_out(f"left over: {picture}: there is no partner for it")
        lines += _tables(added, manifest, series, taken)
        joined += [picture for work in added for picture in work]
    return before, _joined(before, lines, set(map(_left_over, joined)), manifest)


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


def _works(pictures: Sequence[Path], chain: bool) -> tuple[list[tuple[Path, ...]], Sequence[Path]]:
    # What turns into what, and the picture that is left over; a film can be alone.
    if chain and len(pictures) > 1:
        return list(pairwise(pictures)), []
    works: list[tuple[Path, ...]] = list(zip(pictures[::2], pictures[1::2], strict=False))
    alone = pictures[2 * len(works) :]
    films = [(picture,) for picture in alone if is_film(picture)]
    return works + films, [] if films else alone


def _tables(
    works: Iterable[tuple[Path, ...]], manifest: Path, series: str, taken: set[str]
) -> Iterator[str]:
    # Their outputs lie in a folder called as the series, and are taken from now on.
    for work in works:
        stems = _plain("-".join(picture.stem for picture in work).lstrip("."))[:LONGEST_NAME]
        name, suffix = PurePosixPath(series, stems), ".mp4" if any(map(is_film, work)) else ".gif"
        numbered = (f"{name}-{number}{suffix}" for number in count(2))
        output = next(file for file in chained([f"{name}{suffix}"], numbered) if file not in taken)
        taken.add(output)
        yield from ("", "[[animation]]")
        yield f"pictures = [{', '.join(_toml(_path_from(manifest, each)) for each in work)}]"
        yield f"output = {_toml(output)}"
        if series:
            yield f"series = {_toml(series)}"


def _plain(name: str) -> str:
    return "".join(c if c.isprintable() and c != "\\" else "-" for c in name)


def _left_over(picture: Path) -> str:
    return f"# {picture.name!a} is left over: there is no partner for it."


def _place(path: Path) -> Path:
    # A link to a picture is a picture of its own.
    return Path(os.path.realpath(path.parent), path.name)


def _path_from(manifest: Path, picture: Path) -> str:
    return os.path.relpath(_place(picture), os.path.realpath(manifest.parent))


def _albums(
    folder: Path, on_left_out: Callable[[str], None], clips: Collection[Path] = ()
) -> dict[str, list[Path]]:
    # The pictures of the folder, of the series "", and of those below, each a series; without
    # folders that are clips and what batches and galleries wrote.
    ours = placed_files(folder)
    albums: dict[str, list[Path]] = {}
    for at, below, _ in os.walk(folder):
        place = Path(at)
        below[:] = sorted(
            (
                name
                for name in below
                if not name.startswith(".")
                and _is_text(name)
                and not any((place / name).glob(".lightsanim*"))
                and _place(place / name) not in clips
            ),
            key=natural_key,
        )
        within = place.relative_to(folder)
        pictures = [
            path for path in pictures_in(place) if path.relative_to(folder).as_posix() not in ours
        ]
        if place != folder and not pictures and not below:
            on_left_out(f"left out: {place}: there is no picture in it")
        series = _plain(within.as_posix() if within.parts else "")[: LIMITS["series"]]
        albums.setdefault(series, []).extend(pictures)
    return albums or {"": pictures_in(folder)}  # which says why it cannot be read


def _readable(
    albums: Mapping[str, Sequence[Path]],
    on_left_out: Callable[[str], None],
    progress: Callable[[int, int], None],
) -> dict[str, list[Path]]:
    # A suffix promises nothing, and a picture may be cut off: only who decodes it knows.
    done, total = 0, sum(map(len, albums.values()))
    readable: dict[str, list[Path]] = {series: [] for series in albums}
    for series, pictures in albums.items():
        for picture in pictures:
            progress(done, total)
            done += 1
            try:
                small_image(Source(picture))
            except LightsAnimError as error:
                on_left_out(f"left out: {error}")
            else:
                readable[series].append(picture)
    return readable


def is_film(path: Path) -> bool:
    """Whether a file looks like a film by its suffix: always a clip, perhaps with sound."""
    return path.suffix.lower() in FILMS


def pictures_in(folder: Path) -> list[Path]:
    """The files in a folder that look like pictures or films by their suffix, in the natural order.

    Hidden files are left out, and files whose names are not text: a manifest could not name them.
    """
    Image.init()
    try:
        files = [path for path in folder.iterdir() if path.is_file()]
    except OSError as error:
        raise OutputError(f"cannot read {folder}: {error.strerror}") from error
    return sorted(filter(_looks_like_a_picture, files), key=lambda path: natural_key(path.name))


def _looks_like_a_picture(path: Path) -> bool:
    kind = Image.EXTENSION.get(path.suffix.lower())
    is_picture = kind in Image.OPEN and kind not in UNREADABLE
    return (is_picture or is_film(path)) and path.name[0] != "." and _is_text(path.name)


def _is_text(name: str) -> bool:
    return name.encode("utf-8", "replace").decode() == name


def _toml(text: str) -> str:
    # Bytes that are not text become question marks.
    return to_toml(text.encode("utf-8", "replace").decode())


def to_toml(value: Any) -> str:
    """A value of a manifest: JSON's texts, numbers, lists, true and false are TOML's, too."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def write_manifest(path: str | Path, text: str) -> bool:
    """Write a manifest, unless the same one is there already.

    Args:
        path: of the manifest.
        text: its content.

    Returns:
        Whether it was written.

    Raises:
        OutputError: if another file is there, or it cannot be written.
    """
    path = Path(path)
    with suppress(OSError, ValueError):
        if path.read_text(encoding="utf-8") == text:
            return False
    try:
        write_all({path: text.encode()}, overwrite=False)
    except OutputError as error:
        if not isinstance(error.__cause__, FileExistsError):
            raise
        raise OutputError(
            f"{path} exists and is not what would be written; "
            f"run it as it is (lightsanim batch {path} -o DIR), or name another"
        ) from error
    return True


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
