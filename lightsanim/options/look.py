"""How frames and stills look."""

import attrs
from attrs import field, frozen
from attrs.converters import optional

from lightsanim.errors import OptionError
from lightsanim.options.choices import Palette, PanelSide, Paper, Pens, PlayerCode, Shape
from lightsanim.options.colours import Colour, Colours, to_colour, to_colours
from lightsanim.options.declare import (
    choice_option,
    colour_option,
    custom_option,
    flag_option,
    group_transformer,
    integer_option,
    number_option,
    option_info,
)
from lightsanim.options.page_words import LANGUAGES, PageWords, to_page_words
from lightsanim.options.records import non_default_values
from lightsanim.options.values import (
    BITS,
    CANVASES,
    STRAIGHT,
    Canvas,
    Panels,
    to_angles,
    to_canvas,
    to_panels,
    to_wiring,
)

# A minute's work for one visitor, and enough for three.
DEFAULT_VISITOR_CLICKS = 30

MAX_CELL = 2000
MAX_PRINT_WIDTH = 5000
WIRING_EXAMPLES = (STRAIGHT, "serpentine", "bottom-right,columns,zigzag")
WIRING_HELP = (
    "For .h, .ino and .wled, the order of a panel's lamps, as in NeoMatrix: words of "
    f"{', '.join(BITS)}, joined by commas; zigzag is also called serpentine."
)


@frozen(kw_only=True, slots=False, field_transformer=group_transformer("Look"))
class LookOptions:
    """The look of a board; `lightsanim.Theme` knows what follows from it."""

    width: int = integer_option(
        720, (1, 50_000), "Pixels of a frame, about.", "PX", slider=(200, 2000, 20)
    )
    cell: int | None = integer_option(
        None,
        (1, MAX_CELL),
        "Pixels of a cell, in place of --width.",
        "PX",
        slider=(1, 40, 1),
        marks="advanced",
    )
    canvas: Canvas | None = field(
        default=None,
        converter=optional(to_canvas),
        metadata=option_info(
            "Pixels of a frame, exactly, with margins, in place of --width: WIDTHxHEIGHT, WIDTH or "
            f"{', '.join(CANVASES)}. Videos make odd sides even, by a line of background.",
            "SIZE",
            kind="choice",
            choices=tuple(CANVASES),
        ),
    )
    gap: int | None = integer_option(
        None, (0, MAX_CELL), "Pixels between cells.", "PX", slider=(0, 10, 1)
    )
    shape: Shape = choice_option("square", "Shape of a cell")
    palette: Palette = choice_option("ink", "Colours")
    colours: Colours | None = field(
        default=None,
        converter=optional(to_colours),
        metadata=option_info(
            "Own colours in place of a palette's, from dark to bright, spread over the levels: "
            "#012,#456,#def, or a file, .hex or .gpl.",
            "COLOURS",
            unset="of the palette",
        ),
    )
    lit: Colour | None = field(
        default=None,
        converter=optional(to_colour),
        metadata=colour_option("Colour of lit cells: a name, #rrggbb or none."),
    )
    unlit: Colour | None = field(
        default=None,
        converter=optional(to_colour),
        metadata=colour_option("Colour of unlit cells."),
    )
    middle: Colour | None = field(
        default=None,
        converter=optional(to_colour),
        metadata=colour_option("Colour of the middle level of a grey picture.", marks="advanced"),
    )
    background: Colour | None = field(
        default=None,
        converter=optional(to_colour),
        metadata=colour_option("Colour of gaps and margins."),
    )
    mark: Colour | None = field(
        default=None,
        converter=optional(to_colour),
        metadata=colour_option("Colour of a dot on the cells being clicked.", marks="of_moves"),
    )
    show_clicks: PanelSide | None = choice_option(
        None, "Where to draw the clicks that make each frame", "SIDE", marks="of_moves"
    )
    print_width: float | None = number_option(
        None,
        (1, MAX_PRINT_WIDTH),
        "Millimetres that a still is wide on paper.",
        "MM",
        unset="96 pixels an inch",
        slider=(50, 600, 5),
        marks="advanced",
    )
    paper: Paper | None = choice_option(
        None, "Stills as .svg or .pdf stand in the middle of a page, with margins", marks="advanced"
    )
    hatch: float | None = number_option(
        None,
        (0.1, MAX_PRINT_WIDTH),
        "For plotters: strokes of a pen, so many millimetres apart; no gap unless one is given.",
        "MM",
        unset="filled",
        slider=(0.2, 3, 0.05),
        marks="advanced",
    )
    hatch_angle: str | None = field(
        default=None,
        converter=optional(to_angles),
        metadata=option_info(
            "How far strokes turn left from level, or those of each pen: 15,75,0.",
            "DEGREES",
            unset="0; in colour 15,75,0,45",
            marks="advanced",
        ),
    )
    pens: Pens | None = choice_option(
        None, "Inks of --hatch with --rgb, k being black", unset="cmy", marks="advanced"
    )
    wiring: str = custom_option(
        to_wiring,
        STRAIGHT,
        option_info(
            WIRING_HELP,
            "WORDS",
            group="Output",
            kind="choice",
            choices=WIRING_EXAMPLES,
            marks="advanced of_moves",
        ),
    )
    panels: Panels = field(
        default=Panels(),
        converter=to_panels,
        metadata=option_info(
            "For these, panels as ACROSSxDOWN, then ,WORDS.",
            "PANELS",
            group="Output",
            marks="advanced of_moves",
        ),
    )
    reader: PlayerCode | None = choice_option(
        None,
        "What plays the film, in it: a .h takes c, a .ino others",
        group="Output",
        marks="advanced of_moves",
    )
    exhibit: bool = flag_option(
        False,
        "For .html, a page for touch screens: visitors make the last clicks.",
        group="Output",
        marks="advanced of_exhibits",
    )
    visitor_clicks: int | None = integer_option(
        None,
        (1, 1000),
        "How many last clicks an exhibit leaves to visitors; implies exhibit.",
        "N",
        group="Output",
        unset=str(DEFAULT_VISITOR_CLICKS),
        slider=(5, 100, 5),
        marks="advanced of_exhibits",
    )

    words: PageWords | None = field(
        default=None,
        converter=optional(to_page_words),
        metadata=option_info(
            f"Language of .html pages: {', '.join(LANGUAGES)}, or a .toml file of texts.",
            "WORDS",
            group="Output",
            unset="English",
            kind="choice",
            choices=LANGUAGES,
            marks="advanced of_pages",
        ),
    )

    def __attrs_post_init__(self) -> None:
        if self.visitor_clicks is not None:
            object.__setattr__(self, "exhibit", True)
        if self.exhibit and self.show_clicks is not None:
            raise OptionError(
                "an exhibit has no panel of clicks; leave out show_clicks", "show_clicks"
            )
        if self.colours is not None:
            for name in [
                n for n in ("palette", "lit", "unlit", "middle") if n in non_default_values(self)
            ]:
                raise OptionError(f"colours says all of them; leave out {name}", name)
        if self.canvas is not None and self.width != attrs.fields(LookOptions).width.default:
            raise OptionError(
                "canvas and width both say how large a frame is; leave one out", "canvas"
            )
