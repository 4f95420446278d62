"""Readers that find the shade of each cell in the pixels of a frame."""

from typing import cast

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from lightsanim.board.board import Board
from lightsanim.errors import AnimationError, LightsAnimError
from lightsanim.formats.frames import (
    LUMA,
    MEASURES,
    Float32Array,
    LosslessRaster,
    Measure,
    Raster,
    VideoRaster,
)
from lightsanim.formats.metadata import Metadata
from lightsanim.look.levels import Shades
from lightsanim.look.theme import FrameGeometry
from lightsanim.look.tiles import Tiles, make_tiles
from lightsanim.pictures.canvas import BLOCK, Colours, colour_codes

Cells = NDArray[np.int64]  # Numbers of cells, row * columns + column.

MAX_SAMPLES = 16  # Maximum number of sample points per cell for codecs that change pixels.
MAX_DEVIATION = 0.4  # A cell farther from all levels is ambiguous; unit: steps between levels.
MAX_COLOUR_DEVIATION = 0.45  # The same for the distance from one of two colours.
MIN_CONTRAST = 24  # Minimum difference between lit and unlit cells, on a scale of 256 greys.
MIN_STEP = 12  # Minimum difference between neighbouring levels of more than two, on this scale.
SIZE_HINT = "use larger cells or a lossless format"
BLUR_HINT = f"; videos blur colours: {SIZE_HINT}"
PANEL_SUFFIX = ", in the panel of clicks"
HIDDEN = "its marks hide the cells that are clicked; make it with larger cells or without marks"


class FrameError(LightsAnimError):
    """Error in a frame; ``frame`` is its number, or None if no single frame is to blame."""

    def __init__(self, frame: int | None, reason: str) -> None:
        super().__init__(reason)
        self.frame = frame


class ExactReader:
    """Reader of changed cells that requires all pixels, also between cells, to be as drawn."""

    def __init__(self, metadata: Metadata, *, one_bit: bool = False) -> None:
        self._board, self._geometry = metadata.board, metadata.geometry
        self._levels = levels = metadata.board.levels
        tiles = make_tiles(metadata.look, metadata.planes, self._geometry.cell, levels)
        tiles = tiles.with_one_bit_alpha() if one_bit else tiles
        codes = colour_codes(tiles.colours, tiles.alphas)
        self._background = codes[0]
        self._tile_colours = codes[tiles.pixels].reshape(len(tiles.pixels), -1)
        self._shade_count = tiles.shades
        self._marks_hide = _check_tiles_distinct(self._tile_colours, self._shade_count, levels)
        g = self._geometry
        down, right = g.panel or (0, 0)
        top, left = g.top_left_corner
        self._row_at = _cell_index_of_pixels(g.height, top, g.rows, down, g)
        self._column_at = _cell_index_of_pixels(g.width, left, g.columns, right, g)
        self._grid = np.zeros(g.shape_with_panel, np.uint8)
        self._marked = np.zeros(self._grid.size, bool)
        self.shades = self._grid[: g.rows, : g.columns]
        self.presses = None if g.panel is None else self._grid[down:, right:]

    def read_frame(self, number: int, raster: Raster) -> None:
        """Read the next frame; raise FrameError if it does not show a configuration."""
        _check_frame_shape(raster, self._geometry.height, self._geometry.width)
        exact = cast(LosslessRaster, raster)
        cells = self._find_changed_cells(number, exact)
        flipped = self.shades.copy()
        marked = self._read_cells(number, cells, exact)
        if not self._marks_hide or not len(cells):
            return
        # In the smallest cells, marks hide the shades, which are then computed from the clicks.
        # A marked cell whose pixels did not change was clicked again.
        self._marked[cells] = False
        self._marked[marked] = True
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

    def _read_cells(self, number: int, cells: Cells, raster: LosslessRaster) -> Cells:
        # Set the shades of some cells, and return those that are marked.
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
                down, right = (geometry.panel or (0, 0)) if on_panel[cell] else (0, 0)
                position = int(row[cell]) - down, int(column[cell]) - right
                hint = PANEL_SUFFIX if on_panel[cell] else ""
                raise _ambiguous_cell_error(number, position, self._levels, hint)
            tile = matches.argmax(axis=0)
            self._grid.flat[block] = tile % self._shade_count
            marked.append(block[tile >= self._shade_count])
        return np.concatenate(marked)


