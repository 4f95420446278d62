"""Solve the puzzle Ashes: find a grid of whole numbers from one clue per cell.

A file of clues has one line per row: whole numbers, separated by spaces or commas.

Source: Burkardt, "The Well-Posed Puzzle".  A clue is

- "sum":    the sum of a cell's number and the numbers of its up to 8 neighbours, or
- "slope":  the numbers above and to the right minus those below and to the left.

The clues are a linear map A of the numbers, with A transposed = A (sums) or -A (slopes).  So clues
have a solution exactly if they are orthogonal to each zero pattern, a grid whose clues are all 0.
Likewise, accessible configurations of Lights Out are orthogonal to quiet patterns.  Chasing, row by
row, finds a solution in whole numbers.
"""

import re
from collections.abc import Callable, Mapping
from math import gcd
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lightsanim.errors import InputError, OptionError
from lightsanim.options.checks import check_choice, pluralize
from .answer import PuzzleAnswer

MAX_SIDE, MAX_NUMBER = 100, 10**9
# Bytes; larger files of clues are refused.
MAX_BYTES = 1_000_000
# A line that begins with 1 and whose sums are all 0 repeats these numbers.
ZERO_SUM_PERIOD = np.array([1, -1, 0], np.int64)

Clues = NDArray[np.int64]
"""An int array of shape (rows, columns)."""


def solve_ashes(clues: Clues, kind: str = "sum") -> PuzzleAnswer:
    """Return a grid of whole numbers that has the given clues, or the reason why there is none."""
    check_choice("kind", kind, CLUE_KINDS)
    clues, (find_patterns, solve) = _check_clues(clues), CLUE_KINDS[kind]
    patterns = find_patterns(*clues.shape)
    for pattern in patterns:
        if total := int((pattern * clues).sum()):
            message = (
                "There is no grid with these clues. Multiplied cell by cell by a pattern whose own "
                f"clues are all 0{_describe_pattern(pattern)}, they must sum to 0, not to {total}."
            )
            return PuzzleAnswer(puzzle="ashes", message=message, pattern=pattern)
    grid = solve(clues)
    pattern = patterns[0] if len(patterns) else None
    return PuzzleAnswer(
        puzzle="ashes",
        message=_uniqueness_message(patterns),
        grid=grid,
        unique=pattern is None,
        second=None if pattern is None else grid + pattern,
        pattern=pattern,
        kind=kind,
    )


def _check_clues(clues: Clues) -> Clues:
    clues = np.asarray(clues)
    if clues.ndim != 2 or not clues.size or max(clues.shape) > MAX_SIDE:
        raise OptionError(
            f"clues must be a grid of 1 x 1 to {MAX_SIDE} x {MAX_SIDE}, not of shape {clues.shape}"
        )
    if not np.issubdtype(clues.dtype, np.integer) or np.abs(clues.astype(float)).max() > MAX_NUMBER:
        raise OptionError(f"clues must be whole numbers with absolute values up to {MAX_NUMBER}")
    return clues.astype(np.int64)


def _uniqueness_message(patterns: Clues) -> str:
    if not len(patterns):
        return "This is the only grid with these clues."
    count = pluralize(len(patterns), "pattern" if len(patterns) == 1 else "independent pattern")
    return (
        f"Infinitely many other grids have these clues: {count} whose own clues are all 0 can be "
        f"added{_describe_pattern(patterns[0])}."
    )


def _describe_pattern(pattern: Clues) -> str:
    # Describe a pattern if it lies in a single row or column; others would need a long text.
    rows, columns = (np.flatnonzero(pattern.any(axis=axis)) for axis in (1, 0))
    if len(columns) == 1:
        return f", such as {_format_numbers(pattern[:, columns[0]])} down column {columns[0] + 1}"
    if len(rows) == 1:
        return f", such as {_format_numbers(pattern[rows[0]])} along row {rows[0] + 1}"
    return ""


def _format_numbers(numbers: Clues) -> str:
    words = [str(number) for number in numbers.tolist()]
    return " ".join(words if len(words) <= 8 else [*words[:5], "..."])


