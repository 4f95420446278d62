"""Of each kind of work the newest alone: ten fast changes leave one job running.

A newer job of the same lane puts the one before it out of date.  That gets a little time to end by
itself, since a process that is killed with every movement of a slider would never show anything;
then it is killed.  What takes its place has been started before and has its libraries loaded, so
nobody waits for it.
"""

import asyncio
import multiprocessing
import os
import time
from collections.abc import Coroutine
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lightsanim.studio.requests import RefusedError
from lightsanim.system.processes import DEATH_ERRORS, Worker, stop_workers
from lightsanim.system.progress import REPORT_INTERVAL, Progress, no_progress

if TYPE_CHECKING:  # workers get along without it
    from starlette.requests import Request

# Processes at work at a time, and those that wait for work.
MOST_AT_WORK = 5
MOST_IDLE = 2

# Seconds that a job which is out of date may have run in all.
GRACE = 0.4

# By how much workers stand behind the page and the browser, as ``nice`` counts.
BEHIND = 5


class Turn:
    """One job of a lane."""

    def __init__(self) -> None:
        self.out_of_date = False
        self.done = asyncio.Event()
        self.begun = 0.0
        self.answer: asyncio.Future[Any] | None = None

    async def make_way(self) -> None:
        """Put the job out of date, and wait until it has ended."""
        self.out_of_date = True
        if self.answer is not None:  # otherwise it will not begin
            left = self.begun + GRACE - time.monotonic()
            with suppress(TimeoutError):
                await asyncio.wait_for(self.done.wait(), max(0.0, left))
            self.answer.cancel()
        await self.done.wait()


class Helper:
    """A worker, and what it tells of its job."""

    def __init__(self, folder: Path) -> None:
        self._news, theirs = multiprocessing.Pipe(duplex=False)
        self.worker = Worker(_begin, folder, theirs)

    def begin(self, job: tuple[Any, ...]) -> "asyncio.Future[Any]":
        """Begin a job, a name and arguments: what it will be answered."""
        self.tell(no_progress)  # what is left of the job before
        return asyncio.wrap_future(self.worker.submit(_answer, *job))

    def tell(self, progress: Progress) -> None:
        """Tell what is new of the job."""
        while self._news.poll():
            progress(*self._news.recv())


def _begin(folder: Path, news: Connection) -> None:
    if hasattr(os, "nice"):
        os.nice(BEHIND)
    # The server itself gets along without numpy.
    from lightsanim.studio.worker import begin

    begin(folder, news)


def _answer(*job: Any) -> Any:
    from lightsanim.studio.worker import answer

    return answer(*job)


class Turns:
    """Lanes of jobs, by name, and the processes that do them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._newest: dict[str, Turn] = {}
        self._places = asyncio.Semaphore(MOST_AT_WORK)
        self._all: set[Helper] = set()
        self._idle: list[Helper] = []
        self._start_spare()

    async def take(
        self, lane: str, *job: Any, seconds: float, on_progress: Progress = no_progress
    ) -> Any:
        """Do a job, a name and arguments, once those of its lane that came before have ended.

        When this is cancelled, nobody waits for the job any more: it is stopped.
        """
        turn, before = Turn(), self._newest.get(lane)
        self._newest[lane] = turn
        try:
            if before is not None:
                await before.make_way()
            async with self._places:
                if turn.out_of_date:
                    raise RefusedError("out of date", 409)
                return await self._do(turn, job, seconds, on_progress)
        finally:
            turn.done.set()
            if self._newest.get(lane) is turn:
                del self._newest[lane]

    async def _do(
        self, turn: Turn, job: tuple[Any, ...], seconds: float, on_progress: Progress
    ) -> Any:
        helper, is_free = self._free_helper(), False
        answer = turn.answer = helper.begin(job)
        turn.begun = time.monotonic()
        try:
            async with asyncio.timeout(seconds):
                while not answer.done():
                    await asyncio.wait({answer}, timeout=REPORT_INTERVAL)
                    helper.tell(on_progress)
            # What is done in time is shown, also while a slider moves on.
            if answer.cancelled():
                raise RefusedError("out of date", 409)
            is_free = not isinstance(answer.exception(), DEATH_ERRORS)
            return answer.result()
        except TimeoutError:
            raise RefusedError(
                f"this takes more than {seconds:g} seconds; take less", 504
            ) from None
        except DEATH_ERRORS:
            raise RefusedError("the work broke off; is there memory enough for it?", 500) from None
        finally:
            self._take_back(helper, is_free)

    def _free_helper(self) -> Helper:
        self._idle = [helper for helper in self._idle if helper.worker.is_alive]
        self._start_spare()
        helper = self._idle.pop()
        self._start_spare()
        return helper

    def _start_spare(self) -> None:
        if not self._idle:
            self._idle.append(Helper(self._folder))
            self._all.update(self._idle)

    def _take_back(self, helper: Helper, is_free: bool) -> None:
        over = [helper]
        if is_free:
            self._idle.append(helper)
            over, self._idle = self._idle[:-MOST_IDLE], self._idle[-MOST_IDLE:]
        self._start_spare()
        self._all.difference_update(over)
        workers = [helper.worker for helper in over]
        asyncio.get_running_loop().run_in_executor(None, stop_workers, workers)

    def close(self) -> None:
        """End all processes."""
        stop_workers(helper.worker for helper in self._all)


async def unless_gone(request: "Request", work: Coroutine[Any, Any, Any]) -> Any:
    """Work for a request; where nobody waits for it any more, it is stopped after a little time."""
    working, gone = asyncio.ensure_future(work), asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait({working, gone}, return_when=asyncio.FIRST_COMPLETED)
        if gone.done():
            await asyncio.wait({working}, timeout=GRACE)
            if not working.done():
                raise RefusedError("nobody waits for this any more", 499)
        return await working
    finally:
        gone.cancel()
        working.cancel()


async def _gone(request: "Request") -> None:
    # The body was read: what comes now is the end of the connection.
    while (await request.receive())["type"] != "http.disconnect":
        pass
