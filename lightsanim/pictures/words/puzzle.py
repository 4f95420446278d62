"""Answers to puzzles: ``puzzle:abbott:24``."""

from typing import ClassVar

from lightsanim.errors import OptionError
from lightsanim.options.checks import did_you_mean
from lightsanim.options.choices import PUZZLE_PREFIX, PUZZLES
from lightsanim.system.deadline import Deadline
from .word import Bits, Word


class PuzzleWord(Word):
    """The word for the answer to a puzzle."""

    is_file: ClassVar[bool] = False
    is_puzzle: ClassVar[bool] = True

    @property
    def title(self) -> str:
        """The puzzle and its arguments.

        >>> PuzzleWord("puzzle:queens:24").title
        'queens 24'
        """
        return self.path.removeprefix(PUZZLE_PREFIX).replace(":", " ")

    def solve(self, time_limit: float | Deadline) -> Bits:
        """Solve the puzzle.

        Raises:
            OptionError: for an unknown puzzle, invalid arguments, or a puzzle without solution.
            SolverError: if no answer is found within the time limit.

        >>> PuzzleWord("puzzle:submarines:1,0:0,1").solve(30.0).astype(int).tolist()
        [[0, 1], [0, 0]]
        """
        # Imported late: films of pictures need no solvers of puzzles.
        from lightsanim.game.relatives.by_name import solve_puzzle

        name, *arguments = self.path.removeprefix(PUZZLE_PREFIX).split(":")
        choices = [name for name in PUZZLES if name != "ashes"]  # whose cells are numbers
        if name not in choices:
            raise OptionError(
                f"{self.path!r} is not a puzzle with a picture as its answer; known: "
                f"{', '.join(PUZZLE_PREFIX + name + ':...' for name in choices)}"
                f"{did_you_mean(name, choices)}"
            )
        answer = solve_puzzle(name, arguments, time_limit=time_limit)
        if answer.grid is None:
            flaw = f"{self.path!r} has no solution to show as a picture"
            raise OptionError(f"{flaw}: {answer.message}")
        return answer.grid.astype(bool)
