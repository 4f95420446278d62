"""`lightsanim verify` of pages: what is proven is what a browser plays, or the page is refused."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from fuzz.mutation import CANARY, FILM, film_in, with_film, with_text
from fuzz.targets import a_batch, film_pages
from fuzz.targets import an_animation as one_click_a_frame
from tools.films import (
    an_animation,
    assert_illegal,
    is_legal,
    random_film,
    refusal,
    saved,
    some_kinds,
)
from tools.players import LEVELS, a_film_of_levels

import lightsanim as la
from lightsanim.film.origin import Origin
from lightsanim.output.formats.bit_packing import pack_numbers
from lightsanim.output.formats.page import player_html


def an_origin(title):
    label = la.Label(title=title)
    return Origin(program="1", settings={}, sha256=(None, None), label=label)


def a_page(boards=1, **look):
    return player_html(one_click_a_frame(boards=boards), la.Theme(**look)).encode()


def test_verify_pages_of_any_kind_and_title_are_legal(tmp_path):
    for kind in some_kinds(12, [".html"]):
        assert refusal(saved(kind, tmp_path)[1]) is None, kind
    animation = replace(one_click_a_frame(), pictures=(CANARY, "\udcff\0\r\n\u202e"))
    titles = (None, CANARY, "<film>", "\r\n{{ 7 * 7 }}")
    films = (replace(animation, origin=an_origin(title)) for title in titles)
    titled = (player_html(film, la.Theme()).encode() for film in films)
    for page in (*film_pages(), *titled):
        assert is_legal(page)


def test_verify_players_are_legal_other_pages_refused(tmp_path, run):
    run("pose", "5x5", "--clicks", "3", "--seed", "1", "-o", "pose.html")
    assert run("verify", "pose.html", "-q") == (0, "", "")
    la.build_gallery(a_batch(tmp_path / "batch"), tmp_path / "site")
    run("puzzle", "abbott", "4", "-o", "site/abbott.html")
    pages = {path.name for path in (tmp_path / "site").rglob("*.html")}
    assert pages == {"index.html", "exhibition.html", "player.html", "abbott.html"}
    for path in (tmp_path / "site").rglob("*.html"):
        status, _, err = run("verify", path)
        is_refused = path.name != "player.html"
        assert (status, f"{path}: " in err) == (is_refused, is_refused)


def test_verify_page_with_illegal_film_names_frame():
    corner = np.zeros((5, 5), bool)
    corner[0, 0] = True  # alone it cannot be lit
    film = la.animate(la.Board(5, 5), corner, [la.Clicks(np.array([7]))], la.Timing())
    page = player_html(film, la.Theme()).encode()
    assert_illegal(page, 0, "frame 0")
    assert_illegal(page + b" ", None, "differs not legal: frame 0")


# Pages that were changed.

START, END = b'<script type="application/json" id="film">', b"</script>"
FOREIGN_PAGE = player_html(an_animation(), la.Theme()).encode()
SCRIPT = b"<script>board.style.rotate = '180deg'</script>"


def film_script(page):
    return START + FILM.search(page)[0] + END


def without(film, *names):
    return {name: value for name, value in film.items() if name not in names}


CHANGES = {
    "another page": lambda page: b"<!--" + film_script(page) + b"-->" + FOREIGN_PAGE,
    "another film": lambda page: page.replace(b"<body>", b"<body>" + film_script(FOREIGN_PAGE)),
    "a script more": lambda page: page.replace(b"</body>", SCRIPT + b"</body>"),
    "another script": lambda page: page.replace(b'"use strict";', b'"use strict";1;'),
    "another heading": lambda page: page.replace(b"moon</h1>", b"noon</h1>"),
    "other lines": lambda page: page.replace(b"\n", b"\r\n"),
    "a byte order mark": lambda page: b"\xef\xbb\xbf" + page,
    "a byte less": lambda page: page[:-1],
    "another order": lambda page: with_text(page, dict(reversed(film_in(page).items()))),
    "a space": lambda page: page.replace(b'"rows":', b'"rows": '),
}


@pytest.mark.parametrize("change", CHANGES)
def test_verify_changed_page_is_illegal(tmp_path, change):
    page = a_page(boards=1)
    changed = CHANGES[change](page)
    assert changed != page
    (tmp_path / "a.html").write_bytes(changed)
    assert_illegal(tmp_path / "a.html", None, "the file differs")


@pytest.mark.parametrize("program", ["1.0.0", None, CANARY, 2])
def test_verify_page_of_another_version_cannot_tell(run, program):
    page = a_page()
    Path("a.html").write_bytes(with_film(page, film_in(page) | {"program": program}))
    verdict = la.verify("a.html")
    assert (verdict.verdict, verdict.legal, verdict.first_illegal) == ("cannot tell", False, None)
    assert str(program)[:9] in verdict.reason or program is None
    assert run("verify", "a.html")[0] == 3


LIES = {
    "levels": [3, 4, 2.0, True, None],
    "again": [[3, 1, "AA=="], False],
    "boards": [3],
    "rows": [4],
    "columns": [3],
    "wrap": [True],
    "rule": ["king"],
    "offsets": [[[-1, 0], [0, -1], [0, 0], [0, 1], [1, 1]]],
    "palette": [["#333333", "#191919"], ["#333333", "#191919", "white"], "grey"],
    "accent": ["#ffffff"],
    "dot": ["red"],
    "shape": ["star"],
    "gap": [7.5, -0.25, -0.0, 0.1234567, "1e999999999", [0.5], float("inf"), 10**400],
    "flashes": [False, 1],
    "title": ["another", ["sun"], "\ud800"],
    "pictures": [["sun", 2], "ab"],
    "framed": [True, 0],
    "puzzle": [True, "false"],
    "fps": [10, float("nan"), 1e999, "10.0"],
    "loop": [True, 1e30],
    "holds": [[[0, float("nan")]], {"0": 1}],
    "origin": [
        None,
        {"program": "0", "settings": {"gamma": float("nan")}, "sha256": [None, None]},
        {"program": "0", "settings": {"\ud800": 1}, "sha256": [None, None]},
    ],
    "first": [[12, 2, "AAAA"]],
    "series": [[], [{"first": [12, 1, "AAA="], "clicks": [0, 1, ""], "again": None}]],
    "more": [1],
}


@pytest.mark.parametrize("name", LIES)
def test_verify_page_with_false_member_is_illegal(name):
    page = a_page(boards=1, cell=10, gap=2)
    assert is_legal(page)
    for lie in LIES[name]:
        film = film_in(page) | {name: lie}
        try:
            changed = with_film(page, film)
        except ValueError:  # it cannot be signed
            changed = with_text(page, film)
        assert changed != page
        assert not is_legal(changed), lie


@LEVELS
def test_verify_page_of_levels_in_any_palette(levels, boards):
    palette = "sunset" if boards == 1 else "pocket"
    for look in ({"palette": palette}, {"colours": "navy,red,gold"}, {}):
        page = player_html(a_film_of_levels(levels, boards), la.Theme(**look)).encode()
        assert is_legal(page)
    film = film_in(page)
    count, width, _ = film["again"]
    lies = [("levels", lie) for lie in (2, 3, 5, 7, 11) if lie != levels]
    lies += [("again", lie) for lie in (None, pack_numbers(np.zeros(count)), [count, width, ""])]
    lies += [("again", pack_numbers(np.ones(count))), ("clicks", pack_numbers(np.arange(3)))]
    for name, lie in lies:
        assert not is_legal(with_film(page, film | {name: lie})), (name, lie)


def test_verify_page_missing_or_doubled_member():
    page = a_page()
    film = film_in(page)
    for name, value in film.items():
        missing = (with_text if name == "sha256" else with_film)(page, without(film, name))
        assert is_legal(missing) == (name == "origin"), name
        for twice in (value, None):
            doubled = START + json.dumps({name: twice}).encode()[:-1] + b","
            assert not is_legal(page.replace(START + b"{", doubled)), name


def test_verify_indistinguishable_cells_are_refused():
    for boards, look, fact in [
        (1, {"lit": "#191919", "unlit": "#191919"}, "alike"),
        (3, {"lit": "#ff8000", "unlit": "#0080ff"}, "alike"),
        (1, {"cell": 1, "gap": 10}, "gaps"),
    ]:
        assert fact in refusal(a_page(boards, **look))


def test_verify_page_without_needed_guard_is_not_legal():
    # All 16 cells change 20 times a second, and WCAG 2.3.1 allows three flashes.
    cells, done = np.tile(np.arange(16), 30), np.arange(31) * 16
    dark, board = np.zeros((4, 4), bool), la.Board(4, 4, rule="1")
    film = la.Animation(board=board, first=dark, history=la.Clicks(cells), clicks_done=done, fps=20)
    for flashes, verdict in [(True, "legal"), (False, "not legal")]:
        page = player_html(film, la.Theme(), flashes=flashes).encode()
        assert la.verify(page).verdict == verdict


def test_verify_puzzle_that_stays_lit_is_not_legal():
    page = player_html(random_film(), la.Theme(), puzzle=True).encode()
    assert_illegal(page, None, "puzzle 1 turn off")


def test_verify_svg_film_of_another_version_cannot_tell(tmp_path, run):
    random_film().save(tmp_path / "a.svg")
    text = (tmp_path / "a.svg").read_text()
    for program, status in [("1.0.0", 3), (la.__version__, 1)]:
        changed = text.replace(f'"program":"{la.__version__}"', f'"program":"{program}"', 1)
        changed = changed[: changed.rindex("<!--")].replace("crispEdges", "auto")
        digest = hashlib.sha256(changed.encode()).hexdigest()
        (tmp_path / "b.svg").write_text(f"{changed}<!-- sha256 {digest} -->\n")
        assert run("verify", "b.svg")[0] == status
    assert "differs" in run("verify", "b.svg")[2]


def test_verify_several_files_status_is_that_of_the_worst(tmp_path, run):
    random_film().save(tmp_path / "legal.html")
    page = (tmp_path / "legal.html").read_bytes()
    other = with_film(page, film_in(page) | {"program": "1.0.0"})
    (tmp_path / "other.html").write_bytes(other)
    for names, statuses in [("legal legal", 0), ("legal other", 3), ("other none legal", 1)]:
        files = [f"{name}.html" for name in names.split()]
        status, out, _ = run("verify", "--json", *files)
        assert status == statuses
        verdicts = {"legal": "legal", "other": "cannot tell"}
        found = [(line["file"], line["verdict"]) for line in map(json.loads, out.splitlines())]
        assert found == [(f"{n}.html", verdicts[n]) for n in names.split() if n in verdicts]
