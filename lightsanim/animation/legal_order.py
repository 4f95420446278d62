"""Click orders in which every cell is unlit (or lit) at the moment it is clicked, once each.

This is the rule of IBM Ponder This, April 2023 (https://research.ibm.com/haifa/ponderthis/).  Where
two clicks touch (each flips the other's cell), the earlier flips the later.  So a cell that is in
the wrong state at first must be clicked after an odd number of those that touch it, any other after
an even number: an acyclic orientation of the graph of touching clicks with prescribed parities of
the in-degrees (Szegedy and Szegedy, Combinatorica 26 (2006) 353-377; Gravier, Petiteau and
Sivignon, arXiv:2603.09475).  Under a rule that is not symmetric one click may flip another's cell
and not be flipped back: it counts if it comes earlier, and the parities are not prescribed as one.

The order is filled from both ends.  Of the clicks that are left, one whose cell is in the right
state may come next, and one that an odd (even) number of the others flips may come last if its
state is wrong (right); every other one is blocked until a neighbour is taken.  As many touches as
wrong states, modulo 2, in every connected part of what is left is necessary for all that follows
(where all touch both ways); taking only leaves of a spanning tree keeps what is left connected, and
so keeps to it by itself.

Clicking random independent sets of unlit cells, and starting again when stuck, gets through the
challenge's 24x24 board (280 clicks, cross rule) once in 45 times; this did with 200 of 200 seeds.
"""

import heapq
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from lightsanim.algebra.linear import Bits
from lightsanim.board.board import Board
from lightsanim.errors import OptionError, SolverError
from lightsanim.options.checks import check_choice, pluralize
from lightsanim.options.choices import PRESSES

# The most clicks times cells that each flips: these take a minute and 2 GB.
MAX_FLIPS = 10_000_000


def find_legal_order(
    board: Board,
    first: Bits,
    clicks: Bits,
    rng: np.random.Generator,
    *,
    press: str = "unlit",
    attempts: int = 1000,
    advice: str = "choose another order, such as radial, or the cross rule",
) -> NDArray[np.int32]:
    """An order of a click set in which each cell is clicked once, and unlit when it is clicked.

    Whether there is one depends on the click set: each group of clicks that touch must pass a test
    of parity, which half of all groups fail.  Pictures under the plus rule have hundreds of groups
    (260 at 60x60) and so never a legal order; under the cross rule all clicks are one group.

    Where there is none, the goal may still be reached legally with some cells clicked two or three
    times; such a play is not looked for.

    ``first``: bool (rows, columns), ``clicks``: bool (rows, columns), returns int32 (number of
    clicks,).
    """
    check_choice("press", press, PRESSES)
    wrong = board.checked(first, "first") ^ (press == "lit")
    clicks = board.checked(clicks, "clicks")
    if (count := np.count_nonzero(clicks)) * board.most_flips > MAX_FLIPS:
        raise OptionError(
            f"{count} clicks that flip {board.most_flips} cells each are too many for a legal "
            "order; choose a smaller board",
            "size",
        )
    flips = _build_flip_graph(board, clicks)
    groups = [
        _ClickGroup(group, flips, {cell: bool(wrong.flat[cell]) for cell in group}, rng)
        for group in _connected_components(_build_touch_graph(flips))
    ]
    for group in groups:
        group.check_order_conditions(board, press, advice)
    order = _interleave_orders([group.find_order(board, attempts, advice) for group in groups], rng)
    is_complete = np.array_equal(np.sort(order), np.flatnonzero(clicks))
    if not (is_complete and is_legal_order(board, first, order, press=press)):
        raise SolverError("the order found is not legal when pressed; please report this")
    return order


def is_legal_order(
    board: Board, first: Bits, order: NDArray[np.integer], *, press: str = "unlit"
) -> bool:
    """Whether each cell is unlit (or lit) when it is clicked; found by clicking."""
    configuration = board.checked(first, "first").copy()
    for cell in order:
        if configuration.flat[cell] != (press == "lit"):
            return False
        board.flip(configuration, np.array([cell]))
    return True


Graph = Mapping[int, Sequence[int]]
"""For each click some of the others; all are cell numbers."""


def _build_flip_graph(board: Board, clicks: Bits) -> Graph:
    # For each click the others whose cells it flips: those that flip it under the mirrored rule.
    clicked = clicks.ravel().tolist()
    return {
        cell: [neighbour for neighbour in neighbours if clicked[neighbour] and neighbour != cell]
        for cell, neighbours in enumerate(board.mirrored.neighbours())
        if clicked[cell]
    }


def _build_touch_graph(flips: Graph) -> Graph:
    # For each click those that it flips and those that flip it.
    touching = {cell: set(neighbours) for cell, neighbours in flips.items()}
    for cell, neighbours in flips.items():
        for neighbour in neighbours:
            touching[neighbour].add(cell)
    return {cell: sorted(neighbours) for cell, neighbours in touching.items()}


def _connected_components(graph: Graph) -> Iterator[Graph]:
    """The connected components of a graph."""
    visited: set[int] = set()
    for start in graph:
        if start in visited:
            continue
        visited.add(start)
        component = [start]
        for cell in component:  # grows meanwhile
            new = [neighbour for neighbour in graph[cell] if neighbour not in visited]
            visited.update(new)
            component += new
        yield {cell: graph[cell] for cell in component}


def _interleave_orders(
    orders: Sequence[Sequence[int]], rng: np.random.Generator
) -> NDArray[np.int32]:
    """Several orders, shuffled into each other; each keeps its own sequence."""
    owners = rng.permutation(np.repeat(np.arange(len(orders)), [len(order) for order in orders]))
    cells = np.zeros(len(owners), np.int32)
    for number, order in enumerate(orders):
        cells[owners == number] = order
    return cells


