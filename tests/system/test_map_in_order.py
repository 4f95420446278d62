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
    taken = count()
    results = map_in_order(lambda item: item, taken, workers=workers)
    for asked in range(5):
        assert next(results) == asked
    results.close()
    assert next(taken) == 5 + workers


def test_map_in_order_error_cancels_rest_and_leaves_no_thread():
    begun, threads = [], threading.active_count()

    def work(item):
        begun.append(item)
        return 1 // item

    with pytest.raises(ZeroDivisionError):
        list(map_in_order(work, range(1000), workers=1))
    assert len(begun) <= 2
    with pytest.raises(ZeroDivisionError):  # also one in the items
        list(map_in_order(abs, (1 // n for n in (2, 1, 0)), workers=2))
    assert threading.active_count() == threads
