"""The command that makes an animation again: the program's own parser reads it."""

import shlex
import subprocess
from dataclasses import asdict, fields
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.main import get_command

import lightsanim.commands.make as commands
from lightsanim.cli import app
from lightsanim.errors import OptionError
from lightsanim.formats.stills import SHEET_FRAMES
from lightsanim.look.theme import Theme
from lightsanim.recipe import make_command, quoted
from lightsanim.settings import Settings

# A value other than the default for every option, and more for those that have several kinds.
SETTINGS = {
    "size": ["60x40", "7", 33],
    "perfect": [True],
    "rule": ["king", "110/011/000"],
    "wrap": [True],
    "fit": ["contain", "stretch"],
    "background": ["red"],
    "autocontrast": [False],
    "detail": [0, 0.1, 2.5],
    "gamma": [0.7, 1.25],
    "invert": [True],
    "rgb": [True],
    "tone": ["linear"],
    "dither": ["atkinson", "bayer"],
    "serpentine": [True],
    "ip": ["paper"],
    "time_limit": [0.5, 7, 1e-5],
    "order": ["sweep", "legal"],
    "reverse": [True],
    "spread": [0.0, 0.33333333333333331, 1],
    "press": ["lit"],
    "seed": [0, 12345, 2**70],
    "fps": [50, 29.97],
    "duration": [0.2, 3600],
    "hold_first": [0, 1.5],
    "hold_last": [0.0, 5],
    "clicks_per_frame": [1, 40],
    "ease": ["in-out"],
    "loop": [1, 65535],
    "cycle": [True],
    "boomerang": [True],
}
THEME = {
    "cell": [1, 12],
    "width": [300],
    "gap": [0, 3],
    "shape": ["circle"],
    "palette": ["amber"],
    "lit": ["#ffd700", "hsl(0, 100%, 50%)"],
    "unlit": ["navy"],
    "background": ["#fff"],
    "mark": ["rgb(1, 2, 3)"],
}


@pytest.fixture(scope="module")
def read():
    """What `lightsanim make` would do with a command: the arguments of `make_files`."""
    called = []

    def make_files(pictures, outputs, settings, theme, **more):
        called.append((pictures, outputs, settings, theme, more))
        raise OptionError("this is far enough")

    def run(words):
        program, *arguments = words
        assert program == "lightsanim"
        with pytest.raises(OptionError, match="far enough"):
            get_command(app).main(args=[*arguments, "-q"], standalone_mode=False)
        return called.pop()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(commands, "make_files", make_files)
        yield run


def same(read_settings, settings):
    # On the command line a size is its digits.
    return {**asdict(read_settings), "size": str(read_settings.size)} == {
        **asdict(settings),
        "size": str(settings.size),
    }


def assert_read_back(read, settings, theme):
    command = make_command(["a.png", "b.png"], ["c.gif"], settings, theme)
    pictures, outputs, read_settings, read_theme, more = read(shlex.split(command))
    assert pictures == [Path("a.png"), Path("b.png")]
    assert outputs == [Path("c.gif")]
    assert same(read_settings, settings)
    assert read_theme == theme
    assert more["sheet"] is None


def test_every_option_is_tried():
    assert set(SETTINGS) == {field.name for field in fields(Settings)}
    assert set(THEME) == {field.name for field in fields(Theme)}


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name in SETTINGS for value in SETTINGS[name]]
)
def test_each_setting_is_read_back(read, name, value):
    theme = Theme(background=value) if name == "background" else Theme()
    assert_read_back(read, Settings(**{name: value}), theme)


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name in THEME for value in THEME[name]]
)
def test_each_look_is_read_back(read, name, value):
    settings = Settings(background=value) if name == "background" else Settings()
    assert_read_back(read, settings, Theme(**{name: value}))


def some_of(values):
    return st.fixed_dictionaries({}, optional={n: st.sampled_from(v) for n, v in values.items()})


@given(some_of(SETTINGS), some_of(THEME))
def test_any_combination_is_read_back(read, settings, look):
    settings.pop("background", None)
    if "background" in look:
        settings["background"] = look["background"]
    try:
        both = Settings(**settings), Theme(**look)
    except OptionError:
        return  # they exclude each other
    assert_read_back(read, *both)


def test_only_what_differs_is_said():
    assert make_command(["a", "b"], ["c.gif"], Settings(), Theme()) == (
        "lightsanim make a b -o c.gif"
    )
    command = make_command(["a", "b"], ["c.gif", "d.mp4"], Settings(size=60, seed=3), Theme(gap=2))
    assert command == "lightsanim make a b -o c.gif -o d.mp4 --seed 3 --gap 2"


def test_a_white_background_between_cells_is_said(read):
    assert_read_back(read, Settings(), Theme(background="white"))


def test_two_backgrounds_cannot_be_said():
    for settings, theme in [
        (Settings(background="red"), Theme()),
        (Settings(), Theme(background="blue")),
    ]:
        with pytest.raises(OptionError, match="one --background cannot be"):
            make_command(["a", "b"], ["c.gif"], settings, theme)


def test_a_sheet_is_said(read):
    for frames in (SHEET_FRAMES, 7):
        command = make_command(
            ["a", "b"], ["c.gif"], Settings(), Theme(), sheet="s.png", sheet_frames=frames
        )
        *_, more = read(shlex.split(command))
        assert (more["sheet"], more["sheet_frames"]) == (Path("s.png"), frames)


@pytest.mark.parametrize("name", ["--help", "-o", "a b.png", "$(touch x)", "it's.png", "#a", "~"])
def test_names_are_names(read, name):
    command = make_command([name, "b.png"], [f"{name}.gif"], Settings(), Theme())
    pictures, outputs, *_ = read(shlex.split(command))
    assert pictures[0] == Path(name)
    assert outputs == [Path(f"{name}.gif")]


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
        "שמש.png",
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
