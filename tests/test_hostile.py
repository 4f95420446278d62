"""Hostile input: whatever bytes come in, only our own errors come out.

And memory and time stay within bounds, no path leads out of a folder, and no name becomes markup or
steers a terminal.  The readers are in `fuzz.targets`; `make fuzz` tries many more on them.
"""

import json
import os
import re
import struct
import subprocess
import sys
import zipfile
import zlib
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import numpy as np
import pytest
from films import document_of
from fuzz.mutation import (
    as_json,
    byte_changes,
    film_in,
    metadata_in,
    with_film,
    with_metadata,
    with_right_sums,
)
from fuzz.targets import TARGETS, a_batch, an_animation, texts
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from program import PROGRAM

import lightsanim as la
from lightsanim.animation.animate import animate
from lightsanim.batch.job import stays_inside
from lightsanim.board.rule import rule_of
from lightsanim.errors import AnimationError, LightsAnimError, OptionError
from lightsanim.formats.json_text import digest_of_json
from lightsanim.formats.load import load_picture
from lightsanim.formats.page import FILM, player_html
from lightsanim.gallery.build import build_gallery
from lightsanim.gallery.downloads import zip_frames
from lightsanim.gallery.site import LONGEST_SLUG, RESERVED, slug_of
from lightsanim.options.table import Timing
from lightsanim.puzzles.clues import load_clues

# Any bytes.


def try_hard(name, times):
    """Read valid bytes, and what comes of changing them, with some noise in between."""
    target = TARGETS[name]
    seeds = list(target.seeds())
    for content in seeds[:times]:
        target.try_(content)
    words = [word.encode() for word in target.words]
    for number in range(times):
        rng = Random(number)
        noise = rng.randbytes(rng.randrange(40))
        content = rng.choice([*seeds, noise])
        for _ in range(rng.randint(1, 3)):
            content = target.changes(content, rng)
        for tried in (content, byte_changes(content, rng, words), noise):
            target.try_(tried)


