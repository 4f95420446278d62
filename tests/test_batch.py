"""Batches: the manifest, the workers, and what a run leaves behind."""

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from dataclasses import fields, replace

import pytest
from batches import (
    PROGRAM,
    KillsItsWorker,
    children_of,
    contents,
    draw,
    is_alive,
    lightsanim,
    write_batch,
)
from typer.main import get_command

import lightsanim as la
from lightsanim.batch import runner
from lightsanim.batch.folder import OWN, kept_animation, locked
from lightsanim.batch.from_folder import manifest_of_folder, pictures_in
from lightsanim.batch.job import id_of
from lightsanim.batch.manifest import KEYS, jobs_of, load_manifest
from lightsanim.batch.results import RESULTS, Result, read_results, standing
from lightsanim.batch.runner import Listener, run_batch
from lightsanim.cli import app
from lightsanim.errors import ManifestError, OptionError, OutputError


@pytest.fixture
def batch(tmp_path):
    return write_batch(tmp_path / "in")


def run(manifest, folder, **more):
    return run_batch(load_manifest(manifest), folder, **more)


# The manifest.


def problems_of(document):
    with pytest.raises(ManifestError) as caught:
        jobs_of(document)
    return caught.value.problems


def table(**more):
    return {"pictures": ["a.png", "b.png"], "output": "ab.gif", **more}


def nested(depth):
    value = 1
    for _ in range(depth):
        value = {"a": value}
    return value


@pytest.mark.parametrize(
    ("document", "problem"),
    [
        ({}, r"there is no animation; add a table \[\[animation\]\]"),
        ({"animation": []}, "there is no animation"),
        ({"animations": [], "animation": [table()]},
         r"unknown table or key 'animations'; did you mean animation\?"),
        ({"animation": table()}, r"animation must be tables, \[\[animation\]\] each"),
        ({"animation": [3]}, "animation must be tables"),
        ({"defaults": 3, "animation": [table()]}, r"defaults must be a table, \[defaults\]"),
        ({"defaults": {"sise": 3}, "animation": [table()]},
         r"\[defaults\]: unknown key 'sise'; did you mean size\?"),
        ({"defaults": {"pictures": []}, "animation": [table()]},
         r"\[defaults\]: unknown key 'pictures'"),
        ({"defaults": {"order": "sweeep"}, "animation": [table()]},
         r"\[defaults\]: order must be one of .*, not 'sweeep'; did you mean sweep\?"),
        ({"animation": [table(palete="amber")]},
         r"\[\[animation\]\] 1: unknown key 'palete'; did you mean palette\?"),
        ({"animation": [table(), table(output="c.gif", fps=0)]},
         r"\[\[animation\]\] 2: fps must be"),
        ({"animation": [table(perfect="yes")]}, "perfect must be true or false, not 'yes'"),
        ({"animation": [table(cycle=[True])]}, "cycle must be a single value"),
        ({"animation": [table(pictures=["a.png"])]}, "pictures must be a list of at least 2 paths"),
        ({"animation": [table(pictures="a.png")]}, "pictures must be a list .* not 'a.png'"),
        ({"animation": [{"output": "a.gif"}]}, "pictures must be a list .* not None"),
        ({"animation": [{"pictures": ["a", "b"]}]}, "output must be a file, or a list of files"),
        ({"animation": [table(output=[])]}, "output must be a file, or a list of files"),
        ({"animation": [table(output=3)]}, "output must be a file, or a list of files"),
        ({"animation": [table(output="a.gfi")]}, r"unknown suffix '.gfi'.*did you mean .gif\?"),
        ({"animation": [table(output="../a.gif")]}, "'../a.gif' must be a file in the batch's"),
        ({"animation": [table(output="b/../../a.gif")]}, "must be a file in the batch's folder"),
        ({"animation": [table(output="/tmp/a.gif")]}, "must be a file in the batch's folder"),
        ({"animation": [table(output="..\\a.gif")]}, "must be a file in the batch's folder"),
        ({"animation": [table(output=".lightsanim/a.gif")]}, "must be a file in the batch's"),
        ({"animation": [table(output="")]}, "must be a file in the batch's folder"),
        ({"animation": [table(sheet="../a.png")]}, "'../a.png' must be a file in the batch's"),
        ({"animation": [table(sheet="a.bmp")]}, "a.bmp"),
        ({"animation": [table(sheet="a.png", sheet_frames=0)]}, "sheet_frames must be"),
        ({"animation": [table(output="results.jsonl/a.gif")]}, "must be a file in the batch's"),
        ({"animation": [table(output="a\0.gif")]}, "must be a file in the batch's folder"),
        ({"animation": [table(pictures=["a", "b\0"])]}, "must be paths, which hold no NUL"),
        ({"animation": [table(fps=10**400)]}, "fps is a number of 1329 bits; that is too large"),
        ({"animation": [table(seed=2**70000)]}, "seed is a number of 70001 bits"),
        ({"animation": [table(size=nested(9000))]}, "size must be a single value"),
        ({"animation": [table(pictures=nested(9000))]}, "pictures must be a list"),
        ({"animation": [table(time_limit=True)]}, "more than 0 seconds, not True"),
        ({"animation": [table(), table(output="./ab.gif")]}, "'ab.gif' is written 2 times"),
        ({"animation": [table(hold_last=1000)]}, "a GIF shows a frame for at most 655 seconds"),
        ({"animation": [table(output=["a.gif", "./a.gif"])]}, "'a.gif' is written 2 times"),
        ({"animation": [table(), table()]}, "'ab.gif' is written 2 times"),
        ({"animation": [table(output="frames"), table(output="frames/a.gif")]},
         "'frames/a.gif' lies in 'frames', which is an output itself"),
    ],
)  # fmt: skip
def test_a_manifest_that_cannot_be_run_says_where_and_why(document, problem):
    (said,) = problems_of(document)
    assert re.search(problem, said), said


