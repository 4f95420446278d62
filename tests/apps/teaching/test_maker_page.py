"""The maker's page in headless Chromium: it keeps what the program writes, and calls legal."""

import base64
import io
import json
import shutil

import av
import numpy as np
import pytest
from PIL import Image, ImageDraw
from tools.browsers import drop
from tools.films import opened
from tools.players import ASK, PHONE, WINDOW, assert_everyone_can_use, until
from tools.refusals import assert_refused

import lightsanim as la
from lightsanim.errors import OptionError
from lightsanim.output.formats.page import load_page, player_html

STANDARD_CHOICES = {
    "look": "classic", "size": "20", "transition": "wipe", "order": "radial", "palette": "ink",
}  # fmt: skip

# Clicks, as a hand's, as each of them makes a film anew.
CHOOSE = """(choices) => {
    for (const [name, value] of Object.entries(choices)) {
        const tile = document.querySelector(`input[name="${name}"][value="${value}"]`);
        if (!tile.checked) tile.click();
    }
}"""


def choose(page, **choices):
    page.evaluate(CHOOSE, STANDARD_CHOICES | choices)
    until_made(page)


def until_made(page):
    until(page, "!document.querySelector('#save[inert], #facts:empty')")


@pytest.fixture(scope="module")
def maker(pages, tmp_path_factory):
    """Opens the page; no errors are allowed, and no requests but for pictures that it was given."""
    folder = tmp_path_factory.mktemp("maker")
    la.write_maker(folder / "maker.html")
    # The page begins with 80 columns and six seconds; tests are quicker with fewer.
    text = (folder / "maker.html").read_text(encoding="utf-8")
    changes = {'["40"': '["20","40"', 'size:"80"': 'size:"20"', "duration:6,": "duration:1,"}
    for old, new in changes.items():
        assert text.count(old) == 1
        text = text.replace(old, new)
    (folder / "small.html").write_text(text, encoding="utf-8")
    (folder / "site.html").write_text('<iframe src="maker.html" width="700" height="800"></iframe>')

    def open_page(file="small.html", viewport=WINDOW, motion="reduce", **look):
        address, look = (folder / file).as_uri(), {"reduced_motion": motion, **look}
        page = pages.open(address, allowed=["file:", "blob:"], viewport=viewport, **look)
        if file == "small.html":
            until_made(page)
        return page

    yield open_page
    assert not pages.leave()


@pytest.fixture(scope="module")
def page(maker):
    """The page with its own pictures, opened once."""
    return maker()


@pytest.fixture(scope="module")
def own_pictures(maker):
    """The page for tests that give it pictures, opened once; in the dark."""
    return maker(color_scheme="dark")


def give(page, *files, slot=0):
    with page.expect_file_chooser() as chooser:
        page.locator(".pick").nth(slot).click()
    chooser.value.set_files([str(file) for file in files])


def assert_saved_as_python(page, folder, palette="ink"):
    """The page's downloads have the bytes that Python writes; returns their animation."""
    html, text = page.evaluate(f"[{ASK}.pageText(), {ASK}.documentText()]")
    (folder / "a.html").write_text(html, encoding="utf-8")
    (folder / "a.json").write_text(text, encoding="utf-8")
    saved, animation = load_page(folder / "a.html"), la.load_animation(folder / "a.json")
    assert saved.flaw is None
    assert saved.animation.clicks.tolist() == animation.clicks.tolist()
    assert animation.to_bytes("json").decode() == text
    waits = '"flashes":true' in html  # The maker counts changes that are hard to see, too.
    assert player_html(animation, la.Theme(palette=palette), flashes=waits) == html
    return animation


# tests/web has all levels, colours and transitions; here the page chooses them.
DOWNLOADS = {
    "classic": "wipe", "linocut": "dissolve", "levels": "automaton", "colour": "wipe",
    "spot": "automaton",
}  # fmt: skip


