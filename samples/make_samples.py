"""Make the sample pictures, grey PNGs of 480 x 480 pixels, beside this file.

    python samples/make_samples.py              # all of them
    python samples/make_samples.py sun moon     # only these

The pictures are drawn or sphere-traced from scratch, so they belong to this project and carry its
licence.  Their subjects differ strongly in tone from a plain ground, because little else survives
60 x 60 cells of pure black and white.
"""

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from drawing import Array
from flat import balloon, butterfly, eye, moon, sun
from heads import cat, face, skull
from PIL import Image
from toys import duck, knight

PICTURES: dict[str, Callable[[], Array]] = {
    "sun": sun,
    "moon": moon,
    "eye": eye,
    "face": face,
    "skull": skull,
    "cat": cat,
    "duck": duck,
    "knight": knight,
    "balloon": balloon,
    "butterfly": butterfly,
}


def save(name: str) -> Path:
    """Make one picture and return where it was written."""
    path = Path(__file__).with_name(f"{name}.png")
    levels = np.round(PICTURES[name]() * 255).astype(np.uint8)
    Image.fromarray(levels).save(path, optimize=True)
    return path


def main(names: list[str]) -> None:
    """Make the named pictures, or all of them."""
    unknown = sorted(set(names) - set(PICTURES))
    if unknown:
        sys.exit(f"no such picture: {', '.join(unknown)} (there are {', '.join(PICTURES)})")
    for name in names or PICTURES:
        print(save(name))


if __name__ == "__main__":
    main(sys.argv[1:])