class LossyReader:
    """Reader that finds the nearest shade of each cell, for codecs that change the pixels."""

    def __init__(self, metadata: Metadata) -> None:
        self._geometry, self._levels = metadata.geometry, metadata.board.levels
        if self._geometry.cell == 1 and self._levels > 3:
            raise AnimationError(f"1-pixel cells cannot show {self._levels} levels; {SIZE_HINT}")
        tiles = make_tiles(metadata.look, metadata.planes, self._geometry.cell, self._levels)
        self._samples = _interior_pixels(_mark_free_pixels(tiles))
        shades = metadata.look.shades(metadata.planes, self._levels)
        lights, min_difference = shades @ LUMA, min_level_step(self._levels)
        self._in_colour = metadata.planes == 3
        # Use luma, which codecs keep sharper than colours, if it distinguishes levels of one hue.
        has_hues = self._in_colour or len(metadata.look.colours or ()) > 2
        self._uses_light = not has_hues and np.diff(np.sort(lights)).min() >= min_difference
        self._measure: Measure = "luma" if self._uses_light else "rgb"
        colours = shades @ MEASURES[self._measure]
        self._unlit, lit = colours[[0, -1]]
        # Project luma, or red, green and blue, onto each plane's line from unlit to lit.
        direction = lit - self._unlit
        components = np.diag(direction) if self._in_colour else direction[:, None]
        if not np.abs(components).sum(axis=0).all():
            raise AnimationError(indistinct_levels_message(self._levels))
        self._projection = components / np.square(components).sum(axis=0)
        self._colours = None
        if self._levels > 2 and not self._in_colour:
            self._measure = "luma" if self._uses_light else "ycc"
            self._colours = shades @ MEASURES[self._measure]
            distances = np.linalg.norm(colours[:, None] - colours, axis=2)
            if distances[~np.eye(self._levels, dtype=bool)].min() < min_difference:
                raise AnimationError(indistinct_levels_message(self._levels))
        self.shades = np.zeros(metadata.board.shape, np.uint8)
        self.presses = None if self._geometry.panel is None else self.shades.copy()
        # Last samples of the board (None) and of the panel: uint8 (samples, planes, rows, columns).
        self._last: dict[tuple[int, int] | None, NDArray[np.uint8]] = {}

    def read_frame(self, number: int, raster: Raster) -> None:
        """Read the next frame; raise FrameError if it does not show a configuration."""
        height, width = self._geometry.height, self._geometry.width
        if raster.shape != (height, width):  # some codecs round sides up to even numbers
            _check_frame_shape(raster, height + height % 2, width + width % 2)
        self._read_board_or_panel(number, raster, None, self.shades)
        if self.presses is not None:
            self._read_board_or_panel(number, raster, self._geometry.panel, self.presses)

    def _read_board_or_panel(
        self, number: int, raster: Raster, panel: tuple[int, int] | None, shades: Shades
    ) -> None:
        # Set the shades of those cells, on the board or the panel, whose samples have changed.
        planes, black, matrix = cast(VideoRaster, raster).measure(self._measure)
        slices_at = self._geometry.slices_at_cell_offset
        parts = (slices_at(y, x, panel) for y, x in self._samples.tolist())
        samples, previous = np.array([planes[:, *part] for part in parts]), self._last.get(panel)
        changed = np.ones(shades.shape, bool)
        if previous is not None and previous.shape == samples.shape:
            changed = (samples != previous).any(axis=(0, 1))
        self._last[panel], cells = samples, np.flatnonzero(changed)
        samples = samples.reshape(*samples.shape[:2], -1)[..., cells]
        values = (samples.mean(axis=0, dtype=np.float32).T - black) @ matrix
        hint = PANEL_SUFFIX if panel else ""
        hint += BLUR_HINT if self._in_colour else "" if self._levels == 2 else f"; {SIZE_HINT}"
        if self._colours is None:
            lit = (values - self._unlit) @ self._projection
            nearest, is_ambiguous = _shades_from_light(lit, self._levels)
        else:
            limit = MAX_DEVIATION if self._uses_light else MAX_COLOUR_DEVIATION
            nearest, is_ambiguous = _nearest_colours(values, self._colours, limit)
        if is_ambiguous.any():
            position = divmod(int(cells[np.argmax(is_ambiguous.T) % len(cells)]), shades.shape[1])
            raise _ambiguous_cell_error(number, position, self._levels, hint)
        shades.ravel()[cells] = nearest