@pytest.mark.parametrize(("look", "transition"), DOWNLOADS.items())
def test_downloads_equal_what_python_writes(look, transition, page, tmp_path):
    choose(page, look=look, transition=transition)
    animation = assert_saved_as_python(page, tmp_path)
    assert (animation.board.nullity, animation.pictures) == (0, ("face", "cat"))
    choose(page, look=look, transition=transition, palette="pocket", order="noise")
    assert_saved_as_python(page, tmp_path, "ink" if look == "spot" else "pocket")


def save(page, name, path):
    """Saves a file by the button of a name; where this Chromium has no encoder, there is no MP4."""
    button = page.locator("#save").get_by_role("button", name=name, exact=True)
    if name == "MP4" and not button.is_visible():
        pytest.skip("this Chromium does not encode H.264")
    with page.expect_download() as download:
        button.click()
    download.value.save_as(path)
    return download.value.suggested_filename


def save_gif(page, folder):
    save(page, "GIF", folder / "film.gif")
    return folder / "film.gif"


def assert_same_gif(ours, animation, folder):
    """Python writes a GIF with the same metadata and pixels."""
    animation.save(folder / "python.gif")
    ours, theirs = opened(ours), opened(folder / "python.gif")
    assert ours.comment == theirs.comment
    assert np.array_equal(ours.frames, theirs.frames)


def test_gif_download_is_legal_and_of_the_film_when_clicked(page, tmp_path):
    choices = {"look": "levels", "transition": "dissolve"}
    choose(page, palette="sunset", **choices)
    animation = assert_saved_as_python(page, tmp_path, "sunset")
    with page.expect_download() as download:
        page.get_by_role("button", name="GIF").click()
        choose(page, palette="rose", order="noise", **choices)
    download.value.save_as(tmp_path / download.value.suggested_filename)
    verification = la.verify(tmp_path / "face to cat.gif")
    assert (verification.legal, verification.clicks) == (True, animation.count)
    with Image.open(tmp_path / "face to cat.gif") as film:
        assert np.array_equal(film.convert("RGB"), animation.frame(0, palette="sunset"))
    until(page, "document.querySelector('#save [value=gif]').textContent === 'GIF'")


@pytest.mark.parametrize(
    ("look", "transition", "size"),
    [
        ("classic", "wipe", "20"),
        ("levels", "dissolve", "40"),
        ("spot", "automaton", "40"),
        # Cells of the most colours, as small as they get.
        pytest.param("colour", "dissolve", "120", marks=pytest.mark.long),
        pytest.param("levels", "dissolve", "120", marks=pytest.mark.long),
    ],
)
def test_mp4_is_legal_and_lasts_as_long_as_the_film(look, transition, size, page, tmp_path):
    choose(page, look=look, transition=transition, size=size)
    animation = assert_saved_as_python(page, tmp_path)
    assert save(page, "MP4", tmp_path / "film.mp4") == "face to cat.mp4"
    verification = la.verify(tmp_path / "film.mp4")
    assert verification.legal, verification.reason
    assert verification.clicks == animation.count
    animation.save(tmp_path / "python.mp4")
    with av.open(tmp_path / "film.mp4") as ours, av.open(tmp_path / "python.mp4") as theirs:
        one, other = ours.streams.video[0], theirs.streams.video[0]
        assert (one.frames, one.average_rate) == (other.frames, other.average_rate)
        assert one.width % 2 == one.height % 2 == 0
        assert one.pix_fmt == "yuv420p"
    content = (tmp_path / "film.mp4").read_bytes()
    assert content.index(b"moov") < content.index(b"mdat")  # it plays while it loads


def test_clicks_picture_has_an_mp4_with_its_panel(page, tmp_path):
    choose(page)
    page.get_by_role("button", name="Sample").click()
    until_made(page)
    save(page, "MP4", tmp_path / "film.mp4")
    proof = la.verify(tmp_path / "film.mp4", clicks_target="sample:skull")
    page.get_by_role("button", name="Remove").click()
    until_made(page)
    assert proof.legal, proof.reason


