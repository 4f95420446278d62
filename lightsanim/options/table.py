"""Every option, once: its name, type, default, range, help, placeholder and group.

The command line, manifests, `lightsanim.make`, the command that makes a file again, a file's
metadata and the help are all made from the classes below.  To add an option, add a field, and use
it where it takes effect.

What these classes hold is canonical: however a value was spelt, equal options are equal.  The
names that options choose from stand here as well; the room that implements them has a table with
just these keys.
"""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import inf, isfinite
from pathlib import Path
from typing import Any, Literal, Self, TypeAlias, TypeVar, cast, get_args

import attrs
from attrs import Converter, field, frozen
from attrs.converters import optional

from lightsanim.errors import OptionError
from lightsanim.options.checks import (
    Choice,
    check_choice,
    check_flag,
    check_list,
    check_names,
    check_number,
    check_path,
    check_seconds,
    check_whole,
    hidden_character,
    keyed,
    shown,
)
from lightsanim.options.colours import Colour, Colours, to_colour, to_colours, to_opaque_colour
from lightsanim.options.spelling import in_words
from lightsanim.options.stencils import KNOWN_RULES, STENCILS, to_rule
from lightsanim.options.values import (
    BITS,
    CANVASES,
    CUSTOM,
    STRAIGHT,
    ArrayLike,
    Bytes,
    Canvas,
    Crop,
    CustomOrder,
    Focus,
    Panels,
    Size,
    Span,
    to_angles,
    to_byte_count,
    to_canvas,
    to_crop,
    to_focus,
    to_panels,
    to_size,
    to_span,
    to_wiring,
)
from lightsanim.options.words import WORDS, composed, to_words

Field: TypeAlias = "attrs.Attribute[Any]"
Plain: TypeAlias = bool | int | float | str | None

# What options choose from.

Levels = Literal[2, 3, 5, 7]
LEVELS: tuple[Levels, ...] = get_args(Levels)
MOST_IN_COLOUR = 5
Fit = Literal["auto", "cover", "contain", "stretch"]
AUTO_FIT: Fit = "auto"
Tone = Literal["srgb", "linear"]
TONES: tuple[Tone, ...] = get_args(Tone)
Diffusion = Literal["floyd-steinberg", "atkinson", "jarvis", "stucki", "burkes", "sierra"]
# Searched for as long as they come closer: for stills alone, as from frame to frame they flicker.
SearchedDither = Literal["search", "strokes"]
OrderedDither = Literal["bayer", "bayer2", "bayer4", "bayer8", "blue-noise", "threshold"]
Dither = Literal[Diffusion, SearchedDither, OrderedDither]
DITHERS: tuple[Dither, ...] = get_args(Dither)
DIFFUSIONS: tuple[Diffusion, ...] = get_args(Diffusion)
ORDERED_DITHERS: tuple[OrderedDither, ...] = get_args(OrderedDither)
DITHER = DIFFUSIONS[0]
SEARCH, STROKES = SEARCHED_DITHERS = get_args(SearchedDither)
BLUE_NOISE: Literal["blue-noise"] = "blue-noise"
# All but the one threshold, under which greys jump.
FADING_DITHERS = tuple(name for name in ORDERED_DITHERS if name != "threshold")
Transition = Literal["wipe", "dissolve", "sketch", "automaton"]
TRANSITIONS: tuple[Transition, ...] = get_args(Transition)
Way = Literal["leave", "arrive", "both"]
PATHS: tuple[Way, ...] = get_args(Way)
LEAVE, ARRIVE, BOTH = PATHS
Program = Literal["auto", "parity", "paper"]
PROGRAMS: tuple[Program, ...] = get_args(Program)
TimedOrder = Literal["radial", "random", "sweep", "diagonal", "spiral", "hilbert", "noise", "tone"]
Order = Literal["auto", TimedOrder, "legal"]
TIMED_ORDERS: tuple[TimedOrder, ...] = get_args(TimedOrder)
ORDERS: tuple[Order, ...] = get_args(Order)
AUTO_ORDER = ORDERS[0]
Press = Literal["unlit", "lit"]
PRESSES: tuple[Press, ...] = get_args(Press)
ANY_PRESSES = ("any", *PRESSES)
Ease = Literal["front", "linear", "in-out"]
EASES: tuple[Ease, ...] = get_args(Ease)
Shape = Literal["square", "rounded", "circle"]
SHAPES: tuple[Shape, ...] = get_args(Shape)
Side = Literal["right", "below"]
SHOW_CLICKS: tuple[Side, ...] = get_args(Side)
Paper = Literal["a4", "letter"]
PAPERS: tuple[Paper, ...] = get_args(Paper)
Answers = Literal["after", "apart", "none"]
ANSWERS: tuple[Answers, ...] = get_args(Answers)
Relative = Literal["abbott", "queens", "submarines", "ashes"]
Difficulty = Literal["easy", "medium", "hard"]
WIRINGS = (STRAIGHT, "serpentine", "bottom-right,columns,zigzag")
Reader = Literal["c", "neopixel", "fastled"]
Pens = Literal["cmy", "cmyk"]
PENS: tuple[Pens, ...] = get_args(Pens)
Palette = Literal["ink", "paper", "amber", "phosphor", "blueprint", "sunset", "rose", "pocket"]
PALETTES: tuple[Palette, ...] = get_args(Palette)
Preset = Literal[
    "colour", "photograph", "linocut", "pencil", "strokes", "engraving", "newsprint", "poster"
]
Suffix = Literal[
    ".gif", ".mp4", ".webm", ".webp", ".apng", ".svg", ".html", ".json", ".h", ".ino", ".wled", ""
]
SUFFIXES: tuple[Suffix, ...] = get_args(Suffix)
VECTOR_SUFFIXES = (".svg", ".pdf")
STILL_SUFFIXES = (".png", *VECTOR_SUFFIXES)

