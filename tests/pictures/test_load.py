"""Reading pictures of every kind, and making board values of them.

Light is compared with the formulas of IEC 61966-2-1 (sRGB) and ITU-R BT.709, written out here in
plain Python.
"""

import contextlib
import gc
import hashlib
import io
import itertools
import os
import struct
import threading
import zlib
from functools import partial
from pathlib import Path
from unittest import mock

import numpy as np
import pillow_heif
import pytest
import tifffile
from fuzz.mutation import png_of, png_parts
from hypothesis import given
from hypothesis import strategies as st
from PIL import ExifTags, Image, ImageCms, ImageOps, PngImagePlugin
from tools import clips
from tools.photographs import photograph
from tools.profiles import ADOBE_GAMMA, ADOBE_RGB, grey_profile, press_profile, rgb_profile
from tools.refusals import assert_refused

import lightsanim as la
from lightsanim.board_choice import fill_in_row_count
from lightsanim.errors import PictureError
from lightsanim.options.stages import PictureOptions
from lightsanim.options.values import Size
from lightsanim.pictures import grey as greys
from lightsanim.pictures.grey import detail_factor
from lightsanim.pictures.light import encode_srgb
from lightsanim.pictures.load import load_source


def linear(encoded):
    """IEC 61966-2-1."""
    return encoded / 12.92 if encoded <= 0.04045 else ((encoded + 0.055) / 1.055) ** 2.4


def light_of(red, green, blue):
    """ITU-R BT.709."""
    return 0.2126 * linear(red / 255) + 0.7152 * linear(green / 255) + 0.0722 * linear(blue / 255)


def grey_for_board(picture, rows, columns, **options):
    return greys.grey_for_board(picture, rows, columns, PictureOptions(**options))


refusal = partial(clips.refusal, kind=PictureError)


def light_in(source, **options):
    return la.load_picture(la.Source(source), **options).light


def saved(tmp_path, image, name, **options):
    path = tmp_path / name
    image.save(path, **({"lossless": True} if path.suffix == ".webp" else {}), **options)
    return path


def grey(*levels, rows=2):
    return la.Picture(name="grey", light=np.array([levels] * rows, dtype=np.float32))


PHOTO = Image.fromarray(photograph("astronaut")[::8, ::8])
COLOURS = [(0, 0, 0), (255, 255, 255), (255, 0, 0), (0, 255, 0), (0, 0, 255), (12, 128, 200)]


@pytest.mark.parametrize("name", ["a.png", "a.tiff", "a.webp", "a.jp2", "palette.png"])
def test_colours_become_their_luminance(tmp_path, name):
    image = Image.new("RGB", (6, 1))
    image.putdata(COLOURS)
    light = light_in(saved(tmp_path, image.quantize() if "palette" in name else image, name))
    assert light.dtype == np.float32
    assert light.tolist()[0] == pytest.approx([light_of(*rgb) for rgb in COLOURS], abs=1e-6)


@pytest.mark.parametrize(("orientation", "tile"), [(5, {"tile_size": 64}), (6, {})])
def test_heic_photo_is_rotated_once(tmp_path, orientation, tile):
    # As phones do, pillow-heif says twice how it is turned: in the EXIF, and in HEIF's own terms.
    image, exif = Image.fromarray(photograph("astronaut")[:64, :96]), Image.Exif()
    exif[ExifTags.Base.Orientation] = orientation
    encoded = pillow_heif.from_pillow(image.copy())
    encoded.save(tmp_path / "a.heic", exif=exif.tobytes(), quality=95, **tile)
    image.info["exif"] = exif.tobytes()
    upright = ImageOps.exif_transpose(image)
    light = light_in(tmp_path / "a.heic")
    assert light.shape == upright.size[::-1]
    assert np.abs(light - light_in(upright)).mean() < 0.01


@pytest.mark.parametrize(("suffix", "dtype"), [("png", "<u2"), ("tiff", "<u2"), ("tiff", ">u2")])
def test_greys_of_16_bits_keep_all_of_them(tmp_path, suffix, dtype):
    ramp = np.linspace(900, 60_000, 1001).astype(dtype)
    path = saved(tmp_path, Image.fromarray(ramp[None]), f"deep.{suffix}")
    assert light_in(path)[0].tolist() == pytest.approx([linear(v / 65535) for v in ramp], abs=1e-6)


