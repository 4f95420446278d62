"""The page in a real browser: Debian's headless Chromium, driven by Playwright."""

from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from tools.films import an_animation
from tools.players import (
    ASK,
    LAPTOP,
    LEVELS,
    PHONE,
    WINDOW,
    a_coloured_animation,
    a_film_of_levels,
    assert_shown,
    at_centres,
    click,
    clicks_done,
    frames_of,
    look,
    pixels_of,
    place_of,
    remaining,
    said,
    scrub_to,
    shades,
    shades_in,
    stop_clock,
    until,
    violations,
)

import lightsanim as la
from lightsanim import Theme, Timing, animate
from lightsanim.film.clicks import PackedSteps
from lightsanim.film.origin import Label
from lightsanim.game.levels import pack_levels, unpack_levels
from lightsanim.output.formats.page import player_html

# The film


def test_scrubbing_shows_frames_exactly_both_ways(show):
    # Round a torus of two rows a click raises the cell below twice.
    for animation in (
        an_animation(8, 6, seed=3, moves=3, clicks_per_frame=5),
        a_film_of_levels(5, 3, rows=2, columns=7, clicks=20, wrap=True),
    ):
        theme = Theme(palette="sunset")  # middle levels have colours of their own
        page, frames = show(animation, theme), frames_of(animation)
        for frame in [5, 3, len(frames) - 1]:
            scrub_to(page, animation.clicks_done[frame])
            assert np.array_equal(shades(page), frames[frame])
        assert_shown(page, animation, theme)


def test_playback_shows_frames_on_time_and_keeps_the_last(show):
    animation = an_animation(10, 10, duration=0.5, hold_first=0.1, hold_last=0.1, loop=1)
    page = show(animation, scale=1.5)  # a page of its own, as its clock goes by hand
    starts = np.cumsum([0, *animation.durations()])
    stop_clock(page)
    page.keyboard.press(" ")
    clicks = []
    for _ in range(5):
        page.clock.run_for(110)
        time, done = page.evaluate(f"[{ASK}.look().time, {ASK}.clicksDone()]")
        assert done == animation.clicks_done[np.searchsorted(starts, time, side="right") - 1]
        clicks.append(done)
    assert time == pytest.approx(5 * 0.11, abs=0.05)
    assert len(set(clicks)) > 4
    page.clock.run_for(300)
    assert not look(page)["playing"]
    assert np.array_equal(shades(page), shades_in(animation, animation.last))
    assert_shown(page, animation)
    page.get_by_role("button", name="Play").click()
    page.clock.run_for(100)
    assert clicks_done(page) == 0
    for key in "+l":  # faster, and round and round
        page.keyboard.press(key)
    assert look(page)["speed"] == 2
    page.clock.run_for(150)
    done = clicks_done(page)
    page.clock.run_for(int(500 * animation.durations().sum()))
    assert clicks_done(page) == pytest.approx(done, abs=9)


def test_keys_play_step_jump_and_fill_the_screen(show):
    animation = an_animation(8, 8)
    page, clicks = show(animation), len(animation.clicks)
    assert not look(page)["playing"]  # motion is reduced
    keys = ("ArrowRight", "Shift+ArrowRight", "ArrowLeft", "End", "ArrowRight", "Home", "ArrowLeft")
    for key, done in zip(keys, (1, 11, 10, clicks, clicks, 0, 0), strict=True):
        page.keyboard.press(key)
        assert clicks_done(page) == done
    page.locator("#scrub").focus()
    page.keyboard.press("Shift+ArrowRight")
    assert clicks_done(page) == 10
    page.get_by_role("button", name="Play").focus()
    for key in (" ", "Enter"):  # buttons are not pressed twice
        playing = look(page)["playing"]
        page.keyboard.press(key)
        assert look(page)["playing"] != playing
    page.keyboard.press("?")
    assert page.get_by_role("dialog").is_visible()
    page.keyboard.press("Escape")
    assert not page.get_by_role("dialog").is_visible()
    page.keyboard.press("f")
    until(page, "document.fullscreenElement !== null")
    page.locator("h1").wait_for(state="hidden")
    assert page.get_by_role("button", name="Play", exact=True).is_visible()
    page.keyboard.press("g")
    assert page.locator("h1").is_visible()
    page.keyboard.press("f")
    until(page, "document.fullscreenElement === null")


