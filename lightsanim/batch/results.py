"""What a batch has done: one line of JSON for each job, appended when the job is finished.

    {"id": "...",                            sha256 of all that changes the result
     "version": "0.1.0",                     of the program
     "pictures": [{"path": "sun.png", "sha256": "..."}],    null: it could not be read
     "outputs": [{"path": "sun.gif", "bytes": 123456, "sha256": "..."}],    a sheet is the last;
                                             of a folder: of its files' names and sums
     "kept": "...",                          sha256 of the animation kept for the gallery, or null
     "settings": {"size": "60", ...},        all options of `make`, with the seed that was used
     "theme": {"palette": "ink", ...},
     "sheet": null, "sheet_frames": 4,
     "report": {...},                        of `make`, or null
     "seconds": 0.41, "tries": 1,            more than 1: a worker of this machine died
     "error": null}                          or why there is no animation

The last line of a job counts.  A line that was cut off, as a killed run leaves it, is none.
"""

import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO, Self

from lightsanim.batch.job import KEPT, RESULTS, Task, stays_inside
from lightsanim.errors import OutputError
from lightsanim.version import __version__


@dataclass(frozen=True, kw_only=True)
class Result:
    """A line of the results; its members are explained at the head of this module."""

    id: str
    version: str
    pictures: list[dict[str, str | None]]
    outputs: list[dict[str, Any]]
    kept: str | None
    settings: dict[str, Any]
    theme: dict[str, Any]
    sheet: str | None
    sheet_frames: int
    report: dict[str, Any] | None
    seconds: float
    tries: int
    error: str | None

    @property
    def files(self) -> list[str]:
        """The files written, relative to the batch's folder; the first names the animation."""
        return [output["path"] for output in self.outputs]

    @classmethod
    def from_line(cls, line: str) -> Self | None:
        """The result that a line holds, or None for one that was cut off or is something else.

        >>> Result.from_line('{"id": "12') is None
        True
        """
        try:
            result = cls(**json.loads(line))
            return result if result._is_sound() else None
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return None

    def _is_sound(self) -> bool:
        kinds = {
            **dict.fromkeys(("id", "version"), str),
            **dict.fromkeys(("settings", "theme"), dict),
            **dict.fromkeys(("seconds", "tries", "sheet_frames"), int | float),
            **dict.fromkeys(("report",), dict | None),
            **dict.fromkeys(("error", "sheet", "kept"), str | None),
        }
        return (
            all(isinstance(getattr(self, name), kind) for name, kind in kinds.items())
            and re.fullmatch("[0-9a-f]{64}", self.id) is not None
            and bool(self.outputs)
            and all(isinstance(picture["path"], str) for picture in self.pictures)
            and all(isinstance(picture["sha256"], str | None) for picture in self.pictures)
            and all(stays_inside(output["path"]) for output in self.outputs)
            and all(isinstance(output["bytes"], int) for output in self.outputs)
            and all(isinstance(output["sha256"], str | None) for output in self.outputs)
            and (self.error is not None) == (self.report is None)
        )

    def as_line(self) -> str:
        """The result as one line of JSON."""
        return json.dumps(asdict(self)) + "\n"


@dataclass(frozen=True, kw_only=True)
class Written:
    """What is in an output: how many octets, and their sha256 (see `folder.sum_of`)."""

    octets: int = 0
    sha256: str | None = None


def result_of(
    task: Task,
    *,
    report: dict[str, Any] | None = None,
    written: Mapping[str, Written] = MappingProxyType({}),
    seconds: float = 0.0,
    tries: int = 1,
    error: str | None = None,
) -> Result:
    """The result of a task that is finished, well or badly.

    Args:
        task: the task.
        report: of `make`.
        written: what is in each file, and in `KEPT`.
        seconds: that it took.
        tries: how often it was begun.
        error: why there is no animation.
    """
    job, nothing = task.job, Written()
    contents = [(file, written.get(file, nothing)) for file in job.files]
    return Result(
        id=task.id,
        version=__version__,
        pictures=[
            {"path": path, "sha256": known}
            for path, known in zip(job.pictures, task.digests, strict=True)
        ],
        outputs=[
            {"path": file, "bytes": content.octets, "sha256": content.sha256}
            for file, content in contents
        ],
        kept=written.get(KEPT, nothing).sha256,
        settings=asdict(job.settings),
        theme=asdict(job.theme),
        sheet=job.sheet,
        sheet_frames=job.sheet_frames,
        report=report,
        seconds=round(seconds, 3),
        tries=tries,
        error=error,
    )


def read_results(folder: Path) -> list[Result]:
    """The last result of each job in a batch's folder, oldest first; none where there is no file.

    Raises:
        OutputError: if the file is there, but cannot be read.
    """
    path = folder / RESULTS
    if path.exists() and not path.is_file():
        raise OutputError(f"cannot read {path}: it is not a file")
    last: dict[str, Result] = {}
    try:
        with path.open(encoding="utf-8", errors="replace", newline="\n") as lines:
            for result in filter(None, map(Result.from_line, lines)):
                last.pop(result.id, None)
                last[result.id] = result
    except FileNotFoundError:
        return []
    except OSError as error:
        raise OutputError(f"cannot read {path}: {error.strerror}") from error
    return list(last.values())


def standing(results: Iterable[Result]) -> list[Result]:
    """The results with files that no later one has written over, in the order given."""
    good = [result for result in results if result.error is None]
    owner = {file: result.id for result in good for file in result.files}
    return [result for result in good if all(owner[file] == result.id for file in result.files)]


def append_result(folder: Path, result: Result) -> None:
    """Write a result behind the others, for good.

    Raises:
        OutputError: if it cannot be written.
    """
    path = folder / RESULTS
    try:
        with path.open("ab+") as file:
            # What a killed run has cut off stays a line of its own.
            file.write(b"" if _ends_a_line(file) else b"\n")
            file.write(result.as_line().encode())
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror}") from error


def _ends_a_line(file: BinaryIO) -> bool:
    if file.seek(0, os.SEEK_END) == 0:
        return True
    file.seek(-1, os.SEEK_END)
    return file.read(1) == b"\n"
