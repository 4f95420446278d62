"""The options of the stages: board, picture, search, clicks and timing."""

from collections.abc import Callable, Iterable
from math import inf
from typing import Any, cast

from attrs import field, frozen
from attrs.converters import optional

from lightsanim.errors import OptionError
from lightsanim.options.checks import check_choice, check_seconds
from lightsanim.options.choices import (
    AUTO_FIT,
    AUTO_ORDER,
    BLUE_NOISE,
    DITHER,
    ORDERS,
    AutomatonPath,
    Dither,
    Ease,
    Fit,
    IntegerProgram,
    Levels,
    Order,
    Press,
    Tone,
    Transition,
)
from lightsanim.options.colours import Colour, to_colour, to_opaque_colour
from lightsanim.options.declare import (
    Field,
    choice_option,
    colour_option,
    flag_option,
    group_transformer,
    integer_option,
    number_option,
    option_info,
)
from lightsanim.options.stencils import KNOWN_RULES, STENCILS, to_rule
from lightsanim.options.values import (
    CUSTOM,
    ArrayLike,
    Crop,
    CustomOrder,
    Focus,
    Size,
    to_crop,
    to_focus,
    to_size,
)

# Defaults that functions share.

# Cells of a board, about, whose size is not given: a face of a half-length portrait is there, and
# a cell is still seen.  Clips have 160x90; sketches, and rules that need elimination, 60 columns.
DEFAULT_CELLS, CLIP_CELLS, SLOW_RULE_COLUMNS = 10_000, 14_400, 60

# The edge between the two pictures looks alive and stays a cell or two wide at 60 columns; with 0
# it is as straight as a machine's, with 0.04 already a strip of noise.
DEFAULT_SPREAD = 0.02

# Seconds: at 60 columns the front moves by a cell in four frames or so, slow enough to watch a face
# change, and it is over before one looks away.
DEFAULT_DURATION = 6.0

# An automaton: steps that are seen one by one, and room for one picture to be copied twice.
STEPS_A_SECOND, DEFAULT_ROOM = 12.0, 4

# The amount of the unsharp mask.  With 1.2 faces in even light still drown in the dither's texture;
# larger amounts burn out skin and sky and look like a linocut.
DEFAULT_DETAIL = 1.5

# Boards of up to this many cells are dithered to and fro unless told otherwise.  On larger boards
# that is slow, cell by cell, and no eye sees the streaks that it avoids.
MAX_SERPENTINE_CELLS = 20_000

# Ranges.
MIN_FPS, MAX_FPS = 0.01, 1000
MAX_SECONDS = 24 * 3600
MAX_LOOP = 65_535
CLICK_PRICE_RANGE = (0.01, 100)
MIN_BLUR = 0.1


def _is_opaque(options: object, field: Field, value: Any) -> None:
    if value is not None:
        to_opaque_colour(value, field.name)


def _check_time_limit(value: float) -> float:
    return check_seconds(inf if isinstance(value, str) and value == str(inf) else value)


