"""Solve puzzles given by name and text arguments, for the command line and as pictures."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from lightsanim.errors import OptionError
from lightsanim.game.algebra.linear import Bits
from lightsanim.game.relatives.abbott import solve_abbott
from lightsanim.game.relatives.answer import PuzzleAnswer
from lightsanim.game.relatives.ashes import load_clues, solve_ashes
from lightsanim.game.relatives.queens import solve_queens
from lightsanim.game.relatives.submarines import solve_submarines
from lightsanim.game.solve.status import OnProgress
from lightsanim.options.checks import check_choice, did_you_mean, parse_number, require_keys
from lightsanim.options.choices import PUZZLE_PREFIX
from lightsanim.options.choices import PUZZLES as PUZZLE_ARGUMENTS
from lightsanim.options.stages import PictureOptions
from lightsanim.system.deadline import Deadline
from .load import load_picture, load_still_picture
from .picture import Picture
from .source import PictureSource, Source, to_source

# Example arguments of each puzzle, and the function that solves it.  The function's parameters are
# a deadline, a progress callback and the puzzle's arguments as text.
PUZZLES: Mapping[str, tuple[str, Callable[..., PuzzleAnswer]]] = require_keys(
    PUZZLE_ARGUMENTS,
    {
        "abbott": (
            "8",
            lambda deadline, on_progress, n, form="xor": solve_abbott(
                _parse_if_whole_number(n), form=form, time_limit=deadline, on_progress=on_progress
            ),
        ),
        "queens": (
            "24",
            lambda deadline, _, n: solve_queens(_parse_if_whole_number(n), time_limit=deadline),
        ),
        "submarines": (
            "2,1,1 1,2,1",
            lambda _, __, *sides: solve_submarines(
                *([_parse_if_whole_number(word) for word in side.split(",")] for side in sides)
            ),
        ),
        "ashes": ("clues.txt", lambda _, __, file, *kind: solve_ashes(load_clues(file), *kind)),
    },
)


def solve_puzzle(
    name: str,
    words: Sequence[str],
    *,
    time_limit: float | Deadline = 30.0,
    on_progress: OnProgress = lambda best, bound: None,
) -> PuzzleAnswer:
    """Solve a puzzle given by name.

    Args:
        name: a key of `PUZZLES`.
        words: the arguments of the puzzle, as text.
        time_limit: seconds, or a `Deadline` to share.
        on_progress: function that is called with the best value so far and the proven bound.

    Raises:
        OptionError: for an unknown puzzle or invalid arguments.
        SolverError: if no answer is found within the time limit.

    >>> solve_puzzle("submarines", ["1,0", "0,1"]).as_json()["grid"]
    ['01', '00']
    """
    check_choice("the puzzle", name, PUZZLES)
    (example, solve), usage = PUZZLES[name], PUZZLE_ARGUMENTS[name]
    max_words = len(usage.split())
    if not max_words - usage.count("[") <= len(words) <= max_words:
        received = f"got {' '.join(words)!r}" if words else "got nothing"
        raise OptionError(f"usage: {name} {usage}, for example {name} {example}; {received}")
    return solve(Deadline.of(time_limit), on_progress, *words)


def load_source_picture(
    source: PictureSource, options: PictureOptions, time_limit: float | Deadline
) -> Picture:
    """Load a picture, or solve a puzzle such as ``puzzle:abbott:24`` and return it as a picture."""
    source = to_source(source)
    if not is_puzzle_source(source):
        return load_still_picture(source, options)
    lit = solve_puzzle_picture(source.path, time_limit=time_limit)
    answer = load_picture(lit, rgb=options.reads_colour)
    name = source.path.removeprefix(PUZZLE_PREFIX).replace(":", " ")
    return replace(answer, name=name, own=source.own)


def is_puzzle_source(source: Source) -> bool:
    """Return whether a source names a puzzle, as in ``puzzle:abbott:24``, and not a file."""
    return source.path.startswith(PUZZLE_PREFIX)


def solve_puzzle_picture(text: str, *, time_limit: float | Deadline = 30.0) -> Bits:
    """Solve a puzzle such as ``puzzle:abbott:24``: bool (rows, columns), True = lit."""
    name, *words = text.removeprefix(PUZZLE_PREFIX).split(":")
    choices = [name for name in PUZZLES if name != "ashes"]  # whose cells are numbers
    if name not in choices:
        raise OptionError(
            f"{text!r} is not a puzzle with a picture as its answer; known: "
            f"{', '.join(PUZZLE_PREFIX + name + ':...' for name in choices)}"
            f"{did_you_mean(name, choices)}"
        )
    answer = solve_puzzle(name, words, time_limit=time_limit)
    if answer.grid is None:
        raise OptionError(f"{text!r} has no solution to show as a picture: {answer.message}")
    return answer.grid.astype(bool)


def _parse_if_whole_number(word: str) -> int:
    # Return other text unchanged; the puzzle's own check then reports the valid values.
    try:
        return parse_number(int, word)
    except ValueError:
        return word  # type: ignore[return-value]