@pytest.mark.parametrize(
    ("values", "encoded"),
    [
        # Whole numbers of 32 bits are taken as 16 bits, or stretched.
        (np.array([0, 30000, 65535], np.int32), [0, 30000 / 65535, 1]),
        (np.array([-1_000_000, 0, 1_000_000], np.int32), [0, 0.5, 1]),
        ([0, 0.25, 0.5], [0, 0.25, 0.5]),
        ([0, 51, 255], [0, 0.2, 1]),
        ([0.25, float("nan"), 1], [0.25, 1, 1]),
        ([float("-inf"), 0.5, float("inf")], [0, 0.5, 1]),
        ([7, 7, 7], [1, 1, 1]),
        ([-3e38, 0, 3e38], [0, 0.5, 1]),
    ],
)
def test_float_tiff_values_are_kept_or_stretched(tmp_path, values, encoded):
    values = np.float32(values) if isinstance(values, list) else values
    light = light_in(saved(tmp_path, Image.fromarray(values[None]), "f.tiff"))
    assert light[0].tolist() == pytest.approx([linear(v) for v in encoded], abs=1e-6)


def test_other_colour_modes_are_read(tmp_path):
    # CIE 15:2004: L* = 50 is a luminance of ((50 + 16) / 116)^3 = 0.1842.
    light = light_in(saved(tmp_path, Image.new("LAB", (4, 4), (128, 0, 0)), "lab.tiff"))
    assert light.mean() == pytest.approx(0.1842, abs=0.002)
    for mode in ("YCbCr", "HSV", "RGBX", "CMYK"):
        image = Image.new("RGB", (4, 4), (12, 128, 200)).convert(mode)
        assert light_in(image).mean() == pytest.approx(light_of(12, 128, 200), abs=0.02)


@pytest.mark.parametrize("mode", ["RGBA", "LA", "PA", "RGBa", "La"])
def test_transparency_shows_the_backdrop(mode):
    image = Image.new("LA", (2, 1), (0, 255))
    image.putpixel((0, 0), (99, 0))
    image = image.convert("RGBA") if mode != "La" else image
    image = image.convert("P").convert("PA") if mode == "PA" else image.convert(mode)
    if mode == "PA":
        image.putalpha(Image.fromarray(np.array([[0, 255]], dtype=np.uint8)))
    for backdrop, rgb in {"white": (255,) * 3, "#0c80c8": (12, 128, 200)}.items():
        light = light_in(image, backdrop=backdrop)
        assert light[0].tolist() == pytest.approx([light_of(*rgb), 0], abs=1e-6)


def paletted(*colours):
    """A line of pixels, each of another entry of the palette."""
    image = Image.new("P", (len(colours), 1))
    image.putpalette([value for colour in colours for value in colour])
    image.putdata(range(len(colours)))
    return image


@pytest.mark.parametrize("suffix", ["png", "gif"])
def test_a_transparent_palette_entry_shows_the_background(tmp_path, suffix):
    image = paletted((255, 0, 0), (0, 0, 0), (255, 255, 255))
    path = saved(tmp_path, image, f"t.{suffix}", transparency=0)
    assert light_in(path, backdrop="white").tolist()[0] == pytest.approx([1, 0, 1], abs=1e-6)
    assert light_in(path, backdrop="black").tolist()[0] == pytest.approx([0, 0, 1], abs=1e-6)
    half = saved(tmp_path, paletted((0,) * 3, (0,) * 3), "t.png", transparency=bytes([128, 255]))
    # As every viewer shows half of black over white: 255 * (1 - 128 / 255) = 127.
    assert light_in(half)[0].tolist() == pytest.approx([linear(127 / 255), 0], abs=0.004)


# Depth, colour type, the line of two pixels (the first transparent), tRNS, the second pixel's light
TRNS = {
    "1-bit grey": (1, 0, b"\x40", b"\0\0", 1.0),
    "2-bit grey": (2, 0, b"\x60", b"\0\1", linear(2 / 3)),
    "4-bit grey": (4, 0, b"\x36", b"\0\3", linear(6 / 15)),
    "8-bit grey": (8, 0, b"\x28\x80", b"\0\x28", linear(128 / 255)),
    "16-bit grey": (16, 0, b"\x12\x34\x80\x80", b"\x12\x34", linear(128 / 255)),
    "8-bit colour": (8, 2, b"\1\2\3\x0c\x80\xc8", b"\0\1\0\2\0\3", light_of(12, 128, 200)),
    "16-bit colour": (
        *(16, 2, b"\x11\x22\x33\x44\x55\x66\x0c\x0c\x80\x80\xc8\xc8"),
        *(b"\x11\x22\x33\x44\x55\x66", light_of(12, 128, 200)),
    ),
    "16-bit grey, alpha": (16, 4, b"\x80\x80\0\0\x80\x80\xff\xff", b"", linear(128 / 255)),
}


