"""Docstrings as Markdown, and signatures as users call them."""

import re
from typing import Any

import griffe

# An example, and all that follows it up to an empty line.
EXAMPLE = re.compile(r"(?m)^>>> .*\n?(?:.+\n?)*")

# Several arguments, or attributes, of which one line tells.
SEVERAL = re.compile(r"(?m)^( +)(\w+(?:, \w+)+): (.*)")


def as_markdown(text: str) -> str:
    """A docstring with its examples in fences, and a line for each argument.

    >>> as_markdown("Args:\\n    a, b: numbers.\\n")
    'Args:\\n    a: numbers.\\n    b: numbers.'
    """
    apart = SEVERAL.sub(
        lambda line: "\n".join(f"{line[1]}{name}: {line[3]}" for name in line[2].split(", ")), text
    )
    return EXAMPLE.sub(lambda found: f"```pycon\n{found[0].rstrip()}\n```\n", apart).rstrip()


class AsUsersSee(griffe.Extension):
    """Rewrites what griffe has read of the source."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        """Called for each object."""
        if obj.docstring:
            obj.docstring.value = as_markdown(obj.docstring.value)
