"""The jobs that the server gives to workers.

A job imports its libraries when a worker runs it: the server, which only names it, loads no numpy.
"""

from pathlib import Path
from typing import Any

from lightsanim.options.outputs import Outputs
from .album import UploadedFile
from .request_options import FilmFacts, FilmRequest


def describe_file(file: UploadedFile) -> tuple[dict[str, Any], bytes]:
    """Return a picture's size and kind for the page, and its thumbnail (JPEG)."""
    from . import worker

    return worker.describe_file(file)


def draw_thumbnail(file: UploadedFile, at: float) -> bytes:
    """Return a JPEG of a clip's frame at a time in seconds."""
    from . import worker

    return worker.draw_thumbnail(file, at)


def draw_target(film: FilmRequest, index: int, wrong: bool) -> tuple[bytes, tuple[float, ...]]:
    """Return the PNG of a target, a pixel for each cell, and the part of the picture it shows."""
    from . import worker

    return worker.draw_target(film, index, wrong)


def make_film(film: FilmRequest, path: Path, solved: Path | None, may_be_draft: bool) -> FilmFacts:
    """Write a film's files: ``path`` with the suffixes `SOLUTION` and `PLAYER`.

    ``solved`` is the solution, if an earlier film has the same.
    """
    from . import worker

    return worker.make_film(film, path, solved, may_be_draft)


def save_film(film: FilmRequest, outputs: Outputs, folder: Path, solved: Path | None) -> list[str]:
    """Write a film's outputs to a folder, and return notes on them; for ``solved`` see above."""
    from . import worker

    return worker.save_film(film, outputs, folder, solved)


def draw_example(option: str, value: str) -> bytes:
    """Return a PNG that shows what a value of an option does."""
    from . import examples

    return examples.draw_example(option, value)