@pytest.mark.parametrize("kind", TRNS)
def test_the_transparent_value_of_a_png_shows_the_background(tmp_path, kind):
    depth, colour_type, line, trns, second = TRNS[kind]
    header = b"IHDR" + struct.pack(">IIBBBBB", 2, 1, depth, colour_type, 0, 0, 0)
    parts = [header, b"tRNS" + trns, b"IDAT" + zlib.compress(b"\0" + line), b"IEND"]
    path = tmp_path / "by-hand.png"  # as Pillow does not write all of these
    path.write_bytes(png_of([part for part in parts if part != b"tRNS"]))
    light = light_in(path, backdrop="#0080ff")
    assert light[0].tolist() == pytest.approx([light_of(0, 128, 255), second], abs=1e-5)


# What a viewer does for each EXIF orientation (Exif 2.32, tag 274), in numpy's words.
TURNS = {
    1: lambda a: a,
    2: np.fliplr,
    3: lambda a: np.rot90(a, 2),
    4: np.flipud,
    5: np.transpose,
    6: lambda a: np.rot90(a, -1),
    7: lambda a: np.rot90(a, 2).T,
    8: np.rot90,
}


@pytest.mark.parametrize("suffix", ["png", "tiff", "webp"])
def test_a_picture_is_turned_as_its_exif_says(tmp_path, suffix):
    pixels = np.array([[0, 60, 120], [180, 220, 255]], dtype=np.uint8).repeat(2, 1)
    for orientation, turn in TURNS.items():
        exif = Image.Exif()
        exif[274] = orientation
        path = saved(tmp_path, Image.fromarray(pixels), f"turn.{suffix}", exif=exif)
        assert np.allclose(light_in(path), turn(light_in(pixels)), atol=1e-6)


def test_damaged_exif_and_warnings_are_ignored(tmp_path):
    image = Image.new("RGB", (8, 8), "white")
    path = saved(tmp_path, image, "bad.jpg", exif=b"Exif\0\0II*\0\xff\xff\xff\xff junk")
    assert light_in(path).min() > 0.99
    la.load_picture(saved(tmp_path, paletted((0, 0, 0)), "odd.png", transparency=bytes([0])))


def test_multipage_tiff_uses_first_page(tmp_path):
    white, *pages = (Image.new("RGB", (4, 4), colour) for colour in ("white", "black", "red"))
    path = tmp_path / "the sun.v2.txt"
    white.save(path, "TIFF", save_all=True, append_images=pages)
    picture = la.load_picture(str(path))
    assert (picture.name, picture.light.min() > 0.99) == ("the sun.v2", True)


def test_large_pictures_are_decoded_in_bands_without_seams():
    pixels = np.random.default_rng(1).integers(0, 256, (1500, 1100, 3), dtype=np.uint8)
    light = light_in(pixels)
    rows = [0, 453, 454, 455, 908, 909, 1499]
    assert np.array_equal(light[rows], light_in(pixels[rows]))


def test_arrays_and_pillow_images_are_pictures_too():
    pixels = photograph("astronaut")[:40, :50]
    assert la.load_picture(pixels).name == "picture"
    assert np.array_equal(light_in(pixels), light_in(Image.fromarray(pixels)))
    opaque = np.dstack([pixels, np.full(pixels.shape[:2], 255, dtype=np.uint8)])
    assert np.array_equal(light_in(pixels), light_in(opaque))
    assert np.array_equal(light_in(pixels[..., 0]), light_in(pixels[..., 0] / 255))
    for deep in (pixels / 255, pixels.astype(np.uint16) * 257, (opaque / 255).astype(np.float32)):
        assert np.allclose(light_in(deep), light_in(pixels), atol=1e-6)
    clear = np.dstack([pixels / 255, np.zeros(pixels.shape[:2])])
    assert np.array_equal(light_in(clear), np.ones(pixels.shape[:2], np.float32))  # the backdrop
    for kind in (bool, np.int64, np.int8, np.uint32):
        assert light_in(np.eye(3, dtype=kind)).tolist() == np.eye(3).tolist()
    assert light_in(Image.fromarray(np.eye(3) > 0)).tolist() == np.eye(3).tolist()  # of one bit
    assert np.array_equal(light_in(pixels[::-1, ::2]), light_in(pixels)[::-1, ::2])


