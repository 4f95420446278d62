"""An ordered map in threads: in order, side by side, never far ahead, and nothing left running."""

import threading
from itertools import count

import pytest

from lightsanim.system.threads import map_in_order


def test_map_in_order_keeps_order_of_items():
    second_done = threading.Event()

    def work(item):
        if item == 0:
            assert second_done.wait(10)  # only passes where two run side by side
        if item == 1:
            second_done.set()
        return item * item

    assert list(map_in_order(work, range(20), workers=2)) == [n * n for n in range(20)]
    assert list(map_in_order(work, [], workers=2)) == []


@pytest.mark.parametrize("workers", [1, 3])
def test_map_in_order_takes_items_lazily(workers):
    items = count()
    results = map_in_order(lambda item: item, items, workers=workers)
    assert [next(results) for _ in range(5)] == [0, 1, 2, 3, 4]
    results.close()
    assert next(items) == 5 + workers


def test_map_in_order_error_cancels_rest_and_leaves_no_thread():
    items, threads = [], threading.active_count()

    def work(item):
        items.append(item)
        return 1 // item

    with pytest.raises(ZeroDivisionError):
        list(map_in_order(work, range(1000), workers=1))
    assert len(items) <= 2
    with pytest.raises(ZeroDivisionError):  # also one in the items
        list(map_in_order(abs, (1 // n for n in (2, 1, 0)), workers=2))
    assert threading.active_count() == threads
