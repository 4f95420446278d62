"""What the commands say: on standard error how it went, on standard output what was asked for."""

from __future__ import annotations

import json
import sys
from typing import Any

from lightsanim.options.outputs import Messages
from lightsanim.reports.in_words import printable

# Characters of a message, which may hold what a file says, and of its end.
LONGEST, END = 2000, 300


def say(text: str) -> None:
    """Print to standard error, if there is one that takes it."""
    if sys.stderr is not None:
        try:
            print(text, file=sys.stderr, flush=True)
        except OSError:  # the reader is gone
            sys.stderr = None


def tell(messages: Messages, *lines: str) -> None:
    """Print lines to standard error, if there are any and they are wanted."""
    if lines and not messages.quiet:
        say("\n".join(lines))


def say_error(message: str) -> None:
    """Print one line that says what went wrong; the middle of a very long one is left out."""
    if len(message) > LONGEST:
        message = f"{message[: LONGEST - END]}...{message[-END:]}"
    say(f"lightsanim: {printable(message)}")


def print_json(facts: dict[str, Any]) -> None:
    """Print a JSON object to standard output."""
    print(json.dumps(facts, allow_nan=False), flush=True)
