"""Solve puzzles given by name and text arguments, as on the command line."""

from collections.abc import Callable, Mapping, Sequence

from lightsanim.errors import OptionError
from lightsanim.game.solve.status import OnProgress
from lightsanim.options.checks import check_choice, parse_number, require_keys
from lightsanim.options.choices import PUZZLES as PUZZLE_ARGUMENTS
from lightsanim.system.deadline import Deadline
from .abbott import solve_abbott
from .answer import PuzzleAnswer
from .ashes import load_clues, solve_ashes
from .queens import solve_queens
from .submarines import solve_submarines

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


def _parse_if_whole_number(word: str) -> int:
    # Return other text unchanged; the puzzle's own check then reports the valid values.
    try:
        return parse_number(int, word)
    except ValueError:
        return word  # type: ignore[return-value]
