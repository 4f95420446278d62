"""Saves: films that a worker writes to files, which the browser then downloads."""

import asyncio
import json
import secrets
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from .requests import RefusedError

MAX_RUNNING = 2  # Maximum number of saves that run; others wait, so that people need not.
MAX_SAVES = 8  # Maximum number of saves; the oldest finished saves are removed.
HEARTBEAT_SECONDS = 15.0  # Seconds between comments that keep an idle event stream open.


class SaveJob:
    """A film being saved: its files in a temporary folder, and its latest progress event."""

    def __init__(self, folder: Path) -> None:
        self.id = secrets.token_hex(8)
        self.folder = folder / f"save-{self.id}"
        self.folder.mkdir()
        self.files: list[str] = []
        self.task: asyncio.Task[None]  # it ends when no worker writes to the folder any more
        self._changed = asyncio.Event()
        self.on_progress("waiting", 0, "")

    @property
    def has_ended(self) -> bool:
        """Whether the files are finished, or writing them has failed."""
        return self._event[0] != "progress"

    def on_progress(self, stage: str, share: float, note: str) -> None:
        """Publish the progress of a stage; see `lightsanim.system.progress.Progress`."""
        self.publish_event("progress", {"stage": stage, "share": share, "note": note})

    def publish_event(self, kind: str, facts: dict[str, Any]) -> None:
        """Replace the latest event, and send it on all open streams."""
        self._event: tuple[str, dict[str, Any]] = kind, facts
        previous = self._changed
        self._changed = asyncio.Event()
        previous.set()

    def mark_finished(self, files: list[str], notes: list[str]) -> None:
        """Publish the names, sizes and URLs of the finished files."""
        self.files, url = files, f"saves/{self.id}/"
        sizes = {name: (self.folder / name).stat().st_size for name in files}
        facts = [{"name": n, "bytes": size, "url": url + quote(n)} for n, size in sizes.items()]
        self.publish_event("done", {"files": facts, "notes": notes})

    async def stream_events(self) -> AsyncIterator[str]:
        """Yield server-sent events until the save has ended."""
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
    """All running and finished saves, by id."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._saves: dict[str, SaveJob] = {}
        self.run_slots = asyncio.Semaphore(MAX_RUNNING)

    def create_save(self) -> SaveJob:
        """Create a save; if there are too many, remove the oldest finished saves."""
        finished = [save for save in self._saves.values() if save.has_ended]
        if len(self._saves) - len(finished) >= MAX_SAVES:
            raise RefusedError("too many saves are running; wait for one to finish", 503)
        for old in finished[: max(0, len(self._saves) + 1 - MAX_SAVES)]:
            self.remove_save(old.id)
        save = SaveJob(self._folder)
        self._saves[save.id] = save
        return save

    def find_save(self, id: str) -> SaveJob:
        """Return the save with this id; raise `RefusedError` (404) if there is none."""
        if id not in self._saves:
            raise RefusedError("the studio no longer has these files; save again", 404)
        return self._saves[id]

    def remove_save(self, id: str) -> None:
        """Stop a save, and remove its files."""
        save = self.find_save(id)
        del self._saves[id]
        save.task.cancel()
        save.task.add_done_callback(lambda _: shutil.rmtree(save.folder, ignore_errors=True))
        save.publish_event("failed", RefusedError("the save was cancelled").as_dict)
