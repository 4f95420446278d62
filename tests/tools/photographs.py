"""Photographs of scikit-image, without its own reader, which takes long to import."""

from importlib.util import find_spec
from pathlib import Path

import numpy as np
from PIL import Image

DATA = Path(find_spec("skimage").origin).parent / "data"


def photograph(name):
    return np.asarray(Image.open(*DATA.glob(f"{name}.*")))
