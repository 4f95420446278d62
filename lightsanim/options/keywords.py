"""The types of options that functions take by name, for type checkers and editors.

`tests/tools/keywords.py` writes this file from the table of options; a test compares them.
"""

# fmt: off

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Literal, TypedDict

from .page_words import PageWords
from .values import ArrayLike, Canvas, Crop, CustomOrder, Focus, Panels, Size, Span

Format = Literal["gif", "mp4", "webm", "webp", "apng", "svg", "html", "json", "h", "ino", "wled"]


class LookKeywords(TypedDict, total=False):
    """Options of the look, see `lightsanim.Theme`."""

    gap: int | None
    shape: Literal["square", "rounded", "circle"]
    palette: Literal["ink", "paper", "amber", "phosphor", "blueprint", "sunset", "rose", "pocket"]
    colours: str | Path | Iterable[str | tuple[float, ...]] | None
    lit: str | tuple[float, ...] | None
    unlit: str | tuple[float, ...] | None
    background: str | tuple[float, ...] | None
    mark: str | tuple[float, ...] | None
    show_clicks: Literal["right", "below", "right-total", "below-total", "total"] | None
    width: int
    cell: int | None
    canvas: Canvas | str | int | tuple[int, int] | None
    print_width: float | None
    paper: Literal["a4", "letter"] | None
    hatch: float | None
    hatch_angle: str | float | Iterable[float] | None
    pens: Literal["cmy", "cmyk"] | None
    wiring: str
    panels: Panels | str
    library: Literal["c", "neopixel", "fastled"] | None
    visitor_clicks: int | None
    maker: str | None
    language: str | Path | Mapping[str, Any] | PageWords | None


class SavedLookKeywords(LookKeywords, total=False):
    """Options of the look, the limit of a file's size, and the sound of videos."""

    max_bytes: str | int | None
    mute: bool


class PictureKeywords(TypedDict, total=False):
    """Options of one picture."""

    crop: Crop | str | tuple[float, ...] | None
    focus: Focus | str | tuple[float, ...] | None
    fit: Literal["auto", "cover", "contain", "stretch"]
    backdrop: str | tuple[float, ...] | None
    dither: Literal["auto", "floyd-steinberg", "atkinson", "jarvis", "stucki", "burkes", "sierra", "search", "strokes", "bayer", "bayer2", "bayer8", "blue-noise", "threshold"] | None
    autocontrast: bool
    detail: float | None
    gamma: float
    invert: bool
    start: float | None
    end: float | None
    at: float | None
    fps: float | None
    preset: Literal["colour", "spot", "photograph", "linocut", "pencil", "strokes", "engraving", "newsprint", "poster", "loop"] | Iterable[Literal["colour", "spot", "photograph", "linocut", "pencil", "strokes", "engraving", "newsprint", "poster", "loop"]]


class MakeKeywords(PictureKeywords, total=False):
    """Options of `make`, see `lightsanim.Settings`."""

    size: Size | str | int | tuple[int, int] | None
    perfect: bool
    levels: Literal[2, 3, 5, 7]
    rule: str
    wrap: bool
    rgb: bool
    spot: bool | str | Iterable[str | tuple[float, ...]]
    tone: Literal["srgb", "linear"]
    ip: Literal["auto", "parity", "paper"]
    time_limit: float
    order: Literal["auto", "radial", "random", "sweep", "diagonal", "spiral", "hilbert", "noise", "tone", "contour", "legal"] | CustomOrder | ArrayLike | list[list[float]] | Callable[[Any, Any], Any]
    reverse: bool
    spread: float
    clicks_picture: str | None
    beside: str | Iterable[str]
    press: Literal["unlit", "lit"]
    sketch_frames: int
    click_price: float
    sketch_blur: float
    settle: bool
    steps: int | None
    room: int | None
    path: Literal["leave", "arrive", "both", "through"] | None
    transition: Literal["wipe", "dissolve", "sketch", "automaton"]
    seed: int | None
    duration: float
    clicks_per_frame: int | None
    ease: Literal["auto", "even", "front", "linear", "in-out"]
    loop: int
    hold_first: float | None
    hold_last: float | None
    total: float | None
    ending: Literal["stay", "cycle", "boomerang"]


class WorksheetKeywords(TypedDict, total=False):
    """Options of `lightsanim.worksheet`."""

    puzzle: Literal["abbott", "queens", "submarines", "ashes"] | None
    size: Size | str | int | tuple[int, int]
    count: int
    clicks: Span | str | int | tuple[int, int] | None
    difficulty: Literal["easy", "medium", "hard"] | None
    title: str
    paper: Literal["a4", "letter"]
    per_page: int | None
    answers: Literal["after", "apart", "none"]
    fewest: bool
    language: str | Path | Mapping[str, Any] | PageWords | None
    levels: Literal[2, 3, 5, 7]
    rule: str
    wrap: bool
    time_limit: float
    seed: int | None
