"""The commands of the game: `solve`, `board`, `pose`, and `puzzle` for related puzzles."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from click.exceptions import Exit

from lightsanim.errors import OptionError, OutputError
from lightsanim.options.checks import check_whole_number
from lightsanim.options.choices import ANY_PRESSES, KNOWN_STILLS, PUZZLES
from lightsanim.options.outputs import MessageOptions, Outputs
from lightsanim.options.records import non_default_values
from lightsanim.options.settings import Settings
from lightsanim.options.stages import GameOptions
from lightsanim.options.values import spread_evenly, to_span
from lightsanim.output.look.theme import Theme
from lightsanim.output.reports.in_words import (
    board_in_words,
    click_order_in_words,
    format_file_lines,
    hardest_start_in_words,
    puzzle_in_words,
    puzzle_links_in_words,
    solution_in_words,
    to_printable_line,
    worksheet_in_words,
)
from .messages import print_json, print_log_lines, print_texts_missing_on_pages, show_stage_bars
from .parameters import argument, command, complete_from, option, options

if TYPE_CHECKING:  # these modules load slowly
    from lightsanim.apps.puzzles.solve_and_pose import SolvedGame
    from lightsanim.game.relatives.answer import PuzzleAnswer

DEFAULT_SERIES, MAX_SERIES = 6, 100  # Default and maximum number of puzzles in a series.

# Options of the look of drawings without clicks, and of games.
STILL_LOOKS = ["palette", "colours", "shape"]
BOARD_SETTINGS = ["levels", "rule", "wrap", "time_limit"]
GAME_LOOKS = [*STILL_LOOKS, "mark", "show_clicks"]
NAME_HELP = f"Puzzle: {', '.join(PUZZLES)}."
PUZZLE_USAGE = "; ".join(f"{name} {words}" for name, words in PUZZLES.items())

BOARD_SIZE = argument("size", "SIZE", "Board size in cells: COLUMNSxROWS, or 5 for 5x5.")
FPS = option(
    "--fps", "Timing", "Frames per second.", "RATE", kind=float, unset="2 to 25, by click count"
)


@command(
    argument(
        "start",
        "START",
        "Start: text board, picture, puzzle link, on (all lit), off, or - (stdin).",
    ),
    argument("goal", "GOAL", "Goal, written like START.", default="off"),
    option(
        "--size",
        "Board",
        "Board size in cells, if neither START nor GOAL is a text board: COLUMNSxROWS; or "
        "COLUMNS for the shape of a picture, else for a square.",
        "SIZE",
    ),
    option("--nearest", "Solve", "If no clicks reach GOAL, get as near as possible."),
    option("--check", "Solve", "Exit with status 1 if no clicks reach GOAL."),
    option(
        "--press",
        "Clicks",
        f"Click only cells in this state: {', '.join(ANY_PRESSES)}.",
        "NAME",
        default="any",
        complete=complete_from(ANY_PRESSES),
    ),
    FPS,
    option("--clicks-per-frame", "Timing", "Clicks per frame.", "N", kind=int, default=1),
    option("--draw/--no-draw", "Output", "Print the board.", unset="if it fits", default=None),
    settings=options(Settings, *BOARD_SETTINGS, "seed"),
    theme=options(Theme, *GAME_LOOKS),
    outputs=options(
        Outputs,
        "output",
        "overwrite",
        helps={
            "output": f"File to write, repeatable: {KNOWN_STILLS} for START with marks on the "
            "cells to click; .gif, .mp4, .html, .json, ... for an animation."
        },
    ),
    messages=options(MessageOptions),
)
def solve(
    *,
    start: str,
    goal: str,
    size: str | None,
    settings: Settings,
    nearest: bool,
    check: bool,
    press: str,
    theme: Theme,
    fps: float | None,
    clicks_per_frame: int,
    outputs: Outputs,
    draw: bool | None,
    messages: MessageOptions,
) -> None:
    """Find the fewest clicks that turn START into GOAL.

    A text board is a file with rows of 0 (unlit) and 1 (lit), or of . and #. With more than two
    levels, its rows are digits.

    The exit status is 0 also if no clicks reach GOAL; it is then 1 with --check or -o.

    Example: lightsanim solve on off --size 5x5

    Example: lightsanim solve board.txt --press lit -o clicks.png
    """
    from lightsanim.apps.puzzles.solve_and_pose import solve_files
    from lightsanim.output.reports.report import solution_report

    with show_stage_bars(hidden=messages.quiet) as progress:
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
    if messages.json:
        print_json(solution_report(solved.solution, solved.sequence, solved.seed))
    elif not messages.quiet:
        _print_solution(solved, (start, goal), press, theme, draw)
    print_texts_missing_on_pages(messages, outputs)
    if solved.sequence is None and outputs.paths:
        raise OutputError(f"cannot write {outputs.paths[0]}: no clicks reach GOAL; see --nearest")
    seed_line = [] if solved.seed is None else [f"seed {solved.seed}"]
    print_log_lines(messages, *seed_line, *format_file_lines(outputs.paths))
    if check and (solved.sequence is None or not solved.solution.accessible):
        raise Exit(1)


def _print_solution(
    solved: "SolvedGame", words: tuple[str, str], press: str, theme: Theme, draw: bool | None
) -> None:
    from .board_drawing import draw_board

    solution, sequence = solved.solution, solved.sequence
    print(solution_in_words(solution, sequence, words, press))
    if sequence is not None:
        draw_board(solution.start, sequence.clicks, theme, draw, levels=solution.board.levels)
        if press != "any":
            print(click_order_in_words(sequence))


@command(
    BOARD_SIZE,
    option("--hardest", "Board", "Find how many clicks the hardest start needs."),
    game=options(GameOptions, *BOARD_SETTINGS),
    theme=options(Theme, *STILL_LOOKS),
    outputs=options(
        Outputs,
        "output",
        "overwrite",
        helps={
            "output": f"Drawing of the quiet patterns, clicks that change nothing: {KNOWN_STILLS}."
        },
    ),
    messages=options(MessageOptions),
)
def board(
    *,
    size: str,
    hardest: bool,
    game: GameOptions,
    theme: Theme,
    outputs: Outputs,
    messages: MessageOptions,
) -> None:
    """Report how many configurations of a board can be reached, and by how many click sets.

    Example: lightsanim board 5x5

    Example: lightsanim board 30x30 -o quiet.png

    Example: lightsanim board 9x9 --hardest
    """
    from lightsanim.apps.puzzles.patterns import write_patterns
    from lightsanim.apps.puzzles.solve_and_pose import check_output_files
    from lightsanim.board_choice import build_board
    from lightsanim.game.solve.hardest_start import most_clicks
    from lightsanim.options.outputs import DRAWING_OPTIONS
    from lightsanim.output.reports.report import board_report
    from lightsanim.system.progress import StageTimer

    grid = build_board(size, game)
    # Refuse invalid outputs before the search, which may take long.
    check_output_files(outputs, DRAWING_OPTIONS, grid, theme)
    hardest_start = None
    if hardest:
        with (
            show_stage_bars(hidden=messages.quiet) as progress,
            StageTimer(progress).time_stage("fewest"),
        ):
            hardest_start = most_clicks(grid, time_limit=game.time_limit)
    if messages.json:
        print_json(board_report(grid, hardest_start))
    elif not messages.quiet:
        print(board_in_words(grid))
        if hardest_start is not None:
            print(hardest_start_in_words(hardest_start))
    write_patterns(grid, theme, outputs)
    print_log_lines(messages, *format_file_lines(outputs.paths))


@command(
    BOARD_SIZE,
    option("--clicks", "Clicks", "Clicks that a puzzle needs, or A..B for a series.", "N"),
    option("--hardest", "Clicks", "Pose the hardest puzzle that a search finds."),
    option(
        "--count",
        "Clicks",
        "Number of puzzles; only .html files can hold several.",
        "N",
        kind=int,
        unset=f"1, or {DEFAULT_SERIES} for A..B",
    ),
    FPS,
    game=options(GameOptions, *BOARD_SETTINGS, "seed"),
    theme=options(Theme, *GAME_LOOKS),
    outputs=options(
        Outputs,
        "output",
        "overwrite",
        helps={
            "output": f"File to write, repeatable: .html to play the puzzle; .txt, {KNOWN_STILLS} "
            "for the start; .gif, .mp4, .json, ... for the solution."
        },
    ),
    messages=options(MessageOptions),
)
def pose(
    *,
    size: str,
    clicks: str | None,
    hardest: bool,
    count: int | None,
    game: GameOptions,
    theme: Theme,
    fps: float | None,
    outputs: Outputs,
    messages: MessageOptions,
) -> None:
    """Generate a puzzle: a board that takes exactly N clicks to turn off.

    The board is printed as text, which solve can read; empty lines separate several puzzles. The
    printed links open the puzzles on a page made with -o FILE.html.

    Example: lightsanim pose 5x5 --clicks 15 | lightsanim solve -

    Example: lightsanim pose 5x5 --clicks 3..12 --count 6 -o play.html
    """
    from lightsanim.apps.puzzles.solve_and_pose import pose_files, pose_series_files
    from lightsanim.board_choice import build_board
    from lightsanim.game.board.text import board_text
    from lightsanim.output.reports.report import puzzle_report

    grid, counts = build_board(size, game), _list_click_counts(clicks, count, hardest=hardest)
    with show_stage_bars(hidden=messages.quiet) as progress:
        rest: dict[str, Any] = {"fps": fps, "progress": progress}
        if counts is None or len(counts) == 1:
            needed = None if counts is None else counts[0]
            posed, seed = pose_files(grid, needed, game, theme, outputs, **rest)
            puzzles = [posed]
        else:
            puzzles, seed = pose_series_files(grid, counts, game, theme, outputs, **rest)
    if messages.json:
        reports = [puzzle_report(posed, seed) for posed in puzzles]
        print_json(reports[0] if len(reports) == 1 else {"puzzles": reports})
    else:
        print(
            "\n".join(board_text(posed.start, grid.levels) for posed in puzzles), end="", flush=True
        )
    print_texts_missing_on_pages(messages, outputs, "puzzle")
    fact = puzzle_in_words(puzzles[0], seed) if len(puzzles) == 1 else None
    links = [] if messages.json else puzzle_links_in_words(puzzles, outputs.paths)
    files = format_file_lines(outputs.paths)
    print_log_lines(messages, fact or worksheet_in_words(puzzles, seed), *links, *files)


def _list_click_counts(
    clicks: str | None, count: int | None, *, hardest: bool
) -> Sequence[int] | None:
    # Return the clicks that each puzzle needs; None to pose the hardest one.
    if hardest == (clicks is not None):
        problem = "exclude each other; leave one out" if hardest else "are missing; give one"
        raise OptionError(f"--clicks and --hardest {problem}")
    if clicks is None and count is not None:
        raise OptionError("--count needs --clicks; --hardest poses one puzzle")
    if clicks is None:
        return None
    span = to_span(clicks)
    if count is None:
        count = 1 if span.first == span.last else DEFAULT_SERIES
    return spread_evenly(span, check_whole_number("count", count, 1, MAX_SERIES))


@command(
    argument("name", "NAME", NAME_HELP, complete=complete_from(PUZZLES)),
    argument("words", "WORD...", f"Arguments: {PUZZLE_USAGE}.", several=True, required=False),
    # Arguments may begin with a minus, so this command checks them itself.
    ignores_unknown_options=True,
    game=options(GameOptions, "time_limit"),
    theme=options(Theme, *STILL_LOOKS),
    outputs=options(
        Outputs,
        "output",
        "overwrite",
        helps={
            "output": f"File for the answer: {KNOWN_STILLS}, or .html to play (not for queens)."
        },
    ),
    messages=options(MessageOptions),
)
def puzzle(
    *,
    name: str,
    words: Sequence[str],
    game: GameOptions,
    theme: Theme,
    outputs: Outputs,
    messages: MessageOptions,
) -> None:
    """Solve a puzzle that is related to Lights Out.

    Animations can be made from the answers:
    lightsanim make puzzle:abbott:24 puzzle:queens:24 --size 24 -o out.gif

    Example: lightsanim puzzle abbott 8

    Example: lightsanim puzzle queens 24 -o queens.svg
    """
    from lightsanim.game.relatives.by_name import solve_puzzle
    from lightsanim.output.saving.output_files import check_no_source_is_replaced
    from lightsanim.system.progress import StageTimer

    paths = outputs.paths
    if paths:
        from lightsanim.apps.puzzles.puzzle_files import check_answer_files, save_answer

        clues = words[:1] if name == "ashes" else []
        check_no_source_is_replaced(clues, paths, "the file of clues")
        check_answer_files(name, paths, overwrite=outputs.overwrite)
    with (
        show_stage_bars(hidden=messages.quiet) as progress,
        StageTimer(progress).time_stage("nearest") as note,
    ):
        answer = solve_puzzle(
            name,
            words,
            time_limit=game.time_limit,
            on_progress=lambda best, bound: note(f"{best}, at most {bound}"),
        )
    if messages.json:
        print_json(answer.as_json())
    elif not messages.quiet:
        _print_answer(answer)
    if paths:
        save_answer(
            answer, outputs.output, overwrite=outputs.overwrite, **non_default_values(theme)
        )
        page = "abbott" if name == "abbott" else "clues"
        print_texts_missing_on_pages(messages, outputs, page)
    print_log_lines(messages, *format_file_lines(paths))


def _print_answer(answer: "PuzzleAnswer") -> None:
    from lightsanim.game.relatives.answer import format_grid

    parts = [to_printable_line(answer.message), answer.solution_text()]
    if answer.second is not None:
        parts += ["Another answer:", format_grid(answer.second, answer.marks)]
    print("\n\n".join(filter(None, parts)), flush=True)
