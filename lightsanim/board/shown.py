"""Boards and results that show themselves: in one line, in a notebook, and in a plot."""

from typing import Any

from lightsanim.look.board_image import Seen, html_of, plot_of


class Shown:
    """What is shown by its picture and one line."""

    def _seen(self) -> Seen:
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self._seen().words}>"

    def _repr_html_(self) -> str:
        return html_of(self._seen())

    def plot(self, ax: Any = None) -> Any:
        """Show it with matplotlib, which must be installed.

        Dots are on the cells to click, and frames around wrong cells.

        Args:
            ax: matplotlib's axes to draw on; None for a figure of its own.

        Returns:
            The axes.

        Raises:
            OutputError: without matplotlib.
        """
        return plot_of(self._seen(), ax)


def told_count(count: int, what: str, bound: int, best: str = "fewest") -> str:
    """A number and whether it is proven to be the best.

    >>> told_count(15, "clicks", 15), told_count(1, "clicks", 0)
    ('15 clicks, proven the fewest', '1 click, 0 or more proven')
    """
    told = f"{count:,} {what if count != 1 else what.replace('s', '', 1)}"
    limit = f"{bound:,} or {'more' if bound < count else 'fewer'} proven"
    return f"{told}, {f'proven the {best}' if bound == count else limit}"
