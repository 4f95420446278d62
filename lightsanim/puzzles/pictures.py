"""A puzzle's answer as a picture: `puzzle:abbott:24` in place of a path."""

from dataclasses import replace

from lightsanim.inputs.load import load_picture, still_of
from lightsanim.options.choices import PUZZLE_PREFIX
from lightsanim.options.settings import Settings
from lightsanim.pictures.picture import Picture
from lightsanim.pictures.source import PictureSource, Source, as_source
from lightsanim.system.deadline import Deadline


def picture_of(
    source: PictureSource, settings: Settings, *, within: Deadline | None = None
) -> Picture:
    """The picture of a source; a path such as ``puzzle:abbott:24`` stands for a puzzle's answer.

    >>> picture = picture_of("puzzle:abbott:8", Settings())
    >>> picture.name, picture.light.shape
    ('abbott 8', (8, 8))
    """
    source = as_source(source)
    called = source.path
    if not is_puzzle(source):
        return still_of(source, settings)
    from lightsanim.puzzles.table import puzzle_picture

    limit = Deadline(settings.time_limit, within=within)
    answer = load_picture(puzzle_picture(called, time_limit=limit), rgb=settings.rgb)
    name = called.removeprefix(PUZZLE_PREFIX).replace(":", " ")
    return replace(answer, name=name, own=source.own)


def is_puzzle(source: Source) -> bool:
    """Whether a source is a puzzle's answer, such as ``puzzle:abbott:24``."""
    return source.path.startswith(PUZZLE_PREFIX)