# The look


@pytest.mark.long
def test_cells_are_whole_pixels_of_the_theme_at_any_size(show):
    animation, scale = an_animation(13, 21), 1.5
    theme = Theme(lit="gold", unlit="navy", background="red")
    page = show(animation, theme, viewport=PHONE, scale=scale)
    scrub_to(page, 20)
    assert_shown(page, animation, theme)
    page.set_viewport_size({"width": 500, "height": 400})
    page.wait_for_timeout(100)
    width, css_width = page.evaluate("[board.width, board.getBoundingClientRect().width]")
    assert css_width * scale == pytest.approx(width, abs=0.5)
    pixels = pixels_of(page, "#board")[..., :3] @ np.array([1 << 16, 1 << 8, 1])
    assert set(np.unique(pixels)) == {0xFFD700, 0x000080, 0xFF0000}


def test_shapes_leave_corners_free_and_clicked_cells_are_marked(show):
    animation = an_animation(clicks_per_frame=3)
    page = show(animation, Theme(shape="rounded", background="red", mark="blue", cell=10, gap=10))
    for clicks, marked in [(6, slice(3, 6)), (5, slice(3, 5)), (0, slice(0, 0))]:
        scrub_to(page, clicks)
        blue = (at_centres(page, animation) == [0, 0, 255, 255]).all(axis=1)
        assert set(np.flatnonzero(blue)) == set(animation.clicks[marked])
    view = look(page)
    assert pixels_of(page, "#board")[view["gap"], view["gap"]].tolist() == [255, 0, 0, 255]
    assert view["gap"] / view["pitch"] == pytest.approx(0.5, abs=0.02)


def test_a_board_of_any_shape_fits_the_window(show):
    page = show(an_animation(3, 3000))
    box = page.locator("#board").bounding_box()
    assert 0 < box["width"] <= WINDOW["width"]
    assert 0 < box["height"] <= WINDOW["height"]
    assert page.evaluate("document.documentElement.scrollWidth") <= WINDOW["width"]


# The game


@pytest.fixture
def game(show):
    """A page on which one plays from the 5th click on, and its animation."""
    animation = an_animation(wrap=True)
    page = show(animation)
    scrub_to(page, 5)
    page.get_by_role("switch", name="Click it yourself").click()
    return page, animation


def test_pointing_marks_and_clicking_flips_a_neighbourhood(game):
    page, animation = game
    start = shades(page)
    for cell in (0, 22):
        flipped = animation.board.neighbourhood(*divmod(cell, 9)).ravel()
        page.mouse.move(*place_of(page, animation, cell))
        assert np.array_equal(at_centres(page, animation, "#marks")[:, 3] > 0, flipped)
        click(page, animation, cell)
        assert np.array_equal(shades(page) != start, flipped)
        assert_shown(page, animation)
        click(page, animation, cell)
        assert np.array_equal(shades(page), start)


def test_the_keyboard_plays_the_game_and_leads_back_to_the_film(game):
    page, animation = game
    start = shades(page)
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Shift+ArrowLeft")
    assert look(page)["cursor"] == 18  # from the middle (3, 4) to (2, 0)
    page.keyboard.press("Enter")
    flipped = animation.board.neighbourhood(2, 0).ravel()
    assert np.array_equal(shades(page) != start, flipped)
    assert "row 3, column 1" in page.locator("#board").get_attribute("aria-label")
    page.keyboard.press(" ")
    assert np.array_equal(shades(page), start)
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    assert np.array_equal(shades(page), frames_of(animation)[5])  # where one left
    page.keyboard.press("End")
    page.keyboard.press("g")  # at its end one plays from its beginning
    assert clicks_done(page) == 0
    assert len(remaining(page)) == len(animation.clicks)


