"""The studio's server: what it makes is what the commands make, and it answers nobody else."""

import asyncio
import io
import json
import os
import re
import shlex
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time
import tomllib
import tracemalloc
import zipfile
import zlib
from contextlib import ExitStack, chdir, closing, suppress
from functools import partial
from inspect import isawaitable
from itertools import product
from multiprocessing import active_children
from pathlib import Path

import attrs
import numpy as np
import pytest
from fuzz.mutation import png_of
from PIL import Image
from starlette.responses import Response
from tools import program
from tools.clips import animated, beeps, clip, curtain
from tools.program import probed
from tools.refusals import assert_refused
from tools.studios import awaited, requested, running_loop, studio

import lightsanim as la
from lightsanim.apps.studio import jobs
from lightsanim.apps.studio.album import Album, Upload, UploadedFile
from lightsanim.apps.studio.guard import Invitation, RequestGuard
from lightsanim.apps.studio.option_form import build_form
from lightsanim.apps.studio.requests import MAX_FILE_BYTES, RefusedError
from lightsanim.apps.studio.run import find_network_address, run_studio
from lightsanim.apps.studio.saves import SaveJobs
from lightsanim.apps.studio.server import Studio, build_app
from lightsanim.errors import OutputError
from lightsanim.options.outputs import OUTPUT_OPTIONS
from lightsanim.options.records import to_json_value
from lightsanim.options.settings import PER_PICTURE
from lightsanim.system.processes import Worker, WorkerDiedError, stop_workers

SAMPLES = Path(__file__).parents[3] / "samples"
FACE, SKULL = SAMPLES / "face.png", SAMPLES / "skull.png"


