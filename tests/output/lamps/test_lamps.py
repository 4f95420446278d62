"""Films on lamps: C headers and sketches, compiled and played; lamps in NeoMatrix's order."""

import hashlib
import itertools
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tools.fades import frames_of
from tools.films import Kind, lit_one_by_one
from tools.program import ask

import lightsanim as la
from lightsanim.output.lamps.wiring import lamp_numbers

DATA = Path(__file__).parents[2] / "data/lamps"
STRICT = "-Wall -Wextra -Werror -fsanitize=undefined -fsanitize-undefined-trap-on-error"


def compiled(program, folder, compiler="gcc", dialect="-std=c99 -pedantic"):
    (folder / "play.c").write_text(program)
    flags = [*dialect.split(), *STRICT.split(), "-I.", f"-I{DATA}"]
    ask(compiler, *flags, "-o", "play", "play.c", cwd=folder)
    return ask(folder.resolve() / "play").decode()


def played(header, name="film"):
    """Milliseconds (frames + 1,) and levels (frames + 1, lamps) of a header."""
    film = f'#include "{header.name}"\n#define FILM {name}\n#define LAMPS {name.upper()}_LAMPS\n'
    output = compiled(film + (DATA / "play.c").read_text(), header.parent)
    numbers = np.array([line.split() for line in output.splitlines()], int)
    return numbers[:, 0], numbers[:, 1:]


# Rule, wrap, levels, rows, columns, boards, clicks per frame.
KINDS = [
    Kind(suffix=".h", rule=rule, wrap=wrap, levels=levels, rows=rows, columns=columns,
         boards=boards, clicks_per_frame=clicks, moves=2, seed=levels)
    for rule, wrap, levels, rows, columns, boards, clicks in [
        ("plus", False, 2, 13, 17, 1, None),
        ("king", True, 7, 6, 5, 1, 1),
        ("cross", True, 2, 4, 9, 3, 2),
        ("110/011/000", False, 5, 7, 8, 3, 5),
    ]
]  # fmt: skip


def zigzag(boards):
    """Every other row backward."""
    rows = np.arange(boards.shape[-2])[:, None] % 2
    return np.where(rows, boards[..., ::-1], boards)


# Each with the boards as the wire runs through them.
WIRINGS = {
    "straight": lambda boards: boards,
    "serpentine": zigzag,
    "bottom-right,columns,zigzag": lambda b: zigzag(b[..., ::-1, ::-1].swapaxes(-1, -2)),
    "top-right": lambda boards: boards[..., ::-1],
}


@pytest.mark.parametrize(("kind", "wiring"), [*zip(KINDS, WIRINGS, strict=True)], ids=str)
def test_the_reader_shows_every_frame(tmp_path, kind, wiring):
    animation, header = kind.animation(), tmp_path / "film.h"
    animation.save(header, wiring=wiring, library="c")
    milliseconds, lamps = played(header)
    expected = WIRINGS[wiring](frames_of(animation)).reshape(len(animation), -1)
    assert np.array_equal(lamps, [*expected, expected[0]])
    assert np.allclose(milliseconds[:-1], animation.durations() * 1000, atol=1)


# What Adafruit_NeoMatrix 1.3.3 (commit 7b612d1) calls `setPixelColor` with, its own drawPixel
# compiled: 3x2 panels of 2x3 lamps, a line for each `matrixType` from 0 to 255, cell after cell.
NEOMATRIX = "28adef68512a0b2001b7f19f84a8ef2560498af45e11c27a6e980b5069919d91"
TYPE_143 = (
    "3 2 9 8 15 14 4 1 10 7 16 13 5 0 11 6 17 12 "
    "30 35 24 29 18 23 31 34 25 28 19 22 32 33 26 27 20 21"
)
CORNERS = "top-left", "bottom-left", "top-right", "bottom-right"
SEQUENCES = "straight", "zigzag"
ORDERS = [",".join(x[::-1]) for x in itertools.product(SEQUENCES, ("rows", "columns"), CORNERS)]


