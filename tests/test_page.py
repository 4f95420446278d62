"""The page in a real browser: Debian's headless Chromium, driven by Playwright."""

import numpy as np
import pytest
from films import an_animation
from players import (
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
)

from lightsanim.animation.animate import animate
from lightsanim.animation.boards import lights_of, shades_of
from lightsanim.animation.order import order_clicks
from lightsanim.board.board import Board
from lightsanim.formats.page import player_html, write_html
from lightsanim.look.theme import Theme
from lightsanim.options.table import Timing

# The film


@pytest.mark.parametrize(
    "animation",
    [
        pytest.param(an_animation(7, 5, wrap=True, duration=0.5), marks=pytest.mark.long),
        pytest.param(a_coloured_animation(duration=0.5), marks=pytest.mark.long),
        a_film_of_levels(5, 3, clicks=20),
    ],
    ids=["wrapped", "coloured", "levels"],
)
def test_it_plays_to_exactly_the_last_configuration(show, animation):
    page = show(animation, motion="no-preference")
    page.keyboard.press("l")  # once only
    page.locator("#speed").select_option(index=5)
    until(page, f"!{ASK}.look().playing")
    assert np.array_equal(shades(page), shades_in(animation, animation.last))
    assert clicks_done(page) == len(animation.clicks)
    assert_shown(page, animation)


def test_scrubbing_shows_every_frame_exactly_both_ways(show):
    rng, board = np.random.default_rng(3), Board(8, 6)
    moves = [(order_clicks(rng.random(board.shape) < 0.5, "random", rng), None) for _ in range(3)]
    first = rng.random(board.shape) < 0.5
    # Round a torus of two rows a click raises the cell below twice.
    for animation in (
        animate(board, first, moves, Timing(clicks_per_frame=5)),
        a_film_of_levels(5, 3, rows=2, columns=7, clicks=20, wrap=True),
    ):
        theme = Theme(palette="sunset")  # middle levels have colours of their own
        page, frames = show(animation, theme), frames_of(animation)
        for frame in [0, 5, 3, len(frames) - 1, 1]:
            scrub_to(page, animation.clicks_done[frame])
            assert np.array_equal(shades(page), frames[frame])
            assert_shown(page, animation, theme)


def test_frames_come_when_they_should(show):
    animation = an_animation(10, 10, duration=1, hold_first=0.3, hold_last=0.3)
    page = show(animation, scale=1.5)  # a page of its own, as its clock goes by hand
    starts = np.cumsum([0, *animation.durations()])
    stop_clock(page)
    page.keyboard.press(" ")
    done, expected = [], []
    for _ in range(12):
        page.clock.run_for(90)
        time, clicks = page.evaluate(f"[{ASK}.look().time, {ASK}.clicksDone()]")
        shown = np.searchsorted(starts, time, side="right") - 1
        done.append(clicks)
        expected.append(int(animation.clicks_done[shown]))
    assert done == expected
    assert time == pytest.approx(12 * 0.09, abs=0.05)
    assert len(set(done)) > 5


@pytest.mark.long
def test_a_film_plays_as_often_as_it_says_and_as_fast_as_one_likes(show):
    timing = {"duration": 0.2, "hold_first": 1.0, "hold_last": 0.1}
    animation = an_animation(4, 4, **timing, loop=1)
    page = show(animation, motion="no-preference")
    until(page, f"!{ASK}.look().playing")
    assert clicks_done(page) == len(animation.clicks)
    page.get_by_role("button", name="Play").click()
    until(page, f"{ASK}.clicksDone() === 0")
    page = show(an_animation(4, 4, **timing), motion="no-preference")
    page.keyboard.press("+")
    until(page, f"{ASK}.clicksDone() > 3")
    until(page, f"{ASK}.clicksDone() === 0")
    until(page, f"{ASK}.clicksDone() > 3")
    assert look(page)["speed"] == 2


