"""Every reader of bytes from outside, by name.

A target gets bytes, and may raise a `LightsAnimError` and nothing else; `Target.try_` lets those
pass.  Some look at more: that nothing was written elsewhere, that no name became markup.
"""

import atexit
import io
import json
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import chain, islice
from pathlib import Path
from random import Random
from unittest import mock

import numpy as np
from PIL import Image
from tools.clips import pictures_of
from tools.films import FRAMES, document_of
from tools.written import ROOT

import lightsanim as la
from fuzz.mutation import (
    CANARY,
    as_json,
    byte_changes,
    film_changes,
    film_in,
    json_changes,
    page_changes,
    signed,
    signed_changes,
    with_text,
)
from lightsanim.apps.batch.batch_folder import sha256_of_output
from lightsanim.film.origin import Origin
from lightsanim.game.board.rule import RULES, parse_rule
from lightsanim.game.board.text import decode_text, is_board_text
from lightsanim.game.relatives.ashes import parse_clues, solve_ashes
from lightsanim.options.records import options_to_json_object
from lightsanim.options.values import to_size
from lightsanim.output.formats.metadata import build_metadata
from lightsanim.output.formats.page import player_html
from lightsanim.pictures.clip import Clip
from lightsanim.pictures.load import load_source
from lightsanim.web.templating import valid_utf8

# Bytes: what is larger takes long, and finds little.
SMALL, LARGE = 2000, 20_000

# Pixels of pictures and films, so that each takes no time.
MAX_PIXELS = 20_000


@dataclass(frozen=True)
class Target:
    read: Callable[[bytes], None]  # and checks what comes of it
    seeds: Callable[[], Iterable[bytes]]  # that are valid, or nearly so
    changes: Callable[[bytes, Random], bytes] = byte_changes  # that come past the first checks
    words: tuple[str, ...] = ()  # that such bytes hold
    largest: int = SMALL  # in bytes

    def try_(self, content: bytes) -> None:
        """Read bytes; the errors that the library raises for bad input, each one line, are fine."""
        message = ""
        try:
            self.read(content)
        except la.LightsAnimError as error:
            message = str(error)
        assert "\n" not in message


@cache
def scratch() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="fuzz-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def a_file(content: bytes, name: str) -> Path:
    path = scratch() / name
    path.write_bytes(content)
    return path


def a_folder(name: str) -> Path:
    """A new one, empty, alone in a folder."""
    shutil.rmtree(scratch() / name, ignore_errors=True)
    folder = scratch() / name / "inside"
    folder.mkdir(parents=True)
    return folder


few_pixels = partial(mock.patch.object, Image, "MAX_IMAGE_PIXELS", MAX_PIXELS)


def texts(content: bytes) -> str:
    return content.decode("utf-8", "surrogateescape")


def check_no_markup(html: str) -> None:
    assert "<xss" not in html
    assert CANARY not in html
    assert not re.search(r"""(href|src)=["']?javascript:""", html)


@cache
def animations() -> list[la.Animation]:
    """A plain one, one in colour, one round a torus, and one with quiet patterns."""
    kinds = [("plus", False, 1), ("king", False, 3), ("000/110/000", True, 1), ("cross", False, 1)]
    return [*(an_animation(*kind) for kind in kinds), an_animation(rows=4, clicks_per_frame=2)]


def an_animation(rule="plus", wrap=False, boards=1, rows=3, clicks_per_frame=1):
    board, rng = la.Board(rows, 4, rule=rule, wrap=wrap), np.random.default_rng(0)
    first = rng.random((3, *board.shape) if boards == 3 else board.shape) < 0.5
    if board.nullity:
        first = board.toggles(first)  # which can be reached
    clicks = np.array([5, 0, 11])
    primaries = np.array([1, 7, 2], np.uint8) if boards == 3 else None
    settings = options_to_json_object(la.Settings(size="4x3", seed=3, rule=rule, wrap=wrap))
    timing = la.Timing(clicks_per_frame=clicks_per_frame, fps=10, hold_first=0.3, hold_last=0.2)
    facts = {"pictures": ("<b>sun</b>" + "n" * 200, "moon"), "targets": (first, ~first), "seed": 3}
    origin = Origin(program="0.1.0", settings=settings, sha256=("0" * 64, None))
    return la.animate(board, first, [la.Clicks(clicks, primaries)], timing, **facts, origin=origin)


