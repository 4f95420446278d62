"""The pictures on the studio's page: their cards, frames and targets, and how they are added."""

import pytest
from tools.browsers import drop
from tools.studio_pages import CLIP, FACE, PICTURE, png


@pytest.fixture
def studio(studio_page):
    return studio_page.open()


def names(studio):
    return studio.texts(".name")


def card(studio, index=0):
    return studio.page.locator(".card").nth(index)


def answer_target(studio, call, part="0,0,100,100"):
    studio.answer(call, png(), headers={"X-Part": part})


def test_cards_have_names_and_named_tools(studio_page):
    studio = studio_page.open(FACE, CLIP)
    assert names(studio) == ["face.png", "dance.mp4"]
    labelled = ".frame, .target, .card button"
    labels = "all => all.slice(0, 8).map((each) => each.getAttribute('aria-label'))"
    assert studio.page.eval_on_selector_all(labelled, labels) == [
        "Move face.png: drag, or use the arrow keys",
        "Remove face.png",
        "Visible part of face.png: arrow keys move it, plus and minus zoom, 0 resets it",
        "Target of face.png",
        "Zoom out of face.png",
        "Zoom into face.png",
        "Reset the view of face.png",
        "Move dance.mp4: drag, or use the arrow keys",
    ]
    assert card(studio, 1).locator("img").first.get_attribute("src") == "pictures/clip/thumb"


def test_card_shows_target_and_size_of_board(studio_page):
    studio = studio_page.open({**CLIP, "seconds": 1.234})
    [call] = studio.targets()
    studio.settle()
    assert (call["body"]["index"], call["body"]["wrong"]) == (0, False)
    studio.page.wait_for_function("document.querySelector('.target').width === 20")
    assert studio.text(".state") == "clip of 1.23 s, 20 \u00d7 16 cells"


def test_slow_target_looks_busy_and_overtaken_one_is_requested_again(studio_page):
    studio_page.held = {"target"}
    studio = studio_page.open(FACE)
    studio.pass_time(299)
    assert "busy" not in card(studio).get_attribute("class")
    studio.pass_time(1)
    assert "busy" in card(studio).get_attribute("class")
    studio.answer(studio.targets()[0], {}, 409)
    studio.page.wait_for_function("!document.querySelector('.card.busy')")
    assert studio.count("target") == 1
    studio.pass_time(200)
    studio.wait("target", 2)


def test_problem_of_a_target_is_at_its_picture_until_solved(studio_page):
    studio_page.held = {"target"}
    studio = studio_page.open(CLIP)
    studio.answer(studio.wait("target"), {"error": "it is large"}, 400)
    studio.page.get_by_text("It is large.").wait_for()
    assert studio.text(".card .problem") == "It is large."
    studio.set_option("detail", 2)
    answer_target(studio, studio.wait("target", 2))
    studio.page.wait_for_function("!document.querySelector('.card .problem').textContent")


def test_problem_of_an_option_is_at_the_option(studio_page):
    studio_page.held = {"target"}
    studio = studio_page.open(FACE)
    studio.answer(studio.wait("target"), {"error": "no", "about": "size"}, 400)
    studio.row("size").get_by_text("No.", exact=True).wait_for()
    assert studio.text(".card .problem") == ""


def test_targets_are_requested_only_if_they_change(studio):
    studio.page.wait_for_function("document.querySelector('.target').width === 20")
    studio.settle()
    studio.page.locator("#formats input").nth(1).click()
    studio.settle()
    assert len(studio.targets()) == 2


def test_switch_shows_wrong_cells(studio):
    switch = studio.page.locator("#wrong")
    switch.click()
    studio.wait("target", 4)
    assert [call["body"]["wrong"] for call in studio.targets()] == [False, False, True, True]
    assert switch.get_attribute("aria-checked") == "true"
    switch.click()
    assert switch.get_attribute("aria-checked") == "false"


def test_switch_lays_next_picture_over_each(studio):
    def overlays():
        images = studio.page.locator(".frame .other").all()
        return [image.get_attribute("src") for image in images if image.is_visible()]

    assert overlays() == []
    studio.page.locator("#shine").click()
    assert overlays() == ["pictures/b/thumb", "pictures/a/thumb"]
    studio.page.locator("#shine").click()
    assert overlays() == []


def own_of_clip(studio):
    return studio.project()["looks"]["A"]["own"].get("clip", {})


