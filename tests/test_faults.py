"""Faults: each ends with the right exit status, one line on standard error, and nothing left over.

A full disk, streams without a reader, places that are taken, pictures that change, signals in
every stage, workers that die, solvers that are wrong, caches that are wrong.
"""

import hashlib
import os
import re
import shutil
import signal
import subprocess
import tempfile
from functools import partial
from itertools import product
from pathlib import Path

import pytest
from tools.batches import contents, draw, write_batch
from tools.faults import Nursery
from tools.program import PROGRAM, outside

from lightsanim import load_animation
from lightsanim.apps.batch.batch_folder import STATE_FOLDER, kept_file_path
from lightsanim.apps.batch.results import read_results
from lightsanim.options.choices import SUFFIXES

BLOCK = 4096

IMPORTS = "import os, shutil, signal, threading\nimport numpy as np\nfrom tools.faults import *\n"


def but_first_long(quick, *slow):
    """Values for a test: all but the first are long."""
    return [quick, *(pytest.param(value, marks=pytest.mark.long) for value in slow)]


@pytest.fixture(scope="module")
def nursery():
    nursery = Nursery()
    yield nursery
    nursery.close()


@pytest.fixture(scope="module")
def ready(nursery, tmp_path_factory):
    """Pictures, a manifest, and an animation as x.json and x.gif; for reading only."""
    folder = tmp_path_factory.mktemp("ready")
    for number, name in enumerate("ab"):
        draw(folder / f"{name}.png", number)
    (folder / "clues.txt").write_text("4 6 4\n6 9 6\n4 6 4\n")
    result = nursery.run(*MAKE, "-o", "x.json", "-o", "x.gif", cwd=folder)
    assert result.status == 0, result.stderr
    manifest = write_batch(folder, 2)
    manifest.write_text(manifest.read_text().replace('"0.gif"', '["0.gif", "frames"]'))
    return folder


@pytest.fixture(scope="module")
def known_batch(nursery, ready, tmp_path_factory):
    """The same with the batch made, and its gallery; for reading only."""
    folder = Path(shutil.copytree(ready, tmp_path_factory.mktemp("album") / "album"))
    for words in (BATCH, ["gallery", "batch", "-o", "site"]):
        assert nursery.run(*words, cwd=folder).status == 0
    return folder


@pytest.fixture
def folder(ready, tmp_path):
    return Path(shutil.copytree(ready, tmp_path / "place"))


@pytest.fixture
def album(folder, known_batch):
    """A copy of that to change."""
    return Path(shutil.copytree(known_batch, folder, dirs_exist_ok=True))


@pytest.fixture
def run(nursery, folder):
    """Runs the program there, and looks that nothing of it is left when it is over."""

    def run(*words, before="", **streams):
        result = nursery.run(*words, cwd=folder, before=IMPORTS + before, **streams)
        assert not result.orphans
        assert not list(nursery.temporary.iterdir())
        assert not [path for path in folder.rglob(".*") if path.name not in HIDDEN_FILES]
        return result

    return run


# Files with a dot that may be there.
HIDDEN_FILES = (STATE_FOLDER, ".lightsanim-gallery.json")

SMALL = ("--size", "12x8", "--seed", "1", "--duration", "1", "--canvas", "72", "-q")
MAKE = ("make", "a.png", "b.png", *SMALL)
BATCH = ["batch", "manifest.toml", "-o", "batch", "--workers", "1"]


files = partial(contents, but=("ballast",))


def assert_one_line(result, status=1, facts=""):
    assert (result.status, result.stdout) == (status, ""), result
    assert result.stderr.startswith("lightsanim: ")
    assert result.stderr.count("\n") == 1
    assert all(fact in result.stderr for fact in facts.split()), result.stderr


def leave(disk, blocks):
    """Fill a disk, but for this number of blocks."""
    (disk / "ballast").unlink(missing_ok=True)
    free = os.statvfs(disk).f_bavail - blocks
    (disk / "ballast").write_bytes(bytes(free * BLOCK))


