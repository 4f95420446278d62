"""Functions that take their options by name, with the types of the table."""

import inspect
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from lightsanim.errors import OptionError
from lightsanim.options.checks import shown
from lightsanim.options.table import LookOptions, Settings, names_of, settings_from
from lightsanim.pictures.source import PictureSource

P = ParamSpec("P")

Result = TypeVar("Result")

Making = Callable[[Sequence[PictureSource], Settings], Result]


def taking_options(
    kind: Callable[P, Settings],
) -> Callable[[Making[Result]], Callable[Concatenate[Sequence[PictureSource], P], Result]]:
    # The settings are given option by option, with the types that their class takes.
    def decorate(
        make: Making[Result],
    ) -> Callable[Concatenate[Sequence[PictureSource], P], Result]:
        @wraps(make)
        def run(
            pictures: Sequence[PictureSource], /, *unnamed: P.args, **options: P.kwargs
        ) -> Result:
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
