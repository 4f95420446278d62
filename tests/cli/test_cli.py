import json
import os
import pty
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
from tools.films import opened
from tools.program import outside

import lightsanim as la
from lightsanim.cli.app import app
from lightsanim.system.posix import is_user


def test_make_writes_what_it_is_asked_for_and_reports_it(run, ramps):
    words = "-o a.gif@cell=4 -o a.mp4@cell=4 -o a.json --size 16 --seed 3 --duration 1 --json"
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
    words = "render a.json -o b.gif@cell=7 -o c.apng --still d.png@frame=0 --sheet e.png@frames=2"
    status, out, err = run(*words.split(), "--palette", "amber")
    assert (status, out) == (0, "")
    assert [line.split()[0] for line in err.splitlines()] == ["b.gif", "c.apng", "d.png", "e.png"]
    out = run("render", "a.json", "-o", "again.gif", "--json", "--quiet")[1]
    assert json.loads(out) == {"outputs": ["again.gif"], "notes": []}
    film, amber, again = (Path(f"{name}.gif").read_bytes() for name in ("a", "b", "again"))
    assert again == film != amber
    metadata, saved = map(json.loads, (opened(Path("b.gif")).comment, Path("a.json").read_text()))
    assert metadata["origin"] == saved["origin"]
    assert (metadata["look"]["cell"], metadata["look"]["lit"]) == (7, "#ffb638")
    assert la.verify("b.gif").legal


@pytest.mark.parametrize(
    ("words", "notes"),
    [
        ("-o a.gif -o b.webp", ["a.gif jumps back at its end; --ending boomerang leads back."]),
        ("-o a.mp4 -o b.WEBP", ["b.WEBP jumps back at its end; --ending boomerang leads back."]),
        *(
            (words, [])
            for words in ("-o a.mp4", "-o a.gif --ending boomerang", "-o a.gif --ending cycle")
        ),
        *((f"-o a.gif {words}", []) for words in ("--loop 2", "--preset loop", "--quiet")),
    ],
)
def test_make_says_once_that_a_film_jumps_back(run, ramps, words, notes):
    words = ["--size", "8", *words.split()]
    err = run("make", *ramps, *words)[2]
    assert [line for line in err.splitlines() if "jump" in line] == notes
    assert "jump" not in run("make", *ramps, ramps[0], *words)[2]


@pytest.mark.parametrize("levels", [2, 3])
def test_summary_of_a_boomerang_counts_clicks_one_way(run, ramps, levels):
    words = ["make", *ramps, "-o", "a.json", "--size", "8", "--levels", levels, "--seed", "1"]
    (there,) = re.findall(r"(\d+) clicks,", run(*words)[2])
    assert f"; {there} clicks one way, " in run(*words, "--ending", "boomerang")[2]


@pytest.mark.parametrize(
    ("command", "unknown", "suggestion"),
    [
        ("make", "--length", "; did you mean --total?"),
        ("verify", "--length", ""),
        ("make", "--pallete", "; did you mean --palette?"),
        ("make", "--sound", ""),  # which shares letters with --background
    ],
)
def test_unknown_option_suggests_what_is_near(run, command, unknown, suggestion):
    status, _, err = run(command, "a.gif", unknown, "8")
    assert (status, err) == (2, f"lightsanim: no such option: {unknown}{suggestion}\n")


@pytest.mark.parametrize(
    ("words", "facts"),
    [
        ("make a.png b.png --levels 3 --levels=5", "--levels 2 times"),
        ("make a.png b.png --wrap -o a.gif --wrap", "--wrap 2 times"),
        ("make a.png b.png -q --quiet -q", "--quiet 3 times"),
        ("make a.png b.png --no-overwrite --overwrite", "--overwrite 2 times"),
        ("board 5x5 --rule x --rule king", "--rule 2 times"),
    ],
)
def test_option_that_counts_once_is_refused_twice(refused, words, facts):
    refused(words.split(), 2, facts)


@pytest.mark.parametrize("command", ["make", "lesson", "studio", "pose"])
def test_help_breaks_lines_only_where_they_are_full(run, monkeypatch, command):
    monkeypatch.setenv("COLUMNS", "80")
    head, _, _ = run(command, "--help")[1].partition("\n  ")
    paragraphs = re.split(r"\n *\n", head.strip())
    assert len(paragraphs) > 3
    for paragraph in paragraphs:
        for line, following in pairwise(map(str.strip, paragraph.splitlines())):
            assert len(f"{line} {following.split()[0]}") > 78


