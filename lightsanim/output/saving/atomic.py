"""Atomic replacement of files: either all new files replace the old ones, or none does."""

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
    """A complete new file or folder, and the target path to which it will be moved."""

    name: str  # How messages name the target.
    new: Path
    target: Path  # On the same file system as ``new``.
    # Path where the old file stays until all new files are in place.  None if no file may be
    # replaced; a folder may then still replace an empty folder.
    backup: Path | None


Content = bytes | Callable[[Path], object]
"""The content of a file, or a function that writes the file to a given path."""


def write_files_together(contents: Mapping[Path, Content], *, overwrite: bool = True) -> None:
    """Write files, and move them to their targets together; a folder replaces only an empty one."""
    moves = []
    with ExitStack() as leftovers:
        for path, content in contents.items():
            target = Path(os.path.realpath(path))  # replaces the target of a link, not the link
            new = _temporary_path(target, path.suffix)
            leftovers.callback(remove_path, new)
            with output_errors(path):
                new.write_bytes(content) if isinstance(content, bytes) else content(new)
            backup = _temporary_path(target) if overwrite and not new.is_dir() else None
            moves.append(FileReplacement(name=str(path), new=new, target=target, backup=backup))
        move_files_together(moves)


def move_files_together(moves: Iterable[FileReplacement]) -> None:
    """Move all files to their targets, or none; signals are deferred meanwhile."""
    moves = list(moves)
    with signals_deferred(), ExitStack() as undo:
        for move in moves:
            with output_errors(move.name):
                _move_into_place(move, undo)
        undo.pop_all()
        for move in moves:
            if move.backup is not None:
                remove_path(move.backup)


def _move_into_place(move: FileReplacement, undo: ExitStack) -> None:
    new, target = move.new, move.target
    with suppress(FileNotFoundError):
        shutil.copymode(target, new)
    # A file never replaces a folder.
    if move.backup is not None and (target.is_file() or (new.is_dir() and target.is_dir())):
        try:  # a link keeps the old file complete at every moment
            os.link(target, move.backup)
        except OSError:  # folders and some file systems have no hard links
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
        backup.unlink(missing_ok=True)  # `os.replace` does nothing with two links to the same file
    except OSError as error:
        raise OutputError(f"cannot restore {target} from {backup}: {error.strerror}") from error


def _move_to_free_path(new: Path, target: Path) -> None:
    if not new.is_dir():
        try:
            os.link(new, target)  # unlike a rename, a link never replaces a file
            return
        except OSError as error:  # the target exists, or the file system has no links
            if isinstance(error, FileExistsError):
                raise
    if os.path.lexists(target) and not target.is_dir():
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
    os.rename(new, target)


def _temporary_path(target: Path, suffix: str = "") -> Path:
    return target.with_name(f".{secrets.token_hex(8)}{suffix}")


@contextmanager
def output_errors(name: object) -> Iterator[None]:
    """Convert the errors of writing a file to an OutputError that names it."""
    try:
        yield
    except FileExistsError as error:
        raise file_exists_error(name) from error
    except OSError as error:
        raise OutputError(f"cannot write {name}: {error.strerror or error}") from error


def file_exists_error(name: object) -> OutputError:
    """Return the error for a file that must not be replaced."""
    return OutputError(f"{name} exists; choose another name, or allow overwriting")


def remove_path(path: Path) -> None:
    """Remove a file or a folder if possible; raise a KeyboardInterrupt only after the removal."""
    try:
        with suppress(OSError):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    except KeyboardInterrupt:
        remove_path(path)
        raise
