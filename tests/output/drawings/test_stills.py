import base64
import re
from collections import Counter
from dataclasses import replace
from datetime import date
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image
from tools.cells import cell_centres
from tools.program import ask
from tools.refusals import assert_refused

import lightsanim as la
from lightsanim.output.drawings.stills import Stills
from lightsanim.output.look.tiles import CORNER_RADII


@pytest.fixture
def animation(ramps):
    return la.make(ramps, size="12x8", seed=1, clicks_per_frame=1)


def pixels_of(path):
    with Image.open(path) as image:
        return np.array(image.convert("RGB")).astype(int)


def test_a_sheet_shows_stills_side_by_side(animation, tmp_path):
    theme, outputs = la.Theme(cell=5, gap=1), la.Outputs(sheet=f"{tmp_path}/s.png@frames=3")
    la.render_files(animation, theme, outputs)
    pixels, geometry = pixels_of(tmp_path / "s.png")[..., 0], theme.geometry(8, 12)
    step = geometry.width + 2 * geometry.cell_pitch
    assert pixels.shape == (geometry.height, 3 * step - 2 * geometry.cell_pitch)
    middle = list(animation.configurations())[round(len(animation.clicks) / 2)]
    for number, expected in enumerate([animation.first, middle, animation.last]):
        still = pixels[:, number * step : number * step + geometry.width]
        assert np.array_equal(cell_centres(geometry, still) > 128, expected)


@pytest.mark.parametrize("frame", [0, 5, -1])
def test_a_still_shows_the_frame_asked_for(animation, tmp_path, frame):
    still = {"path": tmp_path / "s.png", "frame": frame}
    la.render_files(animation, la.Theme(), la.Outputs(still=still))
    lit = cell_centres(la.Theme().geometry(8, 12), pixels_of(tmp_path / "s.png")[..., 0]) > 128
    assert np.array_equal(lit, [*animation.configurations()][frame])


@pytest.mark.parametrize(("boards", "levels"), [(1, 7), (3, 5)])
def test_stills_show_every_level(tmp_path, boards, levels):
    lights, marks = noise(boards, levels), np.zeros((8, 12), bool)
    marks[3, 4] = True
    look = {"lit": "white", "unlit": "black", "background": "red", "cell": 9, "gap": 1}
    la.save_still(lights, tmp_path / "a.png", levels=levels, marks=marks, mark="#ffa400", **look)
    pixels = pixels_of(tmp_path / "a.png")
    # From 0 to 255 in even steps; on one board grey.
    colours = np.rint(np.moveaxis(np.broadcast_to(lights, (3, 8, 12)), 0, 2) * (255 / (levels - 1)))
    assert np.array_equal(pixels[2:-1:10, 2:-1:10], colours)
    assert pixels[35, 45].tolist() == [255, 164, 0]


@pytest.fixture
def drawing(request):
    """An SVG or a PDF as another program draws it: int (height, width, 3)."""

    def drawing(path, zoom=1):
        if path.suffix == ".pdf":
            return pixels_of(BytesIO(ask("pdftoppm", "-png", "-r", 96 * zoom, path)))
        source = f"data:image/svg+xml;base64,{base64.b64encode(path.read_bytes()).decode()}"
        pages = request.getfixturevalue("pages")
        page = pages.open("about:blank", allowed=[], viewport={"width": 1000, "height": 800})
        page.set_content(f'<body style="margin: 0"><img src="{source}" style="zoom: {zoom}">')
        page.wait_for_function("document.images[0].complete")
        return pixels_of(BytesIO(page.locator("img").screenshot()))

    return drawing


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
def test_every_format_shows_the_same_picture(suffix, look, tmp_path, drawing):
    boards, levels, options = LOOKS[look]
    marks = np.zeros((8, 12), bool)
    marks[2:4, 3:5] = True
    for path in (tmp_path / "s.png", tmp_path / f"s{suffix}"):
        la.save_still(noise(boards, levels), path, levels=levels, marks=marks, cell=20, **options)
    apart = abs(drawing(path) - pixels_of(tmp_path / "s.png"))
    geometry = la.Theme(cell=20, **options).geometry(8, 12, boards, levels)
    assert cell_centres(geometry, apart).max() <= 1
    assert apart.mean() < 4  # edges are smoothed by each in its own way


@SUFFIXES
def test_every_format_shows_the_same_sheet(suffix, animation, tmp_path, drawing):
    for path in (tmp_path / "s.png", tmp_path / f"s{suffix}"):
        theme, outputs = la.Theme(cell=10, gap=2), la.Outputs(sheet={"path": path, "frames": 3})
        la.render_files(animation, theme, outputs)
    assert abs(drawing(tmp_path / f"s{suffix}") - pixels_of(tmp_path / "s.png")).mean() < 4


