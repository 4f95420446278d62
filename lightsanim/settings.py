"""The options of `make`, validated once: the same names on the command line and in Python."""

import re
from collections.abc import Collection
from dataclasses import dataclass, fields
from typing import Any

from lightsanim.animation.legal import PRESSES
from lightsanim.animation.order import ORDERS, SPREAD
from lightsanim.animation.timing import EASES, Timing
from lightsanim.board.board import MAX_SIDE
from lightsanim.board.rule import rule_of
from lightsanim.errors import OptionError
from lightsanim.pictures.diffusion import KERNELS
from lightsanim.pictures.dither import DITHERS
from lightsanim.pictures.grey import DETAIL, FITS, TONES, check_amounts
from lightsanim.pictures.light import colour
from lightsanim.solve.nearest import PROGRAMS
from lightsanim.solve.outcome import Deadline
from lightsanim.values import check_choice, check_flag, check_number, check_whole

# More cells than any picture needs; what a dither of them takes still fits the memory of a laptop.
MAX_CELLS = 50_000_000


@dataclass(frozen=True, kw_only=True)
class Size:
    """A board's columns, and its rows where they are given."""

    columns: int
    rows: int | None = None

    def __post_init__(self) -> None:
        rows = 1 if self.rows is None else self.rows
        if self.columns < 1 or rows < 1:
            raise OptionError(f"size must be at least 1x1, not {self}")
        if self.columns * rows > MAX_CELLS or max(self.columns, rows) > MAX_SIDE:
            raise OptionError(
                f"size {self} is too large: at most {MAX_CELLS} cells, such as 7000x7000, "
                f"and {MAX_SIDE} a side"
            )

    def __str__(self) -> str:
        return str(self.columns) if self.rows is None else f"{self.columns}x{self.rows}"


def parse_size(text: str | int) -> Size:
    """``60x40`` is 60 columns and 40 rows; ``60`` leaves the rows to the first picture's shape.

    Raises:
        OptionError: if it is neither, smaller than 1x1, or too large.

    >>> parse_size("60x40"), parse_size(60)
    (Size(columns=60, rows=40), Size(columns=60, rows=None))
    """
    match = re.fullmatch(r"([+-]?\d{1,15})(?:[xX]([+-]?\d{1,15}))?", str(text).strip())
    if not match:
        raise OptionError(f"size must be COLUMNS or COLUMNSxROWS, such as 60x40, not {text!r}")
    columns, rows = match.groups()
    return Size(columns=int(columns), rows=None if rows is None else int(rows))


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What `make` may be told.  Each field is an option of the same name.

    Attributes:
        size: ``"60x40"`` (columns x rows), or ``"60"``: rows from the first picture's shape.
        perfect: change the size a little, so that every picture is exactly accessible.
        rule: what a click flips: the name of one of `lightsanim.board.rule.RULES`, or a stencil
            such as ``000/110/000``, rows of 0 and 1 with the clicked cell in the middle.
        wrap: join the board's opposite edges.
        fit: how a picture of another shape fills the board: cover, contain or stretch.
        background: colour behind transparent pictures and around contained ones.
        autocontrast: stretch each picture's tones to the range from black to white.
        detail: amount of local contrast, 0 for none.
        gamma: above 1 lightens the middle tones, below 1 darkens them.
        invert: swap black and white.
        rgb: in colour: three boards, one for each primary.
        tone: srgb dithers the encoded values, linear the light itself.
        dither: how greys become cells, one of `lightsanim.pictures.dither.DITHERS`.
        serpentine: error diffusion runs to and fro instead of always to the right.
        ip: the integer program: auto, parity, or the paper's.
        time_limit: seconds for each search.
        order: the order of the clicks, one of `lightsanim.animation.order.ORDERS`, or legal: each
            cell is unlit (see ``press``) when it is clicked.
        reverse: the order backwards.
        spread: how far a click may stray from its place, 0 (not at all) to 1 (anywhere).
        press: for the order legal, which cells may be clicked: unlit or lit.
        seed: of the order's random part, at least 0; None to draw one.
        cycle: go on from the last picture back to the first.
        boomerang: go back from the last picture to the first by the same clicks.
        fps, duration, hold_first, hold_last, clicks_per_frame, ease, loop: see `Timing`.

    Raises:
        OptionError: for a value that an option cannot take.
    """

    size: str | int = "60"
    perfect: bool = False
    rule: str = "plus"
    wrap: bool = False
    fit: str = "cover"
    background: str = "white"
    autocontrast: bool = True
    detail: float = DETAIL
    gamma: float = 1.0
    invert: bool = False
    rgb: bool = False
    tone: str = "srgb"
    dither: str = "floyd-steinberg"
    serpentine: bool = False
    ip: str = "auto"
    time_limit: float = 30.0
    order: str = "radial"
    reverse: bool = False
    spread: float = SPREAD
    press: str = "unlit"
    seed: int | None = None
    fps: float = Timing.fps
    duration: float = Timing.duration
    hold_first: float = Timing.hold_first
    hold_last: float = Timing.hold_last
    clicks_per_frame: int | None = None
    ease: str = Timing.ease
    loop: int = Timing.loop
    cycle: bool = False
    boomerang: bool = False

    def __post_init__(self) -> None:
        parse_size(self.size)
        for field in fields(self):
            if isinstance(field.default, bool):
                check_flag(field.name, getattr(self, field.name))
        rule_of(self.rule)
        for name, known in CHOICES.items():
            check_choice(name, getattr(self, name), known)
        if self.serpentine and self.dither not in KERNELS:
            raise OptionError(f"serpentine needs an error-diffusion dither, not {self.dither!r}")
        colour(self.background)
        check_amounts(self.detail, self.gamma)
        check_number("spread", self.spread, 0, 1)
        if self.order == "legal":
            for name in ("rgb", "boomerang", "reverse"):
                if getattr(self, name):
                    raise OptionError(f"order legal and {name} exclude each other; leave one out")
        Deadline(self.time_limit)
        if self.seed is not None:
            check_whole("seed", self.seed, 0)
        if self.cycle and self.boomerang:
            raise OptionError("cycle and boomerang lead back in two ways; choose one of them")
        self.timing  # noqa: B018 - raises where a time is out of range

    def as_dict(self) -> dict[str, Any]:
        """A JSON object; equal settings give equal ones, whatever kinds of numbers they came as.

        >>> Settings(size=60, fps=25).as_dict() == Settings(size="60", fps=25.0).as_dict()
        True
        """
        return {
            field.name: _plain(getattr(self, field.name), field.default) for field in fields(self)
        }

    @property
    def timing(self) -> Timing:
        """The options that say when frames are shown."""
        return Timing(**{field.name: getattr(self, field.name) for field in fields(Timing)})

    @property
    def tones(self) -> dict[str, Any]:
        """The options of `grey_for_board`."""
        names = ("fit", "background", "autocontrast", "detail", "gamma", "invert", "tone")
        return {name: getattr(self, name) for name in names}


def _plain(value: Any, default: Any) -> Any:
    # As a text, a number or a flag, like the default; what has none is a whole number or None.
    if value is None:
        return None
    return int(value) if default is None else type(default)(value)


CHOICES: dict[str, Collection[str]] = {
    "fit": FITS,
    "tone": TONES,
    "dither": DITHERS,
    "ip": PROGRAMS,
    "order": [*ORDERS, "legal"],
    "press": PRESSES,
    "ease": EASES,
}
