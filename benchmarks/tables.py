"""What a benchmark finds: tables of rows, and the bars that the figures are held against."""

from dataclasses import dataclass, field
from typing import Any

Row = dict[str, Any]
"""A row of a table: values by the names of their columns."""


@dataclass(frozen=True, kw_only=True)
class Table:
    """Rows of figures.

    Attributes:
        title: what is measured.
        rows: all with the same columns.
        note: how it is measured, and what a figure means.
        key: the name by which the plot finds it.
    """

    title: str
    rows: list[Row]
    note: str = ""
    key: str = ""


@dataclass(frozen=True, kw_only=True)
class Bar:
    """A figure that was asked for, and the one that was measured.

    Attributes:
        what: what is measured.
        limit: what was asked for.
        measured: what came out.
        met: whether that is enough.
    """

    what: str
    limit: str
    measured: str
    met: bool

    @classmethod
    def below(cls, what: str, measured: float, limit: float, unit: str) -> "Bar":
        """A bar for a number that is to be small.

        >>> Bar.below("a run", 0.512, 1.0, "s").measured
        '0.51 s'
        """
        return cls(
            what=what,
            limit=f"under {limit:g} {unit}",
            measured=f"{rounded(measured)} {unit}",
            met=measured < limit,
        )


@dataclass(frozen=True, kw_only=True)
class Findings:
    """All that one benchmark found."""

    tables: list[Table] = field(default_factory=list)
    bars: list[Bar] = field(default_factory=list)


def rounded(value: float) -> str:
    """Two digits, or all of those before the point.

    >>> rounded(0.01234), rounded(1.234), rounded(12.34), rounded(1234.5), rounded(0)
    ('0.012', '1.2', '12', '1,234', '0')
    """
    if value == 0:
        return "0"
    if abs(value) >= 10:
        return f"{value:,.0f}"
    return f"{float(f'{value:.2g}'):g}" if abs(value) >= 1e-4 else f"{value:.1e}"
