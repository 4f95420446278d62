"""QR codes: ``qr:URL``."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, ClassVar

from lightsanim.errors import OptionError
from lightsanim.options.checks import quote_value
from .drawn import DrawnWord
from .word import Bits

QUIET_ZONE = 4  # Width of the light border of a QR code, in modules (ISO/IEC 18004).


class QrCodeWord(DrawnWord):
    """The word for a QR code."""

    noun: ClassVar[str] = "a QR code"
    is_lit_around: ClassVar[bool] = True
    needs_contrast: ClassVar[bool] = True

    @property
    def least_shape(self) -> tuple[int, int]:
        """The least rows and columns of a board; raise OptionError for a text that is too long.

        >>> QrCodeWord("qr:HELLO").least_shape
        (29, 29)
        """
        side = len(_qr_modules(self.letters)) + 2 * QUIET_ZONE
        return side, side

    def check(self, own: Iterable[str] = ()) -> None:
        """Raise OptionError also for a text that is too long."""
        super().check(own)
        _qr_modules(self.letters)

    def options(self, transition: str) -> dict[str, Any]:
        """Return the options that keep each cell as it is drawn, also in inverted films."""
        return {**super().options(transition), "invert": False}

    def draw_within(self, rows: int, columns: int) -> Bits:
        """Draw the modules as large as the quiet zone allows."""
        side = min(rows, columns) // self.least_shape[0]
        return _qr_modules(self.letters).repeat(side, axis=0).repeat(side, axis=1)


@lru_cache
def _qr_modules(content: str) -> Bits:
    # Return the code's modules, True = light.
    import numpy as np
    import segno

    try:
        return np.array(segno.make(content, error="l", micro=False).matrix, bool) ^ True
    except ValueError as error:  # too long, or bytes that are not text
        limit = "a QR code must be a text of at most 2,953 bytes"
        raise OptionError(f"{limit}, not {quote_value(content)}") from error