def test_the_page_plays_and_explains_other_rules(show):
    animation = an_animation(6, 7, rule="1100000/0000000/0000001")
    page = show(animation)
    page.keyboard.press("End")
    assert np.array_equal(shades(page), pack_levels(animation.last).ravel())
    page.keyboard.press("g")
    start = shades(page)
    click(page, animation, 8)
    flipped = animation.board.neighbourhood(1, 1).ravel()
    assert np.array_equal(shades(page) != start, flipped)
    assert f"A click flips {animation.board.says}." in page.locator(".caption").text_content()


def test_remaining_clicks_reach_the_goal_and_undo_leads_back(game):
    page, animation = game
    goal, todo = pack_levels(animation.last).ravel(), animation.clicks[5:].tolist()
    undo, restart = (page.get_by_role("button", name=name) for name in ("Undo", "Restart"))
    assert np.array_equal(page.evaluate(f"{ASK}.goal()"), goal)
    assert [cell for cell, _ in remaining(page)] == todo
    looks, pressed = [shades(page)], [todo[4], int(animation.clicks[0])]
    for cell in pressed:
        click(page, animation, cell)
        looks.append(shades(page))
    assert {cell for cell, _ in remaining(page)} == set(todo) ^ set(pressed)
    assert page.locator("#differing").text_content() == str((looks[2] != goal).sum())
    assert page.locator("#made").text_content() == "2"
    page.keyboard.press("Control+z")
    assert np.array_equal(shades(page), looks[1])
    undo.click()
    assert np.array_equal(shades(page), looks[0])
    for start_again in (restart.click, lambda: page.keyboard.press("r")):
        click(page, animation, 17)
        start_again()
        assert np.array_equal(shades(page), looks[0])
    assert undo.is_disabled()
    assert_shown(page, animation)


def test_finish_reaches_the_other_picture_and_is_undone_at_once(show):
    half = an_animation(20, 20)
    animation = animate(half.board, half.first, [la.Clicks(half.clicks)] * 2, Timing())  # and back
    page, goal = show(animation), pack_levels(half.last).ravel()
    page.keyboard.press("g")
    assert np.array_equal(page.evaluate(f"{ASK}.goal()"), goal)
    click(page, animation, 7)
    start = shades(page)
    page.get_by_role("button", name="Finish it for me").click()
    until(page, f"!{ASK}.look().ticking && {ASK}.made() > 1")
    assert np.array_equal(shades(page), goal)
    assert_shown(page, animation)
    assert "The goal" in said(page)
    page.keyboard.press("u")
    assert np.array_equal(shades(page), start)


def test_game_of_a_long_film_is_its_last_thirty_clicks(show):
    animation = an_animation(30, 30)
    page, clicks = show(animation, viewport=LAPTOP), animation.clicks.tolist()
    scrub_to(page, 100)
    page.get_by_role("switch", name="Click it yourself").click()
    assert sorted(cell for cell, _ in remaining(page)) == sorted(clicks[-30:])
    assert said(page) == "Make the board look like the goal. 30 clicks to go."
    for cell in clicks[-30:]:
        click(page, animation, cell)
    assert np.array_equal(shades(page), pack_levels(animation.last).ravel())
    assert said(page) == "Solved in 30 clicks. Well done."


