"""The puzzles by name, with their arguments as words: for the command line and for pictures."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from lightsanim.algebra.linear import Bits
from lightsanim.errors import OptionError
from lightsanim.options.checks import check_choice, guess, keyed, parse_number
from lightsanim.options.choices import PUZZLE_PREFIX
from lightsanim.options.choices import PUZZLES as PUZZLE_ARGUMENTS
from lightsanim.puzzles.abbott import abbott
from lightsanim.puzzles.answer import PuzzleAnswer
from lightsanim.puzzles.ashes import ashes
from lightsanim.puzzles.clues import load_clues
from lightsanim.puzzles.queens import queens
from lightsanim.puzzles.submarines import submarines
from lightsanim.solve.status import OnProgress
from lightsanim.system.deadline import Deadline


@dataclass(frozen=True, kw_only=True)
class Puzzle:
    """A puzzle that can be asked for by name."""

    example: str  # arguments that work
    # The answer, from a time limit, what is told of progress, and the arguments as they were typed.
    solve: Callable[..., PuzzleAnswer]
    # Is its grid one of lit and unlit cells, so that it can be a configuration?
    lights: bool = True


PUZZLES: Mapping[str, Puzzle] = keyed(
    PUZZLE_ARGUMENTS,
    {
        "abbott": Puzzle(
            example="8",
            solve=lambda deadline, on_progress, n, form="xor": abbott(
                _whole(n), form=form, time_limit=deadline, on_progress=on_progress
            ),
        ),
        "queens": Puzzle(
            example="24",
            solve=lambda deadline, on_progress, n: queens(_whole(n), time_limit=deadline),
        ),
        "submarines": Puzzle(
            example="2,1,1 1,2,1",
            solve=lambda deadline, on_progress, *sides: submarines(
                *([_whole(number) for number in sums.split(",")] for sums in sides)
            ),
        ),
        "ashes": Puzzle(
            example="clues.txt",
            solve=lambda deadline, on_progress, file, *kind: ashes(load_clues(file), *kind),
            lights=False,
        ),
    },
)


def solve_puzzle(
    name: str,
    words: Sequence[str],
    *,
    time_limit: float | Deadline = 30.0,
    on_progress: OnProgress = lambda best, bound: None,
) -> PuzzleAnswer:
    """The answer to a puzzle.

    Args:
        name: a key of `PUZZLES`.
        words: its arguments as text.
        time_limit: seconds, or a `Deadline` to share.
        on_progress: called with the best value so far and the proven bound.

    Raises:
        OptionError: for an unknown puzzle, or arguments that it cannot take.
        SolverError: if there is no answer in the time.

    >>> solve_puzzle("submarines", ["1,0", "0,1"]).as_json()["grid"]
    ['01', '00']
    """
    check_choice("the puzzle", name, PUZZLES)
    puzzle, takes = PUZZLES[name], PUZZLE_ARGUMENTS[name]
    most = len(takes.split())
    if not most - takes.count("[") <= len(words) <= most:
        got = f"got {' '.join(words)!r}" if words else "got nothing"
        raise OptionError(f"{name} takes {takes}, as in {name} {puzzle.example}; {got}")
    return puzzle.solve(Deadline.of(time_limit), on_progress, *words)


def puzzle_picture(text: str, *, time_limit: float | Deadline = 30.0) -> Bits:
    """The configuration that ``text`` names: bool (rows, columns), True = lit.

    >>> puzzle_picture("puzzle:abbott:4").astype(int)
    array([[1, 1, 1, 1],
           [1, 0, 0, 1],
           [1, 0, 0, 1],
           [1, 1, 1, 1]])
    """
    name, *words = text.removeprefix(PUZZLE_PREFIX).split(":")
    drawn = [name for name, puzzle in PUZZLES.items() if puzzle.lights]
    if name not in drawn:
        raise OptionError(
            f"{text!r} names no picture; known: "
            f"{', '.join(PUZZLE_PREFIX + name + ':...' for name in drawn)}{guess(name, drawn)}"
        )
    answer = solve_puzzle(name, words, time_limit=time_limit)
    if answer.grid is None:
        raise OptionError(f"{text!r} gives no picture: {answer.said}")
    return answer.grid.astype(bool)


def _whole(word: str) -> int:
    # Other words are passed on: the puzzle's own check says what it takes.
    try:
        return parse_number(int, word)
    except ValueError:
        return word  # type: ignore[return-value]
