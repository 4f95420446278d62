"""Whatever goes in, opened: a still becomes a picture, what moves a clip."""

from lightsanim.options import Settings
from lightsanim.pictures.clip import Clip
from lightsanim.pictures.load import load_picture
from lightsanim.pictures.picture import Picture
from lightsanim.pictures.source import PictureSource, as_source


def load_source(source: PictureSource, settings: Settings = Settings()) -> Picture | Clip:
    """A picture, or a clip where it moves and no frame of it is asked for by ``at``.

    Args:
        source: a file of any kind, a folder of numbered pictures, an image, an array, or frames.
        settings: the options of `make`; the source's own come before them.

    Raises:
        PictureError: for a source that cannot be read.
        OptionError: for a start, an end or a frame that it does not have.
    """
    return open_clip(source, settings) or load_picture(source, settings.backdrop, rgb=settings.rgb)


def open_clip(source: PictureSource, settings: Settings = Settings()) -> Clip | None:
    """The clip that a source is; None for a still, or where one frame is asked for by ``at``."""
    as_source(source)
    return None  # to come
