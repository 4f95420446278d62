"""The options of the look of frames and stills."""

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

DEFAULT_VISITOR_CLICKS = 30  # Clicks that take one visitor about a minute.
MAX_CELL = 2000  # Maximum width of a cell, in pixels.
MAX_PRINT_WIDTH = 5000  # Maximum width of a print, in millimetres.


@frozen(kw_only=True, slots=False, field_transformer=group_transformer("Look"))
class LookOptions:
    """The look of a board; `lightsanim.Theme` adds derived values."""

    width: int = integer_option(
        720, (1, 50_000), "Approximate width of a frame in pixels.", "PX", slider=(200, 2000, 20)
    )
    cell: int | None = integer_option(
        None,
        (1, MAX_CELL),
        "Width of a cell in pixels, in place of the width of a frame.",
        "PX",
        slider=(1, 40, 1),
        marks="advanced",
    )
    canvas: Canvas | None = field(
        default=None,
        converter=optional(to_canvas),
        metadata=option_info(
            "Exact size of a frame in pixels, in place of its width; videos round odd sides up: "
            f"WIDTHxHEIGHT, WIDTH, or one of {', '.join(CANVASES)}.",
            "SIZE",
            kind="choice",
            choices=tuple(CANVASES),
        ),
    )
    gap: int | None = integer_option(
        None, (0, MAX_CELL), "Gap between cells in pixels.", "PX", slider=(0, 10, 1)
    )
    shape: Shape = choice_option("square", "Shape of a cell")
    palette: Palette = choice_option("ink", "Set of colours")
    colours: Colours | None = field(
        default=None,
        converter=optional(to_colours),
        metadata=option_info(
            "Colours of the levels, from dark to bright, in place of a palette: a list such as "
            "#012,#456,#def, or a .hex or .gpl file.",
            "COLOURS",
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
        metadata=colour_option("Colour of the middle level without --rgb.", marks="advanced"),
    )
    background: Colour | None = field(
        default=None,
        converter=optional(to_colour),
        metadata=colour_option("Colour of gaps and margins."),
    )
    mark: Colour | None = field(
        default=None,
        converter=optional(to_colour),
        metadata=colour_option("Colour of dots on the cells being clicked.", marks="of_moves"),
    )
    show_clicks: PanelSide | None = choice_option(
        None, "Side of the board on which to show each frame's clicks", "SIDE", marks="of_moves"
    )
    print_width: float | None = number_option(
        None,
        (1, MAX_PRINT_WIDTH),
        "Width of a still on paper, in millimetres.",
        "MM",
        unset="96 pixels per inch",
        slider=(50, 600, 5),
        marks="advanced",
    )
    paper: Paper | None = choice_option(
        None, "Page on which to centre .svg and .pdf stills", marks="advanced"
    )
    hatch: float | None = number_option(
        None,
        (0.1, MAX_PRINT_WIDTH),
        "Draw stills for a plotter, with pen strokes this far apart, in millimetres.",
        "MM",
        unset="filled areas",
        slider=(0.2, 3, 0.05),
        marks="advanced",
    )
    hatch_angle: str | None = field(
        default=None,
        converter=optional(to_angles),
        metadata=option_info(
            "Angle of pen strokes, counter-clockwise from horizontal; or one per pen: 15,75,0.",
            "DEGREES",
            unset="0; in colour 15,75,0,45",
            marks="advanced",
        ),
    )
    pens: Pens | None = choice_option(
        None, "Inks of pen strokes in colour (k is black)", unset="cmy", marks="advanced"
    )
    wiring: str = custom_option(
        to_wiring,
        STRAIGHT,
        option_info(
            "Order of a panel's lamps in .h, .ino and .wled files, as in NeoMatrix: words from "
            f"{', '.join(BITS)}, joined by commas; serpentine is a synonym of zigzag.",
            "WORDS",
            group="Output",
            kind="choice",
            choices=(STRAIGHT, "serpentine", "bottom-right,columns,zigzag"),
            marks="advanced of_moves",
        ),
    )
    panels: Panels = field(
        default=Panels(),
        converter=to_panels,
        metadata=option_info(
            "Number of lamp panels, ACROSSxDOWN; append ,WORDS for their order, as in --wiring.",
            "PANELS",
            group="Output",
            marks="advanced of_moves",
        ),
    )
    reader: PlayerCode | None = choice_option(
        None,
        "Player code to embed (c in a .h file, others in a .ino file)",
        group="Output",
        marks="advanced of_moves",
    )
    exhibit: bool = flag_option(
        False,
        "Make .html files for touch screens on which visitors make the last clicks.",
        group="Output",
        marks="advanced of_exhibits",
    )
    visitor_clicks: int | None = integer_option(
        None,
        (1, 1000),
        "Number of last clicks that visitors of an exhibit make; implies --exhibit.",
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
            raise OptionError("exhibit excludes show_clicks; leave one out", "show_clicks")
        if self.colours is not None:
            for name in ("palette", "lit", "unlit", "middle"):
                if name in non_default_values(self):
                    raise OptionError(f"colours and {name} exclude each other; leave one out", name)
        if self.canvas is not None and self.width != attrs.fields(LookOptions).width.default:
            raise OptionError("canvas and width exclude each other; leave one out", "canvas")