def test_picture_is_the_frame_that_is_shown(page, tmp_path):
    choose(page, look="levels", palette="sunset")
    animation = assert_saved_as_python(page, tmp_path, "sunset")
    page.locator("#scrub").fill("500")
    shown = np.array(page.evaluate(f"{ASK}.configuration()"))
    save(page, "Picture", tmp_path / "still.png")
    with Image.open(tmp_path / "still.png") as still:
        pixels = np.asarray(still.convert("RGB"))
    frames = [n for n in range(len(animation)) if (animation.shades_at(n).ravel() == shown).all()]
    assert frames
    assert np.array_equal(pixels, animation.frame(frames[0], palette="sunset"))


# A device that shares, but at first refuses, as if the tap were long ago.
SHARING = """
window.shared = [];
let refusals = 1;
navigator.canShare = ({ files }) => files.every(({ type }) => type !== "application/json");
navigator.share = async ({ files: [file] }) => {
  if (refusals-- > 0) throw new DOMException("", "NotAllowedError");
  window.shared.push([file.name, file.type, (await file.arrayBuffer()).byteLength]);
};
Object.defineProperty(navigator, "userActivation", { value: { isActive: false } });
"""


def test_phones_share_files_at_a_second_tap_if_the_first_is_too_old(maker, tmp_path):
    page = maker(viewport=PHONE)
    assert not page.locator("#share").is_visible()
    page.add_init_script(SHARING)
    page.reload()
    until_made(page)
    share = page.locator("#share").get_by_role("button", name="GIF")
    share.click()
    page.get_by_text("tap again").wait_for()
    share.click()
    until(page, "window.shared.length === 1")
    page.locator("#share").get_by_role("button", name="Web page").click()
    until(page, "window.shared.length === 2")
    gif, html = page.evaluate("window.shared")
    save(page, "GIF", tmp_path / "film.gif")
    assert gif == ["face to cat.gif", "image/gif", (tmp_path / "film.gif").stat().st_size]
    assert html[:2] == ["face to cat.html", "text/html"]
    assert not page.locator("#trouble").text_content()


def test_clicks_draw_a_third_picture_until_it_is_removed(page, tmp_path):
    choose(page, order="sweep")
    plain = page.evaluate(f"{ASK}.documentText()")
    page.get_by_role("button", name="Sample").click()
    until_made(page)
    assert page.get_by_text("Clicks so far").is_visible()
    animation = assert_saved_as_python(page, tmp_path)
    assert animation.pictures == ("face", "cat")
    assert np.array_equal(animation.targets, [animation.first, animation.last])
    clicks = np.zeros(animation.board.shape, bool)
    clicks.flat[animation.clicks] = True
    assert page.evaluate(f"{ASK}.targets()[2][0]") == clicks.ravel().tolist()
    assert_same_gif(save_gif(page, tmp_path), animation, tmp_path)
    targets = ("sample:skull", "sample:cat")
    skull, cat = (la.verify(tmp_path / "film.gif", clicks_target=target) for target in targets)
    assert skull.legal, skull.reason
    assert skull.clicks_error < 0.06 < cat.clicks_error
    for needless in ({"look": "colour"}, {"transition": "dissolve"}):
        choose(page, order="sweep", **needless)
        assert page.get_by_text("Only the wipe").is_visible()
        assert not page.get_by_text("Clicks so far").is_visible()
    choose(page, order="sweep")
    assert page.evaluate(f"{ASK}.documentText()") == animation.to_bytes("json").decode()
    page.get_by_role("button", name="Remove").click()
    until_made(page)
    assert page.evaluate(f"{ASK}.documentText()") == plain


def test_palettes_with_indistinct_colours_are_not_offered(page):
    choose(page, palette="sunset")
    page.evaluate(CHOOSE, {"look": "colour"})  # its lit cells are as blue as its dark ones
    assert page.locator("input[name=palette]:checked").input_value() == "ink"
    assert not page.get_by_label("Sunset").is_visible()
    page.evaluate(CHOOSE, {"look": "classic"})
    assert page.get_by_label("Sunset").is_visible()