def load_clues(path: str | Path) -> Clues:
    """Read clues from a file."""
    try:
        with Path(path).open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
    if len(content) > MAX_BYTES:
        raise OptionError(f"{path} is too large: a file of clues has at most {MAX_BYTES} bytes")
    return parse_clues(content.decode("utf-8-sig", "replace"), str(path))


def parse_clues(text: str, name: str = "the clues") -> Clues:
    """Parse clues from a text; empty lines are ignored."""
    rows: list[list[int]] = []
    for line, words in enumerate(text.splitlines(), start=1):
        row = _parse_row(words, f"{name}, line {line}")
        if row and rows and len(row) != len(rows[0]):
            numbers = pluralize(len(row), "number")
            raise OptionError(
                f"line {line} of {name} has {numbers}, but the lines above have {len(rows[0])}"
            )
        rows += [row] if row else []
    if not rows:
        raise OptionError(f"{name}: no numbers found")
    if max(len(rows), len(rows[0])) > MAX_SIDE:
        raise OptionError(
            f"{name}: {len(rows)} rows of {len(rows[0])}; the maximum is {MAX_SIDE} x {MAX_SIDE}"
        )
    return np.array(rows, np.int64)


def _parse_row(words: str, where: str) -> list[int]:
    # A comma at the end of a line is allowed, because some spreadsheets write one.
    if missing := re.search(r"^\s*,|,\s*,", words):
        raise OptionError(f"{where}, column {missing.end()}: there is no number before the comma")
    return [_parse_number(word, where) for word in re.finditer(r"[^\s,]+", words)]


def _parse_number(word: re.Match[str], where: str) -> int:
    # Accept only ASCII digits, and only 20, so that int() is fast.
    if not re.fullmatch(r"[+-]?[0-9]{1,20}", word[0]):
        excerpt = word[0] if len(word[0]) <= 20 else word[0][:20] + "..."
        raise OptionError(f"{where}, column {word.start() + 1}: {excerpt!r} is not a whole number")
    if abs(number := int(word[0])) > MAX_NUMBER:
        raise OptionError(f"{where}, column {word.start() + 1}: {number} is beyond +-{MAX_NUMBER}")
    return number


# Solving sum clues: the map is T on each column, then T on each row, where T adds to each number
# its two neighbours in the line.  Chasing solves a line: let x be its first number; then each clue
# gives the next number, and the number after the last must be 0.  That number depends on x with the
# factor 1, -1 or (in lines of 2, 5, 8, ... numbers) 0.  So a line has exactly one solution in whole
# numbers, unless its length is 2 modulo 3: then it has none or infinitely many, because the sums of
# 1 -1 0 1 -1 ... are all 0.


def find_zero_sum_basis(rows: int, columns: int) -> Clues:
    """Return a basis of the grids whose sum clues are all 0: int (nullity, rows, columns)."""
    grids: list[Clues] = []
    if rows % 3 == 2:
        grids += [np.outer(_zero_sum_line(rows), unit) for unit in np.eye(columns, dtype=np.int64)]
    if columns % 3 == 2:
        # If rows % 3 == 2, the pattern in the last row depends on the others and is left out.
        units = np.eye(rows - (rows % 3 == 2), rows, dtype=np.int64)
        grids += [np.outer(unit, _zero_sum_line(columns)) for unit in units]
    return np.array(grids, np.int64).reshape(-1, rows, columns)


def _solve_column_sums(clues: Clues) -> Clues:
    # Solve each column as a separate line.
    length = len(clues)
    chased: NDArray[np.int64] = np.zeros((length + 2, clues.shape[1]), np.int64)
    for row, clue in enumerate(clues, start=1):  # row 0 of `chased` is above the grid and is 0
        chased[row + 1] = clue - chased[row] - chased[row - 1]
    factor = ZERO_SUM_PERIOD[length % 3]
    return np.asarray(chased[1:-1] - factor * np.outer(_zero_sum_line(length), chased[-1]))


def _zero_sum_line(length: int) -> Clues:
    return np.resize(ZERO_SUM_PERIOD, length)


