"""The options of the stages: board, picture, search, clicks and timing."""

import shlex
from collections.abc import Callable, Iterable, Mapping
from math import inf
from typing import Any, Literal, get_args

import attrs
from attrs import field, frozen
from attrs.converters import optional

from lightsanim.errors import OptionError
from .checks import check_list, check_seconds, invalid_value_error
from .choices import (
    AUTO,
    BLUE_NOISE,
    DITHER,
    ORDERS,
    SEARCH,
    THRESHOLD,
    AutomatonPath,
    Dither,
    Ease,
    Fit,
    IntegerProgram,
    Levels,
    Order,
    Press,
    Tone,
)
from .colours import Colour, Colours, to_opaque_colour, to_spot
from .declare import (
    choice_option,
    colour_option,
    custom_option,
    flag_option,
    group_transformer,
    integer_option,
    number_option,
    option_info,
)
from .stencils import KNOWN_RULES, STENCILS, to_rule
from .values import (
    CUSTOM,
    ArrayLike,
    Crop,
    CustomOrder,
    Focus,
    PictureWords,
    Size,
    to_crop,
    to_focus,
    to_size,
)

# The transitions; `OPTIONS_BY_TRANSITION` lists their options.
Transition = Literal["wipe", "dissolve", "sketch", "automaton"]
TRANSITIONS: tuple[Transition, ...] = get_args(Transition)
# Approximate number of cells of a board whose size is not given.  With this number, a face in a
# half-length portrait is recognisable, and single cells are still visible.
DEFAULT_CELLS = 10_000
CLIP_CELLS = 14_400  # Default number of cells for films with clips, such as 160x90.
SLOW_RULE_COLUMNS = 60  # Default columns for sketches, and for rules with slow elimination.
# Randomness of the click order.  On 60 columns, it makes the edge between two pictures one or two
# cells wide.  With 0 and ease front the edge would be a straight line, with 0.04 a strip of noise.
DEFAULT_SPREAD = 0.02
STEPS_A_SECOND = 12.0  # Default frame rate of an automaton, so slow that each step is seen.
# Side of the board divided by the side of the picture, for an automaton of one picture.  4 leaves
# room for two successive sets of copies of the picture.
DEFAULT_ROOM = 4
# Strength of the unsharp mask that enhances local contrast.  With 1.2, faces in even light are lost
# in the texture of the dither.  Larger values burn out skin and sky, as in a linocut.
DEFAULT_DETAIL = 1.5
DEFAULT_SPOT_DETAIL = 0.5  # The same for spot colours, of which there are few.
# Largest number of cells of a board that is dithered in serpentine order by default.  On larger
# boards serpentine order is slow, and the streaks that it avoids are invisible.
MAX_SERPENTINE_CELLS = 20_000
MIN_FPS, MAX_FPS = 0.01, 1000
MAX_SECONDS = 24 * 3600
MAX_LOOP = 65_535
CLICK_PRICE_RANGE = (0.01, 100)
MIN_BLUR = 0.1


def _check_time_limit(value: float) -> float:
    return check_seconds(inf if isinstance(value, str) and value == str(inf) else value)


def check_picture_word(name: str, value: Any) -> str:
    """Check a path of a picture, such as "cat.png" or "sample:face", with options after @."""
    if not isinstance(value, str) or not value:
        raise invalid_value_error(name, "be a path, such as 'cat.png'", value)
    return value


def to_picture_words(value: str | Iterable[str]) -> PictureWords:
    """Convert the paths of ``beside``, in a list or in text quoted as for a shell."""
    try:
        words = shlex.split(value) if isinstance(value, str) else check_list("beside", value)
    except ValueError:
        raise invalid_value_error("beside", "be a list of paths", value) from None
    return PictureWords(check_picture_word("beside", word) for word in words)


def to_click_order(
    value: Order | CustomOrder | ArrayLike | list[list[float]] | Callable[[Any, Any], Any],
    allowed: Iterable[Order] = ORDERS,
) -> Order | CustomOrder:
    """Check the name of a click order, or convert an array or a function to a `CustomOrder`."""
    if isinstance(value, str) and value == CUSTOM:
        flaw = "order custom needs an array or a function, in Python"
        raise OptionError(f"{flaw}; choose another order", "order")
    if isinstance(value, CustomOrder):
        return value
    is_array = isinstance(value, list) or hasattr(value, "__array__")
    if not isinstance(value, str) and (is_array or callable(value)):
        return CustomOrder(value)
    names = list(allowed)
    if isinstance(value, str) and value in names:
        return value
    expected = f"be one of {', '.join(names)}, or in Python an array of times or a function"
    raise invalid_value_error("order", f"{expected} of (rows, columns)", value, names)


