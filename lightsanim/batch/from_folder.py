"""A manifest for a folder of pictures."""

import json
import os
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import groupby, pairwise
from pathlib import Path, PurePosixPath
from typing import Any

from PIL import Image

from lightsanim.animation.origin import MAX_LENGTH
from lightsanim.batch.batch_folder import files_placed_by_batch, unused_file_name
from lightsanim.batch.job import Job, is_safe_output
from lightsanim.batch.originals import make_small_image
from lightsanim.errors import LightsAnimError, OptionError, OutputError
from lightsanim.inputs.picture_clips import natural_sort_key
from lightsanim.options.choices import WORD_PREFIXES
from lightsanim.pictures.source import Source
from lightsanim.saving.atomic import write_files_together

# Characters of an output's name; every file system takes that many, in any script.
MAX_NAME = 60

# Formats that Pillow knows by their suffix but cannot read alone, or that we do not let it read.
UNREADABLE_FORMATS = {"BUFR", "EPS", "GRIB", "HDF5", "MPEG", "WMF"}

# Suffixes of films, the most usual ones of what FFmpeg reads.
FILMS = (
    *(".mp4", ".m4v", ".mov", ".webm", ".mkv", ".avi", ".mpg", ".mpeg", ".ts", ".mts", ".m2ts"),
    *(".ogv", ".flv", ".wmv", ".3gp"),
)

MANIFEST_HEAD = """\
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
        on_left_out: told of each picture that cannot be read or has no partner.
        progress: told how many files are looked at, out of how many.

    Returns:
        The manifest's text.

    Raises:
        OptionError: if there are fewer than two pictures, and no film.
    """
    folder, manifest = Path(folder), Path(manifest)
    pictures = filter_readable_pictures(
        list(find_pictures(folder, on_left_out)), on_left_out, progress
    )
    lines = list(manifest_table_lines(pictures, folder, manifest, chain, on_left_out))
    if not lines:
        raise OptionError(f"at least 2 pictures are needed, and {folder} holds {len(pictures)}")
    return "\n".join([MANIFEST_HEAD, *lines]) + "\n"


def manifest_table_lines(
    pictures: Iterable[Path],
    folder: Path,
    manifest: Path,
    chain: bool,
    on_left_out: Callable[[str], None],
    jobs: Sequence[Job] = (),
) -> Iterator[str]:
    """The lines of a manifest's tables for pictures, series by series, after those of its jobs."""
    used_names = {file.casefold() for job in jobs for file in job.files}
    existing = picture_paths(jobs, manifest)
    for series, group in groupby(pictures, lambda picture: series_of_picture(picture, folder)):
        album = list(group)
        earlier = [p for p in existing if series_of_picture(p, folder) == series and p.is_file()]
        links = list(pairwise([*earlier[-1:], *album])) if chain else []
        pairs = (album[start : start + 2] for start in range(0, len(album), 2))
        for work in links or pairs:
            if len(work) == 1 and not has_film_suffix(work[0]):
                on_left_out(f"left over: {work[0]}: there is no partner for it")
                continue
            stem = _printable_name("-".join(picture.stem for picture in work).lstrip("."))[
                :MAX_NAME
            ]
            suffix = ".mp4" if any(map(has_film_suffix, work)) else ".gif"
            output = str(PurePosixPath(series, stem))
            output = output if is_safe_output(output) else f"series/{output}"
            output = unused_file_name(output, used_names, suffix)
            used_names.add(output.casefold())
            yield from ("", "[[animation]]")
            yield f"pictures = {dump_toml([manifest_path(manifest, picture) for picture in work])}"
            yield f"output = {dump_toml(output)}"
            if series:
                yield f"series = {dump_toml(series)}"


def _printable_name(name: str) -> str:
    return "".join(c if c.isprintable() and c != "\\" else "-" for c in name)


def resolved_picture_path(path: Path) -> Path:
    """Where a picture lies; a link to a picture is a picture of its own."""
    return Path(os.path.realpath(path.parent), path.name)


def manifest_path(manifest: Path, picture: Path) -> str:
    """The path by which a manifest names a picture; one called as a sample is no sample."""
    path = os.path.relpath(resolved_picture_path(picture), os.path.realpath(manifest.parent))
    return os.path.join(".", path) if path.startswith(WORD_PREFIXES) else path


def picture_paths(jobs: Iterable[Job], manifest: Path) -> list[Path]:
    """Where the pictures of a manifest's jobs lie."""
    return [
        resolved_picture_path(manifest.parent / picture.path)
        for job in jobs
        for picture in job.pictures
    ]


