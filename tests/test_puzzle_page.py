"""The page of the Abbott's Window in a real browser: Debian's headless Chromium."""

import numpy as np
import pytest
from players import ASK, PHONE, WINDOW, said
from textbook import lines_through

from lightsanim.puzzles.files import abbott_page, best_windows


@pytest.fixture
def window(show):
    """A page with a window of 8 x 8 panes."""
    return show(abbott_page(8))


def lit(page):
    panes = np.array(page.evaluate(f"{ASK}.lit()"))
    side = int(len(panes) ** 0.5)
    return panes.reshape(side, side)


def odd(page):
    return {(kind, *panes) for kind, *panes in page.evaluate(f"{ASK}.odd()")}


def odd_lines_of(panes):
    """The same, counted here."""
    return {
        (kind if kind in ("row", "column") else "diagonal", *(i * len(panes) + j for i, j in line))
        for (kind, _), line in lines_through(len(panes)).items()
        if sum(panes[place] for place in line) % 2
    }


def pane(page, row, column):
    return page.locator(f'[aria-label="light in row {row}, column {column}"]')


def numbers(page):
    return {name: int(page.locator(f"#{name}").text_content()) for name in ("lit", "most", "odd")}


def test_it_opens_lit_and_a_click_closes_a_pane_and_changes_its_lines(window):
    assert lit(window).all()
    assert numbers(window) == {"lit": 64, "most": 52, "odd": 12}
    assert said(window) == "Odd: 12 diagonals."
    assert window.get_by_role("button", name="Undo").is_disabled()
    before = odd(window)
    assert before == odd_lines_of(lit(window))
    third = window.get_by_role("button", name="light in row 3, column 5", exact=True)
    third.click()
    assert np.argwhere(~lit(window)).tolist() == [[2, 4]]
    assert third.get_attribute("aria-pressed") == "false"
    changed = before ^ odd(window)
    assert len(changed) == 4
    assert all(2 * 8 + 4 in line for line in changed)
    assert odd(window) == odd_lines_of(lit(window))
    assert numbers(window)["odd"] == len(odd(window))
    third.click()
    assert odd(window) == before


@pytest.mark.long
def test_every_size_counts_its_lines_right_and_keeps_its_best_window(window):
    window.keyboard.press("b")
    for n, best in best_windows().items():
        window.get_by_role("combobox", name="Panes").select_option(str(n))
        if n == 8:  # each size is left as it was
            assert not lit(window).all()
            window.get_by_role("button", name="Undo").click()
        assert lit(window).all()
        pane(window, n, 1).click()
        pane(window, 2, n - 1).click()
        assert odd(window) == odd_lines_of(lit(window))
        assert window.evaluate("document.documentElement.scrollWidth") <= WINDOW["width"]
        window.get_by_role("button", name="Show best").click()
        assert lit(window).tolist() == [[pane == "1" for pane in row] for row in best]
        assert odd(window) == set()
        shown = numbers(window)
        assert shown["lit"] == shown["most"]
        assert said(window) == "Every line is even, and no window lets in more light."


def test_who_finds_it_alone_is_praised_and_even_lines_are_not_enough(show):
    page = show(abbott_page(4))
    for place in [(2, 2), (2, 3), (3, 2), (3, 3)]:
        pane(page, *place).click()
    assert said(page).endswith("Well done.")
    page.get_by_role("button", name="Restart").click()
    page.keyboard.press("b")
    assert not said(page).endswith("Well done.")
    page.get_by_role("button", name="Restart").click()
    assert lit(page).all()
    page.evaluate("document.querySelectorAll('#window button').forEach((pane) => pane.click())")
    assert numbers(page) == {"lit": 0, "most": 12, "odd": 0}
    assert said(page) == "Every line is even; but 12 panes can be lit."
    assert not page.locator("#window").get_attribute("class")


def test_the_keyboard_plays_it(window):
    window.keyboard.press("Tab")
    assert pane(window, 1, 1).evaluate("pane => pane === document.activeElement")
    for key in ["ArrowDown", "ArrowDown", "ArrowRight", "ArrowLeft", "ArrowLeft", "ArrowRight"]:
        window.keyboard.press(key)
    assert window.evaluate(f"[{ASK}.cursor(), {ASK}.pointed()]") == [17, 17]
    window.keyboard.press("Enter")
    window.keyboard.press("ArrowRight")
    window.keyboard.press("Space")
    assert np.argwhere(~lit(window)).tolist() == [[2, 1], [2, 2]]
    window.keyboard.press("Tab")  # one stop for the whole window
    assert window.evaluate("document.activeElement.id") == "choice"
    window.locator("#restart").focus()
    window.keyboard.press("+")
    assert lit(window).shape == (9, 9)
    window.keyboard.press("-")
    window.keyboard.press("?")
    assert window.get_by_role("dialog", name="Help").is_visible()
    window.keyboard.press("b")
    assert (~lit(window)).sum() == 2
    window.keyboard.press("Escape")
    for key, left in (("Control+z", [[2, 1]]), ("u", [])):
        window.keyboard.press(key)
        assert np.argwhere(~lit(window)).tolist() == left
    assert window.get_by_role("button", name="Undo").is_disabled()


@pytest.mark.long
def test_a_finger_plays_it(show):
    page = show(abbott_page(12), viewport=PHONE, touch=True)
    pane(page, 12, 7).tap()
    assert np.argwhere(~lit(page)).tolist() == [[11, 6]]
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    box = pane(page, 12, 7).bounding_box()
    assert min(box["width"], box["height"]) > 20


def test_it_is_one_small_file():
    page = abbott_page()
    assert len(page.encode()) < 25_000
    assert "http" not in page.replace("http-equiv", "")
