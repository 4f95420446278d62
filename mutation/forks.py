"""Work in forks of this process, several at a time."""

import os
import resource
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, NoReturn

# That a fork may take beyond what it starts with: some mutants count to a trillion.  In octets.
MEMORY = 3 << 30

# The exit status of a fork whose work raised an exception.
RAISED = 3

Work = Callable[[], bytes]
Done = Callable[[int, bytes], None]
"""Told the exit status of a fork, below 0 a signal's, and what its work returned."""


@dataclass
class Forks:
    """Forks of this process; `start` waits where there are enough."""

    jobs: int
    memory: int = MEMORY
    _running: dict[int, tuple[IO[bytes], Done]] = field(default_factory=dict)

    def start(self, work: Work, done: Done) -> None:
        """Do some work in a fork."""
        if len(self._running) >= self.jobs:
            self._wait()
        notes = tempfile.TemporaryFile()  # noqa: SIM115
        child = os.fork()
        if child == 0:
            _work(work, notes, self.memory)
        self._running[child] = notes, done

    def finish(self) -> None:
        """Wait for all of them."""
        while self._running:
            self._wait()

    def _wait(self) -> None:
        child, status = os.wait()
        notes, done = self._running.pop(child)
        with notes:
            notes.seek(0)
            done(os.waitstatus_to_exitcode(status), notes.read())


def forked(work: Work) -> bytes:
    """What some work returns that is done in a fork, which may take all memory there is."""
    answers: list[tuple[int, bytes]] = []
    forks = Forks(1, memory=0)
    forks.start(work, lambda *answer: answers.append(answer))
    forks.finish()
    ((status, answer),) = answers
    if status:
        raise RuntimeError(f"the fork ended with {status}: see the log")
    return answer


def silence() -> None:
    """Let what this process says from now on go nowhere."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)


def _work(work: Work, notes: IO[bytes], memory: int) -> NoReturn:
    status = RAISED
    try:
        for alarm in (signal.SIGPROF, signal.SIGALRM):
            signal.signal(alarm, signal.SIG_DFL)
        if memory:
            used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
            resource.setrlimit(resource.RLIMIT_AS, (used + memory, used + memory))
        notes.write(work())
        notes.flush()
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        os._exit(status)
