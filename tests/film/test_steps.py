"""Steps of an animation: click sets that are pressed as a whole."""

import json
from pathlib import Path

import numpy as np
import pytest
from fuzz.mutation import signed
from hypothesis import given
from hypothesis import strategies as st
from tools.films import document_of
from tools.refusals import assert_refused

import lightsanim as la
from lightsanim.errors import AnimationError
from lightsanim.film.clicks import PackedSteps, join_steps
from lightsanim.film.timing import holds_as_frames, limit_fps, merge_frames

KINDS = [(2, 1), (2, 3), (3, 3), (5, 1)]


def an_animation(levels=2, boards=1, shape=(5, 7), count=6, seed=0):
    """Random steps on a random configuration, and their click sets."""
    board, rng = la.Board(*shape, levels=levels), np.random.default_rng(seed)
    clicked = rng.integers(0, levels, (boards, *shape))
    first = np.stack([board.add(board.reference, board.toggles(some)) for some in clicked])
    sets = rng.integers(0, levels, (count, boards, *shape))
    moves = [PackedSteps.pack(sets[0].shape, levels, part) for part in (sets[:2], sets[2:])]
    return la.animate(board, first if boards == 3 else first[0], moves, la.Timing(fps=10)), sets


@given(st.sampled_from(KINDS), st.integers(1, 5), st.integers(1, 6), st.integers(0, 2**32))
def test_step_frames_equal_pressing_every_click(kind, rows, columns, seed):
    animation, sets = an_animation(*kind, shape=(rows, columns), seed=seed)
    board, levels = animation.board, kind[0]
    once = {cell: board.neighbourhood(*cell).astype(int) for cell in np.ndindex(board.shape)}
    lights = animation.first.reshape(sets[0].shape).astype(int)
    frames = list(animation.configurations())
    assert len(frames) == 7
    for number, (step, frame) in enumerate(zip(sets, frames[1:], strict=True), 1):
        for plane, *cell in np.ndindex(step.shape):
            lights[plane] += step[plane, *cell] * once[tuple(cell)]
        assert np.array_equal(lights % levels, frame.reshape(lights.shape))
        assert np.array_equal(animation.pressed_at(number), np.flatnonzero(step.any(axis=0)))
    assert np.array_equal(animation.last, frames[-1])
    assert animation.count == sets.sum()
    assert animation.clicks_by_frame.tolist() == sets.sum(axis=(1, 2, 3)).tolist()


@given(st.sampled_from(KINDS), st.integers(0, 2**32))
def test_inverse_steps_undo_the_steps(kind, seed):
    animation, _ = an_animation(*kind, seed=seed)
    board, there = animation.board, animation.steps
    back = there.inverse(board)
    film = la.animate(board, animation.first, [join_steps([there, back])], la.Timing(fps=10))
    frames = list(film.configurations())
    assert len(frames) == 13
    assert np.array_equal(frames, frames[::-1])
    assert back.inverse(board) == there


def test_limited_fps_merges_steps():
    animation, _ = an_animation(levels=3)
    slow = limit_fps(animation, 5)
    assert len(slow) < len(animation)
    frames = np.array(list(animation.configurations()))
    assert np.array_equal(list(slow.configurations()), frames[slow.clicks_done])


def test_merged_frames_fit_the_bytes_and_end_alike():
    animation, _ = an_animation(count=40)
    size = animation.steps.packed.nbytes
    short = merge_frames(animation, size // 2)
    assert short.steps.packed.nbytes == pytest.approx(size / 2, rel=0.2)
    assert np.array_equal(short.last, animation.last)
    assert short.durations().sum() == pytest.approx(animation.durations().sum(), abs=0.2)


def test_holds_as_frames_follow_the_frames_with_clicks():
    animation, _ = an_animation(count=3)  # ten frames a second, held for 1, 3 and 3 s
    film = holds_as_frames(animation)
    assert film.clicks_done.tolist() == [0, 1, 2, 2, 3, 3]
    assert film.durations().round(3).tolist() == [1.0, 0.1, 0.1, 3.0, 0.1, 3.0]


@pytest.mark.parametrize(("levels", "bits"), [(2, 1), (7, 3)])
def test_a_step_takes_the_bits_of_its_presses(tmp_path, levels, bits):
    size = bits * 60 * 60 / 8  # bytes
    films = [an_animation(levels, shape=(60, 60), count=count)[0] for count in (2, 12)]
    assert [film.steps.packed.nbytes for film in films] == [2 * size, 12 * size]
    for format in ("json", "html"):  # base64 has four letters for three bytes
        sizes = [len(film.to_bytes(format)) for film in films]
        assert (sizes[1] - sizes[0]) / 10 == pytest.approx(size * 4 / 3, rel=0.02)


@pytest.mark.parametrize(
    ("change", "facts"),
    [
        (lambda steps: ["AAAAAAAA", *steps[1:]], "5 bytes 6"),
        (lambda steps: ["//////8=", *steps[1:]], "bits"),
        (lambda steps: steps[1:], "0 5 steps"),
        (lambda steps: "AAAA", "must"),
    ],
)
def test_document_with_misshapen_steps_is_refused(refused, change, facts):
    document = document_of(an_animation()[0])
    document["steps"] = change(document["steps"])
    Path("a.json").write_text(json.dumps(signed(document)))
    refused(["render", "a.json", "-o", "a.gif"], 1, facts)


def test_steps_of_other_boards_or_levels_are_refused():
    animation, _ = an_animation()
    board, steps = animation.board, animation.steps
    for shape, levels in (((1, 7, 5), 2), ((3, 5, 7), 2), ((1, 5, 7), 3)):
        other_steps = PackedSteps.pack(shape, levels, [np.zeros(shape, np.uint8)] * 6)
        with pytest.raises(AnimationError):
            la.animate(board, animation.first, [other_steps], la.Timing())
    assert_refused(lambda: PackedSteps.pack((1, 1, 2), 3, [np.array([[3, 0]])]), "0 2")
    mixed = [la.Clicks(np.array([3])), steps]
    assert_refused(lambda: la.animate(board, animation.first, mixed, la.Timing()), "clicks steps")
