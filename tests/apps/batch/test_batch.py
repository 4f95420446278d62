"""Batches: the manifest, the workers, and what a run leaves behind."""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from tools import batches
from tools.batches import (
    contents,
    draw,
    draw_all,
    run_here,
    run_manifest,
    table,
    until,
    write_batch,
)
from tools.program import PROGRAM
from tools.refusals import assert_refused

import lightsanim as la
from lightsanim.apps.batch import batch_folder
from lightsanim.apps.batch.batch_folder import STATE_FOLDER
from lightsanim.apps.batch.from_folder import list_picture_files
from lightsanim.apps.batch.job import Outcome, create_task, job_id, load_pictures, sha256_of_picture
from lightsanim.apps.batch.job_table import ANIMATION_KEYS, RESULTS
from lightsanim.apps.batch.manifest import parse_jobs
from lightsanim.apps.batch.results import append_result, current_results, make_result, read_results
from lightsanim.apps.batch.runner import BatchListener
from lightsanim.apps.batch.workers import run_task_catching_errors, run_tasks_locally
from lightsanim.cli.app import app
from lightsanim.errors import ManifestError, OutputError, PictureError
from lightsanim.options.settings import PRESETS, transition_options
from lightsanim.options.stages import TRANSITIONS
from lightsanim.system.cores import core_limit, limit_cores, max_cores
from lightsanim.system.processes import WorkerDiedError


@pytest.fixture(scope="module")
def album(tmp_path_factory):
    """A batch of four and what it made; for reading only."""
    folder = tmp_path_factory.mktemp("made")
    manifest = write_batch(folder / "in", 4)
    outputs = '["a/0.gif", "frames", "0.html"]\nsheet = {path = "sheets/s.svg", frames = 3}'
    text = manifest.read_text().replace("duration = 1", "duration = 0.4")
    manifest.write_text(text.replace('"0.gif"', outputs))
    report = run_manifest(manifest, folder / "out", workers=2)
    assert (report.jobs, report.made, report.skipped, report.failed) == (4, 4, 0, ())
    seconds = sum(result.seconds for result in read_results(folder / "out"))
    assert report.job_seconds == pytest.approx(seconds, abs=0.002)
    return folder


def problems_of(document):
    with pytest.raises(ManifestError) as caught:
        parse_jobs(document)
    return caught.value.problems


OUTSIDE = (
    *("..", "../a.gif", "a/../../b.gif", "/tmp/a.gif", "C:\\b.gif", "a/.b/c.gif"),
    *("./results.jsonl", "a\0.gif", "\u202ea.gif"),
)
LINKS = ("example.org", "javascript:alert(1)", "https://", "https://a b")


@pytest.mark.parametrize(
    ("document", "facts"),
    [
        ({"animation": []}, "[[animation]]"),
        ({"animations": []}, "'animations' animation?"),
        ({"animation": table()}, "[[animation]]"),
        ({"defaults": 3}, "[defaults]"),
        ({"defaults": {"order": "sweeep"}}, "[defaults] order 'sweeep' sweep?"),
        ({"defaults": {"title": "t"}}, "[defaults] title"),
        ({"defaults": {"pictures": []}}, "[defaults] 'pictures'"),
        ({"site": 3}, "[site]"),
        ({"site": {"date": "1"}}, "[site] 'date'"),
        ({"animation": [{"pictures": ["a", "b"]}]}, "output list"),
        ({"animation": [table(), table()]}, "'ab.gif' 2"),
        ({"animation": [table(), table(output="c.gif", fps=0)]}, "[[animation]] 2: fps"),
        ({"animation": [table(output="f"), table(output="f/b/a.gif")]}, "'f/b/a.gif' 'f'"),
        *(({"animation": [table(**members)]}, f"[[animation]] 1: {facts}") for members, facts in (
            ({"pictures": "a.png"}, "pictures list 'a.png'"),
            ({"pictures": []}, "pictures list"),
            ({"pictures": [{"crop": "9%"}]}, "path 'crop'"),
            ({"pictures": ["a", "a\0"]}, "picture path"),
            ({"pictures": ["a", ""]}, "picture path"),
            ({"pictures": [{"path": "a.png", "size": 3}]}, "a.png 'size'"),
            ({"output": "a.gfi"}, "'.gfi' .gif?"),
            ({"output": ["a.gif", 3]}, "output list"),
            ({"output": []}, "output list"),
            ({"output": "a.html", "max_bytes": 9}, "max_bytes .gif .mp4"),
            ({"output": {"path": "a.gif", "wiring": "zigzag"}}, "a.gif wiring .h .ino .wled"),
            ({"output": {"path": "a.gif", "frames": 9}}, "a.gif frames sheets"),
            ({"output": {"cell": 9}}, "output file"),
            ({"cell": 9}, "cell output path"),
            ({"transition": {"name": "sketch", "steps": 9}}, "sketch 'steps' frames"),
            ({"cycle": True, "sheet_frames": 9}, "cycle ending sheet.png@frames=9"),
            *(({"output": path}, "file folder") for path in OUTSIDE),
            ({"sheet": "../a.png"}, "'../a.png' folder"),
            ({"sheet": 3}, "3 file folder"),
            ({"sheet": "s.gif"}, ".png"),
            ({"hold_last": 1000}, "GIF 655"),
            ({"pictures": [*"abc"], "total": 7}, "total 7.08 7"),
            ({"title": ["t"]}, "title text ['t']"),
            *(({"link": link}, f"link https:// '{link}'") for link in LINKS),
        )),
    ],
)  # fmt: skip
def test_manifest_invalid_names_place_and_reason(document, facts):
    (message,) = problems_of({"animation": [table()], **document})
    assert all(fact in message for fact in facts.split()), message


