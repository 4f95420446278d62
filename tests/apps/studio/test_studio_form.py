"""The form of options on the studio's page, its controls and presets."""

import math

import pytest
from tools.studio_pages import CLIP, FACE, PICTURE


@pytest.fixture
def form(studio_page):
    return studio_page.open()


def values(form):
    return form.project()["looks"]["A"]["values"]


def is_set(form, name):
    return "set" in form.row(name).get_attribute("class").split()


def open_groups(form):
    return form.page.eval_on_selector_all(".group[open]", "all => all.map((d) => d.dataset.name)")


def visible_rows(form, names):
    """Which of some rows the search leaves."""
    rows = form.page.eval_on_selector_all(
        ".row:not([hidden])", "all => all.map((row) => row.dataset.name)"
    )
    return [name for name in rows if name in names.split()]


def test_groups_are_in_order_and_the_first_are_open(form):
    names = ["Board", "Picture", "Clips", "Look", "Clicks", "Timing", "Output", "Solve"]
    assert form.texts("#groups h3") == names
    assert open_groups(form) == ["Board", "Picture", "Look"]


def test_rare_options_are_under_more_and_crop_is_not_in_form(form):
    assert form.page.locator(".more [data-name=perfect]").count() == 1
    assert form.page.locator(".more [data-name=size]").count() == 0
    assert form.row("crop").count() == 0


def test_options_have_labels_and_help(form):
    assert form.page.get_by_label("fps", exact=True).get_attribute("id") == "o-fps"
    assert form.field("fps").get_attribute("aria-describedby") == "o-fps-help"
    assert form.page.get_by_role("switch", name="wrap", include_hidden=True).count() == 1
    help_text = "Number of brightness levels of a cell."
    assert form.text("#o-levels-help") == help_text
    assert "Default: 25, or the first clip's" in form.text("#o-fps-help")


def test_set_options_are_marked_counted_and_reset(form):
    form.set_option("fps", 12)
    form.set_option("loop", 2)
    assert (is_set(form, "fps"), form.text("[data-name=Timing] .count")) == (True, "2 set")
    form.page.get_by_role("button", name="Reset fps", include_hidden=True).evaluate(
        "e => e.click()"
    )
    assert (is_set(form, "fps"), form.text("[data-name=Timing] .count")) == (False, "1 set")
    assert form.row("fps").locator(".reset").evaluate("e => e.hidden")
    assert values(form) == {"seed": 3, "loop": 2}


def test_option_that_does_not_fit_says_why_and_is_inert(studio_page):
    form = studio_page.open(values={"transition": "dissolve"})
    assert form.text("[data-name=order] .off") == "not with dissolve"
    assert form.row("order").locator("fieldset").evaluate("e => e.inert")
    assert form.text("[data-name=gap] .off") == ""
    assert not form.row("gap").locator(".amount").evaluate("e => e.inert")


def scope_buttons(form):
    return form.page.locator("#groups .scopes button")


def test_options_of_one_picture_are_set_for_it_alone(form):
    scopes, detail = scope_buttons(form), form.field("detail")
    assert scopes.all_text_contents() == ["All pictures", "face.png", "b.png"]
    scopes.nth(1).click()
    assert scopes.nth(1).get_attribute("aria-pressed") == "true"
    assert scopes.nth(1).evaluate("e => e === document.activeElement")
    form.type(detail, 2)
    form.set_option("fps", 12)
    assert detail.input_value() == "2"
    scopes.nth(2).click()
    assert (detail.input_value(), is_set(form, "detail")) == ("", False)
    looks = form.project()["looks"]["A"]
    assert looks == {"values": {"seed": 3, "fps": 12}, "own": {"a": {"detail": 2}}}
    scopes.nth(1).click()
    form.row("detail").locator(".reset").evaluate("e => e.click()")
    assert form.project()["looks"]["A"]["own"] == {"a": {}}


def test_form_is_for_all_pictures_again_once_its_picture_is_gone(form):
    scope_buttons(form).nth(1).click()
    form.page.get_by_role("button", name="Remove face.png").click()
    assert scope_buttons(form).nth(0).get_attribute("aria-pressed") == "true"
    assert scope_buttons(form).all_text_contents() == ["All pictures", "b.png"]
    form.set_option("detail", 2)
    assert values(form)["detail"] == 2


@pytest.mark.parametrize(("own", "shown"), [({}, None), ({"b": {"focus": "face"}}, "face")])
def test_focus_of_all_is_shown_only_if_they_share_it(studio_page, own, shown):
    form = studio_page.open(own={"a": {"focus": "face"}, **own})
    assert is_set(form, "focus") is (shown is not None)
    checked = form.row("focus").locator("label", has=form.page.locator("input:checked"))
    assert checked.text_content() == (shown or "middle")


SPEEDS = "fps duration focus gap loop seed"


