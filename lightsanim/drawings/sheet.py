"""Where stills stand that are drawn as one picture, with words, and how large it is on paper."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from lightsanim.drawings.drawing import Boxes, Drawing, Layer, Words
from lightsanim.drawings.page_layout import MARGIN, PAPER_SIZES
from lightsanim.errors import OptionError
from lightsanim.look.theme import MAX_FRAME_PIXELS, FrameGeometry, Theme, gutter_cell_count
from lightsanim.look.tiles import CORNER_RADII
from lightsanim.options.checks import pluralize
from lightsanim.options.choices import PENS, VECTOR_SUFFIXES
from lightsanim.options.colours import Colour

# Millimetres of an inch, and pixels where no width on paper is asked for: CSS has as many.
INCH = 25.4
SCREEN_PIXELS_PER_INCH = 96

# Millimetres of the largest page that readers of PDFs must show: 14,400 points (ISO 32000, C.2).
MAX_PAGE = 5080

# Of a card of a flip-book, as shares of its still's width: the strip on the left that is bound, and
# the other edges.  In millimetres: its number's height, and the width of the lines to cut at.
BIND, EDGE = 1 / 3, 1 / 15
NUMBER, CUT, GREY = 3.0, 0.1, Colour(110, 110, 110)

# Under its still a label has so much room, in heights; so far apart are stills with labels, at
# least in pixels and as a share of their width.
LABEL_LINE = 1.9
APART, MIN_APART = 1 / 8, 12

# A label's height, as a share of its still's width, and in pixels.
LABEL_SHARE, MIN_LABEL, MAX_LABEL = 1 / 16, 9, 28

# Likewise a heading's, at least.
MIN_HEADING = 18

# Options of a plotter's strokes, and all options of drawings alone.
STROKE_OPTIONS = "hatch_angle", "pens"
DRAWING_OPTIONS = "hatch", *STROKE_OPTIONS, "paper"


@dataclass(frozen=True, kw_only=True)
class Captions:
    """Words on a sheet; nothing where there are none."""

    labels: tuple[str, ...] = ()  # under each still
    heading: str = ""  # above all of them
    height: int = 0  # of the labels, in pixels
    width: int = 0  # of the widest of them
    heading_size: tuple[int, int] = (0, 0)  # the heading's height and width

    @property
    def line_height(self) -> int:
        """The room of a label under its still, in pixels."""
        return round(LABEL_LINE * self.height)


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """Stills side by side, in pixels: two cells apart, or twice as far as their panels are.

    With words they stand farther apart where cells are small, and there is a margin around them.
    """

    theme: Theme  # the look
    shape: tuple[int, int]  # rows and columns of each of them
    boards: int = 1  # 1, or in colour 3
    levels: int = 2  # how many states a cell has
    count: int = 1  # how many
    # How many stand side by side before the next row begins; None for all.
    across: int | None = None
    captions: Captions = Captions()
    first: int = 0  # how many there are on the pages before

    def __post_init__(self) -> None:
        height, width = self.sheet_size
        if height * width > MAX_FRAME_PIXELS:
            raise OptionError(
                f"{self.count} stills make a picture of {width}x{height}, more than "
                f"{MAX_FRAME_PIXELS} pixels; take fewer, or smaller cells"
            )

    @cached_property
    def geometry(self) -> FrameGeometry:
        """Where the cells of each still lie in it."""
        return self.theme.geometry(*self.shape, self.boards, self.levels)

    @property
    def outer_margin(self) -> int:
        """Around a sheet with words."""
        return max(round(self.geometry.width * APART), MIN_APART) if self.captions.labels else 0

    @property
    def card_area(self) -> tuple[int, int, int, int] | None:
        """What is left of a still on a flip-book's card and above it, then the card's sides."""
        width, is_book = self.geometry.width, self.theme.paper and self.across
        bind, edge = round(BIND * width), round(EDGE * width)
        card = bind, edge, bind + width + edge, self.geometry.height + 2 * edge
        return card if is_book and not self.captions.labels else None

    @cached_property
    def _page_size(self) -> tuple[float, float] | None:
        # Height and width of the paper in millimetres, turned for what is wider than high.
        (height, width), sides = self.sheet_size, PAPER_SIZES.get(self.theme.paper or "")
        is_wide = width > height and not self.card_area
        return sides if sides is None or is_wide else sides[::-1]

    @property
    def page_sheets(self) -> "list[Sheet]":
        """The sheets of a flip-book; of others this one."""
        if self._page_size is None or self.card_area is None:
            return [self]
        rows = int(
            (self._page_size[0] - 2 * MARGIN) / self.millimetres_per_pixel / self.card_area[3]
            + 1e-6
        )
        cap, last = rows * (self.across or 1), self.count
        return [replace(self, count=min(cap, last - n), first=n) for n in range(0, last, cap)]

    @cached_property
    def content_corner(self) -> tuple[int, int]:
        """The top and the left edge of all: in the middle of a page, but cards at its top."""
        if self._page_size is None:
            return 0, 0
        spare = [
            page / self.millimetres_per_pixel - side
            for page, side in zip(self._page_size, self.sheet_size, strict=True)
        ]
        return round(
            MARGIN / self.millimetres_per_pixel if self.card_area else spare[0] / 2
        ), round(spare[1] / 2)

    @cached_property
    def _still_layout(self) -> tuple[list[tuple[int, int]], tuple[int, int]]:
        # The top and the left edge of each still, then the height and the width of all, of cards
        # those of a row.
        if self.card_area:
            (left, top, right, down), across = self.card_area, self.across or 1
            cells = (divmod(number, across) for number in range(self.count))
            return [(top + y * down, left + x * right) for y, x in cells], (down, across * right)
        geometry, captions, margin = self.geometry, self.captions, self.outer_margin
        gutter = margin or 2 * geometry.cell_pitch * (
            gutter_cell_count(*self.shape) if geometry.panel else 1
        )
        line, head = captions.line_height, round(LABEL_LINE * captions.heading_size[0])
        slot = max(geometry.width, captions.width)  # of a still, or of its label
        down, right = geometry.height + line + gutter, slot + gutter
        across = self.across or self.count
        natural = min(across, self.count) * right - gutter + 2 * margin  # of all side by side
        width = max(natural, captions.heading_size[1] + 2 * margin)
        indent = (width - natural + slot - geometry.width) // 2
        corners = [
            (margin + head + row * down, margin + indent + column * right)
            for row, column in (divmod(number, across) for number in range(self.count))
        ]
        return corners, (corners[-1][0] + geometry.height + line + margin, width)

    @property
    def still_corners(self) -> list[tuple[int, int]]:
        """The top and the left edge of each still."""
        top, left = self.content_corner
        return [(top + down, left + right) for down, right in self._still_layout[0]]

    @property
    def board_corners(self) -> list[tuple[int, int]]:
        """The same of each board, and after it of the panel of its clicks, if there is one."""
        parts = [(0, 0), *filter(None, [self.geometry.panel])]
        pitch = self.geometry.cell_pitch
        return [
            (top + down * pitch, left + right * pitch)
            for top, left in self.still_corners
            for down, right in parts
        ]

    @property
    def sheet_size(self) -> tuple[int, int]:
        """Height and width."""
        return self._still_layout[1]

    @property
    def millimetres_per_pixel(self) -> float:
        """Millimetres on paper of a pixel."""
        if self.theme.print_width is None and self._page_size is None:
            return INCH / SCREEN_PIXELS_PER_INCH
        return (self.theme.print_width or self._printable_width) / self.sheet_size[1]

    @property
    def _printable_width(self) -> float:
        # Millimetres that all may be wide on the page.
        (height, width), (down, across) = self.sheet_size, self._page_size or (inf, inf)
        return min(across - 2 * MARGIN, (down - 2 * MARGIN) / height * width)

    @property
    def corner_radius(self) -> float:
        """The radius of a cell's corners."""
        return CORNER_RADII[self.theme.shape] * self.geometry.cell

    @property
    def has_joined_cells(self) -> bool:
        """Do cells touch along their whole sides?"""
        return self.theme.shape == "square" and not self.geometry.gap

    def build_drawing(self, layers: Iterable[Layer], title: str) -> Drawing:
        """Layers on the background, or on bare paper where that is transparent or a pen draws."""
        boxes, cut = (
            np.array([[*self.content_corner[::-1], *self.sheet_size[::-1]]], float),
            list[Layer](),
        )
        if self.card_area:
            (bind, edge, *sides), corners = (
                self.card_area,
                np.array(self.still_corners, float)[:, ::-1],
            )
            still = self.geometry.width, self.geometry.height
            boxes = np.column_stack([corners, np.full_like(corners, still)])
            cards = np.column_stack([corners - (bind, edge), np.full_like(corners, sides)])
            numbers = tuple(str(self.first + number) for number in range(1, self.count + 1))
            middles = corners + np.array([-bind, still[1]]) / 2
            height = min(NUMBER / self.millimetres_per_pixel, bind / 2)
            cut = [
                Boxes(colour=GREY, boxes=cards, pen=CUT / self.millimetres_per_pixel, label="cut"),
                Words(colour=GREY, words=numbers, points=middles, height=height, label="numbers"),
            ]
        ground = Boxes(colour=self.theme.colour_of("background"), boxes=boxes)
        under = [ground] if ground.colour.alpha and self.theme.hatch is None else []
        down, across = (
            (side / self.millimetres_per_pixel for side in self._page_size)
            if self._page_size
            else self.sheet_size
        )
        layers = (*under, *layers, *cut)
        return Drawing(
            width=across, height=down, pixel=self.millimetres_per_pixel, layers=layers, title=title
        )

    def write_png(self, image: Image.Image, words: Sequence[Words], path: Path) -> None:
        """Write the sheet as it was painted, with words, each centred on its place."""
        if words:
            image = image.convert("RGBA" if self.theme.transparent_parts else "RGB")
        pen = ImageDraw.Draw(image)
        for layer in words:
            font = ImageFont.load_default(layer.height)
            for word, position in zip(layer.words, layer.points.tolist(), strict=True):
                pen.text(position, word, tuple(layer.colour), font, anchor="mm")
        image.save(path, "PNG", dpi=[INCH / self.millimetres_per_pixel] * 2)

    def check_paper_size(self, path: Path) -> None:
        """Check that the stills can be drawn as they are asked for on paper."""
        suffix, hatch, paper = path.suffix.lower(), self.theme.hatch, self.theme.paper
        for name in list_drawing_options(self.theme):
            if suffix not in VECTOR_SUFFIXES:
                raise OptionError(f"{name} is for stills as .svg or .pdf, not {str(path)!r}", name)
            if name in STROKE_OPTIONS and hatch is None:
                raise OptionError(f"{name} goes with hatch; give that, or leave it out", name)
        if self.theme.pens and self.boards == 1:
            raise OptionError("pens goes with rgb; give that, or leave it out", "pens")
        if self.theme.print_width and self.theme.print_width > self._printable_width:
            raise OptionError(
                f"print_width must be at most {int(self._printable_width)} on {paper} paper, whose "
                f"margins are {MARGIN:g} mm, not {self.theme.print_width:g}",
                "print_width",
            )
        if suffix != ".pdf" and len(self.page_sheets) > 1:
            raise OptionError(
                f"{self.count} stills in rows of {self.across} take {len(self.page_sheets)} pages "
                f"of {paper} paper, and {suffix} is one; take .pdf, or fewer stills",
                "sheet_frames",
            )
        height, width = (side * self.millimetres_per_pixel for side in self.sheet_size)
        if suffix == ".pdf" and max(height, width) > MAX_PAGE:
            raise OptionError(
                f"a page of a PDF has at most {MAX_PAGE} mm a side, not "
                f"{width:.0f}x{height:.0f}; take a smaller print_width",
                "print_width",
            )
        if hatch is None:
            return
        pens = 1 if self.boards == 1 else len(self.theme.pens or PENS[0])
        if (angles := (self.theme.hatch_angle or "").count(",") + 1) not in (1, pens):
            counts = f"{pluralize(angles, 'angle')} for {pluralize(pens, 'pen')}"
            raise OptionError(f"hatch_angle has {counts}; give one, or one for each", "hatch_angle")
        tones = self.levels - 1 if self.boards == 1 else 1
        widest = self.geometry.cell * self.millimetres_per_pixel / tones
        if hatch > widest:
            size = f"cells of {widest * tones:.3g} mm" + (f" in {tones} tones" if tones > 1 else "")
            raise OptionError(
                f"hatch must be at most {widest:.3g} for {size}, not {hatch:g}; "
                f"take a finer one, or a larger print_width",
                "hatch",
            )