def test_manifest_problems_are_listed_in_order():
    wrong = {f"option_{letter}": 1 for letter in "dbca"}
    document = {"defaults": wrong, "animation": [table(fsp=1), table(output="x", fps=-1)]}
    problems = problems_of(document)
    where = [problem.split(":")[0] for problem in problems]
    assert where == [*["[defaults]"] * 4, "[[animation]] 1", "[[animation]] 2"]
    assert list(problems[:4]) == sorted(problems[:4])


def test_manifest_table_and_preset_override_defaults():
    defaults = {"preset": "linocut", "detail": 2, "tone": "linear", "palette": "rose", "size": 8}
    for own, expected in (
        ({}, {"detail": 2}),
        ({"detail": 1}, {"detail": 1}),
        ({"preset": "poster", "output": "b"}, {"detail": 2, "levels": 3}),
        ({"preset": "pencil"}, {"detail": 4, "gamma": 2.5}),
        ({"preset": ["pencil", "loop"]}, PRESETS["pencil"] | PRESETS["loop"]),
    ):
        (job,) = parse_jobs({"defaults": defaults, "animation": [table(**own, size="9x9")]})
        expected = {"tone": "linear", "dither": "threshold", "size": "9x9", **expected}
        assert (job.settings, job.theme.palette) == (la.Settings(**expected), "rose")
    (message,) = problems_of({"defaults": {"preset": ["pencil", 3]}, "animation": [table()]})
    assert all(fact in message for fact in ("[defaults]", "preset", " 3"))


def test_manifest_transition_tables_are_joined_with_defaults():
    defaults = {"transition": {"name": "sketch", "frames": 20}, "size": 9}
    for way, expected in (
        ({"name": "sketch", "settle": False}, {"sketch_frames": 20, "settle": False}),
        ("sketch", {"sketch_frames": 20}),
        ("wipe", {}),
    ):
        (job,) = parse_jobs({"defaults": defaults, "animation": [table(transition=way)]})
        name = way if isinstance(way, str) else way["name"]
        assert job.settings == la.Settings(transition=name, size=9, **expected)
    twice = {"transition": {"name": "sketch", "frames": 13}, "sketch_frames": 20}
    (message,) = problems_of({"animation": [table(**twice)]})
    assert all(fact in message for fact in ("frames", "sketch_frames", "once"))


def test_manifest_keys_cover_options_of_make():
    options = {parameter.name for parameter in app.commands["make"].params}
    about_the_run = {"still", "overwrite", "json", "quiet", "help_all", "plan"}
    after_transitions = {name for way in TRANSITIONS for name in transition_options(way).values()}
    assert options - about_the_run == ANIMATION_KEYS - {"series", "link"} - after_transitions
    assert after_transitions < ANIMATION_KEYS


@pytest.mark.parametrize(
    ("content", "facts"),
    [
        (b"[defaults]\nsize = \n", "m.toml TOML line 2"),
        (b"\xff\xfe", "m.toml TOML"),
        (b"\xef\xbb\xbf[defaults]\r\nsize = 3\r\n", "[[animation]]"),
        (b"a = " + b"[" * 100_000, "m.toml TOML"),
        (None, "m.toml No such file"),
    ],
)
def test_manifest_unreadable_names_reason(tmp_path, content, facts):
    if content is not None:
        (tmp_path / "m.toml").write_bytes(content)
    assert_refused(lambda: la.load_manifest(tmp_path / "m.toml"), facts, ManifestError)


def test_manifest_of_folder_lists_files_in_natural_order(tmp_path):
    folder, manifest, reasons = tmp_path / "in", tmp_path / "m.toml", []
    folder.mkdir()
    draw_all(folder, "10.png", "2.jpg", "1.png", ".hidden.png")
    (folder / "notes.txt").write_text("not a picture")

    def outputs(*, chain):
        reasons.clear()
        text = la.manifest_of_folder(folder, manifest, chain=chain, on_left_out=reasons.append)
        manifest.write_text(text)
        jobs = la.load_manifest(manifest).jobs
        assert [picture.path for picture in jobs[0].pictures] == ["in/1.png", "in/2.jpg"]
        return [output for job in jobs for output in job.files]

    assert outputs(chain=True) == ["1-2.gif", "2-10.gif"]
    assert reasons == []
    assert outputs(chain=False) == ["1-2.gif"]
    assert ["10.png" in reason for reason in reasons] == [True]
    for name in ("11.mp4", "12.webm"):
        la.make([np.eye(4), np.ones((4, 4))], size=4, duration=0.1).save(folder / name, cell=8)
    (folder / "11.mp4").rename(folder / "11.MP4")
    assert outputs(chain=True) == ["1-2.gif", "2-10.gif", "10-11.mp4", "11-12.mp4"]
    assert outputs(chain=False) == ["1-2.gif", "10-11.mp4", "12.mp4"]  # a film alone is one