def test_search_leaves_matching_options_in_open_groups(form):
    for words, names in (
        ("speed", "fps duration"),
        ("length", "duration"),
        ("crop", "focus"),
        ("grid", "gap"),
        ("repeat", "seed loop"),
        ("nothing at all", ""),
    ):
        form.page.fill("#find", words)
        assert visible_rows(form, SPEEDS) == names.split()
        assert form.row("fps").evaluate("row => row.closest('details').open")
        assert form.page.locator("#nothing").is_visible() is (not names)


def test_search_for_options_of_clips_alone_finds_none_for_stills(studio_page):
    form = studio_page.open()
    form.page.fill("#find", "music")
    assert form.page.locator("#nothing").is_visible()
    form = studio_page.open(CLIP, formats=[".mp4"])
    form.page.fill("#find", "music")
    assert visible_rows(form, "mute fps") == ["mute"]
    assert form.page.locator("#nothing").is_hidden()


def test_groups_are_as_before_once_the_search_ends(form):
    before = open_groups(form)
    form.page.fill("#find", "speed")
    assert "Timing" in open_groups(form)
    form.page.fill("#find", "")
    assert open_groups(form) == before
    assert visible_rows(form, SPEEDS) == ["focus", "gap", "seed", "fps", "duration", "loop"]


def preset_targets(form):
    return [call for call in form.requests("target") if call["body"].get("slot") == "preset"]


def pressed_presets(form):
    pressed = "#presets [aria-pressed=true]"
    return form.page.eval_on_selector_all(pressed, "all => all.map(({ value }) => value)")


def test_preset_is_pressed_while_it_is_set(form):
    assert len(form.texts("#presets button")) == 11
    assert (form.texts("#presets button")[0], pressed_presets(form)) == ("plain", [""])
    form.page.get_by_role("button", name="poster").click()
    assert pressed_presets(form) == ["poster"]
    assert values(form) == {"seed": 3, "levels": 3, "dither": "threshold", "detail": 2}
    form.set_option("detail", 1)
    assert pressed_presets(form) == []


def test_presets_are_drawn_one_by_one_once_nothing_changes(studio_page):
    own = {"a": {"focus": "face", "detail": 1}}
    studio_page.held = {"target"}
    form = studio_page.open(values={"fps": 12}, own=own)
    form.pass_time(1150)
    assert not preset_targets(form)
    while not preset_targets(form):  # what is urgent keeps presets waiting, but not for ever
        form.pass_time(300)
    [first] = preset_targets(form)
    assert first["body"]["options"] == {"seed": 3, "fps": 12}
    assert first["body"]["pictures"] == [
        {"id": "a", "own": {"focus": "face"}},
        {"id": "b", "own": {}},
    ]
    form.answer(first, b"", 500)
    form.pass_time(500)
    assert len(preset_targets(form)) == 1  # what cannot be drawn now is not drawn
    form.set_option("fps", 13)
    form.pass_time(4500)
    form.answer(preset_targets(form)[-1], {"error": "no"}, 400)
    form.pass_time(200)  # what does not suit the picture is left out
    options = {"rgb": True, "levels": 3, "dither": "search", "detail": 0.8}
    assert preset_targets(form)[-1]["body"]["options"] == {"seed": 3, "fps": 13, **options}


def test_change_stops_presets_after_the_one_being_drawn(studio_page):
    studio_page.held = {"target"}
    form = studio_page.open()
    form.pass_time(4500)
    form.set_option("fps", 12)
    [first] = preset_targets(form)
    form.answer(first, b"", 400)
    form.pass_time(1000)
    assert len(preset_targets(form)) == 1
    form.pass_time(4500)
    fps = [call["body"]["options"].get("fps") for call in preset_targets(form)]
    assert fps == [None, 12]


# Controls


def test_number_has_a_field_and_a_slider(form):
    field, slider = form.field("detail"), form.row("detail").locator("[type=range]")
    assert (field.input_value(), slider.input_value()) == ("", "1.5")
    assert slider.get_attribute("aria-label") == "detail, slider"
    form.type(slider, 2.34, "input")
    assert (field.input_value(), slider.input_value()) == ("2.3", "2.3")
    form.type(field, "", "input")
    assert is_set(form, "detail")  # the user has not left the field
    form.type(field, "", "change")
    assert not is_set(form, "detail")
    facts = "({ min, max, step, placeholder }) => [min, max, step, placeholder]"
    assert field.evaluate(facts) == ["0", "1000", "any", "auto"]


def test_slider_from_a_part_to_its_inverse_has_one_in_the_middle(form):
    slider = form.row("gamma").locator("[type=range]")
    assert slider.input_value() == "0"
    form.type(slider, math.log(2), "input")
    assert form.field("gamma").input_value() == "2"
    share = slider.evaluate("e => e.style.getPropertyValue('--share')")
    assert float(share) == pytest.approx(0.75)


