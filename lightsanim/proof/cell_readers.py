"""Readers that find the shade of each cell in the pixels of a frame."""

import math
from typing import Any, cast

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from lightsanim.errors import AnimationError, LightsAnimError
from lightsanim.game.board.board import Board
from lightsanim.game.levels import Shades
from lightsanim.output.formats.frames import (
    CELL_WORK,
    LUMA,
    YCC_MATRIX,
    Float32Array,
    FrameFile,
    LosslessRaster,
    Raster,
    VideoRaster,
    rgb_to_ycc,
)
from lightsanim.output.formats.metadata import Metadata
from lightsanim.output.look.paint_board import view_cell_pixels
from lightsanim.output.look.theme import FrameGeometry
from lightsanim.output.look.tiles import Pixels, Tiles, make_tiles
from lightsanim.pictures.patches import BLOCK, Colours, colour_codes
from .look_match import LookMatch, find_blocks

Cells = NDArray[np.int64]  # Numbers of cells, row * columns + column.
# The first pixel of the first cell of a side; for each pixel from there on, the number of its cell
# and its position in the cell.
Division = tuple[int, NDArray[np.int64], NDArray[np.int64]]

MAX_SAMPLES = 16  # Maximum number of sample points per cell for codecs that change pixels.
MAX_DEVIATION = 0.4  # A cell farther from all levels is ambiguous; unit: steps between levels.
MAX_COLOUR_DEVIATION = 0.45  # The same for the distance from one of two colours.
MIN_CONTRAST = 24  # Minimum difference between lit and unlit cells, on a scale of 256 greys.
MIN_STEP = 12  # Minimum difference between neighbouring levels of more than two, on this scale.
# Minimum difference between whole cells of neighbouring levels, as a share of `min_level_step`.
MIN_TILE_SHARE = 1 / 8
SIZE_HINT = "use larger cells or a lossless format"
# Weights of luma, on a scale of 256 greys, and of both colour differences, which codecs blur more.
YCC_WEIGHTS = np.array([255 / 219, 255 / 448, 255 / 448], np.float32)
PANEL_SUFFIX = ", in the panel of clicks"
HIDDEN = "its marks hide the cells that are clicked; make it with larger cells or without marks"


class FrameError(LightsAnimError):
    """Error in a frame; ``frame`` is its number, or None if no single frame is to blame."""

    def __init__(self, frame: int | None, reason: str, *, is_unclear: bool = False) -> None:
        super().__init__(reason)
        self.frame = frame
        self.is_unclear = is_unclear  # whether the film may be legal nevertheless


class _GridReader:
    """What readers of a known look have in common: the grid of all cells, with the panel's."""

    def __init__(self, metadata: Metadata) -> None:
        self._board, self._geometry = metadata.board, metadata.geometry
        (rows, columns), (down, right) = metadata.board.shape, metadata.geometry.panel or (0, 0)
        self._grid = np.zeros(self._geometry.shape_with_panel, np.uint8)
        self.shades = self._grid[:rows, :columns]
        self.presses = None if self._geometry.panel is None else self._grid[down:, right:]
        self.frame_work = self.shades.size * CELL_WORK

    def _ambiguous_cell_error(
        self, number: int, row: int, column: int, hint: str = "", *, is_unclear: bool = False
    ) -> FrameError:
        # Return the error for a cell of the grid, whose panel counts its own rows and columns.
        if row >= self._geometry.rows or column >= self._geometry.columns:
            down, right = self._geometry.panel or (0, 0)
            row, column, hint = row - down, column - right, f"{PANEL_SUFFIX}{hint}"
        return _ambiguous_cell_error(
            number, (row, column), self._board.levels, hint, is_unclear=is_unclear
        )


