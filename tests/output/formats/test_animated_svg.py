"""Films as animated SVG: what Chromium shows of them, and what `verify` takes."""

import io
import os
import re
import tracemalloc
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from fuzz import seen
from PIL import Image
from tools import browsers
from tools.cells import cell_centres
from tools.films import pick, refusal, some_kinds
from tools.refusals import assert_refused

import lightsanim as la
from lightsanim.film.clicks import PackedSteps
from lightsanim.film.timing import holds_as_frames, limit_fps


def a_film(number=0, **options):
    rng = np.random.default_rng(number)
    pictures = [rng.random((12, 16)) for _ in range(2)]
    timing = {"fps": 10, "duration": 1, "hold_first": 0.3, "hold_last": 0.5}
    return la.make(pictures, seed=number, **{"size": "8x6", **timing, **options})


@pytest.fixture
def screenshots(pages, tmp_path):
    """What Chromium shows of an SVG at some times: uint8 (height, width, 3) each."""

    def screenshots(path, seconds, motion="no-preference"):
        width, height = map(int, re.findall(r'(?:width|height)="(\d+)"', path.read_text()[:200]))
        look = {"viewport": {"width": width, "height": height}, "reduced_motion": motion}
        page = pages.open(path.as_uri(), allowed=["file:"], **look)
        for time in seconds:
            page.evaluate(browsers.SEEK, 1000 * time)
            picture = page.screenshot(animations="allow")
            yield np.asarray(Image.open(io.BytesIO(picture)).convert("RGB"))

    yield screenshots
    assert not pages.leave()


def middles(animation):
    """The middle of each frame's time."""
    durations = animation.durations()
    return np.cumsum(durations) - durations / 2


def test_film_plays_in_chromium_as_often_as_it_says(tmp_path, screenshots):
    film, path, look = a_film(levels=3, loop=2), tmp_path / "film.svg", {"cell": 9, "gap": 0}
    film.save(path, **look)
    frames, seconds = [*film.frames(**look)], film.durations().sum()
    times = [*middles(film), seconds + 0.1, 2 * seconds + 1]
    expected = [*frames, frames[0], frames[-1]]
    for screenshot, frame in zip(screenshots(path, times), expected, strict=True):
        assert np.array_equal(screenshot, frame)
    # With reduced motion the last frame is shown.
    (still,) = screenshots(path, [0], motion="reduce")
    assert np.array_equal(still, frames[-1])


KINDS = some_kinds(40, [".svg"], 0, (2, 3, 5, 7)) + some_kinds(30, [".svg"], 1, (2, 3), steps=True)
KINDS = [kind for kind in KINDS if kind.look["cell"] > 3]  # smaller circles have soft edges


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_chromium_shows_the_cells_of_every_frame(kind, tmp_path, screenshots):
    rng, look, path = kind.rng(), kind.look, tmp_path / "film.svg"
    if look["cell"] <= 8:  # the middle of smaller marks has soft edges
        look.pop("mark", None)
    film = replace(kind.animation(), fps=pick(rng, [8, 12.5, 200.0]), loop=pick(rng, [0, 1, 3]))
    film.save(path, **look)
    assert la.verify(path).legal
    geometry = kind.theme.geometry(*film.board.shape, kind.boards, kind.levels)
    film = limit_fps(film, 100)
    film = holds_as_frames(film) if "show_clicks" in look else film
    chosen = np.sort(rng.choice(len(film), min(len(film), 12), replace=False))
    frames = [*film.frames(**look)]
    for number, screenshot in zip(chosen, screenshots(path, middles(film)[chosen]), strict=True):
        assert screenshot.shape[:2] == (geometry.height, geometry.width)
        for part in [(0, 0), geometry.panel] if geometry.panel else [(0, 0)]:
            centres = cell_centres(geometry, frames[number][..., :3], part)
            assert np.array_equal(cell_centres(geometry, screenshot, part), centres), number


@pytest.mark.parametrize(
    ("side", "count", "facts"), [(10, 3000, "3000 3001 0.4 MB"), (100, 140, "141 5. 5 MB")]
)
def test_a_film_that_is_too_large_is_refused(side, count, facts, tmp_path):
    shape, rng = (1, side, side), np.random.default_rng(0)
    sets = PackedSteps.pack(shape, 2, (rng.random(shape) < 0.5 for _ in range(count)))
    film = la.animate(la.Board(side, side), np.zeros((side, side), bool), [sets], la.Timing(fps=25))
    assert_refused(lambda: film.save(tmp_path / "a.svg"), facts)
    assert not list(tmp_path.glob("*"))