def test_all_that_is_wrong_is_said_at_once():
    document = {"defaults": {"sise": 1}, "animation": [table(fsp=1), table(output="x", fps=-1)]}
    where = [problem.split(":")[0] for problem in problems_of(document)]
    assert where == ["[defaults]", "[[animation]] 1", "[[animation]] 2"]


def test_a_table_overrides_the_defaults():
    document = {"defaults": {"size": 8, "palette": "rose"}, "animation": [table(size="9x9")]}
    (job,) = jobs_of(document)
    assert (job.settings.size, job.theme.palette) == ("9x9", "rose")


def test_every_option_of_make_is_a_key():
    options = {parameter.name for parameter in get_command(app).commands["make"].params}
    about_the_run = {"overwrite", "as_json", "quiet", "verbose"}
    assert options - about_the_run == KEYS


def test_a_manifest_that_is_no_toml_names_the_line(tmp_path):
    (tmp_path / "m.toml").write_text("[defaults]\nsize = \n")
    with pytest.raises(ManifestError, match=r"m\.toml: not TOML: .*line 2"):
        load_manifest(tmp_path / "m.toml")
    (tmp_path / "n.toml").write_bytes(b"\xff\xfe")
    (tmp_path / "bom.toml").write_bytes(b"\xef\xbb\xbf[defaults]\r\nsize = 3\r\n")
    with pytest.raises(ManifestError, match="there is no animation"):
        load_manifest(tmp_path / "bom.toml")
    for name, reason in {
        "n.toml": "not TOML",
        "none.toml": "No such file",
        ".": "directory",
    }.items():
        with pytest.raises(ManifestError, match=reason):
            load_manifest(tmp_path / name)


# A manifest of a folder.


