"""The films on the studio's page: how they are solved, played, saved, and made elsewhere."""

import pytest
from tools.studio_pages import FACE, PICTURE


@pytest.fixture
def studio(studio_page):
    """A studio that waits for its films."""
    studio_page.held = {"film"}
    return studio_page.open()


def show_film(studio, *, count=1, **facts):
    """Answer the last of some requests for films, and wait until it is shown."""
    call = studio.wait("film", count)
    studio.answer(call, {"film": f"f{count}", "summary": "done", **facts})
    studio.page.wait_for_selector("iframe:not(.coming)", state="attached")
    return call


def films(studio):
    """The bodies of the requests for films."""
    return [call["body"] for call in studio.requests("film")]


def test_film_is_solved_once_nothing_changes_for_a_moment(studio):
    studio.pass_time(99)
    assert studio.count("film") == 0
    studio.pass_time(1)
    body = studio.wait("film")["body"]
    assert (body["slot"], body["draft"], len(body["pictures"])) == ("A", True, 2)
    assert "busy" in studio.page.get_attribute(".stage", "class")


def test_film_is_shown_with_its_summary_and_notes(studio):
    studio.pass_time(100)
    show_film(studio, film="f 1", notes=["n"])
    assert "busy" not in studio.page.get_attribute(".stage", "class")
    assert (studio.text(".summary"), studio.texts(".notes li")) == ("done", ["n"])
    frame = studio.page.locator(".screen iframe")
    names = ("title", "src", "sandbox", "allow")
    assert [frame.get_attribute(name) for name in names] == [
        "Film",
        "films/f%201/player#embedded",
        "allow-scripts",
        "fullscreen",
    ]


def test_change_aborts_a_film_and_solves_the_next_once(studio):
    studio.pass_time(150)
    studio.wait("film")
    with studio.page.expect_event("requestfailed", lambda request: "film" in request.url):
        studio.set_option("fps", 12)
    studio.pass_time(150)
    studio.set_option("fps", 12)
    studio.pass_time(150)
    assert [body["options"].get("fps") for body in films(studio)] == [None, 12]


def test_film_without_pictures_is_not_solved(studio):
    studio.pass_time(99)
    studio.page.get_by_role("button", name="Remove face.png").click()
    studio.pass_time(200)
    assert studio.count("film") == 0
    assert studio.page.locator("#more").is_visible()


def test_film_goes_with_its_pictures(studio):
    studio.pass_time(100)
    show_film(studio)
    studio.page.get_by_role("button", name="Remove face.png").click()
    assert (studio.text(".summary"), studio.frames()) == ("", [])
    assert [
        studio.page.locator(id).is_visible() for id in ("#stages", "#compare", "#save", "#more")
    ] == [
        False,
        False,
        False,
        True,
    ]


def test_unchanged_film_is_not_solved_again(studio):
    studio.pass_time(100)
    show_film(studio)
    studio.page.locator("#formats input").nth(1).click()
    studio.pass_time(200)
    assert studio.count("film") == 1


def test_next_film_loads_behind_the_visible_one(studio):
    studio.pass_time(100)
    show_film(studio)
    studio.set_option("fps", 12)
    studio.pass_time(150)
    studio.answer(studio.wait("film", 2), {"film": "f2", "summary": ""})
    assert studio.frames() == ["f1", "f2"]
    studio.page.wait_for_selector("iframe.coming", state="detached")
    studio.pass_time(99)
    assert studio.frames() == ["f1", "f2"]  # until the new one has painted
    studio.pass_time(1)
    assert studio.frames() == ["f2"]


def told(studio):
    """What the players were told, in the order of the page."""
    frames = [frame for frame in studio.page.frames if "/player" in frame.url]
    return {frame.url.split("/")[-2]: frame.evaluate("told") for frame in frames}


