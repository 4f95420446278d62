"""Checks the certificates of the hardest starts: plain Python that knows nothing of lightsanim.

    python benchmarks/check_hardest.py docs/how-it-works/data/hardest.json 30

Why these checks are enough, says docs/how-it-works/hardest.md.  The number says to which k its
formulas are tried; 9 takes seconds, 30 a minute or so.
"""

import json
import sys
from collections import Counter
from fractions import Fraction

# By the smallest n: the most clicks on n x n of the same nullity, in k = (n + 1) / (smallest + 1);
# and whether k must be odd.
FORMULAS = {
    4: (lambda k: 17 * k * k - 10 * k, True),
    5: (lambda k: 26 * k * k - 12 * k + 1, False),
    9: (lambda k: 60 * k * k - 20 * k - 3, True),
    11: (lambda k: 88 * k * k - 24 * k + 1, False),
    16: (lambda k: 161 * k * k - 34 * k - 3, True),
    29: (lambda k: 506 * k * k - 60 * k - 3, True),
}


def chased(first, rows, columns):
    """The rows of the click set that starts so and flips the last row alone; what it flips."""
    before, row, grid = 0, first, []
    for _ in range(rows):
        grid.append(row)
        flipped = (row ^ row << 1 ^ row >> 1) & (1 << columns) - 1
        before, row = row, flipped ^ before
    return grid, row


def quiet(rows, columns):
    """First rows of a basis of all click sets that flip nothing."""
    found, pivots = [], {}
    for column in range(columns):
        first, left = 1 << column, chased(1 << column, rows, columns)[1]
        while left and (known := pivots.get(left.bit_length())):
            first, left = first ^ known[0], left ^ known[1]
        if left:
            pivots[left.bit_length()] = first, left
        else:
            found.append(first)
    return found


def joined(first, rows, columns):
    """A quiet pattern as one number, a bit for each cell."""
    grid, left = chased(first, rows, columns)
    assert not left, "not quiet"
    return sum(row << number * columns for number, row in enumerate(grid))


def classes(patterns, cells):
    """How many cells lie on just these patterns, by the number whose bits name them; 0 left out."""
    texts = [f"{pattern:b}"[::-1] for pattern in patterns]
    lengths = [len(text) for text in texts]
    columns = Counter(
        sum(1 << t for t, text in enumerate(texts) if cell < lengths[t] and text[cell] == "1")
        for cell in cells
    )
    del columns[0]
    return columns


def fewest(clicks, patterns):
    """The fewest clicks that flip the same cells: over all sums with quiet patterns."""
    best = clicks.bit_count()
    for number in range(1, 1 << len(patterns)):
        clicks ^= patterns[(number & -number).bit_length() - 1]  # Gray's order
        best = min(best, clicks.bit_count())
    return best


def check_tree(tree, low, high, most):
    """No e between these numbers has gains of at most so many; returns how many cases there are."""
    if isinstance(tree, list):
        column, cut, below, above = tree
        assert low[column] <= cut < high[column]
        assert (cut - low[column]) % 2 == 0
        return check_tree(below, low, {**high, column: cut}, most) + check_tree(
            above, {**low, column: cut + 2}, high, most
        )
    weights = {int(combination): weight for combination, weight in tree.items()}
    assert min(weights.values()) > 0
    mean = 0
    for column in low:
        total = sum(w * (-1) ** (column & c).bit_count() for c, w in weights.items())
        mean += min(total * low[column], total * high[column])
    assert mean > most * sum(weights.values()), "a case is open"
    return 1


def check_weights(proof, sizes):
    """No e has gains of at most so many: times a square, most - gain would have a mean below 0."""
    most, one, weights = proof["gain"] - 2, proof["scale"], proof["weights"]
    weights = {int(column): weight for column, weight in weights.items()}
    assert set(weights) == set(sizes)
    assert min(weights.values()) >= 0
    total, against = -most * one * one, Counter()
    for u in sizes:
        for v in sizes:
            if u < v < u ^ v and u ^ v in sizes:  # each triple once
                s, t, w = (weights[column] for column in (u, v, u ^ v))
                even = [column for column in (u, v, u ^ v) if sizes[column] % 2 == 0]
                product = 2 * (s * t + s * w + t * w) * sizes[u] * sizes[v] * sizes[u ^ v]
                total -= 0 if even else product
                for column in even:
                    against[column] += Fraction(product, len(even) * sizes[column])
    for column, size in sizes.items():
        square = 2 * one * weights[column] - most * weights[column] ** 2
        assert size % 2 == 0 or size == 1
        choices = range(0, size + 1, 2) if size % 2 == 0 else (1,)
        total += min(square * e * e - against[column] * e for e in choices)
    assert total > 0, "the weights prove nothing"