@pytest.mark.parametrize(
    ("source", "facts"),
    [
        (np.array([[0.5, 1.5]]), "0.5..1.5"),
        (np.full((2, 2, 3), np.nan), "nan"),
        (np.zeros((2, 2, 3), dtype=complex), "complex128 (2, 2, 3)"),
        (np.full((2, 2), None), "object (2, 2)"),
        (np.full((2, 2), 2), "int64 (2, 2)"),
        (np.zeros((2, 2, 5), dtype=np.uint8), "uint8 (2, 2, 5)"),
        (np.zeros(4), "float64 (4,)"),
        (np.zeros((0, 4)), "(0, 4)"),
        (Image.new("L", (0, 4)), "0x4"),
        (None, "NoneType"),
        *((name, "cannot read") for name in ("a\nb.png", "a\0b.png", "a" * 5000)),
    ],
)
def test_load_picture_invalid_input_is_refused(source, facts):
    assert_refused(lambda: la.load_picture(source), facts, PictureError)


def test_a_picture_holds_light_in_range():
    pictures = [np.eye(4), 2 * np.eye(4), np.eye(4)]
    assert_refused(lambda: la.make(pictures, size=4), "picture 2:", PictureError)
    for light in (np.zeros((2, 2)), np.zeros(3, np.float32), np.full((2, 2), np.nan, np.float32)):
        assert_refused(partial(la.Picture, name="a", light=light), "light", PictureError)


def piped(path, content):
    """Bytes in a named pipe, which can be read once."""
    os.mkfifo(path)
    threading.Thread(target=path.write_bytes, args=[content]).start()
    return path


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
@pytest.mark.posix
def test_a_picture_may_come_from_a_pipe(tmp_path, run):
    noise = np.random.default_rng(0).integers(0, 256, (300, 400), np.uint8)
    contents = {}
    for name in ("a.png", "b.tiff", "c.webp"):  # read from the head, from the tail, and whole
        file = saved(tmp_path, Image.fromarray(np.roll(noise, len(contents))), name)
        contents[tmp_path / f"pipe {name}"] = file.read_bytes()  # more than a pipe holds
    pipes = itertools.starmap(piped, contents.items())
    status, _, err = run("make", *pipes, "-o", "a.json", "--size", "8x6")
    assert status == 0, err
    film = la.load_animation("a.json")
    assert film.origin.sha256 == tuple(hashlib.sha256(c).hexdigest() for c in contents.values())
    assert film.pictures == ("pipe a", "pipe b", "pipe c")
    for content in (b"", b"dear"):
        path = piped(tmp_path / f"{len(content)}.png", content)
        assert refusal(path).startswith(f"cannot read {path}: ")


def test_each_still_of_a_film_is_read_and_decoded_once(tmp_path, monkeypatch):
    white, clear = Image.new("L", (60, 40), 255), Image.new("RGBA", (60, 40), (255, 255, 255, 9))
    images = {"white.png": white, "clear.png": clear, "photo.jpg": PHOTO}
    paths = [saved(tmp_path, image, name) for name, image in images.items()]
    reads, decodings = mock.Mock(side_effect=open), mock.Mock(side_effect=Image.open)
    la.make([PHOTO, PHOTO], size=6)  # loads what Pillow opens only once
    monkeypatch.setattr("builtins.open", reads)
    monkeypatch.setattr(Image, "open", decodings)
    la.make(paths, size=6)
    assert sorted(Path(call.args[0]) for call in reads.mock_calls) == sorted(paths)
    assert decodings.call_count == 3


def test_a_damaged_tiff_logs_nothing(tmp_path, caplog):
    # With a byte of its tags changed, of which tifffile has much to say.
    tifffile.imwrite(tmp_path / "a.tif", np.zeros((9, 7, 3), np.float32), photometric="rgb")
    good = (tmp_path / "a.tif").read_bytes()
    for offset in (12, 14):
        path = tmp_path / f"{offset}.tif"
        path.write_bytes(good[:offset] + bytes([good[offset] ^ 0xFF]) + good[offset + 1 :])
        assert refusal(path)
    assert not caplog.records