@pytest.mark.parametrize(("mode", "pairs"), [("chain", ["1-2", "2-10"]), ("pairs", ["1-2"])])
def test_a_folder_s_manifest_takes_its_pictures_in_their_natural_order(tmp_path, mode, pairs):
    folder = tmp_path / "in"
    folder.mkdir()
    for name in ("10.png", "2.jpg", "1.png", ".hidden.png"):
        draw(folder / name, 1)
    (folder / "notes.txt").write_text("not a picture")
    manifest = tmp_path / "m.toml"
    manifest.write_text(manifest_of_folder(folder, manifest, chain=mode == "chain"))
    jobs = load_manifest(manifest).jobs
    assert [job.outputs for job in jobs] == [(f"{pair}.gif",) for pair in pairs]
    assert jobs[0].pictures == ("in/1.png", "in/2.jpg")
    assert ("left over" in manifest.read_text()) == (mode == "pairs")


def test_names_of_pictures_that_are_alike_or_odd_make_a_good_manifest(tmp_path):
    odd = ['a".png', "a\n.png", "é.png", "[[x]].png", "a\\.png", "same.png", "same.jpg", "\x7f.png"]
    for number, name in enumerate(odd):
        draw(tmp_path / name, number)
    manifest = tmp_path / "m.toml"
    manifest.write_text(manifest_of_folder(tmp_path, manifest, chain=True), encoding="utf-8")
    jobs = load_manifest(manifest).jobs
    assert {path for job in jobs for path in job.pictures} == set(odd)
    assert all((tmp_path / path).is_file() for job in jobs for path in job.pictures)


def test_what_a_manifest_cannot_name_or_nobody_reads_is_left_out(tmp_path):
    for name in ("1.png", "2.png", "01.png", "A.png", "a.png"):
        draw(tmp_path / name, 1)
    for name in (b"x\xff.png", b"film.mpg", b"plot.eps", b"paper.pdf", b"table.h5"):
        (tmp_path / os.fsdecode(name)).write_bytes(b"nothing")
    names = [path.name for path in pictures_in(tmp_path)]
    assert names == ["01.png", "1.png", "2.png", "A.png", "a.png"]


def test_a_manifest_behind_a_link_finds_its_pictures(tmp_path):
    for number in range(2):
        draw(tmp_path / f"{number}.png", number)
    (tmp_path / "real/deep").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "real/deep")
    manifest = tmp_path / "link/m.toml"
    manifest.write_text(manifest_of_folder(tmp_path, manifest, chain=True))
    assert run(manifest, tmp_path / "out").made == 1


def test_long_names_make_short_outputs(tmp_path):
    for letter in "ab":
        draw(tmp_path / (letter * 200 + ".png"), 1)
    manifest = tmp_path / "m.toml"
    manifest.write_text(manifest_of_folder(tmp_path, manifest, chain=True))
    assert run(manifest, tmp_path / "out").made == 1


def test_a_folder_without_pictures_is_said(tmp_path):
    with pytest.raises(OptionError, match=r"at least 2 pictures are needed, and .* holds 0"):
        manifest_of_folder(tmp_path, tmp_path / "m.toml", chain=True)
    with pytest.raises(OutputError, match="cannot read"):
        manifest_of_folder(tmp_path / "none", tmp_path / "m.toml", chain=True)


def test_two_commands_make_a_folder_of_animations_and_the_second_time_nothing(tmp_path):
    for number in range(3):
        draw(tmp_path / f"{number}.png", number)
    words = ["batch", "--from-folder", ".", "--chain", "-o", "out"]
    first, again = (lightsanim(*words, cwd=tmp_path) for _ in range(2))
    assert (first.returncode, again.returncode) == (0, 0), first.stderr
    assert "2 animations made" in first.stderr
    assert again.stderr == "All 2 animations are there already; nothing to do.\n"
    (tmp_path / "manifest.toml").write_text("# mine\n")
    refused = lightsanim(*words, cwd=tmp_path)
    assert refused.returncode == 1
    assert "manifest.toml exists and is not what would be written" in refused.stderr
    assert (tmp_path / "manifest.toml").read_text() == "# mine\n"


# Running.


