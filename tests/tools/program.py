"""The command line in this process (quicker by a second or more than a process of its own), and the
programs of others that our files are held against."""

import contextlib
import io
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from unittest import mock

import pytest

from lightsanim.cli.app import main
from lightsanim.system.signals import STOP_SIGNALS

# For what needs a process of its own: signals, closed streams, what is loaded.
PROGRAM = [sys.executable, "-m", "lightsanim"]

# Other names of programs: ImageMagick's since version 7, and Debian's.  Chromium without a window
# takes three quarters of the time.
NAMES = {
    "chromium": ["chromium-headless-shell", "chromium"],
    "convert": ["magick", "convert-im6.q16"],
}


def outside(name):
    """Where somebody else's program is; a test that needs one is skipped where it is missing."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"  # vpype is a Python package
    for alias in NAMES.get(name, [name]):
        if program := shutil.which(alias, path=path):
            return program
    return refuse(f"{name} is not installed")


def refuse(reason):
    """Skip a test that lacks something; fail where all must be there."""
    (pytest.fail if os.environ.get("LIGHTSANIM_ALL_PROGRAMS") else pytest.skip)(reason)


def built_page(path):
    """A page that `make docs` builds; a test that needs it is skipped before."""
    if not path.exists():
        refuse("make docs has not built the documentation")
    return path


def ask(name, *words, cwd="."):
    """What somebody else's program writes to standard output, bytes; it must end well."""
    words = [outside(name), *map(str, words)]
    return subprocess.run(words, cwd=cwd, check=True, stdout=subprocess.PIPE).stdout


def probed(path, entries):
    return json.loads(ask("ffprobe", "-v", "error", "-show_entries", entries, "-of", "json", path))


def run(*words, cwd=".", given=b""):
    """Run the program, with bytes on its standard input; what `subprocess.run` would return."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="") for _ in range(2))
    handlers = {number: signal.getsignal(number) for number in STOP_SIGNALS}
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
        except SystemExit as error:
            status = error.code
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)
    texts = []
    for stream in (out, err):
        stream.flush()
        texts.append(stream.buffer.getvalue().decode())
    return subprocess.CompletedProcess(argv, status or 0, *texts)
