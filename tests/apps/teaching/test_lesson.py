"""The page that teaches: what it says is true, and its boards do it in headless Chromium."""

import html
import io
import json
import re
from itertools import chain, product
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from tools.browsers import Pages
from tools.players import ASK, PHONE, assert_everyone_can_use, pixels_of, stop_clock
from tools.textbook import chasing, matrix_of, press, rank_of, solutions_of

import lightsanim as la
from lightsanim.apps.teaching.lesson import bottom_rows, lesson_page


def data_of(page):
    return json.loads(re.search(r'id="lesson">(.*?)</script>', page, re.S)[1])


def patterns_of(page):
    """The cells of each pattern."""
    return [np.flatnonzero([*map(int, digits)]).tolist() for digits in data_of(page)["patterns"]]


def chased(lights, top=(), *game):
    """The bottom row after so many clicks in the top row and light chasing."""
    return tuple(chasing(lights, top, *game)[0][-1].tolist())


def lights_in(digits, shape):
    return np.array([*map(int, digits)], np.uint8).reshape(shape)


@pytest.mark.parametrize(
    ("size", "levels", "rule"),
    [
        *[(size, 2, "plus") for size in ("4x3", "4x4", "5x5", "7x4")],
        pytest.param("9x9", 2, "plus", marks=pytest.mark.long),
        *[("5x4", 2, "ring"), ("5x5", 3, "plus"), ("4x3", 3, "plus"), ("3x4", 3, "ring")],
    ],
)
def test_the_cards_are_those_that_brute_force_finds(size, levels, rule):
    columns, rows = map(int, size.split("x"))
    off = np.zeros((rows, columns), np.uint8)
    # For each bottom row the fewest clicks in the top row that mend it.
    fewest = {}
    for top in sorted(product(range(levels), repeat=columns), key=sum):
        bottom = tuple(-level % levels for level in chased(off, top, levels, rule))
        fewest.setdefault(bottom, top)
    table = bottom_rows(la.Board(rows, columns, levels=levels, rule=rule))
    assert table.count == len(fewest) - 1
    for correction in table.corrections:
        assert sum(correction.top) == sum(fewest[correction.bottom])
        lights = off.copy()
        lights[-1] = correction.bottom
        assert not any(chased(lights, correction.top, levels, rule))
    bottoms = [correction.bottom for correction in table.corrections]
    assert bottoms == sorted(bottoms, reverse=True)
    assert table.all_listed == (table.count <= 15)
    if table.all_listed:
        assert {(0,) * columns, *bottoms} == set(fewest)
        return
    pivots = [next(filter(row.__getitem__, range(columns))) for row in bottoms]
    assert [[row[column] for column in pivots] for row in bottoms] == np.eye(len(bottoms)).tolist()
    multiples = product(range(levels), repeat=len(bottoms))
    assert {tuple(np.array(n) @ bottoms % levels) for n in multiples} == set(fewest)


# OEIS A159257 and brute force for the bottom rows.  Lights Out 2000 has three states and 3
# independent quiet patterns, as the long test clicks them.
@pytest.mark.parametrize(
    ("options", "phrases", "absent_phrase"),
    [
        ({"size": "5x5"}, ["4 solutions", "31 bottom rows with a light, 7"], "always"),
        ({"size": "4x4"}, ["16 solutions", "the bottom row decides"], "Find your"),
        ({"size": "6x6"}, ["One solution, always", "one light", "2³⁶ of each"], "nobody can"),
        ({"size": "9x9"}, ["256 solutions", "rows with a light, 1 can"], "always"),
        ({"size": "11x11"}, ["64 solutions", "31 can be", "5 cards"], "always"),
        ({"levels": 3}, ["Three times", "27 solutions", "8 can be"], "even number"),
        ({"rule": "ring"}, ["four neighbours", "Chase the lights"], "Press every"),
        ({"rule": "king"}, ["the eight around it", "in how many ways"], "Chase"),
    ],
)
def test_the_words_are_true_of_the_game(options, phrases, absent_phrase):
    # Without drawings and boards.
    text = re.sub(r"(?s)<(style|script|svg).*?</\1>", "", lesson_page(**options))
    words = " ".join(html.unescape(re.sub(r"<[^>]*>", " ", text)).split())
    assert [phrase for phrase in phrases if phrase not in words] == []
    assert absent_phrase not in words