def assert_neomatrix(lines):
    assert lines[143].split() == TYPE_143.split()
    text = "".join(f"{line.strip()} \n" for line in lines)
    assert hashlib.sha256(text.encode()).hexdigest() == NEOMATRIX


def test_the_reader_in_c_finds_every_lamp_where_neomatrix_does(tmp_path):
    lit_one_by_one(6, 6).save(tmp_path / "film.h", library="c")
    program = """
        #include <stdio.h>
        #include "film.h"
        int main(void) {
          struct lights_film wired = film;
          wired.across = 3, wired.down = 2;
          for (unsigned type = 0; type < 256; type++, puts("")) {
            wired.wiring = (uint8_t)type;
            for (uint32_t cell = 0; cell < 36; cell++) printf("%u ", lights_lamp(&wired, cell));
          }
          return 0;
        }"""
    # What nobody calls is `inline`, and no warning.
    assert_neomatrix(compiled(program, tmp_path).splitlines())


def test_all_wirings_are_those_of_neomatrix():
    lines = []
    for panels, lamps in itertools.product(ORDERS, ORDERS):
        theme = la.Theme(wiring=lamps, panels=f"3x2,{panels}")
        numbers = lamp_numbers((6, 6), theme.wiring, theme.panels)
        lines.append(" ".join(map(str, numbers.flat)))
    assert_neomatrix(lines)


def test_film_for_lamps_has_the_wiring_of_its_panels(tmp_path):
    film, look = lit_one_by_one(6, 6), {"wiring": ORDERS[15], "panels": "3x2,zigzag"}
    film.save(tmp_path / "film.h", **look, library="c")
    header = np.diff(played(tmp_path / "film.h")[1][:-1], axis=0).argmax(axis=1)
    presets = json.loads(film.to_bytes("wled", **look))
    wled = [presets[f"{number}"]["seg"]["i"][0] for number in range(3, 39)]
    assert header.tolist() == wled == [*map(int, TYPE_143.split())]


