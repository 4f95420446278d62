import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lightsanim.animate.animation import Animation, animate
from lightsanim.animate.document import animation_to_document, load_animation
from lightsanim.animate.order import order_clicks
from lightsanim.animate.timing import Timing
from lightsanim.board.board import Board
from lightsanim.errors import AnimationError, OptionError

seeds = st.integers(0, 2**32)


def random_bits(shape, seed=0):
    return np.random.default_rng(seed).random(shape) < 0.5


def an_animation(rows=6, columns=9, seed=0, timing=None, moves=1):
    board, rng = Board(rows, columns), np.random.default_rng(seed)
    orders = [
        (order_clicks(rng.random(board.shape) < 0.5, "random", rng), None) for _ in range(moves)
    ]
    timing = timing or Timing(clicks_per_frame=1)
    return animate(board, rng.random(board.shape) < 0.5, orders, timing, pictures=("a",), seed=seed)


# Timing.


def test_the_paper_s_animation_shows_every_click():
    animation = an_animation(timing=Timing(clicks_per_frame=1))
    before, board = None, animation.board
    singles = [board.neighbourhood(*divmod(cell, board.columns)) for cell in range(board.cells)]
    for configuration in animation.configurations():
        if before is not None:
            assert any(np.array_equal(configuration ^ before, single) for single in singles)
        before = configuration
    assert np.array_equal(before, animation.last)


@given(st.integers(0, 5000), st.floats(1, 50), st.floats(0.1, 20))
def test_clicks_are_spread_evenly_over_the_duration(clicks, fps, duration):
    ends = Timing(fps=fps, duration=duration).frames_of(clicks)
    steps = np.diff(ends, prepend=0)
    assert steps.sum() == clicks
    assert len(ends) <= max(1, round(fps * duration))
    if clicks:
        assert 1 <= steps.min() <= steps.max() <= steps.min() + 1


def test_the_default_lasts_one_second_ten_seconds_and_two():
    animation = an_animation(60, 60, timing=Timing())
    assert len(animation.frames) == 251
    assert animation.durations().sum() == pytest.approx(13)
    assert animation.durations()[0] == pytest.approx(1)
    assert animation.durations()[-1] == pytest.approx(2.04)


def test_a_chain_is_held_at_each_picture():
    animation = an_animation(moves=3, timing=Timing(fps=10, hold_first=1, hold_last=0.5))
    assert [seconds for _, seconds in animation.holds] == pytest.approx([0.9, 0.5, 0.5, 0.5])
    assert animation.holds[-1][0] == len(animation.frames) - 1


def test_easing_is_slow_at_both_ends():
    steps = np.diff(Timing(ease="in-out", fps=10, duration=10).frames_of(10_000), prepend=0)
    assert steps.sum() == 10_000
    assert abs(steps[:5].sum() - steps[-5:].sum()) <= 1
    assert steps[:5].sum() < 100
    assert steps.max() == pytest.approx(10_000 * np.pi / 2 / 100, abs=2)
    assert abs(int(steps.argmax()) - 50) <= 3


def test_equal_pictures_need_no_clicks_and_one_frame():
    board, nothing = Board(3, 3), np.zeros(0, np.int32)
    animation = animate(board, np.zeros((3, 3), bool), [(nothing, None)], Timing())
    assert animation.frames.tolist() == [0]
    assert animation.durations().sum() == pytest.approx(3)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"fps": 0}, "fps must be a number from 0.01 to 1000, not 0"),
        ({"duration": 0}, "duration must be a number from 0.001 to 86400, not 0"),
        ({"ease": "out"}, "ease must be one of linear, in-out, not 'out'"),
        ({"loop": -1}, "loop must be a whole number from 0 to 65535, not -1"),
        ({"hold_first": -1}, "hold_first must be a number from 0 to 86400, not -1"),
        ({"hold_last": float("inf")}, "hold_last must be .* not inf"),
        ({"clicks_per_frame": 0}, "clicks_per_frame must be a whole number of at least 1, not 0"),
    ],
)
def test_times_out_of_range_are_refused(options, message):
    with pytest.raises(OptionError, match=message):
        Timing(**options)


# The configurations.


@given(st.integers(1, 9), st.integers(1, 9), seeds, st.booleans())
def test_flipping_is_toggling_each_click_after_the_other(rows, columns, seed, wrap):
    board = Board(rows, columns, wrap=wrap)
    cells = np.random.default_rng(seed).integers(0, board.cells, 7)
    flipped, toggled = random_bits(board.shape, seed), random_bits(board.shape, seed)
    touched = board.flip(flipped, cells)
    for cell in cells:
        toggled ^= board.neighbourhood(*divmod(int(cell), columns))
    assert np.array_equal(flipped, toggled)
    counts = np.bincount(touched, minlength=board.cells).reshape(board.shape)
    assert np.array_equal(counts % 2 == 1, flipped ^ random_bits(board.shape, seed))


# The file format.