@pytest.mark.posix
def test_manifest_of_folder_with_odd_names_loads(tmp_path):
    odd = ['a".png', "a\n.png", "é.png", "[[x]].png", "a\\.png", "Same.png", "Same.jpg", "Same.bmp",
           "\x7f.png", "b" * 200 + ".png"]  # fmt: skip
    draw_all(tmp_path, *odd)
    (tmp_path / "real/deep").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "real/deep")
    deep_folder = tmp_path / ("far" * 40) / ("away" * 40)  # more than a series may have
    deep_folder.mkdir(parents=True)
    draw_all(deep_folder, "0.png", "1.png")
    for manifest in (tmp_path / "m.toml", tmp_path / "link/m.toml"):
        manifest.write_text(la.manifest_of_folder(tmp_path, manifest, chain=True), encoding="utf-8")
        jobs = la.load_manifest(manifest).jobs
        paths = {manifest.parent / picture.path for job in jobs for picture in job.pictures}
        assert {path.name for path in paths} == {*odd, "0.png", "1.png"}
        assert all(path.is_file() for path in paths)
        assert max(len(Path(job.files[0]).name) for job in jobs) < 80


def test_manifest_of_folder_with_reserved_names_runs(run, tmp_path):
    (tmp_path / "results.jsonl").mkdir()
    draw_all(tmp_path, "sample:sun.png", "puzzle:x.png", "results.jsonl/b.png")
    draw_all(tmp_path / "results.jsonl", "0.png", "1.png", "2.png")
    assert run("batch", "--from-folder", ".", "--pairs")[0] == 0
    manifest = tmp_path / "manifest.toml"
    text = manifest.read_text()
    manifest.write_text(text.replace("[defaults]", "[defaults]\nsize = 4\nduration = 0.2"))
    run_here(manifest, tmp_path / "out")
    outputs = [result.files[0] for result in read_results(tmp_path / "out")]
    assert outputs[0] == "puzzle:x-sample:sun.gif"
    assert outputs[1:] == ["series/results.jsonl/0-1.gif", "series/results.jsonl/2-b.gif"]
    text = manifest.read_text()
    run("batch", "--update", ".")
    assert manifest.read_text() == text
    la.build_gallery(tmp_path / "out", tmp_path / "site")
    page = (tmp_path / "site/puzzle-x-sample-sun/index.html").read_text()
    assert "make</span> <span>./puzzle:x.png</span> <span>./sample:sun.png<" in page


def test_manifest_of_folder_skips_unreadable_overwrites_none(run, tmp_path):
    draw_all(tmp_path, "1.png", "2.png", "01.png", "A.png", "a.png", shape=(200, 200))
    content_of_2 = (tmp_path / "2.png").read_bytes()
    for name in (b"x\xff.png", b"film.txt", b"plot.eps", b"paper.pdf", b"table.h5"):
        (tmp_path / os.fsdecode(name)).write_bytes(b"nothing")
    pictures = ["01.png", "1.png", "2.png", "A.png", "a.png"]
    assert [path.name for path in list_picture_files(tmp_path)] == pictures
    assert_refused(lambda: list_picture_files(tmp_path / "none"), "none", OutputError)
    damaged = {"cut.png": content_of_2[:9999], "empty.jpg": b"", "notes.png": b"words"}
    for name, content in damaged.items():
        (tmp_path / name).write_bytes(content)
    words, manifest = ["batch", "--from-folder", ".", "--chain"], tmp_path / "manifest.toml"
    runs = [run(*words) for _ in range(2)]
    assert [status for status, _, _ in runs] == [0, 0]
    assert re.findall("|".join(damaged), runs[0][2]) == [*damaged]  # each once
    pairs = [[picture.path for picture in job.pictures] for job in la.load_manifest(manifest).jobs]
    assert pairs == [list(pair) for pair in pairwise(pictures)]
    manifest.write_text("# mine\n")
    status, _, message = run(*words)
    assert (status, manifest.read_text(), "manifest.toml" in message) == (1, "# mine\n", True)
    (tmp_path / "one").mkdir()
    draw(tmp_path / "one/1.png", 1)
    assert_refused(lambda: la.manifest_of_folder(tmp_path / "one", manifest, chain=True), "2 one 1")


# Running.


def test_batch_writes_same_bytes_as_make(album, tmp_path):
    for result in read_results(album / "out"):
        pictures = [album / "in" / picture["path"] for picture in result.pictures]
        film = la.make(pictures, size=12, duration=0.4, seed=result.settings["seed"])
        film.save(tmp_path / "a.gif")
        made_there = album / "out" / result.files[0]
        assert made_there.read_bytes() == (tmp_path / "a.gif").read_bytes()
        assert result.outputs[0]["bytes"] == made_there.stat().st_size
        animation = batch_folder.load_kept_animation(album / "out", result)
        assert len(animation.clicks) == result.report["moves"][0]["clicks"]
        assert len(animation.targets) == 2


