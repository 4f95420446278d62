"""Rules that define which cells a click flips: stencils, and the cross (row and column)."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from lightsanim.game.algebra.modular import mod_inplace
from lightsanim.game.levels import Lights
from lightsanim.options.checks import require_keys
from lightsanim.options.stencils import STENCILS, Offsets, format_stencil, stencil_offsets, to_rule

CellNumbers = NDArray[np.int64]  # cell numbers: row * columns + column


@dataclass(frozen=True, kw_only=True)
class Rule:
    """Definition of the cells that a click flips; rules with the same name are equal."""

    name: str  # Name: a key of `RULES`, or a stencil in canonical form.
    description: str = field(compare=False)  # Description in words of the cells that a click flips.
    # Offsets (down, right) from the click to the cells that it flips; None for the cross.
    offsets: Offsets | None = field(compare=False)

    @property
    def rotated_rule(self) -> "Rule":
        """The rule rotated by 180 degrees; its matrix is the transpose of this rule's matrix."""
        if self.offsets is None:
            return self
        return _rule_from_offsets((-down, -right) for down, right in self.offsets)

    @property
    def transposed_rule(self) -> "Rule":
        """The rule with rows and columns exchanged."""
        if self.offsets is None:
            return self
        return _rule_from_offsets((right, down) for down, right in self.offsets)

    @property
    def product_factors(self) -> "tuple[Rule, Rule] | None":
        """Column rule and row rule whose product is this rule; None if there are none."""
        if self.offsets is None:
            return None
        down, right = map(set, zip(*self.offsets, strict=True))
        if len(down) * len(right) > len(self.offsets):
            return None
        column, row = ((by, 0) for by in down), ((0, by) for by in right)
        return _rule_from_offsets(column), _rule_from_offsets(row)

    def offsets_on_board(self, rows: int, columns: int, *, wrap: bool, levels: int = 2) -> Offsets:
        """Return the (down, right) offsets of cells that a click can flip; see `Board.offsets`."""
        if self.offsets is None:
            downs, rights = (
                range(-(side // 2), side - side // 2) if wrap else range(1 - side, side)
                for side in (rows, columns)
            )
            column, row = ((by, 0) for by in downs if by), ((0, by) for by in rights if by)
            return (0, 0), *column, *row
        if not wrap:
            return tuple(
                (down, right)
                for down, right in self.offsets
                if abs(down) < rows and abs(right) < columns
            )
        # A neighbourhood that overlaps itself around a small torus does not change a cell that it
        # meets as often as there are levels.
        by_cell: dict[tuple[int, int], list[tuple[int, int]]] = {}
        for down, right in self.offsets:
            group = by_cell.setdefault((down % rows, right % columns), [])
            group.append((down, right))
            if len(group) == levels:
                group.clear()
        return tuple(offset for group in by_cell.values() for offset in group)

    def max_flips(self, rows: int, columns: int, *, wrap: bool, levels: int = 2) -> int:
        """Return an upper bound on the flips per click, or on the levels that a click adds."""
        if self.offsets is None:
            return rows + columns - 1
        offsets = _offset_array(self, rows, columns, wrap, levels)
        return min(len(offsets), (levels - 1) * rows * columns)

    def flips_of_clicks(
        self, clicked: CellNumbers, rows: int, columns: int, *, wrap: bool, levels: int = 2
    ) -> tuple[CellNumbers, CellNumbers, CellNumbers]:
        """List all flips of these clicks: three arrays with each flip's click, row and column."""
        offsets = _offset_array(self, rows, columns, wrap, levels)
        row, column = (np.array(np.divmod(clicked, columns)) + offsets).swapaxes(0, 1)
        source = np.broadcast_to(np.arange(len(clicked)), row.shape)
        if wrap:
            return source.ravel(), (row % rows).ravel(), (column % columns).ravel()
        inside = (row >= 0) & (row < rows) & (column >= 0) & (column < columns)
        return source[inside], row[inside], column[inside]

    def toggles(self, clicks: Lights, levels: int, *, wrap: bool) -> Lights:
        """Return the cells that a click set flips, or the levels that it adds: A x over GF(levels).

        With two levels, each bit of an array of integers is a click set of its own.
        """
        most = (levels - 1) * self.max_flips(*clicks.shape, wrap=wrap, levels=levels)
        add, subtract, dtype = (
            (np.bitwise_xor, np.bitwise_xor, clicks.dtype)
            if levels == 2
            else (np.add, np.subtract, np.min_scalar_type(most))
        )
        if self.offsets is None:
            row, column = (add.reduce(clicks, axis, dtype, keepdims=True) for axis in (1, 0))
            total = subtract(add(row, column), clicks)
        else:
            total, (rows, columns) = np.zeros_like(clicks, dtype), clicks.shape
            for down, right in self.offsets_on_board(rows, columns, wrap=wrap, levels=levels):
                if wrap:
                    add(total, np.roll(clicks, (down, right), (0, 1)), out=total)
                else:
                    to_rows, from_rows = _slices_for_shift(down, rows)
                    to_columns, from_columns = _slices_for_shift(right, columns)
                    changed = total[to_rows, to_columns]
                    add(changed, clicks[from_rows, from_columns], out=changed)
        return total if levels == 2 else mod_inplace(total, levels).astype(np.uint8, copy=False)


# Descriptions of the cells that a click of each named rule flips.
RULES: dict[str, str] = require_keys(
    STENCILS,
    {
        "plus": "a cell and its neighbours",
        "cross": "a cell, its row and its column",
        "king": "a cell and the eight around it",
        "ring": "the four neighbours of a cell",
        "x": "a cell and its four diagonal neighbours",
    },
)


def parse_rule(name: str) -> Rule:
    """Return the rule for a name or a stencil; see `lightsanim.options.stencils.to_rule`."""
    return _build_rule(to_rule(name))


@lru_cache(maxsize=32)
def _build_rule(name: str) -> Rule:
    stencil = STENCILS.get(name, name)
    offsets = None if stencil is None else stencil_offsets(stencil)
    return Rule(name=name, description=RULES.get(name, "the cells of one pattern"), offsets=offsets)


def _rule_from_offsets(offsets: Iterable[tuple[int, int]]) -> Rule:
    return parse_rule(format_stencil(offsets))


@lru_cache(maxsize=32)
def _offset_array(rule: Rule, rows: int, columns: int, wrap: bool, levels: int) -> CellNumbers:
    offsets = np.array(rule.offsets_on_board(rows, columns, wrap=wrap, levels=levels), np.intp)
    return offsets.reshape(-1, 2, 1)


def _slices_for_shift(by: int, length: int) -> tuple[slice, slice]:
    # Return the target slice and the source slice of a shift along an axis.
    return slice(max(by, 0), length + min(by, 0)), slice(max(-by, 0), length - max(by, 0))
