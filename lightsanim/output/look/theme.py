"""The look of an animation: sizes of cells, gaps and frames, and colours."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from lightsanim.errors import OptionError
from lightsanim.options.checks import check_known_names, require_keys
from lightsanim.options.choices import MAX_COLOUR_LEVELS, PALETTES, ClicksPanel
from lightsanim.options.colours import Colour, Colours, to_colour
from lightsanim.options.declare import group_transformer
from lightsanim.options.legacy import LOOKS_OF_VERSION_1, refuse_changed_names
from lightsanim.options.look import MAX_CELL, DrawingOptions, LookOptions
from lightsanim.options.outputs import OUTPUT_OPTIONS, LimitOptions, SoundOptions, list_options
from lightsanim.options.page_words import PageWords, english_words
from lightsanim.options.records import option_names
from lightsanim.options.values import Canvas

if TYPE_CHECKING:  # the command line needs only the options, so numpy is imported late
    import numpy as np
    from numpy.typing import NDArray

# Greatest height of a frame as a multiple of the option ``width``.
MAX_RATIO = 2
# Cells less than this many pixels apart get no gap unless the option ``gap`` is set.
MIN_CELL_WITH_GAP = 6
# Boards with more cells on a side get no gaps, because these would darken or lighten all tones.
MAX_SIDE_WITH_GAP = 30
# Gutter between a board and its panel of clicks: minimum in cells, and share of the longer side.
MIN_GUTTER, GUTTER_SHARE = 2, 1 / 30
# Limit of a frame's pixels: far above any screen or print, but within a laptop's memory.
MAX_FRAME_PIXELS = 400_000_000
COLOURED_PARTS = "lit", "unlit", "background", "mark"

# Colours of lit cells, unlit cells, the background and the middle level.  A middle colour is set
# where the mean of lit and unlit is dull: it is as light as the mean, but more saturated.
PALETTE_COLOURS: dict[str, tuple[str, str, str, str | None]] = require_keys(
    PALETTES,
    {
        "ink": ("#f2f2f2", "#191919", "#333333", None),
        "paper": ("#fbf6ea", "#2e2a25", "#d8cfbd", None),
        "amber": ("#ffb638", "#241703", "#140d02", "#b85f00"),
        "phosphor": ("#8dff7a", "#07200d", "#04140a", "#18a038"),
        "blueprint": ("#eef6ff", "#12467f", "#1d5796", "#5aa5e0"),
        "sunset": ("#ffd27a", "#57217a", "#3a1559", "#f4665c"),
        "rose": ("#ffe4ea", "#9c2450", "#6f1739", "#f07a98"),
        "pocket": ("#c4cfa1", "#1f2a1a", "#8b956d", None),
    },
)


@frozen(kw_only=True, slots=False, field_transformer=group_transformer("Look"))
class Theme(DrawingOptions):
    """The look of a board, set by options of the look and of outputs.

    Raises:
        OptionError: for a size out of range, or an unknown colour, shape or palette.

    >>> Theme(lit="white") == Theme(lit="#ffffff")
    True
    """

    def colour_of(self, part: str) -> Colour:
        """Return the colour of ``lit``, ``unlit`` or ``background`` from its option or the palette.

        With the option ``colours``, the background is 7/8 of the first and 1/8 of the last colour.

        >>> str(Theme(lit="gold").colour_of("lit"))
        '#ffd700'
        """
        chosen: Colour | None = getattr(self, part)
        if chosen is not None:
            return chosen
        if self.colours is None:
            lit, unlit, background, _ = PALETTE_COLOURS[self.palette]
            return to_colour({"lit": lit, "unlit": unlit, "background": background}[part])
        dark, *_, bright = self.colours
        eighths = (round(a + (b - a) / 8) for a, b in zip(dark, bright, strict=True))
        return {"lit": bright, "unlit": dark, "background": Colour(*eighths)}[part]

    def with_named_palette(self, planes: int, levels: int) -> "Theme":
        """Return the same look of a film by the palette that leaves the fewest colours to set.

        >>> look = Theme(lit="#fbf6ea", unlit="#2e2a25", background="none")
        >>> look.with_named_palette(planes=1, levels=2) == Theme(palette="paper", background="none")
        True
        """
        looks, parts = [self], COLOURED_PARTS[:3]
        plain = evolve(self, background=None)
        if plain.colour_of("background") == self.colour_of("background"):
            looks = [plain]
        shades = self.shades_with_alpha(planes, levels)
        own = {part: self.colour_of(part) for part in parts}
        for palette in PALETTE_COLOURS:
            unset: dict[str, Any] = {"palette": palette, "colours": None, **dict.fromkeys(parts)}
            plain = evolve(self, **unset)
            changed: dict[str, Any] = {p: c for p, c in own.items() if c != plain.colour_of(p)}
            look = evolve(plain, **changed)
            if (look.shades_with_alpha(planes, levels) == shades).all():
                looks.append(look)

        def count_colour_options(look: Theme) -> int:
            own = sum(getattr(look, part) is not None for part in parts)
            return own + 2 * (look.colours is not None)

        return min(looks, key=count_colour_options)

    def with_look(self, changes: Mapping[str, Any]) -> "Theme":
        """Return the look with options that replace it; a palette or colours replace all colours.

        >>> str(Theme(colours="#000,#f00,#fff").with_look({"lit": "gold"}).colour_of("unlit"))
        '#000000'
        """
        kept: dict[str, Any] = {}
        if changes.keys() & {"palette", "colours"}:
            kept = dict.fromkeys(("colours", "lit", "unlit", "background"))
            kept["palette"] = LookOptions().palette
        elif self.colours and changes.keys() & {"lit", "unlit"}:
            kept = {part: self.colour_of(part) for part in ("lit", "unlit")} | {"colours": None}
        return evolve(self, **{**kept, **changes})

    def with_spot_colours(self, spot: bool | Colours) -> "Theme":
        """Return the look with a film's spot colours, unless it has colours or a palette itself."""
        own = self.colours or self.lit or self.unlit
        is_plain = not own and self.palette == LookOptions().palette
        return evolve(self, colours=spot) if is_plain and isinstance(spot, Colours) else self

    def with_click_totals(self) -> "Theme":
        """Return the look of films whose clicks draw a picture: all clicks so far, on the right."""
        panel: ClicksPanel = "total" if self.is_exhibit else "right-total"
        return evolve(self, show_clicks=self.show_clicks or panel)

    @property
    def middle_colour(self) -> Colour | None:
        """The palette's colour half-way from unlit to lit; None for the mean of these two colours.

        >>> str(Theme(palette="sunset").middle_colour), Theme(lit="gold").middle_colour
        ('#f4665c', None)
        """
        middle = PALETTE_COLOURS[self.palette][-1]
        return (
            None if middle is None or self.lit or self.unlit or self.colours else to_colour(middle)
        )

    @property
    def page_words(self) -> PageWords:
        """The words shown on pages; English by default."""
        return self.language or english_words()

    @property
    def board_aspect(self) -> float | None:
        """Aspect ratio (width over height) of a board without a set size; None for the picture's.

        >>> Theme(canvas="wide").board_aspect
        1.7777777777777777
        """
        if self.canvas is None or self.canvas.height is None:
            return None
        # A panel to the right halves the aspect ratio left for the board; one below doubles it.
        half = {"right": 1 / 2, "below": 2.0}.get(self.panel_side or "", 1.0)
        return half * self.canvas.width / self.canvas.height

    @property
    def transparent_parts(self) -> tuple[str, ...]:
        """Names of the parts whose colours are not opaque.

        >>> Theme(unlit="none", background="#ff800080").transparent_parts
        ('unlit', 'background')
        """
        colours = {part: self.colour_of(part) for part in COLOURED_PARTS[:3]}
        optional = {"mark": self.mark}
        if self.colours is not None:
            optional["colours"] = min(self.colours, key=lambda colour: colour.alpha)
        return tuple(part for part, c in {**colours, **optional}.items() if c and not c.is_opaque)

    def with_one_bit_alpha(self) -> "Theme":
        """Return this look for formats whose pixels are either opaque or fully transparent.

        >>> [str(Theme(lit=c).with_one_bit_alpha().lit) for c in ("#ff800090", "#ff800070")]
        ['#ff8000', 'none']
        """
        parts = {part: getattr(self, part) for part in COLOURED_PARTS}
        colours = self.colours and Colours(colour.with_one_bit_alpha() for colour in self.colours)
        solid = {part: colour and colour.with_one_bit_alpha() for part, colour in parts.items()}
        return evolve(self, colours=colours, **solid)

    def shades(self, planes: int = 1, levels: int = 2) -> "NDArray[np.uint8]":
        """Return the colour of each shade without its alpha: uint8 (levels**planes, 3).

        >>> Theme(lit="white", unlit="black").shades(3)[0b101].tolist()  # red and blue
        [255, 0, 255]
        """
        return self.shades_with_alpha(planes, levels)[:, :3]

    def shades_with_alpha(self, planes: int = 1, levels: int = 2) -> "NDArray[np.uint8]":
        """Return the RGBA colour of each shade: uint8 (levels**planes, 4).

        Shades are numbered as by `lightsanim.game.levels.pack_levels`.  With one colour plane they
        run in even steps from unlit to lit, through the middle colour if there is one, or through
        all of ``colours``.  With three colour planes, each plane's level sets its channel (red,
        green or blue) between the unlit and the lit colour, and the most opaque plane sets the
        alpha.  A shade half-way to a transparent colour is half transparent with the other's hue.

        Raises:
            OptionError: for three colour planes with too many levels for a table of colours.

        >>> Theme(colours="black,red,white").shades_with_alpha(levels=5)[3].tolist()
        [255, 128, 128, 255]
        >>> Theme(lit="gold", unlit="none").shades_with_alpha(levels=3).tolist()
        [[0, 0, 0, 0], [255, 215, 0, 128], [255, 215, 0, 255]]
        """
        import numpy as np

        if planes == 3 and levels > MAX_COLOUR_LEVELS:
            raise OptionError(
                f"levels in colour must be at most {MAX_COLOUR_LEVELS}, not {levels}",
                "levels",
            )
        middle = (self.colours or (None, self.middle_colour, None))[1:-1] if planes == 1 else ()
        colours = [self.colour_of("unlit"), *middle, self.colour_of("lit")]
        stops = premultiply(np.array([c for c in colours if c is not None], np.uint8))
        positions = np.linspace(0, len(stops) - 1, levels)
        *steps, alpha = (np.interp(positions, range(len(stops)), channel) for channel in stops.T)
        numbers = np.arange(levels**planes)
        plane_levels = [numbers // levels**plane % levels for plane in range(planes)]
        primaries = [step[plane_levels[channel % planes]] for channel, step in enumerate(steps)]
        opacity = np.max([alpha[part] for part in plane_levels], axis=0)
        return unpremultiply(np.column_stack([*primaries, opacity]))

    def geometry(
        self, rows: int, columns: int, planes: int = 1, levels: int = 2
    ) -> "FrameGeometry":
        """Return the frame geometry of a board in this look; ``planes`` and ``levels`` are unused.

        Raises:
            OptionError: for a frame that is too large, for cells larger than `MAX_CELL` pixels, or
                for a canvas or width too small for the cells and gaps.
        """
        gutter = gutter_cell_count(rows, columns)
        panels = {None: None, "right": (0, columns + gutter), "below": (rows + gutter, 0)}
        panel, canvas = panels[self.panel_side], self.canvas
        down, right = panel or (0, 0)
        grid = rows + down, columns + right, has_gaps(rows, columns)
        if canvas is None:
            cell, gap = self._fit_cells_to_width(*grid)
        else:
            cell, gap, canvas = self._fit_cells_to_canvas(canvas, *grid)
        return FrameGeometry(
            rows=rows,
            columns=columns,
            cell=cell,
            gap=gap,
            canvas=canvas,
            panel=panel,
            shows_total=bool(panel) and self.shows_click_totals,
        )

    def _choose_gap(self, pitch: int, wants_gaps: bool) -> int:
        if self.gap is not None:
            return self.gap
        wants_gaps = wants_gaps and pitch >= MIN_CELL_WITH_GAP and self.hatch is None
        return max(1, round(pitch / 14)) if wants_gaps else 0

    def _fit_cells_to_width(self, rows: int, columns: int, wants_gaps: bool) -> tuple[int, int]:
        # Return the sizes of cell and gap: as set, or so that board and panel fill the width.
        max_pitch = MAX_RATIO * self.width // rows
        pitch = self.cell or max(1, min(round(self.width / columns), max_pitch))
        gap = self._choose_gap(pitch, wants_gaps)
        if self.cell is None and gap >= max(pitch, 2):
            raise OptionError(
                f"gaps of {gap} px leave no room for cells in a frame {self.width} px wide; set a "
                "smaller gap, or also set the option cell",
                "gap",
            )
        return self.cell or max(1, pitch - gap), gap

    def _fit_cells_to_canvas(
        self, canvas: Canvas, rows: int, columns: int, wants_gaps: bool
    ) -> tuple[int, int, Canvas]:
        # Return the sizes of cell and gap: as set, or so that board and panel fit into the canvas.
        width, tallest = canvas.width, canvas.height or max(rows, MAX_RATIO * canvas.width)
        pitch = self.cell or min(width // columns, tallest // rows)
        gap = self._choose_gap(pitch, wants_gaps)
        cell = self.cell or max(1, pitch - gap)
        height = canvas.height
        if height is None:  # computed from the board; for videos, even if the width is even
            height = max(rows * (cell + gap), min(round(width * rows / columns), MAX_RATIO * width))
            height += height % 2 and 1 - width % 2
        return cell, gap, Canvas(width=width, height=height)


def has_gaps(rows: int, columns: int) -> bool:
    """Return whether a board of this size has gaps by default, if its cells are wide enough."""
    return max(rows, columns) <= MAX_SIDE_WITH_GAP


def gutter_cell_count(rows: int, columns: int) -> int:
    """Return the width, in cells, of the gutter between a board and the panel of its clicks."""
    return max(MIN_GUTTER, round(max(rows, columns) * GUTTER_SHARE))


@dataclass(frozen=True, kw_only=True)
class FrameGeometry:
    """The positions of a board's cells in a frame, in pixels."""

    rows: int  # Rows of the board.
    columns: int  # Columns of the board.
    cell: int  # Side of a cell.
    gap: int  # Width of the gaps between cells, and around a board without a canvas.
    # Size of a frame with the board centred in it; None for a frame that fits the board.
    canvas: Canvas | None = None
    # Offset, in rows and columns, from the board to the panel of its clicks; None for no panel.
    panel: tuple[int, int] | None = None
    shows_total: bool = False  # Whether the panel shows all clicks so far, not only the frame's.

    def __post_init__(self) -> None:
        height, width = (cells * self.cell_pitch for cells in self.shape_with_panel)
        if self.canvas is not None and (height > self.height or width > self.width):
            gaps = f" and gaps of {self.gap} px" if self.gap else ""
            gaps += "" if self.panel is None else ", and the same for the panel of clicks,"
            cells = f"{self.columns}x{self.rows} cells of {self.cell} px{gaps}"
            raise OptionError(
                f"{cells} need a canvas of at least {width}x{height}, not {self.canvas}",
                "canvas",
            )
        if self.cell > MAX_CELL:
            option = "width" if self.canvas is None else "canvas"
            raise OptionError(
                f"cells would be {self.cell} px wide, more than {MAX_CELL}; set a smaller {option}",
                option,
            )
        if self.height * self.width > MAX_FRAME_PIXELS:
            raise OptionError(
                f"cells of {self.cell} px and gaps of {self.gap} px make frames of "
                f"{self.width}x{self.height}, more than {MAX_FRAME_PIXELS} pixels; "
                f"set {'smaller cells' if self.canvas is None else 'a smaller canvas'}",
                "cell" if self.canvas is None else "canvas",
            )

    @property
    def shape_with_panel(self) -> tuple[int, int]:
        """Rows and columns of the board together with its gutter and panel."""
        down, right = self.panel or (0, 0)
        return self.rows + down, self.columns + right

    @property
    def cell_pitch(self) -> int:
        """Distance from one cell to the next: a cell and a gap."""
        return self.cell + self.gap

    @property
    def height(self) -> int:
        """Height of the frame."""
        height = self.canvas and self.canvas.height
        return height or self.shape_with_panel[0] * self.cell_pitch + self.gap

    @property
    def width(self) -> int:
        """Width of the frame."""
        width = self.canvas and self.canvas.width
        return width or self.shape_with_panel[1] * self.cell_pitch + self.gap

    @cached_property
    def top_left_corner(self) -> tuple[int, int]:
        """Top and left edge of the first cell; opposite margins differ by at most a pixel."""
        height, width = (cells * self.cell_pitch - self.gap for cells in self.shape_with_panel)
        return (self.height - height) // 2, (self.width - width) // 2


def premultiply(colours: "NDArray[np.uint8]") -> "NDArray[np.float64]":
    """Premultiply RGBA colours, uint8 (..., 4), by alpha; return float64 (..., 4), alpha 0 to 1."""
    premultiplied = colours.astype(float)
    premultiplied[..., 3] /= 255
    premultiplied[..., :3] *= premultiplied[..., 3:]
    return premultiplied


def unpremultiply(mixed: "NDArray[np.float64]") -> "NDArray[np.uint8]":
    """Invert `premultiply`; fully transparent colours become black."""
    import numpy as np

    alpha = np.rint(mixed[..., 3:] * 255)
    colours = mixed[..., :3] / np.where(mixed[..., 3:] > 0, mixed[..., 3:], 1)
    pixels = np.concatenate([np.rint(colours), alpha], axis=-1).astype(np.uint8)
    pixels[pixels[..., 3] == 0] = 0
    return pixels


def split_look(look: Mapping[str, Any]) -> tuple[Theme, dict[str, Any]]:
    """Split options by name into the look of a film, and those of the output that shows it."""
    _check_names(look, list_options((LimitOptions, SoundOptions)))
    own = {name: value for name, value in look.items() if name in OUTPUT_OPTIONS}
    return Theme(**{name: value for name, value in look.items() if name not in own}), own


def parse_theme(look: Mapping[str, Any]) -> Theme:
    """Return the theme for look options given by name; raise `OptionError` for an unknown name."""
    _check_names(look)
    return Theme(**look)


def _check_names(look: Mapping[str, Any], others: Sequence[str] = ()) -> None:
    refuse_changed_names(look.keys() & LOOKS_OF_VERSION_1, ())
    check_known_names("look", look, dict.fromkeys([*option_names(Theme), *others]))
