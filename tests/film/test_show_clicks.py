"""The panel of clicks, read by other programs and held against brute force."""

from dataclasses import replace
from functools import partial
from itertools import pairwise, product

import numpy as np
import pytest
from tools import films
from tools.players import at_centres, clicks_done, scrub_to, until
from tools.refusals import assert_refused

import lightsanim as la
from lightsanim.film.origin import Origin
from lightsanim.game.levels import unpack_levels
from lightsanim.output.formats.page import player_html

ROWS, COLUMNS, CELL, GAP = 5, 7, 8, 1
COLOURS = {"lit": "white", "unlit": "black", "background": "grey"}
LOOK = {"cell": CELL, "gap": GAP, **COLOURS}
PITCH, GUTTER = CELL + GAP, 2
PANELS = {"right": (0, COLUMNS + GUTTER), "below": (ROWS + GUTTER, 0)}


def kind(suffix=".gif", panel="right", boards=1, **options):
    """Of two moves, whose cells are pressed several times where there are more than two levels."""
    cell = 2 * CELL if suffix in films.LOSSY and boards == 3 else CELL  # codecs halve colours
    look = {**LOOK, "cell": cell, "show_clicks": panel}
    options = {"clicks_per_frame": 3, "moves": 2, "seed": 0, **options}
    return films.Kind(
        suffix=suffix, rows=ROWS, columns=COLUMNS, boards=boards, look=look, **options
    )


KINDS = {
    "two levels": {},
    "five levels": {"levels": 5},
    "in colour": {"boards": 3},
    "three levels in colour": {"levels": 3, "boards": 3},
    "steps": {"steps": True},
    "steps of five levels": {"steps": True, "levels": 5},
    "steps in colour": {"steps": True, "boards": 3},
}


