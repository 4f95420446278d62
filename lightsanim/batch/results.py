"""What a batch has done: one line of JSON for each job, appended when the job is finished.

The last line of a job counts.  A line that is not JSON was cut off when a run was killed, and is
skipped; members that a later version adds are ignored.
"""

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from lightsanim.batch.job import KEPT_FILE, RESULTS, Outcome, options_to_json
from lightsanim.errors import OutputError
from lightsanim.formats.json_text import PLAIN
from lightsanim.options.records import to_json_values
from lightsanim.version import __version__

# What was written to an output: its size in bytes and its sha256.
FileSum = dict[str, Any]
NO_FILE: FileSum = {"bytes": 0, "sha256": None}


@dataclass(frozen=True, kw_only=True)
class Result:
    """A line of the results: what a job was, and what became of it."""

    id: str  # the sha256 of all that changes the result
    version: str  # of the program
    # Each with its path, its sha256 (None if it could not be read), and its own options.
    pictures: list[dict[str, Any]]
    # Each with its path, its bytes and its sha256 (see `sha256_of_output`); a sheet is the last.
    outputs: list[dict[str, Any]]
    kept: str | None  # the sha256 of the animation that is kept for the gallery
    settings: dict[str, Any]  # all options of `make`, with the seed that was used
    theme: dict[str, Any]  # the look
    sheet: str | None
    sheet_frames: int
    report: dict[str, Any] | None  # of `make`; None where it failed
    seconds: float  # that it took
    tries: int  # more than 1: a worker of this machine died
    error: str | None  # why there is no animation
    traceback: str | None = None  # where the program failed, if that is its own mistake
    max_bytes: int | None = None
    sheet_columns: int | None = None

    @property
    def files(self) -> list[str]:
        """The files written, relative to the batch's folder; the first names the animation."""
        return [output["path"] for output in self.outputs]


def make_result(outcome: Outcome, sums: Mapping[str, FileSum] = {}) -> Result:
    """The result of a finished task, whether it succeeded or failed."""
    task, job = outcome.task, outcome.task.job
    return Result(
        id=task.id,
        version=__version__,
        pictures=[
            {"path": picture.path, "sha256": digest, "own": to_json_values(picture.own)}
            for picture, digest in zip(job.pictures, task.digests, strict=True)
        ],
        outputs=[{"path": file, **sums.get(file, NO_FILE)} for file in job.files],
        kept=sums.get(KEPT_FILE, NO_FILE)["sha256"],
        **options_to_json(job),
        report=outcome.report,
        seconds=round(outcome.seconds, 3),
        tries=outcome.tries,
        error=outcome.error,
        traceback=outcome.traceback,
    )


def read_results(folder: Path) -> list[Result]:
    """The last result of each job in a batch's folder, oldest first; none without a file."""
    path, field_names = folder / RESULTS, {field.name for field in fields(Result)}
    latest: dict[str, Result] = {}
    try:
        with path.open(encoding="utf-8", errors="replace", newline="\n") as lines:
            for number, line in enumerate(lines, start=1):
                try:
                    members = json.loads(line)
                    result = Result(**{name: members[name] for name in field_names & set(members)})
                except ValueError:
                    continue  # cut off
                except TypeError as error:
                    raise OutputError(
                        f"{path}, line {number} is not a result of lightsanim; "
                        "remove it to make its animation again"
                    ) from error
                earlier = latest.get(result.id)
                # With the same report it has new words only, and keeps its place.
                if earlier and earlier.report != result.report:
                    del latest[result.id]
                latest[result.id] = result
    except FileNotFoundError:
        return []
    except OSError as error:
        raise OutputError(f"cannot read {path}: {error.strerror}") from error
    return list(latest.values())


def current_results(results: Iterable[Result]) -> list[Result]:
    """The results with files that no later one has written over, in the order given."""
    good = [result for result in results if result.error is None]
    owners = {file: result.id for result in good for file in result.files}
    return [result for result in good if all(owners[file] == result.id for file in result.files)]


def append_result(folder: Path, result: Result) -> None:
    """Append a result to the others, and wait until it is on the disk."""
    path = folder / RESULTS
    try:
        with path.open("ab+") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - 1))
            if file.read() not in (b"", b"\n"):
                file.write(b"\n")  # what a killed run has cut off stays a line of its own
            file.write(PLAIN.encode(vars(result)).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror}") from error
