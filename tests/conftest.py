import os
import re
import shutil
import sys
from pathlib import Path

import hypothesis
import numpy as np
import pytest
from PIL import Image
from tools import browsers, players, program, studio_pages

import lightsanim as la
from lightsanim.output.formats.page import write_html

# Tests start many processes.  Where bytecode may not be kept beside the sources, each would compile
# everything again; then it is kept in pytest's own folder.
if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
    sys.pycache_prefix = str(Path(__file__).parent.parent / ".pytest_cache" / "bytecode")
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix
    sys.dont_write_bytecode = False

# The same examples come every time, so that a failure is about this version and not about chance.
# `--hypothesis-profile thorough` tries more of them, and `explore` draws new ones.
hypothesis.settings.register_profile("quick", deadline=None, derandomize=True, max_examples=25)
hypothesis.settings.register_profile("thorough", deadline=None, derandomize=True, max_examples=200)
hypothesis.settings.register_profile("explore", deadline=None, derandomize=False)
hypothesis.settings.load_profile("quick")


def pytest_addoption(parser):
    parser.addoption("--rewrite-goldens", action="store_true", help="write tests/goldens again")


def pytest_configure(config):
    for word in config.args:  # xdist only says that no tests ran
        if not (config.invocation_params.dir / word.partition("::")[0]).exists():
            raise pytest.UsageError(f"there is no such file: {word}")


# The key of pytest's cache for the tests that the last quick run skipped.
SKIPPED = "lightsanim/skipped"


def pytest_terminal_summary(terminalreporter, config):
    if config.option.markexpr == "not long" and hasattr(config, "cache"):
        reports = terminalreporter.stats.get("skipped", [])
        config.cache.set(SKIPPED, sorted({report.nodeid for report in reports}))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """What the last quick run skipped, for want of a program, is run among the long tests."""
    is_long = config.option.markexpr == "long" and hasattr(config, "cache")
    skipped = {*config.cache.get(SKIPPED, [])} if is_long else set()
    for item in items:
        if {item.nodeid, item.nodeid.partition("::")[0]} & skipped:
            item.add_marker("long")
        if item.get_closest_marker("long"):
            item.add_marker(pytest.mark.timeout(1200))
        if sys.platform == "win32" and item.get_closest_marker("posix"):
            item.add_marker(pytest.mark.skip(reason="needs a POSIX system"))


GOLDENS = Path(__file__).parent / "goldens"
SAMPLES = Path(__file__).parent.parent / "samples"


@pytest.fixture
def golden(request):
    """Compares a file with the one of its name in tests/goldens, byte by byte."""

    def golden(path):
        golden_file = GOLDENS / path.name
        if request.config.getoption("--rewrite-goldens"):
            golden_file.write_bytes(path.read_bytes())
        expected, written = golden_file.read_bytes(), path.read_bytes()
        pairs = enumerate(zip(expected, written, strict=False))
        start = next((n for n, (old, new) in pairs if old != new), len(written))
        assert expected == written, (
            f"{path.name} differs from byte {start} on: {expected[start:][:40]!r} became "
            f"{written[start:][:40]!r}; if that is right, run pytest --rewrite-goldens"
        )

    return golden


@pytest.fixture(scope="session")
def photographs(tmp_path_factory):
    """Small photographs, a cat and a cup of coffee, from scikit-image."""
    # Its own reader takes a second to import.
    data = Path(pytest.importorskip("skimage").__file__).parent / "data"
    folder = tmp_path_factory.mktemp("photographs")
    paths = [folder / "cat.png", folder / "coffee.jpg"]
    for path, name in zip(paths, ["chelsea.png", "coffee.png"], strict=True):
        with Image.open(data / name) as photograph:
            photograph.convert("RGB").reduce(3).save(path)
    return paths


@pytest.fixture(scope="session")
def readers_things(tmp_path_factory):
    """What stands for the reader's own in the README and the docs; all else must be there."""
    folder = tmp_path_factory.mktemp("reader")
    (folder / "photographs").mkdir()
    for name in ("sun.png", "moon.png", "cat.png"):
        (folder / "photographs" / name).write_bytes((SAMPLES / name).read_bytes())
    la.make(["sample:sun", "sample:moon"], size=20).save(folder / "clip.mp4", cell=4)
    (folder / "album.toml").write_text(
        '[[animation]]\npictures = ["sample:sun", "sample:moon"]\noutput = "out.gif"\nsize = 20\n'
    )
    return folder


