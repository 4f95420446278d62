"""The page of the studio in a real browser, with the real server."""

import json
import re
import shlex
from contextlib import ExitStack

import pytest
from PIL import Image
from tools import program
from tools.browsers import drop
from tools.clips import clip, curtain
from tools.photographs import photograph
from tools.players import LAPTOP, PHONE, assert_everyone_can_use, in_all_windows, until, violations
from tools.studios import studio as begun

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

pytestmark = pytest.mark.long


@pytest.fixture
def studio():
    """Starts a studio."""
    with ExitStack() as stack:
        yield lambda *words: stack.enter_context(begun(*words))


@pytest.fixture
def empty(studio, pages):
    """Opens the studio with no picture, or with some."""

    def empty(*words, allowed=(), **options):
        address, options = studio(*words).address, {"viewport": LAPTOP, **options}
        return pages.open(address, allowed=(address, *allowed), **options)

    return empty


@pytest.fixture
def look(empty, pages, photographs):
    """Opens the studio with two photographs; at the end nothing may have gone wrong on the page."""
    opened_pages = []

    def look(*words, **options):
        opened_pages.append(empty(*(words or photographs), reduced_motion="reduce", **options))
        until(opened_pages[-1], "document.querySelectorAll('#options .row').length > 30")
        return opened_pages[-1]

    yield look
    for page in opened_pages:
        assert page.locator(".problem:not(:empty), #gone:visible").count() == 0
    # What is overtaken is refused, what is asked for offline fails; the browser says so itself.
    network_messages = re.compile("the server responded with|ERR_INTERNET_DISCONNECTED")
    assert [
        complaint for complaint in pages.leave() if not network_messages.search(complaint)
    ] == []


def film_is_there(page, command):
    """The film that a command makes is shown, its targets too."""
    until(page, f"/{command}/.test(document.getElementById('command').textContent)")
    until(page, "document.querySelector('.screen iframe:not(.coming)')")
    until(page, "!document.querySelector('.busy')")
    # What is not drawn yet has the size of every new canvas.
    until(page, "[...document.querySelectorAll('.target')].every((canvas) => canvas.width !== 300)")
    return page.text_content("#command")


TARGETS = "[...document.querySelectorAll('.target')].map((canvas) => canvas.toDataURL())"


def targets(page):
    return page.evaluate(TARGETS)


def test_dropped_pictures_saved_equal_the_command_output(
    empty, pages, photographs, tmp_path, monkeypatch
):
    page = empty()
    drop(page, photographs)
    page.wait_for_selector("#options .row")
    page.fill("#o-size", "18")
    page.press("#o-size", "Enter")
    page.locator(".row[data-name=dither] label", has_text="atkinson").click()
    command = film_is_there(page, "size 18.*atkinson|atkinson.*size 18")
    sizes = "[...document.querySelectorAll('.target')].map((c) => `${c.width}x${c.height}`)"
    # The cat's shape: 451 x 300.  Targets are drawn as they come, perhaps after the film.
    until(page, f"{sizes}.join() === '18x12,18x12'")
    with page.expect_download() as download:
        page.press("#start", "Enter")
    saved = tmp_path / "saved.gif"
    download.value.save_as(saved)
    assert pages.leave() == []

    monkeypatch.chdir(photographs[0].parent)
    words = [tmp_path / word if word.endswith(".gif") else word for word in shlex.split(command)]
    assert program.run(*words[1:]).returncode == 0
    [file] = [path for path in tmp_path.glob("*.gif") if path != saved]
    assert file.read_bytes() == saved.read_bytes()


def test_drag_and_zoom_set_the_crop_and_are_undone(look):
    page = look()
    plain_command, plain_targets = film_is_there(page, "make"), targets(page)
    page.press("[aria-label='Zoom into cat.png']", "Enter")
    box = page.locator(".frame").first.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 2000, y - 2000, steps=3)
    page.mouse.up()
    # A twelfth goes on each side, and all of it on the left and above.
    film_is_there(page, "cat.png@crop=16.67%,16.67%,100%,100% ")
    page.reload()  # which undo outlives
    film_is_there(page, "crop=")
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    assert film_is_there(page, "make(?!.*crop)") == plain_command
    until(page, "document.querySelector('#undo:disabled')")
    expected = json.dumps(plain_targets, separators=(",", ":"))
    until(page, f"JSON.stringify({TARGETS}) === '{expected}'")
    page.focus(".frame")
    page.keyboard.press("+")
    film_is_there(page, "crop=4.55%,4.55%,95.45%,95.45%")  # a tenth closer


