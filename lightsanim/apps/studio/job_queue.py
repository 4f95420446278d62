"""A job queue with named lanes, where a new job supersedes the older job of its lane.

The superseded job gets a short grace period before its process is killed: otherwise a slider that
keeps moving would never show a result.  A spare worker, which has already loaded its libraries,
replaces the killed one without delay.
"""

import asyncio
import multiprocessing
import time
from collections.abc import Coroutine
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lightsanim.system.posix import lower_priority
from lightsanim.system.processes import Worker, WorkerDiedError, stop_workers
from lightsanim.system.progress import REPORT_INTERVAL, Progress, no_progress
from .requests import RefusedError

if TYPE_CHECKING:  # for type checkers only: worker processes need no starlette
    from starlette.requests import Request

MAX_RUNNING = 5  # Maximum number of jobs that run at the same time.
MAX_IDLE = 4  # Maximum number of idle workers: a change needs three, starting one takes a second.
GRACE_SECONDS = 0.4  # Seconds after its start in which a superseded job may finish.
WORKER_NICENESS = 5  # Niceness of workers, so that the server and the browser have priority.


class PendingJob:
    """A job of a lane, waiting or running."""

    def __init__(self) -> None:
        self.is_superseded = False
        self.done = asyncio.Event()
        self.started_at = 0.0
        self.future: asyncio.Future[Any] | None = None

    async def supersede_job(self) -> None:
        """Mark the job as superseded, stop it after the grace period, and wait for its end."""
        self.is_superseded = True
        if self.future is not None:  # otherwise the job has not started, and will not start
            remaining = self.started_at + GRACE_SECONDS - time.monotonic()
            with suppress(TimeoutError):
                await asyncio.wait_for(self.done.wait(), max(0.0, remaining))
            self.future.cancel()
        await self.done.wait()


class WorkerHandle:
    """A worker process, and the pipe through which it sends progress messages."""

    def __init__(self, folder: Path) -> None:
        self._reports, worker_end = multiprocessing.Pipe(duplex=False)
        self.worker = Worker(_start_worker, folder, worker_end)

    def start_job(self, job: tuple[Any, ...]) -> "asyncio.Future[Any]":
        """Start a job, a tuple of name and arguments; return the future of its result."""
        self.relay_progress(no_progress)  # discard messages of the previous job
        return asyncio.wrap_future(self.worker.submit(_run_job, *job))

    def relay_progress(self, progress: Progress) -> None:
        """Call ``progress`` with each message received since the last call."""
        while self._reports.poll():
            progress(*self._reports.recv())


def _start_worker(folder: Path, reports: Connection) -> None:
    lower_priority(WORKER_NICENESS)
    # Imported in workers only, so that the server does not load numpy.
    from .worker import start_worker

    start_worker(folder, reports)


def _run_job(*job: Any) -> Any:
    from .worker import run_job

    return run_job(*job)


class LatestJobQueue:
    """A job queue with named lanes, and the worker processes that run its jobs."""

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
        """Supersede the older job of the lane, then run ``job``, a name followed by arguments."""
        pending, previous = PendingJob(), self._newest.get(lane)
        self._newest[lane] = pending
        try:
            if previous is not None:
                await previous.supersede_job()
            async with self._run_slots:
                if pending.is_superseded:
                    raise RefusedError("superseded by a newer request", 409)
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
            # A superseded job that finished within the grace period still returns its result.
            if future.cancelled():
                raise RefusedError("superseded by a newer request", 409)
            is_reusable = not isinstance(future.exception(), WorkerDiedError)
            return future.result()
        except TimeoutError:
            message = f"the time limit is {seconds:g} seconds; choose fewer cells or pictures"
            raise RefusedError(message, 504) from None
        except WorkerDiedError:
            message = "the worker process died; perhaps there was not enough memory"
            raise RefusedError(message, 500) from None
        finally:
            future.cancel()  # asyncio would print an exception that nobody retrieves
            stopping = self._release_worker(handle, is_reusable)
            pending.done.set()  # a newer job need not wait for the end of the worker
            if not is_reusable:  # but the files of this job must
                await asyncio.shield(stopping)

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

    def _release_worker(self, handle: WorkerHandle, is_reusable: bool) -> "asyncio.Future[None]":
        surplus = [handle]
        if is_reusable:
            self._idle.append(handle)
            surplus, self._idle = self._idle[:-MAX_IDLE], self._idle[-MAX_IDLE:]
        self._start_spare_worker()
        self._handles.difference_update(surplus)
        workers = [handle.worker for handle in surplus]
        return asyncio.get_running_loop().run_in_executor(None, stop_workers, workers)

    def close(self) -> None:
        """Stop all worker processes."""
        stop_workers(handle.worker for handle in self._handles)


async def cancel_on_disconnect(request: "Request", work: Coroutine[Any, Any, Any]) -> Any:
    """Await ``work``; if the client disconnects, cancel it after the grace period."""
    task = asyncio.ensure_future(work)
    disconnect = asyncio.ensure_future(_wait_for_disconnection(request))
    try:
        await asyncio.wait({task, disconnect}, return_when=asyncio.FIRST_COMPLETED)
        if disconnect.done():
            await asyncio.wait({task}, timeout=GRACE_SECONDS)
            if not task.done():
                raise RefusedError("the client disconnected", 499)
        return await task
    finally:
        disconnect.cancel()
        task.cancel()


async def _wait_for_disconnection(request: "Request") -> None:
    # The request's body has been read, so only the disconnection message can follow.
    while (await request.receive())["type"] != "http.disconnect":
        pass