@pytest.mark.parametrize("times", [5, pytest.param(300, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", TARGETS)
def test_only_errors_of_our_own_come_out_in_one_line(name, times):
    try_hard(name, times)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("settings", b'{"program":"0","sha256":[],"settings":{"time_limit":1%s}}' % (b"0" * 400)),
        ("packed", b'[0, true, ""]'),
        ("packed", b'[2, 8, "AQE="]'),  # bits that no number needs
    ],
)
def test_what_was_found_stays_mended(name, content):
    with pytest.raises(LightsAnimError):
        TARGETS[name].read(content)


def test_a_gallery_shows_a_picture_called_by_very_many_digits(tmp_path):
    batch = a_batch(tmp_path / "batch", pictures=["9" * 5000, "moon"])
    assert build_gallery(batch, tmp_path / "site").animations == 1


@pytest.mark.long
def test_a_pipe_among_frames_is_not_waited_for(tmp_path):
    an_animation().save(tmp_path / "film")
    (tmp_path / "film" / "00000.png").unlink()
    os.mkfifo(tmp_path / "film" / "00000.png")
    said = run_alone("verify", "film", cwd=tmp_path)
    assert (said.returncode, said.stdout) == (1, "")
    assert "frame 0 is missing" in said.stderr


# Bounds: small files that ask for much.


def signed(**members):
    document = {**document_of(an_animation()), **members}
    document.pop("sha256")
    return as_json({**document, "sha256": digest_of_json(document)})


def page(**members):
    html = player_html(an_animation(), la.Theme()).encode()
    return with_film(html, film_in(html) | members)


def gif(folder, side=None, board=None, **look):
    """A GIF with other metadata; if ``side`` is given, it says that frames have such sides."""
    path = folder / "seed.gif"
    an_animation(boards=3).save(path, cell=3, gap=0, mark="red")
    content = path.read_bytes()
    metadata = metadata_in(content)
    metadata["board"] |= board or {}
    metadata["look"] |= look
    content = bytearray(with_metadata(content, {**metadata, "pictures": []}))
    if side is not None:
        content[6:10] = struct.pack("<HH", side, side)
    return bytes(content)


def png(width, height, *chunks, mode=0):
    head = struct.pack(">IIBBBBB", width, height, 8, mode, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in [(b"IHDR", head), *chunks, (b"IDAT", b""), (b"IEND", b"")]
    )


def film(folder, suffix):
    path = folder / f"seed{suffix}"
    an_animation().save(path, cell=12)
    return path.read_bytes()


def torus(folder, board):
    """A board that only elimination solves."""
    clicks = [(np.array([5050]), None)]
    path = folder / "torus.gif"
    animate(board, np.ones(board.shape, bool), clicks, Timing()).save(path, cell=1)
    return path.read_bytes()


def patched(content, kind, more, value):
    """A file with another big-endian number `more` bytes behind a name."""
    place = content.index(kind) + 4 + more
    return content[:place] + struct.pack(">I", value) + content[place + 4 :]


def bombs(folder):
    """Files by their names, whose first word says who reads them; none has more than 600 kB."""
    many = {"rows": 10**9, "columns": 10**9, "rule": "cross", "wrap": False}
    wide, one = {"rows": 1, "columns": 4 * 10**8, "rule": "cross"}, {"rows": 1, "columns": 1}
    zeros = zlib.compress(bytes(60_000_000), 9)
    mp4, apng = film(folder, ".mp4"), film(folder, ".apng")
    dense = "/".join(map("".join, np.random.default_rng(0).choice([*"01"], (99, 99))))
    return {
        "json-large.json": signed(board=many),
        "json-wide.json": signed(board=wide),
        "json-deep-member.json": b'{"format": "lightsanim", "x": ' + b"[" * 100_000,
        "json-nan.json": signed(fps=float("nan")),
        "json-many-frames.json": signed(frames=[0] * 50_000 + [3]),
        "verify-page.html": page(**many),
        "verify-page-numbers.html": page(clicks=[10**12, 32, "AAAA"]),
        "verify-page-deep.html": (FILM + "[" * 100_000).encode(),
        "verify-wide.gif": gif(folder, board=wide, cell=1, gap=0, mark=None),
        "verify-cells.gif": gif(folder, 9400, board=one, cell=9400),
        "verify-circles.gif": gif(folder, 1000, board=one, cell=1000, shape="circle"),
        "verify-elimination.gif": torus(folder, la.Board(141, 141, wrap=True)),
        "verify-stencil.gif": torus(folder, la.Board(141, 141, rule=dense, wrap=True)),
        "verify-frames.apng": with_right_sums(patched(apng, b"acTL", 0, 2**31 - 1)),
        "verify-samples.mp4": patched(mp4, b"stsz", 8, 2**31 - 1),
        "verify-times.mp4": patched(mp4, b"stts", 8, 2**31 - 1),
        "verify-size.mp4": patched(mp4, b"stsd", 40, 0xFFF0FFF0),
        "verify-text.apng": png(5, 5, (b"zTXt", b"Comment\0\0" + zeros)),
        "picture-text.png": png(5, 5, (b"zTXt", b"Comment\0\0" + zeros)),
        "picture-profile.png": png(5, 5, (b"iCCP", b"x\0\0" + zeros)),
        "picture-pixels.png": png(5, 5, (b"IDAT", zeros)),
        "picture-large.png": png(2**31 - 1, 2**31 - 1),
        "picture-large.gif": b"GIF89a\xff\xff\xff\xff\0\0\0",
        "picture-large.tif": b"II*\0\x08\0\0\0\xff\xff" + b"\0\1\4\0\xff\xff\xff\x7f" * 500,
        "text-lines.txt": b"\n" * 299_000 + b"0",
        "rule-ones.txt": b"1" * 290_001,
        "clues-digits.txt": b"9" * 290_000,
    }  # fmt: skip


def read_and_shown(path):
    assert len(player_html(la.load_animation(path), la.Theme())) < 10_000_000


READERS = {
    "json": read_and_shown,
    "verify": la.verify,
    "picture": load_picture,
    "text": lambda path: TARGETS["text"].read(path.read_bytes()),
    "rule": lambda path: rule_of(texts(path.read_bytes())),
    "clues": load_clues,
}


def read_all_bombs(folder):
    """Each in a process of its own: what came of it, and its seconds and megabytes."""
    import resource

    for path in sorted(folder.iterdir()):
        child = os.fork()
        if child == 0:
            resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
            resource.setrlimit(resource.RLIMIT_CPU, (120, 120))
            said = "read"
            try:
                READERS[path.name.split("-")[0]](path)
            except LightsAnimError as error:
                said = f"ours: {str(error)[-200:]}"
            except BaseException as error:
                said = f"{type(error).__name__}: {str(error)[:200]}"
            path.with_suffix(".said").write_text(said, errors="replace")
            os._exit(0)
        _, status, used = os.wait4(child, 0)
        seconds, megabytes = used.ru_utime + used.ru_stime, used.ru_maxrss // 1024
        said = path.with_suffix(".said")
        what = said.read_text() if said.is_file() else f"died of {status}"
        print(json.dumps([path.name, what, seconds, megabytes]), flush=True)


@pytest.mark.long
def test_a_small_file_cannot_ask_for_much(tmp_path):
    files, seeds = tmp_path / "bombs", tmp_path / "seeds"
    files.mkdir()
    seeds.mkdir()
    contents = bombs(seeds)
    for name, content in contents.items():
        assert len(content) < 600_000
        (files / name).write_bytes(content)
    call = "import pathlib, sys, test_hostile as t; t.read_all_bombs(pathlib.Path(sys.argv[1]))"
    words = [sys.executable, "-c", call, str(files)]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    done = subprocess.run(words, capture_output=True, text=True, timeout=900, env=environment)
    fates = [json.loads(line) for line in done.stdout.splitlines()]
    assert {name for name, *_ in fates} == contents.keys(), done.stderr
    for name, said, seconds, megabytes in fates:
        assert said == "read" or said.startswith("ours: "), f"{name}: {said}"
        assert megabytes < 1000, name
        assert seconds < 60, name


def test_a_film_of_too_many_frames_is_refused(tmp_path):
    held = replace(an_animation(), fps=1000.0, holds=((0, 86_400.0), (1, 86_400.0)))
    with pytest.raises(OptionError, match="172800004 frames, more than 1000000"):
        held.save(tmp_path / "a.mp4")
    assert not list(tmp_path.iterdir())


@pytest.mark.long
def test_a_saved_animation_without_end_is_refused(tmp_path):
    for name, read, said in [
        ("a.json", la.load_animation, "more than 1000000000 bytes"),
        ("a.html", la.verify, "it is a device or a pipe"),
    ]:
        (tmp_path / name).symlink_to("/dev/zero")
        with pytest.raises(AnimationError, match=said):
            read(tmp_path / name)


def test_a_cell_too_large_to_draw_is_refused_however_it_is_asked_for(tmp_path):
    one = np.ones((1, 1), bool)
    for look in ({"cell": 2001}, {"width": 3000}):
        with pytest.raises(OptionError, match="2000"):
            la.save_still(one, tmp_path / "a.png", **look)
    la.save_still(one, tmp_path / "a.png", cell=500, gap=0, shape="circle")
    with Image.open(tmp_path / "a.png") as drawn:
        lit = np.asarray(drawn.convert("L")) > 128
    assert lit.mean() == pytest.approx(np.pi / 4, abs=0.01)


# Paths.


@given(st.one_of(st.text(max_size=30), st.text("./\\a~\0 ", max_size=12)))
def test_a_path_that_stays_inside_does(path):
    folder = Path("/some/where")
    if stays_inside(path):
        place = Path(os.path.normpath(folder / path))
        assert folder in place.parents
        assert not any(part.startswith(".") for part in place.relative_to(folder).parts)


def test_frames_of_odd_names_are_left_out_of_the_zip(tmp_path):
    an_animation().save(tmp_path / "frames")
    (tmp_path / "frames" / "..\\..\\x.png").write_bytes(b"x")
    assert zip_frames(tmp_path / "frames", tmp_path / "frames.zip") == 4
    with zipfile.ZipFile(tmp_path / "frames.zip") as archive:
        names = archive.namelist()
    assert names == [f"frames/0000{number}.png" for number in range(4)]


@given(
    st.one_of(st.text(max_size=80), st.sampled_from(["con", "NUL", "com1", "Lpt9", "aux.", "."]))
)
def test_a_slug_is_a_name_in_every_file_system(name):
    slug = slug_of(name)
    assert re.fullmatch("[a-z0-9][a-z0-9-]*", slug)
    assert not RESERVED.fullmatch(slug)
    assert len(slug) <= LONGEST_SLUG + 2


# Markup.

MARKUP = [
    "<img src=x onerror=alert(1)>",
    '"></script><script>alert(1)</script>',
    "]]><x>--><!--",
    "javascript:alert(1)",
    "' onmouseover='alert(1)",
    "{{ 7 * 7 }}{% raw %}&lt;b&gt;\0\x0b\ufffe",
    "\ud800",
]


class Structure(HTMLParser):
    """The tags of a page with the names of their attributes, and addresses."""

    def __init__(self, html):
        super().__init__()
        self.found = Counter()
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.found[tag, *(name for name, _ in attributes)] += 1
        for name, value in attributes:
            if name in ("src", "href"):
                assert not re.match(r"\s*(javascript:|data:text)", value or "", re.I)

    def handle_comment(self, text):
        self.found["comment"] += 1


@pytest.mark.parametrize("name", MARKUP, ids=range(len(MARKUP)))
def test_names_and_titles_are_text_in_a_player(name):
    plain, animation = an_animation(), replace(an_animation(), pictures=(name, name))
    for title in (None, name):
        html = player_html(animation, la.Theme(), title=title)
        assert Structure(html).found == Structure(player_html(plain, la.Theme())).found
        html.encode()  # no surrogates
    assert Structure(animation._repr_html_()).found == Structure(plain._repr_html_()).found


def pages_of(folder, name, title):
    """The structure of each page of a gallery in which everything is called so."""
    output = f"{name.replace('/', '-')}.gif"

    def change(line):
        path = output if stays_inside(output) else "a.gif"
        outputs = [{"path": path, "bytes": 3, "sha256": None}]
        pictures = [{"path": name, "sha256": None}] * 2
        return {**line, "outputs": outputs, "pictures": pictures, "version": name, "sheet": None}

    sayable = name if name.encode("utf-8", "replace").decode() == name else "?"
    batch = a_batch(folder / "batch", change, pictures=[sayable, sayable])
    address = "https://a.example"
    assert build_gallery(batch, folder / "site", title=title, base_url=address).animations == 1
    ElementTree.parse(folder / "site/feed.xml")
    for script in [*folder.rglob("film.js"), folder / "site" / "animations.js"]:
        assert script.read_bytes().isascii()
    pages = sorted(folder.rglob("*.html"), key=lambda page: (page.name, len(page.parts)))
    structures = [Structure(page.read_text()).found for page in pages]
    for structure in structures:
        structure.pop(("span",), None)  # the command has one for each word
    return structures


@pytest.mark.parametrize("name", MARKUP, ids=range(len(MARKUP)))
def test_names_and_titles_are_text_in_a_gallery(tmp_path, name):
    # A title with control characters is refused: tests/test_curating.py.
    hostile = pages_of(tmp_path / "hostile", name, name if name.isprintable() else None)
    assert hostile == pages_of(tmp_path / "plain", "sun", None)
    assert len(hostile) == 3


@pytest.mark.parametrize("name", MARKUP, ids=range(len(MARKUP)))
def test_names_are_text_in_files(tmp_path, name):
    animation = replace(an_animation(), pictures=(name, name))
    animation.save(tmp_path / "a.webp", cell=3)
    with Image.open(tmp_path / "a.webp") as drawn:
        xmp = drawn.info["xmp"]
    said = ElementTree.fromstring(xmp).find(".//{*}li").text
    assert json.loads(said)["pictures"] == [name, name]
    for suffix in (".gif", ".apng"):
        animation.save(tmp_path / f"a{suffix}", cell=3)
        assert la.verify(tmp_path / f"a{suffix}").legal


# Terminals.

STEERS = "\x1b[31m\x1b]0;x\x07\x9b31m\u202e\r[bold]x[/link][/]\u2028"
NAME = STEERS.replace("/", "-")
CONTROLS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]")


