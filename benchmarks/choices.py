"""Benchmark of `make` with each rule, level, transition, order, dither and preset."""

import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from benchmarks.make import PICTURES
from benchmarks.measure import in_child
from benchmarks.tables import Bar, Findings, Row, Table
from lightsanim import make
from lightsanim.errors import LightsAnimError
from lightsanim.options.choices import DITHERS, LEVELS, ORDERS
from lightsanim.options.settings import PRESETS
from lightsanim.options.stages import TRANSITIONS
from lightsanim.options.stencils import STENCILS

SIZES = "default size", "200"
MAX_TIMES = 10  # CPU seconds, against those of the default at the same size
MAX_MEGABYTES = 1000
# Choices that may take longer, and boards with quiet patterns: docs/reference/options.md says why.
EXPLAINED = "full stencil, 99x99", "transition sketch"
FULL_STENCILS = {f"{side}x{side}": "/".join(["1" * side] * side) for side in (7, 25, 99)}
CHOICES: list[tuple[str, dict[str, Any]]] = [
    ("default", {}),
    *((f"rule {name}", {"rule": name}) for name in STENCILS if name != "plus"),
    *((f"full stencil, {side}", {"rule": stencil}) for side, stencil in FULL_STENCILS.items()),
    ("wrap", {"wrap": True}),
    *((f"levels {levels}", {"levels": levels}) for levels in LEVELS[1:]),
    *((f"transition {name}", {"transition": name}) for name in TRANSITIONS if name != "wipe"),
    *((f"order {name}", {"order": name}) for name in ORDERS if name != "auto"),
    *((f"dither {name}", {"dither": name}) for name in DITHERS),
    *((f"preset {name}", {"preset": name}) for name in PRESETS),
]


def run(quick: bool) -> Findings:
    """Measure each choice at the default size and on boards of 200 columns."""
    choices, sizes = (CHOICES[:2], SIZES[:1]) if quick else (CHOICES, SIZES)
    tables = [compare(size, choices) for size in sizes]
    return Findings(tables=tables, bars=[] if quick else [bar(table) for table in tables])


def compare(size: str, choices: list[tuple[str, dict[str, Any]]]) -> Table:
    """Return the table of one size, whose first row is the default."""
    rows: list[Row] = []
    for name, options in choices:
        sized = options if size == SIZES[0] else {**options, "size": size}
        child = in_child(make_gif, sized)
        seconds = child.result["CPU, s"]
        relative = seconds / (rows[0] if rows else child.result)["CPU, s"]
        memory = {"times the default": relative, "peak, MB": child.peak / 1e6}
        rows.append({"choice": name, **child.result, **memory})
    return Table(
        title=f"Choices of `make`: {size}",
        note=(
            "Two pictures to a GIF, each choice once in its own process, without the imports. A "
            "choice that is refused, because of the size or these pictures, has no board."
        ),
        rows=rows,
    )


def make_gif(options: dict[str, Any]) -> Row:
    """Make a GIF from two pictures; return its board and the CPU seconds of all threads."""
    began = time.process_time()
    row: Row = {"board": "", "nullity": None}
    with tempfile.TemporaryDirectory() as folder, suppress(LightsAnimError):
        film = make(PICTURES, seed=1, **options)
        film.save(Path(folder) / "film.gif")
        row = {"board": f"{film.board.columns}x{film.board.rows}", "nullity": film.board.nullity}
    return {**row, "CPU, s": time.process_time() - began}


def bar(table: Table) -> Bar:
    """Return the limit on a table's choices, except those that are explained."""
    beyond = [
        row["choice"]
        for row in table.rows
        if not row["nullity"]
        and row["choice"] not in EXPLAINED
        and (row["times the default"] > MAX_TIMES or row["peak, MB"] > MAX_MEGABYTES)
    ]
    return Bar(
        what=f"{table.title[0].lower()}{table.title[1:]}, except those that the docs explain",
        limit=f"at most {MAX_TIMES} times the default's CPU, and {MAX_MEGABYTES} MB",
        measured=", ".join(beyond) or "all",
        met=not beyond,
    )
