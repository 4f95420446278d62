"""The old name of `lightsanim.animate.click_sequence`, until the commands import that."""

from lightsanim.animate.click_sequence import ANY_PRESSES as ANY_PRESSES
from lightsanim.animate.click_sequence import ClickSequence as Presses
from lightsanim.animate.click_sequence import order_solution as order_presses
from lightsanim.animate.click_sequence import row_by_row as in_rows

__all__ = ["ANY_PRESSES", "Presses", "in_rows", "order_presses"]
