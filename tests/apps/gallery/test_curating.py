"""Titles and credits, originals, feeds and previews: from a manifest to files and to a site."""

import json
import os
import re
import shutil
import sys
import time
from dataclasses import replace
from datetime import date, datetime
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import numpy as np
import pytest
from fuzz.mutation import signed
from PIL import Image, ImageCms
from tools.batches import contents, draw, draw_all, run_here, run_manifest, table, write_batch
from tools.clips import animated
from tools.films import an_animation, document_of
from tools.players import LAPTOP, assert_everyone_can_use, until
from tools.program import ask, probed
from tools.refusals import assert_refused

import lightsanim as la
from lightsanim.apps.batch.job_table import RESULTS
from lightsanim.apps.batch.labels import Labels, merge_labels
from lightsanim.apps.batch.manifest import parse_jobs
from lightsanim.apps.batch.originals import make_small_image
from lightsanim.apps.batch.results import read_results
from lightsanim.apps.batch.update_manifest import update_manifest
from lightsanim.apps.gallery.pages import (
    build_feed_variables,
    format_date,
    licence_address,
    parse_base_url,
    parse_iso_date,
)
from lightsanim.errors import OutputError
from lightsanim.film.origin import MAX_LENGTH, Label
from lightsanim.options.choices import SUFFIXES

LABEL = Label(
    title="Sonne → Mond",
    caption="One & only.\n\n<b>Two</b>",
    credit="Ada Ünal",
    licence="CC BY 4.0",
    date=date(2026, 3, 1),
    alt="A sun, then a moon",
    series="Himmel",
)
BASE = "https://example.org/lights"
ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture(scope="module")
def album(tmp_path_factory):
    """A batch with titles whose names count down, and its site; for reading only."""
    folder = tmp_path_factory.mktemp("made")
    manifest = write_batch(folder / "in", 2)
    z = '"z.gif"\ntitle = "<i>Z</i> & \\u0041"\ndate = "1999-02-30"\nseries = "Tag & <b>"\n'
    z += 'link = "https://b.example/?a=1&b"\n'
    a = '"a.gif"\ncaption = "See <b> https://a.example"\ndate = 1999-12-31\n'
    text = manifest.read_text().replace('"0.gif"\n', z).replace('"1.gif"\n', a)
    site = '[site]\ntitle = "A \\"show\\""\ncaption = "Two works"\ncredit = "Ada"\n\n'
    manifest.write_text(
        site + text.replace("[defaults]", '[defaults]\npalette = "rose"\nlicence = "CC BY-SA 4.0"')
    )
    run_here(manifest, folder / "out")
    la.build_gallery(folder / "out", folder / "site", base_url=BASE)
    return folder


def test_wall_search_knows_labels(album):
    text = (album / "site/animations.js").read_text(encoding="utf-8")
    words = " ".join(card["words"] for card in json.loads(text.removeprefix("animations=")))
    for label in ("<i>Z</i> & A", "Tag & <b>", "See <b> https://a.example"):
        assert label in words


@pytest.mark.parametrize(
    ("label", "facts"),
    [
        (["title"], "label ['title']"),
        ({"credit": "a\x1b[31m"}, "credit control"),
        ({"date": 3}, None),
        ({"later": 3}, None),
    ],
)
def test_label_in_file_of_wrong_type_is_refused(tmp_path, label, facts):
    members = document_of(an_animation())
    origin = {"program": "0", "settings": {}, "sha256": [None] * len(members["pictures"])}
    document = signed({**members, "origin": {**origin, "label": label}})
    (tmp_path / "a.json").write_text(json.dumps(document))
    if facts:
        assert_refused(lambda: la.load_animation(tmp_path / "a.json"), facts)
    else:
        assert la.load_animation(tmp_path / "a.json").origin.label.title is None


def test_manifest_labels_come_from_table_or_defaults():
    defaults = {"credit": "Ada", "date": date(1999, 12, 31), "series": "S", "licence": "L"}
    tables = [table(title=" A\n title ", caption="One\nline.\n\nAnother.")]
    tables += [table(output="c.gif", credit="", date=2001)]
    tables += [table(output="d.gif", date=datetime(2001, 2, 3, 4, 5))]
    labels = [job.label for job in parse_jobs({"defaults": defaults, "animation": tables})]
    texts = {"title": "A title", "caption": "One line.\n\nAnother."}
    assert labels[0].as_dict == {**texts, **defaults, "date": "1999-12-31"}
    assert (labels[1].credit, labels[1].date) == (None, "2001")
    assert labels[2].date == "2001-02-03 04:05:00"


