"""Sample pictures of the package; words such as ``sample:face`` take the place of a path."""

import hashlib
from functools import cache
from pathlib import Path, PurePath

from lightsanim.options.checks import check_choice
from lightsanim.options.choices import DRAWN_PREFIXES, SAMPLE_PREFIX

SAMPLES_FOLDER = Path(__file__).with_name("samples")


def read_sample_picture(word: str) -> bytes:
    """Return the bytes of a sample picture; those of a text or a QR code are the word itself."""
    if word.startswith(DRAWN_PREFIXES):
        return word.encode("utf-8", "replace")
    name = check_choice("sample", word.removeprefix(SAMPLE_PREFIX), _sample_names())
    return (SAMPLES_FOLDER / f"{name}.webp").read_bytes()


def complete_sample_word(incomplete: str) -> list[str]:
    """Return the words for samples that begin with some letters; none without letters."""
    words = [f"{SAMPLE_PREFIX}{name}" for name in _sample_names()]
    return [word for word in words if incomplete and word.startswith(incomplete)]


def picture_name_from_path(path: str) -> str:
    """Return a picture's name: its path without folder and suffix, or the content of a word.

    >>> picture_name_from_path("samples/sun.png"), picture_name_from_path("sample:sun")
    ('sun', 'sun')
    """
    if path.startswith(DRAWN_PREFIXES):
        return " ".join(path.partition(":")[2].replace("\\n", " ").split())
    return PurePath(path.removeprefix(SAMPLE_PREFIX)).stem


def find_sample_by_digest(sha256: str) -> str | None:
    """Return the word, such as ``sample:face``, for the sample with this SHA-256, or None."""
    return _sample_words_by_digest().get(sha256)


def is_drawn_word_of(word: str, sha256: str | None) -> bool:
    """Return whether a word is that of a text or a QR code with this SHA-256."""
    is_drawn = word.startswith(DRAWN_PREFIXES)
    return is_drawn and hashlib.sha256(read_sample_picture(word)).hexdigest() == sha256


@cache
def _sample_names() -> list[str]:
    return sorted(file.stem for file in SAMPLES_FOLDER.glob("*.webp"))


@cache
def _sample_words_by_digest() -> dict[str, str]:
    words = complete_sample_word(SAMPLE_PREFIX)
    return {hashlib.sha256(read_sample_picture(word)).hexdigest(): word for word in words}