def test_manifest_made_in_python_has_ids_of_file(album, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(album / "in")
    options = {"title": "One", "size": 12, "order": "sweep"}
    one = la.Source("p1.png", gamma=1.2)
    job = la.Job([Path("p0.png"), one], Path("a.gif"), sheet="a.svg", **options)
    manifest = la.Manifest(jobs=[job, la.Job(("p0.png", "none.png"), ["b.gif"])])
    pictures = ["p0.png", {"path": "p1.png", "gamma": 1.2}]
    tables = [
        {"pictures": pictures, "output": "a.gif", "sheet": "a.svg", **options},
        {"pictures": ["p0.png", "none.png"], "output": "b.gif"},
    ]
    done = []
    report = la.run_batch(manifest, tmp_path, workers=1, on_done=done.append, progress=True)
    assert (report.made, sorted(result.files[0] for result in done)) == (1, ["a.gif", "b.gif"])
    assert re.search("failed=.<Result b.gif: .*none.png.*>", repr(report))
    assert len(repr(report)) < 500
    assert capsys.readouterr().err.endswith("2 of 2 animations done, 1 failed\n")
    again = la.run_batch(la.Manifest(jobs=parse_jobs({"animation": tables})), tmp_path, workers=1)
    assert (again.made, again.skipped) == (0, 1)


@pytest.mark.parametrize(
    ("call", "facts"),
    [
        (lambda: la.Job("a.png", "b.gif"), "pictures list 'a.png'"),
        (lambda: la.Job([np.zeros((2, 2)), "a.png"], "b.gif"), "path array"),
        (lambda: la.Job(["a.png", "b.png"], 3), "output"),
        (lambda: la.Job(["a.png", "b.png"], "b.gif", sise=3), "'sise' size?"),
        (lambda: la.Job(["a.png", "b.png"], "b.gif", order=max), "order name function"),
        (lambda: la.Manifest(jobs=[]), "Job"),
        (lambda: la.Manifest(jobs=["a.png"]), "jobs Job 'a.png'"),
        (lambda: la.Manifest(jobs=[la.Job(["a", "b"], "a.gif")] * 2), "'a.gif' 2"),
        (lambda: la.run_batch("album.toml", "out"), "manifest 'album.toml'"),
    ],
)
def test_manifest_made_in_python_wrong_is_refused(call, facts):
    assert_refused(call, facts)


def test_results_have_documented_members(album):
    names = "id version pictures outputs kept settings theme sheet report seconds"
    names += " tries error traceback max_bytes canvas kept_stat updated_at"
    for line in (album / "out" / RESULTS).read_text().splitlines():
        assert " ".join(json.loads(line)) == names
    first = next(r for r in read_results(album / "out") if "a/0.gif" in r.files)
    assert first.files == ["a/0.gif", "frames", "0.html", "sheets/s.svg"]
    frames = list((album / "out/frames").iterdir())
    assert len(frames) == first.report["frames"]
    assert first.outputs[1]["bytes"] == sum(frame.stat().st_size for frame in frames)
    assert first.report["outputs"] == first.files


def test_batch_hashes_only_files_of_another_size_or_time(batch, monkeypatch):
    manifest, out = batch
    (out / "frames/00000.png").touch()
    hashed, real = [], batch_folder.sha256_of_output
    note = lambda path: (hashed.append(path.name), real(path))[1]  # noqa: E731
    monkeypatch.setattr(batch_folder, "sha256_of_output", note)
    assert run_manifest(manifest, out).skipped == 4
    assert hashed == ["frames"]
    (out / "1.gif").write_bytes(b"")
    assert run_manifest(manifest, out).skipped == 3
    results = read_results(out)
    # Version 1.0 recorded no times.
    before = [replace(result, kept_stat=None) for result in results]
    for result in before:
        for output in result.outputs:
            del output["mtime_ns"]
    hashed.clear()
    assert all(batch_folder.outputs_are_intact(out, result) for result in before)
    assert len(hashed) == sum(1 + len(result.outputs) for result in before)


def test_batch_of_earlier_layout_is_not_made_again(batch):
    manifest, out = batch
    for result in read_results(out):
        kept = batch_folder.kept_file_path(out, result.id)
        kept.rename(f"{kept.parent}.json")
        kept.parent.rename(f"{kept.parent}.originals")
    before = contents(out)
    assert run_manifest(manifest, out).skipped == 4
    assert contents(out) == before
    (out / "1.gif").unlink()
    assert run_manifest(manifest, out).made == 1


def test_check_finds_changes_that_keep_size_and_time(run, batch):
    manifest, out = batch
    (other,) = (result for result in read_results(out) if result.files == ["2.gif"])
    film, kept = out / "1.gif", batch_folder.kept_file_path(out, other.id)
    before = contents(out)
    for path in (film, kept):
        stat, content = path.stat(), bytearray(path.read_bytes())
        content[-2] ^= 1
        path.write_bytes(content)
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert run_manifest(manifest, out).skipped == 4
    assert contents(out) != before
    assert "2 skipped" in run("batch", manifest, "-o", out, "--check", "--workers", 1)[2]
    assert contents(out) == before
    assert "nothing to do" in run("batch", manifest, "-o", out, "--check")[2]


def test_prune_removes_all_files_of_a_work(album, batch):
    manifest, out = batch
    (first,) = (result for result in read_results(out) if result.files[0] == "a/0.gif")
    state = f"{STATE_FOLDER}/{first.id}"
    head, _, *other_tables = re.split(r"(?=\[\[animation\]\])", manifest.read_text())
    manifest.write_text(head + "".join(other_tables))
    parts = ("a/", "frames/", "sheets/", state)
    pruned_files = {path for path in contents(out) if path.startswith(parts)}
    progress, notes = [], []
    listener = BatchListener(begin=lambda *counts: progress.append(counts), on_note=notes.append)
    report = run_manifest(manifest, out, prune=True, listener=listener)
    assert (report.skipped, progress) == (3, [(3, 3)])
    assert contents(out).keys() == contents(album / "out").keys() - pruned_files - {"0.html"}
    assert not {"a", "frames", "sheets"} & {path.name for path in out.iterdir()}
    assert "a/0.gif, frames, 0.html" in notes[-1]
    (out / "1.gif").unlink()  # with its table: there is nothing to say of it
    manifest.write_text(head + "".join(other_tables[1:]))
    run_manifest(manifest, out, listener=BatchListener(on_note=notes.append))
    assert len(notes) == 2
    assert not (out / STATE_FOLDER / "work").exists()


def test_failed_relabel_is_noted_and_tried_again(batch):
    manifest, out = batch
    (result, *_) = (r for r in read_results(out) if r.files == ["1.gif"])
    animation_file = batch_folder.kept_file_path(out, result.id)
    animation_file.write_text("{}")  # as of a later version
    append_result(out, replace(result, kept=sha256_of_picture(animation_file)))
    manifest.write_text(manifest.read_text().replace('"1.gif"', '"1.gif"\ntitle = "New"'))
    notes = []
    for _ in range(2):
        report = run_manifest(manifest, out, listener=BatchListener(on_note=notes.append))
        assert (report.skipped, report.renewed) == (4, 0)
    assert ["1.gif" in note for note in notes] == [True, True]


@pytest.mark.parametrize(
    ("failure", "facts"),
    [
        (MemoryError(), "memory"),
        (ImportError("a.so: failed to map segment from shared object"), "memory"),
        (OSError(28, "No space left on device"), "No space left on device"),
        (ValueError("odd"), "ValueError: odd"),
        (OutputError("cannot write {}/files/a.gif beside {}/b"), "cannot write a.gif beside b"),
    ],
)
def test_worker_failure_is_outcome(album, tmp_path, monkeypatch, failure, facts):
    def fail(*_, **options):
        time.sleep(0.01)
        raise failure

    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "half.gif").touch()  # of a worker that died
    failure.args = tuple(str(arg).format(folder, folder) if arg != 28 else arg
                         for arg in failure.args)  # fmt: skip
    monkeypatch.setattr("lightsanim.apps.batch.job.make_files", fail)
    task = batches.task_for(la.load_manifest(album / "in/manifest.toml").jobs[0], album / "in")
    outcome = run_task_catching_errors(task, folder)
    result = make_result(replace(outcome, tries=2))
    assert (facts in outcome.error, outcome.task.pictures) == (True, ())
    assert (result.tries, result.error, result.outputs[0]["sha256"]) == (2, outcome.error, None)
    assert ("in fail\n" in (result.traceback or "")) == isinstance(failure, ValueError)
    assert 0.01 <= result.seconds < 9
    assert not (folder / "half.gif").exists()


