"""The board: what clicks flip, what they cannot reach, and which clicks lead where."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import count
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from lightsanim.algebra.linear import Bits
from lightsanim.board.elimination import EliminationFactors
from lightsanim.board.plus import PlusFactors
from lightsanim.board.rule import RULES
from lightsanim.errors import InaccessibleError, OptionError
from lightsanim.values import check_whole

# Elimination keeps for each cell a row and the combination that made it: cells**2 / 4 bytes.
MAX_ELIMINATION_CELLS = 20_000


@dataclass(frozen=True)
class Board:
    """A rows x columns board of the game.

    Everything is over GF(2).  A click set x toggles A x; A is symmetric, so a difference can be
    toggled exactly when it is orthogonal to every quiet pattern (A q = 0).  The all-on difference
    always can (Sutner 1989), so accessible from all-on and from all-off are the same thing.

    Attributes:
        rows, columns: at least 1 each.
        rule: the name of the neighbourhood that a click flips.
        wrap: whether neighbourhoods go on at the opposite edge (a torus).

    Raises:
        OptionError: for a size below 1x1, an unknown rule, or a board that elimination (every
            rule but plus, and every wrapped board) is too slow for.

    >>> board = Board(rows=5, columns=5)
    >>> board.nullity
    2
    >>> on, off = np.ones((5, 5), bool), np.zeros((5, 5), bool)
    >>> clicks = board.clicks_between(on, off)
    >>> bool((board.toggles(clicks) == (on ^ off)).all())
    True
    """

    rows: int
    columns: int
    rule: str = field(default="plus", kw_only=True)
    wrap: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        for name in ("rows", "columns"):
            check_whole(name, getattr(self, name), 1)
            # A numpy integer would overflow where rows become Python ints of many bits.
            object.__setattr__(self, name, int(getattr(self, name)))
        if not isinstance(self.wrap, bool):
            raise OptionError(f"wrap must be True or False, not {self.wrap!r}")
        if self.rule not in RULES:
            raise OptionError(f"unknown rule {self.rule!r}; known: {', '.join(RULES)}")
        if not self.is_plain_plus and self.cells > MAX_ELIMINATION_CELLS:
            raise OptionError(
                f"a {self.columns}x{self.rows} board is too large for rule {self.rule!r}"
                f"{' wrapped' if self.wrap else ''}: at most {MAX_ELIMINATION_CELLS} cells"
            )

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)."""
        return self.rows, self.columns

    @property
    def cells(self) -> int:
        """How many cells the board has."""
        return self.rows * self.columns

    @property
    def is_plain_plus(self) -> bool:
        """Is this the game as sold: the plus rule, not wrapped?"""
        return self.rule == "plus" and not self.wrap

    @property
    def nullity(self) -> int:
        """The dimension of the quiet patterns' space; 0 when every configuration is accessible."""
        return self._factors.nullity

    @property
    def rank(self) -> int:
        """The dimension of the space of differences that clicks can toggle."""
        return self.cells - self.nullity

    def checked(self, array: Bits, name: str) -> Bits:
        """``array`` as bool (rows, columns).

        Raises:
            OptionError: if it does not have the board's shape; the message calls it ``name``.
        """
        array = np.asarray(array, bool)
        if array.shape != self.shape:
            raise OptionError(f"{name} must have shape {self.shape}, not {array.shape}")
        return array

    def toggles(self, clicks: Bits) -> Bits:
        """The cells that a click set flips, A x: bool (rows, columns).

        Raises:
            OptionError: if ``clicks`` does not have the board's shape.
        """
        clicks = self.checked(clicks, "clicks")
        flipped = np.zeros(self.shape, bool)
        for down, right in RULES[self.rule].offsets:
            if self.wrap:
                flipped ^= np.roll(clicks, (down, right), (0, 1))
            else:
                to_rows, from_rows = _shifted(down, self.rows)
                to_columns, from_columns = _shifted(right, self.columns)
                flipped[to_rows, to_columns] ^= clicks[from_rows, from_columns]
        return flipped

    def flip(
        self,
        configuration: NDArray[np.bool_ | np.uint8],
        cells: NDArray[np.integer],
        layers: NDArray[np.uint8] | None = None,
    ) -> NDArray[np.int64]:
        """Click cells one after the other, in place; the cost grows with the clicks.

        Args:
            configuration: bool (rows, columns), or uint8 (rows, columns) with a bit for each of
                several boards that lie on top of each other; changed in place.
            cells: int (clicks,), the cells to click, ``row * columns + column``.
            layers: uint8 (clicks,), the boards on which each is clicked; None for the only one.

        Returns:
            int64, the numbers of the cells that were flipped, each as often as it was.

        >>> lights = np.zeros((2, 3), bool)
        >>> sorted(Board(2, 3).flip(lights, np.array([0])).tolist())
        [0, 1, 3]
        """
        source, rows, columns = RULES[self.rule].flips(
            cells.astype(np.int64), self.rows, self.columns, wrap=self.wrap
        )
        bits = np.uint8(1) if layers is None else layers[source]
        np.bitwise_xor.at(configuration.view(np.uint8), (rows, columns), bits)
        flipped: NDArray[np.int64] = rows * self.columns + columns
        return flipped

    def flips(self, cells: NDArray[np.integer]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """All flips that clicks make, click by click; for many small groups of clicks at once.

        Args:
            cells: int (clicks,), the cells to click, ``row * columns + column``.

        Returns:
            For each flip the place of its click in ``cells``, and the number of the cell flipped.

        >>> [found.tolist() for found in Board(1, 3).flips(np.array([2, 0]))]
        [[0, 0, 1, 1], [2, 1, 0, 1]]
        """
        source, rows, columns = RULES[self.rule].flips(
            cells.astype(np.int64), self.rows, self.columns, wrap=self.wrap
        )
        order = np.argsort(source, kind="stable")
        return source[order], (rows * self.columns + columns)[order]

    def neighbourhood(self, row: int, column: int) -> Bits:
        """C(row, column), the cells that one click flips: bool (rows, columns).

        >>> int(Board(3, 3).neighbourhood(0, 0).sum())
        3
        """
        clicks = np.zeros(self.shape, bool)
        clicks[row, column] = True
        return self.toggles(clicks)

    def neighbours(self) -> list[list[int]]:
        """For each cell the cells whose clicks flip it; cells count in row-major order.

        >>> Board(2, 2).neighbours()[0]
        [0, 1, 2]
        """
        clicked, rows, columns = RULES[self.rule].flips(
            np.arange(self.cells), self.rows, self.columns, wrap=self.wrap
        )
        neighbours: list[set[int]] = [set() for _ in range(self.cells)]
        for cell, click in zip(rows * self.columns + columns, clicked.tolist(), strict=True):
            neighbours[cell] ^= {click}  # flipped twice is not flipped
        return [sorted(clicks) for clicks in neighbours]

    def quiet_patterns(self) -> Bits:
        """A basis of the click sets that flip nothing: bool (nullity, rows, columns)."""
        packed = self.packed_quiet_patterns()
        patterns = np.unpackbits(packed, axis=1, count=self.cells, bitorder="little")
        return patterns.view(bool).reshape(self.nullity, *self.shape)

    def packed_quiet_patterns(self) -> NDArray[np.uint8]:
        """The same basis, a bit for a cell: uint8 (nullity, octets).

        Bit p of a pattern, for the cell p = row * columns + column, is bit p % 8 of octet p // 8.
        """
        return _packed_quiet_patterns_of(self)

    def syndrome(self, configuration: Bits) -> Bits:
        """One bit for each quiet pattern: bool (nullity,), all False exactly when accessible.

        Bit t is the parity of the unlit cells on quiet pattern t.  Changing one cell changes the
        bits of the patterns that it lies on.
        """
        unlit = np.packbits(~self.checked(configuration, "configuration"), bitorder="little")
        packed = self.packed_quiet_patterns()
        parities = [np.bitwise_count(bits & unlit).sum() & 1 for bits in packed]
        return np.array(parities, bool)

    def is_accessible(self, configuration: Bits) -> bool:
        """Can clicks reach ``configuration`` from the all-on board?"""
        unlit = ~self.checked(configuration, "configuration")
        return self._factors.is_producible(unlit)

    def clicks_between(self, start: Bits, goal: Bits) -> Bits:
        """One click set that turns ``start`` into ``goal``: bool (rows, columns).

        Where the nullity is not 0 there are 2**nullity of them; this is any one.  See
        `lightsanim.fewest_clicks` for the smallest.

        Raises:
            InaccessibleError: if there is none.
            OptionError: if a configuration does not have the board's shape.
        """
        start, goal = self.checked(start, "start"), self.checked(goal, "goal")
        clicks = self._factors.solve(start ^ goal)
        if clicks is None:
            raise InaccessibleError(
                f"no clicks on the {self.columns}x{self.rows} board lead from start to goal: "
                f"only 1 configuration in 2**{self.nullity} can be reached from another"
            )
        return clicks

    @property
    def _factors(self) -> "Factors":
        return _factors_of(self)


def nearest_perfect(board: Board) -> Board:
    """The board nearest in size, of the same shape, on which every configuration is accessible.

    Of two sizes that are equally near, the larger.

    >>> nearest_perfect(Board(64, 64)).shape, nearest_perfect(Board(60, 60)).shape
    ((63, 63), (60, 60))
    """
    longer, shorter = max(board.shape), min(board.shape)
    for change in count():
        for side in (longer + change, longer - change):
            sides = side, max(1, round(side * shorter / longer))
            rows, columns = sides if board.rows == longer else sides[::-1]
            if side >= 1:
                other = replace(board, rows=rows, columns=columns)
                if other.nullity == 0:
                    return other
    raise AssertionError("there is always one: 1x1, and larger ones")


class Factors(Protocol):
    """A board's matrix A, factored once and reused for every configuration of that board."""

    @property
    def nullity(self) -> int:
        """The dimension of the null space of A."""

    def solve(self, difference: Bits) -> Bits | None:
        """One click set that toggles ``difference``, pressed again; None if there is none.

        Raises:
            SolverError: if the clicks found do not toggle ``difference``.
        """

    def is_producible(self, difference: Bits) -> bool:
        """Does some click set toggle ``difference``?"""

    def quiet_bits(self) -> Iterable[int]:
        """A basis of the null space, each pattern packed into one int."""


@lru_cache(maxsize=4)
def _packed_quiet_patterns_of(board: Board) -> NDArray[np.uint8]:
    octets = -(-board.cells // 8)
    packed = np.zeros((board.nullity, octets), np.uint8)
    for pattern, bits in zip(packed, board._factors.quiet_bits(), strict=True):
        pattern[:] = np.frombuffer(bits.to_bytes(octets, "little"), np.uint8)
    packed.flags.writeable = False  # it is shared
    return packed


@lru_cache(maxsize=32)
def _factors_of(board: Board) -> Factors:
    if board.is_plain_plus:
        return PlusFactors(board.rows, board.columns)
    return EliminationFactors(board.shape, board.neighbours())


def _shifted(by: int, length: int) -> tuple[slice, slice]:
    # Where entries land when moved along an axis, and where they come from.
    return slice(max(by, 0), length + min(by, 0)), slice(max(-by, 0), length - max(by, 0))
