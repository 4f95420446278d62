"""What texts and QR codes share: they are drawn from words, cell by cell for each board.

The cells are lit or unlit, so dithers and tones leave them as they are.
"""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, ClassVar

from lightsanim.errors import OptionError
from lightsanim.options.checks import quote_value
from lightsanim.options.choices import THRESHOLD
from .word import Bits, Word

NOMINAL_SCALE = 8  # A drawn picture without a board is this many times as large as its least board.


class DrawnWord(Word, ABC):
    """A word that is drawn as large as fits.

    Attributes:
        noun: what messages call the picture.
        own_options: the options of a single picture that apply.
        margin: distance from the drawing to the board's edges, in cells; 0 where there is no room.
        is_lit_around: whether the cells around the drawing are lit.
    """

    is_file: ClassVar[bool] = False
    is_drawn: ClassVar[bool] = True
    noun: ClassVar[str]
    own_options: ClassVar[tuple[str, ...]] = ()
    margin: ClassVar[int] = 0
    is_lit_around: ClassVar[bool] = False

    @property
    def letters(self) -> str:
        """What the word says, after its prefix."""
        return self.path.partition(":")[2]

    @property
    def name(self) -> str:
        """What the word says, in one line."""
        return " ".join(self.letters.replace("\\n", " ").split())

    @property
    def content(self) -> bytes:
        """The bytes of the word itself."""
        return self.path.encode("utf-8", "replace")

    @property
    def sha256(self) -> str:
        """The digest of the word itself."""
        return hashlib.sha256(self.content).hexdigest()

    @property
    @abstractmethod
    def least_shape(self) -> tuple[int, int]:
        """The least rows and columns of a board; raise OptionError for a word without any."""

    def check(self, own: Iterable[str] = ()) -> None:
        """Raise OptionError if the word cannot be drawn, or for an option that does not apply."""
        for name in own:
            if name not in self.own_options:
                raise OptionError(f"{name} does not apply to {self.noun}; leave it out", name)
        if not self.letters.replace("\\n", "").strip():
            example = f"{self.path.partition(':')[0]}:HELLO"
            flaw = f"{self.noun} needs letters, as in {example}, not {quote_value(self.path)}"
            raise OptionError(flaw)

    def options(self, transition: str) -> dict[str, Any]:
        """Return the options that keep each cell as it is drawn."""
        tone = {"autocontrast": False, "detail": 0.0, "gamma": 1.0}
        # All pictures of a dissolve share one dither.
        dither = {} if transition == "dissolve" else {"dither": THRESHOLD}
        return {"crop": None, "focus": None, "fit": "contain", **tone, **dither}

    def draw(self, rows: int, columns: int) -> Bits:
        """Draw the word, as large as fits, in the middle of a board."""
        import numpy as np

        height, width = self.least_shape
        if rows < height or columns < width:
            raise OptionError(
                f"{quote_value(self.path)} needs at least {width}x{height} cells, not "
                f"{columns}x{rows}; choose size {max(columns, width)}x{max(rows, height)} or more",
                "size",
            )
        cells = self.draw_within(rows, columns)
        margins = [(n // 2, n - n // 2) for n in np.subtract((rows, columns), cells.shape).tolist()]
        return np.pad(cells, margins, constant_values=self.is_lit_around)

    @abstractmethod
    def draw_within(self, rows: int, columns: int) -> Bits:
        """Draw the word as large as fits in some rows and columns, without what is around it."""

    def draw_without_board(self) -> Bits:
        """Check the word, and draw it on a board of `NOMINAL_SCALE` times the least sides."""
        self.check()
        return self.draw(*(NOMINAL_SCALE * (side + 2 * self.margin) for side in self.least_shape))
