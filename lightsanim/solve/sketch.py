"""A stand-in for the search, frame by frame."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightsanim.animation.steps import Steps
from lightsanim.board.board import Board
from lightsanim.board.levels import Lights
from lightsanim.deadline import Deadline
from lightsanim.pictures.dither import dither
from lightsanim.solve.check_cells import CheckCells, outermost_first


@dataclass(frozen=True, kw_only=True, eq=False)
class Sketch:
    """A stand-in."""

    first: Lights
    steps: Steps
    errors: NDArray[np.float64]
    cut_short: bool

    @property
    def counts(self) -> NDArray[np.int64]:
        """Of each step."""
        return self.steps.counts


def sketch(board: Board, greys: NDArray[Any], **options: Any) -> Sketch:
    """A stand-in."""
    return sketches(board, np.asarray(greys)[None], **options)[0]


def _kernel(blur: float) -> NDArray[np.float64]:
    reach = int(np.ceil(3 * blur))
    one = np.exp(-(np.arange(-reach, reach + 1) ** 2) / (2 * blur**2))
    return np.outer(one, one) / one.sum() ** 2


def _conv(a: NDArray[Any], k: NDArray[Any]) -> NDArray[np.float64]:
    r = len(k) // 2
    p = np.pad(a, r)
    out = np.zeros(a.shape)
    for i in range(len(k)):
        for j in range(len(k)):
            out += k[i, j] * p[i : i + a.shape[0], j : j + a.shape[1]]
    return out


def _one(
    board: Board, greys: NDArray[Any], price: float, blur: float, closed: bool, say: Any
) -> Sketch:
    q = board.levels
    k1 = _kernel(blur)
    r = len(k1)
    kk = _conv(np.pad(k1, r // 2), k1)
    mid = len(kk) // 2
    first = dither(greys[0].clip(0, 1), levels=q).configuration
    fix = CheckCells.of(board, outermost_first(board.shape))
    first = fix.corrected(first)
    sets, errors, lights = [], [], first
    offs = board.offsets()
    rows, columns = board.shape

    def err(l: Any, g: Any) -> float:
        return float(np.sqrt((_conv(l / (q - 1) - g, _kernel(1.0)) ** 2).mean()))

    errors.append(err(first, greys[0]))
    targets = [*greys[1:]]
    for g in targets:
        presses = np.zeros(board.shape, np.uint8)
        for _ in range(12):
            e = _conv(lights / (q - 1) - g, kk)
            best = np.full(board.shape, np.inf)
            how = np.zeros(board.shape, np.uint8)
            for by in {1, q - 1}:
                raised = board.add(lights, np.full(board.shape, by, board.reference.dtype))
                s = (raised.astype(float) - lights) / (q - 1)
                pad = max(max(abs(a), abs(b)) for a, b in offs)
                sp, ep = np.pad(s, pad), np.pad(e, pad)
                d = np.zeros(board.shape)
                view = lambda a, o: a[
                    pad + o[0] : pad + o[0] + rows, pad + o[1] : pad + o[1] + columns
                ]
                for o in offs:
                    d += 2 * view(sp, o) * view(ep, o)
                    for o2 in offs:
                        x, y = o[0] - o2[0], o[1] - o2[1]
                        if max(abs(x), abs(y)) <= mid:
                            d += view(sp, o) * view(sp, o2) * kk[mid + x, mid + y]
                take = d < best
                best[take], how[take] = d[take], by
            want = best < -0.15 * price / (q - 1) ** 2
            order = np.argsort(best, axis=None)
            blocked = np.zeros(board.shape, bool)
            done = np.zeros(board.shape, np.uint8)
            for c in order[: want.sum()]:
                y, x = divmod(int(c), columns)
                if not blocked[y, x]:
                    done[y, x] = how[y, x]
                    blocked[max(0, y - 4) : y + 5, max(0, x - 4) : x + 5] = True
            if not done.any():
                break
            lights = board.add(lights, board.toggles(done.astype(board.reference.dtype)))
            presses = (presses + done) % q
        sets.append(presses)
        errors.append(err(lights, g))
        say(errors[-1], int(sum(int(s.sum()) for s in sets)))
    if closed:
        sets.append(board.clicks_between(lights, first))
    steps = Steps.of((1, *board.shape), q, sets)
    return Sketch(first=first, steps=steps, errors=np.array(errors), cut_short=False)


def sketches(
    board: Board,
    greys: NDArray[Any],
    *,
    price: float = 1.0,
    blur: float = 1.0,
    seed: int = 0,
    closed: bool = False,
    time_limit: float | Deadline = 30.0,
    on_progress: Callable[[float, int], None] | None = None,
) -> Sequence[Sketch]:
    """A stand-in."""
    say = on_progress or (lambda error, clicks: None)
    return [_one(board, film, price, blur, closed, say) for film in np.asarray(greys)]
