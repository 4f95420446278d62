"""The house stands as it should: rooms import only what stands above them."""

import ast
import re
from collections import defaultdict
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import lightsanim

PACKAGE = Path(lightsanim.__file__).parent

# From the ground up.  A wing imports only from the floors below it, which stand above it here.
HOUSE = """errors version web
options
system
game
pictures
film
output
board_choice proof
plan
pipeline
plan_file
apps
__init__ cli
__main__"""
FLOORS = {wing: floor for floor, line in enumerate(HOUSE.splitlines()) for wing in line.split()}

# What an app imports of other apps.
APPS = {"gallery": {"batch"}, "studio": {"batch", "teaching"}, "teaching": {"puzzles"}}

# A module of our own that is named to be imported late, or by the stub of the package.
NAMED = re.compile(r'"(lightsanim(?:\.\w+)+)"|^from (lightsanim\S*) import (\w+) as', re.MULTILINE)


def imports_of(module):
    """The names that a module imports, wherever it does; but not what types alone need."""
    folder = ".".join(["lightsanim", *module.relative_to(PACKAGE).parts[:-1]])
    blocks = [ast.parse(module.read_bytes())]
    while blocks:
        for node in ast.iter_child_nodes(blocks.pop()):
            if isinstance(node, ast.ImportFrom):
                start = ".".join(filter(None, [folder, node.module])) if node.level else node.module
                yield start
                yield from (f"{start}.{name.name}" for name in node.names)
            elif isinstance(node, ast.Import):
                yield from (name.name for name in node.names)
            elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
                continue
            elif not isinstance(node, ast.expr):  # expressions are most of it, and import nothing
                blocks.append(node)


def named_by(module):
    """The names of our own modules that a module imports as texts."""
    stub = module.with_suffix(".pyi")
    text = module.read_text("utf-8") + (stub.read_text("utf-8") if stub.exists() else "")
    for name, package, imported in NAMED.findall(text):
        yield from [name] if name else [package, f"{package}.{imported}"]


@pytest.fixture(scope="module")
def imports():
    """All imports: the module, from the package on, and the name."""
    modules = ((path.relative_to(PACKAGE).as_posix(), path) for path in PACKAGE.rglob("*.py"))
    return [
        (module, name) for module, path in modules for name in {*imports_of(path), *named_by(path)}
    ]


def test_wings_import_only_from_floors_below(imports):
    pairs = {
        (module.split("/")[0].removesuffix(".py"), name.split(".")[1])
        for module, name in imports
        if name.startswith("lightsanim.")
    }
    assert not [pair for pair in pairs if len({*pair}) > 1 and FLOORS[pair[1]] >= FLOORS[pair[0]]]


def test_apps_know_few_of_each_other(imports):
    apps = defaultdict(set)
    for module, name in imports:
        if module.startswith("apps/") and name.startswith("lightsanim.apps."):
            apps[module.split("/")[1]].add(name.split(".")[2])
    assert {app: others - {app} for app, others in apps.items() if others - {app}} == APPS


def test_no_files_import_each_other_in_a_circle(imports):
    files = defaultdict(set)
    for module, name in imports:
        files[f"lightsanim/{module}"].add(f"{name.replace('.', '/')}.py")
    TopologicalSorter(files).prepare()  # raises CycleError


def test_the_tour_names_every_module():
    contributing = PACKAGE.parent / "CONTRIBUTING.md"
    if not contributing.exists():
        pytest.skip("no checkout")
    names = {path.name for path in PACKAGE.rglob("*.py")}
    assert names <= {*re.findall(r"\w+\.py", contributing.read_text("utf-8"))}


def test_no_module_takes_the_place_of_a_public_name():
    assert not {path.stem for path in PACKAGE.iterdir()} & {*lightsanim.__all__}


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
