"""Legal click orders: each cell is clicked at most once, and only when it is unlit (or lit).

This is the rule of IBM Ponder This, April 2023 (https://research.ibm.com/haifa/ponderthis/).  Two
clicks touch if each flips the other's cell; the earlier one then flips the cell of the later one.
A cell that is in the wrong state at first must be clicked after an odd number of the clicks that
touch it, any other cell after an even number.  This is an acyclic orientation of the graph of
touching clicks with prescribed parities of the in-degrees (Szegedy and Szegedy, Combinatorica 26
(2006) 353-377; Gravier, Petiteau and Sivignon, arXiv:2603.09475).  With an asymmetric rule, one
click may flip the cell of another that does not flip it back; the parity conditions below do not
apply then.

The order is filled from both ends.  A remaining click may come next if its cell is in the right
state.  It may come last if its state is wrong and an odd number of the other remaining clicks flip
its cell, or its state is right and that number is even.  All other clicks are blocked until a
neighbour is placed.  In every connected part of the remaining clicks, the number of touches must
have the parity of the number of wrong states.  Placing only leaves of a spanning tree keeps the
remaining clicks connected, which keeps this condition.

A simpler method clicks random independent sets of unlit cells and restarts when it is stuck.  It
solves the 24x24 board of the challenge (280 clicks, cross rule) once in 45 attempts; this module
solved it with 200 of 200 seeds.
"""

import heapq
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from lightsanim.errors import OptionError, SolverError
from lightsanim.game.algebra.linear import Bits
from lightsanim.game.board.board import Board
from lightsanim.options.checks import check_choice, pluralize
from lightsanim.options.choices import PRESSES

