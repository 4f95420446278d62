"""The files of a site: what earlier builds wrote, and which are written or removed now."""

import json
import os
import re
import shutil
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from filecmp import cmp
from itertools import chain, count
from pathlib import Path, PurePosixPath
from typing import Any, Self

from lightsanim.batch.job import digest, digest_of_file
from lightsanim.checks import check_whole
from lightsanim.errors import LightsAnimError, OutputError
from lightsanim.formats.replacing import replacing

LIST = ".lightsanim-gallery.jsonl"
FILES = "files"

# The names of folders and of the files in them: safe in every address and file system.
SLUG = re.compile(r"[a-z0-9][a-z0-9-]*")
NAME = re.compile(rf"({FILES}/)?[a-z0-9][a-z0-9-]*\.[a-z0-9]+")
LONGEST_SLUG = 40
RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)")  # by Windows

Content = bytes | Path
"""What a file is to hold: these octets, or those of another file."""


@dataclass(frozen=True, kw_only=True)
class Card:
    """What the wall knows of an animation.

    Attributes:
        names: of its pictures.
        words: what it is found by.
        rows, columns, clicks: numbers to sort by.
        wrong: the wrong cells of all pictures.
        look: what `formats/templates/film.js` needs to paint a board.
    """

    names: Sequence[str]
    words: str
    rows: int
    columns: int
    clicks: int
    wrong: int
    look: Mapping[str, Any]

    def __post_init__(self) -> None:
        for name, low in (("rows", 1), ("columns", 1), ("clicks", 0), ("wrong", 0)):
            check_whole(name, getattr(self, name), low)
        if not all(isinstance(text, str) for text in (self.words, *self.names)):
            raise TypeError("names and words must be texts")

    @property
    def still(self) -> str:
        """The picture on the wall: the last one, as the film shows it."""
        return f"frame-{len(self.names)}.png"


