"""Project files: zip archives of the page's state (``work.json``) and all pictures.

When a file is opened, its pictures get new ids, which replace the old ids in the state.
"""

import asyncio
import json
import os
import struct
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

from lightsanim.options.legacy import modernize_record
from lightsanim.options.values import to_file_stem
from .album import MAX_PICTURES, Album, read_chunks
from .requests import RefusedError

STATE_NAME = "work.json"
MAX_STATE_BYTES = 4_000_000  # maximum size of the page's state, as JSON, and of the zip's directory
# With another method of zip, `ZipFile` may need gigabytes of memory for a few bytes of the archive.
METHODS = zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED


def write_work_file(output: IO[bytes], state: Any, album: Album) -> int:
    """Write a project file, rewind it, and return its size in bytes."""
    files = album.uploaded_file_by_id.values()
    pictures = [
        {"id": file.id, "name": file.name, "file": f"pictures/{n:03}-{to_file_stem(file.name)}"}
        for n, file in enumerate(files, 1)
    ]
    work = {"lightsanim": 1, "pictures": pictures, "state": state}
    with zipfile.ZipFile(output, "w") as archive:
        archive.writestr(STATE_NAME, json.dumps(work))
        for file, picture in zip(files, pictures, strict=True):
            archive.write(file, picture["file"])
    size = output.tell()
    output.seek(0)
    return size


async def read_work_file(file: Path, album: Album) -> Any:
    """Add a project file's pictures to an empty album; return the state, with their new ids."""
    ids = {}
    try:
        # `ZipFile` reads the whole directory, whose size is in the last 22 bytes.  The 20 bytes
        # before them may lead to a larger size (APPNOTE.TXT, sections 4.3.15 and 4.3.16).
        with file.open("rb") as reading:
            reading.seek(-42, os.SEEK_END)
            locator, end, size = struct.unpack("<4s16x4s8xL6x", reading.read())
        if locator == b"PK\6\7" or end != b"PK\5\6" or size > MAX_STATE_BYTES:
            raise ValueError("the directory is too large")
        with zipfile.ZipFile(file) as archive:
            if any(member.compress_type not in METHODS for member in archive.infolist()):
                raise ValueError("the members are packed in a way that studios never use")
            with archive.open(STATE_NAME) as reading:
                state = await asyncio.to_thread(reading.read, MAX_STATE_BYTES + 1)
            if len(state) > MAX_STATE_BYTES:  # the size stated in the archive may be false
                raise RefusedError("this project is too large for the studio", 413)
            work = json.loads(state)
            pictures = work["pictures"]
            if work["lightsanim"] != 1 or len(pictures) > MAX_PICTURES:
                message = "this project needs another version of lightsanim"
                raise RefusedError(message, 422)
            for picture in pictures:
                chunks = read_chunks(archive.open(str(picture["file"])))
                upload = await album.receive_upload(str(picture["name"]), chunks)
                album.add_upload(upload)
                ids[str(picture["id"])] = upload.file.id
        new_state = _modernize_looks(_replace_picture_ids(work.get("state"), ids))
        # Raises an error for numbers and texts that JSON cannot hold.
        json.dumps(new_state, allow_nan=False, ensure_ascii=False).encode()
        return new_state
    except RefusedError:
        raise
    except Exception:  # a damaged archive can raise any error
        raise RefusedError("this file is not a studio project, or it is damaged", 422) from None


def _modernize_looks(state: Any) -> Any:
    # Renames the options in a project of version 1.0.
    looks = state.get("looks", {}) if isinstance(state, dict) else {}
    for look in filter(None, looks.values()):
        look["values"] = modernize_record(look["values"])
        look["own"] = {id: modernize_record(own) for id, own in look.get("own", {}).items()}
    return state


def _replace_picture_ids(value: Any, ids: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return ids.get(value, value)
    if isinstance(value, list):
        return [_replace_picture_ids(item, ids) for item in value]
    if isinstance(value, dict):
        return {ids.get(key, key): _replace_picture_ids(item, ids) for key, item in value.items()}
    return value