def test_a_batch_makes_what_make_makes(batch, tmp_path):
    report = run(batch, tmp_path / "out")
    assert (report.jobs, report.made, report.skipped, report.failed) == (4, 4, 0, ())
    for result in read_results(tmp_path / "out"):
        pictures = [batch.parent / picture["path"] for picture in result.pictures]
        la.make(pictures, size=12, duration=1, seed=result.settings["seed"]).save(
            tmp_path / "a.gif"
        )
        made = tmp_path / "out" / result.files[0]
        assert made.read_bytes() == (tmp_path / "a.gif").read_bytes()
        kept = kept_animation(tmp_path / "out", result)
        assert len(kept.clicks) == result.report["moves"][0]["clicks"]
        assert len(kept.targets) == 2


def test_the_results_are_as_documented(batch, tmp_path):
    run(batch, tmp_path / "out")
    line, *_ = (tmp_path / "out" / RESULTS).read_text().splitlines()
    assert list(json.loads(line)) == [
        *("id", "version", "pictures", "outputs", "kept", "settings", "theme", "sheet"),
        *("sheet_frames", "report", "seconds", "tries", "error"),
    ]


@pytest.mark.parametrize("workers", [1, 3])
def test_the_number_of_workers_changes_nothing(batch, tmp_path, workers):
    outputs = '["0.gif", "0.mp4", "0.webm", "0.webp", "0.apng", "0.html", "0.json", "0"]'
    batch.write_text(batch.read_text().replace('"0.gif"', outputs))
    run(batch, tmp_path / "two", workers=2)
    run(batch, tmp_path / "other", workers=workers)
    assert contents(tmp_path / "two") == contents(tmp_path / "other")


def test_a_second_run_does_nothing(batch, tmp_path):
    run(batch, tmp_path / "out")
    lines = (tmp_path / "out" / RESULTS).read_text()
    told = []
    report = run(batch, tmp_path / "out", listener=Listener(on_result=told.append))
    assert (report.made, report.skipped, told) == (0, 4, [])
    assert (tmp_path / "out" / RESULTS).read_text() == lines


def test_only_what_changed_is_made_again(batch, tmp_path):
    out = tmp_path / "out"
    run(batch, out)
    draw(batch.parent / "p0.png", 99)  # of the first animation alone
    batch.write_text(batch.read_text().replace('"3.gif"\n', '"3.gif"\norder = "sweep"\n'))
    (out / "1.gif").unlink()
    before = {path: path.stat().st_mtime_ns for path in out.glob("*.gif")}
    told = []
    report = run(batch, out, listener=Listener(on_result=told.append))
    assert (report.made, report.skipped) == (3, 1)
    assert sorted(result.files[0] for result in told) == ["0.gif", "1.gif", "3.gif"]
    assert (out / "2.gif").stat().st_mtime_ns == before[out / "2.gif"]
    assert len(list((out / OWN).glob("*.json"))) == len(standing(read_results(out))) == 4


def test_what_comes_back_as_it_was_is_made_again(batch, tmp_path):
    # The file's name is the same, but another job has written over it in between.
    text = batch.read_text()
    run(batch, tmp_path / "out")
    first = contents(tmp_path / "out")
    batch.write_text(text.replace("size = 12", "size = 13"))
    run(batch, tmp_path / "out")
    batch.write_text(text)
    assert run(batch, tmp_path / "out").made == 4
    assert contents(tmp_path / "out") == first


def test_one_job_that_fails_does_not_stop_the_others(batch, tmp_path):
    (batch.parent / "p1.png").write_bytes(b"no picture")
    (batch.parent / "p4.png").unlink()
    out = lightsanim("batch", batch, "-o", tmp_path / "out", "--json")
    assert out.returncode == 1
    failed = {job["output"]: job["error"] for job in json.loads(out.stdout)["failed"]}
    assert sorted(failed) == ["0.gif", "1.gif", "3.gif"]
    assert failed["0.gif"].startswith("cannot read p1.png: it is not a picture")
    assert failed["3.gif"] == "cannot read p4.png: No such file or directory"
    assert "1 animation made" in out.stderr
    assert all(f"{name}  " in out.stderr for name in failed)
    draw(batch.parent / "p1.png", 1)
    draw(batch.parent / "p4.png", 4)
    report = run(batch, tmp_path / "out")
    assert (report.made, report.skipped) == (3, 1)


