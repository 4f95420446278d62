"""Images of one board: as pixels, in a notebook, in a matplotlib plot."""

from base64 import b64encode
from html import escape
from io import BytesIO
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lightsanim.errors import OutputError
from lightsanim.game.levels import Lights, pack_levels
from lightsanim.look.paint import paint_frame, view_cell_pixels
from lightsanim.look.theme import Theme
from lightsanim.look.tiles import make_tiles, with_mark_colour
from lightsanim.options.choices import LEVELS
from lightsanim.options.colours import to_colour

# Approximate width of an image in pixels; colour of the frames around wrong cells.
WIDTH, WRONG = 360, "#e5267e"


class BoardView(NamedTuple):
    """A board to be drawn with its marks; arrays have shape (rows, columns)."""

    caption: str  # Caption of one line.
    lights: Lights  # Level of each cell.
    clicks: Lights | None = None  # Number of clicks on each cell, drawn as dots.
    wrong: Lights | None = None  # True for wrong cells, which are framed.
    levels: int | None = None  # Number of states of a cell; None for the smallest that fits.


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


class NotebookMixin:
    """Mixin that gives a notebook an object's text, HTML and PNG by their MIME types."""

    def _repr_png_(self) -> bytes:
        raise NotImplementedError

    def _repr_html_(self) -> str:
        raise NotImplementedError

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str | bytes]:
        html, png = self._repr_html_(), self._repr_png_()
        return {"text/plain": repr(self), "text/html": html, "image/png": png}


class BoardViewMixin(NotebookMixin):
    """Mixin that displays a result in a shell, in a notebook and in a plot."""

    def _board_view(self) -> BoardView:
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self._board_view().caption}>"

    def _repr_png_(self) -> bytes:
        from PIL import Image

        file = BytesIO()
        Image.fromarray(render_board_image(self._board_view())).save(file, "PNG")
        return file.getvalue()

    def _repr_html_(self) -> str:
        words, content = escape(self._board_view().caption), b64encode(self._repr_png_()).decode()
        return f'<img alt="{words}" src="data:image/png;base64,{content}"><br>{words}'

    def plot(self, ax: Any = None) -> Any:
        """Draw the board with matplotlib, with dots on cells to click and frames around wrong ones.

        Args:
            ax: the axes to draw on; None for a new figure.

        Returns:
            The axes.

        Raises:
            OutputError: if matplotlib is not installed.
        """
        axes, view = new_axes()[0, 0] if ax is None else ax, self._board_view()
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
