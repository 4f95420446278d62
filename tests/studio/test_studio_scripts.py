"""The scripts of the studio: merging the work of two pages, asking for the newest position only."""

from urllib.parse import quote, urlsplit

from tools.players import LAPTOP, until
from tools.studios import awaited, requested

from lightsanim.studio.album import Album
from lightsanim.studio.saves import Saves
from lightsanim.studio.server import STATIC, Studio, build_app

# What a page knew, what it made of that and what another did: both changes, where they differ.
MERGED = [
    (1, 1, 2, 2),
    (1, 2, 1, 2),
    (1, 2, 3, 2),
    ({"a": 1, "b": 1}, {"a": 2, "b": 1}, {"a": 1, "b": 2}, {"a": 2, "b": 2}),
    ({"a": 1, "b": 1}, {"b": 1}, {"a": 1, "c": 3}, {"c": 3}),
    ({"a": {"b": 1}}, {"a": {"b": 2}}, {"a": {"b": 1, "c": 3}}, {"a": {"b": 2, "c": 3}}),
    ({"a": {"b": 1}}, {"a": {"b": 2}}, {}, {"a": {"b": 2}}),
    ({"a": None}, {"a": None, "b": 0}, {"a": {"b": 1}}, {"a": {"b": 1}, "b": 0}),
    ([".gif", ".mp4"], [".mp4", ".svg"], [".gif", ".mp4", ".png"], [".mp4", ".svg", ".png"]),
    (None, [{"id": "a"}], [{"id": "b"}], [{"id": "a"}, {"id": "b"}]),
    (
        [{"id": "a", "view": 1}, {"id": "b"}],
        [{"id": "b"}, {"id": "a", "view": 2}],
        [{"id": "a", "view": 1}, {"id": "c"}],
        [{"id": "a", "view": 2}, {"id": "c"}],
    ),
]


# Three positions while the first is being asked for: the last one follows, and none between.
DRAGGED = """async ({ latestOnly }) => {
  const asked = [];
  let at = 0, done;
  const ask = latestOnly(() => (asked.push(at), new Promise((resolve) => (done = resolve))));
  for (at of [1, 2, 3]) ask();
  for (let n = 0; n < 3; n++) await new Promise((resolve) => (done(), setTimeout(resolve)));
  return asked;
}"""


def test_pages_merge_work_and_request_only_the_last_position(pages):
    page = pages.open("about:blank", allowed=(), viewport=LAPTOP)
    work, dom = (
        f"data:text/javascript,{quote((STATIC / name).read_text())}"
        for name in ("work.js", "dom.js")
    )
    merge = f"(all) => import('{work}').then(({{ mergeWork }}) => all.map((w) => mergeWork(...w)))"
    assert page.evaluate(merge, [three for *three, _ in MERGED]) == [last for *_, last in MERGED]
    assert page.evaluate(f"import('{dom}').then({DRAGGED})") == [1, 3]
    assert pages.leave() == []


def open_page(pages, studio):
    """The page of a studio in this process, and the paths that it asks for."""
    app, paths = build_app(studio), []

    def serve(route):
        paths.append(urlsplit(route.request.url).path)
        answer = awaited(requested(app, route.request.method, paths[-1]))
        return route.fulfill(status=answer.status, headers=answer.headers, body=answer.body)

    page = pages.open("about:blank", allowed=("http://studio.test/",), viewport=LAPTOP)
    page.route("http://studio.test/**", serve)
    page.goto("http://studio.test/")
    until(page, "document.body.dataset.tab")
    return page, paths


# Which of two options a search leaves.
SEARCH = """(words) => {
  const find = document.querySelector("#find");
  find.value = words;
  find.dispatchEvent(new Event("input"));
  const isLeft = (name) => document.querySelector(`.row[data-name=${name}]:not([hidden])`);
  return ["fps", "duration"].filter(isLeft);
}"""


def test_option_search_finds_rows_with_every_word(pages, tmp_path):
    studio = Studio(album=Album(tmp_path), jobs=None, saves=Saves(tmp_path))
    page, _ = open_page(pages, studio)
    # Both set a film's speed, one of them its length.
    both, longer = ["fps", "duration"], ["duration"]
    for words, names in (("speed", both), ("length", longer), ("Speed length", longer), ("", both)):
        assert page.evaluate(SEARCH, words) == names, words
    assert pages.leave() == []


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
