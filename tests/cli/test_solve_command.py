import io
import json
import os
import re
from pathlib import Path

import numpy as np
import pytest
from tools.cells import cell_centres
from tools.films import opened
from tools.program import ask
from tools.textbook import images_of, number_of

import lightsanim as la
from lightsanim.cli import board_drawing as drawing
from lightsanim.errors import SolverError
from lightsanim.game.solve.legal_order import is_legal_order
from lightsanim.options.choices import PALETTES
from lightsanim.output.drawings.sheet import Sheet, fit_captions

DATA = Path(__file__).parents[1] / "data"
MEMBERS = ["solutions_log2", "count", "bound", "status", "cut_short", "clicks"]
MARK = 0xFF, 0xA4, 0x00


def answer_of(run, *words, stdin=b""):
    status, out, err = run("solve", *words, "--json", "-q", given=stdin)
    assert (status, err) == (0, "")
    return json.loads(out)


def pressed(board, start, answer):
    clicks = np.zeros(board.shape, bool)
    for row, column in answer["clicks"]:
        assert not clicks[row, column]
        clicks[row, column] = True
    assert answer["count"] == clicks.sum()
    return start ^ board.toggles(clicks)


def test_solve_answers_with_the_fewest_clicks(run):
    answer = answer_of(run, "on", "off", "--size", "5x5")
    # OEIS A159257 and A075464: the nullity, and the clicks.
    facts = {"accessible": True, "solutions_log2": 2, "count": 15, "bound": 15, "status": "optimal"}
    assert answer == {**facts, "cut_short": False, "clicks": answer["clicks"]}
    assert list(answer) == ["accessible", *MEMBERS]
    assert not pressed(la.Board(5, 5), np.ones((5, 5), bool), answer).any()


def test_solve_draws_5x5_in_letters(run):
    status, out, err = run("solve", "on", "off", "--size", "5")
    sentence, *rows, space, legend = out.splitlines()
    assert (status, err, space) == (0, "", "")
    assert all(sign in legend for sign in ("# ", ". ", "[#] [.]"))
    assert re.findall(r"\d+", sentence) == ["15", "4"]  # clicks, and click sets
    assert rows == [row.rstrip() for row in rows]
    cells = "".join(row.ljust(15) for row in rows)
    clicks = np.array([cells[at : at + 3] == "[#]" for at in range(0, 75, 3)]).reshape(5, 5)
    assert clicks.sum() == 15
    assert la.Board(5, 5).toggles(clicks).all()


# IBM Ponder This, April 2023: the fewest clicks, only unlit cells being clicked.
@pytest.mark.parametrize(("side", "count"), [(24, 280), (30, 429)])
def test_solve_matches_ponder_this_april_2023(run, side, count):
    path = DATA / f"ponder_{side}.txt"
    words = ["on", "--rule", "cross", "--press", "unlit", "--seed", "3"]
    answer = answer_of(run, path, *words)
    assert (answer["count"], answer["status"], answer["seed"]) == (count, "optimal", 3)
    lights = la.read_board(path.read_text())
    for row, column in answer["clicks"]:
        assert not lights[row, column]
        lights[row] ^= True
        lights[:, column] ^= True
        lights[row, column] = True  # flipped by both, but once
    assert lights.all()


def test_solve_prints_the_click_order(run):
    words = ["solve", "on", "--size", "5x5", "--press", "lit", "--seed", "1"]
    status, out, err = run(*words)
    assert (status, err) == (0, "seed 1\n")
    assert re.match("15 clicks .* lit ", out)
    assert len(out.splitlines()[-1].split()) == 15
    assert run(*words)[1] == out


def test_legal_order_is_sought_among_all_smallest_click_sets():
    board, rng = la.Board(3, 5), np.random.default_rng(0)
    larger, refusals = 0, []
    for number in range(40):
        start = board.toggles(np.random.default_rng(number).random((3, 5)) < 0.5)
        solution = la.solve_board(board, start, np.zeros((3, 5), bool))
        try:
            presses = la.order_solution(solution, "lit", rng)
        except SolverError as error:
            refusals.append(" 8 " in str(error))  # smallest click sets
            continue
        assert is_legal_order(board, start, presses.cells, press="lit")
        assert not (start ^ board.toggles(presses.clicks)).any()
        assert presses.bound == solution.fewest.count <= presses.count
        larger += presses.count > presses.bound
    assert larger
    assert len(refusals) < 20
    assert all(refusals)


CORNER = b"10000\n00000\n00000\n00000\n00000\n"