def drawn(canvas):
    """The greys of a canvas: int (height, width)."""
    _, _, content = canvas.evaluate("canvas => canvas.toDataURL()").partition(",")
    with Image.open(io.BytesIO(base64.b64decode(content))) as image:
        return np.array(image.convert("L")).astype(int)


def test_crop_keys_and_drags_move_the_target_and_a_tap_chooses(page):
    page.set_viewport_size({"width": 1280, "height": 1400})  # The film lies beside the crop.
    choose(page)
    crop, targets, choosers = page.locator(".crop").first, [], []
    page.on("filechooser", lambda chooser: choosers.append(chooser))

    def assert_moved():
        before = [target for target, _ in targets]
        until(page, f"!{json.dumps(before)}.includes(JSON.stringify({ASK}.targets()[0]))")
        targets.append(page.evaluate(f"{ASK}.targets().map((target) => JSON.stringify(target))"))
        assert targets[-1][1] == targets[0][1]

    assert_moved()
    for key in ("+", "ArrowLeft"):
        crop.press(key)
        assert_moved()
    for _ in range(5):
        crop.press("+")
        assert_moved()
    before, box = drawn(crop), crop.bounding_box()
    page.mouse.move(box["x"] + 30, box["y"] + 30)
    page.mouse.down()
    page.mouse.move(box["x"] + 50, box["y"] + 40, steps=5)
    page.mouse.up()
    assert_moved()
    after = drawn(crop)  # It has two pixels for each of the page's, and follows the pointer.
    assert np.abs(after[20:, 40:] - before[:-20, :-40]).mean() < 5 < np.abs(after - before).mean()
    crop.click(button="right")
    with page.expect_file_chooser():
        crop.click()
    assert len(choosers) == 1


def test_choices_match_the_film_after_going_back(page):
    choose(page, size="60")
    page.goto("about:blank")
    page.go_back()
    until_made(page)
    size = page.locator("input[name=size]:checked").input_value()
    assert f"{size} × {size} cells" in page.get_by_role("status").text_content()  # noqa: RUF001


def test_maker_in_an_iframe_plays_unless_motion_is_reduced(maker, page):
    assert page.evaluate(f"{ASK}.clicksDone()") == 0
    assert page.text_content("#play") == "Play"
    site = maker("site.html", motion="no-preference")
    frame = site.frame_locator("iframe")
    frame.get_by_role("status").get_by_text("move of Lights Out").wait_for()
    until(site.frames[1], f"{ASK}.clicksDone() > 0")


def test_pictures_dropped_in_turn_keep_places_and_odd_names(own_pictures, tmp_path):
    files = [tmp_path / name for name in ("<script> & 'moon'.png", "sun.png", "Bär ☾.png")]
    own_pictures.reload()
    for file, tone in zip(files, (60, 90, 200), strict=True):
        Image.linear_gradient("L").resize((90, 60)).point(lambda t, by=tone: t ^ by).save(file)
    drop(own_pictures, *([file] for file in files))
    own_pictures.get_by_text(files[2].stem, exact=True).wait_for()
    until(own_pictures, f"JSON.parse({ASK}.documentText())?.pictures[1] === '{files[2].stem}'")
    animation = assert_saved_as_python(own_pictures, tmp_path)
    assert animation.pictures == (files[0].stem, files[2].stem)  # the third replaced the second
    assert animation.board.columns > animation.board.rows  # of the first picture's shape


def test_a_panorama_is_as_sharp_as_its_middle(own_pictures, tmp_path):
    tones = np.random.default_rng(0).integers(0, 256, (150, 3000), np.uint8)
    for name, part in {"panorama": tones, "middle": tones[:, 1350:1650]}.items():
        Image.fromarray(part).save(tmp_path / f"{name}.png")
    give(own_pictures, tmp_path / "panorama.png", tmp_path / "middle.png")
    until(own_pictures, f"{ASK}.documentText().includes('middle')")
    panorama, middle = own_pictures.evaluate(f"{ASK}.targets()")
    assert panorama == middle


