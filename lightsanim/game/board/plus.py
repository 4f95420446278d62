"""Rows of plus and ring boards with two levels, as ints: bit j of a row is column j."""

from collections.abc import Callable, Sequence

RowMap = Callable[[int, int], int]
"""Function that returns the cells of a row that clicks in it flip; its mask has n one bits."""


def toggle_side_neighbours(row: int, mask: int) -> int:
    """Return the cells of a row that clicks in the same row flip by the ring rule."""
    return (row << 1 ^ row >> 1) & mask


def toggle_row_neighbours(row: int, mask: int) -> int:
    """Return the cells of a row that clicks in the same row flip by the plus rule."""
    return (row ^ row << 1 ^ row >> 1) & mask


# The map of each rule with which rows can be chased.
ROW_MAPS: dict[str, RowMap] = {"plus": toggle_row_neighbours, "ring": toggle_side_neighbours}


def chase_rows(
    first: int, difference: Sequence[int], mask: int, row_map: RowMap = toggle_row_neighbours
) -> tuple[list[int], int]:
    """Chase the lights; return the rows of clicks, and the row below the board, 0 if solved."""
    clicks, above, row = [], 0, first
    for wrong in difference:
        clicks.append(row)
        above, row = row, row_map(row, mask) ^ above ^ wrong
    return clicks, row
