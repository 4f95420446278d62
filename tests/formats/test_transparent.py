"""Colours that are transparent: kept by the formats that hold them, refused by the others."""

from functools import partial

import numpy as np
import pytest
from PIL import Image, ImageSequence
from tools.films import an_animation, refusal, relabelled
from tools.refusals import assert_refused

import lightsanim as la
from lightsanim.options.colours import to_colour

NOTE = "Parts of the frames are transparent: there players show their own background."
KEEPING = [".gif", ".webp", ".apng", ""]


def frames_in(path):
    """Every frame as Pillow composes it: uint8 (height, width, 4), 0 where nothing is."""
    files = [path] if path.suffix else sorted(path.iterdir())
    frames = []
    for file in files:
        with Image.open(file) as image:
            frames += [np.array(frame.convert("RGBA")) for frame in ImageSequence.Iterator(image)]
    return [np.where(frame[..., 3:] > 0, frame, 0) for frame in frames]


@pytest.mark.parametrize("suffix", KEEPING)
@pytest.mark.parametrize(
    "look",
    [
        {"background": "none"},
        {"unlit": "none", "background": "red"},
        {"lit": "transparent", "unlit": "black", "background": "none"},
        {"lit": "#ff800080", "unlit": "#0000ffff", "background": "#00ff0040"},
    ],
)
def test_what_is_transparent_stays_so_in_every_frame(tmp_path, suffix, look):
    look = {"lit": "white", "unlit": "navy", **look}
    animation, path = an_animation(6, 9, clicks_per_frame=3), tmp_path / f"a{suffix}"
    animation.save(path, cell=3, gap=1, canvas="41x30", **look)
    # (9 x 4 - 1) pixels in the middle of 41, and (6 x 4 - 1) in the middle of 30.
    colours = {name: np.array(to_colour(value), np.uint8) for name, value in look.items()}
    if suffix == ".gif":  # each pixel opaque or not there
        for colour in colours.values():
            colour[3] = 255 if colour[3] >= 128 else 0
            colour *= colour[3] > 0
    frames = frames_in(path)
    assert len(frames) == len(animation)
    for frame, configuration in zip(frames, animation.configurations(), strict=True):
        expected = np.tile(colours["background"], (30, 41, 1))
        for (row, column), lit in np.ndenumerate(configuration):
            y, x = 3 + 4 * row, 3 + 4 * column
            expected[y : y + 3, x : x + 3] = colours["lit" if lit else "unlit"]
        assert np.array_equal(frame, expected)
    verdict = la.verify(path)
    assert (verdict.legal, NOTE in verdict.notes) == (True, True)


@pytest.mark.parametrize("suffix", KEEPING)
def test_round_edges_fade_and_keep_their_colour(tmp_path, suffix):
    animation, path = an_animation(4, 5, clicks_per_frame=5), tmp_path / f"a{suffix}"
    look = {"shape": "circle", "cell": 24, "unlit": "none", "background": "none", "lit": "gold"}
    animation.save(path, **look)
    frames, cells = frames_in(path), sum(map(np.count_nonzero, animation.configurations()))
    for frame in frames:
        assert (frame[frame[..., 3] > 0][:, :3] == (255, 215, 0)).all()  # no fringe of another
        assert (len(np.unique(frame[..., 3])) > 4) == (suffix != ".gif")
    covered = sum(frame[..., 3].sum() / 255 for frame in frames) / cells
    assert covered == pytest.approx(np.pi * 12**2, rel=0.02)
    assert la.verify(path).legal


@pytest.mark.parametrize("suffix", [".webp", ".apng"])
def test_levels_on_the_way_to_nothing_are_partly_transparent(tmp_path, suffix):
    board = la.Board(4, 4, levels=5)
    first = np.arange(16, dtype=np.uint8).reshape(4, 4) % 5
    animation = la.animate(board, first, [(np.array([5, 6]), None)], la.Timing(clicks_per_frame=1))
    look = {"lit": "black", "unlit": "none", "cell": 8, "gap": 0}
    animation.save(tmp_path / f"a{suffix}", **look)
    frames = frames_in(tmp_path / f"a{suffix}")
    for frame, levels in zip(frames, animation.configurations(), strict=True):
        assert np.array_equal(frame[4::8, 4::8, 3], np.rint(levels * (255 / 4)))
        assert not frame[..., :3].any()
    assert_refused(lambda: animation.save(tmp_path / "a.gif", **look), "GIF partly transparent")


def test_stills_are_transparent(tmp_path):
    lit = np.eye(4, dtype=bool)
    look = {"unlit": "none", "background": "none", "cell": 9, "gap": 1}
    la.save_still(lit, tmp_path / "a.png", **look)
    alpha = np.array(Image.open(tmp_path / "a.png").convert("RGBA"))[5::10, 5::10, 3]
    assert np.array_equal(alpha, 255 * lit)
    la.save_still(lit, tmp_path / "a.svg", **look)
    assert "#000000" not in (tmp_path / "a.svg").read_text()


def test_videos_and_svg_refuse_what_they_cannot_hold(tmp_path):
    for name in ("a.mp4", "a.webm", "a.svg"):
        save = partial(an_animation().save, tmp_path / name, unlit="none", mark="#ff000080")
        assert_refused(save, "(unlit, mark) GIF WebP")
    assert not list(tmp_path.iterdir())
    assert_refused(lambda: la.Settings(backdrop="#ffffff80"), "backdrop opaque")


@pytest.mark.parametrize(
    ("suffix", "look", "facts"),
    [
        (".gif", {"background": "none"}, "between"),
        (".apng", {"unlit": "none"}, "neither lit unlit"),
        (".gif", {"unlit": "none", "lit": "none"}, "lit unlit alike"),
        (".gif", {"unlit": "#f2f2f2", "lit": "#f2f2f2f0"}, "lit unlit alike"),
        (".mp4", {"unlit": "none"}, "MP4 (unlit)"),
        (".webm", {"lit": "#f2f2f2f0"}, "WebM (lit)"),
    ],
)
def test_verify_wrong_transparency_is_refused(tmp_path, suffix, look, facts):
    path = tmp_path / f"a{suffix}"
    an_animation(6, 8, fps=10, duration=0.5).save(path, cell=6, gap=1)
    reason = refusal(relabelled(path, look=look))
    assert all(fact in reason for fact in facts.split()), reason