def documents() -> list[bytes]:
    """Saved animations: one of version 1.0, one with half of such a record, one with a look."""
    old = (ROOT / "tests/goldens/1.0.0.json").read_bytes()
    members = document_of(an_animation())
    look = {"palette": "amber", "lit": "#ffd700", "show_clicks": "right-total"}
    others = [
        {"origin": {**members["origin"], "settings": {"boomerang": True, "dither": "bayer4"}}},
        {"look": look},
    ]
    changed = [as_json(signed({**members, **other})) for other in others]
    return [old, *changed, *(as_json(document_of(animation)) for animation in animations())]


@cache
def films(suffix: str) -> list[bytes]:
    folder = a_folder("films")
    contents = []
    for number, animation in enumerate(animations()):
        path = folder / f"{number}{suffix}"
        look = {"cell": 12, "mark": "red"} if suffix in (".mp4", ".webm") else {"cell": 3}
        animation.save(path, gap=1, **look)
        contents += [(path / "00000.png" if path.is_dir() else path).read_bytes()]
    return contents


@cache
def film_pages() -> list[bytes]:
    """Pages of all kinds: with names or a title, framed, waiting, and one of puzzles."""
    looks = [{}, {"palette": "paper"}, {"cell": 5, "gap": 2, "mark": "red"}, {"shape": "circle"}]
    kinds, titled = [{}, {"framed": True}, {"flashes": True}], la.Label(title="A & <b>")
    origin = Origin(program="1", settings={}, sha256=(None, None), label=titled)
    films = [*animations(), replace(animations()[0], origin=origin)]
    return [
        player_html(animation, la.Theme(**looks[number % 4]), **kinds[number % 3]).encode()
        for number, animation in enumerate(films)
    ] + [player_html(a_puzzle(5), la.Theme(), puzzle=True, series=[a_puzzle(0, 4)]).encode()]


def a_puzzle(*clicks):
    """An animation to the dark board."""
    board, cells = la.Board(3, 3), np.array(clicks)
    start = np.zeros((3, 3), bool)
    board.flip(start, cells)
    return la.animate(board, start, [la.Clicks(cells)], la.Timing())


def read_text(content: bytes) -> None:
    text = decode_text(content)
    if text is not None:
        is_board_text(text)
        with suppress(la.LightsAnimError):
            assert la.read_board(text, 5).max() < 5
        board = la.read_board(text)
        assert board.ndim == 2
        assert board.size <= len(content)


def read_rule(content: bytes) -> None:
    text = texts(content)
    with suppress(la.LightsAnimError):
        assert len(str(to_size(text))) < 20
    rule = parse_rule(text)
    assert parse_rule(rule.name) == rule
    board = la.Board(4, 5, rule=text, wrap=len(text) % 2 == 0)
    board.toggles(np.ones(board.shape, bool))
    assert 0 <= board.nullity <= board.cells


def read_document(content: bytes) -> None:
    animation = la.load_animation(a_file(content, "saved.json"))
    if animation.board.cells <= 10_000:
        assert animation.durations().sum() > 0
        assert build_metadata(animation, la.Theme(cell=1)).json_text.isascii()
        check_no_markup(player_html(animation, la.Theme()))
    if animation.board.cells <= 400:
        la.save_still(animation.first, scratch() / "out.svg", cell=2)
        for suffix in ("gif", "apng"):
            with suppress(la.LightsAnimError):
                animation.save(scratch() / f"out.{suffix}", cell=1)


def verify_file(suffix: str, content: bytes) -> None:
    with few_pixels():
        verified(a_file(content, f"film{suffix}"))


