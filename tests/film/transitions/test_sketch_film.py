"""`--transition sketch`: a fade of few clicks, with or without the exact pictures at its ends."""

import json
import re

import numpy as np
import pytest
from PIL import Image
from tools.clips import animated
from tools.fades import frames_of, greys_of

import lightsanim as la

# All of this must hold of any sketch: of searches without time, too, which leave many clicks.
# No quiet patterns; 20 frames to the next picture, 12 of them in the fade.
SMALL = {"size": "18x12", "seed": 1, "duration": 2, "fps": 10, "time_limit": 1e-9}
SKETCH = {**SMALL, "transition": "sketch", "sketch_frames": 3, "click_price": 0.05}


def errors_of(frames, greys, levels=2):
    """Root mean square of each frame's difference, blurred by one cell: (frames, boards)."""
    from scipy.ndimage import gaussian_filter  # takes most of a second

    blurred = gaussian_filter(frames / (levels - 1) - greys, (0, 0, 1, 1), mode="reflect")
    return np.sqrt((blurred**2).mean(axis=(2, 3)))


@pytest.mark.parametrize("options", [{}, {"rgb": True, "levels": 3, "ease": "linear"}], ids=str)
def test_from_an_exact_picture_through_the_fade_to_the_next(photographs, options):
    film, report = la.make_with_report(photographs, **SKETCH | {"sketch_frames": 2} | options)
    wipe = la.make(photographs, **SMALL, **options)
    frames, (move,) = frames_of(film), report.moves
    assert len(frames) == 21
    assert np.array_equal([film.first, film.last], [wipe.first, wipe.last])
    # The fade has the three fifths in the middle.
    greys = greys_of(photographs, film.board, **options)
    errors = errors_of(frames[[4, 16]], greys, film.board.levels)
    assert move.mean_error == pytest.approx(errors.mean(), abs=1e-4)
    assert move.worst_error == pytest.approx(errors.max(), abs=1e-4)
    assert film.clicks_by_frame[4:16].sum() == move.fade
    assert film.count == move.clicks == move.fade + move.ends
    assert move.status == "feasible"


def test_moves_share_the_time_of_their_search(photographs, tmp_path):
    still, second_still = photographs
    frames = [Image.open(path).resize((18, 12)) for path in photographs]
    for middle in (second_still, animated(tmp_path / "a.gif", frames, 100)):
        _, report = la.make_with_report([still, middle, still], **SKETCH)
        moves = [move.seconds for move in report.sketched]
        assert len(moves) == 2
        assert sum(moves) == pytest.approx(report.seconds["sketch"], abs=2e-4)


@pytest.mark.parametrize("ending", ["stay", "cycle"])
def test_sketch_without_settle_chains_its_fades(photographs, ending):
    chain = [*photographs, photographs[0]]
    options = SKETCH | {"duration": 1, "sketch_frames": 2, "settle": False, "ending": ending}
    film, report = la.make_with_report(chain if ending == "stay" else photographs, **options)
    frames = frames_of(film)[::10]
    errors = errors_of(frames, greys_of(chain, film.board))
    assert len(errors) == 3
    for number, move in enumerate(report.moves):
        assert move.mean_error == pytest.approx(errors[number : number + 2].mean(), abs=1e-4)
        assert (move.ends, move.clicks) == (None, move.fade)
    assert film.count == sum(move.clicks for move in report.moves)
    assert np.array_equal(frames[0], frames[2]) or ending == "stay"
    # Nobody claims that a picture is reached.
    lights = frames[: len(report.pictures), 0] == 1
    differ = (lights != film.targets).sum(axis=(1, 2)).tolist()
    assert [picture.wrong for picture in report.pictures] == differ
    assert {picture.status for picture in report.pictures} == {"feasible"}


@pytest.mark.parametrize(
    "options",
    [
        {"size": "9x6", "rgb": True, "levels": 3, "settle": False, "ending": "boomerang"},
        {"size": "9x9", "order": "hilbert", "reverse": True},
        {"settle": False, "clicks_per_frame": 1, "ending": "cycle"},
        *(
            pytest.param(options | {"time_limit": 5}, marks=pytest.mark.long)
            for options in (
                {"levels": 5, "ease": "in-out", "settle": False, "wrap": True},
                {"levels": 3, "ending": "boomerang"},
                {"size": "16x16", "rule": "king", "clicks_per_frame": 1},
            )
        ),
    ],
    ids=str,
)
def test_every_kind_of_sketch_is_legal(photographs, tmp_path, options):
    film, report = la.make_with_report(photographs, **{**SKETCH, **options})
    film.save(tmp_path / "a.webp", cell=6)
    proof = la.verify(tmp_path / "a.webp", targets=photographs)
    assert proof.legal
    assert "settle" in options or proof.wrong == [picture.wrong for picture in report.pictures]
    if options.get("ending") == "boomerang":
        assert np.array_equal(film.first, film.last)
        assert film.count == sum(move.clicks for move in report.moves)
    if "clicks_per_frame" in options:
        assert film.clicks_by_frame.max() == 1


def test_sketch_is_eased_and_hides_partial_presses(photographs):
    steps = la.make(photographs, **SKETCH, levels=5, ease="in-out").clicks_by_frame
    film = la.make(photographs, **SKETCH, levels=5)
    even = film.clicks_by_frame
    assert steps[[0, 1, 18, 19]].sum() < even[[0, 1, 18, 19]].sum() / 2
    frame = np.searchsorted(film.clicks_done, np.arange(len(film.clicks)), "right")
    again = np.flatnonzero(film.clicks[1:] == film.clicks[:-1])
    assert len(again) > 100
    # But the last cell of a part may be the first one of the next.
    assert np.count_nonzero(frame[again] != frame[again + 1]) <= 4


def test_sketch_summary_claims_only_what_was_made(run, photographs):
    options = "-o a.gif@cell=3 --size 18x12 --fps 10 --time-limit 1e-9 --json --transition"
    words, sketch = ["make", *photographs, *options.split()], "sketch@frames=3"
    status, out, err = run(*words, sketch)
    (move,) = json.loads(out)["moves"]
    assert (status, move["status"], move["bound"]) == (0, "feasible", 0)
    clicks = f"{move['fade'] + move['ends']} clicks, {move['fade']} for the fade and {move['ends']}"
    for claim in (
        f"{clicks} for its ends; blurred",
        f"{move['mean_error']:.3f} on average, {move['worst_error']:.3f} at most",
        "sketch@no-settle",
        "48 cells a side",
    ):
        assert claim in err
    assert "fewest" not in err
    _, out, err = run(*words, f"{sketch}@no-settle")
    (move,) = json.loads(out)["moves"]
    assert f"; {move['fade']} clicks; " in err
    assert move["ends"] is None
    assert not re.search("exactly|fewest|leaves them out|perfect", err)
