import hashlib
import json
import tracemalloc
from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from fuzz.mutation import signed
from hypothesis import given
from hypothesis import strategies as st
from tools import players
from tools.films import an_animation, document_of
from tools.refusals import assert_refused

import lightsanim as la
from lightsanim.errors import AnimationError, OptionError
from lightsanim.film.origin import Origin
from lightsanim.film.pace import pace_clicks
from lightsanim.film.timing import durations_to_ticks, limit_fps
from lightsanim.game.levels import pack_levels
from lightsanim.output.formats.metadata import frame_digest

seeds = st.integers(0, 2**32)

NOISE = list(np.random.default_rng(0).random((2, 30, 40)))


def a_coloured_animation(clicks=40, per_frame=3):
    film = players.a_coloured_animation(clicks=clicks, clicks_per_frame=per_frame)
    return replace(film, pictures=("a", "b"), targets=(film.first, film.last))


@given(st.integers(0, 5000), st.floats(1, 50), st.floats(0.1, 20))
def test_clicks_are_spread_evenly_over_the_duration(clicks, fps, duration):
    steps = np.diff(pace_clicks(clicks, la.Timing(fps=fps, duration=duration)), prepend=0)
    assert steps.sum() == clicks
    assert len(steps) <= max(1, round(fps * duration))
    assert not clicks or 1 <= steps.min() <= steps.max() <= steps.min() + 1


def test_default_timing_is_1_6_and_3_seconds():
    durations = an_animation(60, 60).durations()
    assert len(durations) == 151
    assert durations[[0, -1]] == pytest.approx([1, 3.04])
    assert durations.sum() == pytest.approx(10)


def test_easing_is_slow_at_both_ends():
    timing = la.Timing(ease="in-out", fps=10, duration=10)
    steps = np.diff(pace_clicks(10_000, timing), prepend=0)
    assert steps.sum() == 10_000
    assert abs(steps[:5].sum() - steps[-5:].sum()) <= 1
    assert steps[:5].sum() < 100
    assert steps.max() == pytest.approx(10_000 * np.pi / 2 / 100, abs=2)
    assert abs(int(steps.argmax()) - 50) <= 3


@pytest.mark.parametrize(
    ("order", "distance", "options"),
    [
        ("radial", lambda row, column: np.hypot(row - 14.5, column - 19.5), {"reverse": True}),
        ("sweep", lambda row, column: column, {"levels": 3}),
        ("diagonal", lambda row, column: row + column, {"rgb": True}),
        (lambda row, column: 9 - row / 7, lambda row, column: 29 - row, {}),
    ],
)
def test_the_front_moves_at_an_even_speed(order, distance, options):
    film = la.make(
        NOISE, size="40x30", order=order, spread=0, seed=1, duration=4, ease="front", **options
    )
    clicks = film.clicks_done[1:]
    front = distance(*np.divmod(film.clicks[clicks[clicks > 0] - 1], 40))
    even = np.linspace(*sorted([front[0], front[-1]]), len(clicks))[clicks > 0]
    assert len(clicks) == 100
    assert abs(front - (even[::-1] if "reverse" in options else even)).max() < 3


def test_the_way_back_is_as_fast_as_the_way_there():
    options = {"order": "radial", "ease": "front", "seed": 1, "duration": 4}
    film = la.make(NOISE, size="40x30", ending="boomerang", **options)
    there, back = np.split(np.diff(film.clicks_done), 2)
    assert there == pytest.approx(back[::-1], abs=1)
    assert there[:10].max() < 3 < there[45:55].min()  # the circle grows


def shown_errors(film, shares):
    """For each share of the clicks: each cell's squared difference from the nearer picture."""
    done = [np.round(share * len(film.clicks)).astype(int) for share in (0, *shares, 1)]
    states = list(replace(film, clicks_done=np.array(done), holds=()).configurations())
    levels = [np.atleast_3d(b.T).T / (film.board.levels - 1) for b in states]
    first, last = levels[0], levels[-1]
    squares = [[np.square(b - end).sum(axis=0) for end in (first, last)] for b in levels[1:-1]]
    return np.array(squares).min(axis=1)


