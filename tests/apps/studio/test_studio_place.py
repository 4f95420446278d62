"""What is seen of the studio's page stays after Back and a reload."""

import pytest
from tools.players import LAPTOP, PHONE
from tools.studio_pages import CLIP, FACE, PICTURE


def reload(studio):
    studio.page.reload()
    studio.page.wait_for_function("document.body.dataset.tab")
    studio.settle()


def go_away_and_back(studio):
    studio.page.goto("about:blank")
    studio.page.go_back()
    studio.page.wait_for_function("document.body.dataset.tab")
    studio.settle()


@pytest.fixture(params=[reload, go_away_and_back])
def leave(request):
    """Leaves the page, and shows it again."""
    return request.param


def scrolls(studio):
    return studio.page.evaluate(
        """() => ["html", "#options", "#pictures"]
          .map((panel) => document.querySelector(panel).scrollTop)"""
    )


def test_page_and_its_panels_stay_scrolled(studio_page, leave):
    pictures = [{**FACE, "id": f"p{number}"} for number in range(8)]
    studio = studio_page.open(*pictures)
    studio.page.evaluate(
        """() => {
          for (const [panel, top] of [["html", 150], ["#options", 700], ["#pictures", 300]])
            document.querySelector(panel).scrollTop = top;
        }"""
    )
    studio.project()
    before = scrolls(studio)
    assert min(before) > 50
    leave(studio)
    studio.page.wait_for_function(f"document.documentElement.scrollTop === {before[0]}")
    assert scrolls(studio) == before


def test_scrolled_page_is_left_alone_once_the_user_scrolls(studio_page):
    studio = studio_page.open()
    studio.page.evaluate("document.querySelector('#options').scrollTop = 700")
    studio.project()
    reload(studio)
    studio.page.wait_for_function("document.querySelector('#options').scrollTop === 700")
    studio.page.mouse.move(LAPTOP["width"] - 200, 300)
    studio.page.mouse.wheel(0, -300)
    studio.page.wait_for_function("document.querySelector('#options').scrollTop < 700")
    studio.page.evaluate("document.getElementById('presets').append('x')")  # which grows
    studio.page.screenshot()  # the page has been laid out again
    assert scrolls(studio)[1] < 700


def test_open_groups_search_and_switches_stay(studio_page, leave):
    studio = studio_page.open()
    page = studio.page

    def state():
        opened = "all => all.filter((d) => d.open).map((d) => d.textContent.slice(0, 20))"
        checked = [page.get_attribute(id, "aria-checked") for id in ("#shine", "#wrong")]
        found = page.locator(".row:visible").count()
        return (
            page.eval_on_selector_all("details", opened),
            checked,
            page.input_value("#find"),
            found,
        )

    page.locator(".group[data-name=Timing] > summary").click()
    page.locator(".group[data-name=Board] > summary").click()
    page.get_by_text("Python", exact=True).click()
    page.locator("#shine").click()
    closed = state()
    page.fill("#find", "speed")
    searched = state()
    studio.project()
    leave(studio)
    assert state() == searched
    page.fill("#find", "")
    assert state() == closed


def test_options_of_the_same_picture_stay(studio_page, leave):
    studio = studio_page.open(own={"b": {"detail": 2}})
    studio.page.locator("#groups .scopes button").nth(2).click()
    studio.project()
    leave(studio)
    assert studio.texts("#groups .scopes [aria-pressed=true]") == ["b.png"]
    assert studio.field("detail").input_value() == "2"


def test_same_part_of_a_narrow_page_stays(studio_page, leave):
    studio = studio_page.open()
    studio.page.set_viewport_size(PHONE)
    studio.page.get_by_role("button", name="Options", exact=True).click()
    studio.page.evaluate("scrollTo(0, 900)")
    studio.project()
    leave(studio)
    assert studio.texts("#tabs [aria-current=true]") == ["Options"]
    studio.page.wait_for_function("document.documentElement.scrollTop === 900")
    studio.page.set_viewport_size(LAPTOP)


def test_pictures_are_shown_if_there_is_no_film_any_more(studio_page):
    studio = studio_page.open()
    studio.page.evaluate("dispatchEvent(new Event('pagehide'))")
    studio.open(FACE)
    assert studio.page.evaluate("document.body.dataset.tab") == "pictures"


def told(studio):
    frames = [frame for frame in studio.page.frames if "/player" in frame.url]
    return [message for frame in frames for message in frame.evaluate("told")]


def show_film(studio):
    studio.pass_time(100)
    studio.page.wait_for_selector("iframe:not(.coming)", state="attached")
    studio.settle()


def test_same_film_goes_on_where_it_was(studio_page, leave):
    studio = studio_page.open()
    show_film(studio)
    studio.pass_time(1000)  # in which the player is asked where it is
    leave(studio)
    assert told(studio) == []
    show_film(studio)
    assert told(studio) == [{"do": "play", "share": 0.25}]


def test_other_film_starts_anew(studio_page):
    studio = studio_page.open()
    show_film(studio)
    studio.pass_time(1000)
    studio.page.evaluate("dispatchEvent(new Event('pagehide'))")
    studio.open(FACE, PICTURE, CLIP)
    show_film(studio)
    assert told(studio) == []


def test_both_films_of_two_looks_go_on(studio_page):
    studio = studio_page.open()
    studio.page.locator("#compare").click()
    show_film(studio)
    studio.page.wait_for_selector("[data-slot=B] iframe:not(.coming)", state="attached")
    studio.settle()
    assert told(studio) == [{"do": "start"}, {"do": "start"}]
    studio.pass_time(1000)
    reload(studio)
    show_film(studio)
    studio.page.wait_for_selector("[data-slot=B] iframe:not(.coming)", state="attached")
    studio.settle()
    assert told(studio) == [{"do": "start", "share": 0}] * 2
