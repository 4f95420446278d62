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
from lightsanim.errors import OptionError, OutputError
from lightsanim.formats.outputs import render_files


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


@pytest.mark.parametrize(("boards", "levels"), [(1, 3), (1, 7), (3, 5)])
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


@pytest.fixture
def seen(request):
    """What another program shows of an SVG or a PDF: uint8 (height, width, 3)."""

    def seen(path, zoom=1):
        if path.suffix == ".svg":
            picture = shown_by_chromium(request.getfixturevalue("pages"), path, zoom)
        else:
            picture = ask("pdftoppm", "-png", "-r", 96 * zoom, path)
        with Image.open(BytesIO(picture)) as image:
            return np.asarray(image.convert("RGB"))

    return seen


def shown_by_chromium(pages, path, zoom):
    source = f"data:image/svg+xml;base64,{base64.b64encode(path.read_bytes()).decode()}"
    page = pages.open("about:blank", allowed=[], viewport={"width": 1000, "height": 800})
    page.set_content(f'<body style="margin: 0"><img src="{source}" style="zoom: {zoom}">')
    page.wait_for_function("document.images[0].complete")
    return page.locator("img").screenshot()


def noise(boards=1, levels=2):
    """A configuration of 12 x 8 cells in which every shade touches every other."""
    shape = (8, 12) if boards == 1 else (3, 8, 12)
    return np.random.default_rng(0).integers(0, levels, shape, np.uint8)


LOOKS = {
    "with gaps": (1, 2, {"gap": 2}),
    "without": (1, 2, {"gap": 0}),
    "in colour": (3, 2, {"gap": 0, "background": "white", "lit": "white"}),
    "rounded": (1, 3, {"shape": "rounded", "gap": 1}),
    "circles": (1, 5, {"shape": "circle", "gap": 3, "palette": "sunset"}),
    "lit as the gaps": (1, 2, {"shape": "circle", "gap": 1, "background": "#f2f2f2"}),
    "clicks": (3, 3, {"gap": 2, "show_clicks": "below"}),
    "unlit as the gaps": (3, 3, {"gap": 1, "background": "#191919"}),
}


@pytest.mark.parametrize(
    ("suffix", "look"),
    [*((".svg", look) for look in LOOKS), *((".pdf", look) for look in [*LOOKS][::2])],
)
def test_every_format_shows_the_same_picture(suffix, look, tmp_path, seen):
    boards, levels, options = LOOKS[look]
    marks = np.zeros((8, 12), bool)
    marks[2:4, 3:5] = True
    for path in (tmp_path / "s.png", tmp_path / f"s{suffix}"):
        la.save_still(noise(boards, levels), path, levels=levels, marks=marks, cell=20, **options)
    with Image.open(tmp_path / "s.png") as image:
        painted = np.asarray(image.convert("RGB")).astype(int)
    shown = seen(tmp_path / f"s{suffix}")
    assert shown.shape == painted.shape
    apart = abs(shown - painted)
    geometry = la.Theme(cell=20, **options).geometry(8, 12, boards, levels)
    assert geometry.centres(apart).max() <= 1
    assert apart.mean() < 4  # edges are smoothed by each in its own way


@pytest.mark.parametrize("suffix", [".svg", ".pdf"])
def test_every_format_shows_the_same_sheet(suffix, animation, tmp_path, seen):
    for path in (tmp_path / "s.png", tmp_path / f"s{suffix}"):
        theme, outputs = la.Theme(cell=10, gap=2), la.Outputs(sheet=path, sheet_frames=3)
        render_files(animation, theme, outputs)
    with Image.open(tmp_path / "s.png") as image:
        painted = np.asarray(image.convert("RGB")).astype(int)
    assert abs(seen(tmp_path / f"s{suffix}") - painted).mean() < 4


@pytest.mark.parametrize("suffix", [".svg", ".pdf"])
def test_no_background_shows_between_cells_that_touch(suffix, tmp_path, seen):
    path, look = tmp_path / f"s{suffix}", {"lit": "white", "unlit": "black", "background": "red"}
    la.save_still(noise(levels=5), path, levels=5, cell=20, gap=0, **look)
    shown = seen(path, zoom=1.37)
    assert np.ptp(shown[1:-1, 1:-1].astype(int), axis=2).max() <= 2  # all grey


def test_an_svg_has_an_element_for_each_lit_circle_and_few_others(tmp_path):
    lit = np.random.default_rng(0).random((12, 12)) < 0.5
    la.save_still(lit, tmp_path / "s.svg", shape="circle")
    tags = Counter(
        element.tag.split("}")[1] for element in ElementTree.parse(tmp_path / "s.svg").iter()
    )
    assert tags.pop("circle") == lit.sum()
    assert tags.total() < 10
    la.save_still(lit, tmp_path / "squares.svg")
    assert len(list(ElementTree.parse(tmp_path / "squares.svg").iter())) < 10


def of_png(path):
    with Image.open(path) as image:
        return 25.4 * np.array(image.size) / image.info["dpi"]