@pytest.mark.parametrize(
    ("library", "kind", "rounds"),
    [("neopixel", KINDS[1], 2), ("neopixel", KINDS[3], 0), ("fastled", KINDS[3], 1)],
    ids=str,
)
def test_a_sketch_builds_as_it_is_and_plays_the_film(tmp_path, library, kind, rounds):
    film, wiring = replace(kind.animation(), loop=rounds), "bottom-right,columns,zigzag"
    film.save(tmp_path / "film.ino", wiring=wiring, library=library)
    loops = 2 * len(film) + 3
    # An Arduino's tools compile a sketch as C++ after this header.
    program = f"""
        #include <Arduino.h>
        #include "film.ino"
        int main() {{
          setup();
          for (int i = 0; i < {loops}; i++) loop();
        }}"""
    output = compiled(program, tmp_path, "g++", "-x c++ -std=c++11 -DARDUINO=10819")
    numbers = np.array([line.split() for line in output.splitlines()], int)
    lights = 255 * WIRINGS[wiring](frames_of(film)) // (kind.levels - 1)
    lamps = lights.reshape(len(film), kind.boards, -1).swapaxes(1, 2)
    frames = lamps.repeat(3 // kind.boards, axis=2).reshape(len(film), -1)
    expected = np.concatenate([frames] * 3)[: loops if rounds == 0 else rounds * len(film)]
    assert np.array_equal(numbers[:, :-1], expected)
    assert np.allclose(numbers[: len(film), -1], film.durations() * 1000, atol=1)


@pytest.mark.parametrize(("stem", "name"), [("while", "film_while"), ("3 */ 日", "film_3")])
def test_c_header_hostile_names_are_escaped(tmp_path, stem, name):
    hostile = "*/ int main; /*", "sun\n#error\u202e\u2028??/", "\udcff" + "\\" * 99
    film = replace(KINDS[1].animation(), pictures=hostile)
    header = tmp_path / f"{stem}.h".replace("/", "_")
    film.save(header, library="c")
    assert played(header, name)[1].shape == (len(film) + 1, 30)


@pytest.mark.long
def test_all_commands_that_make_films_write_headers(run, ramps):
    for words, wiring in (
        (f"make {ramps[0]} {ramps[1]} -o film.json --size 9x9", "serpentine"),
        ("render film.json", "straight"),
        ("solve on off --size 9x9", "serpentine"),
        ("pose 9x9 --clicks 9 -o start.txt", "straight"),
    ):
        assert run(*words.split(), "-o", f"film.h@wiring={wiring}@library=c")[0] == 0
        _, lamps = played(Path("film.h"))
        assert lamps.shape[1] == 81
    assert lamps[-2].sum() == 0  # all off
    assert np.array_equal(lamps[0].reshape(9, 9), la.read_board(Path("start.txt").read_text()))


def test_solve_test_film_lights_cells_in_reading_order(run):
    words = "solve off on --size 5x4 --rule 1 --fps 5 -o test.h@library=c@wiring=serpentine"
    assert run(*words.split())[0] == 0
    lit = np.diff(played(Path("test.h"), "film_test")[1][:-1], axis=0)
    assert lit.sum() == 20
    assert lit.argmax(axis=1)[:10].tolist() == [0, 1, 2, 3, 4, 9, 8, 7, 6, 5]


def test_verify_lamp_files_are_refused(refused):
    for suffix, name in ((".h", "C header"), (".ino", "Arduino sketch"), (".wled", "WLED file")):
        lit_one_by_one(2, 2).save(f"a{suffix}")
        refused(["verify", f"a{suffix}"], 2, f"{name} .json")


def test_a_header_says_where_its_reader_is():
    for library in (None, "c"):
        text = KINDS[0].animation().to_bytes("h", library=library).decode()
        assert ("library=c" in text, "lights_begin(" in text) == (not library, bool(library))


# Presets for WLED: found, read and played as it does, within what its sources can hold.  These are
# https://github.com/wled/WLED in the versions 0.14.4, 0.15.4 and 16.0.1.


def preset_of(text, number):
    """Preset of a number, as `readObjectFromFileUsingId` of file.cpp finds it."""
    key = f'"{number}":'
    return json.JSONDecoder().raw_decode(text, text.index(key) + len(key))[0]


def played_by_wled(text, cells, frames, number=1):
    """Tenths of a second, and the colour of each lamp, of so many frames, as playlist.cpp plays."""
    lamps, frozen = ["?"] * cells, False
    output = []
    while number and len(output) < frames:
        preset = preset_of(text, number)
        playlist = preset["playlist"]
        assert preset["on"] is True  # nothing is played while all is off
        assert playlist["transition"] == 0
        assert 1 <= len(playlist["ps"]) <= 100
        rounds = playlist["repeat"] or frames
        entries = [*zip(playlist["ps"], playlist["dur"], strict=True)] * min(rounds, frames)
        for preset_number, tenths in entries:
            assert 1 <= preset_number <= 250
            assert 2 <= tenths <= 65_535  # of one tenth, 0.15.4 makes ten seconds
            segment = preset_of(text, preset_number)["seg"]
            assert segment["id"] == 0
            if not frozen:
                lamps, frozen = ["000000"] * cells, True
            set_lamps(lamps, segment["i"])
            output.append((tenths, [*lamps]))
        number = playlist["end"]
    return output[:frames]


def set_lamps(lamps, items):
    """Set the lamps of a segment, as `deserializeSegment` of json.cpp does."""
    numbers = []
    for item in items:
        if isinstance(item, int):
            numbers.append(item)
            continue
        start, stop = numbers if len(numbers) == 2 else (numbers[0], numbers[0] + 1)
        assert 0 <= start < stop <= len(lamps)
        lamps[start:stop] = [item] * (stop - start)
        numbers = []


def assert_played(film):
    """Frames in black, white and primaries come in order, in all rounds or, if endless, five."""
    text = film.to_bytes("wled", lit="white", unlit="black").decode()
    frames = played_by_wled(text, film.board.cells, 5 * len(film))
    boards = frames_of(film).reshape(len(film), -1, film.board.cells)
    primaries = np.broadcast_to(boards, (len(film), 3, film.board.cells)).swapaxes(1, 2) * 255
    expected = [[bytes(lamp).hex() for lamp in lamps.tolist()] for lamps in primaries]
    assert [lamps for _, lamps in frames] == expected * (film.loop or 5)
    return frames


@pytest.mark.parametrize(("boards", "clicks", "loop"), [(1, 2, 0), (3, 3, 4), (1, 1, 1)])
def test_wled_shows_every_frame(boards, clicks, loop):
    look = {"rows": 6, "columns": 9, "boards": boards, "clicks_per_frame": clicks}
    kind = Kind(suffix="", moves=2, seed=3, **look)
    film = replace(kind.animation(), fps=4, loop=loop)
    frames = assert_played(film)
    tenths = np.cumsum([tenths for tenths, _ in frames])[: len(film)]
    assert np.abs(tenths - np.cumsum(film.durations() * 10)).max() <= 0.5 + 1e-6


@pytest.mark.parametrize("loop", [0, 1, 2])
def test_playlists_of_long_films_follow_each_other(loop):
    assert len(assert_played(lit_one_by_one(12, 9, loop))) == 109 * (loop or 5)


def test_the_file_is_as_wled_keeps_it():
    # Structural requirements 1 to 4 of file.cpp; what it appends goes before the last byte.
    text = lit_one_by_one(5, 4).to_bytes("wled").decode()
    assert (text[0], text[-1]) == ("{", "}")
    presets = json.loads(text)
    assert (presets["0"], [*map(int, presets)]) == ({}, [*range(23)])
    for number, preset in presets.items():
        dense = f'"{number}":{json.dumps(preset, separators=(",", ":"))}'
        assert (dense if number == "0" else f",{dense}") in text


@pytest.mark.parametrize(
    ("unlit", "colour"), [("#191919", "191919"), ("navy", "000080"), ("none", "000000")]
)
def test_lamps_have_the_colours_of_the_look(unlit, colour):
    film = lit_one_by_one(2, 1).to_bytes("wled", unlit=unlit).decode()
    assert preset_of(film, 2)["seg"]["i"] == [0, 2, colour]


# A first frame whose lamps are lit and unlit in turn.  ArduinoJson 6.18.1, the library of all these
# versions, says of 1521 lamps that they take 24,576 bytes (`memoryUsage`, with 16 bytes for each
# value, as on 32 bits), and needs 7 more to read a colour again; of 625 lamps 10,240.  ESP32s have
# 24,576 or more, an ESP8266 10,240 (`JSON_BUFFER_SIZE` in const.h).
def chequered(cells):
    film, first = lit_one_by_one(cells, 1), np.arange(cells).reshape(1, cells) % 2 == 1
    return replace(film, first=first, history=la.Clicks(film.clicks[:1]), clicks_done=np.arange(2))


def test_a_preset_fits_the_memory_of_a_controller(tmp_path, refused, run):
    chequered(1521).save(tmp_path / "film.json")
    refused(["render", "film.json", "-o", "film.wled"], 2, "frame 0 24583 24576")
    for cells, size in ((1519, "24551"), (625, "10247"), (623, "")):
        chequered(cells).save(tmp_path / "film.json")
        status, _, err = run("render", "film.json", "-o", "film.wled")
        assert (status, size in err, "ESP" in err) == (0, True, bool(size))