def test_a_picture_that_changes_while_the_batch_runs_is_noticed(batch, tmp_path):
    def change(jobs, done):
        draw(batch.parent / "p4.png", 77)

    report = run(batch, tmp_path / "out", listener=Listener(begin=change))
    (failed,) = report.failed
    assert failed.error == "p4.png was changed while the batch ran; run it again"
    assert run(batch, tmp_path / "out").made == 1


def test_several_outputs_sheets_and_folders_of_frames(tmp_path):
    more = 'sheet = "sheets/s.svg"\nsheet_frames = 3\n'
    manifest = write_batch(tmp_path / "in", 1, more=more)
    manifest.write_text(manifest.read_text().replace('"0.gif"', '["a/0.gif", "frames", "0.html"]'))
    for _ in range(2):  # the second time over the first one's files
        assert run(manifest, tmp_path / "out").made == 1
        (result,) = read_results(tmp_path / "out")
        assert result.files == ["a/0.gif", "frames", "0.html", "sheets/s.svg"]
        assert len(list((tmp_path / "out/frames").iterdir())) == result.report["frames"]
        (tmp_path / "out/a/0.gif").unlink()


@pytest.mark.parametrize("place", ["link/0.gif", "0.gif"])
def test_no_output_leaves_the_folder_through_a_link(tmp_path, place):
    manifest, out = write_batch(tmp_path / "in", 1), tmp_path / "out"
    manifest.write_text(manifest.read_text().replace("0.gif", place))
    (tmp_path / "elsewhere").mkdir()
    out.mkdir()
    (out / "link").symlink_to(tmp_path / "elsewhere")
    (out / "0.gif").symlink_to(tmp_path / "elsewhere/0.gif")
    (failed,) = run(manifest, out).failed
    assert failed.error == f"cannot write {place}: a link leads out of {out}"
    assert not list((tmp_path / "elsewhere").iterdir())


@pytest.mark.parametrize("own", [".lightsanim", ".lightsanim/lock", ".lightsanim/work", RESULTS])
def test_the_batch_s_own_things_are_not_kept_behind_a_link(batch, tmp_path, own):
    elsewhere, place = tmp_path / "elsewhere", tmp_path / "out" / own
    (elsewhere / "work").mkdir(parents=True)
    (elsewhere / "notes.json").write_text("{}")
    (elsewhere / "work/thesis").write_text("precious")
    place.parent.mkdir(parents=True)
    place.symlink_to(elsewhere if "." not in place.name[1:] else elsewhere / "notes.json")
    with pytest.raises(OutputError, match=f"{own} is a link or a device"):
        run(batch, tmp_path / "out")
    assert (elsewhere / "work/thesis").read_text() == "precious"
    assert (elsewhere / "notes.json").read_text() == "{}"


def test_the_user_s_files_are_not_replaced(tmp_path):
    manifest, out = write_batch(tmp_path / "in", 1), tmp_path / "out"
    manifest.write_text(manifest.read_text().replace('"0.gif"', '["0.gif", "frames"]'))
    out.mkdir()
    (out / "0.gif").write_text("precious")
    for _ in range(2):
        (failed,) = run(manifest, out).failed
        assert failed.error.startswith(
            "cannot write 0.gif: a file that is not this batch's is there"
        )
    assert (out / "0.gif").read_text() == "precious"
    (out / "0.gif").unlink()
    assert run(manifest, out).made == 1
    (out / "frames/diary.txt").write_text("precious")
    (failed,) = run(manifest, out).failed
    assert failed.error.startswith("cannot write frames: a folder with what is not this batch's")
    assert (out / "frames/diary.txt").read_text() == "precious"