def test_flag_is_a_switch(form):
    switch = form.row("wrap").locator("[role=switch]")
    for checked in ("false", "true"):
        assert switch.get_attribute("aria-checked") == checked
        switch.evaluate("e => e.click()")
    assert not is_set(form, "wrap")


def test_choices_are_radio_buttons(form):
    labels = {
        "ending": ["stay", "cycle", "boomerang"],
        "dither": ["auto", "floyd-steinberg", "atkinson"],
        "levels": ["2", "3", "5"],
        "canvas": ["none", "square", "portrait"],
    }
    for name, texts in labels.items():
        assert form.texts(f"[data-name={name}] label")[:3] == texts
    stay, cycle = form.row("ending").locator("input").all()[:2]
    assert stay.is_checked()
    cycle.evaluate("e => e.click()")
    assert (cycle.is_checked(), values(form)["ending"]) == (True, "cycle")
    stay.evaluate("e => e.click()")
    assert (stay.is_checked(), is_set(form, "ending")) == (True, False)


def test_text_with_usual_values_has_tiles_and_a_field(studio_page):
    form = studio_page.open(FACE)
    row = form.row("focus")
    middle, face, _auto, field = row.locator("input").all()
    assert form.texts("[data-name=focus] label") == ["focus", "middle", "face", "auto"]
    assert (middle.is_checked(), field.get_attribute("placeholder")) == (True, "other")
    row.locator("label", has_text="face").click()
    assert (face.is_checked(), field.input_value()) == (True, "")
    field.fill(" 5,6 ")
    field.press("Enter")
    assert (face.is_checked(), field.input_value()) == (False, "5,6")
    assert form.project()["looks"]["A"]["own"]["a"] == {"focus": "5,6"}
    row.locator("label", has_text="middle").click()
    assert form.project()["looks"]["A"]["own"]["a"] == {}


def test_colour_has_a_picker_and_a_field_for_names(form):
    well, field = form.row("lit").locator("input").all()
    assert well.input_value() == "#f2f2f2"
    assert (field.get_attribute("placeholder"), well.get_attribute("class")) == (
        "from palette",
        "unset",
    )
    form.page.locator("[data-name=palette] label", has_text="amber").click()
    assert well.input_value() == "#ffb638"
    form.type(field, "tomato")
    assert (well.input_value(), well.get_attribute("class")) == ("#ff6347", "")
    form.type(well, "#102030", "input")
    assert (field.input_value(), values(form)["lit"]) == ("#102030", "#102030")
    form.type(field, " ")
    assert not is_set(form, "lit")
    assert form.row("mark").locator("[type=text]").get_attribute("placeholder") == "none"


def test_seed_is_written_or_drawn(form):
    field = form.field("seed")
    assert field.input_value() == "3"
    form.type(field, 7)
    assert values(form)["seed"] == 7
    form.row("seed").get_by_text("New seed").evaluate("e => e.click()")
    assert values(form)["seed"] != 7
    assert not is_set(form, "seed")


def test_size_has_columns_and_rows_that_follow_a_shape(form):
    row = form.row("size")
    slider, columns, rows = row.locator("input").all()
    shape = row.locator("select")
    shown = [(slider.input_value(), columns.input_value(), shape.input_value())]
    assert shown == [("100", "", "first picture's")]

    def after(field, value, *kinds):
        form.type(field, value, *kinds)
        size = form.project()["looks"]["A"]["values"].get("size")
        return size, rows.input_value(), shape.input_value()

    assert after(slider, 60, "input") == ("60", "", "first picture's")
    assert after(shape, "4:3", "change") == ("60x45", "45", "4:3")
    assert after(columns, 40.4, "change") == ("40x30", "30", "4:3")
    assert after(rows, 10, "change") == ("40x10", "10", "other")
    assert after(slider, 80, "input") == ("80x20", "20", "other")
    assert after(rows, "", "change") == ("80", "", "first picture's")
    assert after(shape, "square", "change") == ("80x80", "80", "square")
    form.type(shape, "other", "change")
    assert rows.evaluate("e => e === document.activeElement")
    assert after(columns, "", "change") == (None, "", "first picture's")
    labels = [field.get_attribute("aria-label") for field in (slider, rows, shape)]
    assert labels == ["columns, slider", "rows", "shape of the board"]


def test_palettes_are_shown_as_boards(form):
    assert form.page.locator("[data-name=palette] canvas").count() > 5
    form.page.locator("[data-name=palette] label").nth(2).click()
    assert values(form)["palette"] == "amber"


def test_texts_have_their_unit_or_default_in_the_field(form):
    fields = [form.field(name) for name in ("panels", "max_bytes")]
    assert [field.get_attribute("placeholder") for field in fields] == ["panels", "bytes"]


def test_values_are_kept_for_pictures_of_any_order(studio_page):
    form = studio_page.open(PICTURE, FACE, own={"b": {"detail": 2}})
    scope_buttons(form).nth(1).click()
    assert form.field("detail").input_value() == "2"