@SUFFIXES
def test_no_background_shows_between_cells_that_touch(suffix, tmp_path, drawing):
    path, look = tmp_path / f"s{suffix}", {"lit": "white", "unlit": "black", "background": "red"}
    la.save_still(noise(levels=5), path, levels=5, cell=20, gap=0, **look)
    assert np.ptp(drawing(path, zoom=1.37)[1:-1, 1:-1], axis=2).max() <= 2  # all grey


def test_svg_has_one_element_per_lit_circle(tmp_path):
    lit, path = np.random.default_rng(0).random((12, 12)) < 0.5, tmp_path / "s.svg"
    for look, circles in (({"shape": "circle"}, lit.sum()), ({}, 0)):
        la.save_still(lit, path, **look)
        tags = Counter(element.tag.split("}")[1] for element in ElementTree.parse(path).iter())
        assert tags.pop("circle", 0) == circles
        assert tags.total() < 10


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


def test_a_pdf_is_the_same_every_time_and_tells_its_pictures(animation, tmp_path):
    film = replace(animation, pictures=("sun \udcff", "mø☾n"))  # a name that is no text
    paths = tmp_path / "a.pdf", tmp_path / "b.pdf"
    for path in paths:
        la.render_files(film, la.Theme(), la.Outputs(sheet=path))
    content, again = (path.read_bytes() for path in paths)
    assert content == again
    assert str(date.today().year).encode() not in b"".join(re.findall(rb"D:.*", content))
    assert "sun ?, mø☾n" in ask("pdfinfo", paths[0]).decode()


@pytest.mark.parametrize(
    ("levels", "colours", "blank"), [(5, {}, 4), (3, {"background": "black", "lit": "red"}, 0)]
)
def test_strokes_cover_cells_as_their_level_asks(levels, colours, blank, tmp_path, drawing):
    # Of 20 pixels on 96 an inch: 5.29 mm, eight strokes of 0.3 mm where they are closest.
    lights, path = noise(levels=levels)[:4, :6], tmp_path / "s.pdf"
    look = {"cell": 20, "gap": 0, "hatch": 0.66, "unlit": "black", **colours}
    la.save_still(lights, path, levels=levels, **look)
    expected = abs(lights.astype(int) - blank) / (levels - 1) * 8 * 0.3 / 5.29
    ink = 1 - drawing(path, zoom=7)[: 4 * 140, : 6 * 140].min(axis=2) / 255
    surplus = (ink.reshape(4, 140, 6, 140).mean(axis=(1, 3)) - expected)[expected > 0]
    assert surplus.min() > -0.01
    assert surplus.max() < 0.3 / 5.29  # the joins, along a side at most


def strokes_of(path):
    """What each pen of an SVG draws: lists of points, int or float (points, 2), in pixels."""
    for group in ElementTree.parse(path).getroot():
        for shape in group:
            y, strokes = 0.0, []
            for command in re.findall(r"[MHL][^MHL]*", shape.get("d")):
                x, *rest = map(float, command[1:].split())
                y = rest[0] if rest else y
                strokes += [[]] if command[0] == "M" else []
                strokes[-1].append((x, y))
            yield list(map(np.array, strokes))


@pytest.mark.parametrize("look", [{}, {"shape": "circle"}, {"shape": "rounded"}, {"gap": 2}])
@pytest.mark.parametrize("angle", [0, 20, 45, -70])
def test_hatching_strokes_and_joins_stay_inside_the_cells(look, angle, tmp_path):
    lit, path, pixel = noise() > 0, tmp_path / "s.svg", 25.4 / 96
    la.save_still(lit, path, hatch=0.66, hatch_angle=angle, cell=20, **look)
    geometry = la.Theme(cell=20, hatch=0.66, **look).geometry(8, 12)
    # Points a pixel apart at most, and there the pen's edge all around.
    (pen,) = strokes_of(path)
    corners = [pair for stroke in pen for pair in pairwise(stroke)]
    longest = max(np.hypot(*(end - start)) for start, end in corners)
    share = np.linspace(0, 1, round(longest) + 2)[:, None]
    points = np.concatenate([start + share * (end - start) for start, end in corners])
    around = np.arange(8) * np.pi / 4
    edge = np.stack([np.cos(around), np.sin(around)], axis=1) * (0.15 / pixel - 0.005)
    covered = (points[:, None] + edge - geometry.top_left_corner[0]).reshape(-1, 2)
    columns, rows = np.floor(covered / geometry.cell_pitch).astype(int).T
    assert rows.min() >= 0 <= columns.min()
    assert not lit[rows, columns].any()
    from_middle = abs(covered % geometry.cell_pitch - 10)
    if "shape" in look:
        radius = 20 * {"circle": 0.5, **CORNER_RADII}[look["shape"]]
        into_corner = np.maximum(from_middle - (10 - radius), 0)
        assert np.hypot(*into_corner.T).max() <= radius
    elif look:
        assert from_middle.max() <= 10
    cells = np.floor((points - geometry.top_left_corner[0]) / geometry.cell_pitch)[:, ::-1]
    assert {*map(tuple, cells)} == {*map(tuple, np.argwhere(~lit))}


