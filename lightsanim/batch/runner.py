"""Running a batch: workers make the animations that are not there yet."""

import os
import shutil
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from lightsanim.animation.origin import NO_LABEL, Label
from lightsanim.batch.batch_folder import (
    CAN_LOCK,
    check_output_paths,
    files_placed_by_batch,
    lock_folder,
    move_outputs,
    outputs_are_intact,
    remove_stale_files,
    write_task_files,
)
from lightsanim.batch.job import Outcome, Task, create_task, load_pictures, sha256_of_source
from lightsanim.batch.labels import Labels, merge_labels, read_labels, relabel_result, write_labels
from lightsanim.batch.manifest import Manifest
from lightsanim.batch.results import (
    FileSum,
    Result,
    append_result,
    current_results,
    make_result,
    read_results,
)
from lightsanim.batch.workers import run_tasks_locally
from lightsanim.errors import LightsAnimError, OptionError, OutputError
from lightsanim.options.checks import check_whole_number, format_names
from lightsanim.saving.atomic import remove_path
from lightsanim.system.cores import max_cores


@dataclass(frozen=True, kw_only=True)
class BatchListener:
    """What is called as a batch goes on."""

    # With the number of jobs, and of those that are done already.
    begin: Callable[[int, int], None] = lambda jobs, done: None
    on_result: Callable[[Result], None] = lambda result: None  # with each new result
    on_note: Callable[[str], None] = lambda note: None  # with what the user should know


@dataclass(frozen=True, kw_only=True)
class BatchReport:
    """What a run of a batch did."""

    jobs: int  # how many the manifest has
    made: int  # how many animations this run made
    skipped: int  # how many were there already
    failed: tuple[Result, ...]  # the results of the others
    renewed: int = 0  # how many of those that were there have got new titles or credits
    job_seconds: float  # that the jobs of this run took, one after the other
    seconds: float  # that the run took

    def as_dict(self) -> dict[str, Any]:
        """The report as the JSON object of ``--json``; a failure is an output and a reason."""
        failed = [{"output": r.files[0], "error": r.error} for r in self.failed]
        return {**vars(self), "failed": failed}


def run_batch(
    manifest: Manifest,
    folder: str | Path,
    *,
    workers: int | None = None,
    dask: str | None = None,
    prune: bool = False,
    listener: BatchListener = BatchListener(),
) -> BatchReport:
    """Make the animations of a manifest that are not there yet.

    The next run goes on where a killed one was.  A job that fails does not stop the others.
    Workers are new interpreters: a script calls this under ``if __name__ == "__main__":``.

    Args:
        manifest: see `load_manifest`.
        folder: where the outputs go, and the results (see `lightsanim.batch.results`).
        workers: how many processes work on this machine; None for one for each core.
        dask: the address of a Dask scheduler whose workers do the work instead.
        prune: whether the files of works are removed that the manifest names no more.
        listener: told how it goes on.

    Returns:
        What this run did.

    Raises:
        OptionError: for less than one worker, or workers and Dask together.
        OutputError: if the folder cannot be written to, or another run is at work in it.
        ClusterError: if the scheduler cannot be worked with.
    """
    if workers is not None:
        check_whole_number("workers", workers, 1)
    if workers is not None and dask is not None:
        raise OptionError("workers and dask exclude each other; the cluster has its own workers")
    start, folder = time.perf_counter(), Path(folder)
    if not CAN_LOCK:
        listener.on_note(f"this system has no file locks; run no other batch in {folder}")
    with lock_folder(folder) as work:
        finished = {
            r.id: r for r in current_results(read_results(folder)) if outputs_are_intact(folder, r)
        }
        digest = cache(partial(sha256_of_source, folder=manifest.folder))
        tasks = [
            create_task(job, [digest(picture.path) for picture in job.pictures])
            for job in manifest.jobs
        ]
        todo = [task for task in tasks if task.id not in finished]
        up_to_date = [(finished[task.id], task.job.label) for task in tasks if task.id in finished]
        labels, renewed = _update_labels(manifest, folder, up_to_date, listener)
        listener.begin(len(tasks), len(tasks) - len(todo))
        run = _BatchRun(manifest, folder, work, listener)
        prepared = run.prepare_tasks(todo, is_local=dask is None)
        if dask is not None and todo:
            from lightsanim.batch.cluster import (
                run_tasks_on_cluster,
            )  # asyncio takes a while to load

            outcomes = run_tasks_on_cluster(dask, prepared)
        else:
            outcomes = run_tasks_locally(
                prepared, work, min(workers or max_cores(), max(1, len(todo)))
            )
        with closing(outcomes):
            for outcome in outcomes:
                run.record_result(run.store_outputs(outcome))
        pruned = _prune_files(folder, labels.removed, listener) if prune else []
        remove_stale_files(
            folder, [r for r in current_results(read_results(folder)) if r not in pruned]
        )
    failed = tuple(result for result in run.results if result.error is not None)
    return BatchReport(
        jobs=len(tasks),
        made=len(run.results) - len(failed),
        skipped=len(tasks) - len(todo),
        failed=failed,
        renewed=renewed,
        job_seconds=round(sum(result.seconds for result in run.results), 3),
        seconds=round(time.perf_counter() - start, 3),
    )


