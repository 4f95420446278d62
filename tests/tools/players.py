"""The player's page in a browser: films for it, what it says of itself, and what it shows."""

import base64
from importlib.resources import files
from itertools import product

import numpy as np
import pytest

import lightsanim as la
from lightsanim.game.levels import pack_levels, stack_planes

LAPTOP = {"width": 1280, "height": 800}
WINDOW = {"width": 800, "height": 600}
PHONE, PROJECTOR = {"width": 390, "height": 844}, {"width": 1920, "height": 1080}

# What the page says of itself: `window.lightsanim` at the end of its script.
ASK = "window.lightsanim"


def a_coloured_animation(rows=5, columns=7, clicks=30, seed=0, **timing):
    rng = np.random.default_rng(seed)
    cells = rng.integers(0, rows * columns, clicks)  # some of them twice
    primaries = rng.integers(1, 8, clicks).astype(np.uint8)
    first = rng.random((3, rows, columns)) < 0.5
    moves = [la.Clicks(cells, primaries)]
    return la.animate(la.Board(rows, columns), first, moves, la.Timing(**timing))


def a_film_of_levels(levels, boards=1, *, rows=5, columns=4, clicks=60, seed=0, wrap=False):
    """Cells drawn at random; the same one often comes several times running."""
    board, rng = la.Board(rows, columns, wrap=wrap, levels=levels), np.random.default_rng(seed)
    cells = np.repeat(rng.integers(0, board.cells, clicks), rng.integers(1, levels, clicks))
    primaries = None if boards == 1 else rng.integers(1, 8, len(cells)).astype(np.uint8)
    lights = [board.toggles(rng.integers(0, levels, board.shape, np.uint8)) for _ in range(boards)]
    timing = la.Timing(clicks_per_frame=7, hold_first=0.1, hold_last=0.1)
    moves = [la.Clicks(cells, primaries)]
    return la.animate(board, stack_planes(lights), moves, timing, pictures=("sun", "moon"))


LEVELS = pytest.mark.parametrize(
    ("levels", "boards"),
    [(5, 3), *(pytest.param(levels, 1, marks=pytest.mark.long) for levels in (3, 7))],
)


def shades(page):
    return np.array(page.evaluate(f"{ASK}.configuration()"), np.uint8)


def clicks_done(page):
    return page.evaluate(f"{ASK}.clicksDone()")


def remaining(page):
    return [tuple(click) for click in page.evaluate(f"{ASK}.remaining()")]


def look(page):
    return page.evaluate(f"{ASK}.look()")


def said(page):
    return page.get_by_role("status").text_content()


def until(page, condition):
    """Wait; Playwright's own way evaluates text, which the page's policy forbids."""
    for _ in range(2000):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(10)
    raise AssertionError(f"never {condition}")


def stop_clock(page):
    """From now on the page's time goes by `page.clock.run_for` alone."""
    page.clock.install(time=0)
    page.reload()
    page.clock.pause_at(3600)


def pixels_of(page, canvas):
    """What a canvas holds: uint8 (height, width, 4)."""
    # Of a copy, as the browser complains of canvases that are read more than once.
    width, height, content = page.evaluate(
        """(canvas) => {
            const { width, height } = canvas, copy = new OffscreenCanvas(width, height);
            const context = copy.getContext("2d");
            context.drawImage(canvas, 0, 0);
            const { data } = context.getImageData(0, 0, width, height);
            let bytes = "";
            for (let i = 0; i < data.length; i += 4096)
                bytes += String.fromCharCode(...data.subarray(i, i + 4096));
            return [width, height, btoa(bytes)];
        }""",
        page.locator(canvas).element_handle(),
    )
    return np.frombuffer(base64.b64decode(content), np.uint8).reshape(height, width, 4)


def frames_of(animation):
    return [shades_in(animation, configuration) for configuration in animation.configurations()]


def shades_in(animation, configuration):
    return pack_levels(configuration, animation.board.levels).ravel()


def scrub_to(page, clicks):
    page.locator("#scrub").fill(str(clicks))


def place_of(page, animation, cell):
    """The middle of a cell on the screen."""
    box = page.locator("#board").bounding_box()
    row, column = divmod(cell, animation.board.columns)
    return (
        box["x"] + (column + 0.5) * box["width"] / animation.board.columns,
        box["y"] + (row + 0.5) * box["height"] / animation.board.rows,
    )


def click(page, animation, cell):
    page.mouse.click(*place_of(page, animation, cell))


def at_centres(page, animation, canvas="#board"):
    """What a canvas shows in the middle of each cell: uint8 (cells, 4)."""
    pitch, gap = (look(page)[name] for name in ("pitch", "gap"))
    rows, columns = (np.arange(n) * pitch + (pitch + gap) // 2 for n in animation.board.shape)
    return pixels_of(page, canvas)[rows[:, None], columns].reshape(-1, 4)


def assert_shown(page, animation, theme=None):
    colours = (theme or la.Theme()).shades(animation.boards, animation.board.levels)
    expected = colours[shades(page)]
    assert np.array_equal(at_centres(page, animation)[:, :3], expected)


def violations(page, options="{}"):
    pytest.importorskip("axe_playwright_python")
    page.evaluate((files("axe_playwright_python") / "axe.min.js").read_text())
    results = page.evaluate(f"axe.run(document, {options})")["violations"]
    return [violation["id"] for violation in results]


def in_all_windows(page):
    """Shows a page in windows of three sizes, light and dark."""
    for viewport, scheme in product((PHONE, LAPTOP, PROJECTOR), ("light", "dark")):
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        yield f"{viewport['width']} {scheme}"


def assert_everyone_can_use(page, options="{}"):
    """No finding of axe-core, and nothing sticks out."""
    for where in in_all_windows(page):
        assert violations(page, options) == [], where
        until(page, "document.documentElement.scrollWidth <= innerWidth")
