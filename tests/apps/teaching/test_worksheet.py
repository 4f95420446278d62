"""Worksheets: read back from the files that are printed, and every answer pressed."""

import json
import re
import unicodedata
from itertools import chain
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image
from tools.printed import boards_in_svg, pages_of_pdf
from tools.program import ask
from tools.textbook import images_of, matrix_of, number_of, rank_of

import lightsanim as la
from lightsanim.apps.teaching.worksheet import Worksheet
from lightsanim.apps.teaching.worksheet_drawing import draw_rule_diagram
from lightsanim.game.solve.pose import PosedPuzzle
from lightsanim.options.page_words import LANGUAGES, to_page_words


def test_pdf_puzzles_are_solved_by_their_printed_answers(run, tmp_path):
    options = ["--count", "13", "--size", "4x3", "--levels", "3", "--clicks", "2..8"]
    words = [*options, "--paper", "letter", "--title", "For 7 b \u2013 \u20ac 5", "--json"]
    status, out, _ = run("worksheet", "-o", "a.pdf", *words)
    report = json.loads(out)
    assert (status, len(report["puzzles"])) == (0, 13)
    texts, pages = zip(*pages_of_pdf(tmp_path / "a.pdf", 4 + 3), strict=True)
    for number, text in enumerate(texts, 1):
        assert "For 7 b \u2013 \u20ac 5" in text
        assert text.endswith(f"seed {report['seed']} {number} / {len(texts)}")
        assert ("Name" in text) == ("answers" not in text)
    task = "raises a cell and its neighbours by 1 (from 2 to off). Write in each cell how often"
    assert task in texts[0]
    assert " off 1 2 on " in texts[0]
    solutions = 3 ** (12 - rank_of(matrix_of("plus", (3, 4), 3), 3))
    assert (
        f"each cell as often as its number says, in any order. Each board has {solutions} "
        in texts[-1]
    )
    boards = [board for page in pages for board in page]
    assert [board.number for board in boards] == [*range(1, 14)] * 2
    counts = [puzzle["count"] for puzzle in report["puzzles"]]
    assert counts == sorted(counts) == [board.count for board in boards[:13]]
    for puzzle, posed, solved in zip(report["puzzles"], boards[:13], boards[13:], strict=True):
        start, presses = posed.cells(3, 4), solved.cells(3, 4)
        assert ["".join(map(str, row)) for row in start.tolist()] == puzzle["start"]
        assert not ((start + la.Board(3, 4, levels=3).toggles(presses)) % 3).any()
        assert presses.sum() == solved.count == posed.count
    assert "Page size:       612 x 792 pts" in ask("pdfinfo", "a.pdf").decode()


def test_svg_shows_the_fewest_clicks(tmp_path):
    board, fewest = la.Board(4, 4), np.full(1 << 16, 99)
    # By brute force: every click set, by what it toggles.
    np.minimum.at(fewest, images_of("plus", (4, 4)), np.bitwise_count(np.arange(1 << 16)))
    sheet = la.worksheet(size=4, count=9, clicks="1..7", title="<b>&amp;", seed=3)
    files = sheet.save(tmp_path / "a.svg")
    assert [file.name for file in files] == ["a-1.svg", "a-2.svg"]
    posed, solved = map(boards_in_svg, files)
    assert [board.number for board in (*posed, *solved)] == [*range(1, 10)] * 2
    for puzzle, task, answer in zip(sheet.puzzles, posed, solved, strict=True):
        start, clicks = task.cells(4, 4, unmarked=1), answer.cells(4, 4)
        assert np.array_equal(start, puzzle.start)
        assert np.array_equal(board.toggles(clicks.astype(bool)), start)
        needed = fewest[number_of(start)]
        assert [task.count, answer.count, clicks.sum()] == [needed] * 3
    assert "&lt;b&gt;&amp;amp;" in files[0].read_text()
    copy = la.worksheet(size=(4, 4), count=9, clicks=(1, 7), title="<b>&amp;", seed=3)
    assert copy.save(tmp_path / "b.svg")[1].read_bytes() == files[1].read_bytes()


