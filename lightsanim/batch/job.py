"""Jobs of a batch: one animation each, its id, and the task that makes it."""

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

# Contents of a task's folder: the outputs; for the gallery the animation and small pictures.
OUTPUTS, KEPT_FILE, ORIGINALS = "files", "animation.json", "originals"
MAX_KEPT_BYTES = 2_000_000  # Bytes; longer animations lose frames, since pages unpack them slowly.
MAX_SENT_BYTES = 20_000_000  # Local workers read larger files, which are clips, themselves.
RESULTS = "results.jsonl"  # Results file in the batch's folder: see `lightsanim.batch.results`.


@dataclass(frozen=True, kw_only=True)
class Job:
    """One animation of a batch, as its manifest describes it."""

    pictures: tuple[Source, ...]  # Paths as in the manifest, with the pictures' own options.
    outputs: Outputs  # Paths relative to the batch's folder.
    settings: Settings
    theme: Theme
    label: Label = NO_LABEL  # the title, credit and so on, which do not change the job's id

    @property
    def files(self) -> tuple[str, ...]:
        """All output files, a contact sheet last; the first names the job in messages."""
        return tuple(path.as_posix() for path in (*self.outputs.output, self.outputs.sheet) if path)


@dataclass(frozen=True, kw_only=True)
class Task:
    """A job with the content of its pictures, so that a worker on any machine can run it."""

    id: str
    job: Job
    digests: tuple[str | None, ...]  # The sha256 of each picture, or None if unreadable.
    pictures: tuple[Source, ...] = ()  # Pictures with content; empty until `load_pictures`.


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """The outcome of a task: a report, or an error."""

    task: Task  # the task without its pictures
    report: dict[str, Any] | None = None
    seconds: float = 0.0
    tries: int = 1
    error: str | None = None
    traceback: str | None = None  # Only of an unexpected error, a fault of the program.
    files: dict[str, bytes] | None = None  # Files by path, from a worker on a cluster.


def is_safe_output(path: str) -> bool:
    """Return whether a path names a file inside the batch's folder, and none of the batch's own.

    >>> is_safe_output("faces/sun.gif"), is_safe_output("../a.gif"), is_safe_output("/a.gif")
    (True, False, False)
    """
    parts = PurePosixPath(path).parts
    hidden = any(part.startswith(".") for part in parts)  # includes ".." and ".lightsanim"
    odd = path.startswith("/") or "\\" in path or not path.isprintable()
    return bool(parts) and not hidden and not odd and parts[0] != RESULTS


def create_task(job: Job, digests: Sequence[str | None]) -> Task:
    """Create the task of a job; without a seed, derive one from the pictures."""
    id, settings = job_id(job, digests), job.settings
    if settings.seed is None:
        # The seed is equal in every run and for every theme, and has six digits like random seeds.
        pictures_digest = sha256_of_bytes("".join(map(str, digests)).encode())
        settings = attrs.evolve(settings, seed=int(pictures_digest[:12], 16) % 10**6)
    return Task(id=id, job=replace(job, settings=settings), digests=tuple(digests))


def job_id(job: Job, digests: Sequence[str | None]) -> str:
    """Return the sha256 of all that changes a job's result, in hexadecimal.

    These are the content, names and own options of the pictures, all options, the output names and
    the program's version.
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
    """Return all options of a job as JSON values."""
    return {
        "settings": options_to_json_object(job.settings),
        "theme": options_to_json_object(job.theme),
        "sheet": job.outputs.sheet and job.outputs.sheet.as_posix(),
        "sheet_frames": job.outputs.sheet_frames,
        "sheet_columns": job.outputs.sheet_columns,
        "max_bytes": job.outputs.max_bytes,
    }


def outputs_in_folder(outputs: Outputs, folder: Path) -> Outputs:
    """Return the outputs with all paths inside a folder."""
    sheet = outputs.sheet and folder / outputs.sheet
    return attrs.evolve(outputs, output=[folder / path for path in outputs.output], sheet=sheet)


def sha256_of_bytes(content: bytes) -> str:
    """Return the sha256 in hexadecimal."""
    return hashlib.sha256(content).hexdigest()


def sha256_of_source(path: str, folder: Path) -> str | None:
    """Return the sha256 of a manifest's picture: of its content, or of the name of a sample."""
    if path.startswith(WORD_PREFIXES):
        return sha256_of_bytes(path.encode())
    return sha256_of_picture(folder / path)


def sha256_of_picture(path: Path) -> str | None:
    """Return the sha256 of a file or a folder of pictures, or None if it cannot be read."""
    with suppress(OSError, PictureError):
        if path.is_dir() or path.is_file():  # not a device, whose content may never end
            return sha256_of_file_or_folder(path)
    return None


@dataclass(frozen=True, kw_only=True)
class LocalFile(PathLike[str]):
    """A file or folder that local workers read themselves, shown under the manifest's path."""

    path: str
    location: str

    def __fspath__(self) -> str:
        return self.location

    def __str__(self) -> str:
        return self.path


def load_pictures(task: Task, folder: Path, *, is_local: bool = True) -> Task:
    """Return the task with its pictures' content; large files and folders as a `LocalFile`."""
    sources = zip(task.job.pictures, task.digests, strict=True)
    pictures = (_load_picture(source, digest, folder, is_local) for source, digest in sources)
    return replace(task, pictures=tuple(pictures))


def _load_picture(source: Source, expected: str | None, folder: Path, is_local: bool) -> Source:
    path, location = source.path, folder / source.path
    if path.startswith(WORD_PREFIXES):
        return source
    if expected is None and location.exists():
        raise PictureError(f"cannot read {path}: not a regular file, or permission denied")
    picture: LocalFile | PictureFile
    try:
        if location.is_dir() and not is_local:
            raise PictureError(f"cannot send {path}: it is a folder; make a video file of it")
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
