"""Processes that do the work, and a warm spare beside them.

A job is stopped by killing its process.  What takes its place has been started before and has its
libraries loaded, so nobody waits for it.
"""

import asyncio
import multiprocessing
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from lightsanim.batch.workers import starting_workers
from lightsanim.studio.refusal import RefusedError

# Processes at work at a time, and those that wait for work.
MOST_AT_WORK = 5
MOST_IDLE = 2

OnProgress = Callable[[str, float, str], None]


class WorkerDiedError(Exception):
    """A process ended in the middle of its job."""


class Worker:
    """A process that does one job at a time."""

    def __init__(self, folder: Path) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        with starting_workers():
            self._process = context.Process(
                target=_work, args=(theirs, folder), daemon=True, name="lightsanim-studio"
            )
            self._process.start()
        theirs.close()
        self.at_work = self._killed = False

    async def do(
        self,
        name: str,
        arguments: tuple[Any, ...],
        seconds: float,
        on_progress: OnProgress | None,
        threads: ThreadPoolExecutor,
    ) -> Any:
        """Do a job."""
        self.at_work = True
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(seconds):
                await loop.run_in_executor(threads, self._pipe.send, (name, arguments))
                while True:
                    kind, *said = await loop.run_in_executor(threads, self._pipe.recv)
                    if kind != "progress":
                        break
                    if on_progress is not None:
                        on_progress(*said)
        except TimeoutError:
            raise RefusedError(
                f"this takes more than {seconds:g} seconds; take less", 504
            ) from None
        except (EOFError, OSError) as error:
            raise WorkerDiedError from error
        self.at_work = False
        if kind == "failed":
            raise RefusedError(*said)
        return said[0]

    def kill(self) -> None:
        """End the process at once, whatever it does."""
        self._killed = True
        self._process.kill()

    def is_alive(self) -> bool:
        """Can it take another job?"""
        # A process that was killed when its job was just done may live for a moment longer.
        return self._process.is_alive() and not (self.at_work or self._killed)

    def close(self) -> None:
        """End the process, and wait until it has ended."""
        # The pipe closes itself when the thread that reads it has seen its end.
        self.kill()
        self._process.join()


def _work(*arguments: Any) -> None:
    # The server itself gets along without numpy.
    from lightsanim.studio.worker import work

    work(*arguments)


class Workers:
    """Processes at work, and a spare."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._idle: list[Worker] = []
        self._all: set[Worker] = set()
        self._places = asyncio.Semaphore(MOST_AT_WORK)
        # Each waits for one process, and ends with it.
        self.threads = ThreadPoolExecutor(2 * MOST_AT_WORK + MOST_IDLE)
        self._start()

    @asynccontextmanager
    async def worker(self) -> AsyncIterator[Worker]:
        """A process for one job, as soon as there is one."""
        async with self._places:
            idle = [worker for worker in self._idle if worker.is_alive()]
            worker = idle[-1] if idle else self._start()
            self._idle.remove(worker)
            if not self._idle:
                self._start()
            try:
                yield worker
            finally:
                self._take_back(worker)

    def _start(self) -> Worker:
        worker = Worker(self._folder)
        self._all.add(worker)
        self._idle.append(worker)
        return worker

    def _take_back(self, worker: Worker) -> None:
        if worker.is_alive():
            self._idle.append(worker)
        else:
            self._end(worker)
        while len(self._idle) > MOST_IDLE:
            self._end(self._idle.pop(0))
        if not self._idle:
            self._start()

    def _end(self, worker: Worker) -> None:
        worker.close()
        self._all.discard(worker)

    def close(self) -> None:
        """End all processes."""
        for worker in self._all:
            worker.close()
        self.threads.shutdown()
