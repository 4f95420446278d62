"""The program's entry: it hears Ctrl-C while the rest of it is being loaded."""

import os
import signal
from types import FrameType


def main() -> None:
    """Load the command line and run it."""
    signal.signal(signal.SIGINT, _leave)
    from lightsanim.cli import main as run

    run()


def _leave(number: int, frame: FrameType | None) -> None:
    # Nothing has been begun that would have to be tidied up.
    os.write(2, b"lightsanim: interrupted\n")
    os._exit(128 + number)


if __name__ == "__main__":
    main()