# Files, and words of what is said of them.
SVG = '<svg xmlns="http://www.w3.org/2000/svg"'
BAD = {
    "notes.txt": ("hello", "JPEG PNG WebP"),
    "empty.png": ("", "empty"),
    "photo.heic": ("\0\0\0\x18ftypheic", "HEIC"),
    "broken.jpg": ("\xff\xd8\xff", "damaged"),
    "dot.svg": (f'{SVG} width="1" height="1"/>', "1 16"),
    # Browsers show it, but do not let its pixels be read.
    "page.svg": (f'{SVG}><foreignObject width="9" height="9"/></svg>', "damaged browser"),
}


def test_other_files_are_refused_in_a_sentence(own_pictures, tmp_path):
    label, problem = (own_pictures.locator(part).first for part in (".name", ".problem"))
    picture = label.text_content()
    for name, (content, facts) in BAD.items():
        (tmp_path / name).write_text(content, encoding="latin-1")
        give(own_pictures, tmp_path / name)
        own_pictures.locator(".problem", has_text=name[:5]).wait_for()
        assert all(fact in problem.text_content() for fact in facts.split()), name
        own_pictures.locator(".name", has_text=picture).first.wait_for()  # again


@pytest.mark.parametrize("side", ["", 'width="20000" height="20000"', 'width="70000" height="20"'])
def test_drawings_are_pictures_too(side, own_pictures, tmp_path):
    file = tmp_path / f"circle{len(side)}.svg"
    file.write_text(f'{SVG} {side}><circle cx="9" cy="9" r="9"/></svg>')
    give(own_pictures, file)
    until(own_pictures, f"{ASK}.documentText().includes('{file.stem}')")
    assert own_pictures.locator(".problem:not(:empty)").count() == 0


