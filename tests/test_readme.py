"""What the README says is true."""

import re

import pytest
from written import COMMANDS, ROOT, blocks_of, commands_of, do_commands

README = (ROOT / "README.md").read_text()
BLOCKS = [text for kind, _, text in blocks_of(README) if kind in COMMANDS and commands_of(text)]


@pytest.fixture(autouse=True)
def clone(readers_things, tmp_path, monkeypatch):
    """What the commands find in a clone's root, and a clip."""
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    (tmp_path / "clip.mp4").symlink_to(readers_things / "clip.mp4")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    "block",
    [
        pytest.param(block, id=commands_of(block)[0], marks=[pytest.mark.long] * (number > 0))
        for number, block in enumerate(BLOCKS)
    ],
)
def test_the_commands_run(block):
    do_commands(block)


@pytest.mark.long
@pytest.mark.parametrize(
    "example", [text for kind, _, text in blocks_of(README) if kind == "python"]
)
def test_the_examples_run(example):
    exec(compile(example, "README.md", "exec"), {})


def test_there_are_commands_to_run_and_the_links_lead_somewhere():
    assert len(BLOCKS) >= 3
    for link in re.findall(r"\]\(([^)#]+)\)", README):
        assert link.startswith("http") or (ROOT / link).exists(), link
