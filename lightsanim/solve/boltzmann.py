"""Draws of states by their energies, as in simulated annealing."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def boltzmann_weights(energies: Floats, temperature: float) -> Floats:
    """How likely states of some energies are, the largest of each first axis 1.

    >>> boltzmann_weights(np.array([0.0, np.log(2)]), 1.0).tolist()
    [1.0, 0.5]
    """
    least = energies.min(axis=0)
    return np.asarray(np.exp((least - energies) / temperature))


def drawn_by(weights: Floats, rng: np.random.Generator) -> NDArray[np.int64]:
    """One of each first axis, in proportion to the weights."""
    passed, drawn = rng.random(weights.shape[1:]) * weights.sum(axis=0), np.zeros(1, np.int64)
    for weight in weights[:-1]:
        passed = passed - weight
        drawn = drawn + (passed > 0)
    return drawn