@pytest.mark.parametrize("command", ["", *app.commands])
def test_help_fits_on_one_screen(run, monkeypatch, command):
    monkeypatch.setenv("COLUMNS", "80")
    status, text, _ = run(*command.split(), "--help")
    lines = text.splitlines()
    assert (status, len(lines) <= 60, max(map(len, lines)) <= 80) == (0, True, True)
    whole = run(command, "--help-all")[1] if command else text
    if "are used most" in text:  # what it leaves out is in the whole help
        count = len(re.findall(r"(?m)^  (?:-\w, |    )--", whole))
        *_, last = text.split("\n\n")
        assert last.startswith(f"All {count} options")
        assert " ".join(last.split()).endswith(f": lightsanim {command} --help-all")
    else:
        assert whole == text


def test_commands_have_no_more_options_than_can_be_surveyed():
    # 1.0 had 87 and 329; options of outputs and of transitions follow their names.
    options = {
        name: sum(
            param.param_type_name == "option" and not param.hidden for param in command.params
        )
        for name, command in app.commands.items()
    }
    assert options["make"] <= 63
    assert sum(options.values()) <= 207


def test_help_is_printed_in_the_narrowest_terminal(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "1")
    assert run("make", "--help")[::2] == run("--help")[::2] == (0, "")


def test_quiet_says_nothing(run, ramps):
    assert run("make", *ramps, "-o", "a.gif", "--size", "12", "-q") == (0, "", "")
    assert run("--version")[1] == f"lightsanim {la.__version__}\n"
    status, out, _ = run()
    assert (status, "make" in out) == (2, True)


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        (["make", "a.png", "--hold-f"], ["--hold-first"]),
        (["make", "--palette", "p"], ["paper", "phosphor", "pocket"]),
        (["render", "a.json", "--shape", ""], ["square", "rounded", "circle"]),
        (["puzzle", "s"], ["submarines"]),
        (["make", "sample:fa"], ["face"]),
        (["make", "a.png@foc"], ["focus="]),
        (["make", "a.png@focus=face@fit=c"], ["cover", "contain"]),
        (["make", "a.png", "-o", "out.gif@c"], ["cell=", "canvas="]),
        (["make", "a.png", "-o", "out.html@language=d"], ["de"]),
        (["make", "a.png", "--sheet", "s.pdf@fr"], ["frames="]),
        (["make", "a.png", "--transition", "sketch@"], ["frames=", "price=", "blur=", "no-settle"]),
        (["make", "sun"], []),  # the shell then completes names of files
    ],
)
def test_shell_completion_offers_commands_options_and_choices(run, monkeypatch, words, completed):
    line = " ".join(["lightsanim", *words])
    monkeypatch.setenv("COMP_LINE", line)
    monkeypatch.setenv("COMP_POINT", str(len(line)))
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(words)))
    # Bash completes the part of a word after its last = or colon, or from its last @ on; zsh
    # completes the whole word.
    kept, mark = re.match("(.*[=:](?!.*@)|.*(?=@))?(@?)", words[-1]).groups("")
    for shell, start in (("bash", mark), ("zsh", kept + mark)):
        monkeypatch.setenv("_LIGHTSANIM_COMPLETE", f"{shell}_complete")
        status, out, err = run()
        found = re.findall(r"(?m)plain[,\n](.*)", out)
        assert (status, found, err) == (0, [start + word for word in completed], "")


# Keys typed in an interactive bash, and the line that they make.
KEYS = {
    "make --pal\t": "make --palette ",
    "make sample:fa\t": "make sample:face ",  # three words for bash
    "make sample:sun sample:moo\t": "make sample:sun sample:moon ",
    "make a b -o out.gif@ce\t": "make a b -o out.gif@cell=",
}


