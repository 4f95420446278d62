import base64
import re
from collections import Counter
from datetime import date
from io import BytesIO
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image
from program import ask

import lightsanim as la
from lightsanim.animation.animate import animate
from lightsanim.drawings.stills import Stills
from lightsanim.formats.outputs import render_files


@pytest.fixture
def animation(ramps):
    return la.make(ramps, size="12x8", seed=1, clicks_per_frame=1)


def pixels_of(path):
    with Image.open(path) as image:
        return np.array(image.convert("RGB")).astype(int)


def test_a_sheet_shows_stills_side_by_side(animation, tmp_path):
    outputs = la.Outputs(sheet=tmp_path / "s.png", sheet_frames=3)
    render_files(animation, la.Theme(cell=5, gap=1), outputs)
    pixels = pixels_of(tmp_path / "s.png")[..., 0]
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
    shown = la.Theme().geometry(8, 12).centres(pixels_of(tmp_path / "s.png")[..., 0]) > 128
    assert np.array_equal(shown, list(animation.configurations())[frame])


@pytest.mark.parametrize(("boards", "levels"), [(1, 7), (3, 5)])
def test_stills_show_every_level(tmp_path, boards, levels):
    lights = noise(boards, levels)
    look = {"lit": "white", "unlit": "black", "background": "red", "cell": 9, "gap": 1}
    marks = np.zeros((8, 12), bool)
    marks[3, 4] = True
    # From 0 to 255 in even steps; on one board grey.
    colours = np.rint(np.moveaxis(np.broadcast_to(lights, (3, 8, 12)), 0, 2) * (255 / (levels - 1)))
    la.save_still(lights, tmp_path / "a.png", levels=levels, marks=marks, mark="#ffa400", **look)
    pixels = pixels_of(tmp_path / "a.png")
    assert np.array_equal(pixels[2:-1:10, 2:-1:10], colours)
    assert pixels[35, 45].tolist() == [255, 164, 0]


@pytest.fixture
def seen(request):
    """What another program shows of an SVG or a PDF: int (height, width, 3)."""

    def seen(path, zoom=1):
        if path.suffix == ".pdf":
            return pixels_of(BytesIO(ask("pdftoppm", "-png", "-r", 96 * zoom, path)))
        source = f"data:image/svg+xml;base64,{base64.b64encode(path.read_bytes()).decode()}"
        pages = request.getfixturevalue("pages")
        page = pages.open("about:blank", allowed=[], viewport={"width": 1000, "height": 800})
        page.set_content(f'<body style="margin: 0"><img src="{source}" style="zoom: {zoom}">')
        page.wait_for_function("document.images[0].complete")
        return pixels_of(BytesIO(page.locator("img").screenshot()))

    return seen


def noise(boards=1, levels=2):
    """A configuration of 12 x 8 cells in which every shade touches every other."""
    shape = (8, 12) if boards == 1 else (3, 8, 12)
    return np.random.default_rng(0).integers(0, levels, shape, np.uint8)


LOOKS = {
    "with gaps": (1, 2, {"gap": 2}),
    "in colour": (3, 2, {"gap": 0, "background": "white", "lit": "white"}),
    "rounded": (1, 3, {"shape": "rounded", "gap": 1}),
    "circles": (1, 5, {"shape": "circle", "gap": 3, "palette": "sunset"}),
    "lit as the gaps": (1, 2, {"shape": "circle", "gap": 1, "background": "#f2f2f2"}),
    "clicks": (3, 3, {"gap": 2, "show_clicks": "below"}),
    "unlit as the gaps": (3, 3, {"gap": 1, "background": "#191919"}),
}


# Chromium shows SVGs.
SUFFIXES = pytest.mark.parametrize("suffix", [".pdf", pytest.param(".svg", marks=pytest.mark.long)])


