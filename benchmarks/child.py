"""The child process of `benchmarks.measure.in_child`: call a function and report its memory."""

import importlib
import json
import re
import resource
import sys
from pathlib import Path


def main() -> None:
    """Call a function, given as ``module function arguments``, and print its result as JSON."""
    module, name, arguments = sys.argv[1:]
    function = getattr(importlib.import_module(module), name)
    result = function(*json.loads(arguments))
    print(json.dumps({"result": result, "peak": peak_memory()}))


def peak_memory() -> int:
    """Return the peak memory of this process, in bytes.

    Linux reports it as VmHWM; ru_maxrss also counts the memory of the parent when it forked.
    """
    status = Path("/proc/self/status")
    if status.exists():
        found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text())
        if found:
            return int(found[1]) * 1024
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


if __name__ == "__main__":
    main()
