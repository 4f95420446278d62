"""Time limits whose end does not depend on the clock."""

import time

from lightsanim.system.deadline import Deadline


def of_work(seconds):
    """A limit that ends by its counted work, on every computer alike: no clock is so slow."""
    return Deadline(1e6).part(work=seconds)


class EndsAfter(Deadline):
    """A clock that ends when it is looked at so many times."""

    def __init__(self, looks):
        self.looks_left = looks
        super().__init__(1e6)

    @property
    def _end(self):
        self.looks_left -= 1
        return time.monotonic() + max(0, self.looks_left)

    @_end.setter
    def _end(self, end):
        """Leave out the end that a limit of seconds has."""
