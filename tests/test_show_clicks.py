"""The panel of clicks, read by other programs and held against brute force."""

from itertools import pairwise

import numpy as np
import pytest
from films import FRAMES, LOSSY, an_animation, opened
from PIL import Image
from players import at_centres, clicks_done, scrub_to, until

import lightsanim as la
from lightsanim.animation.animate import animate
from lightsanim.animation.boards import shades_of
from lightsanim.animation.steps import Steps
from lightsanim.errors import OptionError
from lightsanim.formats.outputs import render_files
from lightsanim.options.table import Timing

ROWS, COLUMNS, CELL, GAP = 5, 7, 8, 1
COLOURS = {"lit": "white", "unlit": "black", "background": "grey"}
LOOK = {"cell": CELL, "gap": GAP, **COLOURS}
PITCH, GUTTER = CELL + GAP, 2
PANELS = {"right": (0, COLUMNS + GUTTER), "below": (ROWS + GUTTER, 0)}
TIMING = Timing(clicks_per_frame=3, fps=10, hold_first=0.1, hold_last=0.5)
SIDES = pytest.mark.parametrize("side", PANELS)


def film(levels=2, boards=1, clicks=25, timing=TIMING, seed=0):
    """Cells drawn at random, some several times in one frame."""
    board, rng = la.Board(ROWS, COLUMNS, levels=levels), np.random.default_rng(seed)
    cells = np.repeat(rng.integers(0, board.cells, clicks), rng.integers(1, levels, clicks))
    primaries = rng.integers(1, 8, len(cells)).astype(np.uint8) if boards == 3 else None
    return animate(board, first_of(board, boards, rng), [(cells, primaries)], timing)


def film_of_steps(levels=2, boards=1):
    board, rng = la.Board(ROWS, COLUMNS, levels=levels), np.random.default_rng(1)
    shape = (boards, ROWS, COLUMNS)
    steps = Steps.of(shape, levels, [rng.integers(0, levels, shape) for _ in range(4)])
    return animate(board, first_of(board, boards, rng), [steps, steps.backwards()], TIMING)


def first_of(board, boards, rng):
    sets = [rng.integers(0, board.levels, board.shape) for _ in range(boards)]
    lights = [board.add(board.toggles(some), board.reference) for some in sets]
    return lights[0] if boards == 1 else np.array(lights)


FILMS = {
    "two levels": film,
    "five levels": lambda: film(5),
    "in colour": lambda: film(boards=3),
    "three levels in colour": lambda: film(3, 3),
    "steps": film_of_steps,
    "steps of five levels": lambda: film_of_steps(5),
    "steps in colour": lambda: film_of_steps(boards=3),
}


def panels_of(animation):
    """What the panel shows in each frame, holds left out."""
    return [panel for _, panel, is_rest in frames_of(animation) if not is_rest]


def expected(animation):
    """The boards and the panels of all frames, those that are alike once."""
    return without_repeats([(shades, panel) for shades, panel, _ in frames_of(animation)])


def frames_of(animation):
    """The board and the panel of all frames, press by press, and whether it is a hold's own."""
    board, levels, boards = animation.board, animation.board.levels, animation.boards
    lights = animation.first.reshape(boards, ROWS, COLUMNS).copy()
    shown = [(shades_of(lights, levels), np.zeros((ROWS, COLUMNS), np.uint8), False)]
    for number, (start, end) in enumerate(pairwise(animation.clicks_done), 1):
        presses = np.zeros((boards, ROWS, COLUMNS), int)
        for n in range(start, end):
            if animation.steps is not None:
                presses += animation.steps[n]
                continue
            on = 1 if animation.primaries is None else animation.primaries[n]
            row, column = divmod(int(animation.clicks[n]), COLUMNS)
            presses[:, row, column] += [on >> one & 1 for one in range(boards)]
        for one, row, column in np.argwhere(presses):
            for _ in range(presses[one, row, column]):
                lights[one] = board.add(lights[one], board.neighbourhood(row, column))
        shades = shades_of(lights, levels)
        shown.append((shades, shades_of((presses % levels).astype(np.uint8), levels), False))
        if number in dict(animation.holds):  # while it is held, nothing is clicked
            shown.append((shades, np.zeros_like(shades), True))
    return shown