@pytest.mark.parametrize(
    "options", [{}, {"levels": 3}, {"rgb": True, "levels": 3}, {"rule": "king", "wrap": True}]
)
@pytest.mark.parametrize("order", ["radial", "contour"])
def test_few_cells_beside_the_front_show_neither_picture(order, options):
    shares, choices = np.linspace(0.02, 0.98, 49), {"order": order, "seed": 1, "size": "20x16"}
    choices |= options
    ordered, before = (la.make(NOISE, ease=ease, **choices) for ease in ("auto", "front"))
    assert sorted(ordered.clicks) == sorted(before.clicks)
    errors = [shown_errors(film, shares).sum() for film in (ordered, before)]
    assert errors[0] < 0.8 * errors[1]


def test_an_even_pace_shows_a_change_in_nearly_every_frame():
    left, right = NOISE[0].copy(), NOISE[0].copy()
    right[:, 30:] = 1 - right[:, 30:]  # three quarters of the board stay
    choices = {
        "size": "40x30",
        "order": "sweep",
        "spread": 0,
        "perfect": True,
        "dither": "threshold",
    }
    quiet = []
    for ease in ("front", "auto"):
        film = la.make([left, right], ease=ease, duration=1, seed=1, **choices)
        states = np.array(list(film.configurations()))
        differs = states[0] != states[-1]
        is_done = (states == states[-1])[:, differs].mean(axis=1)
        quiet.append(np.mean(np.diff(is_done) == 0))
    assert quiet[0] > 0.6
    assert quiet[1] < 0.2


@pytest.mark.parametrize(
    ("options", "pictures", "holds"),
    [
        ({}, 2, 1 + 2),
        ({"size": "4x3"}, 2, 1 + 2),  # fewer clicks than frames
        ({"ending": "cycle"}, 2, 1 + 2),
        ({"ending": "boomerang", "ease": "in-out"}, 2, 1 + 2),
        ({}, 3, 1 + 2 + 2),
        ({"ending": "boomerang"}, 3, 1 + 2 + 2 + 2),
        ({"ending": "cycle", "transition": "dissolve"}, 3, 1 + 2 + 2),
        ({"transition": "automaton", "ending": "boomerang"}, 2, 1 + 2),
        ({"transition": "automaton", "fps": 100}, 2, 1 + 2),
    ],
    ids=str,
)
def test_total_is_the_whole_film_and_keeps_the_holds(options, pictures, holds):
    options = {"size": "12x13", "hold_first": 1, "hold_last": 2, "seed": 1, **options}
    stills = [*NOISE, NOISE[0].T][:pictures]
    film = la.make(stills, total=9.13, **options)
    assert film.durations().sum() == pytest.approx(9.13)
    assert film.durations()[0] == pytest.approx(1)
    if options.get("transition") == "automaton":  # with holds near its pictures
        holds = film.durations().sum() - film.durations().min() * (len(film) - 1)
    assert film.durations().min() == pytest.approx((9.13 - holds) / (len(film) - 1))


def test_preset_loop_takes_four_seconds_a_way_or_a_given_total():
    options = {"preset": "loop", "size": "40x30", "seed": 1}
    film, shorter = la.make(NOISE, **options), la.make(NOISE, **options, total=8)
    assert film.durations().sum() == pytest.approx(1.5 + 4 + 3 + 4)
    assert np.flatnonzero(film.durations() > 1).tolist() == [0, 100]
    assert np.array_equal(film.first, film.last)
    assert shorter.durations().sum() == pytest.approx(8)
    assert shorter.durations()[0] == pytest.approx(1.5)


@pytest.mark.parametrize(
    ("options", "least"),
    [
        ({"hold_first": 1.5}, 1.5 + 3 + 1 / 25),
        ({"hold_first": 0, "ending": "cycle", "fps": 10}, 0.1 + 3 + 2 / 10),
        ({"ending": "boomerang", "hold_last": 2, "fps": 50}, 1 + 2 + 2 / 50),
    ],
)
def test_total_too_short_for_its_holds_names_the_least(options, least):
    options = {"size": "12x8", "seed": 1, **options}
    assert la.make(NOISE, total=least, **options).durations().sum() == pytest.approx(least)
    short = least - 0.01
    make = partial(la.make, NOISE, total=short, **options)
    assert_refused(make, f"total {least:g} {short:g} holds", OptionError)


@pytest.mark.parametrize("order", ["random", "hilbert", "spiral", "noise"])
def test_orders_without_a_front_have_an_even_pace(order):
    steps = np.diff(la.make(NOISE, size="40x30", order=order, duration=4).clicks_done)
    assert steps.max() - steps.min() <= 1


