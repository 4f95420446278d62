"""What a file carries that holds an animation itself, not the frames of one."""

from dataclasses import dataclass

from lightsanim.animation.animation import Animation
from lightsanim.look.theme import Theme


@dataclass(frozen=True, kw_only=True, eq=False)
class SavedFile:
    """A file that carries an animation.

    Attributes:
        animation: what it carries.
        theme: the look that it is shown in; None for a file that shows nothing by itself, or
            whose look is not known.
        series: puzzles that a page of puzzles has beside it, each with its solution.
        flaw: why the file may show something else; None if it cannot.
    """

    animation: Animation
    theme: Theme | None = None
    series: tuple[Animation, ...] = ()
    flaw: str | None = None
