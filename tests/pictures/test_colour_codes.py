"""Colour spaces that codes or numbers tell: PNG's chunks, nclx in AVIF and HEIC, and videos."""

import base64
import io
import struct
from functools import partial

import numpy as np
import pillow_heif
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, PngImagePlugin
from tools.profiles import rgb_profile
from tools.program import ask

import lightsanim as la
from lightsanim.pictures.light import decode_srgb, encode_srgb
from lightsanim.pictures.load import load_source

# Linear light to that of sRGB: Display P3's by CSS Color 4, BT.2020's by ITU-R BT.2407.
OF_P3 = [[1.2249, -0.2249, 0], [-0.0421, 1.0421, 0], [-0.0196, -0.0786, 1.0983]]
OF_BT2020 = [[1.6605, -0.5876, -0.0728], [-0.1246, 1.1329, -0.0083], [-0.0182, -0.1006, 1.1187]]
SIGNAL = np.array([200, 120, 90]) / 255
LIGHT = decode_srgb(SIGNAL)
RGB = Image.new("RGB", (16, 16), (200, 120, 90))

LINEAR, GAMMA = {"gAMA": struct.pack(">I", 100_000)}, {"gAMA": struct.pack(">I", 45_455)}
SRGB = {"cHRM": struct.pack(">8I", 31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000)}
P3 = {"cHRM": struct.pack(">8I", 31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000)}
BT2020 = {"cICP": b"\x09\x0d\0\1"}

# Returns the pixels that Chromium draws.
DRAW = """async ([kind, base64]) => {
  const image = new Image(), canvas = document.createElement("canvas");
  image.src = `data:image/${kind};base64,${base64}`;
  await image.decode();
  [canvas.width, canvas.height] = [image.width, image.height];
  const pen = canvas.getContext("2d", { colorSpace: "srgb" });
  pen.drawImage(image, 0, 0);
  return [...pen.getImageData(0, 0, canvas.width, canvas.height).data];
}"""


def png(image, chunks, profile=None):
    info, stream = PngImagePlugin.PngInfo(), io.BytesIO()
    for name, data in chunks.items():
        info.add(name.encode(), data)
    image.save(stream, "PNG", pnginfo=info, icc_profile=profile)
    return stream.getvalue()


def with_nclx(image, kind, *codes):
    stream = io.BytesIO()
    picture = pillow_heif.from_pillow(image) if kind == "HEIF" else image
    picture.save(stream, format=kind, quality=100, subsampling="4:4:4")
    if b"nclx" not in stream.getvalue():
        pytest.skip("this version of pillow-heif writes no nclx")
    return stream.getvalue().replace(b"nclx\0\1\0\r", struct.pack(">4s2H", b"nclx", *codes))


def light_in(path, content):
    path.write_bytes(content)
    return la.load_picture(path, rgb=True).light


@pytest.mark.parametrize(
    ("make", "light"),
    [  # PNG specification, third edition: cICP goes before iCCP, sRGB, and gAMA with cHRM.
        (partial(png, RGB, LINEAR), SIGNAL),
        (partial(png, RGB.convert("RGBA"), LINEAR, b"damaged"), SIGNAL),
        (partial(png, RGB, GAMMA), LIGHT),  # as browsers take it
        (partial(png, RGB, GAMMA | SRGB), SIGNAL**2.2),
        (partial(png, RGB.quantize(2), GAMMA | P3), OF_P3 @ SIGNAL**2.2),
        (partial(png, RGB, LINEAR | {"sRGB": b"\0"}), LIGHT),
        (partial(png, RGB, LINEAR | {"cICP": b"\x09\x02\0\1"}), SIGNAL),  # no such curve
        (partial(png, RGB, LINEAR | BT2020 | {"sRGB": b"\0"}), OF_BT2020 @ LIGHT),
        (partial(png, RGB, LINEAR | BT2020, rgb_profile()), OF_BT2020 @ LIGHT),
        *((partial(with_nclx, RGB, kind, 1, 8), SIGNAL) for kind in ("AVIF", "HEIF")),
        *((partial(with_nclx, RGB, kind, 9, 13), OF_BT2020 @ LIGHT) for kind in ("AVIF", "HEIF")),
        *((partial(with_nclx, RGB, kind, 12, 1), OF_P3 @ LIGHT) for kind in ("AVIF", "HEIF")),
        (partial(with_nclx, RGB, "AVIF", 2, 2), LIGHT),
    ],
)
def test_still_with_colour_codes_is_converted(tmp_path, make, light):
    assert light_in(tmp_path / "a", make())[8, 8] == pytest.approx(light, abs=0.015)