@pytest.fixture
def disk(tmp_path):
    path = tmp_path / "disk"
    path.mkdir()
    command = [outside("mount"), "-t", "tmpfs", "-o", "size=4m", "none", path]
    if subprocess.run(command, capture_output=True).returncode:
        pytest.skip("no file system can be mounted here")
    yield path
    subprocess.run(["umount", "--lazy", path], check=True)


def blocks_of(path):
    files = path.iterdir() if path.is_dir() else [path]
    return sum(-(-file.stat().st_size // BLOCK) for file in files)


# Files of these options take several blocks.
LARGER = (
    *MAKE[:3],
    *["--size", "30x20", "--seed", "1", "--duration", "2"],
    "--canvas",
    "180",
    "-q",
)
FULL = {f"x{suffix}": (*LARGER, "-o") for suffix in SUFFIXES} | {
    "clicks.svg": ("solve", "on", "--size", "5x5", "-q", "-o"),
    "play.html": ("pose", "5x5", "--clicks", "3", "--seed", "1", "-q", "-o"),
    "puzzles.pdf": ("worksheet", "--count", "1", "--seed", "1", "-q", "-o"),
    "ashes.png": ("puzzle", "ashes", "clues.txt", "-q", "-o"),
    "m.toml": ("batch", "--from-folder", ".", "--chain"),
}


@pytest.mark.long
@pytest.mark.parametrize("name", FULL)
def test_full_disk_keeps_old_output(folder, run, disk, name):
    assert run(*FULL[name], name).status == 0
    target, size, is_new = disk / name, blocks_of(folder / name), name in ("x", "m.toml")
    if not is_new:
        target.write_text("old")
    for free in sorted({0, size // 2, size - 1}):  # the head, the middle, the end
        leave(disk, free)
        contents_before = files(disk)
        assert_one_line(run(*FULL[name], target), 1, f"{target}: No space left on device")
        assert files(disk) == contents_before
        assert target.exists() == (not is_new)


def test_full_disk_replaces_all_outputs_or_none(run, disk, ready):
    names = ["x.json", "x.gif", "x.html"]
    for name in names:
        (disk / name).write_text("old")
    leave(disk, blocks_of(ready / "x.json") + blocks_of(ready / "x.gif") + 1)
    result = run(*MAKE, *(f"-o{disk / name}" for name in names))
    assert_one_line(result, 1, "x.html: No space left")
    assert set(files(disk).values()) == {b"old"}


@pytest.mark.long
def test_batch_on_full_disk_resumes(album, run, disk):
    out, words = disk / "out", ["batch", "manifest.toml", "--workers", "1", "-o"]
    leave(disk, 20)
    result = run(*words, out)
    assert (result.status, "No space left on device" in result.stderr) == (1, True)
    assert not re.search(f"Traceback|please report|{out / STATE_FOLDER}", result.stderr)
    assert not (out / STATE_FOLDER / "work").exists()
    (disk / "ballast").unlink()
    assert run(*words, out).status == 0
    output, expected = contents(out), contents(album / "batch")
    labels = f"{STATE_FOLDER}/labels"  # where the manifest lies from there
    assert output | {labels: None} == expected | {labels: None}


NO_LINKS = "at('os:link', fail(OSError(1, 'none')), call=0);"
TOGETHER = ("render", "x.json", "-q", "-o", "N.gif", "-o", "N.apng", "--sheet", "N.png")


@pytest.fixture
def old(folder):
    """Outputs of `TOGETHER` that are there already."""
    for name in ("N.gif", "N.apng", "N.png"):
        (folder / name).write_text("old")
        (folder / name).chmod(0o640)
    return outputs(folder)


def outputs(folder):
    return {path.name: path.read_bytes() for path in folder.glob("N*") if path.is_file()}


@pytest.mark.parametrize("there", but_first_long(True, False))
def test_output_path_taken_meanwhile_keeps_other_outputs(folder, run, old, there):
    if not there:
        for name in old:
            (folder / name).unlink()
    (folder / "N").mkdir()
    replacement = "(os.path.exists('N.apng') and os.unlink('N.apng'), os.makedirs('N.apng/mine'))"
    before = f"at('write_stills', lambda: {replacement})"
    result = run(*TOGETHER[:5], "-o", "N", *TOGETHER[5:], before=before)
    assert_one_line(result, 1, "N.apng: Is a directory")
    assert outputs(folder) == {name: b"old" for name in old if there and name != "N.apng"}
    assert not there or (folder / "N.gif").stat().st_mode & 0o777 == 0o640
    assert (folder / "N.apng/mine").is_dir()
    assert not any((folder / "N").iterdir())


@pytest.mark.posix
def test_file_of_another_user_in_sticky_folder_is_refused(nursery, ready):
    if os.geteuid():
        pytest.skip("only root can be another user")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(shutil.copytree(ready, name, dirs_exist_ok=True))
        for path, owner in (("N.gif", 65534), ("N.apng", 0)):
            (folder / path).write_text("old")
            os.chown(folder / path, owner, 0)
            (folder / path).chmod(0o666)
        folder.chmod(0o1777)
        contents_before = files(folder)
        nobody = "at('check_outputs', lambda: os.setuid(65534)); after_frames(fail(OSError()), 0)"
        result = nursery.run(*TOGETHER[:7], cwd=folder, before=IMPORTS + nobody)
        assert_one_line(result, 1, "N.apng: sticky")
        assert files(folder) == contents_before


LOADING = "lightsanim.proof.load_animation:load_film"
MOMENTS = [(LOADING, 1, False), *product(["os:replace"], (1, 3), (False, True))]
MOMENTS += [("os:link", 2, True), ("os:rename", 2, True)]  # the last where there are no links


@pytest.mark.parametrize("moment", but_first_long(("os:replace", 2, True), *MOMENTS))
def test_signal_during_moves_leaves_all_new_or_all_old(folder, run, old, moment):
    call, n, after = moment
    before = NO_LINKS if call == "os:rename" else ""
    for number in STOPS:
        for name, content in old.items():
            (folder / name).write_bytes(content)
        act = f"{before}at('{call}', send({number:d}), call={n}, {after=})"
        result = run(*TOGETHER, before=act)
        assert (result.status, result.stderr) == (128 + number, "lightsanim: interrupted\n")
        is_old = [outputs(folder)[name] == old[name] for name in old]
        assert is_old == [call == LOADING] * 3


APPEARS = "at('{}', lambda: open('N.{}', 'w').write('mine'), after=True)"
KEEPING = {
    "puzzle": ("write_stills", ("puzzle", "queens", "5", "-o", "N.svg", "-o", "N.png")),
    "make": ("write_gif", (*MAKE, "-o", "N.html", "-o", "N.gif")),
    "pose": ("board_text", ("pose", "5x5", "--clicks", "3", "-o", "N.svg", "-o", "N.txt")),
    "worksheet": ("write_pdf", ("worksheet", "--count", "1", "-o", "N.svg", "-o", "N.pdf")),
}


@pytest.mark.parametrize("links", but_first_long(True, False))
@pytest.mark.parametrize("command", but_first_long(*KEEPING))
def test_file_created_meanwhile_is_not_replaced(folder, run, command, links):
    function, words = KEEPING[command]
    before = "" if links else NO_LINKS
    name = words[-1]
    result = run(*words, "--no-overwrite", before=before + APPEARS.format(function, name[2:]))
    line = result.stderr.splitlines()[-1]
    assert (result.status, f" {name} exists" in line) == (1, True)
    assert outputs(folder) == {name: b"mine"}
    before = f"at('{function}', fail(RuntimeError('late')))"
    result = run(*words, "--no-overwrite", before=before)  # the same is said before the work
    assert (result.status, result.stderr) == (1, f"{line}\n")


@pytest.mark.long
def test_batch_file_created_meanwhile_is_not_replaced(album, run, tmp_path):
    manifest, film = album / "manifest.toml", (album / "batch/0.gif").read_bytes()
    manifest.write_text(manifest.read_text().replace('"frames"]', '"new.gif"]\norder = "sweep"'))
    writes = "open('batch/new.gif', 'w').write('mine')"
    appears = f"lambda *words, **more: ({writes}, real(*words, **more))[1]"
    code = f"real = pipeline.make_files; pipeline.make_files = {appears}"
    for before in (f"in_workers({str(tmp_path)!r}, {code!r})", ""):  # the next run knows it, too
        result = run(*BATCH, "-q", before=before)
        assert result.status == 1
        assert " new.gif: " in result.stderr
        assert (album / "batch/new.gif").read_text() == "mine"
        assert (album / "batch/0.gif").read_bytes() == film


@pytest.mark.long
def test_batch_replaces_all_files_of_job_or_none(album, run):
    manifest, old_files = album / "manifest.toml", files(album / "batch")
    manifest.write_text(manifest.read_text().replace('"frames"]', '"frames"]\norder = "sweep"'))
    no_rename = "at('os:rename', fail(OSError(1, os.strerror(1))))"
    result = run(*BATCH, "-q", before=no_rename)
    assert (result.status, "cannot write frames: Operation not" in result.stderr) == (1, True)
    new_files = files(album / "batch")
    changed = {name for name in old_files | new_files if old_files.get(name) != new_files.get(name)}
    assert changed == {"results.jsonl"}
    assert run(*BATCH, "-q").status == 0
    new_files = files(album / "batch")
    assert new_files["0.gif"] != old_files["0.gif"]
    assert new_files["frames/00003.png"] != old_files["frames/00003.png"]


PRINTING = [("make", "--help"), (*MAKE, "-o", "new.gif", "--json"), (*BATCH, "-q", "--json")]


@pytest.mark.parametrize("words", but_first_long(("board", "5x5"), *PRINTING))
@pytest.mark.posix
def test_stdout_failure_is_one_line_and_closed_pipe_silent(run, words):
    # As `yes | head -1`: for a shell a program that SIGPIPE (13) ended has the status 128 + 13.
    result = run(*words, before="without_reader(1)")
    assert (result.status, result.stderr) == (141, "")
    for stdout, reason in (("/dev/full", "No space left on device"), ("", "Bad file descriptor")):
        assert_one_line(run(*words, stdout=stdout), 1, reason)


UNHEARD = ("solve", "on", "--size", "5x5", "-o", "new.svg"), (*BATCH[:2], "-o", "new")


@pytest.mark.parametrize("words", but_first_long(*UNHEARD, ("nonsense",)))
def test_closed_stderr_changes_nothing(folder, run, words):
    for streams in ({"before": "without_reader(2)"}, {"stderr": ""}):
        assert run(*words, **streams).status == (2 if words == ("nonsense",) else 0)
        assert any(folder.glob("new*")) == (words in UNHEARD)


@pytest.mark.long
@pytest.mark.parametrize("closed", [">&-", "<&- >&- 2>&-"])
def test_closed_streams_are_not_reused_by_files(folder, run, closed):
    # A film's encoder may say something; here it would say it to its own file.
    program = " ".join([*PROGRAM, *MAKE, "-o", "new.mp4", closed])
    assert subprocess.run(["sh", "-c", program], cwd=folder).returncode == 0
    assert run(*MAKE, "-o", "whole.mp4").status == 0
    assert (folder / "new.mp4").read_bytes() == (folder / "whole.mp4").read_bytes()


@pytest.mark.long
def test_sha256_is_of_decoded_bytes(folder, ready, run):
    before = "at('load_upright', lambda: shutil.copy('a.png', 'b.png'), call=2)"
    assert run(*MAKE, "-o", "new.json", before=before).status == 0
    assert (folder / "new.json").read_bytes() == (ready / "x.json").read_bytes()
    digests = [hashlib.sha256((ready / f"{name}.png").read_bytes()).hexdigest() for name in "ab"]
    assert list(load_animation(folder / "new.json").origin.sha256) == digests


STAGES = {
    "read": ("at('load_upright', act)", (*MAKE, "-o", "N.gif")),
    "scip": (
        "at('lightsanim.game.solve.scip:solve_program', lambda: threading.Timer(0.3, act).start())",
        (
            *MAKE[:3],
            *[
                "-q",
                "-o",
                "N.gif",
                "--size",
                "24x24",
                "--seed",
                "1",
                "--ip",
                "paper",
                "--time-limit",
                "50",
            ],
        ),
    ),
    "gif": ("after_frames(act)", (*MAKE, "-o", "N.gif")),
    "mp4": ("after_frames(act)", (*MAKE, "-o", "N.mp4")),
    "clip": ("at('grey_from_light', act, call=4)", ("make", "x.gif", "-q", "-o", "N.mp4")),
    "pngs": ("after_frames(act)", (*MAKE, "-o", "N")),
    "sheet": ("at('write_stills', act, after=True)", (*MAKE, "-o", "N.gif", "--sheet", "N.png")),
    "tidying up": (
        "at('write_stills', fail(OSError(28, 'full'))); at('shutil:rmtree', act)",
        (*MAKE, "-o", "N", "--sheet", "N.png"),
    ),
    "verify": ("at('ExactReader.read_frame', act, call=5)", ("verify", "x.gif")),
    "solve": ("at('solve_board', act)", ("solve", "on", "--size", "5x5", "-o", "N.png")),
    "printing": ("at('builtins:print', act)", ("board", "3x3")),
}

STOPS = [signal.SIGINT, signal.SIGTERM]
STOPPED = "lightsanim: interrupted; run the same command again to resume\n"


@pytest.mark.long
@pytest.mark.parametrize("stage", STAGES)
def test_signal_in_any_stage_changes_no_file(folder, run, stage):
    before, words = STAGES[stage]
    for name in (word for word in words if word.startswith("N") and "." in word):
        (folder / name).write_text("old")
    contents_before = files(folder)
    for number in STOPS:
        result = run(*words, before=f"act = send({int(number)})\n{before}")
        assert (result.status, result.stderr) == (128 + number, "lightsanim: interrupted\n")
        assert files(folder) == contents_before


# The first process that starts is what tracks resources.
SPAWNING = [
    f"at('multiprocessing.util:spawnv_passfds', send(15), call={n}, after=True)" for n in (1, 3)
]


@pytest.mark.parametrize("before", but_first_long("at('write_labels', send(15))", *SPAWNING))
def test_batch_stopped_says_how_to_resume(run, before):
    result = run(*BATCH[:2], "-o", "new", "--workers", "2", before=before)
    assert (result.status, result.stderr) == (143, STOPPED)


@pytest.mark.long
def test_signal_during_gallery_build_leaves_whole_site(album, run):
    contents_before, page = files(album), album / "site/index.html"
    for before, is_new in (
        ("at('lightsanim.apps.gallery.build:write_wall_pages', send(15))", False),
        ("at('os:replace', send(15), call=2)", True),  # it waits for what has begun
    ):
        result = run("gallery", "batch", "-o", "site", "--title", "new", before=before)
        assert (result.status, result.stderr) == (143, "lightsanim: interrupted\n")
        assert (files(album) == contents_before) == (not is_new)
        assert ("<title>new</title>" in page.read_text()) == is_new


@pytest.mark.posix
def test_ignored_sighup_does_not_stop(folder, run):
    before = "signal.signal(signal.SIGHUP, signal.SIG_IGN); at('solve_board', send(signal.SIGHUP))"
    assert run("solve", "on", "--size", "5x5", "-o", "N.svg", before=before).status == 0
    assert (folder / "N.svg").exists()


def test_memory_and_unexpected_errors_are_one_line(folder, run):
    bug = "at('threading:Thread.start', fail(RuntimeError('no thread\\nto be had')))"
    for before, line in (
        ("at('order_clicks_with_front', fail(MemoryError()))", "memory"),
        (
            "at('order_clicks_with_front', fail(ImportError('a.so: failed to map segment')))",
            "memory",
        ),
        ("at('threading:Thread.start', fail(RuntimeError(\"can't start new thread\")))", "memory"),
        (bug, r"RuntimeError: no thread\nto be had"),
        ("at('order_clicks_with_front', fail(ImportError('no name x')))", "ImportError: no name x"),
    ):
        assert_one_line(run(*MAKE, "-o", "N.gif", before=before), 1, line)
        assert not (folder / "N.gif").exists()


def test_start_with_little_memory_works_or_says_so():
    words = [*PROGRAM, "solve", "on", "off", "--size", "40", "-q"]
    limited = ["sh", "-c", 'ulimit -v 200000 && exec "$@"', "sh", *words]
    result = subprocess.run(limited, capture_output=True, text=True)
    assert result.returncode == 0 or "memory" in result.stderr
    assert result.stderr.count("\n") == result.returncode


@pytest.mark.long
@pytest.mark.parametrize(
    ("end", "error"),
    [
        ("[][MemoryError]", "TypeError: list indices must be integers"),
        ("os._exit(3)", "exit status 3"),
    ],
)
def test_batch_worker_failure_is_a_result(folder, run, tmp_path, end, error):
    write_batch(folder, 1)
    code = f"pipeline.make_files = lambda *words, **options: {end}"
    outcome = run(*BATCH, before=f"in_workers({str(tmp_path)!r}, {code!r})")
    assert outcome.status == 1
    (result,) = read_results(folder / "batch")
    assert error in result.error
    is_ours = error.startswith("TypeError")
    traceback = result.traceback or ""
    for part in ("sitecustomize.py", "Traceback (most recent call last):\n", f"\n{error}"):
        assert (part in traceback) == is_ours
    assert "Traceback" not in outcome.stderr
    assert error in outcome.stderr


FLIP_FIRST = "lambda x: x ^ (np.arange(x.size).reshape(x.shape) == 0)"
WRONG_FIRST = "(np.indices(a.clicks.shape).sum(0) == 0)"

NEAR = ("make", "a.png", "b.png", "-q", "--size", "11x11", "--seed", "1", "-o", "N.gif")

# What is wrong, and a command that needs it.
LIES = {
    "a click more": (
        f"wrong('fewest_clicks', lambda a: (a.clicks.__ixor__({WRONG_FIRST}), a)[1])",
        NEAR,
    ),
    "all is accessible": ("wrong('Board.is_accessible', lambda x: True)", NEAR),
    "the product": (
        f"wrong('ProductFactors.solve', {FLIP_FIRST})",
        ("solve", "on", "-q", "-o", "N.gif", "--size", "4x4", "--rule", "king"),
    ),
    "an order": (
        "wrong('lightsanim.film.transitions.wipe:order_clicks_with_front', "
        "lambda a: (a[0][:-1], a[1]))",
        NEAR,
    ),
    "submarines": (
        f"wrong('_build_grid_from_sums', {FLIP_FIRST})",
        ("puzzle", "submarines", "2,1,1", "1,2,1", "-q", "-o", "N.png"),
    ),
}


@pytest.mark.parametrize("lie", but_first_long(*LIES))
def test_wrong_solver_answer_is_not_written(folder, run, lie):
    before, words = LIES[lie]
    for name in ("N.gif", "N.png"):
        (folder / name).write_text("old")
    contents_before = files(folder)
    assert_one_line(run(*words, before=before))
    assert files(folder) == contents_before


@pytest.mark.long
def test_batch_wrong_cache_is_remade(album, known_batch, run):
    # Of the one that made no frames; they are changed as well.
    results = sorted(read_results(album / "batch"), key=lambda result: len(result.outputs))
    cache, good_cache = (kept_file_path(album / "batch", result.id) for result in results)
    cache.write_bytes(good_cache.read_bytes())
    os.rename(album / "batch/frames/00003.png", album / "batch/frames/00099.png")
    gallery = run("gallery", "batch", "-o", "new")
    assert (gallery.status, "again" in gallery.stderr) == (1, True)
    result = run(*BATCH)
    assert (result.status, "2 animations made in" in result.stderr) == (0, True)
    assert contents(album / "batch") == contents(known_batch / "batch")
