"""The game itself on the command line: solve it, get to know a board, pose a puzzle."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console

from lightsanim.board.board import Board
from lightsanim.board.text import board_text
from lightsanim.commands.answers import (
    board_as_dict,
    board_in_words,
    order_in_words,
    puzzle_as_dict,
    puzzle_in_words,
    solution_as_dict,
    solution_in_words,
)
from lightsanim.commands.drawing import draw_if_it_fits
from lightsanim.commands.files import (
    PATTERN_KINDS,
    PUZZLE_KINDS,
    SHEET_WIDTH,
    SOLUTION_KINDS,
    checked_outputs,
    film_of,
    timing_for,
    write_all,
    write_patterns,
)
from lightsanim.commands.presses import ANY_PRESSES, in_rows, order_presses
from lightsanim.commands.sources import Game, check_not_replaced, full_size, load_game
from lightsanim.console import file_facts, printable, progress_bars, say
from lightsanim.errors import OutputError
from lightsanim.look.theme import Theme
from lightsanim.options import (
    Background,
    Cell,
    Gap,
    Lit,
    Mark,
    Overwrite,
    Palette,
    Quiet,
    Rule,
    Shape,
    Unlit,
    Width,
    Wrap,
    option,
)
from lightsanim.pipeline import drawn_seed
from lightsanim.settings import Settings
from lightsanim.solve.answer import Solution, solve_board
from lightsanim.solve.pose import pose as pose_puzzle
from lightsanim.solve.worst import most_clicks
from lightsanim.stages import Clock
from lightsanim.values import check_choice, check_whole

# Of a board, the worst case is told as well as it is known after so many seconds.
WORST_SECONDS = 10.0


def _output(text: str) -> Any:
    return option("Output", text, "-o", "--output", metavar="FILE", readable=False)


BoardSize = Annotated[str, typer.Argument(metavar="SIZE", help="COLUMNSxROWS, such as 5x5.")]
TimeLimit = Annotated[
    float, option("Solve", "Seconds for each search.", "--time-limit", metavar="SECONDS")
]
Seed = Annotated[
    int | None,
    option(
        "Solve",
        "For the same answer again. [dim]\\[default: drawn, and reported][/]",
        "--seed",
        metavar="N",
    ),
]
Fps = Annotated[
    float | None,
    option(
        "Output",
        "Frames a second of animations. [dim]\\[default: 2 to 25, by the clicks][/]",
        "--fps",
        metavar="RATE",
    ),
]
ClicksPerFrame = Annotated[
    int, option("Output", "Clicks that a frame adds.", "--clicks-per-frame", metavar="N")
]
AsJson = Annotated[bool, option("Output", "Print the answer as JSON.", "--json")]


def solve(
    start: Annotated[
        str,
        typer.Argument(
            metavar="START", help="A text board, a picture, on, off, or - for standard input."
        ),
    ],
    goal: Annotated[str, typer.Argument(metavar="GOAL", help="The same.")] = "off",
    size: Annotated[
        str | None,
        option(
            "Board",
            "COLUMNSxROWS, where neither START nor GOAL is a text board.",
            "--size",
            metavar="SIZE",
        ),
    ] = None,
    rule: Rule = Settings.rule,
    wrap: Wrap = Settings.wrap,
    nearest: Annotated[
        bool,
        option("Solve", "Where no clicks lead to GOAL, go as near as they can.", "--nearest"),
    ] = False,
    press: Annotated[
        str,
        option(
            "Solve",
            f"What a cell must be when it is clicked: {', '.join(ANY_PRESSES)}.",
            "--press",
            metavar="NAME",
        ),
    ] = "any",
    time_limit: TimeLimit = Settings.time_limit,
    seed: Seed = None,
    width: Width = Theme.width,
    cell: Cell = Theme.cell,
    gap: Gap = Theme.gap,
    shape: Shape = Theme.shape,
    palette: Palette = Theme.palette,
    lit: Lit = Theme.lit,
    unlit: Unlit = Theme.unlit,
    background: Background = None,
    mark: Mark = Theme.mark,
    output: Annotated[
        list[Path],
        _output(
            "File to write, once or more: .png or .svg for START with the cells to click marked; "
            ".gif, .mp4, .html, .json, ... for an animation."
        ),
    ] = [],  # noqa: B006 - typer copies it
    fps: Fps = None,
    clicks_per_frame: ClicksPerFrame = 1,
    overwrite: Overwrite = True,
    draw: Annotated[
        bool | None,
        option(
            "Output", "The board in letters. [dim]\\[default: if it fits][/]", "--draw/--no-draw"
        ),
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Find the fewest clicks that turn START into GOAL, if there are any.

    A text board is a file with rows of 0 and 1, where 1 is a lit cell (or of . and #).

    [bold]Example[/]   lightsanim solve on off --size 5x5

    [bold]Example[/]   lightsanim solve board.txt --press lit -o clicks.png
    """
    theme = _theme(locals())
    check_choice("press", press, ANY_PRESSES)
    drawn = None if press == "any" else _seed(seed)
    with progress_bars(hidden=quiet) as progress:
        clock = Clock(progress)
        with clock.stage("read"):
            game = load_game(start, goal, size, rule=rule, wrap=wrap)
            check_not_replaced([start, goal], output)
            timing, kinds = timing_for(0, fps, clicks_per_frame), SOLUTION_KINDS
            outputs = checked_outputs(output, game.board, theme, timing, kinds, overwrite=overwrite)
        solution = _solved(game, clock, nearest=nearest, time_limit=time_limit)
        with clock.stage("order"):
            rng = np.random.default_rng(drawn)
            presses = order_presses(solution, press, rng, time_limit=time_limit)
        if presses is not None:
            timing = timing_for(presses.count, fps, clicks_per_frame)
            film = film_of(solution.start, presses, timing, game.names, drawn)
            write_all(outputs, film, theme, clock, marks=presses.clicks)
    if as_json:
        _print_json(solution_as_dict(solution, presses, drawn))
    elif not quiet:
        print(printable(solution_in_words(solution, presses, game.names, press)))
        if presses is not None:
            draw_if_it_fits(solution.start, presses.clicks, theme, draw)
            if press != "any":
                print(order_in_words(presses))
    if presses is None and output:
        raise OutputError(f"cannot write {output[0]}: there are no clicks to show; see --nearest")
    if not quiet:
        _say_all(*([] if drawn is None else [f"seed {drawn}"]), *_facts(output))


