"""Results of a benchmark: tables of rows, and limits (bars) with measured values."""

from dataclasses import dataclass, field
from typing import Any

Row = dict[str, Any]
"""A row of a table: values by the names of their columns."""


@dataclass(frozen=True, kw_only=True)
class Table:
    """A table of results.

    Attributes:
        title: what is measured.
        rows: rows that all have the same columns.
        note: how it is measured, and what the columns mean.
        key: the name by which the plot finds the table.
    """

    title: str
    rows: list[Row]
    note: str = ""
    key: str = ""


@dataclass(frozen=True, kw_only=True)
class Bar:
    """A limit, and the measured value.

    Attributes:
        what: what is measured.
        limit: the limit, as text.
        measured: the measured value, as text.
        met: whether the measured value meets the limit.
    """

    what: str
    limit: str
    measured: str
    met: bool

    @classmethod
    def below(cls, what: str, measured: float, limit: float, unit: str) -> "Bar":
        """Return a bar that is met if the measured number is below the limit.

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
    """The tables and bars of one benchmark."""

    tables: list[Table] = field(default_factory=list)
    bars: list[Bar] = field(default_factory=list)


def rounded(value: float) -> str:
    """Round to two significant digits, or to a whole number from 10 up.

    >>> rounded(0.01234), rounded(1.234), rounded(12.34), rounded(1234.5), rounded(0)
    ('0.012', '1.2', '12', '1,234', '0')
    """
    if value == 0:
        return "0"
    if abs(value) >= 10:
        return f"{value:,.0f}"
    return f"{float(f'{value:.2g}'):g}" if abs(value) >= 1e-4 else f"{value:.1e}"
