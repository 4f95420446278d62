"""The results file of a batch: one line of JSON for each job, appended when the job is finished.

The last line with an id counts.  Lines that are not JSON (since a killed run left them incomplete)
are skipped, and unknown members (of later versions) are ignored.
"""

import json
import os
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from lightsanim.errors import OutputError
from lightsanim.options.records import to_json_values
from lightsanim.output.formats.json_text import PLAIN
from lightsanim.output.saving.atomic import output_errors
from lightsanim.version import __version__
from .job import KEPT_FILE, Outcome, options_to_json
from .job_table import RESULTS

FileSum = dict[str, Any]  # an output's members "bytes" (its size), "mtime_ns" and "sha256"
NO_FILE: FileSum = {"bytes": 0, "sha256": None}


@dataclass(frozen=True, kw_only=True)
class Result:
    """The record of a job and its outcome: one line of the results file."""

    id: str
    version: str
    pictures: list[dict[str, Any]]  # Each picture has path, sha256 (or None), own options.
    # Each output has path, bytes, mtime_ns, sha256 and its own options; a contact sheet is last.
    outputs: list[dict[str, Any]]
    kept: str | None  # sha256 of the animation that is kept for the gallery.
    settings: dict[str, Any]
    theme: dict[str, Any]
    sheet: str | None
    report: dict[str, Any] | None  # None if the job failed
    seconds: float
    tries: int  # number of attempts; more than 1 if a worker on this machine died
    error: str | None
    traceback: str | None = None  # set only if the program itself failed
    max_bytes: int | None = None
    canvas: str | None = None
    # Members "bytes" and "mtime_ns" of that animation; version 1.0 recorded no times.
    kept_stat: dict[str, int] | None = None
    updated_at: int | None = None  # seconds since 1970; of the line; earlier versions have none

    def __post_init__(self) -> None:
        # A results file may be a stranger's.
        objects = [*self.pictures, *self.outputs, self.settings, self.theme]
        objects += [self.report or {}, self.kept_stat or {}]
        paths = [picture["path"] for picture in (*self.pictures, *self.outputs)]
        texts = [self.id, *paths, *filter(None, [self.error, self.kept, self.sheet])]
        are_objects = all(isinstance(each, dict) for each in objects)
        if not (are_objects and all(isinstance(text, str) for text in texts) and self.outputs):
            raise TypeError("members of a result have other types")

    def __repr__(self) -> str:
        return f"<Result {self.files[0]}: {self.error or 'made'}>"

    @property
    def own_options(self) -> list[dict[str, Any]]:
        """The options that each output has itself; a stranger's results may have anything."""
        own = (output.get("own") for output in self.outputs)
        return [options if isinstance(options, dict) else {} for options in own]

    @property
    def files(self) -> list[str]:
        """The paths of all outputs in the batch's folder; the first identifies the animation."""
        return [output["path"] for output in self.outputs]


def make_result(outcome: Outcome, sums: Mapping[str, FileSum] = {}) -> Result:
    """Build the result of a task's outcome; ``sums`` maps its files to size and sha256."""
    task, job, kept = outcome.task, outcome.task.job, sums.get(KEPT_FILE, NO_FILE)
    return Result(
        id=task.id,
        version=__version__,
        pictures=[
            {"path": picture.path, "sha256": digest, "own": to_json_values(picture.own)}
            for picture, digest in zip(job.pictures, task.digests, strict=True)
        ],
        outputs=[
            {"path": name, **sums.get(name, NO_FILE), "own": to_json_values(file.own)}
            for name, file in zip(job.files, job.output_files, strict=True)
        ],
        kept=kept["sha256"],
        kept_stat={name: kept[name] for name in kept if name != "sha256"},
        **options_to_json(job),
        seconds=round(outcome.seconds, 3),
        **{name: getattr(outcome, name) for name in ("report", "tries", "error", "traceback")},
    )


def read_results(folder: Path) -> list[Result]:
    """Return the latest result of each job, oldest first; return [] if there is no results file."""
    path, field_names = folder / RESULTS, {field.name for field in fields(Result)}
    latest: dict[str, Result] = {}
    try:
        with path.open(encoding="utf-8", errors="replace", newline="\n") as lines:
            for number, line in enumerate(lines, start=1):
                try:
                    members = json.loads(line)
                    result = Result(**{name: members[name] for name in field_names & set(members)})
                except (ValueError, RecursionError):
                    continue  # a killed run may leave an incomplete line
                except (TypeError, KeyError, AttributeError) as error:
                    raise OutputError(
                        f"{path}, line {number}, is not a result of lightsanim; remove the line, "
                        "and run the batch again"
                    ) from error
                earlier = latest.get(result.id)
                # An equal report means that only the label changed: the result keeps its place.
                if earlier and earlier.report != result.report:
                    del latest[result.id]
                latest[result.id] = result
    except FileNotFoundError:
        return []
    except OSError as error:
        raise OutputError(f"cannot read {path}: {error.strerror}") from error
    return list(latest.values())


def current_results(results: Iterable[Result]) -> list[Result]:
    """Return the successful results whose files no later result has overwritten, in order."""
    good = [result for result in results if result.error is None]
    owners = {file: result.id for result in good for file in result.files}
    return [result for result in good if all(owners[file] == result.id for file in result.files)]


def append_result(folder: Path, result: Result) -> None:
    """Append a result with the current time to the results file, and flush it to the disk."""
    path, members = folder / RESULTS, {**vars(result), "updated_at": int(time.time())}
    with output_errors(path), path.open("ab+") as file:
        file.seek(max(0, file.seek(0, os.SEEK_END) - 1))
        if file.read() not in (b"", b"\n"):
            file.write(b"\n")  # ends a line that a killed run left incomplete
        file.write(PLAIN.encode(members).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())