def test_batch_new_title_is_written_without_remaking(run, batch, tmp_path):
    manifest, out = batch
    first, *_, last_table = re.split(r"(?=\[\[animation\]\])", manifest.read_text())
    works = manifest.read_text().removeprefix(first).removesuffix(last_table)
    manifest.write_text(first + last_table.replace("12-31", '12-31\ntitle = "New"') + works)
    before, old_files = read_results(out), contents(out)
    assert la.build_gallery(out, tmp_path / "site").outdated == ("a.gif",)
    assert "a.gif" in run("gallery", out, "-o", "site")[2]
    assert " 1 animation" in run("batch", manifest, "-o", out)[2]
    assert [result.id for result in read_results(out)] == [result.id for result in before]
    changed = {name for name, content in contents(out).items() if old_files[name] != content}
    assert changed == {"a.gif", f".lightsanim/{before[1].id}/animation.json", ".lightsanim/labels"}
    built = la.build_gallery(out, tmp_path / "site")
    assert (built.outdated, built.left_out) == ((), ())
    index = (tmp_path / "site/index.html").read_text()
    assert 0 < index.index("<bdi>New</bdi>") < index.index("&lt;i&gt;Z")
    assert "<bdi>New</bdi>" in (tmp_path / "site/a/index.html").read_text()


def test_new_label_is_in_every_format_and_keeps_frames(tmp_path):
    files = [f"a{suffix}" for suffix in SUFFIXES if suffix != ".ino"]
    outputs = ", ".join(['{path = "a.gif", width = 64}', *map(json.dumps, files[1:])])
    text = f"output = [{outputs}]\npictures = ['0.png', '1.png']\nsheet = 's.png'\n"
    manifest, renewed, anew = tmp_path / "m.toml", tmp_path / "out", tmp_path / "anew"
    draw_all(tmp_path, "0.png", "1.png")
    for label, folder in ((Label(title="Ä, one & only"), renewed), (LABEL, anew)):
        words = "".join(f"{name} = {json.dumps(text)}\n" for name, text in label.as_dict.items())
        manifest.write_text(f"[[animation]]\nsize = 4\ncanvas = 64\nduration = 0.2\n{words}{text}")
        run_here(manifest, folder)
    report = run_manifest(manifest, renewed)
    assert (report.made, report.renewed) == (0, 1)
    videos = ("a.mp4", "a.webm")  # x264 writes other bytes for the same pixels, once in 200 times
    but = (RESULTS, "lock", "placed", *videos)
    assert contents(renewed, but) == contents(anew, but)
    for name in files:
        if name not in ("a.h", "a.wled"):
            assert la.verify(renewed / name).legal, name
    assert la.load_animation(renewed / "a.json").origin.label == LABEL
    for name in videos:
        tags = probed(renewed / name, "format_tags")["format"]["tags"]
        tags = {key.lower(): value for key, value in tags.items()}
        expected = {"title": LABEL.title, "artist": LABEL.credit, "description": LABEL.caption}
        expected |= {"copyright": "CC BY 4.0", "date": "2026-03-01", "album": LABEL.series}
        assert expected.items() <= tags.items()
        assert json.loads(tags["comment"])["origin"]["label"] == LABEL.as_dict
        words = name, "-f", "framemd5", "-"  # each frame's time, and its pixels' sum
        sums = {ask("ffmpeg", "-i", *words, cwd=folder) for folder in (renewed, anew)}
        assert len(sums) == 1
    for name in ("a.apng", "a/00000.png"):
        with Image.open(renewed / name) as picture:
            assert {"Title": LABEL.title, "Author": LABEL.credit}.items() <= picture.info.items()
    with Image.open(renewed / "a.gif") as picture:
        assert json.loads(picture.info["comment"])["origin"]["label"] == LABEL.as_dict
    assert f"<h1>{LABEL.title}</h1>" in (renewed / "a.html").read_text(encoding="utf-8")