def act(studio, film, did, share):
    """The user does something in a player."""
    [frame] = [frame for frame in studio.page.frames if f"/{film}/player" in frame.url]
    frame.evaluate("([did, share]) => parent.postMessage({ did, share }, '*')", [did, share])
    studio.settle()


def test_film_goes_on_from_the_frame_of_its_draft(studio):
    studio.pass_time(100)
    assert show_film(studio, draft=True)["body"]["draft"] is True
    studio.pass_time(399)
    assert studio.count("film") == 1
    studio.pass_time(1)
    call = studio.wait("film", 2)
    assert "draft" not in call["body"]
    studio.answer(call, {"film": "f2", "summary": ""})
    for _ in range(100):
        if told(studio).get("f2"):
            break
        studio.settle()
    studio.pass_time(200)
    assert told(studio) == {"f2": [{"do": "play", "share": 0.25}]}
    assert studio.frames() == ["f2"]


def test_change_during_a_draft_solves_no_film_of_it(studio):
    studio.pass_time(100)
    show_film(studio, draft=True)
    studio.set_option("fps", 12)
    studio.pass_time(400)
    drafts = [(body.get("draft"), body["options"].get("fps")) for body in films(studio)]
    assert drafts == [(True, None), (True, 12)]


# Slow searches


def test_slow_search_says_how_far_it_is_and_can_be_cancelled(studio_page):
    studio_page.held = {"film", "films"}
    studio = studio_page.open()
    studio.pass_time(100)
    studio.wait("film")
    studio.pass_time(999)
    assert studio.count("films/progress") == 0
    studio.pass_time(1)
    progress = {"stage": "sketch", "share": 0.25, "note": "cells"}
    studio.answer(studio.wait("films/progress"), {"A": progress, "B": {}})
    studio.page.get_by_text("sketch: cells, 25 %, 1 s so far").wait_for()
    studio.pass_time(500)
    progress = {"stage": "sketch", "share": 0.5, "note": ""}
    studio.answer(studio.wait("films/progress", 2), {"A": progress})
    said, button = (
        studio.page.locator(".waits span").first,
        studio.page.locator(".waits button").first,
    )
    studio.page.get_by_text("sketch, 50 %, 2 s so far, about 1 s left").wait_for()
    assert button.text_content() == "Cancel"
    with studio.page.expect_event("requestfailed", lambda request: "film" in request.url):
        button.click()
    assert (said.text_content(), button.text_content()) == ("Cancelled.", "Solve")
    studio.page.wait_for_selector(".stage:not(.busy)")
    studio.pass_time(2000)
    assert (studio.count("film"), said.is_visible()) == (1, True)
    button.click()
    studio.pass_time(100)
    studio.wait("film", 2)
    assert said.is_hidden()


# Failures


def test_problem_of_a_film_is_at_its_option(studio):
    studio.pass_time(100)
    studio.answer(studio.wait("film"), {"error": "too fast", "about": "fps"}, 400)
    studio.row("fps").get_by_text("Too fast.").wait_for(state="attached")
    assert studio.texts(".stage .problem") == ["", ""]


def test_problem_of_a_film_is_at_its_picture(studio):
    studio.pass_time(100)
    studio.answer(studio.wait("film"), {"error": "it is cut", "picture": "b"}, 400)
    studio.page.get_by_text("It is cut.").wait_for()
    assert studio.texts(".card .problem") == ["", "It is cut."]


def test_other_problem_is_at_the_film_and_a_superseded_one_nowhere(studio):
    studio.pass_time(100)
    studio.answer(studio.wait("film"), {}, 409)
    studio.page.wait_for_selector(".stage:not(.busy)")
    assert studio.text(".stage .problem") == ""
    studio.set_option("fps", 12)
    studio.pass_time(100)
    studio.answer(studio.wait("film", 2), "", 500)
    studio.page.get_by_text("The studio answered 500.").wait_for()
    assert studio.text(".stage .problem") == "The studio answered 500."


