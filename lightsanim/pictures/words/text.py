"""Texts: ``text:HELLO``."""

from collections.abc import Iterable
from typing import ClassVar

from lightsanim.errors import OptionError
from lightsanim.options.checks import quote_value
from lightsanim.pictures.font import missing_letters
from .drawn import DrawnWord
from .word import Bits


class TextWord(DrawnWord):
    r"""The word for a text; ``\n`` begins a new line."""

    noun: ClassVar[str] = "a text"
    own_options: ClassVar[tuple[str, ...]] = ("invert",)
    margin: ClassVar[int] = 1

    @property
    def text(self) -> str:
        """The text in its lines."""
        return self.letters.replace("\\n", "\n")

    @property
    def least_shape(self) -> tuple[int, int]:
        """The least rows and columns of a board.

        >>> TextWord("text:I").least_shape
        (7, 3)
        """
        from lightsanim.pictures.lettering import text_box

        left, top, right, bottom = text_box(self.text)
        return bottom - top, right - left

    def check(self, own: Iterable[str] = ()) -> None:
        """Raise OptionError also for letters that the font lacks."""
        super().check(own)
        if missing := missing_letters(self.text.replace("\n", "")):
            flaw = f"the font has no letter for {quote_value(missing[:9])}"
            raise OptionError(f"{flaw}; leave it out")

    def draw_within(self, rows: int, columns: int) -> Bits:
        """Draw the box around the letters."""
        from lightsanim.pictures.lettering import draw_text

        return draw_text(self.text, rows, columns, self.margin)
