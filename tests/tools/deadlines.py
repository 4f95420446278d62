"""Time limits whose end does not depend on the clock."""

from lightsanim.system.deadline import Deadline


def of_work(seconds):
    """A limit that ends by its counted work, on every computer alike: no clock is so slow."""
    return Deadline(1e6).of_work(seconds)


class EndsAfter(Deadline):
    """A clock that ends when it is looked at so many times."""

    def __init__(self, looks):
        super().__init__(1e6)
        self.looks_left = looks

    @property
    def remaining(self):
        self.looks_left -= 1
        return max(0, self.looks_left)
