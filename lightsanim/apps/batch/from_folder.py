"""Write a manifest for a folder of pictures."""

import os
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import groupby, pairwise
from pathlib import Path, PurePosixPath

from PIL import Image

from lightsanim.errors import LightsAnimError, OptionError, OutputError
from lightsanim.film.origin import MAX_LENGTH
from lightsanim.options.checks import dump_toml
from lightsanim.output.saving.atomic import write_files_together
from lightsanim.pictures.picture_clips import natural_sort_key
from lightsanim.pictures.source import Source
from lightsanim.pictures.words.table import path_of_file
from .batch_folder import files_placed_by_batch, unused_file_name
from .job import Job
from .job_table import is_safe_output
from .originals import make_small_image

MAX_NAME = 60  # characters of an output's name; all file systems accept 60, in any script
# Formats that Pillow lists, but reads only with other programs, some of which are not safe.
UNREADABLE_FORMATS = {"BUFR", "EPS", "GRIB", "HDF5", "MPEG", "WMF"}

# Suffixes of common video files.
FILMS = (
    *(".mp4", ".m4v", ".mov", ".webm", ".mkv", ".avi", ".mpg", ".mpeg", ".ts", ".mts", ".m2ts"),
    *(".ogv", ".flv", ".wmv", ".3gp"),
)

MANIFEST_HEAD = """\
# A manifest for `lightsanim batch`.  Paths of pictures are relative to the folder of this file,
# paths of outputs to the folder given on the command line.  The defaults and each animation accept
# all options of `lightsanim make`, with underscores in their names.
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
    """Return the text of a manifest for the pictures and clips in a folder, in natural order.

    Those of subfolders follow, each subfolder as a series.

    Args:
        folder: folder of the pictures.
        manifest: path of the manifest, to which its paths are relative.
        chain: whether each picture turns into the next; otherwise pictures are paired, and a
            video without partner is animated alone.
        on_left_out: called with a message on each picture that cannot be read or has no partner.
        progress: called with the number of files checked, and of all files.

    Raises:
        OptionError: if there are fewer than two pictures, and no video.
    """
    folder, manifest = Path(folder), Path(manifest)
    pictures = filter_readable_pictures(
        list(find_pictures(folder, on_left_out)), on_left_out, progress
    )
    lines = list(manifest_table_lines(pictures, folder, manifest, chain, on_left_out))
    if not lines:
        raise OptionError(f"at least 2 pictures are needed; {folder} has {len(pictures)}")
    return "\n".join([MANIFEST_HEAD, *lines]) + "\n"


def manifest_table_lines(
    pictures: Iterable[Path],
    folder: Path,
    manifest: Path,
    chain: bool,
    on_left_out: Callable[[str], None],
    jobs: Sequence[Job] = (),
) -> Iterator[str]:
    """Yield the lines of [[animation]] tables, which follow those of ``jobs`` in a manifest."""
    used_names = {file.casefold() for job in jobs for file in job.files}
    existing = picture_paths(jobs, manifest)
    for series, group in groupby(pictures, lambda picture: series_of_picture(picture, folder)):
        album = list(group)
        earlier = [p for p in existing if series_of_picture(p, folder) == series and p.is_file()]
        links = list(pairwise([*earlier[-1:], *album])) if chain else []
        pairs = (album[start : start + 2] for start in range(0, len(album), 2))
        for work in links or pairs:
            if len(work) == 1 and not has_film_suffix(work[0]):
                on_left_out(f"left over: {work[0]}: there is no second picture for it")
                continue
            stem = "-".join(picture.stem for picture in work).lstrip(".")
            stem = _printable_name(stem)[:MAX_NAME]
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
    """Resolve symbolic links in the folder of a picture, but keep the file's own name."""
    return Path(os.path.realpath(path.parent), path.name)


def manifest_path(manifest: Path, picture: Path) -> str:
    """Return a picture's path relative to a manifest; put "./" before a name like "sample:cat"."""
    path = os.path.relpath(resolved_picture_path(picture), os.path.realpath(manifest.parent))
    return path_of_file(path)


def picture_paths(jobs: Iterable[Job], manifest: Path) -> list[Path]:
    """Return the resolved paths of all pictures of a manifest's jobs."""
    return [
        resolved_picture_path(manifest.parent / picture.path)
        for job in jobs
        for picture in job.pictures
    ]


def find_pictures(
    folder: Path, on_left_out: Callable[[str], None], clips: Container[Path] = ()
) -> Iterator[Path]:
    """Yield the pictures of a folder and its subfolders, except ``clips`` and batch outputs."""
    list_picture_files(folder)  # raises OutputError if the folder cannot be read
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
        files = list_picture_files(base)
        pictures = [file for file in files if file.relative_to(folder).as_posix() not in owned]
        if base != folder and not pictures and not subfolders:
            on_left_out(f"left out: {base}: this folder has no pictures")
        yield from pictures


def series_of_picture(picture: Path, folder: Path) -> str:
    """Return a picture's series: the name of its subfolder, or "" if it is in no subfolder."""
    relative = os.path.relpath(resolved_picture_path(picture).parent, os.path.realpath(folder))
    name = "" if relative == "." else Path(relative).as_posix()
    return _printable_name(name)[: MAX_LENGTH["series"]]


def filter_readable_pictures(
    pictures: Sequence[Path],
    on_left_out: Callable[[str], None],
    progress: Callable[[int, int], None],
) -> list[Path]:
    """Return the pictures that can be decoded."""
    decodable = []
    for done, picture in enumerate(pictures):
        progress(done, len(pictures))
        # Only decoding shows whether a file is a complete picture.
        try:
            make_small_image(Source(picture))
            decodable.append(picture)
        except LightsAnimError as error:
            on_left_out(f"left out: {error}")
    return decodable


def has_film_suffix(path: Path) -> bool:
    """Return whether a file's suffix is that of a video."""
    return path.suffix.lower() in FILMS


def list_picture_files(folder: Path) -> list[Path]:
    """Return the pictures and videos in a folder that a manifest can name, in natural order."""
    Image.init()
    kinds = Image.OPEN.keys() - UNREADABLE_FORMATS
    suffixes = {suffix for suffix, kind in Image.EXTENSION.items() if kind in kinds}.union(FILMS)
    try:
        files = [f for f in folder.iterdir() if f.is_file() and _has_usable_name(f.name)]
    except OSError as error:
        raise OutputError(f"cannot read {folder}: {error.strerror}") from error
    pictures = (path for path in files if path.suffix.lower() in suffixes)
    return sorted(pictures, key=lambda path: natural_sort_key(path.name))


def _has_usable_name(name: str) -> bool:
    # A usable name does not begin with a dot, as hidden files do, and all its bytes are text.
    return name[0] != "." and name.encode("utf-8", "replace").decode() == name


def write_manifest(path: str | Path, text: str, before: str | None = None) -> bool:
    """Write a manifest; return False if the file has this content already.

    Args:
        path: path of the manifest.
        text: new content.
        before: content of the file to replace; None if there must be no other file.

    Raises:
        OutputError: if another file exists, or the file cannot be written.
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
            f"{path} exists with other content; run it (lightsanim batch {path} -o DIR), update "
            f"it (--update {path.parent}), or choose another file"
        ) from error
    return True
