"""What type checkers make of the interface; `make types` reads this, nothing runs it.

An ignored error that is not one is an error itself (mypy's ``warn_unused_ignores``).
"""

import io

import numpy as np
from PIL.Image import Image

import lightsanim as la

PICTURES = ["sun.png", "moon.png"]


def taken() -> list[la.Animation]:
    """Values are taken however they are spelt; orders have names, or are arrays or functions."""
    return [
        la.make(PICTURES, size=60, backdrop="white", seed=3),
        la.make(PICTURES, preset="linocut", detail=2),
        la.make(PICTURES, dither=None, fps=None, hold_first=None, hold_last=None),
        la.make(PICTURES, size=(60, 40), backdrop=(255, 255, 255), clicks_per_frame=None),
        la.make(PICTURES, order="sweep"),
        la.make(PICTURES, order=np.zeros((60, 60))),
        la.make_with_report(PICTURES, order=lambda row, column: row + column)[0],
    ]


def frames(film: la.Animation) -> tuple[Image, list[Image], list[Image]]:
    """Indexing and iteration give images."""
    film.save(io.BytesIO(), "gif", cell=3)
    return film[0], film[::10], list(film)


def reported() -> la.Report:
    """The report comes with all that `make` takes, presets too."""
    return la.make_with_report(PICTURES, preset="linocut", size=60)[1]


def refused() -> None:
    """Unknown names, and values of other types, are not."""
    la.make(PICTURES, sise=60)  # type: ignore[call-arg]
    la.make(PICTURES, fps="x")  # type: ignore[arg-type]
    la.make(PICTURES, palette="amber")  # type: ignore[call-arg]
    la.make(PICTURES, order=3)  # type: ignore[arg-type]
    la.make_with_report(PICTURES, sise=60)  # type: ignore[call-arg]
    la.make(pictures=PICTURES)  # type: ignore[call-arg]
    la.Theme(cell="3")  # type: ignore[arg-type]
