"""The folder of a batch: lock it, check it, and move finished files into it.

The folder holds the outputs, the results file, and a subfolder `.lightsanim` with

- `lock`, and `work/`, the folders of running tasks
- for each result `ID/`, its animation and small pictures (once `ID.json` and `ID.originals/`)
- `labels`: see `lightsanim.apps.batch.labels`
- `placed`: the list of outputs that the batch wrote; it never overwrites other files
"""

import json
import os
import re
import shutil
from collections.abc import Container, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from lightsanim.errors import OutputError
from lightsanim.film.animation import Animation
from lightsanim.film.origin import SHA256
from lightsanim.options.values import numbered_file_names
from lightsanim.output.formats.json_animation import load_json
from lightsanim.output.saving.atomic import (
    FileReplacement,
    move_files_together,
    output_errors,
    remove_path,
)
from lightsanim.system.posix import lock_file
from .job import KEPT_FILE, KEPT_FOLDER, OUTPUTS, Job, Task, sha256_of_bytes, sha256_of_picture
from .results import FileSum, Result

STATE_FOLDER = ".lightsanim"
WORK_FOLDER = "work"
PLACED_LIST = "placed"
FRAME_FILE = re.compile(r"\d{5,}\.png")  # file name of a frame in a folder of PNGs


@contextmanager
def lock_folder(folder: Path, state: Path | None = None) -> Iterator[Path]:
    """Lock a folder, and yield a working folder in ``state``, by default its `.lightsanim`."""
    state = state or folder / STATE_FOLDER
    work = state / WORK_FOLDER
    with ExitStack() as stack:
        try:
            state.mkdir(parents=True, exist_ok=True)
            lock = stack.enter_context(open(state / "lock", "a"))
            lock_file(lock)
            stack.callback(shutil.rmtree, work, ignore_errors=True)
            shutil.rmtree(work, ignore_errors=True)  # a killed run may have left the folder
            work.mkdir()
        except BlockingIOError:
            raise OutputError(f"another run uses {folder}; wait until it ends") from None
        except OSError as error:
            raise OutputError(f"cannot write to {folder}: {error.strerror}") from error
        yield work


def load_kept_animation(folder: Path, result: Result) -> Animation:
    """Load the animation of a result, which the batch keeps for the gallery."""
    return load_json(kept_file_path(folder, result.id)).animation


def outputs_are_intact(folder: Path, result: Result, *, check: bool = False) -> bool:
    """Return whether a result's outputs and kept animation are as they were recorded.

    A file has its recorded size and modification time, or its sha256; with ``check`` its sha256.
    """
    kept = {"sha256": result.kept, **(result.kept_stat or {})}
    files = [(folder / output["path"], output) for output in result.outputs]
    with suppress(OSError):  # for example, a file is missing
        return all(
            (not check and stat_output(path).items() <= recorded.items())
            or sha256_of_output(path) == recorded["sha256"]
            for path, recorded in [(kept_file_path(folder, result.id), kept), *files]
        )
    return False


def stat_output(path: Path) -> dict[str, int]:
    """Return the size and modification time of a file, or of a folder and its files together."""
    files = list(path.iterdir()) if path.is_dir() else [path]
    stats = [file.stat() for file in files]
    times = [path.stat().st_mtime_ns, *(stat.st_mtime_ns for stat in stats)]
    return {"bytes": sum(stat.st_size for stat in stats), "mtime_ns": max(times)}


def sha256_of_output(path: Path) -> str | None:
    """Return the sha256 of a file, or of a folder's file names and contents; None if missing."""
    if not path.is_dir():
        return sha256_of_picture(path)
    sums = {os.fsencode(file.name): sha256_of_picture(file) for file in path.iterdir()}
    lines = sorted(f"{name!r} {digest}" for name, digest in sums.items())
    return sha256_of_bytes("\n".join(lines).encode())


def check_output_paths(
    folder: Path, job: Job, owned: Container[str], pictures: Container[str]
) -> None:
    """Raise `OutputError` if an output leaves the folder, or replaces a file not ``owned``."""
    for file in job.files:
        try:
            reason = _describe_path_conflict(folder, file, owned, pictures)
        except OSError as error:
            reason = error.strerror
        if reason:
            raise OutputError(f"cannot write {file}: {reason}")


