"""Worker processes that run one task at a time and may die or be killed at any time.

Each worker is a Pebble pool of one process.  In a pool of several processes, Pebble can lose a task
if a process dies while receiving it, and can stop a process that has just begun another task.
"""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any, TypeVar

from pebble import ProcessExpired, ProcessPool

from lightsanim.errors import OutputError
from .signals import signals_deferred

Result = TypeVar("Result")

# Exceptions that a task's future raises if its process has died.
DEATH_ERRORS = (ProcessExpired, BrokenProcessPool)
SAFE_PATH_VARIABLE = "PYTHONSAFEPATH"
UNGUARDED_STATUS = 117  # Exit status of a worker whose script would start workers in turn.


class Worker:
    """A worker process that runs one task at a time; raises `OutputError` if it cannot start."""

    def __init__(self, initializer: Callable[..., None], *args: Any) -> None:
        self._context = _SingleProcessContext()
        self.pool = ProcessPool(1, initializer=initializer, initargs=args, context=self._context)
        try:
            with signals_deferred():  # a signal could leave the process half-started
                self.pool.active  # noqa: B018 - reading the property starts the process
        except (OSError, BrokenProcessPool) as error:
            reason = getattr(error.__cause__ or error, "strerror", error)
            raise OutputError(f"cannot start a worker: {reason}; use fewer workers") from error
        # Close this process's copy of the pipe's end from which the worker reads tasks.  Otherwise
        # sending a task to a dead worker would not fail, and Pebble would lose the task.
        self._context.readers[0].close()

    def submit(self, task: Callable[..., Result], *args: Any) -> "Future[Result]":
        """Queue a task; its future raises one of `DEATH_ERRORS` if the process dies."""
        future: Future[Result] = Future()
        try:
            future = self.pool.schedule(task, args)
        except RuntimeError as error:  # the process has died already
            future.set_exception(BrokenProcessPool(str(error)))
        return future

    @property
    def is_alive(self) -> bool:
        """Whether the worker can run another task."""
        return bool(self.pool.active)

    @property
    def exitcode(self) -> int:
        """The exit status of the dead process; if a signal killed it, minus the signal's number."""
        # Pebble does not know the status if the process died before acknowledging its task.
        return (self._context.process and self._context.process.exitcode) or 0


def stop_workers(workers: Iterable[Worker]) -> None:
    """Kill worker processes, busy or not, and wait until they have ended."""
    with signals_deferred():
        pools = [worker.pool for worker in workers]
        for pool in pools:  # stop all before joining: a pool takes up to 0.1 s to react
            pool.stop()
        for pool in pools:
            pool.join()


def exit_if_worker_imports_script() -> None:
    """Exit with `UNGUARDED_STATUS` if this is a new worker that still imports its script."""
    if getattr(multiprocessing.current_process(), "_inheriting", False):  # as multiprocessing does
        raise SystemExit(UNGUARDED_STATUS)


def exit_with_parent(cleanup: Callable[[], None] = lambda: None) -> None:
    """Make a worker process call ``cleanup`` and exit when its parent has ended for any reason."""

    def wait_for_parent() -> None:
        parent = multiprocessing.parent_process()
        assert parent is not None
        parent.join()
        cleanup()
        os._exit(1)

    # Not a daemon thread: the interpreter waits for its end, even if Pebble's loop ends earlier.
    threading.Thread(target=wait_for_parent).start()


class _WorkerProcess(SpawnProcess):
    """A worker process that is a new interpreter, since a fork would copy threads and locks."""

    def start(self) -> None:
        # Keep the worker from importing modules in the current folder.  Block SIGINT in the worker:
        # Ctrl-C in a terminal reaches all processes, but only the parent should act.
        previous, blocked = os.environ.get(SAFE_PATH_VARIABLE), None
        os.environ[SAFE_PATH_VARIABLE] = "1"
        if hasattr(signal, "pthread_sigmask"):
            resource_tracker.ensure_running()  # its start, with that of the first worker, unblocks
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
        # Kill at once: after a SIGTERM, Pebble would wait for seconds until a search ends.
        self.kill()


class _NoLock:
    """A dummy lock; a process that dies might hold a real one, a semaphore, for ever."""

    def acquire(self, block: bool = True, timeout: float | None = None) -> bool:
        return True

    def release(self) -> None:
        pass


class _SingleProcessContext(SpawnContext):
    """A multiprocessing context for Pebble that creates one process, its pipes and dummy locks."""

    process: _WorkerProcess | None = None

    def __init__(self) -> None:
        super().__init__()
        self.readers: list[Connection] = []  # reading ends of the pipes for tasks and for results

    def Pipe(self, duplex: bool = True) -> tuple[Connection, Connection]:  # noqa: N802
        reader, writer = super().Pipe(duplex)
        self.readers.append(reader)
        return reader, writer

    def Process(self, **options: Any) -> _WorkerProcess:  # type: ignore[override]  # noqa: N802
        if self.process is not None:  # the caller must start a new `Worker`
            raise BrokenProcessPool
        self.process = _WorkerProcess(**options)
        return self.process

    def RLock(self) -> _NoLock:  # type: ignore[override]  # noqa: N802
        return _NoLock()
