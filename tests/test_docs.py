"""What the documentation says is true, and nothing is missing from its reference."""

import re
import runpy
from pathlib import Path

import numpy as np
import pytest
from tools.fades import frames_of
from tools.program import run
from tools.written import ROOT, blocks_of, do_page

import lightsanim as la

DOCS = ROOT / "docs"
REFERENCE = DOCS / "reference"

pytestmark = pytest.mark.skipif(not REFERENCE.exists(), reason="a source package has no docs")

# Those of notebooks are written while the site is built.
PAGES = [page for page in sorted(DOCS.rglob("*.md")) if page.parent.name != "notebooks"]

# Small films in which a player can go wrong, each in its own way.
FILMS = {
    "a wipe": {},
    "colour, three levels": {"rgb": True, "levels": 3},
    "clicks at once, colour": {"transition": "dissolve", "levels": 5, "rgb": True, "size": "4x3"},
    "a torus": {"wrap": True, "rule": "cross"},
    "a torus that meets itself": {"wrap": True, "rule": "11111/00000/10111", "size": "3x4"},
    "a lopsided stencil": {"rule": "000/110/001"},
    "there and back": {"ending": "boomerang", "levels": 3},
}


@pytest.mark.long
@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_docs_page_commands_and_code_run(reader, page):
    do_page(page.read_text(), str(page))


@pytest.fixture(scope="module")
def player():
    names = {}
    code = next(text for _, title, text in blocks_of((REFERENCE / "json.md").read_text()) if title)
    exec(compile(code, "json.md", "exec"), names)
    return names["frames"]


@pytest.mark.parametrize("options", FILMS.values(), ids=FILMS)
def test_the_player_shows_every_frame_of_a_saved_animation(tmp_path, player, options):
    ramp = np.linspace(0, 1, 40).reshape(1, 40, 1).repeat(30, axis=0) ** [1, 2, 3]
    pictures = [(255 * picture).astype(np.uint8) for picture in (ramp, ramp[::-1, ::-1])]
    film = la.make(pictures, **{"size": "7x5", "seed": 1, **options})
    film.save(tmp_path / "film.json")
    frames = list(player(tmp_path / "film.json"))
    assert np.array_equal(frames, frames_of(film))
    assert len(frames) > 2


def test_every_public_name_is_in_the_reference():
    documented = re.findall(r"(?m)^::: lightsanim\.(\w+)$", (REFERENCE / "python.md").read_text())
    assert sorted([*documented, "__version__"]) == sorted(la.__all__)


@pytest.fixture(scope="module")
def tables():
    return runpy.run_path(str(DOCS / "tables.py"))


@pytest.mark.long
def test_every_option_of_every_command_is_in_the_reference(tables):
    for section in re.split(r"(?m)^## ", tables["commands_page"]())[1:]:
        command = section.split()[0]
        output = run(command, "--help-all").stdout
        options = set(re.findall(r"(?m)^  (?:-\w, |    )(--[a-z-]+)", output))
        assert options == options & set(re.findall(r"--[a-z-]+", section)), command


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_docs_figures_match_the_measurements(request, tables, page):
    text = page.read_text()
    expected = tables["with_figures"](text)
    if request.config.getoption("--rewrite-goldens"):
        page.write_text(expected)
    assert text == expected


@pytest.mark.long
def test_the_examples_of_the_help_run(reader, tables):
    Path("board.txt").write_text("110\n100\n000\n")
    la.make(["sample:sun", "sample:moon"], size=20).save("out.json")
    do_page(tables["commands_page"](), "help")


def test_an_option_says_what_it_takes_and_where(tables):
    page = tables["options_page"]()
    for option, facts in {
        "loop": ["from 0 to 65,535", "`0`", "[make](command-line.md#make)"],
        "detail": [
            "from 0 to 1,000",
            "1.5; with spot 0.5; 0 or 2 where",
            "Each picture can have its own.",
        ],
    }.items():
        [line] = re.findall(rf"\| `--{option}`.*", page)
        assert [fact for fact in facts if fact not in line] == []


def test_broken_links_are_found(tmp_path):
    (tmp_path / "other.html").write_text('<h1 id="here">')
    page = tmp_path / "page.html"
    good = '<a href="other.html#here"><a href="https://oeis.org"><p id="x"><a href="#x">'
    bad = ["missing.html", "other.html#gone", "#gone", "../page.html", "//example.org/a"]
    tags = [f'<a href="{link}">' for link in bad[:-1]]
    page.write_text("".join([good, *tags, f'<img src="{bad[-1]}">']))
    problems = runpy.run_path(str(DOCS / "links.py"))["problems"]
    assert [problem.split()[0] for problem in problems(page, tmp_path)] == bad
