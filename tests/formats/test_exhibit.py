"""The page for exhibits: it plays alone, leaves the last clicks to visitors, and is proven too."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from tools.films import an_animation
from tools.players import (
    ASK,
    LAPTOP,
    PHONE,
    WINDOW,
    a_film_of_levels,
    frames_of,
    place_of,
    said,
    shades,
    shades_in,
    violations,
)

import lightsanim as la
from lightsanim.animation.clicks import PackedSteps
from lightsanim.formats.page import player_html

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
    film = la.animate(la.Board(60, 80), np.zeros((60, 80), bool), [(clicks, None)], la.Timing())
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


def test_exhibit_options_are_equal_and_for_html_files_only(tmp_path, ramps, run, refused):
    make = ["make", *ramps, "--size", "9", "--seed", "1"]
    run(*make, "-o", "a.html", "--exhibit")
    run(*make, "-o", "b.html", "--visitor-clicks", "30")
    page = (tmp_path / "a.html").read_bytes()
    assert page == (tmp_path / "b.html").read_bytes()
    assert b'"exhibit":30' in page
    exhibit = [*make, "--exhibit", "-o"]
    refused([*exhibit, "c.gif"], 2, "exhibit .html")
    refused([*exhibit, "c.html", "--show-clicks", "right"], 2, "exhibit show_clicks")
    # A page within another is a player.
    framed = player_html(FILMS["clicks"], la.Theme(exhibit=True), framed=True)
    assert 'id="scrub"' in framed
