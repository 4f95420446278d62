"""Stills with deep samples: OpenEXR and the TIFFs that Pillow misreads.

Expected values follow from the formats' specifications: "OpenEXR File Layout" and TIFF 6.0.
"""

import struct
from functools import partial

import numpy as np
import pytest
import tifffile
from PIL import Image
from tools import clips

import lightsanim as la
from lightsanim.errors import PictureError

refusal = partial(clips.refusal, kind=PictureError)
SHARE = np.array([[0, 0.25, 0.5, 0.75, 1], [0.75, 0.5, 1, 0.25, 0]])
RGB = np.dstack([SHARE, SHARE / 2, 1 - SHARE])
HALF = np.full(SHARE.shape, 0.5)


def write_exr(path, channels, kind="<f2", flags=0, size=SHARE.shape[::-1]):
    """Write an uncompressed EXR file of channels, arrays by name."""
    names, code = sorted(channels), {"<u4": 0, "<f2": 1, "<f4": 2}[kind]
    listed = b"".join(name.encode() + struct.pack("<B4I", 0, code, 0, 1, 1) for name in names)
    window = struct.pack("<4i", 0, 0, size[0] - 1, size[1] - 1)
    head = struct.pack("<4sI", b"v/1\x01", 2 | flags) + b"".join(
        f"{name}\0{kind}\0".encode() + struct.pack("<I", len(value)) + value
        for name, kind, value in (
            ("channels", "chlist", listed + b"\0"),
            ("compression", "compression", b"\0"),
            ("dataWindow", "box2i", window),
            ("displayWindow", "box2i", window),
            ("lineOrder", "lineOrder", b"\0"),
            ("pixelAspectRatio", "float", struct.pack("<f", 1)),
            ("screenWindowCenter", "v2f", bytes(8)),
            ("screenWindowWidth", "float", struct.pack("<f", 1)),
        )
    )
    lines = [np.array([channels[name][y] for name in names], kind).tobytes() for y in range(2)]
    first, step = len(head) + 1 + 16, 8 + len(lines[0])
    head += b"\0" + struct.pack("<2Q", first, first + step)
    path.write_bytes(head + b"".join(struct.pack("<2I", y, step - 8) + lines[y] for y in range(2)))
    return path


ZERO = 0 * SHARE
COLOURS = dict(zip("RGB", RGB.transpose(2, 0, 1), strict=True))
GREY = np.dstack([SHARE] * 3)


def in_layer(name, channels):
    return {f"{name}.{letter}": values for letter, values in channels.items()}


@pytest.mark.parametrize("kind", ["<f2", "<f4", "<u4"])
@pytest.mark.parametrize(
    ("channels", "light"),
    [
        (COLOURS, RGB),
        # Alpha is already multiplied into the light; the backdrop is white.
        ({**COLOURS, "A": HALF}, RGB + 0.5),
        ({"Y": SHARE}, GREY),
        ({"Y": SHARE / 2, "A": HALF}, GREY / 2 + 0.5),
        ({"Z": SHARE}, GREY),
        (in_layer("View.Depth", {"Z": SHARE}), GREY),
        (in_layer("View.Combined", COLOURS) | in_layer("View.AO", {**COLOURS, "G": ZERO}), RGB),
        ({**COLOURS, "X": ZERO, "Y": ZERO} | in_layer("Combined", {**COLOURS, "G": ZERO}), RGB),
        (in_layer("N", dict.fromkeys("XYZ", ZERO)) | in_layer("N2", COLOURS), RGB),
    ],
)
def test_exr_channels_of_the_picture_are_shown(tmp_path, channels, light, kind):
    scale = 2**32 - 1 if kind == "<u4" else 1
    scaled = {name: np.minimum(values * scale, scale) for name, values in channels.items()}
    path = write_exr(tmp_path / "a.exr", scaled, kind)
    assert np.abs(la.load_picture(path, rgb=True).light - np.clip(light, 0, 1)).max() < 0.001


def test_exr_without_a_picture_names_its_layers(tmp_path):
    vectors = in_layer("View.Normal", dict.fromkeys("XYZ", SHARE)) | dict.fromkeys("UV", SHARE)
    message = refusal(write_exr(tmp_path / "vectors.exr", vectors))
    assert "U/V" in message
    assert "View.Normal" in message
    # FFmpeg shows other parts than the first one black.
    assert "Z" in refusal(write_exr(tmp_path / "parts.exr", {"Z": SHARE}, flags=0x1000))
    assert "pixels" in refusal(write_exr(tmp_path / "huge.exr", COLOURS, size=(60000, 60000)))


def linear(encoded):
    """IEC 61966-2-1."""
    return np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)


