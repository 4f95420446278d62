"""Measure calls: seconds, medians of interleaved runs, and peak memory of child processes."""

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
    """The report of a child process.

    Attributes:
        result: the return value of its function.
        peak: its peak memory in bytes, including Python itself.
    """

    result: Any
    peak: int


def seconds_of(call: Callable[[], object]) -> float:
    """Return the seconds that a call takes."""
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def medians(calls: Mapping[str, Callable[[], float]], repeats: int) -> dict[str, float]:
    """Return the median result of each call, with the calls interleaved: A B C A B C A B C.

    So other work on the machine slows down all calls alike.

    >>> medians({"one": lambda: 1.0, "two": lambda: 2.0}, 3)
    {'one': 1.0, 'two': 2.0}
    """
    values: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(repeats):
        for name, call in calls.items():
            values[name].append(call())
    return {name: median(found) for name, found in values.items()}


def in_child(function: Callable[..., Any], *arguments: Any) -> Child:
    """Call a function of a module in a new process.

    Arguments and result are passed as JSON.

    Raises:
        subprocess.CalledProcessError: if the function raises; its traceback is on standard error.
    """
    command = [sys.executable, "-m", "benchmarks.child", function.__module__, function.__name__]
    done = subprocess.run(
        [*command, json.dumps(arguments)], cwd=ROOT, stdout=subprocess.PIPE, check=True
    )
    return Child(**json.loads(done.stdout.splitlines()[-1]))


def nothing() -> None:
    """Import numpy and do nothing, to measure the memory of Python with numpy."""
    import numpy  # noqa: F401