def test_work_without_table_leaves_wall_and_is_pruned(run, batch, tmp_path):
    (manifest, out), site = batch, tmp_path / "site"
    text = manifest.read_text()
    manifest.write_text(text.rpartition("[[animation]]")[0])
    for is_said in (True, False):  # once; a gallery looks at the manifest itself
        la.build_gallery(out, site)
        assert {path.parent.name for path in site.glob("*/index.html")} == {"z", "tag-b"}
        assert ("a.gif" in run("batch", manifest, "-o", out)[2]) == is_said
    manifest.write_text(text)
    assert "2 animations" in run("batch", manifest, "-o", out)[2]
    assert la.build_gallery(out, site).animations == 2
    before = contents(out)
    manifest.write_text(text.rpartition("[[animation]]")[0])
    (out / "a.gif").write_bytes(b"mine")  # what was changed since is not the batch's to remove
    run("batch", manifest, "-o", out, "--prune")
    assert (out / "a.gif").read_bytes() == b"mine"
    (out / "a.gif").write_bytes(before["a.gif"])
    assert "a.gif" in run("batch", manifest, "-o", out, "--prune")[2]
    pruned_files = before.keys() - contents(out).keys()
    assert {"a.gif"} < pruned_files
    assert all(name == "a.gif" or name.startswith(".lightsanim/") for name in pruned_files)
    assert (la.build_gallery(out, site).animations, la.build_gallery(out, site).left_out) == (1, ())
    manifest.write_text(text)
    run_here(manifest, out)
    assert contents(out) == before


def test_merge_labels_puts_own_manifest_first():
    def labels(*outputs):
        return Labels(works={output: Label(title=output) for output in outputs})

    both = merge_labels(merge_labels(Labels(), labels("a", "b"), "1"), labels("c", "d"), "2")
    assert [*both.works] == ["c", "d", "a", "b"]
    fewer = merge_labels(both, replace(labels("e", "a"), site=LABEL), "1")
    assert [*fewer.works] == ["e", "a", "c", "d"]
    assert (fewer.removed, fewer.site, fewer.manifests["c"]) == ({"b"}, LABEL, "2")
    again = merge_labels(merge_labels(fewer, labels(), "2"), labels("b"), "1")
    assert ([*again.works], again.removed) == (["b"], {"a", "c", "d", "e"})


def test_labels_of_another_manifest_are_kept(batch, tmp_path):
    manifest, out = batch
    run_here(write_batch(tmp_path / "more", 1, more='title = "More"\n'), out)
    la.build_gallery(out, tmp_path / "site")
    index = (tmp_path / "site/index.html").read_text()
    assert index.index("More") < index.index("&lt;i&gt;Z") < index.index("p1")
    assert "<h1>Animations</h1>" in index  # the last batch's manifest has no title
    (out / ".lightsanim/labels").write_text("{")
    assert_refused(lambda: la.build_gallery(out, tmp_path / "site"), "labels damaged", OutputError)
    assert run_manifest(manifest, out).made == 0
    manifest.unlink()  # the labels of its last run stay
    assert la.build_gallery(out, tmp_path / "site").animations == 3
    assert "&lt;i&gt;Z" in (tmp_path / "site/index.html").read_text()


# A folder that grows.

MANIFEST = """\
\ufeff# my works
[defaults]
colours = "two.hex"  # a file beside it

[[animation]]  # the first
pictures = [
    "a.png",  # the oldest
    'b.png',
]
# the middle of a table
output = "mine.gif"
title = "Erste"

[[animation]]
pictures = ["b.png", "c.png"]
output = "d-e.gif"
order = "sweep"

# x.png is "x.png"; not yet
[site]
title = "S"  # the end"""


@pytest.fixture
def grown(tmp_path):
    """A folder with a manifest that was written by hand, and two pictures that it does not name."""
    draw_all(tmp_path, *(f"{name}.png" for name in "abcdex"))
    (tmp_path / "two.hex").write_text("000000\nff8000\n")
    (tmp_path / "manifest.toml").write_bytes(MANIFEST.encode())
    return tmp_path


def pictures_of(manifest):
    return [[picture.path for picture in job.pictures] for job in la.load_manifest(manifest).jobs]


def test_update_adds_pictures_and_keeps_manifest_text(run, grown):
    (grown / "a.png").unlink()
    (grown / "f.png").write_bytes(b"words")
    status, _, message = run("batch", "--update", ".")
    assert status == 0
    assert all(name in message for name in ("a.png", "mine.gif", "f.png"))
    assert message.endswith("manifest.toml updated; added: c-d.gif, d-e-2.gif\n")
    written = (grown / "manifest.toml").read_bytes()
    assert written.startswith(MANIFEST.encode())
    jobs = la.load_manifest(grown / "manifest.toml").jobs
    assert pictures_of(grown / "manifest.toml")[2:] == [["c.png", "d.png"], ["d.png", "e.png"]]
    assert [job.files[0] for job in jobs[2:]] == ["c-d.gif", "d-e-2.gif"]
    run("batch", "--update", ".")
    assert (grown / "manifest.toml").read_bytes() == written


