"""The house stands as it should: rooms import only what stands above them."""

import ast
import re
from collections import defaultdict
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import lightsanim

PACKAGE = Path(lightsanim.__file__).parent

# Read like the pipeline, floor by floor.  A room imports only from the floors above it.
HOUSE = """errors version web
options
system
game
__init__ pictures
film
output
board_choice proof
pipeline
apps
cli
__main__"""
FLOORS = {room: floor for floor, line in enumerate(HOUSE.splitlines()) for room in line.split()}


def imports_of(module):
    """The names that a module imports, wherever it does; but not what types alone need."""
    blocks = [ast.parse(module.read_bytes())]
    while blocks:
        for node in ast.iter_child_nodes(blocks.pop()):
            if isinstance(node, ast.ImportFrom):
                yield node.module
                yield from (f"{node.module}.{name.name}" for name in node.names)
            elif isinstance(node, ast.Import):
                yield from (name.name for name in node.names)
            elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
                continue
            elif not isinstance(node, ast.expr):  # expressions are most of it, and import nothing
                blocks.append(node)


@pytest.fixture(scope="module")
def imports():
    """All imports: the module, from the package on, and the name."""
    modules = ((path.relative_to(PACKAGE).as_posix(), path) for path in PACKAGE.rglob("*.py"))
    return [(module, name) for module, path in modules for name in imports_of(path)]


def test_rooms_import_only_from_floors_above(imports):
    pairs = {
        (module.split("/")[0].removesuffix(".py"), name.split(".")[1])
        for module, name in imports
        if name.startswith("lightsanim.")
    }
    assert not [pair for pair in pairs if len({*pair}) > 1 and FLOORS[pair[1]] >= FLOORS[pair[0]]]


def test_no_files_import_each_other_in_a_circle(imports):
    files = defaultdict(set)
    for module, name in imports:
        files[f"lightsanim/{module}"].add(f"{name.replace('.', '/')}.py")
    TopologicalSorter(files).prepare()  # raises CycleError


POSIX_MODULES = {"fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty"}
POSIX_NAMES = """
    WNOHANG chown fchmod fchown fork forkpty getegid geteuid getgid getpgid getuid killpg lchown
    mkfifo nice sched_getaffinity setsid statvfs wait waitpid SIGALRM SIGHUP SIGKILL alarm
    pthread_sigmask"""
LACKING = re.compile(
    rf"""\b(os|signal)\.({"|".join(POSIX_NAMES.split())})\b|["']/(dev|proc|sys|tmp|etc)/"""
)


def test_only_system_uses_what_windows_lacks(imports):
    found = [
        (path.relative_to(PACKAGE).parts[0], word[0])
        for path in PACKAGE.rglob("*.py")
        for word in LACKING.finditer(path.read_text("utf-8"))
    ]
    found += [(module.split("/")[0], name) for module, name in imports if name in POSIX_MODULES]
    assert {package for package, _ in found} == {"system"}


def test_only_one_file_knows_scip(imports):
    knowing = {module for module, name in imports if name.split(".")[0] == "pyscipopt"}
    assert knowing == {"game/solve/scip.py"}
