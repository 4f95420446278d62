"""Pictures whose pixels are places in a table of colours."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from lightsanim.look.tiles import Pixels


def indexed_image(places: NDArray[np.integer[Any]], table: Pixels) -> Image.Image:
    """A picture with a palette, transparent where its colours are.

    ``places``: uint8 (height, width), ``table``: uint8 (colours, 4).
    """
    image = Image.fromarray(places)
    image.putpalette(table[:, :3].tobytes())
    if (table[:, 3] < 255).any():
        image.info["transparency"] = table[:, 3].tobytes()
    return image