def test_a_finger_on_small_cells_has_a_magnifier_and_slides_to_its_cell(show):
    animation = an_animation(60, 60)
    page = show(animation, viewport=PHONE, touch=True)
    page.get_by_role("switch", name="Click it yourself").tap()
    start, goal = shades(page), pack_levels(animation.last).ravel()
    alike = (start == goal).reshape(60, 60)  # cells without a mark
    block = next(20 * 60 + n for n in range(20, 40) if alike[20, n - 1 : n + 9].all())
    loupe, finger = page.locator("#loupe"), page.context.new_cdp_session(page)

    def touch(kind, *cells):
        places = [place_of(page, animation, cell) for cell in cells]
        points = [{"x": x, "y": y} for x, y in places]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", block)
    before = loupe.bounding_box()
    touch("touchMove", block + 6)
    until(page, f"{ASK}.look().pointed === {block + 6}")
    across = place_of(page, animation, block + 6)[0] - place_of(page, animation, block)[0]
    assert loupe.bounding_box()["x"] - before["x"] == pytest.approx(across, abs=1)
    assert np.array_equal(shades(page), start)  # until the finger is lifted
    magnified = pixels_of(page, "#loupe")[150, 250]  # two cells to the right: six in 300 pixels
    assert np.array_equal(magnified[:3], Theme().shades(1, 2)[start[block + 8]])
    touch("touchEnd")
    assert loupe.is_hidden()
    flipped = animation.board.neighbourhood(*divmod(block + 6, 60)).ravel()
    assert np.array_equal(shades(page) != start, flipped)


def test_coloured_game_clicks_change_the_chosen_primaries(show):
    animation = a_coloured_animation()
    page = show(animation)
    page.keyboard.press("g")
    start, plus = shades(page), animation.board.neighbourhood(2, 3).ravel()
    click(page, animation, 17)
    assert np.array_equal(shades(page) ^ start, 7 * plus)
    page.get_by_role("button", name="red").click()
    page.keyboard.press("2")
    click(page, animation, 17)
    assert np.array_equal(shades(page) ^ start, 3 * plus)
    blue = page.get_by_role("button", name="blue")
    blue.click()  # the last one stays
    assert blue.get_attribute("aria-pressed") == "true"
    assert_shown(page, animation)
    page.get_by_role("button", name="Hint").click()
    cell, boards = remaining(page)[0]
    assert said(page).count(" and ") == boards.bit_count() - 1
    click(page, animation, cell)
    assert cell not in [c for c, _ in remaining(page)]


@LEVELS
def test_a_click_raises_the_lights_and_undo_lowers_them(show, levels, boards):
    animation = a_film_of_levels(levels, boards)
    page = show(animation)
    page.keyboard.press("g")
    looks, todo = [shades(page)], remaining(page)
    raised = animation.board.neighbourhood(2, 1)
    for _ in range(levels):
        lights = unpack_levels(looks[-1].reshape(animation.board.shape), boards, levels)
        click(page, animation, 9)
        looks.append(shades(page))
        assert np.array_equal(looks[-1], pack_levels((lights + raised) % levels, levels).ravel())
    assert np.array_equal(looks[-1], looks[0])
    assert sorted(remaining(page)) == sorted(todo)
    assert_shown(page, animation)
    for previous in looks[-2::-1]:
        page.keyboard.press("u")
        assert np.array_equal(shades(page), previous)
    assert page.get_by_role("button", name="Undo").is_disabled()
    page.get_by_role("button", name="Finish it for me").click()
    until(page, f"!{ASK}.look().ticking && {ASK}.made() > 0")
    assert np.array_equal(shades(page), shades_in(animation, animation.last))
    page.keyboard.press("u")
    assert np.array_equal(shades(page), looks[0])


SMALL = {"rows": 3, "columns": 2, "clicks": 8}


