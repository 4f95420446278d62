"""Terms of sequences of the OEIS, as b-files where they can be: check_sequences.py checks them.

A perfect pattern is a quiet pattern without an empty row or column.  An empty row i, from 1, parts
a pattern of n rows in blocks that mirror each other, so that the empty rows are the multiples of a
divisor of n + 1.  The patterns whose empty rows come every (n + 1) / d, and empty columns every
(n + 1) / e, are those of the board of ((n + 1) / d - 1) x ((n + 1) / e - 1); so the perfect ones
are counted by inclusion and exclusion.

A pattern with all eight symmetries that is made of d x d blocks has just such a block where d is
odd.  Where d is even, its halves mirror each other in any case, and the block need only be its own
transpose.

The 79th term of A075464 is unknown, so that its b-file cannot go on; later terms stand in
all-on.json.
"""

import json
import sys
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np

from benchmarks.tables import Findings, Row, Table
from lightsanim import Board, fewest_clicks

FOLDER = Path(__file__).parent.parent / "docs" / "how-it-works" / "data"

# How far each goes.
PERFECT, UNIQUE = 1000, 500

# Beyond the end of A075464, which lacks the 79th: boards of few quiet patterns.
LATER = (83, 84, 89, 92, 94)


def run(quick: bool) -> Findings:
    """Write the b-files; if quick, only count what they would hold to 60."""
    perfect, unique = (60, 60) if quick else (PERFECT, UNIQUE)
    sequences = {
        "A118142": [n for n in range(1, perfect + 1) if perfect_patterns(n) > 0],
        "A118143": [n for n in range(1, perfect + 1) if symmetric_patterns(n) > 0],
        "A076437": [n for n in range(1, unique + 1) if has_one_solution(n)],
    }
    rows: list[Row] = []
    for name, terms in sequences.items():
        print(f"\n  {name}: {len(terms)} terms", end="", file=sys.stderr, flush=True)
        if not quick:
            lines = [f"{number} {term}\n" for number, term in enumerate(terms, 1)]
            (FOLDER / f"b{name[1:]}.txt").write_text("".join(lines))
        rows.append({"sequence": name, "terms": len(terms), "last": terms[-1]})
    later, sets = list[Row](), dict[str, list[str]]()
    for side in LATER:
        board, on = Board(side, side), np.ones((side, side), bool)
        found = fewest_clicks(board, board.clicks_between(on, ~on))
        later.append(
            {"n": side, "nullity": board.nullity, "clicks": found.count, "bound": found.bound}
        )
        sets[str(side)] = ["".join("01"[int(cell)] for cell in row) for row in found.clicks]
    if not quick:
        known = json.loads((FOLDER / "all-on.json").read_text())
        (FOLDER / "all-on.json").write_text(json.dumps({**known, **sets}, indent=0) + "\n")
    note = "`make records`. The b-files stand in docs/how-it-works/data."
    return Findings(
        tables=[
            Table(title="Sequences of the OEIS", rows=rows, note=note),
            Table(title="Terms of A075464 beyond its end", rows=later),
        ],
        bars=[],
    )


@cache
def nullity(rows: int, columns: int) -> int:
    """Of a board that may have no cells."""
    return Board(rows, columns).nullity if rows and columns else 0


def divisors(number: int) -> list[tuple[int, int]]:
    """The squarefree ones, each with 1 or -1 by how many primes it has."""
    found = [(1, 1)]
    for prime in range(2, number + 1):
        if number % prime == 0 and all(prime % d for d, _ in found if d > 1):
            found += [(prime * d, -sign) for d, sign in found]
    return found


def perfect_patterns(n: int) -> int:
    """How many n x n quiet patterns have no empty row or column.

    >>> [perfect_patterns(n) for n in (4, 5, 9)]  # the diagonal of OEIS A225783
    [15, 1, 240]
    """
    if not nullity(n, n):
        return 0
    return sum(
        sign * other * 2 ** nullity((n + 1) // d - 1, (n + 1) // e - 1)
        for (d, sign), (e, other) in product(divisors(n + 1), repeat=2)
    )


def symmetric_patterns(n: int) -> int:
    """How many of these look the same from all eight sides."""
    if not nullity(n, n):
        return 0
    return sum(
        sign * 2 ** symmetric_dimension((n + 1) // d - 1, flips=d % 2 == 1)
        for d, sign in divisors(n + 1)
    )


@cache
def symmetric_dimension(n: int, flips: bool) -> int:
    """The dimension of the quiet patterns that are their own transposes, or also flips.

    A pattern is known by its first row, so that only what becomes of that is looked at.
    """
    if not nullity(n, n):
        return 0
    changes = []
    for pattern in Board(n, n).quiet_patterns():
        row, others = pattern[0], [pattern[:, 0]]
        if flips:
            others += [pattern[-1], row[::-1]]
        bits = np.packbits(np.concatenate([row ^ other for other in others]))
        changes.append(int.from_bytes(bits.tobytes(), "big"))
    pivots = dict[int, int]()
    for change in changes:
        left = change
        while left and (pivot := pivots.get(left.bit_length())):
            left ^= pivot
        if left:
            pivots[left.bit_length()] = left
    return len(changes) - len(pivots)


def has_one_solution(n: int) -> bool:
    """Whether all click sets that turn the all-on n x n board off are turns or mirrors of one."""
    board = Board(n, n)
    if board.nullity > 3:  # more than eight click sets
        return False
    on = np.ones((n, n), bool)
    first = board.clicks_between(on, ~on)
    one_by_one = [first]
    for pattern in board.quiet_patterns():
        one_by_one += [clicks ^ pattern for clicks in one_by_one]
    images = {
        image[::down, ::right].tobytes()
        for image in (first, first.T)
        for down, right in product((1, -1), repeat=2)
    }
    return all(clicks.tobytes() in images for clicks in one_by_one)
