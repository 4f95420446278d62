"""Films that are read back from what was saved, in whatever form it is given."""

import io
from dataclasses import replace

import numpy as np
import pytest
from fuzz.mutation import with_right_sums
from tools.films import SUFFIXES, an_animation
from tools.refusals import assert_refused, refusal

import lightsanim as la

PICTURES = ["sample:sun", "sample:moon"]


@pytest.mark.parametrize(
    "options",
    [
        {"size": 12},
        {"size": 8, "rgb": True, "levels": 3, "fps": 30, "loop": 2},
        {"size": 14, "duration": 0.3},  # several clicks a frame, and many click sets for each
        {"size": 8, "transition": "dissolve", "duration": 0.5},
    ],
)
def test_svg_film_loaded_has_same_frames_and_counts(options, tmp_path):
    film = la.make(PICTURES, seed=1, **options)
    film.save(tmp_path / "a.svg")
    loaded = la.load_animation(tmp_path / "a.svg")
    times = np.cumsum(film.durations()), np.cumsum(loaded.durations())
    shown = [np.searchsorted(ends, np.arange(times[0][-1], step=0.0503)) for ends in times]
    assert times[0][-1] == pytest.approx(times[1][-1], abs=0.001)
    for mine, its in zip(*shown, strict=True):
        assert (film.shades_at(mine) == loaded.shades_at(its)).all()
    assert (loaded.count, loaded.fps, loaded.loop) == (film.count, film.fps, film.loop)
    assert (loaded.seed, loaded.pictures, loaded.origin) == (1, film.pictures, film.origin)
    assert la.verify(loaded.to_bytes("gif")).legal


def test_content_in_any_form_is_read_like_its_file():
    film = an_animation(4, 5)
    for suffix in (suffix[1:] for suffix in SUFFIXES if suffix):
        content = film.to_bytes(suffix, **({} if suffix == "json" else {"cell": 8}))
        proofs = [la.verify(content), la.verify(io.BytesIO(content))]
        assert [proof.legal for proof in proofs] == [True, True], suffix
        if suffix in ("svg", "html", "json"):
            loaded = la.load_animation(io.BytesIO(content))
            assert (loaded.last == film.last).all()


@pytest.mark.parametrize(
    ("content", "facts"),
    [
        (b"", "bytes unknown .json"),
        (b"{", "bytes JSON"),
        (b"GIF89a", "bytes .html .svg `verify`"),
        (io.StringIO("{"), "text rb"),
        (io.TextIOWrapper(io.BytesIO(b"GIF89a\xff"), encoding="utf-8"), "text rb"),
        ("{" * 5000, "path {{"),
        (3, "path 3"),
    ],
)
def test_content_unreadable_is_refused_in_a_short_line(content, facts):
    assert_refused(lambda: la.load_animation(content), facts)
    assert len(refusal(lambda: la.load_animation(content))) < 250
    assert len(refusal(lambda: la.verify(content))) < 250


@pytest.mark.parametrize(
    ("fps", "facts"),
    [(b"0", "fps 1000 0"), (b"-1e-320", "fps 1000"), (b"true", "fps True"), (b"1e999", "1e999")],
)
def test_svg_with_impossible_settings_is_refused(fps, facts):
    origin = b'{"program":"9","settings":{"fps":%b},"sha256":[null,null],"cut_short":null}' % fps
    content = an_animation().to_bytes("svg").replace(b'"origin":null', b'"origin":' + origin)
    assert_refused(lambda: la.load_animation(with_right_sums(content)), facts, la.AnimationError)


def test_svg_held_for_minutes_keeps_its_durations():
    film, holds = an_animation(fps=10), ((0, 200.0), (1, 150.0))
    film = replace(film, clicks_done=film.clicks_done[[0, -1]], holds=holds)
    assert la.load_animation(film.to_bytes("svg")).durations() == pytest.approx([200.1, 150.1])


def test_film_of_frames_cannot_be_drawn_again(tmp_path):
    an_animation().save(tmp_path / "a.gif")
    assert_refused(lambda: la.load_animation(tmp_path / "a.gif"), "a.gif .json .html .svg `verify`")
    an_animation().save(tmp_path / "a.h")
    assert_refused(lambda: la.load_animation(tmp_path / "a.h"), "a.h C header")
    assert_refused(lambda: la.load_animation(tmp_path / "a.png"), "a.png .json .html .svg still")
