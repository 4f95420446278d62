"""How things are measured: interleaved runs, medians, and children for the peak memory."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True, kw_only=True)
class Child:
    """What a child process reported.

    Attributes:
        result: what its function returned.
        peak: the most memory that it ever held, in bytes, Python itself included.
    """

    result: Any
    peak: int


def seconds_of(call: Callable[[], object]) -> float:
    """How long a call takes."""
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def medians(calls: Mapping[str, Callable[[], float]], repeats: int) -> dict[str, float]:
    """The median of what each call returns, called in turn: A B C A B C A B C.

    Whatever else the machine does meanwhile slows all of them down alike.

    >>> medians({"one": lambda: 1.0, "two": lambda: 2.0}, 3)
    {'one': 1.0, 'two': 2.0}
    """
    values: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(repeats):
        for name, call in calls.items():
            values[name].append(call())
    return {name: median(found) for name, found in values.items()}


def in_child(function: Callable[..., Any], *arguments: Any) -> Child:
    """Call a function of a module in a fresh process.

    Arguments and result travel as JSON.

    Raises:
        subprocess.CalledProcessError: if the function raises; its traceback is on standard error.
    """
    command = [sys.executable, "-m", "benchmarks.child", function.__module__, function.__name__]
    done = subprocess.run(
        [*command, json.dumps(arguments)], cwd=ROOT, stdout=subprocess.PIPE, check=True
    )
    return Child(**json.loads(done.stdout.splitlines()[-1]))


def nothing() -> None:
    """What a child does to show how much memory Python and numpy take alone."""
    import numpy  # noqa: F401
