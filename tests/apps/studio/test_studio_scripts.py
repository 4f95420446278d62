"""The scripts of the studio: what its page shows, and asks the server for, after each action.

The rows of rows.js run in one page, whose time and server are those of lab.js.
"""

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from tools.browsers import Pages
from tools.players import LAPTOP, until
from tools.studios import awaited, requested

from lightsanim.apps.studio.album import Album
from lightsanim.apps.studio.saves import SaveJobs
from lightsanim.apps.studio.server import Studio, build_app

SAMPLES = Path(__file__).parents[3] / "samples"
HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def lab(browser, tmp_path_factory):
    """The page of a studio in this process, in which the tables of rows.js run."""
    pages = Pages(browser)
    folder = tmp_path_factory.mktemp("lab")
    app = build_app(Studio(album=Album(folder), jobs=None, saves=SaveJobs(folder), seed=3))

    def serve(route):
        path = urlsplit(route.request.url).path
        answer = awaited(requested(app, route.request.method, path))
        return route.fulfill(status=answer.status, headers=answer.headers, body=answer.body)

    origin, options = "http://studio.test/", {"viewport": LAPTOP, "reduced_motion": "reduce"}
    page = pages.open("about:blank", allowed=(origin,), **options)
    page.route(f"{origin}**", serve)
    page.route("**/pictures/**", lambda route: route.fulfill(path=SAMPLES / "face.png"))
    page.route("**/films/**", lambda route: route.fulfill(body=""))
    page.add_init_script(f"{{{(HERE / 'lab.js').read_text()}}}")
    page.goto(origin)
    until(page, "document.body.dataset.tab")
    page.evaluate("lab.load", (HERE / "rows.js").read_text())
    yield page
    # Requests end with each row, and some of its answers are refusals; the browser says so itself.
    expected = re.compile("the server responded with|AbortError")
    assert [complaint for complaint in pages.leave() if not expected.search(complaint)] == []
    pages.close()


NAMES = [
    *("values", "steps", "fits", "merges", "frames", "options", "controls", "pictures", "film"),
    *("save", "studio", "starts"),
]


@pytest.mark.parametrize("name", NAMES)
def test_scripts_return_what_their_table_expects(lab, name):
    for script, output, expected in lab.evaluate("lab.run", name):
        assert output == expected, script