@pytest.mark.parametrize("excess", [1, 3])
def test_load_picture_over_pixel_limit_is_refused(monkeypatch, tmp_path, excess):
    path = saved(tmp_path, Image.new("L", (100, 100)), "big.png")
    limit = 10_000 // excess - 1  # just over it Pillow only warns, over twice the limit it raises
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", limit)
    assert all(number in refusal(path) for number in ("10000", f"{limit}"))
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 10_000)
    assert light_in(path).shape == (100, 100)


# Libtiff reads .tif, which is compressed, and would write to standard error by itself.
FORMATS = ["png", "jpg", "gif", "tif", "tiff", "webp", "bmp", "jp2", "avif", "heic"]


@pytest.mark.parametrize("suffix", FORMATS)
def test_every_picture_format_cut_or_damaged_is_refused(tmp_path, suffix, capfd):
    gc.freeze()  # what is there already; looking through it would take longer than the test
    path = tmp_path / f"a.{suffix}"
    packing = {"compression": "tiff_lzw"} if suffix == "tif" else {}
    (pillow_heif.from_pillow(PHOTO) if suffix == "heic" else PHOTO).save(path, **packing)
    assert np.abs(light_in(path) - light_in(PHOTO)).mean() < 0.05
    content = path.read_bytes()
    for share in (0.02, 0.6):
        path.write_bytes(content[: int(len(content) * share)])
        assert refusal(path).startswith(f"cannot read {path}: ")
    rng = np.random.default_rng(3)
    for _ in range(4):
        damaged = np.array(bytearray(content))
        # Headers are where parsers trip, so half of the damage is done there.
        where = np.append(rng.integers(0, 100, 3), rng.integers(0, len(content), 3))
        damaged[where] = rng.integers(0, 256, 6)
        path.write_bytes(damaged.tobytes())
        with contextlib.suppress(PictureError):
            la.load_picture(path)
    gc.collect()  # a file left open would warn now, and a warning fails the test
    gc.unfreeze()
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("error", [KeyError("x"), MemoryError(), zlib.error("z\nz")])
def test_plugin_exception_becomes_picture_error(tmp_path, error):
    path = saved(tmp_path, Image.new("L", (1, 1)), "a.png")
    with mock.patch.object(PngImagePlugin.PngImageFile, "load", side_effect=error):
        assert refusal(path).startswith(f"cannot read {path}: ")


PLAIN = {"autocontrast": False, "detail": 0}


def test_rows_keep_the_pictures_shape():
    for shape, columns, rows in [((400, 600), 60, 40), ((1, 500), 20, 1), ((500, 1), 2, 1000)]:
        picture, size = la.load_picture(np.zeros(shape)), Size(columns=columns, rows=None)
        assert fill_in_row_count(size, picture, None).rows == rows


BAND, MARGIN = [0, 0, 1, 1, 1, 1, 0, 0], [188 / 255] * 8


@pytest.mark.parametrize(
    ("fit", "expected"),
    [
        ("cover", np.ones((4, 4))),
        ("stretch", [BAND] * 8),
        ("contain", [MARGIN] * 2 + [BAND] * 4 + [MARGIN] * 2),
    ],
)
def test_a_picture_of_another_shape_is_cut_stretched_or_framed(fit, expected):
    wide = grey(*BAND, rows=4)
    tall = la.Picture(name="tall", light=np.ascontiguousarray(wide.light.T))
    for picture, values in ((wide, expected), (tall, np.transpose(expected))):
        shape = np.shape(expected)
        shades = grey_for_board(picture, *shape, fit=fit, backdrop="#bcbcbc", **PLAIN)
        assert np.allclose(shades, values, atol=1e-6)


def test_margins_have_no_part_in_the_contrast():
    photo = la.load_picture(photograph("camera")[100:200])
    alone = grey_for_board(photo, 12, 60, fit="stretch")
    framed = grey_for_board(photo, 60, 60, fit="contain", backdrop="black")
    assert framed.shape == (60, 60)
    assert np.allclose(framed[24:36], alone, atol=0.02)
    assert not framed[:24].any()


def test_light_is_averaged_and_not_its_encoding():
    # A fine checkerboard sends out half the light of white: 0.7354 encoded (IEC 61966-2-1).
    board = la.Picture(name="fine", light=np.indices((64, 64)).sum(0).astype(np.float32) % 2)
    assert np.allclose(grey_for_board(board, 4, 4, **PLAIN), 0.7354, atol=0.01)