@pytest.mark.parametrize(("levels", "kind"), [(2, np.uint8), (3, np.int64)])
def test_levels_may_be_whole_numbers_of_any_kind(levels, kind):
    board, numbers = la.Board(3, 4, levels=levels), np.eye(3, 4) * (levels - 1)
    own, numbers = numbers.astype(bool if levels == 2 else np.uint8), numbers.astype(kind)
    clicks = [la.Clicks(np.arange(5))]
    film, same = (la.animate(board, lights, clicks, la.Timing()) for lights in (own, numbers))
    assert film == same
    assert np.array_equal([*film.frames()], [*same.frames()])
    assert board.is_accessible(numbers) == board.is_accessible(own)
    assert la.nearest_accessible(board, numbers).wrong == la.nearest_accessible(board, own).wrong
    assert la.fewest_clicks(board, numbers).count == la.fewest_clicks(board, own).count


def pressed_one_by_one(animation):
    """Each frame's configuration, board by board and click by click."""
    board, first = animation.board, animation.first
    lights = first.reshape(-1, *board.shape).astype(int)
    primaries = [1] * len(animation.clicks) if animation.primaries is None else animation.primaries
    for start, end in pairwise([0, *animation.clicks_done]):
        for cell, on in zip(animation.clicks[start:end], primaries[start:end], strict=True):
            flipped = board.neighbourhood(*divmod(int(cell), board.columns))
            boards = [number for number in range(len(lights)) if on >> number & 1]
            lights[boards] = (lights[boards] + flipped) % board.levels
        yield lights.reshape(first.shape).astype(first.dtype)


@pytest.mark.parametrize("levels", [2, 5])
@pytest.mark.parametrize("animation", [an_animation(30, 40), a_coloured_animation(clicks=700)])
def test_frames_equal_pressing_click_by_click(animation, levels):
    # Frames of one click, of none, and of more than are applied at a time.
    if levels > 2:
        first = np.random.default_rng(0).integers(0, levels, animation.first.shape, np.uint8)
        board = replace(animation.board, levels=levels)
        animation = replace(animation, board=board, first=first, targets=(), pictures=())
    counts = [0, 1, 2, 2, 4, 5, 11, 12, 12, 120, 258, 260, 530, len(animation.clicks)]
    animation = replace(animation, clicks_done=np.array(counts), holds=())
    frames = list(pressed_one_by_one(animation))
    assert np.array_equal(list(animation.configurations()), frames)
    assert np.array_equal(animation.last, frames[-1])
    flips = animation.board.neighbours()  # of the plus: a click flips those that flip it
    previous = pack_levels(animation.first, levels)
    for start, end, (shades, cells) in zip([0, *counts], counts, animation.changes(), strict=False):
        clicked = [cell for click in animation.clicks[start:end] for cell in flips[click]]
        changed = np.flatnonzero(shades != previous)
        assert set(changed) <= set(cells.tolist()) <= set(clicked)
        previous = shades.copy()


@pytest.mark.parametrize("animation", [an_animation(), a_coloured_animation()])
def test_frame_digest_covers_the_frames_that_differ(animation):
    primaries, clicks = animation.primaries, animation.clicks
    primaries = primaries if primaries is None else np.insert(primaries, 4, primaries[4])
    clicks = np.insert(clicks, 4, clicks[4])  # two that undo each other make no other frame
    counts = np.array([0, 3, 3, 4, 6, 10, len(clicks)])
    history = la.Clicks(clicks, primaries)
    animation = replace(animation, history=history, clicks_done=counts, holds=())
    bits = [np.packbits(frame, axis=None).tobytes() for frame in pressed_one_by_one(animation)]
    differ = [0, *(n for n in range(1, len(bits)) if bits[n] != bits[n - 1])]
    assert differ == [0, 1, 3, 5, 6]
    presses = np.bitwise_count(np.ones_like(clicks) if primaries is None else primaries)
    steps = [presses[counts[n - 1] : counts[n]].sum() for n in differ[1:]]
    digest = hashlib.sha256(b"".join(bits[n] for n in differ)).hexdigest()
    assert frame_digest(animation)[0].tolist() == steps
    assert frame_digest(animation)[1] == digest
    assert animation.count == presses.sum()


