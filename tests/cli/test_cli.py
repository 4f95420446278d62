import json
import os
import re
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from tools.program import ask

import lightsanim as la


def test_make_writes_what_it_is_asked_for_and_reports_it(run, ramps):
    words = "-o a.gif -o a.mp4 -o a.json --size 16 --seed 3 --duration 1 --cell 4 --json"
    status, out, err = run("make", *ramps, *words.split())
    report, animation = json.loads(out), la.load_animation("a.json")
    assert (status, report["outputs"]) == (0, ["a.gif", "a.mp4", "a.json"])
    board = {"rows": 11, "columns": 16, "rule": "plus", "wrap": False, "nullity": 0}
    assert report["board"] == board
    facts = "path chased_wrong wrong distance bound status seconds"
    assert set(report["pictures"][0]) == set(facts.split())
    assert set(report["moves"][0]) == {"clicks", "bound", "status", "seconds"}
    with Image.open("a.gif") as image:
        assert (report["frames"], report["fps"], report["seed"]) == (image.n_frames, 25, 3)
    assert set(report["seconds"]) == {"read", "nearest", "fewest", "order", "write"}
    assert len(animation.clicks) == report["moves"][0]["clicks"]
    assert "seed 3" in err


def test_a_saved_animation_is_drawn_again_in_another_look(run, ramps):
    run("make", *ramps, "-o", "a.json", "-o", "a.gif", "--size", "12", "--sheet", "a.svg")
    words = "render a.json -o b.gif -o c.apng --still d.png --frame 0 --sheet e.png"
    status, out, err = run(*words.split(), "--sheet-frames", 2, "--palette", "amber")
    assert (status, out) == (0, "")
    assert [line.split()[0] for line in err.splitlines()] == ["b.gif", "c.apng", "d.png", "e.png"]
    run("render", "a.json", "-o", "again.gif")
    film, amber, again = (Path(f"{name}.gif").read_bytes() for name in ("a", "b", "again"))
    assert again == film != amber


@pytest.mark.parametrize("command", ["make", "lesson", "studio", "pose"])
def test_help_breaks_lines_only_where_they_are_full(run, monkeypatch, command):
    monkeypatch.setenv("COLUMNS", "80")
    head, _, _ = run(command, "--help")[1].partition("\u256d")
    paragraphs = re.split(r"\n *\n", head.strip())
    assert len(paragraphs) > 3
    for paragraph in paragraphs:
        for line, following in pairwise(map(str.strip, paragraph.splitlines())):
            assert len(f"{line} {following.split()[0]}") > 78


def test_quiet_says_nothing_and_verbose_more(run, ramps):
    words = ["make", *ramps, "-o", "a.gif", "--size", "12", "--cell", 3]
    assert run(*words, "-q") == (0, "", "")
    _, _, err = run(*words, "-v")
    assert "wrong cells by light chasing" in err
    assert "write" in err
    assert "None" not in run(*words, "-v", "--rule", "king")[2]  # which knows no light chasing
    assert run("--version")[1].startswith("lightsanim 1.")
    status, out, _ = run()
    assert (status, "make" in out) == (2, True)


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        (["make", "a.png", "--sketch-b"], ["--sketch-blur"]),
        (["make", "--palette", "p"], ["paper", "phosphor", "pocket"]),
        (["render", "a.json", "--shape", ""], ["square", "rounded", "circle"]),
        (["make", "sun"], []),  # the shell then completes names of files
    ],
)
def test_shell_completion_offers_commands_options_and_choices(run, monkeypatch, words, completed):
    monkeypatch.setenv("_LIGHTSANIM_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", " ".join(["lightsanim", *words]))
    monkeypatch.setenv("COMP_CWORD", str(len(words)))
    status, out, err = run()
    assert (status, out.split(), err) == (0, completed, "")


@pytest.mark.long
def test_bash_takes_the_completion_that_is_shown():
    script = """
        eval "$($1 --show-completion)"
        COMP_WORDS=(lightsanim make --pal) COMP_CWORD=2
        _lightsanim_completion "$1"
        echo ${COMPREPLY[@]}
    """
    program = Path(sys.executable).with_name("lightsanim")
    assert ask("bash", "-c", script, "bash", program) == b"--palette\n"