@pytest.fixture
def reader(readers_things, tmp_path, monkeypatch):
    """A reader's working folder, which has these things."""
    shutil.copytree(readers_things, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def ramps(tmp_path):
    """Two small pictures that take no time: a ramp, and its mirror image."""
    ramp = np.linspace(0, 255, 48).astype(np.uint8).reshape(1, 48).repeat(32, axis=0)
    paths = [tmp_path / "right.png", tmp_path / "left.png"]
    for path, grey in zip(paths, [ramp, ramp[:, ::-1]], strict=True):
        Image.fromarray(np.ascontiguousarray(grey)).save(path)
    return paths


@pytest.fixture(scope="session")
def browser():
    """Debian's headless Chromium, driven by Playwright: one for all tests of pages."""
    pytest.importorskip("playwright.sync_api")
    with browsers.chromium() as browser:
        yield browser


@pytest.fixture(scope="session")
def pages(browser):
    """Pages of the browser, which all tests share."""
    pages = browsers.Pages(browser)
    yield pages
    pages.close()


@pytest.fixture(scope="session")
def difference(browser):
    """How a browser shows a film otherwise than it is proven; None if it does not."""
    with browsers.viewer(browser) as difference:
        yield difference


@pytest.fixture
def show(pages, tmp_path):
    """Opens an animation's page from its file; at the end no errors and no requests are allowed."""

    def open_page(
        content, theme=None, *, motion="reduce", viewport=players.WINDOW, scale=1, touch=False
    ):
        # Pages stand still when they open, unless a test is about motion.  Clocks that go by hand
        # stay with their page, and so have one of scale 1.5.
        path = tmp_path / f"{len(list(tmp_path.iterdir()))}.html"
        if isinstance(content, la.Animation):
            write_html(content, path, theme or la.Theme(), lambda: None)
        else:
            path.write_text(content, encoding="utf-8")
        look = {"device_scale_factor": scale, "reduced_motion": motion, "has_touch": touch}
        return pages.open(path.as_uri(), allowed=["file:"], viewport=viewport, **look)

    yield open_page
    assert not pages.leave()


@pytest.fixture(scope="module")
def paused_page(browser):
    """A page in which time stands still, but for what a test lets pass."""
    context = browser.new_context(viewport=players.LAPTOP, reduced_motion="reduce")
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
    yield studio_pages.StudioPage(paused_page)
    paused_page.goto("about:blank")
    paused_page.unroute_all()
    # Some answers are refusals; the browser says so itself.
    expected = re.compile("Failed to load resource|net::")
    complaints = [text for text in paused_page.complaints if not expected.search(text)]
    paused_page.complaints.clear()
    assert complaints == []


@pytest.fixture
def run(monkeypatch, tmp_path):
    """The program, in a folder of its own: its exit status and what it said."""
    monkeypatch.chdir(tmp_path)

    def run(*words, given=b""):
        result = program.run(*words, given=given)
        return result.returncode, result.stdout, result.stderr

    return run


@pytest.fixture
def batch(album, tmp_path):
    """A copy of a file's `album`, to change: the manifest and the folder of what it made."""
    shutil.copytree(album, tmp_path / "batch")
    return tmp_path / "batch/in/manifest.toml", tmp_path / "batch/out"


@pytest.fixture
def refused(run):
    """The program refuses words: one line with the facts, this status, and nothing is written."""

    def refused(words, status, facts):
        times = {path: path.stat().st_mtime_ns for path in Path().rglob("*")}
        exit_status, out, err = run(*words)
        assert (exit_status, out) == (status, "")
        assert err.startswith("lightsanim: ")
        assert all(fact in err for fact in facts.split()), err
        assert err.count("\n") == 1
        assert {path: path.stat().st_mtime_ns for path in Path().rglob("*")} == times

    return refused
