"""The shell command that makes an animation again."""

from collections.abc import Sequence

import attrs

from lightsanim.errors import OptionError
from lightsanim.look.theme import Theme
from lightsanim.options.outputs import Outputs
from lightsanim.options.records import non_default_values
from lightsanim.options.settings import Settings
from lightsanim.options.shell import format_path_argument, format_shell_words, quote_for_shell
from lightsanim.options.values import CustomOrder


def format_make_command(
    pictures: Sequence[str], settings: Settings, theme: Theme, outputs: Outputs
) -> str:
    """Format the shell command ``lightsanim make`` with all options that are not defaults.

    >>> from pathlib import Path
    >>> outputs = Outputs(output=[Path("out.gif")])
    >>> pictures = ["sun.png", "my moon.png"]
    >>> format_make_command(pictures, Settings(seed=7, cycle=True), Theme(), outputs)
    "lightsanim make sun.png 'my moon.png' -o out.gif --seed 7 --cycle"
    """
    if isinstance(settings.order, CustomOrder):
        raise OptionError("order custom cannot be written as a command; choose another", "order")
    words = ["lightsanim", "make", *map(format_path_argument, pictures)]
    for output in outputs.output:
        words += ["-o", format_path_argument(str(output))]
    for options in (settings, theme, attrs.evolve(outputs, output=())):
        words += format_shell_words(non_default_values(options))
    return " ".join(map(quote_for_shell, words))
