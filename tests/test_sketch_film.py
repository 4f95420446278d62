"""`--transition sketch`: a fade of few clicks, with or without the exact pictures at its ends."""

import json

import numpy as np
import pytest

import lightsanim as la
from lightsanim.pipeline import make_with_report

# No quiet patterns; 20 frames to the next picture, 12 of them in the fade.
SMALL = {"size": "24x15", "seed": 1, "duration": 2, "fps": 10}
SKETCH = {**SMALL, "transition": "sketch", "sketch_frames": 4}


def greys_of(pictures, board, **options):
    """Of each picture the grey of each of its boards: (pictures, boards, rows, columns)."""
    settings = la.Settings(**options)
    loaded = [la.load_picture(picture, rgb=settings.rgb) for picture in pictures]
    return np.array([[t.grey for t in la.targets_for(p, board, settings)] for p in loaded], float)


def fading(greys, frames=4):
    """Greys that go evenly from each to the next."""
    at = np.linspace(0, len(greys) - 1, (len(greys) - 1) * (frames - 1) + 1)
    low = np.minimum(at.astype(int), len(greys) - 2)
    share = (at - low).reshape(-1, *[1] * (greys.ndim - 1))
    return (1 - share) * greys[low] + share * greys[low + 1]


def configurations_of(sketch, board):
    """What a sketch shows, frame by frame."""
    shown = [sketch.first]
    for (clicks,) in sketch.steps:
        shown.append(board.add(shown[-1], board.toggles(clicks.astype(shown[-1].dtype))))
    return shown


def test_from_an_exact_picture_through_the_fade_to_the_next(photographs):
    film, report = make_with_report(photographs, **SKETCH)
    wipe = la.make(photographs, **SMALL)
    frames = list(film.configurations())
    assert len(frames) == 21
    assert np.array_equal(frames[0], wipe.first)
    assert np.array_equal(frames[20], wipe.last)
    # The fade has the three fifths in the middle, and each of its steps as long as the others.
    greys = fading(greys_of(photographs, film.board, **SKETCH)[:, 0])
    sketch = la.sketch(film.board, greys, seed=1, time_limit=30)
    assert np.array_equal(frames[4:17:4], configurations_of(sketch, film.board))
    (move,) = report.moves
    assert film.clicks_done[16] - film.clicks_done[4] == move.fade == sketch.counts.sum()
    assert move.clicks == film.count == move.fade + move.ends
    assert move.mean_error == pytest.approx(sketch.errors.mean(), abs=1e-4)
    assert move.worst_error == pytest.approx(sketch.errors.max(), abs=1e-4)
    assert move.status == "feasible"
    assert [picture.wrong for picture in report.pictures] == [0, 0]


@pytest.mark.parametrize("cycle", [False, True])
def test_without_its_ends_one_search_goes_through_all_pictures(photographs, cycle):
    three = [*photographs, photographs[0]][: 2 if cycle else 3]
    film, report = make_with_report(three, **SKETCH, settle=False, cycle=cycle)
    greys = greys_of(three, film.board, **SKETCH)[:, 0]
    fade = fading(np.concatenate([greys, greys[:1]]))[:-1] if cycle else fading(greys)
    sketch = la.sketch(film.board, fade, seed=1, closed=cycle, time_limit=30)
    shown = configurations_of(sketch, film.board)
    assert np.array_equal(film.first, shown[0])
    assert np.array_equal(film.last, shown[-1])
    assert np.array_equal(film.last, film.first) or not cycle
    assert film.count == sketch.counts.sum() == sum(move.clicks for move in report.moves)
    assert [move.ends for move in report.moves] == [None, None]
    # Nobody claims that a picture is reached.
    differ = [np.count_nonzero(shown[3 * n] != film.targets[n]) for n in range(len(three))]
    assert [picture.wrong for picture in report.pictures] == differ
    assert not any(picture.status == "optimal" and picture.wrong for picture in report.pictures)