def test_keys_play_step_and_jump(show):
    animation = an_animation(8, 8)
    page, clicks = show(animation), len(animation.clicks)
    assert not look(page)["playing"]  # motion is reduced
    for key, done in [
        ("ArrowRight", 1),
        ("Shift+ArrowRight", 11),
        ("ArrowLeft", 10),
        ("End", clicks),
        ("ArrowRight", clicks),
        ("Home", 0),
        ("ArrowLeft", 0),
    ]:
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


def test_in_full_screen_the_film_is_alone(show):
    page = show(an_animation(20, 60))
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
@pytest.mark.parametrize("scale", [1.5, 3])
def test_cells_are_whole_pixels_of_the_theme_at_any_size(show, scale):
    animation = an_animation(13, 21)
    theme = Theme(lit="gold", unlit="navy", background="red")
    page = show(animation, theme, viewport=PHONE, scale=scale)
    scrub_to(page, 20)
    assert_shown(page, animation, theme)
    page.set_viewport_size({"width": 500, "height": 400})
    page.wait_for_timeout(100)
    width, shown = page.evaluate("[board.width, board.getBoundingClientRect().width]")
    assert shown * scale == pytest.approx(width, abs=0.5)
    pixels = pixels_of(page, "#board")[..., :3] @ np.array([1 << 16, 1 << 8, 1])
    assert set(np.unique(pixels)) == {0xFFD700, 0x000080, 0xFF0000}


def test_shapes_leave_the_background_in_the_corners(show):
    animation, theme = an_animation(), Theme(shape="rounded", background="red")
    page = show(animation, theme)
    page.keyboard.press("End")
    assert_shown(page, animation, theme)
    gap = look(page)["gap"]
    assert pixels_of(page, "#board")[gap, gap].tolist() == [255, 0, 0, 255]
    view = look(show(animation, Theme(cell=10, gap=10)))
    assert view["gap"] / view["pitch"] == pytest.approx(0.5, abs=0.02)


def test_transparent_colours_let_the_page_show_through_and_back(show):
    look = {"lit": "#ff000080", "unlit": "none", "background": "none", "shape": "rounded"}
    animation = an_animation(clicks_per_frame=3)
    page = show(animation, Theme(**look, mark="blue"))
    whole = pixels_of(page, "#board")
    assert set(at_centres(page, animation)[:, 3].tolist()) == {0, 128}
    for clicks in [9, 4, 0]:
        scrub_to(page, clicks)
        alpha = at_centres(page, animation)[:, 3]
        dotted = alpha == 255
        assert np.array_equal(alpha[~dotted], 128 * shades(page)[~dotted])
    assert np.array_equal(pixels_of(page, "#board"), whole)  # cell by cell as all at once


def test_cells_just_clicked_are_marked(show):
    animation, theme = an_animation(clicks_per_frame=3), Theme(mark="red")
    page = show(animation, theme)
    for clicks, marked in [(6, slice(3, 6)), (5, slice(3, 5)), (0, slice(0, 0))]:
        scrub_to(page, clicks)
        red = (at_centres(page, animation) == [255, 0, 0, 255]).all(axis=1)
        assert set(np.flatnonzero(red)) == set(animation.clicks[marked])


@pytest.mark.parametrize(("rows", "columns"), [(90, 2), (3, 3000)])
def test_boards_of_any_shape_fit_the_window(show, rows, columns):
    page = show(an_animation(rows, columns))
    box = page.locator("#board").bounding_box()
    assert 0 < box["width"] <= WINDOW["width"]
    assert 0 < box["height"] <= WINDOW["height"]
    assert page.evaluate("document.documentElement.scrollWidth") <= WINDOW["width"]


def test_names_are_text_and_never_markup(show):
    names = ("<b>&\"'</script>", "<!--<script>alert(1)")
    page = show(an_animation(pictures=names))
    assert page.locator("h1").text_content() == " → ".join(names)
    assert page.title() == " → ".join(names)
    assert page.locator("b").count() == 1  # the page's own, which counts the clicks
    page = show(player_html(an_animation(), Theme(), title="</title><script>&amp;"))
    assert page.locator("h1").text_content() == "</title><script>&amp;"
    assert "\udcff" not in player_html(an_animation(pictures=("\udcff", "b")), Theme())