def test_svg_stills_have_no_keyframes(run, ramps, tmp_path):
    run("make", *ramps, "--size", "8x6", "-o", "a.svg", "--sheet", "b.svg", "-o", "a.json")
    run("render", "a.json", "-o", "c.svg", "--still", "d.svg")
    run("solve", "on", "off", "--size", "5x5", "-o", "e.svg")
    texts = {path.stem: path.read_text() for path in tmp_path.glob("*.svg")}
    assert set(texts) == set("abcde")
    assert {name for name, text in texts.items() if "@keyframes" in text} == {"a", "c"}
    assert texts["a"] == texts["c"]


# Tamperings that change nothing that is seen, or leave a film that is as legal.
HARMLESS = {"starts later", "the loops", "cells below their marks", "the background half there",
            "other colours", "other clicks"}  # fmt: skip


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    *_, original = seen.films(".svg", tmp_path_factory.mktemp("films"))
    assert la.verify(original).legal
    return original


@pytest.mark.parametrize("tampering", seen.TAMPERINGS)
def test_a_tampered_film_is_refused_or_shown_as_proven(tampering, original, tmp_path, request):
    path, changed = tmp_path / "film.svg", seen.tampered(original, tampering)
    (content, _, _), (original_content, *checksum) = (
        text.rpartition(b"<!--") for text in (changed, original)
    )
    assert content != original_content
    path.write_bytes(b"".join([content, *checksum]))
    assert "film.svg" in refusal(path)
    path.write_bytes(changed)
    assert (refusal(path) is None) == (tampering in HARMLESS)
    if tampering in HARMLESS:
        assert request.getfixturevalue("difference")(path) is None


def test_svg_film_over_size_limit_is_refused(tmp_path):
    path = tmp_path / "film.svg"
    a_film().save(path)
    for size, fact in [(10**7, "sha256"), (10**7 + 1, "10,000,000")]:
        os.truncate(path, size)
        assert fact in refusal(path)


def one_click(rows, columns):
    """On the first cell of a dark board."""
    board = la.Board(rows, columns)
    return la.animate(board, np.zeros(board.shape, bool), [la.Clicks(np.array([0]))], la.Timing())


SIDE = 1500
COLUMNS = f"m2-{SIDE}h1v{SIDE}h-1" * (SIDE // 2 - 1)


@pytest.mark.parametrize(
    "paths",
    [
        f'<path class="s1" d="m0 0h1v{SIDE}h-1{COLUMNS}"/>',
        f'<path class="s1" d="{f"m0 0h{SIDE}v1h-{SIDE}" * SIDE}"/><path class="m" d=""/>',
    ],
    ids=["columns", "marks"],
)
def test_svg_expanding_path_is_refused(paths, tmp_path):
    # Written as ours a path has a run for each row of a column, and a dot for each mark.
    path = tmp_path / "film.svg"
    one_click(SIDE, SIDE).save(path, cell=1, gap=0, mark="red")
    first, dark, rest = re.split(rb'(class="s0"[^>]*>)', path.read_bytes(), maxsplit=1)
    path.write_bytes(seen.svg_of(seen.svg_parts(first + dark + paths.encode() + rest)))
    tracemalloc.start()
    try:
        assert "differs" in refusal(path)
        assert tracemalloc.get_traced_memory()[1] < 100e6
    finally:
        tracemalloc.stop()


def test_svg_film_over_cell_limit_is_not_written(tmp_path):
    save = partial(one_click(4000, 4001).save, tmp_path / "film.svg", cell=1, gap=0)
    assert_refused(save, "16,000,000 16,004,000")


def test_verify_foreign_svg_is_refused(refused):
    la.save_still(np.eye(4, dtype=bool), "a.svg")
    for text in (
        Path("a.svg").read_text(),
        "",
        "<svg/>",
        '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9"/></svg>',
        '<!DOCTYPE a [<!ENTITY b "b"><!ENTITY c "&b;&b;&b;">]><svg>&c;</svg>',
        "\xff\0" * 9,
    ):
        Path("a.svg").write_text(text, encoding="latin-1")
        refused(["verify", "a.svg"], 1, "a.svg lightsanim" if text else "a.svg empty")