# Maximum number of clicks times flips per click; a search then takes a minute and 2 GB.
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
    """Order the cells of a click set so that each cell is unlit (or lit) when it is clicked.

    Pictures with the plus rule have hundreds of groups of touching clicks (260 at 60x60), of which
    half fail a parity test; with the cross rule all clicks are one group.
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
        raise SolverError("the order found is not legal; please report this")
    return order


def is_legal_order(
    board: Board, first: Bits, order: NDArray[np.integer], *, press: str = "unlit"
) -> bool:
    """Make the clicks in this order; return whether each cell is unlit (or lit) when clicked."""
    configuration = board.checked(first, "first").copy()
    for cell in order:
        if configuration.flat[cell] != (press == "lit"):
            return False
        board.flip(configuration, np.array([cell]))
    return True


Graph = Mapping[int, Sequence[int]]
"""Neighbours of each click; clicks are cell numbers."""


def _build_flip_graph(board: Board, clicks: Bits) -> Graph:
    # The neighbours of a click are the other clicks whose cells it flips.
    clicked = clicks.ravel().tolist()
    return {
        cell: [neighbour for neighbour in neighbours if clicked[neighbour] and neighbour != cell]
        for cell, neighbours in enumerate(board.mirrored.neighbours())
        if clicked[cell]
    }


def _build_touch_graph(flips: Graph) -> Graph:
    # The neighbours of a click are the clicks whose cells it flips, and those that flip its cell.
    touching = {cell: set(neighbours) for cell, neighbours in flips.items()}
    for cell, neighbours in flips.items():
        for neighbour in neighbours:
            touching[neighbour].add(cell)
    return {cell: sorted(neighbours) for cell, neighbours in touching.items()}


def _connected_components(graph: Graph) -> Iterator[Graph]:
    """Yield the connected components of a graph."""
    visited: set[int] = set()
    for start in graph:
        if start in visited:
            continue
        visited.add(start)
        component = [start]
        for cell in component:  # the loop extends this list
            new = [neighbour for neighbour in graph[cell] if neighbour not in visited]
            visited.update(new)
            component += new
        yield {cell: graph[cell] for cell in component}


def _interleave_orders(
    orders: Sequence[Sequence[int]], rng: np.random.Generator
) -> NDArray[np.int32]:
    """Interleave orders at random; clicks of the same order keep their sequence."""
    owners = rng.permutation(np.repeat(np.arange(len(orders)), [*map(len, orders)]))
    cells = np.zeros(len(owners), np.int32)
    cells[np.argsort(owners, kind="stable")] = [*chain(*orders)]
    return cells


class _ClickGroup:
    """Connected group of clicks, whose order is filled from the front and from the back."""

    def __init__(
        self, graph: Graph, flips: Graph, wrong: dict[int, bool], rng: np.random.Generator
    ) -> None:
        self.graph, self.flips, self.wrong, self.rng = graph, flips, wrong, rng
        # For each click, the number of remaining clicks that flip its cell.
        self.degree = Counter(neighbour for cell in graph for neighbour in flips[cell])
        self.remaining = set(graph)
        self.placements: list[tuple[int, bool]] = []

    def check_order_conditions(self, board: Board, press: str, advice: str) -> None:
        """Raise a `SolverError` if parities rule out an order, or no click can be first or last."""
        touches, wrong = sum(map(len, self.graph.values())) // 2, sum(self.wrong.values())
        # The parity condition applies only if touching clicks always flip each other's cells.
        both_ways = sum(self.degree.values()) == 2 * touches
        state = "unlit" if press == "lit" else "lit"
        group = f"in the {self._describe_group(board)}"
        refusal = f"no order that clicks each cell once is legal: {group}, "
        if both_ways and touches % 2 != wrong % 2:
            raise SolverError(
                f"{refusal}the numbers of {state} cells ({wrong}) and of pairs of clicks that flip "
                f"each other's cells ({touches}) must be both odd or both even; {advice}"
            )
        for is_front, position in ((True, "first"), (False, "last")):
            if not any(is_front in self._find_possible_ends(cell) for cell in self.graph):
                reason = f"no click can be the {position}, because its cell would be {state}"
                raise SolverError(f"{refusal}{reason}; {advice}")

    def find_order(self, board: Board, attempts: int, advice: str) -> list[int]:
        """Return the group's clicks in an order with each cell unlit (or lit) when clicked."""
        for _ in range(attempts):
            self._place_leaves()
            if not self.remaining:
                front = [cell for cell, is_front in self.placements if is_front]
                return front + [cell for cell, is_front in self.placements[::-1] if not is_front]
            # Undo a random number of placements, usually few: any of them may be the mistake.
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
        """Place clicks, newest leaves of a spanning tree first, until all are placed or blocked."""
        parent = self._grow_spanning_tree()
        age = {cell: nth for nth, cell in enumerate(parent)}
        children = Counter(above for cell, above in parent.items() if above != cell)
        leaves = [(-age[cell], cell) for cell in parent if not children[cell]]
        heapq.heapify(leaves)
        while leaves:
            _, cell = heapq.heappop(leaves)
            if cell not in self.remaining or not self._find_possible_ends(cell):
                continue  # a blocked leaf returns to the heap when a neighbour is placed
            self._place_click(cell, self._choose_least_blocking_end(cell))
            children[parent[cell]] -= 1
            for neighbour in self.graph[cell]:
                if neighbour in self.remaining and not children[neighbour]:
                    heapq.heappush(leaves, (-age[neighbour], neighbour))

    def _grow_spanning_tree(self) -> dict[int, int]:
        # Return the parent of each remaining click; the root is its own parent.  The tree grows
        # breadth first, so removing the newest leaves keeps it compact; in long, thin trees all
        # leaves are soon blocked.
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
        """Return the ends where a click may be placed: True is the front, False the back."""
        at_front, at_back = not self.wrong[cell], self.degree[cell] % 2 == self.wrong[cell]
        return [True] * at_front + [False] * at_back

    def _choose_least_blocking_end(self, cell: int) -> bool:
        # A click blocks a neighbour of odd degree whose state is wrong afterwards.
        def count_blocked_neighbours(is_front: bool) -> int:
            return sum(
                self.degree[neighbour] % 2 == 1 and self.wrong[neighbour] != is_front
                for neighbour in self.flips[cell]
                if neighbour in self.remaining
            )

        possible_ends = self._find_possible_ends(cell)
        if len(possible_ends) > 1:
            possible_ends = self.rng.permutation(possible_ends).tolist()
        return min(possible_ends, key=count_blocked_neighbours)

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