def verified(path: Path) -> None:
    if path.suffix == ".svg":
        with suppress(la.LightsAnimError):
            la.load_animation(path)
    # Saved animations say how a picture is dithered that is compared with them.
    targets = [np.linspace(0, 1, 48).reshape(6, 8)] if path.suffix == ".json" else []
    try:
        assert la.verify(path, targets=targets).frames >= 0
    except la.LightsAnimError as error:
        if "says nothing of its board" in str(error):
            la.verify(path, size="4x3")


def verify_folder(content: bytes) -> None:
    folder = a_folder("frames")
    (folder / "00000.png").write_bytes(content)
    (folder / "00001.png").write_bytes(content)
    with few_pixels():
        verified(folder)


# What may be another in a film, and the rest of its page the same.
FREE = {"first", "clicks", "primaries", "frames", "fps", "holds", "loop", "palette", "dot", "shape",
        "gap", "pictures", "origin", "sha256"}  # fmt: skip


def verify_page(content: bytes) -> None:
    """A page that is legal is one of the seeds, but for what its film may freely say."""
    if la.verify(a_file(content, "page.html")).legal:
        film = film_in(content)
        similar = [film_in(seed) for seed in film_pages() if with_text(seed, film) == content]
        assert any({name for name in film if film[name] != o.get(name)} <= FREE for o in similar)


def read_picture(content: bytes) -> None:
    file = la.PictureFile(path="p", content=content)
    with few_pixels():
        picture = la.load_picture(file, rgb=len(content) % 2 == 1)
        assert picture.light.size <= 6 * MAX_PIXELS


def read_clip(content: bytes) -> None:
    with few_pixels():
        own = {"at": 0.1} if len(content) % 3 == 0 else {}
        opened = load_source(la.Source(la.PictureFile(path="p", content=content), **own))
        frames = pictures_of(opened, 30) if isinstance(opened, Clip) else iter([opened])
        for frame in islice(frames, 12):
            assert frame.light.size <= 3 * MAX_PIXELS


def read_game(content: bytes) -> None:
    with few_pixels():
        path = str(a_file(content, "start"))
        game = la.load_game(path, "off", None if len(content) % 2 else "5x4")
        assert game.board.cells == game.configurations[0].size


def read_clues(content: bytes) -> None:
    clues = parse_clues(content.decode("utf-8-sig", "replace"))
    if clues.size <= 400:
        for kind in ("sum", "slope"):
            solve_ashes(clues, kind)


def read_gallery(content: bytes) -> None:
    """Names of pictures, and a title, that end up in pages."""
    document = None
    with suppress(ValueError, RecursionError):  # it is no JSON
        document = json.loads(content)
    match document:
        case {"pictures": [str(), str()] as names, "title": str(title)}:
            folder = a_folder("gallery")
            batch = a_batch(folder / "batch", pictures=[*map(valid_utf8, names)])
            with suppress(la.LightsAnimError):
                la.build_gallery(batch, folder / "site", title=title)
            assert {path.name for path in folder.iterdir()} <= {"batch", "site"}
            for page in folder.rglob("*.html"):
                check_no_markup(page.read_text())


