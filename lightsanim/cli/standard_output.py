"""Films written to standard output, as ``-o -@format=gif`` asks."""

import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import attrs

from lightsanim.errors import OptionError
from lightsanim.options.outputs import STANDARD_OUTPUT, MessageOptions, OutputFile, Outputs


@contextmanager
def redirect_standard_output(outputs: Outputs, messages: MessageOptions) -> Iterator[Outputs]:
    """Yield outputs with a temporary file for ``-``, and copy the file to standard output."""
    streams = [file for file in outputs.output if str(file.path) == STANDARD_OUTPUT]
    if not streams:
        yield outputs
        return
    stream = streams[0]
    if (format := stream.own.get("format")) is None:
        raise OptionError("-o - needs a format, such as -o -@format=gif")
    if len(streams) > 1 or messages.json:
        other = "--json" if messages.json else "another -o -"
        raise OptionError(f"-o - and {other} both write to standard output; leave one out")
    if sys.stdout is None or sys.stdout.isatty():
        raise OptionError("standard output is no file; redirect it, as in -o -@format=gif > a.gif")
    with TemporaryDirectory(prefix="lightsanim-") as folder:
        path = Path(folder) / f"standard-output.{format}"
        own = {name: value for name, value in stream.own.items() if name != "format"}
        film = OutputFile(path=path, own=own)
        yield attrs.evolve(
            outputs, output=[film if file is stream else file for file in outputs.output]
        )
        with path.open("rb") as content:
            shutil.copyfileobj(content, sys.stdout.buffer)
            sys.stdout.buffer.flush()


def list_kept_files(paths: Sequence[str]) -> list[str]:
    """Return the outputs without the temporary file that went to standard output."""
    return [path for path in paths if Path(path).exists()]