def read(pixels, side, levels, boards, cell=CELL, corner=(GAP, GAP)):
    """The shades of the board and of the panel in a frame's pixels."""
    inks = la.Theme(**COLOURS).shades(boards, levels)
    parts = ((0, 0), PANELS[side])
    return tuple(read_part(pixels, part, inks.astype(int), cell, corner) for part in parts)


def read_part(pixels, part, inks, cell=CELL, corner=(GAP, GAP)):
    y, x = (
        edge + cell // 2 + (first + np.arange(cells)) * (cell + GAP)
        for edge, first, cells in zip(corner, part, (ROWS, COLUMNS), strict=True)
    )
    apart = np.abs(pixels[np.ix_(y, x)][:, :, None].astype(int) - inks).sum(axis=3)
    assert apart.min(axis=2).max() < 40  # of a video, a little
    return apart.argmin(axis=2).astype(np.uint8)


def without_repeats(frames):
    kept = frames[:1]
    for frame in frames[1:]:
        if not all(map(np.array_equal, frame, kept[-1])):
            kept.append(frame)
    return kept


def same(some, others):
    assert len(some) == len(others)
    for one, other in zip(some, others, strict=True):
        assert [part.tolist() for part in one] == [part.tolist() for part in other]


# Each kind in two formats or in one, and each format of three kinds or two.
PAIRS = [(kind, FRAMES[n % 6]) for n, kind in enumerate([*FILMS, *FILMS])]


@pytest.mark.parametrize(("kind", "suffix"), PAIRS)
def test_every_format_shows_the_clicks_that_make_each_frame(tmp_path, kind, suffix):
    animation, path = FILMS[kind](), tmp_path / f"a{suffix}"
    levels, boards = animation.board.levels, animation.boards
    side = [*PANELS][FRAMES.index(suffix) % 2]
    cell = 2 * CELL if suffix in LOSSY and boards == 3 else CELL  # codecs halve colours
    animation.save(path, show_clicks=side, **{**LOOK, "cell": cell})
    frames = [read(f, side, levels, boards, cell) for f in opened(path).frames]
    same(without_repeats(frames), expected(animation))
    assert la.verify(path).legal


def test_frames_in_memory_show_their_clicks_too():
    animation, look = film(), {**LOOK, "show_clicks": "right", "mark": "tomato"}
    inks = np.array([[0] * 3, [255] * 3])
    shown = [read_part(pixels, PANELS["right"], inks) for pixels in animation.frames(**look)]
    assert np.array_equal(shown, panels_of(animation))


@pytest.mark.parametrize("options", [{}, {"max_bytes": 8_000}])
def test_where_frames_are_left_out_their_clicks_are_shown_by_the_next(tmp_path, options):
    timing = Timing(fps=100, clicks_per_frame=1, hold_first=0)
    board, cells = la.Board(10, 20), np.random.default_rng(0).permutation(200)
    animation = animate(board, board.toggles(np.ones(board.shape, bool)), [(cells, None)], timing)
    animation.save(tmp_path / "a.gif", show_clicks="below", cell=5, **options)
    frames = [frame[..., 0] for frame in opened(tmp_path / "a.gif").frames]
    pitch = len(frames[0]) // 22  # no gaps; 10 rows, 2 between, and 10 of the panel
    lit = [np.count_nonzero(frame[12 * pitch :: pitch, ::pitch] > 200) for frame in frames]
    assert sum(lit) == 200
    assert max(lit) > 1
    assert la.verify(tmp_path / "a.gif").legal


