"""Frames of exact sizes, in pixels and in bytes; what files say of themselves is read by others."""

import re
from functools import partial

import numpy as np
import pytest
from PIL import Image, ImageSequence
from tools.films import FRAMES, LOSSY, an_animation, opened
from tools.refusals import assert_refused, refusal

import lightsanim as la
from lightsanim.apps.batch.manifest import parse_jobs
from lightsanim.board_choice import choose_board
from lightsanim.errors import OptionError
from lightsanim.options.values import to_byte_count
from lightsanim.output.formats.registry import FORMATS

# Each with the rows and columns of a board, and its own width and height.
CANVASES = [
    ("square", (60, 60), (1080, 1080)),
    ("portrait", (40, 60), (1080, 1350)),
    ("story", (9, 16), (1080, 1920)),
    ("wide", (7, 3), (1920, 1080)),
    ("500x301", (1, 100), (500, 301)),
]
LOOK = {"lit": "white", "unlit": "black", "background": "red"}


@pytest.mark.parametrize(("canvas", "board", "size"), CANVASES)
def test_a_canvas_is_exact_and_its_cells_are_as_large_as_fit(tmp_path, canvas, board, size):
    shape = ["square", "rounded", "circle"][(sum(board) + len(canvas)) % 3]
    (rows, columns), (width, height), path = board, size, tmp_path / "a.png"
    theme = la.Theme(canvas=canvas, gap=0, shape=shape, **LOOK)
    la.render_files(an_animation(rows, columns), theme, la.Outputs(still=path))
    (pixels,) = opened(path).frames
    assert pixels.shape == (height, width, 3)
    cell = min(width // columns, height // rows)
    inked = (pixels != (255, 0, 0)).any(axis=2)
    for side, cells in ((inked.any(axis=1), rows), (inked.any(axis=0), columns)):
        start, end = np.flatnonzero(side)[[0, -1]]
        assert end - start + 1 == cells * cell
        assert 0 <= len(side) - 1 - end - start <= 1  # in the middle


@pytest.mark.parametrize("suffix", FRAMES)
def test_every_format_has_the_canvas_and_is_proven(tmp_path, suffix):
    path, green = tmp_path / f"a{suffix}", (0, 128, 0)  # CSS
    look = {"lit": "white", "unlit": "black", "background": "green", "shape": "circle"}
    an_animation(clicks_per_frame=9, hold_last=0.1).save(path, canvas="201x151", **look)
    even = suffix in LOSSY  # their sides are
    for frame in opened(path).frames:
        assert frame.shape == (151 + even, 201 + even, 3)
        for edge in (frame[0], frame[-1], frame[:, 0], frame[:, -1]):
            assert np.abs(edge.astype(int) - green).max() < 40
    assert la.verify(path).legal
    la.save_still([[1]], tmp_path / "still.svg", canvas="200x150")
    assert 'viewBox="0 0 200 150"' in (tmp_path / "still.svg").read_text()


@pytest.mark.parametrize(
    ("canvas", "board", "size"),
    [(1080, (60, 60), (1080, 1080)), ("1080", (45, 60), (1080, 810)), (100, (3, 7), (100, 44)),
     ((300, 20), (2, 3), (300, 20)), (100, (90, 3), (100, 200)), (10, (70, 3), (10, 70))],
)  # fmt: skip
def test_a_width_alone_takes_the_boards_shape(canvas, board, size):
    geometry = la.Theme(canvas=canvas).geometry(*board)
    assert (geometry.width, geometry.height) == size


def test_gaps_are_kept_and_half_a_gap_is_around_them():
    geometry = la.Theme(canvas="101x100", gap=4).geometry(10, 10)
    assert (geometry.cell, geometry.gap, geometry.top_left_corner) == (6, 4, (2, 2))
    geometry = la.Theme(canvas="square").geometry(30, 30)
    assert (geometry.cell, geometry.gap) == (33, 3)  # 30 x 36 are 1080


@pytest.mark.parametrize(
    ("canvas", "options", "size"),
    [
        ("square", {}, (108, 108)),
        ("story", {"levels": 3, "rgb": True}, (72, 128)),
        ("portrait", {}, (108, 135)),
        ("1200x800", {"transition": "sketch"}, (60, 40)),
        ("square", {"size": 50}, (50, 50)),
        ("story", {"size": 27}, (27, 48)),
        ("story", {"size": "50x40"}, (50, 40)),
        (1080, {"size": 50}, (50, 25)),  # the shape of the picture
    ],
)
def test_board_fills_canvas_unless_a_size_is_set(canvas, options, size):
    picture = la.load_picture(np.zeros((50, 100), np.uint8))
    board = choose_board(picture, la.Settings(**options), la.Theme(canvas=canvas))
    assert (board.columns, board.rows) == size


def test_rows_from_canvas_are_recorded(ramps, tmp_path):
    outputs = la.Outputs(output=tmp_path / "a.json")
    la.make_files(ramps, la.Settings(size=9), la.Theme(canvas="story"), outputs)
    film = la.load_animation(tmp_path / "a.json")
    assert film.origin.settings["size"] == "9x16"
    again = la.make(ramps, size=film.origin.settings["size"], seed=film.seed)
    assert np.array_equal(again.targets, film.targets)


def test_board_fills_canvas_with_whole_cells(ramps, tmp_path):
    path = tmp_path / "a.gif"
    settings = la.Settings(duration=0.1, hold_last=0.1, hold_first=0.1)
    la.make_files(ramps, settings, la.Theme(canvas="square"), la.Outputs(output=path))
    for frame in (opened(path).frames[0], opened(path).frames[-1]):
        assert frame.shape[:2] == (1080, 1080)
        assert np.array_equal(frame, frame[::10, ::10].repeat(10, axis=0).repeat(10, axis=1))


@pytest.mark.parametrize("ground", [0, 1])
def test_margin_has_colour_of_ground_unless_background_is_set(tmp_path, ground):
    path, lights = tmp_path / "a.gif", np.full((6, 6), bool(ground))
    lights[2:4, 2:4] = not ground
    film = la.make([lights * np.uint8(255)] * 2, size=6, dither="threshold", detail=0, seed=1)
    look = {"canvas": "65x65", "lit": "white", "unlit": "black"}
    film.save(path, gap=0, **look)
    assert set(opened(path).frames[0][0].ravel()) == {255 * ground}
    assert la.verify(path).legal
    for other in ({"gap": 0, "background": "red"}, {"gap": 1}, {"gap": 0, "shape": "circle"}):
        film.save(path, **look, **other)
        assert set(opened(path).frames[0][0].ravel()) != {255 * ground}


def test_bytes_have_units():
    sizes = {"8 mb": 8_000_000, "1.5M": 1_500_000, "500kB": 500_000, 9: 9}
    assert {value: to_byte_count(value) for value in sizes} == sizes
    for wrong in ("0", "-3MB", "8XB", 0.5, True, ""):
        assert_refused(partial(to_byte_count, wrong), "8MB 500kB 8000000", OptionError)


@pytest.mark.long
def test_gif_max_bytes_gives_best_quality_that_fits(tmp_path):
    animation, path = an_animation(28, 28, fps=25, duration=2), tmp_path / "a.gif"
    assert la.render_files(animation, la.Theme(), la.Outputs(output=path)).notes == []
    full = path.stat().st_size
    for share in (1, 0.5, 0.2):
        limit = int(full * share)
        outputs = la.Outputs(output=path, max_bytes=limit)
        notes = la.render_files(animation, la.Theme(), outputs).notes
        content = path.read_bytes()
        assert 0.6 * limit < len(content) <= limit
        assert bool(notes) == (share < 1)
        assert la.verify(path).legal
        assert animation.to_bytes("gif", max_bytes=limit) == content
    (note,) = notes
    assert note.startswith("a.gif has ")
    assert " fps and cells of " in note
    with Image.open(path) as image:
        seconds = sum(frame.info["duration"] for frame in ImageSequence.Iterator(image)) / 1000
    assert seconds == pytest.approx(animation.durations().sum(), abs=0.6)


@pytest.mark.parametrize("suffix", [s[1:] for s, format in FORMATS.items() if format.quality_steps])
@pytest.mark.parametrize("shape", ["square", pytest.param("circle", marks=pytest.mark.long)])
def test_max_bytes_gives_legal_file_that_fits(suffix, shape, tmp_path):
    animation, path = an_animation(12, 16), tmp_path / f"a.{suffix}"
    theme = la.Theme(shape=shape, width=360)
    full = len(animation.to_bytes(suffix, shape=shape, width=360))
    outputs = la.Outputs(output=path, max_bytes=full * 2 // 3)
    report = la.render_files(animation, theme, outputs)
    assert full / 8 < path.stat().st_size <= full * 2 // 3
    assert la.verify(path).legal
    assert ("coarser" in report.notes[-1]) <= (suffix in ("mp4", "webm"))


@pytest.mark.parametrize("percent", range(52, 100, 10))
def test_max_bytes_on_a_canvas_lowers_the_frame_rate_alone(percent, tmp_path):
    animation, path = an_animation(20, 30, fps=25, duration=2), tmp_path / "a.gif"
    limit = len(animation.to_bytes("gif", canvas="300x200")) * percent // 100
    animation.save(path, canvas="300x200", max_bytes=limit)
    assert limit / 2 < path.stat().st_size <= limit
    assert opened(path).frames[0].shape == (200, 300, 3)


def test_gif_max_bytes_error_names_sufficient_size(tmp_path):
    animation = an_animation(28, 28, duration=1)
    line = refusal(lambda: animation.save(tmp_path / "a.gif", max_bytes="1kB"), OptionError)
    assert not list(tmp_path.iterdir())
    sufficient = re.search(r"[\d.]+ kB", line.partition("1kB")[2] or line)[0]
    content = animation.to_bytes("gif", max_bytes=sufficient)
    assert len(content) <= to_byte_count(sufficient)


def test_bytes_are_for_gifs(ramps):
    table = {"pictures": ["a", "b"], "output": ["a.gif"], "max_bytes": "8MB", "canvas": "square"}
    (job,) = parse_jobs({"animation": [table]})
    assert (job.outputs.max_bytes, str(job.outputs.canvas)) == (8_000_000, "1080x1080")
    outputs = la.Outputs(output="a.html", max_bytes="8MB")
    assert_refused(partial(la.make_files, ramps, la.Settings(), la.Theme(), outputs), "max_bytes")
    for change in ({"output": ["a.html"]}, {"max_bytes": "8XB"}):
        assert_refused(partial(parse_jobs, {"animation": [table | change]}), "max_bytes")
