"""The game itself on the command line: solve it, get to know a board, pose a puzzle."""

from typing import Annotated

import typer

from lightsanim.commands.messages import (
    board_in_words,
    file_facts,
    order_in_words,
    print_json,
    printable,
    puzzle_in_words,
    say_all,
    solution_in_words,
)
from lightsanim.commands.parameters import option, with_options
from lightsanim.commands.progress import progress_bars
from lightsanim.errors import OutputError
from lightsanim.look.theme import Theme
from lightsanim.options import (
    ANY_PRESSES,
    KNOWN_STILLS,
    OF_EXHIBITS,
    Messages,
    Outputs,
    Settings,
    names_of,
)

# What a command needs beside its options is loaded when it runs.

# About how wide a sheet of quiet patterns is, in pixels.
SHEET_WIDTH = 1440

# Of a page that is a game itself; of drawings in which no cell is clicked.
UNEXHIBITED = [name for name in names_of(Theme) if name not in OF_EXHIBITS]
UNMARKED = [n for n in UNEXHIBITED if n not in ("mark", "show_clicks", "wiring")]

# A sheet is as large as its drawings.
OF_A_SHEET = [name for name in UNMARKED if name != "canvas"]

BoardSize = Annotated[str, typer.Argument(metavar="SIZE", help="COLUMNSxROWS, such as 5x5.")]
Fps = Annotated[
    float | None,
    option("Timing", "Frames a second.", "RATE", unset="2 to 25, by the clicks", reader=float),
]


@with_options(
    settings=["levels", "rule", "wrap", "time_limit", "seed"],
    outputs=["output", "overwrite"],
    messages=["json", "quiet"],
    helps={
        "output": f"File to write, once or more: {KNOWN_STILLS} for START with the cells to click "
        "marked; .gif, .mp4, .html, .json, ... for an animation."
    },
)
def solve(
    *,
    start: Annotated[
        str,
        typer.Argument(
            metavar="START", help="A text board, a picture, on, off, or - for standard input."
        ),
    ],
    goal: Annotated[str, typer.Argument(metavar="GOAL", help="The same.")] = "off",
    size: Annotated[
        str | None,
        option("Board", "COLUMNSxROWS, where neither START nor GOAL is a text board.", "SIZE"),
    ] = None,
    settings: Settings,
    nearest: Annotated[
        bool,
        option("Solve", "Where no clicks lead to GOAL, go as near as they can.", flags="--nearest"),
    ] = False,
    press: Annotated[
        str,
        option(
            "Clicks",
            f"What a cell must be when it is clicked: {', '.join(ANY_PRESSES)}.",
            "NAME",
        ),
    ] = "any",
    theme: Theme,
    fps: Fps = None,
    clicks_per_frame: Annotated[
        int, option("Timing", "Clicks that a frame adds.", "N", reader=int)
    ] = 1,
    outputs: Outputs,
    draw: Annotated[
        bool | None,
        option("Output", "The board in letters.", flags="--draw/--no-draw", unset="if it fits"),
    ] = None,
    messages: Messages,
) -> None:
    """Find the fewest clicks that turn START into GOAL, if there are any.

    A text board is a file with rows of 0 and 1, where 1 is a lit cell (or of . and #); with more
    than two levels, of digits.

    [bold]Example[/]   lightsanim solve on off --size 5x5

    [bold]Example[/]   lightsanim solve board.txt --press lit -o clicks.png
    """
    from lightsanim.commands.drawing import draw_if_it_fits
    from lightsanim.report import solution_report
    from lightsanim.solution_files import solve_files

    with progress_bars(hidden=messages.quiet) as progress:
        solved = solve_files(
            start,
            goal,
            settings,
            theme,
            outputs,
            size=size,
            nearest=nearest,
            press=press,
            fps=fps,
            clicks_per_frame=clicks_per_frame,
            progress=progress,
        )
    sequence, seed = solved.sequence, solved.seed
    if messages.json:
        print_json(solution_report(solved.solution, sequence, seed))
    elif not messages.quiet:
        print(printable(solution_in_words(solved.solution, sequence, solved.game.names, press)))
        if sequence is not None:
            draw_if_it_fits(
                solved.solution.start, sequence.clicks, theme, draw, levels=settings.levels
            )
            if press != "any":
                print(order_in_words(sequence))
    if sequence is None and outputs.output:
        raise OutputError(
            f"cannot write {outputs.output[0]}: there are no clicks to show; see --nearest"
        )
    if not messages.quiet:
        say_all(*([] if seed is None else [f"seed {seed}"]), *file_facts(outputs.output))


@with_options(
    settings=["levels", "rule", "wrap"],
    theme=OF_A_SHEET,
    outputs=["output", "overwrite"],
    messages=["json", "quiet"],
    defaults={"width": SHEET_WIDTH},
    helps={"output": f"The quiet patterns, clicks that flip nothing, as {KNOWN_STILLS}."},
)
def board(
    *, size: BoardSize, settings: Settings, theme: Theme, outputs: Outputs, messages: Messages
) -> None:
    """Tell what can be reached on a board, and in how many ways.

    [bold]Example[/]   lightsanim board 5x5

    [bold]Example[/]   lightsanim board 30x30 -o quiet.png
    """
    from lightsanim.game import board_of
    from lightsanim.options import STILL_SUFFIXES
    from lightsanim.report import board_report
    from lightsanim.solution_files import checked_files, write_patterns

    asked = board_of(size, settings)
    checked_files(outputs, STILL_SUFFIXES, asked, theme)  # before there is an answer
    if messages.json:
        print_json(board_report(asked))
    elif not messages.quiet:
        print(board_in_words(asked))
    write_patterns(asked, theme, outputs)
    if not messages.quiet:
        say_all(*file_facts(outputs.output))


@with_options(
    settings=["levels", "rule", "wrap", "time_limit", "seed"],
    theme=UNEXHIBITED,
    outputs=["output", "overwrite"],
    messages=["json", "quiet"],
    helps={
        "output": f"File to write, once or more: .html to play it; .txt, {KNOWN_STILLS} for the "
        "start; .gif, .mp4, .json, ... for the solution."
    },
)
def pose(
    *,
    size: BoardSize,
    clicks: Annotated[int, option("Clicks", "How many the start must need.", "N", reader=int)],
    settings: Settings,
    theme: Theme,
    fps: Fps = None,
    outputs: Outputs,
    messages: Messages,
) -> None:
    """Pose a puzzle: a start that takes just so many clicks to be turned all off, and no fewer.

    Standard output is the start as a text board, which solve reads.

    [bold]Example[/]   lightsanim pose 5x5 --clicks 15 | lightsanim solve -

    [bold]Example[/]   lightsanim pose 7x7 --clicks 12 -o play.html
    """
    from lightsanim.board.text import board_text
    from lightsanim.game import board_of
    from lightsanim.report import puzzle_report
    from lightsanim.solution_files import pose_files

    asked = board_of(size, settings)
    with progress_bars(hidden=messages.quiet) as progress:
        posed, seed = pose_files(
            asked, clicks, settings, theme, outputs, fps=fps, progress=progress
        )
    if messages.json:
        print_json(puzzle_report(posed, seed))
    else:
        print(board_text(posed.start, asked.levels), end="", flush=True)
    if not messages.quiet:
        say_all(puzzle_in_words(posed, seed), *file_facts(outputs.output))
