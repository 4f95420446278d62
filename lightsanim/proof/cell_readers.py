"""From the pixels of a frame to the shades of its cells."""

import numpy as np
from numpy.typing import NDArray

from lightsanim.errors import AnimationError, LightsAnimError
from lightsanim.formats.frames import (
    BLOCK,
    Colours,
    Floats,
    Raster,
    channels_of,
    colour_codes,
    light_of,
)
from lightsanim.formats.metadata import Metadata
from lightsanim.look.levels import Shades
from lightsanim.look.theme import Geometry
from lightsanim.look.tiles import Tiles, tiles_for

Cells = NDArray[np.int64]  # numbers of cells, row * columns + column

# Sample points per cell when a codec has changed the pixels.
SAMPLES = 16

# Farther than this from the nearest level, a cell is ambiguous (1 = from a level to the next).
AMBIGUOUS = 0.4

# Codecs store colours at half the resolution of light, and many levels need finer ones than two.
LARGER = "take larger cells, or a format without loss"
BLURRED = f"; videos blur colours: {LARGER}"

# Of a cell there.
ON_PANEL = ", among its clicks"

HIDDEN = "its marks hide the cells that are clicked; draw it with larger cells, or without marks"

# Lit and unlit cells that differ by less than this, of 256 shades of grey, look alike; so do cells
# at neighbouring levels of three or more, of which one need not stand out as much.
LEAST_CONTRAST = 24
LEAST_STEP = 12


class FrameError(LightsAnimError):
    """A frame that no legal clicks make; or, where no single one is to blame, all of them."""

    def __init__(self, frame: int | None, reason: str) -> None:
        super().__init__(reason)
        self.frame = frame


