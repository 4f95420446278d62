"""`--transition dissolve`: both pictures in every frame, and every frame accessible."""

from itertools import pairwise

import numpy as np
import pytest
from tools.fades import frames_of, greys_of
from tools.films import opened
from tools.refusals import assert_refused
from tools.textbook import all_click_sets

import lightsanim as la
from lightsanim.game.solve.check_cells import CheckCells, order_cells_from_edge

DISSOLVE = {"transition": "dissolve", "seed": 1, "duration": 1}


@pytest.mark.parametrize(
    "options",
    [
        {"size": "24x15", "dither": "bayer8"},
        {"size": "24x15", "levels": 5, "tone": "linear"},
        {"size": "24x16", "levels": 3, "rgb": True},
    ],
    ids=str,
)
def test_every_frame_is_the_dither_of_the_fade(photographs, options):
    film = la.make(photographs, **DISSOLVE | {"duration": 0.4}, **options)
    assert film.board.nullity == 0
    name, tone = options.get("dither", "blue-noise"), options.get("tone", "srgb")
    start, end = greys_of(photographs, film.board, **DISSOLVE, **options)
    frames = frames_of(film)
    assert len(frames) == 11
    for share, frame in zip(np.arange(11) / 10, frames, strict=True):
        fade = (1 - share) * start + share * end
        for plane, (values, lights) in enumerate(zip(fade, frame, strict=True)):
            target = la.dither(values, name, levels=film.board.levels, tone=tone, plane=plane)
            assert np.array_equal(lights, target.configuration)


@pytest.mark.parametrize(
    ("options", "nullity"),
    [
        pytest.param({"size": "30x30"}, 20, marks=pytest.mark.long),
        ({"size": "9x9", "rgb": True, "fps": 10}, 8),
        ({"size": "14x14", "fps": 12}, 4),
        ({"size": "9x23", "rule": "110/011/000", "wrap": True, "fps": 5}, 23),
    ],
)
def test_with_two_levels_no_cell_changes_twice(photographs, options, nullity):
    film, report = la.make_with_report(photographs, **DISSOLVE, **options)
    assert film.board.nullity == nullity
    frames = frames_of(film)
    assert np.abs(np.diff(frames, axis=0)).sum(axis=0).max() == 1
    assert all(film.board.is_accessible(board == 1) for frame in frames for board in frame)
    # Few cells differ from the dither of the fade.
    start, end = greys_of(photographs, film.board, **DISSOLVE, **options)
    for share, frame in zip(np.linspace(0, 1, len(frames)), frames, strict=True):
        for plane, (values, lights) in enumerate(
            zip((1 - share) * start + share * end, frame, strict=True)
        ):
            target = la.dither(values, "blue-noise", plane=plane).configuration
            assert np.count_nonzero(lights != target) <= 2 * nullity
    # The pictures are shown as of a wipe.
    as_wipe = DISSOLVE | options | {"transition": "wipe", "dither": "blue-noise"}
    wipe, wipe_report = la.make_with_report(photographs, **as_wipe)
    assert np.array_equal([film.first, film.last], [wipe.first, wipe.last])
    assert [p.wrong for p in report.pictures] == [p.wrong for p in wipe_report.pictures]
    assert report.notes == wipe_report.notes


@pytest.mark.parametrize(("size", "levels", "nullity"), [("24x15", 5, 0), ("64x64", 3, 8)])
def test_dissolve_with_levels_is_monotone_inside_the_edge(photographs, size, levels, nullity):
    film, report = la.make_with_report(photographs, **DISSOLVE, size=size, levels=levels, fps=10)
    assert film.board.nullity == nullity
    frames = frames_of(film)[:, 0]
    changes = np.diff(frames, axis=0)
    turning = np.argwhere((changes.max(axis=0) > 0) & (changes.min(axis=0) < 0))
    assert len(turning) <= nullity
    assert np.isin(turning, (0, film.board.rows - 1)).any(axis=1).all()
    wrong = [p.wrong for p in report.pictures]
    assert (frames[[0, -1]] != film.targets).sum(axis=(1, 2)).tolist() == wrong
    assert max(wrong) <= nullity
    advice = [note for note in report.notes if "--perfect" in note]
    assert ["63x63" in note for note in advice] == [True] * bool(nullity)
    assert [p.status for p in report.pictures] == ["feasible" if nullity else "optimal"] * 2


def test_the_pace_is_even_or_eased(photographs):
    films = (
        frames_of(la.make(photographs, **DISSOLVE, size="60x60", fps=20, ease=ease))
        for ease in ("front", "in-out")
    )
    even, eased = (np.abs(np.diff(film, axis=0)).sum(axis=(1, 2, 3)) for film in films)
    assert len(even) == 20
    assert even.sum() == eased.sum()
    assert even.min() > 0.55 * even.max()
    assert eased[[0, -1]].sum() < 0.1 * eased[9:11].sum()