def test_work_survives_reload_and_reopening_its_file(look, tmp_path):
    page = look()
    page.locator(".row[data-name=palette] label", has_text="amber").click()
    page.focus(".grip")
    page.keyboard.press("ArrowRight")
    page.click("#compare")
    page.locator(".row[data-name=shape] label", has_text="circle").click()
    command = film_is_there(page, "coffee.*cat.*circle")
    with page.expect_download() as download:
        page.click("#save-work")
    work = tmp_path / "work.zip"
    download.value.save_as(work)
    page.reload()
    assert film_is_there(page, "circle") == command
    assert page.locator(".stage:visible").count() == 2
    page.locator(".slot:visible").get_by_text("Keep only A").click()
    film_is_there(page, "^(?!.*circle).*amber")
    page.set_input_files("#open-file", work)
    assert film_is_there(page, "circle") == command


def test_save_survives_a_sleeping_phone_and_reload(look):
    page, events = look(viewport=PHONE), "**/saves/*/events"
    film_is_there(page, "make")
    page.locator("#tabs button[value=save]").click()
    page.route(events, lambda route: None)  # no save ends before the page is left
    with page.expect_request(events):
        page.press("#start", "Enter")
    with page.expect_request(events):
        page.reload()
    until(page, "document.querySelector('#start:disabled')")
    page.locator("#tabs button[value=save]").click()
    with page.expect_response("**/saves/*") as answer:
        page.click("#cancel")
    assert (answer.value.request.method, answer.value.status) == ("DELETE", 204)
    until(page, "document.querySelector('#progress[hidden]')")

    with page.expect_request(events):
        page.press("#start", "Enter")
    for is_asleep in (True, False):
        page.context.set_offline(is_asleep)
    page.route(events, lambda route: route.continue_())  # the newest route is the one that is taken
    with page.expect_download() as download, page.expect_request(events):
        page.reload()
    with Image.open(download.value.path()) as film:
        assert film.is_animated
    assert download.value.suggested_filename == "cat-coffee.gif"
    until(page, "document.querySelector('#progress[hidden]')")
    page.reload()
    film_is_there(page, "make")
    until(page, "document.querySelector('#start:enabled')")


# Of what is on the page, and the board that plays.
LARGEST = """
(board) => {
  const things = "img, canvas, .frame, .card, button, input, pre";
  const seen = [...document.querySelectorAll(things)];
  const areas = seen.filter((each) => each.checkVisibility()).map((each) => {
    const { width, height } = each.getBoundingClientRect();
    return width * height;
  });
  return Math.max(...areas) < board.width * board.height;
}
"""


@pytest.mark.parametrize("count", [2, 6])
@pytest.mark.parametrize("window", [{"width": 1440, "height": 900}, PHONE])
def test_film_is_largest_and_whole_on_the_first_screen(look, photographs, count, window):
    page = look(*(photographs * 3)[:count], viewport=window)
    film_is_there(page, "make")
    for columns, rows in ((60, 60), (60, 80), (30, 90)):
        for name, side in (("#o-size", columns), ("[aria-label=rows]", rows)):
            set_value(page, name, side)
        film_is_there(page, f"--size {columns}x{rows}")
        until(page, f"document.querySelector('.summary').textContent.includes('{columns}x{rows} ')")
        until(page, "document.querySelectorAll('.screen iframe').length === 1")
        film = page.locator(".screen iframe")
        board = film.content_frame.locator("#board").bounding_box()
        assert page.evaluate(LARGEST, board), (columns, rows)
        box = film.bounding_box()
        assert min(box["x"], box["y"]) >= 0
        assert box["x"] + box["width"] <= window["width"]
        assert box["y"] + box["height"] <= window["height"]
        assert abs(board["width"] / board["height"] - columns / rows) < 0.02


def set_value(page, field, value):
    page.evaluate(
        """([field, value]) => {
          const input = document.querySelector(field);
          input.value = value;
          for (const name of ["input", "change"])
            input.dispatchEvent(new Event(name, { bubbles: true }));
        }""",
        [field, value],
    )


