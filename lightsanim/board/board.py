"""The board: what clicks flip, what they cannot reach, and which clicks lead where."""

from dataclasses import asdict, dataclass, field, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightsanim.board.arithmetic import LevelArithmetic, arithmetic_of
from lightsanim.board.factors import (
    MAX_PATTERN_BITS,
    LazyFactors,
    choose_factor_method,
    quiet_pattern_basis,
    shared_lazy_factors,
)
from lightsanim.board.rule import CellNumbers, Rule, parse_rule
from lightsanim.errors import InaccessibleError, OptionError
from lightsanim.look.board_image import BoardView, BoardViewMixin
from lightsanim.look.levels import Lights
from lightsanim.options.checks import check_bool, check_choice, check_whole_number
from lightsanim.options.choices import LEVELS
from lightsanim.options.stencils import Offsets, abbreviate_name
from lightsanim.system.deadline import Deadline


@dataclass(frozen=True)
class Board(BoardViewMixin):
    """A rows x columns board of the game.

    Everything is over GF(2).  A click set x toggles A x.  A difference can be toggled exactly when
    it is orthogonal to every parity check, the null space of A's transpose.  For symmetric rules
    these are the quiet patterns (A q = 0).

    Accessible means: reachable by clicks from the all-on board.  Where A is symmetric and each
    click flips its own cell, as with the plus, the all-on difference can always be toggled (Sutner
    1989), so accessible from all-on and from all-off are the same thing.  Other rules promise
    nothing of the kind: no click of the ring turns a board of 1 x 1 off.

    With more than two levels everything is over GF(levels).  Configurations and click sets are
    uint8 (rows, columns) instead of bool: the level of each cell, 0 (dark) to levels - 1 (bright),
    and how often each cell is pressed.  A press adds 1, modulo ``levels``, to each cell that a
    click flips; round a torus where the neighbourhood meets a cell twice, it adds 2.  Accessible
    then means: reachable from the all-off board.  Clicks lead from any accessible configuration to
    any other, but all-on, levels - 1 everywhere, need not be one of them.

    Attributes:
        rows, columns: at least 1 each.
        rule: what a click flips: the name of one of `RULES`, or a stencil such as 000/110/000.  It
            is kept in the form that equal rules share.
        wrap: whether neighbourhoods go on at the opposite edge (a torus).
        levels: how many states a cell has: 2, 3, 5 or 7.

    Raises:
        OptionError: for a size below 1x1, an unknown rule, another number of levels, or a board too
            large for elimination, which most stencils need, and all wrapped boards but those of the
            cross and the king.

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
        # What a click in the middle does.
        click = np.zeros(self.shape, self._arithmetic.dtype)
        click[self.rows // 2, self.columns // 2] = 1
        details = [f"rule {self.rule}", *["torus"] * self.wrap]
        details += [f"{self.levels} levels"] * (self.levels > 2)
        caption = f"{self.columns}x{self.rows} cells, {', '.join(details)}"
        return BoardView(caption, self.toggles(click), click, levels=self.levels)

    def __post_init__(self) -> None:
        for name in ("rows", "columns"):
            # A numpy integer would overflow where rows become Python ints of many bits.
            object.__setattr__(self, name, check_whole_number(name, getattr(self, name), 1))
        object.__setattr__(self, "wrap", check_bool("wrap", self.wrap))
        object.__setattr__(self, "levels", check_choice("levels", self.levels, LEVELS))
        object.__setattr__(self, "rule", parse_rule(self.rule).name)
        max_cells = choose_factor_method(self._rule, self.levels, wrap=self.wrap).max_cells
        if self.cells > max_cells:
            raise OptionError(
                f"a {self.columns}x{self.rows} board is too large for rule "
                f"{abbreviate_name(self.rule)}{' wrapped' if self.wrap else ''}: "
                f"at most {max_cells} cells",
                "size",
            )

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)."""
        return self.rows, self.columns

    @property
    def cells(self) -> int:
        """How many cells the board has."""
        return self.rows * self.columns

    def as_dict(self) -> dict[str, Any]:
        """Its attributes, as files and reports name them; without the levels where they are two.

        >>> Board(2, 3).as_dict()
        {'rows': 2, 'columns': 3, 'rule': 'plus', 'wrap': False}
        """
        attributes = asdict(self)
        if self.levels == 2:
            del attributes["levels"]
        return attributes

    @property
    def says(self) -> str:
        """What a click flips, in words."""
        return self._rule.description

    def offsets(self) -> Offsets:
        """(down, right) from a clicked cell of all cells that it can flip, each once.

        Those that lead off a plain board are to be left out.  With more than two levels, a cell
        that is raised twice is there twice.

        >>> Board(3, 3, rule="ring").offsets()
        ((-1, 0), (0, -1), (0, 1), (1, 0))
        """
        return self._rule.offsets_on_board(
            self.rows, self.columns, wrap=self.wrap, levels=self.levels
        )

    @property
    def most_flips(self) -> int:
        """An upper bound on the cells that one click flips, or by how much it raises all cells."""
        return self._rule.max_flips(self.rows, self.columns, wrap=self.wrap, levels=self.levels)

    @property
    def mirrored(self) -> "Board":
        """The board whose rule is turned by 180 degrees: its matrix is A's transpose.

        >>> Board(3, 4, rule="000/110/000").mirrored.rule
        '011'
        """
        return replace(self, rule=self._rule.rotated_rule.name)

    @property
    def nullity(self) -> int:
        """The dimension of the quiet patterns' space; 0 when every configuration is accessible."""
        return self._lazy_factors.load_factors().nullity

    @property
    def rank(self) -> int:
        """The dimension of the space of differences that clicks can toggle."""
        return self.cells - self.nullity

    @property
    def can_list_patterns(self) -> bool:
        """Whether the quiet patterns, and the parity checks, fit in memory: 500 MB.

        >>> Board(1024, 1024).can_list_patterns, Board(2048, 2048).can_list_patterns
        (True, False)
        """
        bits = 1 if self.levels == 2 else 8
        return self.nullity * self.cells * bits <= MAX_PATTERN_BITS

    def factor(self, time_limit: float | Deadline) -> None:
        """Do the elimination that nullity and clicks rest on, within a time limit.

        Otherwise the first of them that is asked for does it, however long it takes: with 20,000
        cells a second or two under most rules, and up to twenty with the largest stencils; with
        more than two levels a few seconds, and minutes.

        Args:
            time_limit: seconds, or a `Deadline` to share; less than 5 seconds count as 5.

        Raises:
            SolverError: if it is not done in time.
            OptionError: if ``time_limit`` is not positive.

        >>> Board(20, 20, wrap=True).factor(30)
        """
        self._lazy_factors.load_factors(Deadline.of(time_limit))

    @property
    def reference(self) -> Lights:
        """What accessible configurations are reached from: all-on; with more levels, all-off."""
        return np.full(self.shape, self._arithmetic.reference)

    def checked(self, array: Lights, name: str) -> Lights:
        """``array`` as bool (rows, columns), or with more than two levels uint8.

        Args:
            array: what a caller passed.
            name: what the message calls it.

        Raises:
            OptionError: if it does not have the board's shape, or holds what is no level; the
                message calls it ``name``.
        """
        return self._arithmetic.validate_levels(array, name, self.shape)

    def add(self, one: Lights, other: Lights) -> Lights:
        """The sum of configurations, or of click sets, modulo the levels: exclusive-or with two.

        Args:
            one: as `checked` returns it.
            other: the same.

        >>> Board(1, 3, levels=3).add(np.array([[0, 1, 2]]), np.array([[2, 2, 2]])).tolist()
        [[2, 0, 1]]
        """
        return self._arithmetic.add(one, other)

    def subtract(self, one: Lights, other: Lights) -> Lights:
        """The difference, which added to ``other`` gives ``one``: exclusive-or with two levels.

        Args:
            one: as `checked` returns it.
            other: the same.
        """
        return self._arithmetic.subtract(one, other)

    def count(self, clicks: Lights) -> int:
        """How many presses a click set has; of a configuration, the sum of its levels."""
        return self._arithmetic.sum_levels(clicks)

    def toggles(self, clicks: Lights) -> Lights:
        """The cells that a click set flips, A x: bool (rows, columns).

        With more than two levels, by how much it raises each cell: uint8 (rows, columns).

        Raises:
            OptionError: if ``clicks`` does not have the board's shape.

        >>> Board(1, 3, levels=3).toggles(np.array([[2, 0, 1]])).tolist()
        [[2, 0, 1]]
        """
        return self._arithmetic.toggled_levels(
            self._rule, self.checked(clicks, "clicks"), wrap=self.wrap
        )

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
                With more than two levels there is one board only.

        Returns:
            int64, the numbers of all cells that changed, and perhaps of some that did not; each
            may come several times.

        >>> lights = np.zeros((2, 3), bool)
        >>> sorted(Board(2, 3).flip(lights, np.array([0])).tolist())
        [0, 1, 3]
        """
        if self.levels > 2:
            return self._flip_levels(configuration, cells)
        lights, bits = configuration.view(np.uint8), np.uint8(1) if layers is None else layers
        if len(cells) * self.most_flips > self.cells:
            # Toggling the whole board costs no more than all these flips.
            clicks = np.zeros(self.shape, np.uint8)
            np.bitwise_xor.at(clicks.ravel(), cells, bits)
            changed = self._rule.toggled_cells(clicks, wrap=self.wrap)
            lights ^= changed
            return np.flatnonzero(changed)
        source, rows, columns = self._flips_of_clicks(cells.astype(np.int64))
        np.bitwise_xor.at(lights, (rows, columns), bits if layers is None else layers[source])
        flipped: NDArray[np.int64] = rows * self.columns + columns
        return flipped

    def _flip_levels(self, lights: Lights, cells: NDArray[np.integer]) -> NDArray[np.int64]:
        if len(cells) * self.most_flips > self.cells:
            presses = np.bincount(cells.astype(np.intp), minlength=self.cells) % self.levels
            raised = self.toggles(presses.reshape(self.shape))
            lights[:] = self.add(lights, raised)
            return np.flatnonzero(raised)
        _, rows, columns = self._flips_of_clicks(cells.astype(np.int64))
        numbers, times = np.unique(rows * self.columns + columns, return_counts=True)
        changed = np.divmod(numbers, self.columns)
        lights[changed] = (lights[changed] + times) % self.levels
        touched: NDArray[np.int64] = numbers
        return touched

    def flips(self, cells: NDArray[np.integer]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """All flips that clicks on ``cells``, int (clicks,), make, click by click.

        For each flip the place of its click in ``cells``, and the number of the cell flipped.

        >>> source, flipped = Board(1, 3).flips(np.array([2, 0]))
        >>> source.tolist(), sorted(flipped[:2].tolist())
        ([0, 0, 1, 1], [1, 2])
        """
        source, rows, columns = self._flips_of_clicks(cells.astype(np.int64))
        order = np.argsort(source, kind="stable")
        return source[order], (rows * self.columns + columns)[order]

    def neighbourhood(self, row: int, column: int) -> Lights:
        """C(row, column), the `toggles` of one click.

        Args:
            row: of the clicked cell, from 0.
            column: of the clicked cell, from 0.

        >>> int(Board(3, 3).neighbourhood(0, 0).sum())
        3
        """
        row = check_whole_number("row", row, 0, self.rows - 1)
        column = check_whole_number("column", column, 0, self.columns - 1)
        clicks = np.zeros(self.shape, self._arithmetic.dtype)
        clicks[row, column] = 1
        return self.toggles(clicks)

    def neighbours(self) -> list[list[int]]:
        """For each cell the cells whose clicks flip it; cells count in row-major order.

        With more than two levels, a cell whose click raises it twice is there twice.

        >>> Board(2, 2).neighbours()[0]
        [0, 1, 2]
        """
        clicked, rows, columns = self._flips_of_clicks(np.arange(self.cells))
        flipped = rows * self.columns + columns
        clicks = clicked[np.lexsort((clicked, flipped))].tolist()
        stops = np.bincount(flipped, minlength=self.cells).cumsum().tolist()
        return [clicks[start:end] for start, end in pairwise([0, *stops])]

    def quiet_patterns(self) -> Lights:
        """A basis of the click sets that flip nothing: bool (nullity, rows, columns).

        With more than two levels uint8, read-only.
        """
        patterns = self._quiet_basis()
        if self.levels > 2:
            return patterns
        bits = np.unpackbits(patterns, axis=1, count=self.cells, bitorder="little")
        return bits.view(bool).reshape(-1, *self.shape)

    def packed_quiet_patterns(self) -> NDArray[np.uint8]:
        """The same basis, a bit for a cell: uint8 (nullity, bytes).

        Bit p of a pattern, for the cell p = row * columns + column, is bit p % 8 of byte p // 8.

        Raises:
            OptionError: with more than two levels.
        """
        if self.levels > 2:
            raise OptionError(f"this is for boards of 2 levels only, not of {self.levels}")
        return self._quiet_basis()

    def parity_checks(self) -> Lights:
        """A basis of the sets of cells of which every click flips an even number.

        These are the quiet patterns of the mirrored board, so for rules that are symmetric the
        quiet patterns: bool (nullity, rows, columns).  With more than two levels they are weights,
        by which what a click raises sums up to 0 modulo the levels: uint8, read-only.

        >>> board = Board(1, 3, rule="000/110/000", wrap=True)  # a click flips its left cell, too
        >>> board.parity_checks().astype(int).tolist()
        [[[1, 1, 1]]]
        """
        return self.mirrored.quiet_patterns()

    def packed_parity_checks(self) -> NDArray[np.uint8]:
        """The same basis, packed as `packed_quiet_patterns`."""
        return self.mirrored.packed_quiet_patterns()

    def syndrome(self, configuration: Lights) -> Lights:
        """One bit for each parity check: bool (nullity,), all False exactly when accessible.

        Bit t is the parity of the unlit cells in parity check t.  Changing one cell changes the
        bits of the checks that it lies in.  With more than two levels uint8: the weighted sums of
        the cells' levels.
        """
        difference = self._difference_from_reference(configuration)
        if self.levels > 2:
            sums = [np.sum(check * difference, dtype=np.int64) for check in self.parity_checks()]
            return (np.array(sums, np.int64) % self.levels).astype(np.uint8)
        bits, checks = np.packbits(difference, bitorder="little"), self.packed_parity_checks()
        # One after the other: all of them at once could take as much memory again as the checks.
        return np.array([np.bitwise_count(check & bits).sum() & 1 for check in checks], bool)

    def is_accessible(self, configuration: Lights) -> bool:
        """Whether clicks reach ``configuration`` from the all-on board.

        With more than two levels, from the all-off board.
        """
        difference = self._difference_from_reference(configuration)
        return self.nullity == 0 or self._lazy_factors.solve(difference) is not None

    def clicks_between(self, start: Lights, goal: Lights) -> Lights:
        """One click set that turns ``start`` into ``goal``: bool (rows, columns).

        Where the nullity is not 0 there are levels**nullity of them; this is any one.  See
        `lightsanim.fewest_clicks` for the smallest.

        Args:
            start: bool (rows, columns), or with more than two levels uint8, as the result.
            goal: the same.

        Raises:
            InaccessibleError: if there is none.
            OptionError: if a configuration does not have the board's shape.
        """
        start, goal = self.checked(start, "start"), self.checked(goal, "goal")
        clicks = self._lazy_factors.solve(self.subtract(goal, start))
        if clicks is None:
            raise InaccessibleError(
                f"no clicks on the {self.columns}x{self.rows} board lead from start to goal: "
                f"only 1 configuration in {self.levels}**{self.nullity} can be reached from another"
            )
        return clicks

    def _difference_from_reference(self, configuration: Lights) -> Lights:
        checked, arithmetic = self.checked(configuration, "configuration"), self._arithmetic
        return arithmetic.subtract(checked, arithmetic.reference)

    def _flips_of_clicks(
        self, clicked: CellNumbers
    ) -> tuple[CellNumbers, CellNumbers, CellNumbers]:
        return self._rule.flips_of_clicks(
            clicked, self.rows, self.columns, wrap=self.wrap, levels=self.levels
        )

    @property
    def _rule(self) -> Rule:
        return parse_rule(self.rule)

    @property
    def _arithmetic(self) -> LevelArithmetic:
        return arithmetic_of(self.levels)

    @property
    def _lazy_factors(self) -> LazyFactors:
        return shared_lazy_factors(self.shape, self.rule, self.levels, wrap=self.wrap)

    def _quiet_basis(self) -> NDArray[np.uint8]:
        return quiet_pattern_basis(self.shape, self.rule, self.levels, wrap=self.wrap)
