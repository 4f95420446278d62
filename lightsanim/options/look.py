"""The options for the look of frames and stills."""

from attrs import field, frozen
from attrs.converters import optional

from lightsanim.errors import OptionError
from .choices import ClicksPanel, Palette, Paper, Pens, PlayerCode, Shape
from .colours import Colour, Colours, to_colour, to_colours
from .declare import (
    choice_option,
    colour_option,
    custom_option,
    group_transformer,
    integer_option,
    number_option,
    option_info,
)
from .page_words import LANGUAGES, PageWords, to_page_words
from .records import non_default_values
from .values import (
    BITS,
    CANVASES,
    STRAIGHT,
    Canvas,
    Panels,
    to_angles,
    to_canvas,
    to_page_address,
    to_panels,
    to_wiring,
)

MAX_CELL = 2000  # Maximum width of a cell, in pixels.
MAX_PRINT_WIDTH = 5000  # Maximum width of a print, in millimetres.


@frozen(kw_only=True, slots=False, field_transformer=group_transformer("Look"))
class FrameOptions:
    """The size of frames and stills."""

    width: int = integer_option(
        720, (1, 50_000), "Approximate width of a frame in pixels.", "PX", slider=(200, 2000, 20)
    )
    cell: int | None = integer_option(
        None,
        (1, MAX_CELL),
        "Width of a cell in pixels; replaces the width of a frame.",
        "PX",
        slider=(1, 40, 1),
        marks="advanced",
    )
    canvas: Canvas | None = field(
        default=None,
        converter=optional(to_canvas),
        metadata=option_info(
            "Exact size of a frame in pixels, which replaces width: WIDTHxHEIGHT, WIDTH, or one of "
            f"{', '.join(CANVASES)}. Videos round odd sides up.",
            "SIZE",
            kind="choice",
            choices=tuple(CANVASES),
        ),
    )


@frozen(kw_only=True, slots=False, field_transformer=group_transformer("Look", "advanced"))
class PrintOptions:
    """The size of stills on paper."""

    print_width: float | None = number_option(
        None,
        (1, MAX_PRINT_WIDTH),
        "Width of a still on paper, in millimetres.",
        "MM",
        unset="at 96 pixels per inch",
        slider=(50, 600, 5),
    )


@frozen(kw_only=True, slots=False, field_transformer=group_transformer("Look", "advanced"))
class PlotOptions:
    """Pages of paper, and the strokes of pens."""

    paper: Paper | None = choice_option(
        None, "Size of the page on which .svg and .pdf stills are centred"
    )
    hatch: float | None = number_option(
        None,
        (0.1, MAX_PRINT_WIDTH),
        "Distance between pen strokes, in millimetres; draws stills as strokes for a plotter.",
        "MM",
        unset="filled areas",
        slider=(0.2, 3, 0.05),
    )
    hatch_angle: str | None = field(
        default=None,
        converter=optional(to_angles),
        metadata=option_info(
            "Angle of pen strokes, counter-clockwise from horizontal; or one per pen: 15,75,0.",
            "DEGREES",
            unset="0; in colour 15,75,0,45",
        ),
    )
    pens: Pens | None = choice_option(
        None, "Pens for strokes in colour (k is the black pen)", unset="cmy"
    )


@frozen(kw_only=True, slots=False, field_transformer=group_transformer("Output", "advanced"))
class LampOptions:
    """The wiring of lamps."""

    wiring: str = custom_option(
        to_wiring,
        STRAIGHT,
        "Order in which a panel's lamps are wired, for .h, .ino and .wled files: words from "
        f"{', '.join(BITS)}, joined by commas; serpentine is a synonym of zigzag.",
        "WORDS",
        kind="choice",
        choices=(STRAIGHT, "serpentine", "bottom-right,columns,zigzag"),
    )
    panels: Panels = field(
        default=Panels(),
        converter=to_panels,
        metadata=option_info(
            "Number of lamp panels, ACROSSxDOWN; append ,WORDS as in wiring for their order.",
            "PANELS",
        ),
    )


@frozen(kw_only=True, slots=False, field_transformer=group_transformer("Output", "advanced"))
class CodeOptions:
    """The code that drives lamps."""

    library: PlayerCode | None = choice_option(
        None,
        "Player code to include (c in a .h file, the others in a .ino file)",
    )