# What not every transition can be told, and which of them can.
OF_TRANSITIONS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("order", "reverse", "spread", "clicks_per_frame"), ("wipe", "sketch")),
    "press": ("wipe",),
    **dict.fromkeys(("sketch_frames", "click_price", "sketch_blur", "settle"), ("sketch",)),
    "duration": ("wipe", "dissolve", "sketch"),
    **dict.fromkeys(("steps", "room", "path"), ("automaton",)),
}

# What says nothing of a page that is a game.
OF_EXHIBITS = ("exhibit", "visitor_clicks")

# Of these, what is about the wipes from and to the exact pictures, which a sketch may leave out.
OF_SETTLING = ("order", "reverse", "spread")

# Those of `Timing` that depend on whether pictures are stills or clips, where they are not given.
TIMES = ("fps", "hold_first", "hold_last")

# What says nothing of a still.
OF_CLIPS = ("start", "end", "at", "fps")

# Those of a picture's options that pictures of one animation may have of their own.
OWN = (
    *("crop", "focus", "fit", "backdrop", "dither", "serpentine"),
    *("autocontrast", "detail", "gamma", "invert"),
    *OF_CLIPS,
)

# What says nothing of clips; of one clip alone, what leads from picture to picture as well.
NOT_OF_CLIPS = ("boomerang", "clicks_per_frame", "settle")
NOT_OF_ONE_CLIP = ("cycle", "transition", "order", "reverse", "spread", "ease", "duration")

# What most never change: forms show these last.
ADVANCED = (
    *("rule", "wrap", "perfect", "tone", "serpentine", "backdrop", "ip", "time_limit", "press"),
    *("sketch_frames", "click_price", "sketch_blur", "clicks_per_frame", "ease", "middle"),
    *("cell", "print_width", "paper", "hatch", "hatch_angle", "pens"),
    *("sheet_frames", "sheet_columns", "max_bytes"),
    *("wiring", "panels", "reader", "exhibit", "visitor_clicks"),
)

# Of `Outputs`, what is not about names and places.
OF_FILES = ("sheet_frames", "sheet_columns", "max_bytes")

# The game's relatives, with their arguments; those in brackets may be left out.
PUZZLES: Mapping[str, str] = keyed(
    get_args(Relative),
    {
        "abbott": "N [xor|integer]",
        "queens": "N",
        "submarines": "ROWS COLUMNS",
        "ashes": "FILE [sum|slope]",
    },
)

# Prefixes of names that are no paths: of a puzzle's answer, and of a picture that comes with us.
WORD_PREFIXES = PUZZLE_PREFIX, SAMPLE_PREFIX = "puzzle:", "sample:"

# Options that are set together, under a name, chosen by eye on boards of 60 and 90 cells.
PRESETS: Mapping[str, Mapping[str, Any]] = keyed(
    get_args(Preset),
    {
        "colour": {"rgb": True, "levels": 3, "dither": SEARCH, "detail": 0.8},
        "photograph": {"levels": 5, "dither": SEARCH, "detail": 0.8},
        "linocut": {"dither": "threshold", "detail": 3.0},
        "pencil": {"dither": "threshold", "detail": 4.0, "gamma": 2.5},
        "strokes": {"dither": STROKES},
        "engraving": {"dither": "jarvis", "detail": 4.0},
        "newsprint": {"dither": "bayer", "detail": 2.0},
        "poster": {"levels": 3, "dither": "threshold", "detail": 2.0},
    },
)

# Defaults that functions share.

# Cells of a board, about, whose size is not given: a face of a half-length portrait is there, and
# a cell is still seen.  Clips have 160x90; sketches, and rules that need elimination, 60 columns.
USUAL_CELLS, CLIP_CELLS, FEW_COLUMNS = 10_000, 14_400, 60

# The edge between the two pictures looks alive and stays a cell or two wide at 60 columns; with 0
# it is as straight as a machine's, with 0.04 already a strip of noise.
SPREAD = 0.02

# Seconds: at 60 columns the front moves by a cell in four frames or so, slow enough to watch a face
# change, and it is over before one looks away.
DURATION = 6.0

# An automaton: steps that are seen one by one, and room for one picture to be copied twice.
STEPS_A_SECOND, ROOM = 12.0, 4

# A minute's work for one visitor, and enough for three.
VISITOR_CLICKS = 30

# The amount of the unsharp mask.  With 1.2 faces in even light still drown in the dither's texture;
# larger amounts burn out skin and sky and look like a linocut.
DETAIL = 1.5

# Boards of up to this many cells are dithered to and fro unless told otherwise.  On larger boards
# that is slow, cell by cell, and no eye sees the streaks that it avoids.
MOST_SERPENTINE = 20_000

# Ranges.
MIN_FPS, MAX_FPS = 0.01, 1000
MIN_SECONDS, MAX_SECONDS = 0.001, 24 * 3600
MAX_CLIP = 7 * 24 * 3600
MAX_LOOP = 65_535
MAX_CELL = 2000
MAX_WIDTH = 50_000
MAX_STILLS = 1000
MAX_PUZZLES = 1000
MAX_TITLE = 100
MAX_PRINT_WIDTH = 5000
PRICES = (0.01, 100)
MIN_BLUR, MAX_BLUR = 0.1, 100
MAX_SKETCH_FRAMES = 1000

