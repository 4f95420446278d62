"""Several searches on several cores."""

import math
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TypeVar

from lightsanim.system.cores import cores
from lightsanim.system.deadline import Deadline

Item = TypeVar("Item")
Found = TypeVar("Found")


def search_in_parallel(
    search: Callable[[Item, Deadline], Found], items: Iterable[Item], seconds: float
) -> list[Found]:
    """Run a search for each item, as many at a time as there are cores to use.

    Threads are enough: numpy and SCIP let go of Python's global lock while they work.  When one
    search fails, or Ctrl-C is pressed, the others are told to stop and the exception is passed on
    at once.
    """
    Deadline(seconds)  # refuses a wrong number before anything starts
    everything = Deadline(math.inf)
    pool = ThreadPoolExecutor(max_workers=cores())
    try:
        searches = [
            pool.submit(lambda item: search(item, Deadline(seconds, within=everything)), item)
            for item in items
        ]
        for search_done in as_completed(searches):
            search_done.result()
        return [search_done.result() for search_done in searches]
    except BaseException:
        everything.cancel()
        raise
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
