"""Texts and QR codes in place of pictures: read from the film, and recorded as their own words."""

import re
import shlex
from html import unescape
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageSequence
from tools.batches import add_job
from tools.studios import studio

import lightsanim as la
from lightsanim.apps.batch.manifest import parse_jobs
from lightsanim.pictures.source import parse_source

ADDRESS = "https://mastodon.social/@name"


def cells_of(picture, rows, columns, **options):
    board = la.Board(rows, columns)
    (target,) = la.targets_for(la.load_picture(picture), board, la.Settings(**options))
    return target.configuration


def last_frame(path):
    with Image.open(path) as film:
        return np.array([*ImageSequence.Iterator(film)][-1].convert("RGB"))


# A version 2 code: 25 modules and 4 quiet ones at each side, of one cell or two.
@pytest.mark.parametrize("side", [36, 66])
def test_qr_code_is_read_from_the_frame_that_rests(side, tmp_path):
    cv2 = pytest.importorskip("cv2")
    cells = cells_of(f"qr:{ADDRESS}", side, side)
    dark = np.argwhere(~cells)
    assert np.ptp(dark, axis=0).tolist() == [24 if side < 66 else 49] * 2
    assert np.abs(dark.min(axis=0) - (side - 1 - dark.max(axis=0))).max() <= 1
    film = la.make(["sample:sun", f"qr:{ADDRESS}"], size=side, seed=1, order="random")
    film.save(tmp_path / "film.gif", cell=4)
    text, *_ = cv2.QRCodeDetector().detectAndDecode(last_frame(tmp_path / "film.gif"))
    assert text == ADDRESS


OPTIONS = (
    {"dither": "strokes", "detail": 4, "gamma": 2, "autocontrast": True},
    {"dither": "jarvis", "crop": "20%,20%,60%,60%", "fit": "stretch"},
    {"dither": "search", "focus": "auto", "tone": "linear", "levels": 5},
    {"transition": "dissolve", "dither": "bayer", "backdrop": "red"},
)


@pytest.mark.parametrize("options", OPTIONS)
def test_options_of_pictures_leave_words_as_they_are(options):
    top = options.get("levels", 2) - 1
    board = la.Board(40, 50, levels=top + 1)
    for word in ("text:HELLO", "qr:HELLO"):
        (target,) = la.targets_for(la.load_picture(word), board, la.Settings(**options))
        assert (target.configuration == top * cells_of(word, 40, 50)).all()
    assert (cells_of("text:HELLO", 40, 50, invert=True) != cells_of("text:HELLO", 40, 50)).all()
    assert (cells_of("qr:HELLO", 40, 50, invert=True) == cells_of("qr:HELLO", 40, 50)).all()


def test_text_is_centred_and_as_large_as_the_board():
    for rows, columns in ((24, 60), (52, 50), (212, 90)):
        cells = cells_of("text:HELLO\\nlight", rows, columns)
        (top, left), (bottom, right) = (
            pick(np.argwhere(cells), axis=0) for pick in (np.min, np.max)
        )
        margins = [top, left, rows - 1 - bottom, columns - 1 - right]
        assert abs(margins[0] - margins[2]) <= 1
        assert abs(margins[1] - margins[3]) <= 1
        assert 1 <= min(margins) <= 1 + max(rows, columns) // 20
    # By hand: the letters are as tall as one another, and there are gaps between the three.
    rows_of_line = cells_of("text:HIH", 40, 60).any(axis=1)
    assert np.diff(np.flatnonzero(rows_of_line)).max() == 1
    columns_of_line = cells_of("text:HIH", 40, 60).any(axis=0).astype(int)
    assert (np.diff(columns_of_line, prepend=0) == 1).sum() == 3
    # The capitals of the smallest font have 7 cells, so a panel of 8 rows has no two margins.
    assert cells_of("text:HELLO", 8, 32).any(axis=1).tolist() == [True] * 7 + [False]
    assert (cells_of("text:A\nB", 40, 60) == cells_of("text:A\\nB", 40, 60)).all()


WORDS = {
    # word: what is drawn, and the options
    f"qr:{ADDRESS}": (f"qr:{ADDRESS}", {}),
    "qr:mailto:a@b.org?x=@@crop=1": ("qr:mailto:a@b.org?x=@crop=1", {}),
    "text:me@home": ("text:me@home", {}),
    "text:a@invert": ("text:a@invert", {}),
    "text:a@invert=": ("text:a", {"invert": True}),
    "text:a@no-invert": ("text:a", {"invert": False}),
    "text:a@unknown=3": ("text:a@unknown=3", {}),
    "text:a@@@invert=": ("text:a@", {"invert": True}),
    "text:a@@@@b": ("text:a@@b", {}),
    "text:a@b@@crop@invert=": ("text:a@b@crop", {"invert": True}),
    "icon@2x.png@detail=2@no-autocontrast": ("icon@2x.png", {"detail": 2, "autocontrast": False}),
}


