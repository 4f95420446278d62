"""The types of options that functions take by name, for type checkers and editors.

`tests/keywords.py` writes this file from the table of options; a test compares them.
"""

# fmt: off

from collections.abc import Iterable
from pathlib import Path
from typing import Literal, TypedDict

from lightsanim.options.values import Canvas, Crop, Focus, Panels, Size, Span

Format = Literal["gif", "mp4", "webm", "webp", "apng", "svg", "html", "json", "h", "ino", "wled"]


class Look(TypedDict, total=False):
    """See `lightsanim.Theme`."""

    width: int
    cell: int | None
    canvas: Canvas | str | int | tuple[int, int] | None
    gap: int | None
    shape: Literal["square", "rounded", "circle"]
    palette: Literal["ink", "paper", "amber", "phosphor", "blueprint", "sunset", "rose", "pocket"]
    colours: str | Path | Iterable[str | tuple[int, ...]] | None
    lit: str | tuple[int, ...] | None
    unlit: str | tuple[int, ...] | None
    middle: str | tuple[int, ...] | None
    background: str | tuple[int, ...] | None
    mark: str | tuple[int, ...] | None
    show_clicks: Literal["right", "below"] | None
    print_width: float | None
    paper: Literal["a4", "letter"] | None
    hatch: float | None
    hatch_angle: str | float | Iterable[float] | None
    pens: Literal["cmy", "cmyk"] | None
    wiring: str
    panels: Panels | str
    reader: Literal["c", "neopixel", "fastled"] | None
    exhibit: bool
    visitor_clicks: int | None


class SavedLook(Look, total=False):
    """And of a GIF."""

    max_bytes: str | int | None


class Own(TypedDict, total=False):
    """Of one picture."""

    crop: Crop | str | tuple[float, ...] | None
    focus: Focus | str | tuple[float, ...] | None
    fit: Literal["auto", "cover", "contain", "stretch"]
    backdrop: str | tuple[int, ...] | None
    dither: Literal["floyd-steinberg", "atkinson", "jarvis", "stucki", "burkes", "sierra", "search", "strokes", "bayer", "bayer2", "bayer4", "bayer8", "blue-noise", "threshold"] | None
    serpentine: bool | None
    autocontrast: bool
    detail: float
    gamma: float
    invert: bool
    start: float | None
    end: float | None
    at: float | None
    fps: float | None
    preset: Literal["colour", "photograph", "linocut", "pencil", "strokes", "engraving", "newsprint", "poster"] | None


class Worksheets(TypedDict, total=False):
    """See `lightsanim.worksheet`."""

    size: Size | str | int | tuple[int, int]
    count: int
    clicks: Span | str | int | tuple[int, int] | None
    title: str
    paper: Literal["a4", "letter"]
    per_page: int | None
    levels: Literal[2, 3, 5, 7]
    rule: str
    wrap: bool
    time_limit: float
    seed: int | None