@pytest.mark.posix
def test_batch_failed_job_names_reason_and_others_run(run, tmp_path):
    folder, out = tmp_path, tmp_path / "out"
    # Each output's second picture, and words of the error.
    jobs = {
        "0.gif": ("none.png", "none.png No such file"),
        "1.gif": ("bad.png", "bad.png picture"),
        "2.gif": ("pipe.png", "pipe.png file"),
        "link/4.gif": ("p1.png", f"link/4.gif link {out}"),
        "dangling.gif": ("p1.png", f"dangling.gif link {out}"),
        "mine.gif": ("p1.png", "mine.gif file batch"),
        "mine": ("p1.png", "mine folder batch"),
        "x" * 300 + ".gif": ("p1.png", "File name too long"),
        "picture.gif": ("out/picture.gif", "picture.gif pictures"),
        "good.gif": ("p1.png", None),
    }
    for path in (folder / "p0.png", folder / "p1.png", out / "picture.gif"):
        path.parent.mkdir(exist_ok=True)
        draw(path, 1)
    (folder / "bad.png").write_bytes(b"no picture")
    os.mkfifo(folder / "pipe.png")
    (out / "mine").mkdir()
    (folder / "elsewhere").mkdir()
    for path in (out / "mine/diary.txt", out / "mine.gif"):
        path.write_text("precious")
    (out / "link").symlink_to(folder / "elsewhere")
    (out / "dangling.gif").symlink_to(folder / "elsewhere/0.gif")

    tables = (
        f'[[animation]]\npictures = ["p0.png", "{picture}"]\noutput = "{output}"\n'
        for output, (picture, _) in jobs.items()
    )
    (folder / "m.toml").write_text("[defaults]\nsize = 6\nduration = 0.2\n" + "\n".join(tables))
    precious = contents(out)
    words = ["batch", "m.toml", "-o", out, "--json", "--workers", "1"]
    status, printed, message = run(*words)
    failed = {job["output"]: job["error"] for job in json.loads(printed)["failed"]}
    assert status == 1
    assert failed.keys() == jobs.keys() - {"good.gif"}
    for output, error in failed.items():
        assert all(fact in error for fact in jobs[output][1].split()), error
    assert all(f"{output}  " in message for output in failed if len(output) < 99)
    assert "1 animation made" in message
    assert dict(la.build_gallery(out, folder / "site").left_out) == failed
    (folder / "bad.png").unlink()  # no worker is needed any more
    # That a file was wanted once does not make it the batch's own.
    assert len(json.loads(run(*words)[1])["failed"]) == len(failed)
    assert contents(out).items() >= precious.items()
    assert not list((folder / "elsewhere").iterdir())


