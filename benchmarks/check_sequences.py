"""Checks the b-files of sequences.py and its all-on boards: plain Python, without lightsanim.

    python benchmarks/check_sequences.py docs/how-it-works/data 1000

Patterns are found by chasing and elimination here, not by polynomials, and the perfect ones are
counted in their own space, by conditions on rows and columns.  The number says how far to go, which
takes time with its third power: 100 takes a second or two.
"""

import json
import sys
from itertools import combinations
from pathlib import Path

from check_hardest import chased, joined, quiet


def pivots_of(numbers):
    """A basis of what these numbers span over two elements, by their highest bits."""
    pivots = {}
    for left in numbers:
        while left and left.bit_length() in pivots:
            left ^= pivots[left.bit_length()]
        if left:
            pivots[left.bit_length()] = left
    return pivots


def mirrored(row, n):
    """A row from right to left."""
    return int(f"{row:0{n}b}"[::-1], 2)


def grids(n):
    """Rows of a basis of the quiet patterns."""
    return [chased(first, n, n)[0] for first in quiet(n, n)]


def column(grid, place):
    """A column as a number, its first row lowest."""
    return sum((row >> place & 1) << number for number, row in enumerate(grid))


def symmetric(basis, n):
    """Those sums of a basis that are their own transposes and flips."""
    tagged = []
    for number, grid in enumerate(basis):
        row = grid[0]
        change = row ^ column(grid, 0) | (row ^ grid[-1]) << n | (row ^ mirrored(row, n)) << 2 * n
        tagged.append(change << len(basis) | 1 << number)  # what it changes, and which it is
    kept = [left for bits, left in pivots_of(tagged).items() if bits <= len(basis)]
    return [[total(basis, left, number) for number in range(n)] for left in kept]


def total(basis, chosen, number):
    """A row of the sum of the grids that the bits of a number choose."""
    row = 0
    for place, grid in enumerate(basis):
        row ^= grid[number] if chosen >> place & 1 else 0
    return row


def perfect(basis, n):
    """How many sums of a basis have no empty row or column; an empty one makes some of these so."""
    parts = [
        (n + 1) // p
        for p in range(2, n + 2)
        if (n + 1) % p == 0 and all(p % q for q in range(2, p))
    ]
    lines = [[grid[part - 1] for grid in basis] for part in parts]
    lines += [[column(grid, part - 1) for grid in basis] for part in parts]
    count = 0
    for size in range(len(lines) + 1):
        for chosen in combinations(lines, size):
            joint = [
                sum(line[t] << n * i for i, line in enumerate(chosen)) for t in range(len(basis))
            ]
            count += (-1) ** size * 2 ** (len(basis) - len(pivots_of(joint)))
    return count


def all_on(n):
    """A click set that turns the all-on board off: rows."""

    def chase(first):
        before, row, grid = 0, first, []
        for _ in range(n):
            grid.append(row)
            lit = (row ^ row << 1 ^ row >> 1 ^ ~0) & (1 << n) - 1
            before, row = row, lit ^ before
        return grid, row

    left = chase(0)[1]
    firsts = [chased(1 << place, n, n)[1] << n | 1 << place for place in range(n)]
    pivots = pivots_of(firsts)
    left <<= n
    while left >> n:
        left ^= pivots[left.bit_length()]  # a missing one would mean that there is none
    grid, left = chase(left)
    assert not left
    return grid


def one_solution(basis, n):
    """Whether all click sets that turn all-on off are turns or mirrors of one."""
    if len(basis) > 3:
        return False
    first = all_on(n)
    sets = [first]
    for grid in basis:
        sets += [[a ^ b for a, b in zip(clicks, grid, strict=True)] for clicks in sets]
    looks = []
    for one in (first, [column(first, place) for place in range(n)]):
        for flipped in (one, [mirrored(row, n) for row in one]):
            looks += [flipped, flipped[::-1]]
    return all(clicks in looks for clicks in sets)


def terms(folder, name, limit):
    """The terms of a b-file up to a limit, numbered from 1 without a gap."""
    lines = [line.split() for line in (folder / name).read_text().splitlines()]
    assert [int(number) for number, _ in lines] == list(range(1, len(lines) + 1))
    return [int(term) for _, term in lines if int(term) <= limit]


def main(folder, limit):
    """Check them all, a line each."""
    patterns, symmetrical, unique = [], [], []
    for n in range(1, limit + 1):
        basis = grids(n)
        if basis and perfect(basis, n):
            patterns.append(n)
            if perfect(symmetric(basis, n), n):
                symmetrical.append(n)
        if n <= 500 and one_solution(basis, n):
            unique.append(n)
    for name, found in (("A118142", patterns), ("A118143", symmetrical), ("A076437", unique)):
        assert terms(folder, f"b{name[1:]}.txt", limit) == found, name
        print(f"{name}: {len(found)} terms to {min(limit, 500) if found is unique else limit}")
    for side, rows in json.loads((folder / "all-on.json").read_text()).items():
        n, clicks = int(side), [int(row[::-1], 2) for row in rows]
        assert not any(flipped ^ (1 << n) - 1 for flipped in toggles(clicks, n))
        best = count = sum(row.bit_count() for row in clicks)
        patterns = [joined(first, n, n) for first in quiet(n, n)]
        if len(patterns) > 24:
            print(f"A075464({n}) is at most {count}")
            continue
        number = sum(row << n * place for place, row in enumerate(clicks))
        for step in range(1, 1 << len(patterns)):
            number ^= patterns[(step & -step).bit_length() - 1]
            best = min(best, number.bit_count())
        assert best == count
        print(f"A075464({n}) = {count}: the fewest of 2^{len(patterns)} click sets")


def toggles(clicks, n):
    """The rows of what a click set flips."""
    padded = [0, *clicks, 0]
    for above, row, below in zip(padded, clicks, padded[2:], strict=False):
        yield (row ^ row << 1 ^ row >> 1 ^ above ^ below) & (1 << n) - 1


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
