"""Options that follow the name of an output or of a transition."""

import re
import subprocess
from pathlib import Path

import pytest
from PIL import Image
from tools.program import PROGRAM
from tools.refusals import assert_refused

import lightsanim as la
from lightsanim.options.outputs import to_output_file


def size_of(name):
    with Image.open(name) as image:
        return image.size


@pytest.mark.parametrize(
    ("word", "path", "own"),
    [
        ("a.gif", "a.gif", {}),
        ("a.gif@cell=4@max-bytes=8kB", "a.gif", {"cell": 4, "max_bytes": 8000}),
        ("A.GIF@cell=4", "A.GIF", {"cell": 4}),
        ("frames/@width=300", "frames/", {"width": 300}),
        ("-@format=webp", "-", {"format": "webp"}),
        ("a.gif@max_bytes=8kB", "a.gif", {"max_bytes": 8000}),
        ("a.gif@cell=4.gif", "a.gif@cell=4.gif", {}),
        ("s.svg@hatch-angle=15,75@numbers", "s.svg", {"hatch_angle": "15,75", "numbers": True}),
        ("b.mp4@no-mute", "b.mp4", {"mute": False}),
        ("a.html@maker=../maker.html", "a.html", {"maker": "../maker.html"}),
        # In names an @ is a letter, unless it follows a suffix.
        ("out@2x.gif", "out@2x.gif", {}),
        ("a@home/x.gif", "a@home/x.gif", {}),
        ("me@work", "me@work", {}),
    ],
)
def test_options_after_an_output_are_its_own(word, path, own):
    file = to_output_file("output", word)
    assert (file.path, file.own) == (Path(path), own)
    # A film's command repeats the word.
    assert to_output_file("output", str(file)).own == own


@pytest.mark.parametrize(
    ("words", "facts"),
    [
        ("-o a.gif@wiring=zigzag", "a.gif wiring .h .ino .wled"),
        ("-o a.json@cell=4", "a.json cell .gif .html"),
        ("-o a.wled@library=fastled", "library .h .ino"),
        ("-o a.gif@frames=3", "a.gif frames sheets"),
        ("--still a.png@hatch=1", "a.png hatch .svg .pdf"),
        ("--still a.png@frames=3", "a.png frames sheets"),
        ("--sheet a.png@frame=3", "a.png frame stills"),
        ("-o a.gif@cell=4@cell=5", "a.gif cell twice"),
        ("-o a.gif@cel=4", "'cel' cell?"),
        ("-o a.gif@cell", "cell value @cell=PX"),
        ("-o a.gif@CELL=4", "a.gif@CELL=4 small frames/@cell=4"),
        ("-o me@cell=4", "me@cell=4 suffix frames/@cell=4"),
        ("-o a.html@visitor-clicks=5 --show-clicks right", "show_clicks visitor_clicks"),
        ("-o a.gif@cell=x", "cell whole number 'x'"),
        ("-o a.gif@cell=0", "cell 1 2000 0"),
        ("-o a.mp4@mute=yes", "mute @mute"),
        ("-o a.gif@language=de", "a.gif language .html"),
        ("-o a.html@maker=javascript:x", "maker https://example.org/maker.html 'javascript:x'"),
        ("-o a.html@maker=javascript:1/x", "maker https://example.org/maker.html 'javascript:1/x'"),
        ("-o a.html@language=xx", "language de 'xx'"),
        ("-o a.json --max-bytes 1kB", "max_bytes .gif"),
        ("-o -", "-@format=gif"),
        ("-o -@format=gif --json", "--json"),
        ("-o a.gif --cell 4 --cycle --no-settle", "cell a.gif ending settle"),
        ("-o a.gif --transition sketch@steps=3", "sketch 'steps' frames"),
        ("-o a.gif --transition sketch@frames=1", "frames 2 1"),
        ("-o a.gif --transition sketch@frames=3@frames=4", "sketch frames twice"),
        ("-o a.gif --preset loop --preset colour --levels 3 --levels 5", "--levels 2"),
    ],
)
def test_option_out_of_place_is_refused(refused, ramps, words, facts):
    facts = facts.replace("a.gif ending", "out.gif@cell=4 ending")
    refused(["make", *ramps, *words.split()], 2, facts)


