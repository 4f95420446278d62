"""Films as animated SVG: they play where a picture stands, as in a README, and scale without limit.

Each frame paints over the last what looks different: a path for the cells of each colour.  It
becomes visible at its time, by an animation of its own in CSS: no script, no blending, and nothing
that would depend on how many colours there are.  Whoever asks for reduced motion sees the last
frame.  When what was painted covers the board several times, a frame paints all of it, and what
lies below is hidden: however long the film, a browser has little to paint.  Paths fill whole
squares with crisp edges, so that nothing of what lies below shines through; a mask cuts the cells
out of them, with their gaps and round corners.

Where each frame is one path of pluses instead, laid over the last by ``mix-blend-mode: difference``
(bytes, and those of gzip; 100 x 100 was played in software on two busy cores):

                        painted over             pluses                 changed cells, difference
    60 x 60, wipe       104 kB, 13.9 kB, -       77 kB, 7.5 kB, -       78 kB, 9.5 kB
    100 x 100, wipe     242 kB, 32.6 kB, 51 fps  188 kB, 17.3 kB, 40    187 kB, 22.9 kB
    120 x 120, dissolve 131 kB, 20.7 kB, -       1,080,356 clicks       125 kB, 20.0 kB

That holds for two levels alone, and asks browsers for more.  Runs as strokes are shorter than as
outlines (30 kB for 33), and play at 33 frames a second.

The metadata stand in ``<metadata>``.  The reader takes a file only if it is, byte by byte, the one
that is written of the frames found in it: nothing else can be shown.
"""

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
from lightsanim.animation.timing import ticks
from lightsanim.errors import AnimationError, OptionError
from lightsanim.formats.frames import FrameFile, ReadFrame, check_frame_size, opened
from lightsanim.formats.metadata import Metadata, metadata_of, read_metadata
from lightsanim.formats.raster import PixelRaster, colour_codes
from lightsanim.look.paint import OnFrame, cell_view, extent_of, redrawn_cells, tiles_of
from lightsanim.look.theme import Geometry, Theme
from lightsanim.look.tiles import MARK, RADII, Tiles, tiles_for
from lightsanim.options.colours import Colour
from lightsanim.web.pages import sayable

Cells = NDArray[np.int64]
"""Cells of the grid: ``row * columns + column``."""

Numbers = NDArray[np.integer[Any]]
"""Of their tiles: the shades, and the same once more for cells with a mark."""

Box = tuple[int, int, int, int]
"""The left and the top cell, and how many cells across and down."""

MILLISECONDS = 1000

# Of all frames together: what a page can be asked to load.
MAX_BYTES = 5_000_000

# How often the cells are painted over before all of them are painted anew.
COATS = 3

# No tile: what lies between a board and the panel of its clicks.
NOTHING = -1

HEAD = """\
<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" \
viewBox="0 0 {width} {height}">
<title>{title}</title>
<metadata>{metadata}</metadata>
<style>
[style]{{animation:{total}ms step-start {loop}}}
@media (prefers-reduced-motion:reduce){{[style]{{animation:none!important}}}}
.m{{shape-rendering:auto;stroke-linecap:round}}
{rules}
</style>{mask}
<rect width="{width}" height="{height}" fill="{background}"/>
<g{masked}><g transform="{edge}" shape-rendering="crispEdges">
"""
END = "</g></g></g></svg>\n"
MASK = """
<pattern id="cell" patternUnits="userSpaceOnUse" {tile}><rect {shape} fill="#fff"/></pattern>
<mask id="cells" maskUnits="userSpaceOnUse" {all}><rect {all} fill="url(#cell)"/></mask>"""
MASKED = ' mask="url(#cells)"'

# What the reader looks for.  A path's next box is told from the corner below the last one's start.
METADATA = re.compile("<metadata>(.*)</metadata>")
PLAYED = re.compile(r"animation:(\d{1,12})ms step-start (\d{1,5}|infinite)")
START = re.compile(r"@keyframes f\d+\{([\d.]{1,20})%")
SCENE = re.compile(r'<g style="animation-name:e(\d{1,9})">')
PATH = re.compile(r'<path class="(m|s(\d{1,3}))" d="([^"]*)"/>')
BOX = re.compile(r"m(-?\d{1,6}) ?(-?\d{1,6})h(\d{1,6})v(\d{1,6})h-\d+")

