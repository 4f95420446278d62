"""Pictures that every viewer shows, though something about them is unusual; and clear refusals."""

import io
import struct
import zlib
from unittest import mock

import numpy as np
import pillow_heif
import pytest
from PIL import Image
from tools.clips import pictures_of, refusal
from tools.photographs import photograph
from tools.profiles import ADOBE_GAMMA, rgb_profile

import lightsanim as la
from lightsanim.inputs.load import load_source
from lightsanim.pictures.light import encode_srgb

PHOTO = Image.fromarray(photograph("astronaut")[:150, :200])


def light_in(content, **own):
    return la.load_picture(la.Source(content, **own)).light


def jpeg(**options):
    content = io.BytesIO()
    PHOTO.save(content, "JPEG", quality=95, **options)
    return content.getvalue()


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
    assert np.array_equal(light_in(content), light_in(SHADES))


def png_with(*chunks, image=PHOTO):
    """An image with chunks after its header: kind, content, and checksum if it is wrong."""
    content = io.BytesIO()
    image.save(content, "PNG")
    more = b""
    for kind, data, checksum in chunks:
        checksum = zlib.crc32(kind + data) if checksum is None else checksum
        more += struct.pack(">I", len(data)) + kind + data + struct.pack(">I", checksum)
    return content.getvalue()[:33] + more + content.getvalue()[33:]


LARGE = zlib.compress(bytes(2_000_000))


@pytest.mark.parametrize(
    "chunk",
    [
        (b"zTXt", b"Comment\0\0" + LARGE, None),
        (b"iTXt", b"Comment\0\1\0\0\0" + LARGE, None),
        (b"tEXt", b"Comment\0hello", 0),
        (b"iCCP", b"profile\0\0" + zlib.compress(bytes(20_000_000)), None),
        (b"iCCP", b"profile\0\7damaged", None),
        (b"gAMA", b"\1", None),
    ],
    ids=lambda chunk: chunk[0].decode(),
)
def test_png_metadata_never_refuses_a_picture(chunk):
    assert np.array_equal(light_in(png_with(chunk)), light_in(PHOTO))


def test_png_profile_of_over_1_mb_is_applied():
    profile = rgb_profile() + bytes(1_100_000)
    chunk = b"iCCP", b"profile\0\0" + zlib.compress(struct.pack(">I", len(profile)) + profile[4:])
    grey = Image.new("RGB", (2, 2), (90, 90, 90))
    light = light_in(png_with((*chunk, None), image=grey))
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
    pillow_heif.from_pillow(PHOTO).save(encoded, quality=95, tile_size=64)
    content = encoded.getvalue()
    (tmp_path / "a.heic").write_bytes(content[:8] + major + content[12:])
    assert np.abs(la.load_picture(tmp_path / "a.heic").light - light_in(PHOTO)).mean() < 0.01


def test_damaged_tiff_writes_nothing_of_its_own(tmp_path, capfd):
    PHOTO.save(tmp_path / "a.tif", compression="tiff_lzw")
    content = bytearray((tmp_path / "a.tif").read_bytes())
    content[100:400] = bytes(300)
    (tmp_path / "a.tif").write_bytes(content)
    assert refusal(tmp_path / "a.tif")
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("suffix", ["jpg", "png"])
def test_pillow_opens_each_still_once(tmp_path, monkeypatch, suffix):
    PHOTO.save(path := tmp_path / f"a.{suffix}")
    spy = mock.Mock(side_effect=Image.open)
    la.make([PHOTO, PHOTO], size=6)  # loads what Pillow opens only once
    monkeypatch.setattr(Image, "open", spy)
    la.make([path, PHOTO], size=6)
    assert spy.call_count == 1


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
    assert [picture.light.max() for picture in pictures_of(load_source(tmp_path), 25)] == [0, 1]


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
