import re

import numpy as np
import pytest
from PIL import Image

import lightsanim as la
from lightsanim.animation.animation import shades_of
from lightsanim.errors import OptionError, OutputError
from lightsanim.formats.stills import Stills
from lightsanim.pipeline import render_files


@pytest.fixture
def animation(ramps):
    return la.make(ramps, size="12x8", seed=1, clicks_per_frame=1)


def test_a_sheet_shows_stills_side_by_side(animation, tmp_path):
    outputs = la.Outputs(sheet=tmp_path / "s.png", sheet_frames=3)
    render_files(animation, la.Theme(cell=5, gap=1), outputs)
    with Image.open(tmp_path / "s.png") as image:
        pixels = np.array(image.convert("L"))
    geometry = la.Theme(cell=5, gap=1).geometry(8, 12)
    step = geometry.width + 2 * geometry.pitch
    assert pixels.shape == (geometry.height, 3 * step - 2 * geometry.pitch)
    configurations = list(animation.configurations())
    middle = configurations[round(len(animation.clicks) / 2)]
    for place, expected in enumerate([animation.first, middle, animation.last]):
        still = pixels[:, place * step : place * step + geometry.width]
        assert np.array_equal(geometry.centres(still) > 128, expected)


@pytest.mark.parametrize("frame", [0, 5, -1])
def test_a_still_shows_the_frame_asked_for(animation, tmp_path, frame):
    render_files(animation, la.Theme(), la.Outputs(), still=tmp_path / "s.png", frame=frame)
    with Image.open(tmp_path / "s.png") as image:
        pixels = np.array(image.convert("L"))
    shown = la.Theme().geometry(8, 12).centres(pixels) > 128
    assert np.array_equal(shown, list(animation.configurations())[frame])


def extent(outline):
    """From where to where an outline of lines and quarter circles reaches, in x and y."""
    number = r"(-?[\d.]+(?:e-?\d+)?)"
    commands = re.findall(
        rf"([Mhva]){number}(?: {number} 0 0 1 {number} {number}| {number})?", outline
    )
    assert "".join(command for command, *_ in commands) in {"Mhvh", "Mhavahava"}
    x = y = 0.0
    xs, ys = [], []
    for command, one, _, dx, dy, two in commands:
        if command == "M":
            x, y = float(one), float(two)
        x += {"h": float(one), "a": float(dx or 0)}.get(command, 0)
        y += {"v": float(one), "a": float(dy or 0)}.get(command, 0)
        xs.append(x)
        ys.append(y)
    return (min(xs), max(xs)), (min(ys), max(ys))


@pytest.mark.parametrize("shape", ["square", "rounded", "circle"])
def test_an_svg_draws_each_cell_once_in_its_colour(ramps, tmp_path, shape):
    animation = la.make(ramps, size="12x8", rgb=True, seed=1)
    theme = la.Theme(cell=10, gap=2, shape=shape)
    render_files(animation, theme, la.Outputs(), still=tmp_path / "s.svg", frame=0)
    drawn = np.full((8, 12), -1)
    colours = {"#" + bytes(rgb).hex(): shade for shade, rgb in enumerate(theme.shades(3))}
    text = (tmp_path / "s.svg").read_text()
    for colour, path in re.findall(r'<path fill="(.*?)" d="(.*?)"/>', text):
        for outline in path.removesuffix("z").split("z"):
            (left, right), (top, bottom) = extent(outline)
            assert (right - left, bottom - top) == pytest.approx((10, 10))
            row, column = (top - 2) / 12, (left - 2) / 12
            assert (row, column) == pytest.approx((round(row), round(column)))
            assert drawn[round(row), round(column)] == -1
            drawn[round(row), round(column)] = colours[colour]
    assert np.array_equal(drawn, shades_of(animation.first))


@pytest.mark.parametrize(("boards", "levels"), [(1, 3), (1, 5), (1, 7), (3, 3), (3, 5)])
def test_stills_show_every_level(tmp_path, boards, levels):
    rng = np.random.default_rng(0)
    lights = rng.integers(0, levels, (8, 12) if boards == 1 else (3, 8, 12), np.uint8)
    look = {"lit": "white", "unlit": "black", "background": "red", "cell": 9, "gap": 1}
    marks = np.zeros((8, 12), bool)
    marks[3, 4] = True
    # From 0 to 255 in even steps; on one board grey.
    colours = np.rint(np.moveaxis(np.broadcast_to(lights, (3, 8, 12)), 0, 2) * (255 / (levels - 1)))
    la.save_still(lights, tmp_path / "a.png", levels=levels, marks=marks, mark="#ffa400", **look)
    with Image.open(tmp_path / "a.png") as image:
        pixels = np.array(image.convert("RGB"))
    assert np.array_equal(pixels[2:-1:10, 2:-1:10], colours)
    assert pixels[35, 45].tolist() == [255, 164, 0]
    la.save_still(lights, tmp_path / "a.svg", levels=levels, **look)
    drawn = np.full((8, 12, 3), -1)
    paths = re.findall(r'<path fill="#(.*?)" d="(.*?)"/>', (tmp_path / "a.svg").read_text())
    for colour, outlines in paths:
        for x, y in re.findall(r"M(\d+) (\d+)h9v9h-9z", outlines):
            drawn[int(y) // 10, int(x) // 10] = list(bytes.fromhex(colour))
    assert np.array_equal(drawn, colours)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda a, p: Stills(path=p / "s.gif"), "a still must be a .png or .svg file"),
        (lambda a, p: Stills(path=p / "s.png", count=0), "sheet_frames must be a whole number"),
        (lambda a, p: Stills(path=p / "s.png", frame=9999).of(a), "frame must be -"),
        (lambda a, p: la.save_still([[3]], p / "s.png", levels=3), "levels from 0 to 2, not 3"),
        (lambda a, p: la.save_still([[3]], p / "s.png", levels=4), "levels must be one of"),
        (
            lambda a, p: la.save_still(np.zeros((3, 2, 2)), p / "s.png", levels=7),
            "7 levels are for grey alone",
        ),
        (lambda a, p: render_files(a, la.Theme(), la.Outputs()), "nothing to write"),
        (
            lambda a, p: render_files(
                a, la.Theme(), la.Outputs(sheet=p / "s.png"), still=p / "s.png"
            ),
            "named twice",
        ),
    ],
)
def test_stills_that_cannot_be_are_refused(animation, tmp_path, make, message):
    with pytest.raises(OptionError, match=message):
        make(animation, tmp_path)
    assert not list(tmp_path.glob("s.*"))


def test_a_still_in_a_missing_folder_is_refused_before_anything_is_written(animation, tmp_path):
    with pytest.raises(OutputError, match="there is no folder"):
        outputs = la.Outputs(output=[tmp_path / "a.gif"])
        render_files(animation, la.Theme(), outputs, still=tmp_path / "no" / "s.png")
    assert not list(tmp_path.glob("a.*"))
