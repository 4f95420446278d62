"""Parts of pictures, and pictures with options of their own."""

import json

import numpy as np
import pytest
from PIL import Image
from tools.batches import run_here
from tools.photographs import photograph
from tools.program import run
from tools.refusals import assert_refused

import lightsanim as la
from lightsanim import plan
from lightsanim.options.stages import PictureOptions
from lightsanim.options.values import to_crop
from lightsanim.pictures import crop as crop_module
from lightsanim.pictures.crop import find_picture_part
from lightsanim.pictures.faces import can_find_faces
from lightsanim.pictures.source import parse_source

CAT = photograph("chelsea")  # 451 x 300
FLOYD = "floyd-steinberg"
SMALL = {"size": "15x12", "seed": 1, "duration": 1, "ease": "linear"}
LARGE = {"size": "30x20", "seed": 1, "ease": "linear"}

needs_faces = pytest.mark.skipif(not can_find_faces(), reason="needs OpenCV with cascades")


@pytest.fixture
def files(tmp_path):
    Image.fromarray(CAT).save(tmp_path / "cat.png", compress_level=0)
    Image.fromarray(photograph("astronaut")[::4, ::4]).save(tmp_path / "astronaut.png")
    return tmp_path


def box_of(picture, shape, **options):
    return find_picture_part(la.load_picture(picture), PictureOptions(**options), shape).box


def targets_made_of(*pictures, **options):
    return la.make(pictures, **SMALL, **options).targets


@pytest.mark.parametrize(
    ("crop", "pixels"),
    [
        ((40, 30, 240, 190), CAT[30:190, 40:240]),
        ("10%,0,50%,100", CAT[:100, 45:226]),  # 45.1 and 225.5 pixels, to the nearest even
        ("0,0,100%,100%", CAT),
    ],
)
def test_crop_keeps_its_pixels(crop, pixels):
    cropped, expected = targets_made_of(la.Source(CAT, crop=crop), pixels)
    assert np.array_equal(cropped, expected)
    height, width = pixels.shape[:2]
    board = la.make([la.Source(CAT, crop=crop), CAT], size=10, order="random").board
    assert board.shape == (round(10 * height / width), 10)


@pytest.mark.parametrize(
    ("options", "shape", "box"),
    [
        # The largest square of 451 x 300 is 300 wide, half of it 150.
        ({"focus": "225,150"}, 1, (150, 75, 300, 225)),
        ({"focus": "0,0,3"}, 1, (0, 0, 100, 100)),
        ({"focus": "100%,100%,3"}, 1, (351, 200, 451, 300)),
        ({"focus": "226,150,2"}, 2, (113, 94, 339, 207)),  # 225.5 x 112.75
        # The picture's own shape, where it is not cut to the board's.
        ({"focus": "0,0,2", "fit": "contain"}, 1, (0, 0, 226, 150)),
        # In what a crop has left.
        ({"focus": "0,0,2", "crop": "100,50,300,250"}, 1, (100, 50, 200, 150)),
    ],
)
def test_focus_box_is_centred_within_picture(options, shape, box):
    assert box_of(CAT, shape, **options) == box


@needs_faces
def test_focus_face_frames_face():
    # By eye: the chin is at row 190, the hair begins at row 5; the eyes are in row 115.
    left, top, right, bottom = box_of(photograph("astronaut"), 1, focus="face")
    assert left < 190 < 265 < right
    assert top < 25
    assert 190 < bottom < 260
    assert box_of(photograph("astronaut"), 1, focus="auto") == (left, top, right, bottom)
    near_left, _, near_right, _ = box_of(photograph("astronaut"), 1, focus="face,2")
    assert near_right - near_left == pytest.approx((right - left) / 2, abs=1)


@needs_faces
def test_focus_without_face_keeps_whole_picture(files):
    cats = [files / "cat.png", files / "cat.png"]
    assert box_of(CAT, 1.5, focus="auto,2") == (0, 0, 451, 300)
    film, report = la.make_with_report(cats, **SMALL, focus="face")
    assert np.array_equal(film.targets, targets_made_of(*cats))
    assert f"{files / 'cat.png'}" in report.notes[0]


