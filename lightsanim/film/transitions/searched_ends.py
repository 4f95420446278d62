"""Ends of films that a search chooses, in place of dithered pictures: greys, ends and errors."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lightsanim.game.levels import Lights
from lightsanim.options.choices import THROUGH
from lightsanim.options.stages import AutomatonOptions, ClickOptions
from lightsanim.system.deadline import Deadline
from .halftone import SWEEPS, Effects, blurred_errors, search_halftones
from .transition import Targets, Transition

# Brightness of black and of white in pictures and in clicks: in a smaller range, more cells look
# like the pictures.  Few clicks would leave the second picture like the first.
PICTURE_TONES, CLICK_TONES = (0.12, 0.88), (0.18, 0.8)
# The same for three pictures with path through, which share the unknowns of one.
ORBIT_TONES = (0.2, 0.8)
# Blurred error above which a picture is hard to recognise.
MAX_ERROR = 0.06
ADVICE = "The pictures are hard to recognise: try drawings, close portraits, or more cells."


def has_searched_ends(options: ClickOptions) -> bool:
    """Return whether a search chooses the ends of a film, instead of dithering."""
    return bool(options.more_pictures) or options.path == THROUGH


def picture_tones(options: AutomatonOptions, pictures: int) -> tuple[float, float]:
    """Return the brightness of black and of white in a film of some pictures."""
    return ORBIT_TONES if options.path == THROUGH and pictures > 2 else PICTURE_TONES


def searched_greys(targets: Targets, tones: tuple[float, float]) -> Lights:
    """Return the brightness of a picture's cells that a search aims at: (planes, rows, columns)."""
    dark, white = tones
    return np.stack(
        [dark + (white - dark) * t.in_levels.astype(float) / (len(t.shown) - 1) for t in targets]
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class SearchedCells:
    """Cells that a search found, and the brightness that it aimed at."""

    cells: Lights  # (planes, pictures, rows, columns)
    greys: NDArray[np.float64]  # The same shape, 0..1.


def search_pictures(
    transition: Transition,
    targets: Sequence[Targets],
    kinds: Sequence[Effects],
    weights: Sequence[float],
    *,
    clicks: int = 0,
    sweeps: int = SWEEPS,
) -> SearchedCells:
    """Search for cells that look like pictures; clicks show the last ``clicks`` of these."""
    shown = len(targets) - clicks
    tones = [picture_tones(transition.options, shown)] * shown + [CLICK_TONES] * clicks
    greys = np.stack(list(map(searched_greys, targets, tones)), axis=1)
    deadline = Deadline(transition.search.time_limit)
    with transition.clock.time_stage("halftone") as say:
        cells = search_halftones(
            greys,
            kinds,
            transition.board.levels,
            weights=weights,
            rng=np.random.default_rng(transition.options.seed),
            deadline=deadline,
            sweeps=sweeps,
            on_progress=lambda error, share: say(f"blurred error {error:.3f}", share),
        )
    transition.facts.cut_short |= deadline.cut_short
    return SearchedCells(cells=cells, greys=greys)


def report_errors(
    shown: Lights, greys: NDArray[np.float64], levels: int, clicks: int = 0
) -> list[str]:
    """Return sentences on the blurred errors of pictures, (planes, pictures, rows, columns)."""
    errors = blurred_errors(shown / (levels - 1), greys).mean(axis=0)
    *others, last = (f"{error:.3f}" for error in errors[: len(errors) - clicks])
    of_clicks = [f"of the clicks {error:.3f}" for error in errors[len(errors) - clicks :]]
    line = "; ".join([f"Blurred errors: {', '.join(others)} and {last}", *of_clicks]) + "."
    return [line, *[ADVICE] * bool(errors.max() > MAX_ERROR)]
