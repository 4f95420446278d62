"""All errors that lightsanim raises, with one base class.

Each message is one line that names the value and says which values are valid.  The command line
prints the message and exits with the error's ``exit_status``.
"""

from collections.abc import Sequence


class LightsAnimError(Exception):
    """The base class of all errors."""

    exit_status = 1


class OptionError(LightsAnimError, ValueError):
    """An invalid option or argument, or options that do not fit together."""

    exit_status = 2

    def __init__(self, line: str, option: str | None = None, picture: str | None = None) -> None:
        super().__init__(line)
        self.option, self.picture = option, picture


class PictureError(LightsAnimError):
    """A picture that cannot be read."""


class ManifestError(OptionError):
    """A manifest that cannot be run, with a list of all its problems."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = tuple(problems)


class AnimationError(LightsAnimError):
    """An animation file that cannot be read, or whose parts contradict each other."""


class InaccessibleError(LightsAnimError):
    """A configuration that no click set turns into the required one."""


class SolverError(LightsAnimError):
    """A solver failed, or returned clicks that do not have the required result."""


class InputError(LightsAnimError):
    """A file that cannot be read."""


class ClusterError(LightsAnimError):
    """A Dask cluster that cannot be used."""


class OutputError(LightsAnimError):
    """A file that cannot be written."""


def is_lack_of_memory(error: Exception) -> bool:
    """Whether there was not enough memory, which libraries and threads report in their own ways."""
    texts = "failed to map segment", "Cannot allocate memory", "can't start new thread"
    if isinstance(error, ImportError | OSError | RuntimeError):
        return any(text in str(error) for text in texts)
    return isinstance(error, MemoryError)