@needs_faces
def test_focus_result_is_recorded_as_crop(files):
    path = files / "astronaut.png"
    Image.fromarray(photograph("astronaut")[:256, 64:320]).save(path)
    film, report = la.make_with_report([path, path], **SMALL, focus="auto")
    crops = [own["crop"] for own in film.origin.own]
    assert str(path) in report.notes[0]
    assert f"crop {crops[0]}." in report.notes[0]
    film.save(files / "out.gif", cell=3)
    assert la.verify(files / "out.gif", targets=[path]).wrong == [0]
    cropped = targets_made_of(*(la.Source(path, crop=crop) for crop in crops))
    assert np.array_equal(cropped, film.targets)


def portrait_of(headroom):
    # Dark hair, a face and a body, before a smooth wall that is no plain ground.
    light = np.tile(np.linspace(150, 220, 200).astype(np.uint8), (300, 1))
    light[headroom : headroom + 80, 60:140] = 30
    light[headroom + 20 : headroom + 80, 75:125] = 160
    light[headroom + 80 :, 20:180] = 40
    return light


@pytest.mark.parametrize("headroom", [4, 30, 60])
def test_still_taller_than_board_keeps_its_head(headroom):
    wide = np.zeros((100, 150), np.uint8)
    wide[::2] = 255
    film = la.make([wide, portrait_of(headroom)], **LARGE)
    crop = to_crop(film.origin.own[1]["crop"])
    assert crop.top.number <= headroom  # the middle begins at 83
    assert (crop.bottom.number - crop.top.number, crop.right.number) == (133, 200)
    own = [{}, {"crop": str(crop)}]
    again = la.make([wide, la.Source(portrait_of(headroom), crop=crop)], **LARGE)
    assert film.origin.own == tuple(own)
    assert np.array_equal(film.targets, again.targets)


def test_still_with_subject_in_middle_is_not_cropped_higher():
    # Neither is a still only a little taller than the board, nor one with a crop, focus or margins.
    wide = np.zeros((100, 150), np.uint8)
    low = portrait_of(120)
    high = portrait_of(10)
    sources = [
        low,
        high[:140],
        la.Source(high, crop="0,0,100%,100%"),
        la.Source(high, focus="50%,50%,1"),
        la.Source(high, fit="contain"),
    ]
    film = la.make([wide, *sources], **LARGE)
    crops = [own.get("crop") for own in film.origin.own]
    assert crops == [None, None, None, "0,0,100%,100%", None, None]


def test_focus_auto_without_opencv_is_noted_once(monkeypatch):
    for module in (crop_module, plan):
        monkeypatch.setattr(module, "can_find_faces", lambda: False)
    film, report = la.make_with_report([CAT, CAT], **SMALL, focus="auto")
    assert [note for note in report.notes if "pip install 'opencv-python-headless<5'" in note] == (
        [plan.NO_FACE_SEARCH_NOTE]
    )
    assert np.array_equal(film.targets, targets_made_of(CAT, CAT))


def test_fit_auto_keeps_drawing_on_plain_ground_whole():
    # Of 40 x 80 pixels a cross, which reaches all edges but for one pixel.
    drawing = np.full((40, 80), 250, np.uint8)
    drawing[1:39, 39:41] = drawing[19:21, 1:79] = 0
    for picture in (drawing, drawing.T):
        rows, columns = np.nonzero(~targets_of(picture, (40, 40))[0].configuration)
        # Half as large, as 80 pixels become 40 cells.
        assert sorted((np.ptp(rows) + 1, np.ptp(columns) + 1)) == pytest.approx([19, 39], abs=1)
        assert abs(rows.mean() - 19.5) < 0.6 > abs(columns.mean() - 19.5)
    # Cover cuts it; and auto what has no ground: a photograph.
    (cut,) = targets_of(drawing, (40, 40), fit="cover")
    assert not cut.configuration[19].any()
    for board in ((30, 60), (60, 30)):
        auto, cover = (targets_of(CAT, board, fit=fit)[0] for fit in ("auto", "cover"))
        assert np.array_equal(auto.configuration, cover.configuration)


