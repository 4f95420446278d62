"""Frames of animated pictures: composed as the formats' specifications say, and as in Chromium."""

import base64

import numpy as np
import pytest
from PIL import Image
from tools.animated_files import (
    COLOURS,
    apng,
    gif,
    packed,
    random_apng,
    random_gif,
    random_webp,
    webp,
    webp_data,
)  # fmt: skip
from tools.browsers import FRAMES
from tools.clips import pictures_of, refusal

import lightsanim as la
from lightsanim.pictures.light import encode_srgb
from lightsanim.pictures.load import load_source
from lightsanim.pictures.picture import PictureFile

GREEN = (0, 255, 0)
K, W, R, B = range(4)
LETTERS = {**{colour: letter for letter, colour in COLOURS.items()}, GREEN: "."}


def frames_of(content):
    """The frames over green, as sRGB-encoded values (height, width, 3)."""
    source = la.Source(PictureFile(path="a", content=content), backdrop="#00ff00")
    opened = load_source(source, la.Settings(rgb=True))
    pictures = [opened] if isinstance(opened, la.Picture) else pictures_of(opened, opened.fps)
    return [255 * encode_srgb(picture.light) for picture in pictures]


def row(colour, width=4):
    return [[colour] * width] * 2


def rgba(*colour, width=4):
    return width, 2, packed(np.full((2, 4 * width), np.tile(colour, width), np.uint8))


def webp_patch(left, ways, *colour, width=4):
    return left, 0, width, 2, webp_data(Image.new("RGBA", (width, 2), colour)), ways


RED, BLUE, WHITE = (255, 0, 0, 255), (0, 0, 255, 255), (255, 255, 255, 255)
CLEAR = webp_patch(0, 0, 0, 0, 0, 0, width=2)


@pytest.mark.parametrize(
    ("content", "rows"),
    [
        # Disposal to the background shows transparent pixels, as that of a first frame does.
        (gif((4, 2), [(0, 0, row(W), 1, None), (1, 0, row(B, 2), 2, None), (0, 0, [[R]], 1, None)]),
         ["WWWW", "WBBW", "R..W"]),
        (gif((4, 2), [(0, 0, row(W), 3, None), (0, 0, row(B, 2), 1, None)]), ["WWWW", "BB.."]),
        # A first image beyond the canvas enlarges it, and others are cut.
        (gif((4, 2), [(0, 0, row(W), 1, None), (3, 0, row(B), 1, None)]), ["WWWW", "WWWB"]),
        (gif((2, 2), [(0, 0, row(W), 1, None)]), ["WWWW"]),
        (gif((4, 2), [(1, 0, row(R, 2), 1, None)], end=b""), [".RR."]),
        (gif((4, 2), [(0, 0, [[W, 9, B, B]], 1, B)]), ["WK.."]),
        (apng((4, 2), [(0, 0, *rgba(*WHITE), 0, 0), (0, 0, *rgba(*RED, width=2), 0, 1)]),
         ["WWWW", "RRWW"]),
        (apng((4, 2), [(0, 0, *rgba(*RED, width=1), 0, 1), (1, 0, *rgba(*BLUE, width=1), 0, 1)],
              default=rgba(*WHITE)[2]), ["R...", "RB.."]),
        (apng((4, 2), [(1, 0, *rgba(*BLUE, width=2), 0, 0)], default=rgba(*WHITE)[2]), [".BB."]),
        (webp((4, 2), [webp_patch(0, 0, *WHITE), webp_patch(0, 1, *RED, width=2), CLEAR,
                       (2, *CLEAR[1:5], 2)], 0b10010), ["WWWW", "RRWW", "..WW", "...."]),
    ],
)  # fmt: skip
def test_frames_are_composed_as_specified(content, rows):
    frames = [np.rint(frame[0]).astype(int).tolist() for frame in frames_of(content)]
    assert ["".join(LETTERS[tuple(colour)] for colour in frame) for frame in frames] == rows


def test_half_transparent_patch_is_mixed_with_the_canvas():
    half = rgba(255, 0, 0, 128)
    *_, last = frames_of(apng((4, 2), [(0, 0, *rgba(*WHITE), 0, 0), (0, 0, *half, 0, 1)]))
    # "Over": 255 * (1 - 128 / 255) = 127 of white is left.
    assert np.abs(last - [255, 127, 127]).max() < 1


def test_damaged_frames_are_refused():
    frames = [(0, 0, *rgba(*WHITE), 0, 0)] * 3
    whole = apng((4, 2), frames)
    assert "'fdAT' is damaged" in refusal(PictureFile(path="a", content=whole[:-30] + b"x" * 30))
    swapped = whole.replace(b"fdAT\0\0\0\2", b"fdAT\0\0\0\4")
    assert refusal(PictureFile(path="a", content=swapped)).startswith("cannot read a: ")


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "make"), [("gif", random_gif), ("png", random_apng), ("webp", random_webp)]
)
def test_random_frames_look_as_in_chromium(browser, kind, make):
    with browser.new_page() as page:
        page.route("https://films.test/", lambda route: route.fulfill(body=""))
        page.goto("https://films.test/")
        for seed in range(200):
            content = make(np.random.default_rng(seed))
            text = base64.b64encode(content).decode()
            shown = page.evaluate(FRAMES, [text, f"image/{kind}"])
            frames = frames_of(content)
            assert len(frames) == len(shown), seed
            for frame, (width, height, pixels) in zip(frames, shown, strict=True):
                rgba = np.reshape(pixels, (height, width, 4))
                share = rgba[..., 3:] / 255
                over_green = rgba[..., :3] * share + GREEN * (1 - share)
                assert frame.shape == over_green.shape, seed
                assert np.abs(frame - over_green).max() <= 3, seed