KNOWN_STILLS = f"{', '.join(STILL_SUFFIXES[:-1])} or {STILL_SUFFIXES[-1]}"
WIRING_WORDS = (
    "For .h, .ino and .wled, the order of a panel's lamps, as in NeoMatrix: words of "
    f"{', '.join(BITS)}, joined by commas; zigzag is also called serpentine."
)
KNOWN_SUFFIXES = ", ".join([*filter(None, SUFFIXES), "or a folder for PNGs"])


def told(
    text: str,
    metavar: str = "",
    *,
    group: str = "",
    choices: Iterable[str | int] = (),
    unset: str = "",
    flags: str = "",
    kind: str = "text",
    offered: Iterable[str] = (),
    limits: Sequence[float] = (),
    slider: Sequence[float] = (),
) -> Mapping[str, Any]:
    """What the command line, and forms, say of an option; its class has the usual group."""
    known = tuple(choices)
    names = ", ".join(map(str, known))
    return {
        **({"group": group} if group else {}),
        "help": f"{text}: {names}." if names else text,
        "metavar": metavar,
        "unset": unset,
        "flags": flags,
        "kind": kind,
        "choices": known or tuple(offered),
        "free": not known,
        "limits": tuple(limits),
        "slider": tuple(slider),
    }


# Converters bring a value into its one form, or refuse it.


def _colour(value: str | tuple[int, ...] | None, field: Field) -> Colour | None:
    is_unset = value is None and field.default is None
    return None if is_unset else to_colour(cast(str, value), field.name)


def _is_opaque(options: object, field: Field, value: Any) -> None:
    if value is not None:
        to_opaque_colour(value, field.name)


def _output(value: str | Path | Iterable[str | Path]) -> tuple[Path, ...]:
    paths = [value] if isinstance(value, str | os.PathLike) else check_list("output", value)
    return tuple(check_path("output", path) for path in paths)


def _sheet(value: str | Path) -> Path:
    return check_path("sheet", value)


def _is_line(options: object, field: Field, value: Any) -> None:
    if isinstance(value, str) and (hidden := hidden_character(value)):
        raise OptionError(f"{field.name} must be printed; leave out {hidden}", field.name)
    if not isinstance(value, str) or len(value) > MAX_TITLE:
        what = f"one of {len(value)}" if isinstance(value, str) else shown(value)
        wanted = f"be a line of at most {MAX_TITLE} characters"
        raise OptionError(f"{field.name} must {wanted}, not {what}", field.name)


def _time_limit(value: float) -> float:
    return check_seconds(inf if isinstance(value, str) and value == str(inf) else value)


OrderLike: TypeAlias = Order | CustomOrder | ArrayLike | Callable[[Any, Any], Any]
"""A click order as Python users give it."""


def to_order(value: OrderLike, known: Iterable[Order] = ORDERS) -> Order | CustomOrder:
    """A click order by its name, or as an array or a function; see `CustomOrder`.

    >>> to_order("radial"), str(to_order(lambda row, column: row))
    ('radial', 'custom')
    """
    if isinstance(value, str) and value == CUSTOM:
        raise OptionError(
            "order custom stands for an array or a function, given in Python alone", "order"
        )
    if isinstance(value, CustomOrder):
        return value
    if not isinstance(value, str) and (callable(value) or hasattr(value, "__array__")):
        return CustomOrder(value)
    return check_choice("order", cast(Order, value), known)


# Kinds of options: the default, what a value must be, and what `told` takes.


def _flag(default: bool | None, text: str, **more: Any) -> Any:
    return _checked(check_flag, default, told(text, kind="flag", **more))


def _choice(
    default: Choice | None, choices: Iterable[Choice], text: str, metavar: str = "NAME", **more: Any
) -> Any:
    said = told(text, metavar, choices=choices, kind="choice", **more)
    return _checked(check_choice, default, said, choices)


def _number(
    default: float | None, limits: tuple[float, float], text: str, metavar: str, **more: Any
) -> Any:
    said = told(text, metavar, kind="number", limits=limits, **more)
    return _checked(check_number, default, said, *limits)


def _whole(
    default: int | None, limits: tuple[int, float], text: str, metavar: str, **more: Any
) -> Any:
    said = told(text, metavar, kind="whole", limits=limits, **more)
    return _checked(check_whole, default, said, *limits)


def _second(text: str, unset: str) -> Any:
    return _number(None, (0, MAX_CLIP), text, "SECONDS", group="Clips", unset=unset)


def _checked(
    check: Callable[..., Any], default: object, metadata: Mapping[str, Any], *known: Any
) -> Any:
    def convert(value: Any, field: Field) -> Any:
        # None is what an option may be whose default it is.
        is_unset = value is None and field.default is None
        return None if is_unset else check(field.name, value, *known)

    convert.__annotations__["value"] = check.__annotations__["return"] | None  # for `help`
    return field(default=default, converter=Converter(convert, takes_field=True), metadata=metadata)


def _in_group(name: str) -> Callable[[type, list[Field]], list[Field]]:
    """The group of a class's options, but of those that say another; colours say their names."""

    def named(kind: type, fields: list[Field]) -> list[Field]:
        colours = {"converter": Converter(_colour, takes_field=True)}
        return [
            field.evolve(
                metadata={"group": name, **field.metadata},
                **(colours if field.metadata["kind"] == "colour" else {}),
            )
            for field in fields
        ]

    return named


