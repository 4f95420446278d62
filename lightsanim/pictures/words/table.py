"""The kinds of words that name a picture in place of a path, by their prefixes."""

from collections.abc import Mapping
from functools import lru_cache

from lightsanim.options.checks import require_keys
from lightsanim.options.choices import (
    PUZZLE_PREFIX,
    QR_PREFIX,
    SAMPLE_PREFIX,
    TEXT_PREFIX,
    WORD_PREFIXES,
)
from .puzzle import PuzzleWord
from .qr_code import QrCodeWord
from .sample import SampleWord, complete_sample_word
from .text import TextWord
from .word import Word

WORDS: Mapping[str, type[Word]] = require_keys(
    WORD_PREFIXES,
    {
        PUZZLE_PREFIX: PuzzleWord,
        SAMPLE_PREFIX: SampleWord,
        TEXT_PREFIX: TextWord,
        QR_PREFIX: QrCodeWord,
    },
)


@lru_cache
def find_word(path: str) -> Word:
    """Return what a path means: a word by its prefix, or else the path of a file.

    >>> find_word("sample:sun"), find_word("sun.png")
    (SampleWord(path='sample:sun'), Word(path='sun.png'))
    """
    prefix, colon, _ = path.partition(":")
    return WORDS.get(prefix + colon, Word)(path)


def find_word_by_digest(sha256: str, name: str) -> str | None:
    """Return the word for some content: that of a sample, or a file's name if it is a drawn word.

    >>> find_word_by_digest(find_word("text:HI").sha256, "text:HI")
    'text:HI'
    """
    words = map(find_word, [*complete_sample_word(SAMPLE_PREFIX), name])
    return next((word.path for word in words if word.sha256 == sha256), None)


def path_of_file(path: str) -> str:
    """Return the path of a file, with "./" before one like "sample:cat", which would be a word.

    >>> path_of_file("sample:cat"), path_of_file("cat.png")
    ('./sample:cat', 'cat.png')
    """
    return path if find_word(path).is_file else f"./{path}"