def test_gamma_linear_tone_and_inversion_keep_the_ends():
    light = np.array([0.0, 0.1, 0.5, 1.0])
    picture = grey(*light)
    assert np.allclose(grey_for_board(picture, 2, 4, tone="linear", **PLAIN), light, atol=1e-6)
    plain = grey_for_board(picture, 2, 4, **PLAIN)
    assert np.allclose(grey_for_board(picture, 2, 4, gamma=2, **PLAIN), np.sqrt(plain))
    assert np.allclose(grey_for_board(picture, 2, 4, invert=True, **PLAIN), 1 - plain)


def test_autocontrast_fills_range_except_flat_pictures():
    murky = la.load_picture(0.4 + 0.2 * photograph("camera") / 255)
    values = grey_for_board(murky, 50, 50, detail=0)
    # 2% is cut at both ends, which is 50 of 2500 cells.
    assert 45 <= (values == 0).sum() <= 55
    assert 45 <= (values == 1).sum() <= 100
    flat = la.load_picture(np.full((9, 9), 0.5))
    assert np.allclose(grey_for_board(flat, 9, 9), 0.5, atol=1e-6)
    noise = la.load_picture(0.5 + 0.005 * np.random.default_rng(0).random((60, 60)))
    assert np.ptp(grey_for_board(noise, 60, 60, detail=0)) < 0.02


def test_detail_raises_local_contrast_and_fades_on_large_boards():
    edge = la.load_picture(np.repeat([0.4, 0.6], 30)[None].repeat(60, 0))
    plain = {"autocontrast": False}
    off, low, high = (grey_for_board(edge, 60, 60, **plain, detail=d) for d in (0, 1.5, 3))
    assert np.ptp(off) < np.ptp(low) < np.ptp(high)
    assert np.allclose(low[:, :15], off[:, :15], atol=0.01)  # far from the edge nothing changes
    shares = [detail_factor(side, 2 * side) for side in (40, 60, 100, 300, 1080)]
    assert shares == sorted(shares, reverse=True)
    assert shares[1] > 0.95
    assert shares[-1] < 0.1


# Colour profiles; the expected light is that of the curves and colorants that were written.

TO_SRGB = np.linalg.inv(  # of light under D50, by Bruce Lindbloom's tables
    [[0.4360747, 0.3850649, 0.1430804], [0.2225045, 0.7168786, 0.0606169],
     [0.0139322, 0.0971045, 0.7141733]]
)  # fmt: skip


def light_with(tmp_path, profile, image, suffix, **options):
    return light_in(saved(tmp_path, image, f"a{suffix}", icc_profile=profile), **options)[0, 0]


@pytest.mark.parametrize(("mode", "suffix"), [("RGB", ".png"), ("RGBA", ".tiff"), ("P", ".png")])
def test_adobe_rgb_profile_is_converted(tmp_path, mode, suffix):
    colour = np.array([200, 120, 90])
    light = TO_SRGB @ np.array(ADOBE_RGB).T @ (colour / 255) ** ADOBE_GAMMA
    image = Image.new("RGB", (8, 8), tuple(colour.tolist()))
    image = image.quantize(2) if mode == "P" else image.convert(mode)
    words = tmp_path, rgb_profile(), image, suffix
    assert light_with(*words, rgb=True) == pytest.approx(light, abs=0.005)
    grey = light_with(*words)
    assert grey == pytest.approx(light @ [0.2126, 0.7152, 0.0722], abs=0.005)
    assert abs(grey - light_of(*colour)) > 0.02  # what it was without
    clear = Image.new("RGBA", (4, 4), (200, 120, 90, 0))
    light = light_with(tmp_path, rgb_profile(), clear, ".png", backdrop="#808080")
    assert light == pytest.approx(linear(128 / 255), abs=1e-6)


@pytest.mark.parametrize("value", [3, 250])
def test_greys_of_a_straight_curve_are_light_itself(tmp_path, value):
    for kind, scale in [(np.uint8, 1), (np.uint16, 257)]:
        image = Image.fromarray(np.full((4, 4), value * scale, kind))
        light = light_with(tmp_path, grey_profile(1.0), image, ".png")
        assert light == pytest.approx(value / 255, abs=0.004)
    deep = Image.fromarray(np.arange(20_000, 21_000, dtype=np.uint16)[None])
    deep.info["icc_profile"] = grey_profile(1.8)
    assert len(np.unique(light_in(deep))) == 1000  # more than bytes