def test_a_page_of_60_x_60_cells_weighs_less_than_42_kilobytes(tmp_path):
    animation = an_animation(60, 60)
    assert 1750 < len(animation.clicks) < 1850
    write_html(animation, tmp_path / "a.html", Theme(), lambda: None)
    assert (tmp_path / "a.html").stat().st_size < 42_000


# The game


@pytest.fixture
def game(show):
    """A page on which one plays from the 5th click on, and its animation."""
    animation = an_animation(wrap=True)
    page = show(animation)
    scrub_to(page, 5)
    page.get_by_role("switch", name="Play it yourself").click()
    return page, animation


def test_pointing_shows_and_a_click_flips_a_neighbourhood(game):
    page, animation = game
    before = shades(page)
    for cell in (0, 22):
        flipped = animation.board.neighbourhood(*divmod(cell, 9)).ravel()
        page.mouse.move(*place_of(page, animation, cell))
        assert np.array_equal(at_centres(page, animation, "#marks")[:, 3] > 0, flipped)
        click(page, animation, cell)
        assert np.array_equal(shades(page) != before, flipped)
        assert_shown(page, animation)
        click(page, animation, cell)
        assert np.array_equal(shades(page), before)


def test_the_keyboard_plays_the_game_and_leads_back_to_the_film(game):
    page, animation = game
    before = shades(page)
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Shift+ArrowLeft")
    assert look(page)["cursor"] == 18  # from the middle (3, 4) to (2, 0)
    page.keyboard.press("Enter")
    flipped = animation.board.neighbourhood(2, 0).ravel()
    assert np.array_equal(shades(page) != before, flipped)
    assert "row 3, column 1" in page.locator("#board").get_attribute("aria-label")
    page.keyboard.press(" ")
    assert np.array_equal(shades(page), before)
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    assert np.array_equal(shades(page), frames_of(animation)[5])  # where one left
    page.keyboard.press("End")
    assert np.array_equal(shades(page), shades_of(animation.last).ravel())
    page.keyboard.press("g")  # at its end one plays from its beginning
    assert clicks_done(page) == 0
    assert len(remaining(page)) == len(animation.clicks)


@pytest.mark.parametrize(
    ("rule", "wrap"), [("cross", True), ("ring", False), ("1100000/0000000/0000001", False)]
)
def test_the_page_plays_and_explains_other_rules(show, rule, wrap):
    animation = an_animation(6, 7, rule=rule, wrap=wrap)
    page = show(animation)
    page.keyboard.press("End")
    assert np.array_equal(shades(page), shades_of(animation.last).ravel())
    page.keyboard.press("g")
    before = shades(page)
    click(page, animation, 8)
    flipped = animation.board.neighbourhood(1, 1).ravel()
    assert np.array_equal(shades(page) != before, flipped)
    assert f"a click flips {animation.board.says}." in page.locator(".caption").text_content()


def test_the_goal_is_the_last_configuration_and_what_remains_leads_there(game):
    page, animation = game
    last = shades_of(animation.last).ravel()
    assert np.array_equal(page.evaluate(f"{ASK}.goal()"), last)
    assert [cell for cell, _ in remaining(page)] == animation.clicks[5:].tolist()
    pressed = [int(animation.clicks[9]), int(animation.clicks[0])]
    for cell in pressed:
        click(page, animation, cell)
    assert {c for c, _ in remaining(page)} == set(animation.clicks[5:].tolist()) ^ set(pressed)
    assert page.locator("#differing").text_content() == str((shades(page) != last).sum())
    assert page.locator("#made").text_content() == "2"


