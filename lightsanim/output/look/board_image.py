"""Images of one board: as pixels, in a notebook, in a matplotlib plot."""

from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightsanim.errors import OutputError
from lightsanim.game.board_view import BoardView
from lightsanim.game.levels import pack_levels
from lightsanim.options.choices import LEVELS
from lightsanim.options.colours import to_colour
from .paint_board import paint_frame, view_cell_pixels
from .theme import Theme
from .tiles import make_tiles, with_mark_colour

# Approximate width of an image in pixels; colour of the frames around wrong cells.
WIDTH, WRONG = 360, "#e5267e"


def render_board_image(view: BoardView) -> NDArray[np.uint8]:
    """Draw a board as an image, uint8 (height, width, 3)."""
    lights = view.lights
    clicks = np.zeros_like(lights) if view.clicks is None else view.clicks
    highest = max(int(lights.max()), int(clicks.max()))
    levels = view.levels or next(q for q in LEVELS if q > highest)
    theme = with_mark_colour(Theme(width=WIDTH), levels=levels)
    geometry = theme.geometry(*lights.shape)
    tiles = make_tiles(theme, 1, geometry.cell, levels, presses=int(clicks.max()))
    shades = pack_levels(lights, levels) + np.uint16(tiles.shades) * clicks.astype(np.uint8)
    pixels = paint_frame(shades, geometry, tiles.map_colours(tiles.colours))
    if view.wrong is not None:
        frame = max(1, geometry.cell // 8)
        is_edge = np.ones((geometry.cell, geometry.cell), bool)
        is_edge[frame:-frame, frame:-frame] = False
        cells = view_cell_pixels(pixels, geometry)
        cells[view.wrong[..., None, None] & is_edge] = to_colour(WRONG).rgb
    return pixels


def board_png(view: BoardView) -> bytes:
    """Return the PNG file of a board's image."""
    from PIL import Image

    file = BytesIO()
    Image.fromarray(render_board_image(view)).save(file, "PNG")
    return file.getvalue()


def plot_board(view: BoardView, ax: Any) -> Any:
    """Draw a board on axes of matplotlib, or on new ones if ``ax`` is None, and return them."""
    axes = new_axes()[0, 0] if ax is None else ax
    show_on_axes(axes, render_board_image(view), view.caption)
    return axes


def new_axes(count: int = 1, **figure: Any) -> Any:
    """Return ``count`` axes side by side in a new figure, as an object array (1, count)."""
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise OutputError("plot needs matplotlib; install it: pip install matplotlib") from error
    return pyplot.subplots(1, count, squeeze=False, layout="constrained", **figure)[1]


def show_on_axes(axes: Any, pixels: NDArray[np.uint8], title: str) -> None:
    """Show an image on axes under a title."""
    axes.imshow(pixels, interpolation="antialiased")
    axes.set_title(title, fontsize="medium")
    axes.set_axis_off()