def test_solve_unreachable_goal_is_an_answer(run):
    assert answer_of(run, "-", stdin=CORNER) == {"accessible": False, **dict.fromkeys(MEMBERS)}
    status, out, err = run("solve", "-", given=CORNER)
    assert (status, out.count("\n"), err) == (0, 1, "")
    assert " 1 in 4 " in out
    assert "--nearest" in out


@pytest.mark.parametrize("rule", ["plus", "000/110/000 --wrap"])
def test_solve_nearest_matches_brute_force(run, rule):
    name, *wrap = rule.split()
    board, rng = la.Board(3, 5, rule=name, wrap=bool(wrap)), np.random.default_rng(3)
    start, goal = rng.random((2, 3, 5)) < 0.5
    images = images_of(name, board.shape, wrap=bool(wrap))
    wrong = np.bitwise_count(images ^ number_of(start ^ goal)).min()
    assert wrong
    Path("start.txt").write_text(la.board_text(start))
    Path("goal.txt").write_text(la.board_text(goal))
    words = ["start.txt", "goal.txt", "--nearest", "--rule", name, *wrap]
    answer = answer_of(run, *words)
    end = pressed(board, start, answer)
    assert (answer["accessible"], answer["status"]) == (False, "optimal")
    nearest = {"wrong": wrong, "bound": wrong, "status": "optimal"}
    assert answer["nearest"] == {**nearest, "cells": np.argwhere(end != goal).tolist()}
    assert "nearest board" in run("solve", *words)[1]


def test_pictures_are_dithered_as_make_does(run, ramps):
    answer = answer_of(run, *ramps, "--size", "12x8")
    board, pictures = la.Board(8, 12), map(la.load_picture, ramps)
    targets = (la.targets_for(picture, board, la.Settings())[0] for picture in pictures)
    start, goal = (target.configuration for target in targets)
    assert np.array_equal(pressed(board, start, answer), goal)
    assert answer_of(run, *ramps, "--size", "12") == answer  # rows from the picture's shape
    Path("goal.txt").write_text(la.board_text(goal))
    assert answer_of(run, ramps[0], "goal.txt") == answer


def test_text_boards_of_other_systems_are_read(run):
    Path("board").write_bytes("# # #\r\n. . #\r\n".encode("utf-16"))
    assert answer_of(run, "board") == answer_of(run, "-", stdin=b"111\n001\n")


def test_solve_reads_a_plain_pbm_as_a_picture(run):
    Path("plain.pbm").write_text("P1\n3 3\n0 0 0\n1 1 0\n0 1 0\n")
    board, picture = la.Board(3, 3), la.load_picture("plain.pbm")
    start = la.targets_for(picture, board, la.Settings())[0].configuration
    assert not pressed(board, start, answer_of(run, "plain.pbm", "off", "--size", "3x3")).any()


def test_stills_mark_the_clicks_and_animations_make_them(run):
    names = ["a.png", "a.svg", "a.gif", "a.json", "a.html", "frames"]
    own = {"a.png": "@cell=20"}
    words = ["solve", "on", "--size", "5x5", *(f"-o{name}{own.get(name, '')}" for name in names)]
    status, _, err = run(*words)
    assert (status, [line.split()[0] for line in err.splitlines()]) == (0, names)
    animation = la.load_animation("a.json")
    assert animation.first.all()
    assert not animation.last.any()
    assert (animation.pictures, animation.fps) == (("on", "off"), 2)
    assert animation.clicks_done.tolist() == list(range(16))  # one click a frame
    middles = cell_centres(la.Theme(cell=20).geometry(5, 5), opened(Path("a.png")).frames[0])
    marked = (middles == MARK).all(axis=2)
    assert np.flatnonzero(marked).tolist() == sorted(animation.clicks)
    assert Path("a.svg").read_text().count('fill="#ffa400"') == 1
    assert len(list(Path("frames").iterdir())) == 16
    assert (opened(Path("a.gif")).frames[1] == MARK).all(axis=2).any()


def test_many_clicks_are_shown_quickly(run):
    own = ["--fps", "4", "--clicks-per-frame", "40"]
    four = ["--clicks-per-frame", "4"]
    # 104 clicks in ten seconds.
    for words, fps, frames in (([], 10.4, 105), (four, 2.6, 1 + 26), (own, 4, 1 + 3)):
        run("solve", "on", "--size", "16x16", "-o", "a.json", *words)
        film = la.load_animation("a.json")
        assert (film.fps, len(film)) == (fps, frames)


