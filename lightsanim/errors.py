"""The errors that lightsanim raises on purpose: one base class, few kinds.

Each message is one line that names the value and says what would be right.  The command line
prints it and leaves with the error's ``exit_status``.
"""

from collections.abc import Sequence


class LightsAnimError(Exception):
    """Anything that lightsanim could not do; the base of the other kinds."""

    exit_status = 1


class OptionError(LightsAnimError, ValueError):
    """A value that an option or argument cannot take (wrong usage)."""

    exit_status = 2

    def __init__(self, line: str, option: str | None = None, picture: str | None = None) -> None:
        super().__init__(line)
        self.option, self.picture = option, picture


class PictureError(LightsAnimError):
    """A picture that cannot be read."""


class ManifestError(OptionError):
    """A batch's manifest that cannot be run, with all that is wrong with it."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = tuple(problems)


class AnimationError(LightsAnimError):
    """An animation file that cannot be read, or that contradicts itself."""


class InaccessibleError(LightsAnimError):
    """No click set turns the one configuration into the other."""


class SolverError(LightsAnimError):
    """A solver failed, or returned an answer that does not hold when pressed again."""


class InputError(LightsAnimError):
    """A file that cannot be read."""


class ClusterError(LightsAnimError):
    """A Dask cluster that cannot be worked with."""


class OutputError(LightsAnimError):
    """A file that cannot be written."""