def read(pixels, side, levels, boards, cell=CELL):
    """The shades of the board and of the panel in a frame's pixels."""
    inks, parts = la.Theme(**COLOURS).shades(boards, levels).astype(int), []
    rows, columns = (GAP + cell // 2 + np.arange(n) * (cell + GAP) for n in (ROWS, COLUMNS))
    for down, right in ((0, 0), PANELS[side]):
        centres = np.ix_(rows + down * (cell + GAP), columns + right * (cell + GAP))
        apart = np.abs(pixels[centres][:, :, None].astype(int) - inks).sum(axis=3)
        assert apart.min(axis=2).max() < 40  # of a video, a little
        parts.append(apart.argmin(axis=2).astype(np.uint8))
    return tuple(parts)


def without_repeats(frames):
    return [f for n, f in enumerate(frames) if not (n and np.array_equal(f, frames[n - 1]))]


# Each kind in one format, and among the long ones in another; and formats with the total.
PANELS_SHOWN = [
    pytest.param("", films.FRAMES[n % 6], kind, marks=[pytest.mark.long] * (n >= len(KINDS)))
    for n, kind in enumerate([*KINDS.values(), *KINDS.values()])
]
PANELS_SHOWN += [
    ("-total", ".gif", {}), ("-total", ".apng", {"levels": 5}),
    ("-total", ".webm", {"steps": True}), ("-total", ".svg", {}),
    ("-total", ".mp4", {"boards": 3}), ("-total", ".html", {"levels": 3}),
    ("-total", "", {"levels": 3, "boards": 3}),
]  # fmt: skip


@pytest.mark.parametrize(("total", "suffix", "options"), PANELS_SHOWN)
def test_every_format_shows_the_clicks_that_make_its_frames(tmp_path, total, suffix, options):
    side = [*PANELS][len(suffix) % 2]
    film, path = kind(suffix, side + total, **options), tmp_path / f"film{suffix}"
    animation = film.animation()
    animation.save(path, **film.look)
    verdict, presses = la.verify(path), films.shown_presses(film, animation)
    assert (verdict.legal, verdict.clicks) == (True, animation.count)
    if total:
        count = unpack_levels(presses[-1], film.boards, film.levels).sum()
        assert f", {count} in the last frame" in verdict.notes[-1]
    if suffix not in films.FRAMES:
        return
    cell = film.look["cell"]
    frames = [read(f, side, film.levels, film.boards, cell) for f in films.opened(path).frames]
    frames = without_repeats(frames)
    expected = zip(films.shown_shades(film, animation), presses, strict=True)
    assert np.array_equal(frames, without_repeats([*expected]))
    planes = [[unpack_levels(s, film.boards, film.levels) for s in frame] for frame in frames]
    for (start, _), (end, shown) in pairwise(planes):
        start = planes[0][0] if total else start
        assert np.array_equal(films.pressed(film.board, start, shown), end)


@pytest.mark.parametrize("options", [{}, {"max_bytes": 8_000}])
def test_clicks_of_dropped_frames_are_shown_by_the_next(tmp_path, options):
    path = tmp_path / "a.gif"
    films.random_film(10, 20, 200, fps=100).save(path, show_clicks="below", cell=5, **options)
    frames = [frame[..., 0] for frame in films.opened(path).frames]
    pitch = len(frames[0]) // 22  # no gaps; 10 rows, 2 between, and 10 of the panel
    lit = [np.count_nonzero(frame[12 * pitch :: pitch, ::pitch] > 200) for frame in frames]
    assert sum(lit) == 200
    assert max(lit) > 1
    assert la.verify(path).legal


def cell_at(row, column):
    y, x = GAP + row * PITCH, GAP + column * PITCH
    return np.s_[y : y + CELL, x : x + CELL]


def in_panel(side):
    return cell_at(3 + PANELS[side][0], 2 + PANELS[side][1])


@pytest.mark.parametrize(
    ("suffix", "side", "frame", "where", "facts"),
    [
        ("", "below", 0, in_panel("below"), "frame 0 clicks"),
        (".gif", "right", 5, in_panel("right"), "clicks frame 5"),
        (".mp4", "below", 5, in_panel("below"), "clicks frame 5"),
        (".gif", "right", 5, (9, GAP + COLUMNS * PITCH + 9), "frame 5 between"),
        (".gif", "right", 5, (GAP, GAP + (COLUMNS + GUTTER) * PITCH), "5 row 0, column 0 clicks"),
    ],
)
def test_a_cell_or_a_pixel_changed_names_its_frame(tmp_path, suffix, side, frame, where, facts):
    path = tmp_path / f"a{suffix}"
    kind().animation().save(path, show_clicks=side, **LOOK)
    film = films.opened(path)
    pixels = film.frames[frame]
    pixels[where] = 255 - pixels[where] if pixels[where].ndim == 3 else (200, 30, 30)
    film.write(path)
    films.assert_illegal(path, frame, facts)


@pytest.mark.parametrize("side", PANELS)
@pytest.mark.parametrize("total", ["", "-total"])
def test_sheet_panel_shows_clicks_since_still_or_start(tmp_path, side, total):
    animation, path = kind().animation(), tmp_path / "s.png"
    outputs = la.Outputs(sheet={"path": path, "frames": 3})
    la.render_files(animation, la.Theme(**LOOK, show_clicks=side + total), outputs)
    width = COLUMNS * PITCH + GAP if side == "below" else (2 * COLUMNS + GUTTER) * PITCH + GAP
    starts = [n * (width + 2 * GUTTER * PITCH) for n in range(3)]
    (pixels,) = films.opened(path).frames
    stills = [read(pixels[:, start : start + width], side, 2, 1) for start in starts]
    assert not stills[0][1].any()
    for (start, _), (end, presses) in pairwise(stills):
        assert presses.any()
        start = stills[0][0] if total else start
        assert np.array_equal(start ^ animation.board.toggles(presses == 1), end)
    assert np.array_equal(end, animation.last)


def test_a_still_of_one_configuration_shows_its_marks_as_clicks(tmp_path):
    lit, marks = np.eye(ROWS, COLUMNS, dtype=bool), np.zeros((ROWS, COLUMNS), bool)
    marks[1:3, 4] = True
    la.save_still(lit, tmp_path / "a.png", marks=marks, show_clicks="below", **LOOK)
    (pixels,) = films.opened(tmp_path / "a.png").frames
    down, right = GAP + CELL // 2 + PANELS["below"][0] * PITCH, GAP + CELL // 2
    assert np.array_equal(pixels[down::PITCH, right::PITCH, 0] == 255, marks)
    still = partial(la.save_still, lit, tmp_path / "b.png", show_clicks="below")
    assert_refused(still, "marks")
    assert not (tmp_path / "b.png").exists()


def test_film_of_clicks_picture_shows_its_total(tmp_path):
    origin = Origin(program="1", settings={"clicks_picture": "cat.png"}, sha256=(None, None))
    animation = replace(kind().animation(), origin=origin)
    for number, look in enumerate([{}, {"show_clicks": "below-total"}, {"show_clicks": "right"}]):
        animation.save(tmp_path / "a.gif", **LOOK, **look)
        size = films.opened(tmp_path / "a.gif").frames[0].shape[:2]
        wide, high = COLUMNS * PITCH + GAP, ROWS * PITCH + GAP
        assert (size[0] > high, size[1] > wide) == (number == 1, number != 1)
        verdict = la.verify(tmp_path / "a.gif")
        assert (verdict.legal, len(verdict.notes)) == (True, 1 - number // 2)
    for clicks, framed in product([None, 30], [False, True]):
        page = player_html(animation, la.Theme(visitor_clicks=clicks), framed=framed)
        (tmp_path / "a.html").write_text(page)
        assert ('"show_clicks":"right"' in page) == (framed or not clicks)
        verdict = la.verify(tmp_path / "a.html")
        assert (verdict.legal, len(verdict.notes)) == (True, framed or not clicks)


PRESSES = "window.lightsanim.presses()"


def counts_of(animation):
    """How many clicks the page has done in each frame; on several boards at once it is one."""
    if animation.steps is None:
        return animation.clicks_done.tolist()
    counts = [int(step.max(axis=0).sum()) for step in animation.steps]
    return np.cumsum([0, *counts])[animation.clicks_done].tolist()


@pytest.mark.long
@pytest.mark.parametrize(
    "options", ["two levels", "three levels in colour", "steps of five levels"]
)
@pytest.mark.parametrize("panel", [None, "total"])
def test_page_switch_shows_the_clicks_panel(show, options, panel):
    film = kind(".html", panel or "right", **KINDS[options])
    animation = film.animation()
    inks = la.Theme().shades(animation.boards, animation.board.levels)
    page, counts = show(animation, la.Theme(show_clicks=panel)), counts_of(animation)
    assert not page.locator("#pressed").is_visible()
    page.keyboard.press("c")
    assert page.locator("#clicks").get_attribute("aria-checked") == "true"
    shown = [*zip(counts, films.shown_presses(film, animation), strict=True)]
    for count, presses in shown + shown[::-4]:
        scrub_to(page, count)
        assert page.evaluate(PRESSES) == presses.ravel().tolist()
        assert np.array_equal(at_centres(page, animation, "#pressed")[:, :3], inks[presses.ravel()])
    assert f"{counts[-1]} clicks" in page.locator(".facts").inner_text()
    page.locator("#clicks").click()
    assert not page.locator("#pressed").is_visible()


@pytest.mark.long
def test_a_page_goes_through_steps_as_a_whole(show):
    animation = kind(steps=True, levels=5).animation()
    page, counts = show(animation), counts_of(animation)
    for count in counts[1:]:
        page.keyboard.press("ArrowRight")
        assert clicks_done(page) == count
    scrub_to(page, counts[2] + 1)
    assert clicks_done(page) == counts[2]


@pytest.mark.long
def test_panel_is_empty_during_holds_and_shows_game_clicks(show):
    timing = {"clicks_per_frame": 3, "fps": 10, "hold_first": 0.1, "hold_last": 60}
    animation = films.an_animation(ROWS, COLUMNS, **timing)
    page = show(animation, la.Theme(show_clicks="right"), motion="no-preference")
    until(page, f"{PRESSES}?.some(Boolean)")
    until(page, f"{PRESSES}?.every((times) => !times)")
    assert clicks_done(page) == len(animation.clicks)
    page.keyboard.press("End")
    presses = films.shown_presses(kind(".html"), animation)[-1]
    assert page.evaluate(PRESSES) == presses.ravel().tolist()
    page.keyboard.press("g")
    assert not any(page.evaluate(PRESSES))
    page.keyboard.press("Enter")
    assert np.flatnonzero(page.evaluate(PRESSES)).tolist() == [ROWS // 2 * COLUMNS + COLUMNS // 2]


def test_panel_with_surplus_clicks_is_refused(tmp_path):
    # A quiet pattern of 5 x 5, beside the one click of frame 1 (Pillow's frames are whole).
    board, path = la.Board(5, 5), tmp_path / "film"
    first = board.toggles(np.eye(5, dtype=bool))
    animation = la.animate(board, first, [la.Clicks(np.array([12]))], la.Timing(clicks_per_frame=1))
    animation.save(path, show_clicks="right", **LOOK)
    film = films.opened(path)
    for row, column in np.argwhere(board.quiet_patterns()[0]):
        cell = film.frames[1][cell_at(row, column + 7)]
        cell[:] = 255 - cell
    film.write(path)
    assert la.verify(path).first_illegal == 1