@pytest.mark.parametrize(
    ("canvas", "size", "side"),
    [("200x150", (200, 150), "below"), ("151x300", (151, 300), "right"),
     ("wide", (1920, 1080), "right")],
)  # fmt: skip
def test_both_boards_fit_a_canvas_which_stays_exact(canvas, size, side):
    animation, (width, height) = film(), size
    frame = animation.frame(4, canvas=canvas, show_clicks=side, gap=GAP, **COLOURS)
    assert frame.size == size
    down, right = PANELS[side]
    grid = ROWS + down, COLUMNS + right
    pitch = min(height // grid[0], width // grid[1])
    corner = [
        (length - cells * pitch + GAP) // 2
        for length, cells in zip((height, width), grid, strict=True)
    ]
    shown = read(np.asarray(frame), side, 2, 1, pitch - GAP, corner)
    same([shown], [expected(animation)[4]])


# What is not as it is shown is refused.


def tampered(path, frame, change, side="right"):
    film().save(path, show_clicks=side, **LOOK)
    whole = opened(path)
    change(whole.frames[frame])
    whole.write(path)
    return la.verify(path)


@pytest.mark.parametrize(("suffix", "side"), [(".gif", "right"), ("", "below"), (".mp4", "below")])
@pytest.mark.parametrize(
    ("frame", "reason"),
    [(0, "frame 0 shows clicks, and there is no frame before it"),
     (5, "the clicks that frame 5 shows do not make it of the one before")],
)  # fmt: skip
def test_one_cell_of_a_panel_changed_names_its_frame(tmp_path, suffix, side, frame, reason):
    down, right = PANELS[side]
    y, x = GAP + (3 + down) * PITCH, GAP + (2 + right) * PITCH

    def toggle(pixels):
        cell = pixels[y : y + CELL, x : x + CELL]
        cell[:] = 255 - cell

    found = tampered(tmp_path / f"a{suffix}", frame, toggle, side)
    assert (found.legal, found.first_illegal, found.reason) == (False, frame, reason)


def test_clicks_that_make_the_same_but_are_more_are_refused(tmp_path):
    # A quiet pattern of 5 x 5, beside the one click of frame 1 (Pillow's frames are whole).
    board, path = la.Board(5, 5), tmp_path / "film"
    animate(board, board.toggles(np.eye(5, dtype=bool)), [(np.array([12]), None)], TIMING).save(
        path, show_clicks="right", **LOOK
    )
    whole = opened(path)
    for row, column in np.argwhere(board.quiet_patterns()[0]):
        y, x = GAP + row * PITCH, GAP + (column + 7) * PITCH
        cell = whole.frames[1][y : y + CELL, x : x + CELL]
        cell[:] = 255 - cell
    whole.write(path)
    found = la.verify(path)
    assert (found.legal, found.first_illegal) == (False, 1)


@pytest.mark.parametrize(
    ("place", "reason"),
    [((9, GAP + COLUMNS * PITCH + 9), "frame 5 shows something between its cells"),
     ((GAP, GAP + (COLUMNS + GUTTER) * PITCH),
      "frame 5 shows the cell in row 0, column 0 neither lit nor unlit, among its clicks")],
)  # fmt: skip
def test_one_pixel_of_the_gutter_or_the_panel_is_noticed(tmp_path, place, reason):
    def change(pixels):
        pixels[place] = (200, 30, 30)

    assert tampered(tmp_path / "a.gif", 5, change).reason == reason


# Stills.


@SIDES
def test_a_sheet_shows_the_clicks_since_the_still_before(tmp_path, side):
    animation, path = film(clicks=24), tmp_path / "s.png"
    render_files(
        animation, la.Theme(**LOOK, show_clicks=side), la.Outputs(sheet=path, sheet_frames=3)
    )
    pixels = np.asarray(Image.open(path).convert("RGB"))
    width = COLUMNS * PITCH + GAP if side == "below" else (2 * COLUMNS + GUTTER) * PITCH + GAP
    starts = [n * (width + 2 * GUTTER * PITCH) for n in range(3)]
    stills = [pixels[:, start : start + width] for start in starts]
    boards, panels = zip(*(read(still, side, 2, 1) for still in stills), strict=True)
    assert not panels[0].any()
    for before, panel, after in zip(boards, panels[1:], boards[1:], strict=False):
        assert panel.any()
        made = before ^ animation.board.toggles(panel == 1)
        assert np.array_equal(made, after)
    assert np.array_equal(boards[-1], animation.last)


def test_a_still_of_one_configuration_shows_its_marks_as_clicks(tmp_path):
    lit, marks = np.eye(ROWS, COLUMNS, dtype=bool), np.zeros((ROWS, COLUMNS), bool)
    marks[1:3, 4] = True
    la.save_still(lit, tmp_path / "a.png", marks=marks, show_clicks="below", **LOOK)
    pixels = np.asarray(Image.open(tmp_path / "a.png").convert("RGB"))
    down = GAP + CELL // 2 + PANELS["below"][0] * PITCH
    assert np.array_equal(pixels[down::PITCH, GAP + CELL // 2 :: PITCH, 0] == 255, marks)
    with pytest.raises(OptionError, match="one configuration has none; give them as marks"):
        la.save_still(lit, tmp_path / "b.png", show_clicks="below")
    assert not (tmp_path / "b.png").exists()


# The page.

PRESSES = "window.lightsanim.presses()"


def counts_of(animation):
    """How many clicks the page has done in each frame; on several boards at once it is one."""
    if animation.steps is None:
        return animation.clicks_done.tolist()
    each = [int(step.max(axis=0).sum()) for step in animation.steps]
    return np.cumsum([0, *each])[animation.clicks_done].tolist()


@pytest.mark.long
@pytest.mark.parametrize("kind", ["two levels", "three levels in colour", "steps of five levels"])
def test_the_page_shows_the_clicks_of_each_frame_by_a_switch(show, kind):
    animation = FILMS[kind]()
    inks = la.Theme().shades(animation.boards, animation.board.levels)
    page = show(animation)
    assert not page.locator("#pressed").is_visible()
    page.keyboard.press("c")
    assert page.locator("#clicks").get_attribute("aria-checked") == "true"
    pressed = [panel.ravel() for panel in panels_of(animation)]
    for count, panel in zip(counts_of(animation), pressed, strict=True):
        scrub_to(page, count)
        assert page.evaluate(PRESSES) == panel.tolist()
        assert np.array_equal(at_centres(page, animation, "#pressed")[:, :3], inks[panel])
    assert f"{counts_of(animation)[-1]} clicks" in page.locator(".facts").inner_text()
    page.locator("#clicks").click()
    assert not page.locator("#pressed").is_visible()


def test_a_page_goes_through_steps_as_a_whole(show):
    animation = film_of_steps(5)
    page, counts = show(animation), counts_of(animation)
    for count in counts[1:]:
        page.keyboard.press("ArrowRight")
        assert clicks_done(page) == count
    scrub_to(page, counts[2] + 1)
    assert clicks_done(page) == counts[2]


@pytest.mark.long
def test_the_panel_is_empty_while_a_picture_is_held_and_shows_a_games_clicks(show):
    animation = film(timing=Timing(clicks_per_frame=3, fps=10, hold_first=0.1, hold_last=60))
    page = show(animation, la.Theme(show_clicks="right"), motion="no-preference")
    until(page, f"{PRESSES}?.some(Boolean)")
    until(page, f"{PRESSES}?.every((times) => !times)")
    assert clicks_done(page) == len(animation.clicks)
    page.keyboard.press("End")
    assert page.evaluate(PRESSES) == panels_of(animation)[-1].ravel().tolist()
    page.keyboard.press("g")
    assert not any(page.evaluate(PRESSES))
    page.keyboard.press("Enter")
    assert np.flatnonzero(page.evaluate(PRESSES)).tolist() == [ROWS // 2 * COLUMNS + COLUMNS // 2]


@pytest.mark.long
@pytest.mark.parametrize(
    ("shape", "width", "height"),
    [((60, 60), 390, 844), ((60, 60), 844, 390), ((20, 90), 1280, 800), ((90, 20), 390, 844)],
)
def test_board_and_panel_are_as_large_and_both_in_the_window(show, shape, width, height):
    page = show(an_animation(*shape), viewport={"width": width, "height": height})
    page.keyboard.press("c")
    board, panel = (page.locator(f"#{name}").bounding_box() for name in ("board", "pressed"))
    assert (board["width"], board["height"]) == (panel["width"], panel["height"])
    assert panel["x"] >= board["x"] + board["width"] or panel["y"] >= board["y"] + board["height"]
    assert panel["x"] + panel["width"] <= width
    assert panel["y"] + panel["height"] <= height
    assert min(board["x"], board["y"]) >= 0
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_page_that_shows_its_clicks_is_proven(tmp_path):
    film().save(tmp_path / "a.html", show_clicks="below")
    assert la.verify(tmp_path / "a.html").legal
    text = (tmp_path / "a.html").read_text()
    (tmp_path / "a.html").write_text(text.replace('"show_clicks":"below"', '"show_clicks":"right"'))
    with pytest.raises(la.LightsAnimError):
        la.verify(tmp_path / "a.html")