def list_drawing_options(theme: Theme) -> list[str]:
    """The options given that are of drawings alone."""
    return [name for name in DRAWING_OPTIONS if getattr(theme, name) is not None]


def fit_captions(still: int, labels: Sequence[Sequence[str]], heading: str) -> Captions:
    """Labels for stills so wide, in the longest form that fits, and the heading of their sheet."""
    if not labels:
        return Captions()
    height = round(min(max(still * LABEL_SHARE, MIN_LABEL), MAX_LABEL))
    for form in labels:
        width = max(_text_width(label, height) for label in form)
        if width <= still:
            break
    head = max(height, MIN_HEADING)
    return Captions(
        labels=tuple(form),
        heading=heading,
        height=height,
        width=width,
        heading_size=(head, _text_width(heading, head)),
    )


def build_caption_layers(sheet: Sheet) -> Iterator[Words]:
    """The words of a sheet, to be drawn on it."""
    captions, colour, still = sheet.captions, _caption_colour(sheet.theme), sheet.geometry
    if not captions.labels:
        return
    points = np.array([(left, top) for top, left in sheet.still_corners], float)
    points += still.width / 2, still.height + captions.line_height / 2
    yield Words(colour=colour, words=captions.labels, points=points, height=captions.height)
    height, heading = captions.heading_size[0], (captions.heading,)
    (top, left), width = sheet.content_corner, sheet.sheet_size[1]
    middle = np.array([[left + width / 2, top + sheet.outer_margin + height / 2]])
    yield Words(colour=colour, words=heading, points=middle, height=height)


def _text_width(words: str, height: float) -> int:
    # Of other programs' letters, too: theirs are about as wide.
    return int(np.ceil(1.1 * ImageFont.load_default(height).getlength(words)))


def _caption_colour(theme: Theme) -> Colour:
    # That of lit or of unlit cells, whichever stands out from the background.
    background = theme.colour_of("background")
    if not background.is_opaque:
        return Colour(128, 128, 128)  # nobody knows what is behind it
    inks = [theme.colour_of(part) for part in ("lit", "unlit")]
    return max(inks, key=lambda ink: abs(sum(ink.rgb) - sum(background.rgb)) * ink.is_opaque)
