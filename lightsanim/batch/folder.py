"""A batch's folder: its lock, where tasks are worked on, how finished files come to their place.

Beside the outputs it holds the results, and a folder `.lightsanim` with the batch's own things:
`lock`, `work/` for tasks that are being worked on, and one animation for each id.
"""

import fcntl
import os
import shutil
from collections.abc import Container, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from lightsanim.animate.animation import Animation
from lightsanim.animate.document import load_animation
from lightsanim.batch.job import FILES, KEPT, Job, Task, stays_inside
from lightsanim.batch.results import Result
from lightsanim.errors import OutputError

OWN = ".lightsanim"
WORK = "work"


@contextmanager
def locked(folder: Path) -> Iterator[Path]:
    """A batch's folder for this run alone; it is made where it is not there.

    Yields:
        An empty folder to work in, on the same file system; it is gone when the run is over.

    Raises:
        OutputError: if another run is at work in it, or it cannot be written to.
    """
    own = folder / OWN
    work = own / WORK
    with ExitStack() as stack:
        try:
            own.mkdir(parents=True, exist_ok=True)
            lock = stack.enter_context(open(own / "lock", "w"))
            # The system gives the lock back however this process ends.
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            stack.callback(shutil.rmtree, work, ignore_errors=True)
            shutil.rmtree(work, ignore_errors=True)  # a killed run's
            work.mkdir()
        except BlockingIOError:
            raise OutputError(f"another run is at work in {folder}; wait for its end") from None
        except OSError as error:
            raise OutputError(f"cannot write to {folder}: {error.strerror}") from error
        yield work


def kept_animation(folder: Path, result: Result) -> Animation:
    """The animation that a batch has kept of a result.

    Raises:
        AnimationError: if it is missing or damaged.
    """
    return load_animation(_kept(folder, result.id))


def is_whole(folder: Path, result: Result) -> bool:
    """Is everything there that a result says was written?"""
    return _kept(folder, result.id).is_file() and all(
        size_of(folder / output["path"]) == output["bytes"] for output in result.outputs
    )


def size_of(path: Path) -> int | None:
    """The octets of a file, or of all files in a folder; None where there is neither."""
    try:
        if path.is_dir():
            return sum(file.stat().st_size for file in path.iterdir())
        return path.stat().st_size
    except OSError:
        return None


def check_places(folder: Path, job: Job, own: Container[str], pictures: Container[str]) -> None:
    """May a job's files be put where it wants them?

    Args:
        folder: of the batch.
        job: the job.
        own: files and folders of the batch's earlier results, which may be replaced.
        pictures: the real paths of all pictures of the batch, which may not.

    Raises:
        OutputError: if a link would lead out of the folder, or something else is in the way.
    """
    root = Path(os.path.realpath(folder))
    for file in job.files:
        target = folder / file
        place = os.path.realpath(target)
        if root not in Path(place).parents:
            raise OutputError(f"cannot write {file}: a link leads out of {folder}")
        if place in pictures:
            raise OutputError(f"cannot write {file}: it is one of the pictures")
        if any(parent.is_file() for parent in target.parents):
            raise OutputError(f"cannot write {file}: a file stands where its folder should be")
        if target.is_dir() and (target.suffix or (file not in own and any(target.iterdir()))):
            raise OutputError(f"cannot write {file}: a folder that is not this batch's is there")


def pack(work: Path) -> dict[str, bytes]:
    """All files in a task's folder, by their paths from there."""
    files = (path for path in work.rglob("*") if path.is_file())
    return {path.relative_to(work).as_posix(): path.read_bytes() for path in files}


def unpack(files: dict[str, bytes], work: Path) -> None:
    """The inverse of `pack`, into a new folder.

    Raises:
        OutputError: if a path leads out of it, or the operating system refuses.
    """
    for file, content in files.items():
        if not stays_inside(file):
            raise OutputError(f"a worker returned a file that leads elsewhere: {file!r}")
        try:
            (work / file).parent.mkdir(parents=True, exist_ok=True)
            (work / file).write_bytes(content)
        except OSError as error:
            raise OutputError(f"cannot write {file}: {error.strerror}") from error


def put_in_place(work: Path, folder: Path, task: Task) -> dict[str, int]:
    """Move a task's finished files to where they belong, each in one step.

    Returns:
        The octets of each.

    Raises:
        OutputError: if the operating system refuses.
    """
    sizes = {}
    try:
        for file in task.job.files:
            source, target = work / FILES / file, folder / file
            target.parent.mkdir(parents=True, exist_ok=True)
            if target.is_dir():
                shutil.rmtree(target)
            os.replace(source, target)
            sizes[file] = size_of(target) or 0
        os.replace(work / KEPT, _kept(folder, task.id))
    except OSError as error:
        raise OutputError(f"cannot write {file}: {error.strerror}") from error
    return sizes


def forget_others(folder: Path, results: Iterable[Result]) -> None:
    """Remove the kept animations of all but these results."""
    wanted = {_kept(folder, result.id) for result in results}
    for path in (folder / OWN).glob("*.json"):
        if path not in wanted:
            path.unlink()


def _kept(folder: Path, id: str) -> Path:
    return folder / OWN / f"{id}.json"