def run_alone(*words, **options):
    words = [*PROGRAM, *words]
    return subprocess.run(words, capture_output=True, text=True, timeout=120, **options)


def toml(text):
    return json.dumps(text, ensure_ascii=True).replace("\x7f", "\\u007f")


@pytest.fixture
def mess(ramps, tmp_path):
    """Files whose names and contents steer terminals."""
    (tmp_path / f"{NAME}.png").write_bytes(ramps[0].read_bytes())
    (tmp_path / f"bad{NAME}.png").write_bytes(b"x")
    (tmp_path / f"{NAME}.txt").write_text("01\n11\n")
    (tmp_path / f"bad{NAME}.txt").write_text(f"01\n1{STEERS}\n")
    (tmp_path / f"{NAME}.json").write_bytes(signed(pictures=[STEERS, STEERS]))
    (tmp_path / "rule.json").write_bytes(signed(board={"rows": 3, "columns": 4, "rule": STEERS}))
    (tmp_path / "key.json").write_bytes(signed(board={STEERS: 3, "x" * 100_000: 3}))
    (tmp_path / "version.json").write_bytes(as_json({"format": "lightsanim", "version": STEERS}))
    (tmp_path / "origin.json").write_bytes(signed(origin={"program": STEERS, "sha256": [STEERS],
                                                          "settings": {}}))  # fmt: skip
    (tmp_path / "page.html").write_bytes(page(rule=STEERS))
    (tmp_path / "values.toml").write_text(
        f"[defaults]\npalette = {toml(STEERS)}\n[[animation]]\npictures = {toml(STEERS)}\n"
        f"output = {toml(STEERS)}\n{toml(STEERS)} = 3\n"
    )
    (tmp_path / "job.toml").write_text(
        f"[defaults]\nsize = 5\nduration = 0.2\n[[animation]]\n"
        f"pictures = [{toml(NAME + '.png')}, {toml(STEERS)}]\noutput = 'a.gif'\n"
    )
    a_batch(tmp_path / f"batch{NAME}", pictures=[STEERS, STEERS])
    return tmp_path


