"""The scripts of the studio: what its page shows, and asks the server for, after each action.

The rows of rows.js run in one page, whose time and server are those of lab.js.
"""

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from tools.players import LAPTOP, until
from tools.studios import awaited, requested

from lightsanim.studio.album import Album
from lightsanim.studio.saves import Saves
from lightsanim.studio.server import Studio, build_app

SAMPLES = Path(__file__).parents[2] / "samples"
HERE = Path(__file__).parent


def open_page(pages, studio, **options):
    """The page of a studio in this process, and the paths that it asks for."""
    app, paths = build_app(studio), []

    def serve(route):
        paths.append(urlsplit(route.request.url).path)
        answer = awaited(requested(app, route.request.method, paths[-1]))
        return route.fulfill(status=answer.status, headers=answer.headers, body=answer.body)

    page = pages.open(
        "about:blank", allowed=("http://studio.test/",), viewport=LAPTOP, **options
    )
    page.route("http://studio.test/**", serve)
    if options:
        page.route("**/pictures/**", lambda route: route.fulfill(path=SAMPLES / "face.png"))
        page.route("**/films/**", lambda route: route.fulfill(body=""))
        page.add_init_script(f"{{{(HERE / 'lab.js').read_text()}}}")
    page.goto("http://studio.test/")
    until(page, "document.body.dataset.tab")
    return page, paths


def test_a_finished_save_is_downloaded_once(pages, tmp_path):
    studio = Studio(album=Album(tmp_path), jobs=None, saves=Saves(tmp_path))
    save = studio.saves.create()
    (save.folder / "x.gif").write_bytes(b"GIF89a")
    save.finish(["x.gif"], [])
    page, paths = open_page(pages, studio)
    page.route("**/save", lambda route: route.fulfill(json={"save": save.id}))
    with page.expect_download() as download:
        page.evaluate("document.querySelector('#start').click()")
    assert download.value.suggested_filename == "x.gif"
    page.reload()
    until(page, "document.body.dataset.tab")
    page.evaluate("fetch('work').then((answer) => answer.text())")  # what was asked for came first
    assert paths.count(f"/saves/{save.id}/events") == 1
    assert pages.leave() == []


@pytest.fixture(scope="module")
def lab(pages, tmp_path_factory):
    """A page in which the tables of rows.js run."""
    folder = tmp_path_factory.mktemp("lab")
    studio = Studio(album=Album(folder), jobs=None, saves=Saves(folder), seed=3)
    page, _ = open_page(pages, studio, reduced_motion="reduce")

    page.evaluate("lab.load", (HERE / "rows.js").read_text())
    yield page
    # Requests end with each row, and some of its answers are refusals; the browser says so itself.
    expected = re.compile("the server responded with|AbortError")
    assert [complaint for complaint in pages.leave() if not expected.search(complaint)] == []


NAMES = "values steps fits merges frames options controls pictures film save studio".split()


@pytest.mark.parametrize("name", NAMES)
def test_scripts_return_what_their_table_expects(lab, name):
    for script, output, expected in lab.evaluate("lab.run", name):
        assert output == expected, script
