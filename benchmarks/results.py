"""Load results.json, and format it as results.md."""

import json
import os
import platform
import re
from pathlib import Path
from typing import Any

from benchmarks.tables import Bar, Row, Table, rounded

Results = dict[str, dict[str, Any]]
"""For each benchmark, by name: its tables, limits (bars), seconds and machine."""


def load(path: Path) -> Results:
    """Load the results of benchmarks."""
    results: Results = json.loads(path.read_text())
    for findings in results.values():
        findings["tables"] = [Table(**table) for table in findings["tables"]]
        findings["bars"] = [Bar(**bar) for bar in findings["bars"]]
    return results


def rows_of(results: Results, key: str) -> list[Row]:
    """Return the rows of the table with this key."""
    tables = (table for findings in results.values() for table in findings["tables"])
    return next(table.rows for table in tables if table.key == key)


def markdown(results: Results) -> str:
    """Return the page with all results."""
    parts = ["# Benchmarks", "", *machines(results), duration(results), ""]
    if {"algebra", "nearest"} <= set(results):
        parts += ["![seconds against board side, and wrong cells at equal time](plot.svg)", ""]
    bars = [bar for findings in results.values() for bar in findings["bars"]]
    if bars:
        rows = [
            {
                "what is measured": bar.what,
                "limit": bar.limit,
                "measured": bar.measured,
                "met": "yes" if bar.met else "**no**",
            }
            for bar in bars
        ]
        parts += ["## Limits", "", *table_lines(rows), ""]
    for findings in results.values():
        for table in findings["tables"]:
            if table.rows:
                rows = by_board(table.rows) if "method" in table.rows[0] else table.rows
                parts += [f"## {table.title}", "", table.note, "", *table_lines(rows), ""]
    return "\n".join(parts)


def machines(results: Results) -> list[str]:
    """Return a paragraph for each machine, with the benchmarks that ran on it."""
    names: dict[str, list[str]] = {}
    for name, findings in results.items():
        names.setdefault(findings["machine"], []).append(name)
    return [line for about, ran in names.items() for line in (f"{', '.join(ran)}: {about}", "")]


def duration(results: Results) -> str:
    """Return a sentence on how long all benchmarks took."""
    minutes = sum(findings["seconds"] for findings in results.values()) / 60
    return f"All benchmarks took {minutes:.0f} minutes, on a shared machine: timings are noisy."


def machine() -> str:
    """Return a sentence on the machine and on the versions of the programs."""
    import av
    import numpy
    import ortools
    import PIL
    from pyscipopt import Model

    versions = {
        "Python": platform.python_version(),
        "numpy": numpy.__version__,
        "Pillow": PIL.__version__,
        "SCIP": f"{Model().version():.1f}",
        "OR-Tools": ortools.__version__,
        "FFmpeg": av.ffmpeg_version_info,
    }
    listed = ", ".join(f"{name} {version}" for name, version in versions.items())
    return f"{os.cpu_count()} cores of an {processor()}; {listed}."


def processor() -> str:
    """Return the model of the processor."""
    info = Path("/proc/cpuinfo")
    found = re.search(r"model name\s*:\s*(.+)", info.read_text()) if info.exists() else None
    return found[1].strip() if found else platform.processor() or "unknown processor"


def by_board(rows: list[Row]) -> list[Row]:
    """Return one row per board, with a column per method: value (proven bound), seconds.

    >>> by_board([{"side": 9, "method": "m", "wrong": 3, "bound": 2, "seconds": 0.5}])
    [{'side': 9, 'm': '3 (2), 0.5 s'}]
    """
    boards: dict[int, Row] = {}
    for row in rows:
        columns = list(row)
        before = columns[: columns.index("method")]
        value = row[columns[columns.index("method") + 1]]
        board = boards.setdefault(row["side"], {name: row[name] for name in before})
        cell = f"{shown(value)} ({shown(row['bound'])}), {rounded(row['seconds'])} s"
        board[row["method"]] = cell
    return list(boards.values())


def table_lines(rows: list[Row]) -> list[str]:
    """Return the lines of a Markdown table; columns of numbers are aligned to the right."""
    names = list(rows[0])
    numeric = [any(isinstance(row[name], int | float) for row in rows) for name in names]
    lines = [names, ["---:" if right else "---" for right in numeric]]
    lines += [[shown(row[name]) for name in names] for row in rows]
    return [f"| {' | '.join(line)} |" for line in lines]


def shown(value: Any) -> str:
    """Format a value for a table.

    >>> shown(None), shown(12345), shown(0.12345), shown("text")
    ('', '12,345', '0.12', 'text')
    """
    if value is None:
        return ""
    if isinstance(value, float):
        return rounded(value)
    return f"{value:,}" if isinstance(value, int) else str(value)