def targets_of(picture, size, **options):
    settings = la.Settings(**{"dither": "threshold", "detail": 0, **options})
    return la.targets_for(la.load_picture(picture), la.Board(*size), settings)


def test_fit_auto_ground_comes_from_remaining_edges():
    # One pixel too wide, which makes the ground that is added a single line.
    drawing = np.full((80, 82), 255, np.uint8)
    drawing[:, [0, -1]] = 0
    (target,) = targets_of(drawing, (81, 82))
    assert target.configuration[0, 1:-1].all()


def test_white_on_transparent_stays_visible(files):
    logo = np.full((120, 150, 4), 255, np.uint8)
    logo[..., 3] = 0
    logo[30:90, 50:100, 3] = 255
    paths = [files / "white.png", files / "black.png"]
    for path, scale in zip(paths, (1, 0), strict=True):
        Image.fromarray(logo * np.array([scale, scale, scale, 1], np.uint8)).save(path)
    invisible = la.Source(paths[1], backdrop="black")
    white, black, none = targets_made_of(*paths, invisible, dither="threshold", detail=0)
    assert 0 < white.sum() < white.size
    assert np.array_equal(white, ~black)
    assert not none.any()


def test_picture_options_agree_in_python_command_and_manifest(files):
    own = {"crop": "10%,0,90%,60%", "dither": "atkinson", "invert": True, "detail": 2.0}
    paths = [files / "cat.png", files / "astronaut.png"]
    python = la.make([la.Source(paths[0], **own), paths[1]], **SMALL)
    word = "cat.png@crop=10%,0,90%,60%@dither=atkinson@invert@detail=2"
    words = ("--size", "15x12", "--seed", 1, "--duration", 1, "--ease", "linear", "-q")
    assert run("make", word, "astronaut.png", "-o", "out.json", *words, cwd=files).returncode == 0
    (files / "m.toml").write_text(
        'defaults = {size = "15x12", seed = 1, duration = 1, ease = "linear"}\n'
        '[[animation]]\noutput = "out.json"\n'
        'pictures = [{path = "cat.png", crop = "10%,0,90%,60%", dither = "atkinson", '
        'invert = true, detail = 2.0}, "astronaut.png"]\n'
    )
    run_here(files / "m.toml", files / "batch")
    for film in map(la.load_animation, (files / "out.json", files / "batch/out.json")):
        assert np.array_equal(film.targets, python.targets)
        assert film.origin == python.origin
    # Both were taken for what they are: as options of all pictures they give another target.
    assert not np.array_equal(targets_made_of(*paths, **own)[1], python.targets[1])


def test_verify_uses_picture_options(files):
    cat, logo = files / "cat.png", np.zeros((24, 30, 4), np.uint8)
    logo[6:18, 10:20] = [200, 40, 40, 255]
    Image.fromarray(logo).save(files / "logo.png")
    sources = [
        la.Source(cat, crop=(0, 0, 200, 160)),
        la.Source(cat, crop=(200, 100, 400, 260), dither="threshold"),
        la.Source(files / "logo.png", backdrop="navy"),
    ]
    la.make(sources, **SMALL).save(files / "out.gif", cell=3)
    verified = la.verify(files / "out.gif", targets=[cat, cat, files / "logo.png"])
    assert verified.wrong == [0, 0, 0]
    assert "cat.png@crop=0,0,200,160" in " ".join(verified.notes)


def test_dither_auto_is_recorded_for_flat_art_alone():
    # A black square with a smooth edge; a photograph.
    square = np.full((60, 80), 255, np.uint8)
    square[9:51, 19:61], square[10:50, 20:60] = 128, 0
    pictures, flat = [square, CAT], {"dither": "threshold", "detail": 0}

    def choose(**options):
        return la.make(pictures, **LARGE | {"size": "15x12"} | options).origin.own

    film = la.make(pictures, **SMALL)
    assert film.origin.own == (flat, {})
    assert (film.origin.settings["dither"], film.origin.settings["detail"]) == (FLOYD, 1.5)
    again = [la.Source(p, **own) for p, own in zip(pictures, film.origin.own, strict=True)]
    assert np.array_equal(la.make(again, **SMALL, dither=None).targets, film.targets)
    assert choose(detail=1.5) == ({**flat, "detail": 1.5}, {})
    names = "dissolve", "sketch", "automaton"
    transitions = ({"transition": name, "time_limit": 1e-9} for name in names)
    for kept in ({"dither": None}, {"dither": FLOYD}, *transitions):
        assert choose(**kept) == ()
    clip = la.Source([CAT, CAT[::-1]])
    assert la.make([square, clip], **SMALL).origin.own == ()
    mixed = la.make([la.Source(p, dither="auto") for p in pictures], **SMALL, dither="bayer")
    assert mixed.origin.own == (flat, {"dither": FLOYD})


