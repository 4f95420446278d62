"""The whole work as one file: a zip of the page's state and all pictures.

Pictures have other ids when it is opened again; what the state calls them is changed with them.
"""

import asyncio
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

from lightsanim.options.values import file_stem
from lightsanim.studio.album import MOST_PICTURES, Album, pieces_of
from lightsanim.studio.requests import RefusedError

WORK = "work.json"

# Bytes of the state.
MOST_STATE = 4_000_000


def write_work(file: IO[bytes], state: Any, album: Album) -> int:
    """Write a work."""
    pictures = {
        held.file: {"id": id, "name": held.name, "file": f"pictures/{n:03}-{file_stem(held.name)}"}
        for n, (id, held) in enumerate(album.held.items(), 1)
    }
    work = {"lightsanim": 1, "pictures": [*pictures.values()], "state": state}
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(WORK, json.dumps(work))
        for path, picture in pictures.items():
            archive.write(path, picture["file"])
    size = file.tell()
    file.seek(0)
    return size


async def read_work(file: Path, album: Album) -> Any:
    """Read a work: its pictures go into an empty album."""
    ids = {}
    try:
        with await asyncio.to_thread(zipfile.ZipFile, file) as archive:
            with archive.open(WORK) as reading:
                state = await asyncio.to_thread(reading.read, MOST_STATE + 1)
            if len(state) > MOST_STATE:  # however large the archive says that it is
                raise RefusedError("this file is larger than the studio holds", 413)
            work = json.loads(state)
            pictures = work["pictures"]
            if work["lightsanim"] != 1 or len(pictures) > MOST_PICTURES:
                raise RefusedError("this file is of another version", 422)
            for picture in pictures:
                pieces = pieces_of(archive.open(str(picture["file"])))
                photo = await album.receive(str(picture["name"]), pieces)
                album.add(photo)
                ids[str(picture["id"])] = photo.held.id
        return _renamed(work.get("state"), ids)
    except RefusedError:
        raise
    except Exception:  # damaged in any of many ways
        raise RefusedError("this is no work that the studio saved, or it is damaged", 422) from None


def _renamed(value: Any, ids: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return ids.get(value, value)
    if isinstance(value, list):
        return [_renamed(item, ids) for item in value]
    if isinstance(value, dict):
        return {ids.get(key, key): _renamed(item, ids) for key, item in value.items()}
    return value
