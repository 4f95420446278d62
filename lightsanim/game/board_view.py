"""What a board or a result shows of itself: in a shell, in a notebook, in a matplotlib plot."""

from base64 import b64encode
from html import escape
from typing import Any, NamedTuple

from .levels import Lights
from .showing import presentation


class BoardView(NamedTuple):
    """A board to be drawn with its marks; arrays have shape (rows, columns)."""

    caption: str  # Caption of one line.
    lights: Lights  # Level of each cell.
    clicks: Lights | None = None  # Number of clicks on each cell, drawn as dots.
    wrong: Lights | None = None  # True for wrong cells, which are framed.
    levels: int | None = None  # Number of states of a cell; None for the smallest that fits.


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
        return presentation().board_png(self._board_view())

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
        return presentation().plot_board(self._board_view(), ax)