def test_inks_are_as_dark_as_their_press_prints_them(tmp_path):
    image = Image.new("CMYK", (8, 8), (0, 0, 0, 128))
    lightness = 100 * (1 - 128 / 255)
    light = light_with(tmp_path, press_profile(), image, ".tiff")
    assert light == pytest.approx(((lightness + 16) / 116) ** 3, abs=0.005)  # CIE 15:2004


@pytest.mark.parametrize(
    "profile",
    [
        ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes(),
        *(b"", b"x", rgb_profile()[:140], rgb_profile()[:300], rgb_profile() + bytes(20_000_000)),
        *(grey_profile(1.0), press_profile(), rgb_profile().replace(b"RGB ", b"XYZ ")),
    ],
    ids=len,  # The first profile contains the time at which it was made.
)
def test_unusable_colour_profile_is_ignored(tmp_path, profile):
    image = Image.new("RGB", (4, 4), (200, 120, 90))
    image.info["icc_profile"] = profile
    assert light_in(image)[0, 0] == pytest.approx(light_of(200, 120, 90), abs=1e-6)


@given(st.sampled_from([rgb_profile(), press_profile()]), st.randoms(use_true_random=False))
def test_damaged_colour_profile_never_fails(profile, random):
    damaged = bytearray(profile)
    for _ in range(random.randrange(1, 9)):
        damaged[random.randrange(min(len(damaged), 600))] = random.randrange(256)
    image = Image.new("RGB" if profile[16:20] == b"RGB " else "CMYK", (4, 4))
    image.info["icc_profile"] = bytes(damaged)
    assert light_in(image).shape == (4, 4)


# What every viewer shows, though something about it is unusual; and clear refusals.

WIDE_PHOTO = Image.fromarray(photograph("astronaut")[:150, :200])


def content_of(kind, image=WIDE_PHOTO, **options):
    content = io.BytesIO()
    image.save(content, kind, **options)
    return content.getvalue()


jpeg = partial(content_of, "JPEG", quality=95)


SHADES = np.array([[0, 85], [170, 255]], np.uint8)  # sRGB-encoded
PIXELS = np.dstack([SHADES] * 3 + [0 * SHADES]).tobytes()  # blue, green, red, alpha
UPSIDE_DOWN = np.dstack([SHADES[::-1]] * 3 + [0 * SHADES]).tobytes()
# Headers of Truevision TGA 2.0 (no alpha bits), of a BMP with masks (version 4) and of an icon.
TGA = struct.pack("<BBB9x4H", 0, 0, 2, 2, 2, 32, 0)[:16] + b"\x20\x20"
MASKS = struct.pack("<4I", 0xFF0000, 0xFF00, 0xFF, 0xFF000000)
V4 = struct.pack("<IiiHHIIiiII", 108, 2, 2, 1, 32, 3, 16, 0, 0, 0, 0) + MASKS + bytes(52)
BMP = b"BM" + struct.pack("<IHHI", 14 + 108 + 16, 0, 0, 14 + 108) + V4
DIB = struct.pack("<IiiHHIIiiII", 40, 2, 4, 1, 32, 0, 0, 0, 0, 0, 0) + UPSIDE_DOWN + bytes(8)
ICO = struct.pack("<HHHBBBBHHII", 0, 1, 1, 2, 2, 0, 0, 1, 32, len(DIB), 22)


@pytest.mark.parametrize("content", [TGA + PIXELS, BMP + UPSIDE_DOWN, ICO + DIB], ids=len)
def test_alpha_bytes_that_are_all_0_count_as_opaque(content):
    np.testing.assert_allclose(light_in(content), light_in(SHADES), atol=1e-6)


def png_with(chunk, image=WIDE_PHOTO):
    """An image with a chunk after its header."""
    head, *parts = png_parts(content_of("PNG", image))
    return png_of([head, chunk, *parts])


LARGE = zlib.compress(bytes(2_000_000))


@pytest.mark.parametrize(
    "content",
    [
        png_with(b"zTXtComment\0\0" + LARGE),
        png_with(b"iTXtComment\0\1\0\0\0" + LARGE),
        png_with(b"tEXtComment\0hello").replace(b"hello", b"HELLO"),  # a wrong checksum
        png_with(b"iCCPprofile\0\0" + zlib.compress(bytes(20_000_000))),
        png_with(b"iCCPprofile\0\7damaged"),
        png_with(b"gAMA\1"),
    ],
    ids=len,
)
def test_png_metadata_never_refuses_a_picture(content):
    assert np.array_equal(light_in(content), light_in(WIDE_PHOTO))


