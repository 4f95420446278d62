"""Animated SVG, which scales without loss and plays wherever images are shown, as in a README.

Each frame draws the cells that change on top of the earlier frames, with one path per colour.  A
CSS animation makes each frame visible when its time comes.  Viewers whose system is set to reduced
motion see only the last frame.  Now and then (see `REPAINTS`), a frame draws all cells, and the
frames before it are hidden: so browsers have little to paint even in a long film.  Paths fill whole
squares with crisp edges, so that no gaps show between them; a mask cuts gaps and round corners.

Alternatively, paths of the clicks' pluses could invert colours (``mix-blend-mode: difference``),
but only with two levels.  On 100 x 100 cells this takes 188 kB instead of 242 kB, but plays at 38
frames/s instead of 60 (Chromium without a GPU).

The reader accepts a file only if this version would write exactly the same bytes for its frames.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from html import escape, unescape
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightsanim.errors import AnimationError, OptionError
from lightsanim.film.animation import Animation
from lightsanim.film.timing import durations_to_ticks
from lightsanim.options.colours import Colour
from lightsanim.output.look.paint_board import paint_frame, pixel_extent_of_cells, view_cell_pixels
from lightsanim.output.look.paint_film import OnFrame, frame_layout, redrawn_cells
from lightsanim.output.look.theme import FrameGeometry, Theme
from lightsanim.output.look.tiles import (
    CORNER_RADII,
    MARK_RADIUS,
    MIN_SHAPED_CELL,
    Tiles,
    make_tiles,
)
from lightsanim.pictures.patches import colour_codes
from .frames import DecodedFrame, FrameFile, LosslessRaster, check_frame_size, open_binary
from .metadata import Metadata, build_metadata, mismatch_error, parse_metadata, replace_metadata

Cells = NDArray[np.integer[Any]]
"""Numbers of cells of the grid: ``row * columns + column``."""

TileNumbers = NDArray[np.integer[Any]]
"""Number of each cell's tile: its shade, plus the number of shades if the cell has a mark."""

MAX_FRAME_BYTES = 5_000_000  # Maximum bytes of all frames: larger SVG films play poorly.
MAX_SIZE = 2 * MAX_FRAME_BYTES  # Maximum bytes of a file to read, including its metadata.
REPAINTS = 3  # After this many changes per cell, on average, a frame draws all cells again.
MIN_MILLISECONDS = 10  # Minimum duration of a frame: the registry allows 100 a second.
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
CHECKSUM = "<!-- sha256 {} -->\n"  # SHA-256 of all text before this comment.
HIDDEN, VISIBLE = "{visibility:hidden}", "{visibility:visible}"
TIMING_RE = re.compile(r"animation:(\d{1,12})ms step-start (\d{1,5}|infinite)")
START_RE = re.compile(r"@keyframes f\d+\{(\d{1,3}\.?\d{0,12})%")
SCENE_RE = re.compile(r'<g style="animation-name:e(\d{1,9})">')
PATH_RE = re.compile(r'<path class="(m|s(\d{1,3}))" d="([^"]*)"/>')
RUN_RE = re.compile(r"m(-?\d{1,6}) ?(-?\d{1,6})h(\d{1,6})v1h-\d+")


def write_svg(animation: Animation, path: Path, theme: Theme, on_frame: OnFrame) -> None:
    """Write an SVG that plays the animation."""
    metadata = build_metadata(animation, theme)
    delays = durations_to_ticks(animation.durations(), 1000)
    geometry, tiles = frame_layout(animation, theme)
    lines, starts, size = list[str](), list[int](), 0
    painter = _FramePainter(geometry, tiles.shades)
    frames = _cells_drawn_by_frame(animation, geometry, tiles)
    for number, (start, cells) in enumerate(zip(np.cumsum(delays) - delays, frames, strict=True)):
        if line := painter.format_frame_line(*cells):
            lines.append(line)
            starts.append(int(start))
            size += len(line)
        if size > MAX_FRAME_BYTES:
            megabytes = size / 1e6 * len(delays) / (number + 1)
            raise OptionError(
                f"an SVG film of these {len(delays)} frames would take about {megabytes:.1f} MB, "
                f"and files above {MAX_FRAME_BYTES / 1e6:g} MB play poorly; use fewer frames, or "
                "write an MP4 or WebM"
            )
        on_frame()
    head = _build_svg_head(metadata, starts, int(delays.sum()), animation.loop, painter.scenes)
    content = "".join([head, *lines, END])
    path.write_bytes(_append_checksum(content))