def test_boards_are_spread_evenly_over_pages(tmp_path):
    files = la.worksheet(size="4x3", clicks="1..4", count=43, seed=1).save(tmp_path / "a.svg")
    pages = [[board.number for board in boards_in_svg(file)] for file in files]
    assert [*chain(*pages)] == [*range(1, 44)] * 2
    key = [page[0] for page in pages].index(1, 1)
    for part in (pages[:key], pages[key:]):
        assert len(part) > 1
        assert {len(page) for page in part[:-1]} == {-(-43 // len(part))}
    sheet = la.worksheet(size="4x3", clicks="1..2", count=19, per_page=2, seed=1)
    files = sheet.save(tmp_path / "b.svg")
    assert [file.name for file in files] == [f"b-{page:02}.svg" for page in range(1, 12)]


# Three cells in a row, of which each raises those beside it, have one quiet pattern modulo 7.
@pytest.mark.parametrize(
    ("rows", "solutions"),
    [(1, "has 7 solutions"), (7, "has 823543 solutions"), (8, "has many solutions")],
)
def test_the_key_tells_how_many_solutions_there_are(rows, solutions):
    board = la.Board(rows, 3, rule="000/101/000", levels=7)
    clicks = np.eye(1, board.cells, dtype=np.uint8).reshape(board.shape)
    kind = {"board": board, "count": 1, "seconds": 0, "cut_short": False}
    puzzle = PosedPuzzle(start=board.toggles(6 * clicks), clicks=clicks, **kind)
    sheet = Worksheet(puzzles=(puzzle,), seed=1, options=la.SheetOptions())
    assert f"Each board {solutions}, none" in str(sheet.drawings()[-1].layers)


# The game's name, or what stands for it: Polish, Hungarian, Vietnamese, Turkish, Greek and Russian
# letters are in the PDFs' font; Chinese and Arabic are shown in SVGs alone.
TITLES = [
    *("Zgaś światła", "Fényűző", "Tắt hết đèn", "I\u015f\u0131klar\u0131 söndür"),
    "\u03a3\u03b2\u03ae\u03c3\u03b5 \u03c4\u03b1 \u03c6\u03ce\u03c4\u03b1",
    "\u0412\u044b\u043a\u043b\u044e\u0447\u0438 \u0441\u0432\u0435\u0442",
]
CHINESE = "\u70b9\u706f\u6e38\u620f"
ARABIC = "\u0623\u0637\u0641\u0626 \u0627\u0644\u0623\u0646\u0648\u0627\u0631"
OF_SVG = [CHINESE, ARABIC]


@pytest.mark.parametrize("title", [*TITLES, *OF_SVG])
def test_titles_in_any_language(run, tmp_path, title):
    decomposed = unicodedata.normalize("NFD", title)  # as names of files are on some machines
    status, _, err = run("worksheet", "--title", decomposed, "-o", "a.svg", "-o", "a.pdf")
    if title in OF_SVG:
        assert (status, list(tmp_path.iterdir()), err.count("\n")) == (2, [], 1)
        assert all(fact in err for fact in (repr(title[0]), unicodedata.name(title[0]), "title"))
        status, *_ = run("worksheet", "--title", decomposed, "-o", "a.svg")
    texts = [shape.text for shape in ElementTree.parse("a-1.svg").getroot().iter() if shape.text]
    assert (status, title in texts) == (0, True)
    if title in OF_SVG:
        return
    assert ask("pdftotext", "a.pdf", "-").decode().splitlines()[0] == title
    assert "Date" not in ask("pdfinfo", "a.pdf").decode()
    fonts = ask("pdffonts", "a.pdf").decode().splitlines()[2:]
    assert len(fonts) == 1
    assert "DejaVuSansCondensed" in fonts[0]
    assert (tmp_path / "a.pdf").stat().st_size < 40_000


POLISH = {
    "task": "Zgaś wszystkie światła.",
    "marked": "Kliknij pola z kropkami:",
    "solutions": "{n} rozwiązania.",
    "off": "zgaszone",
    "on": "zapalone",
    "name": "Imię",
    "answers": "rozwiązania",
    "fewest": "najmniej: {n}",
    "mine": "moje",
    "clicks": "kliknięć: {n}",
    "seed": "ziarno {n}",
    "submarines_task": "Znajdź łodzie.",
    "only_answer": "Rozwiązanie jest jedno.",
    "given": "podano: {n}",
}


def write_polish():
    lines = [f"{name} = '{word}'\n" for name, word in POLISH.items()]
    Path("pl.toml").write_text("[sheet]\n" + "".join(lines), encoding="utf-8")


def test_a_sheet_in_the_words_of_a_file_with_its_answers_apart(run):
    write_polish()
    words = "--language pl.toml --title Łódź --answers apart --seed 7"
    assert run("worksheet", *words.split(), "-o", "a.pdf", "-o", "b.svg")[0] == 0
    assert {path.name for path in Path().glob("[ab]*")} == {
        *("a.pdf", "a-answers.pdf", "b-1.svg", "b-answers-1.svg")
    }
    sheet, solved = (
        " ".join(ask("pdftotext", "-layout", name, "-").decode().split())
        for name in ("a.pdf", "a-answers.pdf")
    )
    # 5 x 5 boards have nullity 2 (OEIS A159257), and so 4 solutions.
    for word in ("task", "off", "on", "name", "mine"):
        assert POLISH[word] in sheet
    assert "najmniej: 3 moje" in sheet
    assert "Kliknij pola z kropkami: 4 rozwiązania." in solved
    assert "kliknięć: 12" in solved
    assert "Łódź \u2013 rozwiązania" in solved
    texts = re.findall("[a-z]{2,}", (sheet + solved).replace("ziarno 7", "").lower())
    words = " ".join([*POLISH.values(), "Łódź"]).lower()
    assert [word for word in texts if word not in words] == []


def test_related_puzzle_has_its_own_words_or_english(run):
    write_polish()
    for puzzle, task, missing in (
        ("submarines", "Znajdź łodzie.", ""),
        ("queens", "Place queens, one in each row", "sheet.queens_task"),
    ):
        options = ["--puzzle", puzzle, "--language", "pl.toml", "-o", f"{puzzle}.svg"]
        _, _, err = run("worksheet", *options)
        assert missing in err
        assert "sheet.submarines_task" not in err
        first, last = (Path(f"{puzzle}-{page}.svg").read_text("utf-8") for page in (1, 2))
        assert task in first
        assert POLISH["task"] not in first
        assert POLISH["only_answer"] in last


@pytest.mark.parametrize("language", LANGUAGES)
def test_sheets_in_the_languages_of_the_package(run, language):
    words = to_page_words(language)
    for options in ([], ["--levels", "3", "--wrap"], ["--puzzle", "queens", "--size", "6"]):
        status, _, err = run("worksheet", "--language", language, *options, "-o", "a.pdf")
        assert (status, "English" in err) == (0, False)
        printed = " ".join(ask("pdftotext", "-layout", "a.pdf", "-").decode().split())
        for name in ("name", "answers"):
            assert words.text(f"sheet.{name}") in printed
    assert printed.startswith(words.text("sheet.queens_title"))


def test_neither_answers_nor_fewest_clicks(run):
    status, *_ = run("worksheet", "--wrap", "--answers", "none", "--no-fewest", "-o", "a.pdf")
    text = ask("pdftotext", "-layout", "a.pdf", "-").decode()
    assert (status, text.count("\f")) == (0, 1)
    assert "A click flips a cell and its neighbours. Opposite edges are joined." in text
    assert "fewest" not in text
    assert "mine" not in text
    assert all(re.search(rf"^ *\d? +{number}\b|^ *{number}$", text, re.M) for number in (2, 4, 6))


def test_rule_diagram_is_not_mirrored():
    boxes, _ = draw_rule_diagram([(0, 0), (0, 2), (1, 0)], (10.0, 20.0), 5.0)  # (down, right)
    assert boxes.boxes[:, :2].tolist() == [[10, 20], [20, 20], [10, 25]]


LARGE = [("letter", "9x9", "Lights"), ("letter", "2x30", ""), ("a4", 30, "")]


@pytest.mark.parametrize(
    ("paper", "size", "title"),
    [("a4", "3x3", "W" * 100), *(pytest.param(*row, marks=pytest.mark.long) for row in LARGE)],
)
def test_the_margins_of_every_page_are_white(tmp_path, paper, size, title):
    la.worksheet(size=size, count=7, clicks=3, paper=paper, title=title).save(tmp_path / "a.pdf")
    ask("pdftoppm", "-r", "25.4", "-gray", "a.pdf", "a", cwd=tmp_path)
    for page in tmp_path.glob("a-*.pgm"):
        with Image.open(page) as image:
            pixels = np.array(image)  # of a millimetre
        assert (pixels[12:-12, 8:-14] < 200).any()
        pixels[12:-12, 8:-14] = 255
        assert (pixels > 250).all()


# Words beside `-o a.pdf`, and words of the message.
BAD = [
    ("--difficulty hard", "clicks"),
    ("--puzzle queens --clicks 3", "clicks queens difficulty"),
    ("--puzzle queens --size 3", "3x3"),
    ("--puzzle queens --size 4 --difficulty hard --count 9", "8 queens 4x4"),
    ("--puzzle abbott --size 5x4", "abbott 5x4"),
    ("--puzzle ashes --size 4x13", "ashes 2 12 4x13"),
    ("--puzzle submarines --size 4x1", "submarines 2 12 4x1"),
    ("--puzzle ashes --levels 3", "levels ashes"),
    ("--puzzle queen", "abbott, queens, submarines, ashes 'queen'"),
    ("-o a.png", "a.png '.png' .svg .pdf"),
    ("--size 3 --clicks 10", "3x3 10 9"),
    ("--clicks 1 --size 2", "4 2x2 1"),
    ("--per-page 1000", "per_page 20 5x5 a4"),
    ("--size 46x2 --clicks 1", "46x2 a4"),  # before the search
    ("--size 60", "60x60 a4 45x53"),
    ("--language bad.toml", "bad.toml 'sheet.nmae' sheet.name"),
    ("--language old.toml", "old.toml task [sheet] {n} {count}"),  # a file of 1.0
    ("--language xx", "language de pl .toml 'xx'"),
    ("--language holder.toml", "holder.toml sheet.fewest {m} {n}"),
    ("--language long.toml", "long.toml sheet.name 60"),
    ("--language odd.toml", "odd.toml sheet.name U+202E"),
    ("--language chinese.toml", "'\u70b9' name"),  # which the font of PDFs lacks
    ("--title a\u200cb", "title U+200C"),
    ("-o a-answers.pdf --answers apart", "a-answers.pdf"),
    (f"--title {'x' * 101}", "100 101"),
]


@pytest.mark.parametrize(("words", "facts"), BAD, ids=[words[:40] for words, _ in BAD])
def test_worksheet_bad_options_are_refused(refused, words, facts):
    texts = {"odd": "'\u0645\u202e'", "long": f"'{'x' * 61}'", "chinese": "'\u70b9'"}
    for name, text in texts.items():
        Path(f"{name}.toml").write_text(f"sheet.name = {text}")
    Path("holder.toml").write_text("sheet.fewest = '{m}'")
    Path("bad.toml").write_text("sheet.nmae = 'Imi'")
    Path("old.toml").write_text("task = 'Zga'")
    refused(["worksheet", "-o", "a.pdf", *words.split()], 2, facts)


def test_worksheet_without_output_is_refused(refused):
    refused(["worksheet"], 2, "-o")