class ExactReader:
    """Every pixel must be as it is drawn: the tile of a shade, or background around the cells.

    Only the cells that changed are looked at.  Marks fill the smallest cells and hide their shades;
    they tell where the clicks were, though, and so what the shades became.
    """

    def __init__(self, metadata: Metadata, *, one_bit: bool = False) -> None:
        self._board, self._geometry = metadata.board, metadata.geometry
        self._levels = levels = metadata.board.levels
        tiles = tiles_for(metadata.look, metadata.boards, self._geometry.cell, levels)
        tiles = tiles.one_bit() if one_bit else tiles
        codes = colour_codes(tiles.colours, tiles.alphas)
        self._background = codes[0]
        self._tiles = codes[tiles.pixels].reshape(len(tiles.pixels), -1)
        self._plain = tiles.shades
        self._hiding = _check_tiles(self._tiles, self._plain, levels)
        g = self._geometry
        down, right = g.panel or (0, 0)
        self._row_at = _cells_along(g.height, g.corner[0], g.rows, down, g)
        self._column_at = _cells_along(g.width, g.corner[1], g.columns, right, g)
        self._grid = np.zeros(g.grid, np.uint8)
        self._marked = np.zeros(self._grid.size, bool)
        self.shades = self._grid[: g.rows, : g.columns]
        self.presses = None if g.panel is None else self._grid[down:, right:]

    def see(self, number: int, raster: Raster) -> None:
        """Look at the next frame; FrameError if it shows no configuration."""
        _check_shape(raster, self._geometry.height, self._geometry.width)
        cells = self._changed_cells(number, raster)
        guess = self.shades.copy()
        marked = self._read(number, cells, raster)
        if not self._hiding or not len(cells):
            return
        # A cell that is clicked again looks as before.
        self._marked[cells] = False
        self._marked[marked] = True
        rows, columns = np.divmod(np.flatnonzero(self._marked), self._grid.shape[1])
        self._board.flip(guess, rows * self._geometry.columns + columns)
        self.shades[rows, columns] = guess[rows, columns]

    def _changed_cells(self, number: int, raster: Raster) -> Cells:
        # The cells with pixels that changed; those around the cells must be background.
        cells = np.zeros(self._grid.shape, bool)
        for (y, x), changed in raster.changed():
            row, column = self._row_at[y], self._column_at[x]
            between = changed & ((row < 0)[:, None] | (column < 0))
            if between.any():
                down, right = np.nonzero(between)
                places = (down + y.start) * self._geometry.width + right + x.start
                if (raster.colours_at(places) != self._background).any():
                    raise FrameError(number, f"frame {number} shows something between its cells")
            changed, row = _by_cell(changed, row, 0)
            changed, column = _by_cell(changed, column, 1)
            down, right = np.nonzero(changed)
            cells[row[down], column[right]] = True
        return np.flatnonzero(cells)

    def _read(self, number: int, cells: Cells, raster: Raster) -> Cells:
        # Sets the shades of some cells of the grid, and returns those that are marked.
        geometry, marked = self._geometry, [np.zeros(0, np.int64)]
        side = np.arange(geometry.cell)
        inside = (side[:, None] * geometry.width + side).ravel()
        step = max(1, BLOCK // len(inside))
        for start in range(0, len(cells), step):
            block = cells[start : start + step]
            row, column = np.divmod(block, self._grid.shape[1])
            top, left = geometry.corner
            first = (top + row * geometry.pitch) * geometry.width + left + column * geometry.pitch
            seen = raster.colours_at(first[:, None] + inside)
            found = np.array([(seen == tile).all(axis=1) for tile in self._tiles])
            on_panel = (row >= geometry.rows) | (column >= geometry.columns)
            found[self._plain :, on_panel] = False  # marks are on the board alone
            known = found.any(axis=0)
            if not known.all():
                cell = int(np.argmin(known))
                down, right = (geometry.panel or (0, 0)) if on_panel[cell] else (0, 0)
                place = int(row[cell]) - down, int(column[cell]) - right
                hint = ON_PANEL if on_panel[cell] else ""
                raise _ambiguous_cell(number, place, self._levels, hint)
            tile = found.argmax(axis=0)
            self._grid.flat[block] = tile % self._plain
            marked.append(block[tile >= self._plain])
        return np.concatenate(marked)


class LossyReader:
    """The nearest shade, where a codec has changed the pixels a little.

    The pixels deepest inside a cell are looked at, away from its edges and from marks: their light,
    which codecs keep sharper than colours, where that is enough to tell.  Of three boards each is
    seen in its own primary; of one, the levels are places on the way from unlit to lit, even ones
    but for a middle colour that is not.
    """

    def __init__(self, metadata: Metadata) -> None:
        self._geometry, self._levels = metadata.geometry, metadata.board.levels
        if self._geometry.cell == 1 and self._levels > 3:
            reason = f"one pixel in a video does not tell {self._levels} levels"
            raise AnimationError(f"{reason}; {LARGER}")
        tiles = tiles_for(metadata.look, metadata.boards, self._geometry.cell, self._levels)
        self._samples = _deepest(_unmistakable(tiles))
        shades = metadata.look.shades(metadata.boards, self._levels)
        lights, least = light_of(shades), least_step(self._levels)
        self._coloured = metadata.boards == 3
        self._by_light = not self._coloured and np.diff(np.sort(lights)).min() >= least
        colours = lights[:, None] if self._by_light else shades.astype(np.float32)
        self._unlit, lit = colours[[0, -1]]
        # What of the light, or of red, green and blue, tells how far each board is to lit.
        way = lit - self._unlit
        parts = np.diag(way) if self._coloured else way[:, None]
        if not np.abs(parts).sum(axis=0).all():
            raise AnimationError(same_colour(self._levels))
        self._told_by = parts / np.square(parts).sum(axis=0)
        self._places = None
        if self._levels > 2 and not self._coloured:
            places = ((colours - self._unlit) @ self._told_by)[:, 0]
            self._in_order = np.argsort(places).astype(np.uint8)
            self._places = places[self._in_order]
            if np.diff(self._places).min() * np.linalg.norm(way) < least:
                raise AnimationError(same_colour(self._levels))
        self.shades = np.zeros(metadata.board.shape, np.uint8)
        self.presses = None if self._geometry.panel is None else self.shades.copy()
        # Of the last frame, the board's and the panel's: uint8 (samples, planes, rows, columns).
        self._seen: dict[tuple[int, int] | None, NDArray[np.uint8]] = {}

    def see(self, number: int, raster: Raster) -> None:
        """Look at the next frame; FrameError if it shows no configuration."""
        geometry = self._geometry
        # Most codecs want even sides.
        height, width = geometry.height, geometry.width
        if raster.shape != (height, width):
            _check_shape(raster, height + height % 2, width + width % 2)
        self._look(number, raster, None, self.shades)
        if self.presses is not None:
            self._look(number, raster, geometry.panel, self.presses)

    def _look(
        self, number: int, raster: Raster, panel: tuple[int, int] | None, shades: Shades
    ) -> None:
        # Sets the shades of the board, or of the panel, where samples are not those of last time.
        planes = raster.weighed if self._by_light else np.moveaxis(raster.channels, -1, 0)
        places = (self._geometry.places(y, x, panel) for y, x in self._samples.tolist())
        seen, before = np.array([planes[:, *place] for place in places]), self._seen.get(panel)
        changed = np.ones(shades.shape, bool)
        if before is not None and before.shape == seen.shape:
            changed = (seen != before).any(axis=(0, 1))
        self._seen[panel], cells = seen, np.flatnonzero(changed)
        total = np.zeros((len(cells), len(self._told_by)), np.float32)
        for sample in seen.reshape(*seen.shape[:2], -1)[..., cells]:
            total += raster.light(sample)[:, None] if self._by_light else sample.T
        total /= np.float32(len(seen))
        total -= self._unlit
        way = total * self._told_by if self._by_light else total @ self._told_by
        hint = ON_PANEL if panel else ""
        hint += BLURRED if self._coloured else "" if self._levels == 2 else f"; {LARGER}"
        if self._places is not None:
            way = np.interp(way, self._places, np.linspace(0, 1, self._levels))
        found = _shades_on(way, self._levels, number, cells, shades.shape[1], hint)
        shades.ravel()[cells] = found if self._places is None else self._in_order[found]


class PlainReader:
    """Two colours, told apart by the light in the middle of each cell: without metadata.

    More levels are taken to be evenly spaced in light.
    """

    def __init__(self, geometry: Geometry, extremes: tuple[float, float], levels: int) -> None:
        self._geometry, (self._dark, light), self._levels = geometry, extremes, levels
        self._contrast = light - self._dark
        if self._contrast < LEAST_CONTRAST:
            raise AnimationError("its cells all look alike")
        if self._contrast < least_step(levels) * (levels - 1):
            raise AnimationError(f"its cells look too much alike for {levels} levels")
        self.shades = np.zeros((geometry.rows, geometry.columns), np.uint8)
        self.presses = None

    def see(self, number: int, raster: Raster) -> None:
        """Look at the next frame; FrameError if it shows no configuration."""
        light = light_in_cells(raster, *self.shades.shape)
        way = ((light - self._dark) / self._contrast).reshape(-1, 1)
        cells = np.arange(light.size)
        self.shades.ravel()[:] = _shades_on(way, self._levels, number, cells, light.shape[1])


CellReader = ExactReader | LossyReader | PlainReader
"""Reads a file's frames one by one: ``shades``, uint8 (rows, columns), is of the one seen last, and
likewise ``presses`` what its panel of clicks shows, None where there is no panel."""


def light_in_cells(raster: Raster, rows: int, columns: int) -> Floats:
    """The light, 0 to 255, in the middle of the cells of a frame: float32 (rows, columns)."""
    y, x = (
        (2 * np.arange(cells) + 1) * side // (2 * cells)
        for cells, side in zip((rows, columns), raster.shape, strict=True)
    )
    places = y[:, None] * raster.shape[1] + x
    return light_of(channels_of(raster.colours_at(places)))


def _cells_along(
    length: int, corner: int, cells: int, panel: int, geometry: Geometry
) -> NDArray[np.int64]:
    # The row (or column) of the grid that each of a frame's rows of pixels belongs to; -1 for none.
    # There are as many again from where a panel begins, if it is not 0.
    number, within = np.divmod(np.arange(length) - corner, geometry.pitch)
    inside = (number >= 0) & (number < cells)
    if panel:
        inside |= (number >= panel) & (number < panel + cells)
    return np.where((within < geometry.cell) & inside, number, -1)


def _by_cell(
    changed: NDArray[np.bool_], numbers: NDArray[np.int64], axis: int
) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    # Rows (or columns) of pixels taken together that are of the same cells, without those of none.
    starts = np.flatnonzero(np.diff(numbers, prepend=-2))
    inside = starts[numbers[starts] >= 0]
    together = np.logical_or.reduceat(changed, starts, axis=axis)
    return np.compress(numbers[starts] >= 0, together, axis=axis), numbers[inside]


def _check_shape(raster: Raster, height: int, width: int) -> None:
    # Is a frame as large as the metadata says?
    if raster.shape != (height, width):
        size = f"{raster.shape[1]}x{raster.shape[0]} pixels, and not {width}x{height}"
        changed = "as its metadata says; it was changed after it was made"
        raise AnimationError(f"its frames have {size} {changed}")


def _shades_on(
    way: NDArray[np.floating], levels: int, number: int, cells: Cells, columns: int, hint: str = ""
) -> Shades:
    # Shades, uint8 (cells,), of some cells whose boards are somewhere on the way from unlit, 0, to
    # lit, 1; the way is float (cells, boards).
    shades = np.zeros(len(way), np.uint8)
    for board in range(way.shape[1]):
        steps = np.clip(way[:, board], 0, 1) * (levels - 1)
        nearest = np.rint(steps)
        ambiguous = np.abs(steps - nearest) > AMBIGUOUS
        if ambiguous.any():
            place = divmod(int(cells[np.argmax(ambiguous)]), columns)
            raise _ambiguous_cell(number, place, levels, hint)
        shades += nearest.astype(np.uint8) * np.uint8(levels**board)
    return shades


def _ambiguous_cell(number: int, place: tuple[int, int], levels: int, hint: str = "") -> FrameError:
    row, column = place
    how = "neither lit nor unlit" if levels == 2 else "at no level"
    shown = f"frame {number} shows the cell in row {row}, column {column} {how}{hint}"
    return FrameError(number, shown)


def least_step(levels: int) -> int:
    """By how much neighbouring levels must differ, of 256 shades of grey, to be told apart."""
    return LEAST_CONTRAST if levels == 2 else LEAST_STEP


def same_colour(levels: int) -> str:
    """What is wrong with a look whose levels cannot be told apart."""
    cells = "lit and its unlit cells" if levels == 2 else "cells of two levels"
    return f"its {cells} look alike, on one of its boards at least"


def _check_tiles(tiles: Colours, plain: int, levels: int) -> bool:
    # Can shades be told apart, and do marks hide them?
    looks = [tile.tobytes() for tile in tiles]
    shades, marked = set(looks[:plain]), set(looks[plain:])
    if len(shades) < plain:
        raise AnimationError(same_colour(levels))
    hiding = 0 < len(marked) < plain
    if hiding and (plain > 2 or shades & marked):
        raise AnimationError(HIDDEN)
    return hiding


def _unmistakable(tiles: Tiles) -> NDArray[np.bool_]:
    # The pixels of a cell, bool (cell, cell), that show its shade alone, clicked or not.
    plain, marked = tiles.pixels[: tiles.shades], tiles.pixels[tiles.shades :]
    full: NDArray[np.bool_] = (plain == plain.max(axis=(1, 2), keepdims=True)).all(axis=0)
    if tiles.marks:
        full &= (plain == marked).all(axis=0)
    return full


def _deepest(pixels: NDArray[np.bool_]) -> NDArray[np.int64]:
    # Those farthest from all others: int (samples, 2), rows and columns.
    while np.count_nonzero(pixels) > SAMPLES:
        padded = np.pad(pixels, 1)
        sides = padded[:-2, 1:-1] & padded[2:, 1:-1] & padded[1:-1, :-2] & padded[1:-1, 2:]
        if not (pixels & sides).any():
            break
        pixels = pixels & sides
    if not pixels.any():
        raise AnimationError(HIDDEN)
    places = np.argwhere(pixels)
    return places[:: -(-len(places) // SAMPLES)]
