"""Find faces in a picture with OpenCV's Haar cascade, if OpenCV is installed.

P. Viola and M. Jones, "Rapid object detection using a boosted cascade of simple features", CVPR
(2001) I-511 .. I-518.
"""

import threading
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

# OpenCV 5 has no cascades.
INSTALL_OPENCV = "pip install 'opencv-python-headless<5'"
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


def can_find_faces() -> bool:
    """Return whether a version of OpenCV with cascades is installed."""
    with _OPENCV_LOCK:
        return _load_cascade() is not None


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
    # Returns None without OpenCV, and with OpenCV 5, which has no cascades.
    try:
        from cv2 import CascadeClassifier, data
    except ImportError:
        return None
    return CascadeClassifier(data.haarcascades + CASCADE_FILE)