def test_empty_studio_offers_samples_and_the_maker(empty, pages):
    page = empty(allowed=("blob:",))
    assert_everyone_can_use(page)
    page.get_by_role("link", name="the maker").press("Enter")
    page.get_by_role("status").get_by_text("move of Lights Out").wait_for()
    with page.expect_download() as download:
        page.get_by_role("button", name="Web page").press("Enter")
    assert download.value.suggested_filename == "face to cat.html"
    page.get_by_role("link", name="The studio").press("Enter")
    page.get_by_text("Drop two pictures here").wait_for()
    page.get_by_label("Start with eye and moon").click()
    film_is_there(page, "make sample:eye sample:moon")
    assert pages.leave() == []


def test_a_clip_alone_is_a_film_between_start_and_end(look, tmp_path):
    page = look(clip(tmp_path / "curtain.mp4", curtain(20)))
    film_is_there(page, "make curtain.mp4 -o curtain.gif --seed")
    assert page.text_content("[data-name=order] .off") == "not with a single clip"
    until(page, "[...document.querySelectorAll('.frames img')].every((img) => img.naturalWidth)")
    box, end = page.locator(".frames").bounding_box(), page.locator("[data-option=end]")
    page.mouse.move(box["x"] + box["width"], box["y"] + 10)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 10, steps=4)
    page.mouse.up()
    assert float(end.input_value()) == pytest.approx(1, abs=0.1)
    assert violations(page, "{ iframes: false }") == []
    film_is_there(page, f"--end {float(end.input_value()):g}|@end=")
    set_value(page, "[data-option=start]", 1.9)  # not beyond the end
    start = float(page.locator("[data-option=start]").input_value())
    assert 0 < start < float(end.input_value())
    set_value(page, "[data-option=start]", 0)
    film_is_there(page, "^(?!.*start)")
    old_targets, image = targets(page), page.locator(".frame img").first
    page.fill("#find", "start")
    page.fill("#o-start", "0.5")
    page.press("#o-start", "Enter")
    film_is_there(page, "--start 0.5")
    until(page, f"JSON.stringify({TARGETS}) !== '{json.dumps(old_targets, separators=(',', ':'))}'")
    until(page, "document.querySelector('.frame img').src.includes('?at=0.5&')")
    assert image.evaluate("(image) => image.decode().then(() => image.naturalWidth)") == 32


def test_two_pages_share_their_work(look, pages):
    page = look()
    film_is_there(page, "make")
    second = page.context.new_page()
    second.goto(page.url)
    film_is_there(second, "make")
    second.locator(".row[data-name=palette] label", has_text="amber").click()
    film_is_there(page, "amber")
    with page.expect_response(lambda answer: answer.request.method == "PUT"):
        page.click("#undo")
    film_is_there(second, "^(?!.*amber)")
    with second.expect_response(lambda answer: answer.request.method == "PUT"):
        second.get_by_role("button", name="Remove").first.press("Enter")
    until(page, "document.querySelectorAll('.card').length === 1")
    page.click("#undo")  # its picture is still held
    film_is_there(page, "make coffee.jpg cat.png|make cat.png coffee.jpg")
    # Both change the work before they know of each other.
    second.route("**/work", lambda route: route.request.method == "PUT" or route.continue_())
    with second.expect_request(lambda request: request.method == "PUT"):
        second.locator(".row[data-name=shape] label", has_text="circle").click()
    page.locator(".row[data-name=palette] label", has_text="rose").click()
    second.unroute_all()  # which lets them go
    for one_page in (page, second):
        film_is_there(one_page, "^(?=.*palette rose)(?=.*shape circle)")
    second.close()


def test_everyone_can_use_it(look):
    page = look()
    film_is_there(page, "make")
    for where in in_all_windows(page):
        for tab in page.locator("#tabs button:visible").all() or [page.locator("h1")]:
            tab.click()
            page.evaluate("document.querySelectorAll('details').forEach((d) => (d.open = true))")
            assert violations(page, "{ iframes: false }") == [], where
            until(page, "document.documentElement.scrollWidth <= innerWidth")


def test_frame_shows_part_that_keeps_a_head(look, photographs, tmp_path):
    Image.fromarray(photograph("astronaut")).save(tmp_path / "astronaut.png")
    page = look(photographs[0], tmp_path / "astronaut.png")
    assert "crop" not in film_is_there(page, "make")
    # The board is 3 to 2, the photograph square.  Its hair begins at 1%; the middle at 17%.
    top = "document.querySelectorAll('.frame')[1].querySelector('img').style.top"
    until(page, f"-parseFloat({top}) < 5")
