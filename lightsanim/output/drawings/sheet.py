"""Layout of a picture with several stills and captions, and its size on paper."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf
from pathlib import Path

import numpy as np
from PIL import Image, ImageFont

from lightsanim.errors import OptionError
from lightsanim.options.checks import pluralize
from lightsanim.options.choices import PENS
from lightsanim.options.colours import Colour
from lightsanim.output.look.theme import MAX_FRAME_PIXELS, FrameGeometry, Theme, gutter_cell_count
from lightsanim.output.look.tiles import CORNER_RADII
from .drawing import Boxes, Drawing, Layer, Words
from .page_layout import MARGIN, PAPER_SIZES

# Millimetres per inch.
INCH = 25.4
# Resolution of a picture if no width on paper is set; the same as in CSS.
SCREEN_PIXELS_PER_INCH = 96
# Largest side of a page that PDF readers must support (ISO 32000, C.2), in millimetres.
MAX_PAGE = 5080
# Margins of a flip-book card, as shares of the still's width: the bound left one, and the others.
BIND, EDGE = 1 / 3, 1 / 15
# Flip-book cards: font size of numbers and width of cut lines, in millimetres; colour of both.
NUMBER, CUT, GREY = 3.0, 0.1, Colour(110, 110, 110)
# Height reserved for a label or heading, as a multiple of its font size.
LABEL_LINE = 1.9
# Distance between stills with labels: share of a still's width, and minimum in pixels.
APART, MIN_APART = 1 / 8, 12
# Font size of a label: share of the still's width, and minimum and maximum in pixels.
LABEL_SHARE, MIN_LABEL, MAX_LABEL = 1 / 16, 9, 28
# Minimum font size of a heading, in pixels.
MIN_HEADING = 18
# Options that need the option hatch; all options for which stills must be SVG or PDF.
STROKE_OPTIONS = "hatch_angle", "pens"


@dataclass(frozen=True, kw_only=True)
class Captions:
    """The texts on a sheet and their sizes in pixels; empty for a sheet without labels."""

    labels: tuple[str, ...] = ()  # Text under each still.
    heading: str = ""  # Text above all stills.
    height: int = 0  # Font size of the labels.
    width: int = 0  # Width of the longest label.
    heading_size: tuple[int, int] = (0, 0)  # Font size and width of the heading.

    @property
    def line_height(self) -> int:
        """The height reserved for a label under its still, in pixels."""
        return round(LABEL_LINE * self.height)


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """A picture of stills side by side; lengths are in pixels.

    The distance between stills is two cells or, if they have panels, twice the gap before a panel.
    With captions, it is a share of a still's width, and the sheet has a margin.
    """

    theme: Theme
    shape: tuple[int, int]  # Rows and columns of cells in each still.
    boards: int = 1  # Number of colour planes: 1, or 3 in colour.
    levels: int = 2  # Number of levels of a cell.
    count: int = 1  # Number of stills.
    across: int | None = None  # Number of stills in a row; None for all.
    captions: Captions = Captions()
    first: int = 0  # Number of stills on earlier pages.

    def __post_init__(self) -> None:
        height, width = self.sheet_size
        if height * width > MAX_FRAME_PIXELS:
            raise OptionError(
                f"a picture must have at most {MAX_FRAME_PIXELS} pixels, not {width}x{height} for "
                f"{self.count} stills; use fewer stills or smaller cells"
            )

    @cached_property
    def geometry(self) -> FrameGeometry:
        """The geometry of the cells within a still."""
        return self.theme.geometry(*self.shape, self.boards, self.levels)

    @property
    def outer_margin(self) -> int:
        """The margin of a sheet with captions, in pixels; 0 for other sheets."""
        return max(round(self.geometry.width * APART), MIN_APART) if self.captions.labels else 0

    @property
    def card_area(self) -> tuple[int, int, int, int] | None:
        """Left and top margin, width and height of a flip-book card; None for other sheets."""
        width, is_book = self.geometry.width, self.theme.paper and self.across
        bind, edge = round(BIND * width), round(EDGE * width)
        card = bind, edge, bind + width + edge, self.geometry.height + 2 * edge
        return card if is_book and not self.captions.labels else None

    @cached_property
    def _page_size(self) -> tuple[float, float] | None:
        # Return the height and width of the paper in millimetres; wide sheets are in landscape.
        (height, width), sides = self.sheet_size, PAPER_SIZES.get(self.theme.paper or "")
        is_wide = width > height and not self.card_area
        return sides if sides is None or is_wide else sides[::-1]

    @property
    def page_sheets(self) -> "list[Sheet]":
        """The sheets of a flip-book, one per page; otherwise this sheet alone."""
        if self._page_size is None or self.card_area is None:
            return [self]
        height = (self._page_size[0] - 2 * MARGIN) / self.millimetres_per_pixel
        rows = int(height / self.card_area[3] + 1e-6)
        cap, last = rows * (self.across or 1), self.count
        return [replace(self, count=min(cap, last - n), first=n) for n in range(0, last, cap)]

    @cached_property
    def content_corner(self) -> tuple[int, int]:
        """Top and left edge of the stills on a page: centred, but cards begin at its top margin."""
        if self._page_size is None:
            return 0, 0
        pixel, (height, width) = self.millimetres_per_pixel, self.sheet_size
        top = MARGIN / pixel if self.card_area else (self._page_size[0] / pixel - height) / 2
        return round(top), round((self._page_size[1] / pixel - width) / 2)

    @cached_property
    def _still_layout(self) -> tuple[list[tuple[int, int]], tuple[int, int]]:
        # Return the top and left edges of the stills, and the height and width of the sheet.  For
        # flip-book cards, these are the height and width of one row of cards.
        if self.card_area:
            (left, top, right, down), across = self.card_area, self.across or 1
            cells = (divmod(number, across) for number in range(self.count))
            return [(top + y * down, left + x * right) for y, x in cells], (down, across * right)
        geometry, captions, margin = self.geometry, self.captions, self.outer_margin
        gap = gutter_cell_count(*self.shape) if geometry.panel else 1
        gutter = margin or 2 * geometry.cell_pitch * gap
        line, head = captions.line_height, round(LABEL_LINE * captions.heading_size[0])
        slot = max(geometry.width, captions.width)  # width of a still with its label
        down, right = geometry.height + line + gutter, slot + gutter
        across = self.across or self.count
        natural = min(across, self.count) * right - gutter + 2 * margin  # width of the stills
        width = max(natural, captions.heading_size[1] + 2 * margin)
        indent = (width - natural + slot - geometry.width) // 2
        corners = [
            (margin + head + row * down, margin + indent + column * right)
            for row, column in (divmod(number, across) for number in range(self.count))
        ]
        return corners, (corners[-1][0] + geometry.height + line + margin, width)

    @property
    def still_corners(self) -> list[tuple[int, int]]:
        """The top and left edges of the stills."""
        top, left = self.content_corner
        return [(top + down, left + right) for down, right in self._still_layout[0]]

    @property
    def board_corners(self) -> list[tuple[int, int]]:
        """Top and left edges of all boards; each is followed by its panel of clicks, if any."""
        parts = [(0, 0), *filter(None, [self.geometry.panel])]
        pitch = self.geometry.cell_pitch
        return [
            (top + down * pitch, left + right * pitch)
            for top, left in self.still_corners
            for down, right in parts
        ]

    @property
    def sheet_size(self) -> tuple[int, int]:
        """The height and width of the sheet, in pixels."""
        return self._still_layout[1]

    @property
    def millimetres_per_pixel(self) -> float:
        """The size of a pixel on paper, in millimetres."""
        if self.theme.print_width is None and self._page_size is None:
            return INCH / SCREEN_PIXELS_PER_INCH
        return (self.theme.print_width or self._printable_width) / self.sheet_size[1]

    @property
    def _printable_width(self) -> float:
        # Return the maximum width of the sheet on the page, in millimetres.
        (height, width), (down, across) = self.sheet_size, self._page_size or (inf, inf)
        return min(across - 2 * MARGIN, (down - 2 * MARGIN) / height * width)

    @property
    def corner_radius(self) -> float:
        """The radius of a cell's corners, in pixels."""
        return CORNER_RADII[self.theme.shape] * self.geometry.cell

    @property
    def has_joined_cells(self) -> bool:
        """Whether cells touch along their whole sides."""
        return self.theme.shape == "square" and not self.geometry.gap

    def build_drawing(self, layers: Iterable[Layer], title: str) -> Drawing:
        """Build a drawing of layers, over a background unless it is transparent or pens draw."""
        boxes = np.array([[*self.content_corner[::-1], *self.sheet_size[::-1]]], float)
        cut, pixel = list[Layer](), self.millimetres_per_pixel
        if self.card_area:
            bind, edge, *sides = self.card_area
            corners = np.array(self.still_corners, float)[:, ::-1]
            still = self.geometry.width, self.geometry.height
            boxes = np.column_stack([corners, np.full_like(corners, still)])
            cards = np.column_stack([corners - (bind, edge), np.full_like(corners, sides)])
            numbers = tuple(str(self.first + number) for number in range(1, self.count + 1))
            middles = corners + np.array([-bind, still[1]]) / 2
            height = min(NUMBER / pixel, bind / 2)
            cut = [
                Boxes(colour=GREY, boxes=cards, pen=CUT / pixel, label="cut"),
                Words(colour=GREY, words=numbers, points=middles, height=height, label="numbers"),
            ]
        ground = Boxes(colour=self.theme.colour_of("background"), boxes=boxes)
        under = [ground] if ground.colour.alpha and self.theme.hatch is None else []
        size: tuple[float, ...] = self.sheet_size
        if self._page_size:
            size = tuple(side / pixel for side in self._page_size)
        layers = (*under, *layers, *cut)
        return Drawing(width=size[1], height=size[0], pixel=pixel, layers=layers, title=title)

    def write_png(self, image: Image.Image, words: Sequence[Words], path: Path) -> None:
        """Add texts, each centred on its point, to the painted sheet, and write it as PNG."""
        from PIL import ImageDraw  # slow to import

        if words:
            image = image.convert("RGBA" if self.theme.transparent_parts else "RGB")
        pen = ImageDraw.Draw(image)
        for layer in words:
            font = ImageFont.load_default(layer.height)
            for word, position in zip(layer.words, layer.points.tolist(), strict=True):
                pen.text(position, word, tuple(layer.colour), font, anchor="mm")
        image.save(path, "PNG", dpi=[INCH / self.millimetres_per_pixel] * 2)

    def check_paper_size(self, path: Path) -> None:
        """Raise `OptionError` if an option for drawings does not fit the format, paper or board."""
        suffix, hatch, paper = path.suffix.lower(), self.theme.hatch, self.theme.paper
        for name in STROKE_OPTIONS:
            if getattr(self.theme, name) is not None and hatch is None:
                raise OptionError(f"{name} needs hatch; set hatch, too, or leave {name} out", name)
        if self.theme.pens and self.boards == 1:
            raise OptionError("pens needs rgb (colour); set rgb, too, or leave pens out", "pens")
        if self.theme.print_width and self.theme.print_width > self._printable_width:
            raise OptionError(
                f"print_width must be at most {int(self._printable_width)} mm on {paper} paper, "
                f"with margins of {MARGIN:g} mm, not {self.theme.print_width:g} mm",
                "print_width",
            )
        if suffix != ".pdf" and len(self.page_sheets) > 1:
            raise OptionError(
                f"{suffix} has one page, but {self.count} stills in rows of {self.across} need "
                f"{len(self.page_sheets)} pages of {paper} paper; use .pdf or fewer stills",
                "frames",
            )
        height, width = (side * self.millimetres_per_pixel for side in self.sheet_size)
        if suffix == ".pdf" and max(height, width) > MAX_PAGE:
            raise OptionError(
                f"a page of a PDF must have at most {MAX_PAGE} mm a side, not "
                f"{width:.0f}x{height:.0f}; use a smaller print_width",
                "print_width",
            )
        if hatch is None:
            return
        pens = 1 if self.boards == 1 else len(self.theme.pens or PENS[0])
        if (angles := (self.theme.hatch_angle or "").count(",") + 1) not in (1, pens):
            raise OptionError(
                f"hatch_angle has {pluralize(angles, 'angle')} for {pluralize(pens, 'pen')}; give "
                "1 angle, or 1 per pen",
                "hatch_angle",
            )
        tones = self.levels - 1 if self.boards == 1 else 1
        widest = self.geometry.cell * self.millimetres_per_pixel / tones
        if hatch > widest:
            size = f"cells of {widest * tones:.3g} mm" + (f" in {tones} tones" if tones > 1 else "")
            raise OptionError(
                f"hatch must be at most {widest:.3g} mm for {size}, not {hatch:g} mm; "
                f"use a smaller hatch or a larger print_width",
                "hatch",
            )


def fit_captions(still: int, labels: Sequence[Sequence[str]], heading: str) -> Captions:
    """Build captions from the first list of labels that fit under a still, or from the last."""
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
    """Yield the labels and the heading of a sheet, with their positions in pixels."""
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
    # Allow 10 % more, because viewers of SVGs may use a wider font.
    return int(np.ceil(1.1 * ImageFont.load_default(height).getlength(words)))


def _caption_colour(theme: Theme) -> Colour:
    # Choose the colour of lit or of unlit cells, whichever contrasts more with the background.
    background = theme.colour_of("background")
    if not background.is_opaque:
        return Colour(128, 128, 128)  # grey is readable on any page behind the picture
    inks = [theme.colour_of(part) for part in ("lit", "unlit")]
    return max(inks, key=lambda ink: abs(sum(ink.rgb) - sum(background.rgb)) * ink.is_opaque)