def a_batch(folder: Path, change=lambda line: line, **members) -> Path:
    """A batch of one animation, whose result and animation say something else."""
    line = change(a_result())
    own = folder / ".lightsanim"
    own.mkdir(parents=True)
    saved = own / f"{line['id']}.json"
    saved.write_bytes(as_json(signed({**document_of(an_animation()), **members})))
    for output in line["outputs"]:
        path = folder / output["path"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x" * output["bytes"])
        output["sha256"] = sha256_of_output(path)
    line["kept"] = sha256_of_output(saved)
    (folder / "results.jsonl").write_bytes(as_json(line) + b"\n")
    return folder


def text_seeds():
    return [b"010\n111\n", b"0 1\r\n1 0\r\n", b"\xef\xbb\xbf#.\n.#", "01\n".encode("utf-16")]


@cache
def pictures() -> list[bytes]:
    Image.init()
    contents, modes = [], ("RGB", "L", "RGBA", "P", "1", "I;16", "CMYK", "F")
    rng = np.random.default_rng(0)
    for format in sorted(Image.SAVE):
        # An icon of a Mac has a million pixels, whatever its mode.
        for mode in modes[:1] if format == "ICNS" else modes:
            pixels = Image.fromarray(rng.integers(0, 255, (6, 7), np.uint8)).convert("L")
            content = io.BytesIO()
            with suppress(Exception):  # not every format takes every mode
                pixels.convert(mode).save(content, format)
                if 0 < len(content.getvalue()) < LARGE:
                    contents.append(content.getvalue())
    return contents


def a_result() -> dict:
    picture = {"path": "a", "wrong": 0, "bound": 0, "status": "optimal"}
    move = {"clicks": 3, "bound": 3, "status": "optimal"}
    film = an_animation()
    times = {"frames": len(film), "fps": film.fps, "duration": float(film.durations().sum())}
    pictures = [{"path": "<b>.png", "sha256": "1" * 64}, {"path": "b.png", "sha256": None}]
    outputs = [
        {"path": "x/sun.gif", "bytes": 5, "own": {"cell": 4}},
        {"path": "s.png", "bytes": 2, "own": {"frames": 9}},
    ]
    return {
        "id": "0" * 64, "version": "0.1.0", "pictures": pictures, "outputs": outputs, "kept": None,
        "settings": options_to_json_object(la.Settings(size="4x3", seed=3)),
        "theme": {"palette": "ink", "lit": "gold"},
        "sheet": "s.png", "canvas": "60x60", "seconds": 0.5, "tries": 1, "error": None,
        "report": {"pictures": [picture] * 2, "moves": [move], "board": {"nullity": 0}, **times},
    }  # fmt: skip


FILM_WORDS = ("!\xfe", "!\xf9\x04", "NETSCAPE2.0", "IHDR", "acTL", "fcTL", "fdAT", "tEXt", "zTXt",
              "iTXt", "iCCP", "tRNS", "PLTE", "VP8X", "ANIM", "ANMF", "XMP ", "moov", "stsz",
              "stts", "mdat", "trak")  # fmt: skip
PLAIN = {"pictures": ["<b>", "moon"], "title": "A & B"}
NAMES = partial(map, as_json, (PLAIN, {"pictures": ["\udcff", "../x"], "title": "\0"}))
OF_FILMS = {"changes": film_changes, "words": FILM_WORDS, "largest": LARGE}
FILMS = tuple(filter(None, FRAMES))

TARGETS: dict[str, Target] = {
    "text": Target(read_text, text_seeds, words=("0", "1", "#", ".", "\ufeff")),
    "rule": Target(
        read_rule,
        lambda: [*map(str.encode, RULES), b"000/110/000", b"1", b"60x40", b"111/000/111"],
        words=("010/111/010", "/", "0", "1", "x"),
    ),
    "document": Target(read_document, documents, signed_changes, largest=LARGE),
    "gallery": Target(read_gallery, NAMES, json_changes, words=("<b>", "</")),
    "clues": Target(read_clues, lambda: [b"1 -2\n3, 4\n", b"4 6 4\n5 9 7\n4 6 5"]),
    "game": Target(read_game, lambda: [*text_seeds(), *pictures()[::9]], largest=LARGE),
    "picture": Target(read_picture, pictures, **OF_FILMS),
    "clip": Target(read_clip, lambda: list(chain(*map(films, FILMS))), **OF_FILMS),
    "verify json": Target(partial(verify_file, ".json"), documents, signed_changes, largest=LARGE),
    "verify html": Target(verify_page, film_pages, page_changes, largest=2 * LARGE),
    "verify folder": Target(verify_folder, partial(films, ""), film_changes, FILM_WORDS),
}
for suffix in (*FILMS, ".svg"):
    reader, seeds = partial(verify_file, suffix), partial(films, suffix)
    TARGETS[f"verify {suffix[1:]}"] = Target(reader, seeds, **OF_FILMS)
