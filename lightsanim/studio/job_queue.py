"""Of each kind of work the newest alone: ten fast changes leave one job running.

A newer job of the same lane puts the one before it out of date.  That gets a little time to end by
itself, since a process that is killed with every movement of a slider would never show anything;
then it is killed.  What takes its place has been started before and has its libraries loaded, so
nobody waits for it.
"""

import asyncio
import multiprocessing
import os
import time
from collections.abc import Coroutine
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lightsanim.studio.requests import RefusedError
from lightsanim.system.processes import DEATH_ERRORS, Worker, stop_workers
from lightsanim.system.progress import REPORT_INTERVAL, Progress, no_progress

if TYPE_CHECKING:  # workers get along without it
    from starlette.requests import Request

# Processes at work at a time, and those that wait for work.
MAX_RUNNING = 5
MAX_IDLE = 2

# Seconds that a job which is out of date may have run in all.
GRACE_SECONDS = 0.4

# By how much workers stand behind the page and the browser, as ``nice`` counts.
WORKER_NICENESS = 5


class PendingJob:
    """One job of a lane."""

    def __init__(self) -> None:
        self.is_superseded = False
        self.done = asyncio.Event()
        self.started_at = 0.0
        self.future: asyncio.Future[Any] | None = None

    async def supersede_job(self) -> None:
        """Put the job out of date, and wait until it has ended."""
        self.is_superseded = True
        if self.future is not None:  # otherwise it will not begin
            remaining = self.started_at + GRACE_SECONDS - time.monotonic()
            with suppress(TimeoutError):
                await asyncio.wait_for(self.done.wait(), max(0.0, remaining))
            self.future.cancel()
        await self.done.wait()


class WorkerHandle:
    """A worker, and what it tells of its job."""

    def __init__(self, folder: Path) -> None:
        self._reports, worker_end = multiprocessing.Pipe(duplex=False)
        self.worker = Worker(_start_worker, folder, worker_end)

    def start_job(self, job: tuple[Any, ...]) -> "asyncio.Future[Any]":
        """Begin a job, a name and arguments: what it will be answered."""
        self.relay_progress(no_progress)  # what is left of the job before
        return asyncio.wrap_future(self.worker.submit(_run_job, *job))

    def relay_progress(self, progress: Progress) -> None:
        """Tell what is new of the job."""
        while self._reports.poll():
            progress(*self._reports.recv())


def _start_worker(folder: Path, reports: Connection) -> None:
    if hasattr(os, "nice"):
        os.nice(WORKER_NICENESS)
    # The server itself gets along without numpy.
    from lightsanim.studio.worker import start_worker

    start_worker(folder, reports)


def _run_job(*job: Any) -> Any:
    from lightsanim.studio.worker import run_job

    return run_job(*job)


class LatestJobQueue:
    """Lanes of jobs, by name, and the processes that do them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._newest: dict[str, PendingJob] = {}
        self._run_slots = asyncio.Semaphore(MAX_RUNNING)
        self._handles: set[WorkerHandle] = set()
        self._idle: list[WorkerHandle] = []
        self._start_spare_worker()

    async def run_job(
        self, lane: str, *job: Any, seconds: float, on_progress: Progress = no_progress
    ) -> Any:
        """Do a job, a name and arguments, once those of its lane that came before have ended.

        When this is cancelled, nobody waits for the job any more: it is stopped.
        """
        pending, previous = PendingJob(), self._newest.get(lane)
        self._newest[lane] = pending
        try:
            if previous is not None:
                await previous.supersede_job()
            async with self._run_slots:
                if pending.is_superseded:
                    raise RefusedError("out of date", 409)
                return await self._run_in_worker(pending, job, seconds, on_progress)
        finally:
            pending.done.set()
            if self._newest.get(lane) is pending:
                del self._newest[lane]

    async def _run_in_worker(
        self, pending: PendingJob, job: tuple[Any, ...], seconds: float, on_progress: Progress
    ) -> Any:
        handle, is_reusable = self._take_idle_worker(), False
        future = pending.future = handle.start_job(job)
        pending.started_at = time.monotonic()
        try:
            async with asyncio.timeout(seconds):
                while not future.done():
                    await asyncio.wait({future}, timeout=REPORT_INTERVAL)
                    handle.relay_progress(on_progress)
            # What is done in time is shown, also while a slider moves on.
            if future.cancelled():
                raise RefusedError("out of date", 409)
            is_reusable = not isinstance(future.exception(), DEATH_ERRORS)
            return future.result()
        except TimeoutError:
            raise RefusedError(
                f"this takes more than {seconds:g} seconds; take less", 504
            ) from None
        except DEATH_ERRORS:
            raise RefusedError("the work broke off; is there memory enough for it?", 500) from None
        finally:
            self._release_worker(handle, is_reusable)

    def _take_idle_worker(self) -> WorkerHandle:
        self._idle = [handle for handle in self._idle if handle.worker.is_alive]
        self._start_spare_worker()
        handle = self._idle.pop()
        self._start_spare_worker()
        return handle

    def _start_spare_worker(self) -> None:
        if not self._idle:
            self._idle.append(WorkerHandle(self._folder))
            self._handles.update(self._idle)

    def _release_worker(self, handle: WorkerHandle, is_reusable: bool) -> None:
        surplus = [handle]
        if is_reusable:
            self._idle.append(handle)
            surplus, self._idle = self._idle[:-MAX_IDLE], self._idle[-MAX_IDLE:]
        self._start_spare_worker()
        self._handles.difference_update(surplus)
        workers = [handle.worker for handle in surplus]
        asyncio.get_running_loop().run_in_executor(None, stop_workers, workers)

    def close(self) -> None:
        """End all processes."""
        stop_workers(handle.worker for handle in self._handles)


async def cancel_on_disconnect(request: "Request", work: Coroutine[Any, Any, Any]) -> Any:
    """Work for a request; where nobody waits for it any more, it is stopped after a little time."""
    task, disconnect = (
        asyncio.ensure_future(work),
        asyncio.ensure_future(_wait_for_disconnection(request)),
    )
    try:
        await asyncio.wait({task, disconnect}, return_when=asyncio.FIRST_COMPLETED)
        if disconnect.done():
            await asyncio.wait({task}, timeout=GRACE_SECONDS)
            if not task.done():
                raise RefusedError("nobody waits for this any more", 499)
        return await task
    finally:
        disconnect.cancel()
        task.cancel()


async def _wait_for_disconnection(request: "Request") -> None:
    # The body was read: what comes now is the end of the connection.
    while (await request.receive())["type"] != "http.disconnect":
        pass