def of_svg(path):
    svg = ElementTree.parse(path).getroot()
    return [float(svg.get(side).removesuffix("mm")) for side in ("width", "height")]


def of_pdf(path):
    points = re.search(r"Page size: +(.*) x (.*) pts", ask("pdfinfo", path).decode()).groups()
    return [float(side) / 72 * 25.4 for side in points]


@pytest.mark.parametrize(("look", "width"), [({"print_width": 200}, 200), ({}, 97 / 96 * 25.4)])
@pytest.mark.parametrize("millimetres", [of_png, of_svg, of_pdf])
def test_a_still_is_as_large_on_paper_in_every_format(look, width, millimetres, tmp_path):
    path = tmp_path / f"s.{millimetres.__name__[-3:]}"
    la.save_still(noise(), path, cell=7, gap=1, **look)  # 97 x 65 pixels
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


def ink(shown):
    """The share of each cell that strokes cover, in a picture of 12 x 8 cells without gaps."""
    height, width = (side // cells for side, cells in zip(shown.shape, (8, 12), strict=False))
    dark = 1 - shown[: 8 * height, : 12 * width].min(axis=2) / 255
    return dark.reshape(8, height, 12, width).mean(axis=(1, 3))


@pytest.mark.parametrize(
    ("levels", "look", "blank"),
    [
        (2, {"unlit": "black"}, 1),
        (5, {"unlit": "black"}, 4),
        (3, {"unlit": "black", "background": "black", "lit": "red"}, 0),
    ],
)
def test_strokes_cover_cells_as_their_level_asks(levels, look, blank, tmp_path, seen):
    # Of 20 pixels on 96 an inch: 5.29 mm, eight strokes of 0.3 mm where they are closest.
    lights, path = noise(levels=levels), tmp_path / "s.pdf"
    la.save_still(lights, path, levels=levels, cell=20, gap=0, hatch=0.66, **look)
    expected = abs(lights.astype(int) - blank) / (levels - 1) * 8 * 0.3 / 5.29
    assert ink(seen(path, zoom=12)) == pytest.approx(expected, abs=0.04)


@pytest.mark.parametrize("shape", ["square", "rounded", "circle"])
def test_strokes_stay_in_their_cells(shape, tmp_path, seen):
    lit, look = noise().astype(bool), {"cell": 20, "gap": 4, "shape": shape}
    la.save_still(lit, tmp_path / "a.pdf", hatch=0.5, **look)
    la.save_still(lit, tmp_path / "b.pdf", background="white", lit="white", unlit="black", **look)
    strokes = seen(tmp_path / "a.pdf", zoom=3).min(axis=2) < 160
    cells = seen(tmp_path / "b.pdf", zoom=3).min(axis=2) < 250
    assert np.mean(strokes & ~cells) < 0.001
    places = np.argwhere(strokes) // (3 * 24)
    assert set(map(tuple, places)) == set(map(tuple, np.argwhere(~lit)))


@pytest.mark.parametrize(
    ("boards", "look", "pens"),
    [pytest.param(1, {"shape": "circle"}, 1, marks=pytest.mark.long), (3, {"gap": 0}, 7)],
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


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda a, p: Stills(path=p / "s.gif"), "a still must be a .png, .svg or .pdf file"),
        (lambda a, p: Stills(path=p / "s.png", count=0), "sheet_frames must be a whole number"),
        (lambda a, p: Stills(path=p / "s.png", frame=9999).of(a), "frame must be -"),
        (lambda a, p: la.save_still([[3]], p / "s.png", levels=3), "levels from 0 to 2, not 3"),
        (lambda a, p: la.save_still([[3]], p / "s.png", levels=4), "levels must be one of"),
        (lambda a, p: la.save_still([[[1]]] * 3, p / "s.png", levels=7), "7 levels are for grey"),
        (lambda a, p: render_files(a, la.Theme(), la.Outputs()), "nothing to write"),
        (lambda a, p: a.save(p / "s.pdf"), "s.pdf: .pdf is for stills, as with --sheet .*s.pdf"),
        (lambda a, p: a.save(p / "s.gif", hatch=1), "hatch is for stills as .svg or .pdf"),
        (lambda a, p: la.save_still(ONE, p / "s.png", hatch=1), "hatch .* not '.*s.png'"),
        (lambda a, p: la.save_still(ONE, p / "s.svg", hatch=0), "hatch must be .* 0.1 to 5000"),
        (
            lambda a, p: la.save_still(ONE, p / "s.svg", hatch=5, print_width=8, gap=0, levels=3),
            "hatch must be at most 4 for cells of 8 mm in 2 tones, not 5",
        ),
        (lambda a, p: la.save_still(ONE, p / "s.svg", print_width=0), "print_width must be"),
        (
            lambda a, p: la.save_still(np.ones((9, 3)), p / "s.pdf", print_width=5000),
            "a page of a PDF has at most 5080 mm a side, not 5000x14",
        ),
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
