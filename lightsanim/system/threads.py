"""Work in threads: ordered maps, prefetching, shared results and parallel searches."""

import math
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from functools import lru_cache, wraps
from threading import Lock
from typing import Any, TypeVar, cast

from .cores import max_cores
from .deadline import Deadline

Item = TypeVar("Item")
Result = TypeVar("Result")
Function = TypeVar("Function", bound=Callable[..., Any])


def map_in_order(
    function: Callable[[Item], Result], items: Iterable[Item], *, workers: int | None = None
) -> Iterator[Result]:
    """Yield the results of a function in the items' order, at most ``workers + 1`` calls ahead."""
    workers = workers or max_cores()
    pool = ThreadPoolExecutor(max_workers=workers)
    started: deque[Future[Result]] = deque()
    try:
        for item in items:
            started.append(pool.submit(function, item))
            if len(started) == workers + 1:  # one item waits, so that no worker is idle
                yield started.popleft().result()
        while started:
            yield started.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


def prefetch(items: Iterator[Item], count: int) -> Generator[Item]:
    """Yield the items of an iterator, which another thread reads up to ``count`` items ahead.

    >>> list(prefetch(iter("abc"), 2))
    ['a', 'b', 'c']
    """
    end_marker, pool = object(), ThreadPoolExecutor(max_workers=1)
    try:
        waiting = deque(pool.submit(next, items, end_marker) for _ in range(count))
        while (item := waiting.popleft().result()) is not end_marker:
            waiting.append(pool.submit(next, items, end_marker))
            yield cast(Item, item)
    finally:
        pool.shutdown(cancel_futures=True)
        getattr(items, "close", lambda: None)()


def cache_for_threads(function: Function, size: int = 2) -> Function:
    """Cache the last ``size`` results of a function; one thread computes while others wait."""
    cached, lock = lru_cache(size)(function), Lock()

    @wraps(cached)
    def look_up(*args: Any, **options: Any) -> Any:
        with lock:
            return cached(*args, **options)

    return cast(Function, look_up)


def search_in_parallel(
    search: Callable[[Item, Deadline], Result], items: Iterable[Item], seconds: float
) -> list[Result]:
    """Run a search of at most ``seconds`` for each item, on all cores; the first error ends all."""
    # Threads are enough: numpy and SCIP release Python's global lock while they work.
    Deadline(seconds)  # raises OptionError for a wrong number before anything starts
    all_searches = Deadline(math.inf)
    pool = ThreadPoolExecutor(max_workers=max_cores())
    try:
        searches = [
            pool.submit(lambda item: search(item, Deadline(seconds, within=all_searches)), item)
            for item in items
        ]
        for search_done in as_completed(searches):
            search_done.result()
        return [search_done.result() for search_done in searches]
    except BaseException:
        all_searches.cancel()
        raise
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
