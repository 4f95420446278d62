"""What a small site says: its pages as text, held against tests/goldens/site.txt."""

import os
import re

import numpy as np
from tools.batches import draw_all, run_here
from tools.clips import animated

from lightsanim.batch.results import read_results
from lightsanim.gallery.build import build_gallery
from lightsanim.version import __version__

# A work of each kind: with all that can be said of it, in colour, with many wrong cells, sketched,
# on a torus, and a clip.
MANIFEST = """
[site]
title = "Sun & moon"
caption = "Six works.\\n\\nSee https://a.example"
credit = "Ada"
licence = "CC BY-SA 4.0"

[defaults]
size = "6x4"
hold_first = 0.2
series = "Rome"

[[animation]]
pictures = ["a.png", "b.png"]
output = ["a.gif", "b/a.GIF", "\u65e5.gif", "frames"]
sheet = "s.svg"
sheet_frames = 4
levels = 3
reverse = true
boomerang = true
title = "Night <falls>"
caption = "See <b> https://a.example.\\n\\nTwo"
credit = "Eve"
licence = "CC0 1.0"
date = 1889-12-01
link = "https://b.example/?a=1&b"
alt = "A sun, then a \\"moon\\""

[[animation]]
pictures = ["a.png", "b.png", "c.png"]
output = "colour.gif"
series = "10"
rgb = true
transition = "dissolve"
max_bytes = 90000

[[animation]]
pictures = ["a.png", "b.png"]
output = "wrong.gif"
size = "9x9"
time_limit = 1e-9
boomerang = true
credit = "Eve"

[[animation]]
pictures = ["a.png", "b.png"]
output = "sketch.gif"
series = "Of one rule"
date = "about 1889"
size = "4x3"
time_limit = 1e-9
transition = "sketch"
sketch_frames = 2
settle = false
shape = "circle"
palette = "rose"

[[animation]]
pictures = [{path = "a.png", gamma = 2.0}, "puzzle:queens:6"]
output = "torus.gif"
series = ""
size = "6x6"
wrap = true
cycle = true
dither = "threshold"

[[animation]]
pictures = ["clip.gif"]
output = "clip.gif"
series = "Of one rule"
size = "3x5"
"""

# The same head on all pages; sizes, which depend on the compression of PNGs; the version.
HEAD = r'<(?:meta http-equiv|link rel="icon"|noscript>).*\n'
NOT_KEPT = (HEAD, ""), (r"[\d,]+ kB", "N kB"), (re.escape(__version__), "VERSION")


def test_site_text_is_as_kept(golden, tmp_path):
    draw_all(tmp_path, "a.png", "b.png", "c.png", shape=(24, 36, 3))
    animated(tmp_path / "clip.gif", [np.tri(9, 12, n, np.uint8) * 255 for n in range(0, 9, 3)], 100)
    (tmp_path / "m.toml").write_text(MANIFEST, encoding="utf-8")
    run_here(tmp_path / "m.toml", tmp_path / "out")
    for number, result in enumerate(read_results(tmp_path / "out")):
        made_at = 86400 * number + 59.9  # the feed tells it, and the order of the works
        os.utime(tmp_path / f"out/.lightsanim/{result.id}.json", (made_at, made_at))
    build_gallery(tmp_path / "out", tmp_path / "site", base_url="https://example.org/lights")
    paths = [p for kind in ("index.html", "exhibition.html", "*.xml", "animations.js")
             for p in sorted((tmp_path / "site").rglob(kind))]  # fmt: skip
    text = "".join(
        f"=== {path.relative_to(tmp_path / 'site').as_posix()}\n{path.read_text(encoding='utf-8')}"
        for path in paths
    )
    for pattern, word in NOT_KEPT:
        text = re.sub(pattern, word, text)
    (tmp_path / "site.txt").write_text(text, encoding="utf-8")
    golden(tmp_path / "site.txt")