@pytest.mark.parametrize(
    "options",
    [
        {"levels": 3, "boomerang": True},
        {"levels": 5, "ease": "in-out", "settle": False, "wrap": True},
        {"rgb": True, "cycle": True},
        {"rgb": True, "levels": 3, "settle": False, "boomerang": True},
        {"size": "19x19", "order": "hilbert", "reverse": True},
        {"size": "16x16", "rule": "king", "clicks_per_frame": 1},
        {"settle": False, "clicks_per_frame": 1, "cycle": True},
    ],
    ids=str,
)
def test_every_kind_of_sketch_is_legal(photographs, tmp_path, options):
    film, report = make_with_report(photographs, **{**SKETCH, **options})
    film.save(tmp_path / "a.webp", cell=6)
    proven = la.verify(tmp_path / "a.webp", targets=photographs)
    assert proven.legal
    if "settle" not in options:
        exact = la.make(photographs, **{**SMALL, "size": options.get("size", "24x15")}
                        | {n: v for n, v in options.items() if n != "clicks_per_frame"})  # fmt: skip
        assert np.array_equal(film.first, exact.first)
        assert np.array_equal(film.last, exact.last)
        assert proven.wrong == [picture.wrong for picture in report.pictures]
    if "boomerang" in options:
        there = list(film.configurations())
        assert np.array_equal(film.first, film.last)
        assert np.array_equal(there[len(there) // 2], there[20])
    if "clicks_per_frame" in options:
        assert film.clicks_by_frame.max() == 1


def test_no_frame_shows_a_cell_between_its_presses(photographs):
    film = la.make(photographs, **SKETCH, levels=5)
    frame = np.searchsorted(film.clicks_done, np.arange(len(film.clicks)), "right")
    again = np.flatnonzero(film.clicks[1:] == film.clicks[:-1])
    assert len(again) > 100
    assert np.array_equal(frame[again], frame[again + 1])


def test_clicks_of_a_step_are_spread_over_the_picture(photographs):
    # Half of the clicks of a step are in each half of the board, about, and so are the first few.
    film = la.make(photographs, **{**SKETCH, "size": "48x32", "sketch_frames": 2}, settle=False)
    rows, columns = np.divmod(film.clicks[: len(film.clicks) // 4], 48)
    all_rows, all_columns = np.divmod(film.clicks, 48)
    assert np.mean(rows < 16) == pytest.approx(np.mean(all_rows < 16), abs=0.1)
    assert np.mean(columns < 24) == pytest.approx(np.mean(all_columns < 24), abs=0.1)


# What is said.


def test_the_summary_says_what_was_made_and_what_not(run, photographs):
    words = ["make", *map(str, photographs), "-o", "a.gif", "--transition", "sketch",
             "--sketch-frames", 3, "--size", "30x20", "--seed", 1, "--json"]  # fmt: skip
    status, out, said = run(*words)
    (move,) = json.loads(out)["moves"]
    assert status == 0
    fade, ends = move["fade"], move["ends"]
    assert f"{fade + ends} clicks, {fade} of the fade and {ends} of its ends; blurred" in said
    assert f"{move['mean_error']:.3f} on average, {move['worst_error']:.3f} at worst" in said
    assert "--no-settle leaves them out." in said
    assert "Sketches are coarse below 48 cells a side." in said
    assert "fewest" not in said
    assert (move["status"], move["bound"]) == ("feasible", 0)
    _, out, said = run(*words, "--no-settle", "-v")
    (move,) = json.loads(out)["moves"]
    assert f"; the pictures are sketched; {move['fade']} clicks; blurred" in said
    assert move["ends"] is None
    for claim in ("exactly", "fewest", "leaves them out", "perfect"):
        assert claim not in said


# What is refused.


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--click-price", "0"], "click_price must be a number from 0.01 to 100, not 0"),
        (["--click-price", "-1"], "click_price must be a number from 0.01 to 100, not -1"),
        (["--click-price", "nan"], "click_price must be a number from 0.01 to 100, not nan"),
        (["--sketch-blur", "0"], "sketch_blur must be a number from 0.1 to 100, not 0"),
        (["--sketch-blur", "13"], "sketch_blur must be at most the longer side of the 12x8 board"),
        (["--sketch-frames", "1"], "sketch_frames must be a whole number from 2 to 1000, not 1"),
        (["--size", "1x1"], "a sketch needs more than the one cell of a 1x1 board"),
        (["--no-settle", "--order", "radial"], "order goes with the wipes that settle a sketch"),
        (["--no-settle", "--reverse"], "reverse goes with the wipes that settle a sketch"),
        (["--order", "legal"], "order legal belongs to transition wipe, not to sketch"),
        (["--press", "lit"], "press belongs to transition wipe, not to sketch"),
        (["--transition", "wipe", "--sketch-frames", "5"], "sketch_frames belongs to transition"),
        (["--transition", "dissolve", "--no-settle"], "settle belongs to transition sketch, not"),
    ],
)
def test_what_cannot_be_done_is_told_in_one_line(ramps, refused, words, line):
    usual = ["make", *map(str, ramps), "-o", "a.gif", "--size", "12x8", "--transition", "sketch"]
    refused([*usual, *words], 2, line)