def test_film_is_solved_again_once_the_server_is_back(studio):
    studio.pass_time(100)
    studio.wait("film")["route"].abort()
    studio.page.locator("#gone").wait_for()
    assert studio.text(".stage .problem") == ""
    studio.page.locator("#again").click()
    studio.page.locator("#gone").wait_for(state="hidden")
    studio.settle()
    studio.pass_time(150)
    studio.wait("film", 2)


# Two looks


def test_each_look_is_solved_with_its_own_options(studio):
    studio.set_option("fps", 12)
    studio.page.locator("#compare").click()
    studio.set_option("fps", 13)
    studio.pass_time(150)
    studio.wait("film", 2)
    slots = [(body["slot"], body["options"]["fps"]) for body in films(studio)]
    assert slots == [("A", 12), ("B", 13)]


def test_looks_are_shown_side_by_side_until_one_is_kept(studio):
    page = studio.page
    stages, letters = page.locator(".stage:visible"), page.locator(".letter")
    assert (stages.count(), page.locator(".slot:visible").count()) == (1, 0)
    page.locator("#compare").click()
    assert stages.count() == 2
    assert page.locator("#compare").is_hidden()
    assert page.get_attribute("#stages", "data-count") == "2"
    assert [each.get_attribute("aria-pressed") for each in letters.all()] == ["false", "true"]
    assert studio.texts(".which") == ["", "options apply to this look"]
    letters.first.click()
    assert studio.texts(".which") == ["options apply to this look", ""]
    page.get_by_role("button", name="Keep only B").click()
    assert (stages.count(), page.locator("#compare").is_visible()) == (1, True)


def test_cards_report_the_film_of_the_edited_look(studio):
    studio.page.locator("#compare").click()
    studio.pass_time(100)
    studio.wait("film", 2)
    report = {"pictures": [{"wrong": 1}, {"wrong": 1}]}
    for call in studio.requests("film"):
        studio.answer(call, {"film": call["body"]["slot"], "summary": "", "report": report})
        studio.page.wait_for_selector(
            f"[data-slot={call['body']['slot']}] iframe", state="attached"
        )
        wrong = [text for text in studio.texts(".state") if "wrong" in text]
        assert bool(wrong) is (call["body"]["slot"] == "B")
    assert studio.page.get_attribute(".stage iframe", "title") == "Film A"


def compare_films(studio):
    """Show the films of two looks."""
    studio.page.locator("#compare").click()
    studio.pass_time(100)
    studio.wait("film", 2)
    for call in studio.requests("film"):
        slot = call["body"]["slot"]
        assert not any(told(studio).values())  # no film starts before both are there
        studio.answer(call, {"film": slot, "summary": ""})
        studio.page.wait_for_selector(f"[data-slot={slot}] iframe:not(.coming)", state="attached")
    studio.settle()


def test_films_of_two_looks_start_together_and_play_in_sync(studio):
    compare_films(studio)
    assert told(studio) == {"A": [{"do": "start"}], "B": [{"do": "start"}]}
    act(studio, "B", "seek", 0.5)
    assert told(studio) == {
        "A": [{"do": "start"}, {"do": "seek", "share": 0.5}],
        "B": [{"do": "start"}],
    }


def test_question_where_a_player_is_does_not_move_the_other(studio):
    compare_films(studio)
    studio.pass_time(2000)
    assert told(studio) == {"A": [{"do": "start"}], "B": [{"do": "start"}]}


def test_film_is_as_high_as_its_controls_need(studio):
    studio.pass_time(100)
    show_film(studio)

    def height(controls):
        [frame] = [frame for frame in studio.page.frames if "/player" in frame.url]
        frame.evaluate("(controls) => parent.postMessage({ controls }, '*')", controls)
        studio.settle()
        style = "e => parseFloat(e.style.getPropertyValue('--film-height'))"
        return studio.page.eval_on_selector(".stage", style)

    studio.type(studio.page.locator("#o-size"), "40")
    # The board is narrower than the window is high, so that its height does not depend on controls.
    studio.page.set_viewport_size({"width": 1000, "height": 1600})
    usual = height(108)
    assert [height(controls) - usual for controls in (58, -5, None)] == [-50, -108, -108]
    assert height(400) == height(999)
    studio.page.set_viewport_size({"width": 1280, "height": 800})


