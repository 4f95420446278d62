"""Gaussian blur of pictures, and of fields on a torus."""

import math
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

Light: TypeAlias = npt.NDArray[np.float32]
Floats: TypeAlias = npt.NDArray[np.float64]


def gaussian_weights(deviation: float, reach: int) -> Floats:
    """Return the weights of a Gaussian, which sum to 1: float64 (2 * reach + 1,)."""
    bell = np.exp(-0.5 * (np.arange(-reach, reach + 1) / deviation) ** 2)
    return np.asarray(bell / bell.sum())


def blur_by_gaussian(
    values: npt.NDArray[np.floating], deviation: float, reach: int | None = None
) -> Light:
    """Blur values, mirrored at the edges, by a Gaussian cut off at ``reach`` or at 3 deviations."""
    reach = math.ceil(3 * deviation) if reach is None else reach
    weights = gaussian_weights(deviation, reach)[reach:]
    return blur_values(values.astype(np.float32), weights, "symmetric")


def blur_values(
    values: Light, weights: npt.NDArray[np.floating], edges: Literal["symmetric", "constant"]
) -> Light:
    """Blur values, mirrored or 0 beyond the edges; weights run from the centre outwards."""
    weights = weights.astype(np.float32)
    padded = np.pad(values, len(weights) - 1, mode=edges)
    return _sum_weighted_lines(_sum_weighted_lines(padded, weights).T, weights).T


def _sum_weighted_lines(lines: Light, weights: Light) -> Light:
    # Sum each line and its neighbours, weighted; weights[by] is for neighbours ``by`` lines away.
    reach, count = len(weights) - 1, len(lines) - 2 * (len(weights) - 1)
    total: Light = lines[reach : reach + count] * weights[0]
    for by, weight in enumerate(weights[1:], start=1):
        before, after = (lines[reach + shift : reach + shift + count] for shift in (-by, by))
        total += (before + after) * weight
    return total


def blur_on_torus(field: Floats, deviation: float) -> Floats:
    """Blur a field on a torus by a Gaussian; ``deviation`` is its standard deviation in cells."""
    # The Fourier transform of the Gaussian is exp(-2 (pi deviation frequency)^2).
    down, right = np.fft.fftfreq(field.shape[0]), np.fft.rfftfreq(field.shape[1])
    transform = np.exp(-2 * (np.pi * deviation) ** 2 * np.add.outer(down**2, right**2))
    return np.fft.irfft2(np.fft.rfft2(field) * transform, field.shape)