@pytest.mark.parametrize(
    "animation",
    [
        pytest.param(an_animation(2, 3), id="plain"),
        pytest.param(a_film_of_levels(5, 3, **SMALL), marks=pytest.mark.long, id="colours"),
        pytest.param(a_film_of_levels(7, **SMALL), marks=pytest.mark.long, id="levels"),
    ],
)
def test_hints_name_cell_and_count_and_lead_to_the_goal(show, animation):
    page = show(animation, viewport=LAPTOP)
    page.keyboard.press("g")
    words = ["", "", " twice", *(f" {n} times" for n in range(3, 7))]
    while not said(page).startswith("Solved"):
        todo = remaining(page)
        page.get_by_role("button", name="Hint").click()
        (cell, _), hint, times = todo[0], said(page), todo.count(todo[0])
        row, column = divmod(cell, animation.board.columns)
        line = f"Click row {row + 1}, column {column + 1}{words[times]}"
        assert hint == f"{line}." if animation.boards == 1 else hint.startswith(f"{line}. ")
        ring, (x, y) = page.locator("#ring").bounding_box(), place_of(page, animation, cell)
        assert ring["x"] + ring["width"] / 2 == pytest.approx(x, abs=3)
        assert ring["y"] + ring["height"] / 2 == pytest.approx(y, abs=3)
        for _ in range(times):
            click(page, animation, cell)
        assert len(remaining(page)) == len(todo) - times
        assert not page.locator("#ring").is_visible()
    assert np.array_equal(shades(page), shades_in(animation, animation.last))
    assert said(page).endswith(" clicks. Well done.")
    assert page.get_by_role("button", name="Hint").is_disabled()


def test_a_page_of_levels_explains_clicks_and_names_each_level(show):
    animation = a_film_of_levels(5)
    page = show(animation)
    rule = "A click raises a cell and its neighbours by one level, and from the brightest to dark."
    assert rule in page.locator(".caption").text_content()
    assert " · 5 levels · " in page.locator(".facts").text_content()
    page.keyboard.press("g")
    label = page.locator("#board").get_attribute("aria-label")
    assert f"row 3, column 3, level {frames_of(animation)[0][10]} of 4. " in label


def test_a_notebook_shows_the_player_in_a_frame(show):
    animation = replace(an_animation(), pictures=('"><b>sun', "moon"))
    page = show(f"<!doctype html><body>{animation._repr_html_()}</body>")
    frame = page.frame_locator("iframe")
    frame.locator("canvas").first.wait_for()
    assert '"><b>sun' in frame.locator("h1").inner_text()


# The page for exhibits: it plays alone, leaves the last clicks to visitors, and is proven too.

PORTRAIT, ON_ITS_SIDE = {"width": 1080, "height": 1920}, {"width": 844, "height": 390}
CLICKS = 9

# Milliseconds: the film hurries to the visitor's clicks; a win is shown; nobody touches.
HURRY, WON, HINT, IDLE = 1600, 9000, 8000, 45_000


def a_film_of_steps():
    board, rng = la.Board(7, 8), np.random.default_rng(1)
    sets = [rng.random((1, *board.shape)) < 0.5 for _ in range(4)]
    steps = PackedSteps.pack((1, *board.shape), 2, sets)
    return la.animate(board, np.ones(board.shape, bool), [steps], la.Timing(fps=5))


FILMS = {
    "clicks": an_animation(12, 9, duration=2),
    # So slow that they cannot flash: films that may flash show their pictures only.
    "levels": replace(a_film_of_levels(3), fps=6.0),
    "colours": replace(a_film_of_levels(5, 3), fps=6.0),
    "steps": a_film_of_steps(),
}


@pytest.fixture
def exhibit(show):
    """An exhibit under a clock that goes by hand."""

    def exhibit(film, clicks=CLICKS, **options):
        page = show(film, la.Theme(visitor_clicks=clicks), touch=True, **options)
        page.clock.install()
        page.reload()
        return page

    return exhibit


def scene(page):
    return page.evaluate(f"{ASK}.look()")["scene"]


def left(page):
    return page.evaluate(f"{ASK}.left()")


def tap(page, film, cell):
    page.touchscreen.tap(*place_of(page, film, cell))


def begin(page):
    page.touchscreen.tap(5, 5)
    page.clock.run_for(HURRY)


def without_last(film, count):
    """The configuration before the last clicks, of single ones, as shades."""
    one_by_one = replace(film, clicks_done=np.arange(len(film.clicks) + 1), holds=())
    return frames_of(one_by_one)[-1 - count]