@pytest.mark.parametrize(
    ("works", "expected"),
    [
        (["ab", "bc", "sx"], ["xd", "de"]),  # one link makes a chain
        (["ab", "cx"], ["de"]),
        (["ab", "b", "cx"], ["de"]),  # a picture alone is no link
        (["abcdex"], []),  # and nothing tells, but nothing is new
        (["ab", "bx", "x-"], ["xc", "cd", "de"]),  # from the last one that is still there
    ],
)
def test_update_continues_chain_or_pairs(grown, works, expected):
    names = {"s": "sample:sun", **{name: f"{name}.png" for name in "abcdex-"}}
    manifest, reasons = grown / "manifest.toml", []
    pictures = (json.dumps([names[name] for name in work]) for work in works)
    tables = (f'pictures = {paths}\noutput = "{n}.gif"' for n, paths in enumerate(pictures))
    manifest.write_text("".join(f"[[animation]]\n{table}\n" for table in tables))
    _, after = update_manifest(grown, manifest, None, None, on_left_out=reasons.append)
    manifest.write_text(after)
    new = pictures_of(manifest)[len(works) :]
    assert new == [[names[name] for name in pair] for pair in expected]
    assert ["-.png" in reason for reason in reasons] == [True] * ("x-" in works)


def test_update_pairs_keep_single_picture_waiting(run, tmp_path):
    draw_all(tmp_path, *(f"{name}.png" for name in "abcde"))
    run("batch", "--from-folder", ".", "--pairs")
    manifest = tmp_path / "manifest.toml"
    before = manifest.read_text().replace("\n", "\r\n")
    manifest.write_bytes(before.encode())
    assert "e.png" in run("batch", "--update", ".")[2]
    assert manifest.read_bytes() == before.encode()
    draw(tmp_path / "f.png", 2)
    run("batch", "--update", ".")
    assert pictures_of(manifest)[2:] == [["e.png", "f.png"]]
    after = manifest.read_bytes().decode()
    assert after.count("\n") == after.count("\r\n")


def test_update_does_not_restore_removed_work(batch):
    manifest, out = batch
    manifest.write_text(manifest.read_text().rpartition("[[animation]]")[0])
    draw(manifest.parent / "p3.png", 3)
    reasons = []
    _, text = update_manifest(manifest.parent, manifest, True, out, on_left_out=reasons.append)
    manifest.write_text(text)
    assert pictures_of(manifest)[1:] == [["p1.png", "p3.png"]]
    assert ["p2.png" in reason for reason in reasons] == [True]


def test_update_follows_moved_pictures_without_remaking(run, tmp_path):
    manifest, out = write_batch(tmp_path, 3), tmp_path / "out"
    text = manifest.read_text().replace('"p2.png", ', "'p2.png',  # \"p2.png\" is mine\n")
    text = text.replace('["p0.png"', '[{path = "p0.png", gamma = 2.0}').replace("\n", "\r\n")
    manifest.write_bytes(text.encode())
    run_here(manifest, out)
    (tmp_path / "rome").mkdir()
    (tmp_path / "p3.png").rename(tmp_path / "p3 old.png")
    draw(tmp_path / "rome/p3.png", 0)  # another picture of that name
    assert run("batch", "--update", ".", "--pairs", "-o", out)[0] == 1  # its work fails for now
    assert manifest.read_bytes() == text.encode()
    (tmp_path / "p3 old.png").replace(tmp_path / "rome/p3.png")
    (tmp_path / "p2.png").rename(tmp_path / "rome/p2.png")
    draw(tmp_path / "rome/p0.png", 0)  # a copy has not moved
    results = (out / RESULTS).read_bytes()
    status, _, message = run("batch", "--update", ".", "--pairs", "-o", out)
    lines = [line for line in message.splitlines() if "p2.png" in line]
    assert (status, ["rome/p2.png" in line for line in lines]) == (0, [True])
    expected = re.sub(r"'p2.png'|\"p2.png\"(?! is)", '"rome/p2.png"', text)
    expected = expected.replace('"p3.png"', '"rome/p3.png"')
    *tables, last = expected.split("[[animation]]\r\n")
    expected = "[[animation]]\r\n".join([*tables, 'series = "rome"\r\n' + last])
    assert manifest.read_bytes().decode() == expected
    assert [job.label.series for job in la.load_manifest(manifest).jobs] == [None, None, "rome"]
    assert (out / RESULTS).read_bytes().startswith(results)
    assert "3 animations" in message
    named = manifest.read_bytes().decode().replace('series = "rome"', 'series = "Mine"')
    (tmp_path / "rome").rename(tmp_path / "roma")
    run("batch", "--update", ".", "--pairs", "-o", out)
    assert manifest.read_bytes().decode() == expected.replace("rome", "roma")
    manifest.write_bytes(named.encode())
    run("batch", "--update", ".", "--pairs", "-o", out)  # a series of its own stays
    assert manifest.read_bytes().decode() == named.replace('"rome/', '"roma/')


