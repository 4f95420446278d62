"""What a small site says: its pages as text, held against tests/goldens/site.txt."""

import os
import re
import shutil
from pathlib import Path

import numpy as np
from tools.batches import draw_all, run_here
from tools.clips import animated

from lightsanim.batch.results import read_results
from lightsanim.gallery.build import build_gallery
from lightsanim.version import __version__

# A work of each kind: with all that can be said of it, in colour, wrong, sketched, joined, a clip.
MANIFEST = Path(__file__).parent.parent / "data/site.toml"

# The same head on all pages; sizes, which depend on the compression of PNGs; the version.
HEAD = r'<(?:meta http-equiv|link rel="icon"|noscript>).*\n'
NOT_KEPT = (HEAD, ""), (r"[\d,]+ kB", "N kB"), (re.escape(__version__), "VERSION")


def test_site_text_is_as_kept(golden, tmp_path):
    draw_all(tmp_path, "a.png", "b.png", "c.png", shape=(24, 36, 3))
    animated(tmp_path / "clip.gif", [np.tri(9, 12, n, np.uint8) * 255 for n in range(0, 9, 3)], 100)
    run_here(shutil.copy(MANIFEST, tmp_path), tmp_path / "out")
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
