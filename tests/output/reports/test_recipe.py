"""The command that makes an animation again: the program's own parser reads it."""

import math
import shlex
from contextlib import suppress
from pathlib import Path
from unittest import mock

import attrs
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tools.films import LOSSY, SUFFIXES
from tools.option_values import NEEDS, OUTPUTS, SETTINGS, THEME
from tools.program import ask

import lightsanim as la
from lightsanim.cli.app import app
from lightsanim.errors import OptionError
from lightsanim.options.look import LookOptions
from lightsanim.options.records import option_names
from lightsanim.options.settings import (
    PER_PICTURE,
    PRESETS,
    settings_from_values,
    transitions_with_option,
)
from lightsanim.options.shell import quote_for_shell
from lightsanim.options.stages import TRANSITIONS
from lightsanim.output.formats.registry import FORMATS
from lightsanim.output.reports.in_words import format_make_command
from lightsanim.output.saving.output_files import OutputFiles
from lightsanim.pictures.source import parse_source

COMMANDS, OUTPUT = app.commands, la.Outputs(output=["c.gif"])
# Outputs that have all options of outputs among them.
ALL_OUTPUTS = la.Outputs(output=["c.gif", "c.html", "c.h"], still="c.svg")


class StopHereError(Exception):
    """Ends a command before it makes anything."""


def parse(command):
    """What `lightsanim make` understands of a command: pictures and options."""
    program, name, *words = shlex.split(command)
    assert (program, name) == ("lightsanim", "make")
    with (
        mock.patch("lightsanim.pipeline.make_files", side_effect=StopHereError) as make_files,
        suppress(StopHereError),
        COMMANDS[name].make_context(name, words) as context,
    ):
        COMMANDS[name].invoke(context)
    _, *options, _ = make_files.call_args.args
    return list(context.params["pictures"]), *options


def asked(pictures, settings, theme, outputs):
    """What is asked for, wherever it is said: options of an output may follow it, or be shared."""
    files = OutputFiles.from_options(outputs)
    of_each = [
        {
            name: getattr(files.theme_of(path, theme), name)
            for name in (*option_names(LookOptions), *files.known[path])
            if hasattr(theme, name)
        }
        | files.own[path]
        for path in files.all_paths
    ]
    return [*pictures], settings, files.animations, files.stills, files.overwrite, of_each


def assert_read_back(*options, pictures=("a.png", "b.png")):
    command = format_make_command(pictures, *options)
    assert asked(*parse(command)) == asked(pictures, *options)


@pytest.mark.long
def test_every_option_is_tried():
    defaults = {la.Settings: la.Settings(), la.Theme: la.Theme(), la.Outputs: ALL_OUTPUTS}
    for kind, values in {la.Settings: SETTINGS, la.Theme: THEME, la.Outputs: OUTPUTS}.items():
        assert set(values) == set(option_names(kind))
        for name, value in ((name, value) for name, some in values.items() for value in some):
            needed = {"output": ["c.gif"]} if kind is la.Outputs else NEEDS.get(name, {})
            if (transitions := transitions_with_option(name)) != TRANSITIONS:
                needed = {"transition": transitions[0]}
            chosen = {**defaults, kind: kind(**{**needed, name: value})}
            assert asked("", *chosen.values()) != asked("", *defaults.values())
            assert_read_back(*chosen.values())


# All names that options choose from, presets, and formats, also those that are added later.  Left
# out are `ip`, which no film shows, `press` and `path`, which are for few films.
NAMES = {option.name: option.metadata["choices"] for option in attrs.fields(la.Settings)}
NAMES |= {"preset": (*PRESETS,), "output": (*FORMATS,), "ip": (), "press": (), "path": ()}
QUICK = ("transition", "dither", "order", "output")
CHOICES = [
    pytest.param(option, name, marks=[pytest.mark.long] * (option not in QUICK))
    for option, names in NAMES.items()
    for name in names
]
# With ease linear, every frame differs from the one before.
SMALL = {"size": "8x6", "fps": 10, "seed": 1, "time_limit": math.inf, "ease": "linear"}


