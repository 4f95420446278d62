"""What the games' commands answer, in words and as JSON."""

from typing import Any

from lightsanim.board.board import Board
from lightsanim.board.text import board_text
from lightsanim.commands.presses import Presses, in_rows
from lightsanim.solve.answer import Solution
from lightsanim.solve.nearest import Nearest
from lightsanim.solve.outcome import Status
from lightsanim.solve.pose import Posed
from lightsanim.solve.worst import Most

# Larger powers of 2 are left as such.
MAX_WRITTEN_POWER = 20


def solution_as_dict(
    solution: Solution, presses: Presses | None, seed: int | None
) -> dict[str, Any]:
    """The JSON of `solve`; rows and columns count from 0, row first.

    Where no clicks lead to the goal, all members but ``accessible`` are null.  With the nearest
    configuration in its place they are about the clicks that lead there, and ``nearest`` tells how
    far it is from the goal.  ``seed`` is there if something was drawn.
    """
    if presses is None:
        members = ("solutions_log2", "count", "bound", "status", "clicks")
        return {"accessible": False, **dict.fromkeys(members)}
    answer = {
        "accessible": solution.accessible,
        "solutions_log2": solution.board.nullity,
        "count": presses.count,
        "bound": presses.bound,
        "status": presses.status,
        "clicks": presses.places,
    }
    if (near := solution.nearest) is not None:
        wrong = in_rows(solution.board, solution.end ^ solution.goal, near.bound)
        answer["nearest"] = {
            "wrong": near.wrong,
            "bound": near.bound,
            "status": near.status,
            "cells": wrong.places,
        }
    return answer if seed is None else {**answer, "seed": seed}


def solution_in_words(
    solution: Solution, presses: Presses | None, names: tuple[str, str], press: str
) -> str:
    """The facts of a solution, a sentence each."""
    start, goal = names
    reach = f"No clicks turn {start} into {goal}: {_reach(solution.board)}."
    if presses is None:
        return f"{reach} Add --nearest to go to the nearest one that can."
    if presses.count == 0 and solution.accessible:
        return f"{start} is {goal} already: there is nothing to click."
    end, said = goal, []
    if (near := solution.nearest) is not None:
        differ = "1 cell differs" if near.wrong == 1 else f"{near.wrong} cells differ"
        end, said = f"a nearest that can be reached, where {differ} ({_worth(near)})", [reach]
    if presses.count == 0:
        return " ".join([*said, f"{start} is {end}: there is nothing to click."])
    turn = "1 click turns" if presses.count == 1 else f"{presses.count} clicks turn"
    legally = "" if press == "any" else f", each cell {press} when it is clicked"
    worth = _worth(presses)
    if near is not None and presses.status is Status.OPTIMAL:
        worth = "the fewest that lead to it"  # another one, as near, may need fewer
    said.append(f"{turn} {start} into {end}{legally}: {worth}.")
    if press == "any":
        nullity = solution.board.nullity
        said.append(f"{_power(nullity)} click sets do." if nullity else "No other click set does.")
    return " ".join(said)


def order_in_words(presses: Presses) -> str:
    """The clicks one after the other."""
    places = " ".join(f"{row},{column}" for row, column in presses.places)
    return f"in this order (row,column from 0):\n{places}"


def board_as_dict(board: Board, most: Most) -> dict[str, Any]:
    """The JSON of `board`.

    ``worst`` is the most clicks that turning one configuration into another is known to need, and
    ``worst_bound`` what it never exceeds.
    """
    return {
        "rows": board.rows,
        "columns": board.columns,
        "rule": board.rule,
        "wrap": board.wrap,
        "rank": board.rank,
        "nullity": board.nullity,
        "worst": most.count,
        "worst_bound": most.bound,
    }


def board_in_words(board: Board, most: Most) -> str:
    """The facts of a board, a line each."""
    wrapped = ", opposite edges joined" if board.wrap else ""
    if board.nullity:
        reach = f"{_reach(board)}, each in {_power(board.nullity)} ways"
    else:
        reach = "every configuration can be reached from every other, in one way only"
    if most.status is Status.OPTIMAL:
        worst = f"{most.count} click{'' if most.count == 1 else 's'}, and none needs more"
    else:
        worst = f"{most.count} clicks at least, and none needs more than {most.bound}"
    return "\n".join(
        [
            f"{board.columns}x{board.rows} cells{wrapped}: a click flips {board.says}",
            f"rank {board.rank}, nullity {board.nullity}",
            reach,
            f"the worst case needs {worst}",
        ]
    )


def puzzle_as_dict(posed: Posed, seed: int) -> dict[str, Any]:
    """The JSON of `pose`: the start as `solve` reads it, and a smallest click set."""
    board = posed.board
    return {
        "rows": board.rows,
        "columns": board.columns,
        "rule": board.rule,
        "wrap": board.wrap,
        "start": board_text(posed.start).splitlines(),
        "count": posed.count,
        "clicks": in_rows(board, posed.clicks, posed.count).places,
        "seed": seed,
    }


def puzzle_in_words(posed: Posed, seed: int) -> str:
    """The facts of a puzzle."""
    clicks = "1 click turns" if posed.count == 1 else f"{posed.count} clicks turn"
    return (
        f"{posed.board.columns}x{posed.board.rows} cells; {clicks} it off, and no fewer: "
        f"proven; seed {seed}"
    )


def _reach(board: Board) -> str:
    return f"only 1 configuration in {_power(board.nullity)} can be reached from another"


def _worth(answer: Nearest | Presses) -> str:
    if answer.status is Status.OPTIMAL:
        return "the fewest possible"
    return f"the fewest found, and {answer.bound} at least"


def _power(nullity: int) -> str:
    """A power of 2 in digits, if these are few.

    >>> _power(2), _power(144)
    ('4', '2^144')
    """
    return str(2**nullity) if nullity <= MAX_WRITTEN_POWER else f"2^{nullity}"
