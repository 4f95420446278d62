"""Small copies of a batch's pictures, which the gallery shows beside the animations.

The copies hold pixels only: no EXIF data, and so no location and no name.
"""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
from PIL import Image

from lightsanim.errors import LightsAnimError
from lightsanim.options.colours import WHITE, Colour
from lightsanim.options.stages import PictureOptions
from lightsanim.pictures.animated import open_still
from lightsanim.pictures.clip import Clip
from lightsanim.pictures.colour_profile import read_profile
from lightsanim.pictures.light import average_blocks, encode_srgb
from lightsanim.pictures.load import open_source
from lightsanim.pictures.load_still import load_still, may_need_no_pillow
from lightsanim.pictures.picture import Picture, PictureFile
from lightsanim.pictures.pillow import composite_over, load_upright, pillow_errors, prefix_errors
from lightsanim.pictures.source import Source

MAX_SIDE = 1000  # Maximum length of the longer side, in pixels.
JPEG_QUALITY = 85  # JPEG quality, with which photographs of MAX_SIDE pixels take about 100 kB.


def write_originals(pictures: Sequence[Source], options: PictureOptions, folder: Path) -> None:
    """Write small copies of pictures, except puzzles, as ``1.jpg``, ``2.jpg`` and so on."""
    for number, picture in enumerate(pictures, start=1):
        with suppress(LightsAnimError):  # without a copy the animation is still shown
            if not picture.meaning.is_puzzle:
                small = make_small_image(picture, options)
                small.save(folder / f"{number}.jpg", quality=JPEG_QUALITY, progressive=True)


def make_small_image(picture: Source, options: PictureOptions = PictureOptions()) -> Image.Image:
    """Return a small upright sRGB copy of a picture, or of a clip's first frame.

    >>> make_small_image(Source(np.zeros((40, 4000)))).size
    (1000, 10)
    """
    shown = {name: getattr(options, name) for name in ("backdrop", "start", "end", "at")}
    options = PictureOptions(**shown, rgb=True)
    opened = open_source(picture, options)
    small = _decode_at_reduced_size(opened, options.backdrop)
    small = small or _decode_and_average(opened, options)
    small.thumbnail((MAX_SIDE, MAX_SIDE), Image.Resampling.LANCZOS)
    small.info.clear()  # else Pillow would also save the original's comment
    return small


def _decode_at_reduced_size(
    opened: Picture | Clip | Source, backdrop: Colour | None
) -> Image.Image | None:
    # Pillow decodes a JPEG quickly at reduced size.  Returns None if `load_still` is needed.
    still = opened.picture if isinstance(opened, Source) else None
    if not isinstance(still, PictureFile) or may_need_no_pillow(still.path, still.content):
        return None
    with prefix_errors(still.path), open_still(still.content) as image:
        depends_on_backdrop = backdrop is None and image.has_transparency_data
        if image.mode == "F" or image.mode.startswith("I") or depends_on_backdrop:
            return None
        with pillow_errors():
            if "reduction" not in image.info:
                image.draft("RGB", (MAX_SIDE, MAX_SIDE))
        upright = load_upright(image)
        paper, profile = (backdrop or WHITE).rgb, read_profile(upright)
        return composite_over(upright, 0, upright.height, paper, profile).convert("RGB")


def _decode_and_average(opened: Picture | Clip | Source, options: PictureOptions) -> Image.Image:
    if isinstance(opened, Source):
        opened = load_still(opened, options.backdrop, rgb=True)
    light = opened.first_frame.light if isinstance(opened, Clip) else opened.light
    sides = light.shape[:2]
    small = average_blocks(light, max(1, min(max(sides) // MAX_SIDE, *sides)))
    return Image.fromarray(np.rint(encode_srgb(small) * 255).astype(np.uint8))
