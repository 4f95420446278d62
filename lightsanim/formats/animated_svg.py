"""Films as animated SVG: they play where a picture stands, as in a README, and scale without limit.

Each frame paints over the last what looks different: for each colour a path, which becomes visible
at its time by an animation in CSS of its own.  Whoever asks for reduced motion sees the last frame.
When the cells were painted a few times over, a frame paints all of them and hides what lies below:
however long the film, there is little to paint.  Paths fill whole squares with crisp edges, so that
nothing shines through; a mask cuts gaps and round corners.

A path of pluses a frame, laid over the last by ``mix-blend-mode: difference``, is smaller, but for
two levels only, and slow: at 100 x 100, 188 kB in place of 242 kB, but 38 frames a second in place
of 60, in Chromium without a GPU.

The reader takes a file only if it is, byte by byte, what is written of the frames found in it, each
of which comes after the one before and hides it.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from html import escape, unescape
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightsanim.animation.animation import Animation
from lightsanim.animation.painting import OnFrame, redrawn_cells, tiles_of
from lightsanim.animation.timing import ticks
from lightsanim.errors import AnimationError, OptionError
from lightsanim.formats.frames import (
    FrameFile,
    PixelRaster,
    ReadFrame,
    check_frame_size,
    colour_codes,
    opened,
)
from lightsanim.formats.metadata import Metadata, metadata_of, read_metadata, swapped
from lightsanim.formats.registry import FORMATS
from lightsanim.look.paint import cell_view, extent_of, paint
from lightsanim.look.theme import Geometry, Theme
from lightsanim.look.tiles import MARK, RADII, SMALLEST_SHAPED, Tiles, tiles_for
from lightsanim.options.colours import Colour

Cells = NDArray[np.integer[Any]]
"""Cells of the grid, ``row * columns + column``."""

Numbers = NDArray[np.integer[Any]]
"""Of their tiles: shades, and the same once more for cells with a mark."""

# Of all frames together: what a page can be asked to load; and of a file with all that it says.
MAX_BYTES = 5_000_000
MAX_FILE = 2 * MAX_BYTES

# How often the cells are painted over before all of them are painted anew.
COATS = 3

HEAD = """\
<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {width} {height}">
<metadata>{metadata}</metadata>
<style>
[style]{{animation:{total}ms step-start {loop}}}
@media (prefers-reduced-motion:reduce){{[style]{{animation:none!important}}}}
.m{{stroke:{mark};stroke-width:{dot:.4g};stroke-linecap:{cap};shape-rendering:auto}}
{rules}
</style>
<pattern id="cell" patternUnits="userSpaceOnUse" {tile}><rect {shape} fill="#fff"/></pattern>
<mask id="cells" maskUnits="userSpaceOnUse" x="0" y="0" {size}>
<rect {size} fill="url(#cell)"/></mask>
<rect {size} fill="{background}"/>
<g{mask}><g transform="translate({left:g} {top:g}) scale({pitch})" shape-rendering="crispEdges">
"""
END = "</g></g></g></svg>\n"
SUM = "<!-- sha256 {} -->\n"  # of all that stands before it

HIDDEN, VISIBLE = "{visibility:hidden}", "{visibility:visible}"

# What the reader looks for.
PLAYED = re.compile(r"animation:(\d{1,12})ms step-start (\d{1,5}|infinite)")
START = re.compile(r"@keyframes f\d+\{(\d{1,3}\.?\d{0,12})%")
SCENE = re.compile(r'<g style="animation-name:e(\d{1,9})">')
PATH = re.compile(r'<path class="(m|s(\d{1,3}))" d="([^"]*)"/>')
RUN = re.compile(r"m(-?\d{1,6}) ?(-?\d{1,6})h(\d{1,6})v1h-\d+")

OTHER = "it is not, byte by byte, what this version writes: browsers may show something else"


def write_svg(animation: Animation, path: Path, theme: Theme, on_frame: OnFrame) -> None:
    """Write an SVG that plays the animation."""
    metadata, delays = metadata_of(animation, theme), ticks(animation.durations(), 1000)
    tiles, lines, starts, size = tiles_of(animation, theme), list[str](), list[int](), 0
    painter = _Painter(metadata.geometry, tiles.shades)
    frames = _frames(animation, metadata.geometry, tiles)
    for number, (start, cells) in enumerate(zip(np.cumsum(delays) - delays, frames, strict=True)):
        if line := painter.line(*cells):
            lines.append(line)
            starts.append(int(start))
            size += len(line)
        if size > MAX_BYTES:
            megabytes = size / 1e6 * len(delays) / (number + 1)
            what = f"an SVG film of these {len(delays)} frames would take about {megabytes:.1f} MB"
            most = f"at most {MAX_BYTES / 1e6:g} play well"
            raise OptionError(f"{what}, and {most}; take fewer frames, or an MP4 or WebM")
        on_frame()
    head = _head(metadata, starts, int(delays.sum()), animation.loop, painter.scenes)
    content = "".join([head, *lines, END])
    path.write_bytes((content + _sum_of(content)).encode())


def renew_animated_svg(path: Path, target: Path, old: Metadata, new: Metadata) -> None:
    """Write an SVG film again with other words, its frames as they are."""
    texts = [escape(metadata.text, quote=False).encode() for metadata in (old, new)]
    content = swapped(path.read_bytes(), *texts).decode()
    content = content[: content.rfind(SUM[:12])]
    target.write_bytes((content + _sum_of(content)).encode())


def _sum_of(content: str) -> str:
    return SUM.format(hashlib.sha256(content.encode()).hexdigest())


def _frames(
    animation: Animation, geometry: Geometry, tiles: Tiles
) -> Iterator[tuple[Cells, Numbers]]:
    # The cells that each frame draws, the first one over unlit boards.
    shades, across = animation.shades_at(0), geometry.grid[1]
    rows, columns = np.nonzero(shades)
    yield rows * across + columns, shades[rows, columns]
    for rows, columns, numbers in redrawn_cells(animation, geometry, tiles):
        yield rows * across + columns, numbers


class _Painter:
    """What was painted so far, and the lines of the file that did that: one for each frame."""

    def __init__(self, geometry: Geometry, shades: int) -> None:
        self.changed: Cells = np.zeros(0, np.int32)  # what the last line painted in another tile
        self.scenes: list[int] = []  # the lines that painted all cells
        self.grid = np.zeros(geometry.grid, np.int32)  # the number of each cell's tile
        corners = [(0, 0), *filter(None, [geometry.panel])]
        self._boards = [(left, top, geometry.columns, geometry.rows) for top, left in corners]
        self._shades, self._lines, self._left = shades, 0, 0

    def line(self, cells: Cells, numbers: Numbers) -> str:
        """The line that draws some cells, the last tile of each; none if that changes nothing."""
        drawn = np.sort(cells)  # each once: sorting millions is faster than `np.unique`
        drawn = drawn[np.diff(drawn, prepend=drawn[:1] - 1) > 0]
        before = self.grid.flat[drawn]
        self.grid.flat[cells] = numbers
        self.changed = drawn[self.grid.flat[drawn] != before]
        number = self._lines
        if number and not len(self.changed):
            return ""
        self._lines, self._left = number + 1, self._left - len(self.changed)
        scene = not number or self._left < 0
        if scene:
            self.scenes.append(number)
            self._left = COATS * self.grid.size
        name = f' style="animation-name:f{number}"' if number else ""
        paths = "".join(self._all() if scene else self._paths(self.changed))
        begin = f'<g style="animation-name:e{number}">' if scene else ""
        return f"{'</g>' if scene and number else ''}{begin}<g{name}>{paths}</g>\n"

    def _all(self) -> Iterator[str]:
        # The boards in the lowest shade, and over it all cells of others.
        yield f'<path class="s0" d="{_data(self._boards)}"/>'
        yield from self._paths(_lit(self.grid))

    def _paths(self, cells: Cells) -> Iterator[str]:
        # Those of a tile together; tiles of clicked cells are shades with a mark.
        numbers = self.grid.flat[cells]
        for tile in np.unique(numbers).tolist():
            same = cells[numbers == tile]
            yield f'<path class="s{tile % self._shades}" d="{_data(self._runs(same))}"/>'
            if tile >= self._shades:
                places = zip(*np.divmod(same, self.grid.shape[1]), strict=True)
                yield f'<path class="m" d="{"".join(f"M{x}.5 {y}.5h0" for y, x in places)}"/>'

    def _runs(self, cells: Cells) -> list[tuple[int, ...]]:
        across = self.grid.shape[1]
        ends = np.flatnonzero((np.diff(cells) != 1) | (cells[1:] % across == 0)) + 1
        starts = np.concatenate([[0], ends])
        rows, columns = np.divmod(cells[starts], across)
        lengths = np.diff(starts, append=len(cells))
        return [(*run, 1) for run in np.column_stack([columns, rows, lengths]).tolist()]


def _lit(grid: Numbers) -> Cells:
    # The cells whose tile is not the first, in half the memory.
    return np.flatnonzero(grid > 0).astype(np.int32)


def _data(boxes: Iterable[tuple[int, ...]]) -> str:
    # Each is left, top, width and height, told from the corner below the start of the one before.
    parts, x, y = list[str](), 0, 0
    for left, top, width, height in boxes:
        parts.append(f"m{left - x} {top - y}h{width}v{height}h-{width}")
        x, y = left, top + height
    return "".join(parts).replace(" -", "-")


def _head(
    metadata: Metadata, starts: Sequence[int], total: int, loop: int, scenes: Sequence[int]
) -> str:
    # All before the frames, of which those that change nothing are none.
    look, geometry = metadata.look, metadata.geometry
    (top, left), cell, gap, pitch = geometry.corner, geometry.cell, geometry.gap, geometry.pitch
    shades = look.shades_with_alpha(metadata.boards, metadata.board.levels).tolist()
    digits = len(str(total)) - 1  # enough to tell milliseconds
    shares = [f"{100 * start / total:.{digits}f}%" for start in starts]
    # A frame is hidden at once, until its time; a scene visible until the next one's.
    rules = [
        *(f".s{number}{{fill:{Colour(*shade)}}}" for number, shade in enumerate(shades)),
        *(f"@keyframes f{n}{{{shares[n]}{HIDDEN}}}" for n in range(1, len(starts))),
        *(f"@keyframes e{n}{{{shares[end]}{VISIBLE}to{HIDDEN}}}" for n, end in pairwise(scenes)),
    ]
    radius = RADII[look.shape] * cell
    # A mark hides a small cell, as in other formats: a dot would show what is below it.
    fills = cell < SMALLEST_SHAPED
    return HEAD.format(
        size=f'width="{geometry.width}" height="{geometry.height}"',
        width=geometry.width,
        height=geometry.height,
        metadata=escape(metadata.text, quote=False),
        total=total,
        loop=loop or "infinite",
        mark=look.mark or "none",
        dot=1 if fills else 2 * MARK * cell / pitch,
        cap="square" if fills else "round",
        rules="\n".join(rules),
        tile=f'x="{left}" y="{top}" width="{pitch}" height="{pitch}"',
        shape=f'width="{cell}" height="{cell}" rx="{radius:g}"',
        background=look.colour_of("background"),
        mask=' mask="url(#cells)"' if gap or radius else "",
        left=left - gap / 2,
        top=top - gap / 2,
        pitch=pitch,
    )


@contextmanager
def open_svg(path: Path) -> Iterator[FrameFile]:
    """Read the frames of an SVG film back, without a parser of XML."""
    with opened(path) as file:
        content = file.read(MAX_FILE + 1)
    if len(content) > MAX_FILE:
        raise AnimationError(f"it has more than the {MAX_FILE:,} bytes that an SVG film may have")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        text = ""
    signed = text[: text.rfind(SUM[:12])]
    _, _, after = signed.partition("<metadata>")
    said, _, after = after.partition("</metadata>")
    metadata, played = read_metadata(unescape(said)), PLAYED.search(after)
    if not (metadata and played):
        raise AnimationError("it is no SVG film of lightsanim, and no others are read")
    if text != signed + _sum_of(signed):
        raise AnimationError("it is damaged: it does not have the sha256 that it names")
    size = metadata.geometry.height, metadata.geometry.width
    check_frame_size(*size)
    loop = 0 if played[2] == "infinite" else int(played[2])
    frames = _read(signed, len(signed) - len(after), metadata, int(played[1]), loop)
    yield FrameFile(texts=[metadata.text], lossy=False, size=size, frames=frames)


def _read(text: str, place: int, metadata: Metadata, total: int, loop: int) -> Iterator[ReadFrame]:
    # Each frame as soon as the text up to its end is proven to be what is written of it.
    geometry, levels = metadata.geometry, metadata.board.levels
    tiles = tiles_for(metadata.look, metadata.boards, geometry.cell, levels)
    codes = colour_codes(tiles.colours, tiles.alphas)
    shares, scenes = START.findall(text, place), list(map(int, SCENE.findall(text, place)))
    starts = [0, *(round(float(share) * total / 100) for share in shares)]
    times = np.diff(starts, append=total)  # in milliseconds, none too short to be written
    known = times.min() >= 1000 / FORMATS[".svg"].max_fps and max(scenes, default=0) < len(starts)
    head = _head(metadata, starts, total, loop, scenes) if known else OTHER
    if not text.startswith(head):
        raise AnimationError(OTHER)
    painter, end = _Painter(geometry, tiles.shades), len(head)
    pixels = codes[paint(np.zeros(metadata.board.shape, np.uint8), geometry, tiles)]
    view = cell_view(pixels, geometry)
    for number, seconds in enumerate(times / 1000):
        start, end = end, text.find("\n", end) + 1
        cells = _cells(text[start:end], painter.grid, tiles)
        if cells is None or painter.line(*cells) != text[start:end]:
            raise AnimationError(OTHER)
        rows, columns = np.divmod(painter.changed, geometry.grid[1])
        box = extent_of(rows, columns, geometry) if number else (slice(None), slice(None))
        before = pixels[box].copy() if number else None
        view[rows, columns] = codes[tiles.pixels[painter.grid[rows, columns]]]
        raster = PixelRaster(pixels, box, before)
        yield ReadFrame(number=number, raster=raster, seconds=float(seconds))
    if text[end:] != END:
        raise AnimationError(OTHER)


def _cells(line: str, grid: Numbers, tiles: Tiles) -> tuple[Cells, Numbers] | None:
    # The cells that a line draws; None if it draws some that are not there, or more than it tells.
    (down, across), room, none = grid.shape, grid.size, np.zeros(0, np.int32)
    # A scene begins with the boards in the lowest shade, where others were.
    scene = int(SCENE.search(line) is not None)
    cells, numbers = [_lit(grid) if scene else none], [0]
    for kind, shade, data in PATH.findall(line)[scene:]:
        if kind == "m":  # on the cells of the path before
            if data.count("M") != len(cells[-1]):
                return None
            numbers[-1] += tiles.shades * tiles.marks
            continue
        x, y, drawn = 0, 0, [none]
        for left, top, width in (map(int, run) for run in RUN.findall(data)):
            x, y, room = x + left, y + top, room - width
            if not (0 <= x <= across - width and 0 <= y < down and room >= 0):
                return None
            drawn.append(np.arange(x, x + width, dtype=np.int32) + np.int32(y * across))
            y += 1
        cells.append(np.concatenate(drawn))
        numbers.append(int(shade))
    return np.concatenate(cells), np.repeat(np.array(numbers, np.int32), list(map(len, cells)))
