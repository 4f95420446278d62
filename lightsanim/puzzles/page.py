"""A web page on which one plays the Abbott's Window: one file, no network.

It looks like the player's page, whose style it includes; what is its own is in ``templates/``.
"""

import json
from functools import lru_cache
from importlib.resources import files

from lightsanim.errors import OptionError
from lightsanim.web.pages import pages

# Where the best windows are kept; `abbott` found and proved each.
WINDOWS = "windows.json"


def abbott_page(n: int = 8) -> str:
    """The page as text, opened at a window of ``n`` x ``n`` panes.

    >>> "The Abbott" in abbott_page()
    True
    """
    windows = best_windows()
    if n not in windows:
        raise OptionError(
            f"the page has windows from {min(windows)} x {min(windows)} to "
            f"{max(windows)} x {max(windows)} panes, not {n} x {n}"
        )
    templates = pages("lightsanim.puzzles", "lightsanim.web")
    return templates.get_template("abbott.html.j2").render(windows=windows, first=n)


@lru_cache(maxsize=1)
def best_windows() -> dict[int, list[str]]:
    """A window with the most lit panes for each N, as rows of 0 and 1 (1 = lit).

    >>> best_windows()[4]
    ['1111', '1001', '1001', '1111']
    """
    text = (files("lightsanim.puzzles") / WINDOWS).read_text(encoding="utf-8")
    return {int(n): rows for n, rows in json.loads(text).items()}
