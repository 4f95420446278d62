"""What type checkers make of the interface; `make types` reads this, nothing runs it.

An ignored error that is not one is an error itself (mypy's ``warn_unused_ignores``).
"""

import lightsanim as la

PICTURES = ["sun.png", "moon.png"]


def taken() -> list[la.Animation]:
    """Values are taken however they are spelt."""
    return [
        la.make(PICTURES, size=60, backdrop="white", seed=3),
        la.make(PICTURES, preset="linocut", detail=2),
        la.make(PICTURES, size="60x40", fps=25, order="radial"),
        la.make(PICTURES, size=(60, 40), backdrop=(255, 255, 255), clicks_per_frame=None),
    ]


def refused() -> None:
    """Unknown names, and values of other types, are not."""
    la.make(PICTURES, sise=60)  # type: ignore[call-arg]
    la.make(PICTURES, fps="x")  # type: ignore[arg-type]
    la.make(PICTURES, palette="amber")  # type: ignore[call-arg]
    la.make(pictures=PICTURES)  # type: ignore[call-arg]
    la.Theme(cell="3")  # type: ignore[arg-type]
