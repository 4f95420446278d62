"""Carrying out an animation's clicks or steps, frame by frame."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from lightsanim.algebra.modular import reduce
from lightsanim.animation.steps import Steps
from lightsanim.board.board import Board
from lightsanim.board.levels import Lights

# Clicks whose flips are found at a time, which is faster than for each frame.
BLOCK = 256


def apply_clicks(
    board: Board,
    shades: NDArray[np.uint8],
    clicks: NDArray[np.integer],
    primaries: NDArray[np.uint8] | None,
    frames: NDArray[np.int64],
) -> Iterator[NDArray[np.int64]]:
    """Click cells, some for each frame; the cost grows with the clicks.

    ``shades``: uint8 (rows, columns), ``clicks``: int (clicks,), ``primaries``: uint8 (clicks,),
    ``frames``: int64 (frames,).

    >>> shades = np.zeros((1, 3), np.uint8)
    >>> clicks, frames = np.array([0, 2]), np.array([0, 1, 2])
    >>> for touched in apply_clicks(Board(1, 3), shades, clicks, None, frames):
    ...     print(sorted(touched.tolist()), shades.tolist())
    [0, 1] [[1, 1, 0]]
    [1, 2] [[1, 0, 1]]
    """
    if board.levels > 2:
        yield from _raise_levels(board, shades, clicks, primaries, frames)
        return
    cells, first = shades.reshape(-1), 0
    while first < len(frames) - 1:
        last = int(np.searchsorted(frames, frames[first] + BLOCK, "right")) - 1
        last = max(last, first + 1)
        part = slice(frames[first], frames[last])
        layers = None if primaries is None else primaries[part]
        if frames[last] - frames[first] > BLOCK:
            yield board.flip(shades, clicks[part], layers)
        else:
            source, flipped = board.flips(clicks[part])
            bits = np.ones(len(flipped), np.uint8) if layers is None else layers[source]
            ends = np.searchsorted(source, frames[first : last + 1] - frames[first])
            for place in map(slice, ends[:-1], ends[1:]):
                np.bitwise_xor.at(cells, flipped[place], bits[place])
                yield flipped[place]
        first = last


def _raise_levels(
    board: Board,
    shades: NDArray[np.uint8],
    clicks: NDArray[np.integer],
    primaries: NDArray[np.uint8] | None,
    frames: NDArray[np.int64],
) -> Iterator[NDArray[np.int64]]:
    # Board by board: what the digits of a shade stand for.
    places = [board.levels**number for number in range(1 if primaries is None else 3)]
    boards = [np.asarray(shades // place % board.levels, np.uint8) for place in places]
    for start, end in pairwise(frames.tolist()):
        touched = []
        for number, lights in enumerate(boards):
            pressed = clicks[start:end]
            if primaries is not None:
                pressed = pressed[primaries[start:end] >> number & 1 == 1]
            touched.append(board.flip(lights, pressed))
        cells = np.concatenate(touched)
        digits = zip(places, boards, strict=True)
        shades.flat[cells] = sum(place * lights.flat[cells] for place, lights in digits)
        yield cells


def apply_steps(
    board: Board, shades: NDArray[np.uint8], steps: Steps, frames: NDArray[np.int64]
) -> Iterator[NDArray[np.int64]]:
    """As `apply_clicks`, with click sets that are pressed as a whole.

    ``frames``: int64 (frames,).
    """
    for start, end in pairwise(frames.tolist()):
        touched = np.zeros(board.shape, bool)
        place = 1
        for raised in map(board.toggles, pressed_in(board, steps, start, end)):
            touched |= raised.astype(bool, copy=False)
            if board.levels == 2:
                shades ^= raised * np.uint8(place)
            else:
                level = shades // np.uint8(place) % board.levels
                shades += ((level + raised) % board.levels - level) * np.uint8(place)
            place *= board.levels
        yield np.flatnonzero(touched)


def pressed_by(
    board: Board, clicks: NDArray[np.integer], primaries: NDArray[np.uint8] | None
) -> Iterator[Lights]:
    """The click set of each board that single clicks press in all.

    >>> pressed, = pressed_by(Board(1, 3), np.array([0, 2, 0]), None)
    >>> pressed.tolist()
    [[False, False, True]]
    """
    for number in range(1 if primaries is None else 3):
        made = clicks if primaries is None else clicks[primaries >> number & 1 == 1]
        cells, times = np.unique(made, return_counts=True)
        pressed = np.zeros_like(board.reference)
        pressed.flat[cells] = times % board.levels
        yield pressed


def sets_by_frame(
    board: Board,
    clicks: NDArray[np.integer],
    primaries: NDArray[np.uint8] | None,
    done: NDArray[np.int64],
) -> Iterator[NDArray[np.generic]]:
    """Single clicks as steps: what each frame presses, (boards, rows, columns).

    ``done``: int64 (frames,).

    >>> sets = sets_by_frame(Board(1, 3), np.array([0, 2, 1]), None, np.array([2, 3]))
    >>> [pressed.astype(int).tolist() for pressed in sets]
    [[[[1, 0, 1]]], [[[0, 1, 0]]]]
    """
    for start, end in pairwise([0, *done.tolist()]):
        layers = None if primaries is None else primaries[start:end]
        yield np.stack([*pressed_by(board, clicks[start:end], layers)])


def pressed_in(board: Board, steps: Steps, start: int, end: int) -> Iterator[Lights]:
    """The click set of each board that steps from ``start`` to below ``end`` press in all."""
    presses = steps[start] if start < end else np.zeros(steps.shape, np.uint8)
    for number in range(start + 1, end):
        presses += steps[number]
        reduce(presses, board.levels)
    for each in presses:
        yield each.view(bool) if board.levels == 2 else each
