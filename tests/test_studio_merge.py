"""What two pages of the studio make of one work, put together by the page's own script."""

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


def test_what_two_pages_made_of_a_work_is_merged(pages):
    page = pages.open("about:blank", allowed=(), viewport=LAPTOP)
    script = f"data:text/javascript,{quote((STATIC / 'work.js').read_text())}"
    merge = f"(all) => import('{script}').then(({{ merged }}) => all.map((w) => merged(...w)))"
    assert page.evaluate(merge, [three for *three, _ in MERGED]) == [last for *_, last in MERGED]
    assert pages.leave() == []