@frozen(kw_only=True, slots=False, field_transformer=_in_group("Board"))
class BoardOptions:
    """The board that the clicks are made on."""

    size: Size | None = field(
        default=None,
        converter=optional(to_size),
        metadata=told(
            "COLUMNSxROWS; COLUMNS alone takes the first picture's shape.",
            "SIZE",
            unset=f"about {USUAL_CELLS:,} cells of its shape",
        ),
    )
    perfect: bool = _flag(False, "Change the size a little, so that no cell is wrong.")
    levels: Levels = _choice(2, LEVELS, "How many states a cell has", "N")
    rule: str = field(
        default="plus",
        converter=to_rule,
        metadata=told(
            f"What a click flips: {KNOWN_RULES}.", "NAME", kind="choice", offered=STENCILS
        ),
    )
    wrap: bool = _flag(False, "Join opposite edges, as on a torus.")


@frozen(kw_only=True, slots=False, field_transformer=_in_group("Picture"))
class PictureOptions:
    """From a picture to the lit and unlit cells that it asks for."""

    crop: Crop | None = field(
        default=None,
        converter=optional(to_crop),
        metadata=told("A part of it: LEFT,TOP,RIGHT,BOTTOM in pixels or %.", "BOX", unset="all"),
    )
    focus: Focus | None = field(
        default=None,
        converter=optional(to_focus),
        metadata=told(
            "What to look at: X,Y in pixels or %, face, or auto, a face if there is one; then "
            "perhaps ,ZOOM.",
            "PLACE",
            unset="the middle",
        ),
    )
    fit: Fit = _choice(
        AUTO_FIT,
        get_args(Fit),
        "How another shape fills the board; auto covers it, but keeps a still that is drawn on a "
        "plain ground whole",
    )
    backdrop: Colour | None = field(
        default=None,
        converter=optional(to_colour),
        validator=_is_opaque,
        metadata=told(
            "Colour behind transparent or contained pictures.",
            "COLOUR",
            kind="colour",
            unset="white, or black behind white",
        ),
    )
    # Until `Settings.suited` has seen the pictures, None where it is not given.
    dither: Dither | None = _choice(
        None,
        DITHERS,
        "How greys become cells",
        unset=f"{DITHER}; {BLUE_NOISE} for clips and dissolves",
    )
    serpentine: bool | None = _flag(
        None,
        "Diffuse errors to and fro: no slanting streaks.",
        unset=f"up to {MOST_SERPENTINE:,} cells",
    )
    rgb: bool = _flag(False, "In colour: three boards, one for each primary.")
    tone: Tone = _choice("srgb", TONES, "What is dithered, encoded values or light")
    autocontrast: bool = _flag(True, "Stretch the tones from black to white.")
    detail: float = _number(
        DETAIL,
        (0, 1000),
        "Local contrast; 0 for none, 3 for a linocut.",
        "AMOUNT",
        slider=(0, 5, 0.1),
    )
    gamma: float = _number(
        1.0, (0.01, 100), "Above 1 lightens the middle tones.", "EXPONENT", slider=(0.25, 4, 0.05)
    )
    invert: bool = _flag(False, "Swap black and white.")
    start: float | None = _second("Second at which clips begin.", "0")
    end: float | None = _second("Second at which clips end.", "their end")
    at: float | None = _second(
        "Second of the frame that stands for a clip, as a still.", "all frames"
    )


@frozen(kw_only=True, slots=False, field_transformer=_in_group("Solve"))
class SolveOptions:
    """The search for configurations that can be reached, and for few clicks."""

    ip: Program = _choice("auto", PROGRAMS, "The integer program, Bosch's being paper")
    time_limit: float = field(
        default=30.0,
        converter=_time_limit,
        metadata=told(
            "Seconds for each search; elimination has at least 5.",
            "SECONDS",
            kind="number",
            limits=(0, inf),
            slider=(1, 120, 1),
        ),
    )


@frozen(kw_only=True, slots=False, field_transformer=_in_group("Clicks"))
class ClickOptions:
    """How a picture becomes the next, and the order of the clicks."""

    transition: Transition = _choice(
        "wipe",
        TRANSITIONS,
        "How a picture, still or clip, becomes the next; dissolve fades by many clicks a frame, "
        "sketch by few; automaton, of stills, perhaps one, presses all lit lights, again and again",
    )
    order: Order | CustomOrder = field(
        default=AUTO_ORDER,
        converter=to_order,
        metadata=told(
            "Which cells are clicked first; auto is noise, or radial where drawings share a ground",
            "NAME",
            choices=ORDERS,
            kind="choice",
        ),
    )
    reverse: bool = _flag(False, "The order backwards.")
    spread: float = _number(
        SPREAD,
        (0, 1),
        "How far clicks stray: 0 for a knife edge, 1 for random.",
        "AMOUNT",
        slider=(0, 1, 0.01),
    )
    press: Press = _choice("unlit", PRESSES, "For the order legal, cells that may be clicked")
    sketch_frames: int = _whole(
        13, (2, MAX_SKETCH_FRAMES), "Frames of a sketch that are searched.", "N", slider=(3, 40, 1)
    )
    click_price: float = _number(
        1.0,
        PRICES,
        "Above 1 a sketch has fewer clicks, below it more.",
        "AMOUNT",
        slider=(0.1, 10, 0.1),
    )
    sketch_blur: float = _number(
        0.7,
        (MIN_BLUR, MAX_BLUR),
        "How far the eye blurs a sketch; 1 is softer.",
        "CELLS",
        slider=(0.3, 3, 0.1),
    )
    settle: bool = _flag(True, "Begin and end a sketch with the exact pictures, by wipes.")
    steps: int | None = _whole(
        None, (1, inf), "Steps of an automaton, from or to a picture.", "N", unset="by copies"
    )
    room: int | None = _whole(
        None, (1, 100), "Dark room: pictures take 1/N of the sides.", "N", unset=f"{ROOM} for one"
    )
    path: Way | None = _choice(
        None, PATHS, "The way of an automaton's one picture", unset="leave with room, else both"
    )
    seed: int | None = _whole(
        None, (0, inf), "For the same result again.", "N", unset="drawn, and reported"
    )