@pytest.mark.long
@pytest.mark.parametrize("kind", FILMS)
def test_a_visitor_makes_the_last_clicks_and_wins(exhibit, kind):
    film = FILMS[kind]
    page, last = exhibit(film, motion="no-preference"), shades_in(film, film.last)
    assert said(page) == ""
    frames, samples = [frame.tolist() for frame in frames_of(film)], []
    lines = set()
    for _ in range(int(film.durations().sum() / 0.05) + 10):
        page.clock.run_for(50)
        samples.append(shades(page).tolist())
        assert samples[-1] in frames
        lines.add(said(page))
    assert lines == {"", "Touch the picture to finish it"}  # the first half does not invite
    assert frames[0] in samples[samples.index(frames[-1]) :]  # once more
    begin(page)
    assert scene(page) == "play"
    if film.steps is not None:  # not of the last row alone
        assert len({cell // film.board.columns for cell in left(page)}) > 3
    else:
        assert (shades(page) == without_last(film, CLICKS)).all()
    marked = left(page)
    assert 0 < len(marked) <= CLICKS
    while left(page):
        assert (shades(page) != last).any()
        assert said(page).startswith("Touch the marked lights: ")
        tap(page, film, left(page)[0])
    assert (shades(page) == last).all()
    assert (scene(page), said(page)) == ("won", "Done! You finished the picture.")
    page.clock.run_for(WON)
    assert scene(page) == "attract"
    assert shades(page).tolist() in frames


@pytest.mark.long
def test_a_touch_clicks_both_halves_of_two_films(exhibit):
    beside, options = ["sample:cat", "sample:eye"], {"size": "11x7", "fps": 6, "time_limit": 1e-9}
    film = la.make(["sample:face", "sample:skull"], beside=beside, seed=1, **options)
    page = exhibit(film)
    begin(page)
    marked, touches = left(page), 0
    assert {cell + 11 for cell in marked if cell % 22 < 11} == {c for c in marked if c % 22 >= 11}
    while left(page):
        tap(page, film, left(page)[0])
        touches += 1
    assert touches == len(marked) / 2
    assert (shades(page) == shades_in(film, film.last)).all()
    assert scene(page) == "won"


def test_an_exhibit_leaves_a_thousand_clicks(exhibit):
    film = an_animation(60, 60, duration=1)
    page = exhibit(film, clicks=1000)
    begin(page)
    assert left(page) == sorted(film.clicks[-1000:].tolist())
    page.clock.run_for(HINT)  # The timers started, too.
    assert page.evaluate(f"{ASK}.look()")["hint"] in left(page)


@pytest.mark.long
def test_an_idle_exhibit_hints_and_then_finishes_by_itself(exhibit):
    film = FILMS["clicks"]
    page, last = exhibit(film, motion="no-preference"), shades_in(film, film.last)
    begin(page)
    marked = left(page)
    positions = np.array([divmod(cell, 9) for cell in range(film.board.cells)])
    apart = np.abs(positions[:, None] - positions[marked]).sum(axis=2)  # steps to each marked cell
    unmarked = int(np.argmax(apart.min(axis=1) > 2))
    tap(page, film, unmarked)  # a legal click, which is then to be undone
    assert sorted(left(page)) == sorted([*marked, unmarked])
    assert said(page) == "That light was not marked; touch it again."
    page.clock.run_for(HINT)
    assert page.evaluate(f"{ASK}.look()")["hint"] == unmarked
    assert page.locator("#ring").is_visible()
    tap(page, film, unmarked)
    assert (sorted(left(page)), page.locator("#ring").is_visible()) == (sorted(marked), False)
    page.clock.run_for(IDLE - 1000)
    assert scene(page) == "play"
    page.clock.run_for(1500 + HURRY)
    assert scene(page) == "attract"
    assert (shades(page) == last).all()


@pytest.mark.long
def test_a_near_touch_counts_and_a_double_touch_counts_once(exhibit):
    rng = np.random.default_rng(0)
    clicks = rng.permutation(60 * 80)[:300]
    film = la.animate(la.Board(60, 80), np.zeros((60, 80), bool), [la.Clicks(clicks)], la.Timing())
    page = exhibit(film, 1)
    begin(page)
    (cell,) = left(page)
    x, y = place_of(page, film, cell)
    page.touchscreen.tap(x + 15, y - 15)
    assert scene(page) == "won"
    film = FILMS["clicks"]
    page = exhibit(film)
    begin(page)
    marked = left(page)
    for _ in range(2):
        tap(page, film, marked[0])
    assert left(page) == marked[1:]


@pytest.mark.long
def test_an_exhibit_with_reduced_motion_alternates_pictures(exhibit):
    film = FILMS["clicks"]
    page = exhibit(film, motion="reduce")
    for done in [0, len(film.clicks)] * 2:
        assert page.evaluate(f"{ASK}.clicksDone()") == done
        page.clock.run_for(6000)
    begin(page)
    assert (shades(page) == without_last(film, CLICKS)).all()


@pytest.mark.long
def test_an_exhibit_has_no_controls_and_is_accessible(exhibit):
    page = exhibit(FILMS["clicks"])
    assert page.locator("a, button, input, select, dialog, [tabindex]").count() == 0
    sizes = (PORTRAIT, PHONE, ON_ITS_SIDE, LAPTOP, WINDOW)
    for viewport, playing in product(sizes, (False, True)):
        if playing:
            begin(page)
        # Some browsers do not resize a window that fills the screen.
        page.evaluate("document.fullscreenElement && document.exitFullscreen()")
        page.set_viewport_size(viewport)
        page.clock.run_for(100)
        assert violations(page) == [], viewport
        for part in ("#board", "#line", "h1", ".caption"):
            box = page.locator(part).bounding_box()
            assert min(box["x"], box["y"]) >= 0
            assert box["x"] + box["width"] <= viewport["width"]
            assert box["y"] + box["height"] <= viewport["height"]


def test_an_exhibit_is_proven_byte_by_byte(tmp_path):
    path = tmp_path / "film.html"
    FILMS["steps"].save(path, visitor_clicks=CLICKS, palette="amber", mark="red")
    assert la.verify(path).legal
    path.write_bytes(path.read_bytes().replace(b"</script>", b" </script>"))
    assert "differs" in la.verify(path).reason


def test_exhibit_is_one_page_of_a_film_and_for_html_files_only(ramps, run, refused):
    make = ["make", *ramps, "--size", "9", "--seed", "1", "-o"]
    assert run(*make, "a.html@visitor-clicks=30", "-o", "b.html")[0] == 0
    exhibit, player = Path("a.html").read_text(), Path("b.html").read_text()
    assert ('"exhibit":30' in exhibit, '"exhibit"' in player) == (True, False)
    refused([*make, "c.gif@visitor-clicks=30"], 2, "visitor_clicks .html")
    clicks = ["--show-clicks", "right"]
    # The panel of clicks is for other outputs.
    assert run(*make, "c.html@visitor-clicks=30", "-o", "c.gif", *clicks)[0] == 0
    assert '"show_clicks"' not in Path("c.html").read_text()
    # A page within another is a player.
    framed = player_html(FILMS["clicks"], la.Theme(visitor_clicks=30), framed=True)
    assert 'id="scrub"' in framed


def test_pages_describe_their_film_by_its_alt_text(show, tmp_path, ramps):
    label = Label(alt="A ramp is turned round")
    outputs = la.Outputs(output=tmp_path / "a.json")
    settings = la.Settings(size=9, seed=1)
    la.make_files(ramps, settings, la.Theme(), outputs, label=label)
    film = la.load_animation(tmp_path / "a.json")
    for theme in (la.Theme(), la.Theme(visitor_clicks=3)):
        described = show(film, theme).locator("#board").get_attribute("aria-label")
        assert "A ramp is turned round" in described
