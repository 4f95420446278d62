"""The pictures of a site: what was asked for, what is shown, and what others show of it."""

import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from lightsanim.animation.animation import Animation
from lightsanim.drawings.stills import StillContent, indexed_image, write_stills
from lightsanim.look.levels import Shades, lights_of
from lightsanim.look.theme import Theme

# A still with a larger side is made smaller: no screen shows more cells on the wall.
LARGEST_STILL = 1000

# What social networks show of a page, and its size: two boards side by side, about 1000 wide.
PREVIEW, BOARD = "preview.png", 500

# Of a theme, what a preview keeps.
LOOK = ("shape", "palette", "colours", "lit", "unlit", "middle", "background")


def write_still(shades: Shades, palette: NDArray[np.uint8], path: Path) -> None:
    """Write a PNG with a pixel for each cell; of large boards, for the mean of several.

    ``shades``: uint8 (rows, columns), ``palette``: uint8 (shades, 4).
    """
    image = indexed_image(shades, palette)
    if max(image.size) > LARGEST_STILL:
        image = image.convert("RGBA" if "transparency" in image.info else "RGB")
        image.thumbnail((LARGEST_STILL, LARGEST_STILL), Image.Resampling.BOX)
    image.save(path, "PNG")


def write_preview(
    animation: Animation, ends: Sequence[Shades], theme: Theme, path: Path
) -> tuple[int, int]:
    """Write the beginning and the end side by side, as the film shows them.

    ``ends``: uint8 (rows, columns).
    """
    board = animation.board
    lights = [lights_of(end, animation.boards, board.levels) for end in ends]
    look = Theme(width=BOARD, **{name: getattr(theme, name) for name in LOOK})
    configurations = [light.reshape(animation.first.shape) for light in lights]
    write_stills(StillContent(configurations=configurations, levels=board.levels), path, look)
    with Image.open(path) as preview:
        return preview.size


def copy_originals(folder: Path, here: Path, count: int) -> list[str | None]:
    """Copy the pictures that a batch has kept to an animation's folder of a site."""
    copies: list[str | None] = []
    for number in range(1, count + 1):
        source, name = folder / f"{number}.jpg", f"original-{number}.jpg"
        copies.append(name if source.is_file() else None)
        if source.is_file():
            shutil.copyfile(source, here / name)
    return copies