@frozen(kw_only=True, slots=False, field_transformer=_in_group("Timing"))
class Timing:
    """When the frames of an animation are shown."""

    fps: float = _number(25.0, (MIN_FPS, MAX_FPS), "Frames a second.", "RATE", slider=(5, 60, 1))
    duration: float = _number(
        DURATION,
        (MIN_SECONDS, MAX_SECONDS),
        "Seconds from picture to picture, at most.",
        "SECONDS",
        slider=(0.5, 30, 0.5),
    )
    hold_first: float = _number(
        1.0, (0, MAX_SECONDS), "Seconds before the first click.", "SECONDS", slider=(0, 10, 0.25)
    )
    # Long enough that the jump back to the first picture is a new beginning; the way back by the
    # same clicks, `boomerang`, would double a file.
    hold_last: float = _number(
        3.0,
        (0, MAX_SECONDS),
        "Seconds that each later picture stays.",
        "SECONDS",
        slider=(0, 10, 0.25),
    )
    clicks_per_frame: int | None = _whole(
        None,
        (1, inf),
        "1 shows every click; at one pace, whatever the ease.",
        "N",
        unset="what fits the duration",
        slider=(1, 60, 1),
    )
    ease: Ease = _choice(
        "front",
        EASES,
        "Pace; front moves the edge evenly, where the order has one (radial, sweep, diagonal); an "
        "automaton is slower near pictures, but with linear",
    )
    loop: int = _whole(0, (0, MAX_LOOP), "Plays; 0 for ever.", "N", slider=(0, 10, 1))

    @property
    def longest(self) -> float:
        """Seconds that the frame shown longest is shown, where no two holds add up."""
        return max(self.hold_first, self.hold_last + 1 / self.fps)


def _left_open(name: str, unset: str) -> Any:
    """An option of `Timing` that need not be given."""
    known = getattr(attrs.fields(Timing), name)
    metadata = {**known.metadata, "unset": unset}
    return field(default=None, converter=known.converter, metadata=metadata)


@frozen(kw_only=True, slots=False, field_transformer=_in_group("Timing"))
class Settings(Timing, ClickOptions, SolveOptions, PictureOptions, BoardOptions):
    """What `make` may be told, but for the look.

    Raises:
        OptionError: for a value that an option cannot take, or options that exclude each other.

    >>> Settings(size=60, fps=25) == Settings(size="60", fps=25.0)
    True
    """

    # Until `suited` has seen the pictures, None where they are not given.
    fps: float | None = _left_open("fps", "25, or the clip's; 12 steps")  # type: ignore[assignment]
    hold_first: float | None = _left_open(  # type: ignore[assignment]
        "hold_first", "1; a clip begins at once"
    )
    hold_last: float | None = _left_open(  # type: ignore[assignment]
        "hold_last", "3; none for clips"
    )
    cycle: bool = _flag(False, "On from the last picture to the first.")
    boomerang: bool = _flag(False, "Back to the first picture by the same clicks.")
    mute: bool = _flag(False, "Leave out the sound of clips.", group="Clips")

    def __attrs_post_init__(self) -> None:
        self._check_transition()
        if self.serpentine and self.dither not in (None, *DIFFUSIONS):
            raise OptionError(
                f"serpentine needs an error-diffusion dither, not {self.dither!r}", "serpentine"
            )
        self._check_levels()
        if self.order == "legal":
            for name in ("rgb", "boomerang", "reverse"):
                if getattr(self, name):
                    raise OptionError(
                        f"order legal and {name} exclude each other; leave one out", "order"
                    )
        if self.end is not None and self.end <= (self.start or 0):
            raise OptionError(f"end {self.end:g} must be after start {self.start or 0:g}", "end")
        if self.cycle and self.boomerang:
            raise OptionError(
                "cycle and boomerang lead back in two ways; choose one of them", "cycle"
            )

    @property
    def frame_rate(self) -> float:
        """Frames a second; where they are not given, those of stills."""
        return Timing().fps if self.fps is None else self.fps

    @property
    def longest(self) -> float:
        """As of `Timing`, for stills where the times are not given."""
        if None in (self.fps, self.hold_first, self.hold_last):
            return self.suited().longest
        return super().longest

    def suited(self, clip_fps: float | None = None, *, pictures: int = 2) -> Self:
        """With what suits the pictures in place of what was not given.

        Args:
            clip_fps: the first clip's own frames a second; None for stills alone.  How long a
                picture of a film with clips is held depends on what it is: that stays open.
            pictures: how many there are.

        >>> Settings().suited().dither, Settings(fps=24).suited(30).fps, Settings().suited(30).fps
        ('floyd-steinberg', 24.0, 30.0)
        """
        usual = dict[str, Any](dither=BLUE_NOISE, fps=clip_fps)
        if clip_fps is None:
            times = {name: getattr(attrs.fields(Timing), name).default for name in TIMES}
            usual = {"dither": DITHER, **times}
        if self.transition == "automaton":
            room = self.room or (ROOM if pictures == 1 else 1)
            leaves = pictures == 1 and room > 1 and not self.cycle
            usual |= {"fps": STEPS_A_SECOND, "room": room, "path": LEAVE if leaves else BOTH}
        suited = {name: value for name, value in usual.items() if getattr(self, name) is None}
        if self.dither in SEARCHED_DITHERS and (clip_fps or self.transition == "dissolve"):
            suited["dither"] = BLUE_NOISE
        return attrs.evolve(self, **suited)

    def _check_transition(self) -> None:
        said = [name for name in said_of(self) if name in OF_TRANSITIONS]
        for name in said:
            if self.transition not in OF_TRANSITIONS[name]:
                raise OptionError(
                    f"{name} belongs to transition {' or '.join(OF_TRANSITIONS[name])}, not to "
                    f"{self.transition}; leave it out",
                    name,
                )
        if self.transition == "dissolve":
            self._check_dissolve()
        if self.transition == "sketch" and self.order == "legal":
            raise OptionError("order legal belongs to transition wipe, not to sketch", "order")
        if not self.settle:
            _refuse_settling(said)

    def _check_dissolve(self) -> None:
        if self.dither is None:
            # What is recorded is what is used.
            object.__setattr__(self, "dither", BLUE_NOISE)
        if self.dither not in (*FADING_DITHERS, *SEARCHED_DITHERS):
            raise OptionError(
                f"a dissolve needs a dither whose thresholds stand still, one of "
                f"{', '.join(FADING_DITHERS)}, not {self.dither!r}",
                "dither",
            )

    def _check_levels(self) -> None:
        if self.rgb and self.levels > MOST_IN_COLOUR:
            raise OptionError(
                f"{self.levels} levels are for grey alone; leave out rgb, or take at most "
                f"{MOST_IN_COLOUR} levels",
                "levels",
            )
        for name, value in (("ip", "paper"), ("order", "legal")):
            if self.levels > 2 and getattr(self, name) == value:
                raise OptionError(
                    f"{name} {value} is for 2 levels alone, not {self.levels}; take another {name}",
                    name,
                )


