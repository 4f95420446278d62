"""The workers of a Dask cluster, on any number of machines.

A task carries its pictures and its outcome the finished files, all as octets: the machines need no
file system in common, only the same lightsanim.  Dask gives the tasks of a lost worker to another.
"""

import asyncio
import logging
import pickle
import secrets
import threading
import time
import warnings
from collections.abc import Generator, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from lightsanim.batch.folder import pack
from lightsanim.batch.job import Task
from lightsanim.batch.workers import TRIES, Outcome, carry_out, given_up
from lightsanim.cores import limit_cores
from lightsanim.errors import ClusterError
from lightsanim.version import __version__

if TYPE_CHECKING:
    from distributed import Client
    from distributed import Future as Promise

# Seconds that a scheduler has to answer.
PATIENCE = 8

# Seconds without any worker, after which nobody is waited for any longer.
LONELY = 60.0

# Seconds between two looks at what has become of the tasks.
INTERVAL = 0.5


def outcomes_on(address: str, tasks: Iterator[Task]) -> Generator[Outcome]:
    """Run tasks on the workers of a Dask scheduler.

    Args:
        address: of the scheduler, such as ``tcp://10.0.0.1:8786``.
        tasks: with their pictures; taken one by one, as workers become free.

    Yields:
        The outcome of each task with its files, as it is finished.

    Raises:
        ClusterError: if the scheduler does not answer, is of another version, is lost, or stays
            without workers.
    """
    with _muted(), _connected(address) as client:
        flying: dict[Promise, Task] = {}
        unlimited: list[str] = []
        news = threading.Event()
        accompanied = time.monotonic()
        while True:
            threads = sum(client.nthreads().values())
            accompanied = time.monotonic() if threads else accompanied
            if time.monotonic() - accompanied > LONELY:
                raise ClusterError(
                    f"the scheduler at {address} has had no worker for {LONELY:g} seconds; "
                    f"start one with: dask worker {address}"
                )
            # No task waits beside another: if that one kills the worker, both are suspected.
            while len(flying) < max(1, threads) and (task := next(tasks, None)):
                future = _submit(client, task)
                future.add_done_callback(lambda future: news.set())
                flying[future] = replace(task, pictures=())
                unlimited.append(future.key)
            if not flying:
                return
            _limit(client, unlimited)
            unlimited.clear()
            news.wait(INTERVAL)
            news.clear()
            for future, outcome in _outcomes(flying):
                del flying[future]
                future.release()
                yield outcome


def carry_out_there(payload: bytes, version: str) -> bytes:
    """On a worker: run a pickled task; the outcome, pickled too, carries the files."""
    task = pickle.loads(payload)
    if version != __version__:
        reason = f"a worker runs lightsanim {__version__}, not {version}; install the same there"
        return pickle.dumps(Outcome(task=replace(task, pictures=()), error=reason))
    limit_cores(1)  # its neighbours are Dask's business
    with TemporaryDirectory(prefix="lightsanim-") as scratch:
        folder = Path(scratch) / "task"
        outcome = carry_out(task, folder, lambda stage, share, note: None)
        return pickle.dumps(replace(outcome, files=pack(folder) if not outcome.error else None))


def _submit(client: "Client", task: Task) -> "Promise":
    # Octets are opaque to Dask.  The name is new for each run: Dask remembers failures by it.
    name = f"lightsanim-{task.id[:12]}-{secrets.token_hex(4)}"
    payload = pickle.dumps(task)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pictures are large, for a graph of tasks
        return client.submit(carry_out_there, payload, __version__, key=name, pure=False)


def _outcomes(flying: dict["Promise", Task]) -> Iterator[tuple["Promise", Outcome]]:
    # Of the tasks that are finished.
    from distributed import KilledWorker

    for future, task in list(flying.items()):
        if future.status == "finished":
            yield future, pickle.loads(future.result())
        elif future.status == "error":
            error = future.exception()
            if isinstance(error, KilledWorker):
                yield future, given_up(task, f"{TRIES} workers died of it")
            elif isinstance(error, ImportError):
                reason = f"a worker has no lightsanim ({error}); install it there"
                yield future, Outcome(task=task, error=reason)
            else:
                yield future, Outcome(task=task, error=f"{type(error).__name__}: {error}")
        elif future.done():  # cancelled or lost, and not by us
            raise ConnectionError("it has forgotten its tasks")


