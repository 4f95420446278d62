"""Files that take the place of old ones only when they are whole: all of them, or none."""

import errno
import os
import secrets
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from lightsanim.errors import OutputError
from lightsanim.system.signals import signals_deferred


@dataclass(frozen=True, kw_only=True)
class FileReplacement:
    """A file or a folder that is whole, and where it goes."""

    name: str  # what messages call it
    new: Path  # the file
    target: Path  # its place, on the same file system
    # Where the old file is kept until all new ones are in place; None if only an empty folder may
    # be replaced, and that by a folder.
    backup: Path | None


Content = bytes | Callable[[Path], object]
"""Of a file; or what writes it to the path that it is given."""


def write_files_together(contents: Mapping[Path, Content], *, overwrite: bool = True) -> None:
    """Write files one after the other, which take their places together, or not at all.

    If anything goes wrong, the new files are removed and the old ones are as they were.  A folder
    only takes the place of an empty one.
    """
    moves = []
    with ExitStack() as leftovers:
        for path, content in contents.items():
            target = Path(os.path.realpath(path))  # replace what a link points to, not the link
            new = _temporary_path(target, path.suffix)
            leftovers.callback(remove_path, new)
            with _output_errors(str(path)):
                new.write_bytes(content) if isinstance(content, bytes) else content(new)
            backup = _temporary_path(target) if overwrite and not new.is_dir() else None
            moves.append(FileReplacement(name=str(path), new=new, target=target, backup=backup))
        move_files_together(moves)


def move_files_together(moves: Iterable[FileReplacement]) -> None:
    """Move files to their places, all of them or none; signals wait for that.

    Wherever it can be, there is a whole file at every target at every moment.
    """
    moves = list(moves)
    with signals_deferred(), ExitStack() as undo:
        for move in moves:
            with _output_errors(move.name):
                _move_into_place(move, undo)
        undo.pop_all()
        for move in moves:
            if move.backup is not None:
                remove_path(move.backup)


def _move_into_place(move: FileReplacement, undo: ExitStack) -> None:
    new, target = move.new, move.target
    with suppress(FileNotFoundError):
        shutil.copymode(target, new)
    # A folder does not make room for a file.
    if move.backup is not None and (target.is_file() or (new.is_dir() and target.is_dir())):
        try:
            os.link(target, move.backup)
        except OSError:  # a folder, or a file system without links
            os.rename(target, move.backup)
        undo.callback(_restore_backup, move.backup, target)
        os.replace(new, target)
        return
    if target.is_dir():
        undo.callback(target.mkdir, exist_ok=True)
    if move.backup is None:
        _move_to_free_path(new, target)
    else:
        os.replace(new, target)
    undo.callback(remove_path, target)


def _restore_backup(backup: Path, target: Path) -> None:
    try:
        if backup.is_dir():
            remove_path(target)
        os.replace(backup, target)
        backup.unlink(missing_ok=True)  # where both were the same file, it has not moved
    except OSError as error:
        reason = f"cannot put {target} back: {error.strerror}; it is now {backup}"
        raise OutputError(reason) from error


def _move_to_free_path(new: Path, target: Path) -> None:
    if not new.is_dir():
        try:
            os.link(new, target)  # unlike a file that is renamed, a link replaces nothing
            return
        except OSError as error:  # or a file system without links
            if isinstance(error, FileExistsError):
                raise
    if os.path.lexists(target) and not target.is_dir():
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
    os.rename(new, target)


def _temporary_path(target: Path, suffix: str = "") -> Path:
    return target.with_name(f".{secrets.token_hex(8)}{suffix}")


@contextmanager
def _output_errors(name: str) -> Iterator[None]:
    try:
        yield
    except FileExistsError as error:
        raise file_exists_error(name) from error
    except OSError as error:
        raise OutputError(f"cannot write {name}: {error.strerror or error}") from error


def file_exists_error(name: object) -> OutputError:
    """The error of a file that must not be replaced."""
    return OutputError(f"{name} exists; give another name or allow overwriting")


def remove_path(path: Path) -> None:
    """Remove a file or a folder, if it is there and can be; Ctrl-C comes to its turn after that."""
    try:
        with suppress(OSError):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    except KeyboardInterrupt:
        remove_path(path)
        raise
