"""The house stands as it should: rooms import only what stands above them."""

import ast
from pathlib import Path

import pytest

import lightsanim

PACKAGE = Path(lightsanim.__file__).parent

# From the foundation up.  A room imports from its own line and the lines above it, never below.
HOUSE = [
    ["errors", "version", "values", "cores", "signals", "parallel"],
    ["algebra"],
    ["board"],
    ["pictures"],
    ["solve"],
    ["animate"],
    ["render"],
    ["puzzles"],
    ["settings", "report"],
    ["recipe"],
    ["stages"],
    ["pipeline"],
    ["proof"],
    ["batch"],
    ["console", "options"],
    ["commands"],
    ["cli", "__main__", "__init__"],
]
STOREY = {room: storey for storey, rooms in enumerate(HOUSE) for room in rooms}

# An Animation is seen and saved where it is.
ALLOWED = {
    ("animate/animation.py", "lightsanim.render.write"),
    ("animate/animation.py", "lightsanim.render.page"),
}

MODULES = sorted(PACKAGE.rglob("*.py"))


def imports_of(module):
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.ImportFrom):
            yield node.module
            yield from (f"{node.module}.{name.name}" for name in node.names)
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names)


@pytest.mark.parametrize("module", MODULES, ids=lambda m: str(m.relative_to(PACKAGE)))
def test_rooms_import_only_what_stands_above_them(module):
    place = module.relative_to(PACKAGE)
    room = place.parts[0].removesuffix(".py")
    for name in imports_of(module):
        allowed = any(place.as_posix() == who and name.startswith(what) for who, what in ALLOWED)
        if name.startswith("lightsanim.") and not allowed:
            assert STOREY[name.split(".")[1]] <= STOREY[room], f"{place} imports {name}"


def test_only_one_file_knows_scip():
    knowing = {
        module.relative_to(PACKAGE).as_posix()
        for module in MODULES
        if any(name.split(".")[0] == "pyscipopt" for name in imports_of(module))
    }
    assert knowing == {"solve/scip.py"}


def test_every_public_name_exists_and_is_explained():
    for name in lightsanim.__all__:
        if name != "__version__":
            assert getattr(lightsanim, name).__doc__, name