def check_proof(proof):
    """The largest gain is as large as it says, whatever e is; returns how many cases there are."""
    odd, positive, most = set(proof["odd"]), proof["positive"], proof["gain"] - 2
    spanned = {0}
    for column in positive:  # independent, so that one combination turns all of these signs
        assert column in odd
        assert column not in spanned
        spanned |= {column ^ other for other in spanned}
    high = {column: 2 * most - 2 + (column in odd) for column in proof["classes"]}
    low = {column: 1 if column in positive else -top for column, top in high.items()}
    return check_tree(proof["tree"], low, high, most)


def gain_of(board, proofs, sizes):
    """A proven gain: of a board's own classes, or of patterns that repeat a smaller board's."""
    odd = sum(size % 2 for size in sizes.values())
    if not board["proof"]:
        return 2 - odd % 2 if odd else 0
    proof = proofs[board["proof"]]
    firsts = [int(row[::-1], 2) for row in proof["first rows"]]
    side = int(board["proof"].split("x")[1])
    repeated = repeat(firsts, side, board["rows"], board["columns"])
    if "weights" in proof:
        check_weights(proof, repeated)
    assert set(repeated) == set(proof["classes"])
    assert {column for column, size in repeated.items() if size % 2} == set(proof["odd"])
    return proof["gain"]


def repeat(firsts, side, rows, columns):
    """The classes of patterns that are mirrored again and again, with empty lines between."""
    assert (columns + 1) % (side + 1) == 0
    patterns = []
    for first in firsts:
        row = f"{first:0{side}b}"[::-1]
        line = ((row + "0" + row[::-1] + "0") * (columns // side + 1))[:columns]
        patterns.append(joined(int(line[::-1], 2), rows, columns))
    return classes(patterns, range(rows * columns))


def try_formula(board, formula, odd_alone, until):
    """Larger boards have the same classes, k * k times as large, and a start of the same gain."""
    side, clicks = board["rows"], "".join(board["click set"])
    firsts = quiet(side, side)
    patterns = [joined(first, side, side) for first in firsts]
    sizes = classes(patterns, range(side * side))
    clicked = classes(patterns, [cell for cell, one in enumerate(clicks) if one == "1"])
    e = {column: size - 2 * clicked[column] for column, size in sizes.items()}
    gain = max(
        sum(one * (-1) ** (column & c).bit_count() for column, one in e.items())
        for c in range(1 << len(patterns))
    )
    tried = []
    for k in range(1, until + 1, 2 if odd_alone else 1):
        n = k * (side + 1) - 1
        if len(quiet(n, n)) > len(patterns):
            continue
        repeated = repeat(firsts, side, n, n)
        assert repeated == {column: k * k * size for column, size in sizes.items()}
        assert all((repeated[column] - one) % 2 == 0 for column, one in e.items())
        assert n * n - (sum(repeated.values()) + gain) // 2 == formula(k)
        tried.append(k)
    print(f"{side} x {side}: the formula holds for k = {', '.join(map(str, tried))}")


def main(path, until):
    """Check them all, a line each."""
    with open(path, encoding="utf-8") as file:
        record = json.load(file)
    for name, proof in record["proofs"].items():
        if "tree" not in proof:
            continue  # it is about one board alone
        print(f"{name}: some gain is at least {proof['gain']}, {check_proof(proof)} cases")
    for board in record["boards"]:
        rows, columns = board["rows"], board["columns"]
        patterns = [joined(first, rows, columns) for first in quiet(rows, columns)]
        assert len(patterns) == board["nullity"]
        clicks = int("".join(board["click set"])[::-1], 2)
        needed = clicks.bit_count()
        assert fewest(clicks, patterns) == needed == board["clicks"], "fewer clicks will do"
        sizes = classes(patterns, range(rows * columns))
        covered, gain = sum(sizes.values()), gain_of(board, record["proofs"], sizes)
        assert rows * columns - (covered + gain) // 2 == board["bound"] >= needed
        closed = "" if needed == board["bound"] else f" to {board['bound']}"
        print(f"{rows} x {columns}, nullity {len(patterns)}: {needed}{closed}")
    for board in record["boards"]:
        if board["rows"] == board["columns"] in FORMULAS:
            try_formula(board, *FORMULAS[board["rows"]], until)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