def test_solve_nearest_of_one_wrong_cell(run):
    # A cell of a quiet pattern cannot be turned off alone (Anderson and Feil, 5 x 5), nor can the
    # corner of 47 x 47, where no time is left to prove the fewest of 2 ** 30 click sets.
    for side in (5, 47):
        Path(f"{side}.txt").write_text(("0" * side + "\n") * (side - 1) + "0" * (side - 1) + "1")
    options = ["--nearest", "--no-draw", "--time-limit", "1e-9"]
    assert "there is nothing to click" in run("solve", "5.txt", "off", *options)[1]
    worths = [run("solve", "on", f"{side}.txt", *options)[1] for side in (5, 47)]
    assert ["the fewest that lead to it" in worth for worth in worths] == [True, False]


@pytest.mark.parametrize("palette", PALETTES)
def test_marks_stand_out_and_cover_the_marked_cells(palette, tmp_path):
    lights, marks = np.random.default_rng(0).random((2, 6, 9)) < 0.5
    centres, path = [], tmp_path / "a.png"
    for look in ({}, {"marks": marks}):
        la.save_still(lights, path, cell=16, palette=palette, **look)
        pixels = opened(path).frames[0].astype(int)
        centres.append(cell_centres(la.Theme(cell=16).geometry(6, 9), pixels))
    changed = abs(centres[0] - centres[1]).max(axis=2)
    assert np.array_equal(changed > 0, marks)
    assert changed[marks].min() > 60


def test_colours_only_on_a_terminal_that_has_them(monkeypatch):
    from rich.console import Console

    def look(encoding="utf-8", **options):
        file = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
        terminal = Console(file=file, **options)
        fits = [drawing.drawing_fits_console(terminal, 30, columns) for columns in range(100)]
        return drawing.can_show_colours(terminal), fits.index(False) - 1

    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert look(force_terminal=True, encoding="latin-1")[0] is False
    assert look(force_terminal=True, width=80) == (True, 40)
    monkeypatch.setenv("NO_COLOR", "1")
    assert look(force_terminal=True, width=80) == (False, 26)
    assert look() == (False, 60)


def test_large_boards_are_drawn_only_if_asked_for(run):
    assert run("solve", "on", "--size", "61x2")[1].count("\n") == 1
    assert run("solve", "on", "--size", "61x2", "--draw")[1].count("\n") == 5
    assert run("solve", "on", "--size", "6x2", "--no-draw")[1].count("\n") == 1


@pytest.mark.parametrize(
    ("words", "facts"),
    [
        ("5x5", ["5x5", "rank 23, nullity 2", "2 independent", "1 in 4 ", "4 click sets"]),
        ("3x2 --rule ring --wrap", ["3x2", "opposite edges", "four"]),
        ("6x6", ["rank 36, nullity 0", "one click set"]),
        ("128x128", ["1 in 2^56 ", "2^56 click sets"]),
        ("5x5 --levels 3", ["3 levels", "rank 22", "1 in 27 ", "27 click sets"]),
        ("80x80 --levels 3", [f"1 in 3^{la.Board(80, 80, levels=3).nullity} "]),
    ],
)
def test_board_in_words(run, words, facts):
    status, out, err = run("board", *words.split())
    assert (status, err) == (0, "")
    assert [fact for fact in facts if fact not in out] == []


def test_the_hardest_start_is_known_and_posed(run):
    # 17 k^2 - 10 k with k = 3 (docs/how-it-works/hardest.md): a minimum over 16 click sets.
    assert re.search(" 123 .*proven", run("board", "14x14", "--hardest")[1])
    hardest = json.loads(run("board", "14x14", "--hardest", "--json")[1])["hardest"]
    clicks = np.zeros((14, 14), bool)
    clicks[tuple(np.transpose(hardest.pop("clicks")))] = True
    assert hardest == {"count": 123, "bound": 123, "status": "optimal"}
    board = la.Board(14, 14)
    _, out, err = run("pose", "14x14", "--hardest", "--seed", "1")
    assert err.partition("\n")[0].count(" 123") == 2  # of this start, and of any
    start = la.read_board(out)
    for solution in (clicks, board.clicks_between(start, np.zeros_like(start))):
        solutions = [solution]
        for pattern in board.quiet_patterns():
            solutions += [clicks ^ pattern for clicks in solutions]
        assert len(solutions) == 16
        assert min(clicks.sum() for clicks in solutions) == 123


