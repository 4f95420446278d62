"""The command line when something goes wrong: shared by the tests of faults.

A nursery is a process that has loaded the program, which is paid for once.  For each run it forks a
child, which changes what the test asks for (a function that fails, a signal that comes) and then is
the program: its exit status, its outputs and what it leaves behind are those of a real one.
"""

import ctypes
import gc
import importlib
import itertools
import json
import os
import pkgutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

import lightsanim

# Seconds that a run may take, and that its own processes have to go when it is over.
PATIENCE, FAREWELL = 60.0, 5.0

PROGRAM = "from tools.faults import serve; serve(); from lightsanim.__main__ import main; main()"


@dataclass(frozen=True, kw_only=True)
class Run:
    """How a run ended; its exit status is as a shell tells it, and orphans are its processes."""

    status: int
    stderr: str
    stdout: str
    orphans: bool


class Nursery:
    """Where runs are started; one after the other."""

    def __init__(self):
        here = os.pathsep.join([str(Path(__file__).parents[1]), str(Path(__file__).parents[2])])
        environment = {**os.environ, "PYTHONPATH": here, "OPENBLAS_NUM_THREADS": "1"}
        self._scratch = tempfile.TemporaryDirectory(prefix="faults-")
        self.temporary = Path(self._scratch.name, "temporary")
        self.temporary.mkdir()
        environment["TMPDIR"] = str(self.temporary)
        streams = dict.fromkeys(("stdin", "stdout"), subprocess.PIPE)
        words = [sys.executable, "-c", PROGRAM]
        self._process = subprocess.Popen(words, **streams, text=True, env=environment)

    def run(self, *words, cwd, before="", stdout=None, stderr=None):
        """Run the program with these words after the Python ``before``, in the child.

        A stream is a path, None for nothing (its text is returned), or "" for one that is closed.
        """
        out, err = (Path(self._scratch.name, name) for name in ("out", "err"))
        for path in (out, err):
            path.write_bytes(b"")
        streams = (None, "/dev/null"), (stdout, out), (stderr, err)
        order = {
            "words": [str(word) for word in words],
            "cwd": str(cwd),
            "before": before,
            "files": [str(default if path is None else path) for path, default in streams],
        }
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        assert answer, "the nursery has died"
        stderr, stdout = (path.read_text("utf-8", "replace") for path in (err, out))
        return Run(stderr=stderr, stdout=stdout, **json.loads(answer))

    def close(self):
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()
        self._scratch.cleanup()


def serve():
    """In the nursery: fork a child for each order; returns in the children only."""
    for module in pkgutil.walk_packages(lightsanim.__path__, "lightsanim."):
        importlib.import_module(module.name)
    # What others load when it is needed.
    Image.init()
    for name in ("numpy.ma",):
        with suppress(ModuleNotFoundError):  # The oldest Typer does not need Pydantic.
            importlib.import_module(name)
    # Children share what is loaded; their collector need not look at it, which would copy it.
    gc.collect()
    gc.freeze()
    # What a run leaves behind becomes a child of this process.
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
    for line in sys.stdin:
        order = json.loads(line)
        if (child := os.fork()) == 0:
            _become(order)
            return
        status = _status_of(child)
        print(json.dumps({"status": status, "orphans": _has_orphans()}), flush=True)
    sys.exit()


def _become(order):
    # The streams are made anew, as an interpreter that has just started would have them.
    os.chdir(order["cwd"])
    modes = (os.O_RDONLY, os.O_WRONLY | os.O_APPEND, os.O_WRONLY | os.O_APPEND)
    names = ("stdin", "stdout", "stderr")
    for number, (path, mode, name) in enumerate(zip(order["files"], modes, names, strict=True)):
        stream = None
        if not path:
            os.close(number)
        else:
            descriptor = os.open(path, mode)
            os.dup2(descriptor, number)
            os.close(descriptor)
            kind = "r" if number == 0 else "w"
            stream = os.fdopen(number, kind, closefd=False, encoding="utf-8")
            if number == 2:
                stream.reconfigure(line_buffering=True, errors="backslashreplace")
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    sys.argv[:] = ["lightsanim", *order["words"]]
    exec(order["before"], {"__name__": "before"})


def _status_of(child):
    end = time.monotonic() + PATIENCE
    while True:
        number, status = os.waitpid(child, os.WNOHANG)
        if number:
            code = os.waitstatus_to_exitcode(status)
            return code if code >= 0 else 128 - code
        if time.monotonic() > end:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return 1000
        time.sleep(0.002)


def _has_orphans():
    end = time.monotonic() + FAREWELL
    with suppress(ChildProcessError):
        while time.monotonic() < end:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                time.sleep(0.005)
        return True
    return False


# What a run can be told to do first.


def at(target, act, *, call=1, after=False):
    """Act when a function is called the ``call``-th time (0: each time), before its work or after.

    It is named as name or Class.name, in every module of the program that has it; or module:name.
    """
    calls = itertools.count(1)

    def acting(real):
        def instead(*arguments, **options):
            now = call in (0, next(calls))
            if now and not after:
                act()
            answer = real(*arguments, **options)
            if now and after:
                act()
            return answer

        return instead

    _replace(target, acting)


def wrong(target, change):
    _replace(target, lambda real: lambda *words, **options: change(real(*words, **options)))


def after_frames(act, frames=5):
    def acting(real):
        def instead(*arguments, **options):
            for number, frame in enumerate(real(*arguments, **options)):
                if number == frames:
                    act()
                yield frame

        return instead

    _replace("paint_frames", acting)


def _replace(target, change):
    module_name, _, name = target.rpartition(":")
    *outer, name = name.split(".")
    ours = [m for name, m in sys.modules.items() if name.partition(".")[0] == "lightsanim"]
    modules = [importlib.import_module(module_name)] if module_name else ours
    attribute = outer[0] if outer else name
    holders = [module for module in modules if attribute in vars(module)]
    for name_part in outer:
        holders = [getattr(holder, name_part) for holder in holders]
    reals = {id(getattr(holder, name)): getattr(holder, name) for holder in holders}
    assert len(reals) == 1, f"there is not one {target}"
    instead = change(*reals.values())
    for holder in holders:
        setattr(holder, name, instead)


def send(number):
    """A signal to this process, which is heard at once."""

    def act():
        os.kill(os.getpid(), number)
        time.sleep(0.001)

    return act


def fail(error):
    def act():
        raise error

    return act


def without_reader(number):
    """A standard stream is a pipe whose other end is closed."""
    reader, writer = os.pipe()
    os.close(reader)
    os.dup2(writer, number)
    os.close(writer)
    if number == 1:  # what was made for a file is none for a pipe
        sys.stdout = sys.__stdout__ = os.fdopen(1, "w", closefd=False, encoding="utf-8")


def in_workers(folder, code):
    """Workers execute this when they load the program, where `pipeline` is a name."""
    Path(folder, "sitecustomize.py").write_text(SITE.format(code=code))
    os.environ["PYTHONPATH"] = os.pathsep.join([folder, os.environ["PYTHONPATH"]])


SITE = """
import os, sys

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "lightsanim.apps.batch.job" and "--multiprocessing-fork" in sys.orig_argv:
            sys.meta_path.remove(self)
            import lightsanim.pipeline as pipeline
            {code}

sys.meta_path.insert(0, Finder())
"""