def _describe_path_conflict(
    folder: Path, file: str, owned: Container[str], pictures: Container[str]
) -> str | None:
    target, real_path = folder / file, os.path.realpath(folder / file)
    if Path(os.path.realpath(folder)) not in Path(real_path).parents:
        return f"a symbolic link in its path leads out of {folder}"
    if real_path in pictures:
        return "it is one of the pictures"
    advice = "of this name exists, but not from this batch; move it, or choose another output"
    if target.is_dir():
        may_be_frames = not target.suffix and file in owned
        if not all(may_be_frames and FRAME_FILE.fullmatch(path.name) for path in target.iterdir()):
            return f"a non-empty folder {advice}"
    elif target.exists() and file not in owned:
        return f"a file {advice}"
    return None


def files_placed_by_batch(folder: Path) -> set[str]:
    """Return all outputs that the batch has moved, or was about to move, into its folder."""
    path, files = folder / STATE_FOLDER / PLACED_LIST, set[str]()
    with suppress(FileNotFoundError):
        for line in path.read_text(encoding="utf-8").split("\n"):
            with suppress(ValueError):  # a killed run may leave an incomplete line
                files.add(str(json.loads(line)))
    return files


def read_task_files(work: Path) -> dict[str, bytes]:
    """Return the content of all files in a task's folder, by relative path."""
    return {
        path.relative_to(work).as_posix(): path.read_bytes()
        for path in work.rglob("*")
        if path.is_file()
    }


def write_task_files(files: dict[str, bytes], work: Path) -> None:
    """Write files to a task's folder; the inverse of `read_task_files`."""
    for file, content in files.items():
        with output_errors(file):
            (work / file).parent.mkdir(parents=True, exist_ok=True)
            (work / file).write_bytes(content)


def move_outputs(work: Path, folder: Path, task: Task, owned: Container[str]) -> dict[str, FileSum]:
    """Move a task's finished files into the batch's folder, all or none; return their sums."""
    files = task.job.files
    kept, target = work / KEPT_FOLDER, folder / STATE_FOLDER / task.id
    moves = [FileReplacement(name=KEPT_FOLDER, new=kept, target=target, backup=work / "old")]
    moves += [
        FileReplacement(
            name=file,
            new=work / OUTPUTS / file,
            target=folder / file,
            backup=work / f"{n}.old" if file in owned else None,
        )
        for n, file in enumerate(files)
    ]
    placed = folder / STATE_FOLDER / PLACED_LIST
    for move in moves:
        with output_errors(move.target.parent):
            move.target.parent.mkdir(parents=True, exist_ok=True)
    with output_errors(files[0]):
        written = {move.name: describe_output(move.new) for move in moves[1:]}
        written[KEPT_FILE] = describe_output(kept / KEPT_FILE)
    # Log the files before they are moved: if this run is killed, the next run knows them.
    with output_errors(PLACED_LIST), placed.open("a", encoding="utf-8") as log:
        size_before = log.tell()
        log.writelines(f"\n{json.dumps(file)}" for file in files if file not in owned)
    try:
        move_files_together(moves)
    except OutputError:
        with output_errors(PLACED_LIST):
            os.truncate(placed, size_before)  # undo the log: no file was moved
        raise
    return written


def describe_output(path: Path) -> FileSum:
    """Return the size, the modification time and the sha256 of a file or a folder of files."""
    return {**stat_output(path), "sha256": sha256_of_output(path)}


def unused_file_name(stem: str, used_names: Container[str], suffix: str = "") -> str:
    """Return a file name not in ``used_names`` (in lower case), with a number if necessary.

    >>> unused_file_name("sun", {"sun.gif", "sun-2.gif"}, ".gif")
    'sun-3.gif'
    """
    return next(
        name for name in numbered_file_names(stem, suffix) if name.casefold() not in used_names
    )


def remove_stale_files(folder: Path, results: Iterable[Result]) -> None:
    """Remove kept animations and small pictures that belong to none of these results."""
    current_ids = {result.id for result in results}
    for path in (folder / STATE_FOLDER).iterdir():
        if SHA256.fullmatch(path.stem) and path.stem not in current_ids:
            remove_path(path)


def kept_file_path(folder: Path, id: str, name: str = KEPT_FILE) -> Path:
    """Return the path of a result's kept animation, or of a small picture."""
    own = folder / STATE_FOLDER / id
    legacy = f"{own}.json" if name == KEPT_FILE else f"{own}.originals/{name}"
    return own / name if own.is_dir() else Path(legacy)