def _clip_time_option(text: str, unset: str) -> Any:
    marks = "per_picture of_clips"
    return number_option(
        None, (0, 7 * 24 * 3600), text, "SECONDS", group="Clips", unset=unset, marks=marks
    )


def _seed_option() -> Any:
    text = "Random seed, to repeat a result exactly."
    return integer_option(None, (0, inf), text, "N", unset="random, reported")


@frozen(kw_only=True, slots=False, field_transformer=group_transformer("Board", "advanced"))
class BoardOptions:
    """The size and the rules of the board."""

    size: Size | None = field(
        default=None,
        converter=optional(to_size),
        metadata=option_info(
            "Board size in cells: COLUMNSxROWS, or COLUMNS for the shape of the canvas, if it is "
            "set, or of the first picture.",
            "SIZE",
            unset=f"about {DEFAULT_CELLS:,} cells in that shape",
            marks="",
        ),
    )
    perfect: bool = flag_option(False, "Adjust the size so that clicks can form any picture.")
    levels: Levels = choice_option(2, "Number of brightness levels of a cell", "N", marks="")
    rule: str = field(
        default="plus",
        converter=to_rule,
        metadata=option_info(
            f"Cells that a click flips: {KNOWN_RULES}.",
            "NAME",
            kind="choice",
            choices=tuple(STENCILS),
        ),
    )
    wrap: bool = flag_option(False, "Join opposite edges of the board, as on a torus.")


@frozen(kw_only=True, slots=False, field_transformer=group_transformer("Picture", "per_picture"))
class PictureOptions:
    """The conversion of a picture to lit and unlit cells."""

    crop: Crop | None = field(
        default=None,
        converter=optional(to_crop),
        metadata=option_info(
            "Part of the picture to use: LEFT,TOP,RIGHT,BOTTOM in pixels or %.",
            "BOX",
            unset="all of it",
        ),
    )
    focus: Focus | None = field(
        default=None,
        converter=optional(to_focus),
        metadata=option_info(
            "Point of the picture to centre on: X,Y in pixels or %, face (the largest), or auto (a "
            "face if there is one, else as without focus). Append ,2 to show it at twice the size.",
            "PLACE",
            unset="the middle; in stills much taller than the board, the top of the subject",
        ),
    )
    fit: Fit = choice_option(
        AUTO,
        "How to fit a picture to a board of another shape (cover crops it, contain adds margins, "
        "stretch distorts it; auto crops it, or extends the plain background of a drawing)",
    )
    backdrop: Colour | None = field(
        default=None,
        converter=optional(to_opaque_colour),
        metadata=colour_option(
            "Colour behind transparent parts of pictures, and of margins added by fit contain.",
            check=to_opaque_colour,
            unset="white, or black behind white pictures",
            marks="per_picture advanced",
        ),
    )
    # None means what it meant before there was "auto": the same, without a threshold for flat art.
    dither: Dither | None = choice_option(
        AUTO,
        f"Dithering method (auto: {BLUE_NOISE} for clips and dissolves; threshold for stills of "
        f"few tones in a wipe, such as letters and logos; otherwise {DITHER}, or search with spot)",
    )
    # An option of version 1.0, which changes the targets of its films.
    serpentine: bool | None = flag_option(
        None, "Alternate the direction of error diffusion from row to row.", hidden=True
    )
    rgb: bool = flag_option(False, "Animate in colour, as red, green and blue planes.", marks="")
    # The colours that were found, once they are known; so films are made again with them.
    spot: bool | Colours = field(
        default=False,
        converter=to_spot,
        metadata=option_info(
            "Animate in the pictures' own colours, one for each level; needs 3, 5 or 7 levels.",
            kind="flag",
            marks="",
        ),
    )
    tone: Tone = choice_option("srgb", "Dither sRGB values or linear light", marks="advanced")
    autocontrast: bool = flag_option(True, "Stretch the tones to the range from black to white.")
    detail: float | None = number_option(
        None,
        (0, 1000),
        "Amount of added local contrast; 0 adds none, 3 is strong.",
        "AMOUNT",
        unset=f"{DEFAULT_DETAIL:g}; with spot {DEFAULT_SPOT_DETAIL:g}; 0 or 2 where dither "
        "auto chooses threshold",
        slider=(0, 5, 0.1),
    )
    gamma: float = number_option(
        1.0,
        (0.01, 100),
        "Gamma correction; values above 1 lighten mid-tones.",
        "EXPONENT",
        slider=(0.25, 4, 0.05),
    )
    invert: bool = flag_option(False, "Swap black and white in the picture.")
    start: float | None = _clip_time_option("Time at which clips start, in seconds.", "0")
    end: float | None = _clip_time_option("Time at which clips end, in seconds.", "their end")
    at: float | None = _clip_time_option(
        "Time, in seconds, of one frame of a clip, which is used as a still.", "the whole clip"
    )

    def __attrs_post_init__(self) -> None:
        if self.end is not None and self.end <= (self.start or 0):
            flaw = f"end must be later than start {self.start or 0:g}, not {self.end:g}"
            raise OptionError(flaw, "end")

    @property
    def dither_of_stills(self) -> Dither:
        """The dither of stills, unless "auto" chooses another for one of them."""
        default: Dither = SEARCH if self.spot else DITHER
        return default if self.dither is None or self.dither == AUTO else self.dither

    @property
    def added_contrast(self) -> float:
        """Amount of local contrast that is added."""
        default = DEFAULT_SPOT_DETAIL if self.spot else DEFAULT_DETAIL
        return default if self.detail is None else self.detail

    @property
    def reads_colour(self) -> bool:
        """Whether pictures are read in colour."""
        return self.rgb or bool(self.spot)

    @property
    def plane_count(self) -> int:
        """Number of colour planes: 1, or 3 in colour."""
        return 3 if self.rgb else 1

    @property
    def has_flat_colours(self) -> bool:
        """Whether spot colours are shown without dithering."""
        return bool(self.spot) and self.dither == THRESHOLD