def test_subfolders_become_series(run, tmp_path):
    draw(tmp_path / "a.png", 1)
    for name in ("rome 10", "rome 2/night", "empty", ".hidden", "clip"):
        (tmp_path / name).mkdir(parents=True)
        draw_all(tmp_path / name, *([] if name == "empty" else ["0.png", "1.png"]))
    status, _, message = run("batch", "--from-folder", ".", "--pairs")
    assert (status, message.count("empty"), ".hidden" in message) == (0, 1, False)
    manifest = tmp_path / "manifest.toml"
    jobs = la.load_manifest(manifest).jobs
    named = ["clip", "rome 2/night", "rome 10"]  # in the order of their numbers
    assert [job.label.series for job in jobs] == named
    assert [job.files[0] for job in jobs] == [f"{name}/0-1.gif" for name in named]
    text = '[defaults]\nsize = 4\nduration = 0.2\n[[animation]]\noutput = "c.gif"\n'
    manifest.write_text(text + 'pictures = ["clip", "a.png"]\n')
    run("batch", "--update", ".", "--pairs")
    run_here(manifest, tmp_path / "films")
    la.build_gallery(tmp_path / "films", tmp_path / "site")
    text = manifest.read_text()
    run("batch", "--update", ".", "--pairs")
    assert manifest.read_text() == text  # all else are no albums
    jobs = la.load_manifest(manifest).jobs
    assert [job.label.series for job in jobs] == [None, "rome 2/night", "rome 10"]
    draw(tmp_path / "rome 10/2.png", 2)
    run("batch", "--update", ".", "--chain")
    assert pictures_of(manifest)[3:] == [["rome 10/1.png", "rome 10/2.png"]]
    draw(tmp_path / "rome 10/own.gif", 1)  # beside the pictures
    (tmp_path / ".lightsanim").mkdir()
    (tmp_path / ".lightsanim/placed").write_text('\n"rome 10/own.gif"')
    text = manifest.read_text()
    run("batch", "--update", ".", "--chain")
    assert manifest.read_text() == text


RUN, PAIR = "manifest.toml -o out", 'pictures = ["a.png", "b.png"]\noutput = "a.gif"'


@pytest.mark.parametrize(
    ("words", "facts", "text"),
    [
        ("", "manifest --from-folder", MANIFEST),
        ("manifest.toml", "-o", MANIFEST),
        ("--from-folder . --chain --pairs", "--chain --pairs", MANIFEST),
        (f"{RUN} --chain", "--chain --from-folder --update", MANIFEST),
        # All mistakes of a manifest in one line.
        (RUN, "manifest.toml: [site]: title text 1; [[animation]]", "[site]\ntitle = 1"),
        (f"{RUN} --workers 0", "workers 1, 0", MANIFEST),
        (f"{RUN} --workers 1 --dask x", "workers dask", MANIFEST),
        ("--update .", "manifest.toml TOML", "# mine\n[[animation]\n"),
        ("--update .", "needs manifest.toml not exist --from-folder", None),
        ("--update . --chain", "manifest.toml [[animation]]", "animation = [{output = 'a.gif'}]"),
        ("--update .", "--update --chain --pairs", f"[[animation]]\n{PAIR}"),
        ("--update . --chain --pairs", "--update --chain --pairs", MANIFEST),
        ("--update . --from-folder .", "--from-folder --update", MANIFEST),
    ],
)
def test_batch_wrong_usage_is_refused(refused, grown, words, facts, text):
    (grown / "manifest.toml").unlink()
    if text is not None:
        (grown / "manifest.toml").write_bytes(text.encode())
    refused(["batch", *words.split()], 2, facts)


def test_update_refuses_manifest_changed_meanwhile(grown):
    manifest, reasons = grown / "manifest.toml", []

    def meanwhile(done, _):
        if done == 0:
            (grown / "e.png").unlink()
            manifest.write_text("# new")

    hear = {"on_left_out": reasons.append, "progress": meanwhile}
    before, after = update_manifest(grown, manifest, None, None, **hear)
    assert '["c.png", "d.png"]' in after.removeprefix(before)
    assert ["e.png" in reason for reason in reasons] == [True]
    assert_refused(lambda: la.write_manifest(manifest, after, before), "changed", OutputError)
    assert manifest.read_text() == "# new"


# The wall and its pages.