@frozen(kw_only=True, slots=False, field_transformer=group_transformer("Output", "advanced"))
class LanguageOptions:
    """The language of pages."""

    language: PageWords | None = field(
        default=None,
        converter=optional(to_page_words),
        metadata=option_info(
            f"Language of .html pages: {', '.join(LANGUAGES)}, or a .toml file of translations.",
            "WORDS",
            unset="English",
            kind="choice",
            choices=LANGUAGES,
        ),
    )


@frozen(kw_only=True, slots=False, field_transformer=group_transformer("Output", "advanced"))
class VisitorOptions:
    """What visitors do on the page of a film."""

    visitor_clicks: int | None = integer_option(
        None,
        (1, 1000),
        "Number of last clicks that visitors make; makes pages for a touch screen.",
        "N",
        unset="none",
        slider=(5, 100, 5),
    )
    maker: str | None = custom_option(
        to_page_address,
        None,
        "Address of a maker page, to which the page of a film then links.",
        "ADDRESS",
        kind="address",
        unset="none",
    )


@frozen(kw_only=True, slots=False, field_transformer=group_transformer("Look"))
class LookOptions:
    """The look of a board; `lightsanim.Theme` derives colours and sizes from it."""

    gap: int | None = integer_option(
        None, (0, MAX_CELL), "Gap between cells, in pixels.", "PX", slider=(0, 10, 1)
    )
    shape: Shape = choice_option("square", "Shape of a cell")
    palette: Palette = choice_option("ink", "Set of colours")
    colours: Colours | None = field(
        default=None,
        converter=optional(to_colours),
        metadata=option_info(
            "Colours of the levels, from dark to bright, which replace the palette: a list such as "
            "#012,#456,#def, or a .hex or .gpl palette file.",
            "COLOURS",
        ),
    )
    lit: Colour | None = field(
        default=None,
        converter=optional(to_colour),
        metadata=colour_option("Colour of lit cells: a name, #rrggbb, or none (transparent)."),
    )
    unlit: Colour | None = field(
        default=None,
        converter=optional(to_colour),
        metadata=colour_option("Colour of unlit cells."),
    )
    background: Colour | None = field(
        default=None,
        converter=optional(to_colour),
        metadata=colour_option(
            "Colour of gaps and margins; by default, the margin of a canvas without gaps has the "
            "colour of the pictures' edges."
        ),
    )
    mark: Colour | None = field(
        default=None,
        converter=optional(to_colour),
        metadata=colour_option("Colour of the dots that mark clicked cells."),
    )
    show_clicks: ClicksPanel | None = choice_option(
        None,
        "Panel that shows the clicks of each frame, or all clicks so far (total: all so far, in "
        "the panel that pages open)",
        "PANEL",
        unset="none; with clicks_picture right-total",
    )

    @property
    def panel_side(self) -> str | None:
        """The side of the board on which the clicks are drawn, "right" or "below"; or None."""
        side = (self.show_clicks or "").removesuffix("total").removesuffix("-")
        return side or None

    @property
    def shows_click_totals(self) -> bool:
        """Whether the panel of clicks shows all clicks so far, not only the frame's."""
        return (self.show_clicks or "").endswith("total")

    def __attrs_post_init__(self) -> None:
        changed = non_default_values(self)
        for name in ("palette", "lit", "unlit"):
            if self.colours is not None and name in changed:
                raise OptionError(f"colours and {name} exclude each other; leave one out", name)


@frozen(kw_only=True, slots=False, field_transformer=group_transformer("Look"))
class DrawingOptions(
    LanguageOptions,
    VisitorOptions,
    CodeOptions,
    LampOptions,
    PlotOptions,
    PrintOptions,
    FrameOptions,
    LookOptions,
):
    """The look of a board, together with the options of the output that shows it."""

    @property
    def is_exhibit(self) -> bool:
        """Whether pages are for a touch screen, on which visitors make the last clicks."""
        return self.visitor_clicks is not None

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        if self.is_exhibit and self.panel_side is not None:
            flaw = "visitor_clicks and show_clicks exclude each other; leave one out"
            raise OptionError(flaw, "show_clicks")
        if self.canvas is not None and "width" in non_default_values(self):
            raise OptionError("canvas and width exclude each other; leave one out", "canvas")
