"""Pictures that are always there: ``sample:face`` in place of a path."""

import hashlib
from functools import cache
from pathlib import Path, PurePath

from lightsanim.options.checks import check_choice
from lightsanim.options.choices import SAMPLE_PREFIX

FOLDER = Path(__file__).with_name("samples")


def sample(word: str) -> bytes:
    """The bytes of the picture file that a word such as ``sample:face`` stands for.

    Raises:
        OptionError: for a sample that is not there.
    """
    name = check_choice("sample", word.removeprefix(SAMPLE_PREFIX), _names())
    return (FOLDER / f"{name}.webp").read_bytes()


def name_of(path: str) -> str:
    """A picture's path without folder, suffix and what makes it no path.

    >>> name_of("samples/sun.png"), name_of("sample:sun")
    ('sun', 'sun')
    """
    return PurePath(path.removeprefix(SAMPLE_PREFIX)).stem


def sample_of(sha256: str) -> str | None:
    """The word for a sample whose bytes have this digest, in hexadecimal; None for others."""
    return _words().get(sha256)


@cache
def _names() -> list[str]:
    return sorted(file.stem for file in FOLDER.glob("*.webp"))


@cache
def _words() -> dict[str, str]:
    words = [f"{SAMPLE_PREFIX}{name}" for name in _names()]
    return {hashlib.sha256(sample(word)).hexdigest(): word for word in words}
