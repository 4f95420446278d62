"""Worker processes that run one task at a time and may die or be killed at any time.

A task is a pickled function with its arguments.  When the worker says that it is ready, a thread
sends the task through a pipe, and waits for the answer.  The pipe's other end is open in the worker
alone, so it breaks when the worker dies for any reason.
"""

import multiprocessing
import os
import pickle
import signal
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any, ParamSpec, TypeVar

from lightsanim.errors import OutputError
from .signals import signals_deferred

P = ParamSpec("P")
Result = TypeVar("Result")

SAFE_PATH_VARIABLE = "PYTHONSAFEPATH"
UNGUARDED_STATUS = 117  # Exit status of a worker whose script would start workers in turn.


class WorkerDiedError(Exception):
    """The error of a task whose worker process has died."""


class Worker(SpawnProcess):
    """A worker process that runs one task at a time; raises `OutputError` if it cannot start.

    It is a new interpreter, since a fork would copy threads and locks.

    Attributes:
        on_report: called in a thread of this process with each report of the running task; see
            `report_to_parent`.
    """

    on_report: Callable[[Any], object]

    def __init__(self, initializer: Callable[P, None], *args: P.args, **kwargs: P.kwargs) -> None:
        pipe, worker_end = multiprocessing.Pipe()
        task_loop = worker_end, initializer, args, kwargs
        super().__init__(target=_run_tasks, args=task_loop, daemon=True)
        try:
            with signals_deferred():  # a signal could leave the process half-started
                self.start()
        except OSError as error:
            reason = error.strerror or error
            raise OutputError(f"cannot start a worker: {reason}; use fewer workers") from error
        finally:
            worker_end.close()
        # The new process has a copy of the attributes above, so it must not have these.
        self._pipe, self._thread = pipe, ThreadPoolExecutor(1)
        self.on_report = lambda report: None

    def start(self) -> None:
        """Start the process; `__init__` calls this."""
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

    def submit(
        self, task: Callable[P, Result], *args: P.args, **kwargs: P.kwargs
    ) -> "Future[Result]":
        """Queue a task; its future raises a `WorkerDiedError` if the process dies."""
        return self._thread.submit(self._run_task, task, args, kwargs)

    def _run_task(self, *task: Any) -> Any:
        try:
            self._receive()  # the worker has started, and is ready
            self._pipe.send(task)
            while (message := self._receive())[0] == "report":
                self.on_report(message[1])
        except (EOFError, OSError) as error:
            raise WorkerDiedError from error
        _, result, failure = message
        if failure is not None:
            raise failure
        return result

    def _receive(self) -> Any:
        # The process may die before it has its end of the pipe, and then some systems keep it open.
        wait([self._pipe, self.sentinel])
        if not self._pipe.poll():
            raise EOFError
        return self._pipe.recv()

    def stop(self) -> None:
        """Kill the process, busy or not, and wait until it and its thread have ended."""
        self.kill()
        self.join()
        self._thread.shutdown()
        self._pipe.close()


def stop_workers(workers: Iterable[Worker]) -> None:
    """Kill worker processes, busy or not, and wait until they have ended."""
    with signals_deferred():
        for worker in workers:
            worker.stop()


def report_to_parent(report: object) -> None:
    """Send a report on the running task from a worker to its parent's `Worker.on_report`."""
    _pipe_to_parent.send(("report", report))


_pipe_to_parent: Connection


def _run_tasks(pipe: Connection, initializer: Callable[P, None], args: Any, kwargs: Any) -> None:
    # The main function of a worker.
    global _pipe_to_parent
    _pipe_to_parent = pipe
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # where it cannot be blocked
    try:
        initializer(*args, **kwargs)
    except BaseException:
        os._exit(1)  # the thread of `exit_with_parent` would keep the process alive
    with suppress(EOFError, OSError):  # the parent has ended
        while True:
            pipe.send("ready")
            pipe.send_bytes(_answer_task(pipe.recv_bytes()))


def _answer_task(content: bytes) -> bytes:
    # Returns the pickled result or error of a pickled task.
    try:
        task, args, kwargs = pickle.loads(content)
        result = failure = None
        try:
            result = task(*args, **kwargs)
        except BaseException as error:
            failure = error
        return pickle.dumps(("answer", result, failure))
    except BaseException:  # for example, not enough memory to load the task
        os._exit(1)


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

    # Not a daemon thread: the interpreter waits for its end, even if the tasks end earlier.
    threading.Thread(target=wait_for_parent).start()
