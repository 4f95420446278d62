"""The Gaussian blur: of greys as an eye or a lens blurs them, and of fields on a torus."""

from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

Light: TypeAlias = npt.NDArray[np.float32]
Floats: TypeAlias = npt.NDArray[np.float64]

# Rows that are worked on at a time; of small boards as many cells as a cache holds, or threads
# would mostly wait for one another.
STRIP_ROWS, CACHED_CELLS = 32, 1 << 16


def gaussian_weights(deviation: float, reach: int) -> Floats:
    """A Gaussian's weights, which add up to 1: float64 (2 * reach + 1,)."""
    bell = np.exp(-0.5 * (np.arange(-reach, reach + 1) / deviation) ** 2)
    return np.asarray(bell / bell.sum())


def blur_values(
    values: Light, weights: npt.NDArray[np.floating], edges: Literal["symmetric", "constant"]
) -> Light:
    """Values under weights along both sides; beyond the edges they are mirrored, or 0.

    ``values``: float32 (rows, columns), ``weights``: (reach + 1,), from the middle on.
    """
    weights = weights.astype(np.float32)
    reach, (rows, columns) = len(weights) - 1, values.shape
    padded = np.pad(values, reach, mode=edges)
    strip = max(STRIP_ROWS, CACHED_CELLS // columns)
    result = np.empty((rows, columns), np.float32)
    for top in range(0, rows, strip):  # what is added up again and again stays in the cache
        lines = padded[top : top + strip + 2 * reach]
        _sum_weighted_lines(
            _sum_weighted_lines(lines, weights, None).T, weights, result[top : top + strip].T
        )
    return result


def _sum_weighted_lines(lines: Light, weights: Light, total: Light | None) -> Light:
    # Of (lines, width): each, and with those ``by`` lines before and after it under weights[by].
    reach, count = len(weights) - 1, len(lines) - 2 * (len(weights) - 1)
    total = np.multiply(lines[reach : reach + count], weights[0], out=total)
    spare = np.empty_like(total)
    for by, weight in enumerate(weights[1:], start=1):
        before, after = (lines[reach + shift : reach + shift + count] for shift in (-by, by))
        np.add(before, after, out=spare)
        total += np.multiply(spare, weight, out=spare)
    return total


def blur_on_torus(field: Floats, deviation: float) -> Floats:
    """A field on a torus under a Gaussian of a standard deviation in cells.

    A product of Fourier transforms; the Gaussian's own is exp(-2 (pi deviation frequency)^2).
    """
    down, right = np.fft.fftfreq(field.shape[0]), np.fft.rfftfreq(field.shape[1])
    transform = np.exp(-2 * (np.pi * deviation) ** 2 * np.add.outer(down**2, right**2))
    return np.fft.irfft2(np.fft.rfft2(field) * transform, field.shape)
