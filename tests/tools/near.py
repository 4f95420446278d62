"""The quick tests near a change, and those that go over tables: `make near`.

    python tests/tools/near.py [COMMIT]

A changed module of the package is near the tests and doctests of its room, and the tests that
import it; a tool of tests is near those that import it.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

# Tests that go over the program's own tables, or see the whole of it.
TABLES = ["tests/test_house.py", "tests/test_pipeline.py", "tests/options", "tests/output/reports"]

# What other paths are near to.
OTHERS = {
    "README.md": ["tests/test_readme.py"],
    "docs": ["tests/test_docs.py", "tests/test_notebooks.py"],
    "samples": ["tests/pictures/test_samples.py"],
    "web": ["tests/web"],
    "lightsanim/web": [
        "tests/output/formats/test_page.py",
        "tests/apps/teaching",
        "tests/apps/puzzles",
    ],
}


def main(commit: str = "HEAD") -> int:
    """Run the tests; returns pytest's exit status."""
    changed = lines_of("git", "diff", "--name-only", commit)
    changed += lines_of("git", "ls-files", "--others", "--exclude-standard")
    near = {test for path in changed for test in tests_near(Path(path))}
    tests = [test for test in sorted({*near, *TABLES}) if (ROOT / test).exists()]
    print(f"near {len(changed)} changed files: {' '.join(tests)}", flush=True)
    words = ["-m", "pytest", "--quiet", "--numprocesses", "auto", *tests]
    return subprocess.run([sys.executable, *words], cwd=ROOT).returncode


def tests_near(path: Path) -> list[str]:
    """The files and folders of tests that are near a changed file."""
    tests = [test for start, near in OTHERS.items() if path.is_relative_to(start) for test in near]
    if path.is_relative_to("lightsanim"):
        room = path.parent.relative_to("lightsanim")
        tests += [f"lightsanim/{room}"] if room.parts else []
        while not (ROOT / "tests" / room).exists():
            room = room.parent
        tests += [f"tests/{room}"] if room.parts else []
        return tests + (files_that_import(path) if len(path.parts) > 2 else [])
    if path.is_relative_to("tests/tools"):
        return files_that_import(path.relative_to("tests"))
    if path.name.startswith("test_"):
        return [str(path)]
    if path.is_relative_to("tests") and len(path.parts) > 2:
        return [str(path.parent)]
    return tests


def files_that_import(module: Path) -> list[str]:
    """The test files that import a module."""
    *package, name = module.with_suffix("").parts
    start = re.escape(".".join(package))
    line = re.compile(rf"(?m)^from {start}(\.{name} import|\ import .*\b{name}\b)")
    files = (ROOT / "tests").rglob("test_*.py")
    return [str(file.relative_to(ROOT)) for file in files if line.search(file.read_text())]


def lines_of(*words: str) -> list[str]:
    """The lines that a command prints."""
    done = subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True)
    return done.stdout.splitlines()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