def test_undo_and_restart(game):
    page, animation = game
    looks = [shades(page)]
    for cell in (3, 30, 3):
        click(page, animation, cell)
        looks.append(shades(page))
    page.keyboard.press("Control+z")
    assert np.array_equal(shades(page), looks[2])
    page.get_by_role("button", name="Undo").click()
    assert np.array_equal(shades(page), looks[1])
    click(page, animation, 17)
    page.get_by_role("button", name="Restart").click()
    assert np.array_equal(shades(page), looks[0])
    click(page, animation, 17)
    page.keyboard.press("r")
    assert np.array_equal(shades(page), looks[0])
    assert page.get_by_role("button", name="Undo").is_disabled()
    assert_shown(page, animation)


def test_following_the_hints_ends_at_the_goal(show):
    animation = an_animation(3, 3)
    page = show(animation)
    page.keyboard.press("g")
    for _ in animation.clicks:
        page.get_by_role("button", name="Hint").click()
        hint = look(page)["hint"]
        assert hint in [cell for cell, _ in remaining(page)]
        assert said(page) == f"Click row {hint // 3 + 1}, column {hint % 3 + 1}."
        ring, (x, y) = page.locator("#ring").bounding_box(), place_of(page, animation, hint)
        assert ring["x"] + ring["width"] / 2 == pytest.approx(x, abs=3)
        assert ring["y"] + ring["height"] / 2 == pytest.approx(y, abs=3)
        click(page, animation, hint)
        assert not page.locator("#ring").is_visible()
    assert np.array_equal(shades(page), shades_of(animation.last).ravel())
    assert said(page) == f"Solved in {len(animation.clicks)} clicks. Well done."
    assert page.get_by_role("button", name="Hint").is_disabled()


def test_finish_ends_at_the_goal_and_is_one_step_to_undo(show):
    animation = an_animation(20, 20)
    page = show(animation)
    scrub_to(page, 50)
    page.keyboard.press("g")
    click(page, animation, 7)
    before = shades(page)
    page.get_by_role("button", name="Finish it for me").click()
    until(page, f"!{ASK}.look().ticking && {ASK}.made() > 1")
    assert np.array_equal(shades(page), shades_of(animation.last).ravel())
    assert_shown(page, animation)
    assert "The goal" in said(page)
    page.keyboard.press("u")
    assert np.array_equal(shades(page), before)


def test_a_film_that_comes_back_has_the_other_picture_as_its_goal(show):
    animation = an_animation()
    there = (animation.clicks, None)
    round_trip = animate(animation.board, animation.first, [there, there], Timing())
    page = show(round_trip)
    page.keyboard.press("g")
    assert np.array_equal(page.evaluate(f"{ASK}.goal()"), shades_of(animation.last).ravel())


def test_a_finger_plays_the_cell_that_it_lets_go_of(show):
    animation = an_animation()
    page = show(animation, viewport=PHONE, touch=True)
    page.locator("#switch").tap()
    before = shades(page)
    page.touchscreen.tap(*place_of(page, animation, 22))
    flipped = animation.board.neighbourhood(2, 4).ravel()
    assert np.array_equal(shades(page) != before, flipped)
    assert look(page)["pointed"] is None


def test_in_colour_one_chooses_the_primaries_of_a_click(show):
    animation = a_coloured_animation()
    page = show(animation)
    page.keyboard.press("g")
    before, plus = shades(page), animation.board.neighbourhood(2, 3).ravel()
    click(page, animation, 17)
    assert np.array_equal(shades(page) ^ before, 7 * plus)
    page.get_by_role("button", name="red").click()
    page.keyboard.press("2")
    click(page, animation, 17)
    assert np.array_equal(shades(page) ^ before, 3 * plus)
    page.get_by_role("button", name="blue").click()  # the last one stays
    assert page.get_by_role("button", name="blue").get_attribute("aria-pressed") == "true"
    assert_shown(page, animation)
    page.get_by_role("button", name="Hint").click()
    cell, boards = remaining(page)[0]
    assert said(page).count(" and ") == boards.bit_count() - 1
    click(page, animation, cell)
    assert cell not in [c for c, _ in remaining(page)]
    page.get_by_role("button", name="Finish it for me").click()
    until(page, f"!{ASK}.look().ticking && {ASK}.made() > 3")
    assert np.array_equal(shades(page), shades_of(animation.last).ravel())
    assert_shown(page, animation)


