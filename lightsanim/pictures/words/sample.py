"""Sample pictures of the package: ``sample:face``."""

import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import ClassVar

from lightsanim.options.checks import check_choice
from lightsanim.options.choices import SAMPLE_PREFIX
from .word import Word

SAMPLES_FOLDER = Path(__file__).parents[1] / "samples"


class SampleWord(Word):
    """The word for a sample picture; its content is that of the sample's file."""

    is_file: ClassVar[bool] = False

    @property
    def name(self) -> str:
        """The sample's name.

        >>> SampleWord("sample:sun").name
        'sun'
        """
        return self.path.removeprefix(SAMPLE_PREFIX)

    @property
    def content(self) -> bytes:
        """The bytes of the sample's file."""
        self.check()
        return (SAMPLES_FOLDER / f"{self.name}.webp").read_bytes()

    @property
    def sha256(self) -> str | None:
        """The digest of the sample's file; None for an unknown sample."""
        return _sample_digests().get(self.path)

    def check(self, own: Iterable[str] = ()) -> None:
        """Raise OptionError for an unknown sample."""
        check_choice("sample", self.name, _sample_names())


def complete_sample_word(incomplete: str) -> list[str]:
    """Return the words for samples that begin with some letters; none without letters."""
    words = [f"{SAMPLE_PREFIX}{name}" for name in _sample_names()]
    return [word for word in words if incomplete and word.startswith(incomplete)]


@cache
def _sample_names() -> list[str]:
    return sorted(file.stem for file in SAMPLES_FOLDER.glob("*.webp"))


@cache
def _sample_digests() -> dict[str, str]:
    words = map(SampleWord, complete_sample_word(SAMPLE_PREFIX))
    return {word.path: hashlib.sha256(word.content).hexdigest() for word in words}
