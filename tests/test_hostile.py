"""Hostile input: whatever bytes come in, only our own errors come out.

And memory and time stay within bounds, no path leads out of a folder, and no name becomes markup or
steers a terminal.  The readers are in `fuzz.targets`; `make fuzz` tries many more on them.
"""

import json
import os
import re
import shutil
import struct
import subprocess
import sys
import traceback
import zlib
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import numpy as np
import pytest
from fuzz.mutation import as_json, byte_changes, film_in, png_of, signed, with_film, with_right_sums
from fuzz.targets import TARGETS, a_batch, an_animation, texts
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from tools import animated_files
from tools.animated_files import packed
from tools.films import SUFFIXES, document_of
from tools.program import PROGRAM
from tools.refusals import assert_refused

import lightsanim as la
from lightsanim.apps.batch.job_table import is_safe_output
from lightsanim.apps.gallery.site_folder import MAX_SLUG, slugify
from lightsanim.errors import AnimationError, OptionError
from lightsanim.film.origin import CONTROL_CHARACTERS, Origin
from lightsanim.game.board.rule import parse_rule
from lightsanim.game.relatives.ashes import load_clues
from lightsanim.options.values import RESERVED_NAMES
from lightsanim.output.formats.metadata import build_metadata
from lightsanim.output.formats.page import FILM_TAG, player_html