def to_click_order(
    value: Order | CustomOrder | ArrayLike | Callable[[Any, Any], Any],
    allowed: Iterable[Order] = ORDERS,
) -> Order | CustomOrder:
    """A click order by its name, or as an array or a function; see `CustomOrder`.

    >>> to_click_order("radial"), str(to_click_order(lambda row, column: row))
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
    return check_choice("order", cast(Order, value), allowed)


def _clip_time_option(text: str, unset: str) -> Any:
    marks = "per_picture of_clips"
    return number_option(
        None, (0, 7 * 24 * 3600), text, "SECONDS", group="Clips", unset=unset, marks=marks
    )


@frozen(kw_only=True, slots=False, field_transformer=group_transformer("Board", "advanced"))
class BoardOptions:
    """The board that the clicks are made on."""

    size: Size | None = field(
        default=None,
        converter=optional(to_size),
        metadata=option_info(
            "COLUMNSxROWS; COLUMNS alone takes the first picture's shape.",
            "SIZE",
            unset=f"about {DEFAULT_CELLS:,} cells of its shape",
            marks="",
        ),
    )
    perfect: bool = flag_option(False, "Change the size a little, so that no cell is wrong.")
    levels: Levels = choice_option(2, "How many states a cell has", "N", marks="")
    rule: str = field(
        default="plus",
        converter=to_rule,
        metadata=option_info(
            f"What a click flips: {KNOWN_RULES}.", "NAME", kind="choice", choices=tuple(STENCILS)
        ),
    )
    wrap: bool = flag_option(False, "Join opposite edges, as on a torus.")


@frozen(kw_only=True, slots=False, field_transformer=group_transformer("Picture", "per_picture"))
class PictureOptions:
    """From a picture to the lit and unlit cells that it asks for."""

    crop: Crop | None = field(
        default=None,
        converter=optional(to_crop),
        metadata=option_info(
            "A part of it: LEFT,TOP,RIGHT,BOTTOM in pixels or %.", "BOX", unset="all"
        ),
    )
    focus: Focus | None = field(
        default=None,
        converter=optional(to_focus),
        metadata=option_info(
            "What to look at: X,Y in pixels or %, face, or auto, a face if there is one; then "
            "perhaps ,ZOOM.",
            "PLACE",
            unset="the middle",
        ),
    )
    fit: Fit = choice_option(
        AUTO_FIT,
        "How another shape fills the board; auto covers it, but keeps a still that is drawn on a "
        "plain ground whole",
    )
    backdrop: Colour | None = field(
        default=None,
        converter=optional(to_colour),
        validator=_is_opaque,
        metadata=colour_option(
            "Colour behind transparent or contained pictures.",
            unset="white, or black behind white",
            marks="per_picture advanced",
        ),
    )
    # Until `Settings.with_defaults_for` has seen the pictures, None where it is not given.
    dither: Dither | None = choice_option(
        None, "How greys become cells", unset=f"{DITHER}; {BLUE_NOISE} for clips and dissolves"
    )
    serpentine: bool | None = flag_option(
        None,
        "Diffuse errors to and fro: no slanting streaks.",
        unset=f"up to {MAX_SERPENTINE_CELLS:,} cells",
        marks="per_picture advanced",
    )
    rgb: bool = flag_option(False, "In colour: three boards, one for each primary.", marks="")
    tone: Tone = choice_option(
        "srgb", "What is dithered, encoded values or light", marks="advanced"
    )
    autocontrast: bool = flag_option(True, "Stretch the tones from black to white.")
    detail: float = number_option(
        DEFAULT_DETAIL,
        (0, 1000),
        "Local contrast; 0 for none, 3 for a linocut.",
        "AMOUNT",
        slider=(0, 5, 0.1),
    )
    gamma: float = number_option(
        1.0, (0.01, 100), "Above 1 lightens the middle tones.", "EXPONENT", slider=(0.25, 4, 0.05)
    )
    invert: bool = flag_option(False, "Swap black and white.")
    start: float | None = _clip_time_option("Second at which clips begin.", "0")
    end: float | None = _clip_time_option("Second at which clips end.", "their end")
    at: float | None = _clip_time_option(
        "Second of the frame that stands for a clip, as a still.", "all frames"
    )


@frozen(kw_only=True, slots=False, field_transformer=group_transformer("Solve", "advanced"))
class SolveOptions:
    """The search for configurations that can be reached, and for few clicks."""

    ip: IntegerProgram = choice_option("auto", "The integer program, Bosch's being paper")
    time_limit: float = field(
        default=30.0,
        converter=_check_time_limit,
        metadata=option_info(
            "Seconds for each search; elimination has at least 5.",
            "SECONDS",
            kind="number",
            limits=(0, inf),
            slider=(1, 120, 1),
        ),
    )


@frozen(kw_only=True, slots=False, field_transformer=group_transformer("Clicks"))
class ClickOptions:
    """How a picture becomes the next, and the order of the clicks."""

    transition: Transition = choice_option(
        "wipe",
        "How a picture, still or clip, becomes the next; dissolve fades by many clicks a frame, "
        "sketch by few; automaton, of stills, perhaps one, presses all lit lights, again and again",
        marks="of_ways",
    )
    order: Order | CustomOrder = field(
        default=AUTO_ORDER,
        converter=to_click_order,
        metadata=option_info(
            "Which cells are clicked first; auto is noise, or radial where drawings share a ground",
            "NAME",
            kind="choice",
            marks="of_ways of_settling wipe sketch",
        ),
    )
    reverse: bool = flag_option(
        False, "The order backwards.", marks="of_ways of_settling wipe sketch"
    )
    spread: float = number_option(
        DEFAULT_SPREAD,
        (0, 1),
        "How far clicks stray: 0 for a knife edge, 1 for random.",
        "AMOUNT",
        slider=(0, 1, 0.01),
        marks="of_ways of_settling wipe sketch",
    )
    press: Press = choice_option(
        "unlit", "For the order legal, cells that may be clicked", marks="advanced wipe"
    )
    sketch_frames: int = integer_option(
        13,
        (2, 1000),
        "Frames of a sketch that are searched.",
        "N",
        slider=(3, 40, 1),
        marks="advanced sketch",
    )
    click_price: float = number_option(
        1.0,
        CLICK_PRICE_RANGE,
        "Above 1 a sketch has fewer clicks, below it more.",
        "AMOUNT",
        slider=(0.1, 10, 0.1),
        marks="advanced sketch",
    )
    sketch_blur: float = number_option(
        0.7,
        (MIN_BLUR, 100),
        "How far the eye blurs a sketch; 1 is softer.",
        "CELLS",
        slider=(0.3, 3, 0.1),
        marks="advanced sketch",
    )
    settle: bool = flag_option(
        True, "Begin and end a sketch with the exact pictures, by wipes.", marks="of_stills sketch"
    )
    steps: int | None = integer_option(
        None,
        (1, inf),
        "Steps of an automaton, from or to a picture.",
        "N",
        unset="by copies",
        marks="automaton",
    )
    room: int | None = integer_option(
        None,
        (1, 100),
        "Dark room: pictures take 1/N of the sides.",
        "N",
        unset=f"{DEFAULT_ROOM} for one",
        marks="automaton",
    )
    path: AutomatonPath | None = choice_option(
        None,
        "The way of an automaton's one picture",
        unset="leave with room, else both",
        marks="automaton",
    )
    seed: int | None = integer_option(
        None, (0, inf), "For the same result again.", "N", unset="drawn, and reported"
    )


@frozen(kw_only=True, slots=False, field_transformer=group_transformer("Timing"))
class Timing:
    """When the frames of an animation are shown."""

    fps: float = number_option(
        25.0,
        (MIN_FPS, MAX_FPS),
        "Frames a second.",
        "RATE",
        slider=(5, 60, 1),
        marks="per_picture of_clips",
    )
    duration: float = number_option(
        DEFAULT_DURATION,
        (0.001, MAX_SECONDS),
        "Seconds from picture to picture, at most.",
        "SECONDS",
        slider=(0.5, 30, 0.5),
        marks="of_ways wipe dissolve sketch",
    )
    hold_first: float = number_option(
        1.0, (0, MAX_SECONDS), "Seconds before the first click.", "SECONDS", slider=(0, 10, 0.25)
    )
    # Long enough that the jump back to the first picture is a new beginning; the way back by the
    # same clicks, `boomerang`, would double a file.
    hold_last: float = number_option(
        3.0,
        (0, MAX_SECONDS),
        "Seconds that each later picture stays.",
        "SECONDS",
        slider=(0, 10, 0.25),
    )
    clicks_per_frame: int | None = integer_option(
        None,
        (1, inf),
        "1 shows every click; at one pace, whatever the ease.",
        "N",
        unset="what fits the duration",
        slider=(1, 60, 1),
        marks="advanced of_stills wipe sketch",
    )
    ease: Ease = choice_option(
        "front",
        "Pace; front moves the edge evenly, where the order has one (radial, sweep, diagonal); an "
        "automaton is slower near pictures, but with linear",
        marks="advanced of_ways",
    )
    loop: int = integer_option(0, (0, MAX_LOOP), "Plays; 0 for ever.", "N", slider=(0, 10, 1))

    @property
    def longest(self) -> float:
        """Seconds that the frame shown longest is shown, where no two holds add up."""
        return max(self.hold_first, self.hold_last + 1 / self.fps)
