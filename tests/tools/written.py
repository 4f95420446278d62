"""What a page of Markdown says can be done: its commands and its Python, run as a reader would."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from tools.program import run

ROOT = Path(__file__).parents[2]

# A block: its language, the file that its title names, and its text.
BLOCK = re.compile(r'(?ms)^( *)```(\w+)(?:[^\n"]*title="([^"]+)")?[^\n]*\n(.*?)^\1```$')
COMMANDS = ("sh", "bash", "shell", "console")

# Commands that are not run here, and why.
NOT_RUN = {
    r"(pip|pipx|uvx|uv|git|apt|apt-get|docker|podman) ": "fetches from the network",
    r"(cd|source|\.) ": "goes on in a clone",
    r"make( |$)": "takes a clone, and runs these tests",
    r"lightsanim studio": "stays until it is stopped: tests/apps/studio/test_studio.py",
    r"dask |lightsanim batch .*--dask": "takes other machines: tests/apps/batch/test_cluster.py",
}

# What a shell would do something with.
OF_SHELLS = re.compile(r"[|<>&;*$`]")


def blocks_of(text):
    """The blocks of a page in order: language, name of a file or "", and text."""
    for indent, language, title, block in BLOCK.findall(text):
        yield language, title, re.sub(f"(?m)^{indent}", "", block)


def commands_of(block):
    """The commands of a block that can be run here, one a line."""
    lines = re.sub(r"\\\n\s*", "", block).splitlines()
    commands = (re.sub(r"(^|\s)#.*", "", line).removeprefix("$ ").strip() for line in lines)
    return [c for c in commands if c and not any(re.match(pattern, c) for pattern in NOT_RUN)]


def do_commands(block):
    """Run the commands of a block; each must end well."""
    for command in commands_of(block):
        if command.startswith("lightsanim ") and not OF_SHELLS.search(command):
            result = run(*shlex.split(command)[1:])
        else:
            path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
            words, env = ["bash", "-euo", "pipefail", "-c", command], {**os.environ, "PATH": path}
            result = subprocess.run(words, env=env, capture_output=True, text=True)
        assert result.returncode == 0, f"{command}\n{result.stderr}"


def do_page(text, name):
    """Do all that a page says, in order and in one folder; its Python shares its names."""
    names = {}
    for language, title, block in blocks_of(text):
        if title or language == "toml":
            Path(title or "album.toml").write_text(block)
        if language == "python":
            exec(compile(block, name, "exec"), names)
        elif language in COMMANDS:
            do_commands(block)
    return names


def strictly(text):
    """Read JSON that has nothing but what RFC 8259 allows."""

    def refuse(constant):
        raise AssertionError(f"{constant} is not JSON")

    return json.loads(text, parse_constant=refuse)
