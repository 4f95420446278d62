"""Flashing by the definitions of WCAG 2.3.1, on films whose flashes are counted by hand."""

from dataclasses import replace
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from tools.batches import add_job
from tools.players import ASK, LAPTOP, look, until

import lightsanim as la
from lightsanim.apps.batch.manifest import parse_jobs
from lightsanim.film.clicks import PackedSteps
from lightsanim.output.look.flashing import may_flash

BOARD = la.Board(8, 10, rule="000/010/000")  # A click flips its own cell alone.
FLASHING = (0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0)  # Seven transitions.


def film_of(levels, area=1.0, fps=7.0, *, holds=(), loop=1, board=BOARD):
    """A film whose first cells, a share of all, have these levels in turn; the others stay dark."""
    planes = np.atleast_2d(np.transpose(levels)).T  # (frames, planes)
    shape = (planes.shape[1], *board.shape)
    frames = np.zeros((len(levels), planes.shape[1], board.cells), np.uint8)
    frames[:, :, : round(area * board.cells)] = planes[:, :, None]
    presses = np.diff(frames.astype(int), axis=0) % board.levels
    steps = PackedSteps.pack(shape, board.levels, presses.astype(np.uint8))
    first = frames[0].reshape(shape).squeeze(axis=0 if shape[0] == 1 else ())
    first = first.astype(bool if board.levels == 2 else np.uint8)
    film = la.animate(board, first, [steps], la.Timing(fps=fps))
    return replace(film, holds=holds, loop=loop)


@pytest.mark.parametrize(
    ("film", "look", "expected"),
    [
        # Rate: seven transitions are three and a half flashes, six are three.
        (film_of(FLASHING, fps=8), {}, True),
        (film_of(FLASHING[:7], fps=8), {}, False),
        (film_of(FLASHING * 9, fps=6), {}, False),
        (film_of(FLASHING * 9, fps=6.1), {}, True),
        (film_of(FLASHING, fps=8, holds=((4, 0.3),)), {}, False),
        # Area: a quarter is allowed.
        (film_of(FLASHING, 0.25, fps=25), {}, False),
        (film_of(FLASHING, 0.27, fps=25), {}, True),
        # Luminance: by 0.1 at least (#595959 is 0.100, #585858 0.098), with the darker below 0.8.
        (film_of(FLASHING, fps=25), {"unlit": "black", "lit": "#5a5a5a"}, True),
        (film_of(FLASHING, fps=25), {"unlit": "black", "lit": "#585858"}, False),
        (film_of(FLASHING, fps=25), {"unlit": "#e6e6e6", "lit": "white"}, True),  # 0.791
        (film_of(FLASHING, fps=25), {"unlit": "#e8e8e8", "lit": "white"}, False),  # 0.807
        # Red: dark, but saturated; its luminance of 0.06 is no general flash.
        (film_of(FLASHING, fps=25), {"unlit": "black", "lit": "#900000"}, True),
        (film_of(FLASHING, fps=25), {"unlit": "black", "lit": "#405860"}, False),
        (film_of(FLASHING, fps=25), {"unlit": "#402020", "lit": "#502020"}, False),
        (film_of(FLASHING, fps=25), {"unlit": "#800000", "lit": "#900000"}, False),
        # Repetitions continue the flashes, also those of a film of two frames.
        (film_of(FLASHING[:6], fps=25), {}, False),
        (film_of(FLASHING[:6], fps=25, loop=2), {}, True),
        (film_of(FLASHING[:6], fps=25, loop=0, holds=((5, 1.0),)), {}, False),
        (film_of(FLASHING[:2], fps=25, loop=3), {}, False),
        (film_of(FLASHING[:2], fps=25, loop=0), {}, True),
    ],
)
def test_film_may_flash_by_rate_area_and_colours(film, look, expected):
    assert may_flash(film, la.Theme(**look)) == expected


def flashes(light, fps):
    """Whether a cell does; a transition ends where the longest chain of opposing changes grows."""
    chains, ends = [[0, 0] for _ in light], []  # of each last frame, falling and rising
    for now, before in permutations(range(len(light)), 2):
        change, rises = light[now] - light[before], int(light[now] > light[before])
        if before < now and abs(change) >= 0.1 and min(light[now], light[before]) < 0.8:
            chains[now][rises] = max(chains[now][rises], 1 + chains[before][1 - rises])
            if chains[now][rises] > len(ends):
                ends.append(now / fps)
    return any(last - first < 1 - 1e-6 for first, last in zip(ends, ends[6:], strict=False))