CMYK = np.dstack([1 - SHARE, 1 - SHARE / 2, SHARE, HALF / 2])
PLANES, CHUNKY = {"planarconfig": "separate"}, {"planarconfig": "contig"}
BLACK, WHITE_IS_ZERO = {"photometric": "minisblack"}, {"photometric": "miniswhite"}
STRAIGHT, PREMULTIPLIED = {"extrasamples": ["unassalpha"]}, {"extrasamples": ["assocalpha"]}
BIG_ENDIAN = {"byteorder": ">", "compression": "zlib", "tile": (16, 16)}
TURNED = {"extratags": [(274, "H", 1, 6, True)]}  # by a quarter, clockwise
INKS, PRINTED = {"photometric": "separated"}, (1 - CMYK[..., :3]) * (1 - CMYK[..., 3:])


@pytest.mark.parametrize("kind", ["u1", "u2", "u4", "u8", "f2", "f4", "f8"])
@pytest.mark.parametrize(
    ("samples", "options", "encoded"),
    [
        (SHARE, BLACK, GREY),
        (SHARE, WHITE_IS_ZERO, 1 - GREY),
        (SHARE, BLACK | BIG_ENDIAN, GREY),
        (SHARE, WHITE_IS_ZERO | TURNED, 1 - np.rot90(GREY, -1)),
        (np.dstack([SHARE, HALF]), BLACK | CHUNKY | STRAIGHT, GREY / 2 + 0.5),
        (np.dstack([SHARE / 2, HALF]), BLACK | CHUNKY | PREMULTIPLIED, GREY / 2 + 0.5),
        (RGB, {"photometric": "rgb"} | TURNED, np.rot90(RGB, -1)),
        (RGB.transpose(2, 0, 1), {"photometric": "rgb"} | PLANES, RGB),
        (np.dstack([RGB / 2, HALF]), {"photometric": "rgb"} | PREMULTIPLIED, RGB / 2 + 0.5),
        (np.dstack([RGB, HALF]), {"photometric": "rgb", "extrasamples": [0]}, RGB),
        (CMYK, INKS | CHUNKY, PRINTED),
        (np.dstack([CMYK, HALF]), INKS | CHUNKY | STRAIGHT, PRINTED / 2 + 0.5),
        (np.dstack([CMYK, HALF]), INKS | CHUNKY | {"extrasamples": [0]}, PRINTED),
        # Bands of a satellite: QGIS and GDAL's tools show the first three.
        (np.dstack([RGB, HALF, HALF]), BLACK | CHUNKY, RGB),
        (np.stack([SHARE] * 8), BLACK | PLANES, GREY),
        (np.stack([SHARE] * 8), BLACK, GREY),
    ],
)
def test_tiff_tags_are_applied_to_deep_samples(tmp_path, samples, options, encoded, kind):
    top = 1 if kind[0] == "f" else 2.0 ** (8 * int(kind[1])) - 1
    stored = np.minimum(samples * top, np.nextafter(top + 1, 0)).astype(kind)
    tifffile.imwrite(tmp_path / "a.tif", stored, **options)
    light = la.load_picture(tmp_path / "a.tif", rgb=True).light
    assert light.shape == encoded.shape
    assert np.abs(light - linear(encoded)).max() < 0.015


def test_tiff_with_a_few_highlights_keeps_its_other_values(tmp_path):
    samples = np.full((20, 30, 3), 0.5, np.float32)
    samples[0, 0] = np.inf
    tifffile.imwrite(tmp_path / "a.tif", samples, photometric="rgb")
    light = la.load_picture(tmp_path / "a.tif", rgb=True).light
    assert np.abs(light[1:] - linear(0.5)).max() < 1e-6
    assert light[0, 0].tolist() == [1, 1, 1]


def test_tiff_compressed_by_libtiff_obeys_its_tags(tmp_path):
    path = tmp_path / "a.tif"
    Image.fromarray((SHARE * 65535).astype(np.uint16)).save(path, compression="tiff_lzw")
    overwrite(path, {262: 0})  # white is zero
    assert np.abs(la.load_picture(path).light - linear(1 - SHARE)).max() < 1e-4
    packed = np.packbits([[0, 0, 0, 0] * 3 + [1] * 12]).reshape(1, -1)
    tifffile.imwrite(path, packed, photometric="minisblack")
    overwrite(path, {256: 2, 258: 12})  # width, bits per sample
    assert la.load_picture(path).light.tolist() == [[0, 1]]


def overwrite(path, tags):
    with tifffile.TiffFile(path, mode="r+") as file:
        for tag, value in tags.items():
            file.pages[0].tags[tag].overwrite(value)


@pytest.mark.parametrize(
    ("tags", "words"),
    [
        ({257: 400, 278: 400}, "holds more than it declares"),
        ({256: 9000, 257: 9000, 278: 9000}, "cut off or damaged"),
        ({256: 60000, 257: 60000}, "pixels"),
        ({262: 8}, "CIELAB"),
        ({259: 5}, "pip install imagecodecs"),
    ],
)
def test_tiff_that_asks_for_too_much_is_refused(tmp_path, tags, words):
    path, one_strip = tmp_path / "a.tif", {"compression": "zlib", "rowsperstrip": 500}
    tifffile.imwrite(path, np.zeros((500, 500, 3)), photometric="rgb", **one_strip)
    overwrite(path, tags)
    assert words in refusal(path)
