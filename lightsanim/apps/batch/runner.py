"""Run a batch: make the animations of a manifest that do not exist yet."""

import os
import shutil
import sys
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any

from lightsanim.errors import LightsAnimError, OptionError, OutputError
from lightsanim.film.origin import NO_LABEL, Label
from lightsanim.options.checks import check_whole_number, format_names, quote_value
from lightsanim.output.saving.atomic import remove_path
from lightsanim.system.cores import max_cores
from lightsanim.system.posix import CAN_LOCK
from lightsanim.system.processes import exit_if_worker_imports_script
from .batch_folder import (
    check_output_paths,
    files_placed_by_batch,
    lock_folder,
    move_outputs,
    outputs_are_intact,
    remove_stale_files,
    write_task_files,
)
from .job import Outcome, Task, create_task, load_pictures, sha256_of_source
from .labels import Labels, merge_labels, read_labels, relabel_result, write_labels
from .manifest import Manifest
from .results import FileSum, Result, append_result, current_results, make_result, read_results
from .workers import run_tasks_locally


@dataclass(frozen=True, kw_only=True)
class BatchListener:
    """Callbacks of a batch run: for the number of jobs at the start, new results, and notes."""

    begin: Callable[[int, int], None] = lambda jobs, done: None
    on_result: Callable[[Result], None] = lambda result: None
    on_note: Callable[[str], None] = lambda note: None  # a message for the user


NO_LISTENER = BatchListener()


@dataclass(frozen=True, kw_only=True)
class BatchReport:
    """The report of a batch run: numbers of jobs, failed results, and times in seconds."""

    jobs: int  # number of jobs in the manifest
    made: int
    skipped: int  # number of animations that existed already
    failed: tuple[Result, ...]
    renewed: int = 0  # Number of existing animations that were given new titles or credits.
    job_seconds: float  # Sum of the seconds of all jobs in this run.
    seconds: float

    def as_dict(self) -> dict[str, Any]:
        """Return the JSON object for ``--json``; a failure has its first output and its error."""
        return {
            **vars(self),
            "failed": [{"output": r.files[0], "error": r.error} for r in self.failed],
        }


def run_batch(
    manifest: Manifest,
    folder: str | Path,
    *,
    workers: int | None = None,
    dask: str | None = None,
    prune: bool = False,
    check: bool = False,
    listener: BatchListener = NO_LISTENER,
    on_done: Callable[[Result], None] | None = None,
    progress: bool = False,
) -> BatchReport:
    """Make the animations of a manifest that do not exist yet, and return a report.

    The next run continues a run that was killed.  A job that fails does not stop the others.
    Workers are new interpreters, so a script must call this under ``if __name__ == "__main__":``.

    Args:
        manifest: see `load_manifest` and `Manifest`.
        folder: for the outputs and the results (see `lightsanim.apps.batch.results`).
        workers: number of processes on this machine; None for one on each core.
        dask: address of a Dask scheduler, whose workers are used instead.
        prune: whether to remove the files of animations that the manifest no longer names.
        check: whether to compare contents of finished files, not only sizes and times.
        listener: callbacks for the progress.
        on_done: called with the result of each job; short for ``BatchListener(on_result=...)``.
        progress: whether to show a progress bar in a notebook or in a terminal.

    Raises:
        OptionError: for fewer than one worker, both workers and a scheduler, or a script without
            the line above.
        OutputError: if the folder cannot be written to, or another run is using it.
        ClusterError: if the scheduler does not answer, or has no workers.
    """
    exit_if_worker_imports_script()
    if workers is not None:
        check_whole_number("workers", workers, 1)
    if workers is not None and dask is not None:
        raise OptionError("workers and dask exclude each other; a cluster has its own workers")
    if not isinstance(manifest, Manifest):
        raise OptionError(f"manifest must be a Manifest, not {quote_value(manifest)}")
    if on_done is not None:
        listener = replace(listener, on_result=on_done)
    if progress:
        listener = _add_progress_bar(listener)
    if not CAN_LOCK:
        listener.on_note(f"this system cannot lock files; run only one batch at a time in {folder}")
    with lock_folder(Path(folder)) as work:
        run = _BatchRun(manifest, Path(folder), work, listener)
        return run.make_animations(workers, dask, prune=prune, check=check)


class _Bar:
    """A progress bar: HTML in a notebook, and a line of text in a terminal."""

    def __init__(self) -> None:
        self.jobs = self.done = self.failed = 0

    def __repr__(self) -> str:
        failed = f", {self.failed} failed" if self.failed else ""
        return f"{self.done} of {self.jobs} animations done{failed}"

    def _repr_html_(self) -> str:
        return f'<progress max="{self.jobs}" value="{self.done}"></progress> {self!r}'


def _add_progress_bar(listener: BatchListener) -> BatchListener:
    """Return the listener with a progress bar for a notebook or a terminal."""
    bar, is_notebook = _Bar(), "ipykernel" in sys.modules
    if is_notebook:
        display: Any = import_module("IPython.display").display
        update = display(bar, display_id=True).update
    else:

        def update(bar: _Bar) -> None:
            print(f"\r{bar}", end="\n" * (bar.done == bar.jobs), file=sys.stderr, flush=True)

    def begin(jobs: int, done: int) -> None:
        bar.jobs, bar.done = jobs, done
        update(bar)
        listener.begin(jobs, done)

    def on_result(result: Result) -> None:
        bar.done += 1
        bar.failed += result.error is not None
        update(bar)
        listener.on_result(result)

    return replace(listener, begin=begin, on_result=on_result)


