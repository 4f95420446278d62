"""The scripts of the studio: merging the work of two pages, asking for the newest position only."""

from urllib.parse import quote

from players import LAPTOP

from lightsanim.studio.server import STATIC

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


def test_pages_merge_their_work_and_ask_for_the_last_position(pages):
    page = pages.open("about:blank", allowed=(), viewport=LAPTOP)
    work, dom = (
        f"data:text/javascript,{quote((STATIC / name).read_text())}"
        for name in ("work.js", "dom.js")
    )
    merge = f"(all) => import('{work}').then(({{ mergeWork }}) => all.map((w) => mergeWork(...w)))"
    assert page.evaluate(merge, [three for *three, _ in MERGED]) == [last for *_, last in MERGED]
    assert page.evaluate(f"import('{dom}').then({DRAGGED})") == [1, 3]
    assert pages.leave() == []