@dataclass(frozen=True, kw_only=True)
class Record:
    """A line of the site's list: the files of one animation.

    It is written before its files are, so that none is forgotten when a build is killed.

    Attributes:
        slug: the animation's folder.
        output: of the batch, that named it.
        key: the sha256 of all that decides what the files hold.
        card: for the wall.
        files: their sha256, by their paths in the site.
    """

    slug: str
    output: str
    key: str
    card: Card
    files: Mapping[str, str]

    @classmethod
    def from_line(cls, line: str) -> Self | None:
        """The record that a line holds, or None if it was cut off or names files of others.

        >>> Record.from_line('{"slug": "..", "files": {"../../a.txt": 1}}') is None
        True
        """
        try:
            members = json.loads(line)
            record = cls(**{**members, "card": Card(**members["card"])})
            return record if record._is_sound() else None
        except (LightsAnimError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return None

    def _is_sound(self) -> bool:
        own = f"{self.slug}/"
        return (
            all(isinstance(text, str) for text in (self.slug, self.output, self.key))
            and SLUG.fullmatch(self.slug) is not None
            and all(isinstance(known, str) for known in self.files.values())
            and all(path.startswith(own) for path in self.files)
            and all(NAME.fullmatch(path.removeprefix(own)) for path in self.files)
        )

    def as_line(self) -> str:
        """The record as one line of JSON."""
        return json.dumps(asdict(self)) + "\n"


class Site:
    """A gallery's folder: writes what differs, and knows what was written.

    Raises:
        OutputError: for a folder that holds what no gallery has written.
    """

    def __init__(self, place: Path, folder: Path) -> None:
        self.place = place
        self.written = self.unchanged = self.removed = 0
        if os.path.realpath(place) == os.path.realpath(folder):
            raise OutputError(f"{place} is the batch's own folder; name another for the site")
        ours = self._list.is_file() and not self._list.is_symlink()
        if place.is_dir() and any(place.iterdir()) and not ours:
            raise OutputError(
                f"{place} holds other files; name a folder that is new, empty or a gallery"
            )
        place.mkdir(parents=True, exist_ok=True)
        if not ours:
            self._list.touch()
        lines = self._list.read_text(encoding="utf-8", errors="replace").split("\n")
        records = [*filter(None, map(Record.from_line, lines))]
        self.records = {record.slug: record for record in records}
        self._known = {path for record in records for path in record.files}

    @property
    def _list(self) -> Path:
        return self.place / LIST

    @property
    def slugs(self) -> dict[str, str]:
        """The slug of each output that earlier builds have shown."""
        return {record.output: slug for slug, record in self.records.items()}

    def holds(self, record: Record) -> bool:
        """Are the files of a record there?"""
        return all(
            digest_of_file(self.place / path) == known for path, known in record.files.items()
        )

    def announce(self, record: Record) -> None:
        """Say what will be written."""
        with self._list.open("a", encoding="utf-8") as file:
            # What a killed build has cut off stays a line of its own.
            file.write("\n" + record.as_line())

    def put(self, path: str, content: Content) -> None:
        """Write a file, unless it is there already."""
        target = self._checked(path)
        if target.is_symlink():
            target.unlink()
        if is_same(target, content):
            self.unchanged += 1
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        with replacing(target) as temporary:
            if isinstance(content, bytes):
                temporary.write_bytes(content)
            else:
                shutil.copyfile(content, temporary)
        self.written += 1

    def forget_others(self, records: Sequence[Record]) -> None:
        """Remove what was written for other animations than these."""
        for path in self._known.difference(*(record.files for record in records)):
            target = self._checked(path)
            if target.is_file() or target.is_symlink():
                target.unlink()
                self.removed += 1
        for slug in {path.split("/")[0] for path in self._known}:
            for folder in (self.place / slug / FILES, self.place / slug):
                with suppress(OSError):  # there is something in it, or nothing at all
                    folder.rmdir()
        lines = sorted(record.as_line() for record in records)
        if is_same(self._list, "".join(lines).encode()):
            return
        with replacing(self._list) as temporary:
            temporary.write_text("".join(lines), encoding="utf-8")

    def _checked(self, path: str) -> Path:
        # A folder that is a link might lead anywhere.
        for folder in PurePosixPath(path).parents:
            if (self.place / folder).is_symlink() and folder.name:
                raise OutputError(f"{self.place / folder} is a link; remove it")
        return self.place / path


def is_same(target: Path, content: Content) -> bool:
    """Does a file hold these octets?"""
    if not target.is_file() or target.stat().st_size != octets_of(content):
        return False
    if isinstance(content, bytes):
        return target.read_bytes() == content
    return cmp(target, content, shallow=False)


def sum_of_content(content: Content) -> str:
    """The sha256."""
    return digest(content) if isinstance(content, bytes) else digest_of_file(content) or ""


def octets_of(content: Content) -> int:
    """How many octets."""
    return len(content) if isinstance(content, bytes) else content.stat().st_size


def slug_of(name: str) -> str:
    """A short name for addresses and every file system.

    >>> slug_of("Käse & Brot"), slug_of("日本")
    ('kase-brot', 'animation')
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    slug = re.sub("[^a-z0-9]+", "-", plain)[:LONGEST_SLUG].strip("-")
    return f"{slug}-1" if RESERVED.fullmatch(slug) else slug or "animation"


def slugs_for(outputs: Iterable[str], earlier: Mapping[str, str]) -> dict[str, str]:
    """A slug for each output that names an animation.

    One that was given before stays, whatever comes later; where several would have the same, some
    letters that depend on the whole path tell them apart.

    >>> slugs_for(["sun.gif", "zoo/sun.gif"], {"zoo/sun.gif": "sun"})
    {'zoo/sun.gif': 'sun', 'sun.gif': 'sun-0ba1'}
    """
    slugs: dict[str, str] = {}
    for output in sorted(outputs, key=lambda output: (output not in earlier, output)):
        short = slug_of(PurePosixPath(output).stem)
        longer = f"{short}-{digest(output.encode('utf-8', 'replace'))[:4]}"
        names = [earlier.get(output, short), longer], (f"{longer}-{n}" for n in count(2))
        slugs[output] = next(name for name in chain(*names) if name not in slugs.values())
    return slugs
