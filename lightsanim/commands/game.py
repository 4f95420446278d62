"""The game itself on the command line: solve it, get to know a board, pose a puzzle."""

from pathlib import Path
from typing import Annotated, Any

import typer

from lightsanim.commands.messages import (
    board_in_words,
    file_facts,
    order_in_words,
    print_json,
    printable,
    puzzle_in_words,
    say,
    solution_in_words,
)
from lightsanim.commands.parameters import option, with_options
from lightsanim.commands.progress import progress_bars, working
from lightsanim.errors import OutputError
from lightsanim.look.theme import Theme
from lightsanim.options import (
    ANY_PRESSES,
    STILL_SUFFIXES,
    SUFFIXES,
    Messages,
    Outputs,
    Settings,
    names_of,
)

# What a command needs beside its options is loaded when it runs.

# About how wide a sheet of quiet patterns is, in pixels.
SHEET_WIDTH = 1440


def output_option(text: str) -> Any:
    """The option for the files that a command writes, whatever these are."""
    return option("Output", text, "FILE", flags="-o --output")


BoardSize = Annotated[str, typer.Argument(metavar="SIZE", help="COLUMNSxROWS, such as 5x5.")]
Fps = Annotated[
    float | None,
    option("Timing", "Frames a second.", "RATE", unset="2 to 25, by the clicks", reader=float),
]