class _ClickGroup:
    """Clicks that touch, between those that were already put at either end of their order."""

    def __init__(
        self, graph: Graph, flips: Graph, wrong: dict[int, bool], rng: np.random.Generator
    ) -> None:
        self.graph, self.flips, self.wrong, self.rng = graph, flips, wrong, rng
        # How many of those left flip each.
        self.degree = Counter(neighbour for cell in graph for neighbour in flips[cell])
        self.remaining = set(graph)
        self.placements: list[tuple[int, bool]] = []

    def check_order_conditions(self, board: Board, press: str, advice: str) -> None:
        """Raise SolverError if the parities differ, or none can be the first or the last.

        Where some touch one way only, the parities of touches and wrong states are no test.
        """
        touches, wrong = sum(map(len, self.graph.values())) // 2, sum(self.wrong.values())
        both_ways = sum(self.degree.values()) == 2 * touches
        state = "unlit" if press == "lit" else "lit"
        if both_ways and touches % 2 != wrong % 2:
            raise SolverError(
                "no order that clicks each cell once is legal: the "
                f"{self._describe_group(board)} has {wrong} {state} and {touches} touches; both "
                "numbers must be odd, or both even; "
                f"{advice}"
            )
        for is_front, position in ((True, "first"), (False, "last")):
            if not any(is_front in self._find_possible_ends(cell) for cell in self.graph):
                raise SolverError(
                    f"no order that clicks each cell once is legal: whichever of the "
                    f"{self._describe_group(board)} is the {position}, its cell is {state} then; "
                    f"{advice}"
                )

    def find_order(self, board: Board, attempts: int, advice: str) -> list[int]:
        """A legal order of all of them."""
        for _ in range(attempts):
            self._place_leaves()
            if not self.remaining:
                front = [cell for cell, is_front in self.placements if is_front]
                return front + [cell for cell, is_front in self.placements[::-1] if not is_front]
            # Take back a few mostly, sometimes all: it is not known how far back the mistake was.
            count = int(len(self.graph) ** self.rng.random())
            for _ in range(min(count, len(self.placements))):
                self._undo_placement()
        raise SolverError(
            f"no legal order found in {attempts} attempts for the {self._describe_group(board)}; "
            f"there may be none, or another seed may find one; {advice}"
        )

    def _describe_group(self, board: Board) -> str:
        row, column = divmod(min(self.graph), board.columns)
        return f"group of {pluralize(len(self.graph), 'click')} at row {row}, column {column}"

    def _place_leaves(self) -> None:
        """Take leaves of a spanning tree, the youngest first, until none is left or all block."""
        parent = self._grow_spanning_tree()
        age = {cell: nth for nth, cell in enumerate(parent)}
        children = Counter(above for cell, above in parent.items() if above != cell)
        leaves = [(-age[cell], cell) for cell in parent if not children[cell]]
        heapq.heapify(leaves)
        while leaves:
            _, cell = heapq.heappop(leaves)
            if cell not in self.remaining or not self._find_possible_ends(cell):
                continue  # one that is blocked comes again when a neighbour is taken
            self._place_click(cell, self._choose_least_blocking_end(cell))
            children[parent[cell]] -= 1
            for neighbour in self.graph[cell]:
                if neighbour in self.remaining and not children[neighbour]:
                    heapq.heappush(leaves, (-age[neighbour], neighbour))

    def _grow_spanning_tree(self) -> dict[int, int]:
        # The parent of each click left, the root its own.  Breadth first, so that what is left
        # stays round while the youngest are taken: long thin pieces get stuck more often.
        root = sorted(self.remaining)[self.rng.integers(len(self.remaining))]
        parent, queue = {root: root}, [(0.0, root)]
        while queue:
            distance, cell = heapq.heappop(queue)
            for neighbour in self.graph[cell]:
                if neighbour in self.remaining and neighbour not in parent:
                    parent[neighbour] = cell
                    step = 1 + self.rng.random()
                    heapq.heappush(queue, (distance + step, neighbour))
        return parent

    def _find_possible_ends(self, cell: int) -> list[bool]:
        """Where a click can be put: True for the front, False for the back."""
        at_front, at_back = not self.wrong[cell], self.degree[cell] % 2 == self.wrong[cell]
        return [True] * at_front + [False] * at_back

    def _choose_least_blocking_end(self, cell: int) -> bool:
        # A click blocks each that it flips, an odd number flips, and is wrong after it.
        def count_blocked_neighbours(is_front: bool) -> int:
            return sum(
                self.degree[neighbour] % 2 == 1 and self.wrong[neighbour] != is_front
                for neighbour in self.flips[cell]
                if neighbour in self.remaining
            )

        free = self._find_possible_ends(cell)
        return min(
            self.rng.permutation(free).tolist() if len(free) > 1 else free,
            key=count_blocked_neighbours,
        )

    def _place_click(self, cell: int, is_front: bool) -> None:
        self.remaining.remove(cell)
        self.placements.append((cell, is_front))
        self._update_neighbours(cell, is_front, -1)

    def _undo_placement(self) -> None:
        cell, is_front = self.placements.pop()
        self._update_neighbours(cell, is_front, 1)
        self.remaining.add(cell)

    def _update_neighbours(self, cell: int, is_front: bool, change: int) -> None:
        for neighbour in self.flips[cell]:
            if neighbour in self.remaining:
                self.degree[neighbour] += change
                self.wrong[neighbour] ^= is_front
