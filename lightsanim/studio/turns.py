"""Of each kind of work the newest alone: ten fast changes leave one job running.

A newer job of the same lane puts the one before it out of date.  That gets a little time to end by
itself, since a process that is killed with every movement of a slider would never show anything;
then it is killed.
"""

import asyncio
import time
from typing import Any

from lightsanim.studio.refusal import RefusedError, out_of_date
from lightsanim.studio.workers import OnProgress, Worker, WorkerDiedError, Workers

# Seconds that a job which is out of date may have run in all.
GRACE = 0.4


class Turn:
    """One job of a lane."""

    def __init__(self) -> None:
        self.out_of_date = False
        self.done = asyncio.Event()
        self.begun: float | None = None
        self.worker: Worker | None = None

    async def make_way(self) -> None:
        """Put the job out of date, and wait until it has ended."""
        self.out_of_date = True
        while not self.done.is_set():
            since = 0.0 if self.begun is None else time.monotonic() - self.begun
            if since >= GRACE and self.worker is not None:
                self.worker.kill()
                await self.done.wait()
            try:
                await asyncio.wait_for(self.done.wait(), max(0.01, GRACE - since))
            except TimeoutError:
                continue


class Turns:
    """Lanes of jobs, by name."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._newest: dict[str, Turn] = {}

    async def take(
        self,
        lane: str,
        name: str,
        *arguments: Any,
        seconds: float,
        on_progress: OnProgress | None = None,
    ) -> Any:
        """Do a job once those of its lane that came before have ended.

        When this is cancelled, nobody waits for the job any more: it is stopped.
        """
        turn, before = Turn(), self._newest.get(lane)
        self._newest[lane] = turn
        try:
            if before is not None:
                await before.make_way()
            return await self._do(turn, name, arguments, seconds, on_progress)
        except WorkerDiedError:
            if turn.out_of_date:
                raise out_of_date() from None
            raise RefusedError("the work broke off; is there memory enough for it?", 500) from None
        finally:
            turn.done.set()
            if self._newest.get(lane) is turn:
                del self._newest[lane]

    async def _do(
        self,
        turn: Turn,
        name: str,
        arguments: tuple[Any, ...],
        seconds: float,
        on_progress: OnProgress | None,
    ) -> Any:
        if turn.out_of_date:
            raise out_of_date()
        async with self._workers.worker() as worker:
            if turn.out_of_date:
                raise out_of_date()
            turn.worker, turn.begun = worker, time.monotonic()
            # What is done in time is shown, also while a slider moves on.
            return await worker.do(name, arguments, seconds, on_progress, self._workers.threads)

    async def stop(self, lane: str) -> None:
        """Stop the job of a lane, if there is one."""
        if (turn := self._newest.get(lane)) is not None:
            await turn.make_way()