def _update_labels(
    manifest: Manifest,
    folder: Path,
    up_to_date: list[tuple[Result, Label]],
    listener: BatchListener,
) -> tuple[Labels, int]:
    # Whoever changes a title, or the order of the works, need not make anything again.
    renewed, old_labels = 0, Labels()
    path = os.path.relpath(os.path.realpath(manifest.path), os.path.realpath(folder))
    with suppress(OutputError):  # what is damaged is written again
        old_labels = read_labels(folder)
    labels = merge_labels(old_labels, manifest.labels, path)
    works = dict(labels.works)
    for result, label in up_to_date:
        file = result.files[0]
        old_label = old_labels.works.get(file, NO_LABEL)
        try:
            if (
                old_label != label
                and (relabelled := relabel_result(folder, result, label)) is not result
            ):
                append_result(folder, relabelled)
                renewed += 1
        except LightsAnimError as error:
            listener.on_note(f"the gallery shows what is new of {file}, its files do not: {error}")
            works[file] = old_label  # the next run tries again
    write_labels(folder, replace(labels, works=works))
    newly_removed = sorted(labels.removed - old_labels.removed)
    if remaining := [output for output in newly_removed if os.path.exists(folder / output)]:
        listener.on_note(
            f"no longer in the manifest, and so not in the gallery: {format_names(remaining)}; "
            "the files stay until --prune removes them"
        )
    return labels, renewed


def _prune_files(folder: Path, removed: Collection[str], listener: BatchListener) -> list[Result]:
    # Of works that were taken down; of those that are as the batch wrote them.
    pruned = [
        r
        for r in current_results(read_results(folder))
        if r.files[0] in removed and outputs_are_intact(folder, r)
    ]
    for file in (file for result in pruned for file in result.files):
        remove_path(folder / file)
        with suppress(OSError):  # something else is in it
            os.removedirs((folder / file).parent)
    if pruned:
        listener.on_note(f"removed: {format_names([file for r in pruned for file in r.files])}")
    return pruned


class _BatchRun:
    """What a run holds while its folder is locked."""

    def __init__(
        self, manifest: Manifest, folder: Path, work: Path, listener: BatchListener
    ) -> None:
        self.manifest, self.folder, self.work, self.listener = manifest, folder, work, listener
        self.results: list[Result] = []  # of this run
        self.owned = files_placed_by_batch(folder)
        paths = (picture.path for job in manifest.jobs for picture in job.pictures)
        self.pictures = {os.path.realpath(manifest.folder / path) for path in paths}

    def record_result(self, result: Result) -> None:
        """Note a result, and tell of it."""
        append_result(self.folder, result)
        self.results.append(result)
        self.listener.on_result(result)

    def prepare_tasks(self, tasks: list[Task], *, is_local: bool) -> Iterator[Task]:
        """The tasks with their pictures, one by one; those that cannot be begun are finished."""
        for task in tasks:
            try:
                check_output_paths(self.folder, task.job, self.owned, self.pictures)
                prepared = load_pictures(task, self.manifest.folder, is_local=is_local)
            except LightsAnimError as error:
                self.record_result(make_result(Outcome(task=task, error=str(error))))
            else:
                yield prepared

    def store_outputs(self, outcome: Outcome) -> Result:
        """The result of an outcome, whose files it puts where they belong."""
        task_folder, sums = self.work / outcome.task.id, dict[str, FileSum]()
        if outcome.error is None:
            try:
                if outcome.files is not None:
                    write_task_files(outcome.files, task_folder)
                # Something else may be there by now.
                check_output_paths(self.folder, outcome.task.job, self.owned, self.pictures)
                sums = move_outputs(task_folder, self.folder, outcome.task, self.owned)
            except LightsAnimError as error:
                outcome = replace(outcome, report=None, error=str(error))
        shutil.rmtree(task_folder, ignore_errors=True)
        return make_result(outcome, sums)
