"""The entry point, which handles Ctrl-C while the command line is imported."""

import gc
import os
import signal
import sys
from types import FrameType


def main() -> None:
    """Import the command line and run it."""
    signal.signal(signal.SIGINT, _exit_on_signal)
    signal.signal(signal.SIGTERM, _exit_on_signal)
    _replace_closed_streams()
    # OpenBLAS's threads would take 0.1 s at start, and raise SIGINT if they lack memory.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.disable()  # saves time, because imported modules are never freed
    from lightsanim.cli.app import main as run

    gc.freeze()
    gc.enable()
    try:
        run()
    finally:
        gc.freeze()  # makes exit faster: the system frees all memory anyway


def _replace_closed_streams() -> None:
    # Otherwise the next file opened gets the descriptor of a closed standard stream, and libraries
    # print into this file.  The modes are wrong on purpose, so that reading and writing fail.
    for number, mode in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_RDONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, mode)
    if sys.stdout is None:  # else print would lose its output without an error
        sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)


def _exit_on_signal(number: int, frame: FrameType | None) -> None:
    # No temporary files exist yet, so end the process at once.
    os.write(2, b"lightsanim: interrupted\n")
    os._exit(128 + number)


if __name__ == "__main__":
    main()
