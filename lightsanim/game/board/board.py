"""The board: what clicks do, and which clicks lead from one configuration to another."""

from dataclasses import asdict, dataclass, field, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightsanim.errors import InaccessibleError, OptionError
from lightsanim.game.algebra.modular import mod_inplace
from lightsanim.game.board_view import BoardView, BoardViewMixin
from lightsanim.game.levels import Lights, check_lights, dtype_of
from lightsanim.options.checks import check_bool, check_choice, check_whole_number
from lightsanim.options.choices import LEVELS
from lightsanim.options.stencils import Offsets, abbreviate_name
from lightsanim.system.deadline import Deadline
from .factors import MAX_PATTERN_BITS, LazyFactors, choose_factor_method, factorise
from .rule import CellNumbers, Rule, parse_rule


@dataclass(frozen=True)
class Board(BoardViewMixin):
    """A Lights Out board of rows x columns cells.

    With two levels all arithmetic is over GF(2).  A click set x toggles A x.  A difference can be
    toggled exactly when it is orthogonal to every parity check, that is, to the null space of A's
    transpose.  For symmetric rules the parity checks are the quiet patterns (A q = 0).

    A configuration is accessible if clicks reach it from the all-on board.  If A is symmetric and
    each click flips its own cell, as with the plus, the all-on difference can always be toggled
    (Sutner 1989), so all-on and all-off reach the same configurations.  Other rules do not ensure
    this: no click of the ring turns a 1x1 board off.

    With more than two levels all arithmetic is over GF(levels), and arrays are uint8, not bool.  A
    configuration holds the level of each cell, 0 (dark) to levels - 1 (bright); a click set holds
    the number of presses of each cell.  A press adds 1, modulo ``levels``, to each cell that a
    click flips.  It adds 2 to a cell that the neighbourhood meets twice around a small torus.
    A configuration is then accessible if clicks reach it from the all-off board.  Clicks lead from
    any accessible configuration to any other, but all-on may not be among them.

    Attributes:
        rows, columns: numbers of rows and columns, at least 1 each.
        rule: name of one of `RULES`, or a stencil such as 000/110/000; equal rules are stored in
            one canonical form.
        wrap: whether neighbourhoods continue at the opposite edge (a torus).
        levels: number of states of a cell: 2, 3, 5 or 7.

    Raises:
        OptionError: if the size is below 1x1, the rule is unknown, ``levels`` is another number, or
            the board is too large for elimination.  Most stencils need elimination, and so do
            all wrapped boards except those of the cross and the king.

    >>> board = Board(rows=5, columns=5)
    >>> board.nullity
    2
    >>> on, off = np.ones((5, 5), bool), np.zeros((5, 5), bool)
    >>> clicks = board.clicks_between(on, off)
    >>> bool((board.toggles(clicks) == (on ^ off)).all())
    True
    >>> Board(5, 5, levels=3).nullity  # Lights Out 2000
    3
    """

    rows: int
    columns: int
    rule: str = field(default="plus", kw_only=True)
    wrap: bool = field(default=False, kw_only=True)
    levels: int = field(default=2, kw_only=True)

    def _board_view(self) -> BoardView:
        # Show the effect of one click in the middle of the board.
        click = np.zeros(self.shape, dtype_of(self.levels))
        click[self.rows // 2, self.columns // 2] = 1
        details = [f"rule {self.rule}", *["torus"] * self.wrap]
        details += [f"{self.levels} levels"] * (self.levels > 2)
        caption = f"{self.columns}x{self.rows} cells, {', '.join(details)}"
        return BoardView(caption, self.toggles(click), click, levels=self.levels)

    def __post_init__(self) -> None:
        for name in ("rows", "columns"):
            # Convert numpy integers, which overflow where a whole row is packed into one int.
            object.__setattr__(self, name, check_whole_number(name, getattr(self, name), 1))
        object.__setattr__(self, "wrap", check_bool("wrap", self.wrap))
        object.__setattr__(self, "levels", check_choice("levels", self.levels, LEVELS))
        object.__setattr__(self, "rule", parse_rule(self.rule).name)
        max_cells = choose_factor_method(self._rule, self.levels, wrap=self.wrap).max_cells
        if self.cells > max_cells:
            raise OptionError(
                f"a {self.columns}x{self.rows} board is too large for rule "
                f"{abbreviate_name(self.rule)}{' wrapped' if self.wrap else ''}; "
                f"choose a size of at most {max_cells} cells",
                "size",
            )

    @property
    def shape(self) -> tuple[int, int]:
        """Shape of the board, (rows, columns)."""
        return self.rows, self.columns

    @property
    def cells(self) -> int:
        """Number of cells."""
        return self.rows * self.columns

    def as_dict(self) -> dict[str, Any]:
        """Return the attributes by name, for files and reports; ``levels`` is omitted if it is 2.

        >>> Board(2, 3).as_dict()
        {'rows': 2, 'columns': 3, 'rule': 'plus', 'wrap': False}
        """
        attributes = asdict(self)
        if self.levels == 2:
            del attributes["levels"]
        return attributes

    @property
    def says(self) -> str:
        """Description of the cells that a click flips, in words."""
        return self._rule.description

    def offsets(self) -> Offsets:
        """Return the (down, right) offset from a click to each cell that it can flip.

        Without wrapping, the caller must skip offsets that lead off the board.  With more than
        two levels, the offset of a cell that a click raises twice is listed twice.

        >>> Board(3, 3, rule="ring").offsets()
        ((-1, 0), (0, -1), (0, 1), (1, 0))
        """
        return self._rule.offsets_on_board(*self.shape, wrap=self.wrap, levels=self.levels)

    @property
    def most_flips(self) -> int:
        """Upper bound on the flips per click; with more than two levels, on the levels it adds."""
        return self._rule.max_flips(self.rows, self.columns, wrap=self.wrap, levels=self.levels)

    @property
    def mirrored(self) -> "Board":
        """Board with the rule rotated by 180 degrees; its matrix is the transpose of this one's.

        >>> Board(3, 4, rule="000/110/000").mirrored.rule
        '011'
        """
        return replace(self, rule=self._rule.rotated_rule.name)

    @property
    def nullity(self) -> int:
        """Dimension of the null space; 0 if and only if every configuration is accessible."""
        return self._lazy_factors.load_factors().nullity

    @property
    def rank(self) -> int:
        """Rank of the matrix: the dimension of the space of differences that clicks can make."""
        return self.cells - self.nullity

    @property
    def can_list_patterns(self) -> bool:
        """Whether a basis of the quiet patterns takes at most 500 MB of memory.

        >>> Board(1024, 1024).can_list_patterns, Board(2048, 2048).can_list_patterns
        (True, False)
        """
        bits = 1 if self.levels == 2 else 8
        return self.nullity * self.cells * bits <= MAX_PATTERN_BITS

    def factor(self, time_limit: float | Deadline) -> None:
        """Factor the board's matrix within a time limit; nullity and solutions need the factors.

        Without this call, the first method that needs the factors computes them without a limit.
        With 20,000 cells and two levels elimination takes one or two seconds for most rules, and up
        to 20 seconds for the largest stencils.  With more levels it takes a few seconds to minutes.

        Args:
            time_limit: seconds, or a shared `Deadline`; less than 5 seconds count as 5.

        Raises:
            SolverError: if the time runs out.
            OptionError: if ``time_limit`` is not positive.

        >>> Board(20, 20, wrap=True).factor(30)
        """
        self._lazy_factors.load_factors(Deadline.of(time_limit))

    @property
    def reference(self) -> Lights:
        """Configuration from which accessible ones are reached: all on; all off if levels > 2."""
        return np.full(self.shape, self.levels == 2, dtype_of(self.levels))

    def checked(self, array: Lights, name: str) -> Lights:
        """Check an array of the board's shape; return it as bool, or as uint8 if ``levels > 2``.

        Raises:
            OptionError: if ``array`` does not have the board's shape, or a value is not a level;
                the message calls the array ``name``.
        """
        return check_lights(array, name, self.shape, levels=self.levels)

    def add(self, one: Lights, other: Lights) -> Lights:
        """Return the sum of two configurations or click sets modulo the number of levels.

        With two levels this is exclusive-or.  Both arrays must be as `checked` returns them.

        >>> Board(1, 3, levels=3).add(np.array([[0, 1, 2]]), np.array([[2, 2, 2]])).tolist()
        [[2, 0, 1]]
        """
        return one ^ other if self.levels == 2 else mod_inplace(one + other, self.levels)

    def subtract(self, one: Lights, other: Lights) -> Lights:
        """Return ``one - other`` modulo the number of levels, for arrays returned by `checked`."""
        if self.levels == 2:
            return one ^ other
        return mod_inplace(np.uint8(self.levels) - other + one, self.levels)

    def count(self, clicks: Lights) -> int:
        """Return the number of presses of a click set, or the sum of a configuration's levels."""
        return int(clicks.sum(dtype=np.int64))

    def toggles(self, clicks: Lights) -> Lights:
        """Return the cells that a click set flips, A x, as a bool array of shape (rows, columns).

        With more than two levels, return the levels by which it raises each cell, as uint8.

        Raises:
            OptionError: if ``clicks`` does not have the board's shape.

        >>> Board(1, 3, levels=3).toggles(np.array([[2, 0, 1]])).tolist()
        [[2, 0, 1]]
        """
        clicks = self.checked(clicks, "clicks")
        return self._rule.toggles(clicks, self.levels, wrap=self.wrap)

    def flip(
        self,
        configuration: NDArray[np.bool_ | np.uint8],
        cells: NDArray[np.integer],
        layers: NDArray[np.uint8] | None = None,
    ) -> NDArray[np.int64]:
        """Click cells of a configuration in place, in time proportional to the number of clicks.

        Args:
            configuration: bool array of shape (rows, columns), or uint8 with one bit for each
                colour plane; modified in place.
            cells: int array of shape (clicks,): the clicked cells as ``row * columns + column``.
            layers: uint8 array of shape (clicks,): bit mask of the colour planes that each click
                changes; None for a single plane, the only case with more than two levels.

        Returns:
            int64 array of the numbers of all cells that changed.  It may repeat cells and contain
            some that changed back.

        >>> lights = np.zeros((2, 3), bool)
        >>> sorted(Board(2, 3).flip(lights, np.array([0])).tolist())
        [0, 1, 3]
        """
        lights, bits = configuration.view(np.uint8), np.uint8(1) if layers is None else layers
        if len(cells) * self.most_flips > self.cells:
            # With so many clicks, toggling the whole board at once is at least as fast.
            clicks = np.zeros(self.cells, np.uint8)
            if self.levels == 2:
                np.bitwise_xor.at(clicks, cells, bits)
            else:
                clicks[:] = np.bincount(cells, minlength=self.cells) % self.levels
            changed = self._rule.toggles(clicks.reshape(self.shape), self.levels, wrap=self.wrap)
            lights[:] = self.add(lights, changed)
            return np.flatnonzero(changed)
        source, rows, columns = self._flips_of_clicks(cells.astype(np.int64))
        flipped = np.asarray(rows * self.columns + columns)
        if self.levels == 2:
            np.bitwise_xor.at(lights, (rows, columns), bits if layers is None else layers[source])
        else:
            flipped, times = np.unique(flipped, return_counts=True)
            lights.flat[flipped] = (lights.flat[flipped] + times) % self.levels
        return flipped

    def flips(self, cells: NDArray[np.integer]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """List all flips made by clicks on ``cells``, an int array of shape (clicks,).

        The first array holds the index of each flip's click in ``cells``, in ascending order.  The
        second holds the number of the flipped cell.

        >>> source, flipped = Board(1, 3).flips(np.array([2, 0]))
        >>> source.tolist(), sorted(flipped[:2].tolist())
        ([0, 0, 1, 1], [1, 2])
        """
        source, rows, columns = self._flips_of_clicks(cells.astype(np.int64))
        order = np.argsort(source, kind="stable")
        return source[order], (rows * self.columns + columns)[order]

    def neighbourhood(self, row: int, column: int) -> Lights:
        """Return the cells that a click at (row, column) flips; both numbers count from 0.

        >>> int(Board(3, 3).neighbourhood(0, 0).sum())
        3
        """
        row = check_whole_number("row", row, 0, self.rows - 1)
        column = check_whole_number("column", column, 0, self.columns - 1)
        clicks = np.zeros(self.shape, dtype_of(self.levels))
        clicks[row, column] = 1
        return self.toggles(clicks)

    def neighbours(self) -> list[list[int]]:
        """List for each cell, in row-major order, the numbers of the cells whose clicks flip it.

        With more than two levels, a cell whose click raises it twice is listed twice.

        >>> Board(2, 2).neighbours()[0]
        [0, 1, 2]
        """
        clicked, rows, columns = self._flips_of_clicks(np.arange(self.cells))
        flipped = rows * self.columns + columns
        clicks = clicked[np.lexsort((clicked, flipped))].tolist()
        stops = np.bincount(flipped, minlength=self.cells).cumsum().tolist()
        return [clicks[start:end] for start, end in pairwise([0, *stops])]

    def quiet_patterns(self) -> Lights:
        """Return a basis of the click sets that flip nothing.

        The array is bool (nullity, rows, columns), with more than two levels uint8 and read-only.
        """
        patterns = self._lazy_factors.quiet_patterns()
        if self.levels > 2:
            return patterns
        bits = np.unpackbits(patterns, axis=1, count=self.cells, bitorder="little")
        return bits.view(bool).reshape(-1, *self.shape)

    def packed_quiet_patterns(self) -> NDArray[np.uint8]:
        """Return the basis of `quiet_patterns`, eight cells to a byte: uint8 (nullity, bytes).

        The cell p = row * columns + column is bit p % 8 of byte p // 8.

        Raises:
            OptionError: if the board has more than two levels.
        """
        if self.levels > 2:
            raise OptionError(f"packed patterns need a board with 2 levels, not {self.levels}")
        return self._lazy_factors.quiet_patterns()

    def parity_checks(self) -> Lights:
        """Return a basis of the cell sets in which every click flips an even number of cells.

        The array is bool (nullity, rows, columns).  Parity checks are the quiet patterns of the
        mirrored board, for symmetric rules those of this board.  With more than two levels they are
        read-only uint8 weights; the weighted sum of a click's toggles is 0 modulo the levels.

        >>> board = Board(1, 3, rule="000/110/000", wrap=True)  # a click flips its left cell, too
        >>> board.parity_checks().astype(int).tolist()
        [[[1, 1, 1]]]
        """
        return self.mirrored.quiet_patterns()

    def packed_parity_checks(self) -> NDArray[np.uint8]:
        """Return the basis of `parity_checks` in the format of `packed_quiet_patterns`."""
        return self.mirrored.packed_quiet_patterns()

    def syndrome(self, configuration: Lights) -> Lights:
        """Return a bool for each parity check; all are False for accessible configurations only.

        The array has the shape (nullity,).  Element t is the parity of the unlit cells in parity
        check t, so changing one cell changes the elements of all checks that contain it.  With more
        than two levels it is uint8 and holds the weighted sums of the cells modulo ``levels``.
        """
        difference = self._difference_from_reference(configuration)
        if self.levels > 2:
            sums = [np.sum(check * difference, dtype=np.int64) for check in self.parity_checks()]
            return (np.array(sums, np.int64) % self.levels).astype(np.uint8)
        bits, checks = np.packbits(difference, bitorder="little"), self.packed_parity_checks()
        # Compute one check at a time: one operation on all checks would need twice their memory.
        return np.array([np.bitwise_count(check & bits).sum() & 1 for check in checks], bool)

    def is_accessible(self, configuration: Lights) -> bool:
        """Return whether clicks reach ``configuration`` from the `reference` configuration."""
        difference = self._difference_from_reference(configuration)
        return self.nullity == 0 or self._lazy_factors.solve(difference) is not None

    def clicks_between(self, start: Lights, goal: Lights) -> Lights:
        """Return a click set that turns ``start`` into ``goal``.

        There are levels**nullity such click sets, and this is an arbitrary one; for the smallest
        see `lightsanim.fewest_clicks`.  All three arrays are bool, or with more than two levels
        uint8, of shape (rows, columns).

        Raises:
            InaccessibleError: if no click set leads from ``start`` to ``goal``.
            OptionError: if a configuration does not have the board's shape.
        """
        start, goal = self.checked(start, "start"), self.checked(goal, "goal")
        clicks = self._lazy_factors.solve(self.subtract(goal, start))
        if clicks is None:
            raise InaccessibleError(
                f"no clicks on the {self.columns}x{self.rows} board turn start into goal: clicks "
                f"reach only 1 configuration in {self.levels}**{self.nullity} from any start"
            )
        return clicks

    def _difference_from_reference(self, configuration: Lights) -> Lights:
        configuration = self.checked(configuration, "configuration")
        return self.subtract(configuration, self.reference)

    def _flips_of_clicks(
        self, clicked: CellNumbers
    ) -> tuple[CellNumbers, CellNumbers, CellNumbers]:
        return self._rule.flips_of_clicks(clicked, *self.shape, wrap=self.wrap, levels=self.levels)

    @property
    def _rule(self) -> Rule:
        return parse_rule(self.rule)

    @property
    def _lazy_factors(self) -> LazyFactors:
        return factorise(self.shape, self.rule, self.levels, wrap=self.wrap)
