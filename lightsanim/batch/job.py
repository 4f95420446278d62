"""A job: one animation of a batch, and what identifies its result."""

import hashlib
import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path, PurePosixPath
from typing import Any

import attrs

from lightsanim.animation.animation import Animation
from lightsanim.animation.origin import NO_LABEL, Label
from lightsanim.animation.timing import merge_frames
from lightsanim.batch.originals import write_originals
from lightsanim.errors import PictureError
from lightsanim.inputs.load import sha256_of_file_or_folder
from lightsanim.look.theme import Theme
from lightsanim.options.choices import WORD_PREFIXES
from lightsanim.options.outputs import Outputs
from lightsanim.options.records import options_to_json_object, to_json_values
from lightsanim.options.settings import Settings
from lightsanim.pictures.picture import PictureFile
from lightsanim.pictures.source import Source
from lightsanim.pipeline import make_files
from lightsanim.version import __version__

# What a worker leaves in a task's folder: the outputs, and for the gallery the animation and the
# pictures, made small.
OUTPUTS, KEPT_FILE, ORIGINALS = "files", "animation.json", "originals"

# Bytes of the steps of an animation that is kept, of a longer film in fewer frames: more take a
# page of the gallery many seconds to unpack.
MAX_KEPT_BYTES = 2_000_000

# Bytes of a picture that are sent to workers on this machine; others are clips, and too many.
MAX_SENT_BYTES = 20_000_000

# In the batch's folder; see `lightsanim.batch.results`.
RESULTS = "results.jsonl"


@dataclass(frozen=True, kw_only=True)
class Job:
    """One animation of a batch, as its manifest asks for it."""

    pictures: tuple[Source, ...]  # their paths, as the manifest names them, with their own options
    outputs: Outputs  # the files to write, in the batch's folder
    settings: Settings  # the options of `make`
    theme: Theme
    label: Label = NO_LABEL  # what is said of the work, which is no part of the job's id

    @property
    def files(self) -> tuple[str, ...]:
        """All files that it writes, a sheet last; the first one names the job in messages."""
        return tuple(path.as_posix() for path in (*self.outputs.output, self.outputs.sheet) if path)