# The game of more levels


@LEVELS
def test_a_click_raises_the_lights_and_undo_lowers_them(show, levels, boards):
    animation = a_film_of_levels(levels, boards)
    page = show(animation)
    page.keyboard.press("g")
    looks, before = [shades(page)], remaining(page)
    raised = animation.board.neighbourhood(2, 1)
    for _ in range(levels):
        lights = lights_of(looks[-1].reshape(animation.board.shape), boards, levels)
        click(page, animation, 9)
        looks.append(shades(page))
        assert np.array_equal(looks[-1], shades_of((lights + raised) % levels, levels).ravel())
    assert np.array_equal(looks[-1], looks[0])
    assert sorted(remaining(page)) == sorted(before)
    assert_shown(page, animation)
    for look_before in looks[-2::-1]:
        page.keyboard.press("u")
        assert np.array_equal(shades(page), look_before)
    assert page.get_by_role("button", name="Undo").is_disabled()
    page.get_by_role("button", name="Finish it for me").click()
    until(page, f"!{ASK}.look().ticking && {ASK}.made() > 0")
    assert np.array_equal(shades(page), shades_in(animation, animation.last))
    page.keyboard.press("u")
    assert np.array_equal(shades(page), looks[0])


@pytest.mark.long
@LEVELS
def test_hints_of_levels_say_how_often_and_lead_to_the_goal(show, levels, boards):
    animation = a_film_of_levels(levels, boards, rows=3, columns=2, clicks=8)
    page, goal = show(animation, viewport=LAPTOP), shades_in(animation, animation.last)
    page.keyboard.press("g")
    words = ["", "", " twice", " three times", " four times", " five times", " six times"]
    while not said(page).startswith("Solved"):
        left = remaining(page)
        page.keyboard.press("h")
        hint, times = said(page), left.count(left[0])
        row, column = divmod(left[0][0], 2)
        often = f"Click row {row + 1}, column {column + 1}{words[times]}"
        assert hint == f"{often}." if boards == 1 else hint.startswith(f"{often} in ")
        for _ in range(times):
            page.keyboard.press("Enter")
        assert len(remaining(page)) == len(left) - times
    assert np.array_equal(shades(page), goal)


def test_a_page_of_levels_says_what_a_click_does_and_how_bright_a_cell_is(show):
    animation = a_film_of_levels(5)
    page = show(animation)
    says = "a click raises a cell and its neighbours by one level, and from the brightest to dark."
    assert says in page.locator(".caption").text_content()
    assert " cells of 5 levels · " in page.locator(".facts").text_content()
    page.keyboard.press("g")
    label = page.locator("#board").get_attribute("aria-label")
    assert f"row 3, column 3, level {frames_of(animation)[0][10]} of 4. " in label
    page = show(a_film_of_levels(5, 3))
    page.keyboard.press("g")
    red, green, blue = lights_of(shades(page).reshape(5, 4), 3, 5)[:, 2, 2]
    label = page.locator("#board").get_attribute("aria-label")
    assert f"red {red}, green {green}, blue {blue} of 4. " in label
    red = page.get_by_role("button", name="red").evaluate("e => e.style.cssText")
    assert "#f21919" in red  # as bright as red can be


def test_a_notebook_shows_the_player_in_a_frame(show):
    animation = an_animation(pictures=('"><b>sun', "moon"))
    page = show(f"<!doctype html><body>{animation._repr_html_()}</body>")
    frame = page.frame_locator("iframe")
    frame.locator("canvas").first.wait_for()
    assert '"><b>sun' in frame.locator("h1").inner_text()
