"""Several searches on several cores."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TypeVar

from lightsanim.cores import cores
from lightsanim.solve.outcome import Deadline

Item = TypeVar("Item")
Found = TypeVar("Found")


def search_side_by_side(
    search: Callable[[Item, Deadline], Found], items: Iterable[Item], seconds: float
) -> list[Found]:
    """Run a search for each item, as many at a time as there are cores to use.

    Threads are enough: numpy and SCIP let go of Python's global lock while they work.  Each search
    gets a deadline of its own, which starts when the search does.  When one fails, or Ctrl-C is
    pressed, the others are told to stop and the exception is passed on at once.

    Raises:
        OptionError: if ``seconds`` is not a positive number.
    """
    Deadline(seconds)
    running: list[Deadline] = []

    def run(item: Item) -> Found:
        deadline = Deadline(seconds)
        running.append(deadline)
        return search(item, deadline)

    pool = ThreadPoolExecutor(max_workers=cores())
    try:
        searches = [pool.submit(run, item) for item in items]
        for search_done in as_completed(searches):
            search_done.result()
        return [search_done.result() for search_done in searches]
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for deadline in running:
            deadline.cancel()
        raise
    finally:
        pool.shutdown(wait=False)
