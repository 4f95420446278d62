"""The command line: its commands, and every way out of them."""

import errno
import inspect
import io
import os
import re
import signal
import sys
from typing import Annotated

import typer
from typer.exceptions import TyperException

from lightsanim.cli import batch, game, make, studio, teaching, verify
from lightsanim.cli.messages import MAX_MESSAGE, print_error
from lightsanim.cli.parameters import Command, CommandGroup
from lightsanim.errors import LightsAnimError
from lightsanim.system.signals import STOP_SIGNALS
from lightsanim.version import __version__

# The exit status, in shells, of programs that SIGPIPE ended: nobody reads on, as after `| head`.
BROKEN_PIPE_STATUS = 128 + 13

received_signals: list[int] = []

app = typer.Typer(
    cls=CommandGroup,
    no_args_is_help=True,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(is_requested: bool) -> None:
    if is_requested:
        typer.echo(f"lightsanim {__version__}")
        raise typer.Exit


@app.callback()
def lightsanim(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Two pictures in, an animation of the game Lights Out: every step a legal click."""


COMMANDS = (
    *(make.make, make.preview, make.render, verify.verify, batch.batch, batch.gallery),
    *(game.solve, game.board, game.pose, game.puzzle),
    *(teaching.worksheet, teaching.lesson, teaching.maker, studio.studio),
)
for command in COMMANDS:
    # A word such as -1 is no option; the puzzle says best what it takes.
    words = {"ignore_unknown_options": True} if command is game.puzzle else {}
    text = re.sub(r"(?<!\n)\n(?!\n)", " ", inspect.getdoc(command) or "")  # Rich keeps line ends
    app.command(cls=Command, context_settings=words, help=text)(command)


def _exit_on_signal(number: int, frame: object) -> None:
    # Unwinds, so that temporary files go; a second signal must not disturb that.
    for stop_signal in STOP_SIGNALS:
        signal.signal(stop_signal, signal.SIG_IGN)
    received_signals.append(number)
    raise KeyboardInterrupt


def main() -> None:
    """Run the command line; every way out is an exit status and at most one line."""
    status = 0
    if isinstance(sys.stdout, io.TextIOWrapper):
        # As on standard error: names can be anything.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        for number in STOP_SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:  # as nohup asks for
                signal.signal(number, _exit_on_signal)
        status = _run_command_line()
        # Nothing is left to be tidied up.
        for number in STOP_SIGNALS:
            signal.signal(number, signal.SIG_DFL)
    except KeyboardInterrupt:
        pass
    if received_signals:
        resumes = sys.argv[1:2] == ["batch"]
        print_error(f"interrupted{'; the same command goes on where it stopped' * resumes}")
        # SCIP may still be busy in its own thread, and would keep the process alive.
        os._exit(128 + received_signals[0])
    sys.exit(status)


def _call_app() -> int:
    try:
        return app(standalone_mode=False, prog_name="lightsanim") or 0
    except SystemExit as left:
        if left.code:
            raise
        return 0  # the way that the completion of shells ends


def _run_command_line() -> int:
    try:
        status = _call_app()
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except LightsAnimError as error:
        print_error(str(error))
        return error.exit_status
    except TyperException as error:
        if message := error.format_message():
            print_error(message)
        return error.exit_code
    except MemoryError:
        print_error("there is not enough memory; take fewer cells, or smaller ones")
        return 1
    except Exception as error:
        if not isinstance(error, OSError) or error.strerror is None:
            if sys.flags.dev_mode:
                raise
            cause = f"{type(error).__name__}: {error}"[: MAX_MESSAGE // 2]
            print_error(f"{cause}; please report this, with what python -X dev -m lightsanim says")
            return 1
        if error.errno == errno.EPIPE and not error.filename:
            os._exit(BROKEN_PIPE_STATUS)
        is_missing = isinstance(error, FileNotFoundError)
        where = error.filename or ("the working folder" if is_missing else "standard output")
        print_error(f"cannot write to {where}: {error.strerror}")
    except SystemExit:
        os._exit(BROKEN_PIPE_STATUS)  # the way that typer and rich leave when nobody reads on
    os._exit(1)  # Python would try once more to empty its buffer, and complain
