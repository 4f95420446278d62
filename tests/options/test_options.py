"""The table of options: one spelling, one check, and what is made from it."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tools.keywords import module as keywords_from_table

import lightsanim as la
from lightsanim import Settings
from lightsanim.batch.manifest import parse_jobs
from lightsanim.errors import OptionError
from lightsanim.options import choices, keywords
from lightsanim.options.records import from_record, names_of, to_json
from lightsanim.options.settings import PRESETS, settings_from


@pytest.mark.parametrize(
    "spellings",
    [
        [{"size": 60}, {"size": "60"}, {"size": (60,)}],
        [{"size": "60x40"}, {"size": (60, 40)}, {"size": " 60X40 "}, {"size": (np.int8(60), 40)}],
        [{"fps": 25}, {"fps": 25.0}, {"fps": np.float32(25)}, {"fps": np.int8(25)}],
        [{"backdrop": "white"}, {"backdrop": "#ffffff"}, {"backdrop": (255, 255, 255)}],
        [{"rule": "plus"}, {"rule": "010/111/010"}, {"rule": "00000/00100/01110/00100/00000"}],
        [{"levels": 5}, {"levels": np.uint8(5)}],
        [{"spread": 0}, {"spread": -0.0}],
        [{"dither": "bayer"}, {"dither": np.str_("bayer")}],
        [{"time_limit": float("inf")}, {"time_limit": "inf"}, {"time_limit": np.float32("inf")}],
    ],
)
def test_a_value_is_the_same_however_it_is_spelt(spellings):
    ways = [Settings(**spelling) for spelling in spellings]
    assert len({str(to_json(way)) for way in ways}) == len(set(ways)) == 1
    assert Settings(**to_json(ways[0])) == ways[0]  # what files hold is taken back


# What is refused: the value and what would be right are named.
@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"size": "0x4"}, "size must be at least 1x1, not 0x4"),
        ({"size": "60x"}, "size must be COLUMNS or COLUMNSxROWS, such as 60x40, not '60x'"),
        ({"size": "100000x100000"}, "at most 50000000 cells"),
        ({"rule": "pluss"}, r"rule must be one of plus, cross, .*; did you mean plus\?"),
        ({"order": "zigzag"}, "order must be one of auto, radial, .*, not 'zigzag'"),
        ({"dither": "bayer", "serpentine": True}, "serpentine needs an error-diffusion dither"),
        ({"transition": "dissolve", "press": "lit"}, "press belongs to transition wipe, not to"),
        ({"transition": "dissolve", "dither": "atkinson"}, "one of bayer, .*, not 'atkinson'"),
        ({"time_limit": 0}, "the time limit must be more than 0 seconds, not 0"),
        ({"seed": True}, "seed must be a whole number of at least 0, not True"),
        ({"fps": float("nan")}, "fps must be a number from 0.01 to 1000, not nan"),
        ({"fps": 10**5000}, "fps must be a number from 0.01 to 1000, not a number that long"),
        ({"backdrop": "blurple"}, "backdrop must be a colour name or hex .*; did you mean purple"),
        ({"ease": "out"}, "ease must be one of front, linear, in-out, not 'out'"),
        ({"clicks_per_frame": 0}, "clicks_per_frame must be a whole number of at least 1, not 0"),
        ({"perfect": 1}, "perfect must be true or false, not 1"),
        ({"order": "legal", "boomerang": True}, "legal and boomerang exclude each other"),
        ({"levels": 4}, "levels must be one of 2, 3, 5, 7, not 4"),
        ({"levels": 7, "rgb": True}, "7 levels are for grey alone; leave out rgb, or take at most"),
        ({"levels": 3, "ip": "paper"}, "ip paper is for 2 levels alone, not 3"),
        ({"levels": 5, "order": "legal"}, "order legal is for 2 levels alone, not 5"),
        ({"preset": "linocat"}, r"preset must be one of colour, .*; did you mean linocut\?"),
        ({"ordre": "sweep"}, r"unknown option 'ordre'; did you mean order\?; known: size, perfect"),
    ],
)
def test_options_are_checked_before_anything_is_read(given, message):
    with pytest.raises(OptionError, match=message):
        la.make(["nothing.png", "nowhere.png"], **given)


def test_default_dither_depends_on_the_transition():
    assert Settings(transition="dissolve").dither == "blue-noise"
    assert Settings().with_defaults_for().dither == "floyd-steinberg"


# What is given, and what counts: what is said, even if it is the default, then the preset.
@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"preset": "linocut", "detail": 1.5}, {"dither": "threshold"}),
        ({"dither": "bayer", "preset": "linocut"}, {"dither": "bayer", "detail": 3}),
    ],
)
def test_preset_yields_to_given_options(run, ramps, given, expected):
    expected = Settings(size=8, seed=1, **expected)
    table = {"pictures": ["a", "b"], "output": "a.gif", "size": 8, "seed": 1, **given}
    (job,) = parse_jobs({"animation": [table]})
    assert job.settings == expected
    made = la.make(ramps, size=8, seed=1, **given)
    words = [word for name, value in given.items() for word in (f"--{name}", value)]
    assert run("make", *ramps, "-o", "a.json", "--size", 8, "--seed", 1, *words)[0] == 0
    for animation in (made, la.load_animation("a.json")):
        assert animation.origin.settings == to_json(expected.with_defaults_for()) | {
            "order": "noise"
        }


def test_dissolve_recorded_by_1_0_is_read():
    given = {"transition": "dissolve", "order": "radial", "fit": "cover", "size": "60"}
    assert from_record(Settings, given).order == "radial"


def test_presets_are_valid_and_distinct():
    ways = {settings_from({"preset": name}) for name in PRESETS}
    assert len(ways | {Settings()}) == len(PRESETS) + 1


def test_help_for_python_names_every_option_with_its_default():
    text = str(la.make.__signature__)
    assert text.startswith("(pictures: ")
    for name in names_of(Settings):
        assert f"{name}: " in text


def test_help_names_all_that_can_be_chosen(run):
    text = " ".join(run("make", "--help")[1].replace("│", " ").split())
    tables = "DITHERS", "ORDERS", "PALETTES", "PROGRAMS", "SHAPES", "SUFFIXES"
    names = [name for table in tables for name in getattr(choices, table)]
    assert [name for name in (*names, *PRESETS) if name not in text] == []


FACE = str(Path(__file__).parents[2] / "samples" / "face.png")
LOADED_BY = """
import sys
from lightsanim.cli.app import app
import lightsanim.studio.run
try:
    app(sys.argv[2:])
