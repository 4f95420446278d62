"""Run tasks in worker processes on this machine.

A worker that dies may have lacked memory because of the tasks beside it.  Its task is repeated
alone, once the others have ended, until it is finished or its worker has died `MAX_TRIES` times.
"""

import os
import shutil
import time
import traceback
from collections.abc import Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import replace
from pathlib import Path

from lightsanim.errors import LightsAnimError, OptionError, is_lack_of_memory
from lightsanim.system.cores import limit_cores, max_cores
from lightsanim.system.processes import (
    UNGUARDED_STATUS,
    Worker,
    WorkerDiedError,
    exit_with_parent,
    stop_workers,
)
from lightsanim.system.signals import signals_deferred
from .job import Outcome, Task, run_task

MAX_TRIES = 3  # A task fails after its worker has died this many times.
UNGUARDED = (
    "each worker imports the script that calls run_batch, so the call must be under "
    '`if __name__ == "__main__":`'
)


def run_task_catching_errors(task: Task, folder: Path) -> Outcome:
    """Run a task in a new folder; return its outcome, or the error if the task failed."""
    start, report, error, trace = time.perf_counter(), None, None, None
    try:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        report = run_task(task, folder)
    except LightsAnimError as expected:
        # Remove the temporary folder, so that the message names outputs as the manifest does.
        error = str(expected).replace(f"{folder}{os.sep}files{os.sep}", "")
        error = error.replace(f"{folder}{os.sep}", "")
    except Exception as failure:  # an error in one job must not stop others
        if is_lack_of_memory(failure):
            error = "there is not enough memory; choose fewer cells, or fewer workers"
        elif isinstance(failure, OSError):
            error = f"cannot write a file: {failure.strerror}"
        else:
            trace = traceback.format_exc()
            error = f"{type(failure).__name__}: {failure}; please report this"
    task, seconds = replace(task, pictures=()), time.perf_counter() - start
    return Outcome(task=task, report=report, seconds=seconds, error=error, traceback=trace)


def run_tasks_locally(tasks: Iterator[Task], work: Path, workers: int) -> Generator[Outcome]:
    """Run tasks in worker processes, and yield their outcomes as they finish."""
    core_share = max(1, max_cores() // workers)
    crew: list[Worker] = []
    running: dict[Future[Outcome], tuple[Worker, Task, int]] = {}
    retry_alone: list[tuple[Task, int]] = []

    def start_task(task: Task, tries: int) -> None:
        busy = [worker for worker, _, _ in running.values()]
        idle = [worker for worker in crew if worker not in busy and worker.is_alive()]
        if not idle:
            with signals_deferred():
                crew.append(Worker(_start_worker, core_share))
        worker = (idle or crew)[-1]
        running[worker.submit(run_task_catching_errors, task, work / task.id)] = worker, task, tries

    try:
        finished, next_task = list[Outcome](), next(tasks, None)
        while running or finished or next_task or retry_alone:
            while next_task and not retry_alone and len(running) < workers:
                start_task(next_task, 1)
                next_task = next(tasks, None)  # loads pictures while the workers are busy
            if retry_alone and not running:
                start_task(*retry_alone.pop(0))
            yield from finished
            finished = []
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                worker, task, tries = running.pop(future)
                if not isinstance(future.exception(), WorkerDiedError):
                    finished.append(replace(future.result(), tries=tries))
                    continue
                stop_workers([worker])
                crew.remove(worker)
                if worker.exitcode == UNGUARDED_STATUS:
                    raise OptionError(UNGUARDED)
                if tries < MAX_TRIES:
                    retry_alone.append((task, tries + 1))
                else:
                    finished.append(_worker_death_outcome(task, worker.exitcode or 0))
    finally:
        stop_workers(crew)


def _worker_death_outcome(task: Task, code: int) -> Outcome:
    cause = f"by signal {-code}" if code < 0 else f"with exit status {code}"
    reason = f"its worker died {MAX_TRIES} times, the last time {cause}"
    reason += "; perhaps there was not enough memory"
    return Outcome(task=replace(task, pictures=()), tries=MAX_TRIES, error=reason)


def _start_worker(limit: int) -> None:
    exit_with_parent()
    limit_cores(limit)