def test_preview_shows_first_and_last_frame(album):
    for slug in ("a", "z"):
        with Image.open(album / f"site/{slug}/preview.png") as preview:
            halves = np.array_split(np.asarray(preview.convert("RGB"), int), 2, axis=1)
        assert 900 < preview.width < 1200
        for half, name in zip(halves, ("frame-1.png", "frame-2.png"), strict=True):
            board = (half != half[0, 0]).any(axis=2)
            with Image.open(album / "site" / slug / name) as still:
                cells = np.asarray(still.convert("RGB"), int)
            edges = [np.flatnonzero(board.any(axis=axis))[[0, -1]] + (0, 1) for axis in (1, 0)]
            y, x = (
                np.linspace(*line, 2 * count + 1)[1::2].astype(int)  # the middles of the cells
                for line, count in zip(edges, cells.shape, strict=False)
            )
            assert np.array_equal(half[np.ix_(y, x)], cells)


# All pages but a gallery's: the template, and a command that writes one.
COMMANDS = {
    "player": "make sample:sun sample:moon --size 6",
    "exhibit": "make sample:sun sample:moon --size 6",
    "lesson": "lesson",
    "maker": "maker",
    "abbott": "puzzle abbott 4",
    "clues": "puzzle submarines 1,1 1,1",
}


def test_pages_may_load_only_what_they_need(run, album):
    for name, command in COMMANDS.items():
        options = "@visitor-clicks=9" * (name == "exhibit")
        assert run(*command.split(), "-o", f"{name}.html{options}")[0] == 0
    inline = (
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
    )
    site = "default-src 'none'; base-uri 'none'; form-action 'none'; script-src 'self' file:; "
    site += (
        "media-src 'self' file:; frame-src 'self' file:; style-src 'self' 'unsafe-inline' file:; "
    )
    site += "img-src 'self' data: file:; font-src 'self' data: file:"
    needs = dict.fromkeys(["index", "exhibition"], site) | dict.fromkeys(COMMANDS, inline)
    needs["maker"] = f"{inline} blob:; worker-src blob:"
    pages = [*Path().glob("*.html"), *album.glob("site/**/*.html")]
    assert {page.stem for page in pages} == needs.keys()
    for page in pages:
        # What stands before a policy is not governed by it.
        head = re.split("<(?:base|link|script|style|body)", page.read_text(encoding="utf-8"))[0]
        [policy] = re.findall('<meta http-equiv="Content-Security-Policy" content="(.*?)">', head)
        assert {*policy.split("; ")} == {*needs[page.stem].split("; ")}, page
    templates = [file.read_text() for file in Path(la.__file__).parent.rglob("*.html.j2")]
    # "index" are two, the wall and a work's page; "abbott" and "clues" have one base.
    assert sum("<!doctype" in template for template in templates) == len(needs)


def test_site_without_base_url_has_no_feed_or_previews(album, tmp_path):
    la.build_gallery(album / "out", tmp_path / "site")
    for html in tmp_path.rglob("index.html"):
        assert not re.search("og:|twitter:|canonical|atom", html.read_text())
    for name in ("preview.png", "feed.xml", "sitemap.xml", "code.png"):
        assert not [*tmp_path.rglob(name)]
    la.build_gallery(album / "out", tmp_path / "site", base_url=BASE, feed=False)
    assert not (tmp_path / "site/feed.xml").exists()


def test_qr_code_holds_address_of_its_page(album):
    cv2 = pytest.importorskip("cv2")
    code = cv2.imread(str(album / "site/z/code.png"), cv2.IMREAD_GRAYSCALE)
    text, *_ = cv2.QRCodeDetector().detectAndDecode(np.kron(code, np.ones((8, 8), np.uint8)))
    assert text == f"{BASE}/z/index.html"


def test_feed_follows_rfc_4287(album):
    feed = ElementTree.parse(album / "site/feed.xml").getroot()
    entries = feed.findall(f"{ATOM}entry")
    for element in (feed, *entries):
        for name in ("id", "title", "updated"):  # exactly one of each
            (member,) = element.findall(ATOM + name)
            assert member.text
        assert datetime.fromisoformat(element.find(f"{ATOM}updated").text).tzinfo is not None
        relations = [link.get("rel") for link in element.findall(f"{ATOM}link")]
        assert len({*relations}) == len(relations)
    assert feed.find(f"{ATOM}author/{ATOM}name").text == "Ada"  # so entries need none
    assert len({entry.find(f"{ATOM}id").text for entry in entries}) == len(entries) == 2


