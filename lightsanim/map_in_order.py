"""Calls in threads that never run far ahead of the code that takes their results."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def map_in_order(
    function: Callable[[Item], Result], items: Iterable[Item], *, workers: int
) -> Iterator[Result]:
    """Call a function for each item in threads, and yield the results in the items' order.

    Items are taken one by one, in the caller's thread, and only as results are asked for: what
    the items hold in memory is bounded by ``workers + 1`` of them.  When the function or the items
    raise, or the caller stops early, calls that have not begun are cancelled, and those that have
    are waited for.

    Args:
        function: threads help where it lets go of Python's global lock, as numpy does.
        items: may be made as they are taken, such as files that are read.
        workers: calls at a time, at least 1.

    Yields:
        The function's result for each item; what the function raises comes at its place.

    >>> list(map_in_order(abs, [-3, 2, -1], workers=2))
    [3, 2, 1]
    """
    pool = ThreadPoolExecutor(max_workers=workers)
    started: deque[Future[Result]] = deque()
    try:
        for item in items:
            started.append(pool.submit(function, item))
            if len(started) == workers + 1:  # one waits, so that no worker has to
                yield started.popleft().result()
        while started:
            yield started.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)
