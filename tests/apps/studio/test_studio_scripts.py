"""The studio's page as a whole: its keys, buttons, files and messages, and how it begins."""

import pytest
from tools.studio_pages import FACE, PICTURE


@pytest.fixture
def studio(studio_page):
    return studio_page.open()


def value(studio, name):
    return studio.field(name).input_value()


def test_buttons_undo_and_redo(studio):
    undo, redo = studio.page.locator("#undo"), studio.page.locator("#redo")
    assert (undo.is_disabled(), redo.is_disabled()) == (True, True)
    studio.page.locator("#surprise").click()
    assert undo.is_enabled()
    undo.click()
    assert (undo.is_disabled(), redo.is_enabled()) == (True, True)
    redo.click()
    assert (undo.is_enabled(), redo.is_disabled()) == (True, True)


def test_keys_undo_and_redo(studio):
    studio.set_option("fps", 12)
    studio.set_option("gap", 1)
    for key, gap in (
        ("z", "1"),
        ("Control+Alt+z", "1"),
        ("Control+x", "1"),
        ("Control+z", ""),
        ("Control+Shift+z", "1"),
        ("Meta+z", ""),
        ("Control+y", "1"),
    ):
        studio.page.locator(".frame").first.press(key)
        assert (value(studio, "fps"), value(studio, "gap")) == ("12", gap), key


def test_field_being_written_in_undoes_its_own_letters(studio):
    studio.set_option("fps", 12)
    find = studio.page.locator("#find")
    find.type("x")
    find.press("Control+z")
    assert value(studio, "fps") == "12"
    find.dispatch_event("change")
    find.press("Control+z")
    assert value(studio, "fps") == ""


def test_undo_steps_survive_a_reload(studio):
    studio.set_option("fps", 12)
    studio.set_option("gap", 1)
    studio.page.locator("#undo").click()
    studio.project()
    studio.page.reload()
    studio.page.wait_for_function("document.body.dataset.tab")
    assert studio.page.locator("#redo").is_enabled()
    studio.page.locator("#undo").click()
    assert value(studio, "fps") == ""


def test_page_begins_with_the_pictures_of_the_command_line(studio_page):
    studio = studio_page
    studio.held = {"work", "pictures"}
    studio.page.goto(studio.origin)
    studio.answer(studio.wait("work"), None)
    pictures = [{**FACE, "own": {"invert": True}}]
    studio.answer(studio.wait("pictures"), {"pictures": pictures})
    studio.page.wait_for_function("document.body.dataset.tab")
    assert studio.page.evaluate("document.body.dataset.tab") == "pictures"
    studio.held.clear()
    project = studio.project()
    assert "own" not in project["pictures"][0]
    assert project["looks"]["A"]["own"] == {"a": {"invert": True}}
    assert studio.page.locator("#undo").is_disabled()


def test_page_begins_with_the_film_if_there_is_one(studio):
    assert studio.page.evaluate("document.body.dataset.tab") == "film"


def test_page_without_pictures_welcomes(studio_page):
    studio = studio_page.open(FACE)
    assert studio.page.locator(".welcome").is_hidden()
    studio.page.get_by_role("button", name="Remove face.png").click()
    assert studio.page.locator(".welcome").is_visible()


def test_change_is_sent_when_the_page_is_left(studio):
    studio.project()
    studio.set_option("fps", 12)
    count = studio.count("work")
    studio.page.evaluate("dispatchEvent(new Event('pagehide'))")
    call = studio.wait("work", count + 1)
    assert (call["method"], call["body"]["looks"]["A"]["values"]["fps"]) == ("PUT", 12)


def test_changes_of_another_page_are_shown(studio):
    look = studio.project()["looks"]["A"]
    studio.work = {
        **studio.work,
        "looks": {"A": {**look, "values": {"seed": 3, "fps": 14}}, "B": None},
    }
    count = studio.count("work")
    studio.pass_time(1000)
    studio.wait("work", count + 1)
    studio.page.wait_for_function("document.getElementById('o-fps').value === '14'")


DRAG = """([kind, types]) => {
  const event = new Event(kind, { bubbles: true, cancelable: true });
  Object.assign(event, { dataTransfer: { types, files: [] } });
  const isTaken = !dispatchEvent(event);
  return [isTaken, document.body.classList.contains("over")];
}"""


def test_drag_of_files_over_the_page_is_shown(studio):
    steps = [
        ("dragenter", ["text"], [False, False]),
        ("dragenter", ["Files"], [True, True]),
        ("dragenter", ["Files"], [True, True]),
        ("dragleave", ["Files"], [True, True]),
        ("dragover", ["Files"], [True, True]),
        ("dragleave", ["Files"], [True, False]),
        ("dragenter", ["Files"], [True, True]),
        ("drop", ["Files"], [True, False]),
    ]
    for kind, types, state in steps:
        assert studio.page.evaluate(DRAG, [kind, types]) == state


def drop_names(studio, *names):
    studio.page.evaluate(
        """(names) => {
          const dataTransfer = new DataTransfer();
          for (const name of names) dataTransfer.items.add(new File(["x"], name));
          const event = { dataTransfer, bubbles: true, cancelable: true };
          document.body.dispatchEvent(new DragEvent("drop", event));
        }""",
        names,
    )


