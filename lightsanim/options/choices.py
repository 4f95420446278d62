"""The names that are valid for options with a fixed set of choices.

The package that implements an option has a table whose keys are the names of its choices.
"""

from collections.abc import Mapping
from typing import Literal, get_args

from .checks import require_keys

AUTO: Literal["auto"] = "auto"  # the choice that depends on the pictures
Levels = Literal[2, 3, 5, 7]
LEVELS: tuple[Levels, ...] = get_args(Levels)
MAX_COLOUR_LEVELS = 5
Fit = Literal["auto", "cover", "contain", "stretch"]
Tone = Literal["srgb", "linear"]
TONES: tuple[Tone, ...] = get_args(Tone)
Diffusion = Literal["floyd-steinberg", "atkinson", "jarvis", "stucki", "burkes", "sierra"]
# Dithers that improve a picture by search.  They would flicker from frame to frame of a clip.
SearchedDither = Literal["search", "strokes"]
OrderedDither = Literal["bayer", "bayer2", "bayer8", "blue-noise", "threshold"]
FixedDither = Literal[Diffusion, SearchedDither, OrderedDither]
Dither = Literal["auto", FixedDither]
DITHERS: tuple[FixedDither, ...] = get_args(FixedDither)
DIFFUSIONS: tuple[Diffusion, ...] = get_args(Diffusion)
ORDERED_DITHERS: tuple[OrderedDither, ...] = get_args(OrderedDither)
DITHER = DIFFUSIONS[0]
SEARCH, STROKES = SEARCHED_DITHERS = get_args(SearchedDither)
BLUE_NOISE: Literal["blue-noise"] = "blue-noise"
THRESHOLD: Literal["threshold"] = "threshold"
# Dithers that make a fade gradual; with a single threshold many cells would flip at once.
FADING_DITHERS = tuple(name for name in ORDERED_DITHERS if name != THRESHOLD)
AutomatonPath = Literal["leave", "arrive", "both", "through"]
LEAVE, ARRIVE, BOTH, THROUGH = get_args(AutomatonPath)
Ending = Literal["stay", "cycle", "boomerang"]
STAY: Ending
CYCLE: Ending
BOOMERANG: Ending
STAY, CYCLE, BOOMERANG = get_args(Ending)
IntegerProgram = Literal["auto", "parity", "paper"]
PROGRAMS: tuple[IntegerProgram, ...] = get_args(IntegerProgram)
TimedOrder = Literal[
    "radial", "random", "sweep", "diagonal", "spiral", "hilbert", "noise", "tone", "contour"
]
Order = Literal["auto", TimedOrder, "legal"]
TIMED_ORDERS: tuple[TimedOrder, ...] = get_args(TimedOrder)
ORDERS: tuple[Order, ...] = get_args(Order)
Press = Literal["unlit", "lit"]
PRESSES: tuple[Press, ...] = get_args(Press)
ANY_PRESSES = ("any", *PRESSES)
Ease = Literal["auto", "even", "front", "linear", "in-out"]
EASES: tuple[Ease, ...] = get_args(Ease)
EVEN_EASES = EASES[:2]  # If the order has a front, the visible change is even.
# Eases with which clicks near a front are ordered by what they show; the others are as in 1.0.
SEAM_EASES = (*EVEN_EASES, "in-out")
Shape = Literal["square", "rounded", "circle"]
SHAPES: tuple[Shape, ...] = get_args(Shape)
ClicksPanel = Literal["right", "below", "right-total", "below-total", "total"]
Paper = Literal["a4", "letter"]
PAPERS: tuple[Paper, ...] = get_args(Paper)
Answers = Literal["after", "apart", "none"]
PuzzleName = Literal["abbott", "queens", "submarines", "ashes"]
Difficulty = Literal["easy", "medium", "hard"]
PlayerCode = Literal["c", "neopixel", "fastled"]
Pens = Literal["cmy", "cmyk"]
PENS: tuple[Pens, ...] = get_args(Pens)
Palette = Literal["ink", "paper", "amber", "phosphor", "blueprint", "sunset", "rose", "pocket"]
PALETTES: tuple[Palette, ...] = get_args(Palette)
PicturePreset = Literal[
    "colour",
    "spot",
    "photograph",
    "linocut",
    "pencil",
    "strokes",
    "engraving",
    "newsprint",
    "poster",
]
Preset = Literal[PicturePreset, "loop"]
Suffix = Literal[
    ".gif", ".mp4", ".webm", ".webp", ".apng", ".svg", ".html", ".json", ".h", ".ino", ".wled", ""
]
FilmFormat = Literal[
    "gif", "mp4", "webm", "webp", "apng", "svg", "html", "json", "h", "ino", "wled"
]
SUFFIXES: tuple[Suffix, ...] = get_args(Suffix)
VECTOR_SUFFIXES = (".svg", ".pdf")
STILL_SUFFIXES = (".png", *VECTOR_SUFFIXES)

# Puzzles related to Lights Out, with their arguments; arguments in brackets are optional.
PUZZLES: Mapping[str, str] = require_keys(
    get_args(PuzzleName),
    {
        "abbott": "N [xor|integer]",
        "queens": "N",
        "submarines": "ROWS COLUMNS",
        "ashes": "FILE [sum|slope]",
    },
)

# Prefixes of words that name a picture but no file: a puzzle's answer, or a bundled sample; and a
# text or a QR code, which are drawn cell by cell for each board.
DRAWN_PREFIXES = TEXT_PREFIX, QR_PREFIX = "text:", "qr:"
WORD_PREFIXES = PUZZLE_PREFIX, SAMPLE_PREFIX, *_ = "puzzle:", "sample:", *DRAWN_PREFIXES
KNOWN_STILLS = f"{', '.join(STILL_SUFFIXES[:-1])} or {STILL_SUFFIXES[-1]}"
KNOWN_SUFFIXES = ", ".join([*filter(None, SUFFIXES), "or a folder for PNGs"])
