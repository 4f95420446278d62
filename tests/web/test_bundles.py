"""Bundles of pages' scripts and styles are those of their sources; web/build.js writes them."""

import hashlib
import subprocess
from functools import cache
from pathlib import Path

import pytest
from tools.program import outside

ROOT = Path(__file__).parents[2]
BUNDLES = sorted((ROOT / "lightsanim/web/bundles").iterdir())


@cache
def heading_of(root):
    """The first line that `make web` gives to each bundle: a hash of all sources."""
    folders = [root / "web/src", root / "web/styles"]
    files = [file for folder in folders for file in folder.rglob("*") if file.is_file()]
    files += [root / "package-lock.json", root / "web/build.js"]
    digest = hashlib.sha256()
    for name in sorted(file.relative_to(root).as_posix() for file in files):
        content = (root / name).read_bytes()
        digest.update(f"{name} {len(content)}\n".encode() + content)
    return f"/* sources {digest.hexdigest()[:16]} */"


@pytest.mark.parametrize("bundle", BUNDLES, ids=lambda bundle: bundle.name)
def test_bundle_is_built_from_its_sources(bundle):
    heading, _, rest = bundle.read_text(encoding="utf-8").partition("\n")
    assert heading == heading_of(ROOT), "run make web"
    assert rest.strip()


def test_make_web_without_node_is_one_line(tmp_path):
    for name in ("Makefile", "package-lock.json"):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "bin").mkdir()
    for program in ("sh", "make"):
        (tmp_path / "bin" / program).symlink_to(outside(program))
    run = subprocess.run(
        ["make", "web"],
        cwd=tmp_path,
        env={"PATH": str(tmp_path / "bin")},
        text=True,
        capture_output=True,
    )
    assert run.returncode == 2
    assert run.stdout == "make web needs Node 20 or later, with npm: https://nodejs.org\n"
    assert run.stderr.count("\n") == 1  # make's own word


def test_scripts_without_a_page_do_what_python_does():
    """Each test of tests/web/*.test.js passes; `node --test` names those that do not."""
    node = outside("node")
    files = sorted(map(str, Path(__file__).parent.glob("*.test.js")))
    run = subprocess.run([node, "--test", *files], text=True, capture_output=True)
    assert run.returncode == 0, run.stdout[-4000:]
