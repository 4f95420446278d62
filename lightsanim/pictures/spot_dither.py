"""Dithering to spot colours: each cell gets a colour of a palette, compared in CIELAB."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from lightsanim.look.blur import blur_values
from lightsanim.options.choices import DITHER, SEARCH, SEARCHED_DITHERS, THRESHOLD
from lightsanim.options.colours import Colours
from lightsanim.pictures.dither import Target
from lightsanim.pictures.dither_diffusion import KERNELS, diffuse_by_wavefronts, error_gains
from lightsanim.pictures.dither_ordered import ORDERED_MASKS, threshold_shares
from lightsanim.pictures.dither_search import (
    CELLS_PER_CHANGE,
    MAX_ROUNDS,
    SWAP_OFFSETS,
    TIE_NOISE,
    choose_moves,
    eye_blur_correlation,
    neighbour_slices,
)
from lightsanim.pictures.lab import UNITS, Lab, Rgb, ciede2000, rgb_to_lab
from lightsanim.pictures.spot_palette import nearest_colours

Levels = npt.NDArray[np.uint8]
Float32Array = npt.NDArray[np.float32]

# Share of the error that is diffused; with all of it, the few colours make coarse patterns.
STRENGTH = 0.8
WHITE = 100 * UNITS  # The L* of white.


@dataclass(frozen=True, kw_only=True, eq=False)
class SpotTarget(Target):
    """A picture dithered to spot colours; ``grey`` and ``shown`` are lightnesses, 0 to 1."""

    lab: Lab  # The colours before dithering, (rows, columns, 3).
    palette: Lab  # The colour of each level, (levels, 3).

    @classmethod
    def from_rgb(cls, rgb: Rgb, colours: Colours, dither: str, name: str) -> Self:
        """Dither sRGB colours, uint8 (rows, columns, 3), to one colour for each level."""
        lab, palette = rgb_to_lab(rgb), rgb_to_lab(np.array([c.rgb for c in colours], np.uint8))
        return cls(
            name=name,
            configuration=dither_to_palette(lab, palette, dither),
            grey=(lab[..., 0] / WHITE).clip(0, 1).astype(np.float32),
            shown=palette[:, 0] / WHITE,
            lab=lab,
            palette=palette,
        )

    @cached_property
    def differences(self) -> npt.NDArray[np.float64]:
        """Squared distance of what two levels show, (levels, levels); 1 is black from white."""
        return np.asarray(np.square((self.palette[:, None] - self.palette) / WHITE).sum(axis=2))

    @property
    def mean_difference(self) -> float:
        """Mean CIEDE2000 difference of what the cells show from their colours."""
        return float(ciede2000(self.palette[self.configuration], self.lab).mean())

    @property
    def tie_break(self) -> dict[str, npt.NDArray[Any]]:
        """The costs of wrong levels for `nearest_accessible`: multiples of the least CIEDE2000."""
        visible = ciede2000(self.palette[:, None], self.palette[None])
        smallest = visible[visible > 0].min()
        return {"level_costs": np.rint(visible / smallest).astype(np.int64)}


def dither_to_palette(lab: Lab, palette: Lab, dither: str) -> Levels:
    """Dither colours, (rows, columns, 3), to the colours of a palette, (levels, 3).

    An ordered dither compares a cell's threshold with its place between the two colours that it is
    mixed from; "threshold" takes the nearest colour.  Error diffusion and "search" work in Lab.

    >>> palette = rgb_to_lab(np.array([[0, 0, 0], [255, 0, 0], [255, 255, 255]], np.uint8))
    >>> lab = rgb_to_lab(np.array([[[250, 10, 0], [9, 9, 9]]], np.uint8))
    >>> dither_to_palette(lab, palette, "threshold")
    array([[1, 0]], dtype=uint8)
    """
    levels = nearest_colours(lab, palette).astype(np.uint8)
    if dither in ORDERED_MASKS:
        return levels if dither == THRESHOLD else _dither_between_two(lab, palette, levels, dither)
    kernel = KERNELS[DITHER if dither in SEARCHED_DITHERS else dither]
    gains = STRENGTH * error_gains(kernel, *levels.shape)[..., None]

    def nearest_values(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        return palette.astype(np.float64)[nearest_colours(values, palette)]

    values = diffuse_by_wavefronts(lab.astype(np.float64), gains, kernel, nearest_values)
    levels = nearest_colours(values, palette).astype(np.uint8)
    return _refine_levels(levels, lab / WHITE, palette / WHITE) if dither == SEARCH else levels


def _dither_between_two(lab: Lab, palette: Lab, nearest: Levels, dither: str) -> Levels:
    # Returns the nearest colour, or the colour whose mixture with it comes closest to the cell's.
    steps = palette - palette[nearest][:, :, None]
    left = (lab - palette[nearest])[:, :, None]
    lengths = np.maximum(1, np.square(steps).sum(axis=-1))
    shares = np.clip((steps * left).sum(axis=-1) / lengths, 0, 1)
    second = np.square(left - shares[..., None] * steps).sum(axis=-1).argmin(axis=-1)
    share = np.take_along_axis(shares, second[..., None], axis=-1)[..., 0]
    is_second = share > threshold_shares(nearest.shape, dither)
    return np.where(is_second, second, nearest).astype(np.uint8)


def _refine_levels(
    levels: Levels, lab: npt.NDArray[np.float64], palette: npt.NDArray[np.float64]
) -> Levels:
    # Changes single cells, or swaps neighbours, while the error that the eye sees becomes smaller.
    levels, rng = levels.copy(), np.random.default_rng(0)
    ideal, colours = np.moveaxis(lab, -1, 0).astype(np.float32), palette.T.astype(np.float32)
    for _ in range(MAX_ROUNDS):
        costs = _move_costs(levels, ideal, colours)
        chosen = choose_moves(costs, TIE_NOISE, rng)
        if np.count_nonzero(chosen) * CELLS_PER_CHANGE < chosen.size:
            break
        cells, moves = np.argwhere(chosen), costs.argmin(axis=0)[chosen]
        swaps = moves >= len(palette)
        here = cells[swaps].T
        there = here + np.array(SWAP_OFFSETS)[moves[swaps] - len(palette)].T
        levels[*cells[~swaps].T] = moves[~swaps]
        levels[*here], levels[*there] = levels[*there], levels[*here]
    return levels


def _move_costs(levels: Levels, ideal: Float32Array, colours: Float32Array) -> Float32Array:
    # Returns the increase of the squared perceived error for each new level of a cell, and for each
    # swap with a neighbour: float32 (moves, rows, columns), infinite for impossible moves.
    correlation, now = eye_blur_correlation(), colours[:, levels]
    slopes = [2 * blur_values(excess, correlation, "constant") for excess in now - ideal]
    steps = colours[:, :, None, None] - now[:, None]
    count = colours.shape[1]
    moves = np.full((count + len(SWAP_OFFSETS), *levels.shape), np.inf, np.float32)
    moves[:count] = sum(
        step * (slope + step * correlation[0] ** 2)
        for step, slope in zip(steps, slopes, strict=True)
    )
    np.put_along_axis(moves, levels[None].astype(np.intp), np.inf, axis=0)
    for number, offset in enumerate(SWAP_OFFSETS, start=count):
        here, there = neighbour_slices(levels.shape, *offset)
        bend = 2 * (correlation[0] ** 2 - correlation[np.abs(offset)].prod())
        changes = (values[there] - values[here] for values in now)
        moves[number][here] = sum(
            change * (slope[here] - slope[there] + change * bend)
            for change, slope in zip(changes, slopes, strict=True)
        )
        moves[number][here][levels[here] == levels[there]] = np.inf
    return moves