def _limit(client: "Client", names: list[str]) -> None:
    # The scheduler hears of tasks a moment after they are submitted.
    deadline = time.monotonic() + INTERVAL
    while names and time.monotonic() < deadline:
        known = client.run_on_scheduler(_limit_tries, names, TRIES)
        names = [name for name in names if name not in known]
        time.sleep(0.01 if names else 0)


def _limit_tries(names: list[str], tries: int, dask_scheduler: Any) -> list[str]:
    # On the scheduler: Dask gives a task up when more workers died of it than it allows.  Ours
    # begin with as many deaths to their account as leave them so many tries.  Those that the
    # scheduler knows already are returned.
    known = [name for name in names if name in dask_scheduler.tasks]
    for name in known:
        dask_scheduler.tasks[name].suspicious += dask_scheduler.allowed_failures - (tries - 1)
    return known


@contextmanager
def _muted() -> Iterator[None]:
    # What Dask says of broken connections ends up in our one line.
    with suppress(ImportError):
        import distributed  # noqa: F401 - sets up its log
    handlers = logging.getLogger("distributed").handlers
    levels = [handler.level for handler in handlers]
    for handler in handlers:
        handler.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for handler, level in zip(handlers, levels, strict=True):
            handler.setLevel(level)


@contextmanager
def _connected(address: str) -> Iterator["Client"]:
    # A client of a scheduler that answers and is of the same version.
    try:
        from distributed import Client
    except ImportError as error:
        raise ClusterError(
            "a cluster needs Dask; install it with: pip install 'lightsanim[distributed]'"
        ) from error
    try:
        _check_version(_versions_at(address), address)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of versions, which have been looked at
            client = Client(address, timeout=PATIENCE, set_as_default=False)
    except TimeoutError as error:
        raise ClusterError(
            f"no Dask scheduler answers at {address} within {PATIENCE} seconds; "
            "start one with: dask scheduler"
        ) from error
    except ClusterError:
        raise
    except Exception as error:  # whatever else may live at that address, and what it says
        raise ClusterError(f"no Dask scheduler answers at {address}: {_reason(error)}") from error
    try:
        yield client
    except (OSError, CancelledError) as error:
        raise ClusterError(
            f"lost the scheduler at {address} ({_reason(error)}); "
            "what is finished is kept, run it again for the rest"
        ) from error
    except ImportError as error:
        raise ClusterError(
            f"the scheduler at {address} has no lightsanim ({error}); install it there, too"
        ) from error
    finally:
        with suppress(Exception):  # it may be gone
            client.close(timeout=1)


def _versions_at(address: str) -> dict[str, Any]:
    # A client would ask without a limit of time; and looking up a name cannot be interrupted, so
    # that a thread does it which nobody has to wait for.
    from distributed.core import rpc
    from distributed.security import Security

    async def ask() -> dict[str, Any]:
        safety = Security().get_connection_args("client")
        async with rpc(address, connection_args=safety) as scheduler:
            versions: dict[str, Any] = await scheduler.versions()
            return versions

    answer: Future[dict[str, Any]] = Future()

    def run() -> None:
        try:
            answer.set_result(asyncio.run(asyncio.wait_for(ask(), PATIENCE)))
        except Exception as error:
            answer.set_exception(error)

    threading.Thread(target=run, name="scheduler's version", daemon=True).start()
    return answer.result(PATIENCE + 0.5)


def _check_version(versions: dict[str, Any], address: str) -> None:
    import distributed

    known = versions.get("packages", {}).get("distributed")
    if known != distributed.__version__:
        raise ClusterError(
            f"the scheduler at {address} runs distributed {known or 'of an unknown version'}, "
            f"not {distributed.__version__} as here; install the same on all machines"
        )


def _reason(error: BaseException) -> str:
    return " ".join((str(error) or type(error).__name__).split())
