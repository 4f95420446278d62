"""The puzzles by name, with their arguments as words: for the command line and for pictures."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from lightsanim.algebra.linear import Bits
from lightsanim.errors import OptionError
from lightsanim.options.checks import check_choice, guess, keyed
from lightsanim.options.table import PUZZLE_PREFIX
from lightsanim.options.table import PUZZLES as PUZZLE_ARGUMENTS
from lightsanim.puzzles.abbott import abbott
from lightsanim.puzzles.answer import PuzzleAnswer
from lightsanim.puzzles.ashes import ashes
from lightsanim.puzzles.clues import load_clues
from lightsanim.puzzles.queens import queens
from lightsanim.puzzles.submarines import submarines
from lightsanim.solve.status import OnProgress
from lightsanim.system.deadline import Deadline

PREFIX = PUZZLE_PREFIX

Solve = Callable[[Sequence[str], Deadline, OnProgress], PuzzleAnswer]


@dataclass(frozen=True, kw_only=True)
class Puzzle:
    """A puzzle that can be asked for by name."""

    example: str  # arguments that work
    solve: Solve  # the answer from the arguments, as they were typed
    # Is its grid one of lit and unlit cells, so that it can be a configuration?
    lights: bool = True


def _solve_abbott(
    words: Sequence[str], deadline: Deadline, on_progress: OnProgress
) -> PuzzleAnswer:
    n, *form = words
    return abbott(
        _whole(n), form=(form or ["xor"])[0], time_limit=deadline, on_progress=on_progress
    )


def _solve_queens(
    words: Sequence[str], deadline: Deadline, on_progress: OnProgress
) -> PuzzleAnswer:
    return queens(_whole(words[0]), time_limit=deadline)


def _solve_submarines(
    words: Sequence[str], deadline: Deadline, on_progress: OnProgress
) -> PuzzleAnswer:
    rows, columns = ([_whole(number) for number in word.split(",")] for word in words)
    return submarines(rows, columns)


def _solve_ashes(words: Sequence[str], deadline: Deadline, on_progress: OnProgress) -> PuzzleAnswer:
    file, *kind = words
    return ashes(load_clues(file), *kind)


PUZZLES: Mapping[str, Puzzle] = keyed(
    PUZZLE_ARGUMENTS,
    {
        "abbott": Puzzle(example="8", solve=_solve_abbott),
        "queens": Puzzle(example="24", solve=_solve_queens),
        "submarines": Puzzle(example="2,1,1 1,2,1", solve=_solve_submarines),
        "ashes": Puzzle(example="clues.txt", solve=_solve_ashes, lights=False),
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
    return puzzle.solve(words, Deadline.of(time_limit), on_progress)


def puzzle_picture(text: str, *, time_limit: float | Deadline = 30.0) -> Bits:
    """The configuration that ``text`` names: bool (rows, columns), True = lit.

    >>> puzzle_picture("puzzle:abbott:4").astype(int)
    array([[1, 1, 1, 1],
           [1, 0, 0, 1],
           [1, 0, 0, 1],
           [1, 1, 1, 1]])
    """
    name, *words = text.removeprefix(PREFIX).split(":")
    drawn = [name for name, puzzle in PUZZLES.items() if puzzle.lights]
    if name not in drawn:
        raise OptionError(
            f"{text!r} names no picture; known: "
            f"{', '.join(PREFIX + name + ':...' for name in drawn)}{guess(name, drawn)}"
        )
    answer = solve_puzzle(name, words, time_limit=time_limit)
    if answer.grid is None:
        raise OptionError(f"{text!r} gives no picture: {answer.said}")
    return answer.grid.astype(bool)


def _whole(word: str) -> int:
    # Other words are passed on: the puzzle's own check says what it takes.
    try:
        return int(word)
    except ValueError:
        return word  # type: ignore[return-value]