def test_dropped_project_is_opened_in_place_of_pictures(studio):
    studio.set_option("fps", 12)
    drop_names(studio, "x.png", "y.Lightsanim")
    studio.held = {"work/file"}
    project = {**studio.project(), "pictures": [PICTURE]}
    studio.requests("work/file")
    drop_names(studio, "x.png", "work.zip")
    call = studio.wait("work/file", 2)
    studio.answer(call, {"work": project}, headers={"ETag": "9"})
    studio.page.wait_for_function("document.querySelectorAll('.card').length === 1")
    assert studio.texts(".name") == ["b.png"]
    assert studio.page.locator("#undo").is_disabled()
    assert not [call for call in studio.requests("pictures") if call["method"] == "POST"]


def test_damaged_project_is_told(studio):
    studio.held = {"work/file"}
    file = {"name": "y.zip", "mimeType": "application/zip", "buffer": b"x"}
    studio.page.set_input_files("#open-file", file)
    studio.answer(studio.wait("work/file"), {"error": "it is damaged"}, 422)
    studio.page.get_by_text("It is damaged.").wait_for()
    assert studio.texts(".name") == ["face.png", "b.png"]


def test_project_is_exported_once_the_server_has_it(studio):
    studio.project()
    studio.set_option("fps", 12)
    studio.held = {"work"}
    count = studio.count("work")
    studio.note_downloads()
    studio.page.locator("#save-work").click()
    put = studio.wait("work", count + 1)
    assert (put["method"], studio.page.evaluate("downloads")) == ("PUT", [])
    studio.answer(put, status=204, headers={"ETag": "6"})
    studio.page.wait_for_function("downloads.length")
    assert studio.page.evaluate("downloads") == [["work/file", ""]]


@pytest.mark.parametrize(
    ("button", "several", "accepted"),
    [
        ("#pictures .pick >> nth=0", True, "image/*,video/*"),
        ("#open-work", False, ".zip,.lightsanim"),
    ],
)
def test_buttons_open_the_choice_of_files(studio, button, several, accepted):
    with studio.page.expect_file_chooser() as chooser:
        studio.page.locator(button).click()
    assert chooser.value.is_multiple() is several
    assert chooser.value.element.get_attribute("accept") == accepted


def test_tabs_choose_a_part_of_a_narrow_page(studio):
    studio.page.set_viewport_size({"width": 390, "height": 844})
    for name, part in (("Options", "#options"), ("Pictures", "#pictures")):
        studio.page.get_by_role("button", name=name, exact=True).click()
        assert studio.page.locator(part).is_visible()
        assert studio.texts("#tabs [aria-current=true]") == [name]
    studio.page.set_viewport_size({"width": 1280, "height": 800})


def test_problem_moves_to_what_it_is_about_and_is_shown_once(studio_page):
    """Two films with the same problem, then one with another."""
    studio = studio_page
    studio.held = {"film"}
    studio.open()
    studio.page.locator("#compare").click()
    studio.pass_time(100)
    studio.wait("film", 2)
    groups = "document.querySelectorAll('#groups details')"
    studio.page.evaluate(f"{groups}.forEach((details) => (details.open = false))")
    calls = studio.requests("film")
    problem = studio.row("settle").locator(".problem")
    for call in calls:
        studio.answer(call, {"error": "cut", "about": "settle"}, 400)
    studio.page.wait_for_selector(".stage:not(.busy) ~ .stage:not(.busy)")
    assert problem.text_content() == "Cut."
    assert problem.evaluate("e => e.closest('.group').open")
    studio.set_option("fps", 12)
    studio.pass_time(100)
    call = studio.wait("film", 3)
    studio.answer(call, {"error": "cut!", "about": "settle"}, 400)
    studio.page.wait_for_selector(".stage:not(.busy) ~ .stage:not(.busy)")
    assert problem.text_content() == "Cut. Cut!"


def test_problem_about_nothing_on_the_page_is_at_the_film(studio):
    studio.held = {"save"}
    studio.page.locator("#start").click()
    error = {"error": "no", "about": "gone", "picture": "gone"}
    studio.answer(studio.wait("save"), error, 400)
    studio.page.get_by_text("No.", exact=True).wait_for()
    assert studio.text("#save-problem") == "No."


def test_parts_have_names_and_messages_have_roles(studio):
    def named(selector, attribute):
        script = "(all, name) => all.map((each) => `${each.id} ${each.getAttribute(name)}`)"
        return studio.page.eval_on_selector_all(selector, script, attribute)

    roles = "body > :not(script)[role], main [role=alert][id], main [role=status][id]"
    assert named(roles, "role") == [
        "gone alert",
        "waiting status",
        "upload-problem alert",
        "film-problem alert",
        "stage status",
        "save-problem alert",
    ]
    assert named("[aria-labelledby$=title]", "aria-labelledby") == [
        "pictures pictures-title",
        "film film-title",
        "save save-title",
        "options options-title",
    ]
    assert named("[id][aria-label]:not(.row *)", "aria-label") == [
        "samples Sample pictures",
        "bar Saved so far",
        "presets Presets",
        "find Find an option",
        "tabs Parts of the studio",
        "pick Pictures",
        "open-file Project file",
    ]


def test_icon_buttons_have_a_name_and_a_hidden_icon(studio):
    button = studio.page.get_by_role("button", name="Remove face.png")
    assert button.get_attribute("title") == "Remove face.png"
    assert button.locator("svg").get_attribute("aria-hidden") == "true"
    assert studio.page.locator("#undo svg, #redo svg, #surprise svg").count() == 3