@with_options(
    settings=["rule", "wrap", "time_limit", "seed"],
    outputs=["overwrite"],
    messages=["json", "quiet"],
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
    output: Annotated[
        list[Path],
        output_option(
            "File to write, once or more: .png or .svg for START with the cells to click marked; "
            ".gif, .mp4, .html, .json, ... for an animation."
        ),
    ] = [],  # noqa: B006 - typer copies it
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

    A text board is a file with rows of 0 and 1, where 1 is a lit cell (or of . and #).

    [bold]Example[/]   lightsanim solve on off --size 5x5

    [bold]Example[/]   lightsanim solve board.txt --press lit -o clicks.png
    """
    import numpy as np

    from lightsanim.animation.click_sequence import order_solution
    from lightsanim.checks import check_choice
    from lightsanim.commands.drawing import draw_if_it_fits
    from lightsanim.formats.outputs import check_frames, check_outputs, files_by_suffix
    from lightsanim.game import load_game
    from lightsanim.look.tiles import with_mark
    from lightsanim.pipeline import check_no_source_is_replaced, write_files
    from lightsanim.report import solution_report
    from lightsanim.solution_files import animate_solution, timing_for
    from lightsanim.solve.solution import solve_board
    from lightsanim.stages import Clock

    check_choice("press", press, ANY_PRESSES)
    seed = None if press == "any" else _drawn(settings)
    with progress_bars(hidden=messages.quiet) as progress:
        clock = Clock(progress)
        with clock.stage("read"):
            game = load_game(start, goal, size, settings=settings)
            check_no_source_is_replaced([start, goal], output, "START or GOAL")
            files = files_by_suffix(output, (*STILL_SUFFIXES, *SUFFIXES))
            timing = timing_for(0, fps, clicks_per_frame)
            if output:
                check_outputs(files, timing.longest, overwrite=outputs.overwrite)
                check_frames(files, theme, game.board)
        with clock.stage("fewest") as note:
            solution = solve_board(
                game.board,
                *game.configurations,
                nearest=nearest,
                margin=game.margin,
                time_limit=settings.time_limit,
                say=note,
            )
        with clock.stage("order"):
            rng = np.random.default_rng(seed)
            sequence = order_solution(solution, press, rng, time_limit=settings.time_limit)
        if sequence is not None:
            timing = timing_for(sequence.count, fps, clicks_per_frame)
            animation = animate_solution(solution.start, sequence, timing, game.names, seed)
            write_files(animation, files, with_mark(theme), clock, marks=sequence.clicks)
    if messages.json:
        print_json(solution_report(solution, sequence, seed))
    elif not messages.quiet:
        print(printable(solution_in_words(solution, sequence, game.names, press)))
        if sequence is not None:
            draw_if_it_fits(solution.start, sequence.clicks, theme, draw)
            if press != "any":
                print(order_in_words(sequence))
    if sequence is None and output:
        raise OutputError(f"cannot write {output[0]}: there are no clicks to show; see --nearest")
    if not messages.quiet:
        _say_all(*([] if seed is None else [f"seed {seed}"]), *file_facts(output))


@with_options(
    settings=["rule", "wrap"],
    theme=[name for name in names_of(Theme) if name != "mark"],
    defaults={"width": SHEET_WIDTH},
    outputs=["overwrite"],
    messages=["json", "quiet"],
)
def board(
    *,
    size: BoardSize,
    settings: Settings,
    theme: Theme,
    output: Annotated[
        list[Path],
        output_option("The quiet patterns, clicks that flip nothing, as .png or .svg."),
    ] = [],  # noqa: B006 - typer copies it
    outputs: Outputs,
    messages: Messages,
) -> None:
    """Tell what can be reached on a board, and in how many ways.

    [bold]Example[/]   lightsanim board 5x5

    [bold]Example[/]   lightsanim board 30x30 -o quiet.png
    """
    from lightsanim.board.board import Board
    from lightsanim.formats.outputs import check_frames, check_outputs, files_by_suffix
    from lightsanim.game import full_size
    from lightsanim.report import board_report
    from lightsanim.solution_files import write_patterns

    columns, rows = full_size(size)
    asked = Board(rows, columns, rule=settings.rule, wrap=settings.wrap)
    files = files_by_suffix(output, STILL_SUFFIXES)
    if output:
        check_outputs(files, overwrite=outputs.overwrite)
        check_frames(files, theme, asked)
    if messages.json:
        print_json(board_report(asked))
    elif not messages.quiet:
        print(board_in_words(asked))
    write_patterns(output, asked, theme)
    if not messages.quiet:
        _say_all(*file_facts(output))


@with_options(
    settings=["rule", "wrap", "time_limit", "seed"],
    outputs=["overwrite"],
    messages=["json", "quiet"],
)
def pose(
    *,
    size: BoardSize,
    clicks: Annotated[int, option("Clicks", "How many the start must need.", "N", reader=int)],
    settings: Settings,
    theme: Theme,
    output: Annotated[
        list[Path],
        output_option(
            "File to write, once or more: .html to play it; .txt, .png or .svg for the start; "
            ".gif, .mp4, .json, ... for the solution."
        ),
    ] = [],  # noqa: B006 - typer copies it
    fps: Fps = None,
    outputs: Outputs,
    messages: Messages,
) -> None:
    """Pose a puzzle: a start that takes just so many clicks to be turned all off, and no fewer.

    Standard output is the start as a text board, which solve reads.

    [bold]Example[/]   lightsanim pose 5x5 --clicks 15 | lightsanim solve -

    [bold]Example[/]   lightsanim pose 7x7 --clicks 12 -o play.html
    """
    import numpy as np

    from lightsanim.animation.click_sequence import row_by_row
    from lightsanim.board.board import Board
    from lightsanim.board.text import board_text
    from lightsanim.formats.outputs import TEXT, check_frames, check_outputs, files_by_suffix
    from lightsanim.game import full_size
    from lightsanim.look.tiles import with_mark
    from lightsanim.pipeline import write_files
    from lightsanim.report import puzzle_report
    from lightsanim.solution_files import animate_solution, timing_for
    from lightsanim.solve.pose import pose as pose_puzzle
    from lightsanim.stages import Clock

    columns, rows = full_size(size)
    asked = Board(rows, columns, rule=settings.rule, wrap=settings.wrap)
    seed, timing = _drawn(settings), timing_for(clicks, fps, 1)
    files = files_by_suffix(output, (*STILL_SUFFIXES, TEXT, *SUFFIXES))
    if output:
        check_outputs(files, timing.longest, overwrite=outputs.overwrite)
        check_frames(files, theme, asked)
    with working("a start", hidden=messages.quiet):
        rng = np.random.default_rng(seed)
        posed = pose_puzzle(asked, clicks, rng, time_limit=settings.time_limit)
    sequence = row_by_row(asked, posed.clicks, posed.count)
    animation = animate_solution(posed.start, sequence, timing, ("start", "off"), seed)
    with progress_bars(hidden=messages.quiet) as progress:
        title = f"All off in {clicks} clicks"
        write_files(animation, files, with_mark(theme), Clock(progress), puzzle=title)
    if messages.json:
        print_json(puzzle_report(posed, seed))
    else:
        print(board_text(posed.start), end="", flush=True)
    if not messages.quiet:
        _say_all(puzzle_in_words(posed, seed), *file_facts(output))


def _drawn(settings: Settings) -> int:
    from lightsanim.pipeline import drawn_seed

    return drawn_seed() if settings.seed is None else settings.seed


def _say_all(*lines: str) -> None:
    if lines:
        say("\n".join(lines))
