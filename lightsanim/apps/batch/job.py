"""Jobs of a batch: a job describes one animation; a task is a job with all data to run it."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any, Self

import attrs

from lightsanim.errors import PictureError
from lightsanim.film.animation import Animation
from lightsanim.film.origin import NO_LABEL, Label
from lightsanim.film.timing import merge_frames
from lightsanim.options.outputs import OutputFile, Outputs
from lightsanim.options.records import options_to_json_object, to_json_value, to_json_values
from lightsanim.options.settings import Settings
from lightsanim.output.look.theme import Theme
from lightsanim.pictures.load import sha256_of_file_or_folder
from lightsanim.pictures.picture import PictureFile
from lightsanim.pictures.source import Source
from lightsanim.pictures.words.table import find_word
from lightsanim.pipeline import make_files
from lightsanim.version import __version__
from .job_table import Table, parse_job_table
from .originals import write_originals

# In a task's folder: the outputs, and the kept animation beside small pictures.
OUTPUTS, KEPT_FOLDER, KEPT_FILE = "files", "kept", "animation.json"
MAX_KEPT_BYTES = 2_000_000  # Bytes; larger kept animations lose frames: pages unpack them slowly.
MAX_SENT_BYTES = 20_000_000  # Bytes; workers on this machine read larger files themselves.


@dataclass(frozen=True, init=False)
class Job:
    """One animation of a batch.

    Args:
        pictures: two or more paths, or a single clip; a `Source` has options of its own.
        output: file in the batch's folder, or a table with its ``path`` and its options, or a list
            of these.
        options: everything that a manifest's table can have: options of `make` and of
            the look, ``sheet``, ``canvas``, ``max_bytes``, ``title``, ``caption``, ``credit``, ...

    Raises:
        ManifestError: with all problems of the job.

    >>> Job(["a.png", "b.png"], "ab.gif", order="radial", title="From A to B").files
    ('ab.gif',)
    """

    pictures: tuple[Source, ...]  # Pictures by the manifest's paths, with their own options.
    outputs: Outputs  # Outputs with paths relative to the batch's folder.
    settings: Settings
    theme: Theme
    label: Label = NO_LABEL  # the title, credit and so on, which do not change the job's id

    def __init__(
        self,
        pictures: Sequence[str | PathLike[str] | Source],
        output: str | PathLike[str] | Mapping[str, Any] | Sequence[Any],
        /,
        **options: Any,
    ) -> None:
        table = {**options, "pictures": pictures, "output": output}
        vars(self).update(parse_job_table(table, Path()))

    @classmethod
    def from_table(cls, table: Table, folder: Path) -> Self:
        """Return the job that a manifest's table describes; ``folder`` is the manifest's."""
        job = cls.__new__(cls)
        vars(job).update(parse_job_table(table, folder))
        return job

    @property
    def files(self) -> tuple[str, ...]:
        """All output files, a contact sheet last; messages name the job by the first file."""
        return tuple(file.path.as_posix() for file in self.output_files)

    @property
    def output_files(self) -> tuple[OutputFile, ...]:
        """All output files with their own options, a contact sheet last."""
        return tuple(file for file, _ in self.outputs.files)


@dataclass(frozen=True, kw_only=True)
class Task:
    """A job with the content of its pictures, so that a worker on any machine can run it."""

    id: str
    job: Job
    digests: tuple[str | None, ...]  # The sha256 of each picture, or None if unreadable.
    pictures: tuple[Source, ...] = ()  # The pictures with their content, set by `load_pictures`.


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """The outcome of a task: a report, or an error."""

    task: Task  # the task without its pictures
    report: dict[str, Any] | None = None
    seconds: float = 0.0
    tries: int = 1
    error: str | None = None
    traceback: str | None = None  # Set only if the program itself failed.
    files: dict[str, bytes] | None = None  # Contents of the files by path, if a cluster made them.


def create_task(job: Job, digests: Sequence[str | None]) -> Task:
    """Create the task of a job; if the job has no seed, derive a seed from the pictures."""
    id, settings = job_id(job, digests), job.settings
    if settings.seed is None:
        # The seed is the same in all runs and themes; like random seeds, it has six digits at most.
        pictures_digest = sha256_of_bytes("".join(map(str, digests)).encode())
        settings = attrs.evolve(settings, seed=int(pictures_digest[:12], 16) % 10**6)
    job = copy(job)
    vars(job)["settings"] = settings
    return Task(id=id, job=job, digests=tuple(digests))


def job_id(job: Job, digests: Sequence[str | None]) -> str:
    """Return the hexadecimal sha256 of everything on which a job's result depends."""
    pictures = zip(job.pictures, digests, strict=True)
    inputs = {
        "pictures": [(file.name, digest, to_json_values(file.own)) for file, digest in pictures],
        "outputs": [str(file) for file in job.output_files],
        "version": __version__,
        **options_to_json(job),
    }
    return sha256_of_bytes(json.dumps(inputs, sort_keys=True).encode())