@pytest.mark.parametrize("times", [5, pytest.param(300, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", TARGETS)
def test_fuzzed_input_raises_only_own_errors(name, times):
    target = TARGETS[name]
    seeds, words = list(target.seeds()), [word.encode() for word in target.words]
    for content in seeds[:times]:
        target.try_(content)
    for number in range(times):
        rng = Random(number)
        noise = rng.randbytes(rng.randrange(40))
        content = rng.choice([*seeds, noise])
        for _ in range(rng.randint(1, 3)):
            content = target.changes(content, rng)
        for tried in (content, byte_changes(content, rng, words), noise):
            target.try_(tried)


# Bounds: small files that ask for much.


def saved(**members):
    return as_json(signed({**document_of(an_animation()), **members}))


def page(**members):
    html = player_html(an_animation(), la.Theme()).encode()
    return with_film(html, film_in(html) | members)


def png(*chunks):
    head = b"IHDR" + struct.pack(">IIBBBBB", 5, 5, 8, 0, 0, 0, 0)
    return png_of([head, *chunks, b"IDAT", b"IEND"])


def patched(content, kind, offset, value):
    """A file with another big-endian number at an offset behind a name."""
    start = content.index(kind) + 4 + offset
    return content[:start] + struct.pack(">I", value) + content[start + 4 :]


def bombs(folder):
    """Files by their names, whose first word says who reads them; none has more than 600 kB."""
    huge = {"rows": 10**9, "columns": 10**9, "rule": "cross", "wrap": False}
    torus = folder / "torus.gif"
    zeros = zlib.compress(bytes(60_000_000), 9)
    for suffix in (".mp4", ".apng"):
        an_animation().save(folder / f"film{suffix}", cell=12)
    mp4, apng = (folder / "film.mp4").read_bytes(), (folder / "film.apng").read_bytes()
    dense = "/".join(map("".join, np.random.default_rng(0).choice([*"01"], (99, 99))))
    board = la.Board(141, 141, rule=dense, wrap=True)  # one that only elimination solves
    clicks = [la.Clicks(np.array([5050]))]
    la.animate(board, np.ones(board.shape, bool), clicks, la.Timing()).save(torus, cell=1)
    return {
        "json-large.json": saved(board=huge),
        "json-deep-member.json": b'{"format": "lightsanim", "x": ' + b"[" * 100_000,
        "json-nan.json": saved(fps=float("nan")),
        "json-many-frames.json": saved(frames=[0] * 50_000 + [3]),
        "verify-page.html": page(**huge),
        "verify-page-deep.html": (FILM_TAG + "[" * 100_000).encode(),
        "json-wide.json": saved(board={"rows": 1, "columns": 4 * 10**8, "rule": "cross"}),
        "verify-elimination.gif": torus.read_bytes(),
        "verify-frames.apng": with_right_sums(patched(apng, b"acTL", 0, 2**31 - 1)),
        "verify-samples.mp4": patched(mp4, b"stsz", 8, 2**31 - 1),
        "verify-keys.mp4": patched(mp4, b"stss", -8, 12),  # a list without its count
        "verify-times.mp4": patched(mp4, b"stts", 8, 2**31 - 1),
        "verify-size.mp4": patched(mp4, b"stsd", 40, 0xFFF0FFF0),
        "verify-text.apng": png(b"zTXtComment\0\0" + zeros),
        "picture-text.png": png(b"zTXtComment\0\0" + zeros),
        "picture-profile.png": png(b"iCCPx\0\0" + zeros),
        "picture-pixels.png": png(b"IDAT" + zeros),
        "picture-large.gif": b"GIF89a\xff\xff\xff\xff\0\0\0",
        "picture-large.tif": b"II*\0\x08\0\0\0\xff\xff" + b"\0\1\4\0\xff\xff\xff\x7f" * 500,
        "text-lines.txt": b"\n" * 299_000 + b"0",
        "rule-ones.txt": b"1" * 290_001,
        "clues-digits.txt": b"9" * 290_000,
        **films(folder),
    }  # fmt: skip


# The side of the largest frames that are read.
WIDE = 6320
SIZE = WIDE, WIDE

LARGE = la.Theme(cell=WIDE // 4, gap=0, lit="white", unlit="black")
ALL = "/".join(["1" * 7] * 7)  # a click flips all of 4 x 4 cells


def film(count, side=4, rule=ALL, **timing):
    board, clicks = la.Board(side, side, rule=rule), np.zeros(count - 1, int)
    timing = {"clicks_per_frame": 1, "fps": 50, "hold_first": 0, "hold_last": 0, **timing}
    return la.animate(board, np.zeros(board.shape, bool), [la.Clicks(clicks)], la.Timing(**timing))


def webp(count):
    stills = [animated_files.webp_data(Image.new("RGB", SIZE, c)) for c in ("black", "white")]
    frames = [(0, 0, *SIZE, stills[number % 2], 0) for number in range(count)]
    text = escape(build_metadata(film(count, fps=10), LARGE).json_text)
    words = f"<dc:description><rdf:li>{text}</rdf:li></dc:description>".encode()
    return animated_files.webp(SIZE, frames, 0b110, b"XMP " + words)


def apng(count):
    """Pixels of one bit each."""
    text = build_metadata(film(count, fps=10), LARGE).json_text.encode()
    rows = [packed(np.full((WIDE, WIDE // 8), byte, np.uint8)) for byte in (0, 255)]
    frames = [(0, 0, *SIZE, rows[number % 2], 0, 0) for number in range(count)]
    chunks = [b"sRGB\0", b"tEXtComment\0" + text]
    return animated_files.apng(SIZE, frames, depth=1, kind=0, chunks=chunks)


def films(folder):
    """Animations of frames as large as may be: a few in each format, and as many as may be.

    The SVG is refused when 50 frames are read, which are as much work as a small file may ask for;
    `many.webp` is refused by its number of frames.
    """
    saved = {
        "most.svg": film(3000),
        "cells.json": film(30_000, 500, "plus"),
        "cells.html": film(30_000, 1200, "plus"),
        "few.mp4": film(3, hold_last=0.06),
        "few.webm": film(3, hold_last=0.06),
        "few.gif": film(4),
    }
    for name, animation in saved.items():
        width = {} if name.endswith(".json") else {"width": WIDE}
        animation.save(folder / name, gap=0, **width)
    film(4).save(folder / "stills", width=WIDE, gap=0)
    return {
        "verify-many.webp": webp(5000),
        "verify-few.webp": webp(4),
        "verify-few.apng": apng(4),
        **{f"verify-few/{png.name}": png.read_bytes() for png in (folder / "stills").iterdir()},
        **{f"verify-{name}": (folder / name).read_bytes() for name in saved},
    }


def read_and_shown(path):
    assert len(player_html(la.load_animation(path), la.Theme())) < 10_000_000


READERS = {
    "json": read_and_shown,
    "verify": la.verify,
    "picture": la.load_picture,
    "text": lambda path: TARGETS["text"].read(path.read_bytes()),
    "rule": lambda path: parse_rule(texts(path.read_bytes())),
    "clues": load_clues,
}


def read_all_bombs(folder):
    """Each in a process of its own: its status (0 without foreign errors), seconds, megabytes."""
    import resource

    for path in sorted(folder.iterdir()):
        child = os.fork()
        if child == 0:
            resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
            resource.setrlimit(resource.RLIMIT_CPU, (120, 120))
            try:
                with suppress(la.LightsAnimError):
                    READERS[path.name.split("-")[0]](path)
                os._exit(0)
            except BaseException:
                traceback.print_exc()
                os._exit(1)
        _, status, used = os.wait4(child, 0)
        seconds, megabytes = used.ru_utime + used.ru_stime, used.ru_maxrss // 1024
        print(json.dumps([path.name, status, seconds, megabytes]), flush=True)


@pytest.mark.long
def test_a_small_file_cannot_ask_for_much(tmp_path):
    files, seeds = tmp_path / "bombs", tmp_path / "seeds"
    files.mkdir()
    seeds.mkdir()
    contents = bombs(seeds)
    for name, content in contents.items():
        assert len(content) < 600_000
        (files / name).parent.mkdir(exist_ok=True)
        (files / name).write_bytes(content)
    call = "import pathlib, sys, test_hostile as t; t.read_all_bombs(pathlib.Path(sys.argv[1]))"
    words = [sys.executable, "-c", call, str(files)]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    done = subprocess.run(words, capture_output=True, text=True, timeout=900, env=environment)
    fates = [json.loads(line) for line in done.stdout.splitlines()]
    assert {name for name, *_ in fates} == {name.split("/")[0] for name in contents}, done.stderr
    for name, status, seconds, megabytes in fates:
        assert status == 0, f"{name}: {done.stderr}"
        assert megabytes < 1000, name
        assert seconds < (20 if "few" in name else 120), name  # on a slow computer


def test_a_film_of_too_many_frames_is_refused(tmp_path):
    film = replace(an_animation(), fps=1000.0, holds=((0, 86_400.0), (1, 86_400.0)))
    assert_refused(lambda: film.save(tmp_path / "a.mp4"), "172800004 1000000", OptionError)
    assert not list(tmp_path.iterdir())


@pytest.mark.long
def test_a_saved_animation_without_end_is_refused(tmp_path):
    (tmp_path / "a.json").symlink_to("/dev/zero")
    assert_refused(lambda: la.load_animation(tmp_path / "a.json"), "1000000000", AnimationError)


@given(st.one_of(st.text(max_size=30), st.text("./\\a~\0 ", max_size=12)))
def test_stays_inside_agrees_with_normpath(path):
    folder = Path("/some/where")
    if is_safe_output(path):
        target = Path(os.path.normpath(folder / path))
        assert folder in target.parents
        assert not any(part.startswith(".") for part in target.relative_to(folder).parts)


@given(
    st.one_of(st.text(max_size=80), st.sampled_from(["con", "NUL", "com1", "Lpt9", "aux.", "."]))
)
def test_a_slug_is_a_name_in_every_file_system(name):
    slug = slugify(name)
    assert re.fullmatch("([a-z0-9][a-z0-9-]*)?", slug)  # where it is empty, it is numbered
    assert not RESERVED_NAMES.fullmatch(slug)
    assert len(slug) <= MAX_SLUG + 2


MARKUP = [
    '"></script><script>alert(1)</script>',
    "]]><x>--><!--",
    "javascript:alert(1)",
    "' onmouseover='alert(1) {{ 7 * 7 }}{% raw %}&lt;b&gt;\0\x0b\ufffe",
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


EACH_NAME = pytest.mark.parametrize("name", MARKUP, ids=range(len(MARKUP)))


@EACH_NAME
def test_names_and_titles_are_text_in_a_player(name):
    plain, animation = an_animation(), replace(an_animation(), pictures=(name, name))
    for title in (None, CONTROL_CHARACTERS.sub("", name)):
        origin = Origin(program="1", settings={}, sha256=(None, None), label=la.Label(title=title))
        html = player_html(replace(animation, origin=origin), la.Theme())
        assert Structure(html).found == Structure(player_html(plain, la.Theme())).found
        html.encode()  # no surrogates
    assert Structure(animation._repr_html_()).found == Structure(plain._repr_html_()).found


def pages_of(folder, name, title):
    """The structure of each page of a gallery in which everything is called so."""
    output = f"{name.replace('/', '-')}.gif"

    def change(line):
        path = output if is_safe_output(output) else "a.gif"
        outputs = [{"path": path, "bytes": 3, "sha256": None}]
        pictures = [{"path": name, "sha256": None}] * 2
        return {**line, "outputs": outputs, "pictures": pictures, "version": name, "sheet": None}

    picture = name if name.encode("utf-8", "replace").decode() == name else "?"
    batch = a_batch(folder / "batch", change, pictures=[picture, picture])
    address = "https://a.example"
    assert la.build_gallery(batch, folder / "site", title=title, base_url=address).animations == 1
    ElementTree.parse(folder / "site/feed.xml")
    for script in [*folder.rglob("film.js"), folder / "site" / "animations.js"]:
        assert script.read_bytes().isascii()
    pages = sorted(folder.rglob("*.html"), key=lambda page: (page.name, len(page.parts)))
    structures = [Structure(page.read_text()).found for page in pages]
    for structure in structures:
        structure.pop(("span",), None)  # the command has one for each word
    return structures


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    return pages_of(tmp_path_factory.mktemp("plain"), "sun", None)


@EACH_NAME
def test_names_and_titles_are_text_in_a_gallery(plain, tmp_path, name):
    # A title with control characters is refused: tests/apps/gallery/test_curating.py.
    assert pages_of(tmp_path, name, name if name.isprintable() else None) == plain
    assert len(plain) == 4


@pytest.mark.parametrize(
    "change",
    [
        {"settings": {"boomerang": True}},  # half of a record of 1.0
        {"theme": {"clicks_panel": "total", "show_clicks": 5}},
        {"outputs": [{"path": "a.html", "bytes": 3, "own": {"language": "SECRET"}}]},
        {"outputs": [{"path": "a.gif", "bytes": 3, "own": {"cell": "1 --overwrite"}}]},
    ],
    ids=repr,
)
def test_results_of_a_stranger_raise_only_own_errors_and_read_no_file(tmp_path, change):
    secret = tmp_path / "secret.toml"
    secret.write_text('player.play = "Geheim"')
    members = json.loads(json.dumps(change).replace("SECRET", str(secret)))
    batch = a_batch(tmp_path / "batch", lambda line: {**line, "sheet": None, **members})
    with suppress(la.LightsAnimError):
        la.build_gallery(batch, tmp_path / "site")
    assert not [path for path in tmp_path.rglob("site/**/*.html") if "Geheim" in path.read_text()]


@EACH_NAME
def test_names_are_text_in_files(tmp_path, name):
    animation = replace(an_animation(), pictures=(name, name))
    animation.save(tmp_path / "a.webp", cell=3)
    with Image.open(tmp_path / "a.webp") as image:
        xmp = image.info["xmp"]
    text = ElementTree.fromstring(xmp).find(".//{*}li").text
    assert json.loads(text)["pictures"] == [name, name]
    for suffix in (".gif", ".apng"):
        animation.save(tmp_path / f"a{suffix}", cell=3)
        assert la.verify(tmp_path / f"a{suffix}").legal


STEERS = "\x1b[31m\x1b]0;x\x07\x9b31m\u202e\r[bold]x[/link][/]\u2028"
NAME = STEERS.replace("/", "-")
CONTROLS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]")


def run_alone(*words, **options):
    words = [*PROGRAM, *words]
    return subprocess.run(words, capture_output=True, text=True, timeout=120, **options)


def toml(text):
    return json.dumps(text, ensure_ascii=True).replace("\x7f", "\\u007f")


@pytest.fixture(scope="module")
def steering(tmp_path_factory):
    folder = tmp_path_factory.mktemp("steering")
    picture = Image.linear_gradient("L").resize((24, 16))
    for name in (NAME, "right"):
        picture.save(folder / f"{name}.png")
    picture.transpose(Image.Transpose.ROTATE_180).save(folder / "left.png")
    contents = {
        f"bad{NAME}.png": b"x",
        f"{NAME}.txt": b"01\n11\n",
        f"bad{NAME}.txt": f"01\n1{STEERS}\n".encode(),
        f"{NAME}.json": saved(pictures=[STEERS, STEERS]),
        "rule.json": saved(board={"rows": 3, "columns": 4, "rule": STEERS}),
        "key.json": saved(board={STEERS: 3, "x" * 100_000: 3}),
        "version.json": as_json({"format": "lightsanim", "version": STEERS}),
        "origin.json": saved(origin={"program": STEERS, "sha256": [STEERS], "settings": {}}),
        "page.html": page(rule=STEERS),
        "values.toml": f"[defaults]\npalette = {toml(STEERS)}\n[[animation]]\npictures = "
        f"{toml(STEERS)}\noutput = {toml(STEERS)}\n{toml(STEERS)} = 3\n".encode(),
        "job.toml": "[defaults]\nsize = 5\nduration = 0.2\n[[animation]]\noutput = 'a.gif'\n"
        f"pictures = [{toml(NAME + '.png')}, {toml(STEERS)}]\n".encode(),
    }
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    a_batch(folder / f"batch{NAME}", pictures=[STEERS, STEERS])
    return folder


@pytest.fixture
def mess(steering, tmp_path):
    return shutil.copytree(steering, tmp_path, dirs_exist_ok=True)


HOSTILE_WORDS = [
    ["make", STEERS, STEERS, "-o", "a.gif"],
    ["make", f"{NAME}.png", f"{NAME}.png", "-o", f"{NAME}.gif", "--size", "16x16"],
    *(["make", "right.png", "left.png", "-o", to] for to in (f"a.{NAME}", f"no{STEERS}/a.gif")),
    ["make", "right.png", "left.png", "-o", "a.gif", "--fps", STEERS],
    ["make", "right.png", "left.png", "-o", f"{NAME}.gif", "--size", "16x16", "--max-bytes", "2kB"],
    ["render", f"{NAME}.json", "-o", f"{NAME}.gif", "--still", f"{NAME}.png"],
    *(["render", name, "-o", "a.gif"] for name in ("key.json", "rule.json", "version.json")),
    ["render", "origin.json", "-o", "a.gif"],
    *(["verify", name] for name in ("page.html", STEERS)),
    ["verify", f"{NAME}.json", "--targets", f"{NAME}.png", "--json"],
    ["solve", f"{NAME}.txt", f"{NAME}.png"],
    ["solve", f"bad{NAME}.txt"],
    ["board", "3x3", "--rule", "0" + STEERS],
    ["pose", "3x3", "--clicks", "2", "-o", f"{NAME}.svg"],
    ["batch", STEERS, "-o", "out"],
    ["batch", "values.toml", "-o", "out"],
    ["batch", "job.toml", "-o", f"out{NAME}", "--workers", "1"],
    pytest.param(["batch", "job.toml", "-o", "out", "--dask", STEERS], marks=pytest.mark.long),
    ["gallery", f"batch{NAME}", "-o", f"site{NAME}", "--title", STEERS],
    ["puzzle", "queens", STEERS],
    ["puzzle", "ashes", f"bad{NAME}.txt"],
    *([STEERS], ["make", f"--{STEERS}"]),
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
def test_progress_bar_escapes_brackets_in_names(mess):
    # Rich takes the output for a terminal, and shows what the searches tell.
    environment = {**os.environ, "FORCE_COLOR": "1", "TERM": "xterm"}
    film = ["make", f"{NAME}.png", "left.png", "-o", "a.gif", "--size", "23x23"]
    jobs = ["batch", "job.toml", "-o", "out", "--workers", "1"]
    for status, words in enumerate([film, jobs]):
        result = run_alone(*words, cwd=mess, env=environment)
        assert result.returncode == status, result.stderr
        assert "\x1b]0;x" not in result.stderr
        assert "\u202e" not in result.stderr


@pytest.mark.long
def test_ascii_terminal_output_is_escaped(mess):
    an_animation().save(mess / "日本.json")
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    result = run_alone("verify", "日本.json", cwd=mess, env=environment)
    assert result.returncode == 0, result.stderr
    assert "\\u65e5" in result.stdout


def test_hostile_checks_can_fail():
    assert CONTROLS.search("\x9b")
    assert CONTROLS.search("a\u202eb")
    assert Structure("<b>x</b>").found != Structure("&lt;b>x").found
    with pytest.raises(ZeroDivisionError):
        replace(TARGETS["text"], read=lambda content: 1 // 0).try_(b"")


def test_fuzz_seeds_are_legal(tmp_path):
    for suffix in filter(None, SUFFIXES):
        for content in TARGETS[f"verify {suffix[1:]}"].seeds():
            (tmp_path / f"a{suffix}").write_bytes(content)
            verification = la.verify(tmp_path / f"a{suffix}")
            assert verification.legal, verification.reason