@pytest.mark.parametrize(
    ("side", "levels", "width", "label"),
    [(4, 2, 100, "{}: {}"), (5, 3, 400, "pattern {}: {} clicks")],
)
def test_a_sheet_shows_each_quiet_pattern_with_its_clicks(run, side, levels, width, label):
    names = " ".join(f"-o a{suffix}@width={width}" for suffix in (".png", ".svg", ".pdf"))
    words = f"board {side} --levels {levels} {names} -q"
    assert run(*words.split())[::2] == (0, "")
    board, across = la.Board(side, side, levels=levels), 2
    patterns = board.quiet_patterns()
    labels = [label.format(number, pattern.sum()) for number, pattern in enumerate(patterns, 1)]
    texts = re.findall("<text[^>]*>(.*?)</text>", Path("a.svg").read_text())
    heading = max(texts, key=len)
    assert sorted(texts) == sorted([heading, *labels])
    assert re.match(f"{len(patterns)} .* {side}x{side} ", heading)
    text = re.sub(" +", " ", ask("pdftotext", "-layout", "a.pdf", "-").decode())
    assert all(words in text for words in texts)
    pixels = opened(Path("a.png")).frames[0]
    # Stills are an eighth of their width apart.
    theme = la.Theme(width=max(side, round(width / across / (1 + 1 / 8))))
    geometry = theme.geometry(side, side, levels=levels)
    captions = fit_captions(geometry.width, [labels], heading)
    kind = {"theme": theme, "shape": (side, side), "levels": levels}
    sheet = Sheet(**kind, count=board.nullity, across=across, captions=captions)
    assert sheet.sheet_size == pixels.shape[:2]
    shades = la.Theme().shades(levels=levels)
    for (top, left), pattern in zip(sheet.still_corners, patterns, strict=True):
        still = pixels[top : top + geometry.height, left : left + geometry.width]
        assert np.array_equal(cell_centres(geometry, still), shades[pattern.astype(int)])
    apart = np.diff(sorted({left for _, left in sheet.still_corners})) - geometry.width
    assert (apart >= 12).all()


def test_pose_writes_every_format(run):
    names = ["a.txt", "a.png", "a.svg", "a.json", "a.html", "a.gif"]
    words = ["pose", "7x6", "--clicks", "9", "--seed", "2", "--rule", "king", "--json"]
    status, out, err = run(*words, *(f"-o{name}" for name in names))
    assert (status, [line.split()[0] for line in err.splitlines()[1:]]) == (0, names)
    answer, board = json.loads(out), la.Board(6, 7, rule="king")
    start = la.read_board("\n".join(answer["start"]))
    assert not pressed(board, start, answer).any()
    facts = {"rows": 6, "columns": 7, "rule": "king", "wrap": False, "count": 9, "seed": 2}
    assert answer.items() >= facts.items()
    assert np.array_equal(la.read_board(Path("a.txt").read_text()), start)
    animation = la.load_animation("a.json")
    assert np.array_equal(animation.first, start)
    assert not animation.last.any()
    la.save_still(start, "plain.png")
    assert Path("plain.png").read_bytes() == Path("a.png").read_bytes()
    assert "Turn everything off" in Path("a.html").read_text()


def test_undrawable_output_is_refused_after_the_answer(run, tmp_path):
    status, out, err = run("solve", "-", "-o", "x.png", "-o", "y.gif", given=CORNER)
    assert (status, out[:9]) == (1, "No clicks")
    assert (err.count("\n"), "x.png" in err, "--nearest" in err) == (1, True, True)
    for words, number in (
        ("6x6", "6x6"),  # which has none
        ("1024x1024", "484"),
        # One too many, each column of three having one; and too many cells in all, of 284 patterns.
        ("401x3 --rule 010/000/010", "401"),
        ("1529x1019", "284"),
    ):
        status, out, err = run("board", *words.split(), "-o", "x.png")
        lines = 4 + (words != "6x6")  # and why a start may have no solution
        assert (status, out.count("\n"), number in err) == (1, lines, True), words
    assert not list(tmp_path.iterdir())


@pytest.mark.long
def test_a_hostile_file_is_not_read_whole(refused):
    Path("large.txt").write_bytes(b"1" * 111_000_000)
    refused(["solve", "large.txt"], 2, "large.txt 50000000")


def test_quiet_says_nothing(run):
    assert run("solve", "on", "--size", "5x5", "-q", "-o", "a.png") == (0, "", "")
    assert run("board", "5x5", "-q") == (0, "", "")
    status, out, err = run("pose", "5x5", "--clicks", "3", "-q")
    assert (status, out.count("\n"), err) == (0, 5, "")  # what was asked for


@pytest.mark.posix
def test_a_board_comes_through_a_pipe(run):
    Path("b").write_text("01\n10\n")
    pipe, end = os.pipe()  # as of the shell's <(...)
    os.write(end, b"01\n10\n")
    os.close(end)
    assert "there is nothing to click" in run("solve", f"/dev/fd/{pipe}", "b", "--no-draw")[1]
    os.close(pipe)