NOT_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write_svg(animation: Animation, path: Path, theme: Theme, on_frame: OnFrame) -> None:
    """Write an SVG that plays the animation."""
    metadata, delays = metadata_of(animation, theme), ticks(animation.durations(), MILLISECONDS)
    tiles, lines, starts, size = tiles_of(animation, theme), list[str](), list[int](), 0
    painter = _Painter(metadata.geometry, tiles.shades)
    frames = _frames(animation, metadata.geometry, tiles)
    for number, (start, cells) in enumerate(zip(np.cumsum(delays) - delays, frames, strict=True)):
        if line := painter.line(*cells):
            lines.append(line)
            starts.append(int(start))
            size += len(line)
        if size > MAX_BYTES:
            raise too_large(len(animation), size / (number + 1))
        on_frame()
    head = _head(metadata, starts, int(delays.sum()), animation.loop, painter.scenes)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines([head, *lines, END])


def too_large(frames: int, bytes: float) -> OptionError:
    """The refusal of a film in which a frame takes about so many bytes."""
    return OptionError(
        f"an SVG film of these {frames} frames would have about {frames * bytes / 1e6:.0f} MB, and "
        f"at most {MAX_BYTES / 1e6:.0f} MB play well; take fewer frames, or an MP4 or WebM"
    )


def _frames(
    animation: Animation, geometry: Geometry, tiles: Tiles
) -> Iterator[tuple[Cells, Numbers]]:
    # The cells that each frame draws, the first one all of them.
    changes = animation.changes()
    shades, _ = next(changes)
    grid = np.full(geometry.grid, NOTHING)
    for place in _places(geometry):
        grid[place] = 0
    grid[: geometry.rows, : geometry.columns] = shades
    yield (cells := np.flatnonzero(grid != NOTHING)), grid.flat[cells]
    for rows, columns, numbers in redrawn_cells(animation, geometry, tiles, changes):
        yield rows * geometry.grid[1] + columns, numbers


def _places(geometry: Geometry) -> Iterator[tuple[slice, slice]]:
    # Where on the grid the board lies, and the panel of its clicks if there is one.
    for row, column in [(0, 0), *filter(None, [geometry.panel])]:
        yield slice(row, row + geometry.rows), slice(column, column + geometry.columns)


class _Painter:
    """What was painted so far, and the lines of the file that did that: one for each frame."""

    def __init__(self, geometry: Geometry, shades: int) -> None:
        self.changed: Cells = np.zeros(0, np.int64)  # what the last line painted in another tile
        self.scenes: list[int] = []  # the lines that painted all cells
        self.grid = np.full(geometry.grid, NOTHING)  # the number of each cell's tile
        self._shades, self._lines, self._left = shades, 0, 0
        self._boards = [_box(place) for place in _places(geometry)]
        self._most = COATS * len(self._boards) * geometry.rows * geometry.columns

    def line(self, cells: Cells, numbers: Numbers) -> str:
        """The line that draws some cells, of which one may come twice; none if it changes nothing."""
        drawn = np.unique(cells)
        before = self.grid.flat[drawn]
        self.grid.flat[cells] = numbers
        self.changed = drawn[self.grid.flat[drawn] != before]
        if not len(self.changed):
            return ""
        number, self._lines = self._lines, self._lines + 1
        self._left -= len(self.changed)
        scene = self._left < 0
        if scene:
            self.scenes.append(number)
            self._left = self._most
        name = f' style="animation-name:f{number}"' if number else ""
        paths = "".join(self._all() if scene else self._paths(self.changed))
        begin = f'<g style="animation-name:e{number}">' if scene else ""
        return f"{'</g>' if scene and number else ''}{begin}<g{name}>{paths}</g>\n"

    def _all(self) -> Iterator[str]:
        # The boards in the lowest shade, and over it all cells of others.
        yield f'<path class="s0" d="{_data(self._boards)}"/>'
        yield from self._paths(np.flatnonzero(self.grid > 0))

    def _paths(self, cells: Cells) -> Iterator[str]:
        # Those of a tile together; tiles of clicked cells are shades with a mark.
        numbers = self.grid.flat[cells]
        for tile in np.unique(numbers).tolist():
            same = cells[numbers == tile]
            yield f'<path class="s{tile % self._shades}" d="{_data(self._runs(same))}"/>'
            if tile >= self._shades:
                places = zip(*np.divmod(same, self.grid.shape[1]), strict=True)
                yield f'<path class="m" d="{"".join(f"M{x}.5 {y}.5h0" for y, x in places)}"/>'

    def _runs(self, cells: Cells) -> list[Box]:
        across = self.grid.shape[1]
        ends = np.flatnonzero((np.diff(cells) != 1) | (cells[1:] % across == 0)) + 1
        starts = np.concatenate([[0], ends])
        rows, columns = np.divmod(cells[starts], across)
        lengths = np.diff(starts, append=len(cells))
        return [(*box, 1) for box in zip(*map(np.ndarray.tolist, (columns, rows, lengths)))]