def test_feed_of_a_copied_batch_is_equal(album, tmp_path):
    batch = shutil.copytree(album / "out", tmp_path / "out")
    for file in tmp_path.rglob("*"):
        os.utime(file, (0, 0))
    la.build_gallery(batch, tmp_path / "site", base_url=BASE)
    assert (tmp_path / "site/feed.xml").read_bytes() == (album / "site/feed.xml").read_bytes()


@pytest.mark.parametrize("end", ["a.example:8443", "[::1]:80000/~ada/", "a.example/x%20y;z=1"])
def test_base_url_ends_with_slash(end):
    assert parse_base_url(f"HTTP://{end}") == f"HTTP://{end.removesuffix('/')}/"


def test_licence_has_address():
    for licence, path in {
        "CC0 1.0": "publicdomain/zero/1.0",
        "cc-by-nc-nd-3.0": "licenses/by-nc-nd/3.0",
        "CC BY 4.0": "licenses/by/4.0",
    }.items():
        assert licence_address(licence) == f"https://creativecommons.org/{path}/"
    assert licence_address("CC BY 4.0, but for the pictures") is None


def test_feed_lists_fifty_newest_works_newest_first(monkeypatch):
    cards = [SimpleNamespace(index=n * 7 % 60, updated_at=n) for n in range(60)]
    words = build_feed_variables(cards)
    assert [card.index for card in words["cards"]] == [*range(59, 9, -1)]
    assert words["latest"] == 59
    assert words["said"]("a\x01<b>") == "a\N{REPLACEMENT CHARACTER}&lt;b&gt;"
    paragraphs = '<p><img src="p/preview.png" alt="&quot;"></p><p>One</p><p>Two</p>'
    assert words["content_of"]("p/", '"', "One\n\nTwo") == paragraphs
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    assert words["moment"](59.9) == "1970-01-01T00:00:59Z"
    monkeypatch.undo()
    time.tzset()
    days = ("2026-03-01", "20260301", "2026-02-30", "about 1889", None)
    assert [parse_iso_date(day) for day in days] == [date(2026, 3, 1), *[None] * 4]
    assert [format_date(day) for day in days] == ["1 March 2026", *days[1:4], ""]


@pytest.mark.parametrize(
    ("words", "status", "facts"),
    [
        (["--feed"], 2, "--base-url"),
        *(
            (["--base-url", text], 2, f"address {text}")
            for text in ("example.org", "ftp://example.org", "https://", "http://a b/",
                         "https://a.example/?", "https://a.example/#", "https://a.example:x/",
                         "https://a.example/index.html", "https://a.example/x.htm", "https://a:b@c")
        ),
        (["--css", "none.css"], 1, "none.css No such file"),
        (["--css", "."], 1, "directory"),
        (["--css", sys.executable], 1, "UTF-8"),
    ],
)  # fmt: skip
def test_gallery_wrong_options_are_refused(refused, album, words, status, facts):
    refused(["gallery", str(album / "out"), "-o", "s", *words], status, facts)


def test_custom_style_sheet_comes_last(album, tmp_path):
    (tmp_path / "mine.css").write_text(":root { --wall: pink; }", encoding="utf-8-sig")
    site = tmp_path / "site"
    la.build_gallery(album / "out", site, css=tmp_path / "mine.css", title="")
    assert "<h1>A &#34;show&#34;</h1>" in (site / "index.html").read_text()
    assert (site / "custom.css").read_text() == ":root { --wall: pink; }"
    page = (site / "a/index.html").read_text()
    sheets = re.findall(r'rel="stylesheet" href=".*?(\w+\.css)"', page)
    assert sheets == ["gallery.css", "custom.css"]
    assert la.build_gallery(album / "out", site).removed == 1