def test_load_pictures_changed_or_folder_is_refused(album):
    folder = album / "in"
    (job, *_) = la.load_manifest(folder / "manifest.toml").jobs
    task = create_task(job, ["of another", sha256_of_picture(folder / "p1.png")])
    assert_refused(lambda: load_pictures(task, folder), "p0.png changed", PictureError)
    clip = create_task(parse_jobs({"animation": [table(pictures=["in"])]})[0], "1")
    assert_refused(lambda: load_pictures(clip, album, is_local=False), "in: folder", PictureError)


def test_current_results_exclude_overwritten_files(album, tmp_path):
    (first, *_) = read_results(album / "out")
    written = {"1": "ab", "2": "bc", "3": "d", "4": "d", "5": "e"}
    results = [
        replace(
            first,
            id=id,
            outputs=[{"path": file} for file in files],
            error="x" if id == "4" else None,
        )
        for id, files in written.items()
    ]
    assert [result.id for result in current_results(results)] == ["2", "3", "5"]
    for result in (*results, replace(results[1], seconds=9), replace(results[2], report={})):
        append_result(tmp_path, result)
    # With the same report it has new words alone, and keeps its place.
    assert [result.id for result in read_results(tmp_path)] == ["1", "2", "4", "5", "3"]
    assert read_results(tmp_path)[1].seconds == 9


def test_batch_replaces_only_its_own_files(album, tmp_path):
    def is_refused(output, own=(), pictures=()):
        (job,) = parse_jobs({"animation": [table(output=output)]})
        with suppress(OutputError):
            return batch_folder.check_output_paths(tmp_path, job, own, pictures)
        return True

    for file in ("frames/100000.png", "mixed/00000.png", "short/0000.png", "b.gif/00000.png"):
        (tmp_path / file).parent.mkdir()
        (tmp_path / file).touch()
    (tmp_path / "mixed/00001.png.bak").touch()
    (tmp_path / "empty").mkdir()
    (tmp_path / "a.gif").touch()
    names = ("frames", "mixed", "short", "b.gif", "empty", "a.gif", "new.gif", "new")
    assert [name for name in names if is_refused(name, names)] == ["mixed", "short", "b.gif"]
    assert [name for name in names if is_refused(name)] == [*names[:4], "a.gif"]
    assert is_refused("new.gif", pictures=[str(tmp_path / "new.gif")])
    (job,) = la.load_manifest(write_batch(tmp_path / "in", 1)).jobs
    (tmp_path / "0.gif").write_text("precious")
    add = partial(batches.add_job, tmp_path, tmp_path / "in", job, own=())
    assert_refused(add, "0.gif", OutputError)
    assert not batch_folder.files_placed_by_batch(tmp_path)
    assert (tmp_path / "0.gif").read_text() == "precious"
    (below,) = parse_jobs(
        {"animation": [table(pictures=["p0.png", "p1.png"], output="0.gif/a.gif")]}
    )
    assert_refused(partial(batches.add_job, tmp_path, tmp_path / "in", below), "0.gif", OutputError)
    assert not batch_folder.files_placed_by_batch(tmp_path)
    (tmp_path / STATE_FOLDER / "placed").write_text('\n"a.gif"\n"b.g')  # cut off
    assert batch_folder.files_placed_by_batch(tmp_path) == {"a.gif"}
    before = batch_folder.sha256_of_output(tmp_path / "in")
    (tmp_path / "in/p0.png").rename(tmp_path / "in/p")
    assert batch_folder.sha256_of_output(tmp_path / "in") != before


@pytest.mark.parametrize(
    ("times", "code", "cause"), [(2, 1, ""), (3, -9, "signal 9"), (3, 1, "status 1")]
)
def test_task_whose_worker_dies_is_retried_alone(album, monkeypatch, times, code, cause):
    starts, limits, pending = [], [], []

    class Stub:  # in place of a process; two tasks end together, one that is begun again alone
        exitcode = code

        def __init__(self, begin, *arguments):
            begin(*arguments)
            limits.append(max_cores())

        def submit(self, _, task, folder):
            name, future = task.job.files[0], Future()
            again = sum(name == started_name for started_name, _ in starts)
            dies = name == "1.gif" and again < times
            outcome = WorkerDiedError() if dies else Outcome(task=task)
            pending.append((future.set_exception if dies else future.set_result, outcome))
            starts.append((name, len(pending)))
            if again or len(pending) > 1:
                for act, outcome in reversed(pending):
                    act(outcome)
                pending.clear()
            return future

        is_alive, stop = lambda self: True, lambda self: None

    monkeypatch.setattr("lightsanim.apps.batch.workers.Worker", Stub)
    monkeypatch.setattr("lightsanim.apps.batch.workers.exit_with_parent", lambda: None)
    tasks = [create_task(job, "12") for job in la.load_manifest(album / "in/manifest.toml").jobs]
    before = core_limit()
    limit_cores(7)
    try:
        outcomes = [*run_tasks_locally(iter(tasks), album, 2)]
    finally:
        limit_cores(before)
    assert limits == [3] * (2 + times)  # cores: each has its share
    again = [("1.gif", 1)] * 2
    assert starts == [("a/0.gif", 1), ("1.gif", 2), *again, ("2.gif", 1), ("3.gif", 2)]
    assert [outcome.task.job.files[0] for outcome in outcomes].count("1.gif") == 1
    tries = {outcome.task.job.files[0]: outcome.tries for outcome in outcomes}
    assert tries == {"a/0.gif": 1, "1.gif": 3, "2.gif": 1, "3.gif": 1}
    errors = [outcome.error for outcome in outcomes if outcome.error]
    assert [cause in error and "3 times" in error for error in errors] == [True] * (times == 3)


