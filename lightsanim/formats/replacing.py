"""Files that take the place of old ones only when they are whole."""

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from lightsanim.errors import OutputError


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A new file beside ``path`` to write to, which takes its place once it is whole.

    If anything goes wrong, the new file is removed and an old one at ``path`` is as it was.

    Raises:
        OutputError: for what the operating system says about writing.
    """
    target = Path(os.path.realpath(path))  # replace what a link points to, not the link
    temporary = target.with_name(f".{secrets.token_hex(8)}{path.suffix}")
    try:
        yield temporary
        if target.exists():
            shutil.copymode(target, temporary)
        os.replace(temporary, target)
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror or error}") from error
    finally:
        remove(temporary)


def remove(path: Path) -> None:
    """Remove a file or a folder, if it is there and can be; Ctrl-C comes to its turn after that."""
    try:
        with suppress(OSError):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    except KeyboardInterrupt:
        remove(path)
        raise