def draw_logo(path, *colours):
    """Rings of some colours, with smooth edges, on white."""
    logo = Image.new("RGB", (900, 600), "white")
    for number, colour in enumerate(colours):
        side = 560 - 560 * number // len(colours)
        box = (450 - side // 2, 300 - side // 2, 450 + side // 2, 300 + side // 2)
        ImageDraw.Draw(logo).ellipse(box, colour)
    logo.resize((450, 300), Image.Resampling.BOX).save(path)
    return path


@pytest.mark.parametrize("transition", ["wipe", "dissolve", "automaton"])
def test_spot_films_are_verified_with_their_pictures(
    transition, own_pictures, photographs, tmp_path
):
    logo = draw_logo(tmp_path / "logo.png", "#0050a0", "#ffcc00", "#d00000", "#108030")
    choose(own_pictures, look="spot", transition=transition, size="40")
    tiger = shutil.copy(photographs[0], tmp_path / "tiger.png")  # A sample is a cat, too.
    give(own_pictures, logo, tiger)
    until(own_pictures, f"{ASK}.documentText().includes('tiger')")
    assert not own_pictures.locator("#choice-palette").is_visible()
    animation = assert_saved_as_python(own_pictures, tmp_path)
    settings, own = animation.origin.settings, animation.origin.own
    assert settings["spot"].count("#") == settings["levels"] == 5
    assert [picture["detail"] for picture in own] == [0, 0.5]
    assert [picture["autocontrast"] for picture in own] == [False, True]
    fading = ["blue-noise"] * 2 if transition == "dissolve" else None
    assert [picture["dither"] for picture in own] == (fading or ["threshold", "floyd-steinberg"])
    assert_same_gif(save_gif(own_pictures, tmp_path), animation, tmp_path)
    for film in ("film.gif", "a.json"):
        verification = la.verify(tmp_path / film, targets=[logo, tiger])
        assert verification.legal, verification.reason
        assert max(verification.wrong) < 0.01 * animation.board.cells


def test_pictures_of_few_colours_have_no_spot_film(own_pictures, tmp_path):
    plain = [tmp_path / "red.png", tmp_path / "blue.png"]
    for path in plain:
        Image.new("RGB", (90, 90), path.stem).save(path)
    own_pictures.evaluate(CHOOSE, STANDARD_CHOICES | {"look": "spot"})
    give(own_pictures, *plain)
    own_pictures.locator("#trouble", has_text="only 2 colours").wait_for()
    assert "another look" in own_pictures.locator("#trouble").text_content()
    assert own_pictures.locator("#save[inert]").count() == 1  # the film before is not saved
    own_pictures.evaluate(CHOOSE, {"look": "levels"})
    until_made(own_pictures)
    assert "red" in own_pictures.evaluate(f"{ASK}.documentText()")
    assert own_pictures.locator("#save[inert]").count() == 0
    assert not own_pictures.locator("#trouble").text_content()


def test_cancel_keeps_the_film_that_is_shown_and_its_choices(page):
    choose(page)
    film = page.evaluate(f"{ASK}.documentText()")
    # In one task, so that no film is done before.
    is_making = page.evaluate(
        """() => {
            document.querySelector("input[name=size][value='120']").click();
            const isMaking = document.querySelector("#save").inert;
            document.querySelector("#cancel").click();
            return isMaking;
        }"""
    )
    assert is_making
    assert page.locator("#save[inert], #busy:visible").count() == 0
    assert page.locator("input[name=size]:checked").get_attribute("value") == "20"
    assert page.evaluate(f"{ASK}.documentText()") == film
    choose(page, size="60")  # by a new worker
    assert "on 60 " in page.locator("#facts").text_content()


def test_another_suffix_is_refused(tmp_path):
    assert_refused(lambda: la.write_maker(tmp_path / "maker.gif"), "maker.gif .html", OptionError)
    assert not list(tmp_path.iterdir())


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everyone_can_use_it(scheme, maker):
    page = maker(viewport=PHONE, color_scheme=scheme)
    assert_everyone_can_use(page)
    page.get_by_role("button", name="Sample").click()
    until_made(page)
    assert_everyone_can_use(page)


SAMPLES = "JSON.parse(document.querySelector('#data').textContent).samples.map(({ png }) => png)"


def assert_recognisable(file, pictures, clicks_picture):
    """The three pictures of a legal film look right; Floyd-Steinberg's of one have about 0.024."""
    proof = la.verify(file, targets=pictures, clicks_target=clicks_picture)
    assert proof.legal, proof.reason
    assert max(proof.errors) <= 0.03
    assert proof.clicks_error <= 0.042


@pytest.mark.long
def test_all_three_pictures_look_right_and_a_seed_repeats(maker, photographs, tmp_path):
    texts = set()
    for _ in range(2):
        page = maker()
        # The page offers 80 and 120 cells.
        page.evaluate("document.querySelector('input[value=\"120\"]').value = 100")
        choose(page, size="100")
        page.get_by_role("button", name="Sample").click()
        page.get_by_role("button", name="Cancel").click()
        assert not page.locator("#save[inert]").count()
        page.get_by_role("button", name="Sample").click()
        until_made(page)
        assert assert_saved_as_python(page, tmp_path).board.shape == (100, 100)
        texts.add(page.evaluate(f"{ASK}.documentText()"))
    assert len(texts) == 1
    # The page's own pictures are smaller than the program's samples.
    samples = [tmp_path / f"{number}.png" for number in range(3)]
    for path, png in zip(samples, page.evaluate(SAMPLES), strict=True):
        path.write_bytes(base64.b64decode(png))
    assert_recognisable(tmp_path / "a.html", samples[:2], samples[2])
    give(page, *photographs, photographs[0])
    until(page, f"{ASK}.documentText().includes('{photographs[1].stem}')")
    assert_recognisable(save_gif(page, tmp_path), photographs, photographs[0])