def _box(place: tuple[slice, slice]) -> Box:
    down, right = place
    return right.start, down.start, right.stop - right.start, down.stop - down.start


def _data(boxes: Iterable[Box]) -> str:
    """Boxes as a path's data.

    >>> _data([(3, 0, 2, 1), (1, 1, 4, 1)])
    'm3 0h2v1h-2m-2 0h4v1h-4'
    """
    parts, x, y = list[str](), 0, 0
    for left, top, width, height in boxes:
        parts.append(f"m{left - x} {top - y}h{width}v{height}h-{width}")
        x, y = left, top + height
    return "".join(parts).replace(" -", "-")


def _head(
    metadata: Metadata, starts: Sequence[int], total: int, loop: int, scenes: Sequence[int]
) -> str:
    # All but the frames: those that change nothing are none.
    look, geometry, levels = metadata.look, metadata.geometry, metadata.board.levels
    shades = look.shades_with_alpha(metadata.boards, levels).tolist()
    rules = [f".s{number}{{fill:{Colour(*shade)}}}" for number, shade in enumerate(shades)]
    if look.mark is not None:
        dot = 2 * MARK * geometry.cell / geometry.pitch
        rules.append(f".m{{stroke:{look.mark};stroke-width:{dot:.4g}}}")
    digits = len(str(total)) - 1  # enough to tell milliseconds

    def share(line: int) -> str:
        return f"{100 * starts[line] / total:.{digits}f}"

    # Each is hidden at once, until its time; a scene visible until the next one's.
    rules += [f"@keyframes f{n}{{{share(n)}%{{visibility:hidden}}}}" for n in range(1, len(starts))]
    rules += [
        f"@keyframes e{scene}{{{share(end)}%{{visibility:visible}}to{{visibility:hidden}}}}"
        for scene, end in pairwise(scenes)
    ]
    return HEAD.format(
        width=geometry.width,
        height=geometry.height,
        title=escape(_title(metadata), quote=False),
        metadata=escape(metadata.text, quote=False),
        total=total,
        loop=loop or "infinite",
        rules="\n".join(rules),
        background=look.colour_of("background"),
        **_cut(geometry, RADII[look.shape]),
    )


def _title(metadata: Metadata) -> str:
    title = metadata.words({"title": "title"}).get("title")
    return NOT_XML.sub("\ufffd", sayable(title or " → ".join(metadata.pictures) or "Lights Out"))


def _cut(geometry: Geometry, radius: float) -> dict[str, str]:
    # Where squares lie, half of the gaps around them, and the mask that leaves cells of them.
    (top, left), cell, pitch = geometry.corner, geometry.cell, geometry.pitch
    edge = f"translate({left - geometry.gap / 2:g} {top - geometry.gap / 2:g}) scale({pitch})"
    if not geometry.gap and not radius:
        return {"mask": "", "masked": "", "edge": edge}
    mask = MASK.format(
        tile=f'x="{left}" y="{top}" width="{pitch}" height="{pitch}"',
        shape=f'width="{cell}" height="{cell}" rx="{radius * cell:g}"',
        all=f'width="{geometry.width}" height="{geometry.height}"',
    )
    return {"mask": mask, "masked": MASKED, "edge": edge}


