"""Processes that work beside this one, each at one task at a time; any may be killed or die.

Each is a Pebble pool of one process: where several share a pool, Pebble can lose the task of a
process that dies while it takes it, and end one that has just begun another task.
"""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any, TypeVar

from pebble import ProcessExpired, ProcessPool

from lightsanim.errors import OutputError
from lightsanim.system.signals import signals_deferred

Result = TypeVar("Result")

# What a task's future raises when its process has died.
DEATH_ERRORS = (ProcessExpired, BrokenProcessPool)

SAFE_PATH_VARIABLE = "PYTHONSAFEPATH"


class Worker:
    """A process for one task at a time."""

    def __init__(self, initializer: Callable[..., None], *args: Any) -> None:
        self._context = _SingleProcessContext()
        self.pool = ProcessPool(1, initializer=initializer, initargs=args, context=self._context)
        try:
            with signals_deferred():  # none comes between starting it and telling it what to do
                self.pool.active  # noqa: B018 - it is started when it is first asked
        except (OSError, BrokenProcessPool) as error:
            reason = getattr(error.__cause__ or error, "strerror", error)
            raise OutputError(f"cannot start a worker: {reason}; take fewer workers") from error
        # Pebble forgets a task that comes just as it finds the process dead, unless it cannot send
        # it any more: so no other process may hold the end at which tasks are read.
        self._context.readers[0].close()

    def submit(self, task: Callable[..., Result], *args: Any) -> "Future[Result]":
        """Do a task after the one before; when the process dies, it raises `DEATH_ERRORS`."""
        future: Future[Result] = Future()
        try:
            future = self.pool.schedule(task, args)
        except RuntimeError as error:  # it has died already
            future.set_exception(BrokenProcessPool(str(error)))
        return future

    @property
    def is_alive(self) -> bool:
        """Can it take another task?"""
        return bool(self.pool.active)

    @property
    def exitcode(self) -> int:
        """How its process died: the exit status, or a signal's number below 0."""
        # Pebble does not know of one that died before it had said which task it took.
        return (self._context.process and self._context.process.exitcode) or 0


def stop_workers(workers: Iterable[Worker]) -> None:
    """End processes, whatever they do, and wait until they have ended."""
    with signals_deferred():
        pools = [worker.pool for worker in workers]
        for pool in pools:  # a pool notices within 0.1 seconds, so all are told first
            pool.stop()
        for pool in pools:
            pool.join()


def exit_with_parent(cleanup: Callable[[], None] = lambda: None) -> None:
    """In a worker: end when the process that started this one ends, however it does."""

    def wait_for_parent() -> None:
        parent = multiprocessing.parent_process()
        assert parent is not None
        parent.join()
        cleanup()
        os._exit(1)

    # Pebble's own loop ends then, too, but the interpreter waits for this thread.
    threading.Thread(target=wait_for_parent).start()


class _WorkerProcess(SpawnProcess):
    """A new interpreter: a fork would take along threads and locks."""

    def start(self) -> None:
        """Start it so that signals are left to this process, and modules come from the program."""
        # It must not import from the folder that it happens to be started in.  And it inherits
        # which signals are blocked: Ctrl-C in a terminal reaches all processes, but only this one
        # should act on it.
        previous, blocked = os.environ.get(SAFE_PATH_VARIABLE), None
        os.environ[SAFE_PATH_VARIABLE] = "1"
        if hasattr(signal, "pthread_sigmask"):
            blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            super().start()
        finally:
            if blocked is not None:
                signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
            if previous is None:
                os.environ.pop(SAFE_PATH_VARIABLE, None)
            else:
                os.environ[SAFE_PATH_VARIABLE] = previous

    def terminate(self) -> None:
        """End it at once: Pebble would give a search seconds to end by itself."""
        self.kill()


class _NoLock:
    """Where a pool's processes would wait for each other: one alone need not.

    A real one is a semaphore, of which Python complains when this process is killed, and which a
    process that dies may hold for ever.
    """

    def acquire(self, block: bool = True, timeout: float | None = None) -> bool:
        """Go on at once."""
        return True

    def release(self) -> None:
        """Nobody waits."""


class _SingleProcessContext(SpawnContext):
    """What a pool makes its process and its pipes of."""

    process: _WorkerProcess | None = None

    def __init__(self) -> None:
        super().__init__()
        self.readers: list[Connection] = []  # of tasks, and of what becomes of them

    def Pipe(self, duplex: bool = True) -> tuple[Connection, Connection]:  # noqa: N802
        """A pipe, whose reader is noted."""
        reader, writer = super().Pipe(duplex)
        self.readers.append(reader)
        return reader, writer

    def Process(self, **options: Any) -> _WorkerProcess:  # type: ignore[override]  # noqa: N802
        """The one process, not started; where it has died, another worker takes its place."""
        if self.process is not None:
            raise BrokenProcessPool
        self.process = _WorkerProcess(**options)
        return self.process

    def RLock(self) -> _NoLock:  # type: ignore[override]  # noqa: N802
        """No lock."""
        return _NoLock()
