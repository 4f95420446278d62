"""Packed steps in a temporary file, so that a film's length does not show in memory."""

import tempfile
import weakref
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightsanim.errors import OutputError


class StepsFile:
    """Packed steps on disk: as much of an array, uint8 (steps, planes, bytes), as `Steps` needs.

    The file has no name, so that nothing is left of it when this object is gone, or the program,
    however it ends.  Several threads may read.

    >>> kept = StepsFile([np.array([[1, 2]]), np.array([[3, 4]])], (1, 2))
    >>> kept.shape, kept[1].tolist(), kept[:1].tolist()
    ((2, 1, 2), [[3, 4]], [[[1, 2]]])
    """

    dtype = np.dtype(np.uint8)

    def __init__(self, packed: Iterable[NDArray[Any]], size: tuple[int, int]) -> None:
        self._lock, count = Lock(), 0
        with _room():
            self._file = tempfile.TemporaryFile(prefix="lightsanim-")  # noqa: SIM115
        weakref.finalize(self, self._file.close)
        for count, step in enumerate(packed, start=1):  # noqa: B007
            with _room():
                self._file.write(np.ascontiguousarray(step, np.uint8).data)
        with _room():
            self._file.flush()
        self.shape = count, *size

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, place: int | slice) -> NDArray[np.uint8]:
        numbers = range(len(self))[place]
        if isinstance(numbers, int):
            packed: NDArray[np.uint8] = self._read(numbers, 1)[0]
            return packed
        if numbers.step != 1:
            raise ValueError("steps on disk are read forwards")
        return self._read(numbers.start, len(numbers))

    def _read(self, start: int, count: int) -> NDArray[np.uint8]:
        packed = np.empty((count, *self.shape[1:]), np.uint8)
        with self._lock:
            self._file.seek(start * packed[:1].nbytes if count else 0)
            self._file.readinto(packed.data)
        return packed

    def __reduce__(self) -> tuple[Any, ...]:
        return np.array, (self[:],)  # copies, and other processes, have them in memory


@contextmanager
def _room() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputError(
            f"cannot keep the clicks of the film in {tempfile.gettempdir()}: {error.strerror}; "
            "make room there, or name another folder in TMPDIR"
        ) from error
