"""Trying mutants: in forks of one process that has collected all tests."""

import gc
import importlib.machinery
import signal
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest

from mutation.forks import RAISED, Forks, silence
from mutation.mutants import NOBODY, Mutant
from mutation.tests import SHARED, Measured, Plugin, Tests, first_failure, measured_tests, places

OPTIONS = ["-q", "-s", "-p", "no:cacheprovider", "-p", "no:xdist", "--tb=no", "--no-header"]
OPTIONS += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
OPTIONS += ["-o", "tmp_path_retention_policy=none"]

OUT_OF_TIME = (-signal.SIGPROF, -signal.SIGALRM)

Note = Callable[[Mutant, str, str], None]
"""Told a mutant, its verdict and the test that noticed it."""


class Trials(Plugin):
    """Exchanges the code of functions that live.

    What runs on import, and functions that cannot be exchanged, are left to `try_anew`.

    Args:
        mutants: to try.
        package: the folder of the package.
        kept: where the measures of tests are.
        jobs: forks at a time.
        seconds: of tests for each mutant.
        slowest: seconds of the slowest test that is asked.
        note: told of each.
    """

    def __init__(
        self,
        mutants: Sequence[Mutant],
        *,
        package: Path,
        kept: Path,
        jobs: int,
        seconds: float,
        slowest: float,
        note: Note,
    ) -> None:
        super().__init__()
        self.mutants, self.package, self.kept, self.note = mutants, package, kept, note
        self.jobs, self.seconds, self.slowest = jobs, seconds, slowest
        self.tests = Tests({})
        self.left = [mutant for mutant in mutants if mutant.owner == NOBODY]

    def loop(self, session: Any) -> None:
        """Measure the tests, then try one mutant after the other."""
        items = [item for item in session.items if not SHARED & set(item.fixturenames)]
        session.config._tmp_path_factory.getbasetemp()  # one for all forks
        measured = measured_tests(items, self.failures, self.package, self.kept)
        for name, test in measured.items():
            if not test.works:
                print("fails when nothing is changed:", name)
        asked = {n: t for n, t in measured.items() if t.works and t.seconds <= self.slowest}
        self.tests = Tests(asked)
        print(f"{len(asked)} tests of {sum(t.seconds for t in asked.values()):.0f} s", flush=True)
        self.items = {item.nodeid: item for item in items}
        self.functions = _living(self.package)
        gc.collect()
        gc.freeze()
        forks = Forks(self.jobs)
        for mutant in self.mutants:
            if mutant.owner != NOBODY:
                self._try(mutant, forks)
        forks.finish()

    def _try(self, mutant: Mutant, forks: Forks) -> None:
        chosen = [self.items[name] for name in self.tests.of(mutant, self.seconds)]
        if not chosen:
            self.note(mutant, "survived", "")
            return

        def work() -> bytes:
            self._exchange(mutant)
            silence()
            return first_failure(chosen, self.failures, self.tests.measured)

        def done(status: int, by: bytes) -> None:
            if status == RAISED:
                self.left.append(mutant)
                return
            self.note(mutant, *_verdict(status, by))
            if by:
                self.tests.killers[mutant.path, mutant.owner[0]].append(by.decode())

        forks.start(work, done)

    def _exchange(self, mutant: Mutant) -> None:
        path = str(self.package / mutant.path)
        (code,) = (
            code
            for code in _codes(compile(mutant.source, path, "exec"))
            if (code.co_qualname, code.co_firstlineno) == mutant.owner
        )
        for function in self.functions[path, *mutant.owner]:
            function.__code__ = code


class _Anew(Plugin):
    # Of a fork that imports everything itself.
    def __init__(self, chosen: Sequence[str], measured: dict[str, Measured]) -> None:
        super().__init__()
        self.order = {name: place for place, name in enumerate(chosen)}
        self.measured, self.by = measured, b""

    def loop(self, session: Any) -> None:
        """Ask the chosen tests, and those that are not there when nothing is changed."""
        if session.testsfailed:
            self.by = b"the import"
            return
        items = [
            i for i in session.items if i.nodeid in self.order or i.nodeid not in self.measured
        ]
        items = [item for item in items if not SHARED & set(item.fixturenames)]
        items.sort(key=lambda item: self.order.get(item.nodeid, len(self.order)))
        self.by = first_failure(items, self.failures, self.measured)


def try_anew(
    mutants: Sequence[Mutant],
    tests: Tests,
    *,
    package: Path,
    jobs: int,
    seconds: float,
    note: Note,
) -> None:
    """Try mutants in forks that import the changed file; this process must not have done so."""
    forks = Forks(jobs)
    for mutant in mutants:
        chosen = tests.of(mutant, seconds)
        if not chosen:
            note(mutant, "survived", "")
            continue

        def work(mutant: Mutant = mutant, chosen: list[str] = chosen) -> bytes:
            silence()
            signal.setitimer(signal.ITIMER_PROF, 60)
            _change_import(mutant, package)
            plugin = _Anew(chosen, tests.measured)
            # Of our files the folder: one that is named itself, pytest compiles in its own way.
            files = {name.split("::")[0] for name in chosen}
            files = {str(Path(f).parent) if f.startswith(package.name) else f for f in files}
            status = pytest.main([*OPTIONS, *sorted(files)], plugins=[plugin])
            return plugin.by or (b"" if status in (0, 5) else b"the import")

        forks.start(work, lambda status, by, mutant=mutant: note(mutant, *_verdict(status, by)))
    forks.finish()


def collect(plugin: Plugin) -> None:
    """Let pytest collect the tests, for a plugin that does with them what it wants."""
    status = pytest.main([*OPTIONS, *places()], plugins=[plugin])
    if status not in (0, 5):
        raise RuntimeError(f"pytest ended with {status}")


def _verdict(status: int, by: bytes) -> tuple[str, str]:
    if status in OUT_OF_TIME:
        return "out of time", ""
    if status:
        return "killed", f"a crash with {status}"
    return ("killed", by.decode()) if by else ("survived", "")


def _living(package: Path) -> dict[tuple[str, str, int], list[FunctionType]]:
    found: dict[tuple[str, str, int], list[FunctionType]] = defaultdict(list)
    for thing in gc.get_objects():
        if isinstance(thing, FunctionType):
            code = thing.__code__
            found[code.co_filename, code.co_qualname, code.co_firstlineno].append(thing)
    return {key: things for key, things in found.items() if key[0].startswith(str(package))}


def _codes(code: CodeType) -> Iterator[CodeType]:
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield part
            yield from _codes(part)


def _change_import(mutant: Mutant, package: Path) -> None:
    loader, path = importlib.machinery.SourceFileLoader, package / mutant.path
    usual = loader.get_code

    def get_code(self: Any, name: str) -> CodeType | None:
        if Path(self.path) == path:
            return compile(mutant.source, str(path), "exec")
        return usual(self, name)

    loader.get_code = get_code  # type: ignore[method-assign]