# Saving


def format_box(studio, suffix):
    return studio.page.locator(f"#formats [value='{suffix}']")


def test_formats_have_names_and_descriptions(studio):
    labels = studio.texts("#formats label")
    expected = {"GIFplays anywhere", "C headerLEDs and displays", "SVG sheetfor plotters"}
    assert expected <= set(labels)
    assert [
        box.get_attribute("value") for box in studio.page.locator("#formats :checked").all()
    ] == [".gif"]


def test_chosen_formats_are_counted_and_sheets_replace_each_other(studio):
    start = studio.page.locator("#start")
    for suffix, word in (
        (".png", "Save 2 files"),
        (".mp4", "Save 3 files"),
        (".pdf", "Save 3 files"),
        (".gif", "Save 2 files"),
        (".pdf", "Save"),
    ):
        format_box(studio, suffix).click()
        assert start.text_content() == word
    format_box(studio, ".mp4").click()
    assert start.is_disabled()
    assert studio.page.locator("#undo").is_disabled()


def begin_save(studio, id="s"):
    """Begin to save; returns the request for its events."""
    studio.held |= {"save", "saves"}
    count = studio.count("save")
    studio.page.locator("#start").click()
    call = studio.wait("save", count + 1)
    assert studio.page.locator("#start").is_disabled()
    studio.answer(call, {"save": id})
    events = studio.wait(f"saves/{id}/events")
    return call, events


def file(name, size=9):
    return {"name": name, "url": f"saves/{name}", "bytes": size}


def test_save_shows_its_progress(studio_page):
    studio = studio_page.open(formats=[".gif", ".mp4"])
    call, events = begin_save(studio)
    assert (call["body"]["formats"], len(call["body"]["pictures"])) == ([".gif", ".mp4"], 2)
    assert studio.text("#stage") == "starting"
    progress = {"share": 0.5, "stage": "gif", "note": "cells"}
    studio.send_events(events, ("progress", progress))
    studio.page.get_by_text("gif: cells").wait_for()
    assert studio.page.locator("#bar").evaluate("bar => bar.value") == 0.5


def test_saved_files_are_linked_with_pasted_pictures(studio_page):
    studio = studio_page.open({**FACE, "pasted": True}, PICTURE, formats=[".gif", ".mp4"])
    _, events = begin_save(studio)
    files = [file("x.gif", 999), file("w.gif", 1500000)]
    studio.send_events(events, ("done", {"files": files, "notes": ["small"]}))
    studio.page.locator("#files a").first.wait_for()
    assert studio.texts("#files li") == [
        "x.gif 999 bytes",
        "w.gif 1.5 MB",
        "face.png pasted picture, needed by the command",
        "small",
    ]
    links = "all => all.map((link) => [link.getAttribute('href'), link.download])"
    assert studio.page.eval_on_selector_all("#files a", links)[1:] == [
        ["saves/w.gif", "w.gif"],
        ["pictures/a/file", "face.png"],
    ]
    assert studio.page.evaluate("document.activeElement.textContent") == "x.gif"
    assert studio.page.locator("#progress").is_hidden()
    assert studio.page.locator("#start").is_enabled()


def test_single_file_is_downloaded_at_once(studio_page):
    studio = studio_page.open()
    _, events = begin_save(studio)
    studio.note_downloads()
    studio.send_events(events, ("done", {"files": [file("x.gif")]}))
    studio.page.wait_for_function("downloads.length")
    assert studio.page.evaluate("downloads") == [["saves/x.gif", "x.gif"]]
    assert studio.texts("#files li") == ["x.gif 9 bytes"]