def test_random_films_flash_as_trying_all_chains_says():
    rng, verdicts = np.random.default_rng(0), []
    for _ in range(80):
        greys, cycle = np.sort(rng.integers(11, 140, 7)), rng.integers(0, 7, rng.integers(2, 4))
        levels, fps = [int(rng.integers(7)), *np.resize(cycle, 15)], int(rng.integers(7, 20))
        film = film_of(levels, fps=fps, board=replace(BOARD, levels=7))
        colours = [f"#{grey:02x}{grey:02x}{grey:02x}" for grey in greys]
        verdicts.append(may_flash(film, la.Theme(colours=colours)))
        light = ((greys / 255 + 0.055) / 1.055) ** 2.4  # sRGB's curve for values above 10
        assert verdicts[-1] == flashes(light[levels].tolist(), fps)
    assert 20 < sum(verdicts) < 60


def test_red_flashes_turn_by_planes():
    dim = {"unlit": "black", "lit": "#900090"}
    for planes, expected in (((1, 0, 0), True), ((0, 0, 1), False), ((1, 0, 1), False)):
        frames = [planes if lit else (0, 0, 0) for lit in FLASHING]
        film = film_of(frames, fps=25)
        assert may_flash(film, la.Theme(**dim)) == expected


def test_make_notes_flashing_once_and_fps_calms_it(run):
    words = ["make", "sample:cat", "sample:sun", "--transition", "automaton", "--size", "36x35"]
    outputs = ["-o", "a.gif", "-o", "a.html", "-o", "a.json"]
    status, _, err = run(*words, *outputs)
    assert (status, err.count("--fps 6")) == (0, 1)
    assert '"flashes":true' in Path("a.html").read_text()
    assert "--fps 6" in run("render", "a.json", "-o", "b.gif")[2]
    assert run("verify", "a.html")[0] == 0
    status, _, err = run(*words, *outputs, "--fps", "6")
    assert (status, err.count("WCAG")) == (0, 0)
    assert '"flashes"' not in Path("a.html").read_text()


def test_page_that_may_flash_waits_for_a_click(show):
    for film, waits in ((film_of(FLASHING, fps=25), True), (film_of(FLASHING, fps=5), False)):
        page = show(film, motion="no-preference")
        assert look(page)["playing"] != waits
    page = show(film_of(FLASHING, fps=25), motion="no-preference")
    page.get_by_role("button", name="Play").click()
    assert look(page)["playing"]


def test_exhibit_that_may_flash_shows_pictures_only(show):
    film = replace(film_of([0, *FLASHING, 1], fps=25, holds=((0, 1.0), (9, 1.0))), loop=0)
    page = show(film, la.Theme(visitor_clicks=1), motion="no-preference")
    page.clock.install()
    page.reload()
    seen = set()
    for _ in range(40):
        page.clock.run_for(500)
        seen.add(page.evaluate(f"{ASK}.clicksDone()"))
    assert len(seen) == 2


def test_gallery_wall_does_not_play_what_may_flash(pages, tmp_path):
    table = {"pictures": ["sample:cat", "sample:sun"], "transition": "automaton", "size": "36x35"}
    tables = [{**table, "output": f"{fps}.gif", "fps": fps} for fps in (6, 12)]
    for job in parse_jobs({"animation": tables}):
        add_job(tmp_path / "batch", tmp_path, job)
    la.build_gallery(tmp_path / "batch", tmp_path / "site")
    address = (tmp_path / "site").as_uri()
    look = {"viewport": LAPTOP, "reduced_motion": "no-preference"}
    page = pages.open(f"{address}/index.html", allowed=[address], **look)
    page.locator('.cards a[href^="12/"]').hover()
    until(page, "'12' in window.films")
    page.wait_for_timeout(50)
    assert page.evaluate("window.gallery.playing()") == []
    page.locator('.cards a[href^="6/"]').hover()
    until(page, "window.gallery.playing().length === 1")
    assert not pages.leave()
