"""The preview: every tile is what `make` would show; nothing is written where it must not be."""

from pathlib import Path

import numpy as np
import pytest
import skimage.data
from PIL import Image

import lightsanim as la
from lightsanim.options.choices import DITHERS, LEVELS
from lightsanim.options.settings import PRESETS, settings_from
from lightsanim.saving.output_files import unused_path

# Colours of the palette ink, and pixels of a cell where 40 columns make a tile.
UNLIT, LIT, CELL = 0x19, 0xF2, 6


def drawn(picture, options, cell):
    """The target of these options in cells of so many pixels: uint8 (height, width, 3)."""
    settings = settings_from(options)
    loaded = la.load_picture(picture, rgb=settings.rgb)
    columns, rows = settings.size.columns, settings.size.rows or settings.size.columns
    board = la.Board(rows, columns, levels=settings.levels)
    levels = [target.configuration for target in la.targets_for(loaded, board, settings)]
    shown = np.stack(levels * (3 // len(levels)), axis=2) / (settings.levels - 1)
    pixels = np.rint(UNLIT + shown * (LIT - UNLIT)).astype(np.uint8)
    return pixels.repeat(cell, axis=0).repeat(cell, axis=1)


def shows(pixels, tile):
    """Is the tile somewhere on the sheet?  Both are uint8 (height, width, 3)."""
    (height, width, _), middle = tile.shape, len(tile) // 2
    text, row = pixels.tobytes(), tile[middle].tobytes()
    place = text.find(row)
    while place >= 0:
        top, left = divmod(place // 3, pixels.shape[1])
        top -= middle
        if np.array_equal(pixels[top : top + height, left : left + width], tile):
            return True
        place = text.find(row, place + 1)
    return False


@pytest.mark.long
@pytest.mark.parametrize("base", [{}, {"levels": 3, "invert": True, "size": "40x40"}])
def test_preview_tiles_match_make(base):
    photograph = skimage.data.astronaut()[:240:2, 100:340:2]
    usual = {"size": 40, **base}
    sheet = np.asarray(la.preview(photograph, **usual))
    changes = [
        *({"dither": name} for name in DITHERS),
        *({"levels": levels} for levels in LEVELS),
        *({"preset": name} for name in PRESETS),
        *({"detail": 0}, {"gamma": 1.6}, {"tone": "linear"}, {"autocontrast": False}),
        *({"invert": "invert" not in base}, {"serpentine": False}),
        *({"rgb": True}, {"rgb": True, "levels": 5}),
    ]
    for change in changes:
        assert shows(sheet, drawn(photograph, usual | change, CELL)), change
    for size, cell in ((30, 8), (60, 4), (80, 3), (120, 2), (240, 1)):
        size = f"{size}x{size}" if "size" in base else size
        assert shows(sheet, drawn(photograph, usual | {"size": size}, cell)), size
    assert not shows(sheet, drawn(photograph, usual | {"detail": 1.3}, CELL))


def test_preview_of_a_crop_matches_make():
    photograph = skimage.data.astronaut()[::2, ::2]
    options = {"size": "40x40", "crop": "40%,5%,80%,45%", "detail": 2}
    sheet = la.preview(photograph, **options)
    for change in ({}, {"dither": "atkinson"}, {"rgb": True, "levels": 5}):
        assert shows(np.asarray(sheet), drawn(photograph, options | change, CELL)), change
    own = la.Source(photograph, crop=options["crop"], detail=2)
    assert la.preview(own, size="40x40") == sheet


@pytest.mark.parametrize(("size", "shape"), [("1x1", (1, 1)), ("480x3", (9, 9)), ("3x480", (9, 9))])
def test_boards_of_all_shapes_are_shown(size, shape):
    sheet = la.preview(np.linspace(0, 1, shape[0] * shape[1]).reshape(shape), size=size)
    assert sheet.mode == "RGB"
    assert max(sheet.size) < 7000


def test_preview_command_never_overwrites_by_default(run, tmp_path):
    Image.fromarray(skimage.data.camera()[::4, ::4]).save(tmp_path / "some\nman.jpg")
    status, out, err = run("preview", "some\nman.jpg", "--size", 20, "--palette", "amber")
    assert (status, out) == (0, "")
    assert "man-preview.png" in err
    with Image.open("some-man-preview.png") as sheet:
        assert sheet.format == "PNG"
        assert (255, 182, 56) in {colour for _, colour in sheet.getcolors(2**24)}
    before = Path("some-man-preview.png").read_bytes()
    assert run("preview", "some\nman.jpg", "--size", 10)[0] == 0
    assert Path("some-man-preview.png").read_bytes() == before
    assert Path("some-man-preview-2.png").read_bytes() != before
    words = ["preview", "some\nman.jpg", "-o", "some-man-preview.png", "--no-overwrite"]
    assert run(*words)[0] == 1


def test_unused_path_is_writable_for_long_and_reserved_names(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = ["日" * 55, "本" * 55]
    unused_path(names).write_bytes(b"")
    assert unused_path(names).stem.endswith("-2")
    unused_path(names).write_bytes(b"")
    # https://learn.microsoft.com/windows/win32/fileio/naming-a-file
    named = ("CON", "nul.tar", "com¹", "lpt1 .x", "cont", "com")
    free = ["CON-1.gif", "nul-1.tar.gif", "com¹-1.gif", "lpt1-1 .x.gif", "cont.gif", "com.gif"]
    assert [str(unused_path([name])) for name in named] == free