def test_batch_folder_of_numbered_pictures_is_a_clip(tmp_path):
    (tmp_path / "walk").mkdir()
    frames = [Image.new("L", (4, 3), 255 * (number % 2)) for number in range(5)]
    for number, frame in enumerate(frames):
        frame.save(tmp_path / f"walk/{number}.png")
    manifest = tmp_path / "m.toml"
    manifest.write_text("[[animation]]\nsize = 4\npictures = ['walk']\noutput = 'a.gif'\n")
    run_here(manifest, tmp_path / "out")
    verdict = la.verify(tmp_path / "out/a.gif")
    assert (verdict.legal, verdict.frames) == (True, 5)
    digests = {sha256_of_picture(tmp_path / "walk")}
    for name in ("5.png", "1.png"):  # one more, and another in place of one
        frames[0].save(tmp_path / "walk" / name)
        digests.add(sha256_of_picture(tmp_path / "walk"))
    assert len(digests) == 3


def test_batch_folder_unusable_is_refused(album, tmp_path, monkeypatch):
    manifest, out = album / "in/manifest.toml", tmp_path / "out"
    with batch_folder.lock_folder(out):
        assert_refused(lambda: run_manifest(manifest, out), f"another run {out}", OutputError)
    shutil.rmtree(out)
    out.write_text("a file")
    assert_refused(lambda: run_manifest(manifest, out), f"write {out}", OutputError)
    (tmp_path / "other" / RESULTS).mkdir(parents=True)
    assert_refused(lambda: run_manifest(manifest, tmp_path / "other"), "read other", OutputError)

    def replace_lock(*_):  # another run ended, and removed what it had; a third one began
        lock = tmp_path / "beside/lock"
        lock.rename(tmp_path / "ended")
        lock.touch()

    monkeypatch.setattr("fcntl.flock", replace_lock)
    lock = batch_folder.lock_folder(out, tmp_path / "beside")
    assert_refused(lock.__enter__, "another run", OutputError)


@pytest.mark.posix
def test_results_with_cut_off_newer_or_foreign_lines(album, batch):
    manifest, out = batch
    lines = (out / RESULTS).read_text().splitlines()
    later = [json.dumps({**json.loads(line), "mood": {"is": "new"}}) for line in lines]
    (out / RESULTS).write_text("\n".join(later) + "\n")
    assert run_manifest(manifest, out).skipped == 4  # what a later version adds is ignored
    (out / "2.gif").write_bytes(b"")
    done = [line for line in lines if '["3.gif"]' not in line]
    (out / RESULTS).write_text("\n".join([*done, lines[0][:-40]]))

    def meanwhile(result):  # the next one is at work
        if result.files == ["2.gif"]:
            (out / "3.gif").unlink()
            (out / "3.gif").symlink_to(out.parent / "elsewhere.gif")

    report = run_manifest(manifest, out, listener=BatchListener(on_result=meanwhile))
    (failed,) = report.failed
    assert (report.made, "3.gif" in failed.error, str(out) in failed.error) == (1, True, True)
    assert contents(out).items() <= contents(album / "out").items()  # whose workers were two
    assert len(read_results(out)) == 4
    no_result = {"outputs": json.loads(lines[0])["outputs"]}
    good = (out / RESULTS).read_text()
    wrong = (
        ("id", []),
        ("outputs", []),
        ("pictures", 5),
        ("theme", None),
        ("report", 5),
        ("error", 5),
    )
    first = json.loads(lines[0])
    for line in (no_result, 3, *({**first, name: value} for name, value in wrong)):
        (out / RESULTS).write_text(good + json.dumps(line) + "\n")
        assert_refused(lambda: run_manifest(manifest, out), "line 7", OutputError)
    (out / RESULTS).write_text(good + "[" * 100_000)
    assert len(read_results(out)) == 4