@pytest.mark.parametrize(
    ("word", "facts"),
    [
        ("cat.png@crop=0,0,900,10", "0,0,900,10 'cat' 451x300"),
        ("cat.png@crop=300,0,50%,10", "300,0,50%,10 empty 'cat' 451x300"),
        ("cat.png@crop=nan,0,1,1", "LEFT,TOP,RIGHT,BOTTOM"),
        ("cat.png@focus=500,3", "500,3 451x300 'cat'"),
        ("cat.png@focus=1,2,0.5", "focus 1 1000"),
        ("cat.png@crp=1", "crop?"),
        ("cat.png@detail", "@detail=AMOUNT"),
        ("cat.png@invert=yes", "@invert @no-invert"),
        ("cat.png@preset=photograph", "photograph levels"),
        ("cat.png@crop=0,0,0.5,0.5", "50%"),
        ("cat.png@levels=3", "'levels'"),
    ],
)
def test_picture_options_invalid_are_refused(files, monkeypatch, word, facts):
    monkeypatch.chdir(files)
    assert_refused(lambda: la.make([parse_source(word), CAT], size=4), facts)


def test_existing_file_name_with_at_sign_is_a_path(files):
    (files / "cat.png").rename(files / "cat@invert")
    words = ("--size", "15x12", "-q", "-o", "out.json")
    assert run("make", "cat@invert", "cat@invert", *words, cwd=files).returncode == 0
    assert json.loads((files / "out.json").read_text())["origin"].get("own") is None


def test_fit_contain_keeps_one_column_of_hair():
    hairs = [np.full((400, 1), shade, np.uint8) for shade in (0, 255)]
    black, white = (target for target in la.make(hairs, size="9x9", fit="contain", seed=1).targets)
    assert (~black).any(axis=0).sum() == 1  # on white
    assert white.all()


ALL = "--fit contain shows all of it"


@pytest.mark.parametrize(
    ("shape", "options", "note"),
    [
        ((200, 240), {}, None),  # 40 of 200 pixels are cut off: a fifth
        ((200, 250), {}, f"is cut to 80% of its width; {ALL}"),
        ((300, 200), {}, f"is cut to 67% of its height; {ALL}"),
        ((300, 200), {"fit": "cover"}, f"is cut to 67% of its height; {ALL}"),
        ((300, 200), {"fit": "contain"}, None),
        ((300, 200), {"focus": (100, 200)}, None),
        ((300, 200), {"crop": (0, 0, 200, 220)}, None),
    ],
)
def test_note_on_what_the_boards_shape_cuts_off(shape, options, note, tmp_path):
    noise = np.random.default_rng(1).integers(0, 256, shape, np.uint8)  # without a plain ground
    Image.fromarray(noise).save(tmp_path / "p.png")
    pictures = [np.eye(20), la.Source(tmp_path / "p.png", **options)]
    notes = la.make_with_report(pictures, size="20x20", seed=1)[1].notes
    assert [line for line in notes if "p.png" in line] == (
        [] if note is None else [f"{tmp_path}/p.png {note}."]
    )


@needs_faces
def test_note_on_a_face_that_is_cut(tmp_path):
    # A square loses eleven rows at the top, where the face that OpenCV finds begins.
    portrait = photograph("astronaut")[70:, 60:480]
    Image.fromarray(portrait).save(tmp_path / "p.png")
    report = la.make_with_report([np.eye(20), tmp_path / "p.png"], size="20x20", seed=1)[1]
    assert any(f"has a face that is cut; {ALL}" in line for line in report.notes), report.notes
