"""Worker processes on this machine.

Each has a pipe to this process: tasks go in, progress and outcomes come out.  When a worker dies,
its pipe ends, and only the task that it was at is concerned.
"""

import os
import shutil
import signal
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from lightsanim.batch.job import Task, run_task
from lightsanim.cores import cores, limit_cores
from lightsanim.errors import LightsAnimError, OutputError
from lightsanim.signals import signals_later

# How often a task is begun whose workers die.
TRIES = 3

# Seconds that a worker has to go when it is told to.
PATIENCE = 2.0

# Seconds between two words on the same stage.
INTERVAL = 0.1


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What became of a task.

    Attributes:
        task: the task, without its pictures.
        report: of `make`; None where it failed.
        seconds: that it took.
        tries: how often it was begun.
        error: why there is no animation, or None.
        files: what was written, by path, where the worker has another file system.
    """

    task: Task
    report: dict[str, Any] | None = None
    seconds: float = 0.0
    tries: int = 1
    error: str | None = None
    files: dict[str, bytes] | None = None


OnTask = Callable[[Task, str, float, str], None]
"""Called with a task, a stage of `make`, the share of it that is done, and what is known."""


def folder_of(work: Path, task: Task) -> Path:
    """Where a task's files are written, under a batch's work folder."""
    return work / task.id


def carry_out(task: Task, folder: Path, say: Callable[[str, float, str], None]) -> Outcome:
    """Run a task in its folder, which is made anew; whatever goes wrong is its outcome."""
    start, bare = time.perf_counter(), replace(task, pictures=())

    def spent() -> float:
        return time.perf_counter() - start

    try:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        report = run_task(task, folder, say)
        return Outcome(task=bare, report=report, seconds=spent())
    except LightsAnimError as error:
        # Where it was worked on is nobody's business.
        reason = str(error).replace(f"{folder}{os.sep}files{os.sep}", "")
        reason = reason.replace(f"{folder}{os.sep}", "")
    except MemoryError:
        reason = "there is not enough memory; take fewer cells, or fewer workers"
    except Exception as error:  # whatever it is, the other jobs go on
        reason = f"{type(error).__name__}: {error}"
    return Outcome(task=bare, seconds=spent(), error=reason)


def outcomes_here(
    tasks: Iterator[Task], work: Path, workers: int, on_task: OnTask
) -> Generator[Outcome]:
    """Run tasks in processes of this machine, each in its own folder under ``work``.

    Args:
        tasks: with their pictures; taken one by one, as workers become free.
        work: an empty folder.
        workers: how many processes.
        on_task: told what each worker is at.

    Yields:
        The outcome of each task, as it is finished.

    Raises:
        OutputError: if a worker cannot be started.
    """
    limit = max(1, cores() // max(1, workers))
    idle: list[_Worker] = []
    busy: dict[Any, _Worker] = {}
    again: list[tuple[Task, int]] = []
    try:
        while len(idle) < workers:  # all at once: each takes a while to load what it needs
            idle.append(_hire(work, limit))
        while True:
            while len(busy) < workers and (order := _next_order(tasks, again)):
                worker = idle.pop() if idle else _hire(work, limit)
                worker.begin(*order)
                busy[worker.pipe] = worker
            if not busy:
                return
            for pipe in wait(list(busy)):
                worker = busy[pipe]
                try:
                    message = worker.pipe.recv()
                except (EOFError, OSError):
                    del busy[pipe]
                    how = worker.dismiss()
                    if worker.tries < TRIES:
                        again.append((worker.task, worker.tries + 1))
                    else:
                        yield given_up(worker.task, f"its worker died {TRIES} times, {how}")
                    continue
                if isinstance(message, Outcome):
                    idle.append(busy.pop(pipe))
                    yield replace(message, tries=worker.tries)
                else:
                    on_task(worker.task, *message)
    finally:
        crew = [*idle, *busy.values()]
        for worker in crew:
            worker.process.terminate()
        for worker in crew:
            worker.dismiss()


def given_up(task: Task, reason: str) -> Outcome:
    """The outcome of a task that kills whoever works on it."""
    reason = f"{reason}; is there memory enough for it?"
    return Outcome(task=replace(task, pictures=()), tries=TRIES, error=reason)


def _next_order(tasks: Iterator[Task], again: list[tuple[Task, int]]) -> tuple[Task, int] | None:
    # The next task, and how often it is begun with this time.
    if again:
        return again.pop(0)
    task = next(tasks, None)
    return None if task is None else (task, 1)


@dataclass
class _Worker:
    process: BaseProcess
    pipe: Connection
    task: Task = field(init=False)
    tries: int = 0

    def begin(self, task: Task, tries: int) -> None:
        self.task, self.tries = task, tries
        with suppress(OSError):  # it died idle: its pipe has ended, which is noticed next
            self.pipe.send(task)

    def dismiss(self) -> str:
        # Ends the process, if it has not ended, and says how it did.
        self.pipe.close()
        self.process.join(0.1)
        for end in (self.process.terminate, self.process.kill):
            if self.process.is_alive():
                end()
                self.process.join(PATIENCE)
        code = self.process.exitcode or 0
        return f"at last by signal {-code}" if code < 0 else f"at last with exit status {code}"


def _hire(work: Path, limit: int) -> _Worker:
    # A new interpreter: what a fork would take along, threads and locks, has no place there.
    context = get_context("spawn")
    try:
        here, there = context.Pipe()
        process = context.Process(target=_serve, args=(there, work, limit), daemon=True)
        # It must not stop between a worker and what that is told to begin with.
        with signals_later(), _as_a_child_starts():
            process.start()
    except OSError as error:
        raise OutputError(f"cannot start a worker: {error.strerror}; take fewer workers") from error
    there.close()
    return _Worker(process=process, pipe=here)


@contextmanager
def _as_a_child_starts() -> Iterator[None]:
    # It must not take a module from the folder that it happens to be started in.  And it takes over
    # what is blocked: Ctrl-C reaches the parent, too, which says when to stop.
    safe = "PYTHONSAFEPATH"
    known = os.environ.get(safe)
    os.environ[safe] = "1"
    resource_tracker.ensure_running()  # or it would be started now, and unblock what is blocked
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if known is None:
            del os.environ[safe]
        else:
            os.environ[safe] = known


def _serve(pipe: Connection, work: Path, limit: int) -> None:
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    limit_cores(limit)
    sending = threading.Lock()
    last = ("", 0.0)

    def say(stage: str, share: float, note: str) -> None:
        nonlocal last
        with sending:
            now = time.monotonic()
            if stage != last[0] or now - last[1] > INTERVAL:
                last = (stage, now)
                pipe.send((stage, share, note))

    with suppress(EOFError, OSError):  # nobody is there any more
        while True:
            task = pipe.recv()
            outcome = carry_out(task, folder_of(work, task), say)
            with sending:  # a search that was told to stop may still have something to say
                pipe.send(outcome)


def _leave_with_parent() -> None:
    # A killed parent cannot say stop, and the next run may have begun.
    parent = parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)