@frozen(kw_only=True, slots=False, field_transformer=group_transformer("Picture"))
class TargetOptions(PictureOptions, BoardOptions):
    """How pictures become targets on a board."""


@frozen(kw_only=True, slots=False, field_transformer=group_transformer("Solve", "advanced"))
class SolveOptions:
    """The searches for accessible configurations and for small click sets."""

    ip: IntegerProgram = choice_option(
        "auto",
        "Integer program that minimises the cells that differ from the picture (auto: only if a "
        "search proves no minimum; parity: at once; paper: the program of Bosch's paper)",
    )
    time_limit: float = field(
        default=30.0,
        converter=_check_time_limit,
        metadata=option_info(
            "Time limit of each search, in seconds; Gaussian elimination gets at least 5 seconds.",
            "SECONDS",
            kind="number",
            limits=(0, inf),
            slider=(1, 120, 1),
        ),
    )


@frozen(kw_only=True, slots=False, field_transformer=group_transformer("Clicks", "of_ways"))
class OrderOptions:
    """The order of the clicks of a wipe, and of the wipes at the ends of a sketch."""

    order: Order | CustomOrder = field(
        default=AUTO,
        converter=to_click_order,
        metadata=option_info(
            "Order of the clicks (auto: radial for large boards and for drawings on the same "
            "background, otherwise contour, which follows the edges of both pictures)",
            "NAME",
            kind="choice",
        ),
    )
    reverse: bool = flag_option(False, "Reverse the order of clicks.")
    spread: float = number_option(
        DEFAULT_SPREAD,
        (0, 1),
        "Randomness of the click order, from 0 (none; with ease front, a sharp edge between "
        "pictures) to 1 (random order).",
        "AMOUNT",
        slider=(0, 1, 0.01),
    )


@frozen(kw_only=True, slots=False, field_transformer=group_transformer("Clicks"))
class WipeOptions:
    """The options of wipes alone."""

    clicks_picture: str | None = custom_option(
        check_picture_word,
        None,
        "Third picture, which the clicked cells draw; the search for all three replaces dithering.",
        "PICTURE",
        marks="of_stills",
    )
    beside: PictureWords = field(
        default=PictureWords(),
        converter=to_picture_words,
        metadata=option_info(
            "Picture on the right half of a wide board, repeatable, one for each picture: the same "
            "clicks change both halves; the search for all replaces dithering.",
            "PICTURE",
            marks="of_stills",
        ),
    )
    press: Press = choice_option(
        "unlit", "With order legal, the state of a cell before its click", at="press"
    )

    @property
    def more_pictures(self) -> tuple[str, ...]:
        """Paths of the pictures beside those of the film, or of the one that its clicks draw."""
        return (*self.beside, *([] if self.clicks_picture is None else [self.clicks_picture]))


@frozen(kw_only=True, slots=False, field_transformer=group_transformer("Clicks"))
class SketchOptions:
    """The options of sketches alone."""

    sketch_frames: int = integer_option(
        13, (2, 1000), "Frames in a sketch's fade.", "N", slider=(3, 40, 1), at="frames"
    )
    click_price: float = number_option(
        1.0,
        CLICK_PRICE_RANGE,
        "Cost of a click of a sketch; above 1 gives fewer clicks, below 1 a closer likeness.",
        "AMOUNT",
        slider=(0.1, 10, 0.1),
        at="price",
    )
    sketch_blur: float = number_option(
        0.7,
        (MIN_BLUR, 100),
        "Blur of the frames that a sketch's search compares, in cells; 1 gives softer tones.",
        "CELLS",
        slider=(0.3, 3, 0.1),
        at="blur",
    )
    settle: bool = flag_option(
        True,
        "Begin and end a sketch with wipes at the exact pictures.",
        marks="of_stills",
        at="settle",
    )


