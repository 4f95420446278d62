"""A picture with options of its own, and how the command line spells it."""

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias, get_args

import attrs
import numpy as np
import numpy.typing as npt
from PIL import Image

from lightsanim.errors import OptionError
from lightsanim.options.checks import check_names, shown
from lightsanim.options.table import OWN, Request, Settings, plain_value, with_preset
from lightsanim.pictures.picture import Picture, PictureFile

Still: TypeAlias = str | os.PathLike[str] | PictureFile | Picture | Image.Image | npt.NDArray[Any]
PlainSource: TypeAlias = Still | Iterable[Still]

# What an option begins with that follows a picture's name.
AT = "@"


@attrs.frozen(init=False, eq=False)
class Source:
    """A picture or a clip, and options of its own, which come before those of all pictures.

    Attributes:
        picture: a path, the bytes of a file, a Pillow image, an array, or a picture loaded before;
            or for a clip of frames of equal size anything that gives such pictures one by one, as
            does an array of four dimensions.  They follow one another at ``fps`` a second, and of a
            generator, which can be read only once, there can be no more than one film.
        own: the options, in the form that `lightsanim.Settings` holds.

    Raises:
        OptionError: for an option that pictures have not of their own, or a value that it cannot
            take.

    >>> Source("face.png", crop="10%,0,90%,60%", dither="atkinson")
    Source('face.png@crop=10%,0,90%,60%@dither=atkinson')
    >>> Source("dance.mp4", start=2, end=5.5)
    Source('dance.mp4@start=2@end=5.5')
    """

    picture: PlainSource
    own: Mapping[str, Any]

    def __init__(self, picture: PlainSource, /, **own: Any) -> None:
        check_names("option of a picture", own, (*OWN, "preset"))
        preset, own = own.get("preset"), with_preset(own)
        for name in [name for name in own if preset is not None and name not in OWN]:
            raise OptionError(
                f"preset {preset} sets {name}, which is for all pictures; give it so", "preset"
            )
        options = Settings(**own)
        given = {name: getattr(options, name) for name in own}
        self.__attrs_init__(picture=picture, own=given)

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
        return os.fsencode(Path(self.path).stem).decode("utf-8", "replace")

    def __str__(self) -> str:
        return word_of(self.path, self.own)

    def __repr__(self) -> str:
        return f"Source({str(self)!r})"


PictureSource: TypeAlias = PlainSource | Source


def as_source(picture: PictureSource) -> Source:
    """A picture or clip of any kind as a source."""
    return picture if isinstance(picture, Source) else Source(picture)


def word_of(path: str, own: Mapping[str, Any]) -> str:
    """A picture and its own options in one word, the inverse of `source_of_word`."""
    return path + "".join(_said(name, own[name]) for name in own if own[name] is not None)


def _said(name: str, value: Any) -> str:
    name = name.replace("_", "-")
    if isinstance(value, bool):
        return f"{AT}{name if value else f'no-{name}'}"
    return f"{AT}{name}={str(plain_value(value)).removesuffix('.0')}"


def source_of_word(word: str) -> Source:
    """A picture as the command line names it: its path, then perhaps options of its own.

    The name of a file that exists is always that file.

    >>> source_of_word("icon@2x.png@detail=2@no-autocontrast").own
    {'detail': 2.0, 'autocontrast': False}
    """
    own: dict[str, Any] = {}
    while not os.path.lexists(word) and (match := _OPTION.fullmatch(word)):
        word, name, value = match.groups()
        negated = value is None and name.startswith("no-")
        name = name.removeprefix("no-" if negated else "").replace("-", "_")
        check_names("option of a picture", [name], (*OWN, "preset"))
        own = {name: _value(name, value, negated), **own}
    return Source(word, **own)


# The last option of a word; "@2x" is a part of a name.
_OPTION = re.compile(rf"(.+){AT}([a-z][a-z_-]*)(?:=([^{AT}]*))?", re.DOTALL)


def _value(name: str, text: str | None, negated: bool) -> Any:
    option = getattr(attrs.fields(Request), name)
    if not option.metadata["metavar"]:
        if text is not None:
            raise OptionError(f"{name} takes no value; write {AT}{name} or {AT}no-{name}")
        return not negated
    if text is None or negated:
        raise OptionError(f"{name} needs a value, as in {AT}{name}={option.metadata['metavar']}")
    if float not in (option.type, *get_args(option.type)):
        return text
    try:
        return float(text)
    except ValueError:
        raise OptionError(f"{name} must be a number, not {shown(text)}") from None
