"""A manifest for a folder of pictures."""

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

from PIL import Image

from lightsanim.batch.originals import small_image
from lightsanim.errors import LightsAnimError, OptionError, OutputError
from lightsanim.formats.picture_clips import natural_key
from lightsanim.formats.replacing import write_all
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
    pictures = list(_readable(pictures_in(folder), on_left_out, progress))
    if len(pictures) < 2 and not any(map(is_film, pictures)):
        raise OptionError(f"at least 2 pictures are needed, and {folder} holds {len(pictures)}")
    pairs = pairwise(pictures) if chain else zip(pictures[::2], pictures[1::2], strict=False)
    alone = pictures[-1:] if len(pictures) == 1 or (len(pictures) % 2 and not chain) else []
    lines = [HEAD]
    names: Counter[str] = Counter()
    for pair in [*pairs, *([film] for film in alone if is_film(film))]:
        stems = "-".join(picture.stem for picture in pair).lstrip(".")
        name = "".join(c if c.isprintable() and c != "\\" else "-" for c in stems)[:LONGEST_NAME]
        names[name] += 1
        suffix = ".mp4" if any(map(is_film, pair)) else ".gif"
        output = f"{name}-{names[name]}{suffix}" if names[name] > 1 else f"{name}{suffix}"
        start = os.path.realpath(manifest.parent)
        paths = [
            os.path.relpath(os.path.realpath(picture.parent) + os.sep + picture.name, start)
            for picture in pair
        ]
        lines += ["", "[[animation]]"]
        lines += [f"pictures = [{', '.join(map(_toml, paths))}]", f"output = {_toml(output)}"]
    for picture in alone:
        if not is_film(picture):
            lines += ["", f"# {picture.name!a} is left over: there is no partner for it."]
    return "\n".join(lines) + "\n"


def _readable(
    pictures: Sequence[Path],
    on_left_out: Callable[[str], None],
    progress: Callable[[int, int], None],
) -> Iterator[Path]:
    # A suffix promises nothing, and a picture may be cut off: only who decodes it knows.
    for done, picture in enumerate(pictures):
        progress(done, len(pictures))
        try:
            small_image(Source(picture))
        except LightsAnimError as error:
            on_left_out(f"left out: {error}")
        else:
            yield picture


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
    is_text = path.name.encode("utf-8", "replace").decode() == path.name
    is_picture = kind in Image.OPEN and kind not in UNREADABLE
    return (is_picture or is_film(path)) and path.name[0] != "." and is_text


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
