"""The house stands as it should: rooms import only what stands above them."""

import ast
from pathlib import Path

import lightsanim

PACKAGE = Path(lightsanim.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))

# Read like the pipeline.  A room imports from its own line and the lines above it, never below.
HOUSE = [
    [
        "errors",
        "version",
        "checks",
        "arguments",
        "values",
        "stencils",
        "cores",
        "deadline",
        "map_in_order",
        "signals",
    ],
    ["options"],
    ["algebra"],
    ["board"],
    ["pictures"],
    ["solve"],
    ["animation"],
    ["look"],
    ["formats"],
    ["proof", "puzzles"],
    ["report", "recipe", "stages", "wipe", "dissolve", "sketch_film", "clip_film", "pipeline"],
    ["game", "solution_files", "comparison", "lessons"],
    ["batch"],
    ["gallery"],
    ["studio", "commands"],
    ["cli", "__main__", "__init__"],
]
STOREY = {room: storey for storey, rooms in enumerate(HOUSE) for room in rooms}

# An Animation is saved, and shown in a notebook, by a late import.
ALLOWED = {
    ("animation/animation.py", "lightsanim.formats"),
}


def imports_of(module):
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.ImportFrom):
            yield node.module
            yield from (f"{node.module}.{name.name}" for name in node.names)
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names)


def test_rooms_import_only_what_stands_above_them():
    below = [
        (module.relative_to(PACKAGE).as_posix(), name)
        for module in MODULES
        for name in imports_of(module)
        if name.startswith("lightsanim.")
        and STOREY[name.split(".")[1]]
        > STOREY[module.relative_to(PACKAGE).parts[0].removesuffix(".py")]
    ]
    assert not [
        (place, name)
        for place, name in below
        if not any(place == who and name.startswith(what) for who, what in ALLOWED)
    ]
    needless = {who for who, _ in ALLOWED} - {place for place, _ in below}
    assert not needless, "these exceptions can go"


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
