"""A picture with options of its own, and how the command line spells it."""

import os
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias, Unpack

import attrs
import numpy as np
import numpy.typing as npt
from PIL import Image

from lightsanim.options.choices import SAMPLE_PREFIX
from lightsanim.options.keywords import PictureKeywords
from lightsanim.options.picture_options import format_source, parse_source_word, per_picture_options
from lightsanim.pictures.picture import Picture, PictureFile
from lightsanim.pictures.sample_pictures import picture_name_from_path, read_sample_picture

Still: TypeAlias = str | os.PathLike[str] | PictureFile | Picture | Image.Image | npt.NDArray[Any]
PlainSource: TypeAlias = Still | Iterable[Still]


@attrs.frozen(init=False, eq=False)
class Source:
    """A picture or a clip, and options of its own, which come before those of all pictures.

    Attributes:
        picture: a path, or ``sample:face`` for one of ours; the bytes of a file, a Pillow image, an
            array, or a picture loaded before; or for a clip of frames of equal size anything that
            gives such pictures one by one, as does an array of four dimensions.  They follow one
            another at ``fps`` a second, and of a generator, which can be read only once, there can
            be no more than one film.
        own: the options, in the form that `lightsanim.Settings` holds.

    Raises:
        OptionError: for an option that pictures have not of their own, or a value that it cannot
            take, and for a sample that is not there.

    >>> Source("face.png", crop="10%,0,90%,60%", dither="atkinson")
    Source('face.png@crop=10%,0,90%,60%@dither=atkinson')
    >>> Source("dance.mp4", start=2, end=5.5)
    Source('dance.mp4@start=2@end=5.5')
    """

    picture: PlainSource
    own: Mapping[str, Any]

    def __init__(self, picture: PlainSource, /, **own: Unpack[PictureKeywords]) -> None:
        if isinstance(picture, str) and picture.startswith(SAMPLE_PREFIX):
            picture = PictureFile(path=picture, content=read_sample_picture(picture))
        self.__attrs_init__(picture=picture, own=per_picture_options(own))

    @property
    def path(self) -> str:
        """What the user calls it: its path; "picture" or "clip" where it is no file."""
        if isinstance(self.picture, PictureFile):
            return self.picture.path
        if isinstance(self.picture, Picture):
            return self.picture.name
        if isinstance(self.picture, str | os.PathLike):
            return str(self.picture)
        return "picture" if self.frames is None else "clip"

    @property
    def frames(self) -> Iterable[Still] | None:
        """The frames of a clip that is no file; None for anything else."""
        if isinstance(self.picture, np.ndarray):
            return self.picture if self.picture.ndim == 4 else None
        if isinstance(self.picture, str | os.PathLike | PictureFile | Image.Image):
            return None
        return self.picture if isinstance(self.picture, Iterable) else None

    @property
    def name(self) -> str:
        """The path without folder and suffix.

        >>> Source("samples/sun.png").name
        'sun'
        """
        # A name that is not UTF-8 could not be written to any file.
        return os.fsencode(picture_name_from_path(self.path)).decode("utf-8", "replace")

    def __str__(self) -> str:
        return format_source(self.path, self.own)

    def __repr__(self) -> str:
        return f"Source({str(self)!r})"


PictureSource: TypeAlias = PlainSource | Source


def to_source(picture: PictureSource) -> Source:
    """A picture or clip of any kind as a source."""
    return picture if isinstance(picture, Source) else Source(picture)


def parse_source(word: str) -> Source:
    """A picture as the command line names it, see `parse_source_word`."""
    path, own = parse_source_word(word)
    return Source(path, **own)
