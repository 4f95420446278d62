"""The game and its algebra as in a textbook: slow, plain, and apart from the library."""

from itertools import product

import numpy as np

# What the rules' words say, of two cells that lie ``down`` rows and ``right`` columns apart.
RULES = {
    "plus": lambda down, right: abs(down) + abs(right) <= 1,
    "cross": lambda down, right: down == 0 or right == 0,
    "king": lambda down, right: max(abs(down), abs(right)) <= 1,
    "ring": lambda down, right: abs(down) + abs(right) == 1,
    "x": lambda down, right: abs(down) == abs(right) <= 1,
}


# How often a clue counts the numbers around it, by places down and right.
NEAR = {
    "sum": {(d, r): 1 for d in (-1, 0, 1) for r in (-1, 0, 1)},
    "slope": {(-1, 0): 1, (0, 1): 1, (1, 0): -1, (0, -1): -1},
}

# A matrix of small numbers has the same rank over the fractions and modulo this.
PRIME = 2**31 - 1


def random_bits(shape, seed=0):
    return np.random.default_rng(seed).random(shape) < 0.5


def matrix_of(rule, shape, levels=2, *, wrap=False):
    """A: a column for each click, a row for each cell, by the words or the 1s of a stencil."""
    lines = rule.split("/")
    height, width = (3, 3) if rule in RULES else (len(lines), len(lines[0]))
    matrix = np.zeros((shape[0] * shape[1],) * 2, int)
    for click, (row, column) in enumerate(np.ndindex(shape)):
        raised = matrix[:, click].reshape(shape)  # a view
        if rule == "cross":
            raised[row], raised[:, column] = 1, 1
            continue
        for r, c in np.ndindex(height, width):
            down, right = r - height // 2, c - width // 2
            if RULES[rule](down, right) if rule in RULES else lines[r][c] == "1":
                y, x = row + down, column + right
                if wrap:
                    raised[y % shape[0], x % shape[1]] += 1
                elif 0 <= y < shape[0] and 0 <= x < shape[1]:
                    raised[y, x] = 1
    return matrix % levels


def all_click_sets(board):
    """Every click set, uint8 (sets, cells), and by how much it raises each cell."""
    numbers, q = np.arange(board.levels**board.cells), board.levels
    sets = (numbers[:, None] // q ** np.arange(board.cells) % q).astype(np.uint8)
    return sets, sets @ matrix_of(board.rule, board.shape, q, wrap=board.wrap).T % q


def rank_of(matrix, q=2):
    """The rank over GF(q)."""
    matrix, rank = matrix.astype(int), 0
    for column in range(matrix.shape[1]):
        below = rank + np.flatnonzero(matrix[rank:, column])
        if len(below):
            matrix[[rank, below[0]]] = matrix[[below[0], rank]]
            matrix[rank] = matrix[rank] * pow(int(matrix[rank, column]), -1, q) % q
            lower_rows = matrix[rank + 1 :]
            lower_rows[:] = (lower_rows - np.outer(lower_rows[:, column], matrix[rank])) % q
            rank += 1
    return rank


def images_of(rule, shape, *, wrap=False):
    """What each set of clicks toggles, int64 (2**cells,): sets and cells as numbers, bit by bit."""
    images = np.zeros(1, np.int64)
    for column in matrix_of(rule, shape, wrap=wrap).T:
        images = np.concatenate([images, images ^ number_of(column)])
    return images


def number_of(bits):
    return sum(1 << int(cell) for cell in np.flatnonzero(bits))


def lines_through(n):
    """The panes of each line of a window, by its kind and number."""
    lines = {}
    for i, j in np.ndindex(n, n):
        for name in [("row", i), ("column", j), ("falling", i - j), ("rising", i + j)]:
            lines.setdefault(name, []).append((i, j))
    straight = ("row", "column")
    return {name: line for name, line in lines.items() if len(line) > 1 or name[0] in straight}


def even_windows(n):
    """All whose lines are even: bool (windows, n, n), True = lit."""
    windows = (np.arange(1 << n * n)[:, None] >> np.arange(n * n) & 1).astype(bool)
    for line in lines_through(n).values():
        windows = windows[windows[:, [i * n + j for i, j in line]].sum(axis=1) % 2 == 0]
    return windows.reshape(-1, n, n)


def odd_lines_of(window):
    """Each line with an odd number of lit panes: its kind and its panes' numbers."""
    return {
        (kind if kind in ("row", "column") else "diagonal", *(i * len(window) + j for i, j in line))
        for (kind, _), line in lines_through(len(window)).items()
        if sum(window[pane] for pane in line) % 2
    }


def clues_of(grid, kind="sum"):
    """The clues of ashes, from the numbers on a grid."""
    padded, (rows, columns) = np.pad(grid, 1), grid.shape
    return sum(
        weight * padded[1 + down : 1 + down + rows, 1 + right : 1 + right + columns]
        for (down, right), weight in NEAR[kind].items()
    )


def clue_matrix(shape, kind="sum"):
    units = np.eye(shape[0] * shape[1], dtype=int).reshape(-1, *shape)
    return np.column_stack([clues_of(unit, kind).ravel() for unit in units])


def press(lights, row, column, levels=2, rule="plus"):
    """A click, cell by cell."""
    for i, j in np.ndindex(lights.shape):
        if RULES[rule](i - row, j - column):
            lights[i, j] = (lights[i, j] + 1) % levels


def chasing(lights, top, *game):
    """The lights that clicks in the top row and light chasing leave, and all clicks."""
    lights, clicks = lights.copy(), np.zeros(lights.shape, int)
    for column in np.repeat(range(len(top)), top):
        press(lights, 0, column, *game)
        clicks[0, column] += 1
    for row in range(len(lights) - 1):
        for column in range(lights.shape[1]):
            while lights[row, column]:
                press(lights, row + 1, column, *game)
                clicks[row + 1, column] += 1
    assert not lights[:-1].any()
    return lights, clicks


def solutions_of(lights, levels=2, rule="plus"):
    """All of them, as each set of clicks in the top row leads to one at most."""
    tops = product(range(levels), repeat=lights.shape[1])
    outcomes = (chasing(lights, top, levels, rule) for top in tops)
    return [clicks for lights, clicks in outcomes if not lights.any()]