@pytest.mark.parametrize("word", WORDS)
def test_at_sign_begins_an_option_only_where_it_is_known(word):
    path, own = WORDS[word]
    source = parse_source(word)
    assert (source.path, source.own) == (path, own)
    again = parse_source(str(source))
    assert (again.path, again.own) == (path, own)


def test_film_of_words_is_proven_and_solved(run):
    words = ["text:HI@invert=", f"qr:{ADDRESS}"]
    assert run("make", *words, "-o", "a.json", "--size", "40x37", "--order", "random")[0] == 0
    film = la.load_animation("a.json")
    assert film.pictures == ("HI", ADDRESS)
    assert (film.first == cells_of("text:HI", 37, 40, invert=True)).all()
    assert "0 wrong cells" in run("verify", "a.json", "--targets", words[1])[1]
    status, out, err = run("solve", words[1], words[0], "--size", "40x37", "--json")
    assert (status, err) == (0, "")
    assert out.startswith("{")
    assert run("preview", words[1], "-o", "a.png", "--size", "40")[0] == 0


BAD = {
    "qr:": "letters qr:HELLO",
    "text: \\n ": "letters text:HELLO",
    "text:\u65e5\u672c": "font letter \u65e5\u672c",
    "text:tab\there": "font letter",
    f"text:{'wide ' * 9}": "needs at least 20x20",
    "qr:HELLO": "'qr:HELLO' needs at least 29x29 cells, not 20x20",
    f"qr:{'a' * 2954}": "QR 2,953 bytes",
    "qr:HELLO@dither=bayer": "dither QR leave",
    "text:HI@detail=2": "detail text leave",
    "text:HI@invert=2": "invert without value",
}


@pytest.mark.parametrize("word", BAD)
def test_word_that_cannot_be_drawn_is_one_line(refused, word):
    refused(["make", word, "sample:sun", "-o", "a.gif", "--size", "20x20"], 2, BAD[word])


def test_qr_code_in_faint_colours_is_refused(run, refused):
    words = ["qr:HELLO", "sample:sun", "--size", "36"]
    facts = "QR 3 times lit"
    for look in (["--lit", "#555"], ["--lit", "black", "--unlit", "white"]):
        refused(["make", *words, "-o", "a.gif", *look], 2, facts)
    refused(["preview", "qr:HELLO", "--colours", "#191919,#555"], 2, facts)
    film = la.make(words[:2], size=36, order="random")
    film.save("a.json")
    refused(["render", "a.json", "-o", "a.gif", "--lit", "#555"], 2, facts)
    assert run("render", "a.json", "-o", "a.gif", "--palette", "rose")[0] == 0


WORKS = [
    la.Source("text:A@b\\nc", invert=True),
    la.Source(f"qr:{ADDRESS}"),
    la.Source("sample:eye"),
]


def test_gallery_command_of_words_makes_the_same_film(run, tmp_path):
    (job,) = parse_jobs({"animation": [{
        "pictures": [{"path": source.path, **source.own} for source in WORKS],
        "output": {"path": "a.gif", "width": 100}, "size": 40, "duration": 1, "order": "random",
    }]})  # fmt: skip
    add_job(tmp_path / "batch", tmp_path, job)
    la.build_gallery(tmp_path / "batch", tmp_path / "site")
    (page,) = tmp_path.glob("site/a/index.html")
    code = re.search("<code>(.*?)</code>", page.read_text("utf-8"))[1]
    words = shlex.split(unescape(re.sub("<[^>]*>", "", code)))
    assert words[:5] == ["lightsanim", "make", *map(str, WORKS)]
    assert run(*words[1:])[0] == 0
    assert Path("a.gif").read_bytes() == (tmp_path / "batch/a.gif").read_bytes()


@pytest.mark.long
def test_studio_opens_words_and_keeps_them_in_its_work(run, refused):
    with studio(*map(str, WORKS)) as page:
        pictures = page.get("pictures").json["pictures"]
        names = [picture["name"] for picture in pictures]
        assert names == [source.path for source in WORKS]
        body = {"options": {"size": 40, "seed": 3}, "formats": [".gif"]}
        body["pictures"] = [{"id": p["id"], "own": p["own"]} for p in pictures]
        saved = page.saved(body)
        words = shlex.split(page.post("words", body).json["command"])
        body["pictures"][1]["own"] = {"detail": 2}
        refusal = page.post("target", {**body, "index": 1, "formats": None})
        assert "detail does not apply to a QR code" in refusal.body.decode()
        work = page.get("work/file").body
        assert page.post("work/file", work).status == 200
        assert [p["name"] for p in page.get("pictures").json["pictures"]] == names
    ((name, content),) = saved.items()
    assert run(*words[1:])[0] == 0
    assert Path(name).read_bytes() == content