def test_refused_save_is_told_at_its_option_until_the_next(studio):
    studio.held |= {"save", "saves"}
    studio.page.locator("#start").click()
    error = {"error": "it is large", "about": "max_bytes"}
    studio.answer(studio.wait("save"), error, 400)
    problem = studio.row("max_bytes").locator(".problem")
    studio.page.wait_for_function(
        "document.querySelector('[data-name=max_bytes] .problem').textContent"
    )
    assert problem.text_content() == "It is large."
    assert problem.evaluate("e => e.closest('.more').open && e.closest('.group').open")
    studio.page.locator("#start").click()
    assert problem.text_content() == ""


def test_failed_save_is_told_beside_the_button(studio_page):
    studio = studio_page.open()
    _, events = begin_save(studio)
    studio.send_events(events, ("failed", {"error": "it is cut", "about": None}))
    studio.page.get_by_text("It is cut.").wait_for()
    assert studio.text("#save-problem") == "It is cut."
    assert studio.page.locator("#start").is_enabled()


def test_cancelled_save_is_no_failure(studio_page):
    studio = studio_page.open()
    begin_save(studio)
    studio.page.locator("#cancel").click()
    call = studio.wait("saves/s")
    assert call["method"] == "DELETE"
    studio.answer(call, status=204)
    studio.page.locator("#progress").wait_for(state="hidden")
    assert (studio.text("#save-problem"), studio.page.locator("#start").is_enabled()) == ("", True)


def test_save_whose_studio_is_gone_has_failed(studio_page):
    studio = studio_page.open()
    _, events = begin_save(studio)
    events["route"].fulfill(status=404, body="")  # which closes the stream
    studio.page.get_by_text("The studio no longer responds.").wait_for()


def test_save_goes_on_after_a_reload(studio_page):
    studio = studio_page.open()
    begin_save(studio)
    studio.open()
    studio.wait("saves/s/events", 2)
    assert studio.page.locator("#progress").is_visible()
    assert studio.page.locator("#start").is_disabled()


# The command and the code


def is_stale(studio):
    return "stale" in (studio.page.get_attribute("#words", "class") or "")


def test_snippets_follow_the_film(studio_page):
    studio_page.held = {"words"}
    studio = studio_page.open(formats=[])
    studio.pass_time(149)
    assert (is_stale(studio), studio.count("words")) == (True, 0)
    studio.pass_time(1)
    call = studio.wait("words")
    assert call["body"]["formats"] == [".gif"]
    studio.answer(call, {"command": "make a  b", "python": "import", "manifest": "[x]"})
    studio.page.wait_for_selector("#words:not(.stale)")
    assert studio.texts("#command span") == ["make", "a", "b"]
    texts = [studio.text(id) for id in ("#command", "#python", "#manifest")]
    assert texts == ["make a  b", "import", "[x]"]
    studio.set_option("fps", 12)
    assert is_stale(studio)
    studio.page.locator("#undo").click()
    assert not is_stale(studio)
    studio.pass_time(150)
    assert studio.count("words") == 1


def test_snippets_are_copied_or_else_selected(studio):
    button = studio.page.locator("[data-copies=command]")
    studio.page.evaluate("document.getElementById('command').textContent = 'make'")
    button.click()
    studio.settle()
    assert button.text_content() == "Selected"
    assert studio.page.evaluate("String(getSelection())") == "make"
    studio.pass_time(1999)
    assert button.text_content() == "Selected"
    studio.pass_time(1)
    assert button.text_content() == "Copy"
    studio.page.evaluate(
        """() => {
          window.copied = [];
          const writeText = async (text) => copied.push(text);
          Object.defineProperty(navigator, "clipboard", { value: { writeText } });
        }"""
    )
    button.click()
    studio.settle()
    assert (button.text_content(), studio.page.evaluate("copied")) == ("Copied", ["make"])