# Bad input: (words, exit status, what the one line says).
PAIR = ["make", "good.png", "good.png"]
X = [*PAIR, "-o", "x.gif"]
RING = ["--size", "4x4", "--rule", "ring"]  # a click does not flip its own cell
BAD = [
    (["make", "good.png", "-o", "x.gif"], 2, "at least 2 pictures, not 1"),
    (["render", "a.json", "-o"], 2, "Option '-o' requires an argument"),
    (["make", "good.png", "none.png", "-o", "x.gif"], 1, "none.png: there is no such file"),
    (["make", "good.png", "folder", "-o", "x.gif"], 1, "folder: it is a folder"),
    (["make", "good.png", "bomb.png", "-o", "x.gif"], 1, "90000000 pixels, over the limit"),
    (["make", "good.png", "program.png", "-o", "x.gif"], 1, "program.png: it is not a picture"),
    (["make", "good.png", "cut.png", "-o", "old.gif"], 1, "cannot read cut.png"),
    (["make", "good.png", "cut.gif", "-o", "cut.gif"], 2, "cut.gif is one of the pictures"),
    (["make", "good.png", "\x1b[31m.png", "-o", "x.gif"], 1, r"read \x1b[31m.png: there is"),
    ([*PAIR, "-o", "x.mp4", "--cell", "200"], 2, "cells of 81 px fit"),
    ([*PAIR, "-o", "no/x.gif"], 1, "there is no folder no"),
    ([*PAIR, "-o", "folder.gif"], 1, "folder.gif: it is a folder"),
    ([*PAIR, "-o", "pipe.gif"], 1, "it is a device or a pipe"),
    ([*PAIR, "-o", "/proc/x.gif"], 1, "cannot write /proc/x.gif"),
    ([*PAIR, "-o", "a" * 300 + ".gif"], 1, "a.gif: File name too long"),
    ([*X, "-o", "folder/../x.gif"], 2, "named twice"),
    ([*PAIR, "-o", "old.gif", "--no-overwrite"], 1, "old.gif exists"),
    ([*X, "--size", "5000000x1"], 2, "50000 a side"),
    ([*X, "--fps", "fast"], 2, "'fast' is not a number"),
    ([*X, "--ordr", "sweep"], 2, "--ordr"),
    ([*X, "--rgb", "--order", "legal"], 2, "legal and rgb"),
    (["render", "good.png", "-o", "x.gif"], 1, "cannot read good.png: not JSON"),
    (["preview", "none.png"], 1, "cannot read none.png: there is no such file"),
    (["preview", "good.png", "-o", "a.gif"], 2, "unknown suffix '.gif'; known: .png"),
    (["preview", "good.png", "-o", "good.png"], 2, "good.png is the picture; write to another"),
    (["preview", "good.png", "-o", "no/b.png"], 1, "there is no folder no"),
    (["preview", "good.png", "--size", 481], 2, "at most 480 cells a side, not 481x481"),
    (["bake"], 2, "No such command 'bake'"),
    (["puzzle", "abbott"], 2, "abbott takes N [xor|integer], as in abbott 8; got nothing"),
    (["puzzle", "queens", "8", "-o", "q.gif"], 2, "q.gif"),
    (["puzzle", "ashes", "none.txt"], 1, "cannot read none.txt: No such file"),
    (["puzzle", "ashes", "c.svg", "-o", "c.svg"], 2, "c.svg is the file of clues"),
    (["solve"], 2, "Missing argument 'START'"),
    (["solve", "on"], 2, "on and off have no size; add one, such as --size 5x5"),
    (["solve", "board.txt", "--size", "4x4"], 2, "board.txt has 3x2 cells and does not fit the"),
    (["solve", "board.txt", "row.txt"], 2, "row.txt has 3x1 cells and does not fit the board, 3x2"),
    (["solve", "ragged.txt"], 2, "ragged.txt: line 2 of the board has 4 cells, line 1 has 5; all"),
    (["solve", "board.txt", "--levels", "3", "--press", "lit"], 2, "press lit is for 2 levels alo"),
    (["solve", "late.txt"], 2, "late.txt: line 3001, column 1 of the board is '7'"),
    (["solve", "late.bin"], 2, "late.bin is not a text board"),
    (["solve", "noise.bin", "--size", "4x4"], 1, "cannot read noise.bin: it is not a picture"),
    (["solve", "none.txt"], 1, "cannot read none.txt: there is no such file"),
    (["solve", "-", "-"], 2, "only one of START and GOAL can be -, standard input"),
    (["solve", "-"], 2, "standard input: the board is empty"),
    (["solve", "a\0b"], 2, r"'a\x00b' is not the name of a file"),
    (["solve", "on", "--size", "5x5", "--press", "unlit"], 1, "no cell of the start is unlit"),
    (["solve", "row.txt", "--press", "unlit"], 1, "leaves a cell lit, and none of the goal is"),
    (["solve", "off", "on", *RING, "--press", "unlit"], 1, "leaves a cell unlit, and none of"),
    (["solve", "board.txt", "--press", "lid"], 2, "any, unlit, lit, not 'lid'; did you mean lit?"),
    (["solve", "board.txt", "-o", "x.png", "-o", "./x.png"], 2, "named twice"),
    (["solve", "board.txt", "-o", "old.png", "--no-overwrite"], 1, "old.png exists"),
    (["solve", "good.png", "--size", "4x4", "-o", "good.png"], 2, "good.png is START or GOAL"),
    (["solve", "on", "--size", "20x20", "-o", "x.png", "--cell", "2000"], 2, "400000000 pixels"),
    (["board", "5x5", "--rule", "11/11"], 2, "not 2 and 2"),
    (["board", "5x5", "-o", "x.gif"], 2, "unknown suffix '.gif'; known: .png, .svg"),
    (["pose", "5x5"], 2, "give --clicks or --hardest, one of them"),
    (["pose", "5x5", "--clicks", "3", "--hardest"], 2, "give --clicks or --hardest, not both"),
    (["pose", "5x5", "--hardest", "--count", "2"], 2, "--count is for --clicks; --hardest poses"),
    (["pose", "39x39", "--hardest"], 1, "32 independent quiet patterns are too many to look for"),
    (["board", "5x5", "--hardest", "--levels", "3"], 2, "is known of boards of 2 levels alone"),
    (["pose", "5x5", "--clicks", "x"], 2, "or two that rise, such as 3..12, not 'x'"),
    (["pose", "5x5", "--clicks", "3", "--count", "0"], 2, "count must be a whole number from 1 to"),
    (["pose", "5x5", "--clicks", "3..9", "-o", "x.gif"], 2, "x.gif shows one puzzle, and not 6"),
    (["pose", "5x5", "--clicks", "9..16"], 2, "needs 16 clicks; the most that any needs is 15"),
    (["pose", "5x5", "--clicks", "3", "-o", "x.bmp"], 2, "known: .png, .svg, .pdf, .txt, .gif, "),
]