def test_strip_of_a_clip_sets_its_start_and_end(studio_page):
    studio = studio_page.open(CLIP, FACE)
    start, end = studio.page.locator(".strip input").all()
    assert (studio.text(".strip > span"), start.get_attribute("aria-label")) == (
        "0 to 10 s",
        "Start of dance.mp4",
    )
    second = studio.page.locator(".strip img").nth(1).get_attribute("data-src")
    assert second.startswith("pictures/clip/thumb?at=1.88&page=")
    assert second.endswith("&strip=1")
    for handle, seconds, text, on_top, own in (
        (start, 4, "4 to 10 s", "0", {"start": 4}),
        (end, 2, "4 to 4.1 s", "0", {"start": 4, "end": 4.1}),
        (end, 5.123, "4 to 5.12 s", "0", {"start": 4, "end": 5.12}),
        (start, 9, "5.02 to 5.12 s", "1", {"start": 5.02, "end": 5.12}),
        (start, 0, "0 to 5.12 s", "0", {"end": 5.12}),
        (end, 10, "0 to 10 s", "0", {}),
    ):
        studio.type(handle, seconds, "input")
        assert studio.text(".strip > span") == text
        assert start.evaluate("e => e.style.zIndex") == on_top
        assert own_of_clip(studio) == own


def test_end_of_one_clip_can_differ_from_that_of_all(studio_page):
    studio = studio_page.open(CLIP, FACE, values={"end": 5})
    assert studio.text(".strip > span") == "0 to 5 s"
    studio.type(studio.page.locator(".strip input").nth(1), 10, "input")
    assert own_of_clip(studio) == {"end": 10}


def test_clip_reduced_to_a_frame_has_no_strip(studio_page):
    studio = studio_page.open(CLIP, FACE, own={"clip": {"at": 1}})
    assert studio.page.locator(".strip").is_hidden()
    source = studio.page.locator(".frame img").first.get_attribute("src")
    assert source.startswith("pictures/clip/thumb?at=1&page=")


IN_FRAME = """(image) => {
  const { objectFit, width, height, left, top } = image.style;
  const { touchAction } = image.closest(".frame").style;
  return [objectFit, ...[width, height, left, top].map(parseFloat), touchAction];
}"""


@pytest.mark.parametrize(
    ("values", "view", "laid"),
    [
        ({"size": "20x20"}, None, ["fill", 133.333, 100, -16.6667, 0, "pan-y"]),
        ({"size": "20x20", "fit": "contain"}, None, ["contain", 100, 100, 0, 0, "pan-y"]),
        (
            {"size": "40x30"},
            {"x": 0.75, "y": 0.5, "zoom": 2},
            ["fill", 200, 200, -100, -50, "none"],
        ),
    ],
)
def test_frame_shows_part_of_its_picture(studio_page, values, view, laid):
    studio = studio_page.open({**FACE, "view": view}, PICTURE, values=values)
    [fit, *places, touch] = studio.page.locator(".frame img").first.evaluate(IN_FRAME)
    assert (fit, touch) == (laid[0], laid[-1])
    assert places == pytest.approx(laid[1:-1])


def test_gestures_go_on_from_the_part_that_the_server_chose(studio_page):
    studio_page.target_headers = {"X-Part": "50,50,100,100"}
    studio = studio_page.open(FACE, own={"a": {"focus": "face"}})
    image = "document.querySelector('.frame img').style"
    studio.page.wait_for_function(f"{image}.width === '200%' && {image}.left === '-100%'")
    studio.page.locator(".frame").press("+")
    project = studio.project()
    assert project["pictures"][0]["view"] == pytest.approx({"x": 0.75, "y": 0.75, "zoom": 2.2})
    assert project["looks"]["A"]["own"] == {"a": {}}


def test_buttons_zoom(studio):
    def zoom():
        view = studio.project()["pictures"][0]["view"]
        return view and round(view["zoom"], 2)

    zooms = []
    for name in ("Zoom into", "Zoom into", "Zoom out of", "Reset the view of"):
        studio.page.get_by_role("button", name=f"{name} face.png").click()
        zooms.append(zoom())
    assert zooms == [1.2, 1.44, 1.2, None]


def test_keys_on_a_grip_change_the_order(studio):
    grip = studio.page.get_by_role("button", name="Move face.png: drag, or use the arrow keys")
    orders = []
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp", "x"):
        grip.press(key)
        orders.append(names(studio)[0])
        assert grip.evaluate("e => e === document.activeElement")
    assert orders == ["b.png", "b.png", "face.png", "b.png", "face.png", "face.png"]


def test_dragging_a_grip_changes_the_order(studio):
    boxes = [card(studio, index).bounding_box() for index in (0, 1)]
    grip = studio.page.locator(".grip").first.bounding_box()
    mouse = studio.page.mouse
    mouse.move(grip["x"] + 5, grip["y"] + 5)
    mouse.down()
    assert "moved" in card(studio).get_attribute("class")
    mouse.move(boxes[1]["x"] + 20, boxes[1]["y"] + boxes[1]["height"] - 5)
    assert names(studio) == ["b.png", "face.png"]
    mouse.up()
    assert studio.page.locator(".moved").count() == 0


def test_removed_picture_leaves_the_focus_at_add(studio):
    studio.page.get_by_role("button", name="Remove face.png").click()
    assert names(studio) == ["b.png"]
    assert studio.page.evaluate("document.activeElement.textContent") == "Add"


def fail_first_image(studio):
    studio.held = {"pictures"}
    studio.page.locator(".card img").first.dispatch_event("error")
    return studio.wait("pictures/a/thumb", 2)


