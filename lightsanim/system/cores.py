"""The number of cores that this process may use."""

import math
import os
from pathlib import Path

_limit: int | None = None


def limit_cores(count: int) -> None:
    """Limit this process to ``count`` cores, so that other processes can use the rest."""
    global _limit
    _limit = count


def core_limit() -> int | None:
    """Return the limit set by `limit_cores`; None if there is none."""
    return _limit


def max_cores() -> int:
    """Return the limit of `limit_cores`, or how many cores affinity and control groups allow."""
    if _limit:
        return _limit
    if hasattr(os, "process_cpu_count"):  # since Python 3.13
        granted = os.process_cpu_count()
    elif hasattr(os, "sched_getaffinity"):
        granted = len(os.sched_getaffinity(0))
    else:
        granted = os.cpu_count()
    return max(1, math.ceil(min(granted or 1, cgroup_core_quota())))


def cgroup_core_quota(
    mount: Path = Path("/sys/fs/cgroup"), own_groups: Path = Path("/proc/self/cgroup")
) -> float:
    """Return the number of cores that Linux control groups allow; infinity without a limit."""
    quota = math.inf
    for line in _read_lines(own_groups):
        _, controllers, path = line.split(":", 2)
        version_1 = "cpu" in controllers.split(",")
        if controllers and not version_1:
            continue
        root = mount / "cpu" if version_1 else mount
        group = root / path.lstrip("/")
        for folder in [group, *group.parents]:
            files = ["cpu.cfs_quota_us", "cpu.cfs_period_us"] if version_1 else ["cpu.max"]
            lines = [line for name in files for line in _read_lines(folder / name)]
            numbers = " ".join(lines).split()
            if len(numbers) == 2 and numbers[0].isdigit():  # "max" and -1 mean no limit
                quota = min(quota, int(numbers[0]) / int(numbers[1]))
            if folder == root:
                break
    return quota


def _read_lines(path: Path) -> list[str]:
    try:
        return path.read_text().splitlines()
    except OSError:
        return []