@pytest.mark.long
@pytest.mark.parametrize("keys", KEYS)
def test_bash_completes_options_and_samples(keys):
    program = Path(sys.executable).with_name("lightsanim")
    environ = {**os.environ, "TERM": "dumb", "PATH": f"{program.parent}:{os.environ['PATH']}"}
    bash, terminal = outside("bash"), pty.openpty()
    lines = [
        f'eval "$({program} --show-completion bash)"',
        f"lightsanim {keys}\x01#",  # Ctrl-A and "#" turn the line into a comment.
        "history 2; exit\n",
    ]
    os.write(terminal[0], "\n".join(lines).encode())
    options = {"stdin": terminal[1], "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    words = [bash, "--norc", "--noprofile", "-i"]
    out = subprocess.run(words, env=environ, start_new_session=True, check=True, **options).stdout
    assert f"#lightsanim {KEYS[keys]}\n" in out.decode()


@pytest.mark.long
def test_fish_completes_what_follows_a_name():
    program = Path(sys.executable).with_name("lightsanim")
    script = (
        f"{program} --show-completion fish | source;"
        'complete -C "lightsanim make a b -o out.gif@ce"; complete -C "lightsanim make sample:fa"'
    )
    environ = {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}"}
    words = [outside("fish"), "-c", script]
    out = subprocess.run(words, env=environ, check=True, capture_output=True, text=True).stdout
    assert out.split() == ["out.gif@cell=", "sample:face"]


# Words, exit status, and what the one line says beside other words.
PAIR = "make good.png good.png -o"
RING = "--size 4x4 --rule ring"  # a click does not flip its own cell
BAD = [
    ("render a.json -o", 2, "'-o'"),
    ("make good.png none.png -o x.gif", 1, "none.png:"),
    ("make good.png bomb.png -o x.gif", 1, "90000000 pixels"),
    ("make good.png program.png -o x.gif", 1, "program.png: picture"),
    ("make good.png cut.png -o old.gif", 1, "read cut.png"),
    ("make good.png cut.gif -o cut.gif", 2, "cut.gif pictures"),
    ("make good.png \x1b[31m.png -o x.gif", 1, r"\x1b[31m.png:"),
    (f"{PAIR} x.mp4@cell=200", 2, "81 px"),
    (f"{PAIR} no/x.gif", 1, "folder no"),
    (f"{PAIR} folder.gif", 1, "folder.gif: folder"),
    (f"{PAIR} pipe.gif", 1, "pipe.gif: pipe"),
    (f"{PAIR} /proc/x.gif", 1, "write /proc/x.gif"),
    (f"{PAIR} {'a' * 300}.gif", 1, "a.gif: File name too long"),
    (f"{PAIR} x.gif -o folder/../x.gif", 2, "x.gif"),
    (f"{PAIR} old.gif --no-overwrite", 1, "old.gif exists"),
    (f"{PAIR} x.gif --size 5000000x1", 2, "50000"),
    (f"{PAIR} x.gif --fps fast", 2, "--fps 'fast'"),
    (f"{PAIR} x.gif --ordr sweep", 2, "--ordr"),
    (f"{PAIR} x.gif --rgb --order legal", 2, "legal rgb"),
    (f"{PAIR} x.h --transition dissolve", 2, "dissolve"),
    (f"{PAIR} x.h --size 300x300", 2, "65535 90000"),
    (f"{PAIR} x.wled --size 100x82", 2, "8192 8200"),
    (f"{PAIR} x.gif@wiring=serpentine", 2, "x.gif wiring .h .ino .wled"),
    (f"{PAIR} x.gif@panels=2x1", 2, "x.gif panels .h .ino .wled"),
    (f"{PAIR} x.h@library=fastled", 2, "x.h library c fastled"),
    (f"{PAIR} x.ino@library=c", 2, "x.ino library neopixel"),
    (f"{PAIR} x.h@wiring=zigzig", 2, "straight, 'zigzig' zigzag?"),
    (f"{PAIR} x.h@wiring=rows,zigzag,columns", 2, "wiring rows columns"),
    (f"{PAIR} x.h@panels=2x1,top-left,top-right", 2, "panels top-left top-right"),
    (f"{PAIR} x.h@panels=0x2", 2, "panels ACROSSxDOWN"),
    (f"{PAIR} x.gif@sell=4", 2, "'sell' cell?"),
    (f"{PAIR} x.gif@cell", 2, "cell value @cell=PX"),
    (f"{PAIR} x.gif@cell=4@cell=5", 2, "x.gif cell twice"),
    (f"{PAIR} x.mp4@mute=yes", 2, "mute @mute @no-mute"),
    (f"{PAIR} x.gif --transition sketch@steps=3", 2, "sketch 'steps' frames"),
    (f"{PAIR} x.gif --transition sketch@frames=x", 2, "frames whole 'x'"),
    (f"{PAIR} x.gif --cell 4 --no-settle -v", 2, "changed out.gif@cell=4 sketch@no-settle"),
    ("render a.json -o b.gif --sheet-frames=9", 2, "changed sheet.png@frames=9"),
    ("pose 5x5 --clicks 3 --words de", 2, "changed play.html@language=de"),
    (f"{PAIR} x.h@panels=4x1 --size 30x8", 2, "4x1 panels 30x8"),
    ("render good.png -o x.gif", 1, "read good.png: .json still"),
    ("preview good.png -o a.gif", 2, "'.gif' .png"),
    ("preview good.png -o good.png", 2, "good.png"),
    ("preview good.png -o no/b.png", 1, "folder no"),
    ("preview good.png --size 481", 2, "480 481x481"),
    ("bake", 2, "'bake'"),
    ("puzzle abbott", 2, "abbott N [xor|integer]"),
    ("puzzle queens 8 -o q.gif", 2, "q.gif"),
    ("puzzle ashes none.txt", 1, "read none.txt:"),
    ("puzzle ashes c.svg -o c.svg", 2, "c.svg clues"),
    ("solve", 2, "START"),
    ("solve on", 2, "size --size 5x5"),
    ("solve board.txt --size 4x4", 2, "board.txt 3x2"),
    ("solve board.txt row.txt", 2, "row.txt 3x1 3x2"),
    ("solve board.txt --levels 3 --press lit", 2, "lit 2 levels"),
    ("solve late.txt", 2, "late.txt: line 3001, column 1 '7'"),
    ("solve late.bin", 2, "late.bin"),
    ("solve noise.bin --size 4x4", 1, "read noise.bin: picture"),
    ("solve none.txt", 1, "read none.txt:"),
    ("solve - -", 2, "START GOAL standard input"),
    ("solve -", 2, "standard input"),
    ("solve a\0b", 2, r"'a\x00b'"),
    ("solve on --size 5x5 --press unlit", 1, "start unlit"),
    ("solve row.txt --press unlit", 1, "lit goal"),
    (f"solve off on {RING} --press unlit", 1, "unlit goal"),
    ("solve two.txt", 2, "two.txt line 4 one several"),
    ("batch --update folder.gif -o out", 2, "folder.gif/manifest.toml album.toml --from-folder"),
    ("batch album.toml --update -o out", 2, "--update value -o"),
    ("solve board.txt --press lid", 2, "any, unlit, lit, 'lid' lit?"),
    ("solve board.txt -o x.png -o ./x.png", 2, "x.png"),
    ("solve board.txt -o old.png --no-overwrite", 1, "old.png exists"),
    ("solve good.png --size 4x4 -o good.png", 2, "good.png START GOAL"),
    ("board 5x5 -o x.gif", 2, "'.gif' .png, .svg"),
    ("pose 5x5", 2, "--clicks --hardest"),
    ("pose 5x5 --clicks 3 --hardest", 2, "--clicks --hardest"),
    ("pose 5x5 --hardest --count 2", 2, "--count --clicks --hardest"),
    ("pose 39x39 --hardest", 1, "32"),
    ("pose 5x5 --clicks x", 2, "3..12 'x'"),
    ("pose 5x5 --clicks 9..3", 2, "smaller first 3..9 '9..3'"),
    ("pose 5x5 --clicks 3 --count 0", 2, "count 1 0"),
    ("pose 5x5 --clicks 3..9 -o x.gif", 2, "x.gif 6"),
    ("pose 5x5 --clicks 9..16", 2, "16 15"),
    ("pose 5x5 --clicks 3 -o x.bmp", 2, ".png, .svg, .pdf, .txt, .gif,"),
    ("verify --targets b.png c.png a.gif", 2, "FILE"),
    ("verify a.gif b.png", 2, "b.png --targets"),
    ("verify a.gif --targets b.png --json c.png", 2, "c.png --targets"),
    ("verify a.gif --targets", 2, "'--targets'"),
]


@pytest.fixture(scope="module")
def mess(tmp_path_factory):
    """A folder with every kind of bad picture and text board, and good ones."""
    folder = tmp_path_factory.mktemp("mess")
    noise = np.random.default_rng(0).integers(0, 256, (40, 40)).astype(np.uint8)
    Image.fromarray(noise).save(folder / "good.png")
    Image.new("1", (10_000, 9_000)).save(folder / "bomb.png")
    for name in ("folder", "folder.gif"):
        (folder / name).mkdir()
    os.mkfifo(folder / "pipe.gif")
    contents = {
        "old.gif": b"old",
        "old.png": b"old",
        "c.svg": b"4 6 4\n6 9 6\n4 6 4\n",
        "program.png": b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n(x) print",
        "board.txt": b"101\n010\n",
        "two.txt": b"\n101\n010\n\n101\n010\n",
        "row.txt": b"110\n",
        "late.txt": b"11\n" * 3000 + b"77\n",
        "late.bin": b"1" * 5000 + b"\xff",
        "noise.bin": noise.tobytes() * 4,
        "cut.png": (folder / "good.png").read_bytes()[:900],
    }
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    return folder


@pytest.mark.parametrize(("words", "status", "facts"), BAD, ids=lambda v: None)
def test_bad_input_is_refused(refused, mess, monkeypatch, words, status, facts):
    monkeypatch.chdir(mess)
    refused(words.split(), status, facts)


@pytest.mark.skipif(is_user(0), reason="root may write anywhere")
@pytest.mark.posix
def test_a_folder_that_cannot_be_written_is_named(refused, ramps, tmp_path):
    (tmp_path / "locked").mkdir(mode=0o500)
    refused(["make", *ramps, "-o", "locked/a.gif"], 1, "locked is not writable")


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


def test_make_without_film_writes_only_stills(run, refused, ramps):
    run("make", *ramps, "--size", 8, "--sheet", "s.svg", "--still", "a.png@frame=0")
    assert {path.name for path in Path().glob("*.*")} == {"a.png", "left.png", "right.png", "s.svg"}
    refused(["make", *ramps, "--size", 8, "--still", "b.txt"], 2, "b.txt")


@pytest.mark.posix
def test_options_without_effect_are_told(run, refused, ramps):
    words = ("make", *ramps, "--size", 8, "-o", "a.gif")
    refused((*words[:-1], "a.gif@print-width=100"), 2, "a.gif print_width stills sheets")
    refused((*words[:-1], "a.gif@hatch=1"), 2, "a.gif hatch stills sheets")
    refused((*words, "--still", "a.png@columns=2"), 2, "a.png columns sheets")
    _, _, err = run(*words, "--background", "none", "--gap", 0)
    assert "no gaps here; --unlit none" in err
    spot = "--levels", 3, "--spot", "--background", "none", "--gap", 0
    _, _, err = run("make", "sample:sun", "sample:moon", "--size", 8, "-o", "a.gif", *spot)
    assert "none in --colours makes a level clear (verify --command lists" in err
    _, _, err = run(*words, "--background", "none", "--gap", 2)
    assert "--unlit" not in err
    _, _, err = run(*words, "--colours", "red,blue,green")
    assert "3 colours for 2 levels: not all are shown" in err
    run("make", *ramps, "--size", 8, "-o", "a.json")
    refused(("make", "a.json", "sample:sun", "-o", "b.gif"), 1, "a.json picture `render`")
    refused(("make", *ramps, "-o", "/dev/stdout"), 2, "standard output -@format=gif")


@pytest.mark.parametrize(
    ("look", "end"),
    [
        ("", ""),
        ("--palette amber", " --palette amber"),
        ("--palette sunset --levels 3", " --palette sunset"),
        ("--rgb --palette rose --lit gold", " --palette rose --lit '#ffd700'"),
        ("--levels 5 --spot --background none", r" --colours '[#,0-9a-f]{39}' --background none"),
    ],
)
def test_verify_command_ends_with_the_look(run, refused, look, end):
    # The command makes the same file: tests/proof/test_film_command.py.
    words = f"make sample:sun@gamma=1.2 sample:moon --size 8 --gap 2 {look}"
    run(*words.split(), *(f"-o{name}@cell=20" for name in ("a.gif", "a.html", "a.svg")))
    for name in ("a.gif", "a.html", "a.svg"):
        line = run("verify", name, "--command")[1].splitlines()[-1]
        assert re.search(f"(-last 3|--gap \\d+){end}$", line)
    run("solve", "on", "off", "--size", "5", "-o", "b.gif")
    refused(("verify", "b.gif", "--command", "-q"), 2, "b.gif command")


def test_verify_command_says_what_is_missing(run, refused, ramps):
    run("make", *ramps, "sample:moon", "--size", 4, "-o", "a.gif")
    assert "without folders and endings" in run("verify", "a.gif", "--command")[2]
    la.make([*map(str, ramps)], size="4x4", order=np.indices((4, 4))[0]).save("b.gif")
    refused(("verify", "b.gif", "--command", "-q"), 2, "b.gif order option command")


def test_solve_check_exit_status_tells_if_goal_is_reached(run):
    Path("a.txt").write_text("1000\n0000\n0000\n0000\n")
    statuses = [run("solve", "a.txt", *more)[0] for more in ([], ["--check"])]
    assert (*statuses, run("solve", "on", "--size", 4, "--check")[0]) == (0, 1, 0)
    assert run("solve", "a.txt", "--check", "--nearest")[0] == 1
