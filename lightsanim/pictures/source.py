"""Sources: pictures and clips with options of their own, as written on the command line."""

import os
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias, Unpack

import attrs
import numpy as np
import numpy.typing as npt
from PIL import Image

from lightsanim.options.keywords import PictureKeywords
from lightsanim.options.picture_options import format_source, parse_source_word, per_picture_options
from .picture import File, Picture, PictureFile
from .words.table import find_word
from .words.word import Word

Still: TypeAlias = (
    str | os.PathLike[str] | bytes | PictureFile | Picture | Image.Image | npt.NDArray[Any]
)
PlainSource: TypeAlias = Still | Iterable[Still]


@attrs.frozen(init=False, eq=False)
class Source:
    """A picture or clip with its own options, which override those for all pictures.

    Attributes:
        picture: a path, or a file's bytes; ``sample:face`` for a sample of the package;
            ``text:HELLO`` or ``qr:URL`` for a text or a QR code; a `PictureFile`; a Pillow image;
            an array; or a loaded `Picture`.  A clip is an iterable of such pictures, all of one
            size, or an array of four dimensions; its frames are shown at ``fps`` per second.  A
            generator can be read only once, so it can be used for only one film.
        own: the options, as `lightsanim.Settings` keeps them.

    Raises:
        OptionError: for an option that cannot be set for one picture, an invalid value, an
            unknown sample, or a text that cannot be drawn.

    >>> Source("face.png", crop="10%,0,90%,60%", dither="atkinson")
    Source('face.png@crop=10%,0,90%,60%@dither=atkinson')
    >>> Source("dance.mp4", start=2, end=5.5)
    Source('dance.mp4@start=2@end=5.5')
    """

    picture: PlainSource
    own: Mapping[str, Any]

    def __init__(self, picture: PlainSource, /, **own: Unpack[PictureKeywords]) -> None:
        if isinstance(picture, bytes):
            picture = PictureFile(path="picture", content=picture)
        elif isinstance(picture, str):
            word = find_word(picture)
            word.check(own)
            content = word.content
            picture = picture if content is None else PictureFile(path=picture, content=content)
        self.__attrs_init__(picture=picture, own=per_picture_options(own))

    @property
    def path(self) -> str:
        """The path as the user gave it, or "picture" or "clip" for a source without a file."""
        if self.file is not None:
            return str(self.file)
        if isinstance(self.picture, Picture):
            return self.picture.name if self.picture.word.is_file else self.picture.word.path
        return "picture" if self.frames is None else "clip"

    @property
    def file(self) -> File | None:
        """The path, or the file in memory; None for any other source."""
        return self.picture if isinstance(self.picture, str | os.PathLike | PictureFile) else None

    @property
    def meaning(self) -> Word:
        """What the path means: a file, or a word."""
        return self.picture.word if isinstance(self.picture, Picture) else find_word(self.path)

    @property
    def word(self) -> str:
        """The word for this picture in a command, or the name of a file."""
        return self.name if self.meaning.is_file else self.path

    @property
    def frames(self) -> Iterable[Still] | None:
        """The frames of a clip given as an array or iterable; None for any other source."""
        if isinstance(self.picture, np.ndarray):
            return self.picture if self.picture.ndim == 4 else None
        if self.file is not None or isinstance(self.picture, bytes | Image.Image):
            return None
        return self.picture if isinstance(self.picture, Iterable) else None

    @property
    def name(self) -> str:
        """The path without folder and suffix.

        >>> Source("samples/sun.png").name
        'sun'
        """
        name = self.picture.name if isinstance(self.picture, Picture) else self.meaning.name
        # Bytes that are not UTF-8 are replaced, so that the name can be written to any file.
        return os.fsencode(name).decode("utf-8", "replace")

    def __str__(self) -> str:
        return format_source(self.path, self.own)

    def __repr__(self) -> str:
        return f"Source({str(self)!r})"


PictureSource: TypeAlias = PlainSource | Source


def to_source(picture: PictureSource) -> Source:
    """Return a picture or clip of any kind as a `Source`."""
    return picture if isinstance(picture, Source) else Source(picture)


def parse_source(word: str) -> Source:
    """Parse a picture and its options from a command-line word such as ``a.png@gamma=1.2``."""
    path, own = parse_source_word(word)
    return Source(path, **own)


def append_more_pictures(pictures: Iterable[PictureSource], words: Iterable[str]) -> list[Source]:
    """Return the sources of a film: its pictures, and last those of `Settings.more_pictures`."""
    return [*map(to_source, pictures), *map(parse_source, words)]
