"""The command line: its commands, signals, exit statuses and error messages."""

import errno
import io
import os
import re
import signal
import sys
from collections.abc import Sequence

import click

from lightsanim.errors import LightsAnimError, is_lack_of_memory
from lightsanim.system.signals import STOP_SIGNALS
from lightsanim.version import __version__
from . import batch, game, make, studio, teaching, verify
from .completion import COMPLETION_VARIABLE, SHELLS, complete_words, print_completion_script
from .messages import MAX_MESSAGE, print_error
from .parameters import CommandGroup

BROKEN_PIPE_STATUS = 128 + 13  # Shells report this status if SIGPIPE ended a program.

received_signals: list[int] = []


@click.group(
    "lightsanim", cls=CommandGroup, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(__version__, message="lightsanim %(version)s", help="Show the version.")
@click.option(
    "--show-completion",
    type=click.Choice(SHELLS),
    metavar="SHELL",
    is_eager=True,
    expose_value=False,
    callback=print_completion_script,
    help=f"Print the script that completes words in a shell: {', '.join(SHELLS)}.",
)
def app() -> None:
    """Make animations of the game Lights Out from pictures; every step is a legal click."""


COMMANDS = (
    *(make.make, make.preview, make.render, verify.verify, batch.batch, batch.gallery),
    *(game.solve, game.board, game.pose, game.puzzle),
    *(teaching.worksheet, teaching.lesson, teaching.maker, studio.studio),
)
for program_command in COMMANDS:
    app.add_command(program_command)


def _exit_on_signal(number: int, frame: object) -> None:
    # KeyboardInterrupt unwinds the stack and removes temporary files; ignore signals meanwhile.
    for stop_signal in STOP_SIGNALS:
        signal.signal(stop_signal, signal.SIG_IGN)
    received_signals.append(number)
    raise KeyboardInterrupt


def main() -> None:
    """Run the command line, print an error as one line on standard error, and exit."""
    status = 0
    if isinstance(sys.stdout, io.TextIOWrapper):
        # File names may hold characters that standard output cannot encode.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        for number in STOP_SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:  # nohup makes programs ignore SIGHUP
                signal.signal(number, _exit_on_signal)
        status = _run_command_line()
        # Temporary files have been removed, so signals may end the process at once.
        for number in STOP_SIGNALS:
            signal.signal(number, signal.SIG_DFL)
    except KeyboardInterrupt:
        pass
    if received_signals:
        resumes = sys.argv[1:2] == ["batch"]
        print_error(f"interrupted{'; run the same command again to resume' * resumes}")
        # Do not wait for threads, in which SCIP may still run.
        os._exit(128 + received_signals[0])
    sys.exit(status)


def _find_file_like_option(error: click.ClickException, words: Sequence[str]) -> str | None:
    """Return the word, such as ``-v.png``, whose letters were taken for options."""
    letter = getattr(error, "option_name", "")[1:]  # of an unknown option
    files = [word for word in words if re.fullmatch(r"-\w[^=]*\.[A-Za-z]\w*", word)]
    return next((word for word in files if len(letter) == 1 and letter in word), None)


def _invoke_command(words: list[str]) -> int:
    # Click's own ``main`` would turn an interruption into an error of its own.
    if instruction := os.environ.get(COMPLETION_VARIABLE):
        return complete_words(app, instruction)
    try:
        with app.make_context("lightsanim", words) as context:
            app.invoke(context)
    except click.exceptions.Exit as exit:
        return exit.exit_code
    return 0


def _run_command_line() -> int:
    try:
        status = _invoke_command(sys.argv[1:])
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except LightsAnimError as error:
        print_error(str(error))
        return error.exit_status
    except click.ClickException as error:
        if name := _find_file_like_option(error, sys.argv[1:]):
            print_error(f"{name} counts as options; for a file of this name write ./{name}")
        elif message := error.format_message():
            print_error(message)
        return error.exit_code
    except Exception as error:
        if is_lack_of_memory(error):
            print_error("there is not enough memory; choose fewer or smaller cells")
            return 1
        if not isinstance(error, OSError) or error.strerror is None:
            if sys.flags.dev_mode:
                raise
            cause = f"{type(error).__name__}: {error}"[: MAX_MESSAGE // 2]
            print_error(f"{cause}; please report it with the output of python -X dev -m lightsanim")
            return 1
        if error.errno == errno.EPIPE and not error.filename:
            os._exit(BROKEN_PIPE_STATUS)
        is_missing = isinstance(error, FileNotFoundError)
        where = error.filename or ("the working folder" if is_missing else "standard output")
        print_error(f"cannot write to {where}: {error.strerror}")
    except SystemExit:
        os._exit(BROKEN_PIPE_STATUS)  # Rich exits this way on a broken pipe.
    os._exit(1)  # sys.exit would flush standard output again, and print another error.
