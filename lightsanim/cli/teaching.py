"""The commands `worksheet`, `lesson` and `maker`, whose files work without lightsanim."""

from lightsanim.options.outputs import MessageOptions, Outputs
from lightsanim.options.sheet_options import SheetOptions
from lightsanim.options.stages import GameOptions
from lightsanim.options.stencils import STENCILS
from lightsanim.output.reports.in_words import (
    format_file_lines,
    related_puzzles_in_words,
    worksheet_in_words,
)
from .messages import (
    print_json,
    print_log_lines,
    print_missing_names,
    print_texts_missing_on_pages,
    show_stage_bars,
)
from .parameters import command, option, options


@command(
    sheet=options(SheetOptions),
    game=options(GameOptions, "levels", "rule", "wrap", "time_limit", "seed"),
    outputs=options(
        Outputs,
        "output",
        "overwrite",
        helps={
            "output": "File to write, repeatable: .pdf; .svg, with one file per page; or .html to "
            "play submarines or ashes."
        },
    ),
    messages=options(MessageOptions),
)
def worksheet(
    *, sheet: SheetOptions, game: GameOptions, outputs: Outputs, messages: MessageOptions
) -> None:
    """Write a worksheet with puzzles of rising difficulty and their answers.

    Example: lightsanim worksheet -o sheet.pdf

    Example: lightsanim worksheet --size 4x4 --clicks 2..6 --count 12 -o sheet.pdf

    Example: lightsanim worksheet --puzzle submarines --size 6 -o sheet.pdf
    """
    from lightsanim.apps.teaching.worksheet import worksheet_files
    from lightsanim.output.reports.report import related_puzzles_report, worksheet_report

    with show_stage_bars(hidden=messages.quiet) as progress:
        result, files = worksheet_files(sheet, game, outputs, progress=progress)
    in_words = related_puzzles_in_words if sheet.puzzle else worksheet_in_words
    report = related_puzzles_report if sheet.puzzle else worksheet_report
    if messages.json:
        print_json(report(result.puzzles, result.seed))
    print_missing_names(messages, sheet.missing_texts())
    print_log_lines(messages, in_words(result.puzzles, result.seed), *format_file_lines(files))


@command(
    option(
        "--size",
        "Board",
        "Board size in cells: COLUMNSxROWS, 3 to 12 per side.",
        "SIZE",
        default="5x5",
    ),
    game=options(
        GameOptions,
        "levels",
        "rule",
        helps={
            "levels": "Number of brightness levels of a cell: 2 or 3.",
            "rule": f"Cells that a click flips: {', '.join(STENCILS)}. Only plus and ring have the "
            "part on light chasing.",
        },
    ),
    outputs=options(
        Outputs,
        "output",
        "overwrite",
        helps={"output": "File to write, .html; in German as lesson.html@language=de."},
    ),
    messages=options(MessageOptions, "quiet"),
)
def lesson(*, size: str, game: GameOptions, outputs: Outputs, messages: MessageOptions) -> None:
    """Write a web page that teaches how to turn all lights off, with boards to click.

    It explains light chasing step by step, quiet patterns, the number of solutions and other rules.
    The page is one file that works offline.

    Example: lightsanim lesson -o lesson.html

    Example: lightsanim lesson --levels 3 -o three.html
    """
    from lightsanim.apps.teaching.lesson import write_lesson

    write_lesson(
        outputs.output,
        size,
        levels=game.levels,
        rule=game.rule,
        overwrite=outputs.overwrite,
    )
    print_texts_missing_on_pages(messages, outputs, "lesson")
    print_log_lines(messages, *format_file_lines(outputs.paths))


@command(
    outputs=options(Outputs, "output", "overwrite", helps={"output": "File to write, .html."}),
    messages=options(MessageOptions, "quiet"),
)
def maker(*, outputs: Outputs, messages: MessageOptions) -> None:
    """Write a web page that turns two pictures into an animation, also on a phone.

    The page is one file that works offline and without Python.

    Example: lightsanim maker -o maker.html
    """
    from lightsanim.apps.teaching.maker import write_maker

    write_maker(outputs.output, overwrite=outputs.overwrite)
    print_log_lines(messages, *format_file_lines(outputs.paths))