@pytest.mark.parametrize(
    ("changes", "facts"),
    [
        ({"first": np.zeros((3, 5, 6), bool)}, "first (3, 5, 7) 6)"),
        ({"first": np.full((3, 5, 7), 2)}, "first True 2"),
        ({"pictures": ("a",)}, "targets 1 2"),
        ({"targets": (np.ones((5, 7), bool),) * 2}, "target (5, 7)"),
        ({"history": la.Clicks(np.full(40, 35), np.full(40, 1))}, "clicks 0 34 35"),
        ({"clicks_done": np.array([1, 40])}, "frames 0 40"),
        ({"clicks_done": np.array([0, 3, 2, 40])}, "frames decrease"),
        ({"fps": 1001}, "fps 0.01 1000 1001"),
        ({"holds": ((15, 1.0),)}, "hold frame 0 14 15"),
        ({"holds": ((0, -0.5),)}, "hold seconds 0 86400 -0.5"),
        ({"seed": -1}, "seed 0 -1"),
        ({"loop": 65536}, "loop 0 65535 65536"),
        ({"origin": Origin(program="0", settings={}, sha256=(None,))}, "origin picture"),
    ],
)
def test_animation_with_contradictions_is_refused(changes, facts):
    good = a_coloured_animation()
    assert len(good) == 15
    assert_refused(lambda: replace(good, **changes), facts)


@pytest.mark.parametrize(
    ("cells", "primaries", "facts"),
    [
        (np.full(40, 0.7), None, "clicks whole 0.7"),
        (np.arange(9), np.full(9, 1.5), "primaries whole 1.5"),
        (np.arange(9), np.ones(8, np.uint8), "each click primaries"),
        (np.arange(9), np.zeros(9, np.uint8), "primaries 1 7"),
    ],
)
def test_clicks_with_contradictions_are_refused(cells, primaries, facts):
    assert_refused(lambda: la.Clicks(cells, primaries), facts)


def test_returning_move_holds_at_the_next_start():
    board, off = la.Board(4, 4), np.zeros((4, 4), bool)
    move = la.order_clicks(~off, "random", np.random.default_rng(0))
    timing = la.Timing(clicks_per_frame=4, fps=10, hold_first=0.05, hold_last=1, loop=3)
    film = la.animate(board, off, [la.Clicks(move)] * 2, timing, returns=True, seed=5)
    assert film.clicks_done.tolist() == [0, 4, 8, 12, 16, 20, 24, 28, 32]
    # The first frame's own tenth of a second is longer than its hold.
    assert film.holds == ((4, 1.0),)
    assert film.durations() == pytest.approx([0.1] * 4 + [1.1] + [0.1] * 4)
    assert (film.loop, film.seed, film.fps, film.clicks.dtype) == (3, 5, 10, np.int32)
    assert np.array_equal(film.last, film.first)


@pytest.mark.parametrize(
    "fast", [an_animation(9, 9, clicks_per_frame=1), a_coloured_animation(41, per_frame=1)]
)
def test_limited_fps_keeps_frame_times(fast):
    fast = replace(fast, fps=100, holds=((0, 0.5), (7, 0.25)))
    slow = limit_fps(fast, 40)
    assert slow.fps == 40
    assert len(slow) > 0.36 * len(fast)
    counts = slow.clicks_done.tolist()
    assert {0, 7, len(fast.clicks)} <= set(counts) <= set(fast.clicks_done.tolist())
    assert slow.durations().sum() == pytest.approx(fast.durations().sum(), abs=1 / 40)
    ends = np.cumsum(fast.durations())[np.isin(fast.clicks_done, counts)]
    assert abs(np.cumsum(slow.durations()) - ends).max() <= 1.5 / 40
    # A frame that is held for one tick is not held.
    assert all(seconds >= 1 / 40 - 1e-9 for _, seconds in slow.holds)
    assert limit_fps(fast, 100) is fast


def test_ticks_round_halves_up_despite_float_error():
    # Ends at 0.5, 1.5, 2.5, ... of a tick of a hundredth.
    ends = np.arange(1, 400, 2) / 200
    assert durations_to_ticks(np.diff(ends, prepend=0), 100).tolist() == [1] * 200


@given(st.lists(st.integers(0, 40), min_size=1, max_size=30), st.sampled_from([7, 50, 100]))
def test_sums_of_ticks_are_within_half_a_tick(fortieths, rate):
    durations = np.array(fortieths) / 40
    off = np.cumsum(durations_to_ticks(durations, rate)) - np.cumsum(durations) * rate
    assert abs(off).max() <= 0.5 + 1e-5


@given(st.integers(0, 60), st.integers(1, 70))
def test_clicks_per_frame_is_kept_except_in_the_last_frame(clicks, per_frame):
    counts = pace_clicks(clicks, la.Timing(clicks_per_frame=per_frame))
    assert counts.tolist() == [*range(per_frame, clicks, per_frame), *[clicks] * (clicks > 0)]