def _encode_metadata(metadata: Metadata) -> bytes:
    return escape(metadata.json_text, quote=False).encode()


def _append_checksum(content: str) -> bytes:
    digest = hashlib.sha256(content.encode()).hexdigest()
    return (content + CHECKSUM.format(digest)).encode()


def _renew_checksum(svg: bytes) -> bytes:
    return _append_checksum(svg[: svg.rfind(CHECKSUM[:12].encode())].decode())


rewrite_svg = partial(replace_metadata, _encode_metadata, finish=_renew_checksum)


def _cells_drawn_by_frame(
    animation: Animation, geometry: FrameGeometry, tiles: Tiles
) -> Iterator[tuple[Cells, TileNumbers]]:
    # Yield the cells to draw in each frame, and their tiles; in frame 0, only the lit cells.
    shades, width = animation.shades_at(0), geometry.shape_with_panel[1]
    rows, columns = np.nonzero(shades)
    yield rows * width + columns, shades[rows, columns]
    for rows, columns, numbers in redrawn_cells(animation, geometry, tiles):
        yield rows * width + columns, numbers


class _FramePainter:
    """Formatter of frames as lines of SVG; it keeps track of the tile that each cell shows."""

    def __init__(self, geometry: FrameGeometry, shade_count: int) -> None:
        self.changed: Cells = np.zeros(0, np.int32)  # Cells whose tile the latest line changed.
        self.scenes: list[int] = []  # Numbers of the lines that draw all cells.
        self.grid = np.zeros(geometry.shape_with_panel, np.int32)  # Tile number of each cell.
        corners = [(0, 0), *filter(None, [geometry.panel])]
        self._board_boxes = [(left, top, geometry.columns, geometry.rows) for top, left in corners]
        self._shade_count, self._line_count, self._budget = shade_count, 0, 0

    def format_frame_line(self, cells: Cells, numbers: TileNumbers) -> str:
        """Return the SVG line of a frame; "" if no cell changes.  ``cells`` may have duplicates."""
        unique = np.sort(cells)  # sorting is faster than `np.unique` for millions of cells
        unique = unique[np.diff(unique, prepend=unique[:1] - 1) > 0]
        old_tiles = self.grid.flat[unique]
        self.grid.flat[cells] = numbers
        self.changed = unique[self.grid.flat[unique] != old_tiles]
        number = self._line_count
        if number and not len(self.changed):
            return ""
        self._line_count, self._budget = number + 1, self._budget - len(self.changed)
        is_scene = not number or self._budget < 0
        paths, drawn_cells = "", self.changed
        if is_scene:  # Draw all cells in the lowest shade, then cells of other shades over them.
            self.scenes.append(number)
            self._budget = REPAINTS * self.grid.size
            paths = f'<path class="s0" d="{_path_data(self._board_boxes)}"/>'
            drawn_cells = _lit_cells(self.grid)
        paths += "".join(self._tile_paths(drawn_cells))
        style = f' style="animation-name:f{number}"' if number else ""
        group_start = f'<g style="animation-name:e{number}">' if is_scene else ""
        return f"{'</g>' if is_scene and number else ''}{group_start}<g{style}>{paths}</g>\n"

    def _tile_paths(self, cells: Cells) -> Iterator[str]:
        # For each tile, yield a path of its cells and, if the tile has a mark, a path of the marks.
        numbers = self.grid.flat[cells]
        for tile in np.unique(numbers).tolist():
            group = cells[numbers == tile]
            data = _path_data(self._cell_runs(group))
            yield f'<path class="s{tile % self._shade_count}" d="{data}"/>'
            if tile >= self._shade_count:
                positions = zip(*np.divmod(group, self.grid.shape[1]), strict=True)
                yield f'<path class="m" d="{"".join(f"M{x}.5 {y}.5h0" for y, x in positions)}"/>'

    def _cell_runs(self, cells: Cells) -> list[tuple[int, ...]]:
        width = self.grid.shape[1]
        breaks = np.flatnonzero((np.diff(cells) != 1) | (cells[1:] % width == 0)) + 1
        starts = np.concatenate([[0], breaks])
        rows, columns = np.divmod(cells[starts], width)
        lengths = np.diff(starts, append=len(cells))
        return [(*run, 1) for run in np.column_stack([columns, rows, lengths]).tolist()]


