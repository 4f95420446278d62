"""The house stands as it should: rooms import only what stands above them."""

import ast
from collections import defaultdict
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import lightsanim

PACKAGE = Path(lightsanim.__file__).parent

# Read like the pipeline.  A room imports from what stands before it: left, or above.
HOUSE = """errors version web
options algebra
system look
board
pictures solve
animation
drawings inputs
formats
led
saving proof
puzzles games
reports previews teaching
pipeline
batch gallery studio
cli __main__ __init__"""
PLACE = {room: place for place, room in enumerate(HOUSE.split())}


def imports_of(module):
    """The names that a module imports, wherever it does."""
    blocks = [ast.parse(module.read_bytes())]
    while blocks:
        for node in ast.iter_child_nodes(blocks.pop()):
            if isinstance(node, ast.ImportFrom):
                yield node.module
                yield from (f"{node.module}.{name.name}" for name in node.names)
            elif isinstance(node, ast.Import):
                yield from (name.name for name in node.names)
            elif not isinstance(node, ast.expr):  # expressions are most of it, and import nothing
                blocks.append(node)


@pytest.fixture(scope="module")
def imports():
    """All imports: the module, from the package on, and the name."""
    modules = ((path.relative_to(PACKAGE).as_posix(), path) for path in PACKAGE.rglob("*.py"))
    return [(module, name) for module, path in modules for name in imports_of(path)]


def test_rooms_import_only_what_stands_before_them(imports):
    assert not [
        (module, name)
        for module, name in imports
        if name.startswith("lightsanim.")
        and PLACE[name.split(".")[1]] > PLACE[module.split("/")[0].removesuffix(".py")]
    ]


def test_no_files_import_each_other_in_a_circle(imports):
    files = defaultdict(set)
    for module, name in imports:
        files[f"lightsanim/{module}"].add(f"{name.replace('.', '/')}.py")
    TopologicalSorter(files).prepare()  # raises CycleError


def test_only_one_file_knows_scip(imports):
    knowing = {module for module, name in imports if name.split(".")[0] == "pyscipopt"}
    assert knowing == {"solve/scip.py"}


def test_every_public_name_exists_and_is_explained():
    for name in lightsanim.__all__:
        if name != "__version__":
            assert getattr(lightsanim, name).__doc__, name
