"""`lightsanim make` and `lightsanim render`."""

import json
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any

import typer

from lightsanim.console import file_facts, progress_bars, say, summary_of
from lightsanim.formats.document import load_animation
from lightsanim.formats.outputs import notes_on
from lightsanim.formats.stills import SHEET_FRAMES
from lightsanim.look.theme import Theme
from lightsanim.options import (
    Background,
    Cell,
    Gap,
    Lit,
    Mark,
    Outputs,
    Overwrite,
    Palette,
    Quiet,
    Rule,
    Shape,
    Sheet,
    SheetFrames,
    Unlit,
    Verbose,
    Width,
    Wrap,
    choice,
    option,
)
from lightsanim.pipeline import make_files, render_files
from lightsanim.settings import Settings


def make(
    pictures: Annotated[
        list[Path],
        typer.Argument(metavar="PICTURE PICTURE...", help="Two or more; three make a chain."),
    ],
    output: Outputs,
    size: Annotated[
        str,
        option(
            "Board",
            "COLUMNSxROWS; COLUMNS alone takes the first picture's shape.",
            "--size",
            metavar="SIZE",
        ),
    ] = str(Settings.size),
    perfect: Annotated[
        bool,
        option("Board", "Change the size a little, so that no cell is wrong.", "--perfect"),
    ] = Settings.perfect,
    rule: Rule = Settings.rule,
    wrap: Wrap = Settings.wrap,
    fit: Annotated[
        str, choice("Picture", "How another shape fills the board", "fit")
    ] = Settings.fit,
    dither: Annotated[str, choice("Picture", "How greys become cells", "dither")] = Settings.dither,
    serpentine: Annotated[
        bool, option("Picture", "Dither to and fro: no slanting streaks.", "--serpentine")
    ] = Settings.serpentine,
    rgb: Annotated[
        bool, option("Picture", "In colour: three boards, one for each primary.", "--rgb")
    ] = Settings.rgb,
    tone: Annotated[
        str, choice("Picture", "What is dithered, encoded values or light", "tone")
    ] = Settings.tone,
    autocontrast: Annotated[
        bool,
        option(
            "Picture", "Stretch the tones from black to white.", "--autocontrast/--no-autocontrast"
        ),
    ] = Settings.autocontrast,
    detail: Annotated[
        float,
        option(
            "Picture",
            "Local contrast; 0 for none, 3 for a linocut.",
            "--detail",
            metavar="AMOUNT",
        ),
    ] = Settings.detail,
    gamma: Annotated[
        float,
        option(
            "Picture",
            "Above 1 lightens the middle tones.",
            "--gamma",
            metavar="EXPONENT",
        ),
    ] = Settings.gamma,
    invert: Annotated[
        bool, option("Picture", "Swap black and white.", "--invert")
    ] = Settings.invert,
    ip: Annotated[
        str, choice("Solve", "The integer program, Bosch's being paper", "ip")
    ] = Settings.ip,
    time_limit: Annotated[
        float,
        option("Solve", "Seconds for each search.", "--time-limit", metavar="SECONDS"),
    ] = Settings.time_limit,
    order: Annotated[
        str, choice("Clicks", "Which cells are clicked first", "order")
    ] = Settings.order,
    reverse: Annotated[
        bool, option("Clicks", "The order backwards.", "--reverse")
    ] = Settings.reverse,
    spread: Annotated[
        float,
        option(
            "Clicks",
            "How far clicks stray: 0 for a knife edge, 1 for random.",
            "--spread",
            metavar="AMOUNT",
        ),
    ] = Settings.spread,
    press: Annotated[
        str, choice("Clicks", "For the order legal, cells that may be clicked", "press")
    ] = Settings.press,
    seed: Annotated[
        int | None,
        option(
            "Clicks",
            "For the same order again. [dim]\\[default: drawn, and reported][/]",
            "--seed",
            metavar="N",
        ),
    ] = Settings.seed,
    clicks_per_frame: Annotated[
        int | None,
        option(
            "Clicks",
            "1 shows every click. [dim]\\[default: what fits the duration][/]",
            "--clicks-per-frame",
            metavar="N",
        ),
    ] = Settings.clicks_per_frame,
    fps: Annotated[
        float, option("Timing", "Frames a second.", "--fps", metavar="RATE")
    ] = Settings.fps,
    duration: Annotated[
        float,
        option(
            "Timing",
            "Seconds from picture to picture, at most.",
            "--duration",
            metavar="SECONDS",
        ),
    ] = Settings.duration,
    hold_first: Annotated[
        float,
        option(
            "Timing",
            "Seconds before the first click.",
            "--hold-first",
            metavar="SECONDS",
        ),
    ] = Settings.hold_first,
    hold_last: Annotated[
        float,
        option(
            "Timing",
            "Seconds that each later picture stays.",
            "--hold-last",
            metavar="SECONDS",
        ),
    ] = Settings.hold_last,
    ease: Annotated[str, choice("Timing", "Pace", "ease")] = Settings.ease,
    loop: Annotated[
        int, option("Timing", "Plays; 0 for ever.", "--loop", metavar="N")
    ] = Settings.loop,
    cycle: Annotated[
        bool, option("Timing", "On from the last picture to the first.", "--cycle")
    ] = Settings.cycle,
    boomerang: Annotated[
        bool, option("Timing", "Back to the first picture by the same clicks.", "--boomerang")
    ] = Settings.boomerang,
    width: Width = Theme.width,
    cell: Cell = Theme.cell,
    gap: Gap = Theme.gap,
    shape: Shape = Theme.shape,
    palette: Palette = Theme.palette,
    lit: Lit = Theme.lit,
    unlit: Unlit = Theme.unlit,
    background: Background = None,
    mark: Mark = Theme.mark,
    sheet: Sheet = None,
    sheet_frames: SheetFrames = SHEET_FRAMES,
    overwrite: Overwrite = True,
    as_json: Annotated[bool, option("Output", "Print the report as JSON.", "--json")] = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Turn two or more pictures into a Lights Out animation.

    A click flips a cell and its neighbours. From frame to frame, cells are clicked.
    The first frame resembles the first picture, the last frame the last.

    [bold]Example[/]   lightsanim make sun.png moon.png -o out.gif --size 80 --order sweep
    """
    options = locals()
    backgrounds = {} if background is None else {"background": background}
    settings = Settings(**_chosen(Settings, options) | backgrounds)
    theme = Theme(**_chosen(Theme, options) | backgrounds)
    with progress_bars(hidden=quiet) as progress:
        report = make_files(
            pictures,
            output,
            settings,
            theme,
            sheet=sheet,
            sheet_frames=sheet_frames,
            overwrite=overwrite,
            progress=progress,
        )
    if as_json:
        print(json.dumps(report.as_dict()), flush=True)
    if not quiet:
        say(summary_of(report, verbose=verbose))


def render(
    animation: Annotated[
        Path, typer.Argument(metavar="ANIMATION.json", help="As made with -o ANIMATION.json.")
    ],
    output: Outputs = [],  # noqa: B006 - typer copies it
    width: Width = Theme.width,
    cell: Cell = Theme.cell,
    gap: Gap = Theme.gap,
    shape: Shape = Theme.shape,
    palette: Palette = Theme.palette,
    lit: Lit = Theme.lit,
    unlit: Unlit = Theme.unlit,
    background: Background = None,
    mark: Mark = Theme.mark,
    still: Annotated[
        Path | None,
        option("Output", "One frame as .png or .svg.", "--still", metavar="FILE", readable=False),
    ] = None,
    frame: Annotated[
        int, option("Output", "Which one; -1 is the last.", "--frame", metavar="N")
    ] = -1,
    sheet: Sheet = None,
    sheet_frames: SheetFrames = SHEET_FRAMES,
    overwrite: Overwrite = True,
    quiet: Quiet = False,
) -> None:
    """Draw a saved animation again, in any format and look, without solving.

    [bold]Example[/]   lightsanim render out.json -o out.webm --palette amber --shape circle
    """
    options = locals()
    theme = Theme(**_chosen(Theme, options), background=background)
    drawn = load_animation(animation)
    with progress_bars(hidden=quiet) as progress:
        written = render_files(
            drawn,
            output,
            theme,
            still=still,
            frame=frame,
            sheet=sheet,
            sheet_frames=sheet_frames,
            overwrite=overwrite,
            progress=progress,
        )
    if not quiet:
        say("\n".join([*notes_on(output, drawn.fps), *file_facts(written)]))


def _chosen(kind: type[Settings] | type[Theme], options: dict[str, Any]) -> dict[str, Any]:
    names = {field.name for field in fields(kind)} - {"background"}
    return {name: value for name, value in options.items() if name in names}