def board(
    size: BoardSize,
    rule: Rule = Settings.rule,
    wrap: Wrap = Settings.wrap,
    time_limit: TimeLimit = WORST_SECONDS,
    width: Width = SHEET_WIDTH,
    cell: Cell = Theme.cell,
    gap: Gap = Theme.gap,
    shape: Shape = Theme.shape,
    palette: Palette = Theme.palette,
    lit: Lit = Theme.lit,
    unlit: Unlit = Theme.unlit,
    background: Background = None,
    output: Annotated[
        list[Path], _output("The quiet patterns, clicks that flip nothing, as .png or .svg.")
    ] = [],  # noqa: B006 - typer copies it
    overwrite: Overwrite = True,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Tell what can be reached on a board, in how many ways, and with how many clicks at most.

    [bold]Example[/]   lightsanim board 5x5

    [bold]Example[/]   lightsanim board 30x30 -o quiet.png
    """
    theme = _theme(locals())
    columns, rows = full_size(size)
    asked = Board(rows, columns, rule=rule, wrap=wrap)
    outputs = checked_outputs(
        output, asked, theme, timing_for(0, None, 1), PATTERN_KINDS, overwrite=overwrite
    )
    with _working("the worst case", hidden=quiet):
        most = most_clicks(asked, time_limit=time_limit)
    if as_json:
        _print_json(board_as_dict(asked, most))
    elif not quiet:
        print(board_in_words(asked, most))
    write_patterns(outputs, asked, theme)
    if not quiet:
        _say_all(*_facts(output))


def pose(
    size: BoardSize,
    clicks: Annotated[
        int, option("Solve", "How many the start must need.", "--clicks", metavar="N")
    ],
    rule: Rule = Settings.rule,
    wrap: Wrap = Settings.wrap,
    time_limit: TimeLimit = Settings.time_limit,
    seed: Seed = None,
    width: Width = Theme.width,
    cell: Cell = Theme.cell,
    gap: Gap = Theme.gap,
    shape: Shape = Theme.shape,
    palette: Palette = Theme.palette,
    lit: Lit = Theme.lit,
    unlit: Unlit = Theme.unlit,
    background: Background = None,
    mark: Mark = Theme.mark,
    output: Annotated[
        list[Path],
        _output(
            "File to write, once or more: .html to play it; .txt, .png or .svg for the start; "
            ".gif, .mp4, .json, ... for the solution."
        ),
    ] = [],  # noqa: B006 - typer copies it
    fps: Fps = None,
    overwrite: Overwrite = True,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Pose a puzzle: a start that takes just so many clicks to be turned all off, and no fewer.

    Standard output is the start as a text board, which solve reads.

    [bold]Example[/]   lightsanim pose 5x5 --clicks 15 | lightsanim solve -

    [bold]Example[/]   lightsanim pose 7x7 --clicks 12 -o play.html
    """
    theme = _theme(locals())
    columns, rows = full_size(size)
    asked = Board(rows, columns, rule=rule, wrap=wrap)
    drawn, timing = _seed(seed), timing_for(clicks, fps, 1)
    outputs = checked_outputs(output, asked, theme, timing, PUZZLE_KINDS, overwrite=overwrite)
    with _working("a start", hidden=quiet):
        rng = np.random.default_rng(drawn)
        posed = pose_puzzle(asked, clicks, rng, time_limit=time_limit)
    presses = in_rows(asked, posed.clicks, posed.count)
    film = film_of(posed.start, presses, timing, ("start", "off"), drawn)
    with progress_bars(hidden=quiet) as progress:
        write_all(outputs, film, theme, Clock(progress), puzzle=f"All off in {clicks} clicks")
    if as_json:
        _print_json(puzzle_as_dict(posed, drawn))
    else:
        print(board_text(posed.start), end="", flush=True)
    if not quiet:
        _say_all(puzzle_in_words(posed, drawn), *_facts(output))


def _solved(game: Game, clock: Clock, *, nearest: bool, time_limit: float) -> Solution:
    with clock.stage("fewest") as note:
        return solve_board(
            game.board,
            *game.configurations,
            nearest=nearest,
            margin=game.margin,
            time_limit=time_limit,
            say=note,
        )


def _theme(options: dict[str, Any]) -> Theme:
    names = {field.name for field in fields(Theme)}
    return Theme(**{name: value for name, value in options.items() if name in names})


def _seed(given: int | None) -> int:
    if given is None:
        return drawn_seed()
    check_whole("seed", given, 0)
    return given


@contextmanager
def _working(on: str, *, hidden: bool) -> Iterator[None]:
    # Something turns on standard error, if that is a terminal.
    console = Console(stderr=True)
    if hidden or not console.is_terminal:
        yield
    else:
        with console.status(on):
            yield


def _facts(paths: list[Path]) -> list[str]:
    return file_facts([str(path) for path in paths])


def _print_json(answer: dict[str, Any]) -> None:
    print(json.dumps(answer), flush=True)


def _say_all(*lines: str) -> None:
    if lines:
        say("\n".join(lines))