@SUFFIXES
@pytest.mark.parametrize("look", LOOKS)
def test_every_format_shows_the_same_picture(suffix, look, tmp_path, seen):
    boards, levels, options = LOOKS[look]
    marks = np.zeros((8, 12), bool)
    marks[2:4, 3:5] = True
    for path in (tmp_path / "s.png", tmp_path / f"s{suffix}"):
        la.save_still(noise(boards, levels), path, levels=levels, marks=marks, cell=20, **options)
    painted, shown = pixels_of(tmp_path / "s.png"), seen(tmp_path / f"s{suffix}")
    assert shown.shape == painted.shape
    apart = abs(shown - painted)
    geometry = la.Theme(cell=20, **options).geometry(8, 12, boards, levels)
    assert geometry.centres(apart).max() <= 1
    assert apart.mean() < 4  # edges are smoothed by each in its own way


@SUFFIXES
def test_every_format_shows_the_same_sheet(suffix, animation, tmp_path, seen):
    for path in (tmp_path / "s.png", tmp_path / f"s{suffix}"):
        theme, outputs = la.Theme(cell=10, gap=2), la.Outputs(sheet=path, sheet_frames=3)
        render_files(animation, theme, outputs)
    assert abs(seen(tmp_path / f"s{suffix}") - pixels_of(tmp_path / "s.png")).mean() < 4


@SUFFIXES
def test_no_background_shows_between_cells_that_touch(suffix, tmp_path, seen):
    path, look = tmp_path / f"s{suffix}", {"lit": "white", "unlit": "black", "background": "red"}
    la.save_still(noise(levels=5), path, levels=5, cell=20, gap=0, **look)
    shown = seen(path, zoom=1.37)
    assert np.ptp(shown[1:-1, 1:-1], axis=2).max() <= 2  # all grey


def test_an_svg_has_an_element_for_each_lit_circle_and_few_others(tmp_path):
    lit, path = np.random.default_rng(0).random((12, 12)) < 0.5, tmp_path / "s.svg"

    def tags():
        return Counter(element.tag.split("}")[1] for element in ElementTree.parse(path).iter())

    la.save_still(lit, path, shape="circle")
    found = tags()
    assert found.pop("circle") == lit.sum()
    assert found.total() < 10
    la.save_still(lit, path)
    assert tags().total() < 10
    la.save_still(noise(boards=3), path, hatch=0.5)
    assert tags()["g"] == 7  # a pen for each colour but white


def millimetres(path):
    """How large a still is on paper, as it says itself or, of a PDF, as pdfinfo does."""
    if path.suffix == ".png":
        with Image.open(path) as image:
            return 25.4 * np.array(image.size) / image.info["dpi"]
    if path.suffix == ".svg":
        svg = ElementTree.parse(path).getroot()
        return [float(svg.get(side).removesuffix("mm")) for side in ("width", "height")]
    points = re.search(r"Page size: +(.*) x (.*) pts", ask("pdfinfo", path).decode()).groups()
    return [float(side) / 72 * 25.4 for side in points]


@pytest.mark.parametrize(("look", "width"), [({"print_width": 200}, 200), ({}, 97 / 96 * 25.4)])
@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
def test_a_still_is_as_large_on_paper_in_every_format(look, width, suffix, tmp_path):
    la.save_still(noise(), path := tmp_path / f"s{suffix}", cell=7, gap=1, **look)  # 97 x 65 pixels
    assert millimetres(path) == pytest.approx([width, width * 65 / 97], rel=1e-3)


def test_a_pdf_is_the_same_every_time_and_tells_its_pictures(tmp_path):
    board, off = la.Board(2, 3), np.zeros((2, 3), bool)
    pictures = ("sun \udcff", "mø☾n")  # a name that is no text
    film = animate(board, off, [(np.array([1]), None)], la.Timing(), pictures=pictures)
    paths = tmp_path / "a.pdf", tmp_path / "b.pdf"
    for path in paths:
        render_files(film, la.Theme(), la.Outputs(sheet=path))
    written, again = (path.read_bytes() for path in paths)
    assert written == again
    assert str(date.today().year).encode() not in b"".join(re.findall(rb"D:.*", written))
    assert "sun ?, mø☾n" in ask("pdfinfo", paths[0]).decode()