class ExactReader(_GridReader):
    """Reader of changed cells that requires all pixels, also between cells, to be as drawn."""

    def __init__(self, metadata: Metadata, *, one_bit: bool = False) -> None:
        super().__init__(metadata)
        levels = metadata.board.levels
        tiles = make_tiles(metadata.look, metadata.planes, self._geometry.cell, levels)
        tiles = tiles.with_one_bit_alpha() if one_bit else tiles
        codes = colour_codes(tiles.colours, tiles.alphas)
        self._background = codes[0]
        self._tile_colours = codes[tiles.pixels].reshape(len(tiles.pixels), -1)
        self._shade_count = tiles.shades
        self._marks_hide = _check_tiles_distinct(self._tile_colours, tiles, levels)
        g = self._geometry
        down, right = g.panel or (0, 0)
        top, left = g.top_left_corner
        self._row_at = _cell_index_of_pixels(g.height, top, g.rows, down, g)
        self._column_at = _cell_index_of_pixels(g.width, left, g.columns, right, g)
        self._marked = np.zeros(self._grid.size, bool)
        self.marks = self._marked.reshape(self._grid.shape)[: g.rows, : g.columns]

    def read_frame(self, number: int, raster: Raster) -> None:
        """Read the next frame; raise FrameError if it does not show a configuration."""
        _check_frame_shape(raster.shape, self._geometry.height, self._geometry.width)
        exact = cast(LosslessRaster, raster)
        cells = self._find_changed_cells(number, exact)
        flipped = self.shades.copy()
        self._read_cells(number, cells, exact)
        if not self._marks_hide or not len(cells):
            return
        # In the smallest cells, marks hide the shades, which are then computed from the clicks.
        # A marked cell whose pixels did not change was clicked again.
        rows, columns = np.divmod(np.flatnonzero(self._marked), self._grid.shape[1])
        self._board.flip(flipped, rows * self._geometry.columns + columns)
        self.shades[rows, columns] = flipped[rows, columns]

    def _find_changed_cells(self, number: int, raster: LosslessRaster) -> Cells:
        # Find the cells with changed pixels; changed pixels between cells must be background.
        cells = np.zeros(self._grid.shape, bool)
        for (y, x), changed in raster.changed_pixels():
            row, column = self._row_at[y], self._column_at[x]
            is_between = changed & ((row < 0)[:, None] | (column < 0))
            if is_between.any():
                down, right = np.nonzero(is_between)
                positions = (down + y.start) * self._geometry.width + right + x.start
                if (raster.pixels.ravel()[positions] != self._background).any():
                    raise FrameError(number, f"frame {number} shows something between its cells")
            changed, row = _merge_pixels_by_cell(changed, row, 0)
            changed, column = _merge_pixels_by_cell(changed, column, 1)
            down, right = np.nonzero(changed)
            cells[row[down], column[right]] = True
        return np.flatnonzero(cells)

    def _read_cells(self, number: int, cells: Cells, raster: LosslessRaster) -> None:
        # Set the shades of some cells, and whether they are marked.
        geometry, marked = self._geometry, [np.zeros(0, np.int64)]
        windows = sliding_window_view(raster.pixels, (geometry.cell, geometry.cell))
        step = max(1, BLOCK // geometry.cell**2)
        for start in range(0, len(cells), step):
            block = cells[start : start + step]
            row, column = np.divmod(block, self._grid.shape[1])
            top, left = geometry.top_left_corner
            y, x = top + row * geometry.cell_pitch, left + column * geometry.cell_pitch
            samples = windows[y, x].reshape(len(block), -1)
            matches = np.array([(samples == tile).all(axis=1) for tile in self._tile_colours])
            on_panel = (row >= geometry.rows) | (column >= geometry.columns)
            matches[self._shade_count :, on_panel] = False  # the panel has no marks
            is_known = matches.any(axis=0)
            if not is_known.all():
                cell = int(np.argmin(is_known))
                raise self._ambiguous_cell_error(number, int(row[cell]), int(column[cell]))
            tile = matches.argmax(axis=0)
            self._grid.flat[block] = tile % self._shade_count
            marked.append(block[tile >= self._shade_count])
        self._marked[cells] = False
        self._marked[np.concatenate(marked)] = True


class LossyReader(_GridReader):
    """Reader for codecs that change pixels: it finds the nearest shade of each cell.

    It reads luma alone, which codecs keep sharper than colours, if luma distinguishes the levels.
    Then it compares the whole frame with the look of these shades.
    """

    def __init__(self, metadata: Metadata, shape: tuple[int, int]) -> None:
        super().__init__(metadata)
        geometry, levels, planes = self._geometry, metadata.board.levels, metadata.planes
        even = geometry.height + geometry.height % 2, geometry.width + geometry.width % 2
        if shape != (geometry.height, geometry.width):
            _check_frame_shape(shape, *even)  # some codecs round sides up to even numbers
        if geometry.cell == 1 and levels > 3:
            raise AnimationError(f"1-pixel cells cannot show {levels} levels; {SIZE_HINT}")
        tiles = make_tiles(metadata.look, planes, geometry.cell, levels)
        self._tiles = tiles.map_colours(np.rint(rgb_to_ycc(tiles.colours)).astype(np.uint8))
        # Pixels at which to read the shade of a cell and, if there are marks, whether it has one.
        self._samples, *self._mark_samples = map(_interior_pixels, _find_plain_pixels(tiles))
        shades = metadata.look.shades(planes, levels)
        has_hues = planes == 3 or len(metadata.look.colours or ()) > 2
        steps = np.diff(np.sort(shades @ LUMA))
        self._channels = 3 if has_hues or steps.min() < min_level_step(levels) else 1
        self._colours = rgb_to_ycc(shades) * YCC_WEIGHTS  # Of shades, as weighed samples.
        self._measures = _find_measures(shades, planes, levels, self._channels)
        down, right = geometry.panel or (0, 0)
        self._is_cell = np.zeros(self._grid.shape, bool)
        self._is_cell[: geometry.rows, : geometry.columns] = self._is_cell[down:, right:] = True
        # First row and column of pixels, and rows and columns of blocks, of each row and column.
        self._tops, self._lefts = (
            corner + geometry.cell_pitch * np.arange(cells)
            for corner, cells in zip(geometry.top_left_corner, self._grid.shape, strict=True)
        )
        self._row_blocks, self._column_blocks = (
            find_blocks(starts, geometry.cell) for starts in (self._tops, self._lefts)
        )
        self._match = LookMatch(shape)
        expected = np.moveaxis(self._match.expected, 0, -1)
        expected[: shape[0], : shape[1]] = self._tiles.background
        self._cell_pixels = view_cell_pixels(expected, geometry)
        # Number of the tile that each cell is expected to show; at first unknown.
        self._drawn = np.full(self._grid.shape, -1, np.int32)

    @property
    def marks(self) -> NDArray[np.bool_]:
        """Whether each cell of the board has a mark."""
        rows, columns = self.shades.shape
        return np.asarray(self._drawn[:rows, :columns] >= self._tiles.shades)

    def read_frame(self, number: int, raster: Raster) -> None:
        """Read the next frame; raise FrameError if it does not show a configuration."""
        planes, match = cast(VideoRaster, raster).planes, self._match
        match.load_frame(*planes)
        if not match.changed.any():
            return
        is_changed = np.logical_or.reduce(match.changed[self._row_blocks], axis=1)
        is_changed = np.logical_or.reduce(is_changed[:, self._column_blocks], axis=2)
        cells = np.nonzero(is_changed & self._is_cell)
        self._grid[cells] = shades = self._read_shades(number, planes, *cells)
        tiles = shades + self._tiles.shades * self._find_marks(planes, shades, *cells)
        rows, columns = (part[tiles != self._drawn[cells]] for part in cells)
        self._drawn[cells] = tiles
        self._cell_pixels[rows, columns] = self._tiles.pixels[self._drawn[rows, columns]]
        match.changed[self._row_blocks[rows, :, None], self._column_blocks[columns, None]] = True
        _check_match(number, match)

    def _mean_colours(
        self,
        planes: list[Pixels],
        pixels: NDArray[np.int64],
        rows: NDArray[np.intp],
        columns: NDArray[np.intp],
    ) -> Float32Array:
        # Return the mean of some pixels of each of some cells, (cells, channels).
        y, x = self._tops[rows, None] + pixels[:, 0], self._lefts[columns, None] + pixels[:, 1]
        steps = [1 if plane.shape == planes[0].shape else 2 for plane in planes]
        samples = (plane[y // n, x // n] for plane, n in zip(planes, steps, strict=True))
        return np.column_stack([channel.mean(axis=1, dtype=np.float32) for channel in samples])

    def _read_shades(
        self,
        number: int,
        planes: list[Pixels],
        rows: NDArray[np.intp],
        columns: NDArray[np.intp],
    ) -> Shades:
        means = self._mean_colours(planes[: self._channels], self._samples, rows, columns)
        shades, is_ambiguous = np.zeros(len(rows), np.uint8), np.zeros(len(rows), bool)
        in_one_dimension = self._measures[0][0].shape[1] == 1
        limit = MAX_DEVIATION if in_one_dimension else MAX_COLOUR_DEVIATION
        for plane, (matrix, colours) in enumerate(self._measures):
            nearest, is_between = _nearest_colours(means @ matrix, colours, limit)
            shades += nearest * np.uint8(self._board.levels**plane)
            is_ambiguous |= is_between
        if is_ambiguous.any():
            row, column = int(rows[is_ambiguous][0]), int(columns[is_ambiguous][0])
            hint = f"; videos blur small cells: {SIZE_HINT}"
            raise self._ambiguous_cell_error(number, row, column, hint, is_unclear=True)
        return shades

    def _find_marks(
        self,
        planes: list[Pixels],
        shades: Shades,
        rows: NDArray[np.intp],
        columns: NDArray[np.intp],
    ) -> NDArray[np.bool_]:
        # Return whether each cell looks more like a marked cell of its shade than like another one.
        if not self._mark_samples:
            return np.zeros(len(rows), bool)
        values = self._mean_colours(planes, self._mark_samples[0], rows, columns) * YCC_WEIGHTS
        y, x = self._mark_samples[0][0]
        marks = self._tiles.pixels[self._tiles.shades :, y, x] * YCC_WEIGHTS
        to_mark, to_shade = (
            np.linalg.norm(values - colours[shades], axis=1) for colours in (marks, self._colours)
        )
        on_board = (rows < len(self.shades)) & (columns < self.shades.shape[1])
        return np.asarray(on_board & (to_mark < to_shade))


class LearntReader:
    """Reader for files without metadata, which learns from the file how cells of a level look.

    Levels must be evenly spaced in luma, from the darkest cell of the file to the lightest.  Every
    pixel counts: all cells of a level must look alike, and nothing may change around the board.
    """

    presses = marks = None

    def __init__(self, board: Board, file: FrameFile, extremes: tuple[float, float]) -> None:
        (darkest, lightest), levels = extremes, board.levels
        if lightest - darkest < MIN_CONTRAST:
            raise AnimationError("its cells all look alike")
        if lightest - darkest < min_level_step(levels) * (levels - 1):
            raise AnimationError(f"its cells differ too little for {levels} levels")
        self._levels = np.linspace(darkest, lightest, levels, dtype=np.float32)[:, None]
        self.shades, self.frame_work = np.zeros(board.shape, np.uint8), math.prod(file.size)
        divisions = zip(*map(_divide_side, file.size, board.shape), strict=True)
        self._layouts = [_TileLayout(*division) for division in divisions]
        self._layout = self._layouts[0]  # The one that the first frame has.
        self._match = LookMatch(file.size) if file.lossy else None
        self._expected: NDArray[Any] | None = None  # Pixels of the whole frame.

    def read_frame(self, number: int, raster: Raster) -> None:
        """Read the next frame; raise FrameError if it does not show a configuration."""
        light, pixels = sample_cell_light(raster, *self.shades.shape), raster.pixels
        nearest, is_ambiguous = _nearest_colours(light.reshape(-1, 1), self._levels, MAX_DEVIATION)
        if is_ambiguous.any():
            position = divmod(int(np.argmax(is_ambiguous)), light.shape[1])
            raise _ambiguous_cell_error(number, position, len(self._levels), is_unclear=True)
        self.shades.ravel()[:] = nearest
        if self._expected is None:  # Choose the layout that explains the frame's pixels best.
            self._layout = min(self._layouts, key=lambda layout: self._misfit(layout, pixels))
            self._expected = pixels.copy()
        self._layout.draw_cells(self.shades, pixels, self._expected)
        if not self._layout.has_distinct_tiles(len(self._levels)):
            raise FrameError(
                number,
                f"frame {number} shows cells whose middles differ more than the cells",
                is_unclear=True,
            )
        if self._match is not None:
            self._match.load_frame(*cast(VideoRaster, raster).planes)
            expected = np.moveaxis(self._expected, -1, 0)
            self._match.expected[:, : len(pixels), : pixels.shape[1]] = expected
            self._match.changed[:] = True
            _check_match(number, self._match)
        elif (differs := pixels != self._expected).any():
            raise _foreign_pixel_error(number, *np.argwhere(differs)[0].tolist())

    def _misfit(self, layout: "_TileLayout", pixels: NDArray[Any]) -> float:
        drawn = layout.draw_cells(self.shades, pixels, pixels.copy())
        return float(np.mean(np.maximum(drawn, pixels) - np.minimum(drawn, pixels)))


class _TileLayout:
    """The places of cells in a frame, and what a cell of each level looks like."""

    def __init__(self, rows: Division, columns: Division) -> None:
        (top, self._rows, y), (left, self._columns, x) = rows, columns
        self._inside = np.s_[top : top + len(y), left : left + len(x)]
        self._positions = np.add.outer(y * (x.max() + 1), x)  # Position in its cell of each pixel.
        self._tiles: dict[int, NDArray[Any]] = {}  # Pixels of a cell by level, (positions, ...).

    def draw_cells(
        self, shades: Shades, pixels: NDArray[Any], expected: NDArray[Any]
    ) -> NDArray[Any]:
        """Draw all cells into a frame, and return it; learn new tiles from other pixels."""
        levels, inner_pixels = shades[self._rows][:, self._columns], expected[self._inside]
        for level in np.unique(shades).tolist():
            is_level = levels == level
            positions = self._positions[is_level]
            if level not in self._tiles:
                self._tiles[level] = _learn_tile(positions, pixels[self._inside][is_level])
            inner_pixels[is_level] = self._tiles[level][positions]
        return expected

    def has_distinct_tiles(self, levels: int) -> bool:
        """Whether the mean light of tiles grows with their levels, as far as they are known."""
        numbers = sorted(self._tiles)
        light = [_tile_light(self._tiles[number]).mean() for number in numbers]
        least = min_level_step(levels) * MIN_TILE_SHARE
        return bool((np.diff(light) >= least * np.diff(numbers)).all())


CellReader = ExactReader | LossyReader | LearntReader
"""Reads frames one by one: ``shades``, uint8 (rows, columns), are those of the last frame, and
``presses`` are those of its panel of clicks, or None if there is no panel.  ``marks``, bool (rows,
columns), tells which cells have a mark; None if no cells have marks.  ``frame_work`` is the
work for each frame besides decoding, in pixels; see `check_decoding_work`."""


def sample_cell_light(raster: Raster, rows: int, columns: int) -> Float32Array:
    """Return the luma, 0 to 255, in the middle of each cell: float32 (rows, columns)."""
    y, x = (
        (2 * np.arange(cells) + 1) * side // (2 * cells)
        for cells, side in zip((rows, columns), raster.shape, strict=True)
    )
    return raster.luma_at(y[:, None], x)


def _divide_side(length: int, cells: int) -> list[Division]:
    """Divide the height or the width of a frame into cells, in all usual ways.

    There may be a margin on both sides, a gap between cells but none at the end, or neither: then
    cells differ by a pixel if the length is no multiple of their number.
    """
    pitch, rest = divmod(length, cells)
    wide = -(-length // cells)
    divisions = [
        (rest // 2, *np.divmod(np.arange(pitch * cells), pitch)),
        (0, *np.divmod(np.arange(min(length, wide * cells)), wide)),
    ]
    edges = np.arange(cells + 1) * length
    for starts in (edges // cells, -(-edges // cells)):
        numbers = np.repeat(np.arange(cells), np.diff(starts))
        positions = np.minimum(np.arange(length) - starts[numbers], pitch - 1)
        divisions.append((0, numbers, positions))
    return divisions


def _tile_light(tile: NDArray[Any]) -> Float32Array:
    # Return the luma of each pixel of a tile, 0 to 255.
    if tile.ndim > 1:
        return np.asarray(tile[:, 0] * np.float32(255 / 219))
    return np.asarray(tile.astype("<u4")[:, None].view(np.uint8)[:, 2::-1] @ LUMA)


def _learn_tile(positions: NDArray[np.int64], pixels: NDArray[Any]) -> NDArray[Any]:
    # Return the pixel at each position: the only one; or the mean, if they have channels.
    if pixels.ndim == 1:
        tile = np.zeros(positions.max() + 1, pixels.dtype)
        tile[positions] = pixels
        return tile
    sums = np.column_stack([np.bincount(positions, channel) for channel in pixels.T])
    return np.asarray(np.rint(sums / np.bincount(positions)[:, None].clip(1)).astype(np.uint8))


def _find_measures(
    shades: Pixels, planes: int, levels: int, channels: int
) -> list[tuple[NDArray[np.floating], Float32Array]]:
    # Return, for each colour plane, a matrix from samples to a measure, and that of each level.
    if planes == 3:
        to_rgb = np.linalg.inv(YCC_MATRIX)
        greys = rgb_to_ycc(shades[:: (len(shades) - 1) // (levels - 1)]) @ to_rgb
        return [(to_rgb[:, [n]], greys[:, [n]]) for n in range(planes)]
    weights = np.diag(YCC_WEIGHTS[:channels])
    colours = rgb_to_ycc(shades)[:, :channels] @ weights
    distances = np.linalg.norm(colours[:, None] - colours, axis=2)
    if distances[~np.eye(levels, dtype=bool)].min() < min_level_step(levels):
        raise AnimationError(indistinct_levels_message(levels))
    return [(weights, colours)]


def _check_match(number: int, match: LookMatch) -> None:
    if (difference := match.find_difference()) is not None:
        raise _foreign_pixel_error(number, *difference)


def _foreign_pixel_error(number: int, y: int, x: int) -> FrameError:
    return FrameError(
        number,
        f"frame {number} shows something other than its cells near pixel {x},{y}",
        is_unclear=True,
    )


def _cell_index_of_pixels(
    length: int, corner: int, cells: int, panel: int, geometry: FrameGeometry
) -> NDArray[np.int64]:
    # Return the row (or column) of the grid for each row (or column) of pixels; -1 between cells.
    # ``panel`` is the first row (or column) of the panel.
    number, within = np.divmod(np.arange(length) - corner, geometry.cell_pitch)
    inside = (number >= 0) & (number < cells) | (number >= panel) & (number < panel + cells)
    return np.where((within < geometry.cell) & inside, number, -1)


def _merge_pixels_by_cell(
    changed: NDArray[np.bool_], numbers: NDArray[np.int64], axis: int
) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    # Combine the rows (or columns) of pixels that belong to the same cells; drop those in gaps.
    starts = np.flatnonzero(np.diff(numbers, prepend=-2))
    inside = starts[numbers[starts] >= 0]
    merged = np.logical_or.reduceat(changed, starts, axis=axis)
    return np.compress(numbers[starts] >= 0, merged, axis=axis), numbers[inside]


def _check_frame_shape(shape: tuple[int, int], height: int, width: int) -> None:
    if shape != (height, width):
        raise AnimationError(
            f"its frames have {shape[1]}x{shape[0]} pixels, not {width}x{height} as in its "
            "metadata: the file was changed"
        )


def _nearest_colours(
    samples: Float32Array, colours: Float32Array, limit: float
) -> tuple[Shades, NDArray[np.bool_]]:
    # Returns the number of the colour nearest to each sample, and whether its distance exceeds the
    # share ``limit`` of those from the two nearest.
    distances = np.linalg.norm(samples[:, None] - colours, axis=2)
    first, second = np.partition(distances, 1, axis=1)[:, :2].T
    return distances.argmin(axis=1).astype(np.uint8), first > limit * (first + second)


def _ambiguous_cell_error(
    number: int, cell: tuple[int, int], levels: int, hint: str = "", *, is_unclear: bool = False
) -> FrameError:
    problem = "neither lit nor unlit" if levels == 2 else "at no level"
    position = f"row {cell[0]}, column {cell[1]}"
    return FrameError(
        number,
        f"frame {number} shows the cell in {position} {problem}{hint}",
        is_unclear=is_unclear,
    )


def min_level_step(levels: int) -> int:
    """Return the minimum difference between neighbouring levels, of 256 grey values."""
    return MIN_CONTRAST if levels == 2 else MIN_STEP


def indistinct_levels_message(levels: int) -> str:
    """Return the error message for a look whose levels cannot be distinguished."""
    cells = "lit and unlit cells" if levels == 2 else "cells of two levels"
    return f"its {cells} look alike in at least one colour plane"


def _check_tiles_distinct(tile_colours: Colours, tiles: Tiles, levels: int) -> bool:
    # Raise AnimationError if shades look alike; return whether marks hide the shades of cells.
    tile_bytes = [tile.tobytes() for tile in tile_colours]
    if len({*tile_bytes[: tiles.shades]}) < tiles.shades:
        raise AnimationError(indistinct_levels_message(levels))
    marks_hide = 0 < len({*tile_bytes[tiles.shades :]}) < tiles.shades
    if marks_hide:
        *shades, mark = tiles.rgba[tiles.pixels[: tiles.shades + 1, 0, 0]].astype(int)
        contrast = np.abs(np.array(shades) - mark).max(axis=1).min()
        if tiles.shades > 2 or contrast < min_level_step(levels):
            raise AnimationError(HIDDEN)
    return marks_hide


def _find_plain_pixels(tiles: Tiles) -> list[NDArray[np.bool_]]:
    # Find the pixels of a cell, bool (cell, cell), that show its shade with and without a mark, and
    # those that show nothing but the mark.
    plain, marked = tiles.pixels[: tiles.shades], tiles.pixels[tiles.shades :]
    is_plain: NDArray[np.bool_] = (plain == plain.max(axis=(1, 2), keepdims=True)).all(axis=0)
    if not tiles.has_marks:
        return [is_plain]
    is_mark = (marked == marked.max(axis=(1, 2), keepdims=True)).all(axis=0)
    return [is_plain & (plain == marked).all(axis=0), is_mark]


def _interior_pixels(pixels: NDArray[np.bool_]) -> NDArray[np.int64]:
    # Choose at most `MAX_SAMPLES` pixels far from the edge: rows and columns, int (samples, 2).
    while np.count_nonzero(pixels) > MAX_SAMPLES:
        padded = np.pad(pixels, 1)
        is_surrounded = padded[:-2, 1:-1] & padded[2:, 1:-1] & padded[1:-1, :-2] & padded[1:-1, 2:]
        if not (pixels & is_surrounded).any():
            break
        pixels = pixels & is_surrounded
    if not pixels.any():
        raise AnimationError(HIDDEN)
    positions = np.argwhere(pixels)
    return positions[:: -(-len(positions) // MAX_SAMPLES)]