# Solving slope clues of m rows and n columns: let x_i be row i of the grid, c_i its clues, and
# (S x)_j = x_(j+1) - x_(j-1) along a row.  The clues say x_(i+1) = x_(i-1) + S x_i - c_i.  So
# chasing computes every row from the first row, z.  The row after the last, F z + r, must be 0.
#
# F = F_(m+1)(S), where F_0 = 0, F_1 = 1, F_(k+1) = t F_k + F_(k-1) are the Fibonacci polynomials;
# F_(n+1) is the characteristic polynomial of S.  Let d be the greatest common divisor of m + 1 and
# n + 1.  Then F_d is that of F_(m+1) and F_(n+1), even as ideals of Z[t], because
# F_(k+l) = F_(k+1) F_l + F_k F_(l-1) and two consecutive polynomials generate the ideal of 1.
# Hence there are d - 1 independent zero patterns, and solvable clues have exactly one solution in
# which the last d - 1 numbers of z are 0.  It consists of whole numbers.


def _find_zero_slope_basis(rows: int, columns: int) -> Clues:
    # On (d - 1) x (d - 1) cells, any first row starts a zero pattern.  Larger grids repeat it,
    # mirrored at rows and columns of 0: row i after one is (-1)^(i+1) times row i before it.
    d = gcd(rows + 1, columns + 1)
    first: Clues = np.zeros((d - 1, columns + 1), np.int64)
    first[:, : d - 1] = np.eye(d - 1, dtype=np.int64)
    for start in range(d, columns, d):
        signs = (-1) ** np.arange(d - 1)
        first[:, start : start + d - 1] = signs * first[:, start - 2 :: -1][:, : d - 1]
    return _chase_rows(np.zeros((rows, columns), np.int64), first[:, :-1].T)[:-1].transpose(2, 0, 1)


def _solve_slope_clues(clues: Clues) -> Clues:
    rows, columns = clues.shape
    if columns > rows:  # transpose, so that rows are short; this changes the signs of slopes
        return _solve_slope_clues(-clues.T).T
    unknown = columns + 1 - gcd(rows + 1, columns + 1)
    starts = np.eye(columns, unknown, dtype=np.int64)
    last = _chase_rows(np.zeros_like(clues), starts)[-1]
    remaining = _chase_rows(clues, np.zeros((columns, 1), np.int64))[-1, :, 0]
    first = starts @ _solve_integer_system(last, -remaining)
    return _chase_rows(clues, first[:, None])[:-1, :, 0]


def _chase_rows(clues: Clues, first: Clues) -> Clues:
    # Compute a board's rows, and one row more, from its first row, for k boards at once: the
    # argument is int (columns, k), the result int (rows + 1, columns, k).
    before, row = np.zeros_like(first), first
    rows = [row]
    for clue in clues:
        padded = np.pad(row, ((1, 1), (0, 0)))
        before, row = row, before + padded[2:] - padded[:-2] - clue[:, None]
        rows.append(row)
    return np.array(rows)


def _solve_integer_system(matrix: Clues, right: Clues) -> Clues:
    # Return the integer vector x with ``matrix`` x = ``right``; the columns must be independent.
    from flint import fmpz_mat

    across, sides = matrix.T.astype(object), (matrix.shape[1], matrix.shape[1])
    square = fmpz_mat(*sides, (across @ matrix).ravel().tolist())
    solution = square.solve(fmpz_mat(sides[0], 1, (across @ right).tolist()))
    return np.array([int(number.p) for number in solution.entries()], np.int64)


# Two functions for each kind of clues: the first returns a basis of the zero patterns,
# int (nullity, rows, columns); the second returns a grid for clues that have a solution.
CLUE_KINDS: Mapping[str, tuple[Callable[[int, int], Clues], Callable[[Clues], Clues]]] = {
    "sum": (find_zero_sum_basis, lambda clues: _solve_column_sums(_solve_column_sums(clues).T).T),
    "slope": (_find_zero_slope_basis, _solve_slope_clues),
}
