"""Where boards, results and films find the functions that show and save them.

These functions import what they show, so it cannot import them.  The package connects them here.
"""

from collections.abc import Callable
from typing import Any

_load: Callable[[], Any]


def connect(load: Callable[[], Any]) -> None:
    """Set the function that imports the module with the functions, when they are first needed."""
    global _load
    _load = load


def presentation() -> Any:
    """Return the module with the functions that show and save."""
    return _load()