def options_to_json(job: Job) -> dict[str, Any]:
    """Return all options of a job as JSON values."""
    return {
        "settings": options_to_json_object(job.settings),
        "theme": options_to_json_object(job.theme),
        "sheet": job.outputs.sheet and job.outputs.sheet.path.as_posix(),
        "max_bytes": job.outputs.max_bytes,
        "canvas": to_json_value(job.outputs.canvas),
    }


def outputs_in_folder(outputs: Outputs, folder: Path) -> Outputs:
    """Return a copy of the outputs with paths in ``folder``."""
    films = [attrs.evolve(file, path=folder / file.path) for file in outputs.output]
    return attrs.evolve(
        outputs,
        output=films,
        sheet=outputs.sheet and attrs.evolve(outputs.sheet, path=folder / outputs.sheet.path),
    )


def sha256_of_bytes(content: bytes) -> str:
    """Return the hexadecimal sha256 of some bytes."""
    return hashlib.sha256(content).hexdigest()


def sha256_of_source(path: str, folder: Path) -> str | None:
    """Return the sha256 of a picture: of its content, or of the name of a sample picture."""
    is_file = find_word(path).is_file
    return sha256_of_picture(folder / path) if is_file else sha256_of_bytes(path.encode())


def sha256_of_picture(path: Path) -> str | None:
    """Return the sha256 of a file or a folder of pictures, or None if it cannot be read."""
    with suppress(OSError, PictureError):
        if path.is_dir() or path.is_file():  # not a device: its content may be endless
            return sha256_of_file_or_folder(path)
    return None


@dataclass(frozen=True, kw_only=True)
class LocalFile(PathLike[str]):
    """A file or folder that workers on this machine read; `str` returns the manifest's path."""

    path: str
    location: str

    def __fspath__(self) -> str:
        return self.location

    def __str__(self) -> str:
        return self.path


def load_pictures(task: Task, folder: Path, *, is_local: bool = True) -> Task:
    """Return the task with its pictures loaded; large files and folders become a `LocalFile`."""
    pictures = (
        _load_picture(source, digest, folder, is_local)
        for source, digest in zip(task.job.pictures, task.digests, strict=True)
    )
    return replace(task, pictures=tuple(pictures))


def _load_picture(source: Source, expected: str | None, folder: Path, is_local: bool) -> Source:
    path, location = source.path, folder / source.path
    if not source.meaning.is_file:
        return source
    if expected is None and location.exists():
        raise PictureError(f"cannot read {path}: it is no regular file, or permission is denied")
    picture: LocalFile | PictureFile
    try:
        if location.is_dir() and not is_local:
            raise PictureError(f"cannot send {path}: it is a folder; a cluster needs a video file")
        if location.is_dir() or (is_local and location.stat().st_size > MAX_SENT_BYTES):
            picture = LocalFile(path=path, location=str(location))
            digest = sha256_of_picture(location)
        else:
            picture = PictureFile(path=path, content=location.read_bytes())
            digest = sha256_of_bytes(picture.content)
    except OSError as error:
        raise PictureError(f"cannot read {path}: {error.strerror}") from error
    if digest != expected:
        raise PictureError(f"{path} was changed while the batch ran; run it again")
    return Source(picture, **source.own)


def run_task(task: Task, folder: Path) -> dict[str, Any]:
    """Make an animation, write it and its small pictures to a folder, and return the report."""
    job, files, kept = task.job, folder / OUTPUTS, folder / KEPT_FOLDER
    for file in (kept / KEPT_FILE, *map(files.joinpath, job.files)):
        file.parent.mkdir(parents=True, exist_ok=True)
    outputs = outputs_in_folder(job.outputs, files)

    def keep_animation(animation: Animation) -> None:
        merge_frames(animation, MAX_KEPT_BYTES).save(kept / KEPT_FILE)
        write_originals(task.pictures, job.settings, kept)

    report = make_files(
        task.pictures, job.settings, job.theme, outputs, on_written=keep_animation, label=job.label
    )
    return replace(report, outputs=list(job.files)).as_dict()
