"""The program's entry: it hears Ctrl-C while the rest of it is being loaded."""

import gc
import os
import signal
import sys
from types import FrameType


def main() -> None:
    """Load the command line and run it."""
    signal.signal(signal.SIGINT, _exit_on_signal)
    signal.signal(signal.SIGTERM, _exit_on_signal)
    _replace_closed_streams()
    gc.disable()  # what is loaded stays
    from lightsanim.cli.app import main as run

    gc.freeze()
    gc.enable()
    try:
        run()
    finally:
        gc.freeze()  # the system takes it all back at once


def _replace_closed_streams() -> None:
    # Where a standard stream is closed, the next file that is opened would take its place, and be
    # given what libraries print there.  Nothing can be read or written here.
    for number, mode in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_RDONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, mode)
    if sys.stdout is None:  # print would be silent, as if all were well
        sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)


def _exit_on_signal(number: int, frame: FrameType | None) -> None:
    # Nothing has been begun that would have to be tidied up.
    os.write(2, b"lightsanim: interrupted\n")
    os._exit(128 + number)


if __name__ == "__main__":
    main()
