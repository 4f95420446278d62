"""The tests: how long each takes, which lines it runs, and which to ask about a mutant."""

import gc
import pickle
import signal
import time
import warnings
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import coverage
import hypothesis
import pytest

from mutation.forks import forked
from mutation.mutants import NOBODY, Mutant

# The tests of a room are asked first, then all others that stay in this process.
NEAR = {
    "algebra": ["algebra"],
    "board": ["board", "rules", "text"],
    "solve": ["solve", "search", "parts", "pose", "solve_command", "rules"],
    "animate": ["animate", "order", "recipe", "verify"],
}
OTHERS = ["pipeline", "puzzles", "render", "stills"]

# Fixtures that several tests share would be made anew for each mutant.
SHARED = {"photographs", "browser", "mess", "read"}


@dataclass(frozen=True)
class Measured:
    """A test when nothing is changed.

    Attributes:
        works: whether it succeeds.
        seconds: of processor time.
        lines: that it runs, of each of the package's files.
    """

    works: bool
    seconds: float
    lines: dict[str, list[int]]


@dataclass
class Tests:
    """What to ask about a mutant.

    Attributes:
        measured: every test that may be asked.
        by_line: the tests that run a line of a file.
        killers: tests that noticed mutants of a function, the latest last.
    """

    measured: dict[str, Measured]
    by_line: dict[tuple[str, int], list[str]] = field(default_factory=dict)
    killers: dict[tuple[str, str], list[str]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        for name, test in self.measured.items():
            for path, lines in test.lines.items():
                for line in lines:
                    self.by_line.setdefault((path, line), []).append(name)

    def of(self, mutant: Mutant, seconds: float) -> list[str]:
        """Those that run a mutant, as many as fit in so much time: first those that noticed others
        of its function, then the room's own, and of these those that run little else.
        """
        if mutant.owner == NOBODY:
            names = {name for name, test in self.measured.items() if mutant.path in test.lines}
        else:
            lines = range(mutant.line, mutant.last + 1)
            names = {name for n in lines for name in self.by_line.get((mutant.path, n), ())}
        lately = self.killers[mutant.path, mutant.owner[0]][-3:]
        near = tuple(f"tests/test_{name}.py" for name in NEAR[mutant.path.split("/")[0]])
        near += (f"lightsanim/{mutant.path}",)
        chosen, spent = list[str](), 0.0
        for name in sorted(
            names,
            key=lambda n: (n not in lately, not n.startswith(near), self._size(n)),
        ):
            spent += self.measured[name].seconds
            if chosen and spent > seconds:
                break
            chosen.append(name)
        return chosen

    def _size(self, name: str) -> int:
        return sum(map(len, self.measured[name].lines.values()))


class Failures:
    """A pytest plugin that remembers whether a test failed."""

    def __init__(self) -> None:
        self.failed = False

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Pytest's hook."""
        self.failed |= report.failed


def first_failure(items: Sequence[Any], failures: Failures, measured: dict[str, Measured]) -> bytes:
    """The name of the first test that fails, or nothing; killed by a signal out of time."""
    for item, following in zip(items, [*items[1:], None], strict=True):
        usual = measured[item.nodeid].seconds if item.nodeid in measured else 1.0
        # Of processor time, and if it only waits, of the clock's.
        signal.setitimer(signal.ITIMER_PROF, 1.5 + 5 * usual)
        signal.setitimer(signal.ITIMER_REAL, 40 + 30 * usual)
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if failures.failed:
            return str(item.nodeid).encode()
    return b""


def measured_tests(
    items: Sequence[Any], failures: Failures, package: Path, kept: Path
) -> dict[str, Measured]:
    """Each test's measure, from the file where they are kept or by running it in a fork."""
    known: dict[str, Measured] = pickle.loads(kept.read_bytes()) if kept.exists() else {}
    new = [item for item in items if item.nodeid not in known]
    if new:
        known |= pickle.loads(forked(lambda: pickle.dumps(_measure(new, failures, package))))
        kept.write_bytes(pickle.dumps(known))
    return {item.nodeid: known[item.nodeid] for item in items}


def _measure(items: Sequence[Any], failures: Failures, package: Path) -> dict[str, Measured]:
    found = {}
    for item in items:
        _forget()
        seen = coverage.Coverage(data_file=None, config_file=False, include=[f"{package}/*"])
        start = time.process_time()
        failures.failed = False
        with seen.collect():
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        seconds = time.process_time() - start
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a test that runs none of our lines
            data = seen.get_data()
        found[item.nodeid] = Measured(
            works=not failures.failed,
            seconds=seconds,
            lines={
                Path(path).relative_to(package).as_posix(): data.lines(path) or []
                for path in data.measured_files()
            },
        )
    return found


def _forget() -> None:
    # What is kept in a cache would not seem to be run by the second test that asks for it.
    for thing in gc.get_objects():
        if type(thing).__name__ == "_lru_cache_wrapper" and "lightsanim" in str(thing.__module__):
            thing.cache_clear()


def use_plain_hypothesis() -> None:
    """The same examples every time, and no time lost on making a failure small."""
    hypothesis.settings.register_profile(
        "mutants",
        deadline=None,
        derandomize=True,
        database=None,
        phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    hypothesis.settings.load_profile("mutants")


def places() -> list[str]:
    """What pytest collects."""
    rooms = [f"lightsanim/{room}" for room in NEAR]
    names = dict.fromkeys([*(name for names in NEAR.values() for name in names), *OTHERS])
    return rooms + [f"tests/test_{name}.py" for name in names]


class Plugin:
    """A pytest plugin whose `loop` takes the place of running all tests."""

    def __init__(self) -> None:
        self.failures = Failures()

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: Any) -> None:
        """Pytest's hook; by now conftest.py has chosen its own settings."""
        use_plain_hypothesis()
        session.config.pluginmanager.register(self.failures)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: Any) -> bool:
        """Pytest's hook."""
        self.loop(session)
        return True

    def loop(self, session: Any) -> None:
        """What to do with the tests that were collected."""
        raise NotImplementedError
