"""Docstrings as Markdown: our examples stand in the text, as doctest finds them."""

import re
from typing import Any

import griffe

# An example, and all that follows it up to an empty line.
EXAMPLE = re.compile(r"(?m)(?:^>>> .*\n?(?:^(?!\s*$).*\n?)*)")


def fenced(text: str) -> str:
    """A docstring with its examples in fences.

    >>> print(fenced("One.\\n\\n>>> 1 + 1\\n2"))
    One.
    <BLANKLINE>
    ```pycon
    >>> 1 + 1
    2
    ```
    """
    return EXAMPLE.sub(lambda found: f"```pycon\n{found[0].rstrip()}\n```\n", text).rstrip()


class Examples(griffe.Extension):
    """Puts the examples of every docstring in fences."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        """Called for each object that griffe has read."""
        if obj.docstring:
            obj.docstring.value = fenced(obj.docstring.value)