@pytest.fixture(scope="module")
def temporary(tmp_path_factory):
    """The folder that holds the studio's."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("temporary")
        patch.setenv("TMPDIR", str(folder))
        yield folder


@pytest.fixture(scope="module")
def page(temporary):
    with studio(f"{FACE}@invert", SKULL) as visitor:
        yield visitor
    assert visitor.process.returncode == 0
    assert not any(temporary.iterdir())  # when all tests have dropped and saved


@pytest.fixture(scope="module")
def pair(page):
    """The pictures of the command line, once they are read."""
    pictures = page.get("pictures").json["pictures"]
    for picture, path, own in zip(pictures, (FACE, SKULL), ({"invert": True}, {}), strict=True):
        with Image.open(path) as image:
            facts = dict(zip(("width", "height"), image.size, strict=True))
        facts |= {"name": path.name, "own": own, "kind": "still", "seconds": None, "fps": None}
        assert picture == {"id": picture["id"], **facts}
    return tuple(picture["id"] for picture in pictures)


def film(pair, own=({}, {}), **options):
    pictures = [{"id": id, "own": some} for id, some in zip(pair, own, strict=True)]
    return {"pictures": pictures, "options": {"size": "20x16", "seed": 3, **options}}


def pixels_of(answer):
    return np.array(Image.open(io.BytesIO(answer.body)).convert("RGB"))


# Films and their files.

FILMS = {
    "wipe": (
        (
            {"crop": "10%,5%,90%,85%", "detail": 2},
            {"invert": True, "gamma": 1.25, "focus": "45%,30%,1.5"},
        ),
        {"order": "sweep", "hold_last": 0.5},
        {"palette": "amber", "shape": "circle", "width": 200},
    ),
    "dissolve": (
        ({"focus": "45%,30%,1.5"}, {"autocontrast": False}),
        {"transition": "dissolve", "levels": 3, "ending": "cycle"},
        {"lit": "gold", "unlit": "#102030", "canvas": "200x150", "mark": "red"},
    ),
    "automaton": (({"gamma": 1.25},), {"transition": "automaton", "size": "48x40", "steps": 8}, {}),
}
LONG = (pytest.param(name, marks=pytest.mark.long) for name in ("dissolve", "automaton"))


@pytest.mark.parametrize("name", ["wipe", *LONG])
def test_snippets_make_the_saved_files_byte_for_byte(name, page, pair, tmp_path):
    own, options, look = FILMS[name]
    formats = [".gif", ".html", ".json", ".svg", "-sheet.svg"]
    body = {**film(pair[: len(own)], own, **options), "look": look, "formats": formats}
    body["outputs"] = {"frames": 3, "numbers": True}
    saved = page.saved(body)
    stem = "-".join(["face", "skull"][: len(own)])
    assert set(saved) == {f"{stem}{suffix}" for suffix in formats}
    words = page.post("words", body).json
    for path in (FACE, SKULL):
        shutil.copy(path, tmp_path)
    if name == "wipe":
        (tmp_path / "film.json").write_bytes(saved[f"{stem}.json"])
        for index, target in enumerate(la.load_animation(tmp_path / "film.json").targets):
            colours = {"look": {"lit": "white", "unlit": "black"}}
            pixels = pixels_of(page.post("target", {**body, **colours, "index": index}))
            assert (pixels[..., 0] > 0).tolist() == target.tolist()

    def pop_files(folder):
        paths = [path for path in folder.iterdir() if path.name in saved]
        contents = {path.name: path.read_bytes() for path in paths}
        for path in paths:
            path.unlink()
        return contents

    command, *rest = shlex.split(words["command"])
    result = program.run(*rest, cwd=tmp_path)
    assert (command, result.returncode) == ("lightsanim", 0), result.stderr
    assert pop_files(tmp_path) == saved

    with chdir(tmp_path):
        exec(words["python"], {})
    assert pop_files(tmp_path) == {name: saved[name] for name in saved if "sheet" not in name}

    (tmp_path / "manifest.toml").write_text(words["manifest"])
    (job,) = la.load_manifest(tmp_path / "manifest.toml").jobs
    assert set(job.files) == set(saved)
    if name == "wipe":
        return  # a batch starts another process
    result = program.run("batch", "manifest.toml", "-o", "out", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert pop_files(tmp_path / "out") == saved


def test_one_of_three_pictures_is_what_the_clicks_draw(page, pair, tmp_path):
    eye = page.drop(FACE.with_name("eye.png"))
    options = {"size": "10x8", "time_limit": 1e-9, "clicks_picture": "eye.png"}
    body = {**film((pair[0], eye, pair[1]), ({},) * 3, **options), "formats": [".json"]}
    (saved,) = page.saved(body).values()
    for path in (FACE, SKULL, FACE.with_name("eye.png")):
        shutil.copy(path, tmp_path)
    with chdir(tmp_path):
        exec(page.post("words", body).json["python"], {})
        assert saved in [path.read_bytes() for path in Path().glob("*.json")]
    assert la.load_animation(saved).pictures == ("face", "skull")
    other_file = {**body, "options": {**options, "clicks_picture": str(FACE)}}
    assert page.post("film", other_file).json["about"] == "clicks_picture"
    assert page.ask("DELETE", f"pictures/{eye}").status == 204


@pytest.mark.long
def test_clip_is_uploaded_shown_and_saved_with_sound(page, pair, tmp_path):
    path = clip(tmp_path / "curtain.mp4", curtain(20), sound=beeps(2))
    id = page.drop(path)
    assert page.post("film", {"pictures": [{"id": id}], "options": {"size": 8}}).status == 200

    formats = [".gif", ".mp4", ".json"]
    # Blue noise, as a film with a clip has it, unless told otherwise.
    body = {**film((id, pair[0]), ({"start": 0.5, "invert": True}, {})), "formats": formats}
    saved = page.saved(body)
    shutil.copy(FACE, tmp_path)
    result = program.run(*shlex.split(page.post("words", body).json["command"])[1:], cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    # The encoders of video may write the same frames in other bytes.
    (tmp_path / "saved.mp4").write_bytes(saved.pop("curtain-face.mp4"))
    assert {name: (tmp_path / name).read_bytes() for name in saved} == saved
    video = tmp_path / "curtain-face.mp4"
    animation = la.load_animation(video.with_suffix(".json"))
    clicks, saved_clicks = (la.verify(path).clicks for path in (video, tmp_path / "saved.mp4"))
    assert clicks == saved_clicks == animation.count
    kinds = [stream["codec_type"] for stream in probed(video, "stream=codec_type")["streams"]]
    assert kinds == ["video", "audio"]
    for index, cells in enumerate(animation.targets):
        look = {"lit": "white", "unlit": "black"}
        target = page.post("target", {**body, "index": index, "look": look})
        assert (pixels_of(target)[..., 0] > 0).tolist() == cells.tolist()

    late = page.post("film", film((id, pair[0]), ({"start": 99}, {}))).json
    assert (late["picture"], "99 s " in late["error"]) == (id, True)
    assert page.ask("DELETE", f"pictures/{id}").status == 204


def test_a_draft_differs_from_its_film_in_the_seam_alone(page, pair, temporary):
    body = film(pair, order="contour", seed=5)
    films = [page.post("film", {**body, "draft": draft}).json for draft in (True, False, True)]
    assert [answer["draft"] for answer in films] == [True, False, False]  # the last one is stored
    players = [page.get(f"films/{answer['film']}/player").body for answer in films]
    assert (players[0] != players[1], players[1] == players[2]) == (True, True)
    clicks, frames = ([answer["report"][name] for answer in films] for name in ("moves", "frames"))
    assert [moves[0]["clicks"] for moves in clicks] == [clicks[1][0]["clicks"]] * 3
    assert frames == [frames[1]] * 3
    for file in temporary.rglob("film-*.solved"):  # as if newer films had taken its place
        file.unlink()
    assert page.post("film", {**body, "look": {"lit": "red"}}).status == 200
    plain = film(pair, order="random")  # has no seam
    assert not page.post("film", {**plain, "draft": True}).json["draft"]


def test_film_of_words_is_titled_by_names_and_records_words(page, tmp_path):
    contents = {"face.webp": page.get("samples/face").body, "text:HI": b"text:HI"}
    ids = [page.post(f"pictures?name={name}", bits).json["id"] for name, bits in contents.items()]
    body = {**film(ids), "formats": [".json"]}
    [(name, content)] = page.saved(body).items()
    (tmp_path / name).write_bytes(content)
    animation = la.load_animation(tmp_path / name)
    assert (name, animation.pictures) == ("face-HI.json", ("face", "HI"))
    assert animation.origin.words == ("sample:face", "text:HI")
    assert " sample:face text:HI " in page.post("words", body).json["command"]
    for id in ids:
        assert page.ask("DELETE", f"pictures/{id}").status == 204


@pytest.mark.parametrize(
    ("own", "options"),
    [
        ({"crop": "0,0,50%,50%"}, {}),
        ({"focus": "0%,0%,2"}, {}),
        *(({}, options) for options in ({"fit": "stretch"}, {"rgb": True}, {"backdrop": "red"})),
    ],
)
def test_target_and_film_follow_what_changes_the_light(page, pair, tmp_path, own, options):
    pixels = np.random.default_rng(0).integers(0, 256, (60, 90, 4), np.uint8)
    Image.fromarray(pixels).save(tmp_path / "noise.png")
    id = page.drop(tmp_path / "noise.png")
    both = id, pair[0]
    plain, changed = film(both, size="10x8"), film(both, (own, {}), size="10x8", **options)
    targets = [page.post("target", body).body for body in (plain, changed, plain)]
    assert targets[0] == targets[2] != targets[1]
    reports = [page.post("film", body).json["report"] for body in (plain, changed)]
    assert reports[0]["moves"][0]["clicks"] != reports[1]["moves"][0]["clicks"]
    page.ask("DELETE", f"pictures/{id}")


def test_target_of_a_clip_moves_with_its_start(page, tmp_path):
    id = page.drop(animated(tmp_path / "curtain.gif", curtain(20), 100))
    facts = {p["id"]: p for p in page.get("pictures").json["pictures"]}[id]
    assert (facts["kind"], facts["fps"], facts["seconds"]) == ("clip", 10, 2)
    light = [pixels_of(page.get(f"pictures/{id}/thumb?at={at}")).mean() for at in (0, 0.5, 1)]
    assert light == sorted(set(light))
    for own, columns in (({}, 3), ({"start": 0.5}, 13), ({"start": 1}, 23), ({"at": 0.5}, 13)):
        body = film((id,), (own,), size="32x24", fit="stretch", dither="threshold")
        target = pixels_of(page.post("target", {**body, "look": {"unlit": "black"}}))
        assert target.any(axis=2).sum() == columns * 24, own  # white in that frame of the curtain
    assert page.ask("DELETE", f"pictures/{id}").status == 204


def test_target_marks_as_many_wrong_cells_as_the_film_reports(page, pair):
    # 5x5 has quiet patterns (OEIS A075462), so a configuration in 4 only can be reached.
    body = {**film(pair, size="5x5"), "look": {"lit": "white", "unlit": "black"}}
    report = page.post("film", body).json["report"]
    for index, picture in enumerate(report["pictures"]):
        plain = page.post("target", {**body, "index": index})
        marked = page.post("target", {**body, "index": index, "wrong": True})
        plain_pixels, marked_pixels = (pixels_of(answer) for answer in (plain, marked))
        assert plain_pixels.shape == (5, 5, 3)
        assert (plain_pixels != marked_pixels).any(axis=2).sum() == picture["wrong"]
        assert set(np.unique(plain_pixels)) <= {0, 255}


def test_a_picture_s_own_backdrop_is_behind_it(page, tmp_path):
    logo = Image.new("LA", (40, 32), (0, 0))
    logo.paste((0, 255), (10, 8, 30, 24))
    logo.save(tmp_path / "logo.png")
    id = page.drop(tmp_path / "logo.png")
    colour_counts = []
    for own in ({}, {"backdrop": "black"}):
        body = film((id, id), ({}, own), dither="threshold")
        answer = page.post("target", {**body, "index": 1})
        colour_counts.append(np.unique(pixels_of(answer)).size)
    assert colour_counts == [2, 1]  # black on white, and nothing on black
    assert page.ask("DELETE", f"pictures/{id}").status == 204


def test_the_form_has_every_option_of_the_table():
    options = [option for group in build_form(1)["groups"] for option in group["options"]]
    fields = [*attrs.fields(la.Settings), *attrs.fields(la.Theme)]
    offered = [field for field in fields if not field.metadata["hidden"]]
    defaults = {field.name: to_json_value(field.default) for field in offered}
    of_files = {"max_bytes", "mute", "frames", "columns", "numbers"}
    sizes = {"width", "cell", "canvas"}
    names = [option["name"] for option in options]
    assert sorted(names) == sorted([*defaults, *of_files])
    assert {option["name"] for option in options if option["own"]} == set(PER_PICTURE) - {"fps"}
    for option in options:
        kind, default = option["kind"], option["default"]
        assert default == defaults.get(option["name"], default)
        assert option["look"] == (option["name"] in attrs.fields_dict(la.Theme))
        assert option["output"] == (option["name"] in of_files)
        # Sizes also shape the board, so they do not depend on the chosen formats.
        is_shared = option["name"] not in OUTPUT_OPTIONS or option["name"] in sizes
        assert (option["formats"] is None) == is_shared
        if default is not None and kind == "choice":
            assert default in option["choices"]
        elif default is not None and kind in ("number", "whole"):
            assert option["from"] <= default <= option["to"]
    flags = ("of_clips", "not_of_clips", "not_of_one_clip", "advanced", "transitions")
    rows = {
        "start": (True, False, False, False, None),
        "order": (False, False, True, False, ("wipe", "sketch")),
        "ending": (False, False, True, False, None),
        "rule": (False, False, False, True, None),
    }
    flags_by_name = {option["name"]: tuple(option[flag] for flag in flags) for option in options}
    assert {name: flags_by_name[name] for name in rows} == rows
    takers = {option["name"]: option["formats"] for option in options}
    assert takers["wiring"] == [".h", ".ino", ".wled"]
    assert takers["columns"] == [".png", "-sheet.svg", ".pdf"]
    json.dumps(build_form(1), allow_nan=False)


def test_invalid_option_errors_name_option_and_picture(page, pair):
    # Messages say "cell", "at most" and "bayer", which are an option, another one, and a picture.
    bayer = page.drop(SKULL, "bayer.png")
    odd = {}, {"dither": "zigzag"}
    for body, option, picture in (
        (film(pair, detail="much"), "detail", None),
        (film((bayer, pair[0]), odd, dither="bayer"), "dither", pair[0]),
        (film(pair, size="1x1", transition="sketch"), "size", None),
        (film(pair, own=({"crop": "0,0,9999,9999"}, {})), "crop", pair[0]),
        ({**film(pair), "look": {"lit": "wite"}}, "lit", None),
    ):
        answer = page.post("film", body)
        error = answer.json
        assert (answer.status, error["about"], error["picture"]) == (400, option, picture), error
        assert "\n" not in error["error"]
    for members, option in (
        ({"outputs": {"max_bytes": "10B"}}, "max_bytes"),
        (film(pair, hold_first=700), None),  # the last one may be as long, or both together
        ({"look": {"canvas": "10x10"}}, "canvas"),
    ):
        save = page.post("save", {**film(pair), "formats": [".gif"], **members}).json["save"]
        error = json.loads(page.get(f"saves/{save}/events").body.decode().split("data: ")[-1])
        assert (error["about"], error["picture"]) == (option, None), error
    page.ask("DELETE", f"pictures/{bayer}")


def has_started(page, films):
    """How far films are, once one of them is."""
    while not (progress := page.get("films/progress").json):
        pass
    return set(progress) == films


def test_target_is_drawn_while_many_saves_run(page, pair):
    slow = {**film(pair, size="120x120", transition="sketch"), "formats": [".gif"]}
    saves = [page.post("save", slow).json["save"] for _ in range(5)]
    assert page.post("target", film(pair)).status == 200
    for id in reversed(saves):
        with closing(page.begin("GET", f"saves/{id}/events")) as connection:
            events = connection.getresponse()
            assert events.readline() == b"event: progress\n"
            assert page.ask("DELETE", f"saves/{id}").status == 204
            assert b'event: failed\ndata: {"error": "the save was cancelled"' in events.read()


@pytest.mark.posix
def test_newer_film_cancels_only_the_previous_of_its_slot(page, pair):
    # It would take the better part of its time limit of 30 seconds.
    slow = {**film(pair, size="120x120", transition="sketch")}
    with closing(page.begin("POST", "film", slow)) as old:
        assert has_started(page, {"A"})
        for slot, headers in (("B", {}), ("A", {"X-Page": "b"})):
            assert page.post("film", {**film(pair), "slot": slot}, headers=headers).status == 200
        assert has_started(page, {"A"})
        assert page.get("films/progress", headers={"X-Page": "b"}).json == {}
        with closing(page.begin("POST", "film", slow)) as newer:
            assert old.getresponse().status == 409
            assert has_started(page, {"A"})
            if sys.platform != "linux":
                return
            pids = Path(f"/proc/{page.process.pid}/task").glob("*/children")
            for pid in "".join(path.read_text() for path in pids).split():
                os.kill(int(pid), signal.SIGKILL)
            assert newer.getresponse().status == 500
    while page.post("film", film(pair)).status == 500:
        pass  # a worker that died is found out by its next job


def test_job_given_to_a_dying_worker_raises():
    before = set(active_children())
    worker = Worker(time.sleep, 0)
    [process] = set(active_children()) - before
    process.kill()
    for _ in range(2):  # just as it dies, and later
        assert isinstance(worker.submit(print).exception(20), WorkerDiedError)
        process.join()
    assert not worker.is_alive()
    stop_workers([worker])


@pytest.mark.parametrize(
    ("fit", "size", "crop", "part"),
    [
        # Of 200 x 100 pixels 100 x 50, and of these what a square shows.
        ("stretch", "8x8", "50,20,150,70", (25, 20, 75, 70)),
        ("contain", "8x8", "50,20,150,70", (25, 20, 75, 70)),
        ("cover", "8x8", "50,20,150,70", (37.5, 20, 62.5, 70)),
        ("cover", "16x4", "50,20,150,70", (25, 32.5, 75, 57.5)),
        ("auto", "8x8", "50,20,150,70", (37.5, 20, 62.5, 70)),
        ("auto", "8x8", None, (0, -50, 100, 150)),  # a drawing on a plain ground: all of it
    ],
)
def test_target_part_is_sent_in_percent(page, tmp_path, fit, size, crop, part):
    pixels = np.random.default_rng(1).integers(0, 256, (100, 200), np.uint8)
    if crop is None:
        pixels[:] = 255
        pixels[40:60, 10:190] = 0
    Image.fromarray(pixels).save(tmp_path / "x.png")
    id = page.drop(tmp_path / "x.png")
    body = {"pictures": [{"id": id, "own": {"crop": crop}}], "options": {"size": size, "fit": fit}}
    edges = page.post("target", body).headers["X-Part"]
    assert tuple(map(float, edges.split(","))) == part
    page.ask("DELETE", f"pictures/{id}")


def test_a_thumb_is_small_and_looks_like_its_picture(page, pair, temporary, tmp_path):
    with Image.open(FACE) as picture:
        large = picture.convert("RGB").resize((1200, 300))
    large.save(tmp_path / "large.png")
    id = page.drop(tmp_path / "large.png")
    thumb, small = pixels_of(page.get(f"pictures/{id}/thumb")), large.resize((1000, 250))
    assert thumb.shape == (250, 1000, 3)
    error = np.sqrt(np.mean((thumb.astype(float) - np.asarray(small, float)) ** 2))
    assert error < 2  # of 255; Pillow's JPEG has 1.2 at quality 88, and 2.3 at 50
    for options in ({}, {"rgb": True}, {"backdrop": "red"}, {"backdrop": "blue"}):
        assert page.post("target", {"pictures": [{"id": id}], "options": options}).status == 200
    both = {"pictures": [{"id": id}, {"id": pair[1]}]}
    wide, face = (pixels_of(page.post("target", {**both, "index": index})) for index in (0, 1))
    assert wide.shape == face.shape  # the first picture's
    assert len(list(temporary.rglob(f"{id}-*.npy"))) == 2  # its light, grey and in colour
    assert page.ask("DELETE", f"pictures/{id}").status == 204
    assert not list(temporary.rglob(f"{id}*"))


def test_illustrated_choices_have_example_images(page):
    groups = page.get("options").json["groups"]
    options = [option for group in groups for option in group["options"] if option["illustrated"]]
    assert {option["name"] for option in options} >= {"dither", "order", "shape"}
    for option in options:
        pictures = {}
        for value in map(str, option["choices"]):
            pixels = pixels_of(page.get(f"examples/{option['name']}/{value}.png"))
            assert 88 <= min(pixels.shape[:2]) <= max(pixels.shape[:2]) <= 96
            pictures[value] = pixels.tobytes()
        assert len({*pictures.values()}) > 1
    for wrong in ("dither/none", "size/60", "order/../order", "order/%2e%2e"):
        assert page.get(f"examples/{wrong}.png").status == 404


def hostile_work(*names, large=b"", method=zipfile.ZIP_DEFLATED, others=(), **members):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        archive.writestr("large", large)
        pictures = [{"id": "1", "name": "../../etc/passwd", "file": name} for name in names]
        work = {"lightsanim": 1, "pictures": pictures, "state": None, **members}
        archive.writestr("work.json", json.dumps(work))
        for name in ("../../x.png", *others):
            archive.writestr(name, "no picture")
    return file.getvalue()


@pytest.mark.long
def test_requests_are_answered_while_a_work_opens(begin, tmp_path):
    # The first picture is large, and the second is not there.
    content = hostile_work("large", "none", large=bytes(20_000_000))

    inside, answered = begin(max_bytes=10**9), 0
    opening = inside.begin("POST work/file", content, seconds=0)
    while not opening.done():
        is_answered = inside.ask("GET work").status == 200
        answered += is_answered and any(tmp_path.glob("*.picture"))
    assert (inside.end(opening).status, answered > 0) == (422, True)
    assert not any(tmp_path.iterdir())


# Requests of others.

HOST = {"host": "127.0.0.1:8000"}
OWN_PAGE = {**HOST, "origin": "http://127.0.0.1:8000"}
NETWORK = {"server": "192.168.0.2", "host": "192.168.0.2:8000"}


# Browsers leave the port of the scheme out of Host and Origin: https://url.spec.whatwg.org/#origin
@pytest.mark.parametrize(
    ("port", "line", "headers", "status"),
    [
        (8000, "POST /token/x", OWN_PAGE, 200),
        (8000, "POST /token/x", {"host": "localhost:8000", "origin": "http://localhost:8000"}, 200),
        (8000, "POST /token/x", {**HOST, "origin": "http://evil.example"}, 403),
        (8000, "POST /token/x", {**HOST, "origin": "null"}, 403),
        (8000, "POST /token/x", {**HOST, "origin": "http://127.0.0.1"}, 403),
        *((8000, f"{method} /token/x", HOST, 403) for method in ("POST", "PUT", "DELETE")),
        (8000, "POST /token/x", {**OWN_PAGE, "sec-fetch-site": "cross-site"}, 403),
        (8000, "POST /token/x", {**OWN_PAGE, "host": "127.0.0.1.evil.example:8000"}, 421),
        (8000, "POST /token/x", {**OWN_PAGE, "host": "127.0.0.1"}, 421),
        (80, "POST /token/x", {"host": "127.0.0.1", "origin": "http://127.0.0.1"}, 200),
        (80, "POST /token/x", {"host": "127.0.0.1", "origin": "http://localhost"}, 403),
        (80, "POST /token/x", {"host": "evil.example", "origin": "http://evil.example"}, 421),
        *((8000, f"{method} /token/x", HOST, 200) for method in ("GET", "HEAD")),
        (8000, "GET /token/x", {"host": "LOCALHOST:8000", "sec-fetch-site": "same-origin"}, 200),
        (8000, "GET /token/x", {**HOST, "origin": "http://evil.example"}, 403),
        (8000, "GET /token/x", {**HOST, "sec-fetch-site": "same-site"}, 403),
        (8000, "GET /token/x", {**HOST, "Host": "127.0.0.1:8000"}, 421),
        (8000, "GET /token/x", {**HOST, "server": "192.168.0.3"}, 421),
        (8000, "GET /token/x", NETWORK, 200),
        (8000, "GET /token/x", {}, 421),
        (8000, "GET /token", HOST, 307),
        *((8000, f"GET {path}", HOST, 404) for path in ("/tokens/x", "/toke/x")),
        *((8000, f"GET {path}", HOST, 404) for path in ("x", "/", "/x", "//x", "/TOKEN/x")),
        # The code of an invitation is good for one look from the network.
        (8000, "GET /CODE/", HOST, 404),
        (8000, "POST /CODE/", {**NETWORK, "origin": "http://192.168.0.2:8000"}, 404),
        (8000, "GET /CODE/", NETWORK, 307),
    ],
    ids=str,
)
def test_guard_admits_only_the_own_page(port, line, headers, status):
    addresses = []
    invitation = Invitation("192.168.0.2", port, addresses.append)
    invitation.renew_code()
    guard = RequestGuard(Response(), "token", port, invitation)
    line = line.replace("CODE", addresses[0].split("/")[-2])
    answer = awaited(requested(guard, *line.split(" "), **headers))
    assert (answer.status, answer.headers["Cache-Control"]) == (status, "no-store")
    assert status < 400 or set(answer.json) == {"error", "about", "picture"}


# https://asgi.readthedocs.io/en/latest/specs/www.html#http-connection-scope
def test_application_gets_the_raw_path_in_bytes():
    async def app(scope, *channels):
        await Response(repr(scope["raw_path"]))(scope, *channels)

    answer = awaited(requested(RequestGuard(app, "token", 8000), "GET", "/token/x", **HOST))
    assert answer.body == b"b'/token/x'"


def test_too_many_requests_at_once_are_refused():
    async def answer_statuses():
        open_now = asyncio.Event()

        async def app(*words):
            await open_now.wait()
            await Response()(*words)

        guard = RequestGuard(app, "token", 8000)
        requests = [requested(guard, "POST", "/token/x", **OWN_PAGE) for _ in range(67)]
        answers = asyncio.gather(*requests[:66])
        await asyncio.sleep(0)  # all have come
        open_now.set()
        return statuses([*await answers, await requests[66]])

    assert awaited(answer_statuses()) == [200] * 64 + [503] * 2 + [200]


INVITING = """
import signal, sys, types, webbrowser
from lightsanim.apps.studio.run import run_studio
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
terminal, sys.stderr = sys.stderr, types.SimpleNamespace(isatty=lambda: True)
say = lambda line: (terminal.write(line + "\\n"), terminal.flush())
webbrowser.open = lambda address: say(f"browser: {address}")
run_studio([], browser=True, lan="127.0.0.2", say=say)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere 127.0.0.2 is no address")
def test_invitation_code_admits_one_device_once():
    with studio(program=[sys.executable, "-c", INVITING]) as visitor:
        lines = []

        def read_code():
            for line in visitor.process.stderr:
                if match := re.search(r"//127.0.0.2:\d+(/\S+/)", line):
                    return match[1]
                lines.append(line)
            raise AssertionError("not invited")

        def visit(root):
            answer = visitor.get("", root=root, host="127.0.0.2")
            return answer.status, answer.headers["Location"]

        code, root = read_code(), f"/{visitor.token}/"
        visits = [visit(path) for path in (code, code, root)]
        assert visits == [(307, root), (404, None), (200, None)]
        assert read_code() != code
        while f"browser: {visitor.address}\n" not in lines:  # a thread says it, in its own time
            lines.append(next(visitor.process.stderr))
        assert sum("\N{FULL BLOCK}" in line for line in lines) > 9  # a QR code
        for start in (b"", b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"):
            with ExitStack() as stack:  # who asks for nothing more keeps nobody else out
                for _ in range(80):
                    connection = socket.create_connection(("127.0.0.2", visitor.port))
                    stack.enter_context(connection).sendall(start)
                    assert not start or connection.recv(9999).startswith(b"HTTP/1.1 421")
                    connection.sendall(b"G")
                assert visit(root) == (200, None)


@pytest.mark.parametrize("address", ["192.168.0.2", "8.8.8.8", None])
def test_network_address_must_be_private(monkeypatch, address):
    class Probe(socket.socket):
        def connect(self, target):
            if address is None:
                raise OSError("unreachable")

        def getsockname(self):
            return address, 9

    monkeypatch.setattr(socket, "socket", Probe)
    if address == "192.168.0.2":
        assert find_network_address() == address
    else:
        assert_refused(find_network_address, address or "network", OutputError)


def test_studio_without_lan_listens_on_loopback_only(page):
    with pytest.raises(ConnectionRefusedError), socket.create_connection(("127.0.0.2", page.port)):
        pass
    assert_refused(lambda: run_studio([], port=page.port), f"{page.port}: --port", OutputError)


def test_path_traversal_is_refused(page):
    assert page.get("options", root=f"/x/../{page.token}/").status == 404
    assert page.get("", root=f"/{page.token}").headers["Location"] == f"/{page.token}/"
    assert page.get("options/").headers["Location"] == f"{page.address}options"
    names = "../server.py", "%2e%2e/server.py", "/etc/passwd", "examples", "%00", "%FF", "a" * 5000
    for path in ("x", *map("/".join, product(("static", "samples", "saves/x"), names))):
        answer = page.get(path)
        assert answer.status == 404
        assert str(SAMPLES.parent).encode() not in answer.body


def test_every_answer_has_its_headers(page, pair):
    player = f"films/{page.post('film', film(pair)).json['film']}/player"
    none_of = {f"{kind} 'none'" for kind in ("default-src", "base-uri", "form-action")}
    page_policy = none_of | {
        *("script-src 'self'", "style-src 'self'", "img-src 'self' data: blob:"),
        *("connect-src 'self'", "frame-src 'self'", "font-src 'self'", "frame-ancestors 'none'"),
    }
    film_policy = none_of | {
        *("script-src 'unsafe-inline'", "style-src 'unsafe-inline'", "img-src data: blob:"),
        *("frame-ancestors 'self'",),
    }
    day, none = "private, max-age=86400", "no-store"
    for path, kind, cache, policy in (
        ("options", "application/json", none, page_policy),
        ("nothing", "application/json", none, page_policy),
        ("", "text/html", "no-cache", page_policy),
        ("static/studio.js", "text/javascript", "no-cache", page_policy),
        ("static/studio.css", "text/css", "no-cache", page_policy),
        ("samples/face", "image/webp", day, page_policy),
        (f"pictures/{pair[0]}/thumb", "image/jpeg", day, page_policy),
        ("maker.html", "text/html", none, film_policy | {"worker-src blob:"}),
        (player, "text/html", none, film_policy | {"sandbox allow-scripts"}),
    ):
        headers = page.get(path).headers
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers.get_content_type() == kind
        assert headers["Cache-Control"] == cache
        assert {*headers["Content-Security-Policy"].split("; ")} == policy
        assert "Access-Control-Allow-Origin" not in headers
    named = page.get(f"pictures/{pair[1]}/file")
    assert (named.body, named.headers.get_filename()) == (SKULL.read_bytes(), "skull.png")


def files_in(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_invalid_uploads_leave_no_files(page, pair, temporary):
    before, works = files_in(temporary), (b"PK", hostile_work("../../x.png"), hostile_work("none"))
    # A PNG of 100 000 x 100 000 pixels, in a few hundred bytes.
    header = b"IHDR" + struct.pack(">IIBBBBB", 100_000, 100_000, 8, 0, 0, 0, 0)
    bomb = png_of([header, b"IDAT" + zlib.compress(bytes(100_000)), b"IEND"])
    bad = [b"", b"no picture", b"GIF89a", FACE.read_bytes()[:100], bomb]
    for path, content in (*product(["pictures?name=x.png"], bad), *product(["work/file"], works)):
        answer = page.post(path, content)
        assert answer.status == 422
        assert str(temporary) not in answer.json["error"]
        assert "\n" not in answer.json["error"]
    assert files_in(temporary) == before
    assert len(page.get("pictures").json["pictures"]) == len(pair)


ANSWER_NAMES = {
    jobs.describe_file: "open",
    jobs.draw_thumbnail: "frame",
    jobs.draw_target: "target",
    jobs.make_film: "film",
    jobs.save_film: "save",
}
FACTS = {"kind": "still", "width": 4, "height": 3}, b"thumb"


class Inside:
    """A studio in this process: its workers answer at once, by the job's name.

    What is under way goes on while a request is answered or awaited; waits take no time.
    """

    def __init__(self, run, folder, max_bytes=10**6, **answers):
        folder.mkdir(exist_ok=True)
        self.answers = {"open": FACTS, "target": (b"PNG", (0, 12.5, 100, 87.5))}
        self.answers |= {"film": write_film, "save": write, **answers}
        self.album, self.jobs, self.run = Album(folder, max_bytes), [], run
        self.app = build_app(Studio(album=self.album, jobs=self, saves=SaveJobs(folder), seed=3))

    async def run_job(self, lane, job, *arguments):
        self.jobs.append((lane.name, job, *arguments))
        answer = self.answers[ANSWER_NAMES[job]]
        if isinstance(answer, Exception):
            raise answer
        answer = answer(*arguments) if callable(answer) else answer
        return await answer if isawaitable(answer) else answer

    def begin(self, line, body=b"", *, seconds=1, **headers):
        """Send a request, and wait for some seconds; returns it, to be ended."""
        method, path = line.split()
        answer = requested(self.app, method, f"/{path}", body, **headers)

        async def begin():
            task = asyncio.create_task(answer)
            await asyncio.sleep(seconds)
            return task

        return self.run(begin())

    def end(self, request):
        self.run(asyncio.wait([request]))
        return request.result()

    def ask(self, line, body=b"", **headers):
        return self.end(self.begin(line, body, seconds=0, **headers))

    def drop(self, *contents, page="a", name="x.png"):
        """The answers to uploads of a page."""
        line = f"POST pictures?name={name}"
        return [self.ask(line, content, x_page=page) for content in contents]

    def put(self, work):
        return self.ask("PUT work", work, if_match=self.ask("GET work").headers["ETag"])


@pytest.fixture
def begin(tmp_path):
    """Begins a studio in this process."""
    with running_loop() as run:
        yield lambda name="", **options: Inside(run, tmp_path / name, **options)


@pytest.fixture
def inside(begin):
    """A studio in this process, with two stills and a clip."""
    inside = begin()
    for id, name in {"a": "face.png", "b": "b.png", "clip": "clip.mp4"}.items():
        file = inside.album.folder / id
        upload = UploadedFile(id=id, name=name, path=file, sha256=id, is_clip=id == "clip")
        inside.album.add_upload(Upload(file=upload, thumbnail=b"first"))
    return inside


def write(film, outputs, folder, solved):
    for file, _ in outputs.files:
        (folder / file.path).write_bytes(b"saved")
    return ["small"]


FILM = {"draft": False, "report": {"notes": ["n"]}, "summary": "done", "notes": ["n"]}


def write_film(film, path, *_, player=b"player"):
    path.with_suffix(".solved").write_bytes(b"solved")
    path.with_suffix(".html").write_bytes(player)
    return FILM


def statuses(answers):
    return [answer.status for answer in answers]


def test_size_limits_count_uploads_in_progress(begin, tmp_path):
    room = begin("bytes", max_bytes=100)
    upload = room.begin("POST pictures", (bytes(50), 9, bytes(1)))
    early = room.drop(bytes(51), bytes(50), bytes(1))
    late = [room.end(upload), *room.drop(bytes(50), bytes(1))]
    removal = room.ask(f"DELETE pictures/{early[1].json['id']}")
    last = room.drop(bytes(50))
    assert statuses([*early, *late, removal, *last]) == [413, 200, 413, 413, 200, 413, 204, 200]
    slow = begin("read", max_bytes=100, open=lambda *job: asyncio.sleep(99, FACTS))
    slow.begin("POST pictures", bytes(60))
    assert statuses(slow.drop(bytes(60))) == [413]
    assert statuses(begin("many").drop(*[b"x"] * 201)) == [200] * 200 + [413]
    small, lengths = begin(), ("500000000", "500000001", "x")
    declared = [small.ask("POST pictures", b"1", content_length=length) for length in lengths]
    assert statuses(declared) == [200, 413, 413]

    async def large():
        yield bytes(MAX_FILE_BYTES + 1)

    with pytest.raises(RefusedError, match="500 MB"):
        small.run(Album(tmp_path).receive_upload("x.png", large()))


def test_oldest_unnamed_uploads_are_evicted(begin):
    # Half of the room is taken from five on.
    inside, ids, remaining = begin(max_bytes=100), [], []

    def drop(page, count=1):
        answers = inside.drop(*[bytes(10)] * count, page=page)
        ids.extend(answer.json["id"] for answer in answers if answer.status == 200)
        remaining.append([ids.index(id) for id in inside.album.uploads])
        return answers[-1].status

    drop("a", 5)
    for named in (ids, [ids[0], ids[2], ids[4]]):
        assert inside.put(named).status == 204
    for page in "bbc":
        drop(page)
    assert remaining[1:] == [[0, 2, 3, 4, 5], [0, 2, 4, 5, 6], [0, 2, 4, 6, 7]]
    assert (drop("d", 7), drop("d"), remaining[-1]) == (200, 413, [0, 2, 4, *range(8, 15)])


def test_pictures_of_an_opened_project_count_towards_the_limit(begin):
    source, target = begin("1"), begin("2", max_bytes=2000)
    source.drop(bytes(900))
    assert target.ask("POST work/file", source.ask("GET work/file").body).status == 200
    assert statuses(target.drop(bytes(1101), bytes(1100))) == [413, 200]


def test_work_file_opens_and_stale_writes_are_refused(begin, tmp_path):
    source, target = begin("1"), begin("2")
    answers = [*source.drop(b"1"), *source.drop(b"2", name="y.png")]
    pair = [answer.json["id"] for answer in answers]
    work = {"order": pair, "own": {pair[0]: {"detail": 2}}, "note": "ü"}
    assert source.put(work).status == 204
    assert source.ask("GET work").json == work
    file = source.ask("GET work/file")
    assert "attachment" in file.headers["Content-Disposition"]
    assert int(file.headers["Content-Length"]) == len(file.body)
    target.drop(b"3")  # makes room, with its name
    stale = target.ask("GET work").headers["ETag"]
    answer = target.ask("POST work/file", file.body)
    pictures = target.ask("GET pictures").json["pictures"]
    ids = [picture["id"] for picture in pictures]
    renamed = {"order": ids, "own": {ids[0]: {"detail": 2}}, "note": "ü"}
    assert answer.json == {"work": renamed, "pictures": pictures}
    assert [picture["name"] for picture in pictures] == ["x.png", "y.png"]
    assert [target.ask(f"GET pictures/{id}/file").body for id in ids] == [b"1", b"2"]
    assert len(files_in(tmp_path / "2")) == 2
    for headers, status in (
        *(({}, 428), ({"if_match": stale}, 412), ({"if_match": "*"}, 412)),
        *(({"if_match": answer.headers["ETag"]}, 204),) * 2,
    ):
        assert target.ask("PUT work", renamed, **headers).status == status
    put, get = target.put(1), target.ask("GET work")
    assert put.headers["ETag"] == get.headers["ETag"]
    for tags in (put.headers["ETag"], f'"x", W/{put.headers["ETag"]}'):  # RFC 9110, 13.1.2
        unchanged = target.ask("GET work", if_none_match=tags)
        assert (unchanged.status, unchanged.body) == (304, b"")
    assert target.ask("PUT work", 2, if_match=answer.headers["ETag"]).status == 412
    assert target.ask("GET work").json == 1


def test_project_of_version_1_opens_with_the_names_of_today(begin):
    studio = begin("1")
    values = {"boomerang": True, "words": "de", "sheet_frames": 9, "serpentine": False}
    look = {"values": values, "own": {"1": {"dither": "bayer4"}}}
    work = hostile_work("large", large=b"1", state={"looks": {"A": look, "B": None}})
    answer = studio.ask("POST work/file", work)
    ((id, own),) = answer.json["work"]["looks"]["A"]["own"].items()
    assert id == answer.json["pictures"][0]["id"]
    assert own == {"dither": "bayer"}
    expected = {"ending": "boomerang", "language": "de", "frames": 9, "serpentine": False}
    assert answer.json["work"]["looks"]["A"]["values"] == expected


def test_invalid_work_file_changes_nothing(begin, tmp_path):
    inside, large = begin(max_bytes=4500), bytes(1500)
    inside.drop(b"1")

    def state():
        return inside.ask("GET pictures").json, files_in(tmp_path)

    before = state()
    for names, members, status in (
        (["large"] * 3, {"lightsanim": 2}, 422),
        (["large"] * 4, {}, 413),
        (["large"] * 201, {}, 422),
        (["large", "none"], {}, 422),
        ([], {"state": " " * 4_000_000}, 413),
        *((["large"], {"state": [odd]}, 422) for odd in (np.nan, np.inf, "\ud800")),
        *((["large"], {"method": n}, 422) for n in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)),
    ):
        work = hostile_work(*names, large=large, **members)
        assert inside.ask("POST work/file", work).status == status, names
        assert state() == before
    inside.album.max_bytes = 10**8
    crowded = hostile_work(others=[f"{n:060000}" for n in range(70)])
    assert inside.ask("POST work/file", crowded).status == 422
    good = hostile_work(*["large"] * 3, large=large)
    inside.answers["open"] = RefusedError("it is not a picture", 422)
    assert inside.ask("POST work/file", good).status == 422
    assert state() == before
    inside.answers["open"] = FACTS
    first = inside.begin("POST work/file", (good[:9], 9, good[9:]))
    assert inside.ask("POST work/file", good).status == 503
    names = [picture["name"] for picture in inside.end(first).json["pictures"]]
    assert names == ["passwd"] * 3  # the bytes are the same


# Requests that another program might send, and what they are answered: status, option, picture.
A, B = {"id": "a"}, {"id": "b"}
AB = {"pictures": [A, B]}
ALONE = {"pictures": [A], "options": {"transition": "automaton"}}
WRONG_FORMATS = [], ".gif", [".gif", ".bmp"], [".pdf", ".png"]
REQUESTS = [
    ("film", AB, 200, None, None),
    ("film", {**AB, "options": None, "look": {"gap": None}}, 200, None, None),
    ("film", ALONE, 200, None, None),
    *(("film", {"pictures": some}, 200, None, None) for some in ([A] * 100, [{"id": "clip"}])),
    *(("film", {"pictures": n}, 400, None, None) for n in ([A] * 101, [A], [], A, [A, "b"])),
    ("film", {"pictures": [A, {"id": "x"}]}, 404, None, "x"),
    ("film", {"pictures": [A, {"id": ["b"]}]}, 404, None, None),
    ("film", {"pictures": [A, {**B, "own": {"detail": -1}}]}, 400, "detail", "b"),
    ("film", {"pictures": [A, {**B, "own": {"levels": 3}}]}, 400, "levels", "b"),
    ("film", {**AB, "options": [1]}, 400, None, None),
    ("film", {**AB, "options": {"detail": [1]}}, 400, "detail", None),
    ("film", {**AB, "options": {"lit": "red"}}, 400, "lit", None),
    ("film", {**AB, "look": {"detail": 1}}, 400, "detail", None),
    ("film", {**AB, "outputs": {"sheet": "x.png"}}, 400, "sheet", None),
    ("film", {**AB, "folder": "/"}, 400, "folder", None),
    ("film", {**AB, "options": {"\ud800": 1}}, 400, "\ud800", None),
    ("film", {"pictures": [A, {"id": "\ud800"}]}, 404, None, "\ud800"),
    *(("film", raw, 400, None, None) for raw in (b"[NaN]", b"{", b"[]", b"[" * 100_000)),
    ("film", b" " * 1_000_000, 400, None, None),
    ("film", b" " * 1_000_001, 413, None, None),
    ("film", (b" " * 600_000,) * 2, 413, None, None),
    ("film", (b"{", 29, b" ", 29, b"}"), 400, None, None),
    ("film", (b"{", 31, b"}"), 408, None, None),
    ("target", {"pictures": [A], "index": 0}, 200, None, None),
    ("target", {**AB, "index": 1}, 200, None, None),
    *(("target", {**AB, "index": index}, 400, "index", None) for index in (2, -1, True)),
    ("save", AB, 400, None, None),
    *(("save", {**AB, "formats": formats}, 400, None, None) for formats in WRONG_FORMATS),
    ("save", {**AB, "formats": [".gif", ".png"]}, 200, None, None),
    ("nothing", AB, 404, None, None),
    ("pictures/a/thumb", AB, 405, None, None),
]


def test_requests_get_expected_status_and_error(inside):
    for path, body, *expected in REQUESTS:
        answer = inside.ask(f"POST {path}", body)
        error = answer.json if answer.status != 200 else {"about": None, "picture": None}
        actual = [answer.status, error["about"], error["picture"]]
        assert actual == expected, (path, str(body)[:200])
        assert "\n" not in error.get("error", "")


# Members of a request beside the pictures, and the words of the command after their names.
LIMITED = {"outputs": {"max_bytes": 10**6}}
SHEET = {"outputs": {"frames": 3, "columns": 1, "numbers": True}}
BYTES, STILLS = "@max-bytes=1000000", "@frames=3@columns=1@numbers"
NAMED = [
    ({"options": {"gamma": 1.0}, "look": {"gap": None}}, "-o face-b.gif --seed 3"),
    ({"options": {"seed": 5}}, "-o face-b.gif --seed 5"),
    ({"look": {"palette": "amber"}}, "-o face-b.gif --seed 3 --palette amber"),
    ({"formats": [".gif", ".json"]}, "-o face-b.gif -o face-b.json --seed 3"),
    ({"formats": [".html"], **LIMITED}, "-o face-b.html --seed 3"),
    ({"formats": [".mp4"], **LIMITED}, f"-o face-b.mp4{BYTES} --seed 3"),
    (LIMITED, f"-o face-b.gif{BYTES} --seed 3"),
    (
        {"formats": [".h", ".gif"], "look": {"cell": 4, "wiring": "zigzag", "gap": 1}, **LIMITED},
        f"-o face-b.gif@cell=4{BYTES} -o face-b.h@wiring=zigzag --seed 3 --gap 1",
    ),
    (SHEET, "-o face-b.gif --seed 3"),
    ({"formats": ["-sheet.svg"], **SHEET}, f"--seed 3 --sheet face-b-sheet.svg{STILLS}"),
]


@pytest.mark.parametrize(("members", "words"), NAMED)
def test_words_name_changed_options_alone(inside, members, words):
    output = inside.ask("POST words", {**AB, **members}).json
    assert output["command"] == f"lightsanim make face.png b.png {words}"
    [entry] = tomllib.loads(output["manifest"])["animation"]
    assert entry.pop("pictures") == ["face.png", "b.png"]
    options = dict(re.findall(r"--(\S+) (\S+)", words))
    sheets = [entry.pop("sheet", None), options.pop("sheet", None)]
    films = [entry.pop("output"), re.findall(r"-o (\S+)", words)]
    made, told = (la.Outputs(output=f, sheet=s) for f, s in zip(films, sheets, strict=True))
    assert made == told
    assert {name: str(value) for name, value in entry.items()} == options
    assert ("max_bytes=1000000" in output["python"]) == ("@max-bytes" in words)


def test_films_that_differ_in_looks_alone_are_solved_once(inside):
    facts = {"draft": False, "notes": ["n"], "summary": "done", "report": {"notes": ["n"]}}
    for members, is_solved_before in (
        ({}, False),
        ({"look": {"lit": "red"}}, True),
        ({"look": {"canvas": "200x150"}}, False),
        ({"look": {"canvas": "200x150", "show_clicks": "right"}}, False),
        ({"options": {"seed": 4}}, False),
        ({"pictures": [B, A]}, False),
        ({"pictures": [{**A, "own": {"detail": 2}}, B]}, False),
        ({"look": {"lit": "blue"}}, True),
    ):
        answer = inside.ask("POST film", {**AB, **members}).json
        assert answer == {"film": answer["film"], **facts}
        *_, solved, _ = inside.jobs[-1]
        assert bool(solved) == is_solved_before, members


def test_oldest_films_are_evicted(inside, tmp_path):
    bodies = [{**AB, "options": {"seed": seed}} for seed in range(9)]
    films = [inside.ask("POST film", body).json["film"] for body in bodies]
    players = [inside.ask(f"GET films/{film}/player") for film in films]
    assert statuses(players) == [404] + [200] * 8
    assert len(list(tmp_path.glob("film-*"))) == 2 * 8


def test_film_is_kept_if_its_page_left_just_before_its_end(inside):
    ends = []

    async def solve(film, *_):
        try:
            await asyncio.sleep(film.settings.seed)
            ends.append("solved")
        except asyncio.CancelledError:
            ends.append("stopped")
            raise
        return FILM

    inside.answers["film"] = solve
    for seconds in (1, 9):
        body = {**AB, "options": {"seed": seconds}}
        with suppress(asyncio.CancelledError):  # the page has gone
            inside.ask("POST film", (json.dumps(body).encode(), 0.9, None))
        inside.ask("POST film", body)
        *_, solved, _ = inside.jobs[-1]
        assert bool(solved) == (seconds == 1)
    assert ends == ["solved", "solved", "stopped", "solved"]


SAVE = {**AB, "formats": [".gif"]}


def test_oldest_saves_are_evicted(inside, tmp_path):
    saves = []
    for _ in range(9):
        saves.append(inside.ask("POST save", SAVE).json["save"])
        events = inside.ask(f"GET saves/{saves[-1]}/events")
    assert events.headers.get_content_type() == "text/event-stream"
    kind, facts = events.body.decode().strip().split("\n")
    url = f"saves/{saves[-1]}/face-b.gif"
    files = [{"name": "face-b.gif", "bytes": 5, "url": url}]
    assert kind == "event: done"
    assert json.loads(facts.removeprefix("data: ")) == {"files": files, "notes": ["small"]}
    assert statuses([inside.ask(f"GET saves/{id}/face-b.gif") for id in saves]) == [404] + [200] * 8
    assert len(list(tmp_path.glob("save-*"))) == 8
    assert inside.ask(f"GET saves/{saves[1]}/x.gif").status == 404


def test_cancelled_saves_stop_and_make_room(inside, tmp_path):
    async def write_endlessly(*job):
        try:
            await asyncio.Event().wait()
        finally:
            write(*job)  # A worker writes until it ends.

    inside.answers["save"] = write_endlessly
    answers = [inside.ask("POST save", SAVE) for _ in range(9)]
    assert statuses(answers) == [200] * 8 + [503]
    ids = [answer.json["save"] for answer in answers[:8]]
    stream = inside.begin(f"GET saves/{ids[0]}/events", seconds=20)
    for id in ids[:7]:
        assert inside.ask(f"DELETE saves/{id}").status == 204
        inside.run(asyncio.sleep(1))
    assert [path.name for path in tmp_path.glob("save-*")] == [f"save-{ids[7]}"]
    assert len(inside.jobs) == 8
    first, comment, last = inside.end(stream).body.split(b"\n\n")[:3]
    assert first.startswith(b"event: progress\n")
    assert comment.startswith(b":")  # It keeps the connection open.
    assert last.startswith(b"event: failed\n")


FAILURES = [
    (RefusedError("it is cut", 400, "crop", "b"), 'it is cut", "about": "crop", "picture": "b"}'),
    (OutputError("cannot start a worker"), "cannot start a worker"),
    (KeyError("bug"), "KeyError: 'bug'; please report this"),
    (lambda *job: [], "cannot write a file: No such file"),  # It has written nothing.
]


def test_failed_saves_tell_the_reason(inside):
    inside.answers["save"] = asyncio.sleep(999)
    inside.ask("POST save", SAVE)  # This save is under way beside those that fail.
    for inside.answers["save"], reason in FAILURES:
        save = inside.ask("POST save", SAVE).json["save"]
        events = inside.ask(f"GET saves/{save}/events")
        assert f'event: failed\ndata: {{"error": "{reason}' in events.body.decode()


def test_failed_films_tell_picture_or_full_disk(inside):
    inside.answers["film"] = RefusedError("it is large", 507, None, "face")
    assert inside.ask("POST film", AB).json["picture"] == "a"
    inside.answers["film"] = OSError(28, "No space left on device")
    full = inside.ask("POST film", AB)
    assert (full.status, "No space left on device" in full.json["error"]) == (507, True)


def test_thumbs_of_clips_are_of_their_second(inside):
    inside.answers["frame"] = b"later"
    for id, query, expected in (
        *((id, query, b"first") for id in ("a", "clip") for query in ("", "?at=nan", "?at=0")),
        *(("a", "?at=1", b"first"), ("clip", "?at=1", b"later")),
    ):
        assert inside.ask(f"GET pictures/{id}/thumb{query}").body == expected
    inside.answers["frame"] = RefusedError("it lies beyond its end", 400)
    assert inside.ask("GET pictures/clip/thumb?at=9").body == b"first"
    inside.answers["frame"] = RefusedError("this takes more than 60 seconds", 504)
    assert inside.ask("GET pictures/clip/thumb?at=9").status == 504


# Work of one lane puts its last out of date: each picture, page and slot has its own.
def test_each_picture_page_and_slot_has_its_own_lane(inside):
    inside.answers["frame"] = b"later"
    for query in ("", "&strip=1", "&page=b"):
        inside.ask(f"GET pictures/clip/thumb?at=1{query}")
    for body in ({"index": 0}, {"index": 1}, {"slot": "preset"}):
        inside.ask("POST target", {**AB, **body})
    inside.ask("POST target", AB, x_page="b")
    lanes = [lane for lane, *_ in inside.jobs]
    assert (lanes[:3], len(set(lanes))) == (["frame clip ", "strip clip ", "frame clip b"], 7)


def test_films_take_no_memory_of_the_server(inside):
    tracemalloc.start()
    for seed in range(8):
        inside.answers["film"] = partial(write_film, player=bytes(10**6))
        inside.ask("POST film", {**AB, "options": {"seed": seed}})
    assert (tracemalloc.get_traced_memory()[0], tracemalloc.stop())[0] < 3e6


def test_uploaded_names_are_labels_never_paths(page):
    names = [
        ("../../etc/<b>wd.png", "<b>wd.png"),
        ("<img src=x onerror=alert(1)>.png", "<img src=x onerror=alert(1)>.png"),
        ("puzzle:abbott:8", "./puzzle:abbott:8"),
        ("-o\x1b[31m.png", "-o-[31m.png"),
        *((r"C:\faces\me.png", "me.png"), (f"{'x' * 200}.png", f"{'x' * 146}.png")),
        *((f"x.{'y' * 30}", "x"), ("a/..", "picture.png"), ("b/", "b")),
        *(("image.png", "image.png"), ("image.png", "image-2.png")),
    ]
    files = [FACE] * (len(names) - 1) + [SKULL]
    ids = [page.drop(file, name) for file, (name, _) in zip(files, names, strict=True)]
    sample = page.post("pictures?name=x.webp", page.get("samples/moon").body).json
    assert sample["name"] == "sample:moon"
    page.ask("DELETE", f"pictures/{sample['id']}")
    labels = {p["id"]: p["name"] for p in page.get("pictures").json["pictures"]}
    assert [labels[id] for id in ids] == [name for _, name in names]
    body = film(ids, [{}] * len(ids))
    player = page.get(f"films/{page.post('film', body).json['film']}/player").body
    assert b"<img src=x" not in player
    assert b"<b>wd" not in player
    [saved] = page.saved({**body, "formats": [".json"]})
    assert re.fullmatch(r"[\w.\[\]() =@-]+\.json", saved)
    for id in ids:
        assert page.ask("DELETE", f"pictures/{id}").status == 204


def test_connections_that_break_off_do_no_harm(page, pair, temporary):
    before = sorted(temporary.rglob("*.picture"))
    save = page.post("save", {**film(pair), "formats": [".gif"]}).json["save"]
    body = json.dumps(film(pair, size="100x100")).encode()
    for method, path, content, length in (
        ("POST", "pictures?name=x.png", FACE.read_bytes()[:1000], 10**6),
        ("POST", "film", body, len(body)),
        ("POST", "film", body[:10], len(body)),
        ("GET", f"saves/{save}/events", b"", 0),
    ):
        page.begin(method, path, content, headers={"Content-Length": str(length)}).close()
    assert page.get(f"saves/{save}/events").body.endswith(b"\n\n")
    assert page.ask("DELETE", f"saves/{save}").status == 204
    assert page.get(f"saves/{save}/face-skull.gif").status == 404
    assert page.post("film", film(pair)).status == 200
    assert sorted(temporary.rglob("*.picture")) == before


@pytest.mark.long
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_ended_studio_leaves_no_files(how, temporary):
    before = set(temporary.iterdir())
    with studio(f"{FACE}@invert", SKULL) as visitor:
        pair = [picture["id"] for picture in visitor.get("pictures").json["pictures"]]
        visitor.saved({**film(pair), "formats": [".gif"]})
        assert set(temporary.iterdir()) != before
        visitor.process.send_signal(how)
        assert visitor.process.wait(20) == (-how if how == signal.SIGKILL else 0)
        # The workers hold the other end of standard error, and clear up before they end.
        assert visitor.process.stderr.read() == ""
    assert set(temporary.iterdir()) == before


@pytest.mark.long
@pytest.mark.parametrize("seconds", [0, 0.1, 1])
@pytest.mark.parametrize("path", ["", "film", "target", "save"])
def test_ctrl_c_during_work_is_silent(path, seconds):
    with studio(FACE, SKULL) as visitor, ExitStack() as stack:
        if path:  # else the first worker starts
            pair = [picture["id"] for picture in visitor.get("pictures").json["pictures"]]
            body = {**film(pair, size="120x120", transition="sketch"), "formats": [".gif"]}
            stack.enter_context(closing(visitor.begin("POST", path, body)))
        time.sleep(seconds)
        os.killpg(visitor.process.pid, signal.SIGINT)  # as a terminal does
        assert (visitor.process.wait(20), visitor.process.stderr.read()) == (0, "")


@pytest.mark.long
def test_studio_ends_with_one_line_if_its_picture_is_unreadable(tmp_path):
    (tmp_path / "x.png").write_text("no picture")
    with studio(tmp_path / "x.png") as visitor:
        assert visitor.process.wait(20) == 1
        [line] = visitor.process.stderr.read().splitlines()
        assert line.startswith("lightsanim: ")
        assert "x.png" in line


def test_studio_that_cannot_start_is_refused(refused, monkeypatch):
    # In this process others may have left an event loop.
    words = [*program.PROGRAM, "studio", "none.png", "--no-browser"]
    ended = subprocess.run(words, capture_output=True, text=True)
    assert (ended.returncode, ended.stderr.count("\n"), "none.png" in ended.stderr) == (1, 1, True)
    refused(["studio", "--port", "70000"], 2, "65535")
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    refused(["studio"], 1, "'lightsanim[studio]'")
