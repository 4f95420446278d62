"""The maker's page in headless Chromium: it keeps what the program writes, and calls legal."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from tools.players import ASK, PHONE, WINDOW, assert_everyone_can_use, until

from lightsanim.errors import OptionError
from lightsanim.formats.json_animation import load_animation
from lightsanim.formats.page import load_page
from lightsanim.proof.verify import verify
from lightsanim.teaching.maker import write_maker

# What makes a film anew is asked for by a click, as by a hand.
CHOOSE = """(choices) => {
    for (const [name, value] of Object.entries(choices)) {
        const tile = document.querySelector(`input[name="${name}"][value="${value}"]`);
        if (!tile.checked) tile.click();
    }
}"""


@pytest.fixture
def maker(pages, tmp_path):
    """Opens the page; no errors are allowed, and no requests but for pictures that it was given."""
    path = tmp_path / "maker.html"

    def open_page(viewport=WINDOW, **look):
        write_maker(path)
        look = {"reduced_motion": "reduce", **look}
        return pages.open(path.as_uri(), allowed=["file:", "blob:"], viewport=viewport, **look)

    yield open_page
    assert not pages.leave()


def give(page, *files, slot=0):
    with page.expect_file_chooser() as chooser:
        page.locator(".pick").nth(slot).click()
    chooser.value.set_files([str(file) for file in files])


def kept(page, folder, palette="ink"):
    """What the page keeps, read again: its own bytes are those that Python writes."""
    html, text = page.evaluate(f"[{ASK}.pageText(), {ASK}.documentText()]")
    (folder / "a.html").write_text(html, encoding="utf-8")
    (folder / "a.json").write_text(text, encoding="utf-8")
    saved, animation = load_page(folder / "a.html"), load_animation(folder / "a.json")
    assert saved.flaw is None
    assert saved.animation.clicks.tolist() == animation.clicks.tolist()
    assert animation.to_bytes("json").decode() == text
    assert animation.to_bytes("html", palette=palette).decode() == html
    return animation


@pytest.mark.parametrize("transition", ["wipe", "dissolve", "automaton"])
@pytest.mark.parametrize("look", ["classic", "linocut", "levels", "colour"])
def test_downloads_equal_what_python_writes(look, transition, maker, tmp_path):
    page = maker()
    page.evaluate(CHOOSE, {"size": "40", "look": look, "transition": transition})
    animation = kept(page, tmp_path)
    assert (animation.board.nullity, animation.pictures) == (0, ("face", "cat"))
    page.evaluate(CHOOSE, {"palette": "pocket", "order": "noise"})
    kept(page, tmp_path, "pocket")


@pytest.mark.parametrize("choices", [{"transition": "dissolve"}, {"look": "levels"}])
def test_a_downloaded_gif_is_legal_and_of_the_film_when_clicked(choices, maker, tmp_path):
    page = maker()
    page.evaluate(CHOOSE, {"size": "40", "palette": "sunset", **choices})
    animation = kept(page, tmp_path, "sunset")
    with page.expect_download() as download:
        page.get_by_role("button", name="GIF").click()
        page.evaluate(CHOOSE, {"palette": "rose", "order": "noise"})
    download.value.save_as(tmp_path / download.value.suggested_filename)
    verification = verify(tmp_path / "face to cat.gif")
    assert (verification.legal, verification.clicks) == (True, animation.count)
    with Image.open(tmp_path / "face to cat.gif") as film:
        assert np.array_equal(film.convert("RGB"), animation.frame(0, palette="sunset"))
    until(page, "document.querySelector('#gif').textContent === 'GIF'")


def test_palettes_with_indistinct_colours_are_not_offered(maker):
    page = maker()
    page.evaluate(CHOOSE, {"palette": "sunset"})
    page.evaluate(CHOOSE, {"look": "colour"})  # its lit cells are as blue as its dark ones
    assert page.locator("input[name=palette]:checked").input_value() == "ink"
    assert not page.get_by_label("Sunset").is_visible()
    page.evaluate(CHOOSE, {"look": "classic"})
    assert page.get_by_label("Sunset").is_visible()


def test_picture_names_with_special_letters_are_kept(maker, tmp_path):
    files = [tmp_path / name for name in ("</script> & 'moon'.png".replace("/", ""), "Bär ☾.png")]
    for file, tone in zip(files, (60, 200), strict=True):
        Image.linear_gradient("L").resize((90, 60)).point(lambda t, by=tone: t ^ by).save(file)
    page = maker()
    give(page, *files)
    until(page, "document.querySelectorAll('.name')[1].textContent === 'Bär ☾'")
    animation = kept(page, tmp_path)
    assert animation.pictures == tuple(file.stem for file in files)
    assert animation.board.columns > animation.board.rows  # of the first picture's shape


def test_the_maker_plays_unless_motion_is_reduced(maker):
    page = maker(reduced_motion="no-preference")
    until(page, f"{ASK}.clicksDone() > 0")
    assert maker().evaluate(f"{ASK}.clicksDone()") == 0


def test_the_target_follows_the_crop(maker):
    page, targets = maker(), f"{ASK}.targets()"
    before = page.evaluate(targets)
    crop = page.locator(".crop").first
    crop.press("+")
    enlarged = page.evaluate(targets)
    crop.press("ArrowLeft")
    moved = page.evaluate(targets)
    assert before[0] != enlarged[0] != moved[0]
    assert before[1] == moved[1]


def test_a_panorama_is_as_sharp_as_its_middle(maker, tmp_path):
    tones = np.random.default_rng(0).integers(0, 256, (150, 3000), np.uint8)
    for name, part in {"panorama": tones, "middle": tones[:, 1350:1650]}.items():
        Image.fromarray(part).save(tmp_path / f"{name}.png")
    page = maker()
    give(page, tmp_path / "panorama.png", tmp_path / "middle.png")
    until(page, f"{ASK}.documentText().includes('middle')")
    panorama, middle = page.evaluate(f"{ASK}.targets()")
    assert panorama == middle


def test_a_tap_chooses_a_file_and_a_drag_does_not(maker):
    page = maker()
    crop, targets, choosers = page.locator(".crop").first, f"{ASK}.targets()[0]", []
    page.on("filechooser", lambda chooser: choosers.append(chooser))
    crop.press("+")
    before, box = page.evaluate(targets), crop.bounding_box()
    page.mouse.move(box["x"] + 30, box["y"] + 30)
    page.mouse.down()
    page.mouse.move(box["x"] + 50, box["y"] + 40, steps=5)
    page.mouse.up()
    assert page.evaluate(targets) != before
    crop.click(button="right")
    with page.expect_file_chooser():
        crop.click()
    assert len(choosers) == 1


def test_choices_match_the_film_after_going_back(maker):
    page = maker()
    page.evaluate(CHOOSE, {"size": "40"})
    page.goto("about:blank")
    page.go_back()
    size = page.locator("input[name=size]:checked").input_value()
    assert f"{size} × {size} cells" in page.get_by_role("status").text_content()  # noqa: RUF001


BAD = {
    "notes.txt": (b"hello", "notes.txt is no picture; choose a JPEG, PNG or WebP."),
    "empty.png": (b"", "empty.png is empty; choose a picture."),
    "photo.heic": (b"\0\0\0\x18ftypheic", "This browser cannot read HEIC pictures such as photo"),
    "broken.jpg": (b"\xff\xd8\xff", "broken.jpg cannot be read: it is damaged"),
    "dot.svg": (
        b'<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
        "dot.svg has 1 × 1 pixels; take one of 16 × 16 or more.",  # noqa: RUF001
    ),
    "page.svg": (  # browsers show it, but do not let its pixels be read
        b'<svg xmlns="http://www.w3.org/2000/svg"><foreignObject width="9" height="9"/></svg>',
        "page.svg cannot be read: it is damaged, or of a kind",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_other_files_are_refused_in_a_sentence(name, maker, tmp_path):
    content, sentence = BAD[name]
    (tmp_path / name).write_bytes(content)
    page = maker()
    give(page, tmp_path / name)
    until(page, "document.querySelector('.problem').textContent")
    assert page.locator(".problem").first.text_content().startswith(sentence)
    assert page.locator(".name").first.text_content() == "face"


@pytest.mark.parametrize("side", ["", 'width="20000" height="20000"', 'width="70000" height="20"'])
def test_drawings_are_pictures_too(side, maker, tmp_path):
    circle = f'<svg xmlns="http://www.w3.org/2000/svg" {side}><circle cx="9" cy="9" r="9"/></svg>'
    (tmp_path / "circle.svg").write_text(circle)
    page = maker()
    give(page, tmp_path / "circle.svg")
    until(page, f"{ASK}.documentText().includes('circle')")
    assert page.locator(".problem:not(:empty)").count() == 0


def test_the_maker_works_in_an_iframe(pages, tmp_path):
    write_maker(tmp_path / "maker.html")
    (tmp_path / "site.html").write_text(
        '<iframe src="maker.html" width="700" height="800"></iframe>'
    )
    page = pages.open((tmp_path / "site.html").as_uri(), allowed=["file:"], viewport=WINDOW)
    frame = page.frame_locator("iframe")
    frame.get_by_role("status").get_by_text("legal").wait_for()
    assert not frame.locator("header").is_visible()
    assert not pages.leave()


def test_another_suffix_is_refused(tmp_path):
    with pytest.raises(OptionError):
        write_maker(tmp_path / "maker.gif")
    assert not list(Path(tmp_path).iterdir())


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everyone_can_use_it(scheme, maker):
    assert_everyone_can_use(maker(PHONE, color_scheme=scheme))