@contextmanager
def open_svg(path: Path) -> Iterator[FrameFile]:
    """Read the frames of an SVG film back, without a parser of XML."""
    with opened(path) as file:
        content = file.read(2 * MAX_BYTES + 1)
    try:
        text = content[: 2 * MAX_BYTES].decode("utf-8")
    except UnicodeDecodeError:
        text = ""
    found = METADATA.search(text)
    metadata = found and read_metadata(unescape(found[1]))
    played = found and PLAYED.search(text, found.end())
    if not (found and metadata and played):
        raise AnimationError("it is no SVG film of lightsanim, and no others are read")
    size = metadata.geometry.height, metadata.geometry.width
    check_frame_size(*size)
    loop = 0 if played[2] == "infinite" else int(played[2])
    frames = _read(text, found.end(), metadata, int(played[1]), loop)
    yield FrameFile(texts=[metadata.text], lossy=False, size=size, frames=frames)


def _read(
    text: str, place: int, metadata: Metadata, total: int, loop: int
) -> Iterator[ReadFrame]:
    # Each frame as soon as the text up to its end is proven to be what is written of it.
    geometry, levels = metadata.geometry, metadata.board.levels
    tiles = tiles_for(metadata.look, metadata.boards, geometry.cell, levels)
    tiles = tiles.mapped_to(colour_codes(tiles.colours, tiles.alphas))
    changed = AnimationError(
        f"it is not, byte by byte, what lightsanim {metadata.program} writes of its frames: "
        "browsers may show something else"
    )
    shares, scenes = START.findall(text, place), list(map(int, SCENE.findall(text, place)))
    starts = [0, *(round(float(share) * total / 100) for share in shares)]
    if max(scenes, default=0) >= len(starts) or not total:
        raise changed
    head = _head(metadata, starts, total, loop, scenes)
    if not text.startswith(head):
        raise changed
    painter, end = _Painter(geometry, tiles.shades), len(head)
    pixels = np.full((geometry.height, geometry.width), tiles.background)
    view = cell_view(pixels, geometry)
    for number, seconds in enumerate(np.diff(starts, append=total) / MILLISECONDS):
        start, end = end, text.find("\n", end) + 1
        cells = _cells(text[start:end], painter.grid, tiles.shades)
        if cells is None or painter.line(*cells) != text[start:end]:
            raise changed
        rows, columns = np.divmod(painter.changed, geometry.grid[1])
        box = extent_of(rows, columns, geometry) if number else (slice(None), slice(None))
        before = pixels[box].copy() if number else None
        view[rows, columns] = tiles.pixels[painter.grid[rows, columns]]
        raster = PixelRaster(pixels, box, before)
        yield ReadFrame(number=number, raster=raster, seconds=float(seconds))
    if text[end:] != END:
        raise changed


def _cells(line: str, grid: Numbers, shades: int) -> tuple[Cells, Numbers] | None:
    # The cells that a line draws; None if it draws some that are not there, or far too many.
    (down, across), room = grid.shape, 3 * grid.size
    cells, tiles = [np.zeros(0, np.int64)], [0]
    for kind, shade, data in PATH.findall(line):
        if kind == "m":  # on the cells of the path before
            tiles[-1] += shades
            continue
        x, y, drawn = 0, 0, []
        for left, top, width, height in (map(int, box) for box in BOX.findall(data)):
            x, y, room = x + left, y + top, room - width * height
            if not (0 <= x <= across - width and 0 <= y <= down - height and room >= 0):
                return None
            drawn.append(np.add.outer(np.arange(y, y + height) * across, np.arange(x, x + width)))
            y += height
        cells.append(np.concatenate([cells[0], *map(np.ravel, drawn)]))
        tiles.append(int(shade))
    return np.concatenate(cells), np.repeat(tiles, list(map(len, cells)))