def given(options: attrs.AttrsInstance) -> dict[str, Any]:
    """The options that differ from their defaults, by name.

    >>> given(Settings(fps=24, seed=None))
    {'fps': 24.0}
    """
    values = ((field, getattr(options, field.name)) for field in attrs.fields(type(options)))
    return {field.name: value for field, value in values if value != field.default}


def said_of(settings: Settings) -> dict[str, Any]:
    """The options that say something beyond what is usual, or was in 1.0.

    >>> said_of(Settings(order="radial", spread=0))
    {'spread': 0.0}
    """
    usual = {"order": "radial"}
    return {name: value for name, value in given(settings).items() if value != usual.get(name)}


def as_wipe(settings: Settings) -> Settings:
    """The same options, but of the transition wipe; what that cannot be told is left out.

    >>> as_wipe(Settings(size=8, transition="sketch", settle=False)) == Settings(size=8)
    True
    """
    others = [name for name, can in OF_TRANSITIONS.items() if "wipe" not in can]
    return attrs.evolve(settings, transition="wipe", **{n: getattr(Settings(), n) for n in others})


def _refuse_settling(said: Iterable[str]) -> None:
    for name in said:
        if name in OF_SETTLING:
            raise OptionError(
                f"{name} goes with the wipes that settle a sketch; leave it out, or take settle",
                name,
            )


@frozen(kw_only=True, slots=False, field_transformer=_in_group("Picture"))
class Request(Settings):
    """The options of `make` as users give them: a preset may stand for several.

    This says what may be given; `settings_from` makes `Settings` of it.
    """

    preset: Preset | None = field(
        default=None,
        metadata=told(
            "Several options at once, which those given override: "
            + "; ".join(f"{name} ({in_words(values)})" for name, values in PRESETS.items())
            + ".",
            "NAME",
        ),
    )