def _update_labels(
    manifest: Manifest,
    folder: Path,
    up_to_date: list[tuple[Result, Label]],
    listener: BatchListener,
) -> tuple[Labels, int]:
    # Writes changed labels into existing files; a changed label or order triggers no rebuild.
    renewed, old_labels = 0, Labels()
    path = os.path.relpath(os.path.realpath(manifest.path), os.path.realpath(folder))
    with suppress(OutputError):  # a damaged file of labels is replaced below
        old_labels = read_labels(folder)
    labels = merge_labels(old_labels, manifest.labels, path)
    works = dict(labels.works)
    for result, label in up_to_date:
        file = result.files[0]
        old_label = old_labels.works.get(file, NO_LABEL)
        try:
            relabelled = result if old_label == label else relabel_result(folder, result, label)
            if relabelled is not result:
                append_result(folder, relabelled)
                renewed += 1
        except LightsAnimError as error:
            reason = f"cannot write the new title or credits into its files: {error}"
            listener.on_note(f"{file}: {reason}; only the gallery shows them")
            works[file] = old_label  # the next run tries again
    write_labels(folder, replace(labels, works=works))
    newly_removed = sorted(labels.removed - old_labels.removed)
    if remaining := [output for output in newly_removed if os.path.exists(folder / output)]:
        reason = "no longer in the manifest, so not in the gallery"
        advice = "the files stay until --prune removes them"
        listener.on_note(f"{reason}: {format_names(remaining)}; {advice}")
    return labels, renewed


def _prune_files(
    folder: Path, removed: Collection[Result], listener: BatchListener
) -> list[Result]:
    # Removes the outputs of removed animations, but no files changed since the batch wrote them.
    pruned = [result for result in removed if outputs_are_intact(folder, result)]
    files = [file for result in pruned for file in result.files]
    for file in files:
        remove_path(folder / file)
        with suppress(OSError):  # fails if the folder is not empty
            os.removedirs((folder / file).parent)
    if files:
        listener.on_note(f"removed: {format_names(files)}")
    return pruned


class _BatchRun:
    """The state of a batch run while its folder is locked."""

    def __init__(
        self, manifest: Manifest, folder: Path, work: Path, listener: BatchListener
    ) -> None:
        self.manifest, self.folder, self.work, self.listener = manifest, folder, work, listener
        self.results: list[Result] = []
        self.owned = files_placed_by_batch(folder)
        paths = (picture.path for job in manifest.jobs for picture in job.pictures)
        self.pictures = {os.path.realpath(manifest.folder / path) for path in paths}

    def make_animations(
        self, workers: int | None, dask: str | None, *, prune: bool, check: bool
    ) -> BatchReport:
        """Make the animations that do not exist yet, and return the report."""
        start, folder, manifest = time.perf_counter(), self.folder, self.manifest
        results = current_results(read_results(folder))
        finished = {r.id: r for r in results if outputs_are_intact(folder, r, check=check)}
        digest = cache(partial(sha256_of_source, folder=manifest.folder))
        tasks = [create_task(job, [digest(p.path) for p in job.pictures]) for job in manifest.jobs]
        todo = [task for task in tasks if task.id not in finished]
        up_to_date = [(finished[task.id], task.job.label) for task in tasks if task.id in finished]
        labels, renewed = _update_labels(manifest, folder, up_to_date, self.listener)
        self.listener.begin(len(tasks), len(tasks) - len(todo))
        prepared = self.prepare_tasks(todo, is_local=dask is None)
        if dask is not None and todo:
            from .cluster import run_tasks_on_cluster  # slow to import

            outcomes = run_tasks_on_cluster(dask, prepared)
        else:
            workers = min(workers or max_cores(), max(1, len(todo)))
            outcomes = run_tasks_locally(prepared, self.work, workers)
        with closing(outcomes):
            for outcome in outcomes:
                self.record_result(self.store_outputs(outcome))
        if self.results or renewed:
            results = current_results(read_results(folder))
        removed = [result for result in results if result.files[0] in labels.removed]
        pruned = _prune_files(folder, removed, self.listener) if prune else []
        remove_stale_files(folder, [result for result in results if result not in pruned])
        failed = tuple(result for result in self.results if result.error is not None)
        return BatchReport(
            jobs=len(tasks),
            made=len(self.results) - len(failed),
            skipped=len(tasks) - len(todo),
            failed=failed,
            renewed=renewed,
            job_seconds=round(sum(result.seconds for result in self.results), 3),
            seconds=round(time.perf_counter() - start, 3),
        )

    def record_result(self, result: Result) -> None:
        """Append a result to the results file, and report it to the listener."""
        append_result(self.folder, result)
        self.results.append(result)
        self.listener.on_result(result)

    def prepare_tasks(self, tasks: list[Task], *, is_local: bool) -> Iterator[Task]:
        """Yield tasks with loaded pictures; record a failure for each task that cannot start."""
        for task in tasks:
            try:
                check_output_paths(self.folder, task.job, self.owned, self.pictures)
                prepared = load_pictures(task, self.manifest.folder, is_local=is_local)
            except LightsAnimError as error:
                self.record_result(make_result(Outcome(task=task, error=str(error))))
            else:
                yield prepared

    def store_outputs(self, outcome: Outcome) -> Result:
        """Move an outcome's files to the batch's folder, and return the result."""
        task_folder, sums = self.work / outcome.task.id, dict[str, FileSum]()
        if outcome.error is None:
            try:
                if outcome.files is not None:
                    write_task_files(outcome.files, task_folder)
                # Check the paths again: other files may have appeared while the task ran.
                check_output_paths(self.folder, outcome.task.job, self.owned, self.pictures)
                sums = move_outputs(task_folder, self.folder, outcome.task, self.owned)
            except LightsAnimError as error:
                outcome = replace(outcome, report=None, error=str(error))
        shutil.rmtree(task_folder, ignore_errors=True)
        return make_result(outcome, sums)