def test_a_run_that_ends_between_placing_and_noting_is_taken_up(tmp_path, monkeypatch):
    manifest = write_batch(tmp_path / "in", 1)
    manifest.write_text(manifest.read_text().replace('"0.gif"', '["0.gif", "frames"]'))
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(runner, "append_result", interrupt)
        run(manifest, tmp_path / "out")
    assert (tmp_path / "out/frames").is_dir()
    assert run(manifest, tmp_path / "out").made == 1
    (tmp_path / "out" / RESULTS).unlink()
    assert run(manifest, tmp_path / "out").made == 1


def interrupt(*arguments):
    raise KeyboardInterrupt


def test_a_name_too_long_stops_its_own_job_only(batch, tmp_path):
    batch.write_text(batch.read_text().replace('"0.gif"', f'"{"x" * 300}.gif"'))
    report = run(batch, tmp_path / "out")
    assert (report.made, len(report.failed)) == (3, 1)
    assert "File name too long" in report.failed[0].error


def test_a_module_in_the_folder_is_not_taken_for_ours(batch, tmp_path):
    (tmp_path / "socket.py").write_text("raise SystemExit('taken')")
    command = [sys.executable, "-P", "-m", "lightsanim", "batch", str(batch), "-o", "out"]
    out = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert out.returncode == 0, out.stderr


def test_a_picture_that_is_a_pipe_is_not_waited_for(batch, tmp_path):
    (batch.parent / "p0.png").unlink()
    os.mkfifo(batch.parent / "p0.png")
    (failed,) = run(batch, tmp_path / "out").failed
    assert failed.error == "cannot read p0.png: it is not a file, or may not be read"


def test_what_is_not_the_batch_s_own_is_not_replaced(tmp_path):
    manifest = write_batch(tmp_path / "in", 1, more='sheet = "p0.png"\n')
    (failed,) = run(manifest, manifest.parent).failed
    assert failed.error == "cannot write p0.png: it is one of the pictures"
    manifest.write_text(
        manifest.read_text().replace('p0.png"\n', 's.png"\n', 1).replace('"0.gif"', '"mine"')
    )
    manifest.write_text(manifest.read_text().replace('pictures = ["s.png"', 'pictures = ["p0.png"'))
    (tmp_path / "out/mine").mkdir(parents=True)
    (tmp_path / "out/mine/diary.txt").write_text("dear diary")
    for _ in range(2):  # that it was wanted once does not make it the batch's own
        (failed,) = run(manifest, tmp_path / "out").failed
        assert "a folder with what is not this batch's" in failed.error
    assert (tmp_path / "out/mine/diary.txt").exists()


def test_two_runs_in_one_folder_are_refused(batch, tmp_path):
    with locked(tmp_path / "out"):
        out = lightsanim("batch", batch, "-o", tmp_path / "out")
    assert (out.returncode, out.stdout) == (1, "")
    assert out.stderr == f"lightsanim: another run is at work in {tmp_path}/out; wait for its end\n"
    assert lightsanim("batch", batch, "-o", tmp_path / "out").returncode == 0


def test_a_cut_line_of_the_results_is_none(batch, tmp_path):
    out = tmp_path / "out"
    run(batch, out)
    text = (out / RESULTS).read_text()
    (out / RESULTS).write_text(text[:-40])
    assert run(batch, out).made == 1
    assert len(read_results(out)) == 4
    assert run(batch, out).made == 0


@pytest.mark.parametrize(
    "line",
    ["", "null", "[]", "{}", "{" * 10_000, '{"id": 3}', "\ud800", '"x"', "NaN"],
)
def test_lines_that_are_no_results_are_ignored(line):
    assert Result.from_line(line) is None