def test_png_gamma_of_16_bit_greys_keeps_them(tmp_path):
    greys = np.arange(20_000, 21_000, dtype=np.uint16)[None]
    light = light_in(tmp_path / "a.png", png(Image.fromarray(greys), LINEAR))[..., 0]
    assert light == pytest.approx(greys / 65535, abs=0.002)
    assert len(np.unique(light)) == 1000


@pytest.mark.parametrize(
    ("curve", "signal", "light"),
    [  # ITU-R BT.2408, table 1: reference white (203 cd/m²) and a grey card, whose light is 26
        *(("smpte2084", 0.58, 1), ("smpte2084", 0.9, 1), ("smpte2084", 0.38, 26 / 203)),
        *(("arib-std-b67", 0.75, 1), ("arib-std-b67", 0.38, 26 / 203)),
    ],
)
def test_hdr_video_shows_reference_white_as_white(tmp_path, curve, signal, light):
    # In luma of 10 bits, black is 64 and white is 940.
    luma, path = f"geq=lum={64 + 876 * signal}:cb=512:cr=512", tmp_path / "a.mkv"
    codes = f"setparams=color_primaries=bt2020:color_trc={curve}:colorspace=bt2020nc:range=tv"
    words = ["-f", "lavfi", "-i", "color=s=32x32:d=0.1", "-c:v", "ffv1", "-vf"]
    ask("ffmpeg", "-v", "error", *words, f"format=yuv420p10le,{luma},{codes}", path)
    assert load_source(path).first_frame.light == pytest.approx(light, rel=0.03)


@given(st.integers(0, 2**32 - 1), st.lists(st.integers(0, 100_000), min_size=8, max_size=8))
def test_png_colours_of_any_numbers_never_fail(gamma, chromaticities):
    chunks = {"gAMA": struct.pack(">I", gamma), "cHRM": struct.pack(">8I", *chromaticities)}
    with Image.open(io.BytesIO(png(Image.new("RGB", (2, 2), "red"), chunks))) as image:
        assert np.isfinite(la.load_picture(image, rgb=True).light).all()


@pytest.mark.long
def test_stills_with_codes_look_as_in_chromium(tmp_path, browser):
    pixels = np.random.default_rng(0).integers(0, 256, (4, 256, 3), np.uint8)
    pixels[0] = np.arange(256)[:, None]
    image = Image.fromarray(pixels)
    smooth = Image.fromarray(pixels.repeat(4, axis=0).repeat(4, axis=1))  # AVIF blurs edges.
    codes = [(primaries, 13) for primaries in (2, 4, 5, 6, 8, 9, 10, 11, 12, 22)]
    codes += [(9, curve) for curve in (1, 2, 4, 5, 7, 8, 9, 16, 17, 18)]
    chunks = [LINEAR, *({"cICP": bytes([*code, 0, 1])} for code in codes)]
    stills = [("png", png(image, chunk, rgb_profile())) for chunk in chunks]
    stills += [("png", png(image, chunk)) for chunk in (GAMMA, GAMMA | SRGB, GAMMA | P3)]
    stills += [("avif", with_nclx(smooth, "AVIF", *code)) for code in [(12, 13), (9, 16), (9, 18)]]
    with browser.new_page() as page:
        for kind, content in stills:
            light = light_in(tmp_path / "a.png", content)
            shown = page.evaluate(DRAW, [kind, base64.b64encode(content).decode()])
            shown = np.reshape(shown, (*light.shape[:2], 4))[..., :3]
            difference = np.abs(np.rint(255 * encode_srgb(light)) - shown)
            assert difference[0].max() <= 1  # greys
            assert np.quantile(difference, 0.999) <= 6