except SystemExit:
    pass
print(sorted(set(sys.argv[1].split(",")) & set(sys.modules)))
"""


@pytest.mark.parametrize(
    ("words", "unwanted"),
    [
        (["make", "--help"], "numpy,PIL,pyscipopt,av,jinja2,rich.progress"),
        # Nobody sees bars, words are plain, and the picture is a PNG.
        (["make", FACE, FACE, "-o", "a.gif"], "pydantic,rich,av,jinja2,PIL.TgaImagePlugin"),
    ],
)
def test_heavy_modules_are_not_loaded_needlessly(tmp_path, words, unwanted):
    command = [sys.executable, "-c", LOADED_BY, unwanted, *words]
    out = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert out.stdout.splitlines()[-1] == "[]"


def test_own_colours_are_spread_over_the_levels(tmp_path):
    # By hand: half way between neighbours, and colours as they are where there are as many levels.
    look = la.Theme(colours="#000, #808080,white")
    assert look.shades(levels=5)[:, 0].tolist() == [0, 64, 128, 192, 255]
    assert look.shades(levels=3).tolist() == [[0] * 3, [128] * 3, [255] * 3]
    assert look.shades(levels=2).tolist() == [[0] * 3, [255] * 3]
    assert la.Theme(colours=["black", (128, 128, 128), "white"]) == look
    (tmp_path / "a.hex").write_text("ffffff\r\n000000\r\n808080\r\n")
    (tmp_path / "a.gpl").write_text(
        "GIMP Palette\nName: x\n#\n255 255 255\tw\n  0 0 0\n128 128 128\n"
    )
    assert {la.Theme(colours=tmp_path / name) for name in ("a.hex", "a.gpl")} == {look}
    (tmp_path / "a.gpl").write_text("GIMP Palette\n0 0 0\n300 0 0\n")
    with pytest.raises(OptionError, match=r"a\.gpl: colours must .* not \(300, 0, 0\)"):
        la.Theme(colours=tmp_path / "a.gpl")


@pytest.mark.parametrize(
    ("look", "words"),
    [
        ({"colours": "red"}, "colours must be 2 to 256 from dark to bright, not 1"),
        ({"colours": "red,bluu"}, "not 'bluu'; did you mean blue?"),
        ({"colours": "red,blue", "lit": "white"}, "colours says all of them; leave out lit"),
        ({"colours": "a.hex"}, "not 'a.hex'"),  # a word names no file: it may be a stranger's
    ],
)
def test_invalid_colours_are_refused(look, words):
    with pytest.raises(OptionError, match=re.escape(words)):
        la.Theme(**look)


def test_keywords_module_matches_the_options():
    assert Path(keywords.__file__).read_text() == keywords_from_table()
