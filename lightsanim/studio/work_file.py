"""The whole work as one file: a zip of the page's state and all pictures.

Pictures have other ids when it is opened again; what the state calls them is changed with them.
"""

import asyncio
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

from lightsanim.options.values import to_file_stem
from lightsanim.studio.album import MAX_PICTURES, Album, read_chunks
from lightsanim.studio.requests import RefusedError

STATE_NAME = "work.json"

# Bytes of the state.
MAX_STATE_BYTES = 4_000_000


def write_work_file(output: IO[bytes], state: Any, album: Album) -> int:
    """Write a work."""
    pictures = {
        file.path: {
            "id": id,
            "name": file.name,
            "file": f"pictures/{n:03}-{to_file_stem(file.name)}",
        }
        for n, (id, file) in enumerate(album.uploaded_file_by_id.items(), 1)
    }
    work = {"lightsanim": 1, "pictures": [*pictures.values()], "state": state}
    with zipfile.ZipFile(output, "w") as archive:
        archive.writestr(STATE_NAME, json.dumps(work))
        for path, picture in pictures.items():
            archive.write(path, picture["file"])
    size = output.tell()
    output.seek(0)
    return size


async def read_work_file(file: Path, album: Album) -> Any:
    """Read a work: its pictures go into an empty album."""
    ids = {}
    try:
        with await asyncio.to_thread(zipfile.ZipFile, file) as archive:
            with archive.open(STATE_NAME) as reading:
                state = await asyncio.to_thread(reading.read, MAX_STATE_BYTES + 1)
            if len(state) > MAX_STATE_BYTES:  # however large the archive says that it is
                raise RefusedError("this file is larger than the studio holds", 413)
            work = json.loads(state)
            pictures = work["pictures"]
            if work["lightsanim"] != 1 or len(pictures) > MAX_PICTURES:
                raise RefusedError("this file is of another version", 422)
            for picture in pictures:
                chunks = read_chunks(archive.open(str(picture["file"])))
                upload = await album.receive_upload(str(picture["name"]), chunks)
                album.add_upload(upload)
                ids[str(picture["id"])] = upload.file.id
        return _replace_picture_ids(work.get("state"), ids)
    except RefusedError:
        raise
    except Exception:  # damaged in any of many ways
        raise RefusedError("this is no work that the studio saved, or it is damaged", 422) from None


def _replace_picture_ids(value: Any, ids: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return ids.get(value, value)
    if isinstance(value, list):
        return [_replace_picture_ids(item, ids) for item in value]
    if isinstance(value, dict):
        return {ids.get(key, key): _replace_picture_ids(item, ids) for key, item in value.items()}
    return value
