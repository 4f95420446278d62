"""Faces in a picture, found by the cascade that OpenCV ships, where it is installed.

P. Viola and M. Jones, "Rapid object detection using a boosted cascade of simple features", CVPR
(2001) I-511 .. I-518.
"""

import threading
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

# Of the cascades for faces from the front the one that takes neither coins nor moons for a face.
CASCADE_FILE = "haarcascade_frontalface_alt2.xml"

# Steps between the sizes of faces looked for, how many finds must agree, and the smallest face, of
# the shorter side.
SCALE_STEP, MIN_AGREEING, MIN_FACE_SHARE = 1.1, 5, 1 / 20

# OpenCV is half there while a thread imports it, and a cascade looks at one picture at a time, with
# threads of its own.
_OPENCV_LOCK = threading.Lock()


@cache
def can_find_faces() -> bool:
    """Is there an OpenCV with cascades?  OpenCV 5 has none."""
    with _OPENCV_LOCK:
        try:
            import cv2
        except ImportError:
            return False
    return hasattr(cv2, "CascadeClassifier")


def find_largest_face(grey: npt.NDArray[np.float64]) -> tuple[int, int, int, int] | None:
    """The largest face, from the brows to below the mouth."""
    pixels = np.rint(grey * 255).astype(np.uint8)
    side = max(1, round(min(pixels.shape) * MIN_FACE_SHARE))
    with _OPENCV_LOCK:
        boxes = _load_cascade().detectMultiScale(
            pixels, SCALE_STEP, MIN_AGREEING, minSize=(side, side)
        )
    faces = [(int(x), int(y), int(x + w), int(y + h)) for x, y, w, h in boxes]
    return max(faces, key=lambda face: face[2] - face[0], default=None)


@cache
def _load_cascade() -> Any:
    import cv2
    from cv2 import data

    return cv2.CascadeClassifier(data.haarcascades + CASCADE_FILE)