@frozen(kw_only=True, slots=False, field_transformer=group_transformer("Clicks"))
class AutomatonOptions:
    """The options of automata alone."""

    steps: int | None = integer_option(
        None,
        (1, inf),
        "Number of steps of an automaton that lead from a picture, or to a picture; with path "
        "through, a power of the number of levels.",
        "N",
        unset="until the last whole copies of the picture, or until noise",
        at="steps",
    )
    room: int | None = integer_option(
        None,
        (1, 100),
        "Pad the pictures of an automaton with dark cells, to N times their width and height.",
        "N",
        unset=f"{DEFAULT_ROOM} for one picture, else 1",
        at="room",
    )
    path: AutomatonPath | None = choice_option(
        None,
        "Direction of an automaton of one picture (leave starts at it, arrive ends at it); through "
        "searches a start that looks like the first of two or three and becomes the others",
        unset="leave if the picture is padded, else both",
        at="path",
    )


@frozen(kw_only=True, slots=False, field_transformer=group_transformer("Clicks"))
class ClickOptions(AutomatonOptions, SketchOptions, WipeOptions, OrderOptions):
    """The transition from one picture to the next, and the order of the clicks."""

    transition: Transition = choice_option(
        "wipe",
        "How one picture becomes the next (dissolve fades with many clicks per frame, sketch fades "
        "with few; automaton presses every lit cell at each step, and is only for stills)",
        marks="of_ways",
    )
    seed: int | None = _seed_option()


@frozen(kw_only=True, slots=False, field_transformer=group_transformer("Clicks"))
class GameOptions(SolveOptions, BoardOptions):
    """The board of puzzles, and the search for them."""

    seed: int | None = _seed_option()


@frozen(kw_only=True, slots=False, field_transformer=group_transformer("Timing"))
class Timing:
    """The frame rate, the durations and the pace of an animation."""

    fps: float = number_option(
        25.0,
        (MIN_FPS, MAX_FPS),
        "Frames per second.",
        "RATE",
        slider=(5, 60, 1),
        marks="per_picture of_clips",
    )
    duration: float = number_option(
        6.0,  # on 60 columns, the edge moves by one cell in about four frames
        (0.001, MAX_SECONDS),
        "Maximum time from one picture to the next, in seconds.",
        "SECONDS",
        slider=(0.5, 30, 0.5),
        marks="of_ways",
    )
    hold_first: float = number_option(
        1.0, (0, MAX_SECONDS), "Seconds before the first click.", "SECONDS", slider=(0, 10, 0.25)
    )
    # After 3 seconds, viewers see the jump back to the first picture as a new beginning.
    hold_last: float = number_option(
        3.0,
        (0, MAX_SECONDS),
        "Time for which each picture after the first stays, in seconds.",
        "SECONDS",
        slider=(0, 10, 0.25),
    )
    clicks_per_frame: int | None = integer_option(
        None,
        (1, inf),
        "Number of clicks per frame; replaces duration and ease. 1 shows every click.",
        "N",
        unset="as many as fit the duration",
        slider=(1, 60, 1),
        marks="advanced of_stills",
    )
    ease: Ease = choice_option(
        AUTO,
        "Pace of a transition (even: the visible change is even; front: the edge of an order that "
        "has one moves evenly; linear: clicks at a constant rate; in-out: slow at both ends; auto: "
        "even for orders with an edge, else linear; automata slow down near pictures, except with "
        "linear)",
        marks="advanced of_ways",
    )
    loop: int = integer_option(
        0, (0, MAX_LOOP), "Number of plays; 0 repeats for ever.", "N", slider=(0, 10, 1)
    )

    @property
    def longest(self) -> float:
        """Longest time that a frame is shown, in seconds, if no two holds follow each other."""
        return max(self.hold_first, self.hold_last + 1 / self.fps)


def _names(*kinds: type[attrs.AttrsInstance]) -> tuple[str, ...]:
    return tuple(option.name for kind in kinds for option in attrs.fields(kind))


# The options that apply to some transitions only, by transition.  The order of the clicks applies
# neither to a single clip nor to a sketch without wipes at its ends.
OPTIONS_BY_TRANSITION: Mapping[Transition, tuple[str, ...]] = {
    "wipe": (*_names(OrderOptions, WipeOptions), "duration", "clicks_per_frame"),
    "dissolve": ("duration",),
    "sketch": (*_names(OrderOptions, SketchOptions), "duration", "clicks_per_frame"),
    "automaton": _names(AutomatonOptions),
}