@pytest.mark.parametrize(("option", "choice"), CHOICES)
def test_every_choice_makes_a_film_that_its_command_repeats(ramps, monkeypatch, option, choice):
    path, pair = Path(f"film{choice}" if option == "output" else "film.gif"), ["right", "left"]
    monkeypatch.chdir(ramps[0].parent)
    for ramp, name in zip(ramps, pair, strict=True):
        ramp.rename(name)  # The command names files without their endings.
    own = {} if option == "output" else {option: choice}
    values = {**SMALL, **own, **NEEDS.get(choice, {})}
    is_paced = values.get("transition", "wipe") in transitions_with_option("duration")
    settings = settings_from_values(values | ({"duration": 1} if is_paced else {"steps": 3}))

    def make(pictures, *options):
        films = []
        la.make_files([*map(parse_source, pictures)], *options, on_written=films.append)
        files = sorted(path.iterdir()) if path.is_dir() else [path]
        return films[0], [file.read_bytes() for file in files if path.suffix not in LOSSY]

    report = pair, settings, la.Theme(cell=4), la.Outputs(output=[path])
    film, content = make(*report)
    # A move takes a frame for each step, or for a tenth of a second: if there are so many clicks.
    ways = 1 + settings.returns
    frames = min(10, film.count // ways) if is_paced else 3 + 1 + 3
    assert len(film) == 1 + ways * frames
    # It leads from the configuration that is nearest to one target to that nearest to the other.
    board, shown, wrong = film.board, [*film.configurations()][::frames], []
    for target, lights in zip(film.targets, shown, strict=False):
        wrong.append(np.count_nonzero(target != lights))
        planes = (np.reshape(boards, (-1, *board.shape)).astype(int) for boards in (target, lights))
        for plane, shown_plane in zip(*planes, strict=True):
            nearest = la.nearest_accessible(board, plane)
            assert np.abs(plane - shown_plane).sum() == nearest.distance
    command = format_make_command(*report)
    assert asked(*parse(command)) == asked(*report)
    if path.suffix in SUFFIXES:
        proof = la.verify(path, targets=pair)
        assert (proof.legal, proof.clicks, proof.wrong) == (True, film.count, wrong)
        assert proof.seconds in (None, pytest.approx(film.durations().sum()))
        command = proof.command
    path.rename("earlier")
    assert make(*parse(command)) == (film, content)


def some_of(values):
    return st.fixed_dictionaries({}, optional={n: st.sampled_from(v) for n, v in values.items()})


@given(some_of(SETTINGS), some_of(THEME))
@example({}, {})
def test_any_combination_is_read_back(settings, look):
    try:
        options = la.Settings(**settings), la.Theme(**look)
    except OptionError:
        return  # they exclude each other
    assert_read_back(*options, ALL_OUTPUTS)


@given(some_of({name: SETTINGS[name] for name in PER_PICTURE}))
def test_a_picture_s_own_options_follow_its_name(own):
    try:
        source = la.Source("icon@2x.png", **own)
    except OptionError:
        return  # they exclude each other
    copy = parse_source(str(source))
    assert (copy.path, copy.own) == (source.path, source.own)


def test_make_command_leaves_out_defaults():
    command = format_make_command(["a", "b"], la.Settings(), la.Theme(), OUTPUT)
    assert command == "lightsanim make a b -o c.gif"
    settings, outputs = la.Settings(size=60, seed=3), la.Outputs(output=["c.gif", "d.mp4"])
    command = format_make_command(["a", "b"], settings, la.Theme(gap=2), outputs)
    assert command == "lightsanim make a b -o c.gif -o d.mp4 --size 60 --seed 3 --gap 2"
    # What belongs to an output or to the transition follows it.
    settings = la.Settings(transition="sketch", sketch_frames=20, settle=False)
    outputs = la.Outputs(output=[{"path": "c.gif", "cell": 3}, "d.h"], sheet="s.png@frames=9")
    command = format_make_command(["a", "b"], settings, la.Theme(cell=4, wiring="zigzag"), outputs)
    assert command == (
        "lightsanim make a b -o c.gif@cell=3 -o d.h@wiring=zigzag "
        "--transition sketch@frames=20@no-settle --sheet s.png@cell=4@frames=9"
    )


@pytest.mark.parametrize("name", ["--help", "-o", "a b.png", "$(touch x)", "it's.png", "#a", "~"])
def test_make_command_quotes_odd_file_names(name):
    outputs = la.Outputs(output=[f"{name}.gif"])
    command = format_make_command([name, "b.png"], la.Settings(), la.Theme(), outputs)
    (picture, _), *_, parsed = parse(command)
    assert (Path(picture), parsed) == (Path(name), outputs)


@pytest.mark.parametrize(
    "name",
    ["a\nb.png", "\x1b[201~\nrm -rf x\n", "it's \\ \t.png", "\u202egnp.exe", "\udcff\udcc1x.png",
     "\x077", "日本.png", ""],
)  # fmt: skip
def test_a_shell_reads_any_name_and_nothing_steers_a_terminal(name):
    word = quote_for_shell(name)
    assert word.isprintable()
    assert ask("bash", "-c", f"printf %s {word}") == name.encode("utf-8", "surrogateescape")
