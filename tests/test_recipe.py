"""The command that makes an animation again: the program's own parser reads it."""

import shlex
import subprocess
from pathlib import Path

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.main import get_command

from lightsanim import Outputs, Settings, Theme
from lightsanim.cli import app
from lightsanim.errors import OptionError
from lightsanim.options import OF_TRANSITIONS, OWN, names_of
from lightsanim.pictures.source import Source, source_of_word
from lightsanim.recipe import make_command, quoted

# Values other than the default for every option, and more for those that have several kinds.
SETTINGS = {
    "size": ["60x40", "7", 33, (3, 4)],
    "perfect": [True],
    "levels": [3, 7],
    "rule": ["king", "110/011/000"],
    "wrap": [True],
    "crop": ["10%,0,90%,60%", (1, 2.5, 30, 40)],
    "focus": ["face", "auto,2.5", (40, 30), "45%,30%,3"],
    "fit": ["contain", "stretch"],
    "backdrop": ["red", "#fff7f7"],
    "autocontrast": [False],
    "detail": [0, 0.1, 2.5],
    "gamma": [0.7, 1.25],
    "invert": [True],
    "start": [0, 2.5],
    "end": [5.5],
    "at": [0.04, 3],
    "rgb": [True],
    "tone": ["linear"],
    "dither": ["atkinson", "bayer"],
    "serpentine": [True, False],
    "ip": ["paper"],
    "time_limit": [0.5, 7, 1e-5, float("inf")],
    "transition": ["dissolve", "sketch"],
    "order": ["sweep", "legal"],
    "reverse": [True],
    "spread": [0.0, 0.33333333333333331, 1],
    "press": ["lit"],
    "sketch_frames": [2, 30],
    "click_price": [0.5, 3],
    "sketch_blur": [1.5],
    "settle": [False],
    "seed": [0, 12345, 2**70],
    "fps": [50, 29.97, 25],
    "duration": [0.2, 3600],
    "hold_first": [0, 1.5],
    "hold_last": [0.0, 5],
    "clicks_per_frame": [1, 40],
    "ease": ["in-out", "linear"],
    "loop": [1, 65535],
    "cycle": [True],
    "boomerang": [True],
    "mute": [True],
}
THEME = {
    "cell": [1, 12],
    "width": [300],
    "canvas": ["square", 1080, "300x200"],
    "gap": [0, 3],
    "shape": ["circle"],
    "palette": ["amber"],
    "lit": ["#ffd700", "hsl(0, 100%, 50%)"],
    "unlit": ["navy"],
    "middle": ["tomato"],
    "background": ["#fff", "none", "#ff800080"],
    "mark": ["rgb(1, 2, 3)"],
    "show_clicks": ["below"],
    "print_width": [200, 29.7],
    "hatch": [0.5],
    "wiring": ["serpentine"],
    "exhibit": [True],
    "visitor_clicks": [12],
}
OUTPUTS = {
    "output": [["c.gif"], ["c.gif", "-d.mp4"]],
    "sheet": ["s.png", "-s.png"],
    "sheet_frames": [7],
    "max_bytes": ["8MB"],
    "overwrite": [False],
}


def read(command):
    """What `lightsanim make` understands of a command: pictures and options."""
    program, name, *words = shlex.split(command)
    assert (program, name) == ("lightsanim", "make")
    given = get_command(app).commands[name].make_context(name, words).params
    kinds = Settings, Theme, Outputs
    options = (kind(**{name: given[name] for name in names_of(kind)}) for kind in kinds)
    return list(given["pictures"]), *options


def assert_read_back(settings, theme, outputs):
    command = make_command(["a.png", "b.png"], settings, theme, outputs)
    pictures, *options = read(command)
    assert pictures == ["a.png", "b.png"]
    assert options == [settings, theme, outputs]


@pytest.mark.long
def test_every_option_is_tried():
    for kind, values in ((Settings, SETTINGS), (Theme, THEME), (Outputs, OUTPUTS)):
        assert set(values) == set(names_of(kind))
        for name, others in values.items():
            for value in others:
                # With the first transition that the option belongs to.
                of = {"transition": OF_TRANSITIONS[name][0]} if name in OF_TRANSITIONS else {}
                options = kind(**{**of, name: value})
                assert options != kind()
                told = {Settings: Settings(), Theme: Theme(), Outputs: Outputs(output=["c.gif"])}
                if kind is Outputs and name != "output":
                    options = attrs.evolve(options, output=["c.gif"])
                assert_read_back(*{**told, kind: options}.values())


def some_of(values):
    return st.fixed_dictionaries({}, optional={n: st.sampled_from(v) for n, v in values.items()})


@given(some_of(SETTINGS), some_of(THEME))
def test_any_combination_is_read_back(settings, look):
    try:
        both = Settings(**settings), Theme(**look)
    except OptionError:
        return  # they exclude each other
    assert_read_back(*both, Outputs(output=["c.gif"]))


@given(some_of({name: SETTINGS[name] for name in OWN}))
def test_a_picture_s_own_options_follow_its_name(own):
    try:
        source = Source("icon@2x.png", **own)
    except OptionError:
        return  # they exclude each other
    back = source_of_word(str(source))
    assert (back.path, back.own) == (source.path, source.own)


def test_only_what_differs_is_said():
    one, two = Outputs(output=["c.gif"]), Outputs(output=["c.gif", "d.mp4"])
    command = make_command(["a", "b"], Settings(), Theme(), one)
    assert command == "lightsanim make a b -o c.gif"
    command = make_command(["a", "b"], Settings(size=60, seed=3), Theme(gap=2), two)
    assert command == "lightsanim make a b -o c.gif -o d.mp4 --seed 3 --gap 2"


def test_no_command_claims_to_give_a_custom_order():
    settings = Settings(order=lambda row, column: row)
    with pytest.raises(OptionError, match="no command gives a custom order"):
        make_command(["a", "b"], settings, Theme(), Outputs(output=["c.gif"]))


@pytest.mark.parametrize("name", ["--help", "-o", "a b.png", "$(touch x)", "it's.png", "#a", "~"])
def test_names_are_names(name):
    outputs = Outputs(output=[f"{name}.gif"])
    pictures, *_, read_outputs = read(make_command([name, "b.png"], Settings(), Theme(), outputs))
    assert Path(pictures[0]) == Path(name)
    assert read_outputs == outputs


@pytest.mark.parametrize(
    "name",
    [
        "a\nb.png",
        "\x1b[201~\nrm -rf x\n",
        "it's \\ \t.png",
        "\N{RIGHT-TO-LEFT OVERRIDE}gnp.exe",
        "\udcff\udcc1x.png",
        "\x077",
        "日本.png",
        "",
    ],
)
def test_a_shell_reads_any_name_and_nothing_steers_a_terminal(name):
    word = quoted(name)
    assert word.isprintable()
    said = subprocess.run(["bash", "-c", f"printf %s {word}"], capture_output=True, check=True)
    assert said.stdout == name.encode("utf-8", "surrogateescape")


def test_what_is_no_text_at_all_is_replaced():
    assert quoted("\ud800") == r"$'\077'"