def test_chains_cycles_and_boomerangs(photographs):
    small = {**DISSOLVE, "size": "9x9", "rgb": True, "fps": 5}
    chain = la.make([*photographs, photographs[0]], **small)
    cycle = la.make(photographs, **small, ending="cycle")
    back, report = la.make_with_report(photographs, **small, ending="boomerang", levels=3)
    assert np.array_equal(chain.steps.packed, cycle.steps.packed)
    assert np.array_equal(frames_of(back), frames_of(back)[::-1])
    assert sum(move.clicks for move in report.moves) == back.count
    for film, holds in ((chain, [0, 5, 10]), (cycle, [0, 5]), (back, [0, 5])):
        assert len(film) == 11
        assert np.array_equal(film.first, film.last)
        assert [frame for frame, _ in film.holds] == holds


@pytest.mark.long
def test_the_same_film_comes_again_whatever_the_clock(photographs):
    options = {**DISSOLVE, "size": "30x30"}
    film, report = la.make_with_report(photographs, **options, time_limit=20)
    assert film.steps == la.make(photographs, **options, time_limit=9).steps
    assert report.cut_short is False
    assert report.moves[0].clicks == film.count
    sets = [film.board.clicks_between(*pair) for pair in pairwise(film.configurations())]
    assert film.count < 0.95 * sum(int(clicks.sum()) for clicks in sets)


@pytest.mark.parametrize(("suffix", "cell"), [(".gif", 2), (".apng", 3), (".webp", 9)])
def test_step_clicks_are_marked_and_seen_through(photographs, tmp_path, suffix, cell):
    # The smallest cells are hidden by their marks, and may be clicked twice running.
    film, path = la.make(photographs, **DISSOLVE, size="20x20", fps=9), tmp_path / f"a{suffix}"
    film.save(path, cell=cell, gap=0, mark="red")
    for number, pixels in enumerate(opened(path).frames[1:6], 1):
        middles = pixels[cell // 2 :: cell, cell // 2 :: cell]
        marked = (middles == (255, 0, 0)).all(axis=2)
        assert np.flatnonzero(marked).tolist() == film.pressed_at(number).tolist()
    assert la.verify(path).legal


@pytest.mark.long
def test_the_largest_dissolves_are_made(ramps):
    film = la.make(ramps, transition="dissolve", size="996x996", rule="king", duration=0.1)
    assert len(film) == 3


@pytest.mark.parametrize("own", [{"dither": "floyd-steinberg"}, {"preset": "linocut"}])
def test_a_picture_has_no_dither_of_its_own(ramps, own):
    pictures = [ramps[0], la.Source(ramps[1], **own)]
    assert_refused(lambda: la.make(pictures, **DISSOLVE, size=12), "dissolve left")
    source = la.Source(ramps[1], dither="blue-noise", gamma=2)
    assert len(la.make([ramps[0], source], **DISSOLVE, size=12)) == 26


def test_dissolve_without_effective_clicks_is_empty(ramps, run):
    # The rule's one cell is never on the board: all-on is all that can be reached.
    rule = "/".join(["100000001", *["000000000"] * 8])
    words = ["--size", "3x3", "--rule", rule, "--transition", "dissolve", "--duration", "0.2"]
    status, _, err = run("make", *ramps, "-o", "a.json", *words)
    assert (status, err.count("nothing to click")) == (0, 1)
    assert la.verify("a.json").legal


# The cells that make frames accessible are tried on these by brute force.
BOARDS = [
    *(la.Board(3, 5), la.Board(2, 2, rule="ring", wrap=True), la.Board(1, 5, levels=3)),
    *(la.Board(3, 3, rule="110/011/000", wrap=True), la.Board(1, 4, levels=3, wrap=True)),
    *(la.Board(2, 3, levels=5), la.Board(1, 5, levels=5, wrap=True)),
    la.Board(2, 2, levels=7, rule="king"),
]


@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_check_cells_alone_make_any_configuration_accessible(board):
    _, raised = all_click_sets(board)
    reachable = (board.reference.ravel() + raised) % board.levels
    accessible = {lights.tobytes() for lights in reachable.astype(board.reference.dtype)}
    assert len(accessible) == board.levels ** (board.cells - board.nullity)
    rng = np.random.default_rng(0)
    for order in (order_cells_from_edge(board.shape), rng.permutation(board.cells)):
        check_cells = CheckCells.from_order(board, order)
        assert len(set(check_cells.cells)) == board.nullity
        for _ in range(50):
            lights = rng.integers(0, board.levels, board.shape).astype(board.reference.dtype)
            corrected = check_cells.correct_configuration(lights)
            assert corrected.tobytes() in accessible
            assert set(np.flatnonzero(corrected != lights)) <= set(check_cells.cells)
            assert np.array_equal(check_cells.correct_configuration(corrected), corrected)


def test_cells_at_the_edge_come_first_and_are_spread():
    order = order_cells_from_edge((20, 30))
    assert sorted(order) == list(range(600))
    rows, columns = np.divmod(order[:96], 30)
    sides = np.array([rows == 0, rows == 19, columns == 0, columns == 29])
    assert sides.any(axis=0).all()
    for count in (8, 20):
        assert sides[:, :count].sum(axis=1).min() >= count // 8
