"""Functions that take their options by name, with the types of the table."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from lightsanim.errors import OptionError
from lightsanim.options.checks import shown
from lightsanim.options.table import LookOptions, Settings, names_of, settings_from

P = ParamSpec("P")

First = TypeVar("First")
Result = TypeVar("Result")

Making = Callable[[First, Settings], Result]


def taking_options(
    kind: Callable[P, Settings],
) -> Callable[[Making[First, Result]], Callable[Concatenate[First, P], Result]]:
    """The settings are given option by option, with the types that their class takes."""

    def decorate(make: Making[First, Result]) -> Callable[Concatenate[First, P], Result]:
        @wraps(make)
        def run(pictures: First, /, *unnamed: P.args, **options: P.kwargs) -> Result:
            if unnamed:
                raise OptionError(f"options are given by name, such as size={shown(unnamed[0])}")
            for name in [name for name in names_of(LookOptions) if name in options]:
                raise OptionError(
                    f"{name} is a look: give it to save(...), frame(...) or plot(...)", name
                )
            return make(pictures, settings_from(options))

        signature = inspect.signature(make)
        known = signature.parameters["pictures"].replace(kind=inspect.Parameter.POSITIONAL_ONLY)
        taken = [known, *inspect.signature(kind).parameters.values()]
        run.__signature__ = signature.replace(parameters=taken)  # type: ignore[attr-defined]
        return run

    return decorate