def _lit_cells(grid: TileNumbers) -> Cells:
    # Return the cells whose tile is not 0, as int32: this takes half the memory of int64.
    return np.flatnonzero(grid > 0).astype(np.int32)


def _path_data(boxes: Iterable[tuple[int, ...]]) -> str:
    # Format boxes (left, top, width, height) as a path; positions are relative to the last box.
    parts, x, y = list[str](), 0, 0
    for left, top, width, height in boxes:
        parts.append(f"m{left - x} {top - y}h{width}v{height}h-{width}")
        x, y = left, top + height
    return "".join(parts).replace(" -", "-")


def _build_svg_head(
    metadata: Metadata, starts: Sequence[int], total: int, loop: int, scenes: Sequence[int]
) -> str:
    # Build the text before the frames; ``starts`` are the milliseconds at which cells change.
    look, geometry = metadata.look, metadata.geometry
    top, left = geometry.top_left_corner
    cell, gap, pitch = geometry.cell, geometry.gap, geometry.cell_pitch
    shades = look.shades_with_alpha(metadata.planes, metadata.board.levels).tolist()
    digits = len(str(total)) - 1  # enough decimals to distinguish milliseconds
    shares = [f"{100 * start / total:.{digits}f}%" for start in starts]
    # A frame is hidden until its time comes.  A scene is a group of frames of which the first draws
    # all cells; the scene is hidden when the next one starts.
    rules = [
        *(f".s{number}{{fill:{Colour(*shade)}}}" for number, shade in enumerate(shades)),
        *(f"@keyframes f{n}{{{shares[n]}{HIDDEN}}}" for n in range(1, len(starts))),
        *(f"@keyframes e{n}{{{shares[end]}{VISIBLE}to{HIDDEN}}}" for n, end in pairwise(scenes)),
    ]
    radius = CORNER_RADII[look.shape] * cell
    # In small cells a mark fills the whole cell, as in other formats.
    mark_fills = cell < MIN_SHAPED_CELL
    return HEAD.format(
        size=f'width="{geometry.width}" height="{geometry.height}"',
        width=geometry.width,
        height=geometry.height,
        metadata=_encode_metadata(metadata).decode(),
        total=total,
        loop=loop or "infinite",
        mark=look.mark or "none",
        dot=1 if mark_fills else 2 * MARK_RADIUS * cell / pitch,
        cap="square" if mark_fills else "round",
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
    """Open an SVG film and yield its frames, without using an XML parser."""
    with open_binary(path) as file:
        content = file.read(MAX_SIZE + 1)
    if len(content) > MAX_SIZE:
        raise AnimationError(f"an SVG film must have at most {MAX_SIZE:,} bytes to be read")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        text = ""
    signed = text[: text.rfind(CHECKSUM[:12])]
    _, _, tail = signed.partition("<metadata>")
    description, _, tail = tail.partition("</metadata>")
    metadata, timing = parse_metadata(unescape(description)), TIMING_RE.search(tail)
    if not (metadata and timing):
        raise AnimationError("this is not an SVG film that lightsanim wrote")
    if content != _append_checksum(signed):
        raise AnimationError("the file is damaged: its sha256 does not match its content")
    size = metadata.geometry.height, metadata.geometry.width
    check_frame_size(*size)
    loop = 0 if timing[2] == "infinite" else int(timing[2])
    frames = _parse_frames(signed, len(signed) - len(tail), metadata, int(timing[1]), loop)
    yield FrameFile(comments=[metadata.json_text], lossy=False, size=size, frames=frames, loop=loop)


def _parse_frames(
    text: str, begin: int, metadata: Metadata, total: int, loop: int
) -> Iterator[DecodedFrame]:
    # Check that the text of each frame is exactly what the writer would write, and yield the frame.
    geometry, levels = metadata.geometry, metadata.board.levels
    tiles = make_tiles(metadata.look, metadata.planes, geometry.cell, levels)
    codes = colour_codes(tiles.colours, tiles.alphas)
    shares, scenes = START_RE.findall(text, begin), list(map(int, SCENE_RE.findall(text, begin)))
    starts = [0, *(round(float(share) * total / 100) for share in shares)]
    times = np.diff(starts, append=total)  # milliseconds
    valid = times.min() >= MIN_MILLISECONDS and max(scenes, default=0) < len(starts)
    mismatch = mismatch_error(metadata.program)
    head = _build_svg_head(metadata, starts, total, loop, scenes) if valid else None
    if head is None or not text.startswith(head):
        raise mismatch
    painter, end = _FramePainter(geometry, tiles.shades), len(head)
    pixels = codes[paint_frame(np.zeros(metadata.board.shape, np.uint8), geometry, tiles)]
    cell_pixels = view_cell_pixels(pixels, geometry)
    whole = slice(0, geometry.height), slice(0, geometry.width)
    for number, seconds in enumerate(times / 1000):
        start, end = end, text.find("\n", end) + 1
        cells = _parse_cells(text[start:end], painter.grid, tiles)
        if cells is None or painter.format_frame_line(*cells) != text[start:end]:
            raise mismatch
        rows, columns = np.divmod(painter.changed, geometry.shape_with_panel[1])
        box = pixel_extent_of_cells(rows, columns, geometry) if number else whole
        before = pixels[box].copy() if number else None
        cell_pixels[rows, columns] = codes[tiles.pixels[painter.grid[rows, columns]]]
        raster = LosslessRaster(pixels, [(box, before)])
        yield DecodedFrame(number=number, raster=raster, seconds=float(seconds))
    if text[end:] != END:
        raise mismatch


def _parse_cells(line: str, grid: TileNumbers, tiles: Tiles) -> tuple[Cells, TileNumbers] | None:
    # Return the cells that a line draws, and their tiles; None if the line is malformed.
    (rows, columns), cells_left, no_cells = grid.shape, grid.size, np.zeros(0, np.int32)
    # The first path of a scene sets all cells to the lowest shade, and so changes all lit cells.
    is_scene = int(SCENE_RE.search(line) is not None)
    cells, numbers = [_lit_cells(grid) if is_scene else no_cells], [0]
    for kind, shade, data in PATH_RE.findall(line)[is_scene:]:
        if kind == "m":  # this path draws marks on the cells of the previous path
            if data.count("M") != len(cells[-1]):
                return None
            numbers[-1] += tiles.shades * tiles.has_marks
            continue
        x, y, runs = 0, 0, [no_cells]
        for left, top, width in (map(int, run) for run in RUN_RE.findall(data)):
            x, y, cells_left = x + left, y + top, cells_left - width
            if not (0 <= x <= columns - width and 0 <= y < rows and cells_left >= 0):
                return None
            runs.append(np.arange(x, x + width, dtype=np.int32) + np.int32(y * columns))
            y += 1
        cells.append(np.concatenate(runs))
        numbers.append(int(shade))
    return np.concatenate(cells), np.repeat(np.array(numbers, np.int32), list(map(len, cells)))