@frozen(kw_only=True, slots=False, field_transformer=_in_group("Look"))
class LookOptions:
    """The look of a board; `lightsanim.Theme` knows what follows from it."""

    width: int = _whole(
        720, (1, MAX_WIDTH), "Pixels of a frame, about.", "PX", slider=(200, 2000, 20)
    )
    cell: int | None = _whole(
        None, (1, MAX_CELL), "Pixels of a cell, in place of --width.", "PX", slider=(1, 40, 1)
    )
    canvas: Canvas | None = field(
        default=None,
        converter=optional(to_canvas),
        metadata=told(
            "Pixels of a frame, exactly, with margins, in place of --width: WIDTHxHEIGHT, WIDTH or "
            f"{', '.join(CANVASES)}. Videos make odd sides even, by a line of background.",
            "SIZE",
            kind="choice",
            offered=CANVASES,
        ),
    )
    gap: int | None = _whole(None, (0, MAX_CELL), "Pixels between cells.", "PX", slider=(0, 10, 1))
    shape: Shape = _choice("square", SHAPES, "Shape of a cell")
    palette: Palette = _choice("ink", PALETTES, "Colours")
    colours: Colours | None = field(
        default=None,
        converter=optional(to_colours),
        metadata=told(
            "Own colours in place of a palette's, from dark to bright, spread over the levels: "
            "#012,#456,#def, or a file, .hex or .gpl.",
            "COLOURS",
            unset="of the palette",
        ),
    )
    lit: Colour | None = field(
        default=None,
        converter=optional(to_colour),
        metadata=told("Colour of lit cells: a name, #rrggbb or none.", "COLOUR", kind="colour"),
    )
    unlit: Colour | None = field(
        default=None,
        converter=optional(to_colour),
        metadata=told("Colour of unlit cells.", "COLOUR", kind="colour"),
    )
    middle: Colour | None = field(
        default=None,
        converter=optional(to_colour),
        metadata=told("Colour of the middle level of a grey picture.", "COLOUR", kind="colour"),
    )
    background: Colour | None = field(
        default=None,
        converter=optional(to_colour),
        metadata=told("Colour of gaps and margins.", "COLOUR", kind="colour"),
    )
    mark: Colour | None = field(
        default=None,
        converter=optional(to_colour),
        metadata=told("Colour of a dot on the cells being clicked.", "COLOUR", kind="colour"),
    )
    show_clicks: Side | None = _choice(
        None, SHOW_CLICKS, "Where to draw the clicks that make each frame", "SIDE"
    )
    print_width: float | None = _number(
        None,
        (1, MAX_PRINT_WIDTH),
        "Millimetres that a still is wide on paper.",
        "MM",
        unset="96 pixels an inch",
        slider=(50, 600, 5),
    )
    paper: Paper | None = _choice(
        None, PAPERS, "Stills as .svg or .pdf stand in the middle of a page, with margins"
    )
    hatch: float | None = _number(
        None,
        (0.1, MAX_PRINT_WIDTH),
        "For plotters: strokes of a pen, so many millimetres apart; no gap unless one is given.",
        "MM",
        unset="filled",
        slider=(0.2, 3, 0.05),
    )
    hatch_angle: str | None = field(
        default=None,
        converter=optional(to_angles),
        metadata=told(
            "How far strokes turn left from level, or those of each pen: 15,75,0.",
            "DEGREES",
            unset="0; in colour 15,75,0,45",
        ),
    )
    pens: Pens | None = _choice(
        None, PENS, "Inks of --hatch with --rgb, k being black", unset="cmy"
    )
    wiring: str = _checked(
        to_wiring,
        STRAIGHT,
        told(WIRING_WORDS, "WORDS", group="Output", kind="choice", offered=WIRINGS),
    )
    panels: Panels = field(
        default=Panels(),
        converter=to_panels,
        metadata=told("For these, panels as ACROSSxDOWN, then ,WORDS.", "PANELS", group="Output"),
    )
    reader: Reader | None = _choice(
        None,
        get_args(Reader),
        "What plays the film, in it: a .h takes c, a .ino others",
        group="Output",
    )
    exhibit: bool = _flag(
        False, "For .html, a page for touch screens: visitors make the last clicks.", group="Output"
    )
    visitor_clicks: int | None = _whole(
        None,
        (1, 1000),
        "How many last clicks an exhibit leaves to visitors; implies exhibit.",
        "N",
        group="Output",
        unset=str(VISITOR_CLICKS),
        slider=(5, 100, 5),
    )

    def __attrs_post_init__(self) -> None:
        if self.visitor_clicks is not None:
            object.__setattr__(self, "exhibit", True)
        if self.exhibit and self.show_clicks is not None:
            raise OptionError(
                "an exhibit has no panel of clicks; leave out show_clicks", "show_clicks"
            )
        if self.colours is not None:
            for name in [n for n in ("palette", "lit", "unlit", "middle") if n in given(self)]:
                raise OptionError(f"colours says all of them; leave out {name}", name)
        if self.canvas is not None and self.width != attrs.fields(LookOptions).width.default:
            raise OptionError(
                "canvas and width both say how large a frame is; leave one out", "canvas"
            )


@frozen(kw_only=True, slots=False, field_transformer=_in_group("Output"))
class Outputs:
    """The files that a run writes."""

    output: tuple[Path, ...] = field(
        default=(),
        converter=_output,
        metadata=told(
            f"File to write, once or more: {KNOWN_SUFFIXES}. An .svg plays as a film.",
            "FILE",
            flags="-o --output",
        ),
    )
    sheet: Path | None = field(
        default=None,
        converter=optional(_sheet),
        metadata=told(f"Stills side by side, as {KNOWN_STILLS}, which do not move.", "FILE"),
    )
    sheet_frames: int = _whole(4, (1, MAX_STILLS), "How many stills.", "N", slider=(1, 12, 1))
    sheet_columns: int | None = _whole(
        None, (1, MAX_STILLS), "How many in a row; with --paper a flip-book.", "N", unset="all"
    )
    max_bytes: Bytes | None = field(
        default=None,
        converter=optional(to_byte_count),
        metadata=told("The most a GIF may have, by smaller cells and fewer frames: 8MB.", "BYTES"),
    )
    overwrite: bool = _flag(True, "Replace files that exist.")


