"""A job queue with named lanes, where a new job supersedes the older job of its lane.

The superseded job gets a short grace period before its process is killed: otherwise a slider that
keeps moving would never show a result.  A spare worker, which has already loaded its libraries,
replaces the killed one without delay.
"""

import asyncio
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from lightsanim.system.posix import lower_priority
from lightsanim.system.processes import Worker, WorkerDiedError, stop_workers
from lightsanim.system.progress import Progress, no_progress
from .requests import RefusedError, to_refusal

P = ParamSpec("P")
Answer = TypeVar("Answer")

MAX_RUNNING = 5  # Maximum number of jobs that run at the same time.
MAX_IDLE = 4  # Maximum number of idle workers: a change needs three, starting one takes a second.
SUPERSEDED = "superseded by a newer request"
GRACE_SECONDS = 0.4  # Seconds after its start in which a superseded job may finish.
WORKER_NICENESS = 5  # Niceness of workers, so that the server and the browser have priority.


@dataclass(frozen=True, kw_only=True)
class Lane:
    """A lane of the queue, in which a job runs; all jobs of the same name have the same lane."""

    name: str
    seconds: float  # time limit of the job
    on_progress: Progress = no_progress


class PendingJob:
    """A job of a lane, waiting or running."""

    def __init__(self) -> None:
        self.is_superseded = False
        self.done = asyncio.Event()
        self.started_at = 0.0
        self.limit: asyncio.Timeout | None = None  # of a running job

    async def supersede_job(self) -> None:
        """Mark the job as superseded, stop it after the grace period, and wait for its end."""
        self.is_superseded = True
        if self.limit is not None and not self.limit.expired() and not self.done.is_set():
            self.limit.reschedule(self.started_at + GRACE_SECONDS)
        await self.done.wait()


def _start_worker(folder: Path) -> None:
    lower_priority(WORKER_NICENESS)
    # Imported in workers only, so that the server does not load numpy.
    from .worker import start_worker

    start_worker(folder)


def _run_job(folder: Path, job: Callable[..., Answer], args: Any, kwargs: Any) -> Answer:
    # Runs a job in a worker, and raises every failure as a `RefusedError`.
    try:
        return job(*args, **kwargs)
    except Exception as error:
        # The user does not know the temporary folder, only file names.
        raise to_refusal(error, f"{folder}{os.sep}") from error


class LatestJobQueue:
    """A job queue with named lanes, and the worker processes that run its jobs."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._newest: dict[str, PendingJob] = {}
        self._run_slots = asyncio.Semaphore(MAX_RUNNING)
        self._workers: set[Worker] = set()
        self._idle: list[Worker] = []
        self._start_spare_worker()

    async def run_job(
        self, lane: Lane, job: Callable[P, Answer], *args: P.args, **kwargs: P.kwargs
    ) -> Answer:
        """Supersede the older job of the lane, then run a job in a worker."""
        pending, previous = PendingJob(), self._newest.get(lane.name)
        self._newest[lane.name] = pending
        try:
            if previous is not None:
                await previous.supersede_job()
            async with self._run_slots:
                if pending.is_superseded:
                    raise RefusedError(SUPERSEDED, 409)
                return await self._run_in_worker(pending, lane, job, *args, **kwargs)
        finally:
            pending.done.set()
            if self._newest.get(lane.name) is pending:
                del self._newest[lane.name]

    async def _run_in_worker(
        self,
        pending: PendingJob,
        lane: Lane,
        job: Callable[P, Answer],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> Answer:
        worker, is_reusable = self._take_idle_worker(), False
        running = worker.submit(_run_job, self._folder, job, args, kwargs)
        future, loop = asyncio.wrap_future(running), asyncio.get_running_loop()
        pending.started_at = loop.time()

        def relay_progress(report: tuple[str, float, str]) -> None:
            """Pass a report on, unless it was late: a superseded job works until it is killed."""
            if not future.done():
                lane.on_progress(*report)

        worker.on_report = lambda report: loop.call_soon_threadsafe(relay_progress, report)
        try:
            async with asyncio.timeout(lane.seconds) as pending.limit:
                await asyncio.wait({future})
            # A superseded job that finished within the grace period still returns its result.
            is_reusable = not isinstance(future.exception(), WorkerDiedError)
            return future.result()
        except TimeoutError:
            if pending.is_superseded:
                raise RefusedError(SUPERSEDED, 409) from None
            message = f"the time limit is {lane.seconds:g} seconds; choose fewer cells or pictures"
            raise RefusedError(message, 504) from None
        except WorkerDiedError:
            message = "the worker process died; perhaps there was not enough memory"
            raise RefusedError(message, 500) from None
        finally:
            future.cancel()  # asyncio would print an exception that nobody retrieves
            stopping = self._release_worker(worker, is_reusable)
            pending.done.set()  # a newer job need not wait for the end of the worker
            if not is_reusable:  # but the files of this job must
                await asyncio.shield(stopping)

    def _take_idle_worker(self) -> Worker:
        self._idle = [worker for worker in self._idle if worker.is_alive()]
        self._start_spare_worker()
        worker = self._idle.pop()
        self._start_spare_worker()
        return worker

    def _start_spare_worker(self) -> None:
        if not self._idle:
            self._idle.append(Worker(_start_worker, self._folder))
            self._workers.update(self._idle)

    def _release_worker(self, worker: Worker, is_reusable: bool) -> "asyncio.Future[None]":
        surplus = [worker]
        if is_reusable:
            self._idle.append(worker)
            surplus, self._idle = self._idle[:-MAX_IDLE], self._idle[-MAX_IDLE:]
        self._start_spare_worker()
        self._workers.difference_update(surplus)
        return asyncio.get_running_loop().run_in_executor(None, stop_workers, surplus)

    def close(self) -> None:
        """Stop all worker processes."""
        stop_workers(self._workers)
