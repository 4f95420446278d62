"""Worker processes on this machine, and what each does with a task.

Tasks run in a pool of processes.  When a worker dies, `concurrent.futures` gives up its whole pool
and cannot say which task was to blame: each task that was under way is then run again in a pool of
one worker, until it is done or its worker has died `TRIES` times; the rest goes on in a new pool.
"""

import multiprocessing
import os
import shutil
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path

from lightsanim.batch.job import Outcome, Task, run_task
from lightsanim.errors import LightsAnimError, OutputError
from lightsanim.system.cores import cores, limit_cores
from lightsanim.system.signals import signals_deferred

# How often a task is begun whose workers die.
TRIES = 3

# The most processes that a pool can have on Windows.
MOST_ON_WINDOWS = 61

# Tasks that are queued beyond those being worked on, so that no worker is idle.
WAITING = 1

Submit = Callable[[Task], Future[Outcome]]


def carry_out(task: Task, folder: Path) -> Outcome:
    """Run a task; an error is its outcome, too."""
    start, where = time.perf_counter(), None
    report, error = None, None
    try:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        report = run_task(task, folder)
    except LightsAnimError as known:
        # The user knows the files without the folder that they are made in.
        error = str(known).replace(f"{folder}{os.sep}files{os.sep}", "")
        error = error.replace(f"{folder}{os.sep}", "")
    except OSError as refused:
        error = f"cannot write: {refused.strerror}"
    except MemoryError:
        error = "there is not enough memory; take fewer cells, or fewer workers"
    except Exception as unexpected:  # the other jobs go on
        error = f"{type(unexpected).__name__}: {unexpected}; please report this"
        where = traceback.format_exc()
    return Outcome(
        task=replace(task, pictures=()),
        report=report,
        seconds=time.perf_counter() - start,
        error=error,
        traceback=where,
    )


def outcomes_here(tasks: Iterator[Task], work: Path, workers: int) -> Generator[Outcome]:
    """Run tasks in processes of this machine."""
    if sys.platform == "win32":
        workers = min(workers, MOST_ON_WINDOWS)
    suspects: list[Task] = []
    while True:
        with _pool(work, workers) as submit:
            yield from _outcomes_until_one_dies(tasks, submit, workers + WAITING, suspects)
        if not suspects:
            return
        while suspects:
            yield _run_alone(suspects.pop(0), work)


def _outcomes_until_one_dies(
    tasks: Iterator[Task], submit: Submit, most: int, suspects: list[Task]
) -> Generator[Outcome]:
    # The tasks that were under way when a worker died are left in ``suspects``.
    running: dict[Future[Outcome], Task] = {}
    while True:
        while not suspects and len(running) < most and (task := next(tasks, None)):
            try:
                running[submit(task)] = task
            except BrokenProcessPool:
                suspects.append(task)
        if not running:
            return
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            task = running.pop(future)
            try:
                yield future.result()
            except BrokenProcessPool:
                suspects.append(task)


def _run_alone(task: Task, work: Path) -> Outcome:
    # It has been begun once, beside others.
    how = ""
    for tries in range(2, TRIES + 1):
        before = set(multiprocessing.active_children())
        with _pool(work, 1) as submit:
            future = submit(task)
            started = set(multiprocessing.active_children()) - before
            with suppress(BrokenProcessPool):
                return replace(future.result(), tries=tries)
        how = "".join(f", at last {_ended(worker.exitcode)}" for worker in started)
    reason = f"its worker died {TRIES} times{how}; is there memory enough for it?"
    return Outcome(task=replace(task, pictures=()), tries=TRIES, error=reason)


def _ended(code: int | None) -> str:
    code = code or 0
    return f"by signal {-code}" if code < 0 else f"with exit status {code}"


@contextmanager
def _pool(work: Path, workers: int) -> Iterator[Submit]:
    # Worker processes that end with the context, even in the middle of their tasks.  They are new
    # interpreters: a fork would take along threads and locks.  When this process ends, however it
    # does, the system closes its end of the lifeline, which tells the workers to end, too.
    context = multiprocessing.get_context("spawn")
    theirs, ours = context.Pipe(duplex=False)
    limit = max(1, cores() // workers)
    pool = None

    def submit(task: Task) -> Future[Outcome]:
        assert pool is not None
        with starting_workers():
            return pool.submit(carry_out, task, work / task.id)

    try:
        with starting_workers():
            pool = ProcessPoolExecutor(workers, context, _begin_work, (theirs, limit))
        yield submit
    finally:
        with signals_deferred():
            ours.close()
            if pool is not None:
                pool.shutdown(cancel_futures=True)
            theirs.close()


@contextmanager
def starting_workers() -> Iterator[None]:
    """Start processes in this block, so that signals are left to this one."""
    # A worker must not import modules from the folder that it happens to be started in.  And it
    # inherits which signals are blocked: Ctrl-C in a terminal reaches all processes, but only this
    # one should act on it.  A signal must not come between starting a worker and telling it what
    # to do.
    name, blocked = "PYTHONSAFEPATH", None
    known = os.environ.get(name)
    with signals_deferred():
        os.environ[name] = "1"
        if hasattr(signal, "pthread_sigmask"):
            blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        except OSError as error:
            raise OutputError(
                f"cannot start a worker: {error.strerror}; take fewer workers"
            ) from error
        finally:
            if blocked is not None:
                signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
            if known is None:
                del os.environ[name]
            else:
                os.environ[name] = known


def _begin_work(lifeline: Connection, limit: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(lifeline,), daemon=True).start()
    limit_cores(limit)


def _end_with(lifeline: Connection) -> None:
    with suppress(EOFError, OSError):
        lifeline.recv_bytes()
    os._exit(1)
