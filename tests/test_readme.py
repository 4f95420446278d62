"""What the README says is true."""

import re

import pytest
from tools.written import COMMANDS, ROOT, blocks_of, commands_of, do_commands

README = (ROOT / "README.md").read_text()
BLOCKS = [text for kind, _, text in blocks_of(README) if kind in COMMANDS and commands_of(text)]


pytestmark = pytest.mark.usefixtures("reader")


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


def test_readme_has_commands_and_working_links():
    assert len(BLOCKS) >= 3
    for link in re.findall(r"\]\(([^)#]+)\)", README):
        assert link.startswith("http") or (ROOT / link).exists(), link
