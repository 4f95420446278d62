"""Benchmark of GIFs with one click per frame: lightsanim against Pillow and imageio."""

import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
from PIL import Image

from benchmarks.measure import in_child, medians, seconds_of
from benchmarks.tables import Bar, Findings, Row, Table, rounded
from lightsanim import Animation, Board, Clicks, Theme, order_clicks

SIDE, CLICKS = 200, 20_000
# Share of the clicks that imageio writes, because it writes full frames; its results are scaled up.
IMAGEIO_SHARE = 0.05
THEME = Theme(cell=3, gap=0)
PALETTE = np.array([[25] * 3, [242] * 3], np.uint8)  # unlit and lit
DELAY = 40  # milliseconds

Writer = Callable[[Animation, Path], None]


def run(quick: bool) -> Findings:
    """Measure seconds, peak memory and file size of every writer, for two click orders."""
    clicks, repeats = (500, 1) if quick else (CLICKS, 3)
    rows = [row for order in ("random", "radial") for row in compare(order, clicks, repeats)]
    table = Table(
        title=f"{clicks:,} frames of one click each as a GIF, {SIDE} x {SIDE} cells of 3 px",
        note=(
            "Each writer runs in its own process. Seconds are medians of "
            f"{repeats} interleaved runs and include painting the frames, which are passed one by "
            "one. Pillow's writer is `save_all`, with default options and with each value of "
            f"`optimize`. imageio writes only {IMAGEIO_SHARE:.0%} of the clicks; its seconds and "
            "megabytes are scaled up."
        ),
        rows=rows,
        key="gif",
    )
    return Findings(tables=[table], bars=[] if quick else bars(rows))


def compare(order: str, clicks: int, repeats: int) -> list[Row]:
    """Return a row for each writer."""
    results: dict[str, Row] = {}

    def write(name: str) -> float:
        share = IMAGEIO_SHARE if name.startswith("imageio") else 1
        child = in_child(write_in_child, name, order, round(clicks * share))
        size, seconds = child.result["bytes"] / share, child.result["seconds"] / share
        results[name] = {"peak, MB": child.peak / 1e6, "MB": size / 1e6}
        return float(seconds)

    seconds = medians({name: partial(write, name) for name in WRITERS}, repeats)
    return [
        {
            "order": order,
            "writer": name,
            "seconds": seconds[name],
            "relative to lightsanim": seconds[name] / seconds["lightsanim"],
            **results[name],
        }
        for name in WRITERS
    ]


def write_in_child(name: str, order: str, clicks: int) -> Row:
    """Write one file, and return the seconds and the size in bytes."""
    animation = one_click_per_frame(order, clicks)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "out.gif"
        seconds = seconds_of(lambda: WRITERS[name](animation, path))
        return {"seconds": seconds, "bytes": path.stat().st_size}


def one_click_per_frame(order: str, clicks: int) -> Animation:
    """Return an animation that clicks random cells of a random configuration one by one."""
    rng, board = np.random.default_rng(0), Board(SIDE, SIDE)
    first = rng.random(board.shape) < 0.5
    chosen = np.zeros(board.shape, bool)
    chosen.flat[rng.choice(board.cells, CLICKS, replace=False)] = True
    cells = order_clicks(chosen, order, rng)[:clicks]
    return Animation(
        board=board,
        first=first,
        history=Clicks(cells),
        clicks_done=np.arange(len(cells) + 1),
        fps=1000 / DELAY,
    )


def write_ours(animation: Animation, path: Path) -> None:
    """Write a GIF with `lightsanim.output.formats.gif`."""
    from lightsanim.output.formats.gif import write_gif

    write_gif(animation, path, THEME, lambda: None)


def write_with_pillow(animation: Animation, path: Path, **options: bool) -> None:
    """Write a GIF with Pillow's ``save_all``, from full frames in palette mode made on demand."""
    images = map(_image, _painted(animation))
    common = {"save_all": True, "loop": 0, "disposal": 1, "duration": DELAY}
    next(images).save(path, append_images=images, **common, **options)


def write_with_imageio(animation: Animation, path: Path) -> None:
    """Write a GIF with imageio's streaming writer.

    Frames are full, because its option for changed rectangles ("subrectangles") fails with numpy 2.
    """
    import imageio.v2

    options = {"mode": "I", "duration": DELAY, "loop": 0}
    with imageio.v2.get_writer(path, format="GIF-PIL", **options) as writer:
        for pixels in _painted(animation):
            writer.append_data(PALETTE[pixels])


def _painted(animation: Animation) -> Iterator[np.ndarray]:
    # Yield each frame as a new array of palette indices; paint only the cells that a click flips.
    board, configuration = animation.board, animation.first.copy()
    pixels = np.repeat(np.repeat(configuration, THEME.cell, 0), THEME.cell, 1).astype(np.uint8)
    tiles = pixels.reshape(board.rows, THEME.cell, board.columns, THEME.cell)
    yield pixels.copy()
    for click in animation.clicks:
        rows, columns = np.divmod(board.flip(configuration, np.array([click])), board.columns)
        tiles[rows, :, columns, :] = configuration[rows, columns, None, None]
        yield pixels.copy()


def _image(pixels: np.ndarray) -> Image.Image:
    image = Image.fromarray(pixels)
    image.putpalette(PALETTE.tobytes())
    return image


WRITERS: dict[str, Writer] = {
    "lightsanim": write_ours,
    "Pillow": write_with_pillow,
    "Pillow, optimize=True": partial(write_with_pillow, optimize=True),
    "Pillow, optimize=False": partial(write_with_pillow, optimize=False),
    "imageio, scaled up": write_with_imageio,
}


def bars(rows: list[Row]) -> list[Bar]:
    """Return the limits relative to the fastest and the smallest result of ``save_all``."""
    ours = [row for row in rows if row["writer"] == "lightsanim"]
    pillow = [row for row in rows if row["writer"].startswith("Pillow")]
    faster = min(row["relative to lightsanim"] for row in pillow)
    peak = max(row["peak, MB"] for row in ours)
    larger = max(
        row["MB"] / min(other["MB"] for other in pillow if other["order"] == row["order"])
        for row in ours
    )
    return [
        Bar(
            what="gif: seconds of save_all's fastest options relative to lightsanim",
            limit="at least 5 times",
            measured=f"{rounded(faster)} times",
            met=faster >= 5,
        ),
        Bar.below("gif: peak memory", peak, 150, "MB"),
        Bar(
            what="gif: size of the file relative to save_all's smallest",
            limit="no larger",
            measured=f"{larger:.2f} times",
            met=larger <= 1,
        ),
    ]