def saved(tmp_path, animation):
    path = tmp_path / "a.json"
    animation.save(path)
    return path


@pytest.mark.parametrize("moves", [0, 1, 3])
def test_what_is_saved_is_what_is_read(tmp_path, moves):
    animation = an_animation(moves=moves, timing=Timing())
    read = load_animation(saved(tmp_path, animation))
    assert animation_to_document(read) == animation_to_document(animation)
    assert np.array_equal(read.last, animation.last)
    assert read.board == animation.board


def test_the_file_is_as_documented(tmp_path):
    animation = an_animation(2, 3, timing=Timing())
    document = json.loads(saved(tmp_path, animation).read_text())
    assert list(document) == [
        *("format", "version", "program", "board", "pictures", "seed", "origin"),
        *("fps", "holds", "loop", "first", "targets", "clicks", "primaries", "frames", "sha256"),
    ]
    assert document["board"] == {"rows": 2, "columns": 3, "rule": "plus", "wrap": False}
    assert [[c == "1" for c in row] for row in document["first"]] == animation.first.tolist()


@given(st.data())
def test_a_file_with_one_byte_changed_is_refused_or_the_same(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("damage")
    animation = an_animation(4, 4, timing=Timing())
    path = saved(folder, animation)
    octets = bytearray(path.read_bytes())
    place = data.draw(st.integers(0, len(octets) - 1))
    octets[place] ^= data.draw(st.integers(1, 255))
    path.write_bytes(octets)
    try:
        read = load_animation(path)
    except AnimationError as error:
        said = str(error)
    else:  # white space between members may be another
        assert animation_to_document(read) == animation_to_document(animation)
        return
    assert str(path) in said
    assert "\n" not in said


def resealed(document, **changes):
    """A document with other content and the right sum, as a hostile or careless writer's."""
    from lightsanim.animate.document import document_digest

    content = {key: value for key, value in (document | changes).items() if key != "sha256"}
    return {**content, "sha256": document_digest(content)}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": "gif"}, "not a lightsanim animation"),
        ({"version": 2}, "version 2 of the format is not known"),
        ({"clicks": [0, 99]}, "not 99"),
        ({"clicks": [-1]}, "not -1"),
        ({"clicks": [2**40]}, "not 1099511627776"),
        ({"clicks": [0.5]}, "whole numbers"),
        ({"clicks": "0"}, "malformed|whole numbers"),
        ({"frames": []}, "frames must lead from 0"),
        ({"frames": [0, 5, 3]}, "frames must"),
        ({"first": ["01", "1"]}, "first must be 4 rows of 4"),
        ({"first": ["2222"] * 4}, "first must be 4 rows of 4 digits out of 01"),
        ({"first": None}, "malformed"),
        ({"fps": 0}, "fps"),
        ({"fps": "fast"}, "a time must be a number of at least 0, not 'fast'"),
        ({"holds": [[99, 1]]}, "holds must name frames"),
        ({"holds": [[0, float("nan")]]}, "a time must be a number of at least 0, not nan"),
        ({"holds": [[0.5, 1]]}, "a hold's frame must be a whole number"),
        ({"fps": "25"}, "a time must be a number"),
        ({"board": {"rows": 10**9, "columns": 10**9}}, "first must be|too large"),
        ({"board": {"rows": 0, "columns": 4}}, "rows must be a whole number of at least 1, not 0"),
        ({"board": {"rows": "4", "columns": 4}}, "malformed"),
        ({"board": 7}, "malformed"),
        ({"pictures": 3}, "malformed"),
        ({"seed": "x"}, "malformed"),
    ],
)
def test_contradictions_are_refused_in_one_line(tmp_path, changes, message):
    path = saved(tmp_path, an_animation(4, 4, timing=Timing()))
    path.write_text(json.dumps(resealed(json.loads(path.read_text()), **changes)))
    with pytest.raises(AnimationError, match=message) as caught:
        load_animation(path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["", "{", "[]", "[" * 10_000, "3", '{"format": "lightsanim"}'])
def test_what_is_no_animation_is_refused(tmp_path, text):
    path = tmp_path / "a.json"
    path.write_text(text)
    with pytest.raises(AnimationError, match=r"cannot read .*a\.json"):
        load_animation(path)


def test_a_text_that_is_no_text_is_refused(tmp_path):
    path = saved(tmp_path, an_animation(4, 4, timing=Timing()))
    path.write_text(path.read_text().replace('"pictures": ["a"]', '"pictures": ["\\ud800"]'))
    with pytest.raises(AnimationError, match="malformed: UnicodeEncodeError"):
        load_animation(path)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(AnimationError, match=r"none\.json: No such file"):
        load_animation(tmp_path / "none.json")


def test_an_animation_checks_what_it_is_given():
    good = an_animation()
    with pytest.raises(AnimationError, match="first configuration must be bool"):
        Animation(
            board=good.board, first=good.first[:-1], clicks=good.clicks, frames=good.frames, fps=25
        )