def saved(tmp_path, animation, suffix=".json"):
    path = tmp_path / f"a{suffix}"
    animation.save(path)
    return path


def test_saved_document_reads_back_with_a_plain_checksum(tmp_path):
    origin = Origin(program="0.1.0", settings={"size": 7}, sha256=("ab" * 32, None))
    coloured = replace(a_coloured_animation(), origin=origin, seed=3, loop=2)
    for animation in (an_animation(moves=0), an_animation(moves=3), coloured):
        path = saved(tmp_path, animation)
        film, content = la.load_animation(path), json.loads(path.read_text())
        assert film == animation
        digest = content.pop("sha256")
        text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        assert digest == hashlib.sha256(text.encode()).hexdigest()
    assert film.primaries.dtype == np.uint8


@given(st.data())
def test_a_file_with_one_byte_changed_is_refused_or_the_same(tmp_path_factory, data):
    animation = an_animation(4, 4)
    path = saved(tmp_path_factory.mktemp("damage"), animation)
    content = bytearray(path.read_bytes())
    content[data.draw(st.integers(0, len(content) - 1))] ^= data.draw(st.integers(1, 255))
    path.write_bytes(content)
    try:
        film, message = la.load_animation(path), str(path)
    except AnimationError as error:
        film, message = animation, str(error)
    assert film == animation  # white space between members may be another
    assert str(path) in message
    assert "\n" not in message


SQUARE, GREYS = {"rows": 4, "columns": 4}, ["0123"] * 4
COLOURED = {"first": [GREYS] * 3, "clicks": [0] * 9, "primaries": [1] * 9}


@pytest.mark.parametrize(
    ("changes", "facts"),
    [
        ({"format": "gif"}, 'a.json "format" "lightsanim"'),
        ({"version": 3}, "version 3 2"),
        ({"clicks": [2**40]}, "1099511627776"),
        ({"clicks": [0.5]}, "a.json clicks frames"),
        ({"targets": [[["0"]]]}, "target 1 4"),
        ({"steps": [[0]]}, "base64"),
        ({"first": [["2222"] * 4]}, "first 4 01"),
        ({"board": SQUARE | {"levels": 3}, "first": [GREYS]}, "first 012"),
        ({"board": SQUARE | {"levels": 7}, **COLOURED}, "7 levels 5"),
        ({"first": None}, "malformed"),
        ({"board": {"rows": 1, "columns": 10**9}}, "1000000000x1"),
    ],
)
def test_document_with_contradictions_is_refused_in_one_line(tmp_path, changes, facts):
    # The sum is right, as a hostile or careless writer's.
    path = tmp_path / "a.json"
    path.write_text(json.dumps(signed(document_of(an_animation(4, 4)) | changes)))
    assert_refused(lambda: la.load_animation(path), facts, AnimationError)


@pytest.mark.parametrize("text", ["", "[]", "[" * 10_000, '{"format": "lightsanim"}', None])
def test_file_that_is_no_animation_is_refused(tmp_path, text):
    path = saved(tmp_path, an_animation(4, 4))
    damaged = path.read_text().replace('"seed": 0', '"seed": 1')
    path.write_text(damaged if text is None else text)
    facts = "a.json" + " damaged sha256" * (text is None)
    assert_refused(lambda: la.load_animation(path), facts, AnimationError)


READERS = pytest.mark.parametrize(
    ("suffix", "load"), [(".json", la.load_animation), (".html", la.verify)]
)


@READERS
def test_file_above_the_size_limit_is_refused_unread(tmp_path, suffix, load):
    path = tmp_path / f"a{suffix}"
    with path.open("wb") as file:
        file.truncate(1_000_000_001)  # without taking room on the disk
    assert_refused(lambda: load(path), "1000000000", AnimationError)


@pytest.mark.long
@READERS
def test_memory_grows_by_a_few_bytes_with_each_click(tmp_path, suffix, load):
    rng, board = np.random.default_rng(0), la.Board(300, 300)
    cells = rng.integers(0, board.cells, 100_000)
    animation = la.animate(board, rng.random(board.shape) < 0.5, [la.Clicks(cells)], la.Timing())
    path = saved(tmp_path, animation, suffix)  # imports are not counted
    for step in (lambda: saved(tmp_path, animation, suffix), lambda: load(path)):
        tracemalloc.start()
        step()
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak / len(cells) < 128, (step, peak)
