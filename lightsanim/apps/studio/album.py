"""The uploaded pictures, kept in a temporary folder and limited in number and total size."""

import asyncio
import hashlib
import os
import secrets
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain, count
from pathlib import Path, PurePath
from typing import IO, Any

from lightsanim.pictures.words.table import find_word_by_digest, path_of_file
from .requests import MAX_FILE_BYTES, RefusedError, too_large_error

MAX_TOTAL_BYTES = 2_000_000_000  # maximum total size of all pictures and clips
MAX_PICTURES = 200
MAX_NAME_LENGTH = 150
CHUNK_SIZE = 1_000_000  # bytes read from a file per call


@dataclass(frozen=True, kw_only=True)
class UploadedFile(os.PathLike[str]):
    """An uploaded file: `str` returns the user's file name, `os.fspath` a path in the album."""

    id: str
    name: str  # the file name that the browser sent; never opened as a path
    path: Path
    sha256: str
    is_clip: bool = False

    def __str__(self) -> str:
        return self.name

    def __fspath__(self) -> str:
        return str(self.path)


@dataclass(kw_only=True)
class Upload:
    """An uploaded picture or clip, with its options and what the page shows of it."""

    file: UploadedFile
    page: str | None = None  # ID of the uploading page; None once the page's saved state names it.
    # Width, height and kind (still or clip), set once a worker has read the file.
    facts: Mapping[str, Any] = field(default_factory=dict)
    thumbnail: bytes = b""
    own: Mapping[str, Any] = field(default_factory=dict)  # options from the command line

    @property
    def as_dict(self) -> dict[str, Any]:
        """The JSON object that describes the picture to the page."""
        return {"id": self.file.id, "name": self.file.name, **self.facts, "own": self.own}


class Album:
    """All uploaded pictures, in the order in which they were added."""

    def __init__(self, folder: Path, max_bytes: int = MAX_TOTAL_BYTES) -> None:
        self.folder, self.max_bytes = folder, max_bytes
        self.uploads: dict[str, Upload] = {}
        # File sizes in bytes by picture id, also of files still being received or read.
        self._sizes: dict[str, int] = {}

    @property
    def uploaded_file_by_id(self) -> dict[str, UploadedFile]:
        """The files of all pictures, by picture id."""
        return {id: upload.file for id, upload in self.uploads.items()}

    def find_upload(self, id: str) -> Upload:
        """Return the picture with this id; raise `RefusedError` (404) if there is none."""
        if id not in self.uploads:
            raise RefusedError("the studio no longer has this picture; add it again", 404)
        return self.uploads[id]

    def evict_uploads(self, work: bytes, page: str) -> None:
        """Remove the oldest pictures that neither a page's state nor its last uploads contain."""
        for id, upload in list(self.uploads.items()):
            total = sum(self._sizes.values())
            # Undoing a change may need the pictures in the other half of the album.
            if 2 * total < self.max_bytes and 2 * len(self._sizes) < MAX_PICTURES:
                return
            # A page names new pictures only after a whole group.
            if id.encode() not in work and upload.page != page:
                self.remove_upload(id)

    def mark_named_uploads(self, work: bytes) -> None:
        """Clear `Upload.page` of the pictures that the page's state ``work`` names."""
        for id, upload in self.uploads.items():
            if id.encode() in work:
                upload.page = None

    async def receive_upload(
        self, name: str, chunks: AsyncIterator[bytes], page: str | None = None
    ) -> Upload:
        """Store a picture's bytes; `add_upload` adds the picture once a worker has read it."""
        if len(self._sizes) >= MAX_PICTURES:
            raise RefusedError(f"the limit is {MAX_PICTURES} pictures; remove some first", 413)
        id = secrets.token_hex(8)
        path, digest = self.folder / f"{id}.picture", hashlib.sha256()
        self._sizes[id] = 0
        try:
            with path.open("xb") as writing:
                async for chunk in chunks:
                    self._sizes[id] += len(chunk)
                    if self._sizes[id] > MAX_FILE_BYTES:
                        raise too_large_error(MAX_FILE_BYTES)
                    if sum(self._sizes.values()) > self.max_bytes:
                        total = f"{self.max_bytes // 10**6} MB"
                        raise RefusedError(f"the limit is {total} in all; remove some", 413)
                    digest.update(chunk)
                    writing.write(chunk)
            if not self._sizes[id]:
                raise RefusedError(f"{display_name(name)} is empty", 422)
        except BaseException:
            self.remove_upload(id)
            raise
        sha256 = digest.hexdigest()
        # Only a file with the content of a word may have the word as its name.
        new_name = find_word_by_digest(sha256, name) or display_name(name)
        return Upload(file=UploadedFile(id=id, name=new_name, path=path, sha256=sha256), page=page)

    def add_upload(self, upload: Upload) -> None:
        """Add a picture that a worker has read; number its name if a different picture has it."""
        file, path = upload.file, PurePath(upload.file.name)
        used = {p.file.name for p in self.uploads.values() if p.file.sha256 != file.sha256}
        numbered = (f"{path.stem}-{number}{path.suffix}" for number in count(2))
        name = next(name for name in chain([file.name], numbered) if name not in used)
        upload.file = replace(file, name=name)
        self.uploads[file.id] = upload

    def remove_upload(self, id: str) -> None:
        """Remove a picture, its file and all files derived from it."""
        self.uploads.pop(id, None)
        self._sizes.pop(id, None)
        self.remove_files(id)

    def remove_files(self, stem: str) -> None:
        """Remove all files in the folder whose names begin with ``stem``."""
        for path in self.folder.glob(f"{stem}*"):
            path.unlink(missing_ok=True)

    def clear_uploads(self) -> None:
        """Remove all pictures except those that are still being received or read."""
        for id in list(self.uploads):
            self.remove_upload(id)

    def take_over_uploads(self, album: "Album") -> None:
        """Replace all pictures with those of another album that uses the same folder."""
        self.clear_uploads()
        self.uploads.update(album.uploads)
        self._sizes.update(album._sizes)


def display_name(name: str) -> str:
    r"""Return a safe form of a file name: without folders, all printable, of limited length.

    >>> display_name("C:\\faces\\me.png"), display_name("../../a\nb.png"), display_name("")
    ('me.png', 'a-b.png', 'picture.png')
    """
    name = name.replace("\\", "/").rstrip("/").split("/")[-1]
    name = "".join(c if c.isprintable() else "-" for c in name).strip()
    stem, suffix = PurePath(name).stem, PurePath(name).suffix
    suffix = suffix if len(suffix) < 20 else ""
    name = stem[: MAX_NAME_LENGTH - len(suffix)] + suffix
    return "picture.png" if name in ("", ".", "..") else path_of_file(name)


async def read_chunks(file: IO[bytes]) -> AsyncIterator[bytes]:
    """Yield the rest of a file in chunks; close the file at the end or when cancelled."""
    with file:
        while chunk := await asyncio.to_thread(file.read, CHUNK_SIZE):
            yield chunk
