"""What the README says is true."""

import re
import shlex
from pathlib import Path

import pytest
from program import run

import lightsanim as la

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()

BLOCKS = [
    commands
    for block in re.findall(r"```sh\n(.*?)```", README, re.S)
    if (commands := [line for line in block.splitlines() if line.startswith("lightsanim ")])
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "photographs").mkdir()
    for picture in (ROOT / "samples").glob("*.png"):
        (tmp_path / picture.name).write_bytes(picture.read_bytes())
    for name in ("sun.png", "moon.png", "cat.png"):
        (tmp_path / "photographs" / name).write_bytes((ROOT / "samples" / name).read_bytes())
    la.make([tmp_path / "sun.png", tmp_path / "moon.png"], size=20).save(
        tmp_path / "clip.mp4", cell=4
    )
    galleries = (ROOT / "docs" / "how-to" / "galleries.md").read_text()
    (tmp_path / "album.toml").write_text(re.search(r"```toml\n(.*?)```", galleries, re.S)[1])
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_there_are_commands_to_run():
    assert len(BLOCKS) >= 3


@pytest.mark.parametrize(
    "commands",
    [
        pytest.param(
            block,
            id=block[0],
            marks=[pytest.mark.long] * (number > 1),
        )
        for number, block in enumerate(BLOCKS)
    ],
)
def test_the_commands_run(folder, commands):
    for command in commands:
        out = run(*shlex.split(command)[1:])
        assert out.returncode == 0, out.stderr


@pytest.mark.parametrize("example", re.findall(r"```python\n(.*?)```", README, re.S))
def test_the_examples_run(folder, example):
    exec(compile(example, "README.md", "exec"), {})


def test_the_links_lead_somewhere():
    for link in re.findall(r"\]\(([^)#]+)\)", README):
        assert link.startswith("http") or (ROOT / link).exists(), link


def test_quick_start_has_two_commands():
    section = re.search(r"## Quick start\n(.*?)\n## ", README, re.S)[1]
    blocks = re.findall(r"```sh\n(.*?)```", section, re.S)
    assert [block.strip() for block in blocks] == ["make demo", "make test"]
