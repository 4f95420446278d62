"""The command line in this process: quicker by a second or more than a process of its own."""

import contextlib
import io
import signal
import sys
from subprocess import CompletedProcess
from unittest import mock

from lightsanim.cli import main
from lightsanim.signals import STOPS

# For what needs a process of its own: signals, closed streams, what is loaded.
PROGRAM = [sys.executable, "-m", "lightsanim"]


def run(*words, cwd=".", given=b""):
    """Run the program.

    Args:
        words: of the command line.
        cwd: where.
        given: bytes on its standard input.

    Returns:
        Its exit status and what it said, as `subprocess.run` returns them.
    """
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="") for _ in range(2))
    handlers = {number: signal.getsignal(number) for number in STOPS}
    argv = ["lightsanim", *map(str, words)]
    stdin = io.TextIOWrapper(io.BytesIO(given))
    with (
        contextlib.chdir(cwd),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        mock.patch.multiple(sys, argv=argv, stdin=stdin),
    ):
        try:
            main()
        except SystemExit as left:
            status = left.code
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)
    said = []
    for stream in (out, err):
        stream.flush()
        said.append(stream.buffer.getvalue().decode())
    return CompletedProcess(argv, status or 0, *said)
