"""What a click flips: the neighbourhood C(i, j), as offsets from the clicked cell."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Rule:
    """A neighbourhood of the same form at every cell.

    Attributes:
        name: what users call it.
        offsets: (row, column) offsets of the cells that a click flips, each once.
    """

    name: str
    offsets: tuple[tuple[int, int], ...]


RULES = {
    rule.name: rule
    for rule in [
        # The game as sold: the cell and its orthogonal neighbours.
        Rule(name="plus", offsets=((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1))),
    ]
}
