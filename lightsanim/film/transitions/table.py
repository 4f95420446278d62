"""The transitions by name, and those whose ends a search chooses in place of dithering."""

from collections.abc import Mapping

from lightsanim.options.checks import require_keys
from lightsanim.options.choices import THROUGH
from lightsanim.options.stages import TRANSITIONS, ClickOptions
from .automaton_film import Automaton, Through
from .dissolve import Dissolve
from .searched_wipe import ClicksPicture, SideBySide
from .sketch_film import SketchFade
from .transition import Transition
from .wipe import Wipe

TRANSITION_CLASSES: Mapping[str, type[Transition]] = require_keys(
    TRANSITIONS,
    {"wipe": Wipe, "dissolve": Dissolve, "sketch": SketchFade, "automaton": Automaton},
)


def find_transition(options: ClickOptions) -> type[Transition]:
    """Return the class of the transition that the options choose."""
    if options.beside:
        return SideBySide
    if options.clicks_picture:
        return ClicksPicture
    if options.path == THROUGH:
        return Through
    return TRANSITION_CLASSES[options.transition]
