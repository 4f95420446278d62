"""Films that are being written to files, for the browser to fetch."""

import asyncio
import json
import secrets
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from lightsanim.studio.requests import RefusedError

# Saves whose files are kept, and seconds between two signs of life.
MAX_SAVES = 8
HEARTBEAT_SECONDS = 15.0


class SaveJob:
    """Files that are being written, and how far they are."""

    def __init__(self, folder: Path) -> None:
        self.id = secrets.token_hex(8)
        self.folder = folder / f"save-{self.id}"
        self.folder.mkdir()
        self.files: list[str] = []
        self.task: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()
        self.on_progress("", 0, "")

    @property
    def has_ended(self) -> bool:
        """Are its files there, or will never be?"""
        return self._event[0] != "progress"

    def on_progress(self, stage: str, share: float, note: str) -> None:
        """How far it is: see `lightsanim.system.progress.Progress`."""
        self.publish_event("progress", {"stage": stage, "share": share, "note": note})

    def publish_event(self, kind: str, facts: dict[str, Any]) -> None:
        """Tell whoever listens; what is older than this is not told any more."""
        self._event: tuple[str, dict[str, Any]] = kind, facts
        previous = self._changed
        self._changed = asyncio.Event()
        previous.set()

    def mark_finished(self, files: list[str], notes: list[str]) -> None:
        """The files are there."""
        self.files = files
        facts = [
            {
                "name": name,
                "bytes": (self.folder / name).stat().st_size,
                "url": f"saves/{self.id}/{quote(name)}",
            }
            for name in files
        ]
        self.publish_event("done", {"files": facts, "notes": notes})

    async def stream_events(self) -> AsyncIterator[str]:
        """Server-sent events, until it has ended."""
        while True:
            changed, (kind, facts) = self._changed, self._event
            yield f"event: {kind}\ndata: {json.dumps(facts)}\n\n"
            if kind != "progress":
                return
            while not changed.is_set():
                try:
                    await asyncio.wait_for(changed.wait(), HEARTBEAT_SECONDS)
                except TimeoutError:
                    yield ": still here\n\n"


class SaveJobs:
    """All saves, by their ids."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._saves: dict[str, SaveJob] = {}

    def create_save(self) -> SaveJob:
        """Another one; of those that have ended only the last are kept."""
        finished = [save for save in self._saves.values() if save.has_ended]
        if len(self._saves) - len(finished) >= MAX_SAVES:
            raise RefusedError("too many files are being written; wait a little", 503)
        for old in finished[: max(0, len(self._saves) + 1 - MAX_SAVES)]:
            self.remove_save(old.id)
        save = SaveJob(self._folder)
        self._saves[save.id] = save
        return save

    def find_save(self, id: str) -> SaveJob:
        """The save of this id."""
        if id not in self._saves:
            raise RefusedError("these files are not here any more; save again", 404)
        return self._saves[id]

    def remove_save(self, id: str) -> None:
        """Stop a save, and remove its files."""
        save = self.find_save(id)
        if save.task is not None:
            save.task.cancel()
        shutil.rmtree(save.folder, ignore_errors=True)
        del self._saves[id]