@pytest.mark.parametrize(
    ("size", "levels", "rule", "count"),
    [
        *[(f"{side}x{side}", 2, "plus", count) for side, count in ((4, 16), (5, 4), (6, 1))],
        *[("5x5", 3, "plus", 27), ("4x3", 3, "ring", 1), ("3x3", 2, "ring", 8)],
    ],
)
def test_the_solutions_drawn_are_the_smallest_of_all(size, levels, rule, count):
    page, (columns, rows) = lesson_page(size, levels=levels, rule=rule), map(int, size.split("x"))
    drawings = []
    for drawing, caption in re.findall(r"(?s)The first start,(.*?)</svg><figcaption>(\d+)", page):
        kinds = {kind: np.zeros((rows, columns), np.uint8) for kind in ("lit", "rim", "dot")}
        for kind, grey, path in re.findall(r'class="(lit|rim|dot)(1?)" d="(.*?)"', drawing):
            for x, y, double in re.findall(r"M(\d+) (\d+)(h0m6)?", path):
                value = 2 if double or (kind == "lit" and levels > 2 and not grey) else 1
                kinds[kind][int(y) // 15, int(x) // 15] = value
        start, clicks = kinds["lit"], kinds["dot"]
        assert np.array_equal(kinds["rim"], clicks * (start > 0))
        assert clicks.sum() == int(caption)
        drawings.append(clicks.tolist())
    solutions = [clicks.tolist() for clicks in solutions_of(start, levels, rule)]
    assert len(solutions) == count
    assert all(clicks in solutions and drawings.count(clicks) == 1 for clicks in drawings)
    assert [np.sum(clicks) for clicks in drawings] == sorted(map(np.sum, solutions))[:4]
    assert np.sum(drawings[0]) <= 3  # as the page says of the first start


def test_boards_open_with_starts_that_show_what_is_taught():
    for size, game in product(("3x3", "3x5", "5x3", "4x3", "5x5"), ((2,), (3,), (2, "ring"))):
        shape, (levels, rule) = tuple(map(int, size.split("x")))[::-1], (*game, "plus")[:2]
        data = data_of(lesson_page(size, levels=levels, rule=rule))
        chase, count = (lights_in(data[name], shape) for name in ("chased", "counted"))
        assert solutions_of(chase, *game)
        assert any(chased(chase, (), *game)) == bool(data["cards"])  # else a card is of no use
        matrix = matrix_of(rule, shape, levels)
        nullity = len(matrix) - rank_of(matrix, levels)
        assert bool(solutions_of(count, *game)) == (nullity == 0)  # others cannot be turned off
        total = levels**nullity
        numbers = [f"patterns: {total}.", f"One start in {total}", f"{total} ways"]
        words = data["games"][["plus", "cross", "king", "ring"].index(rule)]["ways"][levels - 2]
        facts = [f"Nullity {nullity}", *(numbers if nullity else ["patterns: 1.", "one way"])]
        assert all(fact in words for fact in facts), words
        patterns = np.array([lights_in(digits, len(matrix)) for digits in data["patterns"]])
        assert len(patterns) == (3 if (nullity, levels) == (2, 2) else nullity)
        if nullity:
            assert not (matrix @ patterns.T % levels).any()
            assert rank_of(patterns, levels) == nullity
            assert nullity != 2 or (np.diff(patterns.sum(axis=1)) >= 0).all()


def test_lesson_command_writes_the_page(run, refused):
    status, out, err = run("lesson", "--size", "12x12", "-o", "lesson.html")
    assert (status, out) == (0, "")
    assert err.startswith("lesson.html (")
    page = Path("lesson.html").read_text()
    assert len(page.encode()) < 64_000
    # Nothing is fetched; what there is to read is a click away.
    links = re.findall(r'<a href="(https://[^"]+)">', page)
    assert len(links) == 4
    assert page.replace("http-equiv", "").count("http") == len(links)
    assert run("lesson", "--levels", "3", "--rule", "ring", "-o", "three.html")[0] == 0
    assert "Three times is nothing" in Path("three.html").read_text()
    for words, status, facts in (
        ("other.html --levels 5", 2, "levels 2, 3, 5"),
        ("other.html --rule 110", 2, "plus cross king ring x '110'"),
        ("other.html --size 2x5", 2, "3 12 2x5"),
        ("other.html --size 13x13", 2, "3 12 13x13"),
        ("lesson.pdf", 2, "lesson.pdf"),
        ("lesson.html --no-overwrite", 1, "lesson.html exists"),
        ("missing/lesson.html", 1, "missing"),
    ):
        refused(["lesson", "-o", *words.split()], status, facts)


# In a browser.


@pytest.fixture(scope="module")
def lesson(browser, tmp_path_factory):
    """The lesson of 5 x 5 on a phone, opened once: each test has a section of its own."""
    pages = Pages(browser)
    path = tmp_path_factory.mktemp("lesson") / "lesson.html"
    path.write_text(lesson_page())
    options = {"viewport": PHONE, "has_touch": True, "reduced_motion": "reduce"}
    yield pages.open(path.as_uri(), allowed=["file:"], **options)
    assert not pages.leave()
    pages.close()


def lights_of(page, name, shape=(5, 5)):
    return np.array(page.evaluate(f"{ASK}.configuration('{name}')"), np.uint8).reshape(shape)


def dots_of(page, name):
    return np.flatnonzero(page.evaluate(f"{ASK}.dots('{name}')")).tolist()


def marked_cells(page, name, shape=(5, 5)):
    """The cells on which a dot, a ring, a frame or what the pointer would change is seen."""
    visible = pixels_of(page, f"#{name} .marks")[..., 3] > 0
    blocks = [np.array_split(row, shape[1], axis=1) for row in np.array_split(visible, shape[0])]
    return [i for i, block in enumerate(chain(*blocks)) if block[4:-4, 4:-4].any()]


def message(page, name):
    return page.text_content(f"#{name} .said")


def numbers_in(words):
    return [*map(int, re.findall(r"\d+", words))]


def push(page, button):
    # Without the scrolling and waiting of a real click, which other tests make.
    page.evaluate(f"document.getElementById('{button}').click()")


def stop_clock_of_fitted(page):
    # Boards are fitted a frame after they are observed, which a stopped clock would never end.
    stop_clock(page)
    page.evaluate("() => new Promise((end) => new ResizeObserver(end).observe(document.body))")
    page.clock.run_for(50)


def click_cell(page, name, cell, columns=5, rows=5):
    # Likewise.
    script = """(board, [across, down]) => {
        const { left, top, width, height } = board.getBoundingClientRect();
        const at = { clientX: left + across * width, clientY: top + down * height };
        board.dispatchEvent(new MouseEvent("click", at));
    }"""
    row, column = divmod(cell, columns)
    at = [(column + 0.5) / columns, (row + 0.5) / rows]
    page.locator(f"#{name} .board").evaluate(script, at)


def chase_down(page):
    page.evaluate(
        "() => { for (const b = document.getElementById('mend-next'); !b.disabled;) b.click() }"
    )


def test_chasing_to_the_end_is_as_python_chases(show):
    page = show(lesson_page("5x6"))
    shape, off = (6, 5), np.zeros((6, 5), bool)
    start = lights_of(page, "chase", shape)
    chase = la.chase(la.Board(*shape), off, start=start.astype(bool))
    for row, step in enumerate(chase.steps):
        rings = page.evaluate(f"{ASK}.rings('chase')")
        assert rings == np.flatnonzero(step.clicks).tolist() == marked_cells(page, "chase", shape)
        expected = [rings[0] // 5 + 1, *[len(rings)] * (len(rings) > 1), rings[0] // 5]
        assert numbers_in(message(page, "chase")) == expected
        if row == 1:  # by hand
            for cell in rings:
                click_cell(page, "chase", cell, *shape[::-1])
        else:
            push(page, "chase-next")
        assert np.array_equal(lights_of(page, "chase", shape), step.configuration)
    assert page.is_disabled("#chase-next")
    columns = np.flatnonzero(chase.wrong[-1]) + 1
    assert numbers_in(message(page, "chase")) == columns.tolist()
    push(page, "chase-again")
    assert np.array_equal(lights_of(page, "chase", shape), start)
    push(page, "chase-new")
    assert solutions_of(lights_of(page, "chase", shape))


# A bottom row has no card, one, or the sum of some.
@pytest.mark.parametrize(
    "shape", [(5, 5), *(pytest.param(s, marks=pytest.mark.long) for s in ((4, 4), (3, 8)))]
)
def test_the_cards_with_frames_mend_the_bottom_row(show, shape):
    page = show(lesson_page(shape[::-1]))
    for _ in range(4):
        chase_down(page)
        lights, words = lights_of(page, "mend", shape), message(page, "mend")
        cards = [int(card) for card in page.locator(".card.fits").all_text_contents()]
        assert not lights[:-1].any()
        if lights.any() and not solutions_of(lights):
            assert not cards
        elif lights.any():
            assert numbers_in(words.split(". ")[1]) == cards
            for card in cards:
                page.locator(".card").nth(card - 1).click()
            chase_down(page)
        off = message(page, "mend").endswith("Well done.")
        assert off == (not lights_of(page, "mend", shape).any()) == bool(solutions_of(lights))
        push(page, "mend-new")


def test_two_quiet_patterns_add_up_to_the_third(lesson):
    patterns, start = patterns_of(lesson_page()), lights_of(lesson, "quiet")
    a, b, c = lesson.locator("#patterns button").all()
    a.click()
    assert dots_of(lesson, "quiet") == patterns[0] == marked_cells(lesson, "quiet")
    assert message(lesson, "quiet").startswith("A: 12 clicks")
    b.click()
    assert dots_of(lesson, "quiet") == patterns[2] == sorted({*patterns[0]} ^ {*patterns[1]})
    assert message(lesson, "quiet").startswith("A + B = C, 16 clicks")
    assert not la.Board(5, 5).toggles(np.isin(np.arange(25), patterns[2]).reshape(5, 5)).any()
    push(lesson, "quiet-run")
    assert np.array_equal(lights_of(lesson, "quiet"), start)
    assert message(lesson, "quiet").startswith("16 clicks")
    c.click()
    assert message(lesson, "quiet").startswith("A + B + C = nothing")
    assert dots_of(lesson, "quiet") == []
    a.click()
    assert message(lesson, "quiet").startswith("B + C = A, 12 clicks")
    push(lesson, "quiet-clear")
    push(lesson, "quiet-run")
    assert "first" in message(lesson, "quiet")
    b.click()
    for cell in patterns[1]:  # by hand
        click_cell(lesson, "quiet", cell)
    assert "No dot" in message(lesson, "quiet")
    click_cell(lesson, "quiet", 0)
    a.click()  # begins again
    assert np.array_equal(lights_of(lesson, "quiet"), start)


def test_odd_counts_mark_exactly_the_unsolvable_starts(lesson):
    board, outcomes = la.Board(5, 5), set()
    patterns, last_pattern = patterns_of(lesson_page()), lesson.locator("#count .pattern").last
    assert marked_cells(lesson, "count") == patterns[0]
    lesson.locator("#count .board").focus()
    lesson.keyboard.press("ArrowRight")
    assert marked_cells(lesson, "count") == sorted({*patterns[0], 13})
    lesson.keyboard.press("Tab")
    last_pattern.click()
    assert marked_cells(lesson, "count") == patterns[1]
    for cell in (1, 0, 7):
        click_cell(lesson, "count", cell)
        lights = lights_of(lesson, "count").astype(bool)
        a, b = (int(lights.ravel()[pattern].sum()) for pattern in patterns[:2])
        assert lesson.locator("#count .pattern").all_text_contents() == [f"A: {a}", f"B: {b}"]
        possible = board.is_accessible(~lights)
        assert lesson.is_enabled("#count-solve") == possible
        odd = " and ".join(name for name, count in (("A", a), ("B", b)) if count % 2)
        claim = "4 solutions" if possible else f"odd number of lights in {odd}: "
        assert claim in message(lesson, "count")
        if possible and possible not in outcomes:
            push(lesson, "count-solve")
            dots = dots_of(lesson, "count")
            assert marked_cells(lesson, "count") == dots
            assert numbers_in(message(lesson, "count")) == [4, len(dots)]
            assert lesson.locator("#count .pattern[aria-pressed=true]").count() == 0
            last_pattern.click()
            assert (dots_of(lesson, "count"), marked_cells(lesson, "count")) == ([], patterns[1])
        outcomes.add(possible)
    assert outcomes == {True, False}


def test_the_one_solution_of_any_start_is_shown(show):
    page = show(lesson_page("6x6"))
    for cell in (7, 35):
        click_cell(page, "count", cell, 6, 6)
        lights = lights_of(page, "count", (6, 6)).astype(bool)
        for dot in dots_of(page, "count"):
            press(lights, *divmod(dot, 6))
        assert not lights.any()


@pytest.mark.parametrize("rule", ["plus", pytest.param("ring", marks=pytest.mark.long)])
def test_three_states_are_chased_mended_and_counted(show, rule):
    page = show(lesson_page("5x5", levels=3, rule=rule))
    push(page, "chase-next")
    row = lights_of(page, "chase")[:2]
    assert not row[0].any()
    for _ in range(20):
        chase_down(page)
        bottom = tuple(lights_of(page, "mend")[-1].tolist())
        cards = page.locator(".card.fits")
        if any(bottom) and cards.count():
            for _ in range(2 if "(twice)" in message(page, "mend") else 1):
                cards.first.click()
            chase_down(page)
            assert message(page, "mend").endswith("Well done.")
            break
        assert not any(bottom) or "Nobody can turn this start off" in message(page, "mend")
        push(page, "mend-new")
    board = la.Board(5, 5, levels=3, rule=rule)
    for _ in range(6):
        push(page, "count-new")
        lights, possible = lights_of(page, "count"), page.is_enabled("#count-solve")
        assert possible == board.is_accessible(lights)
        assert possible == ("nobody can" not in message(page, "count"))
        if possible:
            if page.get_attribute("#count-solve", "aria-pressed") == "false":
                push(page, "count-solve")
            for cell in np.repeat(range(25), page.evaluate(f"{ASK}.dots('count')")):
                press(lights, *divmod(cell, 5), 3, rule)
            assert not lights.any()
    start = lights_of(page, "quiet")
    for pattern in page.locator("#patterns button").all():
        pattern.click()
        push(page, "quiet-run")
        assert np.array_equal(lights_of(page, "quiet"), start)
        assert dots_of(page, "quiet") == []
        push(page, "quiet-clear")


def test_card_label_counts_columns_from_one():
    # The row is mended by that click: `test_the_cards_are_those_that_brute_force_finds`.
    label = "Card 1. Lit in the bottom row: 1, 2, 3. To click in the top row: 2."
    assert label in re.sub(r"\s+", " ", lesson_page("5x5"))


def test_on_a_phone_a_card_leads_to_its_board(show):
    page = show(lesson_page("12x12"), viewport=PHONE, touch=True)
    card = page.locator(".card").first
    card.scroll_into_view_if_needed()
    shot = card.screenshot()
    card.tap()
    for part in ("#mend .board", "#mend .said"):
        box = page.locator(part).bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= PHONE["height"]
    # And its dots are seen: each has some pixels of its colour, which no other part has.
    with Image.open(io.BytesIO(shot)) as image:
        red, _, blue = np.asarray(image.convert("RGB")).astype(int).transpose(2, 0, 1)
    dots = sum(data_of(lesson_page("12x12"))["cards"][0][1])
    assert (red - blue > 100).sum() > 25 * dots


def test_order_does_not_matter_and_twice_is_nothing(show):
    page = show(lesson_page(), motion="no-preference", scale=1.5)
    stop_clock_of_fitted(page)
    start = lights_of(page, "press")
    click_cell(page, "press", 7)
    push(page, "press-order")
    assert "two cells" in message(page, "press")
    for cell, words in ((24, "3 cells"), (3, "4 cells"), (3, "Twice is nothing")):
        click_cell(page, "press", cell)
        assert message(page, "press").startswith(words)
    lights = lights_of(page, "press").tolist()
    assert dots_of(page, "press") == [7, 24]
    push(page, "press-order")
    assert page.evaluate(f"{ASK}.running('press')")
    click_cell(page, "press", 12)  # the page itself is clicking
    page.clock.run_for(4000)
    assert not page.evaluate(f"{ASK}.running('press')")
    assert (dots_of(page, "press"), lights_of(page, "press").tolist()) == ([7, 24], lights)
    push(page, "press-order")
    push(page, "press-again")  # and that is the end of these clicks
    page.clock.run_for(4000)
    assert (dots_of(page, "press"), lights_of(page, "press").tolist()) == ([], start.tolist())
    smallest = min(solutions_of(start), key=np.sum)
    for cell in np.flatnonzero(smallest).tolist():
        click_cell(page, "press", cell)
    assert message(page, "press").startswith(f"All off, by {smallest.sum()} clicks")
    push(page, "press-new")
    assert dots_of(page, "press") == []
    assert min(map(np.sum, solutions_of(lights_of(page, "press")))) <= 3


def test_other_rules_and_three_states(lesson):
    for value, rule, states in [(1, "cross", 3), (2, "king", 3), (3, "ring", 2)]:
        lesson.check(f"[name=rule][value='{value}']", force=True)
        lesson.check(f"[name=states][value='{states - 2}']", force=True)
        board = la.Board(5, 5, rule=rule, levels=states)
        assert lesson.text_content("#ways").startswith(f"Nullity {board.nullity}")
        start = lights = board.checked(lights_of(lesson, "other"), "lights")
        for _ in range(states - 1):
            click_cell(lesson, "other", 8)
            lights = board.add(lights, board.neighbourhood(1, 3))
        assert np.array_equal(lights_of(lesson, "other"), lights)
        assert dots_of(lesson, "other") == [8]
        push(lesson, "other-again")
        assert np.array_equal(lights_of(lesson, "other"), start)
        assert dots_of(lesson, "other") == []
        # One of few clicks: those of a solution, one of several, turn it off.
        solution = board.clicks_between(start, np.zeros_like(lights))
        for cell in np.repeat(np.arange(25), solution.ravel()):
            click_cell(lesson, "other", int(cell))
        assert message(lesson, "other").endswith("Well done.")


def test_pressing_every_light_makes_four_cats_and_then_sixteen(show):
    page = show(lesson_page(), scale=1.5)
    stop_clock_of_fitted(page)

    def lights():
        return lights_of(page, "itself", (63, 63))

    def copies(cats, by):
        return sum(np.roll(cats, shift, axis) for shift in (by, -by) for axis in (0, 1)) % 2

    def next_eight():
        page.evaluate("for (const _ of Array(8)) document.querySelector('#itself-next').click()")
        return message(page, "itself").split(".")[0]

    cat = lights()
    # Amoroso and Cooper 1971.
    assert next_eight() == "After 8 steps: Four cats"
    assert np.array_equal(lights(), copies(cat, 8))
    assert next_eight() == "After 16 steps: Four cats, far apart"
    assert np.array_equal(lights(), copies(cat, 16))
    assert next_eight() == "After 24 steps: Sixteen cats"
    assert np.array_equal(lights(), copies(copies(cat, 8), 16))
    push(page, "itself-again")
    assert np.array_equal(lights(), cat)
    for step in (8, 16, 24, 8):  # from one rest to the next; after the last from the beginning
        if step == 8:
            push(page, "itself-run")
        page.clock.run_for(1600)
        assert message(page, "itself").startswith(f"After {step} steps: ")
        assert page.get_attribute("#itself-run", "aria-pressed") == str(step < 24).lower()


def test_keyboard_and_finger(lesson):
    board, lights = lesson.locator("#press .board"), lights_of(lesson, "press").astype(bool)
    board.focus()
    for key in ("ArrowUp", "ArrowRight", "Enter", "ArrowDown", "Space", "Control+ArrowUp"):
        lesson.keyboard.press(key)
    assert dots_of(lesson, "press") == [8, 13]
    assert "row 3, column 4, " in board.get_attribute("aria-label")
    assert marked_cells(lesson, "press") == [8, 12, 13, 14, 18]
    for key in (*["ArrowRight"] * 9, *["ArrowDown"] * 9):
        lesson.keyboard.press(key)  # no further than the edge
    look = "lit" if lights_of(lesson, "press")[4, 4] else "dark"
    assert f"row 5, column 5, {look}." in board.get_attribute("aria-label")
    board.tap(position={"x": 20, "y": 20})
    for cell in ((1, 3), (2, 3), (0, 0)):
        press(lights, *cell)
    assert np.array_equal(lights_of(lesson, "press"), lights)


@pytest.mark.long
@pytest.mark.parametrize(
    "game", ["5x5 2 plus", "6x6 2 plus", "12x12 3 plus", "5x5 3 ring", "4x5 2 king"]
)
def test_everyone_can_use_it(show, game):
    size, levels, rule = game.split()
    assert_everyone_can_use(show(lesson_page(size, levels=int(levels), rule=rule)))