def find_pictures(
    folder: Path, on_left_out: Callable[[str], None], clips: Container[Path] = ()
) -> Iterator[Path]:
    """The pictures in a folder and in those below it, but for clips and what we wrote ourselves."""
    list_picture_files(folder)  # which says why it cannot be read
    owned = files_placed_by_batch(folder)

    def report_unreadable_folder(error: OSError) -> None:
        on_left_out(f"left out: cannot read {error.filename}: {error.strerror}")

    for root, subfolders, _ in os.walk(folder, onerror=report_unreadable_folder):
        base = Path(root)
        subfolders[:] = [
            name
            for name in sorted(subfolders, key=natural_sort_key)
            if _has_usable_name(name) and resolved_picture_path(base / name) not in clips
            if not any((base / name).glob(".lightsanim*"))
        ]
        pictures = [
            path
            for path in list_picture_files(base)
            if path.relative_to(folder).as_posix() not in owned
        ]
        if base != folder and not pictures and not subfolders:
            on_left_out(f"left out: {base}: there is no picture in it")
        yield from pictures


def series_of_picture(picture: Path, folder: Path) -> str:
    """The series of a picture in a folder below, which is called as that; "" in the folder."""
    relative = os.path.relpath(resolved_picture_path(picture).parent, os.path.realpath(folder))
    return (
        ""
        if relative == "."
        else _printable_name(Path(relative).as_posix())[: MAX_LENGTH["series"]]
    )


def filter_readable_pictures(
    pictures: Sequence[Path],
    on_left_out: Callable[[str], None],
    progress: Callable[[int, int], None],
) -> list[Path]:
    """Those that can be decoded."""
    decodable = []
    for done, picture in enumerate(pictures):
        progress(done, len(pictures))
        # A suffix promises nothing, and a picture may be cut off: only who decodes it knows.
        try:
            make_small_image(Source(picture))
            decodable.append(picture)
        except LightsAnimError as error:
            on_left_out(f"left out: {error}")
    return decodable


def has_film_suffix(path: Path) -> bool:
    """Whether a file looks like a film by its suffix: always a clip, perhaps with sound."""
    return path.suffix.lower() in FILMS


def list_picture_files(folder: Path) -> list[Path]:
    """The files in a folder that look like pictures or films by their suffix, in the natural order.

    Hidden files are left out, and files whose names are not text: a manifest could not name them.
    """
    Image.init()
    kinds = Image.OPEN.keys() - UNREADABLE_FORMATS
    suffixes = {suffix for suffix, kind in Image.EXTENSION.items() if kind in kinds}.union(FILMS)
    try:
        files = [
            path for path in folder.iterdir() if path.is_file() and _has_usable_name(path.name)
        ]
    except OSError as error:
        raise OutputError(f"cannot read {folder}: {error.strerror}") from error
    pictures = (path for path in files if path.suffix.lower() in suffixes)
    return sorted(pictures, key=lambda path: natural_sort_key(path.name))


def _has_usable_name(name: str) -> bool:
    # Neither hidden nor other bytes than text.
    return name[0] != "." and name.encode("utf-8", "replace").decode() == name


def dump_toml(value: Any) -> str:
    """A value of a manifest: JSON's texts, numbers, lists, true and false are TOML's, too.

    Bytes that are not text become question marks.
    """
    text = json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return text.encode("utf-8", "replace").decode()


def write_manifest(path: str | Path, text: str, before: str | None = None) -> bool:
    """Write a manifest, unless the same one is there already.

    Args:
        path: of the manifest.
        text: its content.
        before: the content that it takes the place of; None where no other may be there.

    Returns:
        Whether it was written.

    Raises:
        OutputError: if another file is there, or it cannot be written.
    """
    path, current = Path(path), None
    with suppress(OSError, ValueError):
        current = path.read_bytes().decode()
        if current == text:
            return False
    if before is not None and current != before:
        raise OutputError(f"{path} was changed while the pictures were read; run the update again")
    try:
        write_files_together({path: text.encode()}, overwrite=before is not None)
    except OutputError as error:
        if not isinstance(error.__cause__, FileExistsError):
            raise
        raise OutputError(
            f"{path} exists and is not what would be written; run it as it is (lightsanim batch "
            f"{path} -o DIR), add to it (--update {path.parent}), or name another"
        ) from error
    return True
