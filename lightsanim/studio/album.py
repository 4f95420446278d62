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
from lightsanim.pictures.sample_pictures import find_sample_by_digest
from lightsanim.studio.requests import MAX_FILE_BYTES, RefusedError, too_large_error

# Bytes of all pictures and clips, and how many there may be.
MAX_TOTAL_BYTES = 2_000_000_000
MAX_PICTURES = 200

# Characters of a name.
MAX_NAME_LENGTH = 150

# Bytes that are read at a time.
CHUNK_SIZE = 1_000_000


@dataclass(frozen=True, kw_only=True)
class UploadedFile(os.PathLike[str]):
    """A picture file that was dropped: its name is the user's, its place is ours.

    >>> file = UploadedFile(id="1", name="dance.mp4", path=Path("1.picture"), sha256="")
    >>> str(file), os.fspath(file)
    ('dance.mp4', '1.picture')
    """

    id: str  # in addresses
    name: str  # what the user calls it; a label, never a path of this machine that is opened
    path: Path  # where its bytes are
    sha256: str  # of them
    is_clip: bool = False  # whether it is a clip

    def __str__(self) -> str:
        return self.name

    def __fspath__(self) -> str:
        return str(self.path)


@dataclass(kw_only=True)
class Upload:
    """A picture of the album."""

    file: UploadedFile  # what workers are told of it
    page: str | None = None  # the page that dropped it, until a work names it
    # What is known since it was read: its sides, and whether it moves.
    facts: Mapping[str, Any] = field(default_factory=dict)
    thumbnail: bytes = b""  # a JPEG for the page
    own: Mapping[str, Any] = field(default_factory=dict)  # options of its own that it came with

    @property
    def as_dict(self) -> dict[str, Any]:
        """The picture as the page knows it."""
        return {"id": self.file.id, "name": self.file.name, **self.facts, "own": self.own}


class Album:
    """All pictures, by their ids, in the order in which they came."""

    def __init__(self, folder: Path, max_bytes: int = MAX_TOTAL_BYTES) -> None:
        self.folder, self.max_bytes = folder, max_bytes
        self.uploads: dict[str, Upload] = {}
        # Bytes by id, also of files that are under way, and of those that are being read.
        self._sizes: dict[str, int] = {}

    @property
    def uploaded_file_by_id(self) -> dict[str, UploadedFile]:
        """What workers are told of each."""
        return {id: upload.file for id, upload in self.uploads.items()}

    def find_upload(self, id: str) -> Upload:
        """The picture of this id."""
        if id not in self.uploads:
            raise RefusedError("this picture is not here any more; drop it again", 404)
        return self.uploads[id]

    def evict_uploads(self, work: bytes, page: str) -> None:
        """Forget the oldest pictures that a work does not name, where half of the room is taken.

        Until then an undo, on any page, brings them back.  A page names what it drops after the
        last file of a drop; what it has not named yet is kept.
        """
        for id, upload in list(self.uploads.items()):
            total = sum(self._sizes.values())
            if 2 * total < self.max_bytes and 2 * len(self._sizes) < MAX_PICTURES:
                return
            if id.encode() not in work and upload.page != page:
                self.remove_upload(id)

    def mark_named_uploads(self, work: bytes) -> None:
        """A page has named pictures in its work."""
        for id, upload in self.uploads.items():
            if id.encode() in work:
                upload.page = None

    async def receive_upload(
        self, name: str, chunks: AsyncIterator[bytes], page: str | None = None
    ) -> Upload:
        """Take a picture's bytes; it is added to the album when it was read, by `add_upload`."""
        if len(self._sizes) >= MAX_PICTURES:
            raise RefusedError(f"there are {MAX_PICTURES} pictures, the most; remove some", 413)
        id = secrets.token_hex(8)
        path, digest = self.folder / f"{id}.picture", hashlib.sha256()
        self._sizes[id] = 0
        try:
            with path.open("xb") as writing:
                async for chunk in chunks:
                    self._sizes[id] += len(chunk)
                    self._check_limits(id)
                    digest.update(chunk)
                    writing.write(chunk)
            if not self._sizes[id]:
                raise RefusedError(f"{display_name(name)} is empty", 422)
        except BaseException:
            self.remove_upload(id)
            raise
        sha256 = digest.hexdigest()
        new_name = find_sample_by_digest(sha256) or display_name(name)
        return Upload(file=UploadedFile(id=id, name=new_name, path=path, sha256=sha256), page=page)

    def _check_limits(self, id: str) -> None:
        if self._sizes[id] > MAX_FILE_BYTES:
            raise too_large_error(MAX_FILE_BYTES)
        if sum(self._sizes.values()) > self.max_bytes:
            raise RefusedError(
                f"the studio holds {self.max_bytes // 10**6} MB at most; remove some", 413
            )

    def _unused_display_name(self, file: UploadedFile) -> str:
        # Commands name pictures, so two that differ have two names.
        used = {p.file.name for p in self.uploads.values() if p.file.sha256 != file.sha256}
        path = PurePath(file.name)
        numbered = (f"{path.stem}-{number}{path.suffix}" for number in count(2))
        return next(name for name in chain([file.name], numbered) if name not in used)

    def add_upload(self, upload: Upload) -> None:
        """Show a picture that was read, under a name of its own."""
        upload.file = replace(upload.file, name=self._unused_display_name(upload.file))
        self.uploads[upload.file.id] = upload

    def remove_upload(self, id: str) -> None:
        """Forget a picture, and what was made of its bytes."""
        self.uploads.pop(id, None)
        self._sizes.pop(id, None)
        for path in self.folder.glob(f"{id}*"):
            path.unlink(missing_ok=True)

    def clear_uploads(self) -> None:
        """Forget all pictures, but for those that are being received or read."""
        for id in list(self.uploads):
            self.remove_upload(id)

    def take_over_uploads(self, album: "Album") -> None:
        """Hold the pictures of another album in the same folder instead."""
        self.clear_uploads()
        self.uploads.update(album.uploads)
        self._sizes.update(album._sizes)


def display_name(name: str) -> str:
    r"""A file's name as it is shown: without folders, on one line, and not too long.

    >>> display_name("C:\\faces\\me.png"), display_name("../../a\nb.png"), display_name("")
    ('me.png', 'a-b.png', 'picture.png')
    """
    name = name.replace("\\", "/").rstrip("/").split("/")[-1]
    name = "".join(c if c.isprintable() else "-" for c in name).strip()
    stem, suffix = PurePath(name).stem, PurePath(name).suffix
    suffix = suffix if len(suffix) < 20 else ""
    name = stem[: MAX_NAME_LENGTH - len(suffix)] + suffix
    if name.startswith(WORD_PREFIXES):
        return f"./{name}"
    return "picture.png" if name in ("", ".", "..") else name


async def read_chunks(file: IO[bytes]) -> AsyncIterator[bytes]:
    """The rest of a file, which is closed then, also where nobody waits for it any more."""
    with file:
        while chunk := await asyncio.to_thread(file.read, CHUNK_SIZE):
            yield chunk
