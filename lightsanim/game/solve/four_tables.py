"""The smallest of a click set's sums with all combinations of quiet patterns, by four tables.

On the cells of one colour (see `parity_split`) a combination acts only through its values on a
basis of that colour.  So the size of a sum has four terms, one for each colour, and a table of
2**rank entries lists all values of a term.  If the spans of two colours are independent, an entry
of each of their tables may be chosen freely, and both together determine the entries of the other
two.  The search visits only pairs of entries that can still beat the best size when the minima of
the other two tables are added.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from lightsanim.game.algebra.digits import DigitPacking
from lightsanim.game.algebra.linear import Bits
from lightsanim.game.algebra.modular import Indices, mod_product
from lightsanim.system.deadline import Deadline, TimeUpError
from .components import Component
from .parity_split import MAX_DEFECT, IndependentPair, ParityColour, split_by_parity

Sizes = NDArray[np.integer]  # int16, or int32 if the cells are too many for that.

# Maximum rank of a colour; the tables and what belongs to them then take some 500 MB.
MAX_RANK = 23
# Number of pairs whose sizes are computed at a time, and of second entries among them.
BLOCK_PAIRS, BLOCK_WIDTH = 1 << 18, 1 << 14
# Number of pairs that the first attempt visits; the next visit four times as many.
FIRST_PAIRS = 1 << 20
# Estimated seconds on a slow computer: for each table entry and bit of its index, for each pair.
ENTRY_SECONDS, VISIT_SECONDS = 1e-8, 1e-8


def find_smallest_sum(
    component: Component,
    clicks: Bits,
    width: int,
    deadline: Deadline,
    report: Callable[[int], None] = lambda size: None,
) -> tuple[Bits, int] | None:
    """Find the smallest sum of ``clicks``, bool (cells,), with combinations of the patterns.

    Returns the sum and a proven bound on its size, which is lower than the size if the time does
    not suffice; None if the board, of this width, does not split, or its tables are too large.
    """
    if len(component) > 2 * MAX_RANK + MAX_DEFECT:
        return None
    colours, pairs = split_by_parity(component, width)
    ranks = [len(colour.basis) for colour in colours]
    if not pairs or max(ranks) > MAX_RANK:
        return None
    if not deadline.allows(sum(ENTRY_SECONDS * rank * 2**rank for rank in ranks)):
        return clicks, 0
    tables = [_ColourTable(colour, clicks) for colour in colours]
    size = sum(int(table.sizes[0]) for table in tables)
    elsewhere = int(clicks.sum()) - size  # Clicks on cells of no pattern.
    lowest = bound = sum(table.smallest for table in tables)
    counts = [_count_pairs(tables[p.first], tables[p.second]) << p.defect for p in pairs]
    best, visits = (size, [0] * len(tables)), FIRST_PAIRS
    with suppress(TimeUpError):
        # Look for sums smaller than a limit, which rises until there is one.
        while bound < best[0]:
            ranges = [int(np.searchsorted(total, visits, "right")) for total in counts]
            chosen, visits = int(np.argmax(ranges)), 4 * visits
            limit = min(best[0], lowest + max(ranges))
            if limit <= bound:
                continue
            excess = min(limit - lowest, len(counts[chosen])) - 1
            if not deadline.allows(VISIT_SECONDS * int(counts[chosen][excess])):
                break
            pair = pairs[chosen]
            order = [n for n in range(len(tables)) if n not in (pair.first, pair.second)]
            order = [pair.first, pair.second, *order]
            for size, entries in _find_smaller([tables[n] for n in order], pair, limit, deadline):
                best = size, [entries[order.index(n)] for n in range(len(tables))]
                report(elsewhere + size)
            bound = min(limit, best[0])
    smallest = clicks.copy()
    for colour, combination in zip(colours, best[1], strict=True):
        signs = colour.classes.size_changes_per_click(np.array([combination]))[:, 0]
        smallest[colour.cells] ^= signs[colour.classes.class_of] < 0
    return smallest, elsewhere + bound


class _ColourTable:
    """The sizes of all sums of a click set with combinations, on the cells of one colour."""

    def __init__(self, colour: ParityColour, clicks: Bits) -> None:
        self.colour = colour
        sizes = colour.classes.compute_sum_sizes(colour.classes.count_clicks(clicks[colour.cells]))
        # Sizes, (2**rank,), for each combination of the colour's patterns.
        self.sizes: Sizes = sizes.astype(np.int16) if len(colour.cells) < 1 << 13 else sizes
        self.order = np.argsort(self.sizes, kind="stable")  # combinations by ascending size
        self.smallest = int(self.sizes[self.order[0]])


def _count_pairs(first: _ColourTable, second: _ColourTable) -> NDArray[np.int64]:
    # Count the pairs of entries by how much they exceed the pair of the smallest: up to each value.
    counts, other_counts = (np.bincount(table.sizes - table.smallest) for table in (first, second))
    return np.asarray(np.convolve(counts, other_counts).cumsum())


def _find_smaller(
    tables: list[_ColourTable], pair: IndependentPair, size: int, deadline: Deadline
) -> Iterator[tuple[int, list[int]]]:
    # Yield falling sizes below ``size``, each with an entry of every table; the pair comes first.
    first, second, *dependent_tables = tables
    rows, columns = first.sizes[first.order], second.sizes[second.order]
    dependent = [
        (table.sizes, *_map_entries(first, second, table, pair)) for table in dependent_tables
    ]
    while len(dependent) < 2:
        zeros = [np.zeros(count, np.int64) for count in (len(rows), len(columns), 1 << pair.defect)]
        dependent.append((np.zeros(1, rows.dtype), *zeros))
    (third, row_third, column_third, shift_third), (fourth, *images) = dependent
    row_fourth, column_fourth, shift_fourth = images
    floor, ceiling = int(fourth.min()), int(third.min()) + int(fourth.min())
    for shift, shift_of_fourth in zip(shift_third, shift_fourth, strict=True):
        row = 0
        while row < len(rows):
            count = int(np.searchsorted(columns, size - ceiling - int(rows[row])))
            if not count:
                break
            width = min(count, BLOCK_WIDTH)
            down = slice(row, row + BLOCK_PAIRS // width)
            for start in range(0, count, width):
                deadline.look()
                across = slice(start, min(count, start + width))
                sizes = third[(row_third[down] ^ shift)[:, None] ^ column_third[across]]
                sizes += rows[down, None]
                sizes += columns[across]
                near = np.flatnonzero(sizes < size - floor)
                if not len(near):
                    continue
                i, j = np.divmod(near, sizes.shape[1])
                at = row_fourth[row + i] ^ column_fourth[start + j] ^ shift_of_fourth
                totals = sizes.ravel()[near] + fourth[at]
                best = int(totals.argmin())
                if totals[best] < size:
                    size, i, j = int(totals[best]), row + i[best], start + j[best]
                    third_entry = row_third[i] ^ column_third[j] ^ shift
                    entries = first.order[i], second.order[j], third_entry, at[best]
                    yield size, [int(entry) for entry in entries]
            row = down.stop


def _map_entries(
    first: _ColourTable, second: _ColourTable, dependent: _ColourTable, pair: IndependentPair
) -> list[Indices]:
    # Return what the sorted entries of the first table, those of the second, and the combinations
    # of unit vectors contribute by XOR to the index of the dependent table's entry.
    summands = DigitPacking(2).pack(mod_product(dependent.colour.basis, pair.inverse, 2).T)[:, 0]
    ranks = np.cumsum([len(first.colour.basis), len(second.colour.basis)])
    images = []
    for part in np.split(summands.view(np.int64), ranks):
        sums = np.zeros(1, np.int64)
        for summand in part:
            sums = np.concatenate([sums, sums ^ summand])
        images.append(sums)
    return [images[0][first.order], images[1][second.order], images[2]]