@frozen(kw_only=True, slots=False, field_transformer=_in_group("Paper"))
class SheetOptions:
    """The puzzles of a worksheet, and the paper that they stand on."""

    puzzle: Relative | None = _choice(
        None, PUZZLES, "A relative, with some cells given", group="Board", unset="Lights Out"
    )
    size: Size = field(
        default=Size(columns=5, rows=5),
        converter=to_size,
        metadata=told("COLUMNSxROWS; COLUMNS alone is a square.", "SIZE", group="Board"),
    )
    count: int = _whole(6, (1, MAX_PUZZLES), "How many puzzles.", "N", group="Clicks")
    clicks: Span | None = field(
        default=None,
        converter=optional(to_span),
        metadata=told(
            "How many the puzzles need at least: FIRST..LAST, in even steps, or N for all.",
            "SPAN",
            group="Clicks",
            unset="3..12, or less where the board is small",
        ),
    )
    difficulty: Difficulty | None = _choice(
        None, get_args(Difficulty), "Of a relative", group="Clicks", unset="from easy to hard"
    )
    title: str = field(
        default="Lights Out",
        converter=composed,
        validator=_is_line,
        metadata=told("At the top of each page; without it, a relative's name.", "TEXT"),
    )
    paper: Paper = _choice("a4", PAPERS, "Size of the pages")
    per_page: int | None = _whole(
        None,
        (1, MAX_PUZZLES),
        "Puzzles on a page.",
        "N",
        unset="as many as leave room to write in the cells",
    )
    answers: Answers = _choice(
        "after", ANSWERS, "Where they stand, on pages at the end or in a file of their own"
    )
    fewest: bool = _flag(True, "Tell of each puzzle how many clicks it needs.")
    words: Mapping[str, str] | None = field(
        default=None,
        converter=optional(to_words),
        metadata=told(
            f"A .toml file of words on the sheet: {', '.join(WORDS)}.", "FILE", unset="English"
        ),
    )

    def __attrs_post_init__(self) -> None:
        puzzle = self.puzzle
        if puzzle and self.clicks is not None:
            raise OptionError(f"clicks is for Lights Out; for {puzzle} take difficulty", "clicks")
        if not puzzle and self.difficulty is not None:
            what = "difficulty is for a puzzle; for Lights Out take clicks"
            raise OptionError(what, "difficulty")
        if puzzle and "title" not in given(self):
            object.__setattr__(self, "title", title_of(puzzle))


@frozen(kw_only=True, slots=False, field_transformer=_in_group("Output"))
class Messages:
    """What a run says, and where."""

    json: bool = _flag(False, "Print the report as JSON.")
    quiet: bool = _flag(False, "Say nothing but errors.", flags="--quiet -q")
    verbose: bool = _flag(False, "Say more.", flags="--verbose -v")


Options = TypeVar("Options", bound=attrs.AttrsInstance)


def names_of(kind: type[attrs.AttrsInstance]) -> tuple[str, ...]:
    """The names of a class's options.

    >>> names_of(SolveOptions)
    ('ip', 'time_limit')
    """
    return tuple(field.name for field in attrs.fields(kind))


def document_options(kind: type[attrs.AttrsInstance]) -> None:
    """Add what each option of a class is to its docstring, for `help`."""
    lines = (f"    {field.name}: {field.metadata['help']}" for field in attrs.fields(kind))
    kind.__doc__ = "\n".join([(kind.__doc__ or "").rstrip(), "", "Attributes:", *lines])


def title_of(puzzle: str) -> str:
    """What a relative is called."""
    return "The Abbott\u2019s Window" if puzzle == "abbott" else puzzle.capitalize()


def settings_from(given: Mapping[str, Any]) -> Settings:
    """The options of `make` by their names, and those of a preset under them.

    >>> settings = settings_from({"preset": "linocut", "detail": 2})
    >>> settings.dither, settings.detail
    ('threshold', 2.0)
    """
    check_names("option", given, names_of(Request))
    return Settings(**with_preset(given))


def with_preset(given: Mapping[str, Any]) -> dict[str, Any]:
    """Values by name, with what their preset sets and they do not in place of ``preset``.

    >>> with_preset({"preset": "linocut", "detail": 2})
    {'dither': 'threshold', 'detail': 2}
    """
    options = dict(given)
    if options.get("transition") == "sketch" and options.get("settle") is False:
        _refuse_settling(options)
    if (preset := options.pop("preset", None)) is not None:
        options = {**PRESETS[check_choice("preset", preset, PRESETS)], **options}
    return options


def recorded(kind: type[Options], given: Mapping[str, Any]) -> Options:
    """Options as a file tells of them; those of later versions are ignored.

    A custom order is not in the file; there is the default in its place.

    >>> recorded(Settings, {"backdrop": "black", "later": 1}).backdrop == Settings().backdrop
    False
    """
    known = {name: given[name] for name in names_of(kind) if name in given}
    if known.get("order") == CUSTOM:
        del known["order"]
    return kind(**known)


def plain(options: attrs.AttrsInstance) -> dict[str, Plain]:
    """Options as JSON holds them; the classes take these values back.

    >>> plain(SolveOptions(time_limit=inf))
    {'ip': 'auto', 'time_limit': 'inf'}
    """
    return plain_values(attrs.asdict(options, recurse=False))


def plain_values(values: Mapping[str, Any]) -> dict[str, Plain]:
    """Values of options by their names, as JSON holds them."""
    return {name: plain_value(value) for name, value in values.items()}


def plain_value(value: Any) -> Plain:
    """A value of an option as JSON holds it: as it is, or in the words of the command line."""
    if isinstance(value, float) and not isfinite(value):
        return str(value)  # there is no infinity in JSON
    return value if isinstance(value, Plain) else str(value)


for kind in (Settings, SheetOptions, Timing, Outputs):
    document_options(kind)