def test_originals_are_small_upright_and_without_metadata(tmp_path):
    left = np.zeros((300, 2400, 3), np.uint8)
    left[:, :1200] = 250, 40, 30
    exif = Image.Exif()
    exif[0x0112], exif[0x010E] = 6, "secret place"  # to be turned to the right
    image = Image.fromarray(left)
    image.save(tmp_path / "p0.jpg", exif=exif, comment=b"secret words", quality=95)
    Image.new("RGBA", (8, 8)).save(tmp_path / "p1.png")
    manifest = tmp_path / "m.toml"
    pictures = "['p0.jpg', 'puzzle:queens:6', 'p1.png']\nbackdrop = '#00ff00'"
    manifest.write_text(f"[[animation]]\nsize = 4\noutput = 'a.gif'\npictures = {pictures}\n")
    run_here(manifest, tmp_path / "out")
    (tmp_path / "p0.jpg").unlink()  # the gallery needs no sources
    la.build_gallery(tmp_path / "out", tmp_path / "site")
    original = tmp_path / "site/a/original-1.jpg"
    assert b"secret" not in original.read_bytes()
    with Image.open(original) as small:
        assert small.size == (125, 1000)
        assert not small.getexif()
        pixels = np.asarray(small).astype(int)
    assert np.abs(pixels[:480] - (250, 40, 30)).max() < 12
    assert pixels[520:].max() < 12
    with Image.open(tmp_path / "site/a/original-3.jpg") as clear:
        assert np.abs(np.asarray(clear, int) - (0, 255, 0)).max() < 4
    page = (tmp_path / "site/a/index.html").read_text()
    assert re.findall(r'class="original" src="(.*?)"', page) == ["original-1.jpg", "original-3.jpg"]
    # Earlier versions kept the animation and the pictures apart.
    (kept,) = (path for path in (tmp_path / "out/.lightsanim").iterdir() if len(path.name) == 64)
    (kept / "animation.json").rename(f"{kept}.json")
    kept.rename(f"{kept}.originals")
    assert la.build_gallery(tmp_path / "out", tmp_path / "site").written == 0
    la.build_gallery(tmp_path / "out", tmp_path / "site", originals=False)
    assert not [*(tmp_path / "site").rglob("original*")]
    assert 'class="original"' not in (tmp_path / "site/a/index.html").read_text()


def test_originals_of_16_bit_greys_keep_brightness(tmp_path):
    deep = np.linspace(0, 65535, 256).astype(np.uint16).reshape(16, 16)
    Image.fromarray(deep).save(tmp_path / "deep.png")
    small = np.asarray(make_small_image(la.Source(tmp_path / "deep.png")))
    assert np.abs(small - (deep / 257)[..., None]).max() < 1


def test_originals_follow_options_and_profile(tmp_path):
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    profile = profile.replace(b"rXYZ", b"xXYZ").replace(b"gXYZ", b"rXYZ").replace(b"xXYZ", b"gXYZ")
    Image.new("RGB", (4, 4), "red").save(tmp_path / "green.png", icc_profile=profile)
    Image.new("RGBA", (4, 4), (0, 0, 0, 0)).save(tmp_path / "clear.png")
    white = Image.new("RGBA", (4, 4), "white")
    white.putpixel((3, 3), (0, 0, 0, 0))
    white.save(tmp_path / "white.png")
    animated(tmp_path / "clip.gif", [np.full((4, 4), 80 * n, np.uint8) for n in range(4)], 100)
    for name, options, colour in (
        ("green.png", {}, (0, 255, 0)),
        ("clear.png", {"backdrop": "#0000ff"}, (0, 0, 255)),
        ("white.png", {}, (0, 0, 0)),  # so that it is seen
        ("clip.gif", {"start": 0.15}, (80,) * 3),
        ("clip.gif", {"at": 0.25}, (160,) * 3),
    ):
        small = make_small_image(la.Source(tmp_path / name), la.Settings(**options))
        assert np.abs(np.asarray(small, int)[-1, -1] - colour).max() < 3, name


def test_label_fields_have_length_limits():
    for name, limit in MAX_LENGTH.items():
        text = ("http://" if name == "link" else "").ljust(limit, "x")
        assert getattr(Label(**{name: text}), name) == text
        assert_refused(partial(Label, **{name: f"{text}x"}), f"{name} {limit + 1:,}")


@pytest.mark.long
def test_site_pages_pass_axe(album, pages):
    site = (album / "site").as_uri()
    for path in ("index", "z/index", "a/index", "tag-b/index", "exhibition"):
        page = pages.open(f"{site}/{path}.html", allowed=[site], viewport=LAPTOP)
        assert_everyone_can_use(page, "{ iframes: false }")
    pages.leave()  # axe tries to read style sheets again


@pytest.mark.long
def test_exhibition_shows_codes_and_rests(album, pages):
    cv2 = pytest.importorskip("cv2")
    site = (album / "site").as_uri()
    options = {"viewport": LAPTOP, "reduced_motion": "no-preference"}
    page = pages.open(f"{site}/exhibition.html", allowed=[site], **options)
    playing = "gallery.playing().map(({ slug }) => slug)"
    until(page, f"`${{{playing}}}` === 'z'")
    shot = page.locator(".code:visible").screenshot()
    pixels = cv2.imdecode(np.frombuffer(shot, np.uint8), cv2.IMREAD_GRAYSCALE)
    text, *_ = cv2.QRCodeDetector().detectAndDecode(pixels)
    assert text == f"{BASE}/z/index.html"
    page.emulate_media(reduced_motion="reduce")
    page.reload()
    page.wait_for_timeout(300)
    assert page.evaluate(playing) == []