@pytest.mark.parametrize(
    "change",
    [
        {"id": "../../x"},
        {"outputs": []},
        {"outputs": [{"path": "../a.gif", "bytes": 1, "sha256": "1"}]},
        {"outputs": [{"path": "/etc/passwd", "bytes": 1, "sha256": "1"}]},
        {"outputs": [{"path": "a\0.gif", "bytes": 1, "sha256": "1"}]},
        {"outputs": [{"path": "a\ud800.gif", "bytes": 1, "sha256": "1"}]},
        {"outputs": [{"path": "a.gif", "bytes": "1", "sha256": "1"}]},
        {"outputs": {"path": "a.gif"}},
        {"pictures": [3]},
        {"settings": []},
        {"report": 3},
        {"report": None},
        {"kept": 3},
        {"error": {}},
        {"more": 1},
    ],
    ids=str,
)
def test_results_that_lead_elsewhere_or_are_malformed_are_ignored(batch, tmp_path, change):
    run(batch, tmp_path)
    good = json.loads((tmp_path / RESULTS).read_text().splitlines()[0])
    assert Result.from_line(json.dumps(good)) is not None
    assert Result.from_line(json.dumps({**good, **change})) is None


OTHER = {
    "dither": "bayer",
    "fit": "stretch",
    "tone": "linear",
    "ip": "parity",
    "order": "sweep",
    "press": "lit",
    "ease": "in-out",
    "shape": "circle",
    "palette": "rose",
    "background": "red",
    "lit": "red",
    "unlit": "blue",
    "mark": "green",
    "size": 61,
    "clicks_per_frame": 3,
    "seed": 5,
    "rule": "king",
    "cell": 3,
    "gap": 2,
}


def other(default, name):
    if name in OTHER:
        return OTHER[name]
    return (
        not default
        if isinstance(default, bool)
        else default + 0.125 * (1 + 7 * (default == int(default)))
    )


@pytest.mark.parametrize("kind", [la.Settings, la.Theme])
def test_every_option_changes_the_id(kind):
    base = {"pictures": ["a.png", "b.png"], "output": "ab.gif"}
    ids = {id_of(jobs_of({"animation": [base]})[0], ["1", "2"])}
    for field in fields(kind):
        value = other(field.default, field.name)
        (job,) = jobs_of(
            {
                "animation": [
                    {**base, field.name: int(value) if type(field.default) is int else value}
                ]
            }
        )
        ids.add(id_of(job, ["1", "2"]))
    assert len(ids) == len(fields(kind)) + 1


def test_pictures_their_names_and_the_outputs_change_the_id():
    base = {"pictures": ["a.png", "b.png"], "output": "ab.gif"}
    changes = [
        {"pictures": ["c.png", "b.png"]},
        {"output": "c.gif"},
        {"sheet": "s.png"},
        {"sheet_frames": 5},
    ]
    jobs = [jobs_of({"animation": [{**base, **change}]})[0] for change in [{}, *changes]]
    ids = {id_of(job, ["1", "2"]) for job in jobs} | {id_of(jobs[0], ["1", "3"])}
    assert len(ids) == len(changes) + 2
    (moved,) = jobs_of({"animation": [{**base, "pictures": ["in/a.png", "b.png"]}]})
    assert id_of(moved, ["1", "2"]) in ids  # where a picture lies changes nothing


def test_an_unwritable_folder_is_said(batch, tmp_path):
    (tmp_path / "out").write_text("a file")
    out = lightsanim("batch", batch, "-o", tmp_path / "out")
    assert (out.returncode, out.stderr.count("\n")) == (1, 1)
    assert "cannot write to" in out.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "name a manifest, or a folder of pictures with --from-folder"),
        (["m.toml"], "name a folder for the animations with -o"),
        (["--from-folder", "."], "--from-folder needs either --chain or --pairs"),
        (["--from-folder", ".", "--chain", "--pairs"], "needs either --chain or --pairs"),
        (["m.toml", "--chain", "-o", "out"], "--chain and --pairs say how to write a manifest"),
        (["m.toml", "-o", "out", "--workers", "0"], "No such file"),
    ],
)
def test_wrong_usage_is_one_line(tmp_path, words, message):
    out = lightsanim("batch", *words, cwd=tmp_path)
    assert (out.returncode, out.stdout) == (2, "")
    assert out.stderr.count("\n") == 1
    assert message in out.stderr