class TwoColourReader:
    """Reader for files without metadata, whose levels must be evenly spaced in luma."""

    def __init__(self, board: Board, extremes: tuple[float, float]) -> None:
        (self._darkest, lightest), levels = extremes, board.levels
        self._contrast, self._levels = lightest - self._darkest, levels
        if self._contrast < MIN_CONTRAST:
            raise AnimationError("its cells all look alike")
        if self._contrast < min_level_step(levels) * (levels - 1):
            raise AnimationError(f"its cells differ too little for {levels} levels")
        self.shades = np.zeros(board.shape, np.uint8)
        self.presses = None

    def read_frame(self, number: int, raster: Raster) -> None:
        """Read the next frame; raise FrameError if it does not show a configuration."""
        light = sample_cell_light(raster, *self.shades.shape)
        lit = (light.reshape(-1, 1) - self._darkest) / self._contrast
        nearest, is_ambiguous = _shades_from_light(lit, self._levels)
        if is_ambiguous.any():
            position = divmod(int(np.argmax(is_ambiguous)), light.shape[1])
            raise _ambiguous_cell_error(number, position, self._levels)
        self.shades.ravel()[:] = nearest


CellReader = ExactReader | LossyReader | TwoColourReader
"""Reads frames one by one: ``shades``, uint8 (rows, columns), are those of the last frame, and
``presses`` are those of its panel of clicks, or None if there is no panel."""


def sample_cell_light(raster: Raster, rows: int, columns: int) -> Float32Array:
    """Return the luma, 0 to 255, in the middle of each cell: float32 (rows, columns)."""
    y, x = (
        (2 * np.arange(cells) + 1) * side // (2 * cells)
        for cells, side in zip((rows, columns), raster.shape, strict=True)
    )
    return np.asarray(raster.rgb_channels[y[:, None], x] @ LUMA)


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


def _check_frame_shape(raster: Raster, height: int, width: int) -> None:
    if raster.shape != (height, width):
        size = f"{raster.shape[1]}x{raster.shape[0]} pixels, not {width}x{height}"
        raise AnimationError(f"its frames have {size} as in its metadata: the file was changed")


def _shades_from_light(lit: NDArray[np.floating], levels: int) -> tuple[Shades, NDArray[np.bool_]]:
    # Round ``lit``, float (cells, planes) from 0 = unlit to 1 = lit, to shades, uint8 (cells,), and
    # return whether each level is ambiguous, bool (cells, planes).
    steps = np.clip(lit, 0, 1) * (levels - 1)
    nearest = np.rint(steps)
    weights = levels ** np.arange(nearest.shape[1])
    return (nearest @ weights).astype(np.uint8), np.abs(steps - nearest) > MAX_DEVIATION


def _nearest_colours(
    samples: Float32Array, colours: Float32Array, limit: float
) -> tuple[Shades, NDArray[np.bool_]]:
    # Returns the number of the colour nearest to each sample, and whether its distance exceeds the
    # share ``limit`` of those from the two nearest.
    distances = np.linalg.norm(samples[:, None] - colours, axis=2)
    first, second = np.partition(distances, 1, axis=1)[:, :2].T
    nearest = distances.argmin(axis=1).astype(np.uint8)
    return nearest, first > limit * (first + second)


def _ambiguous_cell_error(
    number: int, cell: tuple[int, int], levels: int, hint: str = ""
) -> FrameError:
    problem = "neither lit nor unlit" if levels == 2 else "at no level"
    position = f"row {cell[0]}, column {cell[1]}"
    return FrameError(number, f"frame {number} shows the cell in {position} {problem}{hint}")


def min_level_step(levels: int) -> int:
    """Return the minimum difference between neighbouring levels, of 256 grey values."""
    return MIN_CONTRAST if levels == 2 else MIN_STEP


def indistinct_levels_message(levels: int) -> str:
    """Return the error message for a look whose levels cannot be distinguished."""
    cells = "lit and unlit cells" if levels == 2 else "cells of two levels"
    return f"its {cells} look alike in at least one colour plane"


def _check_tiles_distinct(tiles: Colours, shade_count: int, levels: int) -> bool:
    # Raise AnimationError if shades look alike; return whether marks hide the shades of cells.
    tile_bytes = [tile.tobytes() for tile in tiles]
    shades, marked = set(tile_bytes[:shade_count]), set(tile_bytes[shade_count:])
    if len(shades) < shade_count:
        raise AnimationError(indistinct_levels_message(levels))
    marks_hide = 0 < len(marked) < shade_count
    if marks_hide and (shade_count > 2 or shades & marked):
        raise AnimationError(HIDDEN)
    return marks_hide


def _mark_free_pixels(tiles: Tiles) -> NDArray[np.bool_]:
    # Find the pixels of a cell, bool (cell, cell), that show its shade with and without a mark.
    plain, marked = tiles.pixels[: tiles.shades], tiles.pixels[tiles.shades :]
    is_plain: NDArray[np.bool_] = (plain == plain.max(axis=(1, 2), keepdims=True)).all(axis=0)
    if tiles.has_marks:
        is_plain &= (plain == marked).all(axis=0)
    return is_plain


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
