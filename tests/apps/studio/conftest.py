"""The page of a studio, for tests of its scripts."""

import re

import pytest
from tools.players import LAPTOP
from tools.studio_pages import StudioPage


@pytest.fixture(scope="module")
def paused_page(browser):
    """A page in which time stands still, but for what a test lets pass."""
    context = browser.new_context(viewport=LAPTOP, reduced_motion="reduce")
    page = context.new_page()
    page.complaints = []
    page.on("console", lambda message: page.complaints.append(message.text))
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.clock.install(time=0)
    page.clock.pause_at(1)
    yield page
    context.close()


@pytest.fixture
def studio_page(paused_page):
    """A studio that is not opened yet; at the end nothing may have gone wrong in its scripts."""
    yield StudioPage(paused_page)
    paused_page.goto("about:blank")
    paused_page.unroute_all()
    # Some answers are refusals; the browser says so itself.
    expected = re.compile("Failed to load resource|net::")
    complaints = [text for text in paused_page.complaints if not expected.search(text)]
    paused_page.complaints.clear()
    assert complaints == []
