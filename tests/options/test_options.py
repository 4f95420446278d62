"""The table of options: one spelling, one check, and what is made from it."""

import re
from pathlib import Path

import numpy as np
import pytest
from tools.keywords import module as keywords_from_table
from tools.program import ask

import lightsanim as la
from lightsanim import Settings
from lightsanim.batch.manifest import parse_jobs
from lightsanim.errors import OptionError
from lightsanim.options import choices, keywords
from lightsanim.options.records import option_names, options_from_record, options_to_json_object
from lightsanim.options.settings import PRESETS, settings_from_values


@pytest.mark.parametrize(
    ("option", "spellings"),
    [
        ("size", [60, "60", (60,)]),
        ("size", ["60x40", (60, 40), " 60X40 ", (np.int8(60), 40)]),
        ("fps", [25, 25.0, np.float32(25), np.int8(25)]),
        ("backdrop", ["white", "#ffffff", (255, 255, 255)]),
        ("rule", ["plus", "010/111/010", "00000/00100/01110/00100/00000"]),
        ("levels", [5, np.uint8(5)]),
        ("spread", [0, -0.0]),
        ("dither", ["bayer", np.str_("bayer")]),
        ("time_limit", [float("inf"), "inf", np.float32("inf")]),
    ],
)
def test_a_value_is_the_same_however_it_is_spelt(option, spellings):
    records = [Settings(**{option: spelling}) for spelling in spellings]
    assert (
        len({str(options_to_json_object(record)) for record in records}) == len(set(records)) == 1
    )
    assert (
        Settings(**options_to_json_object(records[0])) == records[0]
    )  # what files hold is taken back


# What is refused: the value and what would be right are named.
@pytest.mark.parametrize(
    ("options", "message"),
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
def test_options_are_checked_before_anything_is_read(options, message):
    with pytest.raises(OptionError, match=message):
        la.make(["nothing.png", "nowhere.png"], **options)


def test_default_dither_depends_on_the_transition():
    assert Settings(transition="dissolve").dither == "blue-noise"
    assert Settings().with_defaults_for().dither == "floyd-steinberg"


# What is said counts, even if it is the default; then the preset.
@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"preset": "linocut", "detail": 1.5}, {"dither": "threshold"}),
        ({"dither": "bayer", "preset": "linocut"}, {"dither": "bayer", "detail": 3}),
    ],
)
def test_preset_yields_to_given_options(run, ramps, options, expected):
    options, expected = ({"size": 8, "seed": 1, **some} for some in (options, expected))
    settings = Settings(**expected)
    (job,) = parse_jobs({"animation": [{"pictures": ["a", "b"], "output": "a.gif", **options}]})
    assert job.settings == settings
    words = [word for name, value in options.items() for word in (f"--{name}", value)]
    assert run("make", *ramps, "-o", "a.json", *words)[0] == 0
    record = options_to_json_object(settings.with_defaults_for()) | {"order": "noise"}
    for film in (la.make(ramps, **options), la.load_animation("a.json")):
        assert film.origin.settings == record


def test_dissolve_recorded_by_1_0_is_read():
    record = {"transition": "dissolve", "order": "radial", "fit": "cover", "size": "60"}
    assert options_from_record(Settings, record).order == "radial"


def test_presets_are_valid_and_distinct():
    presets = {settings_from_values({"preset": name}) for name in PRESETS}
    assert len(presets | {Settings()}) == len(PRESETS) + 1


def test_help_for_python_names_every_option():
    text = str(la.make.__signature__)
    assert text.startswith("(pictures: ")
    assert [name for name in option_names(Settings) if f"{name}: " not in text] == []


def test_help_names_all_that_can_be_chosen(run):
    text = " ".join(run("make", "--help")[1].replace("│", " ").split())
    tables = "DITHERS", "ORDERS", "PALETTES", "PROGRAMS", "SHAPES", "SUFFIXES"
    names = [name for table in tables for name in getattr(choices, table)]
    assert [name for name in (*names, *PRESETS) if name not in text] == []


FACE = str(Path(__file__).parents[2] / "samples" / "face.png")
LOADED_BY = """
import sys
from contextlib import suppress
from lightsanim.cli.app import app
import lightsanim.studio.run
with suppress(SystemExit):
    app(sys.argv[2:])
print(sorted(set(sys.argv[1].split(",")) & set(sys.modules)))
"""


@pytest.mark.parametrize(
    ("words", "unwanted"),
    [
        (["make", "--help"], "numpy,PIL,pyscipopt,av,jinja2,rich.progress"),
        # Nobody sees bars, words are plain, and the picture is a PNG.
        (["make", FACE, FACE, "-oa.gif", "--size=8"], "pydantic,rich,av,jinja2,PIL.TgaImagePlugin"),
    ],
)
def test_heavy_modules_are_not_loaded_needlessly(tmp_path, words, unwanted):
    output = ask("python", "-c", LOADED_BY, unwanted, *words, cwd=tmp_path).decode()
    assert output.splitlines()[-1] == "[]"


def test_own_colours_are_spread_over_the_levels(tmp_path):
    # By hand: half way between neighbours, and colours as they are where there are as many levels.
    look = la.Theme(colours="#000, #808080,white")
    for levels, greys in ((5, [0, 64, 128, 192, 255]), (3, [0, 128, 255]), (2, [0, 255])):
        assert look.shades(levels=levels).tolist() == [[grey] * 3 for grey in greys]
    assert la.Theme(colours=["black", (128, 128, 128), "white"]) == look
    palettes = {
        "a.hex": "ffffff\r\n000000\r\n808080\r\n",
        "a.gpl": "GIMP Palette\nName: x\n#\n255 255 255\tw\n  0 0 0\n128 128 128\n",
    }
    for name, text in palettes.items():
        (tmp_path / name).write_text(text)
        assert la.Theme(colours=tmp_path / name) == look
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
