"""The preview: every tile is what `make` would show; nothing is written where it must not be."""

import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from tools.photographs import photograph

import lightsanim as la
from lightsanim.options.choices import DITHERS, LEVELS
from lightsanim.options.colours import to_spot
from lightsanim.options.settings import PRESETS, settings_from_values
from lightsanim.output.saving.output_files import choose_unused_path

# Colours of the palette ink, and pixels of a cell where 40 columns make a tile.
UNLIT, LIT, CELL = 0x19, 0xF2, 6


def tile_of(picture, options, cell=CELL):
    """The target of these options in cells of so many pixels: uint8 (height, width, 3)."""
    settings = settings_from_values(options)
    if settings.spot:
        film = la.make([picture, picture], **options)
        colours = np.array([c.rgb for c in to_spot(film.origin.settings["spot"])], np.uint8)
        return colours[film.targets[0]].repeat(cell, axis=0).repeat(cell, axis=1)
    loaded = la.load_picture(picture, rgb=settings.rgb)
    columns, rows = settings.size.columns, settings.size.rows or settings.size.columns
    board = la.Board(rows, columns, levels=settings.levels)
    planes = [target.configuration for target in la.targets_for(loaded, board, settings)]
    shades = np.stack(planes * (3 // len(planes)), axis=2) / (settings.levels - 1)
    pixels = np.rint(UNLIT + shades * (LIT - UNLIT)).astype(np.uint8)
    return pixels.repeat(cell, axis=0).repeat(cell, axis=1)


def has_tile(sheet, tile):
    """Is the tile somewhere on the sheet?  Both are uint8 (height, width, 3)."""
    height, width, _ = tile.shape
    middle = height // 2
    for match in re.finditer(re.escape(tile[middle].tobytes()), sheet.tobytes()):
        top, left = np.subtract(divmod(match.start() // 3, sheet.shape[1]), (middle, 0))
        if np.array_equal(sheet[top : top + height, left : left + width], tile):
            return True
    return False


@pytest.mark.long
@pytest.mark.parametrize("base", [{}, {"levels": 3, "invert": True, "size": "40x40"}])
def test_preview_tiles_match_make(base):
    pixels = photograph("astronaut")[:240:2, 100:340:2]
    options = {"size": 40, **base}
    sheet = np.asarray(la.preview(pixels, **options))
    for change in (
        *({"dither": name} for name in DITHERS),
        *({"levels": levels} for levels in LEVELS),
        *({"preset": name} for name in PRESETS),
        *({"detail": 0}, {"gamma": 1.6}, {"tone": "linear"}, {"autocontrast": False}),
        {"invert": "invert" not in base},
        *({"rgb": True}, {"rgb": True, "levels": 5}),
    ):
        assert has_tile(sheet, tile_of(pixels, options | change)), change
    for size, cell in ((30, 8), (60, 4), (80, 3), (120, 2), (240, 1)):
        size = f"{size}x{size}" if "size" in base else size
        assert has_tile(sheet, tile_of(pixels, options | {"size": size}, cell)), size
    assert not has_tile(sheet, tile_of(pixels, options | {"detail": 1.3}))


def test_preview_of_parts_and_of_flat_art_matches_make():
    # A black triangle with smooth edges; error diffusion would give it teeth.
    y, x = np.mgrid[:90, :90]
    triangle = (np.clip((x - y / 2 - 20) / 3, 0, 1) * 255).astype(np.uint8)
    colours, dithered = {"rgb": True, "levels": 5}, {"dither": "atkinson"}
    for pixels, own, changes in (
        (photograph("astronaut")[::4, ::4], {"crop": "40%,5%,80%,45%", "detail": 2}, [colours]),
        (triangle, {}, [{"levels": 5}, {"dither": "floyd-steinberg"}]),
        (photograph("astronaut")[:120:4, ::4], {"fit": "contain"}, []),
    ):
        sheet = np.asarray(la.preview(la.Source(pixels, **own), size="12x12"))
        for change in ({}, dithered, *changes):
            tile = tile_of(pixels, {"size": "12x12", **own, **change}, 20)
            assert has_tile(sheet, tile), change


@pytest.mark.parametrize("size", ["1x1", "480x3", pytest.param("3x480", marks=pytest.mark.long)])
def test_boards_of_all_shapes_are_shown(size):
    sheet = la.preview(np.eye(1 if size == "1x1" else 9), size=size)
    assert sheet.mode == "RGB"
    assert max(sheet.size) < 7000


def test_preview_command_never_overwrites_by_default(run):
    Image.fromarray(photograph("camera")[::16, ::16]).save("some\nman.jpg")
    words, path = ["preview", "some\nman.jpg@detail=3", "--size"], Path("some-man-preview.png")
    status, out, err = run(*words, 8, "--palette", "amber")
    assert (status, out) == (0, "")
    assert "man-preview.png" in err
    with Image.open(path) as sheet:
        assert sheet.format == "PNG"
        assert (255, 182, 56) in {colour for _, colour in sheet.getcolors(2**24)}
    content = path.read_bytes()
    assert run(*words, 6)[0] == 0
    assert path.read_bytes() == content != Path("some-man-preview-2.png").read_bytes()
    assert run(*words, 6, "-o", path, "--no-overwrite")[0] == 1


def test_unused_path_is_writable_for_long_and_reserved_names(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = ["日" * 55, "本" * 55]
    choose_unused_path(names).write_bytes(b"")
    assert choose_unused_path(names).stem.endswith("-2")
    choose_unused_path(names).write_bytes(b"")
    # https://learn.microsoft.com/windows/win32/fileio/naming-a-file
    named = ("CON", "nul.tar", "com¹", "lpt1 .x", "cont", "com")
    free = ["CON-1.gif", "nul-1.tar.gif", "com¹-1.gif", "lpt1-1 .x.gif", "cont.gif", "com.gif"]
    assert [str(choose_unused_path([name])) for name in named] == free
