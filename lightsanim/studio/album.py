"""The pictures that the studio holds: their bytes in a folder that goes away."""

import asyncio
import hashlib
import os
import secrets
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain, count
from pathlib import Path, PurePath
from typing import IO, Any

from lightsanim.options.choices import WORD_PREFIXES
from lightsanim.pictures.sample_pictures import sample_of
from lightsanim.studio.requests import MOST_BYTES, RefusedError, too_large

# Bytes of all pictures and clips, and how many there may be.
MOST_HELD = 2_000_000_000
MOST_PICTURES = 200

# Characters of a name.
LONGEST_NAME = 150

PASTED = "picture.png"

# Bytes that are read at a time.
PIECE = 1_000_000


@dataclass(frozen=True, kw_only=True)
class Held(os.PathLike[str]):
    """A picture file that was dropped: its name is the user's, its place is ours.

    >>> held = Held(id="1", name="dance.mp4", file=Path("1.picture"), sha256="")
    >>> str(held), os.fspath(held)
    ('dance.mp4', '1.picture')
    """

    id: str  # in addresses
    name: str  # what the user calls it; a label, never a path of this machine that is opened
    file: Path  # where its bytes are
    sha256: str  # of them
    moves: bool = False  # whether it is a clip

    def __str__(self) -> str:
        return self.name

    def __fspath__(self) -> str:
        return str(self.file)


@dataclass(kw_only=True)
class Photo:
    """A picture of the album."""

    held: Held  # what workers are told of it
    page: str | None = None  # the page that dropped it, until a work names it
    # What is known since it was read: its sides, and whether it moves.
    facts: Mapping[str, Any] = field(default_factory=dict)
    thumb: bytes = b""  # a JPEG for the page
    own: Mapping[str, Any] = field(default_factory=dict)  # options of its own that it came with

    @property
    def as_dict(self) -> dict[str, Any]:
        """The picture as the page knows it."""
        return {"id": self.held.id, "name": self.held.name, **self.facts, "own": self.own}


class Album:
    """All pictures, by their ids, in the order in which they came."""

    def __init__(self, folder: Path, max_bytes: int = MOST_HELD) -> None:
        self.folder, self.max_bytes = folder, max_bytes
        self.photos: dict[str, Photo] = {}
        # Bytes by id, also of files that are under way, and of those that are being read.
        self._sizes: dict[str, int] = {}

    @property
    def held(self) -> dict[str, Held]:
        """What workers are told of each."""
        return {id: photo.held for id, photo in self.photos.items()}

    def photo(self, id: str) -> Photo:
        """The picture of this id."""
        if id not in self.photos:
            raise RefusedError("this picture is not here any more; drop it again", 404)
        return self.photos[id]

    def make_room(self, work: bytes, page: str) -> None:
        """Forget the oldest pictures that a work does not name, where half of the room is taken.

        Until then an undo, on any page, brings them back.  A page names what it drops after the
        last file of a drop; what it has not named yet is kept.
        """
        for id, photo in list(self.photos.items()):
            held = sum(self._sizes.values())
            if 2 * held < self.max_bytes and 2 * len(self._sizes) < MOST_PICTURES:
                return
            if id.encode() not in work and photo.page != page:
                self.remove(id)

    def mark_named(self, work: bytes) -> None:
        """A page has named pictures in its work."""
        for id, photo in self.photos.items():
            if id.encode() in work:
                photo.page = None

    async def receive(
        self, name: str, chunks: AsyncIterator[bytes], page: str | None = None
    ) -> Photo:
        """Take a picture's bytes; it is added to the album when it was read, by `add`."""
        if len(self._sizes) >= MOST_PICTURES:
            raise RefusedError(f"there are {MOST_PICTURES} pictures, the most; remove some", 413)
        id = secrets.token_hex(8)
        file, digest = self.folder / f"{id}.picture", hashlib.sha256()
        self._sizes[id] = 0
        try:
            with file.open("xb") as writing:
                async for chunk in chunks:
                    self._sizes[id] += len(chunk)
                    self._check_room(id)
                    digest.update(chunk)
                    writing.write(chunk)
            if not self._sizes[id]:
                raise RefusedError(f"{label(name)} is empty", 422)
        except BaseException:
            self.remove(id)
            raise
        sha256 = digest.hexdigest()
        called = sample_of(sha256) or label(name)
        return Photo(held=Held(id=id, name=called, file=file, sha256=sha256), page=page)

    def _check_room(self, id: str) -> None:
        if self._sizes[id] > MOST_BYTES:
            raise too_large(MOST_BYTES)
        if sum(self._sizes.values()) > self.max_bytes:
            raise RefusedError(
                f"the studio holds {self.max_bytes // 10**6} MB at most; remove some", 413
            )

    def _free_name(self, held: Held) -> str:
        # Commands name pictures, so two that differ have two names.
        taken = {p.held.name for p in self.photos.values() if p.held.sha256 != held.sha256}
        path = PurePath(held.name)
        others = (f"{path.stem}-{number}{path.suffix}" for number in count(2))
        return next(name for name in chain([held.name], others) if name not in taken)

    def add(self, photo: Photo) -> None:
        """Show a picture that was read, under a name of its own."""
        photo.held = replace(photo.held, name=self._free_name(photo.held))
        self.photos[photo.held.id] = photo

    def remove(self, id: str) -> None:
        """Forget a picture, and what was made of its bytes."""
        self.photos.pop(id, None)
        self._sizes.pop(id, None)
        for file in self.folder.glob(f"{id}*"):
            file.unlink(missing_ok=True)

    def clear(self) -> None:
        """Forget all pictures, but for those that are being received or read."""
        for id in list(self.photos):
            self.remove(id)

    def replace_with(self, other: "Album") -> None:
        """Hold the pictures of another album in the same folder instead."""
        self.clear()
        self.photos.update(other.photos)
        self._sizes.update(other._sizes)


def label(name: str) -> str:
    r"""A file's name as it is shown: without folders, on one line, and not too long.

    >>> label("C:\\faces\\me.png"), label("../../a\nb.png"), label("")
    ('me.png', 'a-b.png', 'picture.png')
    """
    name = name.replace("\\", "/").rstrip("/").split("/")[-1]
    name = "".join(c if c.isprintable() else "-" for c in name).strip()
    stem, suffix = PurePath(name).stem, PurePath(name).suffix
    suffix = suffix if len(suffix) < 20 else ""
    name = stem[: LONGEST_NAME - len(suffix)] + suffix
    if name.startswith(WORD_PREFIXES):
        return f"./{name}"
    return PASTED if name in ("", ".", "..") else name


async def pieces_of(file: IO[bytes]) -> AsyncIterator[bytes]:
    """The rest of a file, which is closed then, also where nobody waits for it any more."""
    with file:
        while piece := await asyncio.to_thread(file.read, PIECE):
            yield piece
