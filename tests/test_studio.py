"""The studio's server: what it makes is what the commands make, and it answers nobody else."""

import asyncio
import contextlib
import http.client
import io
import json
import re
import shlex
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tracemalloc
import zipfile
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import attrs
import numpy as np
import program
import pytest
from clips import beeps, clip, curtain
from PIL import Image
from program import probed
from starlette.responses import Response
from studios import awaited, requested, studio

import lightsanim as la
from lightsanim.batch.manifest import load_manifest
from lightsanim.look.theme import Theme
from lightsanim.options.table import OWN, Settings, plain_value
from lightsanim.studio.album import Album
from lightsanim.studio.form import form
from lightsanim.studio.guard import Guard
from lightsanim.studio.server import Studio, app_of

SAMPLES = Path(__file__).parents[1] / "samples"
FACE, SKULL = SAMPLES / "face.png", SAMPLES / "skull.png"


@pytest.fixture(scope="module")
def temporary(tmp_path_factory):
    """Where the studio's folder lies."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("temporary")
        patch.setenv("TMPDIR", str(folder))
        yield folder


@pytest.fixture(scope="module")
def page(temporary):
    with studio() as visitor:
        yield visitor
    assert visitor.process.returncode == 0
    assert not any(temporary.iterdir())  # when all tests have dropped and saved


@pytest.fixture(scope="module")
def pair(page):
    return page.drop(FACE), page.drop(SKULL)


def film(pair, own=({}, {}), **options):
    pictures = [{"id": id, "own": some} for id, some in zip(pair, own, strict=True)]
    return {"pictures": pictures, "options": {"size": "20x16", "seed": 3, **options}}


def pixels_of(answer):
    return np.array(Image.open(io.BytesIO(answer.body)).convert("RGB"))


# What it makes.

FILMS = {
    "wipe": {
        "own": ({"crop": "10%,5%,90%,85%", "detail": 2}, {"invert": True, "gamma": 1.25}),
        "order": "sweep",
        "hold_last": 0.5,
        "look": {"palette": "amber", "shape": "circle", "width": 200},
    },
    "dissolve": {
        "own": ({"focus": "45%,30%,1.5"}, {"autocontrast": False}),
        "transition": "dissolve",
        "levels": 3,
        "cycle": True,
        "look": {"lit": "gold", "unlit": "#102030", "canvas": "200x150", "mark": "red"},
    },
}


@pytest.mark.parametrize("name", ["wipe", pytest.param("dissolve", marks=pytest.mark.long)])
def test_what_the_words_make_is_what_is_saved_byte_for_byte(name, page, pair, tmp_path):
    options = dict(FILMS[name])
    own, look = options.pop("own"), options.pop("look")
    formats = [".gif", ".html", ".json", ".png"]
    body = {**film(pair, own, **options), "look": look, "formats": formats, "name": "it's"}
    body["outputs"] = {"sheet_frames": 3}
    saved = page.saved(body)
    assert set(saved) == {f"it-s{suffix}" for suffix in formats}
    words = page.post("words", body).json
    for picture in (FACE, SKULL):
        (tmp_path / picture.name).write_bytes(picture.read_bytes())

    command, *rest = shlex.split(words["command"])
    assert command == "lightsanim"
    ran = program.run(*rest, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert {path.name: path.read_bytes() for path in tmp_path.glob("it-s*")} == saved

    for path in tmp_path.glob("it-s*"):
        path.unlink()
    with contextlib.chdir(tmp_path):
        exec(words["python"], {})
    made = {path.name: path.read_bytes() for path in tmp_path.glob("it-s*")}
    assert made == {name: content for name, content in saved.items() if name != "it-s.png"}

    (tmp_path / "manifest.toml").write_text(words["manifest"])
    (job,) = load_manifest(tmp_path / "manifest.toml").jobs
    assert set(job.files) == set(saved)
    if name == "wipe":
        return  # a batch starts another process
    ran = program.run("batch", "manifest.toml", "-o", "out", cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    made = {path.name: path.read_bytes() for path in (tmp_path / "out").glob("it-s*")}
    assert made == saved


@pytest.mark.long
def test_a_clip_is_dropped_shown_and_saved_with_its_sound(page, pair, tmp_path, monkeypatch):
    path = clip(tmp_path / "curtain.mp4", curtain(20), sound=beeps(2))
    id = page.drop(path)
    known = {p["id"]: p for p in page.get("pictures").json["pictures"]}[id]
    assert (known["kind"], known["fps"], known["seconds"]) == ("clip", 10, 2)
    thumbs = [page.get(f"pictures/{id}/thumb?at={at}") for at in (0, 1, 99)]
    assert [pixels_of(thumb).shape for thumb in thumbs] == [(24, 32, 3)] * 3
    assert thumbs[1].body != thumbs[0].body == thumbs[2].body
    assert page.post("film", {"pictures": [{"id": id}], "options": {"size": 8}}).status == 200

    formats = [".gif", ".mp4", ".json"]
    # Blue noise, as a film with a clip has it, unless told otherwise.
    body = {**film((id, pair[0]), ({"start": 0.5, "invert": True}, {})), "formats": formats}
    body["name"] = "film"
    saved = page.saved(body)
    shutil.copy(FACE, tmp_path)
    ran = program.run(*shlex.split(page.post("words", body).json["command"])[1:], cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert {name: (tmp_path / name).read_bytes() for name in saved} == saved
    kinds = [s["codec_type"] for s in probed(tmp_path / "film.mp4", "stream=codec_type")["streams"]]
    assert kinds == ["video", "audio"]
    monkeypatch.chdir(tmp_path)
    made = la.load_animation("film.json")
    for index, asked in enumerate(made.targets):
        look = {"lit": "white", "unlit": "black"}
        target = page.post("target", {**body, "index": index, "look": look})
        assert (pixels_of(target)[..., 0] > 0).tolist() == asked.tolist()

    late = page.post("film", film((id, pair[0]), ({"start": 99}, {}))).json
    assert late["error"] == "curtain.mp4: 99 seconds lie beyond its end, after 2"
    assert late["picture"] == id
    assert page.post("film", {"pictures": [{"id": pair[0]}]}).status == 400
    assert page.ask("DELETE", f"pictures/{id}").status == 204


def test_words_name_only_what_differs_from_the_defaults(page, pair):
    words = page.post("words", {**film(pair, detail=1.5), "look": {"gap": None}}).json
    assert words["command"] == (
        "lightsanim make face.png skull.png -o face-skull.gif --size 20x16 --seed 3"
    )


def test_a_target_is_that_of_the_film_and_its_wrong_cells_are_shown(page, pair):
    # 5x5 has quiet patterns (OEIS A075462), so a configuration in 4 only can be reached.
    body = {**film(pair, size="5x5"), "look": {"lit": "white", "unlit": "black"}}
    made = page.post("film", body).json
    for index, picture in enumerate(made["report"]["pictures"]):
        plain = page.post("target", {**body, "index": index})
        found = page.post("target", {**body, "index": index, "wrong": True})
        before, after = (pixels_of(answer) for answer in (plain, found))
        assert before.shape == (5, 5, 3)
        assert (before != after).any(axis=2).sum() == picture["wrong"]
        assert set(np.unique(before)) <= {0, 255}


def test_the_form_has_every_option_of_the_table():
    listed = [option for group in form(1)["groups"] for option in group["options"]]
    names = [option["name"] for option in listed]
    fields = [*attrs.fields(Settings), *attrs.fields(Theme)]
    assert sorted(names) == sorted([f.name for f in fields] + ["max_bytes", "sheet_frames"])
    assert {option["name"] for option in listed if option["own"]} == set(OWN) - {"fps"}
    usual = {field.name: plain_value(field.default) for field in fields}
    for option in listed:
        assert option["default"] == usual.get(option["name"], option["default"])
        kind, default = option["kind"], option["default"]
        if kind == "flag":
            assert default in (True, False, None)
        if kind == "choice" and default is not None:
            assert default in option["choices"]
        if kind in ("number", "whole") and default is not None:
            assert option["from"] <= default <= option["to"]
    json.dumps(form(1), allow_nan=False)


def test_bad_options_are_one_line_and_name_the_option(page, pair):
    crop = {"crop": "0,0,9999,9999"}
    for body, about, picture in (
        (film(pair, detail="much"), "detail", None),
        (film(pair, serpentine=True, dither="bayer"), "serpentine", None),
        (film(pair, own=({}, {"gamma": 0})), "gamma", pair[1]),
        (film(pair, own=(crop, {})), "crop", pair[0]),
        ({**film(pair), "look": {"lit": "wite"}}, "lit", None),
        ({**film(pair), "look": {"colour": "red"}}, "colour", None),
        ({"pictures": [{"id": pair[0]}]}, None, None),
        ([], None, None),
    ):
        answer = page.post("film", body)
        assert answer.status == 400, answer.body
        said = answer.json
        assert (said["about"], said["picture"]) == (about, picture), said
        assert "\n" not in said["error"]
    assert page.post("film", b"{").status == page.post("film", b"[" * 100_000).status == 400


def test_an_option_is_blamed_for_what_it_is_and_not_for_words_of_the_message(page, pair):
    # Messages say "cell", "at most" and "bayer", which are an option, another one, and a picture.
    bayer = page.drop(SKULL, "bayer.png")
    own = {"serpentine": True}, {"serpentine": False}
    for body, about, picture in (
        (film(pair, size="1x1", transition="sketch"), "size", None),
        (film((pair[0], bayer), own, dither="bayer"), "serpentine", pair[0]),
    ):
        said = page.post("film", body).json
        assert (said["about"], said["picture"]) == (about, picture), said
    for more, about in (
        ({"outputs": {"max_bytes": "10B"}}, "max_bytes"),
        (film(pair, hold_first=700), None),  # the last one may be as long, or both together
        ({"look": {"canvas": "10x10"}}, "canvas"),
    ):
        save = page.post("save", {**film(pair), "formats": [".gif"], **more}).json["save"]
        said = json.loads(page.get(f"saves/{save}/events").body.decode().split("data: ")[-1])
        assert (said["about"], said["picture"]) == (about, None), said
    page.ask("DELETE", f"pictures/{bayer}")


def test_of_many_changes_the_last_is_shown(page, pair):
    # Each of them would take the better part of its time limit of 30 seconds.
    slow = [film(pair, size="120x120", transition="sketch", seed=seed) for seed in range(6)]
    quick = film(pair)
    with ThreadPoolExecutor(len(slow) + 1) as threads:
        begun = []
        for body in [*slow, quick]:
            begun.append(threads.submit(page.post, "film", {**body, "slot": "B"}))
            page.get("options")  # in this order
        statuses = [answer.result().status for answer in begun]
    assert statuses == [409] * len(slow) + [200]


@pytest.mark.long
def test_the_work_is_there_again_and_opens_from_a_file(page, pair, temporary):
    state = {"order": list(pair), "own": {pair[0]: {"detail": 2}}, "note": "ü"}
    assert page.ask("PUT", "work", state).status == 204
    assert page.get("work").json == state
    file = page.get("work/file")
    assert "attachment" in file.headers["Content-Disposition"]
    with studio() as other:
        other.drop(SKULL, "face.png")  # makes room, with its name
        opened = other.post("work/file", file.body).json
        ids = [picture["id"] for picture in opened["pictures"]]
        assert [picture["name"] for picture in opened["pictures"]] == ["face.png", "skull.png"]
        assert opened["work"] == {"order": ids, "own": {ids[0]: {"detail": 2}}, "note": "ü"}
        assert other.get("work").json == opened["work"]
        assert other.get(f"pictures/{ids[1]}/file").body == SKULL.read_bytes()
        for hostile in (b"PK", hostile_work("../../x.png"), hostile_work("pictures/none")):
            assert other.post("work/file", hostile).status == 422
        assert other.get("work").json == opened["work"]


def opened_in(folder):
    """A studio in this process that can do all for which it needs no workers."""
    return Studio(album=Album(folder), turns=None, saves=None)


@pytest.mark.long
def test_a_work_is_kept_without_being_held_in_memory(tmp_path):
    large = 30_000_000

    async def zeros():
        for _ in range(large // 100_000):
            yield bytes(100_000)

    async def kept():
        studio = opened_in(tmp_path)
        studio.album.add(await studio.album.receive("large.png", zeros()))
        tracemalloc.start()
        answer = await requested(app_of(studio), "GET", "/work/file")
        return answer, tracemalloc.get_traced_memory()[1]

    try:
        (status, size), peak = awaited(kept())
    finally:
        tracemalloc.stop()
    assert (status, size // large) == (200, 1)
    assert peak < large / 4
    assert len(list(tmp_path.iterdir())) == 1  # the picture


def test_others_are_answered_while_a_work_is_opened(tmp_path):
    # The first picture is large, and the second is not there.
    content = hostile_work("large", "none", large=bytes(20_000_000))

    async def opened():
        app, answered = app_of(opened_in(tmp_path)), 0
        opening = asyncio.create_task(requested(app, "POST", "/work/file", content))
        while not opening.done():
            under_way = any(tmp_path.glob("*.picture"))
            status, _ = await requested(app, "GET", "/work")
            answered += under_way and status == 200
            await asyncio.sleep(0)
        return opening.result()[0], answered

    status, answered = awaited(opened())
    assert status == 422
    assert answered > 0
    assert not any(tmp_path.iterdir())


def hostile_work(*names, large=b""):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("large", large)
        pictures = [{"id": "1", "name": "../../etc/passwd", "file": name} for name in names]
        work = {"lightsanim": 1, "pictures": pictures, "state": None}
        archive.writestr("work.json", json.dumps(work))
        archive.writestr("../../x.png", "no picture")
    return file.getvalue()


# Who else asks.


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": None}, 403),
        ({"Origin": "http://127.0.0.1"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Host": "evil.example"}, 421),
        ({"Host": "127.0.0.1"}, 421),
        ({"Host": "127.0.0.1.evil.example:{port}"}, 421),
    ],
    ids=str,
)
def test_other_sites_get_one_line(headers, status, page, pair):
    sent = {name: value and value.format(port=page.port) for name, value in headers.items()}
    for method, path in (("POST", "film"), ("DELETE", f"pictures/{pair[0]}"), ("PUT", "work")):
        answer = page.ask(method, path, film(pair), headers=sent)
        assert answer.status == status
        assert set(answer.json) == {"error", "about", "picture"}
    assert page.get(f"pictures/{pair[0]}/thumb").status == 200


def test_paths_are_not_guessed(page):
    token = page.token
    roots = ["", "/", f"/{token[:-1]}/", f"/{token}x/", f"/{token.upper()}/", "//"]
    roots += [f"/x/../{token}/", "http://evil.example/"]
    for root in roots:
        answer = page.get("options", root=root)
        assert answer.status in (404, 421), root
        assert token.encode() not in answer.body
    assert page.get("", root=f"/{token}").headers["Location"] == f"/{token}/"
    for path in ("static/../server.py", "static/%2e%2e/server.py", "static//etc/passwd", "x"):
        answer = page.get(path)
        assert answer.status == 404
        assert str(SAMPLES.parent).encode() not in answer.body


def test_every_answer_has_its_headers(page, pair):
    player = f"films/{page.post('film', film(pair)).json['film']}/player"
    for path in ("options", f"pictures/{pair[0]}/thumb", "nothing", player):
        headers = page.get(path).headers
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert "Access-Control-Allow-Origin" not in headers
    assert "sandbox" in page.get(player).headers["Content-Security-Policy"]


def test_at_port_80_the_page_may_ask_without_naming_it():
    # Browsers leave the port of the scheme out of Host and Origin: https://url.spec.whatwg.org/#origin
    def status(host, origin):
        guard = Guard(Response(), "token", 80)
        return awaited(requested(guard, "POST", "/token/x", host=host, origin=origin))[0]

    assert status("127.0.0.1", "http://127.0.0.1") == 200
    assert status("localhost", "http://localhost") == 200
    assert status("127.0.0.1", "http://localhost") == 403
    assert status("evil.example", "http://evil.example") == 421


# What is dropped.


def files_in(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file())


def dropped_in(folder):
    return sorted(folder.rglob("*.picture"))


def bomb():
    """A PNG of 100 000 x 100 000 pixels, in a few hundred bytes."""

    def chunk(kind, content):
        body = kind + content
        return struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body))

    size = struct.pack(">IIBBBBB", 100_000, 100_000, 8, 0, 0, 0, 0)
    data = zlib.compress(bytes(100_000))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", size) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def test_what_is_no_picture_leaves_nothing_behind(page, pair, temporary):
    before = files_in(temporary)
    for content in (b"", b"no picture", b"GIF89a", FACE.read_bytes()[:100], bomb()):
        answer = page.post("pictures?name=x.png", content)
        assert answer.status == 422
        assert str(temporary) not in answer.json["error"]
        assert "\n" not in answer.json["error"]
    assert files_in(temporary) == before
    assert len(page.get("pictures").json["pictures"]) == len(pair)


def test_too_much_is_refused_before_it_has_come(page, temporary):
    before = files_in(temporary)
    for path, said in (("pictures?name=x", 2_000_000_000), ("film", 2_000_000), ("film", -1)):
        answer = page.ask("POST", path, headers={"Content-Length": str(said)})
        assert answer.status == (413 if said > 0 else 400), said
    connection = http.client.HTTPConnection("127.0.0.1", page.port)
    chunks = (b" " * 100_000 for _ in range(50))
    with contextlib.suppress(ConnectionError):
        connection.request("POST", f"/{page.token}/film", chunks, {"Origin": page.origin})
    assert connection.getresponse().status == 413
    connection.close()
    assert files_in(temporary) == before


def test_names_are_only_labels(page):
    names = {
        "../../etc/<b>wd.png": "<b>wd.png",
        "<img src=x onerror=alert(1)>.png": "<img src=x onerror=alert(1)>.png",
        "puzzle:abbott:8": "./puzzle:abbott:8",
        "-o\x1b[31m.png": "-o-[31m.png",
    }
    ids = [page.drop(FACE, name) for name in names]
    known = {p["id"]: p["name"] for p in page.get("pictures").json["pictures"]}
    assert [known[id] for id in ids] == list(names.values())
    for body in (film(ids[:2]), film(ids[2:])):
        player = page.get(f"films/{page.post('film', body).json['film']}/player").body
        assert b"<img src=x" not in player
        assert b"<b>wd" not in player
        saved = page.saved({**body, "formats": [".json"]})
        assert all(re.fullmatch(r"[\w.\[\]() =@-]+\.json", file) for file in saved)
    one, two = page.drop(FACE, "image.png"), page.drop(SKULL, "image.png")
    known = {p["id"]: p["name"] for p in page.get("pictures").json["pictures"]}
    assert (known[one], known[two]) == ("image.png", "image-2.png")
    for id in (*ids, one, two):
        assert page.ask("DELETE", f"pictures/{id}").status == 204


def test_connections_that_break_off_do_no_harm(page, pair, temporary):
    before = dropped_in(temporary)
    body = json.dumps(film(pair, size="100x100")).encode()
    for path, content, length in (
        ("pictures?name=x.png", FACE.read_bytes()[:1000], 10**6),
        ("film", body, len(body)),
        ("film", body[:10], len(body)),
    ):
        with socket.create_connection(("127.0.0.1", page.port)) as connection:
            head = f"POST /{page.token}/{path} HTTP/1.1\r\nHost: 127.0.0.1:{page.port}\r\n"
            head += f"Origin: {page.origin}\r\nContent-Length: {length}\r\n\r\n"
            connection.sendall(head.encode() + content)
    save = page.post("save", {**film(pair), "formats": [".gif"]}).json["save"]
    with socket.create_connection(("127.0.0.1", page.port)) as connection:
        head = f"GET /{page.token}/saves/{save}/events HTTP/1.1\r\nHost: 127.0.0.1:{page.port}"
        connection.sendall(f"{head}\r\n\r\n".encode())
    assert page.get(f"saves/{save}/events").body.endswith(b"\n\n")
    assert page.ask("DELETE", f"saves/{save}").status == 204
    assert page.get(f"saves/{save}/face-skull.gif").status == 404
    assert page.post("film", film(pair)).status == 200
    assert dropped_in(temporary) == before


@pytest.mark.long
def test_many_requests_at_once_are_answered_or_refused(page, pair):
    body = json.dumps(film(pair)).encode()
    head = f"POST /{page.token}/words HTTP/1.1\r\nHost: 127.0.0.1:{page.port}\r\n"
    head += f"Origin: {page.origin}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    with contextlib.ExitStack() as stack:
        each = (socket.create_connection(("127.0.0.1", page.port)) for _ in range(200))
        open_ones = [stack.enter_context(one) for one in each]
        for one in open_ones:
            one.sendall(head.encode())  # and the body when all are there
        for one in open_ones:
            with contextlib.suppress(ConnectionError):
                one.sendall(body)
        statuses = [int(one.makefile("rb").readline().split()[1]) for one in open_ones]
    assert set(statuses) == {200, 503}
    assert page.get("options").status == 200


@pytest.mark.long
def test_the_page_is_served_where_the_package_lies_under_a_link(tmp_path):
    (tmp_path / "lightsanim").symlink_to(Path(la.__file__).parent)
    with studio(cwd=tmp_path) as visitor:  # `python -m` finds it there first
        for path in ("", "static/studio.js", "static/wall.css"):
            assert visitor.get(path).status == 200
        assert visitor.get("static/../server.py").status == 404


# How it ends.


@pytest.mark.long
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_nothing_is_left_when_it_has_ended(how, temporary):
    before = set(temporary.iterdir())
    with studio(f"{FACE}@invert", SKULL) as visitor:
        pictures = visitor.get("pictures").json["pictures"]
        assert [picture["name"] for picture in pictures] == ["face.png", "skull.png"]
        assert [picture["own"] for picture in pictures] == [{"invert": True}, {}]
        pair = [picture["id"] for picture in pictures]
        visitor.saved({**film(pair), "formats": [".gif"]})
        assert set(temporary.iterdir()) != before
        visitor.process.send_signal(how)
        assert visitor.process.wait(20) == (-how if how == signal.SIGKILL else 0)
        # The workers hold the other end of standard error, and clear up before they end.
        assert visitor.process.stderr.read() == ""
    assert set(temporary.iterdir()) == before


def begun(*words, folder):
    """A studio that ends at once.  In this process others may have left an event loop."""
    command = [*program.PROGRAM, "studio", "--no-browser", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


@pytest.mark.long
def test_what_cannot_begin_says_so_in_one_line(tmp_path):
    (tmp_path / "x.png").write_text("no picture")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        for words, line in (
            (["none.png"], "cannot read none.png: No such file or directory"),
            (["--port", port], f"cannot listen at port {port}: it is in use; leave out --port"),
            (["--port", "70000"], "port must be a whole number from 1 to 65535, not 70000"),
        ):
            assert begun(*words, folder=tmp_path).stderr == f"lightsanim: {line}\n"
    ran = begun("x.png", folder=tmp_path)
    assert ran.returncode == 1
    assert "\nlightsanim: cannot read x.png: it is not a picture or clip" in ran.stderr


def test_without_its_server_it_says_how_to_get_one(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    line = "lightsanim: the studio needs its server: pip install 'lightsanim[studio]'\n"
    assert run("studio") == (1, "", line)