def test_png_profile_of_over_1_mb_is_applied():
    profile = rgb_profile() + bytes(1_100_000)
    packed = zlib.compress(struct.pack(">I", len(profile)) + profile[4:])
    grey = Image.new("RGB", (2, 2), (90, 90, 90))
    light = light_in(png_with(b"iCCPprofile\0\0" + packed, grey))
    assert light == pytest.approx((90 / 255) ** ADOBE_GAMMA, abs=0.005)


@pytest.mark.parametrize("options", [{}, {"progressive": True}, {"subsampling": 0}])
def test_jpeg_without_its_end_marker_is_read(options):
    whole = jpeg(**options)
    assert np.array_equal(light_in(whole[:-2]), light_in(whole))
    assert "truncated" in refusal(la.Source(whole[:-200]))


@pytest.mark.parametrize(("limit", "factor"), [(29_999, 2), (7_000, 4)])
def test_jpeg_of_too_many_pixels_is_reduced(monkeypatch, limit, factor):
    settings, board = la.Settings(size="6x5", autocontrast=False, detail=0), la.Board(5, 6)
    whole = light_in(jpeg())
    part = la.load_picture(encode_srgb(whole[20:120, 40:160]))
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", limit)
    light = light_in(jpeg())
    assert light.shape == (-(-150 // factor), 200 // factor)
    blocks = whole[: 150 // factor * factor].reshape(150 // factor, factor, -1, factor)
    assert np.abs(light[: 150 // factor] - blocks.mean(axis=(1, 3))).mean() < 0.01
    # Positions in pixels are those of the file.
    cropped = la.load_picture(la.Source(jpeg(), crop="40,20,160,120"))
    grey = la.targets_for(cropped, board, settings)[0].grey
    assert np.abs(grey - la.targets_for(part, board, settings)[0].grey).max() < 0.05
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 1_000)
    assert "30000 pixels" in refusal(la.Source(jpeg()))


@pytest.mark.parametrize("major", [b"hevc", b"xxxx"])
def test_heif_is_known_by_any_of_its_brands(tmp_path, major):
    encoded = io.BytesIO()
    pillow_heif.from_pillow(WIDE_PHOTO).save(encoded, quality=95, tile_size=64)
    content = encoded.getvalue()
    (tmp_path / "a.heic").write_bytes(content[:8] + major + content[12:])
    assert np.abs(la.load_picture(tmp_path / "a.heic").light - light_in(WIDE_PHOTO)).mean() < 0.01


@pytest.mark.parametrize(
    ("names", "others"),
    [
        (["01.png", "02.png"], ["._01.png", ".02.png"]),  # as Macs write them
        (["frame (1).png", "frame (2).png"], ["page1.pdf"]),
        (["9_out.png", "10_out.png"], ["cover.png"]),
    ],
)
def test_folder_frames_are_pictures_with_a_number(tmp_path, names, others):
    for name in others:
        (tmp_path / name).write_bytes(b"no picture")
    for name, shade in zip(names, (0, 255), strict=True):
        Image.new("L", (4, 3), shade).save(tmp_path / name)
    assert [picture.light.max() for picture in clips.pictures_of(load_source(tmp_path), 25)] == [
        0,
        1,
    ]


SVG = '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"><path d="m0 0"/></svg>'


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (SVG, "it is an SVG; export it as PNG"),
        ("#..\n.#.\n", "it is a board: lightsanim solve {} -o x.gif"),
        ("dear diary", "it is not a picture or clip of a known format"),
    ],
)
def test_file_that_is_no_picture_is_named(tmp_path, content, words):
    (path := tmp_path / "a.txt").write_text(content)
    assert refusal(path).startswith(f"cannot read {path}: {words.format(path)}")


def test_file_named_like_an_option_is_explained(refused):
    refused(("make", "-v.png", "sample:sun", "-o", "a.gif"), 2, "./-v.png")


def test_picture_of_absurd_shape_is_named(tmp_path, refused):
    Image.new("1", (2_000_000, 1)).save(tmp_path / "wide.png")
    refused(("make", tmp_path / "wide.png", "sample:sun", "-o", "a.gif"), 1, "wide.png 2000000x1")
    line = la.load_picture(np.zeros((900_000, 1)))
    with pytest.raises(la.OptionError, match="'picture' has 1x900000 pixels"):
        la.make([line, line], size=100)
    assert la.make([line, line]).board.columns == 1