def test_the_number_of_workers_is_checked(batch, tmp_path):
    with pytest.raises(OptionError, match="workers must be a whole number from 1 to 1000, not 0"):
        run(batch, tmp_path / "out", workers=0)
    with pytest.raises(OptionError, match="workers and dask exclude each other"):
        run(batch, tmp_path / "out", workers=1, dask="tcp://127.0.0.1:1")


# Being stopped.


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_run_that_is_stopped_goes_on_where_it_was(tmp_path, end):
    manifest = write_batch(tmp_path / "in", 12, size=40)
    run(manifest, tmp_path / "whole")
    out, finished, rng = tmp_path / "out", [], random.Random(end)
    for _ in range(3):
        command = [*PROGRAM, "batch", str(manifest), "-o", str(out), "--workers", "2"]
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        started = len(read_results(out))
        deadline = time.monotonic() + 30
        while len(read_results(out)) == started and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(rng.random() * 0.2)
        process.send_signal(end)
        said = process.communicate(timeout=20)[1]
        if end != signal.SIGKILL and len(read_results(out)) < 12:
            assert process.returncode == 128 + end
            assert said == "lightsanim: interrupted\n"
            assert not (out / OWN / "work").exists()
        finished.append(len(read_results(out)))
    report = run(manifest, out)
    assert finished == sorted(finished)
    assert report.skipped == finished[-1]
    lines = (out / RESULTS).read_text().splitlines()
    assert len({line[:80] for line in lines if Result.from_line(line)}) == 12
    assert sum(Result.from_line(line) is not None for line in lines) == 12  # none made twice
    assert contents(out) == contents(tmp_path / "whole")


def test_ctrl_c_in_a_terminal_reaches_all_and_is_one_line(tmp_path):
    manifest = write_batch(tmp_path / "in", 12, size=60)
    for seconds in (0.5, 0.7, 0.9, 1.1):
        process = subprocess.Popen(
            [*PROGRAM, "batch", str(manifest), "-o", str(tmp_path / "out")],
            stderr=subprocess.PIPE, text=True, start_new_session=True,
        )  # fmt: skip
        time.sleep(seconds)
        os.killpg(process.pid, signal.SIGINT)
        said = process.communicate(timeout=20)[1]
        if len(read_results(tmp_path / "out")) < 12:
            assert (process.returncode, said) == (130, "lightsanim: interrupted\n")


def test_no_worker_outlives_a_killed_run(tmp_path):
    # The paper's program has no end on such a board but its time limit.
    manifest = write_batch(tmp_path / "in", 8, size="30x30", more='ip = "paper"\ntime_limit = 60\n')
    process = subprocess.Popen([*PROGRAM, "batch", str(manifest), "-o", str(tmp_path / "out")])
    while not (children := children_of(process.pid)):
        time.sleep(0.02)
    time.sleep(0.5)
    children = children_of(process.pid)
    process.kill()
    process.wait()
    deadline = time.monotonic() + 10
    while any(map(is_alive, children)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert children
    assert not any(map(is_alive, children))


@pytest.mark.parametrize("times", [2, 3])
def test_a_job_whose_workers_die_is_tried_three_times(tmp_path, monkeypatch, times):
    manifest = write_batch(tmp_path / "in", 3)
    (tmp_path / "marks").mkdir()
    real = runner.with_pictures

    def deadly(task, folder):
        task = real(task, folder)
        if task.job.outputs == ("1.gif",):
            return replace(task, pictures=KillsItsWorker(task.pictures, tmp_path / "marks", times))
        return task

    monkeypatch.setattr(runner, "with_pictures", deadly)
    report = run(manifest, tmp_path / "out")
    tries = {result.files[0]: result.tries for result in read_results(tmp_path / "out")}
    assert tries == {"0.gif": 1, "1.gif": 3, "2.gif": 1}
    failed = [result.error for result in report.failed]
    died = "its worker died 3 times, at last by signal 9; is there memory enough for it?"
    assert failed == ([died] if times == 3 else [])