def test_picture_that_the_studio_lost_is_removed_without_undo(studio):
    studio.page.locator(".card img").first.evaluate("(image) => image.decode()")
    studio.answer(fail_first_image(studio), {}, 404)
    lost = "face.png was removed from the studio; add it again."
    studio.page.get_by_text(lost).wait_for()
    assert names(studio) == ["b.png"]
    assert studio.page.locator("#undo").is_disabled()


@pytest.mark.parametrize("answered", [True, False])
def test_picture_whose_image_fails_otherwise_is_kept(studio, answered):
    studio.page.locator(".card img").first.evaluate("(image) => image.decode()")
    call = fail_first_image(studio)
    if answered:
        studio.answer(call, {})
    else:
        call["route"].abort()
    studio.settle()
    assert names(studio) == ["face.png", "b.png"]
    assert studio.text("#upload-problem") == ""


PASTE = """(files) => {
  const clipboardData = new DataTransfer();
  for (const [name, type] of files) clipboardData.items.add(new File(["x"], name, { type }));
  const event = { clipboardData, bubbles: true, cancelable: true };
  return !window.dispatchEvent(new ClipboardEvent("paste", event));
}"""


def uploads(studio):
    return [call for call in studio.requests("pictures") if call["method"] == "POST"]


def test_pasted_pictures_are_uploaded_one_by_one(studio):
    studio.held = {"pictures"}
    files = [["x.png", ""], ["image.png", "image/jpeg"], ["", ""]]
    assert studio.page.evaluate(PASTE, files) is True
    told = []
    for number, id in enumerate("pqr", 1):
        studio.wait("pictures", number)
        told.append((studio.text("#waiting"), uploads(studio)[-1]["query"]))
        studio.answer(uploads(studio)[-1], {**FACE, "id": id, "name": id})
    assert told == [
        ("Reading x.png, 1 of 3 …", "name=x.png"),
        ("Reading image.png, 2 of 3 …", "name=pasted.jpg"),
        ("Reading a picture, 3 of 3 …", "name=pasted-2.png"),
    ]
    studio.page.locator(".name", has_text="r").wait_for()
    assert (studio.text("#waiting"), names(studio)[2:]) == ("", ["p", "q", "r"])
    assert [picture.get("pasted") for picture in studio.project()["pictures"]][2:] == [True] * 3
    studio.page.locator("#undo").click()
    assert names(studio) == ["face.png", "b.png"]


def test_paste_without_files_is_left_to_the_browser(studio):
    assert studio.page.evaluate(PASTE, []) is False


def test_refused_files_do_not_keep_good_ones_out(studio, tmp_path):
    studio.held = {"pictures"}
    files = [tmp_path / name for name in ("a b.png", "c.png", "d.png")]
    for file in files:
        file.write_bytes(b"x")
    drop(studio.page, files)
    studio.answer(studio.wait("pictures"), {"error": "a b.png is empty"}, 422)
    studio.wait("pictures", 2)["route"].abort()
    studio.answer(studio.wait("pictures", 3), {**FACE, "id": "d", "name": "d.png"})
    studio.page.locator(".name", has_text="d.png").wait_for()
    assert uploads(studio)[0]["query"] == "name=a b.png"
    assert studio.text("#upload-problem") == "A b.png is empty. c.png could not be uploaded."
    assert studio.page.locator("#gone").is_hidden()


def test_chosen_file_can_be_chosen_again_after_a_refusal(studio):
    studio.held = {"pictures"}
    file = {"name": "image.png", "mimeType": "image/png", "buffer": b"x"}
    for number, (status, content) in enumerate(((422, {"error": "no"}), (200, PICTURE)), 1):
        studio.page.set_input_files("#pick", file)
        call = studio.wait("pictures", number)
        assert studio.page.evaluate("document.getElementById('pick').files.length") == 0
        assert studio.text("#waiting") == "Reading image.png …"
        studio.answer(call, {**content, "id": "s", "name": "s.png"}, status)
        studio.page.wait_for_function("!document.getElementById('waiting').textContent")
    assert studio.text("#upload-problem") == ""
    assert names(studio) == ["face.png", "b.png", "s.png"]


def test_samples_are_offered_in_pairs(studio):
    labels = "all => all.map((button) => button.getAttribute('aria-label'))"
    assert studio.page.eval_on_selector_all("#samples button", labels) == [
        "Start with face and skull",
        "Start with eye and moon",
        "Start with cat and knight",
    ]


@pytest.mark.parametrize(
    ("counts", "texts"),
    [
        ([1200, 0], ["1,200 wrong cells", "no wrong cells"]),
        ([1], ["1 wrong cell", ""]),
    ],
)
def test_cards_show_wrong_cells_of_the_film(studio_page, counts, texts):
    studio_page.held = {"target"}
    studio_page.films = {"report": {"pictures": [{"wrong": count} for count in counts]}}
    studio = studio_page.open()
    studio.pass_time(100)
    studio.page.wait_for_function("document.querySelector('.state').textContent")
    assert studio.texts(".state") == texts
