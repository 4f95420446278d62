"""Draw the plot of the results: time by board size, and wrong cells after ten seconds."""

from pathlib import Path

import matplotlib as mpl

mpl.use("svg")

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from benchmarks.tables import Row, rounded

# Colours of the plot; its own background makes it readable on white and on black pages.
PAPER, INK, FAINT = "#fbfaf7", "#23262d", "#d9d6cf"
COLOURS = {
    "lightsanim": "#d1495b",
    "parity checks, SCIP": "#00798c",
    "parity checks, CP-SAT": "#5fb3c1",
    "paper's program, SCIP": "#8d8577",
    "paper's program, CP-SAT": "#c3b9a5",
}
RIVAL, WHOLE = "#00798c", "#8d8577"
STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 11,
    "text.color": INK,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "figure.facecolor": PAPER,
    "axes.facecolor": PAPER,
    "svg.hashsalt": "lightsanim",
}


def draw(algebra: list[Row], nearest: list[Row], path: Path) -> None:
    """Draw both halves of the plot, in the format of the path's suffix."""
    with plt.rc_context(STYLE):
        figure, (left, right) = plt.subplots(
            1, 2, figsize=(13, 5.4), width_ratios=(1, 1.35), layout="constrained"
        )
        figure.get_layout_engine().set(w_pad=0.15, h_pad=0.12)
        draw_algebra(left, algebra)
        draw_nearest(right, nearest)
        metadata = {"Date": None} if path.suffix == ".svg" else None
        figure.savefig(path, dpi=110, metadata=metadata)
        plt.close(figure)


def draw_algebra(axes: Axes, rows: list[Row]) -> None:
    """Plot seconds against the board's side, on logarithmic scales."""
    lines = [
        ("elimination, whole board", "elimination\non every cell", WHOLE),
        ("elimination, first row", "elimination\non the first row", RIVAL),
        ("linear time", "lightsanim", COLOURS["lightsanim"]),
    ]
    for column, label, colour in lines:
        points = [(row["side"], row[f"{column}, s"]) for row in rows if row[f"{column}, s"]]
        sides, seconds = zip(*points, strict=True)
        axes.plot(sides, seconds, "o-", color=colour, linewidth=2.4, markersize=6)
        axes.annotate(
            f"{label}\n{rounded(seconds[-1])} s",
            points[-1],
            (9, 0),
            textcoords="offset points",
            color=colour,
            fontweight="bold",
            va="center",
        )
    axes.set(xscale="log", yscale="log", xlim=(38, 320_000))
    ticks = {100: "100", 1000: "1,000", 10_000: "10,000"}
    axes.set_xticks(list(ticks), list(ticks.values()))
    axes.set_yticks([1e-4, 1e-2, 1, 100], ["0.1 ms", "10 ms", "1 s", "100 s"])
    axes.minorticks_off()
    axes.grid(color=FAINT, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.set_xlabel("cells along a side of the board")
    axes.set_title("Which cells to click: seconds", loc="left", fontweight="bold", pad=14)


def draw_nearest(axes: Axes, rows: list[Row]) -> None:
    """Plot, for each board and method, a line from the proven bound to the wrong cells found."""
    sides = list(dict.fromkeys(row["side"] for row in rows))
    step = 0.15
    for place, (method, colour) in enumerate(COLOURS.items()):
        mine = {row["side"]: row for row in rows if row["method"] == method}
        x = [sides.index(side) + (place - 2) * step for side in mine]
        wrong = [row["wrong"] for row in mine.values()]
        bound = [row["bound"] for row in mine.values()]
        axes.vlines(x, bound, wrong, color=colour, linewidth=2.6, alpha=0.75)
        axes.plot(x, bound, "_", color=colour, markersize=7, markeredgewidth=2.2)
        axes.plot(x, wrong, "o", color=colour, markersize=7, label=method)
    axes.set_xticks(range(len(sides)), [str(side) for side in sides])
    axes.tick_params(axis="x", length=0)
    axes.set_ylim(bottom=-0.6)
    axes.grid(axis="y", color=FAINT, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.set_xlabel("cells along a side of the board")
    axes.set_title(
        "After 10 s: wrong cells left (dot), proven unavoidable (dash)",
        loc="left",
        fontweight="bold",
        pad=14,
    )
    axes.legend(
        loc="upper left", fontsize=10.5, handletextpad=0.2, facecolor=PAPER, edgecolor=PAPER
    )
