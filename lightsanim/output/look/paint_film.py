"""Paint the frames of a film; only the cells changed since the previous frame are redrawn."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightsanim.errors import AnimationError, OptionError
from lightsanim.film.animation import Animation
from lightsanim.film.timing import durations_to_ticks
from lightsanim.game.levels import Shades
from lightsanim.options.colours import Colours, to_spot
from .paint_board import paint_frame, pixel_extent_of_cells, view_cell_pixels
from .theme import FrameGeometry, Theme
from .tiles import Pixels, Tiles, make_tiles

OnFrame = Callable[[], None]
"""Function that is called after each frame is written."""


@dataclass(frozen=True, kw_only=True)
class Frame:
    """A painted frame, and the box of pixels in which it differs from the previous one."""

    # Pixels, uint8 (height, width) or (height, width, channels); all frames modify the same array.
    pixels: Pixels
    box: tuple[slice, slice]  # rows and columns of pixels that changed

    @property
    def changed_pixels(self) -> Pixels:
        """Pixels inside the box."""
        return self.pixels[self.box]


def theme_for(animation: Animation, theme: Theme) -> Theme:
    """Return a theme with the spot colours and the panel that an animation was made with."""
    settings = animation.origin.settings if animation.origin else {}
    spot: Any = settings.get("spot") or False
    try:
        colours = to_spot(spot)
    except OptionError as error:
        raise AnimationError(f"its record of spot colours is damaged: {error}") from None
    if isinstance(colours, Colours) and len(colours) != animation.board.levels:
        raise AnimationError(f"its record has {len(colours)} spot colours, not one for each level")
    theme = theme.with_spot_colours(colours)
    return theme.with_click_totals() if settings.get("clicks_picture") else theme


def geometry_of(animation: Animation, theme: Theme) -> FrameGeometry:
    """Return the pixel positions of an animation's cells when drawn with a theme."""
    return theme.geometry(*animation.board.shape)


def frame_layout(animation: Animation, theme: Theme) -> tuple[FrameGeometry, Tiles]:
    """Return `geometry_of` an animation, and the tiles (small images of cells) that draw it."""
    geometry = geometry_of(animation, theme)
    return geometry, make_tiles(theme, animation.boards, geometry.cell, animation.board.levels)


def paint_frames(
    animation: Animation, geometry: FrameGeometry, tiles: Tiles, unchanged: int | None = None
) -> Iterator[Frame]:
    """Yield the painted frames; pixels that did not change become ``unchanged`` if it is set."""
    shades, _ = next(animation.changes())
    pixels = paint_frame(shades, geometry, tiles)
    view = view_cell_pixels(pixels, geometry)
    yield Frame(pixels=pixels, box=(slice(0, geometry.height), slice(0, geometry.width)))
    if unchanged is not None:
        pixels[:] = unchanged
    for rows, columns, numbers in redrawn_cells(animation, geometry, tiles):
        view[rows, columns] = tiles.pixels[numbers]
        yield Frame(pixels=pixels, box=pixel_extent_of_cells(rows, columns, geometry))
        if unchanged is not None:
            view[rows, columns] = unchanged


def paint_patches(
    animation: Animation,
    geometry: FrameGeometry,
    tiles: Tiles,
    unchanged: int | None,
    tick_rate: int,  # Ticks per second.
    on_frame: OnFrame,
) -> Iterator[tuple[Frame, int]]:
    """Yield `paint_frames`, each with its duration in ticks; report each when it is written."""
    frames = paint_frames(animation, geometry, tiles, unchanged)
    delays = durations_to_ticks(animation.durations(), tick_rate)
    for frame, delay in zip(frames, delays, strict=True):
        yield frame, int(delay)
        on_frame()


def redrawn_cells(
    animation: Animation, geometry: FrameGeometry, tiles: Tiles
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[Any]]]:
    """Yield each frame's redrawn cells: rows, columns, tiles; of repeated cells the last counts."""
    held_frames, marked = dict(animation.holds), np.zeros(0, np.int64)
    before = np.zeros(animation.board.shape, np.uint8)  # presses shown by the click panel
    pairs = [(number, number - 1) for number in range(1, len(animation))]
    panel = panel_presses(animation, pairs, total=geometry.shows_total)
    for number, (shades, touched) in enumerate(islice(animation.changes(), 1, None), start=1):
        if tiles.has_marks:  # also redraw cells that lose their marks; held frames show pictures
            unmarked = marked
            marked = unmarked[:0] if number in held_frames else animation.pressed_at(number)
            touched = np.concatenate([touched, unmarked, marked])
        rows, columns = np.divmod(touched, geometry.columns)
        numbers: NDArray[Any] = shades[rows, columns].astype(np.uint16)
        if len(marked):
            numbers[len(numbers) - len(marked) :] += np.uint16(tiles.shades)
        if geometry.panel is not None:
            presses, (down, right) = next(panel), geometry.panel
            below, beside = np.nonzero(presses != before)
            rows = np.concatenate([rows, below + down])
            columns = np.concatenate([columns, beside + right])
            numbers, before = np.concatenate([numbers, presses[below, beside]]), presses
        yield rows, columns, numbers


def paint_selected_frames(
    animation: Animation, numbers: Sequence[tuple[int, int]], geometry: FrameGeometry, tiles: Tiles
) -> Iterator[Pixels]:
    """Yield pixels for each (frame, since); the panel shows what `panel_presses` yields."""
    held_frames, presses = dict(animation.holds), None
    panel = panel_presses(animation, numbers, total=geometry.shows_total)
    changes = animation.changes([number for number, _ in numbers])
    for (number, _), (shades, _) in zip(numbers, changes, strict=True):
        if geometry.panel is not None:
            presses = next(panel)
        numbered: NDArray[Any] = shades.astype(np.uint16)
        if tiles.has_marks and number not in held_frames:
            numbered.flat[animation.pressed_at(number)] += tiles.shades
        yield paint_frame(numbered, geometry, tiles, presses)


def panel_presses(
    animation: Animation, numbers: Sequence[tuple[int, int]], *, total: bool
) -> Iterator[Shades]:
    """Yield `Animation.presses_between` for each (frame, since), with ``total`` since frame 0."""
    if not total:
        return (animation.presses_between(since, number) for number, since in numbers)
    # The total is a film of the same clicks on a board where each changes only its own cell.
    board, first = replace(animation.board, rule="1"), np.zeros_like(animation.first)
    film = replace(animation, board=board, first=first, targets=(), pictures=(), origin=None)
    return (presses.copy() for presses, _ in film.changes([number for number, _ in numbers]))
