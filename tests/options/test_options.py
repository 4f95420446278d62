"""The table of options: one spelling, one check, and what is made from it."""

import inspect
import re
import typing
from pathlib import Path

import numpy as np
import pytest
from tools.keywords import STUB, stub
from tools.keywords import module as keywords_from_table
from tools.program import ask
from tools.refusals import assert_refused

import lightsanim as la
from lightsanim import Settings
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
    saved = [options_to_json_object(record) for record in records]
    assert len({*map(str, saved)}) == len({*records}) == 1
    assert Settings(**saved[0]) == records[0]


@pytest.mark.parametrize(
    ("options", "facts"),
    [
        ({"size": "0x4"}, "size 1x1 0x4"),
        ({"size": "60x"}, "size COLUMNSxROWS '60x'"),
        ({"size": "100000x100000"}, "50000000"),
        ({"rule": "pluss"}, "rule cross, plus?"),
        ({"order": "zigzag"}, "order radial, 'zigzag'"),
        ({"serpentine": True, "cycle": True}, "changed serpentine number cycle ending"),
        ({"transition": "dissolve", "press": "lit"}, "press wipe"),
        ({"transition": "dissolve", "dither": "atkinson"}, "bayer, 'atkinson'"),
        ({"time_limit": 0}, "time limit 0"),
        ({"seed": True}, "seed True"),
        ({"fps": float("nan")}, "fps 0.01 1000 nan"),
        ({"fps": 10**5000}, "fps 0.01 1000"),
        ({"backdrop": "blurple"}, "backdrop purple"),
        ({"ease": "out"}, "ease linear, in-out 'out'"),
        ({"clicks_per_frame": 0}, "clicks_per_frame 1 0"),
        ({"perfect": 1}, "perfect true false 1"),
        ({"order": "legal", "ending": "boomerang"}, "legal boomerang"),
        ({"levels": 4}, "levels 2, 3, 5, 7 4"),
        ({"levels": 7, "rgb": True}, "7 levels rgb 5"),
        ({"levels": 3, "ip": "paper"}, "paper 2 levels 3"),
        ({"levels": 5, "order": "legal"}, "legal 2 levels 5"),
        ({"preset": "linocat"}, "preset colour, linocut?"),
        ({"preset": ["loop", "colour", "spot"]}, "colour spot levels 3 5"),
        ({"ordre": "sweep"}, "'ordre' order? size, perfect"),
        ({"length": 8}, "'length' total?"),
        ({"speed": 2}, "'speed' duration or fps?"),
        ({"color": "red"}, "'color' rgb or spot?"),
        ({"total": 8, "duration": 2}, "total duration"),
        ({"total": 8, "clicks_per_frame": 2}, "total clicks_per_frame"),
    ],
)
def test_options_are_checked_before_anything_is_read(options, facts):
    assert_refused(lambda: la.make(["nothing.png", "nowhere.png"], **options), facts, OptionError)


# What is said counts, even if it is the default; then the preset.
@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"preset": "linocut", "detail": 1.5}, {"dither": "threshold", "detail": 1.5}),
        ({"dither": "bayer", "preset": "linocut"}, {"dither": "bayer", "detail": 3}),
        (
            {"preset": ["linocut", "pencil"], "detail": 2},
            {"dither": "threshold", "detail": 2, "gamma": 2.5},
        ),
    ],
)
def test_preset_yields_to_given_options(run, ramps, options, expected):
    options, expected = ({"size": "8x5", "seed": 1, **some} for some in (options, expected))
    settings = Settings(**expected)
    lists = {name: value if type(value) is list else [value] for name, value in options.items()}
    words = [
        word for name, values in lists.items() for one in values for word in (f"--{name}", one)
    ]
    assert run("make", *ramps, "-o", "a.json", *words)[0] == 0
    record = options_to_json_object(settings.with_defaults_for()) | {"order": "contour"}
    for film in (la.make(ramps, **options), la.load_animation("a.json")):
        assert film.origin.settings == record


def test_dissolve_recorded_by_1_0_is_read():
    record = {"transition": "dissolve", "order": "radial", "fit": "cover", "size": "60"}
    expected = Settings(transition="dissolve", fit="cover", size=60)
    assert options_from_record(Settings, record) == expected


def test_presets_are_valid_and_distinct():
    presets = {settings_from_values({"preset": name}) for name in PRESETS}
    assert len(presets | {Settings()}) == len(PRESETS) + 1


def test_help_for_python_names_every_option():
    signature = inspect.signature(la.make)
    assert str(signature).startswith("(pictures: ")
    assert [name for name in option_names(Settings) if f"{name}: " not in str(signature)] == []
    order = signature.parameters["order"]
    assert "radial" in typing.get_args(typing.get_args(order.annotation)[0])
    assert order.default == "auto"


def test_help_names_all_that_can_be_chosen(run):
    text = " ".join(run("make", "--help-all")[1].split())
    tables = "DITHERS", "ORDERS", "PALETTES", "PROGRAMS", "SHAPES", "SUFFIXES"
    names = [name for table in tables for name in getattr(choices, table)]
    assert [name for name in (*names, *PRESETS) if name not in text] == []


FACE = str(Path(__file__).parents[2] / "samples" / "face.png")
LOADED_BY = """
import os, sys
from contextlib import suppress
from lightsanim.cli.app import app
import lightsanim.apps.studio.run
words, unwanted = (sys.argv[1], sys.argv[2]) if os.fork() == 0 else (sys.argv[3], sys.argv[4])
with suppress(SystemExit):
    app(words.split())
print(sorted(set(unwanted.split(",")) & set(sys.modules)), flush=True)
with suppress(ChildProcessError):
    os.wait()
"""


def test_heavy_modules_are_not_loaded_needlessly(tmp_path):
    # Help; and where nobody sees bars, words are plain, and the picture is a PNG.
    words = ["make --help", "numpy,PIL,pyscipopt,av,jinja2,rich.progress"]
    words += [f"make {FACE} {FACE} -oa.gif --size=8", "pydantic,rich,av,jinja2,PIL.TgaImagePlugin"]
    output = ask("python", "-c", LOADED_BY, *words, cwd=tmp_path).decode()
    assert re.findall(r"(?m)^\[.*\]$", output) == ["[]", "[]"]


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
    assert_refused(lambda: la.Theme(colours=tmp_path / "a.gpl"), "a.gpl: colours (300, 0, 0)")
    for text in ("\n" * 99_999, "9" * 5000 + " 0 0\n"):  # which once took minutes, and crashed
        (tmp_path / "a.gpl").write_text(text)
        assert_refused(lambda: la.Theme(colours=tmp_path / "a.gpl"), "a.gpl 2 256")


def test_keywords_module_matches_the_options():
    hint = "run python tests/tools/keywords.py"
    assert Path(keywords.__file__).read_text() == keywords_from_table(), hint
    assert STUB.read_text() == stub(), hint