@pytest.mark.parametrize(
    ("levels", "look", "blank"),
    [
        (5, {"unlit": "black"}, 4),
        (3, {"unlit": "black", "background": "black", "lit": "red"}, 0),
    ],
)
def test_strokes_cover_cells_as_their_level_asks(levels, look, blank, tmp_path, seen):
    # Of 20 pixels on 96 an inch: 5.29 mm, eight strokes of 0.3 mm where they are closest.
    lights, path = noise(levels=levels), tmp_path / "s.pdf"
    la.save_still(lights, path, levels=levels, cell=20, gap=0, hatch=0.66, **look)
    expected = abs(lights.astype(int) - blank) / (levels - 1) * 8 * 0.3 / 5.29
    ink = 1 - seen(path, zoom=7)[: 8 * 140, : 12 * 140].min(axis=2) / 255
    covered = ink.reshape(8, 140, 12, 140).mean(axis=(1, 3))
    assert covered == pytest.approx(expected, abs=0.04)


@pytest.mark.long
@pytest.mark.parametrize(
    ("boards", "look", "pens"), [(1, {"shape": "circle"}, 1), (3, {"gap": 0}, 7)]
)
def test_a_plotters_program_reads_strokes_pens_and_the_size(boards, look, pens, tmp_path):
    la.save_still(noise(boards), tmp_path / "s.svg", hatch=0.5, print_width=100, **look)
    said = ask("vpype", "read", tmp_path / "s.svg", "stat").decode().split("Totals")[1]
    known = dict(re.findall(r"(\S+ count|vp_page_size): (.*)", said))
    assert int(known["Path count"]) == int(known["Segment count"]) > 96  # in most cells several
    assert int(known["Layer count"]) == pens
    width, _ = map(float, known["vp_page_size"].strip("()").split(","))
    assert width / 96 * 25.4 == pytest.approx(100)


ONE = np.ones((1, 1), bool)


def rendered(animation, still=None, **outputs):
    render_files(animation, la.Theme(), la.Outputs(**outputs), still=still)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda a, p: Stills(path=p / "s.gif"), "a still must be a .png, .svg or .pdf file"),
        (lambda a, p: Stills(path=p / "s.png", count=0), "sheet_frames must be a whole number"),
        (lambda a, p: Stills(path=p / "s.png", frame=9999).of(a), "frame must be -"),
        (lambda a, p: la.save_still([[3]], p / "s.png", levels=3), "levels from 0 to 2, not 3"),
        (lambda a, p: la.save_still([[[1]]] * 3, p / "s.png", levels=7), "7 levels are for grey"),
        (lambda a, p: rendered(a), "nothing to write"),
        (lambda a, p: rendered(a, p / "s.png", sheet=p / "s.png"), "named twice"),
        (lambda a, p: rendered(a, p / "no" / "s.png", output=[p / "s.gif"]), "there is no folder"),
        (lambda a, p: a.save(p / "s.pdf"), "s.pdf: .pdf is for stills, as with --sheet .*s.pdf"),
        (lambda a, p: a.save(p / "s.gif", hatch=1), "hatch is for stills as .svg or .pdf"),
        (lambda a, p: la.save_still(ONE, p / "s.png", hatch=1), "hatch .* not '.*s.png'"),
        (
            lambda a, p: la.save_still(ONE, p / "s.svg", hatch=5, print_width=8, gap=0, levels=3),
            "hatch must be at most 4 for cells of 8 mm in 2 tones, not 5",
        ),
        (
            lambda a, p: la.save_still(np.ones((9, 3)), p / "s.pdf", print_width=5000),
            "a page of a PDF has at most 5080 mm a side, not 5000x14",
        ),
    ],
)
def test_stills_that_cannot_be_are_refused(animation, tmp_path, make, message):
    with pytest.raises(la.LightsAnimError, match=message):
        make(animation, tmp_path)
    assert not list(tmp_path.glob("s.*"))