HOSTILE_WORDS = [
    ["make", STEERS, STEERS, "-o", "a.gif"],
    ["make", f"{NAME}.png", f"bad{NAME}.png", "-o", "a.gif"],
    ["make", f"{NAME}.png", f"{NAME}.png", "-o", f"{NAME}.gif", "--size", "16x16", "-v"],
    ["make", "right.png", "left.png", "-o", f"a.{NAME}"],
    ["make", "right.png", "left.png", "-o", f"no{STEERS}/a.gif"],
    ["make", "right.png", "left.png", "-o", "a.gif", "--fps", STEERS],
    ["make", "puzzle:queens:" + STEERS, "left.png", "-o", "a.gif"],
    ["render", f"{NAME}.json", "-o", f"{NAME}.gif", "--still", f"{NAME}.png"],
    *(["render", name, "-o", "a.gif"] for name in ("key.json", "rule.json", "version.json")),
    ["render", "origin.json", "-o", "a.gif"],
    *(["verify", name] for name in ("page.html", f"{NAME}.json", STEERS)),
    ["verify", f"{NAME}.json", "--targets", f"{NAME}.png", "--json"],
    ["solve", f"{NAME}.txt", f"{NAME}.png"],
    ["solve", f"bad{NAME}.txt"],
    ["board", "3x3", "--rule", "0" + STEERS],
    ["board", STEERS],
    ["pose", "3x3", "--clicks", "2", "-o", f"{NAME}.svg"],
    ["batch", STEERS, "-o", "out"],
    ["batch", "values.toml", "-o", "out"],
    ["batch", "job.toml", "-o", f"out{NAME}", "-v", "--workers", "1"],
    ["batch", "job.toml", "-o", "out", "--dask", STEERS],
    ["gallery", f"batch{NAME}", "-o", f"site{NAME}", "--title", STEERS],
    ["gallery", STEERS, "-o", "site"],
    ["puzzle", "queens", STEERS],
    ["puzzle", "ashes", f"bad{NAME}.txt"],
    [STEERS],
    ["make", f"--{STEERS}"],
]