PENS = ["1 cyan", "2 magenta", "3 yellow", "4 black"]


@pytest.mark.parametrize("pens", ["cmy", "cmyk"])
def test_pens_of_three_inks_or_four_mix_to_the_colours(pens, tmp_path, drawing):
    lights = noise(3, 3)[:, :4, :6]
    for name in ("s.svg", "s.pdf"):
        look = {"hatch": 0.3, "print_width": 6 * 6, "cell": 20, "pens": pens}
        la.save_still(lights, tmp_path / name, levels=3, **look)
    labels = re.findall('label="(.*?)"', (tmp_path / "s.svg").read_text())
    assert labels == PENS[: len(pens)]
    page = drawing(tmp_path / "s.pdf", zoom=2.5)[: 4 * 56, : 6 * 56]
    cells = page.reshape(4, 56, 6, 56, 3)[:, 8:-8, :, 8:-8].mean(axis=(1, 3)) / 255
    assert cells == pytest.approx(np.moveaxis(lights, 0, 2) / 2, abs=0.13)


@pytest.mark.long
@pytest.mark.parametrize(
    ("boards", "look", "layers"), [(1, {"shape": "circle"}, ["1 pen"]), (3, {}, PENS[:3])]
)
def test_a_plotters_program_reads_strokes_pens_and_the_size(boards, look, layers, tmp_path):
    la.save_still(noise(boards), tmp_path / "s.svg", hatch=0.5, print_width=100, **look)
    output = ask("vpype", "read", tmp_path / "s.svg", "stat").decode()
    assert re.findall(r"vp_name: '(.*)'", output) == layers
    totals = dict(re.findall(r"(\S+ count|vp_page_size): (.*)", output.split("Totals")[1]))
    assert int(totals["Path count"]) == sum(map(len, strokes_of(tmp_path / "s.svg")))
    width, _ = map(float, totals["vp_page_size"].strip("()").split(","))
    assert width / 96 * 25.4 == pytest.approx(100)


def test_the_pen_is_lifted_where_areas_part(tmp_path):
    # 1,310 strokes; vpype's linemerge -t 0.6mm makes 83 paths of them, some across corners.
    samples = Path(__file__).parents[3] / "samples"
    film = la.make([samples / "skull.png", samples / "face.png"], size=40, seed=1)
    la.save_still(film.last, tmp_path / "s.svg", hatch=0.5, print_width=200)
    (pen,) = strokes_of(tmp_path / "s.svg")
    assert len(pen) < 83
    assert sum(map(len, pen)) - len(pen) == 1310 + 1310 - len(pen)  # strokes, and their joins


def test_a_flip_book_has_rows_of_numbered_cards_on_its_pages(animation, tmp_path, drawing):
    path = tmp_path / "book.pdf"
    outputs = la.Outputs(sheet={"path": path, "frames": 24, "columns": 3})
    la.render_files(animation, la.Theme(paper="a4", lit="red", unlit="#fe0000"), outputs)
    text = ask("pdftotext", path, "-").decode()
    numbers = [sorted(map(int, page.split())) for page in text.split("\f")]
    assert numbers == [[*range(1, 22)], [22, 23, 24], []]
    assert millimetres(path) == pytest.approx([210, 297], abs=0.1)
    page = drawing(path, zoom=25.4 / 96 * 4)  # four pixels a millimetre
    red = (page[..., 0] > 250) & (page[..., 1] < 5)
    rows, columns = (np.flatnonzero(red.any(axis=axis)) / 4 for axis in (1, 0))
    assert columns[0] >= 15 + 12  # to bind
    assert columns[-1] <= 195
    assert rows[-1] <= 282
    cut = (page < 250).any(axis=(2, 1)).argmax() / 4
    assert 14.5 <= cut <= 15.5