@pytest.fixture(scope="module")
def mess(tmp_path_factory):
    """A folder with every kind of bad picture and text board, and good ones."""
    folder = tmp_path_factory.mktemp("mess")
    noise = np.random.default_rng(0).integers(0, 256, (40, 40)).astype(np.uint8)
    Image.fromarray(noise).save(folder / "good.png")
    Image.new("1", (10_000, 9_000)).save(folder / "bomb.png")
    (folder / "folder").mkdir()
    (folder / "folder.gif").mkdir()
    os.mkfifo(folder / "pipe.gif")
    contents = {
        "old.gif": b"old",
        "old.png": b"old",
        "c.svg": b"4 6 4\n6 9 6\n4 6 4\n",
        "program.png": b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n(x) print",
        "board.txt": b"101\n010\n",
        "row.txt": b"110\n",
        "ragged.txt": b"11111\n1111\n",
        "late.txt": b"11\n" * 3000 + b"77\n",
        "late.bin": b"1" * 5000 + b"\xff",
        "noise.bin": noise.tobytes() * 4,
        "cut.png": (folder / "good.png").read_bytes()[:900],
    }
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    return folder


@pytest.mark.parametrize(("words", "status", "line"), BAD, ids=lambda v: None)
def test_bad_input_is_refused(refused, mess, monkeypatch, words, status, line):
    monkeypatch.chdir(mess)
    refused(words, status, line)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_named(run, ramps, tmp_path):
    (tmp_path / "locked").mkdir(mode=0o500)
    status, _, err = run("make", *ramps, "-o", "locked/a.gif")
    assert status == 1
    assert "is not writable" in err


@pytest.mark.long
@pytest.mark.parametrize("wait", [0.06, 0.15])
def test_ctrl_c_is_heard_while_the_program_is_loaded(ramps, tmp_path, wait):
    code = "import lightsanim.__main__ as m; print('ready', flush=True); m.main()"
    words = [sys.executable, "-c", code, "make", *ramps, "-o", tmp_path / "a.mp4", "--size", "200"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(wait)
    process.send_signal(signal.SIGINT)
    _, message = process.communicate(timeout=30)
    assert (process.returncode, message) == (130, "lightsanim: interrupted\n")
    assert not list(tmp_path.glob("*.mp4"))


def test_a_puzzle_is_answered_as_json_drawn_and_written(run, tmp_path):
    status, out, _ = run("puzzle", "queens", 3, "--json")
    assert (status, json.loads(out)["grid"]) == (0, None)
    _, out, _ = run("puzzle", "queens", 6, "-o", "q.svg", "-o", "q.png")
    assert [line.count("#") + line.count("Q") for line in out.splitlines()[-6:]] == [1] * 6
    assert {path.name for path in tmp_path.iterdir()} == {"q.svg", "q.png"}
    run("puzzle", "abbott", 5, "-o", "w.html")
    assert "The Abbott" in Path("w.html").read_text()
