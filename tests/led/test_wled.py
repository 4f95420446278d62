"""Films for WLED: presets found, read and played as WLED does, within what its sources can hold.

The sources are https://github.com/wled/WLED in the versions 0.14.4, 0.15.4 and 16.0.1.
"""

import json
from dataclasses import replace

import numpy as np
import pytest
from tools.fades import frames_of
from tools.films import Kind, lit_one_by_one


def preset_of(text, number):
    """Preset of a number, as `readObjectFromFileUsingId` of file.cpp finds it."""
    key = f'"{number}":'
    return json.JSONDecoder().raw_decode(text, text.index(key) + len(key))[0]


def played(text, cells, frames, number=1):
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
    frames = played(text, film.board.cells, 5 * len(film))
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
    return replace(film, first=first, clicks=film.clicks[:1], clicks_done=np.array([0, 1]))


def test_a_preset_fits_the_memory_of_a_controller(tmp_path, refused, run):
    chequered(1521).save(tmp_path / "film.json")
    refused(["render", "film.json", "-o", "film.wled"], 2, "frame 0 24583 24576")
    for cells, size in ((1519, "24551"), (625, "10247"), (623, "")):
        chequered(cells).save(tmp_path / "film.json")
        status, _, err = run("render", "film.json", "-o", "film.wled")
        assert (status, size in err, "ESP" in err) == (0, True, bool(size))
