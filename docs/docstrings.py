"""Convert docstrings to Markdown for the reference (an extension of griffe)."""

import re
from typing import Any

import griffe

# An example, with all lines up to the next empty line.
EXAMPLE = re.compile(r"(?m)^>>> .*\n?(?:.+\n?)*")

# A line that describes several arguments or attributes.
SEVERAL = re.compile(r"(?m)^( +)(\w+(?:, \w+)+): (.*)")


def as_markdown(text: str) -> str:
    """Return a docstring with fenced examples, and with one line per argument.

    >>> as_markdown("Args:\\n    a, b: numbers.\\n")
    'Args:\\n    a: numbers.\\n    b: numbers.'
    """
    apart = SEVERAL.sub(
        lambda line: "\n".join(f"{line[1]}{name}: {line[3]}" for name in line[2].split(", ")), text
    )
    return EXAMPLE.sub(lambda found: f"```pycon\n{found[0].rstrip()}\n```\n", apart).rstrip()


class AsUsersSee(griffe.Extension):
    """An extension of griffe that converts the docstrings it has read."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        """Convert the docstring of an object; griffe calls this for each object."""
        if obj.docstring:
            obj.docstring.value = as_markdown(obj.docstring.value)