@dataclass(frozen=True, kw_only=True)
class Task:
    """A job with its pictures: all that a worker needs, on whatever machine."""

    id: str  # see `job_id`
    job: Job  # the job, with a seed
    digests: tuple[str | None, ...]  # the sha256 of each picture; None for one that cannot be read
    pictures: tuple[Source, ...] = ()  # what the pictures hold; empty until the task's turn comes


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What became of a task."""

    task: Task  # the task, without its pictures
    report: dict[str, Any] | None = None  # of `make`; None where it failed
    seconds: float = 0.0  # that it took
    tries: int = 1  # how often it was begun
    error: str | None = None  # why there is no animation, or None
    traceback: str | None = None  # of an error that the program did not expect, or None
    # What was written, by path, where the worker has another file system.
    files: dict[str, bytes] | None = None


def is_safe_output(path: str) -> bool:
    """Whether a path names a file in a batch's folder and cannot lead out of it.

    >>> is_safe_output("faces/sun.gif"), is_safe_output("../a.gif"), is_safe_output("/a.gif")
    (True, False, False)
    """
    parts = PurePosixPath(path).parts
    hidden = any(part.startswith(".") for part in parts)  # "..", and what is the batch's own
    odd = path.startswith("/") or "\\" in path or not path.isprintable()
    return bool(parts) and not hidden and not odd and parts[0] != RESULTS


def create_task(job: Job, digests: Sequence[str | None]) -> Task:
    """The task of a job; where the job has no seed, its pictures decide it."""
    id, settings = job_id(job, digests), job.settings
    if settings.seed is None:
        # The same in every run and every look, and as short as one that is drawn.
        pictures_digest = sha256_of_bytes("".join(map(str, digests)).encode())
        settings = attrs.evolve(settings, seed=int(pictures_digest[:12], 16) % 10**6)
    return Task(id=id, job=replace(job, settings=settings), digests=tuple(digests))


def job_id(job: Job, digests: Sequence[str | None]) -> str:
    """The sha256 of everything that changes a job's result, in hexadecimal.

    That is the content, the names and the own options of the pictures, every option, the names of
    the files, and the program's version.
    """
    pictures = zip(job.pictures, digests, strict=True)
    inputs = {
        "pictures": [(file.name, digest, to_json_values(file.own)) for file, digest in pictures],
        "outputs": [path.as_posix() for path in job.outputs.output],
        "version": __version__,
        **options_to_json(job),
    }
    for name in ("max_bytes", "sheet_columns"):
        if inputs[name] is None:
            del inputs[name]
    return sha256_of_bytes(json.dumps(inputs, sort_keys=True).encode())


def options_to_json(job: Job) -> dict[str, Any]:
    """All options of `make` as JSON."""
    return {
        "settings": options_to_json_object(job.settings),
        "theme": options_to_json_object(job.theme),
        "sheet": job.outputs.sheet and job.outputs.sheet.as_posix(),
        "sheet_frames": job.outputs.sheet_frames,
        "sheet_columns": job.outputs.sheet_columns,
        "max_bytes": job.outputs.max_bytes,
    }


def outputs_in_folder(outputs: Outputs, folder: Path) -> Outputs:
    """The same files in a folder."""
    sheet = outputs.sheet and folder / outputs.sheet
    return attrs.evolve(outputs, output=[folder / path for path in outputs.output], sheet=sheet)


def sha256_of_bytes(content: bytes) -> str:
    """The sha256 of some bytes, in hexadecimal."""
    return hashlib.sha256(content).hexdigest()


def sha256_of_source(path: str, folder: Path) -> str | None:
    """The sha256 of a picture as a manifest in a folder names it; its word decides a sample."""
    if path.startswith(WORD_PREFIXES):
        return sha256_of_bytes(path.encode())
    return sha256_of_picture(folder / path)


def sha256_of_picture(path: Path) -> str | None:
    """The sha256 of a file or of a folder of pictures, or None where it cannot be read."""
    with suppress(OSError, PictureError):
        if path.is_dir() or path.is_file():  # reading a device may never end
            return sha256_of_file_or_folder(path)
    return None


@dataclass(frozen=True, kw_only=True)
class LocalFile(PathLike[str]):
    """A file or folder that workers here read themselves, by the name that the user knows."""

    path: str  # what the user calls it
    location: str  # where it is

    def __fspath__(self) -> str:
        return self.location

    def __str__(self) -> str:
        return self.path


def load_pictures(task: Task, folder: Path, *, is_local: bool = True) -> Task:
    """The task with the content of its pictures; of large ones and folders where they are."""
    sources = zip(task.job.pictures, task.digests, strict=True)
    pictures = (_load_picture(source, digest, folder, is_local) for source, digest in sources)
    return replace(task, pictures=tuple(pictures))


def _load_picture(source: Source, expected: str | None, folder: Path, is_local: bool) -> Source:
    path, location = source.path, folder / source.path
    if path.startswith(WORD_PREFIXES):
        return source
    if expected is None and location.exists():
        raise PictureError(f"cannot read {path}: it is not a file, or may not be read")
    picture: LocalFile | PictureFile
    try:
        if location.is_dir() and not is_local:
            raise PictureError(f"cannot send {path}: it is a folder; make a film of it")
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
    """Make the animation, and write it to an empty folder: `OUTPUTS`, `KEPT_FILE`, `ORIGINALS`."""
    job, files = task.job, folder / OUTPUTS
    for file in job.files:
        (files / file).parent.mkdir(parents=True, exist_ok=True)
    outputs = outputs_in_folder(job.outputs, files)

    def save_kept_animation(animation: Animation) -> None:
        merge_frames(animation, MAX_KEPT_BYTES).save(folder / KEPT_FILE)
        write_originals(task.pictures, job.settings, folder / ORIGINALS)

    report = make_files(
        task.pictures,
        job.settings,
        job.theme,
        outputs,
        on_written=save_kept_animation,
        label=job.label,
    )
    return replace(report, outputs=list(job.files)).as_dict()