def test_job_id_changes_with_every_input(monkeypatch):
    changes = [
        *({"pictures": ["c.png", "b.png"]}, {"output": "c.gif"}, {"sheet": "s.png"}),
        *({"output": {"path": "ab.gif", "cell": 5}}, {"size": 61}, {"rgb": True}),
        *({"palette": "rose"}, {"max_bytes": 9000}, {"canvas": 99}, {"output": ["ab.gif", "c"]}),
        *({"sheet": {"path": "s.png", name: 3}} for name in ("frames", "columns")),
        {"pictures": [{"path": "a.png", "gamma": 2}, "b.png"]},
    ]
    jobs = [parse_jobs({"animation": [table(**change)]})[0] for change in [{}, *changes]]
    ids = {job_id(job, ["1", "2"]) for job in jobs} | {job_id(jobs[0], ["1", "3"])}
    assert len(ids) == len(changes) + 2
    for same in ({"pictures": ["in/a.png", "b.png"]}, {"size": "61"}):
        (job,) = parse_jobs({"animation": [table(**same)]})
        assert job_id(job, ["1", "2"]) in ids  # where a picture lies changes nothing
    looks = zip((jobs[0], jobs[7], jobs[0]), ("12", "12", "13"), strict=True)
    seeds = [create_task(job, digests).job.settings.seed for job, digests in looks]
    assert seeds[0] == seeds[1] != seeds[2]  # of the pictures alone, where none is given
    assert create_task(parse_jobs({"animation": [table(seed=7)]})[0], "12").job.settings.seed == 7
    monkeypatch.setattr("lightsanim.apps.batch.job.__version__", "0.0.9")
    assert job_id(jobs[0], ["1", "2"]) not in ids


# Without what Windows lacks: `fcntl`, and a signal.
WINDOWS = """
import signal, sys
sys.modules["fcntl"] = None
del signal.SIGHUP, signal.pthread_sigmask
from lightsanim.__main__ import main
main()
"""


@pytest.mark.long
def test_batch_without_fcntl_runs_with_note(batch):
    manifest, out = batch
    (out / "1.gif").unlink()
    command = [sys.executable, "-c", WINDOWS, "batch", manifest, "-o", out, "--workers", "1"]
    process = subprocess.run(command, capture_output=True, text=True)
    note, summary = process.stderr.splitlines()
    assert process.returncode == 0
    assert str(out) in note
    assert summary.startswith("1 animation made")


# Being stopped.

STOPPED = "lightsanim: interrupted; run the same command again to resume\n"


@pytest.fixture(scope="module")
def long_album(tmp_path_factory):
    """A batch of some more, and all that it makes, in `out`."""
    folder = tmp_path_factory.mktemp("whole")
    run_manifest(write_batch(folder / "in", 8, size=30), folder / "out")
    return folder


ENDS = [(os.kill, end) for end in (signal.SIGKILL, signal.SIGHUP, signal.SIGINT)]
ENDS += [(os.killpg, signal.SIGINT)]  # Ctrl-C in a terminal, which reaches the workers as well


@pytest.mark.long
@pytest.mark.parametrize(("tell", "end"), ENDS)
def test_batch_stopped_resumes(long_album, tell, end):
    manifest, out = long_album / "in/manifest.toml", long_album / f"{tell.__name__} {end}"
    finished, rng = [], random.Random(end)
    command = [*PROGRAM, "batch", str(manifest), "-o", str(out), "--workers", "2"]
    for _ in range(2):
        own = {"stderr": subprocess.PIPE, "text": True, "start_new_session": True}
        process = subprocess.Popen(command, **own)
        started = len(read_results(out))
        until(lambda n=started, p=process: len(read_results(out)) > n or p.poll() is not None)
        time.sleep(rng.random() * 0.2)
        with suppress(ProcessLookupError):  # it may be done already
            tell(process.pid, end)
        message = process.communicate(timeout=20)[1]
        if end != signal.SIGKILL and len(read_results(out)) < 8:
            assert (process.returncode, message) == (128 + end, STOPPED)
            assert not (out / STATE_FOLDER / "work").exists()
        finished.append(len(read_results(out)))
    report = run_manifest(manifest, out)
    assert finished == sorted(finished)
    assert report.skipped == finished[-1]
    ids = re.findall(r'(?m)^{"id": "(\w+)".*}$', (out / RESULTS).read_text())
    assert len(ids) == len({*ids}) == 8  # none made twice
    assert contents(out) == contents(long_album / "out")


@pytest.mark.long
def test_script_without_main_guard_is_refused_once(tmp_path):
    jobs = '[la.Job(["sample:sun", "sample:moon"], f"{n}.gif", size=5) for n in range(3)]'
    run = f'la.run_batch(la.Manifest(jobs={jobs}), "out", workers=2)'
    script = tmp_path / "films.py"
    script.write_text(f"import lightsanim as la\n{run}\n")
    done = subprocess.run(
        [sys.executable, script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr.count("Traceback")) == (1, 1)
    assert '`if __name__ == "__main__":`' in done.stderr.splitlines()[-1]
    assert not [*tmp_path.glob("out/*.gif")]


@pytest.mark.long
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
def test_batch_ended_leaves_no_worker(tmp_path, end):
    # The paper's program has no end on such a board but its time limit.
    manifest = write_batch(tmp_path / "in", 8, size="30x30", more='ip = "paper"\ntime_limit = 60\n')
    command = [*PROGRAM, "batch", str(manifest), "-o", str(tmp_path / "out"), "--workers", "2"]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    work = tmp_path / "out" / STATE_FOLDER / "work"
    until(lambda: work.is_dir() and len([*work.iterdir()]) == 2)  # both are at work
    children = batches.children_of(process.pid)
    assert len(children) == 3  # and what tracks the semaphores
    process.send_signal(end)
    process.wait(10)
    until(lambda: not any(map(batches.is_alive, children)))
    assert not any(map(batches.is_alive, children))