def test_flip_book_cards_with_clicks_are_in_order(tmp_path):
    # Each click turns one cell red: card n shows n - 1 red cells, and below them its click.
    board, path = la.Board(4, 6, rule="1"), tmp_path / "book.pdf"
    timing = la.Timing(clicks_per_frame=1)
    film = la.animate(board, np.zeros(board.shape, bool), [la.Clicks(np.arange(24))], timing)
    look = la.Theme(paper="a4", lit="red", unlit="white", gap=0, show_clicks="below")
    outputs = la.Outputs(sheet={"path": path, "frames": 25, "columns": 3})
    la.render_files(film, look, outputs)
    pages = ask("pdftotext", path, "-").decode().split("\f")[:-1]
    shares = []
    for number, text in enumerate(pages, start=1):
        place = ["-f", number, "-l", number]
        page = pixels_of(BytesIO(ask("pdftoppm", "-png", "-r", 96, *place, path)))
        red = np.count_nonzero((page == [255, 0, 0]).all(axis=2))
        shares.append(red / sum(card - (card == 1) for card in map(int, text.split())))
    assert len(shares) == 3
    assert shares == pytest.approx([np.mean(shares)] * 3, rel=0.02)


@pytest.mark.parametrize(("look", "size"), [({}, (249.4, 166.3)), ({"print_width": 90}, (135, 90))])
def test_a_still_stands_in_the_middle_of_its_paper(look, size, tmp_path, drawing):
    path, all_lit = tmp_path / "s.pdf", np.ones((12, 8), bool)
    la.save_still(all_lit, path, paper="letter", lit="red", background="red", **look)
    page = drawing(path, zoom=25.4 / 96 * 4)
    red = (page == [255, 0, 0]).all(axis=2)
    for axis, side, length in zip((1, 0), (279.4, 215.9), size, strict=True):
        start, end = np.flatnonzero(red.any(axis=axis))[[0, -1]] / 4
        assert end - start == pytest.approx(length, abs=1)
        assert (start + end) / 2 == pytest.approx(side / 2, abs=0.6)


def still(path, **look):
    la.save_still(np.ones((1, 1), bool), path, **look)


BOOK = "s.pdf@frames=6@columns=2@paper=a4@numbers"


def render(film, paper=None, **outputs):
    la.render_files(film, la.Theme(paper=paper), la.Outputs(**outputs))


SVG, PNG, HATCHED = "s.svg", "s.png", {"path": "s.svg", "hatch": 1}


@pytest.mark.parametrize(
    ("make", "facts"),
    [
        (lambda film: Stills(path=Path("s.gif")), ".png .svg .pdf"),
        (lambda film: la.Outputs(sheet="s.png@frames=0"), "frames 1 1000 0"),
        (lambda film: render(film, sheet=BOOK), "numbers flip-book"),
        (lambda film: Stills(path=Path(PNG), frame="9999").build_still_content(film), "frame 9999"),
        (lambda film: render(film, sheet="s.svg@columns=5"), "columns 1 4 5"),
        (lambda film: render(film, sheet="s.svg@columns=1", paper="a4"), "4 .svg"),
        (lambda film: film.save("s.gif", paper="a4"), "s.gif paper stills sheets"),
        (lambda film: still(PNG, paper="a4"), "paper .png"),
        (lambda film: la.Theme(paper="a5"), "paper a4 letter 'a5'"),
        (lambda film: still(SVG, paper="a4", print_width=200), "180 15 200"),
        (lambda film: la.Theme(hatch_angle=400), "hatch_angle 400"),
        (lambda film: la.Theme(hatch_angle="steep"), "hatch_angle 'steep'"),
        (lambda film: still(**HATCHED, hatch_angle="15,75,0"), "3 angles 1 pen"),
        (lambda film: still(SVG, hatch_angle=45), "hatch_angle hatch"),
        (lambda film: film.save("s.gif", pens="cmyk"), "s.gif pens stills sheets"),
        (lambda film: still(**HATCHED, pens="cmyk"), "pens rgb"),
        (lambda film: render(film, still="s.svg@columns=3"), "s.svg columns sheets"),
        (lambda film: la.save_still([[3]], PNG, levels=3), "levels 0 2 3"),
        (lambda film: la.save_still([[[1]]] * 3, PNG, levels=7), "7 colour 5"),
        (lambda film: render(film), "nothing"),
        (lambda film: render(film, still=PNG, sheet=PNG), "s.png twice"),
        (lambda film: render(film, still="no/s.png", output="s.gif"), "folder no"),
        (lambda film: film.save("s.pdf"), "s.pdf .pdf --sheet"),
        (lambda film: film.save("s.gif", hatch=1), "s.gif hatch stills sheets"),
        (lambda film: still(PNG, hatch=1), "hatch .png"),
        (lambda film: still(SVG, hatch=5, print_width=8, gap=0, levels=3), "4 2"),
        (lambda film: la.save_still([[1]] * 3, "s.pdf", print_width=5000), "5080 5000x"),
    ],
)
def test_invalid_stills_are_refused(animation, tmp_path, monkeypatch, make, facts):
    monkeypatch.chdir(tmp_path)
    assert_refused(lambda: make(animation), facts)
    assert not list(tmp_path.glob("s.*"))