@pytest.mark.usefixtures("mess")
@pytest.mark.parametrize("words", HOSTILE_WORDS, ids=range(len(HOSTILE_WORDS)))
def test_no_name_steers_a_terminal(run, words):
    status, out, err = run(*words)
    assert status in (0, 1, 2)
    assert not CONTROLS.search(out + err), ascii(out + err)
    assert "Traceback" not in err
    assert len(out + err) < 5000


@pytest.mark.long
def test_brackets_in_names_do_no_harm_to_what_shows_the_progress(mess):
    # Rich takes the output for a terminal, and shows what the searches tell.
    environment = {**os.environ, "FORCE_COLOR": "1", "TERM": "xterm"}
    one = ["make", f"{NAME}.png", "left.png", "-o", "a.gif", "--size", "23x23"]
    jobs = ["batch", "job.toml", "-o", "out", "-v", "--workers", "1"]
    for status, words in enumerate([one, jobs]):
        said = run_alone(*words, cwd=mess, env=environment)
        assert said.returncode == status, said.stderr
        assert "\x1b]0;x" not in said.stderr
        assert "\u202e" not in said.stderr


@pytest.mark.long
def test_a_terminal_of_few_letters_is_told_all_the_same(mess):
    an_animation().save(mess / "日本.json")
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    said = run_alone("verify", "日本.json", cwd=mess, env=environment)
    assert said.returncode == 0, said.stderr
    assert "\\u65e5" in said.stdout


def test_the_tests_can_fail():
    assert CONTROLS.search("\x9b")
    assert CONTROLS.search("a\u202eb")
    assert Structure("<b>x</b>").found != Structure("&lt;b>x").found
    with pytest.raises(ZeroDivisionError):
        replace(TARGETS["text"], read=lambda content: 1 // 0).try_(b"")


def test_what_is_changed_was_good(tmp_path):
    for suffix in (".gif", ".webp", ".apng", ".mp4", ".webm", ".html", ".json"):
        for content in TARGETS[f"verify {suffix[1:]}"].seeds():
            (tmp_path / f"a{suffix}").write_bytes(content)
            found = la.verify(tmp_path / f"a{suffix}")
            assert found.legal, found.reason