def test_outputs_of_a_run_differ_in_their_options(run, ramps):
    words = "--size 9x6 --gap 0 -o a.gif@cell=4 -o b.gif -o c.svg@cell=2 --still d.png@cell=7"
    assert run("make", *ramps, *words.split(), "--canvas", "90x80")[0] == 0
    sizes = {name: size_of(name) for name in ("a.gif", "b.gif", "d.png")}
    # The canvas holds for each output without a width, and cells keep their own size in it.
    assert sizes == dict.fromkeys(sizes, (90, 80))
    cells = {}
    for name in ("a.gif", "b.gif"):
        assert la.verify(name).legal
        command = run("verify", name, "--command")[1].splitlines()[-1]
        cells[name] = re.search(r"@cell=(\d+)", command)[1]
    assert cells == {"a.gif": "4", "b.gif": "10"}


def test_first_canvas_shapes_the_board_and_others_get_margins(run, ramps):
    words = "--size 16 -o a.gif@canvas=160x90 -o b.gif@canvas=90x160"
    _, _, err = run("make", *ramps, *words.split())
    proof = la.verify("a.gif")
    assert (proof.columns, proof.rows) == (16, 9)
    assert "b.gif has margins: the canvas of a.gif shapes the board.\n" in err
    assert size_of("b.gif") == (90, 160)


@pytest.mark.parametrize("suffix", [".json", ".html", ".svg"])
def test_render_keeps_the_look_of_a_film(run, ramps, suffix):
    run("make", *ramps, "--size", 9, "-o", f"a{suffix}", "--palette", "rose", "--shape", "circle")
    run("render", f"a{suffix}", "-o", "b.gif")
    command = run("verify", "b.gif", "--command")[1]
    assert "--palette rose" in command
    assert "--shape circle" in command
    # A palette replaces the colours; a single colour changes one of them.
    run("render", f"a{suffix}", "-o", "c.gif", "--palette", "ink")
    assert "--palette" not in run("verify", "c.gif", "--command")[1]
    run("render", f"a{suffix}", "-o", "d.gif", "--lit", "gold")
    command = run("verify", "d.gif", "--command")[1]
    assert "--palette rose" in command
    assert "--lit '#ffd700'" in command


def test_json_without_a_look_is_as_before(tmp_path, ramps):
    film = la.make(ramps, size=9, seed=1)
    film.save(tmp_path / "a.json")
    assert '"look"' not in (tmp_path / "a.json").read_text()
    text = (tmp_path / "a.json").read_text()
    film.save(tmp_path / "b.json", lit="gold")
    assert '"look": {"lit": "#ffd700"}' in (tmp_path / "b.json").read_text()
    hostile = text.replace('"sound": null,', '"sound": null,\n"look": {"lit": [1]},')
    (tmp_path / "c.json").write_text(hostile)
    assert_refused(lambda: la.load_animation(tmp_path / "c.json"), "c.json", la.LightsAnimError)


def test_numbers_of_frames_stand_under_the_stills(run, ramps):
    run("make", *ramps, "--size", 30, "-o", "a.json", "--sheet", "s.svg@frames=3@numbers")
    frames = len(la.load_animation("a.json"))
    texts = re.findall(r">([^<>]+)</text>", Path("s.svg").read_text())
    numbers = [int(text) for text in texts if text.isdigit()]
    assert (numbers[0], numbers[-1], len(numbers)) == (0, frames - 1, 3)


def test_still_shows_the_frame_half_way(run, ramps):
    run(
        "make", *ramps, "--size", 9, "-o", "a.json", "--still", "s.png@frame=50%@cell=1", "--gap", 0
    )
    film = la.load_animation("a.json")
    middle = round((len(film) - 1) / 2)
    run("render", "a.json", "--still", f"t.png@frame={middle}@cell=1", "--gap", 0)
    assert Path("s.png").read_bytes() == Path("t.png").read_bytes()


def test_film_goes_to_standard_output(ramps, tmp_path):
    words = ["make", *ramps, "--size", "9", "--seed", "1", "-o", "-@format=gif@cell=3"]
    done = subprocess.run([*PROGRAM, *words], cwd=tmp_path, check=True, capture_output=True)
    assert la.verify(done.stdout).legal
    assert {*tmp_path.iterdir()} == {*ramps}
    film = la.make(ramps, size=9, seed=1)
    film.save(tmp_path / "a.gif", cell=3)
    assert (tmp_path / "a.gif").read_bytes() == done.stdout
