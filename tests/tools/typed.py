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


def given(film: la.Animation) -> tuple[Image, list[Image], list[Image], la.Report]:
    """Indexing and iteration give images; the report comes with all that `make` takes."""
    film.save(io.BytesIO(), "gif", cell=3)
    report = la.make_with_report(PICTURES, preset="linocut", size=60)[1]
    return film[0], film[::10], list(film), report


def looks(film: la.Animation) -> list[object]:
    """Looks have the names and the types of `Theme`, wherever they are taken."""
    film.save("film.gif", palette="amber", max_bytes="8MB", canvas="square")
    film.save("film.mp4", mute=True, width=300)
    film.save("film.svg", colours="#012,#456", shape="circle", gap=None)
    la.save_still(film.last, "last.svg", hatch=0.5, hatch_angle=45, paper="a4")
    return [
        film.to_bytes("webp", lit=(255, 0, 0), mark=None),
        film.frame(0, width=300, show_clicks="right"),
        next(film.frames(cell=3, panels="2x1", wiring="zigzag")),
        film.plot(3, unlit="none"),
        la.preview("sample:face", size=40, levels=3),
        la.Source("sample:face", focus="face", dither="search", preset="linocut"),
        la.Source("dance.mp4", start=1, end=2.5),
        la.worksheet(size=5, clicks="3..9", paper="letter", levels=3, seed=1),
        la.make(PICTURES, levels=3, transition="dissolve", fit="contain", ease="front"),
    ]


def refused(film: la.Animation) -> None:
    """Unknown names, and values of other types, are not."""
    la.make(PICTURES, order="radiall")  # type: ignore[arg-type]
    la.make(PICTURES, dither="floyd")  # type: ignore[arg-type]
    la.make(PICTURES, levels=4)  # type: ignore[arg-type]
    la.make(PICTURES, preset="color")  # type: ignore[arg-type]
    film.save("film.mp4", mute="x")  # type: ignore[arg-type]
    film.save("film.gif", cel=3)  # type: ignore[call-arg]
    film.save("film.gif", palette="ambr")  # type: ignore[arg-type]
    film.to_bytes("webpp")  # type: ignore[arg-type]
    film.frame(0, shape="disc")  # type: ignore[arg-type]
    la.Source("face.png", focuss=1)  # type: ignore[call-arg]
    la.Source("face.png", fit="fill")  # type: ignore[arg-type]
    la.preview("face.png", palett="x")  # type: ignore[call-arg]
    la.worksheet(paper="a5")  # type: ignore[arg-type]
    la.Theme(palette="ambr")  # type: ignore[arg-type]
    la.make(PICTURES, sise=60)  # type: ignore[call-arg]
    la.make(PICTURES, fps="x")  # type: ignore[arg-type]
    la.make(PICTURES, palette="amber")  # type: ignore[call-arg]
    la.make(PICTURES, order=3)  # type: ignore[arg-type]
    la.make_with_report(PICTURES, sise=60)  # type: ignore[call-arg]
    la.make(pictures=PICTURES)  # type: ignore[call-arg]
    la.Theme(cell="3")  # type: ignore[arg-type]
