"""Find faces in a picture with OpenCV's Haar cascade, if OpenCV is installed.

P. Viola and M. Jones, "Rapid object detection using a boosted cascade of simple features", CVPR
(2001) I-511 .. I-518.
"""

import threading
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

# The only frontal-face cascade of OpenCV that does not mistake coins and moons for faces.
CASCADE_FILE = "haarcascade_frontalface_alt2.xml"
# Ratio between successive face sizes that are searched for.
SCALE_STEP = 1.1
# Number of overlapping detections that confirm a face.
MIN_AGREEING = 5
# Side of the smallest detectable face, as a share of the picture's shorter side.
MIN_FACE_SHARE = 1 / 20
# Only one thread at a time may import OpenCV or use its cascade.
_OPENCV_LOCK = threading.Lock()


@cache
def can_find_faces() -> bool:
    """Return whether a version of OpenCV with cascades is installed; OpenCV 5 has no cascades."""
    with _OPENCV_LOCK:
        try:
            import cv2
        except ImportError:
            return False
    return hasattr(cv2, "CascadeClassifier")


def find_largest_face(grey: npt.NDArray[np.float64]) -> tuple[int, int, int, int] | None:
    """Return the box (left, top, right, bottom) of the widest face, brows to mouth, or None."""
    pixels = np.rint(grey * 255).astype(np.uint8)
    side = max(1, round(min(pixels.shape) * MIN_FACE_SHARE))
    with _OPENCV_LOCK:
        find = _load_cascade().detectMultiScale
        boxes = find(pixels, SCALE_STEP, MIN_AGREEING, minSize=(side, side))
    faces = [(int(x), int(y), int(x + w), int(y + h)) for x, y, w, h in boxes]
    return max(faces, key=lambda face: face[2] - face[0], default=None)


@cache
def _load_cascade() -> Any:
    import cv2
    from cv2 import data

    return cv2.CascadeClassifier(data.haarcascades + CASCADE_FILE)
